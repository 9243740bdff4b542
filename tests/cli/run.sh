#!/usr/bin/env bash
# fhec run: buffers and arguments, hashes and expectations, faults, and all that is refused.
. "$(dirname "$0")/../tools/tap.sh"

# out[i] = a[i] * factor + b[i], one thread each
cat >"$tmp/mad.sass" <<'EOF'
.target sm_80
.kernel mad
.param a, 8
.param b, 8
.param out, 8
.param factor, 4
    S2R R0, SR_TID.X ;
    S2R R1, SR_CTAID.X ;
    IMAD R0, R1, c[0x0][0x0], R0 ;
    MOV R1, 0x4 ;
    IMAD.WIDE.U32 R2, R0, R1, a ;
    IMAD.WIDE.U32 R4, R0, R1, b ;
    IMAD.WIDE.U32 R6, R0, R1, out ;
    LDG.E R8, [R2.64] ;
    LDG.E R9, [R4.64] ;
    MOV R10, factor ;
    IMAD R8, R8, R10, R9 ;
    STG.E [R6.64], R8 ;
    EXIT ;
.end
.kernel forever
again:
    BRA again ;
.end
.kernel null
    LDG.E R0, [RZ] ;
    EXIT ;
.end
.kernel readonly
.param a, 8
    MOV R2, a ;
    MOV R3, a+4 ;
    STG.E [R2.64], R0 ;
    EXIT ;
.end
.kernel narrow
.param flag, 1
.param small, 2
    EXIT ;
.end
EOF
cat >"$tmp/lanes.sass" <<'EOF'
.target sm_80, fhec
.kernel half
    S2R R0, SR_TID.X ;
    ISETP.GE.U32.AND P0, PT, R0, 0x10, PT ;
@P0 EXIT ;
    FHEC.16816.U32.U32 R4, R8.ROW, R16.COL, R4, UR4 ;
    EXIT ;
.end
EOF
# Asymmetric data, the sums beside it, and the same as .npy; wrap-around included.
python3 - "$tmp" <<'EOF'
import struct, sys
tmp = sys.argv[1]
a = [(i * 2654435761 + 12345) & 0xffffffff for i in range(256)]
b = [(0xffffffff - 3 * i) & 0xffffffff for i in range(256)]
c = [(x * 0xfffffffd + y) & 0xffffffff for x, y in zip(a, b)]
def raw(name, values): open(f"{tmp}/{name}", "wb").write(struct.pack(f"<{len(values)}I", *values))
def npy(name, values, shape, dtype="<u4", version=1):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (dtype, shape)
    pad = 64 - (10 + len(head) + 1) % 64
    head = (head + " " * pad + "\n").encode()
    code = {"<u8": "Q"}.get(dtype, "I")
    open(f"{tmp}/{name}", "wb").write(b"\x93NUMPY" + bytes([version, 0]) +
        struct.pack("<H", len(head)) + head + struct.pack(f"<{len(values)}{code}", *values))
raw("a.bin", a); raw("b.bin", b); raw("c.bin", c)
raw("wrong.bin", c[:77] + [c[77] ^ 1] + c[78:])
npy("a.npy", a, (256,)); npy("b.npy", b, (16, 16)); npy("c.npy", c, (16, 16))
npy("c16.npy", a, (64,), "<c16"); npy("big.npy", a, (256,), ">u4")
open(f"{tmp}/cut.npy", "wb").write(open(f"{tmp}/a.npy", "rb").read()[:-4])
open(f"{tmp}/notnpy.npy", "wb").write(b"hello, this is no array at all")
open(f"{tmp}/odd.bin", "wb").write(b"12345")
EOF
mad=(run "$tmp/mad.sass" -k mad --grid 2 --block 128 --arg factor=-3)
buffers=("--in" "a=$tmp/a.bin" "--in" "b=$tmp/b.bin")

