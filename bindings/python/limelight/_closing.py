"""The end of the interpreter: what is open is closed while it can still be called back."""

from __future__ import annotations

import atexit
import weakref
from typing import Protocol

from ._errors import LimelightError
from ._loading import stop_all


class Closable(Protocol):
    """Something that is open."""

    def close(self) -> None:
        """Closes it."""


#: What is open now.
open_now: weakref.WeakSet[Closable] = weakref.WeakSet()


@atexit.register
def close_all() -> None:
    """Ends loads, then closes indexes."""
    stop_all(seconds=30)
    for one in list(open_now):
        try:
            one.close()
        except LimelightError:
            pass  # nothing that was acknowledged is lost
