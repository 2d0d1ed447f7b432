#!/usr/bin/env python3
"""Makes the Unicode tables of Analysis and the word-break rows of its tests.

Usage: unicode-tables.py [folder of the Unicode Character Database]

The folder defaults to /usr/share/unicode, where Debian's package unicode-data puts version 15.0.
Run it from the root of the tree; it writes Sources/Analysis/Tables/*.swift and
Tests/AnalysisTests/Fixtures/WordBreakRows.swift. The policies of folding are decided here, once,
so that the engine only looks up.
"""
import bisect
import os
import sys

UCD = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode"
TABLES = "Sources/Analysis/Tables"
FIXTURES = "Tests/AnalysisTests/Fixtures"
LAST = 0x10FFFF
BLOCK = 64

# Word_Break values, numbered as in WordClass.swift.
WORD_BREAK = {name: i for i, name in enumerate((
    "Other CR LF Newline Extend ZWJ Format Regional_Indicator Katakana Hebrew_Letter ALetter "
    "Single_Quote Double_Quote MidNumLet MidLetter MidNum Numeric ExtendNumLet WSegSpace").split())}
WORDS_BY_BREAK = {WORD_BREAK[n] for n in (
    "ALetter", "Hebrew_Letter", "Katakana", "Numeric", "Regional_Indicator")}

# Letters without a decomposition that people type as plain letters, and curly apostrophes.
EXCEPTIONS = {
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "þ": "th", "æ": "ae", "œ": "oe",
    "ß": "ss", "ı": "i", "‘": "'", "’": "'", "‛": "'",
}
EXCEPTIONS = {ord(k): [ord(c) for c in v] for k, v in EXCEPTIONS.items()}
TATWEEL = 0x0640  # stretches a word, spells nothing
ZERO_WIDTH_SPACE = 0x200B  # default ignorable, yet a word boundary: kept
VOICED = {0x3099, 0x309A}  # script Inherited, but they tell kana apart
ACCENT_SCRIPTS = {
    "Inherited", "Latin", "Greek", "Coptic", "Cyrillic", "Hebrew", "Arabic", "Syriac"}
SLASHES = {0x2044, 0x2215}  # a fraction taken apart would read as another number

# Algorithmic Hangul.
S, L, V, T, VN, TN, SN = 0xAC00, 0x1100, 0x1161, 0x11A7, 21, 28, 11172


def rows(path):
    """Fields of the lines of a UCD file, without comments."""
    with open(os.path.join(UCD, path), encoding="utf-8") as file:
        for line in file:
            line = line.split("#")[0].strip()
            if line:
                yield [field.strip() for field in line.split(";")]


def ranges(path):
    for first, *rest in rows(path):
        low, _, high = first.partition("..")
        yield range(int(low, 16), int(high or low, 16) + 1), rest


def property_set(path, name):
    return {c for span, rest in ranges(path) if rest[0] == name for c in span}


category, ccc, canonical, compatible = {}, {}, {}, {}
pending = None
for f in rows("UnicodeData.txt"):
    c = int(f[0], 16)
    if f[1].endswith("First>"):
        pending = c
        continue
    for x in range(pending if pending is not None else c, c + 1):
        category[x] = f[2]
    pending = None
    if f[3] != "0":
        ccc[c] = int(f[3])
    if f[5]:
        parts = f[5].split()
        if parts[0].startswith("<"):
            compatible[c] = [int(x, 16) for x in parts[1:]]
        else:
            canonical[c] = [int(x, 16) for x in parts]

case_folding = {}
for f in rows("CaseFolding.txt"):
    if f[1] in "CF":
        case_folding[int(f[0], 16)] = [int(x, 16) for x in f[2].split()]

script = {c: rest[0] for span, rest in ranges("Scripts.txt") for c in span}
ignorable = property_set("DerivedCoreProperties.txt", "Default_Ignorable_Code_Point")
ignorable.discard(ZERO_WIDTH_SPACE)
excluded = property_set("DerivedNormalizationProps.txt", "Full_Composition_Exclusion")
pictographic = property_set("emoji/emoji-data.txt", "Extended_Pictographic")
word_break = {c: WORD_BREAK[rest[0]]
              for span, rest in ranges("auxiliary/WordBreakProperty.txt") for c in span}


def major(c):
    return category.get(c, "Cn")[0]


def is_word_like(c):
    """Whether a segment of UAX #29 that holds this scalar is a word.

    Beside letters and numbers: pictographs (but not signs such as the copyright sign or plain
    arrows), and the enclosed and squared words of East Asia.
    """
    return (major(c) in "LN" or word_break.get(c) in WORDS_BY_BREAK
            or (c in pictographic and c >= 0x2300)
            or (0x3200 <= c <= 0x33FF and c in compatible))


