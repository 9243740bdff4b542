/*
 * term_value.h - what an expression of .expect (fhec_expectation) amounts to.
 */
#ifndef FH_TERM_VALUE_H
#define FH_TERM_VALUE_H

#include "fhec_observe.h"

/* A warp at an instruction: as an event tells it (ISSUE, RETIRE), or where a session stands. */
struct fh_moment {
    const fhec_launch *launch;
    uint32_t block[3], warp;
    uint32_t active;             /* lanes for which the instruction's guard holds */
    const fhec_event *event;     /* whose registers are read; NULL: */
    const fhec_session *session; /* those of the warp as it stands */
};
struct fh_moment fh_moment_of(const fhec_event *event);
/* As fhec_event_register. */
bool fh_moment_register(const struct fh_moment *moment, fhec_register_file file, uint32_t reg,
                        uint32_t values[FHEC_WARP_LANES]);

/* What its names stand for. */
struct fh_term_names {
    const struct fh_moment *moment; /* warp, block, registers */
    uint32_t row, column, lane;
    bool has_modulus;
    uint32_t modulus;
};

/* False where it has no value: a division by zero, more than 127 bits, q of an instruction that has
 * none. */
bool fh_term_value(const fhec_expectation *expectation, const struct fh_term_names *names,
                   __int128 *value);

/* The launch's parameter of that name, of up to eight bytes; false if there is none. */
bool fh_launch_parameter(const fhec_launch *launch, const char *name, uint64_t *value);

#endif
