/*
 * asm_text_test.c - the language: operands as nvdisasm writes them, labels, expressions, names,
 * parameters, data, includes, and the errors of one run. Expected words are disassembled text or
 * literals worked out by hand from the encoding tables.
 */
#include "asm_util.h"

#include <inttypes.h>

#define KERNEL(text) ".kernel k\n" text ".end\n"

/* An unknown mnemonic, a misspelt modifier, a misaligned pair, a missing label and a missing
 * operand in one file give five located errors in one run. */
static void five_errors_in_one_run(void **state) {
    (void)state;
    static const char source[] = ".kernel k\n"
                                 "    IADD4 R1, R2, R3, RZ ;\n"
                                 "    ISETP.GTE.AND P0, PT, R1, R2, PT ;\n"
                                 "    IMAD.WIDE R5, R1, R2, R6 ;\n"
                                 "    BRA .L_nowhere ;\n"
                                 "    IADD3 R1, R2, R3 ;\n"
                                 "    EXIT ;\n"
                                 ".end\n";
    struct said said = {0};
    assert_int_equal(assemble(source, &said, NULL), FHEC_BAD_INPUT);
    assert_int_equal(said.count, 5);
    static const struct {
        const char *id;
        uint32_t line, column, length;
        const char *note;
    } wanted[] = {
        {"E010", 2, 5, 5, "a mnemonic with a similar name exists: `IADD3`"},
        {"E011", 3, 10, 4, "a modifier with a similar name exists: `.G"},
        {"E018", 4, 15, 2, "legal: IMAD.WIDE"},
        {"E014", 6, 21, 1, "legal: IADD3"},
        {"E030", 5, 9, 10, ""}, /* labels are known at the kernel's end */
    };
    for (size_t i = 0; i < 5; i++) {
        const struct said_one *d = &said.d[i];
        assert_string_equal(d->id, wanted[i].id);
        assert_string_equal(d->file, "t.sass");
        assert_int_equal(d->line, wanted[i].line);
        assert_int_equal(d->column, wanted[i].column);
        assert_int_equal(d->length, wanted[i].length);
        assert_non_null(strstr(d->notes, wanted[i].note));
    }
}

/* What `legal:` says includes the bars. */
static void bars_are_legal(void **state) {
    (void)state;
    struct said said = {0};
    static const char source[] = ".kernel k\n  FADD R1, R2, R3, R4 ;\n  EXIT ;\n.end\n";
    assert_int_equal(assemble(source, &said, NULL), FHEC_BAD_INPUT);
    assert_int_equal(said.count, 1);
    assert_string_equal(said.d[0].id, "E015");
    assert_non_null(strstr(said.d[0].notes, "Rd, {-}{|}A{|}, {-}{|}C{|}"));
}

static void a_feature_is_named(void **state) {
    (void)state;
    struct said said = {0};
    static const char fhec[] = "  FHEC.16816.U32.U32 R8, R0.ROW, R4.COL, R8, UR4 ;\n  EXIT ;\n";
    char source[512];
    (void)snprintf(source, sizeof source, ".target sm_80\n.kernel k\n%s.end\n", fhec);
    assert_int_equal(assemble(source, &said, NULL), FHEC_BAD_INPUT);
    assert_int_equal(said.count, 1);
    assert_string_equal(said.d[0].id, "E021");
    assert_non_null(strstr(said.d[0].message, "`fhec`"));
    assert_non_null(strstr(said.d[0].notes, ".target sm_80, fhec"));
    (void)snprintf(source, sizeof source, ".target sm_80, gme, fhec\n.kernel k\n%s.end\n", fhec);
    assert_int_equal(assemble(source, NULL, NULL), FHEC_OK);
    /* A target within a kernel is for that kernel alone. */
    (void)snprintf(source, sizeof source,
                   ".kernel k\n.target sm_80, fhec\n%s.end\n.kernel l\n%s.end\n", fhec, fhec);
    expect_said(source, "E021 7:3");
}

