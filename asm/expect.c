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

static const char *resolved(struct fh_asm *a, const char *text, const char *end);

/* The value of [text, end), below 2^63; false: it is no such number. */
static bool number(struct fh_asm *a, const char *text, const char *end, int64_t *value) {
    char wrong[FH_EXPRESSION_WRONG];
    fh_integer number;
    if (!fh_expression_value(resolved(a, text, end), NULL, NULL, &number, wrong) ||
        number > INT64_MAX)
        return false;
    *value = (int64_t)number;
    return true;
}

/* The number, or the two, in brackets at `at`, "[3]", "[2 * n + 1]", "[0:7]"; how many bytes they
 * take, 0: it is something else. */
static size_t bracketed(struct fh_asm *a, const char *at, const char *end, int64_t *first,
                        int64_t *last) {
    const char *colon = NULL, *close = at + 1;
    if (at == end || *at != '[')
        return 0;
    for (int depth = 1; close < end; close++) {
        depth += (*close == '[' || *close == '(') - (*close == ']' || *close == ')');
        if (depth == 0)
            break;
        if (depth == 1 && *close == ':')
            colon = close;
    }
    if (close >= end || *close != ']' || !number(a, at + 1, colon ? colon : close, first))
        return 0;
    *last = *first;
    if (colon && !number(a, colon + 1, close, last))
        return 0;
    return *first < 0 || *last < *first ? 0 : (size_t)(close - at) + 1;
}

/* The machine's name of the register that begins at `at`, or of a run of them; NULL: there is none.
 * *used: the bytes of its name in the source. */
static const char *register_at(struct fh_asm *a, const char *at, size_t length, const char *end,
                               size_t *used) {
    const struct fh_symbol *s = fh_find_name(a, at, length);
    int64_t first = 0, last = 0;
    *used = length;
    if (!s || s->kind != FH_S_REGISTERS)
        return NULL;
    const size_t brackets = bracketed(a, at + length, end, &first, &last);
    if (brackets) {
        *used += brackets;
        first -= s->value;
        last -= s->value;
    } else if (at + length < end && at[length] == '[') {
        return NULL; /* a buffer of the same name */
    }
    if (first < 0 || last >= s->count)
        return NULL;
    const char *name = fh_register_name(a, s->reg_kind, s->first + (unsigned)first);
    return first == last ? name
                         : fh_text(a, "%s:%s", name,
                                   fh_register_name(a, s->reg_kind, s->first + (unsigned)last));
}

/* What stands for the word of `length` bytes at `text`, of which it takes *used; NULL: itself. */
static const char *replacement(struct fh_asm *a, const char *text, size_t length, const char *end,
                               size_t *used) {
    *used = length;
    if (!length || isdigit((unsigned char)*text) || reserved(text, length))
        return NULL;
    const char *reg = register_at(a, text, length, end, used);
    if (reg)
        return reg;
    *used = length;
    const struct fh_symbol *s = fh_find_name(a, text, length);
    if (!s || s->kind != FH_S_NUMBER || (text + length < end && text[length] == '['))
        return NULL;
    return fh_text(a, s->large ? "%llu" : s->value < 0 ? "(%lld)" : "%lld", (long long)s->value);
}

/* Behind the first name: registers and numbers by their names in the source as they are. */
static const char *resolved(struct fh_asm *a, const char *text, const char *end) {
    struct fh_bytes out = {0};
    while (text < end) {
        size_t used;
        const size_t length = word_length(text, end);
        const char *piece = replacement(a, text, length, end, &used);
        if (!used)
            used = 1;
        fh_bytes_put(&out, piece ? piece : text, piece ? strlen(piece) : used);
        text += used;
    }
    const char *all = fh_text_of(a, out.data ? (const char *)out.data : "", out.count);
    a->no_memory |= out.failed;
    free(out.data);
    return all;
}

static void complain(struct fh_asm *a, const struct fh_open_expectation *e, const char *text,
                     const char *problem) {
    fh_report(a, FH_D_BAD_EXPECTATION, e->at, fh_contract_directive(e->is.contract), text, problem);
}

