/* Who stored each element of an array last, and which instructions led to a word: of small kernels
 * whose stores are known. */
#include "emu_util.h"

#include "slice.h"
#include "stores.h"

enum { WORDS = 512 };

struct world {
    fhec_program *program;
    fhec_machine *machine;
    uint64_t out;
};

static struct world world_of(const char *body) {
    char text[4096];
    snprintf(text, sizeof text,
             ".target sm_80\n.kernel k\n.param out, 8\n.shared s, 256\nS2R R0, SR_TID.X ;\n"
             "MOV R4, out ;\nMOV R5, c[0x0][0x164] ;\n%sEXIT ;\n.end\n",
             body);
    struct world w = {.program = emu_assemble(text),
                      .machine = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1)};
    assert_int_equal(fhec_alloc(w.machine, "out", 4 * WORDS, 0, &w.out), FHEC_OK);
    return w;
}

static void world_end(struct world *w) {
    fhec_machine_free(w->machine);
    fhec_program_free(w->program);
}

/* ---------------------------------------------------------------- stores */

static void each_thread(void **state) {
    (void)state;
    /* number of the thread in the grid 2 x 3 x 2 of blocks of 48 */
    struct world w = world_of("S2R R1, SR_CTAID.X ;\nS2R R2, SR_CTAID.Y ;\nS2R R3, SR_CTAID.Z ;\n"
                              "IMAD R3, R3, 0x3, R2 ;\nIMAD R3, R3, 0x2, R1 ;\n"
                              "IMAD R3, R3, 0x20, R0 ;\n"
                              "ISETP.LT.U32.AND P0, PT, R0, 0x20, PT ;\n"
                              "IMAD.WIDE.U32 R6, R3, 0x4, R4 ;\n@P0 STG.E [R6.64], R3 ;\n"
                              "ISETP.EQ.U32.AND P1, PT, R3, 0x25, PT ;\n@P1 STG.E [R6.64], RZ ;\n");
    struct fh_stores *stores;
    struct fh_store s;
    assert_int_equal(fh_stores_begin(w.machine, w.out + 4, 4, 390, &stores), FHEC_OK);
    const fhec_launch launch = {.program = w.program,
                                .grid = {2, 3, 2},
                                .block = {48, 1, 1},
                                .params = &w.out,
                                .param_bytes = 8};
    assert_false(fh_stores_get(stores, 0, &s));
    for (uint64_t number = 1; number <= 2; number++) {
        assert_int_equal(fhec_run(w.machine, &launch), FHEC_OK);
        for (uint32_t i = 0; i < 390; i++) {
            const uint32_t thread = i + 1, block = thread / 32;
            if (thread >= 12 * 32) {
                assert_false(fh_stores_get(stores, i, &s));
                continue;
            }
            assert_true(fh_stores_get(stores, i, &s));
            const bool second = thread == 0x25;
            assert_int_equal(s.site->pc, second ? 0xd0 : 0xb0);
            assert_string_equal(s.site->text,
                                second ? "@P1 STG.E [R6.64], RZ" : "@P0 STG.E [R6.64], R3");
            assert_int_equal(s.site->launch, number);
            assert_string_equal(s.site->kernel, "k");
            assert_int_equal(s.site->line, second ? 18 : 16);
            assert_int_equal(s.block[0], block % 2);
            assert_int_equal(s.block[1], block / 2 % 3);
            assert_int_equal(s.block[2], block / 6);
            assert_int_equal(s.warp, 0);
            assert_int_equal(s.lane, thread % 32);
            assert_int_equal(s.reg, second ? FHEC_NO_REGISTER : 3);
        }
    }
    fh_stores_end(stores);
    world_end(&w);
}

/* Elements of `bytes` bytes from `offset` on; want: the register of each, by which it is stored; 0:
 * it is not. */
