"""Threads, forks, other processes, and the end of the interpreter."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import unittest
import warnings
from typing import List

from limelight import (
    Cancellation,
    ClosedError,
    ForkedError,
    Index,
    LockedError,
    NotFoundError,
    Query,
    repair,
)
from support import Case, interrupt, note, notes, python


class ThreadTests(Case):
    def test_64_threads_on_one_index(self) -> None:
        index = self.index(notes())
        results = index.search("cream")
        query = Query.term("cream")
        errors: List[BaseException] = []

        def work(number: int) -> None:
            try:
                for round in range(20):
                    index.put(note(f"{number}/{round}", f"thread {number}"))
                    self.assertEqual(index.search(query).total, 2)
                    self.assertEqual(index.search(f'"thread {number}"').total, round + 1)
                    self.assertIn(results[round % 2].attributes["title"], str(notes()))
                    if round % 2:
                        index.get(f"{number}/{round}")
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(64)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])
        self.assertEqual(index.count(), 4 + 64 * 20)

    def test_an_index_that_another_thread_closes(self) -> None:
        """Calls end as if it were open, or say that it is closed; what was acknowledged is there."""
        path = self.folder / "x"
        for round in range(8):
            index = Index(path)
            index.delete_all()
            results = index.search("none")
            acknowledged: List[str] = []
            errors: List[BaseException] = []

            def work(number: int) -> None:
                try:
                    for count in range(10**9):
                        index.put(note(f"{number}/{count}", "leaf"))
                        acknowledged.append(f"{number}/{count}")
                        for hit in index.search("leaf"):
                            self.assertEqual(hit.attributes, {"title": "leaf"})
                except ClosedError:
                    pass
                except BaseException as error:
                    errors.append(error)

            threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
            for thread in threads:
                thread.start()
            time.sleep(0.005 * round)
            index.close()
            for thread in threads:
                thread.join()
            self.assertEqual(errors, [])
            self.assertEqual(results.total, 0)
            with Index(path, read_only=True) as reader:
                self.assertEqual(set(reader.ids()), set(acknowledged))

    def test_other_threads_go_on_during_a_call(self) -> None:
        index = self.index()
        ticks = 0
        is_done = threading.Event()

        def tick() -> None:
            nonlocal ticks
            while not is_done.wait(0.001):
                ticks += 1

        thread = threading.Thread(target=tick)
        thread.start()
        lines = b"".join(
            b'{"id":"%d","attributes":{"title":"Leaf %d","textContent":"%s"}}\n'
            % (number, number, b"word " * 40)
            for number in range(20_000)
        )
        before = ticks
        index.put_lines(lines)  # one call, of some hundred milliseconds
        during = ticks - before
        is_done.set()
        thread.join()
        self.assertGreater(during, 5)


class ProcessTests(Case):
    def test_one_writes_and_others_read(self) -> None:
        path = self.folder / "x"
        with Index(path) as index:
            self.assertEqual(index.path, str(path))
            index.put(notes())
            with self.assertRaises(LockedError) as caught:
                Index(path)
            self.assertEqual(caught.exception.holder, os.getpid())
            self.assertEqual(caught.exception.status, -1000)
            code = """
                import sys, limelight
                with limelight.Index(sys.argv[1], read_only=True) as index:
                    print(sorted(index.search("cream").ids))
            """
            self.assertEqual(python(code, str(path)).stdout, "['2', '3']\n")
            index.delete("3")
            self.assertEqual(python(code, str(path)).stdout, "['2']\n")
        with self.assertRaises(NotFoundError):
            Index(self.folder / "none", read_only=True)

    def test_a_reader_waits_for_what_another_process_hands_over(self) -> None:
        path = self.folder / "x"
        with Index(path) as index:
            receipt = index.put(notes())
            index.wait(receipt, 0)
        code = """
            import sys, limelight
            with limelight.Index(sys.argv[1], read_only=True) as index:
                for line in sys.stdin:
                    index.wait(int(line), timeout=60)
                    print(index.count(), flush=True)
                try:
                    index.wait(10**6, timeout=0.05)
                except limelight.TimedOutError as error:
                    print(isinstance(error, TimeoutError), error.symbol)
        """
        with subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(code), str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as reader, Index(path) as index:
            assert reader.stdin is not None and reader.stdout is not None
            for number in range(5, 10):
                receipt = index.put(note(str(number), "more"))
                print(receipt.generation, file=reader.stdin, flush=True)
                self.assertEqual(reader.stdout.readline(), f"{number}\n")
            reader.stdin.close()
            self.assertEqual(reader.stdout.read(), "True LIME_ERROR_TIMED_OUT\n")
        for generation in (-1, 2**64):
            with self.index() as memory, self.assertRaises(ValueError):
                memory.wait(generation, 0)

    def test_a_sole_writer(self) -> None:
        path = self.folder / "x"
        with Index(path, sole_writer=True) as index:
            index.put(notes())
            with self.assertRaises(LockedError):
                Index(path, sole_writer=True)
            with self.assertRaises(LockedError):
                repair(path, sole_writer=True)
        self.assertEqual(repair(path, sole_writer=True).problems, ())

    def test_a_signal_ends_a_wait(self) -> None:
        index = self.index(notes())
        cancellation = Cancellation()
        start = time.monotonic()
        interrupt(lambda: index.wait(10**9, 1000, cancellation=cancellation), 0.1)
        self.assertLess(time.monotonic() - start, 60)
        self.assertTrue(cancellation.cancelled)

    def test_a_forked_child_has_to_open_its_own(self) -> None:
        index = Index(self.folder / "x")
        self.addCleanup(index.close)
        index.put(notes())
        results, query = index.search("cream"), Query.term("cream")
        with warnings.catch_warnings():
            # Python warns of forks when there are threads, and here are some, on purpose.
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            status = 1
            try:
                for use in (
                    lambda: index.count(),
                    lambda: index.put(note("9", "child")),
                    lambda: results[0].attributes,
                    lambda: results[0].score,
                    lambda: ~query,
                ):
                    try:
                        use()
                        os._exit(2)
                    except ForkedError:
                        pass
                index.close()
                with Index(self.folder / "x", read_only=True) as own:
                    status = 0 if own.search("cream").total == 2 else 3
            finally:
                os._exit(status)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        index.put(note("5", "parent"))
        self.assertEqual((index.count(), results[0].item().id), (5, results[0].id))


class ShutdownTests(Case):
    def run_to_its_end(self, code: str, status: int = 0) -> str:
        done = python(code, str(self.folder / "x"))
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def test_with_everything_open(self) -> None:
        self.run_to_its_end(
            """
            import sys, limelight
            index = limelight.Index(sys.argv[1])
            index.put({"id": str(n), "attributes": {"title": "tea"}} for n in range(100))
            memory = limelight.Index.in_memory()
            results, ids = index.search("tea"), index.ids()
            hit, scores, query = results[0], results.scores, limelight.Query.term("tea")
            cycle = [index, results, hit, query, limelight.Cancellation(), limelight.Weights()]
            cycle.append(cycle)
            sys.modules["kept"] = cycle  # goes at the very end
            """
        )
        with Index(self.folder / "x", read_only=True) as index:
            self.assertEqual(index.count("tea"), 100)
            self.assertFalse(any(one.in_memory for one in index.stats().segments), "was closed")

    def test_with_threads_that_search_and_load(self) -> None:
        for _ in range(3):
            self.run_to_its_end(
                """
                import sys, threading, time, limelight
                index = limelight.Index.in_memory()

                def leaves():
                    number = 0
                    while True:
                        yield {"id": str(number), "attributes": {"title": "leaf " * 20}}
                        number += 1

                def search():
                    while True:
                        try:
                            for hit in index.search("leaf"):
                                hit.attributes
                        except limelight.LimelightError:
                            time.sleep(0.01)

                def load():
                    try:
                        index.load(leaves(), progress=lambda state: None)
                    except limelight.LimelightError:
                        pass

                for work in (search, search, load, load):
                    threading.Thread(target=work, daemon=True).start()
                time.sleep(0.5)
                """
            )

    def test_an_exception_that_nobody_caught(self) -> None:
        done = python(
            """
            import sys, limelight
            with limelight.Index(sys.argv[1]) as index:
                index.put({"id": "1"})
                raise SystemExit(7)
            """,
            str(self.folder / "x"),
        )
        self.assertEqual((done.returncode, done.stderr), (7, ""))

    def test_a_finalizer_that_searches_at_the_end(self) -> None:
        done = python(
            """
            import sys, limelight
            class Last:
                def __init__(self):
                    self.index = limelight.Index.in_memory()
                def __del__(self):
                    try:
                        self.index.search("x")
                    except limelight.ClosedError:
                        print("closed")
            sys.modules["last"] = Last()
            """
        )
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_killed_while_putting(self) -> None:
        done = python(
            """
            import os, sys, signal, limelight
            index = limelight.Index(sys.argv[1])
            for number in range(50):
                index.put({"id": str(number)})
                print(number, flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
            """,
            str(self.folder / "x"),
        )
        self.assertEqual(done.returncode, -signal.SIGKILL)
        with Index(self.folder / "x") as index:
            self.assertEqual(index.count(), len(done.stdout.split()))


if __name__ == "__main__":
    unittest.main()
