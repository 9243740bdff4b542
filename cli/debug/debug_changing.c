/*
 * debug_changing.c - commands that change registers, memory and parameters.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data_file.h"
#include "debug_commands.h"
#include "debug_location.h"
#include "debug_names.h"
#include "options.h"

/* Values for the lanes of a warp: of a number the same for all. */
struct values {
    uint32_t lanes; /* for which there is one */
    uint64_t of[FHEC_WARP_LANES];
};

static fhec_status changed(struct fh_cli_console *c, fhec_status status, bool branched) {
    if (status != FHEC_OK)
        return fh_cli_console_failed(c, status);
    if (branched)
        fprintf(c->out, "what had been run behind here is forgotten: it would come out another\n");
    return FHEC_OK;
}

/* ---------------------------------------------------------------- expressions */

/* An expression's value in all lanes of the focus' warp; *array (may be NULL) takes one that is an
 * array. */
static fhec_status evaluate(const struct fh_cli_console *c, const char *text,
                            const struct fh_focus *focus, struct values *values,
                            struct fh_query_array *array) {
    struct fh_query_names names;
    struct fh_query_error wrong;
    struct fh_query_value value = {0};
    struct fh_query *query = NULL;
    fhec_launch launch;
    struct fh_query_place place = fh_cli_debug_place(c->debugger, focus, &launch, &names);
    place.all_lanes = focus->all_lanes;
    fhec_status status = fh_query_parse(text, &query, &wrong);
    if (status == FHEC_OK)
        status = fh_query_evaluate(query, &place, &value, &wrong);
    fh_query_free(query);
    if (status != FHEC_OK)
        return fh_cli_console_error(c, "%s", wrong.message);
    if (array && value.is_array)
        *array = value.array;
    const bool wanted = array != NULL;
    values->lanes = value.per_lane ? value.lanes : UINT32_MAX;
    for (unsigned i = 0; i < FHEC_WARP_LANES && !value.is_array; i++)
        values->of[i] = value.values[value.per_lane ? i : 0];
    const bool is_array = value.is_array;
    fh_query_value_free(&value);
    return is_array == wanted ? FHEC_OK
           : wanted           ? fh_cli_console_error(c, "\"%s\" is no array", text)
                              : fh_cli_console_error(c, "\"%s\" is an array, and no value", text);
}

/* ---------------------------------------------------------------- targets */

static fhec_status set_register(struct fh_cli_console *c, fhec_register_file file, uint32_t reg,
                                const struct fh_focus *focus, const struct values *values) {
    const uint32_t lanes = fh_focus_lanes(focus) & values->lanes;
    uint32_t words[FHEC_WARP_LANES], mask = 0;
    bool branched = false;
    for (unsigned i = 0; i < FHEC_WARP_LANES; i++) {
        words[i] = (uint32_t)values->of[i];
        mask |= (uint32_t)(values->of[i] != 0) << i;
    }
    if (file == FHEC_FILE_P)
        words[0] = mask;
    else if (file != FHEC_FILE_R)
        words[0] = words[focus->lane];
    const fhec_status status = fh_debugger_set_register(c->debugger, focus->block, focus->warp,
                                                        file, reg, lanes, words, &branched);
    return changed(c, status, branched);
}

/* Elements of memory, one for each lane of `lanes`. */
struct place {
    fhec_space space;
    uint32_t bank;
    unsigned bytes;
    uint32_t lanes;
    struct values addresses;
};

static fhec_status set_memory(struct fh_cli_console *c, const struct place *p,
                              const struct fh_focus *focus, const struct values *values) {
    fhec_thread thread = {.block = {focus->block[0], focus->block[1], focus->block[2]},
                          .warp = focus->warp};
    bool branched = false;
    fhec_status status = FHEC_OK;
    for (unsigned i = 0; i < FHEC_WARP_LANES && status == FHEC_OK; i++) {
        bool now = false;
        if (!((p->lanes & p->addresses.lanes & values->lanes) >> i & 1))
            continue;
        thread.lane = i;
        status = fh_debugger_set_memory(c->debugger, p->space, p->bank,
                                        p->space == FHEC_SPACE_GLOBAL ? NULL : &thread,
                                        p->addresses.of[i], &values->of[i], p->bytes, &now);
        branched |= now;
    }
    return changed(c, status, branched);
}

/* ".u64": bytes; 4 without one; 0: it is none. */
static unsigned type_bytes(const char *type, size_t length) {
    static const char *const names[] = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};
    if (!length)
        return 4;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (length == strlen(names[i]) && !strncmp(type, names[i], length))
            return 1u << i / 2;
    return 0;
}

