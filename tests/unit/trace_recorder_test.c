/* What a recorder keeps of a run, by the parts that are asked for: each register once, accesses
 * with the names of what lies there, what else happened with its numbers. */
#include "emu_util.h"
#include "recorder.h"
#include "trace_util.h"

enum { MOST = 4096 };

/* A line for each record: "retire 10 R1 <R0 <P0 +global 4 buf". */
struct seen {
    char text[MOST];
    size_t records;
    bool refuse;
};

static void say(struct seen *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct seen *s, const char *format, ...) {
    const size_t used = strlen(s->text);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(s->text + used, MOST - used, format, arguments);
    va_end(arguments);
}

static bool put(void *user, struct fh_trace_names *names, const struct fh_trace_record *r) {
    static const char *const files[] = {"R", "P", "UR", "UP", "B"};
    struct seen *s = user;
    s->records++;
    say(s, "%s", fhec_event_name(r->kind));
    if (fh_trace_is_instruction(r))
        say(s, " %x", (unsigned)r->pc);
    for (size_t i = 0; i < r->register_count; i++)
        say(s, " %s%s%u", r->registers[i].read ? "<" : "", files[r->registers[i].file],
            r->registers[i].number);
    for (size_t i = 0; i < r->access_count; i++) {
        const struct fh_trace_access *a = &r->accesses[i];
        const struct fh_trace_object *o = fh_trace_object_at(names, a->space, a->bank, r->launch,
                                                             a->address[__builtin_ctz(a->lanes)]);
        say(s, " +%s %u %s", fhec_space_name(a->space), a->bytes, o ? o->name : "?");
    }
    if (!fh_trace_is_instruction(r) && r->kind != FHEC_EVENT_LAUNCH_END)
        for (unsigned i = 0; i < 3; i++)
            say(s, " %llu",
                r->kind >= FHEC_EVENT_ALLOC && !i ? 0ULL : (unsigned long long)r->numbers[i]);
    say(s, "\n");
    return !s->refuse;
}

static const char text[] = ".target sm_80\n.kernel k\n.param out, 8\n.shared s, 256\n"
                           "S2R R0, SR_TID.X ;\n"                     /* 0 */
                           "IMAD R1, R0, R0, R0 ;\n"                  /* 10 */
                           "MOV R2, out ;\nMOV R3, c[0x0][0x164] ;\n" /* 20, 30 */
                           "ISETP.LT.U32.AND P0, P1, R0, 0x5, PT ;\n" /* 40 */
                           "UMOV UR4, 0x5 ;\n"                        /* 50 */
                           "STS [R0.X4], R1 ;\n"                      /* 60 */
                           "BAR.SYNC 0x0 ;\n"                         /* 70 */
                           "@P0 STG.E [R2.64], R0 ;\n"                /* 80 */
                           "EXIT ;\n.end\n";                          /* 90 */

static void recorded(unsigned parts, const char *selected, const char *want) {
    struct seen seen = {.text = ""};
    struct fh_trace_select select = {0};
    fhec_program *program = emu_assemble(text);
    fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    struct fh_trace_recorder *recorder;
    uint64_t out;
    char word[4] = "abc";
    if (selected)
        assert_null(fh_trace_select_add(&select, FH_TRACE_BY_PC, selected));
    assert_int_equal(
        fh_trace_record(m, parts, &select, (struct fh_trace_sink){&seen, put}, &recorder), FHEC_OK);
    assert_int_equal(fhec_alloc(m, "buffer", 256, 0, &out), FHEC_OK);
    assert_int_equal(fhec_write(m, out + 8, word, 4), FHEC_OK);
    emu_run_ok(m, program, 1, 32, &out, 1);
    assert_int_equal(fhec_read(m, out + 4, word, 2), FHEC_OK);
    assert_int_equal(fhec_release(m, out), FHEC_OK);
    assert_true(fh_trace_record_end(recorder));
    assert_string_equal(seen.text, want);
    fh_trace_select_free(&select);
    fhec_machine_free(m);
    fhec_program_free(program);
}

#define BEGIN "launch begins 0 0 0\n"
#define END   "launch ends\n"

