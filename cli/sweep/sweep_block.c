/*
 * sweep_block.c - a block of a plan: one command, options that stay, and a grid of those that vary,
 * multiplied out into points.
 */
#include "sweep_block.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arrays.h"
#include "message.h"
#include "sweep_axis.h"
#include "sweep_condition.h"
#include "sweep_help.h"

struct block {
    struct fh_cli_sweep_reader *reader;
    const char *path;
    const json_t *object,
        *root; /* of the plan, whose conditions hold, too; NULL: the block is it */
    const json_t *command, *options;
    json_t *files; /* name -> hash */
    struct fh_cli_sweep_axis *axes;
    size_t axis_count;
};

/* A point on its way: the words, the options, and all values by name, for conditions. */
struct draft {
    json_t *words, *options, *values;
    size_t build;
};

static struct fh_cli_sweep_path at(const struct block *block, const char *name) {
    return fh_cli_sweep_member(block->path, name);
}

/* ---------------------------------------------------------------- members */

static bool check_command(const struct block *block) {
    static const char *const refused[] = {"sweep", "debug", "dap", "lsp", "help"};
    const struct fh_cli_sweep_path path = at(block, "command");
    size_t i;
    json_t *word;
    if (!json_is_array(block->command) || !json_array_size(block->command))
        return fh_cli_sweep_wrong(block->reader, path.text,
                                  "expected a list of words such as [\"ckks\", \"hemult\"]");
    json_array_foreach(block->command, i, word) {
        const struct fh_cli_sweep_path element = fh_cli_sweep_element(path.text, i);
        const char *text = json_string_value(word);
        if (!text || !*text)
            return fh_cli_sweep_wrong(block->reader, element.text, "expected a word");
        if (text[0] == '-')
            return fh_cli_sweep_wrong(block->reader, element.text,
                                      "options belong to \"options\" or \"grid\"");
        for (size_t r = 0; r < sizeof refused / sizeof *refused && i == 0; r++)
            if (!strcmp(text, refused[r]))
                return fh_cli_sweep_wrong(block->reader, element.text,
                                          "`fhec %s` is nothing to sweep over", text);
    }
    return true;
}

/* {"repeat": ["a=1", "b=2"]}: the option, once with each. */
static bool check_repeated(const struct block *block, const char *path, const json_t *value) {
    static const char *const names[] = {"repeat", NULL};
    const json_t *list = json_object_get(value, "repeat");
    size_t i;
    json_t *one;
    if (!fh_cli_sweep_known_members(block->reader, path, value, names))
        return false;
    if (!json_is_array(list) || !json_array_size(list))
        return fh_cli_sweep_wrong(block->reader, path, "expected {\"repeat\": [...]} with values");
    json_array_foreach(list, i, one) {
        if (!json_is_string(one) && !json_is_number(one))
            return fh_cli_sweep_wrong(block->reader, path,
                                      "a repeated value is a number or a text");
    }
    return true;
}

static bool check_options(const struct block *block) {
    const struct fh_cli_sweep_path path = at(block, "options");
    const char *name;
    json_t *value;
    if (block->options && !json_is_object(block->options))
        return fh_cli_sweep_wrong(block->reader, path.text,
                                  "expected options and their values such as {\"limbs\": 27}");
    json_object_foreach((json_t *)block->options, name, value) {
        const struct fh_cli_sweep_path member = fh_cli_sweep_member(path.text, name);
        if (!fh_cli_sweep_name_check(block->reader, member.text, name))
            return false;
        if (json_is_array(value))
            return fh_cli_sweep_wrong(block->reader, member.text,
                                      "one value is expected here; several belong to \"grid\", or "
                                      "are {\"repeat\": [...]} of an option that is repeated");
        if (json_is_object(value) && !check_repeated(block, member.text, value))
            return false;
    }
    return true;
}

