/*
 * findings_sarif.c - see findings_sarif.h. Sections are those of the OASIS standard "Static
 * Analysis Results Interchange Format (SARIF) Version 2.1.0".
 */
#include "findings_sarif.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "finding_ids.h"

/* A URI of the path (3.4): relative ones stay so. */
json_t *fh_cli_sarif_uri(const char *path) {
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    if (!to)
        return NULL;
    if (*path == '/')
        fputs("file://", to);
    for (const unsigned char *p = (const unsigned char *)path; *p; p++)
        fprintf(to, isalnum(*p) || strchr("/._-~", *p) ? "%c" : "%%%02X", *p);
    json_t *uri = fclose(to) == 0 ? json_string(text) : NULL;
    free(text);
    return uri;
}

/* A location (3.28): the line, and the kernel with the instruction as a logical one. */
static json_t *location_json(const struct fh_place *at, const struct fh_place_source *source,
                             const char *role) {
    char name[300];
    snprintf(name, sizeof name, "%s+0x%04" PRIx64, source->kernel, at->pc);
    json_t *location = json_pack("{s:[{s:s, s:s, s:s}]}", "logicalLocations", "name",
                                 source->kernel, "fullyQualifiedName", name, "kind", "function");
    if (location && source->line_count) {
        json_t *physical = json_pack("{s:{s:o}, s:{s:I}}", "artifactLocation", "uri",
                                     fh_cli_sarif_uri(source->lines[0].file), "region", "startLine",
                                     (json_int_t)source->lines[0].line);
        json_object_set_new(location, "physicalLocation", physical);
    }
    if (location && role)
        json_object_set_new(location, "message", json_pack("{s:s}", "text", role));
    return location;
}

/* The lines that led to the instruction's own (3.27.22), then the other instruction. */
static json_t *related_json(const struct fh_finding *f) {
    json_t *list = json_array();
    for (size_t i = 1; list && i < f->source.line_count; i++) {
        struct fh_place_source step = f->source;
        step.lines = &f->source.lines[i];
        step.line_count = 1;
        json_array_append_new(list, location_json(&f->at, &step, "used here"));
    }
    if (list && f->other_source.kernel)
        json_array_append_new(
            list, location_json(&f->other, &f->other_source, f->role ? f->role : "with this"));
    return list;
}

static json_t *result_json(const struct fh_cli_findings_form *form, const struct fh_finding *f,
                           const struct fh_cli_suppression *suppression) {
    const bool warning = form->warnings & FH_CHECK_BIT(fh_finding_checker(f->kind));
    json_t *result = json_pack(
        "{s:s, s:I, s:s, s:{s:s}, s:I, s:o*}", "ruleId", fh_finding_id(f->kind), "ruleIndex",
        (json_int_t)f->kind, "level", warning ? "warning" : "error", "message", "text", f->message,
        "occurrenceCount", (json_int_t)f->count, "properties", fh_cli_finding_json(form, f));
    if (!result)
        return NULL;
    if (f->source.kernel)
        json_object_set_new(result, "locations",
                            json_pack("[o]", location_json(&f->at, &f->source, NULL)));
    json_t *related = related_json(f);
    if (json_array_size(related))
        json_object_set(result, "relatedLocations", related);
    json_decref(related);
    if (suppression)
        json_object_set_new(result, "suppressions",
                            json_pack("[{s:s, s:s}]", "kind",
                                      suppression->in_source ? "inSource" : "external",
                                      "justification", suppression->reason));
    return result;
}

json_t *fh_cli_sarif_rule(const char *id, const char *name, const char *title) {
    return json_pack("{s:s, s:s, s:{s:s}, s:{s:s}}", "id", id, "name", name, "shortDescription",
                     "text", title, "defaultConfiguration", "level", "error");
}

/* Every kind, by its number (3.49). */
static json_t *rules_json(void) {
    json_t *rules = json_array();
    for (unsigned i = 0; rules && i < FH_FINDING_KINDS; i++)
        json_array_append_new(rules, fh_cli_sarif_rule(fh_finding_id(i),
                                                       fh_checker_name(fh_finding_checker(i)),
                                                       fh_finding_title(i)));
    return rules;
}

json_t *fh_cli_sarif_results(const struct fh_cli_findings_form *form, struct fh_findings *findings,
                             struct fh_cli_suppressions *suppressions) {
    json_t *results = json_array();
    const struct fh_finding *f;
    for (size_t i = 0; results && (f = fh_findings_get(findings, i)) != NULL; i++)
        json_array_append_new(results,
                              result_json(form, f, fh_cli_suppressions_find(suppressions, f)));
    return results;
}

char *fh_cli_sarif_log(json_t *results, json_t *more) {
    json_t *rules = rules_json();
    if (rules && more)
        json_array_extend(rules, more);
    json_decref(more);
    json_t *log = json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:s, s:o}}, s:s, s:o}]}", "$schema",
                            "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0",
                            "runs", "tool", "driver", "name", "fhec", "version", FHEC_VERSION,
                            "rules", rules, "columnKind", "utf16CodeUnits", "results", results);
    char *text = log ? json_dumps(log, JSON_INDENT(1)) : NULL;
    json_decref(log);
    return text;
}

char *fh_cli_findings_sarif(const struct fh_cli_findings_form *form, struct fh_findings *findings,
                            struct fh_cli_suppressions *suppressions) {
    return fh_cli_sarif_log(fh_cli_sarif_results(form, findings, suppressions), NULL);
}
