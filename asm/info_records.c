/* info_records.c - see info_records.h. */
#include "info_records.h"

#include <stdlib.h>

#include "asm.h"
#include "asm_memory.h"
#include "cubin.h"
#include "expression.h"
#include "fixup.h"
#include "labels.h"
#include "names.h"

enum { MOST_WORDS = UINT16_MAX / 4 }; /* the length of a record has 16 bits */

/* The number of a function of `.extern`. */
static bool take_external(struct fh_asm *a, const struct fh_value *v, uint32_t *word) {
    const struct fh_symbol *s =
        v->kind == FH_V_NAME ? fh_table_find(&a->globals, v->text, v->length) : NULL;
    if (!s || s->kind != FH_S_EXTERNAL) {
        fh_note(a, "EXTERNS (0xf) lists functions that `.extern` declares above it");
        fh_report(a, FH_D_NO_NAME, v->at, fh_text_at(a, v->at), NULL, NULL);
        return false;
    }
    *word = (uint32_t)s->value;
    return true;
}

/* The place of a label of the open code, once that is known. */
static bool take_label(struct fh_asm *a, const struct fh_value *v, uint32_t word) {
    struct fh_symbol *label = fh_label_refer(a, v);
    return label && fh_add_fixup(a, &(struct fh_fixup){.record = a->code.info.record_count + 1,
                                                       .word = word,
                                                       .label = label,
                                                       .addend = v->number,
                                                       .at = v->at});
}

static bool take_word(struct fh_asm *a, const struct fh_value *v, struct fh_info_record *record) {
    const uint32_t i = record->count++;
    if (record->number == FH_NV_EXTERNS)
        return take_external(a, v, &record->words[i]);
    if (a->code.open && v->kind == FH_V_NAME && !v->half && !v->generic && !v->srel)
        return take_label(a, v, i);
    return fh_size(a, v, "a word of the value", 0, UINT32_MAX, false, &record->words[i]);
}

/* The values of a record: words, or the one that stands in the record itself. */
static bool take_values(struct fh_asm *a, struct fh_info_record *record) {
    const size_t count = a->st.arg_count - 2;
    const size_t most = record->format == FH_NV_SIZED ? MOST_WORDS : 1;
    const bool one = record->number == FH_NV_MAX_STACK_SIZE; /* behind a symbol */
    uint32_t value = 0;
    if (one && (count != 1 || record->format != FH_NV_SIZED)) {
        fh_report(a, FH_D_BAD_SIZE, a->st.args[1].at, "the number of words", "1, FORMAT 4",
                  fh_text(a, "%zu", count));
        return false;
    }
    if (count > most) {
        fh_report(a, FH_D_BAD_SIZE, a->st.args[2 + most].at, "the number of values",
                  fh_text(a, "from 0 to %zu", most), fh_text(a, "%zu", count));
        return false;
    }
    if (record->format != FH_NV_SIZED) {
        if (count && !fh_size(a, &a->st.args[2], "the value", 0, UINT16_MAX, false, &value))
            return false;
        record->half = (uint16_t)value;
        return true;
    }
    record->words = calloc(count ? count : 1, sizeof *record->words);
    a->no_memory |= !record->words;
    for (size_t i = 0; record->words && i < count; i++)
        if (!take_word(a, &a->st.args[2 + i], record))
            return false;
    return record->words != NULL;
}

/* .nvinfo ATTRIBUTE, FORMAT[, VALUE...] */
void fh_act_attribute(struct fh_asm *a) {
    struct fh_info *info = a->code.open ? &a->code.info : &a->program->info;
    size_t *capacity = a->code.open ? &a->code.record_capacity : &a->record_capacity;
    const size_t fixups = a->code.fixup_count;
    struct fh_info_record record = {0};
    uint32_t number, format;
    if (!fh_size(a, &a->st.args[0], "the attribute", 0, UINT8_MAX, false, &number) ||
        !fh_size(a, &a->st.args[1], "the format", FH_NV_NONE, FH_NV_SIZED, false, &format))
        return;
    if (number == FH_NV_MAX_STACK_SIZE && !a->code.open) {
        fh_report(a, FH_D_ONLY_INSIDE, a->st.head.at, ".nvinfo 0x23", NULL, NULL);
        return;
    }
    record.number = (uint8_t)number;
    record.format = (uint8_t)format;
    if (take_values(a, &record) &&
        fh_asm_grow(a, &info->records, capacity, info->record_count + 1, sizeof record)) {
        info->records[info->record_count++] = record;
        return;
    }
    a->code.fixup_count = fixups; /* those of the words */
    free(record.words);
}

/* .mark ATTRIBUTE: one of the instructions that the attribute lists follows. */
void fh_act_mark(struct fh_asm *a) {
    struct fh_open_code *code = &a->code;
    uint32_t number;
    if (!fh_size(a, &a->st.args[0], "the attribute", 0, UINT8_MAX, false, &number))
        return;
    if (fh_asm_grow(a, &code->info.marks, &code->mark_capacity, code->info.mark_count + 1,
                    sizeof *code->info.marks))
        code->info.marks[code->info.mark_count++] =
            (struct fh_mark){(uint32_t)code->word_count, (uint8_t)number};
}
