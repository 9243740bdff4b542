/* Sets of indices in words: exact ones, sets that they are in; how wrong values are related. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "matrix_pattern.h"
#include "pattern.h"
#include "values.h"

static const struct fh_array_shape flat = {.count = 2048, .row = "row"};
static const struct fh_array_shape matrix = {.count = 2048, .columns = 64, .row = "row"};
static const struct fh_array_shape limbs = {.count = 2048, .columns = 512, .row = "limb"};

typedef bool predicate(size_t index);

static void describes(const struct fh_array_shape *shape, predicate *in, const char *text) {
    size_t *indices = malloc(shape->count * sizeof *indices), count = 0;
    char got[FH_PATTERN_TEXT];
    assert_non_null(indices);
    for (size_t i = 0; i < shape->count; i++)
        if (in(i))
            indices[count++] = i;
    fh_pattern_describe(indices, count, shape, got);
    free(indices);
    assert_string_equal(got, text);
}

static bool one(size_t i) {
    return i == 77;
}
static bool all(size_t i) {
    return i < 2048;
}
static bool lane_13(size_t i) {
    return i % 32 == 13;
}
static bool tail(size_t i) {
    return i >= 1900;
}
static bool head(size_t i) {
    return i < 7;
}
static bool middle(size_t i) {
    return i >= 5 && i <= 90;
}
static bool second_block(size_t i) {
    return i / 16 % 2 == 1;
}
static bool third_of_four(size_t i) {
    return i / 8 % 4 == 2;
}
static bool upper_half(size_t i) {
    return i % 64 >= 20 && i % 64 < 30;
}
static bool rows_8_to_15(size_t i) {
    return i / 64 >= 8 && i / 64 <= 15;
}
static bool row_1_and_on(size_t i) {
    return i >= 64 && i <= 200;
}
static bool into_row_3(size_t i) {
    return i >= 70 && i <= 255;
}
static bool up_to_row_1(size_t i) {
    return i <= 100;
}
static bool from_row_30(size_t i) {
    return i >= 30 * 64 + 1;
}
static bool window(size_t i) {
    return i / 64 >= 3 && i / 64 <= 9 && i % 64 >= 5 && i % 64 <= 6;
}
static bool column_5(size_t i) {
    return i % 64 == 5;
}
static bool odd_rows(size_t i) {
    return i / 64 % 2;
}
static bool limb_2(size_t i) {
    return i / 512 == 2;
}
static bool in_limb_3(size_t i) {
    return i >= 3 * 512 + 9 && i < 3 * 512 + 20;
}
static bool two_bits(size_t i) {
    return (i & 1) && (i & 8);
}
static bool two_rests(size_t i) {
    return i % 32 == 13 && i != 45 && i != 109;
}
static bool half_of_rests(size_t i) {
    return i % 32 < 16 && i != 4 && i != 69;
}
static bool columns_8_to_23(size_t i) {
    return i % 64 >= 8 && i % 64 <= 23 && i != 74 && i != 2047 - 40;
}
static bool no_pattern(size_t i) {
    return i * i % 2039 < 200;
}

static void test_exact(void **state) {
    (void)state;
    describes(&flat, one, "");
    describes(&flat, all, "all elements");
    describes(&flat, lane_13, "all with index mod 32 = 13");
    describes(&flat, tail, "all from index 1900 on");
    describes(&flat, head, "all up to index 6");
    describes(&flat, middle, "indices 5 to 90");
    describes(&flat, second_block, "every second block of 16, from index 16 on");
    describes(&flat, third_of_four, "block 2 of every 4 blocks of 8");
    describes(&flat, upper_half, "all with index mod 64 from 20 to 29");
    describes(&flat, two_bits, "index = 9 + 2 i + 16 j, i < 4, j < 128");
    describes(&matrix, rows_8_to_15, "rows 8 to 15");
    describes(&matrix, row_1_and_on, "indices 64 to 200"); /* ends within row 3 */
    describes(&matrix, into_row_3, "indices 70 to 255");   /* begins within row 1 */
    describes(&matrix, up_to_row_1, "all up to index 100");
    describes(&matrix, from_row_30, "all from index 1921 on");
    describes(&matrix, window, "columns 5 to 6 of rows 3 to 9");
    describes(&matrix, column_5, "column 5");
    describes(&matrix, upper_half, "columns 20 to 29");
    describes(&matrix, odd_rows, "rows whose number mod 2 = 1");
    describes(&limbs, limb_2, "limb 2");
    describes(&limbs, in_limb_3, "columns 9 to 19 of limb 3");
}

