#!/usr/bin/env python3
"""Runs engines over one corpus and one file of queries.

bench.py --corpus CORPUS.tsv --queries QUERIES.jsonl --engines lucene,tantivy --engine 'mine=my_driver' --out OUT

Writes OUT.json and OUT.md. What OUT.json holds from an earlier run stays, unless it is measured again.
"""

import argparse, json, os, resource, subprocess, sys, time, random, shutil, statistics as st, glob

P = os.path.dirname(os.path.abspath(__file__))
W = os.environ.get("PEERS_WORK") or os.path.expanduser("~/.cache/limelight-peers")
PY = f"{W}/venv/bin/python"  # P: these files; W: what setup.sh built, and the indexes
ENGINES = {  # name: (command, dict of extra)
    "lucene": dict(cmd=[f"{W}/lucene.sh"], warm=15.0),
    "tantivy": dict(cmd=[PY, f"{P}/drivers/drv_tantivy.py"]),
    "fts5": dict(cmd=[PY, f"{P}/drivers/drv_fts5.py"]),
    "xapian": dict(cmd=[f"{W}/xapian_drv"]),
    "pisa": dict(cmd=[f"{W}/venv-pisa/bin/python", f"{P}/drivers/drv_pisa.py"]),
    "bm25s": dict(cmd=[PY, f"{P}/drivers/drv_bm25s.py"]),
}
CMDS = ["COUNT", "TOP_10", "TOP_100", "TOP_10_COUNT", "DOCS_10"]
ap = argparse.ArgumentParser()
A = ap.add_argument
A("--corpus", required=True)
A("--queries")
A("--engines", default="lucene,tantivy,fts5,xapian")
A("--phases", default="index,query,cold,update")
A("--out", required=True)
A("--commands", default=",".join(CMDS))
A("--core", default="1")
A("--budget", type=float, default=40, help="seconds per engine and command")
A("--passes", type=int, default=9)
A("--updates", type=int, default=1000)
A("--variants", default="0:1,0:2,1:1", help="store:threads builds")
A("--idx", default=f"{W}/idx")
A("--engine", action="append", default=[], help="extra engine NAME=COMMAND LINE")
a = ap.parse_args()
for e in a.engine:
    n, c = e.split("=", 1)
    ENGINES[n] = dict(cmd=c.split())
    a.engines += "," + n
base = os.path.basename(a.corpus).split(".")[0]
out = a.out
os.makedirs(os.path.dirname(out) or ".", exist_ok=True)
R = (
    json.load(open(out + ".json"))
    if os.path.exists(out + ".json")
    else {"corpus": a.corpus, "meta": json.load(open(a.corpus + ".meta")), "engines": {}}
)


def env(e):
    d = dict(os.environ)
    d.update(ENGINES[e].get("env", {}))
    return d


def pin(cores):
    return ["nice", "-n", "-10", "taskset", "-c", cores]


def call(e, args, cores, cwd=None):
    r0 = resource.getrusage(resource.RUSAGE_CHILDREN)
    t = time.time()
    p = subprocess.run(
        pin(cores) + ENGINES[e]["cmd"] + args,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=env(e),
        text=True,
    )
    w = time.time() - t
    r1 = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = r1.ru_utime + r1.ru_stime - r0.ru_utime - r0.ru_stime
    try:
        d = json.loads([l for l in p.stdout.strip().split("\n") if l.startswith("{")][-1])
    except Exception:
        return {"error": (p.stderr or p.stdout)[-400:], "wall_s": w}
    d["wall_s"] = w
    d["cpu_s"] = cpu
    return d


def du(d):
    return sum(os.path.getsize(os.path.join(r, f)) for r, _, fs in os.walk(d) for f in fs)


def comp(d):
    c = {}
    for r, _, fs in os.walk(d):
        for f in fs:
            x = f.rsplit(".", 1)[-1] if "." in f else f
            c[x] = c.get(x, 0) + os.path.getsize(os.path.join(r, f))
    return c


def evict(d):
    for r, _, fs in os.walk(d):
        for f in fs:
            fd = os.open(os.path.join(r, f), os.O_RDONLY)
            os.fsync(fd)
            os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(fd)


def save():
    json.dump(R, open(out + ".json", "w"))


