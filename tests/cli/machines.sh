#!/usr/bin/env bash
# sm_86, sm_87 and sm_89: objects, sources and listings for them, their limits, the instructions that
# only they have, and the compiled kernels of tests/cuda compiled for them.
. "$(dirname "$0")/../tools/tap.sh"

# What floats, bytes and complexes of tests/cuda/machines/convert.cu compute, by their definition.
python3 - "$tmp" <<'PYTHON'
import math, struct, sys
put = lambda name, form, values: open(f"{sys.argv[1]}/{name}", "wb").write(
    struct.pack(f"<{len(values)}{form}", *values))
def rounded(x, down):  # an integer as a float: to nearest even, or toward zero
    sign, x = (-1 if x < 0 else 1), abs(x)
    cut = max(0, x.bit_length() - 24)
    rest, kept = x & ((1 << cut) - 1), x >> cut
    half = 1 << cut >> 1
    kept += not down and cut and (rest > half or rest == half and kept & 1)
    return sign * float(kept << cut)
ints = [0, 1, -1, 2**31 - 1, -2**31, 2**24 + 1, 2**24 + 3, -2**24 - 1, 2**25 + 3, 0x7fffff7f] + [
    (i * 0x9e3779b1 + 12345) % 2**32 - 2**31 for i in range(22)]
put("ints", "i", ints)
put("floats", "f", [v for x in ints
                    for v in (rounded(x, False), rounded(x % 2**32, False), rounded(x, True))])
reals = [0.5, 1.5, 2.5, -0.5, -1.5, 254.5, 255.5, 300.0, -300.0, 127.5, -128.5, float("nan"),
         1e20, -1e20, float("inf"), 0.0] + [i * 7.25 - 150 for i in range(48)]
put("reals", "f", reals)
def integer(x):
    return 0 if math.isnan(x) else max(-2**31, min(2**31 - 1, x if math.isinf(x) else round(x)))
clamp = lambda x, low, high: int(max(low, min(high, integer(x))))
put("bytes", "I", [v for x, y in zip(reals[::2], reals[1::2]) for v in (
    0x1234 << 16 | clamp(x, 0, 255) << 8 | clamp(y, 0, 255),
    5 << 16 | clamp(x, -128, 127) % 256 << 8 | clamp(y, -128, 127) % 256)])
pairs = [(i % 7 - 3, i % 5 - 2) for i in range(96)]  # small integers: halves hold all sums exactly
put("pairs", "e", [v for p in pairs for v in p])
put("products", "e", [v for (a, b), (c, d), (e, f) in zip(pairs[:32], pairs[32:64], pairs[64:])
                      for v in (a * c - b * d + e, a * d + b * c + f)])
PYTHON
folder=tests/cuda/machines
for machine in sm_86 sm_87 sm_89; do
    object=$folder/convert.$machine.cubin
    "$FHEC" dis "$object" >"$tmp/$machine.sass"
    fhec "$machine: its text assembles" 0 "" as "$tmp/$machine.sass" -o "$tmp/$machine.cubin"
    for file in "$object" "$tmp/$machine.sass" "$tmp/$machine.cubin"; do
        for engine in fast ref; do
            one() { # one KERNEL IN OUT BYTES
                fhec "$machine, $1 of $(basename "$file"), $engine" 0 "" run "$file" -k "$1" --grid 1 \
                    --block 32 --engine $engine --in "param1=$tmp/$2" --out "param0=:$4" \
                    --expect "param0=$tmp/$3"
            }
            one floats ints floats 384
            one bytes reals bytes 256
            one complexes pairs products 128
        done
    done
    fhec "$machine: nothing undefined" 0 "" run "$object" -k floats --grid 1 --block 32 \
        --in "param1=$tmp/ints" --out param0=:384 --check
    fhec "$machine: lint" 0 "" lint "$object"
    fhec "$machine: a listing names it" 0 "code for $machine" as --list "$tmp/$machine.sass"
    "$FHEC" as --list "$tmp/$machine.sass" >"$tmp/listing.txt"
    fhec "$machine: and is read again" 0 "" as "$tmp/listing.txt" -o "$tmp/listed.cubin"
    same "$machine: to the same code" "$("$FHEC" dis "$tmp/listed.cubin" | grep -v '^\.\(param\|reg\|nvinfo\)')" \
        "$("$FHEC" dis "$tmp/$machine.cubin" | grep -v '^\.\(param\|reg\|nvinfo\)')"
done
sed 's/sm_86/sm_80/' "$tmp/sm_86.sass" >"$tmp/early.sass"
fhec "not of sm_80" 2 'error[E086]: `I2FP.F32.S32` is an instruction of sm_86 and later machines' \
    as "$tmp/early.sass" -o "$tmp/early.cubin"
python3 - "$tmp" <<'PYTHON'
import sys
data = bytearray(open(f"{sys.argv[1]}/sm_86.cubin", "rb").read())
data[0x31] = 80
open(f"{sys.argv[1]}/old.cubin", "wb").write(data)
PYTHON
cat >"$tmp/shared.sass" <<'END'
.target MACHINE
.kernel k
    EXIT ;
.end
END
for limit in sm_80:166912 sm_86:101376 sm_87:166912 sm_89:101376; do
    machine=${limit%:*} most=${limit#*:}
    sed "s/MACHINE/$machine/" "$tmp/shared.sass" >"$tmp/k.sass"
    fhec "$machine: all shared memory of a block" 0 "" run "$tmp/k.sass" --grid 1 --block 1 \
        --shared "$most"
    fhec "$machine: no more" 2 "at most $most are possible" run "$tmp/k.sass" --grid 1 --block 1 \
        --shared $((most + 1))
done

# The kernels that are tested with sm_80, with code for the others.
. tests/tools/nvcc.sh
if [ ! -x "$nvcc" ] || [ ! -x "$O/tests/unit/cubin_lanes_test" ]; then
    skip "the kernels of tests/cuda for the other machines" "there is no nvcc, or no unit test is built"
    done_testing
    exit
fi
machines=(sm_87)
[ -z "${FHEC_TEST_LONG:-}" ] || machines=(sm_86 sm_87 sm_89)
for machine in "${machines[@]}"; do
    mkdir "$tmp/$machine"
    tests/cuda/make.sh into "$tmp/$machine" "$machine" lanes reconverge transform 2>/dev/null
    for test in lanes reconverge transform; do
        FHEC_CUBINS=$tmp/$machine "$O/tests/unit/cubin_${test}_test" >"$tmp/log" 2>&1
        same "$machine: cubin_${test}_test" "$? $(grep -A3 ERROR "$tmp/log" | head -3)" "0 "
    done
done
done_testing
