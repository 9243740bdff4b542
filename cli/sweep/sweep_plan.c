/*
 * sweep_plan.c - the plan as a whole: its members, builds, and what is said of it.
 */
#include "sweep_plan.h"

#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "message.h"
#include "sweep_block.h"
#include "sweep_condition.h"
#include "sweep_reader.h"

enum { MOST_BUILDS = 64 };

/* ---------------------------------------------------------------- builds */

static bool add_build(struct fh_cli_sweep_reader *reader, const char *path, const char *name,
                      const char *executable) {
    struct fh_cli_sweep_plan *plan = reader->plan;
    struct fh_cli_sweep_build *build = &plan->builds[plan->build_count++];
    char why[FH_CLI_SWEEP_WHY];
    *build = (struct fh_cli_sweep_build){.name = strdup(name), .file = -1};
    if (!fh_cli_sweep_there(reader, build->name))
        return false;
    if (!fh_cli_sweep_build_open(build, executable, why))
        return fh_cli_sweep_wrong(reader, path, "%s", why);
    for (size_t i = 0; i + 1 < plan->build_count; i++)
        if (!strcmp(plan->builds[i].hash, build->hash))
            return fh_cli_sweep_wrong(reader, path, "this is the same executable as \"%s\"",
                                      plan->builds[i].name);
    return true;
}

static bool read_builds(struct fh_cli_sweep_reader *reader, const json_t *root) {
    const json_t *builds = json_object_get(root, "builds");
    const char *name;
    json_t *value;
    reader->plan->builds = calloc(MOST_BUILDS, sizeof *reader->plan->builds);
    if (!fh_cli_sweep_there(reader, reader->plan->builds))
        return false;
    if (!builds)
        return add_build(reader, "", "this", NULL);
    if (!json_is_object(builds) || !json_object_size(builds))
        return fh_cli_sweep_wrong(reader, "builds",
                                  "expected names and folders of builds, {\"plain\": \"this\", "
                                  "\"mine\": \"build/mine\"}");
    if (json_object_size(builds) > MOST_BUILDS)
        return fh_cli_sweep_wrong(reader, "builds", "more than %d of them", MOST_BUILDS);
    json_object_foreach((json_t *)builds, name, value) {
        const struct fh_cli_sweep_path at = fh_cli_sweep_member("builds", name);
        const char *path = json_string_value(value);
        if (!path || !*path)
            return fh_cli_sweep_wrong(reader, at.text,
                                      "expected \"this\", a folder of a build, or an executable");
        if (!add_build(reader, at.text, name, strcmp(path, "this") ? path : NULL))
            return false;
    }
    return true;
}

/* ---------------------------------------------------------------- the file */

static bool read_blocks(struct fh_cli_sweep_reader *reader, const json_t *root) {
    static const char *const with_blocks[] = {"title", "builds", "blocks", "only", "exclude", NULL};
    static const char *const one_block[] = {"title", "builds",  "command", "options", "grid",
                                            "only",  "exclude", "files",   NULL};
    const json_t *blocks = json_object_get(root, "blocks");
    size_t i;
    json_t *block;
    if (!blocks && !json_object_get(root, "command"))
        return fh_cli_sweep_wrong(reader, "",
                                  "a plan has a \"command\", or \"blocks\" with one each");
    if (!blocks)
        return fh_cli_sweep_known_members(reader, "", root, one_block) &&
               fh_cli_sweep_block_read(reader, "", root, NULL);
    if (!fh_cli_sweep_known_members(reader, "", root, with_blocks) ||
        !fh_cli_sweep_conditions_check(reader, "only", json_object_get(root, "only")) ||
        !fh_cli_sweep_conditions_check(reader, "exclude", json_object_get(root, "exclude")))
        return false;
    if (!json_is_array(blocks) || !json_array_size(blocks))
        return fh_cli_sweep_wrong(reader, "blocks", "expected a list of at least one block");
    json_array_foreach(blocks, i, block) {
        if (!fh_cli_sweep_block_read(reader, fh_cli_sweep_element("blocks", i).text, block, root))
            return false;
    }
    return true;
}

/* Names that no point has hold for nothing: they are misspelt. */
static bool check_names(struct fh_cli_sweep_reader *reader, const char *path,
                        const json_t *object) {
    static const char *const lists[] = {"only", "exclude"};
    for (size_t i = 0; i < 2; i++)
        if (!fh_cli_sweep_conditions_names(reader, fh_cli_sweep_member(path, lists[i]).text,
                                           json_object_get(object, lists[i]), reader->names))
            return false;
    return true;
}

static bool check_all_names(struct fh_cli_sweep_reader *reader, const json_t *root) {
    size_t i;
    json_t *block;
    json_array_foreach(json_object_get(root, "blocks"), i, block) {
        if (!check_names(reader, fh_cli_sweep_element("blocks", i).text, block))
            return false;
    }
    return check_names(reader, "", root);
}

static bool read_root(struct fh_cli_sweep_reader *reader, const json_t *root) {
    const json_t *title = json_object_get(root, "title");
    if (!json_is_object(root))
        return fh_cli_sweep_wrong(reader, "", "a plan is an object");
    if (title && !json_is_string(title))
        return fh_cli_sweep_wrong(reader, "title", "expected a text");
    if (title) {
        reader->plan->title = strdup(json_string_value(title));
        if (!fh_cli_sweep_there(reader, reader->plan->title))
            return false;
    }
    return read_builds(reader, root) && read_blocks(reader, root) && check_all_names(reader, root);
}

static fhec_status read_text(struct fh_cli_sweep_reader *reader, size_t length) {
    json_error_t error;
    json_t *root = json_loadb(reader->text, length, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        return fh_cli_error(reader->cli, FHEC_BAD_INPUT, "%s:%d:%d: %s", reader->file, error.line,
                            error.column, error.text);
    reader->points = json_object();
    reader->helps = json_object();
    reader->names = json_object();
    if (fh_cli_sweep_there(reader, reader->points) && fh_cli_sweep_there(reader, reader->helps) &&
        fh_cli_sweep_there(reader, reader->names) && read_root(reader, root) &&
        !reader->plan->count)
        (void)fh_cli_sweep_wrong(reader, "", "\"only\" and \"exclude\" leave no point");
    json_decref(reader->points);
    json_decref(reader->helps);
    json_decref(reader->names);
    json_decref(root);
    return reader->status;
}

fhec_status fh_cli_sweep_plan_read(const struct fh_cli *cli, const char *path,
                                   struct fh_cli_sweep_plan *plan) {
    struct fh_cli_sweep_reader reader = {
        .cli = cli, .file = strcmp(path, "-") ? path : "standard input", .plan = plan};
    char *text;
    size_t length;
    *plan = (struct fh_cli_sweep_plan){0};
    fhec_status status = fh_cli_read_file(cli, path, &text, &length);
    if (status != FHEC_OK)
        return status;
    reader.text = text;
    status = read_text(&reader, length);
    free(text);
    return status;
}

void fh_cli_sweep_plan_free(struct fh_cli_sweep_plan *plan) {
    for (size_t i = 0; i < plan->build_count; i++)
        fh_cli_sweep_build_close(&plan->builds[i]);
    for (size_t i = 0; i < plan->count; i++) {
        free(plan->points[i].key.command);
        free(plan->points[i].key.options);
        free(plan->points[i].key.files);
    }
    free(plan->builds);
    free(plan->points);
    free(plan->title);
    *plan = (struct fh_cli_sweep_plan){0};
}
