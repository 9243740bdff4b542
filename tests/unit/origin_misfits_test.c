/*
 * origin_misfits_test.c - the map that most elements of an operand follow, and what is said of the
 * others: of A of FHEC.16816, where lane 4 g + t has A[g + 8 (r & 1)][t + 4 (r / 2)] in its
 * register r. Elements come from shared memory, element 16 i + j, but for what a case changes.
 */
#include <string.h>

#include "emu_util.h"
#include "misfits.h"

enum { REG = 8, SIDE = 16, ALL = SIDE * SIDE };

static fh_origin shared(uint64_t byte) {
    return fh_origin_make(FH_ORIGIN_SHARED, byte);
}

static struct fh_fragment fragment_of(const char *insn, const char *operand) {
    struct fh_fragment f;
    size_t layout;
    assert_int_equal(fhec_layout_find(insn, operand, &layout), FHEC_OK);
    struct fh_fragment_shape *shape = fh_fragment_shape_new(layout);
    assert_non_null(shape);
    assert_true(fh_fragment_make(&f, shape));
    f.reg = REG;
    return f;
}

static void free_fragment(struct fh_fragment *f) {
    fh_fragment_shape_free((struct fh_fragment_shape *)f->shape);
    fh_fragment_free(f);
}

/* Element (i, j) is the one with this number. */
static void set(const struct fh_fragment *f, uint32_t i, uint32_t j, uint64_t number) {
    f->elements[i * SIDE + j] = (struct fh_element_origin){shared(4 * number), 0};
}

/* It is what belongs to element (k, l). */
static void hold(const struct fh_fragment *f, uint32_t i, uint32_t j, uint32_t k, uint32_t l) {
    set(f, i, j, SIDE * k + l);
}

static void make(const struct fh_fragment *f, uint32_t i, uint32_t j, fh_origin origin) {
    f->elements[i * SIDE + j] = (struct fh_element_origin){origin, 0};
}

static struct fh_fragment straight(void) {
    struct fh_fragment f = fragment_of("FHEC.16816.U32.U32", "A");
    for (uint32_t i = 0; i < SIDE; i++)
        for (uint32_t j = 0; j < SIDE; j++)
            hold(&f, i, j, i, j);
    return f;
}

/* ---------------------------------------------------------------- maps */

static void expect_map(const struct fh_fragment *f, const char *text, uint32_t fits,
                       uint32_t others) {
    struct fh_fragment_map map;
    char is[200];
    assert_true(fh_fragment_fit(f, &map));
    assert_int_equal(map.found, text != NULL);
    if (!text)
        return;
    assert_int_equal(map.fits, fits);
    assert_int_equal(map.others, others);
    assert_int_equal(fh_fragment_map_text(NULL, f, &map, is, sizeof is), strlen(text));
    assert_string_equal(is, text);
}

static void test_maps(void **unused) {
    (void)unused;
    static const struct {
        int64_t row, column, first; /* bytes */
        const char *text;
    } cases[] = {
        {64, 4, 0, "shared[16*i + j]"},
        {64, 4, 20, "shared[16*i + j + 5]"},
        {4, 64, 0, "shared[i + 16*j]"},
        {-64, -4, 1020, "shared[-16*i - j + 255]"},
        {-4, 68, 60, "shared[-i + 17*j + 15]"},
        {0, 4, 0, "shared[j]"},
        {64, 0, 4, "shared[16*i + 1]"},
        {0, 0, 0, "shared[0]"},
        {0, 0, 40, "shared[10]"},
        {64, 4, 1, "bytes of shared[64*i + 4*j + 1]"},
        {63, 4, 0, "bytes of shared[63*i + 4*j]"},
        {64, 3, 8, "bytes of shared[64*i + 3*j + 8]"},
    };
    struct fh_fragment f = straight();
    for (size_t c = 0; c < COUNT_OF(cases); c++) {
        for (uint32_t i = 0; i < SIDE; i++)
            for (uint32_t j = 0; j < SIDE; j++)
                make(&f, i, j,
                     shared((uint64_t)(cases[c].first + cases[c].row * i + cases[c].column * j)));
        expect_map(&f, cases[c].text, ALL, 0);
    }
    free_fragment(&f);
}

