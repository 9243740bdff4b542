/*
 * issue_log_test.c - what an SM issued, whole: as events of Chrome's trace viewer and as a drawing,
 * of events that are set by hand.
 */
#include <stdlib.h>
#include <string.h>

#include "emu_util.h"
#include "issue_log.h"
#include "time_sm.h"

static const struct fh_time_machine machine = {
    .name = "m<\"\\1>",
    .schedulers = 2,
    .slot = 2,
    .units = {{"memory", false}, {"alu", false}, {"tensor", true}, {"unused", false}},
    .unit_count = 4,
};

static struct fh_profiled_word words[] = {
    {.word = {0x0000000500017802, 0x000fe20000000f00}, .file = "a\"\tb.sass", .line = 7}, /* MOV */
    {.word = {0x0000000000007918, 0x000fe20000000000}},                                   /* NOP */
    {.word = {0, 0}, .file = "c.sass", .line = 9}, /* no instruction */
};
static char first_name[] = "first", second_name[] = "k\"2";
static const struct fh_profiled_kernel first_code = {.name = first_name,
                                                     .words = words,
                                                     .count = 3},
                                       second_code = {
                                           .name = second_name, .words = words, .count = 3};

static void add(struct fh_issue_log *log, uint64_t begin, uint64_t end,
                struct fh_issue_log_event event) {
    event.begin = begin;
    event.end = end;
    fh_issue_log_add(log, &event);
}

/* Two launches, from 0 and from 1000 on. */
static struct fh_issue_log make(void) {
    struct fh_issue_log log = {.to = UINT64_MAX, .most = 6};
    add(&log, 1, 2, (struct fh_issue_log_event){.word = 1}); /* of no launch: not kept */
    fh_issue_log_launch(&log, &first_code, 0);
    add(&log, 10, 14, (struct fh_issue_log_event){.word = 0, .warp = 1, .scheduler = 1, .unit = 1});
    add(&log, 12, 1512,
        (struct fh_issue_log_event){.word = 1, .unit = 2, .waited = 3, .why = FH_TIME_UNIT});
    add(&log, 14, 15,
        (struct fh_issue_log_event){
            .word = 2, .slot = 2, .unit = 0, .waited = 1, .why = FH_TIME_WAIT_BARRIER});
    add(&log, 16, 17, (struct fh_issue_log_event){.word = 1, .slot = 2, .warp = 4, .unit = 1});
    fh_issue_log_launch(&log, &second_code, 1000);
    add(&log, 5, 5, (struct fh_issue_log_event){.word = 1, .warp = 1, .scheduler = 1, .unit = 1});
    add(&log, 8, 9, (struct fh_issue_log_event){.word = 1, .warp = 1, .scheduler = 1, .unit = 1});
    add(&log, 9, 10, (struct fh_issue_log_event){.word = 1}); /* no room */
    assert_false(log.failed);
    return log;
}

static void expect(struct fh_trace_bytes *got, bool fine, const char *wanted) {
    fh_trace_put_byte(got, 0);
    assert_true(fine);
    assert_string_equal((const char *)got->bytes, wanted);
    fh_trace_bytes_free(got);
}

#define PROCESS(pid, name)                                                                         \
    "{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": " pid                                    \
    ", \"args\": {\"name\": \"launch " name "\"}}"
#define EVENT(name, unit, pid, tid, ts, dur, args)                                                 \
    ",\n{\"name\": \"" name "\", \"cat\": \"" unit "\", \"ph\": \"X\", \"pid\": " pid              \
    ", \"tid\": " tid ", \"ts\": " ts ", \"dur\": " dur ", \"args\": {" args "}}"

