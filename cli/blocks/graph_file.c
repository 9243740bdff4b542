/*
 * graph_file.c - reads and writes block graphs: see graph_file.h. What is wrong in a graph is said
 * with its path, "graph.json: blocks[3].reads[0]", what is no JSON with line and column.
 */
#include "graph_file.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "message.h"
#include "nearest.h"
#include "output.h"
#include "programs.h"
#include "safe_text.h"

/* What of it is looked at: "blocks[3].reads[0]". */
struct place {
    const struct fh_cli *cli;
    const char *file;
    char path[96];
    fhec_status status; /* of the first thing that is wrong */
};

static __attribute__((format(printf, 2, 3))) bool wrong(struct place *at, const char *format, ...) {
    char text[500];
    va_list list;
    if (at->status != FHEC_OK)
        return false;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    at->status = fh_cli_error(at->cli, FHEC_BAD_INPUT, "%s: %s%s%s", at->file, at->path,
                              *at->path ? ": " : "", text);
    return false;
}

static struct fh_safe_text shown(const char *text) {
    return fh_safe_text(text, 40);
}

static bool no_memory(struct place *at) {
    if (at->status == FHEC_OK)
        at->status = fh_cli_no_memory(at->cli);
    return false;
}

/* ---------------------------------------------------------------- members */

static bool check_members(struct place *at, const json_t *object, const char *const *known) {
    const char *member;
    json_t *value;
    if (!json_is_object(object))
        return wrong(at, "expected an object");
    json_object_foreach((json_t *)object, member, value) {
        size_t i = 0;
        while (known[i] && strcmp(known[i], member) != 0)
            i++;
        if (!known[i])
            return wrong(at, "unknown member \"%s\"%s", shown(member).text,
                         fh_cli_hint(fh_nearest_of(member, known, i)).text);
    }
    return true;
}

/* Without `needed` what is not there is left as it is. */
static bool number(struct place *at, const json_t *object, const char *member, uint64_t least,
                   uint64_t most, bool needed, uint64_t *to) {
    const json_t *value = json_object_get(object, member);
    const json_int_t got = json_integer_value(value);
    if (!value && !needed)
        return true;
    if (!value)
        return wrong(at, "missing member \"%s\"", member);
    if (!json_is_integer(value) || got < 0 || (uint64_t)got < least || (uint64_t)got > most)
        return wrong(at, "member \"%s\": expected a whole number from %llu to %llu", member,
                     (unsigned long long)least, (unsigned long long)most);
    *to = (uint64_t)got;
    return true;
}

/* NULL: there is none, which has been said if it is needed. */
static const char *text(struct place *at, const json_t *object, const char *member, bool needed) {
    const json_t *value = json_object_get(object, member);
    if (!value && !needed)
        return NULL;
    if (!value)
        wrong(at, "missing member \"%s\"", member);
    else if (!json_is_string(value) || !json_string_length(value))
        wrong(at, "member \"%s\": expected text", member);
    return at->status == FHEC_OK ? json_string_value(value) : NULL;
}

static const json_t *array(struct place *at, const json_t *object, const char *member) {
    const json_t *value = json_object_get(object, member);
    if (!json_is_array(value))
        wrong(at, "%s \"%s\": expected an array", value ? "member" : "missing member", member);
    return value;
}

/* ---------------------------------------------------------------- parts of the graph */

/* Those of the GME paper: what a graph that does not say it is computed in. */
static const struct fh_block_chain default_chain = {
    .log2_n = 16, .limbs = 24, .alpha = 8, .dnum = 3, .base_alpha = 1, .bits = 54};

