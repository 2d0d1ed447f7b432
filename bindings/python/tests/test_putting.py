"""Puts, receipts, declarations and deletes."""

from __future__ import annotations

import unittest
from datetime import datetime, timezone
from typing import Dict, Iterable, Iterator, List, Tuple
from unittest import mock

from limelight import Index, Item, ItemError, Query, ReadOnlyError, Receipt
from limelight._lines import Chunk, ItemLike, LineEncoder
from support import Case, note, notes, untyped


class PuttingTests(Case):
    def test_items_and_dicts_alone_and_together(self) -> None:
        index = self.index()
        self.assertEqual(index.put(Item("1", attributes={"title": "one"})).put, 1)
        self.assertEqual(index.put(note("2", "two")).put, 1)
        self.assertEqual(index.put([Item("3"), note("4", "four")]).put, 2)
        self.assertEqual(index.put(note(str(n), "more") for n in range(5, 8)).put, 3)
        self.assertEqual(index.put([]).put, 0)
        self.assertEqual(list(index.ids()), list("1234567"))

    def test_an_item_replaces_the_one_of_its_id(self) -> None:
        index = self.index([note("1", "old")])
        first = index.put(note("1", "new"))
        self.assertEqual((first.put, first.deleted), (1, 0))
        self.assertGreater(index.put(note("1", "newer")).generation, first.generation)
        self.assertEqual([index.count(), index.count("old"), index.count("newer")], [1, 0, 1])

    def test_bad_items_are_refused_by_themselves(self) -> None:
        index = self.index()
        receipt = index.put(
            [
                note("1", "good"),
                {"id": "2", "attributes": {"title": 3}},
                {"id": "3", "attributes": {}, "colour": "red"},
                {"id": "", "attributes": {}},
                note("\udc80", "lone surrogate in the id"),
                note("6", "lone surrogate \ud800"),
                note("7", "good"),
            ]
        )
        self.assertEqual(receipt.put, 2)
        self.assertEqual(
            [(one.position, one.code, one.line) for one in receipt.refused],
            [
                (1, "wrongKind", None),
                (2, "unknownKey", None),
                (3, "emptyID", None),
                (4, "notText", None),
                (5, "notText", None),
            ],
        )
        with self.assertRaisesRegex(ItemError, "item 1 was refused, like 4 others: title: "):
            receipt.raise_for_refused()
        self.assertEqual(list(index.ids()), ["1", "7"])

    def put_in_small_chunks(
        self, index: Index, items: Iterable[ItemLike]
    ) -> Tuple[Receipt, List[int]]:
        """Puts items as if they were very many, and tells the sizes of the chunks."""
        chunks = LineEncoder.chunks
        sizes: List[int] = []

        def counted(self: LineEncoder, items: Iterable[ItemLike]) -> Iterator[Chunk]:
            for chunk in chunks(self, items, sizes=(100_000, 200_000), later=50_000):
                sizes.append(len(chunk.lines))
                yield chunk

        with mock.patch.object(LineEncoder, "chunks", counted), mock.patch(
            "limelight._putting.FIRST_CHUNKS", (100_000, 200_000)
        ):
            return index.put(items), sizes

    def test_places_count_over_all_chunks(self) -> None:
        index = self.index()
        items = [note(str(number), "leaf", textContent="x" * 1000) for number in range(3000)]
        for number in (2, 150, 998, 2998):
            items[number]["attributes"] = {"title": number}
        for number in (1, 151, 2997, 2998):
            del items[number]["id"]
        receipt, sizes = self.put_in_small_chunks(index, iter(items))
        self.assertGreater(len(sizes), 20)
        self.assertLess(max(sizes), 210_000)
        self.assertEqual((receipt.put, receipt.generation), (2996, index.stats().generation))
        self.assertEqual([one.position for one in receipt.refused], [2, 150, 998, 2998])
        self.assertEqual([one.position for one in receipt.made], [1, 151, 2997])
        self.assertTrue(all(one.id in index for one in receipt.made))
        self.assertEqual(index.count("leaf"), 2996)
        self.assertEqual(list(index.ids())[-1], "2999")

    def test_of_many_the_last_of_an_id_stays(self) -> None:
        index = self.index([note("0", "before")])
        items = [note(str(n % 100), f"round{n // 100}", textContent="x" * 500) for n in range(2000)]
        receipt, _ = self.put_in_small_chunks(index, items)
        self.assertEqual((receipt.put, index.count()), (2000, 100))
        self.assertEqual(index.count("round19", whole_words=True), 100)
        self.assertEqual(index.verify(), ())

    def test_of_many_dates_may_come_late(self) -> None:
        noon = datetime(2026, 5, 1, 12, tzinfo=timezone.utc)
        items = [note(str(number), "leaf", textContent="x" * 1000) for number in range(2000)]
        items[700] = note("700", "leaf", when=noon)
        items[1500] = note("1500", "leaf", when=noon, then=noon)
        index = self.index()
        receipt, _ = self.put_in_small_chunks(index, items)
        self.assertEqual((receipt.put, receipt.refused), (2000, ()))
        self.assertEqual(index.count(Query.equal("when", noon)), 2)
        self.assertEqual(index.count(Query.equal("then", noon)), 1)
        self.assertEqual(list(index.ids()), [str(number) for number in range(2000)])

    def test_of_many_what_was_read_before_an_exception_stays(self) -> None:
        def items() -> Iterator[Dict[str, object]]:
            for number in range(2000):
                yield note(str(number), "leaf", textContent="x" * 1000)
            raise KeyError("no more")

        index = self.index()
        with self.assertRaisesRegex(KeyError, "no more"):
            self.put_in_small_chunks(index, items())
        self.assertGreater(index.count(), 250)
        self.assertLessEqual(index.count(), 2000)
        self.assertEqual(index.put(note("x", "after")).put, 1)

    def test_ids_are_made(self) -> None:
        index = self.index()
        receipt = index.put([{"attributes": {}}, note("1", "x"), {"id": None}, Item()])
        self.assertEqual([one.position for one in receipt.made], [0, 2, 3])
        self.assertTrue(all(one.id in index for one in receipt.made))
        self.assertRegex(receipt.made[0].id, "^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$")
        receipt = index.put_lines('{}\n{"id":"2"}\n{"id":null}')
        self.assertEqual([one.position for one in receipt.made], [0, 2])

    def test_what_the_iterable_raises_comes_out(self) -> None:
        def items() -> Iterator[Dict[str, object]]:
            yield note("1", "one")
            raise KeyError("no more")

        index = self.index()
        with self.assertRaisesRegex(KeyError, "no more"):
            index.put(items())
        self.assertEqual(index.count(), 0)

    def test_dates_of_attributes_of_ones_own_are_dates(self) -> None:
        noon = datetime(2026, 5, 1, 12, tzinfo=timezone.utc)
        index = self.index([note("1", "x", when=noon), note("2", "x", when="2027-01-01")])
        self.assertEqual(index.count(Query.between("when", noon, None)), 2)
        self.assertEqual(index.count(Query.equal("when", noon)), 1)
        self.assertEqual(index.search("x")[0].attributes["when"], noon)

    def test_lines(self) -> None:
        index = self.index()
        receipt = index.put_lines(
            '{"nr":"1","body":"green tea","born":"2001-02-03","junk":{}}\n\nnonsense\n',
            map={"nr": "id", "body": "textContent", "junk": "", "born": "birth"},
            dates=["birth"],
            first_line=100,
        )
        self.assertEqual(receipt.put, 1)
        self.assertEqual([(one.line, one.code) for one in receipt.refused], [(102, "invalidJSON")])
        item = index.get("1")
        assert item is not None
        self.assertEqual(item.attributes["birth"], datetime(2001, 2, 3, tzinfo=timezone.utc))
        receipt = index.put_lines(memoryview(b'{"id":"2"}\n{"id":"\xff"}\n'))
        self.assertEqual((receipt.put, receipt.refused[0].code), (1, "notText"))
        with self.assertRaises(ValueError):
            index.put_lines("", map={"a\0": "title"})

    def test_declarations(self) -> None:
        index = self.index()
        index.declare("release", "text", "filter")
        index.declare("release", "text", "filter")
        with self.assertRaises(ItemError):
            index.declare("release", "number")
        with self.assertRaises(ItemError):
            index.declare("a\nb", "number")
        with self.assertRaises(ValueError):
            index.declare("other", untyped("person"))
        index.put([note("1", "x", release="1.2"), note("2", "x", release="1.10")])
        self.assertEqual(index.count(Query.equal("release", "1.2")), 1)
        self.assertEqual(index.count("1.2"), 0)

    def test_deletes(self) -> None:
        index = self.index(notes())
        self.assertEqual(index.delete("4").deleted, 1)
        self.assertEqual(index.delete(["1", "none", "1"]).deleted, 1)
        self.assertEqual(index.delete(Query.term("ice")).deleted, 1)
        self.assertEqual(index.delete_domain("note").deleted, 0)
        self.assertEqual(index.delete_domain("notes").deleted, 1)
        index.put(notes())
        self.assertEqual(index.delete_all().deleted, 4)
        self.assertEqual(index.delete([]).deleted, 0)

    def test_an_index_for_reading_takes_nothing(self) -> None:
        Index(self.folder / "x").close()
        with Index(self.folder / "x", read_only=True) as index:
            self.assertTrue(index.read_only)
            for change in (
                lambda: index.put([]),
                lambda: index.put(note("1", "x")),
                lambda: index.delete("1"),
                index.delete_all,
                index.commit,
                index.merge,
                lambda: index.load([]),
                lambda: index.declare("x", "text"),
            ):
                self.assertRaises(ReadOnlyError, change)


if __name__ == "__main__":
    unittest.main()
