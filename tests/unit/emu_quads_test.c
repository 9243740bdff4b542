/*
 * emu_quads_test.c - 128-bit loads and stores of all lanes in runs of four: side by side in 64
 * bytes, or all four at one place, and nearly so: one lane elsewhere, runs that overlap or
 * coincide, at both ends of the allocation, past its end, not aligned. Each base is used several
 * times, since one that is used once is not learnt of (superblock.c), and the same instructions
 * make all the visits. All engines and SIMD levels against a model of the memory.
 */
#include "emu_util.h"

enum { LANES = 32, WORDS = 4, WIDTHS = 2, KINDS = 4, VISITS = WIDTHS * KINDS * 5, BYTES = 1024 };

/* Visit v: load 16 bytes at data + offset, change them, store them there. Lane t has the offset
 * places[v][t]. */
static const char kernel[] =
    ".target sm_80\n.kernel K\n.param places, 8\n.param out, 8\n.param data, 8\n.param count, 8\n"
    "S2R R0, SR_TID.X ;\n"
    "MOV R1, 0x4 ;\nIMAD.WIDE.U32 R20, R0, R1, places ;\n"
    "MOV R1, 0x10 ;\nIMAD.WIDE.U32 R22, R0, R1, out ;\n"
    "MOV R24, count ;\nMOV R1, 0x1 ;\n"
    "next:\n"
    "LDG.E R3, [R20.64] ;\n"
    "IMAD.WIDE.U32 R6, R3, R1, data ;\n"
    "LDG.E.128 R8, [R6.64] ;\nLDG.E.128 R12, [R6.64] ;\n"
    "LOP3.LUT R16, R8, R12, RZ, 0x3c, !PT ;\nLOP3.LUT R17, R9, R13, RZ, 0x3c, !PT ;\n"
    "LOP3.LUT R18, R10, R14, RZ, 0x3c, !PT ;\nLOP3.LUT R19, R11, R15, RZ, 0x3c, !PT ;\n"
    "IADD3 R16, R16, R17, R18 ;\nIADD3 R8, R8, R16, R19 ;\n" /* plus 0 */
    "STG.E.128 [R22.64], R8 ;\n"
    "IADD3 R28, R8, 0x1, R0 ;\nLOP3.LUT R29, R9, R20, RZ, 0x3c, !PT ;\n"
    "IADD3 R30, R10, R9, R0 ;\nLOP3.LUT R31, R11, R8, RZ, 0x3c, !PT ;\n"
    "STG.E.128 [R6.64], R12 ;\nSTG.E.128 [R6.64], R28 ;\n"
    "IADD3 R20, P0, R20, 0x80, RZ ;\nIADD3.X R21, R21, RZ, RZ, P0, !PT ;\n"
    "IADD3 R22, P0, R22, 0x200, RZ ;\nIADD3.X R23, R23, RZ, RZ, P0, !PT ;\n"
    "IADD3 R24, R24, -0x1, RZ ;\n"
    "ISETP.NE.AND P0, PT, R24, RZ, PT ;\n@P0 BRA next ;\nEXIT ;\n.end\n";

/* How far apart lanes of a run are: at one place, or side by side. */
static const uint32_t steps[WIDTHS] = {0, 16};

/* Where run r begins: apart and in no order, over each other, all but two in one place, or in a row
 * that ends with the allocation. */
static uint32_t head_of(uint32_t kind, uint32_t r) {
    switch (kind) {
    case 0: return (r * 5 + 3) % 8 * 112;
    case 1: return 16 + (r ^ 3) * 32;
    case 2: return r == 2 ? 0 : r == 5 ? 32 : 16;
    default: return BYTES - 64 * (8 - r);
    }
}

static void fill_places(uint32_t places[VISITS][LANES]) {
    for (uint32_t v = 0; v < VISITS; v++) {
        const uint32_t step = steps[v % WIDTHS], kind = v / WIDTHS % KINDS,
                       displaced = v * 7 % LANES;
        for (uint32_t lane = 0; lane < LANES; lane++)
            places[v][lane] = head_of(kind, lane / 4) + lane % 4 * step;
        if (v % 5 > 1) /* two of five are in runs, the others nearly */
            places[v][displaced] ^= 16u << (v % 3);
    }
}

static void model(uint8_t *data, uint64_t base, const uint32_t places[LANES],
                  uint32_t out[LANES][WORDS]) {
    for (uint32_t lane = 0; lane < LANES; lane++)
        memcpy(out[lane], data + places[lane], 16);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const uint32_t *x = out[lane];
        const uint32_t value[WORDS] = {x[0] + 1 + lane, x[1] ^ ((uint32_t)base + lane * 4),
                                       x[2] + x[1] + lane, x[3] ^ x[0]};
        memcpy(data + places[lane], value, 16);
    }
}

struct guest {
    fhec_machine *machine;
    fhec_program *program;
    uint64_t places, out, data;
    uint8_t bytes[BYTES]; /* what data should be */
};

static uint64_t allocate(fhec_machine *machine, const char *name, size_t bytes) {
    uint64_t address;
    assert_int_equal(fhec_alloc(machine, name, bytes, 0, &address), FHEC_OK);
    return address;
}

