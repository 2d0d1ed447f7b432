"""Finding the library, and what is said when it is not there."""

from __future__ import annotations

import os
import shutil
import unittest

import limelight
from limelight._library import FILE_NAME, lime
from support import Case, python

#: Puts a copy of the package, without a library in it, before all others.
COPY = """
    import os, shutil, sys
    source, place = sys.argv[1:3]
    shutil.copytree(source, os.path.join(place, "limelight"),
                    ignore=shutil.ignore_patterns("*.so*", "__pycache__"))
    sys.path.insert(0, place)
    sys.dont_write_bytecode = True
    try:
        import limelight
    except ImportError as error:
        print("ImportError:", error)
    else:
        print(limelight._library.lime.path)
"""


class LibraryTests(Case):
    def load(self, library: str) -> str:
        package = os.path.dirname(os.path.abspath(limelight.__file__))
        environment = {"LIMELIGHT_LIBRARY": library, "LD_LIBRARY_PATH": ""}
        done = python(COPY, package, str(self.folder), environment=environment)
        self.assertEqual(done.stderr, "")
        return done.stdout.strip()

    def test_the_environment_names_it(self) -> None:
        library = str(self.folder / "elsewhere.so")
        shutil.copy(lime.path, library)
        self.assertEqual(self.load(library), library)

    def test_a_missing_library_is_said_with_all_places(self) -> None:
        said = self.load("/nowhere/liblimelight.so.1")
        self.assertIn("cannot be loaded", said)
        self.assertIn("LIMELIGHT_LIBRARY", said)
        self.assertIn("/nowhere/liblimelight.so.1: there is no such file", said)
        self.assertIn(str(self.folder / "limelight" / FILE_NAME), said)

    def test_another_library_is_told_by_the_symbol_that_is_missing(self) -> None:
        self.assertIn("it has no lime_version", self.load("libc.so.6"))

    def test_what_is_no_library_is_told(self) -> None:
        path = self.folder / "text.so"
        path.write_text("not a library")
        self.assertIn(f"{path}: ", self.load(str(path)))

    def test_versions_fit(self) -> None:
        self.assertEqual(limelight.capabilities().version, limelight.__version__)

    def test_importing_is_quick_and_quiet(self) -> None:
        done = python(
            """
            import threading, limelight, sys
            print(threading.active_count(), "asyncio" in sys.modules)
            """
        )
        self.assertEqual((done.stdout, done.stderr), ("1 False\n", ""))


if __name__ == "__main__":
    unittest.main()
