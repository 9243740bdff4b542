/* template.c - see template.h. */
#include "template.h"
#include "asm.h"
#include "asm_memory.h"
#include "text_stack.h"

#include <string.h>

/* An iteration that expands to nothing still takes time, so each counts as a few bytes. */
enum { ITERATION_BYTES = 16 };

/* A run of a body: text to be copied, or what replaces a reference. */
enum { COPIED = -1, UNIQUE = -2, ITERATION = -3, NOTHING = -4 };
struct fh_template_run {
    uint32_t at, length; /* in the body */
    int what;            /* index of a parameter, or one of the above */
};

/* ---------------------------------------------------------------- pieces of raw operands */

bool fh_is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

static bool name_start(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

static bool name_char(char c) {
    return name_start(c) || (c >= '0' && c <= '9');
}

struct fh_piece fh_trimmed(const struct fh_lexeme *raw, size_t begin, size_t end) {
    while (begin < end && fh_is_blank(raw->text[begin]))
        begin++;
    while (end > begin && fh_is_blank(raw->text[end - 1]))
        end--;
    return (struct fh_piece){raw->text + begin, (uint32_t)(end - begin),
                             raw->at.begin + (uint32_t)begin};
}

bool fh_next_piece(const struct fh_lexeme *raw, size_t *at, struct fh_piece *piece) {
    const char *text = raw->text;
    size_t begin = *at, i = begin;
    int depth = 0;
    if (begin > raw->length || raw->length == 0)
        return false;
    for (; i < raw->length; i++) {
        char c = text[i];
        if (c == '"') {
            for (i++; i < raw->length && text[i] != '"'; i++)
                i += text[i] == '\\';
        } else if (c == '(' || c == '[' || c == '{') {
            depth++;
        } else if (c == ')' || c == ']' || c == '}') {
            depth--;
        } else if (c == ',' && depth <= 0) {
            break;
        }
    }
    if (i > raw->length)
        i = raw->length;
    *piece = fh_trimmed(raw, begin, i);
    *at = i + 1;
    return true;
}

uint32_t fh_leading_name(const struct fh_piece *p) {
    uint32_t n = 0;
    while (n < p->length && (n ? name_char(p->text[n]) : name_start(p->text[n])))
        n++;
    return n;
}

bool fh_piece_is(const struct fh_piece *a, const char *text, size_t length) {
    return a->length == length && memcmp(a->text, text, length) == 0;
}

/* ---------------------------------------------------------------- bodies in runs */

/* What the reference at text[0], a backslash, stands for; *length is how many bytes of the body it
 * takes, 0 if it is none of ours. \@ is a macro's, \+ a repetition's. */
static int reference(const char *text, size_t left, const struct fh_parameter *parameters,
                     unsigned count, bool macro, uint32_t *length) {
    *length = 2;
    if (left >= 2 && text[1] == '@' && macro)
        return UNIQUE;
    if (left >= 2 && text[1] == '+' && !macro)
        return ITERATION;
    *length = 3;
    if (left >= 3 && text[1] == '(' && text[2] == ')')
        return NOTHING;
    struct fh_piece rest = {text + 1, (uint32_t)(left - 1), 0};
    uint32_t n = fh_leading_name(&rest);
    *length = n + 1;
    for (unsigned i = 0; n && i < count; i++)
        if (fh_piece_is(&parameters[i].name, text + 1, n))
            return (int)i;
    *length = 0;
    return NOTHING;
}

static bool add_run(struct fh_asm *a, struct fh_template *o, size_t at, size_t length, int what) {
    if (length == 0)
        return true;
    if (!fh_asm_extend(a, &o->runs, &o->capacity, o->count + 1, sizeof *o->runs))
        return false;
    o->runs[o->count++] = (struct fh_template_run){(uint32_t)at, (uint32_t)length, what};
    return true;
}

/* The runs of body[begin, end). */
static bool add_runs(struct fh_asm *a, struct fh_template *o, size_t begin, size_t end,
                     const struct fh_parameter *parameters, unsigned count, bool macro) {
    const char *text = o->body->text, *slash;
    size_t i = begin;
    while (i < end && (slash = memchr(text + i, '\\', end - i))) {
        uint32_t n;
        i = (size_t)(slash - text);
        int what = reference(slash, end - i, parameters, count, macro, &n);
        if (n == 0) {
            i++;
            continue;
        }
        if (!add_run(a, o, begin, i - begin, COPIED) || !add_run(a, o, i, n, what))
            return false;
        begin = i += n;
    }
    return add_run(a, o, begin, end - begin, COPIED);
}

/* Whether the line, which may be the end of a comment, is a contract and nothing else. */
static bool is_contract(const char *line, size_t length) {
    static const char *const directives[] = {".expect", ".let", ".ensure"};
    size_t at = 0;
    while (at < length && fh_is_blank(line[at]))
        at++;
    line += at;
    length -= at;
    if (length == 0 || *line != '.' || memchr(line, '"', length) || memchr(line, ';', length))
        return false;
    for (size_t i = 0; i + 1 < length; i++)
        if ((line[i] == '*' && (line[i + 1] == '/' || line[i + 1] == ')')) ||
            (line[i + 1] == '*' && (line[i] == '/' || line[i] == '(')))
            return false;
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++) {
        const size_t n = strlen(directives[i]);
        if (length > n && memcmp(line, directives[i], n) == 0 && fh_is_blank(line[n]))
            return true;
    }
    return false;
}

