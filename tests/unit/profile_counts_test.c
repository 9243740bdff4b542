/*
 * profile_counts_test.c - what a profiler counts of launches: by instruction, with values worked
 * out by hand; on both engines, with one host thread and several, over several launches and
 * machines.
 */
#include "code_facts.h"
#include "emu_util.h"
#include "profile_sums.h"
#include "profiler.h"

enum { BLOCKS = 24, THREADS = 64, WARPS = BLOCKS * THREADS / 32 };

/* Words of shared memory at a distance of `stride` bytes, which is the second parameter; a branch
 * that parts lanes 0 to 4 of each warp from the others; global words in order, and one for all. */
static const char kernel[] = ".target sm_80\n.kernel K\n.param x, 8\n.param stride, 8\n"
                             ".shared room, 8448\n"
                             "S2R R0, SR_LANEID ;\n"                    /* 00 */
                             "MOV R9, stride ;\n"                       /* 10 */
                             "IMAD R8, R0, R9, RZ ;\n"                  /* 20 */
                             "MOV R2, x ;\n"                            /* 30 */
                             "MOV R3, x+4 ;\n"                          /* 40 */
                             "LDG.E R4, [R2.64] ;\n"                    /* 50 */
                             "IMAD.WIDE.U32 R6, R0, 0x4, R2 ;\n"        /* 60 */
                             "STS [R8], R4 ;\n"                         /* 70 */
                             "LDS R5, [R8] ;\n"                         /* 80 */
                             "ISETP.LT.U32.AND P0, PT, R0, 0x5, PT ;\n" /* 90 */
                             "@P0 BRA low ;\n"                          /* a0 */
                             "IADD3 R5, R5.reuse, R4, RZ ;\n"           /* b0 */
                             "low:\n"
                             "LDG.E R4, [R6.64+0x10] ;\n" /* c0 */
                             "EXIT ;\n.end\n";

struct shape {
    fhec_engine engine;
    unsigned threads;
};
static const struct shape shapes[] = {
    {FHEC_ENGINE_FAST, 1},
    {FHEC_ENGINE_FAST, 4},
    {FHEC_ENGINE_REF, 1},
};

static uint32_t gcd(uint32_t a, uint32_t b) {
    return b ? gcd(b, a % b) : a;
}

/* Launches the kernel on a machine of its own. */
static void launch(struct fh_profiler *profiler, const fhec_program *program,
                   const struct shape *shape, uint64_t stride) {
    fhec_machine *m = emu_machine(shape->engine, FHEC_SIMD_BEST, shape->threads);
    uint64_t params[2] = {0, stride};
    assert_int_equal(fhec_alloc(m, "x", 4096, 0, &params[0]), FHEC_OK);
    assert_int_equal(fh_profiler_attach(profiler, m), FHEC_OK);
    emu_run_ok(m, program, BLOCKS, THREADS, params, 2);
    fh_profiler_detach(profiler);
    emu_run_ok(m, program, BLOCKS, THREADS, params, 2); /* nobody counts that */
    fhec_machine_free(m);
}

static const struct fh_profile_counts *at(const struct fh_profiler *profiler, uint64_t pc) {
    const struct fh_profiled_code *code = fh_profiler_code(profiler);
    assert_false(code->failed);
    assert_int_equal(code->count, 1);
    return &code->kernels[0]->words[pc / 16].counts;
}

static void test_counts(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(kernel);
    for (size_t s = 0; s < COUNT_OF(shapes); s++) {
        struct fh_profiler *p = fh_profiler_new();
        launch(p, program, &shapes[s], 128);
        assert_int_equal(at(p, 0x00)->warp, WARPS);
        assert_int_equal(at(p, 0x00)->thread, 32 * WARPS);
        assert_int_equal(at(p, 0xa0)->warp, WARPS);
        assert_int_equal(at(p, 0xa0)->thread, 5 * WARPS); /* those that branch */
        assert_int_equal(at(p, 0xa0)->divergences, WARPS);
        assert_int_equal(at(p, 0xb0)->thread, 27 * WARPS);
        assert_int_equal(at(p, 0x50)->requests, WARPS);
        assert_int_equal(at(p, 0x50)->sectors, WARPS); /* one word */
        assert_int_equal(at(p, 0x50)->ideal, WARPS);
        /* All lanes are together again; 128 bytes that begin in a sector's middle. */
        assert_int_equal(at(p, 0xc0)->warp, WARPS);
        assert_int_equal(at(p, 0xc0)->ideal, 4 * WARPS);
        assert_int_equal(at(p, 0xc0)->sectors, 5 * WARPS);
        assert_int_equal(at(p, 0x70)->passes, 32 * WARPS);
        assert_int_equal(at(p, 0x70)->conflicts, 31 * WARPS);
        assert_int_equal(at(p, 0x80)->conflicts, 31 * WARPS);
        const struct fh_profile_worst *worst =
            &fh_profiler_code(p)->kernels[0]->words[0x70 / 16].worst;
        assert_int_equal(worst->ways, 32);
        assert_int_equal(worst->bank, 0);
        assert_int_equal(worst->count, 4);
        assert_int_equal(worst->lane[3], 3);
        assert_int_equal(worst->address[3], 3 * 128);
        assert_int_equal(worst->block[0], 0); /* the first one, whatever ran at the same time */
        assert_int_equal(worst->warp, 0);
        assert_int_equal(fh_profiler_code(p)->kernels[0]->launches, 1);
        assert_int_equal(fh_profiler_code(p)->kernels[0]->blocks, BLOCKS);
        fh_profiler_free(p);
    }
    fhec_program_free(program);
}

