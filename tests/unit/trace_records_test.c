/* Records as text, wide text and JSON, from records made by hand: every kind, every field, each
 * part with and without what may be missing. */
#include "emu_util.h"
#include "trace_util.h"

enum { TEXT = 60000 };

static struct fh_trace_names names;
static struct fh_trace_step steps[2] = {{"macro ADD", "b.inc", 3, 0}, {".rept", "c.inc", 4, 2}};

/* Two kernels; of the first one the instruction at 0x10 is known, that at 0x20 has no source. */
static int make_names(void **state) {
    static const char *const words[] = {"IADD3 R1, R2, R3, RZ", "EXIT"};
    (void)state;
    names.kernels = calloc(2, sizeof *names.kernels);
    names.launches = calloc(2, sizeof *names.launches);
    names.objects = calloc(2, sizeof *names.objects);
    names.kernels[0] = (struct fh_trace_kernel){
        .name = "k\"1", .code = calloc(3, sizeof *names.kernels[0].code), .count = 3};
    names.kernels[1].name = "other";
    names.kernel_count = names.launch_count = names.object_count = 2;
    names.launches[0] = (struct fh_trace_launch){3, 0, {2, 3, 4}, {32, 2, 1}};
    names.launches[1] = (struct fh_trace_launch){4, 1, {1, 1, 1}, {1, 1, 1}};
    for (size_t i = 0; i < 2; i++) {
        struct fh_trace_instruction *at = &names.kernels[0].code[i + 1];
        at->known = true;
        if (fhec_assemble_word(words[i], 0, NULL, NULL, &at->word) != FHEC_OK)
            return -1;
    }
    struct fh_trace_instruction *at = &names.kernels[0].code[1];
    at->file = "a.sass";
    at->line = 7;
    at->column = 5;
    at->steps = steps;
    at->step_count = 2;
    names.objects[0] = (struct fh_trace_object){"buf", FHEC_SPACE_GLOBAL, 0, 0, 0x1000, 64};
    names.objects[1] = (struct fh_trace_object){"q", FHEC_SPACE_CONSTANT, 3, 0, 0x160, 16};
    return 0;
}

static int free_names(void **state) {
    (void)state;
    free(names.kernels[0].code);
    free(names.kernels);
    free(names.launches);
    free(names.objects);
    return 0;
}

static void printed(const struct fh_trace_record *r, enum fh_trace_format format, unsigned parts,
                    uint32_t lanes, const char *want) {
    struct fh_trace_bytes got = {0};
    struct fh_trace_text text = {
        .format = format, .view = {parts, lanes}, .out = {&got, trace_collect}};
    const struct fh_trace_sink sink = fh_trace_text_sink(&text);
    assert_true(sink.put(sink.user, &names, r));
    const uint8_t end = 0;
    fh_trace_put(&got, &end, 1);
    assert_string_equal((const char *)got.bytes, want);
    fh_trace_bytes_free(&got);
    fh_trace_bytes_free(&text.line);
}

static void is_text(const struct fh_trace_record *r, unsigned parts, const char *want) {
    printed(r, FH_TRACE_TEXT, parts, UINT32_MAX, want);
}
static void is_json(const struct fh_trace_record *r, unsigned parts, const char *want) {
    printed(r, FH_TRACE_JSON, parts, UINT32_MAX, want);
}

/* ---------------------------------------------------------------- instructions */

#define WHERE                                                                                      \
    "\"block\": [1, 2, 3], \"warp\": 1, \"pc\": 16, \"lanes\": 4294967295, \"active\": 65535"
#define HEAD                                                                                       \
    "{\"event\": \"instruction\", \"launch\": 3, \"kernel\": \"k\\\"1\", " WHERE                   \
    ", \"text\": \"IADD3 R1, R2, R3, RZ\", \"source\": {\"file\": \"a.sass\", \"line\": 7, "       \
    "\"column\": 5, \"chain\": [{\"what\": \"macro ADD\", \"file\": \"b.inc\", \"line\": 3}, "     \
    "{\"what\": \"iteration 2 of .rept\", \"file\": \"c.inc\", \"line\": 4}]}"
