/*
 * lsp_completion.c - what may stand at a place, and how what is being written there goes on.
 */
#include <stdlib.h>
#include <string.h>

#include "lsp_help.h"
#include "lsp_operands.h"

/* CompletionItemKind of the protocol. */
enum item_kind {
    ITEM_METHOD = 2,
    ITEM_FUNCTION = 3,
    ITEM_VARIABLE = 6,
    ITEM_PROPERTY = 10,
    ITEM_VALUE = 12,
    ITEM_KEYWORD = 14,
    ITEM_REFERENCE = 18,
    ITEM_CONSTANT = 21,
};

struct completion {
    const struct fh_lsp_place *place;
    size_t begin; /* of what is replaced, up to the place */
    json_t *items, *known;
    bool good;
};

static void offer(struct completion *c, const char *label, size_t length, enum item_kind kind,
                  const char *detail) {
    char *name = strndup(label, length);
    if (!name || json_object_get(c->known, name)) {
        c->good &= name != NULL;
        free(name);
        return;
    }
    json_t *item =
        json_pack("{s:o, s:i, s:o, s:{s:o, s:o}}", "label", fh_lsp_string(label, length), "kind",
                  (int)kind, "detail", fh_lsp_string(detail, strlen(detail)), "textEdit", "range",
                  fh_lsp_range(c->place->file, c->begin, c->place->offset), "newText",
                  fh_lsp_string(label, length));
    c->good = c->good && json_array_append_new(c->items, item) == 0 &&
              json_object_set_new(c->known, name, json_true()) == 0;
    free(name);
}

/* ---------------------------------------------------------------- heads of statements */

static void offer_directives(struct completion *c) {
    const char *name, *usage;
    for (size_t i = 0; fh_source_directive(i, &name, &usage); i++)
        offer(c, name, strlen(name), ITEM_KEYWORD, usage);
}

static void offer_instructions(struct completion *c) {
    const char *name, *title;
    for (size_t i = 0; fhec_isa_entry(i, &name, &title); i++)
        offer(c, name, strlen(name), ITEM_FUNCTION, title);
}

static void offer_macros(struct completion *c) {
    for (size_t f = 0; f < c->place->set.count; f++) {
        const struct fh_source_file *file = c->place->set.files[f];
        for (size_t i = 0; i < file->index.name_count; i++) {
            const struct fh_name *n = &file->index.names[i];
            if (n->kind == FH_NAME_MACRO)
                offer(c, file->text + n->begin, n->end - n->begin, ITEM_METHOD, "macro");
        }
    }
}

/* Modifiers: each word of each text that may follow the root. */
static void offer_modifiers(struct completion *c, const char *word, size_t length) {
    const char *text;
    char *mnemonic = strndup(word, length);
    for (size_t i = 0; mnemonic && fhec_isa_modifier(mnemonic, i, &text); i++)
        for (size_t n; *text; text += n + (text[n] == '.')) {
            n = strcspn(text, ".");
            offer(c, text, n, ITEM_PROPERTY, "modifier");
        }
    free(mnemonic);
}

/* ---------------------------------------------------------------- operands */

static enum item_kind item_kind(enum fh_name_kind kind) {
    switch (kind) {
    case FH_NAME_REGISTERS: return ITEM_VARIABLE;
    case FH_NAME_NUMBER: return ITEM_CONSTANT;
    case FH_NAME_LABEL: return ITEM_REFERENCE;
    default: return ITEM_VALUE;
    }
}

/* Whether a name may be meant at the place: those of another kernel are not. */
static bool is_visible(const struct completion *c, const struct fh_source_file *file,
                       const struct fh_name *n) {
    uint32_t here = fh_lsp_block_at(c->place->file, c->place->offset);
    uint32_t mine = fh_block_around(&c->place->file->index, here, FH_BLOCK_CODE);
    uint32_t code = fh_block_around(&file->index, n->block, FH_BLOCK_CODE);
    return code == FH_BLOCK_WHOLE || mine == FH_BLOCK_WHOLE || n->kind == FH_NAME_NUMBER ||
           (file == c->place->file && code == mine);
}

static void offer_names(struct completion *c) {
    for (size_t f = 0; f < c->place->set.count; f++) {
        const struct fh_source_file *file = c->place->set.files[f];
        for (size_t i = 0; i < file->index.name_count; i++) {
            const struct fh_name *n = &file->index.names[i];
            if (n->kind != FH_NAME_MACRO && n->kind != FH_NAME_PARAMETER && is_visible(c, file, n))
                offer(c, file->text + n->begin, n->end - n->begin, item_kind(n->kind),
                      fh_name_kind_text(n->kind));
        }
    }
}

static void offer_numbered(struct completion *c, const char *name, unsigned count) {
    char text[16];
    for (unsigned i = 0; i < count; i++)
        offer(c, text, (size_t)snprintf(text, sizeof text, "%s%u", name, i), ITEM_VARIABLE,
              "register");
}

/* The machine's registers: the numbered ones when somebody has begun to write one. */
static void offer_registers(struct completion *c, char first) {
    static const char *const others[] = {"RZ", "PT", "URZ", "UPT"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        offer(c, others[i], strlen(others[i]), ITEM_VARIABLE, "register");
    if (first == 'R')
        offer_numbered(c, "R", 255);
    if (first == 'U')
        offer_numbered(c, "UR", 63);
    if (first == 'P')
        offer_numbered(c, "P", 7);
    if (first == 'U')
        offer_numbered(c, "UP", 7);
}

static void offer_special(struct completion *c) {
    const char *name;
    for (size_t i = 0; (name = fh_special_register_name(i)) != NULL; i++)
        offer(c, name, strlen(name), ITEM_VARIABLE, "special register");
}

/* Parameters of the macros and repetitions around the place. */
static void offer_parameters(struct completion *c) {
    const struct fh_source_file *file = c->place->file;
    uint32_t block = fh_lsp_block_at(file, c->place->offset);
    for (; block != FH_BLOCK_WHOLE; block = file->index.blocks[block].outer)
        for (size_t i = 0; i < file->index.name_count; i++) {
            const struct fh_name *n = &file->index.names[i];
            if (n->kind == FH_NAME_PARAMETER && n->block == block)
                offer(c, file->text + n->begin, n->end - n->begin, ITEM_VARIABLE, "parameter");
        }
}

/* ---------------------------------------------------------------- the request */

static bool is_word_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '$';
}

