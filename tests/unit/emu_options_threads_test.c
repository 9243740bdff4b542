/*
 * emu_options_threads_test.c - options of a machine: what registers and memory hold that nobody has
 * written, where allocations go, and memory of the caller's. Both engines, every SIMD level, one
 * host thread and three.
 */
#include <inttypes.h>

#include "emu_util.h"

enum { BLOCKS = 5, THREADS = 80, WORDS = 16 };

/* Each thread stores what it finds in 12 places that nothing has written. */
static const char untouched[] =
    ".target sm_80\n.kernel K\n.param out, 8\n.local 64\n.shared s, 1024\n"
    "S2R R0, SR_TID.X ;\nS2R R1, SR_CTAID.X ;\n"
    "IMAD R0, R1, c[0x0][0x0], R0 ;\nMOV R3, 0x40 ;\n"
    "IMAD.WIDE.U32 R4, R0, R3, out ;\n"
    "STG.E [R4.64], R20 ;\nSTG.E [R4.64+0x4], R63 ;\n"
    "P2R R6, PR, RZ, 0x7f ;\nSTG.E [R4.64+0x8], R6 ;\n"
    "MOV R7, UR9 ;\nSTG.E [R4.64+0xc], R7 ;\n"
    "UMOV UR4, 0x40 ;\nUSEL UR5, UR4, URZ, UP2 ;\nMOV R8, UR5 ;\nSTG.E [R4.64+0x10], R8 ;\n"
    "S2R R9, SR_TID.X ;\nSHF.L.U32 R9, R9, 0x2, RZ ;\n"
    "LDS R10, [R9+0x100] ;\nSTG.E [R4.64+0x14], R10 ;\n"
    "LDS.U8 R10, [R9+0x1] ;\nSTG.E [R4.64+0x18], R10 ;\n"
    "MOV R1, 0x8 ;\nLDL R11, [R1] ;\nSTG.E [R4.64+0x1c], R11 ;\n"
    "LDL.S8 R11, [R1+0x1f] ;\nSTG.E [R4.64+0x20], R11 ;\n"
    "STG.E [R4.64+0x24], R20 ;\n"
    "EXIT ;\n.end\n";

static uint32_t *run_untouched(const fhec_program *program, const fhec_machine_options *options) {
    fhec_machine *m = NULL;
    uint64_t address;
    const size_t bytes = sizeof(uint32_t) * BLOCKS * THREADS * WORDS;
    uint32_t *found = malloc(bytes);
    assert_non_null(found);
    assert_int_equal(fhec_machine_new(options, &m), FHEC_OK);
    assert_int_equal(fhec_alloc(m, "out", bytes, 0, &address), FHEC_OK);
    emu_run_ok(m, program, BLOCKS, THREADS, &address, 1);
    assert_int_equal(fhec_read(m, address, found, bytes), FHEC_OK);
    fhec_machine_free(m);
    return found;
}

/* Calls `each` with every engine, level and number of threads of this host. */
static void for_each_machine(fhec_machine_options options,
                             void (*each)(const fhec_machine_options *options, void *user),
                             void *user) {
    for (int simd = FHEC_SIMD_PORTABLE; simd <= FHEC_SIMD_AVX512 + 1; simd++) {
        options.engine = simd > FHEC_SIMD_AVX512 ? FHEC_ENGINE_REF : FHEC_ENGINE_FAST;
        options.simd = simd > FHEC_SIMD_AVX512 ? FHEC_SIMD_BEST : (fhec_simd)simd;
        if (!emu_has_simd(options.simd))
            continue;
        for (options.threads = 1; options.threads <= 3; options.threads += 2)
            each(&options, user);
    }
}

struct found {
    fhec_program *program;
    uint32_t *first; /* of the first machine; all others must find the same */
};

