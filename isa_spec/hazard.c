/*
 * hazard.c - see hazard.h. Only cells with something outstanding are kept, so that the work per
 * instruction goes with those and not with all registers.
 */
#include "hazard.h"

#include "isa_names.h"

#include <string.h>

/* When a result of a variable pipe arrives at the earliest: what it overwrites must be there. */
enum { VARIABLE_LEAST = 6 };

void fh_hazards_clear(struct fh_hazards *h) {
    h->count = 0;
    memset(h->place, 0, sizeof h->place);
    memset(h->arming, 0, sizeof h->arming);
}

/* ---------------------------------------------------------------- the cells that are kept */

static const struct fh_cell *look(const struct fh_hazards *h, unsigned number) {
    return h->place[number] ? &h->cell[h->place[number] - 1] : NULL;
}

static struct fh_cell *touch(struct fh_hazards *h, unsigned number) {
    if (!h->place[number]) {
        h->cell[h->count] = (struct fh_cell){.number = (uint16_t)number};
        h->place[number] = (uint16_t)++h->count;
    }
    return &h->cell[h->place[number] - 1];
}

static unsigned longest(const struct fh_cell *cell) {
    unsigned cycles = 0;
    for (unsigned g = 0; g < FH_MAX_GROUPS; g++)
        if (cell->left[g] > cycles)
            cycles = cell->left[g];
    return cycles;
}

static bool done(const struct fh_cell *cell) {
    return !(cell->writers | cell->readers | cell->loose_writers | cell->loose_readers) &&
           longest(cell) == 0;
}

/* Drops the cells that have nothing outstanding. */
static void sweep(struct fh_hazards *h) {
    for (unsigned i = 0; i < h->count;) {
        if (!done(&h->cell[i])) {
            i++;
            continue;
        }
        h->place[h->cell[i].number] = 0;
        if (i != --h->count) {
            h->cell[i] = h->cell[h->count];
            h->place[h->cell[i].number] = (uint16_t)(i + 1);
        }
    }
}

/* ---------------------------------------------------------------- waiting and time */

/* The readers that remain when scoreboard b is clear: neither of their barriers is b. */
static uint64_t readers_without(unsigned b) {
    return ~(UINT64_C(0xff) << (8 * b) | UINT64_C(0x0101010101010101) << b);
}

void fh_hazards_wait(struct fh_hazards *h, unsigned mask) {
    uint64_t keep = ~UINT64_C(0);
    if (!mask)
        return;
    for (unsigned b = 0; b < FH_SCOREBOARDS; b++)
        if (mask >> b & 1)
            keep &= readers_without(b);
    for (unsigned i = 0; i < h->count; i++) {
        struct fh_cell *cell = &h->cell[i];
        /* A scoreboard on a result of a fixed pipe tells of it, too. */
        if (cell->writers & mask)
            memset(cell->left, 0, sizeof cell->left);
        cell->writers &= (uint8_t)~mask;
        cell->readers &= keep;
    }
    sweep(h);
}

void fh_hazards_pass(struct fh_hazards *h, unsigned cycles) {
    uint8_t n = (uint8_t)(cycles > 255 ? 255 : cycles);
    for (unsigned i = 0; i < h->count; i++)
        for (unsigned g = 0; g < FH_MAX_GROUPS; g++)
            h->cell[i].left[g] = (uint8_t)(h->cell[i].left[g] > n ? h->cell[i].left[g] - n : 0);
    for (unsigned b = 0; b < FH_SCOREBOARDS; b++)
        h->arming[b] = (uint8_t)(h->arming[b] > n ? h->arming[b] - n : 0);
    sweep(h);
}

unsigned fh_wait_mask(const struct fh_inst *inst) {
    unsigned mask = inst->sched.wait_mask;
    if (inst->form->insn == FH_INSN_DEPBAR) {
        mask |= (unsigned)inst->op[FH_DEPBAR_more].value;
        if (inst->op[FH_DEPBAR_count].value == 0)
            mask |= 1u << inst->op[FH_DEPBAR_SB].reg;
    }
    return mask & ((1u << FH_SCOREBOARDS) - 1);
}

unsigned fh_hazards_scoreboards(const struct fh_hazards *h) {
    unsigned mask = 0;
    for (unsigned i = 0; i < h->count; i++) {
        mask |= h->cell[i].writers;
        for (unsigned b = 0; b < FH_SCOREBOARDS; b++)
            if (h->cell[i].readers & ~readers_without(b))
                mask |= 1u << b;
    }
    return mask;
}

unsigned fh_hazards_cycles(const struct fh_hazards *h) {
    unsigned cycles = 0;
    for (unsigned i = 0; i < h->count; i++)
        if (longest(&h->cell[i]) > cycles)
            cycles = longest(&h->cell[i]);
    return cycles;
}

