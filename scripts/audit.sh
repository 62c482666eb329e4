#!/bin/sh
# What is installed: pinned, with hashes, from nowhere in particular; and known vulnerabilities, where that can be asked.
set -eu
cd "$(dirname "$0")/.."
.venv/bin/python -m pytest -q tests/security/test_requirements.py
if ! command -v pip-audit >/dev/null 2>&1; then
    echo "Known vulnerabilities were NOT looked up: that takes pip-audit (pipx install pip-audit) and a way to its database."
    exit 0
fi
for lock in requirements.txt requirements-dev.txt; do
    pip-audit --disable-pip --require-hashes --requirement "$lock"
done
