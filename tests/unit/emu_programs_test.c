/*
 * emu_programs_test.c - whole random programs on the reference engine and on the fast engine at
 * every SIMD level of this host: after each block registers, predicates, uniform registers, all
 * memory, counts and what is left of the control flow must be the same, and where a program faults,
 * the fault. Some are compared after every instruction, and some again on two host threads.
 *
 * The environment can choose: FHEC_TEST_SEED, FHEC_TEST_SECONDS (without it: until LEAST
 * instructions have run). A failure prints seed, number and the program made smaller: without
 * everything that it does not need to fail.
 */
#include <inttypes.h>
#include <time.h>
#include <xxhash.h>

#include "dataflow.h"
#include "emu_util.h"
#include "machine.h"
#include "random_program.h"
#include "schedule.h"
#include "slow_build.h"
#include "state.h"
#include "watch.h"

enum {
    ENGINES = 4,
    LEAST = SLOW_BUILD ? 500000 : 5000000, /* warp instructions of the reference */
    LONG = 2 * LEAST,
    STEPS = 100000, /* of one program */
    REPAIRS = 200,
};

struct engine {
    const char *name;
    fhec_engine engine;
    fhec_simd simd;
    bool there;
};

static struct engine engines[ENGINES] = {
    {"ref", FHEC_ENGINE_REF, FHEC_SIMD_BEST, true},
    {"portable", FHEC_ENGINE_FAST, FHEC_SIMD_PORTABLE, true},
    {"avx2", FHEC_ENGINE_FAST, FHEC_SIMD_AVX2, false},
    {"avx512", FHEC_ENGINE_FAST, FHEC_SIMD_AVX512, false},
};

/* One engine with a launch of the program. */
struct run {
    fhec_machine *machine;
    struct fh_state *state;
    uint64_t buffer;
    uint8_t params[RP_PARAMS];
    enum fh_outcome outcome;
    struct fh_watched_code code;
    struct fh_watch watch;
    uint64_t hash;    /* of all that the hook has seen */
    uint64_t *hashes; /* NULL, or room for STEPS of them */
    uint32_t seen;
};

/* ---------------------------------------------------------------- launches */

static fhec_launch launch_of(const struct random_program *program, const fhec_program *shell,
                             struct run *r) {
    struct emu_rng rng = {.state = UINT64_C(0x9e3779b97f4a7c15)};
    uint8_t first[RP_GLOBAL];
    assert_int_equal(fhec_alloc(r->machine, "buffer", RP_GLOBAL, 0, &r->buffer), FHEC_OK);
    for (size_t i = 0; i < sizeof first; i += 4) {
        uint32_t value = emu_value(&rng);
        memcpy(first + i, &value, 4);
    }
    assert_int_equal(fhec_write(r->machine, r->buffer, first, sizeof first), FHEC_OK);
    memcpy(r->params, &r->buffer, 8);
    for (size_t i = 8; i < sizeof r->params; i += 4) {
        uint32_t value = emu_value(&rng) | 1; /* a modulus must not be 0 */
        memcpy(r->params + i, &value, 4);
    }
    return (fhec_launch){.program = shell,
                         .grid = {program->blocks, 1, 1},
                         .block = {program->threads, 1, 1},
                         .params = r->params,
                         .param_bytes = sizeof r->params,
                         .max_steps = STEPS};
}

static void begin(struct run *r, const struct engine *e, const struct random_program *program,
                  const fhec_program *shell) {
    *r = (struct run){.machine = emu_machine(e->engine, e->simd, 1)};
    fhec_launch launch = launch_of(program, shell, r);
    assert_int_equal(fh_state_new(r->machine, &launch, &r->state), FHEC_OK);
    r->state->launch.max_steps = STEPS;
    r->state->launch.counts = calloc(r->state->image.count + 1u, sizeof *r->state->launch.counts);
    assert_non_null(r->state->launch.counts);
}

