#!/usr/bin/env bash
# tests/install/run.sh BUILD_DIR: installs into a temporary prefix, then builds and runs a project
# that finds the package there.
set -euo pipefail
build=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

cmake --install "$build" --prefix "$temp/prefix" >/dev/null
test -x "$temp/prefix/bin/credence"
cmake -S "$here" -B "$temp/build" -G Ninja -DCMAKE_PREFIX_PATH="$temp/prefix"
cmake --build "$temp/build"
"$temp/build/consumer"
