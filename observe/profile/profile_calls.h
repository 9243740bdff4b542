/*
 * profile_calls.h - the functions of a kernel's code, what each of them took, and who called it: a
 * graph of calls from the counts of instructions. How often an instruction called is counted; what
 * a function took is divided among its callers by that, as if all its calls took the same.
 * Recursive calls take nothing: what they do is counted once, for the call from outside.
 */
#ifndef FH_PROFILE_CALLS_H
#define FH_PROFILE_CALLS_H

#include "profiled_code.h"

enum { FH_CALLED_NAME = 200 };

/* Code that is called: functions of the program, and labels of the kernel. The first one is the
 * kernel itself. */
struct fh_called {
    char name[FH_CALLED_NAME];
    uint32_t entry; /* word */
    uint64_t calls; /* of all callers but those that it called, itself or through others */
    struct fh_profile_counts inclusive; /* its own words and what it called */
    bool under_way, found, done;        /* while it is made */
};

struct fh_profile_calls {
    const struct fh_profiled_kernel *kernel;
    uint32_t *owner;  /* of each word: the number of its function */
    uint32_t *callee; /* of each word that calls one whose address it has; else UINT32_MAX */
    bool *back;       /* of each word: its call is one back to a function that is under way */
    struct fh_called *functions;
    uint32_t count;
};

/* False without host memory; to be freed in any case. */
bool fh_profile_calls_make(struct fh_profile_calls *calls, const struct fh_profiled_kernel *kernel);
void fh_profile_calls_free(struct fh_profile_calls *calls);

/* Of what the callee of word `site` took, the part that is the site's. The parts of all sites are
 * what the callee took. */
void fh_profile_calls_share(const struct fh_profile_calls *calls, uint32_t site,
                            struct fh_profile_counts *share);

#endif
