#!/usr/bin/env bash
# Steps of fhec debug end at stops on their way, of the focus' own warp too, forwards and backwards.
# Counts by hand: a warp issues 5 instructions, then 4 in each round (the macro's two, the comparison,
# the branch); the second warp begins behind the first.
. "$(dirname "$0")/../tools/tap.sh"

cat >"$tmp/loop.sass" <<'X'
.kernel loop
.param out, 8
.macro ADVANCE
  IADD3 R2, R2, R3, RZ ;
  IADD3 R3, R3, 0x1, RZ ;
.endm
  S2R R0, SR_TID.X ;
  MOV R7, 0x4 ;
  IMAD.WIDE R4, R0, R7, out ;
  MOV R2, RZ ;
  MOV R3, RZ ;
top:
  ADVANCE
  ISETP.LT.AND P0, PT, R3, 0x64, PT ;
  @P0 BRA top ;
  STG.E [R4.64], R2 ;
  EXIT ;
.end
X
# Lanes 0 to 15 go through `low`, the others through `high`; all meet at the end.
cat >"$tmp/parts.sass" <<'X'
.kernel parts
.param out, 8
  S2R R0, SR_TID.X ;
  ISETP.LT.AND P0, PT, R0, 0x10, PT ;
  BSSY B0, together ;
  @P0 BRA low ;
high:
  MOV R1, 0x2 ;
  BRA together ;
low:
  MOV R1, 0x1 ;
together:
  BSYNC B0 ;
  MOV R4, out ;
  MOV R5, out+4 ;
  STG.E [R4.64], R1 ;
  MOV R5, 0x10 ;
  STG.E [R4.64], R1 ;
  EXIT ;
.end
X
# steps NAME KERNEL STATUS WANTED COMMANDS...: the places that a batch comes to, one after another
steps() {
    local name=$1 kernel=$2 status=$3 wanted=$4
    shift 4
    printf '%s\n' "$@" >"$tmp/script"
    "$FHEC" debug "$tmp/$kernel.sass" --grid 1 --block 64 --out out="$tmp/out:256" $check --batch \
        -x "$tmp/script" >"$tmp/said" 2>&1
    same "$name: status" "$?" "$status"
    same "$name" "$(grep -oE '^stop [0-9]+|instruction [0-9]+, block \(0,0,0\) warp [0-9]|C021' "$tmp/said" |
        sed 's/, block (0,0,0)//; s/instruction //' | tr '\n' '|')" "$wanted"
}
check=
steps "a step of many ends at a breakpoint of its own warp" loop 0 \
    "stop 1|5 warp 0|stop 1|9 warp 0|stop 1|13 warp 0|" 'break label top' 'step 100' 'step 100' continue
steps "the last step may be the one that comes there" loop 0 \
    "4 warp 0|stop 1|5 warp 0|stop 1|9 warp 0|" 'break label top' 'step 4' step continue
steps "not where it begins" loop 0 "stop 1|5 warp 0|6 warp 0|8 warp 0|" 'break label top' continue step \
    'step 2'
steps "lines, too, and within a macro" loop 0 "stop 1|6 warp 0|stop 1|10 warp 0|" 'break 5' \
    'next 50' 'next 50'
steps "and out of a macro" loop 0 "6 warp 0|stop 1|7 warp 0|" 'break op ISETP' 'step 6' finish
steps "conditions and hits that are ignored count" loop 0 "stop 1|25 warp 0|stop 1|33 warp 0|" \
    'break label top if R3 >= 5' 'step 100' 'ignore 1 1' 'step 100'
steps "behind an access that is watched" loop 0 "stop 1|11 warp 0|" 'watch R3 in w0 l0 if value == 2' \
    'step 100'
steps "another warp's breakpoint" loop 0 "stop 1|407 warp 1|" 'break pc 0x0 in w1' 'step 5000'
steps "a fault" parts 3 "12 warp 0|" 'step 100'
same "which is the stop" "$(grep -c 'out of bounds' "$tmp/said")" 1
steps "groups of lanes that take turns" parts 0 "0 warp 0|4 warp 0|stop 1|6 warp 0|" 'focus l3' 'break label low' \
    'step 4' step
steps "the other group's" parts 0 "0 warp 0|stop 1|4 warp 0|" 'focus l3' 'break label high' 'step 20'
steps "back to the last one" loop 0 "40 warp 0|stop 1|37 warp 0|stop 1|33 warp 0|32 warp 0|" \
    'goto 40' 'break label top' 'reverse-step 30' 'reverse-step 4' reverse-step
steps "back by lines" loop 0 "40 warp 0|stop 1|38 warp 0|stop 1|34 warp 0|" 'goto 40' 'break 5' \
    'reverse-next 9' 'reverse-next 9'
steps "back to before an access that is watched" loop 0 "40 warp 0|stop 1|38 warp 0|stop 1|34 warp 0|" \
    'goto 40' 'watch R3 in w0 l0' 'reverse-step 30' 'reverse-step 30'
steps "back by counts, over the other warp" loop 0 "500 warp 1|stop 1|401 warp 0|" 'goto 500' \
    'break label top in w0' 'reverse-count 450'
steps "without stops as far as was asked for" loop 0 "40 warp 0|10 warp 0|" 'goto 40' 'reverse-step 30'

cat >"$tmp/race.sass" <<'X'
.kernel race
.param out, 8
.shared words, 256
  S2R R0, SR_TID.X ;
  SHF.L.U32 R1, R0, 0x2, RZ ;
  STS [R1], R0 ;
  LOP3.LUT R2, R1, 0x80, RZ, 0x3c, !PT ;
  LDS R3, [R2] ;
  MOV R7, 0x4 ;
  IMAD.WIDE R4, R0, R7, out ;
  STG.E [R4.64], R3 ;
  EXIT ;
.end
X
check=--check=race
steps "findings of checkers, which are all told at the end" race 3 \
    "9 warp 1|stop 1|C021|11 warp 1|12 warp 1|stop 1|C021|13 warp 1|stop 1|C021|11 warp 1|C021|C021|" \
    'catch finding' 'step 100' 'step 100' step 'step 7' 'reverse-step 2'
done_testing
