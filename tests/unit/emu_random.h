/*
 * emu_random.h - random instructions over the whole table of forms, random numbers, and values that
 * arithmetic gets wrong.
 */
#ifndef FH_TESTS_EMU_RANDOM_H
#define FH_TESTS_EMU_RANDOM_H

#include "isa.h"

/* xorshift64*: any state but 0. */
struct emu_rng {
    uint64_t state;
};

uint64_t emu_next(struct emu_rng *rng);
/* 0..n-1 */
uint32_t emu_below(struct emu_rng *rng, uint32_t n);
/* True once in n. */
bool emu_once_in(struct emu_rng *rng, uint32_t n);
/* All kinds of 32-bit numbers: small, near powers of two, near the ends, any. */
uint32_t emu_value(struct emu_rng *rng);

/* The number that the variable of the environment has, `otherwise` where there is none. */
uint64_t emu_setting(const char *name, uint64_t otherwise);

/* A random instruction of the form: every field within its bits, mostly well-formed (alignment and
 * ranges of registers are wrong now and then, as are combinations that a check forbids). Operands
 * often share registers. */
void emu_random_inst(struct emu_rng *rng, const struct fh_form *form, struct fh_inst *inst);

/* The memory that address operand i of the instruction is about. */
enum emu_space { EMU_GLOBAL, EMU_SHARED, EMU_LOCAL, EMU_GENERIC };
enum emu_space emu_space_of(uint16_t insn, unsigned i);

/* A modulus descriptor of FHEC: q, anything, floor(2^64 / q). With `wrong`, now and then q is 0 or
 * 1 or the quotient is another. */
void emu_descriptor(struct emu_rng *rng, bool wrong, uint32_t words[4]);

#endif
