/*
 * base_oom_test.c - growing arrays, byte buffers, arenas and checked sizes, with and without host
 * memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arena.h"
#include "bytes.h"
#include "fixed_text.h"
#include "large_pages.h"
#include "refuse.h"
#include "size.h"

static void test_sizes(void **unused) {
    (void)unused;
    size_t n = 0;
    assert_true(fh_size_plus(SIZE_MAX - 1, 1, &n));
    assert_int_equal(n, SIZE_MAX);
    assert_false(fh_size_plus(SIZE_MAX, 1, &n));
    assert_true(fh_size_times(SIZE_MAX / 3, 3, &n));
    assert_int_equal(n, SIZE_MAX / 3 * 3);
    assert_false(fh_size_times(SIZE_MAX / 2 + 1, 2, &n));
    assert_true(fh_size_round_up(0, 16, &n));
    assert_int_equal(n, 0);
    assert_true(fh_size_round_up(17, 16, &n));
    assert_int_equal(n, 32);
    assert_false(fh_size_round_up(SIZE_MAX - 14, 16, &n));
}

/* Elements stay what they were through all growth. */
static void test_arrays(void **unused) {
    (void)unused;
    enum { MANY = 700001 }; /* 2.7 MB: the last ones are in large pages */
    uint32_t *by_capacity = NULL, *by_count = NULL;
    size_t capacity = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        assert_true(fh_grow(&by_capacity, &capacity, i + 1, sizeof *by_capacity));
        assert_true(fh_grow_by_one(&by_count, i, sizeof *by_count));
        assert_true(capacity > i);
        by_capacity[i] = by_count[i] = i * i;
    }
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(by_capacity[i], i * i);
        assert_int_equal(by_count[i], i * i);
    }
    free(by_capacity);
    free(by_count);
}

/* Without memory, or with a size that is none, everything is as before. */
static void test_arrays_refused(void **unused) {
    (void)unused;
    uint64_t *array = NULL;
    size_t capacity = 0;
    assert_true(fh_grow(&array, &capacity, 1, sizeof *array));
    array[0] = 42;
    uint64_t *const before = array;
    const size_t capacity_before = capacity;
    refuse_after(0, false);
    bool grew = fh_grow(&array, &capacity, capacity + 1, sizeof *array);
    bool grew_by_one = fh_grow_by_one(&array, 1, sizeof *array);
    assert_true(refuse_end());
    assert_false(grew || grew_by_one);
    assert_false(fh_grow(&array, &capacity, SIZE_MAX / 8 + 1, sizeof *array));
    assert_false(fh_grow_by_one(&array, SIZE_MAX / 8 / 2 + 1, sizeof *array));
    assert_ptr_equal(array, before);
    assert_int_equal(capacity, capacity_before);
    assert_int_equal(array[0], 42);
    free(array);
}

static void test_bytes(void **unused) {
    (void)unused;
    static const uint8_t expected[] = {1, 0, 0x34, 0x12, 0x78, 0x56, 0x34, 0x12, 8, 7, 6, 5,
                                       4, 3, 2,    1,    'a',  'b',  0,    0,    0, 0, 0, 0};
    struct fh_bytes b = {0};
    fh_bytes_u8(&b, 1);
    fh_bytes_put(&b, NULL, 1);
    fh_bytes_u16(&b, 0x1234);
    fh_bytes_u32(&b, 0x12345678);
    fh_bytes_u64(&b, UINT64_C(0x0102030405060708));
    fh_bytes_put(&b, "ab", 2);
    fh_bytes_align(&b, 8);
    fh_bytes_align(&b, 8);
    assert_false(b.failed);
    assert_int_equal(b.count, sizeof expected);
    assert_memory_equal(b.data, expected, sizeof expected);
    fh_bytes_free(&b);
    assert_null(b.data);
    assert_int_equal(b.count, 0);
}

/* What is put behind a refused allocation is dropped, and what was there stays. */
static void test_bytes_refused(void **unused) {
    (void)unused;
    uint8_t large[1000] = {7};
    struct fh_bytes b = {0};
    fh_bytes_u32(&b, 5);
    refuse_after(0, true);
    fh_bytes_put(&b, large, sizeof large);
    assert_true(refuse_end());
    fh_bytes_u8(&b, 9);
    assert_true(b.failed);
    assert_int_equal(b.count, 4);
    assert_int_equal(b.data[0], 5);
    fh_bytes_free(&b);
}

