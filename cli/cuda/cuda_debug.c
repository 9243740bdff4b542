/*
 * cuda_debug.c - see cuda_debug.h.
 */
#include "cuda_debug.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "message.h"

void fh_cli_cuda_debug_begin(struct fh_cli_cuda_debug *d, const struct fh_cli *cli,
                             const struct fh_cli_cuda_options *options, fhec_machine *machine) {
    if (options->debug && !d->folder) {
        const char *place = getenv("TMPDIR");
        if (asprintf(&d->folder, "%s/fhec-debug-XXXXXX", place && *place ? place : "/tmp") < 0)
            d->folder = NULL;
        if (!d->folder || !mkdtemp(d->folder)) {
            (void)fh_cli_error(cli, FHEC_HOST_ERROR, "--debug: no temporary folder: %s",
                               strerror(errno));
            free(d->folder);
            d->folder = NULL;
            return;
        }
        d->options = *options;
        d->options.record = d->folder;
        d->options.record_kernel = options->debug_kernel;
        d->options.record_number = options->debug_number;
    }
    d->record.cli = cli;
    d->record.options = d->folder ? &d->options : NULL;
    d->record.machine = machine;
}

void fh_cli_cuda_debug_before(struct fh_cli_cuda_debug *d, const fhec_launch *launch) {
    fh_cli_cuda_record_before(&d->record, launch);
    if (d->record.folder && asprintf(&d->script, "%s/launch.fhec", d->record.folder) < 0)
        d->script = NULL;
}

/* In a process of its own, whose libraries are the system's. */
static void debug_script(const struct fh_cli *cli, const char *script) {
    const char *tool = getenv(FH_CLI_CUDA_TOOL);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        unsetenv("LD_LIBRARY_PATH");
        execlp(tool ? tool : "fhec", "fhec", "debug", "--script", script, (char *)NULL);
        (void)fh_cli_error(cli, FHEC_HOST_ERROR, "--debug: cannot run %s: %s", tool ? tool : "fhec",
                           strerror(errno));
        _exit(FHEC_HOST_ERROR);
    }
    if (child < 0)
        (void)fh_cli_error(cli, FHEC_HOST_ERROR, "--debug: cannot start a process: %s",
                           strerror(errno));
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
}

void fh_cli_cuda_debug_after(struct fh_cli_cuda_debug *d, const fhec_launch *launch,
                             fhec_status status) {
    fh_cli_cuda_record_after(&d->record, launch, status);
    if (d->script && !d->record.failed)
        debug_script(d->record.cli, d->script);
    free(d->script);
    d->script = NULL;
}

static int remove_one(const char *path, const struct stat *what, int kind, struct FTW *where) {
    (void)what, (void)kind, (void)where;
    return remove(path);
}

void fh_cli_cuda_debug_end(struct fh_cli_cuda_debug *d) {
    if (!d->folder)
        return;
    if (!d->record.count && !d->record.failed)
        fh_cli_note(d->record.cli, "--debug: there was no such launch");
    (void)nftw(d->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(d->folder);
    d->folder = NULL;
    d->record.options = NULL;
}
