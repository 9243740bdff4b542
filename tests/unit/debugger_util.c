/*
 * debugger_util.c - see debugger_util.h.
 */
#include "debugger_util.h"

/* mix: lanes part by their number, meet, exchange words through shared memory, and count. more: a
 * loop whose length is the lane's. */
static const char text[] =
    ".target sm_80\n"
    ".kernel mix\n.param data, 8\n.shared words, 512\n"
    "S2R R0, SR_TID.X ;\nS2R R1, SR_CTAID.X ;\nIMAD R2, R1, 0x50, R0 ;\nMOV R3, 0x4 ;\n"
    "IMAD.WIDE.U32 R4, R2, R3, data ;\nLDG.E R8, [R4.64] ;\n"
    "LOP3.LUT R9, R0, 0x3, RZ, 0xc0, !PT ;\nISETP.NE.AND P0, PT, R9, RZ, PT ;\n"
    "BSSY B0, joined ;\n@P0 BRA odd ;\nIADD3 R8, R8, R0, RZ ;\nIADD3 R8, R8, 0x11, RZ ;\n"
    "BRA joined ;\nodd:\nIMAD R8, R8, 0x7, R9 ;\njoined:\nBSYNC B0 ;\n"
    "SHF.L.U32 R10, R0, 0x2, RZ ;\nSTS [R10], R8 ;\nBAR.SYNC 0x0 ;\n"
    "LOP3.LUT R11, R10, 0x4, RZ, 0x3c, !PT ;\nLDS R12, [R11] ;\nIADD3 R8, R8, R12, RZ ;\n"
    "STG.E [R4.64], R8 ;\nMOV R6, data ;\nMOV R7, data+4 ;\n"
    "RED.E.ADD.STRONG.GPU [R6.64+0x800], R9 ;\nEXIT ;\n.end\n"
    ".kernel more\n.param data, 8\n"
    "S2R R0, SR_TID.X ;\nMOV R3, 0x4 ;\nIMAD.WIDE.U32 R4, R0, R3, data ;\n"
    "LOP3.LUT R2, R0, 0x7, RZ, 0xc0, !PT ;\nLDG.E R8, [R4.64] ;\n"
    "again:\nIMAD R8, R8, 0x3, R2 ;\nIADD3 R2, R2, -0x1, RZ ;\n"
    "ISETP.GE.AND P0, PT, R2, RZ, PT ;\n@P0 BRA again ;\nSTG.E [R4.64], R8 ;\nEXIT ;\n.end\n";

struct world world_begin(fhec_engine engine, fhec_simd simd) {
    const char *seed = getenv("FHEC_TEST_SEED");
    struct world w = {.program = emu_assemble(text), .host = emu_machine(engine, simd, 1)};
    uint32_t words[BLOCKS * THREADS + 300];
    w.seed = seed ? strtoull(seed, NULL, 0) : 20;
    w.rng.state = w.seed * 2 + 1;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        words[i] = (uint32_t)emu_next(&w.rng);
    assert_int_equal(fhec_record_begin(w.host, &w.record), FHEC_OK);
    assert_int_equal(fhec_record_defer(w.record), FHEC_OK);
    assert_int_equal(fhec_alloc(w.host, "data", 4096, 0, &w.data), FHEC_OK);
    for (unsigned i = 0; i < LAUNCHES; i++) {
        const fhec_launch launch = {.program = w.program,
                                    .kernel = i % 2,
                                    .grid = {i % 2 ? 1 : BLOCKS, 1, 1},
                                    .block = {THREADS, 1, 1},
                                    .params = &w.data,
                                    .param_bytes = 8};
        assert_int_equal(fhec_write(w.host, w.data + 64 * i, words, 256 + 64 * i), FHEC_OK);
        assert_int_equal(fhec_run(w.host, &launch), FHEC_OK);
    }
    const struct fh_debugger_options options = {.machine = {.engine = engine, .simd = simd}};
    assert_int_equal(fh_debugger_new(&options, &w.debugger), FHEC_OK);
    assert_int_equal(fh_debugger_take(w.debugger, w.record), FHEC_OK);
    return w;
}

void world_end(struct world *w) {
    fh_debugger_free(w->debugger);
    fhec_record_end(w->record);
    fhec_machine_free(w->host);
    fhec_program_free(w->program);
}

void world_move(struct world *w, const struct fh_move *m) {
    struct fh_debug_stop stop;
    const fhec_status status = fh_debugger_move(w->debugger, m, &stop);
    if (status != FHEC_OK)
        fail_msg("a move failed: %s", fh_debugger_error(w->debugger));
}

void world_go(struct world *w, struct fh_debug_time time) {
    world_move(w, &(struct fh_move){.kind = FH_MOVE_GOTO, .to = time});
    assert_int_equal(fh_debug_time_compare(fh_debugger_time(w->debugger), time), 0);
}

/* How many instructions each launch issues, by running each alone to its end. */
void world_measure(struct world *w) {
    for (size_t i = 0; i < LAUNCHES; i++) {
        struct fh_debug_stop stop;
        const struct fh_move step = {.kind = FH_MOVE_COUNT};
        world_go(w, (struct fh_debug_time){i, 0});
        do {
            w->lengths[i] = fh_debugger_time(w->debugger).count + 1;
            assert_int_equal(fh_debugger_move(w->debugger, &step, &stop), FHEC_OK);
        } while (stop.time.launch == i);
    }
}

static bool print_difference(void *user, const fhec_difference *d) {
    (void)user;
    print_message("differs: kind %d, block %u, warp %u, lane %u, number %u, address 0x%llx\n",
                  (int)d->kind, d->block[0], d->warp, d->lane, d->number,
                  (unsigned long long)d->address);
    return true;
}

void world_expect_same(struct world *w, const fhec_snapshot *snapshot, struct fh_debug_time time,
                       const char *what, uint64_t n) {
    const struct fh_debug_time now = fh_debugger_time(w->debugger);
    if (fh_debug_time_compare(now, time) == 0 &&
        fhec_snapshot_compare(snapshot, NULL, print_difference, NULL) == FHEC_OK)
        return;
    fail_msg("seed %llu: %llu %s back and forward from launch %zu, %llu: it is at %zu, %llu",
             (unsigned long long)w->seed, (unsigned long long)n, what, time.launch,
             (unsigned long long)time.count, now.launch, (unsigned long long)now.count);
}