class Serve:
    def __init__(s, e, d):
        s.p = subprocess.Popen(
            pin(a.core) + ENGINES[e]["cmd"] + ["serve", d],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=env(e),
        )

    def ask(s, lines):
        r = []
        for i in range(0, len(lines), 100):
            ch = lines[i : i + 100]
            s.p.stdin.write("".join(l + "\n" for l in ch).encode())
            s.p.stdin.flush()
            for _ in ch:
                x = s.p.stdout.readline()
                if not x:
                    raise RuntimeError("driver died")
                r.append(x.decode().rstrip("\n"))
        return r

    def close(s):
        s.p.stdin.close()
        s.p.wait()


def queries():
    return [json.loads(l) for l in open(a.queries, encoding="utf-8")]


def run_queries(e, d, store):
    Q = queries()
    res = R["engines"][e].setdefault("query", {})
    s = Serve(e, d)
    rnd = random.Random(2)
    for cmd in a.commands.split(","):
        if (cmd == "DOCS_10") != store:
            continue
        idx = list(range(len(Q)))
        rnd.shuffle(idx)
        t0 = time.time()
        first = s.ask([f'T:{cmd}\t{Q[i]["query"]}' for i in idx])
        dt = time.time() - t0
        live = [i for i, x in zip(idx, first) if x != "UNSUPPORTED"]
        val = {i: int(x.split("\t")[0]) for i, x in zip(idx, first) if x != "UNSUPPORTED"}
        if not live:
            continue
        # warm-up: JVM engines get time; everyone gets at least one full pass (done)
        wt = ENGINES[e].get("warm", 1.0)
        w0 = time.time()
        while time.time() - w0 < wt and dt < a.budget / 4:
            s.ask([f'T:{cmd}\t{Q[i]["query"]}' for i in live])
        n = max(1, min(a.passes, int(a.budget / max(dt, 1e-3))))
        dur = {i: [] for i in live}
        par = {i: [] for i in live}
        own = wall = 0
        for _ in range(n):
            w0 = time.time()
            for i, x in zip(live, s.ask([f'T:{cmd}\t{Q[i]["query"]}' for i in live])):
                v = x.split("\t")
                dur[i].append(int(v[1]))
                par[i].append(int(v[2]))
                own += int(v[1]) + int(v[2])
            wall += time.time() - w0
        res[cmd] = {
            "passes": n,
            "own_share_of_wall": round(own / 1e9 / max(wall, 1e-9), 3),
            "q": [
                [
                    Q[i]["query"],
                    Q[i]["tags"],
                    val[i],
                    min(dur[i]),
                    int(st.median(dur[i])),
                    min(par[i]),
                ]
                for i in sorted(live)
            ],
        }
        print(
            f"  {e} {cmd}: {len(live)}/{len(Q)} queries x{n} passes; the driver times {own/1e9/max(wall,1e-9):.0%} of the wall time",
            flush=True,
        )
        save()
    if not store:
        try:
            R["engines"][e]["hits"] = {
                Q[i]["query"]: json.loads(x)
                for i, x in zip(
                    range(0, len(Q), 3),
                    s.ask([f'HITS_10\t{Q[i]["query"]}' for i in range(0, len(Q), 3)]),
                )
                if x.startswith("[")
            }
        except Exception as x:
            print("  hits:", x)
    R["engines"][e]["stats_store%d" % store] = json.loads(s.ask(["STATS"])[0])
    s.close()
    save()


