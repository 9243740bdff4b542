/*
 * cubin_samples_test.c - compiled kernels that do what well-known samples do. The checkers, which
 * run with them, must find nothing.
 */
#include "cubin_util.h"

static void ref_sample_reduce(struct cubin_case *c) {
    for (uint32_t b = 0; b < c->grid; b++) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < c->n; i++)
            if (i / c->block % c->grid == b)
                sum += cubin_u32(c->in, i) ^ (uint32_t)c->s;
        cubin_put(c, b, sum);
    }
}

static void ref_sample_last_block(struct cubin_case *c) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < c->n; i++)
        sum += cubin_u32(c->in, i) * (uint32_t)c->s;
    cubin_put(c, 0, sum);
}

static void ref_sample_histogram(struct cubin_case *c) {
    uint32_t count[64] = {0};
    for (uint32_t i = 0; i < c->n; i++)
        for (uint32_t k = 2; k < 32; k += 8)
            count[cubin_u32(c->in, i) >> k & 63]++;
    for (uint32_t i = 0; i < 64; i++)
        cubin_put(c, i, count[i]);
}

static int by_value(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void ref_sample_sort(struct cubin_case *c) {
    memcpy(c->want, c->in, 4 * (size_t)c->n);
    qsort(c->want, c->n, 4, by_value);
}

static void ref_sample_flags(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++)
        cubin_put(c, i, cubin_u32(c->in, i) + (uint32_t)c->s);
}

static void ref_sample_names(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++)
        cubin_put(c, i, cubin_u32(c->in, i ^ 31) ^ (uint32_t)c->s);
}

static void compact_words(struct cubin_case *c) {
    memcpy(c->out, c->in, 4 * (size_t)c->n);
}

static void ref_sample_compact(struct cubin_case *c) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        const uint32_t word = cubin_u32(c->in, i);
        if (word & 1)
            cubin_put(c, kept++, word);
        if (i % 64 == 63)
            cubin_put(c, c->n + i / 64, kept + 1);
    }
}

static void ref_sample_drop(struct cubin_case *c) {
    for (uint32_t first = 0; first < c->n; first += 32) {
        uint32_t kept = 0;
        for (uint32_t i = first; i < first + 32; i++)
            if (cubin_u32(c->in, i) >> 31)
                cubin_put(c, first + kept++, cubin_u32(c->in, i));
        for (; kept < 32; kept++)
            cubin_put(c, first + kept, (uint32_t)c->s);
    }
}

/* As the kernel has it; its gaps are zeros, or what they were. */
struct parts {
    uint32_t word;
    uint8_t byte;
    uint64_t wide;
    uint16_t halves[3];
};
enum { PARTS = 24 };
_Static_assert(sizeof(struct parts) == PARTS, "laid out as the kernel's");

static void fill_gaps(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++) {
        memset(c->in + PARTS * i + 5, 0, 3);
        memset(c->in + PARTS * i + 22, 0, 2);
    }
}

static void ref_sample_gaps(struct cubin_case *c) {
    for (uint32_t i = 0; i < c->n; i++) {
        struct parts x;
        memcpy(&x, c->in + PARTS * i, PARTS);
        x.word += x.byte;
        x.wide *= c->s;
        x.halves[i % 3]++;
        memcpy(c->want + PARTS * i, &x, PARTS);
    }
}

static void ref_sample_tiles(struct cubin_case *c) {
    for (uint32_t b = 0; b < c->grid; b++) {
        for (uint32_t t = 0; t < 256; t++) {
            uint32_t sum = 0;
            for (uint32_t k = 0; k < 48; k++)
                sum += cubin_u32(c->in, (b * 16 + t % 16) * 48 + k) *
                       (cubin_u32(c->in, k * 16 + t / 16) ^ (uint32_t)c->s);
            cubin_put(c, b * 256 + t, sum);
        }
    }
}

static const uint32_t reduce_shapes[][3] = {{1000, 3, 256}, {77, 2, 64}, {0}};
static const uint32_t last_shapes[][3] = {{1000, 5, 128}, {60, 1, 64}, {0}};
static const uint32_t one_warp_pair[][3] = {{448, 1, 64}, {32, 1, 64}, {0}};
static const uint32_t sort_shapes[][3] = {{256, 1, 128}, {0}};
static const uint32_t compact_shapes[][3] = {{320, 5, 64}, {0}};
static const uint32_t drop_shapes[][3] = {{256, 2, 128}, {0}};
static const uint32_t gap_shapes[][3] = {{100, 1, 128}, {0}};
static const uint32_t tile_shapes[][3] = {{768, 3, 256}, {0}};

CUBIN_KERNEL("samples", sample_reduce, .shapes = reduce_shapes, .seeds = 2, .in_size = 4,
             .out_size = 4)
CUBIN_KERNEL("samples", sample_last_block, .shapes = last_shapes, .seeds = 2, .in_size = 4,
             .out_more = 4)
CUBIN_KERNEL("samples", sample_histogram, .shapes = one_warp_pair, .seeds = 2, .in_size = 4,
             .out_more = 256)
CUBIN_KERNEL("samples", sample_sort, .shapes = sort_shapes, .seeds = 2, .in_size = 4, .out_size = 4)
CUBIN_KERNEL("samples", sample_flags, .shapes = one_warp_pair, .seeds = 1, .in_size = 4,
             .out_size = 4)
CUBIN_KERNEL("samples", sample_names, .shapes = one_warp_pair, .seeds = 2, .in_size = 4,
             .out_size = 4)
CUBIN_KERNEL("samples", sample_compact, .shapes = compact_shapes, .seeds = 2, .in_size = 4,
             .out_size = 4, .out_more = 20, .prepare = compact_words,
             .faulty = FH_CHECK_BIT(FH_CHECK_LEAKS) /* it reads what it writes */)
CUBIN_KERNEL("samples", sample_drop, .shapes = drop_shapes, .seeds = 2, .in_size = 4, .out_size = 4)
CUBIN_KERNEL("samples", sample_gaps, .shapes = gap_shapes, .seeds = 2, .in_size = PARTS,
             .out_size = PARTS, .prepare = fill_gaps)
CUBIN_KERNEL("samples", sample_tiles, .shapes = tile_shapes, .seeds = 2, .in_size = 12,
             .out_size = 4)

int main(void) {
    const struct CMUnitTest tests[] = {
        CUBIN_TEST(sample_reduce),  CUBIN_TEST(sample_last_block), CUBIN_TEST(sample_histogram),
        CUBIN_TEST(sample_sort),    CUBIN_TEST(sample_flags),      CUBIN_TEST(sample_names),
        CUBIN_TEST(sample_compact), CUBIN_TEST(sample_drop),       CUBIN_TEST(sample_gaps),
        CUBIN_TEST(sample_tiles),
    };
    return cmocka_run_group_tests_name("cubin_samples", tests, NULL, NULL);
}
