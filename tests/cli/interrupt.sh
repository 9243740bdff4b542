#!/usr/bin/env bash
# Ctrl-C while kernels run: exit status 130, where every warp stood, no output; and the line that
# tells a terminal how far a launch is.
. "$(dirname "$0")/../tools/tap.sh"

cat >"$tmp/spin.sass" <<'END'
.target sm_80
.kernel K
.param out, 8
.test case endless grid 1 block 32
.test out out u32[16]
.test fault trap
S2R R0, SR_TID.X ;
ISETP.GE.AND P0, PT, R0, 0x20, PT ;
@P0 BRA wait ;
again: IADD3 R1, R1, 0x1, RZ ;
BRA again ;
wait: BAR.SYNC 0x0 ;
EXIT ;
.end
END

# Runs the tool and interrupts it when it has begun; its output, and then its exit status.
interrupted() { # interrupted ARGUMENT...
    python3 "$(dirname "$0")/../tools/interrupt.py" "$FHEC" "$@"
}

# fhec debug: what comes through a pipe goes on, a script ends.
debugged=(debug "$tmp/spin.sass" --grid 1 --block 32 --out "out=:64")
said=$(printf 'continue\necho behind\nreverse-count 9999999999\necho begin\n' | interrupted "${debugged[@]}")
same "fhec debug goes on behind Ctrl-C" "$(grep -cE '^(interrupted|behind|the beginning|begin)$' <<<"$said") ${said##*$'\n'}" \
    "4 status 0"
printf 'continue\necho behind\n' >"$tmp/script"
printf 'source %s\necho behind\n' "$tmp/script" >"$tmp/outer"
said=$(echo "echo more" | interrupted "${debugged[@]}" -x "$tmp/outer" -x "$tmp/script")
same "scripts do not" "$(grep -cE '^(interrupted|behind|more)$' <<<"$said") ${said##*$'\n'}" "2 status 130"
said=$(interrupted "${debugged[@]}" --batch -x "$tmp/outer" -x "$tmp/script")
same "nor does a batch" "$(grep -cE '^(interrupted|behind)$' <<<"$said") ${said##*$'\n'}" "1 status 130"

for how in "--threads 1" "--threads 2" "--engine ref --threads 1" "--threads 1 --stats"; do
    # shellcheck disable=SC2086 # the options are words
    said=$(interrupted run "$tmp/spin.sass" $how --grid 2 --block 64 --out out="$tmp/out.bin:64")
    same "$how: exit status" "${said##*$'\n'}" "status 130"
    grep -q "^fhec run: error: interrupted" <<<"$said" && ok "$how: message" || not_ok "$how: message" "$said"
    grep -qE '^  block \(0,0,0\), warp 0, lanes 0xffffffff at 0x00(30|40) of K  .*spin.sass:1[01]$' <<<"$said" &&
        ok "$how: a warp that runs" || not_ok "$how: a warp that runs" "$said"
    grep -q '^  block (0,0,0), warp 1, lanes 0xffffffff at 0x0050 of K, waiting at barrier 0 for 32 lanes' <<<"$said" &&
        ok "$how: a warp that waits" || not_ok "$how: a warp that waits" "$said"
    [ -e "$tmp/out.bin" ] && not_ok "$how: no output" || ok "$how: no output"
done

sed 's/^again: .*/.macro LOOP\nagain: IADD3 R1, R1, 0x1, RZ ;\n.endm\nLOOP/; s/^BRA again/LOOP2/; s/^\.target.*/&\n.macro LOOP2\nBRA again ;\n.endm/' \
    "$tmp/spin.sass" >"$tmp/macro.sass"
said=$(interrupted run "$tmp/macro.sass" --grid 1 --block 32 --out out="$tmp/out.bin:64")
grep -qE '  .*macro.sass:(14 \(in macro LOOP, from .*macro.sass:16\)|3 \(in macro LOOP2, from .*macro.sass:17\))$' <<<"$said" &&
    ok "in a macro" || not_ok "in a macro" "$said"

said=$(interrupted run "$tmp/spin.sass" --diag=json --grid 1 --block 32 --out out="$tmp/out.bin:64")
grep -q '"message": *"interrupted' <<<"$said" && ok "as JSON" || not_ok "as JSON" "$said"
same "as JSON: exit status" "${said##*$'\n'}" "status 130"
said=$(interrupted test "$tmp/spin.sass")
same "fhec test: exit status" "${said##*$'\n'}" "status 130"
grep -q "interrupted" <<<"$said" && ! grep -q passed <<<"$said" &&
    ok "fhec test: no verdict" || not_ok "fhec test: no verdict" "$said"

# What a workload command runs ends likewise; here the launch is one of many. It may be over before.
said=$(interrupted ntt --n 131072 --limbs 8 --map cuda64 --engine ref --no-verify --seed 1)
same "fhec ntt: exit status" "${said##*$'\n'}" "status 130"

if command -v script >/dev/null; then
    script -qec "timeout --preserve-status -s INT 3 $FHEC run $tmp/spin.sass --grid 3 --block 32 --threads 1 --out out=$tmp/out.bin:64" /dev/null </dev/null >"$tmp/said" 2>&1
    grep -qE 'running K ... [12] s 0 of 3 blocks, [0-9]+\.[0-9] M warp instructions/s' "$tmp/said" &&
        ok "progress on a terminal" || not_ok "progress on a terminal" "$(cat -v "$tmp/said")"
    sed 's/^again: .*/again: S2R R1, SR_CLOCKLO ;/' "$tmp/spin.sass" >"$tmp/clock.sass"
    script -qec "timeout --preserve-status -s INT 4 $FHEC run $tmp/clock.sass --grid 3 --block 32 --threads 1 --out out=$tmp/out.bin:64" /dev/null </dev/null >"$tmp/said" 2>&1
    grep -q 'they only wait, in loops that change memory or read clocks' "$tmp/said" &&
        ok "a launch that only waits" || not_ok "a launch that only waits" "$(cat -v "$tmp/said")"
else
    skip "progress on a terminal" "there is no script(1)"
fi
done_testing
