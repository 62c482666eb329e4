#!/bin/sh
# Makes .venv and installs one locked set of packages into it: `setup.sh run` for `make run`, `setup.sh dev` for tests and checks too.
# Done before with the same lock file: nothing happens.
set -eu
cd "$(dirname "$0")/.."
set_name=${1:-dev}
case $set_name in
    run) lock=requirements.txt ;;
    dev) lock=requirements-dev.txt ;;
    *) echo "setup.sh: run or dev" >&2; exit 2 ;;
esac
venv=.venv

say() { printf '%s\n' "$*" >&2; }

find_python() {
    for candidate in ${PYTHON:-} python3 python3.13 python3.12 python3.11 python; do
        if command -v "$candidate" >/dev/null 2>&1 &&
            "$candidate" -c 'import sys; raise SystemExit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    say "guessIo needs Python 3.11 or newer, and found none."
    say "  Debian/Ubuntu: apt-get install python3 python3-venv    macOS: brew install python    or name one: make PYTHON=/path/to/python3.12"
    exit 1
}

if ! "$venv/bin/python" -c 'import pip, sys; raise SystemExit(sys.version_info < (3, 11))' 2>/dev/null; then
    python=$(find_python)
    if ! "$python" -c 'import venv, ensurepip' 2>/dev/null; then
        say "$python cannot make virtual environments: its modules venv and ensurepip are a package of their own on some systems."
        say "  Debian/Ubuntu: apt-get install python3-venv    Fedora: dnf install python3    then run the same command again"
        exit 1
    fi
    say "Making $venv with $("$python" --version)"
    "$python" -m venv "$venv"
fi

# The hash of the lock file, not its date: a fresh clone of the same state installs nothing anew.
wanted=$("$venv/bin/python" -c 'import hashlib, sys; print(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest())' "$lock")
stamp=$venv/.installed-$set_name
if [ "$(cat "$stamp" 2>/dev/null || true)" = "$wanted" ]; then
    exit 0
fi
say "Installing $lock (once, until it changes)"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r "$lock"
printf '%s\n' "$wanted" >"$stamp"
