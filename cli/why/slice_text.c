/*
 * slice_text.c - see slice_text.h.
 */
#include "slice_text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "runner.h"

enum { NODE_TEXT = 1200 };

/* ---------------------------------------------------------------- nodes in words */

static const char *register_file(fhec_register_file file) {
    static const char *const names[] = {[FHEC_FILE_R] = "R",
                                        [FHEC_FILE_P] = "P",
                                        [FHEC_FILE_UR] = "UR",
                                        [FHEC_FILE_UP] = "UP",
                                        [FHEC_FILE_B] = "B"};
    return names[file];
}

/* What a node is called: "R12", "y[13]", "shared+64", "c[0x0][0x160]". */
static void name_of(const struct fh_cli_slice *s, const struct fh_slice_node *node, char *text,
                    size_t size) {
    const bool is_register =
        node->kind == FH_SLICE_REGISTER ||
        ((node->kind == FH_SLICE_INITIAL || node->kind == FH_SLICE_FORGOTTEN) && !node->address);
    if (node->kind == FH_SLICE_ELEMENT) {
        snprintf(text, size, "%s", s->element);
    } else if (is_register) {
        snprintf(text, size, "%s%u", register_file(node->file), node->reg);
    } else if (node->kind == FH_SLICE_CONSTANT) {
        uint64_t offset = 0;
        const char *name = fh_journal_constant(s->journal, node->step, node->address, &offset);
        if (name && offset)
            snprintf(text, size, "%s+%llu", name, (unsigned long long)offset);
        else if (name)
            snprintf(text, size, "%s", name);
        else
            snprintf(text, size, "c[0x%x][0x%llx]", node->bank, (unsigned long long)node->address);
    } else if (node->range) {
        fh_cli_element_name(s->memory, node->range->name, node->address - node->range->address,
                            s->width, text, size);
    } else {
        snprintf(text, size, "%s 0x%llx", fhec_space_name(node->space),
                 (unsigned long long)node->address);
    }
}

static bool has_step(const struct fh_slice_node *node) {
    return node->kind == FH_SLICE_REGISTER || node->kind == FH_SLICE_STORE;
}

/* "D[3][5] = C[3][5] + A[3][0..15] B[0..15][5], which is right" */
static void matrix_text(const struct fh_slice_node *node, char *text, size_t size) {
    char right[64] = "";
    if (node->product == FH_PRODUCT_RIGHT)
        snprintf(right, sizeof right, ": right for its operands");
    else if (node->product == FH_PRODUCT_WRONG)
        snprintf(right, sizeof right, ": WRONG, its operands give 0x%llx",
                 (unsigned long long)node->right);
    const uint32_t i = node->element.row, j = node->element.column, last = node->inner - 1;
    snprintf(text, size, "D[%u][%u] = C[%u][%u] + A[%u][0..%u] B[0..%u][%u]%s", i, j, i, j, i, last,
             last, j, right);
}

/* What made the node, without its name and value. */
static void origin_of(const struct fh_cli_slice *s, const struct fh_slice_node *node,
                      const struct fh_journal_warp *from, char *text, size_t size) {
    text[0] = 0;
    if (has_step(node)) {
        const struct fh_journal_site *site = fh_journal_site(s->journal, node->step);
        const struct fh_journal_warp *warp = fh_journal_warp(s->journal, node->step);
        char who[160], matrix[160] = "";
        int used = snprintf(who, sizeof who, "lane %u", node->lane);
        if (node->kind == FH_SLICE_REGISTER &&
            (node->file == FHEC_FILE_UR || node->file == FHEC_FILE_UP))
            used = snprintf(who, sizeof who, "the warp");
        if (!from || memcmp(from, warp, sizeof *warp) != 0)
            used += snprintf(who + used, sizeof who - (size_t)used, " of warp %u, block %u,%u,%u",
                             warp->warp, warp->block[0], warp->block[1], warp->block[2]);
        if (warp->launch != (from ? from->launch : 1))
            snprintf(who + used, sizeof who - (size_t)used, " of launch %llu (%.40s)",
                     (unsigned long long)warp->launch, site->kernel);
        if (node->is_matrix)
            matrix_text(node, matrix, sizeof matrix);
        snprintf(text, size, "%s%s, %s%s%s%s%s", node->kind == FH_SLICE_STORE ? "stored by " : "",
                 who, site->where, site->where[0] ? ": " : "", site->instruction.text,
                 matrix[0] ? "; " : "", matrix);
    } else if (node->kind == FH_SLICE_INPUT) {
        snprintf(text, size, "%s",
                 node->depth == 1 && s->slice->nodes[0].kind == FH_SLICE_ELEMENT
                     ? "what the buffer began with: no instruction stored it"
                     : "input");
    } else if (node->kind == FH_SLICE_CONSTANT) {
        snprintf(text, size, "constant");
    } else if (node->kind == FH_SLICE_INITIAL) {
        snprintf(text, size, "%s", node->depth == 1 ? "no instruction stored it" : "never written");
    } else if (node->kind == FH_SLICE_FORGOTTEN) {
        snprintf(text, size, "from before what was kept; --memory keeps more");
    }
}

