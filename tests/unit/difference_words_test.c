/* Boundaries of the sentences about sets of indices, wrong values and wrong matrices: each is said
 * in the least array that it is true of, and not said in one that is an element smaller. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "matrix_pattern.h"
#include "pattern.h"
#include "values.h"

enum { MOST = 24, END = -1 };

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* ---------------------------------------------------------------- sets */

struct set {
    size_t count, columns;
    const char *text;
    int indices[MOST]; /* END behind the last */
};

static void describes(const struct set *sets, size_t count) {
    for (size_t s = 0; s < count; s++) {
        const struct fh_array_shape shape = {
            .count = sets[s].count, .columns = sets[s].columns, .row = "row"};
        size_t indices[MOST], n = 0;
        char got[FH_PATTERN_TEXT];
        for (; sets[s].indices[n] != END; n++)
            indices[n] = (size_t)sets[s].indices[n];
        fh_pattern_describe(indices, n, &shape, got);
        assert_string_equal(got, sets[s].text);
    }
}

static void ranges(void **state) {
    (void)state;
    static const struct set sets[] = {
        {4, 0, "all elements", {0, 1, 2, 3, END}},
        {5, 0, "all up to index 3", {0, 1, 2, 3, END}},
        {5, 0, "all from index 1 on", {1, 2, 3, 4, END}},
        {6, 0, "indices 1 to 4", {1, 2, 3, 4, END}},
        {5, 0, "all up to index 1", {0, 1, END}},
        {5, 0, "all from index 3 on", {3, 4, END}},
        {1, 0, "", {0, END}},
        {12, 4, "row 0", {0, 1, 2, 3, END}},
        {12, 4, "row 2", {8, 9, 10, 11, END}},
        {12, 4, "rows 1 to 2", {4, 5, 6, 7, 8, 9, 10, 11, END}},
        {12, 4, "columns 1 to 3 of row 0", {1, 2, 3, END}},
        {12, 4, "columns 0 to 1 of row 0", {0, 1, END}},
        {12, 4, "columns 0 to 2 of row 2", {8, 9, 10, END}},
        {12, 4, "columns 2 to 3 of row 2", {10, 11, END}},
        {12, 4, "all up to index 4", {0, 1, 2, 3, 4, END}},
        {12, 4, "indices 3 to 4", {3, 4, END}},
        {12, 4, "all from index 7 on", {7, 8, 9, 10, 11, END}},
        {12, 4, "indices 4 to 8", {4, 5, 6, 7, 8, END}},
        {12, 4, "indices 3 to 7", {3, 4, 5, 6, 7, END}},
        {12, 12, "indices 4 to 7", {4, 5, 6, 7, END}},
        {12, 11, "columns 4 to 7 of row 0", {4, 5, 6, 7, END}},
        {12, 1, "indices 4 to 7", {4, 5, 6, 7, END}},
        {12, 2, "rows 2 to 3", {4, 5, 6, 7, END}},
    };
    describes(sets, COUNT_OF(sets));
}

