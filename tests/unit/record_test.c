/*
 * record_test.c - records of what a host does: the machine goes back to every place between two
 * actions, and forward again, across launches; sessions do a launch of the record again; what
 * cannot be done again is kept; whatever is done in the past ends the future.
 */
#include "emu_random.h"
#include "emu_util.h"
#include "fhec_session.h"

enum { WORDS = 3000, MOST = 300, BLOCKS = 4, THREADS = 48 };

/* Adds a number that depends on the thread to its words, and to a variable; with `bad` nothing but
 * 0, it then faults. */
static const char text[] =
    ".target sm_80\n.section .nv.global\ntotal:\n.zero 4\n"
    ".kernel K\n.param data, 8\n.param bad, 8\n"
    "S2R R0, SR_TID.X ;\nS2R R1, SR_CTAID.X ;\nIMAD R2, R1, c[0x0][0x0], R0 ;\nMOV R3, 0x2c ;\n"
    "IMAD.WIDE.U32 R4, R2, R3, data ;\nLDG.E R8, [R4.64] ;\nIMAD R8, R8, 0x3, R2 ;\n"
    "STG.E [R4.64], R8 ;\nMOV R6, 32@lo(total) ;\nMOV R7, 32@hi(total) ;\n"
    "RED.E.ADD.STRONG.GPU [R6.64], R8 ;\nMOV R9, bad ;\nISETP.NE.AND P0, PT, R9, RZ, PT ;\n"
    "@P0 STG.E [RZ], R9 ;\nEXIT ;\n.end\n";

struct world {
    fhec_program *program;
    fhec_machine *machine;
    fhec_record *record;
    size_t total; /* the variable */
    struct emu_rng rng;
    uint64_t data;
};

/* What can be seen of the machine. */
struct picture {
    uint32_t words[WORDS], total;
    uint64_t launches, warp_insts, next; /* address of the next allocation */
};

static struct world begin(unsigned threads) {
    struct world w = {.program = emu_assemble(text),
                      .machine = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, threads),
                      .rng = {12345}};
    fhec_machine_count(w.machine, true);
    assert_int_equal(fhec_variable_find(w.program, "total", &w.total), FHEC_OK);
    assert_int_equal(fhec_alloc(w.machine, "data", 4 * WORDS, 0, &w.data), FHEC_OK);
    assert_int_equal(fhec_load(w.machine, w.program), FHEC_OK);
    assert_int_equal(fhec_record_begin(w.machine, &w.record), FHEC_OK);
    return w;
}

static void end(struct world *w) {
    fhec_record_end(w->record);
    fhec_machine_free(w->machine);
    fhec_program_free(w->program);
}

/* Looks without leaving a trace. */
static void look(struct world *w, struct picture *p) {
    fhec_stats stats;
    memset(p, 0, sizeof *p);
    assert_int_equal(fhec_read(w->machine, w->data, p->words, sizeof p->words), FHEC_OK);
    assert_int_equal(fhec_variable_read(w->machine, w->program, w->total, 0, &p->total, 4),
                     FHEC_OK);
    assert_int_equal(fhec_machine_stats(w->machine, &stats), FHEC_OK);
    p->launches = stats.launches;
    p->warp_insts = stats.warp_insts;
}

static void expect_look(struct world *w, const struct picture *p, size_t position) {
    struct picture now;
    look(w, &now);
    assert_int_equal(fhec_record_position(w->record), position);
    if (memcmp(&now, p, sizeof now) != 0)
        fail_msg("at position %zu the machine is not what it was (%llu launches, not %llu)",
                 position, (unsigned long long)now.launches, (unsigned long long)p->launches);
}

static fhec_launch launch_of(const struct world *w, const uint64_t params[2]) {
    return (fhec_launch){.program = w->program,
                         .grid = {BLOCKS, 1, 1},
                         .block = {THREADS, 1, 1},
                         .params = params,
                         .param_bytes = 16};
}

static void run(struct world *w, bool bad) {
    const uint64_t params[2] = {w->data, bad};
    const fhec_launch launch = launch_of(w, params);
    assert_int_equal(fhec_run(w->machine, &launch), bad ? FHEC_GUEST_FAULT : FHEC_OK);
}

