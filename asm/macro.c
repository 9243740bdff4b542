/*
 * macro.c - macros, .rept and .irp: bodies kept as text, arguments split, and the text that a call
 * expands to, with the segments that lead back to where each run of it was written.
 *
 *     .macro ADD2 d, x=RZ          \d  the argument      \@  a number of its own for each call
 *         IADD3 \d, \x, 0x2, RZ ;  \+  the turn of .rept and .irp, from 0
 *     .endm                        \() nothing: ends a name, as in \d\()_low
 *
 * What is no name of the innermost macro or repetition stays, for one that is further in.
 */
#include "asm.h"

#include <string.h>

enum { MAX_PARAMETERS = 64, MAX_TURNS = 1 << 20, TURN_BYTES = 16 };

/* A piece of source text. */
struct piece {
    const char *text;
    uint32_t length;
    uint32_t at; /* position */
};

struct parameter {
    struct piece name, value;
    bool given; /* has a value: a default, in a definition; an argument, in a call */
};

/* A run of a body: text to be copied, or what is put in a reference's place. */
enum { COPIED = -1, UNIQUE = -2, TURN = -3, NOTHING = -4 };
struct run {
    uint32_t at, length; /* in the body */
    int what;            /* index of a parameter, or one of the above */
};

/* A body in runs, so that references are looked for once and not in every expansion. */
struct template {
    const struct fh_body *body;
    struct run *runs;
    size_t count, capacity;
};

struct fh_macro {
    struct parameter *parameters;
    unsigned count;
    struct fh_body body;
    struct template template;
    const char *what; /* "macro ADD2" */
};

/* ---------------------------------------------------------------- splitting raw operands */

static bool blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

