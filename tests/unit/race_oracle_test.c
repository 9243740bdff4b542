/*
 * race_oracle_test.c - the race checker beside an independent oracle: random programs, in which it
 * must find something where accesses race, and nothing else than what races.
 *
 * The environment can choose: FHEC_TEST_SEED; FHEC_TEST_SECONDS; FHEC_TEST_FIRST, the number of the
 * program to begin with; FHEC_TEST_LONG, for LONG seconds instead of SHORT; FHEC_TEST_FAILURES, how
 * many failures are shown, of kinds of operations that differ, instead of SHOWN; FHEC_TEST_SAVE, a
 * folder for their sources. A failure prints seed, number and the program made smaller, without its
 * head: FHEC_TEST_SEED=s FHEC_TEST_FIRST=n FHEC_TEST_FAILURES=1 repeats it at once.
 */
#include <inttypes.h>
#include <time.h>

#include "race_oracle.h"

/* Seconds of a processor of each of two tests, and how many times as long they may take where
 * others need it, too. */
enum { SHORT = 2, LONG = 120, PATIENCE = 3, SHOWN = 8 };

static const char *const outcomes[OR_OUTCOMES] = {"agreed", "missed", "false alarm", "wrong pair",
                                                  "broken"};

/* Prints the program without its head; all of it goes to a file of the folder FHEC_TEST_SAVE. */
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

static struct or_program numbered(uint64_t seed, uint64_t number) {
    struct emu_rng rng = {.state = (seed + (number << 32)) * UINT64_C(0x9e3779b97f4a7c15) | 1u};
    struct or_program program;
    for (unsigned i = 0; i < 4; i++)
        (void)emu_next(&rng);
    or_generate(&rng, &program);
    return program;
}

struct totals {
    uint64_t programs, racy, clean, outcomes[OR_OUTCOMES];
};

static void print_totals(const struct totals *totals, uint64_t seed) {
    print_message("# seed %" PRIu64 ": %" PRIu64 " programs, %" PRIu64 " racy, %" PRIu64 " clean",
                  seed, totals->programs, totals->racy, totals->clean);
    for (unsigned i = 0; i < OR_OUTCOMES; i++)
        print_message(", %" PRIu64 " %s", totals->outcomes[i], outcomes[i]);
    print_message("\n");
}

/* Runs random programs; those with one of the outcomes of the mask `wrong` are made smaller and
 * shown. */
static void run_random(unsigned wrong) {
    const uint64_t seed = emu_setting("FHEC_TEST_SEED", 20261128);
    const uint64_t usual = getenv("FHEC_TEST_LONG") ? LONG : SHORT;
    const uint64_t seconds = emu_setting("FHEC_TEST_SECONDS", usual);
    const clock_t stop = clock() + (clock_t)seconds * CLOCKS_PER_SEC;
    const time_t end = time(NULL) + (time_t)(PATIENCE * seconds);
    const uint64_t most = emu_setting("FHEC_TEST_FAILURES", SHOWN);
    struct or_bench *bench = or_bench_new();
    struct totals totals = {0};
    uint64_t failures = 0, shown = 0;
    for (uint64_t n = emu_setting("FHEC_TEST_FIRST", 0);
         clock() < stop && time(NULL) < end && shown < most; n++) {
        struct or_program program = numbered(seed, n);
        struct or_result result;
        char name[64];
        or_run(bench, &program, &result);
        totals.programs++;
        totals.outcomes[result.outcome]++;
        totals.racy += result.racy;
        totals.clean += result.clean;
        if (!(wrong >> result.outcome & 1))
            continue;
        failures++;
        or_shrink(bench, &program, result.outcome);
        or_run(bench, &program, &result);
        if (!is_new(&program, result.outcome))
            continue;
        shown++;
        print_message("# seed %" PRIu64 ", program %" PRIu64 ": %s, made smaller:\n", seed, n,
                      outcomes[result.outcome]);
        snprintf(name, sizeof name, "%" PRIu64 "-%" PRIu64, seed, n);
        show(&program, &result, name);
    }
    print_totals(&totals, seed);
    or_bench_free(bench);
    assert_int_equal(failures, 0);
}

static void random_programs(void **state) {
    (void)state;
    run_random(1U << OR_MISS | 1U << OR_FALSE_ALARM | 1U << OR_BROKEN);
}

/* Of racy programs: whether each finding is about two instructions that race. */
static void random_pairs(void **state) {
    (void)state;
    run_random(1U << OR_NO_PAIR);
}

/* What the oracle says of programs that are known, whatever the checker finds. */
static void known_programs(void **state) {
    struct or_bench *bench = or_bench_new();
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < or_case_count; i++) {
        const struct or_case *c = &or_cases[i];
        const struct or_program program = or_case_program(c);
        struct or_result result;
        or_run(bench, &program, &result);
        const bool doubtful = c->races == OR_DOUBTFUL;
        if (result.outcome != OR_BROKEN && result.must == (doubtful ? 0 : c->races) &&
            result.clean == (c->races == 0))
            continue;
        wrong++;
        print_message("# %s: races of kinds 0x%x, perhaps 0x%x; expected 0x%x\n", c->name,
                      result.must, result.may, c->races);
        show(&program, &result, "known");
    }
    or_bench_free(bench);
    assert_int_equal(wrong, 0);
}

/* What the checker finds in them. */
static void known_programs_checked(void **state) {
    struct or_bench *bench = or_bench_new();
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < or_case_count; i++) {
        const struct or_program program = or_case_program(&or_cases[i]);
        struct or_result result;
        or_run(bench, &program, &result);
        if (result.outcome == OR_AGREE)
            continue;
        wrong++;
        print_message("# %s: %s\n", or_cases[i].name, outcomes[result.outcome]);
        show(&program, &result, "checked");
    }
    or_bench_free(bench);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_programs),
        cmocka_unit_test(known_programs_checked),
        cmocka_unit_test(random_programs),
        cmocka_unit_test(random_pairs),
    };
    return cmocka_run_group_tests_name("race oracle", tests, NULL, NULL);
}
