/*
 * cubin_attributes.c - records of .nv.info about code that fhec does not use and keeps: read,
 * and written as they were. Instructions that they name are kept as instructions, so that they may
 * move.
 */
#include "cubin_reader.h"
#include "cubin_writer.h"

#include <stdlib.h>
#include <string.h>

/* Whether the record lists places in the code. */
static bool lists_places(unsigned attribute) {
    return attribute == FH_NV_COOPERATIVE || attribute == FH_NV_WARP_WIDE ||
           attribute == FH_NV_SYSCALLS;
}

/* Whether the writer makes the record of what else is known. */
static bool is_made(const uint8_t *head, uint32_t half) {
    switch (head[1]) {
    case FH_NV_EXIT_OFFSETS:
    case FH_NV_CUDA_API_VERSION: return true;
    case FH_NV_MAXREG_COUNT: return half == FH_MAX_REGISTERS;
    default: return false;
    }
}

static void keep_places(struct fh_cubin_reader *r, struct fh_info *info, unsigned attribute,
                        struct fh_cursor *value) {
    while (value->left >= 4 && !fh_cubin_ended(r)) {
        const struct fh_mark mark = {fh_take_u32(value) / FH_INST_BYTES, (uint8_t)attribute};
        if (!fh_cubin_grow(r, &info->marks, info->mark_count, sizeof mark))
            return;
        uint32_t at = info->mark_count++;
        for (; at && info->marks[at - 1].word > mark.word; at--)
            info->marks[at] = info->marks[at - 1];
        info->marks[at] = mark;
    }
}

void fh_cubin_keep(struct fh_cubin_reader *r, struct fh_info *info, const uint8_t *head,
                   uint32_t half, struct fh_cursor *value) {
    struct fh_info_record record = {
        .number = head[1], .format = head[0], .half = (uint16_t)half, .count = 0};
    if (is_made(head, half) || head[0] < FH_NV_NONE || head[0] > FH_NV_SIZED)
        return;
    if (head[1] == FH_NV_MAX_STACK_SIZE && (head[0] != FH_NV_SIZED || value->left != 4))
        return; /* not of .nv.info, behind its symbol */
    if (head[0] == FH_NV_SIZED && lists_places(head[1])) {
        keep_places(r, info, head[1], value);
        return;
    }
    if (head[0] == FH_NV_SIZED) {
        record.half = 0;
        record.words = fh_cubin_allocate(r, value->left / 4, sizeof *record.words);
        while (record.words && value->left >= 4)
            record.words[record.count++] = fh_take_u32(value);
    }
    if (fh_cubin_grow(r, &info->records, info->record_count, sizeof record))
        info->records[info->record_count++] = record;
    else
        free(record.words);
}

/* ---------------------------------------------------------------- functions by their symbols */

/* The index of the function that is not there; the number of them if the symbol is none. */
static uint32_t external_of(const struct fh_cubin_reader *r, uint32_t number) {
    const fhec_program *p = r->program;
    struct fh_elf_symbol symbol;
    uint32_t i = 0;
    if (!fh_cubin_symbol(r, number, &symbol) || symbol.section != FH_SHN_UNDEF)
        return p->external_count;
    while (i < p->external_count && strcmp(p->externals[i], symbol.name) != 0)
        i++;
    return i;
}

/* Symbols that are no such functions are left out. */
static void name_externs(const struct fh_cubin_reader *r, struct fh_info *info) {
    for (uint32_t i = 0; i < info->record_count; i++) {
        struct fh_info_record *record = &info->records[i];
        const uint32_t count = record->count;
        if (record->number != FH_NV_EXTERNS)
            continue;
        record->count = 0;
        for (uint32_t word = 0; word < count; word++) {
            const uint32_t external = external_of(r, record->words[word]);
            if (external < r->program->external_count)
                record->words[record->count++] = external;
        }
    }
}

void fh_cubin_name_externs(struct fh_cubin_reader *r) {
    for (uint32_t i = 0; i < r->program->kernel_count; i++)
        name_externs(r, &r->program->kernels[i].info);
    for (uint32_t i = 0; i < r->program->function_count; i++)
        name_externs(r, &r->program->functions[i].info);
}

/* ---------------------------------------------------------------- written */

static void put_head(struct fh_bytes *b, unsigned format, unsigned attribute, unsigned half) {
    fh_bytes_u8(b, format);
    fh_bytes_u8(b, attribute);
    fh_bytes_u16(b, half);
}

/* The length is 16 bits: of more places than that the first ones. */
static void put_places(struct fh_bytes *b, const struct fh_info *info, unsigned attribute) {
    enum { MOST = 0xfffc / 4 };
    uint32_t count = 0;
    for (uint32_t i = 0; i < info->mark_count && count < MOST; i++)
        count += info->marks[i].attribute == attribute;
    if (!count)
        return;
    put_head(b, FH_NV_SIZED, attribute, 4 * count);
    for (uint32_t i = 0; i < info->mark_count && count; i++)
        if (info->marks[i].attribute == attribute) {
            fh_bytes_u32(b, info->marks[i].word * FH_INST_BYTES);
            count--;
        }
}

bool fh_has_attribute(const struct fh_info *info, unsigned number) {
    for (uint32_t i = 0; i < info->record_count; i++)
        if (info->records[i].number == number)
            return true;
    return false;
}

void fh_put_attributes(struct fh_bytes *b, const struct fh_info *info, uint32_t externals) {
    for (unsigned attribute = 0; attribute < 256; attribute++)
        put_places(b, info, attribute);
    for (uint32_t i = 0; i < info->record_count; i++) {
        const struct fh_info_record *record = &info->records[i];
        const bool sized = record->format == FH_NV_SIZED;
        const uint32_t first = record->number == FH_NV_EXTERNS ? externals : 0;
        if (record->number == FH_NV_MAX_STACK_SIZE)
            continue;
        put_head(b, record->format, record->number, sized ? 4 * record->count : record->half);
        for (uint32_t word = 0; word < record->count; word++)
            fh_bytes_u32(b, first + record->words[word]);
    }
}

void fh_put_symbol_attributes(struct fh_bytes *b, const struct fh_info *info, uint32_t symbol) {
    for (uint32_t i = 0; i < info->record_count; i++) {
        const struct fh_info_record *record = &info->records[i];
        if (record->number != FH_NV_MAX_STACK_SIZE)
            continue;
        put_head(b, FH_NV_SIZED, record->number, 4 + 4 * record->count);
        fh_bytes_u32(b, symbol);
        for (uint32_t word = 0; word < record->count; word++)
            fh_bytes_u32(b, record->words[word]);
    }
}