/* Strides one after another in one profile: the sum of what each gives. */
static void test_strides(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(kernel);
    struct fh_profiler *p = fh_profiler_new();
    uint64_t passes = 0;
    for (uint32_t stride = 1; stride <= 33; stride++) {
        launch(p, program, &shapes[stride % COUNT_OF(shapes)], 4 * stride);
        passes += (uint64_t)WARPS * gcd(stride, 32);
        assert_int_equal(at(p, 0x70)->passes, passes);
        assert_int_equal(at(p, 0x80)->passes, passes);
        assert_int_equal(at(p, 0x70)->conflicts, passes - (uint64_t)WARPS * stride);
    }
    fh_profiler_free(p);
    fhec_program_free(program);
}

/* The same kernel in two programs is one; with another word, or written elsewhere, it is not. */
static void test_programs(void **unused) {
    (void)unused;
    static const char *const others[] = {
        ".target sm_80\n.kernel K\n.param x, 8\n.param stride, 8\nMOV R1, 0x2 ;\nEXIT ;\n.end\n",
        ".target sm_80\n.kernel K\n.param x, 8\n.param stride, 8\n\nMOV R1, 0x1 ;\nEXIT ;\n.end\n",
        ".target sm_80\n.kernel L\n.param x, 8\n.param stride, 8\nMOV R1, 0x1 ;\nEXIT ;\n.end\n",
        ".target sm_80\n.kernel K\n.param x, 8\n.param stride, 8\nMOV R1, 0x1 ;\nNOP ;\nEXIT ;.end",
    };
    static const char first[] =
        ".target sm_80\n.kernel K\n.param x, 8\n.param stride, 8\nMOV R1, 0x1 ;\nEXIT ;\n.end\n";
    struct fh_profiler *p = fh_profiler_new();
    for (unsigned i = 0; i < 3; i++) {
        fhec_program *program = emu_assemble(first);
        launch(p, program, &shapes[0], 4);
        fhec_program_free(program);
        assert_int_equal(fh_profiler_code(p)->count, 1);
    }
    for (size_t round = 0; round < 2; round++) {
        for (size_t i = 0; i < COUNT_OF(others); i++) {
            fhec_program *program = emu_assemble(others[i]);
            fh_profiler_know(p, program);
            launch(p, program, &shapes[0], 4);
            fhec_program_free(program);
            assert_int_equal(fh_profiler_code(p)->count, round ? COUNT_OF(others) + 1 : i + 2);
        }
    }
    assert_int_equal(fh_profiler_code(p)->kernels[0]->launches, 3);
    assert_int_equal(fh_profiler_code(p)->kernels[0]->words[1].counts.warp, 3 * WARPS);
    assert_int_equal(fh_profiler_code(p)->kernels[4]->launches, 2);
    fh_profiler_free(p);
}

/* The kernel, and words of functions behind it. */
static const struct fh_profiled_kernel *kernel_with(struct fh_profiled_code *code,
                                                    const fhec_program *program,
                                                    const fhec_kernel_info *info, uint32_t behind) {
    struct fh_profiled_search search;
    fh_profiled_begin(code, &search, program, 0);
    for (uint32_t i = 0; i < info->word_count + behind; i++)
        fh_profiled_next(code, &search, info->words[i % info->word_count]);
    return fh_profiled_end(code, &search);
}

/* A program that lies where another one was, of the same kernel and fewer functions behind it: a
 * kernel of its own, each time. */
static void test_fewer_functions(void **unused) {
    (void)unused;
    static const uint32_t behind[] = {3, 1, 1, 3, 2, 1};
    static const size_t wanted[] = {0, 1, 1, 0, 2, 1};
    struct fh_profiled_code code = {0};
    fhec_program *program = emu_assemble(kernel);
    fhec_kernel_info info;
    assert_int_equal(fhec_kernel_get(program, 0, &info), FHEC_OK);
    for (size_t i = 0; i < COUNT_OF(behind); i++) {
        const struct fh_profiled_kernel *k = kernel_with(&code, program, &info, behind[i]);
        assert_ptr_equal(k, code.kernels[wanted[i]]);
        assert_int_equal(k->count, info.word_count + behind[i]);
        assert_int_equal(k->own, info.word_count);
    }
    assert_int_equal(code.count, 3);
    assert_false(code.failed);
    fh_profiled_code_free(&code);
    fhec_program_free(program);
}

