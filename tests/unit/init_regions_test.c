/* What the checker `init` knows of memory, and where undefined bits came from: regions by address,
 * their bits and causes, in any order and number; causes alike are one, and told in words. */
#include "emu_util.h"

#include "defined_bits.h"
#include "undefined_cause.h"

enum { REGIONS = 40 };

static void region_is(struct fh_defined *d, uint64_t address, uint64_t base) {
    const struct fh_bits_region *region = fh_defined_region(d, address);
    if ((region != NULL) != (base != 0) || (region && region->base != base))
        fail_msg("0x%x: 0x%x, not 0x%x", (unsigned)address, region ? (unsigned)region->base : 0,
                 (unsigned)base);
}

/* Region n has 100 n + 50 bytes, with gaps between, from 10000 (n + 1) on. */
static uint64_t base_of(unsigned n) {
    return 10000 * (uint64_t)(n + 1);
}
static uint64_t size_of(unsigned n) {
    return 100 * (uint64_t)n + 50;
}

static void regions(void **state) {
    (void)state;
    static const unsigned steps[] = {1, 39, 7, 27}; /* orders in which they come */
    for (size_t o = 0; o < COUNT_OF(steps); o++) {
        struct fh_defined d = {0};
        char name[16];
        for (unsigned count = 1; count <= REGIONS; count++) {
            const unsigned n = (count - 1) * steps[o] % REGIONS;
            snprintf(name, sizeof name, "r%u", n);
            fh_defined_alloc(&d, base_of(n), size_of(n), name);
            assert_int_equal(d.region_count, count);
            for (unsigned k = 1; k <= REGIONS; k++) {
                const unsigned m = (k - 1) * steps[o] % REGIONS;
                const uint64_t base = k <= count ? base_of(m) : 0;
                region_is(&d, base_of(m), base);
                region_is(&d, base_of(m) + size_of(m) - 1, base);
                region_is(&d, base_of(m) + size_of(m), 0);
                region_is(&d, base_of(m) - 1, 0);
            }
        }
        assert_string_equal(fh_defined_region(&d, base_of(3))->name, "r3");
        for (unsigned count = 1; count <= REGIONS; count++) {
            const unsigned n = (count - 1) * steps[(o + 1) % COUNT_OF(steps)] % REGIONS;
            fh_defined_release(&d, base_of(n) + 1); /* no region begins there */
            fh_defined_release(&d, base_of(n) - 1);
            assert_int_equal(d.region_count, REGIONS - count + 1);
            fh_defined_release(&d, base_of(n));
            assert_int_equal(d.region_count, REGIONS - count);
            region_is(&d, base_of(n), 0);
        }
        assert_false(d.failed);
        fh_defined_free(&d);
    }
}

static void bits(void **state) {
    (void)state;
    for (unsigned defined_first = 0; defined_first < 2; defined_first++) {
        struct fh_defined d = {.defined_first = defined_first};
        fh_defined_alloc(&d, 4096, 64, NULL);
        struct fh_bits_region *r = fh_defined_region(&d, 4100);
        assert_string_equal(r->name, "");
        assert_int_equal(r->whole, defined_first);
        for (unsigned i = 0; i < 64; i++)
            assert_int_equal(r->defined[i], defined_first ? 0xff : 0);
        assert_int_equal(fh_bits_region_origin(r, 8), 0);
        fh_defined_written(r, 8, 4);
        for (unsigned i = 0; i < 64 && !defined_first; i++)
            assert_int_equal(r->defined[i], i >= 8 && i < 12 ? 0xff : 0);
        assert_int_equal(r->whole, defined_first);
        fh_defined_written(r, 0, 63);
        assert_int_equal(r->whole, defined_first);
        fh_defined_written(r, 1, 63);
        assert_int_equal(r->whole, defined_first);
        fh_defined_written(r, 0, 64);
        assert_true(r->whole);
        /* a store of undefined bits: its words have its number */
        fh_bits_region_note(&d, r, 7, 1, 5);
        assert_false(r->whole);
        fh_bits_region_note(&d, r, 12, 8, 6);
        fh_bits_region_note(&d, r, 31, 2, 7);
        fh_bits_region_note(&d, r, 60, 4, 8);
        static const uint32_t origins[16] = {0, 5, 0, 6, 6, 0, 0, 7, 7, 0, 0, 0, 0, 0, 0, 8};
        for (unsigned i = 0; i < 64; i++)
            assert_int_equal(fh_bits_region_origin(r, i), origins[i / 4]);
        /* again: it is new */
        fh_defined_alloc(&d, 4096, 32, "other");
        r = fh_defined_region(&d, 4096);
        assert_int_equal(d.region_count, 1);
        assert_int_equal(r->size, 32);
        assert_int_equal(fh_bits_region_origin(r, 4), 0);
        assert_string_equal(r->name, "other");
        fh_defined_free(&d);
    }
}

