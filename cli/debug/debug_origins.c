/*
 * debug_origins.c - commands about where values came from: the matrices of an instruction, its
 * operands' maps, registers, and which registers hold an element of a buffer.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "debug_commands.h"
#include "debug_location.h"
#include "debug_values.h"
#include "origins_here.h"

enum { MOST_LINES = 64 }; /* about elements of a buffer */

/* ---------------------------------------------------------------- fragments */

/* What "/origin", "/lane", "/check" ask for; other words with a slash are formats. */
struct wanted {
    struct fh_show_matrices show;
    bool check;
};

static fhec_status read_wanted(const struct fh_cli_console *c, char **text, struct wanted *w) {
    bool given;
    fhec_status status = FHEC_OK;
    w->show.format = (struct fh_show_format){.kind = FH_SHOW_HEX};
    while (status == FHEC_OK && **text == '/') {
        const size_t length = strcspn(*text, " \t");
        if (length == 7 && !strncmp(*text, "/origin", length))
            w->show.what = FH_SHOW_ORIGINS;
        else if (length == 5 && !strncmp(*text, "/lane", length))
            w->show.what = FH_SHOW_LANES;
        else if (length == 6 && !strncmp(*text, "/check", length))
            w->check = true;
        else {
            status = fh_cli_debug_read_format(c, text, &w->show.format, &given);
            continue;
        }
        (void)fh_cli_debug_word(text);
    }
    return status;
}

/* What ran once more to find origins was interrupted, or is not there to run. */
static fhec_status not_found(struct fh_cli_console *c, fhec_status status) {
    if (status != FHEC_CANCELLED)
        return fh_cli_console_failed(c, status);
    fprintf(c->out, "interrupted\n");
    c->interrupted = true;
    c->status = status;
    return FHEC_OK;
}

/* The instruction at the focus; false: said. */
static bool find_instruction(const struct fh_cli_console *c, fhec_instruction *instruction) {
    fhec_session *session = fh_debugger_session(c->debugger);
    uint64_t pc;
    if (session && fh_debugger_pc(c->debugger, &pc) &&
        fhec_session_instruction(session, pc, instruction) == FHEC_OK)
        return true;
    (void)fh_cli_console_error(c, "the focus is on no lane that runs");
    return false;
}

/* "[/FORMAT|/origin|/lane] [/check] [OPERAND]"; "places" is what "/lane" was called. */
fhec_status fh_cli_debug_fragments(struct fh_cli_console *c, char *text) {
    struct wanted w = {.check = false};
    struct fh_origins_here here;
    fhec_instruction instruction;
    if (read_wanted(c, &text, &w) != FHEC_OK)
        return FHEC_BAD_INPUT;
    const char *word = fh_cli_debug_word(&text);
    if (!strcmp(word, "places")) {
        w.show.what = FH_SHOW_LANES;
        word = fh_cli_debug_word(&text);
    }
    if (*text)
        return fh_cli_console_error(c, "\"%s\" is too much behind an operand", text);
    if (w.check || w.show.what == FH_SHOW_ORIGINS) {
        const fhec_status status = fh_debugger_origins_here(c->debugger, &here);
        if (status != FHEC_OK)
            return not_found(c, status);
        w.show.scene = &here.scene;
    }
    struct fh_show_warp *warp = find_instruction(c, &instruction) ? fh_cli_debug_warp(c) : NULL;
    if (!warp)
        return FHEC_BAD_INPUT;
    const struct fh_show_out out = fh_cli_debug_lines(c);
    w.show.warp = warp;
    w.show.instruction = &instruction;
    w.show.operand = *word ? word : NULL;
    const bool some = fh_show_matrices(&out, &w.show);
    free(warp);
    return some ? FHEC_OK
                : fh_cli_console_error(c, "`%s` has no matrix%s%s", instruction.text,
                                       *word ? " " : "", word);
}

/* ---------------------------------------------------------------- registers */

/* "  R10 of lane 13 is a[53] = 0x0000002a" */
static void print_register(const struct fh_cli_console *c, const struct fh_origins_here *here,
                           fhec_register_file file, uint32_t reg, uint32_t lane) {
    uint32_t values[FHEC_WARP_LANES] = {0};
    char text[96];
    fh_origins_here_text(here, file, reg, lane, text, sizeof text);
    (void)fh_moment_register(&here->moment, file, reg, values);
    if (file == FHEC_FILE_UR)
        fprintf(c->out, "  UR%u is %s = 0x%08" PRIx32 "\n", reg, text, values[0]);
    else
        fprintf(c->out, "  R%u of lane %u is %s = 0x%08" PRIx32 "\n", reg, lane, text,
                values[lane]);
}

static void print_lanes(const struct fh_cli_console *c, const struct fh_origins_here *here,
                        fhec_register_file file, uint32_t reg, uint32_t lanes) {
    if (file == FHEC_FILE_UR)
        lanes = 1;
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        print_register(c, here, file, reg, (uint32_t)__builtin_ctz(rest));
}

