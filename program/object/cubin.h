/*
 * cubin.h - the object file, as cubin_write.c makes it and cubin_read.c takes it: an ELF file of 64
 * bits in the layout of a cubin for sm_80, 86, 87 or 89.
 *
 *     .text.K        the code, 16 bytes an instruction; sh_info = registers << 24 | symbol
 *     .nv.info       registers and stack of every kernel; .nv.info.K: parameters, barriers, exits
 *     .nv.constant0.K  the launch's bank; .nv.constant2.K the kernel's own; .nv.constant3 shared
 *     .nv.shared.K   static shared memory, without bytes
 *     .text.F        code of a function that is no kernel (linked or -G cubins)
 *     .nv.global, .nv.global.init   memory of variables; .nv.constant4 their addresses
 *     .rel.S, .rela.S   addresses to be put into section S
 *     .debug_line    source lines, of -lineinfo
 *     .note.nv.cuinfo  architecture and toolkit
 *     .fhec.info     what a cubin has no place for: features, names of parameters, where each word
 *                    was written, the file's tests and expectations
 *
 * .fhec.info is little-endian: "fhec", u32 version; u32 count and names of files; in version 3 the
 * expansions (below); u32 count and kernels (name, target, u32 count and names of parameters, u32
 * count and origins); u32 count and functions (name, target, u32 count and origins); u32 count and
 * fields that hold labels of their own code as plain numbers (u32 enum fh_holder, index, bank, enum
 * fh_relocation_field, offset, number); u32 count and tests (text, origin); in version 4 u32 count
 * and expectations (u32 kernel, u32 word, text, origin), in version 6 u32 enum fhec_contract in
 * front of the text, in the order of kernels and words. A name or text is a u32 length and its
 * bytes.
 *
 * An origin is u32 file (its index; 0xffffffff: unknown), line, column and length, and in version 3
 * expansion: 0, or 1 + index of the step in which the line was read. The expansions are u32 count
 * and names of macros; u32 count and steps: an origin (where the macro is used, the .rept or .irp
 * stands, the file is included; its own expansion is that of an earlier step, or 0), enum
 * fh_expansion_kind, and a number: for repetitions the iteration, from 1, else the index of the
 * macro's name or of the included file's. At most FH_MAX_NESTING steps lead to a word.
 *
 * In version 3 the numbers of origins and of steps are differences: modulo 2^32 what is to be added
 * to the same number of the one before in its list (0 for the first), from -2^31 to 2^31 - 1, as
 * signed LEB128; so they are in version 4.
 *
 * Version 5 has variables of shared memory behind the expectations: u32 count and variables (u32
 * kernel, name, u32 offset, u32 bytes), u32 count and instructions that hold the address of one
 * (u32 kernel, u32 word, u32 the kernel's variable), both by kernels, the second by words, too.
 *
 * Version 6, which is version 5 with value contracts among the expectations, is written where there
 * are some; version 5, which is version 4 with such variables, where there are those; version 4,
 * which is version 3 with expectations, where there are those; version 3 where there are
 * expansions; else version 2, which is the same without them.
 */
#ifndef FH_CUBIN_H
#define FH_CUBIN_H

#include "program.h"

enum {
    FH_EM_CUDA = 190,
    FH_ELF_OSABI = 0x41,
    FH_ELF_ABIVERSION = 8,
    FH_ELF_FLAGS = 0x06000004, /* 31:24: section of .note.nv.cuinfo; 15:8: architecture */
    FH_ELF_ARCHITECTURE = 8,
    FH_ELF_OLD_OSABI = 0x33, /* its architecture is in bits 7:0 */
    FH_SHT_NV_INFO = 0x70000000,
    FH_SHT_NV_GLOBAL = 0x70000007, /* memory without bytes, in an object that is not linked */
    FH_STT_NV_OBJECT = 13,         /* a variable there */
    FH_TEXT_ALIGN = 128,
    FH_STO_ENTRY = 0x10,   /* st_other of a kernel */
    FH_BARRIER_SHIFT = 20, /* sh_flags of .text.K */
    FH_BARRIER_MASK = 0x7f,
    FH_INFO_PLAIN = 2,        /* versions of .fhec.info: without expansions */
    FH_INFO_EXPANSIONS = 3,   /* with them */
    FH_INFO_EXPECTATIONS = 4, /* with both */
    FH_INFO_SHARED = 5,       /* and with the variables of shared memory */
    FH_INFO_CONTRACTS = 6,    /* and with value contracts among the expectations */
    FH_TABLE_BANK = 2,        /* where compilers keep tables of branch targets */
    FH_CUDA_VERSION = 130,    /* of the toolkit whose layout this is: 13.0 */
    FH_SEGMENT_MAX = 1 << 30,
    FH_SEGMENT_ALIGN_MAX = 4096,
};

