/*
 * asm_oom_test.c - every allocation of the assembler and of the object files is made to fail, one
 * after another: each time the answer is FHEC_HOST_ERROR and nothing is handed out. The sanitizer's
 * run shows what leaks or is used after it was freed; there the arena's allocations are single too.
 */
#include "asm_util.h"
#include "refuse.h"

static const char included[] = ".equ FROM_FILE, 7\n.macro TWICE x\n  MOV \\x, FROM_FILE ;\n"
                               "  MOV \\x, FROM_FILE ;\n.endm\n";

static const char good[] = ".include \"part.inc\"\n"
                           ".target sm_80, fhec, gme\n"
                           ".test run seed=1\n"
                           ".constant table\n.word 1, 2, 3\n"
                           ".kernel first\n.param out, 8\n.param n, 4\n.shared s, 64\n.local 16\n"
                           ".constant mine\n.dword 5\n"
                           ".reg acc[0:3] = R8\n"
                           ".expect R1 = out[lane]\n.let seen = R1 + out\n"
                           "  MOV R1, c[0x0][0x28] ;\n.ensure R2:R3 = seen * 2 mod n\n"
                           "top: TWICE R5\n"
                           ".rept 40, i\n  IADD3 acc[\\i % 4], R\\i, \\i, RZ ;\n.endr\n"
                           ".irp r, R1, R2, R3, R4\n  MOV \\r, table ;\n.endr\n"
                           ".if N == 3\n1: @P0 BRA 1b ;\n  BRA 2f ;\n2:\n.endif\n"
                           "  FHEC.16816.U32.U32 R8, R0.ROW, R4.COL, R8, UR4 ;\n"
                           "  BRA top ;\n.end\n"
                           ".kernel second\n  EXIT ;\n.end\n"
                           ".function f\n.type g, @function\ng: MOV R2, 32@lo(later) ;\n"
                           "  CALL.ABS.NOINC f ;\n.loc \"other.cu\", 7\n"
                           "  RET.ABS.NODEC R20 0x0 ;\n.end\n"
                           ".section .nv.constant4\n.dword later, f\n"
                           ".section .nv.global\nzeros: .zero 8\n.size zeros, 4\n"
                           ".section .nv.global.init\nlater: .dword generic(zeros), second\n";

static const char bad[] = ".include \"part.inc\"\n"
                          ".kernel k\n"
                          "  TWICE\n  TWICE P0\n  FROB R1 ;\n  IADD3.Y R1, R2, R3, R4 ;\n"
                          "  IADD3 R1, R2, R3 ;\n  IMAD.WIDE R3, R4, R5, R6 ;\n  BRA nowhere ;\n"
                          "  MOV R1, nothing ;\n  MOV R1 R2 [ ;\n  LDG.E R1, [R2+R3] ;\n"
                          "  MOV R1, 0x100000000 ;\n.include \"none\"\n.error \"said\"\n.frob\n"
                          ".rept 3\n  FROB R1 ;\n  IMAD.WIDE R3, R4, R5, R6 ;\n.endr\n"
                          "  MOV R1, unknown ;\n  EXIT ;\n.end\n"
                          ".section .nv.constant99\n.section .nv.global\nk: .word k\n";

static fhec_status include_part(void *user, const char *name, const char *from, char **text,
                                size_t *length) {
    (void)user;
    (void)from;
    if (strcmp(name, "part.inc") != 0)
        return FHEC_BAD_INPUT;
    *length = sizeof included - 1;
    *text = malloc(*length);
    if (!*text)
        return FHEC_HOST_ERROR;
    memcpy(*text, included, *length);
    return FHEC_OK;
}

static unsigned heard;

static void count_heard(void *user, const fhec_diagnostic *d) {
    (void)user;
    (void)d;
    heard++;
}

static fhec_status run(const char *source, fhec_program **program) {
    static const char *const defines[] = {"N=3"};
    fhec_assemble_options options = {
        .diagnostic = count_heard, .include = include_part, .defines = defines, .define_count = 1};
    heard = 0;
    return fhec_assemble("t.sass", source, strlen(source), &options, program);
}

