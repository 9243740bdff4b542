/*
 * options.c - reading option values for argp: numbers, lists, choices, NAME=VALUE.
 */
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arrays.h"
#include "literal.h"
#include "message.h"

enum { OPTION_DIAG = 0x1000 };

static const struct argp_option common_options[] = {
    {"diag", OPTION_DIAG, "FORMAT", 0, "Messages as text (default) or json, one object a line", 10},
    {0},
};

static error_t parse_common(int key, char *arg, struct argp_state *state) {
    struct fh_cli *cli = state->input;
    static const char *const formats[] = {"text", "json", NULL};
    if (key != OPTION_DIAG)
        return ARGP_ERR_UNKNOWN;
    cli->json = fh_cli_choice_option(state, "--diag", arg, formats) == 1;
    return 0;
}

const struct argp fh_cli_common_argp = {common_options, parse_common, NULL, NULL, NULL, NULL, NULL};

static void parse(struct fh_cli *cli, const struct argp *argp, int argc, char **argv,
                  unsigned flags, void *input) {
    argp_err_exit_status = FHEC_BAD_INPUT;
    argv[0] = (char *)cli->command;
    error_t error = argp_parse(argp, argc, argv, flags, NULL, input);
    if (error)
        exit((int)fh_cli_error(cli, FHEC_HOST_ERROR, "%s", strerror(error)));
}

void fh_cli_parse(struct fh_cli *cli, const struct argp *argp, int argc, char **argv, void *input) {
    parse(cli, argp, argc, argv, 0, input);
}

void fh_cli_parse_in_order(struct fh_cli *cli, const struct argp *argp, int argc, char **argv,
                           void *input) {
    parse(cli, argp, argc, argv, ARGP_IN_ORDER, input);
}

bool fh_cli_number(const char *text, uint64_t *value) {
    const char *why;
    return fh_parse_number(text, strlen(text), value, &why);
}

size_t fh_cli_address(const char *text, uint64_t *address) {
    const size_t prefix = text[0] == '0' && (text[1] | 0x20) == 'x' ? 2 : 0;
    const size_t digits = fh_parse_digits(text + prefix, 16, address);
    return digits ? prefix + digits : 0;
}

uint64_t fh_cli_number_option(const struct argp_state *state, const char *option, const char *text,
                              uint64_t least, uint64_t most) {
    uint64_t value = 0;
    const char *why;
    const bool is_number = fh_parse_number(text, strlen(text), &value, &why);
    if (!is_number || value < least || value > most)
        argp_error(state, "%s %s: expected a number from %llu to %llu%s%s", option, text,
                   (unsigned long long)least, (unsigned long long)most, is_number ? "" : ": ",
                   is_number ? "" : why);
    return value;
}

bool fh_cli_bytes(const char *text, uint64_t *value) {
    size_t length = strlen(text), digits = strcspn(text, "KMG");
    unsigned shift = 0;
    char number[32];
    if (digits + 1 == length && length <= sizeof number) { /* the letter makes way for the NUL */
        shift = text[digits] == 'K' ? 10 : text[digits] == 'M' ? 20 : 30;
        memcpy(number, text, digits);
        number[digits] = '\0';
    }
    if (!fh_cli_number(shift ? number : text, value) || *value > UINT64_MAX >> shift)
        return false;
    *value <<= shift;
    return true;
}

uint64_t fh_cli_bytes_option(const struct argp_state *state, const char *option, const char *text,
                             uint64_t least, uint64_t most) {
    uint64_t value = 0;
    if (!fh_cli_bytes(text, &value) || value > most || value < least)
        argp_error(state, "%s %s: expected a number from %llu to %llu, which may end in K, M or G",
                   option, text, (unsigned long long)least, (unsigned long long)most);
    return value;
}

uint64_t *fh_cli_list_option(const struct argp_state *state, const char *option, const char *text,
                             uint64_t least, uint64_t most, size_t *count) {
    uint64_t *values = NULL;
    char *copy = strdup(text), *rest = copy;
    if (!copy)
        argp_failure(state, FHEC_HOST_ERROR, 0, "out of memory");
    *count = 0;
    for (char *word; (word = strsep(&rest, ",")) != NULL;) {
        values = fh_cli_grow(state, values, *count, sizeof *values);
        values[(*count)++] = fh_cli_number_option(state, option, word, least, most);
    }
    free(copy);
    return values;
}

bool fh_cli_extension_is(const char *name, const char *extension) {
    const size_t length = strlen(name), more = strlen(extension);
    return length > more && strcmp(name + length - more, extension) == 0;
}

size_t fh_cli_choice_option(const struct argp_state *state, const char *option, const char *text,
                            const char *const *names) {
    char all[256] = "";
    for (size_t i = 0; names[i]; i++) {
        if (!strcmp(text, names[i]))
            return i;
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", names[i]);
    }
    argp_error(state, "%s=%s: expected one of %s", option, text, all);
    return 0;
}

char *fh_cli_assignment_option(const struct argp_state *state, const char *option, const char *text,
                               const char **value) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        argp_error(state, "%s %s: expected NAME=VALUE", option, text);
    char *name = equals ? strndup(text, (size_t)(equals - text)) : NULL;
    if (!name)
        argp_failure(state, FHEC_HOST_ERROR, 0, "out of memory");
    *value = equals ? equals + 1 : NULL;
    return name;
}

void *fh_cli_grow(const struct argp_state *state, void *array, size_t count, size_t size) {
    void *larger = fh_cli_more(array, count, size);
    if (!larger)
        argp_failure(state, FHEC_HOST_ERROR, 0, "out of memory");
    return larger;
}
