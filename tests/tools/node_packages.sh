#!/bin/sh
# node_packages.sh FOLDER PACKAGE@VERSION...: packages for tests that run in node, installed in FOLDER
# of the build, once. Exit status 77: there is no node, or the packages cannot be had here.
set -u
folder=$1
shift
command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 || {
    echo "node and npm are not installed"
    exit 77
}
mkdir -p "$folder" || exit 2
exec 9>"$folder.lock" && flock 9 # tests run side by side
[ "$(cat "$folder/installed" 2>/dev/null)" != "$*" ] || exit 0
if ! timeout 120 npm install --no-audit --no-fund --no-save --prefix "$folder" "$@" \
    >"$folder/log" 2>&1; then
    echo "npm install fails: $(grep -m1 'ERR! code' "$folder/log" || tail -n 1 "$folder/log")"
    exit 77
fi
echo "$*" >"$folder/installed"
