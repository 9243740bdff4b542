/*
 * query_test.c - expressions of the debugger, in a warp whose registers are set by hand: numbers
 * as C has them, modulo q, per lane and for all, memory, arrays, what is wrong where; and bytes
 * that are none.
 */
#include "query.h"
#include "session_util.h"

#include <inttypes.h>
#include <string.h>

static const char kernel[] = ".target sm_80\n.kernel K\n.param data, 8\n.param n, 4\n"
                             ".shared s, 256\n.local 64\n  MOV R12, RZ ;\n  EXIT ;\n.end\n";

/* R4: 100 + lane, R5: 3 in all lanes, R6:R7: 2^40 + lane; P1: even lanes; UR6: 77. Lanes 24 to 31
 * are not there. data: 12 words, 1000 + i. */
struct scene {
    fhec_program *program;
    fhec_machine *machine;
    fhec_session *session;
    fhec_launch launch;
    uint8_t params[16];
    struct fh_query_names names;
    struct fh_query_place place;
};

static struct scene scene;

static bool find_array(void *user, const struct fh_query_place *place, const char *name,
                       struct fh_query_array *array) {
    const struct scene *s = user;
    uint64_t address;
    (void)place;
    memcpy(&address, s->params, sizeof address);
    *array = (struct fh_query_array){
        .type = FH_QUERY_U32, .rank = 2, .shape = {3, 4}, .address = address};
    return strcmp(name, "x") == 0;
}

static bool find_text(void *user, const struct fh_query_place *place, const char *name,
                      char *expression, size_t size) {
    static const char *const texts[][2] = {
        {"sum", "R4"}, {"TWICE", "2 * sum"}, {"self", "self + 1"}, {"broken", "(1"}};
    (void)user;
    (void)place;
    for (size_t i = 0; i < 4; i++)
        if (strcmp(texts[i][0], name) == 0) {
            (void)snprintf(expression, size, "%s", texts[i][1]);
            return true;
        }
    return false;
}

static const char *name_at(void *user, const struct fh_query_place *place, size_t index) {
    static const char *const names[] = {"x", "sum", "TWICE", "accumulator"};
    (void)user;
    (void)place;
    return index < 4 ? names[index] : NULL;
}

/* acc[2:5] is R4 to R7. */
static bool find_registers(void *user, const struct fh_query_place *place, const char *name,
                           struct fh_query_registers *registers) {
    (void)user;
    (void)place;
    *registers = (struct fh_query_registers){.file = FHEC_FILE_R, .first = 4, .low = 2, .count = 4};
    return strcmp(name, "acc") == 0;
}

static bool find_argument(void *user, const struct fh_query_place *place, const char *name,
                          char *expression, size_t size) {
    (void)user;
    (void)place;
    (void)snprintf(expression, size, "acc[3]");
    return strcmp(name, "operand") == 0;
}

/* golden.reversed(array) and golden.double(number). */
static fhec_status golden(void *user, const struct fh_query_place *place, const char *function,
                          const struct fh_query_value *arguments, size_t count,
                          struct fh_query_value *result, char *problem, size_t size) {
    const struct scene *s = user;
    (void)place;
    if (strcmp(function, "double") == 0 && count == 1 && !arguments[0].is_array) {
        result->values[0] = 2 * arguments[0].values[0];
        return FHEC_OK;
    }
    if (strcmp(function, "reversed") != 0 || count != 1 || !arguments[0].is_array) {
        (void)snprintf(problem, size, "there is no such function");
        return FHEC_BAD_INPUT;
    }
    const uint64_t n = fh_query_array_count(&arguments[0].array);
    struct fh_query_array *array = &result->array;
    result->is_array = true;
    *array = (struct fh_query_array){.type = FH_QUERY_U64, .rank = 1, .shape = {n}};
    array->computed = calloc((size_t)n, sizeof *array->computed);
    assert_non_null(array->computed);
    for (uint64_t i = 0; i < n; i++)
        assert_int_equal(fh_query_array_read(&arguments[0].array, &s->place, 0, n - 1 - i, 1,
                                             &array->computed[i]),
                         FHEC_OK);
    return FHEC_OK;
}

