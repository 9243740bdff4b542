#!/usr/bin/env bash
# Buffers of any type and of any number of bytes: raw files, and .npy of integers and floating point
# numbers, in and out of kernels.
. "$(dirname "$0")/../tools/tap.sh"

cat >"$tmp/types.sass" <<'EOF'
.target sm_80
.kernel reverse
.param from, 8
.param to, 8
.param last, 4
    S2R R0, SR_TID.X ;
    IADD3 R1, -R0, last, RZ ;
    IADD3 R2, P0, R0, from, RZ ;
    IADD3.X R3, RZ, from+4, RZ, P0, !PT ;
    IADD3 R4, P0, R1, to, RZ ;
    IADD3.X R5, RZ, to+4, RZ, P0, !PT ;
    LDG.E.U8 R6, [R2.64] ;
    STG.E.U8 [R4.64], R6 ;
    EXIT ;
.end
.kernel square
.param x, 8
    S2R R0, SR_TID.X ;
    MOV R2, 0x8 ;
    IMAD.WIDE.U32 R2, R0, R2, x ;
    LDG.E.64 R4, [R2.64] ;
    DMUL R4, R4, R4 ;
    STG.E.64 [R2.64], R4 ;
    EXIT ;
.end
EOF
python3 - "$tmp" <<'EOF'
import struct, sys
tmp = sys.argv[1]
def npy(name, values, shape, dtype, code):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (dtype, shape)
    head = (head + " " * (63 - (10 + len(head)) % 64) + "\n").encode()
    open(f"{tmp}/{name}.npy", "wb").write(b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head +
                                          struct.pack(f"<{len(values)}{code}", *values))
text = bytes((i * 37 + 11) & 255 for i in range(30)) + b"\xff"
for name, data in (("text", text), ("back", text[::-1]), ("other", text[:2:-1] + text[:3])):
    open(f"{tmp}/{name}.bin", "wb").write(data)
npy("bytes", text, (31,), "|u1", "B")
npy("signed", [v - 256 if v > 127 else v for v in text[::-1]], (31,), "|i1", "b")
x = [-1.5, 0.1, 3e150, -2.0 ** -537, 7.0, 1e-3]
npy("x", x, (2, 3), "<f8", "d"); npy("xx", [v * v for v in x], (2, 3), "<f8", "d")
npy("flat", [v * v for v in x], (6,), "<f8", "d")
npy("i8", [struct.unpack("<q", struct.pack("<d", v))[0] for v in x], (6,), "<i8", "q")
EOF
reverse=(run "$tmp/types.sass" -k reverse --grid 1 --block 31 --arg last=30)

fhec "31 bytes" 0 "" "${reverse[@]}" --in "from=$tmp/text.bin" --out "to=$tmp/out.bin:31"
check "come back reversed" cmp "$tmp/out.bin" "$tmp/back.bin"
fhec "an array of bytes, signed ones expected" 0 "" "${reverse[@]}" --in "from=$tmp/bytes.npy" \
    --out to=:31 --expect "to=$tmp/signed.npy"
fhec "an array of signed bytes" 0 "" "${reverse[@]}" --in "from=$tmp/text.bin" \
    --out "to=$tmp/out.npy:31:i8"
check "is what NumPy writes" cmp "$tmp/out.npy" "$tmp/signed.npy"
fhec "bytes that differ" 1 "to differs in 2 of 31 elements, first in element 28: it is 0x55 (85), expected 0xb (11)" \
    "${reverse[@]}" --in "from=$tmp/text.bin" --out to=:31 --expect "to=$tmp/other.bin"
fhec "one byte too few" 1 "to has 31 elements of 1 bytes; expected 6 of 8" \
    "${reverse[@]}" --in "from=$tmp/text.bin" --out to=:31 --expect "to=$tmp/xx.npy"
fhec "a byte behind the buffer" 3 "\`to\`" "${reverse[@]}" --in "from=$tmp/text.bin" --out to=:30

square=(run "$tmp/types.sass" -k square --grid 1 --block 6)
cp "$tmp/x.npy" "$tmp/io.npy"
fhec "floating point numbers, in place" 0 "" "${square[@]}" --inout "x=$tmp/io.npy" \
    --expect "x=$tmp/flat.npy"
check "type and shape stay" cmp "$tmp/io.npy" "$tmp/xx.npy"
cp "$tmp/i8.npy" "$tmp/io.npy"
fhec "the same bits as signed integers" 0 "" "${square[@]}" --inout "x=$tmp/io.npy" \
    --expect "x=$tmp/xx.npy"
check "stay integers" cmp <(head -c 128 "$tmp/io.npy") <(head -c 128 "$tmp/i8.npy")
fhec "commands that compute refuse them" 2 "x.npy: elements are '<f8'; expected '<u4' or '<u8'" \
    ntt --n 512 --in "$tmp/x.npy" --out "$tmp/none.npy"
absent "nothing was written" "$tmp/none.npy"
done_testing
