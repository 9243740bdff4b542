/*
 * screen_draw.c - the picture of the full-screen mode: where panes lie, and how styles look.
 *
 *     status          | launch, time, focus
 *     source          |
 *     data            | registers, fragments or memory; with room all of them
 *     console, prompt |
 */
#include "screen_state.h"

#ifdef FH_HAS_NCURSES

#include <inttypes.h>
#include <ncurses.h>
#include <stdio.h>
#include <string.h>

enum { LEAST_ROWS = 12, LEAST_COLUMNS = 40, TALL = 40, WIDE = 120 };

static attr_t attribute_of(enum fh_pane_style style) {
    const bool colors = has_colors();
    switch (style) {
    case FH_PANE_TITLE: return A_BOLD;
    case FH_PANE_CURRENT: return A_REVERSE;
    case FH_PANE_CHANGED: return A_BOLD | (colors ? (attr_t)COLOR_PAIR(1) : A_UNDERLINE);
    case FH_PANE_DIM: return A_DIM;
    case FH_PANE_MARK: return A_BOLD | (colors ? (attr_t)COLOR_PAIR(2) : 0);
    default: return A_NORMAL;
    }
}

/* The pane, its first row as the title that it is. */
static void put_pane(const struct fh_pane *pane, int y, int x) {
    for (unsigned row = 0; row < pane->rows; row++)
        for (unsigned column = 0; column < pane->columns; column++) {
            const struct fh_pane_cell *cell = &pane->cells[(size_t)row * pane->columns + column];
            const attr_t attribute =
                row ? attribute_of((enum fh_pane_style)cell->style) : A_BOLD | A_UNDERLINE;
            (void)mvaddch(y + (int)row, x + (int)column,
                          (chtype)(unsigned char)cell->text | attribute);
        }
}

/* Why it has stopped, where that is not plain from the rest. */
static const char *why_stopped(const struct fh_screen *s) {
    const struct fh_debug_stop *stop = fh_debugger_stop(s->debugger);
    if (stop->reason == FH_STOP_FAULT && stop->stop.fault)
        return fhec_fault_name(stop->stop.fault->kind);
    return stop->reason == FH_STOP_CANCEL    ? "interrupted"
           : stop->reason == FH_STOP_FINDING ? "a finding"
                                             : NULL;
}

static void put_status(const struct fh_screen *s, int columns) {
    const struct fh_focus *f = fh_debugger_focus(s->debugger);
    const struct fh_debug_time time = fh_debugger_time(s->debugger);
    const size_t launches = fh_debugger_launch_count(s->debugger);
    const char *why = why_stopped(s);
    fhec_kernel_info info;
    char text[500];
    if (s->running)
        snprintf(text, sizeof text, "running ... Ctrl-C stops it");
    else if (time.launch < launches && fh_debugger_launch(s->debugger, time.launch, NULL, &info))
        snprintf(text, sizeof text,
                 "%s%slaunch %zu of %zu, %s, instruction %" PRIu64
                 ", block (%u,%u,%u) warp %u lane %u",
                 why ? why : "", why ? ": " : "", time.launch + 1, launches, info.name, time.count,
                 f->block[0], f->block[1], f->block[2], f->warp, f->lane);
    else
        snprintf(text, sizeof text, "behind the last of %zu launches", launches);
    attron(A_REVERSE);
    mvprintw(0, 0, "%-*.*s", columns, columns, text);
    attroff(A_REVERSE);
}

static void put_source(struct fh_screen *s, int y, int rows, int columns) {
    if (rows < 1 || !fh_pane_resize(&s->pane, (unsigned)rows, (unsigned)columns))
        return;
    fh_pane_source(&s->pane, s->debugger, s->scroll);
    put_pane(&s->pane, y, 0);
}

static void put_data(struct fh_screen *s, enum fh_screen_data which, int y, int x, int rows,
                     int columns) {
    if (rows < 1 || columns < 1 || !fh_pane_resize(&s->pane, (unsigned)rows, (unsigned)columns))
        return;
    switch (which) {
    case FH_SCREEN_FRAGMENTS: fh_pane_fragments(&s->pane, s->debugger, &s->view); break;
    case FH_SCREEN_MEMORY: fh_pane_memory(&s->pane, s->debugger, s->before, &s->view); break;
    default: fh_pane_grid(&s->pane, s->debugger, s->before, &s->view); break;
    }
    put_pane(&s->pane, y, x);
}

/* All data, where there is room: registers above the other two, which lie side by side or, in
 * narrow windows, one below the other. */
static void put_all_data(struct fh_screen *s, int y, int rows, int columns) {
    const int grid = rows / 2, rest = rows - grid, half = columns / 2;
    put_data(s, FH_SCREEN_REGISTERS, y, 0, grid, columns);
    if (columns >= WIDE) {
        put_data(s, FH_SCREEN_FRAGMENTS, y + grid, 0, rest, half - 1);
        put_data(s, FH_SCREEN_MEMORY, y + grid, half, rest, columns - half);
    } else {
        put_data(s, FH_SCREEN_FRAGMENTS, y + grid, 0, rest - rest / 3, columns);
        put_data(s, FH_SCREEN_MEMORY, y + grid + rest - rest / 3, 0, rest / 3, columns);
    }
}

static void put_console(const struct fh_screen *s, int y, int rows, int columns) {
    static const char keys[] =
        "s n c step next continue, S N C back, 1 2 3 panes, [ ] lane, : command, ? help";
    for (int i = 0; i < rows - 1; i++) {
        const char *line = fh_screen_log_line(&s->log, s->log_scroll + (size_t)(rows - 2 - i));
        if (line)
            mvprintw(y + i, 0, "%-.*s", columns, line);
    }
    if (s->typing) {
        const int from = (int)s->length > columns - 3 ? (int)s->length - (columns - 3) : 0;
        mvprintw(y + rows - 1, 0, ":%s", s->input + from);
    } else {
        attron(A_DIM);
        mvprintw(y + rows - 1, 0, "%-.*s", columns - 1, keys);
        attroff(A_DIM);
    }
    (void)curs_set(s->typing ? 1 : 0);
}

void fh_screen_draw(struct fh_screen *s) {
    int rows, columns;
    getmaxyx(stdscr, rows, columns);
    erase();
    if (rows < LEAST_ROWS || columns < LEAST_COLUMNS) {
        mvprintw(0, 0, "%.*s", columns, "the window is too small");
        (void)refresh();
        return;
    }
    const int console = rows / 5 < 5 ? 5 : rows / 5, body = rows - 1 - console;
    const int source = rows >= TALL ? body / 4 : body * 2 / 5;
    put_status(s, columns);
    put_source(s, 1, source, columns);
    if (rows >= TALL)
        put_all_data(s, 1 + source, body - source, columns);
    else
        put_data(s, s->data, 1 + source, 0, body - source, columns);
    put_console(s, 1 + body, console, columns);
    (void)refresh();
}

#endif
