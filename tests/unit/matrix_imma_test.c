/*
 * IMMA of every engine and SIMD level against golden: all shapes and types, .SAT, extreme values,
 * registers that overlap, layouts probed through the instruction, faults.
 */
#include "matrix_util.h"
#include "slow_build.h"

enum { MAX_ROWS = 16, COLUMNS = 8, MAX_DEPTH = 32 };

/* Operands of one instruction; bytes and words as golden takes them. */
struct product {
    fh_golden_imma spec;
    uint8_t a[MAX_ROWS * MAX_DEPTH], b[MAX_DEPTH * COLUMNS];
    int32_t c[MAX_ROWS * COLUMNS], want[MAX_ROWS * COLUMNS];
};

struct places {
    uint16_t d, a, b, c;
};

static const struct places apart = {.d = 40, .a = 4, .b = 16, .c = 24};

static const struct {
    const char *layout;
    uint32_t shape; /* modifier */
    uint32_t rows, depth;
} shapes[] = {
    {"IMMA.8816", FH_IMMA_shape_8816, 8, 16},
    {"IMMA.16816", FH_IMMA_shape_16816, 16, 16},
    {"IMMA.16832", FH_IMMA_shape_16832, 16, 32},
};

static uint32_t shape_of(const fh_golden_imma *spec) {
    return spec->shape.m == 8 ? 0 : spec->shape.k == 16 ? 1 : 2;
}

/* ---------------------------------------------------------------- fragments, by the sheet */

static uint8_t *byte_at(uint32_t *word, uint32_t j) {
    return (uint8_t *)word + j; /* the host is little-endian, as the guest is */
}

static uint8_t *at_byte_a(fh_row *a, uint32_t rows, uint32_t m, uint32_t k) {
    uint32_t reg = rows == 8 ? 0 : m / 8 + 2 * (k / 16);
    return byte_at(&a[reg][4 * (m % 8) + k % 16 / 4], k % 4);
}

static uint8_t *at_byte_b(fh_row *b, uint32_t k, uint32_t n) {
    return byte_at(&b[k / 16][4 * n + k % 16 / 4], k % 4);
}

static void put(struct fh_warp *w, const struct product *p, const struct places *at) {
    uint32_t rows = (uint32_t)p->spec.shape.m, depth = (uint32_t)p->spec.shape.k;
    for (uint32_t i = 0; i < rows * depth; i++)
        *at_byte_a(&w->r[at->a], rows, i / depth, i % depth) = p->a[i];
    for (uint32_t i = 0; i < depth * COLUMNS; i++)
        *at_byte_b(&w->r[at->b], i / COLUMNS, i % COLUMNS) = p->b[i];
    for (uint32_t i = 0; i < rows * COLUMNS; i++)
        *at_c(&w->r[at->c], i / COLUMNS, i % COLUMNS) = (uint32_t)p->c[i];
}

static void take(struct fh_warp *w, struct product *p, const struct places *at) {
    uint32_t rows = (uint32_t)p->spec.shape.m, depth = (uint32_t)p->spec.shape.k;
    for (uint32_t i = 0; i < rows * depth; i++)
        p->a[i] = *at_byte_a(&w->r[at->a], rows, i / depth, i % depth);
    for (uint32_t i = 0; i < depth * COLUMNS; i++)
        p->b[i] = *at_byte_b(&w->r[at->b], i / COLUMNS, i % COLUMNS);
    for (uint32_t i = 0; i < rows * COLUMNS; i++)
        p->c[i] = (int32_t)*at_c(&w->r[at->c], i / COLUMNS, i % COLUMNS);
}

/* ---------------------------------------------------------------- operands */

static uint8_t fill_byte(struct random *r, uint32_t kind) {
    switch (kind) {
    case 0: return 0xff;
    case 1: return 0x80;
    case 2: return 0x7f;
    case 3: return (uint8_t)(0x7f + below(r, 2));
    case 4: return below(r, 30) == 0 ? (uint8_t)random32(r) : 0;
    default: return (uint8_t)random32(r);
    }
}

