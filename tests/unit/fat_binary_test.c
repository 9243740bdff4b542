/*
 * fat_binary_test.c - objects in files of the host: what a writer of the tests puts into containers
 * comes out, plain and packed, whatever stands around them; damage is noticed or changes nothing
 * but what was damaged. The packed forms are also those of blocks written by hand from LZ4's own
 * description.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fat_binary.h"
#include "fat_util.h"
#include "lz4_block.h"

static struct fat_file read_file(const char *path) {
    struct fat_file file = {NULL, 0};
    uint8_t buffer[4096];
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, in)) > 0;)
        fat_put(&file, buffer, n);
    fclose(in);
    return file;
}

/* ---------------------------------------------------------------- LZ4 */

static void blocks_by_hand(void **state) {
    (void)state;
    static const struct {
        const char *block;
        size_t length;
        const char *text;
    } good[] = {
        {"\x50hello", 6, "hello"},
        {"\x11"
         "a\x01\x00\x30xyz",
         8, "aaaaaaxyz"}, /* a match over itself */
        {"\x20"
         "ab\x02\x00\x50"
         "ababa",
         11, &"ababababababa"[2]}, /* the least match */
        {"\xf0\x01"
         "0123456789abcdef",
         18, "0123456789abcdef"},
        {"\x1f"
         "a\x01\x00\x02\x10"
         "b",
         7, "aaaaaaaaaaaaaaaaaaaaaab"}, /* 1 + (4 + 15 + 2), b */
    };
    for (unsigned i = 0; i < sizeof good / sizeof good[0]; i++) {
        size_t size = strlen(good[i].text);
        uint8_t *block = malloc(good[i].length), *to = malloc(size);
        assert_true(block && to);
        memcpy(block, good[i].block, good[i].length);
        assert_true(fh_lz4_unpack(block, good[i].length, to, size));
        assert_memory_equal(to, good[i].text, size);
        for (size_t cut = 0; cut < good[i].length; cut++) /* of no part the same comes out */
            assert_false(fh_lz4_unpack(block, cut, to, size));
        assert_false(fh_lz4_unpack(block, good[i].length, to, size - 1));
        free(block);
        free(to);
    }
    uint8_t to[64];
    static const char zero_back[] = "\x10"
                                    "a\x00\x00\x30xyz",
                      far_back[] = "\x10"
                                   "a\x02\x00\x30xyz";
    assert_false(fh_lz4_unpack((const uint8_t *)zero_back, 8, to, 8));
    assert_false(fh_lz4_unpack((const uint8_t *)far_back, 8, to, 8));
    assert_true(fh_lz4_unpack((const uint8_t *)"", 0, to, 0));
}

/* ---------------------------------------------------------------- containers */

static void expect(struct fh_fat_search *search, unsigned architecture,
                   const struct fat_file *object) {
    struct fh_fat_object found;
    const char *why;
    assert_true(fh_fat_next(search, &found));
    assert_int_equal(found.architecture, architecture);
    assert_int_equal(found.size - (found.flags == 0x11 ? found.size - object->length : 0),
                     object->length); /* plain ones are padded */
    uint8_t *bytes = fh_fat_unpack(&found, &why);
    assert_non_null(bytes);
    assert_memory_equal(bytes, object->bytes, object->length);
    free(bytes);
}

static void objects_come_out(void **state) {
    (void)state;
    struct fat_file x = read_file("tests/cuda/bits.O3.cubin"),
                    y = read_file("tests/cuda/wide.O1.cubin"), file = {NULL, 0};
    fat_put(&file, "\177ELF and\x50\xed\x55\xba\x01", 13); /* odd places, what begins like one */
    size_t c = fat_begin(&file);
    fat_add(&file, c, 2, 75, FAT_LZ4, y.bytes, 100);
    fat_add(&file, c, 1, 80, FAT_PLAIN, ".version 8.0", 12); /* PTX */
    fat_add(&file, c, 2, 80, FAT_LZ4, x.bytes, x.length);
    fat_put(&file, "between", 7);
    (void)fat_begin(&file); /* an empty one */
    c = fat_begin(&file);
    fat_add(&file, c, 2, 80, FAT_ZSTD, y.bytes, y.length);
    fat_add(&file, c, 2, 90, FAT_PLAIN, x.bytes, x.length);
    fat_put(&file, "\x50\xed\x55\xba\x01\x00\x10\x00", 8);  /* its size is not there any more */
    assert_true(file.length < x.length * 2 + y.length * 2); /* something was packed */
    struct fh_fat_search search = {.bytes = file.bytes, .length = file.length};
    struct fh_fat_object none;
    struct fat_file head = {y.bytes, 100};
    expect(&search, 75, &head);
    expect(&search, 80, &x);
    expect(&search, 80, &y);
    expect(&search, 90, &x);
    assert_false(fh_fat_next(&search, &none));
    assert_false(fh_fat_next(&search, &none));
    free(file.bytes);
    free(x.bytes);
    free(y.bytes);
}

/* Sizes that cannot be. */
static void bad_sizes(void **state) {
    (void)state;
    static const struct {
        unsigned at, bytes;
        uint64_t value;
        int objects; /* that are still found; -1: one, but it cannot be unpacked */
    } cases[] = {
        {8, 8, UINT64_MAX, 0}, /* the container's */
        {16 + 4, 4, 63, 0},    /* the header of an entry */
        {16 + 4, 4, UINT32_MAX, 0},
        {16 + 8, 8, UINT64_MAX - 63, 0}, /* the entry's */
        {16 + 16, 4, 1 << 20, -1},       /* when packed */
        {16 + 56, 8, UINT64_MAX, -1},    /* when unpacked */
        {16 + 56, 8, UINT64_C(1) << 40, -1},
        {16 + 56, 8, 999, -1},
        {16 + 56, 8, 1001, -1},
    };
    uint8_t bytes[1000];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * i >> 3);
    for (unsigned packing = FAT_LZ4; packing <= FAT_ZSTD; packing++) {
        for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            struct fat_file file = {NULL, 0};
            struct fh_fat_object object;
            const char *why = "";
            fat_add(&file, fat_begin(&file), 2, 80, packing, bytes, sizeof bytes);
            for (unsigned b = 0; b < cases[i].bytes; b++)
                file.bytes[cases[i].at + b] = (uint8_t)(cases[i].value >> 8 * b);
            struct fh_fat_search search = {.bytes = file.bytes, .length = file.length};
            bool found = fh_fat_next(&search, &object);
            assert_int_equal(found, cases[i].objects != 0);
            if (found)
                assert_null(fh_fat_unpack(&object, &why));
            assert_non_null(why);
            free(file.bytes);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_by_hand),
        cmocka_unit_test(objects_come_out),
        cmocka_unit_test(bad_sizes),
    };
    return cmocka_run_group_tests_name("fat_binary", tests, NULL, NULL);
}
