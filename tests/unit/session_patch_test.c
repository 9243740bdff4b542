/*
 * session_patch_test.c - what the host has a launch do that its kernel does not say. An instruction
 * that lanes execute where they stand does what issuing it does, from random places of random
 * programs; a program with another word is the one that was patched, whenever it was patched and
 * however often one goes back over that. Both engines, every SIMD level.
 *
 * The environment can choose: FHEC_TEST_SEED; FHEC_TEST_LONG, for LONG programs instead of SHORT.
 */
#include <inttypes.h>

#include <fenv.h>

#include "emu_util.h"
#include "engine_levels.h"
#include "fhec_patch.h"
#include "random_program.h"
#include "session_util.h"
#include "slow_build.h"

enum { SHORT = SLOW_BUILD ? 6 : 30, LONG = 2000, STEPS = 20000, PLACES = 24 };

struct world {
    struct random_program program;
    fhec_program *loaded;
    fhec_machine *machine;
    fhec_session *session;
    uint64_t buffer;
    uint8_t params[RP_PARAMS];
};

/* The same memory and parameters each time. */
static void begin(struct world *w, size_t engine) {
    const fhec_machine_options options = {
        .engine = engine_choices[engine].engine, .simd = engine_choices[engine].simd, .threads = 1};
    struct emu_rng rng = {.state = UINT64_C(0x9e3779b97f4a7c15)};
    uint32_t memory[RP_GLOBAL / 4];
    w->loaded = random_program_load(&w->program);
    assert_int_equal(fhec_machine_new(&options, &w->machine), FHEC_OK);
    assert_int_equal(fhec_alloc(w->machine, "buffer", RP_GLOBAL, 0, &w->buffer), FHEC_OK);
    for (size_t i = 0; i < COUNT_OF(memory); i++)
        memory[i] = emu_value(&rng);
    assert_int_equal(fhec_write(w->machine, w->buffer, memory, sizeof memory), FHEC_OK);
    memcpy(w->params, &w->buffer, 8);
    for (size_t i = 8; i < sizeof w->params; i += 4) {
        const uint32_t value = emu_value(&rng) | 1; /* a modulus must not be 0 */
        memcpy(w->params + i, &value, 4);
    }
    const fhec_launch launch = {.program = w->loaded,
                                .grid = {w->program.blocks, 1, 1},
                                .block = {w->program.threads, 1, 1},
                                .params = w->params,
                                .param_bytes = sizeof w->params,
                                .max_steps = STEPS};
    assert_int_equal(fhec_session_begin(w->machine, &launch, &w->session), FHEC_OK);
}

static void end(struct world *w) {
    (void)fhec_session_end(w->session);
    fhec_machine_free(w->machine);
    fhec_program_free(w->loaded);
}

static fhec_stop go(struct world *w, uint64_t instructions) {
    const fhec_go how = {.instructions = instructions};
    fhec_stop stop;
    assert_int_equal(fhec_session_run(w->session, &how, &stop), FHEC_OK);
    return stop;
}

static uint64_t setting(const char *name, uint64_t otherwise) {
    const char *value = getenv(name);
    return value ? strtoull(value, NULL, 0) : otherwise;
}

/* ---------------------------------------------------------------- an instruction */

struct differences {
    unsigned state, place;
    fhec_difference first;
};

/* Where lanes stand and how much was issued is what issuing changes beside the state. */
static bool count(void *user, const fhec_difference *d) {
    struct differences *found = user;
    if (d->kind == FHEC_DIFFERENCE_LANE || d->kind == FHEC_DIFFERENCE_COUNT) {
        found->place++;
    } else if (!found->state++) {
        found->first = *d;
    }
    return true;
}

static bool is_control(fhec_word word) {
    struct fh_inst inst;
    return fh_decode(word, &inst) && fh_insns[inst.form->insn].kind == FH_KIND_CTRL;
}

static void expect_none(const struct differences *d, const char *what, const char *text) {
    if (d->state)
        fail_msg("%s, %s: %u differences; the first is of kind %d, warp %u, lane %u, number %u, "
                 "address 0x%" PRIx64,
                 text, what, d->state, d->first.kind, d->first.warp, d->first.lane, d->first.number,
                 d->first.address);
}

