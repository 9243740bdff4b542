#!/usr/bin/env bash
# fhec lsp, driven by the protocol's own client library in node.
. "$(dirname "$0")/../tools/tap.sh"

packages=$O/node/lsp
if ! said=$(sh tests/tools/node_packages.sh "$packages" vscode-languageserver-protocol@3.17.5); then
    skip "the protocol's client library" "$said"
    done_testing
fi
cp -r programs "$tmp/programs"
NODE_PATH=$packages/node_modules FHEC=$(realpath "$FHEC") timeout 120 \
    node tests/tools/lsp_client.js "$tmp"
