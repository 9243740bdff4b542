/*
 * expectations.h - what a source says of an instruction's operands and registers (.expect), against
 * what they hold and where that came from.
 */
#ifndef FH_EXPECTATIONS_H
#define FH_EXPECTATIONS_H

#include "finding.h"
#include "fragment_map.h"
#include "term_value.h"

/* A warp at an instruction, with the origins of its registers there. */
struct fh_origin_scene {
    const struct fh_moment *moment;
    const fhec_instruction *instruction;
    const struct fh_warp_shadow *warp;
    const struct fh_origins *origins;
};

/* The index-th expectation about an operand or register of the instruction at `pc` of the launch's
 * kernel; false past the last. */
bool fh_expectation_at(const fhec_launch *launch, uint64_t pc, size_t index,
                       fhec_expectation *expectation);

/* How an expectation fails, once: of its first element in the order of registers and lanes. */
struct fh_unexpected {
    uint32_t count, of; /* elements that are another, of how many */
    uint32_t lanes;     /* that hold one */
    uint32_t reg, lane; /* of the first one; reg FHEC_NO_REGISTER: no register R */
    bool *which;        /* set for each of them, of a layout's elements; NULL: not wanted */
};

/* Whether an expectation's name for an operand is that of this one: D is Rd's, too. */
bool fh_expectation_names(const char *name, const fhec_operand *operand);
/* Whether it is about the instruction's results, which are there behind it. */
bool fh_expectation_is_about_result(const fhec_expectation *expectation,
                                    const fhec_instruction *instruction);
/* The moment is before the instruction, or, of results, behind it. `shape` is that of the operand's
 * layout; NULL: it has none. `unexpected` comes with `which` set. True: it holds; else `message`
 * has room for FH_FINDING_MESSAGE and gets one sentence. */
bool fh_expectation_holds(const struct fh_origin_scene *scene, const fhec_expectation *expectation,
                          const struct fh_fragment_shape *shape, struct fh_unexpected *unexpected,
                          char *message);

#endif
