#!/usr/bin/env bash
# Listings of cuobjdump and nvdisasm as sources: as they are, in part, and edited.
. "$(dirname "$0")/../tools/tap.sh"

cuobjdump=tests/listings/loops.cuobjdump.txt
nvdisasm=tests/listings/store.nvdisasm.txt
u32() { od -An -v -tu4 "$1" | tr -s ' \n' ' '; }

fhec "cuobjdump: code for another architecture is left out, and nothing else is said" 0 \
    "$cuobjdump:9:11: warning[W004]: this code is for sm_90 and is left out" \
    as "$cuobjdump" -o "$tmp/c.cubin"
same "cuobjdump: one warning" "$(grep -c 'warning\|error' <<<"$said")" 1
fhec "cuobjdump: parameters, scheduling and the hidden descriptor" 0 ".kernel count
.param param_0x160, 8
.param param_0x168, 4
[B------:R-:W-:-:S02] MOV R4, c[0x0][0x160] ;
@P0 BRA .L_3 ;
STG.E desc[UR4][R4.64], R2 ;
.kernel stack
.local 32" dis -c "$tmp/c.cubin"
fhec "cuobjdump: it runs" 0 "" run "$tmp/c.cubin" -k count --grid 1 --block 1 \
    --out "param_0x160=$tmp/c.u32:4" --arg param_0x168=5
same "cuobjdump: three turns of adding 5" "$(u32 "$tmp/c.u32")" " 15 "

fhec "a listing's listing gives the same object" 0 "/*0060*/" as --list "$tmp/c.cubin"
printf '%s\n' "$said" >"$tmp/again.txt"
fhec "a listing of our own" 0 "" as "$tmp/again.txt" -o "$tmp/again.cubin"
fhec "its text" 0 "" dis -c "$tmp/again.cubin"
again=$said
fhec "and the first one's" 0 "" dis -c "$tmp/c.cubin"
same "are the same" "$again" "$said"

sed 's/$/\r/' "$cuobjdump" >"$tmp/dos.txt"
fhec "lines that end with CR LF" 0 "" as "$tmp/dos.txt" -o "$tmp/dos.cubin"
fhec "have the same meaning" 0 "" dis -c "$tmp/dos.cubin"
same "to the bit" "$said" "$again"

# An edit before, inside and behind the loop: the branch still goes to the instruction of /*0030*/.
sed -e '/\/\*0010\*\//i MOV R7, 0x7 ;' -e '/\/\*0040\*\//i IADD3 R2, R2, R7, RZ ;' \
    -e '/\/\*0050\*\//{h;s,/\*0050\*/,          ,;p;g}' "$cuobjdump" >"$tmp/edited.txt"
fhec "edited: it runs" 0 "" run "$tmp/edited.txt" -k count --grid 1 --block 1 \
    --out "param_0x160=$tmp/c.u32:4" --arg param_0x168=5
same "edited: three turns of adding 12" "$(u32 "$tmp/c.u32")" " 36 "
sed -e '/\/\*0030\*\//,+1d' "$cuobjdump" >"$tmp/edited.txt"
fhec "edited: the target has gone" 2 "error[E030]: there is no label \`/*0030*/\` in this kernel" \
    as "$tmp/edited.txt" -o "$tmp/edited.cubin"
absent "edited: no object" "$tmp/edited.cubin"

fhec "nvdisasm: parameters, registers, stack and shared memory from its sections" 0 \
    ".kernel _Z1kPii
.param param0, 8
.param param1, 4
.registers 10
.shared shared_, 1024
.local 32
@!P0 BRA .L_7 ;" dis "$nvdisasm"
fhec "nvdisasm: it runs" 0 "" run "$nvdisasm" --grid 1 --block 3 --out "param0=$tmp/n.u32:12" \
    --arg param1=7
same "nvdisasm: every thread has stored the parameter" "$(u32 "$tmp/n.u32")" " 7 7 7 "

{
    cat "$nvdisasm"
    for section in .debug_str .debug_line_str; do
        printf '\t.section\t%s,"",@progbits\nnames:\n        /*0000*/ \t.byte\t0x61\n' $section
    done
} >"$tmp/names.txt"
fhec "nvdisasm: its text" 0 "" dis "$nvdisasm"
again=$said
fhec "nvdisasm: data of other sections, with a name" 0 "" dis "$tmp/names.txt"
same "nvdisasm: which says nothing of the kernel" "$said" "$again"

# Lines of a listing in a kernel of one's own: only addresses beside instructions count.
cat >"$tmp/part.sass" <<'EOF'
.kernel part
.param out, 8
        /*0100*/                   MOV R0, 0x9 ;                /* any remark */
        /*0110*/                   MOV R4, c[0x0][0x160] ;
        /*0120*/                   MOV R5, c[0x0][0x164] ;
        /*0130*/                   BRA 0x150 ;
        /*0140*/                   MOV R0, 0x1 ;
        /*0150*/                   STG.E [R4.64], R0 ;
                                   EXIT ;
