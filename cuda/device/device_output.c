/*
 * device_output.c - printf and assert of kernels: the buffer in the guest's memory that is read
 * when a launch has ended.
 *
 * A call of printf leaves a record in the ring: the length of its text in 4 bytes, and the text.
 * When there is no room the oldest records make it, so that the newest output stays. A text longer
 * than the whole ring is an error of the call, and leaves nothing.
 */
#include "device_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = sizeof(uint32_t) };

/* ---------------------------------------------------------------- the ring */

/* Where byte number `at` is, and how many of `length` bytes lie there one behind the other. */
static uint64_t place(const struct fh_device_runtime *r, uint64_t at, size_t *length) {
    const uint64_t size = r->options.printf_bytes, offset = at % size;
    if (*length > size - offset)
        *length = (size_t)(size - offset);
    return r->ring + sizeof(struct fh_device_ring) + offset;
}

static bool ring_read(const struct fh_device_runtime *r, const fhec_call *call, uint32_t lane,
                      uint64_t at, void *data, size_t bytes) {
    for (size_t done = 0, part; done < bytes; done += part) {
        part = bytes - done;
        const uint64_t address = place(r, at + done, &part);
        if (!fhec_call_read(call, lane, address, (char *)data + done, part))
            return false;
    }
    return true;
}

static bool ring_write(const struct fh_device_runtime *r, const fhec_call *call, uint32_t lane,
                       uint64_t at, const void *data, size_t bytes) {
    for (size_t done = 0, part; done < bytes; done += part) {
        part = bytes - done;
        const uint64_t address = place(r, at + done, &part);
        if (!fhec_call_write(call, lane, address, (const char *)data + done, part))
            return false;
    }
    return true;
}

/* Whether the header is one that this file has written. */
static bool ring_sound(const struct fh_device_runtime *r, const struct fh_device_ring *ring) {
    return ring->begin <= ring->end && ring->end - ring->begin <= r->options.printf_bytes;
}

/* Lets the oldest records go until there is room for `bytes`. */
static bool make_room(const struct fh_device_runtime *r, const fhec_call *call, uint32_t lane,
                      struct fh_device_ring *ring, size_t bytes) {
    while (r->options.printf_bytes - (ring->end - ring->begin) < bytes) {
        uint32_t length;
        if (!ring_read(r, call, lane, ring->begin, &length, LENGTH))
            return false;
        ring->begin += LENGTH + (uint64_t)length;
        if (!ring_sound(r, ring))
            return fhec_call_fault(call, FHEC_FAULT_TRAP, 1u << lane,
                                   "the printf buffer was overwritten");
    }
    return true;
}

/* A record of the line; *fits false: it is longer than the ring. */
static bool append(const struct fh_device_runtime *r, const fhec_call *call, uint32_t lane,
                   bool *fits) {
    const uint32_t length = (uint32_t)r->line.length;
    struct fh_device_ring ring;
    *fits = r->line.length <= UINT32_MAX && LENGTH + r->line.length <= r->options.printf_bytes;
    if (!*fits)
        return true;
    if (!fhec_call_read(call, lane, r->ring, &ring, sizeof ring))
        return false;
    if (!ring_sound(r, &ring))
        return fhec_call_fault(call, FHEC_FAULT_TRAP, 1u << lane,
                               "the printf buffer was overwritten");
    if (!make_room(r, call, lane, &ring, LENGTH + r->line.length) ||
        !ring_write(r, call, lane, ring.end, &length, LENGTH) ||
        !ring_write(r, call, lane, ring.end + LENGTH, r->line.bytes, r->line.length))
        return false;
    ring.end += LENGTH + r->line.length;
    return fhec_call_write(call, lane, r->ring, &ring, sizeof ring);
}

/* int vprintf(const char *format, void *arguments) */
bool fh_device_vprintf(void *user, const fhec_call *call) {
    enum { FORMAT = FH_DEVICE_ARGUMENT, ARGUMENTS = FORMAT + 2, NO_FORMAT = -1, FAILED = -2 };
    struct fh_device_runtime *r = user;
    fhec_caller caller;
    fhec_call_caller(call, &caller);
    for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++) {
        const uint64_t format = fhec_call_pair(call, lane, FORMAT);
        int32_t result = NO_FORMAT;
        bool fits = true;
        if (!(caller.lanes >> lane & 1))
            continue;
        r->line.length = 0;
        if (format && !fh_device_format(call, lane, format, fhec_call_pair(call, lane, ARGUMENTS),
                                        r->options.printf_bytes, &r->line, &result))
            return false;
        if (format && result >= 0 && !append(r, call, lane, &fits))
            return false;
        fhec_call_set_register(call, lane, FH_DEVICE_ARGUMENT, (uint32_t)(fits ? result : FAILED));
    }
    return true;
}

