/*
 * look.c - the state of a launch that has stopped: blocks, warps and their lanes, registers,
 * barriers and memory, read and written.
 */
#include "session_state.h"

#include <string.h>

size_t fhec_session_block_count(const fhec_session *s) {
    return (size_t)s->residents.count;
}

fhec_status fhec_session_block(const fhec_session *s, size_t index, fhec_block_info *info) {
    *info = (fhec_block_info){0};
    if (index >= s->residents.count)
        return fh_machine_fail(s->machine, FHEC_BAD_INPUT, "there is no resident block number %zu",
                               index);
    const struct fh_block *block = s->residents.blocks[index];
    *info = (fhec_block_info){
        .index = block->index,
        .id = {block->id[0], block->id[1], block->id[2]},
        .warps = s->image.warps,
        .shared_bytes = s->image.shared_bytes,
        .local_bytes = s->image.local_bytes,
        .live = block->live,
    };
    return FHEC_OK;
}

static struct fh_block *block_of(const fhec_session *s, const uint32_t id[3]) {
    struct fh_block *block = fh_session_find(s, id);
    if (!block)
        fh_machine_fail(s->machine, FHEC_BAD_INPUT,
                        "block (%u,%u,%u) has not begun, has ended, or is none of the grid", id[0],
                        id[1], id[2]);
    return block;
}

struct fh_flow *fh_session_warp_of(const fhec_session *s, const uint32_t id[3], uint32_t warp) {
    struct fh_block *block = block_of(s, id);
    if (!block)
        return NULL;
    if (warp >= s->image.warps) {
        fh_machine_fail(s->machine, FHEC_BAD_INPUT, "a block has %u warps: there is no number %u",
                        s->image.warps, warp);
        return NULL;
    }
    struct fh_flow *f = &block->warps[warp];
    fh_flow_begin(f);
    return f;
}

/* ---------------------------------------------------------------- warps */

fhec_status fhec_session_warp(const fhec_session *s, const uint32_t block[3], uint32_t warp,
                              fhec_warp_info *info) {
    const struct fh_flow *f = fh_session_warp_of(s, block, warp);
    *info = (fhec_warp_info){0};
    if (!f)
        return FHEC_BAD_INPUT;
    fh_describe_warp(f, info);
    return FHEC_OK;
}

/* The first warp from number `from` on that has a turn in this round of the block. */
static const struct fh_flow *next_turn(const struct fh_block *block, uint32_t from,
                                       uint64_t round) {
    for (uint32_t i = from; i < block->launch->image->warps; i++) {
        const struct fh_flow *f = &block->warps[i];
        if (f->waiting && !fh_runnable(f)) /* the scheduler may find a way to let it go on */
            return NULL;
        if (fh_runnable(f) && f->freed != round)
            return f;
    }
    return NULL;
}

/* Of blocks that run in rounds. */
static const struct fh_flow *next_in_rounds(const struct fh_residents *t) {
    const uint64_t at = t->starting ? 0 : t->at;
    if (at >= t->count || (t->starting && !t->alone))
        return NULL;
    const struct fh_block *block = t->blocks[at];
    const struct fh_round *round = &block->round;
    return round->in_turn     ? &block->warps[round->warp]
           : round->under_way ? next_turn(block, round->warp, block->rounds)
                              : next_turn(block, 0, block->rounds + 1);
}

static const struct fh_flow *next_in_order(const struct fh_residents *t) {
    uint64_t place;
    uint32_t warp;
    return fh_ordered_foresee(t, &place, &warp) ? &t->blocks[place]->warps[warp] : NULL;
}

bool fhec_session_next(const fhec_session *s, uint32_t id[3], uint32_t *warp, uint64_t *pc) {
    const struct fh_residents *t = &s->residents;
    const bool ordered = s->launch.order && !t->order.testing;
    const struct fh_flow *f = s->over ? NULL : ordered ? next_in_order(t) : next_in_rounds(t);
    uint32_t next;
    if (!f || !fh_flow_next(f, &next))
        return false;
    memcpy(id, f->w.block->id, sizeof f->w.block->id);
    *warp = f->w.index;
    *pc = (uint64_t)next * FH_INST_BYTES;
    return true;
}

/* ---------------------------------------------------------------- registers */

static fhec_status no_register(const fhec_session *s, fhec_register_file file, uint32_t reg) {
    static const char *const names[] = {"R", "P", "UR", "UP", "B"};
    return fh_machine_fail(s->machine, FHEC_BAD_INPUT, "there is no register %s%u",
                           (size_t)file < sizeof names / sizeof *names ? names[file] : "?", reg);
}

static bool is_register(fhec_register_file file, uint32_t reg) {
    static const uint32_t counts[] = {FH_RZ, FH_PT, FH_URZ, FH_PT, 16};
    return (size_t)file < sizeof counts / sizeof *counts && reg < counts[file];
}

