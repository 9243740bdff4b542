/*
 * format.c - see format.h. Lines are laid out one by one, all but their comments; then the columns
 * of the comments are chosen for each run of lines.
 */
#include "format.h"
#include "source_tokens.h"

#include <stdlib.h>
#include <string.h>

enum { INDENT = 4, TAB = 8, FAR = 8 /* columns: a comment there belongs to the line above */ };

enum line_kind { LINE_AS_IT_IS, LINE_EMPTY, LINE_COMMENT, LINE_CODE };

struct line {
    enum line_kind kind;
    size_t begin, end, next;            /* bytes: its text, and the next line */
    size_t first, count;                /* tokens */
    const struct fh_source_token *note; /* the comment behind the code, or alone; NULL: none */
    size_t code, code_bytes;            /* its code, laid out: bytes of `code` */
    size_t width;                       /* columns of that */
    size_t stands;                      /* column of the comment, as it is written */
    size_t column;                      /* as it will be */
};

struct format {
    const char *text;
    size_t length;
    struct fh_source_tokens tokens;
    struct line *lines;
    size_t count, capacity;
    struct fh_bytes code;
    struct fh_bytes *out;
};

static bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r' && c != '\n');
}

/* Columns that a text takes from column `from` on: of UTF-8, one a character. */
static size_t columns(const char *text, size_t length, size_t from) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\t')
            from += TAB - from % TAB;
        else
            from += ((unsigned char)text[i] & 0xc0) != 0x80;
    }
    return from;
}

/* ---------------------------------------------------------------- lines */

