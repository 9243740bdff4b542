/*
 * hash.c - XXH3-128 of element arrays as text.
 */
#include "golden.h"

#include <xxhash.h>

/* Canonical order (big-endian, high half first), which is what xxhsum prints. */
static void print_hex(XXH128_hash_t hash, char hex[FH_GOLDEN_HASH_CHARS]) {
    static const char digits[] = "0123456789abcdef";
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, hash);
    for (size_t i = 0; i < sizeof canonical.digest; i++) {
        hex[2 * i] = digits[canonical.digest[i] >> 4];
        hex[2 * i + 1] = digits[canonical.digest[i] & 15];
    }
    hex[FH_GOLDEN_HASH_CHARS - 1] = '\0';
}

void fh_golden_hash_bytes(const void *bytes, size_t length, char hex[FH_GOLDEN_HASH_CHARS]) {
    print_hex(XXH3_128bits(bytes, length), hex);
}

fh_golden_status fh_golden_hash_elements(size_t element_bytes, size_t count, const uint64_t *a,
                                         char hex[FH_GOLDEN_HASH_CHARS]) {
    if (element_bytes != 4 && element_bytes != 8) {
        return FH_GOLDEN_ERR_ARGUMENT;
    }
    XXH3_state_t *state = XXH3_createState();
    if (state == NULL) {
        return FH_GOLDEN_ERR_NO_MEMORY;
    }
    fh_golden_status status = FH_GOLDEN_OK;
    XXH3_128bits_reset(state);
    unsigned char buffer[4096];
    size_t used = 0;
    for (size_t i = 0; i < count && status == FH_GOLDEN_OK; i++) {
        if (element_bytes == 4 && a[i] >> 32 != 0) {
            status = FH_GOLDEN_ERR_ARGUMENT;
        }
        for (size_t byte = 0; byte < element_bytes; byte++) {
            buffer[used++] = (unsigned char)(a[i] >> 8 * byte & 255);
        }
        if (used == sizeof buffer) {
            XXH3_128bits_update(state, buffer, used);
            used = 0;
        }
    }
    XXH3_128bits_update(state, buffer, used);
    print_hex(XXH3_128bits_digest(state), hex);
    XXH3_freeState(state);
    return status;
}
