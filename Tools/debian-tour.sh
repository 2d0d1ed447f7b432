#!/bin/sh
# A tour of limelight: indexes the packages that apt knows, asks what it can answer, and on a
# terminal opens search-as-you-type.
#
#   Tools/debian-tour.sh LIMELIGHT FOLDER     the command to use, and a folder for what it makes
set -eu

limelight=$1
folder=$2
index=$folder/debian.index
items=$folder/debian.ndjson
mkdir -p "$folder"

say() { printf '\n%s\n' "$*"; }

# Looking around in one's own items, for whoever has no packages to show.
show_own() {
  say "There are no Debian packages to show here: $1"
  cat <<END
limelight indexes any file of items, one line of JSON each:

  echo '{"id":"1","attributes":{"title":"Café","textContent":"Open until ten"}}' > items.ndjson
  $limelight import my.index items.ndjson
  $limelight search my.index cafe
  $limelight browse my.index

'$limelight help items' says what a line may hold.
END
  exit 0
}

packages() { apt-cache dumpavail 2>/dev/null | grep -c '^Package: ' || true; }

command -v apt-cache >/dev/null 2>&1 || show_own 'this system has no apt.'
if [ "$(packages)" -lt 1000 ]; then
  say 'Fetching the list of packages (apt-get update)'
  if [ "$(id -u)" = 0 ]; then
    apt-get update -qq || true
  elif command -v sudo >/dev/null 2>&1; then
    sudo apt-get update -qq || true
  fi
  [ "$(packages)" -gt 0 ] || show_own 'apt knows none; try apt-get update.'
fi

say "Writing the $(packages) packages that apt knows to $items"
"$(dirname "$0")/debian-packages.sh" > "$items"

say "Indexing them: $limelight import $index $items --bulk"
rm -rf "$index"
"$limelight" import "$index" "$items" --bulk --attribute debianVersion:text

# On a terminal found words are coloured, elsewhere they stand in brackets.
mark=brackets
if [ -t 1 ]; then mark=ansi; fi

say "Now limelight stands for $limelight, and debian.index for $index."

# What it shows, then the arguments of a search.
ask() {
  say "── $1"
  shift
  printf '$ limelight search debian.index'
  for word in "$@"; do
    case $word in
      *[!A-Za-z0-9_.:,=/-]*) printf " '%s'" "$word" ;;
      *) printf ' %s' "$word" ;;
    esac
  done
  printf '\n'
  "$limelight" search "$index" "$@" --limit 3 --mark "$mark" || [ $? = 1 ]
}

ask 'A word' firewall
ask 'Two words, the second one still being typed' music pla
ask 'A phrase' '"web browser"'
ask 'In one domain and those below it' chess --domain debian.games
ask 'Without some words' '"text editor"' -emacs -vim
ask 'A range of numbers: games whose file is over 500 MB' game --range fileSize:500000000..
ask 'Accents do not matter, in the query or in the item' 'Raphael Hertzog' --whole
ask 'One word or another' 'sudoku OR minesweeper' --domain debian.games
ask 'A slip forgiven' thunderbrid --fuzzy
ask 'Tags and texts together' '"works-with::mail"' filter

say "Ask your own:  $limelight search $index WORDS"
say "As you type:   $limelight browse $index"
if [ -t 0 ] && [ -t 1 ]; then
  printf '\nPress the return key to search as you type (escape leaves) '
  read -r _ || exit 0
  exec "$limelight" browse "$index"
fi
