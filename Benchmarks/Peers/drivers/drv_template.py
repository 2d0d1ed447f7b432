# Template for one more engine driven from Python (ctypes or any binding). Replace Engine with the real calls; everything else is the protocol.
# The timed region is run(): keep it to the search call. Build the native query object in build() (not timed, reported as parse_ns).
import sys, os

sys.path.insert(0, os.path.dirname(__file__))
from common import *  # parse(), toks(), docs(), opts(), emit(), hwm(), serve(), ns()


class Engine:
    def __init__(s, d):
        raise SystemExit("template")

    def add(s, id, title, body, store): ...
    def commit(s): ...
    def merge(s): ...
    def refresh(s): ...
    def delete(s, id): ...
    def count(s, q): ...
    def search(s, q, k): ...  # -> k (doc, score) pairs
    def docs(s, hits): ...
    def ids(s, hits): ...  # -> [[id,score],...]
    def ndocs(s): ...
    def query(s, text): ...  # query string in the grammar of PROTOCOL.md -> query object


cmd = sys.argv[1]
if cmd == "info":
    emit({"name": "template", "version": "0"})
elif cmd == "index":
    o = opts(sys.argv[1:])
    d = sys.argv[3]
    os.makedirs(d, exist_ok=True)
    t0 = ns()
    e = Engine(d)
    n = 0
    for i, t, b in docs(sys.argv[2]):
        e.add(i, t, b, o["store"])
        n += 1
    t1 = ns()
    e.commit()
    t2 = ns()
    e.merge()
    t3 = ns()
    emit(
        {
            "docs": n,
            "add_s": (t1 - t0) / 1e9,
            "commit_s": (t2 - t1) / 1e9,
            "merge_s": (t3 - t2) / 1e9,
            "peak_rss_kb": hwm(),
        }
    )
elif cmd == "cold":
    t0 = ns()
    e = Engine(sys.argv[2])
    t1 = ns()
    q = e.query(sys.argv[3])
    n = len(e.search(q, 10))
    t2 = ns()
    e.search(q, 10)
    t3 = ns()
    emit(
        {
            "open_ns": t1 - t0,
            "first_ns": t2 - t1,
            "second_ns": t3 - t2,
            "count": n,
            "peak_rss_kb": hwm(),
        }
    )
elif cmd == "serve":
    e = Engine(sys.argv[2])
    K = {"TOP_10": 10, "TOP_100": 100, "TOP_1000": 1000}

    def run(c, q):
        if c == "COUNT":
            return e.count(q)
        if c in K:
            return len(e.search(q, K[c]))
        if c == "TOP_10_COUNT":
            h = e.search(q, 10)
            return e.count(q)  # better: one call that does both
        if c == "DOCS_10":
            h = e.search(q, 10)
            e.docs(h)
            return len(h)

    serve(
        lambda q, c=None: e.query(q),
        run,
        lambda q, k: e.ids(e.search(e.query(q), k)),
        lambda: {"docs": e.ndocs()},
    )
elif cmd == "update":
    N = int(sys.argv[4])
    ds = []
    for x in docs(sys.argv[3]):
        ds.append(x)
        if len(ds) >= N:
            break
    e = Engine(sys.argv[2])
    cyc = []
    ok = True
    for n in range(N):
        i, t, b = ds[n % len(ds)]
        tok = f"zzupd1x{n}"
        t0 = ns()
        e.delete(i)
        e.add(i, t, b + " " + tok, 1)
        e.commit()
        e.refresh()
        c = e.count(e.query(tok))
        cyc.append(ns() - t0)
        ok &= c == 1
    h = len(ds) // 2
    t0 = ns()
    for x in ds[:h]:
        e.delete(x[0])
    e.commit()
    e.refresh()
    db = ns() - t0
    dl = []
    for x in ds[h:]:
        t0 = ns()
        e.delete(x[0])
        e.commit()
        e.refresh()
        dl.append(ns() - t0)
    emit(
        {
            "cycle_ns": cyc,
            "del_ns": dl,
            "del_batch_ns": db,
            "del_batch_n": h,
            "ok": ok,
            "docs_after": e.ndocs(),
            "peak_rss_kb": hwm(),
        }
    )