static void progressions(void **state) {
    (void)state;
    static const struct set sets[] = {
        {10, 0, "all with index mod 3 = 1", {1, 4, 7, END}},
        {11, 0, "index = 1 + 3 i, i < 3", {1, 4, 7, END}},
        {9, 0, "all with index mod 3 = 0", {0, 3, 6, END}},
        {10, 0, "index = 0 + 3 i, i < 3", {0, 3, 6, END}},
        {10, 0, "index = 3 + 3 i, i < 3", {3, 6, 9, END}},
        {10, 0, "all with index mod 3 = 2", {2, 5, 8, END}},
        {8, 0, "every second block of 2, from index 2 on", {2, 3, 6, 7, END}},
        {8, 0, "every second block of 2, from index 0 on", {0, 1, 4, 5, END}},
        {8, 0, "all with index mod 4 from 1 to 2", {1, 2, 5, 6, END}},
        {12, 0, "block 2 of every 3 blocks of 2", {4, 5, 10, 11, END}},
        {12, 0, "block 0 of every 3 blocks of 2", {0, 1, 6, 7, END}},
        {10, 0, "all with index mod 5 from 2 to 3", {2, 3, 7, 8, END}},
        {10, 0, "all with index mod 5 from 0 to 1", {0, 1, 5, 6, END}},
        {12, 4, "column 1", {1, 5, 9, END}},
        {12, 4, "column 1 of rows 0 to 1", {1, 5, END}},
        {12, 4, "column 1 of rows 1 to 2", {5, 9, END}},
        {12, 4, "columns 1 to 2", {1, 2, 5, 6, 9, 10, END}},
        {12, 4, "columns 2 to 3 of rows 0 to 1", {2, 3, 6, 7, END}},
        {12, 4, "columns 2 to 3", {2, 3, 6, 7, 10, 11, END}},
        {12, 4, "index = 3 + i + 4 j, i < 2, j < 2", {3, 4, 7, 8, END}},
        {24, 4, "rows whose number mod 2 = 1", {4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, END}},
        {24, 4, "rows whose number mod 2 = 0", {0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, END}},
        {24, 4, "rows 0 to 2 in steps of 2", {0, 1, 2, 3, 8, 9, 10, 11, END}},
        {24, 4, "rows 2 to 4 in steps of 2", {8, 9, 10, 11, 16, 17, 18, 19, END}},
        {24, 4, "rows 1 to 3 in steps of 2", {4, 5, 6, 7, 12, 13, 14, 15, END}},
        {24, 4, "rows whose number mod 3 = 1", {4, 5, 6, 7, 16, 17, 18, 19, END}},
        {24, 4, "rows whose number mod 3 = 0", {0, 1, 2, 3, 12, 13, 14, 15, END}},
        {24, 4, "index = 0 + i + 6 j, i < 4, j < 3", {0, 1, 2, 3, 6, 7, 8, 9, 12, 13, 14, 15, END}},
        {24, 4, "index = 1 + i + 8 j, i < 4, j < 2", {1, 2, 3, 4, 9, 10, 11, 12, END}},
        {32,
         0,
         "index = 0 + i + 4 j + 16 k, i < 2, j < 2, k < 2",
         {0, 1, 4, 5, 16, 17, 20, 21, END}},
        {40,
         0,
         "index = 1 + 2 i + 6 j + 20 k, i < 2, j < 2, k < 2",
         {1, 3, 7, 9, 21, 23, 27, 29, END}},
    };
    describes(sets, COUNT_OF(sets));
}

static void covers(void **state) {
    (void)state;
    static const struct set sets[] = {
        {12, 0, "3 of the 4 elements of: index mod 3 = 1", {1, 4, 10, END}},
        {10, 0, "3 of the 4 elements of: index mod 3 = 0", {0, 3, 9, END}},
        {12, 0, "3 of the 4 elements of: index mod 3 = 2", {2, 5, 11, END}},
        {13, 0, "3 of the 5 elements of: index mod 3 = 0", {0, 3, 9, END}},
        {15, 0, "3 of the 4 elements of: index mod 4 = 0", {0, 4, 12, END}},
        {8, 0, "3 of the 4 elements of: index mod 2 = 0", {0, 2, 6, END}},
        {12, 3, "3 of the 4 elements of: column 1", {1, 4, 10, END}},
        {8, 0, "3 of the 4 elements of: index mod 4 from 0 to 1", {0, 1, 5, END}},
        {9, 0, "3 of the 5 elements of: index mod 4 from 0 to 1", {0, 1, 5, END}},
        {10, 0, "4 of the 6 elements of: index mod 4 from 0 to 1", {0, 1, 5, 9, END}},
        {11, 0, "3 of the 5 elements of: index mod 4 from 2 to 3", {2, 3, 7, END}},
        {7, 0, "3 of the 6 elements of: all up to index 5", {0, 1, 5, END}},
        {24, 0, "4 of the 12 elements of: index mod 8 from 3 to 6", {3, 4, 13, 22, END}},
        {24, 4, "4 of the 12 elements of: rows 1 to 3", {5, 6, 8, 14, END}},
        {24, 6, "4 of the 8 elements of: columns 1 to 2", {1, 2, 7, 14, END}},
        {24, 0, "4 of the 14 elements of: indices 1 to 14", {1, 2, 7, 14, END}},
        {8, 0, "indices from 0 to 7, in no simple pattern", {0, 3, 7, END}},
        {9, 0, "3 of the 8 elements of: all up to index 7", {0, 3, 7, END}},
        {1 << 20,
         0,
         "3 of the 32 elements of: index mod 65536 from 0 to 1",
         {0, 1, 3 * 65536 + 1, END}},
        {1 << 20,
         0,
         "3 of the 32 elements of: index mod 65536 from 0 to 1",
         {0, 1, 3 * 131072 + 1, END}},
        {128, /* four levels are not told as a sum */
         0,
         "16 of the 44 elements of: index mod 64 from 0 to 21",
         {0, 1, 4, 5, 16, 17, 20, 21, 64, 65, 68, 69, 80, 81, 84, 85, END}},
    };
    describes(sets, COUNT_OF(sets));
}

