/*
 * ntt_fhec256.c - tables and launches of ntt_fhec256.sass, where the mathematics and the layouts
 * are explained.
 */
#include "fragment.h"
#include "ntt.h"

#include <stdlib.h>

struct shape {
    unsigned log2_n2, log2_n1;
    size_t n2, n1; /* rows and columns of the limb as a matrix */
    bool inverse, natural;
};

/* All limbs' tables: words per limb, and the words. */
struct tables {
    size_t first_size, second_size, twiddle_size;
    uint32_t *first, *second, *twiddles;
};

static struct shape shape_of(const struct fh_ntt_job *job) {
    struct shape s = {.log2_n2 = job->log2_n / 2};
    s.log2_n1 = job->log2_n - s.log2_n2;
    s.n2 = (size_t)1 << s.log2_n2;
    s.n1 = (size_t)1 << s.log2_n1;
    s.inverse = job->params->inverse;
    s.natural = job->params->order == FH_GOLDEN_NATURAL;
    return s;
}

/* Which evaluation is at position x of a side of 2^bits. */
static size_t evaluation(const struct shape *s, size_t x, unsigned bits) {
    return s->natural ? x : fh_reverse((unsigned)x, bits);
}

/* W1[k2][j], W2[k2][i], W3[i][k1] with k2 and k1 by position. */
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

/* The first product's A: W1, whose k is j, or W3'^T, whose k is k1 with four neighbours in the four
 * registers of a lane's B. */
static void fill_first(const struct shape *s, const struct fh_roots *roots, uint32_t *words) {
    size_t size = s->inverse ? s->n1 : s->n2;
    for (size_t tile = 0; tile < size / 16; tile++)
        for (size_t step = 0; step < size / 16; step++)
            for (unsigned w = 0; w < FH_FRAGMENT_WORDS; w++) {
                struct fh_cell a = fh_fragment_cell(FH_FRAGMENT_A, w);
                size_t row = 16 * tile + a.row, k = 16 * step;
                *words++ = s->inverse ? w3(s, roots, row, k + 4 * (a.column & 3) + (a.column >> 2))
                                      : w1(s, roots, row, k + a.column);
            }
}

/* D[2b+p] of each 16 x 8 tile of the first product, in Montgomery form. */
static void fill_twiddles(const struct shape *s, const struct fh_roots *roots, uint32_t *words) {
    size_t rows = s->inverse ? s->n1 : s->n2, columns = s->inverse ? s->n2 : s->n1;
    for (size_t tile = 0; tile < rows / 16; tile++)
        for (size_t group = 0; group < columns / 8; group++)
            for (unsigned w = 0; w < FH_FRAGMENT_WORDS / 2; w++) {
                struct fh_cell d = fh_fragment_cell(FH_FRAGMENT_D, w);
                size_t row = 16 * tile + d.row, column = 8 * group + d.column;
                uint32_t twiddle =
                    s->inverse ? w2(s, roots, column, row) : w2(s, roots, row, column);
                *words++ = fh_times(twiddle, &roots->montgomery);
            }
}

/* The second product's constant: W3 as B, or W1' as A. */
static void fill_second(const struct shape *s, const struct fh_roots *roots, uint32_t *words) {
    size_t size = s->inverse ? s->n2 : s->n1, tiles = s->inverse ? size / 16 : size / 8;
    unsigned tile_words = s->inverse ? FH_FRAGMENT_WORDS : FH_FRAGMENT_WORDS / 2;
    for (size_t tile = 0; tile < tiles; tile++)
        for (size_t step = 0; step < size / 16; step++)
            for (unsigned w = 0; w < tile_words; w++) {
                struct fh_cell a = fh_fragment_cell(FH_FRAGMENT_A, w);
                struct fh_cell b = fh_fragment_cell(FH_FRAGMENT_B, w);
                *words++ = s->inverse
                               ? w1(s, roots, 16 * step + fh_spread(a.column), 16 * tile + a.row)
                               : w3(s, roots, 16 * step + fh_spread(b.row), 8 * tile + b.column);
            }
}

static void free_tables(struct tables *t) {
    free(t->first);
    free(t->second);
    free(t->twiddles);
}

static fhec_status build_tables(const struct fh_ntt_job *job, const struct shape *s,
                                struct tables *t, struct fh_error *error) {
    t->first_size = s->inverse ? s->n1 * s->n1 : s->n2 * s->n2;
    t->second_size = s->inverse ? s->n2 * s->n2 : s->n1 * s->n1;
    t->twiddle_size = job->n;
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
        fill_first(s, &roots, t->first + limb * t->first_size);
        fill_second(s, &roots, t->second + limb * t->second_size);
        fill_twiddles(s, &roots, t->twiddles + limb * t->twiddle_size);
    }
    free(power);
    return FHEC_OK;
}

/* ---------------------------------------------------------------- steps */

static size_t at_most(size_t value, size_t most) {
    return value < most ? value : most;
}

/* A warp's tile is 16 tm x 8 tn, tm and tn up to 4; up to four warps a block share the rows of the
 * first product and the columns of the second. The .sass file has the same formulas. */
static struct fh_step *add_first(struct fh_plan *plan, const struct shape *s) {
    size_t rows = (s->inverse ? s->n1 : s->n2) / 16, columns = (s->inverse ? s->n2 : s->n1) / 8;
    size_t row_tiles = rows / at_most(rows, 4), warps = at_most(row_tiles, 4);
    return fh_plan_step(plan, "ntt_first", columns / at_most(columns, 4), row_tiles / warps, warps);
}

static struct fh_step *add_second(struct fh_plan *plan, const struct shape *s) {
    size_t rows = s->n2 / 16, columns = s->n1 / 8;
    size_t groups = columns / at_most(columns, 4), warps = at_most(groups, 4);
    return fh_plan_step(plan, "ntt_second", groups / warps, rows / at_most(rows, 4), warps);
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
    struct fh_step *step = add_first(plan, s);
    fh_step_in(step);
    fh_step_scratch(step, 0);
    fh_step_table(step, moduli, sizeof(struct fh_modulus));
    fh_step_table(step, first, t->first_size * word);
    fh_step_table(step, twiddles, t->twiddle_size * word);
    step = add_second(plan, s);
    fh_step_scratch(step, 0);
    fh_step_out(step);
    fh_step_table(step, moduli, sizeof(struct fh_modulus));
    fh_step_table(step, second, t->second_size * word);
    return FHEC_OK;
}

fhec_status fh_ntt_fhec256(struct fh_plan *plan, const struct fh_ntt_job *job) {
    struct shape s = shape_of(job);
    const struct fh_define defines[] = {
        {"LOGN", job->log2_n},
        {"INVERSE", s.inverse},
        {"NATURAL", s.natural},
        {"WIDE_MODULI", job->wide},
    };
    struct tables tables = {0};
    fhec_status status = fh_guest_assemble(&plan->guest, "ntt_fhec256.sass", defines, 4);
    if (status == FHEC_OK)
        status = build_tables(job, &s, &tables, plan->guest.error);
    if (status == FHEC_OK)
        status = add_steps(plan, job, &s, &tables);
    free_tables(&tables);
    return status;
}
