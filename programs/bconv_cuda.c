/*
 * bconv_cuda.c - constants and the launch of bconv_cuda.sass. What the constants are is explained
 * in lib/convert_*.sass; those of CUDA cores become part of the kernel's text, as constant memory.
 */
#include "bconv_cuda.h"
#include "cuda_factor.h"
#include "residue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SOURCE_WORDS = 12, /* at most */
    TARGET_WORDS = 6,
    MOST_ROOM = 1 << 20,
    THREADS = 128,
    GME_REGISTERS = 128, /* MOST of the .sass file */
    CUDA_REGISTERS = 96,
};

struct conversion {
    const struct fh_bconv_params *params;
    unsigned words; /* of an element */
    bool gme, wide_source, wide_target;
    unsigned product, room;  /* PRODUCT, ROOM */
    unsigned crowd, excess;  /* CROWD, EXCESS */
    uint64_t *scale, *phat;  /* golden's phat_inverse and phat */
    char *text;              /* "constants.sass" */
    size_t length, capacity; /* of the text */
};

static uint64_t largest(size_t count, const uint64_t *moduli) {
    uint64_t most = 0;
    for (size_t i = 0; i < count; i++)
        most = moduli[i] > most ? moduli[i] : most;
    return most;
}

static unsigned least(fh_u128 x, unsigned most) {
    return x < most ? (unsigned)x : most;
}

static uint64_t times_2_to_64(uint64_t x, uint64_t q) {
    return (uint64_t)(((fh_u128)x << 64) % q);
}

static void set_shape(struct conversion *c) {
    const struct fh_bconv_params *params = c->params;
    fh_u128 p = largest(params->alpha, params->from), q = largest(params->target, params->to);
    fh_u128 all = (fh_u128)1 << 64;
    c->wide_source = p >> 31;
    c->wide_target = q >> 31;
    c->product = (unsigned)((p + (1 << 24) - 1) >> 24);
    c->room = least(((fh_u128)1 << 40) / q, MOST_ROOM);
    c->crowd = least(all / (p + q), FH_GOLDEN_MAX_LIMBS + 2);
    c->excess = (unsigned)((params->alpha * p + all - 1) / all);
}

/* ---------------------------------------------------------------- constants */

static void put64(uint32_t *words, uint64_t value) {
    words[0] = (uint32_t)value;
    words[1] = (uint32_t)(value >> 32);
}

/* One source's words; their number. */
static unsigned source_words(const struct conversion *c, size_t j, uint32_t *words) {
    uint64_t p = c->params->from[j], s = c->scale[j];
    if (c->gme) {
        put64(words, p);
        return c->words;
    }
    if (c->words == 2) {
        fh_factor_signed_64(p, s, words);
        fh_put_signed_64(words + 6, 0 - p);
        put64(words + 8, p);
        put64(words + 10, times_2_to_64(1, p));
        return 12;
    }
    fh_factor_times_32(p, s, !c->wide_source, words);
    return 4;
}

static unsigned target_words(const struct conversion *c, size_t i, uint32_t *words) {
    uint64_t q = c->params->to[i], inverse = fh_inverse_64(q);
    if (c->gme) {
        put64(words, q);
        return c->words;
    }
    if (c->words == 2) {
        words[0] = (uint32_t)(0 - inverse);
        words[1] = 0;
        put64(words + 2, q);
        put64(words + 4, c->excess * q);
        return 6;
    }
    if (c->wide_target) {
        put64(words, (0 - inverse) & UINT32_MAX);
        words[1] = (uint32_t)inverse;
        words[2] = (uint32_t)q;
        words[3] = 0;
    } else {
        put64(words, inverse);
        words[2] = (uint32_t)q;
        words[3] = (uint32_t)(0 - c->room / 512 * q);
    }
    return 4;
}

/* The factor of source j for target i as the unit takes it. */
static uint64_t factor(const struct conversion *c, size_t i, size_t j) {
    uint64_t q = c->params->to[i], x = c->phat[j * c->params->target + i];
    if (c->gme)
        return x;
    return times_2_to_64(c->words == 1 && !c->wide_target ? (q - x) % q : x, q);
}

/* ---------------------------------------------------------------- their text */

/* Room was made for all of it: append_words needs less than 12 bytes for a word, the rest of the
 * text less than 200. */
static void append(struct conversion *c, const char *line) {
    c->length += (size_t)snprintf(c->text + c->length, c->capacity - c->length, "%s\n", line);
}

static void append_words(struct conversion *c, const uint32_t *words, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        c->length += (size_t)snprintf(c->text + c->length, c->capacity - c->length, "%s%u%s",
                                      i ? "," : ".word ", words[i], i + 1 < count ? "" : "\n");
}