fhec_status fhec_session_read_register(const fhec_session *s, const uint32_t block[3],
                                       uint32_t warp, fhec_register_file file, uint32_t reg,
                                       uint32_t values[FHEC_WARP_LANES]) {
    memset(values, 0, FHEC_WARP_LANES * sizeof *values);
    const struct fh_flow *f = fh_session_warp_of(s, block, warp);
    if (!f)
        return FHEC_BAD_INPUT;
    if (!is_register(file, reg))
        return no_register(s, file, reg);
    switch (file) {
    case FHEC_FILE_R:
        if (reg < s->image.rows)
            memcpy(values, f->w.r[reg], sizeof f->w.r[reg]);
        break;
    case FHEC_FILE_P: values[0] = f->w.p[reg]; break;
    case FHEC_FILE_UR: values[0] = f->w.ur[reg]; break;
    case FHEC_FILE_UP: values[0] = f->w.up[reg]; break;
    case FHEC_FILE_B: memcpy(values, f->set[reg], sizeof f->set[reg]); break;
    }
    return FHEC_OK;
}

/* A lane that is in a set of lanes is in the one that it names. */
static bool are_sets(uint32_t lanes, const uint32_t *values) {
    for (uint32_t lane = 0; lane < FH_LANES; lane++)
        if (lanes >> lane & 1 && values[lane] && !(values[lane] >> lane & 1))
            return false;
    return true;
}

fhec_status fhec_session_write_register(fhec_session *s, const uint32_t block[3], uint32_t warp,
                                        fhec_register_file file, uint32_t reg, uint32_t lanes,
                                        const uint32_t values[FHEC_WARP_LANES]) {
    struct fh_flow *f = fh_session_warp_of(s, block, warp);
    if (!f)
        return FHEC_BAD_INPUT;
    if (!is_register(file, reg))
        return no_register(s, file, reg);
    s->machine->changes++;
    f->w.block->changed = true;
    switch (file) {
    case FHEC_FILE_R:
        if (reg >= s->image.rows)
            return fh_machine_fail(s->machine, FHEC_BAD_INPUT,
                                   "no instruction of the kernel touches R%u", reg);
        fh_row_write(&f->w, reg, lanes, values);
        break;
    case FHEC_FILE_P: f->w.p[reg] = (f->w.p[reg] & ~lanes) | (values[0] & lanes); break;
    case FHEC_FILE_UR: f->w.ur[reg] = values[0]; break;
    case FHEC_FILE_UP: f->w.up[reg] = values[0] != 0; break;
    case FHEC_FILE_B:
        if (!are_sets(lanes, values))
            return fh_machine_fail(s->machine, FHEC_BAD_INPUT,
                                   "a lane that enters a barrier is one of its lanes");
        for (uint32_t rest = lanes; rest; rest &= rest - 1)
            f->set[reg][__builtin_ctz(rest)] = values[__builtin_ctz(rest)];
        fh_flow_recheck(f);
        f->w.block->wakes++;
        break;
    }
    return FHEC_OK;
}

fhec_status fhec_session_read_barrier(const fhec_session *s, const uint32_t block[3],
                                      uint32_t number, uint32_t *arrived, uint32_t *count) {
    *arrived = *count = 0;
    const struct fh_block *b = block_of(s, block);
    if (!b)
        return FHEC_BAD_INPUT;
    if (number >= FH_BARRIERS)
        return fh_machine_fail(s->machine, FHEC_BAD_INPUT, "a block has no barrier %u", number);
    *arrived = b->barriers[number].arrived;
    *count = b->barriers[number].count;
    return FHEC_OK;
}

fhec_status fhec_session_write_barrier(fhec_session *s, const uint32_t block[3], uint32_t number,
                                       uint32_t arrived, uint32_t count) {
    struct fh_block *b = block_of(s, block);
    if (!b)
        return FHEC_BAD_INPUT;
    if (number >= FH_BARRIERS)
        return fh_machine_fail(s->machine, FHEC_BAD_INPUT, "a block has no barrier %u", number);
    s->machine->changes++;
    b->changed = true;
    b->barriers[number].arrived = arrived;
    b->barriers[number].count = count;
    if (arrived)
        fh_block_barrier_check(b, number);
    return FHEC_OK;
}

/* ---------------------------------------------------------------- memory */

