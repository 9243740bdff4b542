/*
 * debug_assemble.c - see debug_assemble.h. Names are replaced by what they stand for, as text; the
 * assembler then knows machine names and numbers only.
 */
#include "debug_assemble.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "debug_location.h"
#include "literal.h"
#include "patch_option.h"

enum { TEXT = 2000, NAME = 128, PARAMETERS = 0x160 };

/* Whose names they are. */
struct place {
    fhec_launch launch;
    fhec_kernel_info info;
    uint32_t word;
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

/* ---------------------------------------------------------------- names */

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

/* One of the registers that a name has: "acc[2]", or the first one. False: it has no such. */
static bool put_register(const fhec_name *is, const char **rest, struct text *to) {
    static const char *const files[] = {"R", "P", "UR", "UP", "B"};
    uint64_t index = is->low;
    char shown[32];
    if (**rest == '[') {
        const char *end = *rest + 1 + fh_take_number(*rest + 1, &index);
        if (end == *rest + 1 || *end != ']' || index < is->low || index - is->low >= is->count)
            return false;
        *rest = end + 1;
    }
    (void)snprintf(shown, sizeof shown, "%s%" PRIu64, files[is->file],
                   is->first + (index - is->low));
    put(to, shown, strlen(shown));
    return true;
}

static bool put_defined(const fhec_name *is, const char **rest, struct text *to) {
    if (is->kind == FHEC_NAME_REGISTERS)
        return put_register(is, rest, to);
    if (is->kind == FHEC_NAME_LABEL || is->large || is->value >= 0)
        put_hex(to, "", (uint64_t)is->value, "");
    else
        put_hex(to, "(-", 0 - (uint64_t)is->value, ")");
    return true;
}

/* A parameter with what may be added to it: "data+4". */
static bool put_parameter(const struct place *p, const char *name, const char **rest,
                          struct text *to) {
    for (uint32_t i = 0; i < p->info.param_count; i++) {
        const fhec_param_info *parameter = &p->info.params[i];
        uint64_t more = 0;
        if (!parameter->name || strcmp(parameter->name, name) != 0)
            continue;
        const char *plus = *rest + strspn(*rest, " \t");
        if (*plus == '+') {
            const size_t length = fh_take_number(plus + 1, &more);
            if (!length || more > UINT32_MAX)
                return false;
            *rest = plus + 1 + length;
        }
        put_hex(to, "c[0x0][", PARAMETERS + parameter->offset + more, "]");
        return true;
    }
    return false;
}

static bool put_shared(const struct place *p, const char *name, struct text *to) {
    fhec_shared_info shared;
    for (size_t i = 0; fhec_kernel_shared(p->launch.program, p->launch.kernel, i, &shared); i++) {
        if (strcmp(shared.name, name) != 0)
            continue;
        put_hex(to, "", shared.offset, "");
        return true;
    }
    return false;
}

/* A name with what it stands for; *rest is behind it, and behind what belongs to it. False: it
 * stands for itself. */
static bool put_name(const struct place *p, const char *name, const char **rest, struct text *to) {
    fhec_name is;
    if (is_machine_name(name))
        return false;
    if (fhec_kernel_name(p->launch.program, p->launch.kernel, p->word, name, &is))
        return put_defined(&is, rest, to);
    return put_parameter(p, name, rest, to) || put_shared(p, name, to);
}

/* Bytes of a name, a number or a modifier (".ROW") at the beginning; 0: it is none. */
static size_t word_length(const char *from) {
    size_t length = *from == '.';
    while (isalnum((unsigned char)from[length]) || from[length] == '_' || from[length] == '$')
        length++;
    return length;
}

/* The text with its names replaced. */
static void substitute(const struct place *p, const char *from, struct text *to) {
    while (*from && !to->full) {
        char name[NAME];
        const size_t length = word_length(from);
        const char *rest = from + length;
        const bool named =
            length && length < sizeof name && *from != '.' && !isdigit((unsigned char)*from);
        if (named) {
            memcpy(name, from, length);
            name[length] = '\0';
        }
        if (!named || !put_name(p, name, &rest, to)) {
            put(to, from, length ? length : 1);
            rest = from + (length ? length : 1);
        }
        from = rest;
    }
}

/* ---------------------------------------------------------------- assembling */

static void say(void *user, const fhec_diagnostic *d) {
    const struct fh_cli_console *c = user;
    (void)fh_cli_console_error(c, "%s", d->message);
    for (size_t i = 0; i < d->note_count; i++)
        fprintf(c->errors, "  %s\n", d->notes[i]);
}

/* "@GUARD MNEMONIC OPERANDS", of which the mnemonic is no name of the source. */
static void expand(const struct place *p, const char *text, struct text *to) {
    char guard[NAME] = "";
    const char *mnemonic = text + strspn(text, " \t");
    if (*mnemonic == '@') {
        const size_t length = strcspn(mnemonic, " \t");
        (void)snprintf(guard, sizeof guard, "%.*s ", (int)length, mnemonic);
        mnemonic += length;
        mnemonic += strspn(mnemonic, " \t");
    }
    const size_t length = strcspn(mnemonic, " \t");
    substitute(p, guard, to);
    put(to, mnemonic, length);
    substitute(p, mnemonic + length, to);
}

fhec_status fh_cli_debug_assemble(const struct fh_cli_console *c, const char *text, size_t launch,
                                  uint64_t pc, fhec_word *word) {
    struct place p = {.word = (uint32_t)(pc / sizeof *word)};
    struct text whole = {.length = 0};
    if (fh_cli_patch_word(text, word))
        return FHEC_OK;
    if (!fh_debugger_launch(c->debugger, launch, &p.launch, &p.info))
        return fh_cli_console_error(c, "there is no launch for which it could be assembled");
    expand(&p, text, &whole);
    if (whole.full)
        return fh_cli_console_error(c, "the instruction is too long");
    return fhec_assemble_word(whole.bytes, pc, say, (void *)c, word);
}
