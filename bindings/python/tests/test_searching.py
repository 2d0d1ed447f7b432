"""Searches, queries, results, and looking up."""

from __future__ import annotations

import gc
import json
import random
import unittest
from datetime import date, datetime, timezone
from typing import List

from limelight import (
    ArgumentError,
    ClosedError,
    Highlight,
    Index,
    NotStoredError,
    Query,
    QueryError,
    Weights,
)
from support import Case, note, notes, untyped


class SearchTests(Case):
    def test_what_a_person_types(self) -> None:
        index = self.index(notes())
        for typed, ids in (
            ("creme", ["1"]),
            ("cream", ["2", "3"]),
            ("tomato cr", ["3"]),
            ('"ice cream"', ["2"]),
            ("cream -soup", ["2"]),
            ("brulee OR zen", ["1", "4"]),
            ("", []),
            ('"', []),
            ("no such thing", []),
        ):
            with self.subTest(typed):
                self.assertEqual(sorted(hit.id for hit in index.search(typed)), ids)
                self.assertEqual(index.count(typed), len(ids))

    def test_limits_offsets_domains(self) -> None:
        index = self.index([note(str(n), "tea", f"d{n % 2}") for n in range(20)])
        self.assertEqual(len(index.search("tea")), 10)
        self.assertEqual(len(index.search("tea", limit=None)), 20)
        self.assertEqual(len(index.search("tea", limit=2**70)), 20)
        self.assertEqual(list(index.search("tea", limit=0)), [])
        page = index.search("tea", limit=3, offset=18)
        self.assertEqual((list(page.ids), page.total), (["18", "19"], 20))
        self.assertEqual(index.search("tea", domain="d1").total, 10)
        self.assertEqual(index.count("tea", domain="d1"), 10)
        self.assertEqual(index.count(domain="d1"), 10)
        self.assertEqual(index.count("te", whole_words=True), 0)
        self.assertEqual(index.search("te", whole_words=True).total, 0)
        for bad in (-1, 2.5):
            with self.assertRaises((ValueError, TypeError)):
                index.search("tea", limit=untyped(bad))
        with self.assertRaises(TypeError):
            index.search(untyped(b"tea"))

    def test_results_are_a_sequence_that_is_read_when_looked_at(self) -> None:
        index = self.index(notes())
        results = index.search("cream", limit=5)
        self.assertEqual((len(results), results.total, results.total_is_exact), (2, 2, True))
        self.assertGreater(results.seconds, 0)
        self.assertEqual([hit.id for hit in results], list(results.ids))
        self.assertEqual(results[-1].id, results[1].id)
        self.assertEqual([hit.id for hit in results[::-1]], list(results.ids)[::-1])
        with self.assertRaises(IndexError):
            results[2]
        self.assertEqual([hit.score for hit in results], results.scores.tolist())
        self.assertGreaterEqual(results[0].score, results[1].score)
        self.assertEqual(repr(results), "<limelight.Results: 2 of 2>")
        self.assertIn(repr(results[0].id), repr(results[0]))
        self.assertEqual(index.search("nothing").scores.tolist(), [])
        self.assertEqual(list(index.search("nothing").ids), [])

    def test_results_outlive_changes_and_the_index(self) -> None:
        index = self.index(notes())
        results = index.search("cream")
        index.delete_all()
        index.close()
        del index
        gc.collect()
        self.assertEqual(results[0].item().id, results[0].id)
        self.assertIn("ream", str(results[0].attributes["title"]))

    def test_closed_results_give_nothing_more(self) -> None:
        index = self.index(notes())
        with index.search("cream") as results:
            hit, other, scores = results[0], results[1], results.scores
            lines = results.lines()
            hit.attributes
        self.assertEqual(len(scores.tolist()), 2)
        self.assertEqual(bytes(lines).count(b"\n"), 2)
        self.assertIn("title", hit.attributes)
        for look in (
            lambda: other.id,
            lambda: other.attributes,
            lambda: other.score,
            lambda: hit.highlights,
            hit.item,
            lambda: results.ids,
            lambda: results.scores,
            results.lines,
        ):
            self.assertRaises(ClosedError, look)
        self.assertIn("closed", repr(other))

    def test_highlights_count_code_points(self) -> None:
        index = self.index(
            [
                note(
                    "1",
                    "🍋🍋 Zitronentee, tea",
                    keywords=["mint", "🍃 green tea"],
                    emailHeaders={"b": ["tea"], "a": ["x", "tea"]},
                )
            ]
        )
        hit = index.search("tea OR keywords")[0]
        found = {(one.attribute, one.number): one for one in hit.highlights}
        self.assertEqual(found["title", 0], Highlight("title", 0, ((16, 19),)))
        self.assertEqual(found["keywords", 1], Highlight("keywords", 1, ((8, 11),)))
        self.assertEqual(hit.marked("title"), ["🍋🍋 Zitronentee, [tea]"])
        self.assertEqual(hit.marked("keywords", "<b>", "</b>"), ["mint", "🍃 green <b>tea</b>"])
        self.assertEqual(hit.marked("subject"), [])

    def test_lines_are_json(self) -> None:
        index = self.index(notes())
        lines = index.search("zen tea").lines(highlights=True)
        self.assertIsInstance(lines, memoryview)
        hit = json.loads(bytes(lines))
        self.assertEqual((hit["id"], hit["domain"]), ("4", None))
        self.assertEqual(hit["highlights"]["title"], [[4, 7], [11, 14]])
        self.assertEqual(hit["attributes"]["title"], "The Zen of tea")
        short = index.search("cream").lines(1, 5, attributes=False)
        self.assertEqual(set(json.loads(bytes(short))), {"id", "domain", "score"})
        self.assertEqual(bytes(index.search("nothing").lines()), b"")

    def test_weights(self) -> None:
        index = self.index(
            [
                {"id": "body", "attributes": {"title": "other", "textContent": "tea tea tea"}},
                {"id": "title", "attributes": {"title": "tea", "textContent": "other and more"}},
            ]
        )
        self.assertEqual(index.search("tea")[0].id, "title")
        heavy = {"textContent": 50.0, "title": 0}
        self.assertEqual(index.search("tea", weights=heavy)[0].id, "body")
        weights = Weights(standard=False)
        weights["title"] = 100
        self.assertEqual(index.search("tea", weights=weights)[0].id, "title")
        for bad in (-1, 1001, float("nan")):
            with self.assertRaises(ValueError):
                weights["title"] = bad

    def test_an_index_without_items(self) -> None:
        with Index.in_memory(store_items=False) as index:
            index.put(notes())
            self.assertFalse(index.stores_items)
            hit = index.search("zen")[0]
            self.assertEqual(hit.id, "4")
            for look in (lambda: hit.attributes, lambda: hit.highlights, hit.item):
                self.assertRaises(NotStoredError, look)
            with self.assertRaises(NotStoredError):
                index.get("4")

    def test_analyzers(self) -> None:
        for analyzer, count in (("words", 0), ("runs", 1)):
            with Index.in_memory(analyzer=untyped(analyzer)) as index:
                index.put(note("1", "can't 3.14"))
                self.assertEqual(index.analyzer, analyzer)
                self.assertEqual(index.count(Query.term("can")), count)
        with self.assertRaises(ValueError):
            Index.in_memory(analyzer=untyped("none"))


