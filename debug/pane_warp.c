/*
 * pane_warp.c - registers and matrices of the focus' warp: the lines of show.h, on a pane (pane.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "origins_here.h"
#include "pane.h"

/* Lines on their way to a pane: those from `skip` on, below `row`. */
struct lines {
    struct fh_pane *pane;
    unsigned row, skip, count; /* count: so far */
};

static enum fh_pane_style style_of(enum fh_show_style style) {
    switch (style) {
    case FH_SHOW_TITLE:
    case FH_SHOW_NAME: return FH_PANE_TITLE;
    case FH_SHOW_FOCUS: return FH_PANE_CURRENT;
    case FH_SHOW_CHANGED: return FH_PANE_CHANGED;
    case FH_SHOW_INACTIVE: return FH_PANE_DIM;
    case FH_SHOW_WRONG: return FH_PANE_MARK;
    case FH_SHOW_MISPLACED: return FH_PANE_CHANGED;
    default: return FH_PANE_PLAIN;
    }
}

static void take_line(void *user, const struct fh_show_line *line) {
    struct lines *l = user;
    if (l->count++ < l->skip)
        return;
    fh_pane_put(l->pane, l->row, 0, FH_PANE_PLAIN, line->text, line->length);
    for (size_t i = 0; i < line->span_count; i++) {
        const struct fh_show_span *span = &line->spans[i];
        fh_pane_put(l->pane, l->row, (unsigned)span->begin, style_of(span->style),
                    line->text + span->begin, span->length);
    }
    l->row++;
}

static bool read_warp(struct fh_debugger *debugger, struct fh_show_warp *warp) {
    const struct fh_focus *f = fh_debugger_focus(debugger);
    const fhec_session *session = fh_debugger_session(debugger);
    return session && fh_show_warp_read(session, f->block, f->warp, warp) == FHEC_OK;
}

/* ---------------------------------------------------------------- what was */

static void keep_memory(struct fh_pane_before *before, struct fh_debugger *debugger,
                        const struct fh_pane_view *view) {
    struct fh_debug_buffer buffer;
    fhec_session *session = fh_debugger_session(debugger);
    const struct fh_focus *f = fh_debugger_focus(debugger);
    const fhec_thread thread = {{f->block[0], f->block[1], f->block[2]}, f->warp, f->lane};
    before->words = 0;
    before->shared = !fh_debugger_buffer(debugger, view->buffer, &buffer);
    before->address = (before->shared ? 0 : buffer.address) + 4 * view->word;
    for (unsigned i = 0; session && i < sizeof before->memory / 4; i++) {
        if (fhec_session_read(session, before->shared ? FHEC_SPACE_SHARED : FHEC_SPACE_GLOBAL, 0,
                              &thread, before->address + 4 * (uint64_t)i, &before->memory[i],
                              4) != FHEC_OK)
            break;
        before->words++;
    }
}

void fh_pane_keep(struct fh_pane_before *before, struct fh_debugger *debugger,
                  const struct fh_pane_view *view) {
    const struct fh_focus *f = fh_debugger_focus(debugger);
    before->known = read_warp(debugger, &before->warp);
    before->launch = fh_debugger_time(debugger).launch;
    before->number = f->warp;
    memcpy(before->block, f->block, sizeof before->block);
    keep_memory(before, debugger, view);
}

static bool same_warp(const struct fh_pane_before *before, const struct fh_debugger *debugger) {
    const struct fh_focus *f = fh_debugger_focus(debugger);
    return before->known && before->launch == fh_debugger_time(debugger).launch &&
           before->number == f->warp && !memcmp(before->block, f->block, sizeof f->block);
}

/* ---------------------------------------------------------------- registers */

static void put_masks(struct fh_pane *pane, unsigned row, const struct fh_show_warp *warp,
                      const struct fh_show_warp *before) {
    unsigned column = 0;
    for (unsigned i = 0; i < 7; i++) {
        const bool changed = before && before->p[i] != warp->p[i];
        column = fh_pane_print(pane, row, column, changed ? FH_PANE_CHANGED : FH_PANE_PLAIN,
                               "P%u 0x%x%c", i, warp->p[i], changed ? '*' : ' ');
        column++;
    }
}

static void no_line(void *user, const struct fh_show_line *line) {
    (void)user;
    (void)line;
}

/* As many lanes as there is room for. When the focus goes to another lane, they go with it as far
 * as they must. */
static void show_lanes(struct fh_pane *pane, struct fh_pane_view *view,
                       const struct fh_show_grid *all) {
    struct lines lines = {.pane = pane, .row = 2};
    struct fh_show_out out = {no_line, NULL, pane->columns};
    struct fh_show_grid grid = *all;
    const uint32_t room = fh_show_grid(&out, &grid), last = FHEC_WARP_LANES - room;
    if (view->focus_lane != grid.lane && grid.lane < view->lane)
        view->lane = grid.lane;
    if (view->focus_lane != grid.lane && grid.lane >= view->lane + room)
        view->lane = grid.lane + 1 - room;
    view->focus_lane = grid.lane;
    view->lane = view->lane < last ? view->lane : last;
    view->lanes = room;
    grid.first = view->lane;
    out.line = take_line;
    out.user = &lines;
    (void)fh_show_grid(&out, &grid);
}

