/* Suspects: hand-made slices are ranked as Ochiai's coefficient says, worked out by hand; and a
 * kernel whose instructions' shares in each element are known. */
#include "emu_util.h"

#include "marked_state.h"
#include "suspects.h"

#include <math.h>

/* ---------------------------------------------------------------- by hand */

static struct fh_journal_site site_at(const char *file, uint32_t line, uint64_t pc) {
    struct fh_journal_site site = {
        .kernel = "k", .where = (char *)"", .file = (char *)file, .line = line};
    site.instruction.pc = pc;
    return site;
}

/* Four wrong elements, bits 0 to 3, and four right ones. Coefficients: w / sqrt(4 (w + r)). */
static void by_coefficient(void **state) {
    (void)state;
    const struct fh_verdicts verdicts = fh_suspects_verdicts(8, 4);
    struct fh_journal_site sites[5];
    for (uint32_t i = 0; i < 5; i++)
        sites[i] = site_at("a", i + 1, 16 * i);
    const struct fh_evidence evidence[] = {
        {&sites[0], {0xff, 0xff}, {0}}, /* 4, 4: 0.707 */
        {&sites[1], {0x0f, 0x0f}, {0}}, /* 4, 0: 1 */
        {&sites[2], {0x01, 0x01}, {0}}, /* 1, 0: 0.5 */
        {&sites[3], {0x00, 0x0f}, {0}}, /* through addresses only: a fifth of 1 */
        {&sites[4], {0x3f, 0x3f}, {0}}, /* 4, 2: 0.816 */
    };
    struct fh_suspect got[5];
    assert_int_equal(verdicts.wrong, 0x0f);
    assert_int_equal(verdicts.right, 0xf0);
    assert_int_equal(fh_suspects_rank(evidence, 5, &verdicts, true, got, 5), 5);
    static const uint32_t lines[] = {2, 5, 1, 3, 4};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(got[i].evidence.site->line, lines[i]);
    assert_int_equal(fh_suspects_rank(evidence, 5, &verdicts, true, got, 2), 2);
    assert_int_equal(got[0].evidence.site->line, 2);
    assert_int_equal(got[1].evidence.site->line, 5);
}

/* A score is (0.6 + the larger of the coefficient of values and a fifth of that of all) times what
 * is odd about the instruction, 0.09 if nothing is. */
static void scores(void **state) {
    (void)state;
    const struct fh_verdicts verdicts = fh_suspects_verdicts(8, 4);
    const struct {
        struct fh_spectrum_marks marks;
        double coefficient;
    } cases[] = {
        {{0, 0}, 0},                   /* of no element */
        {{0xf0, 0xf0}, 0},             /* of right ones alone */
        {{0x0f, 0x0f}, 1},             /* of the wrong ones */
        {{0xff, 0xff}, 0.5 * M_SQRT2}, /* of all: 4 / sqrt(4 8) */
        {{0, 0x0f}, 0.2},              /* through addresses */
        {{0x01, 0xff}, 0.5},           /* 1 / sqrt(4 1); a fifth of 0.707 is less */
        {{0xf1, 0x0f}, 1 / sqrt(20)},  /* 1 / sqrt(4 5); a fifth of 1 is less */
    };
    const struct fh_journal_site site = site_at("a", 1, 0);
    const struct fh_evidence none = {&site, {0, 0}, {0}};
    const double least = fh_suspect_score(&none, &verdicts);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct fh_evidence evidence = {&site, cases[i].marks, {0}};
        assert_true(fabs(fh_suspect_score(&evidence, &verdicts) / least -
                         (0.6 + cases[i].coefficient) / 0.6) < 1e-9);
    }
}

/* Marks of a warp's registers are apart from each other; there are as many as registers. */
static void registers_apart(void **state) {
    (void)state;
    static const struct {
        fhec_register_file file;
        uint32_t count, lanes;
    } files[] = {
        {FHEC_FILE_R, 255, 32}, {FHEC_FILE_P, 7, 32}, {FHEC_FILE_UR, 63, 1}, {FHEC_FILE_UP, 7, 1}};
    struct fh_marked_state marked;
    assert_true(fh_marked_begin(&marked, 2));
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t f = 0, number = 1; f < COUNT_OF(files); f++)
            for (uint32_t reg = 0; reg <= files[f].count + 1; reg++)
                for (uint32_t lane = 0; lane < files[f].lanes; lane++, number++) {
                    struct fh_spectrum_marks *marks =
                        fh_marked_register(&marked, 1, files[f].file, reg, lane, pass == 0);
                    assert_true((marks != NULL) == (reg < files[f].count));
                    if (pass == 0 && marks)
                        marks->values = number;
                    else if (marks)
                        assert_int_equal(marks->values, number);
                }
    assert_null(fh_marked_register(&marked, 0, FHEC_FILE_R, 0, 0, false));
    fh_marked_end(&marked);
}

