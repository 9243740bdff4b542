/*
 * debug_location.c - see debug_location.h.
 */
#include "debug_location.h"

#include <ctype.h>
#include <string.h>

#include "literal.h"
#include "nearest.h"
#include "options.h"

char *fh_cli_debug_word(char **text) {
    char *word = *text + strspn(*text, " \t"), *end = word + strcspn(word, " \t");
    *text = end + strspn(end, " \t");
    *end = '\0';
    return word;
}

bool fh_cli_debug_number(const char *word, uint64_t *number) {
    return *word && fh_cli_number(word, number);
}

/* ---------------------------------------------------------------- focus */

/* "(X,Y,Z)" or a number. */
static bool read_block(const char *text, uint32_t block[3]) {
    const bool open = *text == '(';
    uint32_t read[3] = {0};
    text += open;
    for (unsigned i = 0; i < 3; i++) {
        uint64_t value;
        const size_t length = fh_take_number(text, &value);
        if (!length || value > UINT32_MAX)
            return false;
        read[i] = (uint32_t)value;
        text += length;
        if (!open || *text != ',')
            break;
        text++;
    }
    memcpy(block, read, sizeof read);
    return open ? !strcmp(text, ")") : !*text;
}

static bool read_focus_word(const char *word, struct fh_focus *focus) {
    uint64_t number = 0;
    const bool all = !strcmp(word + 1, "*");
    if (!strcmp(word, "*"))
        return focus->all_lanes = true;
    if (!all && *word != 'b' && (!fh_cli_debug_number(word + 1, &number) || number > UINT32_MAX))
        return false;
    switch (*word) {
    case 'b': focus->all_blocks = all; return all || read_block(word + 1, focus->block);
    case 'w':
        focus->all_warps = all;
        focus->warp = all ? focus->warp : (uint32_t)number;
        return true;
    case 'l':
        focus->all_lanes = all;
        focus->lane = all ? focus->lane : (uint32_t)number;
        return all || number < FHEC_WARP_LANES;
    default: return false;
    }
}

/* "block", "warp" and "lane" may be written out, with what they are about behind them. */
static char short_of(const char *word) {
    static const char *const names[] = {"block", "warp", "lane"};
    for (unsigned i = 0; i < 3; i++)
        if (!strcmp(word, names[i]))
            return *names[i];
    return '\0';
}

fhec_status fh_cli_debug_read_focus(const struct fh_cli_console *c, char *text,
                                    struct fh_focus *focus) {
    char *word;
    while (*(word = fh_cli_debug_word(&text))) {
        char joined[80];
        const char letter = short_of(word);
        const char *given = word;
        if (letter) {
            const char *value = fh_cli_debug_word(&text);
            (void)snprintf(joined, sizeof joined, "%c%s", letter, value);
            given = joined;
        }
        if (!read_focus_word(given, focus))
            return fh_cli_console_error(
                c, "\"%s\" is no part of a focus: b(X,Y,Z), wN, lN, or * for all", given);
    }
    return FHEC_OK;
}

/* ---------------------------------------------------------------- conditions and scopes */

/* Cuts " KEY ..." off the text, and tells what is behind it; NULL: it is not there. */
static char *cut_off(char *text, const char *key) {
    const size_t length = strlen(key);
    for (char *at = text; (at = strstr(at, key)) != NULL; at++) {
        const bool begins = at == text || at[-1] == ' ' || at[-1] == '\t';
        if (!begins || (at[length] != ' ' && at[length] != '\t'))
            continue;
        *at = '\0';
        for (char *end = at; end > text && (end[-1] == ' ' || end[-1] == '\t');)
            *--end = '\0';
        return at + length + strspn(at + length, " \t");
    }
    return NULL;
}

/* What may follow a place: `in` and `if`. */
static fhec_status read_tail(const struct fh_cli_console *c, char *text, struct fh_breakpoint *b) {
    char *condition = cut_off(text, "if"), *scope = cut_off(text, "in");
    struct fh_focus focus = {.all_blocks = true, .all_warps = true, .all_lanes = true};
    b->condition = condition && *condition ? condition : NULL;
    if (condition && !*condition)
        return fh_cli_console_error(c, "a condition is missing behind `if`");
    if (!scope)
        return FHEC_OK;
    const fhec_status status = fh_cli_debug_read_focus(c, scope, &focus);
    b->scope = fh_focus_scope(&focus);
    return status;
}

/* ---------------------------------------------------------------- places */

