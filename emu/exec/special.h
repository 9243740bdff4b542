/*
 * special.h - the ids of special registers that S2R, CS2R and S2UR know, and what they hold.
 */
#ifndef FH_SPECIAL_H
#define FH_SPECIAL_H

#include "exec.h"

/* Ids as in common.isa. */
enum {
    FH_SR_LANEID = 0x00,
    FH_SR_VIRTID = 0x03,
    FH_SR_TID_X = 0x21,
    FH_SR_TID_Y = 0x22,
    FH_SR_TID_Z = 0x23,
    FH_SR_CTAID_X = 0x25,
    FH_SR_CTAID_Z = 0x27,
    FH_SR_LWINHI = 0x2e,
    FH_SR_SWINHI = 0x2f,
    FH_SR_SWINLO = 0x30,
    FH_SR_SWINSZ = 0x31,
    FH_SR_SMEMSZ = 0x32,
    FH_SR_LWINLO = 0x34,
    FH_SR_LWINSZ = 0x35,
    FH_SR_LMEMLOSZ = 0x36,
    FH_SR_EQMASK = 0x38,
    FH_SR_LTMASK = 0x39,
    FH_SR_LEMASK = 0x3a,
    FH_SR_GTMASK = 0x3b,
    FH_SR_GEMASK = 0x3c,
    FH_SR_CLOCKLO = 0x50,
    FH_SR_CLOCKHI = 0x51,
    FH_SR_GLOBALTIMERLO = 0x52,
    FH_SR_GLOBALTIMERHI = 0x53,
};

/* What `op` reads in one lane. A clock notes that it has been read. */
uint32_t fh_special_register(const struct fh_warp *w, const struct fh_op *op, int64_t id,
                             uint32_t lane);
/* Whether lanes of a warp can find different values there. */
bool fh_special_by_lane(int64_t id);
bool fh_special_is_clock(int64_t id);

#endif
