/*
 * emu_watch_test.c - flagged instructions: hooks are called around exactly those that they want, in
 * the warps that they cover, and nothing else of the run changes, whatever is flagged.
 */
#include <xxhash.h>

#include "decode.h"
#include "emu_util.h"
#include "machine.h"
#include "random_program.h"
#include "schedule.h"
#include "slow_build.h"
#include "state.h"
#include "watch.h"

enum { PROGRAMS = SLOW_BUILD ? 15 : 150, STEPS = 20000, HOOKS = 3 };

static const struct {
    fhec_engine engine;
    fhec_simd simd;
} levels[] = {
    {FHEC_ENGINE_REF, FHEC_SIMD_BEST},
    {FHEC_ENGINE_FAST, FHEC_SIMD_PORTABLE},
    {FHEC_ENGINE_FAST, FHEC_SIMD_AVX2},
    {FHEC_ENGINE_FAST, FHEC_SIMD_AVX512},
};

/* A hook of the test: wants each instruction whose number, mixed with `salt`, is below `share` of
 * 256, in warps of the given parity (2: all), and counts its calls by instruction. */
struct look {
    uint32_t salt, share, parity;
    uint64_t before[RP_MAX_WORDS + 1], after[RP_MAX_WORDS + 1], threads[RP_MAX_WORDS + 1];
    uint64_t hash; /* of all registers, before every call */
};

static bool is_wanted(const struct look *l, uint32_t index) {
    return ((index + l->salt) * UINT32_C(2654435761) >> 24) < l->share;
}

static unsigned wants(void *user, const struct fh_image *image, const struct fh_op *op) {
    assert_true(op->pc / FH_INST_BYTES <= image->count);
    return is_wanted(user, op->pc / FH_INST_BYTES) ? FH_BEFORE | FH_AFTER : 0;
}

static bool covers(void *user, const struct fh_block *block, uint32_t warp) {
    const struct look *l = user;
    assert_true(warp < block->launch->image->warps);
    return l->parity == 2 || warp % 2 == l->parity;
}

static void before(void *user, const struct fh_issue *issue) {
    struct look *l = user;
    const struct fh_flow *f = issue->flow;
    const struct fh_warp *w = &f->w;
    const struct fh_op *op = issue->op;
    assert_int_equal(op->pc, f->pc * FH_INST_BYTES);
    assert_int_equal(issue->group, f->group);
    assert_int_equal(issue->active & ~f->group, 0);
    assert_true(covers(l, w->block, w->index));
    l->before[op->pc / FH_INST_BYTES]++;
    l->hash = XXH3_64bits_withSeed(w->r, 32 * sizeof w->r[0], l->hash ^ op->pc);
}

static bool after(void *user, const struct fh_issue *issue) {
    struct look *l = user;
    const uint32_t i = issue->op->pc / FH_INST_BYTES;
    l->after[i]++;
    l->threads[i] += (uint64_t)__builtin_popcount(issue->active);
    assert_true(covers(l, issue->flow->w.block, issue->flow->w.index));
    return false;
}

/* What is left of a run. */
struct end {
    enum fh_outcome outcome;
    uint64_t steps, memory, shared, issued;
    uint32_t fault_pc, fault_lanes;
    struct fh_op_count counts[RP_MAX_WORDS + 1];
};

