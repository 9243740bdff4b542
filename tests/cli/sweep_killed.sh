#!/usr/bin/env bash
# fhec sweep when things die: runs, the sweep itself, ranks under mpirun, the disk. After a restart the
# file has what that of an undisturbed sweep has.
. "$(dirname "$0")/../tools/tap.sh"

if [[ $("$FHEC" sweep 2>&1) == *"built without SQLite"* ]]; then
    skip "fhec sweep" "built without SQLite"
    done_testing
fi
cat >"$tmp/plan.json" <<'END'
{"command": ["ntt"], "options": {"no-verify": true, "n": 4096, "limbs": 2},
 "grid": {"map": ["fhec16", "cuda32"], "seed": {"from": 1, "to": 20}}}
END
export points=40
results() { # results DB: what does not depend on time and luck
    "$FHEC" sweep "$tmp/plan.json" --db "$1" --no-run --format csv \
        --columns map,seed,state,status,warp_insts,thread_insts 2>/dev/null
}
# How many results a file has, without opening it as a sweep does; with a number, as soon as there are
# so many, for half a minute at most.
count() { # count DB [LEAST]
    python3 - "$@" <<'END'
import sqlite3, sys, time
have, end = 0, time.time() + 30
while True:
    try:
        db = sqlite3.connect("file:%s?mode=ro" % sys.argv[1], uri=True, timeout=30)
        have = db.execute("SELECT count(*) FROM runs").fetchone()[0]
        db.close()
    except sqlite3.OperationalError:
        pass
    if have >= int((sys.argv + [0])[2]) or time.time() > end:
        break
    time.sleep(0.005)
print(have)
END
}
sound() { # sound DB: SQLite finds no damage
    python3 -c 'import sqlite3, sys
print(sqlite3.connect(sys.argv[1], timeout=30).execute("PRAGMA integrity_check").fetchone()[0])' "$1"
}
fhec "undisturbed" 0 "$points points: 0 known before, $points run now" \
    sweep "$tmp/plan.json" --db "$tmp/wanted.db"
results "$tmp/wanted.db" >"$tmp/wanted"

# ---- the sweep, at random times

for round in 1 2 3; do
    "$FHEC" sweep "$tmp/plan.json" --db "$tmp/killed.db" 2>/dev/null &
    count "$tmp/killed.db" $((8 * round)) >/dev/null
    sleep "0.0$((RANDOM % 10))"
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
done
had=$(count "$tmp/killed.db")
[ "$had" -ge 24 ] && ok "three sweeps that were killed left $had results" ||
    not_ok "three sweeps that were killed left results" "$had of them"
same "the file is sound" "$(sound "$tmp/killed.db")" ok
fhec "what they left is not run again" 0 "$points points: $had known before, $((points - had)) run now" \
    sweep "$tmp/plan.json" --db "$tmp/killed.db"
check "the results are those of an undisturbed sweep" diff "$tmp/wanted" <(results "$tmp/killed.db")

# ---- runs

"$FHEC" sweep "$tmp/plan.json" --db "$tmp/runs.db" -j 2 --attempts 100 2>"$tmp/said" &
sweep=$!
count "$tmp/runs.db" 1 >/dev/null # before that its child is asked what options there are
killed=0
while kill -0 "$sweep" 2>/dev/null && [ "$killed" -lt 30 ]; do
    for run in $(pgrep -P "$sweep"); do
        kill -9 "$run" 2>/dev/null && killed=$((killed + 1))
    done
    sleep 0.0$((RANDOM % 9 + 1))
done
wait "$sweep"
same "runs that are killed are repeated ($killed signals): status" "$?" 0
check "their results are those of an undisturbed sweep" diff "$tmp/wanted" <(results "$tmp/runs.db")
repeated=$("$FHEC" sweep --db "$tmp/runs.db" --format csv --columns attempts 2>/dev/null |
    awk 'NR > 1 && $1 > 1' | wc -l)
[ "$repeated" -gt 0 ] && ok "$repeated of them say so" || not_ok "some say so" "$killed signals"