void fh_pane_grid(struct fh_pane *pane, struct fh_debugger *debugger,
                  const struct fh_pane_before *before, struct fh_pane_view *view) {
    const struct fh_focus *f = fh_debugger_focus(debugger);
    struct fh_show_warp warp;
    fhec_kernel_info info;
    uint16_t registers[255];
    if (pane->rows < 4)
        return;
    const unsigned room = pane->rows - 3;
    if (!read_warp(debugger, &warp) ||
        !fh_debugger_launch(debugger, fh_debugger_time(debugger).launch, NULL, &info)) {
        (void)fh_pane_print(pane, 0, 0, FH_PANE_TITLE, "registers: the block is not resident");
        return;
    }
    const unsigned all = info.registers < 255 ? info.registers : 255;
    if (view->reg + room > all)
        view->reg = all > room ? all - room : 0;
    unsigned count = all - view->reg < room ? all - view->reg : room;
    for (unsigned i = 0; i < count; i++)
        registers[i] = (uint16_t)(view->reg + i);
    for (unsigned i = 0; view->pairs && i < count; i++) /* even ones, with those behind them */
        registers[i] = (uint16_t)((view->reg & ~1u) + 2 * i);
    while (view->pairs && count && registers[count - 1] >= all)
        count--;
    const struct fh_show_warp *was = same_warp(before, debugger) ? &before->warp : NULL;
    (void)fh_pane_print(pane, 0, 0, FH_PANE_TITLE,
                        "registers of block (%u,%u,%u) warp %u: lanes 0x%08x issue next",
                        f->block[0], f->block[1], f->block[2], f->warp, warp.active);
    put_masks(pane, 1, &warp, was);
    show_lanes(pane, view,
               &(struct fh_show_grid){.warp = &warp,
                                      .before = was,
                                      .registers = registers,
                                      .count = count,
                                      .lane = f->lane,
                                      .window = true,
                                      .pairs = view->pairs,
                                      .format = {.kind = view->format}});
}

/* ---------------------------------------------------------------- matrices */

/* The name of the index-th operand that is a fragment, modulo their number; NULL: there is none. */
static const char *fragment(const fhec_instruction *instruction, unsigned index) {
    const char *found[FHEC_MAX_OPERANDS];
    unsigned count = 0;
    for (uint32_t i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].has_layout)
            found[count++] = instruction->operands[i].name;
    return count ? found[index % count] : NULL;
}

/* Origins, where they are shown; false: they are not, or it would take long. */
static bool find_origins(struct fh_debugger *debugger, const struct fh_pane_view *view,
                         struct fh_origins_here *here) {
    enum { QUICK = 1 << 20 }; /* instructions */
    if (view->element != FH_SHOW_ORIGINS && !view->check)
        return false;
    return fh_debugger_origins_cost(debugger) <= QUICK &&
           fh_debugger_origins_here(debugger, here) == FHEC_OK;
}

void fh_pane_fragments(struct fh_pane *pane, struct fh_debugger *debugger,
                       struct fh_pane_view *view) {
    static const struct fh_show_format hex = {.kind = FH_SHOW_HEX};
    fhec_session *session = fh_debugger_session(debugger);
    struct fh_show_warp warp;
    fhec_instruction instruction;
    struct fh_origins_here here;
    uint64_t pc;
    const char *operand = NULL;
    const bool known = find_origins(debugger, view, &here);
    session = fh_debugger_session(debugger);
    if (read_warp(debugger, &warp) && fh_debugger_pc(debugger, &pc) &&
        fhec_session_instruction(session, pc, &instruction) == FHEC_OK)
        operand = fragment(&instruction, view->operand);
    if (!operand) {
        (void)fh_pane_print(pane, 0, 0, FH_PANE_TITLE, "fragments: the next instruction has none");
        return;
    }
    static const char *const titles[] = {[FH_SHOW_VALUES] = "",
                                         [FH_SHOW_ORIGINS] = ", origins",
                                         [FH_SHOW_LANES] = ", lanes and registers"};
    const bool missing = !known && (view->element == FH_SHOW_ORIGINS || view->check);
    (void)fh_pane_print(pane, 0, 0, FH_PANE_TITLE, "fragments: %s%s of %s", operand,
                        missing ? ", origins take long here: `:origins` finds them;"
                                : titles[view->element],
                        instruction.text);
    struct lines lines = {.pane = pane, .row = 1, .skip = view->row};
    const struct fh_show_out out = {take_line, &lines, pane->columns};
    (void)fh_show_matrices(&out, &(struct fh_show_matrices){.warp = &warp,
                                                            .instruction = &instruction,
                                                            .operand = operand,
                                                            .what = view->element,
                                                            .scene = known ? &here.scene : NULL,
                                                            .format = hex});
    if (view->row && view->row + 1 >= lines.count)
        view->row = lines.count ? lines.count - 1 : 0;
}
