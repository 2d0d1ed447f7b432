#!/bin/sh
# Installs what building and testing need and the machine lacks, by apt, as root or through sudo.
set -eu

if ! command -v swift >/dev/null 2>&1; then
  echo "Swift is missing: Limelight needs Swift 6.3 or newer, from https://www.swift.org/install" >&2
  exit 1
fi

missing=''
need() { # PACKAGE, then a command that succeeds when it is there
  package=$1
  shift
  "$@" >/dev/null 2>&1 || missing="$missing $package"
}
need liblz4-dev test -e /usr/include/lz4.h
need pkg-config command -v pkg-config
need unicode-data test -e /usr/share/unicode/auxiliary/WordBreakTest.txt -o \
  -e /usr/share/unicode/WordBreakTest.txt
need zstd command -v zstd
need gcc command -v gcc
need g++ command -v g++
need binutils command -v objcopy
need valgrind command -v valgrind
# A file system in user space, over which an index is tried.
need bindfs command -v bindfs
need fuse3 command -v fusermount3
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
  echo "Please install what is missing:$missing (the names of Debian's packages)" >&2
  exit 1
fi
as_root=''
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    echo "Please install as root: apt-get install$missing" >&2
    exit 1
  fi
  as_root=sudo
fi
echo "Installing$missing"
$as_root apt-get update -qq
# shellcheck disable=SC2086 # the names are words
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