static void parts(const char *body, uint32_t offset, uint32_t bytes, const uint16_t *want,
                  size_t count) {
    struct world w = world_of(body);
    struct fh_stores *stores;
    assert_int_equal(fh_stores_begin(w.machine, w.out + offset, bytes, count, &stores), FHEC_OK);
    emu_run_ok(w.machine, w.program, 1, 64, &w.out, 1);
    for (size_t i = 0; i < count; i++) {
        struct fh_store s;
        assert_int_equal(fh_stores_get(stores, i, &s), want[i] != 0);
        if (!want[i])
            continue;
        if (s.reg != want[i])
            fail_msg("%s: element %zu is of R%u, not of R%u", body, i, s.reg, want[i]);
        assert_int_equal(s.warp, 1); /* the last one */
        assert_int_equal(s.lane, 31);
    }
    fh_stores_end(stores);
    world_end(&w);
}

#define PARTS(body, offset, bytes, ...)                                                            \
    parts((body), (offset), (bytes), (const uint16_t[]){__VA_ARGS__},                              \
          COUNT_OF(((const uint16_t[]){__VA_ARGS__})))

static void parts_of_accesses(void **state) {
    (void)state;
    static const char wide[] = "STG.E.128 [R4.64+0x10], R8 ;\n";
    PARTS(wide, 0, 4, 0, 0, 0, 0, 8, 9, 10, 11, 0);
    PARTS(wide, 0x10, 4, 8, 9, 10, 11);
    PARTS(wide, 0x14, 4, 9, 10, 11, 0);
    PARTS(wide, 0x18, 4, 10);
    PARTS(wide, 0x1c, 4, 11, 0);
    PARTS(wide, 0x20, 4, 0);
    PARTS(wide, 0, 4, 0, 0, 0, 0);
    PARTS(wide, 0, 8, 0, 0, 8, 10, 0);
    PARTS(wide, 0x14, 8, 9, 11);
    PARTS(wide, 0xc, 8, 8, 9, 11); /* of each element what comes first, in it */
    PARTS(wide, 0x10, 1, 8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 10, 11, 11, 11, 11, 0);
    PARTS("STG.E.U8 [R4.64+0x5], R8 ;\n", 0, 4, 0, 8, 0);
    PARTS("STG.E.U8 [R4.64+0x5], R8 ;\n", 0, 1, 0, 0, 0, 0, 0, 8, 0);
    PARTS("STG.E.64 [R4.64], R8 ;\nSTG.E [R4.64+0x4], R12 ;\n", 0, 4, 8, 12, 0);
    PARTS("RED.E.ADD.STRONG.GPU [R4.64], R8 ;\nSTS [RZ+0x4], R8 ;\n", 0, 4, 8, 0);
    PARTS("ATOMG.E.EXCH.STRONG.GPU PT, R10, [R4.64], R8 ;\n", 0, 4, 8, 0);
    PARTS("LDG.E R8, [R4.64] ;\n", 0, 4, 0, 0);
}

static void writers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool writes;
    } cases[] = {
        {"STG.E [R4.64], R8", true},      {"STS [R4], R8", true},
        {"LDG.E R8, [R4.64]", false},     {"LDS R8, [R4]", false},
        {"LDGSTS.E [R4], [R6.64]", true}, {"RED.E.ADD.STRONG.GPU [R4.64], R8", true},
        {"ATOMS.ADD R8, [R4], R9", true}, {"MOV R4, R8", false},
        {"IADD3 R4, R5, R6, R7", false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        fhec_word word;
        fhec_instruction x;
        assert_int_equal(fhec_assemble_word(cases[i].text, 0, NULL, NULL, &word), FHEC_OK);
        assert_int_equal(fhec_instruction_get(word, 0, &x), FHEC_OK);
        assert_int_equal(fh_writes_memory(&x), cases[i].writes);
    }
}

/* ---------------------------------------------------------------- sites */