static void parts(void **state) {
    (void)state;
    recorded(FH_TRACE_FETCH, NULL,
             BEGIN "retire 0\nretire 10\nretire 20\nretire 30\nretire 40\nretire 50\nretire 60\n"
                   "retire 70\nretire 80\nretire 90\n" END);
    recorded(FH_TRACE_FETCH | FH_TRACE_REGS, NULL,
             BEGIN "retire 0 R0\nretire 10 R1\nretire 20 R2\nretire 30 R3\nretire 40 P0 P1\n"
                   "retire 50 UR4\nretire 60\nretire 70\nretire 80\nretire 90\n" END);
    recorded(FH_TRACE_FETCH | FH_TRACE_READS, NULL,
             BEGIN "retire 0\nretire 10 <R0\nretire 20\nretire 30\nretire 40 <R0\nretire 50\n"
                   "retire 60 <R0 <R1\nretire 70\nretire 80 <P0 <R2 <R3 <R0\nretire 90\n" END);
    recorded(FH_TRACE_FETCH | FH_TRACE_MEM, NULL,
             BEGIN "retire 0\nretire 10\nretire 20\nretire 30\nretire 40\nretire 50\n"
                   "retire 60 +shared 4 ?\nretire 70\nretire 80 +global 4 buffer\nretire 90\n" END);
    recorded(FH_TRACE_FETCH | FH_TRACE_CONSTANTS, NULL,
             BEGIN "retire 0\nretire 10\nretire 20 +constant 4 out\nretire 30 +constant 4 out\n"
                   "retire 40\nretire 50\nretire 60\nretire 70\nretire 80\nretire 90\n" END);
    recorded(FH_TRACE_HOST, "0",
             "alloc 0 0 256\nhost write 0 8 4\n" BEGIN END "host read 0 4 2\n"
             "free 0 0 0\n");
    recorded(FH_TRACE_SYNC, "70", BEGIN "arrive 0 32 32\nrelease 0 32 0\n" END);
}

/* A log of instructions alone, of many frames: whatever is selected, all of it is found. */
static void frames(void **state) {
    (void)state;
    enum { ROUNDS = 20000 };
    fhec_program *program = emu_assemble(
        ".target sm_80\n.kernel k\nMOV R0, 0x4e20 ;\nagain: IADD3 R0, R0, -0x1, RZ ;\n"
        "ISETP.NE.U32.AND P0, PT, R0, RZ, PT ;\n@P0 BRA again ;\nMOV R1, R0 ;\nEXIT ;\n.end\n");
    fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    const struct fh_trace_select all = {0};
    struct fh_trace_bytes log = {0};
    struct fh_trace_recorder *recorder;
    struct fh_trace_log_writer *writer =
        fh_trace_log_new((struct fh_trace_out){&log, trace_collect});
    assert_int_equal(fh_trace_record(m, FH_TRACE_FETCH, &all, fh_trace_log_sink(writer), &recorder),
                     FHEC_OK);
    for (unsigned i = 0; i < 2; i++)
        emu_run_ok(m, program, 1, 32, NULL, 0);
    assert_true(fh_trace_log_end(writer, fh_trace_recorder_names(recorder)));
    assert_true(fh_trace_record_end(recorder));
    static const struct {
        enum fh_trace_subject subject;
        const char *text;
        size_t count; /* of both launches */
    } cases[] = {
        {FH_TRACE_BY_PC, "0", 2},
        {FH_TRACE_BY_PC, "10", 2 * ROUNDS},
        {FH_TRACE_BY_PC, "30", 2 * ROUNDS},
        {FH_TRACE_BY_PC, "20-30", 4 * ROUNDS},
        {FH_TRACE_BY_PC, "30-50", 2 * ROUNDS + 4},
        {FH_TRACE_BY_PC, "50", 2},
        {FH_TRACE_BY_PC, "60", 0},
        {FH_TRACE_BY_WARP, "0", 6 * ROUNDS + 6},
        {FH_TRACE_BY_WARP, "1", 0},
        {FH_TRACE_BY_BLOCK, "0", 6 * ROUNDS + 6},
        {FH_TRACE_BY_BLOCK, "1", 0},
        {FH_TRACE_BY_LAUNCH, "2", 3 * ROUNDS + 3},
        {FH_TRACE_BY_LAUNCH, "1", 3 * ROUNDS + 3},
        {FH_TRACE_BY_LANE, "31", 6 * ROUNDS + 4}, /* the last branches are taken by no lane */
        {FH_TRACE_BY_OPCODE, "IADD3", 2 * ROUNDS},
        {FH_TRACE_BY_REGISTER, "R0", 0}, /* none is recorded */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fh_trace_select select = {0};
        struct fh_trace_log *opened;
        const struct fh_trace_record *r;
        char why[FH_TRACE_WHY];
        size_t count = 0;
        assert_null(fh_trace_select_add(&select, cases[i].subject, cases[i].text));
        assert_int_equal(trace_open(&log, &opened, why), FHEC_OK);
        for (;;) {
            assert_int_equal(fh_trace_log_next(opened, &select, &r, why), FHEC_OK);
            if (!r)
                break;
            count += fh_trace_is_instruction(r);
        }
        if (count != cases[i].count)
            fail_msg("%s: %zu of %zu", cases[i].text, count, cases[i].count);
        fh_trace_log_free(opened);
        fh_trace_select_free(&select);
    }
    fh_trace_bytes_free(&log);
    fhec_machine_free(m);
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts), cmocka_unit_test(frames)};
    return cmocka_run_group_tests_name("trace_recorder", tests, NULL, NULL);
}