/* 2^n indices whose digits to the base 3 are 0 and 1: n levels, of which there are six. */
static void levels(void **state) {
    (void)state;
    size_t indices[128];
    struct fh_progression p;
    for (size_t i = 0; i < 128; i++) {
        indices[i] = 7;
        for (size_t bit = 0, power = 1; bit < 7; bit++, power *= 3)
            indices[i] += (i >> bit & 1) * power;
    }
    for (size_t n = 0; n < 8; n++) {
        assert_int_equal(fh_progression_find(indices, (size_t)1 << n, &p), n <= 6);
        assert_int_equal(p.first, 7);
        for (size_t i = 0, power = 1; i < n && n <= 6; i++, power *= 3) {
            assert_int_equal(p.levels, n);
            assert_int_equal(p.count[i], 2);
            assert_int_equal(p.stride[i], power);
        }
    }
    static const size_t no_sums[][7] = {{3, 0, 1, 3}, {5, 0, 1, 2, 4, 5}, {6, 0, 1, 2, 4, 5, 7}};
    for (size_t i = 0; i < COUNT_OF(no_sums); i++)
        assert_false(fh_progression_find(no_sums[i] + 1, no_sums[i][0], &p));
}

/* ---------------------------------------------------------------- values */

enum { ELEMENTS = 16, MANY = 8400 };

static uint64_t element(const void *array, size_t index) {
    return ((const uint64_t *)array)[index];
}

struct values {
    uint64_t got[ELEMENTS], want[ELEMENTS];
    size_t columns;
    unsigned width;
};

static struct values values_of(unsigned width, size_t columns) {
    struct values v = {.columns = columns, .width = width};
    for (size_t i = 0; i < ELEMENTS; i++)
        v.got[i] = v.want[i] = 100 + i * i * i;
    return v;
}

static void said(const struct values *v, const char *text) {
    const struct fh_array_shape shape = {.count = ELEMENTS, .columns = v->columns, .row = "row"};
    const struct fh_wrong_values values = {element, v->got, v->want, v->width};
    size_t indices[ELEMENTS], count = 0;
    char got[FH_PATTERN_TEXT];
    for (size_t i = 0; i < ELEMENTS; i++)
        if (v->got[i] != v->want[i])
            indices[count++] = i;
    fh_values_describe(&values, indices, count, &shape, got);
    assert_string_equal(got, text);
}

/* All wrong elements differ by the number. */
static void apart(unsigned width, uint64_t number, size_t count, const char *text) {
    const uint64_t mask = width == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * width) - 1;
    struct values v = values_of(width, 4);
    char sentence[120] = "";
    for (size_t i = 0; i < ELEMENTS; i++) {
        v.want[i] &= mask;
        v.got[i] = i % 5 == 1 && i < 5 * count ? (v.want[i] + number) & mask : v.want[i];
    }
    if (text)
        snprintf(sentence, sizeof sentence, "what is there minus what is expected is %s%s", text,
                 count > 1 ? " everywhere" : "");
    said(&v, sentence);
}

static void numbers(void **state) {
    (void)state;
    apart(4, 1, 3, "1");
    apart(4, 255, 3, "255");
    apart(4, 256, 3, "2^8");
    apart(4, 257, 3, "257");
    apart(4, 384, 3, "384");
    apart(4, 0 - UINT64_C(1), 3, "-1");
    apart(4, 0 - UINT64_C(255), 3, "-255");
    apart(4, 0 - UINT64_C(256), 2, "-2^8");
    apart(4, UINT64_C(0x7fffffff), 2, "2147483647");
    apart(4, UINT64_C(0x80000000), 2, "-2^31");
    apart(2, 0x7fff, 2, "32767");
    apart(2, 0x8001, 2, "-32767");
    apart(1, 0x7f, 2, "127");
    apart(1, 0x80, 2, "-128");
    apart(8, UINT64_C(1) << 62, 2, "2^62");
    apart(8, UINT64_C(1) << 63, 2, "-2^63");
    /* one index: only what is large says something */
    apart(8, UINT64_C(1) << 32, 1, "2^32");
    apart(8, 0 - (UINT64_C(1) << 32), 1, "-2^32");
    apart(8, UINT64_C(3) << 32, 1, "12884901888");
    apart(8, (UINT64_C(1) << 32) + 1, 1, NULL);
    apart(8, UINT64_C(1) << 31, 1, NULL);
}

