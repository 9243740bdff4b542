/*
 * command_as.c - fhec as: source text to an object file, or to a listing in cuobjdump's format.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "program_file.h"

static const char doc[] =
    "Assembles each FILE (- for standard input) into an object file.\v"
    "Without --list an object goes to OUT, by default the source's name with .cubin in place of "
    "its extension, in the current folder. With --list it is written only if -o asks for it. All "
    "errors of the source are reported in one run; then no file is written and the exit status is "
    "2.\n\nWith --words FILE is text, one `ADDRESS<TAB>TEXT` a line: an instruction at a "
    "hexadecimal "
    "address. Each gives one line: its word with 32 hexadecimal digits, high half first, or ? for "
    "a "
    "text that is no instruction; what is wrong with it goes to standard error.";

enum { OPTION_LIST = 1, OPTION_WORDS };
static const struct argp_option options[] = {
    {"output", 'o', "OUT", 0, "Write the object to OUT (- for standard output)", 0},
    {"list", OPTION_LIST, NULL, 0, "Print a listing in cuobjdump's format", 0},
    {"words", OPTION_WORDS, NULL, 0, "FILE holds lines `ADDRESS<TAB>TEXT`", 0},
    {0},
};

struct as_options {
    struct fh_cli *cli;
    struct fh_cli_source source;
    const char *output;
    bool list, words;
};

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct as_options *as = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &as->source;
        state->child_inputs[1] = as->cli;
        return 0;
    case 'o': as->output = arg; return 0;
    case OPTION_LIST: as->list = true; return 0;
    case OPTION_WORDS: as->words = true; return 0;
    case ARGP_KEY_END:
        if (as->words && (as->list || as->output))
            argp_error(state, "--words writes to standard output, without an object or a listing");
        if (as->output && as->source.more_count)
            argp_error(state, "-o %s: %zu files make as many objects", as->output,
                       as->source.more_count + 1);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&fh_cli_source_argp, 0, NULL, 0}, {&fh_cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {options, parse_option, "FILE...", doc, children, NULL, NULL};

/* The columns are cuobjdump's: text from column 36, words from column 83. */
enum { TEXT_COLUMN = 35, WORD_COLUMN = 82 };

static void list_code(const fhec_limits *machine, const char *name, const fhec_word *words,
                      uint32_t count) {
    const unsigned sm = machine->architecture;
    printf("\t\tFunction : %s\n\t.headerflags\t@\"EF_CUDA_SM%u EF_CUDA_PTX_SM(EF_CUDA_SM%u)\"\n",
           name, sm, sm);
    for (uint32_t i = 0; i < count; i++) {
        char text[256], line[512];
        fhec_word word = words[i];
        uint64_t pc = (uint64_t)i * sizeof word;
        if (fhec_disassemble(word, pc, 0, text, sizeof text) < 0)
            snprintf(text, sizeof text, "/* no instruction that fhec knows */");
        int used = snprintf(line, sizeof line, "        /*%04llx*/", (unsigned long long)pc);
        snprintf(line + used, sizeof line - (size_t)used, "%*s%s ; ", TEXT_COLUMN - used, "", text);
        printf("%-*s/* 0x%016llx */\n", WORD_COLUMN, line, (unsigned long long)word.lo);
        printf("%*s/* 0x%016llx */\n", WORD_COLUMN, "", (unsigned long long)word.hi);
    }
    printf("\t\t..........\n\n");
}

static void list_program(const fhec_program *program) {
    const fhec_limits *machine = fhec_program_limits(program);
    printf("\n\tcode for %s\n", machine->target);
    fhec_kernel_info k;
    for (size_t i = 0; fhec_kernel_get(program, i, &k) == FHEC_OK; i++)
        list_code(machine, k.name, k.words, k.word_count);
    fhec_function_info f;
    for (size_t i = 0; fhec_function_get(program, i, &f) == FHEC_OK; i++)
        list_code(machine, f.name, f.words, f.word_count);
}

/* "kernels/ntt.sass" -> "ntt.cubin"; malloc'd. */
static char *default_output(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    int length = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
    char *output;
    if (!strcmp(path, "-"))
        return strdup("a.cubin");
    return asprintf(&output, "%.*s.cubin", length, name) < 0 ? NULL : output;
}

static fhec_status write_object(const struct as_options *as, const fhec_program *program,
                                struct fh_cli_outputs *outputs) {
    uint8_t *bytes;
    size_t length;
    fhec_status status = fhec_program_write(program, &bytes, &length);
    char *path = as->output ? strdup(as->output) : default_output(as->source.path);
    if (status != FHEC_OK || !path) {
        free(path);
        return fh_cli_no_memory(as->cli);
    }
    status = fh_cli_output_add(as->cli, outputs, path);
    if (status == FHEC_OK)
        status = fh_cli_source_spare(as->cli, &as->source, outputs);
    if (status == FHEC_OK)
        status = fh_cli_output_write(as->cli, outputs, path, bytes, length);
    free(path);
    free(bytes);
    return status;
}

/* One line `ADDRESS<TAB>TEXT`: its word, or ? and what is wrong. */
static fhec_status print_word(void *user, char *line, uint32_t number) {
    const struct as_options *as = user;
    fhec_word word;
    uint64_t address;
    const char *end = line + fh_cli_address(line, &address);
    if (end == line || *end != '\t')
        return fh_cli_error(as->cli, FHEC_BAD_INPUT,
                            "%s:%u: expected `ADDRESS<TAB>TEXT`, the address in hexadecimal",
                            as->source.path, number);
    fhec_status status = fhec_assemble_word(end + 1, address, fh_cli_diagnostic, as->cli, &word);
    if (status == FHEC_OK)
        printf("0x%016llx%016llx\n", (unsigned long long)word.hi, (unsigned long long)word.lo);
    else if (status == FHEC_BAD_INPUT)
        puts("?");
    return status == FHEC_HOST_ERROR ? fh_cli_no_memory(as->cli) : FHEC_OK;
}

static fhec_status assemble_file(struct as_options *as, struct fh_cli_outputs *outputs) {
    fhec_program *program = NULL;
    fhec_status status = as->words ? fh_cli_each_line(as->cli, as->source.path, print_word, as)
                                   : fh_cli_load(as->cli, &as->source, &program);
    if (status == FHEC_OK && program && (as->output || !as->list))
        status = write_object(as, program, outputs);
    if (status == FHEC_OK && program && as->list)
        list_program(program);
    fhec_program_free(program);
    return status;
}

/* The errors of all files are reported; objects are written if there are none. */
fhec_status fh_cli_as(struct fh_cli *cli, int argc, char **argv) {
    struct as_options as = {.cli = cli, .source.several = true};
    fh_cli_parse(cli, &argp, argc, argv, &as);
    struct fh_cli_outputs outputs = {NULL, 0};
    fhec_status worst = FHEC_OK;
    size_t index = 0;
    do {
        fhec_status status = assemble_file(&as, &outputs);
        worst = status > worst ? status : worst;
    } while (fh_cli_source_next(&as.source, &index));
    if (worst == FHEC_OK)
        worst = fh_cli_output_commit(cli, &outputs);
    else
        fh_cli_output_discard(&outputs);
    fh_cli_source_free(&as.source);
    return worst;
}
