/*
 * dap_values.h - the variables that something holds, by number: named ones first, then those with
 * an index.
 */
#ifndef FH_CLI_DAP_VALUES_H
#define FH_CLI_DAP_VALUES_H

#include "dap_handles.h"

struct fh_dap_size {
    uint64_t named, indexed;
};
struct fh_dap_size fh_dap_size_of(struct fh_dap *dap, const struct fh_dap_handle *holder);

enum fh_dap_store { FH_DAP_NO_STORE, FH_DAP_REGISTER, FH_DAP_MEMORY };

struct fh_dap_value {
    char name[64], text[200], type[16];
    char expression[64]; /* for evaluate; "": none */
    char memory[64];     /* a memory reference; "": none */
    bool is_word;        /* `word` instead of `text` */
    uint32_t word;
    bool children; /* `inner` */
    struct fh_dap_handle inner;
    /* Where it is kept. */
    enum fh_dap_store store;
    bool writable;
    uint32_t block[3], warp, lanes;
    fhec_register_file file;
    uint32_t reg;
    fhec_space space;
    uint64_t address;
    uint32_t bytes;
};
/* False: there is nothing to show. */
bool fh_dap_value_at(struct fh_dap *dap, const struct fh_dap_handle *holder, uint64_t index,
                     struct fh_dap_value *value);
/* Gives it a number; FH_DAP_REFUSED or FH_DAP_EXPRESSION has been said if that fails. */
bool fh_dap_value_set(struct fh_dap *dap, const struct fh_dap_value *value, const char *text);
/* A register of the focus' warp as a variable: "R4" of its lane, "P0", "UR6". */
bool fh_dap_value_register(struct fh_dap *dap, const char *name, struct fh_dap_value *value);
/* The client is told that what it shows may be old. */
void fh_dap_tell_changed(struct fh_dap *dap, const struct fh_dap_value *value);
/* The variable of something that has a reference. */
bool fh_dap_variable_named(struct fh_dap *dap, json_int_t reference, const char *name,
                           struct fh_dap_value *value);

#endif
