#!/bin/sh
# Builds the wheel, installs it where there is no compiler and no Swift, and tests it there; then
# checks the types.
#
#   run-tests.sh [PYTHON...]   further interpreters to run the tests in, such as python3.9
#
# With LIMELIGHT_LIBRARY, that shared library goes into the wheel, and Swift is not needed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$here/../.." && pwd)/build/python
tools=$build/tools
mkdir -p "$build/home"
export PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1

need() { # PACKAGE, then a command that succeeds when it is there
  package=$1
  shift
  "$@" >/dev/null 2>&1 && return
  echo "Installing $package"
  as_root=''
  [ "$(id -u)" = 0 ] || as_root=sudo
  $as_root apt-get update -qq
  $as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "$package" >/dev/null
}
need python3-venv python3 -c 'import venv, ensurepip'
need nodejs command -v node
need binutils command -v nm

echo "== tools"
if ! cmp -s "$here/requirements-tests.txt" "$tools/installed"; then
  rm -rf "$tools"
  python3 -m venv "$tools"
  "$tools/bin/pip" install -q -r "$here/requirements-tests.txt"
  cp "$here/requirements-tests.txt" "$tools/installed"
fi

echo "== wheel"
rm -rf "$build/wheels"
PATH="$tools/bin:$PATH" "$tools/bin/pip" wheel -q --no-deps --no-build-isolation \
  -w "$build/wheels" "$here"
wheel=$(ls "$build/wheels"/limelight-*-py3-none-linux_*.whl)
echo "$(basename "$wheel"), $(($(wc -c <"$wheel") / 1024)) KiB"

# The tests run with nothing on PATH but the environment's own programs.
bare() { # ENVIRONMENT, then a command
  bare=$1
  shift
  (cd "$build" && env -i HOME="$build/home" PATH="$bare/bin" LANG=C.UTF-8 \
    PYTHONDONTWRITEBYTECODE=1 "$@")
}
for python in python3 "$@"; do
  echo "== tests in $("$python" --version)"
  empty=$build/empty-$(basename "$python")
  rm -rf "$empty"
  "$python" -m venv "$empty"
  if bare "$empty" /bin/sh -c 'command -v cc || command -v gcc || command -v swift'; then
    echo "the environment is not empty" >&2
    exit 1
  fi
  bare "$empty" "$empty/bin/python" -m pip install -q --no-index --no-deps "$wheel"
  bare "$empty" "$empty/bin/python" -X dev -X faulthandler -m unittest discover \
    -s "$here/tests" -t "$here/tests"
done

# The tests are checked against the package as it is installed, as a client's code is.
echo "== types"
cd "$here"
"$tools/bin/mypy" --cache-dir "$build/mypy" limelight
cd "$build"
"$tools/bin/mypy" --config-file "$here/pyproject.toml" --cache-dir "$build/mypy-tests" \
  --python-executable "$build/empty-python3/bin/python" "$here/tests"
cd "$here"
"$tools/bin/pyright" --pythonpath "$build/empty-python3/bin/python"
if grep -rn 'type: *ignore\|pyright: *ignore\|noqa' limelight tests; then
  echo "a comment silences a check" >&2
  exit 1
fi
