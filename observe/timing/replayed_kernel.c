/*
 * replayed_kernel.c - see replayed_kernel.h.
 */
#include "replayed_kernel.h"

#include <stdlib.h>
#include <string.h>

/* A barrier whose number is in the instruction, without a count of threads. */
static bool is_whole(const fhec_instruction *i) {
    bool whole = i->operand_count && i->operands[0].kind == FHEC_OPERAND_IMMEDIATE;
    for (uint32_t k = 1; k < i->operand_count && whole; k++)
        whole = strcmp(i->operands[k].name, "count") != 0 ||
                (i->operands[k].kind == FHEC_OPERAND_IMMEDIATE && !i->operands[k].value);
    return whole;
}

static bool has_whole_barriers(const struct fh_accelsim_kernel *header) {
    fhec_instruction i;
    for (size_t k = 0; k < header->word_count; k++)
        if (fhec_instruction_get(header->words[k], k * sizeof(fhec_word), &i) == FHEC_OK &&
            strncmp(i.mnemonic, "BAR.", 4) == 0 && !is_whole(&i))
            return false;
    return header->word_count != 0;
}

struct fh_replayed_kernel *fh_replayed_new(const struct fh_accelsim_kernel *header) {
    struct fh_replayed_kernel *k = calloc(1, sizeof *k);
    if (!k)
        return NULL;
    k->has_code = header->word_count != 0;
    k->whole_barriers = has_whole_barriers(header);
    k->of.name = strdup(header->name);
    k->of.words = calloc(header->word_count + 1, sizeof *k->of.words);
    if (!k->of.name || !k->of.words) {
        fh_replayed_free(k);
        return NULL;
    }
    k->of.count = k->of.own = (uint32_t)header->word_count;
    for (size_t i = 0; i < header->word_count; i++)
        k->of.words[i].word = header->words[i];
    return k;
}

void fh_replayed_free(struct fh_replayed_kernel *k) {
    if (!k)
        return;
    fh_accelsim_table_free(&k->table);
    fh_trace_bytes_free(&k->texts);
    free(k->names);
    free(k->of.name);
    free(k->of.words);
    free(k);
}

bool fh_replayed_is(const struct fh_replayed_kernel *k, const struct fh_accelsim_kernel *header) {
    if (strcmp(k->of.name, header->name) != 0 || k->has_code != (header->word_count != 0))
        return false;
    if (!k->has_code)
        return true;
    bool same = k->of.count == header->word_count;
    for (uint32_t i = 0; i < k->of.count && same; i++)
        same = k->of.words[i].word.lo == header->words[i].lo &&
               k->of.words[i].word.hi == header->words[i].hi;
    return same;
}

uint32_t fh_replayed_word(const struct fh_replayed_kernel *k, uint32_t instruction) {
    return k->has_code ? k->table.list[instruction].pc / (uint32_t)sizeof(fhec_word) : instruction;
}

/* ---------------------------------------------------------------- ready */

/* "LDG.E R4 <- R2" */
static void put_name(struct fh_replayed_kernel *k, const struct fh_accelsim_instruction *i) {
    const char *opcode = (const char *)k->table.texts.bytes + i->opcode;
    fh_trace_print(&k->texts, "%.*s", (int)i->opcode_length, opcode);
    if (i->destination >= 0)
        fh_trace_print(&k->texts, " R%d", i->destination);
    for (unsigned s = 0; s < i->source_count; s++)
        fh_trace_print(&k->texts, "%s R%u", s ? "," : " <-", i->sources[s]);
    fh_trace_put_byte(&k->texts, '\0');
}

static bool put_names(struct fh_replayed_kernel *k) {
    struct fh_timed_name *names = calloc(k->table.count + 1, sizeof *names);
    if (!names)
        return false;
    free(k->names);
    k->names = names;
    k->texts.count = 0;
    for (size_t i = 0; i < k->table.count; i++) {
        const struct fh_accelsim_instruction *from = &k->table.list[i];
        names[i].pc = from->pc;
        names[i].opcode_length = from->opcode_length;
        put_name(k, from);
    }
    const char *at = (const char *)k->texts.bytes;
    for (size_t i = 0; i < k->table.count && !k->texts.failed; i++) {
        names[i].text = at;
        at += strlen(at) + 1;
    }
    return !k->texts.failed;
}

/* Room in `array` for `count` elements instead of `had`; what is new is zero. */
static bool resize(void *array, size_t had, size_t count, size_t size) {
    void **const at = array;
    char *more = realloc(*at, (count + 1) * size);
    if (!more)
        return false;
    *at = more;
    memset(more + had * size, 0, (count + 1 - had) * size);
    return true;
}

/* A word for each instruction of the table. */
static bool grow(struct fh_replayed_kernel *k) {
    const size_t had = k->of.count, count = k->table.count;
    if (!resize(&k->of.words, had, count, sizeof *k->of.words) ||
        !resize(&k->timed->ops, had, count, sizeof *k->timed->ops) ||
        !resize(&k->timed->words, had, count, sizeof *k->timed->words))
        return false;
    k->of.count = k->of.own = (uint32_t)count;
    return true;
}

bool fh_replayed_ready(struct fh_replayed_kernel *k, struct fh_timer *timer,
                       const struct fh_time_machine *machine) {
    const bool fresh = !k->timed;
    if (fresh && !(k->timed = fh_timer_add(timer, &k->of)))
        return false;
    if (k->has_code) {
        for (uint32_t i = 0; fresh && i < k->of.count; i++)
            (void)fh_time_op_make(machine, k->of.words[i].word, (uint64_t)i * sizeof(fhec_word),
                                  &k->timed->ops[i]);
        return true;
    }
    const uint32_t had = k->of.count;
    if (!grow(k) || !put_names(k))
        return false;
    k->timed->names = k->names;
    for (uint32_t i = had; i < k->of.count; i++)
        fh_trace_op(machine, &k->table, &k->table.list[i], &k->timed->ops[i]);
    return true;
}