/* ---------------------------------------------------------------- what an instruction meets */

static bool is_predicate(unsigned cell) {
    return cell >= FH_CELL_P;
}

/* Registers of lanes are read late by variable pipes; all else at issue. */
static bool read_late(const struct fh_pipe *pipe, unsigned cell) {
    return pipe->variable && cell < FH_CELL_UR;
}

/* The group that a read belongs to. Arithmetic needs its predicate operands like its registers; all
 * else needs them as early as a guard. */
static unsigned group_of(const struct fh_pipe *pipe, const struct fh_use *use) {
    bool arithmetic = pipe->ready[pipe->reads] != 0;
    if (is_predicate(use->first) && (use->role == FH_ROLE_GUARD || !arithmetic))
        return FH_GROUP_GUARD;
    return pipe->reads;
}

/* How much too early a result of `pipe` would overwrite the one that is under way. */
static unsigned overwrite_early(const struct fh_pipe *pipe, const struct fh_cell *cell) {
    unsigned early = 0;
    for (unsigned g = 0; g < FH_MAX_GROUPS; g++) {
        unsigned own = pipe->variable ? VARIABLE_LEAST : pipe->ready[g];
        if (own && cell->left[g] > own && cell->left[g] - own > early)
            early = cell->left[g] - own;
    }
    return early;
}

static unsigned reader_scoreboards(const struct fh_cell *cell) {
    unsigned mask = 0; /* the read barrier of each reader, or its write barrier if it has none */
    for (unsigned r = 0; r < 8; r++)
        for (unsigned w = 0; w < 8; w++)
            if (cell->readers >> (8 * r + w) & 1)
                mask |= 1u << (r < FH_SCOREBOARDS ? r : w);
    return mask;
}

static struct fh_hazard meet_read(const struct fh_cell *cell, unsigned group) {
    struct fh_hazard z = {.cell = cell->number, .other = cell->writer};
    if (cell->loose_writers) {
        z.kind = FH_HAZARD_LOOSE_RESULT;
    } else if (cell->writers) {
        z.kind = FH_HAZARD_RESULT;
        z.mask = cell->writers;
    } else if (cell->left[group]) {
        z.kind = FH_HAZARD_EARLY;
        z.cycles = cell->left[group];
    }
    return z;
}

static struct fh_hazard meet_write(const struct fh_cell *cell, const struct fh_pipe *pipe) {
    struct fh_hazard z = {.cell = cell->number, .other = cell->writer};
    uint32_t own = pipe->variable ? 1u << (pipe - fh_pipes) : 0; /* its results come in order */
    if (cell->loose_writers & ~own) {
        z.kind = FH_HAZARD_LOOSE_WRITE;
    } else if (cell->writers) {
        z.kind = FH_HAZARD_WRITE;
        z.mask = cell->writers;
    } else if (cell->loose_readers & ~own) {
        z.kind = FH_HAZARD_LOOSE_READ;
        z.other = cell->reader;
    } else if (cell->readers) {
        z.kind = FH_HAZARD_READ;
        z.mask = (uint8_t)reader_scoreboards(cell);
        z.other = cell->reader;
    } else if ((z.cycles = (uint8_t)overwrite_early(pipe, cell)) != 0) {
        z.kind = FH_HAZARD_WRITE_EARLY;
    }
    return z;
}

unsigned fh_hazards_find(const struct fh_hazards *h, const struct fh_inst *inst,
                         const struct fh_uses *uses, struct fh_hazard list[FH_MAX_HAZARDS]) {
    unsigned n = 0;
    const struct fh_pipe *pipe = fh_pipe_of(inst);
    for (unsigned u = 0; h->count && u < uses->count; u++) {
        const struct fh_use *use = &uses->use[u];
        for (unsigned c = use->first; c < use->first + (unsigned)use->count; c++) {
            const struct fh_cell *cell = look(h, c);
            if (!cell || n == FH_MAX_HAZARDS)
                continue;
            list[n] = use->access == FH_READ ? meet_read(cell, group_of(pipe, use))
                                             : meet_write(cell, pipe);
            n += list[n].kind != FH_HAZARD_NONE;
        }
    }
    return n;
}

struct fh_hazard fh_hazards_unarmed(const struct fh_hazards *h, unsigned mask) {
    struct fh_hazard z = {.kind = FH_HAZARD_NONE};
    for (unsigned b = 0; b < FH_SCOREBOARDS; b++) {
        if (!(mask >> b & 1) || !h->arming[b])
            continue;
        z.kind = FH_HAZARD_UNARMED;
        z.mask |= (uint8_t)(1u << b);
        if (h->arming[b] > z.cycles)
            z.cycles = h->arming[b];
    }
    return z;
}

