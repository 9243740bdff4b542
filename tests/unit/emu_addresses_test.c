/*
 * emu_addresses_test.c - what observers can have for less: accesses without their values, told
 * before the instruction, and counts at the end of a launch. Both are held against events of the
 * usual kind.
 */
#include "emu_util.h"
#include "fhec_observe.h"
#include "fhec_session.h"

enum { MOST = 4096, INSTRUCTIONS = 64, BLOCKS = 3, THREADS = 96 };

struct seen {
    uint64_t pc;
    fhec_space space;
    unsigned access;
    uint32_t block, warp, lanes, bytes;
    uint64_t address[32]; /* 0: of lanes that do not access */
};

struct log {
    struct seen list[MOST];
    size_t count;
    bool values; /* some access had them */
    uint64_t warp[INSTRUCTIONS], thread[INSTRUCTIONS];
};

/* All ways to memory, by all lanes, by some and by none. */
static const char kernel[] =
    ".target sm_80\n.kernel K\n.param x, 8\n.shared room, 4096\n.local 64\n"
    "S2R R0, SR_TID.X ;\nIMAD R1, R0, 0x10, RZ ;\nMOV R2, x ;\nMOV R3, x+4 ;\n"
    "IMAD.WIDE.U32 R4, R0, 0x10, R2 ;\n"
    "ISETP.LT.U32.AND P0, PT, R0, 0x15, PT ;\nISETP.LT.U32.AND P1, PT, R0, 0x100, PT ;\n"
    "LDG.E.128 R8, [R4.64] ;\n@P0 LDG.E.U8 R8, [R4.64+0x3] ;\n@!P1 LDG.E R8, [R4.64] ;\n"
    "STS.64 [R1], R8 ;\nLDS.U16 R12, [R1+0x2] ;\n@P0 STS.128 [R1], R8 ;\n"
    "STL [RZ+0x8], R8 ;\nLDL.64 R14, [RZ+0x8] ;\n"
    "LD.E R16, [R4.64] ;\nST.E.64 [R4.64+0x8], R8 ;\n"
    "LDGSTS.E.BYPASS.128 [R1], [R4.64] ;\n@!P0 LDGSTS.E [R1], [R4.64+0x4] ;\n"
    "LDSM.16.M88.2 R20, [R1] ;\n"
    "ATOMS.ADD RZ, [R1+0x4], R0 ;\n@P0 ATOMG.E.ADD.STRONG.GPU PT, R18, [R2.64], R0 ;\n"
    "RED.E.ADD.64.STRONG.GPU [R2.64+0x8], R8 ;\n"
    "STG.E [R4.64], R8 ;\nEXIT ;\n.end\n";

static void on_event(void *user, const fhec_event *event) {
    struct log *log = user;
    if (event->kind == FHEC_EVENT_LAUNCH_END) {
        for (size_t i = 0; i < INSTRUCTIONS; i++)
            if (!fhec_event_count(event, 16 * i, &log->warp[i], &log->thread[i]))
                assert_int_equal(log->warp[i], 0);
        return;
    }
    if (event->kind == FHEC_EVENT_INSTRUCTION) {
        log->warp[event->pc / 16]++;
        log->thread[event->pc / 16] += (uint64_t)__builtin_popcount(event->active);
        return;
    }
    assert_true(log->count < MOST);
    const fhec_access *a = &event->access;
    struct seen *to = &log->list[log->count++];
    *to = (struct seen){event->pc,   a->space,     a->access, event->block[0],
                        event->warp, event->lanes, a->bytes,  {0}};
    for (unsigned l = 0; l < 32; l++)
        to->address[l] = event->lanes >> l & 1 ? a->address[l] : 0;
    log->values |= a->value != NULL && to->access != (FHEC_ACCESS_READ | FHEC_ACCESS_WRITE);
}

static struct log *observe(fhec_engine engine, const char *text, const fhec_filter *filter) {
    fhec_program *program = emu_assemble(text);
    fhec_machine *m = emu_machine(engine, FHEC_SIMD_BEST, 1);
    struct log *log = calloc(1, sizeof *log);
    assert_non_null(log);
    const fhec_observer observer = {.user = log, .filter = *filter, .event = on_event};
    uint64_t x;
    assert_int_equal(fhec_alloc(m, "x", 4096, 0, &x), FHEC_OK);
    assert_int_equal(fhec_observe(m, &observer, NULL), FHEC_OK);
    emu_run_ok(m, program, BLOCKS, THREADS, &x, 1);
    fhec_machine_free(m);
    fhec_program_free(program);
    return log;
}

static const fhec_engine engines[] = {FHEC_ENGINE_FAST, FHEC_ENGINE_REF};

static void test_addresses(void **unused) {
    (void)unused;
    for (size_t e = 0; e < COUNT_OF(engines); e++) {
        fhec_filter filter = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_ACCESS)};
        struct log *full = observe(engines[e], kernel, &filter);
        filter.addresses_only = true;
        struct log *bare = observe(engines[e], kernel, &filter);
        assert_true(full->values);
        assert_false(bare->values);
        assert_true(full->count > (size_t)BLOCKS * 3 * 15);
        assert_int_equal(full->count, bare->count);
        for (size_t i = 0; i < full->count; i++)
            if (memcmp(&full->list[i], &bare->list[i], sizeof full->list[i]) != 0)
                fail_msg("access %zu, pc %03llx: %u bytes of space %d, and not %u of %d", i,
                         (unsigned long long)full->list[i].pc, bare->list[i].bytes,
                         bare->list[i].space, full->list[i].bytes, full->list[i].space);
        free(full);
        free(bare);
    }
}

