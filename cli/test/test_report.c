/*
 * test_report.c - see test_report.h.
 */
#include "test_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "output.h"
#include "test_sarif.h"

static const struct {
    const char *padded, *name, *said;
} words[FH_CLI_VERDICTS] = {
    [FH_CLI_PASSED] = {"ok    ", "ok", ""},
    [FH_CLI_FAILED] = {"FAILED", "failed", "failed"},
    [FH_CLI_VARIES] = {"VARIES", "varies", "the result changes with the machine's seed"},
    [FH_CLI_FOUND] = {"FOUND ", "findings", "checkers or lint have found something"},
    [FH_CLI_MALFORMED] = {"ERROR ", "error", "cannot be run"},
};

/* ---------------------------------------------------------------- text, TAP, JSON */

static void print_lines(const char *prefix, const char *text) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        printf("%s%.*s\n", prefix, (int)length, text);
        text += length + (text[length] != 0);
    }
}

static void add_text(const struct fh_cli_test_verdict *verdict) {
    fputs(verdict->said, stderr);
    printf("%s %s: %s (%.0f ms)\n%s", words[verdict->verdict].padded, verdict->path, verdict->name,
           verdict->seconds * 1e3, verdict->printed);
}

static void add_tap(const struct fh_cli_test_report *report,
                    const struct fh_cli_test_verdict *verdict) {
    printf("%s %zu - %s: %s\n", verdict->verdict == FH_CLI_PASSED ? "ok" : "not ok", report->told,
           verdict->path, verdict->name);
    print_lines("# ", verdict->said);
    print_lines("# ", verdict->printed);
}

/* Statistics are JSON if --stats=json was given, otherwise lines. */
static json_t *printed_json(const char *text) {
    json_t *object = json_loads(text, 0, NULL);
    return object ? object : json_string(text);
}

/* Messages are objects, if nothing else was mixed with them. */
static json_t *lines_json(const char *text) {
    json_t *lines = json_array();
    while (*text) {
        size_t length = strcspn(text, "\n");
        json_t *object = json_loadb(text, length, 0, NULL);
        json_array_append_new(lines, object ? object : json_stringn(text, length));
        text += length + (text[length] != 0);
    }
    return lines;
}

static fhec_status add_json(const struct fh_cli_test_verdict *verdict) {
    json_t *object = json_pack("{s:s, s:s, s:s, s:f, s:o}", "file", verdict->path, "case",
                               verdict->name, "verdict", words[verdict->verdict].name, "seconds",
                               verdict->seconds, "messages", lines_json(verdict->said));
    if (object && verdict->result)
        json_object_update_missing(object, verdict->result);
    if (object && *verdict->printed)
        json_object_set_new(object, "stats", printed_json(verdict->printed));
    return fh_cli_print_json(stdout, object, JSON_COMPACT) ? FHEC_OK : FHEC_HOST_ERROR;
}

/* ---------------------------------------------------------------- JUnit */

/* XML has no characters below a space but tab and ends of lines, not even as references. */
static void put_xml(FILE *to, const char *text) {
    for (; *text; text++)
        switch (*text) {
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '&': fputs("&amp;", to); break;
        case '"': fputs("&quot;", to); break;
        default: fputc((unsigned char)*text < ' ' && !strchr("\t\n\r", *text) ? '?' : *text, to);
        }
}

static void add_junit(struct fh_cli_test_report *report,
                      const struct fh_cli_test_verdict *verdict) {
    const char *element = verdict->verdict == FH_CLI_MALFORMED ? "error" : "failure";
    fputs("  <testcase classname=\"", report->xml);
    put_xml(report->xml, verdict->path);
    fputs("\" name=\"", report->xml);
    put_xml(report->xml, verdict->name);
    fprintf(report->xml, "\" time=\"%.3f\">\n", verdict->seconds);
    if (verdict->verdict != FH_CLI_PASSED) {
        fprintf(report->xml, "    <%s type=\"%s\" message=\"%s\">", element,
                words[verdict->verdict].name, words[verdict->verdict].said);
        put_xml(report->xml, verdict->said);
        fprintf(report->xml, "</%s>\n", element);
    }
    if (*verdict->printed) {
        fputs("    <system-out>", report->xml);
        put_xml(report->xml, verdict->printed);
        fputs("</system-out>\n", report->xml);
    }
    fputs("  </testcase>\n", report->xml);
}

static size_t failures(const struct fh_cli_test_report *report) {
    return report->counts[FH_CLI_FAILED] + report->counts[FH_CLI_VARIES] +
           report->counts[FH_CLI_FOUND];
}

