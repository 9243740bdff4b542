/*
 * suppressions.h - findings that are known and not to be told: from a file, a line each,
 *
 *     C065 modmul.sass:17 lazy sums, reduced below      of one line
 *     C065 modmul.sass    reason                        of one file
 *     C065 kernel:ntt_*   reason                        of kernels, by a pattern of the shell
 *     # a comment
 *
 * and from comments in the sources of the kernels, behind the instruction or on a line of their own
 * above it:
 *
 *     MODADD.U32 R4, R4, R5, UR4 ; // fhec: ignore C065 reason
 *
 * A finding is suppressed if one of its two instructions was written there, or came of a macro, a
 * repetition or an include there.
 */
#ifndef FH_CLI_SUPPRESSIONS_H
#define FH_CLI_SUPPRESSIONS_H

#include "cli.h"
#include "finding.h"

struct fh_cli_suppression {
    unsigned kind;       /* of the finding */
    char *file, *kernel; /* NULL: any; the end of a path, a pattern */
    uint32_t line;       /* of the file; 0: any */
    char *reason;        /* not empty */
    bool in_source;      /* a comment */
    bool reached;        /* a kernel was launched that has something from that place */
    bool used;           /* a finding was suppressed by it */
    const char *said_in; /* the file that says so, and where; of the list's strings */
    uint32_t said_at;
};
struct fh_cli_suppressions {
    struct fh_cli_suppression *list;
    size_t count;
    char **names; /* of files, each once */
    size_t name_count;
};

/* Adds what a file says. FHEC_BAD_INPUT, said, for lines that are not understood. */
fhec_status fh_cli_suppressions_read(const struct fh_cli *cli, const char *path,
                                     struct fh_cli_suppressions *s);
/* Adds what the comments of a source say, which `name` stands for in locations. */
fhec_status fh_cli_suppressions_scan(const struct fh_cli *cli, const char *name, const char *text,
                                     struct fh_cli_suppressions *s);
/* Notes that a kernel is launched: comments at its instructions can be used from now on. */
void fh_cli_suppressions_reach(struct fh_cli_suppressions *s, const fhec_program *program,
                               size_t kernel);
/* The one by which the finding is suppressed; NULL: none. It has been used then. */
const struct fh_cli_suppression *fh_cli_suppressions_find(struct fh_cli_suppressions *s,
                                                          const struct fh_finding *f);
/* Warns of those that nothing used: those of files, and comments that were reached. Only of kinds
 * that belong to one of the checkers (FH_CHECK_BITs). */
void fh_cli_suppressions_say_unused(const struct fh_cli *cli, const struct fh_cli_suppressions *s,
                                    unsigned checkers);
void fh_cli_suppressions_free(struct fh_cli_suppressions *s);

#endif
