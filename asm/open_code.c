/* open_code.c - see open_code.h. */
#include "open_code.h"
#include "asm.h"
#include "asm_memory.h"
#include "code.h"
#include "dataflow.h"
#include "expectation.h"
#include "isa_names.h"
#include "listing.h"
#include "tables.h"

#include <stdlib.h>
#include <string.h>

uint64_t fh_here(const struct fh_asm *a) {
    return a->single ? a->pc : (uint64_t)a->code.word_count * FH_INST_BYTES;
}

uint64_t fh_written_here(const struct fh_asm *a) {
    return a->listed ? a->listed->address : fh_here(a);
}

uint32_t fh_open_code_index(const struct fh_asm *a) {
    return a->code.function ? a->program->function_count : a->program->kernel_count;
}

bool fh_is_own_name(const struct fh_asm *a, const char *name, size_t length) {
    return a->code.open && length == a->code.name_length && memcmp(name, a->code.name, length) == 0;
}

/* ---------------------------------------------------------------- words */

/* Keeps of the instruction what schedule_fields.c wants of it: decoded it is several times as
 * large.
 */
static bool note_inst(struct fh_asm *a, const struct fh_inst *inst, struct fh_word_note *note) {
    struct fh_open_code *code = &a->code;
    struct fh_uses uses;
    fh_uses_of(inst, &uses);
    uint32_t registers = fh_registers_used(&uses);
    if (registers > code->registers_used)
        code->registers_used = registers;
    if (!fh_asm_grow(a, &code->uses, &code->use_capacity, code->use_count + uses.count,
                     sizeof *code->uses))
        return false;
    if (uses.count) /* else there may be no array yet */
        memcpy(code->uses + code->use_count, uses.use, uses.count * sizeof *code->uses);
    note->uses = (uint32_t)code->use_count;
    note->use_count = (uint8_t)uses.count;
    note->pipe = (uint8_t)(fh_pipe_of(inst) - fh_pipes);
    note->known = true;
    note->special = fh_form_control[inst->form->id] || inst->form->insn == FH_INSN_DEPBAR ||
                    inst->form->insn == FH_INSN_LDGDEPBAR;
    code->use_count += uses.count;
    return true;
}

/* What the kernel needs because of the instruction. */
static void count_resources(struct fh_open_code *code, const struct fh_inst *inst) {
    if (inst->form->insn == FH_INSN_DEPBAR)
        code->counted |= 1u << inst->op[FH_DEPBAR_SB].reg;
    uint32_t barriers = fh_named_barriers(inst);
    if (barriers > code->barriers)
        code->barriers = barriers;
}

void fh_append_word(struct fh_asm *a, fhec_word word, const struct fh_inst *inst, bool given) {
    struct fh_open_code *code = &a->code;
    size_t count = code->word_count + 1;
    struct fh_word_note note = {.given = given};
    if (code->word_count == FH_MAX_WORDS) {
        fh_report(a, FH_D_TOO_MANY_WORDS, a->st.head.at,
                  fh_text_of(a, code->name, code->name_length), fh_text(a, "%u", FH_MAX_WORDS),
                  NULL);
        a->stop = true;
        return;
    }
    if (!fh_asm_grow(a, &code->words, &code->word_capacity, count, sizeof *code->words) ||
        !fh_asm_grow(a, &code->origins, &code->origin_capacity, count, sizeof *code->origins) ||
        !fh_asm_grow(a, &code->notes, &code->note_capacity, count, sizeof *code->notes) ||
        (inst && !note_inst(a, inst, &note)))
        return;
    if (inst)
        count_resources(code, inst);
    struct fh_origin *origin = &code->origins[code->word_count];
    *origin = a->has_loc ? a->loc : (struct fh_origin){.file = UINT32_MAX};
    if (!a->has_loc &&
        !fh_source_trace(&a->sources, (struct fh_span){a->st.begin, a->st.end}, origin))
        a->no_memory = true;
    code->notes[code->word_count] = note;
    code->some_given |= given;
    code->some_open |= !given;
    code->words[code->word_count++] = word;
}

/* ---------------------------------------------------------------- memory */

bool fh_add_param(struct fh_asm *a, const char *name, size_t length, uint32_t offset,
                  uint32_t size) {
    struct fh_open_code *code = &a->code;
    if (!fh_asm_grow(a, &code->params, &code->param_capacity, code->param_count + 1,
                     sizeof *code->params))
        return false;
    char *copy = fh_copy_text(a, name, length);
    if (!copy)
        return false;
    code->params[code->param_count++] =
        (struct fh_param){.name = copy, .offset = offset, .size = size};
    if (offset + size > code->param_bytes)
        code->param_bytes = offset + size;
    return true;
}

uint16_t fh_add_shared(struct fh_asm *a, const char *name, size_t length, uint32_t offset,
                       uint32_t size) {
    struct fh_open_code *code = &a->code;
    if (code->shared_count == UINT16_MAX ||
        !fh_asm_grow(a, &code->shared, &code->shared_capacity, code->shared_count + 1,
                     sizeof *code->shared))
        return 0;
    char *copy = fh_copy_text(a, name, length);
    if (!copy)
        return 0;
    code->shared[code->shared_count++] =
        (struct fh_shared){.name = copy, .offset = offset, .size = size};
    return (uint16_t)code->shared_count;
}

void fh_add_shared_uses(struct fh_asm *a) {
    struct fh_open_code *code = &a->code;
    for (unsigned i = 0; i < a->st.arg_count; i++) {
        const struct fh_value *v = &a->st.args[i];
        if (!v->shared || !fh_asm_grow(a, &code->shared_uses, &code->shared_use_capacity,
                                       code->shared_use_count + 1, sizeof *code->shared_uses))
            continue;
        code->shared_uses[code->shared_use_count++] =
            (struct fh_shared_use){(uint32_t)code->word_count, v->shared - 1u};
        return; /* one to a word: it has one immediate */
    }
}

void fh_open_code_free(struct fh_open_code *code) {
    for (size_t i = 0; i < code->param_count; i++)
        free(code->params[i].name);
    free(code->params);
    for (size_t i = 0; i < code->shared_count; i++)
        free(code->shared[i].name);
    free(code->shared);
    free(code->shared_uses);
    fh_info_free(&code->info);
    free(code->words);
    free(code->origins);
    free(code->notes);
    free(code->uses);
    free(code->fixups);
    for (size_t i = 0; i < FH_BANKS; i++)
        fh_bytes_free(&code->banks[i]);
    for (size_t i = 0; i < code->entry_count; i++)
        free(code->entries[i].name);
    free(code->entries);
    for (size_t i = 0; i < code->expectation_count; i++) {
        fh_expectation_free(&code->expectations[i].is);
        free(code->expectations[i].as_register);
    }
    free(code->expectations);
    *code = (struct fh_open_code){0};
}
