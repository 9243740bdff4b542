/*
 * lsp_hints.c - behind each line of code, what the assembler makes of it: scheduling fields, where
 * the source gives none, how many words, and how many registers are live there.
 */
#include <stdlib.h>
#include <string.h>

#include "code_facts.h"
#include "lsp_files.h"
#include "lsp_json.h"
#include "lsp_program.h"

/* What is known of a line. */
struct line_facts {
    unsigned words;
    unsigned live;  /* the most */
    fhec_word word; /* the first one, */
    uint64_t pc;    /* its address, */
    bool here;      /* and whether it is written in the line itself, and not in a macro's body */
};

struct hinting {
    const struct fh_source_file *file;
    struct line_facts *lines; /* one for each of the file, as locations count them, from 1 */
    size_t count;
};

/* The line of the document that a word comes from: its own, or that of the outermost call. 0: it
 * comes from somewhere else. */
static uint32_t line_of(const struct hinting *h, const fhec_program *program, size_t kernel,
                        uint32_t word, bool *here) {
    fhec_expansion steps[FHEC_MAX_EXPANSIONS];
    size_t count = fhec_kernel_expansions(program, kernel, word, steps, FHEC_MAX_EXPANSIONS);
    fhec_location at = fhec_kernel_location(program, kernel, word);
    *here = at.file && !strcmp(at.file, h->file->path);
    /* A repetition's body stands in the document: the line is in it. */
    for (size_t i = 0; i < count && i < FHEC_MAX_EXPANSIONS && at.file; i++)
        if (steps[i].kind != FHEC_EXPANSION_REPETITION) {
            at = steps[i].at;
            *here = false;
        }
    return at.file && !strcmp(at.file, h->file->path) && at.line < h->count ? at.line : 0;
}

/* Registers live at each word; NULL: not known. */
static struct fh_code_fact *facts_of(const fhec_kernel_info *info, const fhec_program *program,
                                     size_t index) {
    struct fh_profiled_word *words = calloc(info->word_count + 1u, sizeof *words);
    struct fh_profiled_kernel kernel = {.program = program,
                                        .kernel = index,
                                        .words = words,
                                        .count = info->word_count,
                                        .own = info->word_count};
    for (uint32_t i = 0; words && i < info->word_count; i++)
        words[i].word = info->words[i];
    struct fh_code_fact *facts = words ? fh_code_facts(&kernel) : NULL;
    free(words);
    return facts;
}

static void take_kernel(struct hinting *h, const fhec_program *program, size_t index) {
    fhec_kernel_info info;
    if (fhec_kernel_get(program, index, &info) != FHEC_OK)
        return;
    struct fh_code_fact *facts = facts_of(&info, program, index);
    for (uint32_t i = 0; i < info.word_count; i++) {
        bool here;
        uint32_t line = line_of(h, program, index, i, &here);
        struct line_facts *l = &h->lines[line];
        if (!line)
            continue;
        if (!l->words++) {
            l->word = info.words[i];
            l->pc = (uint64_t)i * sizeof(fhec_word);
            l->here = here;
        }
        l->here &= here;
        if (facts && facts[i].known && facts[i].live > l->live)
            l->live = facts[i].live;
    }
    free(facts);
}

/* "[B0-----:R-:W-:-:S02]" of a word. */
static void control_of(const struct line_facts *l, char *text, size_t size) {
    char whole[400];
    *text = '\0';
    if (fhec_disassemble(l->word, l->pc, FHEC_DIS_CONTROL, whole, sizeof whole) < 0 ||
        whole[0] != '[')
        return;
    char *end = strchr(whole, ']');
    if (end)
        snprintf(text, size, "%.*s", (int)(end - whole + 1), whole);
}

