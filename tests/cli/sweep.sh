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

# ---- grids

plan grid <<'END'
{"blocks": [
  {"command": ["eltwise", "$op"], "options": {"n": 256},
   "grid": {"op": ["add", "mul"], "limbs": [1, 2, 3],
            "width": [{"map": "cuda32", "bits": 30}, {"map": "cuda64", "bits": 60}]},
   "exclude": [{"map": "cuda64", "limbs": {"from": 2}}, {"op": "mul", "limbs": [1, 3]}]},
  {"command": ["ntt"], "grid": {"n": [256, 512], "limbs": {"from": 1, "to": 5, "step": 2}},
   "only": [{"n": 512, "limbs": {"to": 3}}, {"limbs": 5}]}],
 "exclude": [{"n": 256, "limbs": 5}]}
END
same "grids, conditions, words and settings" "$("$FHEC" sweep "$tmp/grid.json" --db "$tmp/g.db" --list |
    sed 's/^new    this fhec //; s/ --stats=json.*//')" "\
eltwise add --bits=30 --limbs=1 --map=cuda32 --n=256
eltwise add --bits=60 --limbs=1 --map=cuda64 --n=256
eltwise add --bits=30 --limbs=2 --map=cuda32 --n=256
eltwise add --bits=30 --limbs=3 --map=cuda32 --n=256
eltwise mul --bits=30 --limbs=2 --map=cuda32 --n=256
ntt --limbs=1 --n=512
ntt --limbs=3 --n=512
ntt --limbs=5 --n=512"
same "a share" "$("$FHEC" sweep "$tmp/grid.json" --db "$tmp/part.db" --share 1/3 2>&1)" \
    "fhec sweep: 3 points: 0 known before, 3 run now, 0 failed, 0 to be run"
fhec "what another file knows" 0 "8 points: 3 known before, 5 run now" \
    sweep "$tmp/grid.json" --db "$tmp/rest.db" --known "$tmp/part.db"
fhec "files merged" 0 "8 results added, 0 were there" \
    sweep --merge --db "$tmp/all.db" "$tmp/part.db" "$tmp/rest.db"
fhec "merged again" 0 "0 results added, 8 were there" \
    sweep --merge --db "$tmp/all.db" "$tmp/part.db" "$tmp/rest.db"
"$FHEC" sweep "$tmp/grid.json" --db "$tmp/g.db" 2>/dev/null
same "together they are what one sweep has" "$(csv "$tmp/grid.json" --db "$tmp/all.db" --no-run \
    --columns command,map,limbs,warp_insts)" \
    "$(csv "$tmp/grid.json" --db "$tmp/g.db" --columns command,map,limbs,warp_insts)"

# ---- failures

plan fails <<'END'
{"command": ["ntt"], "grid": {"n": [256, 300]}}
END
fhec "a point that fails" 1 "2 points: 0 known before, 2 run now, 1 failed
failed: fhec ntt --n=300: exit status 2: fhec ntt: error: " \
    sweep "$tmp/fails.json" --db "$tmp/fails.db"
fhec "it is kept" 1 "2 known before, 0 run now, 1 failed" sweep "$tmp/fails.json" --db "$tmp/fails.db"
fhec "--retry" 1 "1 known before, 1 run now, 1 failed" sweep "$tmp/fails.json" --db "$tmp/fails.db" --retry
same "what is known of it" "$(csv --db "$tmp/fails.db" --columns n,state,status,reason --where state=failed)" \
    "n,state,status,reason
300,failed,2,exit status 2"
plan slow <<'END'
{"command": ["ckks", "hemult"], "options": {"map": "cuda32"}}
END
fhec "a run that takes too long" 1 "ended after 0.2 s" \
    sweep "$tmp/slow.json" --db "$tmp/slow.db" --timeout 0.2
printf '%s\n' '.kernel k' 'EXIT ;' '.end' >"$tmp/k.sass"
plan source <<END
{"command": ["run", "$tmp/k.sass"], "options": {"grid": 1, "block": 32}}
END
plan repeated <<END
{"command": ["run", "$tmp/k.sass"],
 "options": {"grid": 1, "block": 32, "define": {"repeat": ["A=1", "B=2"]}}}
