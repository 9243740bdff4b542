/*
 * job.c - one launch: from names and values to the kernel's parameter block, and back.
 */
#include "job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "all_faults.h"
#include "buffers.h"
#include "elements.h"
#include "interrupt.h"
#include "message.h"
#include "nearest.h"
#include "options.h"
#include "progress.h"
#include "run_device.h"
#include "value.h"

bool fh_cli_dimensions(const char *text, uint32_t most, uint32_t dims[3]) {
    char copy[64], *rest = copy, *word;
    if (strlen(text) >= sizeof copy)
        return false;
    memcpy(copy, text, strlen(text) + 1);
    dims[0] = dims[1] = dims[2] = 1;
    for (unsigned i = 0; (word = strsep(&rest, ",")) != NULL; i++) {
        uint64_t value;
        if (i == 3 || !fh_cli_number(word, &value) || value < 1 || value > most)
            return false;
        dims[i] = (uint32_t)value;
    }
    return true;
}

static fhec_status find_kernel(const struct fh_cli *cli, struct fh_cli_job *job) {
    struct fh_cli_kernel kernel;
    fhec_status status = job->kernel
                             ? fh_cli_choose_kernel(cli, &job->programs, job->kernel, &kernel)
                             : fh_cli_only_kernel(cli, &job->programs, &kernel);
    if (status != FHEC_OK)
        return status;
    job->program = kernel.program;
    job->index = kernel.index;
    return fhec_kernel_get(job->program, job->index, &job->info);
}

static const fhec_param_info *find_param(const struct fh_cli *cli, const fhec_kernel_info *info,
                                         const char *name) {
    const char *names[64];
    size_t count = 0;
    for (uint32_t i = 0; i < info->param_count; i++) {
        if (!strcmp(info->params[i].name, name))
            return &info->params[i];
        if (count < 64)
            names[count++] = info->params[i].name;
    }
    const char *near = fh_nearest_of(name, names, count);
    fh_cli_error(cli, FHEC_BAD_INPUT, "kernel %s has no parameter \"%s\"%s", info->name, name,
                 fh_cli_hint(near).text);
    return NULL;
}

/* How a parameter got its value. */
enum how { NOT_GIVEN, IN_PARTS, GIVEN };
struct given {
    uint8_t *how;   /* of each parameter */
    uint8_t *bytes; /* of the parameter block: 1 where a part of a parameter has a value */
};

/* Notes that a parameter has its value, or a part of it; false if it had one already. */
static bool mark_given(const struct fh_cli *cli, const fhec_kernel_info *info,
                       const fhec_param_info *param, enum how how, const struct given *given) {
    uint8_t *state = &given->how[param - info->params];
    bool first = *state == NOT_GIVEN || (*state == IN_PARTS && how == IN_PARTS);
    if (!first)
        fh_cli_error(cli, FHEC_BAD_INPUT, "parameter %s is given twice", param->name);
    *state = (uint8_t)how;
    return first;
}

/* The parameter of a value, by its position or by its name without the offset; NULL: what is wrong
 * has been said. */
static const fhec_param_info *param_of(const struct fh_cli *cli, const fhec_kernel_info *info,
                                       const struct fh_cli_scalar *scalar, uint64_t *offset,
                                       bool *part) {
    *offset = 0;
    *part = false;
    if (!scalar->name && scalar->position <= info->param_count)
        return &info->params[scalar->position - 1];
    if (!scalar->name) {
        fh_cli_error(cli, FHEC_BAD_INPUT, "kernel %s has %u parameter%s; value %u is one too many",
                     info->name, info->param_count, info->param_count == 1 ? "" : "s",
                     scalar->position);
        return NULL;
    }
    const fhec_param_info *param = NULL;
    char *name = strdup(scalar->name);
    if (!name)
        fh_cli_no_memory(cli);
    else if (!fh_cli_cut_offset(name, offset, part))
        fh_cli_error(cli, FHEC_BAD_INPUT, "%s: expected NAME or NAME+OFFSET", scalar->name);
    else
        param = find_param(cli, info, name);
    free(name);
    return param;
}

