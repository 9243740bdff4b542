/*
 * time_units_test.c - the timing engine on small kernels whose cycles are known: the queue of
 * memory instructions, scoreboards, barriers, banks of registers, occupancy; and descriptions of
 * machines that are wrong.
 */
#include "timing_util.h"

static const struct fh_timed_kernel *kernel(const struct fh_timer *timer) {
    return fh_timer_kernel(timer, 0);
}

/* Cycles that the schedulers together waited before the instruction. */
static uint64_t waited(const struct fh_timer *timer, uint32_t word) {
    uint64_t sum = 0;
    for (unsigned r = 0; r < FH_TIME_REASONS; r++)
        sum += kernel(timer)->words[word].cycles[r];
    return sum;
}

/* Loads that could issue in each cycle, with 1 to 4 schedulers active: five at once, the sixth when
 * the first leaves the queue, in cycle 11, 13, ... from the first one's, and then one whenever the
 * scheduler (4 cycles) and the port of all (2) allow. Huerta et al., table 1, counts from 2. */
static void test_queue(void **unused) {
    (void)unused;
    static const uint32_t sixth[] = {11, 11 + 13, 11 + 13 + 15, 11 + 13 + 15 + 17};
    static const uint32_t later[] = {4, 4, 6, 8};
    struct fh_time_machine machine;
    timing_machine(&machine, "a100", NULL);
    char *text = timing_chain(".target sm_80\n.kernel K\n.shared d, 128\n",
                              "[B------:R-:W0:-:S01] LDS R4, [RZ] ;\n", 12);
    for (uint32_t n = 1; n <= 4; n++) {
        const struct timing_launch l = {.text = text, .blocks = 1, .threads = 32 * n};
        struct fh_timer *timer = timing_run(&machine, &l);
        timing_check(timer);
        for (uint32_t i = 0; i < 5; i++)
            assert_int_equal(waited(timer, i), 0);
        assert_int_equal(waited(timer, 5) + 5 * n, sixth[n - 1]);
        for (uint32_t i = 7; i < 12; i++)
            assert_int_equal(waited(timer, i) + n, later[n - 1] * n);
        fh_timer_free(timer);
    }
    free(text);
}

/* Loads on one scoreboard are done 24 cycles after they issue, in order; the first of them is
 * accepted at once, each further one four cycles later. */
static void test_depbar(void **unused) {
    (void)unused;
    struct fh_time_machine machine;
    timing_machine(&machine, "a100", NULL);
    static const char head[] = ".target sm_80\n.kernel K\n.shared d, 128\n"
                               "[B------:R-:W0:-:S01] LDS R4, [RZ] ;\n"
                               "[B------:R-:W0:-:S01] LDS R5, [RZ] ;\n"
                               "[B------:R-:W0:-:S02] LDS R6, [RZ] ;\n";
    for (unsigned left = 0; left < 3; left++) {
        char line[80];
        snprintf(line, sizeof line, "[B------:R-:W-:-:S01] DEPBAR.LE SB0, 0x%x ;\n", left);
        char *text = timing_chain(head, line, 1);
        const struct timing_launch l = {.text = text, .blocks = 1, .threads = 32};
        struct fh_timer *timer = timing_run(&machine, &l);
        /* A uniform address: 23. The wait begins in cycle 3. */
        assert_int_equal(waited(timer, 3), 23 + 4 * (2 - left) - 3);
        fh_timer_free(timer);
        free(text);
    }
}

/* HBM has 8 bytes a cycle, L2 16: a sector takes four cycles, or two. The first one's are in the
 * latency; each further one comes as much later. What has come from HBM is then in L1, or, for
 * atomics, which pass it, in L2. The wait begins in the cycle after the issue. */
