#!/usr/bin/env bash
# docs/ntt-in-cuda.md: every command on the page prints what the page says. What the page's object
# holds is what it was made of, where nvcc is: both compute the same.
. "$(dirname "$0")/../tools/tap.sh"

if grep -qa __asan_init "$FHEC"; then
    skip "the page" "programs of CUDA cannot load these libraries"
    done_testing
fi
mkdir "$tmp/bin" "$tmp/page"
ln -s "$(realpath "$FHEC")" "$tmp/bin/fhec"
cp docs/ntt-in-cuda/* cuda/fhec.cuh "$tmp/page"
nvcc=$(command -v "${NVCC:-/usr/local/cuda/bin/nvcc}")
path=$tmp/bin:$PATH
[ "$nvcc" ] && path=$path:$(dirname "$nvcc")

while IFS= read -r line; do
    case $line in
        'ok # SKIP '*) skip "${line#ok # SKIP }" "not found" ;;
        'ok - '*) ok "${line#ok - }" ;;
        'not ok - '*) not_ok "${line#not ok - }" ;;
        *) echo "$line" ;;
    esac
done < <(PATH=$path python3 tests/tools/page.py docs/ntt-in-cuda.md "$tmp/page" 2>&1)
check "the page has its commands" test "$tap_count" -ge 18
cd "$tmp/page" || exit 1
if [ -s mine.cubin ]; then
    operands="--in param0=in.bin --in param2=powers.bin --arg param3=1073692673"
    # shellcheck disable=SC2086
    check "the source is that of the page's object" sh -c \
        "'$FHEC' patch mine.cubin -o mine_fhec.cubin 2>/dev/null &&
         '$FHEC' run mine_fhec.cubin --grid 1 --block 512 $operands --out param1=mine.bin:16384 &&
         cmp mine.bin golden.bin"
else
    skip "the source is that of the page's object" "there is no nvcc"
fi
done_testing
