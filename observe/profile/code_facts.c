/*
 * code_facts.c - see code_facts.h.
 */
#include "code_facts.h"

#include <stdlib.h>
#include <string.h>

/* Sets of registers, R and UR, P and UP one behind the other. */
enum { FIRST_R = 0, FIRST_UR = 256, FIRST_P = 320, FIRST_UP = 328, WORDS = 6 };
typedef struct registers {
    uint64_t bits[WORDS];
} registers;

/* One instruction: sets, and where control goes. */
struct node {
    registers reads, writes, live; /* live: before it */
    fhec_control control;
    bool known, always; /* always: its writes happen whenever it is issued */
};

struct graph {
    struct node *nodes;
    uint32_t count;
    registers after_calls; /* live where functions come back to */
    registers anywhere; /* live where an indirect branch may go: everything that branches reach */
};

static void add_registers(registers *set, const fhec_use *use) {
    static const unsigned first[] = {[FHEC_FILE_R] = FIRST_R,
                                     [FHEC_FILE_P] = FIRST_P,
                                     [FHEC_FILE_UR] = FIRST_UR,
                                     [FHEC_FILE_UP] = FIRST_UP};
    if (use->file == FHEC_FILE_B)
        return;
    for (unsigned i = 0; i < use->count; i++) {
        const unsigned n = first[use->file] + use->first + i;
        if (n < 64 * WORDS)
            set->bits[n / 64] |= UINT64_C(1) << n % 64;
    }
}

static bool add(registers *to, const registers *from) {
    bool more = false;
    for (unsigned i = 0; i < WORDS; i++) {
        more |= (from->bits[i] & ~to->bits[i]) != 0;
        to->bits[i] |= from->bits[i];
    }
    return more;
}

static uint16_t count_bits(const registers *set, unsigned first, unsigned end) {
    unsigned count = 0;
    for (unsigned i = first / 64; i < end / 64; i++)
        count += (unsigned)__builtin_popcountll(set->bits[i]);
    return (uint16_t)count;
}

/* ---------------------------------------------------------------- liveness */

/* What is live behind the instruction. */
static registers behind(const struct graph *g, uint32_t i) {
    const struct node *n = &g->nodes[i];
    const fhec_control *c = &n->control;
    const uint64_t target = c->target / sizeof(fhec_word);
    const bool inside = c->target != FHEC_NO_TARGET && target < g->count;
    registers live = {{0}};
    if ((c->falls || (c->calls && !inside)) && i + 1 < g->count)
        (void)add(&live, &g->nodes[i + 1].live);
    if (inside)
        (void)add(&live, &g->nodes[target].live);
    if (c->returns)
        (void)add(&live, &g->after_calls);
    if (c->indirect)
        (void)add(&live, &g->anywhere);
    return live;
}

/* Whether the instruction is one that an indirect branch may lead to, for all that is known: it
 * follows one behind which control does not go on. */
static bool is_entry(const struct graph *g, uint32_t i) {
    return i > 0 && g->nodes[i - 1].known && !g->nodes[i - 1].control.falls;
}

static void find_live(struct graph *g) {
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = g->count; i-- > 0;) {
            struct node *n = &g->nodes[i];
            registers live = behind(g, i);
            for (unsigned k = 0; n->always && k < WORDS; k++)
                live.bits[k] &= ~n->writes.bits[k];
            (void)add(&live, &n->reads);
            more |= add(&n->live, &live);
            if (i > 0 && g->nodes[i - 1].control.calls)
                more |= add(&g->after_calls, &live);
            if (is_entry(g, i))
                more |= add(&g->anywhere, &live);
        }
    }
}

/* ---------------------------------------------------------------- reuse */

/* Registers that are kept for the slots of operands. */
struct kept {
    uint16_t reg[4]; /* by slot, from 1 */
};

static void forget(struct kept *kept) {
    for (unsigned s = 0; s < 4; s++)
        kept->reg[s] = FHEC_NO_REGISTER;
}

static void forget_written(struct kept *kept, const fhec_instruction *instruction) {
    for (unsigned u = 0; u < instruction->use_count; u++) {
        const fhec_use *use = &instruction->uses[u];
        for (unsigned s = 0; s < 4; s++)
            if (use->written && use->file == FHEC_FILE_R && kept->reg[s] >= use->first &&
                kept->reg[s] < use->first + use->count)
                kept->reg[s] = FHEC_NO_REGISTER;
    }
}

