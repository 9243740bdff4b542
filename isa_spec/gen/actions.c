/*
 * actions.c - what the parser does with each line: it adds to the block that began last. Meaning
 * across lines (which bits an operand has in which form) is resolve.c's business.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"

static struct at here(const struct parse *p, int line) {
    return (struct at){p->file, line};
}

/* The block that a line adds to; NULL, with an error, when the line stands outside one. */
static struct insn *block(struct parse *p, int line, const char *what) {
    if (!p->insn)
        error_at(here(p, line), "`%s` stands outside an `insn` block", what);
    return p->insn;
}

/* The number at *s, which then is behind it. */
static uint64_t take_number(struct at at, const char **s) {
    const size_t length = fh_literal_length(*s);
    const uint64_t number = number_of(at, *s, length);
    *s += length;
    return number;
}

/* "[~][s]hi[:lo][,hi[:lo]]...[*unit]" */
struct bits act_bits(struct parse *p, int line, const char *text) {
    struct bits b = {.at = here(p, line)};
    const char *s = text;
    if (*s == '~') {
        b.inverted = true;
        s++;
    }
    if (*s == 's') {
        b.is_signed = true;
        s++;
    }
    for (;;) {
        const uint64_t hi = take_number(b.at, &s);
        uint64_t lo = hi;
        if (*s == ':') {
            s++;
            lo = take_number(b.at, &s);
        }
        if (hi > 127 || lo > hi) {
            error_at(b.at, "`%s` is no run of bits: expected hi:lo with 127 >= hi >= lo", text);
            return one_piece(0, 0);
        }
        if (b.pieces == FH_MAX_PIECES) {
            error_at(b.at, "a field has at most %d pieces", FH_MAX_PIECES);
            return b;
        }
        b.piece[b.pieces].lo = (unsigned)lo;
        b.piece[b.pieces++].len = (unsigned)(hi - lo + 1);
        if (*s != ',')
            break;
        s++;
    }
    if (bits_width(&b) > 64) {
        error_at(b.at, "`%s`: a field has at most 64 bits", text);
        return one_piece(0, 0);
    }
    if (*s == '*') {
        s++;
        uint64_t unit = take_number(b.at, &s);
        while (unit > 1 && unit % 2 == 0 && b.shift < 8) {
            b.shift++;
            unit /= 2;
        }
        if (unit != 1)
            error_at(b.at, "`%s`: the unit must be a power of two", text);
    }
    return b;
}

void act_insn(struct parse *p, int line, const char *name, const char *title) {
    struct description *d = p->d;
    for (size_t i = 0; i < d->insn_count; i++)
        if (strcmp(d->insns[i].name, name) == 0)
            error_at(here(p, line), "`%s` is already described at %s:%d", name, d->insns[i].at.file,
                     d->insns[i].at.line);
    d->insns = more(d->insns, d->insn_count, sizeof *d->insns);
    p->insn = &d->insns[d->insn_count++];
    *p->insn = (struct insn){.at = here(p, line), .shard = p->shard, .name = name, .title = title};
    p->insn->root = copy(name, strcspn(name, "."));
    p->insn->c_name = c_name(name);
}

static void set_once(struct parse *p, int line, struct text *text, const char *what,
                     const char *s) {
    if (text->s)
        error_at(here(p, line), "`%s` is given twice (first at line %d)", what, text->at.line);
    *text = (struct text){here(p, line), s};
}

void act_word(struct parse *p, int line, const char *what, const char *word) {
    struct insn *insn = block(p, line, what);
    if (!insn)
        return;
    if (strcmp(what, "kind") == 0)
        set_once(p, line, &insn->kind, what, word);
    else if (strcmp(what, "class") == 0)
        set_once(p, line, &insn->klass, what, word);
    else if (strcmp(what, "handler") == 0)
        set_once(p, line, &insn->handler, what, word);
    else if (strcmp(what, "uniform_guard") == 0)
        insn->uniform_guard = true;
}

void act_specialise(struct parse *p, int line, const char *name, struct numbers values) {
    struct insn *insn = block(p, line, "specialise");
    if (!insn)
        return;
    insn->specialise_at = here(p, line);
    insn->specialise_values =
        more(insn->specialise_values, insn->specialise.n, sizeof *insn->specialise_values);
    insn->specialise_values[insn->specialise.n] = values;
    add_name(&insn->specialise, name);
}

