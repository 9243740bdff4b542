/*
 * session_bench.c - what sessions cost: the speed of a launch in a session, with a breakpoint that
 * is not reached and with a watchpoint on one address, as a part of fhec_run's; single steps in a
 * second; the order of warps by a seed and by a callback.
 */
#include <stdlib.h>

#include "bench.h"
#include "fhec_session.h"

enum { BLOCKS = 8, THREADS = 256, STEPS = 20000 };

struct guest {
    fhec_machine *machine;
    fhec_program *program;
    uint64_t data;
    const fhec_point *point; /* NULL: none */
};

/* Each thread works on its own 16 words, in registers, shared and global memory: a load and a store
 * of each among 12 instructions. The last instructions are not reached. */
static const char text[] =
    ".target sm_80\n.kernel K\n.param data, 8\n.shared room, 4096\n"
    "S2R R0, SR_TID.X ;\nMOV R1, 0x40 ;\nIMAD.WIDE.U32 R12, R0, R1, data ;\n"
    "IMAD R32, R0, 0x4, RZ ;\nMOV R4, 0x1234567 ;\nMOV R6, 0x89abcd ;\nMOV R30, 64 ;\n"
    "again:\n.rept 8, i\n"
    "LDG.E R5, [R12.64 + 4 * \\i] ;\nIADD3 R4, R4, R5, R6 ;\n"
    "LOP3.LUT R5, R4, 0x5a5a5a5a, R6, 0x96, !PT ;\nIMAD R6, R5, R4, R6 ;\n"
    "STS [R32], R6 ;\nSHF.L.U32 R4, R6, 0x3, RZ ;\nIADD3 R4, R4, 0x1234567, R5 ;\n"
    "LDS R5, [R32] ;\nIMNMX.U32 R6, R5, R4, PT ;\nSHF.R.U32.HI R5, RZ, 0x5, R4 ;\n"
    "IMAD R5, R4, 0x9e3779b1, R6 ;\nSTG.E [R12.64 + 4 * \\i], R5 ;\n"
    ".endr\n"
    "IADD3 R30, R30, -0x1, RZ ;\nISETP.NE.AND P0, PT, R30, RZ, PT ;\n"
    "@P0 BRA again ;\n@!P0 EXIT ;\nFADD R8, R8, R8 ;\nEXIT ;\n.end\n";

static fhec_launch launch_of(const struct guest *g) {
    return (fhec_launch){.program = g->program,
                         .grid = {BLOCKS, 1, 1},
                         .block = {THREADS, 1, 1},
                         .params = &g->data,
                         .param_bytes = sizeof g->data};
}

static struct guest make(const fhec_order *order) {
    const fhec_machine_options options = {.threads = 1, .order = order ? *order : (fhec_order){0}};
    struct guest g = {.program = bench_assemble(text)};
    if (fhec_machine_new(&options, &g.machine) != FHEC_OK)
        bench_die("no machine");
    if (fhec_alloc(g.machine, "data", 64 * THREADS, 0, &g.data) != FHEC_OK)
        bench_die("no memory for the guest");
    return g;
}

static void discard(struct guest *g) {
    fhec_machine_free(g->machine);
    fhec_program_free(g->program);
}

static void plain(void *context) {
    const struct guest *g = context;
    const fhec_launch launch = launch_of(g);
    if (fhec_run(g->machine, &launch) != FHEC_OK)
        bench_die("the kernel failed");
}

static fhec_session *begin(const struct guest *g) {
    const fhec_launch launch = launch_of(g);
    fhec_session *session;
    unsigned number;
    if (fhec_session_begin(g->machine, &launch, &session) != FHEC_OK)
        bench_die("the session does not begin");
    if (g->point && fhec_session_add(session, g->point, &number) != FHEC_OK)
        bench_die(fhec_machine_error(g->machine));
    return session;
}

static void in_session(void *context) {
    fhec_session *session = begin(context);
    fhec_stop stop;
    if (fhec_session_run(session, NULL, &stop) != FHEC_OK || stop.reason != FHEC_STOP_END)
        bench_die("the session stops");
    (void)fhec_session_end(session);
}

static void steps(void *context) {
    const fhec_go step = {.step = FHEC_STEP_INSTRUCTION};
    fhec_session *session = begin(context);
    fhec_stop stop;
    for (int i = 0; i < STEPS; i++)
        if (fhec_session_run(session, &step, &stop) != FHEC_OK || stop.reason != FHEC_STOP_STEP)
            bench_die("the session does not step");
    (void)fhec_session_end(session);
}

/* Speeds as parts of that of fhec_run. */
static void speeds(struct bench *b) {
    struct guest base = make(NULL), guest = make(NULL);
    const fhec_point breakpoint = {.kind = FHEC_POINT_OPCODE, .text = "FADD"};
    const fhec_point watchpoint = {.kind = FHEC_POINT_MEMORY,
                                   .space = FHEC_SPACE_GLOBAL,
                                   .address = guest.data + 64 * THREADS - 1, /* not written */
                                   .bytes = 1,
                                   .access = FHEC_ACCESS_CHANGE};
    const struct {
        const char *name;
        const fhec_point *point;
        double target;
    } rows[] = {
        {"session.no_point", NULL, 0.95},
        {"session.breakpoint", &breakpoint, 0.95},
        {"session.watchpoint", &watchpoint, 0.5},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bench_timing both[2];
        guest.point = rows[i].point;
        if (!bench_wants(b, rows[i].name))
            continue;
        struct bench_timing ratio = bench_ratio(b, plain, &base, in_session, &guest, both);
        bench_row(b, rows[i].name, ratio.median, "x", rows[i].target, &ratio);
    }
    discard(&base);
    discard(&guest);
}

static void single_steps(struct bench *b) {
    struct guest guest = make(NULL);
    struct bench_timing t = bench_time(b, steps, &guest);
    bench_row(b, "session.steps_per_s", STEPS / t.median, "/s", 200e3, &t);
    discard(&guest);
}

/* The callback takes the warps one after the other. */
static size_t next(void *user, const fhec_ready_warp *ready, size_t count, uint32_t *instructions) {
    size_t *last = user;
    (void)ready;
    (void)instructions;
    *last = *last + 1 < count ? *last + 1 : 0;
    return *last;
}

/* Warp instructions in a second with an order of warps by seed and by callback, which is asked for
 * each of them. */
static void orders(struct bench *b) {
    size_t last = 0;
    const struct {
        const char *name;
        fhec_order order;
    } rows[] = {
        {"session.order_seed_per_s", {.kind = FHEC_ORDER_SEED, .seed = 1}},
        {"session.order_callback_per_s",
         {.kind = FHEC_ORDER_CALLBACK, .next = next, .user = &last}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct guest guest = make(&rows[i].order);
        fhec_stats stats;
        if (bench_wants(b, rows[i].name)) {
            fhec_machine_count(guest.machine, true);
            plain(&guest);
            fhec_machine_count(guest.machine, false);
            if (fhec_machine_stats(guest.machine, &stats) != FHEC_OK)
                bench_die("no counts");
            struct bench_timing t = bench_time(b, plain, &guest);
            bench_row(b, rows[i].name, (double)stats.warp_insts / t.median, "/s", 5e6, &t);
        }
        discard(&guest);
    }
}

int main(int argc, char **argv) {
    struct bench b = bench_begin(argc, argv);
    speeds(&b);
    if (bench_wants(&b, "session.steps_per_s"))
        single_steps(&b);
    orders(&b);
    return bench_end(&b);
}
