/*
 * input.c - whole files in: regular files, pipes and standard input, up to a limit.
 *
 * Devices are refused: one like /dev/zero has no end. So are files larger than the limit, before
 * they are read if their size is known. A named pipe waits for its first writer, but not for ever;
 * with a writer it is read to its end however long that takes.
 */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "message.h"
#include "seconds.h"

enum {
    FIRST_ROOM = 65536,
    WRITER_SECONDS = 10, /* that a named pipe without a writer is waited for */
    POLL_MILLISECONDS = 50,
};

struct input {
    int file;
    size_t most;
    size_t expected; /* bytes of a regular file; 0: not known */
    char *bytes;
    size_t length;
    char *why; /* what is wrong, FH_CLI_WHY bytes */
};

static bool wrong(struct input *in, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool wrong(struct input *in, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(in->why, FH_CLI_WHY, format, list);
    va_end(list);
    return false;
}

static bool wrong_by_errno(struct input *in) {
    return wrong(in, "%s", strerror(errno));
}

/* Room for more than `length` bytes and the NUL. */
static bool make_room(struct input *in, size_t *room) {
    if (in->length + 1 < *room)
        return true;
    size_t more = *room ? *room * 2 : in->expected ? in->expected + 2 : FIRST_ROOM;
    char *larger = realloc(in->bytes, more);
    if (!larger)
        return wrong_by_errno(in);
    in->bytes = larger;
    *room = more;
    return true;
}

/* Reads once: 1 more is there, 0 the end, -1 wrong, with errno. */
static int read_once(struct input *in, size_t room) {
    ssize_t got;
    do
        got = read(in->file, in->bytes + in->length, room - in->length - 1);
    while (got < 0 && errno == EINTR);
    if (got > 0)
        in->length += (size_t)got;
    return got > 0 ? 1 : (int)got;
}

/* Waits until a named pipe, opened without blocking, has a writer or had one. An empty pipe reads
 * as the end of the file as long as there is none, and as EAGAIN when there is one. */
static bool wait_for_writer(struct input *in, size_t *room) {
    struct pollfd entry = {.fd = in->file, .events = POLLIN};
    double end = fh_cli_now() + WRITER_SECONDS;
    if (!make_room(in, room))
        return false;
    for (;;) {
        int got = read_once(in, *room);
        if (got > 0 || (got < 0 && errno == EAGAIN))
            break;
        if (got < 0)
            return wrong_by_errno(in);
        if (poll(&entry, 1, POLL_MILLISECONDS) > 0 && (entry.revents & POLLHUP))
            break; /* came and went; what it left is read now */
        if (fh_cli_now() > end)
            return wrong(in, "no program has opened this pipe for writing within %d seconds",
                         WRITER_SECONDS);
    }
    int flags = fcntl(in->file, F_GETFL);
    if (flags < 0 || fcntl(in->file, F_SETFL, flags & ~O_NONBLOCK) < 0)
        return wrong_by_errno(in);
    return true;
}

static bool read_all(struct input *in, size_t room) {
    int got = 1;
    while (got > 0) {
        if (!make_room(in, &room))
            return false;
        got = read_once(in, room);
        if (got < 0)
            return wrong_by_errno(in);
        if (in->length > in->most)
            return wrong(in, "it has more than %zu bytes, which is the limit", in->most);
    }
    in->bytes[in->length] = 0;
    return true;
}

/* Reads an open file. Terminals are read like pipes, and the null device, which is empty, as well.
 */
static bool read_input(struct input *in) {
    struct stat status;
    size_t room = 0;
    if (fstat(in->file, &status) != 0)
        return wrong_by_errno(in);
    if (S_ISDIR(status.st_mode))
        return wrong(in, "%s", strerror(EISDIR));
    bool null = S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3);
    if (in->file != STDIN_FILENO && !null && !isatty(in->file) &&
        (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode)))
        return wrong(in, "it is a device; regular files and pipes can be read");
    if (S_ISREG(status.st_mode) && (uint64_t)status.st_size > in->most)
        return wrong(in, "it has %llu bytes, and %zu is the limit",
                     (unsigned long long)status.st_size, in->most);
    if (S_ISREG(status.st_mode))
        in->expected = (size_t)status.st_size;
    if (S_ISFIFO(status.st_mode) && in->file != STDIN_FILENO && !wait_for_writer(in, &room))
        return false;
    return read_all(in, room);
}

bool fh_cli_try_read(const char *path, size_t most, char **bytes, size_t *length,
                     char why[FH_CLI_WHY]) {
    bool standard = !strcmp(path, "-");
    struct input in = {.most = most, .why = why};
    in.file = standard ? STDIN_FILENO : open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool good = in.file >= 0 ? read_input(&in) : wrong_by_errno(&in);
    if (in.file >= 0 && !standard)
        close(in.file);
    if (!good)
        free(in.bytes);
    *bytes = good ? in.bytes : NULL;
    *length = good ? in.length : 0;
    return good;
}

static fhec_status read_file(const struct fh_cli *cli, const char *path, size_t most, char **bytes,
                             size_t *length) {
    char why[FH_CLI_WHY];
    if (fh_cli_try_read(path, most, bytes, length, why))
        return FHEC_OK;
    return fh_cli_error(cli, FHEC_HOST_ERROR, "cannot read %s: %s", path, why);
}

fhec_status fh_cli_read_file(const struct fh_cli *cli, const char *path, char **bytes,
                             size_t *length) {
    return read_file(cli, path, FH_CLI_MAX_TEXT, bytes, length);
}

fhec_status fh_cli_read_data(const struct fh_cli *cli, const char *path, char **bytes,
                             size_t *length) {
    return read_file(cli, path, FH_CLI_MAX_DATA, bytes, length);
}

fhec_status fh_cli_each_line(const struct fh_cli *cli, const char *path, fh_cli_line_fn *line,
                             void *user) {
    char *text, *rest, *next;
    size_t length;
    fhec_status status = fh_cli_read_file(cli, path, &text, &length);
    rest = text;
    for (uint32_t number = 1; status == FHEC_OK && (next = strsep(&rest, "\n")) != NULL; number++) {
        next[strcspn(next, "\r")] = '\0';
        if (*next && *next != '#')
            status = line(user, next, number);
    }
    free(text);
    return status;
}
