/*
 * fragment.h - where a constant's elements lie in FHEC's fragments, and in the tables that kernels
 * load them from.
 *
 * Lane l = 4 g + t. Register of A: row g + 8 (r & 1), column t + 4 (r >> 1). Register of B, half h
 * of a 16-wide operand: row t + 4 i, column g + 8 h; r = 4 h + i here. D likewise: row g + 8 (v >>
 * 1), column 2 t + (v & 1) + 8 h, r = 4 h + v. A table holds registers 4c..4c+3 of lane l in the
 * four words at 128 c + 4 l, so that each lane loads them with 128-bit accesses.
 */
#ifndef FH_FRAGMENT_H
#define FH_FRAGMENT_H

#include <stdint.h>

#include "fhec.h"

enum { FH_FRAGMENT_WORDS = 256 }; /* of a 16 x 16 operand */
enum fh_operand_kind { FH_FRAGMENT_A, FH_FRAGMENT_B, FH_FRAGMENT_D };

/* The element that word `word` of a fragment's table holds. */
static inline fhec_element fh_fragment_element(enum fh_operand_kind kind, unsigned word) {
    unsigned lane = word >> 2 & 31, r = (word >> 7) * 4 + (word & 3);
    unsigned g = lane >> 2, t = lane & 3;
    switch (kind) {
    case FH_FRAGMENT_A: return (fhec_element){g + 8 * (r & 1), t + 4 * (r >> 1)};
    case FH_FRAGMENT_B: return (fhec_element){t + 4 * (r & 3), g + 8 * (r >> 2)};
    default: return (fhec_element){g + 8 * (r >> 1 & 1), 2 * t + (r & 1) + 8 * (r >> 2)};
    }
}

/* When D of one product is the next one's A (or, transposed, B) in the same lanes, D's column
 * 2 t + p + 8 h is in A's column x = t + 4 (2 h + p); this gives the former for x. */
static inline unsigned fh_spread(unsigned x) {
    return 2 * (x & 3) + (x >> 2 & 1) + 8 * (x >> 3);
}

#endif
