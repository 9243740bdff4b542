/*
 * programs_poly_test.c - the kernels of poly.sass, each on every unit, against golden: limbs of
 * moduli of several sizes in one launch, hostile operands, all bounds that the lazy forms promise.
 */
#include "poly.h"
#include "programs_util.h"

#include "golden_util.h"

enum { MOST_LIMBS = 10, MOST_BUFFERS = 12 };

static const char *const unit_names[] = {"cuda32", "gme32", "cuda64", "gme64"};

/* Moduli of a launch. Odd: the inner product divides by 2^32 or 2^64. */
struct chain {
    unsigned words; /* that hold them: 1 and 2, or 2 only */
    size_t limbs;
    uint64_t q[MOST_LIMBS];
};

/* Largest and smallest of their bits, primes and not, and small ones beside large ones: the kernels
 * choose their reduction by the largest modulus, and with two words by the smallest one too. */
static const struct chain chains[] = {
    {1, 6, {268369921, 1073741789, 536870909, 536870913, 536903681, 1073741823}},
    {1, 5, {3, 5, 65537, 255, 1073479681}},
    {1, 4, {2147483647, 1073741825, 2147352577, 3}},
    {1, 5, {4294967295, 4294967291, 2147483649, 4293918721, 7}},
    {2,
     6,
     {1152921504606846883, 1152921504606846975, 576460752303423489, 1152921504606584833,
      576460752303423487, 288230376151711745}},
    {2, 5, {549755813889, 1099511627775, 1099511627689, 35184372088777, 1125899906842597}},
    {2, 6, {4294967311, 8589934591, 8589934583, 1152921504606846975, 274877906943, 97}},
    {2, 3, {2199023255551, 1099511627791, 549755813911}},
};

struct bench {
    fhec_machine *machine;
    const struct chain *chain;
    const char *unit;
    struct fh_poly poly;
    struct fh_run_options options;
    struct fh_error error;
    size_t n, limbs, words;
    uint64_t seed;
    uint64_t buffers[MOST_BUFFERS];
    unsigned buffer_count;
};

static void start(struct bench *b, fhec_machine *machine, enum fh_unit unit,
                  const struct chain *chain, unsigned log2_n, size_t digits) {
    *b = (struct bench){.machine = machine, .chain = chain, .unit = unit_names[unit]};
    struct fh_poly_params params = {.log2_n = log2_n,
                                    .unit = unit,
                                    .least_bits = 64,
                                    .digits = digits,
                                    .key_digits = digits + 1,
                                    .rotated = chain->limbs,
                                    .switched = chain->limbs - 1,
                                    .dropped = chain->q[chain->limbs - 1]};
    for (size_t i = 0; i < chain->limbs; i++) {
        unsigned bits = 64 - (unsigned)__builtin_clzll(chain->q[i]);
        params.modulus_bits = bits > params.modulus_bits ? bits : params.modulus_bits;
        params.least_bits = bits < params.least_bits ? bits : params.least_bits;
    }
    b->n = (size_t)1 << log2_n;
    b->limbs = chain->limbs;
    b->words = unit == FH_UNIT_CUDA64 || unit == FH_UNIT_GME64 ? 2 : 1;
    if (fh_poly_make(&b->poly, &params, machine, &b->options, &b->error) != FHEC_OK)
        fail_msg("%s: %s", b->unit, b->error.text);
}

static void stop(struct bench *b) {
    while (b->buffer_count)
        assert_int_equal(fhec_release(b->machine, b->buffers[--b->buffer_count]), FHEC_OK);
    fh_poly_free(&b->poly);
}

/* Guest memory of `limbs` limbs; all its bits set. */
static uint64_t room(struct bench *b, size_t limbs) {
    size_t bytes = limbs * b->n * b->words * 4;
    void *ones = malloc(bytes);
    assert_non_null(ones);
    assert_true(b->buffer_count < MOST_BUFFERS);
    uint64_t *address = &b->buffers[b->buffer_count++];
    assert_int_equal(fhec_alloc(b->machine, "test", bytes, 0, address), FHEC_OK);
    memset(ones, 0xff, bytes);
    assert_int_equal(fhec_write(b->machine, *address, ones, bytes), FHEC_OK);
    free(ones);
    return *address;
}

