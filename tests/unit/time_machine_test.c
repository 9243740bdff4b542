/*
 * time_machine_test.c - descriptions of machines, statement by statement: what each sets, the least
 * and the most of each number (docs/machines.md), and where each message points.
 */
#include <stddef.h>
#include <string.h>

#include "emu_util.h"
#include "time_machine.h"

struct said {
    char text[4000];
};

static void keep(void *user, const fhec_diagnostic *d) {
    struct said *said = user;
    const size_t at = strlen(said->text);
    snprintf(said->text + at, sizeof said->text - at, "%s%s:%u:%u+%u: %s\n",
             d->severity == FHEC_WARNING ? "warning " : "", d->at.file, d->at.line, d->at.column,
             d->at.length, d->message);
}

/* All that a machine needs, line by line. */
#define COMPLETE                                                                                   \
    "clock 1000\nsms 2\nschedulers 4\nslot 2\nwarps 64\nblocks 32\nregisters 65536 unit 256\n"     \
    "shared 1000 unit 128\nqueue 5 interval 4 shared 2\npass 2\nl1 width 128\n"                    \
    "l2 latency 300 bandwidth 64\nhbm 1.5 latency 400\nunit f each\npipe fma on f\n"

/* Machine "d1" is like "d0", and so on; each says another number of cycles of a launch. */
static bool find(void *user, const char *name, const char **text, const char **file) {
    static char texts[10][80];
    (void)user;
    *file = name;
    *text = NULL;
    if (strcmp(name, "whole") == 0)
        *text = "machine whole The whole\n" COMPLETE;
    if (strcmp(name, "odd") == 0)
        *text = "machine odd\nclock x\n";
    if (name[0] == 'd' && name[1] >= '0' && name[1] <= '9' && !name[2]) {
        const int depth = name[1] - '0';
        snprintf(texts[depth], sizeof texts[depth], "machine d%d\nlike d%d\nlaunch %d\n", depth,
                 depth - 1, depth);
        *text = depth ? texts[depth] : "machine d0\n" COMPLETE;
    }
    return *text;
}

static fhec_status read_text(const char *text, struct fh_time_machine *machine, struct said *said) {
    const struct fh_time_reading reading = {keep, find, said};
    said->text[0] = '\0';
    return fh_time_machine_read("m", text, &reading, machine);
}

static void whole(struct fh_time_machine *machine) {
    struct said said;
    assert_int_equal(read_text("machine a\n" COMPLETE, machine, &said), FHEC_OK);
    assert_string_equal(said.text, "");
}

static fhec_status change(struct fh_time_machine *machine, const char *line, struct said *said) {
    const struct fh_time_reading reading = {keep, find, said};
    said->text[0] = '\0';
    return fh_time_machine_set(line, &reading, machine);
}

/* ---------------------------------------------------------------- numbers */

#define MEMBER(name)                                                                               \
    offsetof(struct fh_time_machine, name), sizeof((struct fh_time_machine *)0)->name
#define REAL(name) offsetof(struct fh_time_machine, name), 0

