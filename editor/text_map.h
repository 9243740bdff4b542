/*
 * text_map.h - offsets of a text in bytes, and the positions that editors use: lines, and in a line
 * units of UTF-16. Both count from 0. Lines end with LF, CR LF or CR, as the Language Server
 * Protocol says.
 */
#ifndef FH_TEXT_MAP_H
#define FH_TEXT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fh_text_position {
    uint32_t line, character;
};

struct fh_text_map {
    const char *text; /* the caller's */
    size_t length;
    size_t *lines; /* where each begins */
    size_t count, capacity;
};

/* False when there is no memory; then there is nothing to free. */
bool fh_text_map_make(struct fh_text_map *map, const char *text, size_t length);
void fh_text_map_free(struct fh_text_map *map);

/* An offset behind the end is the end. */
struct fh_text_position fh_text_position_of(const struct fh_text_map *map, size_t offset);
/* The same for offsets that mostly ascend: *at is the last one asked for, zeros before the first.
 */
struct fh_text_cursor {
    size_t offset;
    struct fh_text_position position;
};
struct fh_text_position fh_text_advance(const struct fh_text_map *map, struct fh_text_cursor *at,
                                        size_t offset);
/* A character behind its line is the line's end, a line behind the last one the text's. A position
 * within a character is before it. */
size_t fh_text_offset_of(const struct fh_text_map *map, struct fh_text_position position);
/* Where a line's text ends, before what ends the line. */
size_t fh_text_line_end(const struct fh_text_map *map, size_t line);

#endif
