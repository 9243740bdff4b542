/*
 * origin_shadow_test.c - the tables that hold origins: of registers, shared and local memory, byte
 * by byte; of warps and blocks that come and go; their copies.
 */
#include <string.h>

#include "emu_util.h"
#include "shadow.h"

static fh_origin global(uint64_t at) {
    return fh_origin_make(FH_ORIGIN_GLOBAL, at);
}

static const fh_origin mixed = (fh_origin)FH_ORIGIN_MIXED << FH_ORIGIN_KIND_SHIFT;

/* Kernels with 0, 10 and 4 bytes of shared memory. */
static const char text[] = ".target sm_80\n.kernel none\nMOV R3, RZ ;\nEXIT ;\n.end\n"
                           ".kernel ten\n.shared s, 10\nMOV R9, RZ ;\nEXIT ;\n.end\n"
                           ".kernel four\n.shared t, 4\nMOV R254, RZ ;\nEXIT ;\n.end\n";

struct world {
    fhec_program *program;
    fhec_launch launch;
    struct fh_shadows shadows;
};

static struct world begin(size_t kernel, uint32_t dynamic) {
    struct world w = {.program = emu_assemble(text)};
    w.launch = (fhec_launch){.program = w.program, .kernel = kernel, .dynamic_shared = dynamic};
    return w;
}

static void end(struct world *w) {
    fh_shadows_free(&w->shadows);
    assert_true(!w->shadows.warps && !w->shadows.blocks && !w->shadows.spare_warps &&
                !w->shadows.spare_blocks);
    fhec_program_free(w->program);
}

static fhec_event event(const struct world *w, uint32_t x, uint32_t y, uint32_t z, uint32_t warp) {
    return (fhec_event){.launch = &w->launch, .block = {x, y, z}, .warp = warp};
}

static struct fh_warp_shadow *warp(struct world *w, uint32_t x, uint32_t y, uint32_t z,
                                   uint32_t number) {
    const fhec_event e = event(w, x, y, z, number);
    struct fh_warp_shadow *is = fh_shadow_warp(&w->shadows, &e);
    assert_non_null(is);
    assert_int_equal(is->warp, number);
    assert_true(is->block[0] == x && is->block[1] == y && is->block[2] == z);
    assert_memory_equal(is->of->block, is->block, sizeof is->block);
    assert_ptr_equal(fh_shadow_find_warp(&w->shadows, is->block, number), is);
    return is;
}

/* ---------------------------------------------------------------- one origin */

