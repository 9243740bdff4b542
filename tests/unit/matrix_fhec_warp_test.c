/*
 * FHEC and FHEC.MIX of every engine and SIMD level in a warp: registers that overlap, the layout
 * probed through the instruction, cycles, faults.
 */
#include "fhec_tile.h"
#include "matrix_fragment.h"

/* Sources that overlap one another and a destination that overlaps them, in every way, also where
 * the alignment of registers does not let an instruction have it so. */
static void registers_overlap(void **state) {
    (void)state;
    struct random r = {8, 0};
    struct bench *bench = bench_new();
    struct fh_warp *w = &bench->flow.w;
    static struct fh_warp start;
    struct level level[LEVELS];
    size_t level_count = levels(level);
    for (uint64_t i = 0; i < 3000; i++) {
        bool mixed = i % 2;
        uint32_t step = below(&r, 2) ? 4 : 1, count = 24 / step;
        struct places p = {(uint16_t)(step * below(&r, count)), (uint16_t)(step * below(&r, count)),
                           (uint16_t)(step * below(&r, count)), (uint16_t)(step * below(&r, count)),
                           (uint16_t)(step * below(&r, count))};
        struct tile t, read;
        random_tile(&r, &t, mixed, i % 4 == 0 ? 2 : 0);
        put_sources(w, &t, &p);
        put_moduli(w, &t, &p, mixed);
        read_sources(w, &read, &p, mixed);
        compute_want(&read, mixed);
        start = *w;
        for (size_t j = 0; j < level_count; j++) {
            *w = start;
            if ((!level[j].ref && level[j].engine.matrix) || i % 8 < 2)
                run_and_compare(bench, &level[j], &read, &p, mixed, &r, i);
        }
    }
    free(bench);
}

/* RZ for any source is zeros, and as a destination it takes nothing. */
static void zero_registers(void **state) {
    (void)state;
    struct random r = {9, 0};
    struct bench *bench = bench_new();
    struct fh_warp *w = &bench->flow.w;
    struct level level[LEVELS];
    size_t count = levels(level);
    scramble(bench, &r);
    for (uint32_t i = 0; i < 16 * count; i++) {
        struct places p = apart;
        p.a = i & 1 ? FH_ZERO_ROW : p.a;
        p.b = i & 2 ? FH_ZERO_ROW : p.b;
        p.c = i & 4 ? FH_ZERO_ROW : p.c;
        p.d = i & 8 ? FH_SINK_ROW : p.d;
        struct tile t;
        random_tile(&r, &t, false, 0);
        put_moduli(w, &t, &p, false);
        read_sources(w, &t, &p, false);
        compute_want(&t, false);
        run_and_compare(bench, &level[i / 16], &t, &p, false, &r, i);
    }
    free(bench);
}

/* Probes A, B and C through the instruction: a single 1 in one lane of one register, where the
 * layout tables say which element that is. Elements of the other operands are all different, so
 * the place of the 1 can be read off the result. */