static void set(fhec_register_file file, uint32_t reg, const uint32_t values[32]) {
    const uint32_t block[3] = {0, 0, 0};
    assert_int_equal(
        fhec_session_write_register(scene.session, block, 0, file, reg, UINT32_MAX, values),
        FHEC_OK);
}

static int begin(void **unused) {
    (void)unused;
    const fhec_machine_options options = {.threads = 1};
    const fhec_thread thread = {.lane = 5};
    uint32_t words[12], values[32], local = 0xabcdef01;
    uint64_t address;
    struct scene *s = &scene;
    assert_int_equal(fhec_assemble("k", kernel, strlen(kernel), NULL, &s->program), FHEC_OK);
    assert_int_equal(fhec_machine_new(&options, &s->machine), FHEC_OK);
    assert_int_equal(fhec_alloc(s->machine, "data", sizeof words, 0, &address), FHEC_OK);
    for (uint32_t i = 0; i < 12; i++)
        words[i] = 1000 + i;
    assert_int_equal(fhec_write(s->machine, address, words, sizeof words), FHEC_OK);
    fhec_kernel_info info;
    assert_int_equal(fhec_kernel_get(s->program, 0, &info), FHEC_OK);
    memcpy(s->params, &address, sizeof address);
    s->params[8] = 12;
    s->launch = (fhec_launch){.program = s->program,
                              .grid = {1, 1, 1},
                              .block = {24, 1, 1},
                              .params = s->params,
                              .param_bytes = info.param_bytes};
    assert_int_equal(fhec_session_begin(s->machine, &s->launch, &s->session), FHEC_OK);
    const fhec_go one = {.instructions = 1};
    fhec_stop stop;
    assert_int_equal(fhec_session_run(s->session, &one, &stop), FHEC_OK);
    for (uint32_t i = 0; i < 32; i++)
        values[i] = 100 + i;
    set(FHEC_FILE_R, 4, values);
    for (uint32_t i = 0; i < 32; i++)
        values[i] = 3;
    set(FHEC_FILE_R, 5, values);
    for (uint32_t i = 0; i < 32; i++)
        values[i] = i;
    set(FHEC_FILE_R, 6, values);
    for (uint32_t i = 0; i < 32; i++)
        values[i] = 256;
    set(FHEC_FILE_R, 7, values);
    values[0] = 0x55555555;
    set(FHEC_FILE_P, 1, values);
    values[0] = 77;
    set(FHEC_FILE_UR, 6, values);
    assert_int_equal(
        fhec_session_write(s->session, FHEC_SPACE_LOCAL, 0, &thread, 8, &local, sizeof local),
        FHEC_OK);
    assert_int_equal(
        fhec_session_write(s->session, FHEC_SPACE_SHARED, 0, &thread, 4, &local, sizeof local),
        FHEC_OK);
    s->names = (struct fh_query_names){
        s, find_registers, find_text, find_array, find_argument, name_at, golden};
    s->place = (struct fh_query_place){.session = s->session,
                                       .machine = s->machine,
                                       .launch = &s->launch,
                                       .lane = 5,
                                       .names = &s->names};
    return 0;
}

static int end(void **unused) {
    (void)unused;
    assert_int_equal(fhec_session_end(scene.session), FHEC_OK);
    fhec_machine_free(scene.machine);
    fhec_program_free(scene.program);
    return 0;
}

static fhec_status evaluate(const char *text, struct fh_query_value *value,
                            struct fh_query_error *error) {
    struct fh_query *query;
    fhec_status status = fh_query_parse(text, &query, error);
    if (status == FHEC_OK)
        status = fh_query_evaluate(query, &scene.place, value, error);
    fh_query_free(query);
    return status;
}

/* One number, of so many bits. */
static void is(const char *text, uint64_t expected, unsigned bits) {
    struct fh_query_value value;
    struct fh_query_error error;
    if (evaluate(text, &value, &error) != FHEC_OK)
        fail_msg("%s: at %zu: %s", text, error.at, error.message);
    if (value.is_array || value.per_lane || value.values[0] != expected || value.bits != bits)
        fail_msg("%s is 0x%" PRIx64 " of %u bits, not 0x%" PRIx64 " of %u", text, value.values[0],
                 value.bits, expected, bits);
}

