/*
 * report_times.h - times of CKKS primitives and applications on two machines: without FHEC, on a
 * map with 64-bit words, and with it, on a map with 32-bit words, both at one log2 of QP.
 */
#ifndef FH_CLI_REPORT_TIMES_H
#define FH_CLI_REPORT_TIMES_H

#include "machine_options.h"
#include "report_apps.h"
#include "time_machine.h"

enum fh_cli_time_side { FH_CLI_TIME_BASE, FH_CLI_TIME_FHEC, FH_CLI_TIME_SIDES };
enum { FH_CLI_TIME_ROWS = 64, FH_CLI_TIME_VARIANTS = 16 };

/* What is asked for. */
struct fh_cli_times_wanted {
    const char *machines[FH_CLI_TIME_SIDES]; /* names, or files */
    const struct fh_map *maps[FH_CLI_TIME_SIDES];
    const char *const *names; /* of applications */
    size_t name_count;
    bool primitives, sensitivity;
    unsigned log2_n;
    struct fh_run_options options;
    const struct fh_cli_machine *settings;
};

/* What a row takes on one side. */
struct fh_cli_time_amount {
    uint64_t warp_insts, cycles;
    uint64_t hbm_cycles; /* what its bytes from and to HBM take at its bandwidth */
    uint64_t launches;
    uint64_t key_bytes; /* of its switching key; 0: of several keys, or none */
};

struct fh_cli_time_row {
    char name[64];
    const struct fh_cli_app_count *counts[FH_CLI_TIME_SIDES]; /* whose chain it has */
    struct fh_cli_time_amount amounts[FH_CLI_TIME_SIDES];
    double published_us[FH_CLI_TIME_SIDES]; /* 0: not published */
    uint64_t published_warp[FH_CLI_TIME_SIDES];
    bool same_work; /* as what was published */
};

/* The primitives with one line of the machines' descriptions changed. */
struct fh_cli_time_variant {
    const char *line;
    bool fhec_only; /* the other machine does not have what it changes */
    double us[FH_CLI_APP_PRIMITIVES][FH_CLI_TIME_SIDES];
};

struct fh_cli_times {
    struct fh_time_machine machines[FH_CLI_TIME_SIDES];
    unsigned log2_n;
    struct fh_cli_apps apps;                     /* what is read */
    struct fh_cli_apps sides[FH_CLI_TIME_SIDES]; /* what is counted, in pairs of one index; only
                                                  * its counts are in use */
    struct fh_cli_time_row rows[FH_CLI_TIME_ROWS];
    size_t row_count;
    struct fh_cli_time_variant variants[FH_CLI_TIME_VARIANTS];
    size_t variant_count;
};

/* Freed in any case; what is wrong has been said. */
fhec_status fh_cli_times_run(const struct fh_cli *cli, const struct fh_cli_times_wanted *wanted,
                             struct fh_cli_times *times);
void fh_cli_times_free(struct fh_cli_times *times);

/* "Rescale", "Rotate", "HEMult". */
const char *fh_cli_app_primitive_name(enum fh_cli_app_primitive primitive);

/* Microseconds of the cycles on the side's machine. */
double fh_cli_time_us(const struct fh_cli_times *times, enum fh_cli_time_side side,
                      uint64_t cycles);
/* Microseconds that it takes at least: to issue so many warp instructions on all schedulers, for
 * launches, to read so many bytes from HBM. */
double fh_cli_time_issue_us(const struct fh_cli_times *times, enum fh_cli_time_side side,
                            uint64_t warp_insts);
double fh_cli_time_launch_us(const struct fh_cli_times *times, enum fh_cli_time_side side,
                             uint64_t launches);
double fh_cli_time_hbm_us(const struct fh_cli_times *times, enum fh_cli_time_side side,
                          uint64_t bytes);
/* The row's time without FHEC by that with it; 0: there is none. */
double fh_cli_time_speedup(const struct fh_cli_times *times, const struct fh_cli_time_row *row);
double fh_cli_time_published_speedup(const struct fh_cli_time_row *row);

/* The two forms; false: no memory. report_times_text.c, report_times_json.c */
bool fh_cli_times_text(const struct fh_cli_times *times, FILE *to, bool markdown);
bool fh_cli_times_json(const struct fh_cli_times *times, FILE *to);

#endif