static void operands_in_all_shapes(void **state) {
    (void)state;
    expect_code(KERNEL("@!P0 MOV R1, -0x1 ;\n"
                       "  @UP2 UMOV UR4, 16 ;\n"
                       "  @!PT NOP;\n"
                       "  IADD3 R5, P0, P1, R2.reuse, c[0x0] [ 0x4 * 3 ], -R28 ;\n"
                       "  IADD3.X R4, R7, ~c[0x3][0x10], R7, P1, !PT ;\n"
                       "  LDG.E.128.CONSTANT R8, desc[UR4][R10.64 + -0x2000] ;\n"
                       "  LDG.E R7, [R4] ;\n"
                       "  STG.E.NA.64 [R226.U32+UR28], R2 ;\n"
                       "  LDS R1, [RZ] ;\n"
                       "  LDS R1, [0x1214] ;\n"
                       "  LDS.64 R2, [R0.X4+UR5+0x10] ;\n"
                       "  STS [UR5 + 8 + R0.X16], R1 ;\n"
                       "  LDC R1, c[0x3][R6+0x4] ;\n"
                       "  ULDC.64 UR4, c[0x0][0x118] ;\n"
                       "  IMMA.16816.U8.U8 R12, R24.reuse.ROW, R16.COL, R12 ;\n"
                       "  S2R R0, SR_TID.X ; CS2R R4, SRZ ;\n"
                       "  LEA.HI.X.SX32 R21, R8, c[0x0][0x17c], 0x1, P0 ;\n"
                       "  ISETP.GE.U32.AND.EX P0, PT, R7, 3, PT, P0 ;\n"
                       "  SHFL.BFLY PT, R7, R0, 0x1, 0x1f ;\n"
                       "  IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28] ;\n"
                       "  PLOP3.LUT P0, PT, P0, P1, UP2, 0xa8, 0x0 ;\n"
                       "  BRA 0x0 ;\n"),
                "@!P0 MOV R1, 0xffffffff\n"
                "@UP2 UMOV UR4, 0x10\n"
                "@!PT NOP\n"
                "IADD3 R5, P0, P1, R2.reuse, c[0x0][0xc], -R28\n"
                "IADD3.X R4, R7, ~c[0x3][0x10], R7, P1, !PT\n"
                "LDG.E.128.CONSTANT R8, desc[UR4][R10.64+-0x2000]\n"
                "LDG.E R7, [R4]\n"
                "STG.E.NA.64 [R226.U32+UR28], R2\n"
                "LDS R1, [RZ]\n"
                "LDS R1, [0x1214]\n"
                "LDS.64 R2, [R0.X4+UR5+0x10]\n"
                "STS [R0.X16+UR5+0x8], R1\n"
                "LDC R1, c[0x3][R6+0x4]\n"
                "ULDC.64 UR4, c[0x0][0x118]\n"
                "IMMA.16816.U8.U8 R12, R24.reuse.ROW, R16.COL, R12\n"
                "S2R R0, SR_TID.X\n"
                "CS2R R4, SRZ\n"
                "LEA.HI.X.SX32 R21, R8, c[0x0][0x17c], 0x1, P0\n"
                "ISETP.GE.U32.AND.EX P0, PT, R7, 0x3, PT, P0\n"
                "SHFL.BFLY PT, R7, R0, 0x1, 0x1f\n"
                "IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]\n"
                "PLOP3.LUT P0, PT, P0, P1, UP2, 0xa8, 0x0\n"
                "BRA 0x0\n");
}

/* One word by hand: MOV R9, UR6 with the control fields stall 5, yield, write barrier 2, read none,
 * waiting for 0 and 4. */
static void the_control_prefix(void **state) {
    (void)state;
    fhec_word word;
    assert_int_equal(
        fhec_assemble_word("[B0---4-:R-:W2:Y:S05] @P3 MOV R9, UR6 ;", 0, NULL, NULL, &word),
        FHEC_OK);
    uint64_t high = UINT64_C(0xf) << 8 | UINT64_C(1) << 27 /* bit 91 */ | UINT64_C(5) << 41 |
                    UINT64_C(2) << 46 | UINT64_C(7) << 49 | UINT64_C(0x11) << 52;
    assert_true(word.lo == (0xc02 | 3 << 12 | 9 << 16 | UINT64_C(6) << 32));
    assert_true(word.hi == high);
}

