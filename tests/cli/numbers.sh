#!/usr/bin/env bash
# One reader of numbers and one of expressions for all that has them: literals that are none, that are
# too large, or that others read otherwise, and random expressions against Python's integers, in the
# assembler, contracts, launch scripts, the debugger, the ISA compiler and on command lines.
. "$(dirname "$0")/../tools/tap.sh"

seed=${FHEC_TEST_SEED:-34}
count=120
[ -z "${FHEC_TEST_LONG:-}" ] || count=3000
cat >"$tmp/k.sass" <<'X2'
.kernel k
.param n, 8
.param x, 8
    MOV R0, n ; MOV R1, n + 4 ;
    MOV R2, x ; MOV R3, x + 4 ;
    STG.E.64 [R2.64], R0 ;
    EXIT ;
.end
X2
# Each answers with the number that it has read, in decimal, or with `error`.
assembler() {
    printf '.kernel k\nEXIT ;\n.end\n.section .nv.global.init\nn: .dword %s\n' "$1" >"$tmp/a.sass"
    "$FHEC" as "$tmp/a.sass" -o "$tmp/a.o" >/dev/null 2>&1 || { echo error; return; }
    python3 - "$tmp/a.o" <<'END'
import struct, sys
data = open(sys.argv[1], "rb").read()
table, = struct.unpack_from("<Q", data, 0x28)
count, names = struct.unpack_from("<HH", data, 0x3c)
headers = [struct.unpack_from("<IIQQQQIIQQ", data, table + 64 * i) for i in range(count)]
for h in headers:
    begin = headers[names][4] + h[0]
    if data[begin:data.index(b"\0", begin)] == b".nv.global.init":
        print(struct.unpack_from("<Q", data, h[4])[0])
END
}
contract() {
    printf '.target sm_80\n.kernel k\nMOV R4, RZ ;\n.ensure R4 + %s = %s\nEXIT ;\n.end\n' "$1" "$2" >"$tmp/c.sass"
    "$FHEC" run "$tmp/c.sass" --grid 1 --block 32 --check=fragments >"$tmp/said" 2>&1
    case $? in
        0) echo "$2" ;;
        *) grep -q 'C085' "$tmp/said" && echo another || echo error ;;
    esac
}
script() {
    printf 'buffer x 8 type u64\nset x u64:{%s}\nsave x "%s"\n' "$1" "$tmp/out.bin" >"$tmp/s.fhec"
    "$FHEC" run --script "$tmp/s.fhec" >/dev/null 2>&1 || { echo error; return; }
    od -An -tu8 "$tmp/out.bin" | tr -d ' '
}
debugger() {
    printf 'print u64(%s)\n' "$1" >"$tmp/dbg"
    "$FHEC" debug "$tmp/k.sass" --grid 1 --block 32 --arg n=1 --out x="$tmp/out:8" --batch -x "$tmp/dbg" \
        >"$tmp/said" 2>&1 || { echo error; return; }
    printf '%u\n' "$(sed -n 's/.*lane 0 = //p' "$tmp/said")"
}
compiler() {
    cat >"$tmp/own.isa" <<END
insn TRY "Try"
  kind    lane
  class   integer
  issue   slow
  form    RR 0x03e8
  syntax  TRY Rd, A, B, C
  regs    A = $1 == $2 ? -7 : -8
  does { d = c; }
  note    Nothing.
END
    "$O/isac" -o "$tmp/own" isa_spec/*.isa --own "$tmp/own.isa" >"$tmp/said" 2>&1
    if grep -q 'has -7 registers' "$tmp/said"; then echo "$2"
    elif grep -q 'has -8 registers' "$tmp/said"; then echo another
    else echo error; fi
}
command_line() {
    "$FHEC" run "$tmp/k.sass" --grid 1 --block 1 --arg n="$1" --out x="$tmp/out.bin:8" >/dev/null 2>&1 ||
        { echo error; return; }
    od -An -tu8 "$tmp/out.bin" | tr -d ' '
}
mkdir "$tmp/own"
while read -r text number; do
    for reader in assembler contract script debugger compiler command_line; do
        wanted=$number
        # A contract has larger ones, and the compiler none that it would have to write as a number of C.
        [ "$number" = wide ] && wanted=$([ $reader = contract ] && echo another || echo error)
        same "$text, $reader" "$($reader "$text" "${number/wide/1}")" "$wanted"
    done
done <<'END'
0 0
7 7
10 10
010 error
00 error
08 error
0x error
0x10 16
0X1f 31
0x0010 16
0b101 5
0B11 3
0b2 error
0o17 15
0O20 16
0o8 error
1_000 error
1'000 error
12ab error
0xfg error
9223372036854775807 9223372036854775807
9223372036854775808 9223372036854775808
0xffffffff00000001 18446744069414584321
18446744073709551615 18446744073709551615
18446744073709551616 wide
0x1ffffffffffffffff wide
0x10000000000000000000000000000000 wide
END

# ---------------------------------------------------------------- the issue's cases

cat >"$tmp/modulus.sass" <<'X2'
.target sm_80
.equ GOLDILOCKS, 0xffffffff00000001
.kernel k
    MOV R4, 0x1 ; MOV R5, 0xffffffff ;
.ensure R4:R5 = 0 mod 0xffffffff00000001
.ensure R4:R5 = 0 mod GOLDILOCKS
.ensure R4:R5 = 0xffffffff00000001
.expect R4:R5 = GOLDILOCKS + 0
.expect R4 + 0 = 1 ? 1 : 1 / 0
.expect R5 + 0 = (1 || 1 / 0) * 4294967295
    MOV R6, 0xa ;
.ensure R6 + 0 = 10
.ensure R6 < 0x1ffffffffffffffffffffffff
    EXIT ;
.end
X2
fhec "large literals are what they are" 0 "" run "$tmp/modulus.sass" --grid 1 --block 32 --check=fragments
# 2^64 - 2^32 + 1 with the sign of 64 bits is -(2^32 - 1), of which 2^32 - 1 is a multiple.
printf '.target sm_80\n.kernel k\nMOV R4, 0xffffffff ;\n.expect R4 + 0 = 0 mod 0xffffffff00000001\nMOV R5, R4 ;\nEXIT ;\n.end\n' \
    >"$tmp/other.sass"
fhec "and no other modulus" 3 "0xffffffff is expected to be 0 modulo 0xffffffff00000001" run "$tmp/other.sass" \
    --grid 1 --block 32 --check=fragments
for bad in '010' '0x1g' "0x$(printf 'f%.0s' {1..300})"; do
    printf '.target sm_80\n.kernel k\nMOV R4, RZ ;\n.expect R4 = %s\nMOV R5, R4 ;\nEXIT ;\n.end\n' "$bad" >"$tmp/b.sass"
    fhec "a contract with ${bad:0:8}" 2 "b.sass:4:14: error" as "$tmp/b.sass" -o "$tmp/b.o"
done
fhec "it has too many bits" 2 "it has more than 1151 bits" as "$tmp/b.sass" -o "$tmp/b.o"
printf '.target sm_80\n.kernel k\nMOV R4, 0x5 ;\n.expect R4 = 0x100000005\nMOV R5, R4 ;\nEXIT ;\n.end\n' >"$tmp/b.sass"
fhec "a register is not what has more bits than it" 3 "expected to be 4294967301, and is 5" run "$tmp/b.sass" \
    --grid 1 --block 32 --check=fragments
fhec "the range is told" 2 "--max-steps 010: expected a number from 1 to 18446744073709551615: write 0o for octal" \
    run "$tmp/k.sass" --max-steps 010

# ---------------------------------------------------------------- random expressions

python3 tests/tools/constant_expressions.py "$seed" "$count" "$tmp"
fhec "assembler, seed $seed" 0 "" as "$tmp/good.sass" -o "$tmp/good.o"
"$FHEC" as "$tmp/bad.sass" -o "$tmp/bad.o" >"$tmp/said" 2>&1
same "assembler: each line without a value is an error, seed $seed" \
    "$(grep -oE 'bad.sass:[0-9]+' "$tmp/said" | sort -u | wc -l)" "$(wc -l <"$tmp/bad.sass")"
fhec "scripts, seed $seed" 0 "" run --script "$tmp/good.fhec"
wrong=$(while IFS= read -r line; do
    printf 'let n "%s"\n' "$line" >"$tmp/s.fhec"
    "$FHEC" run --script "$tmp/s.fhec" >/dev/null 2>&1
    [ $? = 2 ] || echo "$line"
done <"$tmp/bad.txt")
same "scripts: what has no value is an error, seed $seed" "$wrong" ""
"$FHEC" debug "$tmp/k.sass" --grid 1 --block 32 --arg n=1 --out x="$tmp/out:8" --batch --keep-going \
    -x "$tmp/print.dbg" 2>&1 | sed -nE 's/^error: .*/error/p; s/.*lane 0 = //p' |
    python3 -c 'import sys
for line in sys.stdin:
    print(line.strip() if line.strip() == "error" else int(line, 0))' >"$tmp/got"
same "debugger, seed $seed" "$(diff "$tmp/got" "$tmp/print.txt")" ""
fhec "contracts, seed $seed" 0 "" run "$tmp/holds.sass" --grid 1 --block 1 --check=fragments
"$FHEC" run "$tmp/fails.sass" --grid 1 --block 1 --check=fragments >"$tmp/said" 2>&1
same "contracts that do not hold, seed $seed" \
    "$(grep -oE 'fails.sass:[0-9]+: error\[C085\]' "$tmp/said" | sort -u | wc -l)" "$(grep -c ensure "$tmp/fails.sass")"
"$O/isac" -o "$tmp/own" isa_spec/*.isa --own "$tmp/numbers.isa" >"$tmp/said" 2>&1
same "the ISA compiler, seed $seed: values" "$(grep -c 'has -7 registers' "$tmp/said")" 20
same "the ISA compiler, seed $seed: none" "$(grep -c 'is no expression' "$tmp/said")" 8
done_testing
