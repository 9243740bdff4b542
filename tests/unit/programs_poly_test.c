/*
 * programs_poly_test.c - the kernels of poly.sass, each on every unit, against golden: limbs of
 * moduli of several sizes in one launch, hostile operands, all bounds that the lazy forms promise.
 */
#include "programs_poly_util.h"

#include "golden_util.h"

/* ---------------------------------------------------------------- golden, limb by limb */

typedef fh_golden_status binary_fn(size_t n, uint64_t q, const uint64_t *a, const uint64_t *b,
                                   uint64_t *out);

static uint64_t *golden(const struct poly_bench *b, binary_fn *function, const uint64_t *x,
                        const uint64_t *y) {
    uint64_t *out = make_array(b->limbs * b->n);
    for (size_t i = 0; i < b->limbs; i++)
        require_ok("golden",
                   function(b->n, b->chain->q[i], x + i * b->n, y + i * b->n, out + i * b->n));
    return out;
}

static uint64_t *golden_mac(const struct poly_bench *b, const uint64_t *x, const uint64_t *y,
                            const uint64_t *z) {
    uint64_t *out = make_array(b->limbs * b->n);
    for (size_t i = 0; i < b->limbs; i++)
        require_ok("golden", fh_golden_mac(b->n, b->chain->q[i], x + i * b->n, y + i * b->n,
                                           z + i * b->n, out + i * b->n));
    return out;
}

/* x modulo q. */
static uint64_t *reduced(const struct poly_bench *b, const uint64_t *x) {
    uint64_t *out = make_array(b->limbs * b->n);
    for (size_t i = 0; i < b->limbs * b->n; i++)
        out[i] = x[i] % b->chain->q[i / b->n];
    return out;
}

/* Every element of a limb is its constant. */
static uint64_t *constant(const struct poly_bench *b, const uint64_t *c) {
    uint64_t *out = make_array(b->limbs * b->n);
    for (size_t i = 0; i < b->limbs * b->n; i++)
        out[i] = c[i / b->n];
    return out;
}

/* ---------------------------------------------------------------- kernels */

static void try_binary(struct poly_bench *b) {
    uint64_t *x = poly_hostile(b, 1), *y = poly_hostile(b, 1), *z = poly_hostile(b, 1);
    uint64_t px = poly_put(b, b->limbs, x), py = poly_put(b, b->limbs, y),
             pz = poly_put(b, b->limbs, z);
    uint64_t moduli = poly_table(b, poly_fill_modulus, NULL), out = poly_room(b, b->limbs);
    LAUNCH(b, FH_POLY_ADD, px, py, out, moduli);
    poly_compare(b, "add", out, b->limbs, golden(b, fh_golden_add, x, y), 1);
    LAUNCH(b, FH_POLY_SUBTRACT, px, py, out, moduli);
    poly_compare(b, "subtract", out, b->limbs, golden(b, fh_golden_sub, x, y), 1);
    LAUNCH(b, FH_POLY_MULTIPLY, px, py, out, moduli);
    poly_compare(b, "multiply", out, b->limbs, golden(b, fh_golden_mul, x, y), 1);
    LAUNCH(b, FH_POLY_MULTIPLY_ADD, px, py, pz, out, moduli);
    poly_compare(b, "multiply-add", out, b->limbs, golden_mac(b, x, y, z), 1);
    LAUNCH(b, FH_POLY_MULTIPLY_ADD, px, py, px, px, moduli); /* in place, an operand twice */
    poly_compare(b, "multiply-add in place", px, b->limbs, golden_mac(b, x, y, x), 1);
    LAUNCH(b, FH_POLY_MULTIPLY, pz, py, py, moduli);
    poly_compare(b, "multiply in place", py, b->limbs, golden(b, fh_golden_mul, z, y), 1);
    free(x);
    free(y);
    free(z);
}

