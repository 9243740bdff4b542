/*
 * ntt_fhec16.c - tables and launches of ntt_fhec16.sass, where the mathematics and the layouts are
 * explained. Equation numbers are that file's.
 */
#include "cuda_factor.h"
#include "fragment.h"
#include "ntt_radix16.h"

#include <stdlib.h>

/* Words per limb. */
struct sizes {
    size_t split_constant, cols_matrices, cols_constant, rows_first, rows_second, rows_twiddles;
};

/* All limbs' tables of one kind. */
struct table {
    uint32_t *words;
    size_t per_limb;
};

struct tables {
    struct table split_constant, cols_matrices, cols_constant, rows_first, rows_second,
        rows_twiddles;
};

/* ---------------------------------------------------------------- ntt_rows */

/* d0 at column x of the first product: pos() of the layout in pairs, turned round. */
static unsigned low_digit(const struct fh_radix16 *s, unsigned x) {
    return s->cols == 0 ? x : (x & 8) + ((x & 3) << 1) + (x >> 2 & 1);
}

/* Equation (1) for the prefixes K of all 256-blocks; digits[w]: k (row) and d (column) of a
 * fragment's word w. */
static void fill_rows_matrices(const struct fh_radix16 *s, const struct fh_roots *roots, uint64_t P,
                               uint64_t S, const struct fh_cell *digits, uint32_t *words) {
    for (size_t block = 0; block < s->blocks; block++) {
        uint64_t K = fh_reverse((unsigned)block, s->log2_n - 8);
        for (unsigned w = 0; w < FH_FRAGMENT_WORDS; w++)
            *words++ = fh_radix16_entry(roots, K, P, digits[w].row, digits[w].column, S);
    }
}

/* M_2 contracts d1, or the inverse k1; M_3 d0 or k0. */
static void fill_rows(const struct fh_radix16 *s, const struct fh_roots *roots, uint32_t *first,
                      uint32_t *second) {
    struct fh_cell upper[FH_FRAGMENT_WORDS], lower[FH_FRAGMENT_WORDS]; /* M_2, M_3 */
    for (unsigned w = 0; w < FH_FRAGMENT_WORDS; w++) {
        struct fh_cell a = fh_fragment_cell(FH_FRAGMENT_A, w);
        struct fh_cell b = fh_fragment_cell(FH_FRAGMENT_B, w);
        if (s->inverse) {
            upper[w] = (struct fh_cell){fh_reverse(fh_spread(b.row), 4), b.column};
            lower[w] = (struct fh_cell){fh_reverse(4 * (a.column & 3) + (a.column >> 2), 4), a.row};
        } else {
            upper[w] = (struct fh_cell){fh_reverse(a.row, 4), fh_spread(a.column)};
            lower[w] = (struct fh_cell){fh_reverse(b.column, 4), low_digit(s, fh_spread(b.row))};
        }
    }
    fill_rows_matrices(s, roots, s->blocks, 16, upper, s->inverse ? second : first);
    fill_rows_matrices(s, roots, s->n / 16, 1, lower, s->inverse ? first : second);
}

/* How many words lib/product.sass has for an element of T. */
static size_t twiddle_words(const struct fh_ntt_job *job) {
    return job->gme ? 1 : job->wide ? 3 : 2;
}

/* T, equation (2); the inverse has its 1/N here. */
static void fill_rows_twiddles(const struct fh_ntt_job *job, const struct fh_radix16 *s,
                               const struct fh_roots *roots, uint32_t *twiddles) {
    for (unsigned w = 0; w < FH_FRAGMENT_WORDS; w++) {
        struct fh_cell c = fh_fragment_cell(FH_FRAGMENT_D, w);
        unsigned k = fh_reverse(s->inverse ? c.column : c.row, 4);
        unsigned d = s->inverse ? c.row : low_digit(s, c.column);
        uint32_t words[4] = {fh_times(fh_root(roots, 2 * s->blocks * k * d), &roots->scale)};
        if (!job->gme)
            fh_factor_times_32(roots->q, words[0], !job->wide, words);
        for (size_t i = 0; i < twiddle_words(job); i++)
            twiddles[i * FH_FRAGMENT_WORDS + w] = words[i];
    }
}

