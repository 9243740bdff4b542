/*
 * ntt_imma256.c - tables and steps of ntt_imma256.sass, where the mathematics and the layouts are
 * explained.
 */
#include "imma.h"

#include <stdlib.h>

/* A product: D[width][out] of depth summands. */
struct product {
    size_t width, depth, out;
    size_t tiles;    /* of 16 of the width that a warp takes */
    bool along;      /* columns of D in the order of rows of the result */
    bool transposed; /* data as B: ntt_first of an inverse in bit-reversed order */
};

struct shape {
    unsigned log2_n2, log2_n1;
    size_t n2, n1; /* rows and columns of the limb as a matrix */
    bool inverse, natural;
    struct product first, second;
};

/* All limbs' tables: words per limb, and the words. */
struct tables {
    size_t first_size, second_size, twiddle_size;
    uint32_t *first, *second, *twiddles;
};

static size_t at_most(size_t value, size_t most) {
    return value < most ? value : most;
}

static struct product product_of(size_t width, size_t depth, size_t out, bool along) {
    return (struct product){width, depth, out, at_most(width / 16, 4), along, false};
}

static struct shape shape_of(const struct fh_ntt_job *job) {
    struct shape s = {.log2_n2 = job->log2_n / 2};
    s.log2_n1 = job->log2_n - s.log2_n2;
    s.n2 = (size_t)1 << s.log2_n2;
    s.n1 = (size_t)1 << s.log2_n1;
    s.inverse = job->params->inverse;
    s.natural = job->params->order == FH_GOLDEN_NATURAL;
    if (s.inverse) {
        s.first = product_of(s.n2, s.n1, s.n1, false);
        s.first.transposed = !s.natural;
        s.second = product_of(s.n1, s.n2, s.n2, true);
    } else {
        s.first = product_of(s.n1, s.n2, s.n2, false);
        s.second = product_of(s.n2, s.n1, s.n1, s.natural);
    }
    return s;
}

/* ---------------------------------------------------------------- constants */

/* Which evaluation is at position x of a side of 2^bits. */
static size_t evaluation(const struct shape *s, size_t x, unsigned bits) {
    return s->natural ? x : fh_reverse((unsigned)x, bits);
}

/* W1[k2][j], W2[k2][i], W3[i][k1] / N if inverse, with k2 and k1 by position. */
static uint32_t w1(const struct shape *s, const struct fh_roots *roots, size_t k2, size_t j) {
    return fh_root(roots, (2 * evaluation(s, k2, s->log2_n2) + 1) * j * s->n1);
}

static uint32_t w2(const struct shape *s, const struct fh_roots *roots, size_t k2, size_t i) {
    return fh_root(roots, (2 * evaluation(s, k2, s->log2_n2) + 1) * i);
}

static uint32_t w3(const struct shape *s, const struct fh_roots *roots, size_t i, size_t k1) {
    uint32_t w = fh_root(roots, 2 * s->n2 * i * evaluation(s, k1, s->log2_n1));
    return fh_times(w, &roots->scale);
}

/* The output that outer row or column `outer` of an operand makes, of the 16. */
static size_t output_of(const struct product *p, unsigned outer) {
    if (p->transposed) /* rows g + 8 b: 2 g + b */
        return 2 * (outer & 7) + (outer >> 3);
    if (p->along)
        return fh_imma_element(outer);
    return 4 * (outer >> 1 & 3) + (outer & 1) + 2 * (outer >> 3); /* 4 t + p + 2 h */
}

/* The summand that lane t's step s takes, inner = t + 4 s. */
static size_t summand_of(const struct product *p, unsigned inner) {
    return p->transposed ? 4 * (inner & 3) + (inner >> 2) : inner;
}

/* The constant of the first or of the second product; Montgomery's reduction follows the second
 * one, a Hadamard product with constants in that form the first one. */
