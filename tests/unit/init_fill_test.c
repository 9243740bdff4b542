/*
 * init_fill_test.c - undefined bits against the machine itself: a random instruction of each form
 * runs on sources and memory some of whose bits nobody has written, with other patterns there each
 * time. Every bit of its results that differs between the runs must be undefined for the
 * checker `init`; and the checker must not call more undefined than it has to, by far.
 *
 * The environment can choose: FHEC_TEST_SEED. A failure prints seed, instruction and sources.
 */
#include "emu_random.h"
#include "emu_util.h"
#include "init_checker.h"
#include "isa_names.h"
#include "slow_build.h"

enum {
    LANES = 32,
    SOURCES = 32,  /* R16 .. and UR8 .. */
    ROWS = 8,      /* results: R64..R67, predicates, UR40, UR41, uniform predicates */
    SCRATCH = 256, /* words of global memory behind the results, and of shared memory */
    LOCAL = 16,    /* words of a lane's local memory */
    WORDS = ROWS * LANES + 2 * SCRATCH + LOCAL * LANES, /* of y: results, and all memory */
    CONSTANTS = 16,
    RUNS = 6,
    CASES = SLOW_BUILD ? 1 : 3, /* of each form */
};

struct sample {
    struct emu_rng rng;
    struct fh_inst inst;
    char text[32768];
    size_t used;
    uint32_t constants[CONSTANTS];
};

static void add(struct sample *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct sample *s, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(s->text + s->used, sizeof s->text - s->used, format, arguments);
    va_end(arguments);
    s->used += (size_t)length;
    assert_true(s->used < sizeof s->text);
}

/* Bits that nobody writes, of one source: mostly some, sometimes none or all. */
static uint32_t some_bits(struct emu_rng *rng) {
    switch (emu_below(rng, 6)) {
    case 0: return 0;
    case 1: return UINT32_MAX;
    case 2: return 1u << emu_below(rng, 32);
    case 3: return 0xffu << 8 * emu_below(rng, 4);
    default: return (uint32_t)(emu_next(rng) & emu_next(rng));
    }
}

/* Sources: R16.. differ from lane to lane, and some have all their bits in half of the lanes. */
static void add_sources(struct sample *s) {
    struct emu_rng *rng = &s->rng;
    add(s,
        ".target sm_80, fhec, gme, mont\n.kernel K\n.param y, 8\n.param numbers, %d\n.shared s, "
        "1024\n.local 64\n"
        "S2R R0, SR_LANEID ;\nISETP.LT.U32.AND P6, PT, R0, %u, PT ;\n",
        4 * CONSTANTS, 1 + emu_below(rng, 31));
    for (unsigned i = 0; i < SOURCES; i++) {
        add(s, "MOV R8, 0x%x ;\nIMAD R8, R0, 0x%x, R8 ;\n", emu_value(rng),
            emu_once_in(rng, 2) ? 0 : emu_value(rng));
        add(s, "LOP3.LUT R%u, R%u, 0x%x, R8, 0xe2, !PT ;\n", 16 + i, 16 + i, some_bits(rng));
        if (emu_once_in(rng, 4))
            add(s, "@P6 MOV R%u, R8 ;\n", 16 + i);
        add(s, "UMOV UR4, 0x%x ;\nULOP3.LUT UR%u, UR%u, 0x%x, UR4, 0xe2, !UPT ;\n", emu_value(rng),
            8 + i, 8 + i, some_bits(rng));
    }
    add(s, "R2P PR, R%u, 0xf ;\n", 16 + emu_below(rng, SOURCES));
    for (unsigned i = 0; i < 4; i++)
        add(s, "UISETP.LT.AND UP%u, UPT, UR%u, 0x%x, UPT ;\n", i, 8 + emu_below(rng, SOURCES),
            emu_value(rng) & 0x7fffffff);
}

/* Some words of each memory, at R10.64, R12 and R14; of some lanes at the same addresses. */
static void add_memory(struct sample *s) {
    struct emu_rng *rng = &s->rng;
    add(s,
        "LOP3.LUT R9, R0, 0x%x, RZ, 0xc0, !PT ;\nMOV R1, 0x10 ;\nMOV R14, RZ ;\n"
        "IMAD.WIDE.U32 R10, R9, R1, y ;\nIMAD R12, R9, R1, RZ ;\n"
        "UMOV UR50, 0x0 ;\nUMOV UR51, 0x0 ;\n",
        emu_once_in(rng, 3) ? 3 : 31);
    for (unsigned i = 0; i < 8; i++) {
        const unsigned at = 512 * (i / 4) + 4 * (i % 4);
        if (!emu_once_in(rng, 4))
            add(s, "STG.E [R10.64+0x%x], R%u ;\n", 4 * ROWS * LANES + at,
                16 + emu_below(rng, SOURCES));
        if (!emu_once_in(rng, 4))
            add(s, "STS [R12+0x%x], R%u ;\n", at, 16 + emu_below(rng, SOURCES));
    }
    for (unsigned i = 0; i < LOCAL; i++)
        if (!emu_once_in(rng, 4))
            add(s, "STL [R14+0x%x], R%u ;\n", 4 * i, 16 + emu_below(rng, SOURCES));
}

