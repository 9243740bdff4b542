#!/usr/bin/env bash
# fhec debug: `compare` finds the launches of a plan that do other than golden does, and only those.
. "$(dirname "$0")/../tools/tap.sh"

printf 'goto end\ncompare\ninfo launches\n' >"$tmp/end"
printf 'compare\n' >"$tmp/script"
small=(--logn 8 --limbs 3 --alpha 1 --dnum 3)
for map in fhec16 cuda32 cuda64 imma256; do
    fhec "all are golden's, by map $map" 0 "are golden's" \
        debug --batch -x "$tmp/end" ckks hemult "${small[@]}" --map "$map"
done
for primitive in rescale keyswitch rotate; do
    fhec "all of $primitive" 0 "are golden's" debug --batch -x "$tmp/script" ckks "$primitive" "${small[@]}"
done
for engine in ref fast; do
    fhec "a transform of two launches that is wrong, $engine" 0 "launch 5 to 6: not the transform
launch 7 of 29" debug --batch -x "$tmp/script" ckks hemult --logn 10 "${small[@]:2}" --engine "$engine" \
        --patch "ntt_cols+0x50 NOP launch 5"
done
fhec "of a wrong input they make the right output" 0 "launch 1 of 19, poly_tensor
are golden's" debug --batch -x "$tmp/script" -x <(echo where) ckks hemult "${small[@]}" \
    --patch "poly_tensor+0x40 NOP launch 1"
fhec "launches that golden does not know" 2 "no launch of this is known to golden" \
    debug --batch -x "$tmp/script" eltwise mul --n 256
fhec "no arguments" 2 "takes no arguments" debug --batch -x <(echo compare 3) ckks hemult "${small[@]}"
done_testing
