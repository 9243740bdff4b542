/*
 * other_command.c - see other_command.h.
 */
#include "other_command.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"

static const struct fh_cli_other others[] = {
    {"test", "fhec test", fh_cli_test},    {"ntt", "fhec ntt", fh_cli_ntt},
    {"bconv", "fhec bconv", fh_cli_bconv}, {"eltwise", "fhec eltwise", fh_cli_eltwise},
    {"ckks", "fhec ckks", fh_cli_ckks},    {"bigint", "fhec bigint", fh_cli_bigint},
};

const struct fh_cli_other *fh_cli_other_find(const char *name) {
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (!strcmp(name, others[i].name))
            return &others[i];
    return NULL;
}

/* "-x", "-xVALUE". */
static int own_letter(const struct argp_option *options, const char *arg, bool more) {
    for (size_t i = 0; options[i].name; i++)
        if (options[i].key == arg[1])
            return options[i].arg && !arg[2] && more ? 2 : 1;
    return 0;
}

int fh_cli_own_option(const struct argp_option *options, const char *arg, bool more) {
    if (arg[0] != '-' || !arg[1])
        return 0;
    if (arg[1] != '-')
        return own_letter(options, arg, more);
    arg += 2;
    const size_t length = strcspn(arg, "=");
    for (size_t i = 0; options[i].name; i++)
        if (strlen(options[i].name) == length && !strncmp(options[i].name, arg, length))
            return options[i].arg && !arg[length] && more ? 2 : 1;
    return 0;
}

fhec_status fh_cli_split(const struct fh_cli *cli, const struct argp_option *options, int argc,
                         char **argv, int from, struct fh_cli_split *split) {
    *split = (struct fh_cli_split){.mine = calloc((size_t)argc + 1, sizeof(char *)),
                                   .theirs = calloc((size_t)argc + 3, sizeof(char *))};
    if (!split->mine || !split->theirs)
        return fh_cli_no_memory(cli);
    split->mine[split->mine_count++] = argv[0];
    for (int i = 1; i < argc;) {
        const int own = fh_cli_own_option(options, argv[i], i + 1 < argc);
        for (int k = 0; k < (own ? own : 1); k++, i++)
            if (own || i < from)
                split->mine[split->mine_count++] = argv[i];
            else
                split->theirs[split->their_count++] = argv[i];
    }
    return FHEC_OK;
}

void fh_cli_split_free(struct fh_cli_split *split) {
    free(split->mine);
    free(split->theirs);
}

fhec_status fh_cli_other_run(struct fh_cli *cli, const struct fh_cli_other *other,
                             const struct fh_cli_split *split) {
    cli->command = other->full;
    return other->run(cli, split->their_count, split->theirs);
}
