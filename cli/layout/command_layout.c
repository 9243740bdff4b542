/*
 * command_layout.c - fhec layout: where the elements of a matrix operand live, both ways.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout_svg.h"
#include "literal.h"
#include "message.h"
#include "nearest.h"
#include "operand_layout.h"
#include "options.h"

static const char doc[] =
    "Tells which register of which lane holds which element of a matrix operand."
    "\vINSN may be shortened (FHEC.16816) or carry more modifiers than matter "
    "(IMMA.16816.U8.U8.SAT). Without OPERAND all operands are shown, without INSN all layouts are "
    "listed. INSN may also be an instruction with its registers, in quotes: \"FHEC R20, R8.ROW, "
    "R12.COL, R20\"; then these are told. Else registers count from the operand's first; an "
    "element narrower than 32 bits has a slot "
    "in its register: slot s of b bits covers bits [s*b, (s+1)*b).";

enum { OPTION_ELEMENT = 1, OPTION_REGISTER, OPTION_LANE, OPTION_BITS, OPTION_FORMAT };
enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON, FORMAT_SVG };

static const struct argp_option options[] = {
    {"element", OPTION_ELEMENT, "I,J", 0, "Where is the element of row I and column J?", 0},
    {"register", OPTION_REGISTER, "R", 0, "What does register R hold (with --lane: of that lane)?",
     0},
    {"lane", OPTION_LANE, "L", 0, "What does lane L hold (with --register: in that one)?", 0},
    {"bits", OPTION_BITS, "B", 0,
     "Elements of B bits, each of several of the instruction's in a row: LDSM's as words of 32", 0},
    {"format", OPTION_FORMAT, "FORMAT", 0, "text (default), csv, json, or svg for a picture", 0},
    {0},
};

struct layout_options {
    struct fh_cli *cli;
    const char *insn, *operand;
    uint32_t element[2];
    bool has_element;
    int64_t reg, lane; /* -1: any */
    uint32_t bits;     /* 0: as the instruction has them */
    enum format format;
    struct fh_cli_layout layouts[FH_CLI_MAX_LAYOUTS];
    size_t count;
};

