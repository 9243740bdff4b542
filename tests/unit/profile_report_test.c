/*
 * profile_report_test.c - profiles, whole, of kernels whose counts are set by hand: listing, JSON,
 * callgrind and lcov.
 */
#include <string.h>

#include "emu_util.h"
#include "profile_report.h"

enum { WORDS = 13, OWN = 10 };

/* Words 0 to 9 are the kernel's, of which the last is filling; 10 is no instruction; 11 and 12 are
 * a function. Registers that are live before each: 0, 1, 2, 3, 3, 4, 2, 0, 0; R8 in the function.
 */
static const char text[] = ".target sm_80\n.kernel K\n.shared s, 64\n"
                           "[B------:R-:W-:-:S04] MOV R1, 0x5 ;\n"
                           "[B------:R-:W-:-:S04] MOV R2, 0x6 ;\n"
                           "[B------:R-:W-:-:S04] IADD3 R3, R1.reuse, R2, RZ ;\n"
                           "[B------:R-:W-:-:S04] IADD3 R4, R1, R3, RZ ;\n"
                           "[B------:R-:W-:-:S04] LDS R5, [R4] ;\n"
                           "[B------:R-:W-:-:S04] STS [R4], R5 ;\n"
                           "[B------:R-:W-:-:S04] LDG.E R6, [R2.64] ;\n"
                           "[B------:R-:W-:-:S04] NOP ;\n"
                           "[B------:R-:W-:-:S04] EXIT ;\n"
                           "[B------:R-:W-:-:S04] NOP ;\n"
                           "[B------:R-:W-:-:S04] NOP ;\n" /* made none */
                           "[B------:R-:W-:-:S04] IADD3 R7, R8, UR3, RZ ;\n"
                           "[B------:R-:W-:-:S04] EXIT ;\n.end\n";

static char a_again[] = "a.sass"; /* equal to, but not the same as a literal */
#define MACRO "a.sass:5 (in macro M, from a.sass:9)"
#define TEN   "0123456789"
#define FIFTY TEN TEN TEN TEN TEN
#define CHAIN FIFTY TEN TEN TEN

static const struct fh_profiled_word places[WORDS] = {
    {.file = "a.sass", .line = 3},
    {.file = "a.sass", .line = 3},
    {.file = "a.sass",
     .line = 5,
     .chain = MACRO,
     .counts = {.warp = 9, .thread = 9, .shared_requests = 2, .passes = 8, .conflicts = 5},
     .worst = {3, 31, 3, {7, 8, 9}, {16, 32, 4096}, {0, 0, 9}, 2}},
    {.file = "a.sass",
     .line = 5,
     .chain = CHAIN,
     .counts = {.warp = 9, .thread = 288, .divergences = 2, .passes = 9, .conflicts = 7},
     .worst = {5, 30, 4, {1, 2, 3, 4}, {1, 2, 3, 4}, {1, 0, 0}, 0}},
    {.file = "a.sass",
     .line = 7,
     .chain = CHAIN "x",
     .counts = {.warp = 10, .thread = 320, .shared_requests = 10, .passes = 320, .conflicts = 310},
     .worst = {32, 3, 4, {0, 1, 2, 3}, {12, 140, 268, 396}, {1, 2, 3}, 4}},
    {.file = "b.sass",
     .line = 2,
     .counts = {.warp = 10, .thread = 160, .shared_requests = 10, .passes = 20, .conflicts = 10},
     .worst = {2, 0, 2, {0, 31}, {0, 128}, {0, 0, 0}, 0}},
    {.file = a_again,
     .line = 14,
     .counts = {.warp = 4, .thread = 100, .requests = 4, .sectors = 20, .ideal = 16}},
    {.file = "a.sass", .line = 22},
    {.counts = {.warp = 10, .thread = 320, .conflicts = 1}},
    {.file = "a.sass", .line = 23},
    {.file = "a.sass", .line = 24},
    {.file = "b.sass",
     .line = 2,
     .function = "fun",
     .counts = {.warp = 2,
                .thread = 2,
                .requests = 3,
                .sectors = 7,
                .ideal = 6,
                .local_requests = 2,
                .local_sectors = 8,
                .local_ideal = 4}},
    {.counts = {.warp = 2, .thread = 2, .requests = 1, .sectors = 2, .ideal = 1, .conflicts = 2}},
};

