#!/usr/bin/env bash
# fhec cuda: all that observers write at the end of a program is there however it ends, and is what a
# program has that ends by exit behind the same launches.
. "$(dirname "$0")/../tools/tap.sh"
. "$(dirname "$0")/../tools/cuda_driver.sh"

cuda_libraries "ends of CUDA programs"
cuda_program tests/cuda/programs/ranges.c "$tmp/ranges"
# P0 decides and nobody has written it: a finding. The other kernel ends after 2^32 rounds.
printf '%s\n' '.kernel two' '    @P0 EXIT ;' '    EXIT ;' '.end' '.kernel forever' '    MOV R0, RZ ;' 'again:' \
    '    IADD3 R0, R0, 1, RZ ;' '    ISETP.NE.AND P0, PT, R0, RZ, PT ;' '    @P0 BRA again ;' '    EXIT ;' '.end' | "$FHEC" as - -o "$tmp/two.cubin"

# ends END: runs with all kinds of observers; what they have written is in $tmp/END, seconds apart.
ends() {
    local end=$1 to=$tmp/$1 form
    mkdir "$to"
    for form in text json; do
        timeout 60 "$FHEC" cuda --stats --ranges --time --time-format="$form" --report "$to/report.$form" \
            --check --sarif "$to/sarif" --profile "$to/profile.$form" --profile-format "$form" \
            --trace --trace-file "$to/trace.$form" --trace-format "$form" \
            -- "$tmp/ranges" "$tmp/two.cubin" "$end" >"$to/said" 2>"$to/findings"
        echo $? >"$to/../$end.status"
        sed -Ei 's/^( +[0-9]+ +[0-9]+ +[0-9]+) +[0-9]+\.[0-9]{3}/\1/' "$to/report.$form"
    done
    timeout 60 "$FHEC" cuda --trace --trace-file "$to/log" --trace-format log \
        -- "$tmp/ranges" "$tmp/two.cubin" "$end" >"$to/said" 2>&1
    sed -i '/until then:$/d; s/^0 1 1 .*//; /^$/d' "$to/said"
    timeout 60 "$FHEC" cuda --trace=accelsim:"$to/accelsim" \
        -- "$tmp/ranges" "$tmp/two.cubin" "$end" >"$to/said" 2>"$tmp/$end.how"
    grep "until then:$" "$to/findings" >"$tmp/$end.how"
    sed -i '/until then:$/d' "$to/findings"
}

ends exit
for file in report.text report.json sarif profile.text profile.json trace.text trace.json log \
    accelsim/kernelslist.g findings; do
    check "exit: $file" test -s "$tmp/exit/$file"
done
same "exit: a finding makes the status" "$(cat "$tmp/exit.status")" 3
for end in "thread:3:" "_exit:5:has ended by _exit" "quick_exit:3:has ended by _exit" \
    "abort:134:was ended by signal 6 (Aborted)" "SEGV:139:was ended by signal 11 (Segmentation fault)" \
    "TERM:143:was ended by signal 15 (Terminated)" "kill:137:was ended by signal 9 (Killed)"; do
    IFS=: read -r how status words <<<"$end"
    ends "$how"
    same "$how: all is there as with exit" "$(diff -r "$tmp/exit" "$tmp/$how" 2>&1 | head -20)" ""
    same "$how: the status" "$(cat "$tmp/$how.status")" "$status"
    same "$how: how it ended" "$(cat "$tmp/$how.how")" \
        "${words:+fhec cuda: $tmp/ranges $words; until then:}"
done

# During a launch: what has ended is counted, and what there is of the rest can be read.
for end in "exit_busy:3:has ended by exit during a launch" \
    "term_busy:143:was ended by signal 15 (Terminated)"; do
    IFS=: read -r how status words <<<"$end"
    fhec "$how: findings and counts of the launches before" "$status" \
        "fhec cuda: $tmp/ranges $words; until then:
        8             56              834" cuda --kernels --check --profile "$tmp/profile" \
        --profile-format json --time -- "$tmp/ranges" "$tmp/two.cubin" "$how"
    check "$how: the profile" python3 -c "import json; json.load(open('$tmp/profile'))"
    rm "$tmp/profile"
    "$FHEC" cuda --trace=sync,blocks --trace-file "$tmp/log" --trace-format log -- "$tmp/ranges" \
        "$tmp/two.cubin" "$how" >"$tmp/said" 2>&1
    check "$how: the trace" "$FHEC" trace show "$tmp/log"
    rm "$tmp/log"
done

# Where the process that reports is killed, too, counts and findings are told, and what is lost.
fhec "nobody can tell all" 5 "fhec cuda: $tmp/ranges has ended by _exit; until then:
where the lanes go depends on P0
        8             56              834
fhec cuda: the end of the trace is lost with the program's memory
fhec cuda: the profile is lost with the program's memory
fhec cuda: the result of --time is lost with the program's memory
fhec cuda: the file of --sarif is lost with the program's memory" \
    cuda --kernels --check --sarif "$tmp/sarif" --profile "$tmp/profile" --time --trace \
    --trace-file "$tmp/trace" -- "$tmp/ranges" "$tmp/two.cubin" alone
absent "no half of a file" "$tmp/sarif" "$tmp/profile"

# A program within one that `fhec cuda` has started, which says nothing of its end.
# shellcheck disable=SC2016 # the inner shell's
"$FHEC" cuda --profile "$tmp/profile" -- sh -c '"$0" "$1" kill; true' "$tmp/ranges" "$tmp/two.cubin" \
    >"$tmp/said" 2>&1
check "a program that another one starts" grep -q "has not come to its own end; until then:" "$tmp/said"
check "its profile" grep -q two "$tmp/profile"
# The program's own waits do not see the process that reports.
same "the program has no children" "$("$FHEC" cuda --kernels -- "$tmp/ranges" "$tmp/two.cubin" fork 2>&1 |
    grep -c "^ *8 .*together")" 1
# Without `fhec cuda` the report comes likewise, when the program is gone.
NVTX_INJECTION64_PATH=$libraries/libfhec_cuda.so FHEC_CUDA_OPTIONS="--profile $tmp/alone" LD_LIBRARY_PATH=$libraries "$tmp/ranges" "$tmp/two.cubin" \
    _exit >"$tmp/said" 2>&1
for _ in $(seq 100); do [ -s "$tmp/alone" ] || sleep 0.1; done
check "a program by itself" grep -q two "$tmp/alone"
done_testing
