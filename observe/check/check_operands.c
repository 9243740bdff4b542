/*
 * check_operands.c - see check_operands.h. Values are looked at when the instruction is issued;
 * those of a modulus in constant memory come with the access, just behind.
 */
#include "check_operands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "finding_ids.h"
#include "operand_rows.h"
#include "stated_bound.h"
#include "watching.h"

enum form { OTHER, UNIFORM, MIXED, LANES, MONTGOMERY };
enum { A, B, C, OPERANDS };

/* What is to be checked of an instruction. */
struct plan {
    enum form form;
    unsigned words; /* of an element: 1 or 2 */
    const fhec_operand *modulus;
    const fhec_operand *below[OPERANDS];     /* that have to be below the modulus; NULL: need not */
    struct fh_stated_bound bounds[OPERANDS]; /* or below that; asked for when one is not */
    bool asked;
};

struct checker {
    struct fh_watching watch;
    /* Of the instruction that has been issued. */
    struct fh_operand_rows below[OPERANDS], modulus;
};

static const char *const operand_names[OPERANDS] = {"A", "B", "C"};

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static enum form form_of(const char *mnemonic) {
    const size_t length = strlen(mnemonic);
    if (begins(mnemonic, "FHEC."))
        return length > 4 && strcmp(mnemonic + length - 4, ".MIX") == 0 ? MIXED : UNIFORM;
    if (begins(mnemonic, "MONTMUL."))
        return MONTGOMERY;
    return begins(mnemonic, "MODRED.") || begins(mnemonic, "MODADD.") ||
                   begins(mnemonic, "MODSUB.") || begins(mnemonic, "MODMUL.") ||
                   begins(mnemonic, "MODMAD.")
               ? LANES
               : OTHER;
}

static void make_plan(void *own, const fhec_instruction *instruction) {
    struct plan *plan = own;
    plan->form = form_of(instruction->mnemonic);
    plan->modulus = fh_operand_find(instruction, "M");
    if (plan->form == OTHER || !plan->modulus) {
        plan->form = OTHER;
        return;
    }
    plan->words = strstr(instruction->mnemonic, ".U64") ? 2 : 1;
    for (unsigned i = 0; i < OPERANDS; i++)
        plan->below[i] = fh_operand_find(instruction, operand_names[i]);
    if (plan->form == MIXED)
        plan->below[A] = plan->below[B] = NULL;
    if (begins(instruction->mnemonic, "MODRED."))
        plan->below[A] = NULL;
}

/* ---------------------------------------------------------------- what is said */

static void add(struct checker *c, const fhec_event *event, unsigned kind, uint32_t lanes,
                const char *message) {
    struct fh_finding finding = {.kind = kind, .at = fh_place_of(event)};
    finding.at.lanes = lanes;
    snprintf(finding.message, sizeof finding.message, "%s", message);
    c->watch.failed |= !fh_findings_add(c->watch.findings, &finding);
}

/* Whether it has been said of this instruction before; then it is counted. */
static bool again(struct checker *c, const fhec_event *event, unsigned kind) {
    const struct fh_place at = fh_place_of(event);
    return fh_findings_again(c->watch.findings, kind, &at, NULL);
}

/* "R9 of lane 0", "UR4", "c[0x0][0x160]" */
static void where_text(const fhec_operand *operand, uint32_t reg, uint32_t lane, char *text,
                       size_t size) {
    if (operand->kind == FHEC_OPERAND_UNIFORM)
        snprintf(text, size, "UR%u", operand->reg + reg);
    else if (operand->kind == FHEC_OPERAND_CONSTANT)
        snprintf(text, size, "c[0x%" PRIx32 "][0x%" PRIx64 "]", operand->bank,
                 (uint64_t)operand->value);
    else if (operand->reg == FHEC_NO_REGISTER)
        snprintf(text, size, "RZ");
    else
        snprintf(text, size, "R%u of lane %u", operand->reg + reg, lane);
}

static uint64_t value_at(const struct fh_operand_rows *rows, unsigned words, uint32_t reg,
                         uint32_t lane) {
    return rows->word[reg][lane] |
           (words == 2 ? (uint64_t)rows->word[reg + 1][lane] << 32 : UINT64_C(0));
}

/* A modulus that is 0 or 1 in some of the lanes. */
static void say_small(struct checker *c, const fhec_event *event, const struct plan *plan,
                      uint32_t lanes) {
    char where[64], message[FH_FINDING_MESSAGE];
    const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
    if (again(c, event, FH_FINDING_MODULUS_ZERO_OR_ONE))
        return;
    where_text(plan->modulus, 0, lane, where, sizeof where);
    snprintf(message, sizeof message, "the modulus in %s is %" PRIu64 "; expected 2 at least",
             where, value_at(&c->modulus, plan->words, 0, lane));
    add(c, event, FH_FINDING_MODULUS_ZERO_OR_ONE, lanes, message);
}

