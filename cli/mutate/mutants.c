/*
 * mutants.c - see mutants.h.
 */
#include "mutants.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "literal.h"
#include "message.h"

enum { MOST_OPERANDS = 12, LINE = 400 };

/* A line cut into what edits are about. */
struct parts {
    char guard[16], mnemonic[80];
    char operands[MOST_OPERANDS][80];
    size_t count;
};

struct adding {
    const struct fh_cli *cli;
    struct fh_cli_mutants *mutants;
    struct fh_cli_mutant place; /* of the line */
    fhec_status status;
};

/* ---------------------------------------------------------------- lines */

static void copy_part(char *to, size_t size, const char *from, size_t length) {
    if (length >= size)
        length = size - 1;
    memcpy(to, from, length);
    to[length] = 0;
}

static bool cut(const char *line, size_t length, struct parts *parts) {
    const char *end = line + length;
    *parts = (struct parts){0};
    while (end > line && (end[-1] == ' ' || end[-1] == ';'))
        end--;
    while (line < end && *line == ' ')
        line++;
    if (line < end && *line == '@') {
        const char *space = memchr(line, ' ', (size_t)(end - line));
        if (!space)
            return false;
        copy_part(parts->guard, sizeof parts->guard, line + 1, (size_t)(space - line) - 1);
        line = space + 1;
    }
    const char *space = memchr(line, ' ', (size_t)(end - line));
    copy_part(parts->mnemonic, sizeof parts->mnemonic, line,
              (size_t)((space ? space : end) - line));
    for (line = space ? space + 1 : end; line < end && parts->count < MOST_OPERANDS;) {
        const char *comma = memchr(line, ',', (size_t)(end - line));
        const char *stop = comma ? comma : end;
        while (*line == ' ')
            line++;
        copy_part(parts->operands[parts->count++], sizeof parts->operands[0], line,
                  (size_t)(stop - line));
        line = comma ? comma + 1 : end;
    }
    return parts->mnemonic[0] != 0;
}

static void join(const struct parts *parts, char *line, size_t size) {
    int used = snprintf(line, size, "    %s%s%s%s", *parts->guard ? "@" : "", parts->guard,
                        *parts->guard ? " " : "", parts->mnemonic);
    for (size_t i = 0; i < parts->count && used >= 0 && (size_t)used < size; i++)
        used +=
            snprintf(line + used, size - (size_t)used, "%s %s", i ? "," : "", parts->operands[i]);
    if (used >= 0 && (size_t)used < size)
        snprintf(line + used, size - (size_t)used, " ;");
}

static void add(struct adding *adding, const char *kind, const char *after, bool doubled) {
    struct fh_cli_mutants *mutants = adding->mutants;
    struct fh_cli_mutant *larger = fh_cli_more(mutants->list, mutants->count, sizeof *larger);
    char *copy = strdup(after);
    if (larger)
        mutants->list = larger;
    if (!larger || !copy) {
        free(copy);
        adding->status = fh_cli_no_memory(adding->cli);
        return;
    }
    larger[mutants->count] = adding->place;
    larger[mutants->count].kind = kind;
    larger[mutants->count].after = copy;
    larger[mutants->count++].doubled = doubled;
}

static void add_parts(struct adding *adding, const char *kind, const struct parts *parts) {
    char line[LINE];
    join(parts, line, sizeof line);
    add(adding, kind, line, false);
}

/* ---------------------------------------------------------------- what an instruction is */

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static bool is_one_of(const char *mnemonic, const char *const *names) {
    for (; *names; names++)
        if (begins(mnemonic, *names) &&
            (mnemonic[strlen(*names)] == 0 || mnemonic[strlen(*names)] == '.'))
            return true;
    return false;
}

static bool is_barrier(const char *mnemonic) {
    static const char *const names[] = {"BAR", "WARPSYNC", "BSYNC", "DEPBAR", "LDGDEPBAR", NULL};
    return is_one_of(mnemonic, names);
}

/* Orders memory, or caches: nothing that an emulator of it in order can show. */
static bool is_silent(const char *mnemonic) {
    static const char *const names[] = {"NOP",   "MEMBAR", "ERRBAR", "CCTL",
                                        "YIELD", "BMOV",   "FENCE",  NULL};
    return is_one_of(mnemonic, names);
}

static bool is_memory(const char *mnemonic) {
    static const char *const names[] = {"LDG",   "STG", "LDS",    "STS",  "LDL",  "STL",
                                        "LD",    "ST",  "LDC",    "LDSM", "ATOM", "ATOMG",
                                        "ATOMS", "RED", "LDGSTS", "ULDC", NULL};
    return is_one_of(mnemonic, names);
}

