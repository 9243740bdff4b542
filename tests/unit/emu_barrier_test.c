/*
 * emu_barrier_test.c - barriers of the block: waiting, arriving, counts, reductions.
 */
#include "emu_words.h"

static uint32_t bar_want(uint32_t t) {
    return 1000 + (128 - 1 - t);
}

/* Everyone writes, then reads what a thread of another warp wrote. */
static void test_barrier(void **unused) {
    (void)unused;
    expect(".target sm_80\n.kernel K\n.param out, 8\n.shared buffer, 512\n"
           "S2R R0, SR_TID.X ;\n"
           "MOV R6, 0x4 ;\n"
           "IMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n"
           "IADD3 R1, R0, 0x3e8, RZ ;\n"
           "STS [R0.X4], R1 ;\n"
           "BAR.SYNC 0x0 ;\n"
           "IADD3 R2, -R0, 0x7f, RZ ;\n"
           "LDS R8, [R2.X4] ;\n" STORE("R8") TAIL,
           128, bar_want);
}

static uint32_t bar_exit_want(uint32_t t) {
    return t < 40 ? 0 : 7;
}

/* Threads 0-39 end without coming to the barrier: one whole warp and a part of another. */
static void test_barrier_after_exit(void **unused) {
    (void)unused;
    expect(HEAD "ISETP.LT.AND P0, PT, R0, 0x28, PT ;\n"
                "@P0 EXIT ;\n"
                "BAR.SYNC 0x5 ;\n"
                "MOV R8, 0x7 ;\n" STORE("R8") TAIL,
           100, bar_exit_want);
}

static uint32_t bar_named_want(uint32_t t) {
    return t < 64 ? 0x11 : 0x22;
}

/* Two pairs of warps, each with a barrier of its own and a count; in the form with registers, too.
 * The first pair goes through its barrier twice. */
static void test_named_barriers(void **unused) {
    (void)unused;
    expect(HEAD "ISETP.GE.AND P0, PT, R0, 0x40, PT ;\n"
                "@P0 BRA second ;\n"
                "BAR.SYNC 0x1, 0x40 ;\n"
                "BAR.SYNC 0x1, 0x40 ;\n"
                "MOV R8, 0x11 ;\n"
                "BRA store ;\n"
                "second: MOV R9, 0x400002 ;\n"
                "BAR.SYNC R9 ;\n"
                "MOV R9, 0x400003 ;\n"
                "BAR.SYNC R9, R9 ;\n"
                "MOV R10, 0x40 ;\n"
                "BAR.SYNC 0x3, R10 ;\n"
                "MOV R10, 0x400000 ;\n"
                "BAR.SYNC 0x4, R10 ;\n"
                "MOV R9, 0x5 ;\n"
                "BAR.SYNC R9, 0x40 ;\n"
                "MOV R8, 0x22 ;\n"
                "store:\n" STORE("R8") TAIL,
           128, bar_named_want);
}

static uint32_t bar_arrive_want(uint32_t t) {
    return t < 32 ? 5 : 1000 + t - 32;
}

/* Warp 0 produces and arrives; warp 1 waits and consumes. */
static void test_arrive(void **unused) {
    (void)unused;
    expect(".target sm_80\n.kernel K\n.param out, 8\n.shared buffer, 128\n"
           "S2R R0, SR_TID.X ;\n"
           "MOV R6, 0x4 ;\n"
           "IMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n"
           "ISETP.GE.AND P0, PT, R0, 0x20, PT ;\n"
           "@P0 BRA consumer ;\n"
           "IADD3 R1, R0, 0x3e8, RZ ;\n"
           "STS [R0.X4], R1 ;\n"
           "BAR.ARV 0x9, 0x40 ;\n"
           "MOV R8, 0x5 ;\n"
           "BRA store ;\n"
           "consumer: BAR.SYNC 0x9, 0x40 ;\n"
           "LDS R8, [R0.X4+-0x80] ;\n"
           "store:\n" STORE("R8") TAIL,
           64, bar_arrive_want);
}

static uint32_t bar_red_want(uint32_t t) {
    return t % 2 == 0 && t < 96 ? 48 + 0x1000 : 48 + 0x2000;
}

/* 48 of 128 threads have an even number below 96. OR holds, AND does not. */
static void test_barrier_reductions(void **unused) {
    (void)unused;
    expect(HEAD "LOP3.LUT R1, R0, 0x1, RZ, 0xc0, !PT ;\n"
                "ISETP.EQ.AND P0, PT, R1, RZ, PT ;\n"
                "ISETP.LT.AND P0, PT, R0, 0x60, P0 ;\n"
                "BAR.RED.POPC 0x0, P0 ;\n"
                "B2R.RESULT R8 ;\n"
                "BAR.RED.AND 0x1, P0 ;\n"
                "B2R.RESULT RZ, P1 ;\n"
                "BAR.RED.OR 0x2, P0 ;\n"
                "B2R.RESULT RZ, P2 ;\n"
                "@P1 MOV R8, 0xbad ;\n"
                "@!P2 MOV R8, 0xbad1 ;\n"
                "BAR.RED.AND 0x1, !P3 ;\n"
                "B2R.RESULT RZ, P1 ;\n"
                "@!P1 MOV R8, 0xbad2 ;\n"
                "@P0 IADD3 R8, R8, 0x1000, RZ ;\n"
                "@!P0 IADD3 R8, R8, 0x2000, RZ ;\n" STORE("R8") TAIL,
           128, bar_red_want);
}

static uint32_t bar_order_want(uint32_t t) {
    return t < 96 ? 1000 + t : 77;
}

/* A barrier lets the warps go on from the first one on, also when the last one opened it, or one
 * in the middle (the second barrier: warp 1 comes to it late). Behind both warp 3 writes over what
 * the others read, a race that compiled code has and that the older warps win on a GPU. */
static void test_order_behind_barrier(void **unused) {
    (void)unused;
    expect(".target sm_80\n.kernel K\n.param out, 8\n.shared buffer, 1024\n"
           "S2R R0, SR_TID.X ;\n"
           "MOV R6, 0x4 ;\n"
           "IMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n"
           "IADD3 R1, R0, 0x3e8, RZ ;\n"
           "STS [R0.X4], R1 ;\n"
           "STS [R0.X4+0x200], R1 ;\n"
           "ISETP.GE.AND P0, PT, R0, 0x60, PT ;\n"
           "MOV R2, 0x4d ;\n"
           "LOP3.LUT R7, R0, 0x60, RZ, 0xc0, !PT ;\n"
           "ISETP.EQ.AND P1, PT, R7, 0x20, PT ;\n"
           "BAR.SYNC 0x0 ;\n"
           "@P0 STS [R0.X4+0x80], R2 ;\n"
           "LDS R9, [R0.X4+0x200] ;\n"
           "@P1 YIELD ;\n"
           "BAR.SYNC 0x0 ;\n"
           "@P0 STS [R0.X4+-0x180], R2 ;\n"
           "@P0 STS [R0.X4+-0x100], R2 ;\n"
           "@P0 STS [R0.X4+-0x80], R2 ;\n"
           "@P0 STS [R0.X4], R2 ;\n"
           "LDS R8, [R0.X4] ;\n"
           "ISETP.NE.AND P2, PT, R9, R1, PT ;\n"
           "@P2 MOV R8, 0xbad ;\n" STORE("R8") TAIL,
           128, bar_order_want);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_barrier_after_exit),
        cmocka_unit_test(test_named_barriers),
        cmocka_unit_test(test_arrive),
        cmocka_unit_test(test_barrier_reductions),
        cmocka_unit_test(test_order_behind_barrier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
