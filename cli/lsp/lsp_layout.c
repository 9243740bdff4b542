/*
 * lsp_layout.c - what the form of a document tells: its layout, outline, folds and the kinds of its
 * words.
 */
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "lsp_files.h"
#include "lsp_json.h"

static json_t *no_memory(struct fh_lsp_error *error) {
    *error = (struct fh_lsp_error){FH_LSP_INTERNAL_ERROR, "no memory"};
    return NULL;
}

/* The list if it is good, else nothing. */
static json_t *list_or(json_t *list, bool good, struct fh_lsp_error *error) {
    if (good)
        return list;
    json_decref(list);
    return no_memory(error);
}

/* ---------------------------------------------------------------- layout */

static size_t line_end(const char *text, size_t length, size_t at) {
    const char *newline = at < length ? memchr(text + at, '\n', length - at) : NULL;
    return newline ? (size_t)(newline - text) + 1 : length;
}

static json_t *edit(const struct fh_source_file *file, size_t begin, size_t end, const char *text,
                    size_t length) {
    return json_pack("{s:o, s:o}", "range", fh_lsp_range(file, begin, end), "newText",
                     fh_lsp_string(text, length));
}

/* Edits of lines, which stay the lines that they are: those that change, of bytes first .. last. */
static json_t *edits(const struct fh_source_file *file, size_t first, size_t last,
                     struct fh_lsp_error *error) {
    struct fh_bytes laid_out;
    if (!fh_format_source(file->text, file->length, &laid_out))
        return no_memory(error);
    const char *now = (const char *)laid_out.data;
    json_t *list = json_array();
    bool good = list != NULL;
    for (size_t at = 0, to = 0; good && (at < file->length || to < laid_out.count);) {
        size_t end = line_end(file->text, file->length, at);
        size_t now_end = line_end(now, laid_out.count, to);
        bool changed = end - at != now_end - to || memcmp(file->text + at, now + to, end - at) != 0;
        if (changed && at <= last && (end > first || at >= first))
            good = json_array_append_new(list, edit(file, at, end, now + to, now_end - to)) == 0;
        at = end;
        to = now_end;
    }
    fh_bytes_free(&laid_out);
    return list_or(list, good, error);
}

json_t *fh_lsp_formatting(struct fh_lsp *lsp, const json_t *params, struct fh_lsp_error *error) {
    const struct fh_lsp_document *document = fh_lsp_document_of(lsp, params, error);
    return document ? edits(document->file, 0, SIZE_MAX, error) : NULL;
}

/* The bytes of params.range; false with *error set. */
static bool read_range(const struct fh_source_file *file, const json_t *params, size_t *first,
                       size_t *last, struct fh_lsp_error *error) {
    const json_t *range = json_object_get(params, "range");
    struct fh_text_position start, end;
    if (!fh_lsp_read_position(json_object_get(range, "start"), &start) ||
        !fh_lsp_read_position(json_object_get(range, "end"), &end)) {
        *error = (struct fh_lsp_error){FH_LSP_INVALID_PARAMS, "range is missing"};
        return false;
    }
    *first = fh_text_offset_of(&file->map, start);
    *last = fh_text_offset_of(&file->map, end);
    return true;
}

json_t *fh_lsp_range_formatting(struct fh_lsp *lsp, const json_t *params,
                                struct fh_lsp_error *error) {
    const struct fh_lsp_document *document = fh_lsp_document_of(lsp, params, error);
    size_t first, last;
    if (!document || !read_range(document->file, params, &first, &last, error))
        return NULL;
    return edits(document->file, first, last, error);
}

/* ---------------------------------------------------------------- folds */

json_t *fh_lsp_folding(struct fh_lsp *lsp, const json_t *params, struct fh_lsp_error *error) {
    const struct fh_lsp_document *document = fh_lsp_document_of(lsp, params, error);
    if (!document)
        return NULL;
    const struct fh_source_file *file = document->file;
    json_t *list = json_array();
    bool good = list != NULL;
    for (size_t i = 0; i < file->index.fold_count && good; i++) {
        const struct fh_fold *fold = &file->index.folds[i];
        uint32_t first = fh_text_position_of(&file->map, fold->begin).line;
        uint32_t last = fh_text_position_of(&file->map, fold->end).line;
        if (last <= first)
            continue;
        json_t *range =
            json_pack("{s:I, s:I}", "startLine", (json_int_t)first, "endLine", (json_int_t)last);
        if (fold->comment)
            good = json_object_set_new(range, "kind", json_string("comment")) == 0;
        good = json_array_append_new(list, range) == 0 && good;
    }
    return list_or(list, good, error);
}

