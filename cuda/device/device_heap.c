/*
 * device_heap.c - malloc and free of kernels, in one allocation of global memory:
 *
 *     next | block | block | ... | block     each a header of 16 bytes and what it holds
 *
 * Blocks are all of the heap. malloc looks from the block at `next` on, around the heap, for a free
 * one that is large enough, joins free neighbours on its way, and splits what it takes. Headers
 * carry a mark made of their place, by which free knows what malloc gave, and both know a header
 * that the guest has overwritten.
 */
#include "device_parts.h"

#include <string.h>

/* At `next` of the heap's first 16 bytes: where malloc begins to look, an offset. */
struct heap {
    uint64_t next, unused;
};
struct block {
    uint64_t bytes; /* of what it holds, a multiple of 16; the lowest bit: it is taken */
    uint64_t mark;
};
enum { HEADER = sizeof(struct block), TAKEN = 1, START = FH_DEVICE_HEAP_START };
_Static_assert(sizeof(struct heap) == START, "the first block is behind the heap's header");

static uint64_t mark_of(uint64_t offset, uint64_t bytes) {
    return (offset ^ bytes << 24 ^ UINT64_C(0x6d61726b)) * UINT64_C(0x9e3779b97f4a7c15);
}

/* One lane's view of the heap. */
struct view {
    const struct fh_device_runtime *r;
    const fhec_call *call;
    uint32_t lane;
    uint64_t end; /* offset behind the last block */
};

static bool damaged(const struct view *v) {
    return fhec_call_fault(v->call, FHEC_FAULT_TRAP, 1u << v->lane,
                           "the kernel has written over the heap's own data, in front of or behind "
                           "what malloc gave");
}

static bool is_block(const struct view *v, uint64_t offset, const struct block *b) {
    const uint64_t bytes = b->bytes & ~(uint64_t)TAKEN;
    return b->mark == mark_of(offset, b->bytes) && bytes <= v->end - offset - HEADER;
}

static bool read_block(const struct view *v, uint64_t offset, struct block *b) {
    if (offset < START || offset > v->end - HEADER || offset % FH_DEVICE_ALIGNMENT)
        return damaged(v);
    if (!fhec_call_read(v->call, v->lane, v->r->heap + offset, b, sizeof *b))
        return false;
    return is_block(v, offset, b) || damaged(v);
}

static bool write_block(const struct view *v, uint64_t offset, uint64_t bytes) {
    const struct block b = {.bytes = bytes, .mark = mark_of(offset, bytes)};
    return fhec_call_write(v->call, v->lane, v->r->heap + offset, &b, sizeof b);
}

static uint64_t behind(uint64_t offset, const struct block *b) {
    return offset + HEADER + (b->bytes & ~(uint64_t)TAKEN);
}

/* A block that has grown holds the place where malloc was to begin to look: it begins with it. */
static bool look_elsewhere(const struct view *v, uint64_t offset, const struct block *b) {
    struct heap heap;
    if (!fhec_call_read(v->call, v->lane, v->r->heap, &heap, sizeof heap))
        return false;
    if (heap.next <= offset || heap.next >= behind(offset, b))
        return true;
    heap.next = offset;
    return fhec_call_write(v->call, v->lane, v->r->heap, &heap, sizeof heap);
}

/* The free block at `offset` with all free ones behind it. */
static bool join(const struct view *v, uint64_t offset, struct block *b) {
    const uint64_t before = b->bytes;
    struct block next;
    for (uint64_t at = behind(offset, b); at < v->end; at = behind(offset, b)) {
        if (!read_block(v, at, &next))
            return false;
        if (next.bytes & TAKEN)
            break;
        b->bytes += HEADER + next.bytes;
    }
    return b->bytes == before || (look_elsewhere(v, offset, b) && write_block(v, offset, b->bytes));
}

/* Takes `bytes` of a free block; the rest, if it can be a block, stays free. */
static bool take(const struct view *v, uint64_t offset, const struct block *b, uint64_t bytes) {
    const bool splits = b->bytes - bytes >= 2 * HEADER;
    const uint64_t rest = offset + HEADER + bytes;
    const uint64_t taken = splits ? bytes : b->bytes;
    const struct heap heap = {.next = offset + HEADER + taken < v->end ? offset + HEADER + taken
                                                                       : START};
    return (!splits || write_block(v, rest, b->bytes - bytes - HEADER)) &&
           write_block(v, offset, taken | TAKEN) &&
           fhec_call_write(v->call, v->lane, v->r->heap, &heap, sizeof heap);
}