#define LINE                                                                                       \
    "b1,2,3 w1 0010 0000ffff  IADD3 R1, R2, R3, RZ  // a.sass:7, macro ADD at b.inc:3, "           \
    "iteration 2 of .rept at c.inc:4\n"

static struct fh_trace_record instruction_of(uint64_t pc) {
    return (struct fh_trace_record){.kind = FHEC_EVENT_RETIRE,
                                    .block = {1, 2, 3},
                                    .warp = 1,
                                    .lanes = UINT32_MAX,
                                    .active = 0xffff,
                                    .pc = pc};
}

static void plain(void **state) {
    (void)state;
    struct fh_trace_record r = instruction_of(16);
    is_text(&r, FH_TRACE_FETCH, LINE);
    is_text(&r, 0, "");
    is_json(&r, FH_TRACE_FETCH, HEAD "}\n");
    is_json(&r, FH_TRACE_ALL, HEAD ", \"reads\": {}, \"registers\": {}, \"accesses\": []}\n");
    is_json(&r, FH_TRACE_REGS, HEAD ", \"registers\": {}}\n");
    is_json(&r, FH_TRACE_MEM, HEAD ", \"accesses\": []}\n");
    is_json(&r, FH_TRACE_CONSTANTS, HEAD ", \"accesses\": []}\n");
    r.pc = 32;
    r.kind = FHEC_EVENT_ISSUE;
    is_text(&r, FH_TRACE_FETCH, "b1,2,3 w1 0020 0000ffff  EXIT\n");
    is_json(
        &r, FH_TRACE_FETCH,
        "{\"event\": \"issue\", \"launch\": 3, \"kernel\": \"k\\\"1\", \"block\": [1, 2, 3], "
        "\"warp\": 1, \"pc\": 32, \"lanes\": 4294967295, \"active\": 65535, \"text\": \"EXIT\"}\n");
    r.pc = 48;
    is_text(&r, FH_TRACE_FETCH, "b1,2,3 w1 0030 0000ffff  (no instruction)\n");
}

/* Rows of eight lanes, or all on one line; in brackets those of lanes that do not execute. */
static void row_of(char *text, const char *name, const uint32_t *values, uint32_t active,
                   bool wide) {
    sprintf(text, "    %s =", name);
    const int head = (int)strlen(text);
    for (unsigned l = 0; l < 32; l++) {
        const bool acts = active >> l & 1, ends = l == 31 || (l % 8 == 7 && !wide);
        sprintf(text + strlen(text), acts ? "  %08x" : " (%08x)", values[l]);
        if (acts && !ends)
            strcat(text, " ");
        if (ends && l != 31)
            sprintf(text + strlen(text), "\n%*s", head, "");
    }
    strcat(text, "\n");
}

static void registers(void **state) {
    (void)state;
    static char want[TEXT], list[2][2000];
    struct fh_trace_register of[] = {{FHEC_FILE_R, true, 2, {0}},
                                     {FHEC_FILE_UR, true, 9, {0xabc}},
                                     {FHEC_FILE_R, false, 1, {0}},
                                     {FHEC_FILE_P, false, 3, {0x50}},
                                     {FHEC_FILE_UP, false, 6, {1}}};
    struct fh_trace_record r = instruction_of(16);
    for (uint32_t l = 0; l < 32; l++) {
        of[0].values[l] = 0x1000 * l;
        of[2].values[l] = 0x80000000 + l;
    }
    r.registers = of;
    r.register_count = 5;
    for (unsigned wide = 0; wide < 2; wide++) {
        const enum fh_trace_format format = wide ? FH_TRACE_WIDE : FH_TRACE_TEXT;
        row_of(want, "R1", of[2].values, 0xffff, wide);
        strcat(want, "    P3 = 00000050\n    UP6 = 1\n");
        printed(&r, format, FH_TRACE_REGS, UINT32_MAX, want);
        row_of(want, "reads R2", of[0].values, UINT32_MAX, wide);
        strcat(want, "    reads UR9 = 00000abc\n");
        printed(&r, format, FH_TRACE_READS, UINT32_MAX, want);
    }
    for (unsigned i = 0; i < 2; i++) {
        *list[i] = 0;
        for (unsigned l = 0; l < 32; l++)
            sprintf(list[i] + strlen(list[i]), "%s%u", l ? ", " : "", of[2 * i].values[l]);
    }
    snprintf(want, sizeof want,
             HEAD ", \"reads\": {\"R2\": [%s], \"UR9\": 2748}, \"registers\": {\"R1\": [%s], "
                  "\"P3\": 80, \"UP6\": 1}}\n",
             list[0], list[1]);
    is_json(&r, FH_TRACE_READS | FH_TRACE_REGS, want);
}

