/*
 * findings_text.c - see findings_text.h.
 */
#include "findings_text.h"

#include <inttypes.h>
#include <string.h>

static bool is_warning(const struct fh_cli_findings_form *form, const struct fh_finding *f) {
    return form->warnings & FH_CHECK_BIT(fh_finding_checker(f->kind));
}

static const struct fh_cli_data *shape_of(const struct fh_cli_findings_form *form,
                                          const char *name) {
    const size_t i = form->memory ? fh_cli_memory_find(form->memory, name) : 0;
    return form->memory && i < form->memory->buffer_count ? &form->memory->buffers[i].data : NULL;
}

void fh_cli_finding_memory(const struct fh_cli_findings_form *form, const struct fh_finding *f,
                           char *text, size_t size) {
    const struct fh_cli_data *data = f->object.name ? shape_of(form, f->object.name) : NULL;
    const uint64_t width = data && data->width ? data->width : 4;
    const uint64_t index = f->object.offset / width;
    *text = 0;
    if (!f->has_memory)
        return;
    if (!f->object.name)
        snprintf(text, size, "%s memory at 0x%" PRIx64, fhec_space_name(f->space), f->address);
    else if (f->object.offset % width)
        snprintf(text, size, "%s+%" PRIu64, f->object.name, f->object.offset);
    else if (data && data->dims == 2 && data->shape[1])
        snprintf(text, size, "%s[%" PRIu64 ", %" PRIu64 "]", f->object.name, index / data->shape[1],
                 index % data->shape[1]);
    else
        snprintf(text, size, "%s[%" PRIu64 "]", f->object.name, index);
}

static void print_place(FILE *to, const struct fh_place *at, const struct fh_place_source *source) {
    fprintf(to, "kernel %s, pc 0x%04" PRIx64 ", block (%u,%u,%u), warp %u, lanes 0x%08" PRIx32 "\n",
            source->kernel ? source->kernel : "?", at->pc, at->block[0], at->block[1], at->block[2],
            at->warp, at->lanes);
}

static void print_computing(FILE *to, const struct fh_finding *f) {
    for (uint32_t i = 0; i < f->computed_count; i++) {
        const struct fh_computing *by = &f->computed_by[i];
        const char *begin = i ? ", " : "    computed by: ";
        if (!by->at.file)
            fprintf(to, "%spc 0x%04" PRIx64, begin, by->pc);
        else if (i && f->computed_by[i - 1].at.file &&
                 strcmp(by->at.file, f->computed_by[i - 1].at.file) == 0)
            fprintf(to, "%s%" PRIu32, begin, by->at.line);
        else
            fprintf(to, "%s%s:%" PRIu32, begin, by->at.file, by->at.line);
    }
    if (f->computed_count)
        fputc('\n', to);
}

void fh_cli_print_finding(FILE *to, const struct fh_cli_findings_form *form,
                          const struct fh_finding *f) {
    const bool warning = is_warning(form, f), color = form->cli->color;
    char memory[200];
    if (f->source.location && *f->source.location)
        fprintf(to, "%s: ", f->source.location);
    else if (f->source.kernel)
        fprintf(to, "%s+0x%" PRIx64 ": ", f->source.kernel, f->at.pc);
    fprintf(to, "%s%s[%s]:%s %s: %s\n", color ? warning ? "\033[1;35m" : "\033[1;31m" : "",
            warning ? "warning" : "error", fh_finding_id(f->kind), color ? "\033[0m" : "",
            fh_checker_name(fh_finding_checker(f->kind)), f->message);
    if (f->source.text) {
        fprintf(to, "    %s\n    ", f->source.text);
        print_place(to, &f->at, &f->source);
    }
    fh_cli_finding_memory(form, f, memory, sizeof memory);
    if (*memory)
        fprintf(to, "    memory: %s\n", memory);
    if (f->other_source.text) {
        fprintf(to, "    %s: %s%s%s\n        ", f->role ? f->role : "with", f->other_source.text,
                *f->other_source.location ? "  " : "", f->other_source.location);
        print_place(to, &f->other, &f->other_source);
    }
    print_computing(to, f);
    if (f->count > 1)
        fprintf(to, "    %" PRIu64 " times\n", f->count);
}

/* ---------------------------------------------------------------- JSON */

static void set_line(json_t *object, const struct fh_place_source *source) {
    const bool known = source->line_count;
    json_object_set_new(object, "file", known ? json_string(source->lines[0].file) : json_null());
    json_object_set_new(object, "line", known ? json_integer(source->lines[0].line) : json_null());
    if (known && source->line_count > 1) /* a macro's line says little without them */
        json_object_set_new(object, "location", json_string(source->location));
}

static json_t *place_json(const struct fh_place *at, const struct fh_place_source *source) {
    json_t *object = json_pack("{s:s?, s:I, s:[i,i,i], s:i, s:I, s:s?}", "kernel", source->kernel,
                               "pc", (json_int_t)at->pc, "block", (int)at->block[0],
                               (int)at->block[1], (int)at->block[2], "warp", (int)at->warp, "lanes",
                               (json_int_t)at->lanes, "instruction", source->text);
    if (object)
        set_line(object, source);
    return object;
}

static json_t *computing_json(const struct fh_finding *f) {
    json_t *list = json_array();
    for (uint32_t i = 0; list && i < f->computed_count; i++) {
        const struct fh_computing *by = &f->computed_by[i];
        json_t *line = by->at.file ? json_integer(by->at.line) : json_null();
        json_array_append_new(list, json_pack("{s:s?, s:o, s:I}", "file", by->at.file, "line", line,
                                              "pc", (json_int_t)by->pc));
    }
    return list;
}

json_t *fh_cli_finding_json(const struct fh_cli_findings_form *form, const struct fh_finding *f) {
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:s, s:I, s:I}", "severity", is_warning(form, f) ? "warning" : "error",
        "check", fh_checker_name(fh_finding_checker(f->kind)), "id", fh_finding_id(f->kind),
        "message", f->message, "count", (json_int_t)f->count, "launch", (json_int_t)f->at.launch);
    json_t *place = object ? place_json(&f->at, &f->source) : NULL;
    if (!place || json_object_update(object, place) != 0) {
        json_decref(place);
        json_decref(object);
        return NULL;
    }
    json_decref(place);
    if (f->has_memory) {
        char memory[200];
        fh_cli_finding_memory(form, f, memory, sizeof memory);
        json_object_set_new(object, "memory", json_string(memory));
        json_object_set_new(object, "space", json_string(fhec_space_name(f->space)));
        json_object_set_new(object, "address", json_integer((json_int_t)f->address));
    }
    if (f->other_source.text) {
        json_t *other = place_json(&f->other, &f->other_source);
        if (other && f->role)
            json_object_set_new(other, "role", json_string(f->role));
        json_object_set_new(object, "other", other);
    }
    if (f->computed_count)
        json_object_set_new(object, "computed_by", computing_json(f));
    return object;
}
