/*
 * cli_data_test.c - data files: .npy headers against bytes written by hand, hostile headers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "data_file.h"
#include "elements.h"
#include "npy.h"
#include "output.h"

static const struct fh_cli quiet = {.command = "test", .silent = true};

/* A header as NumPy 1.24 writes it for np.arange(6, dtype='<u4').reshape(2, 3). */
static const char numpy_2x3[] = "\x93NUMPY\x01\x00v\x00"
                                "{'descr': '<u4', 'fortran_order': False, 'shape': (2, 3), }"
                                "                                                          \n";

/* The file begins with `start` bytes of header and the text as its dictionary. */
static size_t make_npy(uint8_t *bytes, uint8_t version, const char *dictionary) {
    size_t length = strlen(dictionary), prefix = version == 1 ? 10 : 12;
    memcpy(bytes, "\x93NUMPY", 6);
    bytes[6] = version;
    bytes[7] = 0;
    memset(bytes + 8, 0, 4);
    bytes[8] = (uint8_t)length;
    bytes[9] = (uint8_t)(length >> 8);
    memcpy(bytes + prefix, dictionary, length);
    return prefix + length;
}

static bool parse(const char *dictionary, uint8_t version, struct fh_cli_data *data) {
    uint8_t bytes[1024];
    char why[200] = "";
    size_t start = 0, length = make_npy(bytes, version, dictionary);
    bool good = fh_cli_npy_parse(bytes, length, data, &start, why, sizeof why);
    if (good)
        assert_int_equal(start, length);
    return good;
}

/* What is said about the first `length` bytes; "" if they are a header. */
static const char *reason(const uint8_t *bytes, size_t length) {
    static char why[200];
    struct fh_cli_data data = {0};
    size_t start;
    why[0] = 0;
    return fh_cli_npy_parse(bytes, length, &data, &start, why, sizeof why) ? "" : why;
}

static void numpy_header(void **state) {
    (void)state;
    struct fh_cli_data data = {.count = 6, .width = 4, .dims = 2, .shape = {2, 3}};
    uint8_t header[FH_CLI_NPY_HEADER];
    assert_int_equal(sizeof numpy_2x3 - 1, 128);
    assert_int_equal(fh_cli_npy_header(&data, header), 128);
    assert_memory_equal(header, numpy_2x3, 128);

    struct fh_cli_data read = {0};
    char why[200];
    size_t start;
    assert_true(fh_cli_npy_parse((const uint8_t *)numpy_2x3, 128, &read, &start, why, sizeof why));
    assert_int_equal(start, 128);
    assert_int_equal(read.count, 6);
    assert_int_equal(read.width, 4);
    assert_int_equal(read.dims, 2);
    assert_int_equal(read.shape[0], 2);
    assert_int_equal(read.shape[1], 3);
}

/* Whatever shape is written, the same one is read. */
static void headers_come_back(void **state) {
    (void)state;
    static const char *const names[] = {"u8",  "u16", "u32", "u64", "i8", "i16",
                                        "i32", "i64", "f16", "f32", "f64"};
    for (unsigned dims = 0; dims <= FH_CLI_MAX_DIMS; dims++)
        for (unsigned type = 0; type < sizeof names / sizeof names[0]; type++) {
            struct fh_cli_data data = {.dims = dims, .count = 1}, read = {0};
            uint8_t header[FH_CLI_NPY_HEADER];
            char why[200];
            size_t start;
            assert_true(fh_cli_data_named_type(names[type], &data));
            for (unsigned i = 0; i < dims; i++) {
                data.shape[i] = 10 * i + 3;
                data.count *= data.shape[i];
            }
            size_t length = fh_cli_npy_header(&data, header);
            assert_int_equal(length % 64, 0);
            assert_true(fh_cli_npy_parse(header, length, &read, &start, why, sizeof why));
            assert_int_equal(start, length);
            assert_int_equal(read.width, data.width);
            assert_int_equal(read.kind, data.kind);
            assert_int_equal(read.dims, dims);
            assert_int_equal(read.count, data.count);
            assert_memory_equal(read.shape, data.shape, dims * sizeof *data.shape);
        }
}

