"""How soon a change is on disk."""

from __future__ import annotations

from typing import Dict, Literal, Optional

from ._options import choice

#: How soon a change is on disk. Whatever the level, a change is found by every later search, and
#: safe from the end of this process, when its call returns. A power cut, or a crash of the whole
#: system, may take changes of the lower levels: always the last ones, none from the middle, and no
#: batch in part.
#:
#: ``"full"``: a change returns when it is on disk; a power cut takes nothing. ``"journaled"``: it
#: is synced within a second by a thread of the library; a power cut takes at most the changes of
#: the last second, unless the disk needs more than half of it for a sync. ``"relaxed"``: it is
#: synced by the next change of level ``"full"``, by ``flush``, ``commit``, ``merge`` and ``close``,
#: and by the checkpoint that the library makes at 8 MiB in memory and after a second without
#: changes; a power cut takes at most the changes since the last of these.
Durability = Literal["full", "journaled", "relaxed"]

#: The flags with which an index is opened at a level.
_FLAGS: Dict[str, int] = {"full": 0, "journaled": 0x100, "relaxed": 0x200}

#: The levels of single changes: ``lime_durability``.
LEVELS: Dict[str, int] = {"full": 1, "journaled": 2, "relaxed": 3}
_USUAL = 0


def open_flags(durability: Durability) -> int:
    """The flags of an index whose changes are of a level."""
    return choice(durability, _FLAGS, "durability")


def level(durability: Optional[Durability]) -> int:
    """The level of a change; None stands for that of the index."""
    return _USUAL if durability is None else choice(durability, LEVELS, "durability")