static void read_chain(struct place *at, const json_t *object, struct fh_block_chain *chain) {
    static const char *const known[] = {"log2_n", "limbs",      "alpha", "dnum",
                                        "bits",   "base_alpha", NULL};
    uint64_t log2_n = chain->log2_n, limbs = chain->limbs, alpha = chain->alpha;
    uint64_t dnum = chain->dnum, bits = chain->bits, base = chain->base_alpha;
    if (!object)
        return;
    strcpy(at->path, "chain");
    if (check_members(at, object, known) && number(at, object, "log2_n", 8, 17, false, &log2_n) &&
        number(at, object, "limbs", 1, FH_GOLDEN_MAX_LIMBS, false, &limbs) &&
        number(at, object, "alpha", 1, FH_GOLDEN_MAX_LIMBS, false, &alpha) &&
        number(at, object, "dnum", 1, FH_GOLDEN_MAX_LIMBS, false, &dnum) &&
        number(at, object, "base_alpha", 1, 4, false, &base))
        number(at, object, "bits", 2, FH_MAX_MODULUS_BITS_64, false, &bits);
    *chain = (struct fh_block_chain){.log2_n = (unsigned)log2_n,
                                     .limbs = limbs,
                                     .alpha = alpha,
                                     .dnum = dnum,
                                     .base_alpha = base,
                                     .bits = (unsigned)bits};
    *at->path = 0;
}

/* Where each id stands: ids of buffers, ids of blocks. */
struct ids {
    json_t *buffers, *blocks;
};

static bool add_id(struct place *at, json_t *ids, const char *id, size_t index) {
    const json_t *other = json_object_get(ids, id);
    if (other)
        return wrong(at, "id \"%s\" is that of number %lld, too", shown(id).text,
                     (long long)json_integer_value(other));
    return json_object_set_new(ids, id, json_integer((json_int_t)index)) == 0 || no_memory(at);
}

static void read_buffer(struct place *at, const json_t *object, size_t index, struct ids *ids,
                        struct fh_block_buffer *buffer) {
    static const char *const known[] = {"id", "kind", "bytes", NULL};
    const char *names[FH_BUFFER_KINDS];
    if (!check_members(at, object, known))
        return;
    const char *id = text(at, object, "id", true), *kind = text(at, object, "kind", true);
    if (!id || !kind || !add_id(at, ids->buffers, id, index))
        return;
    unsigned k = 0;
    for (unsigned i = 0; i < FH_BUFFER_KINDS; i++)
        names[i] = fh_buffer_kind_name((enum fh_buffer_kind)i);
    while (k < FH_BUFFER_KINDS && strcmp(names[k], kind) != 0)
        k++;
    if (k == FH_BUFFER_KINDS) {
        wrong(at, "no kind of buffer is called \"%s\"%s", shown(kind).text,
              fh_cli_hint(fh_nearest_of(kind, names, FH_BUFFER_KINDS)).text);
        return;
    }
    buffer->kind = (enum fh_buffer_kind)k;
    buffer->id = strdup(id);
    if (!buffer->id)
        no_memory(at);
    number(at, object, "bytes", 1, (uint64_t)1 << 50, true, &buffer->bytes);
}

static bool read_op(struct place *at, const char *name, enum fh_block_op *op) {
    const char *names[FH_BLOCK_OPS];
    for (unsigned i = 0; i < FH_BLOCK_OPS; i++) {
        names[i] = fh_block_signature((enum fh_block_op)i)->name;
        if (strcmp(names[i], name) == 0) {
            *op = (enum fh_block_op)i;
            return true;
        }
    }
    return wrong(at, "no op is called \"%s\"%s", shown(name).text,
                 fh_cli_hint(fh_nearest_of(name, names, FH_BLOCK_OPS)).text);
}

static bool read_map(struct place *at, const char *name, struct fh_block *block) {
    const struct fh_map *map = fh_map_find(name ? name : "gme64");
    if (!map || !(map->workloads & FH_WORKLOAD_CKKS) || strlen(map->name) >= FH_BLOCK_MAP)
        return wrong(at, "there is no map \"%s\" of CKKS", shown(name).text);
    strcpy(block->map, map->name);
    block->word = map->word_bits / 8;
    return true;
}

static bool find_buffer(struct place *at, const json_t *value, const struct ids *ids, size_t *to) {
    const char *id = json_string_value(value);
    const json_t *found = id ? json_object_get(ids->buffers, id) : NULL;
    if (!id)
        return wrong(at, "expected the id of a buffer");
    if (!found)
        return wrong(at, "there is no buffer \"%s\"", shown(id).text);
    *to = (size_t)json_integer_value(found);
    return true;
}

