/*
 * pane_grid.c - the registers of a warp (pane.h).
 */
#include <stdio.h>
#include <string.h>

#include "pane.h"

enum { NAME = 5, WIDTH = 9, REGISTERS = 255 };

static unsigned register_count(const struct fh_debugger *debugger) {
    fhec_kernel_info info;
    if (!fh_debugger_launch(debugger, fh_debugger_time(debugger).launch, NULL, &info))
        return 0;
    return info.registers < REGISTERS ? info.registers : REGISTERS;
}

static bool read_row(struct fh_debugger *debugger, fhec_register_file file, unsigned reg,
                     uint32_t values[FHEC_WARP_LANES]) {
    const struct fh_focus *f = fh_debugger_focus(debugger);
    fhec_session *session = fh_debugger_session(debugger);
    return session &&
           fhec_session_read_register(session, f->block, f->warp, file, reg, values) == FHEC_OK;
}

static bool same_warp(const struct fh_pane_before *before, const struct fh_debugger *debugger) {
    const struct fh_focus *f = fh_debugger_focus(debugger);
    return before->known && before->launch == fh_debugger_time(debugger).launch &&
           before->warp == f->warp && !memcmp(before->block, f->block, sizeof f->block);
}

static void keep_memory(struct fh_pane_before *before, struct fh_debugger *debugger,
                        const struct fh_pane_view *view) {
    struct fh_debug_buffer buffer;
    fhec_session *session = fh_debugger_session(debugger);
    const struct fh_focus *f = fh_debugger_focus(debugger);
    const fhec_thread thread = {{f->block[0], f->block[1], f->block[2]}, f->warp, f->lane};
    before->words = 0;
    before->shared = !fh_debugger_buffer(debugger, view->buffer, &buffer);
    before->address = (before->shared ? 0 : buffer.address) + 4 * view->word;
    for (unsigned i = 0; i < sizeof before->memory / 4; i++) {
        const uint64_t at = before->address + 4 * (uint64_t)i;
        if (!session ||
            fhec_session_read(session, before->shared ? FHEC_SPACE_SHARED : FHEC_SPACE_GLOBAL, 0,
                              &thread, at, &before->memory[i], 4) != FHEC_OK)
            break;
        before->words++;
    }
}

void fh_pane_keep(struct fh_pane_before *before, struct fh_debugger *debugger,
                  const struct fh_pane_view *view) {
    const struct fh_focus *f = fh_debugger_focus(debugger);
    const unsigned count = register_count(debugger);
    before->known = fh_debugger_session(debugger) != NULL;
    before->launch = fh_debugger_time(debugger).launch;
    before->warp = f->warp;
    memcpy(before->block, f->block, sizeof before->block);
    for (unsigned r = 0; r < count; r++)
        if (!read_row(debugger, FHEC_FILE_R, r, before->registers[r]))
            before->known = false;
    keep_memory(before, debugger, view);
}

/* The lanes that issue with the focus' next: those of its group. */
static uint32_t group_lanes(struct fh_debugger *debugger) {
    const struct fh_focus *f = fh_debugger_focus(debugger);
    fhec_session *session = fh_debugger_session(debugger);
    fhec_warp_info info;
    if (!session || fhec_session_warp(session, f->block, f->warp, &info) != FHEC_OK)
        return 0;
    for (uint32_t i = 0; i < info.group_count; i++)
        if (info.groups[i].lanes & 1U << f->lane)
            return info.groups[i].lanes;
    return 0;
}

static void put_masks(struct fh_pane *pane, unsigned row, struct fh_debugger *debugger) {
    uint32_t values[FHEC_WARP_LANES];
    unsigned column = 0;
    for (unsigned p = 0; p < 7; p++)
        if (read_row(debugger, FHEC_FILE_P, p, values))
            column = fh_pane_print(pane, row, column, FH_PANE_PLAIN, "P%u %08x ", p, values[0]);
}

static void put_row(struct fh_pane *pane, unsigned row, struct fh_debugger *debugger, unsigned reg,
                    const struct fh_pane_before *before, const struct fh_pane_view *view,
                    uint32_t lanes) {
    const bool known = same_warp(before, debugger);
    const struct fh_focus *f = fh_debugger_focus(debugger);
    uint32_t values[FHEC_WARP_LANES];
    if (!read_row(debugger, FHEC_FILE_R, reg, values))
        return;
    (void)fh_pane_print(pane, row, 0, FH_PANE_TITLE, "R%u", reg);
    for (unsigned lane = view->lane, column = NAME;
         lane < FHEC_WARP_LANES && column + WIDTH <= pane->columns; lane++, column += WIDTH) {
        const bool changed = known && before->registers[reg][lane] != values[lane];
        const enum fh_pane_style style = changed                 ? FH_PANE_CHANGED
                                         : !(lanes & 1U << lane) ? FH_PANE_DIM
                                         : lane == f->lane       ? FH_PANE_CURRENT
                                                                 : FH_PANE_PLAIN;
        (void)fh_pane_print(pane, row, column, style, "%08x%c", values[lane], changed ? '*' : ' ');
    }
}

void fh_pane_grid(struct fh_pane *pane, struct fh_debugger *debugger,
                  const struct fh_pane_before *before, struct fh_pane_view *view) {
    const struct fh_focus *f = fh_debugger_focus(debugger);
    const unsigned count = register_count(debugger), top = 3;
    const uint32_t lanes = group_lanes(debugger);
    if (pane->rows <= top)
        return;
    const unsigned room = pane->rows - top;
    if (view->reg + room > count)
        view->reg = count > room ? count - room : 0;
    (void)fh_pane_print(pane, 0, 0, FH_PANE_TITLE,
                        "lanes of block (%u,%u,%u) warp %u, 0x%08x issue next", f->block[0],
                        f->block[1], f->block[2], f->warp, lanes);
    put_masks(pane, 1, debugger);
    for (unsigned lane = view->lane, column = NAME;
         lane < FHEC_WARP_LANES && column + WIDTH <= pane->columns; lane++, column += WIDTH)
        (void)fh_pane_print(pane, 2, column,
                            lane == f->lane      ? FH_PANE_CURRENT
                            : lanes & 1U << lane ? FH_PANE_TITLE
                                                 : FH_PANE_DIM,
                            "%s%u", lane == f->lane ? ">" : " ", lane);
    for (unsigned i = 0; i < room && view->reg + i < count; i++)
        put_row(pane, top + i, debugger, view->reg + i, before, view, lanes);
}