/* A number, what stands before and behind it, and between what it is. A size of 0: a double. */
static const struct number {
    const char *before, *behind, *called;
    size_t at, size;
    uint64_t least, most;
} numbers[] = {
    {"clock ", "", "clock", REAL(clock_mhz), 1, 100000},
    {"sms ", "", "sms", MEMBER(sms), 1, 4096},
    {"schedulers ", "", "schedulers", MEMBER(schedulers), 1, 8},
    {"slot ", "", "slot", MEMBER(slot), 1, 64},
    {"warps ", "", "warps", MEMBER(warps), 1, 128},
    {"blocks ", "", "blocks", MEMBER(blocks), 1, 128},
    {"registers ", "", "registers", MEMBER(registers), 1, 16777216},
    {"registers unit ", "", "registers unit", MEMBER(register_unit), 1, 65536},
    {"shared ", "", "shared", MEMBER(shared), 0, 1073741824},
    {"shared unit ", "", "shared unit", MEMBER(shared_unit), 1, 65536},
    {"shared reserved ", "", "shared reserved", MEMBER(shared_reserved), 0, 65536},
    {"launch ", "", "launch", MEMBER(launch), 0, 1000000000},
    {"banks ", " window 3", "banks", MEMBER(banks), 0, 4},
    {"banks 2 window ", "", "banks window", MEMBER(window), 1, 64},
    {"queue ", "", "queue", MEMBER(queue), 1, 64},
    {"queue depth ", "", "queue depth", MEMBER(queue_depth), 0, 1000},
    {"queue interval ", "", "queue interval", MEMBER(queue_interval), 1, 1000},
    {"queue shared ", "", "queue shared", MEMBER(queue_shared), 1, 1000},
    {"pass ", "", "pass", MEMBER(pass), 1, 64},
    {"l1 ", "", "l1", MEMBER(l1_bytes), 0, 1073741824},
    {"l1 width ", "", "l1 width", MEMBER(l1_width), 32, 4096},
    {"l2 ", "", "l2", MEMBER(l2_bytes), 0, 1000000000000},
    {"l2 latency ", "", "l2 latency", MEMBER(l2_latency), 1, 1000000},
    {"l2 bandwidth ", "", "l2 bandwidth", MEMBER(l2_bandwidth), 1, 1000000},
    {"hbm latency ", "", "hbm latency", MEMBER(hbm_latency), 1, 1000000},
    {"overlap ", "", "overlap", REAL(overlap), 0, 1},
    {"onchip ", "", "onchip", MEMBER(onchip_bytes), 1, 1000000000000},
    {"cnoc x ", " y 1 per 1 link 1", "cnoc x", MEMBER(torus_x), 1, 16},
    {"cnoc x 1 y ", " per 1 link 1", "cnoc y", MEMBER(torus_y), 1, 16},
    {"cnoc x 1 y 1 per ", " link 1", "cnoc per", MEMBER(per_router), 1, 4096},
    {"cnoc x 1 y 1 per 1 link ", "", "cnoc link", MEMBER(link_bytes), 1, 65536},
    {"cnoc x 1 y 1 per 1 link 1 hop ", "", "cnoc hop", MEMBER(hop_cycles), 0, 1000},
};

static double value_of(const struct fh_time_machine *m, const struct number *n) {
    const char *at = (const char *)m + n->at;
    if (!n->size)
        return *(const double *)at;
    return n->size == 8 ? (double)*(const uint64_t *)at : (double)*(const uint32_t *)at;
}

/* The least and the most, and one less and one more than that. */
static void test_numbers(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        const struct number *n = &numbers[i];
        for (unsigned k = 0; k < 4; k++) {
            struct fh_time_machine machine;
            struct said said;
            char line[100], value[24], wanted[160];
            char most[24];
            const bool good = k < 2;
            const uint64_t number = k % 2 ? n->most + !good : n->least - !good;
            whole(&machine);
            snprintf(value, sizeof value, "%lld", (long long)number);
            snprintf(most, sizeof most, "%llu", (unsigned long long)n->most);
            snprintf(line, sizeof line, "%s%s%s", n->before, value, n->behind);
            assert_int_equal(change(&machine, line, &said), good ? FHEC_OK : FHEC_BAD_INPUT);
            if (good) {
                assert_string_equal(said.text, "");
                assert_true(value_of(&machine, n) == (double)number);
                continue;
            }
            if (!n->least && k == 2) { /* no number has a sign */
                snprintf(wanted, sizeof wanted, "--change:1:%zu+2: %s is a number, not \"-1\"\n",
                         strlen(n->before) + 1, n->called);
                assert_string_equal(said.text, wanted);
                continue;
            }
            snprintf(wanted, sizeof wanted, "--change:1:%zu+%zu: %s is from %llu to %s\n",
                     strlen(n->before) + 1, strlen(value), n->called, (unsigned long long)n->least,
                     n->most == 1000000000000 ? "1e+12" : most);
            assert_string_equal(said.text, wanted);
        }
    }
}

