#!/usr/bin/env bash
# Files of at most 600 lines, lines of C and Python of at most 100 columns; functions of more than 60
# lines are reported, not failed: now and then a table or a switch reads better in one piece.
. "$(dirname "$0")/../tools/tap.sh"

mapfile -t files < <(find include base isa_spec program asm emu golden programs observe editor debug cuda cli tests docs .ci Makefile \
    -type f \( -name '*.[chly]' -o -name '*.inc' -o -name '*.js' -o -name '*.cuh' -o -name '*.mk' -o -name '*.isa' -o -name '*.sh' \
    -o -name '*.sass' -o -name '*.py' -o -name run -o -name Makefile \) | sort)
long=$(wc -l "${files[@]}" | awk '$2 != "total" && $1 > 600 {print $2 ": " $1 " lines"}')
same "no file is longer than 600 lines" "$long" ""
wide=$(awk 'length($0) > 100 {print FILENAME ":" FNR ": " length($0) " columns"}' \
    $(printf '%s\n' "${files[@]}" | grep -E '\.([chly]|cuh|py)$'))
same "no line of C or Python is wider than 100 columns" "$wide" ""
tabs=$(grep -lP '\t' $(printf '%s\n' "${files[@]}" | grep '\.[ch]$'))
same "no tab in a C file" "$tabs" ""

# A function: from a line that starts at column one and is no directive, comment or type to the
# closing brace at column one.
awk '
    FNR == 1 { start = 0 }
    /^[a-zA-Z].*\)[[:space:]]*\{$/ || (/^[[:space:]].*\)[[:space:]]*\{$/ && head) { start = FNR; name = $0 }
    /^[a-zA-Z].*[(,]/ && !/;$/ { head = 1; if (!start) title = $0 }
    /^\}/ { if (start && FNR - start > 60) print "# note: " FILENAME ":" start ": a function of " FNR - start " lines"; start = 0; head = 0 }
' $(printf '%s\n' "${files[@]}" | grep '\.c$')
done_testing
