/*
 * FHEC and FHEC.MIX of every engine and SIMD level against golden: hostile operands and moduli,
 * wrong mu, registers that overlap, the layout probed through the instruction, cycles, faults.
 */
#include "matrix_util.h"

#include <fenv.h>

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

static uint32_t random_q(struct random *r) {
    if (below(r, 3))
        return special_q[below(r, COUNT_OF(special_q))];
    uint32_t q = random32(r) >> below(r, 31);
    return q < 2 ? 2 : q;
}

/* A mu for which mu q is right modulo 2^64, in (-q, 0), but not by itself. */
static uint64_t right_in_the_low_half(struct random *r, uint32_t q) {
    if (q % 2 == 0)
        return fh_golden_barrett_mu(q) ^ UINT64_C(1) << 63;
    uint64_t inverse = q; /* right in 3 bits, and each step doubles that */
    for (int i = 0; i < 5; i++)
        inverse *= 2 - inverse * q;
    return inverse * (0 - (uint64_t)(1 + below(r, q - 1)));
}

/* mostly right; else 0, off by one, random, all ones; sometimes a modulus that is none */
static fh_golden_modulus random_modulus(struct random *r, uint32_t wrong_in) {
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

static uint32_t fill(struct random *r, uint32_t kind, uint32_t q) {
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

static void random_tile(struct random *r, struct tile *t, bool mixed, uint32_t wrong_in) {
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

static void compute_want(struct tile *t, bool mixed) {
    fh_golden_fhec_steps((fh_golden_shape){ROWS, COLUMNS, DEPTH}, mixed, t->modulus, t->a[0],
                         t->b[0], t->c[0], t->want[0]);
}

/* ---------------------------------------------------------------- running */

static void put_sources(struct fh_warp *w, const struct tile *t, const struct places *p) {
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
static void put_moduli(struct fh_warp *w, const struct tile *t, const struct places *p,
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
static void read_sources(struct fh_warp *w, struct tile *t, const struct places *p, bool mixed) {
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

static struct fh_op make_op(const struct places *p, bool mixed) {
    struct fh_op op = {0};
    op.row[mixed ? FH_FHEC_MIX_Rd : FH_FHEC_Rd] = p->d;
    op.row[mixed ? FH_FHEC_MIX_A : FH_FHEC_A] = p->a;
    op.row[mixed ? FH_FHEC_MIX_B : FH_FHEC_B] = p->b;
    op.row[mixed ? FH_FHEC_MIX_C : FH_FHEC_C] = p->c;
    op.row[mixed ? FH_FHEC_MIX_M : FH_FHEC_M] = p->m;
    return op;
}

static fh_exec_fn *handler(const struct level *level, bool mixed) {
    return mixed ? level->ops->fhec_mix : level->ops->fhec;
}

static void report(const struct level *level, const struct tile *t, bool mixed,
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

/* Executes and compares D with t->want, and every other register with what it was. */
static void run_and_compare(struct bench *bench, const struct level *level, const struct tile *t,
                            const struct places *p, bool mixed, const struct random *r,
                            uint64_t iteration) {
    struct fh_warp *w = &bench->flow.w;
    struct fh_op op = make_op(p, mixed);
    static struct fh_warp expected; /* too large for a stack frame */
    expected = *w;
    bench->image.ref = level->ref;
    assert_true(handler(level, mixed)(w, &op, UINT32_MAX));
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

static void compare_all(struct bench *bench, const struct tile *t, bool mixed,
                        const struct random *r, uint64_t iteration, uint64_t ref_every) {
    struct level level[4];
    size_t count = levels(level);
    for (size_t i = 0; i < count; i++) {
        if (level[i].ref && iteration % ref_every)
            continue;
        put_sources(&bench->flow.w, t, &apart);
        put_moduli(&bench->flow.w, t, &apart, mixed);
        run_and_compare(bench, &level[i], t, &apart, mixed, r, iteration);
    }
}

/* ---------------------------------------------------------------- tests */

static void random_operands(uint64_t seed, bool mixed, uint32_t wrong_in, uint64_t iterations) {
    struct random r = {seed, 0};
    struct bench *bench = bench_new();
    struct tile t;
    scramble(bench, &r);
    for (uint64_t i = 0; i < iterations; i++) {
        random_tile(&r, &t, mixed, wrong_in);
        compute_want(&t, mixed);
        compare_all(bench, &t, mixed, &r, i, 10);
    }
    free(bench);
}

static void uniform_exact(void **state) {
    (void)state;
    random_operands(1, false, 0, 12000);
}

static void mix_exact(void **state) {
    (void)state;
    random_operands(2, true, 0, 12000);
}

/* The application may have changed how its floating point rounds. */
static void host_rounding(void **state) {
    (void)state;
    static const int modes[] = {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    for (size_t i = 0; i < 2 * COUNT_OF(modes); i++) {
        assert_int_equal(fesetround(modes[i / 2]), 0);
        random_operands(40 + i, i % 2, 0, 1000);
    }
}

static int round_to_nearest(void **state) {
    (void)state;
    return fesetround(FE_TONEAREST);
}

static void uniform_wrong_mu(void **state) {
    (void)state;
    random_operands(3, false, 1, 6000);
}

static void mix_wrong_mu(void **state) {
    (void)state;
    random_operands(4, true, 1, 3000);
}

/* About one column of eight is wrong, the others must not suffer. */
static void mix_one_wrong_column(void **state) {
    (void)state;
    random_operands(5, true, 8, 6000);
}

/* With the right mu the steps are the plain residue. */
static void steps_are_the_residue(void **state) {
    (void)state;
    struct random r = {6, 0};
    struct tile t;
    for (uint64_t i = 0; i < 3000; i++) {
        uint32_t plain[ROWS][COLUMNS];
        random_tile(&r, &t, true, 0);
        compute_want(&t, true);
        assert_int_equal(fh_golden_fhec_plain((fh_golden_shape){ROWS, COLUMNS, DEPTH}, true,
                                              t.modulus, t.a[0], t.b[0], t.c[0], plain[0]),
                         FH_GOLDEN_OK);
        assert_memory_equal(plain, t.want, sizeof plain);
    }
}

/* Cases on which a quotient with fewer bits is wrong by a multiple of q, and the 33 bits of r with
 * a wrong mu: each as the only nonzero term of its element, at every k. */
static void known_values(void **state) {
    (void)state;
    static const struct {
        uint32_t q, r, a, b, want;
        bool mu_is_zero;
    } cases[] = {
        {268042241, 244016481, 1736807810, 263579949, 251501210, false},
        {1071513601, 708410215, 2115111059, 955060853, 13648835, false},
        {537133057, 3004967156U, 4294967279U, 4294967143U, 173283499, false},
        {1073479681, 1073479680, 1073479680, 1073479680, 1073479680, true},
    };
    struct bench *bench = bench_new();
    struct random r = {0, 0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        for (uint32_t k = 0; k < DEPTH; k++) {
            if (cases[i].mu_is_zero && k != DEPTH - 1)
                continue; /* further steps would subtract again */
            struct tile t = {0};
            for (uint32_t m = 0; m < ROWS; m++) {
                t.a[m][k] = cases[i].a;
                for (uint32_t n = 0; n < COLUMNS; n++) {
                    t.b[k][n] = cases[i].b;
                    t.c[m][n] = cases[i].r;
                    t.want[m][n] = cases[i].want;
                }
            }
            for (uint32_t n = 0; n < COLUMNS; n++) {
                uint64_t mu = cases[i].mu_is_zero ? 0 : fh_golden_barrett_mu(cases[i].q);
                t.modulus[n] = (fh_golden_modulus){cases[i].q, mu};
            }
            if (cases[i].mu_is_zero) /* the steps before it: C alone, which is below q */
                compute_want(&t, false);
            assert_int_equal(t.want[3][5], cases[i].want);
            compare_all(bench, &t, false, &r, k, 1);
            compare_all(bench, &t, true, &r, k, 1);
        }
    }
    free(bench);
}

/* The moduli around the limits of the methods, eight in a tile, with the largest operands of each
 * method: where quotients are estimated worst. */
static void moduli_at_the_limits(void **state) {
    (void)state;
    static const uint64_t limits[] = {1 << 18, 1 << 20, UINT64_C(1) << 31, UINT64_C(1) << 32};
    static const uint32_t largest[] = {0x3fffffff, 0x7fffffff, UINT32_MAX};
    struct random r = {13, 0};
    struct bench *bench = bench_new();
    struct tile t;
    for (uint64_t i = 0; i < COUNT_OF(limits) * COUNT_OF(largest) * 200; i++) {
        uint64_t limit = limits[i % COUNT_OF(limits)], step = i / COUNT_OF(limits);
        uint32_t top = largest[step % COUNT_OF(largest)];
        uint64_t lowest = limit - 800 + 8 * (step / COUNT_OF(largest));
        for (uint32_t n = 0; n < COLUMNS; n++) {
            uint32_t q = (uint32_t)(lowest + n <= UINT32_MAX ? lowest + n : limit - 1 - n);
            t.modulus[n] = (fh_golden_modulus){q, fh_golden_barrett_mu(q)};
            for (uint32_t k = 0; k < DEPTH; k++)
                t.b[k][n] = top - (below(&r, 8) == 0);
        }
        for (uint32_t m = 0; m < ROWS; m++) {
            for (uint32_t k = 0; k < DEPTH; k++)
                t.a[m][k] = top - (below(&r, 8) == 0);
            for (uint32_t n = 0; n < COLUMNS; n++)
                t.c[m][n] = below(&r, 4) ? random32(&r) : UINT32_MAX;
        }
        compute_want(&t, true);
        compare_all(bench, &t, true, &r, i, 50);
        compute_want(&t, false);
        compare_all(bench, &t, false, &r, i, 50);
    }
    free(bench);
}

/* Sources that overlap one another and a destination that overlaps them, in every way, also where
 * the alignment of registers does not let an instruction have it so. */
static void registers_overlap(void **state) {
    (void)state;
    struct random r = {8, 0};
    struct bench *bench = bench_new();
    struct fh_warp *w = &bench->flow.w;
    static struct fh_warp start;
    struct level level[4];
    size_t level_count = levels(level);
    for (uint64_t i = 0; i < 3000; i++) {
        bool mixed = i % 2;
        uint32_t step = below(&r, 2) ? 4 : 1, count = 24 / step;
        struct places p = {(uint16_t)(step * below(&r, count)), (uint16_t)(step * below(&r, count)),
                           (uint16_t)(step * below(&r, count)), (uint16_t)(step * below(&r, count)),
                           (uint16_t)(step * below(&r, count))};
        struct tile t, read;
        random_tile(&r, &t, mixed, i % 4 == 0 ? 2 : 0);
        put_sources(w, &t, &p);
        put_moduli(w, &t, &p, mixed);
        read_sources(w, &read, &p, mixed);
        compute_want(&read, mixed);
        start = *w;
        for (size_t j = 0; j < level_count; j++) {
            *w = start;
            if (!level[j].ref || i % 8 < 2)
                run_and_compare(bench, &level[j], &read, &p, mixed, &r, i);
        }
    }
    free(bench);
}

/* RZ for any source is zeros, and as a destination it takes nothing. */
static void zero_registers(void **state) {
    (void)state;
    struct random r = {9, 0};
    struct bench *bench = bench_new();
    struct fh_warp *w = &bench->flow.w;
    struct level level[4];
    size_t count = levels(level);
    scramble(bench, &r);
    for (uint32_t i = 0; i < 16 * count; i++) {
        struct places p = apart;
        p.a = i & 1 ? FH_ZERO_ROW : p.a;
        p.b = i & 2 ? FH_ZERO_ROW : p.b;
        p.c = i & 4 ? FH_ZERO_ROW : p.c;
        p.d = i & 8 ? FH_SINK_ROW : p.d;
        struct tile t;
        random_tile(&r, &t, false, 0);
        put_moduli(w, &t, &p, false);
        read_sources(w, &t, &p, false);
        compute_want(&t, false);
        run_and_compare(bench, &level[i / 16], &t, &p, false, &r, i);
    }
    free(bench);
}

/* Probes A, B and C through the instruction: a single 1 in one lane of one register, where the
 * layout tables say which element that is. Elements of the other operands are all different, so
 * the place of the 1 can be read off the result. */
static void probe(struct bench *bench, const struct level *level, bool mixed, const char *operand) {
    const char *insn = mixed ? "FHEC.16816.U32.U32.MIX" : "FHEC.16816.U32.U32";
    size_t index, d_index;
    fhec_layout layout;
    assert_int_equal(fhec_layout_find(insn, operand, &index), FHEC_OK);
    assert_int_equal(fhec_layout_find(insn, "D", &d_index), FHEC_OK);
    assert_true(fhec_layout_get(index, &layout));
    struct fh_warp *w = &bench->flow.w;
    struct fh_op op = make_op(&apart, mixed);
    bench->image.ref = level->ref;
    for (uint32_t reg = 0; reg < layout.registers; reg++) {
        for (uint32_t lane = 0; lane < FH_LANES; lane++) {
            struct tile t = {0};
            fhec_element e;
            assert_int_equal(fhec_layout_element(index, (fhec_place){lane, reg, 0}, &e), FHEC_OK);
            for (uint32_t i = 0; i < 256; i++) {
                t.a[i / DEPTH][i % DEPTH] = *operand == 'B' ? 1000 + 7 * i : 0;
                t.b[i % 128 / COLUMNS][i % COLUMNS] = *operand == 'A' ? 5000 + 3 * (i % 128) : 0;
                t.c[i % 128 / COLUMNS][i % COLUMNS] = 100000 + 11 * (i % 128);
            }
            for (uint32_t n = 0; n < COLUMNS; n++)
                t.modulus[n] = (fh_golden_modulus){1073479681, fh_golden_barrett_mu(1073479681)};
            put_sources(w, &t, &apart);
            put_moduli(w, &t, &apart, mixed);
            uint16_t base = *operand == 'A' ? apart.a : *operand == 'B' ? apart.b : apart.c;
            w->r[base + reg][lane] += 1;
            assert_true(handler(level, mixed)(w, &op, UINT32_MAX));
            for (uint32_t m = 0; m < ROWS; m++) {
                for (uint32_t n = 0; n < COLUMNS; n++) {
                    fhec_place place;
                    fhec_layout_place(d_index, (fhec_element){m, n}, &place);
                    uint32_t want = t.c[m][n];
                    if (*operand == 'A' && m == e.row)
                        want += t.b[e.column][n];
                    if (*operand == 'B' && n == e.column)
                        want += t.a[m][e.row];
                    if (*operand == 'C' && m == e.row && n == e.column)
                        want += 1;
                    uint32_t got = w->r[apart.d + place.reg][place.lane];
                    if (got != want)
                        fail_msg("%s %s: 1 in register %u lane %u, A/B/C element (%u,%u): "
                                 "D[%u][%u] = %u, want %u",
                                 level->name, operand, reg, lane, e.row, e.column, m, n, got, want);
                }
            }
        }
    }
}

static void layouts_through_the_instruction(void **state) {
    (void)state;
    static const char *const operands[] = {"A", "B", "C"};
    struct bench *bench = bench_new();
    struct level level[4];
    size_t count = levels(level);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < COUNT_OF(operands); j++)
            for (int mixed = 0; mixed < 2; mixed++)
                probe(bench, &level[i], mixed, operands[j]);
    free(bench);
}

/* 2*16 + 8 + 6 - 2 cycles from the first operand to the last result of the array, whatever the
 * operands are; only the reference engine has an array. */
static void cycles(void **state) {
    (void)state;
    struct random r = {10, 0};
    struct bench *bench = bench_new();
    struct tile t;
    struct level level[4];
    size_t count = levels(level);
    for (uint64_t i = 0; i < 50; i++) {
        bool mixed = i % 2;
        random_tile(&r, &t, mixed, 3);
        compute_want(&t, mixed);
        for (size_t j = 0; j < count; j++) {
            bench->launch.array_cycles = 1000;
            put_sources(&bench->flow.w, &t, &apart);
            put_moduli(&bench->flow.w, &t, &apart, mixed);
            run_and_compare(bench, &level[j], &t, &apart, mixed, &r, i);
            assert_int_equal(bench->launch.array_cycles, level[j].ref ? 1044 : 1000);
        }
    }
    free(bench);
}

static void inactive_lanes(void **state) {
    (void)state;
    static const uint32_t masks[] = {1, 0x7fffffff, 0xfffffffe, 0x0000ffff, 0xffffefff};
    struct random r = {11, 0};
    struct bench *bench = bench_new();
    struct level level[4];
    size_t count = levels(level);
    scramble(bench, &r);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < COUNT_OF(masks); j++) {
            for (int mixed = 0; mixed < 2; mixed++) {
                struct fh_op op = make_op(&apart, mixed);
                require_fault(bench, handler(&level[i], mixed), &op, masks[j], FHEC_FAULT_LANES,
                              ~masks[j]);
            }
        }
    }
    free(bench);
}

static void exact_moduli(void **state) {
    (void)state;
    struct random r = {12, 0};
    for (size_t i = 0; i < 20000; i++) {
        uint32_t q = i < COUNT_OF(special_q) ? special_q[i] : random_q(&r);
        uint64_t mu = fh_golden_barrett_mu(q);
        assert_true(fh_modulus_exact((struct fh_modulus){q, mu}));
        assert_false(fh_modulus_exact((struct fh_modulus){q, mu + 1}));
        assert_false(fh_modulus_exact((struct fh_modulus){q, mu - 1}));
        assert_false(fh_modulus_exact((struct fh_modulus){q, mu + (UINT64_C(1) << 32)}));
        assert_false(fh_modulus_exact((struct fh_modulus){q, 0}));
        uint64_t low = right_in_the_low_half(&r, q);
        assert_true(fh_modulus_exact((struct fh_modulus){q, low}) == (low == mu));
        assert_false(fh_modulus_exact((struct fh_modulus){q, q == 2 ? 0 : UINT64_C(1) << 63}));
    }
    assert_false(fh_modulus_exact((struct fh_modulus){0, 0}));
    assert_false(fh_modulus_exact((struct fh_modulus){0, UINT64_MAX}));
    assert_false(fh_modulus_exact((struct fh_modulus){1, 0}));
    assert_false(fh_modulus_exact((struct fh_modulus){1, UINT64_MAX}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_moduli),
        cmocka_unit_test(steps_are_the_residue),
        cmocka_unit_test(known_values),
        cmocka_unit_test(uniform_exact),
        cmocka_unit_test(mix_exact),
        cmocka_unit_test_teardown(host_rounding, round_to_nearest),
        cmocka_unit_test(uniform_wrong_mu),
        cmocka_unit_test(mix_wrong_mu),
        cmocka_unit_test(mix_one_wrong_column),
        cmocka_unit_test(moduli_at_the_limits),
        cmocka_unit_test(registers_overlap),
        cmocka_unit_test(zero_registers),
        cmocka_unit_test(layouts_through_the_instruction),
        cmocka_unit_test(cycles),
        cmocka_unit_test(inactive_lanes),
    };
    return cmocka_run_group_tests_name("FHEC", tests, NULL, NULL);
}
