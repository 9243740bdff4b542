/*
 * lsp_server.h - the Language Server Protocol, version 3.17, over two descriptors.
 */
#ifndef FH_CLI_LSP_SERVER_H
#define FH_CLI_LSP_SERVER_H

#include "lsp.h"

/* Serves until the client says exit or closes the stream. The exit status of the protocol: FHEC_OK
 * after shutdown, else FHEC_DIFFERS; FHEC_BAD_INPUT, said, if the stream is no protocol's. */
fhec_status fh_lsp_serve(struct fh_lsp *lsp, int from, int to);

#endif