/* near the limits, so that small products reach them, or anything */
static int32_t fill_word(struct random *r, uint32_t kind) {
    int32_t step = (int32_t)below(r, 4000000);
    switch (kind) {
    case 0: return INT32_MAX;
    case 1: return INT32_MIN;
    case 2: return INT32_MAX - step;
    case 3: return INT32_MIN + step;
    case 4: return step - 2000000;
    default: return (int32_t)random32(r);
    }
}

static void random_product(struct random *r, struct product *p) {
    uint32_t shape = below(r, COUNT_OF(shapes)), kinds[3] = {below(r, 8), below(r, 8), below(r, 7)};
    p->spec = (fh_golden_imma){
        .shape = {shapes[shape].rows, COLUMNS, shapes[shape].depth},
        .a_signed = below(r, 2),
        .b_signed = below(r, 2),
        .saturate = below(r, 2),
    };
    for (size_t i = 0; i < sizeof p->a; i++)
        p->a[i] = fill_byte(r, kinds[0]);
    for (size_t i = 0; i < sizeof p->b; i++)
        p->b[i] = fill_byte(r, kinds[1]);
    for (size_t i = 0; i < COUNT_OF(p->c); i++)
        p->c[i] = fill_word(r, kinds[2]);
}

/* ---------------------------------------------------------------- running */

static struct fh_op make_op(const fh_golden_imma *spec, const struct places *at) {
    static struct fh_inst inst;
    struct fh_op op = op_of(FH_INSN_IMMA, &inst);
    op.row[FH_IMMA_Rd] = at->d;
    op.row[FH_IMMA_A] = at->a;
    op.row[FH_IMMA_B] = at->b;
    op.row[FH_IMMA_C] = at->c;
    op.mod[FH_IMMA_m_shape] = shapes[shape_of(spec)].shape;
    op.mod[FH_IMMA_m_ta] = spec->a_signed ? FH_IMMA_ta_S8 : FH_IMMA_ta_U8;
    op.mod[FH_IMMA_m_tb] = spec->b_signed ? FH_IMMA_tb_S8 : FH_IMMA_tb_U8;
    op.mod[FH_IMMA_m_SAT] = spec->saturate;
    return op;
}

/* Executes and compares D with p->want, and every other register with what it was. */
static void run_and_compare(struct bench *bench, const struct level *level, const struct product *p,
                            const struct places *at, const struct random *r, uint64_t iteration) {
    struct fh_warp *w = &bench->flow.w;
    struct fh_op op = make_op(&p->spec, at);
    static struct fh_warp expected; /* too large for a stack frame */
    expected = *w;
    bench->image.ref = level->ref;
    assert_true(execute(level, w, &op, UINT32_MAX));
    for (uint32_t i = 0; i < p->spec.shape.m * COLUMNS; i++) {
        int32_t got = (int32_t)*at_c(&w->r[at->d], i / COLUMNS, i % COLUMNS);
        if (got != p->want[i])
            fail_msg("%s: seed %llu, iteration %llu: %s.%s.%s%s D[%u][%u] = %d, want %d; C %d",
                     level->name, (unsigned long long)r->seed, (unsigned long long)iteration,
                     shapes[shape_of(&p->spec)].layout, p->spec.a_signed ? "S8" : "U8",
                     p->spec.b_signed ? "S8" : "U8", p->spec.saturate ? ".SAT" : "", i / COLUMNS,
                     i % COLUMNS, got, p->want[i], p->c[i]);
        *at_c(&expected.r[at->d], i / COLUMNS, i % COLUMNS) = (uint32_t)got;
    }
    assert_memory_equal(&expected, w, sizeof expected);
}

/* ---------------------------------------------------------------- tests */

