/*
 * placement.c - preloaded into benchmarks by bench_compare.sh, so that each run has its blocks of
 * memory elsewhere. Where they lie to each other within pages decides what falls into the same set
 * of a cache, or looks like a store before a load: rows of one and the same program differ by up to
 * a fifth. Of many placements the median says what the code does (Curtsinger, Berger: STABILIZER,
 * ASPLOS 2013). For glibc.
 *
 * PLACEMENT is a number; the same one gives the same sizes.
 */
#include <stdint.h>
#include <stdlib.h>
#include <threads.h>

enum { LARGE = 1024, STEP = 64, STEPS = 64 };

/* glibc's own, by the names under which others may call them. */
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);
void *aligned_alloc(size_t alignment, size_t bytes);

/* In front of a large block, something that is never freed: up to a page in steps of a cache line.
 * Threads count for themselves, so that nothing has to be locked. */
static void displace(size_t bytes) {
    static thread_local uint64_t state;
    static thread_local int known;
    if (bytes < LARGE)
        return;
    if (!known) {
        const char *seed = getenv("PLACEMENT");
        state = seed ? strtoull(seed, NULL, 10) : 0;
        known = 1;
    }
    if (state == 0)
        return;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    (void)!__libc_malloc(STEP * ((state >> 33) % STEPS) + STEP / 4);
}

void *malloc(size_t bytes) {
    displace(bytes);
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes) {
    displace(bytes && count > LARGE / bytes ? LARGE : count * bytes);
    return __libc_calloc(count, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    displace(bytes);
    return __libc_memalign(alignment, bytes);
}
