/*
 * emu_modular_test.c - the modular lane instructions of the fast engine at every SIMD level, where
 * their closed forms apply and just where they do not: residues at both ends of moduli of every
 * size, one modulus per lane or one for all, operands that are not reduced, even Montgomery moduli,
 * inactive lanes, destinations that are sources. Expected values are computed here with 128 bits.
 */
#include "isa_util.h"

#include "engine.h"
#include "isa_names.h"
#include "launch.h"

enum { SEED = 90217, RUNS = 1500, D = 0, A = 2, B = 4, C = 6, M = 8, WRONG_LANE = 32 };

__extension__ typedef unsigned __int128 wide;

/* The operations, each with forms whose modulus is a register, and one value for all lanes. */
struct operation {
    const char *text, *for_all;
};

enum { ADD, SUB, MUL, MAD, RED, MONT, OPERATIONS };

static const struct operation operations[OPERATIONS] = {
    [ADD] = {"MODADD.U%u R%u, R2, R4, R8", "MODADD.U%u R%u, R2, R4, UR8"},
    [SUB] = {"MODSUB.U%u R%u, R2, R4, R8", "MODSUB.U%u R%u, R2, R4, UR8"},
    [MUL] = {"MODMUL.U%u R%u, R2, R4, R8", "MODMUL.U%u R%u, R2, R4, UR8"},
    [MAD] = {"MODMAD.U%u R%u, R2, R4, R6, R8", "MODMAD.U%u R%u, R2, R4, R6, UR8"},
    [RED] = {"MODRED.U%u R%u, R2, R8", "MODRED.U%u R%u, R2, UR8"},
    [MONT] = {"MONTMUL.U%u R%u, R2, R4, R8", "MONTMUL.U%u R%u, R2, R4, UR8"},
};

/* The definition: bit by bit. */
static uint64_t montgomery(uint64_t a, uint64_t b, uint64_t m, unsigned bits) {
    wide s = 0;
    for (unsigned i = 0; i < bits; i++) {
        s += (a >> i & 1) ? b : 0;
        s += (s & 1) ? m : 0;
        s >>= 1;
    }
    return (uint64_t)(s >= m ? s - m : s);
}

static uint64_t expected(unsigned what, uint64_t a, uint64_t b, uint64_t c, uint64_t m,
                         unsigned bits) {
    uint64_t keep = bits == 64 ? UINT64_MAX : UINT32_MAX;
    switch (what) {
    case ADD: return (uint64_t)(((wide)a + b) % m);
    case SUB: return (uint64_t)(((wide)(a % m) + m - b % m) % m);
    case MUL: return (uint64_t)((wide)a * b % m);
    case MAD: return (uint64_t)(((wide)a * b + c) % m);
    case RED: return a % m;
    default: return montgomery(a, b, m, bits) & keep;
    }
}

/* A modulus of any size, often at the end of one. */
static uint64_t random_modulus(struct random *r, unsigned bits) {
    uint64_t pick = next_random(r), size = 1 + (pick >> 8) % bits;
    uint64_t top = UINT64_C(1) << (size - 1), below = top - 1;
    uint64_t m = top | (next_random(r) & below);
    if (pick % 8 == 0)
        m = top;
    else if (pick % 8 == 1)
        m = top | below;
    return m;
}

/* Mostly below m, often next to 0 or m; with `any`, anything of that many bits. */
static uint64_t random_residue(struct random *r, uint64_t m, unsigned bits, bool any) {
    uint64_t pick = next_random(r), x = next_random(r);
    if (any && pick % 3 == 0) {
        uint64_t limit = pick >> 8 & 1 || m >> (bits - 3) ? 0 : 8 * m; /* a few times m, or any */
        x = limit ? pick >> 9 & 1 ? x % limit : limit - 1 - x % 2 : x;
        return bits == 64 ? x : (uint32_t)x;
    }
    switch (pick % 6) {
    case 0: return m - 1;
    case 1: return x % 3 % m;
    case 2: return m - 1 - x % 3 % m;
    default: return x % m;
    }
}

struct lanes {
    uint64_t a[FH_LANES], b[FH_LANES], c[FH_LANES], m[FH_LANES];
    bool uniform;
};

