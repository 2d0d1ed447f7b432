"""The best engine for each command and kind: beat.py OUT.json [ENGINE TO LEAVE OUT,...]

Prints median and p90 in microseconds, each of the engine that is best there.
"""

import json, sys

R = json.load(open(sys.argv[1]))
ex = set((sys.argv[2] if len(sys.argv) > 2 else "").split(","))
CM = ["COUNT", "TOP_10", "TOP_100", "TOP_10_COUNT", "DOCS_10"]
pc = lambda v, p: sorted(v)[min(len(v) - 1, int(len(v) * p))]
ab = {
    "lucene": "luc",
    "tantivy": "tpy",
    "fts5": "fts",
    "xapian": "xap",
    "pisa": "pisa",
    "bm25s": "bm25s",
}
T = {}
kinds = []
for e, E in R["engines"].items():
    if e in ex:
        continue
    for c, x in E.get("query", {}).items():
        for q in x["q"]:
            k = q[1][-1]
            if k not in kinds:
                kinds.append(k)
            T.setdefault((c, k), {}).setdefault(e, []).append(q[3] / 1e3)
print("| kind | " + " | ".join(CM) + " |\n|---|" + "---|" * len(CM))
for k in kinds:
    row = []
    for c in CM:
        d = T.get((c, k), {})
        if not d:
            row.append("-")
            continue
        e = min(d, key=lambda e: pc(d[e], 0.5))
        e9 = min(d, key=lambda e: pc(d[e], 0.9))
        row.append(f"{pc(d[e],.5):.1f} {ab.get(e,e)} / {pc(d[e9],.9):.0f} {ab.get(e9,e9)}")
    print(f"| {k} | " + " | ".join(row) + " |")
# mean over all queries, of the engines that answer all of them
most = max(
    (
        len(x["q"])
        for e, E in R["engines"].items()
        if e not in ex
        for x in E.get("query", {}).values()
    ),
    default=0,
)
row = []
for c in CM:
    best = None
    for e, E in R["engines"].items():
        if e in ex:
            continue
        q = E.get("query", {}).get(c, {}).get("q", [])
        if q and len(q) == most:
            m = sum(x[3] for x in q) / len(q) / 1e3
            if best is None or m < best[0]:
                best = (m, e)
    row.append(f"{best[0]:.0f} {ab.get(best[1],best[1])}" if best else "-")
print(f"| mean, all {most} | " + " | ".join(row) + " |")
