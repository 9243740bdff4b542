/*
 * session_end_warp_test.c - warps that the host ends, after a fault and elsewhere: what the others
 * do then, what observers are told, and that snapshots and orders of warps go along.
 */
#include "fhec_observe.h"
#include "session_util.h"

#include <stdio.h>
#include <string.h>

#define KERNEL ".target sm_80\n.kernel K\n.param data, 8\n"
#define INDEX                                                                                      \
    "S2R R0, SR_TID.X ;\n"               /* 00 */                                                  \
    "S2R R8, SR_CTAID.X ;\n"             /* 10 */                                                  \
    "IMAD R9, R8, 0x60, R0 ;\n"          /* 20 */                                                  \
    "MOV R1, 0x4 ;\n"                    /* 30 */                                                  \
    "IMAD.WIDE.U32 R2, R9, R1, data ;\n" /* 40 */

/* Of three warps the second one loads from address 0 in lanes 5 and above; the others store 7 when
 * all of the block that are left have been at the barrier. */
static const char faulty[] = KERNEL INDEX "ISETP.GE.AND P0, PT, R0, 0x25, PT ;\n" /* 50 */
                                          "ISETP.LT.AND P0, PT, R0, 0x40, P0 ;\n" /* 60 */
                                          "@P0 LDG.E R4, [RZ] ;\n"                /* 70 */
                                          "BAR.SYNC 0x0 ;\n"                      /* 80 */
                                          "MOV R5, 0x7 ;\n"                       /* 90 */
                                          "STG.E [R2.64], R5 ;\n"                 /* a0 */
                                          "EXIT ;\n.end\n";                       /* b0 */

/* The upper half of warp 1 waits at the barrier first, the lower half stops at a fault; the others
 * learn how many have come with an odd number, by BAR.RED. */
static const char apart[] = KERNEL INDEX "LOP3.LUT R6, R0, 0x1, RZ, 0xc0, !PT ;\n" /* 50 */
                                         "ISETP.NE.AND P1, PT, R6, RZ, PT ;\n"     /* 60 */
                                         "ISETP.GE.AND P0, PT, R0, 0x30, PT ;\n"   /* 70 */
                                         "ISETP.LT.AND P2, PT, R0, 0x20, PT ;\n"   /* 80 */
                                         "@P0 BRA meet ;\n"                        /* 90 */
                                         "@P2 BRA meet ;\n"                        /* a0 */
                                         "YIELD ;\n"                               /* b0 */
                                         "NOP ;\n"                                 /* c0 */
                                         "LDG.E R4, [RZ] ;\n"                      /* d0 */
                                         "meet: BAR.RED.POPC 0x0, P1 ;\n"          /* e0 */
                                         "B2R.RESULT R5 ;\n"                       /* f0 */
                                         "STG.E [R2.64], R5 ;\n"                   /* 100 */
                                         "EXIT ;\n.end\n";                         /* 110 */
static const uint32_t first[3] = {0, 0, 0};

static void end_warp(struct guest *g, uint32_t block, uint32_t warp) {
    const uint32_t id[3] = {block, 0, 0};
    if (fhec_session_end_warp(g->session, id, warp) != FHEC_OK)
        fail_msg("%s", fhec_machine_error(g->machine));
}

static void expect_fault(const fhec_stop *stop, uint32_t block, uint32_t warp, uint64_t pc,
                         uint32_t lanes) {
    assert_int_equal(stop->reason, FHEC_STOP_FAULT);
    assert_int_equal(stop->block[0], block);
    assert_int_equal(stop->warp, warp);
    assert_true(stop->pc == pc);
    assert_int_equal(stop->lanes, lanes);
}

/* Of `faulty` behind its end: the threads of the second warp of each block stored nothing. */
static void expect_stored(const struct guest *g, uint32_t blocks) {
    for (uint32_t i = 0; i < 96 * blocks; i++)
        assert_int_equal(word_at(g, i), i % 96 / 32 == 1 ? 0 : 7);
}

