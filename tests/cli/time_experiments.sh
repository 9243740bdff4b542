#!/usr/bin/env bash
# fhec time --experiment: those of docs/timing find what they expect.
. "$(dirname "$0")/../tools/tap.sh"

for experiment in fermi units gme; do
    fhec "docs/timing/$experiment.experiment" 0 "" time --experiment "docs/timing/$experiment.experiment"
    same "no line of it differs" "$(grep -c DIFFERS <<<"$said")" 0
done

done_testing
