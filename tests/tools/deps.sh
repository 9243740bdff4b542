#!/bin/sh
# Makes sure that everything is there that fhec is built with and, unless "build" is said, tested
# with. Silent and quick when it is. Missing packages are installed with apt when root or a
# passwordless sudo allows it; otherwise they are named in one line and the exit status is 1.
set -u

missing=
need() { # need PACKAGE command NAME | need PACKAGE header FILE
    case $2 in
        command) command -v "$3" >/dev/null 2>&1 && return ;;
        header)
            for dir in /usr/include /usr/local/include /usr/include/*-linux-gnu; do
                [ -e "$dir/$3" ] && return
            done ;;
    esac
    missing="$missing $1"
}

need gcc command gcc
need libc6-dev header stdio.h
need make command make
need flex command flex
need bison command bison
need libxxhash-dev header xxhash.h
need libjansson-dev header jansson.h
need libzstd-dev header zstd.h
need python3 command python3
# What makes the names of C++ readable: libstdc++, which comes with the compiler of C++.
[ "$(gcc -print-file-name=libstdc++.so 2>/dev/null)" != libstdc++.so ] || missing="$missing g++"
if [ "${1:-all}" != build ]; then
    need libcmocka-dev header cmocka.h
    need clang command clang
    need mandoc command mandoc
    need shellcheck command shellcheck
    need librsvg2-bin command rsvg-convert
    need lld command ld.lld
    need xxhash command xxhsum
    need pkg-config command pkg-config
    need libncurses-dev header ncurses.h
    need tmux command tmux
    need libedit-dev header histedit.h
    need libsqlite3-dev header sqlite3.h
    need libmetis-dev header metis.h
    if [ -n "${CI:-}" ]; then # elsewhere the clients that run in node are skipped without it
        need nodejs command node
        need npm command npm
    fi
fi

# clang's sanitizers are a package of their own, named after its version.
need_runtime() {
    command -v clang >/dev/null 2>&1 || return 0
    runtime=$(clang -print-file-name="libclang_rt.asan-$(uname -m).a")
    fuzzer=$(clang -print-file-name="libclang_rt.fuzzer-$(uname -m).a")
    [ -e "$runtime" ] && [ -e "$fuzzer" ] && return
    missing="$missing libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev"
}
[ "${1:-all}" = build ] || need_runtime

[ -n "$missing" ] || exit 0

sudo=
if [ "$(id -u)" != 0 ]; then
    sudo='sudo -n'
    $sudo true >/dev/null 2>&1 || sudo=none
fi
if [ "$sudo" = none ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "fhec needs these packages (Debian and Ubuntu names):$missing" >&2
    exit 1
fi
echo "installing:$missing" >&2
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
install_all() {
    # shellcheck disable=SC2086 # lists of words
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -q --no-install-recommends $missing
}
if install_all >"$log" 2>&1 || { $sudo apt-get update -q >>"$log" 2>&1 && install_all >>"$log" 2>&1; }
then
    missing=
    [ "${1:-all}" = build ] && exit 0
    # The pinned formatter, and those who read profiles, where the distribution has them: what they
    # check is skipped otherwise.
    for package in clang-format-14 valgrind lcov; do
        $sudo apt-get install -y -q --no-install-recommends "$package" >>"$log" 2>&1
    done
    need_runtime
    if [ -z "$missing" ] || install_all >>"$log" 2>&1; then
        exit 0
    fi
fi
tail -n 20 "$log" >&2
echo "fhec needs these packages (Debian and Ubuntu names):$missing" >&2
exit 1
