#!/usr/bin/env bash
# The commands of fhec debug that show values: expressions, grids of lanes, memory, calls; and
# conditions of breakpoints.
. "$(dirname "$0")/../tools/tap.sh"

python3 - "$tmp" <<'EOF'
import struct, sys
with open(sys.argv[1] + "/x.bin", "wb") as f:
    f.write(b"".join(struct.pack("<I", 1000 + i) for i in range(32)))
EOF
cat >"$tmp/k.sass" <<'EOF'
.target sm_80
.kernel k
.param x, 8
.param n, 4
.equ HALF, 16
.reg value = R5
.shared room, 256
    S2R R0, SR_TID.X ;
    MOV R1, 0x4 ;
    IMAD.WIDE.U32 R2, R0, R1, x ;
    LDG.E value, [R2.64] ;
    SHF.L.U32 R6, R0, 0x2, RZ ;
    STS [R6], value ;
    ISETP.LT.U32.AND P1, PT, R0, HALF, PT ;
    IADD3 value, value, 0x1, RZ ;
    STG.E [R2.64], value ;
    EXIT ;
.end
EOF
# says NAME WANTED STATUS COMMAND... : the commands, and lines that their answer has.
says() {
    local name=$1 status=$2 wanted=$3
    shift 3
    printf '%s\n' "$@" >"$tmp/script"
    fhec "$name" "$status" "$wanted" debug "$tmp/k.sass" --grid 1 --block 32 --inout x="$tmp/x.bin" \
        --arg n=7 --batch -x "$tmp/script"
}
says "values of the focus' lane" 0 "R5 lane 3 = 0x3eb
value * 2 mod 17 lane 3 = 0x0
x[4] + n lane 3 = 0x3f3
R2:R3 == &x[lane] lane 3 = 1
HALF lane 3 = 16
shared[4] lane 3 = 0x3e9" 'break 15' continue 'focus l3' 'print R5' 'print value * 2 mod 17' \
    'print x[4] + n' 'print R2:R3 == &x[lane]' 'print HALF' 'print shared[4]'
says "which lanes" 0 "R5@* > 1029: lanes 0xc0000000 of 0xffffffff
P1@*: lanes 0x0000ffff of 0xffffffff" 'break 15' continue 'print R5@* > 1029' 'print P1@*'
says "at another place than the focus" 0 "R5 lane 9 = 1009" 'break 15' continue \
    'print /unsigned R5 l9'
says "addresses, formats" 0 "R2:R3 lane 5 = x[5]
R5 lane 5 = -4" 'break 15' continue 'focus l5' 'print /address R2:R3' 'print /mod:1009 R5'
says "a golden function" 0 "golden.add(x, x, 65537)[2] lane 0 = 0x7d4" 'break 15' \
    continue 'print golden.add(x, x, 65537)[2]'
says "a buffer as a table" 0 "[0]  1000 1001 1002 1003 1004 1005 1006 1007" 'x /unsigned x'
says "what has changed" 0 "R5 1000 1001
R5 1001*1002*" 'break 15' continue 'registers /unsigned R5' step 'registers /unsigned R5'
says "masks, banks, calls" 0 "P1 0x0000ffff  ######## ######## ........ ........
0x00000 1000 1001
#0 k+0x70, $tmp/k.sass:15" 'break 15' continue masks 'banks /unsigned 0 32' calls
says "a condition" 0 "lane 3" 'break 15 if n == 7' 'continue' 'focus l3' where 
says "one that holds nowhere" 0 "the end: all launches have ended" 'break 15 if R5 > 5000' 'continue'
says "what is wrong is said where" 2 "R5 + valeu
     ^
there is no \`valeu\`" 'break 15' continue 'print R5 + valeu'
done_testing
