/*
 * dap_schema.h - whether the arguments of a request have the shape that its protocol gives them.
 *
 *     "line:i! column:i condition:s breakpoints:[line:i!] args:[s]"
 *
 * is an object with a whole number `line`, which must be there, and if they are there a whole
 * number `column`, a text, a list of objects, and a list of texts. i whole number, b true or false,
 * s text, a anything, o any object. What is null is as good as missing; what the shape does not
 * name may be there.
 */
#ifndef FH_CLI_DAP_SCHEMA_H
#define FH_CLI_DAP_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* False: `why` says what is wrong with which member, "breakpoints[2].line is missing". */
bool fh_dap_shape_holds(const char *shape, const json_t *arguments, char *why, size_t size);

#endif