/* Numbers that are no whole ones, and the letters behind them. */
static void test_parts_and_letters(void **unused) {
    (void)unused;
    struct fh_time_machine machine;
    struct said said;
    whole(&machine);
    assert_int_equal(change(&machine, "hbm 0.001 efficiency 0.001", &said), FHEC_OK);
    assert_true(machine.hbm_bandwidth == 0.001 && machine.hbm_efficiency == 0.001);
    assert_int_equal(change(&machine, "hbm 1000000 efficiency 1", &said), FHEC_OK);
    assert_true(machine.hbm_bandwidth == 1e6 && machine.hbm_efficiency == 1);
    assert_int_equal(change(&machine, "overlap 0.25 # half of a half", &said), FHEC_OK);
    assert_true(machine.overlap == 0.25);
    assert_int_equal(change(&machine, "l1 3K\nsms 7", &said), FHEC_OK); /* one line of it */
    assert_true(machine.l1_bytes == 3072 && machine.sms == 2);
    assert_int_equal(change(&machine, "l2 1.5M latency 2K", &said), FHEC_OK);
    assert_true(machine.l2_bytes == 1572864 && machine.l2_latency == 2048);
    assert_int_equal(change(&machine, "onchip 3G", &said), FHEC_OK);
    assert_true(machine.onchip_bytes == 3221225472);
    static const struct {
        const char *line, *said;
    } wrong[] = {
        {"hbm 0.0009", "1:5+6: hbm is from 0.001 to 1000000\n"},
        {"hbm 1000001", "1:5+7: hbm is from 0.001 to 1000000\n"},
        {"hbm efficiency 0.0009", "1:16+6: hbm efficiency is from 0.001 to 1\n"},
        {"hbm efficiency 1.01", "1:16+4: hbm efficiency is from 0.001 to 1\n"},
        {"launch 1.5", "1:8+3: launch is a whole number\n"},
        {"launch 1T", "1:8+2: launch is a number, not \"1T\"\n"},
        {"launch K", "1:8+1: launch is a number, not \"K\"\n"},
        {"launch", "1:7+1: launch needs a number\n"},
        {"l2 latency", "1:11+1: l2 latency is missing\n"},
        {"l2 5 latency 4 3", "1:16+1: l2 has no \"3\"\n"},
        {"cnoc 5", "1:6+1: cnoc has no \"5\"\n"},
        {"cnoc x 1", "1:1+1: machine a does not say its cnoc y per link\n"},
        {"banks 1", "1:1+1: machine a does not say its banks window\n"},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        char wanted[160];
        whole(&machine);
        assert_int_equal(change(&machine, wrong[i].line, &said), FHEC_BAD_INPUT);
        snprintf(wanted, sizeof wanted, "--change:%s", wrong[i].said);
        if (i < COUNT_OF(wrong) - 2)
            assert_string_equal(said.text, wanted);
        else /* no line of it */
            assert_string_equal(strchr(said.text, 'm'), strchr(wanted, 'm'));
    }
}

