/*
 * time_order_test.c - which warp issues what in which cycle, and what its scheduler waited for, of
 * kernels of few instructions, by the rules of docs/timing.md and docs/machines.md.
 */
#include "issue_log.h"
#include "time_machine.h"
#include "timing_util.h"

/* Four instructions a warp, which wait for nothing but their stall counts; unit u takes one a
 * cycle, v one in three, w is one for all schedulers and takes one in two. */
#define MACHINE                                                                                    \
    "machine m\nclock 1000\nsms 1\nslot 1\nwarps 64\nregisters 65536 unit 256\n"                   \
    "shared 65536 unit 128\nqueue 5 interval 4 shared 2\npass 2\nl1 width 128\n"                   \
    "l2 latency 300 bandwidth 64\nhbm 1.5 latency 400\nunit u each\nunit v each\nunit w shared\n"  \
    "op MOV on u\nop EXIT on u\nop NOP on u\nop IADD3 on u latency 6\nop FADD on v interval 3\n"   \
    "op FMUL on w interval 2\nop POPC on u or v interval 2\nop BAR on u latency 5\nop S2R on u\n"  \
    "op ISETP on u\nop BRA on u\n"

static bool find(void *user, const char *name, const char **text, const char **file) {
    (void)user, (void)name, (void)text, (void)file;
    return false;
}

static void say(void *user, const fhec_diagnostic *d) {
    (void)user;
    print_error("%u:%u: %s\n", d->at.line, d->at.column, d->message);
}

/* "0 1.2 4" for each issue: cycle, block's place and warp, word; with "-why 3" the cycles before it
 * in which its scheduler issued nothing. */
static void issues(const char *more, const char *body, uint32_t blocks, uint32_t threads,
                   char *text, size_t size) {
    struct fh_time_machine machine;
    struct fh_issue_log log = {.to = UINT64_MAX, .most = 1000};
    const struct fh_time_reading reading = {say, find, NULL};
    char source[2000], lines[2000];
    snprintf(lines, sizeof lines, "%s%s", MACHINE, more);
    assert_int_equal(fh_time_machine_read("m", lines, &reading, &machine), FHEC_OK);
    struct fh_timer *timer = fh_timer_new(&machine);
    const fhec_machine_options options = {.threads = 1, .order = fh_timer_order(timer)};
    fhec_machine *m;
    snprintf(source, sizeof source, ".target sm_80\n.kernel K\n%sEXIT ;\n.end\n", body);
    fhec_program *program = emu_assemble(source);
    assert_int_equal(fhec_machine_new(&options, &m), FHEC_OK);
    assert_int_equal(fh_timer_attach(timer, m), FHEC_OK);
    fh_timer_keep(timer, &log);
    emu_run_ok(m, program, blocks, threads, NULL, 0);
    fh_timer_detach(timer);
    assert_null(fh_timer_failed(timer));
    timing_check(timer);
    *text = '\0';
    for (size_t i = 0; i < log.count; i++) {
        const struct fh_issue_log_event *e = &log.events[i];
        char *at = text + strlen(text);
        at += snprintf(at, size - (size_t)(at - text), "%s%llu %u.%u %u", i ? ", " : "",
                       (unsigned long long)e->begin, e->slot, e->warp, e->word);
        if (e->waited)
            snprintf(at, size - (size_t)(at - text), " -%s %llu",
                     fh_time_reason_name((enum fh_time_reason)e->why),
                     (unsigned long long)e->waited);
    }
    fh_issue_log_free(&log);
    fhec_machine_free(m);
    fhec_program_free(program);
    fh_timer_free(timer);
}

#define S(n) "[B------:R-:W-:-:S0" #n "] "
#define ONE  "schedulers 1\nblocks 32\n"