static void fill_constant(const struct shape *s, const struct fh_roots *roots, bool second,
                          uint32_t *words) {
    const struct product *p = second ? &s->second : &s->first;
    for (size_t part = 0; part < p->out / 16; part++)
        for (size_t step = 0; step < p->depth / 16; step++) {
            struct fh_imma_matrix m;
            for (unsigned outer = 0; outer < 16; outer++)
                for (unsigned inner = 0; inner < 16; inner++) {
                    size_t to = 16 * part + output_of(p, outer);
                    size_t from = 16 * step + summand_of(p, inner);
                    uint32_t w = s->inverse == second
                                     ? w1(s, roots, s->inverse ? from : to, s->inverse ? to : from)
                                     : w3(s, roots, s->inverse ? to : from, s->inverse ? from : to);
                    m.element[outer][inner] = second ? fh_times(w, &roots->montgomery) : w;
                }
            fh_imma_operand(&m, roots->q, false, words);
            words += FH_IMMA_WORDS;
        }
}

/* ---------------------------------------------------------------- twiddles */

/* Four words for one element: w 2^(32 + 8 i). */
static uint32_t *add_twiddle(const struct shape *s, const struct fh_roots *roots,
                             const struct fh_factor *byte, size_t k2, size_t i, uint32_t *words) {
    uint32_t value = fh_times(w2(s, roots, k2, i), &roots->montgomery);
    for (unsigned c = 0; c < 4; c++) {
        *words++ = value;
        value = fh_times(value, byte);
    }
    return words;
}

/* For every group of the width, part of the output, tile, half, v and lane. The data's columns are
 * i (forward) or k2, the output is the other. */
static void fill_twiddles(const struct shape *s, const struct fh_roots *roots, uint32_t *words) {
    const struct product *p = &s->first;
    struct fh_factor byte = fh_factor(1 << 8, roots->q);
    for (size_t group = 0; group < p->width / 16 / p->tiles; group++)
        for (size_t part = 0; part < p->out / 16; part++)
            for (unsigned w = 0; w < p->tiles * 256; w++) {
                unsigned g = w >> 2 & 7, t = w & 3, v = w >> 5 & 3, h = w >> 7 & 1, tile = w >> 8;
                /* A lane has four neighbours of 32, or with one tile two of 16. */
                size_t column = p->tiles == 1 ? 2 * g : 4 * g + 2 * (tile & 1) + 32 * (tile >> 1);
                column += 16 * p->tiles * group + (v >> 1);
                size_t to = 16 * part + output_of(p, 2 * t + (v & 1) + 8 * h);
                words = add_twiddle(s, roots, &byte, s->inverse ? column : to,
                                    s->inverse ? to : column, words);
            }
}

/* The same for data as B: groups, parts, tiles of eight k2, v and lane. */
static void fill_twiddles_transposed(const struct shape *s, const struct fh_roots *roots,
                                     uint32_t *words) {
    const struct product *p = &s->first;
    struct fh_factor byte = fh_factor(1 << 8, roots->q);
    for (size_t group = 0; group < p->width / 16 / p->tiles; group++)
        for (size_t part = 0; part < p->out / 16; part++)
            for (unsigned w = 0; w < p->tiles * 256; w++) {
                unsigned g = w >> 2 & 7, t = w & 3, v = w >> 5 & 3, tile = w >> 7;
                size_t k2 = 16 * p->tiles * group + 8 * tile + 2 * t + (v & 1);
                size_t i = 16 * part + output_of(p, g + 8 * (v >> 1));
                words = add_twiddle(s, roots, &byte, k2, i, words);
            }
}

/* ---------------------------------------------------------------- all tables */

static void free_tables(struct tables *t) {
    free(t->first);
    free(t->second);
    free(t->twiddles);
}

