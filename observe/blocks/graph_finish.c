/*
 * graph_finish.c - what may be wrong with a graph, and the order of its blocks:
 * fh_block_graph_finish of block_graph.h.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "block_heap.h"
#include "block_shape.h"
#include "safe_text.h"

/* ---------------------------------------------------------------- checks */

static struct fh_safe_text shown(const char *id) {
    return fh_safe_text(id, 40);
}

static __attribute__((format(printf, 3, 4))) fhec_status
wrong(struct fh_block_error *error, const char *at, const char *format, ...) {
    va_list args;
    snprintf(error->at, sizeof error->at, "%s", at);
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return FHEC_BAD_INPUT;
}

static __attribute__((format(printf, 4, 5))) fhec_status wrong_block(struct fh_block_error *error,
                                                                     size_t block,
                                                                     const char *member,
                                                                     const char *format, ...) {
    va_list args;
    snprintf(error->at, sizeof error->at, "blocks[%zu].%s", block, member);
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return FHEC_BAD_INPUT;
}

static fhec_status check_chain(const struct fh_block_chain *c, struct fh_block_error *error) {
    if (c->dnum > c->limbs || (c->dnum - 1) * fh_block_digit(c) >= c->limbs)
        return wrong(error, "chain", "%zu limbs cannot be cut into %zu digits", c->limbs, c->dnum);
    return FHEC_OK;
}

static fhec_status check_level(const struct fh_block_graph *g, size_t i,
                               struct fh_block_error *error) {
    const struct fh_block *b = &g->blocks[i];
    if (b->level > g->chain.limbs)
        return wrong_block(error, i, "level", "level %zu; the chain has %zu limbs", b->level,
                           g->chain.limbs);
    if (b->op == FH_BLOCK_RESCALE && b->drop >= b->level)
        return wrong_block(error, i, "level", "a Rescale by %zu of %zu limbs leaves none", b->drop,
                           b->level);
    return FHEC_OK;
}

static fhec_status check_reads(const struct fh_block_graph *g, size_t i,
                               struct fh_block_error *error) {
    const struct fh_block *b = &g->blocks[i];
    const struct fh_block_signature *s = fh_block_signature(b->op);
    unsigned cipher = 0, key = 0, plain = 0;
    for (unsigned r = 0; r < b->read_count; r++) {
        cipher += fh_block_is_cipher(g->buffers[b->reads[r]].kind);
        key += g->buffers[b->reads[r]].kind == FH_BUFFER_KEY;
        plain += g->buffers[b->reads[r]].kind == FH_BUFFER_PT;
    }
    if (cipher < s->least || cipher > s->most)
        return wrong_block(error, i, "reads", "%s reads %u ciphertext%s%s, not %u", s->name,
                           s->most, s->most == 1 ? "" : "s",
                           s->least < s->most ? ", or one twice" : "", cipher);
    if (key > s->key || plain > s->plain)
        return wrong_block(error, i, "reads", "%s reads %s %s", s->name,
                           (key > s->key ? s->key : s->plain) ? "only one" : "no",
                           key > s->key ? "key" : "plaintext");
    return FHEC_OK;
}

static fhec_status check_write(struct fh_block_graph *g, size_t i, struct fh_block_error *error) {
    struct fh_block_buffer *buffer = &g->buffers[g->blocks[i].write];
    if (buffer->writer != FH_BLOCK_NONE)
        return wrong_block(error, i, "writes", "block \"%s\" writes \"%s\", too",
                           shown(g->blocks[buffer->writer].id).text, shown(buffer->id).text);
    if (!fh_block_is_cipher(buffer->kind))
        return wrong_block(error, i, "writes", "\"%s\" is a %s, which no block writes",
                           shown(buffer->id).text,
                           buffer->kind == FH_BUFFER_KEY ? "key" : "plaintext");
    for (unsigned r = 0; r < g->blocks[i].read_count; r++)
        if (g->blocks[i].reads[r] == g->blocks[i].write)
            return wrong_block(error, i, "writes", "it reads \"%s\", too", shown(buffer->id).text);
    buffer->writer = i;
    buffer->shape = fh_block_write_shape(g, i);
    buffer->word = g->blocks[i].word;
    buffer->raised = g->blocks[i].op == FH_BLOCK_RAISE_DIGITS;
    return FHEC_OK;
}

