/*
 * debug_assemble.c - see debug_assemble.h. Names are replaced by what they stand for, as text; the
 * assembler then knows machine names and numbers only.
 */
#include "debug_assemble.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "debug_location.h"
#include "patch_option.h"

enum { TEXT = 2000, NAME = 128, DEEPEST = 8, PARAMETERS = 0x160 };

struct names {
    const struct fh_cli_console *console;
    fhec_launch launch;
    fhec_kernel_info info;
    const char *source; /* NULL: it is not known */
};

/* The text that grows; `full`: there was no room. */
struct text {
    char bytes[TEXT];
    size_t length;
    bool full;
};

static void put(struct text *to, const char *bytes, size_t length) {
    to->full |= to->length + length >= TEXT;
    if (to->full)
        return;
    memcpy(to->bytes + to->length, bytes, length);
    to->length += length;
    to->bytes[to->length] = '\0';
}

static void put_hex(struct text *to, const char *before, uint64_t number, const char *behind) {
    char shown[80];
    const int length = snprintf(shown, sizeof shown, "%s0x%" PRIx64 "%s", before, number, behind);
    put(to, shown, (size_t)length);
}

/* ---------------------------------------------------------------- the source */

/* "NAME = TEXT" behind .reg, "NAME, TEXT" behind .equ and .set; the text up to a comment. */
static bool meaning(const char *line, const char *end, const char *name, char *text, size_t size,
                    bool *is_register) {
    const size_t length = strlen(name);
    line += strspn(line, " \t");
    *is_register = !strncmp(line, ".reg", 4);
    if ((!*is_register && strncmp(line, ".equ", 4) != 0 && strncmp(line, ".set", 4) != 0) ||
        !strchr(" \t", line[4]))
        return false;
    line += 4 + strspn(line + 4, " \t");
    if (strncmp(line, name, length) != 0)
        return false;
    line += length + strspn(line + length, " \t");
    if (*line != (*is_register ? '=' : ','))
        return false;
    line += 1 + strspn(line + 1, " \t");
    size_t columns = line < end ? (size_t)(end - line) : 0;
    for (size_t i = 0; i + 1 < columns; i++)
        if (line[i] == '/' && (line[i + 1] == '/' || line[i + 1] == '*'))
            columns = i;
    while (columns && isspace((unsigned char)line[columns - 1]))
        columns--;
    (void)snprintf(text, size, "%.*s", (int)columns, line);
    return columns != 0;
}

/* Whether a line is ".ifndef NAME": what the line behind it gives the name is given only if nobody
 * else has, such as a command line. */
static bool is_default(const char *line, const char *name) {
    static const char key[] = ".ifndef";
    const size_t length = strlen(name);
    line += strspn(line, " \t");
    if (strncmp(line, key, strlen(key)) != 0)
        return false;
    line += strlen(key) + strspn(line + strlen(key), " \t");
    return !strncmp(line, name, length) && strchr(" \t\r\n/", line[length]);
}

/* The last one counts that stands in the text: .set may give a name several meanings. One that the
 * text does not decide is none. */
static bool find_meaning(const struct names *n, const char *name, char *text, size_t size,
                         bool *is_register) {
    bool found = false, one, open = false;
    for (const char *line = n->source; line && *line;) {
        const char *end = line + strcspn(line, "\n");
        char here[256];
        if (meaning(line, end, name, here, sizeof here, &one)) {
            (void)snprintf(text, size, "%s", here);
            *is_register = one;
            found = !open;
        }
        open = is_default(line, name);
        line = *end ? end + 1 : end;
    }
    return found;
}

/* ".reg NAME[LOW:HIGH] = R8": number `index` of them. */
static bool find_range(const struct names *n, const char *name, uint64_t index, char *text,
                       size_t size) {
    for (const char *line = n->source; line && *line;) {
        const char *end = line + strcspn(line, "\n");
        char of[NAME], file[3];
        unsigned low, high, first;
        if (sscanf(line, " .reg %127[A-Za-z0-9_$] [ %u : %u ] = %2[A-Z]%u", of, &low, &high, file,
                   &first) == 5 &&
            !strcmp(of, name) && index >= low && index <= high) {
            (void)snprintf(text, size, "%s%u", file, first + (unsigned)index - low);
            return true;
        }
        line = *end ? end + 1 : end;
    }
    return false;
}

/* ---------------------------------------------------------------- names */

static bool substitute(const struct names *n, const char *from, unsigned depth, struct text *to);

