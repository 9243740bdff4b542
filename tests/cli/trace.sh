#!/usr/bin/env bash
# fhec run --trace in all its formats and with its filters, and fhec trace: values worked out by hand.
. "$(dirname "$0")/../tools/tap.sh"

# x[i] = x[i] + 0x10 for the threads whose number is even, in a macro; the sum of all numbers of a
# warp in shared memory.
cat >"$tmp/even.sass" <<'EOF'
.target sm_80
.kernel even
.param x, 8
.shared sum, 4
    S2R R0, SR_TID.X ;
    MOV R1, 0x4 ;
    IMAD.WIDE.U32 R2, R0, R1, x ;
    LOP3.LUT R4, R0, 0x1, RZ, 0xc0, !PT ;
    ISETP.EQ.U32.AND P0, PT, R4, RZ, PT ;
    LDG.E R5, [R2.64] ;
@P0 IADD3 R5, R5, 0x10, RZ ;
    STG.E [R2.64], R5 ;
    ATOMS.ADD RZ, [RZ], R0 ;
    BAR.SYNC 0x0 ;
    EXIT ;
.end
.kernel nothing
    EXIT ;
.end
EOF
python3 - "$tmp" <<'EOF'
import struct, sys
with open(sys.argv[1] + "/x.bin", "wb") as f:
    f.write(b"".join(struct.pack("<I", 3 * i) for i in range(64)))
EOF
run=(run "$tmp/even.sass" -k even --grid 1 --block 64)
cp "$tmp/x.bin" "$tmp/first.bin"
fresh() {
    cp "$tmp/x.bin" "$tmp/y.bin"
    cp "$tmp/first.bin" "$tmp/z.bin"
}

fresh
fhec "--trace" 0 "launch 1: kernel even, grid 1,1,1, block 64,1,1
b0,0,0 w1 0060 55555555  @P0 IADD3 R5, R5, 0x10, RZ  // $tmp/even.sass:11
    R5 =  00000070  (00000063)  00000076  (00000069)  0000007c  (0000006f)  00000082  (00000075)
    global load 4 lane 3 0x7f000000000c = 00000009  x[3]
    global load 4 lane 31 0x7f00000000fc = 000000bd  x[63]
    shared atomic 4 lane 2 0x0 = 00000001 -> 00000003
    P0 = 55555555
launch 1 ends: kernel even, 22 warp instructions" "${run[@]}" --inout x="$tmp/y.bin" --trace
cp "$tmp/y.bin" "$tmp/want.bin"
fresh
fhec "--trace-format=wide" 0 "    R4 =  00000000   00000001   00000000   00000001   00000000   \
00000001   00000000   00000001   00000000   00000001   00000000   00000001   00000000   00000001   \
00000000   00000001   00000000   00000001   00000000   00000001   00000000   00000001   00000000   \
00000001   00000000   00000001   00000000   00000001   00000000   00000001   00000000   00000001" \
    "${run[@]}" --inout x="$tmp/y.bin" --trace-format=wide
same "the values of a warp are on one line" "$(grep -c '^    R4 =' <<<"$said")" 2
fresh
fhec "--trace-format=json" 0 "" "${run[@]}" --inout x="$tmp/y.bin" --trace-format=json \
    --trace-file "$tmp/t.json"
check "every line is an object" python3 - "$tmp/t.json" <<'EOF'
import json, sys
records = [json.loads(line) for line in open(sys.argv[1])]
assert records[0]["event"] == "launch begins" and records[0]["kernel"] == "even"
add = [r for r in records if r.get("pc") == 0x60 and r["warp"] == 1][0]
assert add["active"] == 0x55555555 and add["source"]["line"] == 11
assert add["registers"]["R5"] == [3 * i + (16 if i % 2 == 0 else 0) for i in range(32, 64)]
load = [r for r in records if r.get("pc") == 0x50 and r["warp"] == 0][0]["accesses"][0]
assert load["lanes"][5] == {"lane": 5, "address": "0x7f0000000014", "value": 15, "at": "x[5]"}
assert records[-1]["warp_insts"] == 22
EOF