static void end(struct run *r) {
    fh_watch_free(&r->watch);
    fh_watched_code_free(&r->code);
    fh_state_free(r->state);
    fhec_machine_free(r->machine);
    free(r->hashes);
}

/* ---------------------------------------------------------------- comparing */

/* What differs, in words; "" if nothing does. */
struct difference {
    char text[400];
};

static void differ(struct difference *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void differ(struct difference *d, const char *format, ...) {
    va_list args;
    if (*d->text)
        return;
    va_start(args, format);
    (void)vsnprintf(d->text, sizeof d->text, format, args);
    va_end(args);
}

static void compare_warps(const struct fh_flow *x, const struct fh_flow *y, struct difference *d) {
    uint32_t warp = x->w.index;
    for (unsigned n = 0; n < FH_RZ; n++)
        for (unsigned l = 0; l < FH_LANES; l++)
            if (x->w.r[n][l] != y->w.r[n][l])
                differ(d, "R%u of warp %u, lane %u is 0x%08x, not 0x%08x", n, warp, l, y->w.r[n][l],
                       x->w.r[n][l]);
    for (unsigned n = 0; n < FH_PT; n++) {
        if (x->w.p[n] != y->w.p[n])
            differ(d, "P%u of warp %u is 0x%08x, not 0x%08x", n, warp, y->w.p[n], x->w.p[n]);
        if (x->w.up[n] != y->w.up[n])
            differ(d, "UP%u of warp %u is %u, not %u", n, warp, y->w.up[n], x->w.up[n]);
    }
    for (unsigned n = 0; n < FH_URZ; n++)
        if (x->w.ur[n] != y->w.ur[n])
            differ(d, "UR%u of warp %u is 0x%08x, not 0x%08x", n, warp, y->w.ur[n], x->w.ur[n]);
    if (x->ended != y->ended || x->waiting != y->waiting || x->issued != y->issued ||
        memcmp(x->set, y->set, sizeof x->set) != 0 ||
        memcmp(x->red_count, y->red_count, sizeof x->red_count) != 0 ||
        x->red_truth != y->red_truth)
        differ(d,
               "the control state of warp %u: ended 0x%08x and 0x%08x, issued %" PRIu64
               " and %" PRIu64,
               warp, y->ended, x->ended, y->issued, x->issued);
}

static void compare_bytes(const uint8_t *x, const uint8_t *y, size_t size, const char *space,
                          struct difference *d) {
    for (size_t i = 0; i < size && !*d->text; i++)
        if (x[i] != y[i])
            differ(d, "%s memory at 0x%zx is 0x%02x, not 0x%02x", space, i, y[i], x[i]);
}

static void compare_counts(const struct run *x, const struct run *y, struct difference *d) {
    const struct fh_op_count *a = x->state->launch.counts, *b = y->state->launch.counts;
    for (uint32_t i = 0; i < x->state->image.count; i++)
        if (a[i].warp != b[i].warp || a[i].thread != b[i].thread)
            differ(d,
                   "the instruction at 0x%x ran %" PRIu64 " times for %" PRIu64
                   " threads, not %" PRIu64 " and %" PRIu64,
                   i * (unsigned)FH_INST_BYTES, b[i].warp, b[i].thread, a[i].warp, a[i].thread);
}

static void compare_faults(const struct run *x, const struct run *y, struct difference *d) {
    const struct fh_fault_record *a = &x->state->launch.fault, *b = &y->state->launch.fault;
    if (a->kind != b->kind || a->lanes != b->lanes || a->address != b->address ||
        a->warp != b->warp || (a->op && b->op && a->op->pc != b->op->pc) ||
        strcmp(a->message, b->message) != 0)
        differ(d, "the fault is `%s` of lanes 0x%08x, not `%s` of lanes 0x%08x", b->message,
               b->lanes, a->message, a->lanes);
}

/* The whole state after a block. */
static void compare(const struct run *x, const struct run *y, struct difference *d) {
    const struct fh_image *image = &x->state->image;
    if (x->outcome != y->outcome)
        differ(d, "it ends with %d (%s), not with %d (%s)", y->outcome,
               y->state->launch.fault.message, x->outcome, x->state->launch.fault.message);
    compare_faults(x, y, d);
    for (uint32_t n = 0; n < x->seen && n < y->seen && !*d->text; n++)
        if (x->hashes[n] != y->hashes[n])
            differ(d, "after instruction number %u the effects differ", n);
    compare_counts(x, y, d);
    for (uint32_t w = 0; w < image->warps; w++)
        compare_warps(&x->state->block->warps[w], &y->state->block->warps[w], d);
    compare_bytes(x->state->block->shared, y->state->block->shared, image->shared_bytes, "shared",
                  d);
    compare_bytes(x->state->block->local, y->state->block->local,
                  (size_t)image->local_bytes * image->threads, "local", d);
    compare_bytes(x->state->launch.memory->list[0].bytes, y->state->launch.memory->list[0].bytes,
                  RP_GLOBAL, "global", d);
}

/* ---------------------------------------------------------------- every instruction */

static void mix(struct run *r, const void *bytes, size_t size) {
    r->hash = XXH3_64bits_withSeed(bytes, size, r->hash);
}

static unsigned wants(void *user, const struct fh_image *image, const struct fh_op *op) {
    (void)user, (void)image, (void)op;
    return FH_AFTER;
}

/* Registers R that the instruction may have written, and all predicates and uniform registers. */
static bool after(void *user, const struct fh_issue *issue) {
    struct run *r = user;
    const struct fh_warp *w = &issue->flow->w;
    const uint64_t what[3] = {issue->op->pc, w->index, issue->active};
    struct fh_uses uses = {.count = 0};
    if (issue->op->inst)
        fh_uses_of(issue->op->inst, &uses);
    for (unsigned i = 0; i < uses.count; i++)
        if (uses.use[i].access == FH_WRITE && uses.use[i].first < FH_RZ)
            mix(r, w->r[uses.use[i].first], uses.use[i].count * sizeof w->r[0]);
    mix(r, w->p, FH_PT * sizeof w->p[0]);
    mix(r, w->up, FH_PT * sizeof w->up[0]);
    mix(r, w->ur, FH_URZ * sizeof w->ur[0]);
    mix(r, what, sizeof what);
    if (r->seen < STEPS)
        r->hashes[r->seen++] = r->hash;
    return false;
}

static void watch(struct run *r) {
    const struct fh_hook hook = {.user = r, .wants = wants, .after = after};
    r->hashes = calloc(STEPS, sizeof *r->hashes);
    assert_non_null(r->hashes);
    assert_true(
        fh_watched_code_make(&r->code, &r->state->image, r->state->engine.threading, &hook, 1));
    assert_true(fh_watch_make(&r->watch, &r->code, &hook, 1));
    r->state->launch.watch = &r->watch;
}

/* ---------------------------------------------------------------- a program on all engines */

struct totals {
    uint64_t instructions, programs, faults;
    uint64_t written, taken; /* words of all programs, and those that were taken out of them */
    uint64_t *forms;         /* thread instructions of each form */
};

static void count_forms(const struct run *r, struct totals *totals) {
    const struct fh_image *image = &r->state->image;
    totals->instructions += r->state->launch.steps;
    for (uint32_t i = 0; i < image->count; i++)
        if (image->ops[i].inst && r->state->launch.counts[i].thread)
            totals->forms[image->ops[i].inst->form->id] += r->state->launch.counts[i].thread;
}

/* Runs the program everywhere; `steps`: compares after every instruction, too. Returns the outcome
 * of the reference, whose fault, if it has one, goes to *fault. `totals` may be NULL. */
static enum fh_outcome run_all(const struct random_program *program, bool steps,
                               struct difference *d, struct totals *totals, uint32_t *fault) {
    fhec_program *s = random_program_load(program);
    struct run runs[ENGINES];
    enum fh_outcome outcome = FH_DONE;
    *d = (struct difference){""};
    for (unsigned e = 0; e < ENGINES; e++) {
        if (!engines[e].there)
            continue;
        begin(&runs[e], &engines[e], program, s);
        if (steps)
            watch(&runs[e]);
    }
    for (uint64_t block = 0; block < program->blocks && outcome == FH_DONE && !*d->text; block++) {
        for (unsigned e = 0; e < ENGINES && !*d->text; e++) {
            if (!engines[e].there)
                continue;
            fh_block_start(runs[e].state->block, block);
            runs[e].outcome = fh_block_run(runs[e].state->block, NULL, NULL);
            fh_counts_settle(&runs[e].state->image, runs[e].state->launch.counts);
            if (e)
                compare(&runs[0], &runs[e], d);
            if (*d->text) {
                char what[sizeof d->text];
                memcpy(what, d->text, sizeof what);
                snprintf(d->text, sizeof d->text, "block %u, engine %s: %.330s", (unsigned)block,
                         engines[e].name, what);
            }
        }
        outcome = runs[0].outcome;
    }
    const struct fh_fault_record *record = &runs[0].state->launch.fault;
    if (fault)
        *fault = outcome == FH_FAULTED && record->op ? record->op->pc / FH_INST_BYTES : UINT32_MAX;
    if (totals)
        count_forms(&runs[0], totals);
    for (unsigned e = 0; e < ENGINES; e++)
        if (engines[e].there)
            end(&runs[e]);
    fhec_program_free(s);
    return outcome;
}

/* ---------------------------------------------------------------- making a failure smaller */

typedef bool fails_fn(const struct random_program *program, struct difference *d);

static bool engines_differ(const struct random_program *program, struct difference *d) {
    (void)run_all(program, false, d, NULL, NULL);
    return *d->text != '\0';
}

static bool steps_differ(const struct random_program *program, struct difference *d) {
    (void)run_all(program, true, d, NULL, NULL);
    return *d->text != '\0';
}

static fhec_word nop(void) {
    fhec_word word;
    assert_int_equal(fhec_assemble_word("NOP", 0, NULL, NULL, &word), FHEC_OK);
    return word;
}

static bool same(fhec_word a, fhec_word b) {
    return a.lo == b.lo && a.hi == b.hi;
}

/* Puts NOP for as many instructions as possible while the program still fails: first for long
 * stretches, then for shorter ones. Returns how many are left. */
static uint32_t minimise(struct random_program *program, fails_fn *fails) {
    static struct random_program smaller;
    const fhec_word none = nop();
    struct difference d;
    uint32_t left = 0;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t stretch = program->count; stretch; stretch /= 2) {
            for (uint32_t from = 0; from < program->count; from += stretch) {
                bool changed = false;
                smaller = *program;
                for (uint32_t i = from; i < from + stretch && i < program->count; i++) {
                    changed |= !same(smaller.words[i], none);
                    smaller.words[i] = none;
                }
                if (changed && fails(&smaller, &d)) {
                    *program = smaller;
                    again = true;
                }
            }
        }
    }
    for (uint32_t i = 0; i < program->count; i++)
        left += !same(program->words[i], none);
    return left;
}

