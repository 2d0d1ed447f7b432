#!/bin/sh
# Builds the wheel, installs it where there is no compiler and no Swift, and tests it there; then
# checks the types, and that `pip install` builds from the checkout.
#
#   run-tests.sh [PYTHON...]   further interpreters to run the tests in, such as python3.9
#
# With LIMELIGHT_LIBRARY, that shared library goes into the wheel; where Swift is missing, too, all
# but the last step is done.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/python
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
if ! cmp -s "$here/requirements-tests.txt" "$tools/installed" || [ ! -e "$build/wheelhouse" ]; then
  rm -rf "$tools"
  python3 -m venv "$tools"
  "$tools/bin/pip" install -q -r "$here/requirements-tests.txt"
  # What builds the wheel, for environments of its own that need no network.
  grep '^hatchling' "$here/requirements-tests.txt" >"$build/requirements-wheel.txt"
  "$tools/bin/pip" download -q -d "$build/wheelhouse" -r "$build/requirements-wheel.txt"
  cp "$here/requirements-tests.txt" "$tools/installed"
fi

echo "== wheel"
rm -rf "$build/wheels"
PATH="$tools/bin:$PATH" "$tools/bin/pip" wheel -q --no-deps --no-build-isolation \
  -w "$build/wheels" "$here"
wheel=$(ls "$build/wheels"/limelight-*-py3-none-linux_*.whl)
echo "$(basename "$wheel"), $(($(wc -c <"$wheel") / 1024)) KiB"
case $wheel in
  *-py3-none-linux_"$(uname -m)".whl) ;;
  *) echo "the wheel is not tagged for this platform" >&2 && exit 1 ;;
esac

# The library in an installed package: stripped, without Swift and liblz4, exporting lime_* alone.
check_library() { # ENVIRONMENT
  library=$(ls "$1"/lib/python3*/site-packages/limelight/liblimelight.so.1)
  if readelf -d "$library" | grep NEEDED | grep -E 'swift|Foundation|dispatch|lz4'; then
    echo "$library needs more than the system's libraries" >&2
    exit 1
  fi
  if readelf -S "$library" | grep -E '\.symtab|\.debug'; then
    echo "$library is not stripped" >&2
    exit 1
  fi
  if nm -D --defined-only "$library" | awk '$2 != "A" { print $3 }' | grep -v '^lime_'; then
    echo "$library exports more than its functions" >&2
    exit 1
  fi
}

# The program of the README beside the header, as it stands there.
awk '/^```python$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$root/README.md" \
  >"$build/readme.py"
printf '1\n1 with 4 stars or more\n' >"$build/readme.expected"

# The tests run with nothing on PATH but the environment's own programs, and with memory that holds
# rubbish before it is written: only optimised code shows some reads of such.
bare() { # ENVIRONMENT, then a command
  bare=$1
  shift
  (cd "$build" && env -i HOME="$build/home" PATH="$bare/bin" LANG=C.UTF-8 \
    PYTHONDONTWRITEBYTECODE=1 MALLOC_PERTURB_=165 "$@")
}
check_readme() { # ENVIRONMENT
  rm -rf "$build/notes.index"
  bare "$1" "$1/bin/python" -X dev "$build/readme.py" | diff "$build/readme.expected" -
  echo "ok the program of the README"
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
  check_library "$empty"
  check_readme "$empty"
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

# As anybody does it: the library is built by `make library`, whose parts are there, and goes in.
if command -v swift >/dev/null; then
  echo "== pip install from the checkout"
  fresh=$build/fresh
  rm -rf "$fresh"
  python3 -m venv "$fresh"
  env -u LIMELIGHT_LIBRARY "$fresh/bin/pip" install -q --no-index \
    --find-links "$build/wheelhouse" "$here"
  check_library "$fresh"
  check_readme "$fresh"
fi
