/*
 * sync_state.c - see sync_state.h.
 */
#include "sync_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fh_sync_block *fh_sync_block_new(const fhec_event *event) {
    const uint32_t *sides = event->launch->block;
    const uint32_t threads = sides[0] * sides[1] * sides[2];
    struct fh_sync_block *block = calloc(1, sizeof *block);
    const uint32_t warps = (threads + FHEC_WARP_LANES - 1) / FHEC_WARP_LANES;
    if (block)
        block->warp = calloc(warps, sizeof *block->warp);
    if (!block || !block->warp) {
        free(block);
        return NULL;
    }
    memcpy(block->id, event->block, sizeof block->id);
    block->warps = warps;
    for (uint32_t w = 0; w < warps; w++) {
        const uint32_t lanes = threads - w * FHEC_WARP_LANES;
        block->warp[w].begun = lanes >= FHEC_WARP_LANES ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
    }
    return block;
}

void fh_sync_block_free(struct fh_sync_block *block) {
    if (block)
        free(block->warp);
    free(block);
}

uint32_t fh_sync_block_threads(const struct fh_sync_block *block) {
    uint32_t threads = 0;
    for (uint32_t w = 0; w < block->warps; w++)
        threads += (uint32_t)__builtin_popcount(block->warp[w].begun);
    return threads;
}

void fh_sync_wait(struct fh_sync_block *block, const fhec_event *event, uint32_t lanes,
                  enum fh_waits waits, const uint32_t what[FHEC_WARP_LANES]) {
    struct fh_sync_warp *warp = &block->warp[event->warp];
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        warp->waits[lane] = (uint8_t)waits;
        warp->what[lane] = what[lane];
        warp->pc[lane] = event->pc;
        warp->word[lane] = event->word;
    }
}

void fh_sync_go_on(struct fh_sync_warp *warp, uint32_t lanes) {
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        warp->waits[__builtin_ctz(rest)] = FH_WAITS_NOT;
}

uint32_t fh_sync_waiting(const struct fh_sync_warp *warp, enum fh_waits waits, uint32_t what) {
    uint32_t lanes = 0;
    for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
        lanes |= (uint32_t)(warp->waits[l] == waits && warp->what[l] == what) << l;
    return lanes;
}

struct fh_place fh_sync_place(const struct fh_sync_block *block, const fhec_event *event,
                              uint32_t warp, uint32_t lanes) {
    const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
    struct fh_place place = fh_place_of(event);
    memcpy(place.block, block->id, sizeof place.block);
    place.warp = warp;
    place.lanes = lanes;
    place.pc = block->warp[warp].pc[lane];
    place.word = block->warp[warp].word[lane];
    return place;
}

void fh_sync_doing(const struct fh_sync_warp *warp, uint32_t lane, char *text, size_t size) {
    if (warp->ended >> lane & 1)
        snprintf(text, size, "has ended");
    else if (warp->waits[lane] == FH_WAITS_BARRIER)
        snprintf(text, size, "waits at barrier %" PRIu32, warp->what[lane]);
    else if (warp->waits[lane] == FH_WAITS_WARPSYNC)
        snprintf(text, size, "waits at a WARPSYNC for lanes 0x%08" PRIx32, warp->what[lane]);
    else
        snprintf(text, size, "is elsewhere, in a loop or at a BSYNC");
}
