/*
 * format.h - a source laid out as the kernels of programs/ are.
 *
 * Only blanks change, and a line stays the line that it was, so the object has the same words, data
 * and lines, and differs in columns at most:
 *
 *     loop:                                   labels and directives from the first column
 *         @P0 IADD3 R4, R4, 0x1, RZ ;         instructions, macros, .inst, .expect: four blanks
 *         LDG.E R6, [R2.64 + 4 * \i] ;    // one blank behind a comma and before a semicolon
 *         BRA loop ;                      // comments of lines in a row: where most of them stand
 *
 * Operands keep the spelling that they have, numbers of data and the words behind .test their
 * columns. A line that is no statement stays as it is, and so does a listing, whose comments are
 * more than that, and every line that a comment of several lines touches.
 */
#ifndef FH_FORMAT_H
#define FH_FORMAT_H

#include "bytes.h"

/* False when there is no memory. The text may be any bytes; what has NUL bytes stays as it is. */
bool fh_format_source(const char *text, size_t length, struct fh_bytes *formatted);

#endif
