/*
 * session_cut_test.c - a run cut into pieces at random places equals the uninterrupted one: random
 * programs, on both engines and at every SIMD level of this host, by memory, counters and faults;
 * one of three in an order of warps by a seed.
 *
 * The environment can choose: FHEC_TEST_SEED; FHEC_TEST_LONG, for LONG programs instead of SHORT. A
 * failure prints seed and number of the program.
 */
#include <inttypes.h>

#include "cut.h"
#include "emu_util.h"
#include "engine_levels.h"
#include "random_program.h"
#include "slow_build.h"

enum { SHORT = SLOW_BUILD ? 10 : 60, LONG = 10000, STEPS = 100000 };

/* All that can be seen of a launch when it has ended. */
struct result {
    fhec_machine *machine;
    fhec_status status;
    fhec_stats stats;
    uint8_t memory[RP_GLOBAL];
};

/* The launch on a machine of its own: in one go without a cutter. */
static void run(const struct random_program *program, const fhec_program *loaded, size_t engine,
                const fhec_order *order, struct cutter *cutter, struct result *r) {
    const fhec_machine_options options = {.engine = engine_choices[engine].engine,
                                          .simd = engine_choices[engine].simd,
                                          .threads = 1,
                                          .order = *order};
    struct emu_rng rng = {.state = UINT64_C(0x9e3779b97f4a7c15)};
    uint8_t params[RP_PARAMS];
    uint64_t buffer;
    assert_int_equal(fhec_machine_new(&options, &r->machine), FHEC_OK);
    fhec_machine_count(r->machine, true);
    assert_int_equal(fhec_alloc(r->machine, "buffer", RP_GLOBAL, 0, &buffer), FHEC_OK);
    for (size_t i = 0; i < sizeof r->memory; i += 4) {
        uint32_t value = emu_value(&rng);
        memcpy(r->memory + i, &value, 4);
    }
    assert_int_equal(fhec_write(r->machine, buffer, r->memory, sizeof r->memory), FHEC_OK);
    memcpy(params, &buffer, 8);
    for (size_t i = 8; i < sizeof params; i += 4) {
        uint32_t value = emu_value(&rng) | 1; /* a modulus must not be 0 */
        memcpy(params + i, &value, 4);
    }
    const fhec_launch launch = {.program = loaded,
                                .grid = {program->blocks, 1, 1},
                                .block = {program->threads, 1, 1},
                                .params = params,
                                .param_bytes = sizeof params,
                                .max_steps = STEPS};
    r->status = cutter ? cut_run(cutter, r->machine, &launch) : fhec_run(r->machine, &launch);
    assert_int_equal(fhec_read(r->machine, buffer, r->memory, sizeof r->memory), FHEC_OK);
    assert_int_equal(fhec_machine_stats(r->machine, &r->stats), FHEC_OK);
}

static const char *differ_faults(const fhec_fault *a, const fhec_fault *b) {
    if (!a != !b)
        return "one has faulted";
    if (a && (a->kind != b->kind || a->pc != b->pc || a->warp != b->warp || a->lanes != b->lanes ||
              memcmp(a->block, b->block, sizeof a->block) != 0 || a->address != b->address ||
              strcmp(a->message, b->message) != 0))
        return "the faults differ";
    return NULL;
}

/* What differs; NULL: nothing. */
static const char *differ(const struct result *a, const struct result *b) {
    const char *faults =
        differ_faults(fhec_machine_fault(a->machine), fhec_machine_fault(b->machine));
    if (a->status != b->status)
        return "they end with another status";
    if (faults)
        return faults;
    if (memcmp(a->memory, b->memory, sizeof a->memory) != 0)
        return "memory differs";
    if (a->stats.warp_insts != b->stats.warp_insts ||
        a->stats.thread_insts != b->stats.thread_insts || a->stats.launches != b->stats.launches ||
        a->stats.count_count != b->stats.count_count)
        return "the counts differ";
    for (size_t i = 0; i < a->stats.count_count; i++)
        if (strcmp(a->stats.counts[i].mnemonic, b->stats.counts[i].mnemonic) != 0 ||
            a->stats.counts[i].warp != b->stats.counts[i].warp ||
            a->stats.counts[i].thread != b->stats.counts[i].thread)
            return "the counts of an opcode differ";
    return NULL;
}

static uint64_t setting(const char *name, uint64_t otherwise) {
    const char *value = getenv(name);
    return value ? strtoull(value, NULL, 0) : otherwise;
}

static void random_programs(void **unused) {
    (void)unused;
    static struct random_program program;
    const uint64_t seed = setting("FHEC_TEST_SEED", 20240607);
    const uint64_t count = getenv("FHEC_TEST_LONG") ? LONG : SHORT;
    struct emu_rng rng = {.state = seed | UINT64_C(1) << 63};
    uint64_t stops = 0, instructions = 0, faults = 0;
    for (uint64_t n = 0; n < count; n++) {
        static struct result whole, pieces;
        const bool is_short = n % 4 == 0;
        const fhec_order order = {.kind = n % 3 == 2 ? FHEC_ORDER_SEED : FHEC_ORDER_DEFAULT,
                                  .seed = seed + n};
        random_program(&rng, is_short ? 150 : 400, is_short ? 1 : 60, &program);
        fhec_program *loaded = random_program_load(&program);
        run(&program, loaded, 0, &order, NULL, &whole);
        for (size_t e = 0; e < ENGINE_CHOICES; e++) {
            if (!emu_has_simd(engine_choices[e].simd))
                continue;
            struct cutter cutter = {.rng = {.state = emu_next(&rng) | 1},
                                    .longest = e ? UINT64_C(1) << emu_below(&rng, 13) : 4096};
            run(&program, loaded, e, &order, &cutter, &pieces);
            const char *difference = differ(&whole, &pieces);
            if (difference || cutter.wrong)
                fail_msg("seed %" PRIu64 ", program %" PRIu64 ", engine %s: %s", seed, n,
                         engine_choices[e].name, difference ? difference : cutter.wrong);
            stops += cutter.stops;
            fhec_machine_free(pieces.machine);
        }
        instructions += whole.stats.warp_insts;
        faults += whole.status == FHEC_GUEST_FAULT;
        fhec_machine_free(whole.machine);
        fhec_program_free(loaded);
    }
    print_message("# seed %" PRIu64 ": %" PRIu64 " programs, %" PRIu64
                  " warp instructions, %" PRIu64 " faults, %" PRIu64 " stops\n",
                  seed, count, instructions, faults, stops);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs),
    };
    return cmocka_run_group_tests_name("session_cut", tests, NULL, NULL);
}
