/*
 * emu_differential_test.c - random instructions, one at a time, on the reference engine and on the
 * fast engine at every SIMD level of this host. After each the whole state must be the same
 * everywhere: registers, predicates, uniform registers, shared, local and global memory, faults.
 * And nothing may have changed but the operands that the instruction writes, in the active lanes;
 * after a fault, nothing at all.
 *
 * The environment can choose: FHEC_TEST_SEED, FHEC_TEST_SECONDS. A failure prints seed, iteration
 * and instruction.
 */
#include <time.h>

#include "emu_random.h"
#include "emu_util.h"
#include "isa_names.h"
#include "memory.h"
#include "program.h"
#include "state.h"

enum {
    ENGINES = 4,
    WARP = 1, /* of two, so that thread numbers are not lane numbers */
    SHARED = 4096,
    LOCAL = 512,
    GLOBAL = 8192,
    LEAST = 40000, /* instructions, however slow the host is */
    SECONDS = 6,
    LONG_SECONDS = 10, /* with FHEC_TEST_LONG */
};

struct engine {
    const char *name;
    fhec_machine *machine;
    struct fh_state *state;
    struct fh_flow *f;
};

struct bench {
    struct emu_rng rng;
    uint64_t seed, iteration;
    struct engine engine[ENGINES]; /* the first is the reference */
    unsigned count;
    uint64_t global, fixed; /* a writable and a read-only allocation, the same in each machine */
    struct fh_inst inst;
    uint32_t group;
    /* the reference's state before the instruction */
    struct fh_warp before;
    uint8_t shared[SHARED], local[64 * LOCAL], memory[GLOBAL];
};

/* ---------------------------------------------------------------- set-up */

static fhec_program *make_program(void) {
    fhec_program *program = emu_assemble(".target sm_80\n.kernel K\n.param p, 32\nEXIT ;\n.end\n");
    struct fh_kernel *kernel = &program->kernels[0];
    kernel->local_bytes = LOCAL;
    kernel->registers = 0; /* no limit but the hardware's */
    assert_int_equal(kernel->bank_count, 0);
    kernel->banks = malloc(sizeof *kernel->banks);
    uint8_t *bytes = malloc(40);
    assert_true(kernel->banks && bytes);
    for (uint8_t i = 0; i < 40; i++)
        bytes[i] = (uint8_t)(201 * i + 77);
    kernel->banks[0] = (struct fh_constant_bank){.bank = 3, .bytes = bytes, .size = 40};
    kernel->bank_count = 1;
    return program;
}

static void add_engine(struct bench *b, fhec_program *program, const char *name, fhec_engine engine,
                       fhec_simd simd) {
    static const uint64_t params[4] = {UINT64_C(0x9e3779b97f4a7c15), 7, UINT64_C(1) << 63,
                                       UINT64_C(0x00000000ffffffff)};
    if (!emu_has_simd(simd)) {
        print_message("# this host has no %s\n", name);
        return;
    }
    struct engine *e = &b->engine[b->count++];
    e->name = name;
    e->machine = emu_machine(engine, simd, 1);
    assert_int_equal(fhec_alloc(e->machine, "global", GLOBAL, 0, &b->global), FHEC_OK);
    assert_int_equal(fhec_alloc(e->machine, "fixed", GLOBAL, FHEC_MEM_READ_ONLY, &b->fixed),
                     FHEC_OK);
    fhec_launch launch = {
        .program = program,
        .grid = {3, 2, 1},
        .block = {16, 2, 2},
        .dynamic_shared = SHARED,
        .params = params,
        .param_bytes = sizeof params,
    };
    assert_int_equal(fh_state_new(e->machine, &launch, &e->state), FHEC_OK);
    e->f = &e->state->block->warps[WARP];
    uint8_t *fixed = e->state->launch.memory->list[1].bytes;
    for (uint32_t i = 0; i < GLOBAL; i++)
        fixed[i] = (uint8_t)(i * i >> 3);
}

/* ---------------------------------------------------------------- states */

#define FOR_EACH_ENGINE(e, b)                                                                      \
    for (struct engine *e = (b)->engine; e < (b)->engine + (b)->count; e++)

