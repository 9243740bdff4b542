/*
 * debug_values.c - commands that show values: expressions, registers as a grid of lanes, memory by
 * shape and by banks, calls.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "debug_commands.h"
#include "debug_location.h"
#include "debug_names.h"
#include "debug_values.h"
#include "runner.h"

enum {
    ROWS = 64,   /* of an array, unless more are asked for */
    LISTED = 32, /* elements that are told by their indices */
    EXPRESSION = 4096,
};

/* Colours are of what is marked, too. */
static void put_line(void *user, const struct fh_show_line *line) {
    const struct fh_cli_console *c = user;
    size_t at = 0;
    for (size_t i = 0; c->color && i < line->span_count; i++) {
        const struct fh_show_span *span = &line->spans[i];
        if (span->style != FH_SHOW_CHANGED && span->style != FH_SHOW_MISPLACED)
            continue;
        fprintf(c->out, "%.*s\033[1;31m%.*s\033[m", (int)(span->begin - at), line->text + at,
                (int)span->length, line->text + span->begin);
        at = span->begin + span->length;
    }
    fprintf(c->out, "%s\n", line->text + at);
}

struct fh_show_out fh_cli_debug_lines(const struct fh_cli_console *c) {
    return (struct fh_show_out){.line = put_line, .user = (void *)(uintptr_t)c};
}

/* ---------------------------------------------------------------- formats */

/* "buffer[index]" of an address. */
static bool place_of(void *user, uint64_t address, char *text, size_t size) {
    struct fh_debugger *debugger = user;
    struct fh_debug_buffer b;
    for (size_t i = 0; fh_debugger_buffer(debugger, i, &b); i++) {
        if (b.released || address - b.address >= b.bytes)
            continue;
        fh_cli_element_name(((struct fh_cli_debug_user *)fh_debugger_user(debugger))->memory,
                            b.name, address - b.address, 4, text, size);
        return true;
    }
    return false;
}

fhec_status fh_cli_debug_read_format(const struct fh_cli_console *c, char **text,
                                     struct fh_show_format *format, bool *given) {
    *format = (struct fh_show_format){.kind = FH_SHOW_HEX, .place = place_of, .user = c->debugger};
    *given = **text == '/';
    if (!*given)
        return FHEC_OK;
    char *word = fh_cli_debug_word(text) + 1, *colon = strchr(word, ':');
    if (colon)
        *colon = '\0';
    if (!fh_show_kind_named(word, &format->kind))
        return fh_cli_console_error(
            c,
            "\"/%s\" is no format: /hex, /signed, /unsigned, /binary, /float, /halves, /centred:Q, "
            "/address",
            word);
    const bool modular = format->kind == FH_SHOW_MODULAR;
    if (modular != (colon != NULL) ||
        (modular && (!fh_cli_debug_number(colon + 1, &format->q) || !format->q)))
        return fh_cli_console_error(c, "a modulus is given so: /centred:65537");
    return FHEC_OK;
}

/* ---------------------------------------------------------------- expressions */

/* A value, and where it was taken. */
struct seen {
    fhec_launch launch;
    struct fh_query_names names;
    struct fh_query_place place; /* points to both */
    struct fh_query_value value;
    char text[EXPRESSION]; /* the expression, macros' arguments put in */
    uint32_t all, all_of;  /* of a truth of one lane: those for which it holds, and is there */
};

/* Whether a word can be part of a focus: "*", "l13", "w*", "b(1,0)". */
static bool is_focus(const char *word) {
    if (strcmp(word, "*") == 0 || strcmp(word, "lane") == 0)
        return true;
    return *word && strchr("bwl", *word) && word[1] &&
           strspn(word + 1, "0123456789(),*") == strlen(word + 1);
}

