/*
 * check_contracts.c - see check_contracts.h. The contracts of a kernel are prepared when a launch
 * of it begins: names become numbers, and each instruction gets the first of its contracts.
 */
#include "check_contracts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract_slice.h"
#include "contract_value.h"
#include "finding_ids.h"
#include "term_value.h"

/* Of a launch with many warps, what is looked at: the first ALL, and then one of OFTEN. */
enum { NAMES = 16, ALL = 8, OFTEN = 16 };

struct contract {
    fhec_expectation is;
    uint32_t let; /* of .let: the number of its name */
    struct fh_contract_name names[NAMES];
};

struct fh_contracts {
    fhec_machine *machine;
    struct fh_findings *findings;
    unsigned observers[2];
    /* Of the kernel that runs. */
    struct contract *all;
    size_t count;
    uint32_t *first; /* by word: its first contract, of kernel.word_count and one more */
    uint32_t word_count;
    const char **lets; /* names of .let */
    uint32_t let_count;
    struct warp *warps,
        *idle;     /* that run, the last one that was asked for first; that have ended */
    uint32_t seen; /* warps of the launch */
    bool failed;
};

/* What a warp remembers. Blocks may run by turns. */
struct warp {
    struct warp *next;
    uint32_t block[3], number;
    bool looked_at;
    struct fh_remembered *values; /* let_count of them */
};

/* ---------------------------------------------------------------- the kernel */

static void free_warps(struct warp *w, uint32_t count) {
    for (struct warp *next; w; w = next) {
        next = w->next;
        for (uint32_t i = 0; i < count; i++)
            free(w->values[i].is.wide);
        free(w->values);
        free(w);
    }
}

static void forget(struct fh_contracts *c) {
    free_warps(c->warps, c->let_count);
    free_warps(c->idle, c->let_count);
    free(c->all);
    free(c->first);
    free((void *)c->lets);
    c->warps = c->idle = NULL;
    c->all = NULL;
    c->first = NULL;
    c->lets = NULL;
    c->count = c->let_count = c->word_count = c->seen = 0;
}

/* The number of a name; let_count: .let does not give it. */
static uint32_t let_named(const struct fh_contracts *c, const char *name) {
    uint32_t k = 0;
    while (k < c->let_count && strcmp(c->lets[k], name) != 0)
        k++;
    return k;
}

static size_t count_contracts(const fhec_launch *launch) {
    fhec_expectation e;
    size_t count = 0;
    while (fhec_kernel_expectation(launch->program, launch->kernel, count, &e))
        count++;
    return count;
}

/* Of .let alone; names are looked up when all are known. */
static void take_lets(struct fh_contracts *c, const fhec_launch *launch, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct contract *x = &c->all[i];
        (void)fhec_kernel_expectation(launch->program, launch->kernel, i, &x->is);
        if (x->is.contract != FHEC_CONTRACT_LET)
            continue;
        x->let = let_named(c, x->is.operand);
        if (x->let == c->let_count)
            c->lets[c->let_count++] = x->is.operand;
    }
}

static void find_names(struct fh_contracts *c, const fhec_launch *launch, struct contract *x) {
    for (size_t k = 0; k < x->is.name_count && k < NAMES; k++) {
        struct fh_contract_name *name = &x->names[k];
        name->let = let_named(c, x->is.names[k]);
        name->remembered = name->let < c->let_count;
        if (!name->remembered)
            (void)fh_launch_parameter(launch, x->is.names[k], &name->value);
    }
}

static void prepare(struct fh_contracts *c, const fhec_launch *launch) {
    fhec_kernel_info kernel;
    const size_t count = count_contracts(launch);
    forget(c);
    if (!count || fhec_kernel_get(launch->program, launch->kernel, &kernel) != FHEC_OK)
        return;
    c->all = calloc(count, sizeof *c->all);
    c->lets = calloc(count, sizeof *c->lets);
    c->first = calloc(kernel.word_count + 1, sizeof *c->first);
    if (!c->all || !c->lets || !c->first) {
        c->failed = true;
        forget(c);
        return;
    }
    c->count = count;
    c->word_count = (uint32_t)kernel.word_count;
    take_lets(c, launch, count);
    for (size_t i = 0; i < count; i++)
        find_names(c, launch, &c->all[i]);
    size_t i = 0;
    for (uint32_t w = 0; w <= c->word_count; w++) {
        while (i < count && c->all[i].is.word < w)
            i++;
        c->first[w] = (uint32_t)i;
    }
}

