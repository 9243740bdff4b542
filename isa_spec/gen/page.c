/*
 * page.c - the page of one instruction in the ISA book, Markdown, and the page of the layouts.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "operands.h"

/* ---------------------------------------------------------------- text and encodings */

static void syntaxes(FILE *out, const struct insn *insn) {
    fputs("```\n", out);
    for (size_t i = 0; i < insn->syntax_count; i++) {
        const struct syntax *s = &insn->syntaxes[i];
        fputs(s->text, out);
        for (size_t k = 0; k < s->forms.n; k++)
            fprintf(out, "%s%s", k ? ", " : "      form ", s->forms.v[k]);
        fputc('\n', out);
    }
    fputs("```\n\n", out);
}

static void fixed_bits(FILE *out, const struct fix *fixes, size_t n) {
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s[%s] = %llu", i ? ", " : "", bits_text(&fixes[i].bits),
                (unsigned long long)fixes[i].value);
}

static const char *brief_kind(const struct form *form, const char *name) {
    int i = operand_index(form, name);
    return i < 0 ? "-" : kind_name(form->operands[i].kind);
}

static void form_table(FILE *out, const struct insn *insn) {
    bool b = false, c = false;
    for (size_t i = 0; i < insn->form_count; i++) {
        b |= operand_index(&insn->forms[i], "B") >= 0;
        c |= operand_index(&insn->forms[i], "C") >= 0;
    }
    fprintf(out, "| form | opcode |%s%s fixed bits |\n|---|---|%s%s---|\n", b ? " B |" : "",
            c ? " C |" : "", b ? "---|" : "", c ? "---|" : "");
    for (size_t i = 0; i < insn->form_count; i++) {
        const struct form *f = &insn->forms[i];
        fprintf(out, "| %s | 0x%04x |", f->name, f->opcode);
        if (b)
            fprintf(out, " %s |", brief_kind(f, "B"));
        if (c)
            fprintf(out, " %s |", brief_kind(f, "C"));
        fputc(' ', out);
        fixed_bits(out, insn->fixes, insn->fix_count);
        fputs(insn->fix_count && f->fix_count ? ", " : "", out);
        fixed_bits(out, f->fixes, f->fix_count);
        fputs(" |\n", out);
    }
    fputc('\n', out);
}

/* ---------------------------------------------------------------- fields */

static void values(FILE *out, const struct mod *mod) {
    for (size_t i = 0; i < mod->values->n; i++) {
        const struct choice *v = &mod->values->v[i];
        fprintf(out, "%s%u ", i ? ", " : "", v->value);
        if (*v->text)
            fprintf(out, "`.%s`", v->text);
        else
            fputs("nothing", out);
    }
}

/* A bar would end the cell of a table. */
static char *cell(const char *s) {
    char *text = print("%s", "");
    for (; *s; s += strcspn(s, "|"), s += *s != 0) {
        size_t n = strcspn(s, "|");
        text = print("%s%.*s%s", text, (int)n, s, s[n] ? "\\|" : "");
    }
    return text;
}

static void mod_table(FILE *out, const struct insn *insn) {
    if (!insn->mod_count && !insn->derived_count)
        return;
    fputs("| modifier | bits | values |\n|---|---|---|\n", out);
    for (size_t i = 0; i < insn->mod_count; i++) {
        fprintf(out, "| %s | %s | ", insn->mods[i].name, bits_text(&insn->mods[i].bits));
        values(out, &insn->mods[i]);
        fputs(" |\n", out);
    }
    for (size_t i = 0; i < insn->derived_count; i++) {
        const struct derived *d = &insn->deriveds[i];
        for (size_t k = 0; k < d->case_count; k++)
            fprintf(out, "| %s | none: follows from the operands | `.%s` if `%s` |\n", d->name,
                    d->cases[k].text, cell(d->cases[k].expr.s));
    }
    fputc('\n', out);
}

static char *operand_bits(const struct operand *o) {
    static const char *const names[] = {"",       "",    "sign",         "bars",        "bank ",
                                        "scale ", "UR ", "64-bit base ", "descriptor ", "part "};
    char *text = print("%s", o->word ? "a word" : "");
    for (unsigned f = 0; f < F_COUNT; f++) {
        const struct bits *b = &o->field[f];
        if (!b->pieces)
            continue;
        const char *name = f == F_NEG   ? o->sign == FH_SIGN_NOT ? "`!` " : "sign "
                           : f == F_ABS ? "bars "
                                        : names[f];
        text = print("%s%s%s%s%s", text, *text ? "; " : "", name, bits_text(b),
                     b->inverted ? " inverted" : "");
        if (b->shift)
            text = print("%s, times %u", text, 1u << b->shift);
        if (b->is_signed)
            text = print("%s, signed", text);
    }
    return text;
}

static char *operand_row(const struct operand *o) {
    char *text = print("%s | %s | %s%s%s |", kind_name(o->kind), operand_bits(o),
                       is_set(o->access, FH_READ) ? "read" : "",
                       o->access == (FH_READ | FH_WRITE) ? ", " : "",
                       is_set(o->access, FH_WRITE) ? "written" : "");
    char *more_text = print("%s", "");
    if (o->regs.s && strcmp(o->regs.s, "1") != 0)
        more_text = print("%s `%s` registers%s", more_text, cell(o->regs.s),
                          o->align ? print(", multiple of %u", o->align) : "");
    if (o->cond.s)
        more_text = print("%s only with `%s`", more_text, cell(o->cond.s));
    if (o->optional)
        more_text = print("%s may be left out", more_text);
    return print("%s%s |", text, more_text);
}

