#!/usr/bin/env bash
# fhec time: machines of one's own and wrong ones, JSON and text; the same cycles on both engines, at
# every SIMD level and for any number of host threads. The experiments are in time_experiments.sh.
. "$(dirname "$0")/../tools/tap.sh"

cat >"$tmp/wrong.experiment" <<EOF
k.sass --kernel k --grid 1 --block 32 --machine gtx580 --steps 1,2 --cycles 19
k.sass --kernel k --grid 1 --block 32 --machine gtx580 --steps 1,2 --cycles 18
EOF
cat >"$tmp/k.sass" <<'EOF'
.target sm_80, fhec
.ifndef STEPS
.equ STEPS, 4
.endif
.kernel k
.rept STEPS
    FMUL R1, R1, R1 ;
.endr
    EXIT ;
.end
.kernel f
    UMOV UR4, 0x7 ;
    FHEC.16816.U32.U32 R8, R16.ROW, R24.COL, R8, UR4 ;
    EXIT ;
.end
EOF
fhec "what an experiment does not find is told, and the lines behind it run" 1 \
    "$tmp/wrong.experiment:1: error: 18 cycles; expected 19
2        --kernel k --grid 1 --block 32 --machine gtx580 --steps 1,2 --cycles 18: 18 cycles, as expected" \
    time --experiment "$tmp/wrong.experiment"

k=(time "$tmp/k.sass" --kernel k --grid 1 --block 64)
fhec "text" 0 "gtx580 (NVIDIA GTX 580) at 1544 MHz: 72 cycles
occupancy: 2 of 48 warps, 1 blocks, limited by the grid" "${k[@]}" --machine gtx580
# Four products 18 cycles apart; the result of the last one is there after 72.
got=$("$FHEC" "${k[@]}" --machine gtx580 --clock 1000 --format json | python3 -c '
import json, sys
d = json.load(sys.stdin)
print(d["cycles"], d["us"], d["clock_mhz"], d["warp_insts"], d["ipc"], d["occupancy"],
      sum(d["stalls"].values()) + d["slot"] * d["sm_warp_insts"] == 2 * d["cycles"],
      [i["issued"] for i in d["kernels"][0]["instructions"]])')
same "JSON" "$got" "72 0.072 1000 10 0.1389 0.0417 True [2, 2, 2, 2, 2]"

fhec "an instruction that the machine does not have" 2 \
    "machine a100 has no unit for FHEC.16816.U32.U32 (pipe extension), at 0x0010 of kernel f" \
    time "$tmp/k.sass" --kernel f --grid 1 --block 32
cat >"$tmp/mine.machine" <<'EOF'
machine mine A machine of one's own
like a100
unit core each
op FHEC on core latency 100
EOF
fhec "a machine of one's own" 0 "mine (A machine of one's own) at 1087.5 MHz" \
    time "$tmp/k.sass" --kernel f --grid 1 --block 32 --machine "$tmp/mine.machine"
echo 'op FADD on adder' >>"$tmp/mine.machine"
fhec "a wrong one" 2 "$tmp/mine.machine:5:12: error: there is no unit \"adder\" above
op FADD on adder" time "$tmp/k.sass" --kernel f --grid 1 --block 32 --machine "$tmp/mine.machine"
fhec "none" 2 'there is no machine and no file "a10"; did you mean "a100"?' "${k[@]}" --machine a10
fhec "no file" 4 "nothing.machine" "${k[@]}" --machine "$tmp/nothing.machine"
fhec "a wrong change" 2 "--change:1:4: error: the mnemonic is missing" "${k[@]}" --change "op "
fhec "a block that fits nowhere" 2 "holds not even one block of kernel k: registers" \
    "${k[@]}" --change "registers 32"
# The timeline has every instruction that the SM issued; dependent FHECs begin 44 cycles apart.
units=(time docs/timing/units.sass --kernel fhec --grid 1 --block 32 --machine a100+fhecore --define STEPS=9)
fhec "a timeline for trace viewers" 0 "13 warp instructions" "${units[@]}" --timeline "$tmp/line.json"
same "its events" "$(python3 - "$tmp/line.json" <<'END'
import json, sys
events = [e for e in json.load(open(sys.argv[1]))["traceEvents"] if e["ph"] == "X"]
begins = [round(1000 * e["ts"]) for e in events if e["name"].startswith("FHEC")]
print(len(events), {b - a for a, b in zip(begins, begins[1:])}, {round(1000 * e["dur"]) for e in events if e["cat"] == "tensor"})
END
)" "13 {44} {44}"
fhec "as a drawing" 0 "" "${units[@]}" --timeline "$tmp/line.svg"
check "which is XML" python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$tmp/line.svg"
fhec "a part of it" 0 "" "${units[@]}" --timeline "$tmp/part.json" --timeline-cycles 44,100
same "has what begins there" "$(python3 - "$tmp/line.json" "$tmp/part.json" <<'END'
import json, sys
whole, part = ([round(1000 * e["ts"]) for e in json.load(open(f))["traceEvents"] if e["ph"] == "X"] for f in sys.argv[1:])
print(part == [t for t in whole if 44 <= t < 100] and 0 < len(part) < len(whole))
END
)" True
fhec "in another form" 2 "expected a file .json or .svg" "${units[@]}" --timeline "$tmp/line.png"