/* Elements of four bits: two of each byte. */
static void test_maps_of_bits(void **unused) {
    (void)unused;
    static const char *const texts[] = {"shared[32*i + j]", "bits of shared[128*i + 4*j + 1]"};
    struct fh_fragment f = fragment_of("IMMA.8832", "A");
    for (unsigned odd = 0; odd < 2; odd++) {
        for (uint32_t i = 0; i < 8; i++)
            for (uint32_t j = 0; j < 32; j++)
                f.elements[32 * i + j] = (struct fh_element_origin){shared(16 * i + j / 2),
                                                                    (uint8_t)(4 * (j % 2) + odd)};
        expect_map(&f, texts[odd], 256, 0);
    }
    free_fragment(&f);
}

/* At least half of all elements have to be in memory and to follow it; numbers are no others. */
static void test_half(void **unused) {
    (void)unused;
    const fh_origin number = fh_origin_make(FH_ORIGIN_NUMBER, 16),
                    computed = fh_origin_make(FH_ORIGIN_COMPUTED, 16);
    struct fh_fragment f = straight();
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t j = 0; j < SIDE; j++)
            make(&f, i, j, j < 10 ? number : computed);
    expect_map(&f, "shared[16*i + j]", 128, 8 * 6);
    make(&f, 15, 15, number);
    expect_map(&f, NULL, 0, 0);
    free_fragment(&f);
    f = straight();
    for (uint32_t k = 0; k < 128; k++) /* in order, but nowhere near one another */
        set(&f, k / SIDE, k % SIDE, 1000 + 1000 * (k * k % 127) + k * 3);
    expect_map(&f, "shared[16*i + j]", 128, 128);
    set(&f, 12, 3, 9);
    expect_map(&f, NULL, 0, 0);
    free_fragment(&f);
    /* Of two spaces that which has more, and the other's are others. */
    f = straight();
    for (uint32_t k = 0; k < 100; k++)
        make(&f, k / SIDE, k % SIDE, fh_origin_make(FH_ORIGIN_LOCAL, 4 * k));
    expect_map(&f, "shared[16*i + j]", 156, 100);
    for (uint32_t k = 0; k < 156; k++)
        make(&f, k / SIDE, k % SIDE,
             fh_origin_make(FH_ORIGIN_CONSTANT, (UINT64_C(3) << 32) + 4 * k));
    expect_map(&f, "constant[16*i + j]", 156, 100);
    /* Another bank is another space. */
    for (uint32_t k = 0; k < 20; k++)
        make(&f, k / SIDE, k % SIDE,
             fh_origin_make(FH_ORIGIN_CONSTANT, (UINT64_C(2) << 32) + 4 * k));
    expect_map(&f, "constant[16*i + j]", 136, 120);
    free_fragment(&f);
}

