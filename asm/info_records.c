/* info_records.c - see info_records.h. */
#include "info_records.h"

#include <stdlib.h>

#include "asm.h"
#include "asm_memory.h"
#include "cubin.h"
#include "expression.h"

/* The values of a record: words, or the one that stands in the record itself. */
static bool take_values(struct fh_asm *a, struct fh_info_record *record) {
    const size_t count = a->st.arg_count - 2;
    uint32_t value = 0;
    if (record->format != FH_NV_SIZED) {
        if (count > 1) {
            fh_report(a, FH_D_BAD_SIZE, a->st.args[3].at, "the number of values", "from 0 to 1",
                      fh_text(a, "%zu", count));
            return false;
        }
        if (count && !fh_size(a, &a->st.args[2], "the value", 0, UINT16_MAX, false, &value))
            return false;
        record->half = (uint16_t)value;
        return true;
    }
    record->words = calloc(count ? count : 1, sizeof *record->words);
    a->no_memory |= !record->words;
    for (size_t i = 0; record->words && i < count; i++)
        if (!fh_size(a, &a->st.args[2 + i], "a word of the value", 0, UINT32_MAX, false,
                     &record->words[record->count++]))
            return false;
    return record->words != NULL;
}

/* .nvinfo ATTRIBUTE, FORMAT[, VALUE...] */
void fh_act_attribute(struct fh_asm *a) {
    struct fh_open_code *code = &a->code;
    struct fh_info_record record = {0};
    uint32_t number, format;
    if (!fh_size(a, &a->st.args[0], "the attribute", 0, UINT8_MAX, false, &number) ||
        !fh_size(a, &a->st.args[1], "the format", FH_NV_NONE, FH_NV_SIZED, false, &format))
        return;
    record.number = (uint8_t)number;
    record.format = (uint8_t)format;
    if (take_values(a, &record) && fh_asm_grow(a, &code->info.records, &code->record_capacity,
                                               code->info.record_count + 1, sizeof record)) {
        code->info.records[code->info.record_count++] = record;
        return;
    }
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