fhec "raw files" 0 "" "${mad[@]}" "${buffers[@]}" --out "out=$tmp/out.bin:1K"
check "raw result" cmp "$tmp/out.bin" "$tmp/c.bin"
fhec ".npy files" 0 "" "${mad[@]}" --in "a=$tmp/a.npy" --in "b=$tmp/b.npy" --out "out=$tmp/out.npy:1024"
check ".npy result" cmp <(tail -c 1024 "$tmp/out.npy") "$tmp/c.bin"
check ".npy header" python3 - "$tmp/out.npy" <<'EOF'
import ast, struct, sys
data = open(sys.argv[1], "rb").read()
assert data[:8] == b"\x93NUMPY\x01\x00"
length, = struct.unpack("<H", data[8:10])
assert (10 + length) % 64 == 0 and data[9 + length:10 + length] == b"\n"
header = ast.literal_eval(data[10:10 + length].decode())
assert header == {"descr": "<u4", "fortran_order": False, "shape": (256,)}, header
EOF
cp "$tmp/b.npy" "$tmp/io.npy"
fhec "--inout" 0 "" run "$tmp/mad.sass" -k mad --grid 2 --block 128 --arg factor=0xfffffffd \
    --in "a=$tmp/a.bin" --in "b=$tmp/b.npy" --inout "out=$tmp/io.npy"
check "--inout keeps the shape" cmp "$tmp/io.npy" "$tmp/c.npy"
cat >"$tmp/parts.sass" <<'SASS'
.target sm_80
.kernel parts
.param pair, 16
.param cell, 8
    MOV R2, c[0x0][0x170] ;
    MOV R3, c[0x0][0x174] ;
    LDG.E R0, [R2.64] ;
    IADD3 R0, R0, c[0x0][0x160], RZ ;
    STG.E [R2.64], R0 ;
    EXIT ;
.end
SASS
printf '\5\0\0\0' >"$tmp/five.bin"
printf '\10\0\0\0' >"$tmp/eight.bin"
cp "$tmp/five.bin" "$tmp/kept.bin"
parts=(run "$tmp/parts.sass" --grid 1 --block 1)
fhec "a buffer comes from one file and goes to another" 0 "" "${parts[@]}" --arg pair=bytes:03000000000000000000000000000000 \
    --in "cell=$tmp/five.bin" --out "cell=$tmp/sum.bin"
check "the sum is in the other one" cmp "$tmp/sum.bin" "$tmp/eight.bin"
check "and the first one is as it was" cmp "$tmp/five.bin" "$tmp/kept.bin"
fhec "its size is that of the input" 2 "the buffer has the size of --in" "${parts[@]}" --arg pair+0=3 \
    --in "cell=$tmp/five.bin" --out "cell=$tmp/sum.bin:4"
fhec "each of several launches has its counts" 0 "launch 1: kernel parts: 6 warp instructions, 6 thread instructions
launch 2: kernel parts: 12 warp instructions, 24 thread instructions
18 warp instructions, 30 thread instructions, 2 launches" \
    run "$tmp/parts.sass" --stats --in "cell=$tmp/five.bin" --out "cell=$tmp/sum.bin" --grid 1 --block 1 --arg pair=bytes:03000000000000000000000000000000 \
    --then --grid 2 --block 2 --arg pair=bytes:03000000000000000000000000000000
fhec "parts of a parameter that have no value are told" 0 "parameter pair of kernel parts: bytes 4 to 11 have no value and are 0" \
    "${parts[@]}" --arg pair+0=u32:3 --arg pair+12=u32:1 --in "cell=$tmp/five.bin" --out "cell=$tmp/sum.bin"