static void equal_values(void **state) {
    (void)state;
    struct values v = values_of(4, 4);
    v.got[3] = 5;
    said(&v, ""); /* one value says itself */
    v.got[9] = 5;
    said(&v, "all of them are 0x5");
    v.got[10] = 6;
    said(&v, "");
    v.got[10] = 5;
    v.got[9] = 6;
    said(&v, "");
    v.got[9] = 5;
    v.got[3] = 6;
    said(&v, "");
}

static void places_of_values(void **state) {
    (void)state;
    static const char transposed[] = "what is at [i, j] is expected at [j, i]: transposed";
    struct values v = values_of(4, 4);
    for (size_t i = 0; i < ELEMENTS; i++)
        v.got[i] = v.want[i % 4 * 4 + i / 4];
    said(&v, transposed);
    v.columns = 0;
    said(&v, "");
    v.columns = 8;
    said(&v, "");
    v.columns = 4;
    v.got[1] = 7; /* the first of them */
    said(&v, "");
    v = values_of(4, 4);
    v.got[1] = v.want[4];
    v.got[4] = v.want[1];
    said(&v, ""); /* two are too few */
    v.got[2] = v.want[8];
    said(&v, transposed);

    v = values_of(4, 4);
    for (size_t i = 3; i < ELEMENTS; i++)
        v.got[i] = v.want[i - 3];
    said(&v, "what is at index i is expected at index i - 3");
    for (size_t i = 0; i < ELEMENTS; i++)
        v.got[i] = i < 13 ? v.want[i + 3] : v.want[i];
    said(&v, "what is at index i is expected at index i + 3");
    v.got[0] = 7; /* the first of them */
    said(&v, "");

    v = values_of(4, 4);
    for (size_t i = 0; i < 3; i++)
        v.got[i] = v.want[13 + i];
    v.got[4] = v.got[5] = 7;
    said(&v, "what is at index i is expected at index i + 13"); /* three of five */
    v.got[6] = 7;
    said(&v, ""); /* three of six */
    v = values_of(4, 4);
    v.got[0] = v.want[14];
    v.got[1] = v.want[15];
    v.got[4] = 7;
    said(&v, ""); /* two of three */
}

/* Nobody looks further than 4096 elements. */
static void far_away(void **state) {
    (void)state;
    static uint64_t got[MANY], want[MANY];
    size_t indices[100];
    char text[FH_PATTERN_TEXT];
    const struct fh_array_shape shape = {.count = MANY, .row = "row"};
    const struct fh_wrong_values values = {element, got, want, 8};
    for (size_t by = 4096; by <= 4097; by++) {
        for (size_t i = 0; i < MANY; i++)
            got[i] = want[i] = (i + 1) * (i + 3) * UINT64_C(7919);
        for (size_t i = 0; i < 100; i++)
            got[indices[i] = i] = want[i + by];
        fh_values_describe(&values, indices, 100, &shape, text);
        assert_string_equal(text,
                            by == 4096 ? "what is at index i is expected at index i + 4096" : "");
    }
}

/* ---------------------------------------------------------------- matrices */

struct matrix {
    size_t rows, columns, first;
    uint64_t modulus;
    uint64_t got[MOST * MOST], want[MOST * MOST];
};

static struct matrix matrix_of(size_t rows, size_t columns) {
    struct matrix m = {.rows = rows, .columns = columns};
    for (size_t j = 0; j < columns; j++)
        for (size_t i = 0; i < rows; i++)
            m.got[j * rows + i] = m.want[j * rows + i] = 1000 * (i + 1) + 37 * j * j + i * j % 5;
    return m;
}

static uint64_t *at(struct matrix *m, size_t row, size_t column) {
    return &m->got[column * m->rows + row];
}

/* Row i becomes the right one's row order[i]. */
static struct matrix rows_as(size_t rows, size_t columns, const size_t *order) {
    struct matrix m = matrix_of(rows, columns);
    for (size_t j = 0; j < columns; j++)
        for (size_t i = 0; i < rows; i++)
            *at(&m, i, j) = m.want[j * rows + order[i]];
    return m;
}

