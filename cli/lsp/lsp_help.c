/*
 * lsp_help.c - see lsp_help.h; and hover.
 */
#include "lsp_help.h"
#include "lsp_operands.h"
#include "source_tokens.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- where it is */

const struct fh_source_token *fh_lsp_token_at(const struct fh_source_file *file, size_t offset) {
    const struct fh_source_token *found = NULL;
    size_t low = offset ? fh_source_token_behind(&file->tokens, offset - 1) : 0;
    for (; low < file->tokens.count && file->tokens.list[low].begin <= offset; low++) {
        const struct fh_source_token *t = &file->tokens.list[low];
        bool plain = t->kind == FH_SOURCE_OPERATOR || t->kind == FH_SOURCE_COMMA ||
                     t->kind == FH_SOURCE_SEMICOLON || t->kind == FH_SOURCE_NEWLINE;
        if (!found || !plain)
            found = t;
    }
    return found;
}

uint32_t fh_lsp_block_at(const struct fh_source_file *file, size_t offset) {
    uint32_t found = FH_BLOCK_WHOLE;
    for (uint32_t i = 1; i < file->index.block_count; i++)
        if (file->index.blocks[i].begin <= offset && offset <= file->index.blocks[i].end)
            found = i; /* inner ones come behind outer ones */
    return found;
}

const struct fh_name *fh_lsp_macro(const struct fh_source_set *set, const char *name, size_t length,
                                   const struct fh_source_file **file) {
    for (size_t f = 0; f < set->count; f++) {
        *file = set->files[f];
        for (size_t i = 0; i < (*file)->index.name_count; i++) {
            const struct fh_name *n = &(*file)->index.names[i];
            if (n->kind == FH_NAME_MACRO && n->end - n->begin == length &&
                memcmp((*file)->text + n->begin, name, length) == 0)
                return n;
        }
    }
    return NULL;
}

/* The first token of the statement that `offset` is in or behind. */
static size_t statement_begin(const struct fh_source_file *file, size_t offset) {
    size_t i = fh_source_token_behind(&file->tokens, offset);
    while (i > 0 && file->tokens.list[i - 1].kind != FH_SOURCE_NEWLINE &&
           file->tokens.list[i - 1].kind != FH_SOURCE_SEMICOLON)
        i--;
    return i;
}

void fh_lsp_statement_before(const struct fh_source_file *file, size_t offset,
                             struct fh_lsp_statement *statement) {
    int depth = 0;
    bool guarded = false;
    *statement = (struct fh_lsp_statement){0};
    for (size_t i = statement_begin(file, offset); i < file->tokens.count; i++) {
        const struct fh_source_token *t = &file->tokens.list[i];
        char c = file->text[t->begin];
        if (t->begin >= offset)
            break;
        if (!statement->head) {
            if (t->kind == FH_SOURCE_OPERATOR && c == '@')
                statement->guard = guarded = true;
            else if (t->kind == FH_SOURCE_WORD && guarded)
                statement->guard = t->end >= offset;
            else if (t->end < offset && /* else it is what is being written */
                     (t->kind == FH_SOURCE_MNEMONIC || t->kind == FH_SOURCE_DIRECTIVE))
                statement->head = t;
        } else if (t->kind == FH_SOURCE_OPERATOR) {
            depth += c == '(' || c == '[' || c == '{'   ? 1
                     : c == ')' || c == ']' || c == '}' ? -1
                                                        : 0;
        } else if (t->kind == FH_SOURCE_COMMA && depth == 0) {
            statement->commas++;
        }
    }
}

/* ---------------------------------------------------------------- the book */

/* The mnemonic with a NUL, cut if it is longer than any. */
struct mnemonic {
    char text[64];
};
static struct mnemonic mnemonic_of(const char *name, size_t length) {
    struct mnemonic m = {{0}};
    memcpy(m.text, name, length < sizeof m.text ? length : sizeof m.text - 1);
    return m;
}

unsigned fh_lsp_pages(FILE *to, const char *mnemonic, size_t length, unsigned most) {
    struct mnemonic m = mnemonic_of(mnemonic, length);
    const char *name, *title;
    for (;;) {
        const char *page = fhec_isa_page(m.text);
        unsigned count = 0;
        if (page) {
            fputs(page, to);
            return 1;
        }
        length = strlen(m.text);
        for (size_t i = 0; length && count < most && fhec_isa_entry(i, &name, &title); i++)
            if (!strncmp(name, m.text, length) && name[length] == '.' &&
                (page = fhec_isa_page(name)) != NULL) {
                fprintf(to, "%s\n", page);
                count++;
            }
        char *dot = strrchr(m.text, '.');
        if (count || !dot)
            return count;
        *dot = '\0';
    }
}

/* ---------------------------------------------------------------- hover */

