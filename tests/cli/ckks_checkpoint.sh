#!/usr/bin/env bash
# fhec ckks bootstrap, lr and resnet --checkpoint: killed at any time and started again until they end,
# they print what an execution without interruptions prints, counts and all bits of the precision;
# Ctrl-C saves; what is damaged or of something else is refused. lr, and a bootstrap without
# verification, with FHEC_TEST_LONG only.
. "$(dirname "$0")/../tools/tap.sh"

if grep -qa __asan_init "$FHEC"; then
    skip "checkpoints" "too slow with a sanitizer to be killed several times"
    done_testing
fi
boot=(ckks bootstrap --preset small --seed 5 --continue --stats=json)
alike() { # alike A B: the same but for the seconds
    diff <(grep -v '"wall_s"' "$1") <(grep -v '"wall_s"' "$2")
}

# Kills the tool some time after its next save, until it ends by itself; then it is in $got.
killed() { # killed FOLDER COMMAND...
    local folder=$1 pid kills=0 before
    shift
    while :; do
        before=$(stat -c %i%Y%s "$folder/checkpoint" 2>/dev/null)
        "$FHEC" "$@" --checkpoint "$folder" --checkpoint-every 0 >"$tmp/got" 2>>"$tmp/said" &
        pid=$!
        while kill -0 $pid 2>/dev/null && [ "$before" = "$(stat -c %i%Y%s "$folder/checkpoint" 2>/dev/null)" ]; do
            sleep 0.02
        done
        sleep "0.$((RANDOM % 10))$((RANDOM % 10))"
        if [ $kills -lt 4 ] && kill -9 $pid 2>/dev/null; then
            kills=$((kills + 1))
            cp "$folder/checkpoint" "$tmp/last"
        fi
        wait $pid 2>/dev/null
        case $? in 137) ;; 0) break ;; *) cat "$tmp/said"; return 1 ;; esac
    done
    echo "killed $kills times"
    [ $kills -ge 1 ]
}
interrupted() { # interrupted STEPS COMMAND...: all its steps
    local steps=$1 name="${*:3}"
    shift
    "$FHEC" "$@" >"$tmp/whole" 2>/dev/null
    : >"$tmp/said"
    check "$name: killed and started again" killed "$tmp/folder" "$@"
    check "$name: the same precision and counts" alike "$tmp/whole" "$tmp/got"
    check "$name: it said where it went on" \
        grep -qE "folder: goes on before step [0-9]+ of $steps" "$tmp/said"
    same "$name: nothing is left" "$(ls "$tmp/folder")" ""
}
applications=(resnet)
[ -z "${FHEC_TEST_LONG:-}" ] || applications+=("lr --iterations 2")
for application in "${applications[@]}"; do
    # shellcheck disable=SC2086 # words
    interrupted "[0-9]+" ckks $application --logn 10 --no-verify --stats=json
done
[ -z "${FHEC_TEST_LONG:-}" ] || interrupted 580 "${boot[@]}" --no-verify
interrupted 580 "${boot[@]}"

# Ctrl-C: the last primitive is saved, whatever the time between saves.
said=$(python3 "$(dirname "$0")/../tools/interrupt.py" "$FHEC" "${boot[@]}" --no-verify --checkpoint "$tmp/stopped")
same "Ctrl-C ends it" "${said##*$'\n'}" "status 130"
check "and leaves a checkpoint" test -s "$tmp/stopped/checkpoint"
fhec "which goes on" 0 "goes on before step" "${boot[@]}" --no-verify --checkpoint "$tmp/stopped"

# Verified until it was killed: without verification that is something else.
mkdir "$tmp/other"
again() { # again NAME STATUS TEXT OPTIONS...: with the checkpoint of the last kill
    local name=$1 status=$2 text=$3
    shift 3
    cp "$tmp/last" "$tmp/other/checkpoint"
    fhec "$name" "$status" "$text" "${boot[@]}" --checkpoint "$tmp/other" "$@"
    check "$name: it stays" cmp "$tmp/last" "$tmp/other/checkpoint"
}
of="is of something else: bootstrap, preset small, N = 2^10, map fhec16, seed 5, with other parameters"
again "another seed" 2 "$of" --seed 6
again "another map" 2 "$of" --map cuda32
again "other parameters" 2 "$of" --correction 11
again "another message" 2 "$of" --message i
again "no verification" 2 "$of" --no-verify
damage() { # damage NAME TEXT PYTHON
    python3 -c "import sys; b = bytearray(open(sys.argv[1], 'rb').read()); $3; open(sys.argv[2], 'wb').write(b)" \
        "$tmp/last" "$tmp/other/checkpoint"
    fhec "$1" 2 "$tmp/other/checkpoint is damaged: $2" "${boot[@]}" --checkpoint "$tmp/other"
}
hash="its contents do not have the hash at its end"
damage "a bit of a value" "$hash" "b[len(b) // 2] ^= 1"
damage "a bit of the counts" "$hash" "b[300] ^= 1"
damage "cut off" "$hash" "del b[-5:]"
damage "nearly empty" "it is too short" "del b[20:]"
fhec "a file for a folder" 4 "cannot make the folder $tmp/said/x" "${boot[@]}" --checkpoint "$tmp/said/x"
fhec "a folder in none" 4 "cannot make the folder" "${boot[@]}" --checkpoint "$tmp/none/there"
said=$(flock "$tmp/other" "$FHEC" "${boot[@]}" --checkpoint "$tmp/other" 2>&1)
same "somebody else has the folder" \
    "$? $(grep -c "$tmp/other: another process has its checkpoints here" <<<"$said")" "2 1"
said=$(ulimit -f 100 && "$FHEC" "${boot[@]}" --no-verify --checkpoint "$tmp/full" --checkpoint-every 0 2>&1)
same "no room" "$? $(grep -c "cannot write $tmp/full/checkpoint.new: File too large" <<<"$said")" "4 1"
done_testing
