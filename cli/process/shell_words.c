/*
 * shell_words.c - words as a shell has them, out of one text and into it.
 */
#include "shell_words.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* In single quotes; a single quote itself as '\''. */
static char *put_word(char *to, const char *word) {
    *to++ = '\'';
    for (; *word; word++) {
        if (*word == '\'') {
            memcpy(to, "'\\''", 4);
            to += 4;
        } else {
            *to++ = *word;
        }
    }
    *to++ = '\'';
    return to;
}

char *fh_cli_words_join(char *const *words, size_t count) {
    size_t size = 1;
    for (size_t i = 0; i < count; i++)
        size += 4 * strlen(words[i]) + 3;
    char *text = malloc(size), *to = text;
    if (!text)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        if (i)
            *to++ = ' ';
        to = put_word(to, words[i]);
    }
    *to = '\0';
    return text;
}

/* One word from *text on to *to, both of which go on; false: a quote is not closed. */
static bool take_word(const char **text, char **to) {
    char quote = '\0';
    const char *from = *text;
    for (; *from && (quote || !isspace((unsigned char)*from)); from++) {
        if (quote ? *from == quote : *from == '\'' || *from == '"')
            quote = quote ? '\0' : *from;
        else if (*from == '\\' && quote != '\'' && from[1])
            *(*to)++ = *++from;
        else
            *(*to)++ = *from;
    }
    *(*to)++ = '\0';
    *text = from;
    return !quote;
}

char **fh_cli_words_split(const char *text, size_t *count) {
    const size_t length = strlen(text), most = length / 2 + 2;
    char **words = malloc(most * sizeof *words + length + most);
    char *to = words ? (char *)(words + most) : NULL;
    *count = 0;
    while (words) {
        while (isspace((unsigned char)*text))
            text++;
        if (!*text)
            break;
        words[(*count)++] = to;
        if (!take_word(&text, &to)) {
            free(words);
            return NULL;
        }
    }
    if (words)
        words[*count] = NULL;
    return words;
}
