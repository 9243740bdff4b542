/*
 * emu_constant_move_test.c - instructions whose operands are all fixed by their encoding, as
 * compilers load constants: the values by hand, at every SIMD level and in the reference engine,
 * with guards, and whatever the calling program has set its floating point to.
 */
#if defined __x86_64__
#include <immintrin.h>
#endif

#include "emu_util.h"
#include "engine_levels.h"

enum { THREADS = 40, OLD = 0x5a5a5a5a };

/* `text` writes R8, under the guard of the test. */
static const struct {
    const char *text;
    uint32_t value;
} moves[] = {
    {"HFMA2.MMA R8, -RZ, RZ, 1.5, 0.25", 0x3e003400},
    {"HFMA2 R8, -RZ, RZ, 0, 5.9604644775390625e-08", 0x00000001},
    {"HADD2 R8, RZ, -2, 4", 0xc0004400},
    {"FADD R8, RZ, 1.5", 0x3fc00000},
    {"FADD R8, RZ, 1.40129846432481707e-45", 0x00000001},
    {"FADD.FTZ R8, RZ, 1.40129846432481707e-45", 0x00000000},
    {"FFMA R8, -RZ, RZ, -2", 0xc0000000},
    {"FMUL.RP R8, RZ, -3", 0x80000000},
    {"IADD3 R8, RZ, -0x1, RZ", 0xffffffff},
    {"IADD3.X R8, RZ, 0x7, RZ, PT, !PT", 0x00000008},
    {"IMAD.MOV.U32 R8, RZ, RZ, 0x12345678", 0x12345678},
    {"IMAD.U32 R8, RZ, 0x5, RZ", 0x00000000},
    {"LOP3.LUT R8, RZ, RZ, RZ, 0x33, !PT", 0xffffffff},
    {"LOP3.LUT R8, RZ, 0xf0f0, RZ, 0x3c, !PT", 0x0000f0f0},
    {"SHF.R.U32.HI R8, RZ, 0x3, RZ", 0x00000000},
    {"SEL R8, RZ, 0x7, PT", 0x00000000},
    {"SEL R8, RZ, 0x7, !PT", 0x00000007},
    {"BMSK R8, RZ, 0x9", 0x000001ff},
    {"FLO.U32 R8, 0x80", 0x00000007},
    {"POPC R8, 0xff00ff", 0x00000010},
    {"MONTMUL.U32 R8, RZ, RZ, RZ", 0x00000000},
};

/* Lanes that the guard lets through. */
static const struct {
    const char *guard;
    uint32_t lanes;
} guards[] = {{"", 0xffffffff}, {"@P1 ", 0x55555555}, {"@!P1 ", 0xaaaaaaaa}, {"@!PT ", 0}};

static void run(const struct engine_choice *choice, const char *text, uint32_t out[THREADS]) {
    fhec_program *program = emu_assemble(text);
    fhec_machine *machine = emu_machine(choice->engine, choice->simd, 1);
    uint64_t address;
    assert_int_equal(fhec_alloc(machine, "out", 4 * THREADS, 0, &address), FHEC_OK);
    emu_run_ok(machine, program, 1, THREADS, &address, 1);
    assert_int_equal(fhec_read(machine, address, out, 4 * THREADS), FHEC_OK);
    fhec_machine_free(machine);
    fhec_program_free(program);
}

/* A value that was there before stays in the other lanes, and the next instruction sees the result.
 */
static void check(const struct engine_choice *choice, size_t move, size_t guard) {
    uint32_t out[THREADS];
    char text[800];
    snprintf(text, sizeof text,
             ".target sm_80, mont\n.kernel K\n.param out, 8\n"
             "S2R R0, SR_TID.X ;\nMOV R6, 0x4 ;\nIMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n"
             "LOP3.LUT R1, R0, 0x1, RZ, 0xc0, !PT ;\nISETP.EQ.AND P1, PT, R1, RZ, PT ;\n"
             "MOV R8, 0x%x ;\n%s%s ;\nIADD3 R9, R8, 0x1, RZ ;\nSTG.E [R4.64], R9 ;\nEXIT ;\n"
             ".end\n",
             (unsigned)OLD, guards[guard].guard, moves[move].text);
    run(choice, text, out);
    for (uint32_t t = 0; t < THREADS; t++) {
        const bool written = guards[guard].lanes >> t % FHEC_WARP_LANES & 1;
        const uint32_t want = (written ? moves[move].value : OLD) + 1;
        if (out[t] != want)
            fail_msg("%s, %s%s: thread %u has 0x%x, want 0x%x", choice->name, guards[guard].guard,
                     moves[move].text, t, out[t] - 1, want - 1);
    }
}

static void check_all(void) {
    for (size_t i = 0; i < ENGINE_CHOICES; i++)
        for (size_t m = 0; emu_has_simd(engine_choices[i].simd) && m < COUNT_OF(moves); m++)
            for (size_t g = 0; g < COUNT_OF(guards); g++)
                check(&engine_choices[i], m, g);
}

static void values(void **state) {
    (void)state;
    check_all();
}

#if defined __x86_64__
/* Subnormal numbers are flushed, results rounded upwards, in the calling program. */
static void host_float(void **state) {
    (void)state;
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040 | 0x4000);
    check_all();
    _mm_setcsr(before);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
#if defined __x86_64__
        cmocka_unit_test(host_float),
#endif
    };
    return cmocka_run_group_tests_name("emu_constant_move", tests, NULL, NULL);
}
