/*
 * patches.h - words that a debugger has put in the place of a kernel's: their list, and the launch
 * under way.
 */
#ifndef FH_PATCHES_H
#define FH_PATCHES_H

#include "debugger_state.h"

/* Puts those into the launch under way that begin here; at its beginning, all that have begun. */
fhec_status fh_patches_make(struct fh_debugger *debugger);
/* The count of the next one that begins in this launch behind here; UINT64_MAX: there is none. */
uint64_t fh_patches_next(const struct fh_debugger *debugger);
/* Whether there is one in the launch at which the debugger stands, at any time. */
bool fh_patches_any(const struct fh_debugger *debugger);
void fh_patches_free(struct fh_debugger *debugger);

/* Whether the patch is there, some time, in the launch. */
bool fh_patch_is_of(const struct fh_debugger *debugger, const struct fh_debug_patch *patch,
                    size_t launch);
/* Puts it into the launch under way. */
fhec_status fh_patch_make(struct fh_debugger *debugger, const struct fh_debug_patch *patch);
void fh_patch_free(struct fh_debug_patch *patch); /* what it holds */

#endif