/* A base register by itself: nvdisasm's words for it. With .E it is a pair. */
static void a_base_register_by_itself(void **state) {
    (void)state;
    static const struct {
        const char *text;
        fhec_word word;
    } rows[] = {
        {"LDG.E R27, [R8] ;", {0x00000000081b7381, 0x00000000001e0900}},
        {"LDG.U16.CONSTANT R9, [R9+-0x40] ;", {0xffffc00009097381, 0x00000000001e8400}},
        {"ATOM.CAS.STRONG.GPU PT, R7, [R47], R46, R47 ;", {0x0000002e2f07738b, 0x00000000001ee02f}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fhec_word word;
        assert_int_equal(fhec_assemble_word(rows[i].text, 0, NULL, NULL, &word), FHEC_OK);
        assert_true(word.lo == rows[i].word.lo && word.hi == rows[i].word.hi);
    }
    expect_said(".kernel k\n  LDG.E R4, [R2+UR4] ;\n  LDG.E R4, desc[UR4][R2] ;\n  EXIT ;\n.end\n",
                "E029 2:13, E029 3:13");
}

static void comments_and_layout(void **state) {
    (void)state;
    expect_code("# a comment\r\n.kernel k // here\r\n"
                "        /*0000*/                   MOV R1, /* in\nthe middle */ R2 ;"
                "   /* 0x0000000200017202 */\r\n"
                "                                         /* 0x000fe20000000f00 */\n"
                "(* no code *) MOV R3, R4 ; MOV R5,R6;;\t;\n"
                "EXIT; # end\n.end",
                "MOV R1, R2\nMOV R3, R4\nMOV R5, R6\nEXIT\n");
}

static void labels_lead_where_they_stand(void **state) {
    (void)state;
    expect_code(KERNEL("0: BRA 0f ; NOP ; 0: BRA 0b ; 9: BRA 9b ; EXIT ;\n"),
                "BRA 0x20\nNOP\nBRA 0x20\nBRA 0x30\nEXIT\n");
    expect_code(KERNEL("start: 1: BRA 1f ;\n"    /* 0x00 -> 0x20 */
                       "  BRA 1b ;\n"            /* 0x10 -> 0x00 */
                       "1:\n"                    /* 0x20 */
                       "  @P0 BRA `(.L_x_0) ;\n" /* 0x20 -> 0x50 */
                       "  BRA start + 0x10 ;\n"  /* 0x30 -> 0x10 */
                       "  BSSY B0, (.L_x_0) ;\n" /* 0x40 -> 0x50 */
                       ".L_x_0: BRA 1b ;\n"      /* 0x50 -> 0x20 */
                       "1: BRA 1b ;\n"           /* 0x60 -> 0x60 */
                       "BRA 2f + 16 ; BRA P1, start ; 2: NOP ; EXIT ;\n"),
                "BRA 0x20\nBRA 0x0\n@P0 BRA 0x50\nBRA 0x10\nBSSY B0, 0x50\nBRA 0x20\nBRA 0x60\n"
                "BRA 0xa0\nBRA P1, 0x0\nNOP\nEXIT\n");
    /* The same names in another kernel are other labels. */
    assert_int_equal(
        assemble(".kernel a\nx: BRA x ;\n.end\n.kernel b\nEXIT ;\nx: BRA x ;\n.end\n", NULL, NULL),
        FHEC_OK);
}

/* fhec_assemble_word takes one instruction: no more, no less, no directive. Each refusal is said.
 */
static void one_instruction_stands_for_itself(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "",
        " ",
        "/* NOP */",
        "NOP ; NOP ;",
        "NOP ;\nEXIT ;",
        ".equ a, 1",
        ".end",
        ".kernel k\nEXIT ;\n.end",
        ".kernel k",
        ".target sm_80\nNOP ;",
        ".rept 2\nNOP ;\n.endr",
        ".if 1\nNOP ;\n.endif",
        ".macro M\n.endm\nNOP ;",
        "NOP ; junk",
    };
    static const char *const right[] = {"NOP", " NOP ;", "NOP /* twice? */ ; // no", "@P0 NOP ;\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct said said = {0};
        fhec_word word = {1, 1};
        fhec_status status = fhec_assemble_word(wrong[i], 0x40, hear, &said, &word);
        if (status != FHEC_BAD_INPUT || said.count == 0 || word.lo || word.hi)
            fail_msg("`%s`: status %d, %zu messages", wrong[i], (int)status, said.count);
    }
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        struct said said = {0};
        fhec_word word;
        if (fhec_assemble_word(right[i], 0x40, hear, &said, &word) != FHEC_OK || said.count)
            fail_msg("`%s` is refused", right[i]);
        assert_int_equal(word.lo & 0xfff, 0x918);
    }
}

