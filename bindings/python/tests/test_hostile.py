"""What no call should be given: NULs, lone surrogates, invalid UTF-8, the wrong types."""

from __future__ import annotations

import random
import unittest
from typing import Callable, List

from limelight import ArgumentError, Index, LimelightError, Query, TextError, Weights, verify
from support import Case, note, notes, untyped

SURROGATES = ["\ud800", "a\udfffb", "\udc80\udcff"]


class HostileTests(Case):
    def calls(self, index: Index) -> List[Callable[[str], object]]:
        """All that takes a text."""
        return [
            index.search,
            index.count,
            index.query,
            index.get,
            index.delete,
            index.delete_domain,
            index.__contains__,
            lambda text: index.delete(["x", text]),
            lambda text: index.ids(domain=text),
            lambda text: index.ids(after=text),
            lambda text: index.search("x", domain=text),
            lambda text: index.count("x", domain=text),
            lambda text: index.search("x", weights={text: 1}),
            lambda text: index.declare(text, "text"),
            Query.term,
            Query.prefix,
            Query.phrase,
            Query.fuzzy,
            Query.domain,
            Query.has,
            lambda text: Query.term("x", text),
            lambda text: Query.between(text, 1, 2),
            lambda text: Query.between("x", text, None),
            lambda text: Query.between("x", None, text),
            lambda text: Query.equal(text, True),
            lambda text: Weights({text: 1}),
        ]

    def test_lone_surrogates_are_value_errors(self) -> None:
        for number, call in enumerate(self.calls(self.index(notes()))):
            for text in SURROGATES:
                with self.subTest(call=number), self.assertRaises(ValueError):
                    call(text)

    def test_nuls_are_text(self) -> None:
        index = self.index()
        ids = ["\0", "a\0b", "a\0c"]
        index.put(note(id, "tea\0mint") for id in ids).raise_for_refused()
        self.assertEqual(list(index.ids()), ids)
        self.assertEqual([hit.id for hit in index.search("tea\0mint")], ids)
        item = index.get("a\0b")
        assert item is not None
        self.assertEqual((item.id, item.attributes["title"]), ("a\0b", "tea\0mint"))
        self.assertNotIn("a", index)
        self.assertEqual(index.delete(["a\0b", "a"]).deleted, 1)
        for call in self.calls(index):
            try:
                call("a\0\0")
            except LimelightError:
                pass

    def test_other_types_are_type_errors(self) -> None:
        index = self.index(notes())
        for number, call in enumerate(self.calls(index)):
            for wrong in (None, 5, b"bytes", object(), ["x"], 1.5):
                with self.subTest(call=number, wrong=wrong):
                    try:
                        untyped(call)(wrong)
                    except TypeError:
                        pass
                    except (AttributeError, OverflowError) as error:
                        self.fail(f"{error!r}")

    def test_paths(self) -> None:
        for bad in ("a\0b", b"a\0b", "\ud800"):
            with self.subTest(bad), self.assertRaises(ValueError):
                Index(untyped(bad))
            with self.subTest(bad), self.assertRaises(ValueError):
                verify(untyped(bad))
        with self.assertRaises(TextError):
            Index(untyped(bytes(self.folder) + b"/\xff"))
        with self.assertRaises(ArgumentError):
            Index("")
        with self.assertRaises(TypeError):
            Index(untyped(5))
        with self.assertRaises(ValueError):
            Index(self.folder / "x", lock_wait=-1)
        with self.assertRaises(ValueError):
            Index(self.folder / "x", lock_wait=float("nan"))

    def test_bytes_that_are_no_text(self) -> None:
        index = self.index()
        receipt = index.put_lines(b'{"id":"\xff"}\n\xfe\xff\n\0\0\0\n{"id":"good"}\n\xed\xa0\x80')
        self.assertEqual((receipt.put, len(receipt.refused)), (1, 4))
        receipt = index.load([b"\xff\xff", b"\0", b'{"id":"better"}', b"\xed\xa0\x80"])
        self.assertEqual((receipt.put, len(receipt.refused)), (1, 3))

    def test_numbers_beyond_all_bounds(self) -> None:
        index = self.index(notes())
        huge = 10**30
        self.assertEqual(len(index.search("cream", limit=huge)), 2)
        self.assertEqual(len(index.search("cream", offset=huge)), 0)
        self.assertEqual(len(index.ids(limit=huge)), 4)
        index.merge(huge)
        results = index.search("cream")
        self.assertEqual(bytes(results.lines(huge, huge)), b"")
        for call in (
            lambda: index.search("x", offset=-1),
            lambda: index.ids(limit=-1),
            lambda: index.merge(-1),
            lambda: results.lines(-1),
            lambda: index.load([], threads=-1),
        ):
            self.assertRaises(ValueError, call)
        with self.assertRaises(OverflowError):
            Query.between("rating", 10**400, None)

    def test_random_lines_never_crash(self) -> None:
        index = self.index()
        chance = random.Random(7)
        good = b'{"id":"1","domain":"a.b","attributes":{"title":"Tea \xc3\xa9","rating":5}}'
        for _ in range(3000):
            line = bytearray(good)
            for _ in range(chance.randrange(1, 5)):
                line[chance.randrange(len(line))] = chance.randrange(256)
            index.put_lines(line[: chance.randrange(len(line) + 1)])
        for id in index.ids():
            self.assertIsNotNone(index.get(id))

    def test_random_text_is_always_a_search(self) -> None:
        index = self.index(notes())
        chance = random.Random(8)
        letters = 'ab cream"-()*:ORé\0\n🍋茶\u0301'
        for _ in range(3000):
            typed = "".join(chance.choices(letters, k=chance.randrange(30)))
            found = index.search(typed, limit=None)
            self.assertEqual(len(found), index.count(typed))
            for hit in found:
                hit.marked("title")


if __name__ == "__main__":
    unittest.main()
