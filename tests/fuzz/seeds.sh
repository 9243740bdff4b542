#!/usr/bin/env bash
# seeds.sh FOLDER: makes the seed corpora FOLDER/asm, cubin, dap, data, fat, format, lsp, message,
# query, trace, word from the files of the tests, and dictionaries: of the assembler, FOLDER/asm.dict, and of
# the debug adapter, FOLDER/dap.dict. $FHEC is the tool, $DICTIONARY the program that
# prints the words of the instruction set.
set -eu
cd "$(dirname "$0")/../.."
out=$1
mkdir -p "$out/asm" "$out/cubin" "$out/dap" "$out/data" "$out/fat" "$out/format" "$out/lsp" "$out/message" "$out/query" "$out/trace" "$out/word"

for file in tests/reject/*.sass tests/listings/*.txt tests/kernels/*.sass programs/lib/*gme.sass \
    tests/regress/asm/*; do
    case $file in *too_m*) continue ;; esac # a few lines that become millions: too slow
    [ ! -e "$file" ] || cp "$file" "$out/asm/${file//\//_}"
done

cp "$out/asm/"* "$out/format"
cp "$out/asm/"tests_kernels* "$out/asm/"programs* "$out/lsp"
printf 'Content-Length: 59\r\n\r\n{"id":1,"method":"initialize","params":{"capabilities":{}}}' \
    >"$out/lsp/session"
for file in tests/regress/lsp/*; do
    [ ! -e "$file" ] || cp "$file" "$out/lsp/${file//\//_}"
done
for file in tests/regress/format/*; do
    [ ! -e "$file" ] || cp "$file" "$out/format/${file//\//_}"
done

for file in tests/kernels/*.sass; do
    "$FHEC" as "$file" -o "$out/cubin/$(basename "$file" .sass).cubin"
done
mkdir "$out/expanded"
printf '.macro ONE r\n MOV \\r, RZ ;\n.endm\n' >"$out/expanded/one.inc"
printf '.include "one.inc"\n.kernel k\n.rept 2\n NOP ;\n.irp r, R1, R2\n ONE \\r\n.endr\n.endr\n EXIT ;\n.end\n' \
    >"$out/expanded/k.sass"
"$FHEC" as "$out/expanded/k.sass" -o "$out/cubin/expanded.cubin"
rm -r "$out/expanded"
for file in tests/cuda/linked.cubin tests/cuda/bits.*.cubin tests/cuda/lanes.*.cubin \
    tests/regress/cubin/*; do
    [ ! -e "$file" ] || cp "$file" "$out/cubin/${file//\//_}"
done

# The instructions of the vectors, sixteen words a file.
sed -n 's/^insn  \(.*\)/0000\t\1 ;/p' tests/vectors/*.vec >"$out/insns"
"$FHEC" as --words "$out/insns" | python3 -c '
import sys
words = [int(line, 16).to_bytes(16, "little") for line in sys.stdin if line.strip() != "?"]
for i in range(0, len(words), 16):
    open(f"{sys.argv[1]}/vectors.{i}", "wb").write(b"".join(words[i:i + 16]))
' "$out/word"
rm "$out/insns"
for file in tests/regress/word/*; do
    [ ! -e "$file" ] || cp "$file" "$out/word/"
done

npy() { # npy NAME VERSION DESCR ORDER SHAPE: a header and eight bytes of data
    python3 - "$out/data/$1" "$2" "$3" "$4" "$5" <<'PYTHON'
import sys
path, version, descr, order, shape = sys.argv[1:]
text = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}".ljust(117) + "\n"
size = 2 if version == "1" else 4
head = b"\x93NUMPY" + bytes([int(version), 0]) + len(text).to_bytes(size, "little")
open(path, "wb").write(head + text.encode() + bytes(range(248, 256)))
PYTHON
}
npy a.npy 1 '<u4' False '(2, 1)'
npy b.npy 2 '<u8' False '(1,)'
npy c.npy 3 '<u4' True '(2,)'
npy d.npy 1 '<u8' False '()'
npy e.npy 1 '<f4' False '(2,)'
printf '\001\002\003\004\377\376\375\374' >"$out/data/raw"
cp tests/regress/data/* "$out/data"

for packing in plain lz4 zstd; do
    python3 tests/tools/fat_binary.py "$out/fat/$packing" "$packing:80:$out/cubin/square.cubin"
done

seed_message() { # seed_message NAME JSON...
    local text
    for text in "${@:2}"; do
        printf 'Content-Length: %d\r\n\r\n%s' ${#text} "$text"
    done >"$out/message/$1"
}
seed_message one '{"seq":1,"type":"request","command":"initialize","arguments":{"adapterID":"x"}}'
seed_message two '{"seq":1,"arguments":{"line":3,"name":"a","on":true,"list":[{"line":1}],"texts":["b"]}}' \
    '{"data":"AQIDBA=="}' '[1,2.5e3,null,"\\u00e4"]'

# Sessions of the debug adapter, and their words.
awk -v to="$out/dap/session." '/^#/ { n++; next } { print >(to n) }' tests/fuzz/sessions.txt
for file in tests/regress/dap/*; do
    [ ! -e "$file" ] || cp "$file" "$out/dap/${file//\//_}"
done
sed 's/^\([a-z][A-Za-z]*\) /"\1" /' tests/fuzz/sessions.txt | grep -oE '"[A-Za-z]+"' | LC_ALL=C sort -u |
    sed 's/"/\\"/g; s/.*/"&"/' >"$out/dap.dict"

# Expressions of the debugger, each behind a byte that is a lane, and their words.
number=0
while IFS= read -r line; do
    printf 'a%s' "$line" >"$out/query/$number"
    number=$((number + 1))
done <tests/fuzz/expressions.txt
for file in tests/regress/query/*; do
    [ ! -e "$file" ] || cp "$file" "$out/query/${file//\//_}"
done
grep -oE '[A-Za-z][A-Za-z0-9_.]*[([]?|[-+*/%<>=&|!@?:]+' tests/fuzz/expressions.txt | LC_ALL=C sort -u |
    sed 's/.*/"&"/' >"$out/query.dict"

# Logs as they are, and taken apart: what is in their frames (tests/regress).
head -c 512 /dev/zero >"$out/zeros"
"$FHEC" run tests/kernels/square.sass --grid 1 --block 64 --arg q=7 --inout x="$out/zeros" \
    --trace-format log --trace-file "$out/trace/square.log"
rm "$out/zeros"
cp tests/regress/trace/* "$out/trace"

{ "$DICTIONARY"; grep -aohE '(^|\s)\.[a-z]{2,}' "$out"/asm/tests_* | sed 's/^[[:space:]]*\(.*\)/"\1"/'; } |
    LC_ALL=C sort -u >"$out/asm.dict"
