/*
 * mutation_report.c - see mutation_report.h.
 */
#include "mutation_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

static const json_t *kernel_of(const struct fh_cli_mutation_report *report,
                               const struct fh_cli_mutant *mutant) {
    const json_t *program = json_array_get(report->programs, mutant->program);
    return json_array_get(json_object_get(program, "kernels"), mutant->kernel);
}

/* ---------------------------------------------------------------- whether the place is named */

struct looking {
    const struct fh_cli_mutation_report *report;
    const struct fh_cli_mutant *mutant;
    uint32_t number; /* of the mutated instruction */
};

/* The pc of a mutant as one of the program without it. */
static uint64_t without(const struct fh_cli_mutant *mutant, uint64_t pc) {
    const uint64_t place = pc / sizeof(fhec_word);
    return (place - (mutant->doubled && place > mutant->instruction)) * sizeof(fhec_word);
}

static bool is_place(const struct looking *look, const char *kernel, uint64_t pc) {
    const json_t *kernels =
        json_object_get(json_array_get(look->report->programs, look->mutant->program), "kernels");
    for (size_t k = 0; k < json_array_size(kernels); k++) {
        const char *name = json_string_value(json_object_get(json_array_get(kernels, k), "name"));
        if (!name || strcmp(name, kernel) != 0)
            continue;
        if (k == look->mutant->kernel)
            pc = without(look->mutant, pc);
        const uint32_t number =
            fh_cli_mutation_number(look->report->mutation, look->mutant->program, k, pc);
        if (number && (number == look->number ||
                       fh_cli_mutation_uses(look->report->seen, look->number, number)))
            return true;
    }
    return false;
}

/* Whether the object tells of the line from which the mutated instruction comes: what a macro or a
 * repetition makes of it is mutated in one place only, and written in one, too. */
static bool is_line(const struct looking *look, const json_t *object) {
    const char *file = json_string_value(json_object_get(object, "file"));
    const json_t *line = json_object_get(object, "line");
    const char *at = json_string_value(
        json_array_get(json_object_get(kernel_of(look->report, look->mutant), "places"),
                       look->mutant->instruction));
    char text[600];
    if (!file || !json_is_integer(line) || !at)
        return false;
    const int length =
        snprintf(text, sizeof text, "%s:%lld", file, (long long)json_integer_value(line));
    return length > 0 && (size_t)length < sizeof text && strncmp(at, text, (size_t)length) == 0 &&
           (!at[length] || at[length] == ' ');
}

/* Lists of a difference that say what may be to blame, or what there is: they name many places. */
static bool is_list_of_places(const char *key) {
    return !strcmp(key, "made_by") || !strcmp(key, "suspected") || !strcmp(key, "repair");
}

/* Whether an object with a line, or a kernel and a pc, wherever it stands in the message outside of
 * such lists, names the place. */
static bool names_place(const struct looking *look, const json_t *value, const char *kernel) {
    const char *key;
    size_t index;
    json_t *inside;
    if (json_is_object(value)) {
        const char *own = json_string_value(json_object_get(value, "kernel"));
        const json_t *pc = json_object_get(value, "pc");
        kernel = own ? own : kernel;
        if (is_line(look, value) || (kernel && json_is_integer(pc) &&
                                     is_place(look, kernel, (uint64_t)json_integer_value(pc))))
            return true;
        json_object_foreach((json_t *)value, key, inside) {
            if (!is_list_of_places(key) && names_place(look, inside, kernel))
                return true;
        }
    }
    json_array_foreach(value, index, inside) {
        if (names_place(look, inside, kernel))
            return true;
    }
    return false;
}

/* Where the place stands in the list of suspects of a difference, from 1; 0: nowhere. */
static size_t suspect_number(const struct looking *look, const json_t *message) {
    const json_t *difference = json_object_get(message, "difference"), *one;
    size_t index;
    json_array_foreach(json_object_get(difference, "suspected"), index, one) {
        if (names_place(look, one, NULL))
            return index + 1;
    }
    return 0;
}

/* How the messages name the place: see fh_cli_mutation_naming. */
static struct fh_cli_mutation_naming find_naming(const struct looking *look, const char *said) {
    struct fh_cli_mutation_naming naming = {0};
    while (*said) {
        const size_t length = strcspn(said, "\n");
        json_t *object = json_loadb(said, length, 0, NULL);
        const size_t number = object ? suspect_number(look, object) : 0;
        const json_t *repair = json_object_get(json_object_get(object, "difference"), "repair");
        naming.repaired |= repair && names_place(look, repair, NULL);
        naming.elsewhere |= repair && !names_place(look, repair, NULL);
        naming.directly |= object && names_place(look, object, NULL);
        if (number && (!naming.suspect || number < naming.suspect))
            naming.suspect = number;
        json_decref(object);
        said += length + (said[length] != 0);
    }
    return naming;
}

/* ---------------------------------------------------------------- one mutant */

