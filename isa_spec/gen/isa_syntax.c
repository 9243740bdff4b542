/*
 * isa_syntax.c - reads a syntax line into modifiers and operand slots.
 *
 *     IADD3{.X} Rd, {Pu,} {Pv,} -~A, -~B, -~C [X: , !Pp=!PT, !Pq=!PT]
 *     head....  slots..................................................
 *
 * Commas between operands say nothing that the order does not say, so they are skipped.
 */
#include <ctype.h>
#include <string.h>

#include "isac.h"

struct cursor {
    struct at at;
    const char *s;
    struct syntax *syntax;
    bool optional;    /* inside { } */
    const char *cond; /* inside [COND: ] */
    bool glued;
};

static size_t name_length(const char *s) {
    size_t n = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_')
        n++;
    return n;
}

static bool add_mod(struct cursor *c, const char *name, size_t n, bool optional) {
    struct syntax *s = c->syntax;
    if (n == 0 || s->mod_count == FH_MAX_MODS) {
        error_at(c->at, n ? "more than %d modifiers" : "a modifier's name is missing after `.`",
                 FH_MAX_MODS);
        return false;
    }
    s->mods[s->mod_count++] = (struct mod_ref){copy(name, n), optional};
    return true;
}

/* Root, then `.name` and `{.name}` up to the first space. */
static bool head(struct cursor *c, const char *root) {
    size_t n = name_length(c->s);
    if (n != strlen(root) || strncmp(c->s, root, n) != 0) {
        error_at(c->at, "the text must begin with the mnemonic `%s`", root);
        return false;
    }
    c->s += n;
    while (*c->s && !isspace((unsigned char)*c->s)) {
        bool optional = *c->s == '{';
        if (optional)
            c->s++;
        if (*c->s != '.') {
            error_at(c->at, "expected `.modifier` or `{.modifier}` at `%s`", c->s);
            return false;
        }
        c->s++;
        n = name_length(c->s);
        if (!add_mod(c, c->s, n, optional))
            return false;
        c->s += n;
        if (optional && *c->s++ != '}') {
            error_at(c->at, "expected `}` after `{.%s`",
                     c->syntax->mods[c->syntax->mod_count - 1].name);
            return false;
        }
    }
    return true;
}

/* `=PT`, `=!PT`, `=0xf`, `=-1` after an operand's name. */
static void fallback(struct cursor *c, struct fallback *f) {
    f->at = c->at;
    f->given = true;
    if (*c->s == '!') {
        f->negated = true;
        c->s++;
    }
    if (isdigit((unsigned char)*c->s) || *c->s == '-') {
        const bool minus = *c->s == '-';
        c->s += minus;
        const size_t n = fh_literal_length(c->s);
        const uint64_t number = number_of(c->at, c->s, n);
        if (number > INT64_MAX)
            error_at(c->at, "`%.*s` is not below 2^63", (int)n, c->s);
        f->number = minus ? -(int64_t)(number & INT64_MAX) : (int64_t)(number & INT64_MAX);
        c->s += n;
        return;
    }
    size_t n = name_length(c->s);
    f->word = copy(c->s, n);
    c->s += n;
}

static bool operand(struct cursor *c) {
    struct slot slot = {.optional = c->optional, .cond = c->cond, .glued = c->glued};
    bool brackets = false;
    c->glued = false;
    for (;; c->s++) {
        if (*c->s == '-')
            slot.minus = true;
        else if (*c->s == '~')
            slot.tilde = true;
        else if (*c->s == '!')
            slot.bang = true;
        else if (*c->s == '|')
            slot.bars = true;
        else if (*c->s == '[')
            brackets = true;
        else
            break;
    }
    size_t n = name_length(c->s);
    if (n == 0) {
        error_at(c->at, "expected an operand at `%s`", c->s);
        return false;
    }
    slot.name = copy(c->s, n);
    c->s += n;
    if ((slot.bars && *c->s++ != '|') || (brackets && *c->s++ != ']')) {
        error_at(c->at, "operand `%s` is not closed", slot.name);
        return false;
    }
    if (*c->s == '.') {
        n = 1 + name_length(c->s + 1);
        slot.suffix = copy(c->s, n);
        c->s += n;
    }
    if (*c->s == '=') {
        c->s++;
        fallback(c, &slot.fallback);
    }
    if (c->syntax->slot_count == FH_MAX_OPERANDS) {
        error_at(c->at, "more than %d operands", FH_MAX_OPERANDS);
        return false;
    }
    c->syntax->slots[c->syntax->slot_count++] = slot;
    return true;
}

/* `[COND: ` opens a group that is there under a condition only; `[NAME]` is an address. */
static const char *condition(struct cursor *c) {
    size_t close = strcspn(c->s, "]"), colon = strcspn(c->s, ":");
    if (colon >= close || c->s[colon] != ':')
        return NULL;
    const char *cond = copy(c->s + 1, colon - 1);
    c->s += colon + 1;
    return cond;
}

static bool slots(struct cursor *c) {
    while (*c->s) {
        if (isspace((unsigned char)*c->s) || *c->s == ',') {
            c->s++;
        } else if (*c->s == '\\') {
            c->glued = true;
            c->s++;
        } else if (*c->s == '{' || *c->s == '}') {
            if (c->optional == (*c->s == '{')) {
                error_at(c->at, "`%c` without its counterpart", *c->s);
                return false;
            }
            c->optional = !c->optional;
            c->s++;
        } else if (*c->s == ']' && c->cond) {
            c->cond = NULL;
            c->s++;
        } else {
            const char *cond = *c->s == '[' ? condition(c) : NULL;
            if (cond)
                c->cond = cond;
            else if (!operand(c))
                return false;
        }
    }
    if (c->optional || c->cond)
        error_at(c->at, "a group of operands is not closed");
    return true;
}

/* Fills in the syntax from its text. */
void parse_syntax(struct insn *insn, struct syntax *syntax) {
    struct cursor c = {.at = syntax->at, .s = syntax->text, .syntax = syntax};
    if (head(&c, insn->root))
        slots(&c);
}
