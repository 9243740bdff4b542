/*
 * name_index.c - see name_index.h. One pass over the statements of a text; a directive says what
 * the words behind it are, and which block it opens or ends.
 */
#include "name_index.h"
#include "array.h"
#include "isa.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_OPEN = 256 /* blocks and conditions that are open at once; deeper ones are not seen */ };

struct open_part {
    char ends;      /* 'k' .end, 'm' .endm, 'r' .endr, 'i' .endif */
    uint32_t block; /* the one that was open before it */
    uint32_t own;   /* the one that it opened */
    uint32_t begin; /* for folding */
};

struct indexing {
    struct fh_name_index *x;
    const char *text;
    const struct fh_source_token *t; /* of the statement */
    size_t count;
    uint32_t block; /* the open one */
    struct open_part open[MAX_OPEN];
    unsigned depth;
    bool failed;
};

static bool is_text(const struct indexing *d, const struct fh_source_token *t, const char *wanted) {
    size_t length = t->end - t->begin;
    return strlen(wanted) == length && memcmp(d->text + t->begin, wanted, length) == 0;
}

static bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* ---------------------------------------------------------------- parts of the index */

static uint32_t add_block(struct indexing *d, enum fh_block_kind kind, uint32_t begin) {
    struct fh_name_index *x = d->x;
    if (!fh_grow(&x->blocks, &x->block_capacity, x->block_count + 1, sizeof *x->blocks)) {
        d->failed = true;
        return FH_BLOCK_WHOLE;
    }
    x->blocks[x->block_count] = (struct fh_name_block){kind, d->block, begin, UINT32_MAX};
    return (uint32_t)x->block_count++;
}

/* The end of the statement's last token that is no comment. */
static uint32_t statement_end(const struct indexing *d) {
    size_t count = d->count;
    while (count > 1 && d->t[count - 1].kind == FH_SOURCE_COMMENT)
        count--;
    return d->t[count - 1].end;
}

static struct fh_name *add_name(struct indexing *d, enum fh_name_kind kind, uint32_t begin,
                                uint32_t end) {
    struct fh_name_index *x = d->x;
    if (!fh_grow(&x->names, &x->name_capacity, x->name_count + 1, sizeof *x->names)) {
        d->failed = true;
        return NULL;
    }
    struct fh_name *name = &x->names[x->name_count++];
    *name = (struct fh_name){kind, begin, end, d->t[0].begin, statement_end(d), d->block, 0};
    return name;
}

static void add_use(struct indexing *d, enum fh_name_kind kind, uint32_t begin, uint32_t end) {
    struct fh_name_index *x = d->x;
    if (!fh_grow(&x->uses, &x->use_capacity, x->use_count + 1, sizeof *x->uses)) {
        d->failed = true;
        return;
    }
    x->uses[x->use_count++] = (struct fh_name_use){begin, end, kind, d->block};
}

static void add_fold(struct indexing *d, uint32_t begin, uint32_t end, bool comment) {
    struct fh_name_index *x = d->x;
    if (!memchr(d->text + begin, '\n', end - begin))
        return;
    if (!fh_grow(&x->folds, &x->fold_capacity, x->fold_count + 1, sizeof *x->folds)) {
        d->failed = true;
        return;
    }
    x->folds[x->fold_count++] = (struct fh_fold){begin, end, comment};
}

/* ---------------------------------------------------------------- blocks */

static void open_part(struct indexing *d, char ends, enum fh_block_kind kind) {
    uint32_t before = d->block, own = before;
    if (d->depth == MAX_OPEN)
        return;
    if (ends != 'i')
        own = d->block = add_block(d, kind, d->t[0].begin);
    d->open[d->depth++] = (struct open_part){ends, before, own, d->t[0].begin};
}

static void close_top(struct indexing *d, uint32_t end) {
    const struct open_part *top = &d->open[--d->depth];
    if (top->own != top->block)
        d->x->blocks[top->own].end = end;
    d->block = top->block;
    add_fold(d, top->begin, end, false);
}

/* Ends the innermost part of that kind, and what is left open in it; nothing if there is none, or a
 * macro is around it that the end does not belong to. */
