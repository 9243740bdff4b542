/*
 * cuda_launch.c - see cuda_launch.h.
 */
#include "cuda_launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_runtime.h"

enum { WARP = FHEC_WARP_LANES, STACK = 1024 };

static uint32_t stack_bytes = STACK;
static uint64_t heap_bytes = 8 << 20, printf_bytes = 1 << 20;
static uint64_t faults;

uint32_t fh_cuda_stack_bytes(void) {
    return stack_bytes;
}

fh_cuda_status fh_cuda_set_stack_bytes(uint64_t bytes) {
    if (bytes > fh_cuda_limits()->thread_local_bytes)
        return FH_CUDA_INVALID_VALUE;
    stack_bytes = (uint32_t)(bytes + 15) / 16 * 16;
    return FH_CUDA_OK;
}

uint64_t fh_cuda_heap_bytes(void) {
    return heap_bytes;
}

uint64_t fh_cuda_printf_bytes(void) {
    return printf_bytes;
}

/* Both are fixed once a kernel that needs them has been launched. */
static fh_cuda_status set_once(uint64_t *limit, uint64_t bytes) {
    if (fh_device_runtime_of(fh_cuda_machine()) && bytes != *limit)
        return FH_CUDA_INVALID_VALUE;
    *limit = bytes;
    return FH_CUDA_OK;
}

fh_cuda_status fh_cuda_set_heap_bytes(uint64_t bytes) {
    return set_once(&heap_bytes, bytes);
}

fh_cuda_status fh_cuda_set_printf_bytes(uint64_t bytes) {
    return set_once(&printf_bytes, bytes);
}

uint64_t fh_cuda_faults(void) {
    return faults;
}

/* ---------------------------------------------------------------- printf, malloc, assert */

static void put_text(void *user, enum fh_device_output output, const char *text, size_t length) {
    (void)user;
    fwrite(text, 1, length, output == FH_DEVICE_PRINTF ? stdout : stderr);
}

static bool give_runtime(const fhec_program *program) {
    fh_device_runtime *runtime;
    if (!fh_device_runtime_wanted(program) || fh_device_runtime_of(fh_cuda_machine()))
        return true;
    const struct fh_device_options options = {
        .heap_bytes = heap_bytes, .printf_bytes = printf_bytes, .text = put_text};
    return fh_device_runtime_new(fh_cuda_machine(), &options, &runtime) == FHEC_OK;
}

void fh_cuda_flush_output(void) {
    fh_device_runtime *runtime = fh_cuda_machine() ? fh_device_runtime_of(fh_cuda_machine()) : NULL;
    if (runtime)
        (void)fh_device_runtime_flush(runtime);
}

/* ---------------------------------------------------------------- occupancy */

static uint64_t round_up(uint64_t value, uint64_t unit) {
    return (value + unit - 1) / unit * unit;
}

static uint32_t warps_of(uint32_t threads) {
    return (threads + WARP - 1) / WARP;
}

/* Registers are given to warps in units, and warps to one of four parts of a multiprocessor. */
static uint32_t warps_by_registers(uint32_t registers) {
    enum { PARTS = 4 };
    const fhec_limits *l = fh_cuda_limits();
    if (!registers)
        return l->warps;
    const uint32_t warp = (uint32_t)round_up((uint64_t)registers * WARP, l->register_unit);
    return l->registers / PARTS / warp * PARTS;
}

uint32_t fh_cuda_kernel_threads(const fh_cuda_kernel *kernel) {
    const uint32_t *bound = kernel->info.max_threads;
    uint32_t most = fh_cuda_limits()->block_threads;
    const uint32_t by_registers = warps_by_registers(kernel->info.registers) * WARP;
    if (by_registers < most)
        most = by_registers;
    if (kernel->info.required_threads[0])
        bound = kernel->info.required_threads;
    const uint64_t bounded = (uint64_t)bound[0] * bound[1] * bound[2];
    return bounded && bounded < most ? (uint32_t)bounded : most;
}

uint32_t fh_cuda_occupancy(const fh_cuda_kernel *kernel, uint32_t threads,
                           uint64_t dynamic_shared) {
    const fhec_limits *l = fh_cuda_limits();
    const uint32_t warps = warps_of(threads);
    if (!warps || threads > fh_cuda_kernel_threads(kernel) ||
        kernel->info.shared_bytes + dynamic_shared > l->block_shared)
        return 0;
    const uint64_t shared =
        round_up(kernel->info.shared_bytes + dynamic_shared + l->block_shared_reserved, 128);
    uint32_t blocks = l->blocks;
    if (l->warps / warps < blocks)
        blocks = l->warps / warps;
    if (warps_by_registers(kernel->info.registers) / warps < blocks)
        blocks = warps_by_registers(kernel->info.registers) / warps;
    if (l->shared / shared < blocks)
        blocks = (uint32_t)(l->shared / shared);
    return blocks;
}

uint64_t fh_cuda_available_shared(const fh_cuda_kernel *kernel, uint32_t blocks, uint32_t threads) {
    const fhec_limits *l = fh_cuda_limits();
    if (!blocks || fh_cuda_occupancy(kernel, threads, 0) < blocks)
        return 0;
    uint64_t all = l->shared / blocks / 128 * 128;
    const uint64_t taken = kernel->info.shared_bytes + l->block_shared_reserved;
    if (all > l->block_shared + l->block_shared_reserved)
        all = l->block_shared + l->block_shared_reserved;
    return all > taken ? all - taken : 0;
}

