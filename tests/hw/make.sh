#!/bin/sh
# What the hardware vectors are made with. O names the build folder (build/rel).
#
#   make.sh          compiles kernels.cu into kernels.cubin, which is checked in
#   make.sh check    says whether kernels.cubin is what the compiler makes of kernels.cu
#   make.sh build    in $O/hw: kernels.fatbin for sm_80, sm_90 and whatever comes after,
#                    silicon.cubin
#   make.sh run      builds, measures on this machine's GPU with the seeds SEEDS (1 2), into
#                    vectors/, and replays what came of it
# Exit status: 0, 1 for a difference or an error, 77 where there is no compiler, another than the one
# that made what is checked in, or no GPU.
set -eu
mode=${1:-make}
cd "$(dirname "$0")"
O=${O:-build/rel}
case $O in /*) ;; *) O=$(cd ../.. && pwd)/$O ;; esac
. ../tools/nvcc.sh

build() {
    compiler
    mkdir -p "$O/hw"
    "$nvcc" -fatbin -O3 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 \
        -gencode arch=compute_80,code=compute_80 -o "$O/hw/kernels.fatbin" kernels.cu
    "$O/fhec" as silicon.sass -o "$O/hw/silicon.cubin"
}

case $mode in
    make)
        compiler
        "$nvcc" -arch=sm_80 -cubin -O3 -o kernels.cubin kernels.cu ;;
    check)
        compiler
        made_by_it kernels.cubin
        new=$(mktemp)
        trap 'rm -f "$new"' EXIT
        "$nvcc" -arch=sm_80 -cubin -O3 -o "$new" kernels.cu
        cmp "$new" kernels.cubin ;;
    build) build ;;
    run)
        build
        mkdir -p vectors
        for seed in ${SEEDS:-1 2}; do
            "$O/tests/hw/measure" "$seed" "$O/hw/kernels.fatbin" "$O/hw/silicon.cubin" \
                "$O/hw/new.hwv"
            gpu=$(sed -n -e 's/[^A-Za-z0-9]/-/g' -e 's/^origin-//p' "$O/hw/new.hwv" | head -n 1)
            mv "$O/hw/new.hwv" "vectors/$gpu.$seed.hwv"
            (cd ../.. && "$O/tests/unit/hw_replay_test" "tests/hw/vectors/$gpu.$seed.hwv")
        done ;;
    *) echo "make.sh: make, check, build or run" >&2; exit 1 ;;
esac
