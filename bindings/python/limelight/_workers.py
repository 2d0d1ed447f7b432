"""A call in a thread of its own, for callers that signal handlers may interrupt at any moment."""

from __future__ import annotations

import _thread
from typing import Callable, List


class Worker:
    """Runs a function in a thread of its own, once.

    Python runs signal handlers in the main thread between any two of its steps, and what they raise
    comes out there: also between the end of a wait and the note that it has ended. So each step
    here can be done once more. ``threading`` is not safe in this way: its ``start`` waits for the
    thread, and its events hold a lock meanwhile.
    """

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        # Whoever takes it decides whether the thread works or not.
        self._permit: List[None] = [None]
        self._has_ended = False
        self._gate = _thread.allocate_lock()
        self._gate.acquire()

    def start(self) -> None:
        """Starts the thread, which does not keep the interpreter from ending."""
        _thread.start_new_thread(self._run, ())

    def wait(self, seconds: float = float("inf")) -> None:
        """Waits until the function has returned; signal handlers run meanwhile."""
        while not self._has_ended and seconds > 0:
            if self._gate.acquire(True, 1):
                self._gate.release()
            seconds -= 1

    def end(self) -> None:
        """Sees to it that the function does not run: it has returned, or will not begin."""
        try:
            self._permit.pop()
        except IndexError:
            self.wait()

    def _run(self) -> None:
        try:
            self._permit.pop()
        except IndexError:
            return
        try:
            self._work()
        finally:
            self._has_ended = True
            self._gate.release()
