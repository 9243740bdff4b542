/*
 * defined_bits.c - see defined_bits.h: making and finding the shadows of memory, blocks and warps.
 */
#include "defined_bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- global memory */

static void region_end(struct fh_bits_region *region) {
    free(region->defined);
    free(region->origins);
    *region = (struct fh_bits_region){0};
}

/* Where the first region is that begins behind the address. */
static size_t behind(const struct fh_defined *shadow, uint64_t address) {
    size_t low = 0, high = shadow->region_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (shadow->regions[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The bits of new memory; 16 bytes behind it are there, too. */
static uint8_t *new_bits(const struct fh_defined *shadow, uint64_t size) {
    uint8_t *bits = calloc(size + 16, 1);
    if (bits && shadow->defined_first)
        memset(bits, 0xff, size);
    return bits;
}

void fh_defined_alloc(struct fh_defined *shadow, uint64_t base, uint64_t size, const char *name) {
    fh_defined_release(shadow, base);
    if (shadow->region_count == shadow->region_room) {
        const size_t room = 2 * shadow->region_room + 16;
        struct fh_bits_region *regions = realloc(shadow->regions, room * sizeof *regions);
        shadow->failed |= !regions;
        if (!regions)
            return;
        shadow->regions = regions;
        shadow->region_room = room;
    }
    struct fh_bits_region made = {.base = base,
                                  .size = size,
                                  .defined = new_bits(shadow, size),
                                  .whole = shadow->defined_first};
    shadow->failed |= !made.defined;
    if (!made.defined)
        return;
    snprintf(made.name, sizeof made.name, "%s", name ? name : "");
    const size_t i = behind(shadow, base);
    memmove(&shadow->regions[i + 1], &shadow->regions[i], (shadow->region_count - i) * sizeof made);
    shadow->regions[i] = made;
    shadow->region_count++;
}

void fh_defined_release(struct fh_defined *shadow, uint64_t base) {
    const size_t i = behind(shadow, base);
    if (i == 0 || shadow->regions[i - 1].base != base)
        return;
    region_end(&shadow->regions[i - 1]);
    memmove(&shadow->regions[i - 1], &shadow->regions[i],
            (shadow->region_count - i) * sizeof *shadow->regions);
    shadow->region_count--;
    shadow->region_last = 0;
}

struct fh_bits_region *fh_defined_region(struct fh_defined *shadow, uint64_t address) {
    if (shadow->region_last < shadow->region_count) {
        struct fh_bits_region *last = &shadow->regions[shadow->region_last];
        if (address - last->base < last->size)
            return last;
    }
    const size_t i = behind(shadow, address);
    if (i == 0 || address - shadow->regions[i - 1].base >= shadow->regions[i - 1].size)
        return NULL;
    shadow->region_last = i - 1;
    return &shadow->regions[i - 1];
}

void fh_defined_written(struct fh_bits_region *region, uint64_t offset, uint64_t bytes) {
    memset(region->defined + offset, 0xff, bytes);
    if (offset == 0 && bytes == region->size)
        region->whole = true;
}

void fh_bits_region_note(struct fh_defined *shadow, struct fh_bits_region *region, uint64_t offset,
                         uint64_t bytes, uint32_t origin) {
    region->whole = false;
    if (!region->origins)
        region->origins = calloc(region->size / 4 + 1, sizeof *region->origins);
    shadow->failed |= !region->origins;
    for (uint64_t i = offset / 4; region->origins && i <= (offset + bytes - 1) / 4; i++)
        region->origins[i] = origin;
}

/* ---------------------------------------------------------------- blocks and warps */

static struct fh_block_bits **place_of(struct fh_defined *shadow, const fhec_event *event) {
    const uint32_t *id = event->block;
    const uint32_t hash = id[0] + 31 * id[1] + 1021 * id[2];
    struct fh_block_bits **at = &shadow->blocks[hash % FH_DEFINED_BUCKETS];
    while (*at && ((*at)->launch != event->number || memcmp((*at)->id, id, sizeof(*at)->id) != 0))
        at = &(*at)->next;
    return at;
}

static void warp_end(struct fh_defined *shadow, struct fh_warp_bits *warp) {
    if (!warp)
        return;
    region_end(&warp->local);
    warp->next = shadow->spare;
    shadow->spare = warp;
}

static void block_end(struct fh_defined *shadow, struct fh_block_bits *block) {
    for (uint32_t i = 0; block->warps && i < block->warp_count; i++)
        warp_end(shadow, block->warps[i]);
    region_end(&block->shared);
    free(block->warps);
    free(block);
}

static struct fh_block_bits *make_block(const struct fh_defined *shadow, const fhec_event *event) {
    const fhec_launch *launch = event->launch;
    struct fh_block_bits *block = calloc(1, sizeof *block);
    fhec_kernel_info kernel;
    if (!block || fhec_kernel_get(launch->program, launch->kernel, &kernel) != FHEC_OK) {
        free(block);
        return NULL;
    }
    const uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    block->launch = event->number;
    memcpy(block->id, event->block, sizeof block->id);
    block->shared.size = (uint64_t)kernel.shared_bytes + launch->dynamic_shared;
    block->shared.defined = new_bits(shadow, block->shared.size);
    block->warp_count = (threads + FHEC_WARP_LANES - 1) / FHEC_WARP_LANES;
    block->warps = calloc(block->warp_count + 1, sizeof *block->warps);
    if (block->shared.defined && block->warps)
        return block;
    free(block->shared.defined);
    free(block->warps);
    free(block);
    return NULL;
}

struct fh_block_bits *fh_defined_block(struct fh_defined *shadow, const fhec_event *event) {
    struct fh_block_bits **at = place_of(shadow, event);
    if (!*at)
        *at = make_block(shadow, event);
    shadow->failed |= !*at;
    return *at;
}

void fh_defined_block_end(struct fh_defined *shadow, const fhec_event *event) {
    struct fh_block_bits **at = place_of(shadow, event), *block = *at;
    if (!block)
        return;
    *at = block->next;
    block_end(shadow, block);
}

void fh_defined_blocks_end(struct fh_defined *shadow) {
    for (unsigned i = 0; i < FH_DEFINED_BUCKETS; i++) {
        while (shadow->blocks[i]) {
            struct fh_block_bits *block = shadow->blocks[i];
            shadow->blocks[i] = block->next;
            block_end(shadow, block);
        }
    }
}

/* Registers beyond those of the kernels that a warp's shadow has served so far are as they were
 * made: undefined. */
static struct fh_warp_bits *make_warp(struct fh_defined *shadow, const fhec_event *event) {
    fhec_kernel_info kernel;
    struct fh_warp_bits *warp = shadow->spare;
    if (fhec_kernel_get(event->launch->program, event->launch->kernel, &kernel) != FHEC_OK)
        kernel.registers = 256;
    if (!warp) {
        warp = malloc(sizeof *warp);
        if (!warp)
            return NULL;
        warp->rows = 256;
    } else {
        shadow->spare = warp->next;
    }
    memset(warp->lanes, shadow->defined_first ? 0 : 0xff, sizeof warp->lanes);
    memset(warp->origin, 0, sizeof warp->origin);
    memset(warp->uniform, 0xff, sizeof warp->uniform);
    memset(warp->bits, 0xff, warp->rows * sizeof *warp->bits);
    warp->lanes[FH_ROW_NONE] = 0;
    const uint64_t zero = fhec_program_limits(event->launch->program)->zero_uniforms;
    for (uint32_t i = 0; i < 64; i++) {
        if (zero >> i & 1)
            warp->lanes[FH_ROW_UR + i] = warp->uniform[i] = 0;
    }
    warp->rows = kernel.registers < 256 ? kernel.registers : 256;
    warp->local = (struct fh_bits_region){0};
    warp->local_bytes = 0;
    return warp;
}

struct fh_warp_bits *fh_defined_warp(struct fh_defined *shadow, const fhec_event *event) {
    struct fh_block_bits *block = fh_defined_block(shadow, event);
    if (!block || event->warp >= block->warp_count)
        return NULL;
    if (!block->warps[event->warp])
        block->warps[event->warp] = make_warp(shadow, event);
    shadow->failed |= !block->warps[event->warp];
    return block->warps[event->warp];
}

bool fh_defined_local(struct fh_defined *shadow, struct fh_warp_bits *warp, uint64_t bytes) {
    if (bytes <= warp->local_bytes)
        return true;
    const uint64_t room = (2 * bytes + 15) / 16 * 16, old = warp->local_bytes;
    struct fh_bits_region made = {
        .size = room * FHEC_WARP_LANES,
        .defined = room < (1U << 26) ? new_bits(shadow, room * FHEC_WARP_LANES) : NULL};
    if (warp->local.origins && made.defined)
        made.origins = calloc(made.size / 4 + 1, sizeof *made.origins);
    if (!made.defined || (warp->local.origins && !made.origins)) {
        free(made.defined);
        shadow->failed = true;
        return false;
    }
    for (uint64_t l = 0; old && l < FHEC_WARP_LANES; l++) {
        memcpy(made.defined + l * room, warp->local.defined + l * old, old);
        if (made.origins)
            memcpy(made.origins + l * room / 4, warp->local.origins + l * old / 4, old);
    }
    region_end(&warp->local);
    warp->local = made;
    warp->local_bytes = (uint32_t)room;
    return true;
}

void fh_defined_free(struct fh_defined *shadow) {
    fh_defined_blocks_end(shadow);
    for (size_t i = 0; i < shadow->region_count; i++)
        region_end(&shadow->regions[i]);
    free(shadow->regions);
    while (shadow->spare) {
        struct fh_warp_bits *next = shadow->spare->next;
        free(shadow->spare);
        shadow->spare = next;
    }
}
