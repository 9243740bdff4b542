/*
 * origin_survey_test.c - the maps of all executions of a matrix instruction: over warps, blocks of
 * three dimensions and turns; elements that are elsewhere; what is selected.
 *
 * A of IMMA.8816 is 8 x 16 bytes: lane 4 g + t has bytes 4 t to 4 t + 3 of row g.
 */
#include <string.h>

#include "emu_util.h"
#include "origin_survey.h"

enum { BYTES = 16384, PC = 0x170 };

/* Byte 4 lane + 128 warp + 256 x + 512 y + 1024 z of the block, + 2048 of the turn, + 16, is in R8;
 * `more` may change R4, or R6:R7 behind it, in front of the loop. */
static const char kernel[] =
    ".target sm_80\n.kernel k\n.param x, 8\n.param y, 8\n"
    "S2R R0, SR_TID.X ;\nS2R R1, SR_CTAID.X ;\nS2R R2, SR_CTAID.Y ;\nS2R R3, SR_CTAID.Z ;\n"
    "LEA R4, R0, RZ, 0x2 ;\nLEA R4, R1, R4, 0x8 ;\nLEA R4, R2, R4, 0x9 ;\nLEA R4, R3, R4, 0xa ;\n"
    "MOV R5, 0x1 ;\nMOV R30, RZ ;\nLOP3.LUT R10, R0, 0x1f, RZ, 0xc0, !PT ;\n"
    "SHF.R.U32.HI R11, RZ, 0x5, R0 ;\nISETP.EQ.U32.AND P1, PT, R10, 0x5, PT ;\n"
    "ISETP.EQ.U32.AND P2, PT, R1, 0x1, PT ;\n" /* 14 */
    "%s%s%s"                                   /* three instructions */
    "IMAD.WIDE.U32 R6, R4, R5, x ;\n%s"        /* 0x110 and one more */
    "again:\nLDG.E R8, [R6.64+0x10] ;\nMOV R9, 0x5 ;\nNOP ;\nNOP ;\n"
    "IMMA.8816.U8.U8 R20, R8.ROW, R9.COL, RZ ;\n" /* 0x170 */
    "IADD3 R6, P0, R6, 0x800, RZ ;\nIADD3.X R7, R7, RZ, RZ, P0, !PT ;\nIADD3 R30, R30, 0x1, RZ ;\n"
    "ISETP.LT.U32.AND P3, PT, R30, 0x2, PT ;\n@P3 BRA again ;\nEXIT ;\n.end\n";

static struct fh_survey *survey_of(const char *first, const char *second,
                                   const struct fh_survey_select *select) {
    char text[3000];
    uint8_t bytes[BYTES];
    uint64_t params[2];
    snprintf(text, sizeof text, kernel, first, "NOP ;\n", "NOP ;\n", second);
    fhec_program *p = emu_assemble(text);
    fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    for (uint32_t i = 0; i < BYTES; i++)
        bytes[i] = (uint8_t)(7 * i % 251);
    assert_int_equal(fhec_alloc(m, "x", BYTES, 0, &params[0]), FHEC_OK);
    assert_int_equal(fhec_alloc(m, "y", BYTES, 0, &params[1]), FHEC_OK);
    assert_int_equal(fhec_write(m, params[0], bytes, BYTES), FHEC_OK);
    struct fh_survey *s = fh_survey_begin(m, select);
    assert_non_null(s);
    const fhec_launch launch = {.program = p,
                                .grid = {2, 2, 2},
                                .block = {64, 1, 1},
                                .params = params,
                                .param_bytes = sizeof params};
    assert_int_equal(fhec_run(m, &launch), FHEC_OK);
    assert_int_equal(fh_survey_end(s), FHEC_OK);
    fhec_machine_free(m);
    fhec_program_free(p);
    return s;
}

static const struct fh_survey_row *row(const struct fh_survey *s, size_t index, const char *operand,
                                       uint64_t executions, uint64_t fitting, const char *map) {
    const struct fh_survey_row *r = fh_survey_get(s, index);
    assert_non_null(r);
    assert_string_equal(r->kernel, "k");
    assert_string_equal(r->operand, operand);
    assert_int_equal(r->executions, executions);
    assert_int_equal(r->fitting, fitting);
    if (!map)
        assert_null(r->map);
    else
        assert_string_equal(r->map ? r->map : "none", map);
    return r;
}

