/*
 * The transforms of every map with 64-bit words against the reference, in every shape. See
 * programs_shapes.c.
 */
#include "programs_shapes.h"

static void words_of_64_bits(void **state) {
    (void)state;
    programs_check_shapes(64);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_of_64_bits)};
    return cmocka_run_group_tests_name("programs_ntt64", tests, NULL, NULL);
}
