#!/usr/bin/env bash
# Builds the other engines and prepares corpora: setup.sh [--pisa] [CORPUS.jsonl[.zst]...]
#
# A corpus has a line of JSON for each document: {"id": ..., "title": ..., "body": ...}. Everything goes
# below $PEERS_WORK (by default ~/.cache/limelight-peers): about 1.5 GB, a few minutes. Engines come from
# Debian and PyPI. What is there already is not made again.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
work=${PEERS_WORK:-$HOME/.cache/limelight-peers}
case ${1:-} in
-h | --help)
  sed -n '2,6s/^# \{0,1\}//p' "$0"
  exit 0
  ;;
esac
with_pisa=no
if [ "${1:-}" = --pisa ]; then
  with_pisa=yes
  shift
fi
mkdir -p "$work"/{dl,classes,idx,data}

need=()
command -v zstd >/dev/null || need+=(zstd)
command -v g++ >/dev/null || need+=(g++)
[ -e /usr/include/xapian.h ] || need+=(libxapian-dev)
python3 -c 'import ensurepip' 2>/dev/null || need+=(python3-venv)
if ((${#need[@]})); then
  as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" apt-get install -y -qq "${need[@]}"
fi

# Tantivy and FTS5, through their Python bindings.
if [ ! -x "$work/venv/bin/python" ]; then
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" -q install tantivy==0.27.0 apsw==3.54.1.0 numpy bm25s==0.3.16
fi

# Lucene 10.5: its classes are in the jar that the source distribution of pyserini carries.
if [ ! -e "$work/lucene.jar" ]; then
  archive=pyserini-2.4.0.tar.gz
  (
    cd "$work/dl"
    # pip may fail to read the package's build file, after it has downloaded the archive.
    "$work/venv/bin/pip" -q download --no-deps --ignore-requires-python --no-binary :all: \
      pyserini==2.4.0 || true
    [ -e "$archive" ]
  )
  member=$(tar tzf "$work/dl/$archive" | grep 'fatjar.jar$' | head -1)
  tar xzf "$work/dl/$archive" -C "$work/dl" "$member"
  mv "$work/dl/$member" "$work/lucene.jar"
fi
# A JDK of 21 or newer: JAVA_HOME, or the newest below the folder where Debian puts them.
jdk=''
for place in ${JAVA_HOME:+"$JAVA_HOME"} $(ls -dr /usr/lib/jvm/* 2>/dev/null); do
  [ -x "$place/bin/javac" ] || continue
  version=$("$place/bin/javac" -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p')
  if [ "${version:-0}" -ge 21 ]; then
    jdk=$place
    break
  fi
done
if [ -n "$jdk" ]; then
  "$jdk/bin/javac" --add-modules jdk.incubator.vector -nowarn -cp "$work/lucene.jar" \
    -d "$work/classes" "$here/drivers/LuceneDriver.java" "$here/drivers/LuceneMerge.java"
  cat >"$work/lucene.sh" <<END
#!/bin/sh
exec $jdk/bin/java -XX:+UseParallelGC -Xms2g -Xmx4g --add-modules jdk.incubator.vector \\
  --enable-native-access=ALL-UNNAMED -cp $work/classes:$work/lucene.jar LuceneDriver "\$@" \\
  2>>$work/lucene.err
END
  chmod +x "$work/lucene.sh"
else
  echo "There is no JDK of 21 or newer: Lucene is left out." >&2
fi

if [ ! -x "$work/xapian_drv" ]; then
  python3 "$here/drivers/foldtab.py" "$work/foldtab.h"
  g++ -O3 -march=native -std=c++17 -I"$work" "$here/drivers/drv_xapian.cc" \
    -o "$work/xapian_drv" -lxapian
fi
if [ $with_pisa = yes ] && [ ! -x "$work/venv-pisa/bin/python" ]; then
  python3 -m venv "$work/venv-pisa"
  "$work/venv-pisa/bin/pip" -q install pyterrier-pisa==0.4.9
fi

for corpus in "$@"; do
  name=$(basename "$corpus")
  name=${name%.zst}
  name=${name%.jsonl}
  data=$work/data/$name
  [ -e "$data.queries.jsonl" ] && continue
  lines=$corpus
  case $corpus in
  *.zst)
    zstd -dqf "$corpus" -o "$data.jsonl"
    lines=$data.jsonl
    ;;
  esac
  python3 "$here/prep.py" "$lines" "$data.tsv"
  python3 "$here/mkqueries.py" "$data.tsv" "$data.queries.jsonl"
done
echo "ready: engines and data are in $work"
