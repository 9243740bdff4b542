#!/usr/bin/env bash
# Traces for Accel-Sim: what --trace=accelsim:DIR writes, whatever runs it; what fhec time --from
# makes of it, of packed ones, of ones without code, and of wrong ones.
. "$(dirname "$0")/../tools/tap.sh"

# Barriers, shared, global, local and generic memory, an atomic operation, a copy to shared memory, a
# matrix product, a loop whose length depends on the warp, lanes apart, a guard that holds for none.
cat >"$tmp/k.sass" <<'END'
.target sm_80, fhec
.kernel k
.param x, 8
.shared room, 4096
.local 64
    S2R R0, SR_TID.X ;
    S2R R1, SR_CTAID.X ;
    UMOV UR4, 0x7 ;
    IMAD R2, R1, 0x100, R0 ;
    MOV R4, x ;
    MOV R5, x+4 ;
    IMAD.WIDE.U32 R4, R2, 0x4, R4 ;
    LDG.E R6, [R4.64] ;
    SHF.R.U32.HI R7, RZ, 0x5, R0 ;
    IMAD.SHL.U32 R8, R0, 0x4, RZ ;
    IMAD.SHL.U32 R9, R0, 0x10, RZ ;
    LOP3.LUT R9, R9, 0x3f0, RZ, 0xc0, !PT ;
    LDGSTS.E [R8+0x800], [R4.64] ;
    LDGDEPBAR ;
    DEPBAR.LE SB0, 0x0 ;
again:
    STS [R8], R6 ;
    BAR.SYNC 0x0 ;
    LDS R10, [R8] ;
    IADD3 R6, R6, R10, RZ ;
    BAR.SYNC 0x0 ;
    IADD3 R7, R7, 0x1, RZ ;
    ISETP.LT.U32.AND P0, PT, R7, 0x8, PT ;
    @P0 BRA again ;
    LDSM.16.M88.2 R12, [R9] ;
    FHEC.16816.U32.U32 R16, R24.ROW, R32.COL, R16, UR4 ;
    ISETP.LT.U32.AND P1, PT, R0, 0x5, PT ;
    @P1 STL [0x10], R6 ;
    ISETP.GT.U32.AND P2, PT, R0, 0x1000, PT ;
    @P2 LDG.E R6, [R4.64] ;
    ATOMG.E.ADD.STRONG.GPU PT, R11, [R4.64], R6 ;
    STG.E [R4.64], R16 ;
    EXIT ;
.end
END
k=("$tmp/k.sass" --grid 230 --block 96 --out x=:307200)
fhec "a trace is written" 0 "" run "${k[@]}" --trace=accelsim:"$tmp/t"
same "its files" "$(cd "$tmp/t" && echo *)" "kernel-1.traceg kernelslist.g"
same "its list" "$(cat "$tmp/t/kernelslist.g")" "kernel-1.traceg"
for how in "--engine ref" "--threads 1" "--threads 8" "--simd portable"; do
    # shellcheck disable=SC2086 # an option and its value
    "$FHEC" run "${k[@]}" $how --trace=accelsim:"$tmp/other"
    check "the same with $how" cmp "$tmp/t/kernel-1.traceg" "$tmp/other/kernel-1.traceg"
done

# A second reader, of every rule of the format, which knows what the kernel does.
cat >"$tmp/read.py" <<'END'
import re, sys
lines = open(sys.argv[1]).read()
assert lines.endswith("\n")
head, body = lines.split("\n#traces format = ", 1)
header = dict(l[1:].split(" = ", 1) for l in head.split("\n") if l)
assert header["grid dim"] == "(230,1,1)" and header["block dim"] == "(96,1,1)", header
assert header["shmem"] == "4096" and header["binary version"] == "80", header
assert header["accelsim tracer version"] == "5" and header["enable lineinfo"] == "0"
shared, local = (int(header[k], 16) for k in ("shmem base_addr", "local mem base_addr"))
body = [l for l in body.split("\n")[1:] if l]
at = total = 0
def take(want):
    global at
    assert body[at] == want, (body[at], want)
    at += 1
