/*
 * Allocations of the CKKS primitives can fail: a session is made with its first, sixth, ...
 * allocation refused until one succeeds; each time it says so and leaves nothing behind, and the
 * machine serves the next one. Most of the two thousand are the assembler's, which has a test that
 * leaves none out; FHEC_EVERY_ALLOCATION in the environment has this one do so too.
 */
#include "ckks_device.h"
#include "programs_util.h"
#include "refuse.h"

enum { N = 256, LIMBS = 2, KEY = 2 * 4 * N, LIMIT = 40000 };

/* hemult and rescale: all that there is to allocate. */
static fhec_status session(fhec_machine *machine, const char *map, const uint64_t *in,
                           const uint64_t *key_in, uint64_t *out, struct fh_error *error) {
    const struct fh_ckks_params params = {
        .map = map, .chain = {.log2_n = 8, .bits = 28, .limbs = LIMBS, .alpha = 2, .dnum = 1}};
    struct fh_ckks *ckks;
    uint64_t a = 0, b = 0, key = 0;
    fhec_status status = fh_ckks_make(machine, &params, &ckks, error);
    if (status != FHEC_OK) {
        assert_null(ckks);
        return status;
    }
    status = fh_ckks_alloc(ckks, LIMBS, 2, &a);
    if (status == FHEC_OK)
        status = fh_ckks_alloc(ckks, LIMBS, 2, &b);
    if (status == FHEC_OK)
        status = fh_ckks_write(ckks, LIMBS, 2, in, a);
    if (status == FHEC_OK)
        status = fh_ckks_write_key(ckks, key_in, &key);
    if (status == FHEC_OK)
        status = fh_ckks_hemult_rescale(ckks, LIMBS, a, a, key, b);
    if (status == FHEC_OK)
        status = fh_ckks_read(ckks, LIMBS - 1, 2, b, out);
    if (status != FHEC_OK)
        *error = *fh_ckks_error(ckks);
    const uint64_t places[] = {a, b, key};
    for (size_t i = 0; i < COUNT_OF(places); i++)
        if (places[i])
            assert_int_equal(fh_ckks_release(ckks, places[i]), FHEC_OK);
    fh_ckks_free(ckks);
    return status;
}

/* Returns how many allocations a session makes. */
static long refuse_each(const char *map, long stride) {
    static uint64_t in[2 * LIMBS * N], key[KEY], want[2 * N], out[2 * N];
    fhec_machine *machine = programs_machine(FHEC_ENGINE_FAST, 1);
    struct fh_error error;
    for (size_t i = 0; i < COUNT_OF(in); i++)
        in[i] = i * 7919;
    for (size_t i = 0; i < COUNT_OF(key); i++)
        key[i] = i * 10007;
    assert_int_equal(session(machine, map, in, key, want, &error), FHEC_OK);
    for (long allowed = 0; allowed < LIMIT; allowed += stride) {
        memset(out, 0x5a, sizeof out);
        error.text[0] = 0;
        refuse_after(allowed, true);
        fhec_status status = session(machine, map, in, key, out, &error);
        bool met = refuse_end();
        if (status == FHEC_OK) {
            assert_memory_equal(out, want, sizeof out);
            if (!met) {
                fhec_machine_free(machine);
                return allowed;
            }
            continue; /* an allocation that the machine can do without */
        }
        if (status != FHEC_HOST_ERROR || !error.text[0])
            fail_msg("map %s, allocation %ld refused: status %d, \"%s\"", map, allowed, (int)status,
                     error.text);
    }
    fail_msg("map %s: more than %d allocations", map, LIMIT);
    return 0;
}

/* One map will do: the planners of the others' transforms and base conversions have tests of their
 * own. */
static void each_allocation_fails(void **state) {
    (void)state;
    const long usual = SLOW_BUILD ? 149 : getenv("FHEC_TEST_LONG") ? 5 : 11;
    const long stride = getenv("FHEC_EVERY_ALLOCATION") ? 1 : usual;
    assert_true(refuse_each("gme32", stride) > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_fails)};
    return cmocka_run_group_tests_name("programs_ckks_oom", tests, NULL, NULL);
}