/* Looks in [from, to) for a free block of `bytes`; *found 0: there is none. */
static bool search(const struct view *v, uint64_t from, uint64_t to, uint64_t bytes,
                   uint64_t *found) {
    struct block b;
    for (uint64_t at = from; at < to; at = behind(at, &b)) {
        if (!read_block(v, at, &b))
            return false;
        if (b.bytes & TAKEN)
            continue;
        if (!join(v, at, &b))
            return false;
        if (b.bytes >= bytes) {
            *found = at;
            return take(v, at, &b, bytes);
        }
    }
    return true;
}

static bool allocate(const struct view *v, uint64_t bytes, uint64_t *address) {
    struct heap heap;
    uint64_t found = 0;
    *address = 0;
    if (bytes > v->end)
        return true;
    bytes = bytes ? (bytes + FH_DEVICE_ALIGNMENT - 1) & ~(uint64_t)(FH_DEVICE_ALIGNMENT - 1)
                  : FH_DEVICE_ALIGNMENT;
    if (!fhec_call_read(v->call, v->lane, v->r->heap, &heap, sizeof heap))
        return false;
    if (heap.next < START || heap.next >= v->end)
        return damaged(v);
    if (!search(v, heap.next, v->end, bytes, &found) ||
        (!found && !search(v, START, v->end, bytes, &found)))
        return false;
    *address = found ? v->r->heap + found + HEADER : 0;
    return true;
}

static bool give_back(const struct view *v, uint64_t address) {
    const uint64_t offset = address - v->r->heap - HEADER;
    struct block b = {0};
    const bool inside = offset >= START && offset < v->end && v->end - offset >= HEADER &&
                        offset % FH_DEVICE_ALIGNMENT == 0;
    if (inside && !fhec_call_read(v->call, v->lane, v->r->heap + offset, &b, sizeof b))
        return false;
    if (!inside || !is_block(v, offset, &b))
        return fhec_call_fault(v->call, FHEC_FAULT_TRAP, 1u << v->lane,
                               "free of an address that malloc did not give");
    if (!(b.bytes & TAKEN))
        return fhec_call_fault(v->call, FHEC_FAULT_TRAP, 1u << v->lane,
                               "free of memory that was freed before");
    return write_block(v, offset, b.bytes & ~(uint64_t)TAKEN) &&
           join(v, offset, &(struct block){.bytes = b.bytes - TAKEN});
}

/* The calls of all lanes, one after another. */
static bool for_each_lane(void *user, const fhec_call *call,
                          bool (*serve)(const struct view *v, uint64_t argument)) {
    const struct fh_device_runtime *r = user;
    struct view v = {.r = r, .call = call, .end = r->options.heap_bytes};
    fhec_caller caller;
    fhec_call_caller(call, &caller);
    for (v.lane = 0; v.lane < FHEC_WARP_LANES; v.lane++)
        if (caller.lanes >> v.lane & 1 &&
            !serve(&v, fhec_call_pair(call, v.lane, FH_DEVICE_ARGUMENT)))
            return false;
    return true;
}

static bool serve_malloc(const struct view *v, uint64_t bytes) {
    uint64_t address;
    if (!allocate(v, bytes, &address))
        return false;
    fhec_call_set_pair(v->call, v->lane, FH_DEVICE_ARGUMENT, address);
    return true;
}

static bool serve_free(const struct view *v, uint64_t address) {
    return !address || give_back(v, address);
}

/* void *malloc(size_t bytes) */
bool fh_device_malloc(void *user, const fhec_call *call) {
    return for_each_lane(user, call, serve_malloc);
}

/* void free(void *address) */
bool fh_device_free(void *user, const fhec_call *call) {
    return for_each_lane(user, call, serve_free);
}

fhec_status fh_device_heap_begin(struct fh_device_runtime *r) {
    const uint64_t bytes = r->options.heap_bytes - START - HEADER;
    const struct heap heap = {.next = START};
    const struct block all = {.bytes = bytes, .mark = mark_of(START, bytes)};
    const fhec_status status = fhec_write(r->machine, r->heap, &heap, sizeof heap);
    return status == FHEC_OK ? fhec_write(r->machine, r->heap + START, &all, sizeof all) : status;
}
