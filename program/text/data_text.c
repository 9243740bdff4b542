/*
 * data_text.c - the data of a program as text: constant banks and memory of variables, with
 * their names and the addresses that stand in them.
 */
#include "text_writer.h"

#include <string.h>

enum { LINE_WORDS = 8, ZEROS = 16 };

/* How many bytes from `at` on are zero. */
static uint64_t zeros_at(const struct fh_text_data *d, uint64_t at, uint64_t end) {
    uint64_t count = 0;
    if (!d->bytes)
        return end - at;
    while (at + count < end && d->bytes[at + count] == 0)
        count++;
    return count;
}

/* Words on one line, up to a run of zeros. Returns how many bytes it wrote. */
static uint64_t write_words(struct fh_text_writer *w, const struct fh_text_data *d, uint64_t at,
                            uint64_t end) {
    uint64_t start = at;
    for (unsigned i = 0; i < LINE_WORDS && end - at >= 4; i++, at += 4) {
        uint32_t word;
        if (i > 0 && zeros_at(d, at, end) >= ZEROS)
            break;
        memcpy(&word, d->bytes + at, 4);
        fh_write(w, "%s0x%08x", i ? ", " : "    .word ", word);
    }
    if (at == start) /* fewer than four are left */
        for (; at < end; at++)
            fh_write(w, "%s0x%02x", at > start ? ", " : "    .byte ", d->bytes[at]);
    fh_write(w, "\n");
    return at - start;
}

/* Bytes without names or addresses. */
static void write_bytes(struct fh_text_writer *w, const struct fh_text_data *d, uint64_t at,
                        uint64_t end) {
    while (at < end && !w->out.failed) {
        uint64_t zeros = zeros_at(d, at, end);
        if (zeros < end - at) /* what follows begins at a word, whose low bytes may be zeros, too */
            zeros -= zeros < 8 ? 0 : (at + zeros) % 8;
        if (zeros >= ZEROS || (zeros && zeros == end - at)) {
            fh_write(w, "    .zero %llu\n", (unsigned long long)zeros);
            at += zeros;
        } else {
            at += write_words(w, d, at, end);
        }
    }
}

/* The variables that begin at `at`; returns where the next one begins. */
static uint64_t write_labels(struct fh_text_writer *w, const struct fh_text_data *d, uint64_t at,
                             uint32_t *next) {
    for (; *next < w->program->variable_count; ++*next) {
        const struct fh_variable *v = w->variables[*next];
        if (v->constant != (d->holder == FH_IN_BANK) || v->index != d->index)
            break;
        if (v->offset > at)
            return v->offset;
        if (v->offset < at)
            fh_write_problem(w, "the variable %s begins within an address", v->name);
        else if (fh_write_check_name(w, v->name))
            fh_write(w, "%s:\n    .size %s, %llu\n", v->name, v->name, (unsigned long long)v->size);
    }
    return d->size;
}

static void write_address(struct fh_text_writer *w, const struct fh_relocation *relocation) {
    fh_write(w, relocation->field == FH_FIELD_64 ? "    .dword " : "    .word ");
    fh_write_address(w, &w->out, relocation);
    fh_write(w, "\n");
}

void fh_write_data(struct fh_text_writer *w, const struct fh_text_data *d) {
    struct fh_relocation_list relocations = fh_relocations_of(w, d->holder, d->index, d->bank);
    uint32_t variable = 0, relocation = 0;
    bool named = d->holder == FH_IN_BANK || d->holder == FH_IN_SEGMENT;
    while (named && variable < w->program->variable_count &&
           (w->variables[variable]->constant != (d->holder == FH_IN_BANK) ||
            w->variables[variable]->index != d->index))
        variable++;
    for (uint64_t at = 0; at <= d->size && !w->out.failed;) {
        uint64_t end = named ? write_labels(w, d, at, &variable) : d->size;
        while (relocation < relocations.count && relocations.list[relocation]->offset < at)
            relocation++;
        if (at == d->size)
            break;
        if (relocation < relocations.count && relocations.list[relocation]->offset == at) {
            write_address(w, relocations.list[relocation]);
            at += relocations.list[relocation]->field == FH_FIELD_64 ? 8 : 4;
            continue;
        }
        if (relocation < relocations.count && relocations.list[relocation]->offset < end)
            end = relocations.list[relocation]->offset;
        write_bytes(w, d, at, end);
        at = end;
    }
}

static void write_segment(struct fh_text_writer *w, uint32_t index) {
    const struct fh_data_segment *s = &w->program->segments[index];
    const struct fh_text_data data = {
        .bytes = s->bytes, .size = s->size, .holder = FH_IN_SEGMENT, .index = index};
    if (!fh_write_check_name(w, s->name))
        return;
    fh_write(w, ".section %s\n", s->name);
    if (s->alignment > 1)
        fh_write(w, "    .align %u\n", s->alignment);
    fh_write_data(w, &data);
    fh_write(w, "\n");
}

void fh_write_sections(struct fh_text_writer *w) {
    const fhec_program *p = w->program;
    for (uint32_t i = 0; i < p->bank_count; i++) {
        const struct fh_constant_bank *b = &p->banks[i];
        const struct fh_text_data data = {
            .bytes = b->bytes, .size = b->size, .holder = FH_IN_BANK, .index = i};
        fh_write(w, ".section .nv.constant%u\n", b->bank);
        fh_write_data(w, &data);
        fh_write(w, "\n");
    }
    for (uint32_t i = 0; i < p->segment_count; i++) /* in the order of an object */
        if (p->segments[i].bytes)
            write_segment(w, i);
    for (uint32_t i = 0; i < p->segment_count; i++)
        if (!p->segments[i].bytes)
            write_segment(w, i);
}
