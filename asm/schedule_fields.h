/*
 * schedule_fields.h - scheduling fields for the instructions of a kernel that the text gives none.
 */
#ifndef FH_SCHEDULE_FIELDS_H
#define FH_SCHEDULE_FIELDS_H

struct fh_asm;

/* Gives the open code's instructions that have none fields that are safe; labels are resolved. */
void fh_schedule(struct fh_asm *a);

#endif
