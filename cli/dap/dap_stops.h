/*
 * dap_stops.h - one breakpoint as the client asked for it: a stop of the model, and what the model
 * leaves to its faces, hit conditions and log messages. dap_breakpoints.c keeps them, by group:
 * a request replaces a whole group.
 */
#ifndef FH_CLI_DAP_STOPS_H
#define FH_CLI_DAP_STOPS_H

#include "dap.h"

enum fh_dap_group {
    FH_DAP_LINES, /* of one file each */
    FH_DAP_FUNCTIONS,
    FH_DAP_INSTRUCTIONS,
    FH_DAP_DATA,
    FH_DAP_EXCEPTIONS,
};

/* "N" and ">=N": from the Nth hit on; "=N" the Nth one; "%N" each Nth one; "<N", "<=N", ">N". */
struct fh_dap_hits {
    char how[3]; /* "": every hit */
    uint64_t number;
};
/* False: it is no such condition. NULL and "" hold for every hit. */
bool fh_dap_hits_read(const char *text, struct fh_dap_hits *hits);
bool fh_dap_hits_hold(const struct fh_dap_hits *hits, uint64_t count);

struct fh_dap_stop {
    enum fh_dap_group group;
    char *key; /* of LINES: the client's name of the file */
    json_int_t id;
    struct fh_breakpoint wanted; /* whose texts are in `texts` */
    char *texts[3];              /* malloc'd; file, text, kernel */
    char *condition;             /* NULL: none; asked of all lanes of the warp that stops */
    uint64_t held;               /* hits for which it did */
    struct fh_dap_hits hits;
    char *log;       /* a message to print instead of stopping; NULL: it stops */
    unsigned number; /* of the model's stop; 0: none */
    bool gone;       /* it had a number with the debugger before this one */
    char why[200];   /* of number 0 */
};

/* What a client means by a name, an address or a data id; `stop` has its condition and its hits
 * already. False: why says what is wrong. */
bool fh_dap_stop_function(struct fh_dap *dap, struct fh_dap_stop *stop, const char *name);
bool fh_dap_stop_instruction(struct fh_dap *dap, struct fh_dap_stop *stop, const char *reference,
                             json_int_t offset);
bool fh_dap_stop_data(struct fh_dap *dap, struct fh_dap_stop *stop, const char *id,
                      const char *access);
/* A data id of registers of a warp, or of memory; malloc'd, NULL without memory. */
char *fh_dap_data_register(const uint32_t block[3], uint32_t warp, fhec_register_file file,
                           uint32_t reg);
char *fh_dap_data_memory(fhec_space space, const fhec_thread *thread, uint64_t address,
                         uint64_t bytes);

#endif
