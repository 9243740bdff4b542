#!/usr/bin/env bash
# docs/debugging.md: every command on the page prints what the page says; its kernels are wrong as their
# own tests see it, and each is explained in at most five commands.
. "$(dirname "$0")/../tools/tap.sh"

mkdir "$tmp/bin" "$tmp/debug"
ln -s "$(realpath "$FHEC")" "$tmp/bin/fhec"
cp tests/debug/* "$tmp/debug"
while IFS= read -r line; do
    case $line in
        'ok - '*) ok "${line#ok - }" ;;
        'not ok - '*) not_ok "${line#not ok - }" ;;
        *) echo "$line" ;;
    esac
done < <(PATH=$tmp/bin:$PATH python3 tests/tools/page.py docs/debugging.md "$tmp/debug" 2>&1)
check "the page has its commands" test "$tap_count" -ge 24
for script in tests/debug/*.dbg; do
    name=$(basename "$script" .dbg)
    check "$name: at most five commands" test "$(wc -l <"$script")" -le 5
    if [ "$name" = wrong_limb ]; then
        "$FHEC" ckks hemult --logn 8 --limbs 6 --alpha 1 --dnum 6 \
            --patch "bconv+0x230 ISETP.LT.U32.AND P5, PT, R4, 0x2, PT launch 17" >"$tmp/said" 2>&1
    else
        "$FHEC" test "tests/debug/$name.sass" >"$tmp/said" 2>&1
    fi
    status=$?
    check "$name: its test fails" test "$status" = 1 -o "$status" = 3
done
done_testing
