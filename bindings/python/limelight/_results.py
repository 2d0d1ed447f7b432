"""Results: the hits of a search, read when they are looked at."""

from __future__ import annotations

import ctypes
import json
from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union, overload

from ._errors import ClosedError, check
from ._handles import Handle, borrow, copied, lent, make, number, size, text
from ._items import Item, read_item
from ._library import lime
from ._texts import Texts
from ._values import Value, decode, holds_date, texts

#: Places in texts count code points, as Python does: ``LIME_UNIT_SCALARS``.
_SCALARS = 2
_WITH_ATTRIBUTES, _WITH_HIGHLIGHTS = 0x1, 0x2


class Highlight(NamedTuple):
    """Where the words of a query stand in one text of an item."""

    #: The attribute that holds the text.
    attribute: str
    #: The number of the text among the attribute's, from 0.
    number: int
    #: Start and end of each place, ascending and apart: slices of the text.
    ranges: Tuple[Tuple[int, int], ...]


class Results(Sequence["Hit"]):
    """The hits of a search, best first.

    They are a sequence: take its length, walk it, take ``results[0]``. Hits are read when they are
    looked at, from the index as it was when it was searched, whatever happens to it later; even
    after it was closed. Results let go of that when they are collected, or before by ``close``.
    """

    def __init__(self, handle: Handle) -> None:
        """Called by ``Index.search``."""
        self._handle: Optional[Handle] = handle
        self._count = number(lime.results_count, handle)
        total, exact = ctypes.c_uint64(), ctypes.c_int()
        check(lime.results_total(handle, ctypes.byref(total), ctypes.byref(exact)))
        self._total = total.value
        self._is_exact = bool(exact.value)
        self._scores: Optional[memoryview[float]] = None

    @property
    def total(self) -> int:
        """How many items match in all; see ``total_is_exact``."""
        return self._total

    @property
    def total_is_exact(self) -> bool:
        """Whether ``total`` is all, not a lower bound."""
        return self._is_exact

    @property
    def seconds(self) -> float:
        """How long the search took."""
        return number(lime.results_nanoseconds, self._open()) / 1e9

    @property
    def ids(self) -> Texts:
        """The ids of all hits, by one call."""
        return Texts(make(lime.strings_free, lime.results_ids, self._open()))

    @property
    def scores(self) -> memoryview[float]:
        """The scores of all hits, as they lie in the library's memory."""
        handle = self._open()
        if self._scores is None:
            address, count = lent(lime.results_scores, handle)
            view = borrow(handle, address, 4 * count)
            # An empty view has no shape that could be cast.
            self._scores = view.cast("f") if count else memoryview(bytes(4)).cast("f")[:0]
        return self._scores

    def lines(
        self,
        first: int = 0,
        count: Optional[int] = None,
        *,
        attributes: bool = True,
        highlights: bool = False,
    ) -> memoryview:
        """Some hits as lines of JSON in UTF-8, as they lie in the library's memory; one call.

        A line is ``{"id":...,"domain":...,"score":...}`` and, as asked for, ``"attributes":{...}``
        and ``"highlights":{"title":[[0,4]],"keywords":[[0,4,2]]}``: start and end of each place,
        and in an attribute of several texts the number of the text.
        """
        flags = (_WITH_ATTRIBUTES if attributes else 0) | (_WITH_HIGHLIGHTS if highlights else 0)
        lines = make(
            lime.string_free,
            lime.results_json,
            self._open(),
            size(first, "first"),
            size(count, "count"),
            flags,
            _SCALARS,
        )
        return borrow(lines, *lent(lime.string_data, lines))

    def close(self) -> None:
        """Lets go of the hits; views of them, such as ``scores``, stay good."""
        self._handle = None
        self._scores = None

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Hit: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Hit]: ...

    def __getitem__(self, place: Union[int, slice]) -> Union[Hit, Sequence[Hit]]:
        if isinstance(place, slice):
            return [Hit(self, one) for one in range(*place.indices(self._count))]
        return Hit(self, range(self._count)[place])

    def __iter__(self) -> Iterator[Hit]:
        return (Hit(self, place) for place in range(self._count))

    def __repr__(self) -> str:
        about = "" if self._is_exact else "at least "
        return f"<limelight.Results: {self._count} of {about}{self._total}>"

    def _open(self) -> Handle:
        handle = self._handle
        if handle is None:
            raise ClosedError("the results are closed")
        return handle


