/*
 * host_reads.c - see host_reads.h.
 */
#include "host_reads.h"

#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "elements.h"
#include "fhec_observe.h"

struct host_read {
    uint64_t address;
    size_t bytes;
    uint8_t *data; /* NULL: forgotten, to stay below the limit */
};

struct fh_cli_host_reads {
    struct host_read *reads;
    size_t count;
    size_t oldest; /* whose data are kept */
    size_t kept, most;
};

static void on_read(void *user, const fhec_event *event) {
    struct fh_cli_host_reads *r = user;
    const size_t bytes = event->host.bytes;
    if (!event->host.address || bytes > r->most)
        return;
    struct host_read *more = fh_cli_more(r->reads, r->count, sizeof *more);
    uint8_t *data = malloc(bytes + 1);
    if (more)
        r->reads = more;
    if (!more || !data) {
        free(data); /* what is not known is not told */
        return;
    }
    memcpy(data, event->host.data, bytes);
    r->reads[r->count++] = (struct host_read){event->host.address, bytes, data};
    for (r->kept += bytes; r->kept > r->most; r->oldest++) {
        r->kept -= r->reads[r->oldest].bytes;
        free(r->reads[r->oldest].data);
        r->reads[r->oldest].data = NULL;
    }
}

struct fh_cli_host_reads *fh_cli_host_reads_begin(fhec_machine *machine, size_t most) {
    struct fh_cli_host_reads *reads = calloc(1, sizeof *reads);
    const fhec_observer observer = {
        .user = reads,
        .filter = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_HOST_READ)},
        .event = on_read,
    };
    if (!reads)
        return NULL;
    reads->most = most;
    if (fhec_observe(machine, &observer, NULL) == FHEC_OK)
        return reads;
    free(reads);
    return NULL;
}

/* The only element of the read with that value, or SIZE_MAX. */
static size_t only_one(const struct host_read *read, unsigned width, uint64_t value) {
    const struct fh_cli_data data = {.bytes = read->data, .width = width};
    size_t found = SIZE_MAX;
    for (size_t k = 0; k < read->bytes / width; k++) {
        if (fh_cli_data_get(&data, k) != value)
            continue;
        if (found != SIZE_MAX)
            return SIZE_MAX;
        found = k;
    }
    return found;
}

/* Of a result that the host has arranged anew: the element that has the value. */
static bool find_value(const struct fh_cli_host_reads *r, unsigned width, uint64_t value,
                       uint64_t *address) {
    for (size_t i = r->count; i-- > r->oldest;) {
        const size_t k = only_one(&r->reads[i], width, value);
        if (k != SIZE_MAX) {
            *address = r->reads[i].address + k * width;
            return true;
        }
    }
    return false;
}

bool fh_cli_host_reads_find(const struct fh_cli_host_reads *r, const uint64_t *result, size_t count,
                            unsigned width, size_t index, uint64_t *address, size_t *first,
                            size_t *length) {
    for (size_t i = r->count; i-- > r->oldest;) {
        const struct host_read *read = &r->reads[i];
        const size_t n = read->bytes / width, begin = n ? index - index % n : 0;
        const struct fh_cli_data data = {.bytes = read->data, .width = width};
        size_t k = 0;
        if (!n || read->bytes % width || begin + n > count)
            continue;
        while (k < n && fh_cli_data_get(&data, k) == result[begin + k])
            k++;
        if (k < n)
            continue;
        *address = read->address;
        *first = begin;
        *length = n;
        return true;
    }
    *first = index;
    *length = 1;
    return find_value(r, width, result[index], address);
}

void fh_cli_host_reads_free(struct fh_cli_host_reads *reads) {
    if (!reads)
        return;
    for (size_t i = 0; i < reads->count; i++)
        free(reads->reads[i].data);
    free(reads->reads);
    free(reads);
}
