#!/usr/bin/env bash
# What an object says of its kernels in .nv.info: blocks that a launch must have, and records that are
# only kept, from object to text to object.
. "$(dirname "$0")/../tools/tap.sh"
. tests/tools/nvcc.sh

cat >"$tmp/blocks.sass" <<'EOS'
.target sm_80
.kernel required
.reqntid 32, 4
    EXIT ;
.end
.kernel bounded
.maxntid 32, 2
    EXIT ;
.end
EOS
fhec "an object of it" 0 "" as "$tmp/blocks.sass" -o "$tmp/blocks.cubin"
for file in blocks.sass blocks.cubin; do
    fhec "$file: the block that is required" 0 "" run "$tmp/$file" -k required --grid 2 --block 32,4
    for block in 64 128 4,32 32,4,2; do
        fhec "$file: another one, $block" 2 \
            "kernel required takes blocks of 32 x 4 x 1 only (.reqntid)" \
            run "$tmp/$file" -k required --grid 2 --block "$block"
    done
    said=$(echo continue | "$FHEC" debug "$tmp/$file" -k required --grid 1 --block 64 2>&1)
    same "$file: a session" "$(grep -o 'takes blocks of 32 x 4 x 1 only' <<<"$said" | head -n 1)" \
        "takes blocks of 32 x 4 x 1 only"
    fhec "$file: the largest block" 0 "" run "$tmp/$file" -k bounded --grid 1 --block 64
    fhec "$file: a larger one" 2 "was made for at most 64" \
        run "$tmp/$file" -k bounded --grid 1 --block 65
done
fhec "its list" 0 "blocks of 32 x 4 x 1 threads" run "$tmp/blocks.cubin"
fhec "its text" 0 ".reqntid 32, 4, 1
.maxntid 32, 2, 1" dis "$tmp/blocks.cubin"
for wrong in '.reqntid 0' '.reqntid 2048' '.reqntid 32, 64' '.nvinfo 256, 1' '.nvinfo 1, 5' \
    '.nvinfo 0x23, 4' '.nvinfo 0x23, 1, 8' '.nvinfo 0x29, 4, 0x100000000' '.nvinfo 0x35, 1, 0x10000' '.nvinfo 0x35, 3, 1, 2' '.mark 300'; do
    printf '.kernel k\n%s\n    EXIT ;\n.end\n' "$wrong" >"$tmp/wrong.sass"
    fhec "$wrong" 2 "error[E059]" as "$tmp/wrong.sass" -o "$tmp/wrong.cubin"
done

# Records of .nv.info and .nv.info.K, one a line: code, attribute, format, value; symbols by name.
# Registers and stack (0x11, 0x12, 0x2f), which the whole has by symbols, are not among them, nor
# what says that there are no parameters, which compilers leave out.
cat >"$tmp/records.py" <<'EOS'
import struct, sys
data = open(sys.argv[1], "rb").read()
at, = struct.unpack_from("<Q", data, 40)
count, names = struct.unpack_from("<HH", data, 60)
sections = [struct.unpack_from("<IIQQQQII", data, at + 64 * i) for i in range(count)]
def text(table, at):
    start = sections[table][4] + at
    return data[start:data.index(b"\0", start)].decode()