/* Instructions, by number from the body's first one, that led to a word of out. */
static void led(const char *body, uint32_t offset, size_t most, const int *want, size_t count) {
    struct world w = world_of(body);
    struct fh_journal *journal;
    const struct fh_journal_site *sites[32];
    assert_int_equal(fh_journal_begin(w.machine, 1 << 24, &journal), FHEC_OK);
    emu_run_ok(w.machine, w.program, 1, 32, &w.out, 1);
    const size_t got = fh_slice_sites(journal, w.out + offset, 4, sites, most);
    for (size_t i = 0; i < got && i < count; i++)
        if ((int)(sites[i]->instruction.pc / 16) - 3 != want[i])
            fail_msg("%s: site %zu is %s", body, i, sites[i]->instruction.text);
    assert_int_equal(got, count);
    fh_journal_free(journal);
    world_end(&w);
}

#define LED(body, offset, most, ...)                                                               \
    led((body), (offset), (most), (const int[]){__VA_ARGS__},                                      \
        COUNT_OF(((const int[]){__VA_ARGS__})))

static void sites(void **state) {
    (void)state;
    static const char body[] = "ISETP.LT.U32.AND P0, PT, R0, 0x8, PT ;\n" /* 0 */
                               "IADD3 R8, R0, 0x5, RZ ;\n"                /* 1 */
                               "IMAD R9, R8, R8, RZ ;\n"                  /* 2 */
                               "IMAD.WIDE.U32 R6, R0, 0x4, R4 ;\n"        /* 3 */
                               "MOV R10, 0x3 ;\n"                         /* 4 */
                               "@P0 STG.E [R6.64], R9 ;\n"                /* 5 */
                               "STG.E [R4.64+0x100], R10 ;\n";            /* 6 */
    /* data first, then the address's and the guard's */
    LED(body, 8, 32, 5, 2, 1, -3, 3, 0, -2, -1);
    LED(body, 8, 6, 5, 2, 1, -3, 3, 0);
    LED(body, 8, 4, 5, 2, 3, 0); /* two thirds are for data */
    LED(body, 8, 1, 5);
    LED(body, 0x100, 32, 6, 4, -2, -1);
    /* Nobody stored it: the last store of all, and what that read; there is no branch. */
    LED(body, 36, 32, 6, -2, -1, 4);
    static const char branch[] = "ISETP.GE.U32.AND P0, PT, R0, 0x8, PT ;\n" /* 0 */
                                 "MOV R10, 0x3 ;\n"                         /* 1 */
                                 "IMAD.WIDE.U32 R6, R0, 0x4, R4 ;\n"        /* 2 */
                                 "@P0 EXIT ;\n"                             /* 3 */
                                 "STG.E [R6.64], R10 ;\n";                  /* 4 */
    LED(branch, 36, 32, 3, 0, -3, 4, 2, 1, -2, -1);
    static const char skip[] = "ISETP.GE.U32.AND P0, PT, R0, 0x8, PT ;\n" /* 0 */
                               "@P0 BRA end ;\n"                          /* 1 */
                               "RED.E.ADD.STRONG.GPU [R4.64], R0 ;\n"     /* 2 */
                               "end:\nMOV R12, R0 ;\n";                   /* 3 */
    LED(skip, 36, 32, 1, 0, -3, 2, -2, -1);
    /* One of each line: what stands in one line is one place. */
    static const char lines[] = "MOV R8, 0x1 ; MOV R9, 0x2 ;\n" /* 0 1 */
                                "IADD3 R10, R8, R9, R0 ;\n"     /* 2 */
                                "STG.E [R4.64], R10 ;\n";       /* 3 */
    LED(lines, 0, 32, 3, 2, 0, -3, -2, -1);
    /* an unguarded branch decides nothing */
    static const char always[] = "MOV R12, R0 ;\nBRA end ;\nNOP ;\nend:\n";
    struct world w = world_of(always);
    world_end(&w);
    led(always, 0, 32, NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_thread),
        cmocka_unit_test(parts_of_accesses),
        cmocka_unit_test(writers),
        cmocka_unit_test(sites),
    };
    return cmocka_run_group_tests_name("difference_stores", tests, NULL, NULL);
}