/* A number of 63 characters is one, one of 64 is not; each of a torus is missed by itself. */
static void test_long_and_torus(void **unused) {
    (void)unused;
    static const char *const parts[] = {" x 2", " y 3", " per 4", " link 5"};
    struct fh_time_machine machine;
    struct said said;
    for (size_t zeros = 62; zeros <= 63; zeros++) {
        char line[100] = "launch ";
        whole(&machine);
        memset(line + 7, '0', zeros + 1);
        memcpy(line + 7, "7.", 2);
        line[7 + zeros + 1] = '\0';
        assert_int_equal(change(&machine, line, &said), zeros == 62 ? FHEC_OK : FHEC_BAD_INPUT);
        assert_int_equal(machine.launch, zeros == 62 ? 7 : 0);
    }
    for (unsigned set = 0; set < 16; set++) {
        char line[100] = "cnoc hop 6", wanted[120] = "machine a does not say its cnoc";
        whole(&machine);
        for (unsigned i = 0; i < 4; i++)
            if (set >> i & 1)
                strcat(line, parts[i]);
            else
                strncat(wanted, parts[i], strlen(parts[i]) - 2);
        const bool good = set == 0 || set == 15;
        assert_int_equal(change(&machine, line, &said), good ? FHEC_OK : FHEC_BAD_INPUT);
        strcat(wanted, "\n");
        assert_true(good ? !*said.text : strstr(said.text, wanted) != NULL);
        assert_int_equal(machine.hop_cycles, 6);
    }
}

/* ---------------------------------------------------------------- units, rules, latencies */

static const struct fh_time_rule *rule(const struct fh_time_machine *m, uint32_t i,
                                       const char *name, bool pipe) {
    assert_true(i < m->rule_count);
    assert_string_equal(m->rules[i].name, name);
    assert_int_equal(m->rules[i].pipe, pipe);
    return &m->rules[i];
}

static void expect_rule(const struct fh_time_rule *r, const uint32_t units[4], uint32_t unit_count,
                        uint32_t latency, uint32_t interval, uint32_t read) {
    assert_int_equal(r->unit_count, unit_count);
    assert_memory_equal(r->units, units, unit_count * sizeof *units);
    assert_int_equal(r->latency, latency);
    assert_int_equal(r->interval, interval);
    assert_int_equal(r->read, read);
}

static void test_units_and_rules(void **unused) {
    (void)unused;
    struct fh_time_machine m;
    struct said said;
    assert_int_equal(read_text("machine a\n" COMPLETE "unit g shared # of all\nunit h each\n"
                               "op IADD3 on f or g or h or memory latency 100000 interval 100000"
                               " read 100000\n"
                               "op IMAD.WIDE on h latency 1 interval 1 read 0\n"
                               "pipe alu on g read 3\nop alu on g\npipe alu latency 4 on f or h\n"
                               "op FADD on g\nop IADD3 interval 2\nunit f shared\nunit g each\n",
                               &m, &said),
                     FHEC_OK);
    assert_string_equal(said.text, "warning m:22:4+3: no instruction is called \"alu\"\n");
    assert_int_equal(m.unit_count, 4);
    static const struct {
        const char *name;
        bool shared;
    } units[] = {{"memory", false}, {"f", true}, {"g", false}, {"h", false}};
    for (unsigned i = 0; i < 4; i++) {
        assert_string_equal(m.units[i].name, units[i].name);
        assert_int_equal(m.units[i].shared, units[i].shared);
    }
    assert_int_equal(m.rule_count, 6);
    expect_rule(rule(&m, 0, "fma", true), (uint32_t[4]){1}, 1, 1, 1, 0);
    expect_rule(rule(&m, 1, "IADD3", false), (uint32_t[4]){1, 2, 3, 0}, 4, 100000, 2, 100000);
    expect_rule(rule(&m, 2, "IMAD.WIDE", false), (uint32_t[4]){3}, 1, 1, 1, 0);
    expect_rule(rule(&m, 3, "alu", true), (uint32_t[4]){1, 3}, 2, 4, 1, 3);
    expect_rule(rule(&m, 4, "alu", false), (uint32_t[4]){2}, 1, 1, 1, 0);
    expect_rule(rule(&m, 5, "FADD", false), (uint32_t[4]){2}, 1, 1, 1, 0);
}