static fhec_status build_tables(const struct fh_ntt_job *job, const struct shape *s,
                                struct tables *t, struct fh_error *error) {
    t->first_size = 4 * s->first.depth * s->first.out;
    t->second_size = 4 * s->second.depth * s->second.out;
    t->twiddle_size = 4 * job->n;
    t->first = fh_table(job->limbs * t->first_size, sizeof *t->first);
    t->second = fh_table(job->limbs * t->second_size, sizeof *t->second);
    t->twiddles = fh_table(job->limbs * t->twiddle_size, sizeof *t->twiddles);
    uint32_t *power = fh_table(2 * job->n, sizeof *power);
    if (!t->first || !t->second || !t->twiddles || !power) {
        free(power);
        return fh_fail_memory(error);
    }
    for (size_t limb = 0; limb < job->limbs; limb++) {
        struct fh_roots roots;
        fh_roots_fill(&roots, job, limb, power);
        fill_constant(s, &roots, false, t->first + limb * t->first_size);
        fill_constant(s, &roots, true, t->second + limb * t->second_size);
        uint32_t *twiddles = t->twiddles + limb * t->twiddle_size;
        (s->first.transposed ? fill_twiddles_transposed : fill_twiddles)(s, &roots, twiddles);
    }
    free(power);
    return FHEC_OK;
}

/* ---------------------------------------------------------------- steps */

/* A warp takes 16 of the output, up to four warps make a block; the .sass file has the same
 * formulas. */
static struct fh_step *add_step(struct fh_plan *plan, const char *kernel, const struct product *p) {
    size_t parts = p->out / 16, warps = at_most(parts, 4);
    return fh_plan_step(plan, kernel, p->width / 16 / p->tiles, parts / warps, warps);
}

/* Puts the tables into the guest and lists the steps. */
static fhec_status add_steps(struct fh_plan *plan, const struct fh_ntt_job *job,
                             const struct shape *s, const struct tables *t) {
    struct fh_guest *guest = &plan->guest;
    size_t word = sizeof(uint32_t);
    uint64_t first, second, twiddles, moduli;
    fhec_status status = fh_guest_table(guest, "first_constant", t->first,
                                        job->limbs * t->first_size * word, &first);
    if (status == FHEC_OK)
        status = fh_guest_table(guest, "second_constant", t->second,
                                job->limbs * t->second_size * word, &second);
    if (status == FHEC_OK)
        status = fh_guest_table(guest, "twiddles", t->twiddles, job->limbs * t->twiddle_size * word,
                                &twiddles);
    if (status == FHEC_OK)
        status = fh_ntt_moduli(guest, job, &moduli);
    if (status == FHEC_OK)
        status = fh_plan_scratch(plan, 0, job->limbs * job->n * word);
    if (status != FHEC_OK)
        return status;
    struct fh_step *step = add_step(plan, "ntt_first", &s->first);
    fh_step_in(step);
    fh_step_scratch(step, 0);
    fh_step_table(step, moduli, sizeof(struct fh_modulus));
    fh_step_table(step, first, t->first_size * word);
    fh_step_table(step, twiddles, t->twiddle_size * word);
    step = add_step(plan, "ntt_second", &s->second);
    fh_step_scratch(step, 0);
    fh_step_out(step);
    fh_step_table(step, moduli, sizeof(struct fh_modulus));
    fh_step_table(step, second, t->second_size * word);
    return FHEC_OK;
}

fhec_status fh_ntt_imma256(struct fh_plan *plan, const struct fh_ntt_job *job) {
    struct shape s = shape_of(job);
    const struct fh_define defines[] = {
        {"LOGN", job->log2_n},
        {"INVERSE", s.inverse},
        {"NATURAL", s.natural},
        {"WIDE_MODULI", job->wide},
    };
    struct tables tables = {0};
    fhec_status status = fh_guest_assemble(&plan->guest, "ntt_imma256.sass", defines, 4);
    if (status == FHEC_OK)
        status = build_tables(job, &s, &tables, plan->guest.error);
    if (status == FHEC_OK)
        status = add_steps(plan, job, &s, &tables);
    free_tables(&tables);
    return status;
}
