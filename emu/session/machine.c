/*
 * machine.c - making machines, their memory from the host's side, observers and statistics. What of
 * it is recorded has its public function in host.c. Launches are in run.c.
 */
#include "machine.h"

#include "fhec_patch.h"
#include "observe.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_HOST_THREADS = 256 };

static bool is_order(const fhec_order *order) {
    return order->kind == FHEC_ORDER_DEFAULT || order->kind == FHEC_ORDER_SEED ||
           (order->kind == FHEC_ORDER_CALLBACK && order->next);
}

fhec_status fhec_machine_new(const fhec_machine_options *options, fhec_machine **machine) {
    static const fhec_machine_options defaults = {0};
    *machine = NULL;
    options = options ? options : &defaults;
    struct fh_engine engine;
    if (!fh_engine_choose(options->engine, options->simd, &engine) ||
        !fh_fill_valid(&options->fill_registers) || !fh_fill_valid(&options->fill_shared) ||
        !fh_fill_valid(&options->fill_local) || !fh_fill_valid(&options->fill_global) ||
        !is_order(&options->order))
        return FHEC_BAD_INPUT;
    fhec_machine *m = calloc(1, sizeof *m);
    if (!m)
        return FHEC_HOST_ERROR;
    long cores = options->threads ? (long)options->threads : sysconf(_SC_NPROCESSORS_ONLN);
    m->engine = engine;
    m->threads = cores < 1 ? 1 : cores > MAX_HOST_THREADS ? MAX_HOST_THREADS : (unsigned)cores;
    m->fills = (struct fh_fills){options->fill_registers, options->fill_shared, options->fill_local,
                                 options->fill_global};
    m->order = options->order;
    if (!fh_memory_init(&m->memory, &options->placement)) {
        free(m);
        return FHEC_BAD_INPUT;
    }
    *machine = m;
    return FHEC_OK;
}

void fhec_machine_free(fhec_machine *machine) {
    if (!machine)
        return;
    fh_speculator_free(machine->speculator);
    fh_decoder_free(&machine->decoder);
    fh_module_free_all(&machine->modules);
    fh_transaction_free(&machine->alone);
    fh_memory_free(&machine->memory);
    fh_tally_clear(&machine->tally);
    fh_observers_free(machine);
    fh_positions_free(&machine->positions);
    fh_host_functions_free(&machine->host_functions);
    free(machine->fault_expansions);
    free(machine);
}

static fhec_status check_allocation(fhec_machine *machine, size_t bytes, unsigned flags) {
    machine->changes++;
    if (!bytes || flags & ~(unsigned)FHEC_MEM_READ_ONLY)
        return fh_machine_fail(machine, FHEC_BAD_INPUT,
                               bytes ? "unknown flags 0x%x for an allocation"
                                     : "an allocation needs at least one byte",
                               flags);
    return FHEC_OK;
}

fhec_status fh_machine_alloc(fhec_machine *machine, const char *name, size_t bytes, unsigned flags,
                             uint64_t *address) {
    *address = 0;
    fhec_status status = check_allocation(machine, bytes, flags);
    if (status != FHEC_OK)
        return status;
    status = fh_memory_alloc(&machine->memory, name ? name : "", bytes, flags & FHEC_MEM_READ_ONLY,
                             address);
    if (status != FHEC_OK)
        return fh_machine_fail(machine, status, "no host memory for an allocation of %zu bytes",
                               bytes);
    if (machine->fills.global.kind != FHEC_FILL_ZERO) /* zeros are there already */
        fh_fill_bytes(&machine->fills.global, 0, *address,
                      fh_memory_range(&machine->memory, *address, bytes)->bytes, bytes);
    return FHEC_OK;
}

fhec_status fh_machine_map(fhec_machine *machine, const char *name, uint64_t address, void *host,
                           size_t bytes, unsigned flags) {
    size_t other;
    fhec_status status = check_allocation(machine, bytes, flags);
    if (status != FHEC_OK)
        return status;
    if (!host)
        return fh_machine_fail(machine, FHEC_BAD_INPUT, "no memory is given to map");
    status = fh_memory_map(&machine->memory, name ? name : "", address, host, bytes,
                           flags & FHEC_MEM_READ_ONLY, &other);
    if (status == FHEC_HOST_ERROR)
        return fh_machine_fail(machine, status, "no host memory for a mapping");
    if (status == FHEC_BAD_INPUT && other != SIZE_MAX)
        return fh_machine_fail(machine, status, "%zu bytes at 0x%" PRIx64 " overlap with `%s`",
                               bytes, address, machine->memory.list[other].name);
    if (status == FHEC_BAD_INPUT)
        return fh_machine_fail(machine, status,
                               "%zu bytes at 0x%" PRIx64 " are no addresses of global memory",
                               bytes, address);
    return FHEC_OK;
}