static void set_row(struct bench *b, unsigned row, const uint32_t values[FH_LANES]) {
    FOR_EACH_ENGINE(e, b) {
        if (row < FH_RZ)
            memcpy(e->f->w.r[row], values, sizeof e->f->w.r[row]);
    }
}

static void set_uniform(struct bench *b, unsigned n, uint32_t value) {
    FOR_EACH_ENGINE(e, b) {
        if (n < FH_URZ)
            e->f->w.ur[n] = value;
    }
}

static void random_row(struct bench *b, unsigned row) {
    uint32_t values[FH_LANES];
    bool same = emu_once_in(&b->rng, 8);
    for (uint32_t l = 0; l < FH_LANES; l++)
        values[l] = same && l ? values[0] : emu_value(&b->rng);
    set_row(b, row, values);
}

/* New values for what the instruction names, and for some of the rest. */
static void freshen(struct bench *b) {
    for (unsigned i = 0; i < b->inst.form->operand_count; i++) {
        const struct fh_operand *o = &b->inst.op[i];
        unsigned n = fh_operand_registers(&b->inst, i);
        for (unsigned k = 0; k < n && !emu_once_in(&b->rng, 3); k++) {
            if (o->kind == FH_K_REG)
                random_row(b, o->reg + k);
            else if (o->kind == FH_K_UREG)
                set_uniform(b, o->reg + k, emu_value(&b->rng));
        }
    }
    random_row(b, emu_below(&b->rng, FH_RZ));
    set_uniform(b, emu_below(&b->rng, FH_URZ), emu_value(&b->rng));
    uint32_t p = emu_below(&b->rng, 7), mask = emu_value(&b->rng);
    uint32_t up = emu_below(&b->rng, 7), truth = emu_below(&b->rng, 2);
    FOR_EACH_ENGINE(e, b) {
        e->f->w.p[p] = mask;
        e->f->w.up[up] = (uint8_t)truth;
    }
}

/* Where the lanes of a load or store point: one of the patterns that kernels have, or anywhere. */
static void targets(struct bench *b, uint32_t size, uint32_t at[FH_LANES]) {
    uint32_t pattern = emu_below(&b->rng, 6), first = emu_below(&b->rng, size / 32) * 16;
    uint32_t step = 1u << emu_below(&b->rng, 5);
    for (uint32_t l = 0; l < FH_LANES; l++) {
        switch (pattern) {
        case 0:
        case 1: at[l] = first + l * step; break;
        case 2: at[l] = first; break;
        case 3: at[l] = (first + (31 - l) * 16) % size; break;
        case 4: at[l] = emu_below(&b->rng, size / 16) * 16; break;
        default: at[l] = emu_below(&b->rng, size + 4) & (emu_once_in(&b->rng, 40) ? ~0u : ~3u);
        }
    }
}

/* Registers that make the address operand i hit memory, most of the time. */
static void aim(struct bench *b, unsigned i) {
    struct fh_operand *o = &b->inst.op[i];
    uint32_t at[FH_LANES], low[FH_LANES], high[FH_LANES];
    enum emu_space to = emu_space_of(b->inst.form->insn, i);
    bool global = to == EMU_GLOBAL || to == EMU_GENERIC;
    uint64_t window = 0;
    if (to == EMU_GENERIC) {
        static const uint64_t windows[] = {0, 0, FH_SHARED_WINDOW, FH_LOCAL_WINDOW};
        window = windows[emu_below(&b->rng, 4)];
    }
    bool local = to == EMU_LOCAL || window == FH_LOCAL_WINDOW;
    bool shared = to == EMU_SHARED || window == FH_SHARED_WINDOW;
    targets(b, local ? LOCAL : shared ? SHARED : GLOBAL, at);
    uint64_t base = window ? window : !global ? 0 : emu_once_in(&b->rng, 8) ? b->fixed : b->global;
    base -= (uint64_t)o->value;
    bool uniform = o->has_ureg && !o->desc && o->ureg < FH_URZ;
    bool narrow = global && uniform && !o->wide; /* a 32-bit register on a 64-bit uniform one */
    uint64_t addend = narrow ? base : uniform ? emu_below(&b->rng, 5) * UINT64_C(0x100000010) : 0;
    if (!global)
        addend = (uint32_t)addend;
    if (uniform) {
        set_uniform(b, o->ureg, (uint32_t)addend);
        if (global)
            set_uniform(b, o->ureg + 1u, (uint32_t)(addend >> 32));
    }
    uint32_t shift = o->scale ? o->scale + 1u : 0;
    for (uint32_t l = 0; l < FH_LANES; l++) {
        uint64_t address = base + at[l] - addend;
        low[l] = (uint32_t)address >> shift;
        high[l] = (uint32_t)(address >> 32);
    }
    set_row(b, o->reg, low);
    if (global && !narrow)
        set_row(b, o->reg + 1u, high);
}