static void print_program(const struct random_program *program) {
    const fhec_word none = nop();
    print_message("# %u blocks of %u threads; at all other addresses up to 0x%x: NOP\n",
                  program->blocks, program->threads, program->count * (unsigned)FH_INST_BYTES);
    for (uint32_t i = 0; i < program->count; i++) {
        char line[256] = "?";
        if (same(program->words[i], none))
            continue;
        (void)fhec_disassemble(program->words[i], i * (uint64_t)FH_INST_BYTES, 0, line,
                               sizeof line);
        print_message("#   /*%04x*/  %s ;\n", i * (unsigned)FH_INST_BYTES, line);
    }
}

/* ---------------------------------------------------------------- the tests */

static void find_engines(void) {
    for (unsigned e = 0; e < ENGINES; e++) {
        engines[e].there = emu_has_simd(engines[e].simd);
        if (!engines[e].there)
            print_message("# this host has no %s\n", engines[e].name);
    }
}

/* The same launch through the public interface on two host threads, counted. */
static void compare_launches(const struct random_program *program, struct difference *d) {
    fhec_program *s = random_program_load(program);
    uint8_t memory[2][RP_GLOBAL];
    fhec_stats stats[2];
    struct run runs[2];
    for (unsigned i = 0; i < 2; i++) {
        runs[i] = (struct run){
            .machine = emu_machine(i ? FHEC_ENGINE_FAST : FHEC_ENGINE_REF, FHEC_SIMD_BEST, i + 1)};
        fhec_launch launch = launch_of(program, s, &runs[i]);
        launch.max_steps = 0;
        fhec_machine_count(runs[i].machine, true);
        if (fhec_run(runs[i].machine, &launch) != FHEC_OK)
            differ(d, "on %u host threads: %s", i + 1, fhec_machine_error(runs[i].machine));
        assert_int_equal(fhec_read(runs[i].machine, runs[i].buffer, memory[i], RP_GLOBAL), FHEC_OK);
        assert_int_equal(fhec_machine_stats(runs[i].machine, &stats[i]), FHEC_OK);
    }
    compare_bytes(memory[0], memory[1], RP_GLOBAL, "global", d);
    if (stats[0].warp_insts != stats[1].warp_insts ||
        stats[0].thread_insts != stats[1].thread_insts ||
        stats[0].count_count != stats[1].count_count)
        differ(d, "on two host threads the counts differ");
    for (size_t i = 0; i < stats[0].count_count && !*d->text; i++)
        if (strcmp(stats[0].counts[i].mnemonic, stats[1].counts[i].mnemonic) != 0 ||
            stats[0].counts[i].warp != stats[1].counts[i].warp ||
            stats[0].counts[i].thread != stats[1].counts[i].thread)
            differ(d, "on two host threads the counts of %s differ", stats[0].counts[i].mnemonic);
    fhec_machine_free(runs[0].machine);
    fhec_machine_free(runs[1].machine);
    fhec_program_free(s);
}

