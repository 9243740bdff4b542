/*
 * describe.h - what every form of a trace that people read has in common: names of parts,
 * registers and objects, the text of instructions, and which parts of a record are shown.
 */
#ifndef FH_TRACE_DESCRIBE_H
#define FH_TRACE_DESCRIBE_H

#include "record.h"
#include "trace_bytes.h"

/* What is shown of records. */
struct fh_trace_view {
    unsigned parts; /* enum fh_trace_part */
    uint32_t lanes; /* whose accesses are */
};

/* The part called that: "fetch", "regs", "mem", "reads", ...; 0: none is. The names, with ", "
 * between them. */
unsigned fh_trace_part(const char *name, size_t length);
extern const char fh_trace_part_names[];

/* The name of a register: "UR3". The instruction's text, or its word. What lies at an address:
 * "a[3]", "a:u64[1]", "a+13"; empty if it has no name. "load", "store" or "atomic". */
void fh_trace_register_name(const struct fh_trace_register *reg, char text[8]);
void fh_trace_instruction_text(const struct fh_trace_names *names,
                               const struct fh_trace_record *record, char *text, size_t size);
void fh_trace_object_text(struct fh_trace_names *names, const struct fh_trace_record *record,
                          const struct fh_trace_access *access, uint32_t lane, char *text,
                          size_t size);
const char *fh_trace_access_name(unsigned access);

/* Appends where the instruction was written, and what led there, as a comment; nothing if that is
 * unknown. */
void fh_trace_print_source(struct fh_trace_bytes *to, const struct fh_trace_instruction *at);

/* Whether a register or an access is one of the parts. */
bool fh_trace_shows_register(unsigned parts, const struct fh_trace_register *reg);
bool fh_trace_shows_access(unsigned parts, const struct fh_trace_access *access);
/* Whether a record that is no instruction is one. */
bool fh_trace_shows(unsigned parts, fhec_event_kind kind);

#endif
