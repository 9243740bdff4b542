#!/usr/bin/env bash
# fhec ckks lr and resnet: applications with their bootstraps on a map with matrix instructions and
# (with FHEC_TEST_LONG) one without, each step equal to the reference, decrypted and compared with
# floating point; kernels that are wrong in one place, and what is refused.
. "$(dirname "$0")/../tools/tap.sh"

maps=(fhec16)
[ -z "${FHEC_TEST_LONG:-}" ] || grep -qa __asan_init "$FHEC" || maps=(fhec16 cuda32)
for map in "${maps[@]}"; do
    "$FHEC" ckks lr --logn 10 --map "$map" --seed 3 --stats=json >"$tmp/lr.$map" 2>"$tmp/said"
    check "lr, $map: every step is equal to the reference" \
        grep -q "1 iteration, 32 samples of 16, N = 2^10, map $map: .* each equal to the C reference" "$tmp/said"
    "$FHEC" ckks resnet --logn 10 --map "$map" --seed 3 --stats=json >"$tmp/resnet.$map" 2>"$tmp/said"
    check "resnet, $map: every step is equal to the reference" \
        grep -q "8 channels of 8 x 8, degree 27, N = 2^10, map $map: .* each equal to the C reference" "$tmp/said"
    check "$map: precision, accuracy and counts" python3 - "$tmp/lr.$map" "$tmp/resnet.$map" <<'END'
import json, sys
lr, resnet = (json.load(open(f)) for f in sys.argv[1:])
for got in lr, resnet:
    assert 20 < got["precision_bits"]["max"] < got["precision_bits"]["rms"] < 40, got["precision_bits"]
    assert got["composed_warp_insts"] == got["warp_insts"] < got["unfused_warp_insts"]
    assert got["steps"] > got["primitives"] > 100
assert (lr["samples"], lr["columns"], lr["iterations"]) == (32, 16, 1)
accuracy = lr["accuracy"]
assert accuracy["after"] == accuracy["floating_point"] > max(0.7, accuracy["before"]), accuracy
assert [resnet[k] for k in ("channels", "height", "width", "degree")] == [8, 8, 8, 27]
# What a polynomial of degree 27 is off |x| / 2 at 0, by Chebyshev's series: about 1 / (pi d).
assert 0.001 < resnet["relu_error"] < 0.05, resnet["relu_error"]
END
done

fhec "two iterations of four columns" 0 "2 iterations, 128 samples of 4, N = 2^10
weights and momentum: precision 
accuracy on the data set: " ckks lr --logn 10 --columns 4 --iterations 2 --no-verify
fhec "other channels" 0 "2 channels of 16 x 16, degree 11, N = 2^10
precision " ckks resnet --logn 10 --channels 2 --degree 11 --no-verify

# Kernels that are wrong in one place: each is found where it works first.
fhec "no difference of error and label" 1 "(error, sub): element 0 of limb 0 of c0 is" \
    ckks lr --logn 10 --patch "poly_subtract+0x0 EXIT"
fhec "no sum over a row" 1 "(row sums, add): element" ckks lr --logn 10 --patch "poly_add_pairs+0x0 EXIT"
fhec "no products of a convolution" 1 "(convolution, add): element" \
    ckks resnet --logn 10 --patch "poly_sum_products+0x0 EXIT"

fhec "columns that are no power of two" 2 "--columns 12: expected a power of two from 2 to N / 4 = 256" \
    ckks lr --logn 10 --columns 12
fhec "too many columns" 2 "--columns 512: expected a power of two from 2 to N / 4 = 256" \
    ckks lr --logn 10 --columns 512
fhec "no iteration" 2 "--iterations 0: expected a number from 1 to 8" ckks lr --iterations 0
fhec "channels that are no power of two" 2 "--channels 3: expected a power of two from 1 to N / 8 = 128" \
    ckks resnet --logn 10 --channels 3
fhec "one row" 2 "--width 64: expected a power of two from 2 to 32, so that an image of 64 pixels has two rows" \
    ckks resnet --logn 10 --width 64
fhec "a large degree" 2 "--degree 32: expected a number from 2 to 31" ckks resnet --degree 32
for command in lr resnet; do
    fhec "$command: words of 64 bits" 2 "no map \"cuda16\"" ckks $command --map cuda16
    fhec "$command: the reference alone" 2 "the C reference runs beside every other map" \
        ckks $command --map golden
    fhec "$command: an argument" 2 "unexpected argument: 5" ckks $command 5
    fhec "$command: an option before it" 2 "options go after it: fhec ckks $command" ckks --logn 10 $command
    fhec "$command: in the debugger" 2 "fhec debug takes one primitive" debug ckks $command
done
done_testing
