/*
 * profile.c - sorts executed instructions by class and by part.
 */
#include "profile.h"

#include "guest.h"

#include <string.h>

static const struct {
    const char *name; /* of the instruction set */
    enum fh_class klass;
} members[] = {
    {"matrix", FH_CLASS_MATRIX},   {"modular", FH_CLASS_MODULAR},  {"integer", FH_CLASS_INTEGER},
    {"move", FH_CLASS_INTEGER},    {"convert", FH_CLASS_INTEGER},  {"float", FH_CLASS_INTEGER},
    {"memory", FH_CLASS_MEMORY},   {"crosslane", FH_CLASS_MEMORY}, {"control", FH_CLASS_CONTROL},
    {"uniform", FH_CLASS_UNIFORM},
};
enum { MEMBERS = sizeof members / sizeof *members };

const char *fh_class_member(size_t index, enum fh_class *klass) {
    if (index >= MEMBERS)
        return NULL;
    *klass = members[index].klass;
    return members[index].name;
}

const char *fh_class_name(enum fh_class klass) {
    static const char *const names[FH_CLASSES] = {"matrix", "modular", "integer",
                                                  "memory", "control", "uniform"};
    return names[klass];
}

const char *fh_part_name(enum fh_part part) {
    static const char *const names[FH_PARTS] = {"transforms", "conversions", "elements"};
    return names[part];
}

/* Kernels of a family begin alike; whatever is neither family works element by element. */
static enum fh_part part_of(const char *file) {
    if (strncmp(file, "ntt", 3) == 0)
        return FH_PART_TRANSFORM;
    return strncmp(file, "bconv", 5) == 0 ? FH_PART_CONVERSION : FH_PART_ELEMENTS;
}

static bool find_class(const char *name, enum fh_class *klass) {
    for (size_t i = 0; i < MEMBERS; i++)
        if (strcmp(members[i].name, name) == 0) {
            *klass = members[i].klass;
            return true;
        }
    return false;
}

static void add(struct fh_collector *collector, struct fh_part_profile *part,
                const fhec_count *count) {
    enum fh_class klass = FH_CLASS_INTEGER;
    if (!find_class(count->klass, &klass))
        collector->unknown = count->klass;
    part->warp[klass] += count->warp;
    part->thread[klass] += count->thread;
    if (strncmp(count->mnemonic, "IMAD", 4) == 0 && !strstr(count->mnemonic, ".SHL") &&
        !strstr(count->mnemonic, ".MOV"))
        part->multiply_adds += count->warp;
    if (strncmp(count->mnemonic, "LDG", 3) == 0 || strncmp(count->mnemonic, "STG", 3) == 0) {
        part->accesses += count->warp;
        if (strstr(count->mnemonic, ".128"))
            part->wide_accesses += count->warp;
    }
}

static void launched(void *user, const char *file, const char *kernel) {
    struct fh_collector *collector = user;
    struct fh_part_profile *part = &collector->profile.part[part_of(file)];
    fhec_stats stats;
    (void)kernel;
    fhec_status status = fhec_machine_stats(collector->machine, &stats);
    if (status != FHEC_OK) {
        collector->status = status;
        return;
    }
    for (size_t i = 0; i < stats.count_count; i++)
        add(collector, part, &stats.counts[i]);
    part->launches += stats.launches;
    fhec_machine_clear_stats(collector->machine);
}

struct fh_run_options fh_profile_begin(struct fh_collector *collector, fhec_machine *machine,
                                       const struct fh_run_options *options) {
    struct fh_run_options hooked = *options;
    *collector = (struct fh_collector){.machine = machine};
    hooked.launched = launched;
    hooked.launched_user = collector;
    fhec_machine_count(machine, true);
    fhec_machine_clear_stats(machine);
    return hooked;
}

void fh_profile_restart(struct fh_collector *collector) {
    memset(&collector->profile, 0, sizeof collector->profile);
    fhec_machine_clear_stats(collector->machine);
}

fhec_status fh_profile_end(const struct fh_collector *collector, struct fh_profile *profile,
                           struct fh_error *error) {
    *profile = collector->profile;
    if (collector->unknown)
        return fh_fail(error, FHEC_HOST_ERROR, "the report has no column for the class \"%s\"",
                       collector->unknown);
    if (collector->status != FHEC_OK)
        return fh_fail(error, collector->status, "the machine's counts could not be read");
    return FHEC_OK;
}

struct fh_part_profile fh_profile_sum(const struct fh_profile *profile) {
    struct fh_part_profile sum = {.launches = 0};
    for (unsigned p = 0; p < FH_PARTS; p++) {
        const struct fh_part_profile *part = &profile->part[p];
        for (unsigned k = 0; k < FH_CLASSES; k++) {
            sum.warp[k] += part->warp[k];
            sum.thread[k] += part->thread[k];
        }
        sum.launches += part->launches;
        sum.accesses += part->accesses;
        sum.wide_accesses += part->wide_accesses;
        sum.multiply_adds += part->multiply_adds;
    }
    return sum;
}

uint64_t fh_profile_warp(const struct fh_part_profile *part) {
    uint64_t sum = 0;
    for (unsigned k = 0; k < FH_CLASSES; k++)
        sum += part->warp[k];
    return sum;
}

uint64_t fh_profile_thread(const struct fh_part_profile *part) {
    uint64_t sum = 0;
    for (unsigned k = 0; k < FH_CLASSES; k++)
        sum += part->thread[k];
    return sum;
}
