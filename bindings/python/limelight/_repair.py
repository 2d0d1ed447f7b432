"""Repairing the index in a folder."""

from __future__ import annotations

import ctypes
import json
import os
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional, Tuple, Union

from ._cancellation import Cancellation, interruptible
from ._errors import check
from ._handles import Handle, copied, encode_path
from ._library import lime
from ._options import repair_options
from ._stats import Problem, read_problems


@dataclass(frozen=True)
class RepairReport:
    """What a repair found, kept and lost."""

    #: All that is wrong; nothing, if the index is whole, and then nothing was done.
    problems: Tuple[Problem, ...]
    #: Items that were taken out of damaged segments.
    rescued: int
    #: The ids of items that are lost.
    lost: Tuple[str, ...]
    #: How many items are lost together with their ids, by the segment that held them.
    unidentified: Mapping[str, int]
    #: The ids of items that are kept without their thumbnails.
    without_thumbnail: Tuple[str, ...]
    #: Changes of which the journal's records are lost.
    lost_changes: int
    #: The folder of the repaired index, if one was made.
    path: Optional[str]
    #: The folder with the files as they were before, if they have been moved.
    original: Optional[str]

    @property
    def complete(self) -> bool:
        """Whether nothing is lost."""
        return not (self.lost or self.unidentified or self.without_thumbnail or self.lost_changes)


def repair(
    path: Union[str, "os.PathLike[str]"],
    *,
    output: Union[str, "os.PathLike[str]", None] = None,
    dry_run: bool = False,
    sole_writer: bool = False,
    cancellation: Optional[Cancellation] = None,
) -> RepairReport:
    """Makes an index of all that is whole in a damaged one, in a folder of its own.

    Without ``output`` the two folders are then swapped in one step, and the old files are in the
    folder beside whose name ends in ``.before-repair``; nothing ever removes them. A folder given
    as ``output`` has to be empty or not there; ``path`` then stays as it is. ``dry_run`` changes
    nothing and tells what would be lost. An index that is whole is left alone. ``sole_writer`` is
    that of ``Index``.

    Raises ``LockedError`` while the index is open for writing, ``DamagedError`` when nothing can be
    made of it. When it raises, the index is as it was.
    """
    encoded, target = encode_path(path), None if output is None else encode_path(output)
    count, report = ctypes.c_size_t(), Handle(lime.string_free)
    options = repair_options(target, dry_run, sole_writer, cancellation)

    def repair() -> None:
        check(lime.repair(encoded, ctypes.byref(options), ctypes.byref(count), report.out))

    interruptible(repair, cancellation)
    members: Dict[str, Any] = json.loads(copied(lime.string_data, report))
    return RepairReport(
        problems=read_problems(members["problems"]),
        rescued=members["rescued"],
        lost=tuple(members["lost"]),
        unidentified={one["file"]: one["items"] for one in members["unidentified"]},
        without_thumbnail=tuple(members["withoutThumbnail"]),
        lost_changes=members["lostChanges"],
        path=members["path"],
        original=members["original"],
    )
