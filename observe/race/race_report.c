/*
 * race_report.c - what is said of two accesses that no order stands between.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "finding_ids.h"
#include "race_engine.h"

static struct fh_place place_of_other(const struct fh_race *race, const struct fh_touch *t,
                                      const struct fh_past *other) {
    const fhec_launch *launch = t->event->launch;
    const uint32_t number = other->code & FH_CODE_NUMBER;
    const uint64_t block = other->warp / race->warps;
    struct fh_place place = fh_place_of(t->event);
    place.block[0] = (uint32_t)(block % launch->grid[0]);
    place.block[1] = (uint32_t)(block / launch->grid[0] % launch->grid[1]);
    place.block[2] = (uint32_t)(block / launch->grid[0] / launch->grid[1]);
    place.warp = other->warp % race->warps;
    place.lanes = other->lanes;
    place.pc = (uint64_t)number * sizeof(fhec_word);
    place.word = fh_ordering_code_at(&race->codes, number)->word;
    return place;
}

static bool is_copied(const struct fh_past *other) {
    return fh_code_kind(other->code) == FH_COPYING;
}

static bool is_strong(const struct fh_past *other) {
    return fh_kind_reach(fh_code_kind(other->code)) != FH_REACH_NONE;
}

static unsigned kind_of(const struct fh_race *race, const struct fh_touch *t,
                        const struct fh_past *other) {
    if (is_copied(other))
        return t->write ? FH_FINDING_COPY_WRITTEN_OVER : FH_FINDING_COPY_READ_EARLY;
    if (t->copy)
        return FH_FINDING_COPY_OVERWRITES;
    if (other->warp == t->warp)
        return FH_FINDING_RACE_IN_WARP;
    if (t->reach && is_strong(other))
        return FH_FINDING_RACE_OF_SCOPES;
    return other->warp / race->warps == t->block->index ? FH_FINDING_RACE_IN_BLOCK
                                                        : FH_FINDING_RACE_IN_GRID;
}

/* What would have made an order. */
static const char *missing(const struct fh_touch *t, unsigned kind, const struct fh_past *other) {
    const bool strong = t->reach || is_strong(other);
    const uint32_t warp = other->warp, number = (uint32_t)(t->event->pc / sizeof(fhec_word));
    switch (kind) {
    case FH_FINDING_COPY_READ_EARLY:
    case FH_FINDING_COPY_WRITTEN_OVER:
        return warp == t->warp ? "a DEPBAR that waits for the copy is missing between the two"
                               : "a DEPBAR that waits for the copy, in the warp that copies, and a "
                                 "BAR.SYNC behind it are missing between the two";
    case FH_FINDING_COPY_OVERWRITES:
        return warp == t->warp ? "a WARPSYNC is missing between the two"
                               : "a BAR.SYNC is missing between the two";
    case FH_FINDING_RACE_IN_WARP:
        return (other->code & FH_CODE_NUMBER) == number && t->write
                   ? "lanes of one instruction come in no order; expected one of them, a place "
                     "for each, or an atomic operation"
                   : "lanes of a warp come in no order of their own; a WARPSYNC is missing between "
                     "the two";
    case FH_FINDING_RACE_OF_SCOPES:
        return "an operation that says .SM holds within its block only; expected .GPU in both";
    case FH_FINDING_RACE_IN_BLOCK:
        return strong
                   ? "one of them is atomic or .STRONG, and the other one is not; expected both, "
                     "or a BAR.SYNC between the two"
                   : "a BAR.SYNC is missing between the two";
    default:
        return strong
                   ? "one of them is atomic or .STRONG, and the other one is not; expected both, "
                     "or two launches"
                   : "blocks of a launch come in no order; expected two launches, or MEMBAR.SC.GPU "
                     "and a strong write, which the other block reads before";
    }
}

static void lane_text(const struct fh_place *place, char *text, size_t size) {
    snprintf(text, size, "lane %d of warp %" PRIu32 " of block %" PRIu32 ",%" PRIu32 ",%" PRIu32,
             __builtin_ctz(place->lanes), place->warp, place->block[0], place->block[1],
             place->block[2]);
}