END
fhec "an option that is repeated" 0 "--block=32 --define=A=1 --define=B=2 --grid=1" \
    sweep "$tmp/repeated.json" --db "$tmp/none.db" --list
fhec "a kernel" 0 "1 run now" sweep "$tmp/source.json" --db "$tmp/source.db"
fhec "it is known" 0 "1 known before" sweep "$tmp/source.json" --db "$tmp/source.db"
printf '%s\n' '.kernel k' 'NOP ;' 'EXIT ;' '.end' >"$tmp/k.sass"
fhec "when it changes it is another one" 0 "0 known before, 1 run now" \
    sweep "$tmp/source.json" --db "$tmp/source.db"
same "both are kept" "$(csv --db "$tmp/source.db" --columns warp_insts | sort | tr '\n' ' ')" "1 2 warp_insts "

# ---- builds: the same executable is the same build; another one is not

cp "$FHEC" "$tmp/fhec"
plan builds <<END
{"builds": {"plain": "this", "mine": "$tmp"}, "command": ["ntt"], "options": {"n": 256}}
END
fhec "one executable twice" 2 "builds.json:1:38: builds.mine: this is the same executable as \"plain\"" \
    sweep "$tmp/builds.json" --db "$tmp/builds.db"
printf x >>"$tmp/fhec"
fhec "another executable" 0 "2 points: 0 known before, 2 run now" \
    sweep "$tmp/builds.json" --db "$tmp/builds.db"
same "builds are a column" "$(csv "$tmp/builds.json" --db "$tmp/builds.db" --columns build,n)" \
    "build,n
plain,256
mine,256"

# ---- outputs

"$FHEC" sweep "$tmp/small.json" --db "$tmp/small.db" --format json --out "$tmp/small.out" 2>/dev/null
check "JSON has everything" python3 - "$tmp/small.out" <<'END'
import json, sys
rows = json.load(open(sys.argv[1]))
assert len(rows) == 6
for row in rows:
    assert row["command"] == ["ntt"] and row["options"]["seed"] == 3
    assert row["options"]["no-verify"] is True and row["state"] == "ok" and row["status"] == 0
    assert row["stats"]["warp_insts"] == sum(o["warp"] for o in row["stats"]["opcodes"].values())
    assert row["seconds"] > 0 and row["peak_kib"] > 1000 and len(row["hash"]) == 32
END
check "JSON of columns has these" python3 - "$(
    "$FHEC" sweep --db "$tmp/small.db" --format json --columns n,stats.warp_insts,nothing 2>/dev/null)" <<'END'
import json, sys
rows = json.loads(sys.argv[1])
assert all(list(row) == ["n", "stats.warp_insts", "nothing"] for row in rows)
assert all(row["stats.warp_insts"] > 0 and row["nothing"] is None for row in rows)
END
fhec "a column that is misspelt" 0 'no result has anything in the column "warp_inst"' \
    sweep --db "$tmp/small.db" --format csv --columns n,warp_inst
same "CSV quotes what needs it" "$(csv --db "$tmp/fails.db" --columns n,command,stderr --where n=300 |
    python3 -c 'import csv, sys
rows = list(csv.reader(sys.stdin)); print(len(rows), rows[1][:2], "error" in rows[1][2])')" \
    "2 ['300', 'ntt'] True"
fhec "a table" 0 "map        n  state  warp_insts 
seconds  peak_kib
fhec16  1024     ok " sweep "$tmp/small.json" --db "$tmp/small.db" --format table
fhec "--where" 0 "256     ok        1442" sweep --db "$tmp/small.db" --format table --where map=cuda32 --where n=256,512
same "it leaves two" "$(grep -c ' ok ' <<<"$said")" 2
fhec "a plot" 0 "" sweep "$tmp/small.json" --db "$tmp/small.db" --plot "$tmp/small.svg" --x n
check "its lines and axes" python3 - "$tmp/small.svg" <<'END'
import re, sys, xml.dom.minidom
text = open(sys.argv[1]).read()
xml.dom.minidom.parseString(text)
lines = [l for l in re.findall(r'<polyline[^>]*points="([^"]*)"', text) if len(l.split()) == 3]
assert len(lines) == 2, lines
for wanted in ("A &lt;sweep&gt; &amp; more", ">fhec16<", ">cuda32<", "warp instructions<",
               "N (coefficients), logarithmic", ">256<", ">512<", ">1024<"):
    assert wanted in text, wanted
