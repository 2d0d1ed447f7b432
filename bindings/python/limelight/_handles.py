"""Handles of the library: each ends once, when nothing needs it any more.

What the library lends (texts, numbers) stays good until the handle that lent it is ended. So
whatever looks at lent bytes holds the handle, and the handle ends when the last one has gone;
objects may be collected in any order, in any thread.
"""

from __future__ import annotations

import ctypes
import operator
import os
from typing import List, Optional, Sequence, Tuple, Union

from ._errors import check
from ._library import Function
from ._signatures import SIZE_MAX


class Handle:
    """A place for a handle, which ends with this object, or before by ``end``.

    The place is there before the library fills it, so that no exception can come in between.
    """

    __slots__ = ("_cell", "_end", "__weakref__")

    def __init__(self, end: Function) -> None:
        self._end = end
        # Taking the place out of the list is one step, so that the handle is ended once.
        self._cell: List[ctypes.c_void_p] = [ctypes.c_void_p()]

    @property
    def out(self) -> object:
        """The out-pointer for the handle."""
        return ctypes.byref(self._cell[0])

    @property
    def _as_parameter_(self) -> int:
        """What ctypes gives to the library; after the end a NULL, which it refuses."""
        try:
            return self._cell[0].value or 0
        except IndexError:
            return 0

    def end(self) -> int:
        """Ends the handle and gives the status; a second time does nothing."""
        try:
            place = self._cell.pop()
        except IndexError:
            return 0
        return self._end(place) if place.value else 0

    def __del__(self) -> None:
        if hasattr(self, "_cell"):  # a signal handler may have raised in the initializer
            self.end()


def make(end: Function, function: Function, *arguments: object) -> Handle:
    """Calls a function whose last parameter is the out-pointer for a handle."""
    handle = Handle(end)
    check(function(*arguments, handle.out))
    return handle


def number(function: Function, *arguments: object) -> int:
    """Calls a function whose last parameter is the out-pointer for a count."""
    out = ctypes.c_uint64()
    check(function(*arguments, ctypes.byref(out)))
    return out.value


def small(function: Function, *arguments: object) -> int:
    """Calls a function whose last parameter is the out-pointer for an ``int`` or an enumerator."""
    out = ctypes.c_int()
    check(function(*arguments, ctypes.byref(out)))
    return out.value


def lent(function: Function, *arguments: object) -> Tuple[int, int]:
    """Calls a function that lends bytes: their address, 0 for none, and their length."""
    address, length = ctypes.c_void_p(), ctypes.c_size_t()
    check(function(*arguments, ctypes.byref(address), ctypes.byref(length)))
    return address.value or 0, length.value


def copied(function: Function, *arguments: object) -> bytes:
    """Calls a function that lends bytes, and copies them."""
    address, length = lent(function, *arguments)
    return ctypes.string_at(address, length) if address else b""


def text(function: Function, *arguments: object) -> Optional[str]:
    """Calls a function that lends a text; None where there is none."""
    address, length = lent(function, *arguments)
    return ctypes.string_at(address, length).decode() if address else None


def borrow(owner: Handle, address: int, length: int) -> memoryview:
    """Lent bytes as they lie in the library's memory; the view holds the handle that lent them."""
    if not address or not length:
        return memoryview(b"")
    block = (ctypes.c_char * length).from_address(address)
    # The view holds the block, and the block its owner.
    setattr(block, "owner", owner)
    return memoryview(block).cast("B").toreadonly()


def encode(text: str, name: str) -> bytes:
    """A text for the library; ``ValueError`` when it is not Unicode (a lone surrogate)."""
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a str, not {type(text).__name__}")
    return text.encode("utf-8")


def encode_terminated(text: str, name: str) -> bytes:
    """A text for a place where a NUL ends it."""
    encoded = encode(text, name)
    if b"\0" in encoded:
        raise ValueError(f"{name} must not hold NULs")
    return encoded


def encode_path(path: Union[str, "os.PathLike[str]"]) -> bytes:
    """A path for the library."""
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise ValueError("a path must not hold NULs")
    return encoded


def texts(encoded: Sequence[bytes]) -> "ctypes.Array[ctypes.c_char_p]":
    """Texts as the library takes several."""
    return (ctypes.c_char_p * len(encoded))(*encoded)


def size(value: Optional[int], name: str) -> int:
    """A count for the library; None stands for all there are."""
    if value is None:
        return SIZE_MAX
    whole = operator.index(value)
    if whole < 0:
        raise ValueError(f"{name} must not be negative")
    return min(whole, SIZE_MAX)