static void others_go_on(void **unused) {
    (void)unused;
    struct guest g = guest_begin(faulty, 2, 96, 192);
    for (uint32_t block = 0; block < 2; block++) {
        fhec_stop stop = guest_go(&g, NULL);
        expect_fault(&stop, block, 1, 0x70, 0xffffffe0);
        fhec_warp_info info;
        const uint32_t id[3] = {block, 0, 0};
        end_warp(&g, block, 1);
        assert_int_equal(fhec_session_warp(g.session, id, 1, &info), FHEC_OK);
        assert_int_equal(info.exited, UINT32_MAX);
        assert_int_equal(info.active, 0);
        assert_int_equal(info.group_count, 0);
        assert_int_equal(fhec_session_end_warp(g.session, id, 1), FHEC_BAD_INPUT);
        assert_non_null(strstr(fhec_machine_error(g.machine), "has ended"));
    }
    assert_int_equal(guest_go(&g, NULL).reason, FHEC_STOP_END);
    expect_stored(&g, 2);
    assert_int_equal(fhec_session_end_warp(g.session, first, 0), FHEC_BAD_INPUT);
    guest_end(&g);
}

/* The half of the warp that waits at the barrier is not counted there any more, nor are its votes:
 * there are 16 odd numbers in warp 0 and 16 in warp 2. */
static void lanes_at_a_barrier(void **unused) {
    (void)unused;
    struct guest g = guest_begin(apart, 1, 96, 96);
    fhec_stop stop = guest_go(&g, NULL);
    expect_fault(&stop, 0, 1, 0xd0, 0xffff);
    uint32_t arrived, count;
    assert_int_equal(fhec_session_read_barrier(g.session, first, 0, &arrived, &count), FHEC_OK);
    assert_int_equal(arrived, 80); /* with the half of warp 1 */
    end_warp(&g, 0, 1);
    assert_int_equal(fhec_session_read_barrier(g.session, first, 0, &arrived, &count), FHEC_OK);
    assert_int_equal(arrived, 0); /* released */
    assert_int_equal(guest_go(&g, NULL).reason, FHEC_STOP_END);
    for (uint32_t i = 0; i < 96; i++)
        assert_int_equal(word_at(&g, i), i / 32 == 1 ? 0 : 32);
    guest_end(&g);
}

/* Warps 0 and 2 wait already: the barrier is released when the host ends warp 1, which is at a
 * breakpoint. Warp 3 has not begun, and ends before it does. */
static void releases(void **unused) {
    (void)unused;
    struct guest g = guest_begin(KERNEL INDEX "ISETP.GE.AND P0, PT, R0, 0x20, PT ;\n" /* 50 */
                                              "ISETP.LT.AND P0, PT, R0, 0x40, P0 ;\n" /* 60 */
                                              "@!P0 BRA meet ;\n"                     /* 70 */
                                              "again: YIELD ;\n"                      /* 80 */
                                              "BRA again ;\n"                         /* 90 */
                                              "meet: BAR.SYNC 0x0 ;\n"                /* a0 */
                                              "STG.E [R2.64], R1 ;\n"                 /* b0 */
                                              "EXIT ;\n.end\n",                       /* c0 */
                                 1, 128, 128);
    const fhec_point begins = {.kind = FHEC_POINT_WARP_BEGIN,
                               .scope = {.one_warp = true, .warp = 3}};
    const fhec_point ends = {.kind = FHEC_POINT_WARP_END};
    const fhec_point released = {.kind = FHEC_POINT_BARRIER};
    guest_add(&g, begins);
    fhec_stop stop = guest_go(&g, NULL);
    assert_int_equal(stop.reason, FHEC_STOP_WARP_BEGIN);
    guest_add(&g, ends);
    guest_add(&g, released);
    end_warp(&g, 0, 3);
    end_warp(&g, 0, 1);
    for (uint32_t warp = 0; warp < 3; warp += 2) { /* what the host did is not told */
        stop = guest_go(&g, NULL);
        assert_int_equal(stop.reason, FHEC_STOP_WARP_END);
        assert_int_equal(stop.warp, warp);
    }
    assert_int_equal(guest_go(&g, NULL).reason, FHEC_STOP_END);
    for (uint32_t i = 0; i < 128; i++)
        assert_int_equal(word_at(&g, i), i / 32 % 2 ? 0 : 4);
    guest_end(&g);
}

