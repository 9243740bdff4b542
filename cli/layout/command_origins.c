/*
 * command_origins.c - fhec origins: the maps of the fragments of a run.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "options.h"
#include "origin_survey.h"
#include "origins_svg.h"
#include "runner.h"

static const char doc[] =
    "Runs kernels of FILE as `fhec run` with the same options does, and tells where the elements "
    "of the operands and results of their matrix instructions came from: A[i][j] = x[16*i + j + "
    "256*warp], with those elements that did not."
    "\vn counts the executions of an instruction in its warp. An operand without such a map is "
    "told by its first element. With --register: what that register holds before the instruction "
    "at --at, the first time, lane by lane. No file is written.";

enum { OPTION_AT = 0x2700, OPTION_WARP, OPTION_REGISTER, OPTION_LANE, OPTION_FORMAT };

static const struct argp_option options[] = {
    {"at", OPTION_AT, "LINE|PC", 0,
     "Only instructions of this line of the source, or at this byte offset, which begins with 0x",
     20},
    {"warp", OPTION_WARP, "W", 0, "Only warp W of each block", 20},
    {"register", OPTION_REGISTER, "R10|UR4", 0, "This register at --at, and no fragments", 20},
    {"lane", OPTION_LANE, "L", 0, "Of --register: lane L alone", 20},
    {"format", OPTION_FORMAT, "FORM", 0, "text, json, or svg for a picture", 20},
    {0},
};

struct origins {
    struct fh_cli *cli;
    struct fh_cli_run_options run;
    struct fh_survey_select select;
    int64_t lane; /* -1: all */
    size_t format;
};

static void parse_register(struct origins *o, const struct argp_state *state, const char *arg) {
    uint64_t number = 0;
    o->select.uniform = *arg == 'U' || *arg == 'u';
    const char *rest = arg + o->select.uniform;
    if ((*rest != 'R' && *rest != 'r') || !fh_cli_number(rest + 1, &number) ||
        number >= (o->select.uniform ? 63 : 255))
        argp_error(state, "--register %s: expected R0 to R254 or UR0 to UR62", arg);
    o->select.registers = true;
    o->select.reg = (uint32_t)number;
}

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    static const char *const formats[] = {"text", "json", "svg", NULL};
    struct origins *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &o->run; return 0;
    case OPTION_AT:
        o->select.one_pc = strncmp(arg, "0x", 2) == 0;
        o->select.pc = fh_cli_number_option(state, "--at", arg, 0, UINT32_MAX);
        o->select.line = o->select.one_pc ? 0 : (uint32_t)o->select.pc;
        return 0;
    case OPTION_WARP:
        o->select.one_warp = true;
        o->select.warp = (uint32_t)fh_cli_number_option(state, "--warp", arg, 0, 31);
        return 0;
    case OPTION_REGISTER: parse_register(o, state, arg); return 0;
    case OPTION_LANE:
        o->lane = (int64_t)fh_cli_number_option(state, "--lane", arg, 0, FHEC_WARP_LANES - 1);
        return 0;
    case OPTION_FORMAT: o->format = fh_cli_choice_option(state, "--format", arg, formats); return 0;
    case ARGP_KEY_END:
        if (o->select.registers && !o->select.one_pc && !o->select.line)
            argp_error(state, "--register needs --at: the instruction");
        if (o->lane >= 0 && !o->select.registers)
            argp_error(state, "--lane needs --register");
        if (o->select.registers && o->format == 2)
            argp_error(state, "a register has no picture; a fragment has");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {options, parse_option, "FILE", doc, fh_cli_run_children,
                                 NULL,    NULL};

/* ---------------------------------------------------------------- text */

static bool is_shown(const struct origins *o, const struct fh_survey_row *row,
                     const struct fh_survey_element *e) {
    return row->layout.rows ? e->misfit : o->lane < 0 || e->lane == (uint64_t)o->lane;
}

static void print_instruction(const struct fh_survey_row *row) {
    printf("%s, ", row->kernel);
    if (row->at.file)
        printf("%s:%u, ", row->at.file, row->at.line);
    printf("pc 0x%04llx: %s\n", (unsigned long long)row->pc, row->text);
}

/* "R10 of lane 13 at line 42 is w[37] = 0x2a". */
static void print_register(const struct origins *o, const struct fh_survey_row *row) {
    for (size_t i = 0; i < row->element_count; i++) {
        const struct fh_survey_element *e = &row->elements[i];
        if (!is_shown(o, row, e))
            continue;
        printf("  %s", row->operand);
        if (!o->select.uniform)
            printf(" of lane %u", e->lane);
        if (row->at.file)
            printf(" at line %u", row->at.line);
        printf(" is %s = 0x%08llx\n", e->origin, (unsigned long long)e->value);
    }
}