/* What lies there; shared memory by the names of the source. */
static fhec_object object_of(const struct fh_touch *t) {
    const fhec_launch *launch = t->event->launch;
    fhec_object object = {0};
    fhec_shared_info shared;
    if (t->event->access.space != FHEC_SPACE_SHARED) {
        if (fhec_event_object(t->event, t->lane, &object))
            object.offset += t->address - t->event->access.address[t->lane];
        return object;
    }
    for (size_t i = 0; fhec_kernel_shared(launch->program, launch->kernel, i, &shared); i++)
        if (t->address - shared.offset < shared.bytes)
            return (fhec_object){shared.name, t->address - shared.offset, shared.bytes};
    return object;
}

/* What is found, without its sentence. */
static struct fh_finding found(const struct fh_race *race, const struct fh_touch *t,
                               const struct fh_past *other) {
    struct fh_finding finding = {.kind = kind_of(race, t, other),
                                 .at = fh_place_of(t->event),
                                 .other = place_of_other(race, t, other)};
    finding.at.lanes = UINT32_C(1) << t->lane;
    return finding;
}

static void describe_race(const struct fh_touch *t, const struct fh_past *other,
                          struct fh_finding *finding) {
    const bool copied = is_copied(other);
    const bool other_writes = !(FH_READ_KINDS >> fh_code_kind(other->code) & 1);
    char mine[80], theirs[80];
    lane_text(&finding->at, mine, sizeof mine);
    lane_text(&finding->other, theirs, sizeof theirs);
    finding->has_memory = true;
    finding->space = t->event->access.space;
    finding->address = t->address;
    finding->object = object_of(t);
    finding->role = copied         ? "was copied to here"
                    : other_writes ? "was written here"
                                   : "was read here";
    snprintf(finding->message, sizeof finding->message, "%s %s what %s %s: %s", mine,
             t->copy    ? "copies to"
             : t->write ? "writes"
                        : "reads",
             theirs,
             copied         ? "copies"
             : other_writes ? "wrote"
                            : "read",
             missing(t, finding->kind, other));
}

void fh_race_report(struct fh_race *race, const struct fh_touch *t, const struct fh_past *other) {
    struct fh_finding finding = found(race, t, other);
    const bool of_copy = fh_finding_checker(finding.kind) == FH_CHECK_ASYNC;
    if (of_copy != race->async ||
        fh_findings_again(race->findings, finding.kind, &finding.at, &finding.other))
        return;
    describe_race(t, other, &finding);
    race->time.failed |= !fh_findings_add(race->findings, &finding);
}

void fh_race_dispute(struct fh_race *race, const struct fh_touch *t, const struct fh_past *other,
                     uint32_t bytes) {
    struct fh_disputed *disputed = &t->block->disputed;
    struct fh_finding finding = found(race, t, other);
    if (race->async ||
        fh_disputed_known(disputed, t->address, bytes, finding.at.pc, finding.other.pc))
        return;
    describe_race(t, other, &finding);
    race->time.failed |= !fh_disputed_put(disputed, t->address, bytes, &finding);
}

void fh_race_depends(struct fh_race *race, const struct fh_touch *t, const struct fh_past *other) {
    const uint32_t number = other->code & FH_CODE_NUMBER;
    const bool reads = FH_READ_KINDS >> fh_code_kind(other->code) & 1;
    if (race->async || fh_findings_order(race->findings))
        return;
    if (t->returns && !reads) {
        const struct fh_place place = fh_place_of(t->event);
        fh_findings_depend(race->findings, &place);
    } else if (t->write && fh_ordering_code_at(&race->codes, number)->returns) {
        const struct fh_place place = place_of_other(race, t, other);
        fh_findings_depend(race->findings, &place);
    }
}

void fh_race_settle(struct fh_race *race, const struct fh_touch *t, uint32_t disputed) {
    struct fh_disputed *all = &t->block->disputed;
    for (uint32_t i = 0; i < t->bytes; i++) {
        const struct fh_dispute *dispute =
            disputed >> i & 1 ? NULL : fh_disputed_at(all, t->address + i);
        if (!dispute)
            continue;
        if (t->write && !t->atomic) {
            fh_disputed_drop_byte(all, t->address + i);
            continue;
        }
        race->time.failed |= !fh_findings_add(race->findings, &dispute->finding);
        fh_disputed_drop(all, t->address + i);
    }
}
