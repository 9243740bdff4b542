/*
 * macro_arguments.c - see macro_arguments.h.
 */
#include "macro_arguments.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* A piece of source text. */
struct piece {
    const char *text;
    size_t length;
};

/* The uses that led to an instruction, innermost first; level k is the body of expansion k. */
struct uses {
    struct fh_debugger *debugger;
    fhec_location inside; /* the instruction's line */
    fhec_expansion list[FHEC_MAX_EXPANSIONS];
    size_t count;
};

static bool find_uses(struct fh_debugger *d, const struct fh_query_place *place, struct uses *u) {
    uint64_t pc;
    if (!fh_query_pc(place, &pc))
        return false;
    u->debugger = d;
    u->inside = fhec_session_location(place->session, pc);
    u->count = fhec_session_expansions(place->session, pc, u->list, FHEC_MAX_EXPANSIONS);
    return true;
}

/* ---------------------------------------------------------------- lines */

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_name(char c, bool first) {
    return c == '_' || (first ? isalpha((unsigned char)c) : isalnum((unsigned char)c)) != 0;
}

static struct piece trimmed(struct piece p) {
    for (; p.length && is_blank(*p.text); p.length--)
        p.text++;
    while (p.length && is_blank(p.text[p.length - 1]))
        p.length--;
    return p;
}

/* Without its comment, and what stands behind a semicolon. */
static struct piece statement(struct piece line) {
    bool quoted = false;
    for (size_t i = 0; i < line.length; i++) {
        const char c = line.text[i], next = i + 1 < line.length ? line.text[i + 1] : '\0';
        if (c == '"')
            quoted = !quoted;
        if (!quoted && (c == ';' || (c == '/' && (next == '/' || next == '*'))))
            line.length = i;
    }
    return trimmed(line);
}

/* Line `number` of the source, from a column on. */
static struct piece line_at(const struct uses *u, const char *file, uint32_t number,
                            uint32_t column) {
    size_t length;
    const char *text = fh_debugger_source(u->debugger, file, &length);
    for (uint32_t i = 1; text && i < number; i++) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    if (!text)
        return (struct piece){"", 0};
    struct piece line = {text, strcspn(text, "\n")};
    const size_t skipped = column ? column - 1 : 0;
    if (skipped >= line.length)
        return (struct piece){"", 0};
    return statement((struct piece){line.text + skipped, line.length - skipped});
}

/* Takes the word in front off the piece. */
static struct piece take_word(struct piece *p) {
    struct piece word = {p->text, 0};
    while (word.length < p->length && !is_blank(p->text[word.length]) &&
           p->text[word.length] != ',')
        word.length++;
    *p = trimmed((struct piece){p->text + word.length, p->length - word.length});
    return word;
}

/* Takes what stands up to the next comma outside of brackets and strings. False: nothing is left.
 */
static bool take_operand(struct piece *p, struct piece *operand) {
    int depth = 0;
    bool quoted = false;
    size_t i = 0;
    if (!p->text)
        return false;
    for (; i < p->length; i++) {
        const char c = p->text[i];
        quoted ^= c == '"';
        depth += !quoted && strchr("([{", c) ? 1 : 0;
        depth -= !quoted && strchr(")]}", c) ? 1 : 0;
        if (!quoted && c == ',' && depth <= 0)
            break;
    }
    *operand = trimmed((struct piece){p->text, i});
    *p = i < p->length ? (struct piece){p->text + i + 1, p->length - i - 1}
                       : (struct piece){NULL, 0};
    return true;
}

/* The name in front of "=", if there is one: what is behind it stays. */
static struct piece take_named(struct piece *operand) {
    struct piece name = {operand->text, 0};
    size_t i;
    while (name.length < operand->length && is_name(operand->text[name.length], !name.length))
        name.length++;
    for (i = name.length; i < operand->length && is_blank(operand->text[i]); i++)
        ;
    if (!name.length || i == operand->length || operand->text[i] != '=' ||
        (i + 1 < operand->length && operand->text[i + 1] == '='))
        return (struct piece){operand->text, 0};
    *operand = trimmed((struct piece){operand->text + i + 1, operand->length - i - 1});
    return name;
}

