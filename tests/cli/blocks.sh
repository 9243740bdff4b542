#!/usr/bin/env bash
# fhec blocks and the graphs that fhec ckks writes: what is in them; times that keep their bounds and do
# not depend on engine or host threads; the drawing. What is refused is in blocks_wrong.sh.
. "$(dirname "$0")/../tools/tap.sh"

small=(--logn 10 --limbs 6 --alpha 2 --dnum 3 --bits 54 --map gme64)
g=$tmp/hemult.json
fhec "a graph is written" 0 "" ckks hemult "${small[@]}" --rescale --graph "$g"
# Two ciphertexts and a product of 12 limbs of 8 KiB, a key of 2 x 3 x 8, a result of 10.
got=$(python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
print(d["chain"]["limbs"], [(b["id"], b["kind"], b["bytes"] >> 13) for b in d["buffers"]])
print([(b["op"], b["level"], b["map"], b["reads"], b["writes"]) for b in d["blocks"]])' "$g")
same "what is in it" "$got" "6 [('a', 'ct', 12), ('b', 'ct', 12), ('key', 'key', 48), ('product', 'ct', 12), ('out', 'ct', 10)]
[('hemult', 6, 'gme64', ['a', 'b', 'key'], ['product']), ('rescale', 6, 'gme64', ['product'], ['out'])]"

bad=
for p in rescale keyswitch rotate hemult ptmult ptadd headd hesub conjugate scalarmult scalaradd \
    monomial modraise hoist; do
    "$FHEC" ckks $p "${small[@]}" --graph "$tmp/p.json" >/dev/null 2>&1 &&
        "$FHEC" blocks "$tmp/p.json" --features cnoc,mod >/dev/null 2>&1 || bad+=" $p"
done
same "every primitive has a graph that can be planned" "$bad" ""

# A whole bootstrap of N = 2^16: 36 HEMults, 76 rotations and a conjugation, 316 products. A block for each step, every buffer written once or never.
fhec "a bootstrap's graph" 0 "" ckks bootstrap --map fhec16 --graph "$tmp/boot.json"
got=$(python3 -c '
import json, sys, collections
d = json.load(open(sys.argv[1]))
ops = collections.Counter(b["op"] for b in d["blocks"])
writes = [w for b in d["blocks"] for w in b["writes"]]
ids = {b["id"] for b in d["buffers"]}
print(ops["hemult"], ops["ptmult"], ops["rotate"] + ops["rotate-raised"] + ops["conjugate"], ops["encapsulate"],
      ops["release"], len(writes) == len(set(writes)),
      all(r in ids for b in d["blocks"] for r in b["reads"]))' "$tmp/boot.json")
same "has the operations of a bootstrap" "$got" "36 316 77 1 1 True True"

# ---------------------------------------------------------------- times

run=(blocks "$g" --format json)
"$FHEC" "${run[@]}" --features cnoc,mod,wmac >"$tmp/a.json"
"$FHEC" "${run[@]}" --features cnoc,mod,wmac --threads 4 >"$tmp/b.json"
"$FHEC" "${run[@]}" --features cnoc,mod,wmac --simd portable --threads 1 >"$tmp/c.json"
"$FHEC" "${run[@]}" --features cnoc,mod,wmac --engine ref >"$tmp/d.json"
check "host threads do not matter" cmp "$tmp/a.json" "$tmp/b.json"
check "nor does the SIMD level" cmp "$tmp/a.json" "$tmp/c.json"
check "nor does the engine" cmp "$tmp/a.json" "$tmp/d.json"

features=("" "cnoc" "cnoc,mod" "cnoc,mod,wmac")
"$FHEC" blocks "$g" --features labs,cnoc >/dev/null 2>&1 && features+=("cnoc,mod,wmac,labs")
for f in "${features[@]}"; do
    "$FHEC" "${run[@]}" --features "$f" --change "cnoc link 1024"
done >"$tmp/all.json"
for link in 16 32 64 128; do
    "$FHEC" "${run[@]}" --features cnoc,mod --change "cnoc link $link"
done >"$tmp/links.json"
for bytes in 64K 128K 512K 4M; do
    "$FHEC" "${run[@]}" --features cnoc,mod --change "onchip $bytes"
done >"$tmp/onchip.json"
cat >"$tmp/look.py" <<'PYTHON'
import json, sys
def several(path):
    text, decoder, at = open(path).read(), json.JSONDecoder(), 0
    while text[at:].strip():
        value, at = decoder.raw_decode(text, at + len(text[at:]) - len(text[at:].lstrip()))
        yield value
for path in sys.argv[1:]:
    last = None
    for d in several(path):
        at_least = max(d["bounds"].values())
        moved = sum(c["bytes"] for c in d["channel_loads"])
        most = max([c["bytes"] for c in d["channel_loads"]] or [0])
        clock, assumed = d["clock_mhz"], d["assumptions"]
        memory = d["all"]["bytes"] / (1229e3 / clock * assumed["hbm_efficiency"])
        path_of = {b["id"]: b for b in d["blocks"]}
        print(d["cycles"] >= at_least * (1 - 1e-9), abs(memory - d["all"]["M"]) < 1e-6 * memory,
              d["cycles"] >= most / assumed["link_bytes"] * (1 - 1e-9),
              abs(moved - d["all"]["moved"]) <= 1e-6 * moved,
              abs(sum(b["bytes"] for b in d["blocks"]) - d["all"]["bytes"]) < 1,
              path_of["rescale"]["end"] > path_of["hemult"]["start"],
              abs(d["us"] * clock - d["cycles"]) < 1,
              last is None or d["cycles"] <= last * 1.0001)
        last = d["cycles"]
PYTHON
got=$(python3 "$tmp/look.py" "$tmp/all.json" "$tmp/links.json" "$tmp/onchip.json" | sort -u)
same "times keep their bounds; features, links and memory do not slow down" "$got" \
    "True True True True True True True True"

# Transforms 6 + 18 + 4 + 12, conversions 18 + 12, elements 6 + 24 + 24; of the Rescale 2 (1 + 3 x 5).
fhec "text" 0 "mi100 with cnoc, mod at 1502 MHz:
2 blocks, 156 tiles on 15 engines
hemult               hemult            6
assumed: hbm_efficiency 0.3; overlap 0; link_bytes 64; hop_cycles 4; onchip_bytes 7.86432e+06" \
    blocks "$g" --features cnoc,mod
fhec "an instruction that a machine lacks" 2 "blocks[0]: machine a100 has no unit for MOD" \
    blocks "$g" --machine a100

# ---------------------------------------------------------------- graphs of one's own

# N = 2^10, 4 limbs of 8 KiB, 2 digits, 2 extension limbs: graph NAME 'BUFFERS AND BLOCKS' writes
# $tmp/NAME.json of B(id, limbs of all polynomials, kind) and O(id, op, level, reads, write).
graph() {
    python3 - "$tmp/$1.json" <<PYTHON
import json, sys
chain = dict(log2_n=10, limbs=4, alpha=2, dnum=2, bits=54, base_alpha=1)
buffers, blocks = [], []
def B(id, limbs, kind="ct"):
    buffers.append(dict(id=id, kind=kind, bytes=limbs * 8192))
def O(id, op, level, reads, write, **more):
    blocks.append(dict(id=id, op=op, level=level, reads=reads, writes=[write], **more))
$2
json.dump(dict(chain=chain, buffers=buffers, blocks=blocks), open(sys.argv[1], "w"))
PYTHON
}
# Members of the JSON of these options: PYTHON of it, d.
planned() { # planned NAME PYTHON OPTIONS...
    local name=$1 what=$2
    shift 2
    "$FHEC" blocks "$tmp/$name.json" --format json "$@" 2>&1 |
        python3 -c "import json, sys; d = json.load(sys.stdin); print($what)" ||
        echo "not planned: $RANDOM" # differs each time
}

# A square reads 8 limbs of a ciphertext and 24 of the key, and writes 8: 40 limbs, and with room
# for all nothing twice. Two of one key take turns on the engines: 24 + 2 x 16.
hemults='B("k", 24, "key")
for i in range(COUNT):
    B("a%d" % i, 8); B("o%d" % i, 8)
    O("x%d" % i, "hemult", 4, ["a%d" % i, "k"], "o%d" % i)'
graph one "${hemults/COUNT/1}"
graph two "${hemults/COUNT/2}"
bytes='int(d["all"]["fetched"] + d["all"]["written"]) / 8192'
same "a block moves its operands and its result" "$(planned one "$bytes" --features cnoc)" "40.0"
same "limbs of a block under way stay" "$(planned two "$bytes" --features cnoc)" "56.0"

# ENCAPSULATE's chain has as many limbs as its level: one of two levels costs what it does alone.
costs='[c["transforms"]["warp_insts"] for c in sorted(d["costs"], key=lambda c: c["level"])]'
for levels in 1 2 12 21; do
    graph enc$levels "chain['base_alpha'] = 4
for l in '$levels':
    B('a' + l, 8); B('o' + l, 2 * int(l)); O('e' + l, 'encapsulate', int(l), ['a' + l], 'o' + l)"
done
alone=$(planned enc1 "$costs")$(planned enc2 "$costs")
alone=${alone/][/, }
same "each level of encapsulate has a chain" "$(planned enc12 "$costs") $(planned enc21 "$costs")" \
    "$alone $alone"

# The first two limbs of four are read.
graph first2 'B("a", 4); B("b", 4); B("o", 4); O("x", "headd", 2, ["a", "b"], "o")'
graph first4 'B("a", 8); B("b", 8); B("o", 4); O("x", "headd", 2, ["a", "b"], "o")'
same "limbs that are not read do not matter" "$(planned first4 "d, $bytes" --features cnoc)" \
    "$(planned first2 "d, 12.0" --features cnoc)"

# Escapes of terminals, and what XML cannot have, in ids; columns of characters, not of bytes.
graph ids 'B("a", 8); B("o", 8); B("\x1b\x9b\ufffe", 8)
O("\x1b[31m\n\x9b\ufffe" + 30 * "\xe9", "hemult", 4, ["a"], "o"); O("y", "headd", 4, ["o"], "\x1b\x9b\ufffe")'
got=$("$FHEC" blocks "$tmp/ids.json" --gantt "$tmp/ids.svg" | python3 -c '
import sys, xml.etree.ElementTree as t
lines = [l for l in sys.stdin.buffer.read().decode().split("\n") if " hemult " in l]
titles = [e.text for e in t.parse(sys.argv[1]).getroot().iter() if e.tag.endswith("title")]
print(ascii(lines[0][:28]), len(lines), any("\x1b" in x or "\ufffe" in x for x in titles))' "$tmp/ids.svg")
same "ids are shown safely" "$got" "'?[31m??\\ufffe$(printf '\\xe9%.0s' {1..12}) hemult ' 1 False"
sed 's/"reads": \["o"\]/"reads": ["\\u001b"]/' "$tmp/ids.json" >"$tmp/escape.json"
fhec "an id that is not there is shown safely" 2 'there is no buffer "?"' blocks "$tmp/escape.json"

# What Rescales cost goes by how many limbs they drop.
graph drops 'B("a", 8); B("o", 6); B("p", 4)
O("r", "rescale", 4, ["a"], "o"); O("s", "rescale", 4, ["a"], "p", drop=2)'
same "costs have their drop, assumptions the whole chain, without cnoc nothing is hashed" \
    "$(planned drops '[c["drop"] for c in d["costs"]], d["assumptions"]["chain"]["base_alpha"], d["mapping"],
        d["assumptions"]["hash"]')" "[1, 2] 1 greedy none"

# A HEAdd of 2 x 4 limbs has 256 MODADDs of a warp; of an interval of 100 on one unit of each
# scheduler, one of all four, two, one of each and one of all, they take 100, 400, 50, 80 cycles.
graph add 'B("a", 8); B("o", 8); O("x", "headd", 4, ["a"], "o")'
cycles='round(sum(c["elements"]["cycles"] for c in d["costs"]))'
units=(--change "unit e each" --change "unit f each" --change "unit s shared")
least=$(planned add "$cycles" "${units[@]}" --change "op MODADD on e interval 1")
got=
for on in e s "e or f" "e or s" "s or e"; do
    got+=" $((($(planned add "$cycles" "${units[@]}" --change "op MODADD on $on interval 100") - least) / 256 + 1))"
done
same "instructions go to several units" "$got" " 100 400 50 80 80"

# A change is of the machine with its features: a MODADD takes 100 cycles, not what +mod says. So is
# what a description says of its own.
slow=$(planned add "$cycles" "${units[@]}" --change "op MODADD on e interval 100")
same "changes come behind features" \
    "$(planned add "$cycles" "${units[@]}" --change "op MODADD on e interval 100" --features mod)" "$slow"
printf 'machine m\nlike mi100\nop MODADD interval 100\n' >"$tmp/m.machine"
same "so do descriptions" "$(planned add "$cycles" --machine "$tmp/m.machine" --features mod)" "$slow"

# ---------------------------------------------------------------- the drawing, and no METIS

fhec "a drawing" 0 "" blocks "$g" --features cnoc --gantt "$tmp/g.svg"
got=$(python3 -c '
import sys, xml.etree.ElementTree as t
r = t.parse(sys.argv[1]).getroot()
text = [e.text for e in r.iter() if e.tag.endswith("text")]
print(sum(x.startswith("engine ") for x in text), "hemult" in text, "rescale" in text)' "$tmp/g.svg")
same "has a row for each engine" "$got" "15 True True"
fhec "a drawing in another form" 2 "expected a file .svg" blocks "$g" --gantt "$tmp/g.png"

# 21480 tiles of as much work each, whose loads METIS adds up.
cat >"$tmp/chain.py" <<'PYTHON'
import json, sys
chain = dict(log2_n=10, limbs=4, alpha=2, dnum=2, bits=54, base_alpha=1)
buffers = [dict(id="v%d" % i, kind="ct", bytes=2 * 4 * 8192) for i in range(2686)]
blocks = [dict(id="b%d" % i, op="headd", level=4, reads=["v%d" % i], writes=["v%d" % (i + 1)])
          for i in range(2685)]
json.dump(dict(chain=chain, buffers=buffers, blocks=blocks), sys.stdout)
PYTHON
python3 "$tmp/chain.py" >"$tmp/chain.json"
if [ "${#features[@]}" = 5 ]; then
    got=$("$FHEC" blocks "$tmp/chain.json" --features cnoc,labs --order program --format json |
        python3 -c 'import json, sys; d = json.load(sys.stdin); print(d["mapping"], d["labs"]["phi"] > 0)')
    same "METIS cuts many tiles, and says nothing" "$got" "labs True"
    fhec "LABS" 0 "KiB between parts; times hops
partition METIS k-way, seed 1" blocks "$g" --features cnoc,labs
else
    fhec "LABS without METIS" 2 "this fhec has been built without METIS" blocks "$g" --features cnoc,labs
fi

done_testing
