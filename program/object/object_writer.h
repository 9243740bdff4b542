/*
 * object_writer.h - what the files that write an object share: bytes under construction, and the
 * sections of information. The order of the object is in object_write.c.
 */
#ifndef FH_OBJECT_WRITER_H
#define FH_OBJECT_WRITER_H

#include "object.h"

/* Bytes under construction. After `failed` nothing more is added. */
struct fh_output {
    uint8_t *data;
    size_t count, capacity;
    bool failed;
};

void fh_put(struct fh_output *b, const void *data, size_t count); /* NULL: zeros */
void fh_put_u8(struct fh_output *b, unsigned v);
void fh_put_u16(struct fh_output *b, unsigned v);
void fh_put_u32(struct fh_output *b, uint32_t v);
void fh_put_align(struct fh_output *b, size_t alignment);

/* Records of .nv.info about a kernel or function, by its symbol. */
void fh_put_code_info(struct fh_output *b, uint32_t symbol, uint32_t registers, uint32_t stack,
                      bool kernel);
/* The frame of a function within code. */
void fh_put_frame(struct fh_output *b, uint32_t symbol, uint32_t bytes);
/* .nv.info.K; `bank` is the symbol of the kernel's .nv.constant0. */
void fh_put_kernel_info(struct fh_output *b, const struct fh_kernel *k, uint32_t bank);
/* .nv.info.F of a function. */
void fh_put_function_info(struct fh_output *b);
/* .note.nv.cuinfo and .fhec.info */
void fh_put_cuinfo(struct fh_output *b);
void fh_put_notes(struct fh_output *b, const fhec_program *program);

#endif
