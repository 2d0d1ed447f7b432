"""Options and choices as the library takes them."""

from __future__ import annotations

import ctypes
from typing import Dict, Iterable, Literal, Mapping, Optional, Set, Tuple

from ._cancellation import Cancellation
from ._handles import encode, encode_terminated, size, texts
from ._signatures import LinesOptions, OpenOptions, RepairOptions, SearchOptions, WorkOptions
from ._weights import Weights

Analyzer = Literal["words", "runs"]
Kind = Literal["text", "number", "bool", "date"]
SearchClass = Literal["usual", "standard", "named", "filter", "none"]

ANALYZERS: Tuple[Analyzer, ...] = ("words", "runs")
KINDS: Dict[str, int] = {"text": 1, "number": 3, "bool": 4, "date": 5}
CLASSES: Tuple[SearchClass, ...] = ("usual", "standard", "named", "filter", "none")

READ_ONLY, WITHOUT_ITEMS, SKIP_DAMAGED, READ_FILES = 0x1, 0x2, 0x4, 0x8
GUARD_MAPS = 0x10
SOLE_WRITER = 0x20
TOTAL_AT_LEAST, WHOLE_WORDS = 0x1, 0x2
DRY_RUN = 0x1
COMPACT, REORDER = 0x1, 0x2
REPAIR_SOLE_WRITER = 0x2


def open_options(
    read_only: bool,
    analyzer: Analyzer,
    store_items: bool,
    lock_wait: float,
    skip_damaged: bool = False,
    read_files: bool = False,
    guard_maps: bool = False,
    sole_writer: bool = False,
) -> OpenOptions:
    """How an index is opened."""
    if not 0 <= lock_wait <= 4_000_000:
        raise ValueError(f"lock_wait must be from 0 to 4,000,000 seconds, not {lock_wait}")
    return OpenOptions(
        size=ctypes.sizeof(OpenOptions),
        flags=(READ_ONLY if read_only else 0)
        | (0 if store_items else WITHOUT_ITEMS)
        | (SKIP_DAMAGED if skip_damaged else 0)
        | (READ_FILES if read_files else 0)
        | (GUARD_MAPS if guard_maps else 0)
        | (SOLE_WRITER if sole_writer else 0),
        analyzer=choice(analyzer, numbered(ANALYZERS), "analyzer"),
        lock_wait=int(lock_wait * 1000),
    )


def lines_options(
    targets: Mapping[str, str], dates: Iterable[str], first_line: int = 1
) -> LinesOptions:
    """How lines become items, for the library."""
    pairs = [encode_terminated(one, "map") for pair in targets.items() for one in pair]
    names: Set[bytes] = {encode_terminated(one, "dates") for one in dates}
    return LinesOptions(
        size=ctypes.sizeof(LinesOptions),
        first_line=first_line,
        map=texts(pairs),
        map_count=len(pairs) // 2,
        dates=texts(sorted(names)),
        date_count=len(names),
    )


def search_options(
    flags: int,
    whole_words: bool,
    domain: Optional[str],
    offset: int,
    weights: Optional[Weights],
    cancellation: Optional[Cancellation],
) -> SearchOptions:
    """How a search is done."""
    within = None if domain is None else encode(domain, "domain")
    return SearchOptions(
        size=ctypes.sizeof(SearchOptions),
        flags=flags | (WHOLE_WORDS if whole_words else 0),
        offset=size(offset, "offset"),
        domain=within,
        domain_length=len(within or b""),
        weights=None if weights is None else weights._handle._as_parameter_,
        cancellation=handle_of(cancellation),
    )


def work_options(cancellation: Optional[Cancellation], flags: int = 0) -> WorkOptions:
    """How long work is done, and how a merge is."""
    return WorkOptions(
        size=ctypes.sizeof(WorkOptions), flags=flags, cancellation=handle_of(cancellation)
    )


def repair_options(
    output: Optional[bytes],
    dry_run: bool,
    sole_writer: bool,
    cancellation: Optional[Cancellation],
) -> RepairOptions:
    """How an index is repaired."""
    return RepairOptions(
        size=ctypes.sizeof(RepairOptions),
        flags=(DRY_RUN if dry_run else 0) | (REPAIR_SOLE_WRITER if sole_writer else 0),
        output=output,
        cancellation=handle_of(cancellation),
    )


def handle_of(cancellation: Optional[Cancellation]) -> Optional[int]:
    """The handle for a struct; the cancellation has to stay until the call has returned."""
    return None if cancellation is None else cancellation._handle._as_parameter_


def numbered(names: Iterable[str]) -> Dict[str, int]:
    """Names by which enumerators go here, with the enumerators."""
    return {name: place for place, name in enumerate(names)}


def choice(name: str, choices: Mapping[str, int], what: str) -> int:
    """The enumerator of a name."""
    if name not in choices:
        raise ValueError(f"{what} must be one of {', '.join(choices)}, not {name!r}")
    return choices[name]
