/*
 * schedule_fields.c - see schedule_fields.h.
 *
 * One pass from the first instruction to the last keeps what is outstanding (hazard.h). Where an
 * instruction would run into something it waits for a scoreboard, or the stalls before it grow.
 * At the end of a basic block everything outstanding is waited for, so a block begins with nothing
 * outstanding whatever path led there; what falls into a label is waited for behind it. This is
 * safe, and by far not the fastest.
 *
 * Fields that the text gives stay, and are reckoned with. Where one is not safe by itself the
 * instructions without fields before it wait in its place, as far as they can; in a kernel that has
 * both, blocks begin with a wait for all scoreboards.
 */
#include "schedule_fields.h"
#include "asm.h"
#include "flowgraph.h"
#include "hazard.h"
#include "isa_names.h"
#include "open_code.h"
#include "sched_fields.h"
#include "tables.h"

#include <stdlib.h>
#include <string.h>

enum {
    ALL_SCOREBOARDS = (1u << FH_SCOREBOARDS) - 1,
    YIELD_FROM = 12,
    REACH = 64, /* instructions: how far back stalls are looked for */
    NEAR = 16,  /* and how far reuse flags matter */
};

struct filling {
    struct fh_open_code *code;
    struct fh_hazards now;
    struct fh_flowgraph graph;
    uint32_t at, block_first;
    uint32_t reuse_end; /* behind the last word so far with reuse flags; 0: there was none */
    /* The current instruction: */
    const struct fh_word_note *note;
    const struct fh_pipe *pipe; /* what it issues to */
    struct fh_uses uses;        /* what it reads and writes */
    struct fh_inst inst;        /* the instruction itself, if note->special */
    struct fh_exit exit;        /* where it leads */
    struct fh_sched sched;      /* its fields, given or new ones */
    unsigned in_use;            /* scoreboards that something may be outstanding on */
    unsigned reserved; /* scoreboards whose counts DEPBAR compares: nothing else is charged there */
    uint32_t depbar;   /* no DEPBAR stands between the current instruction and this one */
    bool settled;      /* in a block with given fields: something has waited for all scoreboards */
    unsigned last;     /* the scoreboard that was given last */
};

static bool is_given(const struct filling *f, uint32_t index) {
    return f->code->notes[index].given;
}

/* ---------------------------------------------------------------- earlier instructions */

static inline struct fh_sched sched_of(const struct filling *f, uint32_t index) {
    struct fh_sched sched;
    fh_sched_get(f->code->words[index], &sched);
    return sched;
}

static bool inst_of(const struct filling *f, uint32_t index, struct fh_inst *inst) {
    return f->code->notes[index].known && fh_decode(f->code->words[index], inst);
}

/* Whether the register that operand i of instruction k keeps for reuse is read in the same operand
 * position behind `index`. */
static bool spans(const struct filling *f, uint32_t k, const struct fh_inst *inst, unsigned i,
                  uint32_t index) {
    for (uint32_t r = k + 1; r < f->code->word_count && r <= k + NEAR; r++) {
        struct fh_inst next;
        if (!inst_of(f, r, &next))
            return false;
        for (unsigned n = 0; n < next.form->operand_count; n++)
            if (next.op[n].kind == FH_K_REG && next.op[n].reg == inst->op[i].reg &&
                next.form->operands[n].reuse_bit == inst->form->operands[i].reuse_bit)
                return r > index;
    }
    return false;
}

/* The warp yields behind the instruction, and registers kept for reuse may get lost: flags that
 * count on one behind it, and only save time, are taken away. */
static void forget_reuse(struct filling *f, uint32_t index) {
    if (!f->reuse_end || f->reuse_end + NEAR <= index + 1)
        return; /* all flags are further away */
    for (uint32_t k = index + 1; k-- > f->block_first && index - k < NEAR;) {
        struct fh_inst inst;
        if (is_given(f, k) || !sched_of(f, k).reuse || !inst_of(f, k, &inst))
            continue;
        for (unsigned i = 0; i < inst.form->operand_count; i++)
            if (inst.op[i].reuse && spans(f, k, &inst, i, index))
                f->code->words[k].hi &= ~(UINT64_C(1) << (inst.form->operands[i].reuse_bit - 64));
    }
}

