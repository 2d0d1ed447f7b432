"""Limelight: search in your own items, inside your own process.

Items go in, ranked answers come out while the user types. An index is a folder on disk, or lives
in memory; there is no server.

    >>> import limelight
    >>> from limelight import Index, Item, Query

Open an index and put items. An item has an id, a domain (as a folder has a path) and attributes:
built-in ones such as ``title``, ``textContent``, ``keywords``, ``contentCreationDate``, which
``limelight.attributes()`` lists, and your own. Dicts of the same form as the lines of JSON that the
command ``limelight import`` takes are as good, and faster:

    >>> index = Index.in_memory()  # or Index("notes.index")
    >>> receipt = index.put([
    ...     Item("1", domain="notes.food", attributes={"title": "Crème brûlée", "rating": 5}),
    ...     {"id": "2", "domain": "notes.work", "attributes": {"title": "Ice cream minutes"}},
    ...     {"id": "3", "attributes": {"title": 3.14}},
    ... ])
    >>> receipt.put, [(refusal.position, refusal.code) for refusal in receipt.refused]
    (2, [(2, 'wrongKind')])

When ``put`` returns, its items are on disk, and found by the next search here and in every other
process that reads the index; ``Durability`` says how not to wait for the disk. A bad item is refused by itself; ``receipt.raise_for_refused()`` makes
an exception of that.

Search what a person types. The last word may be unfinished, case and accents do not matter,
``"quotes"`` hold words together, ``-word`` leaves out, ``OR`` stands between alternatives:

    >>> results = index.search("creme", limit=10)
    >>> for hit in results:
    ...     print(hit.id, hit.domain, hit.attributes["rating"], hit.marked("title"))
    1 notes.food 5 ['[Crème] brûlée']

Or build a query, and combine queries with ``&``, ``|`` and ``~``:

    >>> query = (Query.term("cream") | Query.fuzzy("brulee")) & ~Query.domain("notes.work")
    >>> index.search(query).total, index.count(Query.between("rating", 4, None))
    (1, 1)

Look up, walk, delete:

    >>> index.get("2").attributes["title"], "3" in index, list(index.ids(domain="notes"))
    ('Ice cream minutes', False, ['1', '2'])
    >>> index.delete(["2"]).deleted
    1
    >>> index.close()  # or: with Index("notes.index") as index:

Load much at once with ``Index.load``, from an iterable, an open file or a path. End a search from
another thread or a signal handler with a ``Cancellation``. Whatever goes wrong is a
``LimelightError``, with a class for each of the library's statuses; what is no text, number or date
at all is a ``ValueError`` or ``TypeError``, as everywhere. Calls release the interpreter's lock,
and everything may be used from any thread.

``help(limelight.Index)`` has the rest.
"""

from ._cancellation import Cancellation
from ._durability import Durability
from ._errors import (
    AnalyzerError,
    ArgumentError,
    CancelledError,
    ClosedError,
    DamagedError,
    ForkedError,
    HandleError,
    InputOutputError,
    ItemError,
    KindError,
    LimelightError,
    LimitError,
    LockedError,
    NewerError,
    NoSpaceError,
    NotFoundError,
    NotStoredError,
    OlderError,
    PermissionDeniedError,
    PoisonedError,
    QueryError,
    ReadOnlyError,
    TextError,
    TimedOutError,
    UnknownError,
    UnsupportedError,
)
from ._index import Index
from ._items import Item
from ._lines import MadeId
from ._queries import Query
from ._receipts import Progress, Receipt, Refusal
from ._repair import RepairReport, repair
from ._results import Highlight, Hit, Results
from ._stats import (
    AttributeInfo,
    AttributeStats,
    Capabilities,
    Problem,
    SegmentStats,
    SkippedSegment,
    Stats,
    attributes,
    capabilities,
    verify,
)
from ._texts import Texts
from ._values import Person, Value
from ._weights import Weights

__version__ = "0.1.0"

__all__ = [
    "Index",
    "Item",
    "Person",
    "Value",
    "Query",
    "Durability",
    "Receipt",
    "Refusal",
    "MadeId",
    "Progress",
    "Results",
    "Hit",
    "Highlight",
    "Texts",
    "Weights",
    "Cancellation",
    "Stats",
    "SegmentStats",
    "SkippedSegment",
    "AttributeStats",
    "Problem",
    "Capabilities",
    "AttributeInfo",
    "attributes",
    "capabilities",
    "verify",
    "RepairReport",
    "repair",
    "LimelightError",
    "UnknownError",
    "LockedError",
    "ItemError",
    "NoSpaceError",
    "UnsupportedError",
    "QueryError",
    "CancelledError",
    "HandleError",
    "ArgumentError",
    "TextError",
    "ClosedError",
    "ReadOnlyError",
    "NotFoundError",
    "KindError",
    "DamagedError",
    "NewerError",
    "AnalyzerError",
    "NotStoredError",
    "InputOutputError",
    "PermissionDeniedError",
    "PoisonedError",
    "ForkedError",
    "LimitError",
    "OlderError",
    "TimedOutError",
    "__version__",
]