static void test_sectors(void **unused) {
    (void)unused;
    static const char *const changes[] = {"clock 1000", "hbm 8 latency 290",
                                          "l2 40M latency 300 bandwidth 16", NULL};
    static const struct {
        const char *line;
        uint32_t again, each; /* cycles of the second access, and of a sector more */
    } cases[] = {{"LDG.E R4, [R2.64]", 32, 0}, {"ATOMG.E.ADD PT, R4, [R2.64], R0", 300, 2}};
    struct fh_time_machine machine;
    timing_machine(&machine, "a100", changes);
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (uint32_t sectors = 1; sectors <= 4; sectors++) {
            char text[1000];
            snprintf(text, sizeof text,
                     ".target sm_80\n.kernel K\n.param y, 8\n"
                     "[B------:R-:W0:-:S02] S2R R0, SR_LANEID ;\n"
                     "[B------:R-:W-:-:S04] MOV R2, y ;\n"
                     "[B------:R-:W-:-:S05] MOV R3, y + 4 ;\n"
                     "[B0-----:R-:W-:-:S08] IMAD.WIDE.U32 R2, R0, 0x4, R2 ;\n"
                     "[B------:R-:W1:-:S02] %s ;\n[B-1----:R-:W-:-:S04] MOV R5, R4 ;\n"
                     "[B------:R-:W-:-:S15] NOP ;\n"
                     "[B------:R-:W1:-:S02] %s ;\n[B-1----:R-:W-:-:S04] MOV R5, R4 ;\n"
                     "[B------:R-:W-:-:S05] EXIT ;\n.end\n",
                     cases[i].line, cases[i].line);
            const struct timing_launch l = {.text = text, .blocks = 1, .threads = 8 * sectors};
            struct fh_timer *timer = timing_run(&machine, &l);
            timing_check(timer);
            assert_int_equal(waited(timer, 5), 289 + 4 * (sectors - 1));
            assert_int_equal(waited(timer, 8), cases[i].again - 1 + cases[i].each * (sectors - 1));
            assert_int_equal(kernel(timer)->sm.traffic.l2_sectors,
                             sectors * (cases[i].each ? 2 : 1));
            assert_int_equal(kernel(timer)->sm.traffic.hbm_sectors, sectors);
            fh_timer_free(timer);
        }
}

/* L2 that has been freed has no lines, and can be used and freed again. */
static void test_l2_again(void **unused) {
    (void)unused;
    struct fh_time_l2 l2 = {.capacity = 1000};
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(fh_time_l2_access(&l2, 5 << FH_TIME_SECTORS | 3, 1), 2);
        assert_int_equal(fh_time_l2_access(&l2, 5 << FH_TIME_SECTORS | 7, 2), 1);
        assert_int_equal(fh_time_l2_access(&l2, 5 << FH_TIME_SECTORS | 7, 3), 0);
        assert_false(l2.failed);
        fh_time_l2_free(&l2);
        fh_time_l2_free(&l2);
    }
}

/* Warp 1 comes to the barrier late; both go on when it has. */
static void test_barrier(void **unused) {
    (void)unused;
    struct fh_time_machine machine;
    static const char *const changes[] = {"schedulers 2", NULL};
    timing_machine(&machine, "a100", changes);
    static const char text[] = ".target sm_80\n.kernel K\n"
                               "[B------:R-:W0:-:S02] S2R R0, SR_TID.X ;\n"
                               "[B0-----:R-:W-:-:S13] ISETP.LT.U32.AND P0, PT, R0, 0x20, PT ;\n"
                               "[B------:R-:W-:-:S05] @P0 BRA on ;\n"
                               "[B------:R-:W-:Y:S15] NOP ;\n"
                               "[B------:R-:W-:Y:S15] NOP ;\n"
                               "on:\n"
                               "[B------:R-:W-:-:S05] BAR.SYNC 0x0 ;\n"
                               "[B------:R-:W-:-:S05] EXIT ;\n.end\n";
    const struct timing_launch l = {.text = text, .blocks = 1, .threads = 64};
    struct fh_timer *timer = timing_run(&machine, &l);
    timing_check(timer);
    /* The barrier takes six cycles, the last of which issues EXIT. Warp 0 comes thirty cycles
     * before warp 1 and two more, since the number of its thread goes through the port first. */
    assert_int_equal(kernel(timer)->words[6].cycles[FH_TIME_WAIT_BARRIER], 5 + 5 + 30 + 2);
    fh_timer_free(timer);
}

/* Warp 0 has come to two barriers, and waits at the second of them; the end of warp 1, thirty
 * cycles and two later, opens both. */
static void test_barrier_of_the_ended(void **unused) {
    (void)unused;
    struct fh_time_machine machine;
    static const char *const changes[] = {"schedulers 2", "op EXIT on control latency 1", NULL};
    timing_machine(&machine, "a100", changes);
    static const char text[] = ".target sm_80\n.kernel K\n"
                               "[B------:R-:W0:-:S02] S2R R0, SR_TID.X ;\n"
                               "[B0-----:R-:W-:-:S13] ISETP.LT.U32.AND P0, PT, R0, 0x20, PT ;\n"
                               "[B------:R-:W-:-:S05] @P0 BRA on ;\n"
                               "[B------:R-:W-:Y:S15] NOP ;\n"
                               "[B------:R-:W-:Y:S15] NOP ;\n"
                               "[B------:R-:W-:-:S05] EXIT ;\n"
                               "on:\n"
                               "[B------:R-:W-:-:S05] BAR.ARV 0x1 ;\n"
                               "[B------:R-:W-:-:S05] BAR.SYNC 0x2 ;\n"
                               "[B------:R-:W-:-:S05] EXIT ;\n.end\n";
    const struct timing_launch l = {.text = text, .blocks = 1, .threads = 64};
    struct fh_timer *timer = timing_run(&machine, &l);
    timing_check(timer);
    /* Behind BAR.ARV, five cycles, BAR.SYNC issues: 27 before EXIT, in the cycle behind which the
     * other one does. */
    assert_int_equal(kernel(timer)->words[8].cycles[FH_TIME_WAIT_BARRIER], 30 + 2 - 5);
    fh_timer_free(timer);
}

