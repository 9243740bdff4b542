/*
 * value_contract_test.c - .let, .expect and .ensure of values: what holds and what does not,
 * against numbers calculated by hand; the lanes, the loops and the guards that they are about; and
 * the way through objects and disassembly.
 */
#include "check_fragments.h"
#include "emu_util.h"

enum { TEXT = 8192 };

static const char *const begin =
    ".target sm_80\n.kernel K\n.param y, 8\n"
    "S2R R0, SR_LANEID ;\n"
    "MOV R4, 0xffffffff ;\nMOV R5, 0xffffffff ;\n"
    "MOV R6, 0x80000000 ;\n"
    "IMAD R7, R0, 0x12345679, RZ ;\n"
    "MOV R8, 0xffffffc5 ;\nMOV R9, 0xffffffff ;\n" /* 2^64 - 59, a prime */
    ".rept 8, i\nMOV R1\\i, 0xffffffff ;\n.endr\n" /* R10 .. R17: 2^256 - 1 */
    "UMOV UR4, 97 ;\n"
    "MOV R18, y ;\nMOV R19, y + 4 ;\n"
    "ISETP.LT.U32.AND P0, PT, R0, 0x5, PT ;\n";

/* Runs the text between `begin` and the end in `threads` threads of `blocks` blocks; message gets
 * what the first finding says. How many there are. */
static size_t findings_of(const char *text, uint32_t blocks, uint32_t threads, char *message) {
    char source[TEXT];
    const uint64_t params[1] = {0x123456789abcULL};
    fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    struct fh_findings *findings = fh_findings_new();
    void *state;
    snprintf(source, sizeof source, "%s%s\nNOP ;\nEXIT ;\n.end\n", begin, text);
    fhec_program *p = emu_assemble(source);
    assert_non_null(findings);
    assert_int_equal(fh_check_fragments.begin(m, findings, &state), FHEC_OK);
    emu_run_ok(m, p, blocks, threads, params, 1);
    assert_int_equal(fh_check_fragments.end(state), FHEC_OK);
    const size_t count = fh_findings_count(findings);
    *message = 0;
    if (count) {
        const struct fh_finding *f = fh_findings_get(findings, 0);
        assert_string_equal(fh_finding_id(f->kind), "C085");
        snprintf(message, FH_FINDING_MESSAGE, "%s", f->message);
    }
    fh_findings_free(findings);
    fhec_program_free(p);
    fhec_machine_free(m);
    return count;
}

static void is_said(const char *text, uint32_t blocks, uint32_t threads, const char *said) {
    char message[FH_FINDING_MESSAGE];
    const size_t count = findings_of(text, blocks, threads, message);
    if (count != (said != NULL) || (said && !strstr(message, said)))
        fail_msg("%s: %zu findings, %s", text, count, message);
}

/* ---------------------------------------------------------------- values */

