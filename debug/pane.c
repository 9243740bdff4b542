/*
 * pane.c - see pane.h: rectangles of cells.
 */
#include "pane.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool fh_pane_resize(struct fh_pane *pane, unsigned rows, unsigned columns) {
    const size_t count = (size_t)rows * columns;
    struct fh_pane_cell *cells = realloc(pane->cells, (count + 1) * sizeof *cells);
    if (!cells)
        return false;
    for (size_t i = 0; i < count; i++)
        cells[i] = (struct fh_pane_cell){' ', FH_PANE_PLAIN};
    *pane = (struct fh_pane){rows, columns, cells};
    return true;
}

void fh_pane_free(struct fh_pane *pane) {
    free(pane->cells);
    *pane = (struct fh_pane){0};
}

void fh_pane_put(struct fh_pane *pane, unsigned row, unsigned column, enum fh_pane_style style,
                 const char *text, size_t length) {
    if (row >= pane->rows)
        return;
    struct fh_pane_cell *cells = &pane->cells[(size_t)row * pane->columns];
    for (size_t i = 0; i < length && column < pane->columns; i++, column++) {
        const unsigned char c = (unsigned char)text[i];
        if (c >= 0x80 && c < 0xc0) { /* within a character of several bytes */
            column--;
            continue;
        }
        cells[column].text = c == '\t' ? ' ' : c < ' ' || c > '~' ? '?' : (char)c;
        cells[column].style = (uint8_t)style;
    }
}

unsigned fh_pane_print(struct fh_pane *pane, unsigned row, unsigned column,
                       enum fh_pane_style style, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const size_t kept = length < 0                     ? 0
                        : (size_t)length < sizeof text ? (size_t)length
                                                       : sizeof text - 1;
    fh_pane_put(pane, row, column, style, text, kept);
    return column + (unsigned)kept;
}
