/*
 * ckks_linear.c - products of ciphertexts with matrices, above all with merged stages of the
 * decoder's Fourier transform: their diagonals, the polynomials of those, and the steps of a
 * product (ckks_circuit.h).
 */
#include "ckks_circuit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ckks_circuit_internal.h"
#include "ckks_internal.h"
#include "wide_rest.h"

/* ---------------------------------------------------------------------------------- diagonals */

static size_t baby_for(size_t count) {
    size_t baby = 1;
    while (baby * baby < count) {
        baby *= 2;
    }
    return baby;
}

fh_golden_status fh_golden_ckks_map_shape(unsigned log2_slots, bool inverse, unsigned low,
                                          unsigned high, long double factor,
                                          fh_golden_ckks_map *map) {
    if (low < 1 || low > high || high > log2_slots || log2_slots > 23 || !isfinite(factor)) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    /* Stage s reaches len / 2 = 2^(s-1) slots to either side, so all of them together
     * (2^g - 1) strides; with blocks of all slots both sides are the same modulo n. */
    size_t reach = ((size_t)1 << (high - low + 1)) - 1;
    bool wraps = high == log2_slots;
    *map = (fh_golden_ckks_map){
        .log2_slots = log2_slots,
        .inverse = inverse,
        .low = low,
        .high = high,
        .factor = factor,
        .stride = (size_t)1 << (low - 1),
        .first = wraps ? 0 : -(ptrdiff_t)reach,
        .count = wraps ? reach + 1 : 2 * reach + 1,
    };
    map->baby = baby_for(map->count);
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_ckks_map_given(unsigned log2_slots, size_t stride, ptrdiff_t first,
                                          size_t count, const fh_golden_complex *diagonals,
                                          fh_golden_ckks_map *map) {
    size_t n = log2_slots >= 1 && log2_slots <= 23 ? (size_t)1 << log2_slots : 0;
    size_t lowest = first < 0 ? 0 - (size_t)first : (size_t)first;
    if (count < 1 || stride < 1 || stride > n || count > n / stride || lowest > n) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    *map = (fh_golden_ckks_map){.log2_slots = log2_slots,
                                .factor = 1,
                                .stride = stride,
                                .first = first,
                                .count = count,
                                .baby = baby_for(count),
                                .given = diagonals};
    return FH_GOLDEN_OK;
}

ptrdiff_t fh_golden_ckks_map_giant(const fh_golden_ckks_map *map, size_t index) {
    ptrdiff_t baby = (ptrdiff_t)map->baby;
    ptrdiff_t k = map->first + (ptrdiff_t)index;
    return k >= 0 ? k / baby : -((baby - 1 - k) / baby);
}

/* Row `row` of stage s, or of its inverse: entry `own` in column row, entry `other` in the column
 * of the row's partner, at row + *step. */
static void stage_row(const fh_golden_ckks_map *map, unsigned s, size_t row,
                      fh_golden_wide_complex *own, fh_golden_wide_complex *other, ptrdiff_t *step) {
    size_t half = (size_t)1 << (s - 1);
    bool upper = (row & half) != 0; /* the row of x */
    uint64_t order = (uint64_t)8 * half;
    long double angle = 2 * (4 * atanl(1.0L)) *
                        (long double)fh_golden_powmod(5, row & (half - 1), order) /
                        (long double)order;
    fh_golden_wide_complex w = {cosl(angle), sinl(angle)};
    fh_golden_wide_complex one = {1, 0};
    *step = upper ? -(ptrdiff_t)half : (ptrdiff_t)half;
    if (!map->inverse) {
        *own = upper ? (fh_golden_wide_complex){-w.re, -w.im} : one;
        *other = upper ? one : w;
        return;
    }
    *own =
        upper ? (fh_golden_wide_complex){-w.re / 2, w.im / 2} : (fh_golden_wide_complex){0.5L, 0};
    *other =
        upper ? (fh_golden_wide_complex){w.re / 2, -w.im / 2} : (fh_golden_wide_complex){0.5L, 0};
}

/* Index of the diagonal k; count when the map has none. */
static size_t diagonal_index(const fh_golden_ckks_map *map, ptrdiff_t k) {
    ptrdiff_t index = k - map->first;
    if (map->high == map->log2_slots) {
        index &= (ptrdiff_t)map->count - 1; /* modulo n / stride = count, a power of two */
    }
    return index >= 0 && index < (ptrdiff_t)map->count ? (size_t)index : map->count;
}

/* to[p] += factor * from. */
static void accumulate(fh_golden_wide_complex factor, fh_golden_wide_complex from,
                       fh_golden_wide_complex *to) {
    fh_golden_wide_complex product = wide_multiply(factor, from);
    to->re += product.re;
    to->im += product.im;
}

/* next = stage s times now, both by diagonals: row p of the product is the stage's entry at p times
 * row p of now plus its entry at p + step times row p + step, whose column p + k stride is that
 * row's diagonal k - step / stride. */
static void apply_stage(const fh_golden_ckks_map *map, unsigned s,
                        const fh_golden_wide_complex *now, fh_golden_wide_complex *next) {
    size_t n = (size_t)1 << map->log2_slots;
    memset(next, 0, map->count * n * sizeof *next);
    for (size_t p = 0; p < n; p++) {
        fh_golden_wide_complex own;
        fh_golden_wide_complex other;
        ptrdiff_t step;
        stage_row(map, s, p, &own, &other, &step);
        size_t partner = (size_t)((ptrdiff_t)p + step); /* in the same block */
        for (size_t index = 0; index < map->count; index++) {
            ptrdiff_t k = map->first + (ptrdiff_t)index;
            accumulate(own, now[index * n + p], &next[index * n + p]);
            size_t source = diagonal_index(map, k - step / (ptrdiff_t)map->stride);
            if (source < map->count) {
                accumulate(other, now[source * n + partner], &next[index * n + p]);
            }
        }
    }
}

fh_golden_status fh_golden_ckks_map_diagonals(const fh_golden_ckks_map *map,
                                              fh_golden_wide_complex *diagonals) {
    size_t n = (size_t)1 << map->log2_slots;
    for (size_t i = 0; map->given != NULL && i < map->count * n; i++) {
        diagonals[i] = (fh_golden_wide_complex){map->given[i].re, map->given[i].im};
    }
    if (map->given != NULL) {
        return FH_GOLDEN_OK;
    }
    fh_golden_wide_complex *now = calloc(map->count * n, sizeof *now);
    if (now == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    size_t main = diagonal_index(map, 0);
    for (size_t p = 0; p < n; p++) {
        now[main * n + p] = (fh_golden_wide_complex){map->factor, 0};
    }
    for (unsigned done = 0; done <= map->high - map->low; done++) {
        apply_stage(map, map->inverse ? map->high - done : map->low + done, now, diagonals);
        memcpy(now, diagonals, map->count * n * sizeof *now);
    }
    free(now);
    return FH_GOLDEN_OK;
}

/* --------------------------------------------------------------------------------- polynomials */

struct fh_golden_ckks_encoder {
    fh_golden_embedding embedding;
    fh_golden_ckks_map map; /* whose diagonals these are; count 0 at first */
    fh_golden_wide_complex *diagonals;
};

fh_golden_status fh_golden_ckks_encoder_create(fh_golden_ckks_encoder **encoder, size_t n) {
    *encoder = NULL;
    unsigned log2_n;
    fh_golden_status status = fh_golden_log2(n, &log2_n);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    fh_golden_ckks_encoder *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    status = fh_golden_embedding_make(n, &made->embedding);
    if (status != FH_GOLDEN_OK) {
        free(made);
        return status;
    }
    *encoder = made;
    return FH_GOLDEN_OK;
}

void fh_golden_ckks_encoder_free(fh_golden_ckks_encoder *encoder) {
    if (encoder != NULL) {
        fh_golden_embedding_free(&encoder->embedding);
        free(encoder->diagonals);
        free(encoder);
    }
}

/* Whether two maps have the same diagonals; how they are encoded does not matter. */
static bool same_matrix(const fh_golden_ckks_map *a, const fh_golden_ckks_map *b) {
    return a->count == b->count && a->log2_slots == b->log2_slots && a->inverse == b->inverse &&
           a->low == b->low && a->high == b->high && a->factor == b->factor && a->given == b->given;
}

/* The diagonals of this map in encoder->diagonals. */
static fh_golden_status change_map(fh_golden_ckks_encoder *encoder, const fh_golden_ckks_map *map) {
    if (same_matrix(&encoder->map, map)) {
        return FH_GOLDEN_OK;
    }
    free(encoder->diagonals);
    encoder->map.count = 0;
    encoder->diagonals = malloc((map->count << map->log2_slots) * sizeof encoder->diagonals[0]);
    if (encoder->diagonals == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    fh_golden_status status = fh_golden_ckks_map_diagonals(map, encoder->diagonals);
    if (status == FH_GOLDEN_OK) {
        encoder->map = *map;
    }
    return status;
}

/* coefficients[N] = the polynomial with the slots in e, rounded to nearest. */
static fh_golden_status round_slots(fh_golden_embedding *e, fh_golden_i128 *coefficients) {
    fh_golden_embedding_to_coefficients(e);
    for (size_t k = 0; k < e->n; k++) {
        long double rounded = roundl(e->values[k].re);
        if (!(fabsl(rounded) < 0x1p120L)) { /* NaN included */
            return FH_GOLDEN_ERR_SCALE;
        }
        coefficients[k] = (fh_golden_i128)rounded;
    }
    return FH_GOLDEN_OK;
}

fh_golden_status fh_golden_ckks_encode_diagonal(fh_golden_ckks_encoder *encoder,
                                                const fh_golden_ckks_map *map, size_t index,
                                                fh_golden_i128 *coefficients) {
    fh_golden_embedding *e = &encoder->embedding;
    size_t n = (size_t)1 << map->log2_slots;
    if (index >= map->count || 2 * n != e->n) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    fh_golden_status status = change_map(encoder, map);
    if (status != FH_GOLDEN_OK) {
        return status;
    }
    size_t turn = (size_t)fh_golden_ckks_map_giant(map, index) * map->baby * map->stride;
    for (size_t p = 0; p < n; p++) { /* sizes wrap modulo 2^64, of which n is a divisor */
        fh_golden_wide_complex entry = encoder->diagonals[index * n + ((p - turn) & (n - 1))];
        e->slots[p] =
            (fh_golden_wide_complex){entry.re * map->plain_scale, entry.im * map->plain_scale};
    }
    return round_slots(e, coefficients);
}

fh_golden_status fh_golden_ckks_encode_step(fh_golden_ckks_encoder *encoder,
                                            const fh_golden_ckks_circuit *circuit, size_t index,
                                            fh_golden_i128 *coefficients) {
    if (index >= circuit->step_count || encoder->embedding.n != (size_t)1 << circuit->log2_n) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    const fh_golden_ckks_step *step = &circuit->steps[index];
    if (step->kind == FH_GOLDEN_CKKS_PTMULT && step->map != FH_GOLDEN_CKKS_NONE) {
        return fh_golden_ckks_encode_diagonal(encoder, &circuit->maps[step->map], step->diagonal,
                                              coefficients);
    }
    if (step->vector == FH_GOLDEN_CKKS_NONE) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    fh_golden_embedding *e = &encoder->embedding;
    const fh_golden_complex *slots = circuit->vectors[step->vector];
    for (size_t p = 0; p < e->n / 2; p++) {
        e->slots[p] = (fh_golden_wide_complex){slots[p].re * step->plain_scale,
                                               slots[p].im * step->plain_scale};
    }
    return round_slots(e, coefficients);
}

typedef struct plain_job {
    const fh_golden_ckks *ckks;
    const fh_golden_i128 *coefficients;
    uint64_t *plain;
} plain_job;

static void plain_limb(void *context, size_t j) {
    const plain_job *job = context;
    size_t n = job->ckks->n;
    uint64_t q = job->ckks->moduli[j]; /* below 2^61 */
    uint64_t *limb = job->plain + j * n;
    const fh_golden_divisor divisor = fh_golden_divisor_of(q);
    for (size_t k = 0; k < n; k++) {
        /* The magnitude of the smallest number, too: modulo 2^128 it is its own negative. */
        fh_golden_i128 c = job->coefficients[k];
        uint64_t rest =
            fh_golden_rest_by(c < 0 ? 0 - (fh_golden_u128)c : (fh_golden_u128)c, &divisor);
        limb[k] = c < 0 && rest != 0 ? q - rest : rest;
    }
    to_evaluations(job->ckks, j, limb, limb);
}

fh_golden_status fh_golden_ckks_plain(const fh_golden_ckks *ckks, size_t level,
                                      const fh_golden_i128 *coefficients, uint64_t *plain) {
    fh_golden_status status = check_level(ckks, level);
    if (status == FH_GOLDEN_OK) {
        plain_job job = {ckks, coefficients, plain};
        for_each_limb(ckks, level, plain_limb, &job);
    }
    return status;
}

/* --------------------------------------------------------------------------------------- steps */

/* The map in the circuit, for an operand of this scale; its index. */
static size_t add_map(fh_golden_ckks_circuit *circuit, const fh_golden_ckks_map *map, size_t level,
                      long double scale) {
    fh_golden_ckks_map *maps =
        realloc(circuit->maps, (circuit->map_count + 1) * sizeof *circuit->maps);
    if (maps == NULL) {
        circuit->status = FH_GOLDEN_ERR_NO_MEMORY;
        return 0;
    }
    circuit->maps = maps;
    maps[circuit->map_count] = *map;
    maps[circuit->map_count].level = level;
    maps[circuit->map_count].plain_scale =
        circuit->delta * fh_golden_ckks_dropped(circuit, level - circuit->per_level) / scale;
    return circuit->map_count++;
}

/* turned[b] = a rotated by b strides, for each baby step b. */
static void baby_steps(fh_golden_ckks_circuit *circuit, size_t a, const fh_golden_ckks_map *map,
                       size_t *turned) {
    size_t raised = FH_GOLDEN_CKKS_NONE;
    for (size_t b = 0; b < map->baby && b < map->count; b++) {
        turned[b] = fh_golden_ckks_rotation(circuit, a, (ptrdiff_t)(b * map->stride), &raised);
    }
}

static size_t product(fh_golden_ckks_circuit *circuit, size_t a, size_t map, size_t diagonal) {
    const fh_golden_ckks_map *of = &circuit->maps[map];
    fh_golden_ckks_step step =
        fh_golden_ckks_unary_step(circuit, FH_GOLDEN_CKKS_PTMULT, of->level, a);
    step.map = map;
    step.diagonal = diagonal;
    step.scale *= of->plain_scale;
    return fh_golden_ckks_circuit_append(circuit, step);
}

/* The products of one giant step and their sum, rotated; *index: its first diagonal, then the next
 * one's. */
static size_t giant_step(fh_golden_ckks_circuit *circuit, size_t map, const size_t *turned,
                         size_t *index) {
    const fh_golden_ckks_map of = circuit->maps[map];
    ptrdiff_t giant = fh_golden_ckks_map_giant(&of, *index);
    size_t sum = FH_GOLDEN_CKKS_NONE;
    for (; *index < of.count && fh_golden_ckks_map_giant(&of, *index) == giant; (*index)++) {
        ptrdiff_t baby = of.first + (ptrdiff_t)*index - giant * (ptrdiff_t)of.baby;
        size_t term = product(circuit, turned[baby], map, *index);
        sum = sum == FH_GOLDEN_CKKS_NONE ? term
                                         : fh_golden_ckks_circuit_add(circuit, of.level, sum, term);
    }
    ptrdiff_t slots = giant * (ptrdiff_t)(of.baby * of.stride);
    return slots == 0 ? sum : fh_golden_ckks_circuit_rotate(circuit, sum, slots);
}

size_t fh_golden_ckks_circuit_linear(fh_golden_ckks_circuit *circuit, size_t a,
                                     const fh_golden_ckks_map *map) {
    if (circuit->status == FH_GOLDEN_OK &&
        (a > circuit->step_count || map->log2_slots + 1 != circuit->log2_n)) {
        circuit->status = FH_GOLDEN_ERR_ARGUMENT;
    }
    if (circuit->status != FH_GOLDEN_OK) {
        return 0;
    }
    size_t level = fh_golden_ckks_circuit_level(circuit, a);
    size_t *turned = calloc(map->baby, sizeof *turned);
    if (level <= circuit->per_level || turned == NULL) {
        circuit->status = turned == NULL ? FH_GOLDEN_ERR_NO_MEMORY : FH_GOLDEN_ERR_LEVEL;
        free(turned);
        return 0;
    }
    size_t index_of_map = add_map(circuit, map, level, fh_golden_ckks_circuit_scale(circuit, a));
    baby_steps(circuit, a, map, turned);
    size_t sum = FH_GOLDEN_CKKS_NONE;
    for (size_t index = 0; index < map->count && circuit->status == FH_GOLDEN_OK;) {
        size_t part = giant_step(circuit, index_of_map, turned, &index);
        sum = sum == FH_GOLDEN_CKKS_NONE ? part
                                         : fh_golden_ckks_circuit_add(circuit, level, sum, part);
    }
    free(turned);
    return fh_golden_ckks_circuit_rescale(circuit, sum);
}