/* How many of its operands are kept; then what is kept behind it. */
static uint8_t follow_kept(struct kept *kept, const fhec_instruction *instruction) {
    uint8_t reused = 0;
    for (unsigned i = 0; i < instruction->operand_count; i++) {
        const fhec_operand *o = &instruction->operands[i];
        if (o->kind != FHEC_OPERAND_REGISTER || !o->read || !o->slot || o->reg == FHEC_NO_REGISTER)
            continue;
        reused = (uint8_t)(reused + (kept->reg[o->slot] == o->reg));
        kept->reg[o->slot] = o->reuse ? o->reg : FHEC_NO_REGISTER;
    }
    forget_written(kept, instruction);
    if (!instruction->yield) /* the bit is set where the warp may go on */
        forget(kept);
    return reused;
}

/* ---------------------------------------------------------------- all of a kernel */

static void describe(struct graph *g, struct fh_code_fact *facts, uint8_t *targets,
                     const struct fh_profiled_kernel *kernel) {
    for (uint32_t i = 0; i < kernel->count; i++) {
        fhec_instruction instruction;
        struct node *n = &g->nodes[i];
        const uint64_t pc = (uint64_t)i * sizeof(fhec_word);
        struct fh_code_fact *fact = &facts[i];
        fact->klass = "";
        n->known = fhec_instruction_get(kernel->words[i].word, pc, &instruction) == FHEC_OK &&
                   fhec_control_get(kernel->words[i].word, pc, &n->control) == FHEC_OK;
        fact->known = n->known;
        if (!n->known) {
            n->control = (fhec_control){.target = FHEC_NO_TARGET};
            continue;
        }
        fact->klass = instruction.klass;
        memcpy(fact->text, instruction.text, sizeof fact->text - 1);
        n->always = instruction.guard == 7 && !instruction.guard_negated;
        for (unsigned u = 0; u < instruction.use_count; u++)
            add_registers(instruction.uses[u].written ? &n->writes : &n->reads,
                          &instruction.uses[u]);
        if (n->control.target / sizeof(fhec_word) < kernel->count)
            targets[n->control.target / sizeof(fhec_word)] = 1;
    }
}

/* NOPs that fill a kernel up at its end are no code. */
static void forget_padding(struct fh_code_fact *facts, const struct fh_profiled_kernel *kernel) {
    for (uint32_t i = kernel->own < kernel->count ? kernel->own : kernel->count; i-- > 1;) {
        if (strcmp(facts[i].text, "NOP") != 0 || kernel->words[i].counts.warp)
            break;
        facts[i].known = false;
    }
}

/* Operands that come from kept registers: within what is issued one after the other for sure. */
static void find_reused(const struct graph *g, struct fh_code_fact *facts, const uint8_t *targets,
                        const struct fh_profiled_kernel *kernel) {
    struct kept kept;
    forget(&kept);
    for (uint32_t i = 0; i < kernel->count; i++) {
        fhec_instruction instruction;
        const fhec_control *c = &g->nodes[i].control;
        if (!g->nodes[i].known || targets[i])
            forget(&kept);
        if (!g->nodes[i].known || fhec_instruction_get(kernel->words[i].word, i * sizeof(fhec_word),
                                                       &instruction) != FHEC_OK)
            continue;
        facts[i].reused = follow_kept(&kept, &instruction);
        if (c->target != FHEC_NO_TARGET || c->calls || c->returns || c->indirect || !c->falls)
            forget(&kept);
    }
}

struct fh_code_fact *fh_code_facts(const struct fh_profiled_kernel *kernel) {
    struct graph g = {.count = kernel->count};
    struct fh_code_fact *facts = calloc(kernel->count + 1u, sizeof *facts);
    uint8_t *targets = calloc(kernel->count + 1u, 1);
    g.nodes = calloc(kernel->count + 1u, sizeof *g.nodes);
    if (!facts || !targets || !g.nodes) {
        free(facts);
        facts = NULL;
    } else {
        describe(&g, facts, targets, kernel);
        find_live(&g);
        find_reused(&g, facts, targets, kernel);
        forget_padding(facts, kernel);
        for (uint32_t i = 0; i < kernel->count; i++) {
            facts[i].live = count_bits(&g.nodes[i].live, FIRST_R, FIRST_UR);
            facts[i].live_uniform = count_bits(&g.nodes[i].live, FIRST_UR, FIRST_P);
        }
    }
    free(targets);
    free(g.nodes);
    return facts;
}