static void find(const fhec_machine_options *options, void *user) {
    struct found *f = user;
    uint32_t *here = run_untouched(f->program, options);
    if (!f->first) {
        f->first = here;
        return;
    }
    assert_memory_equal(here, f->first, sizeof(uint32_t) * BLOCKS * THREADS * WORDS);
    free(here);
}

static uint32_t *find_all(const fhec_machine_options *options) {
    struct found f = {.program = emu_assemble(untouched)};
    for_each_machine(*options, find, &f);
    fhec_program_free(f.program);
    return f.first;
}

static void test_zero(void **unused) {
    (void)unused;
    uint32_t *w = find_all(&(fhec_machine_options){0});
    for (size_t i = 0; i < BLOCKS * THREADS * WORDS; i++)
        assert_int_equal(w[i], 0);
    free(w);
}

/* A word of its own for each space. */
static void test_word(void **unused) {
    (void)unused;
    static const fhec_machine_options options = {
        .fill_registers = {FHEC_FILL_WORD, 0x80c1a2e3},
        .fill_shared = {FHEC_FILL_WORD, 0x11223344},
        .fill_local = {FHEC_FILL_WORD, 0x85667788},
        .fill_global = {FHEC_FILL_WORD, 0x99aabbcc},
    };
    static const uint32_t expected[WORDS] = {
        0x80c1a2e3, 0x80c1a2e3, /* R */
        0,                      /* predicates: by lane */
        0x80c1a2e3,             /* UR */
        0x40,                   /* UP2: the lowest bit is 1 */
        0x11223344, 0x33,       /* shared memory, and its byte 1 */
        0x85667788, 0xffffff85, /* local memory, and byte 3 of a word */
        0x80c1a2e3, 0x99aabbcc, 0x99aabbcc, 0x99aabbcc, 0x99aabbcc, 0x99aabbcc, 0x99aabbcc,
    };
    uint32_t *w = find_all(&options);
    for (uint32_t i = 0; i < BLOCKS * THREADS * WORDS; i++) {
        const uint32_t lane = i / WORDS % THREADS % 32;
        uint32_t want = expected[i % WORDS];
        if (i % WORDS == 2) /* P0 to P6, each with the same lanes */
            want = 0x80c1a2e3 >> lane & 1 ? 0x7f : 0;
        if (w[i] != want)
            fail_msg("word %u of thread %u is %08x, not %08x", i % WORDS, i / WORDS, w[i], want);
    }
    free(w);
}

/* Words of a seed differ from place to place and from seed to seed, and their bits are as often 1
 * as 0. */
static void test_seed(void **unused) {
    (void)unused;
    enum { ALL = BLOCKS * THREADS * WORDS };
    static const unsigned wide[] = {0, 1,  5,
                                    7, 10, 15}; /* whole words, another one in each thread */
    fhec_machine_options options = {
        .fill_registers = {FHEC_FILL_SEED, 7},
        .fill_shared = {FHEC_FILL_SEED, 7},
        .fill_local = {FHEC_FILL_SEED, 7},
        .fill_global = {FHEC_FILL_SEED, 7},
    };
    uint32_t *w = find_all(&options);
    options.fill_registers.value = options.fill_shared.value = 8;
    options.fill_local.value = options.fill_global.value = 8;
    uint32_t *other = find_all(&options);
    for (unsigned k = 0; k < COUNT_OF(wide); k++) {
        uint64_t ones = 0;
        unsigned same = 0;
        for (unsigned t = 0; t < BLOCKS * THREADS; t++) {
            const uint32_t word = w[t * WORDS + wide[k]];
            ones += (uint64_t)__builtin_popcount(word);
            for (unsigned u = 0; u < t; u++)
                same += w[u * WORDS + wide[k]] == word;
            same += other[t * WORDS + wide[k]] == word;
        }
        assert_int_equal(same, 0);
        assert_in_range(ones, BLOCKS * THREADS * 15, BLOCKS * THREADS * 17);
    }
    for (unsigned t = 0; t < BLOCKS * THREADS; t++) /* what a register holds, it holds twice */
        assert_int_equal(w[t * WORDS], w[t * WORDS + 9]);
    free(w);
    free(other);
}

