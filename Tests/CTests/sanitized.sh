#!/bin/sh
# Hostile use from C and from Python under the address sanitizer: sanitized.sh SWIFT BUILD
#
# BUILD is the folder of a build with the address sanitizer; the shared library is built in it, in
# debug mode, and takes the place of the installed one. Its run-time comes first into each process,
# since neither the plain C programs nor Python bring it.
set -eu
swift=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$(mkdir -p "$2" && cd "$2" && pwd)
out=$root/build/c-sanitized
mkdir -p "$out"

"$swift" build --sanitize=address --scratch-path "$build" --product LimelightShared
ln -sfn "$build/debug/libLimelightShared.so" "$out/liblimelight.so.1"
ln -sfn liblimelight.so.1 "$out/liblimelight.so"
tools=$(dirname "$(readlink -f "$(command -v "$swift")")")
runtime=$(ls "$tools"/../lib/clang/*/lib/*/libclang_rt.asan-"$(uname -m)".so | head -n 1)

# Swift's runtime keeps what it has made until the process ends: leaks are valgrind's matter.
sanitized() {
  env LD_PRELOAD="$runtime" ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no "$@"
}

for test in items searching indexes misuse hostile ending; do
  gcc -std=c11 -D_GNU_SOURCE -O1 -g -I "$root/include" -I "$here" -o "$out/$test" "$here/$test.c" \
    -L "$out" -llimelight -Wl,-rpath,"$out" -Wl,--allow-shlib-undefined -lpthread
  rm -rf "$out/$test.index"
  # The build is ten times as slow as an installed one.
  items=''
  [ "$test" != ending ] || items=2000
  # shellcheck disable=SC2086 # no argument where there is none
  sanitized "$out/$test" "$out/$test.index" $items >"$out/$test.log" 2>&1 || {
    cat "$out/$test.log" >&2
    echo "$test failed under the address sanitizer" >&2
    exit 1
  }
  echo "ok $test, sanitized"
done

# The package of the checkout has no library of its own and takes this one.
cd "$root/bindings/python/tests"
sanitized env PYTHONPATH=.. PYTHONDONTWRITEBYTECODE=1 PYTHONMALLOC=malloc \
  LIMELIGHT_LIBRARY="$out/liblimelight.so.1" \
  python3 -m unittest test_hostile test_handles test_items test_putting
