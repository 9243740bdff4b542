#include "ntt.h"
fhec_status fh_ntt_fhec256(struct fh_guest *guest, const struct fh_ntt_job *job) { (void)job; return fh_fail(guest->error, FHEC_BAD_INPUT, "todo"); }