static const struct fh_survey_select everything;

static void test_all(void **unused) {
    (void)unused;
    struct fh_survey *s = survey_of("NOP ;\n", "NOP ;\n", &everything);
    assert_int_equal(fh_survey_count(s), 3);
    const struct fh_survey_row *a =
        row(s, 0, "A", 32, 32,
            "x[16*i + j + 128*warp + 256*block + 512*block.y + 1024*block.z + 2048*n + 16]");
    row(s, 1, "B", 32, 0, NULL);
    row(s, 2, "D", 32, 0, NULL);
    assert_null(fh_survey_get(s, 3));
    assert_int_equal(a->pc, PC);
    assert_int_equal(a->at.line, 29);
    assert_memory_equal(a->text, "IMMA.8816.U8.U8 R20, R8.ROW, R9.COL, RZ", 39);
    assert_true(a->layout.rows == 8 && a->layout.columns == 16 && a->layout.bits == 8);
    assert_true(!a->block[0] && !a->block[1] && !a->block[2] && !a->warp);
    assert_int_equal(a->element_count, 128);
    for (uint32_t i = 0; i < 128; i++) {
        const struct fh_survey_element *e = &a->elements[i];
        char origin[20];
        snprintf(origin, sizeof origin, "x[%u]", i + 16);
        assert_string_equal(e->origin, origin);
        assert_true(e->row == i / 16 && e->column == i % 16 && e->lane == i / 4 && e->reg == 8);
        assert_int_equal(e->value, 7 * (i + 16) % 251);
        assert_false(e->misfit);
    }
    const struct fh_survey_row *b = fh_survey_get(s, 1), *d = fh_survey_get(s, 2);
    for (uint32_t i = 0; i < 128; i++)
        assert_string_equal(b->elements[i].origin, "a number");
    assert_int_equal(d->element_count, 64);
    assert_string_equal(d->elements[63].origin, "computed at 0x170");
    fh_survey_free(s);
}

/* One map for all, or none; elements of another size; what no line gives. */
static void test_maps(void **unused) {
    (void)unused;
    static const struct {
        const char *first, *second, *map;
        uint64_t fitting;
    } cases[] = {
        {"LEA R4, R11, R4, 0x7 ;\n", "NOP ;\n",
         "x[16*i + j + 256*warp + 256*block + 512*block.y + 1024*block.z + 2048*n + 16]", 32},
        {"IMAD R4, R1, 0x4, R4 ;\n", "NOP ;\n",
         "x[16*i + j + 128*warp + 260*block + 512*block.y + 1024*block.z + 2048*n + 16]", 32},
        {"LEA R4, R10, RZ, 0x2 ;\n", "IMAD.WIDE.U32 R6, R4, 0x1, R6 ;\n", NULL,
         0}, /* 8 bytes a lane */
        {"IMAD R4, R1, -0x4, R4 ;\n", "NOP ;\n",
         "x[16*i + j + 128*warp + 252*block + 512*block.y + 1024*block.z + 2048*n + 16]", 32},
        {"IMAD R4, R1, -0x110, R4 ;\n", "IADD3 R6, R6, 0x10, RZ ;\n",
         "x[16*i + j + 128*warp - 16*block + 512*block.y + 1024*block.z + 2048*n + 32]", 32},
        {"IMAD R12, R1, R2, RZ ;\n", "LEA R6, R12, R6, 0x6 ;\n", "x[16*i + j + ...]", 32},
        {"NOP ;\n", "@P2 IMAD.WIDE.U32 R6, R4, R5, y ;\n", NULL, 32}, /* two buffers */
        {"NOP ;\n", "@P1 IADD3 R6, R6, 0x40, RZ ;\n",
         "x[16*i + j + 128*warp + 256*block + 512*block.y + 1024*block.z + 2048*n + 16]", 32},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fh_survey *s = survey_of(cases[i].first, cases[i].second, &everything);
        row(s, 0, "A", 32, cases[i].fitting, cases[i].map);
        fh_survey_free(s);
    }
}

