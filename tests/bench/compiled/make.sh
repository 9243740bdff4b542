#!/bin/sh
# Compiles the CUDA sources of this folder: NAME.cubin, -O3 for sm_80, without source lines.
# `make.sh` writes them beside the sources; `make.sh check` compiles them in a folder of its own and
# names those that differ.
# Exit status: 0, 1 for a difference or an error, 77 where there is no compiler or another than the
# one that made what is checked in.
set -eu
mode=${1:-make}
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../tools/nvcc.sh"
compiler
[ "$mode" != check ] || made_by_it "$here/ntt.cubin"

# The object without what follows from the folder of the source: in the names of what a source has for
# itself, eight digits.
without_folder() {
    LC_ALL=C sed -E 's/(_INTERNAL_|N__)[0-9a-f]{8}_/\1........_/g' "$1"
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0
for source in "$here"/*.cu; do
    name=$(basename "$source" .cu)
    cubin=$folder/$name.cubin
    "$nvcc" -arch=sm_80 -O3 -cubin -o "$cubin" "$source"
    if [ "$mode" != check ]; then
        cp "$cubin" "$here"
    elif without_folder "$here/$name.cubin" >"$folder/wanted" &&
        ! without_folder "$cubin" | cmp -s - "$folder/wanted"; then
        echo "$name.cubin differs from what $nvcc makes of $name.cu"
        status=1
    fi
done
exit $status
