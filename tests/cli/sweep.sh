#!/usr/bin/env bash
# fhec sweep: results beside those of single runs, what is known is not run again, outputs, merging,
# Slurm's script, and what is refused before anything runs.
. "$(dirname "$0")/../tools/tap.sh"

said=$("$FHEC" sweep 2>&1)
if [[ $said == *"built without SQLite"* ]]; then
    skip "fhec sweep" "built without SQLite"
    done_testing
fi
plan() { cat >"$tmp/$1.json"; } # plan NAME <<TEXT
csv() { # csv ARGUMENTS...: columns that do not depend on time
    "$FHEC" sweep "$@" --format csv 2>/dev/null
}

# ---- running

plan small <<'END'
{"title": "A <sweep> & more", "command": ["ntt"], "options": {"no-verify": true, "seed": "3"},
 "grid": {"map": ["fhec16", "cuda32"], "n": {"from": 256, "to": 1024, "factor": 2}}}
END
fhec "all points run" 0 "6 points: 0 known before, 6 run now, 0 failed, 0 to be run" \
    sweep "$tmp/small.json" --db "$tmp/small.db"
wanted="map,n,warp_insts,opcodes.EXIT.warp"
for map in fhec16 cuda32; do
    for n in 256 512 1024; do
        wanted+=$'\n'"$map,$n,"$("$FHEC" ntt --map "$map" --n "$n" --seed 3 --stats=json 2>/dev/null |
            python3 -c 'import json, sys
s = json.load(sys.stdin); print(s["warp_insts"], s["opcodes"]["EXIT"]["warp"], sep=",")')
    done
done
same "results are those of single runs, in the order of the plan" \
    "$(csv "$tmp/small.json" --db "$tmp/small.db" --columns map,n,warp_insts,opcodes.EXIT.warp)" "$wanted"
fhec "what is known is not run again" 0 "6 points: 6 known before, 0 run now" \
    sweep "$tmp/small.json" --db "$tmp/small.db" -j 2
fhec "--list" 0 "ok     this fhec ntt --map=fhec16 --n=256 --no-verify --seed=3 --stats=json --threads=1" \
    sweep "$tmp/small.json" --db "$tmp/small.db" --list
fhec "--list without a file of results" 0 "new    this fhec ntt --map=cuda32 --n=1024" \
    sweep "$tmp/small.json" --db "$tmp/none.db" --list
absent "it makes none" "$tmp/none.db"
done_testing
