/*
 * profile_oracle_test.c - sectors and passes of random accesses against their definitions, byte by
 * byte and bank by bank; what functions took with what they called; profiles that come together.
 */
#include <string.h>

#include "emu_util.h"
#include "footprint.h"
#include "profile_calls.h"
#include "profiler.h"

enum { LANES = FHEC_WARP_LANES, ROUNDS = 4000, MOST_BYTES = LANES * 16 };

static uint64_t state;
static uint32_t draw(uint32_t below) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (uint32_t)(state >> 20) % below;
}

/* ---------------------------------------------------------------- sectors */

/* Distinct numbers of those given; each divided by `unit`. */
static uint32_t distinct(const uint64_t *numbers, unsigned count, uint64_t unit) {
    uint32_t found = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned k = 0;
        while (k < i && numbers[k] / unit != numbers[i] / unit)
            k++;
        found += k == i;
    }
    return found;
}

static void test_sectors(void **unused) {
    (void)unused;
    state = 88172645463325252u;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const uint32_t bytes = 1u << draw(5), spread = 1u << draw(8);
        const uint32_t lanes = draw(3) ? (uint32_t)state : UINT32_MAX >> draw(32);
        const bool local = round % 2;
        uint64_t address[LANES], all[MOST_BYTES];
        unsigned count = 0;
        struct fh_footprint f;
        for (uint32_t l = 0; l < LANES; l++) {
            address[l] = (uint64_t)draw(spread) * bytes + 4096;
            for (uint32_t b = 0; b < bytes && lanes >> l & 1; b++) {
                const uint64_t at = address[l] + b;
                all[count++] = local ? (at / 4 * LANES + l) * 4 + at % 4 : at;
            }
        }
        if (!lanes)
            continue;
        (local ? fh_footprint_local : fh_footprint_global)(lanes, address, bytes, &f);
        assert_int_equal(f.sectors, distinct(all, count, 32));
        assert_int_equal(f.ideal, (distinct(all, count, 1) + 31) / 32);
    }
}

/* ---------------------------------------------------------------- passes */

static bool pairs(uint32_t lanes, const uint64_t *address, uint32_t bit) {
    for (uint32_t l = 0; l < LANES; l++)
        if (lanes >> l & 1 && lanes >> (l ^ bit) & 1 && address[l] != address[l ^ bit])
            return false;
    return true;
}

/* Most distinct words of a bank that lanes [from, to) want, or most lanes; 0: none is active. */
static uint32_t passes_of(uint32_t lanes, const uint64_t *address, uint32_t size, uint32_t from,
                          uint32_t to, bool each, uint32_t *bank) {
    uint32_t most = 0;
    for (uint32_t b = 0; b < FH_SHARED_BANKS; b += size / 4) {
        uint64_t units[LANES];
        uint32_t count = 0;
        for (uint32_t l = from; l < to; l++)
            if (lanes >> l & 1 && address[l] / size * size / 4 % FH_SHARED_BANKS == b)
                units[count++] = address[l] / size;
        const uint32_t ways = each ? count : distinct(units, count, 1);
        if (ways > most) {
            most = ways;
            *bank = b;
        }
    }
    return most;
}

