"""Loads: sources, progress, and what ends them."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import threading
import time
import unittest
from datetime import datetime, timezone
from typing import Any, Dict, Iterator, List, Set
from unittest import mock

from limelight import Cancellation, CancelledError, ClosedError, Item, Progress
from support import Case, ignoring_arguments, interrupt, note, untyped


def leaves(count: int) -> Iterator[Dict[str, object]]:
    for number in range(count):
        yield note(str(number), f"Leaf {number} of a tree", textContent="x" * 200)


def lines(count: int) -> str:
    return "".join(json.dumps(leaf) + "\n" for leaf in leaves(count))


class LoadTests(Case):
    def test_every_kind_of_source(self) -> None:
        text = lines(5000)
        path = self.folder / "leaves.ndjson"
        path.write_text(text)
        byte_lines = text.encode().splitlines(keepends=True)
        sources: Dict[str, Any] = {
            "dicts": leaves(5000),
            "items": (Item(str(n), attributes={"title": "leaf"}) for n in range(5000)),
            "mixed": iter([*leaves(4000), *byte_lines[4000:4999], text.splitlines()[4999]]),
            "text": text,
            "bytes": text.encode(),
            "bytearray": bytearray(text.encode()),
            "memoryview": memoryview(text.encode()),
            "lines": text.splitlines(),
            "byte lines": byte_lines,
            "path": path,
            "text stream": io.StringIO(text),
            "byte stream": io.BytesIO(text.encode()),
        }
        for name, source in sources.items():
            with self.subTest(name):
                index = self.index()
                receipt = index.load(source)
                self.assertEqual((receipt.put, receipt.read, receipt.refused), (5000, 5000, ()))
                self.assertGreater(receipt.bytes, 0)
                self.assertGreater(receipt.seconds, 0)
                self.assertEqual((index.count(), index.search("leaf").total), (5000, 5000))
        nothing: List[Any] = ["", b"", [], io.StringIO()]
        for empty in nothing:
            self.assertEqual(self.index().load(empty).put, 0)
        with path.open() as file:
            self.assertEqual(self.index().load(file, threads=2, memory_budget=1 << 25).put, 5000)
        with self.assertRaises(FileNotFoundError):
            self.index().load(self.folder / "none")
        for bad in (5, None, [5], io.StringIO):
            with self.assertRaises(TypeError):
                self.index().load(untyped(bad))

    def test_refusals_tell_the_line(self) -> None:
        index = self.index()
        receipt = index.load(['{"id":"1"}', "nonsense", '{"id":"3"}\n', '{"id":"\ud800"}', b"\xff"])
        self.assertEqual(receipt.put, 2)
        self.assertEqual([one.line for one in receipt.refused], [2, 4, 5])
        self.assertEqual([one.position for one in receipt.refused], [1, 3, 4])

    def test_refusals_tell_the_id_where_it_can_be_read(self) -> None:
        lines = ['{"attributes":{"title":5},"id":"a"}', '{"id":"b",', "[]", '{"id":"c","x":"\udc80"}']
        index = self.index()
        for receipt in (index.load(lines), index.load(lines, threads=2)):
            self.assertEqual([one.id for one in receipt.refused], ["a", "b", None, "c"])
        receipt = index.put_lines("\n".join(lines))
        self.assertEqual([one.id for one in receipt.refused], ["a", "b", None, "c"])

    def test_a_load_tells_its_number_and_the_ids_that_it_made(self) -> None:
        index = self.index()
        before = index.put(note("1", "one"))
        receipt = index.load([note("2", "two"), {"attributes": {}}, "nonsense", "{}"])
        self.assertGreater(receipt.generation, before.generation)
        self.assertEqual(receipt.generation, index.stats().generation)
        self.assertEqual([one.position for one in receipt.made], [1, 3])
        self.assertEqual({"1", "2", *(one.id for one in receipt.made)}, set(index.ids()))
        self.assertGreater(index.put(note("3", "three")).generation, receipt.generation)

    def test_maps_and_dates(self) -> None:
        index = self.index()
        index.load(
            '{"nr":"1","body":"tea","born":"2001-02-03"}',
            map={"nr": "id", "body": "textContent", "born": "birth"},
            dates=["birth"],
        )
        self.assertEqual(index.count("tea"), 1)
        self.assertIsInstance(index.search("tea")[0].attributes["birth"], datetime)

    def test_dates_of_attributes_of_ones_own(self) -> None:
        noon = datetime(2026, 5, 1, 12, tzinfo=timezone.utc)
        index = self.index()
        index.load([note("1", "x", when=noon)])
        self.assertEqual(index.search("x")[0].attributes["when"], noon)
        late = [*leaves(10_000), note("late", "x", birth=noon)]
        with self.assertRaisesRegex(ValueError, r"name in 'dates' the attributes \['birth'\]"):
            self.index().load(late)
        self.assertEqual(self.index().load(late, dates=["birth"]).put, 10_001)

    def test_progress(self) -> None:
        states: List[Progress] = []
        threads: Set[int] = set()

        def progress(state: Progress) -> None:
            states.append(state)
            threads.add(threading.get_ident())

        index = self.index()
        receipt = index.load(leaves(20_000), progress=progress)
        self.assertGreater(len(states), 2)
        self.assertEqual(states, sorted(states))
        self.assertEqual((states[-1].read, states[-1].put), (receipt.read, receipt.put))
        self.assertEqual(threads, {threading.get_ident()}, "callbacks run in the caller's thread")

    def test_exceptions_of_callbacks_reach_the_caller(self) -> None:
        for kind in (KeyError, KeyboardInterrupt, SystemExit, GeneratorExit, CancelledError):
            index = self.index()

            def progress(state: Progress) -> None:
                if state.put:
                    raise kind("that is enough")

            with self.subTest(kind.__name__), self.assertRaises(kind) as caught:
                index.load(leaves(50_000), progress=progress)
            self.assertEqual(caught.exception.args, ("that is enough",))
            self.assertLess(index.count(), 50_000)
            self.assertGreater(index.count(), 0)

            def items() -> Iterator[Dict[str, object]]:
                yield from leaves(9000)
                raise kind("no more")

            index = self.index()
            with self.subTest(kind.__name__), self.assertRaises(kind):
                index.load(items())
            self.assertLessEqual(index.count(), 9000)
        self.assertEqual(sys.exc_info(), (None, None, None))

    def test_callbacks_may_use_and_close_the_index(self) -> None:
        index = self.index()
        counts: List[int] = []

        def progress(state: Progress) -> None:
            counts.append(index.count())
            index.put(note("between", "put while loading"))

        index.load(leaves(10_000), progress=progress)
        self.assertEqual(index.count(), 10_001)
        self.assertTrue(counts)

        def close(state: Progress) -> None:
            index.close()

        try:
            index.load(leaves(50_000), progress=close)
        except ClosedError:
            pass
        self.assertTrue(index.closed)

    def test_cancelling_from_another_thread(self) -> None:
        index = self.index()
        cancellation = Cancellation()

        def endless() -> Iterator[Dict[str, object]]:
            for number, leaf in enumerate(leaves(10**9)):
                if number == 20_000:
                    threading.Thread(target=cancellation.cancel).start()
                yield leaf

        with self.assertRaises(CancelledError) as caught:
            index.load(endless(), cancellation=cancellation)
        receipt = caught.exception.receipt
        assert receipt is not None
        self.assertEqual(index.count(), receipt.put)
        with self.assertRaises(CancelledError):
            index.load(leaves(10), cancellation=cancellation)

    def test_cancelling_while_the_library_reads(self) -> None:
        """One piece of text, so that nothing is asked of Python meanwhile."""
        text = lines(3000).encode() * 20
        with mock.patch("limelight._lines._MIB", len(text)):
            for threads in (1, 2):
                index = self.index()
                cancellation = Cancellation()
                states: List[Progress] = []
                threading.Timer(0.05, cancellation.cancel).start()
                with self.assertRaises(CancelledError) as caught:
                    index.load(
                        text, threads=threads, cancellation=cancellation, progress=states.append
                    )
                receipt = caught.exception.receipt
                assert receipt is not None
                self.assertLess(receipt.put, 60_000)
                self.assertEqual(states[-1].put, receipt.put)
                self.assertEqual(index.count(), min(receipt.put, 3000))
                self.assertEqual(index.verify(), ())

    def test_a_signal_ends_a_load(self) -> None:
        for delay in (0.05, 0.2, 0.35):
            index = self.index()
            interrupt(lambda: index.load(leaves(10**9)), delay)
            self.assertEqual(index.count(), len(index.ids()))

    def test_signals_at_any_moment(self) -> None:
        index = self.index()
        for number in range(200):
            interrupt(lambda: index.load(leaves(5)), 0.001 + number * 1e-5)
        self.assertEqual(index.load(leaves(5)).put, 5)

    def test_a_signal_that_cancels_ends_a_load(self) -> None:
        cancellation = Cancellation()
        before = signal.signal(signal.SIGALRM, ignoring_arguments(cancellation.cancel))
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with self.assertRaises(CancelledError):
            self.index().load(leaves(10**9), cancellation=cancellation)

    def test_a_pipe_is_read_as_it_comes(self) -> None:
        reading, writing = os.pipe()

        def write() -> None:
            with os.fdopen(writing, "w") as pipe:
                for line in lines(1000).splitlines(keepends=True):
                    pipe.write(line)
                    if line.endswith("0\n"):
                        pipe.flush()
                        time.sleep(0)

        writer = threading.Thread(target=write)
        writer.start()
        with os.fdopen(reading) as pipe:
            self.assertEqual(self.index().load(pipe).put, 1000)
        writer.join()


if __name__ == "__main__":
    unittest.main()