static const struct order_case {
    const char *machine, *body;
    uint32_t blocks, threads;
    const char *issues;
} cases[] = {
    /* One warp: as its stall counts say. */
    {ONE, S(1) "MOV R1, 0x1 ;\n" S(4) "MOV R2, 0x1 ;\n" S(2) "MOV R3, 0x1 ;\n" S(5), 1, 32,
     "0 0.0 0, 1 0.0 1, 5 0.0 2 -stall_count 3, 7 0.0 3 -stall_count 1"},
    /* Three warps that can always go on. */
    {ONE "policy greedy-youngest\n", S(1) "MOV R1, 0x1 ;\n" S(5), 1, 96,
     "0 0.2 0, 1 0.2 1, 2 0.1 0, 3 0.1 1, 4 0.0 0, 5 0.0 1"},
    {ONE "policy greedy-oldest\n", S(1) "MOV R1, 0x1 ;\n" S(5), 1, 96,
     "0 0.0 0, 1 0.0 1, 2 0.1 0, 3 0.1 1, 4 0.2 0, 5 0.2 1"},
    {ONE "policy oldest\n", S(1) "MOV R1, 0x1 ;\n" S(5), 1, 96,
     "0 0.0 0, 1 0.0 1, 2 0.1 0, 3 0.1 1, 4 0.2 0, 5 0.2 1"},
    {ONE "policy behind\n", S(1) "MOV R1, 0x1 ;\n" S(5), 1, 96,
     "0 0.0 0, 1 0.1 0, 2 0.2 0, 3 0.0 1, 4 0.1 1, 5 0.2 1"},
    /* Every other cycle: the one that issued last cannot. */
    {ONE "policy greedy-youngest\n", S(2) "MOV R1, 0x1 ;\n" S(2) "MOV R1, 0x1 ;\n" S(5), 1, 96,
     "0 0.2 0, 1 0.1 0, 2 0.2 1, 3 0.1 1, 4 0.2 2, 5 0.1 2, 6 0.0 0, 8 0.0 1 -stall_count 1, "
     "10 0.0 2 -stall_count 1"},
    {ONE "policy oldest\n", S(2) "MOV R1, 0x1 ;\n" S(2) "MOV R1, 0x1 ;\n" S(5), 1, 96,
     "0 0.0 0, 1 0.1 0, 2 0.0 1, 3 0.1 1, 4 0.0 2, 5 0.1 2, 6 0.2 0, 8 0.2 1 -stall_count 1, "
     "10 0.2 2 -stall_count 1"},
    /* A slot of two cycles. */
    {ONE "slot 2\n", S(1) "MOV R1, 0x1 ;\n" S(3) "MOV R1, 0x1 ;\n" S(5), 1, 32,
     "0 0.0 0, 2 0.0 1, 5 0.0 2 -stall_count 1"},
    /* Warps belong to schedulers by their numbers. */
    {"schedulers 2\nblocks 32\npolicy oldest\n", S(1) "MOV R1, 0x1 ;\n" S(5), 1, 96,
     "0 0.0 0, 0 0.1 0, 1 0.1 1, 1 0.0 1, 2 0.2 0, 3 0.2 1"},
    /* A unit that is busy. */
    {ONE, S(1) "FADD R1, R1, R1 ;\n" S(1) "FADD R2, R2, R2 ;\n" S(5), 1, 32,
     "0 0.0 0, 3 0.0 1 -unit_busy 2, 4 0.0 2"},
    /* One for both schedulers: they take turns in going first. */
    {"schedulers 2\nblocks 32\n", S(1) "FMUL R1, R1, R1 ;\n" S(5), 1, 64,
     "0 0.0 0, 1 0.0 1, 2 0.1 0 -unit_busy 2, 3 0.1 1"},
    /* The first of two units that is free. */
    {ONE, S(1) "POPC R1, R1 ;\n" S(1) "POPC R2, R2 ;\n" S(1) "POPC R3, R3 ;\n" S(5), 1, 32,
     "0 0.0 0, 1 0.0 1, 2 0.0 2, 4 0.0 3 -unit_busy 1"},
    /* A machine that watches registers: six cycles after the IADD3. */
    {ONE "dependences scoreboard\n",
     S(9) "IADD3 R1, R1, 0x1, RZ ;\n" S(9) "MOV R2, 0x1 ;\n" S(9) "IADD3 R3, R1, 0x1, RZ ;\n" S(
         9) "MOV R3, 0x1 ;\n" S(5),
     1, 32, "0 0.0 0, 1 0.0 1, 6 0.0 2 -dependence 4, 12 0.0 3 -dependence 5, 13 0.0 4"},
    /* Blocks: as many at once as there is room for; the next one when one has ended. */
    {"schedulers 1\nblocks 1\n", S(1) "MOV R1, 0x1 ;\n" S(5), 3, 32,
     "0 0.0 0, 1 0.0 1, 6 0.0 0 -no_warp 4, 7 0.0 1, 12 0.0 0 -no_warp 4, 13 0.0 1"},
    {"schedulers 1\nblocks 2\npolicy greedy-oldest\n", S(1) "MOV R1, 0x1 ;\n" S(5), 3, 32,
     "0 0.0 0, 1 0.0 1, 2 1.0 0, 3 1.0 1, 6 0.0 0 -no_warp 2, 7 0.0 1"},
    /* The next block in a place knows nothing of what the last one waits for. */
    {"schedulers 1\nblocks 1\nop S2R on u latency 100\n",
     "[B012345:R-:W-:-:S01] MOV R2, 0x1 ;\n[B------:R-:W1:-:S01] S2R R1, SR_LANEID ;\n"
     "[B------:R-:W5:-:S01] S2R R3, SR_LANEID ;\n" S(5),
     2, 32, "0 0.0 0, 1 0.0 1, 2 0.0 2, 3 0.0 3, 8 0.0 0 -no_warp 4, 9 0.0 1, 10 0.0 2, 11 0.0 3"},
    /* A scoreboard: the result, or when registers may be overwritten. */
    {ONE "op S2R on u latency 20 read 9\n",
     "[B------:R-:W1:-:S01] S2R R1, SR_LANEID ;\n[B------:R4:W2:-:S01] S2R R3, SR_LANEID ;\n"
     "[B----4-:R-:W-:-:S01] MOV R2, 0x1 ;\n[B-1----:R-:W-:-:S01] MOV R2, 0x1 ;\n"
     "[B--2---:R-:W-:-:S01] MOV R2, 0x1 ;\n" S(5),
     1, 32, "0 0.0 0, 1 0.0 1, 10 0.0 2 -other_unit 8, 20 0.0 3 -other_unit 9, 21 0.0 4, 22 0.0 5"},
    /* All that is outstanding on one. */
    {ONE "op S2R on u latency 20\n",
     "[B------:R-:W1:-:S01] S2R R1, SR_LANEID ;\n[B------:R-:W1:-:S04] S2R R3, SR_LANEID ;\n"
     "[B------:R-:W1:-:S01] S2R R4, SR_LANEID ;\n[B-1----:R-:W-:-:S01] MOV R2, 0x1 ;\n"
     "[B-1----:R-:W-:-:S01] MOV R2, 0x1 ;\n" S(5),
     1, 32,
     "0 0.0 0, 1 0.0 1, 5 0.0 2 -stall_count 3, 25 0.0 3 -other_unit 19, 26 0.0 4, 27 0.0 5"},
    {"schedulers 1\nblocks 1\npolicy oldest\n", S(1) "BAR.SYNC 0x0 ;\n" S(1) "MOV R1, 0x1 ;\n" S(5),
     2, 64,
     "0 0.0 0, 1 0.1 0, 6 0.0 1 -barrier 4, 7 0.0 2, 8 0.1 1, 9 0.1 2, "
     "14 0.0 0 -no_warp 4, 15 0.1 0, 20 0.0 1 -barrier 4, 21 0.0 2, 22 0.1 1, 23 0.1 2"},
    /* A barrier opens five cycles after the last one has come. */
    {ONE "policy oldest\n", S(1) "BAR.SYNC 0x0 ;\n" S(1) "MOV R1, 0x1 ;\n" S(5), 1, 64,
     "0 0.0 0, 1 0.1 0, 6 0.0 1 -barrier 4, 7 0.0 2, 8 0.1 1, 9 0.1 2"},
};

