#!/bin/sh
# sarif_schema.sh: prints where the JSON schema of SARIF 2.1.0 is, as a package of npm carries it.
# Where continuous integration runs (CI is set) it is fetched; otherwise it is there or it is not.
# Exit status 77: it is not.
folder=${O:-build/rel}/node
schema=$folder/node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json
if [ ! -e "$schema" ] && [ -n "${CI:-}" ] && command -v npm >/dev/null 2>&1; then
    timeout 60 npm install --prefix "$folder" --no-audit --no-fund --ignore-scripts --no-save \
        @microsoft/jest-sarif@1.0.0-beta.0 >/dev/null 2>&1
fi
[ -e "$schema" ] || { echo "the schema of SARIF is not there: npm install @microsoft/jest-sarif"; exit 77; }
echo "$schema"
