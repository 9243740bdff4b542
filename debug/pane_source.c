/*
 * pane_source.c - the source around the focus (pane.h).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pane.h"

/* Whether an enabled breakpoint is about the line of the file. */
static bool has_breakpoint(const struct fh_debugger *debugger, const char *file, uint32_t line) {
    const struct fh_breakpoint *b;
    const size_t length = strlen(file);
    for (size_t i = 0; (b = fh_debugger_breakpoint(debugger, i)) != NULL; i++) {
        const size_t tail = b->file ? strlen(b->file) : 0;
        if (b->kind == FH_BREAK_LINE && !b->disabled && b->line == line && tail <= length &&
            !strcmp(file + length - tail, b->file ? b->file : ""))
            return true;
    }
    return false;
}

/* The beginning of a line, from 1; NULL: the text has fewer. */
static const char *line_of(const char *text, const char *end, uint32_t line) {
    while (text && --line) {
        text = memchr(text, '\n', (size_t)(end - text));
        text = text ? text + 1 : NULL;
    }
    return text && text < end ? text : NULL;
}

static void put_text(struct fh_pane *pane, const struct fh_debugger *debugger, const char *file,
                     uint32_t at, unsigned first_row, int scroll) {
    size_t length = 0;
    const char *text = fh_debugger_source(debugger, file, &length);
    if (!text) {
        (void)fh_pane_print(pane, first_row, 0, FH_PANE_DIM, "the source is not known");
        return;
    }
    const int height = (int)(pane->rows - first_row);
    int64_t line = (int64_t)at - height / 2 + scroll;
    line = line < 1 ? 1 : line;
    for (unsigned row = first_row; row < pane->rows; row++, line++) {
        const char *from = line_of(text, text + length, (uint32_t)line);
        const bool current = line == at;
        if (!from)
            break;
        const char *end = memchr(from, '\n', (size_t)(text + length - from));
        const bool stops = has_breakpoint(debugger, file, (uint32_t)line);
        (void)fh_pane_print(pane, row, 0, stops ? FH_PANE_MARK : FH_PANE_PLAIN, "%c%c",
                            stops ? 'B' : ' ', current ? '>' : ' ');
        const unsigned column = fh_pane_print(pane, row, 2, current ? FH_PANE_CURRENT : FH_PANE_DIM,
                                              "%5u ", (unsigned)line);
        fh_pane_put(pane, row, column, current ? FH_PANE_CURRENT : FH_PANE_PLAIN, from,
                    (size_t)((end ? end : text + length) - from));
    }
}

void fh_pane_source(struct fh_pane *pane, struct fh_debugger *debugger, int scroll) {
    fhec_session *session = fh_debugger_session(debugger);
    fhec_expansion steps[FHEC_MAX_EXPANSIONS];
    fhec_instruction instruction;
    char where[1024] = "";
    uint64_t pc;
    if (pane->rows < 3)
        return;
    if (!session || !fh_debugger_pc(debugger, &pc)) {
        (void)fh_pane_print(pane, 0, 0, FH_PANE_TITLE, "source: %s",
                            session ? "the focus' lane has not begun or has ended" : "the end");
        return;
    }
    const fhec_location at = fhec_session_location(session, pc);
    const size_t count = fhec_session_expansions(session, pc, steps, FHEC_MAX_EXPANSIONS);
    if (at.file)
        (void)fhec_format_location(&at, steps, count, where, sizeof where);
    (void)fh_pane_print(pane, 0, 0, FH_PANE_TITLE, "source: %s", *where ? where : "not known");
    if (fhec_session_instruction(session, pc, &instruction) != FHEC_OK)
        snprintf(instruction.text, sizeof instruction.text, "no instruction");
    (void)fh_pane_print(pane, 1, 0, FH_PANE_CURRENT, "0x%04" PRIx64 "  %s", pc, instruction.text);
    if (at.file)
        put_text(pane, debugger, at.file, at.line, 2, scroll);
}
