/*
 * accelsim_table.c - the instructions of a kernel's traces, each once: see accelsim_reader.h.
 */
#include "accelsim_table.h"

#include "accelsim_line.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BUCKETS = 256 };

void fh_accelsim_table_free(struct fh_accelsim_table *t) {
    free(t->list);
    free(t->first);
    fh_trace_bytes_free(&t->texts);
    *t = (struct fh_accelsim_table){0};
}

static uint32_t *bucket(const struct fh_accelsim_table *t, uint32_t pc) {
    return &t->first[(pc / 16 * UINT32_C(0x9e3779b1)) & (t->buckets - 1)];
}

static bool grow(struct fh_accelsim_table *t) {
    const size_t buckets = t->buckets ? 2 * t->buckets : FIRST_BUCKETS;
    uint32_t *first = malloc(buckets * sizeof *first);
    if (!first)
        return false;
    free(t->first);
    t->first = first;
    t->buckets = buckets;
    memset(first, 0xff, buckets * sizeof *first);
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t *at = bucket(t, t->list[i].pc);
        t->list[i].next = *at;
        *at = i;
    }
    return true;
}

/* The one at the pc whose text the line goes on with. */
static uint32_t find(const struct fh_accelsim_table *t, uint32_t pc, const char *at, size_t left) {
    for (uint32_t i = t->buckets ? *bucket(t, pc) : FH_ACCELSIM_NONE; i != FH_ACCELSIM_NONE;
         i = t->list[i].next) {
        const struct fh_accelsim_instruction *k = &t->list[i];
        if (k->pc == pc && k->length < left && at[k->length] == ' ' &&
            memcmp(t->texts.bytes + k->text, at, k->length) == 0)
            return i;
    }
    return FH_ACCELSIM_NONE;
}

static bool take_register(struct fh_accelsim_line *l, uint8_t *reg) {
    uint64_t number;
    if (fh_accelsim_line_ends(l) || *l->at != 'R')
        return false;
    l->at++;
    if (l->at == l->end || *l->at == ' ' || !fh_accelsim_line_number(l, false, 255, &number))
        return false;
    *reg = (uint8_t)number;
    return true;
}

static bool is_opcode(const char *word, size_t length) {
    bool fine = length && length < 96 && word[0] >= 'A' && word[0] <= 'Z';
    for (size_t i = 0; i < length && fine; i++)
        fine = (word[i] >= 'A' && word[i] <= 'Z') || (word[i] >= 'a' && word[i] <= 'z') ||
               (word[i] >= '0' && word[i] <= '9') || word[i] == '.' || word[i] == '_';
    return fine;
}

/* Parses "1 R4 LDG.E 1 R2". NULL, or what was expected. */
static const char *parse(struct fh_accelsim_line *l, struct fh_accelsim_instruction *i,
                         const char **opcode) {
    uint64_t count;
    uint8_t reg = 0;
    i->destination = -1;
    if (!fh_accelsim_line_number(l, false, 1, &count))
        return "how many registers are written, 0 or 1";
    if (count && !take_register(l, &reg))
        return "the register that is written, R0 to R255";
    if (count && reg != 255)
        i->destination = reg;
    if (!fh_accelsim_line_word(l, opcode, &i->opcode_length) ||
        !is_opcode(*opcode, i->opcode_length))
        return "an opcode";
    if (!fh_accelsim_line_number(l, false, FH_ACCELSIM_SOURCES, &count))
        return "how many registers are read, 0 to 4";
    for (uint64_t k = 0; k < count; k++) {
        if (!take_register(l, &reg))
            return "a register that is read, R0 to R255";
        if (reg != 255)
            i->sources[i->source_count++] = reg;
    }
    return NULL;
}

const char *fh_accelsim_table_take(struct fh_accelsim_table *t, struct fh_accelsim_line *l,
                                   uint32_t pc, uint32_t *index, bool *fresh) {
    (void)fh_accelsim_line_ends(l);
    *index = find(t, pc, l->at, (size_t)(l->end - l->at));
    *fresh = *index == FH_ACCELSIM_NONE;
    if (!*fresh) {
        l->at += t->list[*index].length;
        return NULL;
    }
    struct fh_accelsim_instruction i = {.pc = pc, .text = t->texts.count};
    const char *const begin = l->at, *opcode = NULL, *expected = parse(l, &i, &opcode);
    if (expected)
        return expected;
    i.length = (size_t)(l->at - begin);
    i.opcode = i.text + (size_t)(opcode - begin);
    i.does = fh_accelsim_opcode(opcode, i.opcode_length);
    fh_trace_put(&t->texts, begin, i.length);
    if (t->texts.failed || t->count >= FH_ACCELSIM_NONE - 1 ||
        !fh_trace_room(&t->list, &t->room, t->count + 1, sizeof *t->list))
        return FH_ACCELSIM_NO_MEMORY;
    t->list[t->count] = i;
    *index = (uint32_t)t->count++;
    if (t->count > t->buckets)
        return grow(t) ? NULL : FH_ACCELSIM_NO_MEMORY;
    uint32_t *at = bucket(t, pc);
    t->list[*index].next = *at;
    *at = *index;
    return NULL;
}