static bool commutes(const char *mnemonic) {
    static const char *const names[] = {"IADD3",  "UIADD3", "IMAD", "UIMAD", "FADD",
                                        "FMUL",   "IMNMX",  "VOTE", "FFMA",  "MODADD",
                                        "MODMUL", "MODMAD", NULL};
    return is_one_of(mnemonic, names);
}

/* A second time changes something: an operand is overwritten, or memory added to. */
static bool adds_up(const struct parts *parts) {
    static const char *const names[] = {"RED", "ATOM", "ATOMG", "ATOMS", NULL};
    if (is_one_of(parts->mnemonic, names))
        return true;
    if (!parts->count || !isupper((unsigned char)parts->operands[0][0]) ||
        is_memory(parts->mnemonic))
        return false;
    const size_t length = strlen(parts->operands[0]);
    for (size_t i = 1; i < parts->count; i++) {
        const char *operand = parts->operands[i] + strspn(parts->operands[i], "-~!|");
        if (strncmp(operand, parts->operands[0], length) == 0 &&
            !isdigit((unsigned char)operand[length]))
            return true;
    }
    return false;
}

/* ---------------------------------------------------------------- edits */

static void edit_guard(struct adding *adding, const struct parts *of) {
    struct parts parts = *of;
    if (!*of->guard)
        return;
    parts.guard[0] = 0;
    add_parts(adding, "guard", &parts);
    if (of->guard[0] == '!')
        snprintf(parts.guard, sizeof parts.guard, "%s", of->guard + 1);
    else
        snprintf(parts.guard, sizeof parts.guard, "!%.12s", of->guard);
    add_parts(adding, "guard", &parts);
}

/* Width and signedness are what memory instructions do; the rest are hints to caches and scopes. */
static bool matters(const char *mnemonic, const char *modifier, size_t length) {
    static const char *const widths[] = {"64", "128", "U8", "S8", "U16", "S16", "32", "M88", NULL};
    if (!is_memory(mnemonic))
        return !(length == 3 && begins(modifier, "U32") && !strstr(mnemonic, "WIDE") &&
                 !strstr(mnemonic, "HI") && begins(mnemonic, "IMAD"));
    for (size_t i = 0; widths[i]; i++)
        if (strlen(widths[i]) == length && strncmp(widths[i], modifier, length) == 0)
            return true;
    return false;
}

static void edit_modifiers(struct adding *adding, const struct parts *of) {
    enum { OTHERS = 2 };
    for (const char *dot = strchr(of->mnemonic, '.'); dot; dot = strchr(dot + 1, '.')) {
        struct parts parts = *of;
        const size_t at = (size_t)(dot - of->mnemonic), length = strcspn(dot + 1, ".");
        const char *rest = dot + 1 + length, *other;
        if (!matters(of->mnemonic, dot + 1, length))
            continue;
        snprintf(parts.mnemonic + at, sizeof parts.mnemonic - at, "%s", rest);
        add_parts(adding, "modifier", &parts);
        unsigned made = 0;
        for (size_t i = 0; made < OTHERS && fhec_isa_modifier(of->mnemonic, i, &other); i++) {
            if ((strlen(other) == length && strncmp(other, dot + 1, length) == 0) ||
                !matters(of->mnemonic, other, strlen(other)))
                continue;
            parts = *of;
            snprintf(parts.mnemonic + at, sizeof parts.mnemonic - at, ".%s%s", other, rest);
            add_parts(adding, "modifier", &parts);
            made++;
        }
    }
}

/* Replaces [from, from + length) of an operand. */
static void replace(struct adding *adding, const struct parts *of, size_t operand, size_t from,
                    size_t length, const char *with, const char *kind) {
    struct parts parts = *of;
    const char *old = of->operands[operand];
    snprintf(parts.operands[operand], sizeof parts.operands[operand], "%.*s%s%s", (int)from, old,
             with, old + from + length);
    add_parts(adding, kind, &parts);
}

static void edit_register(struct adding *adding, const struct parts *of, size_t operand, size_t at,
                          size_t prefix) {
    const char *text = of->operands[operand] + at;
    char with[32];
    uint64_t number;
    const size_t length = prefix + fh_parse_digits(text + prefix, 10, &number);
    const uint64_t most = text[prefix - 1] == 'P' ? 6 : prefix == 2 ? 62 : 254;
    for (int step = -1; step <= 1; step += 2) {
        if ((step < 0 && number == 0) || (step > 0 && number >= most))
            continue;
        snprintf(with, sizeof with, "%.*s%" PRIu64, (int)prefix, text,
                 step < 0 ? number - 1 : number + 1);
        replace(adding, of, operand, at, length, with, "register");
    }
    if (text[prefix - 1] == 'P' && operand && !at)
        replace(adding, of, operand, at, 0, "!", "operand");
}

