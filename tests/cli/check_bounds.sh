#!/usr/bin/env bash
# --check=bounds and leaks: addresses of one variable or buffer that end in another one, each error
# planted in a kernel of its own; and what looks like one and is none.
. "$(dirname "$0")/../tools/tap.sh"

python3 - "$tmp" <<'EOF'
import struct, sys
with open(sys.argv[1] + "/a.bin", "wb") as f:
    f.write(b"".join(struct.pack("<I", 5 * i + 1) for i in range(32)))
EOF

# Shared memory: `first` is 4 words too small for 32 threads (line LINE is the one at fault).
cat >"$tmp/shared.sass" <<'EOF'
.target sm_80
.kernel shared
.param a, 8
.param b, 8
.shared first, 112
.shared second, 128
.equ half, second + 64
    S2R R0, SR_TID.X ;
    MOV R1, 0x4 ;
    IMAD.WIDE.U32 R2, R0, R1, a ;
    LDG.E R5, [R2.64] ;
    SHF.L.U32 R6, R0, 0x2, RZ ;
    STS [R6+first], R5 ;
    BAR.SYNC 0x0 ;
    LOP3.LUT R9, R6, 0x3c, RZ, 0xc0, !PT ;
    IADD3 R7, R9, half, RZ ;
    STS [R7], R5 ;
    LDS R8, [R7+-0x40] ;
    BAR.SYNC 0x0 ;
    LDS R8, [R6+first] ;
    IMAD.WIDE.U32 R2, R0, R1, b ;
    STG.E [R2.64], R8 ;
    EXIT ;
.end
EOF
run=(--grid 1 --block 32 --in a="$tmp/a.bin" --out b=:128)
fhec "one .shared variable into the next" 3 "$tmp/shared.sass:13: error[C050]: bounds: the address of \
lane 28 is counted from first (112 bytes of shared memory) and is 0 bytes past its end, in second
    STS [R6], R5
lanes 0xf0000000
memory: second[0]" run "$tmp/shared.sass" "${run[@]}" --check=bounds
same "found where it is written, and where it is read" "$(grep -c 'error\[' <<<"$said")" 2
fhec "made into an object" 0 "" as "$tmp/shared.sass" -o "$tmp/shared.o"
fhec "which keeps the names" 3 "$tmp/shared.sass:13: error[C050]: bounds: the address of \
lane 28 is counted from first (112 bytes of shared memory) and is 0 bytes past its end, in second
lanes 0xf0000000
memory: second[0]" run "$tmp/shared.o" "${run[@]}" --check=bounds
sed -i 's/first, 112/first, 128/' "$tmp/shared.sass"
fhec "no finding when it is large enough" 0 "" run "$tmp/shared.sass" "${run[@]}" --check=bounds,leaks
sed -i 's/first, 128/first, 112/; s/second, 128/second, 128, 256/' "$tmp/shared.sass"
fhec "a gap between two" 3 "error[C051]: bounds: the address of lane 28 is counted from first" \
    run "$tmp/shared.sass" "${run[@]}" --check=bounds

# Global memory: the address of a, and the distance of the two buffers in addition to it.
kernel() { # kernel LINES
    cat >"$tmp/global.sass" <<EOF
.target sm_80
.kernel global
.param a, 8
.param b, 8
    S2R R0, SR_TID.X ;
    MOV R1, 0x4 ;
    IMAD.WIDE.U32 R2, R0, R1, a ;
    LDG.E R5, [R2.64] ;
$1
    EXIT ;
.end
EOF
}
kernel "    IADD3 R2, P0, R2, 0x1000100, RZ ;
    IADD3.X R3, R3, RZ, RZ, P0, !PT ;
    STG.E [R2.64], R5 ;"
fhec "an offset as far as the next buffer" 3 "$tmp/global.sass:11: error[C050]: bounds: the address \
of lane 0 is counted from a (128 bytes of global memory)" run "$tmp/global.sass" "${run[@]}" \
    --check=bounds
kernel "    MOV R8, b ;
    MOV R9, b + 4 ;
    IADD3 R8, P0, R8, -a, RZ ;
    IADD3.X R9, R9, ~(a + 4), RZ, P0, !PT ;
    IADD3 R2, P0, R2, R8, RZ ;
    IADD3.X R3, R3, R9, RZ, P0, !PT ;
    STG.E [R2.64], R5 ;"
