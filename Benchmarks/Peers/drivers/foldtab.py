#!/usr/bin/env python3
"""foldtab.py OUT: writes foldtab.h, the folding of common.py as a table for the driver in C++.

An entry a code point from U+0080 to U+21FF: its folded form as UTF-8, nullptr for what is neither
letter nor digit. The table is as new as the Unicode data of the Python that runs this.
"""
import sys

from common import fold


def entry(code):
    if not chr(code).isalnum():
        return "nullptr"
    return " ".join(f'"\\x{byte:02x}"' for byte in fold(chr(code)).encode()) or '""'


with open(sys.argv[1], "w") as out:
    out.write("static const char* const FOLD[] = {\n")
    for code in range(0x80, 0x2200):
        out.write(entry(code) + ",\n")
    out.write("};\n")
