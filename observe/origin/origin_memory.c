/*
 * origin_memory.c - origins through memory: told behind the access, with the addresses as the
 * instruction had them.
 */
#include "origins.h"

#include <string.h>

static fh_origin computed(const struct fh_origin_step *step) {
    return fh_origin_make(FH_ORIGIN_COMPUTED, step->event->pc);
}

/* ---------------------------------------------------------------- loads */

/* Four bytes of memory at the lane's address and `offset` bytes on. */
static void memory_bytes(const struct fh_origin_step *step, uint32_t lane, uint32_t offset,
                         fh_origin_bytes bytes) {
    const fhec_access *access = &step->event->access;
    const uint64_t at = access->address[lane] + offset;
    fh_origin_bytes near;
    fh_origin first = 0;
    switch (access->space) {
    case FHEC_SPACE_GLOBAL: first = fh_origin_make(FH_ORIGIN_GLOBAL, at); break;
    case FHEC_SPACE_CONSTANT:
        first = fh_origin_make(FH_ORIGIN_CONSTANT,
                               (uint64_t)access->bank << FH_ORIGIN_BANK_SHIFT | (uint32_t)at);
        break;
    case FHEC_SPACE_LOCAL:
        first = fh_shadow_local_get(step->warp, at, lane);
        if (fh_origin_is_place(first))
            first += at & 3;
        break;
    case FHEC_SPACE_SHARED: {
        fh_shadow_shared_get(step->warp->of, at, near);
        for (uint32_t i = 0; i < 4; i++)
            bytes[i] = near[(at + i) & 3];
        return;
    }
    }
    for (uint32_t i = 0; i < 4; i++)
        bytes[i] = fh_origin_byte(first, i);
}

/* A word of shared memory that has one origin; FH_ORIGIN_MIXED: it has not. */
static fh_origin shared_word(const struct fh_origin_step *step, uint64_t at) {
    const fh_origin *word = fh_shadow_shared_word(step->warp->of, at);
    return word ? *word : fh_origin_make(FH_ORIGIN_MIXED, 0);
}

/* Whole words of one space into register `to + word`. */
static bool load_word(const struct fh_origin_step *step, uint32_t word, uint32_t to) {
    const fhec_event *event = step->event;
    struct fh_warp_shadow *w = step->warp;
    const uint64_t *at = event->access.address;
    if (event->access.space == FHEC_SPACE_GLOBAL && event->lanes == UINT32_MAX) {
        const fh_origin base = fh_origin_make(FH_ORIGIN_GLOBAL, 4 * word);
        for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
            w->r[to][l] = at[l] + base;
        w->mixed[to / 64] &= ~(UINT64_C(1) << to % 64);
        return true;
    }
    bool fine = true;
    for (uint32_t rest = event->lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        fh_origin_bytes bytes;
        if (event->access.space == FHEC_SPACE_SHARED) {
            const fh_origin whole = shared_word(step, at[lane] + 4 * word);
            if (fh_origin_kind_of(whole) != FH_ORIGIN_MIXED) {
                w->r[to][lane] = whole;
                continue;
            }
        }
        memory_bytes(step, lane, 4 * word, bytes);
        fine &= fh_shadow_set_bytes(w, to, lane, bytes);
    }
    return fine;
}

/* Less than a word: zeros or copies of the sign above it. */
static bool load_part(const struct fh_origin_step *step, uint32_t to) {
    const fh_origin rest_of_it = fh_origin_make(FH_ORIGIN_NUMBER, step->event->pc);
    bool fine = true;
    for (uint32_t rest = step->event->lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        fh_origin_bytes bytes;
        memory_bytes(step, lane, 0, bytes);
        for (uint32_t i = step->event->access.bytes; i < 4; i++)
            bytes[i] = rest_of_it;
        fine &= fh_shadow_set_bytes(step->warp, to, lane, bytes);
    }
    return fine;
}

static void load_uniform(const struct fh_origin_step *step) {
    const fhec_access *access = &step->event->access;
    const uint32_t lane = (uint32_t)__builtin_ctz(step->event->lanes);
    for (uint32_t k = 0; k < step->op->to->count; k++)
        step->warp->ur[step->op->to->reg + k] =
            fh_origin_make(FH_ORIGIN_CONSTANT, (uint64_t)access->bank << FH_ORIGIN_BANK_SHIFT |
                                                   ((uint32_t)access->address[lane] + 4 * k));
}