static void make_words(struct fh_profiled_word *words) {
    fhec_program *program = emu_assemble(text);
    fhec_kernel_info info;
    assert_int_equal(fhec_kernel_get(program, 0, &info), FHEC_OK);
    assert_int_equal(info.word_count, WORDS);
    for (unsigned i = 0; i < WORDS; i++) {
        words[i] = places[i];
        if (i != OWN)
            words[i].word = info.words[i];
    }
    fhec_program_free(program);
}

static char name[] = "K<1>", never_name[] = "never";
static struct fh_profiled_word words[WORDS], never_words[1];
static struct fh_profiled_kernel kernel = {.name = name,
                                           .words = words,
                                           .count = WORDS,
                                           .own = OWN,
                                           .launches = 2,
                                           .blocks = 6,
                                           .threads = 384,
                                           .grid = {3, 1, 1},
                                           .block = {16, 2, 2}},
                                 never = {.name = never_name,
                                          .words = never_words,
                                          .count = 1,
                                          .own = 1};
static struct fh_profiled_kernel *both[] = {&never, &kernel};
static const struct fh_profiled_code code = {.kernels = both, .count = 2};

static void begin(void) {
    make_words(words);
    never_words[0] = (struct fh_profiled_word){.word = words[8].word, .file = "a.sass", .line = 30};
}

static bool keep(void *user, const void *bytes, size_t size) {
    fh_trace_put(user, bytes, size);
    return true;
}

static bool source(void *user, const char *file, uint32_t line, const char **text_of,
                   size_t *length) {
    (void)user;
    static const char fifty[] = FIFTY;
    static char exact[60], longer[60];
    if (strcmp(file, "b.sass") == 0)
        return false;
    snprintf(exact, sizeof exact, "%s123456", fifty);
    snprintf(longer, sizeof longer, "%s1234567", fifty);
    *text_of = line == 3    ? exact
               : line == 7  ? longer
               : line == 14 ? "\tLDG\x01.E"
               : line == 22 ? "  "
                            : "source";
    *length = strlen(*text_of);
    return true;
}
static const struct fh_profile_sources sources = {NULL, source};

static void expect(enum fh_profile_format format, const struct fh_profiled_code *of,
                   const char *wanted) {
    struct fh_trace_bytes got = {0};
    const struct fh_trace_out out = {&got, keep};
    assert_true(fh_profile_write(format, of, &sources, "fhec run", &out));
    fh_trace_put_byte(&got, 0);
    if (strcmp((const char *)got.bytes, wanted) != 0) {
        size_t at = 0;
        while (wanted[at] && wanted[at] == (char)got.bytes[at])
            at++;
        fail_msg("from byte %zu on: %.300s", at, (const char *)got.bytes + at);
    }
    fh_trace_bytes_free(&got);
}

/* ---------------------------------------------------------------- the listing */

#define HEAD "   warp     % lanes live reuse sectors   ideal  passes   confl   div  line   pc\n"