/* Local memory grows with what is used, and keeps what was there: of each lane by itself. */
static void local(void **state) {
    (void)state;
    struct fh_defined d = {0};
    struct fh_warp_bits *w = calloc(1, sizeof *w);
    assert_non_null(w);
    assert_true(fh_defined_local(&d, w, 0));
    assert_int_equal(w->local_bytes, 0);
    assert_true(fh_defined_local(&d, w, 5));
    const uint32_t first = w->local_bytes;
    assert_true(first >= 5 && first <= 64 && first % 16 == 0);
    assert_int_equal(w->local.size, 32 * first);
    for (uint32_t l = 0; l < 32; l++) {
        w->local.defined[l * first + 3] = (uint8_t)(0x40 + l);
        if (l % 2)
            fh_bits_region_note(&d, &w->local, l * first + 4, 4, 100 + l);
    }
    const uint8_t *there = w->local.defined;
    assert_true(fh_defined_local(&d, w, first)); /* there is room */
    assert_ptr_equal(there, w->local.defined);
    assert_true(fh_defined_local(&d, w, first + 1));
    const uint32_t second = w->local_bytes;
    assert_true(second > first && second <= 4 * first);
    for (uint32_t l = 0; l < 32; l++)
        for (uint32_t i = 0; i < second; i++) {
            assert_int_equal(w->local.defined[l * second + i], i == 3 ? 0x40 + l : 0);
            assert_int_equal(fh_bits_region_origin(&w->local, l * second + i),
                             l % 2 && i / 4 == 1 ? 100 + l : 0);
        }
    assert_false(d.failed);
    assert_false(fh_defined_local(&d, w, UINT64_C(1) << 26)); /* of a lane that is too much */
    assert_true(d.failed);
    assert_int_equal(w->local_bytes, second);
    free(w->local.defined);
    free(w->local.origins);
    free(w);
    fh_defined_free(&d);
}

/* ---------------------------------------------------------------- causes */

static void causes(void **state) {
    (void)state;
    struct fh_causes *c = fh_causes_new();
    const struct fh_cause like = {.kind = FH_CAUSE_MEMORY,
                                  .row = 3,
                                  .space = FHEC_SPACE_SHARED,
                                  .name = "a",
                                  .parent = 4,
                                  .place = {.pc = 0x40, .kernel = 1}};
    assert_non_null(c);
    assert_int_equal(fh_cause_number(c, &like), 1);
    /* one alike; whatever the lane, warp or address */
    struct fh_cause other = like;
    other.address = other.offset = 99;
    other.place.warp = other.place.lanes = 7;
    other.place.block[0] = 5;
    assert_int_equal(fh_cause_number(c, &other), 1);
    /* and others */
    static const struct fh_cause change[] = {
        {.kind = FH_CAUSE_STORE},
        {.row = 4},
        {.space = FHEC_SPACE_LOCAL},
        {.name = "ab"},
        {.parent = 5},
        {.beside = true},
        {.place = {.pc = 0x50}},
        {.place = {.kernel = 2}},
    };
    for (uint32_t i = 0; i < COUNT_OF(change); i++) {
        other = like;
        other.kind = change[i].kind ? change[i].kind : like.kind;
        other.row = change[i].row ? change[i].row : like.row;
        other.space = change[i].space ? change[i].space : like.space;
        if (*change[i].name)
            memcpy(other.name, change[i].name, sizeof other.name);
        other.parent = change[i].parent ? change[i].parent : like.parent;
        other.beside = change[i].beside;
        other.place.pc = change[i].place.pc ? change[i].place.pc : like.place.pc;
        other.place.kernel = change[i].place.kernel ? change[i].place.kernel : like.place.kernel;
        for (unsigned pass = 0; pass < 2; pass++)
            assert_int_equal(fh_cause_number(c, &other), i + 2);
    }
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < 3000; i++) {
            const struct fh_cause many = {.kind = FH_CAUSE_REGISTER, .row = i % 300, .place.pc = i};
            assert_int_equal(fh_cause_number(c, &many), COUNT_OF(change) + 2 + i);
            assert_int_equal(fh_cause_get(c, COUNT_OF(change) + 2 + i)->place.pc, i);
        }
    assert_null(fh_cause_get(c, 0));
    assert_null(fh_cause_root(c, 0));
    fh_causes_free(c);
    fh_causes_free(NULL);
}

