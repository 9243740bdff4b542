/*
 * finding_ids.h - every kind of finding: its stable id, its checker, and its title, which the
 * manual and SARIF show. Ids are never given to another kind.
 *
 *     init C001-C019 · race C020-C029 · sync C030-C039 · async C040-C049 · bounds C050-C059
 *     operands C060-C079 · fragments C080-C089 · leaks C090-C099
 */
#ifndef FH_FINDING_IDS_H
#define FH_FINDING_IDS_H

/* FINDING(name, id, checker, title) */
#define FH_FINDINGS(FINDING)                                                                       \
    FINDING(MODULUS_ZERO_OR_ONE, "C060", OPERANDS, "a modulus of 0 or 1")                          \
    FINDING(MODULUS_EVEN, "C061", OPERANDS, "an even modulus of a Montgomery product")             \
    FINDING(MODULUS_DISAGREES, "C062", OPERANDS, "lanes of a column with different moduli")        \
    FINDING(WRONG_MU, "C063", OPERANDS, "mu is not floor(2^64 / q)")                               \
    FINDING(ACCUMULATOR_NOT_REDUCED, "C064", OPERANDS, "an accumulator of q or more")              \
    FINDING(OPERAND_NOT_REDUCED, "C065", OPERANDS, "a factor or term of q or more")                \
    FINDING(REGISTERS_SWAPPED, "C080", FRAGMENTS, "registers of a fragment in each other's place") \
    FINDING(HALVES_SWAPPED, "C081", FRAGMENTS, "the halves of a fragment in each other's place")   \
    FINDING(LANES_OFF, "C082", FRAGMENTS, "lanes of a fragment with what belongs to others")       \
    FINDING(ELEMENT_WRONG, "C083", FRAGMENTS, "elements of a fragment from elsewhere")

enum fh_finding_kind {
#define FINDING(name, id, checker, title) FH_FINDING_##name,
    FH_FINDINGS(FINDING)
#undef FINDING
        FH_FINDING_KINDS,
};

#endif