/* A cycle is a nanosecond, a time microseconds; a thread is 65536 places and a warp. */
static void test_json(void **unused) {
    (void)unused;
    struct fh_issue_log log = make();
    struct fh_trace_bytes to = {0};
    const bool fine = fh_issue_log_json(&to, &log, &machine);
    expect(
        &to, fine,
        "{\"displayTimeUnit\": \"ns\", \"otherData\": {\"machine\": \"m<''1>\", \"left_out\": 1}, "
        "\"traceEvents\": [\n" PROCESS("0", "1: first, scheduler 0") ",\n" PROCESS(
            "1",
            "1: first, scheduler 1") ",\n" PROCESS("8",
                                                   "2: k'2, scheduler 0") ",\n" PROCESS("9",
                                                                                        "2: k'2, "
                                                                                        "scheduler "
                                                                                        "1")
            EVENT("MOV R1, 0x5", "alu", "1", "1", "0.010", "0.004",
                  "\"pc\": \"0x0000\", \"line\": \"a' b.sass:7\"")
                EVENT("NOP", "tensor", "0", "0", "0.012", "1.500",
                      "\"pc\": \"0x0010\", \"waited\": 3, \"for\": \"unit_busy\"")
                    EVENT("?", "memory", "0", "131072", "0.014", "0.001",
                          "\"pc\": \"0x0020\", \"line\": \"c.sass:9\", \"waited\": 1, "
                          "\"for\": \"barrier\"")
                        EVENT("NOP", "alu", "0", "131076", "0.016", "0.001", "\"pc\": \"0x0010\"")
                            EVENT("NOP", "alu", "9", "1", "1.005", "0.000", "\"pc\": \"0x0010\"")
                                EVENT("NOP", "alu", "9", "1", "1.008", "0.001",
                                      "\"pc\": \"0x0010\"") "\n]}\n");
    fh_issue_log_free(&log);
}

/* Events in [20, 30), of which there is room for two. */
static void test_range(void **unused) {
    (void)unused;
    struct fh_issue_log log = {.from = 20, .to = 30, .most = 2};
    fh_issue_log_launch(&log, &first_code, 15);
    static const uint64_t begins[] = {0, 4, 5, 14, 15, 16, 13};
    for (size_t i = 0; i < COUNT_OF(begins); i++)
        add(&log, begins[i], begins[i] + 1, (struct fh_issue_log_event){.word = 1});
    assert_int_equal(log.count, 2);
    assert_int_equal(log.left, 1);
    assert_int_equal(log.events[0].begin, 20);
    assert_int_equal(log.events[0].end, 21);
    assert_int_equal(log.events[1].begin, 29);
    assert_int_equal(log.events[1].end, 30);
    fh_issue_log_free(&log);
    assert_true(!log.events && !log.launches && log.count == 0);
    log = (struct fh_issue_log){.to = UINT64_MAX, .most = 1000};
    fh_issue_log_launch(&log, &first_code, 0);
    for (uint32_t i = 0; i < 1001; i++)
        add(&log, i, i + 1, (struct fh_issue_log_event){.word = 1});
    assert_int_equal(log.count, 1000);
    assert_int_equal(log.left, 1);
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(log.events[i].begin, i);
    fh_issue_log_free(&log);
}

/* Rows by launch, scheduler, place and warp, 14 pixels each from 70 on, and 10 high with two left
 * above; of 1000 cycles from the first to the last one's slot, 1200 pixels from 150 on. */
