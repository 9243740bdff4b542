/*
 * address_memory.c - see address_memory.h. Local memory has a row of lanes for each word, shared
 * memory one origin for each word of a block.
 */
#include "address_memory.h"

#include <stdlib.h>

struct row {
    uint32_t known; /* lanes that have stored there */
    uint16_t of[FHEC_WARP_LANES];
};

/* The row of a word, or a new one; NULL without host memory. */
static struct row *row_at(struct fh_number_map *map, uint64_t word) {
    struct row *row = fh_number_map_get(map, word);
    if (row)
        return row;
    row = calloc(1, sizeof *row);
    if (row && fh_number_map_put(map, word, row))
        return row;
    free(row);
    return NULL;
}

/* The number of a word of a block's shared memory. */
static uint64_t shared_word(const fhec_event *event, uint64_t address) {
    const uint32_t *grid = event->launch->grid, *block = event->block;
    const uint64_t number = ((uint64_t)block[2] * grid[1] + block[1]) * grid[0] + block[0];
    return number << 20 | (address / 4 & 0xfffff);
}

/* What word `word` of the stored registers holds. Less than a word of an address is nobody's. */
static uint16_t stored(const struct fh_origin_warp *w, const fhec_event *event,
                       const fhec_operand *data, uint32_t word, uint32_t lane) {
    if (!data)
        return FH_ORIGIN_MIXED;
    if (data->reg == FHEC_NO_REGISTER)
        return 0;
    const uint16_t origin = w->r[(data->reg + word) & 255][lane];
    return origin && event->access.bytes < 4 ? FH_ORIGIN_MIXED : origin;
}

static bool store_local(struct fh_origin_warp *w, const fhec_event *event, const fhec_operand *data,
                        uint32_t word, uint32_t lane) {
    const uint64_t at = event->access.address[lane] / 4 + word;
    struct row *row = row_at(&w->local, at);
    if (!row)
        return false;
    uint16_t origin = stored(w, event, data, word, lane);
    if (event->access.bytes < 4 && (!(row->known >> lane & 1) || row->of[lane]))
        origin = FH_ORIGIN_MIXED; /* the rest of the word stays */
    row->known |= UINT32_C(1) << lane;
    row->of[lane] = origin;
    return true;
}

static bool store_shared(struct fh_origin_warp *w, struct fh_number_map *shared,
                         const fhec_event *event, const fhec_operand *data, uint32_t word,
                         uint32_t lane) {
    const uint16_t origin = stored(w, event, data, word, lane);
    const uint64_t at = shared_word(event, event->access.address[lane] + UINT64_C(4) * word);
    struct row *row = fh_number_map_get(shared, at);
    if (!row && (!origin || !data))
        return true;
    row = row ? row : row_at(shared, at);
    if (row)
        row->of[0] = event->access.bytes < 4 && row->of[0] ? FH_ORIGIN_MIXED : origin;
    return row;
}

/* Whether a register that is stored has an origin in some lane. */
static bool some_stored(const struct fh_origin_warp *w, const fhec_event *event,
                        const fhec_operand *data) {
    bool some = false;
    for (uint32_t k = 0; data && data->reg != FHEC_NO_REGISTER && 4 * k < event->access.bytes; k++)
        some |= fh_origin_some(w, data->reg + k);
    return some;
}

bool fh_origin_store(struct fh_origin_warp *w, struct fh_number_map *shared,
                     const fhec_event *event, const fhec_operand *data) {
    const bool local = event->access.space == FHEC_SPACE_LOCAL;
    bool good = true;
    if (!local && !shared->count && !some_stored(w, event, data))
        return true;
    for (uint32_t word = 0; word == 0 || 4 * word + 4 <= event->access.bytes; word++) {
        for (uint32_t left = event->lanes; left; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(left);
            good &= local ? store_local(w, event, data, word, lane)
                          : store_shared(w, shared, event, data, word, lane);
        }
    }
    return good;
}

/* The row of the word; NULL if it says nothing of the lane. */
static const struct row *look(const struct fh_origin_warp *w, const struct fh_number_map *shared,
                              const fhec_event *event, uint32_t word, uint32_t lane) {
    const uint64_t address = event->access.address[lane] + UINT64_C(4) * word;
    if (event->access.space == FHEC_SPACE_SHARED)
        return fh_number_map_get(shared, shared_word(event, address));
    const struct row *row = fh_number_map_get(&w->local, address / 4);
    return row && row->known >> lane & 1 ? row : NULL;
}

void fh_origin_load(const struct fh_origin_warp *w, const struct fh_number_map *shared,
                    const fhec_event *event, uint16_t values[4][FHEC_WARP_LANES]) {
    const bool local = event->access.space == FHEC_SPACE_LOCAL;
    for (uint32_t word = 0; word == 0 || 4 * word + 4 <= event->access.bytes; word++) {
        for (uint32_t left = event->lanes; left; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(left);
            const struct row *row = look(w, shared, event, word, lane);
            if (!row && !local)
                continue;
            const uint16_t origin = row ? row->of[local ? lane : 0] : FH_ORIGIN_MIXED;
            values[word & 3][lane] = origin && event->access.bytes < 4 ? FH_ORIGIN_MIXED : origin;
        }
    }
}
