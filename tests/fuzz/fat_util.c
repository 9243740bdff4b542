/*
 * fat_util.c - see fat_util.h. The LZ4 packer is the plainest that uses all there is in the format:
 * the last place with the same four bytes is the match.
 */
#include "fat_util.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

void fat_put(struct fat_file *file, const void *bytes, size_t length) {
    uint8_t *more = realloc(file->bytes, file->length + length + 1);
    assert(more);
    file->bytes = more;
    if (length)
        memcpy(more + file->length, bytes, length);
    file->length += length;
}

static void put_number(uint8_t *to, unsigned bytes, uint64_t value) {
    for (unsigned i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

size_t fat_begin(struct fat_file *file) {
    size_t at = file->length;
    uint8_t header[16] = {0x50, 0xed, 0x55, 0xba, 1, 0, sizeof header, 0};
    fat_put(file, header, sizeof header);
    return at;
}

static uint8_t *put_length(uint8_t *to, size_t length) {
    if (length < 15)
        return to;
    for (length -= 15; length >= 255; length -= 255)
        *to++ = 255;
    *to++ = (uint8_t)length;
    return to;
}

static uint8_t *put_sequence(uint8_t *to, const uint8_t *literals, size_t count, size_t back,
                             size_t match) {
    size_t rest = match ? match - 4 : 0;
    *to++ = (uint8_t)((count < 15 ? count : 15) << 4 | (rest < 15 ? rest : 15));
    to = put_length(to, count);
    memcpy(to, literals, count);
    to += count;
    if (!match)
        return to;
    *to++ = (uint8_t)back;
    *to++ = (uint8_t)(back >> 8);
    return put_length(to, rest);
}

size_t fat_lz4(const uint8_t *from, size_t length, uint8_t *to) {
    static const size_t none = SIZE_MAX;
    enum { SLOTS = 4096, TAIL = 12 };
    size_t last[SLOTS], literals = 0;
    uint8_t *begin = to;
    for (unsigned i = 0; i < SLOTS; i++)
        last[i] = none;
    for (size_t i = 0; i + TAIL < length;) {
        uint32_t four;
        memcpy(&four, from + i, 4);
        size_t *slot = &last[(four * 2654435761u) >> 20], at = *slot, n = 0;
        *slot = i;
        while (at != none && i - at < 65536 && i + n + TAIL < length && from[at + n] == from[i + n])
            n++;
        if (n < 4) {
            i++;
            continue;
        }
        to = put_sequence(to, from + literals, i - literals, i - at, n);
        i += n;
        literals = i;
    }
    to = put_sequence(to, from + literals, length - literals, 0, 0);
    return (size_t)(to - begin);
}

void fat_add(struct fat_file *file, size_t container, unsigned kind, unsigned architecture,
             enum fat_packing packing, const void *bytes, size_t length) {
    static const uint64_t flags[] = {[FAT_PLAIN] = 0x11, [FAT_LZ4] = 0x2011, [FAT_ZSTD] = 0x8011};
    size_t room = 2 * length + 1024, size = length;
    uint8_t header[64] = {0}, *packed = calloc(1, room);
    assert(packed);
    if (packing == FAT_LZ4)
        size = fat_lz4(bytes, length, packed);
    else if (packing == FAT_ZSTD)
        size = ZSTD_compress(packed, room, bytes, length, 3);
    else
        memcpy(packed, bytes, length);
    assert(size <= room - 8);
    size_t padded = (size + 7) & ~(size_t)7;
    put_number(header, 2, kind);
    put_number(header + 2, 2, 0x101);
    put_number(header + 4, 4, sizeof header);
    put_number(header + 8, 8, padded);
    put_number(header + 16, 4, packing == FAT_PLAIN ? 0 : size);
    put_number(header + 28, 4, architecture);
    put_number(header + 40, 8, flags[packing]);
    put_number(header + 56, 8, packing == FAT_PLAIN ? 0 : length);
    fat_put(file, header, sizeof header);
    fat_put(file, packed, padded);
    free(packed);
    put_number(file->bytes + container + 8, 8, file->length - container - 16);
}
