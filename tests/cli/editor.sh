#!/usr/bin/env bash
# The extension in editors/vscode: its grammar, its contributions, what it starts, and the packer.
. "$(dirname "$0")/../tools/tap.sh"
. "$(dirname "$0")/../tools/node_tap.sh"

node_tap tests/dap/editor.js
mkdir "$tmp/editor"
node_tap tests/dap/extension.js "$tmp/editor"
if [ -z "${FHEC_TEST_LONG:-}" ]; then
    skip "the extension is packed" "\`make test-long\` does, and \`make vsix\`"
else
    said=$(timeout 240 sh editors/vscode/pack.sh "$O/vscode" "$tmp/fhec.vsix" 2>&1)
    status=$?
    if [ "$status" = 124 ] || [ "$status" = 77 ] || grep -qE 'ENOTFOUND|ETIMEDOUT|EAI_AGAIN|ECONN' <<<"$said"; then
        skip "the extension is packed" "its packages cannot be had here"
        done_testing
    fi
    same "the extension is packed" "$status$said" 0
    same "with its parts" "$(python3 -m zipfile -l "$tmp/fhec.vsix" | awk '{ print $1 }' | grep -cE \
        '^extension/(extension.js|syntaxes/fhec.tmLanguage.json|node_modules/vscode-languageclient/package.json)$')" 3
fi
done_testing
