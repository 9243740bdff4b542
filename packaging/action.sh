#!/usr/bin/env bash
# action.sh version|build|test: the steps of action.yml. The tool is built once into $RUNNER_TEMP/fhec, which is
# cached under the key that `version` gives; `test` runs it over the user's kernels.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
installed=${RUNNER_TEMP:?}/fhec

case ${1-} in
    version)
        # All that it is built of: another commit with the same sources has the same key.
        key=$(cd "$source" && find . -type f -not -path './.git/*' -not -path './build/*' \
            -not -path './docs/*' -not -path './tests/*' -print0 | sort -z | xargs -0 sha256sum | sha256sum)
        echo "key=${key%% *}" >>"${GITHUB_OUTPUT:?}" ;;
    build)
        sh "$source/tests/tools/deps.sh" build
        make -C "$source" "O=${RUNNER_TEMP}/fhec-build" "PREFIX=$installed" install ;;
    test)
        # shellcheck disable=SC2086 # lists of words
        exec "$installed/bin/fhec" test ${FHEC_OPTIONS-} --sarif "${FHEC_SARIF:?}" --junit "${FHEC_JUNIT:?}" \
            ${FHEC_PATHS:?} ;;
    *)
        echo "usage: action.sh version|build|test" >&2
        exit 2 ;;
esac
