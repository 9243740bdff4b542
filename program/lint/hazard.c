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

/* ---------------------------------------------------------------- lines: bytes of a word */

_Static_assert(FH_MAX_LINES == sizeof(uint64_t), "a byte for each line");

/* The byte in every line. */
static uint64_t in_all(unsigned byte) {
    return byte * UINT64_C(0x0101010101010101);
}

static uint64_t in_line(unsigned line, unsigned byte) {
    return (uint64_t)byte << 8 * line;
}

static uint8_t line_of(uint64_t lines, unsigned line) {
    return (uint8_t)(lines >> 8 * line);
}

/* FH_OUTSTANDING in every line that has one of the scoreboards: what is at most 0x7f and not 0
 * reaches 0x80 when 0x7f is added, and no byte carries into the next one. */
static uint64_t told_by(uint64_t lines, unsigned scoreboards) {
    return ((lines & in_all(scoreboards & 0x7f)) + in_all(0x7f)) & in_all(FH_OUTSTANDING);
}

/* The lines that nothing tells of: FH_OUTSTANDING in each. */
static uint64_t untold(uint64_t lines) {
    return lines & in_all(FH_OUTSTANDING) & ~told_by(lines, 0x7f);
}

static bool any(const struct fh_lines *lines) {
    return (lines->of[0] | lines->of[1]) != 0;
}

static bool done(const struct fh_cell *cell) {
    uint64_t left[FH_MAX_GROUPS / 8];
    _Static_assert(sizeof left == sizeof cell->left, "cycles are bytes");
    memcpy(left, cell->left, sizeof left);
    return (left[0] | left[1]) == 0 && !cell->all && !any(&cell->results) && !any(&cell->reads);
}

/* Drops cell i if it has nothing outstanding: then the last one takes its place. Returns the index
 * of the cell to be looked at next. */
static inline unsigned sweep(struct fh_hazards *h, unsigned i) {
    if (!done(&h->cell[i]))
        return i + 1;
    h->place[h->cell[i].number] = 0;
    if (i != --h->count) {
        h->cell[i] = h->cell[h->count];
        h->place[h->cell[i].number] = (uint16_t)(i + 1);
    }
    return i;
}

/* Time passes for a cell. */
static inline void elapse(struct fh_cell *cell, uint8_t cycles) {
    for (unsigned g = 0; g < FH_MAX_GROUPS; g++)
        cell->left[g] = (uint8_t)(cell->left[g] > cycles ? cell->left[g] - cycles : 0);
}

static uint8_t in_a_byte(unsigned cycles) {
    return (uint8_t)(cycles > 255 ? 255 : cycles);
}

/* ---------------------------------------------------------------- waiting and time */

/* Ends what one of the scoreboards tells of; whether there was any. */
static bool clear_lines(struct fh_lines *lines, unsigned mask) {
    uint64_t told = 0;
    for (unsigned p = 0; p < FH_PATHS; p++) {
        uint64_t hit = told_by(lines->of[p], mask);
        lines->of[p] &= ~((hit >> 7) * 0xff);
        told |= hit;
    }
    return told != 0;
}

void fh_hazards_wait(struct fh_hazards *h, unsigned mask) {
    if (!mask)
        return;
    for (unsigned i = 0; i < h->count; i = sweep(h, i)) {
        struct fh_cell *cell = &h->cell[i];
        (void)clear_lines(&cell->reads, mask);
        cell->all &= (uint8_t)~mask;
        /* A scoreboard on a result of a fixed pipe tells of it, too. */
        if (clear_lines(&cell->results, mask) && !any(&cell->results))
            memset(cell->left, 0, sizeof cell->left);
    }
}

