/*
 * files.c - files out, which appear complete or not at all. Files in are read by input.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

/* A file that rename would replace; devices and pipes are written to instead. */
static bool replaceable(const char *path) {
    struct stat status;
    return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}

static bool write_all(int file, const char *bytes, size_t length) {
    while (length) {
        ssize_t wrote = write(file, bytes, length);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return false;
        bytes += wrote;
        length -= (size_t)wrote;
    }
    return true;
}

/* Closes a file after writing; whether all of that went well. errno is the first failure's. */
static bool closed(int file, bool written) {
    int error = errno;
    if (close(file) != 0 && written)
        return false;
    errno = error;
    return written;
}

/* Makes `output->beside` hold the bytes; false with errno on failure. */
static bool write_beside(struct fh_cli_output *output, const void *bytes, size_t length) {
    char *name;
    if (asprintf(&name, "%s.XXXXXX", output->path) < 0)
        return false;
    int file = mkstemp(name);
    if (file < 0) {
        free(name);
        return false;
    }
    output->beside = name;
    mode_t mask = umask(0);
    umask(mask);
    return closed(file, write_all(file, bytes, length) && fchmod(file, 0666 & ~mask) == 0);
}

static bool write_in_place(const char *path, const void *bytes, size_t length) {
    if (!strcmp(path, "-"))
        return fwrite(bytes, 1, length, stdout) == length;
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    return closed(file, write_all(file, bytes, length));
}

fhec_status fh_cli_output(const struct fh_cli *cli, struct fh_cli_outputs *outputs,
                          const char *path, const void *bytes, size_t length) {
    struct fh_cli_output *files = reallocarray(outputs->files, outputs->count + 1, sizeof *files);
    if (files)
        outputs->files = files;
    bool beside = strcmp(path, "-") != 0 && replaceable(path);
    /* A symbolic link stays one: what it points to is replaced. */
    char *real = beside ? realpath(path, NULL) : NULL;
    char *copy = real || !files ? real : strdup(path);
    if (!copy || !files) {
        free(copy);
        return fh_cli_no_memory(cli);
    }
    struct fh_cli_output *output = &files[outputs->count++];
    *output = (struct fh_cli_output){copy, NULL};
    bool good = beside ? write_beside(output, bytes, length) : write_in_place(path, bytes, length);
    if (!good) {
        fh_cli_error(cli, FHEC_HOST_ERROR, "cannot write %s: %s", path, strerror(errno));
        return FHEC_HOST_ERROR;
    }
    return FHEC_OK;
}

fhec_status fh_cli_commit(const struct fh_cli *cli, struct fh_cli_outputs *outputs) {
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < outputs->count && status == FHEC_OK; i++) {
        struct fh_cli_output *output = &outputs->files[i];
        if (!output->beside)
            continue;
        if (rename(output->beside, output->path) != 0) {
            fh_cli_error(cli, FHEC_HOST_ERROR, "cannot write %s: %s", output->path,
                         strerror(errno));
            status = FHEC_HOST_ERROR;
        } else {
            free(output->beside);
            output->beside = NULL;
        }
    }
    fh_cli_discard(outputs);
    return status;
}

void fh_cli_discard(struct fh_cli_outputs *outputs) {
    for (size_t i = 0; i < outputs->count; i++) {
        if (outputs->files[i].beside)
            unlink(outputs->files[i].beside);
        free(outputs->files[i].beside);
        free(outputs->files[i].path);
    }
    free(outputs->files);
    *outputs = (struct fh_cli_outputs){NULL, 0};
}

fhec_status fh_cli_flush(const struct fh_cli *cli) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return FHEC_OK;
    fh_cli_error(cli, FHEC_HOST_ERROR, "cannot write to standard output: %s", strerror(errno));
    return FHEC_HOST_ERROR;
}