seen = {}
def addresses(words, mask):
    lanes = [l for l in range(32) if mask >> l & 1]
    mode = words.pop(0)
    if mode == "1":
        base, stride = int(words.pop(0), 16), int(words.pop(0))
        assert not lanes or len(lanes) >= 2 and lanes == list(range(lanes[0], lanes[-1] + 1))
        return {l: base + stride * i for i, l in enumerate(lanes)}
    assert mode == "2"
    base, got = int(words.pop(0), 16), {}
    for l in lanes:  # as Accel-Sim reads it: a difference for each lane, the last one unused
        got[l] = base
        base += int(words.pop(0))
    return got
for block in range(230):
    take("#BEGIN_TB"); take(f"thread block = {block},0,0")
    for warp in range(3):
        take(f"warp = {warp}")
        count = int(re.fullmatch(r"insts = (\d+)", body[at]).group(1)); at += 1
        for i in range(count):
            words = body[at].split(" "); at += 1; total += 1
            assert re.fullmatch("[0-9a-f]{4}", words[0]) and re.fullmatch("[0-9a-f]{8}", words[1])
            pc, mask = int(words.pop(0), 16), int(words.pop(0), 16)
            registers = [words.pop(0) for _ in range(int(words.pop(0)))]
            opcode = words.pop(0)
            registers += [words.pop(0) for _ in range(int(words.pop(0)))]
            assert len(registers) <= 5 and all(re.fullmatch(r"R\d+", r) for r in registers)
            seen.setdefault(opcode, []).append(mask)
            if int(words.pop(0)):
                where, tid = addresses(words, mask), lambda l: 32 * warp + l
                if opcode == "LDG.E" and mask or opcode == "STG.E":
                    first = where[0] - 4 * (256 * block + tid(0))
                    assert all(a == first + 4 * (256 * block + tid(l)) for l, a in where.items())
                if opcode == "STS":
                    assert where == {l: 4 * tid(l) for l in range(32)}
                if opcode == "STL":
                    assert where == {l: 16 for l in where}, where
                if opcode.startswith("LDSM"):
                    assert where == {l: 16 * tid(l % 16) & 0x3f0 for l in range(32)}
            immediate = int(words.pop(0))
            if opcode.startswith("LDGSTS"):
                assert addresses(words, int(words.pop(0), 16)) == {l: 0x800 + 4 * tid(l) for l in range(32)}
            assert not words, words
        assert opcode == "EXIT" and mask == 0xffffffff
    take("#END_TB")
assert at == len(body)
assert set(seen["STL"]) == {0x1f, 0} and set(seen["LDG.E"]) == {0xffffffff, 0}
assert len(seen["FHEC.16816.U32.U32"]) == 690 and len(seen["BAR.SYNC"]) == 230 * 2 * (8 + 7 + 6)
print(total)
END
insts=$("$FHEC" run "${k[@]}" --stats=json | python3 -c 'import json,sys; print(json.load(sys.stdin)["warp_insts"])')
same "a reader of its own finds every rule kept" "$(python3 "$tmp/read.py" "$tmp/t/kernel-1.traceg" 2>&1 | tail -1)" "$insts"

