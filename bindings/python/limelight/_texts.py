"""Many texts, as they lie in the library's memory."""

from __future__ import annotations

import ctypes
from typing import Iterator, List, Sequence, Union, overload

from ._errors import check
from ._handles import Handle, borrow
from ._library import lime


class Texts(Sequence[str]):
    """A sequence of texts, such as ids; each is made a ``str`` when it is looked at.

    >>> import limelight
    >>> with limelight.Index.in_memory() as index:
    ...     receipt = index.put({"id": str(number)} for number in range(1000))
    ...     ids = index.ids()
    >>> len(ids), ids[-1], ids[2:4], "7" in ids
    (1000, '999', ['2', '3'], True)
    """

    def __init__(self, handle: Handle) -> None:
        """Called by ``Index.ids`` and ``Results.ids``."""
        data, offsets, count = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t()
        outs = (ctypes.byref(out) for out in (data, offsets, count))
        check(lime.strings_data(handle, *outs))
        self._count = count.value
        self._data = memoryview(b"")
        self._offsets: Sequence[int] = ()
        if self._count:
            ends = borrow(handle, offsets.value or 0, 8 * (self._count + 1)).cast("Q")
            self._data = borrow(handle, data.value or 0, ends[self._count])
            self._offsets = ends

    @property
    def data(self) -> memoryview:
        """All texts in UTF-8, each followed by a NUL."""
        return self._data

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> List[str]: ...

    def __getitem__(self, place: Union[int, slice]) -> Union[str, List[str]]:
        if isinstance(place, slice):
            return [self._text(one) for one in range(*place.indices(self._count))]
        return self._text(range(self._count)[place])

    def __iter__(self) -> Iterator[str]:
        return map(self._text, range(self._count))

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self[:3]))
        return f"<limelight.Texts: {self._count}: {shown}{', ...' if self._count > 3 else ''}>"

    def _text(self, place: int) -> str:
        return str(self._data[self._offsets[place] : self._offsets[place + 1] - 1], "utf-8")
