/*
 * accelsim_files.c - see accelsim_files.h.
 */
#include "accelsim_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "accelsim_writer.h"
#include "message.h"
#include "output.h"
#include "packed_file.h"

struct fh_cli_accelsim {
    const struct fh_cli *cli;
    const struct fh_cli_trace_options *options;
    struct fh_cli_outputs files;
    FILE *to; /* the launch's file */
    struct fh_cli_packed *packed;
    struct fh_trace_bytes list;
    struct fh_accelsim_writer *writer;
    char *path;         /* of the file that is written */
    fhec_status status; /* of the first thing that failed, which has been said */
};

static bool said(struct fh_cli_accelsim *a, fhec_status status) {
    if (a->status == FHEC_OK)
        a->status = status;
    return status == FHEC_OK;
}

static bool cannot_write(struct fh_cli_accelsim *a) {
    if (a->status == FHEC_OK)
        (void)fh_cli_error(a->cli, FHEC_HOST_ERROR, "cannot write %s: %s", a->path,
                           strerror(errno ? errno : EIO));
    return said(a, FHEC_HOST_ERROR);
}

/* The path of `name` in the folder becomes a->path. */
static bool set_path(struct fh_cli_accelsim *a, const char *name) {
    const size_t size = strlen(a->options->accelsim) + strlen(name) + 2;
    free(a->path);
    a->path = malloc(size);
    if (!a->path)
        return said(a, fh_cli_no_memory(a->cli));
    snprintf(a->path, size, "%s/%s", a->options->accelsim, name);
    return true;
}

/* ---------------------------------------------------------------- what the writer calls */

static bool list(void *user, const char *line, size_t length) {
    struct fh_cli_accelsim *a = user;
    fh_trace_put(&a->list, line, length);
    return !a->list.failed || said(a, fh_cli_no_memory(a->cli));
}

static bool begin(void *user, uint64_t id, char *name, size_t size) {
    struct fh_cli_accelsim *a = user;
    const bool packed = a->options->packed;
    snprintf(name, size, "kernel-%llu.traceg%s", (unsigned long long)id, packed ? ".xz" : "");
    if (!set_path(a, name))
        return false;
    const size_t length = strlen(name);
    snprintf(name + length, size - length, "\n");
    fhec_status status = fh_cli_output_add(a->cli, &a->files, a->path);
    if (status == FHEC_OK) {
        a->to = fh_cli_output_open(a->cli, &a->files, a->path, true);
        status = a->to ? FHEC_OK : FHEC_HOST_ERROR;
    }
    if (status == FHEC_OK && !(a->packed = fh_cli_packed_writer(a->to, packed)))
        status = fh_cli_no_memory(a->cli);
    return said(a, status);
}

static bool write_bytes(void *user, const void *bytes, size_t size) {
    struct fh_cli_accelsim *a = user;
    errno = 0;
    return fh_cli_packed_write(a->packed, bytes, size) || cannot_write(a);
}

static bool end(void *user) {
    struct fh_cli_accelsim *a = user;
    bool fine = true;
    errno = 0;
    if (a->packed)
        fine = fh_cli_packed_finish(a->packed);
    if (a->to && fclose(a->to) != 0)
        fine = false;
    fh_cli_packed_free(a->packed);
    a->packed = NULL;
    a->to = NULL;
    return fine || cannot_write(a);
}

static bool wants(void *user, const fhec_launch *launch, uint64_t number) {
    const struct fh_cli_accelsim *a = user;
    const struct fh_trace_select *s = &a->options->select;
    fhec_kernel_info info = {.name = ""};
    (void)fhec_kernel_get(launch->program, launch->kernel, &info);
    bool named = !s->counts[FH_TRACE_BY_KERNEL];
    for (size_t i = 0; i < s->counts[FH_TRACE_BY_KERNEL]; i++)
        named |= strcmp(s->ranges[FH_TRACE_BY_KERNEL][i].name, info.name) == 0;
    return named && fh_trace_select_holds(s, FH_TRACE_BY_LAUNCH, number);
}

/* ---------------------------------------------------------------- open and close */

static void discard(struct fh_cli_accelsim *a) {
    if (a->to)
        (void)end(a);
    fh_cli_output_discard(&a->files);
    fh_trace_bytes_free(&a->list);
    free(a->path);
    free(a);
}

fhec_status fh_cli_accelsim_open(const struct fh_cli *cli,
                                 const struct fh_cli_trace_options *options, fhec_machine *machine,
                                 struct fh_cli_accelsim **files) {
    *files = NULL;
    if (options->packed && fh_cli_packed_missing())
        return fh_cli_error(cli, FHEC_BAD_INPUT, "--trace-xz: %s", fh_cli_packed_missing());
    if (mkdir(options->accelsim, 0777) != 0 && errno != EEXIST)
        return fh_cli_error(cli, FHEC_HOST_ERROR, "cannot make the folder %s: %s",
                            options->accelsim, strerror(errno));
    struct fh_cli_accelsim *a = calloc(1, sizeof *a);
    if (!a)
        return fh_cli_no_memory(cli);
    a->cli = cli;
    a->options = options;
    const struct fh_accelsim_out out = {
        .user = a, .list = list, .begin = begin, .write = write_bytes, .end = end, .wants = wants};
    if (set_path(a, "kernelslist.g") && said(a, fh_cli_output_add(cli, &a->files, a->path)) &&
        fh_accelsim_write(machine, &out, options->imma, &a->writer) != FHEC_OK)
        (void)said(a, fh_cli_no_memory(cli));
    const fhec_status status = a->status;
    if (status == FHEC_OK) {
        *files = a;
        return status;
    }
    (void)fh_accelsim_write_end(a->writer);
    discard(a);
    return status;
}

fhec_status fh_cli_accelsim_close(struct fh_cli_accelsim *a, bool complete) {
    if (!a)
        return FHEC_OK;
    if (!fh_accelsim_write_end(a->writer) && a->status == FHEC_OK)
        (void)said(a, fh_cli_no_memory(a->cli));
    fhec_status status = a->status;
    if (status == FHEC_OK && complete) {
        status = set_path(a, "kernelslist.g")
                     ? fh_cli_output_write(a->cli, &a->files, a->path, a->list.bytes, a->list.count)
                     : a->status;
        if (status == FHEC_OK)
            status = fh_cli_output_commit(a->cli, &a->files);
    }
    discard(a);
    return status;
}
