#!/usr/bin/env bash
# What others take fhec by: the source archive has all that a build needs, the action's script runs a
# repository's kernels, and versions agree wherever one is written.
. "$(dirname "$0")/../tools/tap.sh"

version=$(sed -n 's/.*FHEC_VERSION *"\(.*\)".*/\1/p' include/fhec.h)
same "the changelog begins with this version" "$(grep -m1 '^## ' CHANGELOG.md | cut -d' ' -f2 | tr -d ,)" "$version"
same "Debian's has it" "$(sed -n '1s/fhec (\(.*\)-[0-9]*).*/\1/p' packaging/debian/changelog)" "$version"
same "Visual Studio Code's extension has it" \
    "$(sed -n 's/^  "version": "\(.*\)",/\1/p' editors/vscode/package.json)" "$version"

# The archive, without git: make finds there all that it would build.
if git rev-parse HEAD >/dev/null 2>&1; then
    check "make dist" "${MAKE:-make}" -s "O=$tmp/dist" G="$O" dist
    tar -xJf "$tmp/dist/fhec-$version.tar.xz" -C "$tmp"
    same "it would build without git" "$(env GIT_DIR=/nonexistent "${MAKE:-make}" -n -C "$tmp/fhec-$version" O="$tmp/build" all 2>&1 >/dev/null)" ""
    same "it has every file of the repository" \
        "$(cd "$tmp/fhec-$version" && find . -type f -o -type l | sed 's|^\./||' | sort)" \
        "$(git ls-tree -r --name-only HEAD | sort)"
else
    skip "make dist" "this is no repository of git"
fi

# The action, with this build in the place of its own.
export RUNNER_TEMP=$tmp/runner GITHUB_OUTPUT=$tmp/output
mkdir -p "$RUNNER_TEMP/fhec/bin"
ln -s "$(realpath "$FHEC")" "$RUNNER_TEMP/fhec/bin/fhec"
while read -r step; do
    grep -q "^    $step)" packaging/action.sh && ok "the action's step $step is there" || not_ok "the action's step $step"
done < <(sed -n 's/.*packaging\/action.sh" //p' action.yml)
check "the key of its cache" bash packaging/action.sh version
same "is of all sources" "$(grep -cE '^key=[0-9a-f]{64}$' "$GITHUB_OUTPUT")" 1
export FHEC_OPTIONS='--check --lint' FHEC_SARIF=$tmp/f.sarif FHEC_JUNIT=$tmp/f.xml
FHEC_PATHS=tests/kernels bash packaging/action.sh test >"$tmp/said" 2>&1
same "the kernels that are right pass" "$?" 0
same "and its files are there" "$(grep -c testsuite "$FHEC_JUNIT" | sed 's/[1-9][0-9]*/some/') $(grep -c '"version"' "$FHEC_SARIF" | sed 's/[1-9][0-9]*/some/')" "some some"
sed 's/^\( *\)STG\.E/\1@!PT STG.E/' tests/kernels/square.sass >"$tmp/wrong.sass"
FHEC_PATHS=$tmp/wrong.sass bash packaging/action.sh test >"$tmp/said" 2>&1
same "a kernel that stores nothing does not" "$?" 1
done_testing
