/*
 * app_file.h - applications as files: JSON that says which primitives an application uses, how
 * often and at which levels. docs/applications.md describes it.
 */
#ifndef FH_CLI_APP_FILE_H
#define FH_CLI_APP_FILE_H

#include <jansson.h>

#include "application.h"
#include "cli.h"

enum { FH_CLI_APP_READINGS = 8, FH_CLI_APP_PARTS = 64 };

struct fh_cli_app_part {
    const char *name;
    struct fh_app_uses uses[FH_APP_FORMS]; /* as often as the part comes */
};

/* The primes of maps with words of one width. */
struct fh_cli_app_primes {
    bool given, planned; /* planned: those of the reading's first plan; else the largest below: */
    unsigned bits;
};

/* One way to understand what an application does, with its parameters. */
struct fh_cli_app_reading {
    const char *name, *title;
    size_t limbs, alpha, dnum;
    struct fh_cli_app_primes primes[2]; /* of 32-bit and of 64-bit words */
    bool has_plan;
    fh_golden_ckks_boot_params plan; /* the first one */
    struct fh_cli_app_part parts[FH_CLI_APP_PARTS];
    size_t part_count;
    struct fh_app_totals totals;
};

struct fh_cli_app {
    json_t *root; /* owns all text */
    const char *name, *title;
    struct {
        bool given, same_work; /* same_work: of what the readings compose; else of several such */
        const char *source;
        uint64_t base, fhec;              /* warp instructions of the baseline, and with FHEC */
        double base_ms, fhec_ms, hemults; /* 0: not given */
    } published;
    const json_t *notes; /* strings, or NULL */
    unsigned log2_n;     /* of the sequences */
    struct fh_cli_app_reading readings[FH_CLI_APP_READINGS];
    size_t reading_count;
};

/* Reads the application of this name, one of the tool's own, or a file: a name that has a slash or
 * ends in .json. Says what is wrong, and where; freed in any case. */
fhec_status fh_cli_app_read(const struct fh_cli *cli, const char *name, struct fh_cli_app *app);
void fh_cli_app_free(struct fh_cli_app *app);

/* The names of the tool's own; NULL past the end. Without "apps/" and ".json". */
const char *fh_cli_app_own(size_t index, char name[64]);

#endif
