/*
 * log_write.c - records into a log (log.h).
 */
#include "log.h"
#include "log_format.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

enum { LEVEL = 1 }; /* of compression */

struct fh_trace_log_writer {
    struct fh_trace_out out;
    ZSTD_CCtx *zstd;
    uint64_t offset;             /* where the next frame goes */
    struct fh_trace_bytes frame; /* records of the one that is being filled */
    struct fh_trace_bytes packed;
    struct fh_trace_position last;
    struct fh_trace_frame *frames; /* the last one is that of `frame` */
    size_t frame_count, frame_room;
    bool failed;
};

const uint8_t fh_trace_codes[FHEC_EVENT_KINDS] = {
    [FHEC_EVENT_LAUNCH_BEGIN] = 1, [FHEC_EVENT_LAUNCH_END] = 2, [FHEC_EVENT_BLOCK_BEGIN] = 3,
    [FHEC_EVENT_BLOCK_END] = 4,    [FHEC_EVENT_WARP_BEGIN] = 5, [FHEC_EVENT_WARP_END] = 6,
    [FHEC_EVENT_ISSUE] = 7,        [FHEC_EVENT_RETIRE] = 8,     [FHEC_EVENT_ARRIVE] = 9,
    [FHEC_EVENT_RELEASE] = 10,     [FHEC_EVENT_DIVERGE] = 11,   [FHEC_EVENT_CONVERGE] = 12,
    [FHEC_EVENT_COPY] = 13,        [FHEC_EVENT_COPY_DONE] = 14, [FHEC_EVENT_FAULT] = 15,
    [FHEC_EVENT_ALLOC] = 16,       [FHEC_EVENT_FREE] = 17,      [FHEC_EVENT_HOST_WRITE] = 18,
    [FHEC_EVENT_HOST_READ] = 19,
};

/* ---------------------------------------------------------------- numbers */

static void put_byte(struct fh_trace_bytes *to, unsigned byte) {
    fh_trace_put_byte(to, (uint8_t)byte);
}

static void put_number(struct fh_trace_bytes *to, uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        put_byte(to, (unsigned)(value & 0x7f) | 0x80);
    put_byte(to, (unsigned)value);
}

/* Of either sign: small ones are short. */
static void put_signed(struct fh_trace_bytes *to, uint64_t value) {
    put_number(to, value << 1 ^ (0 - (value >> 63)));
}

