/*
 * runnable.c - whether everything in a kernel can be executed, before it is run.
 */
#include "machines.h"
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 256 };

/* Why the word cannot be executed; false if it can. */
static bool find_reason(const fhec_limits *machine, fhec_word word, uint64_t pc,
                        char reason[TEXT_SIZE]) {
    struct fh_inst inst;
    if (!fh_decode(word, &inst)) {
        const struct fh_outside *outside = fh_outside_of_word(word);
        snprintf(reason, TEXT_SIZE, "0x%016llx%016llx is %s%s%s", (unsigned long long)word.hi,
                 (unsigned long long)word.lo,
                 outside ? outside->root : "no instruction that fhec knows", outside ? ": " : "",
                 outside ? outside->why : "");
        return true;
    }
    const struct fh_insn *insn = &fh_insns[inst.form->insn];
    const bool there = fh_machine_has(machine, insn->feature);
    if (there && !insn->unsupported)
        return false;
    char text[TEXT_SIZE / 2], why[TEXT_SIZE / 2 - 2];
    if (there)
        snprintf(why, sizeof why, "%s", insn->unsupported);
    else
        snprintf(why, sizeof why, "%s has no such instruction, %s has", machine->target,
                 insn->feature);
    if (fh_print(&inst, pc, 0, text, sizeof text) < 0)
        text[0] = '\0';
    snprintf(reason, TEXT_SIZE, "%s: %s", text, why);
    return true;
}

fhec_status fhec_kernel_check(const fhec_program *program, size_t kernel,
                              fhec_diagnostic_fn *diagnostic, void *user) {
    if (kernel >= program->kernel_count)
        return FHEC_BAD_INPUT;
    uint32_t span = fh_code_span(program, kernel);
    fhec_word *words = malloc((span + (size_t)1) * sizeof *words);
    if (!words)
        return FHEC_HOST_ERROR;
    fhec_status status = FHEC_OK;
    fh_code_copy(program, kernel, words);
    for (uint32_t w = 0; w < span; w++) {
        const struct fh_function *f = fh_code_function(program, w);
        char reason[TEXT_SIZE], message[2 * TEXT_SIZE + 128];
        if (!f && w >= program->kernels[kernel].word_count)
            continue; /* the gap between kernel and functions */
        uint64_t pc = (uint64_t)w * FH_INST_BYTES;
        if (!find_reason(program->machine, words[w], pc, reason))
            continue;
        snprintf(message, sizeof message, "kernel %s%s%s, address 0x%llx: %s",
                 program->kernels[kernel].name, f ? ", function " : "", f ? f->name : "",
                 (unsigned long long)(f ? pc - (uint64_t)f->first * FH_INST_BYTES : pc), reason);
        status = FHEC_BAD_INPUT;
        fhec_diagnostic d = {.id = "O103", .severity = FHEC_WARNING, .message = message};
        fhec_expansion expansions[FHEC_MAX_EXPANSIONS];
        fh_code_place(program, kernel, w, &d, expansions);
        if (diagnostic)
            diagnostic(user, &d);
    }
    free(words);
    return status;
}
