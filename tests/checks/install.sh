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

cat >"$tmp/user.c" <<'EOF'
#include <fhec.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    static const char source[] = ".kernel k\n EXIT ;\n.end\n";
    fhec_program *program;
    fhec_kernel_info info;
    if (fhec_assemble("k", source, strlen(source), NULL, &program) != FHEC_OK)
        return 1;
    if (fhec_kernel_get(program, 0, &info) != FHEC_OK)
        return 1;
    printf("%s %u\n", info.name, (unsigned)info.word_count);
    fhec_program_free(program);
    return 0;
}
EOF
if command -v pkg-config >/dev/null 2>&1; then
    export PKG_CONFIG_PATH=$root/lib/pkgconfig
    pc() { pkg-config --define-variable=prefix="$root" "$@" fhec; }
    same "pkg-config knows the version" "$(pc --modversion)" "$("$FHEC" --version | cut -d' ' -f2)"
    # shellcheck disable=SC2046 # words
    check "a program builds with the shared library" gcc -std=c99 -pedantic -Wall -Werror \
        -o "$tmp/shared" "$tmp/user.c" $(pc --cflags --libs)
    same "it runs" "$(LD_LIBRARY_PATH=$root/lib "$tmp/shared")" "k 1"
    # shellcheck disable=SC2046 # words
    check "a program builds with the static library" gcc -o "$tmp/static" "$tmp/user.c" \
        $(pc --cflags) "$root/lib/libfhec.a" $(pc --static --libs-only-l | sed 's/-lfhec//')
    same "it runs too" "$("$tmp/static")" "k 1"
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
