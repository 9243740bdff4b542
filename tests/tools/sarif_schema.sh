#!/bin/sh
# sarif_schema.sh: prints where the JSON schema of SARIF 2.1.0 is: in the archive of a package of npm
# that carries it, without the packages that this one would need to do something.
# Exit status 77: it cannot be had here.
folder=${O:-build/rel}/node/sarif
schema=$folder/package/lib/schemas/sarif-2.1.0-rtm.5.json
mkdir -p "$folder" && exec 9>"$folder.lock" && flock 9 # tests run side by side
if [ ! -e "$schema" ] && command -v npm >/dev/null 2>&1; then
    (cd "$folder" && timeout 30 npm pack --silent @microsoft/jest-sarif@1.0.0-beta.0 &&
        tar xzf microsoft-jest-sarif-1.0.0-beta.0.tgz package/lib/schemas) >/dev/null 2>&1
fi
[ -e "$schema" ] || { echo "the schema of SARIF cannot be had here"; exit 77; }
echo "$schema"
