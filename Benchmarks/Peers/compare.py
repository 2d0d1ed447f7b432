#!/usr/bin/env python3
"""One engine against the best of the others: compare.py OUT.json ENGINE [--bar 0.9]

A row is a command and a kind of query, with median and 90th percentile of one run of bench.py; means are
geometric. Native Tantivy counts as one more engine: its figure is that of Lucene in this run times the ratio
that native_tantivy_over_lucene.json keeps from a run of both (README.md says why). Prints the rows, the means,
and the rows above the bar; ends with 1 if there are any. A row below 1.5 us passes within 0.2 us of the best.
"""

import argparse, json, math, os, sys

a = argparse.ArgumentParser()
a.add_argument("out")
a.add_argument("engine")
a.add_argument("--bar", type=float, default=0.9)
a = a.parse_args()
R = json.load(open(a.out))
if "query" not in R["engines"].get("lucene", {}):
    sys.exit("no Lucene in this run: not comparable (setup.sh says why it was left out)")
native = json.load(
    open(
        os.path.join(os.path.dirname(os.path.abspath(__file__)), "native_tantivy_over_lucene.json")
    )
)
pc = lambda v, p: sorted(v)[min(len(v) - 1, int(len(v) * p))]
T = {}
kinds = []
cmds = ["COUNT", "TOP_10", "TOP_100", "TOP_10_COUNT", "DOCS_10"]
for e, E in R["engines"].items():
    for c, x in E.get("query", {}).items():
        for q in x["q"]:
            if q[1][-1] not in kinds:
                kinds.append(q[1][-1])
            T.setdefault((c, q[1][-1]), {}).setdefault(e, []).append(q[3] / 1e3)


def row(c, k, i):
    d = T.get((c, k), {})
    p = (0.5, 0.9)[i]
    if a.engine not in d:
        return None
    peers = {e: pc(v, p) for e, v in d.items() if e != a.engine}
    if "lucene" in peers and k in native.get(c, {}):
        peers["tantivy-native*"] = peers["lucene"] * native[c][k][i]
    if not peers:
        return None
    b = min(peers, key=peers.get)
    o = pc(d[a.engine], p)
    return o, b, peers[b], o / max(peers[b], 1e-3)


rows = []
print(
    f"| command, kind | {a.engine} median us | best peer | ratio | p90 ratio |\n|---|---|---|---|---|"
)
for c in cmds:
    for k in kinds:
        m = row(c, k, 0)
        if not m:
            continue
        n = row(c, k, 1)
        rows.append((c, k, m[3], n[3], m[0] < 1.5 and m[0] <= m[2] + 0.2))
        print(f"| {c} {k} | {m[0]:.1f} | {m[1]} {m[2]:.1f} | {m[3]:.2f} | {n[3]:.2f} |")
if not rows:
    sys.exit(f"no rows for {a.engine}")
gm = lambda v: math.exp(sum(math.log(max(x, 1e-3)) for x in v) / len(v))
over = [r for r in rows if max(r[2], r[3]) > a.bar and not r[4]]
GROUPS = {
    "words": "term_high term_med term_low and2 and3 and_high and_high_low or2 or3 or5 or_high or_high_low must_should and_not miss diacritic",
    "phrases": "phrase2 phrase3 phrase_and phrase_high",
    "prefixes": "prefix2 prefix3 as_you_type",
    "fuzzy": "fuzzy1 fuzzy2",
}
print(
    "\n| group (all commands but DOCS_10) | rows | mean ratio | worst | mean p90 ratio | worst p90 |\n|---|---|---|---|---|---|"
)
for g, ks in list(GROUPS.items()) + [("DOCS_10", None)]:
    r = [
        x
        for x in rows
        if (x[0] == "DOCS_10" if ks is None else x[0] != "DOCS_10" and x[1] in ks.split())
    ]
    if r:
        print(
            f"| {g} | {len(r)} | {gm([x[2] for x in r]):.2f} | {max(x[2] for x in r):.2f} | {gm([x[3] for x in r]):.2f} | {max(x[3] for x in r):.2f} |"
        )
for e, E in R["engines"].items():
    q = E.get("query", {})
    if any("own_share_of_wall" in x for x in q.values()):
        print(
            f"{e}: share of the wall time that its driver reports: "
            + ", ".join(f"{c} {x.get('own_share_of_wall',0):.2f}" for c, x in q.items())
        )
print(
    f"\nrows {len(rows)}; mean ratio {gm([r[2] for r in rows]):.2f} (p90 {gm([r[3] for r in rows]):.2f}); above {a.bar} (median or p90): {len(over)}"
    + "".join(f"\n- {c} {k} {m:.2f}" for c, k, m, *_ in over)
)
E = R["engines"]
MB = R["meta"]["text_bytes"] / 1e6
for v in ("0:1", "0:2", "1:1"):
    s = []
    for e in E:
        r = E[e].get("index", {}).get(v)
        if r and "error" not in r:
            s.append(
                f"{e} {MB/(r['add_s']+r['commit_s']+r.get('merge_s',0)):.1f} MB/s {r['size']/1e6/MB:.3f} of text {r['peak_rss_kb']/1024:.0f} MB peak"
            )
    if s:
        print(f"index {v}: " + "; ".join(s))
for tag in ("update", "update_stored"):
    s = [
        f"{e} {pc(E[e][tag]['cycle_ns'],.5)/1e6:.3f}/{pc(E[e][tag]['cycle_ns'],.99)/1e6:.3f} del {pc(E[e][tag]['del_ns'],.5)/1e6:.3f}"
        for e in E
        if E[e].get(tag) and "error" not in E[e][tag]
    ]
    if s:
        print(f"{tag} ms median/p99: " + "; ".join(s))
s = []
for e in E:
    c = E[e].get("cold")
    if c and "open_ns" in c["warm_cache"][0]:
        s.append(
            f"{e} "
            + "/".join(
                f"{sorted((x['open_ns']+x['first_ns'])/1e6 for x in c[w])[len(c[w])//2]:.2f}"
                for w in ("warm_cache", "evicted")
            )
        )
if s:
    print("open + first query ms, cache warm/evicted: " + "; ".join(s))
sys.exit(1 if over else 0)
