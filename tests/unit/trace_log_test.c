/*
 * trace_log_test.c - logs of traces: what is read back is what was recorded, selections read only
 * what they need, damaged logs are errors, differences are found where they are.
 */
#include "emu_util.h"
#include "trace_util.h"

static const struct fh_trace_select everything;

/* Registers of all kinds, every space, atomics, a copy, lanes that part, a barrier; in the end a
 * fault if the parameter `bad` is not 0. */
static const char rich[] =
    ".target sm_80\n.kernel rich\n.param out, 8\n.param bad, 4\n.shared s, 1024\n.local 16\n"
    "S2R R0, SR_TID.X ;\nMOV R1, 0x4 ;\nIMAD.WIDE.U32 R2, R0, R1, out ;\n"
    "IADD3 R4, P1, R0, -0x10, RZ ;\nUMOV UR3, 0x99 ;\n"
    "UISETP.EQ.AND UP1, UPT, UR3, 0x99, UPT ;\n"
    "IMAD R5, R0, 0x4, RZ ;\n"
    "STS [R5], R4 ;\nSTL [RZ+0x4], R0 ;\nLDL R6, [RZ+0x4] ;\n"
    "@!P1 ATOMS.ADD R7, [RZ+0x200], R1 ;\n"
    "STG.E [R2.64], R0 ;\nLDGSTS.E [R5+0x200], [R2.64] ;\nLDGDEPBAR ;\nDEPBAR.LE SB0, 0x0 ;\n"
    "BAR.SYNC 0x0 ;\nLDS.U8 R8, [R5] ;\n"
    "BSSY B0, done ;\n@P1 BRA done ;\nMOV R9, R8 ;\ndone: BSYNC B0 ;\n"
    "MOV R10, bad ;\nISETP.NE.U32.AND P0, PT, R10, RZ, PT ;\n@P0 LDS R11, [R5+0x7ffc] ;\n"
    "EXIT ;\n.end\n";

struct params {
    uint64_t out;
    uint32_t bad, pad;
};

/* Records a launch as a log and, as it happens, as text and JSON. */
struct recorded {
    struct fh_trace_bytes log, text, json;
};

static void recorded_free(struct recorded *r) {
    fh_trace_bytes_free(&r->log);
    fh_trace_bytes_free(&r->text);
    fh_trace_bytes_free(&r->json);
}

static void record(const char *source, uint32_t blocks, uint32_t threads, uint32_t bad,
                   fhec_engine engine, const struct fh_trace_select *select, struct recorded *r) {
    fhec_program *program = emu_assemble(source);
    fhec_machine *m = emu_machine(engine, FHEC_SIMD_BEST, 1);
    struct params params = {.bad = bad};
    struct fh_trace_text printers[2] = {
        {.format = FH_TRACE_TEXT, .out = {&r->text, trace_collect}},
        {.format = FH_TRACE_JSON, .out = {&r->json, trace_collect}},
    };
    struct fh_trace_log_writer *writer =
        fh_trace_log_new((struct fh_trace_out){&r->log, trace_collect});
    struct fh_trace_recorder *recorders[3];
    assert_non_null(writer);
    assert_int_equal(
        fh_trace_record(m, FH_TRACE_ALL, select, fh_trace_log_sink(writer), &recorders[0]),
        FHEC_OK);
    for (unsigned i = 0; i < 2; i++) {
        printers[i].view.parts = FH_TRACE_ALL;
        printers[i].view.lanes = fh_trace_select_lanes(select);
        assert_int_equal(fh_trace_record(m, FH_TRACE_ALL, select, fh_trace_text_sink(&printers[i]),
                                         &recorders[i + 1]),
                         FHEC_OK);
    }
    assert_int_equal(fhec_alloc(m, "out", 4096, 0, &params.out), FHEC_OK);
    fhec_kernel_info info;
    assert_int_equal(fhec_kernel_get(program, 0, &info), FHEC_OK);
    const bool many = blocks % 6 == 0; /* in three dimensions */
    const fhec_launch launch = {.program = program,
                                .grid = {many ? 3 : blocks, many ? 2 : 1, many ? blocks / 6 : 1},
                                .block = {threads, 1, 1},
                                .params = &params,
                                .param_bytes = info.param_bytes};
    assert_int_equal(fhec_run(m, &launch), bad && source == rich ? FHEC_GUEST_FAULT : FHEC_OK);
    assert_true(fh_trace_log_end(writer, fh_trace_recorder_names(recorders[0])));
    for (unsigned i = 0; i < 3; i++)
        assert_true(fh_trace_record_end(recorders[i]));
    for (unsigned i = 0; i < 2; i++)
        fh_trace_bytes_free(&printers[i].line);
    fhec_machine_free(m);
    fhec_program_free(program);
}

