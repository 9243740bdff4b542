/*
 * check_provenance_test.c - whose address each register holds behind one instruction, by the rules
 * of provenance.h; the same in local and shared memory; and allocations by address.
 *
 * Before: R2:R3 and UR4 hold an address of variable 7, R5 of 8, R8 of several, R9 a number of the
 * code's, R10 addresses of 7 but for lane 3, where it is none. c[0x0][0x160] is an address of 7,
 * c[0x0][0x170] of 9, c[0x3][0x10] of 12. R6 and R7 hold what `before` says.
 */
#include <string.h>

#include "address_memory.h"
#include "allocated.h"
#include "emu_util.h"
#include "fhec_session.h"
#include "provenance.h"

enum { X = FH_ORIGIN_MIXED };
#define ALL UINT32_MAX

static uint16_t words[] = {7, 7, 0, 0, 9, 9};
static struct fh_origin_constant constants[] = {{3, 16, 12}, {3, 20, 12}, {2, 16, 13}};
static const struct fh_origin_params params = {
    words, COUNT_OF(words), constants, COUNT_OF(constants), NULL, 0};

static void set(struct fh_origin_warp *w, uint32_t reg, uint16_t origin) {
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
        w->r[reg][l] = origin;
    if (origin)
        w->some.r[reg / 64] |= UINT64_C(1) << reg % 64;
}

static void begin(struct fh_origin_warp *w, uint16_t before) {
    memset(w, 0, sizeof *w);
    set(w, 2, 7);
    set(w, 3, 7);
    set(w, 5, 8);
    set(w, 8, X);
    set(w, 10, 7);
    w->r[10][3] = 0;
    set(w, 6, before);
    set(w, 7, before);
    w->ur[4] = 7;
    w->some.ur = 1u << 4;
    w->numbers.r[0] = 1u << 9;
}

static fhec_instruction instruction_of(const char *line) {
    char text[200];
    fhec_kernel_info info;
    fhec_instruction in;
    snprintf(text, sizeof text, ".target sm_80\n.kernel k\n%s ;\nEXIT ;\n.end\n", line);
    fhec_program *p = emu_assemble(text);
    assert_int_equal(fhec_kernel_get(p, 0, &info), FHEC_OK);
    assert_int_equal(fhec_instruction_get(info.words[0], 0, &in), FHEC_OK);
    fhec_program_free(p);
    return in;
}

