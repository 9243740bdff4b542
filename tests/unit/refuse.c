/* refuse.c - see refuse.h. */
#include "refuse.h"

#include <stdatomic.h>
#include <stddef.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

static _Atomic bool armed, only_once, refused;
static _Atomic long limit, asked;

void refuse_after(long granted, bool once) {
    atomic_store(&only_once, once);
    atomic_store(&limit, granted);
    atomic_store(&asked, 0);
    atomic_store(&refused, false);
    atomic_store(&armed, true);
}

bool refuse_end(void) {
    atomic_store(&armed, false);
    return atomic_load(&refused);
}

long refuse_asked(void) {
    return atomic_load(&asked);
}

static bool refuse(void) {
    if (!atomic_load(&armed))
        return false;
    long before = atomic_fetch_add(&asked, 1), most = atomic_load(&limit);
    bool now = atomic_load(&only_once) ? before == most : before >= most;
    if (now)
        atomic_store(&refused, true);
    return now;
}

void *__wrap_malloc(size_t size) {
    return refuse() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return refuse() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size) {
    return refuse() ? NULL : __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    return refuse() ? NULL : __real_aligned_alloc(alignment, size);
}