static bool is_head(const struct fh_source_file *file, const struct fh_source_token *head,
                    const char *name) {
    size_t length = strlen(name);
    return head->end - head->begin >= length && !memcmp(file->text + head->begin, name, length);
}

static void complete(struct completion *c) {
    const struct fh_source_file *file = c->place->file;
    size_t word = c->place->offset;
    while (word > 0 && is_word_character(file->text[word - 1]))
        word--;
    const char *text = file->text + word;
    size_t length = c->place->offset - word, after_dot = length;
    while (after_dot > 0 && text[after_dot - 1] != '.')
        after_dot--;
    struct fh_lsp_statement statement;
    fh_lsp_statement_before(file, c->place->offset, &statement);
    const struct fh_source_token *at = fh_lsp_token_at(file, c->place->offset);
    if (at && at->begin < c->place->offset &&
        (at->kind == FH_SOURCE_COMMENT || at->kind == FH_SOURCE_STRING ||
         at->kind == FH_SOURCE_BAD))
        return;
    c->begin = word;
    if (word > 0 && file->text[word - 1] == '\\') {
        offer_parameters(c);
    } else if (statement.head || statement.guard) {
        offer_names(c);
        offer_registers(c, length ? *text : statement.guard ? 'P' : '\0');
        if (statement.head &&
            (is_head(file, statement.head, "S2") || is_head(file, statement.head, "CS2R")))
            offer_special(c);
    } else if (length && *text == '.') {
        offer_directives(c);
    } else if (after_dot) {
        c->begin = word + after_dot;
        offer_modifiers(c, text, after_dot - 1);
    } else {
        offer_instructions(c);
        offer_macros(c);
        offer_directives(c);
    }
}

json_t *fh_lsp_completion(struct fh_lsp *lsp, const json_t *params, struct fh_lsp_error *error) {
    struct fh_lsp_place place;
    if (!fh_lsp_place_of(lsp, params, &place, error))
        return NULL;
    struct completion c = {.place = &place, .items = json_array(), .known = json_object()};
    c.good = c.items && c.known;
    if (c.good)
        complete(&c);
    json_t *result = c.good ? json_pack("{s:b, s:O}", "isIncomplete", 0, "items", c.items) : NULL;
    json_decref(c.items);
    json_decref(c.known);
    fh_lsp_place_free(&place);
    return result;
}

/* ---------------------------------------------------------------- signatures */

/* "BUTTERFLY a, b, w": a macro's parameters, each by its bytes in the label. */
static json_t *macro_signature(const struct fh_source_file *file, const struct fh_name *macro,
                               unsigned active) {
    size_t end = fh_text_line_end(&file->map, fh_text_position_of(&file->map, macro->begin).line);
    const struct fh_name_index *x = &file->index;
    json_t *parameters = json_array();
    if (end > macro->last)
        end = macro->last;
    bool good = parameters != NULL;
    for (size_t i = 0; i < x->name_count && good; i++)
        if (x->names[i].kind == FH_NAME_PARAMETER && x->names[i].block == macro->body)
            good =
                json_array_append_new(
                    parameters, json_pack("{s:o}", "label",
                                          fh_lsp_string(file->text + x->names[i].begin,
                                                        x->names[i].end - x->names[i].begin))) == 0;
    json_t *help =
        good ? json_pack("{s:[{s:o, s:O}], s:i, s:i}", "signatures", "label",
                         fh_lsp_string(file->text + macro->begin, end - macro->begin), "parameters",
                         parameters, "activeSignature", 0, "activeParameter", (int)active)
             : NULL;
    json_decref(parameters);
    return help;
}

static json_t *plain_signature(const char *label, size_t length) {
    return json_pack("{s:[{s:o}], s:i}", "signatures", "label", fh_lsp_string(label, length),
                     "activeSignature", 0);
}

json_t *fh_lsp_signature(struct fh_lsp *lsp, const json_t *params, struct fh_lsp_error *error) {
    struct fh_lsp_place place;
    struct fh_lsp_statement statement;
    if (!fh_lsp_place_of(lsp, params, &place, error))
        return NULL;
    fh_lsp_statement_before(place.file, place.offset, &statement);
    const struct fh_source_token *head = statement.head;
    const struct fh_source_file *file;
    json_t *help = NULL;
    if (head) {
        const char *text = place.file->text + head->begin, *name, *line;
        size_t length = head->end - head->begin;
        const char *page = head->kind == FH_SOURCE_MNEMONIC ? fh_lsp_page(text, length) : NULL;
        const struct fh_name *macro = fh_lsp_macro(&place.set, text, length, &file);
        if (macro)
            help = macro_signature(file, macro, statement.commas);
        size_t n = page ? fh_lsp_syntax(page, &line) : 0;
        if (!help && n)
            help = plain_signature(line, n);
        for (size_t i = 0; !help && fh_source_directive(i, &name, &line); i++)
            if (strlen(name) == length && !memcmp(name, text, length))
                help = plain_signature(line, strlen(line));
    }
    fh_lsp_place_free(&place);
    return help ? help : json_null();
}
