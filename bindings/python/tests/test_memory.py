"""Calls give back what they take."""

from __future__ import annotations

import os
import unittest
from pathlib import Path

from limelight import Index, LimelightError
from support import Case, notes


def anonymous_kilobytes() -> int:
    """The memory of this process that is no file's."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1])
    raise unittest.SkipTest("the system does not tell")


class MemoryTests(Case):
    def test_searches_attributes_and_errors_leak_nothing(self) -> None:
        """The report F05, which asks for a million rounds: LIMELIGHT_FULL_SIZE makes so many."""
        rounds = 1_000_000 if os.environ.get("LIMELIGHT_FULL_SIZE") else 20_000
        nowhere = self.folder / "nowhere"
        with Index.in_memory() as index:
            index.put(notes())
            words = ("creme", "ice", "cream", "tea")

            def use(count: int) -> None:
                for number in range(count):
                    for hit in index.search(words[number % len(words)]):
                        self.assertTrue(hit.id and hit.attributes)
                    with self.assertRaises(LimelightError):
                        Index(nowhere, read_only=True)

            use(2_000)
            before = anonymous_kilobytes()
            use(rounds)
            self.assertLess(anonymous_kilobytes() - before, 5_000)


if __name__ == "__main__":
    unittest.main()
