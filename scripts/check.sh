#!/bin/sh
# Runs every check to its end, so that one run shows all that is wrong; fails if any did.
set -u
cd "$(dirname "$0")/.."
failed=""

step() {
    name=$1
    shift
    printf '== %s\n' "$name"
    "$@" || failed="$failed $name"
}

coverage_of_core() {
    .venv/bin/python -m pytest tests/rules tests/engine -q -x -m "not db and not live and not e2e" \
        --cov --cov-branch --cov-report=term:skip-covered
}

# A package or picture that came along by mistake: everything that belongs here is text.
all_is_text() {
    ! git ls-files --eol | grep '^i/-text'
}

step layers .venv/bin/lint-imports --no-logo
step lint .venv/bin/ruff check .
step format .venv/bin/ruff format --check .
step types .venv/bin/pyright --warnings
step templates .venv/bin/djlint templates --lint --quiet
step text all_is_text
step coverage coverage_of_core

if [ -n "$failed" ]; then
    printf 'check failed:%s\n' "$failed"
    exit 1
fi
printf 'check passed\n'