/* The longest mnemonic that fits up to a dot or its end, else the pipe. */
static void test_rule_of(void **unused) {
    (void)unused;
    struct fh_time_machine m;
    struct said said;
    assert_int_equal(read_text("machine a\n" COMPLETE "op IMAD on f\nop IMAD.WIDE on f\n"
                               "op IMAD.WIDE.U32 on f\npipe alu on f\nop IADD on f\n",
                               &m, &said),
                     FHEC_OK);
    static const struct {
        const char *mnemonic, *pipe;
        int rule;
    } cases[] = {
        {"IMAD", "fma", 1},
        {"IMAD.MOV", "fma", 1},
        {"IMAD.WIDE", "fma", 2},
        {"IMAD.WIDE.U32", "fma", 3},
        {"IMAD.WIDE.U32.X", "alu", 3},
        {"IMAD.WIDER", "alu", 1},
        {"IMADS", "fma", 0},
        {"IMADS", "alu", 4},
        {"IMADS", "none", -1},
        {"IADD3", "alu", 4},
        {"IADD", "alu", 5},
        {"IMA", "alu", 4},
        {"alu", "none", -1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct fh_time_rule *r = fh_time_rule_of(&m, cases[i].mnemonic, cases[i].pipe);
        if (r != (cases[i].rule < 0 ? NULL : &m.rules[cases[i].rule]))
            fail_msg("%s of %s: rule %s", cases[i].mnemonic, cases[i].pipe, r ? r->name : "none");
    }
}

static void test_latencies(void **unused) {
    (void)unused;
    static const char *const accesses[] = {"load.shared",   "store.shared", "atomic.shared",
                                           "matrices",      "load.global",  "store.global",
                                           "atomic.global", "copy"};
    struct fh_time_machine m;
    struct said said;
    char line[120];
    for (uint32_t i = 0; i < COUNT_OF(accesses); i++) {
        whole(&m);
        snprintf(line, sizeof line, "latency %s 0 2 100000", accesses[i]);
        assert_int_equal(change(&m, line, &said), FHEC_OK);
        for (uint32_t k = 0; k < FH_TIME_ACCESSES; k++) {
            const struct fh_time_latency is = {{0, 2, 100000}, {0, 2, 100000}, {0}};
            static const struct fh_time_latency none;
            assert_memory_equal(&m.latency[k], k == i ? &is : &none, sizeof is);
        }
        snprintf(line, sizeof line, "latency %s 1 2 3 read 4 5 6 uniform 7 8 9", accesses[i]);
        assert_int_equal(change(&m, line, &said), FHEC_OK);
        const struct fh_time_latency all = {{1, 2, 3}, {7, 8, 9}, {4, 5, 6}};
        assert_memory_equal(&m.latency[i], &all, sizeof all);
        /* What it does not say of reading stays. */
        snprintf(line, sizeof line, "latency %s 9 8 7", accesses[i]);
        assert_int_equal(change(&m, line, &said), FHEC_OK);
        const struct fh_time_latency less = {{9, 8, 7}, {9, 8, 7}, {4, 5, 6}};
        assert_memory_equal(&m.latency[i], &less, sizeof less);
    }
}

static void test_choices(void **unused) {
    (void)unused;
    static const char *const policies[] = {"greedy-youngest", "greedy-oldest", "oldest", "behind"};
    struct fh_time_machine m;
    struct said said;
    for (unsigned i = 0; i < 4; i++) {
        char line[60];
        whole(&m);
        assert_int_equal(m.policy, FH_TIME_GREEDY_YOUNGEST);
        assert_int_equal(m.dependences, FH_TIME_CONTROL);
        snprintf(line, sizeof line, "policy %s", policies[i]);
        assert_int_equal(change(&m, line, &said), FHEC_OK);
        assert_int_equal(m.policy, i);
        assert_string_equal(fh_time_policy_name(m.policy), policies[i]);
        assert_int_equal(change(&m, "dependences scoreboard", &said), FHEC_OK);
        assert_int_equal(m.dependences, FH_TIME_SCOREBOARD);
        assert_int_equal(change(&m, "dependences control", &said), FHEC_OK);
        assert_int_equal(m.dependences, FH_TIME_CONTROL);
    }
}

/* ---------------------------------------------------------------- messages */

static void test_messages(void **unused) {
    (void)unused;
    static const struct {
        const char *line, *said;
    } cases[] = {
        {"policy first", "1:8+5: the policy is one of greedy-youngest, greedy-oldest, oldest,"
                         " behind, not \"first\"\n"},
        {"policy", "1:7+1: the policy is missing\n"},
        {"dependences", "1:12+1: who waits is missing\n"},
        {"dependences none", "1:13+4: who waits is one of control, scoreboard, not \"none\"\n"},
        {"policy behind me", "1:15+2: \"me\" is too much\n"},
        {"dependences control now", "1:21+3: \"now\" is too much\n"},
        {"unit", "1:5+1: the unit's name is missing\n"},
        {"unit x", "1:7+1: whose it is is missing\n"},
        {"unit x each one", "1:13+3: \"one\" is too much\n"},
        {"op", "1:3+1: the mnemonic is missing\n"},
        {"pipe", "1:5+1: the pipe is missing\n"},
        {"op FADD", "1:8+1: \"on UNIT\" is missing\n"},
        {"op FADD on", "1:11+1: the unit is missing\n"},
        {"op FADD on f or", "1:16+1: the unit is missing\n"},
        {"op FADD on f or z", "1:17+1: there is no unit \"z\" above\n"},
        {"op FADD on f or f or f or f or f",
         "1:32+1: an instruction has at most 4 units to go to\n"},
        {"op FADD under f", "1:9+5: on, latency, interval or read, not \"under\"\n"},
        {"op FADD on f latency 0", "1:22+1: latency is from 1 to 100000\n"},
        {"op FADD on f latency 100001", "1:22+6: latency is from 1 to 100000\n"},
        {"op FADD on f interval 0", "1:23+1: interval is from 1 to 100000\n"},
        {"op FADD on f interval 100001", "1:23+6: interval is from 1 to 100000\n"},
        {"op FADD on f read 100001", "1:19+6: read is from 0 to 100000\n"},
        {"op FADD on f read -1", "1:19+2: read is a number, not \"-1\"\n"},
        {"latency", "1:8+1: an access is missing\n"},
        {"latency load", "1:9+4: an access is one of load.shared, store.shared, atomic.shared,"
                         " matrices, load.global, store.global, atomic.global, copy, not"
                         " \"load\"\n"},
        {"latency copy 1 2 3 reads 4 5 6", "1:20+5: uniform or read, not \"reads\"\n"},
        {"latency copy 1 2 3 read 4 5", "1:28+1: read is missing\n"},
        {"latency copy 1 2 3 uniform 100001 5 6", "1:28+6: uniform is from 0 to 100000\n"},
        {"latency copy 1 100001 3",
         "1:16+6: the latency of 32, 64 and 128 bits is from 0 to 100000\n"},
        {"like", "1:5+1: the machine's name is missing\n"},
        {"machine", "1:8+1: the machine's name is missing\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct fh_time_machine m;
        struct said said;
        char wanted[300];
        whole(&m);
        snprintf(wanted, sizeof wanted, "--change:%s", cases[i].said);
        assert_int_equal(change(&m, cases[i].line, &said), FHEC_BAD_INPUT);
        assert_string_equal(said.text, wanted);
    }
}

static void test_names(void **unused) {
    (void)unused;
    struct fh_time_machine m;
    struct said said;
    whole(&m);
    static const struct {
        const char *line, *warned;
    } cases[] = {
        {"op IMAD.WIDE.U32 on f", ""},
        {"op IMAD.WIDE on f", ""},
        {"op IMAD on f", ""},
        {"op IMA on f", "4+3: no instruction is called \"IMA\""},
        {"op MYOWN on f", "4+5: no instruction is called \"MYOWN\""},
        {"pipe alu on f", ""},
        {"pipe alus on f", "6+4: no pipe is called \"alus\""},
        {"pipe IMAD on f", "6+4: no pipe is called \"IMAD\""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char wanted[100] = "";
        if (*cases[i].warned)
            snprintf(wanted, sizeof wanted, "warning --change:1:%s\n", cases[i].warned);
        assert_int_equal(change(&m, cases[i].line, &said), FHEC_OK);
        assert_string_equal(said.text, wanted);
    }
    /* Names of 47 characters, and of 48. */
#define TEN  "abcdefghij"
#define LONG TEN TEN TEN TEN "ABCDEFG"
    assert_int_equal(change(&m, "unit " LONG " each", &said), FHEC_OK);
    assert_string_equal(m.units[m.unit_count - 1].name, LONG);
    assert_int_equal(change(&m, "unit " LONG "H each", &said), FHEC_BAD_INPUT);
    assert_string_equal(said.text, "--change:1:6+48: the unit's name has at most 47 characters\n");
    assert_int_equal(change(&m, "machine " LONG " Of\tmany   names", &said), FHEC_OK);
    assert_string_equal(m.name, LONG);
    assert_string_equal(m.title, "Of many names");
    /* A title keeps 95 characters. */
#define FIFTY TEN TEN TEN TEN TEN
    assert_int_equal(change(&m, "machine b " FIFTY " " FIFTY, &said), FHEC_OK);
    assert_string_equal(m.title, FIFTY " " TEN TEN TEN TEN "abcd");
    assert_string_equal(m.like, "");
    assert_int_equal(change(&m, "machine b", &said), FHEC_OK);
    assert_string_equal(m.title, "");
}

/* 32 words and 399 characters are a line, one more of either is none. */
static void test_lines(void **unused) {
    (void)unused;
    struct fh_time_machine m;
    struct said said;
    char text[1200], line[500] = "machine a";
    for (unsigned i = 2; i < 32; i++)
        strcat(line, " w");
    snprintf(text, sizeof text, "%s\n" COMPLETE, line);
    assert_int_equal(read_text(text, &m, &said), FHEC_OK);
    strcat(line, " more");
    snprintf(text, sizeof text, "%s\n" COMPLETE, line);
    assert_int_equal(read_text(text, &m, &said), FHEC_BAD_INPUT);
    assert_string_equal(said.text, "m:1:71+4: a line has at most 32 words\n"
                                   "m:16:1+1: the file does not say \"machine NAME\"\n");
    for (size_t length = 399; length <= 400; length++) {
        memset(line, ' ', sizeof line);
        memcpy(line, "machine a", 9);
        line[length] = '\0';
        snprintf(text, sizeof text, "%s\n" COMPLETE, line);
        assert_int_equal(read_text(text, &m, &said), length == 399 ? FHEC_OK : FHEC_BAD_INPUT);
        if (length == 400)
            assert_memory_equal(said.text, "m:1:400+1: a line has at most 399 characters\n", 45);
    }
    /* The last line may have no end; comments and empty lines count. */
    assert_int_equal(read_text("# of mine\n\nmachine a # b\n" COMPLETE "sms 3\nsms 0", &m, &said),
                     FHEC_BAD_INPUT);
    assert_string_equal(said.text, "m:20:5+1: sms is from 1 to 4096\n");
    assert_int_equal(read_text("machine a\n" COMPLETE "sms 3", &m, &said), FHEC_OK);
    assert_int_equal(m.sms, 3);
}

/* 24 units with the memory's, 96 rules with the first. */
static void test_tables(void **unused) {
    (void)unused;
    struct fh_time_machine m;
    struct said said;
    char line[60];
    whole(&m);
    for (unsigned i = 2; i < 24; i++) {
        snprintf(line, sizeof line, "unit u%u each", i);
        assert_int_equal(change(&m, line, &said), FHEC_OK);
    }
    assert_int_equal(m.unit_count, 24);
    assert_int_equal(change(&m, "unit one each", &said), FHEC_BAD_INPUT);
    assert_string_equal(said.text, "--change:1:6+3: there are at most 24 units\n");
    assert_int_equal(change(&m, "unit u23 shared", &said), FHEC_OK);
    assert_true(m.units[23].shared);
    for (unsigned i = 1; i < 96; i++) {
        snprintf(line, sizeof line, "op OF%u on u23", i);
        assert_int_equal(change(&m, line, &said), FHEC_OK);
    }
    assert_int_equal(m.rule_count, 96);
    assert_int_equal(change(&m, "op FADD on f", &said), FHEC_BAD_INPUT);
    assert_string_equal(said.text, "--change:1:4+4: there are at most 96 of op and pipe\n");
    assert_int_equal(change(&m, "op OF95 on f", &said), FHEC_OK);
    assert_int_equal(m.rules[95].units[0], 1);
}

/* Eight machines behind one another; what each says replaces what it is like. */
static void test_like(void **unused) {
    (void)unused;
    struct fh_time_machine m;
    struct said said;
    assert_int_equal(read_text("machine mine My own\nlike d7\nsms 9\n", &m, &said), FHEC_OK);
    assert_string_equal(m.name, "mine");
    assert_string_equal(m.title, "My own");
    assert_string_equal(m.like, "d7");
    assert_int_equal(m.sms, 9);
    assert_int_equal(m.schedulers, 4);
    assert_int_equal(m.launch, 7);
    assert_int_equal(read_text("machine mine\nlike d8\n", &m, &said), FHEC_BAD_INPUT);
    assert_memory_equal(said.text, "d1:2:6+2: a machine is like another one 8 times at most\n", 56);
    assert_int_equal(read_text("machine mine\nlike odd\nsms x\n", &m, &said), FHEC_BAD_INPUT);
    assert_string_equal(said.text, "odd:2:7+1: clock is a number, not \"x\"\n"
                                   "m:3:5+1: sms is a number, not \"x\"\n");
    assert_int_equal(read_text("machine mine\nlike whole\nlike whole\n", &m, &said),
                     FHEC_BAD_INPUT);
    assert_string_equal(said.text, "m:3:6+5: like comes first, behind machine\n");
    assert_int_equal(change(&m, "like whole", &said), FHEC_BAD_INPUT);
    assert_string_equal(said.text, "--change:1:6+5: like comes first, behind machine\n");
    assert_int_equal(read_text("like whole\n", &m, &said), FHEC_BAD_INPUT);
    assert_string_equal(said.text, "m:1:1+1: the file does not say \"machine NAME\"\n");
    const struct fh_time_reading none = {NULL, NULL, NULL};
    assert_int_equal(fh_time_machine_read("m", "machine a\nlike whole\n", &none, &m),
                     FHEC_BAD_INPUT);
    assert_int_equal(fh_time_machine_read("m", "machine a\n" COMPLETE, &none, &m), FHEC_OK);
    assert_string_equal(m.like, "");
}

/* Without an instruction's rule a machine is none. */
static void test_no_rule(void **unused) {
    (void)unused;
    struct fh_time_machine m;
    struct said said;
    char text[600] = "machine a\n" COMPLETE;
    strstr(text, "pipe fma")[0] = '\0';
    assert_int_equal(read_text(text, &m, &said), FHEC_BAD_INPUT);
    assert_string_equal(said.text, "m:15:1+1: machine a has no op and no pipe\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),        cmocka_unit_test(test_parts_and_letters),
        cmocka_unit_test(test_long_and_torus), cmocka_unit_test(test_units_and_rules),
        cmocka_unit_test(test_rule_of),        cmocka_unit_test(test_latencies),
        cmocka_unit_test(test_choices),        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_names),          cmocka_unit_test(test_lines),
        cmocka_unit_test(test_tables),         cmocka_unit_test(test_like),
        cmocka_unit_test(test_no_rule),
    };
    return cmocka_run_group_tests_name("time_machine", tests, NULL, NULL);
}