static void require_equal(const struct fh_trace_bytes *got, const struct fh_trace_bytes *want) {
    size_t at = 0;
    while (at < got->count && at < want->count && got->bytes[at] == want->bytes[at])
        at++;
    if (at < got->count || at < want->count)
        fail_msg("%zu and %zu bytes; from byte %zu on\n%.300s\nand not\n%.300s", got->count,
                 want->count, at, at < got->count ? (const char *)got->bytes + at : "",
                 at < want->count ? (const char *)want->bytes + at : "");
}

/* The text of the log. */
static void text_of(const struct fh_trace_bytes *bytes, const struct fh_trace_select *select,
                    enum fh_trace_format format, struct fh_trace_bytes *text) {
    struct fh_trace_log *log;
    char why[FH_TRACE_WHY];
    if (trace_open(bytes, &log, why) != FHEC_OK ||
        trace_text(log, select, format, text, why) != FHEC_OK)
        fail_msg("%s", why);
    fh_trace_log_free(log);
}

static void test_back(void **state) {
    (void)state;
    for (uint32_t bad = 0; bad < 2; bad++) {
        struct recorded r = {0}, ref = {0};
        struct fh_trace_bytes text = {0}, json = {0};
        record(rich, 2, 64, bad, FHEC_ENGINE_FAST, &everything, &r);
        text_of(&r.log, &everything, FH_TRACE_TEXT, &text);
        text_of(&r.log, &everything, FH_TRACE_JSON, &json);
        assert_true(text.count > 10000);
        require_equal(&text, &r.text);
        require_equal(&json, &r.json);
        record(rich, 2, 64, bad, FHEC_ENGINE_REF, &everything, &ref);
        require_equal(&r.log, &ref.log); /* engines do the same, so their logs are the same */
        fh_trace_bytes_free(&text);
        fh_trace_bytes_free(&json);
        recorded_free(&ref);
        recorded_free(&r);
    }
}

/* ---------------------------------------------------------------- selections */

/* Enough for many frames: 24 blocks of two warps, 80 turns each. */
static const char loop[] = ".target sm_80\n.kernel loop\n.param out, 8\n.param bad, 4\n"
                           "S2R R0, SR_TID.X ;\nMOV R1, RZ ;\nMOV R2, 0x12345 ;\n"
                           "again: IMAD R2, R2, 0x8088405, R0 ;\n"
                           "LOP3.LUT R3, R2, R1, R0, 0x96, !PT ;\n"
                           "IADD3 R1, R1, 0x1, RZ ;\nISETP.LT.U32.AND P0, PT, R1, 0x50, PT ;\n"
                           "@P0 BRA again ;\nEXIT ;\n.end\n";

struct counted {
    const struct fh_trace_bytes *bytes;
    uint64_t read;
};

static bool read_counted(void *user, uint64_t offset, void *to, size_t size) {
    struct counted *c = user;
    c->read += size;
    memcpy(to, c->bytes->bytes + offset, size);
    return true;
}

/* What is selected of the log is what is recorded with the selection, and frames without any of it
 * are not read. */