/* Cuts words of a focus off the end of the text, and reads them; without any, nothing happens. */
static fhec_status split(const struct fh_cli_console *c, char *text, struct fh_focus *focus) {
    char copy[256];
    size_t length = strlen(text), begin = length;
    for (size_t at = length; at;) {
        while (at && text[at - 1] == ' ')
            at--;
        const size_t end = at;
        while (at && text[at - 1] != ' ')
            at--;
        if (!at || end - at >= sizeof copy)
            break;
        memcpy(copy, text + at, end - at);
        copy[end - at] = '\0';
        if (!is_focus(copy) && !(fh_cli_debug_number(copy, &(uint64_t){0}) && begin == length))
            break;
        begin = at;
    }
    if (begin == length || length - begin >= sizeof copy)
        return FHEC_OK;
    memcpy(copy, text + begin, length - begin + 1);
    text[begin] = '\0';
    return fh_cli_debug_read_focus(c, copy, focus);
}

/* A comparison in one lane is one of all lanes, too. */
static void see_all(const struct fh_query *query, struct seen *seen) {
    struct fh_query_place place = seen->place;
    struct fh_query_error error;
    struct fh_query_value all;
    if (!seen->value.truth || seen->value.is_array || seen->value.per_lane || place.all_lanes)
        return;
    place.all_lanes = true;
    if (fh_query_evaluate(query, &place, &all, &error) != FHEC_OK)
        return;
    if (all.per_lane && !all.is_array) {
        seen->all = fh_query_value_mask(&all);
        seen->all_of = all.lanes;
    }
    fh_query_value_free(&all);
}

/* Evaluates what stands there at the focus, or, behind it, at another one. */
static fhec_status evaluate(const struct fh_cli_console *c, const char *given, struct seen *seen) {
    struct fh_focus focus = *fh_debugger_focus(c->debugger);
    struct fh_query_error error;
    struct fh_query *query;
    char *text = seen->text;
    fhec_status status = fh_cli_debug_read(c->debugger, &focus, given, text, sizeof seen->text);
    if (status != FHEC_OK)
        return fh_cli_console_failed(c, status);
    status = fh_query_parse(text, &query, &error);
    if (status == FHEC_BAD_INPUT && error.at) {
        status = split(c, text, &focus);
        if (status != FHEC_OK)
            return status;
        status = fh_query_parse(text, &query, &error);
    }
    for (size_t n = strlen(text); n && text[n - 1] == ' ';)
        text[--n] = '\0';
    seen->place = fh_cli_debug_place(c->debugger, &focus, &seen->launch, &seen->names);
    if (status == FHEC_OK)
        status = fh_query_evaluate(query, &seen->place, &seen->value, &error);
    if (status == FHEC_OK)
        see_all(query, seen);
    fh_query_free(query);
    if (status != FHEC_BAD_INPUT)
        return status;
    fprintf(c->errors, "%s\n%*s^\n", text, (int)error.at, "");
    return fh_cli_console_error(c, "%s", error.message);
}

/* Hexadecimal ones without zeros before them. */
static void format_number(const struct fh_query_value *value, unsigned lane,
                          const struct fh_show_format *format, char number[FH_SHOW_NUMBER]) {
    const unsigned bits = value->bits;
    const uint64_t x = value->values[lane];
    fh_show_number(format, x, bits, number);
    if (format->kind == FH_SHOW_HEX)
        (void)snprintf(number, FH_SHOW_NUMBER, "0x%" PRIx64,
                       bits < 64 ? x & ((UINT64_C(1) << bits) - 1) : x);
}

/* "0x0000000f of 0xffffffff: 0-3" */
static void print_mask(const struct fh_cli_console *c, uint32_t mask, uint32_t of) {
    fprintf(c->out, "lanes 0x%08" PRIx32 " of 0x%08" PRIx32, mask, of);
    for (unsigned lane = 0, first = 1; lane < FHEC_WARP_LANES; lane++) {
        const unsigned begin = lane;
        if (!(mask >> lane & 1))
            continue;
        while (lane + 1 < FHEC_WARP_LANES && mask >> (lane + 1) & 1)
            lane++;
        fprintf(c->out, lane > begin ? "%s%u-%u" : "%s%u", first ? ": " : " ", begin, lane);
        first = 0;
    }
}

