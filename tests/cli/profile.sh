#!/usr/bin/env bash
# --profile: counters of lines and instructions against formulas, over several launches and kernels,
# with several host threads, on the workload commands and `fhec test`; the listing, JSON, and what
# callgrind_annotate and genhtml make of the other formats.
. "$(dirname "$0")/../tools/tap.sh"

# Every width of shared and global memory at a distance of `stride` words, pairs of words, ...
cat >"$tmp/strides.sass" <<'EOF'
.target sm_80
.kernel strides
.param x, 8
.param stride, 4
.shared room, 17000
    S2R R0, SR_LANEID ;
    IMAD R1, R0, stride, RZ ;
    SHF.L.U32 R4, R1, 0x2, RZ ;
    SHF.L.U32 R5, R1, 0x3, RZ ;
    SHF.L.U32 R6, R1, 0x4, RZ ;
    MOV R2, x ;
    MOV R3, x+4 ;
    IADD3 R8, P0, R2, R4, RZ ;
    IADD3.X R9, R3, RZ, RZ, P0, !PT ;
    IADD3 R10, P0, R2, R5, RZ ;
    IADD3.X R11, R3, RZ, RZ, P0, !PT ;
    IADD3 R12, P0, R2, R6, RZ ;
    IADD3.X R13, R3, RZ, RZ, P0, !PT ;
    LDS R16, [R4] ;
    LDS.64 R16, [R5] ;
    LDS.128 R16, [R6] ;
    STS [R4], R20 ;
    STS.64 [R5], R20 ;
    STS.128 [R6], R20 ;
    LDSM.16.M88.4 R16, [R6] ;
    LDS R16, [RZ] ;
    LDS.128 R16, [RZ] ;
    ATOMS.ADD RZ, [R4], R0 ;
    LDG.E R16, [R8.64] ;
    LDG.E.64 R16, [R10.64] ;
    LDG.E.128 R16, [R12.64] ;
    STG.E [R8.64+0x10], R20 ;
    LDG.E R16, [R2.64] ;
    LDGSTS.E.BYPASS.128 [R6], [R12.64] ;
    RED.E.ADD.STRONG.GPU [R8.64], R0 ;
    EXIT ;
.end
EOF
head -c 20000 /dev/zero >"$tmp/x.bin"
for stride in $(seq 1 33); do
    "$FHEC" run "$tmp/strides.sass" --grid 3 --block 64 --inout x="$tmp/x.bin" --arg stride="$stride" \
        --profile "$tmp/$stride.json" --profile-format json || not_ok "stride $stride"
