#!/usr/bin/env bash
# fhec dis --nvdisasm prints what nvdisasm prints, of every way to write an address or a constant and
# of operands that may be 0, in all instructions: offsets at their ends, with and without registers;
# and what fhec dis prints assembles back. NVDISASM names the program; skipped without it.
. "$(dirname "$0")/../tools/tap.sh"

nvdisasm=${NVDISASM:-$(command -v nvdisasm || echo /usr/local/cuda/bin/nvdisasm)}
"$FHEC" isa --json >"$tmp/isa.json"
cat >"$tmp/words.py" <<'EOP'
import itertools, json, sys
def runs(bits):
    for run in str(bits).lstrip("s~").split("*")[0].split(","):
        high, _, low = run.strip().lstrip("s~").partition(":")
        yield int(high), int(low or high)
def width(bits): return sum(high - low + 1 for high, low in runs(bits))
def put(word, bits, value):
    for high, low in reversed(list(runs(bits))):
        n = high - low + 1
        word = word & ~((1 << n) - 1 << low) | (value & (1 << n) - 1) << low
        value >>= n
    return word
def choices(part, bits):
    n = width(bits)
    if part == "value": return sorted({0, 4, 1 << n - 1, (1 << n - 1) - 4, (1 << n) - 4})
    if part == "bank": return [3]
    if part in ("register", "uniform"): return [(1 << n) - 1, 4]
    if part in ("wide", "descriptor", "scale"): return [0, 1]
    return [0]
for insn in json.load(open(sys.argv[1]))["instructions"]:
    if insn.get("feature") or insn["name"].startswith(("ARRIVES", "CCTLL", "I2IP")):
        continue # not shown: the offset of CCTLL; shown: which bits of its last register I2IP takes
    for form in insn["forms"]:
        plain = int(form["fixed_value"], 16) | 7 << 12 | 0x7e << 109
        for mod in form["modifiers"]:
            values = [v["value"] for v in mod.get("values", [])]
            if mod.get("bits") and values:
                plain = put(plain, mod["bits"], 4 if mod["name"] == "size" and 4 in values else values[0])
        for operand in form["operands"]:
            for part, bits in operand.get("bits", {}).items():
                if part == "register" and width(bits) == 8: plain = put(plain, bits, 8)
        glued = insn["name"] in ("BPT", "BRX", "BRXU", "JMX")
        for operand in form["operands"]:
            if not (operand["kind"] in ("address", "constant") or (glued and operand["kind"] == "immediate")):
                continue
            bits = operand["bits"]
            for values in itertools.product(*(choices(p, b) for p, b in bits.items())):
                if dict(zip(bits, values)).get("descriptor") and not dict(zip(bits, values)).get("wide"):
                    continue
                word = plain
                for part, value in zip(bits, values): word = put(word, bits[part], value)
                for mod in form["modifiers"]: # 64 bits go with .E
                    if mod["name"] == "E" and mod.get("bits"):
                        word = put(word, mod["bits"], dict(zip(bits, values)).get("wide", 0))
                print(f"{word:032x}")
EOP
# Words of which fhec says that they are none have fields that their modifiers do not call for.
python3 "$tmp/words.py" "$tmp/isa.json" | sort -u | sed 's/^/0000 /' >"$tmp/candidates.txt"
"$FHEC" dis --words "$tmp/candidates.txt" | paste -d ' ' "$tmp/candidates.txt" - |
    awk '$3 != "?" {print $2}' >"$tmp/all.txt"
same "there are words" "$([ "$(wc -l <"$tmp/all.txt")" -gt 1000 ] && echo yes)" yes
sed 's/^/0000 /' "$tmp/all.txt" >"$tmp/words.txt"
"$FHEC" dis --words "$tmp/words.txt" >"$tmp/texts.txt"
paste <(cut -d ' ' -f 1 "$tmp/words.txt") "$tmp/texts.txt" >"$tmp/numbered.txt"
"$FHEC" as --words "$tmp/numbered.txt" >"$tmp/back.txt" 2>&1
same "texts assemble to their words" \
    "$(paste "$tmp/back.txt" "$tmp/all.txt" "$tmp/texts.txt" | grep -v '\.inst' | awk '{sub(/^0x/, "", $1)} $1 != $2' |
        awk 'substr($1, 9) != substr($2, 9)' | head -n 5)" ""
if [ ! -x "$nvdisasm" ]; then
    skip "nvdisasm prints the same" "there is no nvdisasm; NVDISASM names it"
    done_testing
    exit
fi
cat >"$tmp/compare.py" <<'EOP'
import re, struct, subprocess, sys
fhec, nvdisasm, words, tmp = sys.argv[1:]
words = [int(w, 16) for w in open(words)]
def texts(part): # (address, text) of each; a word that nvdisasm refuses is left out
    open(f"{tmp}/raw", "wb").write(b"".join(struct.pack("<QQ", w & (1 << 64) - 1, w >> 64) for w in part))
    run = subprocess.run([nvdisasm, "-b", "SM80", f"{tmp}/raw"], capture_output=True, text=True)
    found = [m for m in (re.match(r"\s*/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;?\s*(/\*.*)?$", l)
                         for l in run.stdout.splitlines()) if m]
    if run.returncode == 0 and len(found) == len(part):
        return [(w, int(m[1], 16), " ".join(m[2].rstrip("; ").split())) for w, m in zip(part, found)]
    if len(part) == 1:
        return []
    return texts(part[:len(part) // 2]) + texts(part[len(part) // 2:])
theirs = [t for i in range(0, len(words), 128) for t in texts(words[i:i + 128])]
theirs = [t for t in theirs if "???" not in t[2] and "INVALID" not in t[2]]
open(f"{tmp}/asked", "w").write("".join(f"{at:x} {w:032x}\n" for w, at, _ in theirs))
ours = subprocess.run([fhec, "dis", "--words", "--nvdisasm", f"{tmp}/asked"], capture_output=True,
                      text=True).stdout.splitlines()
def plain(text): return re.sub(r"(c\[0x[0-9a-f]+\]) \[", r"\1[", " ".join(text.split())) # a space, with some
wrong = [(w, o, t) for (w, _, t), o in zip(theirs, ours) if plain(o) != plain(t)]
for w, o, t in wrong[:20]: print(f"# {w:032x}\n#   fhec     {o}\n#   nvdisasm {t}")
print(f"{len(theirs) > 1000} {len(wrong)}")
EOP
said=$(python3 "$tmp/compare.py" "$FHEC" "$nvdisasm" "$tmp/all.txt" "$tmp")
same "nvdisasm prints the same" "$said" "True 0"
done_testing
