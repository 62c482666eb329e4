#!/bin/sh
# Writes requirements*.txt: exact versions with hashes, and no word on where they were fetched from.
set -eu
cd "$(dirname "$0")/.."
for name in requirements requirements-dev; do
    .venv/bin/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras --no-annotate --no-header \
        --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options "$@" \
        --output-file "$name.txt" "$name.in"
    { printf '# Locked from %s.in by `make lock`: exact versions with the hashes of their files. Don'\''t edit by hand.\n' "$name"
      grep -v '^# Locked from' "$name.txt"; } >"$name.tmp"
    mv "$name.tmp" "$name.txt"
done