/* One --arg: a parameter, or, with an offset in its name, a part of it. */
static fhec_status put_scalar(const struct fh_cli *cli, struct fh_cli_job *job,
                              const struct fh_cli_scalar *scalar, const struct given *given) {
    char what[200];
    uint64_t offset;
    bool part;
    const fhec_param_info *param = param_of(cli, &job->info, scalar, &offset, &part);
    if (!param || !mark_given(cli, &job->info, param, part ? IN_PARTS : GIVEN, given))
        return FHEC_BAD_INPUT;
    if (offset >= param->size && part)
        return fh_cli_error(cli, FHEC_BAD_INPUT, "parameter %s has %u bytes; there is none at %llu",
                            param->name, param->size, (unsigned long long)offset);
    snprintf(what, sizeof what, part ? "parameter %s from byte %llu on" : "parameter %s",
             param->name, (unsigned long long)offset);
    struct fh_cli_destination to = {what, job->params + param->offset + offset,
                                    param->size - offset, !part, 0};
    const fhec_status status = fh_cli_put_value(cli, job->memory, scalar->text, &to, false);
    if (status == FHEC_OK && part)
        memset(given->bytes + param->offset + offset, 1, to.used);
    return status;
}

/* Bytes of a parameter given in parts that none of them has. A hole may be padding. */
static void tell_holes(const struct fh_cli *cli, const struct fh_cli_job *job,
                       const fhec_param_info *param, const struct given *given) {
    const uint8_t *bytes = given->bytes + param->offset;
    for (uint32_t i = 0, end; i < param->size; i = end + 1) {
        for (end = i; end < param->size && !bytes[end];)
            end++;
        if (end > i)
            fh_cli_note(cli, "parameter %s of kernel %s: bytes %u to %u have no value and are 0",
                        param->name, job->info.name, i, end - 1);
    }
}

/* A buffer is the address of the parameter of its name, if that has no value. */
static fhec_status bind_buffer(const struct fh_cli *cli, struct fh_cli_job *job, size_t buffer,
                               const struct given *given) {
    const char *name = job->memory->buffers[buffer].name;
    for (uint32_t i = 0; i < job->info.param_count; i++) {
        const fhec_param_info *param = &job->info.params[i];
        if (strcmp(param->name, name) != 0 || given->how[i] != NOT_GIVEN)
            continue;
        given->how[i] = GIVEN;
        if (param->size != 8)
            return fh_cli_error(cli, FHEC_BAD_INPUT,
                                "parameter %s has %u bytes; an address takes 8", param->name,
                                param->size);
        return fh_cli_memory_fix(cli, job->memory, job->params + param->offset, buffer, 0);
    }
    return FHEC_OK;
}

/* A parameter without a value: perhaps the name of a buffer is misspelt. */
static fhec_status say_not_given(const struct fh_cli *cli, const struct fh_cli_job *job,
                                 const fhec_param_info *param) {
    for (size_t i = 0; i < job->memory->buffer_count; i++)
        if (!job->memory->buffers[i].used &&
            !find_param(cli, &job->info, job->memory->buffers[i].name))
            return FHEC_BAD_INPUT;
    return fh_cli_error(cli, FHEC_BAD_INPUT,
                        "parameter %s (%u bytes) of kernel %s is not given; use --arg, --in, "
                        "--out or --inout",
                        param->name, param->size, job->info.name);
}

/* All parameters as they lie in memory. */
static fhec_status put_raw(const struct fh_cli *cli, const struct fh_cli_job *job) {
    char what[200];
    snprintf(what, sizeof what, "the parameter block of %.150s", job->info.name);
    struct fh_cli_destination to = {what, job->params, job->info.param_bytes, true, 0};
    return fh_cli_put_value(cli, job->memory, job->raw, &to, false);
}