for e in dict.fromkeys(a.engines.split(",")):
    print("==", e, flush=True)
    E = R["engines"].setdefault(e, {})
    E["info"] = call(e, ["info"], a.core)
    if "index" in a.phases:
        for v in a.variants.split(","):
            store, th = v.split(":")
            d = f"{a.idx}/{base}.{e}.s{store}t{th}"
            shutil.rmtree(d, ignore_errors=True)
            r = call(
                e,
                ["index", a.corpus, d, "--store", store, "--threads", th],
                a.core if th == "1" else "0,1",
            )
            if "error" not in r:
                r["size"] = du(d)
                r["files"] = comp(d)
            E.setdefault("index", {})[v] = r
            print("  index", v, {k: x for k, x in r.items() if k != "files"}, flush=True)
            save()
            if th != "1":
                shutil.rmtree(d, ignore_errors=True)
    d0, d1 = (f"{a.idx}/{base}.{e}.s{x}t1" for x in "01")
    if not os.path.isdir(d0) and os.path.isdir(d1) and ENGINES[e].get("only_stored"):
        d0 = d1  # engines that cannot index without keeping the text
    if "query" in a.phases:
        for d, store in ((d0, False), (d1, True)):
            if os.path.isdir(d):
                try:
                    run_queries(e, d, store)
                except Exception as x:
                    print("  query failed", store, x)
    if "cold" in a.phases and os.path.isdir(d0):
        q = next(x["query"] for x in queries() if "or2" in x["tags"])
        ws = []
        cs = []
        for _ in range(5):
            ws.append(call(e, ["cold", d0, q], a.core))
        for _ in range(5):
            evict(d0)
            cs.append(call(e, ["cold", d0, q], a.core))
        E["cold"] = {"warm_cache": ws, "evicted": cs}
        save()
        print(
            "  cold",
            {
                k: [round((x.get("open_ns", 0) + x.get("first_ns", 0)) / 1e6, 2) for x in v]
                for k, v in E["cold"].items()
            },
            flush=True,
        )
    if "update" in a.phases:
        for tag, d in (("update", d0), ("update_stored", d1)):
            if not os.path.isdir(d):
                continue
            sc = f"{a.idx}/scratch.{e}"
            shutil.rmtree(sc, ignore_errors=True)
            shutil.copytree(d, sc)
            r = call(e, ["update", sc, a.corpus, str(a.updates)], a.core)
            shutil.rmtree(sc, ignore_errors=True)
            E[tag] = r
            save()
            print(
                "  ",
                tag,
                {
                    k: (round(st.median(x) / 1e3), "us median") if isinstance(x, list) and x else x
                    for k, x in r.items()
                    if k not in ("files",)
                },
                flush=True,
            )


# ---------------- markdown
def pc(v, p):
    v = sorted(v)
    return v[min(len(v) - 1, int(len(v) * p))]