static void close_part(struct indexing *d, char ends) {
    unsigned i = d->depth;
    while (i > 0 && d->open[i - 1].ends != ends && (ends == 'm' || d->open[i - 1].ends != 'm'))
        i--;
    if (i == 0 || d->open[i - 1].ends != ends)
        return;
    while (d->depth >= i)
        close_top(d, statement_end(d));
}

/* ---------------------------------------------------------------- statements */

/* What directives do to names. */
static const struct naming {
    const char *directive;
    char defines; /* 'n' number, 'g' registers, 'd' data, 'c' code, 'm' macro, 'p' parameter, 'v'
                     value */
    char opens;   /* as open_part.ends */
    char closes;
} namings[] = {
    {".constant", 'd', 0, 0},     {".else", 0, 0, 0},      {".end", 0, 0, 'k'},
    {".endif", 0, 0, 'i'},        {".endm", 0, 0, 'm'},    {".endr", 0, 0, 'r'},
    {".equ", 'n', 0, 0},          {".extern", 'c', 0, 0},  {".frame", 'd', 0, 0},
    {".function", 'c', 'k', 'k'}, {".if", 0, 'i', 0},      {".ifdef", 0, 'i', 0},
    {".ifndef", 0, 'i', 0},       {".irp", 'p', 'r', 0},   {".kernel", 'c', 'k', 'k'},
    {".let", 'v', 0, 0},          {".macro", 'm', 'm', 0}, {".param", 'd', 0, 0},
    {".reg", 'g', 0, 0},          {".rept", 0, 'r', 0},    {".set", 'n', 0, 0},
    {".shared", 'd', 0, 0},
};

static const struct naming *naming_of(const struct indexing *d, const struct fh_source_token *t) {
    for (size_t i = 0; i < sizeof namings / sizeof *namings; i++)
        if (is_text(d, t, namings[i].directive))
            return &namings[i];
    return NULL;
}

/* Whether a macro's parameter goes on where the word ends, as in sum\e: it is no name yet. */
static bool is_begun(const struct indexing *d, const struct fh_source_token *t) {
    return t + 1 < d->t + d->count && t[1].kind == FH_SOURCE_BACKSLASH && t[1].begin == t->end;
}

/* The words behind a backslash: a parameter's name ends where a name's characters do. */
static void use_parameter(struct indexing *d, const struct fh_source_token *t) {
    uint32_t end = t->begin;
    while (end < t->end && is_name_character(d->text[end]))
        end++;
    if (end > t->begin)
        add_use(d, FH_NAME_PARAMETER, t->begin, end);
}

static void use_word(struct indexing *d, size_t i) {
    const struct fh_source_token *t = &d->t[i];
    if (i > 0 && t[-1].kind == FH_SOURCE_BACKSLASH && t[-1].end == t->begin)
        use_parameter(d, t);
    else if (is_begun(d, t))
        return;
    else if (t->kind == FH_SOURCE_MNEMONIC)
        add_use(d, FH_NAME_MACRO, t->begin, t->end);
    else if (d->text[t->begin] != '.' || t->end - t->begin > 1)
        add_use(d, FH_NAME_LABEL, t->begin, t->end);
}

/* All words from the i-th token on. */
static void use_rest(struct indexing *d, size_t i) {
    for (; i < d->count; i++) {
        const struct fh_source_token *t = &d->t[i];
        if (t->kind == FH_SOURCE_WORD || t->kind == FH_SOURCE_MNEMONIC ||
            t->kind == FH_SOURCE_DEFINES)
            use_word(d, i);
        else if (t->kind == FH_SOURCE_LABEL && i > 0 && t[-1].kind == FH_SOURCE_BACKSLASH)
            use_parameter(d, t);
    }
}

/* The words of an expectation but those that have a meaning of their own there. */
static void use_expectation(struct indexing *d, size_t i) {
    static const char *const own[] = {"i",       "j",       "lane", "warp", "block", "block.x",
                                      "block.y", "block.z", "q",    "u64",  "s64",   "mod"};
    for (; i < d->count; i++) {
        bool is_own = d->t[i].kind != FH_SOURCE_WORD;
        for (size_t k = 0; k < sizeof own / sizeof *own && !is_own; k++)
            is_own = is_text(d, &d->t[i], own[k]) && d->t[i - 1].kind != FH_SOURCE_BACKSLASH;
        if (!is_own)
            use_word(d, i);
    }
}

