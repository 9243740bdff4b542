/*
 * accelsim_reader.c - see accelsim_reader.h: blocks, warps, and the lines of instructions.
 */
#include "accelsim_reader.h"

#include "accelsim_reading.h"
#include "accelsim_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_USES = 1 << 24,
    MOST_WIDTH = 4096,
    IMMEDIATES = 5, /* the version from which on lines must have one */
};

/* How addresses lie in a block's numbers: a word, then the first address, or one for each lane. */
#define STRIDED ((uint64_t)1 << 63)
#define COPIES  ((uint64_t)1 << 62) /* the word of the shared memory that a copy goes to */

struct fh_accelsim_reader *fh_accelsim_reader_new(const struct fh_accelsim_in *in,
                                                  struct fh_accelsim_table *table) {
    struct fh_accelsim_reader *r = calloc(1, sizeof *r);
    if (r) {
        r->in = *in;
        r->table = table;
    }
    return r;
}

void fh_accelsim_reader_free(struct fh_accelsim_reader *r) {
    if (!r)
        return;
    free(r->kernel.name);
    free(r->kernel.words);
    fh_trace_bytes_free(&r->buffer);
    free(r);
}

void fh_accelsim_reader_table(struct fh_accelsim_reader *r, struct fh_accelsim_table *table) {
    r->table = table;
}

const char *fh_accelsim_reader_why(const struct fh_accelsim_reader *r) {
    return r->why;
}

void fh_accelsim_block_free(struct fh_accelsim_block *b) {
    free(b->issues);
    free(b->numbers);
    for (unsigned i = 0; i < FH_ACCELSIM_BARRIERS; i++)
        free(b->come[i]);
    *b = (struct fh_accelsim_block){0};
}

/* ---------------------------------------------------------------- addresses */

static bool put_number(struct fh_accelsim_block *b, uint64_t number) {
    if (!fh_trace_room(&b->numbers, &b->number_room, b->number_count + 1, sizeof *b->numbers))
        return false;
    b->numbers[b->number_count++] = number;
    return true;
}

static fhec_status take_stride(struct fh_accelsim_reader *r, struct fh_accelsim_block *b,
                               struct fh_accelsim_line *l, uint32_t mask) {
    uint64_t base;
    int64_t stride;
    const uint32_t run = mask ? mask >> __builtin_ctz(mask) : 0;
    if (mask && ((run & (run + 1)) || run == 1))
        return fh_accelsim_wrong(r,
                                 "addresses with a stride are for two lanes or more that follow "
                                 "one another, not for mask %08x",
                                 mask);
    if (!fh_accelsim_line_number(l, true, UINT64_MAX, &base))
        return fh_accelsim_wrong(r, "expected an address, 0x...");
    if (!fh_accelsim_line_signed(l, &stride) || stride < INT32_MIN || stride > INT32_MAX)
        return fh_accelsim_wrong(r, "expected a stride of 32 bits");
    return put_number(b, STRIDED | (uint32_t)stride) && put_number(b, base)
               ? FHEC_OK
               : fh_accelsim_no_memory(r);
}

static fhec_status take_list(struct fh_accelsim_reader *r, struct fh_accelsim_block *b,
                             struct fh_accelsim_line *l, uint32_t mask) {
    bool fine = put_number(b, 0);
    for (uint32_t rest = mask; rest && fine; rest &= rest - 1) {
        uint64_t address;
        if (!fh_accelsim_line_number(l, true, UINT64_MAX, &address))
            return fh_accelsim_wrong(r, "expected an address for each lane of mask %08x", mask);
        fine = put_number(b, address);
    }
    return fine ? FHEC_OK : fh_accelsim_no_memory(r);
}

/* Words of the line that are left. */
static unsigned words_left(struct fh_accelsim_line l) {
    const char *word;
    size_t length;
    unsigned count = 0;
    while (fh_accelsim_line_word(&l, &word, &length))
        count++;
    return count;
}

/* The number that Accel-Sim's reader takes with the differences is not there in traces of its
 * tracer: then one word is left, the immediate. */
static fhec_status take_differences(struct fh_accelsim_reader *r, struct fh_accelsim_block *b,
                                    struct fh_accelsim_line *l, uint32_t mask) {
    uint64_t address;
    if (!fh_accelsim_line_number(l, true, UINT64_MAX, &address))
        return fh_accelsim_wrong(r, "expected an address, 0x...");
    bool fine = put_number(b, 0) && (!mask || put_number(b, address));
    for (uint32_t rest = mask & (mask - 1); rest && fine; rest &= rest - 1) {
        int64_t difference;
        if (!fh_accelsim_line_signed(l, &difference))
            return fh_accelsim_wrong(r,
                                     "expected a difference for each lane of mask %08x but the "
                                     "first",
                                     mask);
        address += (uint64_t)difference;
        fine = put_number(b, address);
    }
    int64_t unused;
    if (mask && words_left(*l) > 1 && !fh_accelsim_line_signed(l, &unused))
        return fh_accelsim_wrong(r, "expected a number behind the differences");
    return fine ? FHEC_OK : fh_accelsim_no_memory(r);
}

