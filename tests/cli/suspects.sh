#!/usr/bin/env bash
# What the report of a difference suspects: mistakes are planted in kernels, and their lines must be
# among the first; and edits that make the result right. Expected values are computed here.
. "$(dirname "$0")/../tools/tap.sh"

python3 - "$tmp" <<'PY'
import struct, sys
def save(name, values, code="I"):
    with open(sys.argv[1] + "/" + name, "wb") as f:
        f.write(struct.pack("<%d%s" % (len(values), code), *values))
low = 0xffffffff
x = [(i * 2654435761 + 12345) & low for i in range(512)]
save("x.bin", x)
# Eight words a thread: each times three, with 17 added, and the one four further on in exclusive or.
made = [(3 * v + 17) & low for v in x]
save("mixed.bin", [made[8 * (i // 8) + i % 8] ^ made[8 * (i // 8) + (i + 4) % 8] for i in range(512)])
save("sums.bin", [sum(x[8 * t:8 * t + 8]) & low for t in range(64)])
a = [i * 0x9e3779b97f4a7c15 & 2**64 - 1 for i in range(64)]
b = [i * i * 0xc2b2ae3d27d4eb4f + 7 & 2**64 - 1 for i in range(64)]
save("a.bin", a, "Q")
save("b.bin", b, "Q")
save("wide.bin", [p + q & 2**64 - 1 for p, q in zip(a, b)], "Q")
PY

# The lines of a report's suspects, from JSON, "|" between them, and the edit that mends it.
suspected() {
    "$FHEC" "$@" --diag=json 2>"$tmp/said" || true
    python3 - "$tmp/said" <<'PY'
import json, sys
d = next(m["difference"] for m in map(json.loads, open(sys.argv[1])) if "difference" in m)
print("|".join(str(s["line"]) for s in d["suspected"]))
r = d.get("repair")
print("%d: %s (%d)" % (r["line"], r["edit"], r["instructions"]) if r else "none")
PY
}
among() { # among NAME COUNT LINE ARGUMENT...: the line is one of the first COUNT
    local name=$1 count=$2 line=$3
    shift 3
    got=$(suspected "$@")
    if head -1 <<<"$got" | tr '|' '\n' | head -"$count" | grep -qx "$line"; then
        ok "$name"
    else
        not_ok "$name" "line $line is not among the first $count of:" "$got"
    fi
}

cat >"$tmp/mixed.sass" <<'SASS'
.target sm_80
.macro more d, a
    IADD3 \d, \a, 0x11, RZ ;
.endm
.macro both d, a, b
    LOP3.LUT \d, \a, \b, RZ, 0x3c, !PT ;
.endm
.kernel mixed
.param x, 8
.param y, 8
    S2R R0, SR_TID.X ;
    MOV R1, 0x20 ;
    IMAD.WIDE.U32 R2, R0, R1, x ;
    IMAD.WIDE.U32 R4, R0, R1, y ;
    LDG.E.128 R8, [R2.64] ;
    LDG.E.128 R12, [R2.64+0x10] ;
.irp reg, R8, R9, R10, R11, R12, R13, R14, R15
    IMAD \reg, \reg, 0x3, RZ ;
.endr
    more R16, R8
    more R17, R9
    more R18, R10
    more R19, R11
    more R20, R12
    more R21, R13
    more R22, R14
    more R23, R15
    both R24, R16, R20
    both R25, R17, R21
    both R26, R18, R22
    both R27, R19, R23
    both R28, R20, R16
    both R29, R21, R17
    both R30, R22, R18
    both R31, R23, R19
    STG.E.128 [R4.64], R24 ;
    STG.E.128 [R4.64+0x10], R28 ;
    EXIT ;
.end
SASS
mixed() { # mixed FILE: runs that kernel
    printf '%s\n' run "$1" --grid 1 --block 64 --in x="$tmp/x.bin" --out y=:2048 \
        --expect y="$tmp/mixed.bin"
}
mapfile -t arguments < <(mixed "$tmp/mixed.sass")
fhec "without a mistake" 0 "" "${arguments[@]}"
sed 's/more R18, R10/more R18, R11/' "$tmp/mixed.sass" >"$tmp/register.sass"
mapfile -t arguments < <(mixed "$tmp/register.sass")
among "a wrong register in one of eight" 1 3 "${arguments[@]}"
same "which is mended" "$(tail -1 <<<"$got")" "3: IADD3 R18, R10, 0x11, RZ (1)"
fhec "as text" 1 "  suspected, the likeliest first:
  with one edit all 512 elements are right, tried in run
IADD3 R18, R11, 0x11, RZ
IADD3 R18, R10, 0x11, RZ" "${arguments[@]}"

# A macro's body is in all that it makes: only an edit of all of them mends it.
sed -e 's/0x11/0x12/' "$tmp/mixed.sass" >"$tmp/body.sass"
mapfile -t arguments < <(mixed "$tmp/body.sass")
among "a mistake in all of a line's instructions" 1 3 "${arguments[@]}"
same "which is mended in all of them" "$(tail -1 <<<"$got" | grep -o '0x11.*')" "0x11, RZ (8)"

cat >"$tmp/sums.sass" <<'SASS'
.target sm_80
.kernel sums
.param x, 8
.param y, 8
    S2R R0, SR_TID.X ;
    MOV R1, 0x20 ;
    MOV R8, 0x4 ;
    IMAD.WIDE.U32 R2, R0, R1, x ;
    IMAD.WIDE.U32 R4, R0, R8, y ;
    MOV R6, RZ ;
    MOV R7, RZ ;
next:
    LDG.E R9, [R2.64] ;
    IADD3 R6, R6, R9, RZ ;
    IADD3 R2, P1, R2, 0x4, RZ ;
    IADD3.X R3, R3, RZ, RZ, P1, !PT ;
    IADD3 R7, R7, 0x1, RZ ;
    ISETP.LT.U32.AND P0, PT, R7, LAST, PT ;
@P0 BRA next ;
    STG.E [R4.64], R6 ;
    EXIT ;
.end
SASS
sums=(run "$tmp/sums.sass" --grid 1 --block 64 --in x="$tmp/x.bin" --out y=:256 --expect y="$tmp/sums.bin")
fhec "a loop without a mistake" 0 "" "${sums[@]}" -D LAST=8
among "a loop that is one short" 3 18 "${sums[@]}" -D LAST=7
same "which is mended" "$(tail -1 <<<"$got" | cut -d: -f1)" 18

cat >"$tmp/wide.sass" <<'SASS'
.target sm_80
.kernel wide
.param a, 8
.param b, 8
.param sum, 8
    S2R R0, SR_TID.X ;
    MOV R1, 0x8 ;
    IMAD.WIDE.U32 R2, R0, R1, a ;
    IMAD.WIDE.U32 R4, R0, R1, b ;
    IMAD.WIDE.U32 R6, R0, R1, sum ;
    LDG.E.64 R8, [R2.64] ;
    LDG.E.64 R10, [R4.64] ;
    IADD3 R12, P0, R8, R10, RZ ;
    IADD3 R13, R9, R11, RZ ;
    STG.E.64 [R6.64], R12 ;
    EXIT ;
.end
SASS
among "a carry that is missing" 3 14 run "$tmp/wide.sass" --grid 1 --block 64 --in a="$tmp/a.bin" \
    --in b="$tmp/b.bin" --out sum=:512:u64 --expect sum="$tmp/wide.bin"
done_testing