static void accesses(void **state) {
    (void)state;
    static struct fh_trace_access of[6];
    struct fh_trace_record r = instruction_of(32);
    const uint32_t lanes = 0x8;
    of[0] =
        (struct fh_trace_access){.space = FHEC_SPACE_GLOBAL, .access = 1, .lanes = 0x9, .bytes = 4};
    of[1] = (struct fh_trace_access){
        .space = FHEC_SPACE_SHARED, .access = 2, .lanes = lanes, .bytes = 8};
    of[2] = (struct fh_trace_access){
        .space = FHEC_SPACE_GLOBAL, .access = 3, .lanes = lanes, .bytes = 2, .has_old = true};
    of[3] = (struct fh_trace_access){
        .space = FHEC_SPACE_CONSTANT, .access = 1, .lanes = lanes, .bytes = 16, .bank = 3};
    of[4] = (struct fh_trace_access){
        .space = FHEC_SPACE_LOCAL, .access = 2, .lanes = lanes, .bytes = 1};
    of[5] = (struct fh_trace_access){
        .space = FHEC_SPACE_GLOBAL, .access = 2, .lanes = lanes, .bytes = 4};
    of[0].address[0] = 0x1000;
    of[0].address[3] = 0x103c;
    of[0].value[0][0] = 17;
    of[0].value[0][3] = 18;
    of[1].address[3] = 0x40;
    of[1].value[0][3] = 0x11;
    of[1].value[1][3] = 0x22;
    of[2].address[3] = 0x1006;
    of[2].old[0][3] = 0x5;
    of[2].value[0][3] = 0xa6;
    of[3].address[3] = 0x160;
    for (uint32_t i = 0; i < 4; i++)
        of[3].value[i][3] = i + 1;
    of[4].address[3] = 3;
    of[4].value[0][3] = 0x7f;
    of[5].address[3] = 0x1002; /* not aligned in its buffer */
    of[5].value[0][3] = 9;
    r.accesses = of;
    r.access_count = 6;
    is_text(&r, FH_TRACE_MEM,
            "    global load 4 lane 0 0x1000 = 00000011  buf[0]\n"
            "    global load 4 lane 3 0x103c = 00000012  buf[15]\n"
            "    shared store 8 lane 3 0x40 = 0000002200000011\n"
            "    global atomic 2 lane 3 0x1006 = 0005 -> 00a6  buf:u16[3]\n"
            "    local store 1 lane 3 0x3 = 7f\n"
            "    global store 4 lane 3 0x1002 = 00000009  buf+2\n");
    is_text(&r, FH_TRACE_CONSTANTS,
            "    constant load 16 lane 3 0x160 = 00000004000000030000000200000001  q[0-3]\n");
    printed(&r, FH_TRACE_TEXT, FH_TRACE_MEM, 1,
            "    global load 4 lane 0 0x1000 = 00000011  buf[0]\n");
    printed(
        &r, FH_TRACE_WIDE, FH_TRACE_MEM, UINT32_MAX,
        "    global load 4 lanes 00000009 0x1000 = 00000011  buf[0], 0x103c = 00000012  buf[15]\n"
        "    shared store 8 lanes 00000008 0x40 = 0000002200000011\n"
        "    global atomic 2 lanes 00000008 0x1006 = 0005 -> 00a6  buf:u16[3]\n"
        "    local store 1 lanes 00000008 0x3 = 7f\n"
        "    global store 4 lanes 00000008 0x1002 = 00000009  buf+2\n");
#define OF                                                                                         \
    "{\"event\": \"instruction\", \"launch\": 3, \"kernel\": \"k\\\"1\", \"block\": [1, 2, 3], "   \
    "\"warp\": 1, \"pc\": 32, \"lanes\": 4294967295, \"active\": 65535, \"text\": \"EXIT\", "      \
    "\"accesses\": ["
    is_json(
        &r, FH_TRACE_MEM,
        OF
        "{\"space\": \"global\", \"kind\": \"load\", \"bytes\": 4, \"lanes\": [{\"lane\": 0, "
        "\"address\": \"0x1000\", \"value\": 17, \"at\": \"buf[0]\"}, {\"lane\": 3, \"address\": "
        "\"0x103c\", \"value\": 18, \"at\": \"buf[15]\"}]}, "
        "{\"space\": \"shared\", \"kind\": \"store\", \"bytes\": 8, \"lanes\": [{\"lane\": 3, "
        "\"address\": \"0x40\", \"value\": \"0x0000002200000011\"}]}, "
        "{\"space\": \"global\", \"kind\": \"atomic\", \"bytes\": 2, \"lanes\": [{\"lane\": 3, "
        "\"address\": \"0x1006\", \"value\": 166, \"old\": 5, \"at\": \"buf:u16[3]\"}]}, "
        "{\"space\": \"local\", \"kind\": \"store\", \"bytes\": 1, \"lanes\": [{\"lane\": 3, "
        "\"address\": \"0x3\", \"value\": 127}]}, "
        "{\"space\": \"global\", \"kind\": \"store\", \"bytes\": 4, \"lanes\": [{\"lane\": 3, "
        "\"address\": \"0x1002\", \"value\": 9, \"at\": \"buf+2\"}]}]}\n");
    is_json(&r, FH_TRACE_CONSTANTS,
            OF
            "{\"space\": \"constant\", \"kind\": \"load\", \"bytes\": 16, \"bank\": 3, \"lanes\": "
            "[{\"lane\": 3, \"address\": \"0x160\", \"value\": "
            "\"0x00000004000000030000000200000001\", \"at\": \"q[0-3]\"}]}]}\n");
    of[0] = of[3];
    of[0].space = FHEC_SPACE_GLOBAL;
    of[0].address[3] = 0x1010; /* the second 16 bytes of its buffer */
    r.access_count = 1;
    is_text(&r, FH_TRACE_MEM,
            "    global load 16 lane 3 0x1010 = 00000004000000030000000200000001  buf[4-7]\n");
}