static const struct step {
    const char *line;
    uint16_t is; /* R6, or UR6 */
    bool numbers;
    uint16_t immediate;
} steps[] = {
    {"MOV R6, R2", 7, false, 0},
    {"MOV R6, R4", 0, false, 0},
    {"MOV R6, RZ", 0, false, 0},
    {"MOV R6, 0x5", 0, true, 0},
    {"MOV R6, RZ", 20, false, 20},
    {"MOV R6, R9", 0, true, 0},
    {"MOV R6, UR4", 7, false, 0},
    {"MOV R6, UR5", 0, false, 0},
    {"MOV R6, c[0x0][0x160]", 7, false, 0},
    {"MOV R6, c[0x0][0x164]", 7, false, 0},
    {"MOV R6, c[0x0][0x15c]", 0, false, 0},
    {"MOV R6, c[0x0][0x168]", 0, false, 0},
    {"MOV R6, c[0x0][0x170]", 9, false, 0},
    {"MOV R6, c[0x0][0x174]", 9, false, 0},
    {"MOV R6, c[0x0][0x178]", 0, false, 0},
    {"MOV R6, c[0x3][0x10]", 12, true, 0},
    {"MOV R6, c[0x3][0x14]", 12, true, 0},
    {"MOV R6, c[0x3][0xc]", 0, true, 0},
    {"MOV R6, c[0x3][0x18]", 0, true, 0},
    {"MOV R6, c[0x2][0x10]", 13, true, 0},
    {"LDC R6, c[0x3][0x10]", 12, true, 0},
    {"LDC.64 R6, c[0x0][0x160]", 7, false, 0},
    {"LDC R6, c[0x3][R4+0x10]", 0, true, 0},
    {"LDC R6, c[0x0][R4+0x160]", 0, false, 0},
    {"IADD3 R6, R2, R4, RZ", 7, false, 0},
    {"IADD3 R6, R4, R2, RZ", 7, false, 0},
    {"IADD3 R6, R4, RZ, R2", 7, false, 0},
    {"IADD3 R6, R2, R5, RZ", X, false, 0},
    {"IADD3 R6, R2, R3, RZ", X, false, 0},
    {"IADD3 R6, R2, -R3, RZ", 0, false, 0},
    {"IADD3 R6, -R2, R3, RZ", 0, false, 0},
    {"IADD3 R6, R2, -R5, RZ", X, false, 0},
    {"IADD3 R6, R2, -R4, RZ", 7, false, 0},
    {"IADD3 R6, -R2, R4, RZ", X, false, 0},
    {"IADD3 R6, R2, -R3, R5", X, false, 0},
    {"IADD3 R6, R8, -R8, RZ", X, false, 0},
    {"IADD3 R6, R2, 0x10, RZ", 7, true, 0},
    {"IADD3 R6, R9, R2, RZ", 7, true, 0},
    {"IADD3 R6, R4, 0x10, RZ", 20, true, 20},
    {"IADD3 R6, R2, 0x10, RZ", X, true, 20},
    {"IADD3 R6, R2, c[0x0][0x168], RZ", 7, false, 0},
    {"IADD3 R6, R4, c[0x0][0x160], RZ", 7, false, 0},
    {"IADD3 R6, R2, -c[0x0][0x160], RZ", 0, false, 0},
    {"IADD3 R6, R2, -c[0x0][0x170], RZ", X, false, 0},
    {"IADD3 R6, R4, c[0x3][0x10], RZ", 12, true, 0},
    {"IADD3 R6, R4, UR4, RZ", 7, false, 0},
    {"IMAD R6, R2, 0x1, R4", 7, false, 0},
    {"IMAD R6, R2, 0x4, RZ", X, false, 0},
    {"IMAD R6, R4, 0x4, R2", 7, false, 0},
    {"IMAD R6, R4, R2, RZ", X, false, 0},
    {"IMAD R6, R4, R4, R4", 0, false, 0},
    {"IMAD.MOV.U32 R6, RZ, RZ, R2", 7, false, 0},
    {"IMAD.MOV.U32 R6, RZ, RZ, 0x7", 0, true, 0},
    {"IMAD.WIDE.U32 R6, R11, 0x4, R2", 7, false, 0},
    {"IMAD.WIDE.U32 R6, R11, 0x4, R4", 8, false, 0},
    {"LEA R6, R4, R2, 0x2", 7, false, 0},
    {"LEA R6, R2, R4, 0x2", X, false, 0},
    {"LEA R6, R4, 0x30, 0x2", 0, true, 0},
    {"LEA R6, R4, R11, 0x2", 0, false, 0},
    {"LOP3.LUT R6, R2, 0xfffffffc, RZ, 0xc0, !PT", 7, false, 0},
    {"LOP3.LUT R6, R4, 0x5, RZ, 0xfc, !PT", 0, true, 0},
    {"LOP3.LUT R6, R2, R4, RZ, 0x3c, !PT", 7, true, 0},
    {"SEL R6, R2, R3, P0", 7, false, 0},
    {"SEL R6, R2, R4, P0", 7, false, 0},
    {"SEL R6, R4, R2, P0", 7, false, 0},
    {"SEL R6, R2, R5, P0", X, false, 0},
    {"SEL R6, R4, R11, P0", 0, false, 0},
    {"SEL R6, R4, 0x5, P0", 0, true, 0},
    {"SHFL.IDX PT, R6, R2, R4, R11", 7, false, 0},
    {"SHFL.IDX PT, R6, R10, R4, R11", X, false, 0},
    {"SHFL.IDX PT, R6, R4, R2, R11", X, false, 0},
    {"SHFL.IDX PT, R6, R4, R11, R2", X, false, 0},
    {"SHF.L.U32 R6, R4, 0x2, RZ", 0, false, 0},
    {"SHF.L.U32 R6, R2, 0x2, RZ", X, false, 0},
    {"SHF.L.U32 R6, R4, R2, RZ", X, false, 0},
    {"FADD R6, R2, R4", X, false, 0},
    {"FADD R6, R11, R4", 0, false, 0},
    {"POPC R6, R2", X, false, 0},
    {"S2R R6, SR_TID.X", 0, false, 0},
};
static const struct step uniform_steps[] = {
    {"R2UR UR6, R2", 7, false, 0},
    {"R2UR UR6, R4", 0, false, 0},
    {"R2UR UR6, R10", X, false, 0},
    {"UMOV UR6, UR4", 7, false, 0},
    {"UMOV UR6, 0x4", 0, true, 0},
    {"ULDC UR6, c[0x0][0x160]", 7, false, 0},
    {"ULDC.64 UR6, c[0x0][0x170]", 9, false, 0},
    {"UIADD3 UR6, UR4, UR5, URZ", 7, false, 0},
    {"UIADD3 UR6, UR4, UR4, URZ", X, false, 0},
    {"UIADD3 UR6, UR4, -UR4, URZ", 0, false, 0},
    {"UIADD3 UR6, UR5, -UR4, URZ", X, false, 0},
    {"UIMAD UR6, UR5, 0x4, UR4", 7, false, 0},
    {"UIMAD UR6, UR4, 0x4, UR5", X, false, 0},
    {"ULEA UR6, UR5, UR4, 0x2", 7, false, 0},
    {"ULEA UR6, UR4, UR5, 0x2", X, false, 0},
    {"ULOP3.LUT UR6, UR4, 0xfffffff0, URZ, 0xc0, !UPT", 7, false, 0},
    {"USEL UR6, UR4, UR5, UP0", 7, false, 0},
    {"USHF.L.U32 UR6, UR4, 0x2, URZ", X, false, 0},
};

