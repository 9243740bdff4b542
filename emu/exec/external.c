/*
 * external.c - calls of functions that the object does not hold. The host's are called
 * (fhec_call.h); of the others the first that is reached ends the launch.
 */
#include "external.h"

#include "fault.h"
#include "launch.h"

#include <stdio.h>
#include <string.h>

/* A string of the guest's global memory, cut where it does not fit or the allocation ends. */
static void read_text(const struct fh_memory *memory, uint64_t address, char *text, size_t size) {
    size_t i = 0;
    for (; i + 1 < size; i++) {
        const struct fh_allocation *a = fh_memory_range(memory, address + i, 1);
        text[i] = a ? (char)a->bytes[address + i - a->base] : '\0';
        if (!text[i])
            break;
        if (text[i] < ' ' || text[i] == 127)
            text[i] = '?';
    }
    text[i] = '\0';
}

/* __assertfail(const char *condition, const char *file, u32 line, const char *function, size_t):
 * R4:R5, R6:R7, R8, R10:R11, R12:R13. */
static bool assertion(struct fh_warp *w, const struct fh_op *op, uint32_t lanes) {
    uint32_t lane = (uint32_t)__builtin_ctz(lanes);
    char condition[120], file[100], function[80], text[360];
    const struct fh_memory *memory = w->launch->memory;
    read_text(memory, (uint64_t)w->r[5][lane] << 32 | w->r[4][lane], condition, sizeof condition);
    read_text(memory, (uint64_t)w->r[7][lane] << 32 | w->r[6][lane], file, sizeof file);
    read_text(memory, (uint64_t)w->r[11][lane] << 32 | w->r[10][lane], function, sizeof function);
    snprintf(text, sizeof text, "the assertion `%s` of %s failed, %s:%u", condition, function, file,
             w->r[8][lane]);
    return fh_fault_lanes(w, op, FHEC_FAULT_TRAP, lanes, text);
}

static bool unknown(struct fh_warp *w, const struct fh_op *op, uint32_t lanes, const char *name) {
    char text[200];
    if (strcmp(name, "__assertfail") == 0)
        return assertion(w, op, lanes);
    snprintf(text, sizeof text,
             "%.100s is not in the object: a function of the device runtime, which fhec does not "
             "have",
             name);
    return fh_fault_lanes(w, op, FHEC_FAULT_ILLEGAL, lanes, text);
}

static const fhec_host_function *find(const struct fh_host_functions *functions, const char *name) {
    for (size_t i = 0; functions && i < functions->count; i++)
        if (strcmp(functions->list[i].name, name) == 0)
            return &functions->list[i];
    return NULL;
}

bool fh_has_external(const struct fh_warp *w, const char *name) {
    return find(w->launch->host_functions, name) != NULL;
}

bool fh_calls_host(const struct fh_host_functions *functions, const struct fhec_program *program) {
    bool any = false;
    for (uint32_t i = 0; i < program->external_count; i++)
        any |= find(functions, program->externals[i]) != NULL;
    return any;
}

bool fh_call_external(struct fh_warp *w, const struct fh_op *op, uint32_t lanes, const char *name) {
    struct fh_launch_state *launch = w->launch;
    const fhec_host_function *f = find(launch->host_functions, name);
    if (!f)
        return unknown(w, op, lanes, name);
    const fhec_call call = {.w = w, .op = op, .lanes = lanes, .name = f->name};
    launch->changed |= launch->tracked; /* nobody knows whether the next call does the same */
    if (f->function(f->user, &call) && launch->fault.kind == FHEC_FAULT_NONE)
        return true;
    return fh_fault_lanes(w, op, FHEC_FAULT_ILLEGAL, lanes, "a function of the host failed");
}

/* ---------------------------------------------------------------- for callbacks */

void fhec_call_caller(const fhec_call *call, fhec_caller *caller) {
    const struct fh_block *block = call->w->block;
    *caller = (fhec_caller){.function = call->name,
                            .block = {block->id[0], block->id[1], block->id[2]},
                            .warp = call->w->index,
                            .lanes = call->lanes,
                            .pc = call->op->pc};
}

void fhec_call_thread(const fhec_call *call, uint32_t lane, uint32_t thread[3]) {
    const uint32_t *sides = call->w->launch->image->block;
    const uint32_t t = call->w->index * FH_LANES + lane;
    thread[0] = t % sides[0];
    thread[1] = t / sides[0] % sides[1];
    thread[2] = t / sides[0] / sides[1];
}

static bool has(const fhec_call *call, uint32_t lane, uint32_t reg) {
    return lane < FH_LANES && reg < call->w->launch->image->rows && reg < FH_RZ;
}

uint32_t fhec_call_register(const fhec_call *call, uint32_t lane, uint32_t reg) {
    return has(call, lane, reg) ? call->w->r[reg][lane] : 0;
}

uint64_t fhec_call_pair(const fhec_call *call, uint32_t lane, uint32_t reg) {
    return (uint64_t)fhec_call_register(call, lane, reg + 1) << 32 |
           fhec_call_register(call, lane, reg);
}

void fhec_call_set_register(const fhec_call *call, uint32_t lane, uint32_t reg, uint32_t value) {
    if (has(call, lane, reg))
        call->w->r[reg][lane] = value;
}

void fhec_call_set_pair(const fhec_call *call, uint32_t lane, uint32_t reg, uint64_t value) {
    fhec_call_set_register(call, lane, reg, (uint32_t)value);
    fhec_call_set_register(call, lane, reg + 1, (uint32_t)(value >> 32));
}

bool fhec_call_fault(const fhec_call *call, fhec_fault_kind kind, uint32_t lanes,
                     const char *message) {
    return fh_fault_lanes(call->w, call->op, kind, lanes, message);
}
