/*
 * show_test.c - registers, matrices and memory as lines of text: what stands where, how it is split
 * to fit, and which spans of it have which style.
 */
#include "session_util.h"
#include "show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The lines, each ended, and the spans of the last call as "line:begin+length=style ". */
static char said[1 << 16], spans[1 << 16];
static unsigned lines;
static struct fh_show_warp now, before;

static void keep(void *user, const struct fh_show_line *line) {
    (void)user;
    assert_int_equal(strlen(line->text), line->length);
    strcat(said, line->text);
    strcat(said, "\n");
    for (size_t i = 0; i < line->span_count; i++) {
        assert_true(line->spans[i].begin + line->spans[i].length <= line->length);
        char span[64];
        (void)snprintf(span, sizeof span, "%u:%zu+%zu=%d ", lines, line->spans[i].begin,
                       line->spans[i].length, (int)line->spans[i].style);
        strcat(spans, span);
    }
    lines++;
}

static const struct fh_show_out *out(unsigned width) {
    static struct fh_show_out to;
    to = (struct fh_show_out){.line = keep, .width = width};
    said[0] = spans[0] = '\0';
    lines = 0;
    return &to;
}

static void number_is(struct fh_show_format format, uint64_t value, unsigned bits,
                      const char *expected) {
    char text[FH_SHOW_NUMBER];
    fh_show_number(&format, value, bits, text);
    assert_string_equal(text, expected);
}

static bool place(void *user, uint64_t address, char *text, size_t size) {
    (void)user;
    (void)snprintf(text, size, "x[%u]", (unsigned)(address - 0x1000) / 4);
    return address >= 0x1000 && address < 0x1100;
}

static void numbers(void **unused) {
    (void)unused;
    const struct fh_show_format hex = {.kind = FH_SHOW_HEX},
                                mod = {.kind = FH_SHOW_MODULAR, .q = 17},
                                even = {.kind = FH_SHOW_MODULAR, .q = 6},
                                real = {.kind = FH_SHOW_FLOAT},
                                at = {.kind = FH_SHOW_ADDRESS, .place = place};
    number_is(hex, 0x1ab, 32, "000001ab");
    number_is(hex, 0xfffab, 8, "ab");
    number_is(hex, 1, 64, "0000000000000001");
    number_is((struct fh_show_format){.kind = FH_SHOW_SIGNED}, 0xffffffff, 32, "-1");
    number_is((struct fh_show_format){.kind = FH_SHOW_SIGNED}, 0x80, 8, "-128");
    number_is((struct fh_show_format){.kind = FH_SHOW_SIGNED}, UINT64_C(1) << 63, 64,
              "-9223372036854775808");
    number_is((struct fh_show_format){.kind = FH_SHOW_UNSIGNED}, 0xffffffff, 32, "4294967295");
    number_is(mod, 8, 32, "8"); /* 17 / 2 */
    number_is(mod, 9, 32, "-8");
    number_is(mod, 34 + 16, 32, "-1");
    number_is(even, 3, 32, "3");
    number_is(even, 4, 32, "-2");
    number_is(real, 0x3fc00000, 32, "1.5");
    number_is(real, 0xc000, 16, "-2");
    number_is(real, 0x0001, 16, "5.96046448e-08"); /* 2^-24 */
    number_is(real, UINT64_C(0x3ff8000000000000), 64, "1.5");
    number_is(at, 0x1008, 64, "x[2]");
    number_is(at, 0x2000, 64, "0000000000002000");
}