/* What an expression is worth: moved into a register and read back from bits 63:32. */
static void worth(const char *expression, uint32_t wanted) {
    char line[256];
    fhec_word word;
    struct said said = {0};
    (void)snprintf(line, sizeof line, "MOV R1, %s ;", expression);
    fhec_status status = fhec_assemble_word(line, 0, hear, &said, &word);
    if (status != FHEC_OK)
        fail_msg("%s: %s", expression, said.count ? said.d[0].message : "?");
    uint64_t got = word.lo >> 32;
    if (got != wanted)
        fail_msg("%s: 0x%" PRIx64 ", wanted 0x%" PRIx32, expression, got, wanted);
}

static void expressions_are_those_of_c(void **state) {
    (void)state;
    worth("1 + 2 * 3", 7);
    worth("(1 + 2) * 3", 9);
    worth("10 - 3 - 2", 5);
    worth("100 / 7 % 5", 4);
    worth("-7 / 2", 0xfffffffd);
    worth("-7 % 4", 0xfffffffd);
    worth("1 << 4 | 1 << 2 ^ 6 & 3", 0x10 | ((1 << 2) ^ 2));
    worth("-16 >> 2", 0xfffffffc);
    worth("3 < 4 == 1 && 2 >= 2", 1);
    worth("3 > 4 || 2 <= 1 || 5 != 5", 0);
    worth("!0 + !7 + ~0", 0);
    worth("0 ? 1 : 1 ? 2 : 3", 2);
    worth("0b1011 + 0x1F + 0o17 + 9", 11 + 31 + 15 + 9);
    /* Exact between -2^63 and 2^64 - 1; bits are 64. */
    worth("0xffffffffffffffff - 0xfffffffffffffffe", 1);
    worth("0x8000000000000000 / -1 >> 63", 0xffffffff);
    worth("0xffffffffffffffff / 0x100000001", 0xffffffff);
    worth("0xffffffffffffffff % 10", 5);
    worth("0xfedcba9876543210 >> 36", 0xfedcba9);
    worth("0xffffffffffffffff > 0", 1);
    worth("0x8000000000000000 - 1 + 1 == 1 << 63", 1);
    worth("-0x8000000000000000 < -0x7fffffffffffffff", 1);
    worth("~0xffffffff00000000", 0xffffffff);
    worth("(~0x7fffffffffffffff ^ 0x8000000000000001) == 1", 1);
    worth("(-1 & 0xfffffffffffffff0) / 16 >> 28", 0xffffffff);
    worth("-1 | 5", 0xffffffff);
    worth("32@hi(0xfedcba9876543210)", 0xfedcba98);
    /* What is not needed may be wrong. */
    worth("0 && 1 / 0", 0);
    worth("1 || nothing", 1);
    /* An operator of each level waits for the next one: 2304 > 3 is 1, 1 == 1, 9 & 1, 4 ^ 1, 8 | 5.
     */
    worth("0 ? 1 : 8 | 4 ^ 9 & 1 == 3 < 9 << 2 + 3 * 2", 13);
    worth("0 || 1 && 8 | 4 ^ 9 & 1 == 3 < 9 << 2 + 3 * 2", 1);
    worth("1 ? 5 : 1 << 99", 5);
}