static void test_selections(void **state) {
    (void)state;
    static const struct {
        enum fh_trace_subject subject;
        const char *text;
        unsigned most; /* percent of the log that it reads at most */
    } cases[] = {
        {FH_TRACE_BY_BLOCK, "7,11-12", 45}, {FH_TRACE_BY_WARP, "1", 100},
        {FH_TRACE_BY_PC, "20", 100},        {FH_TRACE_BY_LINE, "8", 100},
        {FH_TRACE_BY_OPCODE, "EXIT", 100},  {FH_TRACE_BY_REGISTER, "R3,P0", 100},
        {FH_TRACE_BY_LAUNCH, "1", 100},     {FH_TRACE_BY_KERNEL, "loop", 100},
        {FH_TRACE_BY_LANE, "5-7", 100},     {FH_TRACE_BY_PC, "50", 100},
    };
    struct recorded all = {0};
    record(loop, 24, 64, 0, FHEC_ENGINE_FAST, &everything, &all);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fh_trace_select select = {0};
        struct recorded some = {0};
        struct fh_trace_bytes text = {0};
        struct fh_trace_log *log;
        char why[FH_TRACE_WHY];
        struct counted counted = {&all.log, 0};
        const struct fh_trace_in in = {&counted, all.log.count, read_counted};
        assert_null(fh_trace_select_add(&select, cases[i].subject, cases[i].text));
        record(loop, 24, 64, 0, FHEC_ENGINE_FAST, &select, &some);
        assert_int_equal(fh_trace_log_open(&in, &log, why), FHEC_OK);
        assert_int_equal(trace_text(log, &select, FH_TRACE_TEXT, &text, why), FHEC_OK);
        require_equal(&text, &some.text);
        assert_true(text.count > 100 && (i > 5 || text.count < all.text.count));
        if (counted.read * 100 > all.log.count * (uint64_t)cases[i].most)
            fail_msg("case %zu reads %llu of %zu bytes", i, (unsigned long long)counted.read,
                     all.log.count);
        fh_trace_log_free(log);
        fh_trace_bytes_free(&text);
        recorded_free(&some);
        fh_trace_select_free(&select);
    }
    recorded_free(&all);
}

