/*
 * debugger_changes_test.c - what a person changes on the way, at random places and times:
 * registers, instructions executed where lanes stand, words of the kernels patched and taken back.
 * However often one goes back over it, it is there again; a debugger that makes what is left of it
 * going forwards only ends with the same memory; so do both engines at every SIMD level. The
 * environment can choose: FHEC_TEST_SEED; FHEC_TEST_LONG, for LONG actions instead of SHORT.
 */
#include "debugger_util.h"
#include "engine_levels.h"
#include "slow_build.h"

enum { SHORT = SLOW_BUILD ? 40 : 400, LONG = 4000, BYTES = 4096 };

enum kind { SET, EXECUTE, PATCH };
struct action {
    enum kind kind;
    struct fh_debug_time time;
    struct fh_focus focus;
    uint32_t value;
    fhec_word word;
    bool only;
    uint64_t pc;
    unsigned number;
};

/* What has been done and not forgotten since. */
struct story {
    struct action *list;
    size_t count;
    unsigned faults, executed, undone;
};

static fhec_word word_of(const char *text) {
    fhec_word word;
    assert_int_equal(fhec_assemble_word(text, 0, NULL, NULL, &word), FHEC_OK);
    return word;
}

/* Such as both kernels bear: they write R8 only, or memory. */
static fhec_word random_word(struct emu_rng *rng, bool memory) {
    static const char *const texts[] = {
        "IADD3 R8, R8, 0x3, RZ",
        "IMAD R8, R8, 0x5, R0",
        "LOP3.LUT R8, R8, 0x55, RZ, 0x3c, !PT",
        "NOP",
        "@P0 IADD3 R8, R8, R2, RZ",
        "STG.E [R4.64], R8",
        "LDG.E R8, [R4.64]",
        "RED.E.ADD.STRONG.GPU [R4.64+0x40], R8",
    };
    return word_of(texts[emu_below(rng, memory ? COUNT_OF(texts) : 5)]);
}

/* Where launches of both kernels compute R8. */
static uint64_t random_pc(struct emu_rng *rng, size_t launch) {
    static const uint64_t pcs[] = {0xa0, 0xb0, 0xd0, 0x140};
    return launch % 2 ? 0x50 : pcs[emu_below(rng, COUNT_OF(pcs))];
}

static struct fh_debug_time random_time(struct world *w) {
    const size_t launch = emu_below(&w->rng, LAUNCHES);
    return (struct fh_debug_time){launch, emu_below(&w->rng, (uint32_t)w->lengths[launch])};
}

/* ---------------------------------------------------------------- doing it */

/* A change forgets those behind it; patches stay. */
static void note(struct story *s, const struct action *a) {
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++)
        if (s->list[i].kind == PATCH || fh_debug_time_compare(s->list[i].time, a->time) <= 0)
            s->list[kept++] = s->list[i];
    s->list[kept++] = *a;
    s->count = kept;
}

/* FHEC_OK: it has been done. */
static fhec_status act(struct world *w, struct action *a, struct story *s) {
    uint32_t values[FHEC_WARP_LANES], lanes = 0;
    fhec_status status = fh_debugger_set_focus(w->debugger, &a->focus);
    const struct fh_debug_patch patch = {.kernel = a->time.launch % 2 ? "more" : "mix",
                                         .pc = a->pc,
                                         .word = a->word,
                                         .from = a->time,
                                         .only = a->only};
    for (unsigned i = 0; i < FHEC_WARP_LANES; i++)
        values[i] = a->value + i;
    if (a->kind == PATCH)
        return fh_debugger_patch(w->debugger, &patch, &a->number, NULL);
    if (status != FHEC_OK)
        return status;
    if (a->kind == SET)
        return fh_debugger_set_register(w->debugger, a->focus.block, a->focus.warp, FHEC_FILE_R, 8,
                                        UINT32_MAX, values, NULL);
    status = fh_debugger_execute(w->debugger, a->word, &lanes, NULL);
    s->faults += status == FHEC_GUEST_FAULT;
    s->executed += lanes != 0;
    return lanes ? status : FHEC_BAD_INPUT;
}