hash=$(xxhsum -H2 "$tmp/c.bin" 2>/dev/null | cut -d' ' -f1)
fhec "--hash" 0 "$hash  out" "${mad[@]}" "${buffers[@]}" --out out=:1K --hash out
fhec "--expect a hash" 0 "" "${mad[@]}" "${buffers[@]}" --out out=:1K --expect "out=xxh3:$hash"
fhec "--expect another hash" 1 "out has the hash $hash; expected ${hash//[0-8]/9}" \
    "${mad[@]}" "${buffers[@]}" --out out=:1K --expect "out=xxh3:${hash//[0-8]/9}"
fhec "--expect a file" 0 "" "${mad[@]}" "${buffers[@]}" --out out=:1K --expect "out=$tmp/c.npy"
fhec "--expect another file" 1 "out differs in 1 of 256 elements, first in element 77" \
    "${mad[@]}" "${buffers[@]}" --out out=:1K --expect "out=$tmp/wrong.bin"
head -c 4 "$tmp/c.bin" >"$tmp/four.bin"
fhec "--expect a file of another size" 1 "out has 256 elements of 4 bytes; expected 1 of 4" \
    "${mad[@]}" "${buffers[@]}" --out out=:1K --expect "out=$tmp/four.bin"
fhec "--expect a file that is not there" 4 "cannot read $tmp/missing.bin" \
    "${mad[@]}" "${buffers[@]}" --out "out=$tmp/unwanted.bin:1K" --expect "out=$tmp/missing.bin"
check "then there is no output file" test ! -e "$tmp/unwanted.bin"
# What is expected is the file as it was before the run replaced it.
cp "$tmp/wrong.bin" "$tmp/replaced.bin"
fhec "--expect the file of --inout" 1 "out differs in" \
    "${mad[@]}" "${buffers[@]}" --inout "out=$tmp/replaced.bin" --expect "out=$tmp/replaced.bin"
: >"$tmp/empty.bin"
fhec "an empty data file" 2 "empty.bin has no elements" \
    "${mad[@]}" "${buffers[@]}" --inout "out=$tmp/empty.bin"
fhec "--expect of no hash" 2 "expected 32 hexadecimal digits" "${mad[@]}" --expect out=xxh3:12

for engine in ref fast; do
    for threads in 1 3; do
        fhec "engine $engine, $threads threads" 0 "$hash  out" "${mad[@]}" "${buffers[@]}" \
            --out out=:1K --hash out --engine $engine --threads $threads
    done
done
fhec "portable" 0 "$hash  out" "${mad[@]}" "${buffers[@]}" --out out=:1K --hash out --simd portable

"$FHEC" "${mad[@]}" "${buffers[@]}" --out out=:1K --hash out --stats=json >"$tmp/stats" 2>&1
check "--stats=json" python3 - "$tmp/stats" "$hash" <<'EOF'
import json, sys
stats = json.load(open(sys.argv[1]))
assert stats["warp_insts"] == 8 * 13 and stats["thread_insts"] == 256 * 13, stats
assert stats["launches"] == 1 and stats["wall_s"] >= 0
assert stats["opcodes"]["LDG.E"]["warp"] == 16 and stats["opcodes"]["LDG.E"]["thread"] == 512
assert stats["opcodes"]["IMAD.WIDE.U32"]["warp"] == 24
assert sum(o["warp"] for o in stats["opcodes"].values()) == stats["warp_insts"]
assert stats["hash"] == {"out": sys.argv[2]}
EOF
fhec "--stats" 0 "104 warp instructions, 3328 thread instructions, 1 launch" \
    "${mad[@]}" "${buffers[@]}" --out out=:1K --stats
fhec "--trace" 0 "b1,0,0 w2 0070 ffffffff  LDG.E R8,
    global load 4 lane 31
    R10 =  fffffffd   fffffffd" "${mad[@]}" "${buffers[@]}" --out out=:1K --trace
fhec "--trace=fetch of one warp" 0 "b1,0,0 w2 00c0 ffffffff  EXIT" "${mad[@]}" "${buffers[@]}" \
    --out out=:1K --trace=fetch --trace-warp 2 --trace-block 1