/* Variables begin with what their program says, whatever new memory holds. */
static void test_variables(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(".target sm_80\n.section .nv.global\nzeros:\n.zero 64\n"
                                         ".section .nv.global.init\nvalues:\n.word 0x1234, 0x5678\n"
                                         ".kernel K\n.param out, 8\nEXIT ;\n.end\n");
    static const fhec_machine_options options = {.fill_global = {FHEC_FILL_WORD, UINT32_MAX}};
    fhec_machine *m = NULL;
    uint32_t zeros[16], values[2];
    size_t index;
    assert_int_equal(fhec_machine_new(&options, &m), FHEC_OK);
    assert_int_equal(fhec_variable_find(program, "zeros", &index), FHEC_OK);
    assert_int_equal(fhec_variable_read(m, program, index, 0, zeros, sizeof zeros), FHEC_OK);
    for (unsigned i = 0; i < COUNT_OF(zeros); i++)
        assert_int_equal(zeros[i], 0);
    assert_int_equal(fhec_variable_find(program, "values", &index), FHEC_OK);
    assert_int_equal(fhec_variable_read(m, program, index, 0, values, sizeof values), FHEC_OK);
    assert_int_equal(values[0], 0x1234);
    assert_int_equal(values[1], 0x5678);
    fhec_machine_free(m);
    fhec_program_free(program);
}

static void test_bad_options(void **unused) {
    (void)unused;
    static const fhec_machine_options bad[] = {
        {.fill_registers = {(fhec_fill_kind)3, 0}}, {.fill_shared = {(fhec_fill_kind)3, 0}},
        {.fill_local = {(fhec_fill_kind)9, 0}},     {.fill_global = {(fhec_fill_kind)3, 0}},
        {.placement = {.alignment = 48}},           {.placement = {.alignment = UINT64_MAX}},
        {.placement = {.gap = UINT64_MAX}},         {.placement = {.alignment = UINT64_C(1) << 63}},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        fhec_machine *m = NULL;
        assert_int_equal(fhec_machine_new(&bad[i], &m), FHEC_BAD_INPUT);
        assert_null(m);
    }
}

/* ---------------------------------------------------------------- placement */

struct area {
    uint64_t base, bytes;
};

static int by_base(const void *a, const void *b) {
    const struct area *x = a, *y = b;
    return (x->base > y->base) - (x->base < y->base);
}

enum { AREAS = 300 };

/* Allocations of many sizes, some of which are released; what they hold is their own. */
static void place_all(const fhec_placement *placement, struct area areas[AREAS]) {
    const fhec_machine_options options = {.placement = *placement, .threads = 1};
    fhec_machine *m = NULL;
    assert_int_equal(fhec_machine_new(&options, &m), FHEC_OK);
    for (uint32_t i = 0; i < AREAS; i++) {
        areas[i].bytes = 1 + i * i % 977;
        assert_int_equal(fhec_alloc(m, "area", areas[i].bytes, 0, &areas[i].base), FHEC_OK);
        const uint8_t mark = (uint8_t)i;
        assert_int_equal(fhec_write(m, areas[i].base + areas[i].bytes - 1, &mark, 1), FHEC_OK);
        if (i % 5 == 4)
            assert_int_equal(fhec_release(m, areas[i - 2].base), FHEC_OK);
    }
    for (uint32_t i = 0; i < AREAS; i++) {
        uint8_t mark = 0;
        const fhec_status status = fhec_read(m, areas[i].base + areas[i].bytes - 1, &mark, 1);
        assert_int_equal(status, i % 5 == 2 ? FHEC_BAD_INPUT : FHEC_OK);
        assert_int_equal(mark, i % 5 == 2 ? 0 : (uint8_t)i);
    }
    fhec_machine_free(m);
}

