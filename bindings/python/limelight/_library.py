"""Finding and loading the shared library.

It is looked for beside this file, where a wheel carries it; then at the path in the environment
variable ``LIMELIGHT_LIBRARY``; then where the system keeps its libraries.
"""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Callable, List

from ._signatures import HEADER_VERSION, Signature, signatures

#: The library's file name: a wheel carries it under this name, a system installs it so.
FILE_NAME = "liblimelight.so.1"

#: A C function; what it takes and gives is checked by ctypes, as the table of signatures says.
Function = Callable[..., int]


class Library:
    """The loaded library; its functions are attributes, without the prefix ``lime_``.

    Calls release the interpreter's lock, so other threads go on meanwhile.
    """

    #: Where the library was found.
    path: str

    def __init__(self, path: str) -> None:
        loaded = ctypes.CDLL(path)
        # Whatever else goes by this name has no such function: say so before anything is called.
        try:
            probe: Function = loaded.lime_version
        except AttributeError:
            raise ImportError("it is no library of Limelight: it has no lime_version") from None
        Signature("lime_version", "uint32_t", ()).bind(probe)
        version = probe()
        if version // 1_000_000 != HEADER_VERSION // 1_000_000 or version < HEADER_VERSION:
            raise ImportError(
                f"its version is {_dotted(version)}; this package needs {_dotted(HEADER_VERSION)} "
                "or a later one of the same major version"
            )
        for signature in signatures():
            try:
                function: Function = getattr(loaded, signature.name)
            except AttributeError:
                raise ImportError(f"it has no {signature.name}") from None
            signature.bind(function)
            setattr(self, signature.name[len("lime_") :], function)
        self.path = path

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Function: ...


def _dotted(version: int) -> str:
    return f"{version // 1_000_000}.{version // 1000 % 1000}.{version % 1000}"


def _places() -> List[str]:
    places = [os.path.join(os.path.dirname(os.path.abspath(__file__)), FILE_NAME)]
    chosen = os.environ.get("LIMELIGHT_LIBRARY")
    if chosen:
        places.append(chosen)
    places.append(FILE_NAME)
    return places


def load() -> Library:
    """Loads the first library that is there; raises ``ImportError`` with all that was tried."""
    tried: List[str] = []
    for place in _places():
        if os.path.isabs(place) and not os.path.exists(place):
            tried.append(f"{place}: there is no such file")
            continue
        try:
            return Library(place)
        except (OSError, ImportError) as error:
            tried.append(f"{place}: {error}")
    raise ImportError(
        "Limelight's shared library cannot be loaded. Install the package from its wheel, or name "
        "the library in LIMELIGHT_LIBRARY. Tried:\n  " + "\n  ".join(tried)
    )


#: The library, loaded once.
lime = load()
