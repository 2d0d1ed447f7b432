"""One exception class a status of the library."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Dict, Optional, Type

from ._library import lime

if TYPE_CHECKING:
    from ._receipts import Receipt


class LimelightError(Exception):
    """Why a call failed. All exceptions of Limelight are of this class.

    ``message`` says it for people, ``status`` is the library's number and ``symbol`` its name.
    ``file``, ``section`` and ``offset`` tell what is damaged, ``holder`` is the process that has
    the lock; each of them is None where it is not known.
    """

    #: The library's number of the error.
    status: int = -1
    #: The library's name of the error.
    symbol: str = "LIME_ERROR_UNKNOWN"
    #: What is damaged or cannot be read.
    file: Optional[str] = None
    #: The part of the file that is damaged.
    section: Optional[str] = None
    #: Where in the file the damage is, in bytes.
    offset: Optional[int] = None
    #: The process that has the lock.
    holder: Optional[int] = None

    @property
    def message(self) -> str:
        """Why the call failed, for people."""
        return str(self)

    def __init_subclass__(cls) -> None:
        _BY_STATUS[cls.status] = cls


_BY_STATUS: Dict[int, Type[LimelightError]] = {}


class UnknownError(LimelightError):
    """Anything else."""

    status = -1
    symbol = "LIME_ERROR_UNKNOWN"


class LockedError(LimelightError):
    """Somebody else writes the index now; ``holder`` is the process."""

    status = -1000
    symbol = "LIME_ERROR_LOCKED"


class ItemError(LimelightError):
    """An item, or the declaration of an attribute, is not allowed."""

    status = -1001
    symbol = "LIME_ERROR_ITEM"


class NoSpaceError(LimelightError):
    """The disk, or the quota on it, is full."""

    status = -1004
    symbol = "LIME_ERROR_NO_SPACE"


class UnsupportedError(LimelightError):
    """The library, or this kind of index, cannot do that."""

    status = -1005
    symbol = "LIME_ERROR_UNSUPPORTED"


class QueryError(LimelightError, ValueError):
    """A query is nested too deeply or is too large."""

    status = -2002
    symbol = "LIME_ERROR_QUERY"


class CancelledError(LimelightError):
    """The call was cancelled; ``receipt`` is what a load had done by then."""

    status = -2003
    symbol = "LIME_ERROR_CANCELLED"
    receipt: Optional[Receipt] = None


class ClosedError(LimelightError):
    """What was asked is closed, or was closed while the call ran."""

    status = -3003
    symbol = "LIME_ERROR_CLOSED"


class HandleError(ClosedError):
    """The library was given a handle that is closed, as another thread has just done."""

    status = -3000
    symbol = "LIME_ERROR_HANDLE"


class ArgumentError(LimelightError, ValueError):
    """An argument is not allowed."""

    status = -3001
    symbol = "LIME_ERROR_ARGUMENT"


class TextError(LimelightError, ValueError):
    """A text is not UTF-8."""

    status = -3002
    symbol = "LIME_ERROR_TEXT"


class ReadOnlyError(LimelightError):
    """The index was opened for reading."""

    status = -3004
    symbol = "LIME_ERROR_READ_ONLY"


class NotFoundError(LimelightError, LookupError):
    """There is no such index, item or value."""

    status = -3005
    symbol = "LIME_ERROR_NOT_FOUND"


class KindError(LimelightError):
    """The attribute's value is of another kind."""

    status = -3006
    symbol = "LIME_ERROR_KIND"


class DamagedError(LimelightError):
    """Bytes of a file are not what was written; ``file``, ``section``, ``offset`` tell where."""

    status = -3007
    symbol = "LIME_ERROR_DAMAGED"


class NewerError(LimelightError):
    """A later version of Limelight wrote the index."""

    status = -3008
    symbol = "LIME_ERROR_NEWER"


class OlderError(LimelightError):
    """An earlier version wrote the index, in a format that this one does not read any more."""

    status = -3016
    symbol = "LIME_ERROR_OLDER"


class AnalyzerError(LimelightError):
    """The index needs an analyzer that this library does not have."""

    status = -3009
    symbol = "LIME_ERROR_ANALYZER"


class NotStoredError(LimelightError):
    """The index does not store its items."""

    status = -3010
    symbol = "LIME_ERROR_NOT_STORED"


class InputOutputError(LimelightError):
    """The operating system reported an error."""

    status = -3011
    symbol = "LIME_ERROR_IO"


class PermissionDeniedError(LimelightError):
    """The operating system does not permit it."""

    status = -3012
    symbol = "LIME_ERROR_PERMISSION"


class PoisonedError(LimelightError):
    """A write failed and its outcome is unknown: open the index again."""

    status = -3013
    symbol = "LIME_ERROR_POISONED"


class ForkedError(LimelightError):
    """What was asked belongs to the process that forked this one: open it again here."""

    status = -3014
    symbol = "LIME_ERROR_FORKED"


class LimitError(LimelightError):
    """Too many indexes, results, queries and the like are alive."""

    status = -3015
    symbol = "LIME_ERROR_LIMIT"


class TimedOutError(LimelightError, TimeoutError):
    """What was waited for has not come in the time."""

    status = -3017
    symbol = "LIME_ERROR_TIMED_OUT"


def failure(status: int) -> LimelightError:
    """The exception for the call that has just failed in this thread."""
    details: Dict[str, Any] = json.loads(_text(lime.last_error_json()) or "{}")
    symbol = _text(lime.status_name(status))
    if details.get("status") != status:
        details = {}
    known = _BY_STATUS.get(status, LimelightError)
    error = known(details.get("message") or symbol)
    error.status, error.symbol = status, symbol
    error.file, error.section = details.get("file"), details.get("section")
    error.offset, error.holder = details.get("offset"), details.get("holder")
    return error


def check(status: int) -> None:
    """Raises the exception of a status that is not 0."""
    if status:
        raise failure(status)


def _text(text: object) -> str:
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else ""
