/*
 * init_report.c - the findings of the checker `init`: an undefined value that matters, and where it
 * came from.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "finding_ids.h"
#include "init_checker.h"

enum { LANES = FHEC_WARP_LANES };

/* What undefined bits decide, by the kind of finding. */
static const char *what_depends(unsigned kind) {
    switch (kind) {
    case FH_FINDING_UNDEFINED_ADDRESS: return "the address";
    case FH_FINDING_UNDEFINED_BRANCH: return "where the lanes go";
    case FH_FINDING_UNDEFINED_GUARD: return "whether the instruction acts";
    case FH_FINDING_UNDEFINED_BARRIER: return "which lanes wait";
    default: return "the product";
    }
}

static bool same_instruction(const struct fh_place *a, const struct fh_place *b) {
    return a->program == b->program && a->kernel == b->kernel && a->pc == b->pc;
}

static const char *role_of(const struct fh_cause *root) {
    return root->kind == FH_CAUSE_STORE ? "was stored here" : "was first read here";
}

/* The instruction that read first what was never written becomes the other one, if it is one. */
static void set_other(struct fh_finding *finding, const struct fh_cause *root) {
    if (!root || same_instruction(&root->place, &finding->at))
        return;
    finding->other = root->place;
    finding->role = role_of(root);
}

/* What is undefined came by a shuffle: the finding is about that, and names what depends on it. */
static void blame_shuffle(struct fh_finding *finding, const struct fh_cause *root) {
    finding->kind = FH_FINDING_SHUFFLE_FROM_INACTIVE;
    finding->other = finding->at;
    finding->at = root->place;
    finding->role = "matters here";
    (void)fh_cause_text(root, finding->message, sizeof finding->message);
}

/* Adds the finding, to whose message the cause is added. */
static void finish(struct fh_init_checker *c, struct fh_finding *finding, uint32_t origin) {
    char cause[160];
    const size_t length = strlen(finding->message);
    const struct fh_cause *root = fh_cause_root(c->origins, origin);
    if (root && root->kind == FH_CAUSE_SHUFFLE) {
        blame_shuffle(finding, root);
        c->failed |= !fh_findings_add(c->findings, finding);
        return;
    }
    (void)fh_cause_text(root, cause, sizeof cause);
    snprintf(finding->message + length, sizeof finding->message - length, ": %s", cause);
    c->failed |= !fh_findings_add(c->findings, finding);
}

/* "A[8][0], " of a fragment that has a layout; else "". */
static void element_text(const fhec_operand *operand, uint32_t reg, uint32_t lane, uint32_t bits,
                         char *text, size_t size) {
    fhec_layout layout;
    fhec_element element;
    *text = '\0';
    if (!operand || !operand->has_layout || !fhec_layout_get(operand->layout, &layout))
        return;
    const uint32_t width = layout.bits < 32 ? layout.bits : 32;
    const fhec_place place = {lane, reg, bits ? (uint32_t)__builtin_ctz(bits) / width : 0};
    if (fhec_layout_element(operand->layout, place, &element) == FHEC_OK)
        snprintf(text, size, "%s[%u][%u], ", layout.operand, element.row, element.column);
}

/* One read of the instruction, undefined in `lanes`. */
static void report_read(const struct fh_init_step *s, unsigned kind, unsigned i, uint32_t lanes) {
    const struct fh_init_plan *p = s->plan;
    const fhec_instruction *x = &s->entry->instruction;
    const uint32_t row = p->reads[i], lane = (uint32_t)__builtin_ctz(lanes);
    const uint32_t origin = fh_init_origin(s, row);
    const fhec_operand *operand =
        p->read_operand[i] < x->operand_count ? &x->operands[p->read_operand[i]] : NULL;
    struct fh_finding finding = {.kind = kind, .at = fh_place_of(s->event)};
    uint32_t bits = UINT32_MAX;
    char name[8], element[48], of_lane[24] = "";
    set_other(&finding, fh_cause_root(s->checker->origins, origin));
    if (fh_findings_again(s->checker->findings, kind, &finding.at, &finding.other))
        return;
    finding.at.lanes = lanes;
    fh_row_name(row, name);
    if (row < FH_ROW_UR)
        bits = s->warp->bits[row][lane] & p->read_mask[i];
    else if (row < FH_ROW_P)
        bits = s->warp->uniform[row - FH_ROW_UR];
    if (row < FH_ROW_UR || (row >= FH_ROW_P && row < FH_ROW_UP))
        snprintf(of_lane, sizeof of_lane, " of lane %u", lane);
    element_text(kind == FH_FINDING_UNDEFINED_MATRIX_OPERAND ? operand : NULL,
                 operand ? row - operand->reg : 0, lane, bits, element, sizeof element);
    if (row >= FH_ROW_P)
        snprintf(finding.message, sizeof finding.message, "%s depends on %s%s, which is undefined",
                 what_depends(kind), name, of_lane);
    else if (bits == UINT32_MAX)
        snprintf(finding.message, sizeof finding.message,
                 "%s depends on %s%s%s, which is undefined", what_depends(kind), element, name,
                 of_lane);
    else
        snprintf(finding.message, sizeof finding.message,
                 "%s depends on %s%s%s, of which bits 0x%" PRIx32 " are undefined",
                 what_depends(kind), element, name, of_lane, bits);
    finish(s->checker, &finding, origin);
}

