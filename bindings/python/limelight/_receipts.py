"""Receipts: what a change did, and which items it refused."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, NamedTuple, Optional, Tuple

from ._errors import ItemError
from ._handles import Handle, copied
from ._library import lime
from ._lines import MadeId


class Refusal(NamedTuple):
    """An item that was not taken."""

    #: Its place among the items of the call, from 0.
    position: int
    #: Its line in a text of lines, from 1; None where items came in another way.
    line: Optional[int]
    #: Its id, if there is one that can be read; also of a line that is no item.
    id: Optional[str]
    #: Why, as a stable word: ``"wrongKind"``, ``"invalidJSON"`` and the like.
    code: str
    #: The attribute or member that is to blame.
    attribute: Optional[str]
    #: Why, for people.
    message: str


@dataclass(frozen=True)
class Receipt:
    """What a change did.

    A bad item is refused by itself and the others are taken; ``refused`` lists the refusals, and
    ``raise_for_refused`` makes an exception of them.
    """

    #: The number of the change: later ones have higher numbers.
    generation: int = 0
    #: Whether the change was on disk when the call returned: always at level ``"full"``.
    durable: bool = True
    #: How many items were put.
    put: int = 0
    #: How many items were deleted; those that a put replaced do not count.
    deleted: int = 0
    #: The items that were not taken.
    refused: Tuple[Refusal, ...] = ()
    #: The ids that were made for items without one.
    made: Tuple[MadeId, ...] = ()
    #: How many lines a load read.
    read: int = 0
    #: How many bytes of lines a load read.
    bytes: int = 0
    #: How long a load took.
    seconds: float = 0.0

    def raise_for_refused(self) -> Receipt:
        """The receipt itself, if nothing was refused; else raises ``ItemError``."""
        if self.refused:
            first = self.refused[0]
            others = len(self.refused) - 1
            blame = f"{first.attribute}: " if first.attribute else ""
            raise ItemError(
                f"item {first.position} was refused"
                f"{f', like {others} others' if others else ''}: "
                f"{blame}{first.message} ({first.code})"
            )
        return self


class Progress(NamedTuple):
    """How far a load is."""

    #: Lines that were read.
    read: int
    #: Items that were put.
    put: int
    #: Items that were refused.
    refused: int
    #: Bytes that were read.
    bytes: int
    #: Seconds since the start.
    seconds: float


def read_receipt(handle: Handle) -> Receipt:
    """The receipt of a handle."""
    members: Dict[str, Any] = json.loads(copied(lime.receipt_json, handle))
    return Receipt(
        generation=members["generation"],
        durable=members["durable"],
        put=members["put"],
        deleted=members["deleted"],
        refused=tuple(
            Refusal(
                position=one["position"],
                line=one.get("line"),
                id=one.get("id"),
                code=one["code"],
                attribute=one.get("attribute"),
                message=one["message"],
            )
            for one in members["refused"]
        ),
        made=tuple(MadeId(one["position"], one["id"]) for one in members["made"]),
        read=members.get("read", 0),
        bytes=members.get("bytes", 0),
        seconds=members.get("microseconds", 0) / 1e6,
    )


def joined(earlier: Receipt, later: Receipt) -> Receipt:
    """Two receipts of one call as one."""
    return Receipt(
        generation=max(earlier.generation, later.generation),
        durable=later.durable,
        put=earlier.put + later.put,
        deleted=earlier.deleted + later.deleted,
        refused=earlier.refused + later.refused,
        made=earlier.made + later.made,
    )