/* ---------------------------------------------------------------- outline */

/* SymbolKind of the protocol. */
static int symbol_kind(enum fh_name_kind kind) {
    enum { METHOD = 6, FUNCTION = 12, VARIABLE = 13, CONSTANT = 14, FIELD = 8, KEY = 20 };
    switch (kind) {
    case FH_NAME_CODE: return FUNCTION;
    case FH_NAME_MACRO: return METHOD;
    case FH_NAME_NUMBER: return CONSTANT;
    case FH_NAME_REGISTERS:
    case FH_NAME_VALUE: return VARIABLE;
    case FH_NAME_DATA: return FIELD;
    default: return KEY;
    }
}

static json_t *symbol(const struct fh_source_file *file, const struct fh_name *n) {
    uint32_t last = n->last;
    if (n->body) {
        uint32_t end = file->index.blocks[n->body].end;
        last = end == UINT32_MAX ? (uint32_t)file->length : end;
    }
    return json_pack("{s:o, s:i, s:o, s:o, s:s, s:[]}", "name",
                     fh_lsp_string(file->text + n->begin, n->end - n->begin), "kind",
                     symbol_kind(n->kind), "range", fh_lsp_range(file, n->first, last),
                     "selectionRange", fh_lsp_range(file, n->begin, n->end), "detail",
                     fh_name_kind_text(n->kind), "children");
}

/* The symbol whose body a definition stands in; NULL: none. `symbols`: of the names so far. */
static json_t *parent_of(const struct fh_source_file *file, json_t *const *symbols, size_t i) {
    const struct fh_name_index *x = &file->index;
    for (uint32_t block = x->names[i].block; block != FH_BLOCK_WHOLE;
         block = x->blocks[block].outer)
        for (size_t k = i; k-- > 0;)
            if (x->names[k].body == block && symbols[k])
                return symbols[k];
    return NULL;
}

json_t *fh_lsp_symbols(struct fh_lsp *lsp, const json_t *params, struct fh_lsp_error *error) {
    const struct fh_lsp_document *document = fh_lsp_document_of(lsp, params, error);
    if (!document)
        return NULL;
    const struct fh_source_file *file = document->file;
    const struct fh_name_index *x = &file->index;
    json_t *list = json_array(), **symbols = calloc(x->name_count + 1, sizeof *symbols);
    bool good = list && symbols;
    for (size_t i = 0; i < x->name_count && good; i++) {
        if (x->names[i].kind == FH_NAME_PARAMETER)
            continue;
        json_t *parent = parent_of(file, symbols, i);
        json_t *to = parent ? json_object_get(parent, "children") : list;
        symbols[i] = symbol(file, &x->names[i]);
        good = json_array_append_new(to, symbols[i]) == 0;
    }
    free(symbols);
    return list_or(list, good, error);
}

/* ---------------------------------------------------------------- kinds of words */

enum token_type {
    TYPE_COMMENT,
    TYPE_STRING,
    TYPE_NUMBER,
    TYPE_OPERATOR,
    TYPE_KEYWORD,  /* directives */
    TYPE_FUNCTION, /* instructions */
    TYPE_MACRO,
    TYPE_PARAMETER,
    TYPE_VARIABLE, /* registers and what stands for them */
    TYPE_NAME,
    TYPE_LABEL,
    TYPE_CONTROL,
    TYPE_NONE,
};

json_t *fh_lsp_token_types(void) {
    return json_pack("[s, s, s, s, s, s, s, s, s, s, s, s]", "comment", "string", "number",
                     "operator", "keyword", "function", "macro", "parameter", "variable",
                     "property", "label", "decorator");
}

static bool is_macro(const struct fh_source_set *set, const char *text, size_t length) {
    for (size_t f = 0; f < set->count; f++) {
        const struct fh_name_index *x = &set->files[f]->index;
        for (size_t i = 0; i < x->name_count; i++)
            if (x->names[i].kind == FH_NAME_MACRO &&
                x->names[i].end - x->names[i].begin == length &&
                memcmp(set->files[f]->text + x->names[i].begin, text, length) == 0)
                return true;
    }
    return false;
}

