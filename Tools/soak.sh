#!/bin/sh
# soak.sh SECONDS SCRATCH: the soak in a process of its own; its report stands in build/soak.log.
set -eu

cd "$(dirname "$0")/.."
mkdir -p build
LIMELIGHT_SOAK_SECONDS=$1
LIMELIGHT_COMMIT=$(git describe --always --dirty 2>/dev/null || echo unknown)
export LIMELIGHT_SOAK_SECONDS LIMELIGHT_COMMIT

# Each in a process of its own, side by side: their memory is looked at. Not by way of `swift test`, of
# which one waits for the other.
"${SWIFT:-swift}" build --build-tests --scratch-path "$2" > build/soak.log 2>&1 || {
  cat build/soak.log >&2
  exit 1
}
soak() {
  "$2"/debug/LimelightPackageTests.xctest --testing-library swift-testing --filter "$1" \
    > "build/$3" 2>&1
}
soak FaultTests.FaultSoakTests "$2" soak-faults.log &
faults=$!
status=0
soak CrashTests.SoakTests "$2" soak.log || status=1
wait "$faults" || status=1
if [ "$status" != 0 ]; then
  cat build/soak.log build/soak-faults.log >&2
  exit 1
fi
# A run that was left out has no report.
grep -A 2 '^soak:' build/soak.log
grep -A 2 '^soak of faults:' build/soak-faults.log
