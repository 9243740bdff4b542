#!/usr/bin/env bash
# Who may include whom, and what the library may not call: the directions that the folders promise.
#   asm, emu -> program -> isa_spec -> base, fhec.h; asm and emu never each other
#   golden   -> libc, xxHash  programs -> fhec.h, golden      cli -> base, fhec.h, programs, golden, observe
#   observe  -> include (the public headers), base   editor -> asm and what it may
#   debug    -> include, base, observe
# Folders with rooms: a room includes those before it in its folder's list and nothing else of it.
. "$(dirname "$0")/../tools/tap.sh"

# Prints every quoted include of the folder's files that no folder of the list holds.
foreign() { # foreign FOLDER GENERATED HEADERS ALLOWED FOLDERS...
    local folder=$1 generated=$2
    shift 2
    # shellcheck disable=SC2086 # one name a word
    { printf 'H %s\n' $generated
      find "$folder" "$@" -maxdepth 1 -type f -printf 'H %f\n'
      find "$folder" -maxdepth 1 -type f \( -name '*.[chly]' -o -name '*.inc' \) -exec \
          grep -HE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"]*"' {} +
    } | awk -F'"' '
        /^H / { known[substr($0, 3)]; next }
        !($2 in known) { sub(/:.*/, "", $1); print $1 " includes \"" $2 "\"" }'
}

directions() { # directions FOLDER GENERATED HEADERS, ALLOWED FOLDERS...
    local folder=$1 bad
    [ -n "$(compgen -G "$folder/*.[chly]")" ] || { skip "$folder" "no files"; return; }
    bad=$(foreign "$@")
    same "$folder includes only what it may" "$bad" ""
}

rooms() { # rooms "FOLDERS BELOW" GENERATED HEADERS ROOM...: in the order from the bottom up
    local below=$1 generated=$2 room
    shift 2
    for room; do
        # shellcheck disable=SC2086 # one folder a word
        directions "$room" "$generated" $below
        below+=" $room"
    done
    unknown=$(find "${1%%/*}" -name '*.[chly]' -printf '%h\n' | sort -u |
        grep -vxF -e "${1%%/*}" $(printf -- '-e %s ' "$@"))
    same "${1%%/*} has no room without a place in the order" "$unknown" ""
}

tables="isa_names.h handlers.h"
directions base "" include
directions isa_spec "$tables" include base
directions isa_spec/gen "$tables isa_lexer.h isa_parser.h" include base isa_spec
isa="include base isa_spec"
rooms "$isa" "$tables" program program/object program/text program/lint
directions asm "$tables" include base isa_spec program program/{object,text,lint}
rooms "$isa program" "$tables" emu/{memory,exec,access,matrix,simd,decode,parallel,session}
directions golden ""
directions programs "" include golden
rooms "include base" "" observe/{finding,trace,definedness,race,origin,check,profile,difference,uses,accelsim,timing,blocks}
directions editor "$tables" include base isa_spec program program/{object,text,lint} asm
directions debug "" include base observe/{finding,trace,definedness,race,origin,check,profile,difference,uses,accelsim,timing,blocks}
observing=$(echo observe/{finding,trace,definedness,race,origin,check,profile,difference,uses,accelsim,timing,blocks})
rooms include "" cuda/{image,device,core,runtime,driver}
rooms "include base golden programs editor debug cuda/image cuda/device cuda/core $observing" "" \
    cli/{process,data,program,check,mutate,machine,trace,difference,run,why,layout} \
    cli/{debug,blocks,workload,test,report,time,start,sweep,sweep/mpi,cuda,lsp,dap} cli

# Angle brackets: golden knows libc, threads, pages of memory, xxHash and what the compiler has for vectors only; nobody includes a project header that way.
bad=$(grep -nE '^ *# *include *<' golden/*.[ch] | grep -vE '<(assert|immintrin|inttypes|limits|math|pthread|stdatomic|stdbool|stddef|stdint|stdio|stdlib|string|sys/mman|xxhash)\.h>')
same "golden includes libc, xxHash and vectors only" "$bad" ""
bad=$(grep -nE '^ *# *include *<(fhec|isa|program|exec|golden|programs)\.h>' -r include base isa_spec program asm emu golden programs observe cli)
same "project headers are included in quotes" "$bad" ""
# The emulator and the references share no helper: neither mentions the other's names.
bad=$(grep -rnE 'fh_golden|golden\.h' base isa_spec program asm emu 2>/dev/null)
same "assembler and emulator do not know golden" "$bad" ""
done_testing