/* One row per operand and distinct encoding; the forms that have it are listed. */
static void operand_table(FILE *out, const struct insn *insn) {
    struct names done = {0};
    fputs("| operand | forms | is a | bits | | |\n|---|---|---|---|---|---|\n", out);
    for (size_t i = 0; i < insn->form_count; i++) {
        for (size_t k = 0; k < insn->forms[i].operand_count; k++) {
            const struct operand *o = &insn->forms[i].operands[k];
            const char *row = operand_row(o), *key = print("%s %s", o->name, row);
            if (has_name(&done, key))
                continue;
            add_name(&done, key);
            fprintf(out, "| %s |", o->word ? o->word : o->name);
            size_t listed = 0;
            for (size_t m = 0; m < insn->form_count; m++) {
                int at = operand_index(&insn->forms[m], o->name);
                if (at >= 0 && strcmp(operand_row(&insn->forms[m].operands[at]), row) == 0)
                    fprintf(out, "%s%s", listed++ ? ", " : " ", insn->forms[m].name);
            }
            fprintf(out, " | %s\n", row);
        }
    }
    fputc('\n', out);
}

/* ---------------------------------------------------------------- meaning */

/* The body without the indentation that all its lines share. */
static void body(FILE *out, const char *s, const char *language) {
    size_t common = SIZE_MAX;
    for (const char *p = strchr(s, '\n'); p; p = strchr(p + 1, '\n')) {
        size_t n = strspn(p + 1, " ");
        if (p[1 + n] && p[1 + n] != '\n' && n < common)
            common = n;
    }
    fprintf(out, "```%s\n", language);
    while (*s) {
        size_t n = strcspn(s, "\n"), skip = strspn(s, " ");
        size_t cut = common == SIZE_MAX || skip < common ? skip : common;
        if (skip < n)
            fprintf(out, "%.*s\n", (int)(n - cut), s + cut);
        s += n + (s[n] == '\n');
    }
    fputs("```\n\n", out);
}

void write_prose(FILE *out, const char *s) {
    while (*s) {
        if (s[0] == '\n' && s[1] == '\n') {
            fputs("\n\n", out);
            s += 2;
        } else if (*s == '\n') {
            fputc(' ', out);
            s++;
        } else {
            fputc(*s++, out);
        }
    }
    fputs("\n\n", out);
}

/* What `memory` is in the body of a memory instruction. */
static void access_text(FILE *out, const struct access *a) {
    if (!a->how)
        return;
    bool store = strcmp(a->how, "store") == 0, load = strcmp(a->how, "load") == 0;
    fprintf(out, "`memory` is what lies at the address in %s memory, `%s` bytes",
            strcmp(a->space, "generic") == 0 ? "global, shared or local" : a->space, a->bytes.s);
    if (!load)
        fprintf(out, ", and what the body leaves there is stored%s",
                store                         ? ""
                : strcmp(a->how, "swap") == 0 ? " if it is different"
                                              : "");
    fputs(". All lanes' addresses are checked before anything changes.", out);
    if (a->when.s)
        fprintf(out, " Lanes without `%s` access nothing; `memory` is 0 there.", a->when.s);
    if (a->unless.s)
        fprintf(out, " Lanes with `%s` do nothing, and their predicate results are 0.",
                a->unless.s);
    fputs("\n\n", out);
}

static void meaning(FILE *out, const struct insn *insn) {
    static const char *const intro[][2] = {
        {"lane", "For every active lane:"},
        {"uniform", "Once per warp:"},
        {"warp", "Over the lanes of the warp (`active` is the mask of the active ones):"},
        {"matrix", "All 32 lanes together:"},
        {"mem", "For every active lane, from 0 to 31:"},
        {"ctrl", "For the active lanes:"},
    };
    for (size_t i = 0; i < sizeof intro / sizeof *intro; i++)
        if (strcmp(insn->kind.s, intro[i][0]) == 0)
            fprintf(out, "%s\n\n", intro[i][1]);
    access_text(out, &insn->access);
    if (!has_body(insn) && !insn->unsupported.s)
        fputs("In words, since it is carried out by a function of the emulator:\n\n", out);
    body(out, insn->body_owner->body.s, has_body(insn) ? "c" : "text");
    if (insn->unsupported.s)
        fprintf(out, "**It cannot be executed:** %s.\n\n", insn->unsupported.s);
    if (insn->note.s)
        write_prose(out, insn->note.s);
    for (size_t i = 0; i < insn->choices.n; i++) {
        fputs("**Not known from silicon.** ", out);
        write_prose(out, insn->choices.v[i]);
    }
    for (size_t i = 0; i < insn->check_count; i++)
        fprintf(out, "- %c%s: `%s`\n", toupper((unsigned char)insn->checks[i].message[0]),
                insn->checks[i].message + 1, insn->checks[i].expr);
    fputs(insn->check_count ? "\n" : "", out);
}

char *page_of(const struct description *d, const struct insn *insn) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "## %s\n\n%s. Kind %s, class %s", insn->name, insn->title, insn->kind.s,
            insn->klass.s);
    if (insn->feature.s)
        fprintf(out, ", needs `.target %s`", insn->feature.s);
    fprintf(out, "%s.\n\n", insn->uniform_guard ? "; the guard is a uniform predicate" : "");
    syntaxes(out, insn);
    if (insn->issue_count) {
        fputs("Issues to pipe ", out);
        for (size_t i = 0; i < insn->issue_count; i++) {
            const struct issue *issue = &insn->issues[i];
            fprintf(out, "%s%s", i ? ", else " : "", issue->pipe);
            if (issue->cond)
                fprintf(out, " if `%s`", cell(issue->cond));
        }
        fputs(".\n\n", out);
    }
    meaning(out, insn);
    form_table(out, insn);
    mod_table(out, insn);
    operand_table(out, insn);
    layout_pages(out, d, insn);
    fclose(out);
    return text;
}