static void mask_is(const char *text, uint32_t mask) {
    struct fh_query_value value;
    struct fh_query_error error;
    if (evaluate(text, &value, &error) != FHEC_OK)
        fail_msg("%s: at %zu: %s", text, error.at, error.message);
    assert_int_equal(fh_query_value_mask(&value), mask);
}

static void wrong(const char *text, size_t at, const char *message) {
    struct fh_query_value value;
    struct fh_query_error error;
    if (evaluate(text, &value, &error) == FHEC_OK)
        fail_msg("%s is right", text);
    if (!strstr(error.message, message) || error.at != at)
        fail_msg("%s: at %zu: %s; wanted at %zu: %s", text, error.at, error.message, at, message);
}

static void numbers_are_those_of_c(void **unused) {
    (void)unused;
    is("1 + 2 * 3", 7, 32);
    is("(1 + 2) * 3", 9, 32);
    is("7 - 2 - 1", 4, 32);
    is("0x10", 16, 32);
    is("0b101", 5, 32);
    is("2147483647 + 1", UINT64_C(1) << 31, 64); /* constants are exact */
    is("0xffffffff + 1", UINT64_C(1) << 32, 64);
    is("4294967295 + 1", UINT64_C(1) << 32, 64);
    is("1 << 40", UINT64_C(1) << 40, 64);
    is("0xff << 24", 0xff000000, 32);
    is("0o17 + 0B11", 18, 32);
    is("-1 < 0x1", 1, 32);
    is("-1 < 0xffffffff", 1, 32);
    is("s32(2147483647) + 1", UINT64_C(0xffffffff80000000), 32); /* int wraps */
    is("u32(0xffffffff) + 1", 0, 32);                            /* unsigned wraps */
    is("s32(-1) < u32(0xffffffff)", 0, 32);                      /* unsigned */
    is("-5 / 2", (uint64_t)-2, 32);
    is("-5 % 2", (uint64_t)-1, 32);
    is("-8 >> 1", (uint64_t)-4, 32);
    is("0x80000000 >> 31", 1, 32);
    is("1 << 4 | 3 & 2", 18, 32);
    is("1 == 1 && 2 > 1 || 1 / 0", 1, 32);
    is("!5", 0, 32);
    is("~0", UINT64_MAX, 32);
    is("1 ? 2 : 3 / 0", 2, 32);
    is("9223372036854775807 + 1", UINT64_C(1) << 63, 64);
    is("(-9223372036854775807 - 1) / -1", UINT64_C(1) << 63, 64);
    is("18446744073709551615 / 3", UINT64_MAX / 3, 64);
}

static void registers_of_a_lane_and_of_all(void **unused) {
    (void)unused;
    is("R4", 105, 32);
    is("R4@9 - R4", 4, 32);
    is("R4 - R4@9", UINT64_C(0xfffffffc), 32);
    is("R6:R7", (UINT64_C(256) << 32) + 5, 64);
    is("R6.64 + 1", (UINT64_C(256) << 32) + 6, 64);
    is("UR6", 77, 32);
    is("P1", 0, 32); /* lane 5 is odd */
    is("P1@4", 1, 32);
    is("PT", 1, 32);
    is("RZ + 4", 4, 32);
    is("lane + warp + block.x", 5, 32);
    mask_is("R4@* != 105", 0x00ffffdf);
    mask_is("P1@*", 0x00555555);
    mask_is("(R4 == 100 + lane)@*", 0x00ffffff);
    mask_is("R4@* > R4@20", 0x00e00000);
    mask_is("(R4@(lane ^ 1) == R4 + 1)@*", 0x00555555);          /* its neighbour */
    mask_is("P1@* && R4@* / (R4@* % 2 == 0) < 104", 0x00000005); /* no division in odd lanes */
}

static void modulo(void **unused) {
    (void)unused;
    is("5 - 7 mod 13", 11, 64);
    is("-1 mod 7", 6, 64);
    is("3 / 5 mod 13", 11, 64); /* 5 * 11 = 55 = 3 + 4 * 13 */
    is("R6:R7 * R6:R7 mod 1000003", 846822, 64);
    is("18446744073709551557 - 1 + 18446744073709551556 mod 18446744073709551557",
       UINT64_C(18446744073709551555), 64);
    is("1 << 100 mod 101", 1, 64);
    is("5 * 7 mod 12 mod 7", 4, 64);
    is("2 + 3 == 10 mod 5", 1, 64);
    /* the divisors of 297 = 3 * 100 - 3 up to 24 */
    mask_is("((R4 * R5 mod lane + 1) == 0)@*", 0x00000505);
    wrong("3 / 4 mod 6", 2, "no inverse");
    wrong("3 mod 0", 2, "the modulus is not positive");
}

