/* order.c - see order.h. */
#include "order.h"

#include "array.h"
#include "warp.h"

#include <stdlib.h>
#include <string.h>

/* Streams of pseudo-random numbers of one seed (fill.h): number i of DRAWS is for slice i, those of
 * PERMUTATION and the three behind it put blocks in their order. */
enum { DRAWS = 0, PERMUTATION = 1, PERMUTATION_ROUNDS = 4 };
enum { TURN_EVERY = 16, LENGTHS = 7 };

uint64_t fh_order_block(const struct fh_order *o, uint64_t number, uint64_t blocks) {
    if (o->how->kind != FHEC_ORDER_SEED)
        return number;
    unsigned half = 0;
    while (half < 32 && UINT64_C(1) << 2 * half < blocks)
        half++;
    /* A Feistel network permutes the numbers of 2 * half bits; those that are no block lead to
     * others, in a circle, and so to one that is. */
    const uint64_t mask = (UINT64_C(1) << half) - 1;
    do {
        uint64_t left = number >> half, right = number & mask;
        for (unsigned i = 0; i < PERMUTATION_ROUNDS; i++) {
            const uint64_t before = right;
            right = left ^ (fh_fill_word64(o->how->seed, PERMUTATION + i, right) & mask);
            left = before;
        }
        number = left << half | right;
    } while (number >= blocks);
    return number;
}

/* ---------------------------------------------------------------- by seed */

struct choice {
    uint64_t place;
    uint32_t warp, left;
    bool in_turn; /* not drawn */
};

static uint32_t lowest(uint32_t warps) {
    return (uint32_t)__builtin_ctz(warps);
}

/* Bits of a draw: 2:0 k, 9:3 length, 25:10 warp, 63:32 block. */
static struct choice draw(const struct fh_order *o, struct fh_block *const *blocks, size_t count) {
    const uint64_t value = fh_fill_word64(o->how->seed, DRAWS, o->draws);
    const uint32_t lengths = (1u << (value & LENGTHS)) - 1;
    struct choice c = {.left = 1 + (uint32_t)(value >> 3 & lengths),
                       .in_turn = o->draws % TURN_EVERY == TURN_EVERY - 1};
    if (c.in_turn) {
        c.place = o->next_place < count ? o->next_place : 0;
        uint32_t warps = blocks[c.place]->ready;
        if (c.place == o->next_place)
            warps &= (uint32_t)(UINT64_MAX << o->next_warp);
        if (!warps) {
            c.place = c.place + 1 < count ? c.place + 1 : 0;
            warps = blocks[c.place]->ready;
        }
        c.warp = lowest(warps);
        return c;
    }
    c.place = (value >> 32) * count >> 32;
    uint32_t warps = blocks[c.place]->ready;
    uint32_t number =
        (uint32_t)((value >> 10 & 0xffff) * (uint32_t)__builtin_popcount(warps) >> 16);
    while (number--)
        warps &= warps - 1;
    c.warp = lowest(warps);
    return c;
}

static void choose_by_seed(struct fh_order *o, struct fh_block *const *blocks, size_t count) {
    const struct choice c = draw(o, blocks, count);
    o->draws++;
    o->place = c.place;
    o->warp = c.warp;
    o->left = c.left;
    if (c.in_turn) {
        o->next_place = c.place;
        o->next_warp = c.warp + 1;
    }
}

bool fh_order_foresee(const struct fh_order *o, struct fh_block *const *blocks, size_t count,
                      uint64_t *place, uint32_t *warp) {
    if (o->how->kind != FHEC_ORDER_SEED || !count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!blocks[i]->ready || blocks[i]->ready_at != blocks[i]->wakes)
            return false;
    const struct choice c = draw(o, blocks, count);
    *place = c.place;
    *warp = c.warp;
    return true;
}

/* ---------------------------------------------------------------- by callback */

static void list_warp(fhec_ready_warp *ready, struct fh_block *block, uint32_t warp) {
    uint32_t pc;
    *ready = (fhec_ready_warp){.block = {block->id[0], block->id[1], block->id[2]},
                               .warp = warp,
                               .active = fh_flow_next(&block->warps[warp], &pc)};
    ready->pc = (uint64_t)pc * FH_INST_BYTES;
}

