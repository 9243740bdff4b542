#!/usr/bin/env bash
# fhec test: cases that pass, fail and cannot be read; --update.
. "$(dirname "$0")/../tools/tap.sh"

kernel='.target sm_80
.kernel add
.param a, 8
.param b, 8
.param sum, 8
    S2R R0, SR_TID.X ;
    MOV R1, 0x4 ;
    IMAD.WIDE.U32 R4, R0, R1, a ;
    IMAD.WIDE.U32 R6, R0, R1, b ;
    LDG.E R4, [R4.64] ;
    LDG.E R6, [R6.64] ;
    IMAD.WIDE.U32 R8, R0, R1, sum ;
    IADD3 R4, R4, R6, RZ ;
    STG.E [R8.64], R4 ;
    EXIT ;
.end'
buffers='.test in a u32[64] random seed 5
.test in b u32[64] random seed 6
.test out sum u32[64]'
make_test() { printf '%s\n' "$kernel" "$@" >"$tmp/t.sass"; }

make_test ".test case wraps grid 1 block 64" "$buffers" ".test expect sum golden add a b mod 0x100000000" \
    ".test case small grid 1 block 4" ".test in a u32[4] values 1,2,3,4294967295" \
    ".test in b u32[4] ramp" ".test out sum u32[4]" ".test expect sum values 1,3,5,2" \
    ".test case too_short grid 1 block 64" "${buffers/sum u32\[64\]/sum u32[63]}" ".test fault out of bounds"
fhec "cases in the source" 0 "ok     $tmp/t.sass: wraps
ok     $tmp/t.sass: small
ok     $tmp/t.sass: too_short
3 passed, 0 failed" test "$tmp/t.sass"
fhec "engine ref" 0 "3 passed, 0 failed" test --engine ref "$tmp/t.sass"

make_test ".test case wrong grid 1 block 64" "$buffers" ".test expect sum golden sub a b mod 0x100000000"
fhec "a wrong expectation" 1 "t.sass:21: sum differs in 64 of 64 elements, first in element 0
FAILED $tmp/t.sass: wrong
0 passed, 1 failed" test "$tmp/t.sass"
make_test ".test case faults grid 1 block 65" "$buffers" ".test expect sum golden add a b mod 0x100000000"
fhec "an unexpected fault" 1 "out of bounds
0 passed, 1 failed" test "$tmp/t.sass"
make_test ".test case calm grid 1 block 64" "$buffers" ".test fault misaligned address"
fhec "a fault that does not come" 1 "t.sass:21: there was no fault" test "$tmp/t.sass"
make_test ".test case other grid 1 block 65" "$buffers" ".test fault misaligned address"
fhec "another fault" 1 'the fault is "out of bounds"' test "$tmp/t.sass"

# A file beside the source, with comments; pinned hashes.
printf '%s\n' "$kernel" >"$tmp/t.sass"
zeros=$(printf '0%.0s' {1..32})
printf '%s\n' "# a comment" "case pinned grid 1 block 64" "${buffers//.test /}" "" \
    "expect sum golden add a b mod 0x100000000 hash $zeros # to be updated" \
    "expect sum hash $zeros" >"$tmp/t.test"
cp "$tmp/t.test" "$tmp/before"
fhec "a pinned hash that is wrong" 1 "t.test:7: the reference's result has the hash" test "$tmp/t.sass"
right=$(grep -oE 'hash [0-9a-f]{32}, pinned' <<<"$said" | head -n 1 | cut -c6-37)
fhec "--update" 1 "--- $tmp/t.test:7
-expect sum golden add a b mod 0x100000000 hash $zeros # to be updated
+expect sum golden add a b mod 0x100000000 hash $right # to be updated
t.test:8: sum has the hash $right, pinned is $zeros" test --update "$tmp/t.sass"
same "--update changes the reference's hash and nothing else" "$(cat "$tmp/t.test")" \
    "$(sed "7s/$zeros/$right/" "$tmp/before")"
sed -i "8s/$zeros/$right/" "$tmp/t.test"
fhec "then it passes" 0 "1 passed, 0 failed" test "$tmp/t.sass"
same "the hash is that of the data" "$right" "$(python3 - "$tmp" <<'EOF'
import struct, subprocess, sys
M = (1 << 64) - 1
def f(x):
    x ^= x >> 30; x = x * 0xbf58476d1ce4e5b9 & M
    x ^= x >> 27; x = x * 0x94d049bb133111eb & M
    return x ^ x >> 31
G = 0x9e3779b97f4a7c15
def word(seed, w): return f(f(f(seed + G & M) + G & M) + (w + 1) * G & M) >> 32
data = struct.pack("<64I", *[(word(5, i) + word(6, i)) & 0xffffffff for i in range(64)])
open(sys.argv[1] + "/sum.bin", "wb").write(data)
print(subprocess.run(["xxhsum", "-H2", sys.argv[1] + "/sum.bin"], capture_output=True, text=True).stdout[:32])
EOF
)"

# Folders
mkdir "$tmp/folder" "$tmp/folder/inner" "$tmp/empty"
cp "$tmp/t.sass" "$tmp/t.test" "$tmp/folder/inner"
fhec "a folder" 0 "ok     $tmp/folder/inner/t.sass: pinned
1 passed, 0 failed" test "$tmp/folder"
fhec "an empty folder" 2 "no case is written there" test "$tmp/empty"

# Cases that cannot be read
rm "$tmp/t.test"
bad() { make_test "${@:3}"; fhec "$1" 2 "$2" test "$tmp/t.sass"; }
bad "no case" "the first line must be a \`case\`" ".test in a u32[4] ramp"
bad "no grid" "t.sass:17: a case needs \`grid" ".test case x block 4" "$buffers"
bad "block of 2048" "t.sass:17: a case needs \`block" ".test case x grid 1 block 2048" "$buffers"
bad "an unknown word of a case" 'unknown word "gird"' ".test case x gird 1 grid 1 block 4" "$buffers"
bad "an unknown line" 'unknown word "expcet"' ".test case x grid 1 block 4" "$buffers" ".test expcet sum"
bad "no expectation" "a case without an expectation" ".test case x grid 1 block 4" "$buffers"
bad "an unknown type" "expected \`in NAME u32[COUNT]" ".test case x grid 1 block 4" ".test in a f32[4] ramp"
bad "an unknown source" 'unknown source of data "rnadom"' ".test case x grid 1 block 4" ".test in a u32[4] rnadom"
bad "too few values" "3 values for 4 elements" ".test case x grid 1 block 4" ".test in a u32[4] values 1,2,3"
bad "an unknown reference" 'unknown reference function "ad"' ".test case x grid 1 block 4" "$buffers" \
    ".test expect sum golden ad a b mod 7"
bad "an unknown buffer" 'add takes 2 buffers; "q" is not one' ".test case x grid 1 block 4" "$buffers" \
    ".test expect sum golden add a q mod 7"
bad "no modulus" "add needs \`mod Q,...\`" ".test case x grid 1 block 4" "$buffers" ".test expect sum golden add a b"
bad "a parameter is not given" "parameter b (8 bytes) of kernel add is not given" \
    ".test case x grid 1 block 4" ".test in a u32[4] ramp" ".test out sum u32[4]" ".test expect sum values 1,2,3,4"
printf 'IADD4\n' >"$tmp/t.sass"
fhec "a source with errors" 2 "error[E
0 passed, 1 failed" test "$tmp/t.sass"
done_testing