static void test_passes(void **unused) {
    (void)unused;
    state = 1234567891011u;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const enum fh_shared_kind kind = (enum fh_shared_kind)(round % 4);
        const uint32_t bytes = kind == FH_SHARED_MATRICES ? 16 : 1u << draw(5);
        const uint32_t size = bytes <= 4 ? 4 : bytes, spread = 1u << draw(9);
        const uint32_t lanes = draw(3) ? (uint32_t)state | 1u << draw(32) : UINT32_MAX;
        uint64_t address[LANES];
        struct fh_footprint f;
        for (uint32_t l = 0; l < LANES; l++)
            address[l] = draw(6) || !l ? (uint64_t)draw(spread) * bytes : address[l - 1];
        for (uint32_t l = 0; l < LANES && round % 5 == 0; l++)
            address[l] = address[l & ~(round % 2 ? 1u : 2u)];
        uint32_t group = 128 / size, passes = 0, minimum = 0, worst = 1, bank = 0, at = 0;
        if (kind == FH_SHARED_LOAD && size > 4 &&
            (pairs(lanes, address, 1) || pairs(lanes, address, 2)))
            group *= 2;
        for (uint32_t l = 0; l < LANES; l += group) {
            const uint32_t ways =
                passes_of(lanes, address, size, l, l + group, kind == FH_SHARED_ATOMIC, &at);
            passes += ways;
            minimum += ways != 0;
            if (ways > worst) {
                worst = ways;
                bank = at;
            }
        }
        fh_footprint_shared(kind, lanes, address, bytes, &f);
        assert_int_equal(f.passes, passes);
        assert_int_equal(f.minimum, minimum);
        assert_int_equal(f.worst.ways, worst > 1 ? worst : 0);
        if (worst < 2)
            continue;
        assert_int_equal(f.worst.bank, bank);
        assert_int_equal(f.worst.count, worst < FH_WORST_LANES ? worst : FH_WORST_LANES);
        const uint64_t base = address[__builtin_ctz(lanes)];
        for (uint32_t i = 0; i < f.worst.count; i++) {
            const uint32_t l = f.worst.lane[i];
            assert_true(lanes >> l & 1 && (!i || l > f.worst.lane[i - 1]));
            assert_int_equal((uint32_t)(base + f.worst.first[i]),
                             (uint32_t)(address[l] / size * size));
            assert_int_equal(address[l] / size * size / 4 % FH_SHARED_BANKS, bank);
        }
    }
}

/* ---------------------------------------------------------------- calls */

/* Two warps; f is called from two places and calls g, `inner` is a label of the kernel. */
static const char calls_source[] =
    ".target sm_80\n.kernel main\n.param out, 8\n"
    "MOV R4, RZ ;\nMOV R20, 32@lo(one) ;\nMOV R21, 32@hi(one) ;\nCALL.ABS.NOINC f ;\n"
    "one:\nMOV R20, 32@lo(two) ;\nMOV R21, 32@hi(two) ;\nCALL.ABS.NOINC f ;\n"
    "two:\nMOV R20, 32@lo(three) ;\nMOV R21, 32@hi(three) ;\nCALL.REL.NOINC inner ;\n"
    "three:\nEXIT ;\n"
    "inner:\nIADD3 R4, R4, 0x1, RZ ;\nIADD3 R4, R4, 0x1, RZ ;\nRET.ABS.NODEC R20 0x0 ;\n.end\n"
    ".function f\nMOV R22, 32@lo(back) ;\nMOV R23, 32@hi(back) ;\nCALL.ABS.NOINC g ;\n"
    "back:\nIADD3 R4, R4, 0x1, RZ ;\nRET.ABS.NODEC R20 0x0 ;\n.end\n"
    ".function g\nIADD3 R4, R4, 0x2, RZ ;\nIADD3 R4, R4, 0x2, RZ ;\nIADD3 R4, R4, 0x2, RZ ;\n"
    "RET.ABS.NODEC R22 0x0 ;\n.end\n";
/* Five times round: three instructions and, but for the last time, the call. */
static const char again_source[] =
    ".target sm_80\n.kernel main\n.param out, 8\n"
    "MOV R4, 0x5 ;\nMOV R20, 32@lo(one) ;\nMOV R21, RZ ;\nCALL.REL.NOINC down ;\n"
    "one:\nEXIT ;\n"
    "down:\nIADD3 R4, R4, -0x1, RZ ;\nISETP.EQ.U32.AND P0, PT, R4, RZ, PT ;\n"
    "@P0 RET.ABS.NODEC R20 0x0 ;\nCALL.REL.NOINC down ;\nEXIT ;\n.end\n";

/* f at 0x50 and g at 0x80 call each other, three times round: two instructions and two, and but for
 * the last time g's call. */
static const char mutual_source[] =
    ".target sm_80\n.kernel main\n.param out, 8\n"
    "MOV R4, 0x3 ;\nMOV R20, 32@lo(one) ;\nMOV R21, RZ ;\nCALL.REL.NOINC f ;\n"
    "one:\nEXIT ;\n"
    "f:\nIADD3 R4, R4, -0x1, RZ ;\nCALL.REL.NOINC g ;\nEXIT ;\n"
    "g:\nISETP.EQ.U32.AND P0, PT, R4, RZ, PT ;\n@P0 RET.ABS.NODEC R20 0x0 ;\n"
    "CALL.REL.NOINC f ;\nEXIT ;\n.end\n";

struct function {
    const char *name;
    uint64_t entry, calls, inclusive;
};