static void roots(void **state) {
    (void)state;
    struct fh_causes *c = fh_causes_new();
    const struct fh_cause reg = {.kind = FH_CAUSE_REGISTER, .row = 7};
    const uint32_t first = fh_cause_number(c, &reg);
    struct fh_cause store = {.kind = FH_CAUSE_STORE, .parent = first, .place.pc = 0x10};
    const uint32_t second = fh_cause_number(c, &store);
    store.parent = second;
    store.place.pc = 0x20;
    const uint32_t third = fh_cause_number(c, &store);
    store.parent = 0;
    store.place.pc = 0x30;
    const uint32_t alone = fh_cause_number(c, &store);
    const struct fh_cause memory = {.kind = FH_CAUSE_MEMORY, .parent = first};
    const uint32_t own = fh_cause_number(c, &memory);
    assert_ptr_equal(fh_cause_root(c, third), fh_cause_get(c, first));
    assert_ptr_equal(fh_cause_root(c, second), fh_cause_get(c, first));
    assert_ptr_equal(fh_cause_root(c, first), fh_cause_get(c, first));
    assert_ptr_equal(fh_cause_root(c, alone), fh_cause_get(c, alone));
    assert_ptr_equal(fh_cause_root(c, own), fh_cause_get(c, own));
    fh_causes_free(c);
}

static void text_is(const struct fh_cause *cause, const char *want) {
    char text[200];
    assert_int_equal(fh_cause_text(cause, text, sizeof text), strlen(want));
    assert_string_equal(text, want);
}

static void texts(void **state) {
    (void)state;
    static const struct {
        uint32_t row;
        const char *name;
    } rows[] = {{0, "R0"},   {254, "R254"}, {256, "UR0"}, {318, "UR62"},
                {320, "P0"}, {326, "P6"},   {328, "UP0"}, {334, "UP6"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char name[8], want[40];
        fh_row_name(rows[i].row, name);
        assert_string_equal(name, rows[i].name);
        snprintf(want, sizeof want, "%s was never written", rows[i].name);
        text_is(&(struct fh_cause){.kind = FH_CAUSE_REGISTER, .row = rows[i].row}, want);
    }
    text_is(NULL, "it was never written");
    text_is(
        &(struct fh_cause){.kind = FH_CAUSE_MEMORY, .name = "room", .offset = 12, .address = 99},
        "byte 12 of room was never written");
    text_is(&(struct fh_cause){.kind = FH_CAUSE_MEMORY, .space = FHEC_SPACE_LOCAL, .address = 0x48},
            "local memory at 0x48 was never written");
    text_is(
        &(struct fh_cause){.kind = FH_CAUSE_SHUFFLE, .to = 3, .from = 17, .active = 0xff},
        "lane 3 reads from lane 17, which is not active here; expected one of the active lanes, "
        "0x000000ff");
    text_is(&(struct fh_cause){.kind = FH_CAUSE_STORE}, "an undefined value was stored");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regions), cmocka_unit_test(bits),  cmocka_unit_test(local),
        cmocka_unit_test(causes),  cmocka_unit_test(roots), cmocka_unit_test(texts),
    };
    return cmocka_run_group_tests_name("init_regions", tests, NULL, NULL);
}
