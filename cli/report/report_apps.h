/*
 * report_apps.h - the rows of applications in the report: composed from primitives that are counted
 * on each map.
 */
#ifndef FH_CLI_REPORT_APPS_H
#define FH_CLI_REPORT_APPS_H

#include "app_file.h"
#include "cli.h"
#include "profile.h"

/* Primitives of all limbs; HEMult is without Rescale. */
enum fh_cli_app_primitive {
    FH_CLI_APP_RESCALE,
    FH_CLI_APP_ROTATE,
    FH_CLI_APP_HEMULT,
    FH_CLI_APP_PRIMITIVES
};

/* What of a reading is counted. */
struct fh_cli_app_wanted {
    bool forms[FH_APP_FORMS], primitives[FH_CLI_APP_PRIMITIVES];
    size_t rescale_limbs; /* that the primitive Rescale drops; 0: one */
};

/* One reading of an application on one map. */
struct fh_cli_app_count {
    const struct fh_map *map;
    const struct fh_cli_app *app;
    const struct fh_cli_app_reading *reading;
    struct fh_cli_app_wanted wanted;
    unsigned bits; /* of the largest prime */
    bool done;
    struct fh_app_sum forms[FH_APP_FORMS], primitives[FH_CLI_APP_PRIMITIVES];
    uint64_t parts[FH_CLI_APP_PARTS]; /* warp instructions in the last form that is wanted */
};

struct fh_cli_apps {
    struct fh_cli_app *apps;
    size_t app_count;
    unsigned log2_n;
    struct fh_cli_app_count *counts; /* by application, reading, map */
    size_t count, room;
};

/* Reads the applications. Freed in any case. */
fhec_status fh_cli_apps_read(const struct fh_cli *cli, const char *const *names, size_t count,
                             struct fh_cli_apps *apps);
/* One more reading to count on a map with CKKS primitives, for whose words it has primes. */
fhec_status fh_cli_apps_add(const struct fh_cli *cli, struct fh_cli_apps *apps,
                            const struct fh_cli_app *app, const struct fh_cli_app_reading *reading,
                            const struct fh_map *map, const struct fh_cli_app_wanted *wanted);
/* All readings in all forms, with one HEMult, on all maps that they can be counted on. */
fhec_status fh_cli_apps_add_all(const struct fh_cli *cli, struct fh_cli_apps *apps,
                                const struct fh_map *const *maps, size_t map_count);
/* Counts those that are not yet; log2_n of the polynomials, whatever the sequences are of. A meter
 * (NULL: none) reads what the machine does. */
fhec_status fh_cli_apps_count(const struct fh_cli *cli, fhec_machine *machine, unsigned log2_n,
                              const struct fh_run_options *options,
                              const struct fh_app_meter *meter, struct fh_cli_apps *apps);
void fh_cli_apps_free(struct fh_cli_apps *apps);

/* NULL where it has not been counted. */
const struct fh_cli_app_count *fh_cli_apps_find(const struct fh_cli_apps *apps,
                                                const struct fh_cli_app_reading *reading,
                                                const char *map);
/* What it is compared with: the map cuda64 in the same reading, or in the one that the reading
 * names; NULL likewise. */
const struct fh_cli_app_count *fh_cli_apps_base(const struct fh_cli_apps *apps,
                                                const struct fh_cli_app *app,
                                                const struct fh_cli_app_reading *reading);
uint64_t fh_cli_app_warp(const struct fh_cli_app_count *count, enum fh_app_form form);
uint64_t fh_cli_app_sum_warp(const struct fh_app_sum *sum);
/* Its count in HEMults of all limbs on the same map. */
double fh_cli_app_hemults(const struct fh_cli_app_count *count, enum fh_app_form form);

#endif
