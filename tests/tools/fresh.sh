#!/usr/bin/env bash
# fresh.sh ROOT [SUITE...]: fhec on a stranger's machine. In roots that debootstrap makes in the folder
# ROOT, of Debian 12 and 13 with nothing but git, ca-certificates and make, a clone of this repository's HEAD
# does what the README says: as root, where packages install themselves, and as a user without sudo,
# where exactly the packages that were named are installed. Prints TAP.
#
# FRESH_TESTS='check/*' restricts `make test`; FRESH_USERS='root', 'stranger' or 'package' what is done.
# Needs root, debootstrap and a mirror of Debian, and is skipped without; an hour for each suite.
set -u
cd "$(dirname "$0")/../.." || exit 2
[ $# -ge 1 ] || { sed -n '2,9s/^# *//p' "$0" >&2; exit 2; }
mkdir -p "$1" && rooms=$(cd "$1" && pwd) || exit 2
shift
[ $# -ge 1 ] || set -- bookworm trixie
for why in "$([ "$(id -u)" = 0 ] || echo "chroot is root's alone")" \
    "$(command -v debootstrap >/dev/null || echo "debootstrap is not installed")"; do
    [ -z "$why" ] || { printf '1..1\nok 1 # SKIP %s\n' "$why"; exit 0; }
done

count=0 bad=0
ok() { echo "ok $((++count)) - $where: $1"; }
not_ok() { # not_ok NAME FILE: the end of a log explains it
    echo "not ok $((++count)) - $where: $1"
    bad=1
    tail -n 15 "$2" | sed 's/^/# /'
}
skip() { echo "ok $((++count)) # SKIP $where: $1"; }

# ---------------------------------------------------------------- rooms

leave() { # a root that must not be removed while the host's folders are mounted in it
    local mounted
    for mounted in dev/pts dev proc; do
        mountpoint -q "$root/$mounted" && umount "$root/$mounted"
    done
}
trap 'leave 2>/dev/null' EXIT
enter() { # enter SUITE NAME: a new root, with the clone of a user
    root=$rooms/$1.$2
    leave
    rm -rf --one-file-system "$root"
    cp -a "$rooms/$1.base" "$root" || return
    mount -t proc proc "$root/proc" && mount --bind /dev "$root/dev" && mount --bind /dev/pts "$root/dev/pts"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    # A proxy's certificates are the host's, as its network is.
    [ -z "${NODE_EXTRA_CA_CERTS-}" ] || cp "$NODE_EXTRA_CA_CERTS" "$root/etc/ssl/host.crt"
    [ "$2" = root ] || in_root root "useradd -m -d /$2 -s /bin/bash $2"
    clone=/$2/fhec
    git clone -q . "$root$clone" && in_root root "chown -R $2: /$2/fhec"
}
in_root() { # in_root USER COMMAND
    local run=(env -i "HOME=/$1")
    [ "$1" = root ] || run=(runuser -u "$1" -- "${run[@]}")
    [ ! -e "$root/etc/ssl/host.crt" ] || run+=(NODE_EXTRA_CA_CERTS=/etc/ssl/host.crt)
    chroot "$root" "${run[@]}" LANG=C.UTF-8 TERM=xterm-256color \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin bash -c "$2"
}
# step NAME USER COMMAND: in the clone that `enter` has made.
step() {
    local log=$rooms/$where.${1//[^a-z0-9]/_}.log
    if in_root "$2" "cd $clone && { $3; }" >"$log" 2>&1 </dev/null; then ok "$1"; else not_ok "$1" "$log"; return 1; fi
}
base_of() { # base_of SUITE
    [ ! -e "$rooms/$1.base/.complete" ] || return 0
    rm -rf --one-file-system "$rooms/$1.base"
    debootstrap --variant=minbase --include=git,ca-certificates,make "$1" "$rooms/$1.base" \
        >"$rooms/$1.debootstrap.log" 2>&1 && touch "$rooms/$1.base/.complete"
}

# ---------------------------------------------------------------- what a stranger does

tests=${FRESH_TESTS:+TESTS=\'$FRESH_TESTS\'}
# shellcheck disable=SC2016 # for the shell in the root
first_kernel='export PATH=$PWD/build/rel:$PATH && mkdir -p /tmp/first && sed -n "/^\`\`\`sass/,/^\`\`\`/p" README.md |
    grep -v "^\`\`\`" >/tmp/first/square.sass && cd /tmp/first && head -c 256 /dev/urandom >x.bin &&
    fhec run square.sass --grid 1 --block 64 --arg q=998244353 --inout x=x.bin --hash x --stats &&
    fhec as square.sass --list && fhec isa MODMUL'
# shellcheck disable=SC2016 # likewise
full_screen='tmux new-session -d -s fresh -x 120 -y 40 "build/rel/fhec debug /tmp/first/square.sass --tui \
    --grid 1 --block 32 --arg q=7 --inout x=/tmp/first/x.bin" && sleep 3 &&
    tmux capture-pane -p -t fresh | tee /dev/stderr | grep "^fragments: "; shown=$?; tmux kill-server; exit $shown'
# shellcheck disable=SC2016 # likewise
consumers='cc -o /tmp/shared tests/tools/consumer.c $(pkg-config --cflags --libs fhec) && /tmp/shared &&
    cc -static -o /tmp/static tests/tools/consumer.c $(pkg-config --static --cflags --libs fhec) && /tmp/static &&
    cc -o /tmp/archive tests/tools/consumer.c /usr/local/lib/libfhec.a -ljansson -lpthread -lm && /tmp/archive'

whole_verdict() { # the last line of a log of `make test`
    grep -qE '^[0-9]+ passed, 0 failed' <(tail -n 1 "$rooms/$where.make_test.log")
}
as_root() { # as_root SUITE
    where=$1.root
    enter "$1" root || return
    step "make demo" root "make demo" || return
    step "make test" root "make test $tests"
    whole_verdict || not_ok "its verdict" "$rooms/$where.make_test.log"
    step "the first kernel" root "$first_kernel"
    step "the full screen" root "$full_screen"
    step "make install" root "make install && cd / && fhec ntt --n 256"
    step "consumers" root "$consumers"
    step "the packages of MPI" root "apt-get install -y -q --no-install-recommends libopenmpi-dev openmpi-bin"
    step "make MPI=1" root "make MPI=1"
    step "make vsix" root "make vsix"
    step "what packages are made with" root "apt-get install -y -q --no-install-recommends build-essential debhelper lintian"
    step "make deb, and lintian" root "make deb"
    rm -rf "$rooms/$1.debs"
    cp -a "$root$clone/build/rel/deb" "$rooms/$1.debs"
}
# The packages that as_root has made, in a root of their own, with the tests that they bring.
as_package() { # as_package SUITE
    where=$1.package
    [ -d "$rooms/$1.debs" ] || { skip "there are no packages: they are made as root"; return; }
    enter "$1" root || return
    mkdir "$root/debs" && cp "$rooms/$1.debs"/*fhec*_*.deb "$root/debs" && rm "$root/debs"/*dbgsym*
    step "installing the packages" root \
        "apt-get install -y -q --no-install-recommends /debs/*.deb gcc libc6-dev pkg-config" || return
    step "the tool" root "sh packaging/debian/tests/tool"
    step "the library" root "sh packaging/debian/tests/library"
}
# The packages that a log names, but for those of tests that may be skipped.
named_in() { sed -n 's/^.*fhec needs these packages (Debian and Ubuntu names): //p; s/^some tests are skipped without these: //p' "$1"; }
as_stranger() { # as_stranger SUITE
    where=$1.stranger
    enter "$1" stranger || return
    local command log="$rooms/$1.stranger.named.log"
    for command in "make" "make demo" "make test"; do
        in_root stranger "cd $clone && $command" >"$log" 2>&1 </dev/null
        packages=$(named_in "$log" | tr '\n' ' ' | sed 's/\.  Stop\.//')
        if [ -n "$packages" ]; then ok "$command names packages"; else not_ok "$command names packages" "$log"; return; fi
        step "installing what $command names" root \
            "DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $packages" || return
        step "$command" stranger "$command $([ "$command" != "make test" ] || echo "$tests")"
    done
    whole_verdict || not_ok "its verdict" "$rooms/$where.make_test.log"
    step "the first kernel" stranger "$first_kernel"
    step "the full screen" stranger "$full_screen"
    step "make install into one's own folder" stranger "make install PREFIX=~/own && cd / && ~/own/bin/fhec ntt --n 256"
}

for suite; do
    where=$suite
    if ! base_of "$suite"; then
        skip "debootstrap makes no root of it"
        continue
    fi
    for user in ${FRESH_USERS:-root stranger package}; do
        case $user in
            root) as_root "$suite" ;;
            stranger) as_stranger "$suite" ;;
            package) as_package "$suite" ;;
        esac
        leave
    done
done
echo "1..$count"
exit "$bad"