/* Three operands of one bank take a port three cycles; two of one and one of the other, two; those
 * that are kept for reuse, none. All are read in the three cycles behind the issue, so that what is
 * read in two makes the third instruction the first one to wait. The unit, which takes an
 * instruction a cycle here, is no bound. */
static void test_ports(void **unused) {
    (void)unused;
    static const struct {
        const char *line;
        uint32_t each, waited[4]; /* of the first ones */
    } cases[] = {
        {"[B------:R-:W-:-:S01] FFMA R1, R2, R4, R6 ;\n", 3, {0, 2, 2, 2}},
        {"[B------:R-:W-:-:S01] FFMA R1, R2, R3, R4 ;\n", 2, {0, 0, 1, 1}},
        {"[B------:R-:W-:-:S01] FFMA R1, R2, R3, RZ ;\n", 1, {0, 0, 0, 0}},
        {"[B------:R-:W-:-:S01] FFMA R1, R2.reuse, R4, R6 ;\n", 2, {0, 1, 1, 1}},
        {"[B------:R-:W-:-:S01] FFMA R1, R2.reuse, R4.reuse, R6.reuse ;\n", 1, {0, 0, 0, 0}},
    };
    static const char *const changes[] = {"pipe fma interval 1", NULL};
    struct fh_time_machine machine;
    timing_machine(&machine, "a100", changes);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char *text[2];
        for (unsigned k = 0; k < 2; k++)
            text[k] = timing_chain(".target sm_80\n.kernel K\n", cases[i].line, 50 + 100 * k);
        assert_int_equal(timing_cycles(&machine, text[1], 1, 32) -
                             timing_cycles(&machine, text[0], 1, 32),
                         100 * cases[i].each);
        const struct timing_launch l = {.text = text[0], .blocks = 1, .threads = 32};
        struct fh_timer *timer = timing_run(&machine, &l);
        for (uint32_t k = 0; k < 4; k++)
            assert_int_equal(waited(timer, k), cases[i].waited[k]);
        fh_timer_free(timer);
        free(text[0]);
        free(text[1]);
    }
}

/* Blocks of 8 warps on the GTX 580 with 20, 32 and 63 registers: 48, 32 and 16 warps; on the A100
 * what its documents say. */