/* "SPACE[.TYPE][ADDRESS]"; *is: it begins so. */
static fhec_status read_space(const struct fh_cli_console *c, const char *text,
                              const struct fh_focus *focus, struct place *p, bool *is) {
    static const char *const names[] = {"global", "shared", "local"};
    char address[200];
    *is = false;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t length = strlen(names[i]), end = strlen(text);
        const char *open = strchr(text, '[');
        if (strncmp(text, names[i], length) != 0 || !open || text[end - 1] != ']' ||
            (text[length] != '[' && text[length] != '.'))
            continue;
        const char *type = text + length + (text[length] == '.');
        *is = true;
        p->space = (fhec_space)i;
        p->bytes = type_bytes(type, (size_t)(open - type));
        p->lanes = i == 2 || focus->all_lanes ? fh_focus_lanes(focus) : UINT32_C(1) << focus->lane;
        (void)snprintf(address, sizeof address, "%.*s", (int)(text + end - 1 - open - 1), open + 1);
        if (!p->bytes)
            return fh_cli_console_error(c, "\"%s\" has no such type: u8, s16, u64 ...", text);
        return evaluate(c, address, focus, &p->addresses, NULL);
    }
    return FHEC_OK;
}

static bool is_buffer(const struct fh_cli_console *c, const char *name) {
    struct fh_debug_buffer b;
    for (size_t i = 0; fh_debugger_buffer(c->debugger, i, &b); i++)
        if (!b.released && !strcmp(b.name, name))
            return true;
    return false;
}

/* "c[BANK][ADDRESS]", or a parameter, whose name alone may be a buffer's; *is: it is one. */
static fhec_status read_constant(const struct fh_cli_console *c, const char *text,
                                 const struct fh_focus *focus, struct place *p, bool *is) {
    enum { PARAMETERS = 0x160 };
    fhec_kernel_info info;
    struct values bank;
    char numbers[200];
    p->space = FHEC_SPACE_CONSTANT;
    p->lanes = UINT32_C(1) << focus->lane;
    p->bytes = 4;
    *is = !strncmp(text, "c[", 2);
    if (*is) {
        const char *close = strchr(text, ']');
        if (!close || close[1] != '[' || text[strlen(text) - 1] != ']')
            return fh_cli_console_error(c, "\"%s\" is not c[BANK][ADDRESS]", text);
        (void)snprintf(numbers, sizeof numbers, "%.*s", (int)(close - text - 2), text + 2);
        fhec_status status = evaluate(c, numbers, focus, &bank, NULL);
        p->bank = (uint32_t)bank.of[focus->lane];
        (void)snprintf(numbers, sizeof numbers, "%.*s", (int)strlen(close + 2) - 1, close + 2);
        if (status == FHEC_OK)
            status = evaluate(c, numbers, focus, &p->addresses, NULL);
        uint64_t *at = &p->addresses.of[focus->lane]; /* 16 bits, with a sign in listings */
        if (status == FHEC_OK && *at >= UINT64_MAX - 0x7fff)
            *at &= 0xffff;
        return status;
    }
    const char *name = strncmp(text, "param.", 6) ? text : text + 6;
    if ((name == text && is_buffer(c, name)) ||
        !fh_debugger_launch(c->debugger, fh_debugger_time(c->debugger).launch, NULL, &info))
        return FHEC_OK;
    for (uint32_t i = 0; i < info.param_count; i++) {
        if (!info.params[i].name || strcmp(info.params[i].name, name) != 0 ||
            info.params[i].size > 8)
            continue;
        *is = true;
        p->bytes = info.params[i].size;
        p->addresses.lanes = UINT32_MAX;
        for (unsigned k = 0; k < FHEC_WARP_LANES; k++)
            p->addresses.of[k] = PARAMETERS + info.params[i].offset;
    }
    return *is || name == text
               ? FHEC_OK
               : fh_cli_console_error(c, "the kernel has no parameter \"%s\"", name);
}

/* "x[3][5]": an element of a buffer by its shape. */
static fhec_status read_element(const struct fh_cli_console *c, const char *text,
                                const struct fh_focus *focus, struct place *p) {
    struct values ignored;
    struct fh_query_array array = {.rank = 0};
    char name[160], address[220];
    const size_t length = strcspn(text, "[");
    unsigned indices = 0, depth = 0;
    if (!text[length])
        return fh_cli_console_error(c,
                                    "\"%s\" cannot be set: a register, an element of a buffer, "
                                    "shared[ADDRESS], local[ADDRESS], global[ADDRESS], "
                                    "c[BANK][ADDRESS] or a parameter",
                                    text);
    (void)snprintf(name, sizeof name, "%.*s", (int)length, text);
    (void)snprintf(address, sizeof address, "&%s", text);
    for (const char *at = text + length; *at; at++) {
        indices += *at == '[' && !depth;
        depth += *at == '[';
        depth -= *at == ']' && depth;
    }
    fhec_status status = evaluate(c, name, focus, &ignored, &array);
    if (status == FHEC_OK && indices != array.rank)
        status = fh_cli_console_error(c, "%s has %u dimension%s: one element, please", name,
                                      array.rank, array.rank == 1 ? "" : "s");
    p->space = array.space;
    p->bytes = fh_query_type_bytes(array.type);
    p->lanes = focus->all_lanes ? fh_focus_lanes(focus) : UINT32_C(1) << focus->lane;
    return status == FHEC_OK ? evaluate(c, address, focus, &p->addresses, NULL) : status;
}

