"""Values of attributes, and how they stand in JSON.

A text attribute holds a ``str``, a list of them or, by language, a dict of them; the others hold
numbers, ``bool``, ``datetime``, lists of these, ``bytes``, lists of ``Person``, and dicts of lists
of texts. Dates are aware of their time zone; what is read is in UTC.
"""

from __future__ import annotations

import base64
import ctypes
import json
import math
import numbers
import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from typing import Any, Callable, Dict, List, Mapping, Sequence, Union, cast

from ._errors import check
from ._handles import Handle
from ._library import lime

#: The enumerator ``LIME_KIND_DATE``.
KIND_DATE = 5

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MICROSECOND = timedelta(microseconds=1)
_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|[+-]\d{6,}-\d\d-\d\dT[\d:.]+Z")


@dataclass(frozen=True)
class Person:
    """Somebody: a name as it is shown, and mail addresses, telephone numbers and the like."""

    name: str = ""
    handles: Sequence[str] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "handles", tuple(self.handles))


#: What an attribute of an item may hold. Dates beyond the years 1 to 9999 are read as ISO 8601
#: text.
Value = Union[
    str,
    float,
    bool,
    date,
    datetime,
    bytes,
    bytearray,
    memoryview,
    Person,
    Sequence[str],
    Sequence[datetime],
    Sequence[Person],
    Mapping[str, str],
    Mapping[str, Sequence[str]],
]


def microseconds(moment: date) -> int:
    """A moment as the library counts it: since 1970, in UTC. A day stands for its beginning."""
    if not isinstance(moment, datetime):
        moment = datetime(moment.year, moment.month, moment.day, tzinfo=timezone.utc)
    return (_aware(moment) - _EPOCH) // _MICROSECOND


def iso(moment: date) -> str:
    """A moment as ISO 8601 text."""
    if isinstance(moment, datetime):
        return _aware(moment).astimezone(timezone.utc).isoformat()
    return moment.isoformat()


def _aware(moment: datetime) -> datetime:
    if moment.utcoffset() is None:
        raise ValueError(f"{moment!r} has no time zone, such as tzinfo=timezone.utc")
    return moment


def moment(text: str) -> Union[datetime, str]:
    """A moment out of the library's ISO 8601 text; the text where no ``datetime`` reaches."""
    try:
        return datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return text


def plain(value: object) -> object:
    """A value as JSON can hold it: for what ``json`` does not know by itself."""
    if isinstance(value, date):
        return iso(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return base64.b64encode(cast(bytes, value)).decode("ascii")
    if isinstance(value, Person):
        return {"displayName": value.name, "handles": list(value.handles)}
    if isinstance(value, Mapping):
        return dict(cast(Mapping[str, object], value))
    if isinstance(value, Sequence):
        return list(cast(Sequence[object], value))
    if isinstance(value, numbers.Real):
        return float(value)
    raise TypeError(f"{type(value).__name__} is no value of an attribute: {value!r:.60}")


def finite(value: object) -> object:
    """The value with its infinities as whole numbers that are as much too large.

    JSON has no infinities. So the item is refused by itself, and with the right reason.
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else 10**400
    if isinstance(value, Mapping):
        return {name: finite(part) for name, part in cast(Mapping[str, object], value).items()}
    if isinstance(value, (list, tuple)):
        return [finite(part) for part in cast(Sequence[object], value)]
    return value


class _Kinds:
    """The kinds of the built-in attributes by name, read when first needed."""

    def __init__(self) -> None:
        self._kinds: Dict[str, str] = {}

    def __call__(self) -> Dict[str, str]:
        if not self._kinds:
            kinds: Dict[str, str] = {}
            for attribute in json.loads(attributes_json()):
                for name in [attribute["name"], *attribute["aliases"]]:
                    kinds[name] = attribute["kind"]
            self._kinds = kinds
        return self._kinds


#: The kinds of the built-in attributes, ``"text"``, ``"date"`` and so on, by name and alias.
kinds = _Kinds()


def attributes_json() -> bytes:
    """The built-in attributes, as the library lists them."""
    listed: object = lime.attributes()
    assert isinstance(listed, bytes)
    return listed


def decode(attributes: Dict[str, Any], is_date: Callable[[str], bool]) -> Dict[str, Value]:
    """Attributes out of JSON, with the types that their kinds have in Python.

    What an attribute of the host's holds is told by JSON, but for dates; ``is_date`` is asked
    about texts that look like one.
    """
    known = kinds()
    for name, value in attributes.items():
        kind = known.get(name)
        if kind is None:
            if isinstance(value, str) and _DATE.fullmatch(value) and is_date(name):
                attributes[name] = moment(value)
        elif kind == "date":
            attributes[name] = moment(value)
        elif kind == "dates":
            attributes[name] = [moment(text) for text in value]
        elif kind == "data":
            attributes[name] = base64.b64decode(value)
        elif kind == "persons":
            attributes[name] = [Person(one["displayName"], one["handles"]) for one in value]
    return attributes


def holds_date(item: Handle, name: str) -> bool:
    """Whether the value of an item's attribute is a date."""
    encoded, kind = name.encode(), ctypes.c_int()
    check(lime.item_value(item, encoded, len(encoded), ctypes.byref(kind), None))
    return kind.value == KIND_DATE


def texts(value: Value) -> List[str]:
    """The texts of a value in the order in which highlights count them."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Person):
        return [value.name, *value.handles]
    found: List[str] = []
    if isinstance(value, Mapping):
        # Only lists by name are sorted; languages keep their order.
        entries: Any = value.items()
        if any(not isinstance(entry, str) for entry in value.values()):
            entries = sorted(entries, key=lambda entry: entry[0].encode())
        for _, entry in entries:
            found.extend([entry] if isinstance(entry, str) else entry)
    elif isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray, memoryview)):
        for part in value:
            if isinstance(part, (str, Person)):
                found.extend(texts(part))
    return found
