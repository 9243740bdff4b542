#!/usr/bin/env bash
# Who may include whom, and what the library may not call: the directions that the folders promise.
#   base     -> libc          isa_spec -> base, fhec.h        asm, emu -> those, never each other
#   golden   -> libc, xxHash  programs -> fhec.h, golden      cli -> base, fhec.h, programs, golden
. "$(dirname "$0")/../tools/tap.sh"

# Prints every quoted include of the folder's files that no folder of the list holds.
foreign() { # foreign FOLDER ALLOWED FOLDERS... ; GENERATED names allowed too
    local folder=$1 file name dir found
    shift
    for file in "$folder"/*.[chly] "$folder"/gen/*.[chly]; do
        [ -e "$file" ] || continue
        sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$file" |
            while read -r name; do
                found=
                for dir in "$(dirname "$file")" "$@"; do
                    [ -e "$dir/$name" ] && found=1
                done
                [[ " $generated " == *" $name "* ]] && found=1
                [ -n "$found" ] || echo "$file includes \"$name\""
            done
    done
}

directions() { # directions FOLDER GENERATED HEADERS, ALLOWED FOLDERS...
    local folder=$1 generated=$2 bad
    shift 2
    [ -n "$(compgen -G "$folder/*.[chly]")" ] || { skip "$folder" "no files"; return; }
    bad=$(foreign "$folder" "$@")
    same "$folder includes only what it may" "$bad" ""
}

tables="isa_names.h handlers.h lane_ref.inc lane_fast.inc"
directions base ""
directions isa_spec "$tables lexer.h parser.h" include base isa_spec
directions asm "$tables lexer.h parser.h" include base isa_spec
directions emu "$tables" include base isa_spec
directions golden ""
directions programs "" include golden
directions cli "" include base golden programs

# Angle brackets: golden knows libc and xxHash only; nobody includes a project header that way.
bad=$(grep -nE '^ *# *include *<' golden/*.[ch] | grep -vE '<(assert|inttypes|limits|math|stdbool|stddef|stdint|stdio|stdlib|string|xxhash)\.h>')
same "golden includes libc and xxHash only" "$bad" ""
bad=$(grep -nE '^ *# *include *<(fhec|isa|program|exec|golden|programs)\.h>' -r include base isa_spec asm emu golden programs cli)
same "project headers are included in quotes" "$bad" ""
# The emulator and the references share no helper: neither mentions the other's names.
bad=$(grep -nE 'fh_golden|golden\.h' base/* isa_spec/*.[ch] asm/* emu/* 2>/dev/null)
same "assembler and emulator do not know golden" "$bad" ""
done_testing
