#!/bin/sh
# deps.sh [build|demo|test]: makes sure that everything is there that fhec is built, shown and tested
# with (by default all). Silent and quick when it is. Missing packages are installed with apt when
# root or a passwordless sudo allows it; otherwise they are named in one line, all at once, and the
# exit status is 1. What only some tests are for, and are skipped without, is installed too, or named
# in a second line; for its sake alone the status is 0.
#
# deps.sh build --name installs nothing. deps.sh --list prints the table: PACKAGE KIND NAME.
# CC is the compiler (gcc), CFLAGS its flags, FLEX and BISON these two. Names are Debian's and Ubuntu's.
set -u

compiler=${CC:-gcc}
compiler=${compiler##* } # behind ccache, say
case $compiler in
    */*) compiler_package= ;; # somebody's own
    cc) compiler_package="gcc command cc" ;;
    aarch64-linux-gnu-gcc*) compiler_package="gcc-aarch64-linux-gnu command $compiler" ;;
    *) compiler_package="$compiler command $compiler" ;;
esac

# PACKAGE KIND NAME. Nothing but the shell's own commands is used until something is to be installed.
build_needs="$compiler_package
g++ library stdc++
libc6-dev header stdio.h
make command make
binutils command ar
binutils command nm
flex command ${FLEX:-flex}
bison command ${BISON:-bison}
libxxhash-dev header xxhash.h
libjansson-dev header jansson.h
libzstd-dev header zstd.h"
demo_needs="python3 command python3"
test_needs="gcc command gcc
git command git
libcmocka-dev header cmocka.h
clang command clang
mandoc command mandoc
shellcheck command shellcheck
librsvg2-bin command rsvg-convert
lld command ld.lld
xxhash command xxhsum
pkg-config command pkg-config
libncurses-dev header ncurses.h
libedit-dev header histedit.h
libsqlite3-dev header sqlite3.h
libmetis-dev header metis.h
liblzma-dev header lzma.h
procps command pgrep
tmux command tmux
xz-utils command xz"
# Where the distribution has them.
some_tests_need="clang-format-14 command clang-format-14
valgrind command callgrind_annotate
lcov command genhtml
nodejs command node
npm command npm"

# ---------------------------------------------------------------- what is missing

has_header() { # as the compiler finds it; without a compiler, in the usual folders
    if command -v "$compiler" >/dev/null 2>&1; then
        # shellcheck disable=SC2086 # a list of words
        "$compiler" ${CFLAGS:-} -E -include "$1" -x c /dev/null >/dev/null 2>&1
        return
    fi
    for dir in /usr/include /usr/local/include /usr/include/*-linux-gnu; do
        [ -e "$dir/$1" ] && return
    done
    return 1
}
has_library() { # as the compiler finds it; without a compiler it is missing with it
    case $("$compiler" "-print-file-name=lib$1.so" 2>/dev/null) in /*) return 0 ;; *) return 1 ;; esac
}
is_there() { # is_there KIND NAME
    case $1 in
        command) command -v "$2" >/dev/null 2>&1 ;;
        header) has_header "$2" ;;
        library) has_library "$2" ;;
    esac
}
known() { # by the distribution, as far as its lists are here
    command -v apt-cache >/dev/null 2>&1 || return 0
    [ -n "$(apt-cache show "$1" 2>/dev/null)" ]
}
# Each package once.
add_missing() { case " $missing " in *" $1 "*) ;; *) missing=${missing:+$missing }$1 ;; esac; }
add_extra() { case " $missing $extra " in *" $1 "*) ;; *) extra=${extra:+$extra }$1 ;; esac; }
look_for() { # look_for TABLE
    while read -r package kind name; do
        [ -z "$package" ] || is_there "$kind" "$name" || add_missing "$package"
    done <<END
$1
END
}
look_for_extra() { # look_for_extra TABLE
    while read -r package kind name; do
        is_there "$kind" "$name" || ! known "$package" || add_extra "$package"
    done <<END
$1
END
}
# The version of clang that is installed, or the distribution's, which will be.
clang_version() {
    if command -v clang >/dev/null 2>&1; then
        version=$(clang -dumpversion)
        echo "${version%%.*}"
        return
    fi
    apt-cache show clang 2>/dev/null | while read -r key rest; do
        case $key:$rest in
            Depends:*clang-[0-9]*)
                version=${rest##*clang-}
                echo "${version%%[!0-9]*}"
                return ;;
        esac
    done
}
# clang's sanitizers are a package of their own, named after its version.
look_for_runtime() {
    if command -v clang >/dev/null 2>&1; then
        machine=$(clang -dumpmachine)
        machine=${machine%%-*}
        runtime=$(clang -print-file-name="libclang_rt.asan-$machine.a")
        fuzzer=$(clang -print-file-name="libclang_rt.fuzzer-$machine.a")
        [ -e "$runtime" ] && [ -e "$fuzzer" ] && return
    fi
    version=$(clang_version)
    [ -n "$version" ] || return 0 # nobody here knows
    if known "libclang-rt-$version-dev"; then
        add_missing "libclang-rt-$version-dev"
    else
        add_missing "libclang-common-$version-dev"
    fi
}
look() {
    missing='' extra=''
    look_for "$build_needs"
    [ "$what" = build ] || look_for "$demo_needs"
    [ "$what" = test ] || return 0
    look_for "$test_needs"
    look_for_runtime
    look_for_extra "$some_tests_need"
}

# ---------------------------------------------------------------- installing

what=test name_only=
for argument; do
    case $argument in
        build | demo | test) what=$argument ;;
        --name) name_only=1 ;;
        --list)
            printf '%s\n' "$build_needs" "$demo_needs" "$test_needs" "$some_tests_need"
            exit ;;
        *) echo "usage: deps.sh [build|demo|test] [--name | --list]" >&2; exit 2 ;;
    esac
done
name() {
    [ -z "$missing" ] || echo "fhec needs these packages (Debian and Ubuntu names): $missing" >&2
    [ -z "$extra" ] || echo "some tests are skipped without these: $extra" >&2
    [ -z "$missing" ]
    exit
}

look
[ -n "$missing$extra" ] || exit 0
command -v apt-get >/dev/null 2>&1 || name_only=1
sudo=
if [ -z "$name_only" ] && [ "$(id -u)" != 0 ]; then
    sudo='sudo -n'
    $sudo true >/dev/null 2>&1 || name_only=1
fi
[ -z "$name_only" ] || name

log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
install_all() {
    # shellcheck disable=SC2086 # lists of words
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -q --no-install-recommends $1 >>"$log" 2>&1
}
echo "installing: $missing $extra" >&2
if install_all "$missing $extra"; then
    :
elif $sudo apt-get update -q >>"$log" 2>&1; look; install_all "$missing $extra"; then
    : # the lists were old, or none
else
    for package in $missing $extra; do # one that cannot be had does not keep the others away
        install_all "$package"
    done
fi
look
[ -z "$missing" ] || tail -n 20 "$log" >&2
name
