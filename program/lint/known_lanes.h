/*
 * known_lanes.h - which lanes something is about, as far as predicates tell: a conjunction of
 * literals.
 *
 * A literal says of the lanes that a predicate is true, or false, now. With them `@P0 LDS R4` and
 * `@!P0 LDG R4` are known to be about different lanes, whose registers have nothing to do with each
 * other, as long as nothing writes P0; and so are the two sides of a branch.
 */
#ifndef FH_KNOWN_LANES_H
#define FH_KNOWN_LANES_H

#include "dataflow.h"

/* A bit for each literal: P0 to P6 and PT, UP0 to UP6 and UPT are true, then the same are false.
 * No bit: nothing is known. */
typedef uint32_t fh_lanes;

/* What is known of all lanes: PT and UPT are true. */
static const fh_lanes FH_ALL_LANES = 0x8080;

/* The literal of a predicate resource (dataflow.h) or its negation; `number` may be that of PT. */
fh_lanes fh_lanes_literal(bool uniform, unsigned number, bool negated);

/* The lanes that the instruction's guard lets through. */
fh_lanes fh_lanes_of_guard(const struct fh_inst *inst);

static inline fh_lanes fh_lanes_negation(fh_lanes literal) {
    return literal >> 16 | literal << 16;
}

/* Whether no lane can be in both. */
static inline bool fh_lanes_exclude(fh_lanes x, fh_lanes y) {
    return (x & fh_lanes_negation(y)) != 0;
}

/* Whether all of the lanes `x` are among `y`, as far as is known. */
static inline bool fh_lanes_within(fh_lanes x, fh_lanes y) {
    return (x & y) == y;
}

/* What an instruction does to predicates, made once of it. */
struct fh_lanes_effect {
    fh_lanes written; /* both literals of each that it writes; 0: none */
    fh_lanes guard;
    uint8_t kind;      /* enum in known_lanes.c: what is known of the results */
    uint8_t tables[2]; /* of a logical function */
    fh_lanes sets;     /* what it makes true, whatever was before */
    fh_lanes in[3];    /* its operands are true, */
    fh_lanes out[2];   /* and its results; 0: nobody wants it */
};
void fh_lanes_effect_of(const struct fh_inst *inst, const struct fh_uses *uses,
                        struct fh_lanes_effect *effect);

/* What follows from literals: `of` by the number of a literal's bit, for all lanes at a point of
 * the code. "@!P1 R2P PR, RZ, 0x78" makes P1 follow from P3, for one. */
struct fh_lanes_rules {
    fh_lanes of[32];
};
/* The lanes with all that follows from what is known of them, but for what follows from that. */
fh_lanes fh_lanes_complete(const struct fh_lanes_rules *rules, fh_lanes lanes);
/* What becomes of the rules by an instruction with this effect. */
void fh_lanes_rules_after(struct fh_lanes_rules *rules, const struct fh_lanes_effect *effect);
/* Joins: what is true on both ways. Whether that changed `rules`. */
bool fh_lanes_rules_join(struct fh_lanes_rules *rules, const struct fh_lanes_rules *other);

/* What is known of the lanes after an instruction with this effect, which acts on `acting` (its
 * guard's lanes included). */
fh_lanes fh_lanes_after(fh_lanes lanes, const struct fh_lanes_effect *effect, fh_lanes acting);

#endif
