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
    FINDING(UNDEFINED_ADDRESS, "C001", INIT, "an address from undefined values")                   \
    FINDING(UNDEFINED_BRANCH, "C002", INIT, "a branch decided by undefined values")                \
    FINDING(UNDEFINED_GUARD, "C003", INIT, "an undefined guard of an instruction with effects")    \
    FINDING(UNDEFINED_MATRIX_OPERAND, "C004", INIT, "an undefined operand of a matrix unit")       \
    FINDING(UNDEFINED_BARRIER, "C005", INIT, "an undefined operand of a barrier")                  \
    FINDING(UNDEFINED_RESULT, "C006", INIT, "an undefined value stored, and read by the host")     \
    FINDING(UNWRITTEN_RESULT, "C007", INIT, "a buffer that the host reads and nobody has written") \
    FINDING(RACE_IN_WARP, "C020", RACE, "lanes of a warp race")                                    \
    FINDING(RACE_IN_BLOCK, "C021", RACE, "warps of a block race")                                  \
    FINDING(RACE_IN_GRID, "C022", RACE, "blocks race")                                             \
    FINDING(RACE_OF_SCOPES, "C023", RACE, "the scope of an operation is too small")                \
    FINDING(BARRIER_DIVERGED, "C030", SYNC, "a part of a warp at a barrier")                       \
    FINDING(BARRIER_AFTER_END, "C031", SYNC, "a barrier with lanes that have ended")               \
    FINDING(BARRIER_COUNT, "C032", SYNC, "the count of a barrier does not fit")                    \
    FINDING(WARPSYNC_MASK, "C033", SYNC, "the mask of a WARPSYNC does not fit")                    \
    FINDING(WARPSYNC_LEFT, "C034", SYNC, "awaited lanes never come to a WARPSYNC")                 \
    FINDING(SHUFFLE_FROM_INACTIVE, "C035", SYNC, "a shuffle from an inactive lane")                \
    FINDING(NEVER_RELEASED, "C036", SYNC, "lanes wait for ever")                                   \
    FINDING(COPY_READ_EARLY, "C040", ASYNC, "data of a copy is used before the wait")              \
    FINDING(COPY_WRITTEN_OVER, "C041", ASYNC, "a write to where a copy is under way")              \
    FINDING(COPY_OVERWRITES, "C042", ASYNC, "a copy overwrites what is in use")                    \
    FINDING(ANOTHER_OBJECT, "C050", BOUNDS, "an address of one variable or buffer in another one") \
    FINDING(BEYOND_OBJECT, "C051", BOUNDS, "an address of a variable or buffer in a gap")          \
    FINDING(MODULUS_ZERO_OR_ONE, "C060", OPERANDS, "a modulus of 0 or 1")                          \
    FINDING(MODULUS_EVEN, "C061", OPERANDS, "an even modulus of a Montgomery product")             \
    FINDING(MODULUS_DISAGREES, "C062", OPERANDS, "lanes of a column with different moduli")        \
    FINDING(WRONG_MU, "C063", OPERANDS, "mu is not floor(2^64 / q)")                               \
    FINDING(ACCUMULATOR_NOT_REDUCED, "C064", OPERANDS, "an accumulator of q or more")              \
    FINDING(OPERAND_NOT_REDUCED, "C065", OPERANDS, "a factor or term of q or more")                \
    FINDING(REGISTERS_SWAPPED, "C080", FRAGMENTS, "registers of a fragment in each other's place") \
    FINDING(HALVES_SWAPPED, "C081", FRAGMENTS, "the halves of a fragment in each other's place")   \
    FINDING(LANES_OFF, "C082", FRAGMENTS, "lanes of a fragment with what belongs to others")       \
    FINDING(ELEMENT_WRONG, "C083", FRAGMENTS, "elements of a fragment from elsewhere")             \
    FINDING(NOT_AS_EXPECTED, "C084", FRAGMENTS, "not what .expect says of it")                     \
    FINDING(VALUE_NOT_AS_STATED, "C085", FRAGMENTS, "a value that .expect or .ensure contradicts") \
    FINDING(ALLOCATION_UNREAD, "C090", LEAKS, "an allocation that nobody reads")                   \
    FINDING(ALLOCATION_UNWRITTEN, "C091", LEAKS, "an allocation that nobody writes")               \
    FINDING(ALLOCATION_KEPT, "C092", LEAKS, "an allocation that nobody releases")

enum fh_finding_kind {
#define FINDING(name, id, checker, title) FH_FINDING_##name,
    FH_FINDINGS(FINDING)
#undef FINDING
        FH_FINDING_KINDS,
};

#endif
