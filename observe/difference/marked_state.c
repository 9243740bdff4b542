/*
 * marked_state.c - see marked_state.h.
 */
#include "marked_state.h"

#include <stdlib.h>
#include <string.h>

bool fh_marked_begin(struct fh_marked_state *state, size_t warps) {
    *state = (struct fh_marked_state){.warps = calloc(warps + 1, sizeof *state->warps),
                                      .warp_count = warps,
                                      .words = calloc(1024, sizeof *state->words),
                                      .word_room = 1024};
    return state->warps && state->words;
}

void fh_marked_warp_end(struct fh_marked_state *state, size_t warp) {
    struct fh_marked_warp *w = state->warps[warp];
    for (size_t i = 0; w && i < FH_MARKED_ROWS; i++)
        free(w->rows[i]);
    free(w);
    state->warps[warp] = NULL;
}

void fh_marked_end(struct fh_marked_state *state) {
    for (size_t i = 0; state->warps && i < state->warp_count; i++)
        fh_marked_warp_end(state, i);
    free(state->warps);
    free(state->words);
}

/* The row of a register; FH_MARKED_ROWS: there is none. */
static size_t row_of(fhec_register_file file, uint32_t reg) {
    switch (file) {
    case FHEC_FILE_R: return reg < 255 ? reg : FH_MARKED_ROWS;
    case FHEC_FILE_P: return reg < 7 ? 256 + reg : FH_MARKED_ROWS;
    case FHEC_FILE_UR: return reg < 63 ? 264 + reg : FH_MARKED_ROWS;
    case FHEC_FILE_UP: return reg < 7 ? 328 + reg : FH_MARKED_ROWS;
    default: return FH_MARKED_ROWS;
    }
}

struct fh_spectrum_marks *fh_marked_register(struct fh_marked_state *state, size_t warp,
                                             fhec_register_file file, uint32_t reg, uint32_t lane,
                                             bool make) {
    const size_t row = row_of(file, reg);
    if (row == FH_MARKED_ROWS || (!make && !state->warps[warp]))
        return NULL;
    if (!state->warps[warp])
        state->warps[warp] = calloc(1, sizeof *state->warps[warp]);
    struct fh_marked_warp *w = state->warps[warp];
    if (w && !w->rows[row] && make)
        w->rows[row] = calloc(FHEC_WARP_LANES, sizeof *w->rows[row]);
    state->failed |= make && (!w || !w->rows[row]);
    return w && w->rows[row]
               ? &w->rows[row][file == FHEC_FILE_UR || file == FHEC_FILE_UP ? 0 : lane]
               : NULL;
}

void fh_marked_give(struct fh_marked_state *state, size_t warp, fhec_register_file file,
                    uint32_t reg, uint32_t lane, struct fh_spectrum_marks marks) {
    struct fh_spectrum_marks *to =
        marks.all ? fh_marked_register(state, warp, file, reg, lane, true) : NULL;
    if (to) {
        to->values |= marks.values;
        to->all |= marks.all;
    }
}

static size_t place_of(const struct fh_marked_state *state, uint64_t space, uint64_t owner,
                       uint64_t address) {
    uint64_t h =
        (address >> 2) * UINT64_C(0x9e3779b97f4a7c15) ^ owner * UINT64_C(0xff51afd7ed558ccd);
    size_t at = (size_t)((h ^ h >> 31) + space) & (state->word_room - 1);
    for (; state->words[at].space; at = (at + 1) & (state->word_room - 1)) {
        const struct fh_marked_word *w = &state->words[at];
        if (w->address == address && w->owner == owner && w->space == space)
            break;
    }
    return at;
}

static bool grow(struct fh_marked_state *state) {
    struct fh_marked_word *old = state->words;
    const size_t room = state->word_room;
    struct fh_marked_word *more = calloc(2 * room, sizeof *more);
    if (!more) {
        state->failed = true;
        return false;
    }
    state->words = more;
    state->word_room = 2 * room;
    for (size_t i = 0; i < room; i++)
        if (old[i].space)
            more[place_of(state, old[i].space, old[i].owner, old[i].address)] = old[i];
    free(old);
    return true;
}

struct fh_spectrum_marks *fh_marked_word(struct fh_marked_state *state, fhec_space space,
                                         uint64_t owner, uint64_t address, bool make) {
    const uint64_t key = (uint64_t)space + 1, word = address & ~UINT64_C(3);
    if (space == FHEC_SPACE_GLOBAL)
        owner = 0;
    size_t at = place_of(state, key, owner, word);
    if (state->words[at].space)
        return &state->words[at].marks;
    if (!make)
        return NULL;
    if (2 * (state->word_count + 1) > state->word_room) {
        if (!grow(state))
            return NULL;
        at = place_of(state, key, owner, word);
    }
    state->word_count++;
    state->words[at] = (struct fh_marked_word){.space = key, .owner = owner, .address = word};
    return &state->words[at].marks;
}