# ---- filters: each against the lines that it leaves
left() { # left NAME LINES OPTION...: how many instructions are left
    local name=$1 lines=$2
    shift 2
    fresh
    fhec "$name" 0 "" "${run[@]}" --inout x="$tmp/y.bin" --trace "$@"
    same "$name leaves so many instructions" "$(grep -c '^b0,0,0 w' <<<"$said")" "$lines"
}
left "--trace-pc" 4 --trace-pc 10,0x60
left "a range of pcs" 6 --trace-pc 20-40
left "--trace-line" 2 --trace-line even.sass:10
left "lines without a file" 4 --trace-line 10-11
left "--trace-register" 4 --trace-register R5
left "predicates" 2 --trace-register P0
left "--trace-lane" 20 --trace-lane 1
left "--trace-warp" 11 --trace-warp 1
left "--trace-block" 22 --trace-block 0
left "--trace-opcode" 4 --trace-opcode IADD3,S2R
left "the beginning of a mnemonic" 2 --trace-opcode IMAD
left "--trace-memory" 2 --trace-memory 'x[40]'
left "a part of an element" 2 --trace-memory 'x:u8[161]'
left "no element of the buffer" 0 --trace-memory 'x[64-90]'
left "a space" 2 --trace-memory 'shared[0]'
left "an address" 2 --trace-memory 0x7f0000000003
left "the lane that goes there" 0 --trace-memory 'x[40]' --trace-lane 9
left "several at once" 1 --trace-memory 'x[40]' --trace-opcode STG
left "--trace-kernel" 0 --trace-kernel nothing
fresh
fhec "--trace-launch" 0 "launch 2: kernel nothing" "${run[@]}" --inout x="$tmp/y.bin" --then \
    -k nothing --grid 3 --block 1 --trace --trace-launch 2
same "has three instructions" "$(grep -c '^b' <<<"$said")" 3
fresh
fhec "what comes of instructions of a second kernel" 0 "b0,0,0 w1 0090    barrier 0: lanes ffffffff arrive, 64 of 64" \
    run "$tmp/even.sass" -k nothing --grid 1 --block 32 --inout x="$tmp/y.bin" --then -k even --grid 1 \
    --block 64 --trace=sync --trace-opcode BAR
fresh
fhec "parts that are asked for" 0 "    barrier 0: lanes ffffffff arrive, 64 of 64
    barrier 0 lets 64 lanes go
b0,0,0 w1 begins, lanes ffffffff
b0,0,0 ends
    constant load 8 lane 31 0x160 = 00007f0000000000  x:u64[0]" \
    "${run[@]}" --inout x="$tmp/y.bin" --trace=sync,blocks,constants

fhec "a filter that is none" 2 "--trace-register R255: expected registers" \
    "${run[@]}" --trace-register R255
fhec "lane 32" 2 "--trace-lane 32: expected lanes from 0 to 31" "${run[@]}" --trace-lane 32
fhec "a log on stderr" 2 "--trace-format=log needs --trace-file" "${run[@]}" --trace-format log

# ---- logs
log() { # log FILE OPTION...
    local to=$1
    shift
    fresh
    "$FHEC" "${run[@]}" --inout x="$tmp/y.bin" --trace-format=log --trace-file "$to" "$@"
}
check "a log" log "$tmp/a.log"
cmp -s "$tmp/y.bin" "$tmp/want.bin" && ok "results are the same" || not_ok "results are the same"
fresh
"$FHEC" "${run[@]}" --inout x="$tmp/y.bin" --trace 2>"$tmp/live"
fhec "trace show" 0 "" trace show "$tmp/a.log"
same "it shows what --trace does" "$said" "$(cat "$tmp/live")"
fhec "show with filters" 0 "    R5 =  00000070  (00000063)" trace show "$tmp/a.log" --warp 1 --register R5 \
    --what regs
same "only that" "$(grep -c = <<<"$said")" 2
fhec "trace filter" 0 "" trace filter "$tmp/a.log" -o "$tmp/f.log" --opcode ATOMS --warp 0
fhec "the filtered log" 0 "    shared atomic 4 lane 31 0x0 = 000001d1 -> 000001f0" \
    trace show "$tmp/f.log"
same "has one instruction" "$(grep -c '^b' <<<"$said")" 1
fhec "a filtered log on a full disk" 4 "cannot write /dev/full" trace filter "$tmp/a.log" -o /dev/full
same "a filtered log in a pipe" "$("$FHEC" trace filter "$tmp/a.log" -o - | "$FHEC" trace show -)" \
    "$(cat "$tmp/live")"
fhec "two logs at once" 0 "" trace show "$tmp/a.log" "$tmp/f.log"
same "one behind the other" "$(grep -c '^b' <<<"$said")" 23
for from in - /dev/stdin; do
    same "a log through a pipe: $from" \
        "$("$FHEC" trace show "$from" 2>&1 < <(cat "$tmp/a.log"))" "$(cat "$tmp/live")"