static fhec_status take_addresses(struct fh_accelsim_reader *r, struct fh_accelsim_block *b,
                                  struct fh_accelsim_line *l, uint32_t mask) {
    uint64_t mode;
    if (!fh_accelsim_line_number(l, false, 2, &mode))
        return fh_accelsim_wrong(r, "expected how addresses are stated: 0, 1 or 2");
    switch (mode) {
    case 0: return take_list(r, b, l, mask);
    case 1: return take_stride(r, b, l, mask);
    default: return take_differences(r, b, l, mask);
    }
}

/* Returns the number behind them. */
static size_t unpack(const uint64_t *numbers, size_t at, uint32_t lanes,
                     uint64_t address[FH_ACCELSIM_LANES]) {
    const uint64_t word = numbers[at++];
    uint64_t strided = word & STRIDED ? numbers[at++] : 0;
    for (; lanes; lanes &= lanes - 1) {
        const int l = __builtin_ctz(lanes);
        address[l] = word & STRIDED ? strided : numbers[at++];
        strided += (uint64_t)(int64_t)(int32_t)(uint32_t)word;
    }
    return at;
}

bool fh_accelsim_addresses(const struct fh_accelsim_table *table, const struct fh_accelsim_block *b,
                           const struct fh_accelsim_issue *issue, struct fh_accelsim_accessed *to) {
    const struct fh_accelsim_opcode *o = &table->list[issue->instruction].does;
    to->lanes = issue->mask & o->lanes;
    to->shared_lanes = 0;
    if (issue->at == FH_ACCELSIM_NONE || o->kind == FH_ACCELSIM_OTHER)
        return false;
    size_t at = unpack(b->numbers, issue->at, issue->mask, to->address);
    if (o->kind != FH_ACCELSIM_COPY)
        return true;
    to->shared_lanes = (uint32_t)b->numbers[at];
    if (b->numbers[at++] & COPIES)
        (void)unpack(b->numbers, at, to->shared_lanes, to->shared);
    return true;
}

/* ---------------------------------------------------------------- instructions */

/* Behind the immediate of a copy, traces of fhec say where in shared memory it goes. */
static fhec_status take_copy(struct fh_accelsim_reader *r, struct fh_accelsim_block *b,
                             struct fh_accelsim_line *l) {
    uint64_t lanes;
    if (fh_accelsim_line_ends(l))
        return put_number(b, 0) ? FHEC_OK : fh_accelsim_no_memory(r);
    if (!fh_accelsim_line_number(l, true, UINT32_MAX, &lanes))
        return fh_accelsim_wrong(r, "expected the lanes that write shared memory");
    return put_number(b, COPIES | lanes) ? take_addresses(r, b, l, (uint32_t)lanes)
                                         : fh_accelsim_no_memory(r);
}

/* Which use of its barrier the lanes come to; `seen` counts those of each lane of the warp. */
static fhec_status come(struct fh_accelsim_reader *r, struct fh_accelsim_block *b,
                        struct fh_accelsim_issue *issue, int64_t number,
                        uint32_t seen[FH_ACCELSIM_BARRIERS][FH_ACCELSIM_LANES]) {
    const unsigned n = number >= 0 && number < FH_ACCELSIM_BARRIERS ? (unsigned)number : 0;
    uint32_t use = 0;
    for (uint32_t rest = issue->mask; rest; rest &= rest - 1)
        if (seen[n][__builtin_ctz(rest)] > use)
            use = seen[n][__builtin_ctz(rest)];
    if (use >= MOST_USES)
        return fh_accelsim_wrong(r, "a warp comes to barrier %u more than %d times", n, MOST_USES);
    for (uint32_t rest = issue->mask; rest; rest &= rest - 1)
        seen[n][__builtin_ctz(rest)] = use + 1;
    while (b->uses[n] <= use) {
        if (!fh_trace_room(&b->come[n], &b->use_room[n], b->uses[n] + 1, sizeof *b->come[n]))
            return fh_accelsim_no_memory(r);
        b->come[n][b->uses[n]++] = 0;
    }
    b->come[n][use]++;
    issue->at = use * FH_ACCELSIM_BARRIERS + n;
    return FHEC_OK;
}

