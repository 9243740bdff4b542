/*
 * finding_ids.h - every kind of finding: its stable id, its checker, and its title, which the
 * manual and SARIF show. Ids are never given to another kind.
 *
 *     init C001-C019 · race C020-C029 · sync C030-C039 · async C040-C049 · bounds C050-C059
 *     operands C060-C079 · fragments C080-C089 · leaks C090-C099
 */
#ifndef FH_FINDING_IDS_H
#define FH_FINDING_IDS_H

/* FINDING(name, id, checker, title) */
#define FH_FINDINGS(FINDING)                                                                       \
    FINDING(MODULUS_ZERO_OR_ONE, "C060", OPERANDS, "a modulus of 0 or 1")

enum fh_finding_kind {
#define FINDING(name, id, checker, title) FH_FINDING_##name,
    FH_FINDINGS(FINDING)
#undef FINDING
        FH_FINDING_KINDS,
};

#endif
