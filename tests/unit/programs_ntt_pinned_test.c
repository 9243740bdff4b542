/*
 * The pinned hashes of transforms from the kernels of every map.
 */
#include "programs_util.h"

/* Elements of a map's width in the width of the row, in place. */
static void change_width(void *data, size_t count, unsigned from_bits, size_t to_bytes) {
    if (from_bits == 64 && to_bytes == 4)
        for (size_t i = 0; i < count; i++) {
            uint64_t wide;
            memcpy(&wide, (char *)data + 8 * i, 8);
            uint32_t narrow = (uint32_t)wide;
            memcpy((char *)data + 4 * i, &narrow, 4);
        }
}

static void check_pinned(fhec_machine *machine, const fh_golden_pinned *row, const uint64_t *q,
                         const uint64_t *in) {
    size_t n = (size_t)1 << row->log2_n, count = row->limbs * n;
    const struct fh_map *map;
    const bool few = !SLOW_BUILD && !getenv("FHEC_TEST_LONG");
    const unsigned parts = few ? 3 : row->log2_n >= 14 ? 2 : 1;
    for (size_t i = 0; (map = programs_map(FH_WORKLOAD_NTT, i)) != NULL; i++) {
        struct fh_error error;
        char hex[FH_GOLDEN_HASH_CHARS];
        if (row->bits > map->word_bits || (row->bits + row->log2_n + i) % parts ||
            (SLOW_BUILD && (row->log2_n + row->bits + i) % 3))
            continue;
        void *data = programs_pack(map, in, count);
        const struct fh_ntt_params params = {
            .map = map->name,
            .n = n,
            .limbs = row->limbs,
            .q = q,
            .inverse = row->workload == FH_GOLDEN_INTT,
            .order = row->order,
            .options = programs_options(),
        };
        assert_int_equal(
            fh_ntt_run(machine, &params, data, count * map->word_bits / 8, data, &error), FHEC_OK);
        change_width(data, count, map->word_bits, fh_golden_pinned_element_bytes(row));
        fh_golden_hash_bytes(data, count * fh_golden_pinned_element_bytes(row), hex);
        if (strcmp(hex, row->hash) != 0)
            fail_msg("log2 N %u, %u bits, %u limbs, %s: %s by %s, pinned %s", row->log2_n,
                     row->bits, row->limbs, params.inverse ? "inverse" : "forward", hex, map->name,
                     row->hash);
        free(data);
    }
}

/* The pinned hashes, which the reference justifies by the definition, from every map that can hold
 * the elements, or every second one for large transforms; but for long runs from every third one.
 */
static void pinned_hashes(void **state) {
    (void)state;
    unsigned narrow = 0, wide = 0;
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    for (size_t r = 0; r < fh_golden_pinned_count(); r++) {
        const fh_golden_pinned *row = fh_golden_pinned_row(r);
        if ((row->workload != FH_GOLDEN_NTT && row->workload != FH_GOLDEN_INTT) ||
            row->bits > FH_MAX_MODULUS_BITS_64 || row->log2_n < FH_NTT_MIN_LOG2 ||
            row->log2_n > (SLOW_BUILD ? 11 : FH_NTT_MAX_LOG2) || row->limbs > MAX_LIMBS)
            continue;
        size_t n = (size_t)1 << row->log2_n;
        uint64_t q[MAX_LIMBS], *in = malloc(row->limbs * n * sizeof *in);
        assert_non_null(in);
        assert_int_equal(fh_golden_prime_chain(n, row->bits, row->limbs, q), FH_GOLDEN_OK);
        assert_int_equal(
            fh_golden_generate_limbs(FH_GOLDEN_RANDOM, row->seed, row->limbs, q, n, in),
            FH_GOLDEN_OK);
        check_pinned(machine, row, q, in);
        free(in);
        *(row->bits > 32 ? &wide : &narrow) += 1;
    }
    fhec_machine_free(machine);
    print_message("# pinned rows: %u of up to 32 bits, %u of more\n", narrow, wide);
    assert_true(narrow > 20);
    assert_true(wide > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pinned_hashes)};
    return cmocka_run_group_tests_name("programs_ntt_pinned", tests, NULL, NULL);
}