static void put_fixed(struct fh_trace_bytes *to, uint64_t value, unsigned bytes) {
    uint8_t *at = fh_trace_extend(to, bytes);
    for (unsigned i = 0; at && i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void put_text(struct fh_trace_bytes *to, const char *text) {
    const size_t length = text ? strlen(text) : 0;
    put_number(to, length);
    fh_trace_put(to, text, length);
}

/* `count` values of 4 or 8 bytes. */
static void put_row(struct fh_trace_bytes *to, const uint64_t *values, unsigned count,
                    unsigned bytes) {
    const uint64_t mask = bytes == 8 ? UINT64_MAX : UINT32_MAX;
    const uint64_t step = count > 1 ? (values[1] - values[0]) & mask : 0;
    bool linear = true;
    for (unsigned i = 1; i < count; i++)
        linear &= ((values[i] - values[i - 1]) & mask) == step;
    put_byte(to, !linear ? FH_ROW_RAW : step ? FH_ROW_LINEAR : FH_ROW_EQUAL);
    if (linear)
        put_number(to, values[0]);
    if (linear && step)
        put_signed(to, bytes == 8 ? step : (uint64_t)(int64_t)(int32_t)(uint32_t)step);
    for (unsigned i = 0; i < count && !linear; i++)
        put_fixed(to, values[i], bytes);
}

/* Values of the lanes, by lane. */
static void put_lanes(struct fh_trace_bytes *to, const uint64_t values[FHEC_WARP_LANES],
                      uint32_t lanes, unsigned bytes) {
    uint64_t row[FHEC_WARP_LANES];
    unsigned count = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        row[count++] = values[__builtin_ctz(rest)];
    put_row(to, row, count, bytes);
}

static void put_words(struct fh_trace_bytes *to, const uint32_t words[FHEC_WARP_LANES],
                      uint32_t lanes) {
    uint64_t values[FHEC_WARP_LANES];
    for (unsigned i = 0; i < FHEC_WARP_LANES; i++)
        values[i] = words[i];
    put_lanes(to, values, lanes, 4);
}

/* ---------------------------------------------------------------- records */

static void put_position(struct fh_trace_log_writer *w, const struct fh_trace_record *r) {
    struct fh_trace_bytes *to = &w->frame;
    const struct fh_trace_position *last = &w->last;
    const bool block = memcmp(last->block, r->block, sizeof r->block) == 0;
    const unsigned flags =
        (r->launch == last->launch ? FH_SAME_LAUNCH : 0u) | (block ? FH_SAME_BLOCK : 0u) |
        (r->warp == last->warp ? FH_SAME_WARP : 0u) | (r->pc == last->pc + 16 ? FH_NEXT_PC : 0u) |
        (r->lanes == UINT32_MAX ? FH_ALL_LANES : 0u) | (r->active == r->lanes ? FH_ALL_ACTIVE : 0u);
    put_byte(to, flags);
    if (!(flags & FH_SAME_LAUNCH))
        put_number(to, r->launch);
    for (unsigned i = 0; i < 3 && !block; i++)
        put_number(to, r->block[i]);
    if (!(flags & FH_SAME_WARP))
        put_number(to, r->warp);
    if (!(flags & FH_NEXT_PC))
        put_signed(to, r->pc - last->pc);
    if (!(flags & FH_ALL_LANES))
        put_fixed(to, r->lanes, 4);
    if (!(flags & FH_ALL_ACTIVE))
        put_fixed(to, r->active, 4);
    w->last = (struct fh_trace_position){.launch = r->launch, .warp = r->warp, .pc = r->pc};
    memcpy(w->last.block, r->block, sizeof r->block);
}

static void put_register(struct fh_trace_bytes *to, const struct fh_trace_register *reg) {
    put_byte(to, (unsigned)reg->file | (reg->read ? 0x80u : 0));
    put_number(to, reg->number);
    if (reg->file == FHEC_FILE_R)
        put_words(to, reg->values, UINT32_MAX);
    else
        put_number(to, reg->values[0]);
}

static void put_access(struct fh_trace_bytes *to, const struct fh_trace_access *a) {
    put_byte(to, (unsigned)a->space | a->access << 2 | (a->has_old ? 0x10u : 0));
    put_number(to, a->bytes);
    put_number(to, a->bank);
    put_fixed(to, a->lanes, 4);
    put_lanes(to, a->address, a->lanes, 8);
    for (uint32_t i = 0; i < (a->bytes + 3) / 4; i++)
        put_words(to, a->value[i], a->lanes);
    for (uint32_t i = 0; i < (a->bytes + 3) / 4 && a->has_old; i++)
        put_words(to, a->old[i], a->lanes);
}

static void put_record(struct fh_trace_log_writer *w, const struct fh_trace_record *r) {
    struct fh_trace_bytes *to = &w->frame;
    put_byte(to, fh_trace_codes[r->kind]);
    put_position(w, r);
    if (fh_trace_is_instruction(r)) {
        put_number(to, r->register_count);
        for (size_t i = 0; i < r->register_count; i++)
            put_register(to, &r->registers[i]);
        put_number(to, r->access_count);
        for (size_t i = 0; i < r->access_count; i++)
            put_access(to, &r->accesses[i]);
        return;
    }
    for (unsigned i = 0; i < 3; i++)
        put_number(to, r->numbers[i]);
    if (r->kind == FHEC_EVENT_DIVERGE)
        put_lanes(to, r->next, r->lanes, 8);
    put_text(to, r->text);
    put_text(to, r->message);
}

/* ---------------------------------------------------------------- frames */

static void put_all(struct fh_trace_log_writer *w, const struct fh_trace_bytes *bytes) {
    w->failed |= bytes->failed || !w->out.write(w->out.user, bytes->bytes, bytes->count);
    w->offset += bytes->count;
}

/* Compresses the bytes and writes them as a frame; *checksum is that of the frame. */
static void put_frame(struct fh_trace_log_writer *w, enum fh_frame_type type,
                      const struct fh_trace_bytes *bytes) {
    struct fh_trace_bytes *packed = &w->packed;
    const size_t bound = ZSTD_compressBound(bytes->count);
    packed->count = 0;
    if (w->failed || bytes->failed || bytes->count > FH_FRAME_MOST ||
        !fh_trace_room(&packed->bytes, &packed->room, FH_FRAME_HEADER + bound, 1)) {
        w->failed = true;
        return;
    }
    const size_t size = ZSTD_compressCCtx(w->zstd, packed->bytes + FH_FRAME_HEADER, bound,
                                          bytes->bytes, bytes->count, LEVEL);
    if (ZSTD_isError(size)) {
        w->failed = true;
        return;
    }
    put_fixed(packed, type, 4);
    put_fixed(packed, bytes->count, 4);
    put_fixed(packed, size, 8);
    put_fixed(packed, XXH3_64bits(packed->bytes + FH_FRAME_HEADER, size), 8);
    packed->count += size;
    put_all(w, packed);
}

/* The frame that is being filled is over. */
static void close_frame(struct fh_trace_log_writer *w) {
    if (!w->frame_count || !w->frames[w->frame_count - 1].records)
        return;
    w->frames[w->frame_count - 1].offset = w->offset;
    put_frame(w, FH_FRAME_OF_RECORDS, &w->frame);
    w->frame.count = 0;
}

static bool open_frame(struct fh_trace_log_writer *w) {
    if (!fh_trace_room(&w->frames, &w->frame_room, w->frame_count + 1, sizeof *w->frames))
        return false;
    w->frames[w->frame_count++] = (struct fh_trace_frame){
        .first_launch = UINT64_MAX, .first_block = UINT64_MAX, .first_pc = UINT64_MAX};
    w->last = (struct fh_trace_position){0};
    return true;
}

static void widen(uint64_t *first, uint64_t *last, uint64_t value) {
    *first = value < *first ? value : *first;
    *last = value > *last ? value : *last;
}

/* Notes in the index what the frame has got. */
static void note(struct fh_trace_frame *f, const struct fh_trace_names *names,
                 const struct fh_trace_record *r) {
    f->records++;
    widen(&f->first_launch, &f->last_launch, r->launch);
    if (r->kind == FHEC_EVENT_LAUNCH_BEGIN || r->kind == FHEC_EVENT_LAUNCH_END ||
        r->kind >= FHEC_EVENT_FAULT) {
        f->others |= FH_OTHERS_OF_RUN;
        return;
    }
    f->others |= fh_trace_is_instruction(r) ? 0 : FH_OTHERS_OF_BLOCK;
    const uint32_t *grid = names->launches[r->launch].grid;
    widen(&f->first_block, &f->last_block,
          ((uint64_t)r->block[2] * grid[1] + r->block[1]) * grid[0] + r->block[0]);
    widen(&f->first_pc, &f->last_pc, r->pc);
    f->warps |= 1U << (r->warp < 31 ? r->warp : 31);
}

static bool put(void *user, struct fh_trace_names *names, const struct fh_trace_record *record) {
    struct fh_trace_log_writer *w = user;
    if (!w->failed && (!w->frame_count || w->frame.count >= FH_FRAME_RECORDS)) {
        close_frame(w);
        w->failed |= !open_frame(w);
    }
    if (!w->failed) {
        put_record(w, record);
        note(&w->frames[w->frame_count - 1], names, record);
        w->failed |= w->frame.failed;
    }
    return !w->failed;
}

/* ---------------------------------------------------------------- names, index */

static void put_code(struct fh_trace_bytes *to, const struct fh_trace_names *names,
                     const struct fh_trace_kernel *k) {
    uint64_t known = 0, last = 0;
    for (size_t i = 0; i < k->count; i++)
        known += k->code[i].known;
    put_number(to, known);
    for (size_t i = 0; i < k->count; i++) {
        const struct fh_trace_instruction *at = &k->code[i];
        if (!at->known)
            continue;
        put_number(to, i - last);
        last = i;
        put_fixed(to, at->word.lo, 8);
        put_fixed(to, at->word.hi, 8);
        put_number(to, fh_trace_string_number(names, at->file));
        put_number(to, at->line);
        put_number(to, at->column);
        put_number(to, at->step_count);
        for (size_t s = 0; s < at->step_count; s++) {
            put_number(to, fh_trace_string_number(names, at->steps[s].what));
            put_number(to, fh_trace_string_number(names, at->steps[s].file));
            put_number(to, at->steps[s].line);
            put_number(to, at->steps[s].iteration);
        }
    }
}

static void put_names(struct fh_trace_bytes *to, const struct fh_trace_names *names) {
    put_number(to, names->string_count);
    for (size_t i = 0; i < names->string_count; i++)
        put_text(to, names->strings[i]);
    put_number(to, names->kernel_count);
    for (size_t i = 0; i < names->kernel_count; i++) {
        put_number(to, fh_trace_string_number(names, names->kernels[i].name));
        put_code(to, names, &names->kernels[i]);
    }
    put_number(to, names->launch_count);
    for (size_t i = 0; i < names->launch_count; i++) {
        const struct fh_trace_launch *l = &names->launches[i];
        put_number(to, l->number);
        put_number(to, l->kernel);
        for (unsigned k = 0; k < 3; k++) {
            put_number(to, l->grid[k]);
            put_number(to, l->block[k]);
        }
    }
    put_number(to, names->object_count);
    for (size_t i = 0; i < names->object_count; i++) {
        const struct fh_trace_object *o = &names->objects[i];
        put_number(to, fh_trace_string_number(names, o->name));
        put_number(to, o->space);
        put_number(to, o->bank);
        put_number(to, o->launch);
        put_number(to, o->base);
        put_number(to, o->size);
    }
}

static void put_index(struct fh_trace_bytes *to, const struct fh_trace_log_writer *w) {
    put_number(to, w->frame_count);
    for (size_t i = 0; i < w->frame_count; i++) {
        const struct fh_trace_frame *f = &w->frames[i];
        const uint64_t numbers[] = {f->offset,      f->records,    f->first_launch, f->last_launch,
                                    f->first_block, f->last_block, f->first_pc,     f->last_pc,
                                    f->warps,       f->others};
        for (unsigned k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
            put_number(to, numbers[k]);
    }
}

static void finish(struct fh_trace_log_writer *w, const struct fh_trace_names *names) {
    struct fh_trace_bytes bytes = {0}, trailer = {0};
    uint8_t offsets[16];
    close_frame(w);
    put_fixed(&trailer, w->offset, 8);
    put_names(&bytes, names);
    put_frame(w, FH_FRAME_OF_NAMES, &bytes);
    bytes.count = 0;
    put_fixed(&trailer, w->offset, 8);
    put_index(&bytes, w);
    put_frame(w, FH_FRAME_OF_INDEX, &bytes);
    if (!trailer.failed) {
        memcpy(offsets, trailer.bytes, sizeof offsets);
        put_fixed(&trailer, XXH3_64bits(offsets, sizeof offsets), 8);
        fh_trace_put(&trailer, FH_TRACE_MAGIC, FH_MAGIC_BYTES);
    }
    put_all(w, &trailer);
    fh_trace_bytes_free(&bytes);
    fh_trace_bytes_free(&trailer);
}

struct fh_trace_log_writer *fh_trace_log_new(struct fh_trace_out out) {
    struct fh_trace_log_writer *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->out = out;
    w->zstd = ZSTD_createCCtx();
    if (!w->zstd) {
        free(w);
        return NULL;
    }
    w->failed = !out.write(out.user, FH_TRACE_MAGIC, FH_MAGIC_BYTES);
    w->offset = FH_MAGIC_BYTES;
    return w;
}

struct fh_trace_sink fh_trace_log_sink(struct fh_trace_log_writer *writer) {
    return (struct fh_trace_sink){writer, put};
}

/* Whether a reader takes as many. */
static bool are_few(const struct fh_trace_names *names) {
    uint64_t instructions = 0;
    for (size_t i = 0; i < names->kernel_count; i++)
        instructions += names->kernels[i].count;
    return instructions <= FH_MOST_INSTRUCTIONS && names->string_count < FH_MOST_STRINGS &&
           names->object_count < FH_MOST_OBJECTS;
}

bool fh_trace_log_end(struct fh_trace_log_writer *w, const struct fh_trace_names *names) {
    if (!w)
        return true;
    if (names && !are_few(names))
        w->failed = true;
    if (names && !w->failed)
        finish(w, names);
    const bool fine = !w->failed && !w->frame.failed;
    ZSTD_freeCCtx(w->zstd);
    fh_trace_bytes_free(&w->frame);
    fh_trace_bytes_free(&w->packed);
    free(w->frames);
    free(w);
    return fine;
}