/* Makes the list have these warps of the block, and no others. False: no host memory. */
static bool list_block(struct fh_order *o, struct fh_block *block, uint64_t place, uint32_t warps) {
    struct fh_order_listed *l = &o->listed[place];
    const size_t before = (size_t)__builtin_popcount(l->warps);
    const size_t now = (size_t)__builtin_popcount(warps);
    if (!fh_grow(&o->ready, &o->ready_room, o->ready_count + now, sizeof *o->ready))
        return false;
    fhec_ready_warp *to = o->ready + l->at;
    memmove(to + now, to + before, (o->ready_count - l->at - before) * sizeof *to);
    o->ready_count += now - before;
    for (size_t i = place + 1; i < o->listed_count; i++)
        o->listed[i].at += now - before;
    l->warps = warps;
    for (uint32_t rest = warps; rest; rest &= rest - 1)
        list_warp(to++, block, lowest(rest));
    return true;
}

/* Lists the blocks that are not listed yet. */
static bool list_others(struct fh_order *o, struct fh_block *const *blocks, size_t count) {
    if (!o->known)
        o->listed_count = o->ready_count = 0;
    o->known = true;
    if (!fh_grow(&o->listed, &o->listed_room, count, sizeof *o->listed))
        return false;
    while (o->listed_count < count) {
        const size_t place = o->listed_count++;
        o->listed[place] = (struct fh_order_listed){.at = o->ready_count};
        if (!list_block(o, blocks[place], place, fh_block_ready(blocks[place])))
            return false;
    }
    return true;
}

void fh_order_ran(struct fh_order *o, struct fh_block *const *blocks, size_t count) {
    struct fh_block *block = blocks[o->place];
    if (!o->known || o->how->kind != FHEC_ORDER_CALLBACK || o->listed_count != count)
        return;
    const struct fh_order_listed *l = &o->listed[o->place];
    const uint32_t warps = fh_block_ready(block), below = (1u << o->warp) - 1;
    if (warps != l->warps)
        o->known = list_block(o, block, o->place, warps);
    else
        list_warp(&o->ready[l->at + (size_t)__builtin_popcount(warps & below)], block, o->warp);
}

static enum fh_outcome choose_by_callback(struct fh_order *o, struct fh_block *const *blocks,
                                          size_t count) {
    if (!list_others(o, blocks, count))
        return FH_NO_MEMORY;
    uint32_t allowed = 1;
    const size_t answer = o->how->next(o->how->user, o->ready, o->ready_count, &allowed);
    o->answer = answer;
    o->allowed = allowed;
    if (answer >= o->ready_count || !allowed)
        return FH_NO_CHOICE;
    size_t low = 0, high = count; /* the block is at a place from low to before high */
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        *(o->listed[middle].at <= answer ? &low : &high) = middle;
    }
    uint32_t warps = o->listed[low].warps;
    for (size_t i = o->listed[low].at; i < answer; i++)
        warps &= warps - 1;
    o->place = low;
    o->warp = lowest(warps);
    o->left = allowed;
    return FH_GOES_ON;
}

/* ---------------------------------------------------------------- both */

enum fh_outcome fh_order_choose(struct fh_order *o, struct fh_block *const *blocks, size_t count) {
    if (o->how->kind == FHEC_ORDER_CALLBACK)
        return choose_by_callback(o, blocks, count);
    choose_by_seed(o, blocks, count);
    return FH_GOES_ON;
}

void fh_order_ended(struct fh_order *o, uint64_t place) {
    o->next_place -= o->next_place > place;
    if (!o->known || place >= o->listed_count) {
        o->known = false;
        return;
    }
    o->known = list_block(o, NULL, place, 0);
    o->listed_count--;
    memmove(&o->listed[place], &o->listed[place + 1],
            (o->listed_count - place) * sizeof *o->listed);
}

void fh_order_keep(struct fh_order *o, const struct fh_order *own) {
    o->how = own->how;
    o->known = false;
    o->ready = own->ready;
    o->ready_room = own->ready_room;
    o->listed = own->listed;
    o->listed_room = own->listed_room;
    o->ready_count = o->listed_count = 0;
}

void fh_order_free(struct fh_order *o) {
    free(o->ready);
    free(o->listed);
}
