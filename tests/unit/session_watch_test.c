/*
 * session_watch_test.c - watchpoints of sessions: registers and memory of every space, by reads,
 * writes and changes; which lanes did it, where, and the values before and after.
 */
#include "session_util.h"

#define KERNEL ".target sm_80\n.kernel K\n.param data, 8\n.shared s, 256\n.local 64\n"

/* One warp; R0 is the lane's number, R2:R3 its word of the data. */
#define HEAD                                                                                       \
    KERNEL "S2R R0, SR_TID.X ;\n"               /* 00 */                                           \
           "MOV R1, 0x4 ;\n"                    /* 10 */                                           \
           "IMAD.WIDE.U32 R2, R0, R1, data ;\n" /* 20 */

static fhec_point on_register(fhec_register_file file, uint32_t reg, unsigned access) {
    return (fhec_point){.kind = FHEC_POINT_REGISTER, .file_of = file, .reg = reg, .access = access};
}

static fhec_point on_memory(fhec_space space, uint64_t address, uint64_t bytes, unsigned access) {
    return (fhec_point){.kind = FHEC_POINT_MEMORY,
                        .space = space,
                        .address = address,
                        .bytes = bytes,
                        .access = access};
}

static void expect_access(const fhec_stop *s, unsigned access, uint32_t lanes, uint32_t old,
                          uint32_t new) {
    if (s->access != access || s->lanes != lanes || s->old_value[0] != old ||
        s->new_value[0] != new || s->lane != (uint32_t)__builtin_ctz(lanes))
        fail_msg("access %u of lanes 0x%08x, 0x%x to 0x%x, not %u of 0x%08x, 0x%x to 0x%x",
                 s->access, s->lanes, s->old_value[0], s->new_value[0], access, lanes, old, new);
}

static void registers(void **unused) {
    (void)unused;
    struct guest g = guest_begin(HEAD "MOV R4, RZ ;\n"                        /* 30 */
                                      "ISETP.GE.AND P1, PT, R0, 0x1e, PT ;\n" /* 40 */
                                      "@P1 IADD3 R4, R4, 0x1, R0 ;\n"         /* 50 */
                                      "MOV R5, R4 ;\n"                        /* 60 */
                                      "MOV R4, R5 ;\n"                        /* 70 */
                                      "EXIT ;\n.end\n",
                                 1, 32, 32);
    guest_add(&g, on_register(FHEC_FILE_R, 4, FHEC_ACCESS_CHANGE));
    fhec_stop stop = guest_go(&g, NULL); /* not at 30: it was 0 */
    expect_at(&stop, FHEC_STOP_WATCHPOINT, 0, 0, 0x50, 6);
    expect_access(&stop, FHEC_ACCESS_READ | FHEC_ACCESS_WRITE, 0xc0000000, 0, 31);
    assert_int_equal(stop.active, 0xc0000000);
    assert_int_equal(guest_go(&g, NULL).reason, FHEC_STOP_END); /* 70 changes nothing */
    guest_end(&g);

    g = guest_begin(HEAD "MOV R4, RZ ;\n"                        /* 30 */
                         "ISETP.GE.AND P1, PT, R0, 0x1e, PT ;\n" /* 40 */
                         "@P1 IADD3 R4, R4, 0x1, R0 ;\n"         /* 50 */
                         "MOV R4, R4 ;\n"                        /* 60 */
                         "UMOV UR4, 0x7 ;\n"                     /* 70 */
                         "MOV R6, UR4 ;\n"                       /* 80 */
                         "EXIT ;\n.end\n",
                    1, 32, 32);
    const unsigned reads = guest_add(&g, on_register(FHEC_FILE_R, 4, FHEC_ACCESS_READ));
    const unsigned writes = guest_add(&g, on_register(FHEC_FILE_R, 4, FHEC_ACCESS_WRITE));
    const unsigned predicate =
        guest_add(&g, on_register(FHEC_FILE_P, 1, FHEC_ACCESS_READ | FHEC_ACCESS_CHANGE));
    const unsigned uniform = guest_add(&g, on_register(FHEC_FILE_UR, 4, 7));
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_WATCHPOINT, 0, 0, 0x30, 4);
    assert_int_equal(stop.point, writes);
    expect_access(&stop, FHEC_ACCESS_WRITE, UINT32_MAX, 0, 0);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_WATCHPOINT, 0, 0, 0x40, 5);
    assert_int_equal(stop.point, predicate);
    expect_access(&stop, FHEC_ACCESS_WRITE, 0xc0000000, 0, 0xc0000000);
    stop = guest_go(&g, NULL); /* one instruction, three points, one after the other */
    expect_at(&stop, FHEC_STOP_WATCHPOINT, 0, 0, 0x50, 6);
    assert_int_equal(stop.point, reads);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_WATCHPOINT, 0, 0, 0x50, 6);
    assert_int_equal(stop.point, writes);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_WATCHPOINT, 0, 0, 0x50, 6);
    assert_int_equal(stop.point, predicate); /* as the guard, by all lanes */
    expect_access(&stop, FHEC_ACCESS_READ, UINT32_MAX, 0xc0000000, 0xc0000000);
    assert_int_equal(fhec_session_enable(g.session, reads, false), FHEC_OK);
    assert_int_equal(fhec_session_enable(g.session, writes, false), FHEC_OK);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_WATCHPOINT, 0, 0, 0x70, 8);
    assert_int_equal(stop.point, uniform);
    expect_access(&stop, FHEC_ACCESS_WRITE, UINT32_MAX, 0, 7);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_WATCHPOINT, 0, 0, 0x80, 9);
    expect_access(&stop, FHEC_ACCESS_READ, UINT32_MAX, 7, 7);
    assert_int_equal(guest_go(&g, NULL).reason, FHEC_STOP_END);
    guest_end(&g);
}