static void test_index_text(void **unused) {
    (void)unused;
    static const struct {
        struct fh_index_term terms[3];
        const char *text;
    } cases[] = {
        {{{1, "i"}, {1, "j"}, {1, NULL}}, "i + j + 1"},
        {{{-1, "i"}, {-2, "j"}, {-3, NULL}}, "-i - 2*j - 3"},
        {{{0, "i"}, {0, "j"}, {0, NULL}}, "0"},
        {{{0, "i"}, {-1, "j"}, {2, NULL}}, "-j + 2"},
        {{{0, "i"}, {0, "j"}, {-2, NULL}}, "-2"},
        {{{INT64_MIN, "i"}, {0, "j"}, {INT64_MAX, NULL}},
         "-9223372036854775808*i + 9223372036854775807"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char text[80], cut[5];
        const size_t length = strlen(cases[i].text);
        assert_int_equal(fh_index_text(cases[i].terms, 3, text, sizeof text), length);
        assert_string_equal(text, cases[i].text);
        assert_int_equal(fh_index_text(cases[i].terms, 3, cut, sizeof cut), length);
        assert_memory_equal(cut, text, length < 4 ? length : 4);
    }
}

/* ---------------------------------------------------------------- gathering */

/* From the registers of a warp: words, bytes and halves of bytes. */
static void test_gather(void **unused) {
    (void)unused;
    struct fh_warp_shadow *w = calloc(1, sizeof *w);
    assert_non_null(w);
    for (uint32_t l = 0; l < 32; l++)
        w->r[REG][l] = shared(100 * l);
    /* Lane 4 g + t has bytes 4 t to 4 t + 3 of row g. */
    struct fh_fragment f = fragment_of("IMMA.8816", "A");
    fh_fragment_gather(&f, w, REG);
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t j = 0; j < 16; j++) {
            const struct fh_element_origin *e = &f.elements[16 * i + j];
            assert_true(e->origin == shared(100 * (4 * i + j / 4) + j % 4) && e->bit == 0);
        }
    const fh_origin_bytes turned = {shared(3), shared(2), shared(1), shared(0)};
    assert_true(fh_shadow_set_bytes(w, REG, 5, turned));
    fh_fragment_gather(&f, w, REG);
    for (uint32_t j = 4; j < 8; j++)
        assert_true(f.elements[16 + j].origin == shared(7 - j));
    assert_true(f.elements[16 + 8].origin == shared(600));
    free_fragment(&f);
    f = fragment_of("IMMA.8832", "A");
    fh_fragment_gather(&f, w, REG);
    for (uint32_t j = 0; j < 8; j++)
        assert_true(f.elements[j].origin == shared(j / 2) && f.elements[j].bit == 4 * (j % 2));
    for (uint32_t j = 8; j < 16; j++)
        assert_true(f.elements[32 + j].origin == shared(7 - j / 2) &&
                    f.elements[32 + j].bit == 4 * (j % 2));
    free_fragment(&f);
    /* A word whose bytes do not follow one another is of several places. */
    f = fragment_of("FHEC.16816.U32.U32", "A");
    fh_fragment_gather(&f, w, REG);
    assert_int_equal(fh_origin_kind_of(f.elements[SIDE + 1].origin), FH_ORIGIN_MIXED);
    assert_true(f.elements[SIDE].origin == shared(400));
    assert_int_equal(f.reg, REG);
    free_fragment(&f);
    free(w->bytes);
    free(w);
}

/* ---------------------------------------------------------------- misfits */

