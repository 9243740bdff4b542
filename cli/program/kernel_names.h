/*
 * kernel_names.h - kernels by the names that people write: those of the object, or the source's,
 * with or without its namespaces, template arguments and parameters.
 */
#ifndef FH_CLI_KERNEL_NAMES_H
#define FH_CLI_KERNEL_NAMES_H

#include "cli.h"

/* The name as C++ writes it, "ns::reduce<int, 4>(int*, int)"; malloc'd; NULL: it is not mangled, or
 * there is no memory. */
char *fh_cli_demangled(const char *name);
/* Whether `asked` names the kernel `name`: it is the name itself, or, blanks aside, the source's
 * name or what remains of that without parameters, without the outer namespaces too, and without
 * template arguments, too. */
bool fh_cli_names_kernel(const char *name, const char *asked);
/* Programs that are looked at together. */
struct fh_cli_programs {
    const fhec_program **list;
    size_t count;
};
struct fh_cli_kernel {
    const fhec_program *program;
    size_t index;
};
/* The one kernel that `asked` names, an exact name first. FHEC_BAD_INPUT: there is none, or
 * several; which ones, or the nearest names, have been said. */
fhec_status fh_cli_choose_kernel(const struct fh_cli *cli, const struct fh_cli_programs *programs,
                                 const char *asked, struct fh_cli_kernel *chosen);
/* The only kernel that there is. FHEC_BAD_INPUT, said: there are several. */
fhec_status fh_cli_only_kernel(const struct fh_cli *cli, const struct fh_cli_programs *programs,
                               struct fh_cli_kernel *only);

#endif
