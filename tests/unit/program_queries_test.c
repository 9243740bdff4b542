/*
 * program_queries_test.c - what a program tells of itself: the names of its source at each
 * instruction, instructions that cannot run, where control goes, its code space, expansions.
 */
#include "asm_util.h"

#include "fhec_call.h"
#include "fhec_names.h"
#include "fhec_session.h"
#include "program.h"

static fhec_program *program_of(const char *text) {
    static struct said said;
    fhec_program *p;
    said.count = 0;
    const fhec_status status = assemble(text, &said, &p);
    if (status != FHEC_OK)
        fail_msg("%s %s", said.d[0].id, said.d[0].message);
    return p;
}

/* ---------------------------------------------------------------- names */

static const char named[] = ".equ ALL, 5\n"
                            ".set count, 1\n"
                            ".reg out = R9\n"
                            ".kernel first\n"
                            ".reg acc[2:5] = R8\n"
                            "a: NOP ;\n"
                            ".set count, 2\n"
                            "  NOP ;\n"
                            ".set count, 3\n"
                            ".set count, 0xffffffffffffffff\n"
                            "b: NOP ;\n"
                            "  EXIT ;\n"
                            ".end\n"
                            ".kernel second\n"
                            ".reg acc = UR4\n"
                            ".reg p = P3\n.reg up = UP2\n"
                            ".set count, -4\n"
                            "  NOP ;\n"
                            "b: EXIT ;\n"
                            ".end\n"
                            ".function f\n"
                            ".reg mine[0:1] = R2\n"
                            "  NOP ;\n"
                            "cc: RET.ABS.NODEC R20 0x0 ;\n"
                            ".end\n"
                            ".set count, 9\n"
                            ".kernel third\n"
                            "  EXIT ;\n"
                            ".end\n";

/* "number 5", "large -1", "R8+4 from 2", "label 16"; "none". */
static void meaning(const fhec_program *p, size_t kernel, uint32_t word, const char *name,
                    const char *wanted) {
    static const char *const files[] = {
        [FHEC_FILE_R] = "R", [FHEC_FILE_UR] = "UR", [FHEC_FILE_P] = "P", [FHEC_FILE_UP] = "UP"};
    char got[64] = "none";
    fhec_name n;
    if (fhec_kernel_name(p, kernel, word, name, &n)) {
        if (n.kind == FHEC_NAME_REGISTERS) {
            assert_int_equal(n.value, 0);
            (void)snprintf(got, sizeof got, "%s%u+%u from %u", files[n.file], n.first, n.count,
                           n.low);
        } else {
            assert_true(n.first == 0 && n.low == 0);
            (void)snprintf(got, sizeof got, "%s %lld",
                           n.kind == FHEC_NAME_LABEL ? "label"
                           : n.large                 ? "large"
                                                     : "number",
                           (long long)n.value);
        }
    }
    if (strcmp(got, wanted) != 0)
        fail_msg("%s at word %u of kernel %zu: %s, not %s", name, word, kernel, got, wanted);
}

static void names(void **state) {
    (void)state;
    fhec_program *p = program_of(named);
    const uint32_t function = p->functions[0].first;
    for (size_t kernel = 0; kernel < 3; kernel++) {
        meaning(p, kernel, 0, "ALL", "number 5");
        meaning(p, kernel, 0, "out", "R9+1 from 0");
        meaning(p, kernel, 0, "nothing", "none");
        meaning(p, kernel, function, "mine", "R2+2 from 0");
        meaning(p, kernel, function + 1, "cc", "label 16");
        meaning(p, kernel, function, "count", "number -4");
    }
    meaning(p, 0, 0, "count", "number 1");
    meaning(p, 0, 1, "count", "number 2");
    meaning(p, 0, 2, "count", "large -1");
    meaning(p, 0, 3, "count", "large -1");
    meaning(p, 1, 0, "count", "number -4");
    meaning(p, 1, 1, "count", "number -4");
    meaning(p, 2, 0, "count", "number 9");
    for (uint32_t word = 0; word < 4; word++) {
        meaning(p, 0, word, "acc", "R8+4 from 2");
        meaning(p, 0, word, "a", "label 0");
        meaning(p, 0, word, "b", "label 32"); /* before it, too */
        meaning(p, 0, word, "p", "none");
        meaning(p, 0, word, "cc", "none");
    }
    meaning(p, 1, 0, "acc", "UR4+1 from 0");
    meaning(p, 1, 0, "p", "P3+1 from 0");
    meaning(p, 1, 0, "up", "UP2+1 from 0");
    meaning(p, 1, 0, "b", "label 16");
    meaning(p, 1, 0, "a", "none");
    meaning(p, 2, 0, "acc", "none");
    meaning(p, 2, 0, "b", "none");
    static const char *const all[] = {"ALL", "count", "out", "acc",  "a",
                                      "b",   "p",     "up",  "mine", "cc"};
    size_t count = 0;
    while (fhec_program_name(p, count))
        count++;
    assert_int_equal(count, sizeof all / sizeof *all);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(fhec_program_name(p, i), all[i]);
    fhec_program_free(p);
}