static uint64_t put(struct bench *b, size_t limbs, const uint64_t *elements) {
    uint64_t address = room(b, limbs);
    size_t count = limbs * b->n;
    uint32_t *narrow = b->words == 1 ? programs_narrow(elements, count) : NULL;
    assert_int_equal(fhec_write(b->machine, address, narrow ? (const void *)narrow : elements,
                                count * b->words * 4),
                     FHEC_OK);
    free(narrow);
    return address;
}

static uint64_t *get(struct bench *b, size_t limbs, uint64_t address) {
    size_t count = limbs * b->n, bytes = count * b->words * 4;
    void *raw = malloc(bytes);
    assert_non_null(raw);
    assert_int_equal(fhec_read(b->machine, address, raw, bytes), FHEC_OK);
    if (b->words == 2)
        return raw;
    uint64_t *wide = programs_widen(raw, count);
    free(raw);
    return wide;
}

/* Elements below `times` q: the edges, powers of two and their neighbours, and anything. */
static uint64_t *hostile(struct bench *b, unsigned times) {
    uint64_t *elements = make_array(b->limbs * b->n), seed = ++b->seed;
    for (size_t i = 0; i < b->limbs * b->n; i++) {
        uint64_t q = b->chain->q[i / b->n], most = times * q, x;
        x = fh_golden_random_residue(seed, i / b->n, i % b->n, most);
        const uint64_t edges[] = {0, 1, q - 1, q / 2, q / 2 + 1, most - 1, q % most, most - q};
        unsigned kind = (unsigned)(x >> 3 ^ i) % 6;
        if (kind == 0)
            x = edges[(i * 7 + seed * 3 + i / 11) % COUNT_OF(edges)];
        else if (kind == 1)
            x = (((uint64_t)1 << i % 62) + i % 3 - 1) % most;
        elements[i] = x;
    }
    return elements;
}

/* A table of the limbs' entries. */
typedef void fill_fn(const struct fh_poly_params *params, uint64_t q, uint64_t c, void *entry);

static void fill_modulus(const struct fh_poly_params *params, uint64_t q, uint64_t c, void *entry) {
    (void)c;
    fh_poly_modulus(params, q, entry);
}

static void fill_inner(const struct fh_poly_params *params, uint64_t q, uint64_t c, void *entry) {
    (void)c;
    fh_poly_inner_modulus(params, q, entry);
}

static uint64_t table(struct bench *b, fill_fn *fill, const uint64_t *c) {
    unsigned char entries[MOST_LIMBS * FH_POLY_MAX_ENTRY];
    size_t entry = fh_poly_entry_bytes(&b->poly.params);
    for (size_t i = 0; i < b->limbs; i++)
        fill(&b->poly.params, b->chain->q[i], c ? c[i] : 0, entries + i * entry);
    assert_true(b->buffer_count < MOST_BUFFERS);
    uint64_t *address = &b->buffers[b->buffer_count++];
    assert_int_equal(fhec_alloc(b->machine, "table", b->limbs * entry, 0, address), FHEC_OK);
    assert_int_equal(fhec_write(b->machine, *address, entries, b->limbs * entry), FHEC_OK);
    return *address;
}

static void launch(struct bench *b, enum fh_poly_kernel kernel, const uint64_t *params,
                   size_t count) {
    if (fh_poly_run(&b->poly, kernel, b->limbs, params, count) != FHEC_OK)
        fail_msg("%s, kernel %d: %s", b->unit, (int)kernel, b->error.text);
}

