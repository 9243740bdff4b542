/*
 * The matrix instructions from text to effect: assembled, decoded and run on every engine and SIMD
 * level, against golden; array cycles and counters; faults of inactive lanes.
 */
#include "emu_util.h"
#include "golden.h"

/* Per lane: A 8 words, B 4, C 4, modulus descriptor 4; and 5 results of 4 words. */
enum { WORDS = 20, A = 0, B = 8, C = 12, M = 16, LANES = 32, ROWS = 16, COLUMNS = 8, DEPTH = 16 };
enum { UNIFORM, MIX, IMMA, LDSM, IN_PLACE };

static const char text[] = ".target sm_80, fhec\n"
                           ".kernel K\n"
                           ".param in, 8\n"
                           ".param out, 8\n"
                           ".param q, 8\n"
                           ".param mu, 8\n"
                           ".shared rows, 512\n"
                           "    S2R R0, SR_LANEID ;\n"
                           "    MOV R2, 0x50 ;\n"
                           "    IMAD.WIDE.U32 R4, R0, R2, in ;\n"
                           "    IMAD.WIDE.U32 R6, R0, R2, out ;\n"
                           "    LDG.E.128 R8, [R4.64] ;\n"
                           "    LDG.E.128 R12, [R4.64+0x10] ;\n"
                           "    LDG.E.128 R16, [R4.64+0x20] ;\n"
                           "    LDG.E.128 R20, [R4.64+0x30] ;\n"
                           "    LDG.E.128 R24, [R4.64+0x40] ;\n"
                           "    ULDC.64 UR4, q ;\n"
                           "    ULDC.64 UR6, mu ;\n"
                           "    FHEC.16816.U32.U32 R28, R8.ROW, R16.COL, R20, UR4 ;\n"
                           "    FHEC.16816.U32.U32.MIX R32, R8.ROW, R16.COL, R20, R24 ;\n"
                           "    IMMA.16816.U8.S8 R36, R8.ROW, R16.COL, R20 ;\n"
                           "    STS.128 [R0.X16], R16 ;\n"
                           "    IMAD.SHL.U32 R3, R0, 0x10, RZ ;\n"
                           "    LDSM.16.MT88.4 R40, [R3] ;\n"
                           "    FHEC.16816.S32.S32 R8, R8.ROW, R16.COL, R20, UR4 ;\n"
                           "    STG.E.128 [R6.64], R28 ;\n"
                           "    STG.E.128 [R6.64+0x10], R32 ;\n"
                           "    STG.E.128 [R6.64+0x20], R36 ;\n"
                           "    STG.E.128 [R6.64+0x30], R40 ;\n"
                           "    STG.E.128 [R6.64+0x40], R8 ;\n"
                           "    EXIT ;\n"
                           ".end\n";

struct data {
    uint32_t in[LANES][WORDS], want[LANES][WORDS];
    fh_golden_modulus modulus[COLUMNS];
};

/* The lane and register of the fragment, by the instruction sheet. */
static uint32_t *at(uint32_t (*words)[WORDS], uint32_t operand, uint32_t lane, uint32_t reg) {
    return &words[lane][operand + reg];
}

static void want_fhec(struct data *x, uint32_t result, bool mixed) {
    uint32_t a[ROWS][DEPTH], b[DEPTH][COLUMNS], c[ROWS][COLUMNS], d[ROWS][COLUMNS];
    for (uint32_t m = 0; m < ROWS; m++)
        for (uint32_t k = 0; k < DEPTH; k++)
            a[m][k] = *at(x->in, A, 4 * (m % 8) + k % 4, m / 8 + 2 * (k / 4));
    for (uint32_t k = 0; k < DEPTH; k++)
        for (uint32_t n = 0; n < COLUMNS; n++)
            b[k][n] = *at(x->in, B, 4 * n + k % 4, k / 4);
    for (uint32_t m = 0; m < ROWS; m++)
        for (uint32_t n = 0; n < COLUMNS; n++)
            c[m][n] = *at(x->in, C, 4 * (m % 8) + n / 2, 2 * (m / 8) + n % 2);
    assert_int_equal(fh_golden_fhec_steps((fh_golden_shape){ROWS, COLUMNS, DEPTH}, mixed,
                                          x->modulus, a[0], b[0], c[0], d[0]),
                     FH_GOLDEN_OK);
    for (uint32_t m = 0; m < ROWS; m++)
        for (uint32_t n = 0; n < COLUMNS; n++)
            *at(x->want, 4 * result, 4 * (m % 8) + n / 2, 2 * (m / 8) + n % 2) = d[m][n];
}