/* ---------------------------------------------------------------- what cannot run */

static void told_by_check(const fhec_program *p, size_t kernel, const char *wanted) {
    static struct said said;
    char got[2048] = "";
    said.count = 0;
    const fhec_status status = fhec_kernel_check(p, kernel, hear, &said);
    for (size_t i = 0; i < said.count; i++)
        (void)snprintf(got + strlen(got), sizeof got - strlen(got), "%s %u:%u %s\n%s", said.d[i].id,
                       said.d[i].line, said.d[i].column, said.d[i].message, said.d[i].chain);
    assert_string_equal(got, wanted);
    assert_int_equal(status, *wanted ? FHEC_BAD_INPUT : FHEC_OK);
    assert_int_equal(fhec_kernel_check(p, kernel, NULL, NULL), status);
}

static void unrunnable(void **state) {
    (void)state;
    static const char text[] = ".target sm_86\n"
                               ".kernel fine\n  EXIT ;\n.end\n"
                               ".kernel k\n"
                               "  .inst 0x123, 0x456 ;\n"
                               "  NOP ;\n"
                               ".rept 1\n  .inst 0x123, 0x457\n.endr\n"
                               "  EXIT ;\n"
                               ".end\n";
    fhec_program *p = program_of(text);
    told_by_check(p, 0, "");
    told_by_check(p, 1,
                  "O103 6:3 kernel k, address 0x0: 0x00000000000004560000000000000123 is no "
                  "instruction that fhec knows\n"
                  "O103 9:3 kernel k, address 0x20: 0x00000000000004570000000000000123 is no "
                  "instruction that fhec knows\n"
                  "iteration 1 of .rept at t.sass:8:1\n");
    assert_int_equal(fhec_kernel_check(p, 2, hear, NULL), FHEC_BAD_INPUT);
    fhec_program_free(p);
    p = program_of(".target sm_86\n.kernel fine\n  I2FP.F32.U32 R1, R2 ;\n  EXIT ;\n.end\n"
                   ".function f\n  NOP ;\n  .inst 0x123, 0x456\n  RET.ABS.NODEC R20 0x0 ;\n.end\n"
                   ".function g\n  RET.ABS.NODEC R20 0x0 ;\n  .inst 0x124, 0x456\n.end\n");
    told_by_check(p, 0,
                  "O103 8:3 kernel fine, function f, address 0x10: "
                  "0x00000000000004560000000000000123 is no instruction that fhec knows\n"
                  "O103 13:3 kernel fine, function g, address 0x10: "
                  "0x00000000000004560000000000000124 is no instruction that fhec knows\n");
    p->machine = fhec_target_limits("sm_80"); /* as if the object said so */
    static struct said said;
    said.count = 0;
    assert_int_equal(fhec_kernel_check(p, 0, hear, &said), FHEC_BAD_INPUT);
    assert_int_equal(said.count, 3);
    assert_string_equal(said.d[0].message, "kernel fine, address 0x0: I2FP.F32.U32 R1, R2: sm_80 "
                                           "has no such instruction, sm_86 has");
    fhec_program_free(p);
}

/* ---------------------------------------------------------------- where control goes */

static void goes(const char *text, uint64_t pc, const char *wanted) {
    char got[80] = "";
    fhec_control c;
    fhec_word word;
    assert_int_equal(fhec_assemble_word(text, pc, NULL, NULL, &word), FHEC_OK);
    assert_int_equal(fhec_control_get(word, pc, &c), FHEC_OK);
    (void)snprintf(got, sizeof got, "%s%s%s%s", c.falls ? " falls" : "", c.calls ? " calls" : "",
                   c.returns ? " returns" : "", c.indirect ? " indirect" : "");
    if (c.target != FHEC_NO_TARGET)
        (void)snprintf(got + strlen(got), sizeof got - strlen(got), " to 0x%llx",
                       (unsigned long long)c.target);
    if (strcmp(got, wanted) != 0)
        fail_msg("%s:%s, not%s", text, got, wanted);
}

