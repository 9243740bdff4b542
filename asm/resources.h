/*
 * resources.h - directives about the open kernel: its target, parameters, memory and registers.
 */
#ifndef FH_RESOURCES_H
#define FH_RESOURCES_H

#include "source.h"

struct fh_asm;

/* The code is for that machine, as `at` says: an error if what is before it is for another. */
void fh_take_machine(struct fh_asm *a, const fhec_limits *machine, struct fh_span at);
void fh_act_target(struct fh_asm *a);
void fh_act_param(struct fh_asm *a);
void fh_act_params(struct fh_asm *a);
void fh_act_shared(struct fh_asm *a);
void fh_act_local(struct fh_asm *a);
void fh_act_registers(struct fh_asm *a);
void fh_act_barriers(struct fh_asm *a);
void fh_act_max_threads(struct fh_asm *a);
void fh_act_required(struct fh_asm *a);
/* "sm_80, fhec": what .target says of code with these features. */
const char *fh_target_text(struct fh_asm *a, uint32_t features);

#endif
