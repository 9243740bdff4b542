/*
 * driver_virtual.c - addresses and memory apart: ranges of addresses that are reserved, memory that
 * is made without an address, and one mapped to the other. Memory can be used at an address once
 * access to it has been given there.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "driver.h"
#include "reservation.h"

typedef unsigned long long address_type; /* CUdeviceptr */

#define GRANULARITY ((uint64_t)2 << 20)

enum { PINNED = 1, ON_DEVICE = 1, READ_WRITE = 3 };

/* CUmemAllocationProp and CUmemAccessDesc */
struct properties {
    int kind, handle_types, location[2];
    void *metadata;
    unsigned char flags[8];
};
struct access {
    int location[2];
    int flags;
};

/* Memory: a handle's, until it is released and mapped nowhere. */
struct memory {
    uint8_t *bytes;
    uint64_t length;
    struct properties properties;
    size_t uses, handles;
    struct memory *next;
};

/* A part of it at an address. */
struct mapping {
    uint64_t address, length, offset;
    struct memory *memory;
    bool accessible;
    struct mapping *next;
};

static struct memory *memories;
static struct mapping *mappings;

static struct memory *memory_of(uint64_t handle) {
    struct memory *m = memories;
    while (m && (uintptr_t)m != handle)
        m = m->next;
    return m;
}

static void drop_if_unused(struct memory *memory) {
    if (memory->uses || memory->handles)
        return;
    struct memory **at = &memories;
    while (*at != memory)
        at = &(*at)->next;
    *at = memory->next;
    munmap(memory->bytes, memory->length);
    free(memory);
}

static bool is_whole(uint64_t address, uint64_t bytes) {
    return bytes && address % GRANULARITY == 0 && bytes % GRANULARITY == 0;
}

/* ---------------------------------------------------------------- memory */

static fh_cuda_status check_properties(const struct properties *p) {
    if (!p || p->kind != PINNED || p->location[0] != ON_DEVICE)
        return FH_CUDA_INVALID_VALUE;
    if (p->location[1])
        return FH_CUDA_INVALID_DEVICE;
    return p->handle_types ? FH_CUDA_NOT_SUPPORTED : FH_CUDA_OK;
}

static fh_cuda_status granularity(size_t *bytes, const struct properties *p, int option) {
    const fh_cuda_status status = check_properties(p);
    if (status != FH_CUDA_OK || !bytes || option < 0 || option > 1)
        return status != FH_CUDA_OK ? status : FH_CUDA_INVALID_VALUE;
    *bytes = GRANULARITY;
    return FH_CUDA_OK;
}

DRIVER driver_result cuMemGetAllocationGranularity(size_t *bytes, const struct properties *p,
                                                   int option) {
    FH_DRIVER_CALL(granularity(bytes, p, option));
}

static fh_cuda_status create(unsigned long long *handle, size_t bytes, const struct properties *p,
                             unsigned long long flags) {
    uint64_t left, total;
    const fh_cuda_status status = check_properties(p);
    if (status != FH_CUDA_OK || !handle || flags || !is_whole(0, bytes))
        return status != FH_CUDA_OK ? status : FH_CUDA_INVALID_VALUE;
    fh_cuda_memory_info(&left, &total);
    struct memory *m = bytes <= left ? calloc(1, sizeof *m) : NULL;
    void *host = m ? mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                   : MAP_FAILED;
    if (host == MAP_FAILED) {
        free(m);
        return FH_CUDA_NO_MEMORY;
    }
    *m = (struct memory){host, bytes, *p, 0, 1, memories};
    memories = m;
    *handle = (uintptr_t)m;
    return FH_CUDA_OK;
}

DRIVER driver_result cuMemCreate(unsigned long long *handle, size_t bytes,
                                 const struct properties *p, unsigned long long flags) {
    FH_DRIVER_CALL(create(handle, bytes, p, flags));
}

