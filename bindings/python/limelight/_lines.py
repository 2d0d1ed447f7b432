"""Items as lines of JSON, which is how many of them go in fastest."""

from __future__ import annotations

import json
import os
import uuid
from contextlib import contextmanager
from datetime import date
from typing import (
    TYPE_CHECKING,
    Any,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Sequence,
    Set,
    Union,
    cast,
)

from ._values import finite, kinds, plain

if TYPE_CHECKING:
    from ._items import Item

#: What can be put.
ItemLike = Union["Item", Mapping[str, object]]

#: What can be loaded: items or lines of JSON, an open file of lines, its path, a whole text.
Source = Union[
    str, bytes, bytearray, memoryview, "os.PathLike[str]", Iterable[Union[str, bytes, ItemLike]]
]

_MIB = 1 << 20

#: The sizes of the first chunks of a put, and of those behind them.
FIRST_CHUNKS = (4 * _MIB,)
_LATER_CHUNKS = _MIB


class Chunk(NamedTuple):
    """Some items as lines."""

    #: The place of the first item among all of them.
    first: int
    #: The lines, in UTF-8; the line of an item that is not Unicode is not, and is refused.
    lines: bytes


class MadeId(NamedTuple):
    """An id that was made for an item without one."""

    #: The item's place among the items of the call, from 0.
    position: int
    #: The id.
    id: str


class LineEncoder:
    """Writes items as lines, and takes note of what was found and done on the way."""

    def __init__(self) -> None:
        #: The names of attributes, none of them built-in, for which a date was given.
        self.dates: Set[str] = set()
        #: The ids that were made.
        self.made: List[MadeId] = []
        self._has_date = False
        self._encode = json.JSONEncoder(
            ensure_ascii=False,
            check_circular=False,
            allow_nan=False,
            separators=(",", ":"),
            default=self._plain,
        ).encode

    def line(self, members: Mapping[str, object]) -> str:
        """An item, given by its members, as a line without the newline."""
        self._has_date = False
        try:
            line = self._encode(members)
        except ValueError:
            # A number is not finite; if it is something else, that raises once more.
            line = self._encode(finite(members))
        if self._has_date:
            self._note_dates(members)
        return line

    def chunks(
        self,
        items: Iterable[ItemLike],
        *,
        sizes: Sequence[int] = FIRST_CHUNKS,
        later: int = _LATER_CHUNKS,
    ) -> Iterator[Chunk]:
        """Items as lines, in chunks of about so many bytes; one without an id gets one.

        There is always one chunk, even of no items.
        """
        limits = iter(sizes)
        limit = next(limits, later)
        first = position = length = 0
        lines: List[bytes] = []
        for item in items:
            line = utf8(self.item(item, position, with_id=True))
            lines.append(line)
            length += len(line)
            position += 1
            if length >= limit:
                lines.append(b"")  # for the newline behind the last
                yield Chunk(first, b"\n".join(lines))
                first, limit, length = position, next(limits, later), 0
                lines = []
        if lines or first == 0:
            yield Chunk(first, b"\n".join([*lines, b""]))

    def item(self, item: ItemLike, position: int, *, with_id: bool = False) -> str:
        """An item as a line without the newline; ``position`` tells its place."""
        try:
            if isinstance(item, dict):
                members = item
            elif isinstance(item, Mapping):
                members = dict(item)
            elif hasattr(item, "to_dict"):
                members = item.to_dict()
            else:
                raise TypeError(f"give an Item or a dict, not {type(item).__name__}")
            if with_id and members.get("id") is None:
                id = str(uuid.uuid4()).upper()
                self.made.append(MadeId(position, id))
                members = {**members, "id": id}
            return self.line(members)
        except TypeError as error:
            raise TypeError(f"item {position} cannot be put: {error}") from error
        except (ValueError, RecursionError) as error:
            raise ValueError(f"item {position} cannot be put: {error}") from error

    def _plain(self, value: object) -> object:
        if isinstance(value, date):
            self._has_date = True
        return plain(value)

    def _note_dates(self, members: Mapping[str, object]) -> None:
        attributes = members.get("attributes")
        if not isinstance(attributes, Mapping):
            return
        known: Dict[str, str] = kinds()
        for name, value in cast(Mapping[str, object], attributes).items():
            if isinstance(value, date) and name not in known:
                self.dates.add(name)


def utf8(text: str) -> bytes:
    """Lines in UTF-8; lone surrogates stay, so that their line is refused and no other."""
    return text.encode("utf-8", "surrogatepass")


@contextmanager
def pieces(source: Source, encoder: LineEncoder) -> Iterator[Iterator[bytes]]:
    """What is to be loaded as pieces of a text, none of them empty."""
    if isinstance(source, os.PathLike):
        with open(source, "rb") as file:
            yield _read(file)
    elif isinstance(source, (str, bytes, bytearray, memoryview)):
        yield _cut(source)
    elif hasattr(source, "read"):
        yield _read(source)
    else:
        yield _joined(source, encoder)


def _joined(
    elements: Iterable[Union[str, bytes, ItemLike]], encoder: LineEncoder
) -> Iterator[bytes]:
    lines: List[bytes] = []
    length = 0
    for position, element in enumerate(elements):
        if isinstance(element, (bytes, bytearray, memoryview)):
            line = bytes(element)
        else:
            text = element if isinstance(element, str) else encoder.item(element, position)
            line = utf8(text)
        lines.append(line if line.endswith(b"\n") else line + b"\n")
        length += len(line)
        if length >= _MIB:
            yield b"".join(lines)
            lines, length = [], 0
    if lines:
        yield b"".join(lines)


def _cut(text: Any) -> Iterator[bytes]:
    whole = memoryview(utf8(text) if isinstance(text, str) else text).cast("B")
    return (bytes(whole[start : start + _MIB]) for start in range(0, len(whole), _MIB))


def _read(file: Any) -> Iterator[bytes]:
    while True:
        piece = file.read(_MIB)
        if not piece:
            return
        yield utf8(piece) if isinstance(piece, str) else bytes(piece)
