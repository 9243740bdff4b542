#!/usr/bin/env bash
# What an object says of its kernels in .nv.info: blocks that a launch must have, and records that are
# only kept, from object to text to object.
. "$(dirname "$0")/../tools/tap.sh"

cat >"$tmp/blocks.sass" <<'EOS'
.target sm_80
.kernel required
.reqntid 32, 4
    EXIT ;
.end
.kernel bounded
.maxntid 32, 2
    EXIT ;
.end
EOS
fhec "an object of it" 0 "" as "$tmp/blocks.sass" -o "$tmp/blocks.cubin"
for file in blocks.sass blocks.cubin; do
    fhec "$file: the block that is required" 0 "" run "$tmp/$file" -k required --grid 2 --block 32,4
    for block in 64 128 4,32 32,4,2; do
        fhec "$file: another one, $block" 2 \
            "kernel required takes blocks of 32 x 4 x 1 only (.reqntid)" \
            run "$tmp/$file" -k required --grid 2 --block "$block"
    done
    said=$(echo continue | "$FHEC" debug "$tmp/$file" -k required --grid 1 --block 64 2>&1)
    same "$file: a session" "$(grep -o 'takes blocks of 32 x 4 x 1 only' <<<"$said" | head -n 1)" \
        "takes blocks of 32 x 4 x 1 only"
    fhec "$file: the largest block" 0 "" run "$tmp/$file" -k bounded --grid 1 --block 64
    fhec "$file: a larger one" 2 "was made for at most 64" \
        run "$tmp/$file" -k bounded --grid 1 --block 65
done
fhec "its list" 0 "blocks of 32 x 4 x 1 threads" run "$tmp/blocks.cubin"
fhec "its text" 0 ".reqntid 32, 4, 1
.maxntid 32, 2, 1" dis "$tmp/blocks.cubin"
for wrong in '.reqntid 0' '.reqntid 2048' '.reqntid 32, 64' '.nvinfo 256, 1' '.nvinfo 1, 5' \
    '.nvinfo 0x29, 4, 0x100000000' '.nvinfo 0x35, 1, 0x10000' '.nvinfo 0x35, 3, 1, 2' '.mark 300'; do
    printf '.kernel k\n%s\n    EXIT ;\n.end\n' "$wrong" >"$tmp/wrong.sass"
    fhec "$wrong" 2 "error[E059]" as "$tmp/wrong.sass" -o "$tmp/wrong.cubin"
done

# Records of .nv.info.K, one a line: kernel, attribute, format, value; but of those that name symbols
# the number alone.
cat >"$tmp/records.py" <<'EOS'
import struct, sys
data = open(sys.argv[1], "rb").read()
at, = struct.unpack_from("<Q", data, 40)
count, names = struct.unpack_from("<HH", data, 60)
sections = [struct.unpack_from("<IIQQQQ", data, at + 64 * i) for i in range(count)]
def name(s):
    start = sections[names][4] + s[0]
    return data[start:data.index(b"\0", start)].decode()
kernels = {name(s)[6:] for s in sections if name(s).startswith(".text.")}
lines = []
for s in sections:
    at, end = s[4], s[4] + s[5]
    while name(s).startswith(".nv.info.") and at < end:
        form, attribute, value = struct.unpack_from("<BBH", data, at)
        at += 4
        if form == 4:
            at, value = at + value, data[at:at + value].hex()
        if attribute == 0x0a: # symbol, offset, size
            value = value[8:]
        if attribute not in (0x0f, 0x34): # symbols; where branches through registers go
            lines.append(f"{name(s)[9:]} {attribute:#x} {form} {value}")
print("\n".join(sorted(lines)))
EOS
for cubin in tests/cuda/*.O[13].cubin tests/cuda/machines/*.cubin tests/cuda/linked.cubin \
    tests/bench/compiled/*.cubin; do
    "$FHEC" dis -c "$cubin" >"$tmp/back.sass" 2>"$tmp/err" &&
        "$FHEC" as "$tmp/back.sass" -o "$tmp/back.cubin" 2>>"$tmp/err" || cat "$tmp/err"
    same "$cubin: the records are the same" "$(python3 "$tmp/records.py" "$tmp/back.cubin")" \
        "$(python3 "$tmp/records.py" "$cubin")"
done

# Places in the code are instructions, which may move.
cat >"$tmp/marks.sass" <<'EOS'
.kernel k
.nvinfo 0x29, 4, 0xffffffff, 0x05000008
.nvinfo 0x36, 4, 2
.nvinfo 0x1b, 3, 40
.nvinfo 0x4, 1
    NOP ;
.mark 0x28
    NOP ;
    NOP ;
.mark 0x28
.mark 0x31
    EXIT ;
.end
EOS
fhec "marks" 0 "" as "$tmp/marks.sass" -o "$tmp/marks.cubin"
same "their records" "$(python3 "$tmp/records.py" "$tmp/marks.cubin" | grep -E ' 0x(4|1b|28|29|31|36) ')" \
    'k 0x1b 3 40
k 0x28 4 1000000030000000
k 0x29 4 ffffffff08000005
k 0x31 4 30000000
k 0x36 4 02000000
k 0x4 1 0'
fhec "their text" 0 ".mark 0x31
    EXIT" dis "$tmp/marks.cubin"
sed 's/^\.mark 0x28/    NOP ;\n&/' <<<"$said" >"$tmp/moved.sass"
fhec "with more instructions" 0 "" as "$tmp/moved.sass" -o "$tmp/moved.cubin"
same "their records" "$(python3 "$tmp/records.py" "$tmp/moved.cubin" | grep ' 0x28 ')" \
    'k 0x28 4 2000000050000000'
done_testing
