/*
 * emu_words.h - for tests of the emulator whose kernels leave one word per thread: the beginning
 * and the end of such a kernel, and the comparison.
 */
#ifndef FH_TESTS_EMU_WORDS_H
#define FH_TESTS_EMU_WORDS_H

#include "emu_util.h"

/* R4:R5 = address of out[thread]; R0 = thread number. Labels and registers from R8 on are free. */
#define HEAD                                                                                       \
    ".target sm_80\n.kernel K\n.param out, 8\n"                                                    \
    "S2R R0, SR_TID.X ;\n"                                                                         \
    "MOV R6, 0x4 ;\n"                                                                              \
    "IMAD.WIDE.U32 R4, R0, R6, c[0x0][0x160] ;\n"
#define STORE(reg) "STG.E [R4.64], " reg " ;\n"
#define TAIL       "EXIT ;\n.end\n"

/* Runs `text` as emu_text does: thread t must leave want(t). */
static inline void expect(const char *text, uint32_t threads, uint32_t (*want)(uint32_t thread)) {
    uint32_t out[1024] = {0};
    assert_in_range(threads, 1, COUNT_OF(out));
    emu_text(text, threads, out, threads);
    for (uint32_t t = 0; t < threads; t++)
        if (out[t] != want(t))
            fail_msg("thread %u gave 0x%x and not 0x%x, in:\n%s", t, out[t], want(t), text);
}

#endif