static json_t *mutant_json(const struct fh_cli_mutation_report *report,
                           const struct fh_cli_mutant *mutant) {
    const json_t *kernel = kernel_of(report, mutant);
    const json_t *at = json_array_get(json_object_get(kernel, "places"), mutant->instruction);
    const char *text = json_string_value(
        json_object_get(json_array_get(report->programs, mutant->program), "text"));
    const char *name = json_string_value(json_object_get(kernel, "name"));
    const char *after = mutant->after + strspn(mutant->after, " ");
    const size_t blank = text ? strspn(text + mutant->line, " ") : 0;
    return json_pack("{s:s, s:I, s:O?, s:s, s:s%, s:s}", "kernel", name ? name : "", "pc",
                     (json_int_t)(mutant->instruction * sizeof(fhec_word)), "at", at, "edit",
                     mutant->kind, "before", text ? text + mutant->line + blank : "",
                     text ? mutant->length - blank : 0, "after", mutant->doubled ? "twice" : after);
}

static void print_mutant(const json_t *mutant, const char *verdict) {
    const char *at = json_string_value(json_object_get(mutant, "at"));
    printf("%s %s+0x%llx %s: %s\n  - %s\n  + %s\n", verdict,
           json_string_value(json_object_get(mutant, "kernel")),
           (unsigned long long)json_integer_value(json_object_get(mutant, "pc")), at ? at : "",
           json_string_value(json_object_get(mutant, "edit")),
           json_string_value(json_object_get(mutant, "before")),
           json_string_value(json_object_get(mutant, "after")));
}

void fh_cli_mutation_report_add(struct fh_cli_mutation_report *report,
                                const struct fh_cli_mutant *mutant, fhec_status status,
                                const char *said) {
    const struct looking look = {report, mutant,
                                 fh_cli_mutation_number(report->mutation, mutant->program,
                                                        mutant->kernel,
                                                        mutant->instruction * sizeof(fhec_word))};
    if (status == FHEC_HOST_ERROR) {
        fputs(said, stderr);
        report->failed++;
        return;
    }
    const bool detected = status != FHEC_OK;
    struct fh_cli_mutation_naming naming = {0};
    if (detected)
        naming = find_naming(&look, said);
    report->told++;
    report->detected += detected;
    report->directly += naming.directly;
    report->repaired += naming.repaired;
    report->elsewhere += naming.elsewhere && !naming.repaired;
    for (size_t i = 0; i < FH_CLI_MUTATION_SUSPECTS; i++)
        report->named[i] += naming.directly || (naming.suspect && naming.suspect <= i + 1);
    if (detected && !report->json)
        return;
    json_t *object = mutant_json(report, mutant);
    if (!object) {
        fh_cli_no_memory(report->cli);
        return;
    }
    if (report->json) {
        json_object_set_new(object, "verdict", json_string(detected ? "detected" : "survived"));
        json_object_set_new(object, "status", json_integer(status));
        json_object_set_new(object, "directly", json_boolean(naming.directly));
        json_object_set_new(object, "suspect", json_integer((json_int_t)naming.suspect));
        if (naming.repaired || naming.elsewhere)
            json_object_set_new(object, "repair",
                                json_string(naming.repaired ? "there" : "elsewhere"));
        json_object_set_new(object, "named", json_boolean(naming.directly || naming.suspect));
        json_dumpf(object, stdout, JSON_COMPACT);
        putchar('\n');
    } else {
        print_mutant(object, "SURVIVED");
    }
    fflush(stdout);
    json_decref(object);
}

static double percent(size_t part, size_t all) {
    return all ? 100.0 * (double)part / (double)all : 0;
}

void fh_cli_mutation_report_end(struct fh_cli_mutation_report *report, uint64_t seed,
                                size_t not_reached) {
    if (report->failed)
        fh_cli_error(report->cli, FHEC_HOST_ERROR, "%zu mutants could not be run", report->failed);
    const size_t *named = report->named, last = FH_CLI_MUTATION_SUSPECTS - 1;
    if (report->json) {
        json_t *object = json_pack(
            "{s:I, s:I, s:I, s:f, s:I, s:[I,I,I,I,I], s:I, s:I, s:I, s:f, s:I, s:I}", "mutants",
            (json_int_t)report->told, "detected", (json_int_t)report->detected, "survived",
            (json_int_t)(report->told - report->detected), "score",
            percent(report->detected, report->told), "directly", (json_int_t)report->directly,
            "suspects", (json_int_t)named[0], (json_int_t)named[1], (json_int_t)named[2],
            (json_int_t)named[3], (json_int_t)named[4], "repaired", (json_int_t)report->repaired,
            "repaired_elsewhere", (json_int_t)report->elsewhere, "named", (json_int_t)named[last],
            "named_score", percent(named[last], report->detected), "not_reached",
            (json_int_t)not_reached, "seed", (json_int_t)seed);
        json_dumpf(object, stdout, JSON_COMPACT);
        putchar('\n');
        json_decref(object);
        return;
    }
    if (not_reached)
        printf("%zu instructions of the kernels that ran are not reached: they are not mutated\n",
               not_reached);
    printf("%zu mutants (--seed %llu): %zu detected, %.1f %%; %zu survived\n", report->told,
           (unsigned long long)seed, report->detected, percent(report->detected, report->told),
           report->told - report->detected);
    printf("of those detected the place was named for %zu, %.1f %%: directly for %zu, as the first "
           "suspect for %zu more, as one of the others for %zu\n",
           named[last], percent(named[last], report->detected), report->directly,
           named[0] - report->directly, named[last] - named[0]);
    printf("an edit there makes the result right again for %zu, one elsewhere for %zu\n",
           report->repaired, report->elsewhere);
}
