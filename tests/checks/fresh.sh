#!/usr/bin/env bash
# The README's commands in bare roots of Debian: hours, so in `make test-long` alone (tests/later).
. "$(dirname "$0")/../tools/tap.sh"
exec bash tests/tools/fresh.sh "$O/fresh"