static struct fh_profiler *profile_of(const char *source, uint32_t threads) {
    struct fh_profiler *p = fh_profiler_new();
    fhec_program *program = emu_assemble(source);
    fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    uint64_t x;
    assert_int_equal(fhec_alloc(m, "out", 64, 0, &x), FHEC_OK);
    assert_int_equal(fh_profiler_attach(p, m), FHEC_OK);
    emu_run_ok(m, program, 1, threads, &x, 1);
    fh_profiler_detach(p);
    fhec_machine_free(m);
    fhec_program_free(program);
    return p;
}

static void expect_calls(const char *source, uint32_t threads, const struct function *wanted,
                         size_t count, const uint64_t (*shares)[2], size_t share_count) {
    struct fh_profiler *p = profile_of(source, threads);
    const struct fh_profiled_kernel *k = fh_profiler_code(p)->kernels[0];
    struct fh_profile_calls calls;
    assert_true(fh_profile_calls_make(&calls, k));
    assert_int_equal(calls.count, count);
    for (size_t i = 0; i < count; i++) {
        const struct fh_called *f = NULL;
        for (uint32_t c = 0; c < calls.count; c++)
            if (strcmp(calls.functions[c].name, wanted[i].name) == 0)
                f = &calls.functions[c];
        if (!f)
            fail_msg("there is no %s", wanted[i].name);
        if (wanted[i].entry != UINT64_MAX)
            assert_int_equal(f->entry * 16, wanted[i].entry);
        assert_int_equal(f->calls, wanted[i].calls);
        assert_int_equal(f->inclusive.warp, wanted[i].inclusive);
        if (threads == 64) /* nothing has a guard there */
            assert_int_equal(f->inclusive.thread, 32 * wanted[i].inclusive);
        assert_int_equal(calls.owner[f->entry], f - calls.functions);
    }
    for (size_t i = 0; i < share_count; i++) {
        struct fh_profile_counts share;
        fh_profile_calls_share(&calls, (uint32_t)shares[i][0] / 16, &share);
        assert_int_equal(share.warp, shares[i][1]);
        if (threads == 64)
            assert_int_equal(share.thread, 32 * shares[i][1]);
    }
    fh_profile_calls_free(&calls);
    fh_profiler_free(p);
}

static void test_calls(void **unused) {
    (void)unused;
    static const struct function wanted[] = {{"main", 0, 0, 64},
                                             {"f", UINT64_MAX, 4, 36},
                                             {"g", UINT64_MAX, 4, 16},
                                             {"main+0xb0", 0xb0, 2, 6}};
    static const uint64_t shares[][2] = {{0x30, 18}, {0x60, 18}, {0x90, 6}};
    expect_calls(calls_source, 64, wanted, COUNT_OF(wanted), shares, COUNT_OF(shares));
    static const struct function again[] = {{"main", 0, 0, 24}, {"main+0x50", 0x50, 1, 19}};
    static const uint64_t recursive[][2] = {{0x30, 19}, {0x80, 0}};
    expect_calls(again_source, 32, again, COUNT_OF(again), recursive, COUNT_OF(recursive));
    static const struct function mutual[] = {
        {"main", 0, 0, 19}, {"main+0x50", 0x50, 1, 14}, {"main+0x80", 0x80, 3, 8}};
    static const uint64_t round[][2] = {{0x30, 14}, {0x60, 8}, {0xa0, 0}};
    expect_calls(mutual_source, 32, mutual, COUNT_OF(mutual), round, COUNT_OF(round));
}

/* ---------------------------------------------------------------- together */

static const char one[] =
    ".target sm_80\n.kernel K\n.param out, 8\nMOV R1, 0x1 ;\nNOP ;\nEXIT ;\n.end\n";
static const char later[] =
    ".target sm_80\n.kernel K\n.param out, 8\n\nMOV R1, 0x1 ;\nNOP ;\nEXIT ;\n.end\n";
static const char other[] =
    ".target sm_80\n.kernel K\n.param out, 8\nMOV R1, 0x2 ;\nNOP ;\nEXIT ;\n.end\n";
static const char named[] =
    ".target sm_80\n.kernel L\n.param out, 8\nMOV R1, 0x1 ;\nNOP ;\nEXIT ;\n.end\n";
static const char longer[] =
    ".target sm_80\n.kernel K\n.param out, 8\nMOV R1, 0x1 ;\nNOP ;\nEXIT ;\nEXIT ;\n.end\n";