static void test_holds(void **unused) {
    static const char *const all[] = {
        "u64(R4) * u64(R4) = 3364 mod u64(R8)", /* 58^2 */
        "u64(R4) * u64(R4) % u64(R8) = 3364",
        "u64(R4) * u64(R4) = (1 << 128) - (1 << 65) + 1",
        "R4:R5 * R4:R5 * R4:R5 = 195112 mod R8:R9", /* 58^3 */
        "R4 + 1 = 1 << 32",
        "R4 + 1 = 0 mod 1 << 32",
        "u64(R4) + 1 = 1 << 64",
        "s32(R6) = 0 - (1 << 31)",
        "s64(R4) = -1",
        "s64(R6) = (s32(R7) << 32) + R6",
        "u32(R4) = R4",
        "R7 = lane * 0x12345679 mod 1 << 32",
        "R10:R17 * R10:R17 = (1 << 512) - (1 << 257) + 1",
        "R10:R17 * R10:R17 % ((1 << 256) - 189) = 35344", /* 188^2 */
        "R10:R17 = 188 mod (1 << 256) - 189",
        "-(R10:R17) / (1 << 200) = 1 - (1 << 56)",
        "-(R10:R17) >> 200 = 0 - (1 << 56)",
        "~R10:R17 + 1 = 0 - R10:R17",
        "(R10:R17 & R4:R5) = u64(R4)",
        "(R10:R17 ^ R10:R17) = 0",
        "(R10:R17 == R10:R17 + 0) = 1",
        "(R10:R17 < R10:R17) = 0",
        "0 - R10:R17 < 0",
        "R10:R17 <= R10:R17",
        "R10:R17 < 1 << 256",
        "R10:R13 = (1 << 128) - 1",
        "R10:R13 * -1 + (1 << 128) = 1",
        "P0 + 1 = 1 + (lane < 5)",
        "UR4 = 97",
        "-7 % 3 = -1",
        "100 % 7 = 2",          /* by no power of two */
        "u64(R4) * 5 % 12 = 3", /* 2^64 = 4 mod 12 */
        "u64(R4) << 64 >> 64 = u64(R4)",
        "R10:R17 << 64 >> 128 = R10:R17 >> 64",
        "-7 / 2 = -3",
        "-7 >> 1 = -4",
        "-7 = 2 mod 3",
        "-7 = 2 mod -3",
        "7 = -2 mod 1",
        "(5 > 4) + (4 >= 5) + (3 != 3) = 1",
        "u64(R18) = y",
        "u64(R18) + 4 * lane = y + (lane << 2)",
        "block + block.y + block.z + warp = 0",
        "u64(R8) = 0xffffffffffffffc5",
        "u64(R4) = 18446744073709551615",
        "u64(R4) * u64(R4) = 3364 mod 0xffffffffffffffc5",
        "u64(R4) = 0xfffffffe mod 0xffffffff00000001", /* 2^64 - 1 = 1 (2^64 - 2^32 + 1) + 2^32 - 2
                                                        */
        "R10:R13 = 0xffffffffffffffffffffffffffffffff",
        "R10:R13 = 0o3777777777777777777777777777777777777777777",
        "R10:R17 = 0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "R10:R17 + 1 = 0b1 << 256",
        "(lane < 5 ? lane : 5) = P0 * lane + !P0 * 5",
        "(P0 && lane < 5) = (lane < 5 || 0)",
        "(lane == 3 || 12 / (lane - 3) <= 12) = 1", /* lane 3 divides by nothing */
        "(lane ? 60 / lane : 7) * 0 = 0",
        "(lane != 1 && 0 % (lane - 1) || 1 << lane * 30 < 1 << 1150) + 0 * lane <= 1",
        "(0 && 1 << 9999) = 0",
        "!(R10:R17) + !!(R10:R17) = 1",
        "+5 = 5",
        "-(0 - (1 << 126) - (1 << 126)) = 1 << 127", /* the one number that has no negative */
        "~(0 - (1 << 126) - (1 << 126)) = (1 << 127) - 1",
        "(0 - (1 << 126) - (1 << 126)) / -1 = 1 << 127",
        "(0 - (1 << 126) - (1 << 126)) % -1 = 0",
        "(1 << 126) * 2 - 1 = (1 << 127) - 1",
        "(1 << 126) + (1 << 126) = 1 << 127",
        "u64(R4) * u64(R4) * 2 = (1 << 129) - (1 << 66) + 2",
        "(1 << 63) * (1 << 63) = 1 << 126",
        "(1 << 63) * (1 << 64) = 1 << 127",
        "(3 << 125) - (1 << 125) = 1 << 126",
        "(5 << 96) >> 96 = 5",
        "(5 << 97) >> 97 = 5",
        "(1 << 126) >> 126 = 1",
        "-5 >> 127 = -1",
        "-5 >> 1000 = -1",
        "5 >> 1000 = 0",
        "0 << 1151 = 0",
        "7 = 7 mod 0",
        "12 = 5 mod -7",
        "12 = 5 mod 1",
        "12 = 5 mod -1",
        "-12 = 2 mod 7",
        "(1 << 126) = 4 mod 6",
        "(1 << 100) % 1 = 0",
        "-17 % 8 = -1",
        "(1 << 126) + (1 << 125) = -(1 << 126) mod 5",
        "1 << 1150 = 1 - (1 << 1150) mod 1", /* 2^1151 - 1 */
        "17 % -8 = 1",
    };
    char text[600];
    (void)unused;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        snprintf(text, sizeof text, ".ensure %s\n", all[i]);
        is_said(text, 1, 32, NULL);
        snprintf(text, sizeof text, ".expect %s\n", all[i]);
        is_said(text, 1, 32, NULL);
    }
}