/* ---------------------------------------------------------------- ntt_split, short ntt_cols */

/* Block-diagonal A fragment for one stage of `bits` bits, S = N / 2^bits. */
static void fill_one_stage(const struct fh_radix16 *s, const struct fh_roots *roots, unsigned bits,
                           uint32_t *constant) {
    unsigned R = 1u << bits;
    for (unsigned w = 0; w < FH_FRAGMENT_WORDS; w++) {
        struct fh_cell a = fh_fragment_cell(FH_FRAGMENT_A, w);
        unsigned position = (s->inverse ? a.column : a.row) % R;
        unsigned digit = (s->inverse ? a.row : a.column) % R;
        constant[w] =
            a.row / R == a.column / R
                ? fh_radix16_entry(roots, 0, 1, fh_reverse(position, bits), digit, s->n >> bits)
                : 0;
    }
}

/* ---------------------------------------------------------------- ntt_cols, two stages */

/* Which second-stage tile Y, and which group x in it, column c of the first product goes to. */
struct exchange {
    unsigned Y, x;
};

static struct exchange exchange_of(unsigned R, unsigned c) {
    unsigned t = c >> 1 & 3, p = c & 1, h = c >> 3;
    switch (R) {
    case 16: return (struct exchange){2 * t + p + 8 * h, 0};
    case 8: return (struct exchange){2 * t + p, h};
    case 4: return (struct exchange){t, p + 2 * h};
    default: return (struct exchange){t >> 1, (t & 1) + 2 * p + 4 * h};
    }
}

/* Forward: first stage constant (B, k_0 of digit d_0), then a matrix (A) per Y; the contracted
 * index of the second stage is k = y + R x, y the tile of the first. */
static void fill_cols_forward(const struct fh_radix16 *s, const struct fh_roots *roots,
                              uint32_t *matrices, uint32_t *constant) {
    unsigned bits = s->cols - 4, R = 1u << bits;
    for (unsigned prefix = 0; prefix < s->prefixes; prefix++) {
        uint64_t K = fh_reverse(prefix, s->split), P = s->prefixes;
        for (unsigned w = 0; w < FH_FRAGMENT_WORDS; w++) {
            struct fh_cell b = fh_fragment_cell(FH_FRAGMENT_B, w);
            struct exchange e = exchange_of(R, b.column);
            unsigned k0 = fh_reverse(e.Y * (16 / R) + e.x, 4);
            constant[prefix * FH_FRAGMENT_WORDS + w] =
                fh_radix16_entry(roots, K, P, k0, b.row, 256 * R);
            struct fh_cell a = fh_fragment_cell(FH_FRAGMENT_A, w);
            for (unsigned Y = 0; Y < R; Y++) {
                unsigned x = a.row / R, k1 = fh_reverse(a.row % R, bits);
                uint64_t K1 = K + P * fh_reverse(Y * (16 / R) + x, 4);
                matrices[(prefix * R + Y) * FH_FRAGMENT_WORDS + w] =
                    a.column / R == x ? fh_radix16_entry(roots, K1, 16 * P, k1, a.column % R, 256)
                                      : 0;
            }
        }
    }
}

/* Inverse: first stage a matrix (B) per y, then a constant (A). */
static void fill_cols_inverse(const struct fh_radix16 *s, const struct fh_roots *roots,
                              uint32_t *matrices, uint32_t *constant) {
    unsigned bits = s->cols - 4, R = 1u << bits;
    for (unsigned prefix = 0; prefix < s->prefixes; prefix++) {
        uint64_t K = fh_reverse(prefix, s->split), P = s->prefixes;
        for (unsigned w = 0; w < FH_FRAGMENT_WORDS; w++) {
            struct fh_cell b = fh_fragment_cell(FH_FRAGMENT_B, w);
            struct exchange e = exchange_of(R, b.column);
            unsigned x = b.row / R, k1 = fh_reverse(b.row % R, bits);
            for (unsigned y = 0; y < R; y++) {
                uint64_t K1 = K + P * fh_reverse(y * (16 / R) + x, 4);
                matrices[(prefix * R + y) * FH_FRAGMENT_WORDS + w] =
                    e.x == x ? fh_radix16_entry(roots, K1, 16 * P, k1, e.Y, 256) : 0;
            }
            struct fh_cell a = fh_fragment_cell(FH_FRAGMENT_A, w);
            unsigned k0 = fh_reverse(a.column % R * (16 / R) + a.column / R, 4);
            constant[prefix * FH_FRAGMENT_WORDS + w] =
                fh_radix16_entry(roots, K, P, k0, a.row, 256 * R);
        }
    }
}

