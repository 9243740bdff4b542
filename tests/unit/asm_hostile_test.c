/*
 * asm_hostile_test.c - sources that nobody writes on purpose: random bytes, tokens in any order,
 * damaged programs, very large files. Each ends with a status and diagnostics that hold together,
 * in time; the sanitizer's run sees the rest. A failure names seed and iteration.
 */
#include "asm_util.h"
#include "fuzz.h"

#include <inttypes.h>

enum { SEED = 4711 };

static uint64_t next(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static fhec_status run(const char *what, uint64_t iteration, const char *text, size_t length) {
    char shown[FUZZ_SHOWN] = "";
    fhec_program *program;
    fhec_status status;
    const char *wrong = fuzz_assemble(text, length, &status, &program, shown);
    fhec_program_free(program);
    if (wrong) {
        print_message("%.*s\n", length < 2000 ? (int)length : 2000, text);
        fail_msg("%s, seed %d, iteration %" PRIu64 ": status %d: %s %s", what, SEED, iteration,
                 (int)status, wrong, shown);
    }
    return status;
}

static void random_bytes(void **state) {
    (void)state;
    char text[1500];
    uint64_t random = SEED;
    for (unsigned i = 0; i < 2000; i++) {
        size_t length = next(&random) % sizeof text;
        unsigned range = i % 3 == 0 ? 256 : i % 3 == 1 ? 128 : 64;
        for (size_t k = 0; k < length; k++)
            text[k] = (char)(range == 64 ? 32 + next(&random) % 90 : next(&random) % range);
        (void)run("random bytes", i, text, length);
    }
}

static const char *const fragments[] = {
    "MOV",
    "IADD3",
    "IMAD.WIDE",
    "LDG.E",
    "STS.64",
    "BRA",
    "EXIT",
    "FHEC.16816.U32.U32",
    "S2R",
    "ISETP.GE.AND",
    "BSSY",
    " R1",
    " R254",
    " RZ",
    " R2.64",
    " R3.reuse",
    " UR4",
    " URZ",
    " P0",
    " !PT",
    " UP1",
    " B3",
    "@P0 ",
    "@!UP0 ",
    " c[0x0][0x160]",
    " c[0x3][R4+8]",
    " desc[UR4][R2.64]",
    " [R2.64+0x10]",
    " [R1.X4+UR2+-4]",
    " SR_TID.X",
    " name",
    " .L_x_0",
    " `(.L_x_0)",
    " 1f",
    "1:",
    "name:",
    ".L_x_0:",
    "[B------:R-:W0:-:S01] ",
    " 0x10",
    " -1",
    " 0xffffffffffffffff",
    " 1/0",
    ",",
    ",",
    ",",
    ",",
    ";",
    ";\n",
    ";\n",
    ";\n",
    "\n",
    "\n",
    "(",
    ")",
    "[",
    "]",
    "|",
    "?",
    ":",
    "+",
    "-",
    "*",
    "<<",
    "&&",
    "~",
    "!",
    "=",
    " \"text\"",
    " \"open",
    "/* a */",
    "/*",
    "// b\n",
    "# c\n",
    "(* d *)",
    "\\x",
    "\\@",
    "\\()",
    ".kernel",
    " k",
    " l",
    "\n.end\n",
    ".target sm_80, fhec\n",
    ".param p, 8\n",
    ".shared s, 64\n",
    ".reg r[0:3] = R8\n",
    " r[2]",
    " p[4]",
    ".equ e, 5\n",
    ".set e, e+1\n",
    " e",
    ".macro M a, b=1\n",
    " \\a",
    " \\b",
    "\n.endm\n",
    "\nM R1\n",
    "M",
    ".rept 3, i\n",
    " \\i",
    "\n.endr\n",
    ".irp x, 1, 2\n",
    " \\x",
    ".if e\n",
    ".if 0\n",
    "\n.else\n",
    "\n.elseif 1\n",
    "\n.endif\n",
    ".ifdef e\n",
    ".include \"odd\"\n",
    ".include \"none\"\n",
    ".constant d\n",
    ".word 1, 2\n",
    ".zero 8\n",
    ".align 16\n",
    ".error \"e\"\n",
    ".warning \"w\"\n",
    ".test t\n",
    ".registers 20\n",
    ".local 8\n",
    "\r\n",
    "\t",
    "\v",
};

static void tokens_in_any_order(void **state) {
    (void)state;
    enum { FRAGMENTS = sizeof fragments / sizeof *fragments };
    static char text[1 << 15];
    uint64_t random = SEED + 1;
    unsigned good = 0;
    for (unsigned i = 0; i < 4000; i++) {
        size_t length = 0;
        unsigned count = 1 + (unsigned)(next(&random) % 200);
        if (i % 2)
            length = (size_t)snprintf(text, sizeof text, ".kernel k0\n");
        for (unsigned k = 0; k < count && length < sizeof text - 64; k++)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s",
                                       fragments[next(&random) % FRAGMENTS]);
        if (i % 2)
            length += (size_t)snprintf(text + length, sizeof text - length, "\nEXIT ;\n.end\n");
        good += run("tokens", i, text, length) == FHEC_OK;
    }
    print_message("# %u of 4000 were programs\n", good);
}