/* R4 of a warp of 24 lanes, of which lane 5 has ended and lanes 8 and on wait. */
static void grid(void **unused) {
    (void)unused;
    static const uint16_t registers[] = {4};
    memset(&now, 0, sizeof now);
    now.lanes = 0x00ffffff;
    now.exited = 0x20;
    now.active = 0xdf;
    for (uint32_t i = 0; i < 32; i++)
        now.r[4][i] = i;
    before = now;
    before.r[4][2] = 7;
    struct fh_show_grid g = {.warp = &now,
                             .before = &before,
                             .registers = registers,
                             .count = 1,
                             .lane = 1,
                             .format = {.kind = FH_SHOW_UNSIGNED}};
    fh_show_grid(out(43), &g);
    /* 2 of the name, 8 cells of 1 + 4; marks are in the place of blanks, and one is behind the last
     */
    assert_string_equal(said, "      0    1    2    3    4  (5)    6    7\n"
                              "R4    0    1    2*   3    4    -    6    7\n"
                              "    (8)  (9) (10) (11) (12) (13) (14) (15)\n"
                              "R4    8    9   10   11   12   13   14   15\n"
                              "   (16) (17) (18) (19) (20) (21) (22) (23)\n"
                              "R4   16   17   18   19   20   21   22   23\n"
                              "   (24) (25) (26) (27) (28) (29) (30) (31)\n"
                              "R4    -    -    -    -    -    -    -    -\n");
    assert_int_equal(fh_show_grid(out(42), &g), 4);
    g.window = true; /* any number of lanes, and once */
    g.first = 3;
    assert_int_equal(fh_show_grid(out(42), &g), 7);
    assert_string_equal(said, "      3    4  (5)    6    7  (8)  (9)\n"
                              "R4    3    4    -    6    7    8    9\n");
    g.first = 30;
    assert_int_equal(fh_show_grid(out(42), &g), 7);
    assert_string_equal(said, "   (30) (31)\n"
                              "R4    -    -\n");
}

/* 80 columns: eight lanes of R254, all changed. */
static void eight_lanes(void **unused) {
    (void)unused;
    static const uint16_t registers[] = {254};
    memset(&now, 0, sizeof now);
    now.lanes = now.active = UINT32_MAX;
    before = now;
    memset(before.r[254], 1, sizeof before.r[254]);
    const struct fh_show_grid g = {
        .warp = &now, .before = &before, .registers = registers, .count = 1};
    assert_int_equal(fh_show_grid(out(80), &g), 8);
}

static void grid_styles(void **unused) {
    (void)unused;
    static const uint16_t registers[] = {4};
    now.lanes = 0x00ffffff;
    now.exited = 0x20;
    now.active = 0xdf;
    struct fh_show_grid g = {.warp = &now,
                             .before = &before,
                             .registers = registers,
                             .count = 1,
                             .pairs = true,
                             .lane = 1,
                             .format = {.kind = FH_SHOW_HEX}};
    now.r[5][0] = 0xabcd;
    fh_show_grid(out(24), &g); /* one lane at a time */
    assert_non_null(strstr(said, "R4:R5 0000abcd00000000*\n"));
    char expected[64];
    /* line 1: the name at 0, the value that has changed behind it */
    (void)snprintf(expected, sizeof expected, "1:0+5=%d 1:6+16=%d ", FH_SHOW_NAME, FH_SHOW_CHANGED);
    assert_non_null(strstr(spans, expected));
    (void)snprintf(expected, sizeof expected, "=%d 3:0+5=%d ", FH_SHOW_FOCUS, FH_SHOW_NAME);
    assert_non_null(strstr(spans, expected));
    assert_int_equal(lines, 64);
    now.r[5][0] = 0;
}

static void masks(void **unused) {
    (void)unused;
    now.p[1] = 0x8000000f;
    before.p[1] = 0;
    fh_show_predicates(out(80), &now, &before);
    assert_non_null(strstr(said, "P0 0x00000000  ........ ........ ........ ........\n"
                                 "P1 0x8000000f* ####.... ........ ........ .......#\n"));
    now.ur[5] = 77;
    now.up[2] = 1;
    const struct fh_show_format format = {.kind = FH_SHOW_UNSIGNED};
    fh_show_uniform(out(80), &now, &before, 4, 9, &format);
    assert_string_equal(said, "UR4  0 77* 0  0\n"
                              "UR8  0  0\n"
                              "UP0 to UP6 ..#....\n");
}

