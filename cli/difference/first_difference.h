/*
 * first_difference.h - what is said when a buffer does not hold what it should: how many elements
 * differ, the first of them, in which pattern, and which instruction stored the first one.
 */
#ifndef FH_CLI_FIRST_DIFFERENCE_H
#define FH_CLI_FIRST_DIFFERENCE_H

#include "elements.h"
#include "machine_options.h"

/* A buffer, and what it should hold: as many elements of the same width. */
struct fh_cli_difference {
    const char *what;   /* begins the message: "c", "t.test:4: c" */
    const char *buffer; /* its name */
    const struct fh_cli_data *got, *want;
    size_t columns;       /* of a row; 0: by the shape of `want`, then of `got` */
    const char *row;      /* what a row is called; NULL: "row" */
    uint64_t address;     /* in the machine; 0: unknown */
    size_t first, count;  /* the elements that lie there; count 0: all of them */
    const char *why;      /* behind the element in a call of `fhec why` with the same arguments: "",
                             " ntt"; NULL: that cannot be asked */
    struct json_t **told; /* gets what is known of it, as with --diag=json; NULL: nobody wants it */
};

/* How the same is run once more, to see who stores what. */
struct fh_cli_again {
    const struct fh_cli_machine *settings;
    void *user;
    /* On a machine made by the same settings, so that all addresses are the same; saying nothing.
     */
    fhec_status (*run)(void *user, fhec_machine *machine);
};

/* Compares, and if something differs says so and returns FHEC_DIFFERS. `again` may be NULL, or have
 * no `run`: then nothing is said about stores. */
fhec_status fh_cli_compare_closely(const struct fh_cli *cli,
                                   const struct fh_cli_difference *difference,
                                   const struct fh_cli_again *again);

#endif