static void names_and_ranges(void **state) {
    (void)state;
    expect_code(".equ N, 4\n.set n, N * 2\n.reg out = R30\n"
                ".kernel k\n"
                ".reg acc[0:3] = R8\n.reg high[4:5] = acc[2]\n.reg all = acc\n.reg q = UR6\n"
                ".reg done = P3\n.reg sp[0:1] = UP1\n.reg bar = B2\n"
                ".set n, n + 1\n"
                "@!done MOV acc, acc[3] ;\n"
                "MOV high[4], high[5] ;\n"
                "IADD3 all[1], acc[n-8].reuse, q, -out ;\n"
                "LDG.E R1, [acc[2].64 + q + N] ;\n"
                "LDG.E R1, [acc.64 + q] ;\n"
                "@sp[1] UMOV q, 5 ;\n"
                "BSYNC bar ;\n"
                "EXIT done ;\n"
                ".end\n",
                "@!P3 MOV R8, R11\n"
                "MOV R10, R11\n"
                "IADD3 R9, R9.reuse, UR6, -R30\n"
                "LDG.E R1, [R10.64+UR6+0x4]\n"
                "LDG.E R1, [R8.64+UR6]\n"
                "@UP2 UMOV UR6, 0x5\n"
                "BSYNC B2\n"
                "EXIT P3\n");
    /* A kernel's names end with it; those before it go on. */
    expect_said(".reg a = R1\n.kernel k\n.reg b = R2\n.param p, 4\n EXIT ;\n.end\n"
                ".kernel l\n.reg b = R3\n MOV a, b ;\n MOV a, p ;\n EXIT ;\n.end\n",
                "E032 10:9");
    expect_said(".reg r[0:3] = R252\n.reg s[0:1] = RZ\n", "E027 1:15, E027 2:15");
}

static void name_is(const fhec_program *p, size_t kernel, uint32_t word, const char *name,
                    fhec_name wanted) {
    fhec_name n;
    if (!fhec_kernel_name(p, kernel, word, name, &n))
        fail_msg("%s is not known at word %u of kernel %zu", name, word, kernel);
    assert_int_equal(n.kind, wanted.kind);
    assert_int_equal(n.value, wanted.value);
    assert_int_equal(n.file, wanted.file);
    assert_int_equal(n.first, wanted.first);
    assert_int_equal(n.low, wanted.low);
    assert_int_equal(n.count, wanted.count);
}

/* What a debugger asks: by include/fhec_names.h a .set counts from where it stands on, and what is
 * defined further on if nothing is before. */
static void names_are_kept(void **state) {
    (void)state;
    static const char source[] = ".equ whole, 7\n.kernel k\n.reg acc[2:5] = R8\n.set turn, 1\n"
                                 "  NOP ;\n.set turn, 2\n  NOP ;\nhere: EXIT ;\n.end\n"
                                 ".kernel l\n.reg acc = UR6\n  NOP ;\n.set further, 9\n"
                                 "  EXIT ;\n.end\n"
                                 ".kernel m\n.set turn, 3\n  NOP ;\n.set turn, 4\n"
                                 "  EXIT ;\n.end\n";
    static const char *const all[] = {"whole", "acc", "turn", "here", "further"};
    struct said said = {0};
    fhec_program *p;
    fhec_name n;
    assert_int_equal(assemble(source, &said, &p), FHEC_OK);
    size_t count = 0;
    for (; fhec_program_name(p, count); count++) { /* each once, in any order */
        unsigned found = 0;
        for (unsigned i = 0; i < 5; i++)
            found += strcmp(fhec_program_name(p, count), all[i]) == 0;
        assert_int_equal(found, 1);
    }
    assert_int_equal(count, 5);
    name_is(p, 0, 0, "whole", (fhec_name){.value = 7});
    name_is(p, 1, 1, "whole", (fhec_name){.value = 7});
    name_is(p, 0, 0, "turn", (fhec_name){.value = 1});
    name_is(p, 0, 1, "turn", (fhec_name){.value = 2});
    name_is(p, 0, 2, "turn", (fhec_name){.value = 2});
    name_is(p, 0, 0, "here", (fhec_name){.kind = FHEC_NAME_LABEL, .value = 0x20});
    name_is(
        p, 0, 2, "acc",
        (fhec_name){
            .kind = FHEC_NAME_REGISTERS, .file = FHEC_FILE_R, .first = 8, .low = 2, .count = 4});
    name_is(p, 1, 0, "acc",
            (fhec_name){.kind = FHEC_NAME_REGISTERS, .file = FHEC_FILE_UR, .first = 6, .count = 1});
    name_is(p, 1, 0, "further", (fhec_name){.value = 9});
    name_is(p, 2, 0, "turn", (fhec_name){.value = 3});
    name_is(p, 2, 1, "turn", (fhec_name){.value = 4});
    assert_false(fhec_kernel_name(p, 1, 0, "here", &n));
    assert_false(fhec_kernel_name(p, 0, 0, "nothing", &n));
    fhec_program_free(p);
}