/* Bytes of a mark of the byte order, which is no part of a token or of a line. */
static size_t mark_bytes(const struct format *f) {
    return f->length >= 3 && memcmp(f->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

static bool find_lines(struct format *f) {
    for (size_t at = mark_bytes(f); at < f->length;) {
        const char *newline = memchr(f->text + at, '\n', f->length - at);
        size_t end = newline ? (size_t)(newline - f->text) : f->length;
        if (!fh_grow(&f->lines, &f->capacity, f->count + 1, sizeof *f->lines))
            return false;
        struct line *line = &f->lines[f->count++];
        *line = (struct line){.kind = LINE_EMPTY, .begin = at, .next = end + (newline != NULL)};
        while (end > at && is_blank(f->text[end - 1]))
            end--;
        line->end = end;
        at = line->next;
    }
    return true;
}

/* Gives each line its tokens. One that a token shares with other lines stays as it is. */
static void give_tokens(struct format *f) {
    size_t l = 0;
    for (size_t i = 0; i < f->tokens.count; i++) {
        const struct fh_source_token *t = &f->tokens.list[i];
        if (t->kind == FH_SOURCE_NEWLINE)
            continue;
        while (t->begin >= f->lines[l].next)
            l++;
        if (t->end > f->lines[l].next) {
            while (t->end > f->lines[l].next)
                f->lines[l++].kind = LINE_AS_IT_IS;
            f->lines[l].kind = LINE_AS_IT_IS;
            continue;
        }
        if (!f->lines[l].count++)
            f->lines[l].first = i;
        if (t->kind == FH_SOURCE_BAD)
            f->lines[l].kind = LINE_AS_IT_IS;
    }
}

/* ---------------------------------------------------------------- code */

static bool is_one_of(const char *name, size_t length, const char *const *list) {
    for (; *list; list++)
        if (strlen(*list) == length && memcmp(*list, name, length) == 0)
            return true;
    return false;
}

/* Directives whose operands may be a table, with columns of its own. */
static bool is_table(const struct format *f, const struct fh_source_token *t) {
    static const char *const tables[] = {".byte", ".short", ".word", ".dword", ".test", NULL};
    return t->kind == FH_SOURCE_DIRECTIVE &&
           is_one_of(f->text + t->begin, t->end - t->begin, tables);
}

/* How far a line is indented that begins with that token. Data, .let and .ensure may stand in the
 * first column or not. SIZE_MAX: no statement begins so. */
static size_t indentation(const struct format *f, const struct line *line) {
    static const char *const inner[] = {".expect", ".inst", NULL};
    static const char *const either[] = {".byte", ".short", ".word",   ".dword",
                                         ".zero", ".let",   ".ensure", NULL};
    const struct fh_source_token *t = &f->tokens.list[line->first];
    const struct fh_source_token *last = t + line->count - (line->note ? 2 : 1);
    const char *name = f->text + t->begin;
    size_t length = t->end - t->begin;
    switch (t->kind) {
    case FH_SOURCE_LABEL: return 0;
    case FH_SOURCE_DIRECTIVE:
        if (is_one_of(name, length, inner))
            return INDENT;
        return is_one_of(name, length, either) && t->begin > line->begin ? INDENT : 0;
    case FH_SOURCE_MNEMONIC:
    case FH_SOURCE_BACKSLASH: /* a label that has a parameter in its name is none to the lexer */
        return last->kind == FH_SOURCE_OPERATOR && f->text[last->begin] == ':' ? 0 : INDENT;
    case FH_SOURCE_CONTROL:
    case FH_SOURCE_COMMENT:
    case FH_SOURCE_SEMICOLON: return INDENT;
    case FH_SOURCE_OPERATOR: return *name == '@' ? INDENT : SIZE_MAX;
    default: return SIZE_MAX;
    }
}

/* Blanks between two tokens, where `written` are. */
static size_t blanks(const struct fh_source_token *before, const struct fh_source_token *t,
                     size_t written, int depth) {
    if (t->kind == FH_SOURCE_SEMICOLON || before->kind == FH_SOURCE_SEMICOLON ||
        before->kind == FH_SOURCE_LABEL)
        return 1;
    if (t->kind == FH_SOURCE_COMMA && depth == 0)
        return 0;
    if (before->kind == FH_SOURCE_COMMA && depth == 0)
        return 1;
    return written > 0;
}

static int opens(char c) {
    return c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
}

static void put_blanks(struct fh_bytes *to, size_t count) {
    static const char blank[] = "                                ";
    for (size_t n; count; count -= n) {
        n = count < sizeof blank - 1 ? count : sizeof blank - 1;
        fh_bytes_put(to, blank, n);
    }
}

/* The line's code without its comment. */
static void lay_out(struct format *f, struct line *line, size_t indent) {
    const struct fh_source_token *list = &f->tokens.list[line->first];
    size_t count = line->count - (line->note != NULL);
    bool table = false;
    int depth = 0;
    line->code = f->code.count;
    put_blanks(&f->code, indent);
    for (size_t i = 0; i < count; i++) {
        const struct fh_source_token *t = &list[i];
        if (i > 0) {
            size_t from = t[-1].end, written = t->begin - from;
            if (table && t->kind != FH_SOURCE_SEMICOLON)
                fh_bytes_put(&f->code, f->text + from, written);
            else
                put_blanks(&f->code, blanks(t - 1, t, written, depth));
        }
        fh_bytes_put(&f->code, f->text + t->begin, t->end - t->begin);
        if (t->kind == FH_SOURCE_OPERATOR)
            depth += opens(f->text[t->begin]);
        if (t->kind == FH_SOURCE_SEMICOLON)
            depth = 0;
        table = t->kind != FH_SOURCE_SEMICOLON && (table || is_table(f, t));
    }
    line->code_bytes = f->code.count - line->code;
    if (line->code_bytes)
        line->width = columns((const char *)f->code.data + line->code, line->code_bytes, 0);
}

static void lay_out_line(struct format *f, struct line *line) {
    if (line->kind == LINE_AS_IT_IS || !line->count)
        return;
    const struct fh_source_token *last = &f->tokens.list[line->first + line->count - 1];
    if (last->kind == FH_SOURCE_COMMENT) {
        line->note = last;
        line->stands = columns(f->text + line->begin, last->begin - line->begin, 0);
    }
    line->kind = line->note && line->count == 1 ? LINE_COMMENT : LINE_CODE;
    if (line->kind == LINE_COMMENT) {
        line->column = line->stands == 0 || line->stands >= FAR ? line->stands : INDENT;
        return;
    }
    size_t indent = indentation(f, line);
    if (indent == SIZE_MAX)
        line->kind = LINE_AS_IT_IS;
    else
        lay_out(f, line, indent);
}

/* ---------------------------------------------------------------- comments */

/* Whether a line belongs to a run of lines with comments beside code: also one with the rest of the
 * comment of the line before. */
static bool in_run(const struct line *line, bool open) {
    return (line->kind == LINE_CODE && line->note) ||
           (open && line->kind == LINE_COMMENT && line->stands >= FAR);
}

/* The column for a comment that cannot stay where it is. */
static size_t next_column(size_t width) {
    size_t column = (width + 2 + INDENT - 1) / INDENT * INDENT;
    return column < FAR ? FAR : column;
}

static bool fits(const struct line *line, size_t column) {
    return column >= FAR && line->width < column;
}

/* Where more than half of the comments stand and can stay; 0: nowhere. */
static size_t common_column(const struct line *lines, size_t count) {
    size_t candidate = 0, votes = 0;
    for (size_t i = 0; i < count; i++) { /* Boyer and Moore: if there is one, it is this one */
        size_t here = fits(&lines[i], lines[i].stands) ? lines[i].stands : SIZE_MAX;
        if (!votes)
            candidate = here;
        if (here == candidate)
            votes++;
        else
            votes--;
    }
    votes = 0;
    for (size_t i = 0; i < count; i++)
        votes += lines[i].stands == candidate && fits(&lines[i], candidate);
    return 2 * votes > count ? candidate : 0;
}

static void choose_columns(struct line *lines, size_t count) {
    size_t common = common_column(lines, count), needed = 0;
    for (size_t i = 0; i < count; i++)
        if (next_column(lines[i].width) > needed)
            needed = next_column(lines[i].width);
    for (size_t i = 0; i < count; i++) {
        lines[i].column = common ? common : needed;
        if (!fits(&lines[i], lines[i].column))
            lines[i].column = next_column(lines[i].width);
    }
}

static void place_comments(struct format *f) {
    for (size_t i = 0, n; i < f->count; i += n ? n : 1) {
        for (n = 0; i + n < f->count && in_run(&f->lines[i + n], n > 0); n++)
            ;
        if (n)
            choose_columns(&f->lines[i], n);
    }
}

/* ---------------------------------------------------------------- all of it */

static void put_line(struct format *f, const struct line *line) {
    if (line->kind == LINE_AS_IT_IS) {
        fh_bytes_put(f->out, f->text + line->begin, line->next - line->begin);
        return;
    }
    if (line->kind == LINE_CODE && line->code_bytes)
        fh_bytes_put(f->out, f->code.data + line->code, line->code_bytes);
    if (line->note) {
        size_t width = line->kind == LINE_CODE ? line->width : 0;
        put_blanks(f->out, line->column - width);
        fh_bytes_put(f->out, f->text + line->note->begin, line->end - line->note->begin);
    }
    const struct line *ends = line->next > line->begin && f->text[line->next - 1] == '\n'
                                  ? line
                                  : &f->lines[0]; /* the last line ends as the first one does */
    size_t newline = ends->next - 1;
    if (newline > 0 && f->text[newline] == '\n' && f->text[newline - 1] == '\r')
        fh_bytes_u8(f->out, '\r');
    fh_bytes_u8(f->out, '\n');
}

static bool format(struct format *f) {
    if (!find_lines(f))
        return false;
    give_tokens(f);
    for (size_t i = 0; i < f->count; i++)
        lay_out_line(f, &f->lines[i]);
    place_comments(f);
    while (f->count && f->lines[f->count - 1].kind == LINE_EMPTY)
        f->count--;
    fh_bytes_put(f->out, f->text, mark_bytes(f));
    for (size_t i = 0; i < f->count; i++)
        put_line(f, &f->lines[i]);
    return !f->code.failed;
}

bool fh_format_source(const char *text, size_t length, struct fh_bytes *formatted) {
    struct format f = {.text = text, .length = length, .out = formatted};
    *formatted = (struct fh_bytes){0};
    bool good = fh_source_tokens_read(text, length, &f.tokens);
    if (good && (f.tokens.listing || f.tokens.binary || !length))
        fh_bytes_put(formatted, text, length);
    else if (good)
        good = format(&f);
    fh_source_tokens_free(&f.tokens);
    free(f.lines);
    fh_bytes_free(&f.code);
    good = good && !formatted->failed;
    if (!good)
        fh_bytes_free(formatted);
    return good;
}
