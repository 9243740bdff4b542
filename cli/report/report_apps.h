/*
 * report_apps.h - the rows of applications in the report: composed from primitives that are counted
 * on each map.
 */
#ifndef FH_CLI_REPORT_APPS_H
#define FH_CLI_REPORT_APPS_H

#include "app_file.h"
#include "cli.h"
#include "profile.h"

/* One reading of an application on one map. */
struct fh_cli_app_count {
    const struct fh_map *map;
    const struct fh_cli_app *app;
    const struct fh_cli_app_reading *reading;
    unsigned bits; /* of the largest prime */
    bool done;
    struct fh_profile forms[FH_APP_FORMS];
    uint64_t hemult;                  /* warp instructions of one of all limbs */
    uint64_t parts[FH_CLI_APP_PARTS]; /* warp instructions in the form fused_hoisted */
};

struct fh_cli_apps {
    struct fh_cli_app *apps;
    size_t app_count;
    unsigned log2_n;
    struct fh_cli_app_count *counts; /* by application, reading, map; none where a map has no
                                      * primes for a reading */
    size_t count;
};

/* Reads the applications. Freed in any case. */
fhec_status fh_cli_apps_read(const struct fh_cli *cli, const char *const *names, size_t count,
                             struct fh_cli_apps *apps);
/* Counts all of them on these maps, as far as they have CKKS primitives; log2_n of the polynomials,
 * whatever the sequences are of. */
fhec_status fh_cli_apps_count(const struct fh_cli *cli, fhec_machine *machine,
                              const struct fh_map *const *maps, size_t map_count, unsigned log2_n,
                              const struct fh_run_options *options, struct fh_cli_apps *apps);
void fh_cli_apps_free(struct fh_cli_apps *apps);

/* NULL where it has not been counted. */
const struct fh_cli_app_count *fh_cli_apps_find(const struct fh_cli_apps *apps,
                                                const struct fh_cli_app_reading *reading,
                                                const char *map);
uint64_t fh_cli_app_warp(const struct fh_cli_app_count *count, enum fh_app_form form);
/* Its count in HEMults of all limbs on the same map. */
double fh_cli_app_hemults(const struct fh_cli_app_count *count, enum fh_app_form form);

#endif