static void add_results(struct sample *s) {
    add(s, "P2R R68, PR, RZ, 0x30 ;\nMOV R69, UR40 ;\nMOV R70, UR41 ;\n"
           "UP2UR UR44, UPR, URZ, 0x30 ;\nMOV R71, UR44 ;\n"
           "MOV R1, 0x4 ;\nIMAD.WIDE.U32 R2, R0, R1, y ;\nIMAD R6, R0, R1, RZ ;\n");
    for (unsigned i = 0; i < ROWS; i++)
        add(s, "STG.E [R2.64+0x%x], R%u ;\n", 4 * LANES * i, 64 + i);
    for (unsigned i = 0; i < SCRATCH / LANES; i++)
        add(s, "LDS R7, [R6+0x%x] ;\nSTG.E [R2.64+0x%x], R7 ;\n", 4 * LANES * i,
            4 * (ROWS * LANES + SCRATCH) + 4 * LANES * i);
    for (unsigned i = 0; i < LOCAL; i++)
        add(s, "LDL R7, [R14+0x%x] ;\nSTG.E [R2.64+0x%x], R7 ;\n", 4 * i,
            4 * (ROWS * LANES + 2 * SCRATCH) + 4 * LANES * i);
    add(s, "EXIT ;\n.end\n");
}

static void place_address(struct sample *s, unsigned i) {
    struct fh_operand *o = &s->inst.op[i];
    const enum emu_space space = emu_space_of(s->inst.form->insn, i);
    const bool global = space == EMU_GLOBAL || space == EMU_GENERIC;
    o->reg = global ? 10 : space == EMU_SHARED ? 12 : 14;
    o->value = global                ? 4 * ROWS * LANES + 512 * (int)emu_below(&s->rng, 2)
               : space == EMU_SHARED ? 512 * (int)emu_below(&s->rng, 2)
                                     : 16 * (int)emu_below(&s->rng, LOCAL / 4);
    o->scale = 0;
    o->wide = global;
    o->ureg = 50;
}

/* Operands become sources and results of the sample. */
static bool place_operands(struct sample *s) {
    struct fh_inst *inst = &s->inst;
    for (unsigned i = 0; i < inst->form->operand_count; i++) {
        struct fh_operand *o = &inst->op[i];
        const bool written = inst->form->operands[i].access & FH_WRITE;
        switch (o->kind) {
        case FH_K_REG:
            o->reg = (uint8_t)(written                    ? 64
                               : emu_once_in(&s->rng, 10) ? FH_RZ
                                                          : 16 + 8 * emu_below(&s->rng, 4));
            break;
        case FH_K_UREG: o->reg = (uint8_t)(written ? 40 : 8 + 8 * emu_below(&s->rng, 4)); break;
        case FH_K_PRED:
        case FH_K_UPRED:
            o->reg = (uint8_t)(!written                  ? emu_below(&s->rng, 4)
                               : emu_once_in(&s->rng, 8) ? FH_PT
                                                         : 4 + (i & 1));
            if (!written && emu_once_in(&s->rng, 4))
                o->reg = FH_PT;
            if (inst->form->insn == FH_INSN_LDGSTS) /* as a guard: see below */
                o->reg = 6;
            break;
        case FH_K_CONST:
            o->bank = 0;
            o->value = 0x170 + 8 * emu_below(&s->rng, CONSTANTS / 2);
            o->indexed = o->has_ureg = false;
            break;
        case FH_K_ADDR: place_address(s, i); break;
        case FH_K_IMM:
        case FH_K_WORD: break;
        default: return false;
        }
    }
    for (unsigned i = 0; i < inst->form->mod_count; i++) /* addresses of 64 bits */
        if (strcmp(inst->form->mods[i].name, "E") == 0)
            inst->mod[i] = 1;
    /* An undefined guard of a store counts as defined once it has been reported. */
    const bool guarded = fh_insns[inst->form->insn].kind != FH_KIND_MEM;
    inst->guard = guarded && emu_once_in(&s->rng, 4) ? (uint8_t)emu_below(&s->rng, 4) : FH_PT;
    inst->guard_neg = false;
    return true;
}

static bool make(struct sample *s, const struct fh_form *form) {
    emu_random_inst(&s->rng, form, &s->inst);
    s->used = 0;
    unsigned operand;
    if (!place_operands(s) || fh_inst_check(&s->inst, &operand))
        return false;
    for (unsigned i = 0; i < CONSTANTS; i++)
        s->constants[i] = emu_value(&s->rng);
    add_sources(s);
    add_memory(s);
    const fhec_word word = fh_encode(&s->inst);
    add(s, ".inst 0x%016llx, 0x%016llx\n", (unsigned long long)word.lo,
        (unsigned long long)word.hi);
    add_results(s);
    return true;
}

