/*
 * contract_slice.c - see contract_slice.h. From the contract backwards: an instruction that writes
 * a needed register is one of them, and what it reads is needed then. One without a guard ends the
 * need for what it writes.
 */
#include "contract_slice.h"

#include <string.h>

enum { FILES = 4, REGISTERS = 256 };

struct slice {
    struct fh_finding *finding;
    const fhec_word *words;
    bool needed[FILES][REGISTERS], input[FILES][REGISTERS];
    uint32_t missing; /* registers of the left side that nothing has written yet */
    bool is_missing[REGISTERS];
};

static int file_index(fhec_register_file file) {
    switch (file) {
    case FHEC_FILE_R: return 0;
    case FHEC_FILE_UR: return 1;
    case FHEC_FILE_P: return 2;
    case FHEC_FILE_UP: return 3;
    default: return -1;
    }
}

static void mark(bool set[FILES][REGISTERS], const fhec_term *t) {
    const uint32_t first = (uint32_t)t->value & 255;
    const uint32_t last = t->kind == FHEC_TERM_REGISTERS ? (uint32_t)(t->value >> 8) : first;
    for (uint32_t r = first; r <= last && r < REGISTERS; r++) {
        if (t->kind == FHEC_TERM_REGISTER || t->kind == FHEC_TERM_REGISTERS)
            set[0][r] = true;
        else if (t->kind == FHEC_TERM_UNIFORM)
            set[1][r] = true;
        else if (t->kind == FHEC_TERM_PREDICATE)
            set[2][r] = true;
    }
}

/* What the left side needs; if it has no registers, what the right side does. */
static void begin(struct slice *s, const fhec_expectation *e) {
    bool any = false;
    for (size_t k = 0; k < e->left_count; k++) {
        any |= e->terms[k].kind == FHEC_TERM_REGISTER || e->terms[k].kind == FHEC_TERM_REGISTERS ||
               e->terms[k].kind == FHEC_TERM_PREDICATE || e->terms[k].kind == FHEC_TERM_UNIFORM;
        mark(s->needed, &e->terms[k]);
    }
    for (size_t k = e->left_count; k < e->term_count; k++)
        mark(any ? s->input : s->needed, &e->terms[k]);
    for (uint32_t f = 0; f < FILES; f++)
        for (uint32_t r = 0; r < REGISTERS; r++)
            s->input[f][r] &= !s->needed[f][r];
    memcpy(s->is_missing, s->needed[0], sizeof s->is_missing);
    for (uint32_t r = 0; r < REGISTERS; r++)
        s->missing += s->is_missing[r];
}

/* The instruction in front of which the last of its values was remembered; 0: it has none. */
static uint32_t earliest(const struct fh_place *at, const fhec_expectation *e, size_t index) {
    uint32_t first = UINT32_MAX;
    for (size_t k = 0; k < e->name_count; k++) {
        fhec_expectation let;
        for (size_t i = index; i-- > 0;) {
            if (!fhec_kernel_expectation(at->program, at->kernel, i, &let) ||
                let.contract != FHEC_CONTRACT_LET || strcmp(let.operand, e->names[k]) != 0)
                continue;
            first = let.word < first ? let.word : first;
            break;
        }
    }
    return first == UINT32_MAX ? 0 : first;
}

static void add(struct slice *s, uint32_t word) {
    struct fh_finding *f = s->finding;
    const fhec_location at = fhec_kernel_location(f->at.program, f->at.kernel, word);
    for (uint32_t i = 0; i < f->computed_count && at.file; i++) {
        const fhec_location other = fhec_kernel_location(
            f->at.program, f->at.kernel, (uint32_t)(f->computed_by[i].pc / sizeof(fhec_word)));
        if (other.file && other.line == at.line && strcmp(other.file, at.file) == 0)
            return;
    }
    f->computed_by[f->computed_count++] =
        (struct fh_computing){.pc = (uint64_t)word * sizeof(fhec_word)};
}

/* Whether the instruction writes what is needed; what it needs is then needed, too. */
static bool follow(struct slice *s, const fhec_instruction *in) {
    const bool always = in->guard == 7 && !in->guard_negated;
    bool writes = false;
    for (uint32_t u = 0; u < in->use_count; u++) {
        const int file = file_index(in->uses[u].file);
        for (uint32_t r = in->uses[u].first;
             file >= 0 && in->uses[u].written && r < in->uses[u].first + in->uses[u].count &&
             r < REGISTERS;
             r++) {
            writes |= s->needed[file][r];
            if (file == 0 && s->is_missing[r]) {
                s->is_missing[r] = false;
                s->missing--;
            }
            s->needed[file][r] &= !always;
        }
    }
    for (uint32_t u = 0; writes && u < in->use_count; u++) {
        const int file = file_index(in->uses[u].file);
        for (uint32_t r = in->uses[u].first;
             file >= 0 && !in->uses[u].written && r < in->uses[u].first + in->uses[u].count &&
             r < REGISTERS;
             r++)
            s->needed[file][r] |= !s->input[file][r];
    }
    return writes;
}

static int by_pc(const struct fh_computing *a, const struct fh_computing *b) {
    return a->pc < b->pc ? -1 : a->pc > b->pc;
}

static void sort(struct fh_finding *f) {
    for (uint32_t i = 1; i < f->computed_count; i++)
        for (uint32_t k = i; k && by_pc(&f->computed_by[k - 1], &f->computed_by[k]) > 0; k--) {
            const struct fh_computing moved = f->computed_by[k];
            f->computed_by[k] = f->computed_by[k - 1];
            f->computed_by[k - 1] = moved;
        }
}

void fh_contract_slice(struct fh_finding *finding, size_t index) {
    struct slice s = {.finding = finding};
    fhec_expectation e;
    fhec_kernel_info kernel;
    fhec_instruction in;
    finding->computed_count = 0;
    if (!fhec_kernel_expectation(finding->at.program, finding->at.kernel, index, &e) ||
        fhec_kernel_get(finding->at.program, finding->at.kernel, &kernel) != FHEC_OK)
        return;
    begin(&s, &e);
    const uint32_t first = earliest(&finding->at, &e, index);
    const uint32_t end = e.word + (e.contract == FHEC_CONTRACT_ENSURE);
    for (uint32_t w = end; w-- > first && finding->computed_count < FH_FINDING_COMPUTED;)
        if (fhec_instruction_get(kernel.words[w], (uint64_t)w * sizeof(fhec_word), &in) ==
                FHEC_OK &&
            follow(&s, &in))
            add(&s, w);
    /* What should have written it has written something else: any of those in between. */
    for (uint32_t w = end;
         s.missing && e.name_count && w-- > first && finding->computed_count < FH_FINDING_COMPUTED;)
        add(&s, w);
    sort(finding);
}