static void test_text(void **unused) {
    (void)unused;
    begin();
    expect(
        FH_PROFILE_TEXT, &code,
        "kernel K<1>: 2 launches, 6 blocks, 384 threads\n"
        "  56 warp instructions, 1201 thread instructions: 21.45 lanes on average\n"
        "  warp instructions by class: memory 42.9 %, integer 35.7 %, control 21.4 %\n"
        "  global memory: 8 requests, 29 sectors; ideal 23 (79.3 %)\n"
        "  local memory: 2 requests, 8 sectors; ideal 4 (50.0 %)\n"
        "  shared memory: 22 requests, 357 passes, 335 of them by bank conflicts (93.8 %)\n"
        "  divergences: 2; operands from registers kept for reuse: 9\n"
        "  registers live: 4 at most (b.sass:2, pc 0050)\n"
        "\n"
        "  bank conflicts, the most expensive first:\n"
        "  " CHAIN "..., pc 0040: LDS R5, [R4]\n"
        "    310 passes more than without; 32 ways in bank 3 in block 1,2,3, warp 4:\n"
        "      lane 0 at 0xc, lane 1 at 0x8c, lane 2 at 0x10c, lane 3 at 0x18c, ...\n"
        "  a.sass:5, pc 0030: IADD3 R4, R1, R3, RZ, and 1 more of the line\n"
        "    12 passes more than without; 5 ways in bank 30 in block 1,0,0, warp 0:\n"
        "      lane 1 at 0x1, lane 2 at 0x2, lane 3 at 0x3, lane 4 at 0x4, ...\n"
        "  b.sass:2, pc 0050: STS [R4], R5\n"
        "    10 passes more than without; 2 ways in bank 0 in block 0,0,0, warp 0:\n"
        "      lane 0 at 0x0, lane 31 at 0x80\n"
        "  pc 00c0: EXIT\n"
        "    2 passes more than without; 0 ways in bank 0 in block 0,0,0, warp 0:\n"
        "     \n"
        "  pc 0080: EXIT\n"
        "    1 passes more than without; 0 ways in bank 0 in block 0,0,0, warp 0:\n"
        "     \n"
        "\n"
        "  global memory, the most sectors above the ideal first:\n"
        "  a.sass:14, pc 0060: LDG.E R6, [R2.64]\n"
        "    5.0 sectors a request, ideal 4.0; 4 too many\n"
        "  b.sass:2, pc 00b0: IADD3 R7, R8, UR3, RZ\n"
        "    2.3 sectors a request, ideal 2.0; 1 too many\n"
        "  pc 00c0: EXIT\n"
        "    2.0 sectors a request, ideal 1.0; 1 too many\n"
        "\n"
        "a.sass\n" HEAD
        "      0                1                                                 3      | " FIFTY
        "123456\n"
        "      0                0                                                   0000 |   MOV "
        "R1, 0x5\n"
        "      0                1                                                   0010 |   MOV "
        "R2, 0x6\n"
        "                                                                           4      | "
        "source\n"
        "     18  32.1  16.5    3     1                      17      12     2     5      | source\n"
        "      9  16.1   1.0    2                             8       5             0020 |   IADD3 "
        "R3, R1.reuse, R2, RZ\n"
        "      9  16.1  32.0    3     1                       9       7     2       0030 |   IADD3 "
        "R4, R1, R3, RZ\n"
        "                                                                           6      | "
        "source\n"
        "     10  17.9  32.0    3                           320     310           7 0040 | " FIFTY
        "123456...\n"
        "                                                                           8      | "
        "source\n"
        "                                                                           9      | "
        "source\n"
        "                                                                          10      | "
        "source\n"
        "                                                                          11      | "
        "source\n"
        "                                                                          12      | "
        "source\n"
        "                                                                          13      | "
        "source\n"
        "      4   7.1  25.0    2            20      16                          14 0060 |     "
        "LDG?.E\n"
        "                                                                       ...\n"
        "      0                0                                                22 0070 |   \n"
        "\n"
        "b.sass\n" HEAD
        "     12  21.4  13.5    4            15      10      20      10           2      | \n"
        "     10  17.9  16.0    4                            20      10             0050 |   STS "
        "[R4], R5\n"
        "      2   3.6   1.0    1            15      10                             00b0 |   IADD3 "
        "R7, R8, UR3, RZ\n"
        "\n"
        "(no source lines)\n" HEAD
        "     10  17.9  32.0    0                                     1             0080 |   EXIT\n"
        "      2   3.6   1.0    0             2       1               2             00c0 |   "
        "EXIT\n");
}

/* Seven characters; what has more is cut to thousands and so on, from ten millions on. */
static void test_large(void **unused) {
    (void)unused;
    static const struct {
        uint64_t number;
        const char *shown;
    } cases[] = {
        {9999999, "9999999"},         {10000000, " 10000k"},
        {999999999, "999999k"},       {1000000000, "  1000M"},
        {999999999999, "999999M"},    {1000000000000, "  1000G"},
        {999999999999999, "999999G"}, {1000000000000000, "  1000T"},
        {UINT64_MAX, " 18446P"},      {1, "      1"},
    };
    begin();
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fh_profiled_word word = {.word = words[8].word,
                                        .file = "b.sass",
                                        .line = 1,
                                        .counts = {.warp = cases[i].number}};
        struct fh_profiled_kernel one = kernel, *list[] = {&one};
        const struct fh_profiled_code of = {.kernels = list, .count = 1};
        struct fh_trace_bytes got = {0};
        char wanted[60];
        one.words = &word;
        one.count = one.own = 1;
        assert_true(fh_profile_text(&got, &of, &sources));
        fh_trace_put_byte(&got, 0);
        snprintf(wanted, sizeof wanted, "\n%s 100.0   0.0", cases[i].shown);
        if (!strstr((const char *)got.bytes, wanted))
            fail_msg("%s is not in %s", wanted, (const char *)got.bytes);
        fh_trace_bytes_free(&got);
    }
}

