"""Ending calls from outside, and letting signal handlers run while the library works."""

from __future__ import annotations

import threading
from typing import Callable, List, Optional, TypeVar

from ._errors import check
from ._handles import Handle, make
from ._library import lime
from ._workers import Worker

Result = TypeVar("Result")


class Cancellation:
    """Ends the calls that it was given to, from another thread or from a signal handler.

    They raise ``CancelledError``, soon, and so do later calls with the same cancellation. The index
    is then as if they had not been made, but for loads, of which stays what was read until then.

    >>> import limelight, threading
    >>> cancellation = limelight.Cancellation()
    >>> timer = threading.Timer(5, cancellation.cancel)  # give up after five seconds
    >>> with limelight.Index.in_memory() as index:
    ...     len(index.search("tea", cancellation=cancellation))
    0

    In the main thread, a call with a cancellation lets Python's signal handlers run while it
    works. One that raises, as that of Control-C does, cancels the call, and the exception comes
    out of it.
    """

    def __init__(self) -> None:
        self._handle: Handle = make(lime.cancellation_free, lime.cancellation_new)
        self._is_cancelled = False

    def cancel(self) -> None:
        """Ends the calls that were given this, and later ones."""
        self._is_cancelled = True
        check(lime.cancellation_cancel(self._handle))

    @property
    def cancelled(self) -> bool:
        """Whether ``cancel`` was called."""
        return self._is_cancelled


def interruptible(call: Callable[[], Result], cancellation: Optional[Cancellation]) -> Result:
    """Makes a call that a cancellation can end.

    Python runs signal handlers in the main thread, between its own steps. So there, the call goes
    to a thread of its own, and the main thread waits in a way that handlers can interrupt.
    """
    if cancellation is None or threading.current_thread() is not threading.main_thread():
        return call()
    results: List[Result] = []
    errors: List[BaseException] = []

    def work() -> None:
        try:
            results.append(call())
        except BaseException as error:
            errors.append(error)

    worker = Worker(work)
    try:
        worker.start()
        worker.wait()
    except BaseException:
        cancellation.cancel()
        worker.end()
        raise
    if errors:
        raise errors[0]
    return results[0]
