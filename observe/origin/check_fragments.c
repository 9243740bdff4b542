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

#include "check_contracts.h"
#include "expectations.h"
#include "misfits.h"

enum { LAYOUTS = 128, PATTERNS = 4, OPERANDS = 4, PATIENCE = 256, OFTEN = 16 };

/* A line of .expect about an instruction. */
struct expected {
    fhec_expectation is;
    const struct fh_fragment_shape *shape; /* NULL: its operand has no layout */
    bool of_result, idle;
};

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
    struct expected *expected;
    uint32_t expected_count;
};

struct check {
    struct fh_findings *findings;
    struct fh_origins *origins;
    struct fh_contracts *contracts;
    struct fh_fragment_shape *shapes[LAYOUTS];
    struct insn_state *all;
    bool failed;
};

/* A fragment that is read, and not the addresses of LDSM. */
static bool is_fragment(const fhec_operand *o) {
    return o->has_layout && o->read && o->kind == FHEC_OPERAND_REGISTER &&
           o->reg != FHEC_NO_REGISTER && o->layout < LAYOUTS;
}

static unsigned wants(void *user, const fhec_launch *launch, const fhec_instruction *instruction) {
    unsigned wanted = 0;
    fhec_expectation e;
    (void)user;
    for (uint32_t i = 0; i < instruction->operand_count; i++)
        if (is_fragment(&instruction->operands[i]))
            wanted = FH_ORIGIN_BEFORE;
    for (size_t k = 0; fh_expectation_at(launch, instruction->pc, k, &e); k++)
        wanted |=
            fh_expectation_is_about_result(&e, instruction) ? FH_ORIGIN_AFTER : FH_ORIGIN_BEFORE;
    return wanted;
}

static struct fh_fragment_shape *shape_of(struct check *c, size_t layout) {
    if (!c->shapes[layout])
        c->shapes[layout] = fh_fragment_shape_new(layout);
    return c->shapes[layout];
}

/* A bound that no element of 32 bits can break: of operands that need not be reduced. */
static bool says_nothing(const fhec_expectation *e) {
    return e->relation == FHEC_EXPECT_AT_MOST && e->term_count == 1 &&
           e->terms[0].kind == FHEC_TERM_NUMBER && e->terms[0].value >= UINT32_MAX;
}

static void add_expected(struct check *c, const struct fh_origin_view *view,
                         struct insn_state *state) {
    const fhec_instruction *in = view->instruction;
    fhec_expectation e;
    while (fh_expectation_at(view->event->launch, in->pc, state->expected_count, &e)) {
        struct expected *grown =
            realloc(state->expected, (state->expected_count + 1) * sizeof *grown);
        c->failed |= !grown;
        if (!grown)
            return;
        state->expected = grown;
        struct expected *x = &grown[state->expected_count++];
        *x = (struct expected){.is = e, .of_result = fh_expectation_is_about_result(&e, in)};
        for (uint32_t i = 0; e.operand && i < in->operand_count; i++)
            if (fh_expectation_names(e.operand, &in->operands[i]) && in->operands[i].has_layout &&
                in->operands[i].layout < LAYOUTS) {
                x->shape = shape_of(c, in->operands[i].layout);
                c->failed |= !x->shape;
            }
        x->idle = x->shape && x->shape->layout.bits <= 32 && says_nothing(&e);
    }
}

/* Whether the source says where the operand comes from: that is checked then. */
static bool is_told(const struct insn_state *state, const fhec_operand *o) {
    for (uint32_t i = 0; i < state->expected_count; i++) {
        const fhec_expectation *e = &state->expected[i].is;
        if (e->relation == FHEC_EXPECT_PLACE && e->operand && fh_expectation_names(e->operand, o))
            return true;
    }
    return false;
}

