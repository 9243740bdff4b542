/*
 * Instructions that have a text and an encoding but cannot be executed: they assemble, and the run
 * ends where they are with the reason, unless their guard is false.
 */
#include <inttypes.h>

#include "emu_util.h"
#include "isa.h"

#define BEGIN ".target sm_80\n.kernel K\n.param out, 8\n"

static void a_fault_tells_the_reason(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"HMMA.SP.16832.F16 R2, R24.reuse, R28, R2, R4.reuse, 0x0", "metadata"},
        {"B2R.BAR R3", "which barrier it reads"},
        {"B2R.WARP R3, P1", "what it gives"},
        {"IMMA.SP.16864.S8.S8 R12, R44.ROW, R52.COL, R12, R8, 0x1", "metadata"},
        {"IMMA.SP.168128.U4.S4 R4, R8.ROW, R16.COL, R12, R2.reuse, 0x0", "metadata"},
    };
    char source[512];
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        fhec_machine *machine;
        const fhec_fault *fault;
        snprintf(source, sizeof source, BEGIN "NOP ;\n%s ;\nEXIT ;\n.end\n", cases[i].text);
        emu_fault(source, 32, 1, 100, &machine, &fault);
        if (fault->kind != FHEC_FAULT_ILLEGAL || fault->pc != 16 ||
            !strstr(fault->message, cases[i].message))
            fail_msg("%s: kind %d at 0x%" PRIx64 ": %s", cases[i].text, fault->kind, fault->pc,
                     fault->message);
        fhec_machine_free(machine);
    }
}

static void not_reached_not_told(void **state) {
    (void)state;
    uint32_t word = 7;
    emu_text(BEGIN "@!PT HMMA.SP.1688.F16 R4, R8, R12, R6, R2, 0x1 ;\nEXIT ;\n.end\n", 32, &word,
             1);
    assert_int_equal(word, 0);
}

/* The tables say which ones they are, each with a reason. */
static void the_tables_say_so(void **state) {
    (void)state;
    unsigned count = 0;
    for (unsigned i = 0; i < fh_insn_count; i++) {
        if (!fh_insns[i].unsupported)
            continue;
        count++;
        assert_true(strlen(fh_insns[i].unsupported) > 10);
        assert_non_null(strstr(fh_insns[i].page, fh_insns[i].unsupported));
    }
    print_message("# %u of %u instructions cannot be executed\n", count, fh_insn_count);
    assert_int_equal(count, 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_tells_the_reason),
        cmocka_unit_test(not_reached_not_told),
        cmocka_unit_test(the_tables_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