static void print_row(const struct origins *o, const struct fh_survey_row *row) {
    const char *times = row->executions == 1 ? "" : "s";
    if (!row->layout.rows) {
        print_register(o, row);
        return;
    }
    if (row->map)
        printf("  %s[i][j] = %s, %llu execution%s\n", row->operand, row->map,
               (unsigned long long)row->executions, times);
    else if (row->fitting)
        printf("  %s: several maps, in %llu of %llu execution%s\n", row->operand,
               (unsigned long long)row->fitting, (unsigned long long)row->executions, times);
    else
        printf("  %s: no map, %llu execution%s; %s[0][0] is %s\n", row->operand,
               (unsigned long long)row->executions, times, row->operand,
               row->element_count ? row->elements[0].origin : "unknown");
    for (size_t i = 0; i < row->element_count; i++) {
        const struct fh_survey_element *e = &row->elements[i];
        if (is_shown(o, row, e))
            printf("    but %s[%u][%u], in lane %u, R%u, is %s = 0x%llx\n", row->operand, e->row,
                   e->column, e->lane, e->reg, e->origin, (unsigned long long)e->value);
    }
}

static void print_text(const struct origins *o, const struct fh_survey *survey) {
    const struct fh_survey_row *before = NULL;
    for (size_t i = 0; i < fh_survey_count(survey); i++) {
        const struct fh_survey_row *row = fh_survey_get(survey, i);
        if (!before || before->pc != row->pc || strcmp(before->kernel, row->kernel) != 0)
            print_instruction(row);
        print_row(o, row);
        before = row;
    }
}

/* ---------------------------------------------------------------- JSON */

static json_t *row_json(const struct origins *o, const struct fh_survey_row *row) {
    json_t *misfits = json_array();
    for (size_t i = 0; i < row->element_count; i++) {
        const struct fh_survey_element *e = &row->elements[i];
        if (is_shown(o, row, e))
            json_array_append_new(misfits, json_pack("{si,si,si,si,ss,sI}", "row", (int)e->row,
                                                     "column", (int)e->column, "lane", (int)e->lane,
                                                     "register", (int)e->reg, "origin", e->origin,
                                                     "value", (json_int_t)e->value));
    }
    return json_pack("{ss,ss?,sI,sI,ss,ss,sI,ss?,so}", "kernel", row->kernel, "file", row->at.file,
                     "line", (json_int_t)(row->at.file ? row->at.line : 0), "pc",
                     (json_int_t)row->pc, "instruction", row->text, "operand", row->operand,
                     "executions", (json_int_t)row->executions, "map", row->map,
                     row->layout.rows ? "misfits" : "lanes", misfits);
}

static bool print_json(const struct origins *o, const struct fh_survey *survey) {
    json_t *list = json_array();
    bool fine = list;
    for (size_t i = 0; i < fh_survey_count(survey) && fine; i++)
        fine = json_array_append_new(list, row_json(o, fh_survey_get(survey, i))) == 0;
    fine = fine && json_dumpf(list, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER) == 0;
    putchar('\n');
    json_decref(list);
    return fine;
}

/* ---------------------------------------------------------------- the command */

static fhec_status print(const struct origins *o, const struct fh_survey *survey) {
    bool fine = true;
    if (o->format == 0)
        print_text(o, survey);
    else if (o->format == 1)
        fine = print_json(o, survey);
    else
        fh_cli_origins_svg(survey, stdout);
    if (fine && !fh_survey_count(survey))
        fh_cli_note(o->cli, "%s",
                    o->select.one_pc || o->select.line
                        ? "no such instruction has been executed there"
                        : "no matrix instruction has been executed");
    return fine ? FHEC_OK : fh_cli_no_memory(o->cli);
}

static fhec_status run_and_print(struct origins *o) {
    struct fh_cli_runner *runner = NULL;
    struct fh_survey *survey = NULL;
    fhec_machine *machine = NULL;
    fhec_status status = fh_cli_runner_open_unwatched(o->cli, &o->run, &runner);
    if (status != FHEC_OK)
        return status;
    status = fh_cli_machine_new(o->cli, &o->run.machine, &machine);
    if (status == FHEC_OK) {
        survey = fh_survey_begin(machine, &o->select);
        status = survey ? FHEC_OK : fh_cli_no_memory(o->cli);
    }
    if (status == FHEC_OK) {
        status = fh_cli_runner_launch(runner, machine);
        if (fh_survey_end(survey) != FHEC_OK)
            status = fh_cli_no_memory(o->cli);
        /* What was found until a fault may be what led to it. */
        const fhec_status printed =
            status == FHEC_OK || status == FHEC_GUEST_FAULT ? print(o, survey) : FHEC_OK;
        status = status ? status : printed;
    }
    fh_survey_free(survey);
    fhec_machine_free(machine);
    fh_cli_runner_close(runner);
    return status;
}

fhec_status fh_cli_origins(struct fh_cli *cli, int argc, char **argv) {
    struct origins o = {.cli = cli, .run = {.cli = cli}, .lane = -1};
    fh_cli_parse(cli, &argp, argc, argv, &o);
    fhec_status status = run_and_print(&o);
    fh_cli_run_options_free(&o.run);
    return status;
}
