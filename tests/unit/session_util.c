/*
 * session_util.c - see session_util.h.
 */
#include "session_util.h"

static fhec_engine engine;

int guest_fast(void **unused) {
    (void)unused;
    engine = FHEC_ENGINE_FAST;
    return 0;
}

int guest_ref(void **unused) {
    (void)unused;
    engine = FHEC_ENGINE_REF;
    return 0;
}

struct guest guest_begin(const char *text, uint32_t blocks, uint32_t threads, size_t words) {
    struct guest g = {.program = emu_assemble(text),
                      .machine = emu_machine(engine, FHEC_SIMD_BEST, 1)};
    assert_int_equal(fhec_alloc(g.machine, "data", 4 * words, 0, &g.data), FHEC_OK);
    fhec_launch launch = {.program = g.program,
                          .grid = {blocks, 1, 1},
                          .block = {threads, 1, 1},
                          .params = &g.data,
                          .param_bytes = sizeof g.data};
    assert_int_equal(fhec_session_begin(g.machine, &launch, &g.session), FHEC_OK);
    return g;
}

void guest_end(struct guest *g) {
    assert_int_equal(fhec_session_end(g->session), FHEC_OK);
    fhec_machine_free(g->machine);
    fhec_program_free(g->program);
}

fhec_stop guest_go(struct guest *g, const fhec_go *how) {
    fhec_stop stop;
    assert_int_equal(fhec_session_run(g->session, how, &stop), FHEC_OK);
    return stop;
}

unsigned guest_add(struct guest *g, fhec_point point) {
    unsigned number;
    if (fhec_session_add(g->session, &point, &number) != FHEC_OK)
        fail_msg("%s", fhec_machine_error(g->machine));
    return number;
}

void expect_at(const fhec_stop *s, fhec_stop_reason reason, uint32_t block, uint32_t warp,
               uint64_t pc, uint64_t instructions) {
    if (s->reason != reason || !s->has_warp || s->block[0] != block || s->block[1] || s->block[2] ||
        s->warp != warp || s->pc != pc || s->instructions != instructions)
        fail_msg("%s of block %u, warp %u at 0x%llx after %llu, not %s of block %u, warp %u at "
                 "0x%llx after %llu",
                 fhec_stop_name(s->reason), s->block[0], s->warp, (unsigned long long)s->pc,
                 (unsigned long long)s->instructions, fhec_stop_name(reason), block, warp,
                 (unsigned long long)pc, (unsigned long long)instructions);
}

uint32_t word_at(const struct guest *g, size_t index) {
    uint32_t word;
    assert_int_equal(fhec_read(g->machine, g->data + 4 * index, &word, 4), FHEC_OK);
    return word;
}

uint32_t lane_of(const struct guest *g, uint32_t block, uint32_t warp, uint32_t reg,
                 uint32_t lane) {
    const uint32_t id[3] = {block, 0, 0};
    uint32_t values[WARP];
    assert_int_equal(fhec_session_read_register(g->session, id, warp, FHEC_FILE_R, reg, values),
                     FHEC_OK);
    return values[lane];
}