static void test_orders(void **unused) {
    (void)unused;
    unsigned wrong = 0;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char text[2000];
        issues(cases[i].machine, cases[i].body, cases[i].blocks, cases[i].threads, text,
               sizeof text);
        if (strcmp(text, cases[i].issues) == 0)
            continue;
        print_error("case %zu: %s\n  wanted %s\n", i, text, cases[i].issues);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* Shared and global memory, a barrier, a loop. */
static const char busy[] =
    ".target sm_80\n.kernel K\n.param x, 8\n.shared s, 8192\nS2R R0, SR_TID.X ;\n"
    "IMAD R8, R0, 0x8, RZ ;\nMOV R2, x ;\nMOV R3, x + 4 ;\nIMAD.WIDE.U32 R4, R0, 0x20, R2 ;\n"
    "MOV R9, RZ ;\nagain:\nLDG.E R6, [R4.64] ;\nSTS [R8], R6 ;\nBAR.SYNC 0x0 ;\nLDS R7, [R8] ;\n"
    "STG.E [R4.64], R7 ;\nIADD3 R9, R9, 0x1, RZ ;\nISETP.LT.U32.AND P0, PT, R9, 0x3, PT ;\n"
    "@P0 BRA again ;\nEXIT ;\n.end\n";

static struct fh_timer *launches(const struct fh_time_machine *machine, unsigned count) {
    struct fh_timer *timer = fh_timer_new(machine);
    const fhec_machine_options options = {.threads = 1, .order = fh_timer_order(timer)};
    fhec_program *program = emu_assemble(busy);
    fhec_machine *m;
    uint64_t x;
    assert_int_equal(fhec_machine_new(&options, &m), FHEC_OK);
    assert_int_equal(fhec_alloc(m, "x", 65536, 0, &x), FHEC_OK);
    assert_int_equal(fh_timer_attach(timer, m), FHEC_OK);
    while (count--)
        emu_run_ok(m, program, 5, 128, &x, 1);
    fh_timer_detach(timer);
    assert_null(fh_timer_failed(timer));
    fhec_machine_free(m);
    fhec_program_free(program);
    return timer;
}

/* Three launches of which none finds anything in L2 take three times what one does. */
static void test_sums(void **unused) {
    (void)unused;
    static const char *const names[] = {"a100", "mi100"};
    static const char *const changes[] = {"sms 2", "l2 0", "launch 1000", NULL};
    for (unsigned n = 0; n < 2; n++) {
        struct fh_time_machine machine;
        timing_machine(&machine, names[n], changes);
        struct fh_timer *once = launches(&machine, 1), *thrice = launches(&machine, 3);
        const struct fh_timed_kernel *a = fh_timer_kernel(once, 0), *b = fh_timer_kernel(thrice, 0);
        assert_null(fh_timer_kernel(thrice, 1));
        assert_true(b->launches == 3 && a->launches == 1);
        assert_int_equal(b->cycles, 3 * a->cycles);
        assert_int_equal(b->sm_cycles, 3 * a->sm_cycles);
        assert_int_equal(b->hbm_cycles, 3 * a->hbm_cycles);
        assert_int_equal(b->hbm_bytes, 3 * a->hbm_bytes);
        assert_int_equal(b->warp_insts, 3 * a->warp_insts);
        assert_int_equal(b->blocks, 15);
        assert_int_equal(b->sm_blocks, 9); /* of five blocks and two SMs, three */
        assert_true(b->resident == 3 && b->waves == 1 && b->warps == 12);
        assert_int_equal(a->cycles,
                         (a->sm_cycles > a->hbm_cycles ? a->sm_cycles : a->hbm_cycles) + 1000);
        const struct fh_time_traffic *s = &a->sm.traffic, *t = &b->sm.traffic;
        assert_int_equal(t->accesses, 3 * s->accesses);
        assert_int_equal(t->passes, 3 * s->passes);
        assert_int_equal(t->conflicts, 3 * s->conflicts);
        assert_int_equal(t->sectors, 3 * s->sectors);
        assert_int_equal(t->l1_hits, 3 * s->l1_hits);
        assert_int_equal(t->l2_sectors, 3 * s->l2_sectors);
        assert_int_equal(t->hbm_sectors, 3 * s->hbm_sectors);
        /* 3 blocks of 4 warps, three rounds: an LDS and an STS of two words a bank each; of loads
         * 32 sectors each, which are in L1 after the first round; of stores as many. */
        assert_int_equal(s->accesses, 72);
        assert_int_equal(s->passes, 144);
        assert_int_equal(s->conflicts, 72);
        assert_int_equal(s->sectors, 36 * 32);
        assert_int_equal(b->sm.issued, 3 * a->sm.issued);
        assert_int_equal(a->sm.issued, 12 * (6 + 3 * 8 + 1));
        assert_int_equal(b->sm.cycles, 3 * a->sm.cycles);
        for (unsigned r = 0; r < FH_TIME_REASONS; r++)
            assert_int_equal(b->sm.stalls[r], 3 * a->sm.stalls[r]);
        for (unsigned u = 0; u < FH_TIME_UNITS; u++)
            assert_int_equal(b->sm.busy[u], 3 * a->sm.busy[u]);
        for (uint32_t w = 0; w < a->of->count; w++)
            assert_int_equal(b->words[w].issued, 3 * a->words[w].issued);
        fh_timer_free(once);
        fh_timer_free(thrice);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_orders), cmocka_unit_test(test_sums)};
    return cmocka_run_group_tests_name("time_order", tests, NULL, NULL);
}
