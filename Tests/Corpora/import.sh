#!/bin/sh
# Imports the two large corpora whole and asks each a question: import.sh COMMAND
#
# The corpora are no part of this tree: LIMELIGHT_SHARED names their folder (../shared by default).
# Without it the test says what it skipped; with LIMELIGHT_REQUIRE_SHARED=1 it fails instead.
set -eu
command=$1
shared=${LIMELIGHT_SHARED:-../shared}
work=$(mktemp -d "${TMPDIR:-/tmp}/limelight-corpora.XXXXXX")
trap 'rm -rf "$work"' EXIT

fail() {
  echo "corpora: $*" >&2
  exit 1
}

# import NAME LINES WORD OPTIONS...: all lines become items, a word finds some, the files are sound.
import() {
  name=$1 lines=$2 word=$3
  shift 3
  file=$shared/corpora/$name.jsonl.zst
  if [ ! -e "$file" ]; then
    [ "${LIMELIGHT_REQUIRE_SHARED:-0}" != 1 ] || fail "$file is missing"
    echo "corpora: skipped $name, there is no $file"
    return
  fi
  zstd -dcq "$file" | "$command" import "$work/$name" - --bulk --json "$@" >"$work/$name.json" ||
    fail "$name: import ended with $?: $(head -c 2000 "$work/$name.json")"
  found=$("$command" stats "$work/$name" --json | grep -o '"items": *[0-9]*' | head -n 1 | grep -o '[0-9]*')
  [ "$found" = "$lines" ] || fail "$name: $found items of $lines lines"
  "$command" search "$work/$name" "$word" --json >"$work/hits.json" || fail "$name: no hit for $word"
  "$command" verify "$work/$name" >/dev/null || fail "$name: not sound"
  echo "corpora: $name, $lines items, $(du -sm "$work/$name" | cut -f 1) MB"
}

import items 176680 museum
import medium 101968 museum --map title=title --map body=textContent
