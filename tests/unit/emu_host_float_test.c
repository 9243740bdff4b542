/*
 * emu_host_float_test.c - a program may have set its floating point to round elsewhere, to flush
 * subnormal numbers, to trap exceptions: launches give the same results, and leave all that as it
 * was, exception flags included.
 */
#include <fenv.h>

#if defined __x86_64__
#include <immintrin.h>
#endif

#include "emu_util.h"
#include "engine_levels.h"

enum { BLOCKS = 64, THREADS = 32, WORDS = 8 };

/* What each thread stores: sums, products and fused ones that are inexact, subnormal, or infinite,
 * in the order of their registers R4 to R10. */
static const char text[] =
    ".target sm_80\n.kernel K\n.param out, 8\n"
    "S2R R0, SR_TID.X ;\nS2R R1, SR_CTAID.X ;\nIMAD R0, R1, 0x20, R0 ;\nMOV R1, 0x20 ;\n"
    "IMAD.WIDE.U32 R2, R0, R1, out ;\n"
    "MOV R20, 0x3f800000 ;\nMOV R21, 0x33000000 ;\nMOV R22, 0x00400000 ;\nMOV R23, 0x7f7fffff ;\n"
    "FADD R4, R20, R21 ;\n"      /* 1 + 2^-25 */
    "FADD.RP R5, R20, R21 ;\n"   /* the same, upwards */
    "FADD R6, R22, -R21 ;\n"     /* a subnormal number, far below half a unit */
    "FMUL R7, R22, 0.5 ;\n"      /* 2^-128 */
    "FMUL R8, R23, R23 ;\n"      /* overflow */
    "FFMA R9, R22, R20, R22 ;\n" /* twice the subnormal number: the smallest normal one */
    "FADD R10, R22, R22 ;\nFADD R11, -R20, -R21 ;\n"
    "STG.E.128 [R2.64], R4 ;\nSTG.E.128 [R2.64+0x10], R8 ;\nEXIT ;\n.end\n";
static const uint32_t want[WORDS] = {0x3f800000, 0x3f800001, 0xb3000000, 0x00200000,
                                     0x7f800000, 0x00800000, 0x00800000, 0xbf800000};

static void launch(const struct engine_choice *choice, unsigned threads, const char *what) {
    uint64_t out;
    uint32_t got[BLOCKS * THREADS * WORDS];
    if (!emu_has_simd(choice->simd))
        return;
    fhec_program *program = emu_assemble(text);
    fhec_machine *machine = emu_machine(choice->engine, choice->simd, threads);
    assert_int_equal(fhec_alloc(machine, "out", sizeof got, 0, &out), FHEC_OK);
    emu_run_ok(machine, program, BLOCKS, THREADS, &out, 1);
    assert_int_equal(fhec_read(machine, out, got, sizeof got), FHEC_OK);
    for (size_t i = 0; i < COUNT_OF(got); i++)
        if (got[i] != want[i % WORDS])
            fail_msg("%s, %u threads, %s: word %zu is 0x%08x, want 0x%08x", choice->name, threads,
                     what, i, got[i], want[i % WORDS]);
    fhec_machine_free(machine);
    fhec_program_free(program);
}

static void everywhere(const char *what) {
    for (size_t i = 0; i < ENGINE_CHOICES; i++)
        for (unsigned threads = 1; threads <= 2; threads++)
            launch(&engine_choices[i], threads, what);
}

static void rounding_and_flags(void **state) {
    (void)state;
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (size_t i = 0; i < COUNT_OF(modes); i++) {
        fesetround(modes[i]);
        feclearexcept(FE_ALL_EXCEPT);
        feraiseexcept(FE_DIVBYZERO);
        everywhere("a rounding mode");
        assert_int_equal(fegetround(), modes[i]);
        assert_int_equal(fetestexcept(FE_ALL_EXCEPT), FE_DIVBYZERO);
    }
    fesetround(FE_TONEAREST);
}

#if defined __x86_64__
enum { FLUSH_AND_ZERO = 0x8040, MASKS = 0x1f80, MASK_ALL = 0x3f };

static void flushing_and_traps(void **state) {
    (void)state;
    _mm_setcsr(MASKS | FLUSH_AND_ZERO);
    everywhere("subnormal numbers are flushed");
    assert_int_equal(_mm_getcsr(), MASKS | FLUSH_AND_ZERO);
    _mm_setcsr(0); /* a trap for every exception */
    everywhere("exceptions trap");
    assert_int_equal(_mm_getcsr(), 0);
    _mm_setcsr(MASKS);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_and_flags),
#if defined __x86_64__
        cmocka_unit_test(flushing_and_traps),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