static void want_imma(struct data *x) {
    fh_golden_imma imma = {{ROWS, COLUMNS, DEPTH}, false, true, false};
    uint8_t a[ROWS][DEPTH], b[DEPTH][COLUMNS];
    int32_t c[ROWS][COLUMNS], d[ROWS][COLUMNS];
    for (uint32_t m = 0; m < ROWS; m++)
        for (uint32_t k = 0; k < DEPTH; k++)
            a[m][k] = (uint8_t)(*at(x->in, A, 4 * (m % 8) + k / 4, m / 8) >> (8 * (k % 4)));
    for (uint32_t k = 0; k < DEPTH; k++)
        for (uint32_t n = 0; n < COLUMNS; n++)
            b[k][n] = (uint8_t)(*at(x->in, B, 4 * n + k / 4, 0) >> (8 * (k % 4)));
    for (uint32_t m = 0; m < ROWS; m++)
        for (uint32_t n = 0; n < COLUMNS; n++)
            c[m][n] = (int32_t)*at(x->in, C, 4 * (m % 8) + n / 2, 2 * (m / 8) + n % 2);
    fh_golden_imma_value(&imma, a[0], b[0], c[0], d[0]);
    for (uint32_t m = 0; m < ROWS; m++)
        for (uint32_t n = 0; n < COLUMNS; n++)
            *at(x->want, 4 * IMMA, 4 * (m % 8) + n / 2, 2 * (m / 8) + n % 2) = (uint32_t)d[m][n];
}

/* Matrix i: its row j is the B quad of lane 8i + j. Transposed, lane l gets column l / 4. */
static void want_ldsm(struct data *x) {
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t l = 0; l < LANES; l++) {
            uint32_t value = 0, column = l / 4;
            for (uint32_t s = 0; s < 2; s++) {
                uint32_t word = *at(x->in, B, 8 * i + 2 * (l % 4) + s, column / 2);
                value |= (word >> (16 * (column % 2)) & 0xffff) << (16 * s);
            }
            *at(x->want, 4 * LDSM, l, i) = value;
        }
    }
}

static void make_data(struct data *x, uint64_t seed) {
    uint64_t word = 0;
    for (uint32_t l = 0; l < LANES; l++)
        for (uint32_t i = 0; i < WORDS; i++)
            x->in[l][i] = (uint32_t)fh_golden_random_word(seed, 1, word++) >> (seed % 3);
    for (uint32_t n = 0; n < COLUMNS; n++) {
        uint32_t q = (uint32_t)(fh_golden_random_word(seed, 2, n) >> (32 + seed % 5)) | 1U << 20;
        x->modulus[n] = (fh_golden_modulus){q, fh_golden_barrett_mu(q) - (seed % 4 == 3 && n == 0)};
        for (uint32_t l = 4 * n; l < 4 * n + 4; l++) {
            x->in[l][M] = q;
            x->in[l][M + 2] = (uint32_t)x->modulus[n].mu;
            x->in[l][M + 3] = (uint32_t)(x->modulus[n].mu >> 32);
        }
    }
    want_fhec(x, UNIFORM, false);
    want_fhec(x, MIX, true);
    want_imma(x);
    want_ldsm(x);
    want_fhec(x, IN_PLACE, false);
}

static void compare(const struct data *x, const struct data *got, const char *level,
                    uint64_t seed) {
    static const char *const names[] = {"FHEC", "FHEC.MIX", "IMMA", "LDSM", "FHEC in place"};
    for (uint32_t l = 0; l < LANES; l++)
        for (uint32_t i = 0; i < WORDS; i++)
            if (x->want[l][i] != got->want[l][i])
                fail_msg("%s, seed %llu: %s: lane %u, register %u: 0x%08x, want 0x%08x", level,
                         (unsigned long long)seed, names[i / 4], l, i % 4, got->want[l][i],
                         x->want[l][i]);
}

