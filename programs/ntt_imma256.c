/*
 * ntt_imma256.c - tables and steps of ntt_imma256.sass, where the mathematics and the layouts are
 * explained.
 */
#include "imma.h"
#include "ntt_fourstep.h"
#include "ntt_methods.h"

/* A product: D[width][out] of depth summands. */
struct product {
    size_t width, depth, out;
    size_t tiles;    /* of 16 of the width that a warp takes */
    bool along;      /* columns of D in the order of rows of the result */
    bool transposed; /* data as B: ntt_first of an inverse in bit-reversed order */
};

/* This map: what is shared, the limb as a matrix, its two products. */
struct imma256 {
    struct fh_fourstep_map map;
    struct fh_fourstep fourstep;
    struct product first, second;
};

static size_t at_most(size_t value, size_t most) {
    return value < most ? value : most;
}

static struct product product_of(size_t width, size_t depth, size_t out, bool along) {
    return (struct product){width, depth, out, at_most(width / 16, 4), along, false};
}

static void find_products(struct imma256 *m) {
    const struct fh_fourstep *f = &m->fourstep;
    if (f->inverse) {
        m->first = product_of(f->n2, f->n1, f->n1, false);
        m->first.transposed = !f->natural;
        m->second = product_of(f->n1, f->n2, f->n2, true);
    } else {
        m->first = product_of(f->n1, f->n2, f->n2, false);
        m->second = product_of(f->n2, f->n1, f->n1, f->natural);
    }
}

/* ---------------------------------------------------------------- constants */

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
static void fill_constant(const struct imma256 *m, const struct fh_roots *roots, bool second,
                          uint32_t *words) {
    const struct product *p = second ? &m->second : &m->first;
    for (size_t part = 0; part < p->out / 16; part++)
        for (size_t step = 0; step < p->depth / 16; step++) {
            struct fh_imma_matrix matrix;
            for (unsigned outer = 0; outer < 16; outer++)
                for (unsigned inner = 0; inner < 16; inner++) {
                    size_t to = 16 * part + output_of(p, outer);
                    size_t from = 16 * step + summand_of(p, inner);
                    uint32_t w =
                        m->fourstep.inverse == second
                            ? fh_fourstep_w1(&m->fourstep, roots, m->fourstep.inverse ? from : to,
                                             m->fourstep.inverse ? to : from)
                            : fh_fourstep_w3(&m->fourstep, roots, m->fourstep.inverse ? to : from,
                                             m->fourstep.inverse ? from : to);
                    matrix.element[outer][inner] = second ? fh_times(w, &roots->montgomery) : w;
                }
            fh_imma_operand(&matrix, roots->q, false, words);
            words += FH_IMMA_WORDS;
        }
}

/* ---------------------------------------------------------------- twiddles */

/* Four words for one element: w 2^(32 + 8 i). */
static uint32_t *add_twiddle(const struct imma256 *m, const struct fh_roots *roots,
                             const struct fh_factor *byte, size_t k2, size_t i, uint32_t *words) {
    uint32_t value = fh_times(fh_fourstep_w2(&m->fourstep, roots, k2, i), &roots->montgomery);
    for (unsigned c = 0; c < 4; c++) {
        *words++ = value;
        value = fh_times(value, byte);
    }
    return words;
}

/* For every group of the width, part of the output, tile, half, v and lane. The data's columns are
 * i (forward) or k2, the output is the other. */
static void fill_twiddles(const struct imma256 *m, const struct fh_roots *roots, uint32_t *words) {
    const struct product *p = &m->first;
    struct fh_factor byte = fh_factor(1 << 8, roots->q);
    for (size_t group = 0; group < p->width / 16 / p->tiles; group++)
        for (size_t part = 0; part < p->out / 16; part++)
            for (unsigned w = 0; w < p->tiles * 256; w++) {
                unsigned g = w >> 2 & 7, t = w & 3, v = w >> 5 & 3, h = w >> 7 & 1, tile = w >> 8;
                /* A lane has four neighbours of 32, or with one tile two of 16. */
                size_t column = p->tiles == 1 ? 2 * g : 4 * g + 2 * (tile & 1) + 32 * (tile >> 1);
                column += 16 * p->tiles * group + (v >> 1);
                size_t to = 16 * part + output_of(p, 2 * t + (v & 1) + 8 * h);
                words = add_twiddle(m, roots, &byte, m->fourstep.inverse ? column : to,
                                    m->fourstep.inverse ? to : column, words);
            }
}

/* The same for data as B: groups, parts, tiles of eight k2, v and lane. */
static void fill_twiddles_transposed(const struct imma256 *m, const struct fh_roots *roots,
                                     uint32_t *words) {
    const struct product *p = &m->first;
    struct fh_factor byte = fh_factor(1 << 8, roots->q);
    for (size_t group = 0; group < p->width / 16 / p->tiles; group++)
        for (size_t part = 0; part < p->out / 16; part++)
            for (unsigned w = 0; w < p->tiles * 256; w++) {
                unsigned g = w >> 2 & 7, t = w & 3, v = w >> 5 & 3, tile = w >> 7;
                size_t k2 = 16 * p->tiles * group + 8 * tile + 2 * t + (v & 1);
                size_t i = 16 * part + output_of(p, g + 8 * (v >> 1));
                words = add_twiddle(m, roots, &byte, k2, i, words);
            }
}

/* ---------------------------------------------------------------- the map */

static void fill(const void *method, const struct fh_roots *roots,
                 uint32_t *const table[FH_NTT_TABLES]) {
    const struct imma256 *m = method;
    fill_constant(m, roots, false, table[FH_FOURSTEP_FIRST]);
    fill_constant(m, roots, true, table[FH_FOURSTEP_SECOND]);
    (m->first.transposed ? fill_twiddles_transposed : fill_twiddles)(m, roots,
                                                                     table[FH_FOURSTEP_TWIDDLES]);
}

/* A warp takes 16 of the output, up to four warps make a block; the .sass file has the same
 * formulas. */
static struct fh_fourstep_launch launch_of(const struct product *p) {
    size_t parts = p->out / 16, warps = at_most(parts, 4);
    return (struct fh_fourstep_launch){p->width / 16 / p->tiles, parts / warps, warps};
}

fhec_status fh_ntt_imma256(struct fh_plan *plan, const struct fh_ntt_job *job) {
    struct imma256 m = {.fourstep = fh_fourstep_of(job)};
    find_products(&m);
    m.map = (struct fh_fourstep_map){
        .source = "ntt_imma256.sass",
        .words = {[FH_FOURSTEP_FIRST] = 4 * m.first.depth * m.first.out,
                  [FH_FOURSTEP_TWIDDLES] = 4 * job->n,
                  [FH_FOURSTEP_SECOND] = 4 * m.second.depth * m.second.out},
        .first = launch_of(&m.first),
        .second = launch_of(&m.second),
        .fill = fill,
    };
    return fh_fourstep_plan(plan, &m.fourstep, &m.map);
}