static bool name_start(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

static bool name_char(char c) {
    return name_start(c) || (c >= '0' && c <= '9');
}

static struct piece trimmed(const struct fh_lexeme *raw, size_t begin, size_t end) {
    while (begin < end && blank(raw->text[begin]))
        begin++;
    while (end > begin && blank(raw->text[end - 1]))
        end--;
    return (struct piece){raw->text + begin, (uint32_t)(end - begin),
                          raw->at.begin + (uint32_t)begin};
}

/* The next operand from *at up to a comma outside of brackets and strings. False at the end. */
static bool next_piece(const struct fh_lexeme *raw, size_t *at, struct piece *piece) {
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
    *piece = trimmed(raw, begin, i);
    *at = i + 1;
    return true;
}

/* How many characters of the piece are a name at its front. */
static uint32_t leading_name(const struct piece *p) {
    uint32_t n = 0;
    while (n < p->length && (n ? name_char(p->text[n]) : name_start(p->text[n])))
        n++;
    return n;
}

static bool same(const struct piece *a, const char *text, size_t length) {
    return a->length == length && memcmp(a->text, text, length) == 0;
}

/* ---------------------------------------------------------------- bodies in runs */

/* What the reference at text[0], a backslash, stands for; *length is how many bytes of the body it
 * takes, 0 if it is none of ours. \@ is a macro's, \+ a repetition's. */
static int reference(const char *text, size_t left, const struct parameter *parameters,
                     unsigned count, bool macro, uint32_t *length) {
    *length = 2;
    if (left >= 2 && text[1] == '@' && macro)
        return UNIQUE;
    if (left >= 2 && text[1] == '+' && !macro)
        return TURN;
    *length = 3;
    if (left >= 3 && text[1] == '(' && text[2] == ')')
        return NOTHING;
    struct piece rest = {text + 1, (uint32_t)(left - 1), 0};
    uint32_t n = leading_name(&rest);
    *length = n + 1;
    for (unsigned i = 0; n && i < count; i++)
        if (same(&parameters[i].name, text + 1, n))
            return (int)i;
    *length = 0;
    return NOTHING;
}

static bool add_run(struct fh_asm *a, struct template *o, size_t at, size_t length, int what) {
    if (length == 0)
        return true;
    if (o->count == o->capacity) {
        size_t larger = o->capacity ? o->capacity * 2 : 16;
        struct run *moved = fh_asm_alloc(a, larger * sizeof *moved);
        if (!moved)
            return false;
        if (o->count)
            memcpy(moved, o->runs, o->count * sizeof *moved);
        o->runs = moved;
        o->capacity = larger;
    }
    o->runs[o->count++] = (struct run){(uint32_t)at, (uint32_t)length, what};
    return true;
}

/* The runs of a macro's body, or a repetition's. */
static bool make_template(struct fh_asm *a, const struct fh_body *body,
                          const struct parameter *parameters, unsigned count, bool macro,
                          struct template *o) {
    const char *text = body->text, *slash;
    size_t i = 0, begin = 0;
    *o = (struct template){.body = body};
    while (i < body->length && (slash = memchr(text + i, '\\', body->length - i))) {
        uint32_t n;
        i = (size_t)(slash - text);
        int what = reference(slash, body->length - i, parameters, count, macro, &n);
        if (n == 0) {
            i++;
            continue;
        }
        if (!add_run(a, o, begin, i - begin, COPIED) || !add_run(a, o, i, n, what))
            return false;
        begin = i += n;
    }
    return add_run(a, o, begin, body->length - begin, COPIED);
}

/* ---------------------------------------------------------------- definition */

static void malformed(struct fh_asm *a, const struct piece *p, const char *what) {
    struct fh_span at = a->st.head.at;
    if (p && p->length)
        at = (struct fh_span){p->at, p->at + p->length};
    fh_report(a, FH_D_MACRO_FORM, at, what, NULL, NULL);
}

/* "b" or "b=RZ" */
static bool read_parameter(struct fh_asm *a, const struct piece *p, struct parameter *parameter) {
    uint32_t n = leading_name(p), i = n;
    while (i < p->length && blank(p->text[i]))
        i++;
    if (n == 0 || (i < p->length && p->text[i] != '=')) {
        malformed(a, p, "a macro's parameter is a name, or NAME=DEFAULT");
        return false;
    }
    *parameter = (struct parameter){.name = {p->text, n, p->at}};
    if (i < p->length) {
        struct fh_lexeme rest = {
            .text = p->text, .length = p->length, .at = {p->at, p->at + p->length}};
        parameter->value = trimmed(&rest, i + 1, p->length);
        parameter->given = true;
    }
    return true;
}

static bool read_parameters(struct fh_asm *a, const struct fh_lexeme *raw, size_t at,
                            struct fh_macro *macro) {
    struct parameter *list = fh_asm_alloc(a, MAX_PARAMETERS * sizeof *list);
    struct piece piece;
    if (!list)
        return false;
    macro->parameters = list;
    while (next_piece(raw, &at, &piece)) {
        if (macro->count == 0 && piece.length == 0 && at > raw->length)
            break; /* no parameters at all */
        if (macro->count == MAX_PARAMETERS) {
            malformed(a, &piece, "a macro has at most 64 parameters");
            return false;
        }
        if (!read_parameter(a, &piece, &list[macro->count]))
            return false;
        for (unsigned i = 0; i < macro->count; i++) {
            if (same(&list[i].name, piece.text, list[macro->count].name.length)) {
                malformed(a, &piece, "this macro has two parameters of the same name");
                return false;
            }
        }
        macro->count++;
    }
    return true;
}

void fh_act_macro(struct fh_asm *a) {
    const struct fh_lexeme raw = a->st.raw;
    struct piece whole = {raw.text, raw.length, raw.at.begin};
    uint32_t n = raw.length ? leading_name(&whole) : 0;
    struct fh_value name = {.text = raw.text, .length = n, .at = {raw.at.begin, raw.at.begin + n}};
    struct fh_macro *macro = fh_asm_alloc(a, sizeof *macro);
    if (!macro)
        return;
    *macro = (struct fh_macro){0};
    size_t at = n;
    while (at < raw.length && blank(raw.text[at]))
        at++;
    if (at < raw.length && raw.text[at] == ',')
        at++;
    bool good = !a->st.bad;
    if (good && (n == 0 || (n < raw.length && at == n))) {
        malformed(a, &whole, "write .macro NAME PARAMETER, PARAMETER=DEFAULT");
        good = false;
    }
    good = good && read_parameters(a, &raw, at, macro);
    /* The body is read in any case: it is not code of this place. */
    if (!fh_read_body(a, ".endm", &macro->body) || !good || !fh_may_define(a, &name))
        return;
    if (fh_table_find(&a->macros, name.text, name.length)) {
        fh_report(a, FH_D_TWO_MACROS, name.at, fh_text_of(a, name.text, name.length), NULL, NULL);
        return;
    }
    struct fh_symbol *s = fh_table_add(&a->macros, &a->arena, name.text, name.length);
    if (!s) {
        a->no_memory = true;
        return;
    }
    macro->what = fh_text(a, "macro %.*s", (int)name.length, name.text);
    if (!make_template(a, &macro->body, macro->parameters, macro->count, true, &macro->template))
        return;
    s->kind = FH_S_MACRO;
    s->at = name.at;
    s->more = macro;
}

/* ---------------------------------------------------------------- expansion */

/* The text being made. First it is only measured (text NULL), then written. */
struct expansion {
    char *text;
    size_t length;
    struct fh_segment *segments;
    size_t segment_count;
    uint32_t turn;
};

static void copy(struct expansion *e, const char *text, size_t length, uint32_t from,
                 uint32_t whole) {
    if (length == 0)
        return;
    if (e->text) {
        e->segments[e->segment_count] =
            (struct fh_segment){(uint32_t)e->length, from, whole, e->turn};
        memcpy(e->text + e->length, text, length);
    }
    e->segment_count++;
    e->length += length;
}

/* One turn; `number` is what \@ or \+ stands for. */
static void expand(struct expansion *e, const struct template *o,
                   const struct parameter *parameters, const struct piece *number) {
    for (size_t i = 0; i < o->count; i++) {
        const struct run *run = &o->runs[i];
        uint32_t from = o->body->at + run->at;
        if (run->what == COPIED) {
            copy(e, o->body->text + run->at, run->length, from, 0);
        } else if (run->what != NOTHING) {
            const struct piece *value = run->what < 0 ? number : &parameters[run->what].value;
            copy(e, value->text, value->length, from, run->length);
        }
    }
}

enum { DIGITS = 24 };
static struct piece digits(char text[DIGITS], uint64_t number) {
    char *p = text + DIGITS;
    do
        *--p = (char)('0' + number % 10);
    while (number /= 10);
    return (struct piece){p, (uint32_t)(text + DIGITS - p), 0};
}

/* Room for a measured expansion; then it is measured again, this time into the room. A turn that
 * expands to nothing still takes time, so each counts as a few bytes. */
static bool prepare(struct fh_asm *a, struct expansion *e, const char *what, uint64_t turns) {
    if (!fh_may_expand(a, what, e->length + TURN_BYTES * turns, a->st.head.at))
        return false;
    char *text = fh_asm_alloc(a, e->length + 2);
    struct fh_segment *segments = fh_asm_alloc(a, (e->segment_count + 1) * sizeof *segments);
    *e = (struct expansion){.text = text, .segments = segments};
    return text && segments;
}

static void read_next(struct fh_asm *a, struct expansion *e, enum fh_buffer_kind kind,
                      const char *what) {
    e->text[e->length] = e->text[e->length + 1] = '\0';
    struct fh_span from = {a->st.head.at.begin, a->st.end};
    struct fh_buffer *buffer = fh_source_add(&a->sources, kind, what, e->text, e->length, from);
    if (!buffer) {
        a->no_memory = true;
        return;
    }
    buffer->segments = e->segments;
    buffer->segment_count = (uint32_t)e->segment_count;
    (void)fh_enter(a, buffer);
}

/* ---------------------------------------------------------------- calls */

/* Puts the call's arguments, in order or as NAME=TEXT, over the defaults in `values`. */
static bool take_arguments(struct fh_asm *a, const struct fh_macro *macro,
                           struct parameter *values) {
    const struct fh_symbol *symbol = a->st.macro;
    const struct fh_lexeme *raw = &a->st.raw;
    struct piece piece;
    size_t at = 0;
    unsigned next = 0;
    while (next_piece(raw, &at, &piece)) {
        uint32_t n = leading_name(&piece), i = n;
        unsigned p = next;
        while (i < piece.length && blank(piece.text[i]))
            i++;
        if (n && i < piece.length && piece.text[i] == '=' &&
            !(i + 1 < piece.length && piece.text[i + 1] == '=')) {
            for (unsigned k = 0; k < macro->count; k++) {
                if (!same(&macro->parameters[k].name, piece.text, n))
                    continue;
                struct fh_lexeme rest = {.text = piece.text,
                                         .length = piece.length,
                                         .at = {piece.at, piece.at + piece.length}};
                piece = trimmed(&rest, i + 1, piece.length);
                p = k;
                break;
            }
        }
        if (p == next)
            next++;
        if (p >= macro->count) {
            const char *count = macro->count == 1 ? "1 argument"
                                : macro->count    ? fh_text(a, "%u arguments", macro->count)
                                                  : "no arguments";
            fh_report(
                a, FH_D_SURPLUS_ARGUMENT,
                (struct fh_span){piece.at, raw->at.end > piece.at ? raw->at.end : piece.at + 1},
                fh_text_of(a, symbol->name, symbol->length), count, NULL);
            return false;
        }
        if (piece.length) {
            values[p].value = piece;
            values[p].given = true;
        }
    }
    for (unsigned p = 0; p < macro->count; p++) {
        if (values[p].given)
            continue;
        const struct piece *name = &values[p].name;
        fh_report(a, FH_D_NO_ARGUMENT, (struct fh_span){a->st.head.at.begin, a->st.end},
                  fh_text_of(a, symbol->name, symbol->length),
                  fh_text_of(a, name->text, name->length), NULL);
        return false;
    }
    return true;
}

void fh_call_macro(struct fh_asm *a) {
    const struct fh_symbol *symbol = a->st.macro;
    const struct fh_macro *macro = symbol->more;
    struct parameter values[MAX_PARAMETERS];
    if (macro->count)
        memcpy(values, macro->parameters, macro->count * sizeof *values);
    if (!take_arguments(a, macro, values))
        return;
    char text[DIGITS];
    struct piece unique = digits(text, a->unique++);
    struct expansion e = {0};
    expand(&e, &macro->template, values, &unique);
    if (!prepare(a, &e, macro->what, 1))
        return;
    expand(&e, &macro->template, values, &unique);
    read_next(a, &e, FH_BUFFER_MACRO, macro->what);
}

/* ---------------------------------------------------------------- repetition */

/* Expands the body once per turn; `parameter` (may be NULL) takes the values in turn, or the
 * number of the turn if there are none. */
static void repeat(struct fh_asm *a, const struct fh_body *body, uint64_t turns,
                   struct parameter *parameter, const struct piece *values) {
    struct expansion e = {0};
    struct template template;
    if (body->length == 0 ||
        !make_template(a, body, parameter, parameter != NULL, false, &template))
        return;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && !prepare(a, &e, a->st.directive->name, turns))
            return;
        for (uint64_t turn = 0; turn < turns; turn++) {
            char text[DIGITS];
            struct piece number = digits(text, turn);
            if (parameter)
                parameter->value = values ? values[turn] : number;
            e.turn = (uint32_t)turn + 1;
            expand(&e, &template, parameter, &number);
            if (e.length > FH_MAX_EXPANDED)
                break; /* prepare reports */
        }
    }
    read_next(a, &e, FH_BUFFER_REPEAT, a->st.directive->name);
}