static void give_moduli(struct bench *b) {
    uint32_t words[4], rows[4][FH_LANES];
    if (b->inst.form->insn == FH_INSN_FHEC) {
        emu_descriptor(&b->rng, true, words);
        for (unsigned k = 0; k < 4; k++)
            set_uniform(b, b->inst.op[FH_FHEC_M].reg + k, words[k]);
    } else if (b->inst.form->insn == FH_INSN_FHEC_MIX) {
        for (uint32_t l = 0; l < FH_LANES; l++) {
            if (l % 4 == 0 || emu_once_in(&b->rng, 100))
                emu_descriptor(&b->rng, true, words);
            for (unsigned k = 0; k < 4; k++)
                rows[k][l] = words[k];
        }
        for (unsigned k = 0; k < 4; k++)
            set_row(b, b->inst.op[FH_FHEC_MIX_M].reg + k, rows[k]);
    }
}

/* The next instruction and the state that it meets. */
static void prepare(struct bench *b) {
    const struct fh_form *form;
    do
        form = &fh_forms[emu_below(&b->rng, fh_form_count)];
    while (fh_insns[form->insn].kind == FH_KIND_CTRL);
    emu_random_inst(&b->rng, form, &b->inst);
    for (unsigned i = 0; i < form->mod_count; i++) /* addresses of 64 bits, mostly */
        if (strcmp(form->mods[i].name, "E") == 0 && !emu_once_in(&b->rng, 8))
            b->inst.mod[i] = 1;
    freshen(b);
    for (unsigned i = 0; i < form->operand_count; i++)
        if (b->inst.op[i].kind == FH_K_ADDR && !emu_once_in(&b->rng, 24))
            aim(b, i);
    give_moduli(b);
    b->group = emu_once_in(&b->rng, 3) ? (uint32_t)emu_next(&b->rng) : UINT32_MAX;
    if (fh_insns[form->insn].kind == FH_KIND_MATRIX && !emu_once_in(&b->rng, 12)) {
        b->group = UINT32_MAX;
        b->inst.guard = FH_PT;
        b->inst.guard_neg = false;
    }
}

/* ---------------------------------------------------------------- comparing */

static void complain(const struct bench *b, const char *engine, const char *what, unsigned n) {
    char text[200] = "?";
    fhec_word word = fh_encode(&b->inst);
    fh_print(&b->inst, 0, 0, text, sizeof text);
    fail_msg("seed %llu, iteration %llu, engine %s: %s %u\n"
             "  %s\n  word 0x%016llx%016llx, group 0x%08x",
             (unsigned long long)b->seed, (unsigned long long)b->iteration, engine, what, n, text,
             (unsigned long long)word.hi, (unsigned long long)word.lo, b->group);
}

static void compare_warps(const struct bench *b, const struct engine *e) {
    const struct fh_warp *x = &b->engine[0].f->w, *y = &e->f->w;
    for (unsigned n = 0; n < FH_ROWS; n++) {
        bool sink = n >= FH_SINK_ROW && n < FH_ZERO_ROW;
        if (!sink && memcmp(x->r[n], y->r[n], sizeof x->r[n]) != 0)
            complain(b, e->name, "differs in register", n);
    }
    for (unsigned n = 0; n < 8; n++) {
        if (x->p[n] != y->p[n])
            complain(b, e->name, "differs in predicate", n);
        if (x->up[n] != y->up[n])
            complain(b, e->name, "differs in uniform predicate", n);
    }
    for (unsigned n = 0; n < FH_UREGS; n++) {
        bool sink = n >= FH_SINK_UREG && n < FH_ZERO_UREG;
        if (!sink && x->ur[n] != y->ur[n])
            complain(b, e->name, "differs in uniform register", n);
    }
}