static void check_counts(fhec_machine *machine, bool ref) {
    fhec_stats stats;
    assert_int_equal(fhec_machine_stats(machine, &stats), FHEC_OK);
    assert_int_equal(stats.fhec_cycles, ref ? 3 * 44 : 0);
    uint32_t seen = 0;
    for (size_t i = 0; i < stats.count_count; i++) {
        const fhec_count *c = &stats.counts[i];
        bool mix = strcmp(c->mnemonic, "FHEC.16816.U32.U32.MIX") == 0;
        if (strncmp(c->mnemonic, "FHEC", 4) != 0)
            continue;
        assert_int_equal(c->warp, mix ? 1 : 2);
        assert_int_equal(c->thread, 32 * c->warp);
        assert_string_equal(c->klass, "matrix");
        seen += 1;
    }
    assert_int_equal(seen, 2);
}

static void run_level(const fhec_program *program, fhec_engine engine, fhec_simd simd,
                      const char *level) {
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct data x, got;
        make_data(&x, seed);
        fhec_machine *machine = emu_machine(engine, simd, 1);
        fhec_machine_count(machine, true);
        uint64_t params[4] = {0, 0, x.modulus[0].q, x.modulus[0].mu};
        assert_int_equal(fhec_alloc(machine, "in", sizeof x.in, FHEC_MEM_READ_ONLY, &params[0]),
                         FHEC_OK);
        assert_int_equal(fhec_alloc(machine, "out", sizeof x.want, 0, &params[1]), FHEC_OK);
        assert_int_equal(fhec_write(machine, params[0], x.in, sizeof x.in), FHEC_OK);
        emu_run_ok(machine, program, 1, LANES, params, COUNT_OF(params));
        assert_int_equal(fhec_read(machine, params[1], got.want, sizeof got.want), FHEC_OK);
        compare(&x, &got, level, seed);
        check_counts(machine, engine == FHEC_ENGINE_REF);
        fhec_machine_free(machine);
    }
}

static void every_level(void **state) {
    (void)state;
    static const struct {
        fhec_simd simd;
        const char *name;
    } simd[] = {{FHEC_SIMD_PORTABLE, "portable"},
                {FHEC_SIMD_AVX2, "avx2"},
                {FHEC_SIMD_AVX512, "avx512"},
                {FHEC_SIMD_BEST, "best"}};
    fhec_program *program = emu_assemble(text);
    run_level(program, FHEC_ENGINE_REF, FHEC_SIMD_BEST, "ref");
    for (size_t i = 0; i < COUNT_OF(simd); i++)
        if (emu_has_simd(simd[i].simd))
            run_level(program, FHEC_ENGINE_FAST, simd[i].simd, simd[i].name);
    fhec_program_free(program);
}

/* Half the warp: by the guard, by a branch, by ended lanes. */
static void inactive_lanes(void **state) {
    (void)state;
    static const char *const instructions[] = {
        "FHEC.16816.U32.U32 R8, R8.ROW, R16.COL, R20, UR4 ;\n",
        "FHEC.16816.U32.U32.MIX R8, R8.ROW, R16.COL, R20, R24 ;\n",
        "IMMA.16832.S8.S8.SAT R8, R8.ROW, R16.COL, R20 ;\n",
        "LDSM.16.M88.4 R8, [RZ] ;\n",
    };
    static const struct {
        const char *before, *guard;
        uint32_t threads;
    } ways[] = {
        {"", "@P0 ", 32},
        {"@!P0 BRA L ;\n", "", 32},
        {"@!P0 EXIT ;\n", "", 32},
        {"", "", 10},
    };
    for (size_t i = 0; i < COUNT_OF(instructions) * COUNT_OF(ways); i++) {
        char source[1000];
        const char *instruction = instructions[i / COUNT_OF(ways)];
        size_t way = i % COUNT_OF(ways);
        snprintf(source, sizeof source,
                 ".target sm_80, fhec\n.kernel K\n.param out, 8\n.shared rows, 16\n"
                 "S2R R0, SR_LANEID ;\nISETP.LT.U32.AND P0, PT, R0, 0xa, PT ;\n%s%s%s"
                 "L: EXIT ;\n.end\n",
                 ways[way].before, ways[way].guard, instruction);
        fhec_machine *machine;
        const fhec_fault *fault;
        emu_fault(source, ways[way].threads, 1, 0, &machine, &fault);
        assert_int_equal(fault->kind, FHEC_FAULT_LANES);
        assert_int_equal(fault->lanes, 0xfffffc00);
        assert_non_null(strstr(fault->message, "0x000003ff"));
        fhec_machine_free(machine);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level),
        cmocka_unit_test(inactive_lanes),
    };
    return cmocka_run_group_tests_name("matrix instructions in programs", tests, NULL, NULL);
}