static void fill(struct lanes *v, struct random *r, unsigned bits) {
    uint64_t pick = next_random(r);
    bool any = pick % 8 == 0; /* else the closed forms can be used, but for one lane sometimes */
    uint32_t wrong = (pick >> 8) % 8 ? WRONG_LANE : (uint32_t)(pick >> 16) % FH_LANES;
    v->uniform = pick >> 24 & 1;
    uint64_t one = random_modulus(r, bits);
    for (uint32_t l = 0; l < FH_LANES; l++) {
        v->m[l] = v->uniform ? one : random_modulus(r, bits);
        v->a[l] = random_residue(r, v->m[l], bits, any || l == wrong);
        v->b[l] = random_residue(r, v->m[l], bits, any || l == wrong);
        v->c[l] = random_residue(r, v->m[l], bits, any || l == wrong);
    }
}

static void put(struct fh_warp *w, unsigned row, const uint64_t *values) {
    for (uint32_t l = 0; l < FH_LANES; l++) {
        w->r[row][l] = (uint32_t)values[l];
        w->r[row + 1][l] = (uint32_t)(values[l] >> 32);
    }
}

/* The op as the decoder would make it. */
static void make_op(const char *format, unsigned bits, unsigned destination, struct fh_inst *inst,
                    struct fh_op *op, const struct fh_engine *engine) {
    char text[80];
    fhec_word word;
    snprintf(text, sizeof text, format, bits, destination);
    assert_int_equal(fhec_assemble_word(text, 0, NULL, NULL, &word), FHEC_OK);
    assert_true(fh_decode(word, inst));
    *op = (struct fh_op){.inst = inst, .guard = FH_PT};
    for (unsigned i = 0; i < inst->form->operand_count; i++) {
        op->row[i] = inst->op[i].reg;
    }
    fh_op_place(op);
    fh_engine_bind(engine, op);
}

static void one_run(struct random *r, const struct fh_engine *engine, unsigned what, unsigned bits,
                    unsigned iteration) {
    static struct fh_warp w, before;
    static const unsigned destinations[] = {D, A, B, M};
    struct fh_launch_state launch = {0};
    struct fh_inst inst;
    struct fh_op op;
    struct lanes v;
    uint64_t pick = next_random(r);
    uint32_t active = pick % 4 ? UINT32_MAX : (uint32_t)(pick >> 8) | 1;
    unsigned destination = destinations[pick >> 40 & 3];
    fill(&v, r, bits);
    make_op(v.uniform ? operations[what].for_all : operations[what].text, bits, destination, &inst,
            &op, engine);
    put(&w, A, v.a);
    put(&w, B, v.b);
    put(&w, C, v.c);
    put(&w, M, v.m);
    w.ur[8] = (uint32_t)v.m[0];
    w.ur[9] = (uint32_t)(v.m[0] >> 32);
    w.launch = &launch;
    before = w;
    assert_true(op.exec(&w, &op, active));
    for (uint32_t l = 0; l < FH_LANES; l++) {
        uint64_t got = w.r[destination][l], want = before.r[destination][l];
        if (bits == 64) {
            got |= (uint64_t)w.r[destination + 1][l] << 32;
            want |= (uint64_t)before.r[destination + 1][l] << 32;
        }
        if (active >> l & 1)
            want = expected(what, v.a[l], v.b[l], v.c[l], v.m[l], bits);
        if (got != want)
            fail_msg(
                "%s, %u bits, SIMD level %d, seed %d, iteration %u, lane %u of %08x: a %" PRIx64
                " b %" PRIx64 " c %" PRIx64 " m %" PRIx64 ": %" PRIx64 ", want %" PRIx64,
                operations[what].text, bits, engine->simd, SEED, iteration, l, active, v.a[l],
                v.b[l], v.c[l], v.m[l], got, want);
    }
}

static void closed_forms(void **state) {
    (void)state;
    static const fhec_simd levels[] = {FHEC_SIMD_PORTABLE, FHEC_SIMD_AVX2, FHEC_SIMD_AVX512};
    struct random r = {SEED, SEED};
    for (unsigned i = 0; i < COUNT_OF(levels); i++) {
        struct fh_engine engine;
        if (!fh_engine_choose(FHEC_ENGINE_FAST, levels[i], &engine))
            continue;
        for (unsigned k = 0; k < RUNS; k++)
            for (unsigned what = 0; what < OPERATIONS; what++) {
                one_run(&r, &engine, what, 32, k);
                one_run(&r, &engine, what, 64, k);
            }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(closed_forms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