static void swap_1_2(const struct fh_fragment *f) { /* registers 1 and 2 */
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t j = 0; j < 4; j++) {
            hold(f, i + 8, j, i, j + 4);
            hold(f, i, j + 4, i + 8, j);
        }
}
static void swap_5_6(const struct fh_fragment *f) {
    swap_1_2(f);
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t j = 8; j < 12; j++) {
            hold(f, i + 8, j, i, j + 4);
            hold(f, i, j + 4, i + 8, j);
        }
}
/* Of three quarters of the lanes, and of less. */
static void swap_24(const struct fh_fragment *f) {
    for (uint32_t i = 0; i < 6; i++)
        for (uint32_t j = 0; j < 4; j++) {
            hold(f, i + 8, j, i, j + 4);
            hold(f, i, j + 4, i + 8, j);
        }
}
static void swap_20(const struct fh_fragment *f) {
    for (uint32_t i = 0; i < 5; i++)
        for (uint32_t j = 0; j < 4; j++) {
            hold(f, i + 8, j, i, j + 4);
            hold(f, i, j + 4, i + 8, j);
        }
}
static void misplace_4(const struct fh_fragment *f) {
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t j = 8; j < 12; j++)
            hold(f, i, j, i + 8, j);
}
static void misplace_4_and_1(const struct fh_fragment *f) {
    misplace_4(f);
    for (uint32_t i = 8; i < 16; i++)
        for (uint32_t j = 0; j < 4; j++)
            hold(f, i, j, i, j + 12);
}
/* R9 has what is R10's, which has what is R12's, which has what is R9's. */
static void turn_1_2_4(const struct fh_fragment *f) {
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t j = 0; j < 4; j++) {
            hold(f, i + 8, j, i, j + 4);
            hold(f, i, j + 4, i, j + 8);
            hold(f, i, j + 8, i + 8, j);
        }
}
static void upper(const struct fh_fragment *f) {
    for (uint32_t i = 0; i < SIDE; i++)
        for (uint32_t j = 0; j < SIDE; j++)
            hold(f, i, j, i ^ 8, j);
}
static void left(const struct fh_fragment *f) {
    for (uint32_t i = 0; i < SIDE; i++)
        for (uint32_t j = 0; j < SIDE; j++)
            hold(f, i, j, i, j ^ 8);
}
static void down(const struct fh_fragment *f) { /* a map that falls, its halves swapped */
    for (uint32_t i = 0; i < SIDE; i++)
        for (uint32_t j = 0; j < SIDE; j++)
            set(f, i, j, 300 - 16 * (i ^ 8) - j);
}
static void down_left(const struct fh_fragment *f) {
    for (uint32_t i = 0; i < SIDE; i++)
        for (uint32_t j = 0; j < SIDE; j++)
            set(f, i, j, 300 - 16 * i - (j ^ 8));
}
static void one(const struct fh_fragment *f) {
    hold(f, 3, 5, 4, 5);
}
static void one_away(const struct fh_fragment *f) {
    set(f, 3, 5, 5000);
}
static void one_computed(const struct fh_fragment *f) {
    make(f, 3, 5, fh_origin_make(FH_ORIGIN_COMPUTED, 0x40));
}
static void one_mixed(const struct fh_fragment *f) {
    make(f, 15, 15, fh_origin_make(FH_ORIGIN_MIXED, 0));
}
static void one_unwritten(const struct fh_fragment *f) {
    make(f, 0, 0, 0);
}
static void one_number(const struct fh_fragment *f) {
    make(f, 3, 5, fh_origin_make(FH_ORIGIN_NUMBER, 0x40));
}
static void one_elsewhere(const struct fh_fragment *f) { /* the right offset of another memory */
    make(f, 3, 5, fh_origin_make(FH_ORIGIN_LOCAL, 4 * (16 * 3 + 5)));
}
static void lanes_8_to_11(const struct fh_fragment *f) {
    for (uint32_t i = 2; i < SIDE; i += 8)
        for (uint32_t j = 0; j < SIDE; j++)
            hold(f, i, j, i + 1, j);
}
static void lane_9(const struct fh_fragment *f) {
    for (uint32_t i = 2; i < SIDE; i += 8)
        for (uint32_t j = 1; j < SIDE; j += 4)
            hold(f, i, j, i, j - 1);
}
static void lane_0(const struct fh_fragment *f) {
    for (uint32_t i = 0; i < SIDE; i += 8)
        for (uint32_t j = 0; j < SIDE; j += 4)
            hold(f, i, j, i, j + 1);
}
static void lanes_4_and_12(const struct fh_fragment *f) {
    for (uint32_t i = 1; i < SIDE; i += 2)
        for (uint32_t j = 0; j < SIDE && i % 8 < 4; j += 4)
            hold(f, i, j, i, j + 1);
}
static void three(const struct fh_fragment *f) {
    hold(f, 0, 1, 5, 5);
    hold(f, 1, 6, 9, 9);
    hold(f, 7, 3, 2, 2);
}
static void two_of_one_lane(const struct fh_fragment *f) {
    hold(f, 0, 1, 5, 5);
    hold(f, 8, 5, 2, 9);
}
static void edge_below(const struct fh_fragment *f) {
    for (uint32_t j = 0; j < SIDE; j++)
        hold(f, 14, j, 13, j), hold(f, 15, j, 13, j);
}
static void edge_above(const struct fh_fragment *f) {
    for (uint32_t j = 0; j < SIDE; j++)
        hold(f, 0, j, 1, j);
}
static void edge_right(const struct fh_fragment *f) {
    for (uint32_t i = 0; i < SIDE; i++)
        hold(f, i, 14, i, 13), hold(f, i, 15, i, 13);
}
static void edge_left(const struct fh_fragment *f) {
    for (uint32_t i = 0; i < SIDE; i++)
        hold(f, i, 0, i, 1);
}
static void edge_with_number(const struct fh_fragment *f) {
    edge_below(f);
    make(f, 15, 3, fh_origin_make(FH_ORIGIN_NUMBER, 0));
}
static void edge_of_another(const struct fh_fragment *f) { /* but not of the last one before it */
    for (uint32_t j = 0; j < SIDE; j++)
        hold(f, 15, j, 13, j);
}
static void row_within(const struct fh_fragment *f) {
    for (uint32_t j = 0; j < SIDE; j++)
        hold(f, 7, j, 6, j);
}
static void row_in_part(const struct fh_fragment *f) {
    for (uint32_t j = 0; j < SIDE - 1; j++)
        hold(f, 15, j, 14, j);
}
static void own_rows(const struct fh_fragment *f) { /* from elsewhere */
    for (uint32_t j = 0; j < SIDE; j++)
        set(f, 3, j, 9000 + j), set(f, 9, j, 7000 + j);
}
static void own_columns(const struct fh_fragment *f) {
    for (uint32_t i = 0; i < SIDE; i++)
        set(f, i, 3, 9000 + i), set(f, i, 9, 7000 + i);
}
static void own_part(const struct fh_fragment *f) { /* 33 of 256: more than an eighth */
    for (uint32_t k = 0; k < 33; k++)
        set(f, k % 16, k / 16 * 5 + k % 3, 9000 + 37 * k);
}
static void own_eighth(const struct fh_fragment *f) {
    for (uint32_t k = 0; k < 32; k++)
        set(f, k % 16, k / 16 * 5 + k % 3, 9000 + 37 * k);
}
static void tiles(const struct fh_fragment *f) {
    for (uint32_t i = 0; i < SIDE; i++)
        for (uint32_t j = 8; j < SIDE; j++)
            set(f, i, j, 16 * i + j + 1000);
}
static void two_computed(const struct fh_fragment *f) {
    one_computed(f);
    make(f, 3, 6, fh_origin_make(FH_ORIGIN_COMPUTED, 0x40));
}
static void nothing(const struct fh_fragment *f) {
    (void)f;
}