/* What machines without options have always done. */
static void test_default_placement(void **unused) {
    (void)unused;
    struct area areas[AREAS];
    uint64_t expected = UINT64_C(0x7f0000000000);
    place_all(&(fhec_placement){0}, areas);
    for (unsigned i = 0; i < AREAS; i++) {
        assert_int_equal(areas[i].base, expected);
        expected = (expected + areas[i].bytes + (1 << 24) + 255) / 256 * 256;
    }
}

static void test_placements(void **unused) {
    (void)unused;
    static const fhec_placement placements[] = {
        {.gap = 1, .alignment = 1},
        {.gap = 1},
        {.gap = 4096, .alignment = 1 << 21},
        {.seed = 1},
        {.seed = 2, .gap = 100, .alignment = 16},
        {.seed = UINT64_MAX, .gap = UINT64_C(1) << 30},
    };
    for (size_t p = 0; p < COUNT_OF(placements); p++) {
        struct area areas[AREAS], again[AREAS];
        const uint64_t gap = placements[p].gap ? placements[p].gap : 1 << 24;
        const uint64_t alignment = placements[p].alignment ? placements[p].alignment : 256;
        unsigned upward = 0;
        place_all(&placements[p], areas);
        place_all(&placements[p], again);
        assert_memory_equal(areas, again, sizeof areas);
        for (unsigned i = 1; i < AREAS; i++)
            upward += areas[i].base > areas[i - 1].base;
        if (placements[p].seed) /* as often up as down */
            assert_in_range(upward, AREAS / 3, 2 * AREAS / 3);
        else
            assert_int_equal(upward, AREAS - 1);
        qsort(areas, AREAS, sizeof *areas, by_base);
        for (unsigned i = 0; i < AREAS; i++) {
            assert_int_equal(areas[i].base % alignment, 0);
            assert_in_range(areas[i].base, UINT64_C(0x7f0000000000), UINT64_C(0x7fffffffffff));
            if (i)
                assert_true(areas[i].base >= areas[i - 1].base + areas[i - 1].bytes + gap);
        }
        if (p == 0) /* no byte is wasted */
            assert_int_equal(areas[1].base, areas[0].base + areas[0].bytes + 1);
    }
}

/* Each of 200 goes across a multiple of 2^32, no two across the same one, unless it has less than
 * 17 bytes; whole alignments are on either side. Of 600 some find none, and are somewhere else. */
static void test_borders(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed < 4; seed++) {
        const fhec_machine_options options = {.placement = {.seed = seed, .borders = true},
                                              .threads = 1};
        static bool taken[256];
        unsigned crossing = 0, not_256 = 0;
        fhec_machine *m = NULL;
        memset(taken, 0, sizeof taken);
        assert_int_equal(fhec_machine_new(&options, &m), FHEC_OK);
        for (unsigned i = 0; i < 600; i++) {
            const uint64_t bytes = i % 50 == 49 ? 16 : 17 + (uint64_t)i * i * i % 5000;
            uint64_t address;
            assert_int_equal(fhec_alloc(m, "area", bytes, 0, &address), FHEC_OK);
            const uint64_t number = (address + bytes - 1) >> 32;
            const bool crosses = address >> 32 != number;
            if (i < 200)
                assert_true(crosses == (bytes > 16));
            assert_int_equal(address % (bytes < 512 ? 16 : 256), 0);
            assert_false(crosses && taken[number % 256]);
            taken[number % 256] |= crosses;
            crossing += crosses;
            not_256 += address % 256 != 0;
        }
        assert_in_range(crossing, 230, 256);
        assert_in_range(not_256, 1, 60); /* of those below 512 bytes */
        fhec_machine_free(m);
    }
}