bool fh_template_make(struct fh_asm *a, const struct fh_body *body,
                      const struct fh_parameter *parameters, unsigned count, bool macro,
                      struct fh_template *o) {
    size_t begin = 0;
    *o = (struct fh_template){.body = body};
    /* Contracts that nobody wants are not read again in each expansion. */
    for (size_t line = 0, next; a->options->no_contracts && line < body->length; line = next) {
        const char *end = memchr(body->text + line, '\n', body->length - line);
        next = end ? (size_t)(end - body->text) + 1 : body->length;
        if (!is_contract(body->text + line, next - line))
            continue;
        if (!add_runs(a, o, begin, line, parameters, count, macro))
            return false;
        begin = next;
    }
    return add_runs(a, o, begin, body->length, parameters, count, macro);
}

/* ---------------------------------------------------------------- expansion */

static inline void copy(struct fh_expansion *e, const char *text, size_t length, uint32_t from,
                        uint32_t whole) {
    if (length == 0)
        return;
    e->segments[e->segment_count++] = (struct fh_segment){(uint32_t)e->length, from, whole};
    memcpy(e->text + e->length, text, length);
    e->length += length;
}

/* What replaces a reference; nothing has no length. */
static inline const struct fh_piece *value_of(const struct fh_template_run *run,
                                              const struct fh_parameter *parameters,
                                              const struct fh_piece *number) {
    static const struct fh_piece nothing = {.text = ""};
    if (run->what >= 0)
        return &parameters[run->what].value;
    return run->what == NOTHING ? &nothing : number;
}

static void measure(struct fh_expansion *e, const struct fh_template *o,
                    const struct fh_parameter *parameters, const struct fh_piece *number) {
    for (size_t i = 0; i < o->count; i++) {
        const struct fh_template_run *run = &o->runs[i];
        const uint32_t length =
            run->what == COPIED ? run->length : value_of(run, parameters, number)->length;
        e->length += length;
        e->segment_count += length != 0;
    }
}

void fh_template_expand(struct fh_expansion *e, const struct fh_template *o,
                        const struct fh_parameter *parameters, const struct fh_piece *number) {
    if (!e->text) {
        measure(e, o, parameters, number);
        return;
    }
    for (size_t i = 0; i < o->count; i++) {
        const struct fh_template_run *run = &o->runs[i];
        uint32_t from = o->body->at + run->at;
        if (run->what == COPIED) {
            copy(e, o->body->text + run->at, run->length, from, 0);
        } else {
            const struct fh_piece *value = value_of(run, parameters, number);
            copy(e, value->text, value->length, from, run->length);
        }
    }
}

struct fh_piece fh_digits(char text[FH_DIGITS], uint64_t number) {
    char *p = text + FH_DIGITS;
    do
        *--p = (char)('0' + number % 10);
    while (number /= 10);
    return (struct fh_piece){p, (uint32_t)(text + FH_DIGITS - p), 0};
}

bool fh_expansion_prepare(struct fh_asm *a, struct fh_expansion *e, const char *what,
                          uint64_t iterations) {
    if (!fh_may_expand(a, what, e->length + ITERATION_BYTES * iterations, a->st.head.at))
        return false;
    char *text = fh_asm_alloc(a, e->length + 2);
    struct fh_segment *segments = fh_asm_alloc(a, (e->segment_count + 1) * sizeof *segments);
    uint32_t *offsets = fh_asm_alloc(a, iterations * sizeof *offsets);
    *e = (struct fh_expansion){
        .text = text, .segments = segments, .iterations = {.offsets = offsets}};
    return text && segments && offsets;
}

void fh_expansion_read(struct fh_asm *a, struct fh_expansion *e, enum fh_buffer_kind kind,
                       const char *what, struct fh_macro_name *macro) {
    e->text[e->length] = e->text[e->length + 1] = '\0';
    struct fh_span from = fh_statement_span(&a->st);
    struct fh_buffer *buffer = fh_source_add(&a->sources, kind, what, e->text, e->length, from);
    if (!buffer) {
        a->no_memory = true;
        return;
    }
    buffer->macro = macro;
    buffer->body = e->segment_count ? fh_source_find(&a->sources, e->segments->from) : NULL;
    buffer->segments = e->segments;
    buffer->segment_count = (uint32_t)e->segment_count;
    buffer->iterations = e->iterations;
    (void)fh_enter(a, buffer);
}