static void write_some(struct world *w) {
    uint32_t words[40];
    const uint32_t count = 1 + emu_below(&w->rng, 40);
    for (uint32_t i = 0; i < count; i++)
        words[i] = (uint32_t)emu_next(&w->rng);
    assert_int_equal(
        fhec_write(w->machine, w->data + 4 * emu_below(&w->rng, WORDS - 40), words, 4 * count),
        FHEC_OK);
}

/* One action; what kind it is depends on `n`. */
static void act(struct world *w, size_t n, uint64_t *spare) {
    switch (n % 9) {
    case 0:
    case 4: write_some(w); break;
    case 2: /* every second time it is there */
        if (*spare) {
            assert_int_equal(fhec_release(w->machine, *spare), FHEC_OK);
            *spare = 0;
        } else {
            assert_int_equal(fhec_alloc(w->machine, "spare", 100, 0, spare), FHEC_OK);
        }
        break;
    case 5:
        assert_int_equal(fhec_variable_write(w->machine, w->program, w->total, 1, "xy", 2),
                         FHEC_OK);
        break;
    case 7: run(w, n % 2); break;
    default: run(w, false); break;
    }
}

/* To every place, in any order, from any other. */
static void test_everywhere(void **unused) {
    (void)unused;
    static struct picture pictures[MOST + 1];
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        struct world w = begin(threads);
        uint64_t spare = 0;
        look(&w, &pictures[0]);
        for (size_t n = 0; n < MOST; n++) {
            act(&w, n, &spare);
            look(&w, &pictures[n + 1]);
        }
        assert_int_equal(fhec_record_count(w.record), MOST);
        for (size_t i = 0; i < 200; i++) {
            const size_t to = emu_below(&w.rng, MOST + 1);
            assert_int_equal(fhec_record_go(w.record, to), FHEC_OK);
            expect_look(&w, &pictures[to], to);
        }
        for (size_t back = MOST + 1; back-- > 0; back -= back > 7 ? 7 : back) {
            assert_int_equal(fhec_record_go(w.record, back), FHEC_OK);
            expect_look(&w, &pictures[back], back);
            if (!back)
                break;
        }
        assert_int_equal(fhec_record_count(w.record), MOST);
        assert_int_equal(fhec_record_go(w.record, MOST + 1), FHEC_BAD_INPUT);
        end(&w);
    }
}

/* What the record says of the actions. */
static void test_list(void **unused) {
    (void)unused;
    struct world w = begin(1);
    fhec_action a;
    uint64_t address, mapped[10];
    static const fhec_action_kind kinds[] = {
        FHEC_ACTION_WRITE, FHEC_ACTION_ALLOC,  FHEC_ACTION_MAP,    FHEC_ACTION_RELEASE,
        FHEC_ACTION_WRITE, FHEC_ACTION_LAUNCH, FHEC_ACTION_UNLOAD, FHEC_ACTION_LOAD};
    assert_int_equal(fhec_write(w.machine, w.data + 8, "abc", 3), FHEC_OK);
    assert_int_equal(fhec_write(w.machine, 8, "abc", 3), FHEC_BAD_INPUT); /* is no action */
    assert_int_equal(fhec_alloc(w.machine, "more", 77, FHEC_MEM_READ_ONLY, &address), FHEC_OK);
    assert_int_equal(fhec_map(w.machine, "host", 0x40000, mapped, sizeof mapped, 0), FHEC_OK);
    assert_int_equal(fhec_release(w.machine, address), FHEC_OK);
    assert_int_equal(fhec_release(w.machine, address), FHEC_BAD_INPUT);
    assert_int_equal(fhec_variable_write(w.machine, w.program, w.total, 0, "12", 2), FHEC_OK);
    run(&w, true);
    fhec_unload(w.machine, w.program);
    assert_int_equal(fhec_load(w.machine, w.program), FHEC_OK);
    assert_int_equal(fhec_load(w.machine, w.program), FHEC_OK); /* it is loaded */
    assert_int_equal(fhec_record_count(w.record), COUNT_OF(kinds));
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        assert_true(fhec_record_get(w.record, i, &a));
        assert_int_equal(a.kind, kinds[i]);
        assert_false(a.kept);
    }
    assert_false(fhec_record_get(w.record, COUNT_OF(kinds), &a));
    assert_true(fhec_record_get(w.record, 0, &a));
    assert_int_equal(a.address, w.data + 8);
    assert_int_equal(a.bytes, 3);
    assert_memory_equal(a.data, "abc", 3);
    assert_true(fhec_record_get(w.record, 1, &a));
    assert_string_equal(a.name, "more");
    assert_int_equal(a.address, address);
    assert_int_equal(a.flags, FHEC_MEM_READ_ONLY);
    assert_true(fhec_record_get(w.record, 5, &a));
    assert_int_equal(a.launch->grid[0], BLOCKS);
    assert_int_equal(a.status, FHEC_GUEST_FAULT);
    fhec_record *other;
    assert_int_equal(fhec_record_begin(w.machine, &other), FHEC_BAD_INPUT);
    assert_null(other);
    for (size_t i = COUNT_OF(kinds) + 1; i-- > 0;)
        assert_int_equal(fhec_record_go(w.record, i), FHEC_OK);
    assert_int_equal(fhec_read(w.machine, address, mapped, 1), FHEC_BAD_INPUT);
    end(&w);
}