/* No addresses left: an error, after which all is as before. */
static void test_full(void **unused) {
    (void)unused;
    static const fhec_machine_options options[] = {
        {.placement = {.gap = UINT64_C(1) << 39}},
        {.placement = {.gap = UINT64_C(1) << 39, .seed = 3}},
    };
    for (size_t i = 0; i < COUNT_OF(options); i++) {
        fhec_machine *m = NULL;
        uint64_t first, address;
        unsigned count = 0;
        assert_int_equal(fhec_machine_new(&options[i], &m), FHEC_OK);
        assert_int_equal(fhec_alloc(m, "first", 1, 0, &first), FHEC_OK);
        while (fhec_alloc(m, "more", 1, 0, &address) == FHEC_OK)
            assert_true(++count < 3);
        assert_int_equal(address, 0);
        assert_int_equal(fhec_read(m, first, &count, 1), FHEC_OK); /* is still there */
        fhec_machine_free(m);
    }
}

/* ---------------------------------------------------------------- memory of the caller's */

static void test_map_refused(void **unused) {
    (void)unused;
    static uint8_t bytes[256], more[256];
    static const uint64_t at = UINT64_C(0x123456789000);
    fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    uint64_t own;
    assert_int_equal(fhec_alloc(m, "own", 1000, 0, &own), FHEC_OK);
    assert_int_equal(fhec_map(m, "mine", at, bytes, 256, 0), FHEC_OK);
    const struct {
        uint64_t address;
        size_t bytes;
        void *host;
        unsigned flags;
        const char *why;
    } refused[] = {
        {at, 1, more, 0, "overlap with `mine`"},
        {at - 1, 2, more, 0, "overlap with `mine`"},
        {at + 255, 1, more, 0, "overlap with `mine`"},
        {at - 128, 256, more, 0, "overlap with `mine`"},
        {at - 128, 1024, more, 0, "overlap with `mine`"},
        {own + 999, 1, more, 0, "overlap with `own`"},
        {own - 100, 256, more, 0, "overlap with `own`"},
        {0, 1, more, 0, "no addresses of global memory"},
        {UINT64_C(0x100000000), 1, more, 0, "no addresses of global memory"},
        {UINT64_C(0x2000000ff), 1, more, 0, "no addresses of global memory"},
        {UINT64_C(0xffffffff), 2, more, 0, "no addresses of global memory"},
        {UINT64_C(0x1ffffffffffff), 2, more, 0, "no addresses of global memory"},
        {UINT64_MAX, 2, more, 0, "no addresses of global memory"},
        {4096, SIZE_MAX, more, 0, "no addresses of global memory"},
        {4096, 1, NULL, 0, "no memory is given"},
        {4096, 0, more, 0, "at least one byte"},
        {4096, 1, more, 2, "unknown flags"},
    };
    for (size_t i = 0; i < COUNT_OF(refused); i++) {
        assert_int_equal(fhec_map(m, "x", refused[i].address, refused[i].host, refused[i].bytes,
                                  refused[i].flags),
                         FHEC_BAD_INPUT);
        if (!strstr(fhec_machine_error(m), refused[i].why))
            fail_msg("case %zu: %s", i, fhec_machine_error(m));
    }
    assert_int_equal(fhec_map(m, "below", at - 256, more, 256, 0), FHEC_OK);
    assert_int_equal(fhec_map(m, "top", (UINT64_C(1) << 49) - 1, more, 1, 0), FHEC_OK);
    fhec_machine_free(m);
}

