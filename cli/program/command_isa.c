/*
 * command_isa.c - fhec isa: pages of the ISA book, which is generated from the instruction
 * descriptions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "nearest.h"
#include "options.h"

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
    const char *near = fh_nearest_of(isa->mnemonic, names, count);
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

/* ---------------------------------------------------------------- modifiers */

enum { MAX_WORDS = 256 };
struct words {
    char *word[MAX_WORDS];
    size_t count;
};

static bool is_known(const struct words *words, const char *word, size_t length) {
    for (size_t i = 0; i < words->count; i++)
        if (strlen(words->word[i]) == length && !memcmp(words->word[i], word, length))
            return true;
    return false;
}

/* The words that may stand behind the mnemonic's root, each once. */
static void find_words(const char *mnemonic, struct words *words) {
    const char *text;
    words->count = 0;
    for (size_t i = 0; fhec_isa_modifier(mnemonic, i, &text); i++) {
        for (size_t n; *text; text += n + (text[n] == '.')) {
            n = strcspn(text, ".");
            char *word =
                words->count == MAX_WORDS || is_known(words, text, n) ? NULL : strndup(text, n);
            if (word)
                words->word[words->count++] = word;
        }
    }
}

/* The first word behind the mnemonic's root that is not among those; NULL if all are. */
static const char *unknown_word(const char *mnemonic, const struct words *words) {
    for (const char *dot = strchr(mnemonic, '.'); dot; dot = strchr(dot + 1, '.'))
        if (!is_known(words, dot + 1, strcspn(dot + 1, ".")))
            return dot + 1;
    return NULL;
}

static fhec_status say_modifier(const struct isa_options *isa, const char *mnemonic,
                                const char *word, const struct words *words) {
    char *list = NULL, *given = strndup(word, strcspn(word, "."));
    size_t size;
    FILE *out = open_memstream(&list, &size);
    for (size_t i = 0; out && i < words->count; i++)
        fprintf(out, "%s.%s", i ? ", " : "", words->word[i]);
    if (out)
        fclose(out);
    const char *near =
        given ? fh_nearest_of(given, (const char *const *)words->word, words->count) : NULL;
    fhec_status status = fh_cli_error(isa->cli, FHEC_BAD_INPUT, "%.*s has no modifier .%s%s%s%s %s",
                                      (int)strcspn(mnemonic, "."), mnemonic, given ? given : "",
                                      near ? "; did you mean ." : "", near ? near : "",
                                      near ? "? It takes" : "; it takes", list ? list : "others");
    free(list);
    free(given);
    return status;
}

/* ---------------------------------------------------------------- pages */

/* Whether the list of instructions has one with the root of the mnemonic. */
static bool known_root(const char *mnemonic) {
    const char *name, *title;
    size_t length = strcspn(mnemonic, ".");
    for (size_t i = 0; fhec_isa_entry(i, &name, &title); i++)
        if (!strncmp(name, mnemonic, length) && (name[length] == '.' || !name[length]))
            return true;
    return false;
}

/* The pages of a name in upper case, or of what is left when modifiers are taken off it. */
static fhec_status show(const struct isa_options *isa, char *name) {
    struct words words;
    if (!known_root(name))
        return say_nearest(isa);
    find_words(name, &words);
    const char *word = unknown_word(name, &words);
    fhec_status status = word ? say_modifier(isa, name, word, &words) : FHEC_OK;
    for (size_t i = 0; i < words.count; i++)
        free(words.word[i]);
    for (char *dot; !word && !print_pages(name) && (dot = strrchr(name, '.')) != NULL;)
        *dot = 0;
    return status;
}

static fhec_status find_pages(const struct isa_options *isa) {
    char *name = strdup(isa->mnemonic);
    if (!name)
        return fh_cli_no_memory(isa->cli);
    for (char *c = name; *c; c++)
        if (*c >= 'a' && *c <= 'z')
            *c = (char)(*c - 'a' + 'A');
    fhec_status status = show(isa, name);
    free(name);
    return status;
}

fhec_status fh_cli_isa(struct fh_cli *cli, int argc, char **argv) {
    struct isa_options isa = {.cli = cli};
    const char *mnemonic, *title;
    fh_cli_parse(cli, &argp, argc, argv, &isa);
    if (isa.mnemonic && !isa.json && !isa.book)
        return find_pages(&isa);
    if (isa.json) {
        puts(fhec_isa_json());
    } else if (isa.book) {
        puts(fhec_isa_page(NULL));
    } else {
        for (size_t i = 0; fhec_isa_entry(i, &mnemonic, &title); i++)
            printf("%-16s %s\n", mnemonic, title);
    }
    return FHEC_OK;
}