static void add(struct fh_asm *a, struct fh_open_expectation *made) {
    struct fh_open_code *code = &a->code;
    (void)fh_source_origin(&a->sources, made->at, &made->is.origin, NULL);
    if (!fh_asm_grow(a, &code->expectations, &code->expectation_capacity,
                     code->expectation_count + 1, sizeof *code->expectations)) {
        fh_expectation_free(&made->is);
        free(made->as_register);
        return;
    }
    code->expectations[code->expectation_count++] = *made;
}

/* Where the characters stand in the source; where they do not, or more than once: all of it. */
static struct fh_span place_of(struct fh_asm *a, struct fh_span all, const char *text,
                               size_t length) {
    const struct fh_lexeme *raw = &a->st.raw;
    struct fh_span found = all;
    unsigned times = 0;
    for (size_t i = 0; length > 1 && i + length <= raw->length; i++) {
        if (memcmp(raw->text + i, text, length) != 0)
            continue;
        found.begin = raw->at.begin + (uint32_t)i;
        found.end = found.begin + (uint32_t)length;
        times++;
    }
    return times == 1 ? found : all;
}

/* False after a report. */
static bool parse(struct fh_asm *a, struct fh_open_expectation *made, fhec_contract contract,
                  const char *text) {
    struct fh_expectation_wrong wrong;
    switch (fh_expectation_parse(&made->is, contract, text, &wrong)) {
    case FH_EXPECTATION_WRONG:
        made->is.contract = (uint8_t)contract;
        made->at = place_of(a, made->at, text + wrong.at, wrong.length);
        complain(a, made, fh_text_of(a, a->st.raw.text, a->st.raw.length),
                 fh_text(a, "%s", wrong.what));
        return false;
    case FH_EXPECTATION_NO_MEMORY: a->no_memory = true; return false;
    case FH_EXPECTATION_FINE: break;
    }
    return true;
}

/* Whether there is something behind the directive, and somebody who wants to know. */
static bool wanted(struct fh_asm *a) {
    return !(a->options && a->options->no_contracts) && fh_usage(a, a->st.raw.length > 0);
}

void fh_act_expect(struct fh_asm *a) {
    struct fh_open_expectation made = {.at = fh_statement_span(&a->st)};
    size_t used = 0;
    if (!wanted(a))
        return; /* the raw text may be NULL */
    const char *text = a->st.raw.text, *end = text + a->st.raw.length;
    const size_t length = word_length(text, end);
    const char *reg = length ? register_at(a, text, length, end, &used) : NULL;
    const bool indexed = reg && used > length; /* a register, and no operand */
    const char *rest = resolved(a, text + (reg ? used : length), end);
    const char *whole = fh_text(a, "%s%s", indexed ? reg : fh_text_of(a, text, length), rest);
    const char *other = reg && !indexed ? fh_text(a, "%s%s", reg, rest) : NULL;
    made.is.word = (uint32_t)a->code.word_count;
    if (!parse(a, &made, FHEC_CONTRACT_OPERAND, whole))
        return;
    if (other && made.is.contract == FHEC_CONTRACT_EXPECT) {
        fh_expectation_free(&made.is);
        if (!parse(a, &made, FHEC_CONTRACT_EXPECT, other))
            return;
    } else if (other) {
        made.as_register = fh_copy_text(a, other, strlen(other));
    }
    add(a, &made);
}

void fh_act_ensure(struct fh_asm *a) {
    struct fh_open_expectation made = {.at = fh_statement_span(&a->st)};
    if (!wanted(a))
        return;
    const char *text = a->st.raw.text;
    made.is.contract = FHEC_CONTRACT_ENSURE;
    if (a->code.word_count == 0) {
        complain(a, &made, fh_text_of(a, text, a->st.raw.length), "no instruction is above it");
        return;
    }
    made.is.word = (uint32_t)a->code.word_count - 1;
    if (parse(a, &made, FHEC_CONTRACT_ENSURE, resolved(a, text, text + a->st.raw.length)))
        add(a, &made);
}

void fh_act_let(struct fh_asm *a) {
    struct fh_open_expectation made = {.at = fh_statement_span(&a->st)};
    if (!wanted(a))
        return;
    const char *text = a->st.raw.text, *end = text + a->st.raw.length;
    const size_t length = word_length(text, end);
    made.is.contract = FHEC_CONTRACT_LET;
    made.is.word = (uint32_t)a->code.word_count;
    if (reserved(text, length) || fh_find_name(a, text, length))
        complain(a, &made, fh_text_of(a, text, a->st.raw.length),
                 "the name stands for something else already");
    else if (parse(
                 a, &made, FHEC_CONTRACT_LET,
                 fh_text(a, "%s%s", fh_text_of(a, text, length), resolved(a, text + length, end))))
        add(a, &made);
}