/* Every warp of every block ends by its host, the last one with the launch. */
static void all_of_them(void **unused) {
    (void)unused;
    struct guest g = guest_begin(KERNEL "LDG.E R4, [RZ] ;\nEXIT ;\n.end\n", 3, 96, 1);
    for (uint32_t block = 0; block < 3; block++)
        for (uint32_t warp = 0; warp < 3; warp++) {
            fhec_stop stop = guest_go(&g, NULL);
            expect_fault(&stop, block, warp, 0, UINT32_MAX);
            end_warp(&g, block, warp);
        }
    const fhec_stop stop = guest_go(&g, NULL);
    assert_int_equal(stop.reason, FHEC_STOP_END);
    assert_true(stop.instructions == 0);
    guest_end(&g);
}

/* A barrier with a count goes on counting: nobody else comes, and that is a deadlock. */
static void counted_barrier(void **unused) {
    (void)unused;
    struct guest g = guest_begin(KERNEL "S2R R0, SR_TID.X ;\n"
                                        "ISETP.GE.AND P0, PT, R0, 0x20, PT ;\n"
                                        "@P0 LDG.E R4, [RZ] ;\n"
                                        "BAR.SYNC 0x1, 0x40 ;\nEXIT ;\n.end\n",
                                 1, 64, 1);
    fhec_stop stop = guest_go(&g, NULL);
    expect_fault(&stop, 0, 1, 0x20, UINT32_MAX);
    end_warp(&g, 0, 1);
    stop = guest_go(&g, NULL);
    expect_fault(&stop, 0, 0, 0x30, UINT32_MAX);
    assert_int_equal(stop.fault->kind, FHEC_FAULT_DEADLOCK);
    end_warp(&g, 0, 0); /* the whole block waited, and now nobody does */
    assert_int_equal(guest_go(&g, NULL).reason, FHEC_STOP_END);
    guest_end(&g);
}

/* ---------------------------------------------------------------- observers */

struct told {
    char text[400];
    size_t used;
};

static void tell(void *user, const fhec_event *e) {
    struct told *told = user;
    const uint32_t lanes = e->kind == FHEC_EVENT_RELEASE      ? e->barrier.lanes
                           : e->kind == FHEC_EVENT_LAUNCH_END ? (uint32_t)e->end.status
                                                              : e->lanes;
    told->used +=
        (size_t)snprintf(told->text + told->used, sizeof told->text - told->used, "%s %u %llx %x\n",
                         fhec_event_name(e->kind), e->warp, (unsigned long long)e->pc, lanes);
    assert_true(told->used < sizeof told->text);
}

static void observed_ends(void **unused) {
    (void)unused;
    struct guest g = guest_begin(faulty, 1, 96, 96);
    struct told told = {.used = 0};
    const fhec_observer observer = {.user = &told,
                                    .filter = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_FAULT) |
                                                        FHEC_EVENT_BIT(FHEC_EVENT_RELEASE) |
                                                        FHEC_EVENT_BIT(FHEC_EVENT_WARP_END) |
                                                        FHEC_EVENT_BIT(FHEC_EVENT_BLOCK_END) |
                                                        FHEC_EVENT_BIT(FHEC_EVENT_LAUNCH_END)},
                                    .event = tell};
    unsigned number;
    assert_int_equal(guest_go(&g, NULL).reason, FHEC_STOP_FAULT); /* before anybody observes */
    assert_int_equal(fhec_observe(g.machine, &observer, &number), FHEC_OK);
    assert_int_equal(guest_go(&g, NULL).reason, FHEC_STOP_FAULT); /* the same one again */
    end_warp(&g, 0, 1);
    assert_int_equal(guest_go(&g, &(fhec_go){.instructions = 9}).reason, FHEC_STOP_COUNT);
    assert_int_equal(fhec_unobserve(g.machine, number), FHEC_OK);
    assert_int_equal(fhec_observe(g.machine, &observer, &number), FHEC_OK);
    end_warp(&g, 0, 2);
    end_warp(&g, 0, 0);
    assert_int_equal(guest_go(&g, NULL).reason, FHEC_STOP_END);
    assert_int_equal(fhec_session_end(g.session), FHEC_OK);
    assert_string_equal(told.text, "fault 1 70 ffffffe0\n"
                                   "warp ends 1 70 ffffffff\n"
                                   "release 2 80 40\n"
                                   "warp ends 2 90 ffffffff\n"
                                   "warp ends 0 90 ffffffff\n"
                                   "block ends 0 90 ffffffff\n"
                                   "launch ends 0 0 3\n");
    fhec_machine_free(g.machine);
    fhec_program_free(g.program);
}

