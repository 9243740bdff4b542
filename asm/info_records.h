/*
 * info_records.h - what .nv.info of an object says of a kernel beyond what fhec uses: records as
 * they are, and instructions that records name.
 */
#ifndef FH_INFO_RECORDS_H
#define FH_INFO_RECORDS_H

struct fh_asm;

void fh_act_attribute(struct fh_asm *a);
void fh_act_mark(struct fh_asm *a);

#endif
