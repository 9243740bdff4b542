/*
 * cubin_library_test.c - compiled parts of libraries that come with the compiler. The checkers,
 * which run with them, must find nothing.
 */
#include "cubin_util.h"

struct keyed {
    uint32_t key, index;
};

static int by_key(const void *a, const void *b) {
    const struct keyed *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->index > y->index) - (x->index < y->index);
}

static void ref_library_radix_sort(struct cubin_case *c) {
    struct keyed words[512];
    for (uint32_t i = 0; i < c->n; i++)
        words[i] = (struct keyed){cubin_u32(c->in, i) & 0xfffff, i};
    qsort(words, c->n, sizeof *words, by_key);
    for (uint32_t i = 0; i < c->n; i++)
        cubin_put(c, i, words[i].index + (uint32_t)c->s);
}

static int by_value(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void ref_library_merge_sort(struct cubin_case *c) {
    memcpy(c->want, c->in, 8 * (size_t)c->n);
    qsort(c->want, c->n, 8, by_value);
}

static void ref_library_scan(struct cubin_case *c) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        cubin_put(c, i, sum ^ (uint32_t)c->s);
        sum += cubin_u32(c->in, i);
    }
}

static void ref_library_groups(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++) {
        const uint32_t mine = cubin_u32(c->in, i);
        uint32_t odd = 0, same = 0, most = 0;
        for (uint32_t k = i / 32 * 32; k < i / 32 * 32 + 32; k++) {
            const uint32_t x = cubin_u32(c->in, k);
            odd += (x & 1) == (mine & 1) ? x : 0;
            same ^= (x >> 1 & 3) == (mine >> 1 & 3) ? x : 0;
            most = x % 3 == 0 && x > most ? x : most;
        }
        cubin_put(c, 3 * i, odd);
        cubin_put(c, 3 * i + 1, same);
        cubin_put(c, 3 * i + 2, mine % 3 == 0 ? most : (uint32_t)c->s);
    }
}

static void ref_library_pipeline(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++)
        cubin_put(c, i, cubin_u32(c->in, i ^ 63) + (uint32_t)c->s);
}

static void ref_library_latch(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++)
        cubin_put(c, i, cubin_u32(c->in, c->n - 1 - i) + (uint32_t)c->s);
}

static const uint32_t radix_shapes[][3] = {{512, 1, 128}, {0}};
static const uint32_t merge_shapes[][3] = {{192, 1, 64}, {100, 1, 64}, {1, 1, 64}, {0}};
static const uint32_t scan_shapes[][3] = {{640, 1, 128}, {0}};
static const uint32_t group_shapes[][3] = {{128, 2, 64}, {0}};
static const uint32_t pipeline_shapes[][3] = {{320, 1, 128}, {0}};
static const uint32_t latch_shapes[][3] = {{96, 1, 96}, {0}};

CUBIN_KERNEL("library", library_radix_sort, .shapes = radix_shapes, .seeds = 2, .in_size = 4,
             .out_size = 4)
CUBIN_KERNEL("library", library_merge_sort, .shapes = merge_shapes, .seeds = 2, .in_size = 8,
             .out_size = 8)
CUBIN_KERNEL("library", library_scan, .shapes = scan_shapes, .seeds = 2, .in_size = 4,
             .out_size = 4)
CUBIN_KERNEL("library", library_groups, .shapes = group_shapes, .seeds = 2, .in_size = 4,
             .out_size = 12)
CUBIN_KERNEL("library", library_pipeline, .shapes = pipeline_shapes, .seeds = 2, .in_size = 4,
             .out_size = 4)
CUBIN_KERNEL("library", library_latch, .shapes = latch_shapes, .seeds = 2, .in_size = 4,
             .out_size = 4)

int main(void) {
    const struct CMUnitTest tests[] = {
        CUBIN_TEST(library_radix_sort), CUBIN_TEST(library_merge_sort), CUBIN_TEST(library_scan),
        CUBIN_TEST(library_groups),     CUBIN_TEST(library_pipeline),   CUBIN_TEST(library_latch),
    };
    return cmocka_run_group_tests_name("cubin_library", tests, NULL, NULL);
}
