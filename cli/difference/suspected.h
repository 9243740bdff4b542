/*
 * suspected.h - the lines that a wrong result is most likely due to, in messages (suspects.h).
 */
#ifndef FH_CLI_SUSPECTED_H
#define FH_CLI_SUSPECTED_H

#include <jansson.h>
#include <stdio.h>

#include "elements.h"
#include "suspects.h"

enum { FH_CLI_SUSPECTED_SITES = 32 };

struct fh_cli_suspected {
    struct fh_suspect list[FH_SUSPECTS_MOST]; /* lines */
    size_t count;
    struct fh_suspect sites[FH_CLI_SUSPECTED_SITES]; /* instructions, several of a line, too */
    size_t site_count;
    struct fh_verdicts verdicts;
};

/* An array in global memory, and which of its elements are wrong: their indices, ascending. */
struct fh_cli_wrong_array {
    const struct fh_cli_data *got, *want;
    uint64_t address;
    size_t first, count; /* the elements that lie there */
    const size_t *wrong;
    size_t wrong_count;
};

/* Looks at some of the elements that are wrong and some that are right, spread evenly. */
void fh_cli_suspect(struct fh_cli_suspected *suspected, const struct fh_journal *journal,
                    const struct fh_cli_wrong_array *array);
/* Puts the line of an instruction, for which more speaks than all of that, in the first place. */
void fh_cli_suspect_first(struct fh_cli_suspected *suspected, const struct fh_journal_site *site);
void fh_cli_suspected_text(const struct fh_cli_suspected *suspected, FILE *to);
json_t *fh_cli_suspected_json(const struct fh_cli_suspected *suspected);

#endif
