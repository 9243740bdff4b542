# shellcheck shell=bash
# Sourced by the shell tests: TAP from bash. A script calls ok, not_ok, skip or the checks below in
# any number and ends with `done_testing`, whose plan shows that the script came to its end.
# It runs in the repository's root with a private folder $tmp; $FHEC is the tool, $O the build.

cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
O=${O:-build/rel}
FHEC=${FHEC:-$O/fhec}
[ -x "$FHEC" ] || { echo "Bail out! $FHEC is not there: build first"; exit 2; }
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
tap_count=0
tap_bad=0

ok() { echo "ok $((++tap_count)) - $1"; }
not_ok() { # not_ok NAME [LINE OF EXPLANATION...]
    echo "not ok $((++tap_count)) - $1"
    tap_bad=1
    shift
    [ $# = 0 ] || printf '%s\n' "$@" | sed 's/^/# /'
}
skip() { echo "ok $((++tap_count)) # SKIP $1: $2"; }
done_testing() {
    echo "1..$tap_count"
    exit "$tap_bad"
}

# check NAME COMMAND...: the command succeeds.
check() {
    local name=$1 said
    shift
    if said=$("$@" 2>&1); then ok "$name"; else not_ok "$name" "$*" "$said"; fi
}

# compiled NAME SCRIPT: what is checked in is what the CUDA compiler makes of its sources, says
# SCRIPT; skipped where that compiler is not there.
compiled() {
    local said
    said=$(sh "$2" check 2>&1)
    case $? in
        0) ok "$1" ;;
        77) skip "$1" "$said" ;;
        *) not_ok "$1" "$2 check" "$said" ;;
    esac
}

# same NAME GOT WANTED: two texts are equal.
same() {
    if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "got:" "$2" "wanted:" "$3"; fi
}

# fhec NAME STATUS TEXT ARGUMENTS...: the tool ends with this exit status, and what it prints (both
# streams together, kept in $said) contains every line of TEXT; TEXT may be empty.
fhec() {
    local name=$1 status=$2 text=$3 got line
    shift 3
    said=$("$FHEC" "$@" 2>&1 </dev/null)
    got=$?
    if [ "$got" != "$status" ]; then
        not_ok "$name" "fhec $*" "exit status $got, wanted $status; it said:" "$said"
        return 1
    fi
    while IFS= read -r line; do
        if [[ $said != *"$line"* ]]; then
            not_ok "$name" "fhec $*" "no \"$line\" in:" "$said"
            return 1
        fi
    done <<<"$text"
    ok "$name"
}

# absent NAME FILE...: none of the files exists, nor a left-over beside them.
absent() {
    local name=$1 file found=
    shift
    for file; do
        found+=$(compgen -G "$file*")
    done
    if [ -z "$found" ]; then ok "$name"; else not_ok "$name" "left behind: $found"; fi
}