def name(s): return text(names, s[0])
symbols = []
for s in sections:
    for i in range(s[5] // 24 if s[1] == 2 else 0):
        label, info, _, where = struct.unpack_from("<IBBH", data, s[4] + 24 * i)
        symbols.append(name(sections[where]) if info & 15 == 3 else text(s[6], label))
lines = []
for s in sections:
    at, end = s[4], s[4] + s[5]
    while name(s).startswith(".nv.info") and at < end:
        form, attribute, value = struct.unpack_from("<BBH", data, at)
        at += 4
        if form == 4:
            at, value = at + value, data[at:at + value].hex()
        if attribute in (0x0a, 0x0f, 0x23): # all words of EXTERNS, else the first one
            numbers = struct.unpack(f"<{len(value) // 8}I", bytes.fromhex(value))
            value = " ".join(symbols[n] if i == 0 or attribute == 0x0f else f"{n:#x}"
                             for i, n in enumerate(numbers))
        if attribute not in (0x11, 0x12, 0x2f) and (attribute, value) != (0x19, 0) and not (
                attribute == 0x0a and value.endswith(" 0x160")):
            lines.append(f"{name(s)[9:]} {attribute:#x} {form} {value}")
print("\n".join(sorted(lines)))
EOS
compare() { # NAME CUBIN
    "$FHEC" dis -c "$2" >"$tmp/back.sass" 2>"$tmp/err" &&
        "$FHEC" as "$tmp/back.sass" -o "$tmp/back.cubin" 2>>"$tmp/err" || cat "$tmp/err"
    same "$1: the records are the same" "$(python3 "$tmp/records.py" "$tmp/back.cubin")" \
        "$(python3 "$tmp/records.py" "$2")"
}
for cubin in tests/cuda/*.O[13].cubin tests/cuda/{device,linked,stack.rdc}.cubin tests/cuda/machines/*.cubin tests/bench/compiled/*.cubin; do
    compare "$cubin" "$cubin"
done

# What nvcc and nvlink make here: of -G, of -rdc, linked; with recursion, pointers to functions, calls
# of the device runtime and branches through registers.
cat >"$tmp/made.cu" <<'EOS'
#include <cstdio>
__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ __noinline__ int leaf(int n) {
    int a[8];
    for (int i = 0; i < 8; i++) a[i] = n * i;
    return a[n & 7];
}
extern "C" __global__ void recurse(int *p) { p[threadIdx.x] = fib(p[threadIdx.x]); }
extern "C" __global__ void says(int *p) {
    printf("%d\n", p[threadIdx.x]);
    p[0] = leaf(p[1]);
}
#ifndef NO_TABLE // whose address nvlink fills in
extern "C" __global__ void chooses(int *p, int n) {
    int x = p[threadIdx.x];
    switch (n) {
    case 0: x = __sinf(x); break;
    case 1: x ^= p[3]; break;
    case 2: x = x * x + p[9]; break;
    case 3: x = __popc(x); p[7] = 1; break;
    case 4: __threadfence(); x /= 7; break;
    case 5: x = __clz(x); p[77] = 9; break;
    case 6: atomicAdd(p, x); break;
    case 7: x %= p[5]; break;
    case 8: p[1] = x; __syncthreads(); x = p[2]; break;
    }
    p[threadIdx.x] = x;
}
#endif
typedef int (*function)(int);
__device__ function table[2] = {fib, leaf};
extern "C" __global__ void points(int *p, int n) { p[0] = table[n](p[1]); }
EOS
cat >"$tmp/user.cu" <<'EOS'
#include <cstdio>
extern __device__ int other(int);
__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + other(n - 2); }
extern "C" __global__ void linked(int *p) {
    p[threadIdx.x] = fib(p[threadIdx.x]);
    printf("x");
}
EOS
cat >"$tmp/used.cu" <<'EOS'
__device__ int other(int n) { return n * 3; }
EOS
made_here() { # ARCH: objects of all kinds
    "$nvcc" "-arch=$1" -cubin -o "$tmp/made.$1.cubin" "$tmp/made.cu" &&
        "$nvcc" "-arch=$1" -G -cubin -o "$tmp/made.$1.G.cubin" "$tmp/made.cu" &&
        "$nvcc" "-arch=$1" -rdc=true -DNO_TABLE -cubin -o "$tmp/made.$1.rdc.cubin" "$tmp/made.cu" &&
        "$nvcc" "-arch=$1" -rdc=true -cubin -o "$tmp/user.cubin" "$tmp/user.cu" &&
        "$nvcc" "-arch=$1" -rdc=true -cubin -o "$tmp/used.cubin" "$tmp/used.cu" &&
        "$nvlink" "-arch=$1" "$tmp/user.cubin" "$tmp/used.cubin" -o "$tmp/made.$1.linked.cubin"
}
nvlink=$(dirname "$(readlink -f "$nvcc")")/nvlink
if [ -x "$nvcc" ] && [ -x "$nvlink" ]; then
    for arch in sm_80 sm_89; do
        made_here $arch >"$tmp/err" 2>&1 || cat "$tmp/err"
        for kind in "" .G .rdc .linked; do
            compare "made here, $arch$kind" "$tmp/made.$arch$kind.cubin"
        done
    done
    same "records of all these kinds are among them" "$(for cubin in "$tmp"/made.sm_80*.cubin; do
        python3 "$tmp/records.py" "$cubin"
    done | grep -oE ' 0x(f|23|34|53|5f) ' | sort -u | xargs)" "0x23 0x34 0x53 0x5f 0xf"
else
    skip "objects made here" "there is no nvcc or nvlink"
fi

# Lists of where branches through registers go have labels, which may move; EXTERNS names of `.extern`.
cat >"$tmp/lists.sass" <<'EOS'
.nvinfo 0x53, 1
.extern vprintf
.kernel k
.nvinfo 0xf, 4, vprintf
.nvinfo 0x23, 4, 8
.nvinfo 0x34, 4, branch, 0, 2, first, second, 7
branch:
    BRX R2, 0x10 ;
first:
    NOP ;
second:
    EXIT ;
.end
EOS
fhec "lists" 0 "" as "$tmp/lists.sass" -o "$tmp/lists.cubin"
same "their records" "$(python3 "$tmp/records.py" "$tmp/lists.cubin" | grep -E ' 0x(f|23|34|53) ')" \
    ' 0x23 4 k 0x8
 0x53 1 0
k 0x34 4 000000000000000002000000100000002000000007000000
k 0xf 4 vprintf'
fhec "their text" 0 ".nvinfo 0x34, 4, .L_0, 0x0, 0x2, .L_1, .L_2, 0x7" dis "$tmp/lists.cubin"
sed 's/^first:/    NOP ;\n&/' "$tmp/lists.sass" >"$tmp/longer.sass"
fhec "with one more instruction" 0 "" as "$tmp/longer.sass" -o "$tmp/longer.cubin"
same "their records" "$(python3 "$tmp/records.py" "$tmp/longer.cubin" | grep ' 0x34 ')" \
    'k 0x34 4 000000000000000002000000200000003000000007000000'
for wrong in '0xf, 4, printf' '0xf, 4, 1' '0x34, 4, nowhere'; do
    printf '.kernel k\n.nvinfo %s\n    EXIT ;\n.end\n' "$wrong" >"$tmp/wrong.sass"
    fhec ".nvinfo $wrong" 2 "error[" as "$tmp/wrong.sass" -o "$tmp/wrong.cubin"
done
printf '.nvinfo 0x23, 4, 8\n' >"$tmp/wrong.sass"
fhec "of no code" 2 "error[" as "$tmp/wrong.sass" -o "$tmp/wrong.cubin"

# Places in the code are instructions, which may move.
cat >"$tmp/marks.sass" <<'EOS'
.kernel k
.nvinfo 0x29, 4, 0xffffffff, 0x05000008
.nvinfo 0x36, 4, 2
.nvinfo 0x1b, 3, 40
.nvinfo 0x4, 1
    NOP ;
.mark 0x28
    NOP ;
    NOP ;
.mark 0x28
.mark 0x31
    EXIT ;
.end
EOS
fhec "marks" 0 "" as "$tmp/marks.sass" -o "$tmp/marks.cubin"
same "their records" "$(python3 "$tmp/records.py" "$tmp/marks.cubin" | grep -E ' 0x(4|1b|28|29|31|36) ')" \
    'k 0x1b 3 40
k 0x28 4 1000000030000000
k 0x29 4 ffffffff08000005
k 0x31 4 30000000
k 0x36 4 02000000
k 0x4 1 0'
fhec "their text" 0 ".mark 0x31
    EXIT" dis "$tmp/marks.cubin"
sed 's/^\.mark 0x28/    NOP ;\n&/' <<<"$said" >"$tmp/moved.sass"
fhec "with more instructions" 0 "" as "$tmp/moved.sass" -o "$tmp/moved.cubin"
same "their records" "$(python3 "$tmp/records.py" "$tmp/moved.cubin" | grep ' 0x28 ')" \
    'k 0x28 4 2000000050000000'
done_testing
