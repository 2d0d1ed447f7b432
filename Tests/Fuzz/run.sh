#!/bin/sh
# Builds the fuzzers and runs them, two at a time; the report stands in build/fuzz/report.md.
#
# run.sh SECONDS short|long: short begins with the seeds and keeps nothing, long goes on with the inputs
# in build/fuzz/corpus. LIMELIGHT_SEED chooses the mutations, FUZZ_TARGETS the targets.
set -eu

seconds=$1
mode=$2
seed=${LIMELIGHT_SEED:-1}
targets=${FUZZ_TARGETS:-segment manifest journal lines text}
cd "$(dirname "$0")/../.."
swift=${SWIFT:-swift}
place=build/fuzz
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0
# Reports name the functions of a stack where this program is.
if [ -z "${ASAN_SYMBOLIZER_PATH:-}" ]; then
  symbolizer=$(dirname "$(readlink -f "$(command -v swiftc)")")/llvm-symbolizer
  if [ -x "$symbolizer" ]; then export ASAN_SYMBOLIZER_PATH="$symbolizer"; fi
fi

# Optimised, but with all assertions: a trap is a finding as well. SwiftPM cannot link a fuzzer.
build() {
  "$swift" build -c release --scratch-path $place/engine --target LimelightFuzzEntry \
    -Xswiftc -sanitize=fuzzer,address -Xswiftc -assert-config -Xswiftc Debug \
    -Xswiftc -DSEPARATE_BUFFERS
  find Sources Tests -name '*.swift' -exec basename {} \; | sort -u > $place/sources
  # What sources that are gone have left in the build's folder stays out.
  for object in $place/engine/release/Limelight*.build/*.o; do
    if grep -qxF "$(basename "$object" .o)" $place/sources; then echo "$object"; fi
  done > $place/objects
  ls $place/engine/release/CBusGuard.build/*.o $place/engine/release/CWide.build/*.o >> $place/objects
  swiftc -sanitize=fuzzer,address -o $place/fuzz @$place/objects -llz4 2> $place/link.log || {
    cat $place/link.log >&2
    exit 1
  }
}

# The longest input of a target.
longest() {
  case $1 in
    segment) echo 32768 ;;
    journal) echo 16384 ;;
    text) echo 2048 ;;
    *) echo 8192 ;;
  esac
}

fuzz() {
  target=$1
  corpus=$place/corpus/$target
  if [ "$mode" = short ]; then
    corpus=$place/short/$target
    rm -rf "$corpus"
  fi
  rm -rf "$place/seeds/$target"
  mkdir -p "$corpus" "$place/seeds/$target" "$place/crashes"
  ln -sf fuzz "$place/fuzz-$target"
  LIMELIGHT_FUZZ_SEEDS=$place/seeds/$target "$place/fuzz-$target"
  dictionary=Tests/Fuzz/Dictionaries/$target.dict
  if [ -f "$dictionary" ]; then dictionary=-dict=$dictionary; else dictionary=''; fi
  # shellcheck disable=SC2086 # no dictionary is no argument
  if "$place/fuzz-$target" -max_total_time="$seconds" -seed="$seed" -timeout=10 \
    -rss_limit_mb=2048 -max_len="$(longest "$target")" -len_control=0 -print_final_stats=1 \
    -artifact_prefix="$place/crashes/$target-" $dictionary "$corpus" "$place/seeds/$target" \
    > "$place/$target.log" 2>&1; then
    echo 0 > "$place/$target.status"
  else
    echo $? > "$place/$target.status"
  fi
}

stat() { # TARGET NAME
  sed -n "s/^stat::$2: *//p" "$place/$1.log"
}

report() {
  echo '# Fuzzing'
  echo
  echo "Commit $(git describe --always --dirty 2>/dev/null || echo unknown), seed $seed," \
    "$seconds s each, $(date -u +%Y-%m-%dT%H:%MZ)."
  echo
  echo '| target | runs | a second | edges | inputs kept | MB | found |'
  echo '|---|---|---|---|---|---|---|'
  for target in $targets; do
    edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$place/$target.log" | tail -1)
    found=$(sed -n 's/.*Test unit written to //p' "$place/$target.log" | tr '\n' ' ')
    status=$(cat "$place/$target.status")
    if [ "$status" != 0 ]; then found="${found:-exit status $status, see $place/$target.log}"; fi
    echo "| $target | $(stat "$target" number_of_executed_units)" \
      "| $(stat "$target" average_exec_per_sec) | $edges" \
      "| $(stat "$target" new_units_added) | $(stat "$target" peak_rss_mb) | ${found:-nothing} |"
  done
  echo
  echo 'What the inputs reached:'
  echo
  for target in $targets; do
    echo "- $target: $(sed -n 's/^reached: //p' "$place/$target.log" | tail -1)"
  done
}

mkdir -p $place
case ${3:-all} in
  all)
    build
    # Two at a time: shells of this script, each for one target.
    echo "$targets" | tr ' ' '\n' | LIMELIGHT_SEED=$seed xargs -n 1 -P 2 "$0" "$seconds" "$mode"
    report > $place/report.md
    cat $place/report.md
    for target in $targets; do
      if [ "$(cat $place/"$target".status)" != 0 ]; then
        grep -aE -A 12 'ERROR|FAILURE' "$place/$target.log" | head -40 >&2
        failed=1
      fi
    done
    [ -z "${failed:-}" ]
    ;;
  *) fuzz "$3" ;;
esac