/* A debugger's way: back to before a launch, through it instruction by instruction, to its end. */
static void test_session(void **unused) {
    (void)unused;
    static struct picture pictures[7];
    struct world w = begin(1);
    fhec_session *session, *again;
    fhec_snapshot *middle;
    fhec_stop stop;
    look(&w, &pictures[0]);
    for (size_t n = 0; n < 6; n++) { /* write, run, write, run, write, run with a fault */
        if (n % 2)
            run(&w, n == 5);
        else
            write_some(&w);
        look(&w, &pictures[n + 1]);
    }
    assert_int_equal(fhec_record_session(w.record, &session), FHEC_BAD_INPUT); /* the end */
    for (size_t n = 1; n < 6; n += 2) {
        assert_int_equal(fhec_record_go(w.record, n - 1), FHEC_OK);
        assert_int_equal(fhec_record_session(w.record, &session), FHEC_BAD_INPUT); /* a write */
        assert_int_equal(fhec_record_go(w.record, n), FHEC_OK);
        assert_int_equal(fhec_record_session(w.record, &session), FHEC_OK);
        assert_int_equal(fhec_record_go(w.record, 0), FHEC_BAD_INPUT);
        assert_int_equal(fhec_session_run(session, &(fhec_go){.instructions = 20}, &stop), FHEC_OK);
        assert_int_equal(fhec_snapshot_take(w.machine, &middle), FHEC_OK);
        assert_int_equal(fhec_session_run(session, &(fhec_go){.instructions = 20}, &stop), FHEC_OK);
        assert_int_equal(fhec_snapshot_restore(middle, &again), FHEC_OK);
        assert_ptr_equal(again, session);
        assert_int_equal(fhec_session_run(session, NULL, &stop), FHEC_OK);
        assert_int_equal(stop.reason, n == 5 ? FHEC_STOP_FAULT : FHEC_STOP_END);
        assert_int_equal(fhec_session_end(session), FHEC_OK);
        fhec_snapshot_free(middle);
        expect_look(&w, &pictures[n + 1], n + 1);
        assert_int_equal(fhec_record_count(w.record), 6);
        assert_int_equal(fhec_record_go(w.record, 6), FHEC_OK);
        expect_look(&w, &pictures[6], 6);
    }
    end(&w);
}

