/*
 * expectations.c - see expectations.h.
 */
#include "expectations.h"
#include "expression_text.h"

#include <stdio.h>
#include <string.h>

/* What an expectation is about: elements in registers. */
struct subject {
    const struct fh_origin_scene *scene;
    const fhec_expectation *e;
    const struct fh_fragment_shape *shape; /* NULL: whole registers, row by row */
    const fhec_operand *operand;           /* NULL: a register */
    bool uniform;
    uint32_t reg, registers; /* reg FHEC_NO_REGISTER: RZ */
};

/* One element of it. */
struct element {
    uint32_t row, column, lane, reg, bit;
};

bool fh_expectation_at(const fhec_launch *launch, uint64_t pc, size_t index, fhec_expectation *e) {
    const uint64_t word = pc / sizeof(fhec_word);
    size_t low = 0, high = 1;
    while (fhec_kernel_expectation(launch->program, launch->kernel, high - 1, e) && e->word < word)
        high *= 2;
    while (low < high) { /* the first that is not of an earlier word */
        const size_t middle = low + (high - low) / 2;
        if (fhec_kernel_expectation(launch->program, launch->kernel, middle, e) && e->word < word)
            low = middle + 1;
        else
            high = middle;
    }
    for (; fhec_kernel_expectation(launch->program, launch->kernel, low, e) && e->word == word;
         low++)
        if (e->contract == FHEC_CONTRACT_OPERAND && index-- == 0)
            return true;
    return false;
}

bool fh_expectation_names(const char *name, const fhec_operand *operand) {
    return strcmp(operand->name, name) == 0 ||
           (strcmp(operand->name, "Rd") == 0 && strcmp(name, "D") == 0);
}

static const fhec_operand *operand_named(const fhec_instruction *in, const char *name) {
    for (uint32_t i = 0; name && i < in->operand_count; i++)
        if (fh_expectation_names(name, &in->operands[i]))
            return &in->operands[i];
    return NULL;
}

bool fh_expectation_is_about_result(const fhec_expectation *e, const fhec_instruction *in) {
    const fhec_operand *o = operand_named(in, e->operand);
    return o && o->written && !o->read;
}

/* False for what has no registers: nothing can be said of it. */
static bool find_subject(struct subject *s) {
    const fhec_operand *o = s->operand = operand_named(s->scene->instruction, s->e->operand);
    if (!s->e->operand) {
        s->uniform = s->e->uniform;
        s->reg = s->e->reg;
        s->registers = 1;
        return true;
    }
    if (!o || (o->kind != FHEC_OPERAND_REGISTER && o->kind != FHEC_OPERAND_UNIFORM))
        return false;
    s->uniform = o->kind == FHEC_OPERAND_UNIFORM;
    s->reg = o->reg;
    s->registers = o->count ? o->count : 1;
    if (s->uniform || !o->has_layout)
        s->shape = NULL;
    return true;
}

static uint32_t element_count(const struct subject *s) {
    return s->shape ? s->shape->count : s->uniform ? s->registers : s->registers * FHEC_WARP_LANES;
}

static struct element element_at(const struct subject *s, uint32_t index) {
    if (!s->shape) {
        const uint32_t lanes = s->uniform ? 1 : FHEC_WARP_LANES, row = index / lanes;
        return (struct element){row, 0, index % lanes, row, 0};
    }
    const struct fh_fragment_place place = s->shape->place[index];
    const uint32_t columns = s->shape->layout.columns;
    return (struct element){index / columns, index % columns, place.lane, place.reg, place.bit};
}

static uint32_t bits_of(const struct subject *s) {
    return s->shape ? s->shape->layout.bits : 32;
}

/* The origin of an element, as the shadow has it. */
static struct fh_element_origin origin_of(const struct subject *s, const struct element *x) {
    const struct fh_warp_shadow *w = s->scene->warp;
    struct fh_element_origin origin = {fh_origin_make(FH_ORIGIN_NUMBER, 0), x->bit % 8};
    fh_origin_bytes bytes;
    if (s->reg == FHEC_NO_REGISTER)
        return origin;
    if (s->uniform) {
        origin.origin = w->ur[s->reg + x->reg];
        return origin;
    }
    fh_shadow_get_bytes(w, s->reg + x->reg, x->lane, bytes);
    const uint32_t first = x->bit / 8, bits = bits_of(s);
    origin.origin = bytes[first];
    for (uint32_t k = 1; k < (bits < 32 ? bits : 32) / 8; k++)
        if (bytes[first + k] != fh_origin_byte(bytes[first], k))
            origin.origin = fh_origin_make(FH_ORIGIN_MIXED, 0);
    return origin;
}