/* The bytes of a space other than global memory; NULL, and a message, if the range is not there. */
static uint8_t *space_bytes(const fhec_session *s, fhec_space space, uint32_t bank,
                            const fhec_thread *thread, uint64_t address, size_t bytes) {
    const struct fh_block *block = NULL;
    uint8_t *from = NULL;
    uint64_t size = 0;
    if (space == FHEC_SPACE_SHARED || space == FHEC_SPACE_LOCAL) {
        if (!thread) {
            fh_machine_fail(s->machine, FHEC_BAD_INPUT, "%s memory needs the thread that it is of",
                            fhec_space_name(space));
            return NULL;
        }
        block = block_of(s, thread->block);
        if (!block)
            return NULL;
    }
    if (space == FHEC_SPACE_SHARED) {
        from = block->shared;
        size = s->image.shared_bytes;
    } else if (space == FHEC_SPACE_LOCAL) {
        const uint64_t number = (uint64_t)thread->warp * FH_LANES + thread->lane;
        if (thread->lane < FH_LANES && number < s->image.threads) {
            from = block->local + number * s->image.local_bytes;
            size = s->image.local_bytes;
        }
    } else if (space == FHEC_SPACE_CONSTANT && bank < FH_BANKS && s->image.banks[bank].bytes) {
        from = (uint8_t *)s->image.banks[bank].bytes;
        size = s->image.banks[bank].size;
    }
    if (from && bytes <= size && address <= size - bytes)
        return from + address;
    fh_machine_fail(s->machine, FHEC_BAD_INPUT,
                    "%zu bytes at 0x%llx are not within %s memory, which has %llu bytes there",
                    bytes, (unsigned long long)address, fhec_space_name(space),
                    (unsigned long long)size);
    return NULL;
}

const char *fhec_space_name(fhec_space space) {
    static const char *const names[] = {"global", "shared", "local", "constant"};
    return (size_t)space < sizeof names / sizeof *names ? names[space] : "unknown";
}

fhec_status fhec_session_read(const fhec_session *s, fhec_space space, uint32_t bank,
                              const fhec_thread *thread, uint64_t address, void *data,
                              size_t bytes) {
    if (space == FHEC_SPACE_GLOBAL)
        return fhec_read(s->machine, address, data, bytes);
    const uint8_t *from = space_bytes(s, space, bank, thread, address, bytes);
    if (!from)
        return FHEC_BAD_INPUT;
    if (bytes)
        memcpy(data, from, bytes);
    return FHEC_OK;
}

/* The address of a constant bank that all kernels of the program share, and that is therefore in
 * global memory; 0: it is the launch's or the kernel's. */
static uint64_t shared_bank(const fhec_session *s, uint32_t bank) {
    for (const struct fh_module *m = s->machine->modules; m; m = m->next)
        for (uint32_t i = 0; m->program == s->image.program && i < m->program->bank_count; i++)
            if (m->banks[i] == s->image.banks[bank].bytes)
                return m->bank_bases[i];
    return 0;
}

fhec_status fhec_session_write(fhec_session *s, fhec_space space, uint32_t bank,
                               const fhec_thread *thread, uint64_t address, const void *data,
                               size_t bytes) {
    if (space == FHEC_SPACE_GLOBAL)
        return fh_machine_write(s->machine, address, data, bytes);
    uint8_t *to = space_bytes(s, space, bank, thread, address, bytes);
    if (!to)
        return FHEC_BAD_INPUT;
    if (space == FHEC_SPACE_CONSTANT && shared_bank(s, bank))
        return fh_machine_write(s->machine, shared_bank(s, bank) + address, data, bytes);
    if (space == FHEC_SPACE_CONSTANT) {
        to = fh_image_own_bank(&s->image, bank);
        if (!to)
            return fh_machine_fail(s->machine, FHEC_HOST_ERROR, "no host memory for a bank");
        to += address;
    } else {
        fh_session_find(s, thread->block)->changed = true;
    }
    s->machine->changes++;
    if (bytes)
        memcpy(to, data, bytes);
    return FHEC_OK;
}

/* ---------------------------------------------------------------- code */

fhec_status fhec_session_instruction(const fhec_session *s, uint64_t pc,
                                     fhec_instruction *instruction) {
    const uint64_t index = pc / FH_INST_BYTES;
    *instruction = (fhec_instruction){.pc = pc};
    if (pc % FH_INST_BYTES || index >= s->image.count ||
        fhec_instruction_get(s->image.words[index], pc, instruction) != FHEC_OK)
        return fh_machine_fail(s->machine, FHEC_BAD_INPUT,
                               "there is no instruction that is known at 0x%llx",
                               (unsigned long long)pc);
    return FHEC_OK;
}

static uint32_t word_at(const fhec_session *s, uint64_t pc) {
    const uint64_t index = pc / FH_INST_BYTES;
    return index < s->image.count ? (uint32_t)index : UINT32_MAX;
}

fhec_location fhec_session_location(const fhec_session *s, uint64_t pc) {
    return fhec_kernel_location(s->image.program, s->image.kernel, word_at(s, pc));
}

size_t fhec_session_expansions(const fhec_session *s, uint64_t pc, fhec_expansion *expansions,
                               size_t capacity) {
    return fhec_kernel_expansions(s->image.program, s->image.kernel, word_at(s, pc), expansions,
                                  capacity);
}