static void test_drawing(void **unused) {
    (void)unused;
    struct fh_issue_log log = make();
    struct fh_trace_bytes to = {0};
    const bool fine = fh_issue_log_svg(&to, &log, &machine);
    expect(&to, fine,
           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1370\" height=\"160\" "
           "font-family=\"sans-serif\" font-size=\"11\">\n"
           "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
           "<text x=\"150\" y=\"22\" font-size=\"15\" font-weight=\"bold\">One SM of "
           "m&lt;\"\\1&gt;, by cycle</text>\n"
           "<rect x=\"150\" y=\"36\" width=\"10\" height=\"10\" fill=\"#0072b2\"/><text x=\"164\" "
           "y=\"45\">memory</text>\n"
           "<rect x=\"260\" y=\"36\" width=\"10\" height=\"10\" fill=\"#e69f00\"/><text x=\"274\" "
           "y=\"45\">alu</text>\n"
           "<rect x=\"370\" y=\"36\" width=\"10\" height=\"10\" fill=\"#009e73\"/><text x=\"384\" "
           "y=\"45\">tensor</text>\n"
           "<path d=\"M258.0 70 V140\" stroke=\"#ddd\"/><text x=\"258.0\" y=\"64\" "
           "text-anchor=\"middle\">100</text>\n"
           "<path d=\"M378.0 70 V140\" stroke=\"#ddd\"/><text x=\"378.0\" y=\"64\" "
           "text-anchor=\"middle\">200</text>\n"
           "<path d=\"M498.0 70 V140\" stroke=\"#ddd\"/><text x=\"498.0\" y=\"64\" "
           "text-anchor=\"middle\">300</text>\n"
           "<path d=\"M618.0 70 V140\" stroke=\"#ddd\"/><text x=\"618.0\" y=\"64\" "
           "text-anchor=\"middle\">400</text>\n"
           "<path d=\"M738.0 70 V140\" stroke=\"#ddd\"/><text x=\"738.0\" y=\"64\" "
           "text-anchor=\"middle\">500</text>\n"
           "<path d=\"M858.0 70 V140\" stroke=\"#ddd\"/><text x=\"858.0\" y=\"64\" "
           "text-anchor=\"middle\">600</text>\n"
           "<path d=\"M978.0 70 V140\" stroke=\"#ddd\"/><text x=\"978.0\" y=\"64\" "
           "text-anchor=\"middle\">700</text>\n"
           "<path d=\"M1098.0 70 V140\" stroke=\"#ddd\"/><text x=\"1098.0\" y=\"64\" "
           "text-anchor=\"middle\">800</text>\n"
           "<path d=\"M1218.0 70 V140\" stroke=\"#ddd\"/><text x=\"1218.0\" y=\"64\" "
           "text-anchor=\"middle\">900</text>\n"
           "<path d=\"M1338.0 70 V140\" stroke=\"#ddd\"/><text x=\"1338.0\" y=\"64\" "
           "text-anchor=\"middle\">1000</text>\n"
           "<text x=\"144\" y=\"81\" text-anchor=\"end\">launch 1, scheduler 0, 0.0</text>\n"
           "<text x=\"144\" y=\"95\" text-anchor=\"end\">launch 1, scheduler 0, 2.0</text>\n"
           "<text x=\"144\" y=\"109\" text-anchor=\"end\">launch 1, scheduler 0, 2.4</text>\n"
           "<text x=\"144\" y=\"123\" text-anchor=\"end\">launch 1, scheduler 1, 0.1</text>\n"
           "<text x=\"144\" y=\"137\" text-anchor=\"end\">launch 2, scheduler 1, 0.1</text>\n"
           "<g fill=\"#e69f00\"><title>10 to 14: MOV R1, 0x5</title><rect x=\"150.00\" y=\"114\" "
           "width=\"4.80\" height=\"10\" opacity=\"0.25\"/><rect x=\"150.00\" y=\"114\" "
           "width=\"2.40\" height=\"10\"/></g>\n"
           "<g fill=\"#009e73\"><title>12 to 1512: NOP</title><rect x=\"152.40\" y=\"72\" "
           "width=\"1197.60\" height=\"10\" opacity=\"0.25\"/><rect x=\"152.40\" y=\"72\" "
           "width=\"2.40\" height=\"10\"/></g>\n"
           "<g fill=\"#0072b2\"><title>14 to 15: ?</title><rect x=\"154.80\" y=\"86\" "
           "width=\"1.20\" height=\"10\" opacity=\"0.25\"/><rect x=\"154.80\" y=\"86\" "
           "width=\"2.40\" height=\"10\"/></g>\n"
           "<g fill=\"#e69f00\"><title>16 to 17: NOP</title><rect x=\"157.20\" y=\"100\" "
           "width=\"1.20\" height=\"10\" opacity=\"0.25\"/><rect x=\"157.20\" y=\"100\" "
           "width=\"2.40\" height=\"10\"/></g>\n"
           "<g fill=\"#e69f00\"><title>1005 to 1005: NOP</title><rect x=\"1344.00\" y=\"128\" "
           "width=\"0.00\" height=\"10\" opacity=\"0.25\"/><rect x=\"1344.00\" y=\"128\" "
           "width=\"2.40\" height=\"10\"/></g>\n"
           "<g fill=\"#e69f00\"><title>1008 to 1009: NOP</title><rect x=\"1347.60\" y=\"128\" "
           "width=\"1.20\" height=\"10\" opacity=\"0.25\"/><rect x=\"1347.60\" y=\"128\" "
           "width=\"2.40\" height=\"10\"/></g>\n"
           "</svg>\n");
    fh_issue_log_free(&log);
}