static void run(struct fh_origin_warp *w, const char *line, uint16_t immediate, uint32_t active,
                const struct fh_origin_extra *extra) {
    const fhec_instruction in = instruction_of(line);
    struct fh_origin_plan plan = {0};
    const struct fh_origin_extra named = {.immediate = immediate};
    fh_origin_plan_make(&plan, &in);
    fh_origin_retire(w, &plan, &in, &params, extra ? extra : &named, active);
}

static bool numbers_of(const struct fh_origin_warp *w, uint16_t reg) {
    const fhec_operand o = {.reg = reg, .count = 1};
    return fh_origin_numbers(w, &o);
}

static void test_steps(void **unused) {
    (void)unused;
    struct fh_origin_warp *w = malloc(sizeof *w);
    unsigned wrong = 0;
    assert_non_null(w);
    for (size_t i = 0; i < COUNT_OF(steps); i++)
        for (unsigned before = 0; before < 2; before++) {
            const struct step *s = &steps[i];
            begin(w, before ? 8 : 0);
            run(w, s->line, s->immediate, UINT32_MAX, NULL);
            bool right = numbers_of(w, 6) == s->numbers && (fh_origin_some(w, 6) || !s->is);
            for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
                right &= w->r[6][l] == s->is;
            /* Nothing else has changed. */
            right &= w->r[2][0] == 7 && w->r[5][31] == 8 && w->r[10][3] == 0 && w->ur[4] == 7;
            if (right)
                continue;
            print_error("%s: %u, %s numbers\n", s->line, w->r[6][0],
                        numbers_of(w, 6) ? "with" : "no");
            wrong++;
        }
    free(w);
    assert_int_equal(wrong, 0);
}

static void test_uniform(void **unused) {
    (void)unused;
    struct fh_origin_warp *w = malloc(sizeof *w);
    unsigned wrong = 0;
    assert_non_null(w);
    for (size_t i = 0; i < COUNT_OF(uniform_steps); i++)
        for (unsigned before = 0; before < 2; before++) {
            const struct step *s = &uniform_steps[i];
            begin(w, 0);
            w->ur[6] = before ? 8 : 0;
            w->some.ur |= (uint64_t)before << 6;
            w->numbers.ur = (uint64_t)before << 6;
            run(w, s->line, 0, UINT32_MAX, NULL);
            if (w->ur[6] == s->is && (w->some.ur >> 6 & 1) == (s->is != 0) &&
                (w->numbers.ur >> 6 & 1) == s->numbers)
                continue;
            print_error("%s: %u, some %d, numbers %d\n", s->line, w->ur[6],
                        (int)(w->some.ur >> 6 & 1), (int)(w->numbers.ur >> 6 & 1));
            wrong++;
        }
    free(w);
    assert_int_equal(wrong, 0);
}