static void compare_faults(const struct bench *b, const struct engine *e) {
    const struct fh_fault_record *x = &b->engine[0].state->launch.fault;
    const struct fh_fault_record *y = &e->state->launch.fault;
    if (x->kind != y->kind)
        complain(b, e->name, "differs in the kind of fault", y->kind);
    if (x->kind == FHEC_FAULT_NONE)
        return;
    if (x->lanes != y->lanes || x->address != y->address || strcmp(x->message, y->message) != 0)
        complain(b, e->name, "differs in the fault's lanes, address or message; lanes", y->lanes);
}

static void compare_memory(const struct bench *b, const struct engine *e) {
    const struct fh_state *x = b->engine[0].state, *y = e->state;
    if (memcmp(x->block->shared, y->block->shared, SHARED) != 0)
        complain(b, e->name, "differs in shared memory", 0);
    if (memcmp(x->block->local, y->block->local, sizeof b->local) != 0)
        complain(b, e->name, "differs in local memory", 0);
    if (memcmp(x->launch.memory->list[0].bytes, y->launch.memory->list[0].bytes, GLOBAL) != 0)
        complain(b, e->name, "differs in global memory", 0);
}

/* How the instruction may have changed row n: the operand that writes it, or none. */
static bool writes(const struct fh_inst *inst, uint8_t kind, unsigned n) {
    if (inst->form->insn == FH_INSN_R2P && kind == FH_K_PRED) /* all of them, as "PR" */
        return true;
    for (unsigned i = 0; i < inst->form->operand_count; i++) {
        const struct fh_operand *o = &inst->op[i];
        if (o->kind == kind && inst->form->operands[i].access & FH_WRITE && n >= o->reg &&
            n < o->reg + fh_operand_registers(inst, i))
            return true;
    }
    return false;
}

/* The reference changed only what it may change. */
static void check_changes(const struct bench *b, uint32_t active, bool faulted) {
    const struct fh_warp *x = &b->before, *y = &b->engine[0].f->w;
    for (unsigned n = 0; n < FH_ROWS; n++) {
        if ((n >= FH_SINK_ROW && n < FH_ZERO_ROW) || memcmp(x->r[n], y->r[n], sizeof x->r[n]) == 0)
            continue;
        if (faulted || n >= FH_RZ || !writes(&b->inst, FH_K_REG, n))
            complain(b, "ref", "changed register", n);
        for (uint32_t l = 0; l < FH_LANES; l++)
            if (x->r[n][l] != y->r[n][l] && !(active >> l & 1))
                complain(b, "ref", "changed a register of lane", l);
    }
    for (unsigned n = 0; n < 8; n++) {
        uint32_t changed = x->p[n] ^ y->p[n];
        if (changed & ~active || (changed && (faulted || n == FH_PT)) ||
            (changed && !writes(&b->inst, FH_K_PRED, n)))
            complain(b, "ref", "changed predicate", n);
        if (x->up[n] != y->up[n] &&
            (faulted || !active || n == FH_PT || !writes(&b->inst, FH_K_UPRED, n)))
            complain(b, "ref", "changed uniform predicate", n);
    }
    for (unsigned n = 0; n < FH_UREGS; n++) {
        bool sink = n >= FH_SINK_UREG && n < FH_ZERO_UREG;
        if (!sink && x->ur[n] != y->ur[n] &&
            (faulted || !active || n >= FH_URZ || !writes(&b->inst, FH_K_UREG, n)))
            complain(b, "ref", "changed uniform register", n);
    }
}

static void check_memory_kept(const struct bench *b) {
    const struct fh_state *s = b->engine[0].state;
    if (memcmp(b->shared, s->block->shared, SHARED) != 0 ||
        memcmp(b->local, s->block->local, sizeof b->local) != 0 ||
        memcmp(b->memory, s->launch.memory->list[0].bytes, GLOBAL) != 0)
        complain(b, "ref", "faulted and changed memory", 0);
}