/* ---------------------------------------------------------------- XML */

/* U+FFFE, U+FFFF, bytes that are no UTF-8 and control characters cannot be in XML. */
static void xml(void **state) {
    struct fh_trace_bytes got = {0};
    const uint8_t end = 0;
    (void)state;
    fh_trace_put_xml(&got, "a<b>&\"\t\xe2\x82\xac\xef\xbf\xbd\xef\xbf\xbe,\xef\xbf\xbfz\xff.");
    fh_trace_put(&got, &end, 1);
    assert_string_equal((const char *)got.bytes,
                        "a&lt;b&gt;&amp;\" \xe2\x82\xac\xef\xbf\xbd?,?z?.");
    fh_trace_bytes_free(&got);
}

/* ---------------------------------------------------------------- everything else */

struct kind {
    fhec_event_kind kind;
    unsigned part;            /* that shows it; 0: it is always shown */
    const char *text, *alone; /* below its instruction; where instructions are not shown */
    const char *json;
};

#define LAUNCH "\"launch\": 3, \"kernel\": \"k\\\"1\""
#define BLOCK  "\"block\": [1, 2, 3]"
#define AT     BLOCK ", \"warp\": 1, \"pc\": 16, \"lanes\": 240"

static const struct kind kinds[] = {
    {FHEC_EVENT_LAUNCH_BEGIN, 0, "launch 3: kernel k\"1, grid 2,3,4, block 32,2,1\n", NULL,
     "{\"event\": \"launch begins\", " LAUNCH ", \"grid\": [2, 3, 4], \"block\": [32, 2, 1]}\n"},
    {FHEC_EVENT_LAUNCH_END, 0, "launch 3 ends: kernel k\"1, 8 warp instructions\n", NULL,
     "{\"event\": \"launch ends\", " LAUNCH ", \"status\": 7, \"warp_insts\": 8}\n"},
    {FHEC_EVENT_BLOCK_BEGIN, FH_TRACE_BLOCKS, "b1,2,3 begins\n", NULL,
     "{\"event\": \"block begins\", " LAUNCH ", " BLOCK "}\n"},
    {FHEC_EVENT_BLOCK_END, FH_TRACE_BLOCKS, "b1,2,3 ends\n", NULL,
     "{\"event\": \"block ends\", " LAUNCH ", " BLOCK "}\n"},
    {FHEC_EVENT_WARP_BEGIN, FH_TRACE_BLOCKS, "b1,2,3 w1 begins, lanes 000000f0\n", NULL,
     "{\"event\": \"warp begins\", " LAUNCH ", " BLOCK ", \"warp\": 1, \"lanes\": 240}\n"},
    {FHEC_EVENT_WARP_END, FH_TRACE_BLOCKS, "b1,2,3 w1 ends, lanes 000000f0\n", NULL,
     "{\"event\": \"warp ends\", " LAUNCH ", " AT "}\n"},
    {FHEC_EVENT_ARRIVE, FH_TRACE_SYNC, "    barrier 7: lanes 000000f0 arrive, 8 of 9\n",
     "b1,2,3 w1 0010    barrier 7: lanes 000000f0 arrive, 8 of 9\n",
     "{\"event\": \"arrive\", " LAUNCH ", " AT
     ", \"barrier\": 7, \"arrived\": 8, \"expected\": 9}\n"},
    {FHEC_EVENT_RELEASE, FH_TRACE_SYNC, "    barrier 7 lets 8 lanes go\n",
     "b1,2,3 w1 0010    barrier 7 lets 8 lanes go\n",
     "{\"event\": \"release\", " LAUNCH ", " AT ", \"barrier\": 7, \"released\": 8}\n"},
    {FHEC_EVENT_DIVERGE, FH_TRACE_FLOW, "    lanes 00000050 go to 0040, 000000a0 go to 0080\n",
     "b1,2,3 w1 0010    lanes 00000050 go to 0040, 000000a0 go to 0080\n",
     "{\"event\": \"diverge\", " LAUNCH ", " AT
     ", \"next\": {\"4\": 64, \"5\": 128, \"6\": 64, \"7\": 128}}\n"},
    {FHEC_EVENT_CONVERGE, FH_TRACE_FLOW,
     "b1,2,3 w1 0010 lanes 000000f0 meet: 00000007 have joined\n", NULL,
     "{\"event\": \"converge\", " LAUNCH ", " AT ", \"joined\": 7}\n"},
    {FHEC_EVENT_COPY, FH_TRACE_SYNC, "    copy 7 is issued\n",
     "b1,2,3 w1 0010    copy 7 is issued\n",
     "{\"event\": \"copy\", " LAUNCH ", " AT ", \"copy\": 7}\n"},
    {FHEC_EVENT_COPY_DONE, FH_TRACE_SYNC, "    copies 7 to 8 are done\n",
     "b1,2,3 w1 0010    copies 7 to 8 are done\n",
     "{\"event\": \"copy done\", " LAUNCH ", " AT ", \"first\": 7, \"last\": 8}\n"},
    {FHEC_EVENT_FAULT, 0, "b1,2,3 w1 0010 lanes 000000f0 fault: \"name\": why\n", NULL,
     "{\"event\": \"fault\", " LAUNCH ", " AT
     ", \"fault\": \"\\\"name\\\"\", \"message\": \"why\"}\n"},
    {FHEC_EVENT_ALLOC, FH_TRACE_HOST, "host allocates \"name\"+8, 9 bytes\n", NULL,
     "{\"event\": \"alloc\", \"name\": \"\\\"name\\\"\", \"address\": \"0x7\", \"offset\": 8, "
     "\"bytes\": 9}\n"},
    {FHEC_EVENT_FREE, FH_TRACE_HOST, "host releases \"name\"\n", NULL,
     "{\"event\": \"free\", \"name\": \"\\\"name\\\"\", \"address\": \"0x7\"}\n"},
    {FHEC_EVENT_HOST_WRITE, FH_TRACE_HOST, "host writes \"name\"+8, 9 bytes\n", NULL,
     "{\"event\": \"host write\", \"name\": \"\\\"name\\\"\", \"address\": \"0x7\", \"offset\": 8, "
     "\"bytes\": 9}\n"},
    {FHEC_EVENT_HOST_READ, FH_TRACE_HOST, "host reads \"name\"+8, 9 bytes\n", NULL,
     "{\"event\": \"host read\", \"name\": \"\\\"name\\\"\", \"address\": \"0x7\", \"offset\": 8, "
     "\"bytes\": 9}\n"},
};