done
mkfifo "$tmp/fifo"
cat "$tmp/a.log" >"$tmp/fifo" &
same "a log through a named pipe" "$("$FHEC" trace show "$tmp/fifo" 2>&1)" "$(cat "$tmp/live")"
wait
check "a log of two launches" log "$tmp/two.log" --then -k nothing --grid 3 --block 1
for filter in "--launch 2" "--kernel nothing" "--launch 2-9 --kernel even,nothing"; do
    # shellcheck disable=SC2086 # the words of the options
    fhec "show $filter" 0 "launch 2: kernel nothing, grid 3,1,1, block 1,1,1" trace show "$tmp/two.log" $filter
    same "has the three instructions of the second one" "$(grep -c '^b' <<<"$said") $(grep -c 'launch 1' <<<"$said")" "3 0"
done
fhec "diff with one launch more" 1 "launch 2, kernel nothing, block (0,0,0), warp 0, pc 0x0000: EXIT  // $tmp/even.sass:18
  is in the first trace only" trace diff "$tmp/two.log" "$tmp/a.log"
fhec "a log is not overwritten" 2 "" trace filter "$tmp/a.log" -o "$tmp/a.log"
fhec "diff of the same" 0 "" trace diff "$tmp/a.log" "$tmp/a.log"
check "a log of the reference engine" log "$tmp/ref.log" --engine ref
fhec "diff of the engines" 0 "" trace diff "$tmp/a.log" "$tmp/ref.log"
printf '\005' | dd of="$tmp/x.bin" bs=1 seek=160 conv=notrunc 2>/dev/null # x[40] = 5, not 120
check "a log of other data" log "$tmp/b.log"
fhec "trace diff" 1 "launch 1, kernel even, block (0,0,0), warp 1, pc 0x0050: LDG.E R5, [R2.64]  // $tmp/even.sass:10
  R5, lane 8: 0x00000078 and 0x00000005" trace diff "$tmp/a.log" "$tmp/b.log"
fhec "diff of the warp that is the same" 0 "" trace diff "$tmp/a.log" "$tmp/b.log" --warp 0
fhec "diff of other lanes" 0 "" trace diff "$tmp/a.log" "$tmp/b.log" --lane 0-7,9-31
fhec "diff of none" 2 "--differences 0: expected a number from 1" trace diff "$tmp/a.log" \
    "$tmp/b.log" --differences 0
fhec "diff of memory" 1 "  global store of 4 bytes, lane 8, at 0x7f00000000a0, x[40]: 0x00000088 and 0x00000015" \
    trace diff "$tmp/a.log" "$tmp/b.log" --opcode STG

# The same kernel with one buffer elsewhere, and with another one.
for names in "x y" "y x"; do
    printf '.target sm_80\n.kernel k\n.param %s, 8\n.param %s, 8\n    S2R R0, SR_TID.X ;
    MOV R1, 0x4 ;\n    IMAD.WIDE.U32 R2, R0, R1, c[0x0][0x160] ;
    STG.E [R2.64+0x4], R0 ;\n    EXIT ;\n.end\n' "${names% *}" "${names#* }" >"$tmp/${names/ /}.sass"
done
placed() { # placed LOG SOURCE BUFFER... : the buffers are allocated in this order
    local to=$1 source=$2 buffers=()
    for name in "${@:3}"; do
        buffers+=(--out "$name=$tmp/$name.out:64")
    done
    "$FHEC" run "$tmp/$source.sass" -k k --grid 1 --block 2 "${buffers[@]}" --trace=mem \
        --trace-format=log --trace-file "$tmp/$to.log"
}
check "x is the first one" placed first xy x y
check "x is the second one" placed second xy y x
check "y is the second one" placed other yx x y
fhec "diff of a buffer that lies elsewhere" 0 "" trace diff "$tmp/first.log" "$tmp/second.log"
fhec "diff of two buffers" 1 ", x[1] and at 0x7f" trace diff "$tmp/first.log" "$tmp/other.log"
same "each has its name" "$(grep -c ', y\[1\]$' <<<"$said")" 1

# Lane 1 stores in the first run only.
cat >"$tmp/some.sass" <<'EOF'
.target sm_80
.kernel k
.param x, 8
    S2R R0, SR_TID.X ;
    MOV R1, 0x4 ;
    IMAD.WIDE.U32 R2, R0, R1, x ;
    LDG.E R4, [R2.64] ;
    ISETP.EQ.U32.AND P0, PT, R4, RZ, PT ;
@P0 STG.E [R2.64], R0 ;
    EXIT ;
