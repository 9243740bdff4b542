#!/usr/bin/env bash
# fhec probe: linear kernels as matrices, against references; each planted bug is called what it is.
. "$(dirname "$0")/../tools/tap.sh"

python3 - "$tmp" <<'PY'
import struct, sys
def save(name, values):
    with open(sys.argv[1] + "/" + name, "wb") as f:
        f.write(struct.pack("<%dI" % len(values), *values))
def save_npy(name, values, shape):
    head = "{'descr': '<u4', 'fortran_order': False, 'shape': %s, }" % (shape,)
    head = head.ljust(117) + "\n"
    with open(sys.argv[1] + "/" + name, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        f.write(struct.pack("<%dI" % len(values), *values))
w = [7 * i + 3 for i in range(64)]
save("x.bin", [0] * 64)
save("w.bin", w)
save_npy("diagonal.npy", [w[i] if i == j else 0 for i in range(64) for j in range(64)], (64, 64))
save_npy("narrow.npy", [0] * (64 * 63), (64, 63))
save("a.bin", [1000 + 17 * i * i for i in range(256)])
save("b.bin", [2000 + 29 * i * i for i in range(128)])
save("c.bin", [5 * i for i in range(128)])
PY

twiddle=(probe tests/planted/twiddle.sass --grid 1 --block 64 --in x="$tmp/x.bin"
    --in w="$tmp/w.bin" --out y=:256 --input x)
fhec "a matrix from a file" 0 "y as a matrix of 64 rows (y) and 64 columns (x): as expected" \
    "${twiddle[@]}" --expect-matrix y="$tmp/diagonal.npy"
fhec "a wrong twiddle in one lane" 1 "2 of 4096 entries are wrong
  2 rows: all with index mod 32 = 13
  2 columns: all with index mod 32 = 13
  the wrong rows are those that lane 13 stores
  [13, 13]: 0x5f, expected 0x5e
  [45, 45]: 0x13f, expected 0x13e" "${twiddle[@]}" -D LANE=13 --expect-matrix y="$tmp/diagonal.npy"
fhec "some inputs only" 1 "and 8 columns (x): 1 of 512 entries are wrong
  1 columns: index 45" "${twiddle[@]}" -D LANE=13 --expect-matrix y="$tmp/diagonal.npy" \
    --columns 40,8

matmul=(--grid 1 --block 32 --in a="$tmp/a.bin" --in b="$tmp/b.bin" --in c_="$tmp/c.bin"
    --out d=:512 --arg modulus=modulus:1073479681)
golden=(--golden "d matmul a b c_ shape 16,8,16 mod 1073479681")
fhec "a product, by B" 0 "d as a matrix of 128 rows (d) and 128 columns (b): as expected" \
    probe tests/kernels/matmul.sass "${matmul[@]}" --input b "${golden[@]}"
fhec "a product, by A" 0 "and 256 columns (a): as expected" \
    probe tests/kernels/matmul.sass "${matmul[@]}" --input a "${golden[@]}"
# B as its other order would have it: element 16 g + t + 4 i instead of 8 (t + 4 i) + g.
sed -e 's/LEA R6, t, g, 0x3 ;.*/LEA R6, g, t, 0x4 ;/' -e 's/LDG.E B\[\\i\], .*/LDG.E B[\\i], [at[0].64 + 16 * \\i] ;/' \
    tests/kernels/matmul.sass >"$tmp/turned.sass"
fhec "B transposed" 1 "  128 rows: all elements
  each column is the right one with another number: that of the 8 x 16 matrix transposed" \
    probe "$tmp/turned.sass" "${matmul[@]}" --input b "${golden[@]}"
for jobs in 1 3; do
    "$FHEC" probe "$tmp/turned.sass" "${matmul[@]}" --input b "${golden[@]}" --jobs "$jobs" >"$tmp/jobs$jobs"
done
check "as many processes as one likes" cmp "$tmp/jobs1" "$tmp/jobs3"
fhec "what is wrong is said once" 3 "a load of 4 bytes" probe tests/kernels/matmul.sass --grid 1 --block 32 \
    --in a="$tmp/b.bin" --in b="$tmp/a.bin" --in c_="$tmp/c.bin" --out d=:512 --arg modulus=modulus:1073479681 \
    --input b --golden "d copy b"
"$FHEC" "${twiddle[@]}" -D LANE=13 --expect-matrix y="$tmp/diagonal.npy" --format=json >"$tmp/said.json"
check "the same as JSON" python3 - "$tmp/said.json" <<'PY'
import json, sys
d = json.load(open(sys.argv[1]))
assert (d["rows"], d["columns"], d["wrong"], d["lane"]) == (64, 64, 2, 13)
assert d["wrong_rows"] == d["wrong_columns"] == [13, 45]
PY
# Every lane stores its element where that of the lane xor 3 belongs.
sed 's/LDG.E R11, \[R6.64\]/LDG.E R11, [R6.64] ; LOP3.LUT R3, R0, 0x3, RZ, 0x3c, !PT ; IMAD.WIDE.U32 R8, R3, R2, y/' \
    tests/planted/twiddle.sass >"$tmp/places.sass"
fhec "rows in another order" 1 "  each row is the right one with another number: its number xor 3" \
    probe "$tmp/places.sass" "${twiddle[@]:2}" --expect-matrix y="$tmp/diagonal.npy"
fhec "a matrix of another shape" 2 "narrow.npy has 4032 elements; a matrix of 64 rows and 64" \
    "${twiddle[@]}" --expect-matrix y="$tmp/narrow.npy"
fhec "no matrix" 2 "either --golden or --expect-matrix is needed" "${twiddle[@]}"
done_testing
