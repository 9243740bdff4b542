/*
 * trace_code.h - instructions of a trace as the timing engine knows them, where only the text of
 * the trace says what they are: registers of vectors are followed, as many as the opcode implies;
 * predicates, uniform registers and scheduling fields are not there.
 */
#ifndef FH_TRACE_CODE_H
#define FH_TRACE_CODE_H

#include "accelsim_reader.h"
#include "time_code.h"

/* The machine as it has to be for that: one that watches its registers. Results of fixed latency,
 * for which the description relies on stall counts, take as long as the pipe says. */
void fh_trace_machine(const struct fh_time_machine *machine, struct fh_time_machine *watching);

void fh_trace_op(const struct fh_time_machine *machine, const struct fh_accelsim_table *table,
                 const struct fh_accelsim_instruction *instruction, struct fh_time_op *op);

#endif