xs = [float(p.split(",")[0]) for p in lines[0].split()]
assert abs((xs[1] - xs[0]) - (xs[2] - xs[1])) < 0.2, xs # sizes that double are as far apart
END
fhec "a plot of two values at one place" 2 "at n = 256 the line \"ok\" would have two values of warp_insts" \
    sweep "$tmp/small.json" --db "$tmp/small.db" --plot "$tmp/none.svg" --x n --series=state
fhec "a plot of nothing" 2 "none of 6 results has numbers for both map and warp_insts" \
    sweep "$tmp/small.json" --db "$tmp/small.db" --plot "$tmp/none.svg" --x map
absent "no drawing is left" "$tmp/none.svg"

# ---- what is wrong is said before anything runs, with its place

wrong() { # wrong NAME MESSAGE: the plan on stdin is refused with this after its name
    plan wrong
    fhec "$1" 2 "fhec sweep: error: $tmp/wrong.json:$2" sweep "$tmp/wrong.json" --db "$tmp/wrong.db"
}
wrong "no JSON" "2:0: '}' expected near end of file" <<<'{"command": ["ntt"]'
wrong "a member twice" "1:" <<<'{"command": ["ntt"], "command": ["ntt"]}'
wrong "no object" "1:1: a plan is an object" <<<'["ntt"]'
wrong "nothing to run" '1:1: a plan has a "command", or "blocks" with one each' <<<'{"title": "x"}'
wrong "an unknown member" '1:33: optoins: this is no member of a plan here; did you mean "options"?' \
    <<<'{"command": ["ntt"], "optoins": {"n": 256}}'
wrong "an unknown member of a block" '2:34: blocks[0].girds: this is no member of a plan here' \
    <<<'{"blocks": [
   {"command": ["ntt"], "girds": {}}]}'
wrong "a command that is no list" '1:13: command: expected a list of words' <<<'{"command": "ntt"}'
wrong "an option among the words" '1:21: command[1]: options belong to "options"' \
    <<<'{"command": ["ntt", "--n=256"]}'
wrong "a command that none is" '1:13: command: fhec: error: no command is called "nttt"' \
    <<<'{"command": ["nttt"]}'
wrong "a command that is nothing for it" '1:14: command[0]: `fhec lsp` is nothing to sweep over' \
    <<<'{"command": ["lsp"]}'
wrong "a misspelt option" '2:44: grid.limbz: `fhec ntt` has no option "limbz"; did you mean "limbs"?' \
    <<<'{"command": ["ntt"],
  "options": {"n": 256}, "grid": {"limbz": [1, 2]}}'
wrong "an option without its value" '1:39: options.n: "n" of `fhec ntt` takes a value' \
    <<<'{"command": ["ntt"], "options": {"n": true}}'
wrong "a value of an option without one" '1:45: options.inverse: "inverse" of `fhec ntt` takes no value' \
    <<<'{"command": ["ntt"], "options": {"inverse": 3}}'
wrong "an empty list" '1:36: grid.n: an empty list leaves no point' \
    <<<'{"command": ["ntt"], "grid": {"n": []}}'
wrong "one value in the grid" '1:36: grid.n: expected a list of values, or a range' \
    <<<'{"command": ["ntt"], "grid": {"n": 256}}'
wrong "a list in the options" '1:39: options.n: one value is expected here; several belong to "grid"' \
    <<<'{"command": ["ntt"], "options": {"n": [1]}}'
wrong "nothing to repeat" '1:39: options.n: expected {"repeat": [...]} with values' \
    <<<'{"command": ["ntt"], "options": {"n": {"repeat": []}}}'
wrong "a value twice" '1:42: grid.n[1]: this value is there twice: 256' \
    <<<'{"command": ["ntt"], "grid": {"n": [256, "256"]}}'
wrong "a range of nothing" '1:36: grid.n: from 9 to 8 there is no value' \
    <<<'{"command": ["ntt"], "grid": {"n": {"from": 9, "to": 8}}}'