/* Whether a contract of the word is looked at there: before it, or behind. */
static bool wanted(struct fh_contracts *c, const fhec_launch *launch, uint64_t pc, bool behind) {
    const uint32_t word = (uint32_t)(pc / sizeof(fhec_word));
    if (word == 0 && !behind)
        prepare(c, launch);
    for (uint32_t i = word < c->word_count ? c->first[word] : 0;
         word < c->word_count && i < c->first[word + 1]; i++) {
        const fhec_contract contract = c->all[i].is.contract;
        if (contract != FHEC_CONTRACT_OPERAND && (contract == FHEC_CONTRACT_ENSURE) == behind)
            return true;
    }
    return false;
}

static bool wants_before(void *user, const fhec_launch *launch, uint64_t pc, fhec_word word) {
    (void)word;
    return wanted(user, launch, pc, false);
}

static bool wants_behind(void *user, const fhec_launch *launch, uint64_t pc, fhec_word word) {
    (void)word;
    return wanted(user, launch, pc, true);
}

/* ---------------------------------------------------------------- warps */

/* Takes the event's warp out of the list; NULL: it is not there. */
static struct warp *take_warp(struct fh_contracts *c, const fhec_event *event) {
    for (struct warp **at = &c->warps; *at; at = &(*at)->next) {
        struct warp *w = *at;
        if (w->number != event->warp || memcmp(w->block, event->block, sizeof w->block) != 0)
            continue;
        *at = w->next;
        return w;
    }
    return NULL;
}

static struct warp *new_warp(struct fh_contracts *c, const fhec_event *event) {
    struct warp *w = c->idle;
    if (w) {
        c->idle = w->next;
    } else {
        w = calloc(1, sizeof *w);
        struct fh_remembered *values = calloc(c->let_count + 1, sizeof *values);
        if (!w || !values) {
            free(w);
            free(values);
            return NULL;
        }
        w->values = values;
    }
    memcpy(w->block, event->block, sizeof w->block);
    w->number = event->warp;
    w->looked_at = c->seen < ALL || c->seen % OFTEN == 0;
    c->seen++;
    return w;
}

/* NULL without memory. */
static struct warp *warp_of(struct fh_contracts *c, const fhec_event *event) {
    struct warp *w = c->warps;
    if (w && w->number == event->warp && memcmp(w->block, event->block, sizeof w->block) == 0)
        return w;
    w = take_warp(c, event);
    if (!w)
        w = new_warp(c, event);
    if (!w)
        return NULL;
    w->next = c->warps;
    c->warps = w;
    return w;
}

static void warp_ends(struct fh_contracts *c, const fhec_event *event) {
    struct warp *w = take_warp(c, event);
    if (!w)
        return;
    for (uint32_t i = 0; i < c->let_count; i++)
        w->values[i].set = 0;
    w->next = c->idle;
    c->idle = w;
}

/* ---------------------------------------------------------------- verdicts */

static const char *problem_text(enum fh_contract_problem problem) {
    switch (problem) {
    case FH_CONTRACT_UNSET: return "uses what no .let has remembered in this lane";
    case FH_CONTRACT_DIVISION: return "divides by zero, or is modulo zero";
    case FH_CONTRACT_SHIFT: return "shifts by less than 0 or more than 1151";
    default: return "has a value of more than 1151 bits";
    }
}

