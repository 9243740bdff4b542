/*
 * Fragment layouts: every one is a bijection with two inverse maps, and equals the formulas of the
 * instruction set's documents, written here a second time.
 */
#include "isa_util.h"

#include "fhec.h"

struct rule {
    const char *insn, *operand;
    uint32_t rows, columns, bits, registers;
    /* Element held by lane l in slot j of register i. */
    fhec_element (*element)(uint32_t l, uint32_t i, uint32_t j);
};

/* g = l / 4, t = l mod 4 throughout. */
static fhec_element fhec_a(uint32_t l, uint32_t i, uint32_t j) {
    (void)j;
    return (fhec_element){l / 4 + 8 * (i % 2), l % 4 + 4 * (i / 2)};
}
static fhec_element fhec_b(uint32_t l, uint32_t i, uint32_t j) {
    (void)j;
    return (fhec_element){l % 4 + 4 * i, l / 4};
}
static fhec_element accumulator(uint32_t l, uint32_t i, uint32_t j) {
    (void)j;
    return (fhec_element){l / 4 + 8 * (i / 2), 2 * (l % 4) + i % 2};
}
static fhec_element imma_8_a(uint32_t l, uint32_t i, uint32_t j) {
    (void)i;
    return (fhec_element){l / 4, 4 * (l % 4) + j};
}
static fhec_element imma_16_a(uint32_t l, uint32_t i, uint32_t j) {
    return (fhec_element){l / 4 + 8 * (i % 2), 4 * (l % 4) + j + 16 * (i / 2)};
}
static fhec_element imma_b(uint32_t l, uint32_t i, uint32_t j) {
    return (fhec_element){4 * (l % 4) + j + 16 * i, l / 4};
}
static fhec_element ldsm(uint32_t l, uint32_t i, uint32_t j) {
    return (fhec_element){8 * i + l / 4, 2 * (l % 4) + j};
}
/* Matrix i transposed: lane l gets elements (2t, g) and (2t + 1, g). */
static fhec_element ldsm_transposed(uint32_t l, uint32_t i, uint32_t j) {
    return (fhec_element){8 * i + 2 * (l % 4) + j, l / 4};
}

#define FHEC_RULES(name)                                                                           \
    {name, "A", 16, 16, 32, 8, fhec_a}, {name, "B", 16, 8, 32, 4, fhec_b},                         \
        {name, "C", 16, 8, 32, 4, accumulator}, {                                                  \
        name, "D", 16, 8, 32, 4, accumulator                                                       \
    }

static const struct rule rules[] = {
    FHEC_RULES("FHEC.16816.U32.U32"),
    FHEC_RULES("FHEC.16816.U32.U32.MIX"),
    {"IMMA.8816", "A", 8, 16, 8, 1, imma_8_a},
    {"IMMA.8816", "B", 16, 8, 8, 1, imma_b},
    {"IMMA.8816", "C", 8, 8, 32, 2, accumulator},
    {"IMMA.8816", "D", 8, 8, 32, 2, accumulator},
    {"IMMA.16816", "A", 16, 16, 8, 2, imma_16_a},
    {"IMMA.16816", "B", 16, 8, 8, 1, imma_b},
    {"IMMA.16816", "C", 16, 8, 32, 4, accumulator},
    {"IMMA.16816", "D", 16, 8, 32, 4, accumulator},
    {"IMMA.16832", "A", 16, 32, 8, 4, imma_16_a},
    {"IMMA.16832", "B", 32, 8, 8, 2, imma_b},
    {"IMMA.16832", "C", 16, 8, 32, 4, accumulator},
    {"IMMA.16832", "D", 16, 8, 32, 4, accumulator},
    {"LDSM.16.M88", "D", 8, 8, 16, 1, ldsm},
    {"LDSM.16.M88.2", "D", 16, 8, 16, 2, ldsm},
    {"LDSM.16.M88.4", "D", 32, 8, 16, 4, ldsm},
    {"LDSM.16.MT88", "D", 8, 8, 16, 1, ldsm_transposed},
    {"LDSM.16.MT88.2", "D", 16, 8, 16, 2, ldsm_transposed},
    {"LDSM.16.MT88.4", "D", 32, 8, 16, 4, ldsm_transposed},
};

