/*
 * lint.c - whether the scheduling fields of a program are safe: every path through a kernel or
 * function is followed, and what is outstanding (hazard.h) is joined where paths meet, until
 * nothing changes. Then each block is walked once more, and what its instructions run into is
 * reported.
 *
 * Does not: scoreboards across calls of functions outside the code; whether a wait is needed; what
 * the instructions compute.
 */
#include "array.h"
#include "diagnostic.h"
#include "flowgraph.h"
#include "hazard.h"
#include "isa_names.h"
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum lint_id {
#define DIAGNOSTIC(name, id, severity, text) LINT_##name,
#include "lint.def"
#undef DIAGNOSTIC
    LINT_COUNT
};

#define DIAGNOSTIC FH_DIAGNOSTIC_ROW
static const struct fh_diagnostic_row rows[LINT_COUNT] = {
#include "lint.def"
};
#undef DIAGNOSTIC

enum { TEXT_SIZE = 320, NEAR = 16 /* instructions that a register is kept for reuse */ };

/* The state where a block begins; not reached: control has not come there yet. */
struct entry {
    struct fh_pending *pending;
    size_t room;
    unsigned count;
    bool reached, queued;
    uint8_t arming[FH_SCOREBOARDS];
};

struct lint {
    const fhec_program *program;
    size_t kernel;                      /* whose locations; SIZE_MAX none */
    const struct fh_function *function; /* NULL: the kernel itself */
    fhec_diagnostic_fn *diagnostic;
    void *user;
    bool no_memory, found;
    struct fh_flowgraph graph;
    struct entry *entries; /* of each block, and of what all returns lead to */
    uint32_t *queue;       /* those to be looked at again: a ring with room for all */
    uint32_t queue_first, queue_count;
    unsigned set; /* scoreboards that some instruction sets */
    struct fh_hazards now, joined;
    uint32_t at; /* the instruction in hand */
    struct fh_inst inst;
};

/* ---------------------------------------------------------------- reports */

static void instruction_text(const struct lint *l, uint32_t index, char text[TEXT_SIZE]) {
    struct fh_inst inst;
    uint64_t pc = (uint64_t)index * FH_INST_BYTES;
    if (!fh_decode(l->graph.code.words[index], &inst) ||
        fh_print(&inst, pc, FHEC_DIS_CONTROL, text, TEXT_SIZE) < 0)
        snprintf(text, TEXT_SIZE, "an unknown word");
}

/* What the letters of a row stand for. */
struct said {
    const char *resource;
    uint32_t other;
    unsigned mask, number;
};

/* "scoreboard 3", "scoreboards 0, 3 and 5". */
static int put_scoreboards(unsigned mask, char *to, size_t room) {
    int n = snprintf(to, room, mask & (mask - 1) ? "scoreboards" : "scoreboard");
    const char *between = " ";
    for (unsigned b = 0; b < FH_SCOREBOARDS && mask >> b; b++) {
        if (!(mask >> b & 1))
            continue;
        n += snprintf(to + n, room - (size_t)n, "%s%u", between, b);
        unsigned rest = mask >> (b + 1);
        between = rest & (rest - 1) ? ", " : " and ";
    }
    return n;
}

static size_t put_letter(const struct lint *l, char letter, const struct said *said, char *to,
                         size_t room) {
    char mnemonic[64] = "?";
    struct fh_inst other;
    int n = 0;
    switch (letter) {
    case 'c': n = snprintf(to, room, "%s", said->resource); break;
    case 'n':
        n = snprintf(to, room, "%u cycle%s", said->number, said->number == 1 ? "" : "s");
        break;
    case 'o':
        if (fh_decode(l->graph.code.words[said->other], &other))
            fh_print_mnemonic(&other, mnemonic, sizeof mnemonic);
        n = snprintf(to, room, "%s at 0x%llx", mnemonic,
                     (unsigned long long)said->other * FH_INST_BYTES);
        break;
    default: n = put_scoreboards(said->mask, to, room);
    }
    return n < 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1;
}