static void print_lanes(const struct fh_cli_console *c, const struct seen *seen,
                        const struct fh_show_format *format) {
    const struct fh_query_value *value = &seen->value;
    char number[FH_SHOW_NUMBER];
    if (value->truth) {
        fprintf(c->out, "%s: ", seen->text);
        print_mask(c, fh_query_value_mask(value), value->lanes);
        fputc('\n', c->out);
        return;
    }
    for (unsigned lane = 0; lane < FHEC_WARP_LANES; lane++) {
        if (!(value->lanes >> lane & 1))
            continue;
        format_number(value, lane, format, number);
        fprintf(c->out, "%s lane %u = %s\n", seen->text, lane, number);
    }
}

static void print_indices(const struct fh_cli_console *c, const struct fh_query_array *array,
                          uint64_t element) {
    uint64_t size = fh_query_array_count(array);
    fputc(' ', c->out);
    for (unsigned i = 0; i < array->rank; i++) {
        size /= array->shape[i];
        fprintf(c->out, "[%" PRIu64 "]", element / size);
        element %= size;
    }
}

/* Which elements of a comparison of arrays: those for which it holds, or the others if they are
 * fewer. */
static void print_truths(const struct fh_cli_console *c, const struct seen *seen) {
    const struct fh_query_array *array = &seen->value.array;
    const uint64_t all = fh_query_array_count(array);
    uint64_t count = 0, told = 0;
    for (uint64_t i = 0; i < all; i++)
        count += array->computed[i] != 0;
    const bool others = count > all / 2;
    const uint64_t few = others ? all - count : count;
    fprintf(c->out, "%s: %" PRIu64 " of %" PRIu64 " elements%s", seen->text, count, all,
            !few     ? ""
            : others ? ", all but"
                     : ":");
    for (uint64_t i = 0; i < all && told < few && told < LISTED; i++) {
        if ((array->computed[i] != 0) == others)
            continue;
        print_indices(c, array, i);
        told++;
    }
    fprintf(c->out, "%s\n", told < few ? " ..." : "");
}

static void print_one(const struct fh_cli_console *c, const struct seen *seen,
                      const struct fh_show_format *format) {
    char number[FH_SHOW_NUMBER];
    format_number(&seen->value, 0, format, number);
    fprintf(c->out, "%s lane %u = %s", seen->text, seen->place.lane, number);
    if (seen->all_of) {
        fprintf(c->out, " (");
        print_mask(c, seen->all, seen->all_of);
        fputc(')', c->out);
    }
    fputc('\n', c->out);
}

/* A format that nobody has given: that of the value. */
static void choose_format(const struct fh_query_value *value, struct fh_show_format *format) {
    if (value->form)
        format->kind = value->form == FH_QUERY_HALVES ? FH_SHOW_HALVES : FH_SHOW_FLOAT;
    else if (value->is_signed && !value->per_lane)
        format->kind = FH_SHOW_SIGNED;
}

fhec_status fh_cli_debug_print(struct fh_cli_console *c, char *text) {
    struct fh_show_format format;
    struct seen seen = {.value = {0}};
    bool given;
    fhec_status status = fh_cli_debug_read_format(c, &text, &format, &given);
    if (status == FHEC_OK && !*text)
        return fh_cli_console_error(c, "what? An expression is expected");
    if (status == FHEC_OK)
        status = evaluate(c, text, &seen);
    if (status != FHEC_OK)
        return status;
    const struct fh_query_value *value = &seen.value;
    const struct fh_show_out out = fh_cli_debug_lines(c);
    if (!given)
        choose_format(value, &format);
    if (value->is_array && value->truth && value->array.computed)
        print_truths(c, &seen);
    else if (value->is_array)
        fh_show_array(&out, &value->array, seen.text, &seen.place, ROWS, &format);
    else if (value->per_lane)
        print_lanes(c, &seen, &format);
    else
        print_one(c, &seen, &format);
    fh_query_value_free(&seen.value);
    return FHEC_OK;
}

/* ---------------------------------------------------------------- memory */