static void write_text(struct conversion *c) {
    const struct fh_bconv_params *params = c->params;
    uint32_t words[SOURCE_WORDS];
    append(c, ".constant sources");
    for (size_t j = 0; j < params->alpha; j++)
        append_words(c, words, source_words(c, j, words));
    append(c, ".constant targets");
    for (size_t i = 0; i < params->target; i++)
        append_words(c, words, target_words(c, i, words));
    append(c, ".macro FACTORS");
    if (!c->gme) {
        append(c, ".constant factors");
        for (size_t k = 0; k < params->alpha * params->target; k++) {
            put64(words, factor(c, k / params->alpha, k % params->alpha));
            append_words(c, words, c->words);
        }
    }
    append(c, ".endm");
}

static void free_constants(struct conversion *c) {
    free(c->scale);
    free(c->phat);
    free(c->text);
}

static fhec_status make_constants(struct conversion *c, struct fh_error *error) {
    const struct fh_bconv_params *params = c->params;
    const fh_golden_bases bases = {params->alpha, params->from, params->target, params->to};
    size_t products = params->alpha * params->target;
    c->capacity =
        200 + 18 * (SOURCE_WORDS * params->alpha + TARGET_WORDS * params->target + 2 * products);
    c->scale = fh_table(params->alpha, sizeof *c->scale);
    c->phat = fh_table(products, sizeof *c->phat);
    c->text = fh_table(c->capacity, 1);
    if (!c->scale || !c->phat || !c->text)
        return fh_fail_memory(error);
    fh_golden_status status = fh_golden_bconv_constants(&bases, c->scale, c->phat);
    if (status != FH_GOLDEN_OK)
        return fh_fail(error, FHEC_BAD_INPUT, "%s", fh_golden_status_text(status));
    write_text(c);
    return FHEC_OK;
}

/* The stream of factors for modular lane units, up to a whole vector. */
static fhec_status upload_stream(struct fh_guest *guest, const struct conversion *c,
                                 uint64_t *address) {
    const struct fh_bconv_params *params = c->params;
    size_t count = params->alpha * (1 + params->target), at = 0;
    size_t bytes = (count * c->words + 3) / 4 * 16;
    uint32_t *words = fh_table(bytes + 8, 1); /* a factor is written as two words */
    if (!words)
        return fh_fail_memory(guest->error);
    for (size_t j = 0; j < params->alpha; j++)
        put64(words + c->words * at++, c->scale[j]);
    for (size_t i = 0; i < params->target; i++)
        for (size_t j = 0; j < params->alpha; j++)
            put64(words + c->words * at++, factor(c, i, j));
    fhec_status status = fh_guest_table(guest, "factors", words, bytes, address);
    free(words);
    return status;
}

/* ---------------------------------------------------------------- the plan */

/* Elements of a thread: V of the .sass file. */
static size_t thread_elements(const struct conversion *c) {
    size_t alpha = c->params->alpha, most = c->gme ? GME_REGISTERS : CUDA_REGISTERS;
    if (c->gme && 8 * alpha <= most)
        return 8 / c->words;
    return (4 * alpha <= most ? 4 : 2 * alpha <= most || c->words == 2 ? 2 : 1) / c->words;
}

static fhec_status assemble(struct fh_guest *guest, const struct conversion *c) {
    const struct fh_define defines[] = {
        {"PLANNED", 1},
        {"N", (unsigned)c->params->n},
        {"ALPHA", (unsigned)c->params->alpha},
        {"TARGETS", (unsigned)c->params->target},
        {"GME", c->gme},
        {"WORDS", c->words},
        {"REDUCED", c->params->reduced},
        {"WIDE_SOURCE", c->wide_source},
        {"WIDE_TARGET", c->wide_target},
        {"PRODUCT", c->product},
        {"ROOM", c->room},
        {"CROWD", c->crowd},
        {"EXCESS", c->excess},
    };
    guest->constants = c->text;
    fhec_status status =
        fh_guest_assemble(guest, "bconv_cuda.sass", defines, sizeof defines / sizeof *defines);
    guest->constants = NULL;
    return status;
}

fhec_status fh_bconv_cuda(struct fh_plan *plan, const struct fh_bconv_params *params, bool gme,
                          unsigned words) {
    struct conversion c = {.params = params, .gme = gme, .words = words};
    uint64_t stream = 0;
    set_shape(&c);
    fhec_status status = make_constants(&c, plan->guest.error);
    if (status == FHEC_OK)
        status = assemble(&plan->guest, &c);
    if (status == FHEC_OK && gme)
        status = upload_stream(&plan->guest, &c, &stream);
    if (status == FHEC_OK) {
        size_t threads = params->n / thread_elements(&c);
        struct fh_step *step =
            fh_plan_step(plan, "bconv_cuda", (threads + THREADS - 1) / THREADS, 1, THREADS / 32);
        fh_step_in(step);
        fh_step_out(step);
        if (gme)
            fh_step_table(step, stream, 0);
    }
    free_constants(&c);
    return status;
}