/* Beside comments lexer and parser read what else is read straight from the text. */
static void decimals_beside_comments(void **state) {
    (void)state;
    expect_code(KERNEL("FADD R1, R2, -/* minus */15 ;\nFADD R1, R2, -/* */2.5 ;\n"
                       "IADD3 R1, R2, -/* */15, R3 ;\nEXIT ;\n"),
                "FADD R1, R2, -15\nFADD R1, R2, -2.5\nIADD3 R1, R2, -0xf, R3\nEXIT\n");
}

/* Offsets by hand: natural alignment, from 0x160. */
static void parameters_and_memory(void **state) {
    (void)state;
    fhec_program *program;
    struct said said = {0};
    static const char source[] = ".kernel k\n"
                                 ".param a, 1\n.param b, 8\n.param c1, 2\n.param d, 16\n"
                                 ".param e, 12\n.param f, 4, 64\n"
                                 ".shared s, 10\n.shared t, 100, 4\n.shared u, 16\n.local 40\n"
                                 "MOV R1, a ; MOV R1, b[4] ; MOV R1, c1 ; MOV R1, d + 8 ;\n"
                                 "IADD3 R1, R2, -e, RZ ; MOV R1, f ;\n"
                                 "MOV R1, s ; MOV R1, t ; LDS R1, [R2+u+4] ;\n"
                                 "EXIT ;\n.registers 40\n.end\n";
    assert_int_equal(assemble(source, &said, &program), FHEC_OK);
    fhec_kernel_info info;
    assert_int_equal(fhec_kernel_get(program, 0, &info), FHEC_OK);
    static const uint32_t offsets[] = {0, 8, 16, 32, 48, 64};
    assert_int_equal(info.param_count, 6);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(info.params[i].offset, offsets[i]);
    assert_int_equal(info.param_bytes, 68);
    assert_int_equal(info.words[6].lo >> 32, 0);   /* s */
    assert_int_equal(info.words[7].lo >> 32, 12);  /* t */
    assert_int_equal(info.words[8].lo >> 40, 116); /* u is at 112 */
    assert_int_equal(info.shared_bytes, 128);
    assert_int_equal(info.local_bytes, 40);
    assert_int_equal(info.registers, 40);
    fhec_program_free(program);
}

static void constants_of_file_and_kernel(void **state) {
    (void)state;
    expect_code(".constant one\n.byte 1, -1, 255\n.constant two, 16\n.short 2\n.align 8\n"
                ".dword -1, 1 << 40\n"
                ".kernel k\n"
                ".constant mine\n.word 7\n.zero 12\n.constant more\n.word 8\n"
                "MOV R1, one ; MOV R1, two ; MOV R1, two[4] ; MOV R2, mine ; MOV R2, more + 0 ;\n"
                "LDC R3, c[0x3][R4+0x10] ;\n"
                "EXIT ;\n.end\n",
                "MOV R1, c[0x3][0x0]\nMOV R1, c[0x3][0x10]\nMOV R1, c[0x3][0x14]\n"
                "MOV R2, c[0x2][0x0]\nMOV R2, c[0x2][0x10]\nLDC R3, c[0x3][R4+0x10]\nEXIT\n");
    fhec_program *program;
    assert_int_equal(assemble(".constant a\n.byte 1, 2\n.constant b\n.short 0x304\n"
                              ".kernel k\n EXIT ;\n.end\n",
                              NULL, &program),
                     FHEC_OK);
    assert_int_equal(program->kernels[0].bank_count, 1);
    assert_int_equal(program->kernels[0].banks[0].bank, 3);
    assert_int_equal(program->kernels[0].banks[0].size, 10);
    assert_memory_equal(program->kernels[0].banks[0].bytes, "\1\2\0\0\0\0\0\0\4\3", 10);
    fhec_program_free(program);
}