static void test_fails(void **unused) {
    static const struct {
        const char *contract, *said;
    } all[] = {
        {"u64(R4) * u64(R4) % u64(R8) = 3365",
         "0xd24 is expected to be 0xd25 in lane 0 and 31 of 31 others"},
        {"u64(R4) * u64(R4) = (1 << 128) - (1 << 65)", "0xfffffffffffffffe0000000000000001 is "
                                                       "expected to be 0xfffffffffffffffe0000000000"
                                                       "000000 in lane 0"},
        {"R4 + 1 = 0", "0x100000000 is expected to be 0 in lane 0"},
        {"R7 = lane * 0x12345679", "is expected to be 0x111111117 in lane 15 and 16 of 31 others"},
        {"-7 = 1 mod 3", "-7 is expected to be 1 modulo 3 in lane 0"},
        {"R10:R17 < (1 << 256) - 1", "is expected to be below 0xffff"},
        {"R10:R17 = 187 mod (1 << 256) - 189", "is expected to be 187 modulo 0xffff"},
        {"lane <= 30", "31 is expected to be at most 30 in lane 31 (.ensure lane <= 30)"},
        {"(1 << 1150) * 4 = 0", "has a value of more than 1151 bits"},
        {"1 << (lane + 1121) <= 1 << 1150",
         "in lane 30 and 1 of 31 others: has a value of more than 1151 bits"},
        {"1 << 1152 = 0", "shifts by less than 0 or more than 1151"},
        {"1 >> -1 = 0", "shifts by less than 0 or more than 1151"},
        {"5 % (lane - lane) = 0", "divides by zero, or is modulo zero"},
        {"R10:R17 / (lane - 3) < R10:R17 * 2", "in lane 3: divides by zero"},
        {"R4 = 3 mod R4 - R4", "divides by zero, or is modulo zero"},
        {"u64(R4) = 0 mod 0xffffffff00000001",
         "0xffffffffffffffff is expected to be 0 modulo 0xffffffff00000001 in lane 0 and 31 of 31"},
        {"R4 = 0x100000000ffffffff", "0xffffffff is expected to be 0x100000000ffffffff"},
        {"(lane ? 60 / lane : 60 / lane) <= 60", "in lane 0: divides by zero"},
        {"(lane < 2 || 1 % (lane - 7)) <= 1", "in lane 7: divides by zero"},
        {"(1 / 0 && 0) = 0", "divides by zero"},
        {"(lane ? 1 : 1 << 2000) = 1", "in lane 0: shifts by less than 0"},
        {"~((1 << 1150) - 1 + (1 << 1150)) = 0", "has a value of more than 1151 bits"},
        {"1 << 1150 = -(1 << 1150) mod 3", "has a value of more than 1151 bits"}, /* 2^1151 */
        {"(1 << 126) + (1 << 125) = -(1 << 126) mod 7", "is expected to be"},     /* 5 2^125 is 6 */
        {"P0 = 1", "0 is expected to be 1 in lane 5 and 26 of 31 others"},
        {"u64(R18) = y + 1", "0x123456789abc is expected to be 0x123456789abd"},
    };
    char text[600];
    (void)unused;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        snprintf(text, sizeof text, ".ensure %s\n", all[i].contract);
        is_said(text, 1, 32, all[i].said);
    }
}

/* ---------------------------------------------------------------- lanes and time */