static void test_of_bytes(void **unused) {
    (void)unused;
    const fh_origin c = fh_origin_make(FH_ORIGIN_COMPUTED, 0x40);
    const struct {
        fh_origin_bytes bytes;
        fh_origin is;
    } cases[] = {
        {{global(8), global(9), global(10), global(11)}, global(8)},
        {{global(8), global(10), global(10), global(11)}, mixed},
        {{global(8), global(9), global(11), global(11)}, mixed},
        {{global(8), global(9), global(10), global(12)}, mixed},
        {{global(9), global(9), global(9), global(9)}, mixed},
        {{c, c, c, c}, c},
        {{c, c, c, c + 1}, mixed},
        {{0, 0, 0, 0}, 0},
        {{0, 0, 0, c}, mixed},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_true(fh_origin_of_bytes(cases[i].bytes) == cases[i].is);
}

static void expect_register(const struct fh_warp_shadow *w, uint32_t reg, uint32_t lane,
                            const fh_origin_bytes wanted) {
    fh_origin_bytes is;
    fh_shadow_get_bytes(w, reg, lane, is);
    assert_memory_equal(is, wanted, sizeof is);
}

static void test_registers(void **unused) {
    (void)unused;
    struct world world = begin(1, 0);
    struct fh_warp_shadow *w = warp(&world, 0, 0, 0, 0);
    const fh_origin_bytes none = {0}, straight = {global(4), global(5), global(6), global(7)},
                          turned = {global(7), global(6), global(5), global(4)},
                          other = {global(1), 0, global(5), 0},
                          zero[1] = {{(fh_origin)FH_ORIGIN_NUMBER << 60,
                                      (fh_origin)FH_ORIGIN_NUMBER << 60,
                                      (fh_origin)FH_ORIGIN_NUMBER << 60,
                                      (fh_origin)FH_ORIGIN_NUMBER << 60}};
    for (uint32_t r = 0; r < 10; r++)
        for (uint32_t l = 0; l < 32; l++)
            expect_register(w, r, l, none);
    expect_register(w, FH_SHADOW_ZERO, 0, zero[0]);
    expect_register(w, FH_SHADOW_ZERO, 31, zero[0]);
    assert_true(w->written[0] == UINT64_MAX && w->written[255] == UINT64_MAX);
    assert_true(fh_shadow_set_bytes(w, 4, 31, straight));
    assert_false(fh_shadow_may_be_mixed(w, 4));
    assert_null(w->bytes);
    assert_true(w->r[4][31] == global(4));
    expect_register(w, 4, 31, straight);
    expect_register(w, 4, 30, none);
    for (uint32_t r = 3; r < 10; r += 2) {
        assert_true(fh_shadow_set_bytes(w, r, r, turned));
        assert_true(fh_shadow_set_bytes(w, r, r + 1, other));
    }
    for (uint32_t r = 0; r < 10; r++)
        assert_int_equal(fh_shadow_may_be_mixed(w, r), r >= 3 && r % 2);
    for (uint32_t r = 3; r < 10; r += 2) {
        expect_register(w, r, r, turned);
        expect_register(w, r, r + 1, other);
        expect_register(w, r, r + 2, none);
    }
    /* Of register 64 k + n no other is the bit. */
    assert_true(fh_shadow_set_bytes(w, 130, 0, turned));
    for (uint32_t r = 0; r < 256; r++)
        assert_int_equal(fh_shadow_may_be_mixed(w, r), r == 130 || (r < 10 && r >= 3 && r % 2));
    fh_shadow_set(w, 130, 1, global(16));
    assert_true(fh_shadow_may_be_mixed(w, 130)); /* it may */
    assert_true(w->r[130][0] == global(16));
    fh_shadow_set(w, 130, UINT32_MAX, global(20));
    assert_false(fh_shadow_may_be_mixed(w, 130));
    assert_true(w->r[130][0] == global(20) && w->r[130][31] == global(20));
    end(&world);
}

/* ---------------------------------------------------------------- memory */

static void expect_shared(const struct fh_block_shadow *b, uint64_t at,
                          const fh_origin_bytes wanted) {
    fh_origin_bytes is;
    fh_shadow_shared_get(b, at, is);
    assert_memory_equal(is, wanted, sizeof is);
}

/* Ten bytes and nine more are five words. */
static void test_shared(void **unused) {
    (void)unused;
    struct world world = begin(1, 9);
    struct fh_block_shadow *b = warp(&world, 0, 0, 0, 0)->of;
    const fh_origin_bytes none = {0}, straight = {global(4), global(5), global(6), global(7)},
                          turned = {global(7), global(6), global(5), global(4)};
    assert_int_equal(b->words, 5);
    for (uint64_t at = 0; at <= 24; at++)
        expect_shared(b, at, none);
    assert_non_null(fh_shadow_shared_word(b, 16));
    assert_null(fh_shadow_shared_word(b, 20));
    assert_null(fh_shadow_shared_word(b, 17));
    assert_true(fh_shadow_shared_set(b, 16, straight));
    assert_null(b->bytes);
    assert_true(fh_shadow_shared_set(b, 12, turned));
    assert_true(fh_shadow_shared_set(b, 20, turned)); /* outside: nothing */
    assert_true(*fh_shadow_shared_word(b, 16) == global(4));
    expect_shared(b, 8, none);
    expect_shared(b, 12, turned);
    expect_shared(b, 15, turned);
    expect_shared(b, 16, straight);
    expect_shared(b, 20, none);
    assert_true(fh_shadow_shared_set(b, 8, turned));
    assert_true(fh_shadow_shared_set(b, 12, straight));
    expect_shared(b, 8, turned);
    expect_shared(b, 12, straight);
    end(&world);
    world = begin(0, 0);
    assert_int_equal(warp(&world, 0, 0, 0, 0)->of->words, 0);
    end(&world);
}

static void test_local(void **unused) {
    (void)unused;
    struct world world = begin(0, 0);
    struct fh_warp_shadow *w = warp(&world, 0, 0, 0, 0);
    assert_true(fh_shadow_local_get(w, 0, 0) == 0);
    assert_true(fh_shadow_local_set(w, 8, 3, global(1)));
    assert_true(fh_shadow_local_get(w, 8, 3) == global(1));
    assert_true(fh_shadow_local_get(w, 11, 3) == global(1)); /* a word */
    assert_true(fh_shadow_local_get(w, 12, 3) == 0);
    assert_true(fh_shadow_local_get(w, 4, 3) == 0);
    assert_true(fh_shadow_local_get(w, 8, 4) == 0);
    assert_true(fh_shadow_local_set(w, 1000, 0, global(2)));
    assert_true(fh_shadow_local_set(w, 996, 0, global(3)));
    assert_true(fh_shadow_local_set(w, 8, 4, global(4)));
    assert_true(fh_shadow_local_get(w, 1000, 0) == global(2));
    assert_true(fh_shadow_local_get(w, 996, 0) == global(3));
    assert_true(fh_shadow_local_get(w, 8, 3) == global(1));
    assert_true(fh_shadow_local_get(w, 8, 4) == global(4));
    assert_true(fh_shadow_local_get(w, 992, 0) == 0);
    assert_true(fh_shadow_local_get(w, 100000, 0) == 0);
    end(&world);
}

/* ---------------------------------------------------------------- warps and blocks */

/* Each of its own; the one that was asked for last is in front, and the others stay. */
static void test_warps(void **unused) {
    (void)unused;
    static const uint32_t places[][4] = {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0},
                                         {0, 0, 1, 0}, {0, 0, 1, 1}, {2, 3, 4, 5}};
    struct world world = begin(1, 0);
    struct fh_warp_shadow *is[COUNT_OF(places)];
    const uint32_t nowhere[3] = {9, 9, 9};
    assert_null(fh_shadow_find_warp(&world.shadows, nowhere, 0));
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        const uint32_t *p = places[i];
        is[i] = warp(&world, p[0], p[1], p[2], p[3]);
        fh_shadow_set(is[i], 2, UINT32_MAX, global(100 + i));
        is[i]->ur[3] = global(200 + i);
        is[i]->written[2] = i;
        assert_true(fh_shadow_local_set(is[i], 0, 0, global(i)));
        for (size_t k = 0; k < i; k++) {
            assert_ptr_not_equal(is[i], is[k]);
            const bool block = memcmp(p, places[k], 12) == 0;
            assert_int_equal(is[i]->of == is[k]->of, block);
        }
    }
    for (size_t round = 0; round < 3; round++)
        for (size_t i = COUNT_OF(places); i-- > 0;) {
            const uint32_t *p = places[(3 * i + round) % COUNT_OF(places)];
            const struct fh_warp_shadow *w = is[(3 * i + round) % COUNT_OF(places)];
            assert_ptr_equal(warp(&world, p[0], p[1], p[2], p[3]), w);
            assert_ptr_equal(world.shadows.warps, w);
        }
    /* One ends, and its room is another's, of which nothing is known. */
    fhec_event e = event(&world, 1, 0, 0, 0);
    const fhec_event absent = event(&world, 1, 0, 0, 1);
    fh_shadow_warp_ends(&world.shadows, &absent);
    assert_null(world.shadows.spare_warps);
    fh_shadow_warp_ends(&world.shadows, &e);
    assert_ptr_equal(world.shadows.spare_warps, is[2]);
    assert_null(fh_shadow_find_warp(&world.shadows, e.block, 0));
    fh_shadow_block_ends(&world.shadows, &e);
    assert_ptr_equal(world.shadows.spare_blocks, is[2]->of);
    for (size_t i = 0; i < COUNT_OF(places); i++)
        assert_int_equal(fh_shadow_find_warp(&world.shadows, places[i], places[i][3]) != NULL,
                         i != 2);
    struct fh_warp_shadow *fresh = warp(&world, 7, 7, 7, 7);
    assert_ptr_equal(fresh, is[2]);
    assert_null(world.shadows.spare_warps);
    assert_null(world.shadows.spare_blocks);
    assert_true(fresh->r[2][0] == 0 && fresh->r[2][31] == 0 && fresh->ur[3] == 0);
    assert_true(fresh->written[2] == UINT64_MAX);
    assert_true(fh_shadow_local_get(fresh, 0, 0) == 0);
    for (size_t i = 0; i < COUNT_OF(places); i++)
        if (i != 2)
            assert_true(is[i]->r[2][9] == global(100 + i) && is[i]->ur[3] == global(200 + i) &&
                        fh_shadow_local_get(is[i], 0, 0) == global(i) && is[i]->written[2] == i);
    fh_shadows_clear(&world.shadows);
    assert_true(!world.shadows.warps && !world.shadows.blocks);
    unsigned warps = 0, blocks = 0;
    for (const struct fh_warp_shadow *w = world.shadows.spare_warps; w; w = w->next, warps++)
        assert_true(!w->local && !w->local_words);
    for (const struct fh_block_shadow *b = world.shadows.spare_blocks; b; b = b->next)
        blocks++;
    assert_int_equal(warps, 7);
    assert_int_equal(blocks, 5);
    end(&world);
}