static void control(void **state) {
    (void)state;
    goes("IADD3 R1, R2, R3, RZ", 0x40, " falls");
    goes("BRA 0x100", 0x40, " to 0x100");
    goes("BRA 0x0", 0x40, " to 0x0");
    goes("BRA 0x40", 0x40, " to 0x40");
    goes("@P0 BRA 0x50", 0x40, " falls to 0x50");
    goes("@!PT BRA 0x50", 0x40, " falls to 0x50");
    goes("BRA P1, 0x50", 0x40, " falls to 0x50");
    goes("BRA !PT, 0x50", 0x40, " falls to 0x50");
    goes("BSSY B0, 0x100", 0x40, " falls");
    goes("BSYNC B0", 0x40, " falls");
    goes("EXIT", 0x40, "");
    goes("@P2 EXIT", 0x40, " falls");
    goes("RET.REL.NODEC R20 0x0", 0x40, " returns");
    goes("@P0 RET.ABS.NODEC R20 0x0", 0x40, " falls returns");
    goes("BRX R4 0x0", 0x40, " indirect");
    goes("@P1 BRX R4 0x0", 0x40, " falls indirect");
    goes("CALL.REL.NOINC 0x200", 0x40, " calls to 0x200");
    goes("@P0 CALL.REL.NOINC 0x200", 0x40, " falls calls to 0x200");
    goes("CALL.ABS.NOINC 0x123450", 0x40, " calls to 0x123450");
    goes("CALL.ABS.NOINC R4 0x0", 0x40, " calls");
    fhec_control c;
    assert_int_equal(fhec_control_get((fhec_word){0x123, 0x456}, 0, &c), FHEC_BAD_INPUT);
    assert_int_equal(c.target, FHEC_NO_TARGET);
    assert_false(c.falls);
    fhec_word word;
    assert_int_equal(fhec_assemble_word("EXIT", 0, NULL, NULL, &word), FHEC_OK);
    assert_int_equal(fhec_control_get(word, UINT64_C(16) * UINT32_MAX, &c), FHEC_BAD_INPUT);
    assert_int_equal(fhec_control_get(word, UINT64_C(16) * (UINT32_MAX - 1), &c), FHEC_OK);
}

/* ---------------------------------------------------------------- the code space */

/* Functions begin at multiples of 8 words behind the longest kernel. */
static void code_space(void **state) {
    (void)state;
    fhec_program *p = program_of(".kernel a\n.rept 9\nNOP ;\n.endr\nEXIT ;\n.end\n"
                                 ".kernel b\n.local 16\nEXIT ;\n.end\n"
                                 ".function f\n.local 8\n.rept 7\nMOV R40, R40 ;\n.endr\n"
                                 "RET.ABS.NODEC R20 0x0 ;\n.end\n"
                                 ".function g\nRET.ABS.NODEC R20 0x0 ;\n.end\n"
                                 ".extern vprintf\n.extern malloc\n");
    assert_int_equal(p->functions[0].first, 16);
    assert_int_equal(p->functions[1].first, 24);
    assert_int_equal(fh_code_span(p, 0), 25);
    assert_int_equal(fh_code_span(p, 1), 25);
    fhec_word words[26];
    memset(words, 0x5a, sizeof words);
    fh_code_copy(p, 1, words);
    for (uint32_t w = 0; w < 26; w++) {
        const struct fh_function *f = w < 16   ? NULL
                                      : w < 24 ? &p->functions[0]
                                      : w < 25 ? &p->functions[1]
                                               : NULL;
        assert_ptr_equal(fh_code_function(p, w), f);
        const fhec_word zero = {0, 0},
                        untouched = {UINT64_C(0x5a5a5a5a5a5a5a5a), UINT64_C(0x5a5a5a5a5a5a5a5a)};
        const fhec_word *wanted = w == 0    ? &p->kernels[1].words[0]
                                  : w == 25 ? &untouched
                                  : f       ? &f->words[w - f->first]
                                            : &zero;
        assert_memory_equal(&words[w], wanted, sizeof *words);
        assert_int_equal(fhec_kernel_location(p, 1, w).line != 0, w == 0 || f);
    }
    assert_int_equal(p->kernels[0].registers, 41); /* of f */
    assert_int_equal(p->kernels[1].registers, 41);
    assert_int_equal(p->kernels[0].local_bytes, FH_STACK_UNKNOWN);
    assert_int_equal(p->kernels[1].local_bytes, FH_STACK_UNKNOWN);
    assert_true(p->kernels[0].stack_unknown);
    assert_null(fh_code_external(p, FH_EXTERNAL_CODE - 16));
    assert_string_equal(fh_code_external(p, FH_EXTERNAL_CODE), "vprintf");
    assert_string_equal(fh_code_external(p, FH_EXTERNAL_CODE + 16), "malloc");
    assert_null(fh_code_external(p, FH_EXTERNAL_CODE + 32));
    assert_string_equal(fhec_program_external(p, 1), "malloc");
    assert_null(fhec_program_external(p, 2));
    assert_null(fhec_kernel_location(p, 2, 0).file);
    fhec_program_free(p);
}

