/*
 * random_program.c - see random_program.h and random_generator.h: control flow.
 */
#include "emu_util.h"
#include "program.h"
#include "random_generator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* ---------------------------------------------------------------- emitting */

uint32_t random_below(struct random_generator *g, uint32_t n) {
    return emu_below(g->rng, n);
}

static bool full(const struct random_generator *g) {
    return g->count + 64 > RP_MAX_WORDS || g->label_count + 16 > MAX_LABELS;
}

static int new_label(struct random_generator *g) {
    return g->label_count++;
}

static void place(struct random_generator *g, int label) {
    g->labels[label] = g->count;
}

void random_line(struct random_generator *g, int label, const char *format, ...) {
    va_list args;
    assert_true(g->count < RP_MAX_WORDS && g->label_count < MAX_LABELS);
    struct random_item *item = &g->items[g->count++];
    item->label = label;
    va_start(args, format);
    int length = vsnprintf(item->text, sizeof item->text, format, args);
    va_end(args);
    assert_true(length > 0 && length < TEXT);
}

static void resolve(const struct random_generator *g, uint32_t i, fhec_word *word) {
    const struct random_item *item = &g->items[i];
    char line[TEXT + 16];
    if (!*item->text) {
        *word = item->word;
        return;
    }
    if (item->label < 0)
        snprintf(line, sizeof line, "%s", item->text);
    else
        snprintf(line, sizeof line, "%s 0x%x", item->text,
                 g->labels[item->label] * (unsigned)FH_INST_BYTES);
    if (fhec_assemble_word(line, (uint64_t)i * FH_INST_BYTES, NULL, NULL, word) != FHEC_OK)
        fail_msg("the generator wrote `%s`, which does not assemble", line);
}

/* Any register that holds data. */
unsigned random_data_register(struct random_generator *g) {
    return emu_once_in(g->rng, 10) ? 244 + random_below(g, 11) : random_below(g, 32);
}

/* A guard or condition: "P3", "!P0". */
static const char *predicate(struct random_generator *g) {
    static const char *const names[] = {"P0",  "P1",  "P2",  "P3",  "P4",  "P5",  "P6",
                                        "!P0", "!P1", "!P2", "!P3", "!P4", "!P5", "!P6"};
    return names[random_below(g, 14)];
}

/* New numbers, which arithmetic alone would lose in time. */
static void refresh(struct random_generator *g) {
    if (emu_once_in(g->rng, 2))
        text(g, "MOV R%u, 0x%x", random_below(g, 32), emu_value(g->rng));
    else
        text(g, "S2R R%u, SR_TID.X", random_below(g, 32));
}

/* ---------------------------------------------------------------- structure */

static void block(struct random_generator *g, uint32_t size);

/* How deep regions are in each other, here. */
static unsigned most_depth(const struct random_generator *g) {
    return g->level ? 2 : 3;
}

/* The barrier of the region that is about to begin; it ends with `depth` as before. */
static unsigned region(struct random_generator *g) {
    return g->level * 2 + g->depth++;
}

static void if_else(struct random_generator *g, uint32_t size) {
    int other = new_label(g), join = new_label(g), end = new_label(g);
    bool warpsync = g->depth == 0 && g->level == 0 && emu_once_in(g->rng, 3);
    unsigned b = region(g);
    if (!warpsync)
        random_line(g, end, "BSSY B%u,", b);
    random_line(g, other, "@%s BRA", predicate(g));
    block(g, size / 2);
    random_line(g, join, "BRA");
    place(g, other);
    block(g, size / 2);
    place(g, join);
    if (!warpsync)
        text(g, "BSYNC B%u", b);
    else if (emu_once_in(g->rng, 2))
        text(g, "WARPSYNC 0xffffffff");
    else
        text(g, "WARPSYNC.EXCLUSIVE R59");
    place(g, end);
    g->depth--;
}