/* A label of the source of one of the launches. */
static bool find_label(const struct fh_cli_console *c, const char *name, struct fh_breakpoint *b) {
    fhec_launch launch;
    fhec_kernel_info info;
    fhec_name is;
    for (size_t i = fh_debugger_time(c->debugger).launch, n = 0;
         n < fh_debugger_launch_count(c->debugger); n++, i++) {
        i = i < fh_debugger_launch_count(c->debugger) ? i : 0;
        if (!fh_debugger_launch(c->debugger, i, &launch, &info))
            continue;
        if (!fhec_kernel_name(launch.program, launch.kernel, 0, name, &is) ||
            is.kind != FHEC_NAME_LABEL)
            continue;
        b->kind = FH_BREAK_PC;
        b->pc = (uint64_t)is.value;
        b->kernel = info.name;
        return true;
    }
    return false;
}

static bool is_kernel(const struct fh_cli_console *c, const char *name, struct fh_nearest *near) {
    fhec_kernel_info info;
    for (size_t i = 0; fh_debugger_launch(c->debugger, i, NULL, &info); i++) {
        if (!strcmp(info.name, name))
            return true;
        fh_nearest_try(near, info.name, strlen(info.name));
    }
    return false;
}

/* A name alone. */
static fhec_status read_name(const struct fh_cli_console *c, const char *name,
                             struct fh_breakpoint *b) {
    struct fh_nearest near;
    fh_nearest_begin(&near, name, strlen(name));
    if (find_label(c, name, b))
        return FHEC_OK;
    b->kind = FH_BREAK_KERNEL;
    b->text = name;
    if (is_kernel(c, name, &near))
        return FHEC_OK;
    return fh_cli_console_error(c, "no line, label or kernel is called \"%s\"%s%s%s", name,
                                near.best ? "; did you mean \"" : "", near.best ? near.best : "",
                                near.best ? "\"?" : "");
}

/* "FILE:LINE" or "LINE". */
static bool read_line_place(char *word, struct fh_breakpoint *b) {
    char *colon = strrchr(word, ':');
    uint64_t line;
    if (!fh_cli_debug_number(colon ? colon + 1 : word, &line) || line > UINT32_MAX)
        return false;
    b->kind = FH_BREAK_LINE;
    b->line = (uint32_t)line;
    if (colon) {
        *colon = '\0';
        b->file = word;
    }
    return true;
}

fhec_status fh_cli_debug_read_location(const struct fh_cli_console *c, char *text,
                                       struct fh_breakpoint *b) {
    uint64_t number = 0;
    const fhec_status status = read_tail(c, text, b);
    char *word = fh_cli_debug_word(&text), *value = fh_cli_debug_word(&text);
    if (status != FHEC_OK)
        return status;
    if (*text)
        return fh_cli_console_error(c, "\"%s\" is too much behind a place", text);
    if (!*word)
        return fh_cli_console_error(c, "where? A line, label or kernel, or see `help break`");
    if (!*value)
        return read_line_place(word, b) ? FHEC_OK : read_name(c, word, b);
    const bool is_number = fh_cli_debug_number(value, &number);
    b->text = value;
    if (!strcmp(word, "line") && read_line_place(value, b))
        return FHEC_OK;
    if (!strcmp(word, "pc") && is_number) {
        b->kind = FH_BREAK_PC;
        b->pc = number;
    } else if (!strcmp(word, "launch") && is_number && number) {
        b->kind = FH_BREAK_LAUNCH;
        b->launch = (size_t)number - 1;
    } else if (!strcmp(word, "kernel")) {
        b->kind = FH_BREAK_KERNEL;
    } else if (!strcmp(word, "op")) {
        b->kind = FH_BREAK_OPCODE;
    } else if (!strcmp(word, "class")) {
        b->kind = FH_BREAK_CLASS;
    } else if (!strcmp(word, "label")) {
        return find_label(c, value, b) ? FHEC_OK
                                       : fh_cli_console_error(c, "no label \"%s\"", value);
    } else {
        return fh_cli_console_error(c, "\"%s %s\" is no place", word, value);
    }
    return FHEC_OK;
}

/* ---------------------------------------------------------------- targets */

bool fh_cli_debug_register(const char *word, fhec_register_file *file, uint32_t *number) {
    static const struct {
        const char *prefix;
        fhec_register_file file;
        uint32_t count;
    } files[] = {
        {"UR", FHEC_FILE_UR, 63},
        {"UP", FHEC_FILE_UP, 7},
        {"R", FHEC_FILE_R, 255},
        {"P", FHEC_FILE_P, 7},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const size_t length = strlen(files[i].prefix);
        uint64_t value;
        if (strncmp(word, files[i].prefix, length) != 0 || !isdigit((unsigned char)word[length]) ||
            !fh_cli_debug_number(word + length, &value) || value >= files[i].count)
            continue;
        *file = files[i].file;
        *number = (uint32_t)value;
        return true;
    }
    return false;
}