/* A block in another's room has its own shared memory, and as much of it as it needs. */
static void test_blocks_again(void **unused) {
    (void)unused;
    struct world world = begin(2, 0);
    const fh_origin_bytes turned = {global(7), global(6), global(5), global(4)}, none = {0};
    fhec_event e = event(&world, 0, 0, 0, 0);
    assert_true(fh_shadow_shared_set(warp(&world, 0, 0, 0, 0)->of, 0, turned));
    fh_shadows_clear(&world.shadows);
    expect_shared(warp(&world, 0, 0, 0, 0)->of, 0, none);
    fh_shadow_warp_ends(&world.shadows, &e);
    fh_shadow_block_ends(&world.shadows, &e);
    world.launch.kernel = 1;
    struct fh_block_shadow *b = warp(&world, 0, 0, 0, 0)->of;
    assert_int_equal(b->words, 3);
    assert_true(fh_shadow_shared_set(b, 8, turned));
    expect_shared(b, 8, turned);
    end(&world);
}

/* ---------------------------------------------------------------- copies */

static void fill(struct world *world) {
    const fh_origin_bytes turned = {global(7), global(6), global(5), global(4)};
    struct fh_warp_shadow *a = warp(world, 0, 0, 0, 0), *b = warp(world, 0, 0, 0, 1),
                          *c = warp(world, 1, 0, 0, 0);
    fh_shadow_set(a, 1, UINT32_MAX, global(1));
    fh_shadow_set(b, 1, UINT32_MAX, global(2));
    fh_shadow_set(c, 1, UINT32_MAX, global(3));
    a->ur[1] = global(4);
    a->written[1] = 5;
    assert_true(fh_shadow_set_bytes(b, 5, 6, turned));
    assert_true(fh_shadow_local_set(b, 40, 7, global(8)));
    assert_true(fh_shadow_local_set(b, 80, 7, global(9)));
    assert_true(fh_shadow_shared_set(a->of, 8, turned));
    *fh_shadow_shared_word(c->of, 4) = global(10);
}

