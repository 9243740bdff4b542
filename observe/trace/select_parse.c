/*
 * select_parse.c - selections as they are written on command lines.
 */
#include "literal.h"
#include "select.h"
#include "trace_bytes.h"

#include <stdlib.h>
#include <string.h>

static const char *const expected[FH_TRACE_SUBJECTS] = {
    [FH_TRACE_BY_PC] = "PC[-PC],..., hexadecimal",
    [FH_TRACE_BY_LINE] = "[FILE:]LINE[-LINE],...",
    [FH_TRACE_BY_REGISTER] = "registers or ranges of them: R4-R7,UR3,P0,UP1",
    [FH_TRACE_BY_LANE] = "lanes from 0 to 31: 0,5-7",
    [FH_TRACE_BY_WARP] = "warps of a block: 0,2-3",
    [FH_TRACE_BY_BLOCK] = "numbers of blocks, counted x first: 0,7-9",
    [FH_TRACE_BY_OPCODE] = "mnemonics: IMAD,LDG.E",
    [FH_TRACE_BY_MEMORY] = "BUFFER[FIRST[-LAST]], BUFFER:TYPE[...], where TYPE is u8, u16, u32 or "
                           "u64, or 0xADDRESS[-0xADDRESS]; shared, local and constant stand for "
                           "the spaces",
    [FH_TRACE_BY_KERNEL] = "names of kernels",
    [FH_TRACE_BY_LAUNCH] = "numbers of launches, counted from 1: 1,3-4",
};
static const char no_memory[] = "host memory";

void fh_trace_select_free(struct fh_trace_select *select) {
    for (unsigned i = 0; i < FH_TRACE_SUBJECTS; i++)
        free(select->ranges[i]);
    for (size_t i = 0; i < select->string_count; i++)
        free(select->strings[i]);
    free(select->strings);
    *select = (struct fh_trace_select){0};
}

static const char *keep(struct fh_trace_select *select, const char *text, size_t length) {
    char *copy = malloc(length + 1);
    if (!copy || !fh_trace_room(&select->strings, &select->string_room, select->string_count + 1,
                                sizeof *select->strings)) {
        free(copy);
        return NULL;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    return select->strings[select->string_count++] = copy;
}

/* A number at *text, which then is behind it; of base 16 with 0x or without. */
static bool number(const char **text, int base, uint64_t *value) {
    if (base == 16 && (*text)[0] == '0' && ((*text)[1] | 0x20) == 'x')
        *text += 2;
    const size_t length =
        base == 16 ? fh_parse_digits(*text, 16, value) : fh_take_number(*text, value);
    *text += length;
    return length > 0;
}

/* FIRST[-LAST] */
static bool range(const char **text, int base, struct fh_trace_range *r) {
    if (!number(text, base, &r->first))
        return false;
    r->last = r->first;
    if (**text != '-')
        return true;
    ++*text;
    return number(text, base, &r->last) && r->last >= r->first;
}

/* R4, R4-R7, R4-7 */
static bool registers(const char **text, struct fh_trace_range *r) {
    static const struct {
        const char *name;
        fhec_register_file file;
        uint64_t count;
    } files[] = {{"UR", FHEC_FILE_UR, 63},
                 {"UP", FHEC_FILE_UP, 7},
                 {"R", FHEC_FILE_R, 255},
                 {"P", FHEC_FILE_P, 7}};
    size_t i = 0;
    while (i < 4 && strncmp(*text, files[i].name, strlen(files[i].name)) != 0)
        i++;
    if (i == 4)
        return false;
    const size_t length = strlen(files[i].name);
    *text += length;
    r->of = files[i].file;
    if (!number(text, 10, &r->first))
        return false;
    r->last = r->first;
    if (**text == '-') {
        ++*text;
        *text += strncmp(*text, files[i].name, length) == 0 ? length : 0;
        if (!number(text, 10, &r->last))
            return false;
    }
    return r->first <= r->last && r->last < files[i].count;
}

static bool line(struct fh_trace_select *select, const char **text, size_t length,
                 struct fh_trace_range *r) {
    const char *colon = NULL; /* the last one */
    for (size_t i = 0; i < length; i++)
        colon = (*text)[i] == ':' ? *text + i : colon;
    r->file = colon ? keep(select, *text, (size_t)(colon - *text)) : "";
    *text = colon ? colon + 1 : *text;
    return r->file && range(text, 10, r) && r->first;
}

static unsigned width_of(const char *type, size_t length) {
    static const char *const types[] = {"u8", "u16", "u32", "u64"};
    for (unsigned i = 0; i < 4; i++)
        if (strlen(types[i]) == length && strncmp(types[i], type, length) == 0)
            return 1U << i;
    return 0;
}

static bool memory(struct fh_trace_select *select, const char **text, size_t length,
                   struct fh_trace_range *r) {
    const char *const end = *text + length;
    r->width = 1;
    r->name = "";
    if (strncmp(*text, "0x", 2) == 0)
        return range(text, 16, r);
    const char *bracket = memchr(*text, '[', length);
    const char *name_end = bracket ? bracket : end;
    const char *colon = memchr(*text, ':', (size_t)(name_end - *text));
    r->name = keep(select, *text, (size_t)((colon ? colon : name_end) - *text));
    r->width = !bracket ? 0 : colon ? width_of(colon + 1, (size_t)(bracket - colon - 1)) : 4;
    *text = end;
    if (!r->name || !*r->name || !bracket)
        return r->name && *r->name && !colon;
    *text = bracket + 1;
    const bool fine = r->width && range(text, 10, r) && **text == ']';
    *text += fine;
    return fine;
}

static bool item(struct fh_trace_select *select, enum fh_trace_subject subject, const char **text,
                 struct fh_trace_range *r) {
    const size_t length = strcspn(*text, ",");
    switch (subject) {
    case FH_TRACE_BY_PC: return range(text, 16, r);
    case FH_TRACE_BY_LINE: return line(select, text, length, r);
    case FH_TRACE_BY_REGISTER: return registers(text, r);
    case FH_TRACE_BY_LANE: return range(text, 10, r) && r->last < FHEC_WARP_LANES;
    case FH_TRACE_BY_WARP:
    case FH_TRACE_BY_BLOCK:
    case FH_TRACE_BY_LAUNCH: return range(text, 10, r);
    case FH_TRACE_BY_MEMORY: return memory(select, text, length, r);
    default:
        r->name = keep(select, *text, length);
        *text += length;
        return length && r->name;
    }
}

const char *fh_trace_select_add(struct fh_trace_select *select, enum fh_trace_subject subject,
                                const char *text) {
    do {
        struct fh_trace_range r = {0};
        if (!fh_trace_room(&select->ranges[subject], &select->rooms[subject],
                           select->counts[subject] + 1, sizeof r))
            return no_memory;
        if (!item(select, subject, &text, &r) || (*text && *text != ','))
            return expected[subject];
        select->ranges[subject][select->counts[subject]++] = r;
    } while (*text++ == ',');
    return NULL;
}