static void test_covers(void **state) {
    (void)state;
    describes(&flat, two_rests, "62 of the 64 elements of: index mod 32 = 13");
    describes(&flat, half_of_rests, "1022 of the 1024 elements of: index mod 32 from 0 to 15");
    describes(&matrix, columns_8_to_23, "510 of the 512 elements of: columns 8 to 23");
    describes(&flat, no_pattern, "indices from 0 to 2047, in no simple pattern");
}

/* Every sum of two progressions, whatever its numbers, is found as what it is. */
static void test_progressions(void **state) {
    (void)state;
    size_t indices[128];
    for (size_t first = 0; first < 5; first++)
        for (size_t a = 1; a < 6; a++)
            for (size_t n = 2; n < 6; n++)
                for (size_t m = 2; m < 6; m++) {
                    const size_t b = a * n + first; /* further than the inner ones reach */
                    struct fh_progression p;
                    size_t count = 0;
                    for (size_t j = 0; j < m; j++)
                        for (size_t i = 0; i < n; i++)
                            indices[count++] = first + a * i + b * j;
                    assert_true(fh_progression_find(indices, count, &p));
                    assert_int_equal(p.first, first);
                    if (first == 0) { /* one progression after all */
                        assert_int_equal(p.levels, 1);
                        assert_int_equal(p.count[0], n * m);
                        continue;
                    }
                    assert_int_equal(p.levels, 2);
                    assert_int_equal(p.stride[0], a);
                    assert_int_equal(p.count[0], n);
                    assert_int_equal(p.stride[1], b);
                    assert_int_equal(p.count[1], m);
                }
}

static uint64_t element(const void *array, size_t index) {
    return ((const uint64_t *)array)[index];
}

static void values_are(const uint64_t *got, const uint64_t *want, unsigned width,
                       const char *text) {
    const struct fh_array_shape shape = {.count = 16, .columns = 4, .row = "row"};
    const struct fh_wrong_values values = {element, got, want, width};
    size_t indices[16], count = 0;
    char said[FH_PATTERN_TEXT];
    for (size_t i = 0; i < 16; i++)
        if (got[i] != want[i])
            indices[count++] = i;
    fh_values_describe(&values, indices, count, &shape, said);
    assert_string_equal(said, text);
}

static void test_values(void **state) {
    (void)state;
    uint64_t want[16], got[16];
    for (size_t i = 0; i < 16; i++)
        want[i] = got[i] = 1000 + i * i * 37 % 211;
    got[3] = got[9] = got[10] = 5;
    values_are(got, want, 4, "all of them are 0x5");
    for (size_t i = 0; i < 16; i++)
        got[i] = i % 3 ? want[i] : (uint32_t)(want[i] - 97);
    values_are(got, want, 4, "what is there minus what is expected is -97 everywhere");
    for (size_t i = 0; i < 16; i++)
        got[i] = i % 5 ? want[i] : want[i] + (UINT64_C(1) << 32);
    values_are(got, want, 8, "what is there minus what is expected is 2^32 everywhere");
    for (size_t i = 0; i < 16; i++)
        got[i] = want[4 * (i % 4) + i / 4];
    values_are(got, want, 4, "what is at [i, j] is expected at [j, i]: transposed");
    for (size_t i = 0; i < 16; i++)
        got[i] = i < 13 ? want[i + 3] : 1;
    values_are(got, want, 4, "what is at index i is expected at index i + 3");
    for (size_t i = 0; i < 16; i++)
        got[i] = want[i] ^ (i * 7919 + 1);
    values_are(got, want, 4, "");
}