/* Both words of a result; one that needs no register; lanes that do not execute. */
static void test_rows(void **unused) {
    (void)unused;
    struct fh_origin_warp *w = malloc(sizeof *w);
    assert_non_null(w);
    begin(w, 0);
    run(w, "IMAD.WIDE.U32 R6, R11, 0x4, R2", 0, UINT32_MAX, NULL);
    assert_true(w->r[6][0] == 7 && w->r[7][31] == 7 && fh_origin_some(w, 6) &&
                fh_origin_some(w, 7) && !fh_origin_some(w, 8 + 64) && !fh_origin_some(w, 11));
    begin(w, 8);
    run(w, "MOV R6, R2", 0, 0xf, NULL);
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
        assert_int_equal(w->r[6][l], l < 4 ? 7 : 8);
    run(w, "MOV R6, R4", 0, 0x3, NULL);
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
        assert_int_equal(w->r[6][l], l < 2 ? 0 : l < 4 ? 7 : 8);
    assert_true(fh_origin_some(w, 6));
    run(w, "MOV R6, R4", 0, UINT32_MAX, NULL);
    assert_false(fh_origin_some(w, 6));
    assert_int_equal(w->r[6][9], 0);
    /* A number stays where some lanes keep theirs. */
    begin(w, 0);
    run(w, "MOV R6, 0x5", 0, 0xf, NULL);
    assert_true(numbers_of(w, 6));
    run(w, "MOV R6, R4", 0, 0xf, NULL);
    assert_true(numbers_of(w, 6));
    run(w, "MOV R6, R4", 0, UINT32_MAX, NULL);
    assert_false(numbers_of(w, 6));
    const fhec_operand pair = {.reg = 8, .count = 2}, none = {.reg = FHEC_NO_REGISTER, .count = 1},
                       high = {.reg = 200, .count = 1};
    assert_true(fh_origin_numbers(w, &pair)); /* R9 */
    assert_false(fh_origin_numbers(w, &none));
    assert_false(fh_origin_numbers(w, &high));
    run(w, "MOV R200, 0x5", 0, UINT32_MAX, NULL);
    assert_true(fh_origin_numbers(w, &high));
    run(w, "ISETP.EQ.U32.AND P0, PT, R2, R4, PT", 0, UINT32_MAX, NULL);
    assert_int_equal(w->r[2][0], 7);
    /* A shuffle of lanes that agree, though others do not. */
    run(w, "SHFL.IDX PT, R6, R10, R4, R11", 0, 0xfffffff7, NULL);
    assert_true(w->r[6][0] == 7 && w->r[6][31] == 7 && w->r[6][3] == 0);
    begin(w, 0);
    run(w, "R2UR UR6, R10", 0, 0x8, NULL);
    assert_int_equal(w->ur[6], 0);
    run(w, "R2UR UR6, R10", 0, 0x10, NULL);
    assert_int_equal(w->ur[6], 7);
    free(w);
}

static void test_loads(void **unused) {
    (void)unused;
    struct fh_origin_warp *w = malloc(sizeof *w);
    struct fh_origin_extra extra = {.loaded = true};
    assert_non_null(w);
    for (uint32_t k = 0; k < 4; k++)
        for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
            extra.values[k][l] = (uint16_t)(100 * k + l);
    begin(w, 8);
    run(w, "LDG.E.128 R12, [R2.64]", 0, 0xffff, &extra);
    for (uint32_t k = 0; k < 4; k++)
        for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
            assert_int_equal(w->r[12 + k][l], l < 16 ? 100 * k + l : 0);
    begin(w, 8);
    run(w, "LDG.E.64 R6, [R2.64]", 0, UINT32_MAX, &extra);
    assert_true(w->r[6][5] == 5 && w->r[7][5] == 105 && w->r[8][5] == X);
    extra.loaded = false;
    run(w, "LDG.E.64 R6, [R2.64]", 0, UINT32_MAX, &extra);
    assert_true(w->r[6][5] == 0 && w->r[7][5] == 0 && !fh_origin_some(w, 6));
    begin(w, 8);
    run(w, "ATOMG.E.ADD PT, R6, [R2.64], R2", 0, UINT32_MAX, &extra);
    assert_true(w->r[6][5] == 0 && !numbers_of(w, 6));
    free(w);
}

