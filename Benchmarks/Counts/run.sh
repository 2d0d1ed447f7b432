#!/bin/sh
# Counts the instructions of fixed workloads and compares them with Benchmarks/Counts/baseline.json.
#
# run.sh check|renew: check fails where a workload takes over 3 % more than its baseline.
set -eu

mode=$1
cd "$(dirname "$0")/../.."
swift=${SWIFT:-swift}
place=build/counts
baseline=Benchmarks/Counts/baseline.json
architecture=$(uname -m)
# Dictionaries walk in the same order in every process.
export SWIFT_DETERMINISTIC_HASHING=1

"$swift" build -c release --product LimelightCounts >&2
rm -rf $place
mkdir -p $place
# valgrind gives up on debugging information that it cannot read.
objcopy --strip-debug .build/release/LimelightCounts $place/program
$place/program prepare $place/index

# Each time the function is left, a dump is written and the counts begin anew.
valgrind --tool=callgrind --callgrind-out-file=$place/dump --collect-atstart=no \
  --toggle-collect=limelight_counted --dump-after=limelight_counted \
  $place/program run $place/index > $place/names 2> $place/valgrind.log || {
  cat $place/valgrind.log >&2
  exit 1
}

number=0
: > $place/counts
while read -r name _; do
  number=$((number + 1))
  count=$(sed -n 's/^\(totals\|summary\): *//p' $place/dump.$number | tail -1)
  echo "$name $count" >> $place/counts
done < $place/names

if [ "$mode" = renew ]; then
  # Other architectures keep theirs.
  {
    echo '{'
    if [ -f $baseline ]; then
      awk -v own="\"$architecture\"" '/^  "/ { skips = index($0, own) > 0 } /^  / && !skips' $baseline |
        sed 's/^  }$/  },/'
    fi
    echo "  \"$architecture\": {"
    awk '{ printf "%s    \"%s\": %s", (NR > 1 ? ",\n" : ""), $1, $2 } END { print "" }' $place/counts
    echo '  }'
    echo '}'
  } > $place/baseline.json
  mv $place/baseline.json $baseline
  cat $place/counts
  exit 0
fi

awk -v own="\"$architecture\"" '
  FNR == NR {
    if (/^  "/) isOwn = index($0, own) > 0
    if (isOwn && /^    "/) { gsub(/[",:]/, ""); known[$1] = $2; total++ }
    next
  }
  {
    if (!($1 in known)) { printf "%-18s %14d  new\n", $1, $2; unknown++; next }
    change = 100 * ($2 - known[$1]) / known[$1]
    verdict = change > 3 ? "SLOWER" : change < -3 ? "faster: make counts-renew" : ""
    if (change > 3) slower++
    seen++
    printf "%-18s %14d  %+6.2f %%  %s\n", $1, $2, change, verdict
  }
  END {
    if (total == 0) { print "no baseline for " own ": make counts-renew"; exit 1 }
    if (seen < total) { print total - seen " workloads of the baseline are gone: make counts-renew" }
    if (unknown) print unknown " workloads have no baseline: make counts-renew"
    exit slower > 0 || unknown > 0 || seen < total
  }' $baseline $place/counts
