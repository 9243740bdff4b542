#!/bin/sh
# Compiles the CUDA sources of this folder: NAME.O3.cubin and NAME.O1.cubin, for sm_80, with source
# lines; machines/convert.sm_NN.cubin for the others. `make.sh` writes them beside the sources;
# `make.sh check` compiles them in a folder of its own and names those that differ;
# `make.sh into FOLDER sm_NN NAME...` compiles NAME.O3.cubin and NAME.O1.cubin for sm_NN into FOLDER.
# A cubin holds the folders, times and sizes of its sources and of
# the compiler's headers, and a number made from the source's path is part of the names of what is
# static. So that two machines make the same, the PTX between names folders that do not exist, for
# which the assembler writes zeros, and that number is 0.
# Exit status: 0, 1 for a difference or an error, 77 where there is no compiler or another than the
# one that made what is checked in.
set -eu
mode=${1:-make}
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../tools/nvcc.sh"
compiler
tools=$(dirname "$nvcc")
target=sm_80
if [ "$mode" = into ]; then
    into=$(cd "$2" && pwd) target=$3
    shift 3
    sources=$(printf '%s.cu ' "$@")
fi
[ "$mode" != check ] || made_by_it "$here/linked.cubin"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/linked"
cp "$here"/*.cu "$here"/cuda.h "$folder"
cp "$here"/linked/*.cu "$folder/linked"
cp -r "$here/names" "$here/machines" "$folder"
cp "$here"/device/device.cu "$folder/linked"
cd "$folder"
status=0
keep() { # keep CUBIN: beside the sources, or compared with what is there
    if [ "$mode" = into ]; then
        cp "$1" "$into"
    elif [ "$mode" != check ]; then
        cp "$1" "$here/$1"
    elif ! cmp -s "$1" "$here/$1"; then
        echo "$1 differs from what $nvcc makes of the sources"
        status=1
    fi
}
unnumbered() { # unnumbered FILE: of static names
    LC_ALL=C sed -i 's/_\(INTERNAL\|GLOBAL__N_\)_[0-9a-f]\{8\}_/_\1_00000000_/g' "$1"
}
translate() { # translate SOURCE PTX [OPTION...]
    source=$1 ptx=$2
    shift 2
    "$nvcc" -arch="$target" -ptx -lineinfo "$@" -o "$ptx" "$source" 2>"$ptx.log" ||
        { cat "$ptx.log" >&2; exit 1; }
    sed -i -e "/^[[:space:]]*\.file/{s|\"$folder/|\"/fhec/cuda/|; s|\"/.*/include/|\"/include/|;}" \
        "$ptx"
    unnumbered "$ptx"
}
assemble() { # assemble PTX CUBIN [OPTION...]
    ptx=$1 cubin=$2
    shift 2
    "$tools/ptxas" -arch="$target" -m64 --generate-line-info "$@" -o "$cubin" "$ptx"
    unnumbered "$cubin" # the PTX holds debug strings as numbers
}
for source in ${sources:-*.cu}; do
    name=${source%.cu}
    translate "$source" "$name.ptx"
    for level in 1 3; do
        assemble "$name.ptx" "$name.O$level.cubin" "-O$level"
        keep "$name.O$level.cubin"
    done
done
[ "$mode" != into ] || exit $status
translate stack.cu stack.rdc.ptx -rdc=true
assemble stack.rdc.ptx stack.rdc.cubin --compile-only
keep stack.rdc.cubin
translate linked/device.cu device.ptx
assemble device.ptx device.cubin -O3
keep device.cubin
for part in a b; do
    translate "linked/linked_$part.cu" "$part.ptx" -rdc=true
    assemble "$part.ptx" "$part.o" --compile-only
done
"$tools/nvlink" -arch="$target" a.o b.o -o linked.cubin 2>link.log || { cat link.log >&2; exit 1; }
keep linked.cubin
for part in a b; do
    sed "s/^\.target sm_80/.target $target/" "names/names_$part.ptx" >"names_$part.ptx"
    assemble "names_$part.ptx" "$part.o" --compile-only
done
"$tools/nvlink" -arch="$target" b.o a.o -o names.cubin 2>link.log || { cat link.log >&2; exit 1; }
keep names.cubin
for target in sm_86 sm_87 sm_89; do
    translate machines/convert.cu convert.ptx
    assemble convert.ptx machines/convert.$target.cubin
    keep machines/convert.$target.cubin
done
exit $status
