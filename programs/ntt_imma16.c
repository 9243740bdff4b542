/*
 * ntt_imma16.c - tables and steps of ntt_imma16.sass, where the mathematics and the layouts are
 * explained. Equation numbers are that file's.
 */
#include "imma.h"
#include "ntt_radix16.h"

#include <stdlib.h>

enum table {
    SPLIT_CONSTANT,
    COLS_MATRICES,
    COLS_CONSTANT,
    ROWS_MATRICES,
    ROWS_TWIDDLES,
    ROWS_CONSTANT,
    TABLES
};

/* All limbs' tables: words per limb, 0 for what is not needed, and the words. */
struct tables {
    size_t size[TABLES];
    uint32_t *words[TABLES];
};

/* The factor 2^32 of a product that Montgomery's reduction follows. */
static uint32_t montgomery(const struct fh_roots *roots, uint32_t value) {
    return fh_times(value, &roots->montgomery);
}

/* ---------------------------------------------------------------- ntt_rows */

/* The digit of an evaluation at position x of 16. */
static unsigned digit(const struct fh_radix16 *s, unsigned x) {
    return s->natural ? x : fh_reverse(x, 4);
}

/* k1 of result column c, or of number s of lane t in the next product, c = 2 t + p + 8 h. */
static unsigned pair_column(unsigned inner) {
    return 2 * (inner & 3) + (inner >> 2 & 1) + 8 * (inner >> 3);
}

/* W, or W' / N: outer k0 and inner d0, or the other way round. */
static void fill_rows_constant(const struct fh_radix16 *s, const struct fh_roots *roots,
                               uint32_t *words) {
    struct fh_imma_matrix m;
    for (unsigned outer = 0; outer < 16; outer++)
        for (unsigned inner = 0; inner < 16; inner++) {
            unsigned k0, d0;
            if (s->inverse) {
                d0 = 2 * (outer & 7) + (outer >> 3);
                k0 = digit(s, s->natural ? inner : 4 * (inner & 3) + (inner >> 2));
            } else {
                unsigned t = outer >> 1 & 3, p = outer & 1, h = outer >> 3;
                d0 = 4 * (inner & 3) + (inner >> 2);
                k0 = digit(s, s->natural ? outer : 4 * t + p + 2 * h);
            }
            uint32_t w = fh_times(fh_root(roots, 2 * (s->n / 16) * k0 * d0), &roots->scale);
            m.element[outer][inner] = s->inverse ? w : montgomery(roots, w);
        }
    fh_imma_operand(&m, roots->q, false, words);
}

/* M or M' of one block, whose prefix is K. */
static void fill_rows_matrix(const struct fh_radix16 *s, const struct fh_roots *roots, uint64_t K,
                             uint32_t *words) {
    struct fh_imma_matrix m;
    for (unsigned outer = 0; outer < 16; outer++)
        for (unsigned inner = 0; inner < 16; inner++) {
            unsigned k1 = digit(s, s->inverse ? pair_column(inner) : outer);
            unsigned d1 = s->inverse ? fh_imma_element(outer) : inner;
            uint32_t w = fh_radix16_entry(roots, K, s->blocks, k1, d1, 16);
            m.element[outer][inner] = s->inverse ? montgomery(roots, w) : w;
        }
    fh_imma_operand(&m, roots->q, false, words);
}

/* Equation (2), the prefix with k1 included, for the elements v of both halves h: row g + 8 b and
 * column 2 t + p + 8 h of the first product; each with its 2^16-fold. */
static void fill_rows_twiddles(const struct fh_radix16 *s, const struct fh_roots *roots, uint64_t K,
                               uint32_t *words) {
    struct fh_factor half = fh_factor(1 << 16, roots->q);
    for (unsigned w = 0; w < 512; w += 2) {
        unsigned lane = w >> 2 & 31, g = lane >> 2, t = lane & 3, h = w >> 8;
        unsigned b = w >> 7 & 1, p = w >> 1 & 1, row = g + 8 * b;
        unsigned k1 = digit(s, s->inverse ? 2 * t + p + 8 * h : row);
        unsigned d0 = s->inverse ? 2 * g + b : 4 * t + 2 * p + h;
        words[w] = montgomery(roots, fh_root(roots, (2 * (K + s->blocks * k1) + 1) * d0));
        words[w + 1] = fh_times(words[w], &half);
    }
}

static void fill_rows(const struct fh_radix16 *s, const struct fh_roots *roots, uint32_t *matrices,
                      uint32_t *twiddles, uint32_t *constant) {
    fill_rows_constant(s, roots, constant);
    for (unsigned block = 0; block < s->blocks; block++) {
        /* The kernel takes the blocks in the order of memory, or of prefixes. */
        uint64_t K = s->natural ? block : fh_reverse(block, s->log2_n - 8);
        fill_rows_matrix(s, roots, K, matrices + block * FH_IMMA_WORDS);
        fill_rows_twiddles(s, roots, K, twiddles + block * 512);
    }
}

