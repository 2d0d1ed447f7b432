"""Levels of durability, and what is durable by now."""

from __future__ import annotations

import threading
import time
import unittest

from limelight import Index, Query, ReadOnlyError
from support import Case, note, untyped


class DurabilityTests(Case):
    def test_every_change_at_every_level(self) -> None:
        with Index(self.folder / "x") as index:
            for durability in ("full", "journaled", "relaxed"):
                receipts = [
                    index.put(note("1", "one"), durability=durability),
                    index.put_lines('{"id":"2"}', durability=durability),
                    index.delete("1", durability=durability),
                    index.delete(Query.everything(), durability=durability),
                    index.put(note("3", "three", "a"), durability=durability),
                    index.delete_domain("a", durability=durability),
                    index.delete_all(durability=durability),
                ]
                is_full = durability == "full"
                self.assertEqual([one.durable for one in receipts], [is_full] * 7)
                last = receipts[-1].generation
                if is_full:
                    self.assertEqual(index.durable_generation, last)
                self.assertEqual(index.flush(), last)
                self.assertEqual(index.durable_generation, last)

    def test_the_level_of_an_index(self) -> None:
        with Index(self.folder / "x", durability="relaxed") as index:
            self.assertFalse(index.put(note("1", "one")).durable)
            with Index(self.folder / "x", read_only=True) as reader:
                self.assertEqual(list(reader.ids()), ["1"])
                with self.assertRaises(ReadOnlyError):
                    reader.flush()
            self.assertTrue(index.put(note("2", "two"), durability="full").durable)
            self.assertEqual(index.durable_generation, 2)
            self.assertFalse(index.put(note("3", "three")).durable)
            index.commit()
            self.assertEqual(index.durable_generation, 3)
        with Index(self.folder / "x") as index:
            self.assertEqual(list(index.ids()), ["1", "2", "3"])

    def test_a_journaled_change_is_synced_without_a_call(self) -> None:
        before = threading.active_count()
        with Index(self.folder / "x", durability="journaled") as index:
            generation = index.put(note("1", "one")).generation
            end = time.monotonic() + 5
            while index.durable_generation < generation and time.monotonic() < end:
                time.sleep(0.01)
            self.assertEqual(index.durable_generation, generation)
        self.assertEqual(threading.active_count(), before)

    def test_what_is_no_level(self) -> None:
        with self.assertRaisesRegex(ValueError, "durability must be one of full"):
            Index(self.folder / "x", durability=untyped("safe"))
        with self.assertRaisesRegex(ValueError, "durability must be one of full"):
            self.index().put(note("1", "one"), durability=untyped(1))


if __name__ == "__main__":
    unittest.main()
