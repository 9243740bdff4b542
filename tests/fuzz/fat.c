/*
 * fat.c - fuzzing files that hold objects: those that are found are unpacked. What is in them is
 * another target's (cubin.c).
 */
#include "fat_binary.h"
#include "fuzz.h"

#include <stdlib.h>

const char *fuzz_fat(const uint8_t *bytes, size_t length, char shown[FUZZ_SHOWN]) {
    enum { LARGE = 1 << 22 }; /* more than such an input should be asked to make */
    struct fh_fat_search search = {.bytes = bytes, .length = length};
    struct fh_fat_object object;
    size_t found = 0, sum = 0;
    (void)shown;
    while (fh_fat_next(&search, &object)) {
        const char *why;
        if (++found > length / 64)
            return "more objects than there is room for";
        if (object.packed < bytes || object.packed_size > (size_t)(bytes + length - object.packed))
            return "an object outside the file";
        if (object.size != UINT64_MAX && object.size > LARGE)
            continue;
        uint8_t *unpacked = fh_fat_unpack(&object, &why);
        for (uint64_t i = 0; unpacked && i < object.size; i++)
            sum += unpacked[i]; /* all of it is there */
        free(unpacked);
    }
    return sum == SIZE_MAX ? "what cannot be" : NULL;
}