struct warp_counts {
    uint32_t seen[FH_ACCELSIM_BARRIERS][FH_ACCELSIM_LANES]; /* uses of barriers, by lane */
};

/* What stands behind the registers that are read. */
static fhec_status take_end(struct fh_accelsim_reader *r, struct fh_accelsim_block *b,
                            struct fh_accelsim_line *l, struct fh_accelsim_issue *issue, bool fresh,
                            struct warp_counts *counts) {
    struct fh_accelsim_instruction *i = &r->table->list[issue->instruction];
    const bool copies = i->does.kind == FH_ACCELSIM_COPY;
    uint64_t width;
    int64_t immediate = 0;
    fhec_status status = FHEC_OK;
    if (!fh_accelsim_line_number(l, false, MOST_WIDTH, &width))
        return fh_accelsim_wrong(r, "expected how many bytes a lane accesses; 0: none");
    if (width) {
        if (b->number_count >= FH_ACCELSIM_NONE)
            return fh_accelsim_wrong(r, "the block has more addresses than there is room for");
        issue->at = (uint32_t)b->number_count;
        status = take_addresses(r, b, l, issue->mask);
    }
    if (status != FHEC_OK)
        return status;
    const bool stated = r->kernel.version >= IMMEDIATES || words_left(*l);
    if (stated && !fh_accelsim_line_signed(l, &immediate))
        return fh_accelsim_wrong(r, "expected the immediate, a decimal number");
    if (fresh)
        i->immediate = immediate;
    if (width && copies)
        status = take_copy(r, b, l);
    if (status == FHEC_OK && !fh_accelsim_line_ends(l))
        return fh_accelsim_wrong(r, "the line goes on behind the immediate");
    if (status == FHEC_OK && i->does.barrier && issue->mask)
        status = come(r, b, issue, immediate, counts->seen);
    return status;
}

static fhec_status take_issue(struct fh_accelsim_reader *r, struct fh_accelsim_block *b,
                              struct fh_accelsim_line *l, struct warp_counts *counts) {
    struct fh_accelsim_issue issue = {.at = FH_ACCELSIM_NONE, .line = r->line};
    uint64_t number, pc, mask;
    bool fresh;
    if (r->kernel.lines && !fh_accelsim_line_number(l, false, UINT32_MAX, &number))
        return fh_accelsim_wrong(r, "expected the line of the source");
    if (!fh_accelsim_line_number(l, true, UINT32_MAX, &pc))
        return fh_accelsim_wrong(r, "expected a pc, hexadecimal");
    if (!fh_accelsim_line_number(l, true, UINT32_MAX, &mask))
        return fh_accelsim_wrong(r, "expected the mask of the lanes, hexadecimal");
    issue.mask = (uint32_t)mask;
    const char *wrong =
        fh_accelsim_table_take(r->table, l, (uint32_t)pc, &issue.instruction, &fresh);
    if (wrong && strcmp(wrong, FH_ACCELSIM_NO_MEMORY) == 0)
        return fh_accelsim_no_memory(r);
    if (wrong)
        return fh_accelsim_wrong(r, "expected %s", wrong);
    const fhec_status status = take_end(r, b, l, &issue, fresh, counts);
    if (status != FHEC_OK)
        return status;
    if (!fh_trace_room(&b->issues, &b->room, b->count + 1, sizeof *b->issues))
        return fh_accelsim_no_memory(r);
    b->issues[b->count++] = issue;
    return FHEC_OK;
}

/* ---------------------------------------------------------------- warps and blocks */

static fhec_status need_line(struct fh_accelsim_reader *r, struct fh_accelsim_line *l) {
    bool more;
    const fhec_status status = fh_accelsim_next_line(r, l, &more);
    if (status == FHEC_OK && !more)
        return fh_accelsim_wrong(r, "the file ends within a block");
    return status;
}

/* "KEY = NUMBER" */
static fhec_status take_key(struct fh_accelsim_reader *r, struct fh_accelsim_line *l,
                            const char *key, uint64_t *number) {
    if (!fh_accelsim_line_text(l, key) || !fh_accelsim_line_text(l, " = ") ||
        !fh_accelsim_line_number(l, false, UINT32_MAX, number) || !fh_accelsim_line_ends(l))
        return fh_accelsim_wrong(r, "expected %s = NUMBER", key);
    return FHEC_OK;
}

/* The line that a warp begins with. Before the first one, newer tracers say where in a cluster the
 * block is, which counts for nothing here. */
static fhec_status need_warp(struct fh_accelsim_reader *r, struct fh_accelsim_line *l,
                             uint32_t warp) {
    fhec_status status;
    do
        status = need_line(r, l);
    while (status == FHEC_OK && warp == 0 && fh_accelsim_line_text(l, "cluster "));
    return status;
}

