"""Queries: what is to be found, as a tree."""

from __future__ import annotations

import ctypes
import numbers
from datetime import date, datetime
from typing import Iterable, Optional, Sequence, Tuple, Union

from ._handles import Handle, encode, make
from ._library import Function, lime
from ._values import microseconds

_NO_LOWER, _NO_UPPER, _ABOVE, _BELOW = 0x1, 0x2, 0x4, 0x8

#: A bound of a range.
Bound = Union[float, date, datetime, str]


class Query:
    """What is to be found. Queries are made by the functions below, and combine.

    ``a & b`` finds what matches both, ``a | b`` what matches either, ``~a`` what does not match:

    >>> from limelight import Query
    >>> query = (Query.term("cream") | Query.fuzzy("brulee")) & ~Query.domain("notes.work")
    >>> query &= Query.between("rating", 4, None)

    Texts are plain text, analysed like the items: case and accents make no difference, and several
    words stand for these words in a row. ``attribute`` confines a query to one attribute; without
    it, all those that are searched by default are. A query never changes, and can be asked of any
    number of indexes, from any thread. What is too deep or too large raises ``QueryError``.
    """

    __slots__ = ("_handle", "_text", "_operator", "_parts")

    _handle: Handle
    _text: str
    _operator: str
    _parts: Tuple[Query, ...]

    def __init__(self) -> None:
        raise TypeError("queries are made by Query.term, Query.phrase and the like")

    # ------------------------------------------------------------------ Words

    @classmethod
    def term(cls, text: str, attribute: Optional[str] = None) -> Query:
        """Items that hold the word."""
        return cls._about_text("term", lime.query_term, text, attribute)

    @classmethod
    def prefix(cls, text: str, attribute: Optional[str] = None) -> Query:
        """Items that hold a word with this beginning."""
        return cls._about_text("prefix", lime.query_prefix, text, attribute)

    @classmethod
    def phrase(cls, text: str, attribute: Optional[str] = None) -> Query:
        """Items that hold the words one after the other."""
        return cls._about_text("phrase", lime.query_phrase, text, attribute)

    @classmethod
    def fuzzy(cls, text: str, attribute: Optional[str] = None, *, distance: int = 1) -> Query:
        """Items that hold the word or one within ``distance`` (0, 1 or 2) letters of it."""
        if not 0 <= distance <= 2:
            raise ValueError(f"distance must be 0, 1 or 2, not {distance}")
        word, name = encode(text, "text"), _name(attribute)
        return cls._made(
            f"Query.fuzzy({_listed(text, attribute)}, distance={distance})",
            lime.query_fuzzy, word, len(word), distance, name, len(name or b""),
        )

    # ----------------------------------------------------------------- Values

    @classmethod
    def between(
        cls,
        attribute: str,
        lower: Optional[Bound],
        upper: Optional[Bound],
        *,
        above: bool = False,
        below: bool = False,
    ) -> Query:
        """Items with a value of the attribute between two numbers, dates or texts.

        A bound of None is open. With ``above`` the lower bound itself is left out, with ``below``
        the upper one. Texts are compared without case and accents first; those of up to 255 bytes
        in filter, named and title-like attributes can be.
        """
        name = encode(attribute, "attribute")
        flags = (_NO_LOWER if lower is None else 0) | (_NO_UPPER if upper is None else 0)
        flags |= (_ABOVE if above else 0) | (_BELOW if below else 0)
        marks = f"{', above=True' if above else ''}{', below=True' if below else ''}"
        text = f"Query.between({attribute!r}, {lower!r}, {upper!r}{marks})"
        bounds = [bound for bound in (lower, upper) if bound is not None]
        if all(isinstance(bound, str) for bound in bounds) and bounds:
            low, high = (encode(str(one or ""), "a bound") for one in (lower, upper))
            return cls._made(
                text,
                lime.query_texts, name, len(name), low, len(low), high, len(high), flags,
            )
        if all(isinstance(bound, date) for bound in bounds) and bounds:
            first, last = (
                microseconds(one) if isinstance(one, date) else 0 for one in (lower, upper)
            )
            return cls._made(text, lime.query_dates, name, len(name), first, last, flags)
        if not all(isinstance(bound, numbers.Real) for bound in bounds):
            raise TypeError("the bounds must both be numbers, both dates or both texts")
        least, most = (
            0.0 if one is None or isinstance(one, (str, date)) else float(one)
            for one in (lower, upper)
        )
        return cls._made(text, lime.query_numbers, name, len(name), least, most, flags)

    @classmethod
    def equal(cls, attribute: str, value: Union[bool, Bound]) -> Query:
        """Items whose attribute has this value."""
        if not isinstance(value, bool):
            return cls.between(attribute, value, value)
        name = encode(attribute, "attribute")
        return cls._made(
            f"Query.equal({attribute!r}, {value!r})", lime.query_bool, name, len(name), int(value)
        )

    @classmethod
    def has(cls, attribute: str) -> Query:
        """Items that have any value of a comparable attribute."""
        name = encode(attribute, "attribute")
        return cls._made(f"Query.has({attribute!r})", lime.query_has, name, len(name))

    @classmethod
    def domain(cls, domain: str) -> Query:
        """Items of the domain or of one below it."""
        name = encode(domain, "domain")
        return cls._made(f"Query.domain({domain!r})", lime.query_domain, name, len(name))

    @classmethod
    def everything(cls) -> Query:
        """All items."""
        return cls._made("Query.everything()", lime.query_everything)

    @classmethod
    def nothing(cls) -> Query:
        """No item."""
        return cls._made("Query.nothing()", lime.query_nothing)

    # ------------------------------------------------------------ Combinations

    @classmethod
    def all(cls, queries: Iterable[Query]) -> Query:
        """Items that match all of the queries; no queries match everything."""
        return cls._combined("all", lime.query_all, tuple(queries))

    @classmethod
    def any(cls, queries: Iterable[Query]) -> Query:
        """Items that match at least one of the queries; no queries match nothing."""
        return cls._combined("any", lime.query_any, tuple(queries))

    @classmethod
    def boolean(
        cls,
        *,
        must: Iterable[Query] = (),
        should: Iterable[Query] = (),
        must_not: Iterable[Query] = (),
    ) -> Query:
        """Items that match all of ``must`` and none of ``must_not``.

        What they match of ``should`` adds to the score. Without any ``must``, one of ``should``
        has to match; without these too, every item does that ``must_not`` leaves over.
        """
        lists = {"must": tuple(must), "should": tuple(should), "must_not": tuple(must_not)}
        text = ", ".join(f"{name}={list(queries)!r}" for name, queries in lists.items() if queries)
        arguments = [part for queries in lists.values() for part in _pointers(queries)]
        return cls._made(f"Query.boolean({text})", lime.query_boolean, *arguments)

    def __and__(self, other: Query) -> Query:
        if not isinstance(other, Query):
            return NotImplemented
        return Query.all(self._flattened("all") + other._flattened("all"))

    def __or__(self, other: Query) -> Query:
        if not isinstance(other, Query):
            return NotImplemented
        return Query.any(self._flattened("any") + other._flattened("any"))

    def __invert__(self) -> Query:
        if self._operator == "not":
            return self._parts[0]
        query = self._made(f"~{self._grouped()}", lime.query_not, self)
        query._operator, query._parts = "not", (self,)
        return query

    def __repr__(self) -> str:
        return self._text

    # ----------------------------------------------------------------- Making

    @property
    def _as_parameter_(self) -> Handle:
        return self._handle

    @classmethod
    def _made(cls, text: str, function: Function, *arguments: object) -> Query:
        handle = make(lime.query_free, function, *arguments)
        return cls._of(handle, text)

    @classmethod
    def _of(cls, handle: Handle, text: str) -> Query:
        query = object.__new__(cls)
        query._handle, query._text, query._operator, query._parts = handle, text, "", ()
        return query

    @classmethod
    def _about_text(
        cls, form: str, function: Function, text: str, attribute: Optional[str]
    ) -> Query:
        word, name = encode(text, "text"), _name(attribute)
        return cls._made(
            f"Query.{form}({_listed(text, attribute)})",
            function, word, len(word), name, len(name or b""),
        )

    @classmethod
    def _combined(cls, operator: str, function: Function, parts: Tuple[Query, ...]) -> Query:
        mark = " & " if operator == "all" else " | "
        text = f"Query.{operator}({list(parts)!r})"
        if 2 <= len(parts) <= 32:
            text = mark.join(part._grouped() for part in parts)
        query = cls._made(text, function, *_pointers(parts))
        query._operator, query._parts = operator, parts
        return query

    def _flattened(self, operator: str) -> Tuple[Query, ...]:
        """The parts of a chain of one operator, so that a long chain is not a deep tree."""
        return self._parts if self._operator == operator else (self,)

    def _grouped(self) -> str:
        return f"({self._text})" if self._operator in ("all", "any") else self._text


def asked(
    query: Union[str, Query], of_query: Function, of_text: Function
) -> Tuple[Function, Tuple[object, ...]]:
    """The function that takes what was asked, and what it takes of it."""
    if isinstance(query, Query):
        return of_query, (query,)
    encoded = encode(query, "query")
    return of_text, (encoded, len(encoded))


def _name(attribute: Optional[str]) -> Optional[bytes]:
    return None if attribute is None else encode(attribute, "attribute")


def _listed(text: str, attribute: Optional[str]) -> str:
    return repr(text) if attribute is None else f"{text!r}, {attribute!r}"


def _pointers(queries: Sequence[Query]) -> Tuple[object, int]:
    """Queries as the library takes several of them: their handles, and how many they are."""
    handles: "ctypes.Array[ctypes.c_void_p]" = (ctypes.c_void_p * len(queries))()
    for place, query in enumerate(queries):
        if not isinstance(query, Query):
            raise TypeError(f"a query is wanted, not {type(query).__name__}")
        handles[place] = query._handle._as_parameter_
    return handles, len(queries)