static void others(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        struct fh_trace_record r = {.kind = kinds[i].kind,
                                    .block = {1, 2, 3},
                                    .warp = 1,
                                    .pc = 16,
                                    .lanes = 0xf0,
                                    .numbers = {7, 8, 9},
                                    .text = "\"name\"",
                                    .message = "why"};
        for (unsigned l = 0; l < 32; l++)
            r.next[l] = l % 2 ? 0x80 : 0x40;
        is_text(&r, kinds[i].part | FH_TRACE_FETCH, kinds[i].text);
        is_text(&r, kinds[i].part, kinds[i].alone ? kinds[i].alone : kinds[i].text);
        is_json(&r, kinds[i].part, kinds[i].json);
        if (kinds[i].part) {
            is_text(&r, FH_TRACE_ALL & ~kinds[i].part, "");
            is_json(&r, FH_TRACE_ALL & ~kinds[i].part, "");
        }
    }
    struct fh_trace_record r = {.kind = FHEC_EVENT_FAULT, .text = "hang"};
    is_text(&r, 0, "b0,0,0 w0 0000 lanes 00000000 fault: hang\n");
    is_json(&r, 0,
            "{\"event\": \"fault\", " LAUNCH
            ", \"block\": [0, 0, 0], \"warp\": 0, \"pc\": 0, \"lanes\": 0, \"fault\": \"hang\"}\n");
}