/* From where the launch stands: one instruction issued, and executed beside it. */
static void issue_and_execute(struct world *w, unsigned *executed, unsigned *faults) {
    fhec_snapshot *before, *after;
    fhec_warp_info info;
    fhec_instruction instruction;
    struct differences d = {0};
    uint32_t block[3], warp, active;
    uint64_t pc;
    if (!fhec_session_next(w->session, block, &warp, &pc) ||
        fhec_session_warp(w->session, block, warp, &info) != FHEC_OK || info.pc != pc ||
        fhec_session_instruction(w->session, pc, &instruction) != FHEC_OK)
        return;
    assert_int_equal(fhec_snapshot_take(w->machine, &before), FHEC_OK);
    const fhec_stop stop = go(w, 1);
    const fhec_fault fault = stop.fault ? *stop.fault : (fhec_fault){0};
    char message[400] = "";
    if (stop.fault)
        (void)snprintf(message, sizeof message, "%s", stop.fault->message);
    assert_int_equal(fhec_snapshot_take(w->machine, &after), FHEC_OK);
    assert_int_equal(fhec_snapshot_restore(before, &w->session), FHEC_OK);
    const fhec_status status =
        fhec_session_execute(w->session, block, warp, info.active, instruction.word, &active);
    if (fault.kind == FHEC_FAULT_STEP_LIMIT) {
        assert_true(status == FHEC_OK || is_control(instruction.word));
    } else if (is_control(instruction.word)) {
        assert_int_equal(status, FHEC_BAD_INPUT);
        (void)fhec_snapshot_compare(before, NULL, count, &d);
        expect_none(&d, "refused", instruction.text);
    } else if (stop.fault) {
        const fhec_fault *now = fhec_machine_fault(w->machine);
        assert_int_equal(status, FHEC_GUEST_FAULT);
        assert_true(now->kind == fault.kind && now->pc == fault.pc && now->lanes == fault.lanes);
        assert_string_equal(now->message, message);
        (void)fhec_snapshot_compare(before, NULL, count, &d);
        expect_none(&d, "at fault", instruction.text);
        assert_int_equal(d.place, 0);
        ++*faults;
    } else {
        assert_int_equal(status, FHEC_OK);
        (void)fhec_snapshot_compare(after, NULL, count, &d);
        expect_none(&d, "executed", instruction.text);
        ++*executed;
    }
    assert_int_equal(fhec_snapshot_restore(before, &w->session), FHEC_OK);
    fhec_snapshot_free(before);
    fhec_snapshot_free(after);
}

static void executing_is_issuing(void **unused) {
    (void)unused;
    static struct world w;
    const uint64_t seed = setting("FHEC_TEST_SEED", 20261123);
    const uint64_t programs = getenv("FHEC_TEST_LONG") ? LONG : SHORT;
    struct emu_rng rng = {.state = seed | UINT64_C(1) << 63};
    unsigned executed = 0, faults = 0;
    for (uint64_t n = 0; n < programs; n++) {
        random_program(&rng, 150, 20, &w.program);
        for (size_t e = 0; e < ENGINE_CHOICES; e++) {
            struct emu_rng places = {.state = (seed + n) | UINT64_C(1) << 62};
            if (!emu_has_simd(engine_choices[e].simd))
                continue;
            begin(&w, e);
            for (unsigned i = 0; i < PLACES; i++) {
                issue_and_execute(&w, &executed, &faults);
                const fhec_stop stop = go(&w, 1 + emu_below(&places, 1u << emu_below(&places, 9)));
                if (stop.reason != FHEC_STOP_COUNT)
                    break;
            }
            end(&w);
        }
    }
    print_message("# seed %" PRIu64 ": %u executed, %u at fault\n", seed, executed, faults);
    assert_true(executed > 100);
}

/* ---------------------------------------------------------------- another word */

struct outcome {
    fhec_fault_kind kind;
    uint64_t pc, instructions;
    uint8_t memory[RP_GLOBAL];
};

static struct outcome to_the_end(struct world *w) {
    struct outcome o = {0};
    const fhec_stop stop = go(w, 0);
    o.kind = stop.fault ? stop.fault->kind : FHEC_FAULT_NONE;
    o.pc = stop.pc;
    o.instructions = stop.instructions;
    assert_int_equal(fhec_read(w->machine, w->buffer, o.memory, sizeof o.memory), FHEC_OK);
    return o;
}