/* ---------------------------------------------------------------- launches */

static fh_cuda_status check(const fh_cuda_launch *launch) {
    const fhec_limits *l = fh_cuda_limits();
    const fh_cuda_kernel *k = launch->kernel;
    for (unsigned i = 0; i < 3; i++)
        if (!launch->grid[i] || launch->grid[i] > l->grid[i] || !launch->block[i] ||
            launch->block[i] > l->block[i])
            return FH_CUDA_INVALID_CONFIGURATION;
    const uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    if (threads > l->block_threads)
        return FH_CUDA_INVALID_CONFIGURATION;
    const uint32_t *required = k->info.required_threads;
    for (unsigned i = 0; required[0] && i < 3; i++)
        if (launch->block[i] != required[i])
            return FH_CUDA_INVALID_CONFIGURATION;
    if (launch->shared > k->dynamic_shared)
        return FH_CUDA_INVALID_VALUE;
    if (threads > fh_cuda_kernel_threads(k))
        return FH_CUDA_OUT_OF_RESOURCES;
    const uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    const uint64_t resident =
        (uint64_t)fh_cuda_occupancy(k, (uint32_t)threads, launch->shared) * l->multiprocessors;
    if (launch->cooperative && blocks > resident)
        return FH_CUDA_COOPERATIVE_TOO_LARGE;
    return FH_CUDA_OK;
}

fh_cuda_status fh_cuda_launch_make(fh_cuda_launch *launch, void *const *args, const void *block,
                                   size_t block_bytes) {
    const fhec_kernel_info *info = &launch->kernel->info;
    fh_cuda_status status = check(launch);
    if (status != FH_CUDA_OK)
        return status;
    if (info->param_count && !args && !block)
        return FH_CUDA_INVALID_VALUE;
    launch->params = calloc(1, info->param_bytes + 1u);
    if (!launch->params)
        return FH_CUDA_NO_MEMORY;
    for (uint32_t i = 0; args && i < info->param_count; i++) {
        const fhec_param_info *p = &info->params[i];
        memcpy(launch->params + p->offset, args[i], p->size);
    }
    if (!args && block)
        memcpy(launch->params, block,
               block_bytes < info->param_bytes ? block_bytes : info->param_bytes);
    return FH_CUDA_OK;
}

static fh_cuda_status status_of(const fhec_fault *fault) {
    switch (fault->kind) {
    case FHEC_FAULT_OUT_OF_BOUNDS:
    case FHEC_FAULT_FREED:
    case FHEC_FAULT_READ_ONLY: return FH_CUDA_ILLEGAL_ADDRESS;
    case FHEC_FAULT_MISALIGNED: return FH_CUDA_MISALIGNED;
    case FHEC_FAULT_REGISTER:
    case FHEC_FAULT_ILLEGAL: return FH_CUDA_ILLEGAL_INSTRUCTION;
    case FHEC_FAULT_DEADLOCK:
    case FHEC_FAULT_STEP_LIMIT: return FH_CUDA_TIMEOUT;
    case FHEC_FAULT_TRAP:
        return fault->message && strcasestr(fault->message, "assertion") ? FH_CUDA_ASSERT
                                                                         : FH_CUDA_LAUNCH_FAILED;
    default: return FH_CUDA_LAUNCH_FAILED;
    }
}

static fh_cuda_status faulted(void) {
    const fhec_fault *fault = fhec_machine_fault(fh_cuda_machine());
    char text[4096];
    fhec_format_fault(fault, text, sizeof text);
    fh_cuda_flush_output();
    fh_cuda_say("%s", text);
    faults++;
    return fh_cuda_fail(status_of(fault));
}

fh_cuda_status fh_cuda_launch_run(const fh_cuda_launch *launch) {
    const fh_cuda_kernel *k = launch->kernel;
    const fh_cuda_tools *tools = fh_cuda_get_tools();
    fhec_launch run = {
        .program = fh_cuda_module_program(k->module),
        .kernel = k->index,
        .grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
        .block = {launch->block[0], launch->block[1], launch->block[2]},
        .dynamic_shared = launch->shared,
        .stack_bytes = stack_bytes,
        .params = launch->params,
        .param_bytes = k->info.param_bytes,
    };
    fh_cuda_managed_to_device();
    /* The tool sees the memory as the launch does; it may put another program in the place. */
    if (!give_runtime(run.program))
        return fh_cuda_fail(FH_CUDA_NO_MEMORY);
    if (tools->before)
        tools->before(tools->user, &run);
    if (!give_runtime(run.program))
        return fh_cuda_fail(FH_CUDA_NO_MEMORY);
    const fhec_status status = fhec_run(fh_cuda_machine(), &run);
    if (tools->after)
        tools->after(tools->user, &run, status);
    fh_cuda_managed_from_device();
    if (status == FHEC_OK)
        return FH_CUDA_OK;
    if (status == FHEC_GUEST_FAULT)
        return faulted();
    fh_cuda_say("%s: %s", k->info.name, fhec_machine_error(fh_cuda_machine()));
    return status == FHEC_HOST_ERROR ? fh_cuda_fail(FH_CUDA_NO_MEMORY) : FH_CUDA_LAUNCH_FAILED;
}