/* .expect is about the lanes that execute; .let and .ensure are about all that come by. */
static void test_guards(void **unused) {
    (void)unused;
    is_said(".expect R4 + 0 = 0\n@P0 MOV R20, 0x1 ;\n", 1, 32, "in lane 0 and 4 of 4 others");
    is_said(".expect R4 + 0 = 0\n@!PT MOV R20, 0x1 ;\n", 1, 32, NULL);
    is_said("MOV R20, RZ ;\n.let x = R20\n@P0 MOV R20, 0x1 ;\n.ensure R20 = x + (lane < 5)\n", 1,
            32, NULL);
    is_said("MOV R20, RZ ;\n.let x = R20\n@P0 MOV R20, 0x1 ;\n.ensure R20 = x + 1\n", 1, 32,
            "0 is expected to be 1 in lane 5 and 26 of 31 others");
    is_said("@!PT MOV R20, RZ ;\n.ensure R4 + 0 = 7\n", 1, 20, "and 19 of 19 others");
}

/* Lane l goes round l + 1 times, so that lanes part. */
static void test_loop(void **unused) {
    static const char *const loop =
        "MOV R20, RZ ;\nMOV R21, RZ ;\n"
        "loop:\n.let before = R20\n"
        "IADD3 R20, R20, 0x3, R21 ;\nIADD3 R21, R21, 0x1, RZ ;\n.ensure R20 = before + %s\n"
        "ISETP.LE.U32.AND P1, PT, R21, R0, PT ;\n@P1 BRA loop ;\n"
        ".expect R20 - 3 * R21 = R21 * (R21 - 1) / 2\n";
    char text[600];
    (void)unused;
    snprintf(text, sizeof text, loop, "R21 + 2");
    is_said(text, 1, 32, NULL);
    snprintf(text, sizeof text, loop, "R21 + 2 + (R21 == 9)");
    is_said(text, 1, 32, "in lane 8 and 23 of 23 others");
}

static void test_unset(void **unused) {
    static const char *const text =
        "@%s BRA over ;\n.let x = R7 + 1\nMOV R20, R7 ;\nover:\n.expect R7 = x - 1\nNOP ;\n";
    char source[600];
    (void)unused;
    snprintf(source, sizeof source, text, "P0");
    is_said(source, 1, 32,
            "in lane 0 and 4 of 31 others: uses what no .let has remembered in this lane");
    snprintf(source, sizeof source, text, "!PT");
    is_said(source, 1, 32, NULL);
}

/* Each warp of each block has its own; names are set anew. */
static void test_warps(void **unused) {
    (void)unused;
    is_said("S2R R20, SR_TID.X ;\nS2R R21, SR_CTAID.X ;\n"
            ".let x = R20 + 1000 * R21\nBAR.SYNC.DEFER_BLOCKING 0x0 ;\n"
            "IADD3 R20, R20, 0x7, RZ ;\n"
            ".ensure R20 = x + 7 - 1000 * block\n.ensure R20 = 32 * warp + lane + 7\n"
            ".let x = R20 * R10:R17\nMOV R20, RZ ;\n"
            ".ensure R20 = x - (32 * warp + lane + 7) * ((1 << 256) - 1)\n",
            5, 100, NULL);
    is_said("S2R R20, SR_TID.X ;\n.ensure R20 + block = lane + 32 * warp\n", 3, 64,
            "in lane 0 and 31 of 31 others");
}

/* ---------------------------------------------------------------- what computed it */

