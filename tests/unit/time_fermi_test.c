/*
 * time_fermi_test.c - the timing engine on the loops of the Fermi study, for every number of warps
 * that a block can have, against a plain model of that machine which goes from cycle to cycle and
 * shares nothing with the engine; and the model against the closed form of the same.
 */
#include "timing_util.h"

enum { STEPS = 60, LONG = 260, LATENCY = 18, SLOT = 2, WARPS = 32, GROUPS = 2 };

/* A loop: each of its streams is of float products or of integer ones. */
struct loop {
    const char *name, *machine, *body;
    unsigned streams, integers;
    bool integer[2];
    bool plan; /* both groups of lanes multiply integers */
};
#define FLOAT_1 "FMUL R1, R1, R1 ;\n"
#define FLOAT_2 "FMUL R2, R2, R2 ;\n"
#define INT_1   "IMAD R1, R1, R1, RZ ;\n"
#define INT_2   "IMAD R2, R2, R2, RZ ;\n"
static const struct loop loops[] = {
    {"float", "gtx580", FLOAT_1, 1, 0, {false}, false},
    {"int", "gtx580", INT_1, 1, 1, {true}, false},
    {"two floats", "gtx580", FLOAT_1 FLOAT_2, 2, 0, {false, false}, false},
    {"two ints", "gtx580", INT_1 INT_2, 2, 2, {true, true}, false},
    {"int and float", "gtx580", INT_1 FLOAT_2, 2, 1, {true, false}, false},
    {"int, plan A", "gtx580+a", INT_1, 1, 1, {true}, true},
    {"int, plan B", "gtx580+b", INT_1, 1, 1, {true}, true},
};

/* ---------------------------------------------------------------- the model */

/* Group 0 takes everything, group 1 no integers unless a plan says so. */
struct model {
    const struct loop *loop;
    unsigned warps;
    unsigned issued[WARPS];
    unsigned long there[WARPS][2]; /* when the stream's last product is */
    unsigned long busy[GROUPS];    /* until then */
};

/* The group that takes the warp's next product at cycle t, or -1. */
static int group_for(const struct model *m, unsigned warp, unsigned long t) {
    const unsigned stream = m->issued[warp] % m->loop->streams;
    if (m->there[warp][stream] > t)
        return -1;
    if ((!m->loop->integer[stream] || m->loop->plan) && m->busy[1] <= t)
        return 1;
    return m->busy[0] <= t ? 0 : -1;
}

/* The warp of a scheduler that is furthest behind of those that can issue; WARPS: none. */
static unsigned furthest_behind(const struct model *m, unsigned scheduler, unsigned long t,
                                unsigned end) {
    unsigned best = WARPS;
    for (unsigned w = scheduler; w < m->warps; w += 2)
        if (m->issued[w] < end && group_for(m, w, t) >= 0 &&
            (best == WARPS || m->issued[w] < m->issued[best]))
            best = w;
    return best;
}

static void issue(struct model *m, unsigned warp, unsigned long t) {
    const int group = group_for(m, warp, t);
    m->busy[group] = t + 32 / 16;
    m->there[warp][m->issued[warp] % m->loop->streams] = t + LATENCY;
    m->issued[warp]++;
}

/* Cycles until all warps have issued all products of so many steps. */
static unsigned long model_cycles(const struct loop *loop, unsigned warps, unsigned steps) {
    struct model m = {.loop = loop, .warps = warps};
    const unsigned end = steps * loop->streams;
    unsigned left = warps * end;
    unsigned long t = 0;
    for (; left; t += SLOT) {
        /* The scheduler goes first whose warp is furthest behind; of two, each in its turn. */
        const unsigned turn = t / SLOT % 2;
        const unsigned a = furthest_behind(&m, turn, t, end);
        const unsigned b = furthest_behind(&m, 1 - turn, t, end);
        const bool other = b < WARPS && (a == WARPS || m.issued[b] < m.issued[a]);
        for (unsigned i = 0; i < 2; i++) {
            const unsigned w = furthest_behind(&m, other == (i == 0) ? 1 - turn : turn, t, end);
            if (w < WARPS) {
                issue(&m, w, t);
                left--;
            }
        }
    }
    return t;
}

static unsigned long most(unsigned long a, unsigned long b) {
    return a > b ? a : b;
}

/* Cycles of a step when it goes on for ever. */
static unsigned long closed_form(const struct loop *loop, unsigned warps) {
    const unsigned long slots = 2ul * loop->streams * ((warps + 1) / 2);
    return most(most(LATENCY, slots), loop->plan ? 0 : 2ul * loop->integers * warps);
}

/* ---------------------------------------------------------------- tests */

static void test_model(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(loops); i++)
        for (unsigned w = 1; w <= WARPS; w++) {
            const unsigned long got =
                model_cycles(&loops[i], w, LONG) - model_cycles(&loops[i], w, STEPS);
            if (got != closed_form(&loops[i], w) * (LONG - STEPS))
                fail_msg("%s, %u warps: %lu cycles for %d steps, %lu each", loops[i].name, w, got,
                         LONG - STEPS, closed_form(&loops[i], w));
        }
}

static void test_engine(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT_OF(loops); i++) {
        struct fh_time_machine machine;
        timing_machine(&machine, loops[i].machine, NULL);
        char *text[2];
        text[0] = timing_chain(".target sm_80\n.kernel K\n", loops[i].body, STEPS);
        text[1] = timing_chain(".target sm_80\n.kernel K\n", loops[i].body, LONG);
        for (unsigned w = 1; w <= WARPS; w++) {
            const uint64_t got = timing_cycles(&machine, text[1], 1, 32 * w) -
                                 timing_cycles(&machine, text[0], 1, 32 * w);
            const unsigned long want =
                model_cycles(&loops[i], w, LONG) - model_cycles(&loops[i], w, STEPS);
            if (got != want)
                fail_msg("%s, %u warps: %llu cycles for %d steps, the model %lu", loops[i].name, w,
                         (unsigned long long)got, LONG - STEPS, want);
        }
        free(text[0]);
        free(text[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_model),
        cmocka_unit_test(test_engine),
    };
    return cmocka_run_group_tests_name("time_fermi", tests, NULL, NULL);
}
