"""How fast ``put`` and ``load`` are beside the command's own import.

    python measure.py COMMAND LINES.ndjson [RUNS]

COMMAND is ``limelight`` as ``make build`` builds it. Each way starts with an empty folder and ends
with a closed index; they take turns, and the best of RUNS counts. Puts get dicts that are in memory
already.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable, Dict, List, Tuple

import limelight


def main() -> None:
    command, source = sys.argv[1], Path(sys.argv[2])
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    with source.open(encoding="utf-8") as file:
        items: List[Dict[str, object]] = [json.loads(line) for line in file]

    def imported(folder: str) -> None:
        words = [command, "import", folder, str(source), "--bulk", "--threads", "1"]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)

    def put(folder: str) -> None:
        with limelight.Index(folder) as index:
            index.put(items).raise_for_refused()

    def load_dicts(folder: str) -> None:
        with limelight.Index(folder) as index:
            index.load(items).raise_for_refused()

    def load_file(folder: str) -> None:
        with limelight.Index(folder) as index:
            index.load(source).raise_for_refused()

    ways: Dict[str, Callable[[str], None]] = {
        "import --bulk --threads 1": imported,
        "put(dicts)": put,
        "load(dicts)": load_dicts,
        "load(path)": load_file,
    }
    best: Dict[str, Tuple[float, float]] = {}
    for _ in range(runs):
        for name, way in ways.items():
            with tempfile.TemporaryDirectory(prefix="limelight-") as folder:
                start, work = time.perf_counter(), processor_seconds()
                way(folder + "/index")
                spent = (time.perf_counter() - start, processor_seconds() - work)
            best[name] = min(spent, best.get(name, spent))
    megabytes = source.stat().st_size / 1e6
    command_seconds = best["import --bulk --threads 1"][0]
    print(f"{len(items)} items, {megabytes:.0f} MB")
    for name, (seconds, processor) in best.items():
        print(
            f"{name:26} {seconds:6.2f} s {megabytes / seconds:6.1f} MB/s "
            f"{command_seconds / seconds:5.0%}, {processor:6.2f} s of processors"
        )


def processor_seconds() -> float:
    """What this process and those that it ran have used."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in spent)


if __name__ == "__main__":
    main()
