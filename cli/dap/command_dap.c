/*
 * command_dap.c - fhec dap: a debug adapter on standard input and output, or on a port of this
 * machine.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dap_handles.h"
#include "dap_launch.h"
#include "dap_output.h"
#include "dap_parts.h"
#include "message.h"
#include "options.h"

static const char doc[] =
    "Speaks the Debug Adapter Protocol on standard input and output, for editors."
    "\vWith --port clients connect to a port of this machine, and each has a session of its own. "
    "What a launch request takes is in the manual.";

enum { OPTION_PORT = 0x2900 };
static const struct argp_option options[] = {
    {"port", OPTION_PORT, "N", 0, "Listen on 127.0.0.1:N; 0: on a port that is free", 0},
    {0},
};

struct dap_options {
    struct fh_cli *cli;
    bool listens;
    uint16_t port;
};

static error_t parse_option(int key, char *arg, struct argp_state *state) {
    struct dap_options *given = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = given->cli; return 0;
    case OPTION_PORT:
        given->listens = true;
        given->port = (uint16_t)fh_cli_number_option(state, "--port", arg, 0, UINT16_MAX);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&fh_cli_common_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {options, parse_option, NULL, doc, children, NULL, NULL};

/* One client. The descriptors are this function's. */
static fhec_status serve(struct fh_cli *cli, int in, int out) {
    /* What other threads of the process look at must outlive this function. */
    static struct fh_dap dap;
    dap = (struct fh_dap){
        .cli = cli, .phase = FH_DAP_NEW, .events = json_array(), .serve = fh_dap_serve};
    signal(SIGPIPE, SIG_IGN);
    if (!dap.events || !fh_dap_channel_open(&dap.channel, out) || !fh_dap_output_begin(&dap) ||
        !fh_dap_channel_read(&dap.channel, in))
        return fh_cli_no_memory(cli);
    fh_dap_session(&dap);
    fh_dap_output_end(&dap);
    return dap.channel.lost ? fh_cli_error(cli, FHEC_HOST_ERROR, "cannot write to the client: %s",
                                           strerror(dap.channel.lost))
                            : FHEC_OK;
}

/* Standard input and output are the protocol's; whoever reads or prints there gets nothing. */
static fhec_status serve_standard(struct fh_cli *cli) {
    const int in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    const int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (in < 0 || out < 0 || nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
        dup2(nothing, STDOUT_FILENO) < 0)
        return fh_cli_error(cli, FHEC_HOST_ERROR, "cannot use standard input and output: %s",
                            strerror(errno));
    close(nothing);
    return serve(cli, in, out);
}

static fhec_status listen_on(struct fh_cli *cli, uint16_t port, int *listener) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port)};
    socklen_t size = sizeof at;
    const int on = 1;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    *listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (*listener < 0 || setsockopt(*listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(*listener, (struct sockaddr *)&at, sizeof at) != 0 || listen(*listener, 8) != 0 ||
        getsockname(*listener, (struct sockaddr *)&at, &size) != 0)
        return fh_cli_error(cli, FHEC_HOST_ERROR, "cannot listen on 127.0.0.1:%u: %s", port,
                            strerror(errno));
    fprintf(stderr, "%s: listening on 127.0.0.1:%u\n", cli->command, ntohs(at.sin_port));
    return FHEC_OK;
}

/* A process for each client, so that what one does to it is no other's loss. */
static fhec_status serve_port(struct fh_cli *cli, uint16_t port) {
    int listener;
    fhec_status status = listen_on(cli, port, &listener);
    if (status != FHEC_OK)
        return status;
    signal(SIGCHLD, SIG_IGN);
    for (;;) {
        const int client = accept(listener, NULL, NULL);
        if (client < 0 && (errno == EINTR || errno == ECONNABORTED))
            continue;
        const pid_t child = client < 0 ? -1 : fork();
        if (child == 0) {
            close(listener);
            signal(SIGCHLD, SIG_DFL);
            return serve(cli, client, client);
        }
        if (child < 0)
            return fh_cli_error(cli, FHEC_HOST_ERROR, "cannot serve a client: %s", strerror(errno));
        close(client);
    }
}

fhec_status fh_cli_dap(struct fh_cli *cli, int argc, char **argv) {
    struct dap_options given = {.cli = cli};
    fh_cli_parse(cli, &argp, argc, argv, &given);
    return given.listens ? serve_port(cli, given.port) : serve_standard(cli);
}