/* ---------------------------------------------------------------- the instruction */

static void print_misfits(const struct fh_cli_console *c, const struct fh_origins_here *here,
                          const fhec_operand *operand, const struct fh_operand_origins *o) {
    const fhec_layout *l = &o->shape->layout;
    for (uint32_t i = 0; i < o->shape->count; i++) {
        const uint32_t row = i / l->columns, column = i % l->columns;
        const struct fh_fragment_place place = o->shape->place[i];
        char text[96];
        const bool differs = o->map.found && fh_element_differs(&o->fragment, &o->map, row, column);
        if (!differs && !o->wrong[i])
            continue;
        fh_operand_origin_text(o, &here->scene, row, column, text, sizeof text);
        uint32_t values[FHEC_WARP_LANES] = {0};
        (void)fh_moment_register(&here->moment, FHEC_FILE_R, operand->reg + place.reg, values);
        uint32_t value = values[place.lane] >> place.bit;
        if (l->bits < 32)
            value &= (UINT32_C(1) << l->bits) - 1;
        fprintf(c->out, "    but %s[%u][%u], in lane %u, R%u, is %s = 0x%" PRIx32 "\n",
                operand->name, row, column, place.lane, operand->reg + place.reg, text, value);
    }
}

/* The map of an operand, what does not follow it, and what is wrong with that. */
static bool print_fragment(const struct fh_cli_console *c, const struct fh_origins_here *here,
                           const fhec_operand *operand) {
    struct fh_operand_origins o;
    char text[96];
    const bool fine = fh_operand_origins_make(&o, &here->scene, operand);
    if (fine && *o.map_text)
        fprintf(c->out, "  %s[i][j] = %s\n", operand->name, o.map_text);
    else if (fine) {
        fh_operand_origin_text(&o, &here->scene, 0, 0, text, sizeof text);
        fprintf(c->out, "  %s: no map; %s[0][0] is %s\n", operand->name, operand->name, text);
    }
    if (fine)
        print_misfits(c, here, operand, &o);
    for (size_t i = 0; fine && i < o.message_count; i++)
        fprintf(c->out, "  %s\n", o.messages[i]);
    fh_operand_origins_free(&o);
    return fine;
}

/* Whether the expectation is about a matrix, which is told with it. */
static bool is_of_matrix(const fhec_instruction *in, const fhec_expectation *e) {
    for (uint32_t i = 0; e->operand && i < in->operand_count; i++)
        if (fh_expectation_names(e->operand, &in->operands[i]) && in->operands[i].has_layout)
            return true;
    return false;
}

/* What the source says of registers (.expect), where that is not so. */
static void print_expectations(const struct fh_cli_console *c, const struct fh_origins_here *here) {
    fhec_expectation e;
    for (size_t k = 0; fh_expectation_at(&here->launch, here->instruction.pc, k, &e); k++) {
        struct fh_unexpected u = {.which = NULL};
        char message[FH_FINDING_MESSAGE] = "";
        if (!is_of_matrix(&here->instruction, &e) &&
            !fh_expectation_is_about_result(&e, &here->instruction) &&
            !fh_expectation_holds(&here->scene, &e, NULL, &u, message))
            fprintf(c->out, "  %s\n", message);
    }
}

static fhec_status print_instruction(const struct fh_cli_console *c,
                                     const struct fh_origins_here *here, uint32_t lanes) {
    const fhec_instruction *in = &here->instruction;
    for (uint32_t i = 0; i < in->operand_count; i++) {
        const fhec_operand *o = &in->operands[i];
        const bool uniform = o->kind == FHEC_OPERAND_UNIFORM;
        if (!o->read || o->reg == FHEC_NO_REGISTER)
            continue;
        if (o->has_layout && o->kind == FHEC_OPERAND_REGISTER) {
            if (!print_fragment(c, here, o))
                return fh_cli_console_error(c, "no host memory for origins");
        } else if (uniform || o->kind == FHEC_OPERAND_REGISTER || o->kind == FHEC_OPERAND_ADDRESS) {
            for (uint32_t k = 0; k < (o->count ? o->count : 1u); k++)
                print_lanes(c, here, uniform ? FHEC_FILE_UR : FHEC_FILE_R, o->reg + k, lanes);
        }
    }
    print_expectations(c, here);
    return FHEC_OK;
}

/* ---------------------------------------------------------------- buffers */

struct range {
    uint64_t address, bytes;
};

/* A byte of the register is of the range. */
static bool is_of(const struct fh_warp_shadow *w, uint32_t reg, uint32_t lane,
                  const struct range *range) {
    fh_origin_bytes bytes;
    fh_shadow_get_bytes(w, reg, lane, bytes);
    for (uint32_t i = 0; i < 4; i++)
        if (fh_origin_kind_of(bytes[i]) == FH_ORIGIN_GLOBAL &&
            fh_origin_offset(bytes[i]) - range->address < range->bytes)
            return true;
    return false;
}

