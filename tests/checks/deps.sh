#!/usr/bin/env bash
# What fhec needs of a machine, and whether tests/tools/deps.sh names it: all packages at once where there
# is nothing at all, each by itself, and every system header that a source includes.
. "$(dirname "$0")/../tools/tap.sh"

table=$(sh tests/tools/deps.sh --list)
shell=$(command -v sh)
packages_of() { # packages_of KIND
    awk -v kind="$1" '$2 == kind { print $1 }' <<<"$table" | sort -u
}
named() { # named OUTPUT: the packages in it, one a line
    sed -n 's/.*packages (Debian and Ubuntu names): //p; s/.*are skipped without these: //p' <<<"$1" | tr ' ' '\n' | sort -u
}

# Nothing but the shell: every program is missing, and no other is called to say so.
said=$(env -i PATH=/nonexistent "$shell" tests/tools/deps.sh 2>&1)
same "it ends with 1 where nothing is there" "$?" 1
same "every program is named at once" "$(comm -23 <(packages_of command) <(named "$said"))" ""
same "and so is the library of C++" "$(grep -c '^g++$' <<<"$(named "$said")")" 1
same "it says nothing else" "$(wc -l <<<"$said")" 2
said=$(env -i PATH=/nonexistent CC=clang "$shell" tests/tools/deps.sh build 2>&1)
same "the compiler is that which is asked for" "$(named "$said" | grep -E '^(gcc|clang)$')" clang

# Each by itself: the others are there, whether this machine has them or not.
mkdir "$tmp/all"
stub() { printf '#!%s\n%s\n' "$shell" "$2" >"$tmp/all/$1"; chmod +x "$tmp/all/$1"; }
while read -r _ kind name; do
    [ "$kind" != command ] || stub "$name" 'exit 0'
done <<<"$table"
# A compiler that finds all headers and libraries but one, and knows neither apt nor clang's runtime.
# shellcheck disable=SC2016 # for the stub
stub gcc 'for a; do last=$a; [ "$a" != "$MISSING" ] || exit 1; case $a in -print-file-name=*) [ "$a" = "-print-file-name=lib$MISSING.so" ] && echo no || echo /lib/x; esac; done; exit 0'
# shellcheck disable=SC2016 # for the stub
stub clang 'case $1 in -print-file-name=*) echo /dev/null ;; -dumpmachine) echo x-y ;; esac'
ask() { env -i PATH="$1" MISSING="${2-}" "$shell" tests/tools/deps.sh 2>&1; }
same "it is silent where all is there" "$(ask "$tmp/all")" ""
while read -r package kind name; do
    if [ "$kind" = command ]; then
        case $name in gcc | clang) continue ;; esac # every other answer depends on them
        mkdir "$tmp/but"
        cp "$tmp/all/"* "$tmp/but"
        rm "$tmp/but/$name"
        said=$(ask "$tmp/but")
        rm -r "$tmp/but"
    else
        said=$(ask "$tmp/all" "$name")
    fi
    same "without $name $package is named, and nothing else" "$(named "$said")" "$package"
done <<<"$table"

# Who calls make alone is told likewise, and so is who put fhec where make cannot work.
said=$(env -i PATH="$tmp/all" "$(command -v make)" missing="fhec needs these packages: none" 2>&1)
same "make alone stops where packages are missing" "${said##*\*\*\* }" "fhec needs these packages: none.  Stop."
mkdir "$tmp/a folder"
cp -R Makefile make "$tmp/a folder"
said=$("${MAKE:-make}" -C "$tmp/a folder" 2>&1)
same "a folder with a space in its name is told in a sentence" "$(grep -c '\*\*\*.*put fhec into a folder without one' <<<"$said")" 1

# Headers: those of the C library and the compiler, and those of the table.
libc="arpa/inet.h argp.h argz.h assert.h complex.h cpuid.h ctype.h dirent.h dlfcn.h emmintrin.h endian.h errno.h
error.h execinfo.h fcntl.h fenv.h float.h fnmatch.h ftw.h getopt.h glob.h immintrin.h inttypes.h libgen.h limits.h link.h
locale.h malloc.h math.h netdb.h netinet/in.h poll.h pthread.h pty.h sched.h search.h semaphore.h setjmp.h signal.h
spawn.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdio_ext.h stdlib.h stdnoreturn.h string.h
strings.h sysexits.h termios.h threads.h time.h ucontext.h unistd.h utmp.h wchar.h wctype.h x86intrin.h elf.h"
included=$(git ls-files '*.c' '*.h' '*.l' '*.y' ':!:docs' ':!:tests/tools/consumer.c' 2>/dev/null | xargs sed -n 's/^ *# *include <\([^>]*\)>.*/\1/p' |
    grep -vE '^(sys/|c[a-z]+$)' | sort -u) # cstdio and its like are C++'s
unknown=$(comm -23 <(echo "$included") <({ tr -s ' ' '\n' <<<"$libc"; awk '$2 == "header" { print $3 }' <<<"$table"; } | sort -u))
same "every system header is libc's, or has its package" "$unknown" "$(printf '%s\n' cuda.h cuda_runtime.h mpi.h | comm -12 - <(echo "$included"))"
done_testing
