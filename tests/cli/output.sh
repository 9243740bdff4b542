#!/usr/bin/env bash
# Where results go: files that are named twice, links, modes, devices and pipes, lost standard output.
# What signals do about it is in output_signals.sh.
. "$(dirname "$0")/../tools/tap.sh"

# x[i] = 3 x[i], one thread each; y likewise.
cat >"$tmp/triple.sass" <<'EOF'
.target sm_80
.include "tail.inc"
.kernel triple
.param x, 8
.param y, 8
    S2R R0, SR_TID.X ;
    MOV R1, 0x4 ;
    IMAD.WIDE.U32 R2, R0, R1, x ;
    IMAD.WIDE.U32 R4, R0, R1, y ;
    LDG.E R6, [R2.64] ;
    IMAD R6, R6, 0x3, RZ ;
    STG.E [R2.64], R6 ;
    LDG.E R7, [R4.64] ;
    IMAD R7, R7, 0x3, RZ ;
    STG.E [R4.64], R7 ;
    EXIT ;
.end
EOF
: >"$tmp/tail.inc"
numbers() { # numbers FIRST STEP: 32 words
    python3 -c "import struct, sys
sys.stdout.buffer.write(struct.pack('<32I', *range($1, $1 + 32 * $2, $2)))"
}
numbers 5 1 >"$tmp/once"
numbers 15 3 >"$tmp/thrice"
numbers 100 1 >"$tmp/other"
numbers 300 3 >"$tmp/other3"
files=$tmp/files
fresh() { # a folder with a.bin and b.bin
    rm -rf "$files"
    mkdir "$files"
    cp "$tmp/once" "$files/a.bin"
    cp "$tmp/other" "$files/b.bin"
}
triple=(run "$tmp/triple.sass" --grid 1 --block 32)
zeros=("--out" "y=:128")
unchanged() { check "$1: a.bin is as it was" cmp "$files/a.bin" "$tmp/once"; }
# no_others NAME [FILES]: nothing but the two files, or these, is in the folder.
no_others() {
    same "$1: nothing else is left" "$(find "$files" -mindepth 1 -printf '%f\n' | sort | tr '\n' ' ')" \
        "${2:-a.bin b.bin }"
}

# ---- one file, two buffers
fresh
fhec "two files" 0 "" "${triple[@]}" --inout "x=$files/a.bin" --inout "y=$files/b.bin"
check "the first" cmp "$files/a.bin" "$tmp/thrice"
check "the second" cmp "$files/b.bin" "$tmp/other3"
fresh
ln "$files/a.bin" "$files/hard"
ln -s a.bin "$files/soft"
ln -s soft "$files/softer"
for name in a.bin hard soft softer ../files/a.bin; do
    fhec "two --inout of one file, as $name" 2 "two outputs go to one file" \
        "${triple[@]}" --inout "x=$files/a.bin" --inout "y=$files/$name"
    fhec "--out and --inout of one file, as $name" 2 "two outputs go to one file" \
        "${triple[@]}" --inout "x=$files/$name" --out "y=$files/a.bin:128"
done
unchanged "after that"
fhec "two --out to one new file" 2 "two outputs go to one file" \
    "${triple[@]}" --out "x=$files/new:128" --out "y=$files/../files/new:128"
ln -s new "$files/will"
fhec "two --out, by a link to what is not there yet" 2 "two outputs go to one file" \
    "${triple[@]}" --out "x=$files/new:128" --out "y=$files/will:128"
fhec "--out and --trace-file" 2 "two outputs go to one file" \
    "${triple[@]}" "${zeros[@]}" --out "x=$files/new:128" --trace --trace-file "$files/new"
check "none is made" test ! -e "$files/new"
fhec "report --out twice" 2 "two outputs go to one file" \
    report --out "$files/r.txt" --out "$files/./r.txt"
fhec "a transform" 0 "" ntt --n 256 --seed 1 --out "$files/ntt"
cp "$files/ntt" "$files/copy"
fhec "--in and --out of one file" 0 "" ntt --n 256 --inverse --in "$files/ntt" --out "$files/ntt"
fhec "which is read before it is written" 0 "" ntt --n 256 --in "$files/ntt" --out "$files/ntt"
check "there and back" cmp "$files/ntt" "$files/copy"

