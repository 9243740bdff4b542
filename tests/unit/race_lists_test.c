/* What the race checker remembers of a word: lists whose accesses are all there again, in whatever
 * part of them, with true bounds; cells that become those of their parts. */
#include "emu_random.h"
#include "emu_util.h"

#include "touched.h"

enum { WARPS = 500, TIMES = 3 };

static struct fh_kept kept_of(uint32_t time, uint32_t warp, uint32_t lanes,
                              enum fh_access_kind kind, uint32_t same) {
    return (struct fh_kept){{time, warp, lanes, fh_code(7, kind)}, same};
}

/* Lanes that are remembered of a warp, time and kind, and how often it stands there. */
struct found {
    uint32_t lanes, same, places;
};

static struct found find_in(const struct fh_list *list, const struct fh_kept *like) {
    struct found found = {0, 0, 0};
    for (uint32_t i = 0; i < list->count + list->capacity; i++) {
        const struct fh_kept *k = i < list->count ? &list->kept[i] : &list->table[i - list->count];
        if (!k->past.time || !k->past.lanes || k->past.time != like->past.time ||
            k->past.warp != like->past.warp ||
            fh_code_kind(k->past.code) != fh_code_kind(like->past.code) ||
            (FH_STORE_KINDS >> fh_code_kind(k->past.code) & 1 && k->same != like->same))
            continue;
        found.lanes |= k->past.lanes;
        found.places++;
    }
    return found;
}

/* The bounds of a table are those of what is in it, or further. */
static void bounds_hold(const struct fh_list *list) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < list->capacity; i++) {
        const struct fh_past *past = &list->table[i].past;
        used += past->time != 0;
        if (!past->lanes)
            continue;
        assert_true(past->warp >= list->lowest && past->warp <= list->highest);
        assert_true(past->time <= list->newest[fh_code_kind(past->code)]);
        assert_true(list->table_kinds >> fh_code_kind(past->code) & 1);
        if (FH_STORE_KINDS >> fh_code_kind(past->code) & 1 && list->table[i].same != list->whole)
            assert_true(list->differs);
    }
    assert_int_equal(list->used, used);
    assert_true(!list->capacity || list->used < list->capacity);
    assert_int_equal(list->capacity & (list->capacity - 1), 0);
    for (uint32_t i = 0; i < list->count; i++)
        assert_true(list->kinds >> fh_code_kind(list->kept[i].past.code) & 1);
}

static void all_are_there(void **state) {
    (void)state;
    struct emu_rng rng = {5};
    struct fh_touched shadow = {0};
    for (unsigned round = 0; round < 40; round++) {
        static struct fh_kept given[WARPS * TIMES];
        const uint32_t wanted = round < 20 ? round : 20 + emu_below(&rng, WARPS * TIMES - 20);
        uint32_t index, count = 0;
        struct fh_list *list = fh_touched_list(&shadow, &index);
        assert_non_null(list);
        list->whole = 0xf;
        for (uint32_t i = 0; i < wanted; i++) {
            /* the same warp, time and kind comes with other lanes, too */
            given[count++] = kept_of(1 + emu_below(&rng, TIMES), emu_below(&rng, 3 + wanted / 2),
                                     1u << emu_below(&rng, 32),
                                     emu_once_in(&rng, 3)   ? FH_PLAIN_READ
                                     : emu_once_in(&rng, 2) ? FH_GRID_ATOMIC
                                                            : FH_PLAIN_STORE,
                                     emu_once_in(&rng, 2) ? 0xf : 0x3);
            const struct fh_kept now = given[count - 1];
            if (!list->capacity || !fh_list_join(list, &now))
                fh_list_put(&shadow, list, &now);
            list = &shadow.lists[index];
            bounds_hold(list);
        }
        for (uint32_t i = 0; i < count; i++) {
            const struct found found = find_in(list, &given[i]);
            assert_int_equal(found.lanes & given[i].past.lanes, given[i].past.lanes);
            uint32_t all = 0;
            for (uint32_t k = 0; k < count; k++)
                if (given[k].past.time == given[i].past.time &&
                    given[k].past.warp == given[i].past.warp &&
                    given[k].past.code == given[i].past.code &&
                    (!(FH_STORE_KINDS >> fh_code_kind(given[k].past.code) & 1) ||
                     given[k].same == given[i].same))
                    all |= given[k].past.lanes;
            assert_int_equal(found.lanes, all);
        }
        assert_int_equal(list->count, count < FH_LISTED ? count : FH_LISTED);
        assert_int_equal(shadow.tabled, list->capacity);
        assert_true(list->capacity <= 16 || list->capacity <= 8 * count);
        if (count <= FH_LISTED)
            assert_int_equal(list->capacity, 0);
        fh_list_drop_table(&shadow, list);
        assert_int_equal(shadow.tabled, 0);
        assert_int_equal(list->capacity, 0);
        assert_int_equal(list->table_kinds, 0);
        assert_int_equal(list->lowest, UINT32_MAX);
        assert_int_equal(list->highest, 0);
        assert_int_equal(list->newest[FH_PLAIN_STORE], 0);
        assert_false(list->differs);
        fh_touched_list_free(&shadow, index);
    }
    assert_int_equal(shadow.list_count, 1); /* one after another in one place */
    fh_touched_free(&shadow);
}

