/*
 * fhec_tile.h - what the tests of FHEC and FHEC.MIX share: one instruction's matrices and moduli,
 * hostile ones among them, in a warp's registers, and the comparison with golden.
 */
#ifndef FH_TESTS_FHEC_TILE_H
#define FH_TESTS_FHEC_TILE_H

#include "matrix_util.h"

enum { ROWS = 16, COLUMNS = 8, DEPTH = 16 };

/* Plain matrices and descriptors of one instruction. */
struct tile {
    uint32_t a[ROWS][DEPTH], b[DEPTH][COLUMNS], c[ROWS][COLUMNS], want[ROWS][COLUMNS];
    fh_golden_modulus modulus[COLUMNS]; /* uniform: the first */
};

/* First registers of the operands. */
struct places {
    uint16_t d, a, b, c, m;
};

static const struct places apart = {.d = 40, .a = 4, .b = 16, .c = 24, .m = 32};

/* ---------------------------------------------------------------- operands */

static const uint32_t special_q[] = {
    2,           3,           4,          5,           7,           12,          17,
    255,         256,         257,        65535,       65536,       65537,       65538,
    131071,      131072,      131073,     262139,      262143,      262144,      262145,
    262147,      262148,      524287,     1048575,     1048576,     1048577,     8380417,
    268042241,   268369921,   268435455,  268435456,   268435457,   536870909,   536870912,
    536903681,   537133057,   1000000000, 1071513601,  1073479681,  1073692673,  1073741789,
    1073741823,  1073741824,  1073741825, 1073741827,  2013265921,  2147352577,  2147483646,
    2147483647,  2147483648U, 2147483649, 2147483659,  3221225473U, 4000000006U, 4293918721U,
    4294828033U, 4294967291U, 4294967294, 4294967295U,
};

static inline uint32_t random_q(struct random *r) {
    if (below(r, 3))
        return special_q[below(r, COUNT_OF(special_q))];
    uint32_t q = random32(r) >> below(r, 31);
    return q < 2 ? 2 : q;
}

/* A mu for which mu q is right modulo 2^64, in (-q, 0), but not by itself. */
static inline uint64_t right_in_the_low_half(struct random *r, uint32_t q) {
    if (q % 2 == 0)
        return fh_golden_barrett_mu(q) ^ UINT64_C(1) << 63;
    uint64_t inverse = q; /* right in 3 bits, and each step doubles that */
    for (int i = 0; i < 5; i++)
        inverse *= 2 - inverse * q;
    return inverse * (0 - (uint64_t)(1 + below(r, q - 1)));
}

/* mostly right; else 0, off by one, random, all ones; sometimes a modulus that is none, of which 0
 * ends the launch */
static inline fh_golden_modulus random_modulus(struct random *r, uint32_t wrong_in) {
    fh_golden_modulus modulus = {random_q(r), 0};
    modulus.mu = fh_golden_barrett_mu(modulus.q);
    if (wrong_in == 0 || below(r, wrong_in))
        return modulus;
    switch (below(r, 10)) {
    case 0: modulus.mu = 0; break;
    case 1: modulus.mu++; break;
    case 2: modulus.mu--; break;
    case 3: modulus.mu = random64(r); break;
    case 4: modulus.mu = UINT64_MAX; break;
    case 5: modulus.mu ^= UINT64_C(1) << below(r, 64); break;
    case 6: modulus.mu = fh_golden_barrett_mu(random_q(r)); break;
    case 7: modulus.mu = right_in_the_low_half(r, modulus.q); break;
    case 8: modulus = (fh_golden_modulus){0, below(r, 2) ? 0 : random64(r)}; break;
    default: modulus = (fh_golden_modulus){1, below(r, 2) ? 0 : random64(r)}; break;
    }
    return modulus;
}

/* Every fill makes another path of some level run: reduced, at the limits of the narrow sums and of
 * those below 2^31, anything, the largest sums, sparse. */
enum { FILLS = 15 };

