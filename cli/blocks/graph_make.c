/*
 * graph_make.c - graphs of what the tool computes: see graph_file.h. Buffers are named by what they
 * hold; a constant that several blocks read is one buffer.
 */
#include "graph_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "block_shape.h"

enum { NAME = 96 };

size_t fh_cli_graph_buffer(struct fh_block_graph *graph, enum fh_buffer_kind kind, uint64_t bytes,
                           const char *id, ...) {
    char name[NAME];
    va_list args;
    va_start(args, id);
    vsnprintf(name, sizeof name, id, args);
    va_end(args);
    struct fh_block_buffer *grown =
        realloc(graph->buffers, (graph->buffer_count + 1) * sizeof *grown);
    char *copy = strdup(name);
    if (grown)
        graph->buffers = grown;
    if (!grown || !copy) {
        free(copy);
        return SIZE_MAX;
    }
    graph->buffers[graph->buffer_count] =
        (struct fh_block_buffer){.id = copy, .kind = kind, .bytes = bytes};
    return graph->buffer_count++;
}

size_t fh_cli_graph_block(struct fh_block_graph *graph, const struct fh_block *block,
                          const char *id, ...) {
    char name[NAME];
    va_list args;
    va_start(args, id);
    vsnprintf(name, sizeof name, id, args);
    va_end(args);
    struct fh_block *grown = realloc(graph->blocks, (graph->block_count + 1) * sizeof *grown);
    char *copy = strdup(name);
    if (grown)
        graph->blocks = grown;
    if (!grown || !copy) {
        free(copy);
        return SIZE_MAX;
    }
    graph->blocks[graph->block_count] = *block;
    graph->blocks[graph->block_count].id = copy;
    return graph->block_count++;
}

/* ---------------------------------------------------------------- buffers of a chain */

struct maker {
    struct fh_block_graph *graph;
    const char *map;
    uint64_t limb; /* bytes */
    unsigned word;
    bool failed;
};

/* The buffer of this name, made if there is none. */
static size_t named(struct maker *m, enum fh_buffer_kind kind, uint64_t limbs, const char *id, ...)
    __attribute__((format(printf, 4, 5)));
static size_t named(struct maker *m, enum fh_buffer_kind kind, uint64_t limbs, const char *id,
                    ...) {
    char name[NAME];
    va_list args;
    va_start(args, id);
    vsnprintf(name, sizeof name, id, args);
    va_end(args);
    for (size_t i = 0; i < m->graph->buffer_count; i++)
        if (strcmp(m->graph->buffers[i].id, name) == 0)
            return i;
    const size_t made = fh_cli_graph_buffer(m->graph, kind, limbs * m->limb, "%s", name);
    m->failed |= made == SIZE_MAX;
    return made;
}

static void add_read(struct fh_block *b, size_t buffer) {
    b->reads[b->read_count++] = buffer;
}

static uint64_t limbs_of(struct fh_block_shape shape) {
    return shape.polynomials * shape.limbs;
}

/* It reads the key of this name. */
static void add_key(struct maker *m, struct fh_block *b, const char *name) {
    const uint64_t limbs = limbs_of(fh_block_key_shape(&m->graph->chain, b));
    add_read(b, named(m, FH_BUFFER_KEY, limbs, "%s", name));
}

/* Of the largest prime, whose count of bits is not said where the primes are given. */
static unsigned prime_bits(const fh_golden_ckks_params *chain) {
    unsigned bits = 1;
    for (size_t i = 0; chain->moduli && i < chain->limbs + chain->alpha; i++)
        while (bits < 64 && chain->moduli[i] >> bits)
            bits++;
    return chain->moduli ? bits : chain->bits;
}

static void begin(struct maker *m, struct fh_block_graph *graph, const fh_golden_ckks_params *chain,
                  size_t base_alpha, const char *map, unsigned word) {
    memset(graph, 0, sizeof *graph);
    graph->chain = (struct fh_block_chain){.log2_n = chain->log2_n,
                                           .limbs = chain->limbs,
                                           .alpha = chain->alpha,
                                           .dnum = chain->dnum,
                                           .base_alpha = base_alpha,
                                           .bits = prime_bits(chain)};
    *m = (struct maker){.graph = graph,
                        .map = map,
                        .limb = fh_block_limb_bytes(&graph->chain, word, false),
                        .word = word};
}