static fhec_status write_junit(struct fh_cli_test_report *report) {
    char *whole = NULL;
    bool lost = ferror(report->xml) != 0;
    lost |= fclose(report->xml) != 0;
    report->xml = NULL;
    int length = lost ? -1
                      : asprintf(&whole,
                                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite "
                                 "name=\"fhec test\" tests=\"%zu\" failures=\"%zu\" "
                                 "errors=\"%zu\">\n%s</testsuite>\n",
                                 report->told, failures(report), report->counts[FH_CLI_MALFORMED],
                                 report->xml_text);
    if (length < 0)
        return fh_cli_no_memory(report->cli);
    fhec_status status =
        fh_cli_output_write(report->cli, &report->outputs, report->junit, whole, (size_t)length);
    free(whole);
    return status;
}

static fhec_status write_sarif(struct fh_cli_test_report *report) {
    char *text = fh_cli_test_sarif(report->results);
    fhec_status status =
        text ? fh_cli_output_write(report->cli, &report->outputs, report->sarif, text, strlen(text))
             : fh_cli_no_memory(report->cli);
    free(text);
    return status;
}

/* The files appear together. */
static fhec_status write_files(struct fh_cli_test_report *report) {
    fhec_status status = report->xml ? write_junit(report) : FHEC_OK;
    if (status == FHEC_OK && report->sarif)
        status = write_sarif(report);
    return status == FHEC_OK ? fh_cli_output_commit(report->cli, &report->outputs) : status;
}

/* ---------------------------------------------------------------- all of them */

fhec_status fh_cli_test_report_begin(struct fh_cli_test_report *report, size_t count) {
    if (report->profile) {
        fhec_status status = fh_cli_output_add(report->cli, &report->outputs, report->profile);
        if (status != FHEC_OK)
            return status;
    }
    if (report->sarif) {
        fhec_status status = fh_cli_output_add(report->cli, &report->outputs, report->sarif);
        if (status != FHEC_OK)
            return status;
        report->results = json_array();
        if (!report->results)
            return fh_cli_no_memory(report->cli);
    }
    if (report->junit) {
        fhec_status status = fh_cli_output_add(report->cli, &report->outputs, report->junit);
        if (status != FHEC_OK)
            return status;
        report->xml = open_memstream(&report->xml_text, &report->xml_length);
        if (!report->xml)
            return fh_cli_no_memory(report->cli);
    }
    if (report->format == FH_CLI_TEST_TAP)
        printf("1..%zu\n", count);
    return FHEC_OK;
}

void fh_cli_test_report_add(struct fh_cli_test_report *report,
                            const struct fh_cli_test_verdict *verdict) {
    report->told++;
    report->counts[verdict->verdict]++;
    if (report->xml)
        add_junit(report, verdict);
    if (report->format == FH_CLI_TEST_TEXT)
        add_text(verdict);
    else if (report->format == FH_CLI_TEST_TAP)
        add_tap(report, verdict);
    else if (add_json(verdict) != FHEC_OK)
        fh_cli_no_memory(report->cli);
    fflush(stdout);
}

fhec_status fh_cli_test_report_end(struct fh_cli_test_report *report) {
    const size_t bad = failures(report) + report->counts[FH_CLI_MALFORMED];
    const char *by = *report->machine ? "the machines are by " : "";
    if (report->format == FH_CLI_TEST_JSON) {
        printf("{\"passed\":%zu,\"failed\":%zu,\"machine\":\"%s\"}\n",
               report->counts[FH_CLI_PASSED], bad, report->machine);
    } else if (report->format == FH_CLI_TEST_TAP) {
        printf("# %s%s\n# %zu passed, %zu failed\n", by, report->machine,
               report->counts[FH_CLI_PASSED], bad);
    } else {
        if (*by)
            fh_cli_note(report->cli, "%s%s", by, report->machine);
        printf("%zu passed, %zu failed\n", report->counts[FH_CLI_PASSED], bad);
    }
    fhec_status status = write_files(report);
    if (status != FHEC_OK)
        return status;
    if (report->counts[FH_CLI_FOUND])
        return FHEC_GUEST_FAULT;
    return report->counts[FH_CLI_MALFORMED] ? FHEC_BAD_INPUT : bad ? FHEC_DIFFERS : FHEC_OK;
}

void fh_cli_test_report_free(struct fh_cli_test_report *report) {
    if (report->xml)
        fclose(report->xml);
    free(report->xml_text);
    json_decref(report->results);
    fh_cli_output_discard(&report->outputs);
}
