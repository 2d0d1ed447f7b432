# bm25s: eager sparse scoring, top-k of unions only
import sys, os

sys.path.insert(0, os.path.dirname(__file__))
from common import *
import bm25s, numpy as np

cmd = sys.argv[1]
if cmd == "info":
    emit({"name": "bm25s", "version": bm25s.__version__})
elif cmd == "index":
    o = opts(sys.argv[1:])
    d = sys.argv[3]
    if o["store"]:
        sys.exit(1)
    t0 = ns()
    vocab = {}
    ids = []
    for i, t, b in docs(sys.argv[2]):
        ids.append([vocab.setdefault(w, len(vocab)) for w in toks(t + " " + b)])
    t1 = ns()
    r = bm25s.BM25(k1=1.2, b=0.75, method="lucene")
    r.index((ids, vocab), show_progress=False)
    r.save(d)
    t2 = ns()
    emit(
        {
            "docs": len(ids),
            "add_s": (t1 - t0) / 1e9,
            "commit_s": (t2 - t1) / 1e9,
            "merge_s": 0.0,
            "peak_rss_kb": hwm(),
        }
    )
else:

    def load(d):
        r = bm25s.BM25.load(d, mmap=False)
        try:
            r.activate_numba_scorer()
        except Exception:
            pass
        return r

    if cmd == "serve":
        r = load(sys.argv[2])
        V = r.vocab_dict
        K = {"TOP_10": 10, "TOP_100": 100}

        def build(q, cm=None):
            if cm not in K and cm is not None:
                raise NotImplementedError
            cl = parse(q)
            if any(k != "term" or (o != "" and len(cl) > 1) for o, k, p in cl):
                raise NotImplementedError
            return [p for _, _, p in cl]

        def search(t, k):
            q = [V[w] for w in t if w in V]
            if not q:
                return []
            s = r.get_scores_from_ids(np.array(q, dtype=np.int64))
            p = np.argpartition(s, -k)[-k:]
            p = p[np.argsort(-s[p])]
            return [(int(i), float(s[i])) for i in p if s[i] > 0]

        serve(
            build,
            lambda c, t: len(search(t, K[c])),
            lambda q, k: [[f"d{i}", s] for i, s in search(build(q), k)],
            lambda: {},
        )
    elif cmd == "cold":
        t0 = ns()
        r = load(sys.argv[2])
        t1 = ns()
        q = [r.vocab_dict[p] for _, _, p in parse(sys.argv[3]) if p in r.vocab_dict]
        s = r.get_scores_from_ids(np.array(q))
        np.argpartition(s, -10)[-10:]
        t2 = ns()
        s = r.get_scores_from_ids(np.array(q))
        np.argpartition(s, -10)[-10:]
        t3 = ns()
        emit(
            {
                "open_ns": t1 - t0,
                "first_ns": t2 - t1,
                "second_ns": t3 - t2,
                "count": 10,
                "peak_rss_kb": hwm(),
            }
        )
    else:
        sys.exit(1)
