/*
 * check_leaks.c - see check_leaks.h.
 */
#include "check_leaks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "allocated.h"
#include "finding_ids.h"
#include "watching.h"

struct checker {
    struct fh_watching watch;
    bool launched; /* at least once */
    bool stopped;  /* a launch did not come to its end */
    struct fh_allocations allocations;
};

static void touch(struct checker *c, uint64_t address, unsigned access) {
    struct fh_allocated *x = fh_allocations_at(&c->allocations, address);
    if (x) {
        x->read |= (access & FHEC_ACCESS_READ) != 0;
        x->written |= (access & FHEC_ACCESS_WRITE) != 0;
    }
}

static void see(void *user, const fhec_event *event) {
    struct checker *c = user;
    switch (event->kind) {
    case FHEC_EVENT_ALLOC:
    case FHEC_EVENT_FREE:
        c->watch.failed |= !fh_allocations_see(&c->allocations, event);
        if (event->kind == FHEC_EVENT_ALLOC && event->host.data) /* mapped: it is used unseen */
            touch(c, event->host.address, FHEC_ACCESS_READ | FHEC_ACCESS_WRITE);
        break;
    case FHEC_EVENT_HOST_WRITE: touch(c, event->host.address, FHEC_ACCESS_WRITE); break;
    case FHEC_EVENT_HOST_READ: touch(c, event->host.address, FHEC_ACCESS_READ); break;
    case FHEC_EVENT_LAUNCH_END:
        c->launched = true;
        c->stopped |= event->end.status != FHEC_OK;
        break;
    case FHEC_EVENT_ACCESS:
        for (uint32_t left = event->access.space == FHEC_SPACE_GLOBAL ? event->lanes : 0; left;
             left &= left - 1)
            touch(c, event->access.address[__builtin_ctz(left)], event->access.access);
        break;
    default: break;
    }
}

static void say(struct checker *c, const struct fh_allocated *x, unsigned kind, const char *what) {
    struct fh_finding finding = {.kind = kind,
                                 .has_memory = true,
                                 .space = FHEC_SPACE_GLOBAL,
                                 .address = x->base,
                                 .object = {*x->name ? x->name : NULL, 0, x->bytes}};
    finding.at.pc = x->number; /* each is a place of its own */
    snprintf(finding.message, sizeof finding.message,
             "neither a kernel nor the host %s %s, an allocation of %" PRIu64 " bytes", what,
             *x->name ? x->name : "(no name)", x->bytes);
    c->watch.failed |= !fh_findings_add(c->watch.findings, &finding);
}

static void say_all(struct checker *c) {
    for (size_t i = 0; i < c->allocations.count; i++) {
        const struct fh_allocated *x = c->allocations.numbered[i];
        if (!x->read)
            say(c, x, FH_FINDING_ALLOCATION_UNREAD, "reads");
        if (!x->written)
            say(c, x, FH_FINDING_ALLOCATION_UNWRITTEN, "writes");
        if (x->live)
            say(c, x, FH_FINDING_ALLOCATION_KEPT, "releases");
    }
}

/* Only what accesses memory. */
static bool is_wanted(void *user, const fhec_launch *launch, uint64_t pc, fhec_word word) {
    fhec_instruction instruction;
    (void)user;
    (void)launch;
    return fhec_instruction_get(word, pc, &instruction) == FHEC_OK &&
           strcmp(instruction.klass, "memory") == 0;
}

static fhec_status end(void *state) {
    struct checker *c = state;
    if (c->launched && !c->stopped)
        say_all(c);
    fh_allocations_free(&c->allocations);
    return fh_watch_end(c);
}

#define BIT(kind) FHEC_EVENT_BIT(FHEC_EVENT_##kind)

static fhec_status begin(fhec_machine *machine, struct fh_findings *findings, void **state) {
    static const struct fh_watch watch = {
        .bytes = sizeof(struct checker),
        .observers = {{.filter = {.kinds = BIT(ALLOC) | BIT(FREE) | BIT(HOST_WRITE) |
                                           BIT(HOST_READ) | BIT(LAUNCH_END) | BIT(ACCESS),
                                  .no_access = 1u << FHEC_SPACE_CONSTANT,
                                  .instruction = is_wanted},
                       .event = see}},
        .end = end,
    };
    return fh_watch_begin(&watch, machine, findings, state);
}

const struct fh_checker_row fh_check_leaks = {begin, end};
