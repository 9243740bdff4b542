/*
 * sweep_reader.h - a plan being read: what its parts share, and how what is wrong is said.
 */
#ifndef FH_CLI_SWEEP_READER_H
#define FH_CLI_SWEEP_READER_H

#include "sweep_point.h"

enum { FH_CLI_SWEEP_PATH = 256, FH_CLI_SWEEP_MOST_POINTS = 1000000 };

struct fh_cli_sweep_reader {
    const struct fh_cli *cli;
    const char *file, *text; /* the plan's name and bytes */
    struct fh_cli_sweep_plan *plan;
    json_t *points; /* a point's identity -> the path of its block */
    json_t *names;  /* whatever options and words the points have */
    json_t *helps;  /* of a build and a command's words -> what --help said */
    fhec_status status;
};

/* Says "PLAN:LINE:COLUMN: PATH: ..." and returns false. The status becomes FHEC_BAD_INPUT. */
bool fh_cli_sweep_wrong(struct fh_cli_sweep_reader *reader, const char *path, const char *format,
                        ...) __attribute__((format(printf, 3, 4)));
/* False if the pointer is NULL, said as lack of memory. */
bool fh_cli_sweep_there(struct fh_cli_sweep_reader *reader, const void *pointer);
/* False, said, if the object has a member that is none of the NULL-terminated names. */
bool fh_cli_sweep_known_members(struct fh_cli_sweep_reader *reader, const char *path,
                                const json_t *object, const char *const *names);

/* "path.name", "path[index]"; of the empty path the name alone. */
struct fh_cli_sweep_path {
    char text[FH_CLI_SWEEP_PATH];
};
struct fh_cli_sweep_path fh_cli_sweep_member(const char *path, const char *name);
struct fh_cli_sweep_path fh_cli_sweep_element(const char *path, size_t index);

/* A value as it is compared and kept: 256 for "256", "0.5" for 0.5; NULL: it is no number, text,
 * true, false or null, or there is no memory. A new reference. */
json_t *fh_cli_sweep_scalar(const json_t *value);
/* The same of a text. */
json_t *fh_cli_sweep_scalar_text(const char *text);

#endif
