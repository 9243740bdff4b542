/*
 * ntt_fhec256.c - tables and launches of ntt_fhec256.sass, where the mathematics and the layouts
 * are explained.
 */
#include "fragment.h"
#include "ntt_fourstep.h"
#include "ntt_methods.h"

/* The first product's A: W1, whose k is j, or W3'^T, whose k is k1 with four neighbours in the four
 * registers of a lane's B. */
static void fill_first(const struct fh_fourstep *f, const struct fh_roots *roots, uint32_t *words) {
    size_t size = f->inverse ? f->n1 : f->n2;
    for (size_t tile = 0; tile < size / 16; tile++)
        for (size_t step = 0; step < size / 16; step++)
            for (unsigned w = 0; w < FH_FRAGMENT_WORDS; w++) {
                fhec_element a = fh_fragment_element(FH_FRAGMENT_A, w);
                size_t row = 16 * tile + a.row, k = 16 * step;
                *words++ = f->inverse ? fh_fourstep_w3(f, roots, row,
                                                       k + 4 * (a.column & 3) + (a.column >> 2))
                                      : fh_fourstep_w1(f, roots, row, k + a.column);
            }
}

/* D[2b+p] of each 16 x 8 tile of the first product, in Montgomery form. */
static void fill_twiddles(const struct fh_fourstep *f, const struct fh_roots *roots,
                          uint32_t *words) {
    size_t rows = f->inverse ? f->n1 : f->n2, columns = f->inverse ? f->n2 : f->n1;
    for (size_t tile = 0; tile < rows / 16; tile++)
        for (size_t group = 0; group < columns / 8; group++)
            for (unsigned w = 0; w < FH_FRAGMENT_WORDS / 2; w++) {
                fhec_element d = fh_fragment_element(FH_FRAGMENT_D, w);
                size_t row = 16 * tile + d.row, column = 8 * group + d.column;
                uint32_t twiddle = f->inverse ? fh_fourstep_w2(f, roots, column, row)
                                              : fh_fourstep_w2(f, roots, row, column);
                *words++ = fh_times(twiddle, &roots->montgomery);
            }
}

/* The second product's constant: W3 as B, or W1' as A. */
static void fill_second(const struct fh_fourstep *f, const struct fh_roots *roots,
                        uint32_t *words) {
    size_t size = f->inverse ? f->n2 : f->n1, tiles = f->inverse ? size / 16 : size / 8;
    unsigned tile_words = f->inverse ? FH_FRAGMENT_WORDS : FH_FRAGMENT_WORDS / 2;
    for (size_t tile = 0; tile < tiles; tile++)
        for (size_t step = 0; step < size / 16; step++)
            for (unsigned w = 0; w < tile_words; w++) {
                fhec_element a = fh_fragment_element(FH_FRAGMENT_A, w);
                fhec_element b = fh_fragment_element(FH_FRAGMENT_B, w);
                *words++ = f->inverse ? fh_fourstep_w1(f, roots, 16 * step + fh_spread(a.column),
                                                       16 * tile + a.row)
                                      : fh_fourstep_w3(f, roots, 16 * step + fh_spread(b.row),
                                                       8 * tile + b.column);
            }
}

/* This map: what is shared, and the matrix that it fills tables for. */
struct fhec256 {
    struct fh_fourstep_map map;
    struct fh_fourstep fourstep;
};

static void fill(const void *method, const struct fh_roots *roots,
                 uint32_t *const table[FH_NTT_TABLES]) {
    const struct fh_fourstep *f = &((const struct fhec256 *)method)->fourstep;
    fill_first(f, roots, table[FH_FOURSTEP_FIRST]);
    fill_twiddles(f, roots, table[FH_FOURSTEP_TWIDDLES]);
    fill_second(f, roots, table[FH_FOURSTEP_SECOND]);
}

static size_t at_most(size_t value, size_t most) {
    return value < most ? value : most;
}

/* A warp's tile is 16 tm x 8 tn, tm and tn up to 4; up to four warps a block share the rows of the
 * first product and the columns of the second. The .sass file has the same formulas. */
static struct fh_fourstep_launch first_launch(const struct fh_fourstep *f) {
    size_t rows = (f->inverse ? f->n1 : f->n2) / 16, columns = (f->inverse ? f->n2 : f->n1) / 8;
    size_t row_tiles = rows / at_most(rows, 4), warps = at_most(row_tiles, 4);
    return (struct fh_fourstep_launch){columns / at_most(columns, 4), row_tiles / warps, warps};
}

static struct fh_fourstep_launch second_launch(const struct fh_fourstep *f) {
    size_t rows = f->n2 / 16, columns = f->n1 / 8;
    size_t groups = columns / at_most(columns, 4), warps = at_most(groups, 4);
    return (struct fh_fourstep_launch){groups / warps, rows / at_most(rows, 4), warps};
}

fhec_status fh_ntt_fhec256(struct fh_plan *plan, const struct fh_ntt_job *job) {
    struct fh_fourstep f = fh_fourstep_of(job);
    size_t by_n1 = f.n1 * f.n1, by_n2 = f.n2 * f.n2;
    const struct fhec256 map = {
        .map = {.source = "ntt_fhec256.sass",
                .words = {[FH_FOURSTEP_FIRST] = f.inverse ? by_n1 : by_n2,
                          [FH_FOURSTEP_TWIDDLES] = job->n,
                          [FH_FOURSTEP_SECOND] = f.inverse ? by_n2 : by_n1},
                .first = first_launch(&f),
                .second = second_launch(&f),
                .fill = fill},
        .fourstep = f,
    };
    return fh_fourstep_plan(plan, &f, &map.map);
}
