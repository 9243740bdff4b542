# shellcheck shell=bash
# Sourced behind tap.sh by tests of programs over the driver's interface, which gcc compiles and which
# run with fhec's libraries: they are in the folder $libraries.

# cuda_libraries NAME: finds them; without them the test called NAME is skipped.
cuda_libraries() {
    if grep -qa __asan_init "$FHEC" || [ ! -e "$O/cuda/libcuda.so.1" ]; then
        skip "$1" "programs of CUDA cannot load these libraries"
        done_testing
    fi
    libraries=$(cd "$O/cuda" && pwd)
}
# cuda_program SOURCE PROGRAM
cuda_program() {
    "${CC:-cc}" -D_GNU_SOURCE -o "$2" "$1" "$libraries/libcuda.so.1" \
        -Wl,-rpath-link,"$libraries" -ldl -lpthread || not_ok "the program compiles"
}
