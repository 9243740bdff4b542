/*
 * slice_matrix.c - elements of matrix instructions: which row and column made them, and what these
 * give, in plain integers.
 */
#include "slicing.h"

#include <stdio.h>
#include <string.h>

enum { MOST_INNER = 256 };

/* An operand that is a fragment. */
struct fragment {
    const fhec_operand *operand;
    fhec_layout layout;
};

struct product {
    struct fh_slicing *s;
    const fhec_instruction *instruction;
    uint32_t step;
    struct fragment a, b, c;
    fhec_element at;
    bool known; /* all values are */
};

static bool find_fragment(const fhec_instruction *instruction, const char *name,
                          struct fragment *fragment) {
    fragment->operand = fh_slicing_operand(instruction, name);
    return fragment->operand && fragment->operand->has_layout &&
           fhec_layout_get(fragment->operand->layout, &fragment->layout);
}

/* The element of a fragment, with an edge to its register; sets its bits. Elements that share a
 * register share the edge, which has the name of the first. */
static uint64_t element(struct product *p, const struct fragment *fragment, uint32_t row,
                        uint32_t column) {
    fhec_place place;
    char role[FH_SLICE_ROLE];
    uint32_t value = 0;
    if (fhec_layout_place(fragment->operand->layout, (fhec_element){row, column}, &place) !=
        FHEC_OK) {
        p->known = false;
        return 0;
    }
    if (fragment->operand->reg == FHEC_NO_REGISTER)
        return 0;
    const uint32_t bits = fragment->layout.bits, reg = fragment->operand->reg + place.reg;
    snprintf(role, sizeof role, "%s[%u][%u]", fragment->operand->name, row, column);
    p->known &= fh_slicing_register(p->s, p->step, FHEC_FILE_R, reg, place.lane, role, &value) &&
                bits <= 32;
    return bits < 32 ? value >> (place.slot * bits) & ((1U << bits) - 1) : value;
}

/* The modulus of FHEC for a column; 0: unknown. */
static uint32_t modulus(struct product *p) {
    const fhec_operand *m = fh_slicing_operand(p->instruction, "M");
    uint32_t q = 0;
    if (!m || m->reg == FHEC_NO_REGISTER)
        return 0;
    const bool uniform = m->kind == FHEC_OPERAND_UNIFORM;
    const uint32_t lane = uniform ? 0 : 4 * p->at.column;
    if (!fh_slicing_register(p->s, p->step, uniform ? FHEC_FILE_UR : FHEC_FILE_R, m->reg, lane, "q",
                             &q))
        return 0;
    return q;
}

/* Sign of a factor: "IMMA.16816.U8.S8": the second last and the last type. */
static bool is_signed(const fhec_instruction *instruction, unsigned which) {
    const char *at = instruction->mnemonic;
    for (unsigned n = 0; (at = strchr(at, '.')) != NULL; at++)
        if ((at[1] == 'U' || at[1] == 'S') && (at[2] == '8' || at[2] == '4') && n++ == which)
            return at[1] == 'S';
    return false;
}

static int64_t extended(uint64_t bits, uint32_t width, bool negative) {
    return negative && bits >> (width - 1) & 1 ? (int64_t)bits - ((int64_t)1 << width)
                                               : (int64_t)bits;
}

/* The result; false: it is not computed for this instruction, or not known. */
static bool compute(struct product *p, const uint64_t *a, const uint64_t *b, uint32_t inner,
                    uint64_t c, uint64_t *result) {
    const char *mnemonic = p->instruction->mnemonic;
    if (!strncmp(mnemonic, "FHEC.", 5)) {
        const uint32_t q = modulus(p);
        unsigned __int128 sum = c;
        for (uint32_t k = 0; k < inner; k++)
            sum += (unsigned __int128)a[k] * b[k];
        *result = q ? (uint64_t)(sum % q) : 0;
        return q != 0 && p->known;
    }
    if (strncmp(mnemonic, "IMMA.", 5) != 0 || strstr(mnemonic, ".SP"))
        return false;
    int64_t sum = extended(c, 32, true);
    for (uint32_t k = 0; k < inner; k++)
        sum += extended(a[k], p->a.layout.bits, is_signed(p->instruction, 0)) *
               extended(b[k], p->b.layout.bits, is_signed(p->instruction, 1));
    if (strstr(mnemonic, ".SAT") && (sum > INT32_MAX || sum < INT32_MIN))
        sum = sum > 0 ? INT32_MAX : INT32_MIN;
    *result = (uint32_t)sum;
    return p->known;
}

bool fh_slicing_matrix(struct fh_slicing *s) {
    struct fh_slice_node node = s->slice->nodes[s->parent];
    struct product p = {.s = s,
                        .instruction = &fh_journal_site(s->journal, node.step)->instruction,
                        .step = node.step,
                        .known = true};
    struct fragment d;
    uint64_t a[MOST_INNER], b[MOST_INNER], result;
    if (strcmp(p.instruction->klass, "matrix") != 0 || !find_fragment(p.instruction, "A", &p.a) ||
        !find_fragment(p.instruction, "B", &p.b) || !find_fragment(p.instruction, "C", &p.c) ||
        !find_fragment(p.instruction, "Rd", &d) || p.a.layout.columns > MOST_INNER ||
        p.a.layout.columns != p.b.layout.rows)
        return false;
    const fhec_place place = {node.lane, node.reg - d.operand->reg, 0};
    if (fhec_layout_element(d.operand->layout, place, &p.at) != FHEC_OK)
        return false;
    const uint32_t inner = p.a.layout.columns;
    for (uint32_t k = 0; k < inner; k++)
        a[k] = element(&p, &p.a, p.at.row, k);
    for (uint32_t k = 0; k < inner; k++)
        b[k] = element(&p, &p.b, k, p.at.column);
    const uint64_t c = element(&p, &p.c, p.at.row, p.at.column);
    if (compute(&p, a, b, inner, c, &result)) {
        node.product = result == node.value ? FH_PRODUCT_RIGHT : FH_PRODUCT_WRONG;
        node.right = result;
    }
    struct fh_slice_node *made = &s->slice->nodes[s->parent];
    made->is_matrix = true;
    made->element = p.at;
    made->inner = inner;
    made->product = node.product;
    made->right = node.right;
    return true;
}
