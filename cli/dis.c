/*
 * dis.c - fhec dis: machine code to text that assembles back to the same words.
 *
 * Branch targets become labels without this file knowing a single mnemonic: an instruction whose
 * text changes with its address has a target in it, at the place where the two texts part.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const char doc[] =
    "Disassembles the object FILE (or a source, assembled in memory) into text that assembles back."
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
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = dis->cli; return 0;
    case OPTION_NVDISASM: dis->flags |= FHEC_DIS_NVDISASM; return 0;
    case 'c': dis->flags |= FHEC_DIS_CONTROL; return 0;
    case OPTION_WORDS: dis->words = true; return 0;
    case ARGP_KEY_ARG:
        if (dis->source.path)
            argp_error(state, "one FILE at a time; %s is one more", arg);
        dis->source.path = arg;
        return 0;
    case ARGP_KEY_END:
        if (!dis->source.path)
            argp_error(state, "which FILE?");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&fh_cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {options, parse_option, "FILE", doc, children, NULL, NULL};

enum { TEXT_MAX = 512 };

/* Finds the code address in `text`, the instruction's text at address pc. Returns its first
 * character and sets *end behind it, or NULL if the text has no address. */
static char *find_target(fhec_word word, uint64_t pc, unsigned flags, char *text, uint64_t *target,
                         char **end) {
    char moved[TEXT_MAX];
    if (fhec_disassemble(word, pc + 0x10, flags, moved, sizeof moved) < 0)
        return NULL;
    size_t at = 0;
    while (text[at] && text[at] == moved[at])
        at++;
    if (!text[at] && !moved[at])
        return NULL;
    while (at && isxdigit((unsigned char)text[at - 1]))
        at--;
    if (at < 2 || text[at - 1] != 'x')
        return NULL;
    *target = strtoull(text + at, end, 16);
    return text + at - 2;
}

/* Marks the words of the kernel that are branch targets. */
static bool *find_labels(const fhec_kernel_info *kernel) {
    bool *labels = calloc((size_t)kernel->word_count + 1, sizeof *labels);
    for (uint32_t i = 0; labels && i < kernel->word_count; i++) {
        char text[TEXT_MAX], *end;
        uint64_t pc = (uint64_t)i * sizeof(fhec_word), target;
        if (fhec_disassemble(kernel->words[i], pc, 0, text, sizeof text) < 0)
            continue;
        if (find_target(kernel->words[i], pc, 0, text, &target, &end) &&
            target % sizeof(fhec_word) == 0 && target / sizeof(fhec_word) <= kernel->word_count)
            labels[target / sizeof(fhec_word)] = true;
    }
    return labels;
}

static void print_frame(const fhec_kernel_info *kernel) {
    if (kernel->target)
        printf(".target %s\n", kernel->target);
    printf(".kernel %s\n", kernel->name);
    for (uint32_t i = 0; i < kernel->param_count; i++)
        printf(".param %s, %u\n", kernel->params[i].name, kernel->params[i].size);
    if (kernel->registers)
        printf(".registers %u\n", kernel->registers);
    if (kernel->shared_bytes)
        printf(".shared shared_, %u\n", kernel->shared_bytes);
    if (kernel->local_bytes)
        printf(".local %u\n", kernel->local_bytes);
}

/* Prints one kernel; false if some word is no instruction, which has been said. */
static bool print_kernel(const struct dis_options *dis, const fhec_kernel_info *kernel,
                         const bool *labels) {
    bool good = true;
    print_frame(kernel);
    for (uint32_t i = 0; i <= kernel->word_count; i++) {
        char text[TEXT_MAX], *end, *number;
        uint64_t pc = (uint64_t)i * sizeof(fhec_word), target;
        if (labels[i])
            printf(".L_%u:\n", i);
        if (i == kernel->word_count)
            break;
        fhec_word word = kernel->words[i];
        if (fhec_disassemble(word, pc, dis->flags, text, sizeof text) < 0) {
            fh_cli_error(dis->cli, FHEC_BAD_INPUT,
                         "%s: kernel %s, address 0x%llx: the word "
                         "0x%016llx%016llx is no instruction that fhec knows",
                         dis->source.path, kernel->name, (unsigned long long)pc,
                         (unsigned long long)word.hi, (unsigned long long)word.lo);
            good = false;
            continue;
        }
        number = find_target(word, pc, dis->flags, text, &target, &end);
        if (number && target % sizeof word == 0 && target / sizeof word <= kernel->word_count)
            printf("    %.*s.L_%llu%s ;\n", (int)(number - text), text,
                   (unsigned long long)(target / sizeof word), end);
        else
            printf("    %s ;\n", text);
    }
    puts(".end\n");
    return good;
}

static fhec_status print_program(const struct dis_options *dis, const fhec_program *program) {
    bool good = true;
    for (size_t i = 0; i < fhec_kernel_count(program); i++) {
        fhec_kernel_info kernel;
        bool *labels =
            fhec_kernel_get(program, i, &kernel) == FHEC_OK ? find_labels(&kernel) : NULL;
        if (!labels)
            return fh_cli_no_memory(dis->cli);
        good = print_kernel(dis, &kernel, labels) && good;
        free(labels);
    }
    return good ? FHEC_OK : FHEC_BAD_INPUT;
}

/* One line `ADDRESS WORD`; false if it is not that. */
static bool parse_word_line(const char *line, uint64_t *address, fhec_word *word) {
    char *end;
    *address = strtoull(line, &end, 16);
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
    word->lo = strtoull(digits + 16, NULL, 16);
    digits[16] = 0;
    word->hi = strtoull(digits, NULL, 16);
    return true;
}

static fhec_status print_words(const struct dis_options *dis) {
    char *bytes, *rest, *line;
    size_t length, number = 0;
    fhec_status status = fh_cli_read_file(dis->cli, dis->source.path, &bytes, &length);
    if (status != FHEC_OK)
        return status;
    for (rest = bytes; status == FHEC_OK && (line = strsep(&rest, "\n")) != NULL;) {
        char text[TEXT_MAX];
        uint64_t address;
        fhec_word word;
        number++;
        if (!*line || *line == '#' || *line == '\r')
            continue;
        if (!parse_word_line(line, &address, &word)) {
            fh_cli_error(dis->cli, FHEC_BAD_INPUT,
                         "%s:%zu: expected `ADDRESS WORD`, the word with "
                         "32 hexadecimal digits",
                         dis->source.path, number);
            status = FHEC_BAD_INPUT;
        } else if (fhec_disassemble(word, address, dis->flags, text, sizeof text) < 0) {
            puts("?");
        } else {
            puts(text);
        }
    }
    free(bytes);
    return status;
}

fhec_status fh_cli_dis(struct fh_cli *cli, int argc, char **argv) {
    struct dis_options dis = {.cli = cli};
    fh_cli_parse(cli, &argp, argc, argv, &dis);
    if (dis.words)
        return print_words(&dis);
    fhec_program *program;
    fhec_status status = fh_cli_load(cli, &dis.source, &program);
    if (status == FHEC_OK)
        status = print_program(&dis, program);
    fhec_program_free(program);
    return status;
}