def is_accent(c):
    return (category.get(c) in ("Mn", "Me") and script.get(c) in ACCENT_SCRIPTS
            and c not in VOICED)


def decompose(c, tables):
    if S <= c < S + SN:
        i = c - S
        out = [L + i // (VN * TN), V + i % (VN * TN) // TN]
        return out + ([T + i % TN] if i % TN else [])
    for table in tables:
        if c in table:
            return [y for x in table[c] for y in decompose(x, tables)]
    return [c]


memo = {}


def fold(c):
    """The folded scalars of one scalar, decomposed."""
    if c not in memo:
        memo[c] = fold_now(c)
    return memo[c]


def fold_all(scalars):
    return [y for x in scalars for y in fold(x)]


def fold_now(c):
    nfd = decompose(c, (canonical,))
    if nfd != [c]:
        return fold_all(nfd)
    if is_accent(c) or c in ignorable or c == TATWEEL:
        return []
    if c in EXCEPTIONS:
        return fold_all(EXCEPTIONS[c])
    if c in case_folding:
        return fold_all(case_folding[c])
    nfkd = decompose(c, (canonical, compatible))
    if nfkd == [c]:
        return [c]
    if nfkd[0] == 0x20 and len(nfkd) > 1 and all(major(x) == "M" for x in nfkd[1:]):
        # A mark on a space. As a letter (Arabic isolated vowel signs) it is nothing but the mark.
        return [] if major(c) == "L" and all(map(is_accent, nfkd[1:])) else [c]
    if is_word_like(c):
        if SLASHES & set(nfkd):
            return [c]
        nfkd = [x for x in nfkd if major(x) in "LNM"]
    return fold_all(nfkd)


scalars = [c for c in range(LAST + 1) if not 0xD800 <= c <= 0xDFFF]
for c in scalars:
    assert fold_all(fold(c)) == fold(c), hex(c)
    if is_word_like(c):
        assert all(is_word_like(x) or major(x) == "M" or x == 0x27 for x in fold(c)), hex(c)

# Primary composites that survive folding; Hangul is algorithmic.
pairs = {}
for c, two in canonical.items():
    if len(two) == 2 and c not in excluded and fold(c) == decompose(c, (canonical,)):
        pairs[tuple(two)] = c
seconds = {b for _, b in pairs} | set(range(V, V + VN)) | set(range(T + 1, T + TN))


def compose(scalars):
    out, starter, last = [], None, -1
    for c in scalars:
        k = ccc.get(c, 0)
        if starter is not None and (last < k or last == -1):
            a = out[starter]
            joined = pairs.get((a, c))
            if L <= a < L + 19 and V <= c < V + VN:
                joined = S + ((a - L) * VN + c - V) * TN
            elif S <= a < S + SN and (a - S) % TN == 0 and T < c < T + TN:
                joined = a + c - T
            if joined is not None:
                out[starter] = joined
                continue
        if k == 0:
            starter, last = len(out), -1
        else:
            last = k
        out.append(c)
    return out


# Fold values: 0 itself, 1 a mark, 2 itself but may join what stands before, 3 removed,
# otherwise the offset of a record (length and flags, UTF-8 bytes) in the pool.
ITSELF, MARK, JOINS, REMOVED = range(4)
pool, records = bytearray(4), {}


def record(c):
    d = fold(c)
    if not d:
        return REMOVED
    joins = ccc.get(d[0], 0) != 0 or d[0] in seconds
    out = compose(d)
    mark_last = ccc.get(out[-1], 0) != 0
    if out == [c]:
        if not joins:
            assert not mark_last
            return ITSELF
        return JOINS if d[0] in seconds or len(d) > 1 else MARK
    data = "".join(map(chr, out)).encode()
    assert len(data) < 64
    key = bytes([len(data) | joins << 6 | mark_last << 7]) + data
    if key not in records:
        records[key] = len(pool)
        pool.extend(key)
    return records[key]


def entry(c):
    runs = 0
    if major(c) in "LN":
        runs = 2
    elif major(c) == "M" or (category.get(c) == "Cf" and c in ignorable):
        runs = 1
    return (word_break.get(c, 0) | (c in pictographic) << 5 | runs << 6
            | is_word_like(c) << 8 | record(c) << 16)


blocks, index = [], []
seen = {}
for start in range(0, LAST + 1, BLOCK):
    block = tuple(0 if 0xD800 <= c <= 0xDFFF else entry(c) for c in range(start, start + BLOCK))
    if block not in seen:
        seen[block] = len(blocks)
        blocks.append(block)
    index.append(seen[block])
assert len(pool) < 0x10000 and len(blocks) < 0x10000

kept_marks = sorted(c for c in ccc if fold(c) == [c])
orders = []  # (first, last, class)
for c in kept_marks:
    if orders and orders[-1][1] == c - 1 and orders[-1][2] == ccc[c]:
        orders[-1][1] = c
    else:
        orders.append([c, c, ccc[c]])
composites = sorted((c, a, b) for (a, b), c in pairs.items())

# Literals: six bits a character, from # upwards, ~ in place of the backslash.
ALPHABET = "".join(chr(0x23 + i) for i in range(64)).replace("\\", "~")


def literal(values, width):
    """Little-endian groups of six bits, `width` characters a value, run lengths for repeats.

    A `!` after a value and one character n repeat the value n + 1 more times.
    """
    out, i = [], 0
    while i < len(values):
        v = values[i]
        assert v < 1 << 6 * width
        out.append("".join(ALPHABET[v >> 6 * k & 63] for k in range(width)))
        run = 1
        while i + run < len(values) and values[i + run] == v and run < 65:
            run += 1
        if (run - 1) * width > 2:
            out.append("!" + ALPHABET[run - 2])
            i += run
        else:
            i += 1
    return "".join(out)


def swift(name, duty, tables):
    lines = [f"// {duty}", "// Made by Tools/unicode-tables.py from Unicode 15.0: do not edit.", "",
             f"enum {name} {{"]
    for i, (label, doc, count, text) in enumerate(tables):
        lines += [""] if i else []
        lines += [f"  /// {doc}", f"  static let {label}Count = {count}",
                  f"  static let {label}: StaticString = \"\"\""]
        lines += ["    " + text[k:k + 94] + "\\" for k in range(0, len(text), 94)]
        lines[-1] = lines[-1][:-1]
        lines += ["    \"\"\""]
    lines += ["}", ""]
    assert len(lines) <= 400, (name, len(lines))
    path = os.path.join(TABLES, name + ".swift")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    print(path, len(lines), "lines")


flat = [e for block in blocks for e in block]
classes = [e & 0xFFFF for e in flat]
folds = [e >> 16 for e in flat]
swift("ClassTable", "The classes of scalars: block numbers, then the blocks.", [
    ("index", "The number of the block of 64 scalars.", len(index), literal(index, 2)),
    ("classes", "What a scalar is: see `ScalarEntry`.", len(classes), literal(classes, 2)),
])
swift("FoldTable", "What a scalar folds to: a value a scalar, in the blocks of `ClassTable`.", [
    ("folds", "See `ScalarEntry.fold`.", len(folds), literal(folds, 3)),
])
swift("FoldPool", "Folded forms, and the marks and composites that stay.", [
    ("pool", "Records of a header and UTF-8 bytes.", len(pool), literal(list(pool), 2)),
    ("orders", "First scalar, last scalar and combining class of the marks that stay.",
     3 * len(orders), literal([x for o in orders for x in o], 4)),
    ("composites", "Composite, first part and second part, ascending.",
     3 * len(composites), literal([x for o in composites for x in o], 4)),
])
print("blocks", len(blocks), "pool", len(pool), "orders", len(orders), "pairs", len(composites))

# The word-break rows: a character a scalar, | where there is a boundary inside the row.
names, tests = {}, []
with open(os.path.join(UCD, "auxiliary/WordBreakTest.txt"), encoding="utf-8") as file:
    for line in file:
        parts = line.split("#")[0].split()
        if parts:
            row = ""
            for mark, value in zip(parts[0:-1:2], parts[1:-1:2]):
                name = names.setdefault(int(value, 16), ALPHABET[9 + len(names)])
                row += ("|" if mark == "÷" and row else "") + name
            tests.append(row)
path = os.path.join(FIXTURES, "WordBreakRows.swift")
text = " ".join(tests)
with open(path, "w", encoding="utf-8") as file:
    file.write(f"""// The rows of Unicode's WordBreakTest.txt, version 15.0, in short form.
// Made by Tools/unicode-tables.py: do not edit.

enum WordBreakRows {{
  static let count = {len(tests)}
  /// The scalars of the rows; the n-th is written as the n-th character from `,` upwards.
  static let scalars: [UInt32] = [
""")
    values = [f"0x{c:X}" for c in names]
    for k in range(0, len(values), 8):
        file.write("    " + ", ".join(values[k:k + 8]) + ",\n")
    file.write("  ]\n  /// Rows apart by spaces, | where there is a boundary inside a row.\n")
    file.write("  static let rows: StaticString = \"\"\"\n")
    while len(text) > 94:
        cut = text.rindex(" ", 0, 94) + 1
        file.write("    " + text[:cut] + "\\\n")
        text = text[cut:]
    file.write("    " + text + "\n    \"\"\"\n}\n")
print(path, len(tests), "rows", len(names), "scalars")