/* A session that ends on the way, or whose host changes something, is kept, and so is a restore. */
static void test_kept(void **unused) {
    (void)unused;
    static struct picture pictures[6];
    struct world w = begin(1);
    fhec_session *session;
    fhec_snapshot *early;
    fhec_action a;
    fhec_stop stop;
    const uint64_t params[2] = {w.data, 0};
    const fhec_launch launch = launch_of(&w, params);
    look(&w, &pictures[0]);
    assert_int_equal(fhec_snapshot_take(w.machine, &early), FHEC_OK);
    for (size_t n = 0; n < 2; n++) {
        assert_int_equal(fhec_session_begin(w.machine, &launch, &session), FHEC_OK);
        assert_int_equal(fhec_session_run(session, &(fhec_go){.instructions = 30}, &stop), FHEC_OK);
        if (n) {
            assert_int_equal(fhec_write(w.machine, w.data, "change", 6), FHEC_OK);
            assert_int_equal(fhec_session_run(session, NULL, &stop), FHEC_OK);
        }
        assert_int_equal(fhec_session_end(session), FHEC_OK);
        look(&w, &pictures[n + 1]);
    }
    run(&w, false);
    look(&w, &pictures[3]);
    assert_int_equal(fhec_snapshot_restore(early, &session), FHEC_OK);
    look(&w, &pictures[4]);
    assert_memory_equal(&pictures[4], &pictures[0], sizeof pictures[0]);
    run(&w, false);
    look(&w, &pictures[5]);
    static const bool kept[] = {true, true, false, true, false};
    assert_int_equal(fhec_record_count(w.record), COUNT_OF(kept));
    for (size_t i = 0; i < COUNT_OF(kept); i++) {
        assert_true(fhec_record_get(w.record, i, &a));
        assert_int_equal(a.kept, kept[i]);
    }
    for (size_t i = 0; i < 40; i++) {
        const size_t to = emu_below(&w.rng, COUNT_OF(pictures));
        assert_int_equal(fhec_record_go(w.record, to), FHEC_OK);
        expect_look(&w, &pictures[to], to);
    }
    fhec_snapshot_free(early);
    end(&w);
}

/* What is done in the past takes the place of what followed. */
static void test_another_future(void **unused) {
    (void)unused;
    static struct picture pictures[10], now;
    struct world w = begin(1);
    fhec_session *session;
    fhec_stop stop;
    for (size_t n = 0; n < 10; n++) {
        look(&w, &pictures[n]);
        run(&w, false);
    }
    assert_int_equal(fhec_record_go(w.record, 7), FHEC_OK);
    write_some(&w);
    look(&w, &now);
    assert_int_equal(fhec_record_count(w.record), 8);
    assert_int_equal(fhec_record_go(w.record, 3), FHEC_OK);
    expect_look(&w, &pictures[3], 3);
    assert_int_equal(fhec_record_go(w.record, 8), FHEC_OK);
    expect_look(&w, &now, 8);
    assert_int_equal(fhec_record_go(w.record, 2), FHEC_OK);
    assert_int_equal(fhec_record_session(w.record, &session), FHEC_OK);
    assert_int_equal(fhec_session_run(session, &(fhec_go){.instructions = 9}, &stop), FHEC_OK);
    assert_int_equal(fhec_session_end(session), FHEC_OK); /* not at its end */
    look(&w, &now);
    assert_int_equal(fhec_record_count(w.record), 3);
    assert_int_equal(fhec_record_go(w.record, 1), FHEC_OK);
    expect_look(&w, &pictures[1], 1);
    assert_int_equal(fhec_record_go(w.record, 3), FHEC_OK);
    expect_look(&w, &now, 3);
    end(&w);
}

/* A snapshot brings back a session that has ended, of a launch before others. */
static void test_ended_session(void **unused) {
    (void)unused;
    static struct picture before, now;
    struct world w = begin(1);
    fhec_session *session;
    fhec_snapshot *middle;
    fhec_action a;
    fhec_stop stop;
    const uint64_t params[2] = {w.data, 0};
    const fhec_launch launch = launch_of(&w, params);
    assert_int_equal(fhec_session_begin(w.machine, &launch, &session), FHEC_OK);
    assert_int_equal(fhec_session_run(session, &(fhec_go){.instructions = 30}, &stop), FHEC_OK);
    assert_int_equal(fhec_snapshot_take(w.machine, &middle), FHEC_OK);
    assert_int_equal(fhec_session_run(session, NULL, &stop), FHEC_OK);
    assert_int_equal(fhec_session_end(session), FHEC_OK);
    run(&w, false);
    look(&w, &before);
    assert_int_equal(fhec_snapshot_restore(middle, &session), FHEC_OK);
    assert_non_null(session);
    assert_int_equal(fhec_session_run(session, NULL, &stop), FHEC_OK);
    assert_int_equal(stop.reason, FHEC_STOP_END);
    assert_int_equal(fhec_session_end(session), FHEC_OK);
    look(&w, &now);
    assert_int_equal(now.launches, 1);
    assert_int_equal(fhec_record_count(w.record), 3);
    assert_true(fhec_record_get(w.record, 2, &a));
    assert_true(a.kept);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(fhec_record_go(w.record, 2), FHEC_OK);
        expect_look(&w, &before, 2);
        assert_int_equal(fhec_record_go(w.record, 3), FHEC_OK);
        expect_look(&w, &now, 3);
    }
    fhec_snapshot_free(middle);
    end(&w);
}

