/*
 * LDSM of both engines: every form on random shared memory, the layouts through the instruction,
 * which lanes' addresses count, faults on the lane that gives the address.
 */
#include "matrix_util.h"

enum { ROW_BYTES = 16, DATA = 40, ADDRESS = 8 };

static struct fh_op make_op(uint32_t mode, uint32_t count, uint16_t data, int64_t offset) {
    static struct fh_inst inst;
    struct fh_op op = op_of(FH_INSN_LDSM, &inst);
    op.row[FH_LDSM_Rd] = data;
    op.mod[FH_LDSM_m_mode] = mode;
    op.mod[FH_LDSM_m_count] = count;
    op.address = (struct fh_address){
        .offset = offset, .base = ADDRESS, .ureg = FH_ZERO_UREG, .bytes = ROW_BYTES, .data = data};
    return op;
}

static uint32_t half_at(const struct bench *bench, uint32_t address) {
    return bench->shared[address] | (uint32_t)bench->shared[address + 1] << 8;
}

/* Register i of lane l by the instruction sheet; `address` are the row addresses. */
static uint32_t want(const struct bench *bench, const uint32_t address[FH_LANES], bool transpose,
                     uint32_t i, uint32_t l) {
    uint32_t first = l / 4, second = 2 * (l % 4);
    if (!transpose)
        return half_at(bench, address[8 * i + first] + 2 * second) |
               half_at(bench, address[8 * i + first] + 2 * second + 2) << 16;
    return half_at(bench, address[8 * i + second] + 2 * first) |
           half_at(bench, address[8 * i + second + 1] + 2 * first) << 16;
}

/* Random rows, some of them the same; lanes that give no address hold rubbish. */
static void random_addresses(struct bench *bench, struct random *r, uint32_t rows, int64_t offset,
                             uint32_t address[FH_LANES]) {
    for (uint32_t l = 0; l < FH_LANES; l++) {
        address[l] = ROW_BYTES * below(r, sizeof bench->shared / ROW_BYTES);
        bench->flow.w.r[ADDRESS][l] =
            l < rows ? (uint32_t)(address[l] - (uint64_t)offset) : random32(r);
    }
}

static void random_loads(void **state) {
    (void)state;
    static const int64_t offsets[] = {0, 16, -16, 4096, -4096, 8388592, -8388608};
    struct random r = {31, 0};
    struct bench *bench = bench_new();
    struct level level[LEVELS];
    size_t levels_count = levels(level);
    for (uint64_t i = 0; i < 20000; i++) {
        uint32_t mode = below(&r, 2), count = below(&r, 3), rows = 8U << count;
        /* the address register may be among the loaded ones */
        uint16_t data = (uint16_t)(below(&r, 3) ? DATA : ADDRESS >> count << count);
        int64_t offset = offsets[below(&r, COUNT_OF(offsets))];
        struct fh_op op = make_op(mode, count, data, offset);
        uint32_t address[FH_LANES];
        struct fh_warp *w = &bench->flow.w;
        const struct level *at = &level[i % levels_count];
        scramble(bench, &r);
        for (size_t j = 0; j < sizeof bench->shared; j++)
            bench->shared[j] = (uint8_t)(j * 167 + (j >> 8) * 59 + i);
        random_addresses(bench, &r, rows, offset, address);
        static struct fh_warp expected;
        expected = *w;
        for (uint32_t j = 0; j < 1U << count; j++)
            for (uint32_t l = 0; l < FH_LANES; l++)
                expected.r[data + j][l] = want(bench, address, mode == FH_LDSM_mode_MT88, j, l);
        bench->image.ref = at->ref;
        assert_true(execute(at, w, &op, UINT32_MAX));
        if (memcmp(&expected, w, sizeof expected) != 0)
            fail_msg("%s: seed %llu, iteration %llu: LDSM mode %u count %u", at->name,
                     (unsigned long long)r.seed, (unsigned long long)i, mode, 1U << count);
    }
    free(bench);
}