class QueryTests(Case):
    def test_each_form(self) -> None:
        when = datetime(2026, 5, 1, tzinfo=timezone.utc)
        index = self.index(
            [*notes(), note("5", "paid", "bills", dueDate=when, completed=True, version="Ábc")]
        )
        for query, ids in (
            (Query.term("cream"), "23"),
            (Query.term("tea", "keywords"), "4"),
            (Query.prefix("cre"), "123"),
            (Query.phrase("ice cream"), "2"),
            (Query.phrase("cream ice"), ""),
            (Query.fuzzy("brulle"), "1"),
            (Query.fuzzy("cram", distance=1), "23"),
            (Query.between("rating", 4, None), "13"),
            (Query.between("rating", 4, None, above=True), "1"),
            (Query.between("rating", 2, 5, above=True, below=True), "3"),
            (Query.between("rating", float("nan"), None), ""),
            (Query.between("rating", None, None), "123"),
            (Query.equal("rating", 2), "2"),
            (Query.between("dueDate", date(2026, 5, 1), when), "5"),
            (Query.between("dueDate", None, when, below=True), ""),
            (Query.equal("version", "abc"), ""),
            (Query.between("version", "abb", "abd"), "5"),
            (Query.equal("completed", True), "5"),
            (Query.equal("completed", False), ""),
            (Query.has("rating"), "123"),
            (Query.domain("notes"), "123"),
            (Query.everything(), "12345"),
            (Query.nothing(), ""),
            (Query.all([]), "12345"),
            (Query.any([]), ""),
            (Query.term("cream") & Query.domain("notes.food"), "3"),
            (Query.term("zen") | Query.term("paid"), "45"),
            (~Query.term("cream"), "145"),
            (Query.term("cream") & ~Query.term("ice"), "3"),
            (Query.boolean(must=[Query.term("cream")], must_not=[Query.term("ice")]), "3"),
            (Query.boolean(should=[Query.term("zen"), Query.term("ice")]), "24"),
            (Query.boolean(must_not=[Query.has("rating")]), "45"),
            (index.query("cream -soup") & Query.has("rating"), "2"),
        ):
            with self.subTest(repr(query)):
                self.assertEqual("".join(sorted(index.search(query, limit=None).ids)), ids)
                self.assertEqual(index.count(query), len(ids))

    def test_queries_never_change(self) -> None:
        index = self.index(notes())
        cream, ice = Query.term("cream"), Query.term("ice")
        both = cream & ice
        both &= Query.has("rating")
        self.assertEqual([index.count(cream), index.count(ice), index.count(both)], [2, 1, 1])
        self.assertIs(~~cream, cream)
        with self.assertRaises(TypeError):
            self.assertIsNone(untyped(cream) & "ice")
        with self.assertRaises(TypeError):
            Query()
        with self.assertRaises(TypeError):
            Query.all(untyped(["ice"]))

    def test_repr_is_code(self) -> None:
        query = (Query.term("a") | Query.fuzzy("b", "title")) & ~Query.between("n", 1, None)
        code = repr(query)
        self.assertEqual(
            code,
            "(Query.term('a') | Query.fuzzy('b', 'title', distance=1)) "
            "& ~Query.between('n', 1, None)",
        )
        self.assertEqual(repr(eval(code, {"Query": Query})), code)
        negated = ~(Query.term("a") & Query.term("b"))
        self.assertEqual(repr(negated), "~(Query.term('a') & Query.term('b'))")

    def test_long_chains_are_flat_and_deep_trees_are_refused(self) -> None:
        index = self.index([note(str(n), f"word{n}") for n in range(1000)])
        chain = Query.term("word0")
        for number in range(2, 1000, 2):
            chain |= Query.term(f"word{number}")
        self.assertEqual(index.count(chain), 500)
        deep = Query.term("x")
        with self.assertRaises(QueryError):
            for _ in range(200):
                deep = Query.all([deep])
        with self.assertRaises(QueryError):
            wide = Query.any([Query.term("x")] * 60_000)
            Query.all([wide, wide])

    def test_bounds_must_go_together(self) -> None:
        for lower, upper in ((1, "a"), ("a", date(2026, 1, 1)), (date(2026, 1, 1), 5)):
            with self.assertRaises(TypeError):
                Query.between("rating", lower, upper)
        with self.assertRaises(ValueError):
            Query.between("dueDate", datetime(2026, 5, 1), None)
        with self.assertRaises(ValueError):
            Query.fuzzy("x", distance=3)


