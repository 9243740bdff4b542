/*
 * show_warp.c - the registers of a warp as a grid of lanes, masks, and calls.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "show.h"

fhec_status fh_show_warp_read(const fhec_session *session, const uint32_t block[3], uint32_t number,
                              struct fh_show_warp *warp) {
    fhec_warp_info info;
    uint32_t values[FHEC_WARP_LANES];
    memset(warp, 0, sizeof *warp);
    fhec_status status = fhec_session_warp(session, block, number, &info);
    if (status != FHEC_OK)
        return status;
    warp->active = info.active;
    warp->exited = info.exited;
    warp->lanes = info.lanes;
    const struct {
        fhec_register_file file;
        unsigned count;
        uint32_t *to; /* NULL: R, which has lanes */
    } files[] = {{FHEC_FILE_R, 255, NULL},
                 {FHEC_FILE_UR, 63, warp->ur},
                 {FHEC_FILE_P, 7, warp->p},
                 {FHEC_FILE_UP, 7, warp->up}};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        for (unsigned reg = 0; reg < files[f].count; reg++) {
            memset(values, 0, sizeof values);
            /* a kernel has fewer registers than there are: those stay 0 */
            (void)fhec_session_read_register(session, block, number, files[f].file, reg, values);
            if (files[f].to)
                files[f].to[reg] = values[0];
            else
                memcpy(warp->r[reg], values, sizeof values);
        }
    }
    return FHEC_OK;
}

/* ---------------------------------------------------------------- the grid */

static uint64_t grid_value(const struct fh_show_grid *g, const struct fh_show_warp *w, uint64_t row,
                           uint64_t lane) {
    const unsigned reg = g->registers[row];
    const uint64_t low = reg < 255 ? w->r[reg][lane] : 0;
    return g->pairs && reg < 254 ? low | (uint64_t)w->r[reg + 1][lane] << 32 : low;
}

static void grid_row(void *user, uint64_t row, struct fh_show_cell *cell) {
    const struct fh_show_grid *g = user;
    const unsigned reg = g->registers[row];
    if (g->pairs && reg < 254)
        (void)snprintf(cell->text, sizeof cell->text, "R%u:R%u", reg, reg + 1);
    else
        (void)snprintf(cell->text, sizeof cell->text, reg < 255 ? "R%u" : "RZ", reg);
}

static void grid_column(void *user, uint64_t lane, struct fh_show_cell *cell) {
    const struct fh_show_grid *g = user;
    const bool active = g->warp->active >> lane & 1;
    (void)snprintf(cell->text, sizeof cell->text, active ? "%u" : "(%u)", (unsigned)lane);
    cell->style = lane == g->lane ? FH_SHOW_FOCUS : active ? FH_SHOW_NAME : FH_SHOW_INACTIVE;
}

static void grid_cell(void *user, uint64_t row, uint64_t lane, struct fh_show_cell *cell) {
    const struct fh_show_grid *g = user;
    const uint64_t value = grid_value(g, g->warp, row, lane);
    if (!((g->warp->lanes & ~g->warp->exited) >> lane & 1)) {
        (void)snprintf(cell->text, sizeof cell->text, "-");
        cell->style = FH_SHOW_INACTIVE;
        return;
    }
    fh_show_number(&g->format, value, g->pairs && g->registers[row] < 254 ? 64 : 32, cell->text);
    cell->mark = g->before && grid_value(g, g->before, row, lane) != value ? '*' : 0;
    cell->style = cell->mark                    ? FH_SHOW_CHANGED
                  : g->warp->active >> lane & 1 ? FH_SHOW_PLAIN
                                                : FH_SHOW_INACTIVE;
}

uint32_t fh_show_grid(const struct fh_show_out *out, const struct fh_show_grid *grid) {
    struct fh_show_grid copy = *grid;
    const struct fh_show_table table = {.rows = grid->count,
                                        .columns = FHEC_WARP_LANES,
                                        .window = grid->window,
                                        .first = grid->first,
                                        .user = &copy,
                                        .row = grid_row,
                                        .column = grid_column,
                                        .cell = grid_cell};
    return (uint32_t)fh_show_table(out, &table);
}

