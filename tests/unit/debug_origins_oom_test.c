/*
 * debug_origins_oom_test.c - every allocation that origins in the debugger make is made to fail,
 * one after the other: the call says so or gives the right origin, and when asked again it is
 * right.
 */
#include <string.h>

#include "emu_util.h"
#include "origins_here.h"
#include "refuse.h"
#include "shadow.h"

enum { AT = 40000, MOST = 4000 };

/* In turns of five behind the second instruction: R4 is data[t], by shared memory, from the fifth
 * on; R6 has its bytes in another order. */
static const char text[] =
    ".target sm_80\n.kernel turns\n.param data, 8\n.shared s, 128\n"
    "S2R R0, SR_TID.X ;\nMOV R1, 0x4 ;\n"
    "again:\nIMAD.WIDE.U32 R2, R0, R1, data ;\nLDG.E R5, [R2.64] ;\nSTS [RZ], R5 ;\n"
    "LDS R4, [RZ] ;\nPRMT R6, R4, 0x1032, RZ ;\nBRA again ;\n.end\n";

struct world {
    fhec_program *program;
    fhec_machine *host;
    fhec_record *record;
    struct fh_debugger *debugger;
    uint64_t data;
};

static struct world begin(void) {
    struct world w = {.program = emu_assemble(text), .host = emu_machine(FHEC_ENGINE_FAST, 0, 1)};
    const struct fh_debugger_options options = {.machine = {.engine = FHEC_ENGINE_FAST}};
    assert_int_equal(fhec_record_begin(w.host, &w.record), FHEC_OK);
    assert_int_equal(fhec_record_defer(w.record), FHEC_OK);
    assert_int_equal(fhec_alloc(w.host, "data", 256, 0, &w.data), FHEC_OK);
    const fhec_launch launch = {.program = w.program,
                                .grid = {1, 1, 1},
                                .block = {32, 1, 1},
                                .params = &w.data,
                                .param_bytes = 8};
    assert_int_equal(fhec_run(w.host, &launch), FHEC_OK);
    assert_int_equal(fh_debugger_new(&options, &w.debugger), FHEC_OK);
    assert_int_equal(fh_debugger_take(w.debugger, w.record), FHEC_OK);
    return w;
}

static void end(struct world *w) {
    fh_debugger_free(w->debugger);
    fhec_record_end(w->record);
    fhec_machine_free(w->host);
    fhec_program_free(w->program);
}

static fhec_status go(struct world *w, uint64_t count) {
    struct fh_debug_stop stop;
    const struct fh_move move = {.kind = FH_MOVE_GOTO, .to = {0, count}};
    return fh_debugger_move(w->debugger, &move, &stop);
}

static fhec_status ask(struct world *w, struct fh_origins_here *here) {
    const uint32_t block[3] = {0, 0, 0};
    return fh_debugger_origins(w->debugger, block, 0, 0, here);
}

/* All lanes store to one word, of which the last one's value stays. */
static void expect_right(const struct fh_origins_here *here) {
    char is[96];
    fh_origins_here_text(here, FHEC_FILE_R, 4, 7, is, sizeof is);
    assert_string_equal(is, "data[31]");
    fh_origins_here_text(here, FHEC_FILE_R, 6, 7, is, sizeof is);
    assert_string_equal(is, "of several places");
}

/* The n-th allocation of asking for the first time, and of asking again further back. */
static void each_allocation(void **unused) {
    bool refused = true;
    (void)unused;
    for (long n = 0; refused && n < MOST; n++) {
        struct world w = begin();
        struct fh_origins_here here;
        assert_int_equal(go(&w, AT), FHEC_OK);
        refuse_after(n, true);
        fhec_status status = ask(&w, &here);
        if (status == FHEC_OK)
            expect_right(&here);
        else
            assert_int_equal(status, FHEC_HOST_ERROR);
        if (go(&w, AT - 100) == FHEC_OK) {
            status = ask(&w, &here);
            if (status == FHEC_OK)
                expect_right(&here);
            else
                assert_int_equal(status, FHEC_HOST_ERROR);
        }
        refused = refuse_end();
        assert_int_equal(go(&w, AT), FHEC_OK);
        assert_int_equal(ask(&w, &here), FHEC_OK);
        expect_right(&here);
        end(&w);
    }
    assert_false(refused);
}

/* Bytes of several origins in a register or in a word of shared memory need room, and so do words
 * of local memory; it is asked for again. */
static void room_for_origins(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(text);
    const fhec_launch launch = {.program = program};
    const fhec_event event = {.launch = &launch};
    struct fh_shadows shadows = {0};
    const fh_origin from = fh_origin_make(FH_ORIGIN_GLOBAL, 64);
    const fh_origin_bytes turned = {from + 3, from + 2, from + 1, from}, nothing = {0};
    fh_origin_bytes is;
    struct fh_warp_shadow *w = fh_shadow_warp(&shadows, &event);
    assert_non_null(w);
    refuse_after(0, true);
    const bool set = fh_shadow_shared_set(w->of, 8, turned);
    assert_true(refuse_end());
    assert_false(set);
    fh_shadow_shared_get(w->of, 8, is);
    assert_memory_equal(is, nothing, sizeof is);
    assert_true(fh_shadow_shared_set(w->of, 8, turned));
    fh_shadow_shared_get(w->of, 8, is);
    assert_memory_equal(is, turned, sizeof is);
    refuse_after(0, true);
    const bool set_register = fh_shadow_set_bytes(w, 6, 3, turned);
    assert_true(refuse_end());
    assert_false(set_register);
    assert_true(w->r[6][3] == 0);
    assert_true(fh_shadow_set_bytes(w, 6, 3, turned));
    for (long n = 0; n < 2; n++) { /* the table, and a row of it */
        refuse_after(n, true);
        const bool set_local = fh_shadow_local_set(w, 8, 3, from);
        assert_true(refuse_end());
        assert_false(set_local);
        assert_true(fh_shadow_local_get(w, 8, 3) == 0);
    }
    assert_true(fh_shadow_local_set(w, 8, 3, from));
    assert_true(fh_shadow_local_get(w, 8, 3) == from);
    fh_shadows_free(&shadows);
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(room_for_origins),
                                       cmocka_unit_test(each_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
