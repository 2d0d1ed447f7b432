# PISA through the native module of pyterrier-pisa. No positions, no phrase, no count, no deletes. Corpus is tokenised beforehand (not timed) so that terms are equal.
import sys, os

sys.path.insert(0, os.path.dirname(__file__))
from common import *
import numpy as np, importlib.util, glob

sp = [p for p in sys.path if p.endswith("site-packages")][0]
so = glob.glob(sp + "/pyterrier_pisa/_pisathon*.so")[0]
spec = importlib.util.spec_from_file_location("_pisathon", so)
ps = importlib.util.module_from_spec(spec)
spec.loader.exec_module(ps)
ENC = "block_simdbp"
ALG_OR = os.environ.get("PISA_OR", "block_max_wand")
ALG_AND = os.environ.get("PISA_AND", "ranked_and")


def ctx(d):
    c = ps.RetrievalContext()
    ps.prepare_index(c, d, ENC, "bm25", "", block_size=64, bm25_k1=1.2, bm25_b=0.75)
    return c


cmd = sys.argv[1]
if cmd == "info":
    import importlib.metadata as m

    emit({"name": "pisa", "version": "pyterrier-pisa " + m.version("pyterrier-pisa")})
elif cmd == "index":
    o = opts(sys.argv[1:])
    d = sys.argv[3]
    os.makedirs(d, exist_ok=True)
    tok = sys.argv[2] + ".toks"
    if o["store"]:
        print("no stored text", file=sys.stderr)
        sys.exit(1)
    if not os.path.exists(tok):
        with open(tok + ".tmp", "w") as f:
            for n, (i, t, b) in enumerate(docs(sys.argv[2])):
                f.write(f"d{n} " + " ".join(toks(t + " " + b)) + "\n")
        os.rename(tok + ".tmp", tok)
    pid = os.fork()  # fresh child so that peak RSS is only PISA's
    r0 = ns()
    if pid == 0:
        t0 = ns()
        ps.index(tok, d, "", 100_000, o["threads"])
        t1 = ns()
        ctx(d)
        t2 = ns()
        for f in glob.glob(d + "/*"):  # raw intermediates are not needed for serving
            b = os.path.basename(f)
            if (
                b in ("inv.docs", "inv.freqs", "inv.sizes", "fwd")
                or b.startswith("fwd.")
                and b not in ("fwd.termlex", "fwd.doclex")
            ):
                os.unlink(f)
        emit(
            {
                "docs": sum(1 for _ in open(tok)),
                "add_s": (t1 - t0) / 1e9,
                "commit_s": (t2 - t1) / 1e9,
                "merge_s": 0.0,
                "peak_rss_kb": hwm(),
            }
        )
        os._exit(0)
    os.waitpid(pid, 0)
else:

    def parse2(q):
        cl = parse(q)
        if any(k != "term" or o == "-" for o, k, p in cl):
            raise NotImplementedError
        os_ = {o for o, _, _ in cl}
        if len(os_) > 1:
            raise NotImplementedError
        return (ALG_AND if "+" in os_ or len(cl) == 1 else ALG_OR, {p: 1.0 for _, _, p in cl})

    bufs = {}

    def search(c, alg, t, k):
        b = bufs.get(k)
        if b is None:
            b = bufs[k] = (
                np.empty(k, np.int32),
                np.empty(k, object),
                np.empty(k, np.int32),
                np.empty(k, np.float32),
            )
        return ps.retrieve(
            c,
            alg,
            [(0, t)],
            k=k,
            threads=1,
            query_weighted=0,
            pretokenised=1,
            result_qidxs=b[0],
            result_docnos=b[1],
            result_ranks=b[2],
            result_scores=b[3],
        )

    if cmd == "serve":
        c = ctx(sys.argv[2])
        K = {"TOP_10": 10, "TOP_100": 100, "TOP_1000": 1000}

        def build(q, cm=None):
            if cm not in K and cm is not None:
                raise NotImplementedError
            return parse2(q)

        def run(cm, x):
            return search(c, x[0], x[1], K[cm])

        def hits(q, k):
            x = parse2(q)
            n = search(c, x[0], x[1], k)
            return [[bufs[k][1][i], float(bufs[k][3][i])] for i in range(n)]

        serve(build, run, hits, lambda: {})
    elif cmd == "cold":
        t0 = ns()
        c = ctx(sys.argv[2])
        t1 = ns()
        x = parse2(sys.argv[3])
        n = search(c, x[0], x[1], 10)
        t2 = ns()
        search(c, x[0], x[1], 10)
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
    elif cmd == "update":
        print("unsupported", file=sys.stderr)
        sys.exit(1)