/* Eight of ten, the worst first; of equal ones the first line. */
static void test_worst_eight(void **unused) {
    (void)unused;
    static const uint64_t bad[10] = {5, 1, 9, 9, 2, 7, 3, 8, 4, 6};
    static const unsigned order[8] = {2, 3, 7, 5, 9, 0, 8, 6};
    struct fh_profiled_word many[10];
    struct fh_profiled_kernel one = kernel, *list[] = {&one};
    const struct fh_profiled_code of = {.kernels = list, .count = 1};
    struct fh_trace_bytes got = {0};
    begin();
    for (unsigned i = 0; i < 10; i++)
        many[i] = (struct fh_profiled_word){.word = words[2].word,
                                            .file = "b.sass",
                                            .line = 100 + i,
                                            .counts = {.warp = 1,
                                                       .conflicts = bad[i],
                                                       .requests = 1,
                                                       .sectors = 10 + bad[i],
                                                       .ideal = 10}};
    one.words = many;
    one.count = one.own = 10;
    assert_true(fh_profile_text(&got, &of, &sources));
    fh_trace_put_byte(&got, 0);
    const char *at = strstr((const char *)got.bytes, "\n  bank conflicts");
    for (unsigned kind = 0; kind < 2; kind++) {
        for (unsigned i = 0; i < 8; i++) {
            char wanted[60];
            const unsigned w = order[i];
            assert_non_null(at);
            snprintf(wanted, sizeof wanted, "  b.sass:%u, pc %04x:", 100 + w, 16 * w);
            at = strstr(at, ":\n") && i == 0 ? strchr(at + 1, '\n') + 1 : at;
            assert_memory_equal(at, wanted, strlen(wanted));
            snprintf(wanted, sizeof wanted, kind ? "; %u too many\n" : "    %u passes more",
                     (unsigned)bad[w]);
            at = strstr(at, wanted);
            assert_non_null(at);
            at = strchr(at, '\n') + 1;
            if (!kind)
                at = strchr(at, '\n') + 1;
        }
        assert_int_equal(*at, '\n'); /* the list's end */
    }
    fh_trace_bytes_free(&got);
}

static void test_none(void **unused) {
    (void)unused;
    static const struct fh_profiled_code none;
    expect(FH_PROFILE_TEXT, &none, "no kernel was launched\n");
    expect(FH_PROFILE_JSON, &none, "{\"kernels\": [\n\n]}\n");
    expect(FH_PROFILE_LCOV, &none, "");
}

/* ---------------------------------------------------------------- the others */

#define GLOBAL_0 "\"global_requests\": 0, \"global_sectors\": 0, \"global_ideal_sectors\": 0, "
#define LOCAL_0  "\"local_requests\": 0, \"local_sectors\": 0, \"local_ideal_sectors\": 0, "
#define SHARED_0 "\"shared_requests\": 0, \"shared_passes\": 0, \"bank_conflicts\": 0"

