/*
 * call_memory.c - the guest's memory for functions of the host (fhec_call.h): read and written as
 * the lane that calls would.
 */
#include "external.h"
#include "launch.h"
#include "translate.h"

/* What to do with a range, piece by piece. */
enum transfer { CHECK, READ, WRITE };

static bool transfer(const fhec_call *call, uint32_t lane, uint64_t address, uint8_t *to,
                     const uint8_t *from, size_t bytes, enum transfer what) {
    struct fh_request request = {.space = FH_GENERIC, .store = !to, .what = "a load by the host"};
    if (request.store)
        request.what = "a store by the host";
    for (size_t at = 0; at < bytes; at += request.bytes) {
        uint64_t places[FH_LANES];
        struct fh_location place[FH_LANES];
        request.bytes = 16;
        while ((address + at) % request.bytes || request.bytes > bytes - at)
            request.bytes /= 2;
        places[lane] = address + at;
        if (!fh_translate_lanes(call->w, call->op, 1u << lane, places, &request, place))
            return false;
        if (what == READ)
            fh_location_read(call->w, &place[lane], request.bytes, to + at);
        else if (what == WRITE)
            fh_location_write(call->w, &place[lane], request.bytes, from + at);
    }
    return true;
}

bool fhec_call_read(const fhec_call *call, uint32_t lane, uint64_t address, void *data,
                    size_t bytes) {
    return transfer(call, lane % FH_LANES, address, data, NULL, bytes, READ);
}

bool fhec_call_write(const fhec_call *call, uint32_t lane, uint64_t address, const void *data,
                     size_t bytes) {
    return transfer(call, lane % FH_LANES, address, NULL, NULL, bytes, CHECK) &&
           transfer(call, lane % FH_LANES, address, NULL, data, bytes, WRITE);
}
