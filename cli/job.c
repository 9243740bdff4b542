/*
 * job.c - one launch: from names and values to the kernel's parameter block, and back.
 */
#include "job.h"

#include <stdlib.h>
#include <string.h>

#include "golden.h"

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

/* Lists the kernels and their parameters: what a user needs to see to choose. */
static void say_kernels(const struct fh_cli *cli, const fhec_program *program) {
    for (size_t i = 0; i < fhec_kernel_count(program); i++) {
        fhec_kernel_info info;
        if (fhec_kernel_get(program, i, &info) != FHEC_OK)
            continue;
        char text[1024] = "";
        size_t used = 0;
        for (uint32_t p = 0; p < info.param_count && used < sizeof text; p++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s (%u bytes)",
                                     p ? ", " : "", info.params[p].name, info.params[p].size);
        fh_cli_note(cli, "kernel %s: %s", info.name, *text ? text : "no parameters");
    }
}

/* A kernel of C++ by its plain name: the only one that is mangled as _Z<length>NAME... */
static fhec_status find_mangled(struct fh_cli_job *job) {
    char prefix[300];
    int length = snprintf(prefix, sizeof prefix, "_Z%zu%s", strlen(job->kernel), job->kernel);
    size_t found = 0;
    fhec_kernel_info info;
    for (size_t i = 0; fhec_kernel_get(job->program, i, &info) == FHEC_OK; i++) {
        if (length < (int)sizeof prefix && !strncmp(info.name, prefix, (size_t)length)) {
            job->index = i;
            found++;
        }
    }
    return found == 1 ? FHEC_OK : FHEC_BAD_INPUT;
}

static fhec_status find_kernel(const struct fh_cli *cli, struct fh_cli_job *job) {
    size_t count = fhec_kernel_count(job->program);
    fhec_status status = FHEC_OK;
    job->index = 0;
    if (job->kernel) {
        status = fhec_kernel_find(job->program, job->kernel, &job->index);
        if (status != FHEC_OK)
            status = find_mangled(job);
        if (status != FHEC_OK)
            fh_cli_error(cli, status, "the program has no kernel \"%s\"", job->kernel);
    } else if (count != 1) {
        status = FHEC_BAD_INPUT;
        fh_cli_error(cli, status, "the program has %zu kernels; choose one with --kernel", count);
    }
    if (status == FHEC_OK)
        status = fhec_kernel_get(job->program, job->index, &job->info);
    else
        say_kernels(cli, job->program);
    return status;
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
    const char *near = fh_cli_nearest(name, names, count);
    fh_cli_error(cli, FHEC_BAD_INPUT, "kernel %s has no parameter \"%s\"%s%s%s", info->name, name,
                 near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    return NULL;
}

/* A number in two's complement of `size` bytes, written to `to`. */
static bool put_number(const char *text, uint32_t size, uint8_t *to) {
    bool negative = text[0] == '-';
    uint64_t value, limit = size < 8 ? (UINT64_C(1) << (8 * size)) - 1 : UINT64_MAX;
    if (!fh_cli_number(text + negative, &value))
        return false;
    if (value > (negative ? limit / 2 + 1 : limit))
        return false;
    if (negative)
        value = 0 - value;
    for (uint32_t i = 0; i < size; i++)
        to[i] = (uint8_t)(value >> (8 * i));
    return true;
}

static fhec_status put_file(const struct fh_cli *cli, const char *path,
                            const fhec_param_info *param, uint8_t *to) {
    char *bytes;
    size_t length;
    fhec_status status = fh_cli_read_file(cli, path, &bytes, &length);
    if (status != FHEC_OK)
        return status;
    if (length == param->size) {
        memcpy(to, bytes, length);
    } else {
        fh_cli_error(cli, FHEC_BAD_INPUT, "parameter %s takes %u bytes; %s has %zu", param->name,
                     param->size, path, length);
        status = FHEC_BAD_INPUT;
    }
    free(bytes);
    return status;
}

/* "17" of "modulus:17" as {u32 q, u32 0, u64 mu}. */
static bool put_modulus(const char *text, uint8_t *to) {
    uint64_t q;
    if (!fh_cli_number(text, &q) || q < 2 || q > UINT32_MAX)
        return false;
    uint64_t words[2] = {q, fh_golden_barrett_mu((uint32_t)q)};
    for (unsigned i = 0; i < 16; i++)
        to[i] = (uint8_t)(words[i / 8] >> (8 * (i % 8)));
    return true;
}

static fhec_status put_scalar(const struct fh_cli *cli, const struct fh_cli_scalar *scalar,
                              const fhec_param_info *param, uint8_t *to) {
    static const char modulus[] = "modulus:";
    const char *text = scalar->text;
    if (text[0] == '@')
        return put_file(cli, text + 1, param, to);
    if (param->size <= 8 && put_number(text, param->size, to))
        return FHEC_OK;
    if (param->size == 16 && !strncmp(text, modulus, sizeof modulus - 1) &&
        put_modulus(text + sizeof modulus - 1, to))
        return FHEC_OK;
    return fh_cli_error(cli, FHEC_BAD_INPUT, "parameter %s takes %u bytes; \"%s\" is not %s",
                        param->name, param->size, text,
                        param->size <= 8    ? "a number that fits"
                        : param->size == 16 ? "modulus:Q with 2 <= Q < 2^32, nor @FILE"
                                            : "@FILE with its bytes");
}

/* Notes that a parameter has its value; false if it had one already. */
static bool claim(const struct fh_cli *cli, const fhec_kernel_info *info,
                  const fhec_param_info *param, bool *given) {
    size_t index = (size_t)(param - info->params);
    if (given[index])
        fh_cli_error(cli, FHEC_BAD_INPUT, "parameter %s is given twice", param->name);
    bool fresh = !given[index];
    given[index] = true;
    return fresh;
}

static fhec_status fill_params(const struct fh_cli *cli, struct fh_cli_job *job, bool *given) {
    for (size_t i = 0; i < job->scalar_count; i++) {
        const fhec_param_info *param = find_param(cli, &job->info, job->scalars[i].name);
        if (!param || !claim(cli, &job->info, param, given))
            return FHEC_BAD_INPUT;
        fhec_status status = put_scalar(cli, &job->scalars[i], param, job->params + param->offset);
        if (status != FHEC_OK)
            return status;
    }
    for (size_t i = 0; i < job->buffer_count; i++) {
        const fhec_param_info *param = find_param(cli, &job->info, job->buffers[i].name);
        if (!param || !claim(cli, &job->info, param, given))
            return FHEC_BAD_INPUT;
        if (param->size != 8) {
            fh_cli_error(cli, FHEC_BAD_INPUT, "parameter %s has %u bytes; an address takes 8",
                         param->name, param->size);
            return FHEC_BAD_INPUT;
        }
    }
    for (uint32_t i = 0; i < job->info.param_count; i++) {
        if (!given[i]) {
            fh_cli_error(cli, FHEC_BAD_INPUT,
                         "parameter %s (%u bytes) of kernel %s is not given; use --arg, --in, "
                         "--out or --inout",
                         job->info.params[i].name, job->info.params[i].size, job->info.name);
            return FHEC_BAD_INPUT;
        }
    }
    return FHEC_OK;
}

fhec_status fh_cli_job_prepare(const struct fh_cli *cli, struct fh_cli_job *job) {
    fhec_status status = find_kernel(cli, job);
    if (status != FHEC_OK)
        return status;
    job->params = calloc((size_t)job->info.param_bytes + 1, 1);
    bool *given = calloc((size_t)job->info.param_count + 1, sizeof *given);
    status = job->params && given ? fill_params(cli, job, given) : fh_cli_no_memory(cli);
    free(given);
    return status;
}

/* Puts the buffers into the machine and their addresses into the parameter block. */
static fhec_status copy_in(struct fh_cli_job *job, fhec_machine *machine) {
    for (size_t i = 0; i < job->buffer_count; i++) {
        struct fh_cli_buffer *buffer = &job->buffers[i];
        size_t bytes = buffer->data.count * buffer->data.width;
        fhec_status status =
            fhec_alloc(machine, buffer->name, bytes, buffer->read_only ? FHEC_MEM_READ_ONLY : 0,
                       &buffer->address);
        if (status == FHEC_OK && bytes)
            status = fhec_write(machine, buffer->address, buffer->data.bytes, bytes);
        if (status != FHEC_OK)
            return status;
        for (uint32_t p = 0; p < job->info.param_count; p++)
            if (!strcmp(job->info.params[p].name, buffer->name))
                for (unsigned b = 0; b < 8; b++)
                    job->params[job->info.params[p].offset + b] =
                        (uint8_t)(buffer->address >> (8 * b));
    }
    return FHEC_OK;
}

static fhec_status copy_back(struct fh_cli_job *job, fhec_machine *machine) {
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < job->buffer_count && status == FHEC_OK; i++) {
        struct fh_cli_buffer *buffer = &job->buffers[i];
        size_t bytes = buffer->data.count * buffer->data.width;
        if (!buffer->read_only && bytes)
            status = fhec_read(machine, buffer->address, buffer->data.bytes, bytes);
        if (status == FHEC_OK)
            status = fhec_release(machine, buffer->address);
    }
    return status;
}