static bool same_shape(struct fh_block_shape a, struct fh_block_shape b) {
    return a.polynomials == b.polynomials && a.limbs == b.limbs;
}

/* A buffer is the same to its writer and all its readers. Of ciphertexts and plaintexts the first
 * limbs may be read; digits and keys have limbs of one level behind those of another. */
static fhec_status check_read(struct fh_block_graph *g, size_t i, unsigned r,
                              struct fh_block_error *error) {
    const struct fh_block *b = &g->blocks[i];
    struct fh_block_buffer *from = &g->buffers[b->reads[r]];
    const struct fh_block_shape shape = fh_block_read_shape(g, i, r), have = from->shape;
    const enum fh_block_role role = fh_block_role(g, i, r);
    const bool raised = role == FH_ROLE_RAISED, known = have.limbs > 0;
    char member[sizeof "reads[4294967295]"];
    snprintf(member, sizeof member, "reads[%u]", r);
    if (known && from->raised != raised)
        return wrong_block(error, i, member, "\"%s\" is %s", shown(from->id).text,
                           raised ? "a ciphertext; raised digits are expected"
                                  : "raised digits, no ciphertext");
    if (known && raised && !same_shape(shape, have))
        return wrong_block(error, i, member, "level %zu; \"%s\" has digits of level %zu", b->level,
                           shown(from->id).text, have.limbs - g->chain.alpha);
    if (known && role == FH_ROLE_KEY && !same_shape(shape, have))
        return wrong_block(
            error, i, member, "a key of %zu x %zu limbs; to another block \"%s\" has %zu x %zu",
            shape.polynomials, shape.limbs, shown(from->id).text, have.polynomials, have.limbs);
    if (from->writer != FH_BLOCK_NONE && shape.limbs > have.limbs)
        return wrong_block(error, i, member, "level %zu; \"%s\" has %zu limbs", b->level,
                           shown(from->id).text, have.limbs);
    if (from->writer != FH_BLOCK_NONE)
        return FHEC_OK;
    from->raised = raised;
    from->word = b->word > from->word ? b->word : from->word;
    from->shape.limbs = shape.limbs > have.limbs ? shape.limbs : have.limbs;
    from->shape.polynomials =
        shape.polynomials > have.polynomials ? shape.polynomials : have.polynomials;
    return FHEC_OK;
}

static fhec_status check_bytes(const struct fh_block_graph *g, size_t v,
                               struct fh_block_error *error) {
    const struct fh_block_buffer *b = &g->buffers[v];
    const uint64_t least =
        b->shape.polynomials * b->shape.limbs * fh_block_limb_bytes(&g->chain, b->word, true);
    const uint64_t most = fh_block_most_bytes(&g->chain, b->kind);
    char at[48];
    snprintf(at, sizeof at, "buffers[%zu].bytes", v);
    if (b->bytes < least)
        return wrong(error, at,
                     "%llu; blocks use %zu x %zu limbs of it, which have %llu bytes at least",
                     (unsigned long long)b->bytes, b->shape.polynomials, b->shape.limbs,
                     (unsigned long long)least);
    if (b->bytes > most)
        return wrong(error, at, "%llu; a %s of this chain has %llu bytes at most",
                     (unsigned long long)b->bytes, fh_buffer_kind_name(b->kind),
                     (unsigned long long)most);
    return FHEC_OK;
}

/* ---------------------------------------------------------------- order */

/* How many reads of each block wait for a block that has not come. */
static void count_waits(const struct fh_block_graph *g, size_t *waits) {
    for (size_t i = 0; i < g->block_count; i++)
        for (unsigned r = 0; r < g->blocks[i].read_count; r++)
            waits[i] += g->buffers[g->blocks[i].reads[r]].writer != FH_BLOCK_NONE;
}