/* Those of the lanes whose value is not within the bound that the source states. */
static uint32_t beyond_stated(const struct checker *c, const fhec_event *event, struct plan *plan,
                              unsigned which, uint32_t reg, uint32_t lanes, uint64_t q) {
    uint32_t beyond = 0;
    for (unsigned i = 0; i < OPERANDS && !plan->asked; i++)
        plan->bounds[i] = fh_stated_bound_of(event, operand_names[i]);
    plan->asked = true;
    if (!plan->bounds[which].there)
        return lanes;
    for (uint32_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const uint64_t value = value_at(&c->below[which], plan->words, reg, lane);
        if (!fh_stated_bound_holds(&plan->bounds[which], value, q))
            beyond |= left & (0u - left);
    }
    return beyond;
}

/* An operand that is not below the modulus in some of the lanes, in its register `reg`. */
static void say_not_reduced(struct checker *c, const fhec_event *event, struct plan *plan,
                            unsigned which, uint32_t reg, uint32_t lanes, uint64_t q) {
    char where[64], element[48], message[FH_FINDING_MESSAGE];
    const unsigned kind =
        which == C ? FH_FINDING_ACCUMULATOR_NOT_REDUCED : FH_FINDING_OPERAND_NOT_REDUCED;
    const fhec_operand *operand = plan->below[which];
    lanes = beyond_stated(c, event, plan, which, reg, lanes, q);
    if (!lanes || again(c, event, kind))
        return;
    const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
    snprintf(element, sizeof element, "%s", operand_names[which]);
    fhec_element at;
    if (operand->has_layout &&
        fhec_layout_element(operand->layout, (fhec_place){lane, reg, 0}, &at) == FHEC_OK)
        snprintf(element, sizeof element, "%s[%u][%u]", operand_names[which], at.row, at.column);
    where_text(operand, reg, lane, where, sizeof where);
    snprintf(message, sizeof message, "%s, in %s, is %" PRIu64 "; expected less than %s %" PRIu64,
             element, where, value_at(&c->below[which], plan->words, reg, lane),
             plan->bounds[which].there ? "the bound of .expect for the modulus" : "the modulus,",
             q);
    add(c, event, kind, lanes, message);
}

/* ---------------------------------------------------------------- matrices */

/* Lanes whose value in a register is q or more. */
static uint32_t not_below(const uint32_t row[FHEC_WARP_LANES], uint32_t q) {
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++)
        lanes |= (uint32_t)(row[lane] >= q) << lane;
    return lanes;
}

static void check_mu(struct checker *c, const fhec_event *event, const struct plan *plan,
                     uint32_t lane, uint32_t lanes) {
    const uint64_t q = c->modulus.word[0][lane];
    const uint64_t mu = value_at(&c->modulus, 2, 2, lane);
    const uint64_t expected = UINT64_MAX / q + (UINT64_MAX % q + 1 == q);
    char where[64], message[FH_FINDING_MESSAGE];
    if (mu == expected || again(c, event, FH_FINDING_WRONG_MU))
        return;
    where_text(plan->modulus, 2, lane, where, sizeof where);
    snprintf(message, sizeof message,
             "mu, from %s on, is 0x%" PRIx64 "; expected floor(2^64 / %" PRIu64 ") = 0x%" PRIx64,
             where, mu, q, expected);
    add(c, event, FH_FINDING_WRONG_MU, lanes, message);
}

static void check_uniform(struct checker *c, const fhec_event *event, struct plan *plan) {
    const uint32_t q = c->modulus.word[0][0];
    if (q < 2) {
        say_small(c, event, plan, event->active);
        return;
    }
    check_mu(c, event, plan, 0, event->active);
    for (unsigned i = 0; i < OPERANDS; i++) {
        const fhec_operand *operand = plan->below[i];
        for (uint32_t reg = 0; operand && reg < operand->count; reg++) {
            const uint32_t lanes = not_below(c->below[i].word[reg], q);
            if (lanes)
                say_not_reduced(c, event, plan, i, reg, lanes, q);
        }
    }
}

/* Lanes 4n to 4n+3 hold the descriptor of column n: q, a word that nobody reads, mu. */
static void check_columns(struct checker *c, const fhec_event *event) {
    static const uint32_t words[] = {0, 2, 3};
    for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++) {
        const uint32_t first = lane & ~3u;
        for (size_t i = 0; i < 3; i++) {
            const uint32_t *row = c->modulus.word[words[i]];
            char message[FH_FINDING_MESSAGE];
            if (row[lane] == row[first] || again(c, event, FH_FINDING_MODULUS_DISAGREES))
                continue;
            snprintf(message, sizeof message,
                     "word %u of the descriptor of column %u is 0x%" PRIx32
                     " in lane %u and 0x%" PRIx32 " in lane %u; expected the same in lanes %u to "
                     "%u, of which the first one counts",
                     words[i], lane / 4, row[first], first, row[lane], lane, first, first + 3);
            add(c, event, FH_FINDING_MODULUS_DISAGREES, UINT32_C(0xf) << first, message);
        }
    }
}