/* Fails allocation 1, 2, 3, ... of `source` until one run makes fewer. */
static void each_allocation(const char *source, fhec_status without) {
    fhec_program *program;
    unsigned long n = 0, total;
    refuse_after(REFUSE_NONE, true);
    fhec_status status = run(source, &program);
    (void)refuse_end();
    total = (unsigned long)refuse_asked();
    if (status != without)
        fail_msg("without failures the status is %d, %u diagnostics", (int)status, heard);
    fhec_program_free(program);
    assert_true(total > 20);
    for (n = 1; n <= total; n++) {
        refuse_after((long)n - 1, true);
        status = run(source, &program);
        (void)refuse_end();
        if (status != FHEC_HOST_ERROR || program)
            fail_msg("allocation %lu of %lu failed, and the status is %d", n, total, (int)status);
    }
    print_message("# %lu allocations\n", total);
}

static void a_good_source(void **state) {
    (void)state;
    each_allocation(good, FHEC_OK);
}

static void a_source_full_of_errors(void **state) {
    (void)state;
    each_allocation(bad, FHEC_BAD_INPUT);
}

static void writing_an_object(void **state) {
    (void)state;
    fhec_program *program;
    uint8_t *bytes;
    size_t length;
    assert_int_equal(run(good, &program), FHEC_OK);
    refuse_after(REFUSE_NONE, true);
    fhec_status status = fhec_program_write(program, &bytes, &length);
    (void)refuse_end();
    assert_int_equal(status, FHEC_OK);
    free(bytes);
    unsigned long total = (unsigned long)refuse_asked();
    for (unsigned long n = 1; n <= total; n++) {
        refuse_after((long)n - 1, true);
        status = fhec_program_write(program, &bytes, &length);
        (void)refuse_end();
        if (status != FHEC_HOST_ERROR || bytes || length)
            fail_msg("allocation %lu of %lu failed, and the status is %d", n, total, (int)status);
    }
    print_message("# %lu allocations\n", total);
    fhec_program_free(program);
}

static void reading_an_object(void **state) {
    (void)state;
    fhec_program *program, *back;
    uint8_t *bytes;
    size_t length;
    assert_int_equal(run(good, &program), FHEC_OK);
    assert_int_equal(fhec_program_write(program, &bytes, &length), FHEC_OK);
    fhec_program_free(program);
    refuse_after(REFUSE_NONE, true);
    fhec_status status = fhec_program_read("t", bytes, length, count_heard, NULL, &back);
    (void)refuse_end();
    assert_int_equal(status, FHEC_OK);
    fhec_program_free(back);
    unsigned long total = (unsigned long)refuse_asked();
    heard = 0;
    for (unsigned long n = 1; n <= total; n++) {
        refuse_after((long)n - 1, true);
        status = fhec_program_read("t", bytes, length, count_heard, NULL, &back);
        (void)refuse_end();
        if (status != FHEC_HOST_ERROR || back || heard)
            fail_msg("allocation %lu of %lu failed, and the status is %d", n, total, (int)status);
    }
    print_message("# %lu allocations\n", total);
    free(bytes);
}

/* The good source, whose loop has paths that meet. */
static void checking_scheduling_fields(void **state) {
    (void)state;
    fhec_program *program;
    assert_int_equal(run(good, &program), FHEC_OK);
    refuse_after(REFUSE_NONE, true);
    fhec_status status = fhec_lint(program, count_heard, NULL);
    (void)refuse_end();
    unsigned long total = (unsigned long)refuse_asked();
    assert_int_equal(status, FHEC_OK);
    assert_true(total > 8);
    for (unsigned long n = 1; n <= total; n++) {
        refuse_after((long)n - 1, true);
        status = fhec_lint(program, count_heard, NULL);
        (void)refuse_end();
        if (status != FHEC_HOST_ERROR)
            fail_msg("allocation %lu of %lu failed, and the status is %d", n, total, (int)status);
    }
    print_message("# %lu allocations\n", total);
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_source),
        cmocka_unit_test(a_source_full_of_errors),
        cmocka_unit_test(writing_an_object),
        cmocka_unit_test(reading_an_object),
        cmocka_unit_test(checking_scheduling_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
