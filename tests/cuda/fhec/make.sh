#!/bin/sh
# Compiles units.cu at two levels, and linked from relocatable code: what tests/cli/patch.sh patches.
# Exit status: 0, 1 for an error, 77 where there is no compiler.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../tools/nvcc.sh"
compiler
out=${1:-$here}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$here/units.cu" "$here/../../../cuda/fhec.cuh" "$folder"
cd "$folder"
for level in 0 3; do
    "$nvcc" -arch=sm_80 -cubin -lineinfo -Xptxas "-O$level" -o "$out/units.O$level.cubin" units.cu
done
"$nvcc" -arch=sm_80 -cubin -rdc=true -maxrregcount=32 -o units.o units.cu
"$(dirname "$nvcc")/nvlink" -arch=sm_80 units.o -o "$out/units.rdc.cubin"