/* Adds a file's hash to what identifies the block's points. */
static bool add_file(struct block *block, const char *path, const char *name, bool must) {
    char hash[FH_CLI_SWEEP_HASH];
    struct stat status;
    const int file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const bool regular = file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    const bool good = regular && fh_cli_sweep_hash_file(file, hash);
    if (file >= 0)
        close(file);
    if (!good)
        return !must || fh_cli_sweep_wrong(block->reader, path, "%s cannot be read", name);
    if (json_object_set_new(block->files, name, json_string(hash)) != 0)
        return fh_cli_sweep_there(block->reader, NULL);
    return true;
}

/* Words behind the command's name may be files, as the source of `fhec run` is. */
static bool read_files(struct block *block) {
    const struct fh_cli_sweep_path path = at(block, "files");
    const json_t *files = json_object_get(block->object, "files");
    size_t i;
    json_t *file;
    block->files = json_object();
    if (!fh_cli_sweep_there(block->reader, block->files))
        return false;
    json_array_foreach(block->command, i, file) {
        if (i && !add_file(block, "", json_string_value(file), false))
            return false;
    }
    if (files && !json_is_array(files))
        return fh_cli_sweep_wrong(block->reader, path.text, "expected a list of files");
    json_array_foreach(files, i, file) {
        const struct fh_cli_sweep_path element = fh_cli_sweep_element(path.text, i);
        if (!json_is_string(file))
            return fh_cli_sweep_wrong(block->reader, element.text, "expected the name of a file");
        if (!add_file(block, element.text, json_string_value(file), true))
            return false;
    }
    return true;
}

static bool read_grid(struct block *block) {
    const struct fh_cli_sweep_path path = at(block, "grid");
    const json_t *grid = json_object_get(block->object, "grid");
    const char *name;
    json_t *values;
    if (grid && !json_is_object(grid))
        return fh_cli_sweep_wrong(
            block->reader, path.text,
            "expected options and lists of values such as {\"n\": [256, 512]}");
    block->axes = calloc(json_object_size(grid) + 1, sizeof *block->axes);
    if (!fh_cli_sweep_there(block->reader, block->axes))
        return false;
    json_object_foreach((json_t *)grid, name, values) {
        struct fh_cli_sweep_axis *axis = &block->axes[block->axis_count++];
        const struct fh_cli_sweep_path member = fh_cli_sweep_member(path.text, name);
        if (!fh_cli_sweep_axis_read(block->reader, member.text, name, values, block->command, axis))
            return false;
    }
    return true;
}

/* Words "$name" stand for values of the grid. */
static bool check_words(const struct block *block) {
    const struct fh_cli_sweep_path path = at(block, "command");
    size_t i;
    json_t *word;
    json_array_foreach(block->command, i, word) {
        const char *text = json_string_value(word);
        size_t a = 0;
        while (a < block->axis_count && strcmp(block->axes[a].name, text + 1) != 0)
            a++;
        if (text[0] == '$' && a == block->axis_count)
            return fh_cli_sweep_wrong(block->reader, fh_cli_sweep_element(path.text, i).text,
                                      "the grid has no values \"%s\"", text + 1);
    }
    return true;
}

/* ---------------------------------------------------------------- points */

static bool is_out(const struct block *block, const struct draft *draft) {
    const json_t *const objects[] = {block->object, block->root};
    for (size_t i = 0; i < 2; i++) {
        const json_t *only = json_object_get(objects[i], "only");
        if (fh_cli_sweep_conditions_hold(json_object_get(objects[i], "exclude"), draft->values) ||
            (only && !fh_cli_sweep_conditions_hold(only, draft->values)))
            return true;
    }
    return false;
}