static void test_address(void **unused) {
    (void)unused;
    static const struct {
        const char *line;
        uint16_t immediate, is;
    } cases[] = {
        {"LDG.E R6, [R2.64]", 0, 7},      {"LDG.E R6, [R2.64+0x10]", 0, 7},
        {"LDG.E R6, [R4.64]", 0, 8},      {"LDG.E R6, [R12.64]", 0, 0},
        {"LDG.E R6, [R12.64]", 20, 20},   {"LDG.E R6, [R2.64]", 20, X},
        {"LDG.E R6, [R4.U32+UR4]", 0, 7}, {"LDG.E R6, [R2.U32+UR4]", 0, X},
        {"LDG.E R6, [R4.U32+UR6]", 0, 0}, {"LDS R6, [R5]", 0, 8},
        {"LDS R6, [RZ]", 20, 20},         {"LDS R6, [R8+0x4]", 0, X},
    };
    struct fh_origin_warp *w = malloc(sizeof *w);
    assert_non_null(w);
    begin(w, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const fhec_instruction in = instruction_of(cases[i].line);
        struct fh_origin_plan plan = {0};
        fh_origin_plan_make(&plan, &in);
        assert_int_equal(plan.address_count, 1);
        const fhec_operand *o = &in.operands[plan.addresses[0]];
        for (uint32_t l = 0; l < FHEC_WARP_LANES; l += 31)
            if (fh_origin_address(w, o, cases[i].immediate, l) != cases[i].is)
                fail_msg("%s: %u", cases[i].line, fh_origin_address(w, o, cases[i].immediate, l));
    }
    const fhec_instruction copy = instruction_of("LDGSTS.E [R5], [R2.64]");
    struct fh_origin_plan plan = {0};
    fh_origin_plan_make(&plan, &copy);
    assert_int_equal(plan.address_count, 2);
    assert_int_equal(fh_origin_address(w, &copy.operands[plan.addresses[0]], 0, 0), 8);
    assert_int_equal(fh_origin_address(w, &copy.operands[plan.addresses[1]], 0, 0), 7);
    free(w);
}

/* ---------------------------------------------------------------- memory */

struct memory {
    struct fh_origin_warp *w;
    struct fh_number_map shared;
    uint64_t address[FHEC_WARP_LANES];
    fhec_launch launch;
};

static fhec_event access_of(struct memory *m, fhec_space space, uint32_t lanes, uint32_t bytes) {
    return (fhec_event){.kind = FHEC_EVENT_ACCESS,
                        .lanes = lanes,
                        .launch = &m->launch,
                        .access = {.space = space, .bytes = bytes, .address = m->address}};
}

static void store(struct memory *m, fhec_space space, uint32_t lanes, uint32_t bytes, int reg) {
    const fhec_operand data = {.kind = FHEC_OPERAND_REGISTER,
                               .reg = (uint16_t)(reg < 0 ? FHEC_NO_REGISTER : reg),
                               .count = 1};
    const fhec_event event = access_of(m, space, lanes, bytes);
    assert_true(fh_origin_store(m->w, &m->shared, &event, reg == -2 ? NULL : &data));
}

/* What lane `lane` gets in each of four words, of which `left` was there. */
static void expect_load(struct memory *m, fhec_space space, uint32_t lanes, uint32_t bytes,
                        uint32_t lane, const uint16_t wanted[4]) {
    uint16_t values[4][FHEC_WARP_LANES];
    const fhec_event event = access_of(m, space, lanes, bytes);
    for (uint32_t k = 0; k < 4; k++)
        for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
            values[k][l] = 99;
    fh_origin_load(m->w, &m->shared, &event, values);
    for (uint32_t k = 0; k < 4; k++)
        assert_int_equal(values[k][lane], wanted[k]);
}

#define WORDS(...) ((const uint16_t[4]){__VA_ARGS__})

static struct memory begin_memory(void) {
    struct memory m = {.w = malloc(sizeof *m.w), .launch = {.grid = {4, 3, 2}}};
    assert_non_null(m.w);
    begin(m.w, 0);
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
        m.address[l] = 16 * (uint64_t)l;
    return m;
}