static void give_up(uint64_t seed, uint64_t number, struct random_program *program, bool steps,
                    const struct difference *d) {
    print_message("# seed %" PRIu64 ", program %" PRIu64 ": %s\n", seed, number, d->text);
    struct difference last;
    fails_fn *fails = steps ? steps_differ : engines_differ;
    if (fails(program, &last)) {
        (void)minimise(program, fails);
        (void)fails(program, &last);
        print_message("# made smaller: %s\n", last.text);
    }
    print_program(program);
    fail_msg("seed %" PRIu64 ", program %" PRIu64 ": %s", seed, number, d->text);
}

/* Takes out of the program what faults, one instruction after the other, and compares what happens
 * until then. A deadlock and the limit of steps stay. */
static void run_one(struct random_program *program, uint64_t seed, uint64_t number, bool repair,
                    bool steps, struct totals *totals) {
    struct difference d;
    uint32_t fault = 0;
    for (unsigned i = 0; i < REPAIRS; i++) {
        enum fh_outcome outcome = run_all(program, steps && i == 0, &d, totals, &fault);
        if (*d.text)
            give_up(seed, number, program, steps && i == 0, &d);
        if (outcome == FH_DONE && number % 8 == 0)
            compare_launches(program, &d);
        if (*d.text)
            give_up(seed, number, program, false, &d);
        if (outcome == FH_DONE || !repair || fault >= program->count ||
            same(program->words[fault], nop()))
            break;
        program->words[fault] = nop();
        totals->taken++;
    }
    totals->written += program->count;
    totals->faults += fault != UINT32_MAX;
    totals->programs++;
}