static void bounds_of_blocks(void **state) {
    (void)state;
    static const uint32_t all[][6] = {
        {128, 1, 1, 128, 1, 1},      {1024, 1, 1, 1024, 1, 1},  {32, 32, 1, 32, 32, 1},
        {1025, 1, 1, 0, 0, 0},       {512, 2, 2, 0, 0, 0},      {0, 1, 1, 0, 0, 0},
        {1, 0, 1, 0, 0, 0},          {1, 1, 0, 0, 0, 0},        {1, 1, 1024, 1, 1, 1024},
        {1, 1, 0xffffffff, 0, 0, 0}, {65536, 65536, 1, 0, 0, 0}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        uint32_t to[3] = {7, 7, 7};
        fh_max_threads(to, all[i]);
        assert_memory_equal(to, &all[i][3], sizeof to);
    }
}

static void variables(void **state) {
    (void)state;
    fhec_program *p = program_of(".kernel k\nEXIT ;\n.end\n.section .nv.global\na: .zero 8\n"
                                 "b: .zero 12\n.section .nv.constant4\nd: .word 5\n");
    static const fhec_variable_info all[] = {{"a", 8, false}, {"b", 12, false}, {"d", 4, true}};
    fhec_variable_info info;
    size_t index;
    assert_int_equal(fhec_variable_count(p), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(fhec_variable_get(p, i, &info), FHEC_OK);
        assert_string_equal(info.name, all[i].name);
        assert_int_equal(info.bytes, all[i].bytes);
        assert_int_equal(info.constant, all[i].constant);
        assert_int_equal(fhec_variable_find(p, all[i].name, &index), FHEC_OK);
        assert_int_equal(index, i);
    }
    assert_int_equal(fhec_variable_get(p, 3, &info), FHEC_BAD_INPUT);
    assert_null(info.name);
    index = 7;
    assert_int_equal(fhec_variable_find(p, "e", &index), FHEC_BAD_INPUT);
    assert_int_equal(index, 0);
    fhec_program_free(p);
}

