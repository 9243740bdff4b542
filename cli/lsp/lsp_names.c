/*
 * lsp_names.c - where a name is defined and used, and giving it another one.
 */
#include <stdlib.h>
#include <string.h>

#include "lsp_files.h"
#include "lsp_json.h"

static json_t *no_memory(struct fh_lsp_error *error) {
    *error = (struct fh_lsp_error){FH_LSP_INTERNAL_ERROR, "no memory"};
    return NULL;
}

static json_t *location_of(struct fh_lsp *lsp, const struct fh_source_set *set,
                           struct fh_name_place place) {
    uint32_t begin, end;
    fh_name_range(set, place, &begin, &end);
    return fh_lsp_location(lsp, set->files[place.file], begin, end);
}

/* The list if all went well; what does not is host memory. */
static json_t *list_or_error(json_t *list, bool good, struct fh_lsp_error *error) {
    if (good)
        return list;
    json_decref(list);
    return no_memory(error);
}

/* The file that an .include at the offset names. NULL: there is none. */
static const struct fh_source_file *included_at(struct fh_lsp *lsp,
                                                const struct fh_lsp_place *place) {
    struct fh_name_place at;
    if (!fh_name_at(&place->set, 0, place->offset, &at) || !at.use)
        return NULL;
    const struct fh_name_use *use = &place->file->index.uses[at.index];
    if (use->kind != FH_NAME_FILE)
        return NULL;
    char *name = strndup(place->file->text + use->begin, use->end - use->begin);
    const struct fh_source_file *file = name ? fh_lsp_included(lsp, name, place->file->path) : NULL;
    free(name);
    return file;
}

json_t *fh_lsp_definition(struct fh_lsp *lsp, const json_t *params, struct fh_lsp_error *error) {
    struct fh_lsp_place place;
    struct fh_name_place at;
    struct fh_name_places found = {0};
    if (!fh_lsp_place_of(lsp, params, &place, error))
        return NULL;
    json_t *list = json_array();
    const struct fh_source_file *file = included_at(lsp, &place);
    bool good = list != NULL;
    if (good && file)
        good = json_array_append_new(list, fh_lsp_location(lsp, file, 0, 0)) == 0;
    else if (good && fh_name_at(&place.set, 0, place.offset, &at))
        good = fh_name_definitions(&place.set, at, &found);
    for (size_t i = 0; i < found.count && good; i++)
        good = json_array_append_new(list, location_of(lsp, &place.set, found.list[i])) == 0;
    fh_name_places_free(&found);
    fh_lsp_place_free(&place);
    return list_or_error(list, good, error);
}

/* All places of the name at the place; none if there is no name. False when there is no memory. */
static bool find_all(const struct fh_lsp_place *place, struct fh_name_places *all) {
    struct fh_name_place at;
    *all = (struct fh_name_places){0};
    return !fh_name_at(&place->set, 0, place->offset, &at) || fh_name_all(&place->set, at, all);
}

/* An item for each of these places; NULL where there is to be none, or *good becomes false. */
typedef json_t *fh_lsp_item_fn(struct fh_lsp *lsp, const struct fh_lsp_place *place,
                               struct fh_name_place at, bool *good);

/* Of all places of the name at the place; those of definitions only if they are wanted. */
static json_t *list_all(struct fh_lsp *lsp, const json_t *params, fh_lsp_item_fn *item,
                        bool with_definitions, struct fh_lsp_error *error) {
    struct fh_lsp_place place;
    struct fh_name_places all;
    if (!fh_lsp_place_of(lsp, params, &place, error))
        return NULL;
    json_t *list = json_array();
    bool good = find_all(&place, &all) && list;
    for (size_t i = 0; good && i < all.count; i++) {
        json_t *one =
            all.list[i].use || with_definitions ? item(lsp, &place, all.list[i], &good) : NULL;
        good = good && (!one || json_array_append_new(list, one) == 0);
    }
    fh_name_places_free(&all);
    fh_lsp_place_free(&place);
    return list_or_error(list, good, error);
}

static json_t *reference(struct fh_lsp *lsp, const struct fh_lsp_place *place,
                         struct fh_name_place at, bool *good) {
    json_t *location = location_of(lsp, &place->set, at);
    *good = location != NULL;
    return location;
}

