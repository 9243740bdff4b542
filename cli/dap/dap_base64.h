/*
 * dap_base64.h - bytes as RFC 4648 writes them: four characters for three bytes.
 */
#ifndef FH_CLI_DAP_BASE64_H
#define FH_CLI_DAP_BASE64_H

#include <stddef.h>
#include <stdint.h>

/* malloc'd; NULL without memory. */
char *fh_dap_base64(const uint8_t *bytes, size_t count);
/* malloc'd; NULL: the text is not that, or there is no memory. */
uint8_t *fh_dap_base64_read(const char *text, size_t *count);

#endif
