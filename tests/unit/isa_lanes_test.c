/*
 * The generated lane functions of the fast engine against those of the reference engine: every form
 * with a body, random operands that overlap in every way, whole state compared. The bodies are the
 * same; what is tested is what the generator builds around them: fetching, masks, pairs, aliasing,
 * specialised functions, faults. FHEC_TEST_SECONDS (4) says for how many seconds or so.
 */
#include "isa_util.h"

#include "emu_random.h"
#include "engine.h"
#include "handlers.h"
#include "isa_names.h"
#include "lanes.h"
#include "launch.h"
#include "slow_build.h"
#include "superblock.h"

enum { SEED = 7340231, RUNS_A_SECOND = SLOW_BUILD ? 25 : 100 };

static uint32_t edge_value(struct random *r) {
    static const uint32_t edges[] = {0,          1,          0xffffffff, 0x80000000,
                                     0x7fffffff, 0x80000001, 0xffff,     0x10000};
    uint64_t pick = next_random(r);
    switch (pick % 5) {
    case 0: return edges[pick >> 8 & 7];
    case 1: return (uint32_t)(pick >> 8) & 0x7f; /* shift counts and their like */
    default: return (uint32_t)(pick >> 8);
    }
}

/* New values for predicates, uniform registers, and the first `rows` rows. */
static void random_warp(struct fh_warp *w, struct random *r, unsigned rows) {
    for (unsigned row = 0; row < rows; row++)
        for (unsigned lane = 0; lane < FH_LANES; lane++)
            w->r[row][lane] = edge_value(r);
    for (unsigned i = 0; i < FH_PT; i++) {
        w->p[i] = (uint32_t)next_random(r);
        w->up[i] = (uint8_t)(next_random(r) & 1);
    }
    for (unsigned i = 0; i < FH_URZ; i++)
        w->ur[i] = edge_value(r);
    w->p[FH_PT] = UINT32_MAX;
    w->up[FH_PT] = 1;
}

enum { CROWDED = 8 + 4 }; /* crowd_registers: 0 to 7, and what follows them in an operand */

/* Few registers, so that operands meet; aligned as the instruction wants it. */
static void crowd_registers(struct fh_inst *inst, struct random *r) {
    for (unsigned i = 0; i < inst->form->operand_count; i++) {
        const struct fh_operand_spec *spec = &inst->form->operands[i];
        bool uniform = spec->kind == FH_K_UREG;
        if ((spec->kind != FH_K_REG && !uniform) || !fh_operand_present(inst, i))
            continue;
        unsigned align = fh_operand_alignment(inst, i);
        uint64_t pick = next_random(r);
        inst->op[i].reg = (uint8_t)(pick >> 8 & 7);
        inst->op[i].reg = (uint8_t)(inst->op[i].reg - inst->op[i].reg % align);
        if (pick % 8 == 0)
            inst->op[i].reg = uniform ? FH_URZ : FH_RZ;
    }
}

static uint16_t resolved_row(const struct fh_operand *o, unsigned access) {
    bool written = access & FH_WRITE;
    switch (o->kind) {
    case FH_K_REG: return o->reg != FH_RZ ? o->reg : written ? FH_SINK_ROW : FH_ZERO_ROW;
    case FH_K_UREG: return o->reg != FH_URZ ? o->reg : written ? FH_SINK_UREG : FH_ZERO_UREG;
    case FH_K_IMM:
    case FH_K_CONST: return FH_ZERO_UREG;
    default: return o->reg == FH_PT && written ? FH_SINK_PRED : o->reg;
    }
}

static void resolve(const struct fh_inst *inst, struct fh_op *op, struct random *r) {
    *op = (struct fh_op){.inst = inst};
    for (unsigned i = 0; i < inst->form->operand_count; i++) {
        const struct fh_operand *o = &inst->op[i];
        op->row[i] = resolved_row(o, inst->form->operands[i].access);
        op->negated |= (uint16_t)(o->neg << i);
        op->abs[i] = o->abs;
        op->part[i] = o->part;
        op->imm[i] = o->kind == FH_K_UREG ? 0 : (uint64_t)o->value;
        if (o->kind == FH_K_CONST)
            op->imm[i] = edge_value(r) | (uint64_t)edge_value(r) << 32;
    }
    for (unsigned i = 0; i < inst->form->mod_count; i++)
        op->mod[i] = inst->mod[i];
    fh_op_place(op);
}

struct outcome {
    struct fh_warp warp;
    struct fh_launch_state launch;
    struct fh_block block;
    bool done;
};