/* A warp ends with an EXIT of lanes that there are. */
static bool ends_in_exit(const struct fh_accelsim_reader *r, const struct fh_accelsim_issue *last) {
    return last->mask && r->table->list[last->instruction].does.exits;
}

static fhec_status take_warp(struct fh_accelsim_reader *r, struct fh_accelsim_block *b,
                             uint32_t warp) {
    struct warp_counts counts = {0};
    struct fh_accelsim_line l;
    uint64_t number = 0, insts = 0;
    fhec_status status = need_warp(r, &l, warp);
    if (status == FHEC_OK)
        status = take_key(r, &l, "warp", &number);
    if (status == FHEC_OK && number != warp)
        status = fh_accelsim_wrong(r, "expected warp = %u", warp);
    if (status == FHEC_OK)
        status = need_line(r, &l);
    if (status == FHEC_OK)
        status = take_key(r, &l, "insts", &insts);
    if (status == FHEC_OK && !insts)
        status = fh_accelsim_wrong(r, "warp %u issues nothing", warp);
    b->first[warp] = b->count;
    for (uint64_t i = 0; i < insts && status == FHEC_OK; i++) {
        status = need_line(r, &l);
        if (status == FHEC_OK)
            status = take_issue(r, b, &l, &counts);
    }
    if (status == FHEC_OK && !ends_in_exit(r, &b->issues[b->count - 1]))
        status = fh_accelsim_wrong(r, "warp %u does not end with EXIT", warp);
    return status;
}

/* #BEGIN_TB; false at the end of the file. */
static fhec_status take_begin(struct fh_accelsim_reader *r, bool *more) {
    struct fh_accelsim_line l;
    const fhec_status status = fh_accelsim_next_line(r, &l, more);
    if (status != FHEC_OK)
        return status;
    if (*more && r->next == r->blocks)
        return fh_accelsim_wrong(r, "the grid has no more than %llu blocks",
                                 (unsigned long long)r->blocks);
    if (!*more && r->next < r->blocks)
        return fh_accelsim_wrong(r, "the file ends with %llu of %llu blocks",
                                 (unsigned long long)r->next, (unsigned long long)r->blocks);
    if (*more && (!fh_accelsim_line_text(&l, "#BEGIN_TB") || !fh_accelsim_line_ends(&l)))
        return fh_accelsim_wrong(r, "expected #BEGIN_TB");
    return FHEC_OK;
}

/* "thread block = X,Y,Z": blocks come by their numbers, all of them. */
static fhec_status take_id(struct fh_accelsim_reader *r) {
    const struct fh_accelsim_kernel *k = &r->kernel;
    struct fh_accelsim_line l;
    char want[64];
    fhec_status status = need_line(r, &l);
    if (status != FHEC_OK)
        return status;
    const uint64_t plane = (uint64_t)k->grid[0] * k->grid[1];
    snprintf(want, sizeof want, "thread block = %llu,%llu,%llu",
             (unsigned long long)(r->next % k->grid[0]),
             (unsigned long long)(r->next % plane / k->grid[0]),
             (unsigned long long)(r->next / plane));
    if (!fh_accelsim_line_text(&l, want) || !fh_accelsim_line_ends(&l))
        return fh_accelsim_wrong(r, "expected %s", want);
    return FHEC_OK;
}

fhec_status fh_accelsim_reader_block(struct fh_accelsim_reader *r, struct fh_accelsim_block *b,
                                     bool *more) {
    struct fh_accelsim_line l;
    b->count = b->number_count = 0;
    memset(b->uses, 0, sizeof b->uses);
    fhec_status status = take_begin(r, more);
    if (status != FHEC_OK || !*more)
        return status;
    b->number = r->next;
    b->warp_count = r->kernel.warps;
    status = take_id(r);
    for (uint32_t i = 0; i < b->warp_count && status == FHEC_OK; i++)
        status = take_warp(r, b, i);
    b->first[b->warp_count] = b->count;
    if (status == FHEC_OK)
        status = need_line(r, &l);
    if (status == FHEC_OK && (!fh_accelsim_line_text(&l, "#END_TB") || !fh_accelsim_line_ends(&l)))
        status = fh_accelsim_wrong(r, "expected #END_TB");
    r->next++;
    return status;
}

fhec_status fh_accelsim_reader_skip(struct fh_accelsim_reader *r) {
    struct fh_accelsim_line l;
    bool more;
    fhec_status status = take_begin(r, &more);
    do
        status = status == FHEC_OK ? need_line(r, &l) : status;
    while (status == FHEC_OK && !fh_accelsim_line_text(&l, "#END_TB"));
    r->next++;
    return status;
}