static void test_arena(void **unused) {
    (void)unused;
    static const size_t sizes[] = {1, 0, 100, 70000, 16, 20000, 3};
    struct fh_arena arena = {0};
    unsigned char *parts[200];
    for (unsigned i = 0; i < 200; i++) {
        const size_t size = sizes[i % 7];
        parts[i] = fh_arena_alloc(&arena, size);
        assert_non_null(parts[i]);
        assert_int_equal((uintptr_t)parts[i] % 16, 0);
        memset(parts[i], (int)i, size);
    }
    for (unsigned i = 0; i < 200; i++)
        for (size_t k = 0; k < sizes[i % 7]; k++)
            assert_int_equal(parts[i][k], i);
    assert_null(fh_arena_alloc(&arena, SIZE_MAX - 3));
    assert_null(fh_arena_alloc(&arena, SIZE_MAX - 40));
    refuse_after(0, false);
    void *refused = fh_arena_alloc(&arena, 1 << 20);
    assert_true(refuse_end());
    assert_null(refused);
    assert_non_null(fh_arena_alloc(&arena, 1 << 20));
    fh_arena_free(&arena);
}

/* Many chunks, of all sizes that there are, and nothing of one runs into another. */
static void test_large_arena(void **unused) {
    (void)unused;
    enum { PARTS = 30000, BYTES = 1000 };
    struct fh_arena arena = {0};
    static uint32_t *parts[PARTS];
    for (uint32_t i = 0; i < PARTS; i++) {
        parts[i] = fh_arena_alloc(&arena, BYTES);
        assert_non_null(parts[i]);
        for (uint32_t k = 0; k < BYTES / 4; k++)
            parts[i][k] = i ^ k << 16;
    }
    for (uint32_t i = 0; i < PARTS; i++)
        for (uint32_t k = 0; k < BYTES / 4; k++)
            assert_int_equal(parts[i][k], i ^ k << 16);
    fh_arena_free(&arena);
}

/* Blocks on both sides of the size from which they are in large pages, and sizes that are none. */
static void test_large_blocks(void **unused) {
    (void)unused;
    static const size_t sizes[] = {1, FH_LARGE_BLOCK - 1, FH_LARGE_BLOCK, FH_LARGE_PAGE,
                                   FH_LARGE_PAGE + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char *block = fh_large_alloc(sizes[i]);
        assert_non_null(block);
        if (sizes[i] >= FH_LARGE_BLOCK)
            assert_int_equal((uintptr_t)block % FH_LARGE_PAGE, 0);
        memset(block, 0x5a, sizes[i]);
        block = realloc(block, sizes[i] / 2 + 1); /* it is malloc's as any other */
        assert_non_null(block);
        assert_int_equal(block[sizes[i] / 2], 0x5a);
        free(block);
        refuse_after(0, false);
        block = fh_large_alloc(sizes[i]);
        assert_true(refuse_end());
        assert_null(block);
    }
    assert_null(fh_large_alloc(SIZE_MAX));
    assert_null(fh_large_alloc(SIZE_MAX / 2));
}

/* Every size of the buffer: as much as fits, a NUL behind it, the length of all. */
static void test_fixed_text(void **unused) {
    (void)unused;
    static const char whole[] = "ab 12, cdef.";
    for (size_t size = 0; size < sizeof whole + 3; size++) {
        char text[sizeof whole + 4];
        memset(text, '#', sizeof text);
        struct fh_fixed_text to = {size ? text : NULL, size, 0};
        fh_fixed_puts(&to, "ab");
        fh_fixed_print(&to, " %d, %s", 12, "cd");
        fh_fixed_put(&to, "efgh", 2);
        fh_fixed_print(&to, "%c", '.');
        assert_int_equal(fh_fixed_end(&to), sizeof whole - 1);
        const size_t there = size < sizeof whole ? size : sizeof whole;
        if (there) {
            assert_memory_equal(text, whole, there - 1);
            assert_int_equal(text[there - 1], 0);
        }
        for (size_t i = there > size ? there : size; i < sizeof text; i++)
            assert_int_equal(text[i], '#');
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),          cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_arrays_refused), cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_bytes_refused),  cmocka_unit_test(test_arena),
        cmocka_unit_test(test_fixed_text),     cmocka_unit_test(test_large_arena),
        cmocka_unit_test(test_large_blocks),
    };
    return cmocka_run_group_tests_name("base_oom", tests, NULL, NULL);
}