/* ---------------------------------------------------------------- assert */

/* void __assertfail(const char *condition, const char *file, unsigned line, const char *function,
 * size_t bytes of a character): the whole warp's lines are kept, and the launch ends. */
bool fh_device_assertfail(void *user, const fhec_call *call) {
    enum { CONDITION = FH_DEVICE_ARGUMENT, FILE_NAME = 6, LINE = 8, FUNCTION = 10, MOST = 1 << 16 };
    struct fh_device_runtime *r = user;
    char text[160], message[400] = "";
    fhec_caller caller;
    fhec_call_caller(call, &caller);
    r->asserted.length = 0;
    for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++) {
        const size_t begin = r->asserted.length;
        const uint32_t *block = caller.block;
        uint32_t thread[3];
        if (!(caller.lanes >> lane & 1))
            continue;
        fhec_call_thread(call, lane, thread);
        struct fh_device_buffer *to = &r->asserted;
        bool fine =
            fh_device_read_text(call, lane, fhec_call_pair(call, lane, FILE_NAME), MOST, to);
        snprintf(text, sizeof text, ":%" PRIu32 ": ", fhec_call_register(call, lane, LINE));
        fine = fine && fh_device_put(to, text, strlen(text)) &&
               fh_device_read_text(call, lane, fhec_call_pair(call, lane, FUNCTION), MOST, to);
        snprintf(text, sizeof text,
                 ": block: [%" PRIu32 ",%" PRIu32 ",%" PRIu32 "], thread: [%" PRIu32 ",%" PRIu32
                 ",%" PRIu32 "] Assertion `",
                 block[0], block[1], block[2], thread[0], thread[1], thread[2]);
        fine = fine && fh_device_put(to, text, strlen(text)) &&
               fh_device_read_text(call, lane, fhec_call_pair(call, lane, CONDITION), MOST, to) &&
               fh_device_put(to, "` failed.\n", 10);
        if (!fine)
            return false;
        if (!*message)
            snprintf(message, sizeof message, "%.*s", (int)(to->length - 1 - begin),
                     to->bytes + begin);
    }
    return fhec_call_fault(call, FHEC_FAULT_TRAP, caller.lanes, message);
}

/* ---------------------------------------------------------------- for the host */

fhec_status fh_device_ring_begin(struct fh_device_runtime *r) {
    const struct fh_device_ring empty = {0, 0};
    return fhec_write(r->machine, r->ring, &empty, sizeof empty);
}

/* The bytes from number `at` of the ring, which the host has. */
static void take(const char *bytes, uint64_t size, uint64_t at, char *to, size_t length) {
    for (size_t i = 0; i < length; i++)
        to[i] = bytes[(at + i) % size];
}

static bool tell_records(struct fh_device_runtime *r, const struct fh_device_ring *ring,
                         const char *bytes) {
    const uint64_t size = r->options.printf_bytes;
    char *text = malloc((size_t)size);
    for (uint64_t at = ring->begin; text && at < ring->end;) {
        uint32_t length = 0;
        take(bytes, size, at, (char *)&length, LENGTH);
        at += LENGTH;
        if (length > ring->end - at || at > ring->end) /* the guest has written there */
            break;
        take(bytes, size, at, text, length);
        at += length;
        if (r->options.text)
            r->options.text(r->options.user, FH_DEVICE_PRINTF, text, length);
    }
    free(text);
    return text != NULL;
}

fhec_status fh_device_runtime_flush(fh_device_runtime *r) {
    struct fh_device_ring ring;
    fhec_status status = fhec_read(r->machine, r->ring, &ring, sizeof ring);
    if (status == FHEC_OK && ring.begin != ring.end) {
        char *bytes = malloc(r->options.printf_bytes);
        status = bytes
                     ? fhec_read(r->machine, r->ring + sizeof ring, bytes, r->options.printf_bytes)
                     : FHEC_HOST_ERROR;
        if (status == FHEC_OK && ring_sound(r, &ring) && !tell_records(r, &ring, bytes))
            status = FHEC_HOST_ERROR;
        free(bytes);
        if (status == FHEC_OK)
            status = fh_device_ring_begin(r);
    }
    if (r->asserted.length && r->options.text)
        r->options.text(r->options.user, FH_DEVICE_ASSERT, r->asserted.bytes, r->asserted.length);
    r->asserted.length = 0;
    return status;
}