/* ---------------------------------------------------------------- what it leaves behind */

/* Operations of the pipe that had no scoreboard are done when this one is. */
static void cover(struct fh_hazards *h, unsigned pipe, const struct fh_sched *sched) {
    bool wb = sched->write_barrier < FH_SCOREBOARDS, rb = sched->read_barrier < FH_SCOREBOARDS;
    uint32_t bit = 1u << pipe;
    for (unsigned i = 0; i < h->count; i++) {
        struct fh_cell *cell = &h->cell[i];
        if (wb && cell->loose_writers & bit) {
            cell->loose_writers &= ~bit;
            cell->writers |= (uint8_t)(1u << sched->write_barrier);
        }
        if ((wb || rb) && cell->loose_readers & bit) {
            cell->loose_readers &= ~bit;
            cell->readers |= UINT64_C(1)
                             << (8 * (sched->read_barrier & 7) + (sched->write_barrier & 7));
        }
    }
}

static void leave_read(struct fh_cell *cell, unsigned pipe, const struct fh_sched *sched,
                       uint32_t index) {
    bool none = sched->write_barrier >= FH_SCOREBOARDS && sched->read_barrier >= FH_SCOREBOARDS;
    cell->reader = index;
    if (none)
        cell->loose_readers |= 1u << pipe;
    else
        cell->readers |= UINT64_C(1)
                         << (8 * (sched->read_barrier & 7) + (sched->write_barrier & 7));
}

static void leave_write(struct fh_cell *cell, const struct fh_pipe *pipe,
                        const struct fh_sched *sched, uint32_t index) {
    cell->writer = index;
    if (sched->write_barrier < FH_SCOREBOARDS)
        cell->writers |= (uint8_t)(1u << sched->write_barrier);
    else if (pipe->variable)
        cell->loose_writers |= 1u << (pipe - fh_pipes);
    for (unsigned g = 0; g < FH_MAX_GROUPS; g++)
        if (pipe->ready[g] > cell->left[g])
            cell->left[g] = pipe->ready[g];
}

void fh_hazards_issue(struct fh_hazards *h, const struct fh_inst *inst, const struct fh_uses *uses,
                      uint32_t index) {
    const struct fh_pipe *pipe = fh_pipe_of(inst);
    const struct fh_sched *sched = &inst->sched;
    unsigned number = (unsigned)(pipe - fh_pipes);
    if (pipe->variable)
        cover(h, number, sched);
    for (unsigned u = 0; u < uses->count; u++) {
        const struct fh_use *use = &uses->use[u];
        for (unsigned c = use->first; c < use->first + (unsigned)use->count; c++) {
            if (use->access == FH_WRITE)
                leave_write(touch(h, c), pipe, sched, index);
            else if (read_late(pipe, c))
                leave_read(touch(h, c), number, sched, index);
        }
    }
    if (sched->write_barrier < FH_SCOREBOARDS)
        h->arming[sched->write_barrier] = FH_ARMING;
    if (sched->read_barrier < FH_SCOREBOARDS)
        h->arming[sched->read_barrier] = FH_ARMING;
    fh_hazards_pass(h, sched->stall);
}

/* ---------------------------------------------------------------- where paths meet */

static bool join_cell(struct fh_cell *to, const struct fh_cell *from) {
    struct fh_cell before = *to;
    for (unsigned g = 0; g < FH_MAX_GROUPS; g++)
        if (from->left[g] > to->left[g])
            to->left[g] = from->left[g];
    to->readers |= from->readers;
    to->writers |= from->writers;
    to->loose_readers |= from->loose_readers;
    to->loose_writers |= from->loose_writers;
    if (from->writer > to->writer)
        to->writer = from->writer;
    if (from->reader > to->reader)
        to->reader = from->reader;
    return memcmp(before.left, to->left, sizeof to->left) != 0 || before.readers != to->readers ||
           before.writers != to->writers || before.loose_readers != to->loose_readers ||
           before.loose_writers != to->loose_writers;
}

bool fh_hazards_join(struct fh_hazards *h, const struct fh_cell *cells, unsigned count,
                     const uint8_t arming[FH_SCOREBOARDS]) {
    bool changed = false;
    for (unsigned i = 0; i < count; i++)
        changed |= join_cell(touch(h, cells[i].number), &cells[i]);
    for (unsigned b = 0; b < FH_SCOREBOARDS; b++) {
        if (arming[b] > h->arming[b]) {
            h->arming[b] = arming[b];
            changed = true;
        }
    }
    return changed;
}
