/*
 * patch.c - what the host has a launch under way do that its kernel does not say: another word in
 * the place of one, and an instruction that lanes execute where they stand.
 */
#include "fhec_patch.h"
#include "host_float.h"
#include "session_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- another word */

struct fh_decoded *fh_session_code(fhec_session *s, const fhec_word *words) {
    return fh_image_code(&s->image, &s->machine->engine, &s->machine->decoder, words);
}

void fh_session_take_code(fhec_session *s, struct fh_decoded *code) {
    if (code == s->image.decoded)
        return;
    fh_image_take_code(&s->image, code);
    memset(s->launch.caches, 0, (s->image.count + 1u) * sizeof *s->launch.caches);
    fh_points_renew(s);
}

/* Registers that no instruction has touched so far hold what a new warp finds in them. */
static void fill_rows(fhec_session *s, uint32_t first) {
    for (size_t i = 0; i < s->residents.count; i++) {
        struct fh_block *block = s->residents.blocks[i];
        block->changed = true;
        for (uint32_t w = 0; w < s->image.warps; w++)
            if (block->warps[w].begun)
                fh_flow_fill_from(&block->warps[w], first);
    }
}

/* Makes the words the launch's, if it can have them. */
static fhec_status take_words(fhec_session *s, const fhec_word *words) {
    const uint32_t rows = s->image.rows;
    struct fh_decoded *code = fh_session_code(s, words);
    if (!code)
        return fh_machine_fail(s->machine, FHEC_HOST_ERROR, "no host memory for a patch");
    if (fh_code_rows(code) > rows && s->launch.steps)
        return fh_machine_fail(s->machine, FHEC_BAD_INPUT,
                               "the launch has begun without R%u, which no instruction of its "
                               "kernel touches: a patch may, before the first instruction",
                               fh_code_rows(code) - 1);
    if (fh_code_asks_more(code, &s->image))
        return fh_machine_fail(s->machine, FHEC_BAD_INPUT,
                               "the patch asks for memory that launches of the kernel are not "
                               "given");
    fh_session_take_code(s, code);
    if (s->image.rows > rows)
        fill_rows(s, rows);
    s->machine->changes++;
    return FHEC_OK;
}

fhec_status fhec_session_patch(fhec_session *s, uint64_t pc, fhec_word word) {
    const size_t bytes = s->image.count * sizeof word;
    const uint64_t index = pc / FH_INST_BYTES;
    if (pc % FH_INST_BYTES || index >= s->image.count)
        return fh_machine_fail(s->machine, FHEC_BAD_INPUT,
                               "kernel %s has no instruction at 0x%" PRIx64, s->image.code->name,
                               pc);
    fhec_word *words = malloc(bytes), *unpatched = s->unpatched ? NULL : malloc(bytes);
    fhec_status status = FHEC_HOST_ERROR;
    if (words && (unpatched || s->unpatched)) {
        memcpy(words, s->image.words, bytes);
        if (unpatched)
            memcpy(unpatched, words, bytes);
        words[index] = word;
        status = take_words(s, words);
    } else {
        fh_machine_fail(s->machine, status, "no host memory for a patch");
    }
    free(words);
    if (status == FHEC_OK && unpatched)
        s->unpatched = unpatched;
    else
        free(unpatched);
    return status;
}

/* ---------------------------------------------------------------- an instruction */

/* The instruction where those lanes stand; its number. FHEC_BAD_INPUT: they stand at several. */
static fhec_status place_of(const fhec_session *s, const struct fh_flow *f, uint32_t lanes,
                            uint32_t *index) {
    const uint32_t first = lanes ? (uint32_t)__builtin_ctz(lanes) : 0;
    *index = f->group >> first & 1 ? f->pc : f->lane_pc[first];
    if (!lanes || lanes & f->ended)
        return fh_machine_fail(s->machine, FHEC_BAD_INPUT, "lanes that have ended execute nothing");
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if ((f->group >> lane & 1 ? f->pc : f->lane_pc[lane]) != *index)
            return fh_machine_fail(s->machine, FHEC_BAD_INPUT,
                                   "lanes %u and %u do not stand at one instruction", first, lane);
    }
    return FHEC_OK;
}

/* The word as an instruction of the launch. */
static fhec_status decode(const fhec_session *s, fhec_word word, uint32_t index,
                          struct fh_inst *inst, struct fh_op *op) {
    struct fh_image with = s->image; /* decoding notes there which registers are touched */
    with.rows = 0;
    fh_image_decode(&with, &s->machine->engine, word, index * FH_INST_BYTES, inst, op);
    if (!op->inst)
        return fh_machine_fail(s->machine, FHEC_BAD_INPUT, "this is no instruction");
    if (fh_insns[inst->form->insn].kind == FH_KIND_CTRL)
        return fh_machine_fail(s->machine, FHEC_BAD_INPUT,
                               "an instruction of control is not executed beside the kernel's: "
                               "which lanes run, and where, follows from its own");
    if (with.rows > s->image.rows)
        return fh_machine_fail(s->machine, FHEC_BAD_INPUT,
                               "no instruction of the kernel touches R%u", with.rows - 1);
    return FHEC_OK;
}

/* Executes it for these lanes. */
static fhec_status execute(fhec_session *s, struct fh_flow *f, const struct fh_op *op,
                           uint32_t active) {
    struct fh_launch_state *launch = &s->launch;
    const struct fh_fault_record before = launch->fault;
    const uint64_t cycles = launch->array_cycles;
    struct fh_inline_cache *cache = &launch->caches[op->pc / FH_INST_BYTES];
    launch->fault = (struct fh_fault_record){0};
    *cache = (struct fh_inline_cache){0}; /* of another instruction */
    const fh_host_float host = fh_host_float_enter();
    const bool fine = !active || op->exec(&f->w, op, active);
    fh_host_float_leave(host);
    *cache = (struct fh_inline_cache){0};
    launch->array_cycles = cycles;
    const bool lost = launch->transaction && launch->transaction->failed;
    if (!fine && !lost)
        fh_machine_report(s->machine, &s->image, &launch->fault);
    launch->fault = before;
    if (lost)
        return fh_machine_fail(s->machine, FHEC_HOST_ERROR,
                               "no host memory to keep what is overwritten");
    return fine ? FHEC_OK : FHEC_GUEST_FAULT;
}

fhec_status fhec_session_execute(fhec_session *s, const uint32_t block[3], uint32_t warp,
                                 uint32_t lanes, fhec_word word, uint32_t *active) {
    struct fh_flow *f = fh_session_warp_of(s, block, warp);
    struct fh_inst inst;
    struct fh_op op;
    uint32_t index, ignored;
    if (!active)
        active = &ignored;
    *active = 0;
    if (!f)
        return FHEC_BAD_INPUT;
    fhec_status status = place_of(s, f, lanes, &index);
    if (status == FHEC_OK)
        status = decode(s, word, index, &inst, &op);
    if (status != FHEC_OK)
        return status;
    fh_session_notice(s);
    *active = fh_op_active(&f->w, &op, lanes);
    status = execute(s, f, &op, *active);
    f->w.block->changed = true;
    s->machine->changes++;
    return status;
}
