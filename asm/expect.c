/* expect.c - see expect.h. Names of the source are replaced here; what is left is read by
 * expectation.c, as it is in objects. */
#include "expect.h"
#include "asm.h"
#include "asm_memory.h"
#include "expectation.h"
#include "names.h"
#include "register_names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Names that an expectation has of its own come before those of the source. */
static bool reserved(const char *name, size_t length) {
    static const char *const names[] = {"i",       "j",       "lane",    "warp", "block",
                                        "block.x", "block.y", "block.z", "q"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strlen(names[k]) == length && memcmp(names[k], name, length) == 0)
            return true;
    return false;
}

static size_t word_length(const char *at, const char *end) {
    size_t length = 0;
    while (at + length < end && (isalnum((unsigned char)at[length]) || strchr("_$.", at[length])))
        length++;
    return length;
}

/* The number in brackets at `at`, of digits or a name for one; how many bytes it takes, 0: it is
 * something else. */
static size_t bracketed(struct fh_asm *a, const char *at, const char *end, int64_t *number) {
    if (at == end || *at != '[')
        return 0;
    const size_t length = word_length(at + 1, end);
    if (!length || at + 1 + length >= end || at[1 + length] != ']')
        return 0;
    const struct fh_symbol *s = fh_find_name(a, at + 1, length);
    char *behind;
    *number = isdigit((unsigned char)at[1]) ? (int64_t)strtoull(at + 1, &behind, 0)
              : s && s->kind == FH_S_NUMBER ? s->value
                                            : -1;
    return *number < 0 ? 0 : length + 2;
}

/* The machine's name of the register that begins at `at`; NULL: there is none. *used: the bytes of
 * its name in the source. */
static const char *register_at(struct fh_asm *a, const char *at, size_t length, const char *end,
                               size_t *used) {
    const struct fh_symbol *s = fh_find_name(a, at, length);
    int64_t index = 0;
    *used = length;
    if (!s || s->kind != FH_S_REGISTERS)
        return NULL;
    const size_t brackets = bracketed(a, at + length, end, &index);
    if (brackets)
        *used += brackets;
    else if (at + length < end && at[length] == '[')
        return NULL; /* a buffer of the same name */
    index = brackets ? index - s->value : 0;
    if (index < 0 || index >= s->count)
        return NULL;
    return fh_register_name(a, s->reg_kind, s->first + (unsigned)index);
}

/* Behind the first name: registers and numbers by their names in the source as they are. */
static const char *resolved(struct fh_asm *a, const char *text, const char *end) {
    const char *out = "";
    while (text < end) {
        const size_t length = word_length(text, end);
        size_t used = length ? length : 1;
        const char *piece = fh_text_of(a, text, used);
        if (length && !isdigit((unsigned char)*text) && !reserved(text, length)) {
            const struct fh_symbol *s = fh_find_name(a, text, length);
            const char *reg = register_at(a, text, length, end, &used);
            if (reg)
                piece = reg;
            else if (s && s->kind == FH_S_NUMBER && !(text + length < end && text[length] == '['))
                piece = fh_text(a, s->value < 0 ? "(%lld)" : "%lld", (long long)s->value);
            if (!reg)
                used = length;
        }
        out = fh_text(a, "%s%s", out, piece);
        text += used;
    }
    return out;
}

static void complain(struct fh_asm *a, struct fh_span at, const char *text, const char *problem) {
    fh_report(a, FH_D_BAD_EXPECTATION, at, text, problem, NULL);
}

void fh_act_expect(struct fh_asm *a) {
    struct fh_open_code *code = &a->code;
    struct fh_open_expectation made = {.at = fh_statement_span(&a->st)};
    const char *problem = NULL;
    size_t used = 0;
    if (!fh_usage(a, a->st.raw.length > 0))
        return; /* the raw text may be NULL */
    const char *text = a->st.raw.text, *end = text + a->st.raw.length;
    const size_t length = word_length(text, end);
    const char *reg = length ? register_at(a, text, length, end, &used) : NULL;
    const bool indexed = reg && used > length; /* a register, and no operand */
    const char *rest = resolved(a, text + (reg ? used : length), end);
    const char *whole = fh_text(a, "%s%s", indexed ? reg : fh_text_of(a, text, length), rest);
    switch (fh_expectation_parse(&made.is, whole, &problem)) {
    case FH_EXPECTATION_WRONG:
        complain(a, made.at, fh_text_of(a, text, a->st.raw.length), problem);
        return;
    case FH_EXPECTATION_NO_MEMORY: a->no_memory = true; return;
    case FH_EXPECTATION_FINE: break;
    }
    made.is.word = (uint32_t)code->word_count;
    (void)fh_source_origin(&a->sources, made.at, &made.is.origin, NULL);
    if (reg && !indexed) {
        const char *other = fh_text(a, "%s%s", reg, rest);
        made.as_register = fh_copy_text(a, other, strlen(other));
    }
    if (!fh_asm_grow(a, &code->expectations, &code->expectation_capacity,
                     code->expectation_count + 1, sizeof *code->expectations)) {
        fh_expectation_free(&made.is);
        free(made.as_register);
        return;
    }
    code->expectations[code->expectation_count++] = made;
}

/* An operand of the instruction, or else the register that is called so. False after a report. */
static bool settle(struct fh_asm *a, struct fh_open_expectation *e) {
    const struct fh_open_code *code = &a->code;
    const char *problem;
    if (e->is.word >= code->word_count) {
        complain(a, e->at, e->is.text, "no instruction follows it");
        return false;
    }
    if (fh_expectation_fits(&e->is, code->words[e->is.word]))
        return true;
    if (!e->as_register) {
        complain(a, e->at, e->is.text, "the instruction behind it has no such operand");
        return false;
    }
    struct fh_expectation other = {.word = e->is.word, .origin = e->is.origin};
    a->no_memory |= fh_expectation_parse(&other, e->as_register, &problem) != FH_EXPECTATION_FINE;
    fh_expectation_free(&e->is);
    e->is = other;
    return !a->no_memory;
}

void fh_expectations_take(struct fh_asm *a, uint32_t kernel) {
    struct fh_open_code *code = &a->code;
    struct fhec_program *p = a->program;
    for (size_t i = 0; i < code->expectation_count; i++) {
        struct fh_open_expectation *e = &code->expectations[i];
        if (!settle(a, e) || !fh_asm_grow(a, &p->expectations, &a->expectation_capacity,
                                          p->expectation_count + 1, sizeof *p->expectations))
            continue;
        e->is.kernel = kernel;
        p->expectations[p->expectation_count++] = e->is;
        e->is = (struct fh_expectation){0};
    }
}
