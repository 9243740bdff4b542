/* name_search.c - see name_search.h. */
#include "name_search.h"
#include "array.h"
#include "isa.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- files */

struct fh_source_file *fh_source_file_new(char *path, char *text, size_t length) {
    struct fh_source_file *file = calloc(1, sizeof *file);
    if (!file) {
        free(path);
        free(text);
        return NULL;
    }
    *file = (struct fh_source_file){.path = path, .text = text, .length = length};
    if (path && text && fh_text_map_make(&file->map, text, length) &&
        fh_source_tokens_read(text, length, &file->tokens) &&
        fh_name_index_make(&file->index, text, &file->tokens))
        return file;
    fh_source_file_free(file);
    return NULL;
}

void fh_source_file_free(struct fh_source_file *file) {
    if (!file)
        return;
    fh_name_index_free(&file->index);
    fh_source_tokens_free(&file->tokens);
    fh_text_map_free(&file->map);
    free(file->text);
    free(file->path);
    free(file);
}

/* ---------------------------------------------------------------- places */

static const struct fh_name *name_of(const struct fh_source_set *set, struct fh_name_place p) {
    return &set->files[p.file]->index.names[p.index];
}

static const struct fh_name_use *use_of(const struct fh_source_set *set, struct fh_name_place p) {
    return &set->files[p.file]->index.uses[p.index];
}

bool fh_name_at(const struct fh_source_set *set, uint32_t file, size_t offset,
                struct fh_name_place *place) {
    const struct fh_name_index *x = &set->files[file]->index;
    for (uint32_t i = 0; i < x->name_count; i++) {
        if (x->names[i].begin <= offset && offset <= x->names[i].end) {
            *place = (struct fh_name_place){file, i, false};
            return true;
        }
    }
    for (uint32_t i = 0; i < x->use_count; i++) {
        if (x->uses[i].begin <= offset && offset <= x->uses[i].end) {
            *place = (struct fh_name_place){file, i, true};
            return true;
        }
    }
    return false;
}

static bool same_place(struct fh_name_place x, struct fh_name_place y) {
    return x.file == y.file && x.index == y.index && x.use == y.use;
}

static bool append(struct fh_name_places *to, struct fh_name_place place) {
    if (!fh_grow(&to->list, &to->capacity, to->count + 1, sizeof *to->list))
        return false;
    to->list[to->count++] = place;
    return true;
}

/* The same once. */
static bool add_place(struct fh_name_places *to, struct fh_name_place place) {
    for (size_t i = 0; i < to->count; i++)
        if (same_place(to->list[i], place))
            return true;
    return append(to, place);
}

void fh_name_places_free(struct fh_name_places *places) {
    free(places->list);
    *places = (struct fh_name_places){0};
}

/* ---------------------------------------------------------------- meaning */

/* A name as it is looked for. */
struct wanted {
    const char *text;
    size_t length;
    enum fh_name_kind kind; /* as of a use */
    uint32_t file, block;
};

static bool is_named(const struct fh_source_file *file, const struct fh_name *n,
                     const struct wanted *w) {
    return n->end - n->begin == w->length && memcmp(file->text + n->begin, w->text, w->length) == 0;
}

enum { RANKS = 4, UNSEEN = RANKS };

/* How near a definition is to a use: 0 the same kernel, macro or block; 1 the whole source; 2 a
 * macro, whose calls may define it anywhere; 3 some kernel, seen from a text that kernels use. */
