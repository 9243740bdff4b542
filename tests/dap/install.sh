#!/bin/sh
# install.sh FOLDER: the packages of package-lock.json in FOLDER of the build, once. Exit status 77:
# there is no node, or the packages cannot be had here.
set -u
folder=$1
here=$(dirname "$0")
command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 || {
    echo "node and npm are not installed"
    exit 77
}
mkdir -p "$folder" || exit 2
exec 9>"$folder.lock" && flock 9 # tests run side by side
cmp -s "$here/package-lock.json" "$folder/installed" && exit 0
cp "$here/package.json" "$here/package-lock.json" "$folder/" || exit 2
if ! timeout 180 npm ci --no-audit --no-fund --ignore-scripts --prefix "$folder" >"$folder/log" 2>&1; then
    tail -n 3 "$folder/log"
    exit 77
fi
cp "$here/package-lock.json" "$folder/installed"
