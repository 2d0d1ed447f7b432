#!/bin/sh
# Tests an installed library from plain C and C++: run.sh PREFIX [FOLDER FOR WHAT IS BUILT]
#
# The programs are built by the system's compilers and run where no Swift can be found.
set -eu
prefix=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=${2:-$root/build/c-tests}
mkdir -p "$out"
out=$(cd "$out" && pwd)
header=$prefix/include/limelight.h
library=$prefix/lib/liblimelight.so.1
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
export PKG_CONFIG_PATH

fail() {
  echo "$*" >&2
  exit 1
}

warnings='-Wall -Wextra -pedantic -Werror'
# shellcheck disable=SC2086 # the warnings are words
header_stands_alone() {
  for language in 'gcc -std=c11 -x c' 'g++ -std=c++17 -x c++'; do
    echo '#include <limelight.h>' | $language $warnings -fsyntax-only -I "$prefix/include" -
  done
}

# The header, the library, the archive and the version script name the same functions.
functions_are_the_same() {
  gcc -E -P "$header" | grep -oE '\blime_[a-z0-9_]+ *\(' | tr -d ' (' | sort -u >"$out/header"
  nm -D --defined-only --without-symbol-versions "$library" | awk '$2 != "A" { print $3 }' |
    sort >"$out/library"
  nm -g --defined-only "$prefix/lib/liblimelight.a" | awk 'NF == 3 { print $3 }' |
    sort >"$out/archive"
  grep -oE '\blime_[a-z0-9_]+;' "$root/include/exports.map" | tr -d ';' | sort >"$out/script"
  for other in library archive script; do
    diff "$out/header" "$out/$other" || fail "the functions of the header and the $other differ"
  done
  # Each function is called by the tests, and each says its thread rule, errors and first version.
  while read -r function; do
    cat "$here/items.c" "$here/searching.c" "$here/indexes.c" | grep -q "\\b$function(" ||
      fail "no test calls $function"
  done <"$out/header"
  awk '/^\/\*/ { text = "" } { text = text $0 } /^[a-z].*lime_[a-z0-9_]+\(/ && !/^typedef/ {
      if (text !~ /Threads:/ || text !~ /Errors:/ || text !~ /Since/) { print; bad = 1 } }
    END { exit bad }' "$header" || fail 'these functions do not say threads, errors or since'
}

# The library needs nothing of Swift, and has a name of its own.
library_needs_nothing() {
  readelf -d "$library" | grep -q 'SONAME.*\[liblimelight.so.1\]' || fail 'the soname is wrong'
  if readelf -d "$library" | grep NEEDED | grep -E 'swift|Foundation|dispatch|icu'; then
    fail 'the library needs Swift'
  fi
}

