/*
 * accelsim_line.h - the parts of a line: numbers and words between blanks.
 */
#ifndef FH_ACCELSIM_LINE_H
#define FH_ACCELSIM_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fh_accelsim_line {
    const char *at, *end;
};

/* Passes over blanks; true: the line ends here. */
bool fh_accelsim_line_ends(struct fh_accelsim_line *line);
/* The next word; false: there is none. */
bool fh_accelsim_line_word(struct fh_accelsim_line *line, const char **word, size_t *length);
/* The next word as a number: decimal; with `hex`, hexadecimal, with or without 0x. False: it is
 * none, or more than `most`. */
bool fh_accelsim_line_number(struct fh_accelsim_line *line, bool hex, uint64_t most,
                             uint64_t *number);
/* Decimal, perhaps negative. */
bool fh_accelsim_line_signed(struct fh_accelsim_line *line, int64_t *number);
/* The line goes on with this text, which is passed over. */
bool fh_accelsim_line_text(struct fh_accelsim_line *line, const char *text);

#endif
