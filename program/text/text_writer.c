/*
 * text_writer.c - text that grows, what cannot be written, and names that can stand in a source.
 */
#include "text_writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 2, 0))) static void print_list(struct fh_bytes *to,
                                                             const char *format, va_list list) {
    va_list again;
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0)
        to->failed = true;
    fh_bytes_put(to, NULL, length < 0 ? 0 : (size_t)length + 1); /* vsnprintf ends it by a NUL */
    if (to->failed)
        return;
    to->count -= (size_t)length + 1;
    (void)vsnprintf((char *)to->data + to->count, (size_t)length + 1, format, list);
    to->count += (size_t)length;
}

void fh_print_to(struct fh_bytes *to, const char *format, ...) {
    va_list list;
    va_start(list, format);
    print_list(to, format, list);
    va_end(list);
}

void fh_write(struct fh_text_writer *w, const char *format, ...) {
    va_list list;
    va_start(list, format);
    print_list(&w->out, format, list);
    va_end(list);
}

void fh_write_problem(struct fh_text_writer *w, const char *format, ...) {
    char message[512];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(message, sizeof message, format, list);
    va_end(list);
    fhec_diagnostic d = {.id = "O011", .severity = FHEC_ERROR, .message = message};
    if (w->diagnostic)
        w->diagnostic(w->user, &d);
    w->bad = true;
}

/* R5, UP0, PT, c and the like, also with a suffix behind a dot: a source cannot define them. */
static bool is_machine_name(const char *name) {
    static const char *const whole[] = {"c", "cx", "desc"},
                             *const zero[] = {"RZ", "URZ", "PT", "UPT"},
                             *const numbered[] = {"R", "UR", "P", "UP", "B", "SB"};
    size_t head = strcspn(name + 1, ".") + 1; /* a first dot belongs to the name */
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (strcmp(name, whole[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof zero / sizeof *zero; i++)
        if (strlen(zero[i]) == head && memcmp(name, zero[i], head) == 0)
            return true;
    for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++) {
        size_t prefix = strlen(numbered[i]);
        if (head > prefix && memcmp(name, numbered[i], prefix) == 0 &&
            prefix + strspn(name + prefix, "0123456789") == head)
            return true;
    }
    return false;
}

static bool check_name(struct fh_text_writer *w, const char *name, bool may_be_machines) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$.";
    static const char digits[] = "0123456789";
    size_t length = 0;
    while (name[length] && (strchr(letters, name[length]) || strchr(digits, name[length])))
        length++;
    bool good = length && !name[length] && strchr(letters, name[0]);
    if (good && (may_be_machines || !is_machine_name(name)))
        return true;
    fh_write_problem(w,
                     good ? "`%s` is the machine's own name and cannot be one in a source"
                          : "`%s` cannot be a name in a source",
                     name);
    return false;
}

bool fh_write_check_name(struct fh_text_writer *w, const char *name) {
    return check_name(w, name, false);
}

bool fh_write_check_kernel(struct fh_text_writer *w, const char *name) {
    return check_name(w, name, true);
}