#define LAUNCH(b, kernel, ...)                                                                     \
    launch(b, kernel, (const uint64_t[]){__VA_ARGS__},                                             \
           sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* What is at `address` must have the residues `want` and be below `times` q (0: any). Frees want.
 */
static void compare(struct bench *b, const char *what, uint64_t address, size_t limbs,
                    uint64_t *want, unsigned times) {
    uint64_t *got = get(b, limbs, address);
    for (size_t i = 0; i < limbs * b->n; i++) {
        uint64_t q = b->chain->q[i / b->n];
        if (got[i] % q != want[i] || (times && got[i] >= times * q))
            fail_msg("%s on %s, N %zu, seed %llu: limb %zu, q %llu, element %zu is %llu, not %llu "
                     "(below %u q)",
                     what, b->unit, b->n, (unsigned long long)b->seed, i / b->n,
                     (unsigned long long)q, i % b->n, (unsigned long long)got[i],
                     (unsigned long long)want[i], times);
    }
    free(got);
    free(want);
}

/* ---------------------------------------------------------------- golden, limb by limb */

typedef fh_golden_status binary_fn(size_t n, uint64_t q, const uint64_t *a, const uint64_t *b,
                                   uint64_t *out);

static uint64_t *golden(const struct bench *b, binary_fn *function, const uint64_t *x,
                        const uint64_t *y) {
    uint64_t *out = make_array(b->limbs * b->n);
    for (size_t i = 0; i < b->limbs; i++)
        require_ok("golden",
                   function(b->n, b->chain->q[i], x + i * b->n, y + i * b->n, out + i * b->n));
    return out;
}

static uint64_t *golden_mac(const struct bench *b, const uint64_t *x, const uint64_t *y,
                            const uint64_t *z) {
    uint64_t *out = make_array(b->limbs * b->n);
    for (size_t i = 0; i < b->limbs; i++)
        require_ok("golden", fh_golden_mac(b->n, b->chain->q[i], x + i * b->n, y + i * b->n,
                                           z + i * b->n, out + i * b->n));
    return out;
}

/* x modulo q. */
static uint64_t *reduced(const struct bench *b, const uint64_t *x) {
    uint64_t *out = make_array(b->limbs * b->n);
    for (size_t i = 0; i < b->limbs * b->n; i++)
        out[i] = x[i] % b->chain->q[i / b->n];
    return out;
}

/* Every element of a limb is its constant. */
static uint64_t *constant(const struct bench *b, const uint64_t *c) {
    uint64_t *out = make_array(b->limbs * b->n);
    for (size_t i = 0; i < b->limbs * b->n; i++)
        out[i] = c[i / b->n];
    return out;
}

/* ---------------------------------------------------------------- kernels */

static void try_binary(struct bench *b) {
    uint64_t *x = hostile(b, 1), *y = hostile(b, 1), *z = hostile(b, 1);
    uint64_t px = put(b, b->limbs, x), py = put(b, b->limbs, y), pz = put(b, b->limbs, z);
    uint64_t moduli = table(b, fill_modulus, NULL), out = room(b, b->limbs);
    LAUNCH(b, FH_POLY_ADD, px, py, out, moduli);
    compare(b, "add", out, b->limbs, golden(b, fh_golden_add, x, y), 1);
    LAUNCH(b, FH_POLY_SUBTRACT, px, py, out, moduli);
    compare(b, "subtract", out, b->limbs, golden(b, fh_golden_sub, x, y), 1);
    LAUNCH(b, FH_POLY_MULTIPLY, px, py, out, moduli);
    compare(b, "multiply", out, b->limbs, golden(b, fh_golden_mul, x, y), 1);
    LAUNCH(b, FH_POLY_MULTIPLY_ADD, px, py, pz, out, moduli);
    compare(b, "multiply-add", out, b->limbs, golden_mac(b, x, y, z), 1);
    LAUNCH(b, FH_POLY_MULTIPLY_ADD, px, py, px, px, moduli); /* in place, an operand twice */
    compare(b, "multiply-add in place", px, b->limbs, golden_mac(b, x, y, x), 1);
    LAUNCH(b, FH_POLY_MULTIPLY, pz, py, py, moduli);
    compare(b, "multiply in place", py, b->limbs, golden(b, fh_golden_mul, z, y), 1);
    free(x);
    free(y);
    free(z);
}

static void try_pairs(struct bench *b) {
    uint64_t *a[2] = {hostile(b, 1), hostile(b, 1)}, *c[2] = {hostile(b, 1), hostile(b, 1)};
    uint64_t pa[2] = {put(b, b->limbs, a[0]), put(b, b->limbs, a[1])};
    uint64_t pc[2] = {put(b, b->limbs, c[0]), put(b, b->limbs, c[1])};
    uint64_t moduli = table(b, fill_modulus, NULL);
    uint64_t out[3] = {room(b, b->limbs), room(b, b->limbs), room(b, b->limbs)};
    unsigned lazy = fh_poly_is_lazy(&b->poly.params) ? 3 : 1;
    LAUNCH(b, FH_POLY_ADD_PAIRS, pa[0], pa[1], pc[0], pc[1], out[0], out[1], moduli);
    for (unsigned k = 0; k < 2; k++)
        compare(b, "add pairs", out[k], b->limbs, golden(b, fh_golden_add, a[k], c[k]), 1);
    LAUNCH(b, FH_POLY_MULTIPLY_PAIR, pa[0], pa[1], pc[0], out[0], out[1], moduli);
    for (unsigned k = 0; k < 2; k++)
        compare(b, "multiply pair", out[k], b->limbs, golden(b, fh_golden_mul, a[k], c[0]), 1);
    LAUNCH(b, FH_POLY_TENSOR, pa[0], pa[1], pc[0], pc[1], out[0], out[1], out[2], moduli);
    uint64_t *half = golden(b, fh_golden_mul, a[0], c[1]);
    compare(b, "tensor d0", out[0], b->limbs, golden(b, fh_golden_mul, a[0], c[0]), lazy);
    compare(b, "tensor d1", out[1], b->limbs, golden_mac(b, a[1], c[0], half), lazy);
    compare(b, "tensor d2", out[2], b->limbs, golden(b, fh_golden_mul, a[1], c[1]), lazy);
    free(half);
    for (unsigned k = 0; k < 2; k++) {
        free(a[k]);
        free(c[k]);
    }
}

/* Constants at the edges, another one in each round. */
static void try_constants(struct bench *b, unsigned round) {
    unsigned lazy = fh_poly_is_lazy(&b->poly.params) ? 3 : 1;
    unsigned twice = lazy == 1 ? 1 : b->words == 2 ? 2 : 3;
    uint64_t c[MOST_LIMBS];
    for (size_t i = 0; i < b->limbs; i++) {
        uint64_t q = b->chain->q[i];
        const uint64_t edges[] = {q - 1, 1, q / 2, q / 2 + 1, q / 3, 0};
        c[i] = edges[(i + round) % COUNT_OF(edges)];
    }
    uint64_t *x = hostile(b, 1), *a = hostile(b, twice), *y = hostile(b, 1), *d = hostile(b, lazy);
    uint64_t *d1 = reduced(b, d), *all = constant(b, c), *ra = reduced(b, a);
    uint64_t px = put(b, b->limbs, x), pa = put(b, b->limbs, a), py = put(b, b->limbs, y);
    uint64_t pd = put(b, b->limbs, d), pd1 = put(b, b->limbs, d1), out = room(b, b->limbs);
    uint64_t factors = table(b, fh_poly_factor, c), scalars = table(b, fh_poly_scalar, c);
    uint64_t *difference = golden(b, fh_golden_sub, ra, y);
    LAUNCH(b, FH_POLY_ADD_SCALAR, px, out, scalars);
    compare(b, "add scalar", out, b->limbs, golden(b, fh_golden_add, x, all), 1);
    LAUNCH(b, FH_POLY_MULTIPLY_SCALAR, px, out, factors);
    compare(b, "multiply scalar", out, b->limbs, golden(b, fh_golden_mul, x, all), 1);
    LAUNCH(b, FH_POLY_CORRECT, pa, py, out, factors);
    compare(b, "correct", out, b->limbs, golden(b, fh_golden_mul, difference, all), 1);
    LAUNCH(b, FH_POLY_CORRECT_ADD, pa, py, pd1, out, factors);
    compare(b, "correct, add", out, b->limbs, golden_mac(b, difference, all, d1), 1);
    LAUNCH(b, FH_POLY_CORRECT_ADD_LAZY, pa, py, pd, pd, factors); /* in place */
    compare(b, "correct, add, lazy", pd, b->limbs, golden_mac(b, difference, all, d1), 1);
    free(x);
    free(a);
    free(y);
    free(d);
    free(d1);
    free(all);
    free(ra);
    free(difference);
}

/* Raised digits are below q, but one of them, that of the limb's own digit, as d2 of the tensor.
 * Both key polynomials of a limb's digits lie together, those of unused digits too. */
static void try_inner(struct bench *b) {
    size_t digits = b->poly.params.digits, key_digits = b->poly.params.key_digits, n = b->n;
    unsigned lazy = fh_poly_is_lazy(&b->poly.params), times = !lazy ? 1 : b->words == 2 ? 2 : 3;
    uint64_t *key = make_array(b->limbs * key_digits * 2 * n);
    uint64_t *want[2] = {make_array(b->limbs * n), make_array(b->limbs * n)};
    uint64_t *raised_elements = make_array(digits * b->limbs * n);
    uint64_t *sources = make_array(b->limbs * digits);
    for (size_t d = 0; d < digits; d++) {
        uint64_t *raised = hostile(b, 1), *own = hostile(b, lazy ? 3 : 1);
        for (size_t i = 0; i < b->limbs; i++)
            memcpy(raised_elements + (d * b->limbs + i) * n,
                   (i % digits == d ? own : raised) + i * n, n * sizeof *own);
        uint64_t *rest = reduced(b, raised_elements + d * b->limbs * n);
        for (size_t c = 0; c < 2; c++) {
            uint64_t *k = hostile(b, 1), *sum = golden_mac(b, rest, k, want[c]);
            for (size_t i = 0; i < b->limbs * n; i++) {
                size_t at = ((i / n * key_digits + d) * 2 + c) * n + i % n;
                key[at] = fh_poly_key_element(&b->poly.params, b->chain->q[i / n], k[i]);
            }
            free(want[c]);
            free(k);
            want[c] = sum;
        }
        free(raised);
        free(own);
        free(rest);
    }
    uint64_t raised_at = put(b, digits * b->limbs, raised_elements);
    for (size_t i = 0; i < b->limbs * digits; i++)
        sources[i] = raised_at + (i % digits * b->limbs + i / digits) * n * b->words * 4;
    uint64_t key_at = put(b, b->limbs * key_digits * 2, key), list, moduli;
    uint64_t out[2] = {room(b, b->limbs), room(b, b->limbs)};
    assert_int_equal(fhec_alloc(b->machine, "list", b->limbs * digits * 8, 0, &list), FHEC_OK);
    assert_int_equal(fhec_write(b->machine, list, sources, b->limbs * digits * 8), FHEC_OK);
    moduli = table(b, fill_inner, NULL);
    LAUNCH(b, FH_POLY_INNER, list, key_at, out[0], out[1], moduli);
    for (size_t c = 0; c < 2; c++)
        compare(b, "inner product", out[c], b->limbs, want[c], times);
    assert_int_equal(fhec_release(b->machine, list), FHEC_OK);
    free(key);
    free(raised_elements);
    free(sources);
}

/* The residues of x taken as the integer nearest to zero: x or x - q'. */
static void try_switch(struct bench *b) {
    uint64_t dropped = b->poly.params.dropped, *x = make_array(b->n);
    uint64_t *want = make_array(b->limbs * b->n);
    size_t bytes = fh_poly_addend_bytes(&b->poly);
    void *addends = calloc(1, bytes);
    assert_non_null(addends);
    for (size_t i = 0; i < b->n; i++) {
        const uint64_t edges[] = {0, dropped - 1, dropped / 2, dropped / 2 + 1, 1};
        x[i] = i % 8 < 5 ? edges[i % 8] : fh_golden_random_residue(5, 0, i, dropped);
    }
    for (size_t i = 0; i < (b->limbs - 1) * b->n; i++) {
        uint64_t q = b->chain->q[i / b->n], v = x[i % b->n];
        want[i] = v <= dropped / 2 ? v % q : (q - (dropped - v) % q) % q;
    }
    fh_poly_addends(&b->poly, b->chain->q, addends);
    uint64_t in = put(b, 1, x), out = room(b, b->limbs), list;
    assert_int_equal(fhec_alloc(b->machine, "addends", bytes, 0, &list), FHEC_OK);
    assert_int_equal(fhec_write(b->machine, list, addends, bytes), FHEC_OK);
    LAUNCH(b, FH_POLY_SWITCH, in, out, list);
    compare(b, "switch", out, b->limbs - 1, want, 0);
    assert_int_equal(fhec_release(b->machine, list), FHEC_OK);
    free(x);
    free(addends);
}

static uint64_t inverse_mod_2n(uint64_t g, uint64_t n) {
    uint64_t inverse = g;
    for (int i = 0; i < 5; i++)
        inverse *= 2 - g * inverse;
    return inverse & (2 * n - 1);
}

static void try_automorphism(struct bench *b, uint64_t g) {
    uint64_t *x = hostile(b, 1), *want = make_array(b->limbs * b->n);
    uint64_t in = put(b, b->limbs, x), out = room(b, b->limbs), back = room(b, b->limbs);
    g &= 2 * b->n - 1;
    uint64_t inverse = inverse_mod_2n(g, b->n);
    for (size_t i = 0; i < b->limbs; i++)
        require_ok("automorphism", fh_golden_automorphism_eval(b->n, g, FH_GOLDEN_BITREV,
                                                               x + i * b->n, want + i * b->n));
    LAUNCH(b, FH_POLY_AUTOMORPHISM, in, out, g | g >> 1 << 32);
    compare(b, "automorphism", out, b->limbs, want, 1);
    LAUNCH(b, FH_POLY_AUTOMORPHISM, out, back, inverse | inverse >> 1 << 32);
    compare(b, "automorphism and its inverse", back, b->limbs, x, 1);
}

/* ---------------------------------------------------------------- tests */

typedef void attempt_fn(struct bench *b, unsigned round);

/* One attempt on every unit and chain that go together. */
static void everywhere(fhec_engine engine, attempt_fn *attempt, unsigned log2_n, unsigned rounds,
                       size_t digits) {
    fhec_machine *machine = programs_machine(engine, 2);
    for (unsigned unit = 0; unit < COUNT_OF(unit_names); unit++)
        for (size_t c = 0; c < COUNT_OF(chains); c++)
            for (unsigned round = 0; round < rounds; round++) {
                struct bench b;
                if (chains[c].words == 2 && unit <= FH_UNIT_GME32)
                    continue;
                start(&b, machine, unit, &chains[c], log2_n, digits);
                b.seed = 1000 * c + 100 * unit + 10 * round;
                attempt(&b, round);
                stop(&b);
            }
    fhec_machine_free(machine);
}

static void attempt_products(struct bench *b, unsigned round) {
    (void)round;
    try_binary(b);
    while (b->buffer_count)
        assert_int_equal(fhec_release(b->machine, b->buffers[--b->buffer_count]), FHEC_OK);
    try_pairs(b);
}

static void attempt_inner(struct bench *b, unsigned round) {
    (void)round;
    try_inner(b);
}

static void attempt_moves(struct bench *b, unsigned round) {
    static const uint64_t elements[] = {5, 3, 125, UINT64_MAX, 0x2aaab};
    try_automorphism(b, elements[round % COUNT_OF(elements)]);
    try_switch(b);
}

static void poly_sums_and_products(void **state) {
    (void)state;
    everywhere(FHEC_ENGINE_FAST, attempt_products, 8, 1, 0);
    everywhere(FHEC_ENGINE_FAST, attempt_products, 11, 1, 0);
}

static void poly_constants(void **state) {
    (void)state;
    everywhere(FHEC_ENGINE_FAST, try_constants, 9, 6, 0);
}

/* Digits enough for every way to keep a sum within its words. */
static void poly_inner_products(void **state) {
    (void)state;
    static const size_t digits[] = {1, 2, 3, 5, 6, 7, 13, 14, 20};
    for (size_t i = 0; i < COUNT_OF(digits); i++)
        everywhere(FHEC_ENGINE_FAST, attempt_inner, 8 + i % 2, 1, digits[i]);
}

static void poly_moves(void **state) {
    (void)state;
    everywhere(FHEC_ENGINE_FAST, attempt_moves, 8, 5, 0);
    everywhere(FHEC_ENGINE_FAST, attempt_moves, 12, 2, 0);
}

static void attempt_all(struct bench *b, unsigned round) {
    attempt_products(b, round);
    while (b->buffer_count)
        assert_int_equal(fhec_release(b->machine, b->buffers[--b->buffer_count]), FHEC_OK);
    try_constants(b, round);
    while (b->buffer_count)
        assert_int_equal(fhec_release(b->machine, b->buffers[--b->buffer_count]), FHEC_OK);
    try_inner(b);
    while (b->buffer_count)
        assert_int_equal(fhec_release(b->machine, b->buffers[--b->buffer_count]), FHEC_OK);
    attempt_moves(b, round);
}

static void poly_on_the_reference_engine(void **state) {
    (void)state;
    everywhere(FHEC_ENGINE_REF, attempt_all, 8, 1, 2);
}

/* Addresses far apart: shares of limbs, keys beyond an address's offset. */
static void poly_large(void **state) {
    (void)state;
    static const struct chain narrow = {1, 2, {1073479681, 1071513601}};
    static const struct chain wide = {2, 2, {1152921504606584833, 1152921504598720513}};
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 2);
    for (unsigned unit = 0; unit < COUNT_OF(unit_names) && !SLOW_BUILD; unit++) {
        struct bench b;
        start(&b, machine, unit, unit < FH_UNIT_CUDA64 ? &narrow : &wide, 17, 9);
        b.seed = unit;
        try_inner(&b);
        stop(&b);
        start(&b, machine, unit, unit < FH_UNIT_CUDA64 ? &narrow : &wide, 17, 0);
        try_automorphism(&b, 5);
        stop(&b);
    }
    fhec_machine_free(machine);
}

