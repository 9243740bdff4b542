#!/bin/sh
# pack.sh FOLDER FILE: the extension as FILE, packed in FOLDER of the build. Exit status 77: there is
# no node, or the packages cannot be had here.
set -u
folder=$1 file=$2
here=$(dirname "$0")
command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 || {
    echo "node and npm are not installed"
    exit 77
}
mkdir -p "$folder" || exit 2
exec 9>"$folder.lock" && flock 9 # tests run side by side
for entry in package.json package-lock.json language-configuration.json syntaxes snippets \
    extension.js README.md .vscodeignore; do
    cp -r "$here/$entry" "$folder/" || exit 2
done
cp "$here/../../LICENSE" "$folder/LICENSE" || exit 2
if ! cmp -s "$folder/package-lock.json" "$folder/installed"; then
    timeout 180 npm ci --no-audit --no-fund --ignore-scripts --prefix "$folder" >"$folder/log" 2>&1 || {
        tail -n 3 "$folder/log"
        exit 77
    }
    cp "$folder/package-lock.json" "$folder/installed"
fi
file=$(cd "$(dirname "$file")" && pwd)/$(basename "$file")
cd "$folder" || exit 2
printf 'installed\nlog\n' >>.vscodeignore
./node_modules/.bin/vsce package --allow-missing-repository --out "$file" >log 2>&1 || {
    tail -n 5 log
    exit 1
}