same "it has one line for each instruction" "$(grep -c '^b1,0,0 w2' <<<"$said")" 13
fhec "--trace-file" 0 "" "${mad[@]}" "${buffers[@]}" --out out=:1K --trace=mem --trace-file "$tmp/log"
same "the log has every access" "$(grep -c ' lane ' "$tmp/log")" 768
for chosen in "block 2:the blocks are 0 to 1" "block 99:the blocks are 0 to 1" \
    "warp 4:the warps of a block are 0 to 3" "warp 31:the warps of a block are 0 to 3"; do
    # shellcheck disable=SC2086 # an option and its number
    fhec "--trace-${chosen%%:*}, which is not there" 2 "--trace-${chosen%%:*}: ${chosen#*:}" \
        "${mad[@]}" "${buffers[@]}" --out out=:1K --trace --trace-${chosen%%:*}
done
for chosen in "--trace-line 999" "--trace-pc ff0" "--trace-opcode FADD" "--trace-kernel other" "--trace-launch 2" \
    "--trace-memory other"; do
    # shellcheck disable=SC2086 # an option and its value
    fhec "$chosen, which there is not" 0 "nothing in the launches is what" "${mad[@]}" "${buffers[@]}" --out out=:1K --trace $chosen
done
fhec "a trace of something" 0 "launch 1 ends" "${mad[@]}" "${buffers[@]}" --out out=:1K --trace=blocks --trace-launch 1
same "what there is goes unremarked" "$(grep -c "nothing in the launches" <<<"$said")" 0
narrow=(-k narrow --arg flag=1 --arg small=1 --block 32)
fhec "a block that only the second launch has" 0 "b1,1,1 w0 0000 ffffffff  EXIT" \
    run "$tmp/mad.sass" "${narrow[@]}" --grid 1 --then "${narrow[@]}" --grid 2,2,2 --trace --trace-block 7
same "is all there is in the log" "$(grep -c '^b' <<<"$said")" 1
fhec "--trace=xyz" 2 "expected a list of fetch, regs, mem" "${mad[@]}" --trace=xyz

# ---- refused before anything runs: status 2, or 4 for unreadable files; no output file
out=("--out" "out=$tmp/none.bin:1K")
fhec "no grid" 2 "--grid and --block are needed" run "$tmp/mad.sass" -k mad --block 128
fhec "grid 0" 2 "--grid 0: expected X[,Y[,Z]], each from 1" \
    run "$tmp/mad.sass" -k mad --grid 0 --block 128 "${buffers[@]}" "${out[@]}"
fhec "block of 2048" 2 "--block 2048: expected" \
    run "$tmp/mad.sass" -k mad --grid 1 --block 2048 "${buffers[@]}" "${out[@]}"
fhec "block of 64 x 32" 2 "--block 64,32,1: 2048 threads; a block has at most 1024" \
    run "$tmp/mad.sass" -k mad --grid 1 --block 64,32 "${buffers[@]}" "${out[@]}"
fhec "which kernel?" 2 "the program has 5 kernels; choose one with --kernel
kernel mad: a (8 bytes), b (8 bytes), out (8 bytes), factor (4 bytes)
kernel forever: no parameters" run "$tmp/mad.sass" --grid 1 --block 32
fhec "no such kernel" 2 'the program has no kernel "mda"; did you mean "mad"?' run "$tmp/mad.sass" -k mda --grid 1 --block 32
fhec "a parameter is missing" 2 "parameter factor (4 bytes) of kernel mad is not given" \
    run "$tmp/mad.sass" -k mad --grid 1 --block 32 "${buffers[@]}" "${out[@]}"
fhec "a parameter twice" 2 "parameter a is given twice" "${mad[@]}" "${buffers[@]}" --in "a=$tmp/a.bin" "${out[@]}"
fhec "an unknown parameter" 2 'has no parameter "ou"; did you mean "out"?' \
    "${mad[@]}" "${buffers[@]}" --out "ou=$tmp/none.bin:1K"