static bool value_of(const struct subject *s, const struct element *x, uint64_t *value) {
    uint32_t lanes[FHEC_WARP_LANES], bits = bits_of(s);
    *value = 0;
    if (s->reg == FHEC_NO_REGISTER)
        return true;
    if (!fh_moment_register(s->scene->moment, s->uniform ? FHEC_FILE_UR : FHEC_FILE_R,
                            s->reg + x->reg, lanes))
        return false;
    *value = lanes[s->uniform ? 0 : x->lane] >> x->bit;
    if (bits < 32)
        *value &= (1u << bits) - 1;
    if (bits == 64 && fh_moment_register(s->scene->moment, FHEC_FILE_R, s->reg + x->reg + 1, lanes))
        *value |= (uint64_t)lanes[x->lane] << 32;
    return true;
}

/* The modulus with which the instruction works in that column or lane. */
static bool find_modulus(const struct subject *s, const struct element *x, uint32_t *modulus) {
    const fhec_operand *m = operand_named(s->scene->instruction, "M");
    uint32_t lanes[FHEC_WARP_LANES];
    if (!m || m->reg == FHEC_NO_REGISTER ||
        (m->kind != FHEC_OPERAND_REGISTER && m->kind != FHEC_OPERAND_UNIFORM))
        return false;
    const bool uniform = m->kind == FHEC_OPERAND_UNIFORM;
    if (!fh_moment_register(s->scene->moment, uniform ? FHEC_FILE_UR : FHEC_FILE_R, m->reg, lanes))
        return false;
    *modulus = lanes[uniform ? 0 : m->has_layout ? 4 * x->column % FHEC_WARP_LANES : x->lane];
    return true;
}

/* Where the expected buffer begins; false: it is not known yet, so nothing can be from there. */
static bool buffer_base(const struct subject *s, uint64_t *space, uint64_t *base) {
    const char *name = s->e->buffer;
    *space = FH_ORIGIN_GLOBAL;
    if (fh_launch_parameter(s->scene->moment->launch, name, base))
        return true;
    const struct fh_origin_buffer *buffer = fh_origins_buffer_named(s->scene->origins, name);
    if (buffer) {
        *base = buffer->base;
        return true;
    }
    *base = 0;
    *space = strcmp(name, "shared") == 0 ? FH_ORIGIN_SHARED : FH_ORIGIN_LOCAL;
    return strcmp(name, "shared") == 0 || strcmp(name, "local") == 0;
}

/* Whether the element is as expected; `want` is what the expression amounts to. */
static bool holds(const struct subject *s, const struct element *x, __int128 want) {
    uint64_t space, base, value;
    __int128 place;
    if (s->e->relation == FHEC_EXPECT_PLACE) {
        const struct fh_element_origin is = origin_of(s, x);
        if (__builtin_mul_overflow(want, (__int128)bits_of(s), &place))
            return false;
        return buffer_base(s, &space, &base) && fh_element_is_placed(&is) &&
               fh_origin_space(is.origin) == space &&
               fh_element_bit(&is) - (__int128)8 * base == place;
    }
    if (!value_of(s, x, &value))
        return false;
    const __int128 end = (__int128)1
                         << bits_of(s); /* a negative number is there without its sign */
    switch (s->e->relation) {
    case FHEC_EXPECT_BELOW: return value < want;
    case FHEC_EXPECT_AT_MOST: return value <= want;
    default: return value == (want < 0 && want >= -end / 2 ? want + end : want);
    }
}

/* ---------------------------------------------------------------- the sentence */

static int element_text(const struct subject *s, const struct element *x, char *text, size_t size) {
    if (s->shape)
        return snprintf(text, size, "%s[%u][%u], in lane %u, R%u,", s->e->operand, x->row,
                        x->column, x->lane, s->reg + x->reg);
    if (s->uniform)
        return snprintf(text, size, "UR%u", s->reg + x->reg);
    return snprintf(text, size, "R%u of lane %u", s->reg + x->reg, x->lane);
}

/* In decimal, if it is not so large that nobody reads it. */
static void number_text(__int128 number, char *text, size_t size) {
    const struct fh_wide wide = fh_wide_of(number);
    char digits[FH_INTEGER_TEXT];
    if (number < FH_INTEGER_LEAST || number > FH_INTEGER_MOST) {
        fh_wide_text(&wide, text, size);
        return;
    }
    fh_integer_text(number, digits);
    snprintf(text, size, "%s", digits);
}