static void check_forms(const struct totals *totals) {
    unsigned missing = 0;
    for (unsigned i = 0; i < fh_form_count; i++) {
        if (totals->forms[i] || fh_insns[fh_forms[i].insn].unsupported)
            continue;
        print_message("# never ran: form %s of %s\n", fh_forms[i].name,
                      fh_insns[fh_forms[i].insn].name);
        missing++;
    }
    if (missing)
        fail_msg("%u forms never ran", missing);
}

static void test_random_programs(void **unused) {
    (void)unused;
    static struct random_program program;
    struct totals totals = {.forms = calloc(fh_form_count, sizeof(uint64_t))};
    const uint64_t seed = emu_setting("FHEC_TEST_SEED", 20231205);
    const uint64_t seconds = emu_setting("FHEC_TEST_SECONDS", 0);
    const uint64_t least = getenv("FHEC_TEST_LONG") ? LONG : LEAST;
    const time_t stop = time(NULL) + (time_t)seconds;
    struct emu_rng rng = {.state = seed | UINT64_C(1) << 63};
    assert_non_null(totals.forms);
    for (uint64_t n = 0; seconds ? time(NULL) < stop : totals.instructions < least; n++) {
        bool is_short = n % 4 == 0;
        random_program(&rng, is_short ? 150 : 400, is_short ? 1 : 60, &program);
        run_one(&program, seed, n, n % 16 != 5, is_short, &totals);
    }
    print_message("# seed %" PRIu64 ": %" PRIu64 " warp instructions of the reference in %" PRIu64
                  " programs, of which %" PRIu64 " ended by a fault; %" PRIu64 " of %" PRIu64
                  " words were taken out because they faulted\n",
                  seed, totals.instructions, totals.programs, totals.faults, totals.taken,
                  totals.written);
    if (!seconds && !SLOW_BUILD)
        check_forms(&totals);
    free(totals.forms);
}