static void set_sched(struct filling *f, uint32_t index, struct fh_sched sched) {
    /* The flag's bit is 0 where the warp yields, as it has to in a long stall. */
    sched.yield = sched.stall < YIELD_FROM;
    fh_sched_set(&f->code->words[index], &sched);
    if (!sched.yield)
        forget_reuse(f, index);
}

/* A scoreboard for an operation: a free one, or else the next in order. */
static unsigned take_scoreboard(struct filling *f) {
    unsigned taken = f->in_use | f->reserved, n = f->last;
    bool full = (taken & ALL_SCOREBOARDS) == ALL_SCOREBOARDS;
    unsigned not_these = full ? f->reserved : taken;
    if ((not_these & ALL_SCOREBOARDS) == ALL_SCOREBOARDS)
        not_these = 0;
    do
        n = (n + 1) % FH_SCOREBOARDS;
    while (not_these >> n & 1);
    f->last = n;
    f->in_use |= 1u << n;
    return n;
}

/* Puts up to `cycles` more between instruction `from` and the present one, in the stalls of those
 * that are there and in this block; returns how many are missing. */
static unsigned delay(struct filling *f, uint32_t from, unsigned cycles) {
    for (uint32_t k = f->at; k-- > f->block_first && k >= from && cycles && f->at - k <= REACH;) {
        if (is_given(f, k))
            continue;
        struct fh_sched sched = sched_of(f, k);
        unsigned room =
            sched.stall < FH_LONGEST_STALL ? (unsigned)FH_LONGEST_STALL - sched.stall : 0;
        unsigned more = cycles < room ? cycles : room;
        if (!more)
            continue;
        sched.stall = (uint8_t)(sched.stall + more);
        set_sched(f, k, sched);
        fh_hazards_pass_after(&f->now, more, k);
        cycles -= more;
    }
    return cycles;
}

/* The result of a fixed pipe that no stall is long enough for: its instruction sets a scoreboard.
 */
static unsigned tell_result(struct filling *f, uint32_t writer) {
    if (is_given(f, writer))
        return 0;
    struct fh_sched sched = sched_of(f, writer);
    if (sched.write_barrier >= FH_SCOREBOARDS) {
        sched.write_barrier = (uint8_t)take_scoreboard(f);
        if (sched.stall < FH_ARMING)
            sched.stall = FH_ARMING;
        set_sched(f, writer, sched);
    }
    fh_hazards_guard_result(&f->now, writer, sched.write_barrier);
    return 1u << sched.write_barrier;
}

static void tell_read(struct filling *f, uint32_t reader) {
    struct fh_sched sched = sched_of(f, reader);
    unsigned scoreboard = take_scoreboard(f);
    if (!is_given(f, reader)) {
        sched.read_barrier = (uint8_t)scoreboard;
        set_sched(f, reader, sched);
    } /* else nothing tells; the text has it so */
    fh_hazards_guard_read(&f->now, reader, scoreboard);
}

/* ---------------------------------------------------------------- waiting */

/* Waits for the scoreboards now; they join the instruction's mask. */
static void wait_for(struct filling *f, struct fh_sched *sched, unsigned mask) {
    sched->wait_mask |= (uint8_t)mask;
    fh_hazards_wait(&f->now, mask);
    f->in_use &= ~mask;
}

/* One of the scoreboards of a hazard: any of them tells, or it is asked again for the others. */
static unsigned one_of(unsigned mask) {
    return mask & (0u - mask);
}

/* Does something about one thing that the instruction runs into; false if nothing can be done,
 * because given fields have it so. */
static bool avoid_one(struct filling *f, struct fh_sched *sched, const struct fh_hazard *z) {
    unsigned missing, told;
    switch (z->kind) {
    case FH_HAZARD_EARLY:
    case FH_HAZARD_WRITE_EARLY:
        missing = delay(f, z->other, z->cycles);
        told = missing ? tell_result(f, z->other) : 0;
        wait_for(f, sched, told);
        return missing < z->cycles || told;
    case FH_HAZARD_UNGUARDED_READ: tell_read(f, z->other); return true;
    case FH_HAZARD_UNGUARDED_RESULT:
    case FH_HAZARD_UNGUARDED_WRITE: return false;
    default: wait_for(f, sched, one_of(z->mask)); return true;
    }
}