static void parts(void **state) {
    (void)state;
    static const char *const own[] = {"fetch", "regs", "mem",    "reads", "constants",
                                      "sync",  "flow", "blocks", "host"};
    for (unsigned i = 0; i < 9; i++) {
        assert_int_equal(fh_trace_part(own[i], strlen(own[i])), 1u << i);
        assert_int_equal(fh_trace_part(own[i], strlen(own[i]) - 1), 0);
    }
    assert_int_equal(fh_trace_part("hosts", 5), 0);
    assert_int_equal(fh_trace_part("hosts", 4), FH_TRACE_HOST);
    assert_int_equal(fh_trace_part("", 0), 0);
    static const char *const access[] = {"", "load", "store", "atomic"};
    for (unsigned i = 0; i < 4; i++)
        assert_string_equal(fh_trace_access_name(i), access[i]);
}

/* ---------------------------------------------------------------- selections */

/* Of the instruction at 0x10, in block 1,2,3 of 2,3,4 (number 23), warp 1, lanes 0 to 15: it reads
 * R2 and R3, writes R1 and P3; lane 3 loads 4 bytes at 0x1008, lane 20 at 0x1020, of buf. */
static void selections(void **state) {
    (void)state;
    static struct fh_trace_register registers[] = {{FHEC_FILE_R, true, 2, {0}},
                                                   {FHEC_FILE_R, true, 3, {0}},
                                                   {FHEC_FILE_R, false, 1, {0}},
                                                   {FHEC_FILE_P, false, 3, {0}}};
    static struct fh_trace_access access = {
        .space = FHEC_SPACE_GLOBAL, .access = 1, .lanes = 0x100008, .bytes = 4};
    static const struct {
        enum fh_trace_subject subject;
        const char *text;
        bool holds;
    } cases[] = {
        {FH_TRACE_BY_PC, "10", true},
        {FH_TRACE_BY_PC, "0x11", false},
        {FH_TRACE_BY_PC, "0-f,20", false},
        {FH_TRACE_BY_PC, "0-10", true},
        {FH_TRACE_BY_LINE, "7", true},
        {FH_TRACE_BY_LINE, "8", false},
        {FH_TRACE_BY_LINE, "1-2,5-6", false},
        {FH_TRACE_BY_LINE, "a.sass:7", true},
        {FH_TRACE_BY_LINE, "sass:7", false},
        {FH_TRACE_BY_LINE, "b.inc:3", true},
        {FH_TRACE_BY_LINE, "c.inc:3", false},
        {FH_TRACE_BY_LINE, "c.inc:4", true},
        {FH_TRACE_BY_LINE, "4", true},
        {FH_TRACE_BY_LINE, "x/a.sass:7", false},
        {FH_TRACE_BY_REGISTER, "R1", true},
        {FH_TRACE_BY_REGISTER, "R2-R3", true},
        {FH_TRACE_BY_REGISTER, "R4-R9", false},
        {FH_TRACE_BY_REGISTER, "R0", false},
        {FH_TRACE_BY_REGISTER, "P3", true},
        {FH_TRACE_BY_REGISTER, "P1-P2", false},
        {FH_TRACE_BY_REGISTER, "UR3", false},
        {FH_TRACE_BY_REGISTER, "UR3,P3", true},
        {FH_TRACE_BY_LANE, "15", true},
        {FH_TRACE_BY_LANE, "16-31", false},
        {FH_TRACE_BY_WARP, "1", true},
        {FH_TRACE_BY_WARP, "0,2-9", false},
        {FH_TRACE_BY_BLOCK, "23", true},
        {FH_TRACE_BY_BLOCK, "0-22,24", false},
        {FH_TRACE_BY_OPCODE, "IADD3", true},
        {FH_TRACE_BY_OPCODE, "IADD", false},
        {FH_TRACE_BY_OPCODE, "IADD3.X", false},
        {FH_TRACE_BY_OPCODE, "EXIT,IADD3", true},
        {FH_TRACE_BY_KERNEL, "k\"1", true},
        {FH_TRACE_BY_KERNEL, "k", false},
        {FH_TRACE_BY_KERNEL, "other", false},
        {FH_TRACE_BY_LAUNCH, "3", true},
        {FH_TRACE_BY_LAUNCH, "1-2,4", false},
        {FH_TRACE_BY_MEMORY, "buf", true},
        {FH_TRACE_BY_MEMORY, "bu", false},
        {FH_TRACE_BY_MEMORY, "buf[2]", true},
        {FH_TRACE_BY_MEMORY, "buf[1]", false},
        {FH_TRACE_BY_MEMORY, "buf[3]", false},
        {FH_TRACE_BY_MEMORY, "buf[0-2]", true},
        {FH_TRACE_BY_MEMORY, "buf[8]", true},
        {FH_TRACE_BY_MEMORY, "buf:u8[11]", true},
        {FH_TRACE_BY_MEMORY, "buf:u8[12]", false},
        {FH_TRACE_BY_MEMORY, "buf:u8[7]", false},
        {FH_TRACE_BY_MEMORY, "buf:u8[8]", true},
        {FH_TRACE_BY_MEMORY, "buf:u16[5]", true},
        {FH_TRACE_BY_MEMORY, "buf:u64[1]", true},
        {FH_TRACE_BY_MEMORY, "buf:u64[2]", false},
        {FH_TRACE_BY_MEMORY, "global", true},
        {FH_TRACE_BY_MEMORY, "shared", false},
        {FH_TRACE_BY_MEMORY, "shared,buf", true},
        {FH_TRACE_BY_MEMORY, "0x100b", true},
        {FH_TRACE_BY_MEMORY, "0x100c-0x101f", false},
        {FH_TRACE_BY_MEMORY, "0x1000-0x1007", false},
        {FH_TRACE_BY_MEMORY, "0x1007-0x1008", true},
    };
    struct fh_trace_record r = instruction_of(16);
    access.address[3] = 0x1008;
    access.address[20] = 0x1020;
    r.registers = registers;
    r.register_count = COUNT_OF(registers);
    r.accesses = &access;
    r.access_count = 1;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fh_trace_select select = {0};
        assert_null(fh_trace_select_add(&select, cases[i].subject, cases[i].text));
        if (fh_trace_selected(&select, &names, &r) != cases[i].holds)
            fail_msg("%s", cases[i].text);
        fh_trace_select_free(&select);
    }
    /* memory counts in the lanes that are asked for: lane 3 is at buf[2], lane 20 at buf[8] */
    for (unsigned lane = 3; lane <= 4; lane++) {
        struct fh_trace_select select = {0};
        assert_null(fh_trace_select_add(&select, FH_TRACE_BY_LANE, lane == 3 ? "3" : "4"));
        assert_null(fh_trace_select_add(&select, FH_TRACE_BY_MEMORY, "buf[2]"));
        assert_int_equal(fh_trace_selected(&select, &names, &r), lane == 3);
        fh_trace_select_free(&select);
    }
}

