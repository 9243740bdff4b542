/*
 * emu_ownership_threads_test.c - blocks that run at once in memory itself: ownership by itself,
 * and kernels that are made to meet at pages, lines and words, or to be undone. What they leave is
 * that of one host thread, and where a formula is short, that formula's. Runs under TSan, too.
 */
#include "emu_work.h"
#include "memory.h"
#include "ownership.h"
#include "slow_build.h"

enum { PAGE = 1 << FH_PAGE_SHIFT, LINE = 1 << FH_LINE_SHIFT, LAUNCHES_OF_A_MARK = 0xffff };

/* ---------------------------------------------------------------- ownership by itself */

/* Two owners, each with spare memory of its own, and an allocation of three pages and a bit. */
struct pair {
    struct fh_memory memory;
    struct fh_ownership ownership;
    struct fh_owner a, b;
    struct fh_undo_log *spare[2];
    uint8_t *bytes;
};

static const size_t pair_bytes = 3 * PAGE + 100;

static void pair_launch(struct pair *p) {
    assert_true(fh_ownership_begin(&p->ownership, &p->memory));
    assert_true(fh_owner_begin(&p->a, &p->ownership, 0, &p->spare[0]));
    assert_true(fh_owner_begin(&p->b, &p->ownership, 1, &p->spare[1]));
}

static void pair_make(struct pair *p, enum fh_pieces pieces) {
    uint64_t address;
    *p = (struct pair){.ownership.pieces = pieces};
    fh_memory_init(&p->memory, &(fhec_placement){0});
    assert_int_equal(fh_memory_alloc(&p->memory, "x", pair_bytes, false, &address), FHEC_OK);
    p->bytes = p->memory.list[0].bytes;
    for (size_t i = 0; i < pair_bytes; i++)
        p->bytes[i] = (uint8_t)(i * 7 + (i >> 8));
    pair_launch(p);
}

static void pair_free(struct pair *p) {
    fh_owner_free(&p->a);
    fh_owner_free(&p->b);
    fh_ownership_free(&p->ownership);
    fh_undo_log_free(p->spare[0]);
    fh_undo_log_free(p->spare[1]);
    fh_memory_free(&p->memory);
}

static bool own(struct fh_owner *c, uint64_t offset, uint64_t bytes, bool store) {
    return fh_own_range(c, 0, offset, bytes, store);
}

static void pieces_are_shared_out(void **unused) {
    (void)unused;
    for (int kind = 0; kind < FH_PIECE_KINDS; kind++) {
        const uint64_t size = kind == FH_PAGES ? PAGE : LINE;
        struct pair p;
        pair_make(&p, (enum fh_pieces)kind);
        assert_true(own(&p.a, 4, 4, false)); /* read by one, by both, and then by nobody written */
        assert_true(own(&p.b, size - 1, 1, false));
        assert_false(own(&p.a, 8, 4, true));
        assert_false(own(&p.b, 8, 4, true));
        assert_true(own(&p.a, size, 8, false)); /* read and then written by one */
        assert_true(own(&p.a, size + 16, 4, true));
        assert_true(own(&p.a, size + 20, 4, false));
        assert_false(own(&p.b, 2 * size - 4, 4, false));
        assert_false(own(&p.b, 2 * size - 4, 4, true));
        assert_true(own(&p.b, 2 * size, 4, true)); /* its neighbour */
        assert_false(own(&p.a, 2 * size - 8, 16, false));
        assert_true(own(&p.b, pair_bytes - 1, 1, true)); /* the last, which is not whole */
        fh_owner_end(&p.a, true);
        fh_owner_end(&p.b, true);
        pair_launch(&p); /* all are free again */
        assert_true(own(&p.b, 0, size, true));
        assert_true(own(&p.b, size, size, true));
        assert_false(own(&p.a, 0, 1, false));
        pair_free(&p);
    }
}