fhec "the difference of two addresses is nobody's" 0 "" run "$tmp/global.sass" "${run[@]}" --check=bounds

# A table of addresses: what is loaded from it is the address of a buffer, too.
cat >"$tmp/table.sass" <<'EOF'
.target sm_80
.kernel table
.param t, 8
    MOV R2, t ;
    MOV R3, t + 4 ;
    LDG.E.64 R4, [R2.64] ;
    LDG.E R6, [R4.64+0x7c] ;
    IADD3 R8, P0, R4, 0x1000100, RZ ;
    IMAD.X R9, RZ, RZ, R5, P0 ;
    LDG.E R6, [R8.64] ;
    EXIT ;
.end
EOF
fhec "an address out of a table" 3 "$tmp/table.sass:10: error[C050]: bounds: the address of lane 0 is \
counted from a (128 bytes of global memory) and is 16777344 bytes past its end, in b
memory: b[0]" run "$tmp/table.sass" --grid 1 --block 1 --in a="$tmp/a.bin" --out b=:128 \
    --pointers t=a,b --check=bounds
same "the right one is fine" "$(grep -c 'error\[' <<<"$said")" 1

# What is done to an address on the way: spilled to local and to shared memory, shuffled, with an
# offset taken away, and the difference of two addresses of one buffer put on top of it.
through() { # through NAME LINES
    kernel "    MOV R20, RZ ;
$2
    IADD3 R2, P0, R2, 0x1000100, RZ ;
    IADD3.X R3, R3, RZ, RZ, P0, !PT ;
    STG.E [R2.64], R5 ;"
    sed -i 's/^.param b, 8/&\n.local 64\n.shared room, 512/' "$tmp/global.sass"
    fhec "an address through $1" 3 "is counted from a (128 bytes of global memory)
memory: b[" run "$tmp/global.sass" "${run[@]}" --check=bounds
}
through "local memory, by words" "    STL [R20], R2 ;
    STL [R20+0x4], R3 ;
    MOV R2, RZ ;
    MOV R3, RZ ;
    LDL.64 R2, [R20] ;"
through "shared memory, by words" "    SHF.L.U32 R6, R0, 0x3, RZ ;
    STS.64 [R6], R2 ;
    MOV R2, RZ ;
    LDS R2, [R6] ;
    LDS R3, [R6+0x4] ;"
through "the second words of pairs that are stored" "    SHF.L.U32 R6, R0, 0x3, RZ ;
    MOV R8, RZ ;
    MOV R9, R2 ;
    MOV R10, RZ ;
    MOV R11, R3 ;
    STS.64 [R6], R8 ;
    STS.64 [R6+0x100], R10 ;
    LDS R2, [R6+0x4] ;
    LDS R3, [R6+0x104] ;"
through "the second words of pairs that are loaded" "    SHF.L.U32 R6, R0, 0x3, RZ ;
    STS [R6+0x4], R2 ;
    STS [R6+0x104], R3 ;
    LDS.64 R8, [R6] ;
    LDS.64 R10, [R6+0x100] ;
    MOV R2, R9 ;
    MOV R3, R11 ;"
through "a shuffle" "    SHFL.IDX PT, R2, R2, 0x0, 0x1f ;
    SHFL.IDX PT, R3, R3, 0x0, 0x1f ;"
through "a difference" "    SHF.L.U32 R6, R0, 0x2, RZ ;
    IADD3 R2, P0, R2, -R6, RZ ;
    IADD3.X R3, R3, -1, RZ, P0, !PT ;"
through "the distance within a buffer, on top of it" "    IADD3 R6, P0, R2, -a, RZ ;
    IADD3.X R7, R3, ~(a + 4), RZ, P0, !PT ;
    IADD3 R2, P0, R6, a, RZ ;
    IADD3.X R3, R7, a + 4, RZ, P0, !PT ;"

# ---- variables of the program, named by instructions and by constants
cat >"$tmp/variables.sass" <<'EOF'
.target sm_80
.section .nv.global
.align 4
left:
    .size left, 112
    .zero 112
right:
    .size right, 128
    .zero 128
.section .nv.constant4
    .dword right
.section .nv.constant3
few:
    .size few, 112
    .zero 112
more:
    .size more, 128
    .zero 128
.kernel variables
.param b, 8
    S2R R0, SR_TID.X ;
    SHF.L.U32 R6, R0, 0x2, RZ ;
    MOV R2, 32@lo(left) ;
    MOV R3, 32@hi(left) ;
    IADD3 R2, P0, R2, R6, RZ ;
    IADD3.X R3, R3, RZ, RZ, P0, !PT ;
    STG.E [R2.64], R0 ;
    IADD3 R4, P0, R6, c[0x4][0x0], RZ ;
    IADD3.X R5, RZ, c[0x4][0x4], RZ, P0, !PT ;
    STG.E [R4.64+-0x10], R0 ;
    LDC R8, c[0x3][R6] ;
    IADD3 R7, R6, 0x40, RZ ;
    LDC R8, c[0x3][R7] ;
    EXIT ;
.end
EOF
fhec "an object of variables" 0 "" as "$tmp/variables.sass" -o "$tmp/variables.o"
for form in sass o; do
    fhec "variables, .$form" 3 "variables.sass:27: error[C050]: bounds: the address of lane 28 is \
counted from left (112 bytes of global memory) and is 0 bytes past its end, in right
lanes 0xf0000000
memory: right[0]
variables.sass:30: error[C050]: bounds: the address of lane 0 is counted from right (128 bytes of \
global memory) and is 16 bytes before its beginning, in left
lanes 0x0000000f
memory: left[24]
variables.sass:31: error[C050]: bounds: the address of lane 28 is counted from few (112 bytes of \
constant memory) and is 0 bytes past its end, in more" run "$tmp/variables.$form" --grid 1 --block 32 \
        --arg b=0 --check=bounds
    same "and no more, .$form" "$(grep -c 'error\[' <<<"$said")" 3
done

# Compiled code, with one number of it changed: a store to one word before device_table, and a mask
# that lets an index past constant_table.
python3 - "$tmp" tests/cuda/memory.O3.cubin <<'EOF'
import struct, sys
code = open(sys.argv[2], "rb").read()
def change(name, low, before, after):
    places = [i for i in range(0, len(code) - 16, 16)
              if struct.unpack_from("<I", code, i)[0] & 0xffff == low
              and struct.unpack_from("<I", code, i + 4)[0] == before]
    assert len(places) == 1
    changed = bytearray(code)
    struct.pack_into("<I", changed, places[0] + 4, after)
    open(sys.argv[1] + "/" + name, "wb").write(changed)
change("table.cubin", 0x7986, 0x01f804, 0xfffff804)
change("mask.cubin", 0x7812, 0x3fc, 0x7fc)
with open(sys.argv[1] + "/in.bin", "wb") as f:
    f.write(b"".join(struct.pack("<I", 232 + i) for i in range(32)))
EOF
cuda=(--grid 1 --block 32 --out param0=:256 --in param1="$tmp/in.bin" --arg param2=32 --arg param3=1)
fhec "compiled: a variable" 3 "error[C050]: bounds: the address of lane 0 is counted from \
device_table (512 bytes of global memory) and is 8 bytes before its beginning, in device_pointer" \
    run "$tmp/table.cubin" -k variables "${cuda[@]}" --check=bounds
fhec "compiled: constants" 3 "error[C050]: bounds: the address of lane 24 is counted from constant_table \
(1024 bytes of constant memory) and is 0 bytes past its end, in constant_primes" \
    run "$tmp/mask.cubin" -k constants "${cuda[@]}" --check=bounds
fhec "as it was compiled" 0 "" run tests/cuda/memory.O3.cubin -k variables "${cuda[@]}" --check=bounds

# ---- leaks
cat >"$tmp/leaks.sass" <<'EOF'
.target sm_80
.kernel leaks
.param a, 8
.param b, 8
    EXIT ;
.end
EOF
fhec "a buffer that nobody reads, and one that nobody writes" 3 "error[C090]: leaks: neither a kernel \
nor the host reads a, an allocation of 128 bytes
error[C091]: leaks: neither a kernel nor the host writes b, an allocation of 128 bytes" \
    run "$tmp/leaks.sass" "${run[@]}" --check=leaks
same "these alone" "$(grep -c 'error\[' <<<"$said")" 2
cp "$tmp/a.bin" "$tmp/b.bin"
fhec "among all checks they are warnings" 0 "warning[C090]" run "$tmp/leaks.sass" --grid 1 --block 32 \
    --in a="$tmp/a.bin" --inout b="$tmp/b.bin" --check
done_testing