/* Which other records are wanted, by what is said of blocks, warps, lanes, pcs and registers. */
static void selected_kinds(void **state) {
    (void)state;
    static const struct {
        fhec_event_kind kind;
        const char *wanted; /* b: of another block, w: warp, l: lanes, p: pc, r: some register */
    } cases[] = {
        {FHEC_EVENT_LAUNCH_BEGIN, "bwlpr"},
        {FHEC_EVENT_LAUNCH_END, "bwlpr"},
        {FHEC_EVENT_FAULT, "bwlpr"},
        {FHEC_EVENT_ALLOC, "bwlpr"},
        {FHEC_EVENT_HOST_READ, "bwlpr"},
        {FHEC_EVENT_BLOCK_BEGIN, "wlp"},
        {FHEC_EVENT_BLOCK_END, "wlp"},
        {FHEC_EVENT_RELEASE, "wlp"},
        {FHEC_EVENT_WARP_BEGIN, "p"},
        {FHEC_EVENT_WARP_END, "p"},
        {FHEC_EVENT_ARRIVE, ""},
        {FHEC_EVENT_COPY, ""},
        {FHEC_EVENT_COPY_DONE, ""},
        {FHEC_EVENT_DIVERGE, ""},
        {FHEC_EVENT_CONVERGE, ""},
        {FHEC_EVENT_RETIRE, ""},
    };
    static const struct {
        enum fh_trace_subject subject;
        const char *other, *own;
        char letter;
    } subjects[] = {{FH_TRACE_BY_BLOCK, "22", "23", 'b'},
                    {FH_TRACE_BY_WARP, "0", "1", 'w'},
                    {FH_TRACE_BY_LANE, "16", "15", 'l'},
                    {FH_TRACE_BY_PC, "20", "10", 'p'},
                    {FH_TRACE_BY_REGISTER, "R1", NULL, 'r'}};
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (size_t k = 0; k < COUNT_OF(subjects); k++)
            for (unsigned own = 0; own < (subjects[k].own ? 2u : 1u); own++) {
                struct fh_trace_select select = {0};
                struct fh_trace_record r = instruction_of(16);
                r.kind = cases[i].kind;
                r.lanes = 0xffff;
                assert_null(fh_trace_select_add(&select, subjects[k].subject,
                                                own ? subjects[k].own : subjects[k].other));
                const bool want = own || strchr(cases[i].wanted, subjects[k].letter) != NULL;
                if (fh_trace_selected(&select, &names, &r) != want)
                    fail_msg("%s, %c, %s", fhec_event_name(r.kind), subjects[k].letter,
                             own ? "its own" : "another");
                fh_trace_select_free(&select);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selections), cmocka_unit_test(selected_kinds),
        cmocka_unit_test(plain),      cmocka_unit_test(registers),
        cmocka_unit_test(accesses),   cmocka_unit_test(others),
        cmocka_unit_test(parts),      cmocka_unit_test(xml),
    };
    return cmocka_run_group_tests_name("trace_records", tests, make_names, free_names);
}
