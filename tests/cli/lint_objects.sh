#!/usr/bin/env bash
# fhec lint finds no error in compiled code: in all objects that tests and benchmarks hold, in what the
# tool's own kernels and the sources of tests become, and, where there is a compiler, in code of
# branches on shuffles and votes of some lanes, of barriers by number, and of tables of branches.
. "$(dirname "$0")/../tools/tap.sh"
. tests/tools/nvcc.sh

errors() { # of an object; its exit status if that is neither "nothing" nor "something found"
    local all status=0
    all=$("$FHEC" lint --diag=json "$1" 2>&1) || status=$?
    [ "$status" -le 1 ] || echo "status $status"
    grep '"error"' <<<"$all" | head -n 3 | cut -c 1-300
}

while read -r object; do
    same "$object" "$(errors "$object")" ""
done < <(find tests -name '*.cubin' ! -path 'tests/regress/*' | sort)
while read -r source; do
    "$FHEC" as "$source" -o "$tmp/own.cubin" >/dev/null 2>&1 || continue
    same "$source, assembled" "$(errors "$tmp/own.cubin")" ""
done < <(find programs tests/kernels tests/debug tests/bench -name '*.sass' | sort)

cat >"$tmp/lanes.py" <<'EOP'
import random
r = random.Random(3)
lanes = ["v += __shfl_xor_sync(M, v, 1);", "v += __shfl_sync(M, v, k);", "v ^= __ballot_sync(M, v > k);",
         "v += __any_sync(M, v & 1);", "v += __all_sync(M, v > 3);", "__syncwarp(M);",
         "v += __match_any_sync(M, v);", "v += __reduce_add_sync(M, v);", "v += __activemask();",
         "d += __shfl_xor_sync(M, d, 1);",
         'asm volatile("bar.sync %0, 64;" :: "r"(v & 15) : "memory");',
         'asm volatile("bar.arrive %0, 64;" :: "r"(v & 15) : "memory");']
masks = ["0xffffffffu", "0xffffu", "0xffff0000u", "1u << k | 0xf", "mask", "cm", "(1u << (n & 31)) - 1"]
tests = ["v > k", "threadIdx.x < 16", "threadIdx.x & 1", "k & 1", "(threadIdx.x & 7) == k"]
def one(): return r.choice(lanes).replace("M", r.choice(masks))
print("__constant__ unsigned cm, table[20];")
for i in range(60):
    body = ""
    for _ in range(r.randrange(1, 5)):
        kind = r.randrange(5)
        if kind == 0: body += one()
        elif kind == 1: body += f"if ({r.choice(tests)}) {{ {one()} {one()} }}\n"
        elif kind == 2: body += f"if ({r.choice(tests)}) {{ {one()} }} else {{ {one()} }}\n"
        elif kind == 3: body += f"for (int j = 0; j < (v & 7); j++) {{ {one()} v += p[(j + v) & 255]; }}\n"
        else: body += ("switch (v & 7) { case 0: " + one() + " break; case 1: v += 3; break; case 2: v *= p[2];"
                       " break; case 3: v ^= table[k]; " + one() + " break; case 4: v -= 9; break;"
                       " case 5: v = p[v & 63]; break; default: v /= 7; }\n")
    print(f"__global__ void k{i}(unsigned *p, unsigned n, unsigned mask, double *q) {{ unsigned v = p[threadIdx.x],"
          f" k = p[blockIdx.x & 31]; double d = q[threadIdx.x];\n{body}p[threadIdx.x + n] = v;"
          " q[threadIdx.x] = d; }")
EOP
python3 "$tmp/lanes.py" >"$tmp/lanes.cu"
for options in "-arch=sm_80" "-arch=sm_86" "-arch=sm_80 -Xptxas -O1"; do
    # shellcheck disable=SC2086 # several options
    if [ -z "$nvcc" ] || ! "$nvcc" $options -cubin -o "$tmp/lanes.cubin" "$tmp/lanes.cu" 2>/dev/null; then
        skip "lanes of warps, $options" "no nvcc"
        continue
    fi
    same "lanes of warps, $options" "$(errors "$tmp/lanes.cubin")" ""
done
done_testing
