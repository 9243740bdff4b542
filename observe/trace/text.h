/*
 * text.h - records as text for people, and as JSON, one object a line.
 *
 *     b0,0,0 w0 0040 ffffffff  IADD3 R4, R4, R5, RZ  // add.cu:12
 *         R4 =  00000001   00000002 ... (32 lanes, 8 a line; lanes that did not execute in
 * brackets) P0 = 0000ffff global load 4 lane 3 0x7f000000000c = 00000011  a[3]
 */
#ifndef FH_TRACE_TEXT_H
#define FH_TRACE_TEXT_H

#include "record.h"
#include "trace_bytes.h"

enum fh_trace_format {
    FH_TRACE_TEXT,
    FH_TRACE_WIDE, /* the same with the 32 lanes of a register, or of an access, on one line */
    FH_TRACE_JSON,
};

struct fh_trace_text {
    enum fh_trace_format format;
    unsigned parts; /* what is printed */
    uint32_t lanes; /* whose accesses are */
    struct fh_trace_out out;
    struct fh_trace_bytes line;
};

/* The text must live as long as it is used; its line is freed by fh_trace_bytes_free. */
struct fh_trace_sink fh_trace_text_sink(struct fh_trace_text *text);

/* What printers share. The name of a register: "UR3", text of at least 8 bytes. The instruction's
 * text, or its word. What lies at an address: "a[3]", "a:u64[1]", "a+13"; empty if it has no name.
 */
void fh_trace_register_name(const struct fh_trace_register *reg, char text[8]);
void fh_trace_instruction_text(const struct fh_trace_names *names,
                               const struct fh_trace_record *record, char *text, size_t size);
void fh_trace_object_text(struct fh_trace_names *names, const struct fh_trace_record *record,
                          const struct fh_trace_access *access, uint32_t lane, char *text,
                          size_t size);
const char *fh_trace_access_name(unsigned access);
/* Whether a register or an access is one of the parts. */
bool fh_trace_shows_register(unsigned parts, const struct fh_trace_register *reg);
bool fh_trace_shows_access(unsigned parts, const struct fh_trace_access *access);
/* Whether a record that is no instruction is one. */
bool fh_trace_shows(unsigned parts, fhec_event_kind kind);

/* json.c */
void fh_trace_json(struct fh_trace_text *text, struct fh_trace_names *names,
                   const struct fh_trace_record *record);

#endif
