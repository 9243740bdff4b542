/*
 * packed_file.c - see packed_file.h.
 */
#include "packed_file.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef FH_HAS_LZMA
#include <lzma.h>
#endif

enum { BUFFER = 1 << 16 };

struct fh_cli_packed {
    FILE *file;
    bool packed, ended; /* ended: of what is read */
#ifdef FH_HAS_LZMA
    lzma_stream stream;
    uint8_t buffer[BUFFER]; /* of packed bytes */
#endif
};

bool fh_cli_is_packed_name(const char *path) {
    const size_t length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".xz") == 0;
}

static struct fh_cli_packed *begin(FILE *file, bool packed) {
    struct fh_cli_packed *p = calloc(1, sizeof *p);
    if (p) {
        p->file = file;
        p->packed = packed;
    }
    return p;
}

#ifdef FH_HAS_LZMA

enum { PRESET = 1, MOST_MEMORY = 1 << 28 }; /* of the tracer's own files; a reader's bytes */

const char *fh_cli_packed_missing(void) {
    return NULL;
}

static struct fh_cli_packed *with_stream(struct fh_cli_packed *p, bool writes) {
    static const lzma_stream none = LZMA_STREAM_INIT;
    if (!p || !p->packed)
        return p;
    p->stream = none;
    const lzma_ret got = writes ? lzma_easy_encoder(&p->stream, PRESET, LZMA_CHECK_CRC64)
                                : lzma_stream_decoder(&p->stream, MOST_MEMORY, LZMA_CONCATENATED);
    if (got == LZMA_OK)
        return p;
    free(p);
    return NULL;
}

/* Packs what is given and writes what has come of it. */
static bool pack(struct fh_cli_packed *p, const void *bytes, size_t size, lzma_action action) {
    lzma_ret got = LZMA_OK;
    p->stream.next_in = bytes;
    p->stream.avail_in = size;
    while (got == LZMA_OK && (p->stream.avail_in || action == LZMA_FINISH)) {
        p->stream.next_out = p->buffer;
        p->stream.avail_out = BUFFER;
        got = lzma_code(&p->stream, action);
        const size_t made = BUFFER - p->stream.avail_out;
        if (fwrite(p->buffer, 1, made, p->file) != made)
            return false;
    }
    errno = got == LZMA_MEM_ERROR ? ENOMEM : EIO;
    return got == (action == LZMA_FINISH ? LZMA_STREAM_END : LZMA_OK);
}

static const char *what(lzma_ret got) {
    switch (got) {
    case LZMA_FORMAT_ERROR: return "is no xz file";
    case LZMA_MEM_ERROR: return "no host memory";
    case LZMA_MEMLIMIT_ERROR: return "takes more than 256 MiB to unpack";
    case LZMA_BUF_ERROR: return "is truncated";
    default: return "is damaged";
    }
}

static bool unpack(struct fh_cli_packed *p, void *bytes, size_t size, size_t *got,
                   const char **why) {
    lzma_ret answer = LZMA_OK;
    p->stream.next_out = bytes;
    p->stream.avail_out = size;
    while (p->stream.avail_out && answer == LZMA_OK) {
        if (!p->stream.avail_in) {
            p->stream.next_in = p->buffer;
            p->stream.avail_in = fread(p->buffer, 1, BUFFER, p->file);
        }
        answer = lzma_code(&p->stream, feof(p->file) ? LZMA_FINISH : LZMA_RUN);
    }
    *got = size - p->stream.avail_out;
    p->ended = answer == LZMA_STREAM_END;
    if (answer == LZMA_OK || answer == LZMA_STREAM_END)
        return true;
    *why = ferror(p->file) ? "cannot be read" : what(answer);
    return false;
}

static void end_stream(struct fh_cli_packed *p) {
    if (p->packed)
        lzma_end(&p->stream);
}

#else

const char *fh_cli_packed_missing(void) {
    return "this fhec was built without liblzma";
}

static struct fh_cli_packed *with_stream(struct fh_cli_packed *p, bool writes) {
    (void)writes;
    return p;
}

static bool pack(struct fh_cli_packed *p, const void *bytes, size_t size, int action) {
    (void)p, (void)bytes, (void)size, (void)action;
    errno = ENOSYS;
    return false;
}
enum { LZMA_RUN, LZMA_FINISH };

static bool unpack(struct fh_cli_packed *p, void *bytes, size_t size, size_t *got,
                   const char **why) {
    (void)p, (void)bytes, (void)size, (void)got;
    *why = fh_cli_packed_missing();
    return false;
}

static void end_stream(struct fh_cli_packed *p) {
    (void)p;
}

#endif

struct fh_cli_packed *fh_cli_packed_writer(FILE *file, bool packed) {
    return with_stream(begin(file, packed), true);
}

struct fh_cli_packed *fh_cli_packed_reader(FILE *file, bool packed) {
    return with_stream(begin(file, packed), false);
}

bool fh_cli_packed_write(struct fh_cli_packed *p, const void *bytes, size_t size) {
    return p->packed ? pack(p, bytes, size, LZMA_RUN) : fwrite(bytes, 1, size, p->file) == size;
}

bool fh_cli_packed_finish(struct fh_cli_packed *p) {
    return !p->packed || pack(p, NULL, 0, LZMA_FINISH);
}

bool fh_cli_packed_read(struct fh_cli_packed *p, void *bytes, size_t size, size_t *got,
                        const char **why) {
    *got = 0;
    if (p->ended || !size)
        return true;
    if (p->packed)
        return unpack(p, bytes, size, got, why);
    *got = fread(bytes, 1, size, p->file);
    p->ended = *got < size;
    if (!ferror(p->file))
        return true;
    *why = strerror(errno);
    return false;
}

void fh_cli_packed_free(struct fh_cli_packed *p) {
    if (p)
        end_stream(p);
    free(p);
}