static void memory_and_arrays(void **unused) {
    (void)unused;
    uint64_t address;
    memcpy(&address, scene.params, sizeof address);
    is("x[2][1]", 1009, 32);
    is("x[R5 - 1][lane - 4]", 1009, 32);
    is("&x[1][2]", address + 24, 64);
    is("&x[1]", address + 16, 64);
    is("data", address, 64);
    is("param.n", 12, 32);
    is("global[data + 4]", 1001, 32);
    is("global.u64[&x[0][2]]", 1002 + (UINT64_C(1003) << 32), 64);
    is("global.u8[data]", 1000 & 255, 32);
    is("c[0x0][0x168]", 12, 32);
    is("local[8]", 0xabcdef01, 32);
    is("local.s8[11]", (uint64_t)(int64_t)(int8_t)0xab, 32);
    is("local[8]@4", 0, 32);
    is("shared[4]", 0xabcdef01, 32);
    is("golden.reversed(x)[0]", 1011, 64);
    is("golden.reversed(x[1])[3] + 1", 1005, 64);
    is("sum", 105, 32);
    is("TWICE", 210, 32);
    mask_is("x[1][lane & 3]@* == 1006", 0x00444444);
    mask_is("local[8]@* != 0", 0x20);
    struct fh_query_value value;
    struct fh_query_error error;
    assert_int_equal(evaluate("x[2]", &value, &error), FHEC_OK);
    assert_true(value.is_array);
    assert_int_equal(value.array.rank, 1);
    assert_int_equal(value.array.shape[0], 4);
    assert_int_equal(value.array.address, address + 32);
    fh_query_value_free(&value);
}

