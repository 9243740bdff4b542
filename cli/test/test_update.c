/*
 * test_update.c - see test_update.h.
 */
#include "test_update.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "message.h"
#include "output.h"
#include "test_line.h"

/* The word behind the last `hash` of the line, in `text`, which begins at the line. */
static char *find_pin(char *text, size_t length) {
    for (char *at = text + length; at-- > text + 1;)
        if ((at[-1] == ' ' || at[-1] == '\t') && !strncmp(at, "hash", 4) &&
            (at[4] == ' ' || at[4] == '\t'))
            return at + 4 + strspn(at + 4, " \t");
    return NULL;
}

fhec_status fh_cli_test_update(const struct fh_cli *cli, const struct fh_cli_test_line *pinned,
                               const char *hex) {
    char *text, *changed = NULL;
    size_t length;
    fhec_status status = fh_cli_read_file(cli, pinned->file, &text, &length);
    if (status != FHEC_OK)
        return status;
    char *line = text;
    for (uint32_t i = 1; i < pinned->line && line; i++)
        line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
    size_t line_length = line ? strcspn(line, "\r\n") : 0;
    char *pin = line ? find_pin(line, line_length) : NULL;
    if (!pin) {
        free(text);
        return fh_cli_test_error(cli, pinned, "the pinned hash is not found here any more");
    }
    size_t old = strcspn(pin, " \t\r\n");
    int made = asprintf(&changed, "%.*s%s%s", (int)(pin - text), text, hex, pin + old);
    printf("--- %s:%u\n-%.*s\n+%.*s%s%.*s\n", pinned->file, pinned->line, (int)line_length, line,
           (int)(pin - line), line, hex, (int)(line + line_length - pin - (long)old), pin + old);
    status = made < 0 ? fh_cli_no_memory(cli)
                      : fh_cli_output_file(cli, pinned->file, changed, (size_t)made);
    free(changed);
    free(text);
    return status;
}