static void end_memory(struct memory *m) {
    fh_number_map_clear(&m->w->local, free);
    fh_number_map_clear(&m->shared, free);
    free(m->w);
}

/* What has not been stored there is anybody's. */
static void test_local(void **unused) {
    (void)unused;
    struct memory m = begin_memory();
    const fhec_space local = FHEC_SPACE_LOCAL;
    expect_load(&m, local, ALL, 4, 0, WORDS(X, 99, 99, 99));
    store(&m, local, 0xff, 16, 2); /* R2 to R5: 7 7 0 8 */
    expect_load(&m, local, ALL, 4, 0, WORDS(7, 99, 99, 99));
    expect_load(&m, local, ALL, 8, 7, WORDS(7, 7, 99, 99));
    expect_load(&m, local, ALL, 16, 7, WORDS(7, 7, 0, 8));
    expect_load(&m, local, ALL, 16, 8, WORDS(X, X, X, X));
    expect_load(&m, local, 0xfe, 16, 0, WORDS(99, 99, 99, 99));
    expect_load(&m, local, ALL, 2, 7, WORDS(X, 99, 99, 99)); /* half of an address */
    store(&m, local, 0x2, 4, -1);                            /* RZ */
    expect_load(&m, local, ALL, 16, 1, WORDS(0, 7, 0, 8));
    expect_load(&m, local, ALL, 1, 1, WORDS(0, 99, 99, 99));
    store(&m, local, 0x2, 1, 4); /* a byte of none on none: none */
    expect_load(&m, local, ALL, 4, 1, WORDS(0, 99, 99, 99));
    store(&m, local, 0x2, 1, 2); /* a byte of an address */
    expect_load(&m, local, ALL, 4, 1, WORDS(X, 99, 99, 99));
    store(&m, local, 0x4, 2, 4); /* half of a word over an address */
    expect_load(&m, local, ALL, 4, 2, WORDS(X, 99, 99, 99));
    store(&m, local, 0x100, 1, 4); /* of a word that nobody knows */
    expect_load(&m, local, ALL, 4, 8, WORDS(X, 99, 99, 99));
    store(&m, local, 0x8, 4, -2); /* nobody knows what */
    expect_load(&m, local, ALL, 8, 3, WORDS(X, 7, 99, 99));
    m.address[0] = 4;
    expect_load(&m, local, ALL, 8, 0, WORDS(7, 0, 99, 99));
    end_memory(&m);
}

/* Words that never held an address are not kept; each block has its own. */
static void test_shared(void **unused) {
    (void)unused;
    struct memory m = begin_memory();
    const fhec_space shared = FHEC_SPACE_SHARED;
    store(&m, shared, ALL, 4, 4);
    store(&m, shared, ALL, 4, -1);
    store(&m, shared, ALL, 4, -2);
    assert_int_equal(m.shared.count, 0);
    expect_load(&m, shared, ALL, 4, 0, WORDS(99, 99, 99, 99));
    store(&m, shared, 0x3, 16, 2);
    assert_int_equal(m.shared.count, 2 * 3); /* R4 has none */
    expect_load(&m, shared, ALL, 16, 1, WORDS(7, 7, 99, 8));
    expect_load(&m, shared, ALL, 16, 2, WORDS(99, 99, 99, 99));
    expect_load(&m, shared, ALL, 2, 1, WORDS(X, 99, 99, 99));
    m.address[5] = 16;
    expect_load(&m, shared, ALL, 8, 5, WORDS(7, 7, 99, 99)); /* another lane's */
    store(&m, shared, 0x2, 4, 4);
    expect_load(&m, shared, ALL, 8, 1, WORDS(0, 7, 99, 99));
    expect_load(&m, shared, ALL, 1, 1, WORDS(0, 99, 99, 99));
    store(&m, shared, 0x1, 1, 4); /* a byte over an address */
    expect_load(&m, shared, ALL, 4, 0, WORDS(X, 99, 99, 99));
    store(&m, shared, 0x2, 1, 4); /* a byte over none */
    expect_load(&m, shared, ALL, 4, 1, WORDS(0, 99, 99, 99));
    store(&m, shared, 0x2, 2, 2);
    expect_load(&m, shared, ALL, 4, 1, WORDS(X, 99, 99, 99));
    store(&m, shared, 0x2, 8, 2);
    store(&m, shared, 0x2, 4, -2);
    expect_load(&m, shared, ALL, 8, 1, WORDS(X, 7, 99, 99));
    end_memory(&m);
    /* 24 blocks of a grid of 4 x 3 x 2. */
    m = begin_memory();
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 24; i++) {
            fhec_event event = access_of(&m, shared, 1, 4);
            const fhec_operand data = {.kind = FHEC_OPERAND_REGISTER, .reg = 6, .count = 1};
            uint16_t values[4][FHEC_WARP_LANES] = {{0}};
            event.block[0] = i % 4;
            event.block[1] = i / 4 % 3;
            event.block[2] = i / 12;
            set(m.w, 6, (uint16_t)(i + 1));
            if (round == 0) {
                assert_true(fh_origin_store(m.w, &m.shared, &event, &data));
                continue;
            }
            fh_origin_load(m.w, &m.shared, &event, values);
            assert_int_equal(values[0][0], i + 1);
        }
    assert_int_equal(m.shared.count, 24);
    end_memory(&m);
}