static void test_selection_texts(void **state) {
    (void)state;
    static const struct {
        enum fh_trace_subject subject;
        const char *text;
        bool good;
    } cases[] = {
        {FH_TRACE_BY_PC, "0", true},
        {FH_TRACE_BY_PC, "0x40-80,c0", true},
        {FH_TRACE_BY_PC, "40-", false},
        {FH_TRACE_BY_PC, "80-40", false},
        {FH_TRACE_BY_PC, "", false},
        {FH_TRACE_BY_PC, "40,", false},
        {FH_TRACE_BY_LINE, "12", true},
        {FH_TRACE_BY_LINE, "a:b.sass:3-4,7", true},
        {FH_TRACE_BY_LINE, "a.sass", false},
        {FH_TRACE_BY_LINE, "0", false},
        {FH_TRACE_BY_REGISTER, "R0-R254,UR62,P6,UP0-3", true},
        {FH_TRACE_BY_REGISTER, "R255", false},
        {FH_TRACE_BY_REGISTER, "P7", false},
        {FH_TRACE_BY_REGISTER, "R3-P4", false},
        {FH_TRACE_BY_REGISTER, "3", false},
        {FH_TRACE_BY_LANE, "0,31", true},
        {FH_TRACE_BY_LANE, "32", false},
        {FH_TRACE_BY_LANE, "-1", false},
        {FH_TRACE_BY_MEMORY, "a", true},
        {FH_TRACE_BY_MEMORY, "a[3],b:u8[0-255],shared[7],0x10-0x20", true},
        {FH_TRACE_BY_MEMORY, "a:u12[3]", false},
        {FH_TRACE_BY_MEMORY, "a:u8", false},
        {FH_TRACE_BY_MEMORY, "a[3", false},
        {FH_TRACE_BY_MEMORY, "a[3]x", false},
        {FH_TRACE_BY_MEMORY, "[3]", false},
        {FH_TRACE_BY_OPCODE, "IMAD,LDG.E", true},
        {FH_TRACE_BY_OPCODE, "IMAD,,LDG", false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fh_trace_select select = {0};
        const char *expected = fh_trace_select_add(&select, cases[i].subject, cases[i].text);
        if (!expected != cases[i].good)
            fail_msg("\"%s\": %s", cases[i].text, expected ? expected : "taken");
        fh_trace_select_free(&select);
    }
}

/* ---------------------------------------------------------------- damage */

/* Reads the log as far as that goes. */
static fhec_status try_log(const struct fh_trace_bytes *bytes, struct fh_trace_bytes *text,
                           char why[FH_TRACE_WHY]) {
    struct fh_trace_log *log;
    *why = '\0';
    fhec_status status = trace_open(bytes, &log, why);
    if (status != FHEC_OK) {
        assert_null(log);
        return status;
    }
    status = trace_text(log, &everything, FH_TRACE_TEXT, text, why);
    fh_trace_log_free(log);
    return status;
}

/* Every byte of a log counts: whichever is another one, and wherever the log ends too early,
 * reading it ends with an error that says what is wrong. */
static void test_damage(void **state) {
    (void)state;
    struct recorded r = {0};
    char why[FH_TRACE_WHY];
    struct fh_trace_bytes text = {0};
    record(rich, 1, 32, 1, FHEC_ENGINE_FAST, &everything, &r);
    assert_int_equal(try_log(&r.log, &text, why), FHEC_OK);
    for (size_t at = 0; at < r.log.count; at++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            text.count = 0;
            r.log.bytes[at] ^= (uint8_t)(1 << bit);
            if (try_log(&r.log, &text, why) != FHEC_BAD_INPUT || !*why)
                fail_msg("bit %u of byte %zu of %zu may be anything", bit, at, r.log.count);
            r.log.bytes[at] ^= (uint8_t)(1 << bit);
        }
    }
    const size_t whole = r.log.count;
    for (r.log.count = 0; r.log.count < whole; r.log.count++)
        if (try_log(&r.log, &text, why) != FHEC_BAD_INPUT || !*why)
            fail_msg("%zu of %zu bytes are taken for a log", r.log.count, whole);
    fh_trace_bytes_free(&text);
    recorded_free(&r);
}

/* A log that is taken apart and put together again is read as before. */
static void test_unpacked(void **state) {
    (void)state;
    struct recorded r = {0};
    struct fh_trace_bytes unpacked = {0}, packed = {0}, text = {0};
    record(rich, 1, 64, 0, FHEC_ENGINE_FAST, &everything, &r);
    assert_true(trace_unpack(&r.log, &unpacked));
    trace_pack(unpacked.bytes, unpacked.count, &packed);
    text_of(&packed, &everything, FH_TRACE_TEXT, &text);
    require_equal(&text, &r.text);
    fh_trace_bytes_free(&unpacked);
    fh_trace_bytes_free(&packed);
    fh_trace_bytes_free(&text);
    recorded_free(&r);
}

/* ---------------------------------------------------------------- differences */

/* The text of `most` differences; NULL: there are none. */
static void expect_difference(const char *a, const char *b, uint32_t bad, size_t most,
                              const char *expected) {
    struct recorded x = {0}, y = {0};
    struct fh_trace_log *logs[2];
    char why[FH_TRACE_WHY];
    struct fh_trace_difference difference;
    unsigned which;
    record(a, 1, 64, 0, FHEC_ENGINE_FAST, &everything, &x);
    record(b, 1, 64, bad, FHEC_ENGINE_REF, &everything, &y);
    assert_int_equal(trace_open(&x.log, &logs[0], why), FHEC_OK);
    assert_int_equal(trace_open(&y.log, &logs[1], why), FHEC_OK);
    assert_int_equal(fh_trace_compare(logs, &everything, most, &difference, &which, why), FHEC_OK);
    const struct fh_trace_bytes want = {.bytes = (uint8_t *)expected,
                                        .count = expected ? strlen(expected) : 0};
    require_equal(&difference.text, &want);
    fh_trace_bytes_free(&difference.text);
    fh_trace_log_free(logs[0]);
    fh_trace_log_free(logs[1]);
    recorded_free(&x);
    recorded_free(&y);
}