static void report(struct lint *l, enum lint_id id, const struct said *said) {
    char message[2 * TEXT_SIZE], texts[2][TEXT_SIZE + 32], text[TEXT_SIZE];
    const char *notes[2] = {texts[0], texts[1]};
    uint64_t pc = (uint64_t)l->at * FH_INST_BYTES;
    l->found = true;
    if (!l->diagnostic)
        return;
    size_t n = (size_t)snprintf(
        message, TEXT_SIZE, "%s %.200s, address 0x%llx: ", l->function ? "function" : "kernel",
        l->function ? l->function->name : l->program->kernels[l->kernel].name,
        (unsigned long long)pc);
    for (const char *p = rows[id].text; *p && n + 1 < sizeof message; p++) {
        if (*p == '%')
            n += put_letter(l, *++p, said, message + n, sizeof message - n);
        else
            message[n++] = *p;
    }
    message[n] = '\0';
    fhec_diagnostic d = {.id = rows[id].id, .severity = rows[id].severity, .message = message};
    instruction_text(l, l->at, text);
    snprintf(texts[0], sizeof texts[0], "here: %s", text);
    d.notes = notes;
    d.note_count = 1;
    if (strstr(rows[id].text, "%o")) {
        instruction_text(l, said->other, text);
        snprintf(texts[1], sizeof texts[1], "there: %s", text);
        d.note_count = 2;
    }
    uint32_t first = l->function ? l->function->first : 0;
    fhec_expansion expansions[FHEC_MAX_EXPANSIONS];
    if (l->kernel < l->program->kernel_count)
        fh_code_place(l->program, l->kernel, first + l->at, &d, expansions);
    l->diagnostic(l->user, &d);
}

static void report_hazards(struct lint *l, const struct fh_hazard *list, unsigned count) {
    static const enum lint_id ids[] = {
        [FH_HAZARD_RESULT] = LINT_RESULT,
        [FH_HAZARD_UNGUARDED_RESULT] = LINT_UNGUARDED_RESULT,
        [FH_HAZARD_EARLY] = LINT_EARLY,
        [FH_HAZARD_READ] = LINT_READ,
        [FH_HAZARD_UNGUARDED_READ] = LINT_UNGUARDED_READ,
        [FH_HAZARD_WRITE] = LINT_WRITE,
        [FH_HAZARD_UNGUARDED_WRITE] = LINT_UNGUARDED_WRITE,
        [FH_HAZARD_WRITE_EARLY] = LINT_WRITE_EARLY,
        [FH_HAZARD_UNARMED] = LINT_UNARMED,
    };
    for (unsigned i = 0; i < count; i++) {
        bool again = false; /* the other registers of a group are the same mistake */
        for (unsigned k = 0; k < i; k++)
            again |= list[k].kind == list[i].kind && list[k].other == list[i].other;
        if (again)
            continue;
        char name[8];
        fh_resource_name(list[i].resource, name);
        report(l, ids[list[i].kind],
               &(struct said){name, list[i].other, list[i].mask, list[i].cycles});
    }
}

/* ---------------------------------------------------------------- one instruction's own fields */

/* Whether a later instruction reads the register in the operand slot that it is kept for. */
static enum lint_id follow_reuse(const struct lint *l, unsigned operand) {
    const struct fh_operand *kept = &l->inst.op[operand];
    unsigned slot = l->inst.form->operands[operand].reuse_bit;
    uint32_t block = l->graph.block_of[l->at], end = l->graph.first[block + 1];
    struct fh_inst inst = l->inst;
    struct fh_uses uses;
    for (uint32_t i = l->at; i < end && i <= l->at + NEAR; i++) {
        if (!fh_decode(l->graph.code.words[i], &inst))
            return LINT_COUNT; /* who knows what it reads */
        for (unsigned k = 0; i > l->at && k < inst.form->operand_count; k++)
            if (inst.op[k].kind == FH_K_REG && inst.form->operands[k].reuse_bit == slot &&
                inst.op[k].reg == kept->reg)
                return LINT_COUNT;
        if (!inst.sched.yield)
            return LINT_REUSE_YIELD;
        fh_uses_of(&inst, &uses);
        for (unsigned u = 0; u < uses.count; u++)
            if (uses.use[u].access == FH_WRITE && uses.use[u].first <= kept->reg &&
                kept->reg < uses.use[u].first + uses.use[u].count)
                return LINT_REUSE_CHANGED;
    }
    return LINT_REUSE_UNREAD;
}

