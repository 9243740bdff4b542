/*
 * output.c - output files: where a name leads, how the file there can be replaced, and when.
 */
#include "output.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "arrays.h"
#include "message.h"
#include "temporary.h"

static fhec_status cannot_write(const struct fh_cli *cli, const char *path) {
    return fh_cli_error(cli, FHEC_HOST_ERROR, "cannot write %s: %s", path, strerror(errno));
}

/* ---------------------------------------------------------------- where a name leads */

/* The open files of processes have names, too, which are no places for files. */
static bool is_descriptor(const char *name) {
    return !strncmp(name, "/proc/", 6) || !strncmp(name, "/dev/fd/", 8);
}

/* The number of one of our own open files; -1 if the name is none of that. */
static int descriptor(const char *name) {
    int number;
    char more;
    if (sscanf(name, "/proc/self/fd/%d%c", &number, &more) == 1 ||
        sscanf(name, "/dev/fd/%d%c", &number, &more) == 1)
        return number;
    return -1;
}

/* Follows the symbolic links of a name; what they lead to need not exist. NULL: no memory. */
static char *follow(const char *path) {
    enum { MOST = 40 }; /* as Linux: opening such a name fails, and says why */
    char *name = strdup(path), to[PATH_MAX];
    for (int links = 0; name && links < MOST && !is_descriptor(name); links++) {
        ssize_t length = readlink(name, to, sizeof to - 1);
        if (length < 0)
            break;
        to[length] = 0;
        const char *slash = to[0] == '/' ? NULL : strrchr(name, '/');
        char *next;
        if (asprintf(&next, "%.*s%s", slash ? (int)(slash - name) + 1 : 0, name, to) < 0)
            next = NULL;
        free(name);
        name = next;
    }
    return name;
}

/* The folder of a name, malloc'd. */
static char *folder_of(const char *name) {
    const char *slash = strrchr(name, '/');
    return slash ? strndup(name, (size_t)(slash - name) + 1) : strdup(".");
}

/* 0, or -1 with errno: nothing can be made in the folder. */
static int check_folder(const char *target, struct stat *folder) {
    char *path = folder_of(target);
    int failed = path ? stat(path, folder) : -1;
    if (!failed)
        failed = access(path, W_OK | X_OK);
    int error = errno;
    free(path);
    errno = error;
    return failed;
}

static bool same_file(const struct fh_cli_file_identity *a, const struct fh_cli_file_identity *b) {
    return a->device == b->device && a->inode == b->inode &&
           (a->name && b->name ? !strcmp(a->name, b->name) : a->name == b->name);
}

static bool is_stdout(const struct stat *file) {
    struct stat standard;
    return fstat(STDOUT_FILENO, &standard) == 0 && standard.st_dev == file->st_dev &&
           standard.st_ino == file->st_ino;
}

/* ---------------------------------------------------------------- adding */

/* Whether a new file in the place of this one would be all that it was but for the contents. */
static bool replaceable(const struct fh_cli_output *output) {
    struct stat folder;
    return output->old.st_nlink == 1 && check_folder(output->target, &folder) == 0 &&
           folder.st_dev == output->old.st_dev && /* else a mount, as containers have of one file */
           getxattr(output->target, "system.posix_acl_access", NULL, 0) <= 0;
}