.end
EOF
printf '\0\0\0\0\0\0\0\0' >"$tmp/some0.bin"
printf '\0\0\0\0\1\0\0\0' >"$tmp/some1.bin"
for one in 0 1; do
    "$FHEC" run "$tmp/some.sass" -k k --grid 1 --block 2 --inout "x=$tmp/some$one.bin" --trace=fetch \
        --trace-format=log --trace-file "$tmp/some$one.log"
done
fhec "diff of who executes" 1 "launch 1, kernel k, block (0,0,0), warp 0, pc 0x0050: @P0 STG.E [R2.64], R0  // $tmp/some.sass:9
  lanes 0x00000003, of which 0x00000003 execute it, and 0x00000003, of which 0x00000001" \
    trace diff "$tmp/some0.log" "$tmp/some1.log"

# ---- what is no log
head -c 200 "$tmp/a.log" >"$tmp/cut.log"
fhec "a log that is cut off" 2 "cut.log: the log is damaged: no end of a log at byte 200" \
    trace show "$tmp/cut.log"
python3 - "$tmp" <<'EOF'
import sys
data = bytearray(open(sys.argv[1] + "/a.log", "rb").read())
data[60] ^= 4
open(sys.argv[1] + "/flipped.log", "wb").write(data)
data = bytearray(open(sys.argv[1] + "/a.log", "rb").read())
data[7] = 9
open(sys.argv[1] + "/newer.log", "wb").write(data)
EOF
fhec "a flipped bit" 2 "flipped.log: the log is damaged: wrong checksum" trace show "$tmp/flipped.log"
fhec "a damaged one is not filtered" 2 "flipped.log: the log is damaged" trace filter "$tmp/flipped.log" \
    -o "$tmp/none.log"
absent "which leaves nothing" "$tmp/none.log" "$tmp/.none.log"
fhec "in the second of two" 2 "flipped.log: the log is damaged" \
    trace diff "$tmp/a.log" "$tmp/flipped.log"
fhec "another version" 2 "newer.log: the log has version 9" trace show "$tmp/newer.log"
fhec "a source" 2 "even.sass: it is no log of a trace" trace show "$tmp/even.sass"
fhec "an empty file" 2 "it is no log of a trace" trace show /dev/null
fhec "no file" 4 "" trace show "$tmp/none.log"
fhec "no log" 2 "expected LOG..." trace show
fhec "one log to compare" 2 "expected LOG LOG" trace diff "$tmp/a.log"
fhec "no output" 2 "expected LOG -o OUT" trace filter "$tmp/a.log"
fhec "no such command" 2 '"list": expected show, filter or diff' trace list "$tmp/a.log"
fhec "none at all" 2 "Usage: fhec trace" trace
fhec "help" 0 "Usage: fhec trace" trace --help

# ---- a run that ends early
cat >"$tmp/fault.sass" <<'EOF'
.target sm_80
.kernel past
.param x, 8
    S2R R0, SR_TID.X ;
    MOV R1, 0x4 ;
    IMAD.WIDE.U32 R2, R0, R1, x ;
    STG.E [R2.64], R0 ;
    EXIT ;
.end
EOF
head -c 252 /dev/zero >"$tmp/short.bin"
at_fault="b0,0,0 w1 0030 ffffffff  STG.E [R2.64], R0  // $tmp/fault.sass:7
b0,0,0 w1 0030 lanes 80000000 fault: out of bounds: a store of 4 bytes that no allocation holds
launch 1 ends: kernel past, 8 warp instructions"
for form in text log; do
    fhec "a trace of a fault: $form" 3 "" run "$tmp/fault.sass" --grid 1 --block 64 \
        --inout x="$tmp/short.bin" --trace=fetch --trace-format $form --trace-file "$tmp/fault.$form"
done
"$FHEC" trace show "$tmp/fault.log" >"$tmp/fault.shown"
for file in fault.text fault.shown; do
    same "the end of $file is the fault" "$(tail -n 3 "$tmp/$file")" "$at_fault"
done
printf '%s\n' '.target sm_80' '.kernel K' 'again: IADD3 R1, R1, 0x1, RZ ;' 'BRA again ;' 'EXIT ;' .end \
    >"$tmp/spin.sass"
# In the foreground timeout sends one signal; else two, of which the second would end it at once.
ended_by() { # ended_by SIGNAL FORMAT
    rm -f "$tmp/spin.$2"
    timeout --foreground --preserve-status -k 60 -s "$1" 1 "$FHEC" run "$tmp/spin.sass" --grid 1 --block 32 \
        --trace=fetch --trace-format "$2" --trace-file "$tmp/spin.$2" 2>/dev/null
}
ended_by INT log
same "Ctrl-C while a log is written" "$?" 130
fhec "leaves a log that is complete" 0 "launch 1 ends: kernel K" trace show "$tmp/spin.log" --pc f0
ended_by TERM log
same "SIGTERM" "$?" 143
absent "leaves none" "$tmp/spin.log" "$tmp/.spin.log"
ended_by INT text
same "Ctrl-C while a text is written" "$?" 130
same "leaves all of its lines" "$(tail -n 1 "$tmp/spin.text" | cut -d, -f1)" "launch 1 ends: kernel K"