/* A[3][5] of FHEC R20, R8.ROW, R16.COL, R20, UR4 is R10 of lane 13. */
static void matrices(void **unused) {
    (void)unused;
    fhec_word word;
    fhec_instruction instruction;
    const struct fh_show_format format = {.kind = FH_SHOW_UNSIGNED};
    assert_int_equal(fhec_assemble_word("FHEC.16816.U32.U32 R20, R8.ROW, R16.COL, R20, UR4", 0,
                                        NULL, NULL, &word),
                     FHEC_OK);
    assert_int_equal(fhec_instruction_get(word, 0, &instruction), FHEC_OK);
    memset(&now, 0, sizeof now);
    now.r[10][13] = 4321;
    struct fh_show_matrices show = {
        .warp = &now, .instruction = &instruction, .operand = "A", .format = format};
    assert_true(fh_show_matrices(out(200), &show));
    unsigned row = 0;
    char *line = strtok(said, "\n"); /* the title, the columns, row 0 ... */
    for (; row < 5 && line; row++)
        line = strtok(NULL, "\n");
    assert_non_null(line);
    unsigned values[16], number;
    char *at = line;
    assert_int_equal(number = (unsigned)strtoul(at, &at, 10), 3);
    for (unsigned i = 0; i < 16; i++)
        values[i] = (unsigned)strtoul(at, &at, 10);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(values[i], i == 5 ? 4321 : 0);
    show.what = FH_SHOW_LANES;
    assert_true(fh_show_matrices(out(200), &show));
    assert_non_null(strstr(said, "13:R10"));
    assert_int_equal(fhec_assemble_word("MOV R1, R2", 0, NULL, NULL, &word), FHEC_OK);
    assert_int_equal(fhec_instruction_get(word, 0, &instruction), FHEC_OK);
    show.operand = NULL;
    assert_false(fh_show_matrices(out(200), &show));
}

static void arrays(void **unused) {
    (void)unused;
    uint64_t values[12];
    for (uint64_t i = 0; i < 12; i++)
        values[i] = 10 * i;
    const struct fh_query_place nowhere = {.lane = 0};
    const struct fh_show_format format = {.kind = FH_SHOW_UNSIGNED};
    struct fh_query_array array = {
        .type = FH_QUERY_U32, .rank = 3, .shape = {2, 2, 3}, .computed = values};
    fh_show_array(out(80), &array, "x", &nowhere, 3, &format);
    assert_string_equal(said, "x\n"
                              "        0  1  2\n"
                              "[0][0]  0 10 20\n"
                              "[0][1] 30 40 50\n"
                              "[1][0] 60 70 80\n"
                              "and 1 more rows\n");
    array.rank = 1;
    array.shape[0] = 11;
    fh_show_array(out(32), &array, "x", &nowhere, 100, &format);
    assert_string_equal(said, "x\n"
                              "[0]   0  10  20  30\n"
                              "[4]  40  50  60  70\n"
                              "[8]  80  90 100\n");
}

/* Of a session: registers as they are read, shared memory by banks, calls. */
static void sessions(void **unused) {
    (void)unused;
    static const char kernel[] = ".target sm_80\n.kernel K\n.param data, 8\n.shared s, 256\n"
                                 "S2R R0, SR_TID.X ;\nSHF.L.U32 R1, R0, 0x2, RZ ;\n"
                                 "IADD3 R2, R0, 0x64, RZ ;\nSTS [R1+0x80], R2 ;\nEXIT ;\n.end\n";
    const uint32_t block[3] = {0, 0, 0};
    const fhec_go go = {.instructions = 4};
    const struct fh_show_format format = {.kind = FH_SHOW_UNSIGNED};
    struct guest g = guest_begin(kernel, 1, 32, 4);
    fhec_stop stop = guest_go(&g, &go);
    assert_int_equal(stop.reason, FHEC_STOP_COUNT);
    assert_int_equal(fh_show_warp_read(g.session, block, 0, &now), FHEC_OK);
    assert_int_equal(now.active, UINT32_MAX);
    assert_int_equal(now.r[2][31], 131);
    assert_int_equal(fh_show_warp_read(g.session, block, 1, &now), FHEC_BAD_INPUT);
    const struct fh_query_place at = {.session = g.session, .machine = g.machine};
    fh_show_banks(out(200), &at, 33, 31, &format);
    assert_non_null(strstr(said, "\n0x00080 100 101 102 "));
    assert_non_null(strstr(said, " 130 131\n"));
    fh_show_banks(out(200), &at, 32, 64, &format); /* 256 bytes are there */
    assert_non_null(strstr(said, "\n0x00100   ?   ?"));
    fh_show_calls(out(80), g.session, block, 0, 3);
    assert_true(strncmp(said, "#0 K+0x40", 9) == 0);
    guest_end(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),     cmocka_unit_test(grid),
        cmocka_unit_test(grid_styles), cmocka_unit_test(eight_lanes),
        cmocka_unit_test(masks),       cmocka_unit_test(matrices),
        cmocka_unit_test(arrays),      cmocka_unit_test_setup(sessions, guest_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