static void random_operands(void **state) {
    (void)state;
    struct random r = {21, 0};
    struct bench *bench = bench_new();
    struct level level[LEVELS];
    size_t count = levels(level);
    struct product p;
    scramble(bench, &r);
    for (uint64_t i = 0; i < (SLOW_BUILD ? 6000 : 30000); i++) {
        random_product(&r, &p);
        fh_golden_imma_value(&p.spec, p.a, p.b, p.c, p.want);
        put(&bench->flow.w, &p, &apart);
        for (size_t j = 0; j < count; j++)
            if (level[j].engine.matrix || (!level[j].ref && i % 10 == 0))
                run_and_compare(bench, &level[j], &p, &apart, &r, i);
    }
    free(bench);
}

/* All shapes, types and .SAT, with every operand at its extremes: nothing inside may overflow or
 * saturate before the end. */
static void extremes(void **state) {
    (void)state;
    static const uint8_t bytes[] = {0, 1, 127, 128, 255};
    static const int32_t words[] = {0, -1, INT32_MAX, INT32_MIN, 1 << 20, -(1 << 20)};
    struct random r = {0, 0};
    struct bench *bench = bench_new();
    struct level level[LEVELS];
    size_t count = levels(level);
    uint32_t all = COUNT_OF(shapes) * 8 * COUNT_OF(bytes) * COUNT_OF(bytes) * COUNT_OF(words);
    for (uint32_t i = 0; i < all; i++) {
        struct product p;
        uint32_t x = i, shape = x % COUNT_OF(shapes);
        x /= COUNT_OF(shapes);
        p.spec = (fh_golden_imma){
            {shapes[shape].rows, COLUMNS, shapes[shape].depth}, x & 1, x >> 1 & 1, x >> 2 & 1};
        x /= 8;
        memset(p.a, bytes[x % COUNT_OF(bytes)], sizeof p.a);
        x /= COUNT_OF(bytes);
        memset(p.b, bytes[x % COUNT_OF(bytes)], sizeof p.b);
        x /= COUNT_OF(bytes);
        for (size_t j = 0; j < COUNT_OF(p.c); j++)
            p.c[j] = words[x];
        fh_golden_imma_value(&p.spec, p.a, p.b, p.c, p.want);
        put(&bench->flow.w, &p, &apart);
        for (size_t j = 0; j < count; j++)
            if (level[j].engine.matrix)
                run_and_compare(bench, &level[j], &p, &apart, &r, i);
    }
    free(bench);
}

/* Sources and destination overlap in every way; alignment as the shapes ask. */
static void registers_overlap(void **state) {
    (void)state;
    struct random r = {22, 0};
    struct bench *bench = bench_new();
    struct fh_warp *w = &bench->flow.w;
    static struct fh_warp start;
    struct level level[LEVELS];
    size_t count = levels(level);
    scramble(bench, &r);
    for (uint64_t i = 0; i < (SLOW_BUILD ? 2000 : 10000); i++) {
        struct product p;
        random_product(&r, &p);
        uint32_t cd = p.spec.shape.m == 8 ? 2 : 4, a = cd / 2 * (uint32_t)(p.spec.shape.k / 16);
        uint32_t b = (uint32_t)(p.spec.shape.k / 16);
        struct places at = {(uint16_t)(cd * below(&r, 8 / cd)), (uint16_t)(a * below(&r, 8 / a)),
                            (uint16_t)(b * below(&r, 8 / b)), (uint16_t)(cd * below(&r, 8 / cd))};
        put(w, &p, &at);
        take(w, &p, &at);
        fh_golden_imma_value(&p.spec, p.a, p.b, p.c, p.want);
        start = *w;
        for (size_t j = 0; j < count; j++) {
            *w = start;
            run_and_compare(bench, &level[j], &p, &at, &r, i);
        }
    }
    free(bench);
}

