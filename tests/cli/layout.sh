#!/usr/bin/env bash
# fhec layout: both directions agree with the formulas of the instruction; formats; questions.
. "$(dirname "$0")/../tools/tap.sh"

fhec "all layouts" 0 "FHEC.16816.U32.U32       A  16 x 16  32-bit elements, 8 registers a lane
IMMA.16832               B  32 x 8    8-bit elements, 2 registers a lane
LDSM.16.M88.4            D  32 x 8   16-bit elements, 4 registers a lane" layout

# The formulas, lane = 4g + t: FHEC A row g+8(i&1), column t+4(i>>1); B k = t+4i, n = g;
# C and D row g+8(i>>1), column 2t+(i&1). IMMA.16816 A: four bytes a register.
"$FHEC" layout FHEC.16816 --format csv >"$tmp/fhec.csv"
"$FHEC" layout IMMA.16816 --format csv >"$tmp/imma.csv"
"$FHEC" layout fhec.16816 --format json >"$tmp/fhec.json"
check "the formulas of FHEC.16816 and IMMA.16816" python3 - "$tmp" <<'EOF'
import csv, json, sys
fhec = {"A": lambda g, t, i: (g + 8 * (i & 1), t + 4 * (i >> 1)),
        "B": lambda g, t, i: (t + 4 * i, g),
        "C": lambda g, t, i: (g + 8 * (i >> 1), 2 * t + (i & 1)),
        "D": lambda g, t, i: (g + 8 * (i >> 1), 2 * t + (i & 1))}
def read(name):
    rows = {}
    for r in csv.DictReader(open(f"{sys.argv[1]}/{name}")):
        key = (r["operand"], int(r["lane"]), int(r["register"]), int(r["slot"]))
        assert key not in rows, key
        rows[key] = (int(r["row"]), int(r["column"]))
    return rows
rows = read("fhec.csv")
assert len(rows) == 256 + 3 * 128, len(rows)
for (operand, lane, reg, slot), place in rows.items():
    assert slot == 0 and place == fhec[operand](lane >> 2, lane & 3, reg), (operand, lane, reg)
table = json.load(open(f"{sys.argv[1]}/fhec.json"))
assert [t["operand"] for t in table] == ["A", "B", "C", "D"]
assert {(t["operand"], e["lane"], e["register"], e["slot"]): (e["row"], e["column"])
        for t in table for e in t["elements"]} == rows
rows = read("imma.csv")
for (operand, lane, reg, slot), place in rows.items():
    g, t = lane >> 2, lane & 3
    want = {"A": (g + 8 * reg, 4 * t + slot), "B": (4 * t + slot, g),
            "C": fhec["C"](g, t, reg), "D": fhec["D"](g, t, reg)}[operand]
    assert place == want, (operand, lane, reg, slot, place)
assert len(rows) == 256 + 128 + 2 * 128
EOF

fhec "element to place" 0 "FHEC.16816.U32.U32 A[3][5]: lane 13, register 2" layout FHEC.16816 A --element 3,5
fhec "place to element" 0 "FHEC.16816.U32.U32 A[3][5]: lane 13, register 2" \
    layout FHEC.16816 A --lane 13 --register 2
fhec "slots" 0 "IMMA.16816 B[6][1]: lane 5, register 0, slot 2 (bits 16 to 23)" \
    layout IMMA.16816.U8.U8 B --lane 5
fhec "the paper's spelling" 0 "FHEC.16816.U32.U32 A[0][0]: lane 0, register 0" \
    layout FHEC.16816.S32.S32 A --element 0,0
fhec "whole tables" 0 "FHEC.16816.U32.U32 B: 16 rows x 8 columns of 32 bits, 4 registers a lane
What each lane holds, as row,column:
  13          3,1        11,1         3,5        11,5" layout FHEC.16816
for insn in FHEC.16816 FHEC.16816.U32.U32.MIX IMMA.8816 IMMA.16816 IMMA.16832 LDSM.16.M88 LDSM.16.MT88.4; do
    fhec "a picture of $insn" 0 "<svg" layout $insn --format svg
    if command -v rsvg-convert >/dev/null 2>&1; then
        printf '%s\n' "$said" >"$tmp/p.svg"
        check "$insn: it renders" rsvg-convert "$tmp/p.svg" -o "$tmp/p.png"
    else
        skip "$insn: it renders" "rsvg-convert is not installed"
    fi
