#!/usr/bin/env bash
# fhec ckks bootstrap with parameters of one's own: what is refused before any work, each in a
# sentence; messages, seeds and further steps within the bounds of their parameters; and parameters
# that do not fit, which nothing but the decrypted result shows.
. "$(dirname "$0")/../tools/tap.sh"

refused() { # refused NAME TEXT OPTIONS...: in no time
    local name=$1 text=$2
    shift 2
    fhec "$name" 2 "$text" ckks bootstrap "$@"
}
refused "too few levels" "too few levels: 30 limbs are 15 of 2, and a bootstrap takes 16: 1 for the base, 3 + 3 for the linear maps, 7 for the series of degree 63, 2 for double angles" --limbs 30
refused "too few for more maps" "too few levels: 44 limbs are 22 of 2, and a bootstrap takes 23" --levels-cts 10
refused "half a level" "45 limbs: a level has 2" --limbs 45
refused "too many limbs" "72 limbs; a chain has at most 64" --levels-left 20
refused "more maps than stages" "3 and 10 linear maps: N = 2^10 has 9 stages" \
    --logn 10 --levels-stc 10 --limbs 64
refused "digits without a limb" "dnum is 13; 44 limbs are 11 digits of 4 limbs" --dnum 13
refused "digits larger than alpha" "alpha is 5; it must be at least the 11 limbs of a digit" --alpha 5
refused "an extension for no encapsulation" "the switch to the sparse secret takes 2 extension primes" \
    --dnum 44 --alpha 1
refused "an odd scale" "a scale of 2^61: with two primes a level" --scale 61
refused "a scale above the base" "a scale of 2^70: it must be at least 2^30, at most the base modulus, 2^62" --scale 70
refused "a scale that is noise" "a scale of 2^20" --scale 20
refused "a correction without room" "a correction of 55 bits leaves the message no room in a base of 62 bits; at most 46" \
    --correction 55
refused "a secret too dense" "after ModRaise under a secret of weight 682 coefficients leave the range of 16 Q0 with probability 2^0 a bootstrap; --range 47" \
    --logn 10 --secret uniform
refused "a sparse one too dense" "--range 25 makes it less than 2^-20" --logn 10 --secret sparse
refused "more than all coefficients" "a secret of weight 2000; there are 1024" --logn 10 --secret encapsulated:2000
refused "a series too short" "a series of degree 31 and 2 double angles approximate the sine for K = 16 to 2^-3" --degree 31
refused "another one" "leaves 9.3 bits of a message with a correction of 12" --degree 31 --double-angles 3
refused "primes exhausted" "there are too few primes = 1 modulo 2N = 131072: 44 limbs and 12 of the extension, near 2^20" \
    --bits 20
refused "a digit larger than the extension's product" "digit 0 has 492 bits, the extension 486: key switching would lose the difference" \
    --preset paper --map cuda64 --logn 10 --scale 54
refused "too large a modulus" "log2 QP is 1736; at N = 2^15 128 bits of security allow 881: take a larger N, fewer limbs, or --insecure" \
    --logn 15
refused "also at 2^16" "at N = 2^16 128 bits of security allow 1747" --limbs 60 --alpha 15
refused "paper at 2^15" "at N = 2^15 128 bits of security allow 881" --preset paper --map cuda64 --logn 15
refused "nothing left to go on with" "--continue multiplies once more" --logn 10 --levels-left 0 --continue
usage() { # usage NAME TEXT OPTIONS...
    local name=$1 text=$2
    shift 2
    fhec "$name" 2 "$text" ckks bootstrap "$@"
}
usage "no kind of secret" "--secret dense: expected encapsulated[:H], sparse[:W] or uniform" --secret dense
usage "no weight" "--secret sparse:0: a weight is a number from 1 to 65536" --secret sparse:0
usage "two numbers for one" "--limbs and --levels-left: one follows from the other" --limbs 44 --levels-left 6
usage "no such message" "--message=two: expected one of random, zero, one-hot, ones, i, 1+i" --message two
usage "a degree that is none" "--degree 128: expected a number from 1 to 127" --degree 128

# The two large presets pass at N = 2^16, where this process then may not have the memory.
if grep -qa __asan_init "$FHEC"; then
    skip "not enough memory" "a sanitizer needs its address space"
else
    for preset in "fhec32 --map fhec16:1736" "paper --map cuda64:1742"; do
        # shellcheck disable=SC2086 # the words of options
        said=$(ulimit -v 3000000 && "$FHEC" ckks bootstrap --preset ${preset%:*} 2>&1)
        same "${preset%% *}: not enough memory" \
            "$? $(grep -c "error: not enough memory: this takes about .* GB, and 3.1 GB are available" <<<"$said")" "4 1"
        same "${preset%% *}: secure" "$(grep -c "note: log2 QP is ${preset#*:}; at N = 2^16 128 bits of security allow 1747$" <<<"$said")" 1
    done
fi

# Every message within its bound: random ones, zeros and a single slot err by rounding, the others by
# the sine. The result is good for a product and a rotation more.
within() { # within FILE LEAST
    python3 - "$@" <<'END'
import json, sys
got, least = json.load(open(sys.argv[1])), float(sys.argv[2])
assert got["precision_bits"]["max"] > least, got["precision_bits"]
assert got["rotation_bits"]["max"] > least, got["rotation_bits"]
assert got["product_bits"]["max"] > least - 2, got["product_bits"]
END
}
run() { # run LOGN SEED MESSAGE LEAST OPTIONS...
    local logn=$1 seed=$2 message=$3 least=$4
    shift 4
    "$FHEC" ckks bootstrap --preset small --logn "$logn" --seed "$seed" --message "$message" --continue \
        --insecure --stats=json "$@" >"$tmp/got" 2>"$tmp/said"
    same "N = 2^$logn, seed $seed, $message: it ends" $? 0
    check "N = 2^$logn, seed $seed, $message: within the bound of 2^-$least" within "$tmp/got" "$least"
}
declare -A least=([random]=22 [zero]=22 [one-hot]=22 [ones]=21 [i]=21 [1+i]=20.5)
if [ -n "${FHEC_TEST_LONG:-}" ]; then
    for logn in ${FHEC_TEST_LOGN:-10 12}; do
        for seed in 1 2 3 4 5; do
            for message in random zero one-hot ones i 1+i; do
                bound=${least[$message]}
                [[ $logn -le 12 ]] || bound=$([[ $logn = 14 ]] && echo 20 || echo 16)
                run "$logn" "$seed" "$message" "$bound" --no-verify
            done
        done
    done
elif ! grep -qa __asan_init "$FHEC"; then
    run 10 2 one-hot 22 --no-verify
    run 10 3 1+i 20.5 --no-verify
fi

# Other parameters that work, and some that pass and cannot: a message as large as the sine's period.
fhec "pairs of 29 bits, one map more, a sparse secret" 0 "precision 2" ckks bootstrap --logn 10 --no-verify \
    --bits 29 --levels-cts 4 --secret encapsulated:24,sparse:192 --range 12
fhec "no correction" 1 "error: the result decrypts to something else" ckks bootstrap --logn 10 --no-verify \
    --correction 1 --message ones
done_testing