# Roofs and points by the numbers of the machine and of the run.
fhec "a roofline" 0 "" "${units[@]}" --roofline "$tmp/roof.svg"
check "the drawing is XML with a point" python3 - "$tmp/roof.svg" <<'END'
import sys, xml.dom.minidom
assert xml.dom.minidom.parse(sys.argv[1]).getElementsByTagName("path")
END
"$FHEC" time docs/timing/units.sass --kernel ldg128 --out data=:65536 --grid 216 --block 256 -D STEPS=20 \
    --format json >"$tmp/roof.json"
check "its numbers" python3 - "$tmp/roof.json" <<'END'
import json, sys
t = json.load(open(sys.argv[1]))
k = t["kernels"][0]
roofs, r = t["roofs"], k["roofline"]
near = lambda a, b: abs(a / b - 1) < 1e-4
assert near(roofs["issue"], 108 * 4 * 1.0875) and near(roofs["HBM"], 1935 / 32)
assert near(roofs["L1"], 108 * 128 / 32 * 1.0875) and near(roofs["L2"], 5120 / 32 * 1.0875)
assert near(r["ginsts_per_s"], k["warp_insts"] / (k["cycles"] - k["launch_cycles"]) * 1.0875)
per = r["insts_per_sector"]
assert near(per["L1"], k["sm_warp_insts"] / k["memory"]["load_sectors"])
assert near(per["HBM"], k["warp_insts"] / (k["hbm_bytes"] / 32))
least = min((roofs[l] * per[l] for l in per if per[l]), default=1e9)
assert near(r["attainable"], min(least, roofs["issue"])) and r["ginsts_per_s"] <= r["attainable"]
END
fhec "a roofline in another form" 2 "expected a file .svg" "${units[@]}" --roofline "$tmp/roof.png"
"$FHEC" time docs/timing/units.sass --kernel ldg128 --out data=:65536 --grid 216 --block 256 -D STEPS=20 \
    --format callgrind >"$tmp/callgrind.out"
check "as callgrind: the same cycles by reason" python3 - "$tmp/callgrind.out" "$tmp/roof.json" <<'END'
import json, sys
t = json.load(open(sys.argv[2]))
lines = open(sys.argv[1]).read().split("\n")
events = next(l for l in lines if l.startswith("events:")).split()[1:]
rows = [list(map(int, l.split()[2:])) for l in lines if l.startswith("0x")]
sums = dict(zip(events, map(sum, zip(*rows))))
assert list(sums.values()) == list(map(int, next(l for l in lines if l.startswith("totals:")).split()[1:]))
assert sums["issue"] == t["sm_warp_insts"]
for i in t["kernels"][0]["instructions"]:
    for reason, cycles in i["stalls"].items():
        sums[reason] -= cycles
assert not any(v for k, v in sums.items() if k != "issue"), sums
END
head -c 3000 /dev/zero >"$tmp/zero.machine"
fhec "zeros" 2 "is no text" "${k[@]}" --machine "$tmp/zero.machine"

# Barriers, shared and global memory, a loop whose length depends on the warp, more blocks than there
# are multiprocessors.
cat >"$tmp/loop.sass" <<'EOF'
.target sm_80
.kernel loop
.param x, 8
.shared room, 1024
    S2R R0, SR_TID.X ;
    S2R R1, SR_CTAID.X ;
    IMAD R2, R1, 0x100, R0 ;
    MOV R4, x ;
    MOV R5, x+4 ;
    IMAD.WIDE.U32 R4, R2, 0x4, R4 ;
    LDG.E R6, [R4.64] ;
    SHF.R.U32.HI R7, RZ, 0x5, R0 ;
    IMAD.SHL.U32 R8, R0, 0x4, RZ ;
again:
    STS [R8], R6 ;
    BAR.SYNC 0x0 ;
    LDS R9, [R8] ;
    IADD3 R6, R6, R9, RZ ;
    BAR.SYNC 0x0 ;
    IADD3 R7, R7, 0x1, RZ ;
    ISETP.LT.U32.AND P0, PT, R7, 0x8, PT ;
    @P0 BRA again ;
    STG.E [R4.64], R6 ;
    EXIT ;
.end
EOF
loop=(time "$tmp/loop.sass" --grid 300 --block 256 --out x=:307200 --format json)
want=$("$FHEC" "${loop[@]}")
same "blocks of one multiprocessor" "$(grep -oE '"(blocks|sm_blocks|resident_warps)": [0-9]+' <<<"$want" | tr '\n' ' ')" \
    '"resident_warps": 24 "blocks": 300 "sm_blocks": 3 '