/* A stand-in for a failure: the program changes global memory. */
static bool writes_memory(const struct random_program *program, struct difference *d) {
    fhec_program *s = random_program_load(program);
    struct run r;
    begin(&r, &engines[0], program, s);
    const uint8_t *memory = r.state->launch.memory->list[0].bytes;
    uint64_t before = XXH3_64bits(memory, RP_GLOBAL);
    (void)fh_block_run(r.state->block, NULL, NULL);
    bool changed = XXH3_64bits(memory, RP_GLOBAL) != before;
    snprintf(d->text, sizeof d->text, "%s", changed ? "memory is changed" : "");
    end(&r);
    fhec_program_free(s);
    return changed;
}

/* Of a whole program what is left is one store and what makes its address: without any of it there
 * is no failure. */
static void test_minimise(void **unused) {
    (void)unused;
    static struct random_program program, without;
    struct emu_rng rng = {.state = 77};
    struct difference d;
    const fhec_word none = nop();
    for (unsigned round = 0; round < 4; round++) {
        do
            random_program(&rng, 300, 3, &program);
        while (!writes_memory(&program, &d));
        uint32_t left = minimise(&program, writes_memory);
        if (left < 2 || left > 20 || !writes_memory(&program, &d)) {
            print_program(&program);
            fail_msg("round %u: %u instructions are left", round, left);
        }
        for (uint32_t i = 0; i < program.count; i++) {
            without = program;
            without.words[i] = none;
            if (!same(program.words[i], none) && writes_memory(&without, &d))
                fail_msg("round %u: the instruction at 0x%x is not needed", round,
                         i * (unsigned)FH_INST_BYTES);
        }
    }
}

int main(void) {
    find_engines();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_programs),
        cmocka_unit_test(test_minimise),
    };
    return cmocka_run_group_tests_name("random programs", tests, NULL, NULL);
}