static void expect_outcome(const struct outcome *a, const struct outcome *b, uint64_t seed,
                           uint64_t n, const char *engine, const char *what) {
    if (a->kind != b->kind || a->pc != b->pc || a->instructions != b->instructions ||
        memcmp(a->memory, b->memory, sizeof a->memory) != 0)
        fail_msg("seed %" PRIu64 ", program %" PRIu64 ", engine %s, %s: fault %d at 0x%" PRIx64
                 " after %" PRIu64 ", not %d at 0x%" PRIx64 " after %" PRIu64 ", or memory differs",
                 seed, n, engine, what, b->kind, b->pc, b->instructions, a->kind, a->pc,
                 a->instructions);
}

/* The whole program with the other word; the one whose word is replaced before it begins, and after
 * `count` instructions, twice; and the unpatched one behind that. */
struct outcomes {
    struct outcome other, patched, later, again, unpatched;
};

static void patch(struct world *w, uint64_t pc, fhec_word word) {
    if (fhec_session_patch(w->session, pc, word) != FHEC_OK)
        fail_msg("%s", fhec_machine_error(w->machine));
}

static void run_all(struct world *w, size_t engine, uint32_t place, fhec_word word, uint64_t count,
                    struct outcomes *o) {
    const fhec_word own = w->program.words[place];
    const uint64_t pc = (uint64_t)place * sizeof word;
    fhec_snapshot *snapshot;
    fhec_instruction instruction;
    w->program.words[place] = word;
    begin(w, engine);
    o->other = to_the_end(w);
    end(w);
    w->program.words[place] = own;
    begin(w, engine);
    patch(w, pc, word);
    o->patched = to_the_end(w);
    end(w);
    begin(w, engine);
    (void)go(w, count);
    assert_int_equal(fhec_snapshot_take(w->machine, &snapshot), FHEC_OK);
    patch(w, pc, word);
    o->later = to_the_end(w);
    assert_int_equal(fhec_snapshot_restore(snapshot, &w->session), FHEC_OK);
    if (fhec_session_instruction(w->session, pc, &instruction) == FHEC_OK)
        assert_true(instruction.word.lo == own.lo && instruction.word.hi == own.hi);
    patch(w, pc, word);
    o->again = to_the_end(w);
    assert_int_equal(fhec_session_end(w->session), FHEC_OK);
    assert_int_equal(fhec_snapshot_restore(snapshot, &w->session), FHEC_OK);
    o->unpatched = to_the_end(w);
    fhec_snapshot_free(snapshot);
    end(w);
}

static void a_patch_is_another_program(void **unused) {
    (void)unused;
    static struct world w;
    static struct outcomes o, first;
    static struct outcome plain;
    const uint64_t seed = setting("FHEC_TEST_SEED", 20261123);
    const uint64_t programs = getenv("FHEC_TEST_LONG") ? LONG : SHORT;
    struct emu_rng rng = {.state = seed | UINT64_C(1) << 61};
    unsigned differ = 0;
    for (uint64_t n = 0; n < programs; n++) {
        random_program(&rng, 150, 20, &w.program);
        /* any word in the place of one that is issued: branches lead elsewhere, launches do not
         * end */
        const fhec_word word = w.program.words[emu_below(&rng, w.program.count)];
        const uint64_t at = emu_below(&rng, 600) + 1;
        uint32_t block[3], warp, place = 0;
        uint64_t pc;
        begin(&w, 0);
        (void)go(&w, at + emu_below(&rng, 60));
        if (fhec_session_next(w.session, block, &warp, &pc) && pc / 16 < w.program.count)
            place = (uint32_t)(pc / 16);
        plain = to_the_end(&w);
        end(&w);
        for (size_t e = 0; e < ENGINE_CHOICES; e++) {
            const char *name = engine_choices[e].name;
            if (!emu_has_simd(engine_choices[e].simd))
                continue;
            run_all(&w, e, place, word, at, &o);
            expect_outcome(&o.other, &o.patched, seed, n, name, "patched before it begins");
            expect_outcome(&o.later, &o.again, seed, n, name, "patched again");
            expect_outcome(&plain, &o.unpatched, seed, n, name, "without the patch");
            if (e)
                expect_outcome(&first.later, &o.later, seed, n, name, "patched on the way");
            else
                first = o;
        }
        differ += memcmp(plain.memory, first.later.memory, sizeof plain.memory) != 0 ||
                  plain.instructions != first.later.instructions;
    }
    print_message("# seed %" PRIu64 ": %u patches made a difference on the way\n", seed, differ);
    assert_true(differ > 0);
}

