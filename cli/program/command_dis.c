/*
 * command_dis.c - fhec dis: a program as text that assembles back to an equivalent one, or single
 * words.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "literal.h"
#include "message.h"
#include "options.h"
#include "program_file.h"

static const char doc[] =
    "Disassembles the object FILE (or a source, assembled in memory) into text that assembles "
    "back: "
    "kernels, functions, constants, variables and the addresses in them. Of a library, an "
    "executable or a fat binary each object is one such text."
    "\vWith --words FILE is text, one `ADDRESS WORD` a line (both hexadecimal, WORD of 32 digits, "
    "high half first); each gives one line: the instruction's text, or ? for a word that is no "
    "known instruction.";

enum { OPTION_NVDISASM = 1, OPTION_WORDS };
static const struct argp_option options[] = {
    {"nvdisasm", OPTION_NVDISASM, NULL, 0,
     "Exactly what nvdisasm prints: default descriptors are "
     "hidden, so the words may not come back to the bit",
     0},
    {"control", 'c', NULL, 0, "With the scheduling prefix [B------:R-:W-:-:S00]", 0},
    {"lines", 'g', NULL, 0,
     "With the source lines that the code was compiled from (.loc \"FILE\", LINE), if they are "
     "known",
     0},
    {"words", OPTION_WORDS, NULL, 0, "FILE holds lines `ADDRESS WORD`", 0},
    {0},
};

struct dis_options {
    struct fh_cli *cli;
    struct fh_cli_source source;
    unsigned flags;
    bool words;
};

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct dis_options *dis = state->input;
    (void)arg;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &dis->source;
        state->child_inputs[1] = dis->cli;
        return 0;
    case OPTION_NVDISASM: dis->flags |= FHEC_DIS_NVDISASM; return 0;
    case 'c': dis->flags |= FHEC_DIS_CONTROL; return 0;
    case 'g': dis->flags |= FHEC_DIS_LINES; return 0;
    case OPTION_WORDS: dis->words = true; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {&fh_cli_source_argp, 0, NULL, 0}, {&fh_cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {options, parse_option, "FILE", doc, children, NULL, NULL};

enum { TEXT_MAX = 512 };

/* Says what cannot be written, and remembers that there was something. */
struct listener {
    struct fh_cli *cli;
    bool heard;
};

static void hear(void *user, const fhec_diagnostic *diagnostic) {
    struct listener *listener = user;
    listener->heard = true;
    fh_cli_diagnostic(listener->cli, diagnostic);
}

static fhec_status print_program(void *user, const fhec_program *program) {
    const struct dis_options *dis = user;
    if (dis->source.shown)
        printf("// %s\n", dis->source.shown);
    struct listener listener = {.cli = dis->cli};
    char *text;
    size_t length;
    fhec_status status = fhec_disassemble_program(program, dis->flags | FHEC_DIS_PARTIAL, hear,
                                                  &listener, &text, &length);
    if (status == FHEC_HOST_ERROR)
        return fh_cli_no_memory(dis->cli);
    if (listener.heard && status == FHEC_OK)
        status = FHEC_BAD_INPUT;
    if (text && fwrite(text, 1, length, stdout) != length)
        status = fh_cli_error(dis->cli, FHEC_HOST_ERROR, "cannot write the text");
    free(text);
    return status;
}

/* One line `ADDRESS WORD`; false if it is not that. */
static bool parse_word_line(const char *line, uint64_t *address, fhec_word *word) {
    const char *end = line + fh_cli_address(line, address);
    if (end == line || !isspace((unsigned char)*end))
        return false;
    end += strspn(end, " \t");
    if (end[0] == '0' && (end[1] == 'x' || end[1] == 'X'))
        end += 2;
    char digits[33];
    size_t length = strspn(end, "0123456789abcdefABCDEF");
    if (length != 32 || (end[32] && !isspace((unsigned char)end[32])))
        return false;
    memcpy(digits, end, 32);
    digits[32] = 0;
    const bool low = fh_parse_digits(digits + 16, 16, &word->lo);
    digits[16] = 0;
    return fh_parse_digits(digits, 16, &word->hi) && low;
}

/* One line `ADDRESS WORD`: its text, or ?. */
static fhec_status print_word(void *user, char *line, uint32_t number) {
    const struct dis_options *dis = user;
    unsigned flags = dis->flags | (dis->flags & FHEC_DIS_NVDISASM ? 0 : FHEC_DIS_EXACT);
    char text[TEXT_MAX];
    uint64_t address;
    fhec_word word;
    if (!parse_word_line(line, &address, &word))
        return fh_cli_error(dis->cli, FHEC_BAD_INPUT,
                            "%s:%u: expected `ADDRESS WORD`, the word with 32 hexadecimal digits",
                            dis->source.path, number);
    if (fhec_disassemble(word, address, flags, text, sizeof text) < 0)
        puts("?");
    else
        puts(text);
    return FHEC_OK;
}

fhec_status fh_cli_dis(struct fh_cli *cli, int argc, char **argv) {
    struct dis_options dis = {.cli = cli};
    fh_cli_parse(cli, &argp, argc, argv, &dis);
    fhec_status status = dis.words ? fh_cli_each_line(cli, dis.source.path, print_word, &dis)
                                   : fh_cli_load_each(cli, &dis.source, print_program, &dis);
    fh_cli_source_free(&dis.source);
    return status;
}