static void probe(struct bench *bench, const struct level *level, bool mixed, const char *operand) {
    const char *insn = mixed ? "FHEC.16816.U32.U32.MIX" : "FHEC.16816.U32.U32";
    size_t index, d_index;
    fhec_layout layout;
    assert_int_equal(fhec_layout_find(insn, operand, &index), FHEC_OK);
    assert_int_equal(fhec_layout_find(insn, "D", &d_index), FHEC_OK);
    assert_true(fhec_layout_get(index, &layout));
    struct fh_warp *w = &bench->flow.w;
    struct fh_op op = make_op(&apart, mixed);
    bench->image.ref = level->ref;
    for (uint32_t reg = 0; reg < layout.registers; reg++) {
        for (uint32_t lane = 0; lane < FH_LANES; lane++) {
            struct tile t = {0};
            fhec_element e;
            assert_int_equal(fhec_layout_element(index, (fhec_place){lane, reg, 0}, &e), FHEC_OK);
            for (uint32_t i = 0; i < 256; i++) {
                t.a[i / DEPTH][i % DEPTH] = *operand == 'B' ? 1000 + 7 * i : 0;
                t.b[i % 128 / COLUMNS][i % COLUMNS] = *operand == 'A' ? 5000 + 3 * (i % 128) : 0;
                t.c[i % 128 / COLUMNS][i % COLUMNS] = 100000 + 11 * (i % 128);
            }
            for (uint32_t n = 0; n < COLUMNS; n++)
                t.modulus[n] = (fh_golden_modulus){1073479681, fh_golden_barrett_mu(1073479681)};
            put_sources(w, &t, &apart);
            put_moduli(w, &t, &apart, mixed);
            uint16_t base = *operand == 'A' ? apart.a : *operand == 'B' ? apart.b : apart.c;
            w->r[base + reg][lane] += 1;
            assert_true(execute(level, w, &op, UINT32_MAX));
            for (uint32_t m = 0; m < ROWS; m++) {
                for (uint32_t n = 0; n < COLUMNS; n++) {
                    fhec_place place;
                    fhec_layout_place(d_index, (fhec_element){m, n}, &place);
                    uint32_t want = t.c[m][n];
                    if (*operand == 'A' && m == e.row)
                        want += t.b[e.column][n];
                    if (*operand == 'B' && n == e.column)
                        want += t.a[m][e.row];
                    if (*operand == 'C' && m == e.row && n == e.column)
                        want += 1;
                    uint32_t got = w->r[apart.d + place.reg][place.lane];
                    if (got != want)
                        fail_msg("%s %s: 1 in register %u lane %u, A/B/C element (%u,%u): "
                                 "D[%u][%u] = %u, want %u",
                                 level->name, operand, reg, lane, e.row, e.column, m, n, got, want);
                }
            }
        }
    }
}

static void layouts_through_the_instruction(void **state) {
    (void)state;
    static const char *const operands[] = {"A", "B", "C"};
    struct bench *bench = bench_new();
    struct level level[LEVELS];
    size_t count = levels(level);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < COUNT_OF(operands); j++)
            for (int mixed = 0; mixed < 2; mixed++)
                probe(bench, &level[i], mixed, operands[j]);
    free(bench);
}

/* 2*16 + 8 + 6 - 2 cycles from the first operand to the last result of the array, whatever the
 * operands are; only the reference engine has an array. */
static void cycles(void **state) {
    (void)state;
    struct random r = {10, 0};
    struct bench *bench = bench_new();
    struct tile t;
    struct level level[LEVELS];
    size_t count = levels(level);
    for (uint64_t i = 0; i < 50; i++) {
        bool mixed = i % 2;
        random_tile(&r, &t, mixed, 3);
        compute_want(&t, mixed);
        for (size_t j = 0; j < count; j++) {
            bench->launch.array_cycles = 1000;
            put_sources(&bench->flow.w, &t, &apart);
            put_moduli(&bench->flow.w, &t, &apart, mixed);
            run_and_compare(bench, &level[j], &t, &apart, mixed, &r, i);
            const bool runs = level[j].ref && level[j].engine.matrix && !zero_lanes(&t, mixed);
            assert_int_equal(bench->launch.array_cycles, runs ? 1044 : 1000);
        }
    }
    free(bench);
}

static void inactive_lanes(void **state) {
    (void)state;
    static const uint32_t masks[] = {1, 0x7fffffff, 0xfffffffe, 0x0000ffff, 0xffffefff};
    struct random r = {11, 0};
    struct bench *bench = bench_new();
    struct level level[LEVELS];
    size_t count = levels(level);
    scramble(bench, &r);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < COUNT_OF(masks); j++) {
            for (int mixed = 0; mixed < 2; mixed++) {
                struct fh_op op = make_op(&apart, mixed);
                require_fault(bench, &level[i], &op, masks[j], FHEC_FAULT_LANES, ~masks[j]);
            }
        }
    }
    free(bench);
}

