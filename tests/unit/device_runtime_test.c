/*
 * device_runtime_test.c - kernels that call printf, malloc, free and assert (tests/cuda/device):
 * the texts are those of the C library's printf for the same arguments, the same on both engines
 * and whatever the number of host threads is; heaps are full, and used again; what a launch did to
 * them is taken back with it.
 */
#include "cubin_util.h"

#include "device_runtime.h"
#include "fhec_session.h"

struct said {
    char text[8192], asserted[4096];
    size_t length, asserted_length;
    unsigned calls;
};

static void hear(void *user, enum fh_device_output output, const char *text, size_t length) {
    struct said *said = user;
    char *to = output == FH_DEVICE_PRINTF ? said->text : said->asserted;
    size_t *at = output == FH_DEVICE_PRINTF ? &said->length : &said->asserted_length;
    assert_true(*at + length <
                (output == FH_DEVICE_PRINTF ? sizeof said->text : sizeof said->asserted));
    memcpy(to + *at, text, length);
    to[ *at += length] = '\0';
    said->calls++;
}

/* A machine with a runtime, and the kernels. */
struct device {
    fhec_program *program;
    fhec_machine *machine;
    fh_device_runtime *runtime;
    struct said said;
};

static void begin(struct device *d, fhec_engine engine, unsigned threads, size_t heap,
                  size_t ring) {
    memset(d, 0, sizeof *d);
    d->program = cubin_program("device.cubin");
    assert_int_equal(fhec_machine_new(&(fhec_machine_options){.engine = engine, .threads = threads},
                                      &d->machine),
                     FHEC_OK);
    assert_true(fh_device_runtime_wanted(d->program));
    assert_null(fh_device_runtime_of(d->machine));
    const struct fh_device_options options = {
        .heap_bytes = heap, .printf_bytes = ring, .text = hear, .user = &d->said};
    assert_int_equal(fh_device_runtime_new(d->machine, &options, &d->runtime), FHEC_OK);
    assert_ptr_equal(fh_device_runtime_of(d->machine), d->runtime);
}

static void end(struct device *d) {
    fhec_machine_free(d->machine);
    fhec_program_free(d->program);
}

static fhec_launch launch_of(const struct device *d, const char *kernel, uint32_t grid,
                             uint32_t block, const void *params, size_t bytes) {
    fhec_launch launch = {.program = d->program,
                          .grid = {grid, 1, 1},
                          .block = {block, 1, 1},
                          .params = params,
                          .param_bytes = bytes};
    assert_int_equal(fhec_kernel_find(d->program, kernel, &launch.kernel), FHEC_OK);
    return launch;
}

static fhec_status go(struct device *d, const char *kernel, uint32_t grid, uint32_t block,
                      const void *params, size_t bytes) {
    const fhec_launch launch = launch_of(d, kernel, grid, block, params, bytes);
    const fhec_status status = fhec_run(d->machine, &launch);
    assert_int_equal(fh_device_runtime_flush(d->runtime), FHEC_OK);
    return status;
}

static uint64_t room(struct device *d, size_t bytes) {
    uint64_t address;
    assert_int_equal(fhec_alloc(d->machine, "room", bytes, 0, &address), FHEC_OK);
    return address;
}

/* What the kernel `formats` prints, by the host's own printf. */
static void host_formats(char *text, size_t size) {
    size_t n = 0;
    n += (size_t)snprintf(text + n, size - n, "[%d] [%5d] [%-5d] [%05d] [%+d] [% d]\n", -7, 42, 42,
                          42, 42, 42);
    n += (size_t)snprintf(text + n, size - n, "[%u] [%x] [%X] [%#x] [%o] [%#o]\n", 4294967295u,
                          48879u, 48879u, 48879u, 8u, 8u);
    n += (size_t)snprintf(text + n, size - n, "[%lld] [%llu] [%ld] [%llx] [%d]\n",
                          -9223372036854775807LL - 1, 18446744073709551615ULL, -5L,
                          0x123456789abcdefULL, 9);
    n += (size_t)snprintf(text + n, size - n, "[%f] [%.2f] [%10.3f] [%e] [%g] [%G]\n", 1.5,
                          (double)2.675f, -3.14159, 12345.678, 0.0001, 1e-10);
    n += (size_t)snprintf(text + n, size - n, "[%c] [%s] [%8s] [%-8s] [%.2s]\n", 'A', "text",
                          "right", "left", "cut");
    n += (size_t)snprintf(text + n, size - n, "[%*d] [%-*d] [%.*f] [%*d]\n", 6, 12, 6, 12, 3, 2.0,
                          -4, 1);
    n += (size_t)snprintf(text + n, size - n, "100%% %d %u %c%c\nnothing\n", -3, 65535u, 'o', 'k');
    assert_true(n < size);
}