# ---- sources stay
for name in triple.sass ./triple.sass tail.inc; do
    fhec "as -o its own $name" 2 "would overwrite its own source" \
        as "$tmp/triple.sass" -o "$tmp/$name"
    fhec "run --out its own $name" 2 "would overwrite its own source" \
        "${triple[@]}" "${zeros[@]}" --out "x=$tmp/$name:128"
done
check "the source is as it was" grep -q IMAD.WIDE "$tmp/triple.sass"
cp "$tmp/triple.sass" "$tmp/own.cubin" # a source all the same
tool=$(realpath "$FHEC")
(cd "$tmp" && "$tool" as own.cubin >said 2>&1)
same "as: the default output is its own source" "$?" 2

# ---- links
fresh
ln -s a.bin "$files/soft"
ln "$files/a.bin" "$files/hard"
fhec "--inout by a link" 0 "" "${triple[@]}" "${zeros[@]}" --inout "x=$files/soft"
check "it stays a link" test -L "$files/soft"
check "the file it leads to is written" cmp "$files/a.bin" "$tmp/thrice"
check "the file's other names stay" test "$files/a.bin" -ef "$files/hard"
ln -s ../files/made "$files/dangling"
fhec "--out by a link to nothing" 0 "" "${triple[@]}" "${zeros[@]}" --out "x=$files/dangling:128"
check "makes what it leads to" test -L "$files/dangling" -a -s "$files/made"
no_others "links" "a.bin b.bin dangling hard made soft "
head -c 4 "$tmp/once" >"$files/a.bin"
fhec "a file with two names grows" 0 "" "${triple[@]}" "${zeros[@]}" --out "x=$files/a.bin:128"
same "to its new length" "$(stat -c %s "$files/hard")" 128
head -c 999 /dev/zero >"$files/a.bin"
fhec "and shrinks" 0 "" "${triple[@]}" "${zeros[@]}" --out "x=$files/a.bin:128"
same "to it" "$(stat -c %s "$files/hard")" 128

# ---- modes, access lists, owners
for mode in 600 640 644 666 755; do
    fresh
    chmod "$mode" "$files/a.bin"
    fhec "--inout of mode $mode" 0 "" "${triple[@]}" "${zeros[@]}" --inout "x=$files/a.bin"
    same "keeps it" "$(stat -c %a "$files/a.bin")" "$mode"
    check "and is written" cmp "$files/a.bin" "$tmp/thrice"
done
(umask 027 && "$FHEC" "${triple[@]}" "${zeros[@]}" --out "x=$files/new:128")
same "a new file has the umask's mode" "$(stat -c %a "$files/new")" 640
fresh
# An access list: owner rw, user 4321 r, group none, mask r, others none.
if python3 -c 'import os, struct, sys
entries = [(1, 6, -1), (2, 4, 4321), (4, 0, -1), (0x10, 4, -1), (0x20, 0, -1)]
os.setxattr(sys.argv[1], "system.posix_acl_access", struct.pack("<I", 2) +
            b"".join(struct.pack("<HHi", *e) for e in entries))' "$files/a.bin" 2>/dev/null; then
    list='import os, sys; print(os.getxattr(sys.argv[1], "system.posix_acl_access").hex())'
    before=$(python3 -c "$list" "$files/a.bin")
    fhec "--inout of a file with an access list" 0 "" \
        "${triple[@]}" "${zeros[@]}" --inout "x=$files/a.bin"
    same "keeps it, too" "$(python3 -c "$list" "$files/a.bin")" "$before"
    check "and is written, too" cmp "$files/a.bin" "$tmp/thrice"
else
    skip "access lists" "this file system has none"
