/*
 * test_data.c - the data of a test case: generated, written out, or from a file.
 */
#include "test_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data_file.h"
#include "elements.h"
#include "golden.h"
#include "options.h"
#include "test_line.h"

const struct fh_cli_test_value *fh_cli_test_find(const struct fh_cli_test_value *values,
                                                 size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (!strcmp(values[i].name, name))
            return &values[i];
    return NULL;
}

static fhec_status from_values(const struct fh_cli *cli, const struct fh_cli_test_line *line,
                               struct fh_cli_test_value *value) {
    uint64_t *list;
    size_t count;
    if (line->count < 5)
        return fh_cli_test_error(cli, line, "values: which?");
    fhec_status status = fh_cli_test_end(cli, line, 5);
    if (status == FHEC_OK)
        status = fh_cli_test_list(cli, line, line->words[4], &list, &count);
    if (status != FHEC_OK)
        return status;
    if (count == value->count)
        memcpy(value->elements, list, count * sizeof *list);
    else
        status = fh_cli_test_error(cli, line, "%zu values for %zu elements", count, value->count);
    free(list);
    return status;
}

static fhec_status from_file(const struct fh_cli *cli, const struct fh_cli_test_line *line,
                             struct fh_cli_test_value *value) {
    struct fh_cli_data data;
    char *path = line->count > 4 ? fh_cli_test_path(line, line->words[4]) : NULL;
    if (!path)
        return fh_cli_test_error(cli, line, "file: which?");
    fhec_status status = fh_cli_test_end(cli, line, 5);
    if (status == FHEC_OK)
        status = fh_cli_data_read(cli, path, value->width, &data);
    free(path);
    if (status != FHEC_OK)
        return status;
    if (data.count == value->count)
        for (size_t i = 0; i < data.count; i++)
            value->elements[i] = fh_cli_data_get(&data, i);
    else
        status = fh_cli_test_error(cli, line, "%s has %zu elements; expected %zu", line->words[4],
                                   data.count, value->count);
    fh_cli_data_free(&data);
    return status;
}

static fhec_status from_moduli(const struct fh_cli *cli, const struct fh_cli_test_line *line,
                               struct fh_cli_test_value *value) {
    uint64_t *list;
    size_t count;
    if (line->count < 5 || value->width != 4)
        return fh_cli_test_error(cli, line, "moduli: expected u32 and a list");
    fhec_status status = fh_cli_test_end(cli, line, 5);
    if (status == FHEC_OK)
        status = fh_cli_test_list(cli, line, line->words[4], &list, &count);
    if (status != FHEC_OK)
        return status;
    if (value->count != 4 * count)
        status = fh_cli_test_error(cli, line, "%zu moduli take %zu elements, not %zu", count,
                                   4 * count, value->count);
    for (size_t i = 0; i < count && status == FHEC_OK; i++) {
        if (list[i] < 2 || list[i] > UINT32_MAX) {
            status = fh_cli_test_error(cli, line, "a modulus lies from 2 to 2^32 - 1");
            break;
        }
        uint64_t mu = fh_golden_barrett_mu((uint32_t)list[i]);
        value->elements[4 * i] = list[i];
        value->elements[4 * i + 1] = 0;
        value->elements[4 * i + 2] = (uint32_t)mu;
        value->elements[4 * i + 3] = mu >> 32;
    }
    free(list);
    return status;
}

/* Full-width random elements: no modulus. */
static void random_words(struct fh_cli_test_value *value, uint64_t seed) {
    for (size_t i = 0; i < value->count; i++) {
        value->elements[i] = fh_golden_random_word(seed, 0, i);
        if (value->width == 4)
            value->elements[i] >>= 32;
    }
}

static fhec_status from_pattern(const struct fh_cli *cli, const struct fh_cli_test_line *line,
                                fh_golden_pattern pattern, struct fh_cli_test_value *value) {
    const char *below = fh_cli_test_option(line, 4, "below");
    const char *seed_text = fh_cli_test_option(line, 4, "seed");
    uint64_t seed = 1, *q, full = value->width == 4 ? UINT64_C(1) << 32 : UINT64_MAX;
    size_t limbs;
    if (seed_text && !fh_cli_number(seed_text, &seed))
        return fh_cli_test_error(cli, line, "seed \"%s\" is not a number", seed_text);
    if (!below && pattern == FH_GOLDEN_RANDOM) {
        random_words(value, seed);
        return FHEC_OK;
    }
    if (!below && pattern != FH_GOLDEN_RAMP)
        return fh_cli_test_error(cli, line, "%s needs `below Q`", line->words[3]);
    char number[32];
    snprintf(number, sizeof number, "%llu", (unsigned long long)full);
    fhec_status status = fh_cli_test_list(cli, line, below ? below : number, &q, &limbs);
    if (status != FHEC_OK)
        return status;
    for (size_t j = 0; j < limbs && status == FHEC_OK; j++)
        if (q[j] < 1 || q[j] > full)
            status = fh_cli_test_error(cli, line, "values below %llu do not fit u%u",
                                       (unsigned long long)q[j], value->width * 8);
    if (status == FHEC_OK && value->count % limbs)
        status = fh_cli_test_error(cli, line, "%zu elements are not %zu equal limbs", value->count,
                                   limbs);
    if (status == FHEC_OK && fh_golden_generate_limbs(pattern, seed, limbs, q, value->count / limbs,
                                                      value->elements) != FH_GOLDEN_OK)
        status = fh_cli_test_error(cli, line, "these elements cannot be generated");
    free(q);
    return status;
}

fhec_status fh_cli_test_source(const struct fh_cli *cli, const struct fh_cli_test_line *line,
                               struct fh_cli_test_value *value) {
    static const struct {
        const char *name;
        fh_golden_pattern pattern;
    } patterns[] = {
        {"random", FH_GOLDEN_RANDOM},           {"max", FH_GOLDEN_ALL_MAX},
        {"one-hot", FH_GOLDEN_ONE_HOT},         {"ramp", FH_GOLDEN_RAMP},
        {"alternating", FH_GOLDEN_ALTERNATING},
    };
    static const char *const names[] = {"random", "max",    "one-hot", "ramp",   "alternating",
                                        "zeros",  "values", "file",    "moduli", NULL};
    static const char *const seeded[] = {"below", "seed", NULL};
    static const char *const plain[] = {"below", NULL};
    const char *source = line->words[3];
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        if (strcmp(source, patterns[i].name) != 0)
            continue;
        bool draws =
            patterns[i].pattern == FH_GOLDEN_RANDOM || patterns[i].pattern == FH_GOLDEN_ONE_HOT;
        fhec_status status = fh_cli_test_options(cli, line, 4, draws ? seeded : plain);
        return status == FHEC_OK ? from_pattern(cli, line, patterns[i].pattern, value) : status;
    }
    if (!strcmp(source, "zeros"))
        return fh_cli_test_end(cli, line, 4);
    if (!strcmp(source, "values"))
        return from_values(cli, line, value);
    if (!strcmp(source, "file"))
        return from_file(cli, line, value);
    if (!strcmp(source, "moduli"))
        return from_moduli(cli, line, value);
    return fh_cli_test_unknown(cli, line, "source of data", source, names);
}