/* One stays and one is undone, down to the last byte of the allocation, more than once. */
static void writes_are_undone(void **unused) {
    (void)unused;
    for (int kind = 0; kind < FH_PIECE_KINDS; kind++) {
        static uint8_t before[3 * PAGE + 100];
        struct pair p;
        pair_make(&p, (enum fh_pieces)kind);
        for (int launch = 0; launch < 3; launch++) {
            memcpy(before, p.bytes, pair_bytes);
            assert_true(own(&p.a, PAGE, PAGE, true));
            memset(p.bytes + PAGE, launch + 1, PAGE);
            assert_true(
                own(&p.b, 3 * PAGE, 100, true)); /* others are kept behind part of a piece */
            assert_true(own(&p.b, 0, 300, false));
            assert_true(own(&p.b, 0, PAGE, true));
            memset(p.bytes, 0x55, PAGE);
            assert_true(own(&p.b, 2 * PAGE, PAGE + 100, true));
            memset(p.bytes + 2 * PAGE, 0xaa, PAGE + 100);
            fh_owner_end(&p.a, true);
            fh_owner_end(&p.b, false);
            memset(before + PAGE, launch + 1, PAGE);
            assert_memory_equal(p.bytes, before, pair_bytes);
            pair_launch(&p);
        }
        pair_free(&p);
    }
}

/* Numbers of launches begin again: a mark of the launch with the same number must not be left. */
static void launches_are_told_apart(void **unused) {
    (void)unused;
    struct pair p;
    pair_make(&p, FH_PAGES);
    assert_true(own(&p.a, 0, 4, true));
    fh_owner_end(&p.a, true);
    for (unsigned i = 0; i < LAUNCHES_OF_A_MARK; i++)
        assert_true(fh_ownership_begin(&p.ownership, &p.memory));
    assert_int_equal(p.ownership.launch, 1);
    assert_true(fh_owner_begin(&p.b, &p.ownership, 1, &p.spare[1]));
    assert_true(own(&p.b, 0, 4, true));
    fh_owner_end(&p.b, true);
    pair_free(&p);
}

/* ---------------------------------------------------------------- kernels */

static struct emu_outcome one;

static uint32_t word(size_t i) {
    uint32_t value;
    memcpy(&value, one.bytes + 4 * i, 4);
    return value;
}

/* Block b has the page b of 16, 32 threads of them the lines at 0x80 l. R8:R9 is the address of the
 * lane's line, R10:R11 of the block's page. Turns make launches long enough for all threads. */
#define PAGES(body)                                                                                \
    BEGIN INDEX "MOV R20, 0x1000 ;\nMOV R21, 0x80 ;\nMOV R30, 0x30 ;\n"                            \
                "IMAD.WIDE.U32 R10, R1, R20, c[0x0][0x160] ;\n"                                    \
                "IMAD.WIDE.U32 R8, R2, R21, R10 ;\n"                                               \
                "turn: IADD3 R30, R30, -0x1, RZ ;\n"                                               \
                "ISETP.GT.AND P0, PT, R30, RZ, PT ;\n@P0 BRA turn ;\n" body "EXIT ;\n.end\n"

/* Where P2 holds, long enough for blocks behind to be done; WAIT_IN: for those of the other thread
 * to have begun. In a slow build everything that is waited for is slow as well. */
#define WAIT_FOR(turns)                                                                            \
    "@P2 MOV R30, " turns " ;\n"                                                                   \
    "wait: IADD3 R30, R30, -0x1, RZ ;\n"                                                           \
    "ISETP.GT.AND P0, PT, R30, RZ, PT ;\n@P0 BRA wait ;\n"
#if SLOW_BUILD
#define WAIT    WAIT_FOR("0x10000")
#define WAIT_IN WAIT_FOR("0x3000")
#else
#define WAIT    WAIT_FOR("0x80000")
#define WAIT_IN WAIT_FOR("0x10000")
#endif

/* Runs it at every SIMD level of the host. */
static void same(const char *text, uint32_t blocks, unsigned launches, uint64_t max_steps) {
    for (int simd = FHEC_SIMD_BEST; simd <= FHEC_SIMD_AVX512; simd++)
        if (simd == FHEC_SIMD_BEST || emu_has_simd((fhec_simd)simd))
            emu_same_at((struct emu_work){text, blocks, 32, 16 * PAGE, max_steps, launches},
                        (fhec_simd)simd, &one);
}

static void pages_of_their_own(void **unused) {
    (void)unused;
    same(PAGES("LDG.E R12, [R8.64+0x4] ;\n"
               "IADD3 R12, R12, R0, RZ ;\n"
               "STG.E [R8.64+0x8], R12 ;\n"
               "STG.E.64 [R8.64+0x10], R12 ;\n"
               "LDG.E.128 R12, [R8.64] ;\n"
               "STG.E.128 [R8.64+0x20], R12 ;\n"
               "STG.E.U8 [R8.64+0x31], R14 ;\n"),
         16, 3, 0);
    assert_int_equal(one.status, FHEC_OK);
    for (size_t i = 0; i < 16 * 32; i++)
        assert_int_equal(word(i * 32 + 2), word(i * 32 + 1) + i);
}

