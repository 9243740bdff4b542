/*
 * fat_util.h - writes what fat_binary.h reads: containers with objects as they are, or packed.
 */
#ifndef FH_TESTS_FAT_UTIL_H
#define FH_TESTS_FAT_UTIL_H

#include <stddef.h>
#include <stdint.h>

enum fat_packing { FAT_PLAIN, FAT_LZ4, FAT_ZSTD };

/* A file in memory; begin with zeros, end with free(bytes). */
struct fat_file {
    uint8_t *bytes;
    size_t length;
};

void fat_put(struct fat_file *file, const void *bytes, size_t length);
/* A container without entries; returns where it begins, for fat_add. */
size_t fat_begin(struct fat_file *file);
/* Adds an entry to the container at `container`, the last one of the file. Kind 2 is an object. */
void fat_add(struct fat_file *file, size_t container, unsigned kind, unsigned architecture,
             enum fat_packing packing, const void *bytes, size_t length);

/* Packs into an LZ4 block, whose room at `to` is at least 2 * length + 16: returns its size. */
size_t fat_lz4(const uint8_t *from, size_t length, uint8_t *to);

#endif