static void test_formats(void **state) {
    /* As many as there are arguments behind the format, `*` among them. */
    static const int32_t results[8] = {6, 6, 5, 6, 5, 8, 4, 0};
    char want[2048];
    (void)state;
    host_formats(want, sizeof want);
    for (int engine = FHEC_ENGINE_FAST; engine <= FHEC_ENGINE_REF; engine++) {
        struct device d;
        int32_t got[8];
        begin(&d, (fhec_engine)engine, 1, 0, 0);
        const uint64_t out = room(&d, sizeof got);
        assert_int_equal(go(&d, "formats", 1, 1, &out, sizeof out), FHEC_OK);
        assert_string_equal(d.said.text, want);
        assert_int_equal(d.said.calls, 8);
        assert_int_equal(fhec_read(d.machine, out, got, sizeof got), FHEC_OK);
        assert_memory_equal(got, results, sizeof got);
        end(&d);
    }
}

/* 40 blocks of 33 threads, in the order of blocks and lanes, with one host thread and with many. */
static void test_order(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads += 3) {
        struct device d;
        char want[8192];
        size_t n = 0;
        const int32_t count = 7;
        for (int b = 0; b < 5; b++)
            for (int t = 0; t < 33; t++)
                n += (size_t)snprintf(want + n, sizeof want - n, "thread %d of 7 in block %d\n", t,
                                      b);
        begin(&d, FHEC_ENGINE_FAST, threads, 0, 0);
        assert_int_equal(go(&d, "greet", 5, 33, &count, sizeof count), FHEC_OK);
        assert_string_equal(d.said.text, want);
        end(&d);
    }
}

/* Of output that does not fit the newest stays: 4 bytes for each text besides. */
static void test_overflow(void **state) {
    enum { TEXT = sizeof "thread 0 of 7 in block 0\n" - 1, KEPT = 3 };
    const int32_t count = 7;
    struct device d;
    (void)state;
    begin(&d, FHEC_ENGINE_FAST, 1, 0, KEPT * (TEXT + 4) + 5);
    assert_int_equal(go(&d, "greet", 1, 9, &count, sizeof count), FHEC_OK);
    assert_string_equal(d.said.text, "thread 6 of 7 in block 0\nthread 7 of 7 in block 0\n"
                                     "thread 8 of 7 in block 0\n");
    assert_int_equal(go(&d, "greet", 1, 1, &count, sizeof count), FHEC_OK);
    assert_string_equal(d.said.text + KEPT * TEXT, "thread 0 of 7 in block 0\n");
    end(&d);
}

static void test_heap(void **state) {
    enum { THREADS = 64, BYTES = 100, BLOCK = 112 + 16 };
    struct device d;
    uint64_t got[THREADS];
    uint32_t wrong[THREADS];
    (void)state;
    begin(&d, FHEC_ENGINE_FAST, 4, 32 + 50 * BLOCK, 0);
    const uint64_t out = room(&d, sizeof got), bad = room(&d, sizeof wrong);
    for (int again = 0; again < 3; again++) {
        const uint64_t params[3] = {out, BYTES, bad};
        unsigned given = 0;
        assert_int_equal(go(&d, "take", 2, 32, params, 16), FHEC_OK);
        assert_int_equal(fhec_read(d.machine, out, got, sizeof got), FHEC_OK);
        for (int i = 0; i < THREADS; i++) {
            given += got[i] != 0;
            assert_int_equal(got[i] % 16, 0);
        }
        assert_int_equal(given, 50); /* then it is full */
        assert_int_equal(go(&d, "give", 2, 32, params, 24), FHEC_OK);
        assert_int_equal(fhec_read(d.machine, bad, wrong, sizeof wrong), FHEC_OK);
        for (int i = 0; i < THREADS; i++)
            assert_int_equal(wrong[i], 0);
    }
    end(&d);
}