/* Places that are free again are taken. */
static void free_places(void **state) {
    (void)state;
    struct fh_touched shadow = {0};
    uint32_t index;
    struct fh_list *list = fh_touched_list(&shadow, &index);
    for (uint32_t warp = 0; warp < 18; warp++) {
        const struct fh_kept k = kept_of(3, warp, 1, FH_PLAIN_READ, 0);
        fh_list_put(&shadow, list, &k);
    }
    assert_int_equal(list->capacity, 16);
    assert_int_equal(list->used, 12);
    assert_int_equal(list->lowest, 6);
    assert_int_equal(list->highest, 17);
    for (uint32_t i = 0; i < 16; i++)
        if (list->table[i].past.warp == 9)
            list->table[i].past.lanes = 0;
    const struct fh_kept again = kept_of(4, 9, 2, FH_PLAIN_READ, 0);
    fh_list_put(&shadow, list, &again);
    assert_int_equal(list->newest[FH_PLAIN_READ], 4);
    assert_int_equal(find_in(list, &again).lanes, 2);
    for (uint32_t warp = 0; warp < 18; warp++) {
        const struct fh_kept k = kept_of(3, warp, 1, FH_PLAIN_READ, 0);
        assert_int_equal(find_in(list, &k).lanes, warp != 9);
    }
    bounds_hold(list);
    fh_touched_free(&shadow);
    assert_int_equal(shadow.tabled, 0);
}

/* Of few kinds in the table: what is of another kind goes to the list, what is there of the
 * table's kind into that. */
static void kinds_apart(void **state) {
    (void)state;
    struct fh_touched shadow = {0};
    uint32_t index;
    struct fh_list *list = fh_touched_list(&shadow, &index);
    for (uint32_t warp = 0; warp < 10; warp++) {
        const struct fh_kept k = kept_of(3, warp, 1, FH_GRID_ATOMIC, 0);
        fh_list_put(&shadow, list, &k);
    }
    assert_int_equal(list->table_kinds, FH_KIND_BIT(FH_GRID_ATOMIC));
    for (uint32_t n = 0; n < FH_LISTED; n++) {
        const struct fh_kept store = kept_of(4, 20 + n, 1, FH_BLOCK_READ, 0);
        fh_list_put(&shadow, list, &store);
        assert_int_equal(list->table_kinds, FH_KIND_BIT(FH_GRID_ATOMIC));
        assert_int_equal(find_in(list, &store).places, 1);
    }
    for (uint32_t i = 0; i < FH_LISTED; i++)
        assert_int_equal(fh_code_kind(list->kept[i].past.code), FH_BLOCK_READ);
    const struct fh_kept more = kept_of(4, 30, 1, FH_BLOCK_READ, 0);
    fh_list_put(&shadow, list, &more);
    assert_int_equal(list->table_kinds, FH_KIND_BIT(FH_GRID_ATOMIC) | FH_KIND_BIT(FH_BLOCK_READ));
    assert_int_equal(list->kinds, list->table_kinds);
    fh_touched_free(&shadow);
}