static void check_mixed(struct checker *c, const fhec_event *event, struct plan *plan) {
    const fhec_operand *sum = plan->below[C];
    check_columns(c, event);
    for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane += 4) {
        if (c->modulus.word[0][lane] < 2)
            say_small(c, event, plan, UINT32_C(0xf) << lane);
        else
            check_mu(c, event, plan, lane, UINT32_C(0xf) << lane);
    }
    for (uint32_t reg = 0; reg < sum->count; reg++) {
        for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++) {
            fhec_element at;
            if (fhec_layout_element(sum->layout, (fhec_place){lane, reg, 0}, &at) != FHEC_OK)
                continue;
            const uint32_t q = c->modulus.word[0][4 * at.column];
            if (q > 1 && c->below[C].word[reg][lane] >= q)
                say_not_reduced(c, event, plan, C, reg, UINT32_C(1) << lane, q);
        }
    }
}

/* ---------------------------------------------------------------- lanes */

static void check_lanes(struct checker *c, const fhec_event *event, struct plan *plan) {
    uint32_t small = 0, even = 0, big[OPERANDS] = {0};
    for (uint32_t left = event->active; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left), bit = left & (0u - left);
        const uint64_t q = value_at(&c->modulus, plan->words, 0, lane);
        small |= q < 2 ? bit : 0;
        even |= q % 2 == 0 ? bit : 0;
        for (unsigned i = 0; i < OPERANDS; i++)
            if (plan->below[i] && q > 1 && value_at(&c->below[i], plan->words, 0, lane) >= q)
                big[i] |= bit;
    }
    if (small)
        say_small(c, event, plan, small);
    even &= ~small;
    if (plan->form == MONTGOMERY && even && !again(c, event, FH_FINDING_MODULUS_EVEN)) {
        char where[64], message[FH_FINDING_MESSAGE];
        const uint32_t lane = (uint32_t)__builtin_ctz(even);
        where_text(plan->modulus, 0, lane, where, sizeof where);
        snprintf(message, sizeof message,
                 "the modulus in %s is %" PRIu64 "; a Montgomery product needs an odd one", where,
                 value_at(&c->modulus, plan->words, 0, lane));
        add(c, event, FH_FINDING_MODULUS_EVEN, even, message);
    }
    for (unsigned i = 0; i < OPERANDS; i++)
        if (big[i])
            say_not_reduced(c, event, plan, i, 0, big[i],
                            value_at(&c->modulus, plan->words, 0, (uint32_t)__builtin_ctz(big[i])));
}

static void check(struct checker *c, const fhec_event *event, struct plan *plan) {
    switch (plan->form) {
    case UNIFORM: check_uniform(c, event, plan); break;
    case MIXED: check_mixed(c, event, plan); break;
    case LANES:
    case MONTGOMERY: check_lanes(c, event, plan); break;
    default: break;
    }
}

static void see(void *user, const fhec_event *event) {
    struct checker *c = user;
    const struct fh_code_entry *entry = fh_code_of(c->watch.code, event);
    struct plan *plan = entry ? (struct plan *)entry->own : NULL; /* ours: it keeps what it asks */
    c->watch.failed |= !entry;
    if (!plan || plan->form == OTHER || !event->active)
        return;
    const bool constant = plan->modulus->kind == FHEC_OPERAND_CONSTANT;
    if (event->kind == FHEC_EVENT_ACCESS) {
        if (!constant || event->access.space != FHEC_SPACE_CONSTANT)
            return;
        fh_operand_constant(event, &c->modulus);
        check(c, event, plan);
        return;
    }
    for (unsigned i = 0; i < OPERANDS; i++)
        if (plan->below[i])
            fh_operand_issue(event, plan->below[i], &c->below[i]);
    if (constant)
        return;
    fh_operand_issue(event, plan->modulus, &c->modulus);
    if ((plan->form == LANES || plan->form == MONTGOMERY) || event->active == UINT32_MAX)
        check(c, event, plan); /* a matrix instruction without all lanes is a fault */
}

/* ---------------------------------------------------------------- beginning and end */

static bool is_wanted(void *user, const fhec_launch *launch, uint64_t pc, fhec_word word) {
    char mnemonic[96];
    (void)user;
    (void)launch;
    (void)pc;
    return fhec_mnemonic(word, mnemonic, sizeof mnemonic) > 0 && form_of(mnemonic) != OTHER;
}

static fhec_status begin(fhec_machine *machine, struct fh_findings *findings, void **state) {
    static const struct fh_watch watch = {
        .bytes = sizeof(struct checker),
        .own_bytes = sizeof(struct plan),
        .prepare = make_plan,
        .observers = {{.filter = {.kinds = FHEC_EVENT_BIT(FHEC_EVENT_ISSUE) |
                                           FHEC_EVENT_BIT(FHEC_EVENT_ACCESS),
                                  .instruction = is_wanted},
                       .event = see}},
        .end = fh_watch_end,
    };
    return fh_watch_begin(&watch, machine, findings, state);
}

const struct fh_checker_row fh_check_operands = {begin, fh_watch_end};