static bool is_machine_name(const char *name) {
    static const char *const names[] = {"RZ", "PT", "URZ", "UPT", "SRZ"};
    fhec_register_file file;
    uint32_t number;
    if (fh_cli_debug_register(name, &file, &number) || !strncmp(name, "SR_", 3) ||
        (*name == 'B' && isdigit((unsigned char)name[1])))
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

/* A parameter with what may be added to it: "data+4". */
static bool put_parameter(const struct names *n, const char *name, const char **rest,
                          struct text *to) {
    for (uint32_t i = 0; i < n->info.param_count; i++) {
        const fhec_param_info *p = &n->info.params[i];
        uint64_t more = 0;
        if (!p->name || strcmp(p->name, name) != 0)
            continue;
        const char *plus = *rest + strspn(*rest, " \t");
        if (*plus == '+') {
            char *end;
            more = strtoull(plus + 1, &end, 0);
            *rest = end;
        }
        put_hex(to, "c[0x0][", PARAMETERS + p->offset + more, "]");
        return true;
    }
    return false;
}

static bool put_shared(const struct names *n, const char *name, struct text *to) {
    fhec_shared_info shared;
    for (size_t i = 0; fhec_kernel_shared(n->launch.program, n->launch.kernel, i, &shared); i++) {
        if (strcmp(shared.name, name) != 0)
            continue;
        put_hex(to, "", shared.offset, "");
        return true;
    }
    return false;
}

/* A name with what it stands for; *rest is behind it, and behind what belongs to it. False: it
 * stands for itself. */
static bool put_name(const struct names *n, const char *name, const char **rest, unsigned depth,
                     struct text *to) {
    char text[256];
    bool is_register = false;
    uint64_t pc;
    if (is_machine_name(name))
        return false;
    if (**rest == '[') {
        char *end;
        const uint64_t index = strtoull(*rest + 1, &end, 0);
        if (end > *rest + 1 && *end == ']' && find_range(n, name, index, text, sizeof text)) {
            *rest = end + 1;
            put(to, text, strlen(text));
            return true;
        }
    }
    if (find_range(n, name, 0, text, sizeof text)) {
        put(to, text, strlen(text));
        return true;
    }
    if (depth < DEEPEST && find_meaning(n, name, text, sizeof text, &is_register)) {
        const bool plain = is_register || strspn(text, "0123456789abcdefxABCDEF") == strlen(text);
        put(to, "(", !plain);
        const bool good = substitute(n, text, depth + 1, to);
        put(to, ")", !plain);
        return good;
    }
    if (put_parameter(n, name, rest, to) || put_shared(n, name, to))
        return true;
    if (!fh_cli_debug_label(n->console, name, n->info.name, &pc))
        return false;
    put_hex(to, "", pc, "");
    return true;
}

/* The text with its names replaced; false: there was no room. */
static bool substitute(const struct names *n, const char *from, unsigned depth, struct text *to) {
    while (*from && !to->full) {
        const bool inside = from[0] == '.'; /* a modifier: ".ROW" */
        size_t length = inside;
        while (isalnum((unsigned char)from[length]) ||
               strchr("_$", from[length] ? from[length] : ' '))
            length++;
        char name[NAME];
        const char *rest = from + length;
        const bool named =
            !inside && length && length < sizeof name && !isdigit((unsigned char)*from);
        if (named) {
            memcpy(name, from, length);
            name[length] = '\0';
        }
        if (!named || !put_name(n, name, &rest, depth, to)) {
            put(to, from, length ? length : 1);
            rest = from + (length ? length : 1);
        }
        from = rest;
    }
    return !to->full;
}

/* ---------------------------------------------------------------- assembling */

static void say(void *user, const fhec_diagnostic *d) {
    const struct fh_cli_console *c = user;
    (void)fh_cli_console_error(c, "%s", d->message);
    for (size_t i = 0; i < d->note_count; i++)
        fprintf(c->errors, "  %s\n", d->notes[i]);
}

fhec_status fh_cli_debug_assemble(const struct fh_cli_console *c, const char *text, size_t launch,
                                  uint64_t pc, fhec_word *word) {
    struct names n = {.console = c};
    struct text whole = {.length = 0};
    size_t length;
    if (fh_cli_patch_word(text, word))
        return FHEC_OK;
    if (!fh_debugger_launch(c->debugger, launch, &n.launch, &n.info))
        return fh_cli_console_error(c, "there is no launch for which it could be assembled");
    n.source = fh_debugger_source(
        c->debugger, fhec_kernel_location(n.launch.program, n.launch.kernel, 0).file, &length);
    /* the guard and the mnemonic are no names of the source, but for a guard by name */
    const char *operands = text + strspn(text, " \t");
    if (*operands == '@')
        operands += strcspn(operands, " \t");
    operands += strspn(operands, " \t");
    operands += strcspn(operands, " \t");
    char guard[NAME] = "";
    const char *mnemonic = text + strspn(text, " \t");
    if (*mnemonic == '@') {
        const size_t columns = strcspn(mnemonic, " \t");
        (void)snprintf(guard, sizeof guard, "%.*s", (int)columns, mnemonic);
        mnemonic += columns;
    }
    bool good = substitute(&n, guard, 0, &whole);
    if (operands > mnemonic)
        put(&whole, mnemonic, (size_t)(operands - mnemonic));
    good = good && substitute(&n, operands, 0, &whole);
    if (!good || whole.full)
        return fh_cli_console_error(c, "the instruction is too long");
    return fhec_assemble_word(whole.bytes, pc, say, (void *)c, word);
}