static void test_computed_by(void **unused) {
    static const char *const source = ".target sm_80\n.kernel K\n" /* lines 1, 2 */
                                      "S2R R0, SR_LANEID ;\n"
                                      "IADD3 R1, R0, 0x1, RZ ;\n"
                                      "MOV R9, 0x5 ;\n"
                                      ".let x = R1\n"
                                      "IADD3 R2, R1, 0x1, RZ ;\n" /* 7 */
                                      "MOV R9, 0x6 ;\n"
                                      "@P0 MOV R2, R9 ;\n"      /* 9: it may */
                                      "IMAD R3, R2, R2, RZ ;\n" /* 10 */
                                      "MOV R4, R3 ;\n"          /* 11 */
                                      ".ensure R3 = x * x\n"
                                      "EXIT ;\n.end\n";
    static const uint32_t lines[] = {7, 8, 9, 10};
    fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    struct fh_findings *findings = fh_findings_new();
    fhec_program *p = emu_assemble(source);
    void *state;
    (void)unused;
    assert_int_equal(fh_check_fragments.begin(m, findings, &state), FHEC_OK);
    emu_run_ok(m, p, 1, 32, NULL, 0);
    assert_int_equal(fh_check_fragments.end(state), FHEC_OK);
    assert_int_equal(fh_findings_count(findings), 1);
    const struct fh_finding *f = fh_findings_get(findings, 0);
    assert_int_equal(f->computed_count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(f->computed_by[i].at.line, lines[i]);
    fh_findings_free(findings);
    fhec_program_free(p);
    fhec_machine_free(m);
}

/* ---------------------------------------------------------------- objects */

static void same_contracts(const fhec_program *a, const fhec_program *b) {
    fhec_expectation x, y;
    size_t i = 0;
    for (; fhec_kernel_expectation(a, 0, i, &x); i++) {
        assert_true(fhec_kernel_expectation(b, 0, i, &y));
        assert_int_equal(x.contract, y.contract);
        assert_int_equal(x.word, y.word);
        assert_string_equal(x.text, y.text);
        assert_int_equal(x.term_count, y.term_count);
        assert_memory_equal(x.terms, y.terms, x.term_count * sizeof *x.terms);
    }
    assert_int_equal(i, 7);
    assert_false(fhec_kernel_expectation(b, 0, i, &y));
}

static void test_objects(void **unused) {
    static const char *const contracts =
        ".let x = R20 * %s\n.expect R20 <= x\n.expect R4 < 5\nMOV R21, R4 ;\n.ensure R21 = x mod "
        "R4:R5\n.ensure (R21 ^ 1) < 5 + P0\n.let z = s64(R4)\nNOP ;\n.ensure z + x <= y << 3\n";
    char with[TEXT], text[600];
    uint8_t *bytes;
    char *listing;
    size_t length;
    fhec_kernel_info k, l;
    fhec_program *back, *again;
    (void)unused;
    snprintf(text, sizeof text, contracts, "10");
    snprintf(with, sizeof with, "%s%sEXIT ;\n.end\n", begin, text);
    fhec_program *p = emu_assemble(with);
    snprintf(with, sizeof with, "%sMOV R21, R4 ;\nNOP ;\nEXIT ;\n.end\n", begin);
    fhec_program *bare = emu_assemble(with);
    assert_int_equal(fhec_kernel_get(p, 0, &k), FHEC_OK);
    assert_int_equal(fhec_kernel_get(bare, 0, &l), FHEC_OK);
    assert_int_equal(k.word_count, l.word_count);
    assert_memory_equal(k.words, l.words, k.word_count * sizeof *k.words);
    assert_int_equal(fhec_program_write(p, &bytes, &length), FHEC_OK);
    assert_int_equal(fhec_program_read("k", bytes, length, NULL, NULL, &back), FHEC_OK);
    same_contracts(p, back);
    assert_int_equal(fhec_disassemble_program(back, 0, NULL, NULL, &listing, &length), FHEC_OK);
    again = emu_assemble(listing);
    same_contracts(p, again);
    fhec_program_free(p);
    fhec_program_free(bare);
    fhec_program_free(back);
    fhec_program_free(again);
    free(listing);
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_holds),       cmocka_unit_test(test_fails),
        cmocka_unit_test(test_guards),      cmocka_unit_test(test_loop),
        cmocka_unit_test(test_unset),       cmocka_unit_test(test_warps),
        cmocka_unit_test(test_computed_by), cmocka_unit_test(test_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
