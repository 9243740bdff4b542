/*
 * emu_observer_test.c - what an observer is told, event by event, on a kernel that writes every
 * kind of register and memory; that looking changes nothing; faults.
 */
#include "emu_util.h"

static const fhec_engine engines[] = {FHEC_ENGINE_FAST, FHEC_ENGINE_REF};

/* All events as lines of text. */
struct log {
    char text[20000];
    size_t used;
    uint64_t last_pc;
};

__attribute__((format(printf, 2, 3))) static void line(struct log *log, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(log->text + log->used, sizeof log->text - log->used, format, arguments);
    va_end(arguments);
    log->used += (size_t)n;
    if (log->used >= sizeof log->text)
        fail_msg("the log is full");
}

static void on_fetch(void *user, const fhec_where *where) {
    char text[100];
    assert_true(fhec_disassemble(where->word, where->pc, 0, text, sizeof text) > 0);
    assert_int_equal(where->kernel, 0);
    line(user, "%u,%u,%u w%u %03llx %08x %s\n", where->block[0], where->block[1], where->block[2],
         where->warp, (unsigned long long)where->pc, where->active, text);
    ((struct log *)user)->last_pc = where->pc;
}

static void on_reg(void *user, const fhec_where *where, unsigned reg, bool uniform,
                   const uint32_t *values) {
    assert_int_equal(where->pc, ((struct log *)user)->last_pc);
    if (uniform)
        line(user, "  UR%u = %x\n", reg, values[0]);
    else
        line(user, "  R%u = %x %x .. %x\n", reg, values[0], values[1], values[31]);
}

static void on_predicate(void *user, const fhec_where *where, unsigned predicate, bool uniform,
                         uint32_t mask) {
    assert_int_equal(where->pc, ((struct log *)user)->last_pc);
    line(user, "  %s%u = %x\n", uniform ? "UP" : "P", predicate, mask);
}

static void on_memory(void *user, const fhec_where *where, const char *space, bool store,
                      unsigned lane, uint64_t address, unsigned bytes) {
    assert_int_equal(where->pc, ((struct log *)user)->last_pc);
    if (lane == 0 || lane > 30 || !(where->active & 1))
        line(user, "  %s %s lane %u: %u at %llx\n", store ? "store" : "load", space, lane, bytes,
             (unsigned long long)address);
}

static void on_fault(void *user, const fhec_where *where, const fhec_fault *fault) {
    line(user, "fault %s at %03llx, w%u, lanes %08x\n", fhec_fault_name(fault->kind),
         (unsigned long long)where->pc, where->warp, where->active);
}

static void on_retire(void *user, const fhec_where *where) {
    assert_int_equal(where->pc, ((struct log *)user)->last_pc);
    line(user, "  done\n");
}

static fhec_observer observer_of(struct log *log) {
    return (fhec_observer){log, on_fetch, on_reg, on_predicate, on_memory, on_fault, on_retire};
}

static const char kernel[] = ".target sm_80\n.kernel K\n.param out, 8\n.shared s, 128\n"
                             "S2R R0, SR_LANEID ;\n"
                             "IADD3 R1, P1, R0, -0x10, RZ ;\n"
                             "@!P1 MOV R2, 0x7 ;\n"
                             "@P2 MOV R3, 0x7 ;\n"
                             "UMOV UR3, 0x99 ;\n"
                             "UISETP.EQ.AND UP1, UPT, UR3, 0x99, UPT ;\n"
                             "@!UP1 UMOV UR3, 0x1 ;\n"
                             "IMAD.WIDE.U32 R4, R0, R0, c[0x0][0x160] ;\n"
                             "STS [R0.X4], R1 ;\n"
                             "@!P1 STG.E [R4.64+-0x0], R0 ;\n"
                             "@P1 BRA end ;\n"
                             "end: EXIT ;\n.end\n";

static const char expected[] = "0,0,0 w0 000 ffffffff S2R R0, SR_LANEID\n"
                               "  R0 = 0 1 .. 1f\n"
                               "  done\n"
                               "0,0,0 w0 010 ffffffff IADD3 R1, P1, R0, -0x10, RZ\n"
                               "  R1 = fffffff0 fffffff1 .. f\n"
                               "  P1 = ffff0000\n"
                               "  done\n"
                               "0,0,0 w0 020 0000ffff @!P1 MOV R2, 0x7\n"
                               "  R2 = 7 7 .. 0\n"
                               "  done\n"
                               "0,0,0 w0 030 00000000 @P2 MOV R3, 0x7\n"
                               "  done\n"
                               "0,0,0 w0 040 ffffffff UMOV UR3, 0x99\n"
                               "  UR3 = 99\n"
                               "  done\n"
                               "0,0,0 w0 050 ffffffff UISETP.EQ.AND UP1, UPT, UR3, 0x99, UPT\n"
                               "  UP1 = 1\n"
                               "  done\n"
                               "0,0,0 w0 060 00000000 @!UP1 UMOV UR3, 0x1\n"
                               "  done\n";