/* A patch that was made is taken back; those at which the debugger has been lead it back. */
static void undo_one(struct world *w, struct story *s) {
    size_t i = 0;
    while (i < s->count && s->list[i].kind != PATCH)
        i++;
    if (i == s->count)
        return;
    const struct action a = s->list[i];
    const bool behind = fh_debug_time_compare(fh_debugger_time(w->debugger), a.time) >= 0;
    assert_int_equal(fh_debugger_unpatch(w->debugger, a.number), FHEC_OK);
    assert_int_equal(fh_debugger_unpatch(w->debugger, a.number), FHEC_BAD_INPUT);
    if (behind)
        assert_int_equal(fh_debug_time_compare(fh_debugger_time(w->debugger), a.time), 0);
    memmove(&s->list[i], &s->list[i + 1], (s->count - i - 1) * sizeof a);
    s->count--;
    note(s, &(struct action){.kind = PATCH, .time = a.time}); /* forgets what is behind it */
    s->count--;
    s->undone++;
}

/* What a place is stays the same when one comes back to it. */
static void go_away_and_back(struct world *w) {
    const struct fh_debug_time here = fh_debugger_time(w->debugger);
    fhec_snapshot *snapshot;
    assert_int_equal(fhec_snapshot_take(fh_debugger_machine(w->debugger), &snapshot), FHEC_OK);
    world_go(w, random_time(w));
    world_go(w, here);
    world_expect_same(w, snapshot, here, "places away", 1);
    fhec_snapshot_free(snapshot);
}

static void random_action(struct world *w, struct story *s) {
    const uint32_t choice = emu_below(&w->rng, 8);
    struct action a = {.kind = choice < 4   ? EXECUTE
                               : choice < 5 ? SET
                                            : PATCH,
                       .value = (uint32_t)emu_next(&w->rng)};
    world_go(w, random_time(w));
    a.time = fh_debugger_time(w->debugger);
    a.focus = *fh_debugger_focus(w->debugger);
    a.focus.lane = emu_below(&w->rng, 32);
    a.word = random_word(&w->rng, a.kind == EXECUTE);
    if (a.kind == PATCH && emu_once_in(&w->rng, 2)) /* of a launch behind or before this one */
        a.time = (struct fh_debug_time){emu_below(&w->rng, LAUNCHES), 0};
    a.only = emu_once_in(&w->rng, 2);
    a.pc = random_pc(&w->rng, a.time.launch);
    if (choice == 7)
        undo_one(w, s);
    else if (act(w, &a, s) == FHEC_OK)
        note(s, &a);
    go_away_and_back(w);
}

static void read_end(struct world *w, uint8_t *bytes) {
    world_go(w, (struct fh_debug_time){LAUNCHES, 0});
    assert_int_equal(fhec_read(fh_debugger_machine(w->debugger), w->data, bytes, BYTES), FHEC_OK);
}

/* Patches first, which may begin later; then the others as they come. */
static void forwards_only(fhec_engine engine, fhec_simd simd, const struct story *s,
                          uint8_t *bytes) {
    struct world w = world_begin(engine, simd);
    struct story again = {0};
    struct fh_debug_time last = {0};
    for (size_t i = 0; i < s->count; i++)
        if (s->list[i].kind == PATCH)
            assert_int_equal(act(&w, &s->list[i], &again), FHEC_OK);
    for (size_t i = 0; i < s->count; i++) {
        struct action a = s->list[i];
        if (a.kind == PATCH)
            continue;
        assert_true(fh_debug_time_compare(last, a.time) <= 0);
        world_go(&w, a.time);
        assert_int_equal(act(&w, &a, &again), FHEC_OK);
        last = a.time;
    }
    read_end(&w, bytes);
    world_end(&w);
}

