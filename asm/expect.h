/*
 * expect.h - .expect, .let and .ensure: what the source says of operands, registers and values
 * around an instruction.
 */
#ifndef FH_EXPECT_H
#define FH_EXPECT_H

#include <stdint.h>

struct fh_asm;

void fh_act_expect(struct fh_asm *a);
void fh_act_let(struct fh_asm *a);
void fh_act_ensure(struct fh_asm *a);
/* Moves those of the open code into the program, as those of kernel `kernel`. Reports what its
 * instruction does not have. */
void fh_expectations_take(struct fh_asm *a, uint32_t kernel);

#endif