/* Whether a control prefix is written in the line. */
static bool has_control(const struct fh_source_file *file, size_t begin, size_t end) {
    for (size_t i = fh_source_token_behind(&file->tokens, begin);
         i < file->tokens.count && file->tokens.list[i].begin < end; i++)
        if (file->tokens.list[i].begin >= begin && file->tokens.list[i].kind == FH_SOURCE_CONTROL)
            return true;
    return false;
}

/* The end of a line's code, before a comment. */
static size_t code_end(const struct fh_source_file *file, size_t begin, size_t end) {
    size_t at = begin;
    for (size_t i = fh_source_token_behind(&file->tokens, begin);
         i < file->tokens.count && file->tokens.list[i].begin < end; i++) {
        const struct fh_source_token *t = &file->tokens.list[i];
        if (t->begin >= begin && t->kind != FH_SOURCE_COMMENT && t->kind != FH_SOURCE_NEWLINE &&
            t->end <= end)
            at = t->end;
    }
    return at;
}

static bool add_hint(json_t *list, const struct hinting *h, size_t begin, size_t end,
                     const struct line_facts *l) {
    char label[160], control[64] = "";
    if (l->words == 1 && l->here && !has_control(h->file, begin, end))
        control_of(l, control, sizeof control);
    int used = l->words > 1 ? snprintf(label, sizeof label, "%u words, ", l->words)
                            : snprintf(label, sizeof label, "%s%s", control, *control ? " " : "");
    snprintf(label + used, sizeof label - (size_t)used, "%u live", l->live);
    size_t at = code_end(h->file, begin, end);
    json_t *range = fh_lsp_range(h->file, at, at);
    json_t *hint = json_pack("{s:O, s:s, s:b, s:s}", "position", json_object_get(range, "start"),
                             "label", label, "paddingLeft", 1, "tooltip",
                             l->words > 1 ? "words of machine code that this line makes, and the "
                                            "registers that are live in it"
                                          : "scheduling fields that the assembler chose, and the "
                                            "registers that are read by the instruction, or "
                                            "behind it before they are written");
    json_decref(range);
    return json_array_append_new(list, hint) == 0;
}

static bool add_hints(json_t *list, const struct hinting *h, const json_t *range) {
    struct fh_text_position start = {0, 0}, end = {UINT32_MAX, 0};
    const struct fh_source_file *file = h->file;
    (void)fh_lsp_read_position(json_object_get(range, "start"), &start);
    (void)fh_lsp_read_position(json_object_get(range, "end"), &end);
    size_t at = 0;
    for (uint32_t line = 1; line < h->count; line++) {
        const char *newline =
            at < file->length ? memchr(file->text + at, '\n', file->length - at) : NULL;
        size_t stop = newline ? (size_t)(newline - file->text) : file->length;
        if (h->lines[line].words) {
            uint32_t position = fh_text_position_of(&file->map, at).line;
            if (position >= start.line && position <= end.line &&
                !add_hint(list, h, at, stop, &h->lines[line]))
                return false;
        }
        at = stop + (newline != NULL);
    }
    return true;
}

json_t *fh_lsp_inlay_hints(struct fh_lsp *lsp, const json_t *params, struct fh_lsp_error *error) {
    const struct fh_lsp_document *document = fh_lsp_document_of(lsp, params, error);
    struct fh_lsp_program program;
    if (!document)
        return NULL;
    struct hinting h = {.file = document->file, .count = document->file->map.count + 2};
    json_t *list = json_array();
    h.lines = calloc(h.count, sizeof *h.lines);
    bool good = list && h.lines;
    fh_lsp_program_begin(&program, lsp, document->file);
    if (good && fh_lsp_assemble(&program, NULL, NULL) == FHEC_OK) {
        for (size_t i = 0; i < fhec_kernel_count(program.program); i++)
            take_kernel(&h, program.program, i);
        good = add_hints(list, &h, json_object_get(params, "range"));
    }
    fh_lsp_program_end(&program);
    free(h.lines);
    if (good)
        return list;
    json_decref(list);
    return NULL;
}
