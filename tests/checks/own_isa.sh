#!/usr/bin/env bash
# docs/your-own-instruction.md: its files are those of docs/own, a fhec with them is built without
# building the rest again, has them everywhere, and does what the page, the kernels and the model
# say. Mistakes in such a file are told at their lines.
. "$(dirname "$0")/../tools/tap.sh"

page=docs/your-own-instruction.md
own=$O/own
build() { "${MAKE:-make}" ISA="$1" O="$own" B="$O" "${@:2}" 2>&1; }
mkdir "$tmp/isa"
cp docs/own/*.isa "$tmp/isa"
files=$(echo "$tmp"/isa/*.isa)

for file in docs/own/*.isa; do
    name=$(basename "$file")
    awk -v first="# $name:" '/^```/ {on = 0} index($0, first) == 1 {on = 1} on' "$page" >"$tmp/$name"
    check "the page has $name as it is" cmp "$tmp/$name" "$file"
done
sed -i 's/distance == 0/distance == 1/' "$tmp/isa/hamm.isa"
check "one of them is changed" test "$(diff docs/own/hamm.isa "$tmp/isa/hamm.isa" | wc -l)" = 4
said=$(build "$files")
same "they build" "$?" 0
[ -x "$own/fhec" ] || { not_ok "there is a fhec" "$said"; done_testing; }
same "nothing is compiled that does not depend on them" \
    "$(grep '^  CC ' <<<"$said" | grep -vE ' gen/(isa_|ref_own_|fast_own_|ref_table|fast_table)')" ""

# An edit, back to what the page says, compiles one family.
cp docs/own/hamm.isa "$tmp/isa"
said=$(build "$files")
same "an edit of a body compiles its family and the book" \
    "$(sed -n 's/^  CC *//p' <<<"$said" | sed 's/\.[a-z0-9]*\.o$/.o/' | sort -u | tr '\n' ' ')" \
    "gen/fast_own_hamm.o gen/isa_book.o gen/ref_own_hamm.o "

mkdir "$tmp/bin" "$tmp/page"
ln -s "$(realpath "$own/fhec")" "$tmp/bin/fhec"
cp docs/own/* "$tmp/page"
while IFS= read -r line; do
    case $line in
        'ok - '*) ok "${line#ok - }" ;;
        'not ok - '*) not_ok "${line#not ok - }" ;;
        *) echo "$line" ;;
    esac
done < <(PATH=$tmp/bin:$PATH python3 tests/tools/page.py "$page" "$tmp/page" 2>&1)
for engine in "--engine ref" "--simd portable" "--simd avx2" "--simd avx512"; do
    # shellcheck disable=SC2086 # two words
    said=$("$own/fhec" test $engine docs/own 2>&1)
    case $said in
        *'this host'*) skip "the kernels, $engine" "this host does not have it" ;;
        *) same "the kernels, $engine" "$(tail -n 1 <<<"$said")" "6 passed, 0 failed" ;;
    esac
done
head -c 16 /dev/zero >"$tmp/x.bin"
same "counts by class" "$("$own/fhec" run docs/own/hamm.sass --grid 1 --block 4 --arg pattern=3 \
    --inout "x=$tmp/x.bin" --stats 2>&1 | sed -n 's/^HAMM  *//p' | tr -s ' ')" "integer 1 4"
for engine in "--engine ref" "--simd portable" "--simd best"; do
    head -c 4 /dev/zero >"$tmp/sum.bin"
    # shellcheck disable=SC2086 # two words
    same "what accesses memory is seen to, $engine" "$("$own/fhec" run docs/own/memory.sass --grid 1 \
        --block 3 $engine --inout "sum=$tmp/sum.bin" --out found=:256 \
        --trace=fetch,mem 2>&1 | grep -A 3 ATOMMOD | sed -n 's/^ *\(global .*\)/\1/p')" \
        "global atomic 4 lane 0 0x7f0000000000 = 00000000 -> 00000001  sum[0]
global atomic 4 lane 1 0x7f0000000000 = 00000001 -> 00000003  sum[0]
global atomic 4 lane 2 0x7f0000000000 = 00000003 -> 00000006  sum[0]"
done
python3 tests/vectors/generate.py docs/own/model.py "$tmp/own.vec"
check "the tests of all instructions, with vectors" env FHEC_TEST_SECONDS=1 \
    "${MAKE:-make}" ISA="$files" O="$own" B="$O" VECTORS="$tmp/own.vec" isa-test

# What the page says of vectors of memory: its case, and its part of the model as it is.
sed -n '/^    insn  ATOMMOD/,/^$/p' "$page" | sed -E 's/^    //; s/  (lanes|the low|\.\.\.|words) .*//' \
    >"$tmp/page.vec"