/* A launch that faults counts up to there. */
static void test_fault(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(kernel);
    struct fh_profiler *p = fh_profiler_new();
    fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    uint64_t params[2] = {0, 1 << 20}; /* out of shared memory; x is no buffer */
    assert_int_equal(fh_profiler_attach(p, m), FHEC_OK);
    assert_int_equal(emu_run(m, program, 1, 32, params, 2), FHEC_GUEST_FAULT);
    fh_profiler_detach(p);
    fhec_machine_free(m);
    assert_true(fh_profiler_code(p)->kernels[0]->partial);
    assert_int_equal(at(p, 0x40)->warp, 1);
    assert_int_equal(at(p, 0x60)->warp, 0);
    fh_profiler_free(p);
    fhec_program_free(program);
}

static struct fh_code_fact *facts_of(struct fh_profiler *p, const char *text) {
    fhec_program *program = emu_assemble(text);
    fh_profiler_know(p, program);
    fhec_program_free(program);
    const struct fh_profiled_code *code = fh_profiler_code(p);
    struct fh_code_fact *facts = fh_code_facts(code->kernels[code->count - 1]);
    assert_non_null(facts);
    return facts;
}

/* Registers that are live before each instruction: in a loop all that it reads, behind it only what
 * follows; a guarded write keeps what was there; both ways of a branch count. */
static void test_live(void **unused) {
    (void)unused;
    static const uint16_t live[] = {0, 1, 2, 3, 3, 3, 3, 3, 3, 0};
    static const uint16_t uniform[] = {0, 0, 0, 0, 1, 1, 1, 1, 1, 0};
    struct fh_profiler *p = fh_profiler_new();
    struct fh_code_fact *facts = facts_of(p, ".target sm_80\n.kernel K\n"
                                             "MOV R4, 0x1 ;\n"
                                             "MOV R6, 0x2 ;\n"
                                             "MOV R7, 0x9 ;\n"
                                             "UMOV UR4, 0x3 ;\n"
                                             "again:\n"
                                             "@P1 MOV R4, 0x5 ;\n"                  /* R4, R6, R7 */
                                             "IADD3 R4, R4, R6, RZ ;\n"             /* the same */
                                             "IADD3 R7, R7, -0x1, RZ ;\n"           /* the same */
                                             "ISETP.NE.AND P0, PT, R7, UR4, PT ;\n" /* the same */
                                             "@P0 BRA again ;\n"
                                             "EXIT ;\n.end\n");
    for (size_t i = 0; i < COUNT_OF(live); i++) {
        assert_int_equal(facts[i].live, live[i]);
        assert_int_equal(facts[i].live_uniform, uniform[i]);
    }
    free(facts);
    fh_profiler_free(p);
}

/* A branch by a register may lead to whatever follows an instruction that does not go on. */
static void test_live_anywhere(void **unused) {
    (void)unused;
    static const uint16_t live[] = {1, 2, 3, 4, 1, 0, 1, 0};
    struct fh_profiler *p = fh_profiler_new();
    struct fh_code_fact *facts = facts_of(p, ".target sm_80\n.kernel K\n"
                                             "MOV R10, 0x40 ;\n"        /* R7 */
                                             "MOV R11, RZ ;\n"          /* R7, R10 */
                                             "MOV R4, 0x1 ;\n"          /* R7, R10, R11 */
                                             "BRX R10 -0x40 ;\n"        /* R4, too */
                                             "IADD3 R5, R4, RZ, RZ ;\n" /* R4 */
                                             "EXIT ;\n"
                                             "IADD3 R6, R7, RZ, RZ ;\n" /* R7 */
                                             "EXIT ;\n.end\n");
    for (size_t i = 0; i < COUNT_OF(live); i++)
        assert_int_equal(facts[i].live, live[i]);
    free(facts);
    fh_profiler_free(p);
}

/* Lines by file, as files come up, and by number; the words of one are together, wherever they
 * stand. */
