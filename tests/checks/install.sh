#!/usr/bin/env bash
# `make install` into a staging folder: the tool runs from there, a program of somebody else builds
# with pkg-config against the shared and the static library, and uninstall leaves nothing.
. "$(dirname "$0")/../tools/tap.sh"

make=("${MAKE:-make}" -s "O=$O" PREFIX=/opt/fhec "DESTDIR=$tmp/stage")
check "make install" "${make[@]}" install
root=$tmp/stage/opt/fhec
for file in bin/fhec lib/libfhec.so lib/libfhec.a include/fhec.h \
    include/fhec_session.h include/fhec_observe.h include/fhec_patch.h include/fhec_call.h include/fhec_limits.h include/fhec_allocations.h lib/pkgconfig/fhec.pc \
    share/man/man1/fhec.1 share/man/man1/fhec-run.1 share/doc/fhec/ISA.md share/doc/fhec/isa.json \
    share/bash-completion/completions/fhec share/zsh/site-functions/_fhec \
    share/fish/vendor_completions.d/fhec.fish; do
    check "it installs $file" test -s "$root/$file"
done
documents=$root/share/doc/fhec
for file in README.md LICENSE docs/*.md docs/*.svg docs/tutorial/* isa_spec/README.md; do
    check "it installs $file" cmp "$file" "$documents/$file"
done
# Every link of an installed page that names no place on the net leads to something installed.
broken=$(find "$documents" -name '*.md' | while read -r page; do
    sed -n 's/.*](\([^)#]*\)[^)]*).*/\1/p' "$page" | grep -v '^[a-z]*:' | while read -r link; do
        [ -e "$(dirname "$page")/$link" ] || echo "${page#"$documents"/}: $link"
    done
done)
same "links of installed pages lead to installed files" "$broken" ""
for file in programs/*.sass; do
    check "it installs $file" cmp "$file" "$root/share/fhec/$file"
done
FHEC=$root/bin/fhec
(cd / && "$FHEC" ntt --n 256 --seed 1 >/dev/null 2>&1)
same "the installed tool runs its kernels" "$?" 0
(cd "$documents" && "$FHEC" test tests/kernels >/dev/null 2>&1)
same "the README's tests are there" "$?" 0

# A program of somebody else's, with the three ways to link it that the README and pkg-config name.
compiler=${CC:-gcc}
consumer=tests/tools/consumer.c
says='k:2:2: error[E010]: unknown mnemonic `EXOT`
k 1'
check "a program builds with the archive" "$compiler" "-I$root/include" -o "$tmp/static" \
    "$consumer" "$root/lib/libfhec.a" -ljansson -lpthread -lm
same "it runs" "$("$tmp/static")" "$says"
check "a program builds with the shared library" "$compiler" -std=c99 -pedantic -Wall -Werror \
    "-I$root/include" -o "$tmp/shared" "$consumer" "-L$root/lib" -lfhec
same "it runs, too" "$(LD_LIBRARY_PATH=$root/lib "$tmp/shared")" "$says"
if command -v pkg-config >/dev/null 2>&1; then
    export PKG_CONFIG_PATH=$root/lib/pkgconfig
    pc() { pkg-config --define-variable=prefix="$root" "$@" fhec; }
    same "pkg-config knows the version" "$(pc --modversion)" "$("$FHEC" --version | cut -d' ' -f2)"
    # shellcheck disable=SC2046 # words
    check "a program builds with pkg-config" "$compiler" -o "$tmp/packaged" "$consumer" \
        $(pc --cflags --libs)
    same "it runs likewise" "$(LD_LIBRARY_PATH=$root/lib "$tmp/packaged")" "$says"
    # shellcheck disable=SC2046 # words
    check "and statically" "$compiler" -static -o "$tmp/alone" "$consumer" $(pc --static --cflags --libs)
    same "without any library to load" "$(cd / && env -i "$tmp/alone")" "$says"
else
    skip "a program with pkg-config" "pkg-config is not installed"
fi
if command -v g++ >/dev/null 2>&1; then
    check "fhec.h is C++ too" g++ -fsyntax-only -Wall -Wextra -Werror -I"$root/include" -x c++ - \
        <<<'#include <fhec.h>'
fi
check "make uninstall" "${make[@]}" uninstall
left=$(find "$tmp/stage" -type f -o -type l)
same "uninstall leaves no file" "$left" ""
done_testing