fhec_status fh_machine_release(fhec_machine *machine, uint64_t address) {
    machine->changes++;
    fhec_status status = fh_memory_release(&machine->memory, address);
    if (status == FHEC_HOST_ERROR)
        return fh_machine_fail(machine, status, "no host memory to keep what is released");
    if (status != FHEC_OK)
        return fh_machine_fail(machine, status, "no allocation begins at 0x%" PRIx64, address);
    fh_machine_forget(machine, fh_memory_find(&machine->memory, address));
    return FHEC_OK;
}

void fh_machine_run_alone(fhec_machine *machine, struct fh_launch_state *launch) {
    launch->transaction = machine->memory.history ? &machine->alone : NULL;
    if (launch->transaction)
        fh_transaction_begin_alone(launch->transaction, &machine->memory);
}

void fh_machine_forget(void *machine, size_t number) {
    fhec_machine *m = machine;
    fh_transaction_forget(&m->alone, number);
    if (m->speculator)
        fh_speculator_forget(m->speculator, number);
}

static fhec_status fail_range(fhec_machine *machine, uint64_t address, size_t bytes) {
    char nearest[200];
    fh_memory_nearest(&machine->memory, address, nearest, sizeof nearest);
    return fh_machine_fail(machine, FHEC_BAD_INPUT,
                           "no allocation holds the %zu bytes at 0x%" PRIx64 "%s%s", bytes, address,
                           *nearest ? ": " : "", nearest);
}

fhec_status fh_machine_write(fhec_machine *machine, uint64_t address, const void *data,
                             size_t bytes) {
    uint8_t *to;
    fhec_status status = fh_memory_writable(&machine->memory, address, bytes, &to);
    if (status == FHEC_BAD_INPUT)
        return fail_range(machine, address, bytes);
    if (status != FHEC_OK)
        return fh_machine_fail(machine, status, "no host memory to keep what is overwritten");
    machine->changes++;
    if (bytes)
        memcpy(to, data, bytes);
    return FHEC_OK;
}

fhec_status fh_machine_read(fhec_machine *machine, uint64_t address, void *data, size_t bytes) {
    const struct fh_allocation *a = fh_memory_range(&machine->memory, address, bytes);
    if (!a)
        return fail_range(machine, address, bytes);
    if (bytes)
        memcpy(data, a->bytes + (address - a->base), bytes);
    return FHEC_OK;
}

fhec_status fhec_read(fhec_machine *machine, uint64_t address, void *data, size_t bytes) {
    fhec_status status = fh_machine_read(machine, address, data, bytes);
    if (status == FHEC_OK)
        fh_observe_host(machine, FHEC_EVENT_HOST_READ, address, bytes, data);
    return status;
}

void fhec_machine_progress(fhec_machine *machine, fhec_progress *progress) {
    const struct fh_progress *p = &machine->progress;
    atomic_store(&machine->progress_wanted, true);
    *progress = (fhec_progress){
        .launches = atomic_load(&machine->progress_launches),
        .blocks = atomic_load(&machine->progress_blocks),
        .blocks_done = atomic_load(&p->blocks_done),
        .instructions = atomic_load(&p->instructions),
        .spinning = atomic_load(&p->spinning),
    };
}

void fhec_machine_cancel(fhec_machine *machine) {
    atomic_store(&machine->cancelled, true);
}

const fhec_fault *fhec_machine_fault(const fhec_machine *machine) {
    return machine->fault.kind == FHEC_FAULT_NONE ? NULL : &machine->fault;
}

void fhec_machine_count(fhec_machine *machine, bool on) {
    machine->counting = on;
}

fhec_status fhec_machine_patch(fhec_machine *machine, const char *kernel, uint64_t pc,
                               fhec_word word) {
    return fhec_machine_patch_launch(machine, 0, kernel, pc, word);
}

fhec_status fhec_machine_patch_launch(fhec_machine *machine, uint64_t launch, const char *kernel,
                                      uint64_t pc, fhec_word word) {
    const fhec_status status = fh_decoder_patch(&machine->decoder, launch, kernel, pc, word);
    if (status == FHEC_BAD_INPUT)
        return fh_machine_fail(machine, status, "kernel %s cannot be patched at 0x%llx", kernel,
                               (unsigned long long)pc);
    return status == FHEC_OK ? status
                             : fh_machine_fail(machine, status, "no host memory for a patch");
}

uint64_t fhec_machine_patch_uses(const fhec_machine *machine, size_t index) {
    const struct fh_decoder *decoder = &machine->decoder;
    return index < decoder->patch_count ? decoder->patches[index].uses : 0;
}

void fhec_machine_limit(fhec_machine *machine, uint64_t max_steps) {
    machine->max_steps = max_steps;
}

fhec_status fhec_machine_stats(fhec_machine *machine, fhec_stats *stats) {
    const struct fh_tally *tally = &machine->tally;
    *stats = (fhec_stats){
        .launches = tally->launches,
        .warp_insts = tally->warp_insts,
        .thread_insts = tally->thread_insts,
        .fhec_cycles = tally->array_cycles,
        .counts = tally->counts,
        .count_count = tally->count,
    };
    return FHEC_OK;
}

void fhec_machine_clear_stats(fhec_machine *machine) {
    fh_tally_clear(&machine->tally);
}
