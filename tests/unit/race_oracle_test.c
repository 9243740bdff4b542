/*
 * race_oracle_test.c - the race checker beside an independent oracle: random programs, in which it
 * must find something where accesses race, and nothing else than what races.
 *
 * The environment can choose: FHEC_TEST_SEED; FHEC_TEST_SECONDS; FHEC_TEST_FIRST, the number of the
 * program to begin with; FHEC_TEST_LONG, for LONG seconds instead of SHORT. A failure prints seed,
 * number and the program made smaller; FHEC_TEST_SEED=s FHEC_TEST_FIRST=n repeats it at once. So
 * many are shown, of kinds of operations that differ: FHEC_TEST_FAILURES, else SHOWN.
 */
#include <inttypes.h>
#include <time.h>

#include "race_oracle.h"
#include "slow_build.h"

enum { SHORT = 4, LONG = 240, SHOWN = 8 };

static const char *const outcomes[OR_OUTCOMES] = {"agreed", "missed", "false alarm", "wrong pair",
                                                  "broken"};

/* The program without its head; all of it goes to a file of the folder FHEC_TEST_SAVE. */
static void show(const struct or_program *program, const struct or_result *result,
                 const char *name) {
    static char text[OR_TEXT];
    static uint8_t ops[OR_INSTRUCTIONS];
    const char *folder = getenv("FHEC_TEST_SAVE");
    char path[512];
    or_text(program, text, ops);
    snprintf(path, sizeof path, "%s/%s.sass", folder ? folder : "", name);
    FILE *file = folder ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "// --grid %u --block %u: %s\n%s", program->blocks, program->threads,
                result->message, text);
        fclose(file);
    }
    print_message("# grid %u, block %u, order %u: %s\n", program->blocks, program->threads,
                  program->order, result->message);
    for (char *p = strtok(strstr(text, OR_HEAD_END) + strlen(OR_HEAD_END), "\n"); p;
         p = strtok(NULL, "\n"))
        print_message("#     %s\n", p);
}

/* The kinds of its operations, and which outcome they have: failures alike are shown once. */
static bool is_new(const struct or_program *program, enum or_outcome outcome) {
    static uint64_t known[4096];
    static unsigned count;
    uint64_t hash = outcome;
    for (uint32_t i = 0; i < program->count; i++)
        hash = (hash * 31 + program->ops[i].kind) * 2 + program->ops[i].shared;
    for (unsigned i = 0; i < count; i++)
        if (known[i] == hash)
            return false;
    if (count < COUNT_OF(known))
        known[count++] = hash;
    return true;
}

static void random_programs(void **state) {
    (void)state;
    const uint64_t seed = emu_setting("FHEC_TEST_SEED", 20261128);
    const uint64_t seconds =
        emu_setting("FHEC_TEST_SECONDS", getenv("FHEC_TEST_LONG") ? LONG : SHORT);
    const time_t stop = time(NULL) + (time_t)seconds;
    struct or_bench *bench = or_bench_new();
    uint64_t counts[OR_OUTCOMES] = {0}, racy = 0, clean = 0, n = emu_setting("FHEC_TEST_FIRST", 0);
    const uint64_t most = emu_setting("FHEC_TEST_FAILURES", SHOWN);
    unsigned failures = 0, shown = 0;
    const uint64_t first = n;
    for (; time(NULL) < stop && shown < most; n++) {
        struct emu_rng rng = {.state = (seed + (n << 32)) * UINT64_C(0x9e3779b97f4a7c15) | 1u};
        struct or_program program;
        struct or_result result;
        for (unsigned i = 0; i < 4; i++)
            (void)emu_next(&rng);
        or_generate(&rng, &program);
        or_run(bench, &program, &result);
        counts[result.outcome]++;
        racy += result.racy;
        clean += result.clean;
        if (result.outcome == OR_AGREE)
            continue;
        failures++;
        or_shrink(bench, &program, result.outcome);
        or_run(bench, &program, &result);
        if (!is_new(&program, result.outcome))
            continue;
        shown++;
        print_message("# seed %" PRIu64 ", program %" PRIu64 ": %s, made smaller:\n", seed, n,
                      outcomes[result.outcome]);
        char name[64];
        snprintf(name, sizeof name, "%" PRIu64 "-%" PRIu64, seed, n);
        show(&program, &result, name);
    }
    print_message("# seed %" PRIu64 ": %" PRIu64 " programs, %" PRIu64 " racy, %" PRIu64 " clean",
                  seed, n - first, racy, clean);
    for (unsigned i = 0; i < OR_OUTCOMES; i++)
        print_message(", %" PRIu64 " %s", counts[i], outcomes[i]);
    print_message("\n");
    or_bench_free(bench);
    assert_int_equal(failures, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs),
    };
    return cmocka_run_group_tests_name("race oracle", tests, NULL, NULL);
}