static void value_of(const struct fh_slice_node *node, char *text, size_t size) {
    text[0] = 0;
    if (node->has_value && node->kind == FH_SLICE_ELEMENT)
        snprintf(text, size, "0x%llx (%llu)", (unsigned long long)node->value,
                 (unsigned long long)node->value);
    else if (node->has_value)
        snprintf(text, size, "0x%llx", (unsigned long long)node->value);
}

/* ---------------------------------------------------------------- the tree */

struct printing {
    const struct fh_cli_slice *s;
    FILE *to;
    uint8_t *uses; /* of each node: 0, 1, 2 for more; then 3: it has been printed */
};

static void print_node(struct printing *p, uint32_t number, const char *role, unsigned indent,
                       const struct fh_journal_warp *from) {
    const struct fh_slice_node *node = &p->s->slice->nodes[number];
    char name[128], value[64], origin[NODE_TEXT], tag[24] = "";
    name_of(p->s, node, name, sizeof name);
    value_of(node, value, sizeof value);
    origin_of(p->s, node, from, origin, sizeof origin);
    if (p->uses[number] >= 2)
        snprintf(tag, sizeof tag, " #%u", number);
    fprintf(p->to, "%*s", (int)(2 * indent), "");
    if (*role && strcmp(role, name) != 0 && node->kind != FH_SLICE_STORE)
        fprintf(p->to, "%s: ", role);
    fprintf(p->to, "%s%s%s%s", name, tag, value[0] ? " = " : "", value);
    if (p->uses[number] == 3) {
        fprintf(p->to, ", as above\n");
        return;
    }
    if (p->uses[number] == 2)
        p->uses[number] = 3;
    fprintf(p->to, "%s%s%s\n", origin[0] ? "  " : "", origin,
            node->cut ? "  ... (--depth, --nodes)" : "");
    const struct fh_journal_warp *of =
        has_step(node) ? fh_journal_warp(p->s->journal, node->step) : from;
    for (uint32_t i = 0; i < node->edge_count; i++) {
        const struct fh_slice_edge *edge = &p->s->slice->edges[node->first_edge + i];
        print_node(p, edge->node, edge->role, indent + 1, of);
    }
}

void fh_cli_slice_text(const struct fh_cli_slice *slice, FILE *to) {
    struct printing p = {slice, to, calloc(slice->slice->node_count + 1, 1)};
    if (!p.uses)
        return;
    for (size_t i = 0; i < slice->slice->edge_count; i++) {
        uint8_t *uses = &p.uses[slice->slice->edges[i].node];
        *uses = *uses < 2 ? *uses + 1 : 2;
    }
    print_node(&p, 0, "", 0, NULL);
    free(p.uses);
}

/* ---------------------------------------------------------------- JSON */

static const char *kind_name(enum fh_slice_kind kind) {
    static const char *const names[] = {"element",  "store",   "register", "input",
                                        "constant", "initial", "forgotten"};
    return names[kind];
}