/* A macro's parameters: the first word, and each behind a comma outside of brackets. */
static void define_parameters(struct indexing *d, size_t i) {
    bool begins = true;
    for (int depth = 0; i < d->count; i++) {
        const struct fh_source_token *t = &d->t[i];
        char c = d->text[t->begin];
        if (t->kind == FH_SOURCE_WORD && begins)
            add_name(d, FH_NAME_PARAMETER, t->begin, t->end);
        else if (t->kind == FH_SOURCE_WORD)
            use_word(d, i);
        begins = t->kind == FH_SOURCE_COMMA && depth == 0;
        if (t->kind == FH_SOURCE_OPERATOR)
            depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    }
}

static const struct fh_source_token *second_word(const struct indexing *d, size_t i) {
    while (i < d->count && d->t[i].kind != FH_SOURCE_COMMA)
        i++;
    return i + 1 < d->count && d->t[i + 1].kind == FH_SOURCE_WORD ? &d->t[i + 1] : NULL;
}

/* The name that a directive at token i defines, and what follows it. */
static void define(struct indexing *d, size_t i, const struct naming *n) {
    static const char order[] = "ngdcmpv";
    static const uint8_t kinds[] = {FH_NAME_NUMBER, FH_NAME_REGISTERS, FH_NAME_DATA, FH_NAME_CODE,
                                    FH_NAME_MACRO,  FH_NAME_PARAMETER, FH_NAME_VALUE};
    const struct fh_source_token *t = i + 1 < d->count ? &d->t[i + 1] : NULL;
    bool outside = n->defines == 'm' || n->defines == 'c'; /* named outside of what it opens */
    struct fh_name *name = NULL;
    bool known = t && t->kind == FH_SOURCE_DEFINES && !is_begun(d, t);
    if (known && outside)
        name = add_name(d, kinds[strchr(order, n->defines) - order], t->begin, t->end);
    if (n->opens)
        open_part(d, n->opens,
                  n->opens == 'k'   ? FH_BLOCK_CODE
                  : n->opens == 'm' ? FH_BLOCK_MACRO
                                    : FH_BLOCK_REPETITION);
    if (name && n->opens)
        name->body = d->block;
    if (known && n->defines && !outside)
        add_name(d, kinds[strchr(order, n->defines) - order], t->begin, t->end);
    if (n->defines == 'm' && known) {
        define_parameters(d, i + 2);
        return;
    }
    const struct fh_source_token *counter =
        n->opens == 'r' && !n->defines ? second_word(d, i) : NULL;
    if (counter)
        add_name(d, FH_NAME_PARAMETER, counter->begin, counter->end);
    if (n->defines == 'v') {
        use_expectation(d, known ? i + 2 : i + 1);
        return;
    }
    for (size_t k = known && n->defines ? i + 2 : i + 1; k < d->count; k++)
        if (&d->t[k] != counter &&
            (d->t[k].kind == FH_SOURCE_WORD || d->t[k].kind == FH_SOURCE_DEFINES))
            use_word(d, k);
}

/* Whether some instruction has an operand of that name; "D" is Rd as a matrix. */
static bool is_operand(const char *text, size_t length) {
    if (length == 1 && *text == 'D')
        return true;
    for (unsigned f = 0; f < fh_form_count; f++)
        for (unsigned o = 0; o < fh_forms[f].operand_count; o++)
            if (strlen(fh_forms[f].operands[o].name) == length &&
                memcmp(fh_forms[f].operands[o].name, text, length) == 0)
                return true;
    return false;
}

/* The first word of .expect is an operand of the instruction behind it, if it can be one, before it
 * is a register's name. */
static size_t behind_operand(const struct indexing *d, size_t i) {
    const struct fh_source_token *t = &d->t[i];
    bool indexed = i + 1 < d->count && d->text[t[1].begin] == '[' && t[1].begin == t->end;
    return i < d->count && t->kind == FH_SOURCE_WORD && !indexed &&
                   is_operand(d->text + t->begin, t->end - t->begin)
               ? i + 1
               : i;
}

