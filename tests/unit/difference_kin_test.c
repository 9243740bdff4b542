/* Instructions that differ from those of their line: what each feature says of small kernels, line
 * by line, worked out by hand; and what suspects' scores and reasons are made of. */
#include "emu_util.h"

#include "suspects.h"

#include <math.h>

/* ---------------------------------------------------------------- kin */

/* How rare what an instruction has is among those of its line: (the most that have the same, less
 * those that have what it has) / (all but one). */
struct wanted {
    uint32_t relatives;
    double text, numbers, producers, fanout, sharing;
    bool twice, unread;
};

static void kin_are(const char *lines, uint32_t threads, const struct wanted *want, size_t count) {
    char text[4096];
    struct fh_journal *journal;
    uint64_t out;
    struct fh_kin kin[64];
    snprintf(text, sizeof text, ".target sm_80\n.kernel k\n.param out, 8\n%sEXIT ;\n.end\n", lines);
    fhec_program *program = emu_assemble(text);
    fhec_machine *machine = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    assert_int_equal(fhec_alloc(machine, "out", 1024, 0, &out), FHEC_OK);
    assert_int_equal(fh_journal_begin(machine, 1 << 24, &journal), FHEC_OK);
    emu_run_ok(machine, program, 1, threads, &out, 1);
    assert_int_equal(fh_journal_site_count(journal), count + 1);
    memset(kin, 0xee, sizeof kin);
    assert_true(fh_kin_find(journal, kin));
    for (size_t i = 0; i <= count; i++) {
        const struct fh_journal_site *site = fh_journal_site_get(journal, i);
        const size_t n = site->instruction.pc / 16;
        const double odd[FH_KIN_FEATURES] = {
            [FH_KIN_TEXT] = want[n].text,           [FH_KIN_NUMBERS] = want[n].numbers,
            [FH_KIN_PRODUCERS] = want[n].producers, [FH_KIN_FANOUT] = want[n].fanout,
            [FH_KIN_SHARING] = want[n].sharing,
        };
        if (n == count) /* EXIT */
            continue;
        for (size_t k = 0; k < FH_KIN_FEATURES; k++)
            if (fabs(kin[i].odd[k] - odd[k]) > 1e-9)
                fail_msg("instruction %zu, %s: feature %zu is %g, not %g", n,
                         site->instruction.text, k, kin[i].odd[k], odd[k]);
        if (kin[i].relatives != want[n].relatives || kin[i].twice != want[n].twice ||
            kin[i].unread != want[n].unread)
            fail_msg("instruction %zu, %s: %u relatives, twice %d, unread %d", n,
                     site->instruction.text, kin[i].relatives, kin[i].twice, kin[i].unread);
    }
    fh_journal_free(journal);
    fhec_machine_free(machine);
    fhec_program_free(program);
}

#define THIRD (1 / 3.0)

static void lines_of_alike(void **state) {
    (void)state;
    static const char lines[] =
        "S2R R0, SR_TID.X ; S2R R1, SR_LANEID ;\n"
        "ISETP.LT.U32.AND P0, PT, R0, 0x10, PT ;\n"
        "IADD3 R2, R0, 0x1, RZ ; IADD3 R3, R0, 0x1, RZ ; IADD3 R4, R0, 0x1, RZ ;"
        " IADD3 R5, R0, 0x2, RZ ;\n"
        "IMAD R6, R2, RZ, R2 ; IMAD R7, R3, RZ, R3 ; IMAD R8, R4, RZ, R1 ; IMAD R9, R5, RZ, R5 ;\n"
        "IADD3 R10, R6, R7, R8 ; IADD3 R11, R6, R7, R9 ; IADD3 R12, R6, -R7, R9 ;\n"
        "MOV R13, R10 ; @P0 MOV R14, R11 ; @!P0 MOV R15, R12 ; @P0 MOV R16, R10 ;\n";
    static const struct wanted want[] = {
        {.relatives = 2}, /* two are too few to say who is odd */
        {.relatives = 2},
        {.relatives = 1},
        {.relatives = 4},
        {.relatives = 4},
        {.relatives = 4},
        {.relatives = 4, .numbers = 2 * THIRD},
        {.relatives = 4},
        {.relatives = 4},
        /* an operand from another line, that no other operand is the same as; one reader of three;
           the others have three, three and two */
        {.relatives = 4, .producers = 2 * THIRD, .fanout = THIRD},
        {.relatives = 4, .fanout = THIRD},
        {.relatives = 3,
         .sharing = 0.5,
         .fanout = 0.5}, /* R8 for R9; two readers, the others one */
        {.relatives = 3},
        {.relatives = 3, .text = 0.5},
        {.relatives = 4,
         .text = THIRD,
         .producers = 2 * THIRD,
         .sharing = 2 * THIRD,
         .unread = true},
        {.relatives = 4, .unread = true},
        {.relatives = 4, .text = THIRD, .unread = true},
        {.relatives = 4, .unread = true},
    };
    kin_are(lines, 64, want, COUNT_OF(want));
}

