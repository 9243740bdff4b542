/*
 * isa_dataflow_test.c - what fh_uses_of says of an instruction against what the reference engine
 * does: random instructions over all forms change no cell but those that are said to be written,
 * and their results do not depend on any cell that is not said to be read. Also that reads are not
 * said of cells that never matter.
 *
 * The environment can choose: FHEC_TEST_SEED. A failure prints seed, iteration and instruction.
 */
#include "dataflow.h"
#include "emu_random.h"
#include "emu_util.h"
#include "isa_names.h"
#include "memory.h"
#include "program.h"
#include "state.h"

enum { WARP = 1, SHARED = 4096, LOCAL = 512, GLOBAL = 8192, ROUNDS = 20000 };

struct memory_copy {
    uint8_t shared[SHARED], local[64 * LOCAL], global[GLOBAL];
};

struct bench {
    struct emu_rng rng;
    uint64_t seed, iteration, global;
    fhec_machine *machine;
    struct fh_state *state;
    struct fh_flow *f;
    struct fh_inst inst;
    struct fh_uses uses;
    struct fh_flow start; /* with convergence barriers and places of the lanes */
    struct fh_warp before, after;
    struct memory_copy memory_before, memory_after;
    uint32_t group;
    fhec_fault_kind fault;
};

static void complain(const struct bench *b, const char *what, unsigned cell) {
    char text[200] = "?", name[8] = "-";
    fh_print(&b->inst, 0, 0, text, sizeof text);
    if (cell < FH_RESOURCES)
        fh_resource_name(cell, name);
    fail_msg("seed %llu, iteration %llu: %s %s\n  %s", (unsigned long long)b->seed,
             (unsigned long long)b->iteration, what, name, text);
}

/* ---------------------------------------------------------------- cells of a warp */

static bool is_cell(unsigned cell) {
    return cell < FH_RZ || (cell >= FH_RES_UR && cell < FH_RES_UR + FH_URZ) ||
           (cell >= FH_RES_P && cell < FH_RES_P + FH_PT) ||
           (cell >= FH_RES_UP && cell < FH_RES_UP + FH_PT);
}

/* Whether a cell differs in the lanes of the mask; uniform ones have no lanes. */
static bool differs(const struct fh_warp *x, const struct fh_warp *y, unsigned cell,
                    uint32_t lanes) {
    if (cell >= FH_RES_UP)
        return x->up[cell - FH_RES_UP] != y->up[cell - FH_RES_UP];
    if (cell >= FH_RES_P)
        return ((x->p[cell - FH_RES_P] ^ y->p[cell - FH_RES_P]) & lanes) != 0;
    if (cell >= FH_RES_UR)
        return x->ur[cell - FH_RES_UR] != y->ur[cell - FH_RES_UR];
    for (unsigned l = 0; l < FH_LANES; l++)
        if ((lanes >> l & 1) && x->r[cell][l] != y->r[cell][l])
            return true;
    return false;
}

static void scramble(struct bench *b, struct fh_warp *w, unsigned cell) {
    if (cell >= FH_RES_UP)
        w->up[cell - FH_RES_UP] ^= 1;
    else if (cell >= FH_RES_P)
        w->p[cell - FH_RES_P] = (uint32_t)emu_next(&b->rng);
    else if (cell >= FH_RES_UR)
        w->ur[cell - FH_RES_UR] = emu_value(&b->rng);
    else
        for (unsigned l = 0; l < FH_LANES; l++)
            w->r[cell][l] = emu_value(&b->rng);
}

static bool used(const struct bench *b, unsigned cell, enum fh_access access) {
    for (unsigned u = 0; u < b->uses.count; u++) {
        const struct fh_use *use = &b->uses.use[u];
        if (use->access == access && use->first <= cell && cell < use->first + (unsigned)use->count)
            return true;
    }
    return false;
}

/* ---------------------------------------------------------------- instructions and their state */

/* Registers that make an address operand hit memory of its space, all lanes in places of their own.
 */
