#!/usr/bin/env bash
# Compiled objects on the command line: lists, runs, variables, lines, and what is said before a run
# of code that fhec cannot execute or should not.
. "$(dirname "$0")/../tools/tap.sh"

cuda=tests/cuda
python3 - "$tmp" <<'EOF'
import struct, sys
tmp = sys.argv[1]
words = [(i * 2654435761 + 12345) & 0xffffffff for i in range(64)]
open(f"{tmp}/in.bin", "wb").write(struct.pack("<64I", *words))
# linked_mix, linked_factor * linked_depth, linked_other, as tests/cuda/linked says
depth = [7]
for k in range(7): depth.append(depth[-1] * 2 + 1)
def linked(factor):
    return [((x ^ 9) * 3 + factor + factor * depth[x & 7] + x // 5) & 0xffffffff for x in words]
open(f"{tmp}/linked.bin", "wb").write(struct.pack("<64I", *linked(1000)))
open(f"{tmp}/linked77.bin", "wb").write(struct.pack("<64I", *linked(77)))
M = 0xffffffff
def variable(x, step): # variable_stack, with_frame and depth of tests/cuda/stack.cu
    n, sum = (x & 31) + 1, 0
    for k in range(n): sum = (sum * 3 + x + (k * 7 + step) % n * step) & M
    return sum
def frame(x, at): return (x * (at % 77) + 5 ^ x * (x % 77) + 5) & M
def depth(x, turns):
    return (depth((x * 3 + turns) & M, turns - 1) + x + x % 5 * 7) & M if turns else x
open(f"{tmp}/deep.bin", "wb").write(
    struct.pack("<64I", *[depth(x ^ 9, 9 + (i & 7)) for i, x in enumerate(words)]))
open(f"{tmp}/variable.bin", "wb").write(struct.pack("<64I", *[variable(x, 9) for x in words]))
open(f"{tmp}/framed.bin", "wb").write(
    struct.pack("<64I", *[(frame(x, 9) + frame(9, i)) & M for i, x in enumerate(words)]))
cubin = bytearray(open("tests/cuda/bits.O3.cubin", "rb").read())
def variant(name, change):
    copy = bytearray(cubin); change(copy); open(f"{tmp}/{name}", "wb").write(copy)
def architecture(b): b[49] = 90
variant("sm90.cubin", architecture)
# the kernel mix begins at the file offset of .text.mix: its third word becomes nonsense
shoff, = struct.unpack_from("<Q", cubin, 40)
count, names = struct.unpack_from("<HH", cubin, 60)
def section(i): return struct.unpack_from("<IIQQQQ", cubin, shoff + 64 * i)
table = section(names)[4]
def name(i):
    at = table + section(i)[0]
    return cubin[at:cubin.index(0, at)].decode()
text = next(section(i)[4] for i in range(count) if name(i) == ".text.mix")
def nonsense(b): b[text + 32:text + 48] = bytes(range(0xe0, 0xf0))
variant("nonsense.cubin", nonsense)
def texture(b): b[text + 32:text + 48] = struct.pack("<QQ", 0x04047f60, 0)
variant("texture.cubin", texture)
def executable(b): b[16] = 3
variant("shared.cubin", executable)
cubin = bytearray(open("tests/cuda/stack.rdc.cubin", "rb").read())
def undefined(b): # the function's symbol: in no section, and with a name that no driver has
    shoff, = struct.unpack_from("<Q", b, 40)
    table = next(shoff + 64 * i for i in range(64) if struct.unpack_from("<I", b, shoff + 64 * i + 4) == (2,))
    at, size = struct.unpack_from("<QQ", b, table + 24)
    for symbol in range(at, at + size, 24):
        if b[symbol + 4] & 15 == 2 and not b[symbol + 5] & 16: b[symbol + 6:symbol + 8] = b"\0\0"
variant("unlinked.cubin", undefined)
def strange(b): # a relocation that only a linker fills in, in place of a call
    at = b.index(struct.pack("<I", 0x3a), struct.unpack_from("<Q", b, 40)[0] * 0)
    while struct.unpack_from("<I", b, at + 4)[0] > 64 or at % 8: at = b.index(struct.pack("<I", 0x3a), at + 1)
    b[at] = 59
variant("relocated.cubin", strange)
EOF

fhec "the kernels, their parameters and the variables are listed" 0 'kernel spin_lock: 10 registers
    param0              8 bytes at 0x0
    param2              4 bytes at 0x10
variable constant_table: 1024 bytes, constant
variable counter: 4 bytes' run $cuda/memory.O1.cubin

shape=(--grid 1 --block 64 --out "param0=$tmp/out.bin:256" --in "param1=$tmp/in.bin"
    --arg param2=64 --arg param3=9)
fhec "linked units call each other, and through memory" 0 "" run $cuda/linked.cubin "${shape[@]}" \
    --expect "param0=$tmp/linked.bin"
fhec "a variable is set, and shown" 0 'linked_factor[0x0000] 0000004d' run $cuda/linked.cubin \
    "${shape[@]}" --set linked_factor=77 --get linked_factor --expect "param0=$tmp/linked77.bin"
fhec "a variable that is not there" 2 'no variable "linked_facto"; did you mean "linked_factor"?' \
    run $cuda/linked.cubin "${shape[@]}" --set linked_facto=77
fhec "a value that does not fit" 2 'the variable linked_factor takes 4 bytes' \
    run $cuda/linked.cubin "${shape[@]}" --set linked_factor=0x100000000
fhec "recursion, on a larger stack" 0 '' \
    run $cuda/control.O1.cubin -k recursion --stack 8192 --grid 1 --block 64 \
    --out param0=:256 --in "param1=$tmp/in.bin" --arg param2=64 --arg param3=9

fhec "a fault names the source line" 3 'memory.cu:' run $cuda/memory.O3.cubin -k vectors --grid 1 \
    --block 64 --out param0=:256 --in "param1=$tmp/in.bin" --arg param2=64 --arg param3=9
fhec "a trace does, too" 0 'bits.cu:' run $cuda/bits.O3.cubin -k mix "${shape[@]}" --trace=fetch

fhec "another architecture" 2 'error[O003]: the object is for sm_90' run "$tmp/sm90.cubin"
fhec "an object that is part of another" 2 'error[O010]: the object is not linked: its type is 3' \
    run "$tmp/shared.cubin"
fhec "an object that is not linked and calls another" 2 'error[O010]: the object is not linked: `_Z
is in another one; link them with nvlink' run "$tmp/unlinked.cubin"
fhec "an object that is not linked and needs the linker" 2 \
    'has a relocation of type 59, which nvlink can fill in' run "$tmp/relocated.cubin"
fhec "a stack of unknown size and the bounds of blocks are listed" 0 '
kernel variable_stack: 31 registers, 1024 bytes local or more (--stack), blocks of at most 96 threads
blocks of at most 64 threads' run $cuda/stack.O3.cubin
fhec "a stack that was too small, and its need is not known" 3 \
    'outside the 1024 bytes of local memory
how much stack kernel deep needs is not known; --stack gives it more' run $cuda/stack.O3.cubin \
    -k deep --grid 1 --block 64 --out param0=:256 --in "param1=$tmp/in.bin" --arg param2=64 \
    --arg param3=90
for object in "$cuda"/stack.*.cubin; do
    "$FHEC" dis "$object" >"$tmp/stack.sass"
    "$FHEC" as "$tmp/stack.sass" -o "$tmp/stack.cubin"
    for file in "$object" "$tmp/stack.sass" "$tmp/stack.cubin"; do
        for kernel in variable_stack=variable framed=framed deep=deep; do
            fhec "stacks: ${kernel%=*} of $(basename "$object"), $(basename "$file")" 0 '' \
                run "$file" -k "${kernel%=*}" --grid 1 --block 64 --out param0=:256 \
                --in "param1=$tmp/in.bin" --arg param2=64 --arg param3=9 \
                --expect "param0=$tmp/${kernel#*=}.bin"
        done
        fhec "a block that is too large ($(basename "$file"))" 2 \
            'the block has 65 threads; kernel framed was made for at most 64 (__launch_bounds__)' \
            run "$file" -k framed --grid 1 --block 65 --out param0=:256 --in "param1=$tmp/in.bin" \
            --arg param2=64 --arg param3=9
    done
done
fhec "an unknown instruction is said before the run" 2 'warning[O103]: kernel mix, address 0x20: 0xefeeedecebeae9e8e7e6e5e4e3e2e1e0
kernel mix has instructions that fhec cannot execute' run "$tmp/nonsense.cubin" -k mix "${shape[@]}"
fhec "or runs until it is reached" 3 'guest fault: illegal instruction
pc 0x0020' run "$tmp/nonsense.cubin" -k mix "${shape[@]}" --trap-unsupported
fhec "which other kernels do not mind" 0 "" run "$tmp/nonsense.cubin" -k narrow --grid 1 --block 8 \
    --out param0=:64 --in "param1=$tmp/in.bin" --arg param2=8 --arg param3=9
cat > "$tmp/tensor.sass" <<'SASS'
.target sm_80
.kernel tensor
.param which, 4
    MOV R0, which ;
    ISETP.EQ.AND P0, PT, R0, 0x1, PT ;
    @P0 HMMA.SP.16832.F32 R4, R8, R12, R4, R2, 0x0 ;
    ISETP.EQ.AND P1, PT, R0, 0x2, PT ;
    @P1 IMMA.SP.16832.S8.S8 R4, R8.ROW, R12.COL, R4, R2, 0x1 ;
    EXIT ;
.end
SASS
fhec "what has no known meaning assembles into a cubin" 0 '' as "$tmp/tensor.sass" -o "$tmp/tensor.cubin"
for object in sass cubin; do
    tensor=(run "$tmp/tensor.$object" --grid 1 --block 32)
    fhec "it is said before the run, all of it ($object)" 2 'address 0x20: @P0 HMMA.SP.16832.F32 R4, R8, R12, R4, R2, 0x0: which bits of its metadata
address 0x40: @P1 IMMA.SP.16832.S8.S8 R4, R8.ROW, R12.COL, R4, R2, 0x1: which bits of its metadata
kernel tensor has instructions that fhec cannot execute' "${tensor[@]}" --arg which=0
    fhec "it runs where none is reached ($object)" 0 '' "${tensor[@]}" --arg which=0 --trap-unsupported
    fhec "it runs until the first ($object)" 3 'illegal instruction
it is known but cannot be executed: which bits of its metadata
pc 0x0020' "${tensor[@]}" --arg which=1 --trap-unsupported
    fhec "it runs until the second ($object)" 3 'metadata
pc 0x0040' "${tensor[@]}" --arg which=2 --trap-unsupported
done
fhec "a list marks kernels that cannot be executed" 0 'kernel mix: 
    cannot be executed: address 0x20: 0x00000000000000000000000004047f60 is TEX: the texture unit
kernel narrow: ' run "$tmp/texture.cubin"
same "and only those" "$(grep -c 'cannot be' <<<"$said")" 1
fhec "an instruction of a unit that is not described has its name" 2 \
    'address 0x20: 0x00000000000000000000000004047f60 is TEX: the texture unit is not described' \
    run "$tmp/texture.cubin" -k mix "${shape[@]}"

fhec "dis prints a cubin" 0 '.kernel spin_lock
    YIELD ;' dis $cuda/memory.O1.cubin

fhec "dis prints an unknown word as it is" 0 \
    '.inst 0xe7e6e5e4e3e2e1e0, 0xefeeedecebeae9e8 // no instruction that fhec knows
.kernel narrow' dis "$tmp/nonsense.cubin"
for object in nonsense texture; do
    "$FHEC" dis -c "$tmp/$object.cubin" >"$tmp/$object.sass"
    fhec "which assembles ($object)" 0 '' as "$tmp/$object.sass" -o "$tmp/again.cubin"
    same "to the same text once more ($object)" "$("$FHEC" dis -c "$tmp/again.cubin")" \
        "$(<"$tmp/$object.sass")"
done

# Through text and back, with more instructions on the way.
fhec "dis prints functions, variables and addresses" 0 ".function _Z12linked_depthj
.section .nv.global.init
32@lo((linked + .L_15@srel))" dis -g $cuda/linked.cubin
sed 's/^    \(S2R\|CALL\|RET\)/    NOP ;\n&/' <<<"$said" >"$tmp/text.sass"
fhec "the text assembles to an object" 0 "" as "$tmp/text.sass" -o "$tmp/text.cubin"
fhec "which runs the same" 0 'linked_factor[0x0000] 0000004d' run "$tmp/text.cubin" "${shape[@]}" \
    --set linked_factor=77 --get linked_factor --expect "param0=$tmp/linked77.bin"
fhec "and tells the same source lines" 0 'linked_b.cu:' run "$tmp/text.cubin" "${shape[@]}" \
    --trace=fetch
for file in $cuda/linked.cubin "$tmp/text.cubin"; do
    # the registers in sh_info of .text.K are where CUDA has them, and readelf does not know that
    said=$(readelf -aW "$file" 2>&1 | grep -i 'warning\|error' |
        grep -v 'Unexpected value ([0-9]*) in info field')
    same "readelf has nothing to say of $(basename "$file")" "$said" ""
done

# Local functions of two sources with one name, and one with the name of the other source's kernel.
python3 - "$tmp" <<'EOP'
import struct, sys
raw = lambda name, values: open(f"{sys.argv[1]}/{name}", "wb").write(struct.pack("<32I", *values))
raw("names_a.bin", [3 * t + 5 * t + (3 * t + 1000) + 1 for t in range(32)])
raw("names_b.bin", [3 * t + 1000 for t in range(32)])
EOP
fhec "functions get names of their own" 0 '.function thrice
.function names_b.1
.function thrice.1' dis $cuda/names.cubin
printf '%s\n' "$said" >"$tmp/names.sass"
fhec "their text assembles" 0 "" as "$tmp/names.sass" -o "$tmp/names.cubin"
same "the object is read again, to the same text" "$("$FHEC" dis "$tmp/names.cubin")" \
    "$(<"$tmp/names.sass")"
for object in $cuda/names.cubin "$tmp/names.cubin" "$tmp/names.sass"; do
    for kernel in names_a names_b; do
        fhec "$kernel of $(basename "$object")" 0 "" run "$object" -k $kernel --grid 1 --block 32 \
            --out param0=:128 --expect "param0=$tmp/$kernel.bin"
    done
done

printf '\120\355\125\272\001\000\020\000' >"$tmp/x.fatbin"
fhec "a fat binary" 2 'x.fatbin holds no object for a GPU' run "$tmp/x.fatbin"
fhec "an object for the host" 2 'nor does it hold objects for a GPU' run "$FHEC"

done_testing