static void twice_and_unread(void **state) {
    (void)state;
    static const char lines[] =
        "MOV R4, out ;\nMOV R5, c[0x0][0x164] ;\n"
        "S2R R0, SR_TID.X ;\n"
        "ISETP.LT.U32.AND P1, PT, R0, RZ, PT ;\n" /* of no lane */
        "IADD3 R0, R0, 0x1, RZ ;\n"
        "IADD3 R0, R0, 0x1, RZ ;\n"    /* again, of another line */
        "IADD3 R0, R0, 0x2, RZ ;\n"    /* another number */
        "MOV R1, R0 ;\nMOV R1, R0 ;\n" /* changes nothing; the second hides the first */
        "IADD3 R2, R1, R0, RZ ;\n"     /* read */
        "@P1 MOV R2, R0 ;\n"           /* writes nowhere */
        "IADD3 RZ, R0, R0, RZ ;\n"     /* writes nothing */
        "UMOV UR6, 0x5 ;\n"            /* read below */
        "UMOV UR7, 0x5 ;\n"            /* unread */
        "IADD3 R2, R2, UR6, RZ ;\n"
        "ISETP.NE.U32.AND P2, PT, R2, RZ, PT ;\n" /* unread */
        "ISETP.NE.U32.AND P3, PT, R2, RZ, PT ;\n" /* a guard */
        "@P3 STG.E [R4.64], R2 ;\n"
        "STG.E [R4.64], R2 ;\n";
    static const struct wanted want[] = {
        {.relatives = 1},
        {.relatives = 1},
        {.relatives = 1},
        {.relatives = 1}, /* P1 */
        {.relatives = 1, .twice = true},
        {.relatives = 1, .twice = true},
        {.relatives = 1},
        {.relatives = 1, .unread = true},
        {.relatives = 1},
        {.relatives = 1},
        {.relatives = 1}, /* of @P1 */
        {.relatives = 1},
        {.relatives = 1},
        {.relatives = 1, .unread = true},
        {.relatives = 1},
        {.relatives = 1, .unread = true},
        {.relatives = 1},
        {.relatives = 1},
        {.relatives = 1},
    };
    kin_are(lines, 32, want, COUNT_OF(want));
}

/* Where operands come from counts by line, not by instruction, and by place among the operands. */
static void operands_places(void **state) {
    (void)state;
    static const char lines[] =
        "S2R R0, SR_TID.X ; MOV R1, 0x3 ;\n"
        "MOV R2, 0x5 ; MOV R3, 0x6 ;\n"
        "IADD3 R10, R0, R2, RZ ; IADD3 R11, R1, R3, RZ ; IADD3 R12, R2, R0, RZ ;\n"
        "IADD3 R13, R10, R11, R12 ; IADD3 R14, R11, R10, R12 ; IADD3 R15, R12, R10, R11 ;\n"
        "LOP3.LUT R16, R13, R14, R15, 0x96, !PT ; LOP3.LUT R17, R13, R14, R15, 0x96, !PT ;"
        " LOP3.LUT R18, R13, R14, R15, 0xe8, !PT ;\n";
    static const struct wanted want[] = {
        {.relatives = 2},
        {.relatives = 2},
        {.relatives = 2},
        {.relatives = 2},
        {.relatives = 3},                   /* line 1 and line 2 */
        {.relatives = 3},                   /* the same */
        {.relatives = 3, .producers = 0.5}, /* the other way round */
        {.relatives = 3},
        {.relatives = 3},
        {.relatives = 3},
        {.relatives = 3, .unread = true},
        {.relatives = 3, .unread = true},
        {.relatives = 3, .numbers = 0.5, .unread = true},
    };
    kin_are(lines, 32, want, COUNT_OF(want));
}

/* ---------------------------------------------------------------- suspects */

static const struct fh_journal_site site = {
    .kernel = "k", .where = (char *)"", .file = (char *)"a", .line = 1};