/* Runs it with a pattern in fresh registers. The undefined bits of y if `undefined` is not NULL.
 * False if the instruction faults. */
static bool run(const struct sample *s, const fhec_program *program, unsigned pattern,
                uint32_t y[WORDS], uint32_t undefined[WORDS]) {
    const fhec_fill word = {FHEC_FILL_WORD, pattern ? UINT32_MAX : 0};
    const fhec_fill fill = pattern < 2 ? word : (fhec_fill){FHEC_FILL_SEED, 0x1234567 + pattern};
    const fhec_machine_options options = {.threads = 1,
                                          .fill_registers = fill,
                                          .fill_shared = fill,
                                          .fill_local = fill,
                                          .fill_global = fill};
    struct {
        uint64_t y, gap; /* parameters of more than 8 bytes are aligned to 16 */
        uint32_t constants[CONSTANTS];
    } params = {0};
    struct fh_findings *findings = fh_findings_new();
    fhec_machine *m;
    void *state = NULL;
    assert_non_null(findings);
    assert_int_equal(fhec_machine_new(&options, &m), FHEC_OK);
    if (undefined)
        assert_int_equal(fh_check_init.begin(m, findings, &state), FHEC_OK);
    assert_int_equal(fhec_alloc(m, "y", 4 * WORDS, 0, &params.y), FHEC_OK);
    memcpy(params.constants, s->constants, sizeof params.constants);
    const fhec_launch launch = {.program = program,
                                .grid = {1, 1, 1},
                                .block = {LANES, 1, 1},
                                .params = &params,
                                .param_bytes = sizeof params};
    const bool fine = fhec_run(m, &launch) == FHEC_OK;
    if (fine)
        assert_int_equal(fhec_read(m, params.y, y, 4 * WORDS), FHEC_OK);
    if (fine && undefined) {
        struct fh_init_checker *checker = state;
        const struct fh_bits_region *region = fh_defined_region(&checker->shadow, params.y);
        assert_non_null(region);
        memcpy(undefined, region->defined, 4 * WORDS);
        for (unsigned i = 0; i < WORDS; i++)
            undefined[i] = ~undefined[i];
    }
    if (undefined)
        assert_int_equal(fh_check_init.end(state), FHEC_OK);
    fh_findings_free(findings);
    fhec_machine_free(m);
    return fine;
}

struct tally {
    unsigned samples, differing, undefined; /* bits of the last two */
};

static void compare(const struct sample *s, uint64_t seed, struct tally *t) {
    uint32_t first[WORDS], other[WORDS], undefined[WORDS], differ[WORDS] = {0};
    fhec_program *program = emu_assemble(s->text);
    bool fine = run(s, program, 0, first, undefined);
    for (unsigned pattern = 1; fine && pattern < RUNS; pattern++) {
        fine = run(s, program, pattern, other, NULL);
        for (unsigned i = 0; i < WORDS; i++)
            differ[i] |= first[i] ^ other[i];
    }
    fhec_program_free(program);
    if (!fine)
        return;
    t->samples++;
    for (unsigned i = 0; i < WORDS; i++) {
        t->differing += (unsigned)__builtin_popcount(differ[i]);
        t->undefined += (unsigned)__builtin_popcount(undefined[i]);
        if (differ[i] & ~undefined[i]) {
            char text[256];
            fhec_disassemble(fh_encode(&s->inst), 0, 0, text, sizeof text);
            fail_msg("seed %llu: %s: result %u of lane %u differs in bits 0x%x, of which 0x%x are "
                     "undefined; the kernel:\n%s",
                     (unsigned long long)seed, text, i / LANES, i % LANES, differ[i],
                     differ[i] & undefined[i], s->text);
        }
    }
}

static bool is_wanted(const struct fh_form *form) {
    const struct fh_insn *insn = &fh_insns[form->insn];
    return !insn->unsupported && strncmp(insn->name, "BMOV", 4) != 0 &&
           (insn->kind == FH_KIND_LANE || insn->kind == FH_KIND_UNIFORM ||
            insn->kind == FH_KIND_WARP || insn->kind == FH_KIND_MEM);
}

static void test_forms(void **unused) {
    (void)unused;
    static struct sample s;
    const char *given = getenv("FHEC_TEST_SEED");
    const uint64_t seed = given ? strtoull(given, NULL, 0) : 20260711;
    struct tally all = {0};
    unsigned forms = 0;
    s.rng.state = seed | 1;
    for (unsigned f = 0; f < fh_form_count; f++) {
        if (!is_wanted(&fh_forms[f]))
            continue;
        struct tally t = {0};
        for (unsigned n = 0; n < CASES; n++)
            if (make(&s, &fh_forms[f]))
                compare(&s, seed, &t);
        forms += t.samples != 0;
        all.samples += t.samples;
        all.differing += t.differing;
        all.undefined += t.undefined;
    }
    print_message("# %u forms, %u samples: %u bits differ, %u are undefined\n", forms, all.samples,
                  all.differing, all.undefined);
    assert_true(forms > 400);
    assert_true(all.undefined - all.differing < all.differing / 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