static unsigned rank(const struct fh_source_set *set, const struct wanted *w, uint32_t file,
                     const struct fh_name *n) {
    const struct fh_name_index *there = &set->files[file]->index,
                               *here = &set->files[w->file]->index;
    if (w->kind == FH_NAME_PARAMETER)
        return UNSEEN;
    if ((n->kind == FH_NAME_MACRO) != (w->kind == FH_NAME_MACRO) || n->kind == FH_NAME_PARAMETER)
        return UNSEEN;
    if (n->kind == FH_NAME_MACRO || n->kind == FH_NAME_CODE)
        return 1;
    uint32_t macro = fh_block_around(there, n->block, FH_BLOCK_MACRO);
    if (macro != FH_BLOCK_WHOLE)
        return file == w->file && fh_block_within(here, w->block, macro) ? 0 : 2;
    uint32_t code = fh_block_around(there, n->block, FH_BLOCK_CODE);
    if (code == FH_BLOCK_WHOLE || n->kind == FH_NAME_NUMBER)
        return 1;
    if (file == w->file && fh_block_within(here, w->block, code))
        return 0;
    bool in_macro = fh_block_around(here, w->block, FH_BLOCK_MACRO) != FH_BLOCK_WHOLE;
    bool in_code = fh_block_around(here, w->block, FH_BLOCK_CODE) != FH_BLOCK_WHOLE;
    return in_macro || !in_code ? 3 : UNSEEN;
}

/* A parameter of the innermost macro or repetition that has one of this name. */
static bool find_parameter(const struct fh_source_set *set, const struct wanted *w,
                           struct fh_name_places *found) {
    const struct fh_source_file *file = set->files[w->file];
    const struct fh_name_index *x = &file->index;
    for (uint32_t block = w->block; block != FH_BLOCK_WHOLE; block = x->blocks[block].outer)
        for (uint32_t i = 0; i < x->name_count; i++)
            if (x->names[i].kind == FH_NAME_PARAMETER && x->names[i].block == block &&
                is_named(file, &x->names[i], w))
                return add_place(found, (struct fh_name_place){w->file, i, false});
    return true;
}

static bool find(const struct fh_source_set *set, const struct wanted *w,
                 struct fh_name_places *found) {
    unsigned best = UNSEEN;
    if (w->kind == FH_NAME_PARAMETER)
        return find_parameter(set, w, found);
    for (unsigned pass = 0; pass < 2; pass++) {
        for (uint32_t f = 0; f < set->count; f++) {
            const struct fh_source_file *file = set->files[f];
            for (uint32_t i = 0; i < file->index.name_count; i++) {
                const struct fh_name *n = &file->index.names[i];
                if (!is_named(file, n, w))
                    continue;
                unsigned r = rank(set, w, f, n);
                if (pass == 0 && r < best)
                    best = r;
                if (pass == 1 && r == best && r != UNSEEN &&
                    !add_place(found, (struct fh_name_place){f, i, false}))
                    return false;
            }
        }
    }
    return true;
}

/* The name as a use of it would be: definitions are looked for from where they are. */
static struct wanted wanted_of(const struct fh_source_set *set, struct fh_name_place p) {
    const char *text = set->files[p.file]->text;
    if (p.use) {
        const struct fh_name_use *u = use_of(set, p);
        return (struct wanted){text + u->begin, u->end - u->begin, u->kind, p.file, u->block};
    }
    const struct fh_name *n = name_of(set, p);
    enum fh_name_kind kind =
        n->kind == FH_NAME_MACRO || n->kind == FH_NAME_PARAMETER ? n->kind : FH_NAME_LABEL;
    return (struct wanted){text + n->begin, n->end - n->begin, kind, p.file, n->block};
}

/* The whole word, or what is before its first dot. */
static bool find_use(const struct fh_source_set *set, struct wanted *w,
                     struct fh_name_places *found) {
    size_t before = found->count;
    const char *dot = w->length > 1 ? memchr(w->text + 1, '.', w->length - 1) : NULL;
    if (!find(set, w, found))
        return false;
    if (found->count > before || !dot || w->kind != FH_NAME_LABEL)
        return true;
    w->length = (size_t)(dot - w->text);
    return find(set, w, found);
}