/* Of shared memory first, then by relocations: in the code, in functions, in banks. */
static void uses(void **state) {
    (void)state;
    static const char text[] = ".kernel other\nMOV R2, 32@lo(w) ;\nEXIT ;\n.end\n"
                               ".kernel k\n.shared s, 8\n.shared t, 24, 8\nNOP ;\n"
                               "MOV R1, t + 4 ;\nMOV R2, 32@lo(v) ;\nMOV R3, 5 ;\nEXIT ;\n.end\n"
                               ".function f\nNOP ;\nMOV R2, 32@hi(w) ;\n"
                               "RET.ABS.NODEC R20 0x0 ;\n.end\n"
                               ".section .nv.global\nv: .zero 8\nw: .zero 8\n"
                               ".section .nv.constant4\ntable: .dword k, w\n";
    static const fhec_variable_use wanted[] = {
        {.shared = true, .in_code = true, .word = 1, .variable = 1},
        {.in_code = true, .word = 2, .variable = 0},
        {.in_code = true, .word = 9, .variable = 1}, /* f begins at word 8 */
        {.bank = 4, .offset = 8, .variable = 1}};
    fhec_program *p = program_of(text);
    fhec_variable_use got[5];
    fhec_shared_info shared;
    size_t index;
    memset(got, 0x5a, sizeof got);
    assert_int_equal(fhec_kernel_variable_uses(p, 1, got, 5), 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(got[i].shared, wanted[i].shared);
        assert_int_equal(got[i].in_code, wanted[i].in_code);
        assert_int_equal(got[i].word, wanted[i].word);
        assert_int_equal(got[i].bank, wanted[i].bank);
        assert_int_equal(got[i].offset, wanted[i].offset);
        assert_int_equal(got[i].variable, wanted[i].variable);
    }
    got[2].word = 77;
    assert_int_equal(fhec_kernel_variable_uses(p, 1, got, 2), 4);
    assert_int_equal(got[2].word, 77);
    assert_int_equal(fhec_kernel_variable_uses(p, 0, got, 5), 3);
    assert_int_equal(got[0].word, 0);
    assert_true(fhec_kernel_shared(p, 1, 1, &shared));
    assert_string_equal(shared.name, "t");
    assert_int_equal(shared.offset, 8);
    assert_int_equal(shared.bytes, 24);
    assert_false(fhec_kernel_shared(p, 1, 2, &shared));
    assert_false(fhec_kernel_shared(p, 0, 0, &shared));
    assert_false(fhec_kernel_shared(p, 2, 0, &shared));
    assert_int_equal(fhec_kernel_find(p, "k", &index), FHEC_OK);
    assert_int_equal(index, 1);
    assert_int_equal(fhec_kernel_find(p, "f", &index), FHEC_BAD_INPUT);
    assert_int_equal(index, 0);
    assert_int_equal(fhec_kernel_count(p), 2);
    assert_int_equal(fhec_function_count(p), 1);
    fhec_function_info f;
    fhec_kernel_info k;
    assert_int_equal(fhec_function_get(p, 0, &f), FHEC_OK);
    assert_string_equal(f.name, "f");
    assert_int_equal(f.word_count, 3);
    assert_int_equal(f.pc, 128);
    assert_int_equal(fhec_function_get(p, 1, &f), FHEC_BAD_INPUT);
    assert_null(f.name);
    assert_int_equal(fhec_kernel_get(p, 2, &k), FHEC_BAD_INPUT);
    assert_null(k.name);
    fhec_program_free(p);
}

/* The innermost step first; as many as there is room for. */
static void expansions(void **state) {
    (void)state;
    static const struct memory_file files[] = {{"inc", "M 5\n"}, {NULL, NULL}};
    static const char text[] = ".macro M x\n.irp y, 1, 2\nMOV R\\y, \\x ;\n.endr\n.endm\n"
                               ".kernel k\nNOP ;\n.rept 2\n.include \"inc\"\n.endr\nEXIT ;\n.end\n";
    static struct said said;
    fhec_program *p;
    fhec_expansion e[4];
    char got[200];
    assert_int_equal(assemble_with(text, files, NULL, 0, &said, &p), FHEC_OK);
    assert_int_equal(fhec_kernel_expansions(p, 0, 0, e, 4), 0);
    assert_int_equal(fhec_kernel_expansions(p, 0, 5, e, 4), 0);
    assert_int_equal(fhec_kernel_expansions(p, 0, 6, e, 4), 0);
    assert_int_equal(fhec_kernel_expansions(p, 1, 1, e, 4), 0);
    assert_int_equal(fhec_kernel_expansions(p, 0, 4, e, 4), 4); /* the last MOV */
    static const char *const wanted[] = {"iteration 2 of .irp at t.sass:2:1", "macro M at inc:1:1",
                                         "include at t.sass:9:10",
                                         "iteration 2 of .rept at t.sass:8:1"};
    for (size_t i = 0; i < 4; i++) {
        (void)fhec_format_expansion(&e[i], got, sizeof got);
        (void)snprintf(got + strlen(got), 100, " at %s:%u:%u", e[i].at.file, e[i].at.line,
                       e[i].at.column);
        assert_string_equal(got, wanted[i]);
    }
    e[1].name = NULL;
    assert_int_equal(fhec_kernel_expansions(p, 0, 1, e, 1), 4);
    assert_int_equal(e[0].iteration, 1);
    assert_null(e[1].name);
    fhec_program_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(unrunnable),
        cmocka_unit_test(control),
        cmocka_unit_test(code_space),
        cmocka_unit_test(bounds_of_blocks),
        cmocka_unit_test(variables),
        cmocka_unit_test(uses),
        cmocka_unit_test(expansions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