static bool is_let(const struct fh_open_code *code, const char *name) {
    for (size_t i = 0; i < code->expectation_count; i++)
        if (code->expectations[i].is.contract == FHEC_CONTRACT_LET &&
            strcmp(code->expectations[i].is.operand, name) == 0)
            return true;
    return false;
}

static bool is_param(const struct fh_open_code *code, const char *name) {
    for (size_t i = 0; i < code->param_count; i++)
        if (strcmp(code->params[i].name, name) == 0)
            return true;
    return false;
}

/* Whether each of its names is that of a .let or a parameter of the kernel. */
static bool names_known(struct fh_asm *a, const struct fh_open_expectation *e) {
    const struct fh_open_code *code = &a->code;
    for (uint32_t k = 0; k < e->is.name_count; k++) {
        const char *name = e->is.names[k];
        struct fh_nearest near;
        if (is_let(code, name) || is_param(code, name))
            continue;
        fh_nearest_begin(&near, name, strlen(name));
        for (size_t i = 0; i < code->expectation_count; i++)
            if (code->expectations[i].is.contract == FHEC_CONTRACT_LET)
                fh_nearest_try(&near, code->expectations[i].is.operand,
                               strlen(code->expectations[i].is.operand));
        for (size_t i = 0; i < code->param_count; i++)
            fh_nearest_try(&near, code->params[i].name, strlen(code->params[i].name));
        fh_nearest_note(a, &near, "value", "");
        complain(a, e, e->is.text,
                 fh_text(a, "no register, .let or parameter of the kernel is called `%s`", name));
        return false;
    }
    return true;
}

/* An operand of the instruction, or else the register that is called so. False after a report. */
static bool settle(struct fh_asm *a, struct fh_open_expectation *e) {
    const struct fh_open_code *code = &a->code;
    struct fh_expectation_wrong wrong;
    if (e->is.word >= code->word_count) {
        complain(a, e, e->is.text, "no instruction follows it");
        return false;
    }
    if (e->is.contract != FHEC_CONTRACT_OPERAND)
        return names_known(a, e);
    if (fh_expectation_fits(&e->is, code->words[e->is.word]))
        return true;
    if (!e->as_register) {
        complain(a, e, e->is.text, "the instruction behind it has no such operand");
        return false;
    }
    struct fh_expectation other = {.word = e->is.word, .origin = e->is.origin};
    a->no_memory |= fh_expectation_parse(&other, FHEC_CONTRACT_OPERAND, e->as_register, &wrong) !=
                    FH_EXPECTATION_FINE;
    fh_expectation_free(&e->is);
    e->is = other;
    return !a->no_memory;
}

/* By words: .ensure belongs to an earlier one than an .expect or .let in front of it. */
static void order(struct fh_open_code *code) {
    for (size_t i = 1; i < code->expectation_count; i++)
        for (size_t k = i; k && code->expectations[k - 1].is.word > code->expectations[k].is.word;
             k--) {
            const struct fh_open_expectation moved = code->expectations[k];
            code->expectations[k] = code->expectations[k - 1];
            code->expectations[k - 1] = moved;
        }
}

void fh_expectations_take(struct fh_asm *a, uint32_t kernel) {
    struct fh_open_code *code = &a->code;
    struct fhec_program *p = a->program;
    bool settled = true;
    order(code);
    for (size_t i = 0; i < code->expectation_count; i++)
        settled &= settle(a, &code->expectations[i]);
    for (size_t i = 0; settled && i < code->expectation_count; i++) {
        struct fh_open_expectation *e = &code->expectations[i];
        if (!fh_asm_grow(a, &p->expectations, &a->expectation_capacity, p->expectation_count + 1,
                         sizeof *p->expectations))
            return;
        e->is.kernel = kernel;
        p->expectations[p->expectation_count++] = e->is;
        e->is = (struct fh_expectation){0};
    }
}