static void try_pairs(struct poly_bench *b) {
    uint64_t *a[2] = {poly_hostile(b, 1), poly_hostile(b, 1)},
             *c[2] = {poly_hostile(b, 1), poly_hostile(b, 1)};
    uint64_t pa[2] = {poly_put(b, b->limbs, a[0]), poly_put(b, b->limbs, a[1])};
    uint64_t pc[2] = {poly_put(b, b->limbs, c[0]), poly_put(b, b->limbs, c[1])};
    uint64_t moduli = poly_table(b, poly_fill_modulus, NULL);
    uint64_t out[3] = {poly_room(b, b->limbs), poly_room(b, b->limbs), poly_room(b, b->limbs)};
    unsigned lazy = fh_poly_is_lazy(&b->poly.params) ? 3 : 1;
    LAUNCH(b, FH_POLY_ADD_PAIRS, pa[0], pa[1], pc[0], pc[1], out[0], out[1], moduli);
    for (unsigned k = 0; k < 2; k++)
        poly_compare(b, "add pairs", out[k], b->limbs, golden(b, fh_golden_add, a[k], c[k]), 1);
    LAUNCH(b, FH_POLY_MULTIPLY_PAIR, pa[0], pa[1], pc[0], out[0], out[1], moduli);
    for (unsigned k = 0; k < 2; k++)
        poly_compare(b, "multiply pair", out[k], b->limbs, golden(b, fh_golden_mul, a[k], c[0]), 1);
    LAUNCH(b, FH_POLY_TENSOR, pa[0], pa[1], pc[0], pc[1], out[0], out[1], out[2], moduli);
    uint64_t *half = golden(b, fh_golden_mul, a[0], c[1]);
    poly_compare(b, "tensor d0", out[0], b->limbs, golden(b, fh_golden_mul, a[0], c[0]), lazy);
    poly_compare(b, "tensor d1", out[1], b->limbs, golden_mac(b, a[1], c[0], half), lazy);
    poly_compare(b, "tensor d2", out[2], b->limbs, golden(b, fh_golden_mul, a[1], c[1]), lazy);
    free(half);
    for (unsigned k = 0; k < 2; k++) {
        free(a[k]);
        free(c[k]);
    }
}

/* Constants at the edges, another one in each round. */
static void try_constants(struct poly_bench *b, unsigned round) {
    unsigned lazy = fh_poly_is_lazy(&b->poly.params) ? 3 : 1;
    unsigned twice = lazy == 1 ? 1 : b->words == 2 ? 2 : 3;
    uint64_t c[MOST_LIMBS];
    for (size_t i = 0; i < b->limbs; i++) {
        uint64_t q = b->chain->q[i];
        const uint64_t edges[] = {q - 1, 1, q / 2, q / 2 + 1, q / 3, 0};
        c[i] = edges[(i + round) % COUNT_OF(edges)];
    }
    uint64_t *x = poly_hostile(b, 1), *a = poly_hostile(b, twice), *y = poly_hostile(b, 1),
             *d = poly_hostile(b, lazy);
    uint64_t *d1 = reduced(b, d), *all = constant(b, c), *ra = reduced(b, a);
    uint64_t px = poly_put(b, b->limbs, x), pa = poly_put(b, b->limbs, a),
             py = poly_put(b, b->limbs, y);
    uint64_t pd = poly_put(b, b->limbs, d), pd1 = poly_put(b, b->limbs, d1),
             out = poly_room(b, b->limbs);
    uint64_t factors = poly_table(b, fh_poly_factor, c), scalars = poly_table(b, fh_poly_scalar, c);
    uint64_t *difference = golden(b, fh_golden_sub, ra, y);
    LAUNCH(b, FH_POLY_ADD_SCALAR, px, out, scalars);
    poly_compare(b, "add scalar", out, b->limbs, golden(b, fh_golden_add, x, all), 1);
    LAUNCH(b, FH_POLY_MULTIPLY_SCALAR, px, out, factors);
    poly_compare(b, "multiply scalar", out, b->limbs, golden(b, fh_golden_mul, x, all), 1);
    LAUNCH(b, FH_POLY_CORRECT, pa, py, out, factors);
    poly_compare(b, "correct", out, b->limbs, golden(b, fh_golden_mul, difference, all), 1);
    LAUNCH(b, FH_POLY_CORRECT_ADD, pa, py, pd1, out, factors);
    poly_compare(b, "correct, add", out, b->limbs, golden_mac(b, difference, all, d1), 1);
    LAUNCH(b, FH_POLY_CORRECT_ADD_LAZY, pa, py, pd, pd, factors); /* in place */
    poly_compare(b, "correct, add, lazy", pd, b->limbs, golden_mac(b, difference, all, d1), 1);
    free(x);
    free(a);
    free(y);
    free(d);
    free(d1);
    free(all);
    free(ra);
    free(difference);
}

/* Makes some elements those whose form in the key is q - 1: the largest sums there are. */
static void largest_keys(const struct poly_bench *b, uint64_t *k) {
    for (size_t i = 0; i < b->limbs * b->n; i += 16) {
        uint64_t q = b->chain->q[i / b->n], inverse;
        uint64_t one = fh_poly_key_element(&b->poly.params, q, 1);
        require_ok("inverse", fh_golden_invmod(one, q, &inverse));
        k[i] = fh_golden_mulmod(q - 1, inverse, q);
    }
}