# ---- what macros and repetitions made
cat >"$tmp/macro.sass" <<'EOF'
.target sm_80
.macro twice d, s
    IADD3 \d, \s, \s, RZ ;
.endm
.kernel K
    S2R R0, SR_TID.X ;
.rept 2, i
    twice R0, R0
.endr
    EXIT ;
.end
EOF
cp "$tmp/macro.sass" "$tmp/thrice.sass"
sed -i 's/IADD3 .*/IMAD \\d, \\s, 0x3, RZ ;/' "$tmp/thrice.sass"
for name in macro thrice; do
    check "a log of $name.sass" "$FHEC" run "$tmp/$name.sass" --grid 1 --block 32 --trace-format log \
        --trace-file "$tmp/$name.log"
done
chain="macro twice at $tmp/macro.sass:8, iteration 2 of .rept at $tmp/macro.sass:7"
for line in 3 7 8; do
    fhec "line $line, in a log" 0 "IADD3 R0, R0, R0, RZ  // $tmp/macro.sass:3, $chain" trace show \
        "$tmp/macro.log" --line $line
    shown=$said
    fhec "line $line, in a run" 0 "" run "$tmp/macro.sass" --grid 1 --block 32 --trace --trace-line $line
    same "are the same" "$said" "$shown"
    same "and the line made two instructions" "$(grep -c '^b' <<<"$said")" 2
done
fhec "diff tells the chain, too" 1 "IADD3 R0, R0, R0, RZ  // $tmp/macro.sass:3, ${chain/iteration 2/iteration 1}" \
    trace diff "$tmp/macro.log" "$tmp/thrice.log"

# ---- where it goes
fresh
said=$("$FHEC" "${run[@]}" --inout x="$tmp/z.bin" --trace --trace-file - 2>/dev/null)
same "a trace on standard output" "$said" "$(cat "$tmp/live")"
fresh
said=$("$FHEC" "${run[@]}" --inout x="$tmp/z.bin" --trace-format log --trace-file - |
    "$FHEC" trace show -)
same "a log on standard output" "$said" "$(cat "$tmp/live")"
fresh
fhec "a full disk" 4 "cannot write /dev/full" "${run[@]}" --inout x="$tmp/y.bin" --trace \
    --trace-file /dev/full
echo old >"$tmp/old.log"
chmod 600 "$tmp/old.log"
ln -s old.log "$tmp/link.log"
check "a log through a symbolic link" log "$tmp/link.log"
[ -L "$tmp/link.log" ] && ok "which stays" || not_ok "which stays"
same "and the file's mode" "$(stat -c %a "$tmp/old.log")" 600
fhec "and is the log" 0 "launch 1: kernel even" trace show "$tmp/old.log"

# ---- names that are no UTF-8
cp "$tmp/even.sass" "$tmp/$(printf 'b\xe9\xc3\xa9"\xf0\x9f').sass"
fresh
"$FHEC" run "$tmp"/b*.sass -k even --grid 1 --block 64 --inout x="$tmp/y.bin" --trace=fetch,host \
    --trace-format json --trace-file "$tmp/name.json"
check "every line is JSON" python3 - "$tmp/name.json" <<'EOF'
import json, sys
records = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
file = [r["source"]["file"] for r in records if "source" in r][0]
assert file.endswith('/b\ufffd\xe9"\ufffd\ufffd.sass'), file
write = [r for r in records if r["event"] == "host write"][0]
assert write == {"event": "host write", "name": "x", "address": "0x7f0000000000", "offset": 0, "bytes": 256}
EOF

# ---- the page about them
mkdir "$tmp/bin"
ln -s "$(realpath "$FHEC")" "$tmp/bin/fhec"
cp -r docs/traces "$tmp/page"
while IFS= read -r line; do
    case $line in
        'ok - '*) ok "${line#ok - }" ;;
        'not ok - '*) not_ok "${line#not ok - }" ;;
        *) echo "$line" ;;
    esac
done < <(PATH=$tmp/bin:$PATH python3 tests/tools/page.py docs/traces.md "$tmp/page" 2>&1)
done_testing
