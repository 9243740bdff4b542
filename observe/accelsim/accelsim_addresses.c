/*
 * accelsim_addresses.c - see accelsim_addresses.h.
 */
#include "accelsim_addresses.h"

enum { MOST = 24 * (FH_ACCELSIM_LANES + 2) }; /* characters */

static char *put_hex(char *to, uint64_t value) {
    static const char digits[] = "0123456789abcdef";
    unsigned shift = 60;
    *to++ = '0';
    *to++ = 'x';
    while (shift && !(value >> shift))
        shift -= 4;
    for (;; shift -= 4) {
        *to++ = digits[value >> shift & 15];
        if (!shift)
            return to;
    }
}

static char *put_signed(char *to, int64_t value) {
    char digits[20];
    unsigned count = 0;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    if (value < 0)
        *to++ = '-';
    do
        digits[count++] = (char)('0' + rest % 10);
    while (rest /= 10);
    while (count)
        *to++ = digits[--count];
    return to;
}

/* At least two lanes that follow one another, each as far from the one before. */
static bool has_stride(uint32_t mask, const uint64_t *address, int64_t *stride) {
    if (!mask)
        return false;
    const unsigned first = (unsigned)__builtin_ctz(mask);
    const unsigned count = (unsigned)__builtin_popcount(mask);
    if (count < 2 || (uint64_t)mask >> first != (UINT64_C(1) << count) - 1)
        return false;
    *stride = (int64_t)(address[first + 1] - address[first]);
    for (unsigned l = first + 1; l < first + count; l++)
        if ((int64_t)(address[l] - address[l - 1]) != *stride)
            return false;
    return *stride >= INT32_MIN && *stride <= INT32_MAX;
}

void fh_accelsim_put_addresses(struct fh_trace_bytes *to, uint32_t mask,
                               const uint64_t address[FH_ACCELSIM_LANES]) {
    int64_t stride = 0;
    char *const begin = (char *)fh_trace_extend(to, MOST), *at = begin;
    if (!begin)
        return;
    const bool strided = !mask || has_stride(mask, address, &stride);
    *at++ = strided ? '1' : '2';
    *at++ = ' ';
    at = put_hex(at, mask ? address[__builtin_ctz(mask)] : 0);
    if (strided) {
        *at++ = ' ';
        at = put_signed(at, stride);
    }
    for (uint32_t rest = strided ? 0 : mask; rest; rest &= rest - 1) {
        const uint32_t more = rest & (rest - 1);
        const int l = __builtin_ctz(rest);
        *at++ = ' ';
        at = put_signed(at, more ? (int64_t)(address[__builtin_ctz(more)] - address[l]) : 0);
    }
    to->count -= MOST - (size_t)(at - begin);
}
