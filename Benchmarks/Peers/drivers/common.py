# What the Python drivers share: query grammar, folding, the query loop, peak memory.
import sys, json, time, unicodedata, re

ns = time.perf_counter_ns
_sp = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ł": "l", "ð": "d", "þ": "th", "ı": "i"}


def fold(s):
    s = s.lower()
    if s.isascii():
        return s
    return "".join(
        _sp.get(c, c) for c in unicodedata.normalize("NFKD", s) if unicodedata.category(c) != "Mn"
    )


tokre = re.compile(r"[^\W_]+")


def toks(s):
    return tokre.findall(fold(s))


def parse(q):
    """-> list of (occur '+','-','', kind 'term'|'phrase'|'prefix'|'fuzzy', payload)"""
    out = []
    i = 0
    n = len(q)
    while i < n:
        c = q[i]
        if c == " ":
            i += 1
            continue
        o = ""
        if c in "+-":
            o = c
            i += 1
        if q[i] == '"':
            e = q.index('"', i + 1) + 1
        else:
            e = q.find(" ", i)
            e = n if e < 0 else e
        w = q[i:e]
        i = e
        if w[0] == '"':
            t = toks(w)
            out.append((o, "term", t[0]) if len(t) == 1 else (o, "phrase", t))
        elif w.endswith("*"):
            out.append((o, "prefix", toks(w)[0]))
        elif "~" in w:
            a, b = w.rsplit("~", 1)
            out.append((o, "fuzzy", (toks(a)[0], int(b))))
        else:
            t = toks(w)
            out.append((o, "term", t[0] if t else ""))
    return out


def hwm():
    for l in open("/proc/self/status"):
        if l.startswith("VmHWM"):
            return int(l.split()[1])


def docs(path):
    with open(path, encoding="utf-8", newline="\n") as f:
        for l in f:
            i, t, b = l.rstrip("\n").split("\t", 2)
            yield i, t, b


def opts(argv):
    o = {"store": 0, "threads": 1, "heap": 0}
    i = 3
    while i < len(argv) - 1:
        o[argv[i].lstrip("-")] = int(argv[i + 1])
        i += 2
    return o


def emit(d):
    print(json.dumps(d), flush=True)


def serve(build, run, hits, stats):
    """build(query string)->opaque; run(cmd,opaque)->int or None (unsupported)"""
    out = sys.stdout
    import gc

    gc.freeze()
    gc.disable()
    for l in sys.stdin:
        l = l.rstrip("\n")
        c, _, q = l.partition("\t")
        if c == "STATS":
            d = stats()
            d["peak_rss_kb"] = hwm()
            out.write(json.dumps(d) + "\n")
            out.flush()
            continue
        timed = c.startswith("T:")
        if timed:
            c = c[2:]
        if c.startswith("HITS_"):
            try:
                out.write(json.dumps(hits(q, int(c[5:]))) + "\n")
            except NotImplementedError:
                out.write("UNSUPPORTED\n")
            out.flush()
            continue
        try:
            p0 = ns()
            o = build(q, c)
            t0 = ns()
            r = run(c, o)
            t1 = ns()
        except NotImplementedError:
            r = None
        if r is None:
            out.write("UNSUPPORTED\n")
        elif timed:
            out.write(f"{r}\t{t1-t0}\t{t0-p0}\n")
        else:
            out.write(f"{r}\n")
        out.flush()