#define MAP   " (A[i][j] = shared[16*i + j]"
#define OF(n) " for " #n " of 256 elements)"

static const struct misfit_case {
    void (*change)(const struct fh_fragment *);
    const char *message; /* NULL: nothing is said */
    unsigned kind;
    uint32_t row, column, count, lanes;
} cases[] = {
    {nothing, NULL, 0, 0, 0, 0, 0},
    {swap_1_2,
     "A[8][0] is expected in lane 0, R9; that holds shared[4], which belongs to A[0][4]: R9 and "
     "R10 look swapped" MAP OF(192),
     FH_FINDING_REGISTERS_SWAPPED, 8, 0, 64, UINT32_MAX},
    {swap_5_6,
     "A[8][0] is expected in lane 0, R9; that holds shared[4], which belongs to A[0][4]: R9 and "
     "R10, R13 and R14 look swapped" MAP OF(128),
     FH_FINDING_REGISTERS_SWAPPED, 8, 0, 128, UINT32_MAX},
    {swap_24,
     "A[8][0] is expected in lane 0, R9; that holds shared[4], which belongs to A[0][4]: R9 and "
     "R10 look swapped" MAP OF(208),
     FH_FINDING_REGISTERS_SWAPPED, 8, 0, 48, 0x00ffffff},
    {swap_20,
     "A[8][0] is expected in lane 0, R9; that holds shared[4], which belongs to A[0][4]: 40 "
     "elements are wrong, in lanes 0 to 19" MAP OF(216),
     FH_FINDING_ELEMENT_WRONG, 8, 0, 40, 0x000fffff},
    {misplace_4,
     "A[0][8] is expected in lane 0, R12; that holds shared[136], which belongs to A[8][8]: R12 "
     "holds what belongs in R13" MAP OF(224),
     FH_FINDING_REGISTERS_SWAPPED, 0, 8, 32, UINT32_MAX},
    {misplace_4_and_1,
     "A[8][0] is expected in lane 0, R9; that holds shared[140], which belongs to A[8][12]: R9 "
     "holds what belongs in R15, R12 holds what belongs in R13" MAP OF(192),
     FH_FINDING_REGISTERS_SWAPPED, 8, 0, 64, UINT32_MAX},
    {turn_1_2_4,
     "A[8][0] is expected in lane 0, R9; that holds shared[4], which belongs to A[0][4]: R9 holds "
     "what belongs in R10, R10 holds what belongs in R12, R12 holds what belongs in R9" MAP OF(160),
     FH_FINDING_REGISTERS_SWAPPED, 8, 0, 96, UINT32_MAX},
    {upper,
     "A[0][0] is expected in lane 0, R8; that holds shared[128], which belongs to A[8][0]: the "
     "upper and lower halves look swapped" MAP ")",
     FH_FINDING_HALVES_SWAPPED, 0, 0, 256, UINT32_MAX},
    {left,
     "A[0][0] is expected in lane 0, R8; that holds shared[8], which belongs to A[0][8]: the left "
     "and right halves look swapped" MAP ")",
     FH_FINDING_HALVES_SWAPPED, 0, 0, 256, UINT32_MAX},
    {down,
     "A[0][0] is expected in lane 0, R8; that holds shared[172], which belongs to A[8][0]: the "
     "upper and lower halves look swapped (A[i][j] = shared[-16*i - j + 300])",
     FH_FINDING_HALVES_SWAPPED, 0, 0, 256, UINT32_MAX},
    {down_left,
     "A[0][0] is expected in lane 0, R8; that holds shared[292], which belongs to A[0][8]: the "
     "left and right halves look swapped (A[i][j] = shared[-16*i - j + 300])",
     FH_FINDING_HALVES_SWAPPED, 0, 0, 256, UINT32_MAX},
    {one,
     "A[3][5] is expected in lane 13, R10; that holds shared[69], which belongs to A[4][5]: all "
     "others follow the map" MAP OF(255),
     FH_FINDING_ELEMENT_WRONG, 3, 5, 1, 1u << 13},
    {one_away,
     "A[3][5] is expected in lane 13, R10; that holds shared[5000]: all others follow the map" MAP
         OF(255),
     FH_FINDING_ELEMENT_WRONG, 3, 5, 1, 1u << 13},
    {one_computed,
     "A[3][5] is expected in lane 13, R10; that holds computed at 0x40: all others follow the "
     "map" MAP OF(255),
     FH_FINDING_ELEMENT_WRONG, 3, 5, 1, 1u << 13},
    {one_mixed,
     "A[15][15] is expected in lane 31, R15; that holds of several places: all others follow the "
     "map" MAP OF(255),
     FH_FINDING_ELEMENT_WRONG, 15, 15, 1, 1u << 31},
    {one_unwritten,
     "A[0][0] is expected in lane 0, R8; that holds nothing that was written: all others follow "
     "the map" MAP OF(255),
     FH_FINDING_ELEMENT_WRONG, 0, 0, 1, 1},
    {one_number, NULL, 0, 0, 0, 0, 0},
    {one_elsewhere,
     "A[3][5] is expected in lane 13, R10; that holds local[53]: all others follow the map" MAP OF(
         255),
     FH_FINDING_ELEMENT_WRONG, 3, 5, 1, 1u << 13},
    {lanes_8_to_11,
     "A[2][0] is expected in lane 8, R8; that holds shared[48], which belongs to A[3][0]: lanes 8 "
     "to 11 hold what belongs 4 lanes further" MAP OF(224),
     FH_FINDING_LANES_OFF, 2, 0, 32, 0xf00},
    {lane_9,
     "A[2][1] is expected in lane 9, R8; that holds shared[32], which belongs to A[2][0]: lane 9 "
     "holds what belongs -1 lane further" MAP OF(248),
     FH_FINDING_LANES_OFF, 2, 1, 8, 0x200},
    {lane_0,
     "A[0][0] is expected in lane 0, R8; that holds shared[1], which belongs to A[0][1]: lane 0 "
     "holds what belongs 1 lane further" MAP OF(248),
     FH_FINDING_LANES_OFF, 0, 0, 8, 1},
    {lanes_4_and_12,
     "A[1][0] is expected in lane 4, R8; that holds shared[17], which belongs to A[1][1]: 2 lanes "
     "from lane 4 on hold what belongs 1 lane further" MAP OF(240),
     FH_FINDING_LANES_OFF, 1, 0, 16, 0x1010},
    {three,
     "A[0][1] is expected in lane 1, R8; that holds shared[85], which belongs to A[5][5]: 3 "
     "elements are wrong, in 3 lanes from lane 1 on" MAP OF(253),
     FH_FINDING_ELEMENT_WRONG, 0, 1, 3, 1u << 1 | 1u << 6 | 1u << 31},
    {two_of_one_lane,
     "A[0][1] is expected in lane 1, R8; that holds shared[85], which belongs to A[5][5]: 2 "
     "elements are wrong, in lane 1" MAP OF(254),
     FH_FINDING_ELEMENT_WRONG, 0, 1, 2, 1u << 1},
    {edge_below, NULL, 0, 0, 0, 0, 0},
    {edge_above, NULL, 0, 0, 0, 0, 0},
    {edge_right, NULL, 0, 0, 0, 0, 0},
    {edge_left, NULL, 0, 0, 0, 0, 0},
    {edge_with_number, NULL, 0, 0, 0, 0, 0},
    {edge_of_another,
     "A[15][0] is expected in lane 28, R9; that holds shared[208], which belongs to A[13][0]: "
     "lanes 28 to 31 hold what belongs -8 lanes further" MAP OF(240),
     FH_FINDING_LANES_OFF, 15, 0, 16, 0xf0000000},
    {row_within,
     "A[7][0] is expected in lane 28, R8; that holds shared[96], which belongs to A[6][0]: lanes "
     "28 to 31 hold what belongs -4 lanes further" MAP OF(240),
     FH_FINDING_LANES_OFF, 7, 0, 16, 0xf0000000},
    {row_in_part,
     "A[15][0] is expected in lane 28, R9; that holds shared[224], which belongs to A[14][0]: "
     "lanes 28 to 31 hold what belongs -4 lanes further" MAP OF(241),
     FH_FINDING_LANES_OFF, 15, 0, 15, 0xf0000000},
    {own_rows, NULL, 0, 0, 0, 0, 0},
    {own_columns, NULL, 0, 0, 0, 0, 0},
    {own_part, NULL, 0, 0, 0, 0, 0},
    {own_eighth,
     "A[0][0] is expected in lane 0, R8; that holds shared[9000]: 32 elements are wrong, in 27 "
     "lanes from lane 0 on" MAP OF(224),
     FH_FINDING_ELEMENT_WRONG, 0, 0, 32, 0xf7ef7ef7},
    {tiles, NULL, 0, 0, 0, 0, 0},
    {two_computed, NULL, 0, 0, 0, 0, 0},
};