static void array_is(const char *text, const uint64_t *expected, size_t count, unsigned rank) {
    struct fh_query_value value;
    struct fh_query_error error;
    uint64_t elements[64];
    if (evaluate(text, &value, &error) != FHEC_OK)
        fail_msg("%s: at %zu: %s", text, error.at, error.message);
    if (!value.is_array || fh_query_array_count(&value.array) != count || value.array.rank != rank)
        fail_msg("%s is no such array", text);
    assert_int_equal(fh_query_array_read(&value.array, &scene.place, 5, 0, count, elements),
                     FHEC_OK);
    for (size_t i = 0; i < count; i++)
        if (elements[i] != expected[i])
            fail_msg("%s: [%zu] is 0x%" PRIx64 ", not 0x%" PRIx64, text, i, elements[i],
                     expected[i]);
    fh_query_value_free(&value);
}
#define ARRAY_IS(text, rank, ...)                                                                  \
    array_is(text, (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / 8,   \
             rank)

/* Parts, lists, elements; ranges of registers. */
static void arrays_as_a_whole(void **unused) {
    (void)unused;
    ARRAY_IS("x[1:2]", 2, 1004, 1005, 1006, 1007, 1008, 1009, 1010, 1011);
    ARRAY_IS("x[2..2]", 2, 1008, 1009, 1010, 1011);
    ARRAY_IS("x[0][1:2]", 1, 1001, 1002);
    is("x[1:2][1][0]", 1008, 32);
    ARRAY_IS("[7, R4, -1]", 1, 7, 105, UINT64_MAX);
    ARRAY_IS("x[0] - 1001", 1, 0xffffffff, 0, 1, 2);
    ARRAY_IS("x[0] * x[1] mod 1009", 1, 1000 * 1004 % 1009, 1001 * 1005 % 1009, 1002 * 1006 % 1009,
             1003 * 1007 % 1009);
    ARRAY_IS("x[0] mod 997", 1, 3, 4, 5, 6);
    ARRAY_IS("x[0] mod 997 mod 4", 1, 3, 0, 1, 2);
    ARRAY_IS("2 - x[0] mod 5", 1, 2, 1, 0, 4);
    ARRAY_IS("-x[0]", 1, 0xfffffc18, 0xfffffc17, 0xfffffc16, 0xfffffc15);
    ARRAY_IS("golden.reversed(x)[0:3] == [1011, 0, 1009, 1008]", 1, 1, 0, 1, 1);
    ARRAY_IS("x[0] << [0, 1, 2, 3]", 1, 1000, 2002, 4008, 8024);
    ARRAY_IS("acc[2:5]", 1, 105, 3, 5, 256);
    ARRAY_IS("acc[3:3]", 1, 3);
    is("acc", 105, 32);
    is("acc[3] + acc[5]", 259, 32);
    is("operand", 3, 32);
    mask_is("(acc[2] == 105)@*", 0x20);
    struct fh_query_value value;
    struct fh_query_error error;
    assert_int_equal(evaluate("acc[2:4]@*", &value, &error), FHEC_OK);
    assert_int_equal(value.array.rank, 2);
    assert_int_equal(value.array.computed[3 * 7], 107); /* lane 7 */
    assert_int_equal(value.array.computed[3 * 7 + 2], 7);
    fh_query_value_free(&value);
    is("golden.double(21)", 42, 64);
    mask_is("(golden.double(lane) == 10)@*", 0x20);
}

/* 1.5 is 0x3fc00000, 0x3e00 and 0x3ff8000000000000; 65504 is the largest half. */
static void casts_and_floating_point(void **unused) {
    (void)unused;
    is("s8(200)", (uint64_t)-56, 32);
    is("u8(-1)", 255, 32);
    is("u32(-1)", 0xffffffff, 32);
    is("u64(-1)", UINT64_MAX, 64);
    is("u64(R4 - 106)", 0xffffffff, 64);
    is("s64(s32(R4 - 106))", UINT64_MAX, 64);
    is("s32(0xffffffff) < 0", 1, 32);
    is("f32(0x3fc00000)", 0x3fc00000, 32);
    is("f32(0x3fc00000) == 1.5", 1, 32);
    is("f32(0x3fc00000) * 2 + 1", 0x40800000, 32); /* 4 */
    is("f16(0x3e00) + f16(0x3e00)", 0x40400000, 32);
    is("f16(f32(0x477fe000))", 0x7bff, 16); /* 65504 */
    is("f16(f32(0x477ff000))", 0x7c00, 16); /* 65520 */
    is("f16(f32(0x33800000))", 1, 16);      /* 2^-24 */
    is("f16(f32(0x33000000))", 0, 16);      /* 2^-25, to even */
    is("f16(f32(0x3f801000))", 0x3c00, 16); /* 1 + 2^-11, to even */
    is("f16(f32(0x3f803000))", 0x3c02, 16); /* 1 + 3 2^-11 */
    is("f64(0x3ff8000000000000) / 3", 0x3fe0000000000000, 64);
    is("s32(f32(0xbfc00000))", UINT64_MAX, 32); /* -1.5 */
    is("u64(1.8e19)", UINT64_C(18000000000000000000), 64);
    is("-f32(0x3fc00000) < 0", 1, 32);
    is("f32(0x7fc00000) == f32(0x7fc00000)", 0, 32);
    is("!f32(0x80000000)", 1, 32);
    is("f32(0x80000000) ? 1 : 2", 2, 32);
    is("f16x2(0x3e003c00)", 0x3e003c00, 32);
    is("f32(3) < 1e-40", 1, 32);
    mask_is("(f32(R4) > f32(R4@5))@*", 0x00ffffc0);
}

static void what_is_wrong_is_said_where(void **unused) {
    (void)unused;
    wrong("1 +", 3, "the expression ends");
    wrong("1 2", 2, "nothing is expected here");
    wrong("(1", 2, "`)` is expected");
    wrong("0x", 0, "no number");
    wrong("18446744073709551616", 0, "more than 64 bits");
    wrong("1 / 0", 2, "division by zero");
    wrong("R4 << 32", 3, "a shift by more");
    wrong("1 << 67", 2, "the distance of a shift is from 0 to 63");
    wrong("18446744073709551615 + 1", 21, "the result is not from -2^63 to 2^64 - 1");
    wrong("010 + 1", 0, "`010` is no number: write 0o for octal");
    wrong("1_000", 0, "`1_000` is no number");
    wrong("R4:R6", 0, "a pair");
    wrong("2 + acumulator", 4, "did you mean `accumulator`?");
    wrong("x[3][0]", 1, "index 3 is not within 0 to 2");
    wrong("x[0][-1]", 4, "index -1");
    wrong("x[0][0][0]", 7, "2 dimensions");
    wrong("x ? 1 : 2", 0, "an array of 2 dimensions");
    wrong("x + R4@*", 2, "integers for all lanes");
    wrong("x + [1, 2]", 2, "arrays of 12 and of 2 elements");
    wrong("x / (x - 1003)", 2, "division by zero in element 3");
    wrong("[1, R4@*]", 6, "integers for all lanes");
    wrong("[]", 0, "at least one element");
    wrong("[1, 2", 5, "`]` is expected");
    wrong("x[1:3]", 1, "1 to 3 is not within 0 to 2");
    wrong("x[2:1]", 1, "ends before it begins");
    wrong("acc[6]", 3, "index 6 is not within 2 to 5");
    wrong("acc[1:3]", 3, "there are 2 to 5");
    wrong("acc[R4@*]", 3, "for all lanes");
    wrong("s9(1)", 0, "no such function");
    wrong("f64(R4)", 0, "takes 64 bits");
    wrong("f32(R6:R7)", 0, "takes 32 bits");
    wrong("u8(1e3)", 0, "does not fit");
    wrong("s32(0.0 / 0.0)", 0, "does not fit");
    wrong("f32(R4) % 2", 8, "floating-point numbers have");
    wrong("f32(R4) mod 7", 0, "no remainder");
    wrong("f16x2(R4) + 1", 10, "f16(R4)");
    wrong("1.5.2", 0, "no number");
    wrong("R4@32", 2, "lanes 0 to 31");
    wrong("self", 0, "stands for itself");
    wrong("1 + broken", 4, "`)` is expected");
    wrong("shared[1024]", 0, "shared memory cannot be read at 0x400");
    wrong("golden.nothing(1)", 7, "there is no such function");
    wrong("1 / (lane - 5)@*", 2, "division by zero in lane 5");
}

static size_t random_below(uint64_t *state, size_t limit) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)(*state >> 33) % limit;
}

