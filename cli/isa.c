/*
 * isa.c - fhec isa: pages of the ISA book, which is generated from the instruction descriptions.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const char doc[] =
    "Prints the page of the ISA book about MNEMONIC; without one, the list of instructions."
    "\vMNEMONIC may carry more modifiers than a page has (IMAD.WIDE.U32) or fewer (MODMUL).";

enum { OPTION_JSON = 1, OPTION_BOOK };
static const struct argp_option options[] = {
    {"json", OPTION_JSON, NULL, 0, "The whole instruction set as JSON", 0},
    {"book", OPTION_BOOK, NULL, 0, "The whole book, in Markdown", 0},
    {0},
};

struct isa_options {
    struct fh_cli *cli;
    const char *mnemonic;
    bool json, book;
};

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct isa_options *isa = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = isa->cli; return 0;
    case OPTION_JSON: isa->json = true; return 0;
    case OPTION_BOOK: isa->book = true; return 0;
    case ARGP_KEY_ARG:
        if (isa->mnemonic)
            argp_error(state, "one MNEMONIC at a time; %s is one more", arg);
        isa->mnemonic = arg;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&fh_cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {options, parse_option, "[MNEMONIC]", doc, children, NULL, NULL};

static fhec_status say_nearest(const struct isa_options *isa) {
    const char *names[1024], *title;
    size_t count = 0;
    while (count < 1024 && fhec_isa_entry(count, &names[count], &title))
        count++;
    const char *near = fh_cli_nearest(isa->mnemonic, names, count);
    return fh_cli_error(isa->cli, FHEC_BAD_INPUT, "no instruction is called \"%s\"%s%s%s",
                        isa->mnemonic, near ? "; did you mean " : "; `fhec isa` lists them",
                        near ? near : "", near ? "?" : "");
}

/* Prints the page of `name`, or all pages of names that `name` begins (MODMUL: .U32 and .U64). */
static bool print_pages(const char *name) {
    const char *page = fhec_isa_page(name), *mnemonic, *title;
    size_t length = strlen(name);
    if (page) {
        puts(page);
        return true;
    }
    bool any = false;
    for (size_t i = 0; fhec_isa_entry(i, &mnemonic, &title); i++)
        if (!strncmp(mnemonic, name, length) && mnemonic[length] == '.' &&
            (page = fhec_isa_page(mnemonic)) != NULL) {
            puts(page);
            any = true;
        }
    return any;
}

/* Looks for the name in upper case, then for what is left when modifiers are taken off it. */
static bool find_pages(const char *mnemonic) {
    char *name = strdup(mnemonic), *dot;
    bool found = false;
    for (char *c = name; c && *c; c++)
        if (*c >= 'a' && *c <= 'z')
            *c = (char)(*c - 'a' + 'A');
    while (name && !(found = print_pages(name)) && (dot = strrchr(name, '.')) != NULL)
        *dot = 0;
    free(name);
    return found;
}

fhec_status fh_cli_isa(struct fh_cli *cli, int argc, char **argv) {
    struct isa_options isa = {.cli = cli};
    const char *mnemonic, *title;
    fh_cli_parse(cli, &argp, argc, argv, &isa);
    if (isa.json) {
        puts(fhec_isa_json());
    } else if (isa.book) {
        puts(fhec_isa_page(NULL));
    } else if (isa.mnemonic) {
        if (!find_pages(isa.mnemonic))
            return say_nearest(&isa);
    } else {
        for (size_t i = 0; fhec_isa_entry(i, &mnemonic, &title); i++)
            printf("%-16s %s\n", mnemonic, title);
    }
    return FHEC_OK;
}