static void aim(struct bench *b, unsigned i) {
    static const char *const global[] = {"LDG", "STG", "ATOMG", "RED", "ATOM", "LD", "ST", "QSPC"};
    struct fh_operand *o = &b->inst.op[i];
    const char *root = fh_insns[b->inst.form->insn].root;
    bool far = b->inst.form->insn == FH_INSN_LDGSTS && i == FH_LDGSTS_from;
    for (unsigned k = 0; k < COUNT_OF(global); k++)
        far |= strcmp(root, global[k]) == 0;
    o->value = (o->value & 7) * 16;
    if (o->ureg < FH_URZ && !o->desc)
        b->f->w.ur[o->ureg] = b->f->w.ur[o->ureg + 1] = 0;
    for (unsigned l = 0; l < FH_LANES && o->reg < FH_RZ - 1; l++) {
        uint64_t at = (far ? b->global : 0) + 16 * l;
        b->f->w.r[o->reg][l] = (uint32_t)at >> (o->scale ? o->scale + 1 : 0);
        if (far)
            b->f->w.r[o->reg + 1][l] = (uint32_t)(at >> 32);
    }
}

/* Registers that emu_random_inst hardly ever names: any value serves, the last one too. */
static bool is_far(unsigned cell) {
    return cell >= 40 && cell < 240;
}

static void prepare(struct bench *b) {
    const struct fh_form *form;
    do
        form = &fh_forms[emu_below(&b->rng, fh_form_count)];
    while (fh_insns[form->insn].kind == FH_KIND_CTRL || fh_insns[form->insn].unsupported);
    emu_random_inst(&b->rng, form, &b->inst);
    for (unsigned i = 0; i < form->mod_count; i++)
        if (strcmp(form->mods[i].name, "E") == 0)
            b->inst.mod[i] = !emu_once_in(&b->rng, 8);
    for (unsigned c = 0; c < FH_RESOURCES; c++)
        if (is_cell(c) && (b->iteration == 0 || !is_far(c)))
            scramble(b, &b->f->w, c);
    for (unsigned i = 0; i < form->operand_count; i++)
        if (b->inst.op[i].kind == FH_K_ADDR)
            aim(b, i);
    b->group = emu_once_in(&b->rng, 3) ? (uint32_t)emu_next(&b->rng) : UINT32_MAX;
    if (fh_insns[form->insn].kind == FH_KIND_MATRIX || form->insn == FH_INSN_LDSM) {
        b->group = UINT32_MAX;
        b->inst.guard = FH_PT;
        b->inst.guard_neg = false;
    }
    fh_uses_of(&b->inst, &b->uses);
}

static void save_memory(const struct bench *b, struct memory_copy *to) {
    memcpy(to->shared, b->state->block->shared, SHARED);
    memcpy(to->local, b->state->block->local, sizeof to->local);
    memcpy(to->global, b->state->launch.memory->list[0].bytes, GLOBAL);
}

static void load_memory(const struct bench *b, const struct memory_copy *from) {
    memcpy(b->state->block->shared, from->shared, SHARED);
    memcpy(b->state->block->local, from->local, sizeof from->local);
    memcpy(b->state->launch.memory->list[0].bytes, from->global, GLOBAL);
}

static void run(struct bench *b) {
    (void)fh_state_step(b->state, WARP, fh_encode(&b->inst), b->group);
}

/* ---------------------------------------------------------------- the claims */

static void only_said_cells_change(const struct bench *b) {
    for (unsigned c = 0; c < FH_RESOURCES; c++)
        if (is_cell(c) && differs(&b->before, &b->after, c, UINT32_MAX) && !used(b, c, FH_WRITE))
            complain(b, "changed", c);
}

/* Whether results, memory or fault are others than at first. Cells that are written began as they
 * did then. */
static bool result_differs(const struct bench *b, unsigned *cell) {
    static struct memory_copy now;
    *cell = FH_RESOURCES;
    save_memory(b, &now);
    if (memcmp(&now, &b->memory_after, sizeof now) != 0 || b->state->launch.fault.kind != b->fault)
        return true;
    for (unsigned c = 0; c < FH_RESOURCES; c++) {
        if (!is_cell(c) || !used(b, c, FH_WRITE) || !differs(&b->after, &b->f->w, c, UINT32_MAX))
            continue;
        *cell = c;
        return true;
    }
    return false;
}

static void again(struct bench *b) {
    memcpy(b->f, &b->start, sizeof b->start);
    load_memory(b, &b->memory_before);
}

static void nothing_else_matters(struct bench *b) {
    unsigned cell;
    again(b);
    for (unsigned c = 0; c < FH_RESOURCES; c++)
        if (is_cell(c) && !used(b, c, FH_READ) && !used(b, c, FH_WRITE))
            scramble(b, &b->f->w, c);
    run(b);
    if (result_differs(b, &cell))
        complain(b, "depends on a cell that it does not read; differs in", cell);
}

