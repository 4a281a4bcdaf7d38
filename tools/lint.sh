#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks style and types; --fix rewrites what can be rewritten.
set -euo pipefail
cd "$(dirname "$0")/.."

# Tables keep the shape their script gives them.
c_sources() {
    find aesfit papers bench drivers examples lib rust/src tests -name '*.[ch]' -o -name '*.[ch]pp' |
        xargs grep -L 'Made by tools/make_tables.py' | sort
}
python_sources=(aesfit papers tests tools bench examples conanfile.py conftest.py)

if [ "${1:-}" = --fix ]; then
    c_sources | xargs clang-format -i
    .venv/bin/ruff format --quiet "${python_sources[@]}"
    .venv/bin/ruff check --quiet --fix "${python_sources[@]}"
    exit
fi
c_sources | xargs clang-format --dry-run -Werror
.venv/bin/ruff format --quiet --check "${python_sources[@]}"
.venv/bin/ruff check --quiet "${python_sources[@]}"
.venv/bin/mypy --no-error-summary
