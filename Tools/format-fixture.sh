#!/bin/sh
# format-fixture.sh VERSION [COMMIT]: makes the fixture of a version of the file format, with today's
# code or with that of a commit, in Tests/FormatTests/Fixtures/version-VERSION.
set -eu

cd "$(dirname "$0")/.."
version=$1
commit=${2:-}
target=$PWD/Tests/FormatTests/Fixtures/version-$version
if [ -e "$target" ]; then
  echo "$target is there: a fixture is never made anew" >&2
  exit 1
fi
tree=.
scratch=build/test-debug
if [ -n "$commit" ]; then
  tree=build/format-$version
  rm -rf "$tree"
  mkdir -p "$tree"
  git archive "$commit" | tar -x -C "$tree"
  scratch=$tree/.build
fi
if ! [ -e "$tree/Tests/FormatFixture" ]; then
  cp -R Tests/FormatFixture "$tree/Tests/"
  awk '{ print }
    /^  targets: \[/ {
      print "    .executableTarget("
      print "      name: \"LimelightFormatFixture\","
      print "      dependencies: ["
      print "        \"Limelight\", \"LimelightIndexing\", \"LimelightItems\", \"LimelightSnapshots\","
      print "        \"LimelightStorage\","
      print "      ], path: \"Tests/FormatFixture\", swiftSettings: strict),"
    }' "$tree/Package.swift" > "$tree/Package.new"
  mv "$tree/Package.new" "$tree/Package.swift"
fi
"${SWIFT:-swift}" build --package-path "$tree" --scratch-path "$scratch" -j 2 \
  --product LimelightFormatFixture
"$scratch/debug/LimelightFormatFixture" "$target"
du -sb "$target"
