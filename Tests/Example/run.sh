#!/bin/sh
# Builds and runs a package that uses Limelight, and beside it the Swift program of README.md.
#
# The package is put together in build/example-package, from which Limelight is found as from here.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
package=$root/build/example-package
work=$root/build/example-run

rm -rf "$package" "$work"
mkdir -p "$package/Sources/Readme" "$work"
cp -R "$here/Sources/Example" "$package/Sources"
awk '/^```swift$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$root/README.md" \
  >"$package/Sources/Readme/main.swift"
cp "$here/Package.swift" "$package"
cat >>"$package/Package.swift" <<'END'

package.targets.append(
  .executableTarget(
    name: "Readme", dependencies: [.product(name: "Limelight", package: "Limelight")]))
END

"${SWIFT:-swift}" build --package-path "$package" --scratch-path "$root/build/example"
"$root/build/example/debug/Example"
cd "$work"
printf '1\n1 with 4 stars or more\n' >expected
"$root/build/example/debug/Readme" >printed
diff expected printed
echo "ok    the Swift program of README.md"