/* Each column alone, with a mu that nothing can be said against; then the descriptors' other lanes,
 * which are not looked at. */
static void modulus_zero(void **state) {
    (void)state;
    struct random r = {14, 0};
    struct bench *bench = bench_new();
    struct level level[LEVELS];
    size_t count = levels(level);
    scramble(bench, &r);
    for (uint64_t i = 0; i < COLUMNS * count; i++) {
        struct tile t;
        random_tile(&r, &t, true, 0);
        const uint32_t n = i % COLUMNS;
        t.modulus[n].q = 0;
        assert_int_equal(zero_lanes(&t, true), 1U << 4 * n);
        put_moduli(&bench->flow.w, &t, &apart, true);
        run_and_compare(bench, &level[i / COLUMNS], &t, &apart, true, &r, i);
        t.modulus[0].q = 0;
        put_moduli(&bench->flow.w, &t, &apart, false);
        run_and_compare(bench, &level[i / COLUMNS], &t, &apart, false, &r, i);
        random_tile(&r, &t, true, 0);
        compute_want(&t, true);
        put_sources(&bench->flow.w, &t, &apart);
        put_moduli(&bench->flow.w, &t, &apart, true);
        for (uint32_t l = 0; l < FH_LANES; l++)
            bench->flow.w.r[apart.m][l] = l % 4 ? 0 : bench->flow.w.r[apart.m][l];
        run_and_compare(bench, &level[i / COLUMNS], &t, &apart, true, &r, i);
    }
    free(bench);
}

/* Elements of 64 bits, which instructions of one's own may have and fhec's do not: the fragments of
 * C read and written as if every element, at lane 4 (i mod 8) + j / 2 and register 2 (i / 8) + j
 * mod 2, had that register and the next one, the low word first. */
static void elements_of_two_registers(void **state) {
    (void)state;
    enum { FIRST = 40, C_ROWS = 16, C_COLUMNS = 8, SIZE = C_ROWS * C_COLUMNS };
    static struct fh_warp w;
    uint64_t matrix[SIZE];
    for (uint32_t reg = 0; reg < 5; reg++)
        for (uint32_t l = 0; l < FH_LANES; l++)
            w.r[FIRST + reg][l] = 0xc0de0000 + 0x100 * reg + l;
    fh_matrix_read_64("FHEC.16816.U32.U32", "C", &w, FIRST, matrix);
    for (uint32_t n = 0; n < SIZE; n++) {
        const uint32_t i = n / C_COLUMNS, j = n % C_COLUMNS, lane = 4 * (i % 8) + j / 2,
                       low = 0xc0de0000 + 0x100 * (2 * (i / 8) + j % 2) + lane;
        assert_int_equal(matrix[n], (uint64_t)(low + 0x100) << 32 | low);
    }
    for (uint32_t n = 0; n < SIZE; n++)
        matrix[n] = UINT64_C(0xf00d00000bad0000) + (UINT64_C(0x100000001) * n);
    fh_matrix_write_64("FHEC.16816.U32.U32", "C", matrix, &w, FIRST);
    /* In the order of the rows: all low words stay, and the last register's high word. */
    for (uint32_t n = 0; n < SIZE; n++) {
        const uint32_t i = n / C_COLUMNS, j = n % C_COLUMNS, lane = 4 * (i % 8) + j / 2;
        assert_int_equal(w.r[FIRST + 2 * (i / 8) + j % 2][lane], 0x0bad0000 + n);
        if (i >= 8 && j % 2)
            assert_int_equal(w.r[FIRST + 4][lane], 0xf00d0000 + n);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_overlap),
        cmocka_unit_test(zero_registers),
        cmocka_unit_test(layouts_through_the_instruction),
        cmocka_unit_test(cycles),
        cmocka_unit_test(inactive_lanes),
        cmocka_unit_test(modulus_zero),
        cmocka_unit_test(elements_of_two_registers),
    };
    return cmocka_run_group_tests_name("FHEC in a warp", tests, NULL, NULL);
}
