/*
 * cuda_device.h - the device that the libraries of CUDA show: one machine of libfhec, made to look
 * like an A100. Both faces, runtime/ and driver/, are thin over what stands in this folder, which
 * knows nothing of their structures.
 *
 * A process has one device, made by the first call that needs it: what CUDA's API is about is the
 * process's own, so this is the one place with state of its own. All calls take its lock, so that
 * several host threads are served one after the other.
 *
 * What is asked of streams is done in the call that asks for it, in the order of the calls, which
 * is a legal order; with a seed (--seed-machine) it is put off until somebody waits, and streams
 * take turns as the seed decides (stream.h).
 */
#ifndef FH_CUDA_DEVICE_H
#define FH_CUDA_DEVICE_H

#include "fhec.h"
#include "status.h"

#pragma GCC visibility push(default)

/* What the tool adds to the device: options of the machine, observers, reports (cli/cuda). Set
 * before the first call; fields may be NULL. */
typedef struct fh_cuda_launch fh_cuda_launch;
typedef struct fh_cuda_tools {
    void *user;
    bool plain; /* calls of cuda/fhec.cuh's functions stay calls: fhec_patch_calls */
    /* Options of the machine, before it is made; `placement` begin and end are the device's. */
    void (*options)(void *user, fhec_machine_options *options);
    void (*begin)(void *user, fhec_machine *machine); /* it has been made */
    /* A module has been read from the `length` bytes at `image`, which are the caller's; NULL: it
     * has been changed since. */
    void (*module)(void *user, const fhec_program *program, const uint8_t *image, size_t length);
    /* Before a launch, which may be given another kernel, whose program must stay, and a limit. */
    void (*before)(void *user, fhec_launch *launch);
    void (*after)(void *user, const fhec_launch *launch, fhec_status status);
    void (*end)(void *user, fhec_machine *machine); /* before it is freed, by a reset */
} fh_cuda_tools;
void fh_cuda_set_tools(const fh_cuda_tools *tools);
const fh_cuda_tools *fh_cuda_get_tools(void);

/* Every call begins with one of these and ends with fh_cuda_leave. Enter takes the lock and makes
 * the device if need be; its answer is the error that the device stays with after a fault (CUDA
 * calls such errors sticky), or FH_CUDA_OK. */
fh_cuda_status fh_cuda_enter(void);
/* For calls that work without a device, or after a fault. */
void fh_cuda_enter_anyway(void);
void fh_cuda_leave(void);
/* Takes the lock alone; false: a call of another thread, or one that called this thread, has it. */
bool fh_cuda_try_enter(void);

/* The following are for those who hold the lock. */
fhec_machine *fh_cuda_machine(void);
const fhec_limits *fh_cuda_limits(void);
/* The seed by which streams take turns; 0: work is done at once. */
uint64_t fh_cuda_seed(void);
/* A fault, or a failure of the host: all later calls answer it. */
fh_cuda_status fh_cuda_fail(fh_cuda_status status);
fh_cuda_status fh_cuda_sticky(void);
/* Gives back all that the process has of the device: cudaDeviceReset. Modules are read again when
 * they are needed. */
void fh_cuda_reset(void);
/* Counts resets: what was known of kernels before one is void. */
uint64_t fh_cuda_generation(void);

/* A line on standard error, as all that these libraries say. */
void fh_cuda_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The call `name` is not one that fhec has: says so, once for each name. FH_CUDA_NOT_SUPPORTED. */
fh_cuda_status fh_cuda_missing(const char *name);
uint64_t fh_cuda_now_ns(void); /* the host's clock */

#pragma GCC visibility pop

#endif
