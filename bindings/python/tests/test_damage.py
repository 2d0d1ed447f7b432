"""Damage is found, and told with its place."""

from __future__ import annotations

import unittest
from pathlib import Path
from typing import Callable, List

from limelight import (
    ArgumentError,
    DamagedError,
    Index,
    LimelightError,
    LockedError,
    NewerError,
    NotFoundError,
    OlderError,
    Problem,
    repair,
    verify,
)
from support import Case, notes, python


class DamageTests(Case):
    def damaged(self) -> Path:
        path = self.folder / "x"
        with Index(path) as index:
            index.put(notes())
            self.assertEqual(index.verify(), ())
        self.assertEqual(verify(path), ())
        segment = max(path.iterdir(), key=lambda file: file.stat().st_size)
        content = bytearray(segment.read_bytes())
        content[len(content) // 2] ^= 0xFF
        segment.write_bytes(content)
        return path

    def test_verify_tells_what_is_damaged(self) -> None:
        found = verify(self.damaged())
        self.assertTrue(found)
        self.assertIsInstance(found[0], Problem)
        self.assertTrue(found[0].file)
        self.assertEqual(found[0].status, DamagedError.status)
        self.assertTrue(found[0].message)

    def test_other_versions_are_no_damage(self) -> None:
        path = self.damaged()
        manifest = next(path.glob("manifest.*"))
        for version, kind in ((99, NewerError), (0, OlderError)):
            content = bytearray(manifest.read_bytes())
            content[8] = version
            manifest.write_bytes(content)
            uses: List[Callable[[Path], object]] = [
                verify,
                lambda place: Index(place, read_only=True),
                Index,
            ]
            for use in uses:
                with self.assertRaises(kind) as caught:
                    use(path)
                self.assertEqual(caught.exception.file, manifest.name)
                self.assertIn(f"format {version}", caught.exception.message)

    def test_reading_damage_raises_with_the_place(self) -> None:
        path = self.damaged()
        caught = None
        try:
            with Index(path, read_only=True) as index:
                for id in "1234":
                    index.get(id)
                    index.search("cream OR zen", limit=5).lines(highlights=True)
                self.assertTrue(index.verify())
        except DamagedError as error:
            caught = error
        if caught is not None:
            self.assertTrue(caught.file)
            self.assertEqual(caught.symbol, "LIME_ERROR_DAMAGED")
            self.assertEqual(caught.message, str(caught))

    def test_a_manifest_of_zeros(self) -> None:
        path = self.folder / "x"
        with Index(path) as index:
            index.put(notes())
        for file in path.iterdir():
            file.write_bytes(bytes(file.stat().st_size))
        with self.assertRaises(LimelightError):
            Index(path)
        self.assertTrue(verify(path))

    def test_damaged_segments_stay_out(self) -> None:
        path = self.damaged()
        with Index(path, read_only=True, skip_damaged=True, read_files=True) as index:
            (skipped,) = index.skipped
            self.assertEqual(skipped.items + index.count(), 4)
            self.assertEqual(skipped.problem.file, skipped.file)
            self.assertEqual(index.verify(), ())
        with self.assertRaises(ArgumentError):
            Index(path, skip_damaged=True)
        with self.index(notes()) as whole:
            self.assertEqual(whole.skipped, ())

    def test_a_file_that_is_cut_short_under_a_guarded_map(self) -> None:
        path = self.folder / "x"
        with Index(path) as index:
            index.put(
                {"id": str(number), "attributes": {"title": f"tea {number} {number * 7}"}}
                for number in range(3000)
            )
            index.merge()
        # In a process of its own: the handler stays, and the interpreter's own is there first.
        done = python(
            """
            import os, sys, limelight
            from pathlib import Path
            path = Path(sys.argv[1])
            index = limelight.Index(path, read_only=True, guard_maps=True)
            results = index.search("tea", limit=5)
            segment = max(path.iterdir(), key=lambda file: file.stat().st_size)
            for size in (segment.stat().st_size - 1, 70000, 0):
                os.truncate(segment, size)
                for call in (
                    lambda: index.search("tea"),
                    lambda: index.get("77"),
                    lambda: results[3].item(),
                    lambda: list(index.ids()),
                ):
                    try:
                        call()
                        print("an answer")
                    except limelight.DamagedError as error:
                        print(error.file == segment.name, error.offset is not None)
            print(len(index.verify()) > 0)
            index.close()
            """,
            str(path),
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.split("\n"), ["True True"] * 12 + ["True", ""])
        with self.assertRaises(ArgumentError):
            Index(path, read_only=True, guard_maps=True, read_files=True)

    def test_a_flipped_byte_is_repaired_or_its_loss_is_told(self) -> None:
        path = self.damaged()
        before = {file.name: file.read_bytes() for file in path.iterdir()}
        planned = repair(path, dry_run=True)
        self.assertTrue(planned.problems)
        self.assertIsNone(planned.path)
        self.assertEqual({file.name: file.read_bytes() for file in path.iterdir()}, before)
        report = repair(path)
        self.assertEqual((report.lost, report.unidentified), (planned.lost, planned.unidentified))
        self.assertEqual(report.path, str(path))
        self.assertIsNotNone(report.original)
        old = Path(report.original or "")
        self.assertEqual({file.name: file.read_bytes() for file in old.iterdir()}, before)
        self.assertEqual(verify(path), ())
        with Index(path) as index:
            missing = len(report.lost) + sum(report.unidentified.values())
            self.assertEqual(index.count() + missing, 4)
            self.assertEqual(report.complete, missing == 0)
            with self.assertRaises(LockedError):
                repair(path)
        self.assertEqual(repair(path).problems, ())

    def test_a_flipped_bit_loses_nothing(self) -> None:
        path = self.damaged()
        segment = max(path.iterdir(), key=lambda file: file.stat().st_size)
        content = bytearray(segment.read_bytes())
        content[len(content) // 2] ^= 0xFE  # of the byte that was flipped one bit stays flipped
        segment.write_bytes(content)
        output = self.folder / "repaired"
        report = repair(path, output=output)
        self.assertTrue(report.complete)
        self.assertEqual((report.path, report.original), (str(output), None))
        with Index(output, read_only=True) as index:
            self.assertEqual(sorted(index.ids()), ["1", "2", "3", "4"])
        self.assertTrue(verify(path))
        with self.assertRaises(LimelightError):
            repair(path, output=output)

    def test_no_index_is_not_found(self) -> None:
        with self.assertRaises(NotFoundError) as caught:
            verify(self.folder / "none")
        self.assertIsInstance(caught.exception, LookupError)


if __name__ == "__main__":
    unittest.main()