fhec_status fh_cli_job_run(const struct fh_cli *cli, struct fh_cli_job *job,
                           fhec_machine *machine) {
    fhec_status status = copy_in(job, machine);
    if (status == FHEC_OK) {
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
        struct fh_cli_progress *progress =
            fh_cli_progress_start(cli, "%s: running %s", cli->command, job->info.name);
        status = fhec_run(machine, &launch);
        fh_cli_progress_stop(progress);
    }
    if (status == FHEC_OK)
        status = copy_back(job, machine);
    if (status != FHEC_OK)
        status = fh_cli_machine_error(cli, machine, status);
    return status;
}

void fh_cli_job_free(struct fh_cli_job *job) {
    for (size_t i = 0; i < job->buffer_count; i++)
        fh_cli_data_free(&job->buffers[i].data);
    free(job->params);
    job->params = NULL;
}

fhec_status fh_cli_compare(const struct fh_cli *cli, const char *name,
                           const struct fh_cli_data *got, const struct fh_cli_data *want) {
    if (got->width != want->width || got->count != want->count) {
        fh_cli_error(cli, FHEC_DIFFERS, "%s has %zu elements of %u bytes; expected %zu of %u", name,
                     got->count, got->width, want->count, want->width);
        return FHEC_DIFFERS;
    }
    size_t first = 0, wrong = 0;
    for (size_t i = got->count; i-- > 0;)
        if (fh_cli_data_get(got, i) != fh_cli_data_get(want, i)) {
            first = i;
            wrong++;
        }
    if (!wrong)
        return FHEC_OK;
    fh_cli_error(cli, FHEC_DIFFERS,
                 "%s differs in %zu of %zu elements, first in element %zu: it is 0x%llx (%llu), "
                 "expected 0x%llx (%llu)",
                 name, wrong, got->count, first, (unsigned long long)fh_cli_data_get(got, first),
                 (unsigned long long)fh_cli_data_get(got, first),
                 (unsigned long long)fh_cli_data_get(want, first),
                 (unsigned long long)fh_cli_data_get(want, first));
    return FHEC_DIFFERS;
}