# A command that is always killed: by its limit of processor time, which is no mistake of its own.
cat >"$tmp/heavy.json" <<'END'
{"command": ["ntt"], "options": {"n": 65536, "limbs": 64, "engine": "ref"}, "grid": {"map": ["cuda32"]}}
END
(ulimit -S -t 1; exec "$FHEC" sweep "$tmp/heavy.json" --db "$tmp/heavy.db" --attempts 2 2>"$tmp/said")
same "a run that is killed each time has failed" "$?" 1
same "it was tried as often as it was said" \
    "$("$FHEC" sweep --db "$tmp/heavy.db" --format csv --columns state,signal,attempts 2>/dev/null)" \
    "state,signal,attempts"$'\n'"failed,24,2"

# ---- Ctrl-C

"$FHEC" sweep "$tmp/plan.json" --db "$tmp/stopped.db" -j 1 2>"$tmp/said" &
sweep=$!
count "$tmp/stopped.db" 4 >/dev/null
runs=$(pgrep -P "$sweep")
kill -TERM "$sweep"
wait "$sweep"
same "an interrupted sweep: status" "$?" 130
grep -q "interrupted; the same command goes on" "$tmp/said" && ok "it says how to go on" ||
    not_ok "it says how to go on" "$(cat "$tmp/said")"
left=
for run in $runs; do kill -0 "$run" 2>/dev/null && left+=" $run"; done
same "no run is left" "$left" ""
"$FHEC" sweep "$tmp/plan.json" --db "$tmp/stopped.db" 2>/dev/null
check "it went on" diff "$tmp/wanted" <(results "$tmp/stopped.db")

# ---- two at once

"$FHEC" sweep "$tmp/plan.json" --db "$tmp/two.db" -j 1 2>"$tmp/said" &
sweep=$!
count "$tmp/two.db" 2 >/dev/null
fhec "a second sweep on the same file" 4 "another sweep writes $tmp/two.db: process $sweep of " \
    sweep "$tmp/plan.json" --db "$tmp/two.db"
fhec "whoever only looks need not wait" 0 "seed" \
    sweep "$tmp/plan.json" --db "$tmp/two.db" --no-run --format csv
wait "$sweep"
same "the first one is not disturbed" "$?" 0
check "its results are complete" diff "$tmp/wanted" <(results "$tmp/two.db")

# ---- ranks