/* ---------------------------------------------------------------- ntt_split, ntt_cols */

/* A block-diagonal stage of `bits` bits, S = its digits' weight in n: for the blocks x of a
 * product, of R = 2^bits each, prefix[x] and P. Positions are in `inner` of an inverse, else in
 * `outer`. */
static void fill_stage(const struct fh_radix16 *s, const struct fh_roots *roots, unsigned bits,
                       const uint64_t *prefix, uint64_t P, uint64_t S, uint32_t *words) {
    struct fh_imma_matrix m = {0};
    unsigned R = 1u << bits;
    for (unsigned outer = 0; outer < 16; outer++)
        for (unsigned inner = 0; inner < 16; inner++) {
            unsigned element = fh_imma_element(outer), x = inner / R;
            unsigned position = (s->inverse ? inner : element) % R;
            unsigned d = (s->inverse ? element : inner) % R;
            if (element / R == x)
                m.element[outer][inner] = montgomery(
                    roots, fh_radix16_entry(roots, prefix[x], P, fh_reverse(position, bits), d, S));
        }
    fh_imma_operand(&m, roots->q, R < 16, words);
}

/* Words of a stage's operand. */
static size_t stage_words(unsigned bits) {
    return bits < 4 ? FH_IMMA_DIAGONAL_WORDS : FH_IMMA_WORDS;
}

/* The only stage of a kernel: the limb's first. */
static void fill_one_stage(const struct fh_radix16 *s, const struct fh_roots *roots, unsigned bits,
                           uint32_t *words) {
    static const uint64_t none[16] = {0};
    fill_stage(s, roots, bits, none, 1, s->n >> bits, words);
}

/* The constant of radix 16, and a matrix for each Y of the rest's positions. */
static void fill_two_stages(const struct fh_radix16 *s, const struct fh_roots *roots,
                            uint32_t *matrices, uint32_t *constant) {
    unsigned bits = s->cols - 4, R = 1u << bits;
    for (unsigned prefix = 0; prefix < s->prefixes; prefix++) {
        uint64_t K = fh_reverse(prefix, s->split), P = s->prefixes;
        fill_stage(s, roots, 4, &K, P, 256 * R, constant);
        constant += FH_IMMA_WORDS;
        for (unsigned Y = 0; Y < R; Y++) {
            uint64_t blocks[16];
            for (unsigned x = 0; x < 16 / R; x++)
                blocks[x] = K + P * fh_reverse(Y * (16 / R) + x, 4);
            fill_stage(s, roots, bits, blocks, 16 * P, 256, matrices);
            matrices += stage_words(bits);
        }
    }
}

/* ---------------------------------------------------------------- all tables */

static void set_sizes(const struct fh_radix16 *s, size_t size[TABLES]) {
    size[ROWS_MATRICES] = s->blocks * FH_IMMA_WORDS;
    size[ROWS_TWIDDLES] = 2 * s->n;
    size[ROWS_CONSTANT] = FH_IMMA_WORDS;
    if (s->split)
        size[SPLIT_CONSTANT] = stage_words(1);
    if (s->cols > 4) {
        size[COLS_MATRICES] = (s->prefixes << (s->cols - 4)) * stage_words(s->cols - 4);
        size[COLS_CONSTANT] = s->prefixes * FH_IMMA_WORDS;
    } else if (s->cols > 0) {
        size[COLS_CONSTANT] = stage_words(s->cols);
    }
}

static void fill_limb(const struct fh_radix16 *s, const struct fh_roots *roots,
                      const struct tables *t, size_t limb) {
    uint32_t *of[TABLES];
    for (unsigned i = 0; i < TABLES; i++)
        of[i] = t->words[i] + limb * t->size[i];
    fill_rows(s, roots, of[ROWS_MATRICES], of[ROWS_TWIDDLES], of[ROWS_CONSTANT]);
    if (s->split)
        fill_one_stage(s, roots, 1, of[SPLIT_CONSTANT]);
    if (s->cols > 4)
        fill_two_stages(s, roots, of[COLS_MATRICES], of[COLS_CONSTANT]);
    else if (s->cols > 0)
        fill_one_stage(s, roots, s->cols, of[COLS_CONSTANT]);
}

