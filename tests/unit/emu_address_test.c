/*
 * emu_address_test.c - addresses by name: labels as immediates and in tables, functions called from
 * several kernels and through pointers, variables that point to each other. Every program runs from
 * its source, from the text that its disassembly is, and from an object.
 */
#include "emu_util.h"

/* R4:R5 = address of out[thread]; R0 = thread number. */
#define HEAD                                                                                       \
    ".target sm_80\n.kernel K\n.param out, 8\n.local 1024\n"                                       \
    "MOV R1, c[0x0][0x28] ;\nS2R R0, SR_TID.X ;\nMOV R6, 0x4 ;\n"                                  \
    "IMAD.WIDE.U32 R4, R0, R6, out ;\n"
#define TAIL "STG.E [R4.64], R9 ;\nEXIT ;\n"

static char *text_of(const fhec_program *program) {
    char *text;
    size_t length;
    assert_int_equal(fhec_disassemble_program(program, 0, NULL, NULL, &text, &length), FHEC_OK);
    return text;
}

/* The text of the program once it has been an object. */
static char *text_of_object(const fhec_program *program) {
    uint8_t *bytes;
    size_t length;
    fhec_program *read;
    assert_int_equal(fhec_program_write(program, &bytes, &length), FHEC_OK);
    assert_int_equal(fhec_program_read("object", bytes, length, NULL, NULL, &read), FHEC_OK);
    char *text = text_of(read);
    fhec_program_free(read);
    free(bytes);
    return text;
}

static void expect_text(const char *text, uint32_t threads, uint32_t (*want)(uint32_t thread)) {
    uint32_t out[1024] = {0};
    emu_text(text, threads, out, threads);
    for (uint32_t t = 0; t < threads; t++)
        if (out[t] != want(t))
            fail_msg("thread %u gave 0x%x and not 0x%x, in:\n%s", t, out[t], want(t), text);
}

static void expect(const char *text, uint32_t threads, uint32_t (*want)(uint32_t thread)) {
    expect_text(text, threads, want);
    fhec_program *program = emu_assemble(text);
    char *again = text_of(program), *object = text_of_object(program);
    expect_text(again, threads, want);
    assert_string_equal(again, object);
    free(object);
    free(again);
    fhec_program_free(program);
}

/* ---------------------------------------------------------------- labels */

static uint32_t call_value(uint32_t t) {
    return t % 2 ? 7 * t + 1000 : 3 * t + 2000;
}

/* One function within the kernel, called from two places; where it returns to is a label, once in
 * short and once as nvdisasm writes it, with a label that is also a named function's. */
static void labels_are_immediates(void **unused) {
    (void)unused;
    expect(HEAD "LOP3.LUT R2, R0, 0x1, RZ, 0xc0, !PT ;\nISETP.EQ.AND P0, PT, R2, RZ, PT ;\n"
                "BSSY B0, joined ;\n@P0 BRA even ;\n"
                "MOV R8, 0x7 ;\nMOV R20, odd_back ;\nMOV R21, 32@hi(odd_back) ;\n"
                "CALL.REL.NOINC times ;\n"
                "odd_back: IADD3 R9, R9, 1000, RZ ;\nBRA join ;\n"
                "even: MOV R8, 0x3 ;\nMOV R20, 32@lo((K + 1f@srel)) ;\n"
                "MOV R21, 32@hi((K + 1f@srel)) ;\nCALL.ABS.NOINC `(times) ;\n"
                "1: IADD3 R9, R9, 2000, RZ ;\n"
                "join: BSYNC B0 ;\njoined:\n" TAIL ".type times, @function\n.size times, 32\n"
                "times: IMAD R9, R0, R8, RZ ;\nRET.REL.NODEC R20 `(K) ;\n.end\n",
           64, call_value);
}

static uint32_t table_value(uint32_t t) {
    static const uint32_t add[4] = {11, 22, 33, 44};
    return t * 5 + add[t / 3 % 4];
}

/* A table of labels in the kernel's bank, 32 bits each, some of them counted from another label;
 * and the branch through it, whose offset is a label too. */
