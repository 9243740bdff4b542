/*
 * profile_sums.h - the counts of a kernel added up: by source line, by class, and all of them.
 */
#ifndef FH_PROFILE_SUMS_H
#define FH_PROFILE_SUMS_H

#include "code_facts.h"

enum { FH_PROFILE_CLASSES = 24 };

struct fh_profile_sum {
    struct fh_profile_counts counts;
    uint64_t reused;             /* operands, over all executions */
    uint32_t live, live_uniform; /* the most, of instructions that ran; if none did, of all */
};

/* A source line, with those of its words that are instructions: order[first] to
 * order[first + count - 1]. */
struct fh_profile_line {
    const char *file; /* NULL: nobody knows the line */
    uint32_t line;
    uint32_t first, count;
    struct fh_profile_sum sum;
};

struct fh_profile_class {
    const char *name;
    uint64_t warp;
};

struct fh_profile_sums {
    const struct fh_profiled_kernel *kernel;
    struct fh_code_fact *facts;
    uint32_t *order; /* words by file, in the order in which files come up, line and pc */
    struct fh_profile_line *lines;
    uint32_t line_count;
    struct fh_profile_sum all;
    uint32_t most_live; /* the first word at which all.live registers are live */
    struct fh_profile_class classes[FH_PROFILE_CLASSES]; /* most instructions first */
    uint32_t class_count;
};

/* False without host memory; to be freed in any case. */
bool fh_profile_sums_make(struct fh_profile_sums *sums, const struct fh_profiled_kernel *kernel);
void fh_profile_sums_free(struct fh_profile_sums *sums);

#endif