fi
# as_nobody COMMAND...: without root's right to write everything; 77 if it cannot be given up.
as_nobody() {
    if [ "$(id -u)" != 0 ]; then
        "$@"
    elif command -v setpriv >/dev/null 2>&1; then
        setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
    else
        return 77
    fi
}
fresh
chmod 755 "$tmp"
chmod 777 "$files"
if as_nobody "$FHEC" --version >/dev/null 2>&1; then
    [ "$(id -u)" != 0 ] || chown 65534:65534 "$files/a.bin"
    chmod 444 "$files/a.bin"
    as_nobody "$FHEC" "${triple[@]}" "${zeros[@]}" --out "x=$files/a.bin:128" >"$tmp/said" 2>&1
    same "a file of mode 444 is refused" "$? $(cat "$tmp/said")" \
        "4 fhec run: error: cannot write $files/a.bin: Permission denied"
    unchanged "then"
    chmod 600 "$files/a.bin"
    chmod 555 "$files"
    as_nobody "$FHEC" "${triple[@]}" "${zeros[@]}" --out "x=$files/new:128" >"$tmp/said" 2>&1
    same "a new file in a folder of mode 555 is refused" "$? $(cat "$tmp/said")" \
        "4 fhec run: error: cannot write $files/new: Permission denied"
    as_nobody "$FHEC" "${triple[@]}" "${zeros[@]}" --inout "x=$files/a.bin" >"$tmp/said" 2>&1
    same "a file in such a folder is rewritten" "$? $(cat "$tmp/said")" "0 "
    check "all of it" cmp "$files/a.bin" "$tmp/thrice"
    chmod 777 "$files"
else
    skip "files that may not be written" "the tool cannot be run without root's rights"
fi
if [ "$(id -u)" = 0 ]; then
    fresh
    chown 4321:1234 "$files/a.bin"
    fhec "--inout of somebody's file" 0 "" "${triple[@]}" "${zeros[@]}" --inout "x=$files/a.bin"
    same "it stays theirs" "$(stat -c %u:%g "$files/a.bin")" 4321:1234
else
    skip "files of somebody else" "only root has them"
fi

# ---- devices, pipes, standard output under its other names
fresh
fhec "two outputs to /dev/null" 0 "" "${triple[@]}" --out x=/dev/null:128 --out y=/dev/null:128
check "it is still a device" test -c /dev/null
"$FHEC" "${triple[@]}" "${zeros[@]}" --out x=/dev/stdout:128 --hash x >"$files/a.bin"
same "/dev/stdout that is a file" "$? $(tail -c +129 "$files/a.bin" | cut -c 33-)" "0   x"
"$FHEC" "${triple[@]}" "${zeros[@]}" --out x=/dev/stdout:128 | cmp - <(head -c 128 /dev/zero)
same "/dev/stdout that is a pipe" "${PIPESTATUS[*]}" "0 0"
echo before >"$files/a.bin"
"$FHEC" "${triple[@]}" "${zeros[@]}" --out x=/dev/stderr:128 2>>"$files/a.bin"
same "/dev/stderr that is a file" \
    "$? $(stat -c %s "$files/a.bin") $(head -c 6 "$files/a.bin")" "0 135 before"
"$FHEC" "${triple[@]}" "${zeros[@]}" --out x=/dev/fd/3:128 3>"$files/a.bin"
same "/dev/fd/3" "$? $(stat -c %s "$files/a.bin")" "0 128"
mkfifo "$files/fifo"
cat "$files/fifo" >"$files/a.bin" &
fhec "a named pipe" 0 "" "${triple[@]}" "${zeros[@]}" --out "x=$files/fifo:128"
wait
same "gets it" "$(stat -c %s "$files/a.bin")" 128
check "and stays a pipe" test -p "$files/fifo"
no_others "pipes" "a.bin b.bin fifo "
fhec "a folder" 4 "cannot write $files: Is a directory" \
    "${triple[@]}" "${zeros[@]}" --out "x=$files:128"
fhec "a folder that is not there" 4 "cannot write $tmp/none/x: No such file or directory" \
    "${triple[@]}" "${zeros[@]}" --out "x=$tmp/none/x:128"
long=$(printf '%0255d' 0)
fhec "a name of 255 letters" 0 "" "${triple[@]}" "${zeros[@]}" --out "x=$files/$long:128"
check "is written" test -s "$files/$long"

