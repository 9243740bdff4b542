#!/usr/bin/env bash
# fhec why of commands that make launches of their own, and of the cases of fhec test. What must hold
# is known without the tool: an NTT's output depends on each of its inputs, and on no other word of
# the data, through all launches; inputs have the values of the file, the output that of --out.
. "$(dirname "$0")/../tools/tap.sh"

cat >"$tmp/leaves.py" <<'PY'
import json, sys
tree, data, result, index, width = json.load(open(sys.argv[1])), *sys.argv[2:4], *map(int, sys.argv[4:6])
def words(path):
    raw = open(path, "rb").read()
    return [int.from_bytes(raw[i:i + 4], "little") for i in range(0, len(raw), 4)]
inputs, out, nodes = words(data), words(result), tree["nodes"]
seen = {}
for n in nodes:
    if n["kind"] == "input" and n["name"].startswith("data["):
        name, _, rest = n["name"].partition("+")
        seen[int(name[5:-1]) * width // 4 + (1 if rest else 0)] = int(n["value"], 16)
want = sum(out[index * width // 4 + k] << 32 * k for k in range(width // 4))
first = {n["kind"] for n in nodes}
print("element", int(nodes[0]["value"], 16) == want)
print("inputs", len(seen), all(inputs[i] == v for i, v in seen.items()))
print("launches", *sorted({n["launch"] for n in nodes if n["kind"] in ("store", "register")}))
print("products", *sorted({str(n["product"]["right"]) for n in nodes if "product" in n}))
print("forgotten", "forgotten" in first)
PY
python3 - "$tmp" <<'PY'
import random, struct, sys
random.seed(20)
q = 1 << 30
for n in 1024, 65536:
    open(f"{sys.argv[1]}/in{n}", "wb").write(struct.pack(f"<{n}I", *(random.randrange(q >> 1) for _ in range(n))))
PY

# leaves NAME WANTED INDEX N WIDTH ARGUMENTS...
leaves() {
    local name=$1 wanted=$2 index=$3 n=$4 width=$5
    shift 5
    "$FHEC" ntt --n "$n" --in "$tmp/in$n" --out "$tmp/out" "$@" 2>"$tmp/said" || cat "$tmp/said"
    "$FHEC" why "result[$index]" ntt --n "$n" --in "$tmp/in$n" --out "$tmp/none" "$@" --format json \
        --depth 1000 --nodes 1000000 >"$tmp/tree" 2>"$tmp/said"
    same "$name" "$(python3 "$tmp/leaves.py" "$tmp/tree" "$tmp/in$n" "$tmp/out" "$index" "$width" 2>&1
        cat "$tmp/said")" "$wanted"
}
leaves "through both launches of a transform" "element True
inputs 1024 True
launches 1 2
products True
forgotten False" 517 1024 4 --map fhec16
leaves "without matrix instructions" "element True
inputs 1024 True
launches 1
products
forgotten False" 1023 1024 4 --map cuda32
[ ! -e "$tmp/none" ] && ok "no file is written" || not_ok "no file is written"

# What an earlier launch stored is no input, when that launch has been forgotten.
"$FHEC" why 'result[65535]' ntt --n 65536 --in "$tmp/in65536" --map cuda32 --memory 1M --format=json \
    --depth 1000 --nodes 3000 >"$tmp/tree"
"$FHEC" ntt --n 65536 --in "$tmp/in65536" --map cuda32 --out "$tmp/out" 2>/dev/null
said=$(python3 "$tmp/leaves.py" "$tmp/tree" "$tmp/in65536" "$tmp/out" 65535 4)
same "in a little memory" "$said" "element True
inputs 0 True
launches 2
products
forgotten True"

fhec "the tree tells launches" 0 "result[1, 3] = 0x
 of launch 2 (ntt_rows), ntt_fhec16.sass:
 of launch 1 (ntt_cols), lib/ntt_fhec16_cols.sass:" \
    why 'result[1,3]' ntt --n 1024 --limbs 2 --map fhec16 --depth 100 --nodes 3000
fhec "a buffer of the plan, by its name" 0 "data[9] = 0x" why --depth 3 'data[9]' ntt --n 256
fhec "for Graphviz" 0 "digraph why {" why --depth=3 'result[0]' eltwise add --n 64 --format=dot
fhec "a base conversion" 0 "result[0, 7] = 0x" why 'result[7]' bconv --n 64 --from 1073479681,1073184769 \
    --to 1073053697,1072496641
fhec "a product of integers" 2 "the buffers are result" why 'nobody[7]' bigint mul --words 16
fhec "buffers that are not there" 2 'no buffer is called "dat"; did you mean "data"?
the buffers are result, ' why 'dat[9]' ntt --n 256
fhec "elements that are not there" 2 "data[256]: data has 256 elements" why 'data[256]' ntt --n 256
fhec "no element" 2 "expected BUFFER[INDEX] or result[LIMB, INDEX]" why 'data[1,]' ntt --n 256
fhec "the reference has no instructions" 2 "--map golden runs no kernel that could be followed" \
    why 'data[1]' ntt --n 256 --map golden

fhec "a case of a file" 0 "d[5] = 0x14f1d235 (351392309)
D[0][5] = C[0][5] + A[0][0..15] B[0..15][5]: right for its operands" \
    why 'd[5]' test tests/kernels/matmul.sass:reduced
fhec "which case" 2 "which of the cases?" why 'd[5]' test tests/kernels/matmul.sass
fhec "no such case" 2 "no case has such a name" why 'd[5]' test tests/kernels/matmul.sass:redu
fhec "no such buffer of a case" 2 'no buffer is called "z"' why 'z[5]' test tests/kernels/matmul.sass:reduced
fhec "nothing is checked beside it" 2 "neither checks, profiles nor times" why 'data[1]' ntt --n 256 --check
fhec "nor of a kernel" 2 "this looks at something else" why 'y[1]' tests/planted/twiddle.sass --grid 1 --block 32 \
    --out y=:128 --profile -
done_testing