static void expect_filled(const struct fh_shadows *s) {
    const fh_origin_bytes turned = {global(7), global(6), global(5), global(4)},
                          ten = {global(10), global(11), global(12), global(13)}, none = {0};
    const uint32_t first[3] = {0}, second[3] = {1, 0, 0};
    const struct fh_warp_shadow *a = fh_shadow_find_warp(s, first, 0),
                                *b = fh_shadow_find_warp(s, first, 1),
                                *c = fh_shadow_find_warp(s, second, 0);
    assert_true(a && b && c);
    assert_true(a->of == b->of && c->of && c->of != a->of);
    assert_memory_equal(a->of->block, first, sizeof first);
    assert_memory_equal(c->of->block, second, sizeof second);
    assert_true(a->r[1][0] == global(1) && b->r[1][31] == global(2) && c->r[1][5] == global(3));
    assert_true(a->ur[1] == global(4) && a->written[1] == 5);
    expect_register(b, 5, 6, turned);
    expect_register(b, 5, 7, none);
    assert_true(!a->bytes && b->bytes && !c->bytes);
    assert_true(fh_shadow_local_get(b, 40, 7) == global(8));
    assert_true(fh_shadow_local_get(b, 80, 7) == global(9));
    assert_true(fh_shadow_local_get(b, 44, 7) == 0 && !a->local && !c->local);
    assert_true(a->of->words == 3 && c->of->words == 3);
    expect_shared(a->of, 8, turned);
    expect_shared(a->of, 4, none);
    expect_shared(c->of, 4, ten);
    unsigned warps = 0, blocks = 0;
    for (const struct fh_warp_shadow *w = s->warps; w; w = w->next)
        warps++;
    for (const struct fh_block_shadow *x = s->blocks; x; x = x->next)
        blocks++;
    assert_int_equal(warps, 3);
    assert_int_equal(blocks, 2);
}

