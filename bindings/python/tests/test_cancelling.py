"""Searches ended from outside: another thread, a signal handler, Control-C."""

from __future__ import annotations

import os
import signal
import threading
import time
import unittest
from typing import Callable, List

from limelight import Cancellation, CancelledError, Index, Query
from support import Case, ignoring_arguments, interrupt, note


class CancelTests(Case):
    index_: Index

    @classmethod
    def setUpClass(cls) -> None:
        cls.index_ = Index.in_memory()
        letters = "abcdefghijklmnopqrstuvwxyz"
        cls.index_.load(
            note(str(number), " ".join(letters[number % 7 :]), textContent=f"{number} " * 5)
            for number in range(30_000)
        )

    @classmethod
    def tearDownClass(cls) -> None:
        cls.index_.close()

    def long_call(self, cancellation: Cancellation) -> None:
        """Searches that take minutes, one after the other."""
        query = Query.any(Query.prefix(str(digit)) for digit in range(10))
        for _ in range(100_000):
            self.index_.search(query, limit=30_000, cancellation=cancellation)
            self.index_.count(query, cancellation=cancellation)

    def handle(self, handler: Callable[[], object]) -> None:
        before = signal.signal(signal.SIGALRM, ignoring_arguments(handler))
        self.addCleanup(signal.signal, signal.SIGALRM, before)

    def test_cancelled_before(self) -> None:
        cancellation = Cancellation()
        self.assertFalse(cancellation.cancelled)
        cancellation.cancel()
        cancellation.cancel()
        self.assertTrue(cancellation.cancelled)
        for call in (
            lambda: self.index_.search("a", cancellation=cancellation),
            lambda: self.index_.search(Query.term("a"), cancellation=cancellation),
            lambda: self.index_.count("a", cancellation=cancellation),
            lambda: self.index_.count(Query.term("a"), cancellation=cancellation),
        ):
            self.assertRaises(CancelledError, call)
        self.assertGreater(self.index_.search("a", cancellation=Cancellation()).total, 0)

    def test_from_another_thread(self) -> None:
        cancellation = Cancellation()
        threading.Timer(0.2, cancellation.cancel).start()
        with self.assertRaises(CancelledError):
            self.long_call(cancellation)

    def test_a_call_of_another_thread(self) -> None:
        cancellation = Cancellation()
        caught: List[BaseException] = []

        def work() -> None:
            try:
                self.long_call(cancellation)
            except CancelledError as error:
                caught.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        time.sleep(0.1)
        cancellation.cancel()
        thread.join(60)
        self.assertEqual(len(caught), 1)

    def test_from_a_signal_handler(self) -> None:
        cancellation = Cancellation()
        self.handle(cancellation.cancel)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with self.assertRaises(CancelledError):
            self.long_call(cancellation)

    def test_handlers_run_while_the_library_works(self) -> None:
        """One call, which a handler ends in its middle."""
        from limelight import _cancellation

        cancellation = Cancellation()
        self.handle(cancellation.cancel)
        signal.setitimer(signal.ITIMER_REAL, 0.1)

        def call() -> str:  # stands for a search that takes a minute: it looks only at the flag
            for _ in range(6000):
                if cancellation.cancelled:
                    return "ended"
                time.sleep(0.01)
            return "not ended"

        self.assertEqual(_cancellation.interruptible(call, cancellation), "ended")

    def test_exceptions_of_handlers_at_any_moment(self) -> None:
        """Also before the call has begun, and when it has just ended."""

        query = Query.term("a")
        for number in range(300):
            interrupt(
                lambda: self.index_.search(query, limit=number, cancellation=Cancellation()),
                0.0003 + number * 3e-6,
            )

    def test_an_exception_of_a_handler_comes_out(self) -> None:
        cancellation = Cancellation()
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            self.long_call(cancellation)


if __name__ == "__main__":
    unittest.main()