/* ---------------------------------------------------------------- primitives */

fhec_status fh_cli_graph_of_primitive(const struct fh_cli_graph_primitive *p,
                                      const fh_golden_ckks_params *chain, const char *map,
                                      unsigned word, struct fh_block_graph *graph) {
    struct maker m;
    const struct fh_block_signature *s = fh_block_signature(p->op);
    struct fh_block block = {.op = p->op, .level = p->level, .drop = p->drop, .word = word};
    begin(&m, graph, chain, 1, map, word);
    snprintf(block.map, sizeof block.map, "%s", map);
    const uint64_t polynomials = p->op == FH_BLOCK_KEYSWITCH ? 1 : 2;
    add_read(&block, named(&m, FH_BUFFER_CT, polynomials * p->level, "a"));
    if (s->most > 1)
        add_read(&block, named(&m, FH_BUFFER_CT, 2 * p->level, "b"));
    if (s->key)
        add_key(&m, &block, "key");
    if (s->plain)
        add_read(&block, named(&m, FH_BUFFER_PT, p->level, "plain"));
    const size_t left = p->op == FH_BLOCK_RESCALE ? p->level - p->drop : p->level;
    block.write = named(&m, FH_BUFFER_CT, 2 * left, p->rescale ? "product" : "out");
    if (!m.failed && fh_cli_graph_block(graph, &block, "%s", s->name) == SIZE_MAX)
        return FHEC_HOST_ERROR;
    if (p->rescale) {
        struct fh_block after = {
            .op = FH_BLOCK_RESCALE, .level = p->level, .drop = 1, .word = word};
        memcpy(after.map, block.map, sizeof after.map);
        add_read(&after, block.write);
        after.write = named(&m, FH_BUFFER_CT, 2 * (p->level - 1), "out");
        m.failed |= !m.failed && fh_cli_graph_block(graph, &after, "rescale") == SIZE_MAX;
    }
    return m.failed ? FHEC_HOST_ERROR : FHEC_OK;
}

/* ---------------------------------------------------------------- circuits */

static const enum fh_block_op ops[FH_GOLDEN_CKKS_KIND_COUNT] = {
    [FH_GOLDEN_CKKS_ADD] = FH_BLOCK_HEADD,
    [FH_GOLDEN_CKKS_SUB] = FH_BLOCK_HESUB,
    [FH_GOLDEN_CKKS_HEMULT] = FH_BLOCK_HEMULT,
    [FH_GOLDEN_CKKS_SCALAR_MULT] = FH_BLOCK_SCALARMULT,
    [FH_GOLDEN_CKKS_SCALAR_ADD] = FH_BLOCK_SCALARADD,
    [FH_GOLDEN_CKKS_PTMULT] = FH_BLOCK_PTMULT,
    [FH_GOLDEN_CKKS_PTADD] = FH_BLOCK_PTADD,
    [FH_GOLDEN_CKKS_MONOMIAL] = FH_BLOCK_MONOMIAL,
    [FH_GOLDEN_CKKS_ROTATE] = FH_BLOCK_ROTATE,
    [FH_GOLDEN_CKKS_RAISE_DIGITS] = FH_BLOCK_RAISE_DIGITS,
    [FH_GOLDEN_CKKS_ROTATE_RAISED] = FH_BLOCK_ROTATE_RAISED,
    [FH_GOLDEN_CKKS_CONJUGATE] = FH_BLOCK_CONJUGATE,
    [FH_GOLDEN_CKKS_RESCALE] = FH_BLOCK_RESCALE,
    [FH_GOLDEN_CKKS_ENCAPSULATE] = FH_BLOCK_ENCAPSULATE,
    [FH_GOLDEN_CKKS_MOD_RAISE] = FH_BLOCK_MODRAISE,
    [FH_GOLDEN_CKKS_RELEASE] = FH_BLOCK_RELEASE,
};

