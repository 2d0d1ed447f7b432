"""The examples of the documentation run, and everything is documented."""

from __future__ import annotations

import doctest
import importlib
import inspect
import os
import pkgutil
import pydoc
import unittest
from pathlib import Path
from typing import Any

import limelight
from support import Case

README = Path(__file__).resolve().parents[1] / "README.md"


class DocumentationTests(Case):
    def test_examples_of_every_module(self) -> None:
        attempted = 0
        for module in pkgutil.iter_modules(limelight.__path__):
            result = doctest.testmod(importlib.import_module(f"limelight.{module.name}"))
            self.assertEqual(result.failed, 0)
            attempted += result.attempted
        result = doctest.testmod(limelight)
        self.assertEqual(result.failed, 0)
        self.assertGreater(attempted + result.attempted, 25)

    def test_examples_of_the_readme(self) -> None:
        before = os.getcwd()
        os.chdir(self.folder)
        try:
            result = doctest.testfile(str(README), module_relative=False)
        finally:
            os.chdir(before)
        self.assertEqual(result.failed, 0)
        self.assertGreater(result.attempted, 4)

    def test_all_that_is_public_is_documented(self) -> None:
        for name in limelight.__all__:
            thing = getattr(limelight, name)
            if not inspect.isclass(thing) and not inspect.isfunction(thing):
                continue
            self.assertTrue(inspect.getdoc(thing), name)
            if inspect.isclass(thing):
                for member, value in vars(thing).items():
                    if not member.startswith("_") and callable(value):
                        self.assertTrue(inspect.getdoc(value), f"{name}.{member}")

    def test_signatures_of_all_that_is_public_are_typed(self) -> None:
        """Each has its types, and none of them is Any."""
        checked = 0
        for name in limelight.__all__:
            thing = getattr(limelight, name)
            members = vars(thing).items() if inspect.isclass(thing) else [(name, thing)]
            for member, value in members:
                function: Any = value.fget if isinstance(value, property) else value
                function = getattr(function, "__func__", function)
                if not inspect.isfunction(function) or function.__name__.startswith("_"):
                    continue
                signature = inspect.signature(function)
                types = [one.annotation for one in signature.parameters.values()]
                types = types[0 if member == name else 1 :] + [signature.return_annotation]
                for annotation in types:
                    self.assertNotRegex(str(annotation), r"\bAny\b|_empty", f"{name}.{member}")
                    checked += 1
        self.assertGreater(checked, 120)

    def test_help_teaches(self) -> None:
        page = pydoc.plain(pydoc.render_doc(limelight))
        for word in ("index.search(", "class Index", "class Query", "class LockedError", "verify("):
            self.assertIn(word, page)

    def test_errors_tell_themselves(self) -> None:
        with self.assertRaises(limelight.NotFoundError) as caught:
            limelight.Index(self.folder / "none", read_only=True)
        error = caught.exception
        self.assertIsInstance(error, limelight.LimelightError)
        self.assertEqual((error.status, error.symbol), (-3005, "LIME_ERROR_NOT_FOUND"))
        self.assertTrue(error.message)


if __name__ == "__main__":
    unittest.main()