/* Every element of every form is found where the layout tables say. */
static void layouts_through_the_instruction(void **state) {
    (void)state;
    static const char *const names[2][3] = {
        {"LDSM.16.M88", "LDSM.16.M88.2", "LDSM.16.M88.4"},
        {"LDSM.16.MT88", "LDSM.16.MT88.2", "LDSM.16.MT88.4"},
    };
    struct bench *bench = bench_new();
    struct level level[LEVELS];
    size_t levels_count = levels(level);
    struct fh_warp *w = &bench->flow.w;
    for (uint32_t i = 0; i < 256; i++) { /* element: row, column */
        bench->shared[2 * i] = (uint8_t)i;
        bench->shared[2 * i + 1] = (uint8_t)(0xa0 + i / 64);
    }
    for (uint32_t form = 0; form < 6 * levels_count; form++) {
        const struct level *at = &level[form / 6];
        uint32_t mode = form % 2, count = form % 6 / 2;
        struct fh_op op = make_op(mode, count, DATA, 0);
        size_t index;
        assert_int_equal(fhec_layout_find(names[mode][count], "D", &index), FHEC_OK);
        for (uint32_t l = 0; l < FH_LANES; l++)
            w->r[ADDRESS][l] = ROW_BYTES * l;
        bench->image.ref = at->ref;
        assert_true(execute(at, w, &op, UINT32_MAX));
        for (uint32_t i = 0; i < 64U << count; i++) {
            fhec_place place;
            assert_int_equal(fhec_layout_place(index, (fhec_element){i / 8, i % 8}, &place),
                             FHEC_OK);
            uint32_t got = w->r[DATA + place.reg][place.lane] >> (16 * place.slot) & 0xffff;
            if (got != half_at(bench, 2 * i))
                fail_msg("%s %s: element (%u,%u) is %x, want %x", at->name, names[mode][count],
                         i / 8, i % 8, got, half_at(bench, 2 * i));
        }
    }
    free(bench);
}

static void faults(void **state) {
    (void)state;
    struct random r = {32, 0};
    struct bench *bench = bench_new();
    struct level level[LEVELS];
    size_t levels_count = levels(level);
    struct fh_warp *w = &bench->flow.w;
    uint32_t address[FH_LANES], size = sizeof bench->shared;
    for (uint32_t i = 0; i < 60 * levels_count; i++) {
        const struct level *at = &level[i / 60];
        uint32_t count = i % 3, rows = 8U << count, lane = below(&r, rows);
        struct fh_op op = make_op(i & 1, count, DATA, 0);
        bench->image.ref = at->ref;
        scramble(bench, &r);
        random_addresses(bench, &r, rows, 0, address);
        w->r[ADDRESS][lane] = address[lane] + 1 + below(&r, 15);
        require_fault(bench, at, &op, UINT32_MAX, FHEC_FAULT_MISALIGNED, UINT32_C(1) << lane);
        assert_true(bench->launch.fault.has_address);
        assert_int_equal(bench->launch.fault.address, w->r[ADDRESS][lane]);
        w->r[ADDRESS][lane] = size + ROW_BYTES * below(&r, 100);
        require_fault(bench, at, &op, UINT32_MAX, FHEC_FAULT_OUT_OF_BOUNDS, UINT32_C(1) << lane);
        w->r[ADDRESS][lane] = UINT32_MAX - 15;
        require_fault(bench, at, &op, UINT32_MAX, FHEC_FAULT_OUT_OF_BOUNDS, UINT32_C(1) << lane);
        w->r[ADDRESS][lane] = size - ROW_BYTES;
        assert_true(execute(at, w, &op, UINT32_MAX));
        require_fault(bench, at, &op, 0x00ffffff, FHEC_FAULT_LANES, 0xff000000);
    }
    free(bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_loads),
        cmocka_unit_test(layouts_through_the_instruction),
        cmocka_unit_test(faults),
    };
    return cmocka_run_group_tests_name("LDSM", tests, NULL, NULL);
}