static void tables_of_labels(void **unused) {
    (void)unused;
    expect(HEAD ".section .nv.constant2\n.zero 8\n.word first, second, third, fourth-0x10\n"
                "IMAD R2, R0, 0xaaab, RZ ;\nSHF.R.U32.HI R2, RZ, 0x11, R2 ;\n"
                "LOP3.LUT R2, R2, 0x3, RZ, 0xc0, !PT ;\nSHF.L.U32 R2, R2, 0x2, RZ ;\n"
                "LDC R10, c[0x2][R2+8] ;\nMOV R11, RZ ;\nIMAD R9, R0, 0x5, RZ ;\n"
                "BSSY B0, joined ;\nBRX R10 `(K) ;\nNOP ;\n"
                "first: IADD3 R9, R9, 11, RZ ;\nBRA join ;\n"
                "second: IADD3 R9, R9, 22, RZ ;\nBRA join ;\n"
                "third: IADD3 R9, R9, 33, RZ ;\nBRA join ;\nIADD3 R9, R9, 44, RZ ;\n"
                "fourth:\njoin: BSYNC B0 ;\njoined:\n" TAIL ".end\n",
           60, table_value);
}

static uint32_t own_bank_value(uint32_t t) {
    return t + (t % 2 ? 200 : 100);
}

/* Bank 3 of two kernels, each its own, with labels and a function's address in it. */
static void kernels_have_own_banks(void **unused) {
    (void)unused;
    expect(HEAD ".section .nv.constant3\n.dword even, odd, f\n"
                "LOP3.LUT R2, R0, 0x1, RZ, 0xc0, !PT ;\nSHF.L.U32 R2, R2, 0x3, RZ ;\n"
                "LDC.64 R10, c[0x3][R2] ;\nLDC.64 R12, c[0x3][0x10] ;\nBSSY B0, joined ;\n"
                "MOV R9, R0 ;\nBRX R10 `(K) ;\n"
                "even: IADD3 R9, R9, 60, RZ ;\nBRA join ;\nodd: IADD3 R9, R9, 160, RZ ;\n"
                "join: BSYNC B0 ;\njoined: MOV R20, back ;\nMOV R21, 32@hi(back) ;\n"
                "CALL.ABS.NOINC R12 ;\nback:\n" TAIL ".end\n"
                ".kernel other\n.section .nv.constant3\n.dword end, end, f\nNOP ;\n"
                "end: EXIT ;\n.end\n"
                ".function f\nIADD3 R9, R9, 40, RZ ;\nRET.ABS.NODEC R20 0x0 ;\n.end\n",
           64, own_bank_value);
}

/* ---------------------------------------------------------------- functions */

/* depth(n) = n ? 2 depth(n - 1) + n : 5, in a function of its own that calls itself. */
#define DEPTH                                                                                      \
    ".function depth\n.local 16\n"                                                                 \
    "ISETP.EQ.AND P0, PT, R8, RZ, PT ;\n@P0 MOV R9, 5 ;\n@P0 RET.ABS.NODEC R20 0x0 ;\n"            \
    "IADD3 R1, R1, -0x10, RZ ;\nSTL.64 [R1], R20 ;\nSTL [R1+8], R8 ;\nIADD3 R8, R8, -1, RZ ;\n"    \
    "MOV R20, 32@lo(back) ;\nMOV R21, 32@hi(back) ;\nCALL.REL.NOINC depth ;\n"                     \
    "back: LDL R8, [R1+8] ;\nLDL.64 R20, [R1] ;\nIADD3 R1, R1, 0x10, RZ ;\n"                       \
    "IMAD R9, R9, 2, R8 ;\nRET.ABS.NODEC R20 0x0 ;\n.end\n"
#define CALL(function)                                                                             \
    "MOV R20, 32@lo(ret_" #function ") ;\nMOV R21, 32@hi(ret_" #function ") ;\n"                   \
    "CALL.ABS.NOINC " #function " ;\nret_" #function ":\n"

static uint32_t depth(uint32_t n) {
    return n ? 2 * depth(n - 1) + n : 5;
}

static uint32_t function_value(uint32_t t) {
    return 3 * depth(t / 32 + 2) + 1;
}

/* Functions that lie before and behind their kernels, one calling the other. Another, longer kernel
 * and a named place inside of a function move where they lie. */