#define SMALL(body)                                                                                \
    ".target sm_80\n.kernel small\n.param out, 8\n.param bad, 4\n.shared s, 256\n"                 \
    "S2R R0, SR_TID.X ;\n" body "EXIT ;\n.end\n"

/* The first difference of a warp in which the parameter `bad` is not what it was. */
#define OF_WARP(warp, lane, values)                                                                \
    "launch 1, kernel small, block (0,0,0), warp " warp ", pc 0x0010: "                            \
    "IADD3 R1, R0, c[0x0][0x168], RZ  // test.sass:7\n"                                            \
    "  constant load of 4 bytes, lane 0, at 0x168, bad[0]: 0x00000000 and 0x00000001\n"            \
    "  R1, lane " lane ": " values "\n"

static void test_differences(void **state) {
    (void)state;
    expect_difference(rich, rich, 0, 1, NULL);
    expect_difference(rich, rich, 1, 1,
                      "launch 1, kernel rich, block (0,0,0), warp 0, pc 0x0150: "
                      "MOV R10, c[0x0][0x168]  // test.sass:28\n"
                      "  constant load of 4 bytes, lane 0, at 0x168, bad[0]: 0x00000000 and "
                      "0x00000001\n"
                      "  R10, lane 0: 0x00000000 and 0x00000001\n");
    expect_difference(SMALL("IMAD R1, R0, 0x4, RZ ;\nSTS [R1], R0 ;\n"),
                      SMALL("IMAD R1, R0, 0x4, RZ ;\nSTS [R1+0x0], R1 ;\n"), 0, 1,
                      "launch 1, kernel small, block (0,0,0), warp 0, pc 0x0020: STS [R1], R0"
                      "  // test.sass:8\n"
                      "and\n"
                      "launch 1, kernel small, block (0,0,0), warp 0, pc 0x0020: STS [R1], R1"
                      "  // test.sass:8\n");
    /* The second warp alone takes the branch. */
    expect_difference(SMALL("ISETP.LT.U32.AND P0, PT, R0, bad, PT ;\n@!P0 MOV R1, 0x1 ;\n"),
                      SMALL("ISETP.LT.U32.AND P0, PT, R0, bad, PT ;\n@!P0 MOV R1, 0x1 ;\n"), 0, 1,
                      NULL);
    /* The other trace has one instruction more, in both warps; the first is told. */
    expect_difference(SMALL(""), SMALL("NOP ;\n"), 0, 1,
                      "launch 1, kernel small, block (0,0,0), warp 0, pc 0x0010: EXIT"
                      "  // test.sass:7\n"
                      "and\n"
                      "launch 1, kernel small, block (0,0,0), warp 0, pc 0x0010: NOP"
                      "  // test.sass:7\n");
    /* Two warps differ, in the register and in memory; each is told once, although the load after
     * the store differs, too. */
    expect_difference(SMALL("IADD3 R1, R0, bad, RZ ;\nSTS [R0.X4], R1 ;\nLDS R2, [R0.X4] ;\n"),
                      SMALL("IADD3 R1, R0, bad, RZ ;\nSTS [R0.X4], R1 ;\nLDS R2, [R0.X4] ;\n"), 1,
                      9,
                      OF_WARP("0", "0", "0x00000000 and 0x00000001")
                          OF_WARP("1", "0", "0x00000020 and 0x00000021"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_back),
        cmocka_unit_test(test_selections),
        cmocka_unit_test(test_selection_texts),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_unpacked),
        cmocka_unit_test(test_differences),
    };
    return cmocka_run_group_tests_name("trace_log", tests, NULL, NULL);
}
