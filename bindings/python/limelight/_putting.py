"""Items on their way into an index: few in chunks of lines, many by a load."""

from __future__ import annotations

import ctypes
import os
from dataclasses import replace
from typing import Callable, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Tuple

from ._cancellation import Cancellation
from ._handles import Handle, make, size
from ._library import Function, lime
from ._lines import FIRST_CHUNKS, Chunk, ItemLike, LineEncoder, Source, pieces
from ._loading import Load
from ._options import handle_of, lines_options
from ._receipts import Progress, Receipt, joined, read_receipt
from ._signatures import LinesOptions, LoadOptions

#: Gives the handle of the index, or raises when it was closed meanwhile.
Here = Callable[[], Handle]

#: The most threads that a put works with, beside the one that calls it.
_MOST_THREADS = 4


def change(handle: Handle, function: Function, *arguments: object) -> Receipt:
    """Calls a function that changes the index and gives a receipt."""
    return read_receipt(make(lime.receipt_free, function, handle, *arguments))


def put(here: Here, items: Iterable[ItemLike], level: int) -> Receipt:
    """Puts items: the first mebibytes of lines in chunks, the rest by a load."""
    encoder = LineEncoder()
    chunks = encoder.chunks(items)
    receipt = Receipt()
    chunk = next(chunks, None)
    length = 0
    while chunk is not None:
        if length < sum(FIRST_CHUNKS):
            lines = chunk.lines
            options = lines_options({}, encoder.dates, chunk.first + 1)
            arguments = (lines, len(lines), ctypes.byref(options), level)
            part = change(here(), lime.index_put_lines_at, *arguments)
            length += len(lines)
            chunk = next(chunks, None)
        else:
            part, chunk = _put_many(here(), chunk, chunks, encoder)
        receipt = joined(receipt, part)
    # Here the lines are nothing but the form in which the items went in, numbered over all chunks.
    refused = tuple(
        refusal._replace(position=(refusal.line or 1) - 1, line=None)
        for refusal in receipt.refused
    )
    places = {refusal.position for refusal in refused}
    made = tuple(made for made in encoder.made if made.position not in places)
    return replace(receipt, refused=refused, made=made)


def _put_many(
    handle: Handle, chunk: Chunk, chunks: Iterator[Chunk], encoder: LineEncoder
) -> Tuple[Receipt, Optional[Chunk]]:
    """Loads chunks up to the first that needs other options, which is given back."""
    dates = set(encoder.dates)
    rest: List[Chunk] = []

    def lines() -> Iterator[bytes]:
        yield chunk.lines
        for later in chunks:
            if encoder.dates != dates:
                rest.append(later)
                return
            yield later.lines

    threads = min(len(os.sched_getaffinity(0)), _MOST_THREADS)
    options = _load_options(lines_options({}, dates, chunk.first + 1), threads)
    receipt = Load(handle, options, None).run(lines(), None)
    return receipt, rest[0] if rest else None


class LoadForm(NamedTuple):
    """How a load is done."""

    #: The attributes of members of flat lines.
    targets: Mapping[str, str]
    dates: Iterable[str]
    threads: int
    #: In bytes; 0 lets the library choose.
    memory_budget: int


def load(
    handle: Handle,
    source: Source,
    form: LoadForm,
    progress: Optional[Callable[[Progress], object]],
    cancellation: Optional[Cancellation],
) -> Receipt:
    """Loads a source of any form."""
    encoder = LineEncoder()
    with pieces(source, encoder) as found:
        first = next(found, b"")
        known = {*form.dates, *encoder.dates}

        def lines() -> Iterator[bytes]:
            if first:
                yield first
            for piece in found:
                late = encoder.dates - known
                if late:
                    raise ValueError(f"name in 'dates' the attributes {sorted(late)}")
                yield piece

        options = _load_options(
            lines_options(form.targets, known), form.threads, form.memory_budget, cancellation
        )
        return Load(handle, options, cancellation).run(lines(), progress)


def _load_options(
    lines: LinesOptions,
    threads: int = 1,
    memory_budget: int = 0,
    cancellation: Optional[Cancellation] = None,
) -> LoadOptions:
    return LoadOptions(
        size=ctypes.sizeof(LoadOptions),
        memory_budget=size(memory_budget, "memory_budget"),
        threads=min(size(threads, "threads"), 256),
        lines=ctypes.pointer(lines),
        cancellation=handle_of(cancellation),
    )