static bool equal(struct piece a, struct piece b) {
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

/* ---------------------------------------------------------------- parameters of a level */

/* The text behind ".macro NAME" where the macro is defined: the last such line before its body's.
 */
static struct piece find_definition(const struct uses *u, size_t level) {
    const fhec_location *body = level ? &u->list[level - 1].at : &u->inside;
    const struct piece wanted = {u->list[level].name, strlen(u->list[level].name)};
    size_t length;
    const char *text = body->file ? fh_debugger_source(u->debugger, body->file, &length) : NULL;
    struct piece found = {NULL, 0};
    for (uint32_t i = 1; text && i < body->line; i++) {
        struct piece line = trimmed((struct piece){text, strcspn(text, "\n")});
        if (line.length > 6 && strncmp(line.text, ".macro", 6) == 0 && is_blank(line.text[6])) {
            line = statement((struct piece){line.text + 7, line.length - 7});
            if (equal(take_word(&line), wanted))
                found = line;
        }
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    if (found.length && *found.text == ',')
        found = (struct piece){found.text + 1, found.length - 1};
    return found;
}

/* What a call gives parameter number `index`, of that name: by its place, counted without those
 * that are given by name, or by its name. */
static bool find_in_call(struct piece call, size_t index, struct piece name, struct piece *value) {
    struct piece operand;
    size_t place = 0;
    bool given = false;
    while (take_operand(&call, &operand)) {
        struct piece rest = operand;
        const struct piece named = take_named(&rest);
        const bool by_name = named.length && equal(named, name);
        if (by_name)
            operand = rest;
        if ((by_name || (!named.length && place == index)) && operand.length) {
            *value = operand;
            given = true;
        }
        place += !named.length;
    }
    return given;
}

/* Parameter number `index` of a macro's use. False: it has no more. */
static bool macro_parameter(const struct uses *u, size_t level, size_t index, struct piece *name,
                            struct piece *value) {
    const fhec_location *at = &u->list[level].at;
    struct piece definition = find_definition(u, level), call, operand;
    if (!definition.length)
        return false;
    for (size_t i = 0; i <= index; i++)
        if (!take_operand(&definition, &operand))
            return false;
    *value = operand;
    *name = take_named(value);
    if (!name->length) {
        *name = operand;
        *value = (struct piece){"", 0};
    }
    call = line_at(u, at->file, at->line, at->column);
    (void)take_word(&call);
    (void)find_in_call(call, index, *name, value);
    return true;
}

/* The one that a repetition may have; `number` has room for its value. */
static bool repetition_parameter(const struct uses *u, size_t level, struct piece *name,
                                 struct piece *value, char number[24]) {
    const fhec_expansion *e = &u->list[level];
    struct piece line = line_at(u, e->at.file, e->at.line, e->at.column), operand;
    (void)take_word(&line);
    if (!take_operand(&line, &operand))
        return false;
    if (strcmp(e->name, ".rept") == 0) {
        if (!take_operand(&line, name) || !name->length)
            return false;
        (void)snprintf(number, 24, "%u", e->iteration - 1);
        *value = (struct piece){number, strlen(number)};
        return true;
    }
    *name = operand;
    for (uint32_t i = 0; i < e->iteration; i++)
        if (!take_operand(&line, value))
            return false;
    return name->length != 0;
}

static bool parameter(const struct uses *u, size_t level, size_t index, struct piece *name,
                      struct piece *value, char number[24]) {
    switch (u->list[level].kind) {
    case FHEC_EXPANSION_MACRO: return macro_parameter(u, level, index, name, value);
    case FHEC_EXPANSION_REPETITION:
        return !index && repetition_parameter(u, level, name, value, number);
    default: return false;
    }
}

/* ---------------------------------------------------------------- replacing */

/* The end of the body that level `from` is in: behind the first macro. */
static size_t body_end(const struct uses *u, size_t from) {
    size_t end = from;
    while (end < u->count && u->list[end].kind == FHEC_EXPANSION_REPETITION)
        end++;
    return end + (end < u->count && u->list[end].kind == FHEC_EXPANSION_MACRO);
}

struct writer {
    char *to;
    size_t size, length;
    bool full;
};

static void put(struct writer *w, const char *text, size_t length) {
    w->full |= length >= w->size - w->length;
    for (size_t i = 0; i < length && w->length + 1 < w->size; i++)
        w->to[w->length++] = text[i];
    w->to[w->length] = '\0';
}

static bool replace(const struct uses *u, size_t level, struct piece text, struct writer *w);

/* What the name in front of the text stands for in level `from`; *length is the name's. */
static bool replace_name(const struct uses *u, size_t from, const char *text, size_t *length,
                         struct writer *w) {
    struct piece name = {text, 0}, found, value;
    char number[24];
    while (is_name(text[name.length], !name.length))
        name.length++;
    *length = name.length;
    for (size_t level = body_end(u, from); level-- > from;)
        for (size_t i = 0; parameter(u, level, i, &found, &value, number); i++)
            if (equal(found, name))
                return replace(u, level + 1, value, w);
    return false;
}

/* \+ is the outermost repetition's of the body. */
static bool replace_iteration(const struct uses *u, size_t from, struct writer *w) {
    char number[24];
    for (size_t level = body_end(u, from); level-- > from;) {
        if (u->list[level].kind != FHEC_EXPANSION_REPETITION)
            continue;
        (void)snprintf(number, sizeof number, "%u", u->list[level].iteration - 1);
        put(w, number, strlen(number));
        return true;
    }
    return false;
}

/* The text as it would stand in the body of `level`. */
static bool replace(const struct uses *u, size_t level, struct piece text, struct writer *w) {
    for (size_t i = 0; i < text.length; i++) {
        size_t length = 1;
        if (text.text[i] != '\\') {
            put(w, text.text + i, 1);
            continue;
        }
        const size_t left = text.length - i - 1;
        if (left >= 2 && strncmp(text.text + i + 1, "()", 2) == 0)
            length = 2;
        else if (left && text.text[i + 1] == '+'
                     ? !replace_iteration(u, level, w)
                     : !replace_name(u, level, text.text + i + 1, &length, w))
            return false;
        i += length;
    }
    return true;
}

fhec_status fh_macro_substitute(struct fh_debugger *d, const struct fh_query_place *place,
                                const char *text, char *to, size_t size) {
    struct uses u;
    struct writer w = {.to = to, .size = size};
    *to = '\0';
    if (!strchr(text, '\\'))
        u.count = 0;
    else if (!find_uses(d, place, &u))
        return fh_debugger_fail(d, FHEC_BAD_INPUT, "no instruction is in the lane's place");
    if (!replace(&u, 0, (struct piece){text, strlen(text)}, &w))
        return fh_debugger_fail(d, FHEC_BAD_INPUT,
                                "the body of a macro or repetition that this place is in has no "
                                "such parameter: %.100s",
                                strchr(text, '\\'));
    if (w.full)
        return fh_debugger_fail(d, FHEC_BAD_INPUT, "the expression is too long");
    return FHEC_OK;
}

bool fh_macro_local(struct fh_debugger *d, const struct fh_query_place *place, size_t index,
                    struct fh_macro_local *local) {
    struct uses u;
    struct piece name, value;
    char number[24];
    if (!find_uses(d, place, &u))
        return false;
    for (size_t level = 0; level < u.count; level++) {
        for (size_t i = 0; parameter(&u, level, i, &name, &value, number); i++) {
            struct writer w = {.to = local->value, .size = sizeof local->value};
            if (index--)
                continue;
            (void)snprintf(local->name, sizeof local->name, "%.*s", (int)name.length, name.text);
            (void)fhec_format_expansion(&u.list[level], local->of, sizeof local->of);
            local->at = u.list[level].at;
            local->value[0] = '\0';
            return replace(&u, level + 1, value, &w);
        }
    }
    return false;
}

bool fh_macro_argument(struct fh_debugger *d, const struct fh_query_place *place, const char *name,
                       char *to, size_t size) {
    struct fh_macro_local local;
    for (size_t i = 0; fh_macro_local(d, place, i, &local); i++) {
        if (strcmp(local.name, name) != 0)
            continue;
        (void)snprintf(to, size, "%s", local.value);
        return *to != '\0';
    }
    return false;
}
