/*
 * emu_inline_cache_test.c - one load and one store that go to another place each time they are
 * issued: to several allocations in turn, to one that lies across a multiple of 2^32, with lanes on
 * both sides of it, forward, backward, apart, or all at one place; and one machine that runs
 * kernels that take each other's place in memory. All engines and SIMD levels, with one host thread
 * and with two, against a model of the memory.
 */
#include <inttypes.h>

#include "emu_util.h"
#include "memory.h"

enum { LANES = 32, AREAS = 3, VISITS = 24, BYTES = 8192 };

/* Three areas of the guest: in one allocation before, one across, and one behind 2^32 k. */
struct area {
    uint64_t base; /* of its bytes, not of the allocation */
    uint8_t bytes[BYTES];
};

static const char kernel[] =
    ".target sm_80\n.kernel K\n.param places, 8\n.param out, 8\n"
    ".param count, 8\n"
    "S2R R0, SR_TID.X ;\n"
    "MOV R20, places ;\nMOV R21, places+4 ;\n"
    "MOV R1, 0x10 ;\nIMAD.WIDE.U32 R22, R0, R1, out ;\n"
    "MOV R24, count ;\n"
    "next:\n"
    "LDG.E.64 R4, [R20.64] ;\n"  /* the place */
    "LDG.E R3, [R20.64+0x8] ;\n" /* from lane to lane */
    "IMAD.WIDE R6, R0, R3, R4 ;\n"
    "LDG.E.128 R8, [R6.64+0x10] ;\n"
    "STG.E.128 [R22.64], R8 ;\n"
    "IADD3 R8, R8, 0x1, R0 ;\n"
    "LDG.E R12, [R6.64+-0x20] ;\n"
    "LOP3.LUT R9, R9, R12, RZ, 0x3c, !PT ;\n"
    "STG.E.128 [R6.64+0x10], R8 ;\n"
    "STG.E.64 [R6.64+-0x20], R10 ;\n"
    "IADD3 R20, P0, R20, 0x10, RZ ;\nIADD3.X R21, R21, RZ, RZ, P0, !PT ;\n"
    "IADD3 R22, P0, R22, 0x200, RZ ;\nIADD3.X R23, R23, RZ, RZ, P0, !PT ;\n"
    "IADD3 R24, R24, -0x1, RZ ;\n"
    "ISETP.NE.AND P0, PT, R24, RZ, PT ;\n@P0 BRA next ;\nEXIT ;\n.end\n";

struct visit {
    uint64_t place;
    int32_t step;
    uint32_t unused;
};

/* ---------------------------------------------------------------- the model */

static uint8_t *model(struct area *areas, uint64_t address) {
    for (unsigned i = 0; i < AREAS; i++)
        if (address - areas[i].base < BYTES)
            return areas[i].bytes + (address - areas[i].base);
    fail_msg("the model has nothing at %" PRIx64, address);
    return NULL;
}

static void model_visit(struct area *areas, const struct visit *v, uint32_t out[LANES][4]) {
    uint32_t other[LANES];
    for (int lane = 0; lane < LANES; lane++) {
        uint64_t at = v->place + (uint64_t)((int64_t)lane * v->step);
        memcpy(out[lane], model(areas, at + 16), 16);
        memcpy(&other[lane], model(areas, at - 32), 4);
    }
    for (int lane = 0; lane < LANES; lane++) {
        uint32_t value[4];
        memcpy(value, out[lane], 16);
        value[0] += (uint32_t)lane + 1;
        value[1] ^= other[lane];
        memcpy(model(areas, v->place + (uint64_t)((int64_t)lane * v->step) + 16), value, 16);
    }
    for (int lane = 0; lane < LANES; lane++)
        memcpy(model(areas, v->place + (uint64_t)((int64_t)lane * v->step) - 32), &out[lane][2], 8);
}

/* ---------------------------------------------------------------- guests */

static uint64_t allocate(fhec_machine *machine, const char *name, size_t bytes) {
    uint64_t address;
    assert_int_equal(fhec_alloc(machine, name, bytes, 0, &address), FHEC_OK);
    return address;
}

/* The areas' addresses: the second one's middle is a multiple of 2^32. */
static void place_areas(fhec_machine *machine, struct area *areas) {
    areas[0].base = allocate(machine, "before", BYTES);
    uint64_t limit = (areas[0].base | UINT32_MAX) + 1, last = areas[0].base;
    while (limit - last > 3 * (uint64_t)FH_GAP)
        last = allocate(machine, "between", 1);
    uint64_t across = allocate(machine, "across", 4 * (size_t)FH_GAP);
    areas[1].base = limit - BYTES / 2;
    assert_true(across <= areas[1].base);
    areas[2].base = allocate(machine, "behind", 2 * BYTES) + 256;
    for (unsigned i = 0; i < AREAS; i++) {
        for (unsigned k = 0; k < BYTES; k++)
            areas[i].bytes[k] = (uint8_t)(k * 167 + (k >> 7) * 13 + i * 91);
        assert_int_equal(fhec_write(machine, areas[i].base, areas[i].bytes, BYTES), FHEC_OK);
    }
}

