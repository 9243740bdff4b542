#!/bin/sh
# Compiles the CUDA sources of this folder: NAME.O3.cubin and NAME.O1.cubin, for sm_80, with source
# lines. `make.sh` writes them beside the sources; `make.sh check` compiles them in a folder of its
# own and names those that differ. A cubin holds the folders, times and sizes of its sources and of
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
[ "$mode" != check ] || made_by_it "$here/linked.cubin"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/linked"
cp "$here"/*.cu "$here"/cuda.h "$folder"
cp "$here"/linked/*.cu "$folder/linked"
cp -r "$here/names" "$folder"
cp "$here"/device/device.cu "$folder/linked"
cd "$folder"
status=0
keep() { # keep CUBIN: beside the sources, or compared with what is there
    if [ "$mode" != check ]; then
        cp "$1" "$here"
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
    "$nvcc" -arch=sm_80 -ptx -lineinfo "$@" -o "$ptx" "$source" 2>"$ptx.log" ||
        { cat "$ptx.log" >&2; exit 1; }
    sed -i -e "/^[[:space:]]*\.file/{s|\"$folder/|\"/fhec/cuda/|; s|\"/.*/include/|\"/include/|;}" \
        "$ptx"
    unnumbered "$ptx"
}
assemble() { # assemble PTX CUBIN [OPTION...]
    ptx=$1 cubin=$2
    shift 2
    "$tools/ptxas" -arch=sm_80 -m64 --generate-line-info "$@" -o "$cubin" "$ptx"
    unnumbered "$cubin" # the PTX holds debug strings as numbers
}
for source in *.cu; do
    name=${source%.cu}
    translate "$source" "$name.ptx"
    for level in 1 3; do
        assemble "$name.ptx" "$name.O$level.cubin" "-O$level"
        keep "$name.O$level.cubin"
    done
done
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
"$tools/nvlink" -arch=sm_80 a.o b.o -o linked.cubin 2>link.log || { cat link.log >&2; exit 1; }
keep linked.cubin
for part in a b; do
    assemble "names/names_$part.ptx" "$part.o" --compile-only
done
"$tools/nvlink" -arch=sm_80 b.o a.o -o names.cubin 2>link.log || { cat link.log >&2; exit 1; }
keep names.cubin
exit $status