/* The values of {"repeat": [...]} as a list; NULL: no memory. */
static json_t *repeated(const json_t *value) {
    json_t *list = json_array(), *one;
    size_t i;
    json_array_foreach(json_object_get(value, "repeat"), i, one) {
        if (json_array_append_new(list, fh_cli_sweep_scalar(one)) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* Gives the draft an option, which it must not have yet; false and null are none. */
static bool set_option(struct block *block, const char *path, struct draft *draft, const char *name,
                       const json_t *value) {
    json_t *scalar = json_is_object(value) ? repeated(value) : fh_cli_sweep_scalar(value);
    bool good = fh_cli_sweep_there(block->reader, scalar);
    if (good && json_object_get(draft->values, name))
        good = fh_cli_sweep_wrong(block->reader, path, "\"%s\" gets a value in two places", name);
    if (good && !json_is_false(scalar) && !json_is_null(scalar))
        good = fh_cli_sweep_there(
            block->reader, json_object_set(draft->options, name, scalar) == 0 ? block : NULL);
    if (good)
        good = fh_cli_sweep_there(block->reader,
                                  json_object_set(draft->values, name, scalar) == 0 ? block : NULL);
    json_decref(scalar);
    return good;
}

static bool set_axis(struct block *block, struct draft *draft, const struct fh_cli_sweep_axis *axis,
                     size_t index) {
    const struct fh_cli_sweep_path grid = at(block, "grid");
    const struct fh_cli_sweep_path path = fh_cli_sweep_member(grid.text, axis->name);
    json_t *value = json_array_get(axis->values, index), *one;
    const char *name;
    if (axis->kind == FH_CLI_SWEEP_AXIS_WORD)
        return fh_cli_sweep_there(
            block->reader, json_object_set(draft->values, axis->name, value) == 0 ? block : NULL);
    if (axis->kind == FH_CLI_SWEEP_AXIS_OPTION)
        return set_option(block, path.text, draft, axis->name, value);
    json_object_foreach(value, name, one) {
        if (!set_option(block, fh_cli_sweep_element(path.text, index).text, draft, name, one))
            return false;
    }
    return true;
}

/* The words, with values in the place of "$name". */
static bool set_words(struct block *block, struct draft *draft) {
    size_t i;
    json_t *word;
    json_array_foreach(block->command, i, word) {
        const char *text = json_string_value(word);
        const json_t *value = text[0] == '$' ? json_object_get(draft->values, text + 1) : word;
        json_t *put = json_is_integer(value)
                          ? json_sprintf("%lld", (long long)json_integer_value(value))
                          : json_incref((json_t *)value);
        if (json_array_append_new(draft->words, put) != 0)
            return fh_cli_sweep_there(block->reader, NULL);
    }
    return true;
}

/* Where the plan gives the option its value. */
static struct fh_cli_sweep_path option_path(const struct block *block, const char *name) {
    if (json_object_get(block->options, name))
        return fh_cli_sweep_member(at(block, "options").text, name);
    const json_t *grid = json_object_get(block->object, "grid");
    if (json_object_get(grid, name))
        return fh_cli_sweep_member(at(block, "grid").text, name);
    return at(block, "grid");
}

/* What --help says to the point's words; NULL: said. It belongs to the reader. */
static const char *help_of(struct block *block, const struct draft *draft) {
    struct fh_cli_sweep_reader *reader = block->reader;
    const size_t count = json_array_size(draft->words);
    char *id = json_dumps(draft->words, JSON_COMPACT), *key = NULL, why[FH_CLI_SWEEP_WHY];
    char **words = calloc(count + 1, sizeof *words), *help = NULL;
    if (asprintf(&key, "%zu %s", draft->build, id ? id : "") < 0)
        key = NULL;
    const bool good = fh_cli_sweep_there(reader, id && key && words ? key : NULL);
    if (good && !json_object_get(reader->helps, key)) {
        for (size_t i = 0; i < count; i++)
            words[i] = (char *)json_string_value(json_array_get(draft->words, i));
        help = fh_cli_sweep_help(&reader->plan->builds[draft->build], words, count, why);
        if (!help)
            fh_cli_sweep_wrong(reader, at(block, "command").text, "%s", why);
        else
            json_object_set_new(reader->helps, key, json_string(help));
    }
    const char *said = good ? json_string_value(json_object_get(reader->helps, key)) : NULL;
    free(id);
    free(key);
    free(words);
    free(help);
    return said;
}

static bool check_option(struct block *block, const char *help, const char *name,
                         const json_t *value) {
    const enum fh_cli_sweep_takes takes = fh_cli_sweep_help_option(help, name);
    const struct fh_cli_sweep_path path = option_path(block, name);
    const char *command = json_string_value(json_array_get(block->command, 0));
    if (takes == FH_CLI_SWEEP_UNKNOWN) {
        char *near = fh_cli_sweep_help_nearest(help, name);
        fh_cli_sweep_wrong(block->reader, path.text, "`fhec %s` has no option \"%s\"%s", command,
                           name, fh_cli_hint(near).text);
        free(near);
        return false;
    }
    if (takes == FH_CLI_SWEEP_VALUE && json_is_true(value))
        return fh_cli_sweep_wrong(block->reader, path.text, "\"%s\" of `fhec %s` takes a value",
                                  name, command);
    if (takes == FH_CLI_SWEEP_FLAG && !json_is_true(value))
        return fh_cli_sweep_wrong(block->reader, path.text,
                                  "\"%s\" of `fhec %s` takes no value: true or false", name,
                                  command);
    return true;
}

/* The options that every run of the command gets. */
static unsigned standard_options(const struct draft *draft, const char *help) {
    static const struct {
        const char *name;
        unsigned flag;
    } all[] = {{"stats", FH_CLI_SWEEP_STATS},
               {"format", FH_CLI_SWEEP_FORMAT},
               {"threads", FH_CLI_SWEEP_THREADS}};
    const char *command = json_string_value(json_array_get(draft->words, 0));
    const bool report = !strcmp(command, "report"); /* which consists of statistics */
    unsigned flags = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (fh_cli_sweep_help_option(help, all[i].name) != FH_CLI_SWEEP_UNKNOWN &&
            !json_object_get(draft->values, all[i].name))
            flags |= all[i].flag;
    return flags & ~(unsigned)(report ? FH_CLI_SWEEP_STATS : FH_CLI_SWEEP_FORMAT);
}

/* False: another point is the same. */
static bool is_new(struct block *block, const struct fh_cli_sweep_point *point) {
    struct fh_cli_sweep_reader *reader = block->reader;
    char *id = NULL, *text = NULL;
    if (asprintf(&id, "%zu %s %s", point->build, point->key.command, point->key.options) < 0)
        return fh_cli_sweep_there(reader, NULL);
    const json_t *before = json_object_get(reader->points, id);
    bool good = !before;
    if (before) {
        text = fh_cli_sweep_point_text(point);
        fh_cli_sweep_wrong(
            reader, block->path, "a point is there twice: %s%s%s%s", text ? text : "",
            *block->path ? " is one of " : "", json_string_value(before),
            *block->path && strcmp(block->path, json_string_value(before)) ? ", too" : "");
    } else if (json_object_set_new(reader->points, id, json_string(block->path)) != 0) {
        good = fh_cli_sweep_there(reader, NULL);
    }
    free(text);
    free(id);
    return good;
}

static bool add_point(struct block *block, const struct draft *draft) {
    struct fh_cli_sweep_plan *plan = block->reader->plan;
    const char *help = help_of(block, draft), *name;
    json_t *value;
    if (!help)
        return false;
    json_object_foreach(draft->options, name, value) {
        if (!check_option(block, help, name, value))
            return false;
    }
    struct fh_cli_sweep_point *points = fh_cli_more(plan->points, plan->count, sizeof *points);
    if (!fh_cli_sweep_there(block->reader, points))
        return false;
    plan->points = points;
    points[plan->count] = (struct fh_cli_sweep_point){
        .key = {json_dumps(draft->words, JSON_COMPACT),
                json_dumps(draft->options, JSON_COMPACT | JSON_SORT_KEYS),
                json_dumps(block->files, JSON_COMPACT | JSON_SORT_KEYS)},
        .build = draft->build,
        .standard = standard_options(draft, help)};
    const struct fh_cli_sweep_point *point = &points[plan->count++];
    const bool complete = point->key.command && point->key.options && point->key.files;
    return fh_cli_sweep_there(block->reader, complete ? point : NULL) && is_new(block, point);
}

/* The point of this build with these values. */
static bool make_point(struct block *block, size_t build, const size_t *indices) {
    struct draft draft = {json_array(), json_object(), json_object(), build};
    const char *name;
    json_t *value;
    bool good = fh_cli_sweep_there(block->reader,
                                   draft.words && draft.options && draft.values ? block : NULL);
    json_object_foreach((json_t *)block->options, name, value) {
        good = good && set_option(block, option_path(block, name).text, &draft, name, value);
    }
    for (size_t i = 0; i < block->axis_count && good; i++)
        good = set_axis(block, &draft, &block->axes[i], indices[i]);
    good = good && set_words(block, &draft);
    if (good && !json_object_get(draft.values, "build"))
        json_object_set_new(draft.values, "build",
                            json_string(block->reader->plan->builds[build].name));
    if (good)
        json_object_update(block->reader->names, draft.values);
    if (good && !is_out(block, &draft))
        good = add_point(block, &draft);
    json_decref(draft.words);
    json_decref(draft.options);
    json_decref(draft.values);
    return good;
}

/* All combinations, the last axis fastest. */
static bool multiply_out(struct block *block, size_t build) {
    size_t *indices = calloc(block->axis_count + 1, sizeof *indices), i = 0;
    bool good = fh_cli_sweep_there(block->reader, indices);
    do {
        good = good && make_point(block, build, indices);
        for (i = block->axis_count; good && i > 0; i--) {
            if (++indices[i - 1] < json_array_size(block->axes[i - 1].values))
                break;
            indices[i - 1] = 0;
        }
    } while (good && i > 0);
    free(indices);
    return good;
}

static bool few_enough(struct block *block) {
    size_t points = block->reader->plan->count + 1;
    for (size_t i = 0; i < block->axis_count; i++) {
        const size_t values = json_array_size(block->axes[i].values);
        if (values > FH_CLI_SWEEP_MOST_POINTS / points)
            return fh_cli_sweep_wrong(block->reader, at(block, "grid").text,
                                      "these are more than %d points", FH_CLI_SWEEP_MOST_POINTS);
        points *= values;
    }
    return true;
}

/* For every build, or those that the block names. */
static bool each_build(struct block *block) {
    const struct fh_cli_sweep_plan *plan = block->reader->plan;
    const json_t *names = block->root ? json_object_get(block->object, "builds") : NULL;
    const struct fh_cli_sweep_path path = at(block, "builds");
    size_t i;
    json_t *name;
    if (names && (!json_is_array(names) || !json_array_size(names)))
        return fh_cli_sweep_wrong(block->reader, path.text, "expected a list of names of builds");
    for (size_t b = 0; b < plan->build_count && !names; b++)
        if (!multiply_out(block, b))
            return false;
    json_array_foreach(names, i, name) {
        size_t b = 0;
        while (b < plan->build_count &&
               (!json_is_string(name) || strcmp(plan->builds[b].name, json_string_value(name))))
            b++;
        if (b == plan->build_count)
            return fh_cli_sweep_wrong(block->reader, fh_cli_sweep_element(path.text, i).text,
                                      "the plan's \"builds\" has no such name");
        if (!multiply_out(block, b))
            return false;
    }
    return true;
}

bool fh_cli_sweep_block_read(struct fh_cli_sweep_reader *reader, const char *path,
                             const json_t *object, const json_t *root) {
    static const char *const names[] = {"command", "options", "grid",   "only",
                                        "exclude", "files",   "builds", NULL};
    if (!json_is_object(object))
        return fh_cli_sweep_wrong(reader, path, "a block is an object with a \"command\"");
    struct block block = {.reader = reader,
                          .path = path,
                          .object = object,
                          .root = root,
                          .command = json_object_get(object, "command"),
                          .options = json_object_get(object, "options")};
    bool good = (!root || fh_cli_sweep_known_members(reader, path, object, names)) &&
                check_command(&block) && check_options(&block) && read_files(&block) &&
                read_grid(&block) && check_words(&block) &&
                fh_cli_sweep_conditions_check(reader, at(&block, "only").text,
                                              json_object_get(object, "only")) &&
                fh_cli_sweep_conditions_check(reader, at(&block, "exclude").text,
                                              json_object_get(object, "exclude")) &&
                few_enough(&block) && each_build(&block);
    for (size_t i = 0; i < block.axis_count; i++)
        json_decref(block.axes[i].values);
    free(block.axes);
    json_decref(block.files);
    return good;
}