/* Raised digits are below q, but one of them, that of the limb's own digit, as d2 of the tensor.
 * Both key polynomials of a limb's digits lie together, those of unused digits too. */
static void try_inner(struct poly_bench *b) {
    size_t digits = b->poly.params.digits, key_digits = b->poly.params.key_digits, n = b->n;
    unsigned lazy = fh_poly_is_lazy(&b->poly.params), times = !lazy ? 1 : b->words == 2 ? 2 : 3;
    uint64_t *key = make_array(b->limbs * key_digits * 2 * n);
    uint64_t *want[2] = {make_array(b->limbs * n), make_array(b->limbs * n)};
    uint64_t *raised_elements = make_array(digits * b->limbs * n);
    uint64_t *sources = make_array(b->limbs * digits);
    for (size_t d = 0; d < digits; d++) {
        uint64_t *raised = poly_hostile(b, 1), *own = poly_hostile(b, lazy ? 3 : 1);
        for (size_t i = 0; i < b->limbs; i++)
            memcpy(raised_elements + (d * b->limbs + i) * n,
                   (i % digits == d ? own : raised) + i * n, n * sizeof *own);
        for (size_t i = 0; i < b->limbs * n; i += 16)
            raised_elements[d * b->limbs * n + i] = b->chain->q[i / n] - 1;
        uint64_t *rest = reduced(b, raised_elements + d * b->limbs * n);
        for (size_t c = 0; c < 2; c++) {
            uint64_t *k = poly_hostile(b, 1);
            largest_keys(b, k);
            uint64_t *sum = golden_mac(b, rest, k, want[c]);
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
    uint64_t raised_at = poly_put(b, digits * b->limbs, raised_elements);
    for (size_t i = 0; i < b->limbs * digits; i++)
        sources[i] = raised_at + (i % digits * b->limbs + i / digits) * n * b->words * 4;
    uint64_t key_at = poly_put(b, b->limbs * key_digits * 2, key), list, moduli;
    uint64_t out[2] = {poly_room(b, b->limbs), poly_room(b, b->limbs)};
    assert_int_equal(fhec_alloc(b->machine, "list", b->limbs * digits * 8, 0, &list), FHEC_OK);
    assert_int_equal(fhec_write(b->machine, list, sources, b->limbs * digits * 8), FHEC_OK);
    moduli = poly_table(b, poly_fill_inner, NULL);
    LAUNCH(b, FH_POLY_INNER, list, key_at, out[0], out[1], moduli);
    for (size_t c = 0; c < 2; c++)
        poly_compare(b, "inner product", out[c], b->limbs, want[c], times);
    assert_int_equal(fhec_release(b->machine, list), FHEC_OK);
    free(key);
    free(raised_elements);
    free(sources);
}

/* The residues of x taken as the integer nearest to zero: x or x - q'. */
static void try_switch(struct poly_bench *b) {
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
    uint64_t in = poly_put(b, 1, x), out = poly_room(b, b->limbs), list;
    assert_int_equal(fhec_alloc(b->machine, "addends", bytes, 0, &list), FHEC_OK);
    assert_int_equal(fhec_write(b->machine, list, addends, bytes), FHEC_OK);
    LAUNCH(b, FH_POLY_SWITCH, in, out, list);
    poly_compare(b, "switch", out, b->limbs - 1, want, 0);
    assert_int_equal(fhec_release(b->machine, list), FHEC_OK);
    free(x);
    free(addends);
}

/* x modulo q, and modulo `of` the integer nearest to zero. */
static uint64_t centred(uint64_t x, uint64_t of, uint64_t q) {
    return x <= of / 2 ? x % q : (q - (of - x) % q) % q;
}

/* Two Rescales, from q' and from q'', one after the other: [x'] + q' [(x'' - [x']) / q']. */
static void try_switch_pair(struct poly_bench *b) {
    size_t left = b->limbs - 2, entry = fh_poly_entry_bytes(&b->poly.params);
    const uint64_t *q = b->chain->q, next = q[left], last = q[left + 1];
    uint64_t *x = make_array(2 * b->n), *want = make_array(left * b->n), inverse;
    unsigned char factors[MOST_LIMBS * FH_POLY_MAX_ENTRY], addends[MOST_LIMBS * 16] = {0};
    require_ok("inverse", fh_golden_invmod(last % next, next, &inverse));
    for (size_t i = 0; i < 2 * b->n; i++) {
        uint64_t of = i < b->n ? next : last, k = i < b->n ? i % 7 : i / 7 % 7;
        const uint64_t edges[] = {0, of - 1, of / 2, of / 2 + 1, 1};
        x[i] = k < 5 ? edges[k] : fh_golden_random_residue(9, i / b->n, i, of);
    }
    for (size_t i = 0; i < left * b->n; i++) {
        uint64_t first = x[b->n + i % b->n], second = x[i % b->n], m = q[i / b->n];
        uint64_t z =
            fh_golden_mulmod((second + next - centred(first, last, next)) % next, inverse, next);
        uint64_t product = fh_golden_mulmod(centred(z, next, m), last % m, m);
        want[i] = (centred(first, last, m) + product) % m;
    }
    fh_poly_factor(&b->poly.params, next, inverse, factors);
    for (size_t i = 0; i < left; i++)
        fh_poly_factor(&b->poly.params, q[i], last % q[i], factors + (i + 1) * entry);
    fh_poly_pair_addends(&b->poly.params, q, addends);
    uint64_t in = poly_put(b, 2, x), out = poly_room(b, left), tables;
    size_t bytes = (left + 1) * entry;
    assert_int_equal(fhec_alloc(b->machine, "tables", bytes + sizeof addends, 0, &tables), FHEC_OK);
    assert_int_equal(fhec_write(b->machine, tables, factors, bytes), FHEC_OK);
    assert_int_equal(fhec_write(b->machine, tables + bytes, addends, sizeof addends), FHEC_OK);
    LAUNCH(b, FH_POLY_SWITCH_PAIR, in, out, tables, tables + bytes);
    poly_compare(b, "switch of two", out, left, want, 1);
    assert_int_equal(fhec_release(b->machine, tables), FHEC_OK);
    free(x);
}

static uint64_t inverse_mod_2n(uint64_t g, uint64_t n) {
    uint64_t inverse = g;
    for (int i = 0; i < 5; i++)
        inverse *= 2 - g * inverse;
    return inverse & (2 * n - 1);
}

static void try_automorphism(struct poly_bench *b, uint64_t g) {
    uint64_t *x = poly_hostile(b, 1), *want = make_array(b->limbs * b->n);
    uint64_t in = poly_put(b, b->limbs, x), out = poly_room(b, b->limbs),
             back = poly_room(b, b->limbs);
    g &= 2 * b->n - 1;
    uint64_t inverse = inverse_mod_2n(g, b->n);
    for (size_t i = 0; i < b->limbs; i++)
        require_ok("automorphism", fh_golden_automorphism_eval(b->n, g, FH_GOLDEN_BITREV,
                                                               x + i * b->n, want + i * b->n));
    LAUNCH(b, FH_POLY_AUTOMORPHISM, in, out, g | g >> 1 << 32);
    poly_compare(b, "automorphism", out, b->limbs, want, 1);
    LAUNCH(b, FH_POLY_AUTOMORPHISM, out, back, inverse | inverse >> 1 << 32);
    poly_compare(b, "automorphism and its inverse", back, b->limbs, x, 1);
}

/* ---------------------------------------------------------------- tests */

typedef void attempt_fn(struct poly_bench *b, unsigned round);

/* One attempt on every unit and chain that go together. */
static void everywhere(fhec_engine engine, attempt_fn *attempt, unsigned log2_n, unsigned rounds,
                       size_t digits) {
    fhec_machine *machine = programs_machine(engine, 2);
    for (unsigned unit = 0; unit < POLY_UNITS; unit++)
        for (size_t c = 0; c < POLY_CHAINS; c++)
            for (unsigned round = 0; round < rounds; round++) {
                struct poly_bench b;
                if (poly_chains[c].words == 2 && unit <= FH_UNIT_GME32)
                    continue;
                poly_start(&b, machine, unit, &poly_chains[c], log2_n, digits);
                b.seed = 1000 * c + 100 * unit + 10 * round;
                attempt(&b, round);
                poly_stop(&b);
            }
    fhec_machine_free(machine);
}

static void attempt_products(struct poly_bench *b, unsigned round) {
    (void)round;
    try_binary(b);
    poly_release(b);
    try_pairs(b);
}

static void attempt_inner(struct poly_bench *b, unsigned round) {
    (void)round;
    try_inner(b);
}

static void attempt_moves(struct poly_bench *b, unsigned round) {
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
    for (size_t i = 0; i < COUNT_OF(digits); i += SLOW_BUILD ? 2 : 1)
        everywhere(FHEC_ENGINE_FAST, attempt_inner, 8 + i % 2, 1, digits[i]);
}

static void poly_moves(void **state) {
    (void)state;
    everywhere(FHEC_ENGINE_FAST, attempt_moves, 8, 5, 0);
    everywhere(FHEC_ENGINE_FAST, attempt_moves, 12, 2, 0);
}

static void attempt_all(struct poly_bench *b, unsigned round) {
    attempt_products(b, round);
    poly_release(b);
    try_constants(b, round);
    poly_release(b);
    try_inner(b);
    poly_release(b);
    attempt_moves(b, round);
}

static void poly_on_the_reference_engine(void **state) {
    (void)state;
    everywhere(FHEC_ENGINE_REF, attempt_all, 8, 1, 2);
}

/* Moduli near each other, the smallest and the largest of a kind beside each other; seven limbs at
 * 2^17 are more than one share. */
static void poly_pairs_of_limbs(void **state) {
    (void)state;
    static const struct poly_chain near[] = {
        {1, 4, {1073741789, 536870923, 1073741783, 1073741741}},
        {1, 5, {2147483647, 1073741827, 2147483629, 1073741831, 2147483587}},
        {1, 4, {2654435769, 2147483659, 2654435761, 2279473153}},
        {1, 4, {4294967291, 2147483659, 4294967279, 4294967295}},
        {2,
         5,
         {1152921504606846883, 576460752303423619, 1152921504606846975, 1152921504606846869,
          1152921504606846803}},
        {2, 4, {1099511627689, 549755813893, 549755813911, 1099511627775}},
    };
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 2);
    for (unsigned unit = 0; unit < POLY_UNITS; unit++)
        for (size_t c = 0; c < COUNT_OF(near); c++) {
            struct poly_bench b;
            if (near[c].words == 2 && unit <= FH_UNIT_GME32)
                continue;
            poly_start(&b, machine, unit, &near[c], c % 2 ? 10 : 8, 0);
            try_switch_pair(&b);
            poly_stop(&b);
        }
    static const struct poly_chain many = {
        1, 10, {1217, 1153, 929, 769, 1409, 1481, 1361, 1289, 1291, 1487}};
    struct poly_bench b;
    poly_start(&b, machine, FH_UNIT_GME64, &many, SLOW_BUILD ? 8 : 17, 0);
    assert_true(SLOW_BUILD || b.poly.paired_at_once < 8);
    try_switch_pair(&b);
    poly_stop(&b);
    fhec_machine_free(machine);
}

/* Addresses far apart: shares of limbs, keys beyond an address's offset. */
static void poly_large(void **state) {
    (void)state;
    static const struct poly_chain narrow = {1, 2, {1073479681, 1071513601}};
    static const struct poly_chain wide = {2, 2, {1152921504606584833, 1152921504598720513}};
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 2);
    for (unsigned unit = 0; unit < POLY_UNITS && !SLOW_BUILD; unit++) {
        struct poly_bench b;
        poly_start(&b, machine, unit, unit < FH_UNIT_CUDA64 ? &narrow : &wide, 17, 9);
        b.seed = unit;
        try_inner(&b);
        poly_stop(&b);
        poly_start(&b, machine, unit, unit < FH_UNIT_CUDA64 ? &narrow : &wide, 17, 0);
        try_automorphism(&b, 5);
        poly_stop(&b);
    }
    fhec_machine_free(machine);
}

/* Many limbs: a thread takes as many as its offsets reach, and the last share is a part. */
static void poly_shares(void **state) {
    (void)state;
    static const struct poly_chain narrow = {
        1, 10, {97, 193, 257, 353, 449, 577, 641, 769, 929, 1153}};
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 2);
    struct poly_bench b;
    poly_start(&b, machine, FH_UNIT_GME64, &narrow, 17, 0);
    assert_true(b.poly.rotated_at_once < 10);
    try_automorphism(&b, 5);
    poly_release(&b);
    try_switch(&b);
    poly_stop(&b);
    poly_start(&b, machine, FH_UNIT_CUDA64, &narrow, 16, 0);
    try_switch(&b);
    poly_stop(&b);
    fhec_machine_free(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poly_sums_and_products),       cmocka_unit_test(poly_constants),
        cmocka_unit_test(poly_inner_products),          cmocka_unit_test(poly_moves),
        cmocka_unit_test(poly_on_the_reference_engine), cmocka_unit_test(poly_large),
        cmocka_unit_test(poly_pairs_of_limbs),          cmocka_unit_test(poly_shares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
