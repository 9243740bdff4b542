/*
 * time_random_test.c - what must hold of times whatever runs, on random programs of loops,
 * products, loads, stores and barriers: sums and bounds; less to do, wider units, shorter latencies
 * never make a launch much slower; the same times on both engines, at every SIMD level, for any
 * number of host threads.
 *
 * FHEC_TEST_SEED chooses the programs. A failure prints the seed and the program.
 */
#include "emu_random.h"
#include "timing_util.h"

enum { PROGRAMS = 24, TEXT = 16384, MOST = 60 };

struct program {
    char text[TEXT];
    size_t length;
    uint32_t blocks, threads;
};

static __attribute__((format(printf, 2, 3))) void put(struct program *p, const char *format, ...) {
    va_list args;
    va_start(args, format);
    p->length += (size_t)vsnprintf(p->text + p->length, TEXT - p->length, format, args);
    va_end(args);
    assert_true(p->length < TEXT);
}

/* A register of R16 to R31, and an even one. */
static unsigned any(struct emu_rng *rng) {
    return 16 + emu_below(rng, 16);
}
static unsigned even(struct emu_rng *rng) {
    return 16 + 4 * emu_below(rng, 4);
}

/* R8: four bytes a thread, within 4 KiB; R4: the same in the buffer. */
static void put_instruction(struct program *p, struct emu_rng *rng) {
    const unsigned offset = 16 * emu_below(rng, 16);
    switch (emu_below(rng, 12)) {
    case 0: put(p, "FFMA R%u, R%u, R%u, R%u ;\n", any(rng), any(rng), any(rng), any(rng)); break;
    case 1: put(p, "IMAD R%u, R%u, R%u, R%u ;\n", any(rng), any(rng), any(rng), any(rng)); break;
    case 2: put(p, "IADD3 R%u, R%u, R%u, R%u ;\n", any(rng), any(rng), any(rng), any(rng)); break;
    case 3:
        put(p, "IMAD.WIDE.U32 R%u, R%u, R%u, R%u ;\n", even(rng), any(rng), any(rng), even(rng));
        break;
    case 4: put(p, "MUFU.RCP R%u, R%u ;\n", any(rng), any(rng)); break;
    case 5: put(p, "LDS R%u, [R8+0x%x] ;\n", any(rng), offset); break;
    case 6: put(p, "LDS.128 R%u, [R9+0x%x] ;\n", even(rng), offset); break;
    case 7: put(p, "STS [R8+0x%x], R%u ;\n", offset, any(rng)); break;
    case 8: put(p, "LDG.E R%u, [R4.64+0x%x] ;\n", any(rng), offset); break;
    case 9: put(p, "STG.E [R4.64+0x%x], R%u ;\n", offset, any(rng)); break;
    case 10: put(p, "BAR.SYNC 0x0 ;\n"); break;
    default: put(p, "SHF.L.U32 R%u, R%u, 0x3, RZ ;\n", any(rng), any(rng)); break;
    }
}

/* With the first `count` instructions of the loop. */
static void make(struct program *p, uint64_t seed, uint32_t count, uint32_t *all) {
    struct emu_rng rng = {.state = seed};
    p->length = 0;
    p->blocks = 1 + emu_below(&rng, 12);
    p->threads = 32 * (1 + emu_below(&rng, 12));
    *all = 1 + emu_below(&rng, MOST);
    const uint32_t turns = 1 + emu_below(&rng, 6);
    put(p, ".target sm_80\n.kernel K\n.param x, 8\n.shared room, 20480\n"
           "S2R R0, SR_TID.X ;\nIMAD.SHL.U32 R8, R0, 0x4, RZ ;\nIMAD.SHL.U32 R9, R0, 0x10, RZ ;\n"
           "MOV R2, x ;\nMOV R3, x+4 ;\nIMAD.WIDE.U32 R4, R0, 0x20, R2 ;\nMOV R1, RZ ;\nagain:\n");
    for (uint32_t i = 0; i < count && i < *all; i++)
        put_instruction(p, &rng);
    put(p,
        "IADD3 R1, R1, 0x1, RZ ;\nISETP.LT.U32.AND P0, PT, R1, 0x%x, PT ;\n@P0 BRA again ;\n"
        "EXIT ;\n.end\n",
        turns);
}

