#!/usr/bin/env bash
# Objects in files of the host: listed, disassembled, checked and run from bare containers, an
# executable and an archive; which one is taken, and what is said where none can be.
. "$(dirname "$0")/../tools/tap.sh"

fat() { python3 tests/tools/fat_binary.py "$@"; }
cat >"$tmp/one.sass" <<'END'
.kernel one
.param out, 8
    MOV R2, out ; MOV R3, c[0x0][0x164] ;
    MOV R4, 0x11 ;
    STG.E [R2.64], R4 ;
    EXIT ;
.end
END
sed 's/one/two/; s/0x11/0x22/' "$tmp/one.sass" >"$tmp/two.sass"
for name in one two; do "$FHEC" as "$tmp/$name.sass" -o "$tmp/$name.cubin" || exit 2; done
printf '\021\0\0\0' >"$tmp/one.bin"
printf '\042\0\0\0' >"$tmp/two.bin"
echo '.version 8.0' >"$tmp/x.ptx"

for packing in plain lz4 zstd; do
    fat "$tmp/$packing.fatbin" "plain:80:$tmp/x.ptx" "plain:90:$tmp/two.cubin" \
        "$packing:80:$tmp/one.cubin"
    fhec "$packing: run" 0 "" run "$tmp/$packing.fatbin" --grid 1 --block 1 --out out=:4 \
        --expect "out=$tmp/one.bin"
    fhec "$packing: lint" 0 "" lint "$tmp/$packing.fatbin"
    fhec "$packing: dis" 0 "// $tmp/$packing.fatbin, object 1" dis "$tmp/$packing.fatbin"
    same "$packing: the text is the object's" "$(sed 1d <<<"$said")" "$("$FHEC" dis "$tmp/one.cubin")"
done

# An executable with two containers behind it, and an archive of it.
fat "$tmp/a" "lz4:80:$tmp/one.cubin" "zstd:75:$tmp/one.cubin"
fat "$tmp/b" "zstd:80:$tmp/two.cubin"
cat "$FHEC" "$tmp/a" "$tmp/b" >"$tmp/both"
(cd "$tmp" && ar rc both.a both one.sass)
for file in both both.a; do
    fhec "$file: the kernels" 0 "$tmp/$file, object 1:
kernel one:
$tmp/$file, object 2:
kernel two:" run "$tmp/$file"
    fhec "$file: a kernel by name" 0 "" run "$tmp/$file" -k two --grid 1 --block 1 --out out=:4 \
        --expect "out=$tmp/two.bin"
    fhec "$file: an object by number" 0 "" run "$tmp/$file" --object 1 --grid 1 --block 1 \
        --out out=:4 --expect "out=$tmp/one.bin"
    fhec "$file: which one is wanted" 2 "has several objects with kernels for sm_80: --object N" \
        run "$tmp/$file" --grid 1 --block 1 --out out=:4
done
fhec "lint looks at all" 0 "" lint "$tmp/both"
"$FHEC" dis -c "$tmp/two.cubin" | sed 's/\[B[^:]*:R-:W-:-:S../[B------:R-:W-:-:S01/' >"$tmp/bad.sass"
"$FHEC" as "$tmp/bad.sass" -o "$tmp/bad.cubin"
fat "$tmp/c" "lz4:80:$tmp/bad.cubin"
cat "$tmp/both" "$tmp/c" >"$tmp/three"
fhec "and says where" 1 "bad.sass:8:27: error[L003]: kernel two" \
    lint "$tmp/three"
sed 's/\.text\.one/.tuxt.one/' "$tmp/one.cubin" >"$tmp/none.cubin"
fat "$tmp/d" "plain:80:$tmp/none.cubin" "lz4:80:$tmp/one.cubin"
fhec "objects without kernels are passed over" 0 "$tmp/d, object 2:" run "$tmp/d"
fhec "but not one that was asked for" 2 "object 1: error[O008]: there is no kernel" \
    lint --object 1 "$tmp/d"
fat "$tmp/e" "plain:80:$tmp/none.cubin"
fhec "nothing but those" 2 "none of the 1 objects for sm_80 has kernels and is linked" lint "$tmp/e"
fhec "one alone" 0 "" lint --object=2 "$tmp/three"
fhec "dis of one" 0 "kernel two" dis --object=2 "$tmp/three"

fhec "no such object" 2 "has 2 objects for sm_80; --object 3 is none of them" dis --object 3 "$tmp/both"
fhec "no such architecture" 2 "has no object for sm_86, only for sm_80, sm_75" dis --arch sm_86 \
    "$tmp/both"
python3 - "$tmp" <<'PYTHON'
import sys
data = bytearray(open(sys.argv[1] + "/one.cubin", "rb").read())
data[0x31 if data[7] == 0x41 else 0x30] = 90  # the architecture
open(sys.argv[1] + "/later.cubin", "wb").write(data)
data = bytearray(open(sys.argv[1] + "/b", "rb").read())
data[16 + 64] ^= 1
open(sys.argv[1] + "/damaged", "wb").write(data)
PYTHON
fat "$tmp/later" "plain:90:$tmp/later.cubin"
fhec "one that is not read" 2 "the object is for sm_90" dis --arch=sm_90 "$tmp/later"
fhec "no such kernel" 2 "no object for sm_80 has a kernel three" run "$tmp/both" -k three --grid 1 \
    --block 1 --out out=:4
fhec "no architecture" 2 "expected an architecture as sm_80" dis --arch 80 "$tmp/both"
head -c 200 "$tmp/lz4.fatbin" >"$tmp/cut"
fhec "a container that is cut off" 2 "holds no object for a GPU" lint "$tmp/cut"
fhec "a damaged object" 2 "damaged, object 1: it is damaged" lint "$tmp/damaged"
done_testing