/* What the instruction runs into is waited for. Each round ends something that is outstanding. */
static void avoid(struct filling *f, struct fh_sched *sched) {
    struct fh_hazard list[FH_MAX_HAZARDS];
    for (bool more = true; more;) {
        unsigned n = fh_hazards_find(&f->now, f->pipe, &f->uses, 0, list);
        more = false;
        for (unsigned i = 0; i < n && !more; i++)
            more = avoid_one(f, sched, &list[i]);
    }
}

/* Fixed results arrive within `own_stall` cycles of the current instruction, as far as the stalls
 * before it can see to it. What they cannot is waited for when a scoreboard can tell. */
static void drain_cycles(struct filling *f, struct fh_sched *sched, unsigned own_stall) {
    for (unsigned round = 0; round < 64 && fh_hazards_cycles(&f->now) > own_stall; round++) {
        uint32_t index = fh_hazards_last_writer(&f->now);
        unsigned missing = delay(f, index, fh_hazards_cycles(&f->now) - own_stall);
        unsigned told = missing && sched ? tell_result(f, index) : 0;
        if (missing && !told)
            break;
        if (told)
            wait_for(f, sched, told);
    }
}

/* Everything outstanding is waited for, but for cycles that the instruction's own stall gives. */
static void drain(struct filling *f, struct fh_sched *sched, unsigned own_stall) {
    uint32_t index;
    while (fh_hazards_unguarded_read(&f->now, &index))
        tell_read(f, index);
    drain_cycles(f, sched, own_stall);
    wait_for(f, sched, fh_hazards_scoreboards(&f->now));
}

/* An instruction with given fields that do not wait for all that it needs: the one before waits. */
static void help_given(struct filling *f) {
    struct fh_hazard list[FH_MAX_HAZARDS];
    unsigned n = fh_hazards_find(&f->now, f->pipe, &f->uses, 0, list);
    uint32_t before = f->at - 1;
    bool can = f->at > f->block_first && !is_given(f, before);
    for (unsigned i = 0; i < n; i++) {
        if (list[i].kind == FH_HAZARD_EARLY || list[i].kind == FH_HAZARD_WRITE_EARLY) {
            (void)delay(f, list[i].other, list[i].cycles);
        } else if (can && list[i].other < before) {
            struct fh_sched sched = sched_of(f, before);
            /* Not for what it sets itself, which is later. */
            unsigned mask = list[i].mask;
            if (sched.write_barrier < FH_SCOREBOARDS)
                mask &= ~(1u << sched.write_barrier);
            if (sched.read_barrier < FH_SCOREBOARDS)
                mask &= ~(1u << sched.read_barrier);
            wait_for(f, &sched, one_of(mask));
            set_sched(f, before, sched);
        }
    }
}

/* A branch with given fields: where it leads nobody knows what is outstanding here, but that all
 * scoreboards are waited for there. */
static void leave_given(struct filling *f) {
    uint32_t reader;
    while (fh_hazards_unguarded_read(&f->now, &reader))
        tell_read(f, reader);
    drain_cycles(f, NULL, f->sched.stall);
}

/* ---------------------------------------------------------------- one instruction */

static bool is_convergence(const struct filling *f) {
    if (!f->note->special)
        return false;
    switch (fh_form_control[f->inst.form->id]) {
    case FH_CTRL_bsync:
    case FH_CTRL_warpsync: return true;
    default: return false;
    }
}

static bool writes(const struct fh_uses *uses) {
    for (unsigned u = 0; u < uses->count; u++)
        if (uses->use[u].access == FH_WRITE)
            return true;
    return false;
}

/* The scoreboard that the next DEPBAR counts on; without any, 0. */
static unsigned counted_scoreboard(struct filling *f) {
    if (f->depbar < f->at)
        f->depbar = f->at;
    for (; f->depbar < f->code->word_count; f->depbar++) {
        struct fh_inst inst;
        if (f->code->notes[f->depbar].special && inst_of(f, f->depbar, &inst) &&
            inst.form->insn == FH_INSN_DEPBAR)
            return inst.op[FH_DEPBAR_SB].reg % FH_SCOREBOARDS;
    }
    return 0;
}