static uint64_t first_seed(void) {
    const char *text = getenv("FHEC_TEST_SEED");
    return text ? strtoull(text, NULL, 0) : 1;
}

/* At most 5 % and 200 cycles more. */
static void not_slower(const struct program *p, uint64_t seed, const char *what, uint64_t before,
                       uint64_t after) {
    if (after > before + before / 20 + 200)
        fail_msg("seed %llu, %s: %llu cycles, and %llu before, of %u blocks of %u threads:\n%s",
                 (unsigned long long)seed, what, (unsigned long long)after,
                 (unsigned long long)before, p->blocks, p->threads, p->text);
}

/* Changes that can only help. */
static const char *const faster[] = {
    "pipe fma interval 1",
    "pipe alu interval 1",
    "op IMAD.WIDE interval 2",
    "pipe slow latency 12 interval 4",
    "latency load.shared 12 12 13 read 5 5 5",
    "latency load.global 16 17 19 read 6 6 6",
    "l2 latency 100 bandwidth 10240",
    "hbm 4000 latency 150",
    "queue 8 depth 6 interval 2 shared 1",
    "banks 0",
};

static void test_monotone(void **unused) {
    (void)unused;
    static const char *const base[] = {"sms 1", "launch 0", NULL};
    struct fh_time_machine machine, other;
    timing_machine(&machine, "a100", base);
    for (uint64_t seed = first_seed(); seed < first_seed() + PROGRAMS; seed++) {
        struct program p, less;
        uint32_t all;
        make(&p, seed, MOST, &all);
        const uint64_t cycles = timing_cycles(&machine, p.text, p.blocks, p.threads);
        for (size_t i = 0; i < COUNT_OF(faster); i++) {
            const char *const changes[] = {"sms 1", "launch 0", faster[i], NULL};
            timing_machine(&other, "a100", changes);
            not_slower(&p, seed, faster[i], cycles,
                       timing_cycles(&other, p.text, p.blocks, p.threads));
        }
        make(&less, seed, all * 3 / 4, &all);
        not_slower(&p, seed, "a quarter less", cycles,
                   timing_cycles(&machine, less.text, less.blocks, less.threads));
    }
}

static void test_same(void **unused) {
    (void)unused;
    static const struct timing_launch shapes[] = {
        {.engine = FHEC_ENGINE_REF, .simd = FHEC_SIMD_BEST, .host_threads = 1},
        {.engine = FHEC_ENGINE_FAST, .simd = FHEC_SIMD_PORTABLE, .host_threads = 1},
        {.engine = FHEC_ENGINE_FAST, .simd = FHEC_SIMD_BEST, .host_threads = 7},
    };
    static const char *const changes[] = {"sms 2", NULL};
    static const char *const machines[] = {"a100", "gtx580"};
    for (size_t m = 0; m < COUNT_OF(machines); m++) {
        struct fh_time_machine machine;
        timing_machine(&machine, machines[m], changes);
        for (uint64_t seed = first_seed(); seed < first_seed() + PROGRAMS / 4; seed++) {
            struct program p;
            uint32_t all;
            make(&p, seed, MOST, &all);
            struct timing_launch l = {.text = p.text, .blocks = p.blocks, .threads = p.threads};
            struct fh_timer *timer = timing_run(&machine, &l);
            struct fh_trace_bytes want = {0};
            assert_true(fh_time_json(&want, timer));
            fh_timer_free(timer);
            for (size_t i = 0; i < COUNT_OF(shapes); i++) {
                l = shapes[i];
                l.text = p.text;
                l.blocks = p.blocks;
                l.threads = p.threads;
                struct fh_trace_bytes got = {0};
                timer = timing_run(&machine, &l);
                timing_check(timer);
                assert_true(fh_time_json(&got, timer));
                assert_int_equal(got.count, want.count);
                assert_memory_equal(got.bytes, want.bytes, want.count);
                fh_timer_free(timer);
                fh_trace_bytes_free(&got);
            }
            fh_trace_bytes_free(&want);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_monotone),
        cmocka_unit_test(test_same),
    };
    return cmocka_run_group_tests_name("time_random", tests, NULL, NULL);
}
