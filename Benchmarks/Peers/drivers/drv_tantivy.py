import sys, os, json

sys.path.insert(0, os.path.dirname(__file__))
import tantivy
from common import *

Q = tantivy.Query
O = tantivy.Occur
MUST, SHOULD, NOT = O.Must, O.Should, O.MustNot


def schema(store):
    sb = tantivy.SchemaBuilder()
    sb.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
    sb.add_text_field("text", stored=False, tokenizer_name="fold", index_option="position")
    if store:
        sb.add_text_field("title", stored=True, tokenizer_name="nope", index_option="basic")
        sb.add_text_field("body", stored=True, tokenizer_name="nope", index_option="basic")
    return sb.build()


def reg(ix):
    ix.register_tokenizer(
        "fold",
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        .filter(tantivy.Filter.lowercase())
        .filter(tantivy.Filter.ascii_fold())
        .build(),
    )
    # stored-only text fields do not exist in the binding (add_text_field always indexes): a tokenizer whose output is empty keeps them out of the postings
    ix.register_tokenizer(
        "nope", tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.regex(r"\x01\x02\x03")).build()
    )


def opn(d):
    ix = tantivy.Index.open(d)
    reg(ix)
    return ix


cmd = sys.argv[1]
if cmd == "info":
    import importlib.metadata as m

    emit({"name": "tantivy-py", "version": m.version("tantivy")})
elif cmd == "index":
    o = opts(sys.argv[1:])
    d = sys.argv[3]
    os.makedirs(d, exist_ok=True)
    t0 = ns()
    ix = tantivy.Index(schema(o["store"]), path=d, reuse=False)
    reg(ix)
    w = ix.writer(heap_size=o["heap"] or 1_500_000_000, num_threads=o["threads"])
    n = 0
    D = tantivy.Document
    st = o["store"]
    for i, t, b in docs(sys.argv[2]):
        if st:
            doc = D(id=i, text=t + " " + b, title=t, body=b)
        else:
            doc = D(id=i, text=t + " " + b)
        w.add_document(doc)
        n += 1
    t1 = ns()
    w.commit()
    t2 = ns()
    w.wait_merging_threads()
    t3 = ns()
    ix.reload()
    emit(
        {
            "docs": n,
            "add_s": (t1 - t0) / 1e9,
            "commit_s": (t2 - t1) / 1e9,
            "merge_s": (t3 - t2) / 1e9,
            "segments": ix.searcher().num_segments,
            "peak_rss_kb": hwm(),
        }
    )
else:
    ix = None

    def mk(ix):
        sc = ix.schema

        def atom(k, p):
            if k == "term":
                return Q.term_query(sc, "text", p, "freq")
            if k == "phrase":
                return Q.phrase_query(sc, "text", p)
            if k == "prefix":
                return Q.fuzzy_term_query(sc, "text", p, 0, True, True)
            return Q.fuzzy_term_query(sc, "text", p[0], p[1], True, False)

        def build(q, c=None):
            cl = parse(q)
            if len(cl) == 1 and cl[0][0] != "-":
                if c == "COUNT" and cl[0][1] == "term":
                    return cl[0][2]
                return atom(cl[0][1], cl[0][2])
            return Q.boolean_query(
                [({"+": MUST, "-": NOT, "": SHOULD}[o], atom(k, p)) for o, k, p in cl]
            )

        return build

    if cmd == "serve":
        ix = opn(sys.argv[2])
        build = mk(ix)
        s = ix.searcher()
        search = s.search
        df = s.doc_freq

        def run(c, q):
            if c == "COUNT":
                if type(q) is str:
                    return df("text", q)
                return search(q, 1, True).count
            if c == "TOP_10":
                return len(search(q, 10, False).hits)
            if c == "TOP_100":
                return len(search(q, 100, False).hits)
            if c == "TOP_1000":
                return len(search(q, 1000, False).hits)
            if c == "TOP_10_COUNT":
                return search(q, 10, True).count
            if c == "DOCS_10":
                n = 0
                for _, a in search(q, 10, False).hits:
                    d = s.doc(a)
                    d.get_first("title")
                    d.get_first("body")
                    n += 1
                return n

        def hits(q, k):
            return [[s.doc(a).get_first("id"), sc] for sc, a in search(build(q), k, False).hits]

        serve(build, run, hits, lambda: {"segments": s.num_segments, "docs": s.num_docs})
    elif cmd == "cold":
        t0 = ns()
        ix = opn(sys.argv[2])
        s = ix.searcher()
        t1 = ns()
        b = mk(ix)
        q = b(sys.argv[3])
        c = len(s.search(q, 10, False).hits)
        t2 = ns()
        s.search(q, 10, False)
        t3 = ns()
        emit(
            {
                "open_ns": t1 - t0,
                "first_ns": t2 - t1,
                "second_ns": t3 - t2,
                "count": c,
                "peak_rss_kb": hwm(),
            }
        )
    elif cmd == "update":
        ix = opn(sys.argv[2])
        N = int(sys.argv[4])
        ds = []
        for x in docs(sys.argv[3]):
            ds.append(x)
            if len(ds) >= N:
                break
        ix.config_reader("manual", 0)
        w = ix.writer(heap_size=64_000_000, num_threads=1)
        sc = ix.schema
        cyc = []
        ok = True
        st = "title" in open(os.path.join(sys.argv[2], "meta.json")).read()
        for n in range(N):
            i, t, b = ds[n % len(ds)]
            tok = f"zzupd1x{n}"
            t0 = ns()
            w.delete_documents_by_term("id", i)
            w.add_document(
                tantivy.Document(
                    id=i, text=t + " " + b + " " + tok, **({"title": t, "body": b} if st else {})
                )
            )
            w.commit()
            ix.reload()
            s = ix.searcher()
            c = s.search(Q.term_query(sc, "text", tok, "freq"), 1, True).count
            cyc.append(ns() - t0)
            ok &= c == 1
        h = len(ds) // 2
        t0 = ns()
        for x in ds[:h]:
            w.delete_documents_by_term("id", x[0])
        w.commit()
        ix.reload()
        db = ns() - t0
        dl = []
        for x in ds[h:]:
            t0 = ns()
            w.delete_documents_by_term("id", x[0])
            w.commit()
            ix.reload()
            dl.append(ns() - t0)
        emit(
            {
                "cycle_ns": cyc,
                "del_ns": dl,
                "del_batch_ns": db,
                "del_batch_n": h,
                "ok": ok,
                "docs_after": ix.searcher().num_docs,
                "segments": ix.searcher().num_segments,
                "peak_rss_kb": hwm(),
            }
        )
