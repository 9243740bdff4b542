/*
 * cuda_memory.c - see cuda_memory.h.
 */
#include "cuda_memory.h"
#include "reservation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PIECE = 1 << 20 }; /* bytes that are copied at a time through the host */
#define TOTAL (UINT64_C(40) << 30)

/* Sorted by address. */
static struct {
    fh_cuda_range *list;
    size_t count, capacity;
    uint64_t numbers; /* allocations so far */
    uint64_t used;    /* bytes of DEVICE and MANAGED */
} ranges;

/* How many ranges begin at or before the address. */
static size_t ranges_before(uint64_t address) {
    size_t low = 0, high = ranges.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranges.list[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

fh_cuda_range *fh_cuda_range_of(uint64_t address) {
    size_t before = ranges_before(address);
    if (!before)
        return NULL;
    fh_cuda_range *r = &ranges.list[before - 1];
    return address - r->address < r->bytes ? r : NULL;
}

static bool add_range(const fh_cuda_range *range) {
    if (ranges.count == ranges.capacity) {
        size_t capacity = ranges.capacity ? 2 * ranges.capacity : 64;
        fh_cuda_range *list = realloc(ranges.list, capacity * sizeof *list);
        if (!list)
            return false;
        ranges.list = list;
        ranges.capacity = capacity;
    }
    size_t at = ranges_before(range->address);
    memmove(&ranges.list[at + 1], &ranges.list[at], (ranges.count - at) * sizeof *ranges.list);
    ranges.list[at] = *range;
    ranges.list[at].number = ++ranges.numbers;
    ranges.count++;
    return true;
}

static void remove_range(const fh_cuda_range *range) {
    size_t at = (size_t)(range - ranges.list);
    memmove(&ranges.list[at], &ranges.list[at + 1], (ranges.count - at - 1) * sizeof *ranges.list);
    ranges.count--;
}

static bool counts(fh_cuda_memory_kind kind) {
    return kind == FH_CUDA_DEVICE || kind == FH_CUDA_MANAGED;
}

static const char *call_of(fh_cuda_memory_kind kind) {
    return kind == FH_CUDA_DEVICE ? "device" : kind == FH_CUDA_MANAGED ? "managed" : "host";
}

static uint64_t whole_pages(uint64_t bytes) {
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}

/* Memory of this process that is the machine's, too, at the host's address. */
static fh_cuda_status alloc_shared(const char *name, uint64_t bytes, uint64_t *address) {
    void *host = mmap(NULL, whole_pages(bytes), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (host == MAP_FAILED)
        return FH_CUDA_NO_MEMORY;
    *address = (uintptr_t)host;
    if (fhec_map(fh_cuda_machine(), name, *address, host, bytes, 0) == FHEC_OK)
        return FH_CUDA_OK;
    munmap(host, whole_pages(bytes));
    return FH_CUDA_NO_MEMORY;
}

/* What the host has of memory, which pages that it shares with the device cannot exceed. */
static uint64_t host_bytes(void) {
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

fh_cuda_status fh_cuda_alloc(fh_cuda_memory_kind kind, uint64_t bytes, unsigned flags,
                             uint64_t *address) {
    *address = 0;
    if (!bytes)
        return FH_CUDA_OK;
    if (kind != FH_CUDA_DEVICE && bytes > host_bytes())
        return FH_CUDA_NO_MEMORY;
    if (counts(kind) && (bytes > TOTAL || ranges.used > TOTAL - bytes))
        return FH_CUDA_NO_MEMORY;
    char name[64];
    snprintf(name, sizeof name, "%s allocation %llu", call_of(kind),
             (unsigned long long)ranges.numbers + 1);
    fh_cuda_status status = FH_CUDA_NO_MEMORY;
    if (kind != FH_CUDA_DEVICE)
        status = alloc_shared(name, bytes, address);
    else if (fhec_alloc(fh_cuda_machine(), name, bytes, 0, address) == FHEC_OK)
        status = FH_CUDA_OK;
    fh_cuda_range range = {.address = *address, .bytes = bytes, .kind = kind, .flags = flags};
    if (status == FH_CUDA_OK && !add_range(&range)) {
        fhec_release(fh_cuda_machine(), *address);
        if (kind != FH_CUDA_DEVICE)
            munmap((void *)(uintptr_t)*address, whole_pages(bytes));
        status = FH_CUDA_NO_MEMORY;
    }
    if (status == FH_CUDA_OK && counts(kind))
        ranges.used += bytes;
    if (status != FH_CUDA_OK)
        *address = 0;
    return status;
}

fh_cuda_status fh_cuda_map_at(uint64_t address, uint64_t bytes, void *host) {
    if (bytes > TOTAL || ranges.used > TOTAL - bytes)
        return FH_CUDA_NO_MEMORY;
    void *backing = host ? NULL
                         : mmap(NULL, whole_pages(bytes), PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (backing == MAP_FAILED)
        return FH_CUDA_NO_MEMORY;
    const fh_cuda_range range = {
        .address = address, .bytes = bytes, .kind = FH_CUDA_DEVICE, .backing = backing};
    const bool mapped = fhec_map(fh_cuda_machine(), "mapped memory", address, host ? host : backing,
                                 bytes, 0) == FHEC_OK;
    if (mapped && add_range(&range)) {
        ranges.used += bytes;
        return FH_CUDA_OK;
    }
    if (mapped)
        fhec_release(fh_cuda_machine(), address);
    if (backing)
        munmap(backing, whole_pages(bytes));
    return FH_CUDA_NO_MEMORY;
}

/* The range that begins there. */
static fh_cuda_range *range_at(uint64_t address) {
    fh_cuda_range *r = fh_cuda_range_of(address);
    return r && r->address == address ? r : NULL;
}

static void release(fh_cuda_range *r) {
    if (r->kind != FH_CUDA_VARIABLE)
        fhec_release(fh_cuda_machine(), r->address);
    if (r->kind == FH_CUDA_HOST || r->kind == FH_CUDA_MANAGED)
        munmap((void *)(uintptr_t)r->address, whole_pages(r->bytes));
    if (r->backing)
        munmap(r->backing, whole_pages(r->bytes));
    if (counts(r->kind))
        ranges.used -= r->bytes;
    remove_range(r);
}

fh_cuda_status fh_cuda_free(uint64_t address, bool host) {
    if (!address)
        return FH_CUDA_OK;
    fh_cuda_range *r = range_at(address);
    if (!r || !(host ? r->kind == FH_CUDA_HOST : counts(r->kind)))
        return FH_CUDA_INVALID_VALUE;
    release(r);
    return FH_CUDA_OK;
}

fh_cuda_status fh_cuda_register(void *host, uint64_t bytes, unsigned flags) {
    const uint64_t address = (uintptr_t)host;
    if (!host || !bytes || bytes > UINT64_MAX - address)
        return FH_CUDA_INVALID_VALUE;
    size_t behind = ranges_before(address + bytes - 1);
    if (behind && ranges.list[behind - 1].address + ranges.list[behind - 1].bytes > address)
        return FH_CUDA_ALREADY_REGISTERED;
    if (fhec_map(fh_cuda_machine(), "registered memory", address, host, bytes, 0) != FHEC_OK)
        return FH_CUDA_INVALID_VALUE;
    if (add_range(&(fh_cuda_range){
            .address = address, .bytes = bytes, .kind = FH_CUDA_REGISTERED, .flags = flags}))
        return FH_CUDA_OK;
    fhec_release(fh_cuda_machine(), address);
    return FH_CUDA_NO_MEMORY;
}

fh_cuda_status fh_cuda_unregister(void *host) {
    fh_cuda_range *r = range_at((uintptr_t)host);
    if (!r || r->kind != FH_CUDA_REGISTERED)
        return host ? FH_CUDA_NOT_REGISTERED : FH_CUDA_INVALID_VALUE;
    release(r);
    return FH_CUDA_OK;
}

bool fh_cuda_know_variable(uint64_t address, uint64_t bytes) {
    return !bytes || add_range(&(fh_cuda_range){
                         .address = address, .bytes = bytes, .kind = FH_CUDA_VARIABLE});
}

void fh_cuda_forget(uint64_t address) {
    fh_cuda_range *r = range_at(address);
    if (r)
        remove_range(r);
}

void fh_cuda_memory_info(uint64_t *free_bytes, uint64_t *total) {
    *total = TOTAL;
    *free_bytes = TOTAL - ranges.used;
}

void fh_cuda_memory_end(void) {
    while (ranges.count)
        release(&ranges.list[ranges.count - 1]);
    free(ranges.list);
    ranges.list = NULL;
    ranges.capacity = 0;
}

/* ---------------------------------------------------------------- copies */

/* Addresses that have no memory: those of a reservation, until there is some. */
static bool is_empty(uint64_t address) {
    return !fh_cuda_range_of(address) && fh_cuda_is_reserved(address, 1);
}

static bool of_machine(const fh_cuda_range *r) {
    return r && (r->kind == FH_CUDA_DEVICE || r->kind == FH_CUDA_VARIABLE);
}

/* The bytes from the address on that are the machine's without a gap, up to `enough` of them. */
static uint64_t reach(const fh_cuda_range *r, uint64_t address, uint64_t enough) {
    const fh_cuda_range *end = ranges.list + ranges.count;
    uint64_t bytes = r->bytes - (address - r->address);
    while (bytes < enough && r + 1 < end && of_machine(r) && r[1].kind == r->kind &&
           r[1].address == r->address + r->bytes) {
        r++;
        bytes += r->bytes;
    }
    return bytes;
}

bool fh_cuda_is_device(uint64_t address, uint64_t bytes) {
    const fh_cuda_range *r = fh_cuda_range_of(address);
    return r ? bytes <= reach(r, address, bytes) : fh_cuda_is_promised(address, bytes);
}

/* Bytes from the first to behind the last; UINT64_MAX: more than there can be. */
static uint64_t span(uint64_t pitch, uint64_t slice, uint64_t width, uint64_t height,
                     uint64_t depth) {
    uint64_t rows, slices, all;
    if (__builtin_mul_overflow(pitch, height - 1, &rows) ||
        __builtin_mul_overflow(slice, depth - 1, &slices) ||
        __builtin_add_overflow(rows, slices, &all) || __builtin_add_overflow(all, width, &all))
        return UINT64_MAX;
    return all;
}

/* Whether one side of a copy is what the kind of copy says (`device`, or `any`). */
static bool side_is_right(uint64_t address, uint64_t bytes, bool device, bool any) {
    const fh_cuda_range *r = fh_cuda_range_of(address);
    if (!address || bytes == UINT64_MAX)
        return false;
    if (!r)
        return fh_cuda_is_promised(address, bytes)   ? any || device
               : fh_cuda_is_reserved(address, bytes) ? false
                                                     : any || !device;
    return bytes <= reach(r, address, bytes) && (any || device || !of_machine(r));
}

fh_cuda_status fh_cuda_copy_check(const fh_cuda_copy *c, fh_cuda_copy_kind kind) {
    if (kind > FH_CUDA_ANY_TO_ANY)
        return FH_CUDA_INVALID_COPY_KIND;
    if (!c->width || !c->height || !c->depth)
        return FH_CUDA_OK;
    if ((c->height > 1 || c->depth > 1) && (c->to_pitch < c->width || c->from_pitch < c->width))
        return FH_CUDA_INVALID_PITCH;
    const bool any = kind == FH_CUDA_ANY_TO_ANY;
    const bool to = kind == FH_CUDA_HOST_TO_DEVICE || kind == FH_CUDA_DEVICE_TO_DEVICE;
    const bool from = kind == FH_CUDA_DEVICE_TO_HOST || kind == FH_CUDA_DEVICE_TO_DEVICE;
    const uint64_t to_span = span(c->to_pitch, c->to_slice, c->width, c->height, c->depth);
    const uint64_t from_span = span(c->from_pitch, c->from_slice, c->width, c->height, c->depth);
    if (!side_is_right(c->to, to_span, to, any) || !side_is_right(c->from, from_span, from, any))
        return FH_CUDA_INVALID_VALUE;
    return FH_CUDA_OK;
}

fh_cuda_status fh_cuda_copy_stage(fh_cuda_copy *c, void **staged) {
    *staged = NULL;
    if (!c->width || !c->height || !c->depth || fh_cuda_range_of(c->from))
        return FH_CUDA_OK;
    const uint64_t bytes = span(c->from_pitch, c->from_slice, c->width, c->height, c->depth);
    *staged = malloc(bytes);
    if (!*staged)
        return FH_CUDA_NO_MEMORY;
    memcpy(*staged, (const void *)(uintptr_t)c->from, bytes);
    c->from = (uintptr_t)*staged;
    return FH_CUDA_OK;
}

bool fh_cuda_copy_is_to_pageable(const fh_cuda_copy *c) {
    return !fh_cuda_range_of(c->to);
}

/* How many of `bytes` bytes lie in the range of the first. */
static uint64_t in_range(const fh_cuda_range *r, uint64_t address, uint64_t bytes) {
    const uint64_t here = r->bytes - (address - r->address);
    return bytes < here ? bytes : here;
}

static bool read_bytes(uint64_t from, void *bytes, uint64_t count) {
    uint8_t *to = bytes;
    const fh_cuda_range *r = fh_cuda_range_of(from);
    if (!of_machine(r)) {
        memmove(to, (const void *)(uintptr_t)from, count);
        return true;
    }
    while (count && of_machine(r)) {
        const uint64_t part = in_range(r, from, count);
        if (fhec_read(fh_cuda_machine(), from, to, part) != FHEC_OK)
            return false;
        from += part, to += part, count -= part;
        r = fh_cuda_range_of(from);
    }
    return !count;
}

static bool write_bytes(uint64_t to, const void *bytes, uint64_t count) {
    const uint8_t *from = bytes;
    const fh_cuda_range *r = fh_cuda_range_of(to);
    if (!of_machine(r)) {
        memcpy((void *)(uintptr_t)to, from, count);
        return true;
    }
    while (count && of_machine(r)) {
        const uint64_t part = in_range(r, to, count);
        if (fhec_write(fh_cuda_machine(), to, from, part) != FHEC_OK)
            return false;
        to += part, from += part, count -= part;
        r = fh_cuda_range_of(to);
    }
    return !count;
}

/* A row; `piece` has room for PIECE bytes and is for what neither side's host can reach. */
static bool copy_row(uint64_t to, uint64_t from, uint64_t bytes, void *piece) {
    if (is_empty(to) || is_empty(from))
        return false;
    if (!of_machine(fh_cuda_range_of(to)))
        return read_bytes(from, (void *)(uintptr_t)to, bytes);
    if (!of_machine(fh_cuda_range_of(from)))
        return write_bytes(to, (const void *)(uintptr_t)from, bytes);
    for (uint64_t at = 0; at < bytes; at += PIECE) {
        const uint64_t count = bytes - at < PIECE ? bytes - at : PIECE;
        if (!read_bytes(from + at, piece, count) || !write_bytes(to + at, piece, count))
            return false;
    }
    return true;
}

fh_cuda_status fh_cuda_copy_do(const fh_cuda_copy *c) {
    if (!c->width || !c->height || !c->depth)
        return FH_CUDA_OK;
    void *piece = malloc(PIECE);
    bool good = piece != NULL;
    for (uint64_t z = 0; good && z < c->depth; z++)
        for (uint64_t y = 0; good && y < c->height; y++)
            good = copy_row(c->to + z * c->to_slice + y * c->to_pitch,
                            c->from + z * c->from_slice + y * c->from_pitch, c->width, piece);
    free(piece);
    return good ? FH_CUDA_OK : piece ? FH_CUDA_INVALID_VALUE : FH_CUDA_NO_MEMORY;
}

/* ---------------------------------------------------------------- fills */

fh_cuda_status fh_cuda_fill_check(const fh_cuda_fill *f) {
    if (!f->width || !f->height || !f->depth)
        return FH_CUDA_OK;
    uint64_t row;
    if (__builtin_mul_overflow(f->width, (uint64_t)f->element, &row))
        return FH_CUDA_INVALID_VALUE;
    if ((f->height > 1 || f->depth > 1) && f->pitch < row)
        return FH_CUDA_INVALID_VALUE;
    const uint64_t bytes = span(f->pitch, f->slice, row, f->height, f->depth);
    if (f->to % f->element || bytes == UINT64_MAX || !fh_cuda_is_device(f->to, bytes))
        return FH_CUDA_INVALID_VALUE;
    return FH_CUDA_OK;
}

static void repeat(uint8_t *piece, uint64_t bytes, uint32_t value, uint32_t element) {
    for (uint64_t i = 0; i < bytes; i++)
        piece[i] = (uint8_t)(value >> 8 * (i % element));
}

fh_cuda_status fh_cuda_fill_do(const fh_cuda_fill *f) {
    if (!f->width || !f->height || !f->depth)
        return FH_CUDA_OK;
    const uint64_t row = f->width * f->element, size = row < PIECE ? row : PIECE;
    uint8_t *piece = malloc(size + 1);
    if (!piece)
        return FH_CUDA_NO_MEMORY;
    repeat(piece, size, f->value, f->element);
    bool good = !is_empty(f->to);
    for (uint64_t i = 0; good && i < f->height * f->depth; i++) {
        const uint64_t to = f->to + i / f->height * f->slice + i % f->height * f->pitch;
        for (uint64_t at = 0; good && at < row; at += size)
            good = write_bytes(to + at, piece, row - at < size ? row - at : size);
    }
    free(piece);
    return good ? FH_CUDA_OK : FH_CUDA_INVALID_VALUE;
}
