#!/bin/sh
# soak.sh SECONDS SCRATCH: the soak in a process of its own; its report stands in build/soak.log.
set -eu

cd "$(dirname "$0")/.."
mkdir -p build
LIMELIGHT_SOAK_SECONDS=$1
LIMELIGHT_COMMIT=$(git describe --always --dirty 2>/dev/null || echo unknown)
export LIMELIGHT_SOAK_SECONDS LIMELIGHT_COMMIT
"${SWIFT:-swift}" test --scratch-path "$2" --filter CrashTests.SoakTests > build/soak.log 2>&1 || {
  cat build/soak.log >&2
  exit 1
}
# A run that was left out has no report.
grep -A 2 '^soak:' build/soak.log