/* Lanes whose registers count: of the operand M of FHEC.MIX the first of each column. */
static uint32_t lanes_that_matter(const struct fh_init_step *s, unsigned i) {
    const fhec_instruction *x = &s->entry->instruction;
    const unsigned o = s->plan->read_operand[i];
    const bool moduli = s->plan->rule == FH_INIT_MATRIX && o < x->operand_count &&
                        x->operands[o].kind == FHEC_OPERAND_REGISTER &&
                        strcmp(x->operands[o].name, "M") == 0;
    const uint32_t rows = s->plan->rule == FH_INIT_LOAD_MATRIX && s->plan->number < 4
                              ? (1u << 8 * s->plan->number) - 1
                              : UINT32_MAX;
    return moduli ? s->active & 0x11111111 : s->active & rows;
}

void fh_init_report_reads(const struct fh_init_step *s, unsigned kind, uint32_t which) {
    for (unsigned i = 0; i < s->plan->read_count; i++) {
        const uint32_t row = s->plan->reads[i];
        uint32_t lanes = which >> i & 1 ? fh_init_undefined(s, i) & lanes_that_matter(s, i) : 0;
        if (lanes && s->plan->rule == FH_INIT_MATRIX)
            lanes = fh_init_matrix_lanes(s, i, lanes);
        if (!lanes)
            continue;
        report_read(s, kind, i, lanes);
        const bool uniform = (row >= FH_ROW_UR && row < FH_ROW_P) || row >= FH_ROW_UP;
        s->warp->lanes[row] &= uniform ? 0 : ~lanes;
    }
}

void fh_init_report_guard(const struct fh_init_step *s, uint32_t row, uint32_t lanes) {
    const enum fh_init_rule rule = (enum fh_init_rule)s->plan->rule;
    const unsigned kind = rule == FH_INIT_CONTROL   ? FH_FINDING_UNDEFINED_BRANCH
                          : rule == FH_INIT_BARRIER ? FH_FINDING_UNDEFINED_BARRIER
                                                    : FH_FINDING_UNDEFINED_GUARD;
    const uint32_t origin = fh_init_origin(s, row);
    struct fh_finding finding = {.kind = kind, .at = fh_place_of(s->event)};
    char name[8], of_lane[24] = "";
    set_other(&finding, fh_cause_root(s->checker->origins, origin));
    finding.at.lanes = lanes;
    s->warp->lanes[row] &= row < FH_ROW_UP ? ~lanes : 0;
    if (fh_findings_again(s->checker->findings, kind, &finding.at, &finding.other))
        return;
    fh_row_name(row, name);
    if (row < FH_ROW_UP)
        snprintf(of_lane, sizeof of_lane, " of lane %u", (unsigned)__builtin_ctz(lanes));
    snprintf(finding.message, sizeof finding.message, "%s depends on %s%s, which is undefined",
             what_depends(kind), name, of_lane);
    finish(s->checker, &finding, origin);
}

/* ---------------------------------------------------------------- what the host reads */

/* Bytes of one kind or store within what the host reads. */
static void report_bytes(struct fh_init_checker *c, const struct fh_bits_region *region,
                         uint64_t offset, uint32_t origin) {
    const struct fh_cause *stored = fh_cause_get(c->origins, origin);
    struct fh_finding finding = {
        .kind = stored ? FH_FINDING_UNDEFINED_RESULT : FH_FINDING_UNWRITTEN_RESULT,
        .has_memory = true,
        .space = FHEC_SPACE_GLOBAL,
        .address = region->base + offset,
        .object = {region->name[0] ? region->name : NULL, offset, region->size}};
    if (stored) {
        finding.at = stored->place;
        set_other(&finding, fh_cause_root(c->origins, origin));
    }
    if (fh_findings_again(c->findings, finding.kind, &finding.at, &finding.other))
        return;
    const char *name = region->name[0] ? region->name : "memory without a name";
    if (stored)
        snprintf(finding.message, sizeof finding.message,
                 "the host reads byte %" PRIu64 " of %s, where an undefined value was stored",
                 offset, name);
    else
        snprintf(finding.message, sizeof finding.message,
                 "the host reads %s, of which no one has written a byte", name);
    if (stored)
        finish(c, &finding, origin);
    else
        c->failed |= !fh_findings_add(c->findings, &finding);
}

/* Whether byte i may be padding of a structure, which copies take along: nobody wrote it, but what
 * shares its word, and was loaded and stored with it. */
static bool is_padding(const struct fh_init_checker *c, const struct fh_bits_region *region,
                       uint64_t i, uint32_t origin) {
    const struct fh_cause *root = fh_cause_root(c->origins, origin);
    if (!root || root->kind != FH_CAUSE_MEMORY || !root->beside || region->defined[i])
        return false;
    const uint64_t width = fh_neighbours(root->space), first = i & ~(width - 1);
    for (uint64_t k = first; k < first + width && k < region->size; k++)
        if (region->defined[k] == 0xff)
            return true;
    return false;
}

/* Bytes that nobody has written are reported if all that the host reads is: others may be gaps that
 * it does not look at. */
void fh_init_report_host(struct fh_init_checker *c, const fhec_event *event) {
    struct fh_bits_region *region = fh_defined_region(&c->shadow, event->host.address);
    if (!region || region->whole || event->host.bytes == 0)
        return;
    const uint64_t first = event->host.address - region->base;
    const uint64_t rest = region->size - first;
    const uint64_t end = first + (event->host.bytes < rest ? event->host.bytes : rest);
    uint32_t last = 0;
    bool written = false;
    for (uint64_t i = first; i < end; i++) {
        uint32_t origin = region->defined[i] == 0xff ? 0 : fh_bits_region_origin(region, i);
        written |= region->defined[i] != 0 || origin;
        if (origin && origin != last && is_padding(c, region, i, origin))
            origin = last;
        if (origin && origin != last) /* once for a run of bytes from one place */
            report_bytes(c, region, i, origin);
        last = origin;
    }
    if (!written)
        report_bytes(c, region, first, 0);
}