# ---- standard output that is lost: status 4, said once, and no output file
lost() { # lost NAME ARGUMENTS...
    local name=$1
    shift
    "$FHEC" "$@" >/dev/full 2>"$tmp/said"
    same "$name, on a full disk" \
        "$? $(grep -c 'cannot write to standard output: No space left' "$tmp/said")" "4 1"
}
if [ -e /dev/full ]; then
    fresh
    lost "--help" --help
    lost "--version" --version
    lost "help" help
    for command in as dis lint run ntt bconv eltwise ckks bigint report layout isa test; do
        lost "$command --help" $command --help
        lost "$command --usage" $command --usage
    done
    lost "ntt --map=help" ntt --map=help
    lost "as --list" as "$tmp/triple.sass" --list -o "$files/new"
    lost "as -o -" as "$tmp/triple.sass" -o -
    lost "dis" dis "$tmp/triple.sass"
    lost "run, a list" run "$tmp/triple.sass"
    lost "run --hash" "${triple[@]}" "${zeros[@]}" --inout "x=$files/a.bin" --hash x
    lost "run --stats" "${triple[@]}" "${zeros[@]}" --inout "x=$files/a.bin" --stats=json
    lost "run --out /dev/stdout" "${triple[@]}" --out x=/dev/stdout:128 --inout "y=$files/a.bin"
    lost "ntt --hash" ntt --n 256 --seed 1 --hash --out "$files/new"
    lost "eltwise --stats" eltwise add --n 64 --stats --out "$files/new"
    lost "layout" layout
    lost "isa" isa IADD3
    lost "test" test tests/kernels/matmul.sass
    printf 'print 1\ninfo launches\n' >"$tmp/look"
    lost "debug, a script" debug "${triple[@]:1}" "${zeros[@]}" --out "x=$files/new:128" --batch -x "$tmp/look"
    lost "debug, of a plan" debug ntt --n 256 --batch -x "$tmp/look"
    "$FHEC" debug "${triple[@]:1}" "${zeros[@]}" --out "x=$files/new:128" <"$tmp/look" >/dev/full 2>"$tmp/said"
    same "debug, lines of standard input" "$? $(grep -c 'cannot write to standard output' "$tmp/said")" "4 1"
    lost "time" time "${triple[@]:1}" "${zeros[@]}" --out "x=$files/new:128"
    lost "why" why "${triple[@]:1}" "${zeros[@]}" --out "x=$files/new:128" 'x[0]'
    cp "$files/a.bin" "$tmp/x"
    cp "$files/b.bin" "$tmp/y"
    "$FHEC" mutate --limit 2 "${triple[@]}" --inout "y=$tmp/y" --inout "x=$tmp/x" \
        --expect "x=$tmp/thrice" >/dev/full 2>"$tmp/said"
    same "mutate, whose children print elsewhere" "$? $(grep -v '^fhec mutate: error: cannot write to standard output: No space' "$tmp/said" | grep -c error)" "4 0"
    # Servers: what the client is told.
    printf 'Content-Length: 59\r\n\r\n{"seq":1,"type":"request","command":"initialize","args":{}}' >"$tmp/client"
    "$FHEC" dap <"$tmp/client" >/dev/full 2>"$tmp/said"
    same "dap" "$? $(cat "$tmp/said")" "4 fhec dap: error: cannot write to the client: No space left on device"
    printf 'Content-Length: 46\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"initialize"}' >"$tmp/client"
    "$FHEC" lsp <"$tmp/client" >/dev/full 2>"$tmp/said"
    same "lsp" "$? $(cat "$tmp/said")" "4 fhec lsp: error: cannot write to the client: No space left on device"
    unchanged "after all that"
    no_others "lost output"
    "$FHEC" "${triple[@]}" "${zeros[@]}" --inout "x=$files/a.bin" --hash x >&- 2>"$tmp/said"
    same "closed standard output" "$? $(cat "$tmp/said")" \
        "4 fhec run: error: cannot write to standard output: Bad file descriptor"
    unchanged "then"
    "$FHEC" as "$tmp/triple.sass" -o "$files/new" >&- 2>&-
    same "nothing is printed to a closed one" "$? $(head -c 4 "$files/new" | tail -c 3)" "0 ELF"
else
    skip "standard output that is lost" "there is no /dev/full"
fi
done_testing