/* The last one outside of brackets; NULL: none. */
static char *last_comma(char *text) {
    char *comma = NULL;
    for (int depth = 0; *text; text++) {
        depth += *text == '(' || *text == '[';
        depth -= *text == ')' || *text == ']';
        comma = *text == ',' && !depth ? text : comma;
    }
    return comma;
}

/* "x ARRAY", "x ADDRESS [WORDS]". */
fhec_status fh_cli_debug_examine(struct fh_cli_console *c, char *text) {
    struct fh_show_format format;
    struct seen seen = {.value = {0}};
    uint64_t count = 32;
    bool given;
    fhec_status status = fh_cli_debug_read_format(c, &text, &format, &given);
    char *comma = last_comma(text);
    if (status == FHEC_OK && comma) {
        *comma = '\0';
        if (!fh_cli_debug_number(comma + 1 + strspn(comma + 1, " "), &count))
            return fh_cli_console_error(c, "behind the comma stands how many words, or rows");
    }
    if (status == FHEC_OK)
        status = evaluate(c, text, &seen);
    if (status != FHEC_OK)
        return status;
    const struct fh_show_out out = fh_cli_debug_lines(c);
    struct fh_query_array words = {
        .type = FH_QUERY_U32, .rank = 1, .shape = {count}, .address = seen.value.values[0]};
    const bool array = seen.value.is_array;
    if (!array && seen.value.per_lane)
        return fh_cli_console_error(c, "this is an address for each lane; say which, R4:R5@13");
    fh_show_array(&out, array ? &seen.value.array : &words, seen.text, &seen.place,
                  comma && array ? count : ROWS, &format);
    fh_query_value_free(&seen.value);
    return FHEC_OK;
}

fhec_status fh_cli_debug_banks(struct fh_cli_console *c, char *text) {
    struct fh_show_format format;
    fhec_launch launch;
    struct fh_query_names names;
    uint64_t first = 0, count = 256;
    bool given;
    if (fh_cli_debug_read_format(c, &text, &format, &given) != FHEC_OK)
        return FHEC_BAD_INPUT;
    const char *from = fh_cli_debug_word(&text), *words = fh_cli_debug_word(&text);
    if ((*from && !fh_cli_debug_number(from, &first)) ||
        (*words && !fh_cli_debug_number(words, &count)) || first > 1 << 20 || count > 1 << 20)
        return fh_cli_console_error(c, "banks take the number of a word, and how many");
    const struct fh_query_place place =
        fh_cli_debug_place(c->debugger, fh_debugger_focus(c->debugger), &launch, &names);
    const struct fh_show_out out = fh_cli_debug_lines(c);
    fh_show_banks(&out, &place, (uint32_t)first, (uint32_t)count, &format);
    return FHEC_OK;
}

/* ---------------------------------------------------------------- registers */

struct fh_show_warp *fh_cli_debug_warp(const struct fh_cli_console *c) {
    const struct fh_focus *focus = fh_debugger_focus(c->debugger);
    fhec_session *session = fh_debugger_session(c->debugger);
    struct fh_show_warp *warp = malloc(sizeof *warp);
    if (warp && session && fh_show_warp_read(session, focus->block, focus->warp, warp) == FHEC_OK)
        return warp;
    free(warp);
    (void)fh_cli_console_error(c, "the block of the focus is not resident");
    return NULL;
}

struct chosen {
    uint16_t list[256];
    size_t count;
};

static void choose(struct chosen *chosen, unsigned reg) {
    for (size_t i = 0; i < chosen->count; i++)
        if (chosen->list[i] == reg)
            return;
    if (reg < 255 && chosen->count < 256)
        chosen->list[chosen->count++] = (uint16_t)reg;
}

