/*
 * outcome.h - all that comes of a source, as one text: what is said of it, with places and notes;
 * the program disassembled; its object, field by field, as the System V ABI lays it out; the text
 * of the object read back, where that differs; the findings of its scheduling fields.
 */
#ifndef FH_TESTS_OUTCOME_H
#define FH_TESTS_OUTCOME_H

#include <stddef.h>
#include <stdint.h>

/* Sections of the text that a source asks for in its first line, "// shows: text object lint". */
enum {
    OUTCOME_TEXT = 1,
    OUTCOME_OBJECT = 2,
    OUTCOME_LINT = 4,
    OUTCOME_PLAIN = 8,    /* the text has neither lines nor scheduling fields */
    OUTCOME_PATCH = 16,   /* what the calls of fhec_insn_... become */
    OUTCOME_FOREIGN = 32, /* the object without .fhec.info, as other tools make them */
};

/* malloc'd. Files that it includes are in `folder`. */
char *outcome(const char *folder, const char *name, const char *text, size_t length,
              unsigned shows);
/* The same of an object; with OUTCOME_PATCH only that. */
char *outcome_of_object(const char *name, const uint8_t *bytes, size_t length, unsigned shows);

#endif