static bool accesses_memory(const struct fh_inst *inst) {
    return fh_insns[inst->form->insn].kind == FH_KIND_MEM;
}

/* One instruction everywhere. Returns whether it ran for some lane without a fault. */
static bool step(struct bench *b) {
    struct engine *ref = &b->engine[0];
    bool memory = accesses_memory(&b->inst);
    memcpy(&b->before, &ref->f->w, sizeof b->before);
    if (memory) {
        memcpy(b->shared, ref->state->block->shared, SHARED);
        memcpy(b->local, ref->state->block->local, sizeof b->local);
        memcpy(b->memory, ref->state->launch.memory->list[0].bytes, GLOBAL);
    }
    fhec_word word = fh_encode(&b->inst);
    FOR_EACH_ENGINE(e, b) {
        bool fine = fh_state_step(e->state, WARP, word, b->group);
        if (fine != (e->state->launch.fault.kind == FHEC_FAULT_NONE))
            complain(b, e->name, "returned", fine);
        if (e == ref)
            continue;
        compare_faults(b, e);
        compare_warps(b, e);
        if (memory)
            compare_memory(b, e);
    }
    const struct fh_insn *insn = &fh_insns[b->inst.form->insn];
    uint32_t guard = insn->uniform_guard ? b->before.up[b->inst.guard] ? UINT32_MAX : 0
                                         : b->before.p[b->inst.guard];
    uint32_t active = b->group & (b->inst.guard_neg ? ~guard : guard);
    bool faulted = ref->state->launch.fault.kind != FHEC_FAULT_NONE;
    check_changes(b, active, faulted);
    if (faulted && memory)
        check_memory_kept(b);
    return active && !faulted;
}

/* Not those that only the scheduler can carry out or that nothing can, nor BMOV to MACTIVE, which
 * needs the very lanes that are active. */
static bool must_run(const struct fh_form *form) {
    const struct fh_insn *insn = &fh_insns[form->insn];
    return insn->kind != FH_KIND_CTRL && !insn->unsupported && form->insn != FH_INSN_BMOV_RUN;
}

static void test_engines_agree(void **unused) {
    (void)unused;
    static struct bench b;
    b.seed = emu_setting("FHEC_TEST_SEED", 20231121);
    b.rng.state = b.seed | UINT64_C(1) << 63;
    fhec_program *program = make_program();
    add_engine(&b, program, "ref", FHEC_ENGINE_REF, FHEC_SIMD_BEST);
    add_engine(&b, program, "portable", FHEC_ENGINE_FAST, FHEC_SIMD_PORTABLE);
    add_engine(&b, program, "avx2", FHEC_ENGINE_FAST, FHEC_SIMD_AVX2);
    add_engine(&b, program, "avx512", FHEC_ENGINE_FAST, FHEC_SIMD_AVX512);
    for (unsigned n = 0; n < FH_RZ; n++)
        random_row(&b, n);
    uint32_t *ran = calloc(fh_form_count, sizeof *ran);
    assert_non_null(ran);
    const uint64_t usual = getenv("FHEC_TEST_LONG") ? LONG_SECONDS : SECONDS;
    time_t end = time(NULL) + (time_t)emu_setting("FHEC_TEST_SECONDS", usual);
    for (; b.iteration < LEAST || time(NULL) < end; b.iteration++) {
        prepare(&b);
        ran[b.inst.form->id] += step(&b);
        if (accesses_memory(&b.inst)) /* where it has gone already */
            (void)step(&b);
    }
    print_message("# %llu instructions on %u engines, seed %llu\n", (unsigned long long)b.iteration,
                  b.count, (unsigned long long)b.seed);
    for (unsigned i = 0; i < fh_form_count; i++)
        if (!ran[i] && must_run(&fh_forms[i]))
            fail_msg("form %s of %s never ran without a fault", fh_forms[i].name,
                     fh_insns[fh_forms[i].insn].name);
    free(ran);
    FOR_EACH_ENGINE(e, &b) {
        fh_state_free(e->state);
        fhec_machine_free(e->machine);
    }
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_engines_agree)};
    return cmocka_run_group_tests_name("emu_differential", tests, NULL, NULL);
}
