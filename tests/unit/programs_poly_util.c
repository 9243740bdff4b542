/*
 * programs_poly_util.c - what the tests of poly.sass share.
 */
#include "programs_poly_util.h"

#include "golden_util.h"
#include "programs_util.h"

const char *const poly_unit_names[POLY_UNITS] = {"cuda32", "gme32", "cuda64", "gme64"};

/* Largest and smallest of their bits, primes and not, and small ones beside large ones: the kernels
 * choose their reduction by the largest modulus, and with two words by the smallest one too. */
const struct poly_chain poly_chains[POLY_CHAINS] = {
    {1, 6, {268369921, 1073741789, 536870909, 536870913, 536903681, 1073741823}},
    {1, 5, {3, 5, 65537, 255, 1073479681}},
    {1, 4, {2147483647, 1073741825, 2147352577, 3}},
    {1, 5, {4294967295, 4294967291, 2147483649, 4293918721, 7}},
    {1, 4, {2654435769, 2279473153, 2147483649, 65537}},
    {1, 4, {2654435771, 2654435769, 2147483647, 3}},
    {2,
     6,
     {1152921504606846883, 1152921504606846975, 576460752303423489, 1152921504606584833,
      576460752303423487, 288230376151711745}},
    {2, 5, {549755813889, 1099511627775, 1099511627689, 35184372088777, 1125899906842597}},
    {2, 6, {4294967311, 8589934591, 8589934583, 1152921504606846975, 274877906943, 97}},
    {2, 3, {2199023255551, 1099511627791, 549755813911}},
};

static void start(struct poly_bench *b, fhec_machine *machine, struct fh_poly_params params,
                  const struct poly_chain *chain) {
    const enum fh_unit unit = params.unit;
    *b = (struct poly_bench){.machine = machine,
                             .chain = chain,
                             .unit = poly_unit_names[unit],
                             .options = programs_options()};
    params.least_bits = 64;
    for (size_t i = 0; i < chain->limbs; i++) {
        unsigned bits = 64 - (unsigned)__builtin_clzll(chain->q[i]);
        params.largest = chain->q[i] > params.largest ? chain->q[i] : params.largest;
        params.modulus_bits = bits > params.modulus_bits ? bits : params.modulus_bits;
        params.least_bits = bits < params.least_bits ? bits : params.least_bits;
    }
    b->n = (size_t)1 << params.log2_n;
    b->limbs = chain->limbs;
    b->words = unit == FH_UNIT_CUDA64 || unit == FH_UNIT_GME64 ? 2 : 1;
    if (fh_poly_make(&b->poly, &params, machine, &b->options, &b->error) != FHEC_OK)
        fail_msg("%s: %s", b->unit, b->error.text);
}

void poly_start(struct poly_bench *b, fhec_machine *machine, enum fh_unit unit,
                const struct poly_chain *chain, unsigned log2_n, size_t digits) {
    size_t limbs = chain->limbs;
    bool near = limbs > 2;
    for (size_t i = 0; i < limbs * limbs; i++)
        near = near && chain->q[i / limbs] / 2 < chain->q[i % limbs];
    const struct fh_poly_params params = {.log2_n = log2_n,
                                          .second = near ? chain->q[limbs - 2] : 0,
                                          .unit = unit,
                                          .digits = digits,
                                          .key_digits = digits + 1,
                                          .rotated = chain->limbs,
                                          .switched = chain->limbs - 1,
                                          .dropped = chain->q[chain->limbs - 1]};
    start(b, machine, params, chain);
}

void poly_start_sums(struct poly_bench *b, fhec_machine *machine, enum fh_unit unit,
                     const struct poly_chain *chain, unsigned log2_n, size_t terms) {
    const struct fh_poly_params params = {.log2_n = log2_n, .unit = unit, .terms = terms};
    start(b, machine, params, chain);
}
void poly_release(struct poly_bench *b) {
    while (b->buffer_count)
        assert_int_equal(fhec_release(b->machine, b->buffers[--b->buffer_count]), FHEC_OK);
}

void poly_stop(struct poly_bench *b) {
    poly_release(b);
    fh_poly_free(&b->poly);
}

uint64_t poly_room(struct poly_bench *b, size_t limbs) {
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

uint64_t poly_put(struct poly_bench *b, size_t limbs, const uint64_t *elements) {
    uint64_t address = poly_room(b, limbs);
    size_t count = limbs * b->n;
    uint32_t *narrow = b->words == 1 ? programs_narrow(elements, count) : NULL;
    assert_int_equal(fhec_write(b->machine, address, narrow ? (const void *)narrow : elements,
                                count * b->words * 4),
                     FHEC_OK);
    free(narrow);
    return address;
}

static uint64_t *get(struct poly_bench *b, size_t limbs, uint64_t address) {
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

uint64_t *poly_hostile(struct poly_bench *b, unsigned times) {
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

void poly_fill_modulus(const struct fh_poly_params *params, uint64_t q, uint64_t c, void *entry) {
    (void)c;
    fh_poly_modulus(params, q, entry);
}

void poly_fill_inner(const struct fh_poly_params *params, uint64_t q, uint64_t c, void *entry) {
    (void)c;
    fh_poly_inner_modulus(params, q, entry);
}

uint64_t poly_table(struct poly_bench *b, poly_fill_fn *fill, const uint64_t *c) {
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

void poly_launch(struct poly_bench *b, enum fh_poly_kernel kernel, const uint64_t *params,
                 size_t count) {
    if (fh_poly_run(&b->poly, kernel, b->limbs, params, count) != FHEC_OK)
        fail_msg("%s, kernel %d: %s", b->unit, (int)kernel, b->error.text);
}

/* What is at `address` must have the residues `want` and be below `times` q (0: any). Frees want.
 */
void poly_compare(struct poly_bench *b, const char *what, uint64_t address, size_t limbs,
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