# Runs a program with an empty environment and, where the system lets us, with Swift hidden. Memory holds
# rubbish before it is written: only optimised code shows some reads of such.
hidden=''
if swift=$(command -v swift 2>/dev/null) && unshare -m true 2>/dev/null; then
  hidden=$(dirname "$(dirname "$(dirname "$(readlink -f "$swift")")")")
  case $hidden in /opt/* | /usr/local/* | /home/* | /root/*) ;; *) hidden='' ;; esac
fi
alone() {
  if [ -n "$hidden" ]; then
    unshare -m sh -c 'mount -t tmpfs none "$0" && exec env -i MALLOC_PERTURB_=165 "$@"' \
      "$hidden" "$@"
  else
    env -i MALLOC_PERTURB_=165 "$@"
  fi
}

# shellcheck disable=SC2046,SC2086 # flags are words
build() { # PROGRAM SOURCE [shared | static]
  case $2 in *.cpp) language='g++ -std=c++17' ;; *) language='gcc -std=c11 -D_GNU_SOURCE' ;; esac
  # As a host would: its library folder is known to the loader, or the archive is in the program.
  if [ "${3:-shared}" = static ]; then
    flags="-Wl,-Bstatic -llimelight -Wl,-Bdynamic $(pkg-config --static --libs limelight |
      sed 's/-llimelight//')"
  else
    flags="$(pkg-config --libs limelight) -Wl,-rpath,$prefix/lib"
  fi
  $language -O1 -g $warnings $(pkg-config --cflags limelight) -I "$here" -o "$out/$1" "$2" $flags \
    -lpthread -ldl
}

run() { # PROGRAM [ARGUMENTS]
  program=$1
  shift
  alone "$out/$program" "$@" >"$out/$program.log" 2>&1 || {
    cat "$out/$program.log" >&2
    fail "$program failed"
  }
  echo "ok $program"
}

header_stands_alone
functions_are_the_same
library_needs_nothing
for example in index_and_search.c threads.c callbacks_and_cancel.c cplusplus.cpp; do
  build "${example%.*}" "$root/examples/c/$example"
  run "${example%.*}"
done
for test in items searching indexes misuse hostile ending fork guarding reload; do
  build "$test" "$here/$test.c"
  rm -rf "$out/$test.index" "$out/$test.index.before-repair" "$out/$test.index.sole"
  argument=$out/$test.index
  [ "$test" != reload ] || argument=$library
  run "$test" "$argument"
done
cat "$out/reload.log"
# Loading takes under 3 ms; other work on the machine may hold up some of these processes, not all.
milliseconds=$(for _ in 1 2 3 4 5 6 7 8 9 10; do alone "$out/reload" "$library" once; done |
  sort -n | head -n 1)
echo "loaded in $milliseconds ms"
[ "${milliseconds%.*}" -lt 3 ] || fail "loading takes $milliseconds ms"

# What is installed is complete, and the command runs alone as well.
installed_is_complete() {
  for link in liblimelight.so liblimelight.so.1; do
    [ -L "$prefix/lib/$link" ] && [ -e "$prefix/lib/$link" ] || fail "$link leads nowhere"
  done
  alone "$prefix/bin/limelight" version | grep -q '^limelight ' || fail 'the command does not run'
  if readelf -d "$prefix/bin/limelight" | grep NEEDED | grep -E 'swift|dispatch'; then
    fail 'the command needs Swift'
  fi
  # The header's version is that of the library's file name and of the pkg-config file.
  version=$(pkg-config --modversion limelight)
  [ -e "$prefix/lib/liblimelight.so.1.$version" ] || fail "there is no library of $version"
  # The commands of the README, but for those that build and the one that needs a terminal.
  rm -rf "$out/readme-commands"
  mkdir "$out/readme-commands"
  {
    echo "limelight() { '$prefix/bin/limelight' \"\$@\"; }"
    awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$root/README.md" |
      sed '/^make /d; /^alias /d; /^limelight browse /d'
  } >"$out/readme-commands/commands"
  (cd "$out/readme-commands" && alone /bin/sh commands) >"$out/readme-commands.log" 2>&1 ||
    fail "the README's commands failed: $(cat "$out/readme-commands.log")"
  if ! grep -q '^imported 2 items' "$out/readme-commands.log" ||
    ! grep -q 'Crème brûlée' "$out/readme-commands.log"; then
    fail "the README's commands print something else"
  fi
  echo 'ok installed'
}
installed_is_complete

# The program of the README, as it stands there.
awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$root/README.md" >"$out/readme.c"
build readme "$out/readme.c"
(cd "$out" && rm -rf notes.index && run readme)
printf '1\n1 with 4 stars or more\n' | diff - "$out/readme.log" ||
  fail "the README's program prints something else"

for test in items searching indexes hostile ending; do
  build "$test-static" "$here/$test.c" static
  rm -rf "$out/$test.index" "$out/$test.index.before-repair"
  run "$test-static" "$out/$test.index"
done

# With VALGRIND=1: no access to what is not there, no leak.
if [ "${VALGRIND:-0}" != 0 ]; then
  for test in items searching indexes misuse hostile ending; do
    rm -rf "$out/$test.index" "$out/$test.index.before-repair"
    leaks=full
    [ "$test" != hostile ] || leaks=no # it leaves handles open
    valgrind -q --leak-check=$leaks --show-leak-kinds=definite --errors-for-leak-kinds=definite \
      --error-exitcode=9 --num-callers=30 "$out/$test" "$out/$test.index" ||
      fail "valgrind found something in $test"
  done
  echo 'ok valgrind'
fi
