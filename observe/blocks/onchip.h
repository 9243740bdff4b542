/*
 * onchip.h - which accesses to limbs find them in on-chip memory: the shared memory of all SMs as
 * one space that keeps whole limbs.
 *
 * A read of a limb that is not there fetches it; a write puts it there without. What no later
 * access reads goes at once, a result after it has been written to memory. Where there is no room
 * the policy says what else goes; if it has been written, and is needed again or a result, it is
 * written to memory. Limbs larger than the space are not kept.
 *
 * Accesses may belong to groups, each of which is under way from its first access to its last.
 * After that those limbs go that it has accessed, but for those that another group under way
 * accesses, before or later.
 */
#ifndef FH_ONCHIP_H
#define FH_ONCHIP_H

#include "fhec.h"

enum fh_onchip_policy {
    FH_ONCHIP_LRU,    /* the least recently used one goes */
    FH_ONCHIP_BELADY, /* the one that is needed last: fewest fetches of limbs of one size */
};
const char *fh_onchip_policy_name(enum fh_onchip_policy policy);

struct fh_onchip_limb {
    uint64_t bytes;
    bool result; /* is to be in memory in the end */
};

#define FH_ONCHIP_NONE UINT32_MAX
struct fh_onchip_access {
    uint32_t limb;
    bool write;
    uint32_t group; /* or NONE */
    /* Found out: */
    bool fetched;     /* the limb comes from memory */
    uint64_t written; /* bytes that go to memory for it: evicted, of a group's end, results */
};

/* FHEC_HOST_ERROR: no memory. */
fhec_status fh_onchip_run(uint64_t capacity, enum fh_onchip_policy policy,
                          const struct fh_onchip_limb *limbs, size_t limb_count,
                          struct fh_onchip_access *accesses, size_t count);

#endif
