/*
 * asm_operand_test.c - operands that are read straight from the text mean what the parser makes of
 * them: each source is assembled with blanks and with a comment behind the operand, which only
 * lexer and parser take. Words, diagnostics and their places must be the same.
 */
#include "asm_util.h"
#include "fhec.h"
#include "program.h"

/* What operands are made of, sound and unsound. */
static const char *const pieces[] = {
    "1",
    "0x1f",
    "STEP",
    "x",
    "acc[1]",
    "acc[STEP & 3]",
    "R4",
    "R4",
    "R4.reuse",
    "x.reuse",
    "acc[0].reuse",
    "RZ",
    "UR4",
    "P0",
    "PT",
    "R2.64",
    "c[0x0][0x160]",
    "c[0x0][p + 8]",
    "p",
    "[R2]",
    "[R2.64 + x",
    "]",
    "[",
    "desc[UR4][R2.64+0x10]",
    "label",
    "(",
    ")",
    "2",
    "SR_TID.X",
    "1e3",
    "1e-3",
    "INF",
    "1.5",
    "1b",
    "1f",
    "32@lo(label)",
    "`(label)",
    "R300",
    "0z1",
    "018",
    "\"s\"",
    ".x",
    "c",
    "c[",
    "desc",
    "acc[9]",
    "acc[-1]",
    "x[1]",
    "|R4|",
    "-",
    "!",
    "~",
    "+",
    "-",
    "*",
    "/",
    "%",
    "&",
    "^",
    "<<",
    ">>",
    "|",
    "&&",
    "<=",
    "==",
    "?",
    ":",
    "{1,2}",
    "0x10 - 0x8",
    "3 * STEP",
    "0xffffffff",
    "0x8000000000000000",
    "-0x8",
    "@srel",
    ".reuse",
    ".H1_H1",
    ",",
    "\t",
    "99999999999999999999",
    "1 << 40",
    "7 / 0",
    "$",
    "#",
};
enum { PIECES = sizeof pieces / sizeof *pieces };

static const char head[] = ".target sm_80, fhec\n.kernel K\n.param p, 16\n.reg acc[0:3] = R4\n"
                           ".reg x = R10\n.equ STEP, 0x40\n1:\nlabel:\n";
/* The operand, and what is behind it. */
static const char *const statements[] = {
    "    IADD3 R1, %s%s, RZ, RZ ;\n",
    "    IADD3 R1, R2, RZ, %s%s ;\n",
    "    IADD3 %s%s, R1, R2, RZ ;\n",
    "    LDG.E R4, %s%s ;\n",
    "    MOV R1, %s%s ;\n",
    "    STG.E [R2.64 + %s]%s, R4 ;\n",
    "    LDG.E R4, [%s]%s ;\n",
    "    FADD R1, R2, %s%s ;\n",
    "    MOV R1, acc[%s]%s ;\n",
    "    MOV R1, c[0x0][%s]%s ;\n",
    "    ISETP.GE.AND %s%s, PT, R1, R2, PT ;\n",
    "    @P0 IADD3 R1, %s%s, R3, RZ ;\n",
    ".equ E, %s%s\n",
    ".if %s%s\n.endif\n",
    "    BRA %s%s ;\n",
    "    IADD3 R1, R2, (%s)%s, RZ ;\n",
    "    S2R R1, %s%s ;\n",
};
enum { STATEMENTS = sizeof statements / sizeof *statements };

static void assemble_one(const char *statement, const char *operand, const char *behind,
                         struct said *said, fhec_program **program) {
    char line[512], text[1024];
    (void)snprintf(line, sizeof line, statement, operand, behind);
    (void)snprintf(text, sizeof text, "%s%s    EXIT ;\n.end\n", head, line);
    memset(said, 0, sizeof *said);
    (void)assemble(text, said, program);
}

/* Whether a diagnostic is the same but for the line that it shows. */
static bool same_said(const struct said_one *a, const struct said_one *b) {
    return strcmp(a->id, b->id) == 0 && strcmp(a->message, b->message) == 0 &&
           strcmp(a->notes, b->notes) == 0 && a->severity == b->severity && a->line == b->line &&
           a->column == b->column && a->length == b->length;
}

static bool same(const struct said said[2], fhec_program *const programs[2]) {
    if (said[0].count != said[1].count || !programs[0] != !programs[1])
        return false;
    for (size_t i = 0; i < said[0].count; i++)
        if (!same_said(&said[0].d[i], &said[1].d[i]))
            return false;
    if (!programs[0])
        return true;
    const struct fh_kernel *a = &programs[0]->kernels[0], *b = &programs[1]->kernels[0];
    return a->word_count == b->word_count &&
           memcmp(a->words, b->words, a->word_count * sizeof *a->words) == 0;
}

/* Counts operands that are sound in *sound. */
static void compare(const char *statement, const char *operand, unsigned *sound) {
    static struct said said[2];
    fhec_program *programs[2];
    if (strstr(operand, "/*") || strstr(operand, "(*")) /* which would be in that comment */
        return;
    assemble_one(statement, operand, "     ", &said[0], &programs[0]);
    assemble_one(statement, operand, " /**/", &said[1], &programs[1]);
    if (!same(said, programs))
        fail_msg("%s with %s: %s and, by the parser, %s", statement, operand,
                 said[0].count ? said[0].d[0].message : "nothing said",
                 said[1].count ? said[1].d[0].message : "nothing said");
    *sound += programs[0] != NULL;
    fhec_program_free(programs[0]);
    fhec_program_free(programs[1]);
}

/* Every piece, and every two, as an operand of every statement. */
static void test_pieces(void **state) {
    unsigned sound = 0;
    (void)state;
    for (size_t i = 0; i < PIECES; i++) {
        compare(statements[i % STATEMENTS], pieces[i], &sound);
        for (size_t k = 0; k < STATEMENTS; k++)
            compare(statements[k], pieces[i], &sound);
        for (size_t k = 0; k < PIECES; k++) {
            char operand[128];
            (void)snprintf(operand, sizeof operand, "%s%s%s", pieces[i], k & 1 ? " " : "",
                           pieces[k]);
            compare(statements[(i + k) % STATEMENTS], operand, &sound);
        }
    }
    assert_true(sound > 200);
}

/* Up to seven pieces in a row, with operators between most. */
static void test_rows(void **state) {
    static const char *const operators[] = {" + ", "-", " * ",  "/",  " % ",
                                            "&",   "^", " << ", ">>", "|"};
    unsigned sound = 0;
    uint64_t seed = 20261123;
    (void)state;
    for (unsigned n = 0; n < 12000; n++) {
        char operand[200] = "";
        size_t used = 0;
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uint64_t draw = seed >> 20;
        const char *statement = statements[draw % STATEMENTS];
        for (unsigned i = 0; i < 1 + n % 4 && used < 150; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            draw = seed >> 20;
            const char *between = i == 0 ? "" : draw % 8 == 0 ? " " : operators[draw / 8 % 10];
            used += (size_t)snprintf(operand + used, sizeof operand - used, "%s%s", between,
                                     draw / 1024 % 3 ? pieces[draw / 4096 % 6]
                                                     : pieces[draw / 4096 % PIECES]);
        }
        compare(statement, operand, &sound);
    }
    assert_true(sound > 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