/* Lines of their own, in pages that all blocks share: lane l of block b has the line 2 b of the 2
 * KB number l, so the lanes of a warp are all over the allocation. */
static void lines_of_their_own(void **unused) {
    (void)unused;
    same(PAGES("MOV R22, 0x800 ;\nMOV R23, 0x80 ;\n"
               "IMAD.WIDE.U32 R8, R2, R22, c[0x0][0x160] ;\n"
               "IMAD.WIDE.U32 R8, R1, R23, R8 ;\n"
               "LDG.E R12, [R8.64+0x8] ;\n"
               "IMAD R12, R12, 0x3, R0 ;\n"
               "STG.E [R8.64+0x8], R12 ;\n"
               "LDG.E.64 R14, [R8.64+0x8] ;\n"
               "IADD3 R15, R15, R14, R1 ;\n"
               "STG.E.64 [R8.64+0x18], R14 ;\n"),
         16, 3, 0);
    assert_int_equal(one.status, FHEC_OK);
    for (size_t i = 0; i < 32 * 16; i++) {
        size_t at = i / 16 * 512 + i % 16 * 32;
        assert_int_equal(word(at + 6), word(at + 2));
    }
}

/* The same lines. The lower half of each warp is there first; then come lanes of which those above
 * have their lines 512 behind the lines of those below, which is how many a look-up of ownership
 * sees at once: whoever takes one for the other does not acquire it. Block 9 faults: what blocks
 * behind it wrote to lines far apart is undone. */
static void lines_behind_a_fault(void **unused) {
    (void)unused;
    same(PAGES("MOV R22, 0x800 ;\nMOV R23, 0x80 ;\nMOV R24, 0xf ;\n"
               "IMAD.WIDE.U32 R8, R2, R22, c[0x0][0x160] ;\n"
               "IMAD.WIDE.U32 R8, R1, R23, R8 ;\n"
               "ISETP.LT.U32.AND P1, PT, R2, 0x10, PT ;\n"
               "@P1 STG.E [R8.64+0x4], R0 ;\n"
               "LOP3.LUT R24, R2, R24, RZ, 0xc0, !PT ;\n" /* lane modulo 16 */
               "ISETP.LT.U32.AND P3, PT, R24, 0xc, PT ;\n"
               "@P3 STG.E [R8.64], R0 ;\n"
               "ISETP.EQ.AND P2, PT, R1, 0x9, PT ;\n" WAIT "@P2 STG.E [R8.64+0x2], R0 ;\n"),
         16, 1, 0);
    assert_int_equal(one.fault.kind, FHEC_FAULT_MISALIGNED);
    assert_int_equal(one.fault.block[0], 9);
    for (size_t i = 0; i < 32 * 16; i++) {
        const size_t lane = i / 16, block = i % 16, at = lane * 512 + block * 32;
        assert_int_equal(word(at) == block * 32 + lane, block <= 9 && lane % 16 < 12);
        assert_int_equal(word(at + 1) == block * 32 + lane, block <= 9 && lane < 16);
    }
}

/* Blocks of the second half write into pages of the first, and the other way round: whoever comes
 * second aborts, and what it has written by then is undone. */
static void blocks_meet_late(void **unused) {
    (void)unused;
    static const char *const texts[] = {
        PAGES("STG.E [R8.64], R0 ;\n" /* reads what block b ^ 8 writes */
              "LOP3.LUT R13, R1, 0x8, RZ, 0x3c, !PT ;\n"
              "IMAD.WIDE.U32 R14, R13, R20, c[0x0][0x160] ;\n"
              "LDG.E R16, [R14.64+0x80] ;\n"
              "STG.E [R8.64+0x4], R16 ;\n"),
        PAGES("LDG.E R12, [R8.64+0x7c] ;\n" /* writes what block 15 - b reads */
              "STG.E [R8.64], R12 ;\n"
              "IADD3 R13, -R1, 0xf, RZ ;\n"
              "IMAD.WIDE.U32 R14, R13, R20, c[0x0][0x160] ;\n"
              "IMAD.WIDE.U32 R14, R2, R21, R14 ;\n"
              "STG.E [R14.64+0x7c], R0 ;\n"),
        PAGES("STG.E [R8.64+0x8], R1 ;\n" /* a counter in the last page makes all sequential */
              "MOV R12, 0x1 ;\n"
              "MOV R14, c[0x0][0x160] ;\nMOV R15, c[0x0][0x164] ;\n"
              "IADD3 R14, P1, R14, 0xf040, RZ ;\nIADD3.X R15, R15, RZ, RZ, P1, !PT ;\n"
              "ATOMG.E.ADD.STRONG.GPU PT, R16, [R14.64], R12 ;\n"
              "STG.E [R8.64+0xc], R16 ;\n"),
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        same(texts[i], 15, 5, 0);
        assert_int_equal(one.status, FHEC_OK);
    }
    for (size_t i = 1; i < 15 * 32; i++) /* the order of the blocks */
        assert_int_equal(word(i * 32 + 3), word(i * 32 - 29) + 1);
}