static void test_json(void **unused) {
    (void)unused;
    begin();
    expect(
        FH_PROFILE_JSON, &code,
        "{\"kernels\": [\n"
        "  {\"kernel\": \"K<1>\", \"launches\": 2, \"complete\": true, \"blocks\": 6, \"threads\": "
        "384, \"grid\": [3, 1, 1], \"block\": [16, 2, 2],\n"
        "   \"warp\": 56, \"thread\": 1201, \"divergences\": 2, \"reused\": 9, \"live\": 4, "
        "\"live_uniform\": 1, \"global_requests\": 8, \"global_sectors\": 29, "
        "\"global_ideal_sectors\": 23, \"local_requests\": 2, \"local_sectors\": 8, "
        "\"local_ideal_sectors\": 4, \"shared_requests\": 22, \"shared_passes\": 357, "
        "\"bank_conflicts\": 335,\n"
        "   \"classes\": {\"memory\": 24, \"integer\": 20, \"control\": 12},\n"
        "   \"lines\": [\n"
        "    {\"file\": \"a.sass\", \"line\": 3, \"warp\": 0, \"thread\": 0, \"divergences\": 0, "
        "\"reused\": 0, \"live\": 1, \"live_uniform\": 0, " GLOBAL_0 LOCAL_0 SHARED_0
        ", \"pcs\": [0, 16]},\n"
        "    {\"file\": \"a.sass\", \"line\": 5, \"warp\": 18, \"thread\": 297, \"divergences\": "
        "2, \"reused\": 9, \"live\": 3, \"live_uniform\": 0, " GLOBAL_0 LOCAL_0
        "\"shared_requests\": 2, \"shared_passes\": 17, \"bank_conflicts\": 12, \"pcs\": [32, "
        "48]},\n"
        "    {\"file\": \"a.sass\", \"line\": 7, \"warp\": 10, \"thread\": 320, \"divergences\": "
        "0, \"reused\": 0, \"live\": 3, \"live_uniform\": 0, " GLOBAL_0 LOCAL_0
        "\"shared_requests\": 10, \"shared_passes\": 320, \"bank_conflicts\": 310, \"pcs\": "
        "[64]},\n"
        "    {\"file\": \"a.sass\", \"line\": 14, \"warp\": 4, \"thread\": 100, \"divergences\": "
        "0, \"reused\": 0, \"live\": 2, \"live_uniform\": 0, \"global_requests\": 4, "
        "\"global_sectors\": 20, \"global_ideal_sectors\": 16, " LOCAL_0 SHARED_0
        ", \"pcs\": [96]},\n"
        "    {\"file\": \"a.sass\", \"line\": 22, \"warp\": 0, \"thread\": 0, \"divergences\": 0, "
        "\"reused\": 0, \"live\": 0, \"live_uniform\": 0, " GLOBAL_0 LOCAL_0 SHARED_0
        ", \"pcs\": [112]},\n"
        "    {\"file\": \"b.sass\", \"line\": 2, \"warp\": 12, \"thread\": 162, \"divergences\": "
        "0, \"reused\": 0, \"live\": 4, \"live_uniform\": 1, \"global_requests\": 3, "
        "\"global_sectors\": 7, \"global_ideal_sectors\": 6, \"local_requests\": 2, "
        "\"local_sectors\": 8, \"local_ideal_sectors\": 4, \"shared_requests\": 10, "
        "\"shared_passes\": 20, \"bank_conflicts\": 10, \"pcs\": [80, 176]}],\n"
        "   \"instructions\": [\n"
        "    {\"pc\": 0, \"file\": \"a.sass\", \"line\": 3, \"text\": \"MOV R1, 0x5\", \"class\": "
        "\"move\", \"warp\": 0, \"thread\": 0, \"divergences\": 0, \"reused\": 0, \"live\": 0, "
        "\"live_uniform\": 0, " GLOBAL_0 LOCAL_0 SHARED_0 "},\n"
        "    {\"pc\": 16, \"file\": \"a.sass\", \"line\": 3, \"text\": \"MOV R2, 0x6\", \"class\": "
        "\"move\", \"warp\": 0, \"thread\": 0, \"divergences\": 0, \"reused\": 0, \"live\": 1, "
        "\"live_uniform\": 0, " GLOBAL_0 LOCAL_0 SHARED_0 "},\n"
        "    {\"pc\": 32, \"file\": \"a.sass\", \"line\": 5, \"chain\": \"a.sass:5 (in macro M, "
        "from a.sass:9)\", \"text\": \"IADD3 R3, R1.reuse, R2, RZ\", \"class\": \"integer\", "
        "\"warp\": 9, \"thread\": 9, \"divergences\": 0, \"reused\": 0, \"live\": 2, "
        "\"live_uniform\": 0, " GLOBAL_0 LOCAL_0
        "\"shared_requests\": 2, \"shared_passes\": 8, \"bank_conflicts\": 5, \"worst_conflict\": "
        "{\"ways\": 3, \"bank\": 31, \"block\": [0, 0, 9], \"warp\": 2, \"accesses\": [{\"lane\": "
        "7, \"address\": 16}, {\"lane\": 8, \"address\": 32}, {\"lane\": 9, \"address\": "
        "4096}]}},\n"
        "    {\"pc\": 48, \"file\": \"a.sass\", \"line\": 5, \"chain\": \"" CHAIN
        "\", \"text\": \"IADD3 R4, R1, R3, RZ\", \"class\": \"integer\", \"warp\": 9, \"thread\": "
        "288, \"divergences\": 2, \"reused\": 9, \"live\": 3, \"live_uniform\": 0, " GLOBAL_0
            LOCAL_0
        "\"shared_requests\": 0, \"shared_passes\": 9, \"bank_conflicts\": 7, \"worst_conflict\": "
        "{\"ways\": 5, \"bank\": 30, \"block\": [1, 0, 0], \"warp\": 0, \"accesses\": [{\"lane\": "
        "1, \"address\": 1}, {\"lane\": 2, \"address\": 2}, {\"lane\": 3, \"address\": 3}, "
        "{\"lane\": 4, \"address\": 4}]}},\n"
        "    {\"pc\": 64, \"file\": \"a.sass\", \"line\": 7, \"chain\": \"" CHAIN
        "x\", \"text\": \"LDS R5, [R4]\", \"class\": \"memory\", \"warp\": 10, \"thread\": 320, "
        "\"divergences\": 0, \"reused\": 0, \"live\": 3, \"live_uniform\": 0, " GLOBAL_0 LOCAL_0
        "\"shared_requests\": 10, \"shared_passes\": 320, \"bank_conflicts\": 310, "
        "\"worst_conflict\": {\"ways\": 32, \"bank\": 3, \"block\": [1, 2, 3], \"warp\": 4, "
        "\"accesses\": [{\"lane\": 0, \"address\": 12}, {\"lane\": 1, \"address\": 140}, "
        "{\"lane\": 2, \"address\": 268}, {\"lane\": 3, \"address\": 396}]}},\n"
        "    {\"pc\": 80, \"file\": \"b.sass\", \"line\": 2, \"text\": \"STS [R4], R5\", "
        "\"class\": \"memory\", \"warp\": 10, \"thread\": 160, \"divergences\": 0, \"reused\": 0, "
        "\"live\": 4, \"live_uniform\": 0, " GLOBAL_0 LOCAL_0
        "\"shared_requests\": 10, \"shared_passes\": 20, \"bank_conflicts\": 10, "
        "\"worst_conflict\": {\"ways\": 2, \"bank\": 0, \"block\": [0, 0, 0], \"warp\": 0, "
        "\"accesses\": [{\"lane\": 0, \"address\": 0}, {\"lane\": 31, \"address\": 128}]}},\n"
        "    {\"pc\": 96, \"file\": \"a.sass\", \"line\": 14, \"text\": \"LDG.E R6, [R2.64]\", "
        "\"class\": \"memory\", \"warp\": 4, \"thread\": 100, \"divergences\": 0, \"reused\": 0, "
        "\"live\": 2, \"live_uniform\": 0, \"global_requests\": 4, \"global_sectors\": 20, "
        "\"global_ideal_sectors\": 16, " LOCAL_0 SHARED_0 "},\n"
        "    {\"pc\": 112, \"file\": \"a.sass\", \"line\": 22, \"text\": \"NOP\", \"class\": "
        "\"control\", \"warp\": 0, \"thread\": 0, \"divergences\": 0, \"reused\": 0, \"live\": 0, "
        "\"live_uniform\": 0, " GLOBAL_0 LOCAL_0 SHARED_0 "},\n"
        "    {\"pc\": 128, \"file\": null, \"line\": 0, \"text\": \"EXIT\", \"class\": "
        "\"control\", \"warp\": 10, \"thread\": 320, \"divergences\": 0, \"reused\": 0, \"live\": "
        "0, \"live_uniform\": 0, " GLOBAL_0 LOCAL_0
        "\"shared_requests\": 0, \"shared_passes\": 0, \"bank_conflicts\": 1},\n"
        "    {\"pc\": 176, \"file\": \"b.sass\", \"line\": 2, \"text\": \"IADD3 R7, R8, UR3, RZ\", "
        "\"class\": \"integer\", \"warp\": 2, \"thread\": 2, \"divergences\": 0, \"reused\": 0, "
        "\"live\": 1, \"live_uniform\": 1, \"global_requests\": 3, \"global_sectors\": 7, "
        "\"global_ideal_sectors\": 6, \"local_requests\": 2, \"local_sectors\": 8, "
        "\"local_ideal_sectors\": 4, " SHARED_0 "},\n"
        "    {\"pc\": 192, \"file\": null, \"line\": 0, \"text\": \"EXIT\", \"class\": "
        "\"control\", \"warp\": 2, \"thread\": 2, \"divergences\": 0, \"reused\": 0, \"live\": 0, "
        "\"live_uniform\": 0, \"global_requests\": 1, \"global_sectors\": 2, "
        "\"global_ideal_sectors\": 1, " LOCAL_0
        "\"shared_requests\": 0, \"shared_passes\": 0, \"bank_conflicts\": 2}]}\n"
        "]}\n");
}