static void check_reuse(struct lint *l) {
    if (l->inst.sched.reuse) /* flags that no operand took */
        report(l, LINT_REUSE_NOWHERE, &(struct said){"", 0, 0, 0});
    for (unsigned i = 0; i < l->inst.form->operand_count; i++) {
        if (!l->inst.op[i].reuse)
            continue;
        char name[8];
        fh_resource_name(FH_RES_R + l->inst.op[i].reg, name);
        enum lint_id id = l->inst.op[i].reg == FH_RZ ? LINT_REUSE_UNREAD : follow_reuse(l, i);
        if (id != LINT_COUNT)
            report(l, id, &(struct said){l->inst.op[i].reg == FH_RZ ? "RZ" : name, 0, 0, 0});
    }
}

static void check_fields(struct lint *l) {
    const struct fh_sched *sched = &l->inst.sched;
    struct fh_exit leaves = fh_exit_of(&l->inst, l->at, l->graph.code.count);
    if (sched->write_barrier == 6 || sched->read_barrier == 6)
        report(l, LINT_BAD_SCOREBOARD, &(struct said){"", 0, 0, 0});
    unsigned unset = sched->wait_mask & ~l->set;
    if (unset && !(l->function && l->at == 0)) /* which a caller may have set */
        report(l, LINT_UNSET, &(struct said){"", 0, unset, 0});
    if (leaves.ends && leaves.target != l->at && sched->stall == 0)
        report(l, LINT_NO_STALL, &(struct said){"", 0, 0, 0});
    if (sched->stall >= 12 && sched->yield)
        report(l, LINT_NO_YIELD, &(struct said){"", 0, 0, sched->stall});
    check_reuse(l);
}

/* ---------------------------------------------------------------- blocks */

/* The instruction at l->at: its effect on what is outstanding, and, with `tell`, its mistakes. */
static void step(struct lint *l, bool tell) {
    struct fh_hazard list[FH_MAX_HAZARDS + 1];
    struct fh_uses uses;
    if (!fh_decode(l->graph.code.words[l->at], &l->inst)) {
        if (tell)
            report(l, LINT_UNKNOWN, &(struct said){"", 0, 0, 0});
        fh_hazards_clear(&l->now);
        return;
    }
    const struct fh_pipe *pipe = fh_pipe_of(&l->inst);
    unsigned mask = fh_wait_mask(&l->inst), count = 0;
    list[0] = fh_hazards_unarmed(&l->now, l->inst.sched.wait_mask);
    count += list[0].kind != FH_HAZARD_NONE;
    fh_hazards_wait(&l->now, mask);
    fh_uses_of(&l->inst, &uses);
    if (tell) {
        count += fh_hazards_find(&l->now, pipe, &uses, list + count);
        report_hazards(l, list, count);
        check_fields(l);
    }
    fh_hazards_issue(&l->now, pipe, &l->inst.sched, &uses, l->at);
}

static void enter(struct lint *l, uint32_t block) {
    fh_hazards_clear(&l->now);
    const struct entry *e = &l->entries[block];
    (void)fh_hazards_join(&l->now, e->pending, e->count, e->arming);
}

static void put_in_queue(struct lint *l, uint32_t block) {
    if (l->entries[block].queued)
        return;
    l->entries[block].queued = true;
    l->queue[(l->queue_first + l->queue_count++) % (l->graph.blocks + 1)] = block;
}

/* Control goes from here to the block. */
static void go(struct lint *l, uint32_t block) {
    struct entry *e = &l->entries[block];
    fh_hazards_clear(&l->joined);
    (void)fh_hazards_join(&l->joined, e->pending, e->count, e->arming);
    bool changed = fh_hazards_join(&l->joined, l->now.pending, l->now.count, l->now.arming);
    if (e->reached && !changed)
        return;
    if (!fh_grow(&e->pending, &e->room, l->joined.count, sizeof *e->pending)) {
        l->no_memory = true;
        return;
    }
    if (l->joined.count)
        memcpy(e->pending, l->joined.pending, l->joined.count * sizeof *e->pending);
    e->count = l->joined.count;
    memcpy(e->arming, l->joined.arming, sizeof e->arming);
    e->reached = true;
    put_in_queue(l, block);
}

