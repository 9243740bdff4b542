/*
 * cuda_device.c - see cuda_device.h.
 */
#include "cuda_device.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "cuda_memory.h"
#include "graph.h"
#include "library.h"
#include "module.h"
#include "reservation.h"
#include "stream.h"

static struct {
    pthread_mutex_t lock; /* recursive: nvJitLink, which ptx.c calls, calls the driver */
    unsigned depth;       /* calls under way, one within another */
    fhec_machine *machine;
    fh_cuda_status sticky;
    void *range; /* of addresses, which nobody else in this process gets */
    uint64_t range_bytes;
    uint64_t seed;
    uint64_t generation;
    fh_cuda_tools tools;
    const char *missing[64]; /* calls that were asked for in vain */
    size_t missing_count;
} device = {.lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};

void fh_cuda_set_tools(const fh_cuda_tools *tools) {
    device.tools = *tools;
}

const fh_cuda_tools *fh_cuda_get_tools(void) {
    return &device.tools;
}

void fh_cuda_say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    flockfile(stderr);
    fputs("fhec cuda: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    funlockfile(stderr);
    va_end(arguments);
}

fh_cuda_status fh_cuda_missing(const char *name) {
    bool said = false;
    pthread_mutex_lock(&device.lock);
    const size_t count = device.missing_count;
    for (size_t i = 0; i < count; i++)
        said |= strcmp(device.missing[i], name) == 0;
    if (!said && count < sizeof device.missing / sizeof *device.missing)
        device.missing[device.missing_count++] = name;
    pthread_mutex_unlock(&device.lock);
    if (!said)
        fh_cuda_say("%s is not supported", name);
    return FH_CUDA_NOT_SUPPORTED;
}

uint64_t fh_cuda_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Addresses that are the device's alone: the host has nothing there, and a pointer of the device
 * that it follows is a SIGSEGV. As many as the system gives, since none is used twice. */
static bool reserve_addresses(void) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    for (uint64_t bytes = UINT64_C(1) << 45; bytes >= UINT64_C(1) << 32; bytes /= 2) {
        void *range = mmap(NULL, bytes, PROT_NONE, flags, -1, 0);
        if (range == MAP_FAILED)
            continue;
        device.range = range;
        device.range_bytes = bytes;
        return true;
    }
    return false;
}

static bool make_machine(void) {
    if (!device.range && !reserve_addresses())
        return false;
    fhec_machine_options options = {0};
    if (device.tools.options)
        device.tools.options(device.tools.user, &options);
    device.seed = options.order.kind == FHEC_ORDER_SEED ? options.order.seed : 0;
    options.placement.begin = (uintptr_t)device.range;
    options.placement.end = options.placement.begin + device.range_bytes;
    if (fhec_machine_new(&options, &device.machine) != FHEC_OK)
        return false;
    if (device.tools.begin)
        device.tools.begin(device.tools.user, device.machine);
    return true;
}

void fh_cuda_enter_anyway(void) {
    pthread_mutex_lock(&device.lock);
    device.depth++;
}

void fh_cuda_leave(void) {
    device.depth--;
    pthread_mutex_unlock(&device.lock);
}

bool fh_cuda_try_enter(void) {
    if (pthread_mutex_trylock(&device.lock) != 0)
        return false;
    if (device.depth++ == 0)
        return true;
    device.depth--;
    pthread_mutex_unlock(&device.lock);
    return false;
}

fh_cuda_status fh_cuda_enter(void) {
    fh_cuda_enter_anyway();
    if (!device.machine && !make_machine())
        return fh_cuda_fail(FH_CUDA_NO_MEMORY);
    return device.sticky;
}

fhec_machine *fh_cuda_machine(void) {
    return device.machine;
}

const fhec_limits *fh_cuda_limits(void) {
    return fhec_target_limits("sm_80");
}

uint64_t fh_cuda_seed(void) {
    return device.seed;
}

fh_cuda_status fh_cuda_fail(fh_cuda_status status) {
    if (device.sticky == FH_CUDA_OK)
        device.sticky = status;
    return status;
}

fh_cuda_status fh_cuda_sticky(void) {
    return device.sticky;
}

void fh_cuda_reset(void) {
    if (!device.machine)
        return;
    fh_cuda_flush_output();
    fh_cuda_streams_end();
    fh_cuda_graphs_end();
    fh_cuda_libraries_end();
    fh_cuda_modules_unload();
    fh_cuda_memory_end();
    fh_cuda_reservations_end();
    if (device.tools.end)
        device.tools.end(device.tools.user, device.machine);
    fhec_machine_free(device.machine);
    device.machine = NULL;
    device.sticky = FH_CUDA_OK;
    device.generation++;
}

uint64_t fh_cuda_generation(void) {
    return device.generation;
}
