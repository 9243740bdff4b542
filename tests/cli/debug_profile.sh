#!/usr/bin/env bash
# fhec debug: `profile` counts one launch. A warp of `sums` issues 4 instructions, after which half of its
# lanes are left, 3 in each of n / 3 rounds, then 5.
. "$(dirname "$0")/../tools/tap.sh"

cat >"$tmp/sums.sass" <<'Y'
.kernel sums
.param out, 8
.param n, 4
  S2R R0, SR_TID.X ;
  MOV R2, RZ ;
  ISETP.GE.AND P1, PT, R0, 0x10, PT ;
  @P1 EXIT ;
top:
  IADD3 R2, R2, 0x3, RZ ;
  ISETP.LT.AND P0, PT, R2, n, PT ;
  @P0 BRA top ;
  ULDC.64 UR4, out ;
  MOV R4, UR4 ;
  MOV R5, UR5 ;
  STG.E [R4.64], R2 ;
  EXIT ;
.end
Y
sums=("$tmp/sums.sass" --grid 2 --block 32 --arg n=9 --out out="$tmp/out:4")

# profile NAME STATUS TEXT COMMANDS [ARGUMENTS...]: a batch; the lines of TEXT are all there, in which one blank
# is any number of them.
profile() {
    local name=$1 status=$2 text=$3 commands=$4 line got
    shift 4
    printf '%s\n' "$commands" >"$tmp/script"
    got=$("$FHEC" debug --batch -x "$tmp/script" "$@" 2>&1)
    same "$name: status" $? "$status"
    got=$(tr -s ' ' <<<"$got")
    while read -r line; do
        if grep -qF -- "$line" <<<"$got"; then ok "$name: $line"; else not_ok "$name: $line" "$got"; fi
    done <<<"$text"
}

# Of 2 * (4 + 3 * 3 + 5) = 36: 2 are 5.6 %, 6 are 16.7 %.
profile "a whole launch, from the middle of it" 0 "kernel sums: 1 launch, 2 blocks, 64 threads
36 warp instructions
2 5.6 32.0 0 4 0000 | S2R
6 16.7 16.0 1 9 0040 | IADD3" "step 3
profile" "${sums[@]}"
profile "up to a fault" 3 "out of bounds
16 warp instructions
3 18.8 16.0 1 9 0040 | IADD3
(a launch ended before its end)
0 0 16 00b0 | EXIT" "continue
profile" "${sums[@]}" --patch "sums+0x90 MOV R5, RZ"
small=(ckks hemult --logn 10 --limbs 3 --alpha 1 --dnum 3)
profile "another launch of a plan, here with a patch" 0 "kernel poly_inner: 1 launch, 4 blocks, 512 threads
kernel poly_inner: 1 launch, 4 blocks, 512 threads
launch 17" "profile 17
focus launch 17
patch NOP
profile" "${small[@]}"
profile "what is wrong" 2 "error: there are 1 launches" "profile 2" "${sums[@]}"
profile "no number" 2 'error: "x" is no number of a launch' "profile x" "${sums[@]}"
profile "at the end" 2 "error: no launch is under way: \`profile LAUNCH\`" "goto end
profile" "${sums[@]}"
done_testing
