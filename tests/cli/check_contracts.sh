#!/usr/bin/env bash
# Value contracts against integers of Python: random expressions over registers of every lane, of few
# bits and of many, with what has no value; which lanes fail, which one is named, and both sides.
. "$(dirname "$0")/../tools/tap.sh"

cat >"$tmp/said.py" <<'EOF'
import json, sys
for row in sys.stdin:
    if row.startswith("{"):
        d = json.loads(row)
        if d.get("id") == "C085":
            print(f'{d["line"]}: {d["message"].split("fragments: ", 1)[-1]}')
EOF
for seed in 1 2; do
    python3 tests/tools/contract_values.py "$tmp" "$seed" 250
    "$FHEC" run "$tmp/k.sass" --grid 1 --block 32 --in x="$tmp/x.bin" --arg scale=12345 \
        --check=fragments --diag=json >"$tmp/json" 2>&1
    python3 "$tmp/said.py" <"$tmp/json" | sort -n >"$tmp/said"
    sort -n -o "$tmp/wanted" "$tmp/wanted"
    check "seed $seed: some fail" [ "$(wc -l <"$tmp/wanted")" -gt 50 ]
    same "seed $seed: lanes and values" "$(diff "$tmp/wanted" "$tmp/said" | head -6)" ""
done
done_testing