bool fh_name_definitions(const struct fh_source_set *set, struct fh_name_place place,
                         struct fh_name_places *found) {
    struct wanted w = wanted_of(set, place);
    if (place.use && w.kind == FH_NAME_FILE)
        return true;
    if (place.use)
        return find_use(set, &w, found);
    return add_place(found, place) && find(set, &w, found);
}

uint32_t fh_name_use_end(const struct fh_source_set *set, struct fh_name_place place) {
    struct fh_name_places found = {0};
    struct wanted w = wanted_of(set, place);
    const char *begin = set->files[place.file]->text;
    if (w.kind != FH_NAME_FILE)
        (void)find_use(set, &w, &found);
    fh_name_places_free(&found);
    return (uint32_t)(w.text + w.length - begin);
}

void fh_name_range(const struct fh_source_set *set, struct fh_name_place place, uint32_t *begin,
                   uint32_t *end) {
    *begin = place.use ? use_of(set, place)->begin : name_of(set, place)->begin;
    *end = place.use ? fh_name_use_end(set, place) : name_of(set, place)->end;
}

/* ---------------------------------------------------------------- all places */

static bool meets(const struct fh_name_places *x, const struct fh_name_places *y) {
    for (size_t i = 0; i < x->count; i++)
        for (size_t k = 0; k < y->count; k++)
            if (same_place(x->list[i], y->list[k]))
                return true;
    return false;
}

/* Whether a use's word is the name, or the name and a suffix. */
static bool may_use(const struct fh_source_file *file, const struct fh_name_use *u,
                    const struct wanted *w) {
    size_t length = u->end - u->begin;
    return length >= w->length && memcmp(file->text + u->begin, w->text, w->length) == 0 &&
           (length == w->length || file->text[u->begin + w->length] == '.');
}

/* The uses, in all files, that may mean one of the definitions; *definitions grows by what else
 * they may mean. */
static bool add_uses(const struct fh_source_set *set, const struct wanted *w,
                     struct fh_name_places *definitions, struct fh_name_places *found) {
    found->count = 0;
    for (uint32_t f = 0; f < set->count; f++) {
        const struct fh_name_index *x = &set->files[f]->index;
        for (uint32_t i = 0; i < x->use_count; i++) {
            struct fh_name_places meant = {0};
            struct fh_name_place use = {f, i, true};
            if (x->uses[i].kind != w->kind || !may_use(set->files[f], &x->uses[i], w))
                continue;
            bool good = fh_name_definitions(set, use, &meant);
            if (good && meets(&meant, definitions)) {
                good = append(found, use);
                for (size_t k = 0; k < meant.count && good; k++)
                    good = add_place(definitions, meant.list[k]);
            }
            fh_name_places_free(&meant);
            if (!good)
                return false;
        }
    }
    return true;
}

bool fh_name_all(const struct fh_source_set *set, struct fh_name_place place,
                 struct fh_name_places *found) {
    struct fh_name_places definitions = {0};
    bool good = fh_name_definitions(set, place, &definitions);
    size_t before = SIZE_MAX;
    if (good && definitions.count) {
        struct wanted w = wanted_of(set, definitions.list[0]);
        while (good && definitions.count != before) {
            before = definitions.count;
            good = add_uses(set, &w, &definitions, found);
        }
        for (size_t i = 0; i < definitions.count && good; i++)
            good = append(found, definitions.list[i]);
    }
    fh_name_places_free(&definitions);
    return good;
}

/* ---------------------------------------------------------------- names */

const char *fh_name_kind_text(enum fh_name_kind kind) {
    static const char *const texts[] = {
        [FH_NAME_LABEL] = "label",   [FH_NAME_REGISTERS] = "registers",
        [FH_NAME_NUMBER] = "number", [FH_NAME_MACRO] = "macro",
        [FH_NAME_CODE] = "code",     [FH_NAME_PARAMETER] = "parameter of a macro",
        [FH_NAME_DATA] = "data",     [FH_NAME_FILE] = "file",
        [FH_NAME_VALUE] = "value",
    };
    return texts[kind];
}

