# SQLite FTS5 through apsw (or the stdlib module with FTS5_STDLIB=1)
import sys, os

sys.path.insert(0, os.path.dirname(__file__))
from common import *

STD = os.environ.get("FTS5_STDLIB") == "1"
if STD:
    import sqlite3

    def connect(p):
        c = sqlite3.connect(p, isolation_level=None, cached_statements=1024)
        return c

    ver = sqlite3.sqlite_version
else:
    import apsw

    def connect(p):
        return apsw.Connection(p, statementcachesize=1024)

    ver = apsw.sqlite_lib_version()
TOK = 'tokenize="unicode61 remove_diacritics 2"'


def path(d):
    return os.path.join(d, "fts.db")


def one(it):
    return next(iter(it))


def pragmas(c):
    for p in (
        "journal_mode=WAL",
        "synchronous=NORMAL",
        "mmap_size=8589934592",
        "cache_size=-262144",
        "temp_store=MEMORY",
    ):
        list(c.execute("pragma " + p))


cmd = sys.argv[1]
if cmd == "info":
    emit({"name": "sqlite-fts5", "version": ver, "binding": "sqlite3" if STD else "apsw"})
elif cmd == "index":
    o = opts(sys.argv[1:])
    d = sys.argv[3]
    os.makedirs(d, exist_ok=True)
    t0 = ns()
    c = connect(path(d))
    list(c.execute("pragma page_size=4096"))
    pragmas(c)
    if o["store"]:
        list(
            c.execute(
                "create table doc(rowid integer primary key,id text unique,title text,body text,text_ text as (title||' '||body) virtual)"
            )
        )
        list(
            c.execute(
                f"create virtual table t using fts5(text_, content='doc', content_rowid='rowid', detail=full, {TOK})"
            )
        )
    else:
        list(c.execute("create table doc(rowid integer primary key,id text unique)"))
        cd = ", contentless_delete=1" if tuple(map(int, ver.split(".")[:2])) >= (3, 43) else ""
        list(
            c.execute(
                f"create virtual table t using fts5(text_, content=''{cd}, detail=full, {TOK})"
            )
        )
    list(c.execute("insert into t(t,rank) values('hashsize',268435456)")) if o["heap"] != 1 else 0
    c.execute("begin")
    n = 0
    ex = c.execute
    for i, t, b in docs(sys.argv[2]):
        n += 1
        if o["store"]:
            ex("insert into doc(rowid,id,title,body) values(?,?,?,?)", (n, i, t, b))
        else:
            ex("insert into doc(rowid,id) values(?,?)", (n, i))
        ex("insert into t(rowid,text_) values(?,?)", (n, t + " " + b))
    t1 = ns()
    ex("commit")
    t2 = ns()
    ex("insert into t(t) values('optimize')")
    list(ex("pragma wal_checkpoint(TRUNCATE)"))
    t3 = ns()
    ex("vacuum")
    list(ex("pragma wal_checkpoint(TRUNCATE)"))
    t4 = ns()
    emit(
        {
            "docs": n,
            "add_s": (t1 - t0) / 1e9,
            "commit_s": (t2 - t1) / 1e9,
            "merge_s": (t3 - t2) / 1e9,
            "vacuum_s": (t4 - t3) / 1e9,
            "peak_rss_kb": hwm(),
        }
    )
