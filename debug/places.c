/*
 * places.c - see places.h.
 */
#include "places.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEAST_INTERVAL = 1 << 16,
    MOST_INTERVAL = 1 << 20,
    MOST_PLACES = 192,
};
static const uint64_t MOST_BYTES = UINT64_C(2) << 30;

uint64_t fh_places_interval(uint64_t count) {
    const uint64_t wanted = count / 256;
    return wanted < LEAST_INTERVAL  ? LEAST_INTERVAL
           : wanted > MOST_INTERVAL ? MOST_INTERVAL
                                    : wanted;
}

/* The number of places at or before the time. */
static size_t places_until(const struct fh_debugger *d, struct fh_debug_time time) {
    size_t low = 0, high = d->place_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (fh_debug_time_compare(d->places[middle].time, time) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct fh_debug_place *fh_places_before(const struct fh_debugger *d,
                                              struct fh_debug_time time) {
    const size_t count = places_until(d, time);
    return count ? &d->places[count - 1] : NULL;
}

static void drop(struct fh_debugger *d, size_t index) {
    fhec_snapshot_free(d->places[index].snapshot);
    d->place_bytes -= d->places[index].bytes;
    d->place_count--;
    memmove(&d->places[index], &d->places[index + 1], (d->place_count - index) * sizeof *d->places);
}

/* How far a place is from a time, in instructions; another launch is farther than any place in this
 * one. */
static uint64_t distance(const struct fh_debug_place *place, struct fh_debug_time now) {
    if (place->time.launch != now.launch) {
        const size_t launches = place->time.launch < now.launch ? now.launch - place->time.launch
                                                                : place->time.launch - now.launch;
        return UINT64_MAX / 2 + launches;
    }
    return place->time.count < now.count ? now.count - place->time.count
                                         : place->time.count - now.count;
}

/* Drops each place without which the gap between its neighbours is small, seen from here. */
static void thin_launch(struct fh_debugger *d, struct fh_debug_time now) {
    for (size_t i = places_until(d, now); i-- > 2;) {
        const struct fh_debug_place *before = &d->places[i - 2], *after = &d->places[i];
        if (before->time.launch != now.launch || after->time.launch != now.launch)
            break;
        if ((after->time.count - before->time.count) * 4 <= now.count - after->time.count)
            drop(d, i - 1);
    }
}

/* Drops the place that is needed least: within the launch that is farthest away; if there is none
 * but in this one, the one that is farthest. The very first one stays. */
static bool drop_farthest(struct fh_debugger *d, struct fh_debug_time now) {
    size_t best = 0;
    uint64_t farthest = 0;
    for (size_t i = 1; i < d->place_count; i++) {
        const struct fh_debug_place *place = &d->places[i];
        uint64_t far = distance(place, now); /* 0: it is where the debugger stands */
        if (far > UINT64_MAX / 2 && place->time.count)
            far += UINT64_MAX / 4;
        if (far > farthest) {
            farthest = far;
            best = i;
        }
    }
    if (best)
        drop(d, best);
    return best != 0;
}

/* What a snapshot keeps of the session, about. */
static uint64_t session_bytes(const fhec_session *session) {
    enum { WARP = 36 << 10 };
    uint64_t bytes = 0;
    fhec_block_info info;
    for (size_t i = 0; session && i < fhec_session_block_count(session); i++)
        if (fhec_session_block(session, i, &info) == FHEC_OK)
            bytes += (uint64_t)info.warps * (WARP + FHEC_WARP_LANES * (uint64_t)info.local_bytes) +
                     info.shared_bytes;
    return bytes;
}

/* Whether there are too many, or they take too much. */
static bool too_much(const struct fh_debugger *d) {
    const uint64_t most = d->options.memory ? d->options.memory : MOST_BYTES;
    return d->place_count > MOST_PLACES ||
           d->place_bytes + fhec_machine_snapshot_bytes(d->machine) > most;
}

void fh_places_take(struct fh_debugger *d, struct fh_debug_time time) {
    const size_t at = places_until(d, time);
    struct fh_debug_place place = {
        .time = time, .under_way = d->session != NULL, .bytes = session_bytes(d->session)};
    struct fh_debug_place *there =
        at && fh_debug_time_compare(d->places[at - 1].time, time) == 0 ? &d->places[at - 1] : NULL;
    if (there && (there->under_way || !place.under_way))
        return;
    if (!there && d->place_count == d->place_capacity) {
        const size_t capacity = d->place_capacity * 2 + 32;
        struct fh_debug_place *more = realloc(d->places, capacity * sizeof *more);
        if (!more)
            return;
        d->places = more;
        d->place_capacity = capacity;
    }
    if (fhec_snapshot_take(d->machine, &place.snapshot) != FHEC_OK)
        return;
    if (there) {
        fhec_snapshot_free(there->snapshot);
        d->place_bytes += place.bytes - there->bytes;
        *there = place;
        return;
    }
    memmove(&d->places[at + 1], &d->places[at], (d->place_count - at) * sizeof *d->places);
    d->places[at] = place;
    d->place_count++;
    d->place_bytes += place.bytes;
    thin_launch(d, time);
    while (too_much(d) && drop_farthest(d, time))
        ;
}

bool fh_places_cut(struct fh_debugger *d, struct fh_debug_time time) {
    bool behind = false;
    while (d->place_count) {
        const struct fh_debug_time last = d->places[d->place_count - 1].time;
        const int order = fh_debug_time_compare(last, time);
        if (order < 0 || (order == 0 && !last.count))
            break;
        behind |= order > 0;
        drop(d, d->place_count - 1);
    }
    return behind;
}

void fh_places_free(struct fh_debugger *d) {
    while (d->place_count)
        fhec_snapshot_free(d->places[--d->place_count].snapshot);
    free(d->places);
    d->places = NULL;
    d->place_capacity = 0;
}
