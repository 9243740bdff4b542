/*
 * line_editor.c - see line_editor.h.
 */
#include "line_editor.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FH_HAS_LIBEDIT
#include <histedit.h>
#endif

struct fh_line_editor {
    const char *prompt;
    fh_line_complete_fn *complete;
    void *user;
    char *line;
    size_t size;
    struct sigaction before; /* of Ctrl-C: between lines it does nothing */
#ifdef FH_HAS_LIBEDIT
    bool dropped; /* the line under way: by Ctrl-C, a key like others here */
    EditLine *edit;
    History *history;
#endif
};

#ifdef FH_HAS_LIBEDIT

enum { MOST_WORDS = 256 };

static char *prompt_of(EditLine *edit) {
    struct fh_line_editor *editor = NULL;
    el_get(edit, EL_CLIENTDATA, &editor);
    return (char *)(uintptr_t)editor->prompt;
}

/* How many bytes all words begin with alike. */
static size_t common(const char **words, size_t count) {
    size_t length = count ? strlen(words[0]) : 0;
    for (size_t i = 1; i < count; i++)
        while (strncmp(words[0], words[i], length) != 0)
            length--;
    return length;
}

/* Tab: what all possible words have in common; else all of them below the line. */
static unsigned char complete_word(EditLine *edit, int key) {
    struct fh_line_editor *editor = NULL;
    const LineInfo *info = el_line(edit);
    const char *words[MOST_WORDS];
    char line[512], rest[256];
    const size_t length = (size_t)(info->cursor - info->buffer);
    (void)key;
    el_get(edit, EL_CLIENTDATA, &editor);
    if (length >= sizeof line)
        return CC_ERROR;
    memcpy(line, info->buffer, length);
    line[length] = '\0';
    const char *space = strrchr(line, ' ');
    const size_t typed = strlen(space ? space + 1 : line);
    const size_t count = editor->complete(editor->user, line, words, MOST_WORDS);
    const size_t same = common(words, count);
    if (count && same > typed) {
        (void)snprintf(rest, sizeof rest, "%.*s%s", (int)(same - typed), words[0] + typed,
                       count == 1 ? " " : "");
        return el_insertstr(edit, rest) == 0 ? CC_REFRESH : CC_ERROR;
    }
    if (count < 2)
        return CC_ERROR;
    (void)fputc('\n', stdout);
    for (size_t i = 0; i < count; i++)
        (void)printf("%s%s", words[i], i + 1 < count ? "  " : "\n");
    return CC_REDISPLAY;
}

static unsigned char drop_line(EditLine *edit, int key) {
    struct fh_line_editor *editor = NULL;
    (void)key;
    el_get(edit, EL_CLIENTDATA, &editor);
    editor->dropped = true;
    (void)fputs("^C", stdout);
    return CC_NEWLINE;
}

/* Ctrl-Z is a key, too. */
static unsigned char suspend(EditLine *edit, int key) {
    (void)key;
    el_set(edit, EL_PREP_TERM, 0);
    (void)raise(SIGTSTP);
    el_set(edit, EL_PREP_TERM, 1);
    return CC_REDISPLAY;
}

static void open_edit(struct fh_line_editor *editor) {
    HistEvent event;
    editor->edit = el_init("fhec", stdin, stdout, stderr);
    editor->history = history_init();
    if (!editor->edit || !editor->history)
        return;
    history(editor->history, &event, H_SETSIZE, 1000);
    el_set(editor->edit, EL_CLIENTDATA, editor);
    el_set(editor->edit, EL_PROMPT, prompt_of);
    el_set(editor->edit, EL_EDITOR, "emacs");
    el_set(editor->edit, EL_SIGNAL, 1);
    el_set(editor->edit, EL_HIST, history, editor->history);
    el_set(editor->edit, EL_ADDFN, "fhec-complete", "complete a word", complete_word);
    el_set(editor->edit, EL_BIND, "^I", "fhec-complete", NULL);
    el_set(editor->edit, EL_SETTY, "-d", "-isig", NULL);
    el_set(editor->edit, EL_ADDFN, "fhec-drop", "begin the line again", drop_line);
    el_set(editor->edit, EL_BIND, "^C", "fhec-drop", NULL);
    el_set(editor->edit, EL_ADDFN, "fhec-suspend", "stop the process", suspend);
    el_set(editor->edit, EL_BIND, "^Z", "fhec-suspend", NULL);
}

static char *read_edited(struct fh_line_editor *editor) {
    HistEvent event;
    int length = 0;
    const char *text;
    do {
        editor->dropped = false;
        text = el_gets(editor->edit, &length);
    } while (text && editor->dropped);
    if (!text || length <= 0)
        return NULL;
    if (length > 1)
        history(editor->history, &event, H_ENTER, text);
    free(editor->line);
    editor->line = strdup(text);
    return editor->line;
}

#endif

static void ignore(int number) {
    (void)number;
}

struct fh_line_editor *fh_line_editor_open(const char *prompt, fh_line_complete_fn *complete,
                                           void *user) {
    struct fh_line_editor *editor = calloc(1, sizeof *editor);
    const struct sigaction nothing = {.sa_handler = ignore, .sa_flags = SA_RESTART};
    if (!editor)
        return NULL;
    editor->prompt = prompt;
    editor->complete = complete;
    editor->user = user;
    (void)sigaction(SIGINT, &nothing, &editor->before);
#ifdef FH_HAS_LIBEDIT
    open_edit(editor);
#endif
    return editor;
}

char *fh_line_editor_read(struct fh_line_editor *editor) {
#ifdef FH_HAS_LIBEDIT
    if (editor->edit && editor->history)
        return read_edited(editor);
#endif
    (void)fputs(editor->prompt, stdout);
    (void)fflush(stdout);
    return getline(&editor->line, &editor->size, stdin) < 0 ? NULL : editor->line;
}

void fh_line_editor_close(struct fh_line_editor *editor) {
#ifdef FH_HAS_LIBEDIT
    if (editor->history)
        history_end(editor->history);
    if (editor->edit)
        el_end(editor->edit);
#endif
    (void)sigaction(SIGINT, &editor->before, NULL);
    free(editor->line);
    free(editor);
}
