#!/usr/bin/env bash
# What a host program does around a kernel, on the command line: structures by value, arrays of
# addresses, variables that hold addresses, several launches on one memory, asserts.
. "$(dirname "$0")/../tools/tap.sh"

python3 - "$tmp" <<'EOP'
import struct, sys
tmp = sys.argv[1]
M = (1 << 64) - 1
def number(i, k): return (i * 0x9e3779b97f4a7c15 + k * 0xd1342543de82ef95 + 77) & M
def raw(name, values): open(f"{tmp}/{name}", "wb").write(struct.pack(f"<{len(values)}Q", *values))
n = 100
a, b = [number(i, 1) for i in range(n)], [number(i, 2) for i in range(n)]
raw("a.bin", a); raw("b.bin", b)
# by_value: step 7, shift 3, scale 2.25; b from its second element on
raw("value.bin", [((a[i] >> 3) * 7 + b[1:][n - 2 - i] + 9 + 5) & M for i in range(n - 1)])
rows = [[number(i, 10 + k) for i in range(n)] for k in range(3)]
digits = [number(i, 20) for i in range(4 * n)]
for k in range(3): raw(f"row{k}.bin", rows[k])
raw("digits.bin", digits)
# the fourth row is the third one from its element 2 on; the second is not there
used = [rows[0], None, rows[1], rows[2][2:] + [0, 0]]
raw("inner.bin", [sum(r[i] * digits[k * (n - 2) + i] for k, r in enumerate(used) if r) & M
                  for i in range(n - 2)])