/* Lane 5, bytes 4 to 7 of row 1, is elsewhere in block x = 1: the first such execution is kept. */
static void test_misfits(void **unused) {
    (void)unused;
    struct fh_survey *s = survey_of("ISETP.EQ.U32.AND P1, PT, R10, 0x5, P2 ;\n",
                                    "@P1 IADD3 R6, R6, 0x40, RZ ;\n", &everything);
    const struct fh_survey_row *a = fh_survey_get(s, 0);
    assert_true(a->block[0] == 1 && !a->block[1] && !a->block[2]);
    for (uint32_t i = 0; i < 128; i++) {
        const bool is = i >= 20 && i < 24;
        char origin[20];
        snprintf(origin, sizeof origin, "x[%u]", i + 16 + 128 * a->warp + 256 + (is ? 64 : 0));
        assert_string_equal(a->elements[i].origin, origin);
        assert_int_equal(a->elements[i].misfit, is);
    }
    fh_survey_free(s);
}

static void test_select(void **unused) {
    (void)unused;
    struct fh_survey *s =
        survey_of("NOP ;\n", "NOP ;\n", &(struct fh_survey_select){.one_warp = true, .warp = 1});
    const struct fh_survey_row *a = row(
        s, 0, "A", 16, 16, "x[16*i + j + 256*block + 512*block.y + 1024*block.z + 2048*n + 144]");
    assert_int_equal(a->warp, 1);
    fh_survey_free(s);
    static const struct {
        struct fh_survey_select select;
        size_t count;
    } cases[] = {
        {{.one_pc = true, .pc = PC}, 3},
        {{.one_pc = true, .pc = PC - 16}, 0},
        {{.line = 29}, 3},
        {{.line = 28}, 0},
        {{.one_pc = true, .pc = 0}, 0},
        {{.line = 29, .one_pc = true, .pc = PC + 16}, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        s = survey_of("NOP ;\n", "NOP ;\n", &cases[i].select);
        assert_int_equal(fh_survey_count(s), cases[i].count);
        fh_survey_free(s);
    }
    fh_survey_free(NULL);
}

/* Registers before the instruction, lane by lane, the first time. */
static void test_registers(void **unused) {
    (void)unused;
    struct fh_survey *s = survey_of(
        "UMOV UR5, 0x9 ;\n", "NOP ;\n",
        &(struct fh_survey_select){.one_pc = true, .pc = PC, .registers = true, .reg = 8});
    assert_int_equal(fh_survey_count(s), 1);
    const struct fh_survey_row *r = row(s, 0, "R8", 32, 0, NULL);
    assert_int_equal(r->element_count, 32);
    assert_int_equal(r->layout.rows, 0);
    for (uint32_t l = 0; l < 32; l++) {
        char origin[20];
        uint32_t value = 0;
        for (uint32_t b = 4; b-- > 0;)
            value = value << 8 | 7 * (16 + 4 * l + b) % 251;
        snprintf(origin, sizeof origin, "x[%u]", 4 + l);
        assert_string_equal(r->elements[l].origin, origin);
        assert_true(r->elements[l].lane == l && r->elements[l].reg == 8);
        assert_int_equal(r->elements[l].value, value);
    }
    fh_survey_free(s);
    s = survey_of("UMOV UR5, 0x9 ;\n", "NOP ;\n",
                  &(struct fh_survey_select){
                      .one_pc = true, .pc = PC, .registers = true, .uniform = true, .reg = 5});
    r = row(s, 0, "UR5", 32, 0, NULL);
    assert_int_equal(r->element_count, 1);
    assert_string_equal(r->elements[0].origin, "a number");
    assert_int_equal(r->elements[0].value, 9);
    fh_survey_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),       cmocka_unit_test(test_maps),
        cmocka_unit_test(test_misfits),   cmocka_unit_test(test_select),
        cmocka_unit_test(test_registers),
    };
    return cmocka_run_group_tests_name("origin_survey", tests, NULL, NULL);
}
