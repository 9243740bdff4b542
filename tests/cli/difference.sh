#!/usr/bin/env bash
# What fhec says when a result differs: how much, where in which pattern, and who stored it. The
# kernels have a planted bug each; expected values are computed here.
. "$(dirname "$0")/../tools/tap.sh"

python3 - "$tmp" <<'PY'
import struct, sys
def save(name, values, code):
    with open(sys.argv[1] + "/" + name, "wb") as f:
        f.write(struct.pack("<%d%s" % (len(values), code), *values))
def save_npy(name, values, shape):
    head = "{'descr': '<u4', 'fortran_order': False, 'shape': %s, }" % (shape,)
    head = head.ljust(117) + "\n"
    with open(sys.argv[1] + "/" + name, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        f.write(struct.pack("<%dI" % len(values), *values))
low = 0xffffffff
x = [(i * 2654435761 + 12345) & low for i in range(256)]
w = [(i * 40503 * 65537 + 99) & low | 1 for i in range(256)]
save("x.bin", x, "I")
save("w.bin", w, "I")
save("product.bin", [a * b & low for a, b in zip(x, w)], "I")
save("five.bin", [(a + 5) & low for a in x], "I")
save_npy("product.npy", [a * b & low for a, b in zip(x, w)], (8, 32))
save_npy("x.npy", x, (16, 16))
save_npy("turned.npy", [x[16 * (i % 16) + i // 16] for i in range(256)], (16, 16))
a = [i * 0x9e3779b97f4a7c15 & 2**64 - 1 for i in range(32)]
b = [i * i * 0xc2b2ae3d27d4eb4f + 7 & 2**64 - 1 for i in range(32)]
save("a.bin", a, "Q")
save("b.bin", b, "Q")
save("sum.bin", [p + q & 2**64 - 1 for p, q in zip(a, b)], "Q")
save("short.bin", x[:255], "I")
PY

twiddle=(run tests/planted/twiddle.sass --grid 4 --block 64 --in x="$tmp/x.bin" --in w="$tmp/w.bin")
fhec "without a bug nothing is said" 0 "" "${twiddle[@]}" --out y=:1024 --expect y="$tmp/product.bin"
fhec "a wrong twiddle in one lane" 1 \
    "fhec run: error: y differs in 8 of 256 elements, first in element 13: it is 0x5a139020
  [237]: 0xbc0d3ce0 (3154984160), expected 0x42b163ca (1118921674)
  all with index mod 32 = 13
  all were stored by lane 13, and all that it stored differ
  [13] was stored by lane 13 of warp 0, block 0,0,0 from R12:
    tests/planted/twiddle.sass:23: STG.E [R8.64], R12 ;  (0x00d0)
  suspected, the likeliest first:
    tests/planted/twiddle.sass:20: @P0 IADD3 R11, R11, 0x1, RZ ;  (0x00b0)
      went into 8 of 8 wrong elements and 0 of 32 right ones
  it was made by, nearest first:
    tests/planted/twiddle.sass:22: IMAD R12, R10, R11, RZ
    tests/planted/twiddle.sass:20: @P0 IADD3 R11, R11, 0x1, RZ
  \`fhec why 'y[13]'\` with the same arguments" \
    "${twiddle[@]}" -D LANE=13 --out y=:1024 --expect y="$tmp/product.bin"
fhec "with the shape of a .npy file" 1 "  [7, 13]: 0xbc0d3ce0
  column 13" "${twiddle[@]}" -D LANE=13 --out y=:1024 --expect y="$tmp/product.npy"
fhec "on the other engine" 1 "all were stored by lane 6, and all that it stored differ" \
    "${twiddle[@]}" -D LANE=6 --engine ref --out y=:1024 --expect y="$tmp/product.bin"

loop=(run tests/planted/loop.sass --grid 1 --block 32 --arg count=8 --in x="$tmp/x.bin")
fhec "a loop that is one short" 1 "y differs in 32 of 256 elements, first in element 224
  all from index 224 on
  all of them are 0x0
  no instruction stored any of them
    tests/planted/loop.sass:12: IADD3 R9, R9, -0x1, RZ ;  (0x0040)
  with one edit all 256 elements are right
  what decided that, nearest first:
    tests/planted/loop.sass:23: @P0 BRA
    tests/planted/loop.sass:12: IADD3 R9, R9, -0x1, RZ" "${loop[@]}" -D SHORT=1 --out y=:1024 --expect y="$tmp/five.bin"

carry=(run tests/planted/carry.sass --grid 1 --block 32 --in a="$tmp/a.bin" --in b="$tmp/b.bin")
fhec "a carry that is missing" 1 "what is there minus what is expected is -2^32 everywhere
from R15:
    tests/planted/carry.sass:20: STG.E.64 [R8.64], R14 ;  (0x0090)
    tests/planted/carry.sass:16: IADD3 R15, R11, R13, RZ ;  (0x0080)
      went into 21 of 21 wrong elements and 11 of 11 right ones" \
    "${carry[@]}" -D NO_CARRY=1 --out sum=:256:u64 --expect sum="$tmp/sum.bin"

# With x[i] + 5 expected and x transposed: only what is on the diagonal would be right.
cat >"$tmp/copy.sass" <<'SASS'
.target sm_80
.kernel copy
.param x, 8
.param y, 8
    S2R R0, SR_TID.X ;
    MOV R2, 0x4 ;
    IMAD.WIDE.U32 R4, R0, R2, x ;
    IMAD.WIDE.U32 R6, R0, R2, y ;
    LDG.E R8, [R4.64] ;
    STG.E [R6.64], R8 ;
    EXIT ;
.end
SASS
fhec "a matrix that is transposed" 1 "differs in 240 of 256 elements
  [0, 1]: 0x9e3
what is at [i, j] is expected at [j, i]: transposed" run "$tmp/copy.sass" --grid 1 --block 256 \
    --in x="$tmp/x.npy" --out y=:1024 --expect y="$tmp/turned.npy"
fhec "another number of elements" 1 "y has 256 elements of 4 bytes; expected 255 of 4" \
    run "$tmp/copy.sass" --grid 1 --block 256 --in x="$tmp/x.bin" --out y=:1024 \
    --expect y="$tmp/short.bin"

# What was in an --inout buffer before is there again when the launch is made once more.
cp "$tmp/five.bin" "$tmp/inout.bin"
cat >"$tmp/twice.sass" <<'SASS'
.target sm_80
.kernel twice
.param y, 8
    S2R R0, SR_TID.X ;
    MOV R2, 0x4 ;
    IMAD.WIDE.U32 R4, R0, R2, y ;
    LDG.E R8, [R4.64] ;
    ISETP.GE.U32.AND P0, PT, R8, 0x80000000, PT ;
@P0 STG.E [R4.64], RZ ;
    EXIT ;
.end
SASS
fhec "a buffer that is read and written" 1 "  [1] was stored by lane 1 of warp 0, block 0,0,0:
    $tmp/twice.sass:9: @P0 STG.E [R4.64], RZ ;" run "$tmp/twice.sass" --grid 1 --block 256 \
    --inout y="$tmp/inout.bin" --expect y="$tmp/five.bin"

"$FHEC" "${twiddle[@]}" -D LANE=13 --out y=:1024 --expect y="$tmp/product.npy" --diag=json \
    2>"$tmp/said.json"
check "the same as JSON" python3 - "$tmp/said.json" <<'PY'
import json, sys
said = [json.loads(line) for line in open(sys.argv[1])]
assert len(said) == 1
d = said[0]["difference"]
assert (d["buffer"], d["count"], d["of"], d["pattern"]) == ("y", 8, 256, "column 13")
assert d["first"][1] == {"index": 45, "place": [1, 13], "got": "0xb9132560", "expected": "0xe952910a"}
assert d["not_stored"] == 0
s = d["store"]
assert (s["lane"], s["warp"], s["block"], s["line"], s["register"]) == (13, 0, [0, 0, 0], 23, "R12")
assert s["common"].startswith("lane 13")
assert [m["line"] for m in d["made_by"]][0] == 23 and 20 in [m["line"] for m in d["made_by"]]
first = d["suspected"][0]
assert (first["line"], first["pc"], first["kernel"]) == (20, 0xb0, "twiddle"), first
assert first["reason"] == "went into 8 of 8 wrong elements and 0 of 32 right ones"
assert len(d["suspected"]) <= 5 and all(one["score"] <= first["score"] for one in d["suspected"])
PY

# B read as if it were the other way round, in a test with a golden function and its rows.
sed -e 's/LEA R6, t, g, 0x3 ;/LEA R6, g, t, 0x2 ;/' -e 's/128 \* \\i\]/16 * \\i]/' \
    -e 's/IMAD.WIDE.U32 at\[0\], R6, four, b/LEA R6, g, t, 0x4 ; IMAD.WIDE.U32 at[0], R6, four, b/' \
    -e '/^.test case any/,$d' tests/kernels/matmul.sass >"$tmp/matmul.sass"
fhec "a golden function" 1 "d differs in 128 of 128 elements
  [1, 7]: 0x
  all elements
  [0, 0] was stored by lane 0 of warp 0, block 0,0,0 from R20:
STG.E [R4.64], R20 ;
0 passed, 1 failed" test "$tmp/matmul.sass"
done_testing
