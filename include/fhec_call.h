/*
 * fhec_call.h - functions of the host that a guest calls: those that its program does not hold,
 * such as vprintf and malloc. What fhec.h says of errors and threads holds.
 *
 *     guest:  CALL name  ->  the host's callback, for the lanes that came together  ->  behind the
 *             CALL
 *
 * By the compiler's convention the arguments are in R4, R5, ... (64 bits in a pair that begins with
 * an even one), the result goes there, and R20:R21 hold the address to which the lanes return. A
 * launch of a program that names such a function runs on one host thread, so that calls come in the
 * order of the machine's warps, the same in every run. Observers are not told of what a callback
 * does to memory and registers.
 *
 * Whoever takes a launch back (snapshots, steps backwards) has calls made again. What a callback
 * keeps should therefore be in the guest's memory, where it is taken back, too.
 */
#ifndef FHEC_CALL_H
#define FHEC_CALL_H

#include "fhec.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* A call under way. It is valid while the callback runs. */
typedef struct fhec_call fhec_call;

/* Does the function's work for the lanes of the call. False: it has reported a fault, by
 * fhec_call_fault or by an access that failed, and should have written nothing; the launch ends, or
 * stops with the warp before the call. It must not use the machine otherwise than by the functions
 * below. */
typedef bool fhec_host_function_fn(void *user, const fhec_call *call);

typedef struct fhec_host_function {
    const char *name;
    fhec_host_function_fn *function;
    void *user;
    void (*release)(void *user); /* when the machine is freed, or the name gets another function:
                                    `user` is not needed any more; NULL: nobody wants to know */
} fhec_host_function;

/* From the next launch on, calls of the function go to the host's; function NULL: they are faults
 * again. The name is copied. FHEC_BAD_INPUT while the machine has a session; FHEC_HOST_ERROR; then
 * nothing was released. */
fhec_status fhec_host_function_set(fhec_machine *machine, const fhec_host_function *function);
/* The index-th of those that have been set and not taken back; false past the last one. */
bool fhec_host_function_get(const fhec_machine *machine, size_t index,
                            fhec_host_function *function);

/* The index-th function that the program names and does not hold; NULL past the end. */
const char *fhec_program_external(const fhec_program *program, size_t index);

/* Who calls. */
typedef struct fhec_caller {
    const char *function; /* the one that is called */
    uint32_t block[3], warp;
    uint32_t lanes; /* that call it, together; at least one */
    uint64_t pc;    /* of the CALL */
} fhec_caller;
void fhec_call_caller(const fhec_call *call, fhec_caller *caller);
/* The index of a lane's thread in its block. */
void fhec_call_thread(const fhec_call *call, uint32_t lane, uint32_t thread[3]);

/* A lane's register, and two of them, the low word first. Zero where the kernel has no such
 * register; writing one is no effect, then. */
uint32_t fhec_call_register(const fhec_call *call, uint32_t lane, uint32_t reg);
uint64_t fhec_call_pair(const fhec_call *call, uint32_t lane, uint32_t reg);
void fhec_call_set_register(const fhec_call *call, uint32_t lane, uint32_t reg, uint32_t value);
void fhec_call_set_pair(const fhec_call *call, uint32_t lane, uint32_t reg, uint64_t value);

/* The guest's memory at a generic address, which may be the lane's local or its block's shared
 * memory. False after reporting the fault of an access outside; then nothing was written. */
bool fhec_call_read(const fhec_call *call, uint32_t lane, uint64_t address, void *data,
                    size_t bytes);
bool fhec_call_write(const fhec_call *call, uint32_t lane, uint64_t address, const void *data,
                     size_t bytes);

/* Reports that `lanes` did something wrong; `message` is one sentence, copied. Returns false. */
bool fhec_call_fault(const fhec_call *call, fhec_fault_kind kind, uint32_t lanes,
                     const char *message);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
