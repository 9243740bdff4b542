#!/usr/bin/env bash
# No two files know each other, directly or through others, nor do two folders: from the includes, and
# from the symbols that objects define and use.
. "$(dirname "$0")/../tools/tap.sh"

# Circles that are there, one a line as the tool prints them: none.
allowed=
circles=$PWD/tests/tools/circles.py
same "no circles but those that are listed" \
    "$(python3 "$circles" "$O" 100 <<<"$allowed" 2>&1)" ""

# What the check itself sees: two files by their symbols, two headers by their includes, two folders by
# one of each, two rooms, and an entry of the list that is out of date.
mkdir -p "$tmp"/{base,isa_spec,emu/exec,emu/access} "$tmp"/build/{base,isa_spec}
echo 'int b(void); int a(void) { return b(); }' >"$tmp/base/a.c"
echo 'int a(void); int b(void) { return a(); }' >"$tmp/base/b.c"
printf '#pragma once\n#include "d.h"\n' >"$tmp/base/c.h"
printf '#pragma once\n#include "c.h"\n' >"$tmp/base/d.h"
printf '#include "c.h"\nint e(void) { return 0; }\n' >"$tmp/isa_spec/e.c"
printf '#include "h.h"\n' >"$tmp/emu/exec/g.h"
touch "$tmp/emu/exec/i.h"
printf '#include "i.h"\n' >"$tmp/emu/access/h.h"
echo 'int e(void); int f(void) { return e(); }' >"$tmp/base/f.c"
(cd "$tmp" && for file in base/a base/b base/f isa_spec/e; do
    "${CC:-gcc}" -Ibase -c -o "build/$file.o" "$file.c" || exit 1
done)
same "the check itself sees circles" \
    "$(cd "$tmp" && python3 "$circles" build 4 <<<"base: base/g.c base/h.c")" \
    "base: base/a.c base/b.c
base: base/c.h base/d.h
folders: base isa_spec
folders: emu/access emu/exec
no circle any more: base: base/g.c base/h.c"
same "and that there is nothing to see" \
    "$(cd "$tmp" && python3 "$circles" build 5 </dev/null 2>&1)" "only 4 objects in build"
done_testing