static const char stores[] = HEAD "LDG.E R4, [R2.64] ;\n"                          /* 30 */
                                  "STG.E [R2.64], R0 ;\n"                          /* 40 */
                                  "STG.E [R2.64], R0 ;\n"                          /* 50 */
                                  "IADD3 R5, R0, 0x64, RZ ;\n"                     /* 60 */
                                  "STG.E.U8 [R2.64+0x1], R5 ;\n"                   /* 70 */
                                  "ATOMG.E.ADD.STRONG.GPU PT, R6, [R2.64], R1 ;\n" /* 80 */
                                  "EXIT ;\n.end\n";

static void global(void **unused) {
    (void)unused;
    struct guest g = guest_begin(stores, 1, 32, 32);
    const unsigned reads =
        guest_add(&g, on_memory(FHEC_SPACE_GLOBAL, g.data + 4 * 5, 4, FHEC_ACCESS_READ));
    const unsigned changes =
        guest_add(&g, on_memory(FHEC_SPACE_GLOBAL, g.data + 4 * 9, 8, FHEC_ACCESS_CHANGE));
    fhec_stop stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_WATCHPOINT, 0, 0, 0x30, 4);
    assert_int_equal(stop.point, reads);
    assert_true(stop.address == g.data + 20 && stop.bytes == 4);
    expect_access(&stop, FHEC_ACCESS_READ, 1u << 5, 0, 0);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_WATCHPOINT, 0, 0, 0x40, 5);
    assert_int_equal(stop.point, changes);
    expect_access(&stop, FHEC_ACCESS_WRITE, 3u << 9, 0, 9);
    assert_true(stop.address == g.data + 36);
    stop = guest_go(&g, NULL); /* not at 50, which writes what is there */
    expect_at(&stop, FHEC_STOP_WATCHPOINT, 0, 0, 0x70, 8);
    expect_access(&stop, FHEC_ACCESS_WRITE, 3u << 9, 0, 109);
    assert_true(stop.address == g.data + 37 && stop.bytes == 1);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_WATCHPOINT, 0, 0, 0x80, 9);
    assert_int_equal(stop.point, reads);
    expect_access(&stop, FHEC_ACCESS_READ | FHEC_ACCESS_WRITE, 1u << 5, 5 + 105 * 256,
                  9 + 105 * 256);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_WATCHPOINT, 0, 0, 0x80, 9);
    assert_int_equal(stop.point, changes);
    expect_access(&stop, FHEC_ACCESS_READ | FHEC_ACCESS_WRITE, 3u << 9, 9 + 109 * 256,
                  13 + 109 * 256);
    assert_int_equal(guest_go(&g, NULL).reason, FHEC_STOP_END);
    guest_end(&g);
}

/* Part of an access, a lane of the scope, and an address next to the range. */
static void edges(void **unused) {
    (void)unused;
    struct guest g = guest_begin(stores, 2, 32, 64);
    fhec_point p = on_memory(FHEC_SPACE_GLOBAL, g.data + 4 * 9 + 3, 1, FHEC_ACCESS_WRITE);
    guest_add(&g, p);
    p.scope = (fhec_scope){.one_block = true, .block = {1, 0, 0}, .lanes = 1u << 10};
    p.bytes = 3; /* of lane 10's word two bytes */
    guest_add(&g, p);
    fhec_stop stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_WATCHPOINT, 0, 0, 0x40, 5);
    assert_int_equal(stop.lanes, 1u << 9);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_WATCHPOINT, 0, 0, 0x50, 6);
    stop = guest_go(&g, NULL); /* the byte store at 70 is next to the first range */
    expect_at(&stop, FHEC_STOP_WATCHPOINT, 0, 0, 0x80, 9);
    assert_int_equal(fhec_session_remove(g.session, 1), FHEC_OK);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_WATCHPOINT, 1, 0, 0x40, 10 + 5);
    expect_access(&stop, FHEC_ACCESS_WRITE, 1u << 10, 14 + 110 * 256, 10);
    guest_end(&g);
}

