/*
 * pane.h - what a debugger shows, as rectangles of characters with styles, for faces that have a
 * screen: source, registers of all lanes, fragments, memory. Nothing here knows of terminals.
 *
 *     fh_pane_resize -> fh_pane_source, fh_pane_grid, ... -> cells
 */
#ifndef FH_PANE_H
#define FH_PANE_H

#include "debugger.h"
#include "show.h"

enum fh_pane_style {
    FH_PANE_PLAIN,
    FH_PANE_TITLE,
    FH_PANE_CURRENT, /* where the focus is: line, lane, its elements */
    FH_PANE_CHANGED, /* other than at the last stop */
    FH_PANE_DIM,     /* lanes that do not issue next */
    FH_PANE_MARK,    /* breakpoints */
    FH_PANE_STYLES
};

struct fh_pane_cell {
    char text; /* printable ASCII */
    uint8_t style;
};

struct fh_pane {
    unsigned rows, columns;
    struct fh_pane_cell *cells; /* row after row */
};

/* Makes it empty, of that size. False without host memory. */
bool fh_pane_resize(struct fh_pane *pane, unsigned rows, unsigned columns);
void fh_pane_free(struct fh_pane *pane);
/* Writes into a row from a column on, as much as fits; returns the column behind it. Tabs are
 * spaces, and what is not ASCII is '?'. */
unsigned fh_pane_print(struct fh_pane *pane, unsigned row, unsigned column,
                       enum fh_pane_style style, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void fh_pane_put(struct fh_pane *pane, unsigned row, unsigned column, enum fh_pane_style style,
                 const char *text, size_t length);

/* The source around the line of the focus, `scroll` lines further down, with breakpoints; where the
 * line is a macro's, how it came to be read; and the instruction with its pc. */
void fh_pane_source(struct fh_pane *pane, struct fh_debugger *debugger, int scroll);

/* What was there at the last stop, to mark what has changed since. */
struct fh_pane_before {
    bool known;
    size_t launch;
    uint32_t block[3], number;
    struct fh_show_warp warp;
    uint64_t address; /* of the memory that was shown */
    bool shared;
    uint32_t words;
    uint32_t memory[4096];
};

/* Which part of a pane is shown; the face changes it, and panes mend what is out of range. */
struct fh_pane_view {
    enum fh_show_kind format;     /* grid: FH_SHOW_HEX, SIGNED, UNSIGNED or FLOAT */
    bool pairs;                   /* grid: registers of 64 bits */
    unsigned reg;                 /* grid: the first register */
    unsigned lane, lanes;         /* grid: the first lane; how many there are (the pane says) */
    unsigned focus_lane;          /* grid: which lane had the focus when it was drawn last */
    enum fh_show_element element; /* fragments */
    bool check;       /* fragments: elements that are not where they belong are marked */
    unsigned operand; /* fragments: which of the instruction's, modulo their number */
    unsigned row;     /* fragments: the first line */
    size_t buffer;    /* memory: the index-th buffer, or behind the last one shared memory */
    uint64_t word;    /* memory: the first one */
};

/* Keeps what the next grid and memory are compared with. To be called before each move. */
void fh_pane_keep(struct fh_pane_before *before, struct fh_debugger *debugger,
                  const struct fh_pane_view *view);

/* Registers down, lanes across, of the focus' warp: as many lanes as there is room for. */
void fh_pane_grid(struct fh_pane *pane, struct fh_debugger *debugger,
                  const struct fh_pane_before *before, struct fh_pane_view *view);
/* The matrix that an operand of the next instruction holds. Origins, and checks, are left out where
 * they would take long. */
void fh_pane_fragments(struct fh_pane *pane, struct fh_debugger *debugger,
                       struct fh_pane_view *view);
/* Words of a buffer, or of the block's shared memory. */
void fh_pane_memory(struct fh_pane *pane, struct fh_debugger *debugger,
                    const struct fh_pane_before *before, struct fh_pane_view *view);

#endif
