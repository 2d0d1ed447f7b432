"""The index: items go in, ranked answers come out."""

from __future__ import annotations

import ctypes
import operator
import os
import warnings
from typing import Callable, Iterable, Mapping, Optional, Tuple, Union, cast

from . import _putting
from ._cancellation import Cancellation, interruptible
from ._closing import open_now
from ._durability import Durability, level, open_flags
from ._errors import ClosedError, LimelightError, NotFoundError, check
from ._handles import Handle, encode, encode_path, make, number, size, small, text, texts
from ._items import Item, read_item
from ._library import lime
from ._lines import ItemLike, Source, utf8
from ._options import (
    ANALYZERS,
    CLASSES,
    COMPACT,
    KINDS,
    REORDER,
    TOTAL_AT_LEAST,
    WHOLE_WORDS,
    Analyzer,
    Kind,
    SearchClass,
    choice,
    lines_options,
    numbered,
    open_options,
    search_options,
    work_options,
)
from ._putting import change
from ._queries import Query, asked
from ._receipts import Progress, Receipt
from ._results import Results
from ._stats import Problem, SkippedSegment, Stats, problems, read_stats, skipped_segments
from ._texts import Texts
from ._weights import Weights


class Index:
    """An index: a folder on disk, or in memory.

    >>> import limelight
    >>> with limelight.Index.in_memory() as index:
    ...     receipt = index.put([{"id": "1", "attributes": {"title": "Tea with milk"}}])
    ...     [hit.id for hit in index.search("tea mi")]
    ['1']

    When a change returns, it is on disk, unless another ``Durability`` is asked for, and found by
    every later search, in this process and in others that read the index; nothing else has to be
    called. One object may write to an index at
    a time, over all processes; any number may read. All calls may come from any thread, also with
    the same object, and let other threads go on; searches never wait for changes.

    An index is closed by ``close``, by ``with``, and when the interpreter ends. A forked child
    cannot use its parent's (``ForkedError``) and opens it again.
    """

    _handle: Optional[Handle] = None
    _is_read_only = False

    def __init__(
        self,
        path: Union[str, "os.PathLike[str]"],
        *,
        read_only: bool = False,
        analyzer: Analyzer = "words",
        store_items: bool = True,
        lock_wait: float = 0,
        skip_damaged: bool = False,
        read_files: bool = False,
        guard_maps: bool = False,
        sole_writer: bool = False,
        durability: Durability = "full",
    ) -> None:
        """Opens the index in a folder; makes both where there is none, unless it is read only.

        ``analyzer`` says how texts become words: by Unicode's word boundaries (``"words"``) or as
        runs of letters and digits (``"runs"``). Without ``store_items`` an index keeps ids only, no
        texts to return and highlight. Both count when an index is made. ``lock_wait`` is how many
        seconds to wait for another writer to end.

        With ``skip_damaged`` an index that is read only is read once as a whole, and segments of
        which a byte is damaged stay out; ``skipped`` tells which. With ``read_files`` the files
        are read into memory, as much as they are large, instead of being mapped: then nothing that
        others do to them can end the process.

        With ``guard_maps`` they are mapped, and one that is cut short raises ``DamagedError``: the
        library has a handler of SIGBUS then, to the end of the process, which passes on what does
        not concern it. ``faulthandler`` and the like go together with it if they were enabled
        before; ``read_files`` has to be off.

        With ``sole_writer`` you promise that no other process writes to the index; then it can be
        written where the file system has no locks. Nothing else changes.

        ``durability`` is the level of changes that do not say one themselves.
        """
        options = open_options(
            read_only,
            analyzer,
            store_items,
            lock_wait,
            skip_damaged,
            read_files,
            guard_maps,
            sole_writer,
        )
        options.flags |= open_flags(durability)
        encoded = encode_path(path)
        self._is_read_only = read_only
        self._opened(make(lime.index_close, lime.index_open, encoded, ctypes.byref(options)))

    @classmethod
    def in_memory(cls, *, analyzer: Analyzer = "words", store_items: bool = True) -> Index:
        """Makes an index that lives in memory until it is closed."""
        options = open_options(False, analyzer, store_items, 0)
        index = cls.__new__(cls)
        index._opened(make(lime.index_close, lime.index_open_memory, ctypes.byref(options)))
        return index

    def close(self) -> None:
        """Closes the index. Nothing that was acknowledged is lost, even if this fails.

        Calls that other threads have begun end with ``ClosedError``, or as if the index were
        open. Results, items and all else that came from the index stay good.
        """
        handle, self._handle = self._handle, None
        if handle is not None:
            open_now.discard(self)
            check(handle.end())

    @property
    def closed(self) -> bool:
        """Whether the index is closed."""
        return self._handle is None

    @property
    def read_only(self) -> bool:
        """Whether the index was opened for reading."""
        return self._is_read_only

    @property
    def path(self) -> Optional[str]:
        """The folder as it was given; None for an index in memory."""
        return text(lime.index_path, self._here())

    @property
    def analyzer(self) -> Analyzer:
        """How texts become words, as was said when the index was made."""
        return ANALYZERS[small(lime.index_analyzer, self._here())]

    @property
    def stores_items(self) -> bool:
        """Whether the index stores its items, so that they can be returned and highlighted."""
        return bool(small(lime.index_stores_items, self._here()))

    @property
    def skipped(self) -> Tuple[SkippedSegment, ...]:
        """The damaged segments without which the index is read, if it was opened so."""
        return skipped_segments(self._here())

    # ---------------------------------------------------------------- Changing

    def put(
        self,
        items: Union[ItemLike, Iterable[ItemLike]],
        *,
        durability: Optional[Durability] = None,
    ) -> Receipt:
        """Puts items, each replacing the one of its id.

        An item is an ``Item`` or a dict of the same form as its JSON:
        ``{"id": "1", "domain": "notes", "attributes": {"title": "Tea", "rating": 5}}``.
        A bad one is refused by itself and listed in the receipt; the others are taken. What no item
        can hold, such as an object of an unknown type, raises ``TypeError`` or ``ValueError``.

        Many items are read bit by bit. The first mebibytes are put at once, durable and found
        before the rest is read; that goes in as by ``load``, in up to four threads, and is durable
        and found when the call returns. If the iterable raises, what was read before may stay.
        ``durability``, here and in the other changes, is a level of this call's own.
        """
        if isinstance(items, (Item, Mapping)):
            items = [cast(ItemLike, items)]
        return _putting.put(self._here, items, level(durability))

    def put_lines(
        self,
        lines: Union[str, bytes, bytearray, memoryview],
        *,
        map: Optional[Mapping[str, str]] = None,
        dates: Iterable[str] = (),
        first_line: int = 1,
        durability: Optional[Durability] = None,
    ) -> Receipt:
        """Puts the items of a text of lines, each one a JSON object; empty lines are passed over.

        With ``map`` the lines are flat: it gives the attributes of members, as in
        ``{"body": "textContent"}``; ``"id"``, ``"domain"`` and ``""`` (leave it out) are targets
        too. ``dates`` are attributes of yours whose values are dates. ``first_line`` is the number
        of the first line in the receipt. All lines are put at once, in one step.
        """
        encoded = utf8(lines) if isinstance(lines, str) else bytes(lines)
        options = lines_options(map or {}, dates, size(first_line, "first_line"))
        arguments = (encoded, len(encoded), ctypes.byref(options), level(durability))
        return change(self._here(), lime.index_put_lines_at, *arguments)

    def load(
        self,
        source: Source,
        *,
        map: Optional[Mapping[str, str]] = None,
        dates: Iterable[str] = (),
        threads: int = 1,
        memory_budget: Optional[int] = None,
        progress: Optional[Callable[[Progress], object]] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> Receipt:
        """Loads many items: faster than puts, found bit by bit, durable when the call returns.

        ``source`` is an iterable of items (as ``put`` takes them) or of lines of JSON, an open file
        of such lines, the path of one (a ``pathlib.Path``), or a whole text. ``map`` and ``dates``
        are those of ``put_lines``. ``threads`` is how many parse and analyse, ``memory_budget``
        about how many bytes to use, 256 MiB if nothing is said.

        ``progress`` is called with a ``Progress`` now and then, in this thread. What it or
        the iterable raises ends the load and comes out of this call; a cancellation ends it with
        ``CancelledError``. What was read until then is in the index.
        """
        how = _putting.LoadForm(map or {}, dates, threads, memory_budget or 0)
        return _putting.load(self._here(), source, how, progress, cancellation)

    def delete(
        self,
        what: Union[str, Iterable[str], Query],
        *,
        cancellation: Optional[Cancellation] = None,
        durability: Optional[Durability] = None,
    ) -> Receipt:
        """Deletes the item of an id, those of several, or all that match a query.

        Ids that are not there are passed over. A cancellation ends a delete by query while its
        items are looked for; then none is deleted.
        """
        if isinstance(what, Query):
            handle, options = self._here(), work_options(cancellation)
            query, how = what, level(durability)

            def delete() -> Receipt:
                reference = ctypes.byref(options)
                return change(handle, lime.index_delete_query_at, query, reference, how)

            return interruptible(delete, cancellation)
        ids = [encode(one, "an id") for one in ([what] if isinstance(what, str) else what)]
        lengths = (ctypes.c_size_t * len(ids))(*map(len, ids))
        arguments = (texts(ids), lengths, len(ids), level(durability))
        return change(self._here(), lime.index_delete_at, *arguments)

    def delete_domain(self, domain: str, *, durability: Optional[Durability] = None) -> Receipt:
        """Deletes all items of a domain and of those below: ``"mail"`` takes ``"mail.inbox"``."""
        encoded = encode(domain, "domain")
        arguments = (encoded, len(encoded), level(durability))
        return change(self._here(), lime.index_delete_domain_at, *arguments)

    def delete_all(self, *, durability: Optional[Durability] = None) -> Receipt:
        """Deletes everything."""
        return change(self._here(), lime.index_delete_all_at, level(durability))

    def declare(self, name: str, kind: Kind, search_class: SearchClass = "usual") -> None:
        """Fixes kind and search class of an attribute of yours; once more the same is no error.

        The search class says how it takes part in searching: its words are found by all searches
        (``"standard"``), by queries that name it (``"named"``, usual for texts), it is compared
        and counted (``"filter"``, usual for all else), or only stored (``"none"``).
        """
        encoded = encode(name, "name")
        number = choice(kind, KINDS, "kind")
        place = choice(search_class, numbered(CLASSES), "search_class")
        check(lime.index_declare(self._here(), encoded, len(encoded), number, place))

    def commit(self) -> None:
        """Writes what is only in the journal to segment files.

        Makes all changes durable, for which ``flush`` is enough, and the next opening faster.
        """
        check(lime.index_commit(self._here()))

    def wait(
        self,
        change: Union[Receipt, int],
        timeout: float,
        *,
        cancellation: Optional[Cancellation] = None,
    ) -> None:
        """Waits until the index shows a change, and all before it, at most so many seconds.

        The change is the receipt or its ``generation``, a number that another process can hand
        over: one puts, another waits before it searches. Without a wait, a search sees all that was
        acknowledged before it began. What does not come raises ``TimedOutError``.
        """
        if not 0 <= timeout <= 4_000_000:
            raise ValueError(f"timeout must be from 0 to 4,000,000 seconds, not {timeout}")
        generation = change.generation if isinstance(change, Receipt) else operator.index(change)
        if not 0 <= generation < 2**64:
            raise ValueError(f"there is no generation {generation}")
        handle, options = self._here(), work_options(cancellation)

        def wait() -> None:
            milliseconds = int(timeout * 1000)
            check(lime.index_wait(handle, generation, milliseconds, ctypes.byref(options)))

        interruptible(wait, cancellation)

    def flush(self) -> int:
        """Waits until every change that has returned is on disk; the number of the last of them.

        A sync in the background that has failed raises ``PoisonedError`` here, as in the next
        change.
        """
        return number(lime.index_flush, self._here())

    @property
    def durable_generation(self) -> int:
        """The number of the last change that is on disk, as in ``Receipt.generation``."""
        return number(lime.index_durable_generation, self._here())

    def merge(
        self,
        segments: int = 1,
        *,
        compact: bool = False,
        reorder: bool = False,
        cancellation: Optional[Cancellation] = None,
    ) -> None:
        """Merges until at most so many segments are left; with 1, nothing of deleted items remains.

        Takes time and disk space in proportion to the index; searches and puts go on meanwhile. A
        cancellation ends it, and the segments stay as they were.

        With ``compact`` or ``reorder``, one segment is written of all that is there, even if it is
        the only one; ``segments`` is then 1, or ``ArgumentError`` is raised. ``compact`` compresses
        stored items harder: text takes a fifth less and is read no slower, for some 4 s of time a
        100 MB of text. ``reorder`` lets items with the same words stand together inside: what finds
        items takes a twentieth less, and hits of the same score still follow their arrival.
        """
        flags = (COMPACT if compact else 0) | (REORDER if reorder else 0)
        handle, options = self._here(), work_options(cancellation, flags)
        count = size(segments, "segments")

        def merge() -> None:
            check(lime.index_merge(handle, count, ctypes.byref(options)))

        interruptible(merge, cancellation)

    # --------------------------------------------------------------- Searching

    def search(
        self,
        query: Union[str, Query],
        *,
        limit: Optional[int] = 10,
        offset: int = 0,
        domain: Optional[str] = None,
        whole_words: bool = False,
        exact_total: bool = True,
        weights: Union[Weights, Mapping[str, float], None] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> Results:
        """Finds what a person types, or what matches a query; best hits first, of equals the older.

        A typed text is words that must all be there, the last one perhaps unfinished,
        ``"phrases"`` in quotes, ``-word`` for what must not be there, ``OR`` between alternatives.
        Any text is a search. With ``whole_words`` the last word is finished.

        At most ``limit`` hits come (None: all), behind the ``offset`` best ones; only of ``domain``
        and of those below it. Without ``exact_total`` the total may be a lower bound, which is
        faster. ``weights`` say what a word adds to the score by its attribute; a mapping changes
        some of the standard ones.
        """
        handle = self._here()
        most = size(limit, "limit")
        if weights is not None and not isinstance(weights, Weights):
            weights = Weights(weights)
        flags = 0 if exact_total else TOTAL_AT_LEAST
        options = search_options(flags, whole_words, domain, offset, weights, cancellation)
        function, arguments = asked(query, lime.index_search_query, lime.index_search)

        def search() -> Results:
            reference = ctypes.byref(options)
            made = make(lime.results_free, function, handle, *arguments, most, reference)
            return Results(made)

        return interruptible(search, cancellation)

    def count(
        self,
        query: Union[str, Query, None] = None,
        *,
        domain: Optional[str] = None,
        whole_words: bool = False,
        cancellation: Optional[Cancellation] = None,
    ) -> int:
        """How many items there are, or how many match what a person typed or a query."""
        handle = self._here()
        if query is None:
            if domain is None:
                return number(lime.index_count, handle)
            query = Query.everything()
        options = search_options(0, whole_words, domain, 0, None, cancellation)
        function, arguments = asked(query, lime.index_count_query, lime.index_count_text)

        def count() -> int:
            return number(function, handle, *arguments, ctypes.byref(options))

        return interruptible(count, cancellation)

    def query(self, typed: str, *, whole_words: bool = False) -> Query:
        """What a person typed as a query, as ``search`` reads it, to combine it with others."""
        encoded = encode(typed, "text")
        flags = WHOLE_WORDS if whole_words else 0
        arguments = (self._here(), encoded, len(encoded), flags)
        handle = make(lime.query_free, lime.index_query, *arguments)
        return Query._of(handle, f"index.query({typed!r})")

    # -------------------------------------------------------------- Looking up

    def get(self, id: str) -> Optional[Item]:
        """The item of an id, as it was put; None when there is none."""
        encoded = encode(id, "id")
        try:
            item = make(lime.item_free, lime.index_get, self._here(), encoded, len(encoded))
        except NotFoundError:
            return None
        return read_item(item)

    def __contains__(self, id: object) -> bool:
        """Whether there is an item of that id."""
        if not isinstance(id, str):
            return False
        encoded = encode(id, "id")
        return bool(small(lime.index_contains, self._here(), encoded, len(encoded)))

    def ids(
        self,
        *,
        domain: Optional[str] = None,
        after: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> Texts:
        """Ids in the order in which their items arrived, of a domain and of those below it.

        Page through a long list with ``limit``, and the last id of a page as ``after``.
        """
        within = None if domain is None else encode(domain, "domain")
        behind = None if after is None else encode(after, "after")
        places = (within, len(within or b""), behind, len(behind or b""), size(limit, "limit"))
        return Texts(make(lime.strings_free, lime.index_ids, self._here(), *places))

    def stats(self) -> Stats:
        """Counts what the index holds and costs; takes time in proportion to the items."""
        return read_stats(make(lime.stats_free, lime.index_stats, self._here()))

    def verify(self, *, cancellation: Optional[Cancellation] = None) -> Tuple[Problem, ...]:
        """Reads every byte, and tells what is wrong; nothing, if the index is whole."""
        return problems(cancellation, lime.index_verify, self._here())

    # ------------------------------------------------------------------ Itself

    def __enter__(self) -> Index:
        self._here()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._handle is None:
            return "<limelight.Index: closed>"
        try:
            return f"<limelight.Index: {self.path or 'in memory'}>"
        except LimelightError as error:
            return f"<limelight.Index: {error}>"

    def __del__(self) -> None:
        if self._handle is not None:
            warnings.warn("an index was not closed", ResourceWarning, source=self)
            self.close()

    def _opened(self, handle: Handle) -> None:
        self._handle = handle
        open_now.add(self)

    def _here(self) -> Handle:
        handle = self._handle
        if handle is None:
            raise ClosedError("the index is closed")
        return handle