wrong "a range with two steps" '1:36: grid.n: a range has "from", "to", and "step" or "factor"' \
    <<<'{"command": ["ntt"], "grid": {"n": {"from": 1, "to": 8, "step": 1, "factor": 2}}}'
wrong "a factor of one" '1:36: grid.n: a step is 1 at least, a factor 2' \
    <<<'{"command": ["ntt"], "grid": {"n": {"from": 1, "to": 8, "factor": 1}}}'
wrong "a range with a fraction" '1:45: grid.n.from: expected a whole number' \
    <<<'{"command": ["ntt"], "grid": {"n": {"from": 1.5, "to": 8}}}'
wrong "too many points" '1:30: grid: these are more than 1000000 points' \
    <<<'{"command": ["ntt"], "grid": {"n": {"from": 1, "to": 2000}, "limbs": {"from": 1, "to": 2000}}}'
wrong "an option in two places" '1:59: grid.n: "n" gets a value in two places' \
    <<<'{"command": ["ntt"], "options": {"n": 256}, "grid": {"n": [1]}}'
wrong "a word without values" '1:25: command[1]: the grid has no values "op"' \
    <<<'{"command": ["eltwise", "$op"], "options": {"n": 256}}'
wrong "a point in two blocks" '3:3: blocks[1]: a point is there twice: fhec ntt --n=512' <<<'{"blocks": [
  {"command": ["ntt"], "grid": {"n": [256, 512]}},
  {"command": ["ntt"], "grid": {"n": [512, 1024]}}]}'
wrong "a condition on nothing" '1:71: exclude[0].mpa: no point has an option or word "mpa"; did you mean "map"?' \
    <<<'{"command": ["ntt"], "grid": {"map": ["cuda32"]}, "exclude": [{"mpa": "cuda32"}]}'
wrong "a condition that is a value" '1:47: only[0]: expected a condition such as' \
    <<<'{"command": ["ntt"], "grid": {}, "only":     [5]}'
wrong "nothing left" '1:1: "only" and "exclude" leave no point' \
    <<<'{"command": ["ntt"], "options": {"n": 256}, "exclude": [{"n": 256}]}'
wrong "a build that is not there" '1:21: builds.mine: there is no no/such; `make ISA=FILE.isa O=FOLDER`' \
    <<<'{"builds": {"mine": "no/such"}, "command": ["ntt"]}'
wrong "a build without a name" "1:59: blocks[0].builds[0]: the plan's \"builds\" has no such name" \
    <<<'{"blocks": [{"command": ["ntt"], "builds":               ["x"]}]}'
wrong "a file that is not there" '1:32: files[0]: no/such cannot be read' \
    <<<'{"command": ["ntt"], "files": ["no/such"]}'
absent "no plan that is wrong makes a file" "$tmp/wrong.db"
small=(sweep "$tmp/small.json" --db "$tmp/small.db")
fhec "no file of results" 2 "which file has the results?" sweep "$tmp/small.json"
fhec "no plan" 2 "which plan?" sweep --db "$tmp/small.db"
fhec "two plans" 2 "one plan at a time" "${small[@]}" "$tmp/small.json"
fhec "a plan that is not there" 4 "cannot read $tmp/no.json" sweep "$tmp/no.json" --db "$tmp/small.db"
fhec "results that are not there" 2 "cannot read $tmp/no.db" sweep --db "$tmp/no.db" --format csv
fhec "a share that is none" 2 "--share 3/3: expected I/N" "${small[@]}" --share 3/3
fhec "no jobs" 2 "--jobs 0: expected a number" "${small[@]}" -j 0
fhec "a limit that is none" 2 "--timeout -1: expected seconds" "${small[@]}" --timeout=-1
fhec "an unknown form" 2 "expected one of table, csv, json" "${small[@]}" --format xml
fhec "a plot without x" 2 "--plot: which column is --x?" "${small[@]}" --plot "$tmp/none.svg"
fhec "x without a plot" 2 "go with --plot" "${small[@]}" --x n
fhec "columns without a form" 2 "--columns goes with --format" "${small[@]}" --columns n
fhec "two acts" 2 "do not go together" "${small[@]}" --list --no-run
fhec "nothing to merge" 2 "which files are to be added?" sweep --merge --db "$tmp/all.db"
fhec "a file that is no database" 4 "file is not a database" \
    sweep "$tmp/small.json" --db "$tmp/small.svg"