/* A block on the way to the state where nothing changes. */
static void follow(struct lint *l, uint32_t block) {
    const struct fh_flowgraph *g = &l->graph;
    enter(l, block);
    if (block == g->blocks) { /* any return leads to the instruction after any call */
        for (uint32_t i = 0; i < g->return_count; i++)
            go(l, g->returns[i]);
        return;
    }
    for (l->at = g->first[block]; l->at < g->first[block + 1]; l->at++)
        step(l, false);
    struct fh_exit x = {.target = FH_NOWHERE, .falls = true};
    uint32_t last = g->first[block + 1] - 1;
    if (fh_decode(g->code.words[last], &l->inst))
        x = fh_exit_of(&l->inst, last, g->code.count);
    if (x.target != FH_NOWHERE)
        go(l, g->block_of[x.target]);
    if (x.falls && block + 1 < g->blocks)
        go(l, block + 1);
    if (x.returns)
        go(l, g->blocks);
    if (x.calls && x.target == FH_NOWHERE && block + 1 < g->blocks) {
        fh_hazards_clear(&l->now); /* a function that is not seen waits for its own */
        go(l, block + 1);
    }
}

static void settle(struct lint *l) {
    while (l->queue_count && !l->no_memory) {
        uint32_t block = l->queue[l->queue_first];
        l->queue_first = (l->queue_first + 1) % (l->graph.blocks + 1);
        l->queue_count--;
        l->entries[block].queued = false;
        follow(l, block);
    }
}

/* Whether the block is the filling behind a kernel: NOPs, or a branch to itself. */
static bool is_filling(const struct lint *l, uint32_t block) {
    struct fh_inst inst;
    uint32_t first = l->graph.first[block];
    if (!fh_decode(l->graph.code.words[first], &inst))
        return false;
    return inst.form->insn == FH_INSN_NOP ||
           fh_exit_of(&inst, first, l->graph.code.count).target == first;
}

/* From the beginning, and then from what only an indirect branch can reach. */
static void settle_all(struct lint *l) {
    fh_hazards_clear(&l->now);
    go(l, 0);
    settle(l);
    for (uint32_t b = 0; l->graph.indirect && b < l->graph.blocks && !l->no_memory; b++) {
        if (l->entries[b].reached || is_filling(l, b))
            continue;
        fh_hazards_clear(&l->now);
        go(l, b);
        settle(l);
    }
}

/* ---------------------------------------------------------------- code */

static void find_setters(struct lint *l) {
    l->set = 0;
    for (uint32_t i = 0; i < l->graph.code.count; i++) {
        if (!fh_decode(l->graph.code.words[i], &l->inst)) {
            l->set = ~0u;
            return;
        }
        if (l->inst.sched.write_barrier < FH_SCOREBOARDS)
            l->set |= 1u << l->inst.sched.write_barrier;
        if (l->inst.sched.read_barrier < FH_SCOREBOARDS)
            l->set |= 1u << l->inst.sched.read_barrier;
    }
}

static void lint_code(struct lint *l, struct fh_code code) {
    if (code.count == 0)
        return;
    if (!fh_flowgraph_make(&l->graph, code)) {
        l->no_memory = true;
        return;
    }
    l->entries = calloc(l->graph.blocks + (size_t)1, sizeof *l->entries);
    l->queue = calloc(l->graph.blocks + (size_t)1, sizeof *l->queue);
    l->queue_first = l->queue_count = 0;
    if (l->entries && l->queue) {
        find_setters(l);
        settle_all(l);
        for (uint32_t b = 0; b < l->graph.blocks && !l->no_memory; b++) {
            if (!l->entries[b].reached)
                continue;
            enter(l, b);
            for (l->at = l->graph.first[b]; l->at < l->graph.first[b + 1]; l->at++)
                step(l, true);
        }
    } else {
        l->no_memory = true;
    }
    for (uint32_t b = 0; l->entries && b <= l->graph.blocks; b++)
        free(l->entries[b].pending);
    free(l->entries);
    free(l->queue);
    fh_flowgraph_free(&l->graph);
}

fhec_status fhec_lint(const fhec_program *program, fhec_diagnostic_fn *diagnostic, void *user) {
    struct lint *l = calloc(1, sizeof *l);
    if (!l)
        return FHEC_HOST_ERROR;
    l->program = program;
    l->diagnostic = diagnostic;
    l->user = user;
    for (uint32_t k = 0; k < program->kernel_count && !l->no_memory; k++) {
        l->kernel = k;
        lint_code(l, (struct fh_code){program->kernels[k].words, program->kernels[k].word_count});
    }
    l->kernel = 0;
    for (uint32_t f = 0; f < program->function_count && !l->no_memory; f++) {
        l->function = &program->functions[f];
        lint_code(l, (struct fh_code){l->function->words, l->function->word_count});
    }
    fhec_status status = l->no_memory ? FHEC_HOST_ERROR : l->found ? FHEC_DIFFERS : FHEC_OK;
    free(l);
    return status;
}