static void parse_element(struct layout_options *o, const struct argp_state *state,
                          const char *arg) {
    size_t count = 0;
    uint64_t *pair = fh_cli_list_option(state, "--element", arg, 0, UINT32_MAX, &count);
    if (count != 2)
        argp_error(state, "--element %s: expected I,J", arg);
    o->element[0] = (uint32_t)pair[0];
    o->element[1] = (uint32_t)pair[count - 1];
    o->has_element = true;
    free(pair);
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct layout_options *o = state->input;
    static const char *const formats[] = {"text", "csv", "json", "svg", NULL};
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = o->cli; return 0;
    case OPTION_ELEMENT: parse_element(o, state, arg); return 0;
    case OPTION_REGISTER:
        arg += *arg == 'R' || *arg == 'r';
        o->reg = (int64_t)fh_cli_number_option(state, "--register", arg, 0, 255);
        return 0;
    case OPTION_BITS:
        o->bits = (uint32_t)fh_cli_number_option(state, "--bits", arg, 1, 32);
        return 0;
    case OPTION_LANE:
        o->lane = (int64_t)fh_cli_number_option(state, "--lane", arg, 0, FHEC_WARP_LANES - 1);
        return 0;
    case OPTION_FORMAT:
        o->format = (enum format)fh_cli_choice_option(state, "--format", arg, formats);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_error(state, "INSN and OPERAND are all; %s is one more", arg);
        *(state->arg_num ? &o->operand : &o->insn) = arg;
        return 0;
    case ARGP_KEY_END:
        if (o->has_element && (o->reg >= 0 || o->lane >= 0))
            argp_error(state, "--element asks one way, --register and --lane the other");
        if ((o->has_element || o->reg >= 0 || o->lane >= 0) &&
            (!o->insn || o->format == FORMAT_SVG))
            argp_error(state, "a question needs an INSN and an answer in text, csv or json");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&fh_cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {options, parse_option, "[INSN [OPERAND]]", doc, children,
                                 NULL,    NULL};

/* ---------------------------------------------------------------- finding */

/* Whether `a` is `b` or a part of it that ends before a dot, in any case. */
static bool begins(const char *b, const char *a) {
    size_t length = strlen(a);
    return !strncasecmp(b, a, length) && (!b[length] || b[length] == '.');
}

/* The layouts' name for what the user calls an instruction: the name itself, the longest one that
 * it extends, or the shortest one that it begins. NULL if there is none or no single one. */
static const char *find_insn(const char *wanted) {
    const char *extends = NULL, *begun = NULL;
    bool ambiguous = false;
    fhec_layout layout;
    for (size_t i = 0; fhec_layout_get(i, &layout); i++) {
        if (!strcasecmp(layout.insn, wanted))
            return layout.insn;
        if (begins(wanted, layout.insn) && (!extends || strlen(layout.insn) > strlen(extends)))
            extends = layout.insn;
        if (!begins(layout.insn, wanted))
            continue;
        if (!begun || begins(begun, layout.insn))
            begun = layout.insn;
        else if (!begins(layout.insn, begun))
            ambiguous = true;
    }
    return extends ? extends : ambiguous ? NULL : begun;
}

/* The paper's spelling .S32 means the same as .U32. */
static const char *find_spelling(const char *wanted) {
    const char *insn = find_insn(wanted);
    char *other = insn ? NULL : strdup(wanted);
    for (char *at = other; at && (at = strcasestr(at, ".s32")) != NULL; at++)
        at[1] = 'U';
    if (other)
        insn = find_insn(other);
    free(other);
    return insn;
}

static fhec_status list_all(FILE *to) {
    fhec_layout layout;
    for (size_t i = 0; fhec_layout_get(i, &layout); i++)
        fprintf(to, "%-24s %-2s %2u x %-2u  %2u-bit elements, %u register%s a lane\n", layout.insn,
                layout.operand, layout.rows, layout.columns, layout.bits, layout.registers,
                layout.registers == 1 ? "" : "s");
    return FHEC_OK;
}

/* The names of a message, each once and separated by commas. */
struct names {
    char text[1024];
    const char *last;
};

static void add_name(struct names *names, const char *name) {
    size_t used = strlen(names->text);
    if (names->last && !strcmp(names->last, name)) /* the operands of one instruction follow it */
        return;
    snprintf(names->text + used, sizeof names->text - used, "%s%s", names->last ? ", " : "", name);
    names->last = name;
}

static fhec_status no_operand(const struct layout_options *o, const char *insn) {
    struct names operands = {"", NULL};
    fhec_layout layout;
    for (size_t i = 0; fhec_layout_get(i, &layout); i++)
        if (!strcmp(layout.insn, insn))
            add_name(&operands, layout.operand);
    return fh_cli_error(o->cli, FHEC_BAD_INPUT, "%s has no operand %s with a layout; it has %s",
                        insn, o->operand, operands.text);
}

/* Says the layouts of instructions with the same root, or else the nearest name. */
static fhec_status no_insn(const struct layout_options *o) {
    struct names family = {"", NULL};
    struct fh_nearest n, root;
    size_t length = strcspn(o->insn, ".");
    fhec_layout layout;
    fh_nearest_begin(&n, o->insn, strlen(o->insn));
    fh_nearest_begin(&root, o->insn, length);
    for (size_t i = 0; fhec_layout_get(i, &layout); i++) {
        size_t its = strcspn(layout.insn, ".");
        if (its == length && !strncasecmp(layout.insn, o->insn, length))
            add_name(&family, layout.insn);
        fh_nearest_try(&n, layout.insn, strlen(layout.insn));
        fh_nearest_try(&root, layout.insn, its);
    }
    const char *near = n.best ? n.best : root.best;
    if (n.best || (near && !family.last))
        return fh_cli_error(o->cli, FHEC_BAD_INPUT, "no layout is known for %s%s", o->insn,
                            fh_cli_hint(near).text);
    if (family.last)
        return fh_cli_error(o->cli, FHEC_BAD_INPUT, "no single layout is known for %s; %.*s has %s",
                            o->insn, (int)length, family.last, family.text);
    return fh_cli_error(o->cli, FHEC_BAD_INPUT,
                        "no layout is known for %s; `fhec layout` lists those that are", o->insn);
}

static const struct fh_cli_layout *operand_called(const struct layout_options *o,
                                                  const char *operand) {
    for (size_t i = 0; i < o->count; i++)
        if (!strcmp(o->layouts[i].shape.operand, operand))
            return &o->layouts[i];
    return NULL;
}

/* Of operands whose registers are known: whether it is the one, or has the register. */
static bool is_asked_for(const struct layout_options *o, const struct fh_cli_layout *layout) {
    if (o->operand)
        return !strcasecmp(layout->shape.operand, o->operand);
    return o->reg < 0 || (o->reg >= (int64_t)layout->first &&
                          o->reg < (int64_t)layout->first + (int64_t)layout->shape.registers);
}

/* Gives the operands their registers, from the text behind the mnemonic: "R20, R8.ROW, [R2]". Those
 * whose registers are not there, or are RZ, are left out. */
static fhec_status name_registers(struct layout_options *o, char *text) {
    static const char *const product[] = {"D", "A", "B", "C", "M"};
    static const char *const load[] = {"D", "address"};
    const bool loads = operand_called(o, "address");
    const char *const *names = loads ? load : product;
    const size_t most = loads ? 2 : 5;
    char *rest = text, *argument;
    for (size_t i = 0; i < most && (argument = strsep(&rest, ",")) != NULL; i++) {
        struct fh_cli_layout *layout = (struct fh_cli_layout *)operand_called(o, names[i]);
        uint64_t first;
        argument += strspn(argument, " \t[-~|");
        if (!layout || toupper((unsigned char)argument[0]) != 'R' ||
            !isdigit((unsigned char)argument[1]))
            continue;
        const int digits = (int)strspn(argument + 1, "0123456789");
        if (!fh_parse_digits(argument + 1, 10, &first) || first > 255 ||
            first + layout->shape.registers > 255)
            return fh_cli_error(o->cli, FHEC_BAD_INPUT, "%s of %s needs %u registers from R%.*s on",
                                names[i], layout->shape.insn, layout->shape.registers, digits,
                                argument + 1);
        layout->named = true;
        layout->first = (uint32_t)first;
    }
    size_t kept = 0;
    for (size_t i = 0; i < o->count; i++)
        if (o->layouts[i].named && is_asked_for(o, &o->layouts[i]))
            o->layouts[kept++] = o->layouts[i];
    o->count = kept;
    return kept ? FHEC_OK
                : fh_cli_error(o->cli, FHEC_BAD_INPUT,
                               "no operand with a layout is in such a register there");
}

/* Shows `bits` bits as one element, where that many lie side by side in one register. */
static fhec_status merge(struct layout_options *o, struct fh_cli_layout *layout) {
    fhec_layout *shape = &layout->shape;
    if (o->bits % shape->bits || shape->bits * shape->slots < o->bits)
        return fh_cli_error(o->cli, FHEC_BAD_INPUT, "%s %s has %u-bit elements; none of %u bits",
                            shape->insn, shape->operand, shape->bits, o->bits);
    const uint32_t merged = o->bits / shape->bits;
    for (uint32_t j = 0; j < shape->columns; j++) {
        const fhec_place at = fh_cli_place(layout, 0, j);
        const fhec_place first = fh_cli_place(layout, 0, j - j % merged);
        if (at.lane != first.lane || at.reg != first.reg || at.slot != first.slot + j % merged)
            return fh_cli_error(o->cli, FHEC_BAD_INPUT,
                                "the elements of a row of %s %s do not lie side by side",
                                shape->insn, shape->operand);
    }
    layout->merged = merged;
    shape->columns /= merged;
    shape->slots /= merged;
    shape->bits = o->bits;
    return FHEC_OK;
}

static fhec_status merge_all(struct layout_options *o) {
    fhec_status status = FHEC_OK;
    for (size_t i = 0; i < o->count && o->bits && status == FHEC_OK; i++)
        if (o->layouts[i].shape.bits < o->bits)
            status = merge(o, &o->layouts[i]);
    return status;
}

static fhec_status find_layouts(struct layout_options *o);

/* An instruction with its registers. */
static fhec_status find_named(struct layout_options *o) {
    const char *whole = o->insn, *operand = o->operand;
    char *text = strdup(whole);
    if (!text)
        return fh_cli_no_memory(o->cli);
    char *registers = text + strcspn(text, " \t");
    *registers++ = '\0';
    o->insn = text;
    o->operand = NULL;
    fhec_status status = find_layouts(o);
    o->insn = whole;
    o->operand = operand;
    if (status == FHEC_OK)
        status = name_registers(o, registers);
    free(text);
    return status;
}

static fhec_status find_layouts(struct layout_options *o) {
    const char *insn = find_spelling(o->insn);
    struct fh_cli_layout layout = {0};
    for (layout.index = 0; insn && fhec_layout_get(layout.index, &layout.shape); layout.index++)
        if (!strcmp(layout.shape.insn, insn) &&
            (!o->operand || !strcasecmp(layout.shape.operand, o->operand)) &&
            o->count < FH_CLI_MAX_LAYOUTS)
            o->layouts[o->count++] = layout;
    if (o->count)
        return FHEC_OK;
    return insn ? no_operand(o, insn) : no_insn(o);
}

/* ---------------------------------------------------------------- rows of an answer */

struct row {
    fhec_element element;
    fhec_place place;
};

/* The elements that the question is about, in row order; *count of them. NULL: no memory. */
static struct row *answer(const struct layout_options *o, const struct fh_cli_layout *layout,
                          size_t *count) {
    const fhec_layout *shape = &layout->shape;
    struct row *rows = calloc((size_t)shape->rows * shape->columns, sizeof *rows);
    *count = 0;
    for (uint32_t i = 0; rows && i < shape->rows; i++)
        for (uint32_t j = 0; j < shape->columns; j++) {
            fhec_place place = fh_cli_place(layout, i, j);
            if (o->has_element && (i != o->element[0] || j != o->element[1]))
                continue;
            const uint64_t reg = (uint64_t)o->reg - (layout->named ? layout->first : 0);
            if ((o->reg >= 0 && place.reg != reg / fh_cli_words(layout) * fh_cli_words(layout)) ||
                (o->lane >= 0 && place.lane != (uint64_t)o->lane))
                continue;
            rows[(*count)++] = (struct row){{i, j}, place};
        }
    return rows;
}

static void print_csv(const struct fh_cli_layout *layout, const struct row *rows, size_t count) {
    for (size_t i = 0; i < count; i++)
        printf("%s,%s,%u,%u,%u,%u,%u\n", layout->shape.insn, layout->shape.operand,
               rows[i].element.row, rows[i].element.column, rows[i].place.lane,
               fh_cli_register(layout, rows[i].place.reg), rows[i].place.slot);
}

static void print_json(const struct fh_cli_layout *layout, const struct row *rows, size_t count,
                       bool last) {
    const fhec_layout *shape = &layout->shape;
    printf("  {\"insn\": \"%s\", \"operand\": \"%s\", \"rows\": %u, \"columns\": %u, \"bits\": %u, "
           "\"registers\": %u, \"slots\": %u,\n   \"elements\": [\n",
           shape->insn, shape->operand, shape->rows, shape->columns, shape->bits, shape->registers,
           shape->slots);
    for (size_t i = 0; i < count; i++)
        printf(
            "    {\"row\": %u, \"column\": %u, \"lane\": %u, \"register\": %u, \"slot\": %u}%s\n",
            rows[i].element.row, rows[i].element.column, rows[i].place.lane,
            fh_cli_register(layout, rows[i].place.reg), rows[i].place.slot,
            i + 1 < count ? "," : "");
    printf("  ]}%s\n", last ? "" : ",");
}

static void print_sentences(const struct fh_cli_layout *layout, const struct row *rows,
                            size_t count) {
    const fhec_layout *shape = &layout->shape;
    for (size_t i = 0; i < count; i++) {
        printf("%s %s[%u][%u]: ", shape->insn, shape->operand, rows[i].element.row,
               rows[i].element.column);
        if (layout->named)
            printf("R%u of lane %u", layout->first + rows[i].place.reg, rows[i].place.lane);
        else
            printf("lane %u, register", rows[i].place.lane);
        if (layout->named && fh_cli_words(layout) == 1)
            ;
        else if (layout->named)
            printf(" (low word) and R%u", layout->first + rows[i].place.reg + 1);
        else if (fh_cli_words(layout) == 2)
            printf("s %u (low word) and %u", rows[i].place.reg, rows[i].place.reg + 1);
        else
            printf(" %u", rows[i].place.reg);
        if (shape->slots > 1)
            printf(", slot %u (bits %u to %u)", rows[i].place.slot,
                   rows[i].place.slot * shape->bits, (rows[i].place.slot + 1) * shape->bits - 1);
        putchar('\n');
    }
}

/* ---------------------------------------------------------------- whole tables */

static void print_element_table(const struct fh_cli_layout *layout) {
    const fhec_layout *shape = &layout->shape;
    int width = (shape->slots > 1 ? 9 : 7) + (layout->named ? 3 : 0);
    printf("     ");
    for (uint32_t j = 0; j < shape->columns; j++)
        printf("%*u", width, j);
    putchar('\n');
    for (uint32_t i = 0; i < shape->rows; i++) {
        printf("%4u ", i);
        for (uint32_t j = 0; j < shape->columns; j++) {
            fhec_place place = fh_cli_place(layout, i, j);
            char cell[32];
            int used = snprintf(cell, sizeof cell, layout->named ? "L%u:R%u" : "L%u:%u", place.lane,
                                fh_cli_register(layout, place.reg));
            if (shape->slots > 1)
                snprintf(cell + used, sizeof cell - (size_t)used, ".%u", place.slot);
            printf("%*s", width, cell);
        }
        putchar('\n');
    }
}

static void print_lane_table(const struct fh_cli_layout *layout) {
    const fhec_layout *shape = &layout->shape;
    printf("lane ");
    for (uint32_t reg = 0; reg < shape->registers; reg++)
        for (uint32_t slot = 0; slot < shape->slots; slot++) {
            char head[32];
            const uint32_t number = fh_cli_register(layout, reg);
            int used = snprintf(head, sizeof head, layout->named ? "R%u" : "register %u", number);
            if (shape->slots > 1)
                snprintf(head, sizeof head, layout->named ? "R%u.%u" : "%u.%u", number, slot);
            printf("%*s", shape->slots > 1 ? 8 : layout->named ? 12 : used + 2, head);
        }
    putchar('\n');
    for (uint32_t lane = 0; lane < FHEC_WARP_LANES; lane++) {
        printf("%4u ", lane);
        for (uint32_t reg = 0; reg < shape->registers; reg++)
            for (uint32_t slot = 0; slot < shape->slots; slot++) {
                fhec_element element;
                char cell[32] = "-";
                if (fh_cli_element(layout, (fhec_place){lane, reg, slot}, &element))
                    snprintf(cell, sizeof cell, "%u,%u%s", element.row, element.column,
                             reg % fh_cli_words(layout) ? " high" : "");
                printf("%*s", shape->slots > 1 ? 8 : 12, cell);
            }
        putchar('\n');
    }
}

static void print_table(const struct fh_cli_layout *layout) {
    const fhec_layout *shape = &layout->shape;
    printf("%s %s: %u rows x %u columns of %u bits, %u register%s a lane\n\n", shape->insn,
           shape->operand, shape->rows, shape->columns, shape->bits, shape->registers,
           shape->registers == 1 ? "" : "s");
    printf("Where each element is, as Llane:register%s:\n",
           shape->slots > 1            ? ".slot"
           : fh_cli_words(layout) == 2 ? "; its high word is in the next register"
                                       : "");
    print_element_table(layout);
    printf("\nWhat each lane holds, as row,column%s:\n",
           shape->slots > 1 ? "; above, register.slot" : "");
    print_lane_table(layout);
    putchar('\n');
}

static fhec_status print_rows(const struct layout_options *o, const struct fh_cli_layout *layout,
                              bool last) {
    size_t count;
    struct row *rows = answer(o, layout, &count);
    if (!rows)
        return fh_cli_no_memory(o->cli);
    if (o->format == FORMAT_CSV)
        print_csv(layout, rows, count);
    else if (o->format == FORMAT_JSON)
        print_json(layout, rows, count, last);
    else
        print_sentences(layout, rows, count);
    free(rows);
    return FHEC_OK;
}

/* A question outside of the operand's shape is an error, not an empty answer. */
static fhec_status check_range(const struct layout_options *o, const struct fh_cli_layout *layout) {
    const fhec_layout *shape = &layout->shape;
    if (o->has_element && (o->element[0] >= shape->rows || o->element[1] >= shape->columns))
        return fh_cli_error(
            o->cli, FHEC_BAD_INPUT, "%s %s has %u rows and %u columns; there is no element %u,%u",
            shape->insn, shape->operand, shape->rows, shape->columns, o->element[0], o->element[1]);
    const int64_t first = layout->named ? layout->first : 0;
    if (layout->named && o->reg >= 0 &&
        (o->reg < first || o->reg >= first + (int64_t)shape->registers))
        return fh_cli_error(o->cli, FHEC_BAD_INPUT, "%s %s has registers R%u to R%u; not R%d",
                            shape->insn, shape->operand, layout->first,
                            layout->first + shape->registers - 1, (int)o->reg);
    if (!layout->named && o->reg >= (int64_t)shape->registers)
        return fh_cli_error(o->cli, FHEC_BAD_INPUT,
                            "%s %s has registers 0 to %u; there is no register %d", shape->insn,
                            shape->operand, shape->registers - 1, (int)o->reg);
    return FHEC_OK;
}

static fhec_status print_layouts(const struct layout_options *o) {
    bool table = !o->has_element && o->reg < 0 && o->lane < 0;
    if (o->format == FORMAT_SVG) {
        fh_cli_layout_svg(o->layouts, o->count, stdout);
        return FHEC_OK;
    }
    for (size_t i = 0; i < o->count; i++)
        if (check_range(o, &o->layouts[i]) != FHEC_OK)
            return FHEC_BAD_INPUT;
    if (o->format == FORMAT_CSV)
        puts("insn,operand,row,column,lane,register,slot");
    if (o->format == FORMAT_JSON)
        puts("[");
    for (size_t i = 0; i < o->count; i++) {
        if (table && o->format == FORMAT_TEXT)
            print_table(&o->layouts[i]);
        else if (print_rows(o, &o->layouts[i], i + 1 == o->count) != FHEC_OK)
            return FHEC_HOST_ERROR;
    }
    if (o->format == FORMAT_JSON)
        puts("]");
    return FHEC_OK;
}

fhec_status fh_cli_layout(struct fh_cli *cli, int argc, char **argv) {
    struct layout_options o = {.cli = cli, .reg = -1, .lane = -1};
    fh_cli_parse(cli, &argp, argc, argv, &o);
    if (!o.insn)
        return list_all(stdout);
    fhec_status status = strpbrk(o.insn, " \t") ? find_named(&o) : find_layouts(&o);
    if (status == FHEC_OK)
        status = merge_all(&o);
    return status == FHEC_OK ? print_layouts(&o) : status;
}
