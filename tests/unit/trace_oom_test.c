/* Every allocation of recording, of a log's writing and reading, of selections and comparisons is
 * made to fail, one after the other: it is said, and nothing is lost; a log that is said to be good
 * is the one that is made otherwise. */
#include "emu_util.h"
#include "refuse.h"
#include "trace_util.h"

static const char text[] =
    ".target sm_80\n.macro TWICE\nIADD3 R4, R4, R4, RZ ;\n.endm\n.kernel k\n.param out, 8\n"
    ".param q, 4\n.shared s, 256\n"
    "S2R R0, SR_TID.X ;\nMOV R1, 0x4 ;\nIMAD.WIDE.U32 R2, R0, R1, out ;\nMOV R4, q ;\nTWICE\n"
    ".rept 2\nTWICE\n.endr\nSTS [R0.X4], R4 ;\nISETP.LT.U32.AND P0, PT, R0, 0x5, PT ;\n"
    "@P0 BRA next ;\nNOP ;\nnext:\nSTG.E [R2.64], R4 ;\nBAR.SYNC 0x0 ;\nEXIT ;\n.end\n";

static const struct fh_trace_select everything;

/* The log of two launches; false: something failed, and it was said. */
static bool record(const fhec_program *program, fhec_machine *m, uint64_t out, uint32_t q,
                   struct fh_trace_bytes *log) {
    const struct {
        uint64_t out;
        uint32_t q, pad;
    } params = {out, q, 0};
    const fhec_launch launch = {.program = program,
                                .grid = {2, 1, 1},
                                .block = {64, 1, 1},
                                .params = &params,
                                .param_bytes = 12};
    struct fh_trace_recorder *recorder = NULL;
    struct fh_trace_log_writer *writer =
        fh_trace_log_new((struct fh_trace_out){log, trace_collect});
    if (!writer)
        return false;
    bool fine = fh_trace_record(m, FH_TRACE_ALL, &everything, fh_trace_log_sink(writer),
                                &recorder) == FHEC_OK;
    for (unsigned i = 0; i < 2 && fine; i++)
        fine = fhec_run(m, &launch) == FHEC_OK;
    fine = fh_trace_log_end(writer, recorder ? fh_trace_recorder_names(recorder) : NULL) && fine;
    if (recorder)
        fine = fh_trace_record_end(recorder) && fine;
    return fine && !log->failed;
}

static void recording(void **state) {
    (void)state;
    fhec_program *program = emu_assemble(text);
    fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    struct fh_trace_bytes want = {0}, unpacked = {0};
    uint64_t out;
    long refused = 0;
    assert_int_equal(fhec_alloc(m, "out", 1024, 0, &out), FHEC_OK);
    for (unsigned i = 0; i < 2; i++) { /* launches' numbers are those of the first one below */
        fh_trace_bytes_free(&want);
        want = (struct fh_trace_bytes){0};
        assert_true(record(program, m, out, 5, &want));
    }
    assert_true(trace_unpack(&want, &unpacked));
    for (long n = 0;; n++) {
        struct fh_trace_bytes log = {0}, own = {0};
        refuse_after(n, true);
        const bool fine = record(program, m, out, 5, &log);
        const bool met = refuse_end();
        if (fine) {
            struct fh_trace_bytes as_text = {0};
            struct fh_trace_log *opened;
            char why[FH_TRACE_WHY];
            assert_true(trace_unpack(&log, &own));
            assert_true(own.count + 8 >= unpacked.count); /* nothing is missing */
            assert_int_equal(trace_open(&log, &opened, why), FHEC_OK);
            assert_int_equal(trace_text(opened, &everything, FH_TRACE_TEXT, &as_text, why),
                             FHEC_OK);
            assert_true(as_text.count > 20000);
            fh_trace_bytes_free(&as_text);
            fh_trace_log_free(opened);
        }
        fh_trace_bytes_free(&log);
        fh_trace_bytes_free(&own);
        refused += !fine;
        if (!met) {
            assert_true(fine);
            break;
        }
    }
    assert_true(refused > 10);
    fh_trace_bytes_free(&want);
    fh_trace_bytes_free(&unpacked);
    fhec_machine_free(m);
    fhec_program_free(program);
}