class Hit:
    """An item that was found. What it has is read when it is first looked at."""

    __slots__ = ("_results", "_place", "_id", "_attributes", "_highlights")

    def __init__(self, results: Results, place: int) -> None:
        """Called by ``Results``."""
        self._results = results
        self._place = place
        self._id: Optional[str] = None
        self._attributes: Optional[Dict[str, Value]] = None
        self._highlights: Optional[Tuple[Highlight, ...]] = None

    @property
    def id(self) -> str:
        """The item's id."""
        if self._id is None:
            self._id = text(lime.results_id, self._results._open(), self._place) or ""
        return self._id

    @property
    def domain(self) -> Optional[str]:
        """The item's domain."""
        return text(lime.results_domain, self._results._open(), self._place)

    @property
    def score(self) -> float:
        """How well the item matches; only scores of one search can be compared."""
        return self._results.scores[self._place]

    @property
    def attributes(self) -> Dict[str, Value]:
        """The item's attributes, as they were put; ``NotStoredError`` if they are not stored."""
        if self._attributes is None:
            json_text = copied(lime.results_attributes, self._results._open(), self._place)
            self._attributes = decode(json.loads(json_text), self._holds_date)
        return self._attributes

    @property
    def highlights(self) -> Tuple[Highlight, ...]:
        """Where the query's words stand in the item's texts."""
        if self._highlights is None:
            handle = self._results._open()
            self._highlights = _highlights(
                make(lime.highlights_free, lime.results_highlights, handle, self._place, _SCALARS)
            )
        return self._highlights

    def item(self) -> Item:
        """The whole item, as it was put."""
        return read_item(self._item())

    def marked(self, attribute: str, before: str = "[", after: str = "]") -> List[str]:
        """The texts of an attribute, with marks around the query's words."""
        if attribute not in self.attributes:
            return []
        marked = texts(self.attributes[attribute])
        for highlight in self.highlights:
            if highlight.attribute == attribute and highlight.number < len(marked):
                plain = marked[highlight.number]
                parts: List[str] = []
                end = 0
                for start, stop in highlight.ranges:
                    parts += [plain[end:start], before, plain[start:stop], after]
                    end = stop
                marked[highlight.number] = "".join([*parts, plain[end:]])
        return marked

    def __repr__(self) -> str:
        if self._results._handle is None:
            return f"<limelight.Hit {self._place} of closed results>"
        return f"<limelight.Hit {self.id!r}: {self.score:.3f}>"

    def _item(self) -> Handle:
        return make(lime.item_free, lime.results_item, self._results._open(), self._place)

    def _holds_date(self, name: str) -> bool:
        return holds_date(self._item(), name)


def _highlights(handle: Handle) -> Tuple[Highlight, ...]:
    name, length = ctypes.c_void_p(), ctypes.c_size_t()
    index, ranges, count = ctypes.c_size_t(), ctypes.c_void_p(), ctypes.c_size_t()
    outs = [ctypes.byref(out) for out in (name, length, index, ranges, count)]
    found: List[Highlight] = []
    for place in range(number(lime.highlights_count, handle)):
        check(lime.highlights_get(handle, place, *outs))
        ends = (ctypes.c_uint64 * (2 * count.value)).from_address(ranges.value or 0)
        found.append(
            Highlight(
                ctypes.string_at(name.value or 0, length.value).decode(),
                index.value,
                tuple(zip(ends[0::2], ends[1::2])),
            )
        )
    return tuple(found)
