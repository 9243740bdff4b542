/*
 * name_search.h - what a name means, in a source and all that it includes.
 *
 * A name of a kernel is meant before one of the whole source, as the assembler has it. Which
 * kernels call a macro is not looked at: a name in a macro's body that is none of the whole source
 * may be that of any kernel, and means all of them.
 */
#ifndef FH_NAME_SEARCH_H
#define FH_NAME_SEARCH_H

#include "name_index.h"
#include "text_map.h"

/* A text with what is known about it. All pointers are its own. */
struct fh_source_file {
    char *path;
    char *text; /* with a NUL behind it */
    size_t length;
    struct fh_text_map map;
    struct fh_source_tokens tokens;
    struct fh_name_index index;
};

/* Takes `path` and `text`, which are malloc'd, in any case. NULL when there is no memory, or the
 * text is too long. */
struct fh_source_file *fh_source_file_new(char *path, char *text, size_t length);
void fh_source_file_free(struct fh_source_file *file);

struct fh_source_set {
    struct fh_source_file *const *files;
    size_t count;
};

/* A definition or a use: which one of its file's. */
struct fh_name_place {
    uint32_t file;  /* index in the set */
    uint32_t index; /* in `names` or `uses` */
    bool use;
};

struct fh_name_places {
    struct fh_name_place *list;
    size_t count, capacity;
};

/* The name that the byte at `offset`, or the one before it, belongs to. False: none. */
bool fh_name_at(const struct fh_source_set *set, uint32_t file, size_t offset,
                struct fh_name_place *place);
/* The bytes of a name in its file. */
void fh_name_range(const struct fh_source_set *set, struct fh_name_place place, uint32_t *begin,
                   uint32_t *end);

/* Adds the definitions that a use or a definition means, a definition itself first. None: it is not
 * defined, or means a file. False when there is no memory, here and below. */
bool fh_name_definitions(const struct fh_source_set *set, struct fh_name_place place,
                         struct fh_name_places *found);
/* All uses and definitions that mean the same as `place`, or may mean the same; *found is empty
 * before. */
bool fh_name_all(const struct fh_source_set *set, struct fh_name_place place,
                 struct fh_name_places *found);
void fh_name_places_free(struct fh_name_places *places);

/* The part of a used word that is the name, without a suffix as in "R4.ROW": its end. */
uint32_t fh_name_use_end(const struct fh_source_set *set, struct fh_name_place place);

/* The name's kind in words: "label", "registers". */
const char *fh_name_kind_text(enum fh_name_kind kind);

/* Why something cannot be called so, as one clause; NULL: it can. `all` are its places. */
const char *fh_name_refused(const struct fh_source_set *set, const struct fh_name_places *all,
                            const char *name);
/* Whether the word is a register's or another name of the machine: R5, URZ, P0, SR_TID.X. */
bool fh_is_machine_name(const char *word, size_t length);
/* The index-th special register, "SR_TID.X"; NULL past the end. */
const char *fh_special_register_name(size_t index);

#endif
