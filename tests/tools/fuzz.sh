#!/bin/sh
# make fuzz [FUZZ_SECONDS=N]: the fuzz targets under libFuzzer and the random programs, without end
# or for N seconds each; two at a time. What libFuzzer finds new is kept in
# $FUZZ/corpus; an input that breaks something goes to $FUZZ/found, and its name is printed: made
# smaller by hand, it belongs into tests/regress/TARGET. $FUZZ is the build folder of the mode fuzz.
#
#   fuzz.sh [SECONDS]           all targets and the random programs, in turns
#   fuzz.sh --one TARGET SECONDS    one target, as the tests do it: prints TAP
#   fuzz.sh --skip TARGET           says that it cannot be run: clang has no libFuzzer here
set -u

work=${FUZZ:?}
bin=$work/tests/fuzz
turn=300 # seconds of a target when there is no end

fuzz_one() { # fuzz_one TARGET SECONDS
    options="-timeout=20 -rss_limit_mb=3000 -malloc_limit_mb=2500 -print_final_stats=1"
    options="$options -max_total_time=$2 -artifact_prefix=$work/found/$1- -max_len=131072"
    case $1 in asm | format | lsp) options="$options -dict=$work/corpus/asm.dict -max_len=16384" ;; esac
    [ "$1" != dap ] || options="$options -dict=$work/corpus/dap.dict -max_len=8192"
    [ "$1" != lsp ] || options="$options -max_len=4096"
    [ "$1" != word ] || options="$options -max_len=256"
    [ "$1" != data ] || options="$options -max_len=1024"
    mkdir -p "$work/found"
    # shellcheck disable=SC2086 # options are words
    ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
        "$bin/$1_fuzz" $options "$work/corpus/$1" >"$work/$1.log" 2>&1
}

figures() { # figures TARGET: what libFuzzer said at its end
    sed -n 's/^stat::number_of_executed_units: */inputs /p; s/^stat::new_units_added: */new /p' \
        "$work/$1.log" | tr '\n' ' '
}

report() { # report TARGET: after a target has ended with an error
    echo "fuzz $1: FAILED, log $work/$1.log"
    grep -E -B2 -A14 'ERROR: |runtime error|Test unit written' "$work/$1.log" | tail -n 60
}

# The random programs, each time with another seed.
random_programs() { # random_programs SECONDS
    seed=$(date +%s)
    echo "fuzz random programs and instructions: seed $seed, $1 s each"
    for test in emu_programs emu_differential; do
        if ! FHEC_TEST_SEED=$seed FHEC_TEST_SECONDS=$1 "${O:?}/tests/unit/${test}_test" \
            >"$work/random.log" 2>&1; then
            echo "fuzz $test: FAILED"
            cat "$work/random.log"
            return 1
        fi
        grep '^#' "$work/random.log"
    done
}

if [ "${1:-}" = --skip ]; then
    printf '1..1\nok 1 # SKIP fuzz %s: clang has no libFuzzer\n' "$2"
    exit 0
fi
if [ "${1:-}" = --one ]; then
    echo 1..1
    if fuzz_one "$2" "$3"; then
        echo "ok 1 - fuzz $2, $3 s: $(figures "$2")"
    else
        echo "not ok 1 - fuzz $2"
        report "$2" | sed 's/^/# /'
        exit 1
    fi
    exit 0
fi

tell_one() { # tell_one TARGET: a turn of it, and what came of it
    if fuzz_one "$1" "$turn"; then
        echo "fuzz $1: $(figures "$1")"
    else
        report "$1"
        return 1
    fi
}

pair() { # pair TARGET TARGET: at the same time
    tell_one "$1" &
    first=$!
    tell_one "$2" &
    wait $! && wait "$first"
}

seconds=${1:-0}
[ "$seconds" = 0 ] || turn=$seconds
while pair asm cubin && pair data word && pair format trace && pair fat message && pair dap lsp && tell_one query && random_programs "$turn"; do
    [ "$seconds" = 0 ] || exit 0
done
exit 1