/* What is read of a log, and how two compare; false: something failed, and it was said. */
static bool read_log(const struct fh_trace_bytes *log, struct fh_trace_bytes *as_text) {
    struct fh_trace_log *opened = NULL;
    char why[FH_TRACE_WHY] = "";
    fhec_status status = trace_open(log, &opened, why);
    if (status == FHEC_OK)
        status = trace_text(opened, &everything, FH_TRACE_TEXT, as_text, why);
    if (status != FHEC_OK && status != FHEC_HOST_ERROR)
        fail_msg("%s", why);
    fh_trace_log_free(opened);
    return status == FHEC_OK && !as_text->failed;
}

static bool compare_logs(const struct fh_trace_bytes logs[2], struct fh_trace_bytes *as_text) {
    struct fh_trace_log *opened[2] = {NULL, NULL};
    struct fh_trace_difference difference = {0};
    char why[FH_TRACE_WHY] = "";
    unsigned which;
    fhec_status status = trace_open(&logs[0], &opened[0], why);
    if (status == FHEC_OK)
        status = trace_open(&logs[1], &opened[1], why);
    if (status == FHEC_OK)
        status = fh_trace_compare(opened, &everything, 9, &difference, &which, why);
    if (status != FHEC_OK && status != FHEC_HOST_ERROR)
        fail_msg("%s", why);
    if (status == FHEC_HOST_ERROR)
        assert_true(*why);
    *as_text = difference.text;
    fh_trace_log_free(opened[0]);
    fh_trace_log_free(opened[1]);
    return status == FHEC_OK && !as_text->failed;
}

static bool select_some(void) {
    struct fh_trace_select select = {0};
    static const char *const texts[FH_TRACE_SUBJECTS] = {[FH_TRACE_BY_PC] = "10-20,40",
                                                         [FH_TRACE_BY_LINE] =
                                                             "a.sass:3,4,5,6,7,8,9,10,11,12",
                                                         [FH_TRACE_BY_MEMORY] = "a,b[3],c:u8[1]",
                                                         [FH_TRACE_BY_OPCODE] = "IMAD,LDG",
                                                         [FH_TRACE_BY_KERNEL] = "k"};
    const char *said = NULL;
    for (enum fh_trace_subject s = FH_TRACE_BY_PC; s < FH_TRACE_SUBJECTS && !said; s++)
        said = texts[s] ? fh_trace_select_add(&select, s, texts[s]) : NULL;
    if (!said)
        assert_int_equal(select.counts[FH_TRACE_BY_LINE], 10);
    fh_trace_select_free(&select);
    return !said;
}

static void reading(void **state) {
    (void)state;
    fhec_program *program = emu_assemble(text);
    struct fh_trace_bytes logs[2] = {{0}, {0}};
    for (uint32_t i = 0; i < 2; i++) {
        fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
        uint64_t out;
        assert_int_equal(fhec_alloc(m, "out", 1024, 0, &out), FHEC_OK);
        assert_true(record(program, m, out, 5 + i, &logs[i]));
        fhec_machine_free(m);
    }
    for (unsigned what = 0; what < 3; what++) {
        struct fh_trace_bytes want = {0};
        long refused = 0;
        for (long n = -1;; n++) {
            struct fh_trace_bytes got = {0};
            refuse_after(n < 0 ? REFUSE_NONE : n, true);
            const bool fine = what == 0   ? read_log(&logs[0], &got)
                              : what == 1 ? compare_logs(logs, &got)
                                          : select_some();
            const bool met = refuse_end();
            if (n < 0) {
                assert_true(fine);
                want = got;
                continue;
            }
            if (fine) {
                assert_int_equal(got.count, want.count);
                if (got.count)
                    assert_memory_equal(got.bytes, want.bytes, want.count);
            }
            fh_trace_bytes_free(&got);
            refused += !fine;
            if (!met) {
                assert_true(fine);
                break;
            }
        }
        assert_true(refused > 3);
        assert_true(what == 2 || want.count > 100);
        fh_trace_bytes_free(&want);
    }
    fh_trace_bytes_free(&logs[0]);
    fh_trace_bytes_free(&logs[1]);
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(recording), cmocka_unit_test(reading)};
    return cmocka_run_group_tests_name("trace_oom", tests, NULL, NULL);
}
