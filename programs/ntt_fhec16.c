/*
 * ntt_fhec16.c - tables and grids of ntt_fhec16.sass, where the mathematics and the layouts are
 * explained. Equation numbers are that file's.
 */
#include "cuda_factor.h"
#include "fragment.h"
#include "ntt_methods.h"
#include "ntt_radix16.h"

enum { ROWS_FIRST = FH_RADIX16_ROWS_TABLES, ROWS_SECOND, ROWS_TWIDDLES };

/* ---------------------------------------------------------------- ntt_rows */

/* d0 at column x of the first product: pos() of the layout in pairs, turned round. */
static unsigned low_digit(const struct fh_radix16 *s, unsigned x) {
    return s->cols == 0 ? x : (x & 8) + ((x & 3) << 1) + (x >> 2 & 1);
}

/* Equation (1) for the prefixes K of all 256-blocks; digits[w]: k (row) and d (column) of a
 * fragment's word w. */
static void fill_rows_matrices(const struct fh_radix16 *s, const struct fh_roots *roots, uint64_t P,
                               uint64_t S, const fhec_element *digits, uint32_t *words) {
    for (size_t block = 0; block < s->blocks; block++) {
        uint64_t K = fh_reverse((unsigned)block, s->log2_n - 8);
        for (unsigned w = 0; w < FH_FRAGMENT_WORDS; w++)
            *words++ = fh_radix16_entry(roots, K, P, digits[w].row, digits[w].column, S);
    }
}

/* M_2 contracts d1, or the inverse k1; M_3 d0 or k0. */
static void fill_rows(const struct fh_radix16 *s, const struct fh_roots *roots, uint32_t *first,
                      uint32_t *second) {
    fhec_element upper[FH_FRAGMENT_WORDS], lower[FH_FRAGMENT_WORDS]; /* M_2, M_3 */
    for (unsigned w = 0; w < FH_FRAGMENT_WORDS; w++) {
        fhec_element a = fh_fragment_element(FH_FRAGMENT_A, w);
        fhec_element b = fh_fragment_element(FH_FRAGMENT_B, w);
        if (s->inverse) {
            upper[w] = (fhec_element){fh_reverse(fh_spread(b.row), 4), b.column};
            lower[w] = (fhec_element){fh_reverse(4 * (a.column & 3) + (a.column >> 2), 4), a.row};
        } else {
            upper[w] = (fhec_element){fh_reverse(a.row, 4), fh_spread(a.column)};
            lower[w] = (fhec_element){fh_reverse(b.column, 4), low_digit(s, fh_spread(b.row))};
        }
    }
    fill_rows_matrices(s, roots, s->blocks, 16, upper, s->inverse ? second : first);
    fill_rows_matrices(s, roots, s->n / 16, 1, lower, s->inverse ? first : second);
}

/* How many words lib/product.sass has for an element of T. */
static size_t twiddle_words(const struct fh_ntt_job *job) {
    return job->gme ? 1 : job->wide && !job->loose ? 3 : 2;
}

/* T, equation (2); the inverse has its 1/N here. */
static void fill_rows_twiddles(const struct fh_radix16 *s, const struct fh_roots *roots,
                               uint32_t *twiddles) {
    const struct fh_ntt_job *job = s->job;
    for (unsigned w = 0; w < FH_FRAGMENT_WORDS; w++) {
        fhec_element c = fh_fragment_element(FH_FRAGMENT_D, w);
        unsigned k = fh_reverse(s->inverse ? c.column : c.row, 4);
        unsigned d = s->inverse ? c.row : low_digit(s, c.column);
        uint32_t words[4] = {fh_times(fh_root(roots, 2 * s->blocks * k * d), &roots->scale)};
        if (job->loose)
            words[1] = (uint32_t)(((uint64_t)words[0] << 32) / roots->q);
        else if (!job->gme)
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
        fhec_element a = fh_fragment_element(FH_FRAGMENT_A, w);
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
            fhec_element b = fh_fragment_element(FH_FRAGMENT_B, w);
            struct exchange e = exchange_of(R, b.column);
            unsigned k0 = fh_reverse(e.Y * (16 / R) + e.x, 4);
            constant[prefix * FH_FRAGMENT_WORDS + w] =
                fh_radix16_entry(roots, K, P, k0, b.row, 256 * R);
            fhec_element a = fh_fragment_element(FH_FRAGMENT_A, w);
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
            fhec_element b = fh_fragment_element(FH_FRAGMENT_B, w);
            struct exchange e = exchange_of(R, b.column);
            unsigned x = b.row / R, k1 = fh_reverse(b.row % R, bits);
            for (unsigned y = 0; y < R; y++) {
                uint64_t K1 = K + P * fh_reverse(y * (16 / R) + x, 4);
                matrices[(prefix * R + y) * FH_FRAGMENT_WORDS + w] =
                    e.x == x ? fh_radix16_entry(roots, K1, 16 * P, k1, e.Y, 256) : 0;
            }
            fhec_element a = fh_fragment_element(FH_FRAGMENT_A, w);
            unsigned k0 = fh_reverse(a.column % R * (16 / R) + a.column / R, 4);
            constant[prefix * FH_FRAGMENT_WORDS + w] =
                fh_radix16_entry(roots, K, P, k0, a.row, 256 * R);
        }
    }
}