/* (0.6 + coefficient) (0.09 + what is odd): the weights by which docs/mutation.md was measured. */
static void weights(void **state) {
    (void)state;
    const struct fh_verdicts verdicts = fh_suspects_verdicts(2, 1);
    static const struct {
        struct fh_kin kin;
        double odd;
    } cases[] = {
        {{.odd = {0}}, 0},
        {{.odd = {[FH_KIN_TEXT] = 1}}, 16},
        {{.odd = {[FH_KIN_NUMBERS] = 1}}, 5},
        {{.odd = {[FH_KIN_PRODUCERS] = 1}}, 1.3},
        {{.odd = {[FH_KIN_FANOUT] = 1}}, 0.6},
        {{.odd = {[FH_KIN_SHARING] = 1}}, 4.3},
        {{.odd = {[FH_KIN_TEXT] = 0.5, [FH_KIN_SHARING] = 0.25}}, 8 + 1.075},
        {{.twice = true}, 3},
        {{.unread = true}, 0.15},
        {{.twice = true, .unread = true, .odd = {[FH_KIN_NUMBERS] = 1}}, 8.15},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct fh_evidence none = {&site, {0, 0}, cases[i].kin};
        const struct fh_evidence wrong = {&site, {1, 1}, cases[i].kin};
        const struct fh_evidence reached = {&site, {0, 1}, cases[i].kin};
        assert_true(fabs(fh_suspect_score(&none, &verdicts) - 0.6 * (0.09 + cases[i].odd)) < 1e-9);
        assert_true(fabs(fh_suspect_score(&wrong, &verdicts) - 1.6 * (0.09 + cases[i].odd)) < 1e-9);
        assert_true(fabs(fh_suspect_score(&reached, &verdicts) - 0.8 * (0.09 + cases[i].odd)) <
                    1e-9);
    }
}

static void verdicts_of(size_t count, size_t wrong, uint64_t first, uint64_t rest) {
    const struct fh_verdicts verdicts = fh_suspects_verdicts(count, wrong);
    assert_int_equal(verdicts.wrong, first);
    assert_int_equal(verdicts.right, rest);
}

static void verdicts(void **state) {
    (void)state;
    verdicts_of(0, 0, 0, 0);
    verdicts_of(1, 0, 0, 1);
    verdicts_of(1, 1, 1, 0);
    verdicts_of(3, 2, 3, 4);
    verdicts_of(63, 62, UINT64_MAX >> 2, UINT64_C(1) << 62);
    verdicts_of(64, 63, UINT64_MAX >> 1, UINT64_C(1) << 63);
    verdicts_of(64, 64, UINT64_MAX, 0);
    verdicts_of(65, 64, UINT64_MAX, 0);
    verdicts_of(65, 1, 1, ~UINT64_C(1));
}

static void reason_is(struct fh_spectrum_marks marks, struct fh_kin kin, size_t count, size_t wrong,
                      const char *text) {
    const struct fh_verdicts verdicts = fh_suspects_verdicts(count, wrong);
    const struct fh_suspect suspect = {{&site, marks, kin}, 1};
    char got[FH_SUSPECT_REASON];
    memset(got, 'x', sizeof got);
    fh_suspect_reason(&suspect, &verdicts, got);
    assert_string_equal(got, text);
}

static void reasons(void **state) {
    (void)state;
#define MARKS (struct fh_spectrum_marks)
#define KIN   (struct fh_kin)
    reason_is(MARKS{0, 0}, KIN{0}, 8, 4, "no wrong element looked at depends on it");
    reason_is(MARKS{0xf0, 0xf0}, KIN{0}, 8, 4, "no wrong element looked at depends on it");
    reason_is(MARKS{0x1, 0x1}, KIN{0}, 8, 4,
              "went into 1 of 4 wrong elements and 0 of 4 right ones");
    reason_is(MARKS{0x3f, 0xff}, KIN{0}, 8, 4,
              "went into 4 of 4 wrong elements and 2 of 4 right ones");
    reason_is(MARKS{0xf0, 0xf7}, KIN{0}, 8, 4,
              "led to 3 of 4 wrong elements and 4 of 4 right ones");
    reason_is(MARKS{0x7, 0x7}, KIN{0}, 4, 4, "went into 3 of 4 wrong elements");
    reason_is(MARKS{0, 0x7}, KIN{0}, 4, 4, "led to 3 of 4 wrong elements");
    reason_is(MARKS{0, 0x1}, KIN{.twice = true}, 1, 1,
              "stands there twice; led to 1 of 1 wrong elements");
    reason_is(MARKS{0, 0x1}, KIN{.unread = true}, 1, 1,
              "nothing reads its result; led to 1 of 1 wrong elements");
    reason_is(MARKS{0, 0x1}, KIN{.twice = true, .unread = true}, 1, 1,
              "stands there twice; nothing reads its result; led to 1 of 1 wrong elements");
    reason_is(MARKS{0, 0x1}, KIN{.relatives = 7, .odd = {[FH_KIN_NUMBERS] = 0.3}}, 1, 1,
              "unlike most of the 7 instructions of its line in: numbers; led to 1 of 1 wrong "
              "elements");
    reason_is(MARKS{0, 0x1}, KIN{.relatives = 7, .odd = {[FH_KIN_NUMBERS] = 0.29}}, 1, 1,
              "led to 1 of 1 wrong elements");
    reason_is(
        MARKS{0, 0x1}, KIN{.relatives = 7, .odd = {1, 1, 1, 1, 1}, .unread = true}, 1, 1,
        "unlike most of the 7 instructions of its line in: mnemonic, guard or signs, numbers, "
        "sources of operands, number of readers, operands in common with others; nothing "
        "reads its result; led to 1 of 1 wrong elements");
}

