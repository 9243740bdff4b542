/* asm_memory.c - see asm_memory.h. */
#include "asm_memory.h"
#include "asm.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINE = 1 << 16 }; /* bytes of a text of the source that are copied */

void *fh_asm_alloc(struct fh_asm *a, size_t size) {
    void *p = fh_arena_alloc(&a->arena, size);
    if (!p)
        a->no_memory = true;
    return p;
}

bool fh_asm_make_room(struct fh_asm *a, void *array, size_t *capacity, size_t count, size_t size) {
    if (fh_grow(array, capacity, count, size))
        return true;
    a->no_memory = true;
    return false;
}

char *fh_copy_text(struct fh_asm *a, const char *text, size_t length) {
    char *copy = malloc(length + 1);
    if (!copy) {
        a->no_memory = true;
        return NULL;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

bool fh_asm_extend(struct fh_asm *a, void *array, size_t *capacity, size_t count, size_t size) {
    if (count <= *capacity)
        return true;
    size_t larger = *capacity ? *capacity * 2 : 4;
    if (larger < count)
        larger = count;
    void *old, *moved = fh_asm_alloc(a, larger * size);
    if (!moved)
        return false;
    memcpy(&old, array, sizeof old); /* `array` is the address of a pointer to any type */
    if (*capacity)
        memcpy(moved, old, *capacity * size);
    memcpy(array, &moved, sizeof moved);
    *capacity = larger;
    return true;
}

const char *fh_text_of(struct fh_asm *a, const char *text, size_t length) {
    if (length > MAX_LINE)
        length = MAX_LINE;
    char *copy = fh_asm_alloc(a, length + 1);
    if (!copy)
        return "";
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

const char *fh_text(struct fh_asm *a, const char *format, ...) {
    char buffer[512];
    va_list list;
    va_start(list, format);
    int n = vsnprintf(buffer, sizeof buffer, format, list);
    va_end(list);
    if (n < 0)
        return "";
    if ((size_t)n < sizeof buffer)
        return fh_text_of(a, buffer, (size_t)n);
    char *text = fh_asm_alloc(a, (size_t)n + 1);
    if (!text)
        return "";
    va_start(list, format);
    (void)vsnprintf(text, (size_t)n + 1, format, list);
    va_end(list);
    return text;
}

const char *fh_text_at(struct fh_asm *a, struct fh_span at) {
    return fh_text_of(a, fh_source_text(&a->sources, at), at.end - at.begin);
}
