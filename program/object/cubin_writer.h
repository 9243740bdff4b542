/*
 * cubin_writer.h - the sections of information of an object, as cubin_write_info.c makes them for
 * cubin_write.c.
 */
#ifndef FH_CUBIN_WRITER_H
#define FH_CUBIN_WRITER_H

#include "bytes.h"
#include "cubin.h"

/* Records of .nv.info about a kernel or function, by its symbol. */
void fh_put_code_info(struct fh_bytes *b, uint32_t symbol, uint32_t registers, uint32_t stack,
                      bool kernel);
/* The frame of a function within code. */
void fh_put_frame(struct fh_bytes *b, uint32_t symbol, uint32_t bytes);
/* .nv.info.K; `bank` is the symbol of the kernel's .nv.constant0, `externals` the first one of
 * functions that are not there. */
void fh_put_kernel_info(struct fh_bytes *b, const struct fh_kernel *k, uint32_t bank,
                        uint32_t externals);
/* cubin_attributes.c: the records that were kept; those of them that .nv.info has, by the symbol
 * that they are about; whether there is one of this number. */
void fh_put_attributes(struct fh_bytes *b, const struct fh_info *info, uint32_t externals);
void fh_put_symbol_attributes(struct fh_bytes *b, const struct fh_info *info, uint32_t symbol);
bool fh_has_attribute(const struct fh_info *info, unsigned number);
/* .nv.info.F of a function. */
void fh_put_function_info(struct fh_bytes *b, const struct fh_function *f, uint32_t externals);
/* .note.nv.cuinfo and .fhec.info */
void fh_put_cuinfo(struct fh_bytes *b, const fhec_limits *machine);
void fh_put_notes(struct fh_bytes *b, const fhec_program *program);

#endif