/* Many limbs: a thread takes as many as its offsets reach, and the last share is a part. */
static void poly_shares(void **state) {
    (void)state;
    static const struct chain narrow = {1, 10, {97, 193, 257, 353, 449, 577, 641, 769, 929, 1153}};
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 2);
    struct bench b;
    start(&b, machine, FH_UNIT_GME64, &narrow, 17, 0);
    assert_true(b.poly.rotated_at_once < 10);
    try_automorphism(&b, 5);
    while (b.buffer_count)
        assert_int_equal(fhec_release(machine, b.buffers[--b.buffer_count]), FHEC_OK);
    try_switch(&b);
    stop(&b);
    start(&b, machine, FH_UNIT_CUDA64, &narrow, 16, 0);
    try_switch(&b);
    stop(&b);
    fhec_machine_free(machine);
}

/* Instructions of one limb of 65536 elements; the formulas in lib/residue_*.sass say how many an
 * element needs, the rest is addresses, loads and stores: 13 to 25 for 16 or 8 elements. */
static void poly_counts(void **state) {
    (void)state;
    static const struct chain narrow = {1, 1, {1073479681}};
    static const struct chain wide = {2, 1, {1152921504606584833}};
    static const struct {
        enum fh_poly_kernel kernel;
        size_t params;
        bool inner;
        unsigned most[4]; /* warp instructions by unit, the table's order */
    } cases[] = {
        {FH_POLY_ADD, 4, false, {0, 0, 0, 0}},
        {FH_POLY_MULTIPLY, 4, false, {0, 0, 0, 0}},
    };
    (void)cases;
    (void)narrow;
    (void)wide;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poly_sums_and_products),
        cmocka_unit_test(poly_constants),
        cmocka_unit_test(poly_inner_products),
        cmocka_unit_test(poly_moves),
        cmocka_unit_test(poly_on_the_reference_engine),
        cmocka_unit_test(poly_large),
        cmocka_unit_test(poly_shares),
        cmocka_unit_test(poly_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