static void edit_number(struct adding *adding, const struct parts *of, size_t operand, size_t at) {
    const char *text = of->operands[operand] + at;
    char with[32];
    uint64_t number;
    const size_t length = fh_take_number(text, &number);
    const uint64_t others[] = {number + 1, number ? number - 1 : 2, number ^ 4};
    for (size_t i = 0; i < 3; i++) {
        snprintf(with, sizeof with, "0x%" PRIx64, others[i]);
        replace(adding, of, operand, at, length, with, "immediate");
    }
}

static void edit_operand(struct adding *adding, const struct parts *of, size_t operand) {
    const char *text = of->operands[operand];
    for (size_t at = 0; text[at]; at++) {
        if (at &&
            (isalnum((unsigned char)text[at - 1]) || text[at - 1] == '_' || text[at - 1] == '.'))
            continue;
        const bool uniform = text[at] == 'U';
        const size_t prefix = uniform ? 2 : 1;
        const char kind = text[at + uniform];
        if ((kind == 'R' || kind == 'P') && isdigit((unsigned char)text[at + prefix]))
            edit_register(adding, of, operand, at, prefix);
        else if (text[at] == '0' && text[at + 1] == 'x')
            edit_number(adding, of, operand, at);
    }
}

static void edit_line(struct adding *adding, const char *line, size_t length) {
    struct parts parts;
    char same[LINE];
    if (!cut(line, length, &parts) || parts.mnemonic[0] == '.' || is_silent(parts.mnemonic))
        return;
    add(adding, is_barrier(parts.mnemonic) ? "missing barrier" : "deleted", "    NOP ;", false);
    copy_part(same, sizeof same, line, length);
    if (adds_up(&parts))
        add(adding, "doubled", same, true);
    edit_guard(adding, &parts);
    edit_modifiers(adding, &parts);
    for (size_t i = 0; i < parts.count; i++)
        edit_operand(adding, &parts, i);
    for (size_t i = 1; i + 1 < parts.count; i++) {
        struct parts swapped = parts;
        if (commutes(parts.mnemonic) || strcmp(parts.operands[i], parts.operands[i + 1]) == 0)
            continue;
        memcpy(swapped.operands[i], parts.operands[i + 1], sizeof swapped.operands[i]);
        memcpy(swapped.operands[i + 1], parts.operands[i], sizeof swapped.operands[i]);
        add_parts(adding, "operand", &swapped);
    }
}

/* An instruction of the text: it ends in a semicolon, or is a word as it is. */
static bool is_instruction(const char *line, size_t length) {
    while (length && (*line == ' ' || *line == '\t')) {
        line++;
        length--;
    }
    return length && (line[length - 1] == ';' || (length > 5 && begins(line, ".inst")));
}

fhec_status fh_cli_mutants_add(
    const struct fh_cli *cli, struct fh_cli_mutants *mutants, size_t program, const char *text,
    bool (*wanted)(void *user, size_t program, size_t kernel, uint32_t instruction), void *user) {
    struct adding adding = {cli, mutants, {.program = program, .kernel = SIZE_MAX}, FHEC_OK};
    bool inside = false;
    for (size_t at = 0, length; text[at] && adding.status == FHEC_OK;
         at += length + (text[at + length] != 0)) {
        length = strcspn(text + at, "\n");
        if (begins(text + at, ".kernel ")) {
            adding.place.kernel++;
            adding.place.instruction = 0;
            inside = true;
        } else if (begins(text + at, ".end")) {
            inside = false;
        } else if (inside && is_instruction(text + at, length)) {
            adding.place.line = at;
            adding.place.length = length;
            if (wanted(user, program, adding.place.kernel, adding.place.instruction))
                edit_line(&adding, text + at, length);
            adding.place.instruction++;
        }
    }
    return adding.status;
}

/* ---------------------------------------------------------------- all of them */

void fh_cli_mutants_free(struct fh_cli_mutants *mutants) {
    for (size_t i = 0; i < mutants->count; i++)
        free(mutants->list[i].after);
    free(mutants->list);
    *mutants = (struct fh_cli_mutants){NULL, 0};
}

void fh_cli_mutants_shuffle(struct fh_cli_mutants *mutants, uint64_t seed) {
    for (size_t i = mutants->count; i > 1; i--) {
        uint64_t x = (seed + i) * UINT64_C(0x9e3779b97f4a7c15);
        x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
        const size_t other = (size_t)((x ^ x >> 31) % i);
        const struct fh_cli_mutant kept = mutants->list[i - 1];
        mutants->list[i - 1] = mutants->list[other];
        mutants->list[other] = kept;
    }
}

char *fh_cli_mutant_text(const struct fh_cli_mutant *mutant, const char *text) {
    char *whole;
    const int length = asprintf(&whole, "%.*s%s%s%s%s", (int)mutant->line, text, mutant->after,
                                mutant->doubled ? "\n" : "", mutant->doubled ? mutant->after : "",
                                text + mutant->line + mutant->length);
    return length < 0 ? NULL : whole;
}