static void put_step(const struct fh_cli_slice *s, const struct fh_slice_node *node, json_t *to) {
    const struct fh_journal_site *site = fh_journal_site(s->journal, node->step);
    const struct fh_journal_warp *warp = fh_journal_warp(s->journal, node->step);
    json_object_set_new(to, "kernel", json_string(site->kernel));
    json_object_set_new(to, "launch", json_integer((json_int_t)warp->launch));
    json_object_set_new(
        to, "block",
        json_pack("[i,i,i]", (int)warp->block[0], (int)warp->block[1], (int)warp->block[2]));
    json_object_set_new(to, "warp", json_integer(warp->warp));
    json_object_set_new(to, "lane", json_integer(node->lane));
    json_object_set_new(to, "pc", json_integer((json_int_t)site->instruction.pc));
    json_object_set_new(to, "instruction", json_string(site->instruction.text));
    if (site->file[0]) {
        json_object_set_new(to, "file", json_string(site->file));
        json_object_set_new(to, "line", json_integer(site->line));
    }
}

static json_t *node_json(const struct fh_cli_slice *s, size_t number) {
    const struct fh_slice_node *node = &s->slice->nodes[number];
    char name[128], value[64];
    name_of(s, node, name, sizeof name);
    snprintf(value, sizeof value, "0x%llx", (unsigned long long)node->value);
    json_t *operands = json_array();
    for (uint32_t i = 0; i < node->edge_count; i++) {
        const struct fh_slice_edge *edge = &s->slice->edges[node->first_edge + i];
        json_array_append_new(
            operands, json_pack("{s:s, s:I}", "role", edge->role, "node", (json_int_t)edge->node));
    }
    json_t *object =
        json_pack("{s:I, s:s, s:s, s:s?, s:b, s:o}", "node", (json_int_t)number, "kind",
                  kind_name(node->kind), "name", name, "value", node->has_value ? value : NULL,
                  "cut", node->cut, "operands", operands);
    if (object && has_step(node))
        put_step(s, node, object);
    if (object && node->is_matrix) {
        json_t *product = json_pack("{s:i, s:i, s:i}", "row", (int)node->element.row, "column",
                                    (int)node->element.column, "inner", (int)node->inner);
        snprintf(value, sizeof value, "0x%llx", (unsigned long long)node->right);
        if (node->product != FH_PRODUCT_UNKNOWN) {
            json_object_set_new(product, "right", json_boolean(node->product == FH_PRODUCT_RIGHT));
            json_object_set_new(product, "expected", json_string(value));
        }
        json_object_set_new(object, "product", product);
    }
    return object;
}

bool fh_cli_slice_json(const struct fh_cli_slice *slice, FILE *to) {
    json_t *nodes = json_array();
    for (size_t i = 0; i < slice->slice->node_count; i++)
        json_array_append_new(nodes, node_json(slice, i));
    json_t *whole = json_pack("{s:s, s:o}", "element", slice->element, "nodes", nodes);
    return fh_cli_print_json(to, whole, JSON_INDENT(1));
}

/* ---------------------------------------------------------------- Graphviz */

static void put_quoted(FILE *to, const char *text) {
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', to);
        fputc(*text, to);
    }
}

void fh_cli_slice_dot(const struct fh_cli_slice *slice, FILE *to) {
    fputs("digraph why {\n  node [shape=box, fontname=monospace];\n", to);
    for (size_t i = 0; i < slice->slice->node_count; i++) {
        const struct fh_slice_node *node = &slice->slice->nodes[i];
        char name[128], value[64], origin[NODE_TEXT];
        name_of(slice, node, name, sizeof name);
        value_of(node, value, sizeof value);
        origin_of(slice, node, NULL, origin, sizeof origin);
        fprintf(to, "  n%zu [label=\"", i);
        put_quoted(to, name);
        fprintf(to, "%s%s\\n", value[0] ? " = " : "", value);
        put_quoted(to, origin);
        fprintf(to, "\"%s];\n",
                node->product == FH_PRODUCT_WRONG ? ", color=red"
                : node->kind == FH_SLICE_INPUT    ? ", style=rounded"
                                                  : "");
        for (uint32_t k = 0; k < node->edge_count; k++) {
            const struct fh_slice_edge *edge = &slice->slice->edges[node->first_edge + k];
            fprintf(to, "  n%u -> n%zu [label=\"", edge->node, i);
            put_quoted(to, edge->role);
            fputs("\"];\n", to);
        }
    }
    fputs("}\n", to);
}
