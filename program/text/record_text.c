/*
 * record_text.c - records of .nv.info as text. Lists of where branches through a register go have
 * labels, so that instructions may be added and removed.
 */
#include "cubin.h"
#include "text_writer.h"

/* Where the list of one branch ends that begins at word `begin`: address, 0, count, targets. */
static uint32_t list_end(const struct fh_info_record *record, uint32_t begin) {
    const uint32_t left = record->count - begin;
    const uint32_t *list = record->words + begin;
    return left >= 3 && list[2] <= left - 3 ? begin + 3 + list[2] : begin;
}

/* Whether word i of the list that begins at `begin` is an address of the code. */
static bool is_place(const struct fh_info_record *record, uint32_t begin, uint32_t i,
                     uint32_t word_count) {
    const uint32_t value = record->words[i];
    return (i == begin || i >= begin + 3) && value % FH_INST_BYTES == 0 &&
           value / FH_INST_BYTES <= word_count;
}

void fh_mark_records(const struct fh_info *info, uint32_t word_count, bool *labels) {
    for (uint32_t r = 0; r < info->record_count; r++) {
        const struct fh_info_record *record = &info->records[r];
        if (record->number != FH_NV_INDIRECT_BRANCHES)
            continue;
        for (uint32_t begin = 0, end; (end = list_end(record, begin)) > begin; begin = end)
            for (uint32_t i = begin; i < end; i++)
                if (is_place(record, begin, i, word_count))
                    labels[record->words[i] / FH_INST_BYTES] = true;
    }
}

static void write_branches(struct fh_text_writer *w, const struct fh_info_record *record,
                           const struct fh_text_code *code) {
    uint32_t begin = 0, end;
    for (; (end = list_end(record, begin)) > begin; begin = end)
        for (uint32_t i = begin; i < end; i++) {
            fh_write(w, ", ");
            if (is_place(record, begin, i, code->word_count))
                fh_print_label(&w->out, code, record->words[i] / FH_INST_BYTES);
            else
                fh_write(w, "0x%x", record->words[i]);
        }
    for (; begin < record->count; begin++) /* no list */
        fh_write(w, ", 0x%x", record->words[begin]);
}

void fh_write_records(struct fh_text_writer *w, const struct fh_info *info,
                      const struct fh_text_code *code) {
    for (uint32_t r = 0; r < info->record_count; r++) {
        const struct fh_info_record *record = &info->records[r];
        fh_write(w, ".nvinfo 0x%x, %u", record->number, record->format);
        if (record->half)
            fh_write(w, ", 0x%x", record->half);
        if (code && record->number == FH_NV_INDIRECT_BRANCHES)
            write_branches(w, record, code);
        else
            for (uint32_t i = 0; i < record->count; i++)
                if (record->number == FH_NV_EXTERNS)
                    fh_write(w, ", %s", w->program->externals[record->words[i]]);
                else
                    fh_write(w, ", 0x%x", record->words[i]);
        fh_write(w, "\n");
    }
}
