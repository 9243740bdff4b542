/*
 * external.h - calls of functions that the object does not hold: those that the host has, and
 * others, which are faults.
 */
#ifndef FH_EXTERNAL_H
#define FH_EXTERNAL_H

#include "exec.h"
#include "fhec_call.h"

/* Those of a machine; the names are its own. */
struct fh_host_functions {
    fhec_host_function *list;
    size_t count;
};

/* A call that a function of the host answers: lanes of a warp, at one instruction. */
struct fhec_call {
    struct fh_warp *w;
    const struct fh_op *op;
    uint32_t lanes;
    const char *name; /* of the function */
};

/* Whether the host has the function. */
bool fh_has_external(const struct fh_warp *w, const char *name);
/* Lanes call the function `name`. False after a fault: the host does not have it, or reports one;
 * else the function has returned. */
bool fh_call_external(struct fh_warp *w, const struct fh_op *op, uint32_t lanes, const char *name);

/* Whether the program names a function that the host has. */
bool fh_calls_host(const struct fh_host_functions *functions, const struct fhec_program *program);

#endif