done
if [ -e docs/fragments.svg ]; then
    "$FHEC" layout FHEC.16816 --format svg >"$tmp/fragments.svg"
    check "docs/fragments.svg is the tool's picture" cmp "$tmp/fragments.svg" docs/fragments.svg
fi

fhec "no such instruction" 2 "no layout is known for FADD; \`fhec layout\` lists those that are" layout FADD
fhec "an ambiguous one" 2 "no single layout is known for IMMA; IMMA has IMMA.8816, IMMA.16816, IMMA.16832" layout IMMA
fhec "no such shape" 2 "for FHEC.17; FHEC has FHEC.16816.U32.U32, FHEC.16816.U32.U32.MIX" layout FHEC.17
same "no such shape: one line" "$(wc -l <<<"$said")" 1
fhec "a misspelt one" 2 "no layout is known for IMMA.16186; did you mean \"IMMA.16816\"?" layout IMMA.16186
fhec "a misspelt mnemonic" 2 'known for FEHC.16816; did you mean "FHEC.16816.U32.U32"?' layout FEHC.16816
fhec "no such operand" 2 "FHEC.16816.U32.U32 has no operand X with a layout; it has A, B, C, D" layout FHEC.16816 X
fhec "no such element" 2 "has 16 rows and 16 columns; there is no element 16,0" layout FHEC.16816 A --element 16,0
fhec "no such register" 2 "has registers 0 to 3; there is no register 4" layout FHEC.16816 D --register 4
fhec "no such lane" 2 "--lane 32: expected a number from 0 to 31" layout FHEC.16816 D --lane 32
fhec "element of one number" 2 "--element 3: expected I,J" layout FHEC.16816 A --element 3
fhec "both questions" 2 "asks one way" layout FHEC.16816 A --element 3,3 --lane 1
fhec "a question for a picture" 2 "text, csv or json" layout FHEC.16816 A --lane 1 --format svg

# The machine's registers: A of an FHEC whose A begins with R8 has A[3][5] in lane 4 * 3 + 1, in its
# register 2 * (5 / 4).
fhec "an instruction's registers" 0 "FHEC.16816.U32.U32 A[3][5]: R10 of lane 13" \
    layout "FHEC R20, R8.ROW, R12.COL, R20" A --element 3,5
fhec "what a register holds" 0 "FHEC.16816.U32.U32 B[5][3]: R17 of lane 13" \
    layout "FHEC R20, R8.ROW, R16.COL, RZ, UR4" --register R17 --lane 13
same "and no other operand" "$(wc -l <<<"$said")" 1
fhec "tables with them" 0 "L13:R17
lane          R16         R17         R18         R19" layout "FHEC R20, R8.ROW, R16.COL, R20, UR4" B
fhec "numbers with them" 0 "IMMA.16816,A,8,5,1,3,1" \
    layout "IMMA.16816.S8.U8 R4, R2.ROW, R3.COL, R4" A --format csv
fhec "a register that no operand has" 2 "no operand with a layout is in such a register" \
    layout "FHEC R20, R8.ROW, R16.COL, R20" --register R30
fhec "registers that are not there" 2 "A of FHEC.16816.U32.U32 needs 8 registers from R250 on" \
    layout "FHEC R20, R250.ROW, R16.COL, R20"
# LDSM as words: register m of lane 4g + t is word t of row 8m + g of the matrices.
fhec "LDSM as words" 0 "LDSM.16.M88.4 D[11][1]: R9 of lane 13" \
    layout "LDSM.16.M88.4 R8, [R2]" D --bits 32 --element 11,1
fhec "a transposed matrix has none" 2 "do not lie side by side" layout LDSM.16.MT88 D --bits 32
fhec "not so many bits" 2 "IMMA.16816 A has 8-bit elements; none of 12 bits" \
    layout IMMA.16816 A --bits 12
fhec "nor any number" 2 "A of FHEC.16816.U32.U32 needs 8 registers from R18446744073709551615 on" \
    layout "FHEC R20, R18446744073709551615.ROW, R16.COL, R20"
done_testing