/* Counts at the end are those of events; without the wish there are none. */
static void test_counts(void **unused) {
    (void)unused;
    static const char loop[] = ".target sm_80\n.kernel K\n.param x, 8\n"
                               "S2R R0, SR_TID.X ;\nMOV R1, RZ ;\nagain:\n"
                               "IADD3 R1, R1, 0x3, RZ ;\n@P0 IADD3 R1, R1, 0x1, RZ ;\n"
                               "ISETP.LT.U32.AND P0, PT, R1, R0, PT ;\n@P0 BRA again ;\n"
                               "EXIT ;\n.end\n";
    for (size_t e = 0; e < COUNT_OF(engines); e++) {
        const fhec_filter events = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_INSTRUCTION)};
        fhec_filter counts = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_END), .counts = true};
        struct log *a = observe(engines[e], loop, &events), *b = observe(engines[e], loop, &counts);
        counts.counts = false;
        struct log *none = observe(engines[e], loop, &counts);
        assert_true(a->warp[2] > a->warp[0]);
        assert_true(a->thread[2] < 32 * a->warp[2]);
        for (size_t i = 0; i < INSTRUCTIONS; i++) {
            assert_int_equal(a->warp[i], b->warp[i]);
            assert_int_equal(a->thread[i], b->thread[i]);
            assert_int_equal(none->warp[i], 0);
        }
        free(a);
        free(b);
        free(none);
    }
}

/* A launch that is counted for an observer is not for the machine. */
static void test_machine_counts(void **unused) {
    (void)unused;
    const fhec_filter filter = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_END), .counts = true};
    struct log log = {.count = 0};
    const fhec_observer observer = {.user = &log, .filter = filter, .event = on_event};
    fhec_program *program = emu_assemble(kernel);
    fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 3);
    fhec_stats stats;
    uint64_t x;
    unsigned number;
    assert_int_equal(fhec_alloc(m, "x", 4096, 0, &x), FHEC_OK);
    assert_int_equal(fhec_observe(m, &observer, &number), FHEC_OK);
    emu_run_ok(m, program, BLOCKS, THREADS, &x, 1);
    assert_int_equal(log.warp[0], 3 * BLOCKS);
    assert_int_equal(log.thread[0], THREADS * BLOCKS);
    assert_int_equal(fhec_machine_stats(m, &stats), FHEC_OK);
    assert_int_equal(stats.warp_insts, 0);
    assert_int_equal(stats.launches, 0);
    fhec_machine_count(m, true);
    assert_int_equal(fhec_unobserve(m, number), FHEC_OK);
    emu_run_ok(m, program, BLOCKS, THREADS, &x, 1);
    assert_int_equal(fhec_machine_stats(m, &stats), FHEC_OK);
    assert_int_equal(stats.launches, 1);
    fhec_machine_free(m);
    fhec_program_free(program);
}

/* Taken back in the middle, a launch counts as if it had run once; what began without counts has
 * none, whoever asks for them later. */
static void test_snapshots(void **unused) {
    (void)unused;
    const fhec_filter filter = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_END), .counts = true};
    struct log log = {.count = 0};
    const fhec_observer observer = {.user = &log, .filter = filter, .event = on_event};
    fhec_program *program = emu_assemble(kernel);
    for (unsigned late = 0; late < 2; late++) {
        fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
        fhec_session *session;
        fhec_snapshot *snapshot;
        fhec_stop stop;
        fhec_stats stats;
        uint64_t x;
        assert_int_equal(fhec_alloc(m, "x", 4096, 0, &x), FHEC_OK);
        if (!late)
            assert_int_equal(fhec_observe(m, &observer, NULL), FHEC_OK);
        const fhec_launch launch = {.program = program,
                                    .grid = {BLOCKS, 1, 1},
                                    .block = {THREADS, 1, 1},
                                    .params = &x,
                                    .param_bytes = sizeof x};
        assert_int_equal(fhec_session_begin(m, &launch, &session), FHEC_OK);
        const fhec_go some = {.instructions = 30};
        assert_int_equal(fhec_session_run(session, &some, &stop), FHEC_OK);
        assert_int_equal(fhec_snapshot_take(m, &snapshot), FHEC_OK);
        assert_int_equal(fhec_session_run(session, NULL, &stop), FHEC_OK);
        assert_int_equal(fhec_session_end(session), FHEC_OK);
        if (late)
            assert_int_equal(fhec_observe(m, &observer, NULL), FHEC_OK);
        memset(&log, 0, sizeof log);
        assert_int_equal(fhec_snapshot_restore(snapshot, &session), FHEC_OK);
        assert_int_equal(fhec_session_run(session, NULL, &stop), FHEC_OK);
        assert_int_equal(fhec_session_end(session), FHEC_OK);
        assert_int_equal(log.warp[0], late ? 0 : 3 * BLOCKS);
        assert_int_equal(log.thread[5], late ? 0 : THREADS * BLOCKS);
        assert_int_equal(fhec_machine_stats(m, &stats), FHEC_OK);
        assert_int_equal(stats.warp_insts, 0);
        fhec_snapshot_free(snapshot);
        fhec_machine_free(m);
    }
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_machine_counts),
        cmocka_unit_test(test_snapshots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