void fh_act_rept(struct fh_asm *a) {
    const struct fh_statement *st = &a->st;
    struct fh_body body;
    int64_t turns = 0;
    bool good = !st->bad && fh_value_number(a, &st->args[0], &turns);
    struct parameter index = {0};
    if (good && (st->args[0].large || turns < 0 || turns > MAX_TURNS)) {
        fh_report(a, FH_D_BAD_COUNT, st->args[0].at, fh_text(a, "%d", MAX_TURNS),
                  fh_number_written(a, &st->args[0]), NULL);
        good = false;
    }
    if (good && st->arg_count == 2) {
        struct fh_span at = st->args[1].at;
        index.name = (struct piece){fh_source_text(&a->sources, at), at.end - at.begin, at.begin};
        good = fh_usage(a, leading_name(&index.name) == index.name.length);
    }
    if (fh_read_body(a, ".endr", &body) && good && turns > 0)
        repeat(a, &body, (uint64_t)turns, index.name.length ? &index : NULL, NULL);
}

void fh_act_irp(struct fh_asm *a) {
    const struct fh_lexeme raw = a->st.raw;
    struct piece piece, *values = NULL;
    struct parameter parameter = {0};
    size_t at = 0, count = 0, capacity = 0;
    bool good = !a->st.bad;
    while (good && next_piece(&raw, &at, &piece)) {
        if (!parameter.name.length) {
            parameter.name = piece;
            good = fh_usage(a, piece.length && leading_name(&piece) == piece.length);
            continue;
        }
        if (count == capacity) {
            capacity = capacity ? capacity * 2 : 16;
            struct piece *more = fh_asm_alloc(a, capacity * sizeof *more);
            if (!more)
                return;
            if (count)
                memcpy(more, values, count * sizeof *more);
            values = more;
        }
        values[count++] = piece;
    }
    if (good && !parameter.name.length)
        good = fh_usage(a, false);
    struct fh_body body;
    if (fh_read_body(a, ".endr", &body) && good && count > 0)
        repeat(a, &body, count, &parameter, values);
}