/* Does every action of the record on a machine of its own, where `before` is done first. */
static fhec_status do_elsewhere(const struct world *w, fhec_machine *machine, uint64_t before) {
    fhec_status status = FHEC_OK;
    uint64_t at;
    if (before)
        assert_int_equal(fhec_alloc(machine, "before", before, 0, &at), FHEC_OK);
    for (size_t i = 0; i < fhec_record_count(w->record) && status == FHEC_OK; i++) {
        fhec_action a;
        assert_true(fhec_record_get(w->record, i, &a));
        status = fhec_action_do(machine, &a);
    }
    return status;
}

/* What the record of one machine says is done on another one, launches that fault among it: it then
 * holds what the first one does. Where memory comes to lie elsewhere, that is an error. */
static void test_elsewhere(void **unused) {
    (void)unused;
    static uint32_t words[WORDS];
    static struct picture p;
    const uint64_t places[] = {0, 1 << 20};
    struct world w = {.program = emu_assemble(text), .rng = {99}};
    uint64_t spare = 0;
    uint32_t total;
    w.machine = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    assert_int_equal(fhec_record_begin(w.machine, &w.record), FHEC_OK);
    assert_int_equal(fhec_variable_find(w.program, "total", &w.total), FHEC_OK);
    assert_int_equal(fhec_alloc(w.machine, "data", sizeof words, 0, &w.data), FHEC_OK);
    assert_int_equal(fhec_load(w.machine, w.program), FHEC_OK);
    for (size_t n = 0; n < 60; n++)
        act(&w, n, &spare);
    look(&w, &p);
    for (size_t i = 0; i < 2; i++) {
        fhec_machine *other = emu_machine(FHEC_ENGINE_REF, FHEC_SIMD_BEST, 1);
        const fhec_status status = do_elsewhere(&w, other, places[i]);
        assert_int_equal(status, places[i] ? FHEC_HOST_ERROR : FHEC_OK);
        if (places[i]) {
            assert_non_null(strstr(fhec_machine_error(other), "memory is not where it was: data"));
        } else {
            assert_int_equal(fhec_read(other, w.data, words, sizeof words), FHEC_OK);
            assert_memory_equal(words, p.words, sizeof words);
            assert_int_equal(fhec_variable_read(other, w.program, w.total, 0, &total, 4), FHEC_OK);
            assert_int_equal(total, p.total);
        }
        fhec_machine_free(other);
    }
    end(&w);
}

/* An action that ends in another way than in the record, and one that was kept, are errors. */
static void test_other_end(void **unused) {
    (void)unused;
    struct world w = begin(1);
    fhec_snapshot *snapshot;
    fhec_session *session;
    fhec_action a;
    run(&w, false);
    assert_true(fhec_record_get(w.record, 0, &a));
    a.status = FHEC_GUEST_FAULT;
    assert_int_equal(fhec_action_do(w.machine, &a), FHEC_HOST_ERROR);
    assert_non_null(strstr(fhec_machine_error(w.machine), "did not end the same"));
    assert_int_equal(fhec_snapshot_take(w.machine, &snapshot), FHEC_OK);
    assert_int_equal(fhec_snapshot_restore(snapshot, &session), FHEC_OK);
    assert_true(fhec_record_get(w.record, fhec_record_count(w.record) - 1, &a));
    assert_int_equal(a.kind, FHEC_ACTION_RESTORE);
    assert_int_equal(fhec_action_do(w.machine, &a), FHEC_BAD_INPUT);
    fhec_snapshot_free(snapshot);
    end(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everywhere),     cmocka_unit_test(test_list),
        cmocka_unit_test(test_session),        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_another_future), cmocka_unit_test(test_ended_session),
        cmocka_unit_test(test_elsewhere),      cmocka_unit_test(test_other_end),
    };
    return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
