"""What the tests share: folders that go away, items, programs of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

import limelight

#: The header and the rest of the checkout that the tests lie in.
CHECKOUT = Path(__file__).resolve().parents[3]
HEADER = CHECKOUT / "include" / "limelight.h"


class Case(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="limelight-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def index(self, items: Optional[List[Dict[str, object]]] = None) -> limelight.Index:
        """An index in memory that is closed behind the test."""
        index = limelight.Index.in_memory()
        self.addCleanup(index.close)
        if items:
            index.put(items).raise_for_refused()
        return index


def notes() -> List[Dict[str, object]]:
    """A few items."""
    return [
        note("1", "Crème brûlée", "notes.food", rating=5),
        note("2", "Ice cream minutes", "notes.work", rating=2),
        note("3", "Cream of tomato soup", "notes.food", rating=4),
        note("4", "The Zen of tea", None, keywords=["green tea", "calm"]),
    ]


def note(
    id: str, title: str, domain: Optional[str] = None, **attributes: object
) -> Dict[str, object]:
    """An item."""
    item: Dict[str, object] = {"id": id, "attributes": {"title": title, **attributes}}
    if domain is not None:
        item["domain"] = domain
    return item


def ignoring_arguments(function: Callable[[], object]) -> Callable[..., None]:
    """The function as a signal handler."""

    def handler(*_: object) -> None:
        function()

    return handler


class Enough(Exception):
    """What the tests' signal handlers raise."""


def interrupt(call: Callable[[], object], delay: float) -> None:
    """Makes a call again and again, until a signal handler raises in it.

    What a handler raises in a finalizer is lost, in Python; so there are several signals.
    """

    def handler(*_: object) -> None:
        raise Enough

    def ignore(lost: "sys.UnraisableHookArgs") -> None:
        if not isinstance(lost.exc_value, Enough):
            sys.__unraisablehook__(lost)

    hook, before = sys.unraisablehook, signal.signal(signal.SIGALRM, handler)
    sys.unraisablehook = ignore
    signal.setitimer(signal.ITIMER_REAL, delay, 0.5)
    try:
        while True:
            call()
    except Enough:
        signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, before)
        sys.unraisablehook = hook


def untyped(value: object) -> Any:
    """A value that the type checkers let pass, for calls that are wrong on purpose."""
    return value


def python(
    code: str, *arguments: str, environment: Optional[Dict[str, str]] = None, timeout: float = 120
) -> "subprocess.CompletedProcess[str]":
    """Runs a program in an interpreter of its own."""
    return subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(code), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        timeout=timeout,
        env={**os.environ, **(environment or {})},
    )