/* ---------------------------------------------------------------- by hand */

#define KERNEL ".target sm_80\n.kernel K\n.param data, 8\n"
/* Lanes below 8 and the others stand apart from 0x40 on. */
static const char parted[] = KERNEL ".registers 210\n"
                                    "S2R R0, SR_LANEID ;\n"                /* 00 */
                                    "ISETP.LT.AND P0, PT, R0, 0x8, PT ;\n" /* 10 */
                                    "MOV R4, 0x5 ;\n"                      /* 20 */
                                    "@P0 BRA low ;\n"                      /* 30 */
                                    "IADD3 R4, R4, 0x10, RZ ;\n"           /* 40 */
                                    "NOP ;\n"                              /* 50 */
                                    "EXIT ;\n"                             /* 60 */
                                    "low: IADD3 R4, R4, 0x20, RZ ;\n"      /* 70 */
                                    "MOV R6, data ;\nMOV R7, data+4 ;\n"
                                    "EXIT ;\n.end\n";
static const uint32_t block0[3] = {0, 0, 0};

static fhec_word word_of(const char *text, uint64_t pc) {
    fhec_word word;
    assert_int_equal(fhec_assemble_word(text, pc, NULL, NULL, &word), FHEC_OK);
    return word;
}

static fhec_status run_text(struct guest *g, uint32_t lanes, const char *text, uint32_t *active) {
    return fhec_session_execute(g->session, block0, 0, lanes, word_of(text, 0x40), active);
}

static void lanes_that_part(void **unused) {
    (void)unused;
    struct guest g = guest_begin(parted, 1, 32, 4);
    uint32_t active = 1;
    (void)guest_go(&g, &(fhec_go){.instructions = 5});
    assert_int_equal(run_text(&g, UINT32_MAX, "IADD3 R4, R4, 0x1, RZ", &active), FHEC_BAD_INPUT);
    assert_int_equal(active, 0);
    assert_int_equal(run_text(&g, 0xff, "IADD3 R4, R4, 0x1, RZ", &active), FHEC_OK);
    assert_int_equal(active, 0xff);
    assert_int_equal(run_text(&g, 0xffffff00, "@P0 IADD3 R4, R4, 0x1, RZ", &active), FHEC_OK);
    assert_int_equal(active, 0);
    assert_int_equal(run_text(&g, 0xf, "@!PT IADD3 R4, R4, 0x1, RZ", &active), FHEC_OK);
    assert_int_equal(lane_of(&g, 0, 0, 4, 7), 0x6);
    assert_int_equal(lane_of(&g, 0, 0, 4, 8), 0x15);
    static const char *const refused[] = {"BRA 0x0",     "EXIT",          "BAR.SYNC 0x0",
                                          "BSYNC B0",    "BSSY B0, 0x60", "WARPSYNC 0xff",
                                          "MOV R200, R4"};
    for (size_t i = 0; i < COUNT_OF(refused); i++) {
        assert_int_equal(run_text(&g, 0xff, refused[i], &active), FHEC_BAD_INPUT);
        assert_non_null(fhec_machine_error(g.machine));
    }
    assert_int_equal(guest_go(&g, NULL).reason, FHEC_STOP_END);
    guest_end(&g);
}

/* A host that rounds upwards: 1 and the smallest subnormal numbers are 1 all the same. */
static void the_hosts_rounding(void **unused) {
    (void)unused;
    struct guest g = guest_begin(parted, 1, 32, 4);
    uint32_t active = 0;
    (void)guest_go(&g, &(fhec_go){.instructions = 5});
    fesetround(FE_UPWARD);
    assert_int_equal(run_text(&g, 0xff, "FADD R4, R4, 1.0", &active), FHEC_OK);
    assert_int_equal(fegetround(), FE_UPWARD);
    fesetround(FE_TONEAREST);
    assert_int_equal(active, 0xff);
    assert_int_equal(lane_of(&g, 0, 0, 4, 7), 0x3f800000);
    guest_end(&g);
}

