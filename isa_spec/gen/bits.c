/*
 * bits.c - runs of bits of a 128-bit word.
 */
#include "isac.h"

struct bits one_piece(unsigned hi, unsigned lo) {
    struct bits b = {.pieces = 1};
    b.piece[0].lo = lo;
    b.piece[0].len = hi - lo + 1;
    return b;
}

uint64_t bits_low(unsigned width) {
    return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

unsigned bits_width(const struct bits *bits) {
    unsigned width = 0;
    for (unsigned i = 0; i < bits->pieces; i++)
        width += bits->piece[i].len;
    return width;
}

static void place(fhec_word *word, unsigned lo, unsigned len, uint64_t value) {
    for (unsigned i = 0; i < len; i++) {
        uint64_t bit = i < 64 ? value >> i & 1 : 0;
        if (lo + i < 64)
            word->lo |= bit << (lo + i);
        else
            word->hi |= bit << (lo + i - 64);
    }
}

fhec_word bits_place(const struct bits *bits, uint64_t value) {
    fhec_word word = {0, 0};
    for (unsigned i = bits->pieces; i-- > 0;) {
        place(&word, bits->piece[i].lo, bits->piece[i].len, value);
        value = bits->piece[i].len >= 64 ? 0 : value >> bits->piece[i].len;
    }
    return word;
}

fhec_word bits_mask(const struct bits *bits) {
    return bits_place(bits, UINT64_MAX);
}

fhec_word word_or(fhec_word a, fhec_word b) {
    return (fhec_word){a.lo | b.lo, a.hi | b.hi};
}

bool word_meets(fhec_word a, fhec_word b) {
    return (a.lo & b.lo) != 0 || (a.hi & b.hi) != 0;
}

char *bits_text(const struct bits *bits) {
    char *text = print("%s", "");
    for (unsigned i = 0; i < bits->pieces; i++) {
        unsigned lo = bits->piece[i].lo, hi = lo + bits->piece[i].len - 1;
        const char *comma = i ? "," : "";
        text =
            hi == lo ? print("%s%s%u", text, comma, lo) : print("%s%s%u:%u", text, comma, hi, lo);
    }
    return text;
}

void emit_bits(FILE *out, const struct bits *bits) {
    fputs("{{", out);
    for (unsigned i = 0; i < bits->pieces; i++)
        fprintf(out, "%s{%u, %u}", i ? ", " : "", bits->piece[i].lo, bits->piece[i].len);
    fprintf(out, "}, %u, %u, %s, %s}", bits->pieces, bits->shift,
            bits->is_signed ? "true" : "false", bits->inverted ? "true" : "false");
}