static void changes_are_part_of_the_run(void **state) {
    static uint8_t first[BYTES], now[BYTES], unchanged[BYTES];
    const unsigned count = getenv("FHEC_TEST_LONG") ? LONG : SHORT;
    bool any = false;
    (void)state;
    for (size_t e = 0; e < ENGINE_CHOICES; e++) {
        const struct engine_choice *choice = &engine_choices[e];
        if (!emu_has_simd(choice->simd))
            continue;
        struct world w = world_begin(choice->engine, choice->simd);
        struct story s = {.list = calloc(count + 2, sizeof *s.list)};
        world_measure(&w);
        read_end(&w, unchanged);
        for (unsigned i = 0; i < count; i++)
            random_action(&w, &s);
        read_end(&w, now);
        if (any && memcmp(first, now, BYTES) != 0)
            fail_msg("seed %llu: engine %s ends otherwise", (unsigned long long)w.seed,
                     choice->name);
        memcpy(first, now, BYTES);
        any = true;
        forwards_only(choice->engine, choice->simd, &s, now);
        if (memcmp(first, now, BYTES) != 0)
            fail_msg("seed %llu, engine %s: forwards only it ends otherwise",
                     (unsigned long long)w.seed, choice->name);
        if (!e)
            print_message(
                "# seed %llu: %u executed, %u at fault, %u patches taken back, %zu left\n",
                (unsigned long long)w.seed, s.executed, s.faults, s.undone, s.count);
        assert_memory_not_equal(first, unchanged, BYTES);
        free(s.list);
        world_end(&w);
    }
}

/* ---------------------------------------------------------------- by hand */

/* Patches that there cannot be, and the order of several at one place. */
static void patches_of_one_place(void **state) {
    struct world w = world_begin(FHEC_ENGINE_FAST, FHEC_SIMD_BEST);
    struct fh_debug_patch p = {.kernel = "mix", .pc = 0xa0, .word = word_of("NOP")};
    unsigned number;
    bool branched;
    (void)state;
    p.from.launch = 1;
    p.only = true; /* which is of the other kernel */
    assert_int_equal(fh_debugger_patch(w.debugger, &p, &number, &branched), FHEC_BAD_INPUT);
    p.only = false;
    p.pc = 0xa8;
    assert_int_equal(fh_debugger_patch(w.debugger, &p, &number, &branched), FHEC_BAD_INPUT);
    p.pc = 0x1000;
    assert_int_equal(fh_debugger_patch(w.debugger, &p, &number, &branched), FHEC_BAD_INPUT);
    p.pc = 0xa0;
    p.from.launch = 9;
    assert_int_equal(fh_debugger_patch(w.debugger, &p, &number, &branched), FHEC_BAD_INPUT);
    p.from.launch = 1; /* on: the first of its kernel is the one behind it */
    assert_int_equal(fh_debugger_patch(w.debugger, &p, &number, &branched), FHEC_OK);
    assert_int_equal(number, 1);
    assert_int_equal(fh_debugger_patch_get(w.debugger, 0)->from.launch, 2);
    assert_null(fh_debugger_patched(w.debugger, fh_debugger_time(w.debugger), 0xa0));
    p.from.launch = 0;
    assert_int_equal(fh_debugger_patch(w.debugger, &p, &number, &branched), FHEC_OK);
    assert_int_equal(fh_debugger_patched(w.debugger, fh_debugger_time(w.debugger), 0xa0)->number,
                     2);
    world_go(&w, (struct fh_debug_time){2, 5});
    assert_int_equal(fh_debugger_patched(w.debugger, fh_debugger_time(w.debugger), 0xa0)->number,
                     1);
    assert_int_equal(fh_debugger_unpatch(w.debugger, 1), FHEC_OK);
    assert_int_equal(fh_debugger_time(w.debugger).count, 0);
    assert_int_equal(fh_debugger_patched(w.debugger, fh_debugger_time(w.debugger), 0xa0)->number,
                     2);
    assert_int_equal(fh_debugger_unpatch(w.debugger, 2), FHEC_OK);
    assert_int_equal(fh_debugger_time(w.debugger).launch, 0);
    assert_null(fh_debugger_patch_get(w.debugger, 0));
    world_end(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_are_part_of_the_run),
        cmocka_unit_test(patches_of_one_place),
    };
    return cmocka_run_group_tests_name("debugger_changes", tests, NULL, NULL);
}