/* ---------------------------------------------------------------- all tables */

static struct sizes sizes_of(const struct fh_ntt_job *job, const struct fh_radix16 *s) {
    struct sizes z = {.rows_first = s->n,
                      .rows_second = s->n,
                      .rows_twiddles = twiddle_words(job) * FH_FRAGMENT_WORDS};
    if (s->split)
        z.split_constant = FH_FRAGMENT_WORDS;
    if (s->cols > 4) {
        z.cols_matrices = (s->prefixes << (s->cols - 4)) * FH_FRAGMENT_WORDS;
        z.cols_constant = s->prefixes * FH_FRAGMENT_WORDS;
    } else if (s->cols > 0) {
        z.cols_constant = FH_FRAGMENT_WORDS;
    }
    return z;
}

static void fill_limb(const struct fh_ntt_job *job, const struct fh_radix16 *s,
                      const struct fh_roots *roots, const struct tables *t, size_t limb) {
#define OF_LIMB(table) (t->table.words + limb * t->table.per_limb)
    fill_rows(s, roots, OF_LIMB(rows_first), OF_LIMB(rows_second));
    fill_rows_twiddles(job, s, roots, OF_LIMB(rows_twiddles));
    if (s->split)
        fill_one_stage(s, roots, 1, OF_LIMB(split_constant));
    if (s->cols > 4)
        (s->inverse ? fill_cols_inverse : fill_cols_forward)(s, roots, OF_LIMB(cols_matrices),
                                                             OF_LIMB(cols_constant));
    else if (s->cols > 0)
        fill_one_stage(s, roots, s->cols, OF_LIMB(cols_constant));
#undef OF_LIMB
}

