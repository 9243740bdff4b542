/*
 * lint_compiled_test.c - the checker of scheduling fields on code that ptxas made, which is the
 * measure of what is safe: nothing is found in any of it, and fields made worse are found.
 *
 * Also, that latencies are not far below what ptxas takes care of: of stalls made 1, waits left out
 * and scoreboards not set, most are found. The rest is slack of the compiled code: a second
 * scoreboard beside another one, or waits for what nothing reads any more.
 */
#include "cubin_util.h"
#include "lint_util.h"

static const char *const files[] = {"bits.O1.cubin",      "bits.O3.cubin",      "control.O1.cubin",
                                    "control.O3.cubin",   "divide.O1.cubin",    "divide.O3.cubin",
                                    "lanes.O1.cubin",     "lanes.O3.cubin",     "memory.O1.cubin",
                                    "memory.O3.cubin",    "modular.O1.cubin",   "modular.O3.cubin",
                                    "transform.O1.cubin", "transform.O3.cubin", "wide.O1.cubin",
                                    "wide.O3.cubin",      "linked.cubin"};
enum { FILES = sizeof files / sizeof files[0] };

static void compiled_code_is_safe(void **state) {
    (void)state;
    uint64_t words = 0;
    for (unsigned i = 0; i < FILES; i++) {
        fhec_program *program = cubin_program(files[i]);
        lint_expect_silence(program, files[i]);
        for (uint32_t k = 0; k < program->kernel_count; k++)
            words += program->kernels[k].word_count;
        fhec_program_free(program);
    }
    print_message("# %llu instructions in %u files\n", (unsigned long long)words, FILES);
    assert_true(words > 10000);
}

static void worse_fields_are_found(void **state) {
    (void)state;
    struct lint_score score = {.tried = {0}};
    for (unsigned i = 0; i < FILES; i++) {
        fhec_program *program = cubin_program(files[i]);
        lint_mutate(program, 3, &score);
        fhec_program_free(program);
    }
    lint_print_score("compiled", &score);
    static const unsigned least[LINT_MUTATIONS] = {80, 90, 90, 40}; /* percent */
    for (unsigned how = 0; how < LINT_MUTATIONS; how++) {
        assert_true(score.tried[how] > 20);
        assert_true(score.found[how] * 100 >= score.tried[how] * least[how]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiled_code_is_safe),
        cmocka_unit_test(worse_fields_are_found),
    };
    return cmocka_run_group_tests_name("lint_compiled", tests, NULL, NULL);
}