/* Notes which cells of an operand have ever mattered. */
static void note_what_matters(struct bench *b, uint32_t *mattered, uint32_t *tried) {
    unsigned u = emu_below(&b->rng, b->uses.count), cell;
    const struct fh_use *use = &b->uses.use[u];
    unsigned k = emu_below(&b->rng, use->count), c = use->first + k;
    if (use->access != FH_READ || use->operand == FH_USE_GUARD || used(b, c, FH_WRITE))
        return;
    again(b);
    scramble(b, &b->f->w, c);
    run(b);
    bool uniform = c >= FH_RES_UR && c < FH_RES_P && use->role == FH_ROLE_ADDRESS;
    unsigned bit = (use->operand * 8u + k % 8) % 32;
    tried[b->inst.form->id] |= uniform ? 0 : 1u << bit;
    if (result_differs(b, &cell))
        mattered[b->inst.form->id] |= 1u << bit;
}

static void set_up(struct bench *b, fhec_program **program) {
    static const uint64_t params[4] = {UINT64_C(0x9e3779b97f4a7c15), 7, UINT64_C(1) << 63, 5};
    const char *seed = getenv("FHEC_TEST_SEED");
    b->seed = seed ? strtoull(seed, NULL, 0) : 20240607;
    b->rng.state = b->seed | UINT64_C(1) << 63;
    *program = emu_assemble(".target sm_80\n.kernel K\n.param p, 32\nEXIT ;\n.end\n");
    (*program)->kernels[0].local_bytes = LOCAL;
    (*program)->kernels[0].registers = 0; /* no limit but the hardware's */
    b->machine = emu_machine(FHEC_ENGINE_REF, FHEC_SIMD_BEST, 1);
    assert_int_equal(fhec_alloc(b->machine, "global", GLOBAL, 0, &b->global), FHEC_OK);
    fhec_launch launch = {.program = *program,
                          .grid = {3, 2, 1},
                          .block = {16, 2, 2},
                          .dynamic_shared = SHARED,
                          .params = params,
                          .param_bytes = sizeof params};
    assert_int_equal(fh_state_new(b->machine, &launch, &b->state), FHEC_OK);
    b->f = &b->state->block->warps[WARP];
    for (unsigned i = 0; i < SHARED; i++)
        b->state->block->shared[i] = (uint8_t)(i * i >> 2);
    for (unsigned i = 0; i < GLOBAL; i++)
        b->state->launch.memory->list[0].bytes[i] = (uint8_t)(i * 7 ^ i >> 5);
}

static void test_uses(void **unused) {
    (void)unused;
    static struct bench b;
    fhec_program *program;
    set_up(&b, &program);
    uint32_t *mattered = calloc(fh_form_count, sizeof *mattered);
    uint32_t *tried = calloc(fh_form_count, sizeof *tried);
    assert_true(mattered && tried);
    unsigned faults = 0;
    for (; b.iteration < ROUNDS; b.iteration++) {
        prepare(&b);
        memcpy(&b.start, b.f, sizeof b.start);
        memcpy(&b.before, &b.f->w, sizeof b.before);
        save_memory(&b, &b.memory_before);
        run(&b);
        memcpy(&b.after, &b.f->w, sizeof b.after);
        save_memory(&b, &b.memory_after);
        b.fault = b.state->launch.fault.kind;
        faults += b.fault != FHEC_FAULT_NONE;
        only_said_cells_change(&b);
        nothing_else_matters(&b);
        for (unsigned i = 0; i < 4 && b.uses.count && b.fault == FHEC_FAULT_NONE; i++)
            note_what_matters(&b, mattered, tried);
    }
    unsigned idle = 0, all = 0;
    for (unsigned i = 0; i < fh_form_count; i++) {
        all += (unsigned)__builtin_popcount(tried[i]);
        idle += (unsigned)__builtin_popcount(tried[i] & ~mattered[i]);
        if (tried[i] & ~mattered[i])
            print_message("# %s %s: reads 0x%x never mattered\n", fh_insns[fh_forms[i].insn].name,
                          fh_forms[i].name, tried[i] & ~mattered[i]);
    }
    print_message("# %u instructions, %u faults; %u of %u reads never mattered; seed %llu\n",
                  ROUNDS, faults, idle, all, (unsigned long long)b.seed);
    assert_true(faults * 2 < ROUNDS);
    assert_true(idle * 10 < all);
    free(mattered);
    free(tried);
    fh_state_free(b.state);
    fhec_machine_free(b.machine);
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_uses)};
    return cmocka_run_group_tests_name("isa_dataflow", tests, NULL, NULL);
}