/* Lists: what is worth a line, one of each line, the later one of equals first. */
static void lists(void **state) {
    (void)state;
    const struct fh_verdicts of = fh_suspects_verdicts(2, 1);
    struct fh_journal_site sites[6];
    struct fh_evidence evidence[6];
    struct fh_suspect got[6];
    for (uint32_t i = 0; i < 6; i++) {
        sites[i] = site;
        sites[i].line = i + 1;
        evidence[i] = (struct fh_evidence){&sites[i], {1, 1}, {.odd = {[FH_KIN_NUMBERS] = 0}}};
    }
    /* odd: 0.09 + 5 n */
    static const double numbers[6] = {0.2, 1, 0.13, 0.14, 0.5, 1};
    for (uint32_t i = 0; i < 6; i++)
        evidence[i].kin.odd[FH_KIN_NUMBERS] = numbers[i];
    /* 0.09 + 5 * 0.13 = 0.74 is less than 0.15 (0.09 + 5) = 0.7635, 0.09 + 5 * 0.14 is more */
    static const uint32_t order[] = {6, 2, 5, 1, 4};
    assert_int_equal(fh_suspects_rank(evidence, 6, &of, true, got, 6), 5);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(got[i].evidence.site->line, order[i]);
    for (size_t most = 0; most < 5; most++) {
        assert_int_equal(fh_suspects_rank(evidence, 6, &of, true, got, most), most);
        for (size_t i = 0; i < most; i++)
            assert_int_equal(got[i].evidence.site->line, order[i]);
    }
    sites[5].line = 2; /* the second one's line; as good */
    assert_int_equal(fh_suspects_rank(evidence, 6, &of, true, got, 6), 4);
    assert_ptr_equal(got[0].evidence.site, &sites[5]);
    assert_int_equal(got[1].evidence.site->line, 5);
    evidence[5].kin.odd[FH_KIN_NUMBERS] = 0.9; /* worse: it is the line's other one */
    assert_int_equal(fh_suspects_rank(evidence, 6, &of, true, got, 6), 4);
    assert_ptr_equal(got[0].evidence.site, &sites[1]);
    sites[5].line = 5; /* better than its line's one in the middle of the list */
    assert_int_equal(fh_suspects_rank(evidence, 6, &of, true, got, 6), 4);
    assert_ptr_equal(got[0].evidence.site, &sites[1]);
    assert_ptr_equal(got[1].evidence.site, &sites[5]);
    assert_int_equal(got[2].evidence.site->line, 1);
    assert_int_equal(got[3].evidence.site->line, 4);
    sites[5].file = (char *)"b";
    assert_int_equal(fh_suspects_rank(evidence, 6, &of, true, got, 6), 5);
    sites[5].file = sites[4].file = (char *)"";
    assert_false(fh_suspect_same_line(&sites[4], &sites[5]));
    assert_true(fh_suspect_same_line(&sites[4], &sites[4]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_alike),  cmocka_unit_test(twice_and_unread),
        cmocka_unit_test(operands_places), cmocka_unit_test(weights),
        cmocka_unit_test(verdicts),        cmocka_unit_test(reasons),
        cmocka_unit_test(lists),
    };
    return cmocka_run_group_tests_name("difference_kin", tests, NULL, NULL);
}
