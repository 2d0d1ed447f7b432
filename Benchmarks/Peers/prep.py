"""Makes a corpus of lines into the TSV that all drivers read: prep.py CORPUS.jsonl CORPUS.tsv

A line {"id", "title", "body"} becomes id, title and body with tabs between; tabs and line ends within them
become spaces. Documents and bytes of text are noted in CORPUS.tsv.meta.
"""

import sys, json, re

src, dst = sys.argv[1:3]
n = b = 0
ctl = re.compile(r"[\t\r\n\x0b\x0c\x1c-\x1f\x85\u2028\u2029\x00]")
with open(src, encoding="utf-8") as f, open(dst, "w", encoding="utf-8", newline="\n") as o:
    for l in f:
        if not l.strip():
            continue
        d = json.loads(l)
        t = ctl.sub(" ", str(d.get("title") or ""))
        x = ctl.sub(" ", str(d.get("body") or d.get("text") or ""))
        o.write(f"{ctl.sub(' ',str(d['id']))}\t{t}\t{x}\n")
        n += 1
        b += len(t.encode()) + len(x.encode())
json.dump({"docs": n, "text_bytes": b}, open(dst + ".meta", "w"))
print(n, b)