static fhec_status fill_params(const struct fh_cli *cli, struct fh_cli_job *job,
                               const struct given *given) {
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < job->scalar_count && status == FHEC_OK; i++)
        status = put_scalar(cli, job, &job->scalars[i], given);
    for (size_t i = 0; i < job->memory->buffer_count && status == FHEC_OK; i++)
        status = bind_buffer(cli, job, i, given);
    for (uint32_t i = 0; i < job->info.param_count && status == FHEC_OK; i++)
        if (given->how[i] == NOT_GIVEN)
            status = say_not_given(cli, job, &job->info.params[i]);
        else if (given->how[i] == IN_PARTS)
            tell_holes(cli, job, &job->info.params[i], given);
    return status;
}

fhec_status fh_cli_job_prepare(const struct fh_cli *cli, struct fh_cli_job *job) {
    fhec_status status = find_kernel(cli, job);
    if (status != FHEC_OK)
        return status;
    job->params = calloc((size_t)job->info.param_bytes + 1, 1);
    const struct given given = {.how = calloc((size_t)job->info.param_count + 1, 1),
                                .bytes = calloc((size_t)job->info.param_bytes + 1, 1)};
    if (!job->params || !given.how || !given.bytes)
        status = fh_cli_no_memory(cli);
    else
        status = job->raw ? put_raw(cli, job) : fill_params(cli, job, &given);
    free(given.how);
    free(given.bytes);
    return status;
}

fhec_status fh_cli_job_check_buffers(const struct fh_cli *cli, const struct fh_cli_job *job) {
    for (size_t i = 0; i < job->memory->buffer_count; i++) {
        const struct fh_cli_buffer *buffer = &job->memory->buffers[i];
        if (!buffer->used && find_param(cli, &job->info, buffer->name))
            fh_cli_error(cli, FHEC_BAD_INPUT, "parameter %s is given twice", buffer->name);
        if (!buffer->used)
            return FHEC_BAD_INPUT;
    }
    return FHEC_OK;
}

fhec_status fh_cli_job_launch(const struct fh_cli *cli, struct fh_cli_job *job,
                              fhec_machine *machine) {
    fhec_launch launch = {
        .program = job->program,
        .kernel = job->index,
        .dynamic_shared = job->dynamic_shared,
        .stack_bytes = job->stack,
        .params = job->params,
        .param_bytes = job->info.param_bytes,
        .max_steps = job->max_steps,
    };
    memcpy(launch.grid, job->grid, sizeof launch.grid);
    memcpy(launch.block, job->block, sizeof launch.block);
    const fhec_status ready = fh_cli_device_begin(machine, job->program);
    if (ready != FHEC_OK)
        return ready;
    struct fh_cli_progress *progress =
        fh_cli_progress_start(cli, machine, "%s: running %s", cli->command, job->info.name);
    fh_cli_interrupt_begin(machine);
    fhec_status status =
        job->all_faults ? fh_cli_run_all_faults(cli, machine, &launch) : fhec_run(machine, &launch);
    fh_cli_interrupt_end();
    fh_cli_progress_stop(progress);
    const fhec_status flushed = fh_cli_device_flush(machine);
    return status == FHEC_OK ? flushed : status;
}

fhec_status fh_cli_job_run(const struct fh_cli *cli, struct fh_cli_job *job,
                           fhec_machine *machine) {
    fhec_status status = fh_cli_memory_allocate(job->memory, machine);
    if (status == FHEC_OK)
        status = fh_cli_job_launch(cli, job, machine);
    if (status == FHEC_OK)
        status = fh_cli_memory_read_back(job->memory, machine);
    if (status != FHEC_OK)
        status = fh_cli_machine_error(cli, machine, status);
    return status;
}

void fh_cli_job_free(struct fh_cli_job *job) {
    free(job->params);
    job->params = NULL;
}
