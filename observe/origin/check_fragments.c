/*
 * check_fragments.c - see check_fragments.h.
 *
 * An operand that is loaded by the same code has the same pattern every time: the origins of its
 * elements less that of the first one. Patterns that were found in order are kept, beside the
 * instruction, so that most executions are a comparison of registers with one of them.
 */
#include "check_fragments.h"

#include <stdlib.h>
#include <string.h>

#include "misfits.h"

enum { LAYOUTS = 128, PATTERNS = 4, OPERANDS = 4, PATIENCE = 256, OFTEN = 16 };

/* Of one operand of one instruction. */
struct operand_state {
    const fhec_operand *operand;
    struct fh_fragment_shape *shape;
    fh_origin_row *patterns[PATTERNS]; /* operand->count rows each, the last used first */
    uint32_t other;                    /* executions that were like none of them */
};

struct insn_state {
    struct insn_state *next;
    uint32_t count;
    struct operand_state operands[OPERANDS];
};

struct check {
    struct fh_findings *findings;
    struct fh_origins *origins;
    struct fh_fragment_shape *shapes[LAYOUTS];
    struct insn_state *all;
    bool failed;
};

/* A fragment that is read, and not the addresses of LDSM. */
static bool is_fragment(const fhec_operand *o) {
    return o->has_layout && o->read && o->kind == FHEC_OPERAND_REGISTER &&
           o->reg != FHEC_NO_REGISTER && o->layout < LAYOUTS;
}

static bool wants(void *user, const fhec_launch *launch, const fhec_instruction *instruction) {
    (void)user;
    (void)launch;
    for (uint32_t i = 0; i < instruction->operand_count; i++)
        if (is_fragment(&instruction->operands[i]))
            return true;
    return false;
}

static struct fh_fragment_shape *shape_of(struct check *c, size_t layout) {
    if (!c->shapes[layout])
        c->shapes[layout] = fh_fragment_shape_new(layout);
    return c->shapes[layout];
}

static struct insn_state *state_of(struct check *c, const struct fh_origin_view *view) {
    struct insn_state *state = view->op->own;
    if (state)
        return state;
    state = calloc(1, sizeof *state);
    if (!state)
        return NULL;
    for (uint32_t i = 0; i < view->instruction->operand_count; i++) {
        const fhec_operand *o = &view->instruction->operands[i];
        if (!is_fragment(o) || state->count == OPERANDS)
            continue;
        struct operand_state *s = &state->operands[state->count];
        s->operand = o;
        s->shape = shape_of(c, o->layout);
        state->count += s->shape != NULL;
        c->failed |= !s->shape;
    }
    state->next = c->all;
    c->all = state;
    view->op->own = state;
    return state;
}

/* ---------------------------------------------------------------- patterns */

/* Whether the registers are those of the pattern but for the first one's origin. */
static bool follows(const fh_origin_row *rows, const fh_origin_row *pattern, uint32_t count) {
    const fh_origin first = rows[0][0];
    fh_origin differences = 0;
    for (uint32_t r = 0; r < count; r++)
        for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
            differences |= (rows[r][l] - first) ^ pattern[r][l];
    return differences == 0;
}

static bool is_known(struct operand_state *s, const fh_origin_row *rows) {
    for (uint32_t k = 0; k < PATTERNS && s->patterns[k]; k++) {
        fh_origin_row *pattern = s->patterns[k];
        if (!follows(rows, pattern, s->operand->count))
            continue;
        for (; k; k--)
            s->patterns[k] = s->patterns[k - 1];
        s->patterns[0] = pattern;
        return true;
    }
    return false;
}

/* Keeps the pattern in place of the one that was used longest ago. */
static void keep(struct check *c, struct operand_state *s, const fh_origin_row *rows) {
    fh_origin_row *pattern = s->patterns[PATTERNS - 1];
    if (!pattern)
        pattern = malloc(s->operand->count * sizeof *pattern);
    if (!pattern) {
        c->failed = true;
        return;
    }
    for (uint32_t r = 0; r < s->operand->count; r++)
        for (uint32_t l = 0; l < FHEC_WARP_LANES; l++)
            pattern[r][l] = rows[r][l] - rows[0][0];
    memmove((void *)(s->patterns + 1), (void *)s->patterns, (PATTERNS - 1) * sizeof *s->patterns);
    s->patterns[0] = pattern;
}