/* One instruction goes from the block's page, where it acquires nothing any more, to that of block
 * b ^ 8; block 3 comes there late, or is met before it writes. `place` makes R12 of the lane R2. */
#define WALK(place, access)                                                                        \
    PAGES("ISETP.EQ.AND P2, PT, R1, 0x3, PT ;\n" WAIT_IN                                           \
          "MOV R12, 0x3 ;\nMOV R26, 0x100 ;\n" place "LOP3.LUT R13, R1, 0x8, RZ, 0x3c, !PT ;\n"    \
          "IMAD.WIDE.U32 R14, R13, R20, c[0x0][0x160] ;\n"                                         \
          "IMAD.WIDE.U32 R14, R12, 0x1, R14 ;\n"                                                   \
          "IMAD.WIDE.U32 R8, R12, 0x1, R10 ;\n"                                                    \
          "IADD3 R16, R0, 0x1000, RZ ;\nMOV R17, R1 ;\nMOV R30, 0x4 ;\n"                           \
          "walk: " access "IADD3 R30, R30, -0x1, RZ ;\n"                                           \
          "IADD3 R8, P1, R8, 0x80, RZ ;\nIADD3.X R9, R9, RZ, RZ, P1, !PT ;\n"                      \
          "ISETP.EQ.AND P0, PT, R30, 0x1, PT ;\n@P0 MOV R8, R14 ;\n@P0 MOV R9, R15 ;\n"            \
          "ISETP.GT.AND P0, PT, R30, RZ, PT ;\n@P0 BRA walk ;\n")
#define IN_ROW    "IMAD R12, R2, 0x8, RZ ;\n"
#define IN_CHUNKS /* four lanes side by side, or every eighth */                                   \
    "LOP3.LUT R12, R2, 0x3, RZ, 0xc0, !PT ;\nSHF.R.U32.HI R13, RZ, 0x2, R2 ;\n"                    \
    "IMAD R13, R13, R26, RZ ;\nIMAD R12, R12, 0x8, R13 ;\n"
#define IN_COLUMNS                                                                                 \
    "LOP3.LUT R12, R2, 0x7, RZ, 0xc0, !PT ;\nSHF.R.U32.HI R13, RZ, 0x3, R2 ;\n"                    \
    "IMAD R12, R12, R26, RZ ;\nIMAD R12, R13, 0x8, R12 ;\n"
#define COPY "LDG.E.64 R16, [R8.64] ;\nSTG.E.64 [R10.64+0x18], R16 ;\n"

static void one_instruction_walks_on(void **unused) {
    (void)unused;
    static const char *const texts[] = {
        WALK(IN_ROW, "STG.E.64 [R8.64], R16 ;\n"),
        WALK(IN_ROW, "STG.E [R8.64], R16 ;\n"),
        WALK(IN_CHUNKS, "STG.E.64 [R8.64], R16 ;\n"),
        WALK(IN_COLUMNS, "STG.E.64 [R8.64], R16 ;\n"),
        WALK(IN_ROW, COPY),
        WALK(IN_CHUNKS, COPY),
        WALK(IN_COLUMNS, COPY),
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        same(texts[i], 16, 1, 0);
        assert_int_equal(one.status, FHEC_OK);
    }
}

/* Two accesses through one register, one behind the other: to the block's page and, by offset, to
 * the next one. Block 6, the last of the first of two threads, comes there late. */
#define REACH(place, access)                                                                       \
    PAGES("ISETP.EQ.AND P2, PT, R1, 0x6, PT ;\n" WAIT_IN "MOV R26, 0x100 ;\n" place                \
          "IMAD.WIDE.U32 R8, R12, 0x1, R10 ;\n"                                                    \
          "IADD3 R16, R0, 0x1000, RZ ;\nMOV R17, R1 ;\n" access)