/* "x[3]", "7", "below 12": what is wanted; and what is there instead. */
static void sides(const struct subject *s, const struct element *x, bool known, __int128 want,
                  char *wanted, char *there, size_t size) {
    static const char *const words[] = {[FHEC_EXPECT_VALUE] = "",
                                        [FHEC_EXPECT_BELOW] = "below ",
                                        [FHEC_EXPECT_AT_MOST] = "at most "};
    uint64_t value;
    char number[36];
    number_text(want, number, sizeof number);
    if (s->e->relation == FHEC_EXPECT_PLACE) {
        const struct fh_element_origin is = origin_of(s, x);
        fh_origin_text(s->scene->origins, is.origin, bits_of(s), is.bit, there, size);
        snprintf(wanted, size, "%.40s[%s]", s->e->buffer, number);
    } else {
        snprintf(wanted, size, "%s%s", words[s->e->relation], number);
        if (value_of(s, x, &value))
            snprintf(there, size, "%llu", (unsigned long long)value);
    }
    if (!known)
        snprintf(wanted, size, "what has no value");
}

/* "; B[i][j] = b[8*j + i] is what it holds". */
static void found_map(const struct subject *s, char *text, size_t size) {
    struct fh_fragment fragment = {0};
    struct fh_fragment_map map;
    char is[120];
    if (s->e->relation != FHEC_EXPECT_PLACE || !s->shape || s->reg == FHEC_NO_REGISTER ||
        !fh_fragment_make(&fragment, s->shape))
        return;
    fh_fragment_gather(&fragment, s->scene->warp, s->reg);
    if (fh_fragment_fit(&fragment, &map) && map.found) {
        fh_fragment_map_text(s->scene->origins, &fragment, &map, is, sizeof is);
        snprintf(text, size, "; %s[i][j] = %.100s is there", s->e->operand, is);
    }
    fh_fragment_free(&fragment);
}

static void tell(const struct subject *s, const struct element *x, bool known, __int128 want,
                 const struct fh_unexpected *u, char *message) {
    char element[80], wanted[80], there[80] = "unknown", map[160] = "", count[48] = "";
    element_text(s, x, element, sizeof element);
    sides(s, x, known, want, wanted, there, sizeof there);
    found_map(s, map, sizeof map);
    if (u->of > 1)
        snprintf(count, sizeof count, "; so are %u of %u elements", u->count, u->of);
    snprintf(message, FH_FINDING_MESSAGE,
             "%.60s is expected to be %.60s, and is %.60s%s%.120s "
             "(.expect %.60s)",
             element, wanted, there, u->count > 1 ? count : "", map, s->e->text);
}

bool fh_expectation_holds(const struct fh_origin_scene *scene, const fhec_expectation *e,
                          const struct fh_fragment_shape *shape, struct fh_unexpected *u,
                          char *message) {
    struct subject s = {.scene = scene, .e = e, .shape = shape};
    struct element first = {0};
    __int128 want_first = 0;
    bool known_first = true;
    *u = (struct fh_unexpected){.reg = FHEC_NO_REGISTER, .which = u->which};
    if (!find_subject(&s))
        return true;
    const uint32_t count = element_count(&s);
    for (uint32_t k = 0; k < count; k++) {
        const struct element x = element_at(&s, k);
        struct fh_term_names names = {scene->moment, x.row, x.column, x.lane, false, 0};
        __int128 want = 0;
        if (!s.uniform && !(scene->moment->active >> x.lane & 1))
            continue;
        u->of++;
        names.has_modulus = find_modulus(&s, &x, &names.modulus);
        const bool known = fh_term_value(e, &names, &want);
        if (known && holds(&s, &x, want))
            continue;
        if (u->count++ == 0 || x.reg < first.reg || (x.reg == first.reg && x.lane < first.lane)) {
            first = x;
            want_first = want;
            known_first = known;
        }
        u->lanes |= 1u << x.lane;
        if (u->which && s.shape)
            u->which[k] = true;
    }
    if (!u->count)
        return true;
    if (!s.uniform && s.reg != FHEC_NO_REGISTER)
        u->reg = s.reg + first.reg;
    u->lane = first.lane;
    tell(&s, &first, known_first, want_first, u, message);
    return false;
}
