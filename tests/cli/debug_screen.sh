#!/usr/bin/env bash
# fhec debug --tui: keys in, screen out, in a terminal that tmux plays. What must be on the screen
# is worked out by hand.
. "$(dirname "$0")/../tools/tap.sh"

if ! command -v tmux >/dev/null 2>&1; then
    skip "the full-screen mode" "tmux is not installed"
    done_testing
fi
if "$FHEC" debug --tui --help 2>&1 | grep -q "without ncurses"; then
    skip "the full-screen mode" "built without ncurses"
    done_testing
fi
unset NO_COLOR TMUX
export TMUX_TMPDIR=$tmp
FHEC=$(cd "$(dirname "$FHEC")" && pwd)/$(basename "$FHEC")
server=0
mux() { tmux -L "screen$server" -f /dev/null "$@"; }
trap 'mux kill-server 2>/dev/null; rm -rf "$tmp"' EXIT

# begin COLUMNS ROWS ARGUMENTS...: the debugger in a new terminal; what it leaves is in $tmp/status.
begin() {
    local columns=$1 rows=$2
    shift 2
    mux kill-server 2>/dev/null
    server=$((server + 1)) # the next one need not wait for the end of this one
    rm -f "$tmp/status"
    { printf 'cd %q; ' "$tmp"; printf '%q ' "$FHEC" debug --tui "$@"; } >"$tmp/command"
    echo "; echo \$? >$tmp/status; sleep 60" >>"$tmp/command"
    mux new-session -d -x "$columns" -y "$rows" "TERM=screen-256color bash $tmp/command"
}
screen() { mux capture-pane -p "$@"; }
keys() { mux send-keys "$@"; }
# shows NAME TEXT: within ten seconds every line of TEXT is part of what is on the screen.
shows() {
    local name=$1 text=$2 line missing
    for _ in $(seq 100); do
        said=$(screen 2>&1) || break
        missing=
        while IFS= read -r line; do
            [[ $said == *"$line"* ]] || missing=$line
        done <<<"$text"
        [ -n "$missing" ] || { ok "$name"; return; }
        sleep 0.1
    done
    not_ok "$name" "no \"$missing\" in:" "$said"
}
# How many lines have colours.
colours() { screen -e | grep -c $'\033\\[[0-9;]*3[13]m'; }
# ends NAME STATUS: the debugger ends so, and leaves the screen.
ends() {
    for _ in $(seq 100); do
        [ -s "$tmp/status" ] && break
        sleep 0.1
    done
    same "$1" "$(cat "$tmp/status" 2>&1)" "$2"
}

cat >"$tmp/k.sass" <<'SASS'
.target sm_80
.macro TWICE reg
    IADD3 \reg, \reg, \reg, RZ ;
.endm
.kernel K
.param x, 8
    S2R R0, SR_TID.X ;
    MOV R1, 0x4 ;
    IMAD.WIDE.U32 R2, R0, R1, x ;
    LDG.E R4, [R2.64] ;
    TWICE R4
    ISETP.LT.U32.AND P0, PT, R0, 0x5, PT ;
@P0 STG.E [R2.64], R4 ;
    EXIT ;
.end
.kernel endless
.param x, 8
again:
    IADD3 R0, R0, 0x1, RZ ;
    BRA again ;
    EXIT ;
.end
.kernel faulty
.param x, 8
    LDG.E R4, [RZ] ;
    EXIT ;
.end
SASS
python3 - "$tmp" <<'PY'
import struct, sys
def save(name, values):
    open(f"{sys.argv[1]}/{name}", "wb").write(struct.pack("<%dI" % len(values), *values))
save("x.bin", [0xabc000 + i for i in range(64)])
save("a.bin", range(256))
save("b.bin", [3 * i + 1 for i in range(128)])
save("c.bin", [5 * i for i in range(128)])
PY
k=(k.sass -k K --grid 1 --block 64 --inout x="$tmp/x.bin")

# ---- the panes in 80x24
begin 80 24 "${k[@]}"
shows "status, source, registers and keys" "launch 1 of 1, K, instruction 0, block (0,0,0) warp 0 lane 0
source: k.sass:7
0x0000  S2R R0, SR_TID.X
 >    7     S2R R0, SR_TID.X ;
