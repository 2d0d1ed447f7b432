"""Builds the shared library for a wheel: ``pip install .`` in a checkout needs Swift for that.

With ``LIMELIGHT_LIBRARY`` in the environment, that library goes into the wheel instead.
"""

import os
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any, Dict

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FILE_NAME = "liblimelight.so.1"


class LibraryBuildHook(BuildHookInterface):
    """Puts the library into the package, and the platform into the wheel's name."""

    def initialize(self, version: str, build_data: Dict[str, Any]) -> None:
        """Called before a wheel is made."""
        chosen = os.environ.get("LIMELIGHT_LIBRARY")
        checkout = Path(self.root).parents[1]
        library = Path(chosen).resolve() if chosen else build(checkout)
        place = f"limelight/{FILE_NAME}"
        build_data["force_include"][str(library)] = place
        build_data["force_include_editable"][str(library)] = place
        # The library's licence goes where the library goes.
        build_data["force_include"][str(checkout / "LICENSE")] = "limelight/LICENSE"
        # Any Python 3 will do, since the library is called through ctypes.
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"py3-none-{platform}"
        build_data["pure_python"] = False


def build(checkout: Path) -> Path:
    """Builds the library as ``make install`` installs it, and tells where it is."""
    needed = ("swift", "make", "cc", "objcopy")
    missing = [program for program in needed if shutil.which(program) is None]
    if missing:
        raise SystemExit(
            f"Building Limelight from a checkout needs {' and '.join(missing)} (Swift 6.3 or newer, "
            "gcc, make, binutils, liblz4-dev). Or name a library that is there in LIMELIGHT_LIBRARY."
        )
    # What a make that runs this passes on is not meant for this one.
    environment = {name: value for name, value in os.environ.items() if name != "MAKEFLAGS"}
    command = ["make", "--no-print-directory", "-C", str(checkout), "library"]
    subprocess.run(command, check=True, env=environment)
    return (checkout / "build" / "install" / FILE_NAME).resolve(strict=True)