static void test_events(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(kernel);
    static struct log logs[COUNT_OF(engines)];
    for (size_t e = 0; e < COUNT_OF(engines); e++) {
        struct log *log = &logs[e];
        fhec_machine *m = emu_machine(engines[e], FHEC_SIMD_BEST, 2);
        fhec_observer observer = observer_of(log);
        uint64_t out;
        assert_int_equal(fhec_alloc(m, "out", 4096, 0, &out), FHEC_OK);
        fhec_observe(m, &observer);
        fhec_machine_count(m, true);
        /* Lanes 0-15 store at l * l, which is misaligned for odd lanes. */
        assert_int_equal(emu_run(m, program, 1, 32, &out, 1), FHEC_GUEST_FAULT);
        if (strncmp(log->text, expected, strlen(expected)) != 0)
            fail_msg("engine %zu told\n%s\nand not\n%s", e, log->text, expected);
        static const char *const pieces[] = {
            "0,0,0 w0 070 ffffffff IMAD.WIDE.U32 R4, R0, R0, c[0x0][0x160]\n"
            "  R4 = 0 1 .. 3c1\n"
            "  R5 = 7f00 7f00 .. 7f00\n"
            "  done\n"
            "0,0,0 w0 080 ffffffff STS [R0.X4], R1\n"
            "  store shared lane 0: 4 at 0\n"
            "  store shared lane 31: 4 at 7c\n"
            "  done\n"
            "0,0,0 w0 090 0000ffff @!P1 STG.E [R4.64], R0\n"
            "fault misaligned address at 090, w0, lanes 0000aaaa\n"};
        for (size_t i = 0; i < COUNT_OF(pieces); i++)
            if (!strstr(log->text, pieces[i]))
                fail_msg("engine %zu told\n%s\nwithout\n%s", e, log->text, pieces[i]);
        fhec_stats stats; /* counting works beside observing */
        assert_int_equal(fhec_machine_stats(m, &stats), FHEC_OK);
        assert_int_equal(stats.warp_insts, 9);
        fhec_machine_free(m);
    }
    fhec_program_free(program);
}

/* Blocks run in order, and every callback may be missing. Memory is the same without an observer,
 * and no event comes after the observer has gone. */
static void test_order_and_parts(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(".target sm_80\n.kernel K\n.param out, 8\n"
                                         "S2R R0, SR_CTAID.X ;\nMOV R3, 0x4 ;\n"
                                         "IMAD.WIDE.U32 R4, R0, R3, c[0x0][0x160] ;\n"
                                         "LDG.E R8, [R4.64] ;\nIADD3 R8, R8, R0, RZ ;\n"
                                         "STG.E [R4.64+0x4], R8 ;\nEXIT ;\n.end\n");
    static struct log log;
    fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 3);
    fhec_observer parts[6];
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        parts[i] = (fhec_observer){.user = &log};
    parts[0].fetch = on_fetch;
    parts[1].memory = on_memory;
    parts[5] = observer_of(&log);
    uint64_t out;
    assert_int_equal(fhec_alloc(m, "out", 4 * 9, 0, &out), FHEC_OK);
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        uint32_t words[9] = {0};
        assert_int_equal(fhec_write(m, out, words, sizeof words), FHEC_OK);
        if (i == 1) {
            parts[1].fetch = on_fetch; /* on_memory looks at its pc */
            log.used = 0;
        }
        fhec_observe(m, &parts[i]);
        emu_run_ok(m, program, 8, 1, &out, 1);
        assert_int_equal(fhec_read(m, out, words, sizeof words), FHEC_OK);
        for (uint32_t b = 0; b <= 8; b++)
            assert_int_equal(words[b], b * (b - 1) / 2);
        if (i != 0)
            continue;
        const char *at = log.text;
        for (uint32_t b = 0; b < 8; b++) {
            char start[30];
            snprintf(start, sizeof start, "%u,0,0 w0 000 ", b);
            at = strstr(at, start);
            assert_non_null(at);
        }
    }
    size_t used = log.used;
    fhec_observe(m, NULL);
    emu_run_ok(m, program, 8, 1, &out, 1);
    assert_int_equal(log.used, used);
    fhec_machine_free(m);
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_order_and_parts),
    };
    return cmocka_run_group_tests_name("emu_observer", tests, NULL, NULL);
}
