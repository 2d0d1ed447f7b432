"""Handles end once, when nothing needs them; lent bytes stay good until then."""

from __future__ import annotations

import ctypes
import gc
import itertools
import threading
import unittest
import warnings
import weakref
from typing import Callable, Dict, List

import limelight
from limelight import Cancellation, ClosedError, HandleError, Index, Item, Query, Weights
from limelight import _handles
from limelight._library import lime
from support import Case, note, notes, untyped


class HandleTests(Case):
    def test_objects_may_go_in_any_order(self) -> None:
        names = ["index", "results", "hit", "query", "item", "ids", "weights", "scores"]
        for order in itertools.islice(itertools.permutations(names), 0, 40_320, 97):
            index = Index.in_memory()
            index.put(notes())
            query, weights = Query.term("cream"), Weights()
            results = index.search(query, weights=weights)
            things: Dict[str, object] = {
                "index": index,
                "results": results,
                "hit": results[0],
                "query": query,
                "item": index.get("1"),
                "ids": index.ids(),
                "weights": weights,
                "scores": results.scores,
            }
            index.close()
            del index, query, weights, results
            for name in order:
                things.pop(name)
                for thing in things.values():
                    if isinstance(thing, limelight.Hit):
                        self.assertIn(thing.id, "23")
                    elif isinstance(thing, limelight.Texts):
                        self.assertEqual(list(thing), list("1234"))
                    elif isinstance(thing, memoryview):
                        self.assertGreater(sum(thing.tolist()), 0)
        gc.collect()

    def test_lent_bytes_outlive_what_lent_them(self) -> None:
        index = self.index()
        picture = bytes(range(256)) * 4000
        index.put(Item("1", attributes={"title": "picture"}, thumbnail=picture))
        item = index.get("1")
        assert item is not None and isinstance(item.thumbnail, memoryview)
        view = item.thumbnail
        part = view[1000:]
        results = index.search("picture")
        lines, scores, ids = results.lines(), results.scores, results.ids.data
        results.close()
        index.close()
        del item, results, index
        gc.collect()
        for _ in range(100):  # what was let go of would be used again
            Query.term("overwrite" * 10_000)
        self.assertEqual(bytes(view), picture)
        self.assertTrue(view.readonly)
        del view
        gc.collect()
        self.assertEqual(bytes(part), picture[1000:])
        self.assertTrue(bytes(lines).startswith(b'{"id":"1"'))
        self.assertEqual(bytes(ids), b"1\0")
        self.assertGreater(scores[0], 0)

    def test_a_handle_ends_once(self) -> None:
        ended: List[int] = []

        def end(place: ctypes.c_void_p) -> int:
            ended.append(place.value or 0)
            return 0

        def fill(out: object) -> int:
            ctypes.memmove(untyped(out), ctypes.byref(ctypes.c_void_p(7)), 8)
            return 0

        handle = _handles.make(end, fill)
        self.assertEqual(handle._as_parameter_, 7)
        handle.end()
        handle.end()
        self.assertEqual(handle._as_parameter_, 0)
        del handle
        gc.collect()
        self.assertEqual(ended, [7])
        self.assertEqual(_handles.Handle(end).end(), 0)
        self.assertEqual(ended, [7], "there is nothing to end where nothing was made")

    def test_cycles_are_collected(self) -> None:
        query = Query.term("x")
        cycle: List[object] = [query]
        cycle.append(cycle)
        gone = weakref.ref(query._handle)
        del query, cycle
        gc.collect()
        self.assertIsNone(gone())

    def test_what_is_closed_says_so(self) -> None:
        index = Index.in_memory()
        index.close()
        index.close()
        self.assertTrue(index.closed)
        self.assertIn("closed", repr(index))
        calls: List[Callable[[], object]] = [
            lambda: index.put([]),
            lambda: index.put_lines(""),
            lambda: index.load([]),
            lambda: index.search("x"),
            lambda: index.count(),
            lambda: index.count("x"),
            lambda: index.get("x"),
            lambda: "x" in index,
            lambda: index.ids(),
            lambda: index.delete("x"),
            lambda: index.delete_domain("x"),
            lambda: index.query("x"),
            lambda: index.path,
            lambda: index.analyzer,
            lambda: index.stores_items,
            lambda: index.declare("x", "text"),
            index.delete_all,
            index.stats,
            index.verify,
            index.commit,
            index.merge,
            index.__enter__,
        ]
        for call in calls:
            with self.assertRaisesRegex(ClosedError, "the index is closed"):
                call()

    def test_wrong_handles_are_refused_by_the_library(self) -> None:
        query, index = Query.term("x"), self.index()
        for wrong in (None, 0, 1, 2**63, 2**64 - 1, 0xDEADBEEF, query._handle._as_parameter_):
            with self.subTest(wrong), self.assertRaises(HandleError):
                _handles.number(lime.index_count, wrong)
        for wrong in (None, 1, index._here()._as_parameter_):
            with self.subTest(wrong), self.assertRaises(HandleError):
                _handles.make(lime.query_free, lime.query_not, wrong)

    def test_closing_while_others_search(self) -> None:
        for _ in range(20):
            index = Index.in_memory()
            index.put(notes())
            errors: List[BaseException] = []
            begin = threading.Barrier(5)

            def work() -> None:
                begin.wait()
                try:
                    while True:
                        self.assertEqual(len(index.search("cream").ids), 2)
                except (ClosedError, HandleError):
                    pass
                except BaseException as error:
                    errors.append(error)

            threads = [threading.Thread(target=work) for _ in range(4)]
            for thread in threads:
                thread.start()
            begin.wait()
            index.search("cream")
            index.close()
            for thread in threads:
                thread.join()
            self.assertEqual(errors, [])

    def test_an_index_that_is_forgotten_warns_and_closes(self) -> None:
        path = self.folder / "forgotten"
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            index = Index(path)
            index.put(note("1", "x"))
            del index
            gc.collect()
        self.assertEqual([one.category for one in caught], [ResourceWarning])
        with Index(path) as again:
            self.assertEqual(again.count(), 1)

    def test_many_objects(self) -> None:
        index = self.index(notes())
        kept = [index.search("cream") for _ in range(2000)]
        kept_queries = [Query.term(str(number)) for number in range(20_000)]
        cancellations = [Cancellation() for _ in range(2000)]
        self.assertEqual(kept[1999][0].id, kept[0][0].id)
        del kept, kept_queries, cancellations


if __name__ == "__main__":
    unittest.main()