void fh_hazards_pass(struct fh_hazards *h, unsigned cycles) {
    uint8_t n = in_a_byte(cycles);
    for (unsigned i = 0; i < h->count; i = sweep(h, i))
        elapse(&h->cell[i], n);
    for (unsigned b = 0; b < FH_SCOREBOARDS; b++)
        h->arming[b] = (uint8_t)(h->arming[b] > n ? h->arming[b] - n : 0);
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
    uint64_t lines = 0;
    unsigned mask = 0;
    for (unsigned i = 0; i < h->count; i++) {
        mask |= h->cell[i].all;
        for (unsigned p = 0; p < FH_PATHS; p++)
            lines |= h->cell[i].results.of[p] | h->cell[i].reads.of[p];
    }
    for (unsigned n = 0; n < FH_MAX_LINES; n++)
        mask |= line_of(lines, n);
    return mask & ~(unsigned)FH_OUTSTANDING;
}

unsigned fh_hazards_cycles(const struct fh_hazards *h) {
    unsigned cycles = 0;
    for (unsigned i = 0; i < h->count; i++)
        if (longest(&h->cell[i]) > cycles)
            cycles = longest(&h->cell[i]);
    return cycles;
}

/* ---------------------------------------------------------------- second thoughts */

void fh_hazards_pass_after(struct fh_hazards *h, unsigned cycles, uint32_t index) {
    uint8_t n = in_a_byte(cycles);
    for (unsigned i = 0; i < h->count; i = sweep(h, i))
        if (h->cell[i].writer <= index)
            elapse(&h->cell[i], n);
}

void fh_hazards_tell_result(struct fh_hazards *h, uint32_t index, unsigned scoreboard) {
    enum { LAST = FH_MAX_LINES - 1 };
    for (unsigned i = 0; i < h->count; i++) {
        uint64_t *lines = &h->cell[i].results.of[0];
        if (h->cell[i].writer == index && longest(&h->cell[i]))
            *lines =
                (*lines & ~in_line(LAST, 0xff)) | in_line(LAST, FH_OUTSTANDING | 1u << scoreboard);
    }
}

void fh_hazards_tell_read(struct fh_hazards *h, uint32_t index, unsigned scoreboard) {
    for (unsigned i = 0; i < h->count; i++) {
        uint64_t *lines = &h->cell[i].reads.of[0];
        if (h->cell[i].reader == index)
            *lines |= (untold(*lines) >> 7) << scoreboard;
    }
}

bool fh_hazards_loose_read(const struct fh_hazards *h, const struct fh_uses *uses,
                           uint32_t *reader) {
    for (unsigned i = 0; i < h->count; i++) {
        const struct fh_cell *cell = &h->cell[i];
        bool wanted = !uses;
        for (unsigned u = 0; uses && u < uses->count; u++)
            wanted |= uses->use[u].access == FH_READ && uses->use[u].first <= cell->number &&
                      cell->number < uses->use[u].first + uses->use[u].count;
        if (!wanted || !untold(cell->reads.of[0]))
            continue;
        *reader = cell->reader;
        return true;
    }
    return false;
}

