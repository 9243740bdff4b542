/*
 * layout.h - fragment layouts as data: every bit of an element's row and column is one bit of its
 * lane, register or slot number. So a layout is a permutation of bits, and both directions follow
 * from one table. Generated from the `layout` blocks of layouts.isa.
 */
#ifndef FH_LAYOUT_H
#define FH_LAYOUT_H

#include "fhec.h"

/* Where a bit of the row or column comes from: kind plus bit number. */
enum { FH_LAYOUT_LANE = 0x00, FH_LAYOUT_REG = 0x10, FH_LAYOUT_SLOT = 0x20, FH_LAYOUT_BITS = 8 };

struct fh_layout {
    fhec_layout shape;
    uint8_t row_bits, column_bits;
    uint8_t row[FH_LAYOUT_BITS];    /* source of row bit i, i = 0 the lowest */
    uint8_t column[FH_LAYOUT_BITS]; /* source of column bit i */
    uint32_t lanes;                 /* mask of the lanes that hold elements */
};

extern const struct fh_layout fh_layouts[];
extern const unsigned fh_layout_count;

#endif
