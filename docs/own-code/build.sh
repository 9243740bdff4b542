#!/usr/bin/env bash
# Builds FIDESlib, with the OpenFHE that it wants, for sm_80 and with CUDA's shared runtime, and the driver of its
# version (primitives.cu for commit 873c577 with OpenFHE 1.2.3, primitives2.cu for 786c760 with 1.5.1); then examples,
# each of the sources in EXAMPLE/src:
#
#     docs/own-code/build.sh FIDESLIB OPENFHE OUT [EXAMPLE...]
#
# The two source folders are read only: what has to be patched is copied. Needs a fhec that has been built (make; CUDA:
# the folder of its libraries, default build/rel/cuda), nvcc (CUDA 12 or 13), cmake, make,
# g++, patch, and the headers of cereal, rapidjson and TBB (Debian: libcereal-dev rapidjson-dev libtbb-dev). JOBS:
# how many compilers at a time (default: as many as processors); each takes up to 3 GB. Some minutes of one
# processor for each half. What is there already is not built again.
set -euo pipefail

[ $# -ge 3 ] || { sed -n '2,13s/^# \{0,1\}//p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
fideslib=$(cd "$1" && pwd) openfhe=$(cd "$2" && pwd)
mkdir -p "$3"
out=$(cd "$3" && pwd)
examples=()
for example in "${@:4}"; do
    [ -d "$example/src" ] || { echo "build.sh: there is no $example/src" >&2; exit 1; }
    examples+=("$(cd "$example" && pwd)")
done
jobs=${JOBS:-$(nproc)}
cuda=${CUDA:-$here/../../build/rel/cuda}
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
for program in "$nvcc" cmake make g++ patch; do
    command -v "$program" >/dev/null || { echo "build.sh: there is no $program" >&2; exit 1; }
done
[ -e "$cuda/libcuda.so" ] || { echo "build.sh: there is no $cuda/libcuda.so; run make, or set CUDA" >&2; exit 1; }
for header in cereal/cereal.hpp rapidjson/rapidjson.h tbb/tbb.h; do
    g++ -E -include "$header" -x c++ /dev/null >/dev/null 2>&1 ||
        { echo "build.sh: g++ finds no <$header>" >&2; exit 1; }
done

# Version 1 has its sources' headers in include/, version 2 beside the sources, and an API of its own.
if [ -d "$fideslib/api" ]; then
    driver=primitives2
    patches=("$fideslib/deps/openfhe-1.5.1.patch")
    include=("-I$fideslib/src" "-I$fideslib/api")
    flags=(-Xcompiler -fopenmp)
else
    driver=primitives
    patches=("$fideslib/cmake/openfhe-hook.patch" "$fideslib/cmake/openfhe-base.patch")
    include=("-I$fideslib/include")
    flags=()
fi

# OpenFHE with FIDESlib's patches, which open what is private in its classes.
source=$out/openfhe
if [ ! -e "$source/patched" ]; then
    rm -rf "$source"
    mkdir -p "$source"
    (cd "$openfhe" && tar cf - --exclude=.git --exclude=third-party .) | tar xf - -C "$source"
    for p in "${patches[@]}"; do
        # Of third-party folders only formats of sources are patched.
        awk '/^diff --git/ {keep = !/ a\/third-party\//} keep' "$p" | patch -s -p1 -d "$source"
    done
    mkdir -p "$source/third-party"
    touch "$source/patched"
fi
built=$out/openfhe-build
mkdir -p "$built"
cmake -S "$source" -B "$built" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 \
    -DBUILD_UNITTESTS=OFF -DBUILD_EXAMPLES=OFF -DBUILD_BENCHMARKS=OFF -DBUILD_EXTRAS=OFF \
    -DBUILD_SHARED=OFF -DBUILD_STATIC=ON -DWITH_OPENMP=OFF -DGIT_SUBMOD_AUTO=OFF >"$out/cmake.log" 2>&1 ||
    { tail "$out/cmake.log" >&2; exit 1; }
make -C "$built" -j"$jobs" >"$out/openfhe.log" 2>&1 || { tail "$out/openfhe.log" >&2; exit 1; }

# Its headers as they would be installed.
headers=$out/include/openfhe
rm -rf "$out/include"
for module in core pke binfhe; do
    mkdir -p "$headers/$module"
    ln -s "$source/src/$module/include/"* "$headers/$module/"
done
ln -s "$(find "$built" -name config_core.h | head -1)" "$headers/core/"
mkdir -p "$out/include/cereal/external"
ln -s /usr/include/rapidjson "$out/include/cereal/external/rapidjson"
# Examples include FIDESlib's as if they were installed, by the name of their folder.
[ ! -d "$fideslib/api" ] || ln -s "$fideslib/api" "$out/include/fideslib"
[ ! -d "$fideslib/include" ] || ln -s "$fideslib/include" "$out/include/FIDESlib"
include+=("-I$fideslib/nvtx/c/include" "-I$out/include" "-I$headers" "-I$headers/core" "-I$headers/pke"
    "-I$headers/binfhe")

# FIDESlib, as its own CMakeLists.txt compiles a release of it. Objects of what is in FOLDER go below OBJECTS.
compile() {
    local object=$objects/${1#"$folder/"}.o
    mkdir -p "$(dirname "$object")"
    [ "$object" -nt "$1" ] ||
        "$nvcc" -std=c++20 -O3 -DNDEBUG -arch=sm_80 -rdc=true -w "${flags[@]}" "${include[@]}" -c "$1" -o "$object" ||
        { rm -f "$object"; exit 255; }
}
export -f compile
export nvcc
compile_all() { # FOLDER OBJECTS PART...: what is in these parts of the folder, as far as it has them
    local part parts=()
    for part in "${@:3}"; do
        [ ! -d "$1/$part" ] || parts+=("$1/$part")
    done
    # A function gets no array of another shell's.
    find "${parts[@]}" \( -name '*.cu' -o -name '*.cpp' \) -print0 |
        folder=$1 objects=$2 xargs -0 -P "$jobs" -I{} \
            bash -c "flags=(${flags[*]}) include=(${include[*]@Q}); compile {}"
}
link() { # PROGRAM INPUT...
    "$nvcc" -std=c++20 -O1 -arch=sm_80 -rdc=true -cudart shared -w "${flags[@]}" "${include[@]}" -o "$out/$1" \
        "${@:2}" "${linked[@]}" "$built"/lib/libOPENFHE{pke,binfhe,core}_static.a \
        -ltbb -lpthread "-L$cuda" -lcuda
    echo "$out/$1"
}
compile_all "$fideslib" "$out/fideslib" src api
mapfile -t linked < <(find "$out/fideslib" -name '*.o' | sort)
link "$driver" "$here/$driver.cu"
# Some of their headers take size_t as given.
flags+=(-include cstddef)
for example in "${examples[@]}"; do
    name=$(basename "$example")
    objects=$out/examples/$name
    compile_all "$example" "$objects" src
    mapfile -t inputs < <(find "$objects" -name '*.o' | sort)
    mkdir -p "$out/bin"
    link "bin/$name" "${inputs[@]}"
done
