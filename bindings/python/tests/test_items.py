"""Items and their values: in, out, and the same."""

from __future__ import annotations

import json
import math
import unittest
from collections import OrderedDict, UserDict
from datetime import date, datetime, timedelta, timezone
from fractions import Fraction
from typing import Dict

from limelight import Item, ItemError, Person, Value, attributes
from support import Case, note, untyped

NOON = datetime(2026, 5, 1, 12, 30, 15, 123456, tzinfo=timezone.utc)


class ItemTests(Case):
    def test_every_kind_of_value_comes_back_as_it_was(self) -> None:
        item = Item(
            "é/1",
            domain="mail.inbox",
            content_type="public.email-message",
            expiration=datetime(2999, 1, 1, tzinfo=timezone.utc),
            thumbnail=bytes(range(256)) * 40,
            attributes={
                "title": "Nul \0 and 🍋 and \"quotes\"\n",
                "textContent": {"en": "tea", "zh-Hant": "茶"},
                "keywords": ["green tea", "calm"],
                "rating": 4.5,
                "fileSize": 12,
                "contentCreationDate": NOON,
                "importantDates": [NOON, NOON + timedelta(days=1)],
                "url": "https://example.org/",
                "authors": [Person("Ann", ["ann@example.org"]), Person("Bob")],
                "emailHeaders": {"To": ["a", "b"], "From": ["c"]},
                "own text": "mine",
                "own texts": ["x", "y"],
                "own number": -0.25,
                "own flag": True,
                "own date": NOON,
                "looks like a date": "2026-05-01T12:30:15Z",
            },
        )
        index = self.index()
        index.put(item).raise_for_refused()
        found = index.get("é/1")
        assert found is not None
        self.assertIsInstance(found.thumbnail, memoryview)
        self.assertEqual(found, item)
        brief = Item.from_json(found.to_json(thumbnail=False))
        self.assertEqual(Item.from_json(found.to_json()).thumbnail, item.thumbnail)
        self.assertIsNone(brief.thumbnail)
        self.assertEqual((brief.id, brief.domain), (item.id, item.domain))
        hit = index.search("lemon OR calm")[0]
        self.assertEqual(hit.attributes, item.attributes)
        self.assertEqual(hit.item(), item)
        self.assertEqual((hit.id, hit.domain), (item.id, item.domain))

    def test_data_and_flags(self) -> None:
        values: Dict[str, Value] = {"data": b"\0\1\2" * 100, "bool": True}
        for kind, value in values.items():
            names = [name for name, about in attributes().items() if about.kind == kind]
            for name in (name for name in names if name != "thumbnailData"):
                with self.subTest(name):
                    item = Item("1", attributes={name: value})
                    index = self.index()
                    index.put([item]).raise_for_refused()
                    found = index.get("1")
                    assert found is not None
                    self.assertEqual(found.attributes[name], value)

    def test_json_goes_both_ways(self) -> None:
        item = Item("1", attributes={"title": "Tea", "dueDate": NOON, "thing": ["x"]})
        self.assertEqual(Item.from_json(item.to_json()), item)
        self.assertEqual(json.loads(item.to_json())["attributes"]["thing"], ["x"])
        with self.assertRaises(ItemError):
            Item.from_json("{}}")
        with self.assertRaises(ItemError):
            Item.from_json(b'{"id":"\xff"}')
        with self.assertRaises(ValueError):
            Item.from_json('{"id":"\ud800"}')

    def test_what_python_has_becomes_what_items_have(self) -> None:
        attributes: Dict[str, object] = {
            "title": "x",
            "keywords": ("a", "b"),
            "rating": Fraction(9, 2),
            "fileSize": 10**15,
            "dueDate": date(2026, 5, 1),
            "startDate": datetime(2026, 5, 1, 14, tzinfo=timezone(timedelta(hours=2))),
            "emailHeaders": OrderedDict(a=["b"]),
        }
        index = self.index()
        index.put([UserDict({"id": "1", "attributes": attributes})]).raise_for_refused()
        found = index.get("1")
        assert found is not None
        self.assertEqual(found.attributes["keywords"], ["a", "b"])
        self.assertEqual(found.attributes["rating"], 4.5)
        self.assertEqual(found.attributes["fileSize"], 10**15)
        self.assertEqual(found.attributes["dueDate"], datetime(2026, 5, 1, tzinfo=timezone.utc))
        self.assertEqual(
            found.attributes["startDate"], datetime(2026, 5, 1, 12, tzinfo=timezone.utc)
        )
        self.assertEqual(found.attributes["emailHeaders"], {"a": ["b"]})

    def test_dates_beyond_python_come_as_text(self) -> None:
        index = self.index([note("1", "x", dueDate="+012026-05-01T00:00:00Z")])
        self.assertEqual(index.search("x")[0].attributes["dueDate"], "+012026-05-01T00:00:00Z")

    def test_values_that_no_item_can_hold_raise_with_the_place(self) -> None:
        index = self.index()
        circle: Dict[str, object] = {}
        circle["self"] = circle
        for bad, kind in (
            (object(), TypeError),
            ({1, 2}, TypeError),
            (1j, TypeError),
            ({("a", "b"): "c"}, TypeError),
            (datetime(2026, 5, 1), ValueError),
            (circle, ValueError),
        ):
            said = "^item 1 cannot be put"
            with self.subTest(repr(bad)[:40]), self.assertRaisesRegex(kind, said):
                index.put([note("1", "good"), note("2", "bad", thing=bad)])
        with self.assertRaisesRegex(TypeError, "give an Item or a dict, not str"):
            index.put(untyped("text"))
        self.assertEqual(index.count(), 0)

    def test_numbers_that_are_none_are_refused_by_themselves(self) -> None:
        index = self.index()
        items = [note(str(n), "x", rating=n) for n in (math.nan, math.inf, -math.inf, 1e400, 3.5)]
        receipt = index.put(items)
        self.assertEqual(receipt.put, 1)
        self.assertEqual({one.code for one in receipt.refused}, {"numberNotFinite"})
        self.assertEqual({one.attribute for one in receipt.refused}, {"rating"})


if __name__ == "__main__":
    unittest.main()
