/* emu_work.c - see emu_work.h. */
#include "emu_work.h"

static void run(const struct emu_work *work, const fhec_program *program, fhec_engine engine,
                fhec_simd simd, unsigned threads, struct emu_outcome *out) {
    fhec_machine *m = emu_machine(engine, simd, threads);
    uint64_t params[2];
    fhec_stats stats;
    assert_int_equal(fhec_alloc(m, "data", work->bytes, 0, &params[0]), FHEC_OK);
    assert_int_equal(fhec_alloc(m, "fixed", 4096, FHEC_MEM_READ_ONLY, &params[1]), FHEC_OK);
    for (size_t i = 0; i < work->bytes; i++)
        out->bytes[i] = (uint8_t)(i * 37 + (i >> 6) * 11 + 5);
    memset(out->bytes, 0, 4);
    assert_int_equal(fhec_write(m, params[0], out->bytes, work->bytes), FHEC_OK);
    fhec_machine_count(m, true);
    out->status = FHEC_OK;
    for (unsigned i = 0; i < work->launches && out->status == FHEC_OK; i++) {
        fhec_launch launch = {
            .program = program,
            .grid = {work->blocks, 1, 1},
            .block = {work->threads, 1, 1},
            .params = params,
            .param_bytes = sizeof params,
            .max_steps = work->max_steps,
        };
        out->status = fhec_run(m, &launch);
    }
    out->fault = (fhec_fault){0};
    out->fault_text[0] = '\0';
    if (fhec_machine_fault(m)) {
        out->fault = *fhec_machine_fault(m);
        fhec_format_fault(&out->fault, out->fault_text, sizeof out->fault_text);
    }
    assert_int_equal(fhec_machine_stats(m, &stats), FHEC_OK);
    out->warp = stats.warp_insts;
    out->thread = stats.thread_insts;
    assert_int_equal(fhec_read(m, params[0], out->bytes, work->bytes), FHEC_OK);
    fhec_machine_free(m);
}

void emu_run_work(const struct emu_work *work, const fhec_program *program, fhec_engine engine,
                  unsigned threads, struct emu_outcome *out) {
    run(work, program, engine, FHEC_SIMD_BEST, threads, out);
}

void emu_same_for_all(struct emu_work work, struct emu_outcome *one) {
    emu_same_at(work, FHEC_SIMD_BEST, one);
}

void emu_same_at(struct emu_work work, fhec_simd simd, struct emu_outcome *one) {
    static struct emu_outcome other;
    work.launches = work.launches ? work.launches : 1;
    fhec_program *program = emu_assemble(work.text);
    run(&work, program, FHEC_ENGINE_FAST, simd, 1, one);
    for (unsigned threads = 2; threads <= MOST_THREADS; threads++) {
        run(&work, program, FHEC_ENGINE_FAST, simd, threads, &other);
        if (other.status != one->status || strcmp(other.fault_text, one->fault_text) != 0)
            fail_msg("%u threads: status %d, not %d\n%s%s%s", threads, other.status, one->status,
                     other.fault_text, one->fault_text, work.text);
        if (other.warp != one->warp || other.thread != one->thread)
            fail_msg("%u threads: %llu warp instructions, not %llu\n%s", threads,
                     (unsigned long long)other.warp, (unsigned long long)one->warp, work.text);
        for (size_t i = 0; i < work.bytes; i++)
            if (other.bytes[i] != one->bytes[i])
                fail_msg("%u threads: byte %zu is 0x%02x, not 0x%02x\n%s", threads, i,
                         other.bytes[i], one->bytes[i], work.text);
    }
    fhec_program_free(program);
}
