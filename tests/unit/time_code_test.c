/*
 * time_code_test.c - instructions as the timing engine knows them, out of words and out of a
 * trace's text: scoreboards, registers of operands; and what a full scoreboard makes a warp wait
 * for.
 */
#include "accelsim_line.h"
#include "accelsim_table.h"
#include "time_warp.h"
#include "timing_util.h"
#include "trace_code.h"

/* ---------------------------------------------------------------- words */

/* Scoreboards are 0 to 5; the field can name two more, which nobody waits for. */
static void test_depbar(void **unused) {
    (void)unused;
    static const struct {
        const char *line;
        bool depbar;
        uint8_t board, most, others;
    } cases[] = {
        {"DEPBAR.LE SB0, 0x0 ;\n", true, 0, 0, 0},
        {"DEPBAR.LE SB5, 0x3f ;\n", true, 5, 63, 0},
        {"DEPBAR.LE SB4, 0x2, {3,0} ;\n", true, 4, 2, 1 << 3 | 1 << 0},
        {"DEPBAR.LE SB6, 0x1 ;\n", false, 6, 1, 0},
        {"DEPBAR.LE SB7, 0x1 ;\n", false, 7, 1, 0},
        {"LDGDEPBAR ;\n", false, 0, 0, 0},
    };
    struct fh_time_machine machine;
    timing_machine(&machine, "a100", NULL);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char text[200];
        struct fh_time_op op;
        fhec_kernel_info info;
        snprintf(text, sizeof text, ".target sm_80\n.kernel K\n%sEXIT ;\n.end\n", cases[i].line);
        fhec_program *program = emu_assemble(text);
        assert_int_equal(fhec_kernel_get(program, 0, &info), FHEC_OK);
        assert_true(fh_time_op_make(&machine, info.words[0], 0, &op));
        assert_int_equal(op.depbar, cases[i].depbar);
        assert_int_equal(op.board, cases[i].board);
        assert_int_equal(op.most, cases[i].most);
        assert_int_equal(op.others, cases[i].others);
        fhec_program_free(program);
    }
}

/* ---------------------------------------------------------------- scoreboards */

/* Takes the stream's only instruction again. */
static void take(struct fh_time_warp *w, const struct fh_time_op *op) {
    fh_time_stream_restart(&w->stream);
    w->stream.words = 1;
    fh_time_warp_take(w, op);
}

/* A scoreboard counts 63 operations: the next one waits until the first of them is done. */
static void test_full_scoreboard(void **unused) {
    (void)unused;
    static struct fh_time_warp w;
    for (unsigned read = 0; read < 2; read++) {
        const struct fh_time_op op = {.write_board = read ? FH_TIME_SCOREBOARDS : 2,
                                      .read_board = read ? 2 : FH_TIME_SCOREBOARDS};
        uint64_t now = 0;
        fh_time_warp_begin(&w, 0);
        for (; now < 63; now++) {
            take(&w, &op);
            assert_int_equal(w.ready, now);
            fh_time_warp_issued(&w, now,
                                (struct fh_time_done){1000 + 9 * now, 1000 + 9 * now, 0, 0},
                                FH_TIME_WAIT_GLOBAL, now + 1);
        }
        for (; now < 66; now++) {
            const uint64_t first = 1000 + 9 * (now - 63);
            take(&w, &op);
            assert_int_equal(w.ready, first);
            assert_int_equal(w.why, FH_TIME_WAIT_GLOBAL);
            fh_time_warp_issued(&w, first,
                                (struct fh_time_done){1000 + 9 * now, 1000 + 9 * now, 0, 0},
                                FH_TIME_WAIT_GLOBAL, first + 1);
        }
    }
}

/* ---------------------------------------------------------------- a trace's text */

/* Registers that are read, one operand behind the other, and behind them those that are written:
 * of matrices as many as their layouts have, of memory addresses two for global memory and one for
 * shared memory, of data as many words as there are, two of doubles and of the last of .WIDE. */
static void test_trace_registers(void **unused) {
    (void)unused;
    static const struct {
        const char *text;
        unsigned count;
        struct {
            uint16_t first, count;
        } runs[5];
    } cases[] = {
        {"1 R4 FHEC.16816.U32.U32 3 R8 R16 R20", 4, {{8, 8}, {16, 4}, {20, 4}, {4, 4}}},
        {"1 R4 FHEC.16816.U32.U32 4 R8 R16 R20 R30",
         5,
         {{8, 8}, {16, 4}, {20, 4}, {30, 1}, {4, 4}}},
        {"1 R4 IMMA.16816.U8.U8 3 R8 R16 R20", 4, {{8, 2}, {16, 1}, {20, 4}, {4, 4}}},
        {"1 R4 FHEC.16816.U32.U32X 3 R8 R16 R20", 4, {{8, 1}, {16, 1}, {20, 1}, {4, 1}}},
        {"1 R4 FFMA 3 R8 R16 R20", 4, {{8, 1}, {16, 1}, {20, 1}, {4, 1}}},
        {"1 R4 DFMA 3 R8 R16 R20", 4, {{8, 2}, {16, 2}, {20, 2}, {4, 2}}},
        {"1 R4 IMAD.WIDE.U32 3 R8 R16 R20", 4, {{8, 1}, {16, 1}, {20, 2}, {4, 2}}},
        {"1 R4 LDG.E.64 1 R8", 2, {{8, 2}, {4, 2}}},
        {"1 R4 LDS.128 1 R8", 2, {{8, 1}, {4, 4}}},
        {"0 STG.E 2 R8 R16", 2, {{8, 2}, {16, 1}}},
        {"0 STS.64 2 R8 R16", 2, {{8, 1}, {16, 2}}},
    };
    struct fh_time_machine machine;
    timing_machine(&machine, "a100", NULL);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fh_accelsim_table table = {0};
        struct fh_accelsim_line line = {cases[i].text, cases[i].text + strlen(cases[i].text)};
        struct fh_time_op op;
        uint32_t index;
        bool fresh;
        assert_null(fh_accelsim_table_take(&table, &line, 0, &index, &fresh));
        fh_trace_op(&machine, &table, &table.list[index], &op);
        assert_int_equal(op.run_count, cases[i].count);
        for (unsigned k = 0; k < op.run_count; k++) {
            const bool written = *cases[i].text == '1' && k + 1u == op.run_count;
            assert_int_equal(op.runs[k].first, cases[i].runs[k].first);
            assert_int_equal(op.runs[k].count, cases[i].runs[k].count);
            assert_int_equal(op.runs[k].written, written);
        }
        fh_accelsim_table_free(&table);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depbar),
        cmocka_unit_test(test_full_scoreboard),
        cmocka_unit_test(test_trace_registers),
    };
    return cmocka_run_group_tests_name("time_code", tests, NULL, NULL);
}