/* Freed twice, and freed without having been given. */
static void test_bad_free(void **state) {
    struct device d;
    (void)state;
    begin(&d, FHEC_ENGINE_FAST, 1, 0, 0);
    const uint64_t out = room(&d, 8), bad = room(&d, 4);
    const uint64_t params[3] = {out, 64, bad};
    assert_int_equal(go(&d, "take", 1, 1, params, 16), FHEC_OK);
    assert_int_equal(go(&d, "give", 1, 1, params, 24), FHEC_OK);
    assert_int_equal(go(&d, "give", 1, 1, (uint64_t[]){out, 0, bad}, 24), FHEC_GUEST_FAULT);
    assert_int_equal(fhec_machine_fault(d.machine)->kind, FHEC_FAULT_TRAP);
    assert_non_null(strstr(fhec_machine_fault(d.machine)->message, "freed before"));
    assert_int_equal(fhec_write(d.machine, out, &bad, 8), FHEC_OK);
    assert_int_equal(go(&d, "give", 1, 1, (uint64_t[]){out, 0, bad}, 24), FHEC_GUEST_FAULT);
    assert_non_null(strstr(fhec_machine_fault(d.machine)->message, "malloc did not give"));
    end(&d);
}

static void test_new(void **state) {
    struct device d;
    uint32_t got[40];
    (void)state;
    begin(&d, FHEC_ENGINE_REF, 1, 0, 0);
    const uint64_t out = room(&d, sizeof got);
    struct {
        uint64_t out;
        uint32_t n;
    } params = {out, 10};
    assert_int_equal(go(&d, "chains", 1, 40, &params, 12), FHEC_OK);
    assert_int_equal(fhec_read(d.machine, out, got, sizeof got), FHEC_OK);
    for (uint32_t t = 0; t < 40; t++)
        assert_int_equal(got[t], (10 + t) * (9 + t) / 2);
    end(&d);
}

static void test_assert(void **state) {
    struct device d;
    const uint32_t most = 30;
    (void)state;
    begin(&d, FHEC_ENGINE_FAST, 1, 0, 0);
    assert_int_equal(go(&d, "claims", 1, 30, &most, sizeof most), FHEC_OK);
    assert_int_equal(d.said.asserted_length, 0);
    assert_int_equal(go(&d, "claims", 1, 32, &most, sizeof most), FHEC_GUEST_FAULT);
    const fhec_fault *fault = fhec_machine_fault(d.machine);
    assert_int_equal(fault->kind, FHEC_FAULT_TRAP);
    assert_int_equal(fault->lanes, 3u << 30);
    const char *lines = d.said.asserted;
    assert_non_null(strstr(lines, "device.cu:"));
    assert_non_null(strstr(lines, "block: [0,0,0], thread: [30,0,0] Assertion `threadIdx.x < most` "
                                  "failed.\n"));
    assert_non_null(strstr(lines, "thread: [31,0,0] Assertion"));
    assert_non_null(
        strstr(fault->message, "thread: [30,0,0] Assertion `threadIdx.x < most` failed."));
    end(&d);
}

/* Lanes of a warp that call two functions. */
static void test_mixed(void **state) {
    struct device d;
    uint64_t got[8];
    (void)state;
    begin(&d, FHEC_ENGINE_FAST, 1, 0, 0);
    const uint64_t out = room(&d, sizeof got);
    assert_int_equal(go(&d, "mixed", 1, 8, &out, sizeof out), FHEC_OK);
    assert_string_equal(d.said.text, "0\n2\n4\n6\n");
    assert_int_equal(fhec_read(d.machine, out, got, sizeof got), FHEC_OK);
    for (int i = 0; i < 8; i++)
        assert_int_equal(got[i] != 0, i & 1);
    end(&d);
}

/* A launch that is taken back in the middle prints all again, once. */
static void test_snapshot(void **state) {
    struct device d;
    const int32_t count = 2;
    fhec_session *session;
    fhec_snapshot *snapshot;
    fhec_stop stop;
    (void)state;
    begin(&d, FHEC_ENGINE_FAST, 1, 0, 0);
    const fhec_launch launch = launch_of(&d, "greet", 2, 2, &count, sizeof count);
    assert_int_equal(fhec_session_begin(d.machine, &launch, &session), FHEC_OK);
    assert_int_equal(fhec_snapshot_take(d.machine, &snapshot), FHEC_OK);
    assert_int_equal(fhec_session_run(session, &(fhec_go){0}, &stop), FHEC_OK);
    assert_int_equal(stop.reason, FHEC_STOP_END);
    assert_int_equal(fhec_snapshot_restore(snapshot, &session), FHEC_OK);
    assert_int_equal(fhec_session_run(session, &(fhec_go){0}, &stop), FHEC_OK);
    assert_int_equal(fhec_session_end(session), FHEC_OK);
    assert_int_equal(fh_device_runtime_flush(d.runtime), FHEC_OK);
    assert_string_equal(d.said.text, "thread 0 of 2 in block 0\nthread 1 of 2 in block 0\n"
                                     "thread 0 of 2 in block 1\nthread 1 of 2 in block 1\n");
    fhec_snapshot_free(snapshot);
    end(&d);
}

