"""How fast ``put`` and ``load`` are beside the command's own import.

    python measure.py COMMAND LINES.ndjson [RUNS]

COMMAND is ``limelight`` as ``make build`` builds it, LINES.ndjson such as it imports. Each way starts
with an empty folder and ends with a closed index; they take turns, and the best of RUNS counts. Puts
get dicts that are in memory already. The last columns are the speed against each kind of import.
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

    def importing(*options: str) -> Callable[[str], None]:
        def run(folder: str) -> None:
            words = [command, "import", folder, str(source), *options]
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL)

        return run

    def put(folder: str) -> None:
        with limelight.Index(folder) as index:
            index.put(items).raise_for_refused()

    def load_dicts(folder: str) -> None:
        with limelight.Index(folder) as index:
            index.load(items).raise_for_refused()

    def load_file(folder: str) -> None:
        with limelight.Index(folder) as index:
            index.load(source).raise_for_refused()

    imports: Dict[str, Callable[[str], None]] = {
        "import": importing(),
        "import --bulk --threads 1": importing("--bulk", "--threads", "1"),
        "import --bulk": importing("--bulk"),
    }
    ways: Dict[str, Callable[[str], None]] = {
        **imports,
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
    print(f"{len(items)} items, {megabytes:.0f} MB")
    for name, (seconds, processor) in best.items():
        shares = " ".join(f"{best[one][0] / seconds:5.0%}" for one in imports)
        print(
            f"{name:26} {seconds:6.2f} s {megabytes / seconds:6.1f} MB/s "
            f"{processor:6.2f} s of processors  {shares}"
        )


def processor_seconds() -> float:
    """What this process and those that it ran have used."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in spent)


if __name__ == "__main__":
    main()
