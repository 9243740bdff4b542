/*
 * test_sarif.c - see test_sarif.h. Sections are those of "Static Analysis Results Interchange
 * Format (SARIF) Version 2.1.0".
 */
#include "test_sarif.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "finding_ids.h"
#include "findings_sarif.h"

enum rule { DIFFERS, FAILS, VARIES, MALFORMED, LINT, RULES };

static const struct {
    const char *id, *name, *title;
} rules[RULES] = {
    [DIFFERS] = {"T001", "differs", "a result is not what is expected"},
    [FAILS] = {"T002", "fails", "a case does not hold"},
    [VARIES] = {"T003", "varies", "what a kernel leaves changes with the machine's seed"},
    [MALFORMED] = {"T004", "malformed", "a case cannot be run"},
    [LINT] = {"T005", "lint", "scheduling fields do not do what they must"},
};

static json_t *location_json(const char *file, json_int_t line, const char *said) {
    json_t *location =
        json_pack("{s:{s:{s:o}, s:{s:I}}}", "physicalLocation", "artifactLocation", "uri",
                  fh_cli_sarif_uri(file), "region", "startLine", line > 0 ? line : 1);
    if (location && said)
        json_object_set_new(location, "message", json_pack("{s:s}", "text", said));
    return location;
}

static json_t *result_json(enum rule rule, const struct fh_cli_test_verdict *verdict,
                           const char *message) {
    return json_pack("{s:s, s:I, s:s, s:{s:s}, s:{s:s, s:s}}", "ruleId", rules[rule].id,
                     "ruleIndex", (json_int_t)FH_FINDING_KINDS + rule, "level", "error", "message",
                     "text", message, "properties", "program", verdict->path, "case",
                     verdict->name);
}

/* "d differs in 3 of 128 elements, first d[5]: 0x7, expected 0x8". */
static void difference_text(const json_t *difference, char *text, size_t size) {
    const json_t *first = json_array_get(json_object_get(difference, "first"), 0);
    const char *buffer = json_string_value(json_object_get(difference, "buffer"));
    char *got = json_dumps(json_object_get(first, "got"), JSON_ENCODE_ANY);
    char *expected = json_dumps(json_object_get(first, "expected"), JSON_ENCODE_ANY);
    snprintf(text, size, "%s differs in %lld of %lld elements, first %s[%lld]: %s, expected %s",
             buffer, (long long)json_integer_value(json_object_get(difference, "differing")),
             (long long)json_integer_value(json_object_get(difference, "elements")), buffer,
             (long long)json_integer_value(json_object_get(first, "index")), got ? got : "?",
             expected ? expected : "?");
    free(got);
    free(expected);
}

/* At the instruction `at`, if its line is known, and related to what the test says; else at that.
 */
static void set_places(json_t *result, const json_t *at, const char *file, json_int_t line) {
    const char *source = json_string_value(json_object_get(at, "file"));
    const char *text = json_string_value(json_object_get(at, "instruction"));
    const json_int_t number = json_integer_value(json_object_get(at, "line"));
    json_t *test = location_json(file, line, source ? "what is expected" : NULL);
    if (!source) {
        json_object_set_new(result, "locations", json_pack("[o]", test));
        return;
    }
    json_object_set_new(result, "locations", json_pack("[o]", location_json(source, number, text)));
    json_object_set_new(result, "relatedLocations", json_pack("[o]", test));
}

static void add_differences(json_t *results, const struct fh_cli_test_verdict *verdict) {
    const json_t *list = json_object_get(verdict->result, "differences");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *difference = json_array_get(list, i);
        char text[400];
        difference_text(difference, text, sizeof text);
        json_t *result = result_json(DIFFERS, verdict, text);
        set_places(result, json_object_get(difference, "store"),
                   json_string_value(json_object_get(difference, "file")),
                   json_integer_value(json_object_get(difference, "line")));
        json_array_append_new(results, result);
    }
}

static void add_findings(json_t *results, const struct fh_cli_test_verdict *verdict,
                         json_t *findings) {
    for (size_t i = 0; i < json_array_size(findings); i++) {
        json_t *result = json_array_get(findings, i);
        json_object_set_new(json_object_get(result, "properties"), "case",
                            json_string(verdict->name));
        json_array_append(results, result);
    }
}

/* What a case has said, without its JSON. */
static char *said_text(const char *said) {
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    while (to && *said) {
        const size_t end = strcspn(said, "\n");
        json_t *object = json_loadb(said, end, 0, NULL);
        const char *message = json_string_value(json_object_get(object, "message"));
        if (message)
            fprintf(to, "%s\n", message);
        else
            fprintf(to, "%.*s\n", (int)end, said);
        json_decref(object);
        said += end + (said[end] != 0);
    }
    if (!to || fclose(to) != 0) {
        free(text);
        return NULL;
    }
    text[length ? length - 1 : 0] = 0;
    return text;
}

static enum rule rule_of(const struct fh_cli_test_verdict *verdict) {
    switch (verdict->verdict) {
    case FH_CLI_VARIES: return VARIES;
    case FH_CLI_FOUND: return LINT;
    case FH_CLI_MALFORMED: return MALFORMED;
    default: return FAILS;
    }
}

void fh_cli_test_sarif_add(json_t *results, const struct fh_cli_test_verdict *verdict,
                           json_t *findings, const char *file, uint32_t line) {
    const size_t before = json_array_size(results);
    add_findings(results, verdict, findings);
    add_differences(results, verdict);
    if (verdict->verdict == FH_CLI_PASSED || json_array_size(results) != before)
        return;
    char *text = said_text(verdict->said);
    const enum rule rule = rule_of(verdict);
    json_t *result = result_json(rule, verdict, text && *text ? text : rules[rule].title);
    free(text);
    set_places(result, json_object_get(verdict->result, "fault"), file, line);
    json_array_append_new(results, result);
}

char *fh_cli_test_sarif(json_t *results) {
    json_t *more = json_array();
    for (unsigned i = 0; more && i < RULES; i++)
        json_array_append_new(more, fh_cli_sarif_rule(rules[i].id, rules[i].name, rules[i].title));
    return fh_cli_sarif_log(json_incref(results), more);
}
