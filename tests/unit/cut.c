/*
 * cut.c - see cut.h.
 */
#include "cut.h"

#include <string.h>

enum { POINTS = 4 };

/* A session that is being cut. */
struct cut {
    struct cutter *by;
    fhec_session *session;
    const fhec_launch *launch;
    unsigned points[POINTS];
    uint64_t instructions; /* at the last stop */
};

static uint32_t below(struct cut *c, uint32_t n) {
    return emu_below(&c->by->rng, n);
}

/* Lengths of all magnitudes up to the longest. */
static uint64_t length(struct cut *c) {
    uint64_t most = 1;
    while (most < c->by->longest && below(c, 4))
        most *= 4;
    return 1 + emu_next(&c->by->rng) % most;
}

static uint32_t warps_of(const fhec_launch *launch) {
    return (launch->block[0] * launch->block[1] * launch->block[2] + 31) / 32;
}

static fhec_scope random_scope(struct cut *c) {
    fhec_scope scope = {.one_block = below(c, 3) == 0, .one_warp = below(c, 2) == 0};
    for (int i = 0; i < 3; i++)
        scope.block[i] = below(c, c->launch->grid[i]);
    scope.warp = below(c, warps_of(c->launch));
    scope.lanes = below(c, 3) ? 0 : (uint32_t)emu_next(&c->by->rng);
    return scope;
}

static bool now_and_then(void *user, fhec_session *session, const fhec_stop *stop) {
    struct cut *c = user;
    fhec_warp_info info;
    if (fhec_session_warp(session, stop->block, stop->warp, &info) != FHEC_OK)
        c->by->wrong = "a stop is about a warp that is not there";
    return below(c, 4) == 0;
}

/* Puts another point in the place of one. Not all that are tried can be reached. */
static void change_point(struct cut *c) {
    static const fhec_point_kind kinds[] = {
        FHEC_POINT_PC,       FHEC_POINT_OPCODE,   FHEC_POINT_CLASS,     FHEC_POINT_REGISTER,
        FHEC_POINT_BARRIER,  FHEC_POINT_WARP_END, FHEC_POINT_BLOCK_END, FHEC_POINT_WARP_BEGIN,
        FHEC_POINT_REGISTER, FHEC_POINT_MEMORY,   FHEC_POINT_MEMORY,    FHEC_POINT_BLOCK_BEGIN,
    };
    static const char *const opcodes[] = {"IADD3", "BRA", "LDG", "STS", "EXIT", "IMAD", "BSYNC"};
    static const char *const classes[] = {"integer", "memory", "control", "matrix", "uniform"};
    unsigned *const number = &c->points[below(c, POINTS)];
    fhec_kernel_info kernel;
    (void)fhec_kernel_get(c->launch->program, c->launch->kernel, &kernel);
    fhec_point p = {.kind = kinds[below(c, sizeof kinds / sizeof *kinds)],
                    .scope = random_scope(c),
                    .skip = below(c, 3),
                    .pc = (uint64_t)below(c, kernel.word_count) * 16,
                    .file_of = (fhec_register_file)below(c, 4),
                    .reg = below(c, 20),
                    .access = 1 + below(c, 7),
                    .space = (fhec_space)below(c, 4),
                    .address = below(c, 512),
                    .bytes = 1 + below(c, 64),
                    .condition = below(c, 2) ? now_and_then : NULL,
                    .user = c};
    if (p.space == FHEC_SPACE_GLOBAL &&
        c->launch->param_bytes >= 8) { /* behind the first pointer */
        uint64_t base;
        memcpy(&base, c->launch->params, 8);
        p.address += base;
    }
    p.text = p.kind == FHEC_POINT_CLASS ? classes[below(c, 5)] : opcodes[below(c, 7)];
    if (*number)
        (void)fhec_session_remove(c->session, *number);
    (void)fhec_session_add(c->session, &p, number);
}

/* Looks at a warp, and writes what is there. */
static void touch_warp(struct cut *c) {
    fhec_block_info block;
    fhec_warp_info warp;
    uint32_t values[FHEC_WARP_LANES], arrived, count;
    const size_t blocks = fhec_session_block_count(c->session);
    if (!blocks)
        return;
    const size_t index = below(c, (uint32_t)blocks);
    if (fhec_session_block(c->session, index, &block) != FHEC_OK ||
        fhec_session_warp(c->session, block.id, below(c, block.warps), &warp) != FHEC_OK)
        c->by->wrong = "a resident block is not there";
    if (warp.active & (warp.exited | ~warp.lanes))
        c->by->wrong = "lanes that have ended are active";
    const fhec_register_file file = (fhec_register_file)below(c, 4);
    const uint32_t reg = below(c, 7), number = below(c, block.warps);
    (void)fhec_session_read_register(c->session, block.id, number, file, reg, values);
    (void)fhec_session_write_register(c->session, block.id, number, file, reg, UINT32_MAX, values);
    (void)fhec_session_read_barrier(c->session, block.id, 0, &arrived, &count);
}

static fhec_go next_piece(struct cut *c) {
    fhec_go go = {.instructions = length(c)};
    if (below(c, 3) == 0) {
        go.step = below(c, 2) ? FHEC_STEP_INSTRUCTION : FHEC_STEP_LINE;
        go.scope = random_scope(c);
    }
    return go;
}

static void check_stop(struct cut *c, const fhec_go *go, const fhec_stop *stop) {
    const uint64_t issued = stop->instructions - c->instructions;
    if (stop->instructions < c->instructions || issued > go->instructions)
        c->by->wrong = "a piece is longer than it may be";
    if (stop->reason == FHEC_STOP_COUNT && issued != go->instructions)
        c->by->wrong = "a piece is shorter than it has to be";
    if (stop->reason == FHEC_STOP_STEP && go->step == FHEC_STEP_NONE)
        c->by->wrong = "a step that nobody asked for";
    c->instructions = stop->instructions;
    c->by->stops++;
}

fhec_status cut_run(struct cutter *cutter, fhec_machine *machine, const fhec_launch *launch) {
    struct cut c = {.by = cutter, .launch = launch};
    fhec_stop stop = {.reason = FHEC_STOP_COUNT};
    fhec_status status = fhec_session_begin(machine, launch, &c.session);
    if (status != FHEC_OK)
        return status;
    while (status == FHEC_OK && stop.reason != FHEC_STOP_END && stop.reason != FHEC_STOP_FAULT) {
        const fhec_go go = next_piece(&c);
        if (below(&c, 4) == 0)
            change_point(&c);
        if (below(&c, 4) == 0)
            touch_warp(&c);
        status = fhec_session_run(c.session, &go, &stop);
        check_stop(&c, &go, &stop);
    }
    const fhec_status ended = fhec_session_end(c.session);
    if (status == FHEC_OK)
        status = stop.reason == FHEC_STOP_FAULT ? FHEC_GUEST_FAULT : ended;
    return status;
}
