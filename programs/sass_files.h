/*
 * sass_files.h - the text of the kernels in this folder, compiled into the tool.
 *
 * The build writes the table from every .sass file under programs/, so that the tool needs no
 * installed files to run its own kernels and their includes.
 */
#ifndef FH_SASS_FILES_H
#define FH_SASS_FILES_H

#include <stddef.h>

struct fh_sass_file {
    const char *name; /* relative to programs/: "ntt/forward.sass" */
    const char *text; /* zero-terminated */
    size_t length;
};

extern const struct fh_sass_file fh_sass_files[];
extern const size_t fh_sass_file_count;

/* Likewise the applications under programs/apps/: "apps/lr.json". */
extern const struct fh_sass_file fh_app_files[];
extern const size_t fh_app_file_count;

#endif
