#!/usr/bin/env bash
# fhec patch: the calls of cuda/fhec.cuh's functions become instructions, and compute what Python's
# integers say, as the unpatched code does.
. "$(dirname "$0")/../tools/tap.sh"

python3 - "$tmp" <<'END'
import random, struct, sys
folder = sys.argv[1] + "/"
random.seed(15)
words = lambda n: [random.randrange(1 << 32) for _ in range(n)]
def put(name, form, values):
    open(folder + name, "wb").write(struct.pack("<%d%s" % (len(values), form), *values))
a, b, c = words(256), words(256), words(256)
moduli = [268042241, 1073479681, 4294967291, 3, 2, 65536] + [random.randrange(2, 1 << 32) for _ in range(10)]
put("a", "I", a), put("b", "I", b), put("c", "I", c)
open(folder + "m", "wb").write(b"".join(struct.pack("<IIQ", q, 7, 2**64 // q) for q in moduli))
for mixed in 0, 1:
    put("d%d" % mixed, "I", [(c[16*i+j] + sum(a[16*i+k] * b[16*k+j] for k in range(16)))
                            % moduli[j if mixed else 0] for i in range(16) for j in range(16)])
def mont(x, y, m, n):
    s = 0
    for i in range(n):
        s += (x >> i & 1) * y
        s = (s + (s & 1) * m) >> 1
    return (s - m if s >= m else s) % 2**n
given, results = [], []
for t in range(32):
    a, b, q = (random.randrange(1, 2**64) for _ in range(3))
    given += [a, b, q]
    x, y, p, odd = a % 2**32, b % 2**32, q % 2**32 | 1, q | 1
    sum_, power = a * b + q, pow(a, t // 2, q)
    results += [a % q, (a + b) % q, (a - b) % q, a * b % q, (a * b + a) % q, sum_ % 2**64, sum_ >> 64,
                mont(a, b, odd, 64), x % p, (x + y) % p, (x - y) % p, x * y % p, (x * y + x) % p,
                mont(x, y, p, 32), power if t > 1 else 1]
put("given", "Q", given), put("results", "Q", results)
END

tile=(-k tile --grid=1 --block=32 "--in=param0=$tmp/a" "--in=param1=$tmp/b" "--in=param2=$tmp/c"
    "--in=param3=$tmp/m" "--out=param4=$tmp/out:1024")
lanes=(-k lanes --grid=1 --block=32 "--in=param0=$tmp/given" "--out=param1=$tmp/out:3840"
    "--expect=param1=$tmp/results")
computes() { # computes WHAT CUBIN [COUNTED: in the tile's counts]
    for mixed in 0 1; do
        fhec "$1: a product, mixed=$mixed" 0 "${3:-}" run "$2" "${tile[@]}" "--arg=param5=$mixed" \
            "--expect=param4=$tmp/d$mixed" --stats
    done
    fhec "$1: lanes" 0 "" run "$2" "${lanes[@]}"
}
for kind in O0 O3 rdc; do
    cubin=tests/cuda/fhec/units.$kind.cubin
    computes "$kind as compiled" "$cubin"
    fhec "$kind is patched" 0 "calls became instructions" patch "$cubin" -o "$tmp/$kind.cubin"
    fhec "$kind is safe on hardware" 0 "" lint "$tmp/$kind.cubin"
    computes "$kind patched" "$tmp/$kind.cubin" "FHEC.16816.U32.U32.MIX           matrix                  2"
done
# What cannot be patched is told, with its line, and nothing is written.
cat >"$tmp/call.sass" <<'SASS'
.target sm_80
.kernel k
.param out, 8
.L_0:
    MOV R4, 0x7 ;
    MOV R5, 0x3 ;
    MOV R20, .L_back ;
    MOV R21, 0x0 ;
    CALL.REL.NOINC $k$fhec_insn_modred_u32 ;
.L_back:
    EXIT ;
.type $k$fhec_insn_modred_u32, @function
.size $k$fhec_insn_modred_u32, 32
$k$fhec_insn_modred_u32:
    MOV R4, 0x1 ;
    RET.REL.NODEC R20 `(.L_0) ;
.end
SASS
fhec "a call in assembly becomes its instruction, too" 0 "1 calls became" patch "$tmp/call.sass" -o "$tmp/call.cubin"
same "in the call's place" "$("$FHEC" dis "$tmp/call.cubin" | grep -c '^    MODRED.U32 R4, R4, R5 ;')" 1
# The warp yields in the long stall before the instruction: no register is kept for reuse there.
sed 's/^    CALL/    [B------:R-:W-:-:S02] IADD3 R6, R4.reuse, R5, RZ ;\n&/' "$tmp/call.sass" >"$tmp/kept.sass"
fhec "before a patch a register is kept" 0 "IADD3 R6, R4.reuse, R5, RZ" dis "$tmp/kept.sass"
fhec "patched" 0 "1 calls became" patch "$tmp/kept.sass" -o "$tmp/kept.cubin"
fhec "no register is kept in a long stall" 0 "S15] IADD3 R6, R4, R5, RZ" dis -c "$tmp/kept.cubin"
refused() { # refused WHAT EXPECTED SED
    sed "$3" "$tmp/call.sass" >"$tmp/refused.sass"
    fhec "$1" 2 "$2" patch "$tmp/refused.sass" -o "$tmp/refused.cubin"
    check "$1: no file" test ! -e "$tmp/refused.cubin"
}
refused "a function that stands for nothing" "refused.sass:9:5: error[P001]" s/modred_u32/cube_u32/
refused "a function with a convention of its own" "refused.sass:9:5: error[P002]" 's/RET.REL.NODEC R20/RET.REL.NODEC R22/'
refused "no room for the loads" "refused.sass:8:5: error[P003]" '/R20, .L_back/d; s/modred_u32/fhec_16816/'
refused "loads in the place of the moves would be passed by" "refused.sass:9:10: error[P003]" \
    's/MOV R5, 0x3 ;/@P0 BRA .L_mid ;/; s/^    CALL/.L_mid:  CALL/; s/modred_u32/fhec_16816/'
fhec "the output must be named" 2 "-o OUT is missing" patch tests/cuda/fhec/units.O3.cubin
done_testing
