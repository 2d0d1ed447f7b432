"""The table of signatures against the header and the library."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import unittest
from typing import Dict, List, Tuple

from limelight import _errors, _signatures
from limelight._library import lime
from limelight._values import KIND_DATE
from support import HEADER


def header() -> str:
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text("utf-8"), flags=re.S)
    return re.sub(r"\s+", " ", re.sub(r"^\s*#.*$", "", text, flags=re.M))


def normal(ctype: str) -> str:
    """A type as the table spells it."""
    return re.sub(r" ?\* ?", "*", re.sub(r"^const ", "", ctype.strip())).strip()


def declared() -> List[Tuple[str, str, Tuple[str, ...]]]:
    found: List[Tuple[str, str, Tuple[str, ...]]] = []
    form = r"((?:const )?\w+ ?\*?) ?\b(lime_\w+)\(([^)]*)\);"
    for result, name, rest in re.findall(form, header()):
        parameters: List[str] = [] if rest == "void" else rest.split(",")
        types = tuple(normal(re.sub(r"\w+$", "", one.strip())) for one in parameters)
        found.append((name, normal(result), types))
    return found


def enumerators(prefix: str) -> Dict[str, int]:
    return {
        name: int(value, 0)
        for name, value in re.findall(rf"\b({prefix}\w*) = (-?\w+)", header())
    }


class SignatureTests(unittest.TestCase):
    def test_the_table_is_the_header(self) -> None:
        table = [tuple(signature) for signature in _signatures.signatures()]
        self.assertGreater(len(table), 130)
        self.assertEqual(table, declared())

    def test_the_library_exports_the_table(self) -> None:
        nm = shutil.which("nm", path=os.environ.get("PATH", "") + os.pathsep + os.defpath)
        if nm is None:
            self.skipTest("nm, of binutils, is missing")
        listing = subprocess.run(
            [nm, "-D", "-g", "--defined-only", lime.path],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout
        exported = {line.split()[-1].split("@")[0] for line in listing.splitlines()}
        exported.discard("LIME_0.1")  # the name of the version itself
        self.assertEqual(exported, {row.name for row in _signatures.signatures()})

    def test_structs_are_the_headers(self) -> None:
        structs = dict(re.findall(r"typedef struct \w+ \{([^}]*)\} (\w+);", header()))
        bodies = {name: body for body, name in structs.items()}
        self.assertEqual(set(bodies), set(_signatures.STRUCTURES))
        for name, body in bodies.items():
            fields: List[Tuple[str, object]] = []
            for field in filter(None, (field.strip() for field in body.split(";"))):
                member = re.split(r"\W+", field)[-1]
                fields.append((member, _signatures.ctype(normal(field[: -len(member)]))))
            with self.subTest(name):
                found: List[Tuple[str, object]] = [
                    (field[0], field[1])
                    for field in _signatures.STRUCTURES[name]._fields_
                ]
                self.assertEqual(found, fields)

    def test_callbacks_are_the_headers(self) -> None:
        for name, rest in re.findall(r"typedef int \(\*(\w+)\)\(([^)]*)\);", header()):
            types = [normal(re.sub(r"\w+$", "", one.strip())) for one in rest.split(",")]
            callback = _signatures.ctype(name)
            with self.subTest(name):
                self.assertIs(callback._restype_, ctypes.c_int)
                self.assertEqual(
                    list(callback._argtypes_), [_signatures.ctype(one) for one in types]
                )

    def test_exceptions_are_the_statuses(self) -> None:
        statuses = enumerators("LIME_ERROR_")
        classes = {
            error.symbol: status
            for status, error in sorted(_errors._BY_STATUS.items(), reverse=True)
        }
        self.assertEqual(list(classes.items()), list(statuses.items()))

    def test_numbers_are_the_headers(self) -> None:
        from limelight import _durability, _options, _queries, _results

        self.assertEqual(enumerators("LIME_KIND_DATE")["LIME_KIND_DATE"], KIND_DATE)
        analyzers = {name.upper(): place for place, name in enumerate(_options.ANALYZERS)}
        self.assertEqual(enumerators("LIME_ANALYZER_"), prefixed("LIME_ANALYZER_", analyzers))
        classes = {name.upper(): place for place, name in enumerate(_options.CLASSES)}
        self.assertEqual(enumerators("LIME_CLASS_"), prefixed("LIME_CLASS_", classes))
        levels = {name.upper(): level for name, level in _durability.LEVELS.items()}
        levels["USUAL"] = _durability.level(None)
        self.assertEqual(
            enumerators("LIME_DURABILITY_"), prefixed("LIME_DURABILITY_", levels)
        )
        kinds = {f"LIME_KIND_{name.upper()}": kind for name, kind in _options.KINDS.items()}
        self.assertLessEqual(kinds.items(), enumerators("LIME_KIND_").items())
        self.assertEqual(enumerators("LIME_UNIT_")["LIME_UNIT_SCALARS"], _results._SCALARS)
        text = HEADER.read_text("utf-8")
        constants = dict(re.findall(r"#define (LIME_\w+) (0x\w+)u", text))
        for name, value in {
            "LIME_OPEN_READ_ONLY": _options.READ_ONLY,
            "LIME_OPEN_WITHOUT_ITEMS": _options.WITHOUT_ITEMS,
            "LIME_OPEN_SKIP_DAMAGED": _options.SKIP_DAMAGED,
            "LIME_OPEN_READ_FILES": _options.READ_FILES,
            "LIME_OPEN_JOURNALED": _durability.open_flags("journaled"),
            "LIME_OPEN_RELAXED": _durability.open_flags("relaxed"),
            "LIME_OPEN_GUARD_MAPS": _options.GUARD_MAPS,
            "LIME_OPEN_SOLE_WRITER": _options.SOLE_WRITER,
            "LIME_MERGE_COMPACT": _options.COMPACT,
            "LIME_MERGE_REORDER": _options.REORDER,
            "LIME_REPAIR_SOLE_WRITER": _options.REPAIR_SOLE_WRITER,
            "LIME_REPAIR_DRY_RUN": _options.DRY_RUN,
            "LIME_SEARCH_TOTAL_AT_LEAST": _options.TOTAL_AT_LEAST,
            "LIME_SEARCH_WHOLE_WORDS": _options.WHOLE_WORDS,
            "LIME_RANGE_NO_LOWER": _queries._NO_LOWER,
            "LIME_RANGE_NO_UPPER": _queries._NO_UPPER,
            "LIME_RANGE_ABOVE": _queries._ABOVE,
            "LIME_RANGE_BELOW": _queries._BELOW,
            "LIME_JSON_ATTRIBUTES": _results._WITH_ATTRIBUTES,
            "LIME_JSON_HIGHLIGHTS": _results._WITH_HIGHLIGHTS,
        }.items():
            self.assertEqual(int(constants.pop(name), 16), value, name)
        self.assertEqual(constants, {}, "flags that Python does not have")
        self.assertIn(f"#define LIME_VERSION {_signatures.HEADER_VERSION}\n", text)


def prefixed(prefix: str, numbers: Dict[str, int]) -> Dict[str, int]:
    return {prefix + name: number for name, number in numbers.items()}


if __name__ == "__main__":
    unittest.main()