static fh_cuda_status release(unsigned long long handle) {
    struct memory *m = memory_of(handle);
    if (!m || !m->handles)
        return FH_CUDA_INVALID_VALUE;
    m->handles--;
    drop_if_unused(m);
    return FH_CUDA_OK;
}

DRIVER driver_result cuMemRelease(unsigned long long handle) {
    FH_DRIVER_CALL(release(handle));
}

static fh_cuda_status properties_of(struct properties *to, unsigned long long handle) {
    const struct memory *m = memory_of(handle);
    if (!to || !m)
        return FH_CUDA_INVALID_VALUE;
    *to = m->properties;
    return FH_CUDA_OK;
}

DRIVER driver_result cuMemGetAllocationPropertiesFromHandle(struct properties *to,
                                                            unsigned long long handle) {
    FH_DRIVER_CALL(properties_of(to, handle));
}

/* ---------------------------------------------------------------- addresses */

static fh_cuda_status reserve(address_type *address, size_t bytes, size_t alignment,
                              unsigned long long flags) {
    if (!address || flags || !is_whole(0, bytes) || (alignment & (alignment - 1)))
        return FH_CUDA_INVALID_VALUE;
    uint64_t got;
    const fh_cuda_status status =
        fh_cuda_reserve(bytes, alignment > GRANULARITY ? alignment : GRANULARITY, false, &got);
    *address = got;
    return status;
}

/* The address that is wished for is only a hint. */
DRIVER driver_result cuMemAddressReserve(address_type *address, size_t bytes, size_t alignment,
                                         address_type wish, unsigned long long flags) {
    (void)wish;
    FH_DRIVER_CALL(reserve(address, bytes, alignment, flags));
}

static bool overlap(const struct mapping *m, uint64_t address, uint64_t bytes) {
    return m->address < address + bytes && address < m->address + m->length;
}

static bool is_mapped(uint64_t address, uint64_t bytes) {
    for (const struct mapping *m = mappings; m; m = m->next)
        if (overlap(m, address, bytes))
            return true;
    return false;
}

static fh_cuda_status unreserve(uint64_t address, uint64_t bytes) {
    if (!bytes || fh_cuda_reserved(address) != bytes || is_mapped(address, bytes))
        return FH_CUDA_INVALID_VALUE;
    fh_cuda_unreserve(address);
    return FH_CUDA_OK;
}

DRIVER driver_result cuMemAddressFree(address_type address, size_t bytes) {
    FH_DRIVER_CALL(unreserve(address, bytes));
}

/* ---------------------------------------------------------------- mappings */

static fh_cuda_status map(uint64_t address, uint64_t bytes, uint64_t offset,
                          unsigned long long handle, unsigned long long flags) {
    struct memory *memory = memory_of(handle);
    if (!memory || flags || !is_whole(address, bytes) || offset % GRANULARITY ||
        offset > memory->length || bytes > memory->length - offset ||
        !fh_cuda_is_reserved(address, bytes) || is_mapped(address, bytes))
        return FH_CUDA_INVALID_VALUE;
    struct mapping *m = malloc(sizeof *m);
    if (!m)
        return FH_CUDA_NO_MEMORY;
    *m = (struct mapping){address, bytes, offset, memory, false, mappings};
    mappings = m;
    memory->uses++;
    return FH_CUDA_OK;
}

DRIVER driver_result cuMemMap(address_type address, size_t bytes, size_t offset,
                              unsigned long long handle, unsigned long long flags) {
    FH_DRIVER_CALL(map(address, bytes, offset, handle, flags));
}

/* Bytes of [address, address + bytes) that are mapped by mappings that lie in it whole; UINT64_MAX:
 * one lies in it in part. */
static uint64_t mapped_whole(uint64_t address, uint64_t bytes) {
    uint64_t sum = 0;
    for (const struct mapping *m = mappings; m; m = m->next) {
        if (!overlap(m, address, bytes))
            continue;
        if (m->address < address || m->length > address + bytes - m->address)
            return UINT64_MAX;
        sum += m->length;
    }
    return sum;
}

