"""Numbers about an index, what is wrong with one, and what the library can do."""

from __future__ import annotations

import ctypes
import json
import os
from dataclasses import dataclass
from typing import Any, Dict, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from ._cancellation import Cancellation, interruptible
from ._errors import check
from ._handles import Handle, copied, encode_path
from ._library import Function, lime
from ._options import work_options
from ._values import attributes_json


class SegmentStats(NamedTuple):
    """A segment: some of the items of an index, written once."""

    name: str
    items: int
    deleted: int
    bytes: int
    in_memory: bool
    #: The bytes of each of its sections.
    sections: Mapping[str, int]


class AttributeStats(NamedTuple):
    """An attribute that items have."""

    name: str
    #: How many words its texts have.
    tokens: int
    #: How many values there are.
    values: int


@dataclass(frozen=True)
class Stats:
    """What an index holds and costs."""

    #: Items that are there.
    items: int
    #: Items deleted or replaced that merges will drop.
    deleted: int
    #: The number of the last change.
    generation: int
    #: How texts become words.
    analyzer: str
    #: Whether items can be returned and highlighted.
    stores_items: bool
    #: How many items each domain has.
    domains: Mapping[str, int]
    #: The segments, oldest first.
    segments: Tuple[SegmentStats, ...]
    #: The attributes that items have.
    attributes: Tuple[AttributeStats, ...]

    @property
    def bytes(self) -> int:
        """The bytes of all segments."""
        return sum(segment.bytes for segment in self.segments)


class Problem(NamedTuple):
    """Something that is wrong with an index."""

    file: str
    section: Optional[str]
    #: Where in the file, in bytes.
    offset: Optional[int]
    #: The number of the error; see the classes of exceptions.
    status: int
    message: str


class SkippedSegment(NamedTuple):
    """A damaged segment that stays out."""

    file: str
    #: How many items are missing with it.
    items: int
    problem: Problem


@dataclass(frozen=True)
class Capabilities:
    """What the library can do."""

    #: Its version, such as ``"0.1.0"``.
    version: str
    #: Ways in which texts become words, with their versions.
    analyzers: Mapping[str, int]
    features: Tuple[str, ...]
    #: The largest id, item, query and so on.
    limits: Mapping[str, int]


@dataclass(frozen=True)
class AttributeInfo:
    """A built-in attribute."""

    name: str
    #: What values it takes: ``"text"``, ``"number"``, ``"date"`` and so on.
    kind: str
    #: How it takes part in searching: ``"standard"``, ``"named"``, ``"filter"`` or ``"none"``.
    search_class: str
    category: str
    meaning: str
    unit: Optional[str]
    aliases: Tuple[str, ...]


def capabilities() -> Capabilities:
    """What the library can do.

    >>> import limelight
    >>> limelight.capabilities().limits["idBytes"]
    4096
    """
    listed: object = lime.capabilities()
    assert isinstance(listed, bytes)
    members: Dict[str, Any] = json.loads(listed)
    return Capabilities(
        version=members["version"],
        analyzers={one["name"]: one["version"] for one in members["analyzers"]},
        features=tuple(members["features"]),
        limits=members["limits"],
    )


def attributes() -> Mapping[str, AttributeInfo]:
    """The built-in attributes by name.

    >>> import limelight
    >>> limelight.attributes()["title"].kind
    'text'
    """
    return {
        one["name"]: AttributeInfo(
            name=one["name"],
            kind=one["kind"],
            search_class=one["searchClass"],
            category=one["category"],
            meaning=one["meaning"],
            unit=one["unit"] or None,
            aliases=tuple(one["aliases"]),
        )
        for one in json.loads(attributes_json())
    }


def verify(
    path: Union[str, os.PathLike[str]], *, cancellation: Optional[Cancellation] = None
) -> Tuple[Problem, ...]:
    """Reads every byte of the index in a folder, and tells what is wrong; nothing, if it is whole.

    Damage that keeps an index from being opened is told like any other.
    """
    return problems(cancellation, lime.verify, encode_path(path))


def problems(
    cancellation: Optional[Cancellation], function: Function, where: object
) -> Tuple[Problem, ...]:
    """Calls a function that counts problems and reports them."""
    count, report, options = ctypes.c_size_t(), Handle(lime.string_free), work_options(cancellation)

    def verify() -> None:
        check(function(where, ctypes.byref(options), ctypes.byref(count), report.out))

    interruptible(verify, cancellation)
    return read_problems(json.loads(copied(lime.string_data, report)))


def read_problems(members: Sequence[Mapping[str, Any]]) -> Tuple[Problem, ...]:
    """The problems of a list of JSON objects."""
    return tuple(
        Problem(one["file"], one.get("section"), one.get("offset"), one["status"], one["message"])
        for one in members
    )


def skipped_segments(index: Handle) -> Tuple[SkippedSegment, ...]:
    """The segments without which an index is read."""
    count, report = ctypes.c_size_t(), Handle(lime.string_free)
    check(lime.index_skipped(index, ctypes.byref(count), report.out))
    return tuple(
        SkippedSegment(one["file"], one["items"], read_problems([one["problem"]])[0])
        for one in json.loads(copied(lime.string_data, report))
    )


def read_stats(handle: Handle) -> Stats:
    """The stats of a handle."""
    members: Dict[str, Any] = json.loads(copied(lime.stats_json, handle))
    return Stats(
        items=members["items"],
        deleted=members["deleted"],
        generation=members["generation"],
        analyzer=members["analyzer"],
        stores_items=members["storesItems"],
        domains={one["domain"]: one["items"] for one in members["domains"]},
        segments=tuple(
            SegmentStats(
                one["name"],
                one["items"],
                one["deleted"],
                one["bytes"],
                one["inMemory"],
                one["sections"],
            )
            for one in members["segments"]
        ),
        attributes=tuple(
            AttributeStats(one["name"], one["tokens"], one["values"])
            for one in members["attributes"]
        ),
    )
