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
done_testing