static void test_empty(void **unused) {
    (void)unused;
    struct fh_issue_log log = {.to = UINT64_MAX, .most = 10};
    struct fh_trace_bytes to = {0};
    bool fine = fh_issue_log_json(&to, &log, &machine);
    expect(
        &to, fine,
        "{\"displayTimeUnit\": \"ns\", \"otherData\": {\"machine\": \"m<''1>\", \"left_out\": 0}, "
        "\"traceEvents\": [\n]}\n");
    to = (struct fh_trace_bytes){0};
    fine = fh_issue_log_svg(&to, &log, &machine);
    expect(&to, fine,
           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1370\" height=\"90\" "
           "font-family=\"sans-serif\" font-size=\"11\">\n"
           "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
           "<text x=\"150\" y=\"22\" font-size=\"15\" font-weight=\"bold\">One SM of "
           "m&lt;\"\\1&gt;, by cycle</text>\n"
           "<path d=\"M150.0 70 V70\" stroke=\"#ddd\"/><text x=\"150.0\" y=\"64\" "
           "text-anchor=\"middle\">0</text>\n"
           "<path d=\"M1350.0 70 V70\" stroke=\"#ddd\"/><text x=\"1350.0\" y=\"64\" "
           "text-anchor=\"middle\">1</text>\n"
           "</svg>\n");
    /* What has failed is not hidden. */
    log.failed = true;
    assert_false(fh_issue_log_json(&to, &log, &machine));
    assert_false(fh_issue_log_svg(&to, &log, &machine));
    fh_trace_bytes_free(&to);
}

/* Twelve steps of 1, 2, 5, 10, ... cycles at most, at their multiples. */
static void test_axis(void **unused) {
    (void)unused;
    static const struct {
        uint64_t from, span, first, step, count;
    } cases[] = {
        {0, 12, 0, 1, 13},
        {0, 13, 0, 2, 7},
        {7, 25, 8, 2, 13},
        {0, 26, 0, 5, 6},
        {10, 64, 10, 5, 13},
        {11, 65, 20, 10, 6},
        {0, 129, 0, 10, 13},
        {0, 130, 0, 20, 7},
        {0, 259, 0, 20, 13},
        {0, 260, 0, 50, 6},
        {0, 649, 0, 50, 13},
        {0, 650, 0, 100, 7},
        {99999, 12999, 100000, 1000, 13},
        {0, 13000, 0, 2000, 7},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fh_issue_log log = {.to = UINT64_MAX, .most = 10};
        struct fh_trace_bytes to = {0};
        fh_issue_log_launch(&log, &first_code, 0);
        const uint64_t last = cases[i].from + cases[i].span - machine.slot;
        add(&log, cases[i].from, last, (struct fh_issue_log_event){.word = 1});
        add(&log, last, last, (struct fh_issue_log_event){.word = 1});
        assert_true(fh_issue_log_svg(&to, &log, &machine));
        fh_trace_put_byte(&to, 0);
        const char *at = (const char *)to.bytes;
        static const char middle[] = "text-anchor=\"middle\">";
        uint64_t count = 0;
        for (; (at = strstr(at, middle)); count++) {
            at += sizeof middle - 1;
            assert_int_equal(strtoull(at, NULL, 10), cases[i].first + count * cases[i].step);
        }
        assert_int_equal(count, cases[i].count);
        fh_trace_bytes_free(&to);
        fh_issue_log_free(&log);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json),  cmocka_unit_test(test_range), cmocka_unit_test(test_drawing),
        cmocka_unit_test(test_empty), cmocka_unit_test(test_axis),
    };
    return cmocka_run_group_tests_name("issue_log", tests, NULL, NULL);
}