/* Runs the program's blocks with the hooks (count 0: nobody watches). */
static void run(const struct random_program *random, size_t level, struct look *looks,
                unsigned count, struct end *end) {
    fhec_program *program = random_program_load(random);
    fhec_machine *m = emu_machine(levels[level].engine, levels[level].simd, 1);
    uint8_t params[RP_PARAMS] = {0};
    uint64_t buffer;
    assert_int_equal(fhec_alloc(m, "buffer", RP_GLOBAL, 0, &buffer), FHEC_OK);
    memcpy(params, &buffer, sizeof buffer);
    for (size_t i = sizeof buffer; i < sizeof params; i++)
        params[i] = (uint8_t)(i * 37 | 1);
    const fhec_launch launch = {.program = program,
                                .grid = {random->blocks, 1, 1},
                                .block = {random->threads, 1, 1},
                                .params = params,
                                .param_bytes = sizeof params};
    struct fh_state *s;
    assert_int_equal(fh_state_new(m, &launch, &s), FHEC_OK);
    struct fh_hook hooks[HOOKS];
    struct fh_watched_code code = {0};
    struct fh_watch watch = {0};
    memset(end, 0, sizeof *end);
    s->launch.max_steps = STEPS;
    s->launch.counts = end->counts;
    for (unsigned i = 0; i < count; i++)
        hooks[i] = (struct fh_hook){
            .user = &looks[i], .wants = wants, .covers = covers, .before = before, .after = after};
    if (count) {
        assert_true(fh_watched_code_make(&code, &s->image, s->engine.threading, hooks, count));
        assert_true(fh_watch_make(&watch, &code, hooks, count));
        s->launch.watch = &watch;
    }
    for (uint64_t b = 0; b < random->blocks && end->outcome == FH_DONE; b++) {
        fh_block_start(s->block, b);
        end->outcome = fh_block_run(s->block, NULL, NULL);
        for (uint32_t i = 0; i < s->image.warps; i++)
            end->issued = end->issued * 31 + s->block->warps[i].issued;
        end->shared =
            XXH3_64bits_withSeed(s->block->shared, s->image.shared_bytes, end->shared ^ b);
    }
    end->steps = s->launch.steps;
    end->memory = XXH3_64bits(s->launch.memory->list[0].bytes, RP_GLOBAL);
    end->fault_pc = s->launch.fault.op ? s->launch.fault.op->pc : 0;
    end->fault_lanes = s->launch.fault.lanes;
    fh_counts_settle(&s->image, end->counts);
    for (uint32_t i = 0; i <= RP_MAX_WORDS; i++)
        end->counts[i].active = 0; /* kept for whoever asks while the kernel runs */
    s->launch.counts = NULL;       /* they are the caller's */
    fh_watch_free(&watch);
    fh_watched_code_free(&code);
    fh_state_free(s);
    fhec_machine_free(m);
    fhec_program_free(program);
}

/* Calls of a hook that covers all warps are as many as were issued; of others no more. */
static void check_calls(const struct look *l, const struct end *end, uint32_t count,
                        uint64_t program) {
    for (uint32_t i = 0; i <= count; i++) {
        const uint64_t issued = is_wanted(l, i) ? end->counts[i].warp : 0;
        const uint64_t threads = is_wanted(l, i) ? end->counts[i].thread : 0;
        /* An instruction that faults has been begun and not issued. */
        const uint64_t begun =
            l->after[i] + (end->outcome == FH_FAULTED && end->fault_pc == i * FH_INST_BYTES);
        const bool fine = l->parity == 2 ? l->after[i] == issued && l->threads[i] == threads
                                         : l->after[i] <= issued && l->threads[i] <= threads;
        if (!fine || l->before[i] < l->after[i] || l->before[i] > begun)
            fail_msg("program %llu, instruction %u: %llu calls before, %llu behind, %llu issued",
                     (unsigned long long)program, i, (unsigned long long)l->before[i],
                     (unsigned long long)l->after[i], (unsigned long long)issued);
    }
}