/* "[%*d]" with widths of which one has no opposite in 32 bits, and that are larger than all that
 * may be printed: nothing is, and the call says so. */
static void test_widths(void **state) {
    static const char source[] = ".target sm_80\n.extern vprintf\n.kernel k\n.param out, 8\n"
                                 "MOV R4, 32@lo(format) ;\nMOV R5, 32@hi(format) ;\n"
                                 "MOV R6, 32@lo(arguments) ;\nMOV R7, 32@hi(arguments) ;\n"
                                 "MOV R20, 32@lo(back) ;\nMOV R21, 32@hi(back) ;\n"
                                 "CALL.ABS.NOINC vprintf ;\nback:\n"
                                 "MOV R2, out ;\nMOV R3, out + 4 ;\nSTG.E [R2.64], R4 ;\nEXIT ;\n"
                                 ".end\n.section .nv.global.init\n.align 8\n"
                                 "arguments: .word %lld, 7\n"
                                 "format: .byte 0x5b, 0x25, 0x2a, 0x64, 0x5d, 0\n"; /* "[%%*d]" */
    static const int64_t widths[] = {INT32_MIN, INT32_MIN + 1, INT32_MAX, -3};
    (void)state;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        struct said said = {.calls = 0};
        const struct fh_device_options options = {
            .printf_bytes = 4096, .text = hear, .user = &said};
        fh_device_runtime *runtime;
        fhec_program *program;
        fhec_machine *machine;
        char text[sizeof source + 32];
        uint64_t out;
        int32_t got = 0;
        snprintf(text, sizeof text, source, (long long)widths[i]);
        assert_int_equal(fhec_assemble("k", text, strlen(text), NULL, &program), FHEC_OK);
        assert_int_equal(fhec_machine_new(NULL, &machine), FHEC_OK);
        assert_int_equal(fh_device_runtime_new(machine, &options, &runtime), FHEC_OK);
        assert_int_equal(fhec_alloc(machine, "out", 4, 0, &out), FHEC_OK);
        const fhec_launch launch = {.program = program,
                                    .grid = {1, 1, 1},
                                    .block = {1, 1, 1},
                                    .params = &out,
                                    .param_bytes = sizeof out};
        assert_int_equal(fhec_run(machine, &launch), FHEC_OK);
        assert_int_equal(fh_device_runtime_flush(runtime), FHEC_OK);
        assert_int_equal(fhec_read(machine, out, &got, sizeof got), FHEC_OK);
        assert_string_equal(said.text, widths[i] == -3 ? "[7  ]" : "");
        assert_int_equal(got, widths[i] == -3 ? 2 : -2);
        fhec_machine_free(machine);
        fhec_program_free(program);
    }
}

/* Without the runtime it is the fault that it was. */
static void test_without(void **state) {
    struct device d;
    fhec_machine *machine;
    const int32_t count = 2;
    (void)state;
    begin(&d, FHEC_ENGINE_FAST, 1, 0, 0);
    assert_int_equal(fhec_machine_new(NULL, &machine), FHEC_OK);
    const fhec_launch launch = launch_of(&d, "greet", 1, 1, &count, sizeof count);
    assert_int_equal(fhec_run(machine, &launch), FHEC_GUEST_FAULT);
    assert_non_null(strstr(fhec_machine_fault(machine)->message, "vprintf is not in the object"));
    fhec_machine_free(machine);
    end(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),  cmocka_unit_test(test_order),
        cmocka_unit_test(test_overflow), cmocka_unit_test(test_heap),
        cmocka_unit_test(test_bad_free), cmocka_unit_test(test_new),
        cmocka_unit_test(test_assert),   cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_snapshot), cmocka_unit_test(test_without),
        cmocka_unit_test(test_widths),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
