"""Calls ended from outside: another thread, a signal handler, Control-C."""

from __future__ import annotations

import os
import signal
import threading
import time
import unittest
from typing import Callable, List

from limelight import Cancellation, CancelledError, Index, Query, verify
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
            lambda: self.index_.delete(Query.term("a"), cancellation=cancellation),
            lambda: self.index_.merge(cancellation=cancellation),
            lambda: self.index_.verify(cancellation=cancellation),
            lambda: self.index_.load([note("no", "item")], cancellation=cancellation),
        ):
            self.assertRaises(CancelledError, call)
        self.assertNotIn("no", self.index_)
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

    def test_work_on_an_index(self) -> None:
        """Merges, verifications and deletes leave the index as it was."""
        path = self.folder / "x"
        with Index(path) as index:
            for part in range(3):
                index.load(
                    note(str(part * 10_000 + n), f"leaf w{n % 997} w{n * 7919 % 29_989}")
                    for n in range(10_000)
                )
            segments = len(index.stats().segments)
            self.assertGreater(segments, 1)
            files = sorted(os.listdir(path))
            everything = Query.everything()
            calls: List[Callable[[Cancellation], object]] = [
                lambda cancellation: index.merge(cancellation=cancellation),
                lambda cancellation: index.verify(cancellation=cancellation),
                lambda cancellation: verify(path, cancellation=cancellation),
                lambda cancellation: index.delete(everything, cancellation=cancellation),
            ]
            for call in calls:
                for in_main_thread in (True, False):
                    cancellation = Cancellation()
                    threading.Timer(0.001, cancellation.cancel).start()
                    with self.assertRaises(CancelledError):
                        if in_main_thread:
                            call(cancellation)
                        else:
                            in_a_thread(lambda: call(cancellation))
                    self.assertEqual(index.count(), 30_000)
                    self.assertEqual(len(index.stats().segments), segments)
                    self.assertEqual(sorted(os.listdir(path)), files)
            self.assertEqual(index.verify(cancellation=Cancellation()), ())
            self.assertEqual(verify(path, cancellation=Cancellation()), ())
            index.merge(cancellation=Cancellation())
            self.assertEqual(len(index.stats().segments), 1)
            self.assertEqual(index.delete(everything, cancellation=Cancellation()).deleted, 30_000)

    def test_a_signal_that_raises_ends_a_merge(self) -> None:
        index = self.index()
        for part in range(2):
            index.load(note(f"{part}/{n}", f"leaf w{n * 7919 % 9973}") for n in range(5000))
        # Once merged there is nothing to do, so that each round ends at once; that one is told too.
        interrupt(lambda: index.merge(cancellation=Cancellation()), 0.002)
        self.assertEqual((index.count("leaf"), index.verify()), (10_000, ()))

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
        ended = threading.Event()

        def press() -> None:
            # More than once: Python drops what a handler raises while an object is being deleted.
            while not ended.wait(0.2):
                os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=press)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(ended.set)
        with self.assertRaises(KeyboardInterrupt):
            try:
                self.long_call(cancellation)
            finally:
                ended.set()


def in_a_thread(call: Callable[[], object]) -> None:
    """Makes a call in a thread of its own, and raises what it raises."""
    errors: List[BaseException] = []

    def work() -> None:
        try:
            call()
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]


if __name__ == "__main__":
    unittest.main()