/* Readers of buffer v are readers[first[v]] up to first[v + 1]. */
static void list_readers(const struct fh_block_graph *g, size_t *first, size_t *readers) {
    for (size_t v = 0; v < g->buffer_count; v++)
        first[v + 1] = first[v] + g->buffers[v].readers;
    for (size_t i = g->block_count; i-- > 0;)
        for (unsigned r = 0; r < g->blocks[i].read_count; r++)
            readers[--first[g->blocks[i].reads[r] + 1]] = i;
    /* first[v + 1] now is where v begins. */
    memmove(first, first + 1, g->buffer_count * sizeof *first);
    if (g->buffer_count)
        first[g->buffer_count] =
            first[g->buffer_count - 1] + g->buffers[g->buffer_count - 1].readers;
}

/* Fills in the order as far as there is one; *done: of how many blocks. False: no memory. */
static bool sort(struct fh_block_graph *g, size_t *waits, const size_t *first,
                 const size_t *readers, size_t *done) {
    struct fh_block_heap ready = {0};
    bool good = true;
    for (size_t i = 0; i < g->block_count && good; i++)
        good = waits[i] || fh_block_heap_push(&ready, 0, i);
    for (*done = 0; ready.count && good;) {
        const size_t block = fh_block_heap_pop(&ready), out = g->blocks[block].write;
        g->order[(*done)++] = block;
        for (size_t r = first[out]; r < first[out + 1] && good; r++)
            good = --waits[readers[r]] || fh_block_heap_push(&ready, 0, readers[r]);
    }
    fh_block_heap_free(&ready);
    return good;
}

static fhec_status make_order(struct fh_block_graph *g, struct fh_block_error *error) {
    size_t reads = 0;
    for (size_t i = 0; i < g->block_count; i++)
        reads += g->blocks[i].read_count;
    size_t *waits = calloc(g->block_count + 1, sizeof *waits);
    size_t *first = calloc(g->buffer_count + 1, sizeof *first);
    size_t *readers = calloc(reads + 1, sizeof *readers);
    g->order = calloc(g->block_count + 1, sizeof *g->order);
    fhec_status status = FHEC_HOST_ERROR;
    size_t done = 0;
    if (waits && first && readers && g->order) {
        count_waits(g, waits);
        list_readers(g, first, readers);
        const bool good = sort(g, waits, first, readers, &done);
        size_t stuck = 0;
        while (good && done < g->block_count && !waits[stuck])
            stuck++;
        status = !good ? FHEC_HOST_ERROR
                 : done == g->block_count
                     ? FHEC_OK
                     : wrong_block(error, stuck, "reads",
                                   "there is a cycle: block \"%s\" waits for itself, or for "
                                   "blocks that do",
                                   shown(g->blocks[stuck].id).text);
    }
    free(waits);
    free(first);
    free(readers);
    return status;
}

fhec_status fh_block_graph_finish(struct fh_block_graph *graph, struct fh_block_error *error) {
    fhec_status status = check_chain(&graph->chain, error);
    for (size_t v = 0; v < graph->buffer_count; v++) {
        graph->buffers[v].writer = FH_BLOCK_NONE;
        graph->buffers[v].readers = 0;
        graph->buffers[v].shape = (struct fh_block_shape){0, 0};
        graph->buffers[v].word = 0;
        graph->buffers[v].raised = false;
    }
    for (size_t i = 0; i < graph->block_count && status == FHEC_OK; i++) {
        status = check_level(graph, i, error);
        if (status == FHEC_OK)
            status = check_reads(graph, i, error);
        if (status == FHEC_OK)
            status = check_write(graph, i, error);
        for (unsigned r = 0; r < graph->blocks[i].read_count; r++)
            graph->buffers[graph->blocks[i].reads[r]].readers++;
    }
    for (size_t i = 0; i < graph->block_count && status == FHEC_OK; i++)
        for (unsigned r = 0; r < graph->blocks[i].read_count && status == FHEC_OK; r++)
            status = check_read(graph, i, r, error);
    for (size_t v = 0; v < graph->buffer_count && status == FHEC_OK; v++)
        status = check_bytes(graph, v, error);
    free(graph->order);
    graph->order = NULL;
    return status == FHEC_OK ? make_order(graph, error) : status;
}
