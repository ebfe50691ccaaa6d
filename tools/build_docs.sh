#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 OR MIT
# The documentation as a site in build/docs/html, with the C and Python references; a warning or a dead link inside it is an error.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/docs build/logs

if ! cmp -s docs/requirements.txt build/docs/python/installed; then
    python3 -m venv build/docs/python
    build/docs/python/bin/pip install --quiet --requirement docs/requirements.txt
    cp docs/requirements.txt build/docs/python/installed
fi
rm -rf build/docs/html build/docs/doxygen
mkdir -p build/docs/doxygen
(cat docs/api/Doxyfile && echo "OUTPUT_DIRECTORY = build/docs/doxygen") | doxygen - >build/logs/doxygen 2>&1 || {
    cat build/logs/doxygen
    exit 1
}
build/docs/python/bin/sphinx-build --builder html --conf-dir docs --doctree-dir build/docs/doctrees --fail-on-warning --keep-going --quiet . build/docs/html
build/docs/python/bin/linkchecker --no-status --no-warnings build/docs/html/docs/index.html >build/logs/links 2>&1 || {
    cat build/logs/links
    exit 1
}
echo "build/docs/html/docs/index.html: $(find build/docs/html -name '*.html' | wc -l) pages"