static void fill_visits(const struct area *areas, struct visit *visits) {
    static const int32_t steps[] = {16, 48, -16, 0, 32, -64, 8 * 16};
    for (unsigned i = 0; i < VISITS; i++) {
        const struct area *area = &areas[i * 2 % 5 % AREAS];
        /* Of 32 lanes the middle one stands in the middle of the area. */
        int32_t step = steps[i % COUNT_OF(steps)];
        uint64_t middle = area->base + BYTES / 2 - 16 + 16 * (i % 3);
        visits[i] = (struct visit){.place = middle - (uint64_t)((int64_t)step * 16), .step = step};
    }
}

static void run_visits(fhec_engine engine, fhec_simd simd, unsigned threads) {
    static struct area areas[AREAS];
    static uint32_t want[VISITS][LANES][4], got[VISITS][LANES][4];
    static uint8_t bytes[BYTES];
    struct visit visits[VISITS];
    fhec_program *program = emu_assemble(kernel);
    fhec_machine *machine = emu_machine(engine, simd, threads);
    place_areas(machine, areas);
    fill_visits(areas, visits);
    uint64_t places = allocate(machine, "places", sizeof visits);
    uint64_t out = allocate(machine, "out", sizeof got);
    assert_int_equal(fhec_write(machine, places, visits, sizeof visits), FHEC_OK);
    emu_run_ok(machine, program, 1, LANES, (uint64_t[]){places, out, VISITS}, 3);
    assert_int_equal(fhec_read(machine, out, got, sizeof got), FHEC_OK);
    for (unsigned i = 0; i < VISITS; i++) {
        model_visit(areas, &visits[i], want[i]);
        for (unsigned lane = 0; lane < LANES; lane++)
            for (unsigned k = 0; k < 4; k++)
                if (got[i][lane][k] != want[i][lane][k])
                    fail_msg("engine %d, SIMD level %d, visit %u (place %" PRIx64
                             ", step %d), lane "
                             "%u, word %u: %08x, want %08x",
                             engine, simd, i, visits[i].place, visits[i].step, lane, k,
                             got[i][lane][k], want[i][lane][k]);
    }
    for (unsigned i = 0; i < AREAS; i++) {
        assert_int_equal(fhec_read(machine, areas[i].base, bytes, BYTES), FHEC_OK);
        assert_memory_equal(bytes, areas[i].bytes, BYTES);
    }
    fhec_machine_free(machine);
    fhec_program_free(program);
}

static void test_places(void **unused) {
    (void)unused;
    static const fhec_simd levels[] = {FHEC_SIMD_PORTABLE, FHEC_SIMD_AVX2, FHEC_SIMD_AVX512};
    run_visits(FHEC_ENGINE_REF, FHEC_SIMD_BEST, 1);
    for (size_t i = 0; i < COUNT_OF(levels); i++) {
        if (!emu_has_simd(levels[i]))
            continue;
        run_visits(FHEC_ENGINE_FAST, levels[i], 1);
        run_visits(FHEC_ENGINE_FAST, levels[i], 2);
    }
}

/* Kernels of the same size one after the other, each assembled where the last one may have been,
 * with other words, other constants, and then the first one again. */
static void test_kernels_in_turn(void **unused) {
    (void)unused;
    fhec_machine *machine = emu_machine(FHEC_ENGINE_FAST, FHEC_SIMD_BEST, 1);
    uint64_t out = allocate(machine, "out", 64);
    for (uint32_t i = 0; i < 40; i++) {
        char text[400];
        uint32_t value = i % 20, got, add = i * 7 + 3;
        snprintf(text, sizeof text,
                 ".target sm_80\n.kernel K%s\n.param out, 8\n.param add, 8\n"
                 "MOV R2, out ;\nMOV R3, out+4 ;\nMOV R4, 0x%x ;\nIADD3 R4, R4, add, RZ ;\n"
                 "STG.E [R2.64], R4 ;\nEXIT ;\n.end\n",
                 i % 3 ? "" : "other", value);
        fhec_program *program = emu_assemble(text);
        for (uint32_t again = 0; again < 2; again++) {
            emu_run_ok(machine, program, 1, 1, (uint64_t[]){out, add + again}, 2);
            assert_int_equal(fhec_read(machine, out, &got, sizeof got), FHEC_OK);
            assert_int_equal(got, value + add + again);
        }
        fhec_program_free(program);
    }
    fhec_machine_free(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_kernels_in_turn),
    };
    return cmocka_run_group_tests_name("emu_inline_cache", tests, NULL, NULL);
}