static void test_random_programs(void **state) {
    (void)state;
    static struct random_program random;
    static struct look looks[HOOKS];
    static struct end plain, watched;
    static const uint32_t shares[][2] = {{256, 2}, {30, 2}, {30, 0}, {100, 1}, {3, 2}};
    struct emu_rng rng = {.state = 20260714};
    for (uint64_t n = 0; n < PROGRAMS; n++) {
        uint64_t hash = 0;
        random_program(&rng, 150, 20, &random);
        for (size_t level = 0; level < COUNT_OF(levels); level++) {
            const unsigned count = 1 + (unsigned)(n % HOOKS);
            if (levels[level].engine == FHEC_ENGINE_FAST && !emu_has_simd(levels[level].simd))
                continue;
            run(&random, level, NULL, 0, &plain);
            memset(looks, 0, sizeof looks);
            for (unsigned i = 0; i < count; i++) {
                looks[i].salt = (uint32_t)n * 7 + i;
                looks[i].share = shares[(n + i) % COUNT_OF(shares)][0];
                looks[i].parity = shares[(n + i) % COUNT_OF(shares)][1];
            }
            run(&random, level, looks, count, &watched);
            if (memcmp(&plain, &watched, sizeof plain) != 0)
                fail_msg("program %llu, level %zu: not the same run when it is watched",
                         (unsigned long long)n, level);
            for (unsigned i = 0; i < count; i++)
                check_calls(&looks[i], &watched, random.count, n);
            /* And the hooks see the same at every level. */
            uint64_t seen = 0;
            for (unsigned i = 0; i < count; i++)
                seen = seen * 31 + looks[i].hash;
            if (level && seen != hash)
                fail_msg("program %llu, level %zu: other values", (unsigned long long)n, level);
            hash = seen;
        }
    }
}

static unsigned wants_all(void *user, const struct fh_image *image, const struct fh_op *op) {
    (void)user, (void)image, (void)op;
    return FH_AFTER;
}

static bool look_away(void *user, const struct fh_issue *issue) {
    (void)user, (void)issue;
    return false;
}

/* Groups of a warp that is apart take turns of 256 instructions, watched or not: the first 16 lanes
 * are at the lower pc and begin; their 300th instruction, in their second turn, finds what the
 * others have stored in their first. */
static void test_turns_of_groups(void **state) {
    (void)state;
    fhec_program *program = emu_assemble(".target sm_80\n.kernel K\n.param out, 8\n.shared s, 4\n"
                                         "S2R R0, SR_LANEID ;\nMOV R6, 0x77 ;\n"
                                         "MOV R2, out ;\nMOV R3, out+4 ;\n"
                                         "ISETP.GE.U32.AND P0, PT, R0, 0x10, PT ;\n"
                                         "@P0 BRA high ;\n"
                                         ".rept 300\nIADD3 R5, R5, 0x1, RZ ;\n.endr\n"
                                         "LDS R4, [RZ] ;\n"
                                         ".rept 300\nIADD3 R5, R5, 0x1, RZ ;\n.endr\n"
                                         "STG.E [R2.64], R4 ;\nEXIT ;\n"
                                         "high:\n"
                                         ".rept 100\nIADD3 R5, R5, 0x1, RZ ;\n.endr\n"
                                         "STS [RZ], R6 ;\n"
                                         ".rept 300\nIADD3 R5, R5, 0x1, RZ ;\n.endr\n"
                                         "EXIT ;\n.end\n");
    for (int watched = 0; watched < 2; watched++) {
        fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
        uint64_t out;
        uint32_t value;
        assert_int_equal(fhec_alloc(m, "out", 4, 0, &out), FHEC_OK);
        const fhec_launch launch = {.program = program,
                                    .grid = {1, 1, 1},
                                    .block = {32, 1, 1},
                                    .params = &out,
                                    .param_bytes = sizeof out};
        const struct fh_hook hook = {.wants = wants_all, .after = look_away};
        struct fh_watched_code code;
        struct fh_watch watch;
        struct fh_state *s;
        assert_int_equal(fh_state_new(m, &launch, &s), FHEC_OK);
        assert_true(fh_watched_code_make(&code, &s->image, s->engine.threading, &hook, 1));
        assert_true(fh_watch_make(&watch, &code, &hook, 1));
        s->launch.watch = watched ? &watch : NULL;
        assert_int_equal(fh_block_run(s->block, NULL, NULL), FH_DONE);
        assert_int_equal(fhec_read(m, out, &value, sizeof value), FHEC_OK);
        assert_int_equal(value, 0x77);
        fh_watch_free(&watch);
        fh_watched_code_free(&code);
        fh_state_free(s);
        fhec_machine_free(m);
    }
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_programs),
        cmocka_unit_test(test_turns_of_groups),
    };
    return cmocka_run_group_tests_name("emu_watch", tests, NULL, NULL);
}