static void index_directive(struct indexing *d, size_t i) {
    const struct fh_source_token *t = &d->t[i];
    const struct naming *n = naming_of(d, t);
    if (n && n->closes)
        close_part(d, n->closes);
    if (n && (n->defines || n->opens)) {
        define(d, i, n);
        return;
    }
    bool include = is_text(d, t, ".include");
    for (size_t k = i + 1; k < d->count && include; k++)
        if (d->t[k].kind == FH_SOURCE_STRING && d->t[k].end - d->t[k].begin > 2)
            add_use(d, FH_NAME_FILE, d->t[k].begin + 1, d->t[k].end - 1);
    if (is_text(d, t, ".expect"))
        use_expectation(d, behind_operand(d, i + 1));
    else if (is_text(d, t, ".ensure"))
        use_expectation(d, i + 1);
    else
        use_rest(d, i + 1);
}

/* A label whose name is plain; one with a parameter in its name has none to be found by. */
static void index_label(struct indexing *d, const struct fh_source_token *t) {
    char first = d->text[t->begin];
    if (first < '0' || first > '9')
        add_name(d, FH_NAME_LABEL, t->begin, t->end - 1);
}

static void index_statement(struct indexing *d) {
    for (size_t i = 0; i < d->count; i++) {
        const struct fh_source_token *t = &d->t[i];
        if (t->kind == FH_SOURCE_LABEL && (i == 0 || t[-1].kind != FH_SOURCE_BACKSLASH)) {
            index_label(d, t);
        } else if (t->kind == FH_SOURCE_DIRECTIVE) {
            index_directive(d, i);
            return;
        } else if (t->kind != FH_SOURCE_COMMENT) {
            use_rest(d, i);
            return;
        }
    }
}

/* ---------------------------------------------------------------- the text */

/* Comments alone on lines that follow one another, and each of several lines. */
static size_t fold_comments(struct indexing *d, const struct fh_source_tokens *tokens, size_t i) {
    const struct fh_source_token *list = tokens->list;
    size_t last = i;
    while (last + 2 < tokens->count && list[last + 1].kind == FH_SOURCE_NEWLINE &&
           list[last + 2].kind == FH_SOURCE_COMMENT)
        last += 2;
    add_fold(d, list[i].begin, list[last].end, true);
    return last;
}

bool fh_name_index_make(struct fh_name_index *index, const char *text,
                        const struct fh_source_tokens *tokens) {
    struct indexing *d = calloc(1, sizeof *d);
    *index = (struct fh_name_index){0};
    if (!d)
        return false;
    *d = (struct indexing){.x = index, .text = text};
    (void)add_block(d, FH_BLOCK_TEXT, 0);
    const struct fh_source_token *list = tokens->list;
    for (size_t i = 0, first = 0; i < tokens->count && !d->failed; i++) {
        bool ends = list[i].kind == FH_SOURCE_NEWLINE || list[i].kind == FH_SOURCE_SEMICOLON;
        bool alone = i == 0 || list[i - 1].kind == FH_SOURCE_NEWLINE;
        if (list[i].kind == FH_SOURCE_COMMENT && alone && first == i) {
            i = fold_comments(d, tokens, i);
            first = i + 1;
            continue;
        }
        if (!ends && i + 1 < tokens->count)
            continue;
        d->t = &list[first];
        d->count = i + !ends - first;
        if (d->count)
            index_statement(d);
        first = i + 1;
    }
    bool good = !d->failed;
    free(d);
    if (!good)
        fh_name_index_free(index);
    return good;
}

void fh_name_index_free(struct fh_name_index *index) {
    free(index->blocks);
    free(index->names);
    free(index->uses);
    free(index->folds);
    *index = (struct fh_name_index){0};
}

bool fh_block_within(const struct fh_name_index *index, uint32_t inner, uint32_t outer) {
    while (inner != outer && inner != FH_BLOCK_WHOLE)
        inner = index->blocks[inner].outer;
    return inner == outer;
}

uint32_t fh_block_around(const struct fh_name_index *index, uint32_t block,
                         enum fh_block_kind kind) {
    while (block != FH_BLOCK_WHOLE && index->blocks[block].kind != kind)
        block = index->blocks[block].outer;
    return block;
}