# The module that fhec loads under mpirun, built where it is missing and can be. Open MPI does not free
# all that it has at the end.
ranks() { # ranks N ARGUMENTS...
    local count=$1 as=()
    shift
    [ "$(id -u)" != 0 ] || as=(--allow-run-as-root)
    ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 timeout 120 mpirun "${as[@]}" --oversubscribe -n "$count" "$FHEC" "$@"
}
module=${FHEC%/*}/fhec_mpi.so
if command -v mpirun >/dev/null && command -v mpicc >/dev/null &&
    { [ -e "$module" ] ||
        "${MAKE:-make}" -s O="${FHEC%/*}" MPI=1 "${module#"$PWD"/}" >"$tmp/said" 2>&1; } &&
    ranks 2 sweep --help >"$tmp/said" 2>&1; then
    ranks 3 sweep "$tmp/plan.json" --db "$tmp/ranks.db" 2>"$tmp/said"
    same "three ranks: status" "$?" 0
    grep -q "$points points: 0 known before, $points run now, 0 failed" "$tmp/said" &&
        ok "rank 0 tells" || not_ok "rank 0 tells" "$(cat "$tmp/said")"
    check "their results are those of one process" diff "$tmp/wanted" <(results "$tmp/ranks.db")
    # A worker, then the manager, in the middle: Open MPI ends the others.
    had=0
    for victim in 2 0; do
        ranks 3 sweep "$tmp/plan.json" --db "$tmp/lost.db" >"$tmp/said" 2>&1 &
        count "$tmp/lost.db" $((had + 4)) >/dev/null
        for process in $(pgrep -x -f "$FHEC sweep $tmp/plan.json --db $tmp/lost.db"); do
            tr '\0' '\n' 2>/dev/null <"/proc/$process/environ" |
                grep -qx "OMPI_COMM_WORLD_RANK=$victim" && kill -9 "$process"
        done
        wait $!
        status=$?
        had=$(count "$tmp/lost.db") # all of them: it was faster than the signal
        [ $status != 0 ] || [ "$had" = $points ] && ok "rank $victim is killed: mpirun fails" ||
            not_ok "rank $victim is killed: mpirun fails" "status $status with $had results"
        [ "$had" -ge 4 ] && ok "$had results are kept" || not_ok "results are kept" "$had"
    done
    ranks 2 sweep "$tmp/plan.json" --db "$tmp/lost.db" 2>"$tmp/said"
    same "the sweep goes on: status" "$?" 0
    grep -q "$points points: $had known before" "$tmp/said" && ok "with what was kept" ||
        not_ok "with what was kept" "$(cat "$tmp/said")"
    check "and comes to the same end" diff "$tmp/wanted" <(results "$tmp/lost.db")
    ranks 2 sweep "$tmp/none.json" --db "$tmp/none.db" >"$tmp/said" 2>&1
    grep -c "cannot read $tmp/none.json" "$tmp/said" >"$tmp/lines"
    same "a plan that is not there is told once" "$(cat "$tmp/lines")" 1
    mkdir "$tmp/alone"
    cp "$FHEC" "$tmp/alone/fhec"
    FHEC=$tmp/alone/fhec ranks 2 sweep "$tmp/plan.json" --db "$tmp/none.db" >"$tmp/said" 2>&1
    grep -q "this fhec has no MPI: build it with .make MPI=1. " "$tmp/said" &&
        ok "a fhec without MPI says so" || not_ok "a fhec without MPI says so" "$(cat "$tmp/said")"
else
    skip "ranks" "no mpirun, or fhec_mpi.so does not build: $(tail -n 1 "$tmp/said" 2>/dev/null)"
fi

# ---- no room

limited() { # limited BLOCKS OF 1024 BYTES, ARGUMENTS: files may have no more
    (ulimit -f "$1"; shift; exec "$FHEC" "$@" >"$tmp/said" 2>&1)
}
limited 64 sweep "$tmp/plan.json" --db "$tmp/full.db"
same "a file that may not grow: status" "$?" 4
grep -q "cannot write $tmp/full.db: .*no room for it" "$tmp/said" && ok "it says so" ||
    not_ok "it says so" "$(cat "$tmp/said")"
had=$(count "$tmp/full.db")
[ "$had" -gt 0 ] && [ "$had" -lt "$points" ] && ok "$had results are kept" ||
    not_ok "results are kept" "$had"
same "the file is sound then, too" "$(sound "$tmp/full.db")" ok
fhec "with room it goes on" 0 "$points points: $had known before" \
    sweep "$tmp/plan.json" --db "$tmp/full.db"
check "and comes to the same" diff "$tmp/wanted" <(results "$tmp/full.db")
mkdir "$tmp/disk"
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=128k fhec-sweep "$tmp/disk" 2>/dev/null; then
    trap 'umount "$tmp/disk" 2>/dev/null; rm -rf "$tmp"' EXIT
    "$FHEC" sweep "$tmp/plan.json" --db "$tmp/disk/full.db" >"$tmp/said" 2>&1
    same "a full disk: status" "$?" 4
    grep -q "no room for it on the disk" "$tmp/said" && ok "a full disk: message" ||
        not_ok "a full disk: message" "$(cat "$tmp/said")"
    had=$(count "$tmp/disk/full.db")
    mount -o remount,size=4m "$tmp/disk"
    fhec "with more room it goes on" 0 "$points points: $had known before" \
        sweep "$tmp/plan.json" --db "$tmp/disk/full.db"
    check "to the same end" diff "$tmp/wanted" <(results "$tmp/disk/full.db")
    umount "$tmp/disk"
else
    skip "a full disk" "no file system may be mounted here"
fi
done_testing