static void test_misfits(void **unused) {
    (void)unused;
    unsigned wrong = 0;
    for (size_t c = 0; c < COUNT_OF(cases); c++) {
        const struct misfit_case *x = &cases[c];
        struct fh_fragment f = straight();
        struct fh_fragment_map map;
        struct fh_misfits m;
        char message[FH_FINDING_MESSAGE] = "";
        x->change(&f);
        assert_true(fh_fragment_fit(&f, &map));
        fh_misfits_judge(NULL, &f, &map, "A", &m, message);
        if (m.report != (x->message != NULL) ||
            strcmp(message, x->message ? x->message : "") != 0 || m.kind != x->kind ||
            m.row != x->row || m.column != x->column || m.count != x->count ||
            m.lanes != x->lanes) {
            print_error("case %zu: %s\n  kind %u, [%u][%u], %u elements, lanes 0x%x\n", c, message,
                        m.kind, m.row, m.column, m.count, m.lanes);
            wrong++;
        }
        free_fragment(&f);
    }
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_maps),   cmocka_unit_test(test_maps_of_bits),
        cmocka_unit_test(test_half),   cmocka_unit_test(test_index_text),
        cmocka_unit_test(test_gather), cmocka_unit_test(test_misfits),
    };
    return cmocka_run_group_tests_name("origin_misfits", tests, NULL, NULL);
}