static void fail_place(const fhec_layout *layout, const char *what, fhec_place p, fhec_element e) {
    fail_msg("%s %s: %s: lane %u register %u slot %u, element (%u, %u)", layout->insn,
             layout->operand, what, p.lane, p.reg, p.slot, e.row, e.column);
}

static void follows_rule(const struct rule *rule) {
    size_t index;
    fhec_layout layout;
    assert_int_equal(fhec_layout_find(rule->insn, rule->operand, &index), FHEC_OK);
    assert_true(fhec_layout_get(index, &layout));
    assert_string_equal(layout.insn, rule->insn);
    assert_string_equal(layout.operand, rule->operand);
    assert_int_equal(layout.rows, rule->rows);
    assert_int_equal(layout.columns, rule->columns);
    assert_int_equal(layout.bits, rule->bits);
    assert_int_equal(layout.registers, rule->registers);
    assert_int_equal(layout.slots, 32 / rule->bits);
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++) {
        for (uint32_t i = 0; i < rule->registers; i++) {
            for (uint32_t j = 0; j < 32 / rule->bits; j++) {
                fhec_place place = {l, i, j};
                fhec_element got, want = rule->element(l, i, j);
                assert_int_equal(fhec_layout_element(index, place, &got), FHEC_OK);
                if (got.row != want.row || got.column != want.column)
                    fail_place(&layout, "not as documented", place, got);
            }
        }
    }
}

static void layouts_follow_the_documents(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rules); i++)
        follows_rule(&rules[i]);
}

/* Lane 4n owns word w (in register w) of the modulus descriptor of column n; the others hold
 * copies, which have no place of their own. */
static void mixed_moduli_belong_to_every_fourth_lane(void **state) {
    (void)state;
    size_t index;
    assert_int_equal(fhec_layout_find("FHEC.16816.U32.U32.MIX", "M", &index), FHEC_OK);
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++) {
        for (uint32_t w = 0; w < 4; w++) {
            fhec_element e = {99, 99};
            fhec_status status = fhec_layout_element(index, (fhec_place){l, w, 0}, &e);
            assert_int_equal(status, l % 4 == 0 ? FHEC_OK : FHEC_BAD_INPUT);
            if (status == FHEC_OK)
                assert_true(e.row == w && e.column == l / 4);
        }
    }
}

/* Lane 8i + j gives the address of row j of matrix i; with one or two matrices the other lanes'
 * addresses are not looked at. */
static void ldsm_addresses(void **state) {
    (void)state;
    static const struct {
        const char *insn;
        uint32_t lanes;
    } cases[] = {{"LDSM.16.M88", 8},  {"LDSM.16.M88.2", 16},  {"LDSM.16.M88.4", 32},
                 {"LDSM.16.MT88", 8}, {"LDSM.16.MT88.2", 16}, {"LDSM.16.MT88.4", 32}};
    for (size_t c = 0; c < COUNT_OF(cases); c++) {
        size_t index;
        assert_int_equal(fhec_layout_find(cases[c].insn, "address", &index), FHEC_OK);
        for (uint32_t l = 0; l < FHEC_WARP_LANES; l++) {
            fhec_element e = {99, 99};
            fhec_status status = fhec_layout_element(index, (fhec_place){l, 0, 0}, &e);
            assert_int_equal(status, l < cases[c].lanes ? FHEC_OK : FHEC_BAD_INPUT);
            if (status == FHEC_OK)
                assert_true(e.row == l && e.column == 0);
        }
    }
}

/* Every element has a place, every place that holds one holds another one, and the two maps undo
 * each other; the registers of an element of 64 bits are one place. Returns how many places hold
 * elements. */