static void read_operands(struct place *at, const json_t *object, const struct ids *ids,
                          struct fh_block *block) {
    const size_t before = strlen(at->path);
    const json_t *reads = array(at, object, "reads"), *writes = array(at, object, "writes");
    if (at->status != FHEC_OK)
        return;
    if (json_array_size(reads) > FH_BLOCK_READS) {
        wrong(at, "member \"reads\": a block reads at most %d buffers", FH_BLOCK_READS);
        return;
    }
    for (size_t i = 0; i < json_array_size(reads); i++) {
        snprintf(at->path + before, sizeof at->path - before, ".reads[%zu]", i);
        if (!find_buffer(at, json_array_get(reads, i), ids, &block->reads[i]))
            return;
    }
    block->read_count = (unsigned)json_array_size(reads);
    at->path[before] = 0;
    if (json_array_size(writes) != 1) {
        wrong(at, "member \"writes\": a block writes one buffer");
        return;
    }
    snprintf(at->path + before, sizeof at->path - before, ".writes[0]");
    if (find_buffer(at, json_array_get(writes, 0), ids, &block->write))
        at->path[before] = 0;
}

static void read_block(struct place *at, const json_t *object, size_t index, struct ids *ids,
                       struct fh_block *block) {
    static const char *const known[] = {"id",    "op",     "level", "map",
                                        "reads", "writes", "drop",  NULL};
    if (!check_members(at, object, known))
        return;
    const char *id = text(at, object, "id", true), *op = text(at, object, "op", true);
    uint64_t level = 0, drop = 1;
    if (!id || !op || !add_id(at, ids->blocks, id, index) || !read_op(at, op, &block->op) ||
        !number(at, object, "level", 1, FH_GOLDEN_MAX_LIMBS, true, &level) ||
        !number(at, object, "drop", 1, FH_GOLDEN_MAX_LIMBS, false, &drop))
        return;
    if (json_object_get(object, "drop") && block->op != FH_BLOCK_RESCALE) {
        wrong(at, "member \"drop\": it goes with rescale");
        return;
    }
    const char *map = text(at, object, "map", false);
    if (at->status != FHEC_OK || !read_map(at, map, block))
        return;
    block->id = strdup(id);
    if (!block->id)
        no_memory(at);
    block->level = level;
    block->drop = drop;
    read_operands(at, object, ids, block);
}

/* ---------------------------------------------------------------- the whole file */

static void read_arrays(struct place *at, const json_t *root, struct ids *ids,
                        struct fh_block_graph *graph) {
    const json_t *buffers = array(at, root, "buffers"), *blocks = array(at, root, "blocks");
    if (at->status != FHEC_OK)
        return;
    if (!json_array_size(blocks)) {
        wrong(at, "member \"blocks\": there is none");
        return;
    }
    graph->buffers = calloc(json_array_size(buffers) + 1, sizeof *graph->buffers);
    graph->blocks = calloc(json_array_size(blocks), sizeof *graph->blocks);
    if (!graph->buffers || !graph->blocks) {
        no_memory(at);
        return;
    }
    for (size_t i = 0; i < json_array_size(buffers) && at->status == FHEC_OK; i++) {
        snprintf(at->path, sizeof at->path, "buffers[%zu]", i);
        graph->buffer_count = i + 1;
        read_buffer(at, json_array_get(buffers, i), i, ids, &graph->buffers[i]);
    }
    for (size_t i = 0; i < json_array_size(blocks) && at->status == FHEC_OK; i++) {
        snprintf(at->path, sizeof at->path, "blocks[%zu]", i);
        graph->block_count = i + 1;
        read_block(at, json_array_get(blocks, i), i, ids, &graph->blocks[i]);
    }
}