/* ---------------------------------------------------------------- snapshots, orders */

static void snapshots(void **unused) {
    (void)unused;
    struct guest g = guest_begin(faulty, 2, 96, 192);
    assert_int_equal(guest_go(&g, NULL).reason, FHEC_STOP_FAULT);
    fhec_snapshot *before, *behind;
    assert_int_equal(fhec_snapshot_take(g.machine, &before), FHEC_OK);
    end_warp(&g, 0, 1);
    assert_int_equal(fhec_snapshot_take(g.machine, &behind), FHEC_OK);
    fhec_stop stop = guest_go(&g, NULL);
    expect_fault(&stop, 1, 1, 0x70, 0xffffffe0);
    assert_int_equal(fhec_snapshot_restore(before, &g.session), FHEC_OK);
    stop = guest_go(&g, NULL);
    expect_fault(&stop, 0, 1, 0x70, 0xffffffe0);
    assert_int_equal(fhec_snapshot_restore(behind, &g.session), FHEC_OK);
    stop = guest_go(&g, NULL);
    expect_fault(&stop, 1, 1, 0x70, 0xffffffe0);
    end_warp(&g, 1, 1);
    assert_int_equal(guest_go(&g, NULL).reason, FHEC_STOP_END);
    expect_stored(&g, 2);
    fhec_snapshot_free(before);
    fhec_snapshot_free(behind);
    guest_end(&g);
}

static struct guest in_order(fhec_engine engine, uint64_t seed) {
    struct guest g = {.program = emu_assemble(faulty)};
    const fhec_machine_options options = {
        .engine = engine, .threads = 1, .order = {.kind = FHEC_ORDER_SEED, .seed = seed}};
    assert_int_equal(fhec_machine_new(&options, &g.machine), FHEC_OK);
    assert_int_equal(fhec_alloc(g.machine, "data", 4 * 480, 0, &g.data), FHEC_OK);
    const fhec_launch launch = {.program = g.program,
                                .grid = {5, 1, 1},
                                .block = {96, 1, 1},
                                .params = &g.data,
                                .param_bytes = sizeof g.data};
    assert_int_equal(fhec_session_begin(g.machine, &launch, &g.session), FHEC_OK);
    return g;
}

/* Runs to a fault of a block that had none, and ends its warp. */
static void next_fault(struct guest *g, uint32_t *blocks) {
    const fhec_stop stop = guest_go(g, NULL);
    expect_fault(&stop, stop.block[0], 1, 0x70, 0xffffffe0);
    assert_false(*blocks >> stop.block[0] & 1);
    *blocks |= 1u << stop.block[0];
    end_warp(g, stop.block[0], 1);
}

/* Ends what is left of the first block there is, which perhaps is not the one that runs. */
static void end_block(struct guest *g, uint32_t *blocks) {
    fhec_block_info info;
    assert_int_equal(fhec_session_block(g->session, 0, &info), FHEC_OK);
    for (uint32_t warp = 0; warp < 3; warp++)
        (void)fhec_session_end_warp(g->session, info.id, warp);
    *blocks |= 1u << info.id[0];
}

static void any_order(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct guest g = in_order(seed % 2 ? FHEC_ENGINE_FAST : FHEC_ENGINE_REF, seed / 2);
        uint32_t blocks = 0;
        for (int i = 0; i < 4; i++)
            next_fault(&g, &blocks);
        if (seed & 2)
            end_block(&g, &blocks);
        if (blocks != 31)
            next_fault(&g, &blocks);
        assert_int_equal(guest_go(&g, NULL).reason, FHEC_STOP_END);
        if (!(seed & 2))
            expect_stored(&g, 5);
        guest_end(&g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_BOTH(others_go_on), ON_BOTH(lanes_at_a_barrier), ON_BOTH(releases),
        ON_BOTH(all_of_them),  ON_BOTH(counted_barrier),    ON_BOTH(observed_ends),
        ON_BOTH(snapshots),    cmocka_unit_test(any_order),
    };
    return cmocka_run_group_tests_name("session_end_warp", tests, NULL, NULL);
}