/* Lanes turn as often as their own counter says; with `leave`, some of them break out. */
static void loop(struct random_generator *g, uint32_t size, bool leave) {
    int top = new_label(g), end = new_label(g), out = new_label(g), behind = new_label(g);
    unsigned outer = leave ? region(g) : 0, b = region(g);
    unsigned counter = (g->level ? 60 + (g->level - 1) * 2 : 44) + g->depth - 1;
    uint32_t turns = g->depth > 2 ? 1 : g->depth == 1 ? 7 : 3;
    if (leave)
        random_line(g, behind, "BSSY B%u,", outer);
    text(g, "LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0, !PT", counter, random_data_register(g), turns);
    random_line(g, end, "BSSY B%u,", b);
    place(g, top);
    block(g, size);
    if (leave) {
        const char *p = predicate(g);
        text(g, "@%s BREAK B%u", p, b);
        random_line(g, out, "@%s BRA", p);
        block(g, size / 2);
    }
    text(g, "IADD3 R%u, R%u, -0x1, RZ", counter, counter);
    text(g, "ISETP.GT.AND P6, PT, R%u, RZ, PT", counter);
    random_line(g, top, "@P6 BRA");
    text(g, "BSYNC B%u", b);
    place(g, end);
    if (leave) {
        place(g, out);
        text(g, "BSYNC B%u", outer);
        g->depth--;
    }
    place(g, behind);
    g->depth--;
}

/* All lanes turn equally often: the warps stay together. */
static void long_loop(struct random_generator *g, uint32_t size) {
    int top = new_label(g);
    text(g, "MOV R47, 0x%x", 1 + random_below(g, g->repeat));
    place(g, top);
    block(g, size);
    text(g, "IADD3 R47, R47, -0x1, RZ");
    text(g, "ISETP.GT.AND P6, PT, R47, RZ, PT");
    random_line(g, top, "@P6 BRA");
}

static void switch_table(struct random_generator *g, uint32_t size) {
    int cases[4], join = new_label(g), end = new_label(g);
    unsigned b = region(g);
    bool uniform = emu_once_in(g->rng, 3);
    for (unsigned i = 0; i < 4; i++)
        cases[i] = new_label(g);
    if (uniform) {
        text(g, "ULOP3.LUT UR28, UR%u, 0x3, URZ, 0xc0, !UPT", random_below(g, 16));
        text(g, "UIMAD UR28, UR28, 0x10, URZ");
        text(g, "UMOV UR29, URZ");
    } else {
        text(g, "LOP3.LUT R56, R%u, 0x3, RZ, 0xc0, !PT", random_data_register(g));
        text(g, "IMAD R56, R56, 0x10, RZ");
        text(g, "MOV R57, RZ");
    }
    random_line(g, end, "BSSY B%u,", b);
    text(g, uniform ? "BRXU UR28 0x0" : "BRX R56 0x0");
    for (unsigned i = 0; i < 4; i++)
        random_line(g, cases[i], "BRA");
    for (unsigned i = 0; i < 4; i++) {
        place(g, cases[i]);
        block(g, size / 4);
        random_line(g, join, "BRA");
    }
    place(g, join);
    text(g, "BSYNC B%u", b);
    place(g, end);
    g->depth--;
}

/* A call of a new function or of one that there is. */
static void call(struct random_generator *g) {
    unsigned level = g->level, address = 48 + 2 * level;
    struct random_function *f = NULL;
    int back = new_label(g);
    for (unsigned i = 0; i < g->function_count && !f; i++)
        if (g->functions[i].level == level && emu_once_in(g->rng, 2))
            f = &g->functions[i];
    if (!f && g->function_count == MAX_FUNCTIONS)
        return;
    if (!f) {
        f = &g->functions[g->function_count++];
        *f = (struct random_function){new_label(g), level, emu_once_in(g->rng, 3)};
    }
    if (!f->lepc) {
        random_line(g, back, "MOV R%u,", address);
        text(g, "MOV R%u, RZ", address + 1);
    }
    bool absolute = emu_once_in(g->rng, 2), indirect = emu_once_in(g->rng, 2);
    if (indirect) {
        random_line(g, f->label, "MOV R56,");
        text(g, "MOV R57, RZ");
    }
    if (f->lepc)
        text(g, "LEPC R%u", address);
    bool jump = absolute && emu_once_in(g->rng, 2); /* a call without a depth */
    if (indirect)
        text(g, jump ? "JMX R56 0x0" : absolute ? "CALL.ABS.NOINC R56" : "CALL.REL.NOINC R56 0x0");
    else
        random_line(g, f->label, jump ? "JMP" : absolute ? "CALL.ABS.NOINC" : "CALL.REL");
    place(g, back);
}

static void write_function(struct random_generator *g, const struct random_function *f,
                           uint32_t size) {
    unsigned address = 48 + 2 * f->level;
    place(g, f->label);
    g->depth = 0;
    g->level = f->level + 1;
    block(g, size);
    if (f->lepc)
        text(g, "RET.ABS.NODEC R%u 0x20", address);
    else if (emu_once_in(g->rng, 2))
        text(g, "RET.REL.NODEC R%u 0x0", address);
    else
        text(g, "RET.ABS R%u 0x0", address);
}