/* Builds all tables and puts them into the guest. */
static fhec_status make_tables(struct fh_guest *guest, const struct fh_ntt_job *job,
                               const struct fh_radix16 *s, struct tables *tables,
                               uint64_t addresses[TABLES]) {
    static const char *const names[TABLES] = {"split_constant", "cols_matrices", "cols_constant",
                                              "rows_matrices",  "rows_twiddles", "rows_constant"};
    uint32_t *power = fh_table(2 * job->n, sizeof *power);
    fhec_status status = power ? FHEC_OK : FHEC_HOST_ERROR;
    set_sizes(s, tables->size);
    for (unsigned i = 0; i < TABLES; i++) {
        tables->words[i] = fh_table(job->limbs * tables->size[i], sizeof *tables->words[i]);
        if (!tables->words[i])
            status = FHEC_HOST_ERROR;
    }
    if (status != FHEC_OK)
        fh_fail_memory(guest->error);
    for (size_t limb = 0; limb < job->limbs && status == FHEC_OK; limb++) {
        struct fh_roots roots;
        fh_roots_fill(&roots, job, limb, power);
        fill_limb(s, &roots, tables, limb);
    }
    for (unsigned i = 0; i < TABLES; i++) {
        size_t bytes = job->limbs * tables->size[i] * sizeof *tables->words[i];
        if (bytes && status == FHEC_OK)
            status = fh_guest_table(guest, names[i], tables->words[i], bytes, &addresses[i]);
        free(tables->words[i]);
    }
    free(power);
    return status;
}

/* ---------------------------------------------------------------- steps */

enum kernel { SPLIT, COLS, ROWS };

static size_t at_most(size_t value, size_t most) {
    return value < most ? value : most;
}

/* The kernels' names, grids and table parameters; the .sass files have the same formulas. */
static struct fh_step *add_step(struct fh_plan *plan, const struct fh_radix16 *s,
                                enum kernel kernel) {
    static const char *const names[] = {"ntt_split", "ntt_cols", "ntt_rows"};
    size_t tiles; /* of a limb, and of a warp */
    size_t each;
    if (kernel == COLS && s->cols > 4) {
        size_t R = (size_t)1 << (s->cols - 4);
        return fh_plan_step(plan, names[kernel], 8 * s->prefixes, 1, R < 8 ? 1 : R / 4);
    }
    if (kernel == ROWS) {
        tiles = s->blocks;
        each = at_most(tiles, 8);
    } else {
        tiles = s->n / 512; /* pairs of products */
        each = at_most(tiles, 4);
    }
    size_t warps = at_most(tiles / each, 4);
    return fh_plan_step(plan, names[kernel], tiles / each / warps, 1, warps);
}

/* The steps in their order: data in, one or two scratch memories between them, data out. */
static void add_steps(struct fh_plan *plan, const struct fh_radix16 *s, const size_t size[TABLES],
                      const uint64_t addresses[TABLES], uint64_t moduli) {
    static const enum table first[] = {SPLIT_CONSTANT, COLS_MATRICES, ROWS_MATRICES, TABLES};
    enum kernel kernels[3];
    unsigned steps = 0;
    for (unsigned i = 0; i < 3; i++) {
        enum kernel kernel = s->inverse ? 2 - i : i;
        if (kernel == ROWS || (kernel == SPLIT ? s->split : s->cols))
            kernels[steps++] = kernel;
    }
    for (unsigned i = 0; i < steps; i++) {
        struct fh_step *step = add_step(plan, s, kernels[i]);
        if (i == 0)
            fh_step_in(step);
        else
            fh_step_scratch(step, i - 1);
        if (i + 1 == steps)
            fh_step_out(step);
        else
            fh_step_scratch(step, i);
        fh_step_table(step, moduli, sizeof(struct fh_modulus));
        for (unsigned t = first[kernels[i]]; t < (unsigned)first[kernels[i] + 1]; t++)
            if (size[t])
                fh_step_table(step, addresses[t], size[t] * sizeof(uint32_t));
    }
}

/* Whether a word of data between two stages may need its 33rd bit: equation (3) of lib/imma.sass.
 */
static bool is_tight(const struct fh_ntt_job *job) {
    bool tight = false;
    for (size_t i = 0; i < job->limbs; i++)
        tight = tight || job->params->q[i] > UINT32_MAX - (1 << 14);
    return tight;
}

fhec_status fh_ntt_imma16(struct fh_plan *plan, const struct fh_ntt_job *job) {
    struct fh_radix16 s = fh_radix16_of(job);
    struct fh_guest *guest = &plan->guest;
    const struct fh_define defines[] = {
        {"LOGN", s.log2_n},         {"INVERSE", s.inverse},          {"NATURAL", s.natural},
        {"WIDE_MODULI", job->wide}, {"TIGHT_MODULI", is_tight(job)},
    };
    struct tables tables = {0};
    uint64_t addresses[TABLES] = {0}, moduli;
    fhec_status status = fh_guest_assemble(guest, "ntt_imma16.sass", defines, 5);
    if (status == FHEC_OK)
        status = make_tables(guest, job, &s, &tables, addresses);
    if (status == FHEC_OK)
        status = fh_ntt_moduli(guest, job, &moduli);
    if (status != FHEC_OK)
        return status;
    add_steps(plan, &s, tables.size, addresses, moduli);
    for (unsigned i = 0; i + 1 < plan->step_count && status == FHEC_OK; i++)
        status = fh_plan_scratch(plan, i, job->limbs * job->n * sizeof(uint32_t));
    return status;
}
