/*
 * ctext.c - the identifiers of C text: of conditions and bodies.
 */
#include <ctype.h>
#include <string.h>

#include "isac.h"

size_t identifier_length(const char *s) {
    size_t n = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_')
        n++;
    return n;
}

/* The length of the comment or the literal that begins here; 0 if none does. */
static size_t skipped_length(const char *s) {
    if (s[0] == '/' && s[1] == '/')
        return strcspn(s, "\n");
    if (s[0] == '/' && s[1] == '*') {
        const char *end = strstr(s + 2, "*/");
        return end ? (size_t)(end - s) + 2 : strlen(s);
    }
    size_t n = 1;
    if (*s != '"' && *s != '\'')
        return 0;
    while (s[n] && s[n] != *s)
        n += s[n] == '\\' && s[n + 1] ? 2 : 1;
    return s[n] ? n + 1 : n;
}

/* The identifiers of `expr`, members after a dot or arrow left out. */
struct names expr_names(const char *expr) {
    struct names names = {0};
    bool member = false;
    for (const char *s = expr; *s;) {
        size_t n = identifier_length(s), skipped = skipped_length(s);
        if (n) {
            const char *name = copy(s, n);
            if (!member && !isdigit((unsigned char)*s) && !has_name(&names, name))
                add_name(&names, name);
            s += n;
            member = false;
        } else {
            member = *s == '.' || (*s == '>' && s > expr && s[-1] == '-');
            s += skipped ? skipped : 1;
        }
    }
    return names;
}