static const char program[] =
    ".target sm_80, fhec\n.equ N, 4\n.macro STEP d, s, n=N\n  IADD3 \\d, P0, \\s, \\n, RZ ;\n"
    "l\\@: @P0 BRA l\\@ ;\n.endm\n.kernel first\n.param out, 8\n.param n, 4\n.shared s, 64\n"
    ".reg acc[0:3] = R8\n  MOV R1, c[0x0][0x28] ; /* stack */\n  MOV R2, out ; MOV R3, out[4] ;\n"
    ".rept N, i\n  STEP acc[\\i], R\\i\n.endr\n.if N > 3\n  LDG.E.128 R12, desc[UR4][R2.64+0x10] "
    ";\n"
    ".else\n  junk\n.endif\ntop: ISETP.GE.U32.AND P0, PT, R4, n, PT ;\n  @!P0 BRA top ;\n"
    "  FHEC.16816.U32.U32 R8, R0.ROW, R4.reuse.COL, R8, UR4 ;\n  STS.64 [R3.X8+s], R4 ;\n"
    ".irp r, R1, R2\n  MOV \\r, -1 ;\n.endr\n1: BRA 1b ;\n  EXIT ;\n.end\n"
    ".constant t\n.word 1, 2, 3\n.kernel second\n  MOV R0, t[4] ;\n  EXIT ;\n.end\n";

static void damaged_programs(void **state) {
    (void)state;
    static const char odd[] = "\n\n\r\t ;;,[](){}<>.@!~|&\\\"'#/*0xRUPB_19\0\x80\xff";
    char text[sizeof program + 64];
    uint64_t random = SEED + 2;
    assert_int_equal(run("the program itself", 0, program, sizeof program - 1), FHEC_OK);
    for (unsigned i = 0; i < 6000; i++) {
        size_t length = sizeof program - 1;
        memcpy(text, program, length);
        for (unsigned c = 1 + i % 4; c > 0; c--) {
            size_t at = next(&random) % length, n = next(&random) % 8;
            switch (next(&random) % 4) {
            case 0: text[at] = odd[next(&random) % sizeof odd]; break;
            case 1: /* leave out */
                if (n < length - at) {
                    memmove(text + at, text + at + n, length - at - n);
                    length -= n;
                }
                break;
            case 2: /* say twice */
                if (length + n < sizeof text && at + n < length) {
                    memmove(text + at + n, text + at, length - at);
                    length += n;
                }
                break;
            default: /* break off, now and then */
                if (next(&random) % 8 == 0)
                    length = at + 1;
            }
        }
        (void)run("damage", i, text, length);
    }
}

static void small_oddities(void **state) {
    (void)state;
    static const struct {
        const char *text;
        const char *id; /* of the first diagnostic */
    } cases[] = {
        {"", "E058"},
        {"\n", "E058"},
        {"\r", "E058"},
        {";;;", "E058"},
        {"/* */", "E058"},
        {"// no end", "E058"},
        {"/*", "E002"},
        {"(*", "E002"},
        {"\"", "E003"},
        {".", "E001"},
        {"@", "E005"},
        {"[", "E005"},
        {"[x", "E005"},
        {":", "E005"},
        {"a:", "E035"},
        {"\\", "E075"},
        {".macro", "E082"},
        {".macro M", "E071"},
        {".macro M\n.endm", "E058"},
        {".rept 2", "E071"},
        {".if 1", "E071"},
        {".if 0", "E071"},
        {".if", "E051"},
        {".endm", "E072"},
        {".kernel", "E051"},
        {".kernel k", "E055"},
        {".kernel k\nEXIT ;\n.end", NULL},
        {"\xef\xbb\xbf.kernel k\nEXIT;.end", NULL},
        {".irp", "E051"},
        {".include", "E051"},
        {".reg", "E051"},
        {".test", "E051"},
        {".kernel k\nMOV R1, c[", "E005"},
        {".kernel k\n@P0", "E005"},
        {".kernel k\nMOV R1, 0x ;\nEXIT ;\n.end", "E004"},
        {".macro M a\n\\a\n.endm\nM /*\n", "E002"},
        {".equ x", "E051"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct said said = {0};
        fhec_assemble_options options = {.diagnostic = hear, .user = &said};
        fhec_program *made;
        (void)run(cases[i].text, i, cases[i].text, strlen(cases[i].text));
        (void)fhec_assemble("s", cases[i].text, strlen(cases[i].text), &options, &made);
        fhec_program_free(made);
        const char *id = said.count ? said.d[0].id : NULL;
        if ((id == NULL) != (cases[i].id == NULL) || (id && strcmp(id, cases[i].id) != 0))
            fail_msg("\"%s\": %s, wanted %s", cases[i].text, id ? id : "nothing",
                     cases[i].id ? cases[i].id : "nothing");
    }
    (void)run("NULs", 0, "\0\0\0\0\n\0", 6);
}

/* Megabytes of one thing after another: ten of the first ones. */
static void large_files(void **state) {
    (void)state;
    enum { SIZE = 10 << 20, SMALLER = 1 << 20, FIRST = 6 };
    static const char *const units[] = {
        "NOP ;\n",   "a",          "[",           "x y z\n",     "\x00\x01", "\n",      ";",
        "(",         "\"",         "/*",          "*/",          "/*\n*/",   "-",       "@",
        ".",         "\\",         "R1,",         "1:",          "a: ",      ".if 1\n", ".if 0\n",
        ".rept 2\n", ".macro M\n", ".kernel k\n", ".equ a, 1\n", "\x80\xc3", "0",       "c[0][",
        ".word 1\n", "# \n",       "M \\@\n",     ".test x\n",
    };
    char *text = malloc(SIZE + 64);
    assert_non_null(text);
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        size_t n = strlen(units[u]) ? strlen(units[u]) : 2;
        size_t size = u < FIRST ? SIZE : SMALLER;
        for (size_t at = 0; at < size; at += n)
            memcpy(text + at, units[u], n);
        (void)run(units[u], u, text, size);
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_bytes),     cmocka_unit_test(tokens_in_any_order),
        cmocka_unit_test(damaged_programs), cmocka_unit_test(small_oddities),
        cmocka_unit_test(large_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
