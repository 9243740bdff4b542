/*
 * tables.h - what the generated isa_tables.c and isa_book.c hold beside the tables of isa.h,
 * codec.h and layout.h, and what the expressions of the description may call.
 */
#ifndef FH_TABLES_H
#define FH_TABLES_H

#include "isa.h"

/* FH_CTRL_* (isa_names.h) by form id; 0: the form is no control instruction. */
extern const uint8_t fh_form_control[];

/* The whole ISA book, Markdown, and isa.json. The page of an instruction is fh_insn.page. */
extern const char fh_isa_book[], fh_isa_json_text[];

static inline bool is_power_of_two(int64_t x) {
    return x > 0 && (x & (x - 1)) == 0;
}

#endif