void act_feature(struct parse *p, int line, const char *name, const char *title) {
    struct description *d = p->d;
    if (!title) {
        struct insn *insn = block(p, line, "feature");
        if (insn)
            set_once(p, line, &insn->feature, "feature", name);
        return;
    }
    for (size_t i = 0; i < d->feature_count; i++)
        if (strcmp(d->features[i].name, name) == 0)
            error_at(here(p, line), "feature `%s` is already there, from %s:%d", name,
                     d->features[i].at.file, d->features[i].at.line);
    d->features = more(d->features, d->feature_count, sizeof *d->features);
    d->features[d->feature_count++] =
        (struct feature){.at = here(p, line), .name = name, .title = title};
}

void act_form(struct parse *p, int line, const char *name, uint64_t opcode, struct fix *fixes,
              size_t count) {
    struct insn *insn = block(p, line, "form");
    if (!insn)
        return;
    if (opcode > 0x1fff)
        error_at(here(p, line), "opcode 0x%llx has more than 13 bits", (unsigned long long)opcode);
    for (size_t i = 0; i < insn->form_count; i++)
        if (strcmp(insn->forms[i].name, name) == 0)
            error_at(here(p, line), "form `%s` is given twice", name);
    insn->forms = more(insn->forms, insn->form_count, sizeof *insn->forms);
    insn->forms[insn->form_count++] = (struct form){.at = here(p, line),
                                                    .name = name,
                                                    .opcode = (unsigned)opcode & 0x1fff,
                                                    .fixes = fixes,
                                                    .fix_count = count};
}

void act_fixed(struct parse *p, int line, struct fix *fixes, size_t count) {
    struct insn *insn = block(p, line, "fixed");
    for (size_t i = 0; insn && i < count; i++) {
        insn->fixes = more(insn->fixes, insn->fix_count, sizeof *insn->fixes);
        insn->fixes[insn->fix_count++] = fixes[i];
    }
}

/* "[forms:] text"; a continuation line joins with a space. */
void act_syntax(struct parse *p, int line, const char *text) {
    struct insn *insn = block(p, line, "syntax");
    if (!insn)
        return;
    struct syntax syntax = {.at = here(p, line)};
    char *s = copy(text, strlen(text));
    for (char *nl = strchr(s, '\n'); nl; nl = strchr(nl, '\n'))
        *nl = ' ';
    s += strspn(s, " \t");
    size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_,");
    if (s[n] == ':') {
        s[n] = 0;
        for (char *name = strtok(s, ","); name; name = strtok(NULL, ","))
            add_name(&syntax.forms, name);
        s += n + 1;
        s += strspn(s, " \t");
    }
    syntax.text = s;
    insn->syntaxes = more(insn->syntaxes, insn->syntax_count, sizeof *insn->syntaxes);
    insn->syntaxes[insn->syntax_count++] = syntax;
}

void act_mod(struct parse *p, int line, const char *name, const char *bits, struct choices *values,
             const char *enum_name) {
    struct insn *insn = block(p, line, "mod");
    if (!insn)
        return;
    if (find_mod(insn, name))
        error_at(here(p, line), "modifier `%s` is given twice", name);
    struct bits where = act_bits(p, line, bits);
    if (bits_width(&where) > 8) {
        error_at(here(p, line), "modifier `%s` has more than 8 bits", name);
        where = one_piece(0, 0);
    }
    insn->mods = more(insn->mods, insn->mod_count, sizeof *insn->mods);
    insn->mods[insn->mod_count++] = (struct mod){
        .at = here(p, line), .name = name, .bits = where, .values = values, .enum_name = enum_name};
}

void act_mod_default(struct parse *p, uint64_t value) {
    if (!p->insn || !p->insn->mod_count)
        return;
    struct mod *mod = &p->insn->mods[p->insn->mod_count - 1];
    mod->has_default = true;
    mod->fallback = (uint32_t)value;
}

void act_mod_hidden(struct parse *p) {
    if (p->insn && p->insn->mod_count)
        p->insn->mods[p->insn->mod_count - 1].hidden = true;
}