/* Registers by the machine's names; all other words are names. */
static enum token_type word_type(const char *text, size_t length) {
    const char *dot = memchr(text, '.', length);
    size_t head = dot ? (size_t)(dot - text) : length;
    return fh_is_machine_name(text, length) || fh_is_machine_name(text, head) ? TYPE_VARIABLE
                                                                              : TYPE_NAME;
}

static enum token_type type_of(const struct fh_source_set *set, const struct fh_source_token *t,
                               bool parameter) {
    const char *text = set->files[0]->text + t->begin;
    size_t length = t->end - t->begin;
    switch (t->kind) {
    case FH_SOURCE_COMMENT: return TYPE_COMMENT;
    case FH_SOURCE_STRING:
    case FH_SOURCE_RAW: return TYPE_STRING;
    case FH_SOURCE_NUMBER: return TYPE_NUMBER;
    case FH_SOURCE_OPERATOR: return TYPE_OPERATOR;
    case FH_SOURCE_DIRECTIVE: return TYPE_KEYWORD;
    case FH_SOURCE_LABEL: return TYPE_LABEL;
    case FH_SOURCE_CONTROL: return TYPE_CONTROL;
    case FH_SOURCE_BACKSLASH: return TYPE_PARAMETER;
    case FH_SOURCE_DEFINES: return TYPE_NAME;
    case FH_SOURCE_WORD: return parameter ? TYPE_PARAMETER : word_type(text, length);
    case FH_SOURCE_MNEMONIC:
        return parameter                     ? TYPE_PARAMETER
               : is_macro(set, text, length) ? TYPE_MACRO
                                             : TYPE_FUNCTION;
    default: return TYPE_NONE;
    }
}

struct encoding {
    json_t *data;
    struct fh_text_position last;
    struct fh_text_cursor cursor;
    bool good;
};

static void put(struct encoding *e, struct fh_text_position at, uint32_t units,
                enum token_type type) {
    uint32_t lines = at.line - e->last.line;
    const uint32_t numbers[] = {lines, lines ? at.character : at.character - e->last.character,
                                units, (uint32_t)type, 0};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && e->good; i++)
        e->good = json_array_append_new(e->data, json_integer(numbers[i])) == 0;
    e->last = at;
}

/* A token of several lines is one in each of them. */
static void put_token(struct encoding *e, const struct fh_source_file *file,
                      const struct fh_source_token *t, enum token_type type) {
    struct fh_text_position at = fh_text_advance(&file->map, &e->cursor, t->begin);
    struct fh_text_position end = fh_text_advance(&file->map, &e->cursor, t->end);
    for (; e->good && at.line <= end.line; at = (struct fh_text_position){at.line + 1, 0}) {
        size_t stop = fh_text_line_end(&file->map, at.line);
        uint32_t last =
            at.line == end.line ? end.character : fh_text_position_of(&file->map, stop).character;
        uint32_t units = last - at.character;
        if (units)
            put(e, at, units, type);
    }
}

json_t *fh_lsp_semantic_tokens(struct fh_lsp *lsp, const json_t *params,
                               struct fh_lsp_error *error) {
    const struct fh_lsp_document *document = fh_lsp_document_of(lsp, params, error);
    struct fh_source_set set;
    if (!document)
        return NULL;
    if (!fh_lsp_set_of(lsp, document, &set))
        return no_memory(error);
    const struct fh_source_tokens *tokens = &document->file->tokens;
    struct encoding e = {.data = json_array()};
    e.good = e.data != NULL;
    for (size_t i = 0; i < tokens->count && e.good; i++) {
        const struct fh_source_token *t = &tokens->list[i];
        bool parameter = i > 0 && t[-1].kind == FH_SOURCE_BACKSLASH && t[-1].end == t->begin;
        enum token_type type = type_of(&set, t, parameter);
        if (type != TYPE_NONE)
            put_token(&e, document->file, t, type);
    }
    free((void *)set.files);
    json_t *result = e.good ? json_pack("{s:O}", "data", e.data) : NULL;
    json_decref(e.data);
    return result ? result : no_memory(error);
}