static void read_root(struct place *at, const json_t *root, struct fh_block_graph *graph) {
    static const char *const known[] = {"chain", "buffers", "blocks", NULL};
    struct ids ids = {json_object(), json_object()};
    struct fh_block_error error = {"", ""};
    graph->chain = default_chain;
    if (!ids.buffers || !ids.blocks)
        no_memory(at);
    else if (check_members(at, root, known)) {
        read_chain(at, json_object_get(root, "chain"), &graph->chain);
        read_arrays(at, root, &ids, graph);
    }
    json_decref(ids.buffers);
    json_decref(ids.blocks);
    if (at->status != FHEC_OK)
        return;
    const fhec_status status = fh_block_graph_finish(graph, &error);
    snprintf(at->path, sizeof at->path, "%s", error.at);
    if (status == FHEC_BAD_INPUT)
        wrong(at, "%s", error.text);
    else if (status != FHEC_OK)
        no_memory(at);
}

fhec_status fh_cli_graph_read(const struct fh_cli *cli, const char *path,
                              struct fh_block_graph *graph) {
    char *bytes = NULL;
    size_t length;
    json_error_t error;
    struct place at = {cli, path, "", FHEC_OK};
    memset(graph, 0, sizeof *graph);
    fhec_status status = fh_cli_read_file(cli, path, &bytes, &length);
    if (status != FHEC_OK)
        return status;
    json_t *root = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, &error);
    free(bytes);
    if (!root)
        return fh_cli_error(cli, FHEC_BAD_INPUT, "%s:%d:%d: %s", path, error.line, error.column,
                            fh_safe_text(error.text, FH_SAFE_MOST).text);
    read_root(&at, root, graph);
    json_decref(root);
    return at.status;
}

/* ---------------------------------------------------------------- writing */

static json_t *chain_json(const struct fh_block_chain *c) {
    return json_pack("{s:i, s:I, s:I, s:I, s:i, s:I}", "log2_n", (int)c->log2_n, "limbs",
                     (json_int_t)c->limbs, "alpha", (json_int_t)c->alpha, "dnum",
                     (json_int_t)c->dnum, "bits", (int)c->bits, "base_alpha",
                     (json_int_t)c->base_alpha);
}

static json_t *block_json(const struct fh_block_graph *graph, const struct fh_block *b) {
    json_t *reads = json_array();
    for (unsigned i = 0; i < b->read_count; i++)
        (void)json_array_append_new(reads, json_string(graph->buffers[b->reads[i]].id));
    json_t *made = json_pack("{s:s, s:s, s:I, s:s, s:o, s:[s]}", "id", b->id, "op",
                             fh_block_signature(b->op)->name, "level", (json_int_t)b->level, "map",
                             b->map, "reads", reads, "writes", graph->buffers[b->write].id);
    if (b->op == FH_BLOCK_RESCALE)
        (void)json_object_set_new(made, "drop", json_integer((json_int_t)b->drop));
    return made;
}

static json_t *graph_json(const struct fh_block_graph *graph) {
    json_t *buffers = json_array(), *blocks = json_array();
    for (size_t i = 0; i < graph->buffer_count; i++)
        (void)json_array_append_new(buffers,
                                    json_pack("{s:s, s:s, s:I}", "id", graph->buffers[i].id, "kind",
                                              fh_buffer_kind_name(graph->buffers[i].kind), "bytes",
                                              (json_int_t)graph->buffers[i].bytes));
    for (size_t i = 0; i < graph->block_count; i++)
        (void)json_array_append_new(blocks, block_json(graph, &graph->blocks[i]));
    const bool whole = json_array_size(buffers) == graph->buffer_count &&
                       json_array_size(blocks) == graph->block_count;
    json_t *root = json_pack("{s:o, s:o, s:o}", "chain", chain_json(&graph->chain), "buffers",
                             buffers, "blocks", blocks);
    if (root && !whole) {
        json_decref(root);
        root = NULL;
    }
    return root;
}

fhec_status fh_cli_graph_write(const struct fh_cli *cli, const char *path,
                               const struct fh_block_graph *graph) {
    json_t *root = graph_json(graph);
    char *made = root ? json_dumps(root, JSON_INDENT(1)) : NULL;
    json_decref(root);
    if (!made)
        return fh_cli_no_memory(cli);
    const fhec_status status = fh_cli_output_file(cli, path, made, strlen(made));
    free(made);
    return status;
}