moduli = [97, (1 << 61) - 1, 1000003, 2, (1 << 40) + 15]
raw("moduli.bin", moduli)
def walk(x): return [((v + i * 3 + 40) & M) % moduli[i % 5] for i, v in enumerate(x)]
raw("once.bin", walk(a)); raw("thrice.bin", walk(walk(walk(a))))
data = [number(i, 5) for i in range(256)]
raw("data.bin", data)
turned = [data[i // 64 * 64 + 63 - i % 64] for i in range(256)]
raw("across.bin", [(data[i] + turned[255 - i] * 3) & M for i in range(256)])
raw("floats.bin", [struct.unpack("<Q", struct.pack("<d", 1.5 * -0.25 - 3 + i))[0]
                   for i in range(32)])
table = [number(i, 30) for i in range(5 * 211)]
raw("table.bin", table)
raw("large.bin", [(table[i % 192 // 32 % 5 * 211 + i % 211] * 3 + i % 192 // 32) & M
                  for i in range(380)])
page = [number(i, 40) for i in range(512)]
raw("page.bin", page)
raw("paged.bin", [(page[i] + page[511 - i] * 5) & M for i in range(512)])
open(f"{tmp}/five.bin", "wb").write(bytes(range(40)))
open(f"{tmp}/small.bin", "wb").write(struct.pack("<32I", *range(32)))
EOP

for level in O1 O3; do
    cubin=tests/cuda/abi.$level.cubin
    fhec "$level: a structure by value, in parts" 0 "" run $cubin -k by_value --grid 2 --block 32 \
        --in "a=$tmp/a.bin" --in "b=$tmp/b.bin" --out param0=:792 --arg param2=5 \
        --arg param1+0=address:a --arg param1+8=u16:7 --arg param1+12=u32:99 --arg param1+16=u8:3 \
        --arg param1+24=f64:2.25 --arg param1+32=address:b+8 --expect "param0=$tmp/value.bin"
    fhec "$level: an array of addresses, two into one buffer, one that is 0" 0 "" run $cubin \
        -k inner_product --grid 3 --block 32 --in "r0=$tmp/row0.bin" --in "r1=$tmp/row1.bin" \
        --in "r2=$tmp/row2.bin" --pointers param1=r0,0,r1,r2+0x10 --in "param2=$tmp/digits.bin" \
        --arg param3=4 --arg param4=98 --out param0=:784 --expect "param0=$tmp/inner.bin"
    cp "$tmp/a.bin" "$tmp/inout.bin"
    variables=(--inout "x=$tmp/inout.bin" --set target=address:x --set "walk+0=u32:3"
        --set "walk+4=u32:40" --set "moduli=@$tmp/moduli.bin")
    once=(-k through_variables --grid 4 --block 32 --arg param0=100)
    fhec "$level: a variable that holds an address, tables in constant memory" 0 \
        'rounds_done[0x0000] 00000001' run $cubin "${once[@]}" "${variables[@]}" \
        --expect "x=$tmp/once.bin" --get rounds_done
    cp "$tmp/a.bin" "$tmp/inout.bin"
    fhec "$level: three launches share memory and variables" 0 'rounds_done[0x0000] 00000003' \
        run $cubin "${variables[@]}" "${once[@]}" --then "${once[@]}" --then "${once[@]}" \
        --expect "x=$tmp/thrice.bin" --get rounds_done
    check "$level: the file is that of the last one" cmp "$tmp/inout.bin" "$tmp/thrice.bin"
    fhec "$level: two kernels, dynamic shared memory for the first" 0 "" run $cubin \
        --inout "data=$tmp/data.bin" --out between=:2K -k reverse_blocks --grid 4 --block 64 \
        --shared 512 --arg param0=address:data --arg param1=address:between --then -k add_across \
        --grid 2 --block 128 --arg param0=address:data --arg param1=address:between \
        --expect "data=$tmp/across.bin" --threads 2
    mv "$tmp/data.bin" "$tmp/across.$level" && python3 -c "
import sys; open(sys.argv[1], 'wb').write(b''.join(
    ((i * 0x9e3779b97f4a7c15 + 5 * 0xd1342543de82ef95 + 77) % 2**64).to_bytes(8, 'little')
    for i in range(256)))" "$tmp/data.bin"
    fhec "$level: floating point and narrow values" 0 "" run $cubin -k floats --grid 1 --block 32 \
        --out param0=:256 --arg param1=f32:1.5 --arg param2=f64:-0.25 --arg param3=-3 \
        --expect "param0=$tmp/floats.bin"
    fhec "$level: 8464 bytes of parameters, numbers of warps" 0 "" run $cubin -k large_struct \
        --grid 2 --block 192 --arg "param1=@$tmp/table.bin" --arg param2=380 --out param0=:3040 \
        --expect "param0=$tmp/large.bin"
    fhec "$level: 4104 bytes of parameters" 0 "" run $cubin -k page_struct --grid 4 --block 128 \
        --arg "param1=@$tmp/page.bin" --out param0=:4096 --expect "param0=$tmp/paged.bin"
    "$FHEC" dis -c $cubin >"$tmp/abi.sass" 2>"$tmp/abi.said"
    fhec "$level: the same becomes an object from its text" 0 "" as "$tmp/abi.sass" -o "$tmp/abi.cubin"
    fhec "$level: and runs with 4104 bytes" 0 "" run "$tmp/abi.cubin" -k page_struct --grid 4 \
        --block 128 --arg "param1=@$tmp/page.bin" --out param0=:4096 --expect "param0=$tmp/paged.bin"
    fhec "$level: and with 8464" 0 "" run "$tmp/abi.cubin" -k large_struct \
        --grid 2 --block 192 --arg "param1=@$tmp/table.bin" --arg param2=380 --out param0=:3040 \
        --expect "param0=$tmp/large.bin"
    fhec "$level: an assertion tells what and where" 3 'guest fault: trap: abi.cu:70: void asserts(unsigned int *, unsigned int): block: [0,0,0], thread: [21,0,0] Assertion `data[threadIdx.x] < most && "too large"` failed.
lanes 0xffe00000' run $cubin -k asserts --grid 1 --block 32 --in "param0=$tmp/small.bin" \
        --arg param1=21
    "$FHEC" dis $cubin >"$tmp/text.sass" 2>"$tmp/log"
    "$FHEC" as -o "$tmp/text.cubin" "$tmp/text.sass" 2>>"$tmp/log"
    for again in text.sass text.cubin; do
        fhec "$level: and so it does by its name in $again" 3 'Assertion `data[threadIdx.x] < most' run \
            "$tmp/$again" -k asserts --grid 1 --block 32 --in "param0=$tmp/small.bin" \
            --arg param1=21
    done
done

far() { # far SIZE OFFSET: a kernel with a small parameter and one of that size there
    printf '.target sm_80\n.kernel far\n.param near, 4\n.param wide, %d, 8, %d\nEXIT ;\n.end\n' \
        "$1" "$2" >"$tmp/far.sass"
}
far 20000 6432
fhec "a small and a large parameter" 0 "" as "$tmp/far.sass" -o "$tmp/far.cubin"
fhec "come back from the object" 0 "near                4 bytes at 0x0
wide             20000 bytes at 0x1920" run "$tmp/far.cubin"
fhec "the last byte" 0 "" as -o "$tmp/far.cubin" <(far 32764 6432; cat "$tmp/far.sass")
fhec "one more" 2 "error[E060]" as -o "$tmp/far.cubin" <(far 32765 6432; cat "$tmp/far.sass")
fhec "the last small ones" 0 "" as -o "$tmp/far.cubin" <(far 8 4344; cat "$tmp/far.sass")
fhec "between the small and the large ones" 2 "error[E060]" as -o "$tmp/far.cubin" <(far 8 4352; cat "$tmp/far.sass")

cubin=tests/cuda/abi.O3.cubin
head -c 8 /dev/zero >"$tmp/eight.bin"
fhec "a variable goes to a file" 0 "" run $cubin -k floats --grid 1 --block 32 --out param0=:256 \
    --arg param1=f32:0 --arg param2=f64:0 --arg param3=0 --set "moduli=@$tmp/moduli.bin" \
    --get "moduli=$tmp/got.bin"
check "with its bytes" cmp "$tmp/got.bin" "$tmp/moduli.bin"
fhec "a part of a buffer" 0 "" run $cubin -k add_across --grid 1 --block 1 \
    --inout "param0=$tmp/eight.bin" --in "param1=$tmp/a.bin" --set param1+0=u64:2 \
    --set param0+4=u32:0x10 --hash param0
check "is there when it runs" test "$(od -An -tx8 "$tmp/eight.bin" | tr -d ' ')" = 0000001000000006

refused() { # refused WHAT WANT ARGUMENT...: of by_value
    local what=$1 want=$2
    shift 2
    fhec "$what" 2 "$want" run $cubin -k by_value --grid 1 --block 32 --in "a=$tmp/a.bin" \
        --out param0=:792 --arg param2=5 "$@"
}
refused "a buffer that nothing points to" 'kernel by_value has no parameter "a"' \
    --arg param1+8=u16:7
refused "an address in no buffer" '"c" is no address: expected BUFFER[+OFFSET]' \
    --arg param1+0=address:c
refused "a part behind the end" 'parameter param1 has 40 bytes; there is none at 40' \
    --arg param1+0=address:a --arg param1+40=u8:1
refused "a part that does not fit" 'parameter param1 from byte 36 on takes 4 bytes; "u64:1" is not' \
    --arg param1+0=address:a --arg param1+36=u64:1
refused "an address that does not fit" 'from byte 36 on has 4 bytes; an address takes 8' \
    --arg param1+36=address:a
refused "a number without its type" '"7" is not a number with its type' \
    --arg param1+0=address:a --arg param1+8=7
refused "a number that its type does not hold" '"u16:65536" is not' \
    --arg param1+0=address:a --arg param1+8=u16:65536
refused "the whole and a part" 'parameter param1 is given twice' --arg "param1=@$tmp/five.bin" \
    --arg param1+0=address:a
refused "no offset" 'param1+x: expected NAME or NAME+OFFSET' --arg param1+x=u8:1
refused "a variable that is not there, before it runs" 'no variable "modulii"; did you mean "moduli"?' \
    --arg param1+0=address:a --arg param1+8=u16:7 --get modulii
refused "more shared memory than there is" '(0 static, 204800 dynamic); at most' --shared 200K \
    --arg param1+0=address:a --arg param1+8=u16:7
refused "no size" '--shared 1KK: expected a number from 0 to 4294967295, which may end in K, M or G' \
    --shared 1KK
refused "a launch without a shape" '--grid and --block are needed: the shape of launch 2' \
    --arg param1+0=address:a --then -k by_value
# Which of several launches it is: kernels with parameters p and q, and one that faults.
cat >"$tmp/launches.sass" <<'EOF'
.target sm_80
.kernel one
.param p, 4
    EXIT ;
.end
.kernel two
.param q, 4
    EXIT ;
.end
.kernel null
    LDG.E R0, [RZ] ;
    EXIT ;
.end
EOF
shape=("--grid" 1 "--block" 32)
launches=(run "$tmp/launches.sass" -k one "${shape[@]}" --arg p=1 --then -k two "${shape[@]}")
fhec "two launches" 0 "" "${launches[@]}" --arg q=2
fhec "a missing argument of the second" 2 \
    "error: launch 2: parameter q (4 bytes) of kernel two is not given" "${launches[@]}"
fhec "a wrong argument of the second" 2 \
    'error: launch 2: kernel two has no parameter "p"' "${launches[@]}" --arg p=1
fhec "a missing argument of the first" 2 "error: launch 1: parameter p (4 bytes) of kernel one" \
    run "$tmp/launches.sass" -k one "${shape[@]}" --then -k two "${shape[@]}" --arg q=2
fhec "a kernel that the third does not find" 2 \
    'error: launch 3: the program has no kernel "three"' \
    "${launches[@]}" --arg q=2 --then -k three "${shape[@]}"
fhec "the same in JSON" 2 '"message":"launch 2: parameter q (4 bytes)' "${launches[@]}" --diag=json
fhec "a fault of the third" 3 "error: launch 3: $tmp/launches.sass:11:5: guest fault: out of bounds" \
    "${launches[@]}" --arg q=2 --then -k null "${shape[@]}"
fhec "which is also in JSON" 3 '"launch":3' \
    "${launches[@]}" --arg q=2 --then -k null "${shape[@]}" --diag=json
fhec "a buffer that none of them has is about no launch" 2 'error: kernel one has no parameter "r"' \
    "${launches[@]}" --arg q=2 --out r=:4
fhec "one launch has no number" 2 "error: parameter q (4 bytes) of kernel two is not given" \
    run "$tmp/launches.sass" -k two "${shape[@]}"
done_testing