registers of block (0,0,0) warp 0: lanes 0xffffffff issue next
R0 00000000 00000000
: command, ? help"
same "24 lines" "$(screen | wc -l)" 24
keys s
shows "a step; what changed is marked" "instruction 1, block
      0        1        2        3        4        5        6        7
R0 00000000 00000001*00000002*00000003*00000004*00000005*00000006*00000007*
0x0010  MOV R1, 0x4"
keys s s s
shows "into a macro" "source: k.sass:3 (in macro TWICE, from k.sass:11)
 >    3     IADD3 \\reg, \\reg, \\reg, RZ ;"
keys s
shows "out of it" " >   12     ISETP.LT.U32.AND
R4 01578000*01578002*01578004*01578006*01578008*0157800a*0157800c*0157800e*"
keys S
shows "and back" "instruction 4, block
 >    3     IADD3"
keys 'N'
shows "over what the line made, backwards" "instruction 3, block
0x0030  LDG.E R4, [R2.64]"

# ---- commands, memory
keys : 'break 14x' BSpace Enter
shows "a command, with a mistake taken back" "> break 14
instruction 3, block"
keys c
shows "continue, to the break" "B>   14     EXIT ;
P0 0x1f* P1 0x0  P2 0x0"
keys 3
shows "memory, what changed marked" "memory: x, 64 words
[0]      01578000*01578002*01578004*01578006*
[4]      01578008*00abc005 00abc006 00abc007"
keys b
shows "shared memory" "memory: shared memory of block (0,0,0)"
keys 1 ']' ']'
shows "another lane" "warp 0 lane 2
"
keys x
shows "signed" "R0        0        1        2
R4 22511616*22511618*"
keys x x x
shows "pairs" "R0:R1 0000000400000000 0000000400000001"
keys x
shows "hexadecimal again" "R0 00000000 00000001"
keys Right
shows "other lanes" "      1        2        3        4        5        6        7        8"
keys '>' '>' '>' '>'
shows "up to the last" "     24       25       26       27       28       29       30       31"
keys '<' '<' '<' '<'
shows "down to the first" "      0        1        2        3        4        5        6        7"
keys '[' '[' '['
shows "the focus on the last lane, which is shown" "warp 0 lane 31
     24       25       26       27       28       29       30       31"
keys ']' ']' ']'
shows "and back" "warp 0 lane 2
      0        1        2        3        4        5        6        7"
keys '}'
shows "another warp" "warp 1 lane 2"
keys '}'
shows "and none behind it" "a block has 2 warps: there is no number 2"
keys : 'nonsense' Enter
shows "a command that is none" 'no command is called "nonsense"'
keys : 'abc' Escape
keys C
shows "back to the beginning" "instruction 0, block"
keys '?'
shows "help" "Ctrl-C stops what runs"
keys q
ends "q" 0

# ---- sizes
begin 140 50 "${k[@]}"
shows "with room for all of them" "source: 
registers of
fragments: the next instruction has none
memory: x, 64 words"
mux resize-window -x 100 -y 45
keys s
shows "smaller" "instruction 1, block
registers of
fragments:
memory: x"
mux resize-window -x 30 -y 8
shows "too small" "the window is too small"
mux resize-window -x 80 -y 24
shows "and back" "instruction 1, block
registers of"
same "no more than one of them" "$(screen | grep -c 'memory: x')" 0
keys q
ends "q again" 0

# ---- a fragment: A[i][j] = 16 i + j
cp tests/kernels/matmul.sass "$tmp"
begin 80 30 matmul.sass --grid 1 --block 32 --in a="$tmp/a.bin" --in b="$tmp/b.bin" \
    --in c_="$tmp/c.bin" --out d=:512 --arg modulus=modulus:1073479681
