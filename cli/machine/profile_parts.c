/*
 * profile_parts.c - see profile_parts.h.
 *
 *     [{"kernel": NAME, "numbers": [own, launches, blocks, threads, partial, grid, block],
 *       "words": [[lo, hi, FILE, line, CHAIN, FUNCTION, counts, worst], ...]}, ...]
 *
 * Counts and worst are arrays of the members of their structs in order, left out where all are 0.
 */
#include "profile_parts.h"

#include <stdlib.h>
#include <string.h>

enum { COUNTS = sizeof(struct fh_profile_counts) / sizeof(uint64_t), WORST_NUMBERS = 15 };
_Static_assert(sizeof(struct fh_profile_counts) == COUNTS * sizeof(uint64_t),
               "counts are nothing but counts");

static void put(json_t *array, uint64_t value) {
    json_array_append_new(array, json_integer((json_int_t)value));
}

static void put_text(json_t *array, const char *text) {
    json_array_append_new(array, text ? json_string(text) : json_null());
}

/* The worst conflict as numbers, or back. */
static void worst_numbers(const struct fh_profile_worst *worst, uint64_t n[WORST_NUMBERS]) {
    unsigned at = 0;
    n[at++] = worst->ways;
    n[at++] = worst->bank;
    n[at++] = worst->count;
    n[at++] = worst->warp;
    for (unsigned i = 0; i < 3; i++)
        n[at++] = worst->block[i];
    for (unsigned i = 0; i < 4; i++) {
        n[at++] = worst->lane[i];
        n[at++] = worst->address[i];
    }
}

static bool worst_from(struct fh_profile_worst *worst, const uint64_t n[WORST_NUMBERS]) {
    unsigned at = 0;
    worst->ways = (uint32_t)n[at++];
    worst->bank = (uint32_t)n[at++];
    worst->count = (uint32_t)n[at++];
    worst->warp = (uint32_t)n[at++];
    for (unsigned i = 0; i < 3; i++)
        worst->block[i] = (uint32_t)n[at++];
    for (unsigned i = 0; i < 4; i++) {
        worst->lane[i] = (uint32_t)n[at++];
        worst->address[i] = n[at++];
    }
    return worst->count <= 4;
}

static json_t *pack_word(const struct fh_profiled_word *w) {
    json_t *word = json_array();
    uint64_t counts[COUNTS], worst[WORST_NUMBERS], any = 0;
    put(word, w->word.lo);
    put(word, w->word.hi);
    put_text(word, w->file);
    put(word, w->line);
    put_text(word, w->chain);
    put_text(word, w->function);
    memcpy(counts, &w->counts, sizeof counts);
    worst_numbers(&w->worst, worst);
    for (unsigned i = 0; i < COUNTS; i++)
        any |= counts[i];
    for (unsigned i = 0; i < COUNTS && any; i++)
        put(word, counts[i]);
    for (unsigned i = 0; i < WORST_NUMBERS && w->worst.ways; i++)
        put(word, worst[i]);
    return word;
}

json_t *fh_cli_profile_pack(const struct fh_profiled_code *code) {
    json_t *packed = json_array();
    for (size_t i = 0; i < code->count && !code->failed; i++) {
        const struct fh_profiled_kernel *k = code->kernels[i];
        json_t *numbers = json_array(), *words = json_array();
        if (!k->launches) {
            json_decref(numbers);
            json_decref(words);
            continue;
        }
        put(numbers, k->own);
        put(numbers, k->launches);
        put(numbers, k->blocks);
        put(numbers, k->threads);
        put(numbers, k->partial);
        for (unsigned d = 0; d < 3; d++)
            put(numbers, k->grid[d]);
        for (unsigned d = 0; d < 3; d++)
            put(numbers, k->block[d]);
        for (uint32_t w = 0; w < k->count; w++)
            json_array_append_new(words, pack_word(&k->words[w]));
        json_array_append_new(packed, json_pack("{s:s, s:o, s:o}", "kernel", k->name, "numbers",
                                                numbers, "words", words));
    }
    return packed;
}

static uint64_t number_at(const json_t *array, size_t index) {
    return (uint64_t)json_integer_value(json_array_get(array, index));
}

static bool unpack_word(const json_t *packed, struct fh_profiled_word *w) {
    enum { FIXED = 6 };
    uint64_t numbers[COUNTS + WORST_NUMBERS] = {0};
    const size_t size = json_array_size(packed);
    if (size != FIXED && size != FIXED + COUNTS && size != FIXED + COUNTS + WORST_NUMBERS)
        return false;
    w->word = (fhec_word){number_at(packed, 0), number_at(packed, 1)};
    w->file = json_string_value(json_array_get(packed, 2));
    w->line = (uint32_t)number_at(packed, 3);
    w->chain = json_string_value(json_array_get(packed, 4));
    w->function = json_string_value(json_array_get(packed, 5));
    for (size_t i = FIXED; i < size; i++)
        numbers[i - FIXED] = number_at(packed, i);
    memcpy(&w->counts, numbers, sizeof w->counts);
    return worst_from(&w->worst, numbers + COUNTS);
}

static bool unpack_kernel(struct fh_profiler *profiler, const json_t *packed) {
    const json_t *numbers = json_object_get(packed, "numbers");
    const json_t *words = json_object_get(packed, "words");
    const char *name = json_string_value(json_object_get(packed, "kernel"));
    const size_t count = json_array_size(words);
    struct fh_profiled_kernel k = {.count = (uint32_t)count};
    bool fine = name && count < UINT32_MAX && json_array_size(numbers) == 11;
    k.words = fine ? calloc(count + 1, sizeof *k.words) : NULL;
    fine = k.words;
    for (size_t i = 0; i < count && fine; i++)
        fine = unpack_word(json_array_get(words, i), &k.words[i]);
    if (fine) {
        k.name = (char *)name; /* it is only read */
        k.own = (uint32_t)number_at(numbers, 0);
        k.launches = number_at(numbers, 1);
        k.blocks = number_at(numbers, 2);
        k.threads = number_at(numbers, 3);
        k.partial = number_at(numbers, 4);
        for (unsigned d = 0; d < 3; d++) {
            k.grid[d] = (uint32_t)number_at(numbers, 5 + d);
            k.block[d] = (uint32_t)number_at(numbers, 8 + d);
        }
        fh_profiler_merge(profiler, &k);
    }
    free(k.words);
    return fine;
}

bool fh_cli_profile_unpack(struct fh_profiler *profiler, const json_t *packed) {
    bool fine = json_is_array(packed);
    for (size_t i = 0; i < json_array_size(packed) && fine; i++)
        fine = unpack_kernel(profiler, json_array_get(packed, i));
    return fine;
}