/* ---------------------------------------------------------------- threads of the block */

/* Barriers of the block: everybody comes. */
static void meet(struct random_generator *g) {
    static const char *const reductions[] = {"RED.POPC", "RED.AND", "RED.OR", "SCAN"};
    uint32_t id = random_below(g, 16), way = random_below(g, 9);
    const char *kind = reductions[random_below(g, 4)], *p = predicate(g);
    if (g->exited) { /* nobody counts those that are left */
        text(g, "BAR.SYNC 0x%x", id);
        return;
    }
    text(g, "MOV R58, 0x%x", g->threads << 16 | id);
    switch (way) {
    case 0: text(g, "BAR.SYNC R58"); break;
    case 1: text(g, "BAR.SYNC 0x%x, R58", id); break;
    case 2: text(g, "BAR.SYNC R58, R58"); break;
    case 3: text(g, "BAR.SYNC 0x%x, 0x%x", id, g->threads); break;
    case 4: text(g, "BAR.%s 0x%x, R58, %s", kind, id, p); break;
    case 5: text(g, "BAR.%s R58, %s", kind, p); break;
    case 6: text(g, "BAR.%s R58, R58, %s", kind, p); break;
    case 7: text(g, "BAR.%s 0x%x, %s", kind, id, p); break;
    default: text(g, "BAR.SYNCALL 0x%x", id); break;
    }
    text(g, "B2R.RESULT R%u, P%u", random_below(g, 32), random_below(g, 7));
}

/* Everybody arrives and then comes: twice as many. */
static void arrive_and_meet(struct random_generator *g) {
    uint32_t id = random_below(g, 16), twice = 2 * g->threads;
    if (g->exited)
        return;
    text(g, "MOV R58, 0x%x", twice << 16 | id);
    switch (random_below(g, 4)) {
    case 0: text(g, "BAR.ARV R58"); break;
    case 1: text(g, "BAR.ARV 0x%x, R58", id); break;
    case 2: text(g, "BAR.ARV R58, R58"); break;
    default: text(g, "BAR.ARV 0x%x, 0x%x", id, twice); break;
    }
    text(g, "BAR.SYNC 0x%x, 0x%x", id, twice);
}

static void end_lanes(struct random_generator *g) {
    static const char *const ways[] = {"EXIT", "KILL"};
    text(g, "ISETP.EQ.AND P%u, PT, R%u, 0x%x, PT", random_below(g, 6), random_data_register(g),
         random_below(g, 8));
    text(g, "@%s %s %s", predicate(g), ways[random_below(g, 2)], predicate(g));
    g->exited = true;
}

/* Small things of control that lead on. */
static void odds(struct random_generator *g) {
    int skip = new_label(g);
    switch (random_below(g, 14)) {
    case 0: text(g, "@%s YIELD %s", predicate(g), predicate(g)); break;
    case 1: text(g, "NANOSLEEP 0x%x", random_below(g, 100)); break;
    case 2: text(g, "NANOSLEEP %s, R%u", predicate(g), random_data_register(g)); break;
    case 3: text(g, "NANOSLEEP c[0x0][0x168]"); break;
    case 4: text(g, "NANOSLEEP UR%u", random_below(g, 16)); break;
    case 5: text(g, "BPT.DRAIN 0x0"); break;
    case 6:
        text(g, "BMOV.32 R59, MACTIVE");
        text(g, emu_once_in(g->rng, 2) ? "WARPSYNC c[0x0][0x30]" /* it is 0 */ : "WARPSYNC R59");
        break;
    case 7:
        text(g, "BMOV.32 R59, MACTIVE");
        text(g, "BMOV.32%s MACTIVE, R59", emu_once_in(g->rng, 2) ? ".PQUAD" : "");
        break;
    case 8: /* barriers wait in registers, as around calls */
        text(g, "BMOV.32.CLEAR R58, B%u", g->depth ? g->level * 2 + g->depth - 1 : 7);
        random_plain(g);
        text(g, "BMOV.32 B%u, R58", g->depth ? g->level * 2 + g->depth - 1 : 7);
        break;
    case 9:
        text(g, "BMOV.32 B15, MACTIVE");
        text(g, "BMOV.32 MACTIVE, B15");
        break;
    default: /* a group goes on together, one way or the other */
        text(g, "UMOV UR30, 0x%x", emu_once_in(g->rng, 2) ? UINT32_MAX : emu_value(g->rng));
        random_line(g, skip, "BRA.%s %s~UR30,", emu_once_in(g->rng, 2) ? "DIV" : "CONV",
                    emu_once_in(g->rng, 2) ? "P1, " : "");
        random_plain(g);
        random_plain(g);
    }
    place(g, skip);
}