static void other_writers(void **state) {
    (void)state;
    struct fh_cli_data data = {0};
    assert_true(parse("{'descr':'<u8','fortran_order':False,'shape':(7,)}\n", 1, &data));
    assert_int_equal(data.width, 8);
    assert_int_equal(data.count, 7);
    assert_true(parse("{'shape': (2, 3), 'fortran_order': False, 'descr': '<u4'}\n", 2, &data));
    assert_int_equal(data.count, 6);
    assert_true(parse("{'descr': '<u4', 'fortran_order': True, 'shape': (9,), }\n", 3, &data));
    assert_int_equal(data.count, 9);
    assert_true(parse("{'descr': '<u4', 'fortran_order': False, 'shape': (2L, 5L), }\n", 1, &data));
    assert_int_equal(data.count, 10);
    assert_true(parse("{'descr': '<u4', 'fortran_order': False, 'shape': (), }\n", 1, &data));
    assert_int_equal(data.count, 1);
    assert_true(parse("{'descr': '<u4', 'fortran_order': False, 'shape': (4, 0), }\n", 1, &data));
    assert_int_equal(data.count, 0);
}

/* What NumPy calls the types, and which of them a command that computes takes. */
static void types(void **state) {
    (void)state;
    static const struct {
        const char *name;
        unsigned width;
        enum fh_cli_kind kind;
    } good[] = {
        {"|u1", 1, FH_CLI_UNSIGNED}, {"<u2", 2, FH_CLI_UNSIGNED}, {"<i4", 4, FH_CLI_SIGNED},
        {"|i1", 1, FH_CLI_SIGNED},   {"<f2", 2, FH_CLI_FLOAT},    {"<f8", 8, FH_CLI_FLOAT},
        {"|b1", 1, FH_CLI_BOOL},     {"<i8", 8, FH_CLI_SIGNED},   {"<f4", 4, FH_CLI_FLOAT},
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct fh_cli_data data = {0};
        char text[100], type[FH_CLI_TYPE];
        uint8_t *bytes = malloc(200);
        assert_non_null(bytes);
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (3,), }\n",
                 good[i].name);
        size_t length = make_npy(bytes, 1, text);
        memset(bytes + length, 0xa5, 24);
        if (!parse(text, 1, &data) || data.width != good[i].width || data.kind != good[i].kind)
            fail_msg("%s: width %u, kind %u", good[i].name, data.width, data.kind);
        fh_cli_data_type(&data, type);
        assert_string_equal(type, good[i].name);
        length += 3 * (size_t)data.width;
        uint8_t *again = malloc(length);
        assert_non_null(again);
        memcpy(again, bytes, length);
        assert_int_equal(fh_cli_data_take(&quiet, "x.npy", 0, false, bytes, length, &data),
                         FHEC_BAD_INPUT);
        assert_int_equal(fh_cli_data_take(&quiet, "x.npy", 0, true, again, length, &data), FHEC_OK);
        assert_int_equal(data.count, 3);
        assert_int_equal(data.bytes[3 * data.width - 1], 0xa5);
        fh_cli_data_free(&data);
    }
    struct fh_cli_data data = {0};
    assert_false(fh_cli_data_named_type("f8", &data) || fh_cli_data_named_type("", &data) ||
                 fh_cli_data_named_type("u128", &data));
}