static bool load(const struct fh_origin_step *step) {
    const struct fh_origin_op *op = step->op;
    const fhec_access *access = &step->event->access;
    bool fine = true;
    if (!op->to || op->to->reg == FHEC_NO_REGISTER || !step->event->lanes ||
        !(access->access & FHEC_ACCESS_READ))
        return true;
    if (op->to_file == FHEC_FILE_UR) {
        load_uniform(step);
        return true;
    }
    /* Lanes for which the predicate of the load does not hold get zeros. */
    const uint32_t others = op->generic ? 0 : step->event->active & ~step->event->lanes;
    for (uint32_t k = 0; k < op->to->count; k++) {
        const uint32_t to = op->to->reg + k;
        if (others)
            fh_shadow_set(step->warp, to, others,
                          fh_origin_make(FH_ORIGIN_NUMBER, step->event->pc));
        fine &= access->bytes < 4 ? load_part(step, to) : load_word(step, k, to);
        step->warp->written[to] = step->event->pc;
    }
    return fine;
}

/* Lane 8i + j gave the address of row j of matrix i, which goes to register i: lane 4g + t gets
 * the elements 2t and 2t + 1 of row g, or, transposed, of column g. */
static bool load_matrices(const struct fh_origin_step *step) {
    const struct fh_origin_op *op = step->op;
    const uint64_t *at = step->event->access.address;
    bool fine = true;
    if (!op->to || op->to->reg == FHEC_NO_REGISTER)
        return true;
    for (uint32_t i = 0; i < op->to->count; i++) {
        const uint32_t to = op->to->reg + i;
        for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++) {
            const uint32_t g = lane / 4, t = lane % 4;
            fh_origin_bytes bytes, near;
            const fh_origin whole = op->transposed ? fh_origin_make(FH_ORIGIN_MIXED, 0)
                                                   : shared_word(step, at[8 * i + g] + 4 * t);
            if (fh_origin_kind_of(whole) != FH_ORIGIN_MIXED) {
                step->warp->r[to][lane] = whole;
                continue;
            }
            for (uint32_t b = 0; b < 4; b++) {
                const uint64_t from = op->transposed ? at[8 * i + 2 * t + b / 2] + 2 * g + b % 2
                                                     : at[8 * i + g] + 4 * t + b;
                if (b == 0 || op->transposed)
                    fh_shadow_shared_get(step->warp->of, from, near);
                bytes[b] = near[from & 3];
            }
            fine &= fh_shadow_set_bytes(step->warp, to, lane, bytes);
        }
        step->warp->written[to] = step->event->pc;
    }
    return fine;
}

/* ---------------------------------------------------------------- stores */

/* What is computed has its place in memory as its origin from now on. */
static fh_origin stored(fh_origin origin, enum fh_origin_kind kind, uint64_t at) {
    if (fh_origin_kind_of(origin) != FH_ORIGIN_COMPUTED)
        return origin;
    return fh_origin_make(kind, fh_origin_pc(origin) << FH_ORIGIN_OFFSET_BITS |
                                    (at & ((1u << FH_ORIGIN_OFFSET_BITS) - 1)));
}

/* Bytes [at, at + count) of shared memory, within one word, become those of `from`. */
static bool store_shared(struct fh_warp_shadow *w, uint64_t at, uint32_t count,
                         const fh_origin *from) {
    fh_origin_bytes bytes;
    if (count < 4)
        fh_shadow_shared_get(w->of, at, bytes);
    for (uint32_t i = 0; i < count; i++)
        bytes[(at + i) & 3] = stored(from[i], FH_ORIGIN_SHARED, at + i);
    return fh_shadow_shared_set(w->of, at, bytes);
}

static void data_bytes(const struct fh_origin_step *step, uint32_t word, uint32_t lane,
                       fh_origin_bytes bytes) {
    const fhec_operand *data = step->op->from[0];
    if (data && data->kind == FHEC_OPERAND_REGISTER && data->reg != FHEC_NO_REGISTER) {
        fh_shadow_get_bytes(step->warp, data->reg + word, lane, bytes);
        return;
    }
    for (uint32_t i = 0; i < 4; i++)
        bytes[i] = fh_origin_make(FH_ORIGIN_NUMBER, step->event->pc);
}