static fhec_status set_place(struct fh_cli_console *c, const char *text,
                             const struct fh_focus *focus, const struct values *values) {
    struct place p = {.space = FHEC_SPACE_GLOBAL};
    bool is = false;
    fhec_status status = read_space(c, text, focus, &p, &is);
    if (status == FHEC_OK && !is)
        status = read_constant(c, text, focus, &p, &is);
    if (status == FHEC_OK && !is) {
        p = (struct place){.space = FHEC_SPACE_GLOBAL};
        status = read_element(c, text, focus, &p);
    }
    return status == FHEC_OK ? set_memory(c, &p, focus, values) : status;
}

/* "x[0..15]:u64": all of them the same. */
static fhec_status set_range(struct fh_cli_console *c, const char *word, uint64_t value) {
    uint64_t address, bytes;
    unsigned width;
    bool branched = false;
    if (!fh_cli_debug_elements(c, word, &address, &bytes, &width))
        return fh_cli_console_error(c, "\"%s\" is no range of a buffer's elements", word);
    uint8_t *data = malloc(bytes);
    if (!data)
        return fh_cli_console_error(c, "out of memory");
    for (uint64_t i = 0; i < bytes; i++)
        data[i] = (uint8_t)(value >> 8 * (i % width));
    const fhec_status status = fh_debugger_set_memory(c->debugger, FHEC_SPACE_GLOBAL, 0, NULL,
                                                      address, data, (size_t)bytes, &branched);
    free(data);
    return changed(c, status, branched);
}

/* ---------------------------------------------------------------- whole buffers */

/* "x from FILE": its bytes, from the first element on. */
static fhec_status set_from(struct fh_cli_console *c, const char *name, const char *path) {
    struct fh_debug_buffer b, found = {.name = NULL};
    struct fh_cli_data data;
    bool branched = false;
    for (size_t i = 0; fh_debugger_buffer(c->debugger, i, &b); i++)
        if (!b.released && !strcmp(b.name, name))
            found = b;
    if (!found.name)
        return fh_cli_console_error(c, "no buffer is called \"%s\"", name);
    fhec_status status = fh_cli_data_read_any(c->cli, path, 0, &data);
    if (status != FHEC_OK)
        return FHEC_BAD_INPUT; /* it has been said */
    const size_t bytes = data.count * data.width;
    if (bytes > found.bytes)
        status = fh_cli_console_error(c, "%s has %zu bytes, and %s has %" PRIu64, path, bytes, name,
                                      found.bytes);
    else
        status = changed(c,
                         fh_debugger_set_memory(c->debugger, FHEC_SPACE_GLOBAL, 0, NULL,
                                                found.address, data.bytes, bytes, &branched),
                         branched);
    free(data.bytes);
    return status;
}

/* ---------------------------------------------------------------- set */

/* The end of a target: the first blank outside of brackets. */
static char *end_of_target(char *text) {
    unsigned depth = 0;
    for (; *text && (depth || !isspace((unsigned char)*text)); text++) {
        depth += *text == '[' || *text == '(';
        depth -= (*text == ']' || *text == ')') && depth;
    }
    return text;
}

/* "TARGET [FOCUS] = VALUE", "BUFFER from FILE" */
fhec_status fh_cli_debug_set(struct fh_cli_console *c, char *text) {
    struct fh_focus focus = *fh_debugger_focus(c->debugger);
    struct values values = {.lanes = 0};
    uint32_t number;
    fhec_register_file file;
    char *equals = strchr(text, '='), *from = strstr(text, " from ");
    if (from && (!equals || from < equals)) {
        *from = '\0';
        return set_from(c, text, from + 6 + strspn(from + 6, " \t"));
    }
    if (!equals)
        return fh_cli_console_error(c, "to what? set TARGET = VALUE");
    *equals++ = '\0';
    equals += strspn(equals, " \t");
    char *end = end_of_target(text), *rest = end + strspn(end, " \t");
    *end = '\0';
    fhec_status status = fh_cli_debug_read_focus(c, rest, &focus);
    if (status == FHEC_OK && !*equals)
        status = fh_cli_console_error(c, "to what? set TARGET = VALUE");
    if (status == FHEC_OK)
        status = evaluate(c, equals, &focus, &values, NULL);
    if (status != FHEC_OK)
        return status;
    if (fh_cli_debug_register(text, &file, &number))
        return set_register(c, file, number, &focus, &values);
    if (strstr(text, "..") || strstr(text, "]:u"))
        return set_range(c, text, values.of[focus.lane]);
    return set_place(c, text, &focus, &values);
}
