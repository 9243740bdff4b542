/* address.c - see address.h. */
#include "address.h"
#include "asm.h"
#include "asm_memory.h"
#include "fixup.h"
#include "isa_names.h"
#include "labels.h"
#include "linkage.h"
#include "tables.h"

/* A label by itself is a number of its code: how far it is from the beginning. As half an address
 * or added to the code's name, it is an address, which depends on where the code is. */
static bool is_plain(const struct fh_value *v) {
    return !v->half && !v->srel && !v->generic;
}

bool fh_address_fits(const struct fh_form *form, const struct fh_operand_spec *spec,
                     const struct fh_value *v, struct fh_fixup *fixup) {
    const struct fh_field *f = &spec->value;
    bool word = f->pieces == 1 && f->piece[0].lo == 32 && f->piece[0].len == 32 && !f->shift;
    bool call = f->pieces == 1 && f->piece[0].lo == 34 && f->piece[0].len == 47 && f->shift == 2;
    bool branch = fh_form_control[form->id] == FH_CTRL_branch_register;
    *fixup = (struct fh_fixup){.form = form, .own = v->srel, .plain = is_plain(v) && word};
    if (branch) /* BRX adds a register to the target */
        fixup->distance = true;
    else if (word)
        fixup->relocation.field = v->half == FH_HALF_HIGH ? FH_FIELD_HIGH : FH_FIELD_LOW;
    else
        fixup->relocation.field = FH_FIELD_CALL;
    return word || (v->half == FH_WHOLE && (branch || call));
}

/* What keeps an address from standing in the data; NULL if nothing does. */
static const char *data_problem(const struct fh_asm *a, const struct fh_value *v, unsigned bytes) {
    if (bytes < 4 || (bytes == 8 && v->half))
        return "only `.dword`, and `.word` for 32 bits of it, hold addresses";
    if (a->data.section ? a->data.section->zeros : !a->data.open_bank)
        return a->data.section ? "the section has no bytes"
                               : "`.constant` outside of kernels is copied to each of them";
    if (a->data.section && v->srel)
        return "a label is known inside of its code only";
    return NULL;
}

bool fh_address_data(struct fh_asm *a, const struct fh_value *v, unsigned bytes) {
    const char *why = data_problem(a, v, bytes);
    if (why) {
        fh_report(a, FH_D_NO_ADDRESS, v->at, fh_text_of(a, v->text, v->length), why, NULL);
        return false;
    }
    struct fh_relocation relocation = {.field = bytes == 8                ? FH_FIELD_64
                                                : v->half == FH_HALF_HIGH ? FH_FIELD_HIGH
                                                                          : FH_FIELD_LOW,
                                       .bank = a->data.open_bank,
                                       .generic = v->generic && v->half != FH_HALF_HIGH,
                                       .offset = (uint32_t)a->data.open->count,
                                       .addend = (uint64_t)v->number};
    if (a->data.section) {
        struct fh_reference reference = {.relocation = relocation,
                                         .section = a->data.section,
                                         .listed =
                                             bytes == 8 && a->texts.top && a->texts.top->listing,
                                         .at = v->at};
        fh_nearest_begin(&reference.name, v->text, v->length);
        fh_refer(a, &reference);
        return true;
    }
    struct fh_symbol *label = fh_label_refer(a, v);
    return label && fh_add_fixup(a, &(struct fh_fixup){.relocation = relocation,
                                                       .label = label,
                                                       .own = v->srel,
                                                       .plain = is_plain(v),
                                                       .addend = v->number,
                                                       .at = v->at});
}