class LookupTests(Case):
    def test_get_contains_count(self) -> None:
        index = self.index(notes())
        item = index.get("1")
        assert item is not None
        self.assertEqual((item.id, item.domain), ("1", "notes.food"))
        self.assertIsNone(index.get("none"))
        self.assertTrue("1" in index and "none" not in index and 1 not in index)
        self.assertEqual(index.count(), 4)

    def test_ids_page_by_page(self) -> None:
        index = self.index([note(str(n), "x", f"d.{n % 2}") for n in range(25)])
        ids = index.ids()
        self.assertEqual(list(ids), [str(n) for n in range(25)])
        self.assertEqual((len(ids), ids[-1], ids[3:5], "7" in ids), (25, "24", ["3", "4"], True))
        self.assertEqual(bytes(ids.data[:4]), b"0\x001\x00")
        self.assertEqual(repr(ids), "<limelight.Texts: 25: '0', '1', '2', ...>")
        with self.assertRaises(IndexError):
            ids[25]
        seen: List[str] = []
        page = index.ids(domain="d.1", limit=5)
        while page:
            seen += page
            page = index.ids(domain="d.1", limit=5, after=page[-1])
        self.assertEqual(seen, [str(n) for n in range(1, 25, 2)])
        self.assertEqual(list(index.ids(domain="none")), [])

    def test_stats(self) -> None:
        index = self.index(notes())
        index.delete("2")
        stats = index.stats()
        self.assertEqual((stats.items, stats.deleted), (3, 1))
        self.assertEqual(stats.domains["notes.food"], 2)
        self.assertEqual((stats.analyzer, stats.stores_items), ("words", True))
        self.assertEqual(sum(one.items for one in stats.segments), 3)
        self.assertGreater(stats.bytes, 0)
        self.assertTrue(all(one.sections for one in stats.segments))
        title = next(one for one in stats.attributes if one.name == "title")
        self.assertGreater(title.tokens, 0)
        index.merge()
        self.assertEqual((index.stats().deleted, len(index.stats().segments)), (0, 1))

    def test_a_compacted_index_is_smaller_and_the_same(self) -> None:
        words = "espresso ristretto cortado macchiato doppio lungo".split()
        chance = random.Random(3)
        index = self.index(
            [note(str(number), " ".join(chance.choices(words, k=40))) for number in range(400)]
        )
        index.merge()

        def answer() -> List[object]:
            return [(hit.id, hit.score) for hit in index.search("lungo doppio", limit=50)]

        before, hits = index.stats().bytes, answer()
        items = [index.get(id) for id in index.ids()]
        index.merge(compact=True)
        self.assertLess(index.stats().bytes, before)
        self.assertEqual(answer(), hits)
        self.assertEqual([index.get(id) for id in index.ids()], items)
        self.assertEqual(list(index.verify()), [])
        index.merge(reorder=True)
        self.assertIn("order", index.stats().segments[0].sections)
        self.assertEqual(answer(), hits)
        self.assertEqual([index.get(id) for id in index.ids()], items)
        self.assertEqual(list(index.verify()), [])
        self.assertRaises(ArgumentError, lambda: index.merge(2, compact=True))
        self.assertRaises(ArgumentError, lambda: index.merge(2, reorder=True))


if __name__ == "__main__":
    unittest.main()
