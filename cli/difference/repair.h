/*
 * repair.h - whether one edit of a suspicious instruction makes all of a wrong result right.
 *
 * The same is run again and again with one word of a kernel in the place of another: mutants of the
 * suspects, the likeliest first. An edit after which everything is right need not be what the
 * author meant, but shows where it goes wrong (Debroy and Wong, "Using mutation to automatically
 * suggest fixes for faulty programs", ICST 2010). The number of runs follows from the number of
 * instructions alone.
 */
#ifndef FH_CLI_REPAIR_H
#define FH_CLI_REPAIR_H

#include "first_difference.h"
#include "suspected.h"

struct fh_cli_repair {
    bool found;
    const struct fh_journal_site *site; /* the journal's */
    size_t relatives;                   /* instructions of its line that were edited alike; 1 */
    char edit[256];                     /* the instruction that makes it right */
    unsigned runs;
};

void fh_cli_repair_find(struct fh_cli_repair *repair, const struct fh_cli *cli,
                        const struct fh_cli_difference *difference,
                        const struct fh_cli_again *again, const struct fh_journal *journal,
                        const struct fh_cli_suspected *suspected);
/* Nothing, and NULL, if none was found. `count`: elements of the result. */
void fh_cli_repair_text(const struct fh_cli_repair *repair, size_t count, FILE *to);
json_t *fh_cli_repair_json(const struct fh_cli_repair *repair);

#endif
