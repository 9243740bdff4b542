#!/bin/sh
# deb.sh ARCHIVE FOLDER: Debian packages of a source archive, in FOLDER: dpkg-buildpackage over
# packaging/debian, then lintian. Needs build-essential, debhelper and lintian.
set -eu
archive=$1 folder=$2
for program in dpkg-buildpackage dh lintian; do
    command -v "$program" >/dev/null 2>&1 || {
        echo "make deb needs these packages: build-essential debhelper lintian" >&2
        exit 1
    }
done
name=$(basename "$archive" .tar.xz) # fhec-VERSION
rm -rf "$folder"
mkdir -p "$folder"
cp "$archive" "$folder/fhec_${name#fhec-}.orig.tar.xz"
tar -xJf "$archive" -C "$folder"
cp -R packaging/debian "$folder/$name/debian"
(cd "$folder/$name" && dpkg-buildpackage --no-sign -b)
(cd "$folder" && lintian --fail-on error,warning ./*.changes && ls ./*.deb)