/* Raw files hold elements of 4 bytes, or of one if they must. */
static void raw_widths(void **state) {
    (void)state;
    static const struct {
        size_t length;
        unsigned width;
        bool any_type;
        unsigned want; /* 0: refused */
    } cases[] = {{12, 0, true, 4}, {13, 0, true, 1}, {0, 0, true, 4}, {13, 0, false, 0},
                 {12, 8, true, 0}, {16, 8, true, 8}, {6, 2, true, 2}, {13, 1, true, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fh_cli_data data;
        fhec_status status =
            fh_cli_data_take(&quiet, "x.bin", cases[i].width, cases[i].any_type,
                             calloc(cases[i].length + 1, 1), cases[i].length, &data);
        if (status != (cases[i].want ? FHEC_OK : FHEC_BAD_INPUT) || data.width != cases[i].want ||
            data.count * data.width != (cases[i].want ? cases[i].length : 0))
            fail_msg("case %zu: status %d, %zu elements of %u", i, (int)status, data.count,
                     data.width);
        fh_cli_data_free(&data);
    }
}

/* Each fault of a dictionary is called what it is. */
static void refused(void **state) {
    (void)state;
#define REST "'fortran_order': False, 'shape': (3,), }\n"
#define U4   "{'descr': '<u4', 'fortran_order': False, 'shape': "
    static const struct {
        const char *dictionary, *message;
    } bad[] = {
        {"", "header has no 'descr'"},
        {"{}\n", "header has no 'descr'"},
        {"{'descr': '<u4', 'fortran_order': False, }\n", "header has no 'shape'"},
        {"{'descr': '<u4', 'shape': (2, 3), }\n", "header has no 'fortran_order'"},
        {"{'descr': '>u4', " REST, "elements are '>u4'; expected"},
        {"{'descr': '|u4', " REST, "elements are '|u4'; expected"},
        {"{'descr': '<f1', " REST, "elements are '<f1'; expected"},
        {"{'descr': '<b4', " REST, "elements are '<b4'; expected"},
        {"{'descr': '<c16', " REST, "elements are '<c16'; expected"},
        {"{'descr': '|O', " REST, "elements are '|O'; expected"},
        {"{'descr': '<U7', " REST, "elements are '<U7'; expected"},
        {"{'descr': '<u3', " REST, "elements are '<u3'; expected"},
        {"{'descr': '<u', " REST, "elements are '<u'; expected"},
        {"{'descr': [('shape', '<u4'), ('b', '<u4')], " REST, "elements are structures; expected"},
        {U4 "3, }\n", "shape of the header is 3, }; expected a tuple"},
        {U4 "(3\n", "shape of the header is (3"},
        {U4 "(-3,), }\n", "shape of the header is (-3,); expected a tuple"},
        {U4 "(x,), }\n", "shape of the header is (x,); expected a tuple"},
        {U4 "(3 4), }\n", "shape of the header is (3 4); expected a tuple"},
        {U4 "(1,1,1,1,1,1,1,1,1), }\n", "more than 8 dimensions"},
        {U4 "(4294967296, 4294967296), }\n",
         "shape (4294967296, 4294967296) is larger than memory"},
        {U4 "(99999999999999999999999,), }\n", "is larger than memory"},
        {"{'descr': '<u8', 'fortran_order': False, 'shape': (9223372036854775807,), }\n",
         "shape (9223372036854775807,) is larger than memory"},
        {"{'descr': '<u4', 'fortran_order': True, 'shape': (2, 3), }\n", "is in Fortran order"},
        {"{'descr': '<u4', 'fortran_order': 0, 'shape': (2, 3), }\n", "neither True nor False"},
    };
#undef REST
#undef U4
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint8_t bytes[1024];
        const char *said = reason(bytes, make_npy(bytes, 1, bad[i].dictionary));
        if (!strstr(said, bad[i].message))
            fail_msg("%s\nsaid: %s\nwanted: %s", bad[i].dictionary, said, bad[i].message);
    }
}

/* So is each fault of what stands before the dictionary. */
static void refused_before(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
        const char *message;
    } bad[] = {
        {"", 0, "not a .npy file: it does not begin with"},
        {"PK\3\4 this is an archive", 22, "not a .npy file: it does not begin with"},
        {"\x93NUM", 4, "ends within its .npy header, after 4 bytes"},
        {"\x93NUMPY\1\0", 8, "ends within its .npy header, after 8 bytes"},
        {"\x93NUMPY\2\0\x10\0", 10, "ends within its .npy header, after 10 bytes"},
        {"\x93NUMPY\0\1\x10\0", 10, "version is 0.1"},
        {"\x93NUMPY\4\0\x10\0", 10, "version is 4.0"},
        {"\x93NUMPY\1\0\x76\0{'descr'", 18, "header, which should have 128 bytes"},
        {"\x93NUMPY\2\0\xff\xff\xff\xff{'descr'", 20, "which should have 4294967307 bytes"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const char *said = reason((const uint8_t *)bad[i].bytes, bad[i].length);
        if (!strstr(said, bad[i].message))
            fail_msg("case %zu said: %s\nwanted: %s", i, said, bad[i].message);
    }
}

/* A header of version 2 may be longer than those of version 1 can be. */
static void long_header(void **state) {
    (void)state;
    static const char text[] = "{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }";
    enum { HEADER = 100000 };
    uint8_t *bytes = malloc(12 + HEADER);
    assert_non_null(bytes);
    memset(bytes, ' ', 12 + HEADER);
    memcpy(bytes, "\x93NUMPY\2\0\xa0\x86\1\0", 12);
    memcpy(bytes + 12, text, sizeof text - 1);
    bytes[11 + HEADER] = '\n';
    assert_string_equal(reason(bytes, 12 + HEADER), "");
    free(bytes);
}

/* Cut anywhere, or with any one byte changed, a header is refused or read: it never runs over. The
 * buffer is allocated to size, so that the sanitizers see a byte too far. */
