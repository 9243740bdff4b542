/*
 * fat_binary.h - the objects for GPUs that a file of the host holds: a shared library, an
 * executable, an archive, an object, or the bare containers that `nvcc -fatbin` writes.
 *
 *     container   magic 0xba55ed50, version 1, size of this header, size of the entries
 *       entry     kind (2: an object), version, size of this header, size of what follows;
 *                 size when packed, architecture, flags, size when unpacked
 *         bytes   as they are, or packed by LZ4 (flag 0x2000) or zstd (flag 0x8000)
 *
 * Containers stand in sections of any name (.nv_fatbin, .rodata, ...), so the file is searched for
 * them, whatever it is. NVIDIA does not document the format; this is what its tools write. Nothing
 * that a file says is believed before it has been checked.
 */
#ifndef FH_FAT_BINARY_H
#define FH_FAT_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An object as it lies in the file, whose bytes it points into. */
struct fh_fat_object {
    unsigned architecture; /* 80: sm_80 */
    uint64_t flags;
    const uint8_t *packed;
    size_t packed_size;
    uint64_t size; /* of the object; UINT64_MAX: the entry says no size that can be */
};

/* Where a search is; begin with {bytes, length}. */
struct fh_fat_search {
    const uint8_t *bytes;
    size_t length;
    size_t at, end; /* of the entries of a container that are left; at == end: find the next one */
};

/* The next object of any architecture; false if there is none. */
bool fh_fat_next(struct fh_fat_search *search, struct fh_fat_object *object);

/* The object itself, object->size bytes, malloc'd. NULL: *why says what is wrong, in a sentence's
 * rest ("...: it is damaged"), and is NULL when there is no memory. */
uint8_t *fh_fat_unpack(const struct fh_fat_object *object, const char **why);

#endif