else:

    def q5(s):
        return '"' + s.replace('"', '""') + '"'

    def build(q, c=None):
        cl = parse(q)
        f = []
        for o, k, p in cl:
            if k == "fuzzy":
                raise NotImplementedError
            f.append(
                (o, q5(p) if k == "term" else q5(" ".join(p)) if k == "phrase" else q5(p) + " *")
            )
        pos = [x for o, x in f if o == "+"]
        sh = [x for o, x in f if o == ""]
        neg = [x for o, x in f if o == "-"]
        if pos and sh:
            raise NotImplementedError  # optional scoring clauses do not exist in FTS5
        m = " AND ".join(pos) if pos else " OR ".join(sh)
        for x in neg:
            m = f"({m}) NOT {x}"
        return m

    SQL = {
        "COUNT": "select count(*) from t where t match ?",
        "TOP_10": "select rowid,rank from t where t match ? order by rank limit 10",
        "TOP_100": "select rowid,rank from t where t match ? order by rank limit 100",
        "TOP_1000": "select rowid,rank from t where t match ? order by rank limit 1000",
    }
    if cmd == "serve":
        c = connect(path(sys.argv[2]))
        pragmas(c)
        ex = c.execute
        store = "body" in str(list(ex("select sql from sqlite_master where name='doc'")))
        dq = "select title,body from doc where rowid=?"

        def run(cm, m):
            if cm == "COUNT":
                return one(ex(SQL["COUNT"], (m,)))[0]
            if cm in SQL:
                return len(ex(SQL[cm], (m,)).fetchall())
            if cm == "TOP_10_COUNT":
                ex(SQL["TOP_10"], (m,)).fetchall()
                return one(ex(SQL["COUNT"], (m,)))[0]
            if cm == "DOCS_10" and store:
                n = 0
                for r, _ in ex(SQL["TOP_10"], (m,)).fetchall():
                    one(ex(dq, (r,)))
                    n += 1
                return n

        def hits(q, k):
            return [
                [one(ex("select id from doc where rowid=?", (r,)))[0], -s]
                for r, s in ex(
                    f"select rowid,rank from t where t match ? order by rank limit {k}", (build(q),)
                ).fetchall()
            ]

        serve(
            build,
            run,
            hits,
            lambda: {
                "docs": one(ex("select count(*) from doc"))[0],
                "segments": one(ex("select count(distinct segid) from t_idx"))[0],
            },
        )
    elif cmd == "cold":
        t0 = ns()
        c = connect(path(sys.argv[2]))
        pragmas(c)
        t1 = ns()
        m = build(sys.argv[3])
        n = len(list(c.execute(SQL["TOP_10"], (m,))))
        t2 = ns()
        list(c.execute(SQL["TOP_10"], (m,)))
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
        c = connect(path(sys.argv[2]))
        pragmas(c)
        ex = c.execute
        N = int(sys.argv[4])
        ds = []
        for x in docs(sys.argv[3]):
            ds.append(x)
            if len(ds) >= N:
                break
        store = "body" in str(list(ex("select sql from sqlite_master where name='doc'")))
        res = {}
        ok = True

        def upd(i, t, b, tok):
            r = one(ex("select rowid from doc where id=?", (i,)))[0]
            if store:
                ot, ob = one(ex("select title,body from doc where rowid=?", (r,)))
                ex("insert into t(t,rowid,text_) values('delete',?,?)", (r, ot + " " + ob))
                ex("update doc set title=?,body=? where rowid=?", (t, b + " " + tok, r))
                ex("insert into t(rowid,text_) values(?,?)", (r, t + " " + b + " " + tok))
            else:
                ex(
                    "insert or replace into t(rowid,text_) values(?,?)",
                    (r, t + " " + b + " " + tok),
                )

        for name, sync in (
            ("nrt_ns", "OFF"),
            ("cycle_ns", "FULL"),
        ):  # OFF: visible, not fsynced; FULL: WAL fsync at each commit
            list(ex("pragma synchronous=" + sync))
            v = []
            for n in range(N):
                i, t, b = ds[n % len(ds)]
                tok = f"zzupd{sync.lower()}x{n}"
                t0 = ns()
                ex("begin immediate")
                upd(i, t, b, tok)
                ex("commit")
                k = one(ex("select count(*) from t where t match ?", (tok,)))[0]
                v.append(ns() - t0)
                ok &= k == 1
            res[name] = v

        def dele(i):
            r = one(ex("select rowid from doc where id=?", (i,)))[0]
            if store:
                ot, ob = one(ex("select title,body from doc where rowid=?", (r,)))
                ex("insert into t(t,rowid,text_) values('delete',?,?)", (r, ot + " " + ob))
            else:
                ex("delete from t where rowid=?", (r,))
            ex("delete from doc where rowid=?", (r,))

        h = len(ds) // 2
        t0 = ns()
        ex("begin immediate")
        for x in ds[:h]:
            dele(x[0])
        ex("commit")
        db = ns() - t0
        dl = []
        for x in ds[h:]:
            t0 = ns()
            ex("begin immediate")
            dele(x[0])
            ex("commit")
            dl.append(ns() - t0)
        res.update(
            del_ns=dl,
            del_batch_ns=db,
            del_batch_n=h,
            ok=ok,
            docs_after=one(ex("select count(*) from doc"))[0],
            peak_rss_kb=hwm(),
        )
        emit(res)