/* The constant that a step reads, if it reads one. */
static void add_constant(struct maker *m, const fh_golden_ckks_step *step, struct fh_block *block) {
    char name[NAME];
    switch (step->kind) {
    case FH_GOLDEN_CKKS_HEMULT: add_key(m, block, "relinearisation key"); break;
    case FH_GOLDEN_CKKS_RELEASE: add_key(m, block, "key from the sparse secret"); break;
    case FH_GOLDEN_CKKS_ENCAPSULATE: add_key(m, block, "key to the sparse secret"); break;
    case FH_GOLDEN_CKKS_ROTATE:
    case FH_GOLDEN_CKKS_CONJUGATE:
    case FH_GOLDEN_CKKS_ROTATE_RAISED:
        snprintf(name, sizeof name, "%s key of element %llu",
                 step->kind == FH_GOLDEN_CKKS_ROTATE_RAISED ? "turned" : "Galois",
                 (unsigned long long)step->element);
        add_key(m, block, name);
        break;
    case FH_GOLDEN_CKKS_MONOMIAL:
        add_read(block, named(m, FH_BUFFER_PT, step->level, "X^%llu of %zu limbs",
                              (unsigned long long)step->element, step->level));
        break;
    case FH_GOLDEN_CKKS_PTMULT:
    case FH_GOLDEN_CKKS_PTADD:
        if (step->map != FH_GOLDEN_CKKS_NONE)
            add_read(block, named(m, FH_BUFFER_PT, step->level, "diagonal %zu of map %zu",
                                  step->diagonal, step->map));
        else
            add_read(block, named(m, FH_BUFFER_PT, step->level, "vector %zu of %zu limbs",
                                  step->vector, step->level));
        break;
    default: break;
    }
}

/* Values are buffers of the same index. */
static void add_values(struct maker *m, const fh_golden_ckks_circuit *circuit) {
    const struct fh_block_chain *c = &m->graph->chain;
    for (size_t v = 0; v <= circuit->step_count && !m->failed; v++) {
        const size_t level = fh_golden_ckks_circuit_level(circuit, v);
        const bool raised = v && circuit->steps[v - 1].kind == FH_GOLDEN_CKKS_RAISE_DIGITS;
        const uint64_t limbs = raised ? limbs_of(fh_block_raised_shape(c, level)) : 2 * level;
        m->failed |= fh_cli_graph_buffer(m->graph, raised ? FH_BUFFER_TMP : FH_BUFFER_CT,
                                         limbs * m->limb, "value %zu", v) == SIZE_MAX;
    }
}

static void add_step(struct maker *m, const fh_golden_ckks_circuit *circuit, size_t index) {
    const fh_golden_ckks_step *step = &circuit->steps[index];
    struct fh_block block = {.op = ops[step->kind],
                             .level = step->level,
                             .drop = step->drop ? step->drop : 1,
                             .word = m->word,
                             .write = index + 1};
    snprintf(block.map, sizeof block.map, "%s", m->map);
    add_read(&block, step->a);
    if (fh_block_signature(block.op)->most > 1)
        add_read(&block, step->b);
    add_constant(m, step, &block);
    if (!m->failed)
        m->failed |= fh_cli_graph_block(m->graph, &block, "step %zu%s%s", index + 1,
                                        *step->name ? ": " : "", step->name) == SIZE_MAX;
}

fhec_status fh_cli_graph_of_circuit(const fh_golden_ckks_circuit *circuit,
                                    const fh_golden_ckks_params *chain,
                                    const fh_golden_ckks_params *base, const char *map,
                                    unsigned word, struct fh_block_graph *graph) {
    struct maker m;
    begin(&m, graph, chain, base ? base->alpha : 1, map, word);
    add_values(&m, circuit);
    for (size_t i = circuit->input_count - 1; i < circuit->step_count && !m.failed; i++)
        add_step(&m, circuit, i);
    return m.failed ? FHEC_HOST_ERROR : FHEC_OK;
}