static void shared_local_constant(void **unused) {
    (void)unused;
    struct guest g =
        guest_begin(HEAD "IMAD R4, R0, 0x8, RZ ;\n"            /* 30 */
                         "STS.64 [R4], R2 ;\n"                 /* 40 */
                         "STL [0x10], R0 ;\n"                  /* 50 */
                         "LDL R5, [0x10] ;\n"                  /* 60 */
                         "IADD3 R6, R4, c[0x0][0x160], RZ ;\n" /* 70 */
                         "LDC.64 R8, c[0x0][0x160] ;\n"        /* 80 */
                         "MOV R10, R4 ;\n"                     /* 90 */
                         "MOV R11, 0x1 ;\n"                    /* a0 */
                         "LD.E.64 R12, [R10.64] ;\n" /* b0: through the window of shared memory */
                         "EXIT ;\n.end\n",
                    1, 32, 32);
    const uint32_t low = (uint32_t)g.data;
    guest_add(&g, on_memory(FHEC_SPACE_SHARED, 8 * 3 + 4, 1, 7));
    guest_add(&g, on_memory(FHEC_SPACE_LOCAL, 0x13, 1, FHEC_ACCESS_READ));
    guest_add(&g, on_memory(FHEC_SPACE_CONSTANT, 0x160, 4, FHEC_ACCESS_READ));
    fhec_stop stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_WATCHPOINT, 0, 0, 0x20, 3);
    expect_access(&stop, FHEC_ACCESS_READ, UINT32_MAX, low, low);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_WATCHPOINT, 0, 0, 0x40, 5);
    expect_access(&stop, FHEC_ACCESS_WRITE, 1u << 3, 0, low + 12);
    assert_true(stop.address == 24 && stop.bytes == 8);
    assert_int_equal(stop.new_value[1], (uint32_t)(g.data >> 32));
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_WATCHPOINT, 0, 0, 0x60, 7);
    expect_access(&stop, FHEC_ACCESS_READ, UINT32_MAX, 0, 0);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_WATCHPOINT, 0, 0, 0x70, 8);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_WATCHPOINT, 0, 0, 0x80, 9);
    expect_access(&stop, FHEC_ACCESS_READ, UINT32_MAX, low, low);
    assert_int_equal(stop.bytes, 8);
    stop = guest_go(&g, NULL);
    expect_at(&stop, FHEC_STOP_WATCHPOINT, 0, 0, 0xb0, 12);
    expect_access(&stop, FHEC_ACCESS_READ, 1u << 3, low + 12, low + 12);
    assert_int_equal(stop.point, 1);
    assert_int_equal(guest_go(&g, NULL).reason, FHEC_STOP_END);
    guest_end(&g);
}

static void refused(void **unused) {
    (void)unused;
    struct guest g = guest_begin(HEAD "STG.E [R2.64], R0 ;\nEXIT ;\n.end\n", 1, 32, 32);
    const fhec_point points[] = {
        on_memory(FHEC_SPACE_GLOBAL, g.data, 4, FHEC_ACCESS_READ),
        on_memory(FHEC_SPACE_SHARED, 0, 4, FHEC_ACCESS_WRITE),
        on_memory(FHEC_SPACE_CONSTANT, 0, 4, FHEC_ACCESS_READ),
        on_memory(FHEC_SPACE_CONSTANT, 0x160, 4, FHEC_ACCESS_WRITE),
        on_memory(FHEC_SPACE_GLOBAL, g.data, 0, FHEC_ACCESS_WRITE),
        on_memory(FHEC_SPACE_GLOBAL, g.data, 4, 0),
        on_memory((fhec_space)9, g.data, 4, FHEC_ACCESS_WRITE),
    };
    for (size_t i = 0; i < COUNT_OF(points); i++) {
        unsigned number;
        if (fhec_session_add(g.session, &points[i], &number) != FHEC_BAD_INPUT)
            fail_msg("point %zu was taken", i);
    }
    guest_add(&g, on_memory(FHEC_SPACE_GLOBAL, g.data, 4, FHEC_ACCESS_CHANGE));
    guest_end(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_BOTH(registers), ON_BOTH(global), ON_BOTH(edges), ON_BOTH(shared_local_constant),
        ON_BOTH(refused),
    };
    return cmocka_run_group_tests_name("session_watch", tests, NULL, NULL);
}