/* What nothing speaks against is not listed, nor what is far behind. */
static void few_lines(void **state) {
    (void)state;
    const struct fh_verdicts verdicts = fh_suspects_verdicts(64, 64);
    struct fh_journal_site sites[3];
    for (uint32_t i = 0; i < 3; i++)
        sites[i] = site_at("a", i + 1, 16 * i);
    const struct fh_evidence evidence[] = {
        {&sites[0], {0, 0}, {0}},
        {&sites[1], {UINT64_MAX, UINT64_MAX}, {.relatives = 8, .odd = {[FH_KIN_TEXT] = 1}}},
        {&sites[2], {UINT64_MAX, UINT64_MAX}, {.relatives = 8}},
    };
    struct fh_suspect got[5];
    char reason[FH_SUSPECT_REASON];
    assert_int_equal(verdicts.right, 0);
    assert_int_equal(fh_suspects_rank(evidence, 3, &verdicts, true, got, 5), 1);
    assert_int_equal(got[0].evidence.site->line, 2);
    fh_suspect_reason(&got[0], &verdicts, reason);
    assert_string_equal(reason, "unlike most of the 8 instructions of its line in: mnemonic, guard "
                                "or signs; went into 64 of 64 wrong elements");
    assert_int_equal(fh_suspects_rank(evidence, 1, &verdicts, true, got, 5), 0);
}

/* One of each line, the later one of equals; both, if instructions are asked for. */
static void one_of_a_line(void **state) {
    (void)state;
    const struct fh_verdicts verdicts = fh_suspects_verdicts(2, 1);
    struct fh_journal_site sites[4] = {site_at("a", 7, 0), site_at("a", 7, 16), site_at("b", 7, 32),
                                       site_at("", 7, 48)};
    const struct fh_evidence evidence[] = {
        {&sites[0], {1, 1}, {0}},
        {&sites[1], {1, 1}, {0}},
        {&sites[2], {3, 3}, {0}},
        {&sites[3], {3, 3}, {0}},
    };
    struct fh_suspect got[4];
    assert_int_equal(fh_suspects_rank(evidence, 4, &verdicts, true, got, 4), 3);
    assert_ptr_equal(got[0].evidence.site, &sites[1]);
    assert_ptr_equal(got[1].evidence.site, &sites[3]);
    assert_ptr_equal(got[2].evidence.site, &sites[2]);
    assert_int_equal(fh_suspects_rank(evidence, 4, &verdicts, false, got, 4), 4);
    assert_ptr_equal(got[1].evidence.site, &sites[0]);
}

/* ---------------------------------------------------------------- of a run */

enum { LANES = 32 };

/* out[i] = (i + 100 if i is odd) for i < 32, the words of lanes i ^ 1 exchanged: what is in the
 * lane i went into out[i ^ 1]. The predicate leads to odd lanes' values. */
static const char exchange[] = ".target sm_80\n"
                               ".kernel exchange\n"
                               ".param out, 8\n"
                               "    S2R R0, SR_TID.X ;\n"                    /* 0x00 */
                               "    LOP3.LUT R1, R0, 0x1, RZ, 0xc0, !PT ;\n" /* 0x10 */
                               "    ISETP.NE.U32.AND P0, PT, R1, RZ, PT ;\n" /* 0x20 */
                               "    MOV R2, R0 ;\n"                          /* 0x30 */
                               "@P0 IADD3 R2, R2, 0x64, RZ ;\n"              /* 0x40 */
                               "    SHFL.BFLY PT, R3, R2, 0x1, 0x1f ;\n"     /* 0x50 */
                               "    MOV R4, 0x4 ;\n"                         /* 0x60 */
                               "    IMAD.WIDE.U32 R6, R0, R4, out ;\n"       /* 0x70 */
                               "    STG.E [R6.64], R3 ;\n"                   /* 0x80 */
                               "    EXIT ;\n"
                               ".end\n";

static void through_a_shuffle(void **state) {
    (void)state;
    fhec_program *program = emu_assemble(exchange);
    fhec_machine *machine = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    struct fh_spectrum_element elements[LANES];
    struct fh_spectrum_marks marks[16] = {{0, 0}};
    struct fh_journal *journal;
    uint64_t out;
    assert_int_equal(fhec_alloc(machine, "out", 4 * LANES, 0, &out), FHEC_OK);
    assert_int_equal(fh_journal_begin(machine, 1 << 24, &journal), FHEC_OK);
    emu_run_ok(machine, program, 1, LANES, &out, 1);
    fh_journal_stop(journal);
    for (uint32_t i = 0; i < LANES; i++)
        elements[i] = (struct fh_spectrum_element){out + 4 * i, 4};
    assert_true(fh_spectrum_make(journal, elements, LANES, marks));
    const uint64_t all = UINT32_MAX, even = 0x55555555;
    const struct fh_spectrum_marks want[] = {
        {all, all}, {0, even}, {0, even}, {all, all}, {even, even},
        {all, all}, {0, all},  {0, all},  {all, all},
    };
    assert_int_equal(fh_journal_site_count(journal), 10);
    for (size_t i = 0; i < COUNT_OF(want); i++) {
        assert_int_equal(fh_journal_site_get(journal, i)->instruction.pc, 16 * i);
        assert_int_equal(marks[i].values, want[i].values);
        assert_int_equal(marks[i].all, want[i].all);
    }
    fh_journal_free(journal);
    fhec_machine_free(machine);
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_coefficient),  cmocka_unit_test(scores),
        cmocka_unit_test(registers_apart), cmocka_unit_test(few_lines),
        cmocka_unit_test(one_of_a_line),   cmocka_unit_test(through_a_shuffle),
    };
    return cmocka_run_group_tests_name("suspects", tests, NULL, NULL);
}
