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
