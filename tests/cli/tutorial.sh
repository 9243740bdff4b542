#!/usr/bin/env bash
# docs/tutorial.md: every command on the page prints what the page says; and, where nvcc is, the
# page's cubin is what it makes of the source.
. "$(dirname "$0")/../tools/tap.sh"

mkdir "$tmp/bin" "$tmp/tutorial"
ln -s "$(realpath "$FHEC")" "$tmp/bin/fhec"
cp docs/tutorial/* "$tmp/tutorial"
nvcc=$(command -v "${NVCC:-/usr/local/cuda/bin/nvcc}")
path=$tmp/bin:$PATH
if [ "$nvcc" ]; then
    path=$path:$(dirname "$nvcc")
    rm "$tmp/tutorial/matmul.cubin" # it is made anew
fi

while IFS= read -r line; do
    case $line in
        'ok # SKIP '*) skip "${line#ok # SKIP }" "not found" ;;
        'ok - '*) ok "${line#ok - }" ;;
        'not ok - '*) not_ok "${line#not ok - }" ;;
        *) echo "$line" ;;
    esac
done < <(PATH=$path python3 tests/tools/page.py docs/tutorial.md "$tmp/tutorial" 2>&1)
check "the page has its commands" test "$tap_count" -ge 25
# code FILE: the instructions of a listing or a cubin, with their words.
code() {
    "$FHEC" as "$1" -o "$tmp/code.cubin" &&
        "$FHEC" dis -c --nvdisasm "$tmp/code.cubin" | grep ' ;$'
}
same "the listing is that of the cubin" "$(code docs/tutorial/matmul.txt)" \
    "$("$FHEC" dis -c --nvdisasm docs/tutorial/matmul.cubin | grep ' ;$')"
if [ -s "$tmp/tutorial/mine.txt" ]; then
    same "and so is cuobjdump's" "$(code "$tmp/tutorial/mine.txt")" \
        "$(code docs/tutorial/matmul.txt)"
else
    skip "and so is cuobjdump's" "there is no cuobjdump"
fi
if [ "$nvcc" ]; then
    check "the cubin is what the compiler makes of the source" \
        cmp "$tmp/tutorial/matmul.cubin" docs/tutorial/matmul.cubin
else
    skip "the cubin is what the compiler makes of the source" "there is no nvcc"
fi
done_testing