/* Our own allocations go around what is mapped, and what was unmapped can be mapped again. */
static void test_map_and_alloc(void **unused) {
    (void)unused;
    static uint8_t bytes[4096];
    const uint64_t base = UINT64_C(0x7f0000000000), gap = 1 << 24;
    fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    uint64_t address, old;
    assert_int_equal(fhec_map(m, "a", base + 100, bytes, 1000, 0), FHEC_OK);
    assert_int_equal(fhec_alloc(m, "one", 100, 0, &old), FHEC_OK);
    assert_int_equal(old, (base + 1100 + gap + 255) / 256 * 256);
    const uint64_t second = (old + 100 + gap + 255) / 256 * 256;
    assert_int_equal(fhec_map(m, "b", second + 50 + gap - 1, bytes + 1000, 1000, 0), FHEC_OK);
    assert_int_equal(fhec_alloc(m, "two", 50, 0, &address), FHEC_OK);
    assert_int_equal(address, (second + 50 + gap - 1 + 1000 + gap + 255) / 256 * 256);
    assert_int_equal(fhec_map(m, "c", base + 1000, bytes, 10, 0), FHEC_BAD_INPUT);
    assert_int_equal(fhec_release(m, base + 100), FHEC_OK);
    assert_int_equal(fhec_read(m, base + 100, &address, 1), FHEC_BAD_INPUT);
    assert_int_equal(fhec_map(m, "c", base + 1000, bytes, 10, 0), FHEC_OK);
    assert_int_equal(fhec_release(m, old), FHEC_OK);
    assert_int_equal(fhec_map(m, "d", old + 99, bytes, 300, 0), FHEC_OK);
    bytes[299] = 77;
    uint8_t byte;
    assert_int_equal(fhec_read(m, old + 99 + 299, &byte, 1), FHEC_OK);
    assert_int_equal(byte, 77);
    fhec_machine_free(m);
}

/* Blocks of 40 threads, which share lines of memory, add 3 to as many words and store a byte behind
 * them. */
static const char add_three[] =
    ".target sm_80\n.kernel K\n.param data, 8\n.param last, 8\n"
    "S2R R0, SR_TID.X ;\nS2R R1, SR_CTAID.X ;\n"
    "IMAD R0, R1, c[0x0][0x0], R0 ;\nMOV R3, 0x4 ;\n"
    "IMAD.WIDE.U32 R4, R0, R3, data ;\n"
    "LDG.E R8, [R4.64] ;\nIADD3 R8, R8, 0x3, RZ ;\nSTG.E [R4.64], R8 ;\n"
    "ISETP.NE.AND P0, PT, R0, RZ, PT ;\nMOV R6, last ;\nMOV R7, last+4 ;\n"
    "@!P0 STG.E.U8 [R6.64], R8 ;\n@!P0 LDG.E.U8 R9, [R6.64] ;\n@!P0 STG.E.U8 [R6.64+0x1], R9 ;\n"
    "EXIT ;\n.end\n";

/* Host memory at any alignment, at its own address; nothing before it changes, and nothing behind
 * it is touched, not even the rest of a word of which it has a part (the room ends there, which
 * ASan knows). */
static void map_and_run(const fhec_machine_options *options, void *user) {
    const fhec_program *program = user;
    enum { MAPPED_BLOCKS = 64, MAPPED_THREADS = 40, COUNT = MAPPED_THREADS * MAPPED_BLOCKS };
    enum { BEFORE = 64 };
    for (unsigned shift = 0; shift < 4; shift++) {
        uint8_t *const room = malloc(BEFORE + shift + 4 * COUNT + 2);
        fhec_machine *m = NULL;
        assert_non_null(room);
        memset(room, 0x5a, BEFORE + shift + 4 * COUNT + 2);
        uint8_t *const host = room + BEFORE + shift;
        const uint64_t address = shift ? UINT64_C(0x40000000) : (uint64_t)(uintptr_t)host;
        for (uint32_t i = 0; i < COUNT; i++)
            memcpy(host + 4 * i, &(uint32_t){i * i}, 4);
        assert_int_equal(fhec_machine_new(options, &m), FHEC_OK);
        assert_int_equal(fhec_map(m, "mapped", address, host, 4 * COUNT + 2, 0), FHEC_OK);
        const uint64_t params[] = {address, address + 4 * COUNT};
        for (uint32_t run = 1; run <= 3; run++) {
            emu_run_ok(m, program, MAPPED_BLOCKS, MAPPED_THREADS, params, 2);
            for (uint32_t i = 0; i < COUNT; i++) {
                uint32_t word;
                memcpy(&word, host + 4 * i, 4);
                assert_int_equal(word, i * i + 3 * run);
            }
            assert_int_equal(host[4 * COUNT], 3 * run);
            assert_int_equal(host[4 * COUNT + 1], 3 * run);
            memset(host + 4 * COUNT, 0xee, 2);
        }
        assert_int_equal(fhec_release(m, address), FHEC_OK);
        for (unsigned i = 0; i < BEFORE + shift; i++)
            assert_int_equal(room[i], 0x5a);
        assert_int_equal(emu_run(m, program, MAPPED_BLOCKS, MAPPED_THREADS, params, 2),
                         FHEC_GUEST_FAULT);
        assert_int_equal(fhec_machine_fault(m)->kind, FHEC_FAULT_FREED);
        fhec_machine_free(m);
        free(room);
    }
}