void act_field(struct parse *p, int line, struct names forms, const char *name) {
    struct insn *insn = block(p, line, "field");
    if (!insn)
        return;
    insn->fields = more(insn->fields, insn->field_count, sizeof *insn->fields);
    insn->fields[insn->field_count++] =
        (struct field){.at = here(p, line), .forms = forms, .name = name};
}

static struct field *last_field(struct parse *p) {
    return p->insn && p->insn->field_count ? &p->insn->fields[p->insn->field_count - 1] : NULL;
}

void act_part(struct parse *p, int line, const char *name, const char *bits) {
    struct field *field = last_field(p);
    if (!field)
        return;
    if (!bits && strcmp(name, "shared") == 0) {
        field->shared = true;
        return;
    }
    if (!bits && strcmp(name, "narrow") == 0) {
        field->narrow = true;
        return;
    }
    if (!bits && strcmp(name, "signed") == 0) {
        field->is_signed = true;
        return;
    }
    if (!bits) {
        if (field->kind)
            error_at(here(p, line), "`%s`: `%s` needs bits, as in `%s@39:32`", field->name, name,
                     name);
        field->kind = name;
        return;
    }
    field->parts = more(field->parts, field->part_count, sizeof *field->parts);
    field->parts[field->part_count++] = (struct part){name, act_bits(p, line, bits)};
}

void act_field_default(struct parse *p, int line, bool negated, const char *word, int64_t number) {
    struct field *field = last_field(p);
    if (field)
        field->fallback = (struct fallback){here(p, line), true, negated, word, number};
}

void act_imm(struct parse *p, int line, const char *operand, const char *style) {
    struct insn *insn = block(p, line, "imm");
    if (!insn)
        return;
    insn->imms = more(insn->imms, insn->imm_count, sizeof *insn->imms);
    insn->imms[insn->imm_count++] = (struct imm_style){here(p, line), operand, style};
}

/* An enum's name, then operands. */
void act_parts(struct parse *p, int line, struct names words) {
    struct insn *insn = block(p, line, "parts");
    for (size_t i = 1; insn && i < words.n; i++) {
        insn->parts = more(insn->parts, insn->parts_count, sizeof *insn->parts);
        insn->parts[insn->parts_count++] =
            (struct parts_of){.at = here(p, line), .enum_name = words.v[0], .operand = words.v[i]};
    }
}

static char *trimmed(const char *s, size_t n) {
    while (n && isspace((unsigned char)*s)) {
        s++;
        n--;
    }
    while (n && isspace((unsigned char)s[n - 1]))
        n--;
    return copy(s, n);
}

/* The length of the part of `s` before `stop` outside parentheses. */
static size_t top_level(const char *s, char stop) {
    int depth = 0;
    size_t i;
    for (i = 0; s[i] && (depth || s[i] != stop); i++)
        depth += (s[i] == '(') - (s[i] == ')');
    return i;
}

/* "Rd = expr [align n], C = expr ..." */
void act_regs(struct parse *p, int line, const char *text) {
    struct insn *insn = block(p, line, "regs");
    while (insn && *text) {
        size_t n = top_level(text, ',');
        char *item = trimmed(text, n);
        text += n + (text[n] == ',');
        size_t name = strcspn(item, " =");
        char *equals = strchr(item, '=');
        if (!equals || name == 0) {
            error_at(here(p, line), "expected `operand = number of registers`, not `%s`", item);
            return;
        }
        struct regs r = {.at = here(p, line), .operand = copy(item, name)};
        char *align = strstr(equals, " align ");
        if (align) {
            const uint64_t number = number_of(r.at, align + 7, strlen(align + 7));
            r.align = number > UINT32_MAX ? UINT32_MAX : (unsigned)number;
            *align = 0;
        }
        r.expr = trimmed(equals + 1, strlen(equals + 1));
        insn->regs = more(insn->regs, insn->regs_count, sizeof *insn->regs);
        insn->regs[insn->regs_count++] = r;
    }
}