json_t *fh_lsp_references(struct fh_lsp *lsp, const json_t *params, struct fh_lsp_error *error) {
    const json_t *context = json_object_get(params, "context");
    const bool with_definitions = json_is_true(json_object_get(context, "includeDeclaration"));
    return list_all(lsp, params, reference, with_definitions, error);
}

/* Of the file itself only. */
static json_t *highlight(struct fh_lsp *lsp, const struct fh_lsp_place *place,
                         struct fh_name_place at, bool *good) {
    enum { READ = 2, WRITE = 3 };
    uint32_t begin, end;
    (void)lsp;
    if (at.file != 0)
        return NULL;
    fh_name_range(&place->set, at, &begin, &end);
    json_t *item = json_pack("{s:o, s:i}", "range", fh_lsp_range(place->file, begin, end), "kind",
                             at.use ? READ : WRITE);
    *good = item != NULL;
    return item;
}

json_t *fh_lsp_highlight(struct fh_lsp *lsp, const json_t *params, struct fh_lsp_error *error) {
    return list_all(lsp, params, highlight, true, error);
}

/* ---------------------------------------------------------------- other names */

/* The places of a name that can be another one; false with *error set. Without `name` only whether
 * there could be one is looked at. */
static bool find_renamed(const struct fh_lsp_place *place, const char *name,
                         struct fh_name_places *all, struct fh_lsp_error *error) {
    static const char any[] = "a_name_that_nobody_else_would_think_of";
    if (!find_all(place, all)) {
        (void)no_memory(error);
        return false;
    }
    const char *why = all->count ? fh_name_refused(&place->set, all, name ? name : any)
                                 : "there is no name here that is defined";
    if (why)
        *error = (struct fh_lsp_error){FH_LSP_REQUEST_FAILED, why};
    return !why;
}

json_t *fh_lsp_prepare_rename(struct fh_lsp *lsp, const json_t *params,
                              struct fh_lsp_error *error) {
    struct fh_lsp_place place;
    struct fh_name_places all;
    struct fh_name_place at;
    json_t *range = NULL;
    uint32_t begin, end;
    if (!fh_lsp_place_of(lsp, params, &place, error))
        return NULL;
    if (find_renamed(&place, NULL, &all, error) && fh_name_at(&place.set, 0, place.offset, &at)) {
        fh_name_range(&place.set, at, &begin, &end);
        range = fh_lsp_range(place.file, begin, end);
    }
    fh_name_places_free(&all);
    fh_lsp_place_free(&place);
    return range;
}

/* The edits of all places, by URI. NULL when there is no memory. */
static json_t *edits_of(struct fh_lsp *lsp, const struct fh_source_set *set,
                        const struct fh_name_places *all, const char *name) {
    json_t *changes = json_object();
    bool good = changes != NULL;
    for (size_t i = 0; i < all->count && good; i++) {
        const struct fh_source_file *file = set->files[all->list[i].file];
        char *uri = fh_lsp_uri(lsp, file->path);
        json_t *list = uri ? json_object_get(changes, uri) : NULL;
        uint32_t begin, end;
        if (uri && !list) {
            list = json_array();
            good = json_object_set_new(changes, uri, list) == 0;
        }
        fh_name_range(set, all->list[i], &begin, &end);
        good = good && uri &&
               json_array_append_new(list, json_pack("{s:o, s:s}", "range",
                                                     fh_lsp_range(file, begin, end), "newText",
                                                     name)) == 0;
        free(uri);
    }
    json_t *edit = good ? json_pack("{s:O}", "changes", changes) : NULL;
    json_decref(changes);
    return edit;
}

json_t *fh_lsp_rename(struct fh_lsp *lsp, const json_t *params, struct fh_lsp_error *error) {
    const char *name = json_string_value(json_object_get(params, "newName"));
    struct fh_lsp_place place;
    struct fh_name_places all;
    if (!name) {
        *error = (struct fh_lsp_error){FH_LSP_INVALID_PARAMS, "newName is missing"};
        return NULL;
    }
    if (!fh_lsp_place_of(lsp, params, &place, error))
        return NULL;
    json_t *edit = NULL;
    if (find_renamed(&place, name, &all, error))
        edit = edits_of(lsp, &place.set, &all, name);
    fh_name_places_free(&all);
    fh_lsp_place_free(&place);
    return edit;
}
