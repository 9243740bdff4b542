/* directives.c - see directives.h. */
#include "directives.h"
#include "annotate.h"
#include "block.h"
#include "data_directives.h"
#include "definitions.h"
#include "emit.h"
#include "expect.h"
#include "info_records.h"
#include "inner_functions.h"
#include "kernel.h"
#include "linkage.h"
#include "macro.h"
#include "resources.h"
#include "section.h"
#include "text_stack.h"

/* Sorted by name. Modes: R raw text, D a new name first, O operands. */
#define R      FH_MODE_RAW
#define D      FH_MODE_DEFINE
#define O      FH_MODE_OPERANDS
#define ANY    FH_ANYWHERE
#define IN     FH_INSIDE
#define KERNEL FH_IN_A_KERNEL
static const struct fh_directive directives[] = {
    {".align", O, ANY, 1, 1, false, fh_act_align, ".align BYTES"},
    {".barriers", O, KERNEL, 1, 1, false, fh_act_barriers, ".barriers COUNT"},
    {".byte", O, ANY, 1, FH_MANY, false, fh_act_data, ".byte NUMBER, ..."},
    {".constant", D, ANY, 1, 2, false, fh_act_constant, ".constant NAME[, ALIGNMENT]"},
    {".descbit", O, ANY, 1, 1, false, fh_act_descriptor_bit, ".descbit 0 or .descbit 1"},
    {".dword", O, ANY, 1, FH_MANY, false, fh_act_data, ".dword NUMBER, ..."},
    {".else", O, ANY, 0, 0, true, fh_act_else, ".else"},
    {".elseif", O, ANY, 1, 1, true, fh_act_else, ".elseif CONDITION"},
    {".end", O, ANY, 0, 0, false, fh_act_end, ".end"},
    {".endif", O, ANY, 0, 0, true, fh_act_endif, ".endif"},
    {".endm", O, ANY, 0, 1, false, fh_act_stray_end, ".endm"},
    {".endr", O, ANY, 0, 0, false, fh_act_stray_end, ".endr"},
    {".ensure", R, KERNEL, 0, 0, false, fh_act_ensure, ".ensure EXPRESSION = EXPRESSION"},
    {".equ", D, ANY, 2, 2, false, fh_act_equ, ".equ NAME, NUMBER"},
    {".error", O, ANY, 1, 1, false, fh_act_message, ".error \"TEXT\""},
    {".expect", R, KERNEL, 0, 0, false, fh_act_expect, ".expect OPERAND = BUFFER[INDEX]"},
    {".extern", D, ANY, 1, 1, false, fh_act_extern, ".extern NAME"},
    {".frame", D, IN, 2, 2, false, fh_act_frame, ".frame NAME, BYTES"},
    {".function", D, ANY, 1, 1, true, fh_act_kernel, ".function NAME"},
    {".if", O, ANY, 1, 1, true, fh_act_if, ".if CONDITION"},
    {".ifdef", D, ANY, 1, 1, true, fh_act_ifdef, ".ifdef NAME"},
    {".ifndef", D, ANY, 1, 1, true, fh_act_ifdef, ".ifndef NAME"},
    {".include", O, ANY, 1, 1, false, fh_act_include, ".include \"FILE\""},
    {".inst", O, IN, 2, 2, false, fh_act_inst, ".inst LOW, HIGH"},
    {".irp", R, ANY, 0, 0, true, fh_act_irp, ".irp NAME, VALUE, ..."},
    {".kernel", D, ANY, 1, 1, true, fh_act_kernel, ".kernel NAME"},
    {".let", R, KERNEL, 0, 0, false, fh_act_let, ".let NAME = EXPRESSION"},
    {".loc", O, IN, 2, 2, false, fh_act_loc, ".loc \"FILE\", LINE"},
    {".local", O, IN, 1, 1, false, fh_act_local, ".local BYTES"},
    {".macro", R, ANY, 0, 0, true, fh_act_macro, ".macro NAME PARAMETER, PARAMETER=DEFAULT"},
    {".mark", O, IN, 1, 1, false, fh_act_mark, ".mark ATTRIBUTE"},
    {".maxntid", O, KERNEL, 1, 3, false, fh_act_max_threads, ".maxntid X[, Y[, Z]]"},
    {".nvinfo", O, ANY, 2, FH_MANY, false, fh_act_attribute,
     ".nvinfo ATTRIBUTE, FORMAT[, VALUE...]"},
    {".param", D, KERNEL, 2, 4, false, fh_act_param, ".param NAME, BYTES[, ALIGNMENT[, OFFSET]]"},
    {".params", O, KERNEL, 1, 1, false, fh_act_params, ".params BYTES"},
    {".reg", D, ANY, 2, 2, false, fh_act_reg, ".reg NAME = R8 or .reg NAME[0:3] = R8"},
    {".registers", O, IN, 1, 1, false, fh_act_registers, ".registers COUNT"},
    {".rept", O, ANY, 1, 2, true, fh_act_rept, ".rept COUNT[, NAME]"},
    {".reqntid", O, KERNEL, 1, 3, false, fh_act_required, ".reqntid X[, Y[, Z]]"},
    {".section", R, ANY, 0, 0, false, fh_act_section, ".section NAME"},
    {".set", D, ANY, 2, 2, false, fh_act_set, ".set NAME, NUMBER"},
    {".shared", D, KERNEL, 2, 3, false, fh_act_shared, ".shared NAME, BYTES[, ALIGNMENT]"},
    {".short", O, ANY, 1, FH_MANY, false, fh_act_data, ".short NUMBER, ..."},
    {".size", D, ANY, 2, 2, false, fh_act_size, ".size NAME, BYTES"},
    {".target", O, ANY, 1, FH_MANY, false, fh_act_target, ".target sm_80, FEATURE, ..."},
    {".test", R, ANY, 0, 0, false, fh_act_test, ".test TEXT"},
    {".type", R, ANY, 0, 0, false, fh_act_type, ".type NAME, @function or @object"},
    {".warning", O, ANY, 1, 1, false, fh_act_message, ".warning \"TEXT\""},
    {".word", O, ANY, 1, FH_MANY, false, fh_act_data, ".word NUMBER, ..."},
    {".zero", O, ANY, 1, 1, false, fh_act_zero, ".zero BYTES"},
};
#undef R
#undef D
#undef O
#undef ANY
#undef IN
#undef KERNEL

const struct fh_directives fh_directives = {directives, sizeof directives / sizeof *directives};