static struct insn_state *state_of(struct check *c, const struct fh_origin_view *view) {
    struct insn_state *state = view->op->own;
    if (state)
        return state;
    state = calloc(1, sizeof *state);
    if (!state)
        return NULL;
    add_expected(c, view, state);
    for (uint32_t i = 0; i < view->instruction->operand_count; i++) {
        const fhec_operand *o = &view->instruction->operands[i];
        if (!is_fragment(o) || state->count == OPERANDS || is_told(state, o))
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

/* `reg`: of the first element; FHEC_NO_REGISTER: none that a lane has. */
static void report(struct check *c, const struct fh_origin_view *view, unsigned kind,
                   uint32_t lanes, uint32_t reg, const char *message) {
    struct fh_finding finding = {.kind = kind, .at = fh_place_of(view->event)};
    finding.at.lanes = lanes;
    if (reg != FHEC_NO_REGISTER) {
        const uint64_t writer = view->warp->written[reg];
        const fhec_instruction *by = fh_origins_instruction(c->origins, view->event, writer);
        if (by && writer != view->event->pc) {
            finding.other = finding.at;
            finding.other.pc = writer;
            finding.other.word = by->word;
            finding.role = "wrote the register";
        }
    }
    memcpy(finding.message, message, sizeof finding.message);
    c->failed |= !fh_findings_add(c->findings, &finding);
}

static void check_expected(struct check *c, const struct fh_origin_view *view,
                           const struct insn_state *state, bool of_result) {
    const struct fh_moment moment = fh_moment_of(view->event);
    const struct fh_origin_scene scene = {&moment, view->instruction, view->warp, view->origins};
    for (uint32_t i = 0; i < state->expected_count; i++) {
        const struct expected *x = &state->expected[i];
        struct fh_unexpected u = {.which = NULL};
        char message[FH_FINDING_MESSAGE] = "";
        if (x->of_result == of_result && !x->idle &&
            !fh_expectation_holds(&scene, &x->is, x->shape, &u, message))
            report(c, view, FH_FINDING_NOT_AS_EXPECTED, u.lanes, u.reg, message);
    }
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
        report(c, view, misfits.kind, misfits.lanes,
               fragment.reg +
                   s->shape->place[misfits.row * s->shape->layout.columns + misfits.column].reg,
               message);
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
    check_expected(c, view, state, false);
}

static void after(void *user, const struct fh_origin_view *view) {
    struct check *c = user;
    const struct insn_state *state = state_of(c, view);
    c->failed |= !state;
    if (state)
        check_expected(c, view, state, true);
}

/* ---------------------------------------------------------------- begin and end */

static fhec_status begin(fhec_machine *machine, struct fh_findings *findings, void **state) {
    struct check *c = *state = calloc(1, sizeof *c);
    if (!c)
        return FHEC_HOST_ERROR;
    c->findings = findings;
    const struct fh_origin_watcher watcher = {
        .user = c, .wants = wants, .before = before, .after = after};
    fhec_status status = fh_origins_begin(machine, &watcher, &c->origins);
    if (status == FHEC_OK) {
        status = fh_contracts_begin(machine, findings, &c->contracts);
        if (status != FHEC_OK)
            (void)fh_origins_end(c->origins);
    }
    if (status != FHEC_OK) {
        free(c);
        *state = NULL;
    }
    return status;
}

static fhec_status end(void *state) {
    struct check *c = state;
    const fhec_status contracts = fh_contracts_end(c->contracts);
    fhec_status status = fh_origins_end(c->origins);
    status = status == FHEC_OK ? contracts : status;
    for (struct insn_state *s = c->all, *next; s; s = next) {
        next = s->next;
        for (uint32_t i = 0; i < s->count; i++)
            for (uint32_t k = 0; k < PATTERNS; k++)
                free(s->operands[i].patterns[k]);
        free(s->expected);
        free(s);
    }
    for (size_t i = 0; i < LAYOUTS; i++)
        fh_fragment_shape_free(c->shapes[i]);
    status = c->failed ? FHEC_HOST_ERROR : status;
    free(c);
    return status;
}

const struct fh_checker_row fh_check_fragments = {begin, end};