static void caused(const struct matrix *m, size_t wrong, const char *rows, const char *columns,
                   const char *cause) {
    const struct fh_probed probed = {.rows = m->rows,
                                     .columns = m->columns,
                                     .first_column = m->first,
                                     .got = m->got,
                                     .want = m->want,
                                     .modulus = m->modulus};
    struct fh_matrix_pattern p;
    assert_true(fh_matrix_describe(&probed, &p));
    assert_string_equal(p.cause, cause);
    if (rows) {
        assert_int_equal(p.wrong, wrong);
        assert_string_equal(p.rows, rows);
        assert_string_equal(p.columns, columns);
    }
    size_t row_count = 0, column_count = 0;
    for (size_t i = 0; i < m->rows; i++)
        for (size_t j = 0; j < m->columns; j++)
            if (m->got[j * m->rows + i] != m->want[j * m->rows + i]) {
                assert_int_equal(p.row_list[row_count++], i);
                break;
            }
    for (size_t j = 0; j < m->columns; j++)
        if (memcmp(m->got + j * m->rows, m->want + j * m->rows, 8 * m->rows) != 0)
            assert_int_equal(p.column_list[column_count++], j);
    assert_int_equal(p.row_count, row_count);
    assert_int_equal(p.column_count, column_count);
    fh_matrix_pattern_free(&p);
}

static void orders(void **state) {
    (void)state;
#define OTHER "each row is the right one with another number: "
    static const struct {
        size_t rows, order[12];
        const char *cause;
    } cases[] = {
        {2, {1, 0}, "rows 0 and 1 have changed places"},
        {3, {2, 1, 0}, "rows 0 and 2 have changed places"},
        {3, {1, 2, 0}, OTHER "its number + 1 mod 3"},
        {3, {2, 0, 1}, OTHER "its number + 2 mod 3"},
        {3, {1, 1, 1}, "2 rows are right ones in another order: row 0 is what row 1 should be"},
        {3, {0, 0, 0}, "2 rows are right ones in another order: row 1 is what row 0 should be"},
        {4, {3, 2, 1, 0}, OTHER "its number xor 3"},
        {4, {1, 0, 3, 2}, OTHER "its number xor 1"},
        {4, {0, 2, 1, 3}, "rows 1 and 2 have changed places"},
        {4, {1, 2, 3, 0}, OTHER "its number + 1 mod 4"},
        {4, {2, 3, 0, 1}, OTHER "its number xor 2"},
        {6, {0, 3, 1, 4, 2, 5}, OTHER "that of the 3 x 2 matrix transposed"},
        {6, {0, 2, 4, 1, 3, 5}, OTHER "that of the 2 x 3 matrix transposed"},
        {8, {0, 4, 2, 6, 1, 5, 3, 7}, OTHER "its number with the bits reversed"},
        {8, {0, 4, 1, 5, 2, 6, 3, 7}, OTHER "that of the 4 x 2 matrix transposed"},
        {8, {0, 2, 4, 6, 1, 3, 5, 7}, OTHER "that of the 2 x 4 matrix transposed"},
        {8,
         {2, 1, 5, 3, 4, 0, 6, 7},
         "3 rows are right ones in another order: row 0 is what row 2 should be"},
        {8,
         {0, 2, 4, 6, 1, 3, 7, 5},
         "7 rows are right ones in another order: row 1 is what row 2 should be"},
        {12, {0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11}, OTHER "that of the 3 x 4 matrix transposed"},
        {12, {0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}, OTHER "that of the 4 x 3 matrix transposed"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct matrix m = rows_as(cases[i].rows, 5, cases[i].order);
        caused(&m, 0, NULL, NULL, cases[i].cause);
    }
    struct matrix m = matrix_of(3, 5);
    for (size_t i = 0; i < 3; i++) {
        *at(&m, i, 1) = m.want[3 * 3 + i];
        *at(&m, i, 3) = m.want[3 + i];
    }
    caused(&m, 6, "all elements", "all with index mod 2 = 1",
           "columns 1 and 3 have changed places");
    *at(&m, 2, 3) += 1; /* a column that is like none */
    caused(&m, 6, "all elements", "all with index mod 2 = 1", "");
}

static void other_causes(void **state) {
    (void)state;
    struct matrix m = matrix_of(4, 3);
    caused(&m, 0, "", "", "");
    m.first = 10;
    for (size_t i = 0; i < 4; i += 2)
        for (size_t j = 1; j < 3; j++)
            *at(&m, i, j) ^= (i + 3) * (j + 8);
    caused(&m, 4, "all with index mod 2 = 0", "all from index 11 on", "");
    m = matrix_of(4, 3);
    m.first = 10;
    *at(&m, 2, 1) += 1;
    caused(&m, 1, "index 2", "index 11", "");
    for (size_t j = 0; j < 3; j++)
        *at(&m, 2, j) = 0;
    caused(&m, 3, "index 2", "all from index 10 on", "nothing comes to these rows");
    *at(&m, 2, 2) = 1;
    caused(&m, 3, "index 2", "all from index 10 on", "");
    m = matrix_of(4, 3);
    for (size_t j = 0; j < 3; j++)
        *at(&m, 1, j) = *at(&m, 3, j) = 0;
    caused(&m, 6, "all with index mod 2 = 1", "all elements", "nothing comes to these rows");
    *at(&m, 1, 0) = 1; /* the first one of two is not */
    caused(&m, 6, "all with index mod 2 = 1", "all elements", "");
    m = matrix_of(4, 3);
    for (size_t i = 0; i < 4; i++)
        *at(&m, i, 2) = 0;
    caused(&m, 4, "all elements", "index 2", "these inputs have no part in the result");
    m = matrix_of(4, 4);
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++)
            *at(&m, i, j) = m.want[i * 4 + j];
    caused(&m, 12, "all elements", "all elements", "the matrix is the transposed one");
    *at(&m, 0, 0) += 1;
    caused(&m, 13, "all elements", "all elements", "");
}