/* ---------------------------------------------------------------- checking */

static void report(struct check *c, const struct fh_origin_view *view,
                   const struct fh_fragment *fragment, const struct fh_misfits *misfits,
                   const char *message) {
    const uint32_t columns = fragment->shape->layout.columns;
    const struct fh_fragment_place at =
        fragment->shape->place[misfits->row * columns + misfits->column];
    const uint64_t writer = view->warp->written[fragment->reg + at.reg];
    const fhec_instruction *by = fh_origins_instruction(c->origins, view->event, writer);
    struct fh_finding finding = {.kind = misfits->kind, .at = fh_place_of(view->event)};
    finding.at.lanes = misfits->lanes;
    if (by) {
        finding.other = finding.at;
        finding.other.pc = writer;
        finding.other.word = by->word;
        finding.role = "wrote the register";
    }
    memcpy(finding.message, message, sizeof finding.message);
    c->failed |= !fh_findings_add(c->findings, &finding);
}

/* True: the operand is in order. */
static bool judge(struct check *c, const struct fh_origin_view *view,
                  const struct operand_state *s) {
    struct fh_fragment fragment = {0};
    struct fh_fragment_map map;
    struct fh_misfits misfits = {0};
    char message[FH_FINDING_MESSAGE] = "";
    bool fine = fh_fragment_make(&fragment, s->shape);
    if (fine) {
        fh_fragment_gather(&fragment, view->warp, s->operand->reg);
        fine = fh_fragment_fit(&fragment, &map);
    }
    if (fine)
        fh_misfits_judge(c->origins, &fragment, &map, s->operand->name, &misfits, message);
    if (misfits.report)
        report(c, view, &fragment, &misfits, message);
    fh_fragment_free(&fragment);
    c->failed |= !fine;
    return fine && !misfits.report;
}

static bool mixed(const struct fh_warp_shadow *warp, const fhec_operand *o) {
    for (uint32_t r = 0; r < o->count; r++)
        if (fh_shadow_may_be_mixed(warp, o->reg + r))
            return true;
    return false;
}

static void check_operand(struct check *c, const struct fh_origin_view *view,
                          struct operand_state *s) {
    const fh_origin_row *rows = &view->warp->r[s->operand->reg];
    const bool words = !mixed(view->warp, s->operand);
    if (words && is_known(s, rows))
        return;
    /* What is another pattern each time is looked at every now and then. */
    if (s->other++ >= PATIENCE && s->other % OFTEN)
        return;
    if (judge(c, view, s) && words)
        keep(c, s, rows);
}

static void before(void *user, const struct fh_origin_view *view) {
    struct check *c = user;
    struct insn_state *state = state_of(c, view);
    if (!state) {
        c->failed = true;
        return;
    }
    for (uint32_t i = 0; i < state->count; i++)
        check_operand(c, view, &state->operands[i]);
}

/* ---------------------------------------------------------------- begin and end */

static fhec_status begin(fhec_machine *machine, struct fh_findings *findings, void **state) {
    struct check *c = *state = calloc(1, sizeof *c);
    if (!c)
        return FHEC_HOST_ERROR;
    c->findings = findings;
    const struct fh_origin_watcher watcher = {.user = c, .wants = wants, .before = before};
    const fhec_status status = fh_origins_begin(machine, &watcher, &c->origins);
    if (status != FHEC_OK) {
        free(c);
        *state = NULL;
    }
    return status;
}

static fhec_status end(void *state) {
    struct check *c = state;
    fhec_status status = fh_origins_end(c->origins);
    for (struct insn_state *s = c->all, *next; s; s = next) {
        next = s->next;
        for (uint32_t i = 0; i < s->count; i++)
            for (uint32_t k = 0; k < PATTERNS; k++)
                free(s->operands[i].patterns[k]);
        free(s);
    }
    for (size_t i = 0; i < LAYOUTS; i++)
        fh_fragment_shape_free(c->shapes[i]);
    status = c->failed ? FHEC_HOST_ERROR : status;
    free(c);
    return status;
}

const struct fh_checker_row fh_check_fragments = {begin, end};