/* Records of .nv.info: u8 format, u8 attribute, u16 value or length of the value that follows. */
enum { FH_NV_NONE = 1, FH_NV_BYTE = 2, FH_NV_HALF = 3, FH_NV_SIZED = 4 };
enum {
    FH_NV_MAX_THREADS = 0x05,       /* u32 x, y, z: of a block */
    FH_NV_PARAM_CBANK = 0x0a,       /* u32 symbol, u16 offset, u16 size */
    FH_NV_EXTERNS = 0x0f,           /* u32 symbol each: functions that are called and not there */
    FH_NV_REQUIRED_THREADS = 0x10,  /* u32 x, y, z: of every block */
    FH_NV_FRAME_SIZE = 0x11,        /* u32 symbol, u32 bytes */
    FH_NV_MIN_STACK_SIZE = 0x12,    /* u32 symbol, u32 bytes */
    FH_NV_KPARAM_INFO = 0x17,       /* u32 index, u16 ordinal, u16 offset, u32 size << 18 | ... */
    FH_NV_CBANK_PARAM_SIZE = 0x19,  /* half: bytes of parameters */
    FH_NV_MAXREG_COUNT = 0x1b,      /* half */
    FH_NV_EXIT_OFFSETS = 0x1c,      /* u32 each */
    FH_NV_MAX_STACK_SIZE = 0x23,    /* u32 symbol, u32 bytes: of what is not linked */
    FH_NV_COOPERATIVE = 0x28,       /* u32 each: instructions of cooperative groups */
    FH_NV_REGCOUNT = 0x2f,          /* u32 symbol, u32 registers */
    FH_NV_WARP_WIDE = 0x31,         /* u32 each: instructions of whole warps */
    FH_NV_INDIRECT_BRANCHES = 0x34, /* {u32 address, u32 0, u32 count, u32 each target} ... */
    FH_NV_CUDA_API_VERSION = 0x37,  /* u32 */
    FH_NV_KPARAM_INFO_LARGE = 0x45, /* u32 index, u16 ordinal, u16 offset, u32 size */
    FH_NV_SYSCALLS = 0x46,          /* u32 each: calls of the device runtime */
    FH_NV_NUM_BARRIERS = 0x4c,      /* byte */
};

/* Objects that cannot be read, and what a user should know of those that can. %s is what is wrong
 * in particular. */
#define FH_OBJECT_DIAGNOSTICS(X)                                                                   \
    X(NOT_ELF, "O001", ERROR, "this is no ELF file of 64 bits: %s")                                \
    X(MACHINE, "O002", ERROR, "this is no object for a CUDA device: %s")                           \
    X(ARCHITECTURE, "O003", ERROR, "the object is for %s; fhec reads those for sm_80, 86, 87, 89") \
    X(SECTION, "O004", ERROR, "a section cannot be read: %s")                                      \
    X(CODE, "O005", ERROR, "the code of a kernel cannot be used: %s")                              \
    X(INFO, "O006", ERROR, "a section of information is malformed: %s")                            \
    X(LIMIT, "O007", ERROR, "the object asks for more than there can be: %s")                      \
    X(NO_KERNEL, "O008", ERROR, "there is no kernel in the object%s")                              \
    X(RELOCATION, "O009", ERROR, "an address cannot be filled in: %s")                             \
    X(NOT_LINKED, "O010", ERROR, "the object is not linked: %s")                                   \
    X(DEBUG, "O101", WARNING, "the object was compiled for debugging (-G): %s")                    \
    X(UNDEFINED, "O102", WARNING, "a symbol is defined nowhere in the object: %s")

/* Types of relocations. In code the field is in bits 63:32, or, of an absolute call, 80:34. */
enum {
    FH_R_32 = 1,
    FH_R_64 = 2,
    FH_R_G32 = 3, /* generic addresses */
    FH_R_G64 = 4,
    FH_R_FUNC_DESC_64 = 35,
    FH_R_ABS32_32 = 55,
    FH_R_ABS32_LO_32 = 56,
    FH_R_ABS32_HI_32 = 57,
    FH_R_ABS47_34 = 58,
    FH_R_FUNC_DESC32_32 = 61,
    FH_R_FUNC_DESC32_LO_32 = 62,
    FH_R_FUNC_DESC32_HI_32 = 63,
    FH_R_32_LO = 70,
    FH_R_32_HI = 71,
};

#endif