static void begin(struct outcome *o, const struct fh_warp *start) {
    memset(&o->launch, 0, sizeof o->launch);
    memset(&o->block, 0, sizeof o->block);
    o->warp = *start;
    o->warp.launch = &o->launch;
    o->warp.block = &o->block;
}

static void run(struct outcome *o, const struct fh_warp *start, fh_exec_fn *exec,
                const struct fh_op *op, uint32_t active) {
    begin(o, start);
    o->done = exec(&o->warp, op, active);
}

/* "IADD3 Rto, Rfrom, Rread, -Rread". */
static void make_copy(struct fh_inst *inst, struct fh_op *op, unsigned to, unsigned from,
                      unsigned read, struct random *r) {
    static const struct fh_operand predicate = {.kind = FH_K_PRED, .reg = FH_PT};
    const struct fh_form *form = fh_forms;
    while (form->insn != FH_INSN_IADD3 || form->operands[FH_IADD3_B].kind != FH_K_REG)
        form++;
    *inst = (struct fh_inst){.form = form, .guard = FH_PT};
    for (unsigned i = 0; i < form->operand_count; i++)
        inst->op[i] = form->operands[i].kind == FH_K_REG
                          ? (struct fh_operand){.kind = FH_K_REG, .reg = FH_RZ}
                          : predicate;
    inst->op[FH_IADD3_Rd].reg = (uint8_t)to;
    inst->op[FH_IADD3_A].reg = (uint8_t)from;
    inst->op[FH_IADD3_B].reg = inst->op[FH_IADD3_C].reg = (uint8_t)read;
    inst->op[FH_IADD3_C].neg = true;
    resolve(inst, op, r);
}

/* What a chain of three is made of: a copy of row `first` to itself that reads row `read`, the op,
 * a copy of its result to COPIED. */
enum { COPIED = 20 };
struct three {
    struct fh_inst insts[2];
    struct fh_op ops[4];
};

static void bind(const struct fh_engine *engine, struct fh_op *op) {
    const struct fh_functions functions = engine->select(op);
    op->exec = functions.exec;
    op->enter = functions.threaded;
    op->forwarding = functions.forwarding;
    op->forwards = functions.forwards & 15;
    op->shares = functions.shares & 15;
}

/* The register that a link leaves in hand; RZ for none. */
static unsigned result_of(const struct fh_op *op) {
    unsigned row =
        op->forwards >= FH_FORWARDS_RESULT ? op->row[op->forwards - FH_FORWARDS_RESULT] : FH_RZ;
    return row < FH_RZ ? row : FH_RZ;
}

/* Runs such a chain; false if it ended early. With `guarded` the op's guard counts. */
static bool run_superblock(struct outcome *o, const struct fh_warp *start,
                           const struct fh_engine *engine, const struct fh_op *op, unsigned first,
                           unsigned read, bool guarded, struct random *r) {
    static struct three t;
    t.ops[1] = *op;
    bind(engine, &t.ops[1]);
    if (guarded) {
        t.ops[1].enter = engine->select(op).guarded;
        t.ops[1].forwarding = NULL;
        t.ops[1].shares = 0;
    }
    make_copy(&t.insts[0], &t.ops[0], first, first, read, r);
    make_copy(&t.insts[1], &t.ops[2], COPIED, result_of(&t.ops[1]), FH_RZ, r);
    bind(engine, &t.ops[0]);
    bind(engine, &t.ops[2]);
    fh_superblocks_join(engine->threading, t.ops, 3);
    begin(o, start);
    o->done = true;
    return engine->threading->run(&o->warp, t.ops) == &t.ops[3];
}

/* Rows that take results which nobody wants: what is in them does not matter. */
static bool is_sink(unsigned row) {
    return row >= FH_SINK_ROW && row < FH_ZERO_ROW;
}

/* A row before which none differs. */
static unsigned first_difference(const struct fh_warp *a, const struct fh_warp *b) {
    enum { BLOCK = 16 };
    unsigned row = 0;
    while (row + BLOCK <= FH_ROWS && memcmp(a->r[row], b->r[row], sizeof a->r[0] * BLOCK) == 0)
        row += BLOCK;
    return row;
}