static void test_occupancy(void **unused) {
    (void)unused;
    static const struct {
        const char *machine;
        uint32_t registers, shared, threads, warps;
        const char *limit;
    } cases[] = {
        {"gtx580", 20, 0, 256, 48, "warps"},     {"gtx580", 32, 0, 256, 32, "registers"},
        {"gtx580", 63, 0, 256, 16, "registers"}, {"gtx580", 20, 0, 32, 8, "blocks"},
        {"a100", 32, 0, 256, 64, "warps"},       {"a100", 128, 0, 256, 16, "registers"},
        {"a100", 32, 40960, 256, 32, "shared"},  {"a100", 16, 0, 32, 32, "blocks"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fh_time_machine machine;
        char text[200];
        static const char *const changes[] = {"sms 1", NULL};
        timing_machine(&machine, cases[i].machine, changes);
        snprintf(text, sizeof text, ".target sm_80\n.kernel K\n%s%u\nMOV R%u, RZ ;\nEXIT ;\n.end\n",
                 cases[i].shared ? ".shared d, " : "// ", cases[i].shared, cases[i].registers - 1);
        const struct timing_launch l = {.text = text, .blocks = 64, .threads = cases[i].threads};
        struct fh_timer *timer = timing_run(&machine, &l);
        assert_int_equal(kernel(timer)->warps, cases[i].warps);
        assert_string_equal(kernel(timer)->occupancy.limit, cases[i].limit);
        timing_check(timer);
        fh_timer_free(timer);
    }
}

/* ---------------------------------------------------------------- descriptions */

struct said {
    char text[2000];
};

static void keep(void *user, const fhec_diagnostic *d) {
    struct said *said = user;
    snprintf(said->text + strlen(said->text), sizeof said->text - strlen(said->text),
             "%s:%u:%u: %s\n", d->at.file, d->at.line, d->at.column, d->message);
}

static bool find(void *user, const char *name, const char **text, const char **file) {
    (void)user;
    *file = name;
    *text = strcmp(name, "round") == 0 ? "machine round\nlike round\n" : NULL;
    return *text;
}

static void test_wrong(void **unused) {
    (void)unused;
    static const struct {
        const char *text, *said;
    } cases[] = {
        {"clock 1000\n", "m:1:1: the file does not say \"machine NAME\"\n"},
        {"machine a\nclock fast\n", "m:2:7: clock is a number, not \"fast\"\n"},
        {"machine a\nclock -1\nsms 0\n",
         "m:2:7: clock is a number, not \"-1\"\nm:3:5: sms is from 1 to 4096\n"},
        {"machine a\nwarps 2.5\n", "m:2:7: warps is a whole number\n"},
        {"machine a\nclocks 3\n", "m:2:1: there is no statement \"clocks\"\n"},
        {"machine a\nregisters 10 units 3\n", "m:2:14: registers has no \"units\"\n"},
        {"machine a\nop FMUL on fma\n", "m:2:12: there is no unit \"fma\" above\n"},
        {"machine a\nunit f each\nop FMUL latency 3\n", "m:3:18: \"on UNIT\" is missing\n"},
        {"machine a\nunit f some\n", "m:2:8: whose it is is one of each, shared, not \"some\"\n"},
        {"machine a\nlike b\n", "m:2:6: there is no machine \"b\"\n"},
        {"machine a\nclock 5\nlike round\n", "m:3:6: like comes first, behind machine\n"},
        {"machine a\nlike round\n", "round:2:6: a machine is like another one 8 times at most\n"},
        {"machine a\n", "m:1:1: machine a does not say its clock\n"},
        {"machine a\nlatency load.shared 1 2\n",
         "m:2:24: the latency of 32, 64 and 128 bits is missing\n"},
        {"machine a\nslot 1 2\n", "m:2:8: slot has no \"2\"\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct said said = {""};
        const struct fh_time_reading reading = {keep, find, &said};
        struct fh_time_machine machine;
        assert_int_equal(fh_time_machine_read("m", cases[i].text, &reading, &machine),
                         FHEC_BAD_INPUT);
        assert_string_equal(said.text, cases[i].said);
    }
}

/* Every statement that docs/machines.md does not call optional is missed where it is not there. */
static void test_missing(void **unused) {
    (void)unused;
    static const struct {
        const char *statement, *missed;
    } parts[] = {
        {"clock 1", "clock"},
        {"sms 1", "sms"},
        {"schedulers 1", "schedulers"},
        {"slot 1", "slot"},
        {"warps 1", "warps"},
        {"blocks 1", "blocks"},
        {"registers 1", "registers"},
        {"registers unit 1", "registers unit"},
        {"shared unit 1", "shared unit"},
        {"queue 1", "queue"},
        {"queue interval 1", "queue interval"},
        {"queue shared 1", "queue shared"},
        {"pass 1", "pass"},
        {"l1 width 32", "l1 width"},
        {"l2 latency 1", "l2 latency"},
        {"l2 bandwidth 1", "l2 bandwidth"},
        {"hbm 1", "hbm"},
        {"hbm latency 1", "hbm latency"},
    };
    for (size_t missing = 0; missing <= COUNT_OF(parts); missing++) {
        struct said said = {""};
        const struct fh_time_reading reading = {keep, find, &said};
        struct fh_time_machine machine;
        char text[1000] = "machine a\n", wanted[100];
        for (size_t i = 0; i < COUNT_OF(parts); i++)
            if (i != missing)
                snprintf(text + strlen(text), sizeof text - strlen(text), "%s\n",
                         parts[i].statement);
        strcat(text, "unit f each\npipe fma on f\n");
        const bool all = missing == COUNT_OF(parts);
        snprintf(wanted, sizeof wanted, "machine a does not say its %s\n",
                 all ? "" : parts[missing].missed);
        const fhec_status status = fh_time_machine_read("m", text, &reading, &machine);
        if (all ? status != FHEC_OK || *said.text
                : status != FHEC_BAD_INPUT || !strstr(said.text, wanted))
            fail_msg("without %s: %s", all ? "nothing" : parts[missing].missed, said.text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queue),     cmocka_unit_test(test_depbar),
        cmocka_unit_test(test_sectors),   cmocka_unit_test(test_l2_again),
        cmocka_unit_test(test_barrier),   cmocka_unit_test(test_ports),
        cmocka_unit_test(test_occupancy), cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_missing),   cmocka_unit_test(test_barrier_of_the_ended),
    };
    return cmocka_run_group_tests_name("time_units", tests, NULL, NULL);
}