/* "TEXT: expr; TEXT: expr; ..." */
void act_derived(struct parse *p, int line, const char *name, const char *cases) {
    struct insn *insn = block(p, line, "derived");
    if (!insn)
        return;
    insn->deriveds = more(insn->deriveds, insn->derived_count, sizeof *insn->deriveds);
    struct derived *d = &insn->deriveds[insn->derived_count++];
    *d = (struct derived){.at = here(p, line), .name = name};
    while (cases[strspn(cases, " \t\n")]) {
        for (; isspace((unsigned char)*cases); cases++)
            line += *cases == '\n';
        size_t n = top_level(cases, ';'), head = top_level(cases, ':');
        if (head >= n) {
            error_at(here(p, line), "expected `NAME: expression;` in `derived %s`", name);
            return;
        }
        d->cases = more(d->cases, d->case_count, sizeof *d->cases);
        d->cases[d->case_count].text = trimmed(cases, head);
        d->cases[d->case_count].expr.at = here(p, line);
        d->cases[d->case_count++].expr.s = trimmed(cases + head + 1, n - head - 1);
        for (size_t i = 0; i < n; i++)
            line += cases[i] == '\n';
        cases += n + (cases[n] == ';');
    }
}

void act_check(struct parse *p, int line, const char *message, const char *expr) {
    struct insn *insn = block(p, line, "check");
    if (!insn)
        return;
    insn->checks = more(insn->checks, insn->check_count, sizeof *insn->checks);
    insn->checks[insn->check_count++] =
        (struct check){here(p, line), message, trimmed(expr, strlen(expr))};
}

void act_text(struct parse *p, int line, const char *what, const char *text) {
    struct insn *insn = block(p, line, what);
    if (!insn)
        return;
    if (strcmp(what, "does") == 0) {
        set_once(p, line, &insn->body, what, text);
    } else if (strcmp(what, "like") == 0) {
        set_once(p, line, &insn->like, what, text);
    } else if (strcmp(what, "unsupported") == 0) {
        set_once(p, line, &insn->unsupported, what, text);
        set_once(p, line, &insn->handler, "handler", "unsupported");
    } else {
        char *note = trimmed(text, strlen(text));
        insn->note = (struct text){here(p, line),
                                   insn->note.s ? print("%s\n\n%s", insn->note.s, note) : note};
    }
}

void act_choice(struct parse *p, int line, const char *text) {
    struct names *choices = p->insn ? &p->insn->choices : &p->d->choices;
    char *choice = trimmed(text, strlen(text));
    if (!*choice)
        error_at(here(p, line), "what is the choice?");
    add_name(choices, choice);
}

void act_outside(struct parse *p, int line, const char *why) {
    if (!*why)
        error_at(here(p, line), "why are these not described?");
    p->outside = why;
}

void act_outside_name(struct parse *p, int line, uint64_t opcode, const char *name) {
    struct description *d = p->d;
    if (opcode > 0x1fff)
        error_at(here(p, line), "an opcode has 13 bits");
    d->outsides = more(d->outsides, d->outside_count, sizeof *d->outsides);
    d->outsides[d->outside_count++] =
        (struct outside){here(p, line), name, p->outside, (unsigned)opcode & 0x1fff};
}

void act_slot(struct parse *p, int line, const char *operand, const char *standard) {
    struct insn *insn = block(p, line, "slot");
    if (!insn)
        return;
    insn->slots = more(insn->slots, insn->slots_count, sizeof *insn->slots);
    insn->slots[insn->slots_count++] = (struct slot_of){here(p, line), operand, standard};
}

void act_prefer(struct parse *p, int line, const char *first, const char *second) {
    struct insn *insn = block(p, line, "prefer");
    if (!insn)
        return;
    insn->prefers = more(insn->prefers, insn->prefer_count, sizeof *insn->prefers);
    insn->prefers[insn->prefer_count++] =
        (struct prefer){.at = here(p, line), .first = first, .second = second};
}

void act_allow(struct parse *p, int line, const char *first, const char *second) {
    struct description *d = p->d;
    d->allows = more(d->allows, d->allow_count, sizeof *d->allows);
    d->allows[d->allow_count++] =
        (struct allow){.at = here(p, line), .first = first, .second = second};
}

void act_enum(struct parse *p, int line, const char *name, struct choices *values) {
    struct description *d = p->d;
    d->enums = more(d->enums, d->enum_count, sizeof *d->enums);
    values->at = here(p, line);
    values->name = name;
    values->own = p->shard->own;
    d->enums[d->enum_count++] = *values;
}