uint32_t fh_hazards_last_writer(const struct fh_hazards *h) {
    unsigned cycles = 0;
    uint32_t writer = 0;
    for (unsigned i = 0; i < h->count; i++) {
        if (longest(&h->cell[i]) <= cycles)
            continue;
        cycles = longest(&h->cell[i]);
        writer = h->cell[i].writer;
    }
    return writer;
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

/* How much too early a result of `pipe` would overwrite the one that is under way: it must not be
 * there for its own pipe, or for guards, before the older one is. */
static unsigned overwrite_early(const struct fh_pipe *pipe, const struct fh_cell *cell) {
    unsigned group = is_predicate(cell->number) ? FH_GROUP_GUARD : pipe->reads;
    unsigned own = pipe->variable ? VARIABLE_LEAST : pipe->ready[group];
    return cell->left[group] > own ? cell->left[group] - own : 0;
}

/* What is outstanding in the lines but one, as a hazard of one of two kinds; whether there is any.
 */
static bool meet_lines(const struct fh_lines *lines, unsigned but, enum fh_hazard_kind told,
                       enum fh_hazard_kind untold_kind, struct fh_hazard *z) {
    for (unsigned p = 0; p < FH_PATHS; p++) {
        uint64_t rest = lines->of[p] & ~(but < FH_MAX_LINES ? in_line(but, 0xff) : 0);
        if (!rest)
            continue;
        unsigned line = (unsigned)__builtin_ctzll(rest) / 8;
        z->mask = line_of(rest, line) & (uint8_t)~FH_OUTSTANDING;
        z->kind = (uint8_t)(z->mask ? told : untold_kind);
        return true;
    }
    return false;
}

enum { NO_LINE = FH_MAX_LINES };

/* Fills z, which is about no kind yet, with what a reader of the group runs into. */
static void meet_read(const struct fh_cell *cell, unsigned group, struct fh_hazard *z) {
    z->other = cell->writer;
    if (meet_lines(&cell->results, NO_LINE, FH_HAZARD_RESULT, FH_HAZARD_LOOSE_RESULT, z))
        return;
    if (cell->all) {
        z->kind = FH_HAZARD_RESULT;
        z->mask = cell->all;
    } else if (cell->left[group]) {
        z->kind = FH_HAZARD_EARLY;
        z->cycles = cell->left[group];
    }
}

static void meet_write(const struct fh_cell *cell, const struct fh_pipe *pipe,
                       struct fh_hazard *z) {
    unsigned own_results = pipe->ordered ? pipe->result_line : NO_LINE;
    unsigned own_reads = pipe->variable ? pipe->read_line : NO_LINE;
    z->other = cell->writer;
    if (meet_lines(&cell->results, own_results, FH_HAZARD_WRITE, FH_HAZARD_LOOSE_WRITE, z))
        return;
    if (cell->all) {
        z->kind = FH_HAZARD_WRITE;
        z->mask = cell->all;
        return;
    }
    z->cycles = (uint8_t)overwrite_early(pipe, cell);
    if (z->cycles) {
        z->kind = FH_HAZARD_WRITE_EARLY;
        return;
    }
    z->other = cell->reader;
    (void)meet_lines(&cell->reads, own_reads, FH_HAZARD_READ, FH_HAZARD_LOOSE_READ, z);
}

unsigned fh_hazards_find(const struct fh_hazards *h, const struct fh_pipe *pipe,
                         const struct fh_uses *uses, struct fh_hazard list[FH_MAX_HAZARDS]) {
    unsigned n = 0;
    for (unsigned u = 0; h->count && u < uses->count; u++) {
        const struct fh_use *use = &uses->use[u];
        for (unsigned c = use->first; c < use->first + (unsigned)use->count; c++) {
            const struct fh_cell *cell = look(h, c);
            if (!cell || n == FH_MAX_HAZARDS)
                continue;
            struct fh_hazard *z = &list[n];
            z->kind = FH_HAZARD_NONE;
            z->mask = z->cycles = 0;
            z->cell = cell->number;
            if (use->access == FH_READ)
                meet_read(cell, group_of(pipe, use), z);
            else
                meet_write(cell, pipe, z);
            n += z->kind != FH_HAZARD_NONE;
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

static uint8_t bit_of(uint8_t scoreboard) {
    return (uint8_t)(scoreboard < FH_SCOREBOARDS ? 1u << scoreboard : 0);
}

/* What is in the lines of this operation is done when it is. */
static void cover(struct fh_hazards *h, const struct fh_pipe *pipe, const struct fh_sched *sched) {
    uint8_t result = bit_of(sched->write_barrier);
    uint8_t read = (uint8_t)(result | bit_of(sched->read_barrier));
    if (!pipe->variable || !read)
        return;
    for (unsigned i = 0; i < h->count; i++) {
        struct fh_cell *cell = &h->cell[i];
        for (unsigned p = 0; p < FH_PATHS; p++) {
            if (pipe->ordered && line_of(cell->results.of[p], pipe->result_line))
                cell->results.of[p] |= in_line(pipe->result_line, result);
            if (line_of(cell->reads.of[p], pipe->read_line))
                cell->reads.of[p] |= in_line(pipe->read_line, read);
        }
    }
}

static void leave_write(struct fh_cell *cell, const struct fh_pipe *pipe, bool safe,
                        const struct fh_sched *sched, uint32_t index) {
    const uint8_t *ready = safe ? pipe->safe : pipe->ready;
    uint8_t scoreboard = bit_of(sched->write_barrier);
    cell->writer = index;
    cell->results = (struct fh_lines){0}; /* of older ones it has been told */
    cell->all = 0;
    if (pipe->variable && !pipe->ordered && scoreboard)
        cell->all = scoreboard;
    else if (pipe->variable || scoreboard)
        cell->results.of[0] = in_line(pipe->result_line, FH_OUTSTANDING | scoreboard);
    uint8_t left[FH_MAX_GROUPS]; /* stored as a whole: as such it is read when time passes */
    for (unsigned g = 0; g < FH_MAX_GROUPS; g++)
        left[g] = ready[g] > cell->left[g] ? ready[g] : cell->left[g];
    memcpy(cell->left, left, sizeof left);
}

static void leave_read(struct fh_cell *cell, unsigned line, uint8_t scoreboards, uint32_t index) {
    cell->reader = index;
    uint64_t others = ~in_line(line, 0xff);
    cell->reads.of[0] =
        (cell->reads.of[0] & others) | in_line(line, FH_OUTSTANDING | (unsigned)scoreboards);
    cell->reads.of[1] &= others;
}

void fh_hazards_issue(struct fh_hazards *h, const struct fh_pipe *pipe,
                      const struct fh_sched *sched, const struct fh_uses *uses, uint32_t index) {
    uint8_t told = bit_of(sched->write_barrier) | bit_of(sched->read_barrier);
    cover(h, pipe, sched);
    for (unsigned u = 0; u < uses->count; u++) {
        const struct fh_use *use = &uses->use[u];
        for (unsigned c = use->first; c < use->first + (unsigned)use->count; c++) {
            if (use->access == FH_WRITE)
                leave_write(touch(h, c), pipe, h->safe, sched, index);
            else if (read_late(pipe, c))
                leave_read(touch(h, c), pipe->read_line, told, index);
        }
    }
    if (sched->write_barrier < FH_SCOREBOARDS)
        h->arming[sched->write_barrier] = FH_ARMING;
    if (sched->read_barrier < FH_SCOREBOARDS)
        h->arming[sched->read_barrier] = FH_ARMING;
    fh_hazards_pass(h, sched->stall);
}

/* ---------------------------------------------------------------- where paths meet */

/* Adds one line's scoreboards to what is outstanding in it: a set that contains another one says
 * nothing more. With no room left, only what two sets have in common tells. */
static void join_line(struct fh_lines *to, unsigned line, uint8_t set) {
    for (unsigned p = 0; p < FH_PATHS; p++) {
        uint8_t old = line_of(to->of[p], line);
        if (old && (old & set) == old)
            return;
    }
    for (unsigned p = 0; p < FH_PATHS; p++) {
        uint8_t old = line_of(to->of[p], line);
        if (old && p < FH_PATHS - 1 && (old & set) != set)
            continue;
        uint8_t joined = old ? old & set : set;
        to->of[p] = (to->of[p] & ~in_line(line, 0xff)) | in_line(line, joined);
        return;
    }
}

static void join_lines(struct fh_lines *to, const struct fh_lines *from) {
    for (unsigned p = 0; p < FH_PATHS && any(from); p++)
        for (unsigned i = 0; i < FH_MAX_LINES; i++)
            if (line_of(from->of[p], i))
                join_line(to, i, line_of(from->of[p], i));
}

static bool join_cell(struct fh_cell *to, const struct fh_cell *from) {
    struct fh_cell before = *to;
    for (unsigned g = 0; g < FH_MAX_GROUPS; g++)
        if (from->left[g] > to->left[g])
            to->left[g] = from->left[g];
    join_lines(&to->results, &from->results);
    join_lines(&to->reads, &from->reads);
    to->all |= from->all;
    if (from->writer > to->writer)
        to->writer = from->writer;
    if (from->reader > to->reader)
        to->reader = from->reader;
    return memcmp(before.left, to->left, sizeof to->left) != 0 || before.all != to->all ||
           memcmp(&before.results, &to->results, sizeof to->results) != 0 ||
           memcmp(&before.reads, &to->reads, sizeof to->reads) != 0;
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