static void joining(void **state) {
    (void)state;
    static const struct {
        struct fh_kept a, b;
        bool joins;
    } cases[] = {
        {{{3, 5, 1, FH_PLAIN_READ << 26 | 9}, 0}, {{3, 5, 2, FH_PLAIN_READ << 26 | 9}, 0}, true},
        {{{3, 5, 1, FH_PLAIN_READ << 26 | 9}, 0}, {{4, 5, 2, FH_PLAIN_READ << 26 | 9}, 0}, false},
        {{{3, 5, 1, FH_PLAIN_READ << 26 | 9}, 0}, {{3, 6, 2, FH_PLAIN_READ << 26 | 9}, 0}, false},
        {{{3, 5, 1, FH_PLAIN_READ << 26 | 9}, 0}, {{3, 5, 2, FH_PLAIN_READ << 26 | 8}, 0}, false},
        {{{3, 5, 1, FH_PLAIN_READ << 26 | 9}, 0}, {{3, 5, 2, FH_BLOCK_READ << 26 | 9}, 0}, false},
        {{{3, 5, 1, FH_PLAIN_READ << 26 | 9}, 1}, {{3, 5, 2, FH_PLAIN_READ << 26 | 9}, 2}, true},
        {{{3, 5, 1, FH_PLAIN_STORE << 26 | 9}, 1}, {{3, 5, 2, FH_PLAIN_STORE << 26 | 9}, 1}, true},
        {{{3, 5, 1, FH_PLAIN_STORE << 26 | 9}, 1}, {{3, 5, 2, FH_PLAIN_STORE << 26 | 9}, 2}, false},
        {{{3, 5, 1, FH_COPYING << 26 | 9}, 1}, {{3, 5, 2, FH_COPYING << 26 | 9}, 1}, false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fh_kept kept = cases[i].a;
        assert_int_equal(fh_kept_join(&kept, &cases[i].b), cases[i].joins);
        assert_int_equal(kept.past.lanes, cases[i].joins ? 3 : 1);
        assert_int_equal(kept.past.code, cases[i].a.past.code);
    }
    /* the relation is lost unless both have it */
    for (unsigned a = 0; a < 3; a++)
        for (unsigned b = 0; b < 3; b++) {
            struct fh_kept kept = kept_of(3, 5, 1, FH_GRID_READ, 0);
            struct fh_kept more = kept_of(3, 5, 4, FH_GRID_READ, 0);
            kept.past.code = fh_code_related(kept.past.code, (enum fh_relation)a);
            more.past.code = fh_code_related(more.past.code, (enum fh_relation)b);
            assert_true(fh_kept_join(&kept, &more));
            assert_int_equal(fh_code_relation(kept.past.code), a == b ? a : FH_APART);
            assert_int_equal(fh_code_kind(kept.past.code), FH_GRID_READ);
            assert_int_equal(kept.past.code & FH_CODE_NUMBER, 7);
        }
}

/* Cells of 16 bytes become cells of 4, and of 1. */
static void parts_of_cells(void **state) {
    (void)state;
    struct fh_touched shadow = {0};
    uint32_t index;
    struct fh_cell_page *page = fh_touched_page(&shadow, 0x5010, 4);
    assert_int_equal(page->shift, 4);
    const struct fh_past write = {9, 1, 2, 3}, other = {8, 2, 4, fh_code(1, FH_PLAIN_READ)};
    page->cells[1] = (struct fh_cell){write, other};
    page->same[1] = 0x8421;
    /* the third one has a list, with a table */
    struct fh_list *list = fh_touched_list(&shadow, &index);
    list->whole = 0xffff;
    for (uint32_t warp = 0; warp < 9; warp++) {
        const struct fh_kept k = kept_of(7, warp, 1u << warp, FH_PLAIN_STORE, 0x8421);
        fh_list_put(&shadow, list, &k);
    }
    page->cells[2] = (struct fh_cell){write, {9, FH_IN_LIST, index, 0}};
    page->cells[3] = (struct fh_cell){write, {1, 7, 7, 7}}; /* out of date */
    shadow.since = 2;
    static const uint32_t same_words[4] = {1, 2, 4, 8};
    assert_ptr_equal(fh_touched_page(&shadow, 0x5fff, 4), page);
    assert_ptr_equal(fh_touched_page(&shadow, 0x5000, 2), page);
    assert_int_equal(page->shift, 2);
    for (unsigned part = 0; part < 4; part++) {
        const struct fh_cell *cell = &page->cells[4 + part];
        assert_memory_equal(&cell->write, &write, sizeof write);
        assert_memory_equal(&cell->other, &other, sizeof other);
        assert_int_equal(page->same[4 + part], same_words[part]);
        assert_int_equal(page->cells[12 + part].other.time, 0);
        assert_int_equal(page->cells[part].write.time, 0);
        cell = &page->cells[8 + part];
        assert_int_equal(cell->other.warp, FH_IN_LIST);
        for (unsigned before = 0; before < part; before++)
            assert_int_not_equal(page->cells[8 + before].other.lanes, cell->other.lanes);
        const struct fh_list *own = &shadow.lists[cell->other.lanes];
        assert_int_equal(own->whole, 0xf);
        for (uint32_t warp = 0; warp < 9; warp++) {
            const struct fh_kept k = kept_of(7, warp, 1u << warp, FH_PLAIN_STORE, same_words[part]);
            assert_int_equal(find_in(own, &k).lanes, 1u << warp);
        }
        bounds_hold(own);
    }
    assert_int_equal(shadow.tabled, 4 * 16);
    assert_ptr_equal(fh_touched_page(&shadow, 0x5000, 0), page);
    assert_int_equal(page->shift, 0);
    for (unsigned byte = 0; byte < 16; byte++) {
        assert_int_equal(page->same[16 + byte], (0x8421 >> byte & 1));
        assert_int_equal(page->cells[16 + byte].write.time, 9);
        const struct fh_list *own = &shadow.lists[page->cells[32 + byte].other.lanes];
        assert_int_equal(own->whole, 1);
        const struct fh_kept k = kept_of(7, 8, 1u << 8, FH_PLAIN_STORE, 0x8421 >> byte & 1);
        assert_int_equal(find_in(own, &k).lanes, 1u << 8);
    }
    assert_ptr_equal(fh_touched_page(&shadow, 0x5000, 3), page); /* it stays narrow */
    assert_int_equal(page->shift, 0);
    struct fh_cell_page *next = fh_touched_page(&shadow, 0x6000, 3);
    assert_ptr_not_equal(next, page);
    assert_int_equal(next->shift, 3);
    assert_ptr_equal(fh_touched_page(&shadow, 0x5000, 3), page);
    fh_touched_forget(&shadow, 77);
    assert_int_equal(shadow.since, 77);
    assert_int_equal(shadow.tabled, 0);
    assert_int_equal(shadow.list_count, 0);
    (void)fh_touched_list(&shadow, &index);
    assert_int_equal(index, 0);
    fh_touched_free(&shadow);
}

static void many_lists(void **state) {
    (void)state;
    struct fh_touched shadow = {0};
    uint32_t index, other;
    for (uint32_t i = 0; i < 300; i++) {
        struct fh_list *list = fh_touched_list(&shadow, &index);
        assert_int_equal(index, i);
        assert_int_equal(list->lowest, UINT32_MAX);
        assert_int_equal(list->count, 0);
        list->count = 1;
        list->whole = (uint16_t)i;
    }
    for (uint32_t i = 0; i < 300; i++)
        assert_int_equal(shadow.lists[i].whole, i);
    fh_touched_list_free(&shadow, 7);
    fh_touched_list_free(&shadow, 9);
    (void)fh_touched_list(&shadow, &index);
    (void)fh_touched_list(&shadow, &other);
    assert_int_equal(index, 9); /* the last that was freed first */
    assert_int_equal(other, 7);
    assert_int_equal(shadow.lists[7].count, 0);
    (void)fh_touched_list(&shadow, &index);
    assert_int_equal(index, 300);
    fh_touched_free(&shadow);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_there),  cmocka_unit_test(free_places),
        cmocka_unit_test(kinds_apart),    cmocka_unit_test(joining),
        cmocka_unit_test(parts_of_cells), cmocka_unit_test(many_lists),
    };
    return cmocka_run_group_tests_name("race_lists", tests, NULL, NULL);
}