sed 's/^out   G 10000 00000003/out   G 10000 00000002/' "$tmp/page.vec" >"$tmp/not.vec"
said=$(VECTORS="$tmp/page.vec $tmp/not.vec" "$own/tests/unit/vectors_test" 2>&1)
check "the page's case of memory" grep -qxF "# $tmp/page.vec: 1 cases" <<<"$said"
check "its memory is looked at" grep -q "not.vec:1, ref:.* G 10000 is 0x00000003, expected 0x00000002" \
    <<<"$said"
check "the page has the model of ATOMMOD as it is" test -z "$(diff \
    <(sed -n '/^def atommod/,/emit/p' "$page") <(sed -n '/^def atommod/,/emit/p' docs/own/model.py))"

# Vectors: every failure is told, and every form without one.
sed -E '/^out   (R|P)[0-9]+ /s/[0-9a-f]{8}$/0badf00d/' "$tmp/own.vec" | head -n 40 >"$tmp/wrong.vec"
said=$(VECTORS=$tmp/wrong.vec CMOCKA_MESSAGE_OUTPUT=TAP "$own/tests/unit/vectors_test" 2>&1)
cases=$(grep -c '^insn' "$tmp/wrong.vec")
same "wrong vectors: all are told" "$(grep -c "^# $tmp/wrong.vec:[0-9]*, ref: HAMM" <<<"$said")" "$cases"
for form in "form RU of HAMM" "form uniform of FHEC.888" "form I of ROTL"; do
    check "no vector: $form" grep -qxF "# no vector: $form" <<<"$said"
done
same "the fhec without them does not know them" "$("$FHEC" isa HAMM 2>&1 | grep -c 'no instruction')" 1
same "the opcodes that the page gives away are free" "$("$FHEC" isa --json | python3 -c '
import json, sys
book = json.load(sys.stdin)
codes = [f["opcode"] for i in book["instructions"] for f in i["forms"]]
codes += [o["opcode"] for o in book["not_described"] if "opcode" in o]
print([c for c in codes if int(c, 16) & 0x1ff in [*range(0x1c5, 0x1e0), *range(0x1e8, 0x200)]])')" "[]"

# Mistakes. expect NAME TEXT: with the file on standard input, make says FILE:TEXT.
expect() {
    cat >"$tmp/wrong.isa"
    said=$(build "$tmp/wrong.isa")
    if grep -qF "$tmp/wrong.isa:$2" <<<"$said"; then ok "$1"; else not_ok "$1" "$said"; fi
}
block() { # block LINE...: a lane instruction, these lines in the place of the ones that begin alike
    local lines=("kind    lane" "class   integer" "issue   alu" "form    RR 0x03e8" \
        "syntax  FOO Rd, A, B, C" "does    { d = a + b + c; }") line given
    echo 'insn FOO "Foo"'
    for line in "${lines[@]}"; do
        for given; do
            [ "${given%% *}" != "${line%% *}" ] || line=$given
        done
        [ "$line" = "${line% -}" ] && echo "  $line"
    done
}
expect "an opcode that is taken" "5: FOO form RR and IADD3 form RR (isa_spec/integer.isa:" \
    < <(block "form    RR 0x0210")
expect "bits of an opcode" "5: form RR: bits 11:9 of opcode 0x01e8 are 0, expected 1: 0x03e8" \
    < <(block "form    RR 0x01e8")
expect "a pipe" '4: there is no pipe `alo`; did you mean `alu`?' < <(block "issue   alo")
expect "no pipe" '1: FOO has no `issue`; there are: alu, fma' < <(block "issue -")
expect "a kind" '2: unknown kind `lan`; did you mean `lane`?' < <(block "kind    lan")
expect "a line" '6: no line begins with `synntax`; did you mean `syntax`?' \
    < <(block "syntax -" | sed '5a\  synntax FOO Rd, A')
expect "an operand" '6: form RR: operand `M` has no bits' < <(block "syntax  FOO Rd, A, B, C, M")
expect "a name in a body" "7:" < <(block "does    { d = a + x; }")
same "which is told once" "$(grep -c 'undeclared (first use' <<<"$said")" 1
expect "a handler" '8: `handler` is for fhec' < <(block; echo '  handler load_local')
expect "a name that is there" '8: `MADD` is already described at' \
    < <(block | sed 's/FOO/MADD/'; block | sed 's/FOO/MADD/; s/0x03e8/0x03e9/')
said=$(build "$tmp/none.isa")
check "a file that is not there" grep -qF "ISA=$tmp/none.isa: there is no such file" <<<"$said"
mkdir "$tmp/two" && cp docs/own/hamm.isa "$tmp/two"
said=$(build "docs/own/hamm.isa $tmp/two/hamm.isa" gen)
check "two files of one name" grep -qF "there is another file of this name" <<<"$said"
done_testing
