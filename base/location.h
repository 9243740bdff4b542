/*
 * location.h - places in sources, and how they came to be read, as text. The rest of it is public.
 */
#ifndef FH_LOCATION_H
#define FH_LOCATION_H

#include "fhec.h"
#include "fixed_text.h"

/* As fhec_format_expansion and fhec_format_location. */
void fh_put_expansion(struct fh_fixed_text *to, const fhec_expansion *expansion);
void fh_put_location(struct fh_fixed_text *to, const fhec_location *at,
                     const fhec_expansion *expansions, size_t count);
/* A copy with its strings, to be freed as one; NULL without memory, or if there are none. */
fhec_expansion *fh_expansions_copy(const fhec_expansion *expansions, size_t count);

#endif
