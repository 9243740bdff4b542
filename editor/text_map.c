/* text_map.c - see text_map.h. Bytes that are no UTF-8 count as one unit each. */
#include "text_map.h"
#include "array.h"

#include <stdlib.h>

static bool add_line(struct fh_text_map *map, size_t at) {
    if (!fh_grow(&map->lines, &map->capacity, map->count + 1, sizeof *map->lines))
        return false;
    map->lines[map->count++] = at;
    return true;
}

bool fh_text_map_make(struct fh_text_map *map, const char *text, size_t length) {
    *map = (struct fh_text_map){.text = text, .length = length};
    bool good = add_line(map, 0);
    for (size_t i = 0; i < length && good; i++)
        if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == length || text[i + 1] != '\n')))
            good = add_line(map, i + 1);
    if (!good)
        fh_text_map_free(map);
    return good;
}

void fh_text_map_free(struct fh_text_map *map) {
    free(map->lines);
    *map = (struct fh_text_map){0};
}

/* Bytes of the character at `at`. */
static size_t character_bytes(const struct fh_text_map *map, size_t at, size_t end) {
    unsigned char c = (unsigned char)map->text[at];
    size_t bytes = c >= 0xf0 && c < 0xf8 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
    if (c >= 0xf8 || bytes > end - at)
        return 1;
    for (size_t i = 1; i < bytes; i++)
        if (((unsigned char)map->text[at + i] & 0xc0) != 0x80)
            return 1;
    return bytes;
}

/* The line that holds an offset. */
static size_t line_of(const struct fh_text_map *map, size_t offset) {
    size_t low = 0, high = map->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (map->lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

size_t fh_text_line_end(const struct fh_text_map *map, size_t line) {
    if (line + 1 >= map->count)
        return map->length;
    size_t end = map->lines[line + 1] - 1;
    if (map->text[end] == '\n' && end > map->lines[line] && map->text[end - 1] == '\r')
        end--;
    return end;
}

/* The position of an offset in the line of `p`, which is the position of `from`. */
static struct fh_text_position count_on(const struct fh_text_map *map, struct fh_text_position p,
                                        size_t from, size_t offset) {
    size_t end = fh_text_line_end(map, p.line);
    end = offset < end ? offset : end;
    while (from < end) {
        size_t bytes = character_bytes(map, from, map->length);
        if (from + bytes > end)
            break;
        p.character += bytes == 4 ? 2 : 1;
        from += bytes;
    }
    return p;
}

struct fh_text_position fh_text_position_of(const struct fh_text_map *map, size_t offset) {
    offset = offset < map->length ? offset : map->length;
    size_t line = line_of(map, offset);
    return count_on(map, (struct fh_text_position){.line = (uint32_t)line}, map->lines[line],
                    offset);
}

struct fh_text_position fh_text_advance(const struct fh_text_map *map, struct fh_text_cursor *at,
                                        size_t offset) {
    offset = offset < map->length ? offset : map->length;
    bool ahead = offset >= at->offset && (at->position.line + 1 >= map->count ||
                                          offset < map->lines[at->position.line + 1]);
    at->position =
        ahead ? count_on(map, at->position, at->offset, offset) : fh_text_position_of(map, offset);
    at->offset = offset;
    return at->position;
}

size_t fh_text_offset_of(const struct fh_text_map *map, struct fh_text_position position) {
    if (position.line >= map->count)
        return map->length;
    size_t at = map->lines[position.line], end = fh_text_line_end(map, position.line);
    for (uint32_t units = 0; at < end;) {
        size_t bytes = character_bytes(map, at, end);
        units += bytes == 4 ? 2 : 1;
        if (units > position.character)
            break;
        at += bytes;
    }
    return at;
}