static void defines_come_first(void **state) {
    (void)state;
    static const char *const defines[] = {"N=0x10", "M=N*2"};
    struct said said = {0};
    fhec_program *program;
    assert_int_equal(assemble_with(".kernel k\n MOV R1, M ;\n.ifdef N\n EXIT ;\n.endif\n.end\n",
                                   NULL, defines, 2, &said, &program),
                     FHEC_OK);
    assert_int_equal(program->kernels[0].word_count, 2);
    assert_int_equal(program->kernels[0].words[0].lo >> 32, 0x20);
    /* The file that people see is theirs. */
    assert_string_equal(fhec_kernel_location(program, 0, 0).file, "t.sass");
    fhec_program_free(program);
}

static void register_counts(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t registers;
    } cases[] = {
        {"EXIT ;", 1},
        {"MOV R0, RZ ;", 1},
        {"MOV R7, R3 ;", 8},
        {"LDG.E.128 R8, [R2.64] ;", 12},
        {"LDG.E R1, desc[UR40][R20.64] ;", 22},
        {"LDG.E R1, [R20] ;", 22}, /* 64 bits by .E */
        {"LDG R1, [R20] ;", 21},
        {"STS.64 [R30.X4], R4 ;", 31},
        {"IMAD.WIDE R4, R5, R6, R30 ;", 32},
        {"LDC R1, c[0x0][R9] ;", 10},
        {"FHEC.16816.U32.U32.MIX R8, R16.ROW, R40.COL, R0, R48 ;", 52},
        {"STG.E [R2.64], R253 ;", 254},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char source[256];
        fhec_program *program;
        struct said said = {0};
        (void)snprintf(source, sizeof source, ".target sm_80, fhec\n.kernel k\n%s\nEXIT ;\n.end\n",
                       cases[i].text);
        if (assemble(source, &said, &program) != FHEC_OK)
            fail_msg("%s: %s", cases[i].text, said.d[0].message);
        if (program->kernels[0].registers != cases[i].registers)
            fail_msg("%s: %u registers, wanted %u", cases[i].text, program->kernels[0].registers,
                     cases[i].registers);
        fhec_program_free(program);
    }
}

/* The first example of docs/assembly.md, as it stands there. */
static void the_reference_tells_the_truth(void **state) {
    (void)state;
    FILE *file = fopen("docs/assembly.md", "r");
    if (!file)
        fail_msg("no docs/assembly.md: run this from the repository's root");
    char line[256], source[4096] = "";
    bool inside = false;
    while (fgets(line, sizeof line, file)) {
        inside |= strncmp(line, "    .target", 11) == 0;
        if (inside)
            (void)snprintf(source + strlen(source), sizeof source - strlen(source), "%s", line);
        if (strcmp(line, "    .end\n") == 0)
            break;
    }
    fclose(file);
    expect_code(source, "S2R R0, SR_TID.X\nMOV R4, c[0x0][0x160]\nMOV R5, c[0x0][0x164]\n"
                        "IMAD.WIDE.U32 R4, R0, 0x10, R4\nLDG.E.128 R8, [R4]\n"
                        "IMAD R8, R8, c[0x0][0x168], RZ\nIMAD R9, R9, c[0x0][0x168], RZ\n"
                        "IMAD R10, R10, c[0x0][0x168], RZ\nIMAD R11, R11, c[0x0][0x168], RZ\n"
                        "STG.E.128 [R4], R8\nEXIT\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_instruction_stands_for_itself),
        cmocka_unit_test(five_errors_in_one_run),
        cmocka_unit_test(bars_are_legal),
        cmocka_unit_test(a_feature_is_named),
        cmocka_unit_test(operands_in_all_shapes),
        cmocka_unit_test(the_control_prefix),
        cmocka_unit_test(a_base_register_by_itself),
        cmocka_unit_test(comments_and_layout),
        cmocka_unit_test(labels_lead_where_they_stand),
        cmocka_unit_test(expressions_are_those_of_c),
        cmocka_unit_test(names_and_ranges),
        cmocka_unit_test(names_are_kept),
        cmocka_unit_test(decimals_beside_comments),
        cmocka_unit_test(parameters_and_memory),
        cmocka_unit_test(constants_of_file_and_kernel),
        cmocka_unit_test(defines_come_first),
        cmocka_unit_test(register_counts),
        cmocka_unit_test(the_reference_tells_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