/* A whole word of shared memory from a register with one origin; false: it is not that. */
static bool store_word(const struct fh_origin_step *step, uint32_t word, uint32_t lane,
                       uint64_t address) {
    const fhec_operand *data = step->op->from[0];
    fh_origin *to = fh_shadow_shared_word(step->warp->of, address);
    if (!to || !data || data->kind != FHEC_OPERAND_REGISTER || data->reg == FHEC_NO_REGISTER)
        return false;
    const fh_origin from = step->warp->r[data->reg + word][lane];
    if (fh_origin_kind_of(from) == FH_ORIGIN_MIXED)
        return false;
    *to = stored(from, FH_ORIGIN_SHARED, address);
    return true;
}

static bool store(const struct fh_origin_step *step) {
    const fhec_access *access = &step->event->access;
    const uint32_t whole = access->bytes < 4 ? access->bytes : 4;
    bool fine = true;
    if (access->space != FHEC_SPACE_SHARED && access->space != FHEC_SPACE_LOCAL)
        return true;
    for (uint32_t rest = step->event->lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        for (uint32_t at = 0; at < access->bytes; at += 4) {
            const uint64_t address = access->address[lane] + at;
            fh_origin_bytes bytes;
            if (access->space == FHEC_SPACE_SHARED && whole == 4 &&
                store_word(step, at / 4, lane, address))
                continue;
            data_bytes(step, at / 4, lane, bytes);
            if (access->space == FHEC_SPACE_SHARED)
                fine &= store_shared(step->warp, address, whole, bytes);
            else
                fine &= fh_shadow_local_set(
                    step->warp, address, lane,
                    whole == 4 ? stored(fh_origin_of_bytes(bytes), FH_ORIGIN_LOCAL, address)
                               : computed(step));
        }
    }
    return fine;
}

/* What an atomic operation leaves in shared memory has been computed; so has what it gives. */
static bool change(const struct fh_origin_step *step) {
    const fhec_access *access = &step->event->access;
    const fh_origin made[4] = {computed(step), computed(step), computed(step), computed(step)};
    bool fine = true;
    if (access->space == FHEC_SPACE_SHARED)
        for (uint32_t rest = step->event->lanes; rest; rest &= rest - 1)
            for (uint32_t at = 0; at < access->bytes; at += 4)
                fine &=
                    store_shared(step->warp, access->address[__builtin_ctz(rest)] + at, 4, made);
    fh_origin_made(step, step->event->lanes);
    return fine;
}

static bool copy(const struct fh_origin_step *step) {
    const fhec_access *access = &step->event->access;
    struct fh_origin_copy *c = step->copy;
    bool fine = true;
    for (uint32_t rest = step->event->lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (access->space == FHEC_SPACE_GLOBAL) {
            c->from[lane] = access->address[lane];
            c->bytes[lane] = access->bytes;
            c->lanes |= 1u << lane;
            continue;
        }
        const uint32_t there = c->lanes >> lane & 1 ? c->bytes[lane] : 0;
        for (uint32_t at = 0; at < access->bytes; at += 4) {
            fh_origin_bytes bytes;
            for (uint32_t i = 0; i < 4; i++)
                bytes[i] = at + i < there ? fh_origin_make(FH_ORIGIN_GLOBAL, c->from[lane] + at + i)
                                          : fh_origin_make(FH_ORIGIN_NUMBER, step->event->pc);
            fine &= fh_shadow_shared_set(step->warp->of, access->address[lane] + at, bytes);
        }
    }
    if (access->space == FHEC_SPACE_SHARED)
        c->lanes = 0;
    return fine;
}

bool fh_origin_access(const struct fh_origin_step *step) {
    switch (step->op->action) {
    case FH_ORIGIN_LOADS: return load(step);
    case FH_ORIGIN_LOADS_MATRICES: return load_matrices(step);
    case FH_ORIGIN_STORES: return store(step);
    case FH_ORIGIN_COPIES: return copy(step);
    case FH_ORIGIN_CHANGES: return change(step);
    default: return true;
    }
}