done
check "sectors, passes and conflicts of strides 1 to 33 follow their formulas" python3 - "$tmp" <<'EOF'
import json, sys
from math import gcd
for s in range(1, 34):
    (kernel,) = json.load(open(f"{sys.argv[1]}/{s}.json"))["kernels"]
    at = {i["line"]: i for i in kernel["instructions"]}
    warps = 6
    def shared(line, passes, least):
        i = at[line]
        got = [i[k] for k in ("shared_requests", "shared_passes", "bank_conflicts")]
        assert got == [warps, warps * passes, warps * (passes - least)], (s, line, i["text"], got)
    def sectors(line, count, ideal):
        i = at[line]
        got = [i[k] for k in ("global_requests", "global_sectors", "global_ideal_sectors")]
        assert got == [warps, warps * count, warps * ideal], (s, line, i["text"], got)
    for first in (19, 22):
        shared(first, gcd(s, 32), 1)
        shared(first + 1, 2 * gcd(s, 16), 2)
        shared(first + 2, 4 * gcd(s, 8), 4)
    shared(25, 4 * gcd(s, 8), 4)
    shared(26, 1, 1)
    shared(27, 2, 2)
    shared(28, gcd(s, 32), 1)
    for line, bits in ((29, 32), (30, 64), (31, 128)):
        room = 256 // bits
        sectors(line, 31 * s // room + 1 if s < room else 32, bits // 8)
    sectors(32, len({(4 * s * i + 16) // 32 for i in range(32)}), 4)
    sectors(33, 1, 1)
    sectors(34, 31 * s // 2 + 1 if s < 2 else 32, 16)
    shared(34, 4 * gcd(s, 8), 4)
    sectors(35, 31 * s // 8 + 1 if s < 8 else 32, 4)
    assert kernel["warp"] == 31 * warps and kernel["thread"] == 32 * 31 * warps
    assert kernel["classes"] == {k: sum(i["warp"] for i in kernel["instructions"] if i["class"] == k)
                                 for k in kernel["classes"]}
EOF

# ---- the listing: a conflict of 32 ways in a macro, lanes that part, two launches of two kernels
cat >"$tmp/bank.sass" <<'EOF'
.target sm_80
.macro COLUMN reg
    LDS \reg, [R8+0x4] ;
.endm
.kernel bank
.param x, 8
.shared room, 4224
    S2R R0, SR_TID.X ;
    MOV R1, 0x4 ;
    IMAD.WIDE.U32 R2, R0, R1, x ;
    IMAD R8, R0, 0x80, RZ ;
    LDG.E R5, [R2.64] ;
    COLUMN R6
    ISETP.LT.U32.AND P0, PT, R0, 0x5, PT ;
@P0 BRA low ;
    IADD3 R5, R5, R6, RZ ;
low:
    STG.E [R2.64], R5 ;
    EXIT ;
.end
.kernel other
    NOP ;
    EXIT ;
.end
.kernel never
    NOP ;
    EXIT ;
.end
EOF
head -c 128 /dev/zero >"$tmp/y.bin"
bank=(run "$tmp/bank.sass" -k bank --grid 1 --block 32 --inout x="$tmp/y.bin")
fhec "the listing" 0 "kernel bank: 2 launches, 2 blocks, 64 threads
  22 warp instructions, 640 thread instructions: 29.09 lanes on average
  shared memory: 2 requests, 64 passes, 62 of them by bank conflicts (96.9 %)
  divergences: 2; operands from registers kept for reuse: 0
  registers live: 5 at most
bank.sass:3 (in macro COLUMN, from
pc 0050: LDS R6, [R8+0x4]
    62 passes more than without; 32 ways in bank 1 in block 0,0,0, warp 0:
      lane 0 at 0x4, lane 1 at 0x84, lane 2 at 0x104, lane 3 at 0x184, ...
      2   9.1  32.0    5                            64      62           3 0050 |     LDS \\reg, [R8+0x4] ;
      2   9.1   5.0    4                                           2    15 0070 | @P0 BRA low ;
kernel other: 1 launch, 7 blocks, 7 threads" "${bank[@]}" --profile - --then -k other --grid 7 --block 1 \
    --then -k bank --grid 1 --block 32
same "kernels that were not launched are not listed" "$(grep -c never <<<"$said")" 0
fhec "a fault: what ran before it" 3 "" run "$tmp/strides.sass" --grid 1 --block 32 \
    --inout x="$tmp/x.bin" --arg stride=1000 --profile "$tmp/fault.json" --profile-format=json
check "is in the profile" python3 - "$tmp/fault.json" <<'EOF'
import json, sys
(kernel,) = json.load(open(sys.argv[1]))["kernels"]
assert not kernel["complete"] and kernel["instructions"][12]["warp"] == 1
assert kernel["instructions"][14]["warp"] == 0
EOF

# ---- several threads, and the workload commands
for map in fhec16 cuda32; do
    "$FHEC" ntt --n 4096 --limbs 3 --map "$map" --threads 1 --profile "$tmp/one" --profile-format=json 2>/dev/null
    "$FHEC" ntt --n 4096 --limbs 3 --map "$map" --threads 3 --profile "$tmp/three" --profile-format=json \
        --stats=json >"$tmp/stats" 2>/dev/null
    check "$map: the same with three host threads" cmp "$tmp/one" "$tmp/three"
    check "$map: counts are those of --stats" python3 - "$tmp/one" "$tmp/stats" <<'EOF'
import json, sys
kernels, stats = json.load(open(sys.argv[1]))["kernels"], json.load(open(sys.argv[2]))
assert sum(k["warp"] for k in kernels) == stats["warp_insts"]
assert sum(k["thread"] for k in kernels) == stats["thread_insts"]
assert sum(k["launches"] for k in kernels) == stats["launches"]
EOF
done
fhec "bconv" 0 "kernel " bconv --n 256 --limbs 2,3 --profile -
fhec "eltwise" 0 "kernel " eltwise add --n 256 --profile -
fhec "ckks" 0 "kernel " ckks rescale --logn 8 --profile -
fhec "bigint" 0 "kernel " bigint mul --words 8 --count 4 --profile -

# ---- callgrind
"$FHEC" "${bank[@]}" --profile "$tmp/callgrind.out" --profile-format=callgrind
if command -v callgrind_annotate >/dev/null 2>&1; then
    said=$(cd "$tmp" && callgrind_annotate --auto=yes callgrind.out 2>&1)
    same "callgrind_annotate says nothing against it" "$(grep -ci 'warning\|error' <<<"$said")" 0
    check "finds the totals" grep -qE '^11 \(100.0%\) +320 \(100.0%\).* 31 \(100.0%\) +1 \(100.0%\).*PROGRAM TOTALS' <<<"$said"
    check "the kernel" grep -qE '^11 .*bank.sass:bank' <<<"$said"
    check "and the line of the conflict" grep -qE '^1 .*31 \(100.0%\).*LDS .reg' <<<"$said"
else
    skip "callgrind_annotate" "valgrind is not installed"
fi

# ---- calls: two warps; f is called from two places and calls g, `inner` is a label of the kernel
cat >"$tmp/calls.sass" <<'EOF'
.target sm_80
.kernel main
.param out, 8
    MOV R4, RZ ;
    MOV R20, 32@lo(one) ;
    MOV R21, 32@hi(one) ;
    CALL.ABS.NOINC f ;
one:
    MOV R20, 32@lo(two) ;
    MOV R21, 32@hi(two) ;
    CALL.ABS.NOINC f ;
two:
    MOV R20, 32@lo(three) ;
    MOV R21, 32@hi(three) ;
    CALL.REL.NOINC inner ;
three:
    EXIT ;
inner:
    IADD3 R4, R4, 0x1, RZ ;
    IADD3 R4, R4, 0x1, RZ ;
    RET.ABS.NODEC R20 0x0 ;
.end
.function f
    MOV R22, 32@lo(back) ;
    MOV R23, 32@hi(back) ;
    CALL.ABS.NOINC g ;
back:
    IADD3 R4, R4, 0x1, RZ ;
    RET.ABS.NODEC R20 0x0 ;
.end
.function g
    IADD3 R4, R4, 0x2, RZ ;
    IADD3 R4, R4, 0x2, RZ ;
    IADD3 R4, R4, 0x2, RZ ;
    RET.ABS.NODEC R22 0x0 ;
.end
EOF
cat >"$tmp/again.sass" <<'EOF'
.target sm_80
.kernel main
.param out, 8
    MOV R4, 0x5 ;
    MOV R20, 32@lo(one) ;
    MOV R21, RZ ;
    CALL.REL.NOINC down ;
one:
    EXIT ;
down:
    IADD3 R4, R4, -0x1, RZ ;
    ISETP.EQ.U32.AND P0, PT, R4, RZ, PT ;
@P0 RET.ABS.NODEC R20 0x0 ;
    CALL.REL.NOINC down ;
    EXIT ;
.end
EOF
"$FHEC" run "$tmp/calls.sass" --grid 1 --block 64 --out out=:4 --profile "$tmp/calls.out" --profile-format=callgrind
"$FHEC" run "$tmp/again.sass" --grid 1 --block 32 --out out=:4 --profile "$tmp/again.out" --profile-format=callgrind
if command -v callgrind_annotate >/dev/null 2>&1; then
    said=$(callgrind_annotate --tree=both --inclusive=yes "$tmp/calls.out" "$tmp/again.out" 2>&1)
    same "says nothing against calls" "$(grep -ci 'warning\|error' <<<"$said")" 0
    for file in calls again; do
        callgrind_annotate --tree=both --inclusive=yes "$tmp/$file.out" | tr -s ' ' |
            sed -n '/Auto-annotated/q; s/ \[\]$//; s/^ *\([0-9,]*\)[ (].* \([*<>]\) [^ ]*sass:\(.*\)/\1 \2 \3/p' >"$tmp/$file.tree"
    done
    # f: 2 x 2 calls of 5 + 4 instructions; g: 4 of 4; inner: 2 of 3; the kernel's own: 2 x 11.
    same "what functions took with what they called, and for whom" "$(cat "$tmp/calls.tree")" "64 * main
36 > f (4x)
6 > main+0xb0 (2x)
36 < main (4x)
36 * f
16 > g (4x)
16 < f (4x)
16 * g
6 < main (2x)
6 * main+0xb0"
    # 5 times round: 3 instructions and, but for the last time, the call.
    same "recursion is counted once" "$(cat "$tmp/again.tree")" "24 * main
19 > main+0x50 (1x)
19 < main (1x)
0 < main+0x50 (4x)
19 * main+0x50
0 > main+0x50 (4x)"
fi

# ---- fhec test, lcov
cat >"$tmp/cover.sass" <<'EOF'
.target sm_80
.kernel cover
.param x, 8
.param n, 4
.test case small kernel cover grid 1 block 32
.test arg n 5
.test inout x u32[4] zeros
.test expect x values 0,0,0,0
.test case other kernel cover grid 2 block 64
.test arg n 6
.test inout x u32[4] zeros
.test expect x values 0,0,0,0
    MOV R0, n ;
    ISETP.LT.U32.AND P0, PT, R0, 0x9, PT ;
@P0 BRA done ;
    IADD3 R0, R0, 0x1, RZ ;
done:
    EXIT ;
.end
.kernel never
    EXIT ;
.end
EOF
for jobs in 1 3; do
    fhec "fhec test, $jobs at once" 0 "2 passed, 0 failed" test "$tmp/cover.sass" --jobs "$jobs" \
        --profile "$tmp/cover.$jobs" --profile-format=lcov
done
check "is the same however many cases run at once" cmp "$tmp/cover.1" "$tmp/cover.3"
same "lines that ran, that did not, and a kernel that was not launched" "$(cat "$tmp/cover.1")" "TN:
SF:$tmp/cover.sass
FN:13,cover
FN:21,never
FNDA:2,cover
FNDA:0,never
FNF:2
FNH:1
DA:13,5
DA:14,5
DA:15,5
DA:16,0
DA:18,5
DA:21,0
LF:6
LH:4
end_of_record"
if command -v genhtml >/dev/null 2>&1; then
    check "genhtml makes pages of it" genhtml -q "$tmp/cover.1" -o "$tmp/html"
    check "with the counts" grep -qE '66\.7' "$tmp/html/index.html"
else
    skip "genhtml" "lcov is not installed"
fi

# ---- mistakes
fhec "a format alone" 2 "--profile-format needs --profile FILE" "${bank[@]}" --profile-format=json
fhec "no such format" 2 "callgrind" "${bank[@]}" --profile - --profile-format=xml
fhec "nothing to profile" 2 "--map golden runs no kernel" ntt --n 64 --map golden --profile -
fhec "one file for two things" 2 "y.bin" "${bank[@]}" --profile "$tmp/y.bin"
fhec "no kernel of that name" 2 "" run "$tmp/bank.sass" -k banc --grid 1 --block 32 --profile "$tmp/none"
absent "no profile of nothing" "$tmp/none"
done_testing
