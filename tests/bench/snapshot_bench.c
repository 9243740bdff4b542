/*
 * snapshot_bench.c - snapshots of a machine with 1 GB of memory of which 1 MB, in pages all over
 * it, has changed since the last one; with the change itself, and going back to the one before.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "fhec_session.h"

enum { MEMORY = 1 << 30, PAGE = 4096, CHANGED = 1 << 20 };

struct guest {
    fhec_machine *machine;
    uint64_t base;
    fhec_snapshot *last;
    uint32_t turn;
};

/* A byte in each of 256 pages, others each time. */
static void change(struct guest *g) {
    const uint32_t pages = MEMORY / PAGE, count = CHANGED / PAGE;
    g->turn++;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t page = (i * (pages / count) + g->turn * 13) % pages;
        const uint8_t byte = (uint8_t)(g->turn + i);
        if (fhec_write(g->machine, g->base + page * PAGE + i % PAGE, &byte, 1) != FHEC_OK)
            bench_die("no memory");
    }
}

static void take(struct guest *g) {
    fhec_snapshot *next;
    if (fhec_snapshot_take(g->machine, &next) != FHEC_OK)
        bench_die("no memory for a snapshot");
    fhec_snapshot_free(g->last);
    g->last = next;
}

static void change_and_take(void *context) {
    change(context);
    take(context);
}

static void change_and_restore(void *context) {
    struct guest *g = context;
    fhec_session *session;
    change(g);
    if (fhec_snapshot_restore(g->last, &session) != FHEC_OK)
        bench_die("no memory to restore a snapshot");
}

static struct guest begin(void) {
    struct guest g = {.machine = bench_machine(1)};
    uint8_t *bytes = malloc(MEMORY);
    if (!bytes || fhec_alloc(g.machine, "memory", MEMORY, 0, &g.base) != FHEC_OK)
        bench_die("no memory");
    memset(bytes, 0x5a, MEMORY);
    if (fhec_write(g.machine, g.base, bytes, MEMORY) != FHEC_OK)
        bench_die("no memory");
    free(bytes);
    take(&g);
    return g;
}

int main(int argc, char **argv) {
    struct bench b = bench_begin(argc, argv);
    const bool taking = bench_wants(&b, "snapshot.take");
    const bool restoring = bench_wants(&b, "snapshot.restore");
    if (taking || restoring) {
        struct guest g = begin();
        if (taking) {
            const struct bench_timing t = bench_time(&b, change_and_take, &g);
            bench_row(&b, "snapshot.take", 1e3 * t.median, "ms", 10, &t);
        }
        if (restoring) {
            const struct bench_timing t = bench_time(&b, change_and_restore, &g);
            bench_row(&b, "snapshot.restore", 1e3 * t.median, "ms", 0, &t);
        }
        fhec_snapshot_free(g.last);
        fhec_machine_free(g.machine);
    }
    return bench_end(&b);
}