enum { N = 16 };

typedef uint64_t entry_of(size_t row, size_t column);

static uint64_t right(size_t i, size_t j) {
    return 3 + 1000 * i * i + 37 * j + i * j % 11;
}
static uint64_t turned(size_t i, size_t j) {
    return right(j, i);
}
static uint64_t rows_5_and_9(size_t i, size_t j) {
    return right(i == 5 ? 9 : i == 9 ? 5 : i, j);
}
static uint64_t bits_reversed(size_t i, size_t j) {
    return right(i, (j & 1) << 3 | (j & 2) << 1 | (j & 4) >> 1 | (j & 8) >> 3);
}
static uint64_t columns_as_2_x_8(size_t i, size_t j) {
    return right(i, j % 8 * 2 + j / 8);
}
static uint64_t columns_as_8_x_2(size_t i, size_t j) {
    return right(i, j % 2 * 8 + j / 2);
}
static uint64_t rows_as_4_x_4(size_t i, size_t j) {
    return right(i % 4 * 4 + i / 4, j);
}
static uint64_t rows_xor_5(size_t i, size_t j) {
    return right(i ^ 5, j);
}
static uint64_t next_row(size_t i, size_t j) {
    return right((i + 1) % N, j);
}
static uint64_t row_3_times_5(size_t i, size_t j) {
    return right(i, j) * (i == 3 ? 5 : 1) % 1000003;
}
static uint64_t without_7(size_t i, size_t j) {
    return i == 7 ? 0 : right(i, j);
}
static uint64_t unread(size_t i, size_t j) {
    return j == 2 ? 0 : right(i, j);
}
static uint64_t noise(size_t i, size_t j) {
    return right(i, j) ^ (i * 31 + j * 7) % 5;
}

static void matrix_is(entry_of *entry, uint64_t modulus, const char *cause) {
    uint64_t got[N * N], want[N * N];
    struct fh_matrix_pattern pattern;
    for (size_t j = 0; j < N; j++)
        for (size_t i = 0; i < N; i++) {
            got[j * N + i] = entry(i, j);
            want[j * N + i] = right(i, j);
        }
    const struct fh_probed probed = {
        .rows = N, .columns = N, .got = got, .want = want, .modulus = modulus};
    assert_true(fh_matrix_describe(&probed, &pattern));
    assert_string_equal(pattern.cause, cause);
    fh_matrix_pattern_free(&pattern);
}

static void test_matrices(void **state) {
    (void)state;
    matrix_is(right, 0, "");
    matrix_is(noise, 0, "");
    matrix_is(turned, 0, "the matrix is the transposed one");
    matrix_is(rows_5_and_9, 0, "rows 5 and 9 have changed places");
    matrix_is(next_row, 0, "each row is the right one with another number: its number + 1 mod 16");
    matrix_is(rows_xor_5, 0, "each row is the right one with another number: its number xor 5");
    matrix_is(columns_as_2_x_8, 0,
              "each column is the right one with another number: that of the 2 x 8 matrix "
              "transposed");
    matrix_is(columns_as_8_x_2, 0,
              "each column is the right one with another number: that of the 8 x 2 matrix "
              "transposed");
    matrix_is(rows_as_4_x_4, 0,
              "each row is the right one with another number: that of the 4 x 4 matrix "
              "transposed");
    matrix_is(bits_reversed, 0,
              "each column is the right one with another number: its number with the bits "
              "reversed");
    matrix_is(row_3_times_5, 1000003, "these rows are the right ones times 5");
    matrix_is(without_7, 0, "nothing comes to these rows");
    matrix_is(unread, 0, "these inputs have no part in the result");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),        cmocka_unit_test(test_covers),
        cmocka_unit_test(test_progressions), cmocka_unit_test(test_values),
        cmocka_unit_test(test_matrices),
    };
    return cmocka_run_group_tests_name("difference_pattern", tests, NULL, NULL);
}