/* ---------------------------------------------------------------- the map */

static void set_words(const struct fh_radix16 *s, struct fh_ntt_table tables[FH_RADIX16_TABLES]) {
    tables[ROWS_FIRST] = (struct fh_ntt_table){"rows_first", s->n};
    tables[ROWS_SECOND] = (struct fh_ntt_table){"rows_second", s->n};
    tables[ROWS_TWIDDLES] =
        (struct fh_ntt_table){"rows_twiddles", twiddle_words(s->job) * FH_FRAGMENT_WORDS};
    tables[FH_RADIX16_SPLIT_CONSTANT] =
        (struct fh_ntt_table){"split_constant", s->split ? FH_FRAGMENT_WORDS : 0};
    size_t matrices = 0, constants = s->cols > 0;
    if (s->cols > 4) {
        matrices = s->prefixes << (s->cols - 4);
        constants = s->prefixes;
    }
    tables[FH_RADIX16_COLS_MATRICES] =
        (struct fh_ntt_table){"cols_matrices", matrices * FH_FRAGMENT_WORDS};
    tables[FH_RADIX16_COLS_CONSTANT] =
        (struct fh_ntt_table){"cols_constant", constants * FH_FRAGMENT_WORDS};
}

static void fill(const void *radix16, const struct fh_roots *roots,
                 uint32_t *const table[FH_NTT_TABLES]) {
    const struct fh_radix16 *s = radix16;
    uint32_t *matrices = table[FH_RADIX16_COLS_MATRICES];
    uint32_t *constant = table[FH_RADIX16_COLS_CONSTANT];
    fill_rows(s, roots, table[ROWS_FIRST], table[ROWS_SECOND]);
    fill_rows_twiddles(s, roots, table[ROWS_TWIDDLES]);
    if (s->split)
        fill_one_stage(s, roots, 1, table[FH_RADIX16_SPLIT_CONSTANT]);
    if (s->cols > 4)
        (s->inverse ? fill_cols_inverse : fill_cols_forward)(s, roots, matrices, constant);
    else if (s->cols > 0)
        fill_one_stage(s, roots, s->cols, constant);
}

/* The kernels' grids; the .sass file has the same formulas. */
static void set_launches(const struct fh_radix16 *s, struct fh_radix16_map *map) {
    size_t count = s->blocks; /* a warp tile has 256 elements */
    size_t few = count >= 64 ? 4 : 1, many = count >= 128 ? 8 : count < 4 ? count : 4;
    const size_t tiles[] = {few, few, many};
    for (unsigned kernel = 0; kernel < FH_RADIX16_KERNELS; kernel++) {
        size_t warps = count / tiles[kernel] < 4 ? count / tiles[kernel] : 4;
        map->launches[kernel].warps = warps;
        map->launches[kernel].blocks = count / tiles[kernel] / warps;
    }
    if (s->cols > 4) {
        size_t R = (size_t)1 << (s->cols - 4);
        map->launches[FH_RADIX16_COLS].warps = R < 4 ? 1 : R / 4;
        map->launches[FH_RADIX16_COLS].blocks = 8 * s->prefixes;
    }
}

fhec_status fh_ntt_fhec16(struct fh_plan *plan, const struct fh_ntt_job *job) {
    const struct fh_radix16 s = fh_radix16_of(job);
    struct fh_radix16_map map = {
        .source = "ntt_fhec16.sass",
        .defines = {{"GME", job->gme}, {"LOOSE", job->loose}},
        .fill = fill,
    };
    set_words(&s, map.tables);
    set_launches(&s, &map);
    return fh_radix16_plan(plan, &s, &map);
}
