/*
 * trace_util.c - see trace_util.h.
 */
#include "trace_util.h"

#include "log_format.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

bool trace_collect(void *user, const void *bytes, size_t size) {
    struct fh_trace_bytes *to = user;
    fh_trace_put(to, bytes, size);
    return !to->failed;
}

static bool read_bytes(void *user, uint64_t offset, void *to, size_t size) {
    const struct fh_trace_bytes *bytes = user;
    if (offset > bytes->count || size > bytes->count - offset)
        return false;
    if (size)
        memcpy(to, bytes->bytes + offset, size);
    return true;
}

fhec_status trace_open(const struct fh_trace_bytes *bytes, struct fh_trace_log **log, char *why) {
    const struct fh_trace_in in = {(void *)bytes, bytes->count, read_bytes};
    return fh_trace_log_open(&in, log, why);
}

fhec_status trace_text(struct fh_trace_log *log, const struct fh_trace_select *select,
                       enum fh_trace_format format, struct fh_trace_bytes *text, char *why) {
    struct fh_trace_text printer = {.format = format,
                                    .view = {FH_TRACE_ALL, fh_trace_select_lanes(select)},
                                    .out = {text, trace_collect}};
    const struct fh_trace_sink sink = fh_trace_text_sink(&printer);
    const struct fh_trace_record *record;
    fhec_status status;
    while ((status = fh_trace_log_next(log, select, &record, why)) == FHEC_OK && record)
        if (!sink.put(sink.user, fh_trace_log_names(log), record)) {
            status = FHEC_HOST_ERROR;
            break;
        }
    fh_trace_bytes_free(&printer.line);
    return status;
}

/* ---------------------------------------------------------------- taking logs apart */

static uint64_t fixed(const uint8_t *bytes, unsigned count) {
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

static void put_fixed(struct fh_trace_bytes *to, uint64_t value, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        const uint8_t byte = (uint8_t)(value >> 8 * i);
        fh_trace_put(to, &byte, 1);
    }
}

bool trace_unpack(const struct fh_trace_bytes *log, struct fh_trace_bytes *unpacked) {
    size_t at = FH_MAGIC_BYTES;
    while (at + FH_FRAME_HEADER + FH_TRAILER <= log->count) {
        const uint8_t *head = log->bytes + at;
        const size_t raw = (size_t)fixed(head + 4, 4), size = (size_t)fixed(head + 8, 8);
        uint8_t *contents = malloc(raw + 1);
        bool fine = contents && size <= log->count - at - FH_FRAME_HEADER &&
                    ZSTD_decompress(contents, raw, head + FH_FRAME_HEADER, size) == raw;
        if (fine) {
            put_fixed(unpacked, head[0], 1);
            put_fixed(unpacked, raw, 4);
            fh_trace_put(unpacked, contents, raw);
        }
        free(contents);
        if (!fine)
            return false;
        at += FH_FRAME_HEADER + size;
    }
    return at + FH_TRAILER == log->count;
}

void trace_pack(const uint8_t *unpacked, size_t length, struct fh_trace_bytes *log) {
    uint64_t places[2] = {0}; /* of names and index */
    fh_trace_put(log, FH_TRACE_MAGIC, FH_MAGIC_BYTES);
    while (length >= 5) {
        const uint8_t type = unpacked[0];
        const uint64_t said = fixed(unpacked + 1, 4);
        const size_t raw = said <= length - 5 ? (size_t)said : length - 5;
        const size_t bound = ZSTD_compressBound(raw);
        uint8_t *packed = malloc(bound);
        if (!packed)
            return;
        const size_t size = ZSTD_compress(packed, bound, unpacked + 5, raw, 1);
        if (type == FH_FRAME_OF_NAMES || type == FH_FRAME_OF_INDEX)
            places[type == FH_FRAME_OF_INDEX] = log->count;
        put_fixed(log, type, 4);
        put_fixed(log, raw, 4);
        put_fixed(log, size, 8);
        put_fixed(log, XXH3_64bits(packed, size), 8);
        fh_trace_put(log, packed, size);
        free(packed);
        unpacked += 5 + raw;
        length -= 5 + raw;
    }
    const size_t trailer = log->count;
    put_fixed(log, places[0], 8);
    put_fixed(log, places[1], 8);
    if (!log->failed)
        put_fixed(log, XXH3_64bits(log->bytes + trailer, 16), 8);
    fh_trace_put(log, FH_TRACE_MAGIC, FH_MAGIC_BYTES);
}