static void test_callgrind(void **unused) {
    (void)unused;
    begin();
    expect(FH_PROFILE_CALLGRIND, &code,
           "# callgrind format\n"
           "version: 1\n"
           "creator: fhec-" FHEC_VERSION "\n"
           "pid: 1\n"
           "cmd: fhec run\n"
           "part: 1\n"
           "\n"
           "\n"
           "positions: instr line\n"
           "event: Warp : Warp instructions\n"
           "event: Thread : Thread instructions\n"
           "event: Sect : Sectors of global and local memory\n"
           "event: SectX : Sectors above the ideal\n"
           "event: Pass : Passes of shared memory\n"
           "event: Confl : Passes by bank conflicts\n"
           "event: Div : Divergences\n"
           "events: Warp Thread Sect SectX Pass Confl Div\n"
           "summary: 56 1201 37 10 357 335 2\n"
           "\n"
           "fl=a.sass\n"
           "fn=K<1>\n"
           "0x20 5 9 9 0 0 8 5 0\n"
           "0x30 5 9 288 0 0 9 7 2\n"
           "0x40 7 10 320 0 0 320 310 0\n"
           "fi=b.sass\n"
           "0x50 2 10 160 0 0 20 10 0\n"
           "fe=a.sass\n"
           "0x60 14 4 100 20 4 0 0 0\n"
           "fi=???\n"
           "0x80 0 10 320 0 0 0 1 0\n"
           "\n"
           "fl=b.sass\n"
           "fn=fun\n"
           "0xb0 2 2 2 15 5 0 0 0\n"
           "fi=???\n"
           "0xc0 0 2 2 2 1 0 2 0\n"
           "\n"
           "totals: 56 1201 37 10 357 335 2\n");
}

static void test_lcov(void **unused) {
    (void)unused;
    begin();
    expect(FH_PROFILE_LCOV, &code,
           "TN:\n"
           "SF:a.sass\n"
           "FN:3,K<1>\n"
           "FN:30,never\n"
           "FNDA:2,K<1>\n"
           "FNDA:0,never\n"
           "FNF:2\n"
           "FNH:1\n"
           "DA:3,0\n"
           "DA:5,9\n"
           "DA:7,10\n"
           "DA:14,4\n"
           "DA:22,0\n"
           "DA:23,0\n"
           "DA:24,0\n"
           "DA:30,0\n"
           "LF:8\n"
           "LH:3\n"
           "end_of_record\n"
           "TN:\n"
           "SF:b.sass\n"
           "FNF:0\n"
           "FNH:0\n"
           "DA:2,10\n"
           "LF:1\n"
           "LH:1\n"
           "end_of_record\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),        cmocka_unit_test(test_large),
        cmocka_unit_test(test_worst_eight), cmocka_unit_test(test_none),
        cmocka_unit_test(test_json),        cmocka_unit_test(test_callgrind),
        cmocka_unit_test(test_lcov),
    };
    return cmocka_run_group_tests_name("profile_report", tests, NULL, NULL);
}