static void begin(struct guest *g, fhec_engine engine, fhec_simd simd) {
    g->program = emu_assemble(kernel);
    g->machine = emu_machine(engine, simd, 1);
    g->places = allocate(g->machine, "places", sizeof(uint32_t[VISITS][LANES]));
    g->out = allocate(g->machine, "out", sizeof(uint32_t[VISITS][LANES][WORDS]));
    g->data = allocate(g->machine, "data", BYTES);
    for (uint32_t i = 0; i < BYTES; i++)
        g->bytes[i] = (uint8_t)(i * 167 + (i >> 5) * 29);
    assert_int_equal(fhec_write(g->machine, g->data, g->bytes, BYTES), FHEC_OK);
}

static fhec_status run(struct guest *g, uint32_t places[VISITS][LANES], uint64_t visits) {
    const uint64_t params[] = {g->places, g->out, g->data, visits};
    assert_int_equal(fhec_write(g->machine, g->places, places, visits * sizeof places[0]), FHEC_OK);
    return emu_run(g->machine, g->program, 1, LANES, params, 4);
}

static void end(struct guest *g) {
    uint8_t got[BYTES];
    assert_int_equal(fhec_read(g->machine, g->data, got, BYTES), FHEC_OK);
    assert_memory_equal(got, g->bytes, BYTES);
    fhec_machine_free(g->machine);
    fhec_program_free(g->program);
}

static void check_visits(fhec_engine engine, fhec_simd simd) {
    static uint32_t places[VISITS][LANES], want[VISITS][LANES][WORDS], got[VISITS][LANES][WORDS];
    struct guest g;
    begin(&g, engine, simd);
    fill_places(places);
    assert_int_equal(run(&g, places, VISITS), FHEC_OK);
    assert_int_equal(fhec_read(g.machine, g.out, got, sizeof got), FHEC_OK);
    for (uint32_t v = 0; v < VISITS; v++) {
        model(g.bytes, g.places + v * sizeof places[0], places[v], want[v]);
        for (uint32_t lane = 0; lane < LANES; lane++)
            if (memcmp(got[v][lane], want[v][lane], 16) != 0)
                fail_msg("engine %d, SIMD level %d, visit %u (step %u, kind %u), lane %u: %08x "
                         "%08x ..., want %08x %08x ...",
                         engine, simd, v, steps[v % WIDTHS], v / WIDTHS % KINDS, lane,
                         got[v][lane][0], got[v][lane][1], want[v][lane][0], want[v][lane][1]);
    }
    end(&g);
}

/* Two visits in runs, then one in which the last run begins at `head`. */
static void check_fault(fhec_engine engine, fhec_simd simd, uint32_t step, uint32_t head,
                        fhec_fault_kind kind, uint32_t guilty) {
    static uint32_t places[VISITS][LANES];
    uint32_t ignored[LANES][WORDS];
    struct guest g;
    begin(&g, engine, simd);
    for (uint32_t v = 0; v < 3; v++)
        for (uint32_t lane = 0; lane < LANES; lane++)
            places[v][lane] = (v == 2 && lane >= 28 ? head : lane / 4 * 96) + lane % 4 * step;
    assert_int_equal(run(&g, places, 3), FHEC_GUEST_FAULT);
    for (uint32_t v = 0; v < 2; v++)
        model(g.bytes, g.places + v * sizeof places[0], places[v], ignored);
    const fhec_fault *fault = fhec_machine_fault(g.machine);
    assert_int_equal(fault->kind, kind);
    assert_int_equal(fault->lanes, guilty);
    end(&g);
}

static void check_faults(fhec_engine engine, fhec_simd simd) {
    check_fault(engine, simd, 16, BYTES - 32, FHEC_FAULT_OUT_OF_BOUNDS, 0xc0000000);
    check_fault(engine, simd, 16, BYTES - 48, FHEC_FAULT_OUT_OF_BOUNDS, 0x80000000);
    check_fault(engine, simd, 0, BYTES, FHEC_FAULT_OUT_OF_BOUNDS, 0xf0000000);
    check_fault(engine, simd, 16, 504, FHEC_FAULT_MISALIGNED, 0xf0000000);
    check_fault(engine, simd, 0, 504, FHEC_FAULT_MISALIGNED, 0xf0000000);
}

static void on_all(void (*check)(fhec_engine, fhec_simd)) {
    static const fhec_simd levels[] = {FHEC_SIMD_PORTABLE, FHEC_SIMD_AVX2, FHEC_SIMD_AVX512};
    check(FHEC_ENGINE_REF, FHEC_SIMD_BEST);
    for (size_t i = 0; i < COUNT_OF(levels); i++)
        if (emu_has_simd(levels[i]))
            check(FHEC_ENGINE_FAST, levels[i]);
}

static void test_visits(void **unused) {
    (void)unused;
    on_all(check_visits);
}

static void test_faults(void **unused) {
    (void)unused;
    on_all(check_faults);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_visits),
                                       cmocka_unit_test(test_faults)};
    return cmocka_run_group_tests_name("emu_quads", tests, NULL, NULL);
}