static void tell(const struct contract *x, const struct fh_contract_verdict *v, uint32_t lanes,
                 char *message) {
    static const char *const words[] = {[FHEC_EXPECT_VALUE] = "",
                                        [FHEC_EXPECT_BELOW] = "below ",
                                        [FHEC_EXPECT_AT_MOST] = "at most "};
    const char *directive = x->is.contract == FHEC_CONTRACT_ENSURE ? ".ensure" : ".expect";
    char left[60], right[60], modulus[72] = "", others[40] = "";
    const int of = __builtin_popcount(lanes), failing = __builtin_popcount(v->lanes);
    if (failing > 1)
        snprintf(others, sizeof others, " and %d of %d others", failing - 1, of - 1);
    if (v->problem) {
        snprintf(message, FH_FINDING_MESSAGE, "%s %.150s in lane %u%s: %.120s", directive,
                 x->is.text, v->lane, others, problem_text(v->problem));
        return;
    }
    fh_wide_text(&v->left, left, sizeof left);
    fh_wide_text(&v->right, right, sizeof right);
    if (x->is.congruent) {
        memcpy(modulus, " modulo ", 8);
        fh_wide_text(&v->modulus, modulus + 8, sizeof modulus - 8);
    }
    snprintf(message, FH_FINDING_MESSAGE, "%s is expected to be %s%s%s in lane %u%s (%s %.100s)",
             left, words[x->is.relation], right, modulus, v->lane, others, directive, x->is.text);
}

static void report(struct fh_contracts *c, const fhec_event *event, const struct contract *x,
                   uint32_t lanes, const struct fh_contract_verdict *v) {
    struct fh_finding finding = {.kind = FH_FINDING_VALUE_NOT_AS_STATED, .at = fh_place_of(event)};
    finding.at.lanes = v->lanes;
    if (fh_findings_again(c->findings, finding.kind, &finding.at, NULL))
        return;
    tell(x, v, lanes, finding.message);
    fh_contract_slice(&finding, (size_t)(x - c->all));
    c->failed |= !fh_findings_add(c->findings, &finding);
}

static void look(struct fh_contracts *c, const fhec_event *event) {
    const bool behind = event->kind == FHEC_EVENT_RETIRE;
    const uint32_t word = (uint32_t)(event->pc / sizeof(fhec_word));
    const struct warp *w = warp_of(c, event);
    c->failed |= !w;
    if (!w || !w->looked_at || word >= c->word_count)
        return;
    struct fh_remembered *values = w->values;
    for (uint32_t i = c->first[word]; i < c->first[word + 1]; i++) {
        const struct contract *x = &c->all[i];
        const struct fh_contract_scene scene = {event, x->names, values};
        const uint32_t lanes =
            x->is.contract == FHEC_CONTRACT_EXPECT ? event->active : event->lanes;
        struct fh_contract_verdict verdict;
        if (x->is.contract == FHEC_CONTRACT_OPERAND ||
            (x->is.contract == FHEC_CONTRACT_ENSURE) != behind)
            continue;
        if (x->is.contract == FHEC_CONTRACT_LET)
            c->failed |= !fh_contract_remember(&x->is, &scene, lanes, &values[x->let]);
        else if (!fh_contract_holds(&x->is, &scene, lanes, &verdict))
            report(c, event, x, lanes, &verdict);
    }
}

static void observed(void *user, const fhec_event *event) {
    if (event->kind == FHEC_EVENT_WARP_END)
        warp_ends(user, event);
    else
        look(user, event);
}

/* ---------------------------------------------------------------- begin and end */

fhec_status fh_contracts_begin(fhec_machine *machine, struct fh_findings *findings,
                               struct fh_contracts **contracts) {
    struct fh_contracts *c = *contracts = calloc(1, sizeof *c);
    if (!c)
        return FHEC_HOST_ERROR;
    c->machine = machine;
    c->findings = findings;
    const fhec_observer before = {
        .user = c,
        .filter = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_ISSUE) | FHEC_EVENT_BIT(FHEC_EVENT_WARP_END),
                   .instruction = wants_before},
        .event = observed,
    };
    const fhec_observer behind = {
        .user = c,
        .filter = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_RETIRE), .instruction = wants_behind},
        .event = observed,
    };
    fhec_status status = fhec_observe(machine, &before, &c->observers[0]);
    if (status == FHEC_OK)
        status = fhec_observe(machine, &behind, &c->observers[1]);
    if (status != FHEC_OK) {
        (void)fh_contracts_end(c);
        *contracts = NULL;
    }
    return status;
}

fhec_status fh_contracts_end(struct fh_contracts *c) {
    if (!c)
        return FHEC_OK;
    for (unsigned i = 0; i < 2; i++)
        if (c->observers[i])
            (void)fhec_unobserve(c->machine, c->observers[i]);
    const fhec_status status = c->failed ? FHEC_HOST_ERROR : FHEC_OK;
    forget(c);
    free(c);
    return status;
}