/* Comments alone on the lines before a definition, and the line itself. */
static void write_definition(FILE *to, const struct fh_source_file *file, const struct fh_name *n) {
    size_t line = fh_text_position_of(&file->map, n->begin).line, first = line;
    while (first > 0 && line - first < 20) {
        const char *text = file->text + file->map.lines[first - 1];
        if (strncmp(text, "//", 2) != 0)
            break;
        first--;
    }
    fprintf(to, "%s\n\n```sass\n", fh_name_kind_text(n->kind));
    for (; first <= line; first++) {
        size_t begin = file->map.lines[first];
        fprintf(to, "%.*s\n", (int)(fh_text_line_end(&file->map, first) - begin),
                file->text + begin);
    }
    fputs("```\n", to);
}

static void write_names(FILE *to, const struct fh_lsp_place *place, struct fh_name_place at) {
    struct fh_name_places found = {0};
    (void)fh_name_definitions(&place->set, at, &found);
    for (size_t i = 0; i < found.count && i < 4; i++) {
        const struct fh_source_file *file = place->set.files[found.list[i].file];
        write_definition(to, file, &file->index.names[found.list[i].index]);
    }
    fh_name_places_free(&found);
}

static const struct {
    const char *begins;
    const char *says;
} registers[] = {
    {"URZ", "uniform register, always zero"},
    {"UPT", "uniform predicate, always true"},
    {"UR", "uniform register: 32 bits, one for all lanes of the warp"},
    {"UP", "uniform predicate: one bit for all lanes of the warp"},
    {"RZ", "register, always zero; what is written to it is lost"},
    {"PT", "predicate, always true; what is written to it is lost"},
    {"SR_", "special register: S2R and its like read it"},
    {"SB", "scoreboard: counts what is under way"},
    {"PR", "all predicates as a mask"},
    {"R", "register: 32 bits of each lane"},
    {"P", "predicate: one bit of each lane"},
    {"B", "convergence barrier: a mask of lanes that wait for each other"},
};

static void write_register(FILE *to, const char *name, size_t length) {
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++)
        if (length >= strlen(registers[i].begins) &&
            !strncmp(name, registers[i].begins, strlen(registers[i].begins))) {
            fprintf(to, "**%.*s**: %s\n", (int)length, name, registers[i].says);
            return;
        }
}

static void write_directive(FILE *to, const char *name, size_t length) {
    const char *directive, *usage;
    for (size_t i = 0; fh_source_directive(i, &directive, &usage); i++)
        if (strlen(directive) == length && !memcmp(directive, name, length))
            fprintf(to, "```sass\n%s\n```\n", usage);
}

static void write_word(FILE *to, const struct fh_lsp_place *place,
                       const struct fh_source_token *t) {
    const char *text = place->file->text + t->begin;
    size_t length = t->end - t->begin, head = strcspn(text, ".");
    struct fh_lsp_statement statement;
    struct fh_name_place at;
    head = head < length ? head : length;
    if (fh_is_machine_name(text, length))
        write_register(to, text, length);
    else if (fh_is_machine_name(text, head))
        write_register(to, text, head);
    else if (fh_name_at(&place->set, 0, place->offset, &at))
        write_names(to, place, at);
    fh_lsp_statement_before(place->file, t->begin, &statement);
    if (t->kind == FH_SOURCE_WORD && statement.head && statement.head->kind == FH_SOURCE_MNEMONIC)
        fh_lsp_write_operand(to, place->file, statement.head, t->begin);
}

static void write_hover(FILE *to, const struct fh_lsp_place *place,
                        const struct fh_source_token *t) {
    const char *text = place->file->text + t->begin;
    const struct fh_source_file *file;
    size_t length = t->end - t->begin;
    switch (t->kind) {
    case FH_SOURCE_MNEMONIC:
        if (fh_lsp_macro(&place->set, text, length, &file))
            write_word(to, place, t);
        else
            (void)fh_lsp_pages(to, text, length, 4);
        break;
    case FH_SOURCE_DIRECTIVE: write_directive(to, text, length); break;
    case FH_SOURCE_WORD:
    case FH_SOURCE_LABEL:
    case FH_SOURCE_DEFINES: write_word(to, place, t); break;
    default: break;
    }
}

json_t *fh_lsp_hover(struct fh_lsp *lsp, const json_t *params, struct fh_lsp_error *error) {
    struct fh_lsp_place place;
    if (!fh_lsp_place_of(lsp, params, &place, error))
        return NULL;
    const struct fh_source_token *t = fh_lsp_token_at(place.file, place.offset);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out && t)
        write_hover(out, &place, t);
    json_t *hover = NULL;
    if (out && fclose(out) == 0)
        hover = size ? json_pack("{s:{s:s, s:o}, s:o}", "contents", "kind", "markdown", "value",
                                 fh_lsp_string(text, size), "range",
                                 fh_lsp_range(place.file, t->begin, t->end))
                     : json_null();
    free(text);
    fh_lsp_place_free(&place);
    return hover;
}