/* The first difference that a program could see; NULL if there is none. */
static const char *difference(const struct outcome *a, const struct outcome *b) {
    static char text[200];
    if (a->done != b->done || a->launch.fault.kind != b->launch.fault.kind ||
        a->launch.fault.lanes != b->launch.fault.lanes ||
        strcmp(a->launch.fault.message, b->launch.fault.message) != 0) {
        snprintf(text, sizeof text, "fault %d of lanes %08x, want %d of %08x", a->launch.fault.kind,
                 a->launch.fault.lanes, b->launch.fault.kind, b->launch.fault.lanes);
        return text;
    }
    for (unsigned row = first_difference(&a->warp, &b->warp); row < FH_ROWS; row++) {
        const uint32_t *x = a->warp.r[row], *y = b->warp.r[row];
        unsigned l = 0;
        if (is_sink(row) || memcmp(x, y, sizeof a->warp.r[row]) == 0)
            continue;
        while (x[l] == y[l])
            l++;
        snprintf(text, sizeof text, "row %u lane %u is %08x, want %08x", row, l, x[l], y[l]);
        return text;
    }
    for (unsigned i = 0; i < 8; i++) {
        if (a->warp.p[i] != b->warp.p[i] || a->warp.up[i] != b->warp.up[i]) {
            snprintf(text, sizeof text, "P%u is %08x, want %08x; UP%u is %u, want %u", i,
                     a->warp.p[i], b->warp.p[i], i, a->warp.up[i], b->warp.up[i]);
            return text;
        }
    }
    for (unsigned i = 0; i < FH_UREGS; i++)
        if ((i < FH_SINK_UREG || i >= FH_ZERO_UREG) && a->warp.ur[i] != b->warp.ur[i]) {
            snprintf(text, sizeof text, "UR%u is %08x, want %08x", i, a->warp.ur[i], b->warp.ur[i]);
            return text;
        }
    return NULL;
}

/* What cannot be different: rows that read zero, PT, and what no lane may touch. */
static void check_frame(const struct outcome *o, const struct fh_warp *start, uint32_t active,
                        const struct fh_inst *inst) {
    for (unsigned row = first_difference(&o->warp, start); row < FH_ROWS; row++) {
        uint32_t still = o->done && row < FH_RZ ? ~active : UINT32_MAX; /* lanes */
        if (is_sink(row) || memcmp(o->warp.r[row], start->r[row], sizeof start->r[row]) == 0)
            continue;
        for (unsigned l = 0; l < FH_LANES; l++)
            if (still >> l & 1 && o->warp.r[row][l] != start->r[row][l])
                fail_msg("%s: row %u of lane %u changed", insn_name(inst->form), row, l);
    }
    for (unsigned i = 0; i < 8; i++)
        if ((o->warp.p[i] ^ start->p[i]) & ~active)
            fail_msg("%s: P%u of an inactive lane changed", insn_name(inst->form), i);
    if (o->warp.p[FH_PT] != UINT32_MAX || o->warp.up[FH_PT] != 1 || o->warp.ur[FH_URZ] != 0)
        fail_msg("%s: PT, UPT or URZ changed", insn_name(inst->form));
}

static uint32_t random_lanes(struct random *r) {
    uint64_t pick = next_random(r);
    if (pick % 3 == 0)
        return UINT32_MAX;
    return pick % 3 == 1 ? 1U << (pick >> 8 & 31) : (uint32_t)(pick >> 8) | 0x100;
}

static bool generated(const struct fh_form *form) {
    const uint8_t kind = fh_insns[form->insn].kind;
    return kind == FH_KIND_LANE || kind == FH_KIND_UNIFORM || kind == FH_KIND_WARP ||
           (kind == FH_KIND_MATRIX && !fh_insns[form->insn].unsupported);
}

struct trial {
    const struct fh_engine *engine;
    struct fh_inst inst;
    struct fh_op op;
    uint32_t active;
    unsigned iteration;
};

static void expect_same(const struct trial *t, const char *how, const struct outcome *got,
                        const struct outcome *want) {
    char text[128];
    const char *what = difference(got, want);
    fh_print(&t->inst, 0, 0, text, sizeof text);
    if (what)
        fail_msg("%s (form %s), SIMD level %d, %s, lanes %08x, seed %d, iteration %u: %s", text,
                 t->inst.form->name, t->engine->simd, how, t->active, SEED, t->iteration, what);
}

/* The op, under its guard, between two others. */
static bool guarded_run(const struct trial *t, const struct fh_warp *start,
                        const struct outcome *want, struct random *r) {
    static struct outcome got, copied;
    struct fh_op bound = t->op;
    bind(t->engine, &bound);
    if (!t->engine->select(&t->op).guarded)
        return false;
    copied = *want;
    memcpy(copied.warp.r[COPIED], want->warp.r[result_of(&bound)], sizeof copied.warp.r[COPIED]);
    assert_true(run_superblock(&got, start, t->engine, &t->op, COPIED + 1, FH_RZ, true, r));
    expect_same(t, "guarded", &got, &copied);
    return true;
}

