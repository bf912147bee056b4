#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the wheel, installs it into an empty virtual environment, and runs there the program, the tour and the
# examples of a docstring. By hand, or before a release: it downloads scikit-learn and others, and compiles what
# `make python` has not, so it is not among the tests.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
python=$root/.venv/bin/python   # has what building needs: make python
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

CXX=${CXX:-c++} "$python" -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir "$work" "$root"
"$python" -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check "$work"/credence-*.whl pandas pyarrow

cd "$work"
venv/bin/credence --version
venv/bin/python -m doctest "$(venv/bin/python -c 'import credence; print(credence.__path__[0])')/text.py"
ln -s "$root/examples" examples
# The blocks of the tour, one after the other; what they print is compared elsewhere.
venv/bin/python - "$root/docs/python_tutorial.md" <<'BLOCKS'
import re
import sys

blocks = re.findall(r"^```python\n(.*?)^```", open(sys.argv[1]).read(), flags=re.M | re.S)
exec("\n".join(blocks), {})
print(len(blocks), "blocks of the tour ran")
BLOCKS
ls -l credence-*.whl | awk '{print $5 " bytes: " $9}'