/* ---------------------------------------------------------------- masks and uniform registers */

void fh_show_predicates(const struct fh_show_out *out, const struct fh_show_warp *warp,
                        const struct fh_show_warp *before) {
    for (unsigned i = 0; i < 7; i++) {
        char picture[FHEC_WARP_LANES + 4];
        size_t length = 0;
        const bool changed = before && before->p[i] != warp->p[i];
        for (unsigned lane = 0; lane < FHEC_WARP_LANES; lane++) {
            if (lane && lane % 8 == 0)
                picture[length++] = ' ';
            picture[length++] = warp->p[i] >> lane & 1 ? '#' : '.';
        }
        fh_show_text(out, changed ? FH_SHOW_CHANGED : FH_SHOW_PLAIN, "P%u 0x%08" PRIx32 "%c %.*s",
                     i, warp->p[i], changed ? '*' : ' ', (int)length, picture);
    }
}

struct uniform {
    const struct fh_show_warp *warp, *before;
    unsigned first, last;
    const struct fh_show_format *format;
};
enum { ACROSS = 4 };

static void uniform_row(void *user, uint64_t row, struct fh_show_cell *cell) {
    const struct uniform *u = user;
    (void)snprintf(cell->text, sizeof cell->text, "UR%u", u->first + ACROSS * (unsigned)row);
}

static void uniform_cell(void *user, uint64_t row, uint64_t column, struct fh_show_cell *cell) {
    const struct uniform *u = user;
    const unsigned reg = u->first + ACROSS * (unsigned)row + (unsigned)column;
    if (reg > u->last)
        return;
    fh_show_number(u->format, u->warp->ur[reg], 32, cell->text);
    cell->mark = u->before && u->before->ur[reg] != u->warp->ur[reg] ? '*' : 0;
    cell->style = cell->mark ? FH_SHOW_CHANGED : FH_SHOW_PLAIN;
}

void fh_show_uniform(const struct fh_show_out *out, const struct fh_show_warp *warp,
                     const struct fh_show_warp *before, unsigned first, unsigned last,
                     const struct fh_show_format *format) {
    struct uniform u = {warp, before, first, last < 62 ? last : 62, format};
    if (first <= u.last) {
        const struct fh_show_table table = {.rows = (u.last - first + ACROSS) / ACROSS,
                                            .columns = ACROSS,
                                            .user = &u,
                                            .row = uniform_row,
                                            .cell = uniform_cell};
        (void)fh_show_table(out, &table);
    }
    char flags[8] = "";
    for (unsigned i = 0; i < 7; i++)
        flags[i] = warp->up[i] & 1 ? '#' : '.';
    fh_show_text(out, FH_SHOW_PLAIN, "UP0 to UP6 %s", flags);
}

/* ---------------------------------------------------------------- calls */

void fh_show_calls(const struct fh_show_out *out, const fhec_session *session,
                   const uint32_t block[3], uint32_t warp, uint32_t lane) {
    fhec_frame frames[32];
    size_t count = 0;
    if (fhec_session_calls(session, block, warp, lane, frames, sizeof frames / sizeof *frames,
                           &count) != FHEC_OK) {
        fh_show_text(out, FH_SHOW_WRONG, "lane %u has ended, or its block is not resident", lane);
        return;
    }
    const size_t told =
        count < sizeof frames / sizeof *frames ? count : sizeof frames / sizeof *frames;
    for (size_t i = 0; i < told; i++) {
        const fhec_frame *f = &frames[i];
        const fhec_location at = fhec_session_location(session, f->pc);
        char line[256] = "";
        if (at.file)
            (void)snprintf(line, sizeof line, ", %.200s:%u", at.file, at.line);
        fh_show_text(out, FH_SHOW_PLAIN, "#%zu %.200s+0x%" PRIx64 "%s%s", i,
                     f->function ? f->function : "?", f->offset, line,
                     f->guess ? " (by the return address that its caller left)" : "");
    }
    if (count > told)
        fh_show_text(out, FH_SHOW_PLAIN, "and %zu more", count - told);
}
