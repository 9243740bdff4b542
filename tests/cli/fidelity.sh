#!/usr/bin/env bash
# docs/fidelity.md is what `make fidelity` writes: with small polynomials the same program makes the
# same headings, rows and published figures; experiments have the same cycles. One study in `make
# test`, all three with FHEC_TEST_LONG.
. "$(dirname "$0")/../tools/tap.sh"

studies=(--study fermi)
[ -z "${FHEC_TEST_LONG:-}" ] || studies=()
check "the page of small polynomials" python3 docs/fidelity/fidelity.py "$FHEC" "$tmp/small.md" --logn 8 \
    "${studies[@]}"
check "says that it is none" grep -q 'of 2^8 coefficients: nothing here is comparable' "$tmp/small.md"
check "what stands on both" python3 - docs/fidelity.md "$tmp/small.md" <<'END'
import os, re, sys
whole, small = (open(f).read() for f in sys.argv[1:])
def section(page, heading):
    return re.search(rf"^(#+) {re.escape(heading)}\n(.*?)(?=^#|\Z)", page, re.M | re.S)[2]
headings = lambda page: re.findall(r"^#+ .*", page, re.M)
missing = [h for h in headings(small) if h not in headings(whole)]
assert not missing, missing
# Nothing of these depends on the polynomials.
for heading in ("The unit", "Multi-word arithmetic on Fermi", "The paper's figures among themselves",
                "The study's figures among themselves"):
    if f"# {heading}" in small:
        assert section(whole, heading) == section(small, heading), heading
rows = lambda page, heading: [line.split("|")[1] for line in section(page, heading).splitlines() if line[:1] == "|"]
for heading in ("Times of primitives and of a bootstrap", "Workloads"):
    if f"# {heading}" in small:
        assert rows(whole, heading) == rows(small, heading), heading
assert len(headings(small)) >= (18 if os.environ.get("FHEC_TEST_LONG") else 5), headings(small)
END
done_testing