/* Kernels are the same if their names, words and places are. */
static void test_together(void **unused) {
    (void)unused;
    static const char *const sources[] = {one, later, other, named, longer, one, other};
    static const size_t is[] = {0, 1, 2, 3, 4, 0, 2};
    struct fh_profiler *all = fh_profiler_new();
    for (size_t i = 0; i < COUNT_OF(sources); i++) {
        struct fh_profiler *p = profile_of(sources[i], 64);
        const struct fh_profiled_code *code = fh_profiler_code(p);
        assert_int_equal(code->count, 1);
        struct fh_profiled_kernel *k = code->kernels[0];
        assert_true(k->launches == 1 && k->blocks == 1 && k->threads == 64 && !k->partial);
        k->partial = i == 5;
        k->words[1].worst.ways = (uint32_t)(i == 5 ? 3 : 2);
        k->words[1].worst.bank = (uint32_t)i;
        fh_profiler_merge(all, k);
        const struct fh_profiled_code *to = fh_profiler_code(all);
        assert_int_equal(to->count, i < 5 ? i + 1 : 5);
        const struct fh_profiled_kernel *x = to->kernels[is[i]];
        assert_int_equal(x->launches, i < 5 ? 1 : 2);
        assert_int_equal(x->threads, i < 5 ? 64 : 128);
        assert_int_equal(x->words[0].counts.warp, i < 5 ? 2 : 4);
        assert_int_equal(x->partial, i == 5);
        assert_int_equal(x->words[1].worst.bank,
                         i == 6 ? 2 : i); /* the larger one, else the first */
        assert_int_equal(x->block[0], 64);
        fh_profiler_free(p);
    }
    fh_profiler_clear(all);
    assert_int_equal(fh_profiler_code(all)->count, 0);
    fh_profiler_free(all);
}

static struct fh_profiled_kernel *pass(struct fh_profiled_code *code, const fhec_program *program,
                                       const fhec_word *words, uint32_t count) {
    struct fh_profiled_search search;
    fh_profiled_begin(code, &search, program, 0);
    for (uint32_t i = 0; i < count; i++) {
        fh_profiled_next(code, &search, words[i]);
        const struct fh_profiled_word *last = fh_profiled_last(&search);
        assert_true(last && last->word.lo == words[i].lo && last->word.hi == words[i].hi);
    }
    return fh_profiled_end(code, &search);
}

/* Another program where one was that has been freed: with other words, with fewer, with more. */
static void test_other_words(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(one);
    fhec_kernel_info info;
    struct fh_profiled_code code = {0};
    fhec_word words[5];
    assert_int_equal(fhec_kernel_get(program, 0, &info), FHEC_OK);
    assert_int_equal(info.word_count, 3);
    memcpy(words, info.words, sizeof *words * 3);
    words[3] = words[4] = words[2];
    struct fh_profiled_kernel *first = pass(&code, program, words, 3);
    assert_ptr_equal(pass(&code, program, words, 3), first);
    words[1] = words[2];
    struct fh_profiled_kernel *second = pass(&code, program, words, 3);
    assert_ptr_not_equal(second, first);
    assert_int_equal(second->count, 3);
    assert_memory_equal(&second->words[1].word, &words[1], sizeof *words);
    assert_memory_equal(&second->words[2].word, &words[2], sizeof *words);
    assert_int_equal(code.count, 2);
    struct fh_profiled_kernel *less = pass(&code, program, words, 2);
    assert_int_equal(less->count, 2);
    assert_int_equal(code.count, 3);
    struct fh_profiled_kernel *longest = pass(&code, program, words, 5);
    assert_int_equal(longest->count, 5);
    assert_int_equal(code.count, 4);
    words[1] = info.words[1];
    assert_ptr_equal(pass(&code, program, words, 3), first);
    assert_int_equal(code.count, 4);
    assert_true(first->count == 3 && second->count == 3 && !code.failed);
    for (uint32_t i = 0; i < 3; i++)
        assert_string_equal(first->words[i].file, second->words[i].file);
    fh_profiled_code_free(&code);
    assert_true(!code.kernels && !code.count && !code.strings);
    fhec_program_free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sectors),     cmocka_unit_test(test_passes),
        cmocka_unit_test(test_calls),       cmocka_unit_test(test_together),
        cmocka_unit_test(test_other_words),
    };
    return cmocka_run_group_tests_name("profile_oracle", tests, NULL, NULL);
}