static inline uint32_t fill(struct random *r, uint32_t kind, uint32_t q) {
    uint32_t limit = UINT32_C(1) << 30;
    switch (kind) {
    case 0: return q ? below(r, q) : 0;
    case 1: return q - 1;
    case 2: return random32(r);
    case 3: return UINT32_MAX;
    case 4: return UINT32_MAX - below(r, 3);
    case 5: return limit - 1;
    case 6: return limit - below(r, 2);
    case 7: return below(r, limit);
    case 8: return below(r, 97) == 0 ? random32(r) : below(r, limit);
    case 9: return below(r, 50) == 0 ? UINT32_MAX : 0;
    case 10: return (UINT32_C(1) << below(r, 32)) - below(r, 2);
    case 11: return UINT32_C(0x7fffffff);
    case 12: return UINT32_C(0x7fffffff) - below(r, 2);
    case 13: return random32(r) >> 1;
    default: return UINT32_C(0x80000000) - below(r, 3);
    }
}

static inline void random_tile(struct random *r, struct tile *t, bool mixed, uint32_t wrong_in) {
    uint32_t kind_a = below(r, FILLS), kind_b = below(r, 2) ? kind_a : below(r, FILLS);
    uint32_t kind_c = below(r, FILLS);
    for (uint32_t n = 0; n < COLUMNS; n++)
        t->modulus[n] = mixed || n == 0 ? random_modulus(r, wrong_in) : t->modulus[0];
    for (uint32_t m = 0; m < ROWS; m++)
        for (uint32_t k = 0; k < DEPTH; k++)
            t->a[m][k] = fill(r, kind_a, t->modulus[0].q);
    for (uint32_t n = 0; n < COLUMNS; n++) {
        for (uint32_t k = 0; k < DEPTH; k++)
            t->b[k][n] = fill(r, kind_b, t->modulus[n].q);
        for (uint32_t m = 0; m < ROWS; m++)
            t->c[m][n] = fill(r, kind_c, t->modulus[n].q);
    }
}

/* The lanes that hold the descriptors whose q is 0: all of the warp's, or a mixed column's lane. */
static inline uint32_t zero_lanes(const struct tile *t, bool mixed) {
    uint32_t lanes = 0;
    for (uint32_t n = 0; n < COLUMNS; n++)
        lanes |= t->modulus[n].q ? 0 : 1U << 4 * n;
    return mixed ? lanes : t->modulus[0].q ? 0 : UINT32_MAX;
}

static inline void compute_want(struct tile *t, bool mixed) {
    fh_golden_status status =
        fh_golden_fhec_steps((fh_golden_shape){ROWS, COLUMNS, DEPTH}, mixed, t->modulus, t->a[0],
                             t->b[0], t->c[0], t->want[0]);
    assert_int_equal(status, zero_lanes(t, mixed) ? FH_GOLDEN_ERR_MODULUS : FH_GOLDEN_OK);
}

/* ---------------------------------------------------------------- running */

static inline void put_sources(struct fh_warp *w, const struct tile *t, const struct places *p) {
    for (uint32_t m = 0; m < ROWS; m++)
        for (uint32_t k = 0; k < DEPTH; k++)
            *at_a(&w->r[p->a], m, k) = t->a[m][k];
    for (uint32_t k = 0; k < DEPTH; k++)
        for (uint32_t n = 0; n < COLUMNS; n++)
            *at_b(&w->r[p->b], k, n) = t->b[k][n];
    for (uint32_t m = 0; m < ROWS; m++)
        for (uint32_t n = 0; n < COLUMNS; n++)
            *at_c(&w->r[p->c], m, n) = t->c[m][n];
}

/* The used copy of a column's descriptor is lane 4n's; the other three lanes get rubbish here. */
static inline void put_moduli(struct fh_warp *w, const struct tile *t, const struct places *p,
                              bool mixed) {
    for (uint32_t n = 0; n < COLUMNS && mixed; n++) {
        w->r[p->m][4 * n] = t->modulus[n].q;
        w->r[p->m + 2][4 * n] = (uint32_t)t->modulus[n].mu;
        w->r[p->m + 3][4 * n] = (uint32_t)(t->modulus[n].mu >> 32);
    }
    if (!mixed) {
        w->ur[p->m] = t->modulus[0].q;
        w->ur[p->m + 2] = (uint32_t)t->modulus[0].mu;
        w->ur[p->m + 3] = (uint32_t)(t->modulus[0].mu >> 32);
    }
}

