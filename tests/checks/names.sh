#!/usr/bin/env bash
# The repository stands alone: no file mentions paths of a machine or where it was written. The one
# outside path is the folder of oracle data, which tests may use when it is there.
. "$(dirname "$0")/../tools/tap.sh"

outside="/wor""k/|/hom""e/|/roo""t/|/tm""p/[a-z]+-build|\.\./sha""red/[a-z]*"
files() { git ls-files -z --cached --others --exclude-standard; }
bad=$(files | xargs -0 grep -HnIE "$outside" -- 2>/dev/null | grep -v '\.\./shared/oracles')
same "no file names a path of somebody's machine" "$bad" ""
top=$(git ls-files --cached --others --exclude-standard | sed -n 's|/.*||p' | sort -u |
    grep -vxE 'base|program|asm|emu|isa_spec|programs|golden|observe|editor|debug|cuda|tests|include|cli|docs|editors|make|packaging|\.ci|\.github')
same "no folder at the top but the known ones" "$top" ""
binary=$(files | xargs -0 sh -c 'find "$@" -maxdepth 0 -type f -size +1000000c 2>/dev/null' sh)
same "no file of more than a megabyte" "$binary" ""
twice=$(git ls-files --cached --others --exclude-standard '*.c' '*.h' '*.l' '*.y' '*.inc' '*.def' |
    grep -v '^tests/' | sed 's|.*/||' | sort | uniq -d)
same "no source file's name twice outside the tests: a name has one meaning" "$twice" ""
done_testing