static bool meet(const struct fh_uses *x, enum fh_access of_x, const struct fh_uses *y,
                 enum fh_access of_y) {
    for (unsigned i = 0; i < x->count; i++)
        for (unsigned k = 0; k < y->count; k++)
            if (x->use[i].access == of_x && y->use[k].access == of_y &&
                x->use[i].first < y->use[k].first + y->use[k].count &&
                y->use[k].first < x->use[i].first + x->use[i].count)
                return true;
    return false;
}

static void uses_of(const struct filling *f, uint32_t index, struct fh_uses *uses) {
    const struct fh_word_note *note = &f->code->notes[index];
    uses->count = note->use_count;
    if (note->use_count) /* else there may be no array at all */
        memcpy(uses->use, f->code->uses + note->uses, note->use_count * sizeof *uses->use);
}

/* The scoreboard that the next instruction, whose fields are given, waits for, if it needs this
 * one's results, or overwrites what this one reads; else none. */
static void suit_next(const struct filling *f, struct fh_sched *sched) {
    struct fh_uses uses;
    uint32_t at = f->at + 1;
    if (at >= f->code->word_count || !is_given(f, at))
        return;
    unsigned mask = sched_of(f, at).wait_mask;
    if (!f->code->notes[at].known || !mask)
        return;
    uint8_t scoreboard = (uint8_t)__builtin_ctz(mask);
    uses_of(f, at, &uses);
    if (meet(&f->uses, FH_WRITE, &uses, FH_READ) || meet(&f->uses, FH_WRITE, &uses, FH_WRITE))
        sched->write_barrier = scoreboard;
    else if (meet(&f->uses, FH_READ, &uses, FH_WRITE))
        sched->read_barrier = scoreboard;
}

/* Fields for the current instruction. `begins`: first of its block. */
static struct fh_sched fill_one(struct filling *f, bool begins) {
    const struct fh_pipe *pipe = f->pipe;
    const struct fh_exit *leaves = &f->exit;
    struct fh_sched sched = {.stall = pipe->stall,
                             .yield = 1,
                             .write_barrier = FH_NO_SCOREBOARD,
                             .read_barrier = FH_NO_SCOREBOARD};
    bool over = leaves->ends && !leaves->falls && leaves->target == FH_NOWHERE && !leaves->calls &&
                !leaves->returns && !leaves->indirect; /* EXIT */
    if (begins)
        drain(f, &sched, 0);
    if (f->code->some_given && !f->settled)
        wait_for(f, &sched, ALL_SCOREBOARDS & ~f->reserved);
    f->settled = true;
    avoid(f, &sched);
    if ((leaves->ends && !over) || is_convergence(f)) {
        drain(f, &sched, FH_LONGEST_STALL);
        unsigned left = fh_hazards_cycles(&f->now);
        if (left > sched.stall)
            sched.stall = (uint8_t)left;
    }
    if (pipe->variable && f->code->some_given)
        suit_next(f, &sched);
    if (pipe->variable && writes(&f->uses) && sched.write_barrier >= FH_SCOREBOARDS)
        sched.write_barrier = (uint8_t)take_scoreboard(f);
    if (f->note->special && f->inst.form->insn == FH_INSN_LDGDEPBAR)
        sched.write_barrier = (uint8_t)counted_scoreboard(f);
    return sched;
}

static void use_scoreboards(struct filling *f, const struct fh_sched *sched) {
    if (sched->write_barrier < FH_SCOREBOARDS)
        f->in_use |= 1u << sched->write_barrier;
    if (sched->read_barrier < FH_SCOREBOARDS)
        f->in_use |= 1u << sched->read_barrier;
}

/* A word that is no known instruction may read and write anything: it waits for all that is
 * outstanding, beside what its own fields wait for, and what follows waits for all scoreboards. */
static void unknown_word(struct filling *f) {
    struct fh_sched sched = sched_of(f, f->at);
    drain(f, &sched, 0);
    fh_sched_set(&f->code->words[f->at], &sched);
    fh_hazards_clear(&f->now);
    use_scoreboards(f, &sched);
    f->settled = false;
}