fhec "an address for a number" 2 "parameter factor has 4 bytes; an address takes 8" \
    run "$tmp/mad.sass" -k mad --grid 1 --block 32 "${buffers[@]}" "${out[@]}" --in "factor=$tmp/a.bin"
for value in 256 -129 0x100 1x x '' 1.5; do
    fhec "flag=$value" 2 "parameter flag takes 1 bytes; \"$value\" is not a number that fits" \
        run "$tmp/mad.sass" -k narrow --grid 1 --block 32 --arg "flag=$value" --arg small=0
done
for value in 255 -128 0xff 0; do
    fhec "flag=$value" 0 "" run "$tmp/mad.sass" -k narrow --grid 1 --block 32 --arg "flag=$value" --arg small=-32768
done
printf 'ab' >"$tmp/two"
fhec "@FILE" 0 "" run "$tmp/mad.sass" -k narrow --grid 1 --block 32 --arg flag=1 --arg "small=@$tmp/two"
fhec "@FILE of another size" 2 "parameter flag takes 1 bytes; $tmp/two has 2" \
    run "$tmp/mad.sass" -k narrow --grid 1 --block 32 --arg "flag=@$tmp/two" --arg small=1
fhec "a missing data file" 4 "cannot read $tmp/no.bin: No such file" \
    "${mad[@]}" --in "a=$tmp/no.bin" --in "b=$tmp/b.bin" "${out[@]}"
fhec "a data file of 5 bytes for 1024" 3 "\`a\`" \
    "${mad[@]}" --in "a=$tmp/odd.bin" --in "b=$tmp/b.bin" "${out[@]}"
for case in "c16:elements are '<c16'; expected integers" "big:elements are '>u4'" \
    "cut:the header promises 1024 bytes of data, 1020 follow" "notnpy:not a .npy file"; do
    fhec "${case%%:*}.npy" 2 "${case#*:}" \
        "${mad[@]}" --in "a=$tmp/${case%%:*}.npy" --in "b=$tmp/b.bin" "${out[@]}"
done
fhec "--out of 6 bytes as u32" 2 "not a multiple of 4 bytes" "${mad[@]}" --out "out=$tmp/none.bin:6:u32"
fhec "--out of no type" 2 '"u128" is neither BYTES nor a type' "${mad[@]}" --out "out=$tmp/none.bin:8:u128"
fhec "--out without a size" 2 "expected NAME=FILE:BYTES" "${mad[@]}" --out "out=$tmp/none.bin"
fhec "--hash of no buffer" 2 'no buffer is called "d"' "${mad[@]}" "${buffers[@]}" "${out[@]}" --hash d
fhec "--threads 0" 2 "--threads 0: expected a number from 1" "${mad[@]}" --threads 0

# ---- the order of warps: lanes take tickets; the seed decides who gets which
cat >"$tmp/tickets.sass" <<'EOF'
.kernel tickets
.param out, 8
        S2R R0, SR_CTAID.X ;
        S2R R1, SR_TID.X ;
        IMAD R0, R0, c[0x0][0x0], R1 ;
        MOV R6, out ;
        MOV R7, out+4 ;
        MOV R8, 0x1 ;
        ATOMG.E.ADD.STRONG.GPU PT, R9, [R6.64], R8 ;
        MOV R3, 0x4 ;
        IMAD.WIDE.U32 R4, R9, R3, out ;
        STG.E [R4.64+0x4], R0 ;
        EXIT ;
.end
EOF
differ() { ! cmp -s "$1" "$2"; }
made=0
tickets=(run "$tmp/tickets.sass" --grid 4 --block 64)
for order in default default seed=1 seed=1 seed=0x2; do
    fhec "an order of warps: $order" 0 "" "${tickets[@]}" --order "$order" \
        --out "out=$tmp/tickets$((++made)).bin:1028"
