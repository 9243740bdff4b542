/*
 * fat_binary.c - see fat_binary.h.
 */
#include "fat_binary.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "lz4_block.h"

enum {
    CONTAINER_HEADER = 16,
    ENTRY_HEADER = 64, /* at least: a name may follow */
    KIND_OBJECT = 2,
    FLAG_LZ4 = 0x2000,
    FLAG_ZSTD = 0x8000,
};
/* More is no object: the largest that are known have some 20 MB. */
static const uint64_t largest = UINT64_C(1) << 29;

static const uint8_t magic[8] = {0x50, 0xed, 0x55, 0xba, 1, 0, CONTAINER_HEADER, 0};

static uint64_t little(const uint8_t *bytes, unsigned count) {
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

/* Finds the next container whose entries lie within the file. */
static bool find_container(struct fh_fat_search *s) {
    while (s->end < s->length) {
        const uint8_t *found = memmem(s->bytes + s->end, s->length - s->end, magic, sizeof magic);
        if (!found)
            break;
        s->at = (size_t)(found - s->bytes);
        s->end = s->at + sizeof magic; /* where the next search begins, if this is none */
        if (s->length - s->at < CONTAINER_HEADER)
            break;
        uint64_t size = little(found + 8, 8);
        s->at += CONTAINER_HEADER;
        if (size > s->length - s->at)
            continue;
        s->end = s->at + (size_t)size;
        return true;
    }
    s->at = s->end = s->length;
    return false;
}

/* Where bytes are packed, the entry tells how many of those that follow it are, and how many they
 * become. */
static void measure(struct fh_fat_object *o, const uint8_t *entry, uint64_t size) {
    uint64_t packed = little(entry + 16, 4), unpacked = little(entry + 56, 8);
    bool is_packed = o->flags & (FLAG_LZ4 | FLAG_ZSTD);
    o->packed_size = (size_t)(is_packed && packed && packed < size ? packed : size);
    o->size = is_packed ? unpacked : size;
    if (o->size > largest || (is_packed && packed > size))
        o->size = UINT64_MAX;
}

bool fh_fat_next(struct fh_fat_search *s, struct fh_fat_object *object) {
    for (;;) {
        if (s->at == s->end && !find_container(s))
            return false;
        const uint8_t *entry = s->bytes + s->at;
        size_t left = s->end - s->at;
        uint64_t header = left < ENTRY_HEADER ? 0 : little(entry + 4, 4);
        uint64_t size = left < ENTRY_HEADER ? 0 : little(entry + 8, 8);
        if (header < ENTRY_HEADER || header > left || size > left - header) {
            s->at = s->end; /* no entry: the rest of the container is skipped */
            continue;
        }
        s->at += (size_t)(header + size);
        if (little(entry, 2) != KIND_OBJECT)
            continue;
        object->architecture = (unsigned)little(entry + 28, 4);
        object->flags = little(entry + 40, 8);
        object->packed = entry + header;
        measure(object, entry, size);
        return true;
    }
}

uint8_t *fh_fat_unpack(const struct fh_fat_object *o, const char **why) {
    *why = "it is damaged";
    if (o->size == UINT64_MAX)
        return NULL;
    uint8_t *bytes = malloc((size_t)o->size + 1);
    if (!bytes) {
        *why = NULL;
        return NULL;
    }
    bool good;
    if (o->flags & FLAG_ZSTD)
        good = ZSTD_decompress(bytes, (size_t)o->size, o->packed, o->packed_size) == o->size;
    else if (o->flags & FLAG_LZ4)
        good = fh_lz4_unpack(o->packed, o->packed_size, bytes, (size_t)o->size);
    else
        good = memcpy(bytes, o->packed, (size_t)o->size) != NULL;
    if (!good) {
        free(bytes);
        return NULL;
    }
    return bytes;
}