#define STORE_BOTH "STG.E.64 [R8.64], R16 ;\nSTG.E.64 [R8.64+0x1000], R16 ;\n"
#define LOAD_BOTH                                                                                  \
    "LDG.E.64 R18, [R8.64] ;\nLDG.E.64 R22, [R8.64+0x1000] ;\n"                                    \
    "STG.E.64 [R8.64], R16 ;\nSTG.E.64 [R8.64+0x800], R22 ;\n"

static void one_register_reaches_on(void **unused) {
    (void)unused;
    static const char *const texts[] = {
        REACH(IN_ROW, STORE_BOTH),   REACH(IN_ROW, LOAD_BOTH),      REACH(IN_CHUNKS, STORE_BOTH),
        REACH(IN_CHUNKS, LOAD_BOTH), REACH(IN_COLUMNS, STORE_BOTH), REACH(IN_COLUMNS, LOAD_BOTH),
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        same(texts[i], 15, 1, 0);
        assert_int_equal(one.status, FHEC_OK);
    }
}

/* Block 9 faults half-way: pages of the blocks behind it are as they were. */
static void blocks_behind_a_fault(void **unused) {
    (void)unused;
    same(PAGES("STG.E [R8.64], R0 ;\n"
               "ISETP.EQ.AND P2, PT, R1, 0x9, PT ;\n" WAIT "@P2 STG.E [R8.64+0x2], R0 ;\n"
               "STG.E [R8.64+0x4], R1 ;\n"),
         16, 1, 0);
    assert_int_equal(one.fault.kind, FHEC_FAULT_MISALIGNED);
    assert_int_equal(one.fault.block[0], 9);
    for (size_t b = 0; b < 16; b++) {
        const size_t i = b * 1024 + 32, byte = 4 * i;
        const uint8_t first = (uint8_t)(byte * 37 + (byte >> 6) * 11 + 5);
        assert_int_equal(word(i) == b * 32 + 1, b <= 9);
        assert_int_equal(word(i + 1) == b, b < 9);
        if (b > 9)
            assert_int_equal(one.bytes[byte], first);
    }
}

/* A limit of steps that falls into block 11, of which the blocks cannot know what came before. */
static void limits_across_pages(void **unused) {
    (void)unused;
    static const char text[] = PAGES("STG.E [R8.64], R0 ;\n");
    same(text, 16, 1, 0);
    assert_int_equal(one.status, FHEC_OK);
    same(text, 16, 1, one.warp / 16 * 11 + 20);
    assert_int_equal(one.fault.kind, FHEC_FAULT_STEP_LIMIT);
    assert_int_equal(one.fault.block[0], 11);
}

/* Block 0 waits for what block 15 reads at once and block 1 writes: those that run ahead spin on a
 * page that nobody may write any more. */
static void spinning_on_a_page(void **unused) {
    (void)unused;
    same(PAGES("ISETP.NE.AND P1, PT, R1, 0xf, PT ;\n"
               "MOV R14, c[0x0][0x160] ;\nMOV R15, c[0x0][0x164] ;\n"
               "MOV R13, 0x77 ;\n"
               "@P1 BRA write ;\n"
               "spin: LDG.E R12, [R14.64+0x1000] ;\n"
               "ISETP.NE.AND P2, PT, R12, R13, PT ;\n"
               "@P2 BRA spin ;\n"
               "write: STG.E [R8.64], R13 ;\n"),
         16, 1, 0);
    assert_int_equal(one.status, FHEC_OK);
    assert_int_equal(word(15 * 1024), 0x77);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_shared_out),    cmocka_unit_test(writes_are_undone),
        cmocka_unit_test(launches_are_told_apart),  cmocka_unit_test(pages_of_their_own),
        cmocka_unit_test(lines_of_their_own),       cmocka_unit_test(lines_behind_a_fault),
        cmocka_unit_test(blocks_meet_late),         cmocka_unit_test(blocks_behind_a_fault),
        cmocka_unit_test(limits_across_pages),      cmocka_unit_test(spinning_on_a_page),
        cmocka_unit_test(one_instruction_walks_on), cmocka_unit_test(one_register_reaches_on),
    };
    return cmocka_run_group_tests_name("emu_ownership_threads", tests, NULL, NULL);
}
