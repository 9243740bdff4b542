#!/usr/bin/env bash
# That no object widens a lane mask wrongly: a mask of 16 or 8 lanes put away on the stack and taken
# from there as 32 bits has what lay beside it in its upper ones (GCC 12.2 does this to conversions
# that go round fh_lanes_of_mask of emu/exec/simd.h).
. "$(dirname "$0")/../tools/tap.sh"

# Function by function: narrow stores of masks, and full reads of the same places whose upper bits are
# not shifted out next.
wide_reads() {
    objdump -d --no-show-raw-insn "$1" 2>/dev/null | tr '\t' ' ' | awk '
        /^[0-9a-f]+ <.*>:$/ { name = $2; delete narrow; read = ""; next }
        read != "" && index($0, "%" read) + index($0, "%e" substr(read, 2)) {
            if (!/ shl +\$0x1[0-9a-f],/) print name, line
            read = ""
        }
        / (jmp|ret)/ { delete narrow; next } # what is on the stack behind it comes from elsewhere
        / kmov[wb] +%k[0-7],-?(0x[0-9a-f]+)?\(%r[sb]p\)/ {
            sub(/.*,/, "", $NF)
            narrow[$NF] = 1
            next
        }
        # Whatever else is put there ends it.
        /,-?(0x[0-9a-f]+)?\(%r[sb]p\)$/ {
            place = $NF
            sub(/.*,/, "", place)
            if (!/ (cmp|test)/) delete narrow[place]
            next
        }
        / (mov|or|and|add|xor|test|cmp|popcnt|tzcnt|kmovd) +-?(0x[0-9a-f]+)?\(%r[sb]p\),%(e|r[0-9]+d|k)/ {
            place = $NF
            sub(/,.*/, "", place)
            if (!(place in narrow)) next
            if (!/ mov /) {
                print name, $0
                next
            }
            line = $0
            read = $NF
            sub(/.*,%/, "", read)
            sub(/^e/, "r", read)
            sub(/d$/, "", read)
        }'
}

# The check sees one where there is one.
if ${CC:-cc} -mavx512f -c -o "$tmp/wrong.o" -x assembler - 2>"$tmp/err" <<'S'; then
        .globl wrong
wrong:  kmovw %k1, -4(%rsp)
        movl %eax, -8(%rsp)
        movl -4(%rsp), %eax
        orl %eax, %edx
        ret
        .globl right
right:  kmovw %k1, -4(%rsp)
        movl %eax, -4(%rsp)
        movl -4(%rsp), %eax
        orl %eax, %edx
        kmovw %k1, -8(%rsp)
        movzwl -8(%rsp), %eax
        movl -8(%rsp), %r9d
        shll $16, %r9d
        orl %r9d, %eax
        ret
S
    same "a mask that is read too widely is found" \
        "$(wide_reads "$tmp/wrong.o" | sed 's/ .*//')" "<wrong>:"
fi

bad=$(find "$O/emu" "$O/gen" -name '*avx512*.o' | sort | while read -r object; do
    wide_reads "$object" | sed "s|^|$object |"
done)
same "masks of lanes are widened from what was put away" "$bad" ""
done_testing