/* A row of the right one, what is there instead, and the sentence about that. */
static void factors(void **state) {
    (void)state;
    static const struct {
        uint64_t want[3], got[3], modulus;
        const char *cause; /* %s: row or column */
    } cases[] = {
        {{4, 6, 10}, {8, 12, 20}, 0, "these %ss are the right ones times 2"},
        {{4, 6, 10}, {8, 12, 21}, 0, ""},
        {{4, 6, 10}, {9, 12, 20}, 0, ""},
        {{4, 6, 10}, {6, 9, 15}, 0, "these %ss are the right ones times a constant"},
        {{0, 6, 10}, {0, 12, 20}, 0, "these %ss are the right ones times 2"},
        {{0, 6, 10}, {5, 12, 20}, 0, ""}, /* nothing times two is nothing */
        {{0, 0, 10}, {5, 6, 20}, 0, ""},
        {{0, 0, 0}, {5, 6, 20}, 0, ""},
        {{4, 6, 10}, {0, 6, 0}, 0, ""},
        {{3, 1, 5},
         {4, 6, 2},
         7,
         "these %ss are the right ones times 6"}, /* 18 = 4, 30 = 2 mod 7 */
        {{3, 1, 5}, {4, 6, 2}, 0, ""},
        {{3, 2, 5}, {4, 5, 2}, 7, "these %ss are the right ones times a constant"},
        {{1, 2, 3},
         {UINT64_C(1) << 40, UINT64_C(2) << 40, UINT64_C(3) << 40},
         0,
         "these %ss are the right ones times 1099511627776"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (unsigned columns = 0; columns < 2; columns++) {
            struct matrix m = {.rows = 3, .columns = 3, .modulus = cases[i].modulus};
            char cause[120];
            for (size_t k = 0; k < 9; k++)
                m.got[k] = m.want[k] = 1 + k * k % 6;
            for (size_t k = 0; k < 3; k++) {
                const size_t place = columns ? 3 + k : 3 * k + 1;
                m.want[place] = cases[i].want[k];
                m.got[place] = cases[i].got[k];
            }
            snprintf(cause, sizeof cause, cases[i].cause, columns ? "column" : "row");
            caused(&m, 0, NULL, NULL, cause);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges),           cmocka_unit_test(progressions),
        cmocka_unit_test(covers),           cmocka_unit_test(levels),
        cmocka_unit_test(numbers),          cmocka_unit_test(equal_values),
        cmocka_unit_test(places_of_values), cmocka_unit_test(far_away),
        cmocka_unit_test(orders),           cmocka_unit_test(other_causes),
        cmocka_unit_test(factors),
    };
    return cmocka_run_group_tests_name("difference_words", tests, NULL, NULL);
}