def tables():
    o = []
    add = o.append
    es = list(R["engines"])
    MB = R["meta"]["text_bytes"] / 1e6
    add(f"# {R['corpus']}: {R['meta']['docs']} docs, {MB:.1f} MB text\n")
    add("Engines: " + ", ".join(f"{e} {R['engines'][e]['info'].get('version')}" for e in es) + "\n")
    add(
        "## Indexing and size\n| engine | store:threads | add+commit s | docs/s | MB/s | merge s | total MB/s | process CPU s | size MB | size/text | peak RSS MB |\n|---|---|---|---|---|---|---|---|---|---|---|"
    )
    for e in es:
        for v, r in R["engines"][e].get("index", {}).items():
            if "error" in r:
                add(f"| {e} | {v} | error |")
                continue
            t = r["add_s"] + r["commit_s"]
            tt = t + r.get("merge_s", 0)
            add(
                f"| {e} | {v} | {t:.1f} | {r['docs']/t:.0f} | {MB/t:.1f} | {r.get('merge_s',0):.1f} | {MB/tt:.1f} | {r.get('cpu_s',0):.1f} | {r['size']/1e6:.1f} | {r['size']/1e6/MB:.3f} | {r['peak_rss_kb']/1024:.0f} |"
            )
    cmds = [c for c in CMDS if any(c in R["engines"][e].get("query", {}) for e in es)]
    kinds = []
    for e in es:
        for c in cmds:
            for q in R["engines"][e].get("query", {}).get(c, {}).get("q", []):
                if q[1][-1] not in kinds:
                    kinds.append(q[1][-1])
    for c in cmds:
        add(
            f"\n## {c}: microseconds, best of N per query, then median / p90 / p99 over the queries of a kind\n| kind | "
            + " | ".join(es)
            + " | best median |\n|---|"
            + "---|" * (len(es) + 1)
        )
        for k in kinds:
            row = []
            best = None
            for e in es:
                v = [
                    q[3] / 1e3
                    for q in R["engines"][e].get("query", {}).get(c, {}).get("q", [])
                    if q[1][-1] == k
                ]
                if not v:
                    row.append("-")
                    continue
                m = pc(v, 0.5)
                row.append(f"{m:.1f} / {pc(v,.9):.0f} / {pc(v,.99):.0f}")
                if best is None or m < best[0]:
                    best = (m, e)
            add(
                f"| {k} | " + " | ".join(row) + f" | {best[1]} {best[0]:.1f} |"
                if best
                else f"| {k} |"
            )
        row = []
        for e in es:
            v = [q[3] / 1e3 for q in R["engines"][e].get("query", {}).get(c, {}).get("q", [])]
            row.append(f"{sum(v)/len(v):.0f} (n={len(v)})" if v else "-")
        add("| MEAN of all it supports | " + " | ".join(row) + " | |")
    add(
        "\n## Cross-check: sum of COUNT per kind\n| kind | "
        + " | ".join(es)
        + " |\n|---|"
        + "---|" * len(es)
    )
    for k in kinds:
        row = []
        for e in es:
            v = [
                q[2]
                for q in R["engines"][e].get("query", {}).get("COUNT", {}).get("q", [])
                if q[1][-1] == k
            ]
            row.append(str(sum(v)) if v else "-")
        add(f"| {k} | " + " | ".join(row) + " |")
    ref = R["engines"].get("lucene", {}).get("hits")
    if ref:
        add(
            "\n## Agreement of the top 10 with Lucene (mean overlap@10 on sampled queries both support)"
        )
        for e in es:
            h = R["engines"][e].get("hits")
            if h and e != "lucene":
                v = [
                    len({x[0] for x in h[q]} & {x[0] for x in ref[q]}) / max(1, len(ref[q]))
                    for q in h
                    if q in ref and ref[q]
                ]
                if v:
                    add(f"- {e}: {sum(v)/len(v):.3f} over {len(v)}")
    add(
        "\n## Cold start: open + first query, ms (median of 5; process start not included)\n| engine | page cache warm: open / first query / second | files evicted: open / first / second | whole process wall, warm |\n|---|---|---|---|"
    )
    for e in es:
        c = R["engines"][e].get("cold")
        if c and "open_ns" in c["warm_cache"][0]:
            f = lambda L: " / ".join(
                f"{st.median([x[k] for x in L])/1e6:.2f}"
                for k in ("open_ns", "first_ns", "second_ns")
            )
            add(
                f"| {e} | {f(c['warm_cache'])} | {f(c['evicted'])} | {st.median([x['wall_s'] for x in c['warm_cache']])*1e3:.0f} |"
            )
    add(
        "\n## Single-document update cycles (replace 1 doc by id + make searchable + find it), ms median / p90 / p99\n| engine | index | visible, not durable | durable commit | delete 1 + commit | batch delete, us per doc | peak RSS MB | correct |\n|---|---|---|---|---|---|---|---|"
    )
    for e in es:
        for tag in ("update", "update_stored"):
            u = R["engines"][e].get(tag)
            if not u:
                continue
            if "error" in u:
                add(f"| {e} | {tag} | error {u['error'][-80:]!r} |")
                continue
            g = lambda k: (
                f"{pc(u[k],.5)/1e6:.3f} / {pc(u[k],.9)/1e6:.3f} / {pc(u[k],.99)/1e6:.3f}"
                if u.get(k)
                else "-"
            )
            add(
                f"| {e} | {tag} | {g('nrt_ns')} | {g('cycle_ns')} | {g('del_ns')} | {u['del_batch_ns']/1e3/max(1,u['del_batch_n']):.1f} | {u['peak_rss_kb']/1024:.0f} | {u['ok']} |"
            )
    add("\n## Serving memory (peak RSS MB after all queries, no stored text / stored)")
    for e in es:
        E = R["engines"][e]
        add(
            f"- {e}: {E.get('stats_store0',{}).get('peak_rss_kb',0)/1024:.0f} / {E.get('stats_store1',{}).get('peak_rss_kb',0)/1024:.0f}; segments {E.get('stats_store0',{}).get('segments','?')}"
        )
    add("\n## Index files by extension (bytes, store:threads 0:1)")
    for e in es:
        add(
            f"- {e}: {dict(sorted(R['engines'][e].get('index',{}).get('0:1',{}).get('files',{}).items(),key=lambda x:-x[1]))}"
        )
    open(out + ".md", "w").write("\n".join(o) + "\n")


tables()
print("wrote", out + ".md")