static void test_map_run(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(add_three);
    for_each_machine((fhec_machine_options){0}, map_and_run, program);
    fhec_program_free(program);
}

static void test_map_read_only(void **unused) {
    (void)unused;
    fhec_program *program = emu_assemble(add_three);
    static uint32_t words[64 + 1];
    const uint64_t params[] = {4096, 4096 + 256};
    fhec_machine *m = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    assert_int_equal(fhec_map(m, "const", 4096, words, sizeof words, FHEC_MEM_READ_ONLY), FHEC_OK);
    assert_int_equal(emu_run(m, program, 1, 64, params, 2), FHEC_GUEST_FAULT);
    assert_int_equal(fhec_machine_fault(m)->kind, FHEC_FAULT_READ_ONLY);
    assert_int_equal(words[0], 0);
    fhec_machine_free(m);
    fhec_program_free(program);
}

static void test_limits(void **unused) {
    (void)unused;
    const fhec_limits *a = fhec_target_limits("sm_80");
    assert_non_null(a);
    assert_ptr_equal(fhec_target_limits("sm_80, fhec, gme"), a);
    static const uint32_t others[][5] = {/* architecture, warps, blocks, KiB: all, of a block */
                                         {80, 64, 32, 164, 163},
                                         {86, 48, 16, 100, 99},
                                         {87, 48, 16, 164, 163},
                                         {89, 48, 24, 100, 99}};
    for (size_t i = 0; i < 4; i++) {
        const fhec_limits *l = fhec_limits_get(i);
        assert_true(l->architecture == others[i][0] && l->warps == others[i][1] &&
                    l->blocks == others[i][2] && l->shared == others[i][3] << 10 &&
                    l->block_shared == others[i][4] << 10);
        assert_ptr_equal(fhec_target_limits(l->target), l);
    }
    assert_null(fhec_limits_get(4));
    assert_int_equal(a->block_shared, 166912);
    assert_int_equal(a->multiprocessors, 108);
    assert_int_equal(a->thread_registers, 255);
    static const char *const unknown[] = {"", "sm_8", "sm_800", "sm_70", "fhec, sm_80", ", sm_80"};
    for (size_t i = 0; i < COUNT_OF(unknown); i++)
        assert_null(fhec_target_limits(unknown[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zero),          cmocka_unit_test(test_word),
        cmocka_unit_test(test_seed),          cmocka_unit_test(test_variables),
        cmocka_unit_test(test_bad_options),   cmocka_unit_test(test_default_placement),
        cmocka_unit_test(test_placements),    cmocka_unit_test(test_full),
        cmocka_unit_test(test_borders),       cmocka_unit_test(test_map_refused),
        cmocka_unit_test(test_map_and_alloc), cmocka_unit_test(test_map_run),
        cmocka_unit_test(test_map_read_only), cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests_name("emu_options_threads", tests, NULL, NULL);
}