static void hide(struct mapping *m) {
    if (m->accessible)
        (void)fh_cuda_free(m->address, false);
    m->accessible = false;
}

static fh_cuda_status unmap(uint64_t address, uint64_t bytes) {
    if (!is_whole(address, bytes) || mapped_whole(address, bytes) != bytes)
        return FH_CUDA_INVALID_VALUE;
    const fh_cuda_status status = fh_cuda_wait(NULL); /* work that was asked for may need it */
    for (struct mapping **at = &mappings; *at;) {
        struct mapping *m = *at;
        if (!overlap(m, address, bytes)) {
            at = &m->next;
            continue;
        }
        *at = m->next;
        hide(m);
        m->memory->uses--;
        drop_if_unused(m->memory);
        free(m);
    }
    return status;
}

DRIVER driver_result cuMemUnmap(address_type address, size_t bytes) {
    FH_DRIVER_CALL(unmap(address, bytes));
}

/* The whole mapping can be used; what a device may only read is not told from the rest. */
static fh_cuda_status show(struct mapping *m) {
    if (m->accessible)
        return FH_CUDA_OK;
    const fh_cuda_status status =
        fh_cuda_map_at(m->address, m->length, m->memory->bytes + m->offset);
    m->accessible = status == FH_CUDA_OK;
    return status;
}

static fh_cuda_status set_access(uint64_t address, uint64_t bytes, const struct access *list,
                                 size_t count) {
    if (!list || count != 1 || list->location[0] != ON_DEVICE || list->location[1] ||
        (list->flags & ~READ_WRITE) || !is_whole(address, bytes) ||
        mapped_whole(address, bytes) != bytes)
        return FH_CUDA_INVALID_VALUE;
    fh_cuda_status status = FH_CUDA_OK;
    for (struct mapping *m = mappings; m && status == FH_CUDA_OK; m = m->next) {
        if (!overlap(m, address, bytes))
            continue;
        if (list->flags)
            status = show(m);
        else
            hide(m);
    }
    return status;
}

DRIVER driver_result cuMemSetAccess(address_type address, size_t bytes, const struct access *list,
                                    size_t count) {
    FH_DRIVER_CALL(set_access(address, bytes, list, count));
}

static struct mapping *mapping_of(uint64_t address) {
    struct mapping *m = mappings;
    while (m && address - m->address >= m->length)
        m = m->next;
    return m;
}

static fh_cuda_status get_access(unsigned long long *flags, const int location[2],
                                 uint64_t address) {
    const struct mapping *m = mapping_of(address);
    if (!flags || !location || location[0] != ON_DEVICE || location[1] || !m)
        return FH_CUDA_INVALID_VALUE;
    *flags = m->accessible ? READ_WRITE : 0;
    return FH_CUDA_OK;
}

DRIVER driver_result cuMemGetAccess(unsigned long long *flags, const int location[2],
                                    address_type address) {
    FH_DRIVER_CALL(get_access(flags, location, address));
}

static fh_cuda_status retain(unsigned long long *handle, uint64_t address) {
    struct mapping *m = mapping_of(address);
    if (!handle || !m)
        return FH_CUDA_INVALID_VALUE;
    m->memory->handles++;
    *handle = (uintptr_t)m->memory;
    return FH_CUDA_OK;
}

DRIVER driver_result cuMemRetainAllocationHandle(unsigned long long *handle, const void *address) {
    FH_DRIVER_CALL(retain(handle, (uintptr_t)address));
}

void fh_driver_virtual_end(void) {
    while (mappings) {
        struct mapping *m = mappings;
        mappings = m->next;
        hide(m);
        free(m);
    }
    while (memories) {
        struct memory *m = memories;
        m->uses = m->handles = 0;
        drop_if_unused(m);
    }
}