static void damaged(void **state) {
    (void)state;
    uint64_t seed = 88172645463325252ULL;
    for (size_t length = 0; length < 128; length++) {
        uint8_t *bytes = malloc(length + 1);
        struct fh_cli_data data = {0};
        char why[200];
        size_t start;
        assert_non_null(bytes);
        uint8_t *tight = realloc(bytes, length ? length : 1);
        assert_non_null(tight);
        memcpy(tight, numpy_2x3, length);
        assert_false(fh_cli_npy_parse(tight, length, &data, &start, why, sizeof why));
        free(tight);
    }
    for (unsigned i = 0; i < 20000; i++) {
        uint8_t *bytes = malloc(128);
        struct fh_cli_data data = {0};
        char why[200];
        size_t start = 0;
        assert_non_null(bytes);
        memcpy(bytes, numpy_2x3, 128);
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        bytes[seed % 128] = (uint8_t)(seed >> 32);
        if (fh_cli_npy_parse(bytes, 128, &data, &start, why, sizeof why) &&
            (start > 128 || data.dims > FH_CLI_MAX_DIMS || data.width < 1 || data.width > 8))
            fail_msg("iteration %u: byte %u set to %u", i, (unsigned)(seed % 128),
                     (unsigned)(seed >> 32 & 255));
        free(bytes);
    }
}

static void elements(void **state) {
    (void)state;
    uint8_t bytes[16] = {0};
    struct fh_cli_data data = {.bytes = bytes, .width = 8, .count = 2};
    fh_cli_data_set(&data, 1, 0x0123456789abcdefULL);
    static const uint8_t want[16] = {0,    0,    0,    0,    0,    0,    0,    0,
                                     0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 1};
    assert_memory_equal(bytes, want, 16);
    assert_true(fh_cli_data_get(&data, 1) == 0x0123456789abcdefULL);
    data.width = 4;
    assert_true(fh_cli_data_get(&data, 2) == 0x89abcdefULL);
    fh_cli_data_set(&data, 0, 0xfffffffe);
    assert_int_equal(bytes[0], 0xfe);
    assert_int_equal(bytes[4], 0);
}

/* Files in a folder of their own. */
static int make_folder(void **state) {
    static char folder[64];
    strcpy(folder, "/tmp/fhec-cli-XXXXXX");
    *state = mkdtemp(folder);
    return *state ? chdir(folder) : -1;
}

static int remove_folder(void **state) {
    return chdir("/") || rmdir(*state);
}

static void written_is_read(void **state) {
    (void)state;
    static const char *const names[] = {"x.npy", "x.bin"};
    for (unsigned i = 0; i < 2; i++) {
        uint64_t values[6];
        struct fh_cli_outputs outputs = {NULL, 0};
        struct fh_cli_data data = {
            .bytes = (uint8_t *)values, .count = 6, .width = 8, .dims = 2, .shape = {3, 2}};
        struct fh_cli_data read;
        for (size_t k = 0; k < 6; k++)
            fh_cli_data_set(&data, k, 0xfedcba9876543210ULL >> (4 * k));
        assert_int_equal(fh_cli_output_add(&quiet, &outputs, names[i]), FHEC_OK);
        assert_int_equal(fh_cli_data_write(&quiet, &outputs, names[i], &data), FHEC_OK);
        assert_int_equal(fh_cli_output_commit(&quiet, &outputs), FHEC_OK);
        assert_int_equal(fh_cli_data_read(&quiet, names[i], 8, &read), FHEC_OK);
        assert_int_equal(read.count, 6);
        assert_int_equal(read.npy, i == 0);
        assert_int_equal(read.dims, i == 0 ? 2 : 1);
        for (size_t k = 0; k < 6; k++)
            assert_true(fh_cli_data_get(&read, k) == 0xfedcba9876543210ULL >> (4 * k));
        fh_cli_data_free(&read);
        /* The other width: a .npy file says which it has, a raw file is only bytes. */
        assert_int_equal(fh_cli_data_read(&quiet, names[i], 4, &read),
                         i == 0 ? FHEC_BAD_INPUT : FHEC_OK);
        assert_int_equal(read.count, i == 0 ? 0 : 12);
        fh_cli_data_free(&read);
        assert_int_equal(unlink(names[i]), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numpy_header),
        cmocka_unit_test(headers_come_back),
        cmocka_unit_test(other_writers),
        cmocka_unit_test(types),
        cmocka_unit_test(raw_widths),
        cmocka_unit_test(refused),
        cmocka_unit_test(refused_before),
        cmocka_unit_test(long_header),
        cmocka_unit_test(damaged),
        cmocka_unit_test(elements),
        cmocka_unit_test_setup_teardown(written_is_read, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
