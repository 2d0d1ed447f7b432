"""Calls let go of the interpreter, so that other threads run."""

from __future__ import annotations

import threading
import time
import unittest
from typing import Callable

from support import Case, note


def counted(seconds: float) -> int:
    """How far a thread of Python counts in that time."""
    count = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        count += 1
    return count


class InterpreterTests(Case):
    def rate(self, work: Callable[[], object]) -> float:
        """How much of its speed a thread keeps while another one calls the library all the time."""
        alone = counted(0.3)
        is_over = threading.Event()

        def call() -> None:
            while not is_over.is_set():
                work()

        other = threading.Thread(target=call)
        other.start()
        try:
            return counted(1) * 0.3 / alone
        finally:
            is_over.set()
            other.join()

    def test_searches_and_commits_leave_the_interpreter_to_others(self) -> None:
        """The report F01."""
        items = [note(str(number), f"common leaf {number}") for number in range(5_000)]
        index = self.index(items)

        def work() -> None:
            for _ in range(20):
                index.search("common leaf", limit=1)
            index.put(items[:1])
            index.merge()

        # What else the machine does may take the processor now and then, not always.
        self.assertGreater(max(self.rate(work) for _ in range(3)), 0.3)


if __name__ == "__main__":
    unittest.main()