/* The width that ":u64" at the end of a word says; cut off. */
static unsigned cut_width(char *word) {
    char *colon = strrchr(word, ':');
    unsigned width = 4;
    if (!colon)
        return width;
    width = !strcmp(colon, ":u64")   ? 8
            : !strcmp(colon, ":u32") ? 4
            : !strcmp(colon, ":u16") ? 2
            : !strcmp(colon, ":u8")  ? 1
                                     : 0;
    *colon = '\0';
    return width;
}

bool fh_cli_debug_elements(const struct fh_cli_console *c, const char *word, uint64_t *address,
                           uint64_t *bytes, unsigned *width) {
    char name[160];
    struct fh_debug_buffer buffer;
    if (strlen(word) >= sizeof name)
        return false;
    memcpy(name, word, strlen(word) + 1);
    *width = cut_width(name);
    char *open = strchr(name, '['), *close = open ? strchr(open, ']') : NULL;
    if (!*width || !close || close[1])
        return false;
    *open = *close = '\0';
    char *dots = strstr(open + 1, "..");
    uint64_t first, last;
    if (dots)
        *dots = '\0';
    if (!fh_cli_debug_number(open + 1, &first) || (dots && !fh_cli_debug_number(dots + 2, &last)))
        return false;
    last = dots ? last : first;
    for (size_t i = 0; fh_debugger_buffer(c->debugger, i, &buffer); i++) {
        if (buffer.released || strcmp(buffer.name, name) != 0)
            continue;
        if (last < first || last >= buffer.bytes / *width)
            return false;
        *address = buffer.address + first * *width;
        *bytes = (last - first + 1) * *width;
        return true;
    }
    return false;
}

static fhec_status read_memory(const struct fh_cli_console *c, const char *space, char *text,
                               struct fh_breakpoint *b) {
    static const char *const spaces[] = {"global", "shared", "local", "constant"};
    const char *address = fh_cli_debug_word(&text), *bytes = fh_cli_debug_word(&text);
    for (unsigned i = 0; i < 4; i++) {
        if (strcmp(space, spaces[i]) != 0)
            continue;
        b->space = (fhec_space)i;
        b->bytes = 4;
        if (!fh_cli_debug_number(address, &b->address) ||
            (*bytes && !fh_cli_debug_number(bytes, &b->bytes)))
            break;
        return FHEC_OK;
    }
    return fh_cli_console_error(c,
                                "\"%s\" is nothing that can be watched: a register, BUFFER[I], or "
                                "global|shared|local|constant ADDRESS BYTES",
                                space);
}

fhec_status fh_cli_debug_read_target(const struct fh_cli_console *c, char *text,
                                     struct fh_breakpoint *b) {
    unsigned width;
    struct fh_focus focus = *fh_debugger_focus(c->debugger);
    char *condition = cut_off(text, "if"), *scope = cut_off(text, "in"), *word;
    b->condition = condition && *condition ? condition : NULL;
    word = fh_cli_debug_word(&text);
    if (!*word)
        return fh_cli_console_error(c, "what? A register, BUFFER[I], or see `help watch`");
    const bool is_register = fh_cli_debug_register(word, &b->file_of, &b->reg);
    if (!is_register) /* anybody's memory */
        focus = (struct fh_focus){.all_blocks = true, .all_warps = true, .all_lanes = true};
    if (is_register) {
        b->kind = FH_WATCH_REGISTER;
    } else if (fh_cli_debug_elements(c, word, &b->address, &b->bytes, &width)) {
        b->kind = FH_WATCH_MEMORY;
        b->space = FHEC_SPACE_GLOBAL;
    } else {
        b->kind = FH_WATCH_MEMORY;
        const fhec_status status = read_memory(c, word, text, b);
        if (status != FHEC_OK)
            return status;
        text += strlen(text);
        if (b->space == FHEC_SPACE_SHARED || b->space == FHEC_SPACE_LOCAL) {
            focus = *fh_debugger_focus(c->debugger);
            focus.all_warps = focus.all_lanes = b->space == FHEC_SPACE_SHARED;
        }
    }
    fhec_status status = *text ? fh_cli_debug_read_focus(c, text, &focus) : FHEC_OK;
    if (status == FHEC_OK && scope)
        status = fh_cli_debug_read_focus(c, scope, &focus);
    if (is_register && (b->file_of == FHEC_FILE_UR || b->file_of == FHEC_FILE_UP))
        focus.all_lanes = true;
    b->scope = fh_focus_scope(&focus);
    return status;
}

fhec_status fh_cli_debug_origin_target(const struct fh_cli_console *c, struct fh_breakpoint *b) {
    if (b->kind != FH_WATCH_REGISTER || (b->file_of != FHEC_FILE_R && b->file_of != FHEC_FILE_UR))
        return fh_cli_console_error(c, "registers R and UR have origins, nothing else");
    b->kind = FH_WATCH_ORIGIN;
    return FHEC_OK;
}
