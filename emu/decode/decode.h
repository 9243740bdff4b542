/*
 * decode.h - a kernel made ready for one launch.
 */
#ifndef FH_DECODE_H
#define FH_DECODE_H

#include "engine.h"
#include "launch.h"
#include "loader.h"

/* Kernels are decoded once: what follows from the words alone, the kernel's registers and the sizes
 * of its constant banks is kept, and found again by them. */
struct fh_decoded;
struct fh_op_names; /* op_names.h */
enum { FH_DECODED_KEPT = 8 };
struct fh_decoder {
    struct fh_decoded *kept[FH_DECODED_KEPT];
    unsigned next; /* which one goes when another comes */
    struct fh_code_patch *patches;
    size_t patch_count;
    uint64_t launch; /* the number of the one whose kernel is decoded, for patches of one only */
};

/* A word in the place of that of kernels of the name. */
struct fh_code_patch {
    char *kernel;
    uint64_t launch; /* the only one; 0: every one */
    uint64_t pc;
    fhec_word word;
    uint64_t uses; /* images that have had it */
};

/* Decodes the kernel of `launch`, whose numbers have been checked (run.c). `module` may be
 * NULL if the program needs none. With a decoder, which serves one engine only and one image at a
 * time, the decoded code is its; without one, the image's. On FHEC_HOST_ERROR the image is empty.
 */
fhec_status fh_image_make(struct fh_image *image, const fhec_launch *launch,
                          const struct fh_engine *engine, const struct fh_module *module,
                          struct fh_decoder *decoder);
void fh_image_free(struct fh_image *image);
/* FHEC_BAD_INPUT: too many. FHEC_HOST_ERROR without host memory. `launch` 0: every one. */
fhec_status fh_decoder_patch(struct fh_decoder *decoder, uint64_t launch, const char *kernel,
                             uint64_t pc, fhec_word word);
/* Forgets all that is kept, and the patches. */
void fh_decoder_free(struct fh_decoder *decoder);

/* Other words for the image, which was made with this decoder and stays as it is until it takes
 * them. NULL without host memory. The code is the decoder's until it is taken, or another is made.
 */
struct fh_decoded *fh_image_code(const struct fh_image *image, const struct fh_engine *engine,
                                 struct fh_decoder *decoder, const fhec_word *words);
void fh_image_take_code(struct fh_image *image, struct fh_decoded *code);
/* The mnemonics of the image's ops, kept with its code. NULL without host memory. */
struct fh_op_names *fh_image_names(const struct fh_image *image);
/* How many registers R the code can touch; and whether it asks for what a launch is given before it
 * begins, and the image does not. */
uint32_t fh_code_rows(const struct fh_decoded *code);
bool fh_code_asks_more(const struct fh_decoded *code, const struct fh_image *image);

/* Whether the kernel asks for the workspace of a cooperative launch, which grid barriers live in:
 * {u32 size, u32 barrier} in global memory. */
bool fh_image_uses_workspace(const struct fh_image *image);
/* Puts the workspace's address where the kernel looks for it. */
void fh_image_give_workspace(struct fh_image *image, uint64_t address);

/* The bytes of a bank that is there, for changes in this launch. NULL without host memory. */
uint8_t *fh_image_own_bank(struct fh_image *image, uint32_t bank);
/* Constant banks have changed. */
void fh_image_refresh(struct fh_image *image);

/* Turns one word into an instruction of the image's launch; `pc` in bytes. *inst and *op stay
 * together: op points to inst. */
void fh_image_decode(struct fh_image *image, const struct fh_engine *engine, fhec_word word,
                     uint32_t pc, struct fh_inst *inst, struct fh_op *op);

#endif