static uint32_t is_bijection(size_t index, const fhec_layout *layout) {
    uint32_t held = 0;
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++) {
        for (uint32_t i = 0; i < layout->registers; i += layout->bits == 64 ? 2 : 1) {
            for (uint32_t j = 0; j < layout->slots; j++) {
                fhec_place place = {l, i, j}, back;
                fhec_element e;
                if (fhec_layout_element(index, place, &e) != FHEC_OK)
                    continue;
                held++;
                if (e.row >= layout->rows || e.column >= layout->columns)
                    fail_place(layout, "outside the matrix", place, e);
                if (fhec_layout_place(index, e, &back) != FHEC_OK || back.lane != l ||
                    back.reg != i || back.slot != j)
                    fail_place(layout, "does not come back", place, e);
            }
        }
    }
    for (uint32_t r = 0; r < layout->rows; r++) {
        for (uint32_t c = 0; c < layout->columns; c++) {
            fhec_element e = {r, c}, back;
            fhec_place place = {0, 0, 0};
            if (fhec_layout_place(index, e, &place) != FHEC_OK ||
                fhec_layout_element(index, place, &back) != FHEC_OK || back.row != r ||
                back.column != c)
                fail_place(layout, "has no place", place, e);
        }
    }
    return held;
}

static void every_layout_is_a_bijection(void **state) {
    (void)state;
    size_t n = 0;
    fhec_layout layout;
    for (; fhec_layout_get(n, &layout); n++)
        assert_int_equal(is_bijection(n, &layout), layout.rows * layout.columns);
    assert_true(n >= COUNT_OF(rules) + 7);
    print_message("# %zu layouts\n", n);
}

static void ranges_and_names(void **state) {
    (void)state;
    size_t index, other;
    fhec_place place;
    fhec_element element;
    fhec_layout layout;
    assert_int_equal(fhec_layout_find("FHEC.16816.U32.U32", "A", &index), FHEC_OK);
    assert_int_equal(fhec_layout_place(index, (fhec_element){16, 0}, &place), FHEC_BAD_INPUT);
    assert_int_equal(fhec_layout_place(index, (fhec_element){0, 16}, &place), FHEC_BAD_INPUT);
    assert_int_equal(fhec_layout_element(index, (fhec_place){32, 0, 0}, &element), FHEC_BAD_INPUT);
    assert_int_equal(fhec_layout_element(index, (fhec_place){0, 8, 0}, &element), FHEC_BAD_INPUT);
    assert_int_equal(fhec_layout_element(index, (fhec_place){0, 0, 1}, &element), FHEC_BAD_INPUT);
    assert_int_equal(fhec_layout_place(100000, (fhec_element){0, 0}, &place), FHEC_BAD_INPUT);
    assert_int_equal(fhec_layout_element(100000, (fhec_place){0, 0, 0}, &element), FHEC_BAD_INPUT);
    assert_false(fhec_layout_get(100000, &layout));
    assert_int_equal(fhec_layout_find("FHEC.16816.U32.U32", "E", &index), FHEC_BAD_INPUT);
    assert_int_equal(fhec_layout_find("FHEC.168", "A", &index), FHEC_BAD_INPUT);
    assert_int_equal(fhec_layout_find("", "A", &index), FHEC_BAD_INPUT);
    /* A full mnemonic finds the layout that its beginning names. */
    assert_int_equal(fhec_layout_find("IMMA.16816", "B", &index), FHEC_OK);
    assert_int_equal(fhec_layout_find("IMMA.16816.S8.U8.SAT", "B", &other), FHEC_OK);
    assert_int_equal(index, other);
    assert_int_equal(fhec_layout_find("LDSM.16.M88", "D", &index), FHEC_OK);
    assert_int_equal(fhec_layout_find("LDSM.16.M88.4", "D", &other), FHEC_OK);
    assert_int_not_equal(index, other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts_follow_the_documents),
        cmocka_unit_test(mixed_moduli_belong_to_every_fourth_lane),
        cmocka_unit_test(ldsm_addresses),
        cmocka_unit_test(every_layout_is_a_bijection),
        cmocka_unit_test(ranges_and_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
