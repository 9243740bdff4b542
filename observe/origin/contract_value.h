/*
 * contract_value.h - what the expressions of a value contract (.expect, .let, .ensure) amount to in
 * the lanes of a warp. Integers are exact: of 128 bits as long as they fit, else wide ones.
 */
#ifndef FH_CONTRACT_VALUE_H
#define FH_CONTRACT_VALUE_H

#include "fhec_observe.h"
#include "wide_number.h"

/* A number of each lane. */
struct fh_lane_numbers {
    __int128 narrow[FHEC_WARP_LANES];
    uint32_t is_wide;     /* lanes whose number is in `wide` */
    struct fh_wide *wide; /* FHEC_WARP_LANES of them; NULL: none is needed */
};

/* What .let has remembered in a warp, by its name. */
struct fh_remembered {
    uint32_t set; /* lanes that have come by */
    struct fh_lane_numbers is;
};

/* A name in a contract. */
struct fh_contract_name {
    bool remembered; /* warp->values[let], else a parameter, `value` */
    uint32_t let;
    uint64_t value;
};

struct fh_contract_scene {
    const fhec_event *event;              /* ISSUE or RETIRE */
    const struct fh_contract_name *names; /* as those of the contract */
    const struct fh_remembered *values;   /* of the warp */
};

/* Why a lane has no verdict. */
enum fh_contract_problem {
    FH_CONTRACT_FINE,
    FH_CONTRACT_UNSET,    /* a name whose .let it has not passed */
    FH_CONTRACT_DIVISION, /* by zero, or modulo zero */
    FH_CONTRACT_SHIFT,    /* by less than 0 or more than 1151 */
    FH_CONTRACT_SIZE,     /* of more than 1151 bits */
};

/* A verdict on one contract: the lanes for which it fails, and of the lowest one both sides. */
struct fh_contract_verdict {
    uint32_t lanes;
    uint32_t lane;
    enum fh_contract_problem problem; /* of that lane: there are no values then */
    struct fh_wide left, right, modulus;
};

/* .let: remembers its value in `lanes`. Lanes without one are not set. False without memory. */
bool fh_contract_remember(const fhec_expectation *let, const struct fh_contract_scene *scene,
                          uint32_t lanes, struct fh_remembered *value);
/* .expect, .ensure: true if it holds in all of `lanes`. */
bool fh_contract_holds(const fhec_expectation *contract, const struct fh_contract_scene *scene,
                       uint32_t lanes, struct fh_contract_verdict *verdict);

#endif