static void functions_call_each_other(void **unused) {
    (void)unused;
    expect(".function triple\n.registers 30\nMOV R22, R20 ;\nMOV R23, R21 ;\n" CALL(
               depth) "BRA rest ;\n.type inner, @function\ninner: EXIT ;\n"
                      "rest: IMAD R9, R9, 3, RZ ;\nRET.ABS.NODEC R22 0x0 ;\n.end\n" HEAD
                      "SHF.R.U32.HI R8, RZ, 5, R0 ;\nIADD3 R8, R8, 2, RZ ;\n" CALL(
                          triple) "IADD3 R9, R9, 1, RZ ;\n" TAIL ".end\n"
                                  ".kernel longer\n.rept 50\nNOP ;\n.endr\nEXIT ;\n.end\n" DEPTH,
           96, function_value);
}

static uint32_t pointer_value(uint32_t t) {
    return t % 2 ? depth(3) : t + 77;
}

/* Pointers to functions in variables and in a constant bank, and one in code. */
static void functions_have_addresses(void **unused) {
    (void)unused;
    expect(HEAD "MOV R12, 32@lo(generic(pointers)) ;\nMOV R13, 32@hi(generic(pointers)) ;\n"
                "LOP3.LUT R2, R0, 0x1, RZ, 0xc0, !PT ;\nIMAD.WIDE.U32 R12, R2, 0x8, R12 ;\n"
                "LDG.E.64 R14, [R12.64] ;\nLDC.64 R16, c[0x4][0x8] ;\nLDG.E.64 R16, [R16.64] ;\n"
                "ISETP.EQ.AND P0, PT, R2, RZ, PT ;\n@P0 MOV R14, R16 ;\n@P0 MOV R15, R17 ;\n"
                "MOV R8, 3 ;\nMOV R20, after ;\nMOV R21, 32@hi(after) ;\nCALL.ABS.NOINC R14 ;\n"
                "after:\n" TAIL ".end\n" DEPTH
                ".function add\nNOP ;\nIADD3 R9, R0, 77, RZ ;\nRET.ABS.NODEC R20 0x0 ;\n.end\n"
                ".section .nv.constant4\n.dword add, pointers+16\n"
                ".section .nv.global.init\n.align 16\n"
                "pointers: .dword 0, depth, add + 0x10\n.size pointers, 24\n",
           64, pointer_value);
}

/* ---------------------------------------------------------------- variables */

static uint32_t variable_value(uint32_t t) {
    return (t % 4 == 3 ? 0xabcd : 10 + t % 4 * 10) + 64 + 0x55;
}

/* A table reached through a pointer to its middle, a constant by its generic address, a counter in
 * memory without bytes behind a gap, all by names that come later. */
static void variables_have_addresses(void **unused) {
    (void)unused;
    expect(HEAD
           "LDC.64 R12, c[0x4][0x0] ;\nLDG.E.64 R12, [R12.64] ;\n"
           "LOP3.LUT R2, R0, 0x3, RZ, 0xc0, !PT ;\nIMAD.WIDE.U32 R12, R2, 0x4, R12 ;\n"
           "LDG.E R9, [R12.64+-0x8] ;\n"
           "UMOV UR4, 32@lo((counter)) ;\nUMOV UR5, 32@hi((counter)) ;\n"
           "MOV R14, UR4 ;\nMOV R15, UR5 ;\nMOV R16, 1 ;\n"
           "RED.E.ADD.STRONG.GPU [R14.64], R16 ;\nBAR.SYNC 0x0 ;\nLDG.E R16, [R14.64] ;\n"
           "MOV R18, 32@lo(bytes+0x3) ;\nMOV R19, 32@hi(bytes+0x3) ;\nLDG.E.U8 R18, [R18.64] ;\n"
           "IADD3 R9, R9, R16, R18 ;\n" TAIL ".end\n"
           ".section .nv.constant3\nbytes: .byte 0x11, 0x22, 0x44, 0x55, 0x66\n"
           ".section .nv.constant4\n.dword pointer\n"
           ".section .nv.global\n.zero 40\n.align 64\ncounter: .zero 4\n"
           ".section .nv.global.init\npointer: .dword generic(table+8)\n"
           "table: .word 10, 20, 30, 0xabcd\n",
           64, variable_value);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_are_immediates),     cmocka_unit_test(tables_of_labels),
        cmocka_unit_test(functions_call_each_other), cmocka_unit_test(functions_have_addresses),
        cmocka_unit_test(variables_have_addresses),  cmocka_unit_test(kernels_have_own_banks),
    };
    return cmocka_run_group_tests_name("addresses", tests, NULL, NULL);
}