/* What the registers hold, whatever overlaps there. */
static inline void read_sources(struct fh_warp *w, struct tile *t, const struct places *p,
                                bool mixed) {
    for (uint32_t m = 0; m < ROWS; m++)
        for (uint32_t k = 0; k < DEPTH; k++)
            t->a[m][k] = *at_a(&w->r[p->a], m, k);
    for (uint32_t k = 0; k < DEPTH; k++)
        for (uint32_t n = 0; n < COLUMNS; n++)
            t->b[k][n] = *at_b(&w->r[p->b], k, n);
    for (uint32_t m = 0; m < ROWS; m++)
        for (uint32_t n = 0; n < COLUMNS; n++)
            t->c[m][n] = *at_c(&w->r[p->c], m, n);
    for (uint32_t n = 0; n < COLUMNS; n++) {
        uint32_t l = 4 * n;
        uint32_t *ur = &w->ur[p->m];
        fh_row *m = &w->r[p->m];
        t->modulus[n] = mixed ? (fh_golden_modulus){m[0][l], (uint64_t)m[3][l] << 32 | m[2][l]}
                              : (fh_golden_modulus){ur[0], (uint64_t)ur[3] << 32 | ur[2]};
    }
}

static inline struct fh_op make_op(const struct places *p, bool mixed) {
    static struct fh_inst inst;
    struct fh_op op = op_of(mixed ? FH_INSN_FHEC_MIX : FH_INSN_FHEC, &inst);
    op.row[mixed ? FH_FHEC_MIX_Rd : FH_FHEC_Rd] = p->d;
    op.row[mixed ? FH_FHEC_MIX_A : FH_FHEC_A] = p->a;
    op.row[mixed ? FH_FHEC_MIX_B : FH_FHEC_B] = p->b;
    op.row[mixed ? FH_FHEC_MIX_C : FH_FHEC_C] = p->c;
    op.row[mixed ? FH_FHEC_MIX_M : FH_FHEC_M] = p->m;
    return op;
}

static inline void report(const struct level *level, const struct tile *t, bool mixed,
                          const struct random *r, uint64_t iteration, uint32_t m, uint32_t n,
                          uint32_t got) {
    fh_golden_modulus q = t->modulus[mixed ? n : 0];
    print_message("# A row:");
    for (uint32_t k = 0; k < DEPTH; k++)
        print_message(" %u", t->a[m][k]);
    print_message("\n# B column:");
    for (uint32_t k = 0; k < DEPTH; k++)
        print_message(" %u", t->b[k][n]);
    fail_msg("%s%s: seed %llu, iteration %llu: D[%u][%u] = %u, want %u; C %u, q %u, mu %llu",
             level->name, mixed ? " .MIX" : "", (unsigned long long)r->seed,
             (unsigned long long)iteration, m, n, got, t->want[m][n], t->c[m][n], q.q,
             (unsigned long long)q.mu);
}

/* Executes and compares D with t->want, and every other register with what it was; or the fault. */
static inline void run_and_compare(struct bench *bench, const struct level *level,
                                   const struct tile *t, const struct places *p, bool mixed,
                                   const struct random *r, uint64_t iteration) {
    struct fh_warp *w = &bench->flow.w;
    struct fh_op op = make_op(p, mixed);
    static struct fh_warp expected; /* too large for a stack frame */
    const uint32_t zero = zero_lanes(t, mixed);
    expected = *w;
    bench->image.ref = level->ref;
    if (zero) {
        require_fault(bench, level, &op, UINT32_MAX, FHEC_FAULT_MODULUS, zero);
        assert_non_null(strstr(bench->launch.fault.message, "the modulus is 0"));
        return;
    }
    assert_true(execute(level, w, &op, UINT32_MAX));
    for (uint32_t m = 0; m < ROWS; m++) {
        for (uint32_t n = 0; n < COLUMNS; n++) {
            uint32_t got = *at_c(&w->r[p->d], m, n);
            if (got != t->want[m][n])
                report(level, t, mixed, r, iteration, m, n, got);
            *at_c(&expected.r[p->d], m, n) = got;
        }
    }
    assert_memory_equal(&expected, w, sizeof expected);
}

static inline void compare_all(struct bench *bench, const struct tile *t, bool mixed,
                               const struct random *r, uint64_t iteration, uint64_t ref_every) {
    struct level level[LEVELS];
    size_t count = levels(level);
    for (size_t i = 0; i < count; i++) {
        if ((level[i].ref || !level[i].engine.matrix) && iteration % ref_every)
            continue;
        put_sources(&bench->flow.w, t, &apart);
        put_moduli(&bench->flow.w, t, &apart, mixed);
        run_and_compare(bench, &level[i], t, &apart, mixed, r, iteration);
    }
}

#endif
