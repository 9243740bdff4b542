#!/usr/bin/env bash
# fhec cuda: what is told of kernels, launches and ranges, also of a program that does not come to its
# own end. A launch of the kernel is two instructions of each warp.
. "$(dirname "$0")/../tools/tap.sh"
. "$(dirname "$0")/../tools/cuda_driver.sh"

cuda_libraries "reports of CUDA programs"
cuda_program tests/cuda/programs/ranges.c "$tmp/ranges"
printf '.kernel two\n    MOV R0, 7 ;\n    EXIT ;\n.end\n' | "$FHEC" as - -o "$tmp/two.cubin"

# told END [OPTION...]: what is told, without the seconds, which differ.
told() {
    local end=$1
    shift
    "$FHEC" cuda "$@" -- "$tmp/ranges" "$tmp/two.cubin" "$end" 2>&1 >"$tmp/said" |
        sed -E 's/, [0-9.]+ s$//; s/( +[0-9]+ +[0-9]+ +[0-9]+) +[0-9]+\.[0-9]{3}/\1/'
}

# Warps: 1; twice 6, 2, 5; 1. Lanes: 32; twice 192, 33, 160; 32.
kernels=" launches     warp insts     thread insts    seconds  kernel
        8             56             1668  two
        8             56             1668  together"
# launches, instructions, entered
ranges=" launches     warp insts     thread insts    seconds    entered  range
        4             32              900          2  HEMult
        2              8              132          2    Library: NTT
        2             20              640          2  Library: NTT
        1              2               64          1  é€😀
        0              0                0          1    Library: 
        0              0                0          1      Library: NTT"
same "kernels" "$(told exit --kernels)" "$kernels"
same "how deep pushes and pops say that a domain's ranges are" "$(cat "$tmp/said")" "0 1 1 0 0 -2 "
same "ranges, nested" "$(told exit --ranges)" "$ranges
$kernels"
same "launches, where the range changes" "$(told exit --launches | head -12)" \
    "launch 1: two<<<(1, 1, 1), (32, 1, 1), 0>>>: 2 warp insts
in HEMult:
launch 2: two<<<(3, 1, 1), (64, 1, 1), 0>>>: 12 warp insts
in HEMult > Library: NTT:
launch 3: two<<<(1, 1, 1), (33, 1, 1), 0>>>: 4 warp insts
in Library: NTT:
launch 4: two<<<(5, 1, 1), (32, 1, 1), 0>>>: 10 warp insts
in HEMult:
launch 5: two<<<(3, 1, 1), (64, 1, 1), 0>>>: 12 warp insts
in HEMult > Library: NTT:
launch 6: two<<<(1, 1, 1), (33, 1, 1), 0>>>: 4 warp insts
in Library: NTT:"
same "work that waits in streams is the range's in which it was asked for" \
    "$(told exit --ranges --seed-machine 3)" "$ranges
$kernels"

"$FHEC" cuda --stats=json --report "$tmp/report" -- "$tmp/ranges" "$tmp/two.cubin" >"$tmp/said"
check "as JSON" python3 - "$tmp/report" <<'END'
import json, sys
r = json.load(open(sys.argv[1]))
assert r["version"] == 1
def flat(ranges, depth=0):
    for x in ranges:
        yield (depth, x["range"], x["domain"], x["entered"], x["launches"], x["warp_insts"], x["thread_insts"])
        yield from flat(x["ranges"], depth + 1)
assert list(flat(r["ranges"])) == [
    (0, "HEMult", "", 2, 4, 32, 900), (1, "NTT", "Library", 2, 2, 8, 132), (0, "NTT", "Library", 2, 2, 20, 640),
    (0, "é€😀", "", 1, 1, 2, 64), (1, "", "Library", 1, 0, 0, 0), (2, "NTT", "Library", 1, 0, 0, 0)], r["ranges"]
assert [x["number"] for x in r["ranges"]] == [1, 3, 4]
assert [x.get("range") for x in r["launches"]] == [None, 1, 2, 3, 1, 2, 3, 4]
assert [(k["kernel"], k["launches"], k["opcodes"]["EXIT"]["warp"], k["opcodes"]["MOV"]["thread"])
        for k in r["kernels"]] == [("two", 8, 28, 834)]
END

for end in "_exit:5:has ended by _exit" "abort:134:was ended by signal 6 (Aborted)" \
    "kill:137:was ended by signal 9 (Killed)"; do
    IFS=: read -r how status words <<<"$end"
    same "ranges of a program that ends by $how" "$(told "$how" --ranges | sed 1d)" \
        "$ranges
$kernels"
    fhec "and how it ended, and its status" "$status" "fhec cuda: $tmp/ranges $words; until then:" \
        cuda --kernels -- "$tmp/ranges" "$tmp/two.cubin" "$how"
    "$FHEC" cuda --kernels --report "$tmp/report" -- "$tmp/ranges" "$tmp/two.cubin" "$how" \
        >"$tmp/said" 2>&1
    same "to a file" "$(grep -c together "$tmp/report")" 1
    same "nothing that nobody asked for" "$("$FHEC" cuda -- "$tmp/ranges" "$tmp/two.cubin" "$how" 2>&1)" \
        "0 1 1 0 0 -2 "
done
same "a process that the program forks tells nothing" "$(told fork --kernels)" "$kernels"

# Two programs, of which the first is killed; and two that come to their ends.
# shellcheck disable=SC2016 # the inner shell's
several='"$0" "$1" "$2"; "$0" "$1"'
same "two programs, the first one killed" \
    "$("$FHEC" cuda --kernels -- sh -c "$several" "$tmp/ranges" "$tmp/two.cubin" kill 2>&1 |
        grep -c together)" 2
same "two programs" "$("$FHEC" cuda --kernels -- sh -c "$several" "$tmp/ranges" "$tmp/two.cubin" exit 2>&1 |
    grep -c "^ *8 .*together")" 2
done_testing
