#!/usr/bin/env bash
# fhec run --script: the example of docs/scripts.md, each command, and what is said when one is wrong.
. "$(dirname "$0")/../tools/tap.sh"

fhec "the page's example" 0 "" run --script docs/scripts/powers.fhec
sed 's/^    //' docs/scripts.md >"$tmp/page"
check "it stands on the page" python3 - "$tmp/page" docs/scripts/powers.fhec <<'END'
import sys
page, script = (open(name).read() for name in sys.argv[1:])
lines = [line.strip() for line in script.splitlines()]
assert "\n".join(lines) in "\n".join(line.strip() for line in page.splitlines())
END

cp docs/scripts/powers.sass tests/kernels/square.sass "$tmp"
printf '\001\002\003\004\005' >"$tmp/out5"
printf '\003\0\0\0\0\0\0\0' >"$tmp/eight"
script() { # script NAME STATUS TEXT: runs what stands on the standard input
    cat >"$tmp/s.fhec"
    fhec "$1" "$2" "$3" run --script "$tmp/s.fhec"
}
script "files in and out, fills, hashes" 0 "" <<'END'
load powers.sass as one
load square.sass as two
buffer a 4K type u8
fill a+8 u16:0x1234 5
expect a u64:0 bytes:3412341234 u8:0
save a out.npy
save a+8 out.bin 5
buffer b @out5 type u8 read-only
expect b @out5
expect b bytes:0102
END
# That of an empty text is in the hash's own documentation; here it need only be that of --hash.
hash=$("$FHEC" run "$tmp/square.sass" --grid 1 --block 1 --inout x="$tmp/eight" --arg q=97 --hash x)
sed 's/^expect b bytes.*/load square.sass as three\nbuffer x @eight type u64\nlaunch square in three grid 1 block 1 with q=97\nhash x/' \
    "$tmp/s.fhec" >"$tmp/h.fhec"
printf '\003\0\0\0\0\0\0\0' >"$tmp/eight"
same "the hash is that of --hash" "$("$FHEC" run --script "$tmp/h.fhec")" "$hash"
same "a part is saved" "$(od -An -tx1 "$tmp/out.bin")" " 34 12 34 12 34"
script "a kernel that two programs have" 2 's.fhec:4: 2 of the objects have a kernel "square"' <<'END'
load powers.sass as one
load square.sass as two
buffer x 96
launch square grid 1 block 1 with q=5
END
script "in one of them, by position and by parts" 0 "" <<'END'
load powers.sass as one
load square.sass as two
buffer x 16 type u64
set x u64:3 u64:4
launch square in two grid 1 block 2 with q+0=u32:5 q+4=u32:0
expect x u64:4 u64:1
launch square in one grid 1 block 2 with x 1 97
expect x u64:16 u64:1
launch square in two grid 1 block 1 params bytes:{0}0000000000000000500000000000000 faults "out of bounds"
END
script "memory at an address, and by it" 0 "" <<'END'
buffer a 64 at 0x123400000010
set a+8 a+16
expect 0x123400000018 u64:0x123400000020
END
script "where it is wrong, in loops" 2 "s.fhec:4, i = 1, j = 0: a: there are 6 bytes; 8 are wanted" <<'END'
buffer a 6
repeat 2 as i
    repeat 1 as j
        fill a u8:0 {4*(i + 1)}
    end
end
END
script "a difference" 1 "s.fhec:4: a from byte 4 on differs in 1 of 1 elements, first in element 0: it is 0x7 (7), expected 0x8 (8)" <<'END'
buffer a 8
set a u32:1 u32:7
expect a u32:1
expect a+4 u32:8
END
for line in 'lod x|s.fhec:1: no command is called "lod"; did you mean "load"?' \
    'end|s.fhec:1: this end has no repeat' 'repeat 3|s.fhec:1: this repeat has no end' \
    'buffer a 4 tpe u8|s.fhec:1: unknown word "tpe"; did you mean "type"?' \
    'buffer a 4 type|s.fhec:1: type: which?' 'buffer a 0|s.fhec:1: a: 0 is no number' \
    'buffer a {1 +}|s.fhec:1: a number is expected in "1 +"' 'buffer a {4|s.fhec:1: a { has no }' \
    'buffer a {1/0}|s.fhec:1: division by zero' 'buffer a "4|s.fhec:1: a quote is not closed' \
    'set buffr u8:1|s.fhec:1: no buffer or variable is called "buffr"' \
    'launch k grid 1 block 1|s.fhec:1: no program has been loaded' \
    'load none.sass|s.fhec:1: cannot read' 'let 1x 2|s.fhec:1: "1x" is no name for a number' \
    'buffer a {m}|s.fhec:1: no number is called "m"' 'copy a b|s.fhec:1: expected `copy FROM to TO' \
    'expect 0x10 u8:1|s.fhec:1: nothing is at the address 0x10'; do
    printf '%s\n' "${line%%|*}" >"$tmp/s.fhec"
    if said=$("$FHEC" run --script "$tmp/s.fhec" 2>&1) || ! grep -qF -e "${line#*|}" <<<"$said"; then
        not_ok "${line%%|*}" "$said"
    else
        ok "${line%%|*}"
    fi
done
fhec "options of a launch beside it" 2 "--script: files, buffers, launches and results" \
    run --script docs/scripts/powers.fhec --grid 1
fhec "other commands" 2 "--script is for" why 'x[0]' --script docs/scripts/powers.fhec
done_testing