shows "registers by name" "S2R lane, SR_LANEID"
keys : 'break op FHEC' Enter
keys c
shows "before the product" "0x01d0  FHEC.16816.U32.U32"
keys 2 o
shows "the operand as a matrix" "A: 16 x 16 of 32 bits, R8 to R15"
shows "its rows" "0  00000000 00000001 00000002 00000003 00000004 00000005 00000006 00000007
1  00000010 00000011 00000012 00000013 00000014 00000015 00000016 00000017
2  00000020 00000021 00000022 00000023"
keys p
shows "where its elements came from" "fragments: A, origins of FHEC
0    a[0]   a[1]   a[2]   a[3]   a[4]   a[5]   a[6]   a[7]"
keys p
shows "where its elements are" "fragments: A, lanes and registers of FHEC
0    0:R8   1:R8   2:R8   3:R8  0:R10  1:R10  2:R10  3:R10"
keys p
shows "its values again" "fragments: A of FHEC
2  00000020"
keys q
ends "a quit" 0

# The same with registers 1 and 2 of A in each other's place: A[g][t + 4] of lane 4g + t is in R10,
# which holds a[16 (g + 8) + t].
sed 's/LDG.E A\[\\i\]/LDG.E A[\\i == 1 ? 2 : \\i == 2 ? 1 : \\i]/' tests/kernels/matmul.sass >"$tmp/swap.sass"
begin 80 30 swap.sass --grid 1 --block 32 --in a="$tmp/a.bin" --in b="$tmp/b.bin" \
    --in c_="$tmp/c.bin" --out d=:512 --arg modulus=modulus:1073479681
shows "swapped registers" "S2R lane, SR_LANEID"
keys : 'break op FHEC' Enter
keys c
shows "swapped: before the product" "0x01d0  FHEC.16816.U32.U32"
keys 2 o
shows "no marks" "0  00000000 00000001 00000002 00000003 00000080 00000081 00000082 00000083"
keys m
shows "values that are not where they belong" \
    "0  00000000 00000001 00000002 00000003 00000080!00000081!00000082!00000083!"
[ "$(colours)" -gt 0 ] && ok "which is red" || not_ok "which is red" "$(screen -e)"
keys p
shows "their origins" "0    a[0]   a[1]   a[2]   a[3] a[128]!a[129]!a[130]!a[131]!"
keys p
shows "their lanes" "0    0:R8   1:R8   2:R8   3:R8  0:R10! 1:R10! 2:R10! 3:R10!"
keys q
ends "the end of that" 0

# ---- colours, Ctrl-C, ends
begin 80 24 "${k[@]}"
shows "again" "instruction 0"
keys s
shows "a change" "00000001*"
[ "$(colours)" -gt 0 ] && ok "changes are red" || not_ok "changes are red" "$(screen -e)"
export NO_COLOR=1
begin 80 24 "${k[@]}"
shows "without colours" "instruction 0"
keys s
shows "the same change" "00000001*"
same "none" "$(colours)" 0
unset NO_COLOR

begin 80 24 k.sass -k endless --grid 1 --block 32 --inout x="$tmp/x.bin"
shows "a kernel without an end" "endless, instruction 0"
keys C-c
shows "Ctrl-C while nothing runs is nothing" "endless, instruction 0"
keys c
shows "it runs" "running ... Ctrl-C stops it"
keys C-c
shows "Ctrl-C stops it" "interrupted"
keys s
shows "and it can go on" "IADD3 R0, R0, 0x1, RZ"
keys q
ends "interrupted" 0

begin 80 24 k.sass -k faulty --grid 1 --block 32 --inout x="$tmp/x.bin"
shows "a kernel at fault" "faulty, instruction 0"
keys c
shows "its fault" "out of bounds: launch 1 of 1, faulty, instruction 0
  address      0x0 in global memory"
keys q
ends "the status of a fault" 3

echo "break 12" >"$tmp/script"
echo "continue" >>"$tmp/script"
begin 80 24 "${k[@]}" -x "$tmp/script"
shows "a script first" "B>   12     ISETP"
mux kill-server
cd "$tmp" || exit 1
fhec "no terminal" 4 "--tui needs a terminal" debug --tui "${k[@]}"
fhec "no batch" 2 "--tui goes without --batch" debug --tui --batch "${k[@]}"
done_testing