void act_pipe(struct parse *p, int line, const char *name, const char *reads, uint64_t stall) {
    struct description *d = p->d;
    for (size_t i = 0; i < d->pipe_count; i++)
        if (strcmp(d->pipes[i].name, name) == 0)
            error_at(here(p, line), "pipe `%s` is given twice", name);
    if (stall == 0 || stall > 15)
        error_at(here(p, line), "a stall is 1 to 15 cycles, not %llu", (unsigned long long)stall);
    d->pipes = more(d->pipes, d->pipe_count, sizeof *d->pipes);
    d->pipes[d->pipe_count++] = (struct pipe){.at = here(p, line),
                                              .name = name,
                                              .reads = reads,
                                              .queue = reads,
                                              .stall = (unsigned)stall};
}

void act_pipe_cycles(struct parse *p, int line, const char *group, uint64_t least, uint64_t safe) {
    struct pipe *pipe = &p->d->pipes[p->d->pipe_count - 1];
    if (least == 0 || safe > 255)
        error_at(here(p, line), "a result is ready after 1 to 255 cycles, not %llu",
                 (unsigned long long)(least ? safe : least));
    if (safe < least)
        error_at(here(p, line), "%llu cycles are less than the least", (unsigned long long)safe);
    pipe->ready = more(pipe->ready, pipe->ready_count, sizeof *pipe->ready);
    pipe->ready[pipe->ready_count++] =
        (struct ready){here(p, line), group, (unsigned)least, (unsigned)safe};
}

void act_pipe_word(struct parse *p, int line, const char *word, const char *queue) {
    struct pipe *pipe = &p->d->pipes[p->d->pipe_count - 1];
    if (queue)
        pipe->queue = queue;
    pipe->ordered = strcmp(word, "ordered") == 0;
    if (!pipe->ordered && strcmp(word, "variable") != 0)
        error_at(here(p, line), "a pipe is `variable`, `ordered` or gives its cycles, not `%s`",
                 word);
    pipe->variable = true;
}

/* "PIPE [if expr], PIPE [if expr], ..." */
void act_issue(struct parse *p, int line, const char *text) {
    struct insn *insn = block(p, line, "issue");
    if (insn && insn->issue_count)
        error_at(here(p, line), "`issue` is given twice");
    while (insn && *text) {
        size_t n = top_level(text, ',');
        char *item = trimmed(text, n);
        text += n + (text[n] == ',');
        char *cond = strstr(item, " if ");
        struct issue issue = {.at = here(p, line), .pipe = item};
        if (cond) {
            issue.cond = trimmed(cond + 4, strlen(cond + 4));
            *cond = 0;
        }
        insn->issues = more(insn->issues, insn->issue_count, sizeof *insn->issues);
        insn->issues[insn->issue_count++] = issue;
    }
}

/* The first word of the text, which goes on behind it. */
static const char *first_word(const char **text) {
    *text += strspn(*text, " \t\n");
    size_t n = strcspn(*text, " \t\n");
    const char *word = copy(*text, n);
    *text += n;
    return word;
}

static struct text clause(struct parse *p, int line, const char *s) {
    return (struct text){here(p, line), trimmed(s, strlen(s))};
}

/* "SPACE HOW BYTES [if EXPR] [unless EXPR]", or "none" */
void act_access(struct parse *p, int line, const char *text) {
    struct insn *insn = block(p, line, "access");
    if (!insn)
        return;
    struct access *a = &insn->access;
    if (a->at.file)
        error_at(here(p, line), "`access` is given twice");
    *a = (struct access){.at = here(p, line), .space = first_word(&text)};
    if (strcmp(a->space, "none") == 0)
        return;
    a->how = first_word(&text);
    char *rest = copy(text, strlen(text)), *unless, *when;
    for (char *nl = strchr(rest, '\n'); nl; nl = strchr(nl, '\n'))
        *nl = ' ';
    unless = strstr(rest, " unless ");
    if (unless) {
        a->unless = clause(p, line, unless + 8);
        *unless = 0;
    }
    if ((when = strstr(rest, " if ")) != NULL) {
        a->when = clause(p, line, when + 4);
        *when = 0;
    }
    a->bytes = clause(p, line, rest);
}

void act_special(struct parse *p, uint64_t value, const char *name) {
    struct description *d = p->d;
    d->specials = more(d->specials, d->special_count, sizeof *d->specials);
    d->specials[d->special_count++] =
        (struct choice){(uint32_t)value, strcmp(name, "SRZ") == 0 ? name : print("SR_%s", name)};
}