/* The op between two others, with each of its sources, and another row, from the one before it; and
 * with the one that it shares besides. */
static void chained_runs(const struct trial *t, const struct fh_warp *start,
                         const struct outcome *want, struct random *r) {
    static struct outcome got, copied;
    const struct fh_form *form = t->inst.form;
    struct fh_op bound = t->op;
    bind(t->engine, &bound);
    const unsigned result = result_of(&bound);
    for (unsigned i = 0; bound.enter && i <= form->operand_count; i++) {
        const bool source = i < form->operand_count && form->operands[i].kind == FH_K_REG;
        const unsigned first = source ? t->op.row[i] : COPIED + 1;
        if ((i < form->operand_count && !source) || first >= FH_RZ)
            continue;
        copied = *want;
        memcpy(copied.warp.r[COPIED], want->warp.r[result], sizeof copied.warp.r[COPIED]);
        assert_true(run_superblock(&got, start, t->engine, &t->op, first, FH_RZ, false, r));
        expect_same(t, "chained", &got, &copied);
        if (!bound.shares || t->op.row[bound.shares - 1] >= FH_RZ)
            continue;
        assert_true(run_superblock(&got, start, t->engine, &t->op, first,
                                   t->op.row[bound.shares - 1], false, r));
        expect_same(t, "chained and shared", &got, &copied);
    }
}

/* Returns how many of the links for ops with a guard were tried. */
static unsigned one_run(const struct fh_form *form, const struct fh_engine *engines, unsigned count,
                        struct random *r, unsigned iteration) {
    static struct outcome want, got;
    static struct fh_warp start;
    struct trial t = {.iteration = iteration};
    unsigned guarded = 0;
    assert_true(fh_decode(random_word(form, r), &t.inst));
    crowd_registers(&t.inst, r);
    resolve(&t.inst, &t.op, r);
    random_warp(&start, r, iteration ? CROWDED : FH_RZ);
    t.active = random_lanes(r);
    t.op.guard = (uint8_t)(next_random(r) % FH_PT);
    t.op.guard_neg = next_random(r) & 1;
    start.p[t.op.guard] = t.op.guard_neg ? ~t.active : t.active;
    run(&want, &start, fh_ref_table[form->id], &t.op, t.active);
    check_frame(&want, &start, t.active, &t.inst);
    for (unsigned e = 0; e < count; e++) {
        t.engine = &engines[e];
        run(&got, &start, t.engine->select(&t.op).exec, &t.op, t.active);
        expect_same(&t, "alone", &got, &want);
        if (t.active == UINT32_MAX)
            chained_runs(&t, &start, &want, r);
        guarded += guarded_run(&t, &start, &want, r);
    }
    return guarded;
}

/* Forms whose function another folder writes (special registers) are not ours to compare. */
static bool hand_written(const struct fh_form *form) {
    const struct fh_inst inst = {.form = form};
    const struct fh_op op = {.inst = &inst};
    return fh_ref_table[form->id] == fh_fast_select_portable(&op).exec;
}

static void fast_equals_reference(void **state) {
    (void)state;
    static const fhec_simd levels[] = {FHEC_SIMD_PORTABLE, FHEC_SIMD_AVX2, FHEC_SIMD_AVX512};
    struct fh_engine engines[3];
    const uint64_t runs = RUNS_A_SECOND * emu_setting("FHEC_TEST_SECONDS", 4); /* of each form */
    unsigned count = 0, forms = 0, guarded = 0;
    for (unsigned i = 0; i < COUNT_OF(levels); i++)
        count += fh_engine_choose(FHEC_ENGINE_FAST, levels[i], &engines[count]);
    assert_true(count >= 1);
    struct random r = {SEED, SEED};
    for (unsigned f = 0; f < fh_form_count; f++) {
        if (!generated(&fh_forms[f]) || hand_written(&fh_forms[f]))
            continue;
        forms++;
        for (unsigned i = 0; i < runs; i++)
            guarded += one_run(&fh_forms[f], engines, count, &r, i);
    }
    print_message("# seed %d: %u forms, %llu runs each, %u SIMD levels\n", SEED, forms,
                  (unsigned long long)runs, count);
    assert_true(forms > 100);
    assert_true(guarded > 0 || engines[count - 1].simd != FHEC_SIMD_AVX512);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(fast_equals_reference)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
