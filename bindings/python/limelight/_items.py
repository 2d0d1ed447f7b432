"""Items: what an index holds."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Dict, Mapping, Optional, Union

from ._handles import Handle, borrow, copied, encode, lent, make
from ._library import lime
from ._lines import LineEncoder
from ._values import Value, decode, holds_date, moment


def _no_attributes() -> Dict[str, Value]:
    return {}


@dataclass
class Item:
    """Something to be found: an id, a domain, and attributes with values.

    >>> item = Item("42", domain="notes.food", attributes={"title": "Crème brûlée", "rating": 5})
    >>> item.to_json()
    '{"id":"42","domain":"notes.food","attributes":{"title":"Crème brûlée","rating":5}}'

    Wherever items go in, a dict of the same form as the JSON is taken as well; it is faster.

    Attributes are built-in ones (``limelight.attributes()`` lists them) or your own, whose kind is
    that of the first value put, if ``Index.declare`` does not say it before.
    """

    #: Up to 4,096 bytes of UTF-8, unique in an index; None lets ``put`` make a UUID.
    id: Optional[str] = None
    #: Components separated by periods, such as ``"mail.inbox"``.
    domain: Optional[str] = None
    #: The values by the attributes' names.
    attributes: Mapping[str, Value] = field(default_factory=_no_attributes)
    #: A uniform type identifier, such as ``"public.jpeg"``.
    content_type: Optional[str] = None
    #: The moment from which on the item is not found any more; None is never.
    expiration: Union[datetime, date, str, None] = None
    #: The encoded picture to show beside the item. In an item that was read it is a ``memoryview``.
    thumbnail: Union[bytes, bytearray, memoryview, None] = None

    def to_json(self, *, thumbnail: bool = True) -> str:
        """The item as a line of JSON, which ``from_json``, ``put_lines`` and ``load`` take.

        A thumbnail can be many times as long as all else; it can be left out.
        """
        members = self.to_dict()
        if not thumbnail:
            members.pop("thumbnail", None)
        return LineEncoder().line(members)

    def to_dict(self) -> Dict[str, object]:
        """The item as a dict of the same form as its JSON."""
        members: Dict[str, object] = {}
        for name, member in (
            ("id", self.id),
            ("domain", self.domain),
            ("contentType", self.content_type),
            ("expirationDate", self.expiration),
            ("thumbnail", self.thumbnail),
            ("attributes", self.attributes),
        ):
            if member is not None:
                members[name] = member
        return members

    @classmethod
    def from_json(cls, line: Union[str, bytes]) -> Item:
        """Reads a line of JSON; raises ``ItemError`` when it is no item."""
        encoded = encode(line, "a line") if isinstance(line, str) else bytes(line)
        return read_item(make(lime.item_free, lime.item_parse, encoded, len(encoded)))


def read_item(handle: Handle) -> Item:
    """The item of a handle."""
    address, length = lent(lime.item_thumbnail, handle)
    thumbnail = borrow(handle, address, length) if address else None
    members: Dict[str, Any] = json.loads(copied(lime.item_json_without_thumbnail, handle))
    expiration: Optional[str] = members.get("expirationDate")
    return Item(
        id=members.get("id"),
        domain=members.get("domain"),
        attributes=decode(members["attributes"], lambda name: holds_date(handle, name)),
        content_type=members.get("contentType"),
        expiration=None if expiration is None else moment(expiration),
        thumbnail=thumbnail,
    )