done
check "the default order is one" cmp "$tmp/tickets1.bin" "$tmp/tickets2.bin"
check "the same seed is the same order" cmp "$tmp/tickets3.bin" "$tmp/tickets4.bin"
for other in 1 5; do
    check "another seed is another order" differ "$tmp/tickets3.bin" "$tmp/tickets$other.bin"
done
fhec "an unknown order" 2 "--order seed: expected default or seed=N" "${tickets[@]}" --order seed
fhec "a seed that is none" 2 "--order seed: x: expected a number from 0" "${tickets[@]}" --order seed=x

# ---- faults of the guest: status 3, with place and lanes, and no output file
fhec "null pointer" 3 "out of bounds
mad.sass:26:5
LDG.E R0, [RZ" run "$tmp/mad.sass" -k null --grid 1 --block 32
printf '.kernel k\n  NOP ;\n  .inst 0xdeadbeef, 1 << 63\n  EXIT ;\n.end\n' >"$tmp/raw.sass"
fhec "a word that is no instruction" 3 "raw.sass:3:3: guest fault: illegal instruction" \
    run "$tmp/raw.sass" --grid 1 --block 32 --trap-unsupported
fhec "endless loop" 3 "step limit
BRA" run "$tmp/mad.sass" -k forever --grid 1 --block 32 --max-steps 1000
fhec "store to an --in buffer" 3 "read-only
\`a\`" run "$tmp/mad.sass" -k readonly --grid 1 --block 32 --in "a=$tmp/a.bin"
fhec "past the end" 3 "\`out\`" "${mad[@]}" "${buffers[@]}" --out "out=$tmp/none.bin:1020"
fhec "FHEC with inactive lanes" 3 "lanes.sass:6:5
FHEC.16816.U32.U32" run "$tmp/lanes.sass" --grid 1 --block 32
printf '%s\n' '.macro LOAD r' '    LDG.E \r, [R2.64] ;' .endm >"$tmp/load.inc"
printf '%s\n' '.include "load.inc"' '.kernel k' '.rept 2, i' '.if \i' '    LOAD R4' .endif .endr '    EXIT ;' .end >"$tmp/load.sass"
(cd "$tmp" && "$FHEC" as load.sass -o load.cubin)
for file in load.sass load.cubin; do
    for engine in fast ref; do
        fhec "$file, $engine: a fault within a macro" 3 "load.inc:2 (in macro LOAD, from
load.sass:5, in iteration 2 of .rept at " \
            run "$tmp/$file" --engine $engine --grid 1 --block 32
    done
done
fhec "what led to a fault as JSON" 3 '"expansions":[{"what":"macro LOAD","file":"load.sass","line":5,"column":5,"length":7},{"what":"iteration 2 of .rept","file":"load.sass","line":3' \
    run "$tmp/load.cubin" --diag=json --grid 1 --block 32

(cd "$tmp" && "$FHEC" run load.sass --grid 1 --block 32 --trace=fetch --trace-line=load.sass:5) >"$tmp/load.txt" 2>&1
grep -q '// load.inc:2, macro LOAD at load.sass:5, iteration 2 of .rept at load.sass:3$' "$tmp/load.txt" &&
    ok "the same in a trace" || not_ok "the same in a trace" "$(cat "$tmp/load.txt")"
(cd "$tmp" && "$FHEC" run load.sass --grid 1 --block 32 --trace-format=log --trace-file=load.log 2>/dev/null)
fhec "and in a log of it" 0 "// load.inc:2, macro LOAD at load.sass:5, iteration 2 of .rept at load.sass:3" \
    trace show "$tmp/load.log" --line load.sass:5

fhec "a fault as JSON" 3 '"severity":"fault"
"line":26' run "$tmp/mad.sass" -k null --grid 1 --block 32 --diag=json
absent "nothing was written by any of them" "$tmp/none.bin"
done_testing