/* ---------------------------------------------------------------- allocations */

static void allocate(struct fh_allocations *a, const char *name, uint64_t base, size_t bytes) {
    const fhec_event event = {.kind = FHEC_EVENT_ALLOC,
                              .host = {.name = name, .address = base, .bytes = bytes}};
    assert_true(fh_allocations_see(a, &event));
}

static void test_allocations(void **unused) {
    (void)unused;
    struct fh_allocations a = {0};
    assert_null(fh_allocations_at(&a, 0));
    assert_null(fh_allocations_at(&a, 100));
    allocate(&a, "constant", 0, 10);
    assert_int_equal(a.count, 0);
    /* 40 of 8 bytes, at their middle: not in the order of their addresses. */
    for (uint32_t i = 0; i < 40; i++)
        allocate(&a, i == 3 ? NULL : "x", 10000 + 40 * (uint64_t)(i % 2 ? 40 - i : 40 + i), 8);
    assert_int_equal(a.count, 40);
    for (uint32_t i = 0; i < 40; i++) {
        const uint64_t base = 10000 + 40 * (uint64_t)(i % 2 ? 40 - i : 40 + i);
        assert_null(fh_allocations_at(&a, base - 1));
        assert_null(fh_allocations_at(&a, base + 8));
        for (uint64_t at = base; at < base + 8; at += 7) {
            const struct fh_allocated *x = fh_allocations_at(&a, at);
            assert_non_null(x);
            assert_int_equal(x->number, i + 1);
            assert_int_equal(x->base, base);
            assert_int_equal(x->bytes, 8);
            assert_string_equal(x->name, i == 3 ? "" : "x");
            assert_true(x->live && !x->read && !x->written);
            assert_ptr_equal(a.numbered[i], x);
        }
    }
    const fhec_event freed = {.kind = FHEC_EVENT_FREE, .host = {.address = 10000 + 40 * 42}},
                     nowhere = {.kind = FHEC_EVENT_FREE, .host = {.address = 5}};
    assert_true(fh_allocations_see(&a, &freed));
    assert_true(fh_allocations_see(&a, &nowhere));
    for (uint32_t i = 0; i < 40; i++)
        assert_int_equal(a.numbered[i]->live, i != 2);
    assert_non_null(fh_allocations_at(&a, 10000 + 40 * 42)); /* still */
    const fhec_event part = {.kind = FHEC_EVENT_ALLOC,
                             .host = {.name = "part", .address = 5004, .offset = 4, .bytes = 9}};
    assert_true(fh_allocations_see(&a, &part));
    assert_int_equal(fh_allocations_at(&a, 5000)->base, 5000);
    fh_allocations_free(&a);
    assert_true(!a.list && !a.numbered && a.count == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),   cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_rows),    cmocka_unit_test(test_loads),
        cmocka_unit_test(test_address), cmocka_unit_test(test_local),
        cmocka_unit_test(test_shared),  cmocka_unit_test(test_allocations),
    };
    return cmocka_run_group_tests_name("check_provenance", tests, NULL, NULL);
}
