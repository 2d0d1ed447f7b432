"""Makes queries that fit a corpus: mkqueries.py CORPUS.tsv QUERIES.jsonl [EVERY]

Writes a line {"query", "tags": [group, kind]} for each. Pairs and triples of words are such as stand side by
side in some document; each pair is asked as an intersection, a union and a phrase. With EVERY = n only every
n-th document is looked at. The same corpus gives the same queries.
"""

import collections, json, os, random, re, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "drivers"))
from common import toks, fold

src, dst = sys.argv[1:3]
every = int(sys.argv[3]) if len(sys.argv) > 3 else 1
NQ = 100
random.seed(7)
df = collections.Counter()
bg = collections.Counter()
n = 0
titles = []
diac = collections.Counter()
rawre = re.compile(r"[^\W_]+")
samp = []
with open(src, encoding="utf-8") as f:
    for k, l in enumerate(f):
        if k % every:
            continue
        i, t, b = l.rstrip("\n").split("\t", 2)
        x = toks(t + " " + b)
        df.update(set(x))
        n += 1
        if random.random() < 0.15 * every if every > 1 else random.random() < 0.15:
            samp.append(x[:400])
        if not b.isascii():
            for w in rawre.findall(b[:4000]):
                if not w.isascii() and len(w) > 3 and fold(w).isascii():
                    diac[w.lower()] += 1
print(n, "docs", len(df), "terms", file=sys.stderr)


def ok(w):
    return not w.isdigit() and len(w) > 1 and w.isascii()


content = lambda w: ok(w) and len(w) > 2 and 5 <= df[w] <= 0.12 * n
for x in samp:
    for a, b in zip(x, x[1:]):
        if content(a) and content(b) and a != b:
            bg[(a, b)] += 1
out = []


def some(words, count):
    """Words by chance; a small corpus may have fewer."""
    return random.sample(words, min(count, len(words)))


def add(q, *tags):
    out.append({"query": q, "tags": list(tags)})


terms = sorted((w for w in df if ok(w)), key=lambda w: (-df[w], w))
hi = [w for w in terms if df[w] > 0.1 * n]
med = [w for w in terms if 0.01 * n < df[w] <= 0.1 * n]
lo = [w for w in terms if 20 <= df[w] <= 0.001 * n]
if len(hi) < 2 or not lo or not med:
    sys.exit("the corpus is too small: it needs words of all frequencies, as some 25,000 documents have")
for w in some(hi, 40):
    add(w, "term", "term_high")
for w in some(med, 60):
    add(w, "term", "term_med")
for w in some(lo, 60):
    add(w, "term", "term_low")
pairs = [p for p, c in bg.items() if c >= 2]
pairs.sort()
pairs = some(pairs, NQ)
tri = set()
for x in some(samp, 4000):
    for a, b, c in zip(x, x[1:], x[2:]):
        if content(a) and content(b) and content(c) and len({a, b, c}) == 3:
            tri.add((a, b, c))
            break
tri = some(sorted(tri), 60)
for a, b in pairs:
    add(f"+{a} +{b}", "intersection", "and2")
    add(f"{a} {b}", "union", "or2")
    add(f'"{a} {b}"', "phrase", "phrase2")
for t in tri:
    add(" ".join("+" + w for w in t), "intersection", "and3")
    add(" ".join(t), "union", "or3")
    add('"' + " ".join(t) + '"', "phrase", "phrase3")
for _ in range(60):
    x = random.choice(samp)
    c = sorted({w for w in x if content(w)})
    if len(c) >= 5:
        add(" ".join(random.sample(c, 5)), "union", "or5")
H = hi[:60]
for _ in range(40):
    a, b = random.sample(H, 2)
    add(f"+{a} +{b}", "heavy", "and_high")
    add(f"{a} {b}", "heavy", "or_high")
hb = collections.Counter()
hs = set(H)
for x in samp[:6000]:
    for a, b in zip(x, x[1:]):
        if a in hs and b in hs and a != b:
            hb[(a, b)] += 1
for (a, b), c in hb.most_common(30):
    add(f'"{a} {b}"', "heavy", "phrase_high")
for _ in range(40):
    add(f"{random.choice(hi)} {random.choice(lo)}", "mixed", "or_high_low")
    add(f"+{random.choice(hi)} +{random.choice(lo)}", "mixed", "and_high_low")
for t in tri[:40]:
    add(f"+{t[0]} {t[1]} {t[2]}", "mixed", "must_should")
    add(f"+{t[0]} -{t[1]}", "mixed", "and_not")
for t in tri[20:60]:
    add(f'+"{t[0]} {t[1]}" +{t[2]}', "mixed", "phrase_and")
for a, b in pairs[:50]:
    add(f"+{a} +{b[:max(2,len(b)//2)]}*", "prefix", "as_you_type")
for _ in range(50):
    w = random.choice(med + lo)
    add(f"{w[:3]}*", "prefix", "prefix3")
for _ in range(30):
    w = random.choice(med)
    add(f"{w[:2]}*", "prefix", "prefix2")
ab = "abcdefghijklmnopqrstuvwxyz"


def edit(w):
    i = random.randrange(1, len(w))
    o = random.randrange(4)
    if o == 0:
        return w[:i] + random.choice(ab) + w[i + 1 :]
    if o == 1:
        return w[:i] + random.choice(ab) + w[i:]
    if o == 2:
        return w[:i] + w[i + 1 :]
    return w[: i - 1] + w[i] + w[i - 1] + w[i + 1 :]


fz = [w for w in terms if 10 <= df[w] <= 0.05 * n and 5 <= len(w) <= 12 and w.isalpha()]
for w in some(fz, 60):
    add(edit(w) + "~1", "fuzzy", "fuzzy1")
for w in some([w for w in fz if len(w) >= 7], 60):
    add(edit(edit(w)) + "~2", "fuzzy", "fuzzy2")
for w, c in diac.most_common(40):
    add(w, "diacritic", "diacritic")
for k in range(30):
    add(f"qzxv{k}wq", "miss", "miss")
with open(dst, "w") as o:
    for q in out:
        o.write(json.dumps(q, ensure_ascii=False) + "\n")
print(collections.Counter(q["tags"][-1] for q in out), file=sys.stderr)
