/*
 * line_editor.h - a line from a terminal, with history and completion where the tool was built with
 * libedit.
 */
#ifndef FH_CLI_LINE_EDITOR_H
#define FH_CLI_LINE_EDITOR_H

#include <stddef.h>

struct fh_line_editor;

/* Words that may go on the line: at most `most` of them, the strings static or as long as the user.
 */
typedef size_t fh_line_complete_fn(void *user, const char *line, const char **words, size_t most);

/* NULL without host memory. */
struct fh_line_editor *fh_line_editor_open(const char *prompt, fh_line_complete_fn *complete,
                                           void *user);
/* The next line, which may be written to, valid until the next call; NULL: there is none. */
char *fh_line_editor_read(struct fh_line_editor *editor);
void fh_line_editor_close(struct fh_line_editor *editor);

#endif
