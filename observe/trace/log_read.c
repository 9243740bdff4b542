/*
 * log_read.c - records out of a log (log.h). Nothing that a log says is believed before it has been
 * checked: sizes against what is there, numbers against what they count.
 */
#include "log.h"
#include "log_format.h"
#include "log_parse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

struct fh_trace_log {
    struct fh_trace_in in;
    ZSTD_DCtx *zstd;
    struct fh_trace_names names;
    struct fh_trace_frame *frames;
    size_t frame_count, next; /* next: the frame that is opened next */
    struct fh_trace_bytes frame, packed;
    struct fh_trace_parse parse; /* of the records that are left of the open frame */
    uint64_t left;               /* how many */
    uint64_t offset;             /* of the frame */
    struct fh_trace_record record;
};

static fhec_status damaged(char *why, const char *what, uint64_t offset) {
    snprintf(why, FH_TRACE_WHY, "the log is damaged: %s at byte %" PRIu64, what, offset);
    return FHEC_BAD_INPUT;
}

static fhec_status failed(char *why, const char *what) {
    snprintf(why, FH_TRACE_WHY, "%s", what);
    return FHEC_HOST_ERROR;
}

static uint64_t fixed(const uint8_t *bytes, unsigned count) {
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

/* Reads bytes that the log must have. */
static fhec_status read_bytes(const struct fh_trace_log *log, uint64_t offset, void *to,
                              size_t size, char *why) {
    if (offset > log->in.size || size > log->in.size - offset)
        return damaged(why, "it ends too early", log->in.size);
    return log->in.read(log->in.user, offset, to, size) ? FHEC_OK
                                                        : failed(why, "the log cannot be read");
}

/* Reads the frame of the type at the offset into log->frame. */
static fhec_status read_frame(struct fh_trace_log *log, enum fh_frame_type type, uint64_t offset,
                              char *why) {
    uint8_t head[FH_FRAME_HEADER];
    fhec_status status = read_bytes(log, offset, head, sizeof head, why);
    if (status != FHEC_OK)
        return status;
    const uint64_t raw = fixed(head + 4, 4), size = fixed(head + 8, 8);
    if (fixed(head, 4) != (uint64_t)type || raw > FH_FRAME_MOST ||
        size > log->in.size - offset - FH_FRAME_HEADER)
        return damaged(why, "no frame begins", offset);
    if (!fh_trace_room(&log->packed.bytes, &log->packed.room, size + 1, 1))
        return failed(why, "no host memory for the log");
    status = read_bytes(log, offset + FH_FRAME_HEADER, log->packed.bytes, size, why);
    if (status != FHEC_OK)
        return status;
    if (XXH3_64bits(log->packed.bytes, size) != fixed(head + 16, 8) ||
        ZSTD_getFrameContentSize(log->packed.bytes, size) != raw)
        return damaged(why, "wrong checksum of the frame", offset);
    if (!fh_trace_room(&log->frame.bytes, &log->frame.room, raw + 1, 1))
        return failed(why, "no host memory for the log");
    log->frame.count =
        ZSTD_decompressDCtx(log->zstd, log->frame.bytes, raw, log->packed.bytes, size);
    if (ZSTD_isError(log->frame.count) || log->frame.count != raw)
        return damaged(why, "the frame cannot be expanded", offset);
    log->parse =
        (struct fh_trace_parse){.at = log->frame.bytes, .end = log->frame.bytes + log->frame.count};
    log->offset = offset;
    return FHEC_OK;
}

static fhec_status parse_index(struct fh_trace_log *log, char *why) {
    struct fh_trace_parse *p = &log->parse;
    const uint64_t count = fh_trace_parse_count(p);
    log->frames = calloc(count + 1, sizeof *log->frames);
    if (!log->frames)
        return failed(why, "no host memory for the log");
    for (uint64_t i = 0; i < count; i++) {
        uint64_t n[10];
        for (unsigned k = 0; k < 10; k++)
            n[k] = fh_trace_parse_number(p);
        log->frames[log->frame_count++] = (struct fh_trace_frame){
            .offset = n[0],
            .records = n[1],
            .first_launch = n[2],
            .last_launch = n[3],
            .first_block = n[4],
            .last_block = n[5],
            .first_pc = n[6],
            .last_pc = n[7],
            .warps = (uint32_t)n[8],
            .others = (uint32_t)n[9],
        };
    }
    return p->bad || p->at != p->end ? damaged(why, "no index", log->offset) : FHEC_OK;
}

/* The trailer, and the names and the index that it leads to. */
static fhec_status read_ends(struct fh_trace_log *log, char *why) {
    uint8_t magic[FH_MAGIC_BYTES], trailer[FH_TRAILER];
    const uint64_t size = log->in.size;
    fhec_status status = FHEC_OK;
    if (size >= FH_MAGIC_BYTES)
        status = read_bytes(log, 0, magic, sizeof magic, why);
    if (status != FHEC_OK)
        return status;
    if (size < FH_MAGIC_BYTES || memcmp(magic, FH_TRACE_MAGIC, FH_MAGIC_BYTES - 1) != 0) {
        snprintf(why, FH_TRACE_WHY, "it is no log of a trace");
        return FHEC_BAD_INPUT;
    }
    if (magic[FH_MAGIC_BYTES - 1] != FH_TRACE_MAGIC[FH_MAGIC_BYTES - 1]) {
        snprintf(why, FH_TRACE_WHY, "the log has version %u; version %u can be read",
                 magic[FH_MAGIC_BYTES - 1], FH_TRACE_MAGIC[FH_MAGIC_BYTES - 1]);
        return FHEC_BAD_INPUT;
    }
    if (size < FH_MAGIC_BYTES + FH_TRAILER)
        return damaged(why, "it ends too early", size);
    status = read_bytes(log, size - FH_TRAILER, trailer, sizeof trailer, why);
    if (status != FHEC_OK)
        return status;
    if (memcmp(trailer + FH_TRAILER - FH_MAGIC_BYTES, FH_TRACE_MAGIC, FH_MAGIC_BYTES) != 0 ||
        XXH3_64bits(trailer, 16) != fixed(trailer + 16, 8))
        return damaged(why, "no end of a log", size);
    status = read_frame(log, FH_FRAME_OF_NAMES, fixed(trailer, 8), why);
    if (status == FHEC_OK && !fh_trace_parse_names(&log->parse, &log->names))
        status = log->parse.no_memory ? failed(why, "no host memory for the log")
                                      : damaged(why, "no names", log->offset);
    if (status == FHEC_OK)
        status = read_frame(log, FH_FRAME_OF_INDEX, fixed(trailer + 8, 8), why);
    return status == FHEC_OK ? parse_index(log, why) : status;
}

fhec_status fh_trace_log_open(const struct fh_trace_in *in, struct fh_trace_log **out, char *why) {
    struct fh_trace_log *log = *out = calloc(1, sizeof *log);
    if (!log)
        return failed(why, "no host memory for the log");
    log->in = *in;
    log->zstd = ZSTD_createDCtx();
    fhec_status status =
        log->zstd ? read_ends(log, why) : failed(why, "no host memory for the log");
    if (status == FHEC_OK)
        return FHEC_OK;
    fh_trace_log_free(log);
    *out = NULL;
    return status;
}

void fh_trace_log_free(struct fh_trace_log *log) {
    if (!log)
        return;
    ZSTD_freeDCtx(log->zstd);
    fh_trace_names_free(&log->names);
    fh_trace_record_free(&log->record);
    fh_trace_bytes_free(&log->frame);
    fh_trace_bytes_free(&log->packed);
    free(log->frames);
    free(log);
}

struct fh_trace_names *fh_trace_log_names(struct fh_trace_log *log) {
    return &log->names;
}

/* ---------------------------------------------------------------- records */

/* Whether a range of the subject meets [first, last]. */
static bool meets(const struct fh_trace_select *select, enum fh_trace_subject subject,
                  uint64_t first, uint64_t last) {
    bool any = !select->counts[subject];
    for (size_t i = 0; i < select->counts[subject] && !any; i++) {
        const struct fh_trace_range *r = &select->ranges[subject][i];
        any = r->first <= last && first <= r->last;
    }
    return any;
}

/* Whether one of the launches from first to last is wanted. */
static bool wants_launch(const struct fh_trace_log *log, const struct fh_trace_select *select,
                         uint64_t first, uint64_t last) {
    bool wanted = false;
    for (uint64_t i = first; i <= last && i < log->names.launch_count && !wanted; i++)
        wanted = fh_trace_select_launch(select, &log->names, (uint32_t)i);
    return wanted;
}

/* Whether the frame may hold something that is wanted. */
static bool may_hold(const struct fh_trace_log *log, const struct fh_trace_select *select,
                     const struct fh_trace_frame *f) {
    bool warps = f->others & FH_OTHERS_OF_BLOCK;
    for (unsigned i = 0; i < 32; i++)
        warps |= f->warps >> i & 1 && meets(select, FH_TRACE_BY_WARP, i, i < 31 ? i : UINT64_MAX);
    const bool pcs =
        f->others & FH_OTHERS_OF_BLOCK || meets(select, FH_TRACE_BY_PC, f->first_pc, f->last_pc);
    return f->others & FH_OTHERS_OF_RUN ||
           (warps && pcs && meets(select, FH_TRACE_BY_BLOCK, f->first_block, f->last_block) &&
            wants_launch(log, select, f->first_launch, f->last_launch));
}

static fhec_status open_next(struct fh_trace_log *log, const struct fh_trace_select *select,
                             char *why) {
    while (log->next < log->frame_count && !may_hold(log, select, &log->frames[log->next]))
        log->next++;
    if (log->next == log->frame_count)
        return FHEC_OK;
    const struct fh_trace_frame *f = &log->frames[log->next++];
    log->left = f->records;
    return read_frame(log, FH_FRAME_OF_RECORDS, f->offset, why);
}

fhec_status fh_trace_log_next(struct fh_trace_log *log, const struct fh_trace_select *select,
                              const struct fh_trace_record **record, char *why) {
    *record = NULL;
    for (;;) {
        if (!log->left && log->parse.at != log->parse.end)
            return damaged(why, "more records than the index says", log->offset);
        if (!log->left) {
            fhec_status status = open_next(log, select, why);
            if (status != FHEC_OK || !log->left)
                return status;
        }
        log->left--;
        if (!fh_trace_parse_record(&log->parse, &log->names, &log->record))
            return log->parse.no_memory ? failed(why, "no host memory for the log")
                                        : damaged(why, "a bad record in the frame", log->offset);
        if (fh_trace_selected(select, &log->names, &log->record)) {
            *record = &log->record;
            return FHEC_OK;
        }
    }
}