/* "R4", "R8-R11"; none: those of the instruction at the focus. */
static fhec_status choose_registers(const struct fh_cli_console *c, char *text,
                                    struct chosen *chosen) {
    fhec_register_file file;
    uint32_t first, last;
    uint64_t pc;
    fhec_instruction instruction;
    for (char *word; *(word = fh_cli_debug_word(&text));) {
        char *dash = strchr(word, '-');
        if (dash)
            *dash = '\0';
        if (!fh_cli_debug_register(word, &file, &first) || file != FHEC_FILE_R ||
            (dash && (!fh_cli_debug_register(dash + 1, &file, &last) || file != FHEC_FILE_R)))
            return fh_cli_console_error(c, "\"%s\" is no register R, nor a range R8-R11", word);
        for (uint32_t reg = first; reg <= (dash ? last : first) && reg < 255; reg++)
            choose(chosen, reg);
    }
    if (chosen->count)
        return FHEC_OK;
    fhec_session *session = fh_debugger_session(c->debugger);
    if (!session || !fh_debugger_pc(c->debugger, &pc) ||
        fhec_session_instruction(session, pc, &instruction) != FHEC_OK)
        return fh_cli_console_error(c, "which registers?");
    for (uint32_t i = 0; i < instruction.use_count; i++)
        for (uint32_t k = 0;
             instruction.uses[i].file == FHEC_FILE_R && k < instruction.uses[i].count; k++)
            choose(chosen, instruction.uses[i].first + k);
    return FHEC_OK;
}

/* Changed is what is other than when the warp was shown last. */
fhec_status fh_cli_debug_registers(struct fh_cli_console *c, char *text) {
    const struct fh_focus *focus = fh_debugger_focus(c->debugger);
    struct chosen chosen = {.count = 0};
    struct fh_show_format format;
    bool given;
    if (fh_cli_debug_read_format(c, &text, &format, &given) != FHEC_OK)
        return FHEC_BAD_INPUT;
    const bool pairs = strncmp(text, "pairs", 5) == 0 && (!text[5] || text[5] == ' ');
    if (pairs)
        (void)fh_cli_debug_word(&text);
    if (choose_registers(c, text, &chosen) != FHEC_OK)
        return FHEC_BAD_INPUT;
    struct fh_show_warp *warp = fh_cli_debug_warp(c);
    if (!warp)
        return FHEC_BAD_INPUT;
    const bool same = c->shown && c->shown_warp == focus->warp &&
                      memcmp(c->shown_block, focus->block, sizeof c->shown_block) == 0;
    const struct fh_show_grid grid = {.warp = warp,
                                      .before = same ? c->shown : NULL,
                                      .registers = chosen.list,
                                      .count = chosen.count,
                                      .pairs = pairs,
                                      .lane = focus->lane,
                                      .format = format};
    const struct fh_show_out out = fh_cli_debug_lines(c);
    fh_show_grid(&out, &grid);
    free(c->shown);
    c->shown = warp;
    c->shown_warp = focus->warp;
    memcpy(c->shown_block, focus->block, sizeof c->shown_block);
    return FHEC_OK;
}

fhec_status fh_cli_debug_masks(struct fh_cli_console *c, char *text) {
    struct fh_show_format format;
    bool given;
    if (fh_cli_debug_read_format(c, &text, &format, &given) != FHEC_OK)
        return FHEC_BAD_INPUT;
    struct fh_show_warp *warp = fh_cli_debug_warp(c);
    if (!warp)
        return FHEC_BAD_INPUT;
    const struct fh_show_out out = fh_cli_debug_lines(c);
    fh_show_predicates(&out, warp, NULL);
    fh_show_uniform(&out, warp, NULL, 0, 62, &format);
    free(warp);
    return FHEC_OK;
}

/* ---------------------------------------------------------------- calls */

fhec_status fh_cli_debug_calls(struct fh_cli_console *c, char *text) {
    const struct fh_focus *focus = fh_debugger_focus(c->debugger);
    const fhec_session *session = fh_debugger_session(c->debugger);
    if (*text || !session)
        return fh_cli_console_error(c, *text ? "`calls` takes no arguments"
                                             : "no launch is under way");
    const struct fh_show_out out = fh_cli_debug_lines(c);
    fh_show_calls(&out, session, focus->block, focus->warp, focus->lane);
    return FHEC_OK;
}
