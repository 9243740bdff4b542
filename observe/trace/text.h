/*
 * text.h - records as text for people, and as JSON, one object a line.
 *
 *     b0,0,0 w0 0040 ffffffff  IADD3 R4, R4, R5, RZ  // add.cu:12
 *         R4 =  00000001   00000002  ...         32 lanes, 8 a line, or all on one; of lanes that
 *                                                did not execute in brackets
 *         P0 = 0000ffff
 *         global load 4 lane 3 0x7f000000000c = 00000011  a[3]
 */
#ifndef FH_TRACE_TEXT_H
#define FH_TRACE_TEXT_H

#include "describe.h"
#include "trace_bytes.h"

enum fh_trace_format {
    FH_TRACE_TEXT,
    FH_TRACE_WIDE, /* the same with the 32 lanes of a register, or of an access, on one line */
    FH_TRACE_JSON,
};

struct fh_trace_text {
    enum fh_trace_format format;
    struct fh_trace_view view;
    struct fh_trace_out out;
    struct fh_trace_bytes line;
};

/* The text must live as long as it is used; its line is freed by fh_trace_bytes_free. */
struct fh_trace_sink fh_trace_text_sink(struct fh_trace_text *text);

#endif
