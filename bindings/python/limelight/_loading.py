"""Loading much at once: the library works in a thread of its own.

The library asks for pieces of text and tells how far it is. Its callbacks only pass messages: the
iterable and the progress callback run in the thread that called ``load``, as any other code there
does. So whatever they raise, and what signal handlers raise meanwhile, comes out of ``load``; and
items become text while the library indexes those before.
"""

from __future__ import annotations

import ctypes
from queue import SimpleQueue
from typing import Any, Callable, Iterator, NamedTuple, Optional, Set, Union

from ._cancellation import Cancellation
from ._errors import CancelledError, failure
from ._handles import Handle
from ._library import lime
from ._receipts import Progress, Receipt, read_receipt
from ._signatures import LoadOptions, ProgressCallback, TextCallback
from ._workers import Worker


class _Wanted(NamedTuple):
    """The library wants the next piece."""


class _Ended(NamedTuple):
    """The library has returned."""

    error: Optional[BaseException]
    receipt: Optional[Receipt]


class Load:
    """A load that runs."""

    def __init__(
        self, index: Handle, options: LoadOptions, cancellation: Optional[Cancellation]
    ) -> None:
        self._index = index
        self._options = options
        self._cancellation = cancellation
        self._messages: SimpleQueue[Union[_Wanted, Progress, _Ended]] = SimpleQueue()
        self._pieces: SimpleQueue[Optional[bytes]] = SimpleQueue()
        self._lent = b""
        self._is_stopped = False
        self._worker = Worker(self._work)

    def run(
        self, pieces: Iterator[bytes], progress: Optional[Callable[[Progress], object]]
    ) -> Receipt:
        """Loads pieces of text, none of them empty."""
        piece = next(pieces, b"")
        try:
            self._worker.start()
            while True:
                message = self._messages.get()
                if isinstance(message, _Ended):
                    break
                if isinstance(message, Progress):
                    if progress is not None:
                        progress(message)
                    continue
                self._pieces.put(piece)
                if piece:
                    piece = next(pieces, b"")
        except BaseException:
            # A message may be lost, if a signal handler raised when it had just come.
            self.stop()
            self._worker.end()
            raise
        if isinstance(message.error, CancelledError):
            message.error.receipt = message.receipt
        if message.error is not None:
            raise message.error
        return message.receipt or Receipt()

    def stop(self) -> None:
        """Lets the load end as soon as the library asks again."""
        self._is_stopped = True
        self._pieces.put(None)

    def wait(self, seconds: float) -> None:
        """Waits until the library has returned."""
        self._worker.wait(seconds)

    def _work(self) -> None:
        _running.add(self)
        receipt = Handle(lime.receipt_free)
        try:
            status = lime.index_load(
                self._index,
                ctypes.byref(self._options),
                TextCallback(self._next),
                ProgressCallback(self._progress),
                None,
                receipt.out,
            )
            error = failure(status) if status else None
            done = read_receipt(receipt) if receipt._as_parameter_ else None
            ended = _Ended(error, done)
        except BaseException as error:
            ended = _Ended(error, None)
        _running.discard(self)
        self._messages.put(ended)

    def _next(self, text: Any, length: Any, _: object) -> int:
        if self._has_to_stop():
            return 1
        self._messages.put(_Wanted())
        piece = self._pieces.get()
        if piece is None or self._has_to_stop():
            return 1
        self._lent = piece  # has to stay until the next call
        text[0] = ctypes.cast(ctypes.c_char_p(piece), ctypes.c_void_p).value
        length[0] = len(piece)
        return 0

    def _progress(
        self, read: int, put: int, refused: int, length: int, seconds: float, _: object
    ) -> int:
        self._messages.put(Progress(read, put, refused, length, seconds))
        return int(self._has_to_stop())

    def _has_to_stop(self) -> bool:
        return self._is_stopped or (
            self._cancellation is not None and self._cancellation.cancelled
        )


_running: Set[Load] = set()


def stop_all(seconds: float) -> None:
    """Ends what is running before the interpreter ends, and waits: no callback may come later."""
    running = list(_running)
    for load in running:
        load.stop()
    for load in running:
        load.wait(seconds)
