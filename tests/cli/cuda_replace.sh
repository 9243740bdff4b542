#!/usr/bin/env bash
# fhec cuda --replace: a kernel of a file in the place of the program's, with the program's variables
# where both have one of a name, wherever in their memory and their bank the file has them.
. "$(dirname "$0")/../tools/tap.sh"
. "$(dirname "$0")/../tools/cuda_driver.sh"

cuda_libraries "kernels replaced"
cuda_program tests/cuda/programs/variables.c "$tmp/variables"

# kernel_of STEP BEFORE [SIZE]: counter += scale + STEP, the variables behind BEFORE words of others.
kernel_of() {
    local others=""
    for ((i = 0; i < $2; i++)); do
        others+="    other$i: .word 7
"
    done
    printf '%s\n' ".kernel step" \
        "    MOV R2, 32@lo(counter) ;" "    MOV R3, 32@hi(counter) ;" \
        "    MOV R5, c[0x3][$((4 * $2))] ;" "    LDG.E R4, [R2.64] ;" \
        "    IADD3 R4, R4, $1, R5 ;" "    STG.E [R2.64], R4 ;" "    EXIT ;" ".end" \
        ".section .nv.constant3" "${others//other/constant}    scale: .word 1" \
        ".section .nv.global.init" "${others}    counter: .word 5" "    .size counter, ${3:-4}" \
        "    behind: .word 1, 2"
}
kernel_of 0 1 | "$FHEC" as - -o "$tmp/program.cubin" || not_ok "the program's kernel"
kernel_of 1000 3 >"$tmp/other.sass"
"$FHEC" as "$tmp/other.sass" -o "$tmp/other.cubin" || not_ok "the other kernel"

run_it() {
    "$FHEC" cuda "$@" -- "$tmp/variables" "$tmp/program.cubin" 2>&1
}
# 100 + 3, + 7, + 11; with the other kernel, 1000 more for each launch.
same "as it is" "$(run_it)" "103 110 121 "
same "a source in its place" "$(run_it --replace "step=$tmp/other.sass")" "1103 2110 3121 "
same "an object in its place" "$(run_it --replace "step=$tmp/other.cubin:step")" "1103 2110 3121 "
same "variables of the file alone" \
    "$(printf '%s\n' ".kernel step" "    MOV R2, 32@lo(own) ;" "    MOV R3, 32@hi(own) ;" \
        "    MOV R4, 9 ;" "    STG.E [R2.64], R4 ;" "    EXIT ;" ".end" \
        ".section .nv.global" "    own: .zero 4" >"$tmp/own.sass"
    run_it --replace "step=$tmp/own.sass" --check=bounds)" "100 100 100 "

kernel_of 1000 3 8 | sed 's/behind: .word 1, 2/behind: .word 1/; s/    .size counter, 8/        .word 0/' \
    >"$tmp/larger.sass"
same "a variable of another size: the program's own kernel" \
    "$(run_it --replace "step=$tmp/larger.sass")" \
    "fhec cuda: step is not replaced by $tmp/larger.sass: variable counter of both: it has another size
103 110 121 "
sed 's/scale: .word 1//; s/behind: .word 1, 2/scale: .word 1/; s/c\[0x3\].*;/7 ;/' "$tmp/other.sass" >"$tmp/kind.sass"
same "a variable of another kind" "$(run_it --replace "step=$tmp/kind.sass")" \
    "fhec cuda: step is not replaced by $tmp/kind.sass: variable scale of both: it is constant there
103 110 121 "

done_testing
