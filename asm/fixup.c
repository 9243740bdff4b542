/*
 * fixup.c - see fixup.h. A label of the open code is known at its end; what is none becomes a
 * reference to a name of the whole program.
 */
#include "fixup.h"
#include "asm.h"
#include "asm_memory.h"
#include "linkage.h"
#include "names.h"
#include "open_code.h"

#include <string.h>

bool fh_add_fixup(struct fh_asm *a, const struct fh_fixup *fixup) {
    struct fh_open_code *code = &a->code;
    if (!fh_asm_grow(a, &code->fixups, &code->fixup_capacity, code->fixup_count + 1,
                     sizeof *code->fixups))
        return false;
    code->fixups[code->fixup_count++] = *fixup;
    return true;
}

bool fh_target_reachable(struct fh_asm *a, const struct fh_operand_spec *spec, struct fh_span at,
                         int64_t distance) {
    const char *why = NULL;
    if (distance % FH_INST_BYTES != 0)
        why = "instructions are 16 bytes, so a target is a multiple of 0x10";
    else if (!fh_field_fits(&spec->value, distance))
        why = "the distance does not fit the instruction";
    if (!why)
        return true;
    fh_report(a, FH_D_BAD_TARGET, at, fh_text(a, "`%s`", fh_text_at(a, at)), why, NULL);
    return false;
}

static bool is_local(const struct fh_symbol *label) {
    return label->name[0] >= '0' && label->name[0] <= '9';
}

/* The code's own name, where no label has it, is its first instruction. */
static bool is_known(const struct fh_asm *a, const struct fh_symbol *label) {
    return label->defined || fh_is_own_name(a, label->name, label->length);
}

static void no_label(struct fh_asm *a, const struct fh_fixup *f) {
    const struct fh_symbol *label = f->label;
    const char *name = fh_text_of(a, label->name, label->length);
    if (fh_table_find(&a->globals, label->name, label->length))
        fh_note(a, fh_text(a,
                           "`%s` is not in this code: its distance is not known, its address is "
                           "(CALL.ABS.NOINC)",
                           name));
    if (is_local(label)) {
        fh_report(a, FH_D_NO_LOCAL_LABEL, f->at, name, "after", NULL);
        return;
    }
    struct fh_nearest n;
    fh_nearest_begin(&n, label->name, label->length);
    for (size_t i = 0; i < a->labels.capacity; i++) {
        const struct fh_symbol *s = a->labels.slots[i];
        if (s && s->kind == FH_S_LABEL && s->defined)
            fh_nearest_try_unordered(&n, s->name, s->length);
    }
    fh_nearest_note(a, &n, "label", "");
    fh_report(a, FH_D_NO_LABEL, f->at, name, NULL, NULL);
}

/* ---------------------------------------------------------------- resolving */

/* An address: of a label of this code, whose relocation is known now, or of something else. */
static void resolve_address(struct fh_asm *a, const struct fh_fixup *f) {
    const struct fh_symbol *label = f->label;
    bool function = a->code.function;
    struct fh_relocation relocation = f->relocation;
    relocation.holder = relocation.bank ? FH_IN_KERNEL_BANK
                        : function      ? FH_IN_FUNCTION
                                        : FH_IN_KERNEL;
    relocation.index = fh_open_code_index(a);
    relocation.addend = (uint64_t)f->addend;
    if (is_known(a, label)) {
        relocation.of = function ? FH_OF_FUNCTION : FH_OF_KERNEL;
        relocation.target = relocation.index;
        relocation.addend += (uint64_t)label->value;
        relocation.relative = f->plain;
        fh_add_relocation(a, &relocation);
        return;
    }
    if (f->own) {
        fh_report(a, FH_D_NO_LABEL, f->at, fh_text_of(a, label->name, label->length), NULL, NULL);
        return;
    }
    struct fh_reference reference = {.relocation = relocation, .at = f->at};
    fh_nearest_begin(&reference.name, label->name, label->length);
    if (a->reference_count < FH_MAX_ERRORS) /* most will turn out to be known */
        fh_try_code_names(a, &reference.name);
    fh_refer(a, &reference);
}

/* Behind the last instruction and before the first one nothing runs: the warp faults. */
static void check_inside(struct fh_asm *a, const struct fh_fixup *f, int64_t target) {
    const struct fh_open_code *code = &a->code;
    size_t bytes = code->word_count * FH_INST_BYTES;
    if (target >= 0 && (uint64_t)target < bytes)
        return;
    fh_report(a, FH_D_TARGET_OUTSIDE, f->at, fh_text(a, "`%s`", fh_text_at(a, f->at)),
              fh_text_of(a, code->name, code->name_length), fh_text(a, "%zx", bytes));
}

/* A distance, into the word. */
static void resolve_distance(struct fh_asm *a, const struct fh_fixup *f) {
    struct fh_open_code *code = &a->code;
    const struct fh_operand_spec *spec = &f->form->operands[f->operand];
    int64_t next = ((int64_t)f->word + 1) * FH_INST_BYTES;
    if (!f->label) {
        check_inside(a, f, next + f->addend);
        return;
    }
    if (!is_known(a, f->label)) {
        no_label(a, f);
        return;
    }
    int64_t distance = (int64_t)((uint64_t)f->label->value + (uint64_t)f->addend) - next;
    if (!fh_target_reachable(a, spec, f->at, distance))
        return;
    check_inside(a, f, next + distance);
    fh_field_set(&spec->value, &code->words[f->word], (uint64_t)distance);
}

/* The distance of a label from the beginning, in a record of .nv.info. */
static void resolve_record(struct fh_asm *a, const struct fh_fixup *f) {
    if (is_known(a, f->label))
        a->code.info.records[f->record - 1].words[f->word] =
            (uint32_t)((uint64_t)f->label->value + (uint64_t)f->addend);
    else
        no_label(a, f);
}

/* Functions within the code begin at their labels. */
static void resolve_inner_functions(struct fh_asm *a) {
    struct fh_open_code *code = &a->code;
    for (size_t i = 0; i < code->entry_count && !a->stop; i++) {
        struct fh_entry *entry = &code->entries[i];
        const struct fh_symbol *s = fh_table_find(&a->labels, entry->name, strlen(entry->name));
        if (!s || s->kind != FH_S_LABEL || !s->defined)
            fh_report(a, FH_D_NO_LABEL, code->at, fh_text_of(a, entry->name, strlen(entry->name)),
                      NULL, NULL);
        else
            entry->word = (uint32_t)((uint64_t)s->value / FH_INST_BYTES);
    }
}

void fh_fixups_resolve(struct fh_asm *a) {
    resolve_inner_functions(a);
    for (size_t i = 0; i < a->code.fixup_count && !a->stop; i++) {
        const struct fh_fixup *f = &a->code.fixups[i];
        if (f->distance)
            resolve_distance(a, f);
        else if (f->record)
            resolve_record(a, f);
        else if (f->label->defined || !is_local(f->label))
            resolve_address(a, f);
        else
            no_label(a, f);
    }
}