for how in "--engine ref" "--threads 1" "--threads 8" "--simd portable"; do
    # shellcheck disable=SC2086 # an option and its value
    same "the same with $how" "$("$FHEC" "${loop[@]}" $how)" "$want"
done

# --time of other commands.
fhec "fhec run --time" 0 "gtx580 (NVIDIA GTX 580) at 1544 MHz: 72 cycles" \
    run "$tmp/k.sass" --kernel k --grid 1 --block 64 --time=gtx580
fhec "fhec ntt --time" 0 "equal to the C reference
a100 (NVIDIA A100 80 GB) at 1087.5 MHz
kernel ntt_rows: 1 launches" ntt --n 4096 --limbs 2 --map cuda32 --time
fhec "JSON" 0 '{"machine": "a100+fhecore", "clock_mhz": 1087.5' \
    ntt --n 4096 --limbs 2 --bits 30 --map fhec16 --time=a100+fhecore --time-format json
fhec "a machine without its unit" 2 "machine a100 has no unit for FHEC" \
    ntt --n 4096 --limbs 2 --bits 30 --map fhec16 --time
fhec "the reference takes no time" 2 "--map golden runs no kernel" \
    ntt --n 4096 --limbs 2 --map golden --time
printf '%s\n' 'machine odd Odd' 'like a100' 'op FMULL on fma latency 9' 'pipe fmaa on fma latency 9' \
    'op MODADD on fma latency 9' 'pipe fma on fma latency 4' >"$tmp/odd.machine"
fhec "names of a machine that nothing has" 0 "odd.machine:3:4: warning: no instruction is called \"FMULL\"
odd.machine:4:6: warning: no pipe is called \"fmaa\"" "${k[@]}" --machine "$tmp/odd.machine"
same "and no others" "$(grep -c warning <<<"$said")" 2
for machine in a100 a100+fhecore a100+etc mi100 mi100+mod mi100+mod+wmac gtx580 gtx580+a gtx580+b; do
    fhec "$machine" 0 "" time "$tmp/k.sass" --kernel k --grid 1 --block 32 --machine $machine
    same "has no such name" "$(grep -c warning <<<"$said")" 0
done

# Accesses belong to the turn of a loop that makes them, not to one whose guard holds for no lane.
cat >"$tmp/turns.sass" <<'EOF'
.target sm_80
.kernel k
.param x, 8
    MOV R14, x ; MOV R15, x+4 ; MOV R9, 0x0 ;
again:
    ISETP.EQ.U32.AND P4, PT, R9, TURN, PT ;
@P4 LDG.E R50, [R14.64+0x1000] ;
    IADD3 R9, R9, 0x1, RZ ;
    ISETP.LT.U32.AND P2, PT, R9, 0x4, PT ;
@P2 BRA again ;
    EXIT ;
.end
EOF
# An LD whose lanes go to global, shared and local memory; loads and a barrier behind it.
cat >"$tmp/spaces.sass" <<'EOF'
.target sm_80
.kernel k
.param x, 8
.shared room, 16384
.local 256
    S2R R0, SR_TID.X ;
    MOV R10, x ; MOV R11, x+4 ; MOV R14, x ; MOV R15, x+4 ;
    ISETP.EQ.U32.AND P4, PT, R0, 0x2, PT ;
@P4 MOV R10, 0x40 ; @P4 MOV R11, 0x1 ;
    ISETP.EQ.U32.AND P4, PT, R0, 0x5, PT ;
@P4 MOV R10, 0x40 ; @P4 MOV R11, 0x2 ;
    LD.E R40, [R10.64] ;
    LDG.E R50, [R14.64+0x1000] ;
    BAR.SYNC 0x0 ;
    LDG.E R51, [R14.64+0x2000] ;
    EXIT ;
.end
EOF
head -c 16384 /dev/zero >"$tmp/zero.bin"
sectors() { # sectors PROGRAM ARGUMENTS...: of loads, timed as it runs and from its trace
    local program=$1 one two
    shift
    set -- --grid 1 --inout "x=$tmp/zero.bin" "$@"
    rm -rf "$tmp/turns"
    one=$("$FHEC" time "$program" "$@" --format json)
    "$FHEC" run "$program" "$@" --trace=accelsim:"$tmp/turns" >/dev/null
    two=$("$FHEC" time --from "$tmp/turns" --format json)
    printf '%s\n' "$one" "$two" | grep -o '"load_sectors": [0-9]*' | cut -d' ' -f2 | paste -sd' '
}
for turn in 0 1 3; do
    same "the load of turn $turn" "$(sectors "$tmp/turns.sass" --block 32 -D TURN=$turn)" "1 1"
done
# Of the first warp's LD one sector in each of global and local memory, of the others global only; two
# LDGs of each warp.
same "an instruction of several spaces" "$(sectors "$tmp/spaces.sass" --block 128)" "13 13"
done_testing