python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute("CREATE TABLE t (a)")' "$tmp/other.db"
fhec "a database of something else" 4 "holds no results of a sweep" "${small[@]:0:2}" --db "$tmp/other.db"
fhec "a folder that is not there" 4 "cannot write $tmp/no/such.db: No such file" \
    sweep "$tmp/small.json" --db "$tmp/no/such.db"

# ---- Slurm: a batch system of a few lines in its place

mkdir "$tmp/slurm" "$tmp/slurm/bin"
cat >"$tmp/slurm/bin/sbatch" <<'END'
#!/bin/sh
# Runs the array of a script at once, and a wrapped command.
for word; do
    case $word in --wrap) wrapped=1 ;; *) [ -z "${wrapped:-}" ] || { sh -c "$word"; exit; } ;; esac
    script=$word
done
last=$(sed -n 's/^#SBATCH --array=0-//p' "$script")
task=0
while [ "$task" -le "$last" ]; do
    cp "$script" "$0.spool"
    SLURM_ARRAY_TASK_ID=$task SLURM_CPUS_PER_TASK=1 sh "$0.spool" >>"$0.log" 2>&1 || exit
    task=$((task + 1))
done
echo "77;cluster"
END
chmod +x "$tmp/slurm/bin/sbatch"
fhec "--slurm" 0 "8 points in 3 tasks; submit them with \`sh '$tmp/slurm/it'\\''s.sh'\`" \
    sweep "$tmp/grid.json" --db "$tmp/slurm/out.db" --slurm "$tmp/slurm/it's.sh" --tasks 3 --timeout 60
check "the script is a shell's" sh -n "$tmp/slurm/it's.sh"
command -v shellcheck >/dev/null && check "shellcheck passes it" shellcheck "$tmp/slurm/it's.sh"
mv "$tmp/slurm/it's.sh" "$tmp/slurm/job.sh"
said=$(PATH="$tmp/slurm/bin:$PATH" sh "$tmp/slurm/job.sh" --partition none 2>&1)
same "it is submitted" "$(grep submitted <<<"$said")" "submitted job 77 and the merge behind it"
same "the tasks have shares" "$(sed 's/:.*//' "$tmp/slurm/bin/sbatch.log" | grep -c .)" 3
same "the results are those of one sweep" "$(csv "$tmp/grid.json" --db "$tmp/slurm/out.db" --no-run \
    --columns command,map,limbs,warp_insts)" \
    "$(csv "$tmp/grid.json" --db "$tmp/g.db" --columns command,map,limbs,warp_insts)"
rm "$tmp/slurm/bin/sbatch.log"
PATH="$tmp/slurm/bin:$PATH" sh "$tmp/slurm/job.sh" >/dev/null 2>&1
same "submitted again, nothing is run again" \
    "$(grep -c ' 0 run now' "$tmp/slurm/bin/sbatch.log")" 3
# A folder whose name is a shell's text: nothing of it runs, in tasks, the merge, or what is told.
odd="$tmp/slurm/it's'; touch owned; echo ' \$(touch owned) \`touch owned\`"
mkdir "$odd"
cp "$tmp/grid.json" "$odd"
tool=$(realpath "$FHEC")
(cd "$odd" && "$tool" sweep grid.json --db out.db --slurm job.sh --tasks 2) >/dev/null 2>&1
rm "$tmp/slurm/bin/sbatch.log"
said=$(cd "$odd" && PATH="$tmp/slurm/bin:$PATH" sh job.sh 2>&1)
same "in a folder with an apostrophe it is submitted" "$(grep submitted <<<"$said")" \
    "submitted job 77 and the merge behind it"
same "and merged" "$(csv "$tmp/grid.json" --db "$odd/out.db" --no-run --columns command,map,limbs,warp_insts)" \
    "$(csv "$tmp/grid.json" --db "$tmp/g.db" --columns command,map,limbs,warp_insts)"
same "the folder's name has run nothing" "$(find "$tmp/slurm" "$PWD" -maxdepth 2 -name owned)" ""
done_testing