/* Makes the instruction at f->at the current one. */
static void take_word(struct filling *f) {
    f->note = &f->code->notes[f->at];
    if (sched_of(f, f->at).reuse)
        f->reuse_end = f->at + 1;
    if (!f->note->known)
        return;
    f->pipe = &fh_pipes[f->note->pipe];
    f->exit = (struct fh_exit){.target = FH_NOWHERE, .falls = true};
    if (f->note->special && inst_of(f, f->at, &f->inst))
        f->exit = fh_exit_of(&f->inst, f->at, f->graph.code.count);
    if (is_given(f, f->at))
        f->sched = sched_of(f, f->at);
    uses_of(f, f->at, &f->uses);
}

/* The current instruction has fields: they are reckoned with. */
static void take_given(struct filling *f) {
    unsigned mask =
        f->note->special ? fh_wait_mask(&f->inst) : f->sched.wait_mask & (unsigned)ALL_SCOREBOARDS;
    struct fh_hazard z = fh_hazards_unarmed(&f->now, f->sched.wait_mask);
    if (z.kind != FH_HAZARD_NONE)
        (void)delay(f, f->block_first, z.cycles);
    fh_hazards_wait(&f->now, mask);
    f->in_use &= ~mask;
    help_given(f);
    if (f->exit.ends)
        leave_given(f);
    use_scoreboards(f, &f->sched);
}

static void one_instruction(struct filling *f, bool begins) {
    take_word(f);
    if (!f->note->known) {
        unknown_word(f);
        return;
    }
    if (!is_given(f, f->at)) {
        struct fh_sched sched = fill_one(f, begins);
        set_sched(f, f->at, sched);
        f->sched = sched;
    } else {
        take_given(f);
    }
    /* A register is read again: the scoreboards of both readings must be known apart. */
    uint32_t reader;
    while (f->pipe->variable && fh_hazards_unguarded_read_of(&f->now, &f->uses, &reader))
        tell_read(f, reader);
    fh_hazards_issue(&f->now, f->pipe, &f->sched, &f->uses, 0, f->at);
}

static void fill(struct filling *f) {
    uint32_t block = 0;
    bool falls = true;
    for (f->at = 0; f->at < f->code->word_count; f->at++) {
        bool begins = block < f->graph.blocks && f->graph.first[block] == f->at;
        if (begins) {
            block++;
            f->settled = false;
            if (!falls) {
                fh_hazards_clear(&f->now);
                f->block_first = f->at;
            }
        }
        one_instruction(f, begins);
        if (begins)
            f->block_first = f->at;
        falls = !f->note->known || f->exit.falls;
    }
}

/* A wait for a scoreboard that nothing sets is idle, but where a function begins: there its callers
 * may have. */
static void drop_idle_waits(struct filling *f) {
    struct fh_open_code *code = f->code;
    unsigned set = 0, waited = 0;
    for (uint32_t i = 0; i < code->word_count; i++) {
        struct fh_sched sched = sched_of(f, i);
        if (sched.write_barrier < FH_SCOREBOARDS)
            set |= 1u << sched.write_barrier;
        if (sched.read_barrier < FH_SCOREBOARDS)
            set |= 1u << sched.read_barrier;
        waited |= sched.wait_mask;
    }
    for (uint32_t i = code->function ? 1 : 0; (waited & ~set) && i < code->word_count; i++) {
        struct fh_sched sched = sched_of(f, i);
        sched.wait_mask &= (uint8_t)set;
        if (!is_given(f, i))
            fh_sched_set(&code->words[i], &sched);
    }
}

void fh_schedule(struct fh_asm *a) {
    struct fh_open_code *code = &a->code;
    if (!code->some_open || code->word_count == 0)
        return;
    struct filling *f = calloc(1, sizeof *f);
    struct fh_code words = {code->words, (uint32_t)code->word_count};
    if (!f || !fh_flowgraph_make(&f->graph, words)) {
        free(f);
        a->no_memory = true;
        return;
    }
    f->code = code;
    f->now.safe = true;
    f->reserved = code->counted & ALL_SCOREBOARDS;
    f->last = FH_SCOREBOARDS - 1;
    fill(f);
    drop_idle_waits(f);
    fh_flowgraph_free(&f->graph);
    free(f);
}