/* A copy stays when the first goes on or is freed; its bytes are those of its parts. */
static void test_copies(void **unused) {
    (void)unused;
    struct world world = begin(1, 0);
    struct fh_shadows copy = {0}, empty = {0};
    assert_int_equal(fh_shadows_copy(&copy, &empty), sizeof copy);
    fill(&world);
    const uint64_t bytes = fh_shadows_copy(&copy, &world.shadows);
    const uint64_t words = 3 * sizeof(fh_origin), of_words = 3 * sizeof(fh_origin_bytes);
    const uint64_t registers = FH_SHADOW_REGISTERS * FHEC_WARP_LANES * sizeof(fh_origin_bytes);
    assert_int_equal(bytes, sizeof copy + 2 * (sizeof(struct fh_block_shadow) + words) + of_words +
                                3 * sizeof(struct fh_warp_shadow) + registers +
                                2 * sizeof(fh_origin_row));
    expect_filled(&copy);
    expect_filled(&world.shadows);
    fh_shadow_set(warp(&world, 0, 0, 0, 0), 1, UINT32_MAX, 0);
    assert_true(fh_shadow_local_set(warp(&world, 0, 0, 0, 1), 40, 7, 0));
    const fh_origin_bytes none = {0};
    assert_true(fh_shadow_shared_set(warp(&world, 0, 0, 0, 1)->of, 8, none));
    expect_filled(&copy);
    /* Back: what was there is gone. */
    warp(&world, 5, 5, 5, 5);
    assert_int_equal(fh_shadows_copy(&world.shadows, &copy), bytes);
    fh_shadows_free(&copy);
    expect_filled(&world.shadows);
    assert_int_equal(fh_shadows_copy(&world.shadows, &empty), sizeof copy);
    assert_true(!world.shadows.warps && !world.shadows.blocks);
    end(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_of_bytes), cmocka_unit_test(test_registers),
        cmocka_unit_test(test_shared),   cmocka_unit_test(test_local),
        cmocka_unit_test(test_warps),    cmocka_unit_test(test_blocks_again),
        cmocka_unit_test(test_copies),
    };
    return cmocka_run_group_tests_name("origin_shadow", tests, NULL, NULL);
}
