/*
 * tables.h - what isa_tables.c, the generated tables, holds beside the structures of isa.h, and
 * helpers for the expressions in them. For isa_spec only.
 */
#ifndef FH_TABLES_H
#define FH_TABLES_H

#include "isa.h"

/* Form ids sorted by opcode (13 bits). */
extern const uint16_t fh_opcode_forms[];
/* FH_CTRL_* by form id. */
extern const uint8_t fh_form_control[];
/* Pages of the book, in the order of fh_insns; the whole book; isa.json. */
extern const char fh_isa_book[], fh_isa_json_text[];

/* A bit of a row or column number is a bit of the lane (0-4), register (8-12) or slot (16-20). */
enum { FH_LAYOUT_LANE = 0, FH_LAYOUT_REG = 8, FH_LAYOUT_SLOT = 16 };

struct fh_layout_table {
    fhec_layout info;
    uint8_t lanes, lane_step; /* elements live in lanes 0, step, 2*step, ... */
    uint8_t row[12], row_bits;
    uint8_t column[12], column_bits; /* least significant first */
};
extern const struct fh_layout_table fh_layouts[];
extern const unsigned fh_layout_count;

static inline bool is_power_of_two(int64_t x) {
    return x > 0 && (x & (x - 1)) == 0;
}

#endif