/* A single 1 in one byte of one lane, where the layout tables say which element that is. */
static void probe(struct bench *bench, const struct level *level, uint32_t shape, char operand) {
    struct fh_warp *w = &bench->flow.w;
    const char name[2] = {operand, 0};
    size_t index, d_index;
    fhec_layout layout;
    assert_int_equal(fhec_layout_find(shapes[shape].layout, name, &index), FHEC_OK);
    assert_int_equal(fhec_layout_find(shapes[shape].layout, "D", &d_index), FHEC_OK);
    assert_true(fhec_layout_get(index, &layout));
    uint32_t depth = shapes[shape].depth, rows = shapes[shape].rows;
    for (uint32_t i = 0; i < layout.registers * FH_LANES * layout.slots; i++) {
        fhec_place place = {i / layout.slots % FH_LANES, i / layout.slots / FH_LANES,
                            i % layout.slots};
        struct product p = {.spec = {{rows, COLUMNS, depth}, false, false, false}};
        fhec_element e;
        assert_int_equal(fhec_layout_element(index, place, &e), FHEC_OK);
        for (uint32_t j = 0; j < rows * depth && operand == 'B'; j++)
            p.a[j] = (uint8_t)(j * 37 + j / 256 + 1); /* rows differ, and so do columns */
        for (uint32_t j = 0; j < depth * COLUMNS && operand == 'A'; j++)
            p.b[j] = (uint8_t)(j + 1);
        for (uint32_t j = 0; j < rows * COLUMNS; j++)
            p.c[j] = (int32_t)(100000 + 1000 * j);
        put(w, &p, &apart);
        uint16_t base = operand == 'A' ? apart.a : operand == 'B' ? apart.b : apart.c;
        w->r[base + place.reg][place.lane] += UINT32_C(1) << (place.slot * layout.bits);
        struct fh_op op = make_op(&p.spec, &apart);
        assert_true(execute(level, w, &op, UINT32_MAX));
        for (uint32_t m = 0; m < rows; m++) {
            for (uint32_t n = 0; n < COLUMNS; n++) {
                uint32_t want = (uint32_t)p.c[m * COLUMNS + n];
                want += operand == 'A' && m == e.row ? p.b[e.column * COLUMNS + n] : 0;
                want += operand == 'B' && n == e.column ? p.a[m * depth + e.row] : 0;
                want += operand == 'C' && m == e.row && n == e.column;
                fhec_layout_place(d_index, (fhec_element){m, n}, &place);
                uint32_t got = w->r[apart.d + place.reg][place.lane];
                if (got != want)
                    fail_msg("%s %s %c: 1 in place %u, element (%u,%u): D[%u][%u] = %u, want %u",
                             level->name, shapes[shape].layout, operand, i, e.row, e.column, m, n,
                             got, want);
            }
        }
    }
}

static void layouts_through_the_instruction(void **state) {
    (void)state;
    struct bench *bench = bench_new();
    struct level level[LEVELS];
    size_t count = levels(level);
    for (size_t i = 0; i < count; i++)
        for (uint32_t shape = 0; shape < COUNT_OF(shapes); shape++)
            for (const char *operand = "ABC"; *operand; operand++)
                probe(bench, &level[i], shape, *operand);
    free(bench);
}

static void inactive_lanes(void **state) {
    (void)state;
    struct random r = {23, 0};
    struct bench *bench = bench_new();
    struct level level[LEVELS];
    size_t count = levels(level);
    fh_golden_imma spec = {{16, COLUMNS, 16}, false, true, false};
    struct fh_op op = make_op(&spec, &apart);
    scramble(bench, &r);
    for (size_t i = 0; i < count; i++) {
        require_fault(bench, &level[i], &op, 0x7fffffff, FHEC_FAULT_LANES, 0x80000000);
        require_fault(bench, &level[i], &op, 4, FHEC_FAULT_LANES, 0xfffffffb);
    }
    free(bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_operands),   cmocka_unit_test(extremes),
        cmocka_unit_test(registers_overlap), cmocka_unit_test(layouts_through_the_instruction),
        cmocka_unit_test(inactive_lanes),
    };
    return cmocka_run_group_tests_name("IMMA", tests, NULL, NULL);
}