static bool is_digits(const char *word, size_t length) {
    size_t n = 0;
    while (n < length && word[n] >= '0' && word[n] <= '9')
        n++;
    return length > 0 && length < 4 && n == length;
}

bool fh_is_machine_name(const char *word, size_t length) {
    static const char *const prefixes[] = {"UR", "UP", "SB", "R", "P", "B"};
    static const char *const names[] = {"RZ", "URZ", "PT", "UPT", "c", "cx", "desc", "PR", "UPR"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && memcmp(names[i], word, length) == 0)
            return true;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t n = strlen(prefixes[i]);
        if (length > n && memcmp(word, prefixes[i], n) == 0 && is_digits(word + n, length - n))
            return true;
    }
    for (unsigned i = 0; i < fh_special_register_count; i++)
        if (strlen(fh_special_registers[i].text) == length &&
            memcmp(fh_special_registers[i].text, word, length) == 0)
            return true;
    return false;
}

const char *fh_special_register_name(size_t index) {
    return index < fh_special_register_count ? fh_special_registers[index].text : NULL;
}

static bool is_good_name(const char *name) {
    if (!((*name >= 'A' && *name <= 'Z') || (*name >= 'a' && *name <= 'z') || *name == '_'))
        return false;
    for (; *name; name++)
        if (!((*name >= 'A' && *name <= 'Z') || (*name >= 'a' && *name <= 'z') || *name == '_' ||
              (*name >= '0' && *name <= '9')))
            return false;
    return true;
}

/* Whether the word is there already, as a name or as a use of something. */
static bool is_taken(const struct fh_source_file *file, const char *word, bool parameter) {
    size_t length = strlen(word);
    const struct fh_name_index *x = &file->index;
    for (size_t i = 0; i < x->name_count; i++)
        if ((x->names[i].kind == FH_NAME_PARAMETER) == parameter &&
            x->names[i].end - x->names[i].begin == length &&
            memcmp(file->text + x->names[i].begin, word, length) == 0)
            return true;
    for (size_t i = 0; i < x->use_count; i++)
        if ((x->uses[i].kind == FH_NAME_PARAMETER) == parameter &&
            x->uses[i].end - x->uses[i].begin >= length &&
            memcmp(file->text + x->uses[i].begin, word, length) == 0 &&
            (x->uses[i].end - x->uses[i].begin == length ||
             file->text[x->uses[i].begin + length] == '.'))
            return true;
    return false;
}

const char *fh_name_refused(const struct fh_source_set *set, const struct fh_name_places *all,
                            const char *name) {
    const char *mnemonic, *title;
    bool parameter = false, macro = false;
    size_t definitions = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (all->list[i].use)
            continue;
        enum fh_name_kind kind = name_of(set, all->list[i])->kind;
        definitions++;
        parameter = kind == FH_NAME_PARAMETER;
        macro = kind == FH_NAME_MACRO;
        if (kind == FH_NAME_CODE || kind == FH_NAME_DATA)
            return "only labels, macros, their parameters, `.reg` and `.equ` names can be renamed: "
                   "hosts and tests know the others";
    }
    if (!definitions)
        return "there is no definition of this name";
    if (!is_good_name(name))
        return "a name is a letter or `_`, then letters, digits and `_`";
    if (!parameter && fh_is_machine_name(name, strlen(name)))
        return "the machine has this name";
    for (size_t i = 0; macro && fhec_isa_entry(i, &mnemonic, &title); i++)
        if (strncmp(mnemonic, name, strlen(name)) == 0 &&
            (mnemonic[strlen(name)] == '.' || !mnemonic[strlen(name)]))
            return "an instruction has this name";
    for (size_t i = 0; i < set->count; i++)
        if (is_taken(set->files[i], name, parameter))
            return "the source has this name already";
    return NULL;
}