/* Which registers of the warp hold something of the range. */
static void print_holders(const struct fh_cli_console *c, const struct fh_origins_here *here,
                          const char *name, const struct range *range) {
    fhec_kernel_info info;
    uint64_t count = 0;
    if (!fh_debugger_launch(c->debugger, fh_debugger_time(c->debugger).launch, NULL, &info))
        return;
    for (uint32_t reg = 0; reg < info.registers && reg < FH_SHADOW_ZERO; reg++)
        for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++)
            if (is_of(here->scene.warp, reg, lane, range) && count++ < MOST_LINES)
                print_register(c, here, FHEC_FILE_R, reg, lane);
    if (!count)
        fprintf(c->out, "  no register of warp %u holds something of %s\n", here->moment.warp,
                name);
    if (count > MOST_LINES)
        fprintf(c->out, "  and %" PRIu64 " more\n", count - MOST_LINES);
}

/* "x", "x[3]", "x[3..5]:u64"; false: it is no buffer. */
static bool find_range(const struct fh_cli_console *c, const char *word, struct range *range) {
    struct fh_debug_buffer buffer;
    unsigned width;
    if (fh_cli_debug_elements(c, word, &range->address, &range->bytes, &width))
        return true;
    for (size_t i = 0; fh_debugger_buffer(c->debugger, i, &buffer); i++) {
        if (buffer.released || strcmp(buffer.name, word) != 0)
            continue;
        *range = (struct range){buffer.address, buffer.bytes};
        return true;
    }
    return false;
}

/* ---------------------------------------------------------------- the command */

/* "R8", "UR4", "R8-R11"; false: it is no such thing. */
static bool print_registers(const struct fh_cli_console *c, const struct fh_origins_here *here,
                            const char *word, uint32_t lanes) {
    char first[40];
    const size_t length = strcspn(word, "-");
    fhec_register_file file, file_of_last;
    uint32_t from, to;
    if (length >= sizeof first)
        return false;
    memcpy(first, word, length);
    first[length] = '\0';
    if (!fh_cli_debug_register(first, &file, &from) ||
        (file != FHEC_FILE_R && file != FHEC_FILE_UR))
        return false;
    to = from;
    if (word[length] && (!fh_cli_debug_register(word + length + 1, &file_of_last, &to) ||
                         file_of_last != file || to < from))
        return false;
    for (uint32_t reg = from; reg <= to; reg++)
        print_lanes(c, here, file, reg, lanes);
    return true;
}

static fhec_status print_word(const struct fh_cli_console *c, const struct fh_origins_here *here,
                              const char *word, uint32_t lanes) {
    struct range range;
    if (print_registers(c, here, word, lanes))
        return FHEC_OK;
    if (!find_range(c, word, &range))
        return fh_cli_console_error(c, "\"%s\" is no register R or UR, nor a buffer or part of one",
                                    word);
    print_holders(c, here, word, &range);
    return FHEC_OK;
}

/* Cuts what is about registers or buffers off from the words of a focus behind it. */
static char *begin_of_focus(char *text) {
    for (char *at = text; *at; at += strcspn(at, " \t")) {
        at += strspn(at, " \t");
        const size_t length = strcspn(at, " \t");
        const bool part = *at && strchr("bwl", *at) && length > 1 &&
                          strspn(at + 1, "0123456789(),*") == length - 1;
        if ((*at == '*' && length == 1) || part) {
            if (at > text)
                at[-1] = '\0';
            return at;
        }
    }
    return text + strlen(text);
}

fhec_status fh_cli_debug_origins(struct fh_cli_console *c, char *text) {
    struct fh_focus focus = *fh_debugger_focus(c->debugger), all;
    struct fh_origins_here here;
    uint64_t pc;
    char *of = begin_of_focus(text);
    fhec_status status = FHEC_OK;
    const bool whole = of == text;
    if (*of)
        status = fh_cli_debug_read_focus(c, of, &focus);
    if (whole)
        text += strlen(text);
    all = *fh_debugger_focus(c->debugger);
    if (status == FHEC_OK)
        status = fh_cli_console_failed(c, fh_debugger_set_focus(c->debugger, &focus));
    if (status != FHEC_OK)
        return status;
    if (!fh_debugger_pc(c->debugger, &pc)) /* the lane has ended; its warp may not have */
        pc = 0;
    status = fh_debugger_origins(c->debugger, focus.block, focus.warp, pc, &here);
    (void)fh_debugger_set_focus(c->debugger, &all);
    if (status != FHEC_OK)
        return not_found(c, status);
    const uint32_t lanes = fh_focus_lanes(&focus);
    if (!*text) {
        fprintf(c->out, "%s\n", here.instruction.text);
        return print_instruction(c, &here, lanes);
    }
    for (char *word; status == FHEC_OK && *(word = fh_cli_debug_word(&text));)
        status = print_word(c, &here, word, lanes);
    return status;
}
