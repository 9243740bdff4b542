#!/usr/bin/env bash
# fhec compare: two sources, two engines, two sets of arguments, two logs.
. "$(dirname "$0")/../tools/tap.sh"

python3 - "$tmp" <<'PY'
import struct, sys
def save(name, values, code="I"):
    with open(sys.argv[1] + "/" + name, "wb") as f:
        f.write(struct.pack("<%d%s" % (len(values), code), *values))
x = [3 * i + 7 for i in range(256)]
save("x.bin", x)
x[200] ^= 0x10
save("other.bin", x)
save("w.bin", [i * i + 1 for i in range(256)])
save("a.bin", [i * 0x9e3779b97f4a7c15 & 2**64 - 1 for i in range(32)], "Q")
save("b.bin", [i * i * 0xc2b2ae3d27d4eb4f + 7 & 2**64 - 1 for i in range(32)], "Q")
PY
twiddle=(tests/planted/twiddle.sass --grid 4 --block 64 --in x="$tmp/x.bin" --in w="$tmp/w.bin"
    --out y=:1024)
fhec "the same twice" 0 "" compare "${twiddle[@]}"
same "nothing is said of it" "$said" ""
fhec "two engines" 0 "" compare "${twiddle[@]}" --with --engine ref

# The instructions that make the wrong twiddle are only in one of the two: the first that both have
# and that does something else is the product.
fhec "a wrong twiddle in one lane" 1 "warp 0, block 0,0,0: another value
  first : tests/planted/twiddle.sass:22: IMAD R12, R10, R11, RZ ;  (0x0090)  lane 13: R12 = 0x1e8c
  second: tests/planted/twiddle.sass:22: IMAD R12, R10, R11, RZ ;  (0x00c0)  lane 13: R12 = 0x1eba
8 of 8 warps differ" compare "${twiddle[@]}" --with -D LANE=13
fhec "some warps" 1 "warp 0, block 0,0,0: another value
warp 1, block 0,0,0: another value
warp 0, block 1,0,0: another value" compare "${twiddle[@]}" --differences 3 --with -D LANE=13
same "not more of them" "$(grep -c 'another value' <<<"$said")" 3
fhec "other data" 1 "warp 0, block 3,0,0: another value
  first : tests/planted/twiddle.sass:15: LDG.E R10, [R4.64] ;  (0x0070)  lane 8: R10 = 0x25f
  second: tests/planted/twiddle.sass:15: LDG.E R10, [R4.64] ;  (0x0070)  lane 8: R10 = 0x24f
1 of 8 warps differ" compare "${twiddle[@]}" --with --in x="$tmp/other.bin"

loop=(tests/planted/loop.sass --grid 1 --block 32 --in x="$tmp/x.bin" --out y=:1024)
fhec "a loop that is one short" 1 "tests/planted/loop.sass:22: ISETP.LT.U32.AND P0, PT, R3, R9, PT
lane 0: P0 = 0x1
lane 0: P0 = 0x0" compare "${loop[@]}" --arg count=8 --with -D SHORT=1
fhec "another argument" 1 "  first : tests/planted/loop.sass:10: MOV R9, c[0x0][0x170] ;  (0x0030)  lane 0: R9 = 0x8
  second: tests/planted/loop.sass:10: MOV R9, c[0x0][0x170] ;  (0x0030)  lane 0: R9 = 0x5" \
    compare "${loop[@]}" --arg count=8 --with --arg count=5

# The instruction that was changed is compared by what it does.
carry=(--grid 1 --block 32 --in a="$tmp/a.bin" --in b="$tmp/b.bin" --out sum=:256)
sed 's/IADD3.X R15, R11, R13, RZ, P0, !PT/IADD3 R15, R11, R13, RZ/' tests/planted/carry.sass \
    >"$tmp/wrong.sass"
fhec "two sources: a carry that is missing" 1 "  first : tests/planted/carry.sass:18: IADD3.X R15, R11, R13, RZ, P0, !PT ;  (0x0080)  lane 2: R15 = 0x
  second: $tmp/wrong.sass:18: IADD3 R15, R11, R13, RZ ;  (0x0080)  lane 2: R15 = 0x" \
    compare tests/planted/carry.sass "$tmp/wrong.sass" "${carry[@]}"
sed 's/^    STG.E.64/    MOV R20, 0x1 ;\n    MOV R21, 0x2 ;\n&/' tests/planted/carry.sass >"$tmp/more.sass"
fhec "instructions that change nothing" 0 "" compare tests/planted/carry.sass "$tmp/more.sass" \
    "${carry[@]}"
"$FHEC" compare tests/planted/carry.sass "$tmp/wrong.sass" "${carry[@]}" --format=json >"$tmp/said.json"
check "the same as JSON" python3 - "$tmp/said.json" <<'PY'
import json, sys
said = json.load(open(sys.argv[1]))
d = said["differences"][0]
assert (said["warps"], d["kind"], d["register"], d["lane"], d["warp"]) == (1, "value", "R15", 2, 0)
assert (d["first"]["line"], d["second"]["line"]) == (18, 18)
assert int(d["first"]["value"], 16) - int(d["second"]["value"], 16) == 1
PY
fhec "another number of warps" 1 "warp 0, block 2,0,0: one of them has ended
  first : nothing more
2 of 4 warps differ" compare "${twiddle[@]}" --grid 2 --with --grid 3

for kind in 0 13; do
    define=()
    [ $kind = 0 ] || define=(-D "LANE=$kind")
    "$FHEC" run "${twiddle[@]}" "${define[@]}" --trace-format=log --trace-file "$tmp/$kind.log"
done
fhec "two logs" 1 "tests/planted/twiddle.sass:" compare "$tmp/0.log" "$tmp/13.log"
fhec "no second file" 4 "cannot read" compare "${twiddle[@]}" "$tmp/none.sass"
done_testing