/* Deep, long, and any bytes. */
static void hostile_text(void **unused) {
    (void)unused;
    static const char letters[] = "R4PU67 :.@*[]()+-*/%<>=!&|^~?0x19abmod xlanegoldreversed,s$_";
    struct fh_query_value value;
    struct fh_query_error error;
    static char text[70000];
    memset(text, '(', 500);
    text[500] = '\0';
    assert_int_equal(evaluate(text, &value, &error), FHEC_BAD_INPUT);
    memset(text, '-', 500);
    assert_int_equal(evaluate(text, &value, &error), FHEC_BAD_INPUT);
    memset(text, '1', sizeof text - 1);
    assert_int_equal(evaluate(text, &value, &error), FHEC_BAD_INPUT);
    for (size_t i = 0; i + 1 < 1000; i += 2)
        memcpy(text + i, "1+", 2);
    strcpy(text + 1000, "1");
    assert_int_equal(evaluate(text, &value, &error), FHEC_BAD_INPUT);
    uint64_t random = 7;
    for (unsigned n = 0; n < 50000; n++) {
        const size_t length = random_below(&random, 24);
        for (size_t i = 0; i < length; i++)
            text[i] = n % 8 ? letters[random_below(&random, sizeof letters - 1)]
                            : (char)(1 + random_below(&random, 255));
        text[length] = '\0';
        if (evaluate(text, &value, &error) == FHEC_OK)
            fh_query_value_free(&value);
        else
            assert_true(error.at <= length && error.message[0]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_of_c),
        cmocka_unit_test(registers_of_a_lane_and_of_all),
        cmocka_unit_test(modulo),
        cmocka_unit_test(memory_and_arrays),
        cmocka_unit_test(arrays_as_a_whole),
        cmocka_unit_test(casts_and_floating_point),
        cmocka_unit_test(what_is_wrong_is_said_where),
        cmocka_unit_test(hostile_text),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
