#!/usr/bin/env bash
# Another machine: the tool builds for aarch64 without a warning, and what it computes there, under
# qemu-user, is what it computes here: hashes of transforms, conversions and CKKS on each unit, counts,
# faults. Skipped without a cross compiler, Debian's libraries for arm64, or qemu.
. "$(dirname "$0")/../tools/tap.sh"

compiler=aarch64-linux-gnu-gcc emulator=qemu-aarch64
for program in "$compiler" "$emulator"; do
    command -v "$program" >/dev/null 2>&1 || {
        skip "the build for aarch64" "$program is not installed"
        done_testing
    }
done
for library in jansson zstd xxhash stdc++; do
    case $("$compiler" "-print-file-name=lib$library.so") in
        /*) ;;
        *)
            skip "the build for aarch64" "lib$library for arm64 is not installed"
            done_testing ;;
    esac
done
there=$O/aarch64
check "it builds" env CI=true "${MAKE:-make}" -s "O=$there" "CC=$compiler" AR=aarch64-linux-gnu-ar \
    NM=aarch64-linux-gnu-nm missing= all
other() { "$emulator" "$there/fhec" "$@"; }

without_times() { sed 's/ ([0-9]* ms)//'; }
both() { # both NAME ARGUMENTS...: succeeds here and there, with the same standard output
    local name=$1 here
    shift
    if ! here=$("$FHEC" "$@" 2>&1 >"$tmp/here"); then
        not_ok "$name, here" "$here"
        return
    fi
    same "$name" "$(other "$@" 2>/dev/null | without_times)" "$(without_times <"$tmp/here")"
}
for map in fhec16 fhec256 gme32 cuda32 imma16; do
    both "transform on $map" ntt --n 1024 --limbs 2 --map "$map" --seed 3 --hash
    both "conversion on $map" bconv --n 256 --limbs 3,5 --map "$map" --seed 4 --hash
done
both "transform on 64 bits" ntt --n 256 --bits 60 --limbs 2 --map cuda64 --hash
both "sums of residues" eltwise mac --n 256 --limbs 3 --hash
both "an automorphism" eltwise automorphism --n 256 --limbs 2 --galois 5 --hash
both "a CKKS product" ckks hemult --logn 9 --limbs 4 --alpha 2 --dnum 2 --map fhec16 --hash
both "integers of many words" bigint montmul --words 8 --hash
both "a listing" as programs/ntt_fhec16.sass -I programs --list
both "a layout" layout FHEC.16816 A --format csv
both "kernels and their expectations" test tests/kernels
both "the reference engine" ntt --n 256 --map fhec16 --engine ref --hash
done_testing