static void test_lines(void **unused) {
    (void)unused;
    static const struct {
        const char *file;
        uint32_t line, count, words[2];
    } wanted[] = {
        {"a.cu", 3, 1, {3}}, {"a.cu", 9, 2, {1, 4}}, {"b.cu", 2, 1, {0}}, {"b.cu", 4, 2, {2, 5}}};
    struct fh_profiler *p = fh_profiler_new();
    free(facts_of(p, ".target sm_80\n.kernel K\n"
                     ".loc \"b.cu\", 2\nMOV R1, 0x1 ;\n.loc \"a.cu\", 9\nMOV R2, 0x1 ;\n"
                     ".loc \"b.cu\", 4\nMOV R3, 0x1 ;\n.loc \"a.cu\", 3\nMOV R4, 0x1 ;\n"
                     ".loc \"a.cu\", 9\nMOV R5, 0x1 ;\n.loc \"b.cu\", 4\nEXIT ;\n.end\n"));
    const struct fh_profiled_code *code = fh_profiler_code(p);
    struct fh_profile_sums sums;
    assert_true(fh_profile_sums_make(&sums, code->kernels[code->count - 1]));
    assert_int_equal(sums.line_count, COUNT_OF(wanted));
    const uint32_t first = strcmp(sums.lines[0].file, "b.cu") == 0 ? 2 : 0;
    for (uint32_t i = 0; i < sums.line_count; i++) {
        const struct fh_profile_line *line = &sums.lines[i];
        const uint32_t k = (i + first) % COUNT_OF(wanted);
        assert_string_equal(line->file, wanted[k].file);
        assert_int_equal(line->line, wanted[k].line);
        assert_int_equal(line->count, wanted[k].count);
        assert_memory_equal(&sums.order[line->first], wanted[k].words,
                            line->count * sizeof *sums.order);
    }
    fh_profile_sums_free(&sums);
    fh_profiler_free(p);
}

/* Classes, the one that was issued most first: one that passes two others. */
static void test_classes(void **unused) {
    (void)unused;
    struct fh_profiler *p = fh_profiler_new();
    free(facts_of(p, ".target sm_80\n.kernel K\nIADD3 R1, R2, R3, RZ ;\nLDS R4, [R1] ;\n"
                     "IADD3 R1, R2, R3, RZ ;\nFADD R5, R4, R4 ;\nEXIT ;\n.end\n"));
    static const uint64_t warps[] = {2, 6, 3, 1, 9};
    static const struct fh_profile_class wanted[] = {
        {"control", 9}, {"memory", 6}, {"integer", 5}, {"float", 1}};
    const struct fh_profiled_code *code = fh_profiler_code(p);
    struct fh_profiled_kernel *k = code->kernels[0];
    struct fh_profile_sums sums;
    for (size_t i = 0; i < COUNT_OF(warps); i++)
        k->words[i].counts.warp = warps[i];
    assert_true(fh_profile_sums_make(&sums, k));
    assert_int_equal(sums.class_count, COUNT_OF(wanted));
    for (size_t i = 0; i < COUNT_OF(wanted); i++) {
        assert_string_equal(sums.classes[i].name, wanted[i].name);
        assert_int_equal(sums.classes[i].warp, wanted[i].warp);
    }
    fh_profile_sums_free(&sums);
    fh_profiler_free(p);
}

/* Operands that are read where they were kept: in the same slot, not written since, not behind a
 * label. */
static void test_reuse(void **unused) {
    (void)unused;
    static const uint8_t reused[] = {0, 1, 1, 0, 0, 0, 0, 0, 0};
    struct fh_profiler *p = fh_profiler_new();
    struct fh_code_fact *facts =
        facts_of(p, ".target sm_80\n.kernel K\n"
                    "[B------:R-:W-:-:S04] IMAD R4, R1.reuse, R2.reuse, R3 ;\n"
                    "[B------:R-:W-:-:S04] IMAD R5, R1.reuse, R3, R2 ;\n" /* R1 */
                    "[B------:R-:W-:-:S04] IMAD R6, R1.reuse, R2, R3 ;\n" /* R1; R2's place went */
                    "[B------:R-:W-:-:S04] IMAD R1, R2.reuse, R3, R3 ;\n" /* R1 written anyway */
                    "[B------:R-:W-:-:S04] IMAD R2, R3, R1, R3 ;\n"
                    "[B------:R-:W-:-:S04] IMAD R7, R2.reuse, R1, R3 ;\n"
                    "there:\n"
                    "[B------:R-:W-:-:S04] IMAD R8, R2, R1, R3 ;\n"
                    "BRA there ;\nEXIT ;\n.end\n");
    for (size_t i = 0; i < COUNT_OF(reused); i++)
        assert_int_equal(facts[i].reused, reused[i]);
    free(facts);
    fh_profiler_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),   cmocka_unit_test(test_strides),
        cmocka_unit_test(test_programs), cmocka_unit_test(test_fault),
        cmocka_unit_test(test_live),     cmocka_unit_test(test_live_anywhere),
        cmocka_unit_test(test_lines),    cmocka_unit_test(test_reuse),
        cmocka_unit_test(test_classes),  cmocka_unit_test(test_fewer_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
