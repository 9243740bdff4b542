/*
 * files.c - whole files in.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* Reads to the end of the stream; a growing buffer serves pipes too. */
static bool read_all(FILE *file, char **bytes, size_t *length) {
    size_t room = 65536, used = 0;
    char *buffer = malloc(room);
    while (buffer) {
        used += fread(buffer + used, 1, room - used - 1, file);
        if (used + 1 < room)
            break;
        char *larger = room > SIZE_MAX / 2 ? NULL : realloc(buffer, room * 2);
        if (!larger) {
            free(buffer);
            errno = ENOMEM;
            return false;
        }
        buffer = larger;
        room *= 2;
    }
    if (!buffer)
        return false;
    if (ferror(file)) {
        int error = errno;
        free(buffer);
        errno = error;
        return false;
    }
    buffer[used] = 0;
    *bytes = buffer;
    *length = used;
    return true;
}

fhec_status fh_cli_read_file(const struct fh_cli *cli, const char *path, char **bytes,
                             size_t *length) {
    bool standard = !strcmp(path, "-");
    FILE *file = standard ? stdin : fopen(path, "rb");
    *bytes = NULL;
    *length = 0;
    bool read = file && read_all(file, bytes, length);
    int error = errno;
    if (file && !standard)
        fclose(file);
    if (!read) {
        fh_cli_error(cli, FHEC_HOST_ERROR, "cannot read %s: %s", path, strerror(error));
        return FHEC_HOST_ERROR;
    }
    return FHEC_OK;
}
