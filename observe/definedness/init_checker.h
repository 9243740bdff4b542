/*
 * init_checker.h - the checker `init`: values that nobody has written, reported where they matter.
 *
 *     init_checker.c   events; the short way of instructions all of whose sources are defined
 *     init_plan.h      what an instruction does with undefined bits, from its word
 *     init_rules.c     the rules of lanes one by one      init_cross.c   of several lanes
 *     init_access.c    loads, stores, atomic operations, copies
 *     init_matrix.c    padded matrix products
 *     init_step.c      sources and results of rules
 *     init_report.c    findings
 *     defined_bits.h         which bits are defined             undefined_cause.h   where others
 * came from
 *
 * The rules are Memcheck's (Seward and Nethercote, Using Valgrind to detect undefined value errors
 * with bit-precision, USENIX ATC 2005): undefined bits are not reported when they are moved,
 * combined or stored, but when they decide what is accessed, where lanes go, whom they wait for,
 * what a matrix unit multiplies, or when the host reads them.
 */
#ifndef FH_INIT_CHECKER_H
#define FH_INIT_CHECKER_H

#include "checker.h"
#include "defined_bits.h"
#include "event_code.h"
#include "init_plan.h"
#include "undefined_cause.h"

extern const struct fh_checker_row fh_check_init;
/* The same of one kind of value only, for the checker `sync`: what lanes get by SHFL from lanes
 * that are not active. All else is defined. */
extern const struct fh_checker_row fh_check_shuffles;

struct fh_init_checker {
    fhec_machine *machine;
    unsigned observer;
    struct fh_findings *findings;
    struct fh_code *code;
    struct fh_causes *origins;
    struct fh_defined shadow;
    bool failed;
    bool shuffles; /* it is fh_check_shuffles */
    bool any;      /* there has been something undefined, of fh_check_shuffles */
    /* Of fh_check_shuffles: the kernel looked at last, and whether it shuffles. */
    const fhec_program *looked_at;
    size_t looked_kernel;
    bool has_shuffles;
    /* The entries of the code of the kernel that runs, by pc / 16; NULL: not met so far. */
    const struct fh_code_entry **entries;
    size_t entry_room;
    /* The warp whose events came last. */
    struct fh_warp_bits *warp; /* NULL: none */
    struct fh_block_bits *block;
    uint64_t launch;
    uint32_t block_id[3], warp_index;
    /* Of the instruction under way: data of an atomic operation, ... */
    uint32_t compared_lanes; /* of what memory is compared with */
    uint32_t data_lanes, data[2][FHEC_WARP_LANES], data_origin;
    /* ... and of an asynchronous copy. */
    uint32_t copied_lanes, copied_origin;
    uint8_t copied[FHEC_WARP_LANES][16]; /* undefined bits */
};

/* An instruction some of whose sources are undefined. */
struct fh_init_step {
    struct fh_init_checker *checker;
    const fhec_event *event;
    const struct fh_code_entry *entry;
    const struct fh_init_plan *plan;
    struct fh_warp_bits *warp;
    uint32_t active; /* lanes that act; where the guard is undefined they do not count */
    uint32_t origin; /* of undefined results */
};

/* ---------------------------------------------------------------- sources and results */

/* Row `i` of a source: undefined bits and values of all lanes. */
void fh_init_get(const struct fh_init_step *s, const struct fh_init_source *source, unsigned i,
                 uint32_t value[FHEC_WARP_LANES], uint32_t undefined[FHEC_WARP_LANES]);
/* Predicates as lane masks; the sign is applied. */
void fh_init_get_predicate(const struct fh_init_step *s, const struct fh_init_source *source,
                           uint32_t *value, uint32_t *undefined);
/* Lanes in which bits that matter of the plan's i-th read are undefined. */
uint32_t fh_init_undefined(const struct fh_init_step *s, unsigned i);
/* Row `i` of the result, in the active lanes. */
void fh_init_put(const struct fh_init_step *s, unsigned i,
                 const uint32_t undefined[FHEC_WARP_LANES]);
/* Rows of the register file: `undefined` bits of one lane. */
void fh_init_put_lane(struct fh_warp_bits *warp, uint32_t row, uint32_t lane, uint32_t undefined,
                      uint32_t origin);
/* A predicate that is a result; undefined lanes count where they are active. */
void fh_init_put_predicate(const struct fh_init_step *s, uint16_t row, uint32_t undefined);
/* All results: wholly undefined in those of `lanes`, defined in the other active ones. */
void fh_init_put_all(const struct fh_init_step *s, uint32_t lanes);
/* The number of a cause; 0 without host memory, which is noted. */
uint32_t fh_init_cause(struct fh_init_checker *c, const struct fh_cause *made);
/* The origin of what is undefined in a row that the instruction reads. */
uint32_t fh_init_origin(const struct fh_init_step *s, uint32_t row);

/* Bytes of a structure, aligned, that padding may share: see fh_cause's `beside`. */
static inline uint64_t fh_neighbours(fhec_space space) {
    return space == FHEC_SPACE_LOCAL ? 8 : 4;
}

/* ---------------------------------------------------------------- rules */

/* init_rules.c, init_cross.c: false if the rule is none of them. */
bool fh_init_lane_rule(const struct fh_init_step *s);
bool fh_init_cross_rule(const struct fh_init_step *s);

/* Of an atomic operation and a copy, when they are issued: what they keep for their accesses. */
void fh_init_keep_data(const struct fh_init_step *s);
void fh_init_access(struct fh_init_checker *c, const fhec_event *event,
                    const struct fh_init_plan *plan);

/* Of lanes whose register, the i-th that a matrix instruction reads, is undefined: those in which
 * that matters to the product (init_matrix.c). */
uint32_t fh_init_matrix_lanes(const struct fh_init_step *s, unsigned i, uint32_t lanes);

/* Reports undefined sources that matter; those of the reads for which `which` has a bit. What has
 * been reported is defined from then on. */
void fh_init_report_reads(const struct fh_init_step *s, unsigned kind, uint32_t which);
/* The same of a guard or another predicate. */
void fh_init_report_guard(const struct fh_init_step *s, uint32_t row, uint32_t lanes);
void fh_init_report_host(struct fh_init_checker *c, const fhec_event *event);

#endif