static const struct {
    const char *name;
    size_t table, size; /* offsets in struct tables and struct sizes */
} table_rows[] = {
#define ROW(x)                                                                                     \
    { #x, offsetof(struct tables, x), offsetof(struct sizes, x) }
    ROW(split_constant), ROW(cols_matrices), ROW(cols_constant),
    ROW(rows_first),     ROW(rows_second),   ROW(rows_twiddles),
#undef ROW
};
enum { TABLES = sizeof table_rows / sizeof *table_rows };

static struct table *table_at(struct tables *t, unsigned i) {
    return (struct table *)(void *)((char *)t + table_rows[i].table);
}

/* Builds all tables and puts them into the guest; addresses[i] is 0 for one that has no words. */
static fhec_status make_tables(struct fh_guest *guest, const struct fh_ntt_job *job,
                               const struct fh_radix16 *s, uint64_t addresses[TABLES]) {
    struct sizes sizes = sizes_of(job, s);
    struct tables tables = {0};
    uint32_t *power = fh_table(2 * job->n, sizeof *power);
    fhec_status status = power ? FHEC_OK : FHEC_HOST_ERROR;
    for (unsigned i = 0; i < TABLES; i++) {
        struct table *t = table_at(&tables, i);
        t->per_limb = *(const size_t *)(const void *)((const char *)&sizes + table_rows[i].size);
        t->words = fh_table(job->limbs * t->per_limb, sizeof *t->words);
        if (!t->words)
            status = FHEC_HOST_ERROR;
    }
    if (status != FHEC_OK)
        fh_fail_memory(guest->error);
    for (size_t limb = 0; limb < job->limbs && status == FHEC_OK; limb++) {
        struct fh_roots roots;
        fh_roots_fill(&roots, job, limb, power);
        fill_limb(job, s, &roots, &tables, limb);
    }
    for (unsigned i = 0; i < TABLES; i++) {
        struct table *t = table_at(&tables, i);
        size_t bytes = job->limbs * t->per_limb * sizeof *t->words;
        addresses[i] = 0;
        if (bytes && status == FHEC_OK)
            status = fh_guest_table(guest, table_rows[i].name, t->words, bytes, &addresses[i]);
        free(t->words);
    }
    free(power);
    return status;
}

/* ---------------------------------------------------------------- steps */

/* A step's kernel and grid; the .sass file has the same formulas. */
static struct fh_step *add_step(struct fh_plan *plan, const struct fh_radix16 *s, unsigned kernel) {
    static const char *const names[] = {"ntt_split", "ntt_cols", "ntt_rows"};
    if (kernel == 1 && s->cols > 4) {
        size_t R = (size_t)1 << (s->cols - 4);
        return fh_plan_step(plan, names[kernel], 8 * s->prefixes, 1, R < 4 ? 1 : R / 4);
    }
    size_t count = s->n / 256, tiles = count >= 64 ? 4 : 1; /* a warp tile has 256 elements */
    if (kernel == 2)
        tiles = count >= 128 ? 8 : count < 4 ? count : 4;
    size_t warps = count / tiles < 4 ? count / tiles : 4;
    return fh_plan_step(plan, names[kernel], count / tiles / warps, 1, warps);
}

/* The steps in their order: data in, one or two scratch memories between them, data out. */
static void add_steps(struct fh_plan *plan, const struct fh_ntt_job *job,
                      const struct fh_radix16 *s, const uint64_t tables[TABLES], uint64_t moduli) {
    static const unsigned first[] = {0, 1, 3}, counts[] = {1, 2, 3};
    struct sizes sizes = sizes_of(job, s);
    unsigned kernels[3], steps = 0;
    for (unsigned i = 0; i < 3; i++) {
        unsigned kernel = s->inverse ? 2 - i : i;
        if (kernel == 2 || (kernel == 0 ? s->split : s->cols))
            kernels[steps++] = kernel;
    }
    for (unsigned i = 0; i < steps; i++) {
        unsigned kernel = kernels[i];
        struct fh_step *step = add_step(plan, s, kernel);
        if (i == 0)
            fh_step_in(step);
        else
            fh_step_scratch(step, i - 1);
        if (i + 1 == steps)
            fh_step_out(step);
        else
            fh_step_scratch(step, i);
        fh_step_table(step, moduli, sizeof(struct fh_modulus));
        for (unsigned t = first[kernel]; t < first[kernel] + counts[kernel]; t++) {
            size_t words =
                *(const size_t *)(const void *)((const char *)&sizes + table_rows[t].size);
            if (words)
                fh_step_table(step, tables[t], words * sizeof(uint32_t));
        }
    }
}

fhec_status fh_ntt_fhec16(struct fh_plan *plan, const struct fh_ntt_job *job) {
    struct fh_radix16 s = fh_radix16_of(job);
    struct fh_guest *guest = &plan->guest;
    const struct fh_define defines[] = {
        {"LOGN", s.log2_n},
        {"INVERSE", s.inverse},
        {"NATURAL", job->params->order == FH_GOLDEN_NATURAL},
        {"WIDE_MODULI", job->wide},
        {"GME", job->gme},
    };
    size_t bytes = job->limbs * job->n * sizeof(uint32_t);
    uint64_t tables[TABLES], moduli;
    fhec_status status = fh_guest_assemble(guest, "ntt_fhec16.sass", defines, 5);
    if (status == FHEC_OK)
        status = make_tables(guest, job, &s, tables);
    if (status == FHEC_OK)
        status = fh_ntt_moduli(guest, job, &moduli);
    if (status != FHEC_OK)
        return status;
    add_steps(plan, job, &s, tables, moduli);
    for (unsigned i = 0; i + 1 < plan->step_count && status == FHEC_OK; i++)
        status = fh_plan_scratch(plan, i, bytes);
    return status;
}
