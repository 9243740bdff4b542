/*
 * dap_code.h - addresses of instructions as the client sees them. A kernel's code has no address in
 * the guest's memory, so kernel number K of all that are launched is shown at FH_DAP_CODE + K *
 * 2^32.
 */
#ifndef FH_CLI_DAP_CODE_H
#define FH_CLI_DAP_CODE_H

#include <inttypes.h>

#include "dap.h"

#define FH_DAP_CODE UINT64_C(0xc000000000000000)

struct fh_dap_code {
    const fhec_program *program;
    size_t kernel; /* of the program */
    size_t number; /* of the kernel among all */
    uint64_t pc;
    fhec_kernel_info info;
};

/* The instruction at a reference with so many bytes added; false: there is none. */
bool fh_dap_code_of(struct fh_dap *dap, const char *reference, json_int_t offset,
                    struct fh_dap_code *code);
/* The kernel of launch `launch`, at `pc`. */
bool fh_dap_code_at(struct fh_dap *dap, size_t launch, uint64_t pc, struct fh_dap_code *code);
/* The kernel `number`, at pc 0. */
bool fh_dap_code_number(struct fh_dap *dap, size_t number, struct fh_dap_code *code);
/* "0xc000000100000040" */
json_t *fh_dap_code_json(const struct fh_dap_code *code);
/* Where "KERNEL+0x40", a function or a label is, in which kernel. */
bool fh_dap_code_named(struct fh_dap *dap, const char *name, char *kernel, size_t size,
                       uint64_t *pc);

#endif