# The same cycles, and all else that does not need the source.
plain() { python3 -c '
import json, sys
d = json.load(sys.stdin)
for k in d["kernels"]:
    for i in k["instructions"]:
        del i["file"], i["line"]
print(json.dumps(d))'; }
times() { # times NAME FOLDER MACHINE... -- ARGUMENTS: of the trace as of the run
    local name=$1 from=$2 machine=() want
    shift 2
    while [ "$1" != -- ]; do machine+=("$1"); shift; done
    shift
    want=$("$FHEC" time "$@" "${machine[@]}" --format json | plain)
    if [ -n "$want" ] && [ "$("$FHEC" time --from "$from" "${machine[@]}" --format json | plain)" = "$want" ]; then
        ok "$name"
    else
        not_ok "$name" "$("$FHEC" time --from "$from" "${machine[@]}" 2>&1 | head -3)" "wanted:" "$(head -c 200 <<<"$want")"
    fi
}
times "the same times on a100+fhecore" "$tmp/t" --machine a100+fhecore -- "${k[@]}"
times "on a100+etc" "$tmp/t" --machine a100+etc -- "${k[@]}"
times "by another policy" "$tmp/t" --machine a100+fhecore --change "policy oldest" -- "${k[@]}"
times "with one multiprocessor" "$tmp/t" --machine a100+fhecore --change "sms 1" -- "${k[@]}"
times "with registers watched" "$tmp/t" --machine a100+fhecore --change "dependences scoreboard" -- "${k[@]}"
f=(docs/timing/fermi.sass --kernel mix --grid 40 --block 96 --define STEPS=8)
"$FHEC" run "${f[@]}" --trace=accelsim:"$tmp/fermi"
times "on gtx580" "$tmp/fermi" --machine gtx580 -- "${f[@]}"
times "on gtx580+a" "$tmp/fermi" --machine gtx580+a -- "${f[@]}"

# Copies to the device are in the list; only some launches; nothing of a run that ends by a fault.
python3 -c 'import sys; sys.stdout.buffer.write(bytes(307200))' >"$tmp/x.bin"
two=(run "$tmp/k.sass" --grid 2 --block 96 --inout x="$tmp/x.bin" --then --grid 1 --block 32)
"$FHEC" "${two[@]}" --trace=accelsim:"$tmp/two"
same "the list of two launches" "$(cat "$tmp/two/kernelslist.g")" "MemcpyHtoD,0x00007f0000000000,307200
kernel-1.traceg
kernel-2.traceg"
fhec "both are timed as one kernel" 0 "kernel k: 2 launches" time --from "$tmp/two" --machine a100+fhecore
"$FHEC" "${two[@]}" --trace=accelsim:"$tmp/second" --trace-launch 2
same "the second one only" "$(grep -c . "$tmp/second/kernelslist.g") $(sed -n 's/^-grid dim = //p' "$tmp/second/kernel-1.traceg")" "2 (1,1,1)"
"$FHEC" "${two[@]}" --trace=accelsim:"$tmp/none" --trace-kernel other
fhec "none of them" 2 "$tmp/none/kernelslist.g: there are no launches" time --from "$tmp/none"
fhec "a fault" 3 "" run "$tmp/k.sass" --grid 2 --block 96 --out x=:64 --trace=accelsim:"$tmp/fault"
same "leaves nothing" "$(ls -A "$tmp/fault")" ""

# What stands in the place of FHEC, and files without the code, as NVBit's tracer writes them.
"$FHEC" run "${k[@]}" --trace=accelsim:"$tmp/imma" --trace-fhec=imma
same "FHEC as IMMA" "$(grep -c ' 1 R16 IMMA.16816.U8.U8 3 R24 R32 R16 0 0$' "$tmp/imma/kernel-1.traceg") $(grep -c 'FHEC\|^-fhec' "$tmp/imma/kernel-1.traceg")" "690 0"
fhec "a machine without FHEC times it" 0 "a100 (NVIDIA A100 80 GB) at 1087.5 MHz" time --from "$tmp/imma"
fhec "and none with it" 2 "machine a100 has no unit for FHEC.16816.U32.U32 (pipe extension), at 0x0180 of kernel k" time --from "$tmp/t"
grep -v '^-fhec' "$tmp/t/kernel-1.traceg" >"$tmp/plain.traceg"
sed -i 's/^\(.* LDGSTS.E .* 0\) ffffffff 1 .*/\1 /' "$tmp/plain.traceg"
fhec "a trace without code: a machine that watches registers" 0 "a100+fhecore
DEPBAR.LE
IADD3 R6 <- R6, R10" time --from "$tmp/plain.traceg" --machine a100+fhecore
near=$("$FHEC" time --from "$tmp/plain.traceg" --machine a100+fhecore --format json | python3 -c 'import json,sys; print(json.load(sys.stdin)["sm_cycles"])')
full=$("$FHEC" time --from "$tmp/t" --machine a100+fhecore --format json | python3 -c 'import json,sys; print(json.load(sys.stdin)["sm_cycles"])')
check "its cycles are near those with code ($near, $full)" test $((10 * near)) -gt $((7 * full)) -a $((10 * near)) -lt $((13 * full))
fhec "--cycles" 1 "cycles; expected 17" time --from "$tmp/t" --machine a100+fhecore --cycles 17
fhec "a timeline" 0 "" time --from "$tmp/t" --machine a100+fhecore --timeline "$tmp/line.svg"

# Packed files.
if "$FHEC" run "${k[@]}" --trace=accelsim:"$tmp/packed" --trace-xz 2>"$tmp/said"; then
    same "packed files" "$(cat "$tmp/packed/kernelslist.g")" kernel-1.traceg.xz
    if command -v xz >/dev/null 2>&1; then
        check "hold the same" cmp <(xz -dc "$tmp/packed/kernel-1.traceg.xz") "$tmp/t/kernel-1.traceg"
    else
        skip "hold the same" "xz is not installed"
    fi
    times "the same times" "$tmp/packed" --machine a100+fhecore -- "${k[@]}"
    head -c 700 "$tmp/packed/kernel-1.traceg.xz" >"$tmp/cut.traceg.xz"
    fhec "cut off" 2 "$tmp/cut.traceg.xz: is truncated" time --from "$tmp/cut.traceg.xz" --machine a100+fhecore
    cp "$tmp/t/kernel-1.traceg" "$tmp/not.traceg.xz"
    fhec "no such file" 2 "$tmp/not.traceg.xz: is no xz file" time --from "$tmp/not.traceg.xz" --machine a100+fhecore
else
    skip "packed files" "$(tail -1 "$tmp/said")"
fi

# Wrong ones.
bad() { # bad NAME SED TEXT
    sed "$2" "$tmp/t/kernel-1.traceg" >"$tmp/bad.traceg"
    fhec "$1" 2 "$3" time --from "$tmp/bad.traceg" --machine a100+fhecore
}
line=$(grep -n '^insts = ' "$tmp/t/kernel-1.traceg" | head -1 | cut -d: -f1)
bad "a negative number" "${line}s/= /= -/" "$tmp/bad.traceg:$line: expected insts = NUMBER"
bad "a warp that ends too early" '/ EXIT /{s/EXIT/NOP/}' "warp 0 does not end with EXIT"
bad "an opcode that is not that of the code" 's/ LDS 1/ LDSX 1/' "the code has another instruction than LDSX at 0110"
bad "a pc that the code does not have" 's/^0110 /1110 /' "the code has no instruction at 1110"
# shellcheck disable=SC2016 # the last line, in sed
bad "the file's end is missing" '$d' "$tmp/bad.traceg:"
fhec "no folder" 4 "nowhere" time --from "$tmp/nowhere"
printf 'kernel-9.traceg\n' >"$tmp/two/kernelslist.g"
fhec "a file that is not there" 4 "$tmp/two/kernelslist.g:1: $tmp/two/kernel-9.traceg: No such file or directory" time --from "$tmp/two"
printf '\n  kernel-1\n' >"$tmp/two/kernelslist.g"
fhec "a file that is none" 2 "$tmp/two/kernelslist.g:2: $tmp/two/kernel-1: expected a file .traceg or .traceg.xz" time --from "$tmp/two"
printf 'kernel-1.traceg\0x\n' >"$tmp/two/kernelslist.g"
fhec "a list that is no text" 2 "$tmp/two/kernelslist.g:1: expected text, not a byte of zero" time --from "$tmp/two"
mkfifo "$tmp/pipe.traceg"
fhec "a pipe" 2 "$tmp/pipe.traceg: expected a regular file: a trace is read twice" time --from "$tmp/pipe.traceg"
: >"$tmp/empty.traceg"
fhec "an empty file" 2 "$tmp/empty.traceg: the file ends within its header" time --from "$tmp/empty.traceg"
printf 'MemcpyHtoD,0x10,-3\n' >"$tmp/two/kernelslist.g"
fhec "a wrong list" 2 "$tmp/two/kernelslist.g:1: expected MemcpyHtoD,0xADDRESS,BYTES" time --from "$tmp/two"
printf 'kernel-1.traceg' >"$tmp/two/kernelslist.g"
fhec "a list that is cut off" 2 "$tmp/two/kernelslist.g:1: the line does not end: the file is truncated" time --from "$tmp/two"

# Traces without code, as NVBit's tracer writes them; older versions of it write no immediates, and
# some editors write lines that end in CR LF.
cat >"$tmp/sums.sass" <<'END'
.target sm_80
.kernel sums
.param x, 8
    S2R R0, SR_TID.X ;
    MOV R4, x ; MOV R5, x+4 ;
    IMAD.WIDE.U32 R4, R0, 0x4, R4 ;
    LDG.E R6, [R4.64] ;
    IADD3 R6, R6, 0x1, RZ ;
    BAR.SYNC 0x0 ;
    STG.E [R4.64], R6 ;
    EXIT ;
.end
END
"$FHEC" run "$tmp/sums.sass" --grid 2 --block 64 --out x=:256 --trace=accelsim:"$tmp/five" >/dev/null
sed -i '/^-fhec code/d' "$tmp/five/kernel-1.traceg"
mkdir "$tmp/three" "$tmp/lines"
cp "$tmp/five/kernelslist.g" "$tmp/three"
sed -E -e 's/tracer version = 5/tracer version = 3/' -e '/^[0-9a-f]{4} [0-9a-f]{8} /s/ [0-9]+ *$//' \
    "$tmp/five/kernel-1.traceg" >"$tmp/three/kernel-1.traceg"
for file in kernelslist.g kernel-1.traceg; do
    sed 's/$/\r/' "$tmp/five/$file" >"$tmp/lines/$file"
done
five=$("$FHEC" time --from "$tmp/five" --format json)
same "a trace of version 3" "$("$FHEC" time --from "$tmp/three" --format json)" "$five"
same "lines that end in CR LF" "$("$FHEC" time --from "$tmp/lines" --format json)" "$five"
sed 's/tracer version = 3/tracer version = 5/' "$tmp/three/kernel-1.traceg" >"$tmp/bad.traceg"
fhec "version 5 without immediates" 2 "expected the immediate, a decimal number" time --from "$tmp/bad.traceg"

# Options.
fhec "two drawings in one file" 2 "two outputs go to one file" time --from "$tmp/five" --timeline "$tmp/a.svg" --roofline "$tmp/a.svg"
fhec "a part of no timeline" 2 "--timeline-cycles needs --timeline" time --from "$tmp/five" --timeline-cycles 3,5
fhec "without a folder" 2 "expected a folder behind the colon" run "${k[@]}" --trace=accelsim:
fhec "with others" 2 "only --trace-kernel and --trace-launch go with it" run "${k[@]}" --trace=accelsim:"$tmp/o" --trace-lane 3
fhec "without it" 2 "are of --trace=accelsim:DIR" run "${k[@]}" --trace-xz
fhec "another name" 2 'hmma' run "${k[@]}" --trace=accelsim:"$tmp/o" --trace-fhec=hmma
fhec "a file where the folder would be" 4 "$tmp/x.bin" run "${k[@]}" --trace=accelsim:"$tmp/x.bin"
done_testing
