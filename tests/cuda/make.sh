#!/bin/sh
# Compiles the CUDA sources of this folder: NAME.O3.cubin and NAME.O1.cubin, for sm_80, with source
# lines. `make.sh` writes them beside the sources; `make.sh check` compiles them in a folder of its
# own and names those that differ. The folder and the time of the sources are fixed because both
# stand in the result.
set -eu
mode=${1:-make}
here=$(cd "$(dirname "$0")" && pwd)
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$nvcc" ] || { echo "make.sh: no nvcc; set NVCC" >&2; exit 2; }

# One at a time: another run waits, and what a killed run left is removed.
folder=/tmp/fhec-cuda
exec 9>"$folder.lock"
flock 9
rm -rf "$folder"
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/linked"
cp "$here"/*.cu "$here"/cuda.h "$folder"
cp "$here"/linked/*.cu "$folder/linked"
cd "$folder"
touch -d @0 -- *.cu linked/*.cu cuda.h
status=0
keep() { # keep CUBIN: beside the sources, or compared with what is there
    if [ "$mode" != check ]; then
        cp "$1" "$here"
    elif ! cmp -s "$1" "$here/$1"; then
        echo "$1 differs from what $nvcc makes of the sources"
        status=1
    fi
}
for source in *.cu; do
    for level in 1 3; do
        cubin=${source%.cu}.O$level.cubin
        "$nvcc" -arch=sm_80 -cubin -lineinfo -Xptxas "-O$level" -o "$cubin" "$source" \
            2>"$cubin.log" || { cat "$cubin.log" >&2; exit 1; }
        keep "$cubin"
    done
done
"$nvcc" -arch=sm_80 -rdc=true -cubin -lineinfo -o stack.rdc.cubin stack.cu
keep stack.rdc.cubin
for part in a b; do
    "$nvcc" -arch=sm_80 -rdc=true -cubin -lineinfo -o "$part.o" "linked/linked_$part.cu"
done
"$(dirname "$nvcc")/nvlink" -arch=sm_80 a.o b.o -o linked.cubin 2>link.log || { cat link.log >&2; exit 1; }
keep linked.cubin
exit $status
