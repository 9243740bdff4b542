/*
 * variables.c - what compiled programs have beside kernels: a list of everything in them, variables
 * that are set before a run and shown after it, and instructions that fhec cannot execute.
 */
#include <stdlib.h>
#include <string.h>

#include "job.h"

void fh_cli_list(const fhec_program *program) {
    fhec_kernel_info k;
    for (size_t i = 0; fhec_kernel_get(program, i, &k) == FHEC_OK; i++) {
        printf("kernel %s: %u registers", k.name, k.registers);
        if (k.shared_bytes)
            printf(", %u bytes shared", k.shared_bytes);
        if (k.local_bytes)
            printf(", %u bytes local", k.local_bytes);
        printf(", %u instructions\n", k.word_count);
        for (uint32_t p = 0; p < k.param_count; p++)
            printf("    %-16s %4u bytes at 0x%x\n", k.params[p].name, k.params[p].size,
                   k.params[p].offset);
    }
    fhec_variable_info v;
    for (size_t i = 0; fhec_variable_get(program, i, &v) == FHEC_OK; i++)
        printf("variable %s: %llu bytes%s\n", v.name, (unsigned long long)v.bytes,
               v.constant ? ", constant" : "");
}

struct context {
    const struct fh_cli *cli;
};

static void say(void *user, const fhec_diagnostic *d) {
    struct context *context = user;
    fh_cli_diagnostic((void *)context->cli, d);
}

fhec_status fh_cli_check_kernel(const struct fh_cli *cli, const struct fh_cli_job *job, bool trap) {
    struct context context = {cli};
    fhec_status status = fhec_kernel_check(job->program, job->index, say, &context);
    if (status == FHEC_HOST_ERROR)
        return fh_cli_no_memory(cli);
    if (status == FHEC_OK || trap)
        return FHEC_OK;
    return fh_cli_error(cli, FHEC_BAD_INPUT,
                        "kernel %s has instructions that fhec cannot execute; --trap-unsupported "
                        "runs it until it reaches one",
                        job->info.name);
}

static fhec_status find(const struct fh_cli *cli, const fhec_program *program, const char *name,
                        size_t *index, fhec_variable_info *info) {
    if (fhec_variable_find(program, name, index) == FHEC_OK)
        return fhec_variable_get(program, *index, info);
    const char *names[64];
    size_t count = 0;
    while (count < 64 && fhec_variable_get(program, count, info) == FHEC_OK)
        names[count++] = info->name;
    const char *near = fh_cli_nearest(name, names, count);
    return fh_cli_error(cli, FHEC_BAD_INPUT, "the program has no variable \"%s\"%s%s%s", name,
                        near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static fhec_status set_from_file(const struct fh_cli *cli, const fhec_program *program,
                                 fhec_machine *machine, size_t index,
                                 const fhec_variable_info *info, const char *path) {
    char *bytes;
    size_t length;
    fhec_status status = fh_cli_read_file(cli, path, &bytes, &length);
    if (status != FHEC_OK)
        return status;
    if (length > info->bytes)
        status = fh_cli_error(cli, FHEC_BAD_INPUT, "the variable %s has %llu bytes; %s has %zu",
                              info->name, (unsigned long long)info->bytes, path, length);
    else
        status = fhec_variable_write(machine, program, index, 0, bytes, length);
    free(bytes);
    return status;
}

fhec_status fh_cli_set_variable(const struct fh_cli *cli, const fhec_program *program,
                                fhec_machine *machine, const char *name, const char *text) {
    size_t index;
    fhec_variable_info info;
    uint64_t value;
    fhec_status status = find(cli, program, name, &index, &info);
    if (status != FHEC_OK)
        return status;
    if (text[0] == '@')
        return set_from_file(cli, program, machine, index, &info, text + 1);
    bool negative = text[0] == '-';
    unsigned bits = info.bytes < 8 ? 8 * (unsigned)info.bytes : 64;
    if (info.bytes > 8 || !fh_cli_number(text + negative, &value) || (bits < 64 && value >> bits) ||
        (negative && value > UINT64_C(1) << (bits - 1)))
        return fh_cli_error(cli, FHEC_BAD_INPUT,
                            "the variable %s has %llu bytes; \"%s\" is neither a number that fits "
                            "nor @FILE",
                            name, (unsigned long long)info.bytes, text);
    value = negative ? 0 - value : value;
    return fhec_variable_write(machine, program, index, 0, &value, (size_t)info.bytes);
}

fhec_status fh_cli_get_variable(const struct fh_cli *cli, const fhec_program *program,
                                fhec_machine *machine, const char *name) {
    enum { WORDS_A_LINE = 8 };
    size_t index;
    fhec_variable_info info;
    fhec_status status = find(cli, program, name, &index, &info);
    if (status != FHEC_OK)
        return status;
    size_t bytes = (size_t)info.bytes, word = bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : 1;
    uint8_t *data = malloc(bytes + 1);
    if (!data)
        return fh_cli_no_memory(cli);
    status = fhec_variable_read(machine, program, index, 0, data, bytes);
    for (size_t i = 0; status == FHEC_OK && i < bytes; i += word) {
        uint64_t value = 0;
        memcpy(&value, data + i, word);
        bool first = i / word % WORDS_A_LINE == 0;
        if (first)
            printf("%s%s[0x%04zx]", i ? "\n" : "", name, i);
        printf(" %0*llx", (int)word * 2, (unsigned long long)value);
    }
    if (status == FHEC_OK)
        putchar('\n');
    free(data);
    return status;
}
