/*
 * session_util.h - what the tests of sessions share: a guest with a session, and what it stops for.
 */
#ifndef FH_TESTS_SESSION_UTIL_H
#define FH_TESTS_SESSION_UTIL_H

#include "emu_util.h"
#include "fhec_session.h"

enum { WARP = 32 };

/* A session on a launch of kernel 0 with one parameter, the address of zeroed words. */
struct guest {
    fhec_program *program;
    fhec_machine *machine;
    fhec_session *session;
    uint64_t data;
};

/* Each test runs on both engines. */
#define ON_BOTH(test)                                                                              \
    {#test ", fast", test, guest_fast, NULL, NULL}, {                                              \
#test ", ref", test, guest_ref, NULL, NULL                                                 \
    }
int guest_fast(void **unused);
int guest_ref(void **unused);

struct guest guest_begin(const char *text, uint32_t blocks, uint32_t threads, size_t words);
void guest_end(struct guest *g);
/* To the next stop; NULL: to the next point. */
fhec_stop guest_go(struct guest *g, const fhec_go *how);
/* The number of a point that must be possible. */
unsigned guest_add(struct guest *g, fhec_point point);

/* A stop of one warp of a block of the x axis. */
void expect_at(const fhec_stop *s, fhec_stop_reason reason, uint32_t block, uint32_t warp,
               uint64_t pc, uint64_t instructions);
/* Of the guest's data; R`reg` of a lane. */
uint32_t word_at(const struct guest *g, size_t index);
uint32_t lane_of(const struct guest *g, uint32_t block, uint32_t warp, uint32_t reg, uint32_t lane);

#endif