/* An output that exists: 0, or -1 with errno if it cannot be written. */
static int look_at_old(struct fh_cli_output *output) {
    const struct stat *old = &output->old;
    output->identity = (struct fh_cli_file_identity){old->st_dev, old->st_ino, NULL};
    output->method = is_stdout(old)                  ? FH_CLI_OUTPUT_STDOUT
                     : is_descriptor(output->target) ? FH_CLI_OUTPUT_STREAM
                     : S_ISREG(old->st_mode)         ? FH_CLI_OUTPUT_RENAME
                                                     : FH_CLI_OUTPUT_STREAM;
    if (S_ISDIR(old->st_mode)) {
        errno = EISDIR;
        return -1;
    }
    if (output->method != FH_CLI_OUTPUT_RENAME) /* opening a pipe is an event for its reader */
        return output->method == FH_CLI_OUTPUT_STDOUT ? 0 : access(output->target, W_OK);
    int file = open(output->target, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return -1;
    close(file);
    if (!replaceable(output))
        output->method = FH_CLI_OUTPUT_IN_PLACE;
    return 0;
}

/* An output that does not: likewise. */
static int look_at_new(struct fh_cli_output *output) {
    const char *slash = strrchr(output->target, '/');
    struct stat folder;
    if (errno != ENOENT || check_folder(output->target, &folder) != 0)
        return -1;
    output->old.st_nlink = 0;
    output->identity = (struct fh_cli_file_identity){folder.st_dev, folder.st_ino,
                                                     slash ? slash + 1 : output->target};
    return 0;
}

static bool is_file(const struct fh_cli_output *output) {
    return output->method == FH_CLI_OUTPUT_RENAME || output->method == FH_CLI_OUTPUT_IN_PLACE;
}

/* Finds out all about the output that has its path. */
static fhec_status look(const struct fh_cli *cli, struct fh_cli_output *output) {
    if (!strcmp(output->path, "-")) {
        output->method = FH_CLI_OUTPUT_STDOUT;
        return FHEC_OK;
    }
    output->target = follow(output->path);
    if (!output->target)
        return fh_cli_no_memory(cli);
    int failed =
        stat(output->target, &output->old) == 0 ? look_at_old(output) : look_at_new(output);
    return failed ? cannot_write(cli, output->path) : FHEC_OK;
}

fhec_status fh_cli_output_add(const struct fh_cli *cli, struct fh_cli_outputs *outputs,
                              const char *path) {
    struct fh_cli_output *files = fh_cli_more(outputs->files, outputs->count, sizeof *files);
    if (!files)
        return fh_cli_no_memory(cli);
    outputs->files = files;
    struct fh_cli_output *output = &files[outputs->count];
    *output = (struct fh_cli_output){.path = strdup(path)};
    if (!output->path)
        return fh_cli_no_memory(cli);
    outputs->count++;
    fhec_status status = look(cli, output);
    for (size_t i = 0; i + 1 < outputs->count && status == FHEC_OK && is_file(output); i++)
        if (is_file(&files[i]) && same_file(&files[i].identity, &output->identity))
            status = fh_cli_error(cli, FHEC_BAD_INPUT,
                                  "two outputs go to one file: %s and %s are the same",
                                  files[i].path, path);
    return status;
}

fhec_status fh_cli_output_spare(const struct fh_cli *cli, const struct fh_cli_outputs *outputs,
                                const char *input) {
    struct stat file;
    if (!strcmp(input, "-") || stat(input, &file) != 0)
        return FHEC_OK;
    const struct fh_cli_file_identity identity = {file.st_dev, file.st_ino, NULL};
    for (size_t i = 0; i < outputs->count; i++)
        if (is_file(&outputs->files[i]) && same_file(&outputs->files[i].identity, &identity))
            return fh_cli_error(cli, FHEC_BAD_INPUT,
                                "the output %s would overwrite its own source %s",
                                outputs->files[i].path, input);
    return FHEC_OK;
}

/* ---------------------------------------------------------------- writing */

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

/* Gives a new file the owner and then the mode of the old one, if there is one. */
static bool same_owner_and_mode(int file, const struct stat *old) {
    struct stat made;
    if (!old->st_nlink)
        return true;
    if (fstat(file, &made) != 0)
        return false;
    if ((made.st_uid != old->st_uid || made.st_gid != old->st_gid) &&
        fchown(file, old->st_uid, old->st_gid) != 0)
        return false;
    return fchmod(file, old->st_mode & 0777) == 0;
}

/* Until commit the contents are kept here. */
static bool write_later(struct fh_cli_output *output, const void *bytes, size_t length) {
    output->method = FH_CLI_OUTPUT_IN_PLACE;
    output->bytes = malloc(length + 1);
    output->length = length;
    if (output->bytes)
        memcpy(output->bytes, bytes, length);
    return output->bytes != NULL;
}

/* -1 with errno on failure, or, IN_PLACE from now on, if the file that is there belongs to somebody
 * else, so that another one cannot take its place. */
static int open_temporary(struct fh_cli_output *output) {
    /* Nobody who could not read the old file shall be able to read the new one meanwhile. */
    mode_t mode = output->old.st_nlink ? 0600 : 0666;
    int file = fh_cli_temporary_make(output->target, mode, &output->temporary);
    if (file < 0 || same_owner_and_mode(file, &output->old))
        return file;
    close(file);
    fh_cli_temporary_remove(output->temporary);
    output->temporary = NULL;
    output->method = FH_CLI_OUTPUT_IN_PLACE;
    return -1;
}

static bool write_temporary(struct fh_cli_output *output, const void *bytes, size_t length) {
    int file = open_temporary(output);
    if (output->method == FH_CLI_OUTPUT_IN_PLACE)
        return write_later(output, bytes, length);
    return file >= 0 && closed(file, write_all(file, bytes, length));
}

/* Devices, pipes, and files that are open already, which go on where they are. */
static int open_stream(const char *path) {
    int number = descriptor(path);
    return number < 0 ? open(path, O_WRONLY | O_CLOEXEC) : dup(number);
}

static bool write_stream(const char *path, const void *bytes, size_t length) {
    int file = open_stream(path);
    return file >= 0 && closed(file, write_all(file, bytes, length));
}

static struct fh_cli_output *find(const struct fh_cli_outputs *outputs, const char *path) {
    size_t i = 0;
    while (i < outputs->count && strcmp(outputs->files[i].path, path) != 0)
        i++;
    assert(i < outputs->count);
    return &outputs->files[i];
}

FILE *fh_cli_output_open(const struct fh_cli *cli, struct fh_cli_outputs *outputs, const char *path,
                         bool whole) {
    struct fh_cli_output *output = find(outputs, path);
    int file = -1;
    if (output->method == FH_CLI_OUTPUT_STDOUT)
        file = dup(STDOUT_FILENO);
    else if (output->method == FH_CLI_OUTPUT_STREAM)
        file = open_stream(output->target);
    else if (output->method == FH_CLI_OUTPUT_RENAME && whole)
        file = open_temporary(output);
    if (file < 0 && is_file(output) && (!whole || output->method == FH_CLI_OUTPUT_IN_PLACE))
        file = open(output->target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    FILE *opened = file < 0 ? NULL : fdopen(file, "wb");
    if (opened)
        return opened;
    (void)cannot_write(cli, path);
    if (file >= 0)
        close(file);
    return NULL;
}

fhec_status fh_cli_output_write(const struct fh_cli *cli, struct fh_cli_outputs *outputs,
                                const char *path, const void *bytes, size_t length) {
    struct fh_cli_output *output = find(outputs, path);
    bool good = false;
    switch (output->method) {
    case FH_CLI_OUTPUT_RENAME: good = write_temporary(output, bytes, length); break;
    case FH_CLI_OUTPUT_IN_PLACE: good = write_later(output, bytes, length); break;
    case FH_CLI_OUTPUT_STDOUT: good = fwrite(bytes, 1, length, stdout) == length; break;
    case FH_CLI_OUTPUT_STREAM: good = write_stream(output->target, bytes, length); break;
    }
    return good ? FHEC_OK : cannot_write(cli, path);
}

/* ---------------------------------------------------------------- the end */

/* The file keeps its length until the new contents are in it. */
static bool write_in_place(const struct fh_cli_output *output) {
    int file = open(output->target, O_WRONLY | O_CLOEXEC);
    return file >= 0 && closed(file, write_all(file, (const char *)output->bytes, output->length) &&
                                         ftruncate(file, (off_t)output->length) == 0);
}

static bool put_into_place(struct fh_cli_output *output) {
    char *temporary = output->temporary;
    output->temporary = NULL; /* moved or gone */
    if (temporary)
        return fh_cli_temporary_move(temporary, output->target);
    return !output->bytes || write_in_place(output);
}

fhec_status fh_cli_output_commit(const struct fh_cli *cli, struct fh_cli_outputs *outputs) {
    fhec_status status = fh_cli_flush(cli);
    fh_cli_signals_hold();
    for (size_t i = 0; i < outputs->count && status == FHEC_OK; i++)
        if (!put_into_place(&outputs->files[i]))
            status = cannot_write(cli, outputs->files[i].path);
    fh_cli_signals_release();
    fh_cli_output_discard(outputs);
    return status;
}

void fh_cli_output_discard(struct fh_cli_outputs *outputs) {
    for (size_t i = 0; i < outputs->count; i++) {
        struct fh_cli_output *output = &outputs->files[i];
        if (output->temporary)
            fh_cli_temporary_remove(output->temporary);
        free(output->bytes);
        free(output->target);
        free(output->path);
    }
    free(outputs->files);
    *outputs = (struct fh_cli_outputs){NULL, 0};
}

/* ---------------------------------------------------------------- stdout */

static bool lost; /* and said */

bool fh_cli_print_json(FILE *to, struct json_t *object, size_t flags) {
    char *text = object ? json_dumps(object, flags) : NULL;
    if (text)
        fprintf(to, "%s\n", text);
    json_decref(object);
    free(text);
    return text != NULL;
}

fhec_status fh_cli_flush(const struct fh_cli *cli) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return FHEC_OK;
    if (!lost)
        fh_cli_error(cli, FHEC_HOST_ERROR, "cannot write to standard output: %s", strerror(errno));
    lost = true;
    return FHEC_HOST_ERROR;
}

static const struct fh_cli *flushing;

/* A command that has seen its output lost has made that its exit status where nothing was worse. */
static void flush_at_exit(void) {
    if (!lost && fh_cli_flush(flushing) != FHEC_OK)
        _exit(FHEC_HOST_ERROR);
}

void fh_cli_flush_at_exit(const struct fh_cli *cli) {
    flushing = cli;
    atexit(flush_at_exit);
}

fhec_status fh_cli_output_file(const struct fh_cli *cli, const char *path, const void *bytes,
                               size_t length) {
    struct fh_cli_outputs outputs = {NULL, 0};
    fhec_status status = fh_cli_output_add(cli, &outputs, path);
    if (status == FHEC_OK)
        status = fh_cli_output_write(cli, &outputs, path, bytes, length);
    if (status == FHEC_OK)
        status = fh_cli_output_commit(cli, &outputs);
    fh_cli_output_discard(&outputs);
    return status;
}