.end
EOF
fhec "a part of a listing in a kernel" 0 "" run "$tmp/part.sass" --grid 1 --block 1 \
    --out "out=$tmp/p.u32:4"
same "its addresses need not begin with 0" "$(u32 "$tmp/p.u32")" " 9 "

cat >"$tmp/wide.txt" <<'EOT'
	code for sm_80
		Function : wide
        /*0000*/                   ULDC.64 UR4, c[0x0][0x160] ;
        /*0010*/                   LDC.64 R2, c[0x0][0x170] ;
        /*0020*/                   ULDC UR6, c[0x0][0x178] ;
        /*0030*/                   EXIT ;
		..........
EOT
fhec "a parameter that is loaded with 8 bytes has 8" 0 "param_0x160         8 bytes at 0x0
param_0x170         8 bytes at 0x10
param_0x178         4 bytes at 0x18" run "$tmp/wide.txt"

printf '\tcode for sm_90\n\t\tFunction : k\n/*0000*/ EXIT ;\n\t\t.....\n' >"$tmp/none.txt"
fhec "nothing but another architecture" 2 "error[E058]" as "$tmp/none.txt" -o "$tmp/none.cubin"
# Functions, variables and relocations, as nvdisasm prints them, of tests/cuda/linked.cubin.
linked=tests/listings/linked.nvdisasm.txt
fhec "nvdisasm: a linked object assembles, and nothing is said" 0 "" as "$linked" \
    -o "$tmp/linked.cubin"
same "nvdisasm: nothing at all" "$said" ""
fhec "nvdisasm: its text" 0 ".function _Z12linked_depthj
CALL.ABS.NOINC \`(_Z10linked_mixjj) ;
UMOV UR4, 32@lo((linked_factor)) ;
.dword _Z12linked_otherjj" dis -c "$tmp/linked.cubin"
again=$said
fhec "nvdisasm: the object's" 0 "" dis -c tests/cuda/linked.cubin
# but for the records that listings do not give
same "nvdisasm: are the same" "$again" "$(grep -v '^\.nvinfo' <<<"$said")"

# Records of .nv.info: large parameters, the bounds of blocks, a stack that nobody knows.
record() { # record NAME FORMAT,ATTRIBUTE WORD...
    printf '\t//----- nvinfo : %s\n\t.align\t\t4\n' "$1"
    printf '        /*0000*/ \t.byte\t%s\n        /*0002*/ \t.short\t(.L_1 - .L_0)\n.L_0:\n' "$2"
    shift 2
    printf '        /*0004*/ \t.word\t%s\n' "$@"
    printf '.L_1:\n\n'
}
{
    printf '\t.section\t.nv.info,"",@"SHT_CUDA_INFO"\n'
    record EIATTR_MIN_STACK_SIZE '0x04, 0x12' 'index@(large)' 0xffffffff
    printf '\t.section\t.nv.info.large,"",@"SHT_CUDA_INFO"\n'
    record EIATTR_PARAM_CBANK '0x04, 0x0a' 'index@(.nv.constant0.large)' 0x13901a80
    record EIATTR_KPARAM_INFO_V2 '0x04, 0x45' 0x0 0x13880001 0x8
    record EIATTR_KPARAM_INFO_V2 '0x04, 0x45' 0x0 0x00000000 0x1388
    record EIATTR_MAX_THREADS '0x04, 0x05' 0x40 0x2 0x1
    printf '\t.section\t.text.large,"ax",@progbits\nlarge:\n.text.large:\n'
    printf '        /*0000*/                   MOV R1, c[0x0][0x28] ;\n'
    printf '        /*0010*/                   EXIT ;\n'
} >"$tmp/large.txt"
fhec "nvdisasm: large parameters, bounds and an unknown stack" 0 \
    'kernel large: 2 registers, 1024 bytes local or more (--stack), blocks of at most 128 threads
    param0           5000 bytes at 0x1920
    param1              8 bytes at 0x2ca8' run "$tmp/large.txt"

# Recursion: a listing does not tell the stack that it needs.
"$FHEC" dis -c tests/cuda/control.O3.cubin >"$tmp/control.sass"
"$FHEC" as --list "$tmp/control.sass" >"$tmp/control.txt"
head -c 256 tests/cuda/control.cu >"$tmp/in.bin"
fhec "recursion, compiled" 0 "" run tests/cuda/control.O3.cubin -k recursion --grid 1 --block 64 \
    --out param0=:256 --in "param1=$tmp/in.bin" --arg param2=64 --arg param3=9 --hash param0
want=${said%% *}
fhec "recursion, from its listing" 0 "$want" run "$tmp/control.txt" -k recursion --grid 1 --block 64 \
    --out param_0x160=:256 --in "param_0x168=$tmp/in.bin" --arg param_0x170=64 \
    --arg param_0x178=9 --hash param_0x160
done_testing
