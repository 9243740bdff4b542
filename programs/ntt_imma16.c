/*
 * ntt_imma16.c - tables and grids of ntt_imma16.sass, where the mathematics and the layouts are
 * explained. Equation numbers are that file's.
 */
#include "imma.h"
#include "ntt_methods.h"
#include "ntt_radix16.h"

enum { ROWS_MATRICES = FH_RADIX16_ROWS_TABLES, ROWS_TWIDDLES, ROWS_CONSTANT };

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

/* ---------------------------------------------------------------- the map */

static void set_words(const struct fh_radix16 *s, struct fh_ntt_table tables[FH_RADIX16_TABLES]) {
    tables[ROWS_MATRICES] = (struct fh_ntt_table){"rows_matrices", s->blocks * FH_IMMA_WORDS};
    tables[ROWS_TWIDDLES] = (struct fh_ntt_table){"rows_twiddles", 2 * s->n};
    tables[ROWS_CONSTANT] = (struct fh_ntt_table){"rows_constant", FH_IMMA_WORDS};
    tables[FH_RADIX16_SPLIT_CONSTANT] =
        (struct fh_ntt_table){"split_constant", s->split ? stage_words(1) : 0};
    size_t matrices = 0, constant = 0;
    if (s->cols > 4) {
        matrices = (s->prefixes << (s->cols - 4)) * stage_words(s->cols - 4);
        constant = s->prefixes * FH_IMMA_WORDS;
    } else if (s->cols > 0) {
        constant = stage_words(s->cols);
    }
    tables[FH_RADIX16_COLS_MATRICES] = (struct fh_ntt_table){"cols_matrices", matrices};
    tables[FH_RADIX16_COLS_CONSTANT] = (struct fh_ntt_table){"cols_constant", constant};
}

static void fill(const void *radix16, const struct fh_roots *roots,
                 uint32_t *const table[FH_NTT_TABLES]) {
    const struct fh_radix16 *s = radix16;
    fill_rows(s, roots, table[ROWS_MATRICES], table[ROWS_TWIDDLES], table[ROWS_CONSTANT]);
    if (s->split)
        fill_one_stage(s, roots, 1, table[FH_RADIX16_SPLIT_CONSTANT]);
    if (s->cols > 4)
        fill_two_stages(s, roots, table[FH_RADIX16_COLS_MATRICES], table[FH_RADIX16_COLS_CONSTANT]);
    else if (s->cols > 0)
        fill_one_stage(s, roots, s->cols, table[FH_RADIX16_COLS_CONSTANT]);
}

static size_t at_most(size_t value, size_t most) {
    return value < most ? value : most;
}

/* The kernels' grids; the .sass file has the same formulas. */
static void set_launches(const struct fh_radix16 *s, struct fh_radix16_map *map) {
    /* Tiles of a limb, pairs of products or whole blocks, and those of a warp. */
    const size_t tiles[] = {s->n / 512, s->n / 512, s->blocks};
    for (unsigned kernel = 0; kernel < FH_RADIX16_KERNELS; kernel++) {
        size_t each = at_most(tiles[kernel], kernel == FH_RADIX16_ROWS ? 8 : 4);
        if (!each)
            continue; /* too small for this kernel, which is not used */
        size_t warps = at_most(tiles[kernel] / each, 4);
        map->launches[kernel].warps = warps;
        map->launches[kernel].blocks = tiles[kernel] / each / warps;
    }
    if (s->cols > 4) {
        size_t R = (size_t)1 << (s->cols - 4);
        map->launches[FH_RADIX16_COLS].warps = R < 8 ? 1 : R / 4;
        map->launches[FH_RADIX16_COLS].blocks = 8 * s->prefixes;
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
    const struct fh_radix16 s = fh_radix16_of(job);
    struct fh_radix16_map map = {
        .source = "ntt_imma16.sass",
        .defines = {{"TIGHT_MODULI", is_tight(job)}, {"GME", false}},
        .fill = fill,
    };
    set_words(&s, map.tables);
    set_launches(&s, &map);
    return fh_radix16_plan(plan, &s, &map);
}