/* A store that faults for one lane stores for none, and the launch goes on. */
static void a_fault_changes_nothing(void **unused) {
    (void)unused;
    struct guest g = guest_begin(KERNEL "MOV R6, data ;\nMOV R7, data+4 ;\nS2R R0, SR_LANEID ;\n"
                                        "SHF.L.U32 R2, R0, 0x2, RZ ;\nNOP ;\n"
                                        "STG.E [R6.64], R0 ;\nEXIT ;\n.end\n",
                                 1, 32, 31);
    uint32_t active;
    (void)guest_go(&g, &(fhec_go){.instructions = 4});
    assert_int_equal(run_text(&g, UINT32_MAX, "IADD3 R6, R6, R2, RZ", &active), FHEC_OK);
    assert_int_equal(run_text(&g, UINT32_MAX, "STG.E [R6.64+0x0], R2", &active), FHEC_GUEST_FAULT);
    const fhec_fault *fault = fhec_machine_fault(g.machine);
    assert_int_equal(fault->kind, FHEC_FAULT_OUT_OF_BOUNDS);
    assert_int_equal(fault->lanes, UINT32_C(1) << 31);
    assert_int_equal(fault->pc, 0x40);
    assert_non_null(strstr(fault->text, "STG.E"));
    for (size_t i = 0; i < 31; i++)
        assert_int_equal(word_at(&g, i), 0);
    assert_int_equal(run_text(&g, UINT32_MAX >> 1, "STG.E [R6.64], R2", &active), FHEC_OK);
    assert_int_equal(word_at(&g, 30), 120);
    assert_int_equal(guest_go(&g, NULL).reason, FHEC_STOP_FAULT); /* the kernel's own store */
    assert_int_equal(fhec_session_end(g.session), FHEC_OK);
    fhec_machine_free(g.machine);
    fhec_program_free(g.program);
}

/* A point is about what the words are now; registers that are new are new when the launch begins
 * only. */
static void points_and_registers(void **unused) {
    (void)unused;
    struct guest g = guest_begin(parted, 1, 32, 4);
    const fhec_point adds = {.kind = FHEC_POINT_OPCODE, .text = "IADD3"};
    fhec_snapshot *before;
    guest_add(&g, adds);
    const unsigned begins = guest_add(&g, (fhec_point){.kind = FHEC_POINT_BLOCK_BEGIN});
    assert_int_equal(guest_go(&g, NULL).point, begins);
    assert_int_equal(fhec_session_patch(g.session, 0x20, word_of("MOV R200, 0x7", 0x20)), FHEC_OK);
    assert_int_equal(lane_of(&g, 0, 0, 200, 3), 0);
    assert_int_equal(fhec_snapshot_take(g.machine, &before), FHEC_OK);
    assert_int_equal(fhec_session_patch(g.session, 0x40, word_of("MOV R4, 0x1", 0x40)), FHEC_OK);
    assert_int_equal(fhec_session_patch(g.session, 0x50, word_of("IADD3 R4, R4, R200, RZ", 0x50)),
                     FHEC_OK);
    fhec_stop stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_BREAKPOINT, 0, 0, 0x50, 5);
    assert_int_equal(fhec_session_patch(g.session, 0x60, word_of("MOV R201, 0x7", 0x60)),
                     FHEC_BAD_INPUT);
    assert_int_equal(fhec_session_patch(g.session, 0x48, word_of("NOP", 0x48)), FHEC_BAD_INPUT);
    assert_int_equal(fhec_session_patch(g.session, 0x4000, word_of("NOP", 0x40)), FHEC_BAD_INPUT);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_BREAKPOINT, 0, 0, 0x70, 7);
    assert_int_equal(fhec_snapshot_restore(before, &g.session), FHEC_OK);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_BREAKPOINT, 0, 0, 0x40, 4);
    assert_int_equal(lane_of(&g, 0, 0, 200, 3), 7);
    fhec_snapshot_free(before);
    guest_end(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(executing_is_issuing),
        cmocka_unit_test(a_patch_is_another_program),
        ON_BOTH(lanes_that_part),
        ON_BOTH(the_hosts_rounding),
        ON_BOTH(a_fault_changes_nothing),
        ON_BOTH(points_and_registers),
    };
    return cmocka_run_group_tests_name("session_patch", tests, NULL, NULL);
}