/* Something that lanes do apart from each other. */
static void structure(struct random_generator *g, uint32_t size) {
    switch (random_below(g, 6)) {
    case 0: if_else(g, size); break;
    case 1: loop(g, size, false); break;
    case 2:
        if (g->depth + 2 <= most_depth(g))
            loop(g, size, true);
        break;
    case 3: switch_table(g, size); break;
    case 4:
        if (g->level < 2)
            call(g);
        break;
    default: odds(g);
    }
}

static void block(struct random_generator *g, uint32_t size) {
    for (uint32_t end = g->count + size; g->count < end && !full(g);) {
        uint32_t way = random_below(g, 40);
        bool top = g->depth == 0 && g->level == 0;
        if (way < 2 && g->depth < most_depth(g) && size > 12)
            structure(g, size / 3);
        else if (way == 2)
            odds(g);
        else if (way == 3)
            refresh(g);
        else if (way == 4 && top)
            meet(g);
        else if (way == 5 && top && emu_once_in(g->rng, 2))
            arrive_and_meet(g);
        else
            random_plain(g);
    }
}

/* ---------------------------------------------------------------- the whole */

static void begin(struct random_generator *g) {
    text(g, "MOV R59, 0xffffffff");
    text(g, "S2R R0, SR_TID.X");
    for (unsigned i = 1; i < 32; i++) {
        if (i % 3 == 0)
            text(g, "MOV R%u, 0x%x", i, emu_value(g->rng));
        else if (i % 3 == 1)
            text(g, "IMAD R%u, R0, 0x%x, R%u", i, emu_value(g->rng) | 1, i - 1);
        else
            text(g, "LOP3.LUT R%u, R%u, R%u, R0, 0x%x, !PT", i, i - 1, i - 2, random_below(g, 256));
    }
    for (unsigned i = 0; i < 7; i++)
        text(g, "ISETP.GT.AND P%u, PT, R%u, R%u, PT", i, 2 + i, 9 + i);
    for (unsigned i = 0; i < 16; i++)
        text(g, "UMOV UR%u, 0x%x", i, emu_value(g->rng));
}

void random_program(struct emu_rng *rng, uint32_t size, uint32_t repeat,
                    struct random_program *program) {
    static const uint32_t threads[] = {32, 64, 96, 128, 64, 32, 40, 70};
    static struct random_generator generator;
    struct random_generator *g = &generator;
    memset(g, 0, sizeof *g);
    g->rng = rng;
    g->repeat = repeat;
    g->threads = threads[random_below(g, 8)];
    begin(g);
    while (g->count < size && !full(g)) {
        if (emu_once_in(rng, 2))
            block(g, 20 + random_below(g, 40));
        else if (repeat > 1)
            long_loop(g, 10 + random_below(g, 40));
        if (g->count > size * 3 / 4 && !g->exited && emu_once_in(rng, 4))
            end_lanes(g);
    }
    text(g, "EXIT");
    g->exited = true; /* functions do not know who has ended */
    for (unsigned i = 0; i < g->function_count; i++)
        write_function(g, &g->functions[i], full(g) ? 0 : 30);
    program->count = g->count;
    program->threads = g->threads;
    program->blocks = 1 + random_below(g, 3);
    for (uint32_t i = 0; i < g->count; i++)
        resolve(g, i, &program->words[i]);
}

fhec_program *random_program_load(const struct random_program *program) {
    char source[200];
    snprintf(source, sizeof source,
             ".target sm_80, fhec, gme, mont\n.kernel K\n.param p, %d\n.shared s, %d\n.local %d\n"
             "EXIT ;\n.end\n",
             RP_PARAMS, RP_SHARED, RP_LOCAL);
    fhec_program *shell = emu_assemble(source);
    struct fh_kernel *k = &shell->kernels[0];
    free(k->words);
    free(k->origins);
    k->words = malloc(program->count * sizeof *k->words);
    k->origins = calloc(program->count, sizeof *k->origins);
    assert_true(k->words && k->origins);
    for (uint32_t i = 0; i < program->count; i++)
        k->origins[i].file = UINT32_MAX;
    memcpy(k->words, program->words, program->count * sizeof *k->words);
    k->word_count = program->count;
    k->registers = 0; /* no limit but the hardware's */
    return shell;
}
