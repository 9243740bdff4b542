/*
 * main.c - finds the subcommand and hands it the arguments.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "nearest.h"
#include "output.h"
#include "temporary.h"

static const struct {
    const char *name;
    const char *full; /* how its messages begin */
    fh_cli_command *run;
    const char *summary;
} commands[] = {
    {"as", "fhec as", fh_cli_as, "assemble a kernel source, or list its machine code"},
    {"dis", "fhec dis", fh_cli_dis, "disassemble an object into text that assembles back"},
    {"lint", "fhec lint", fh_cli_lint, "check scheduling fields: stalls, scoreboards, reuse"},
    {"patch", "fhec patch", fh_cli_patch, "calls of fhec.cuh in an object become instructions"},
    {"run", "fhec run", fh_cli_run, "run a kernel on data files"},
    {"time", "fhec time", fh_cli_time, "how long a kernel takes on a machine, and why"},
    {"blocks", "fhec blocks", fh_cli_blocks, "how long a graph of FHE blocks takes, and where"},
    {"trace", "fhec trace", fh_cli_trace, "show, filter and compare logs of traces"},
    {"why", "fhec why", fh_cli_why, "how an element of a result came about"},
    {"compare", "fhec compare", fh_cli_compare, "the first instruction that two runs differ in"},
    {"probe", "fhec probe", fh_cli_probe,
     "a linear kernel as a matrix, compared with the right one"},
    {"ntt", "fhec ntt", fh_cli_ntt, "number-theoretic transform, verified against the reference"},
    {"bconv", "fhec bconv", fh_cli_bconv, "RNS base conversion, verified against the reference"},
    {"eltwise", "fhec eltwise", fh_cli_eltwise, "sums, products, automorphisms of residues"},
    {"ckks", "fhec ckks", fh_cli_ckks, "primitives of the CKKS scheme, verified likewise"},
    {"bigint", "fhec bigint", fh_cli_bigint, "products of multi-word integers, verified"},
    {"report", "fhec report", fh_cli_report, "instruction counts of every map, compared"},
    {"sweep", "fhec sweep", fh_cli_sweep, "a command over a grid of parameters, on all cores"},
    {"cuda", "fhec cuda", fh_cli_cuda, "run a CUDA program on the emulated device"},
    {"layout", "fhec layout", fh_cli_layout, "which register of which lane holds which element"},
    {"origins", "fhec origins", fh_cli_origins, "where the elements of matrix operands came from"},
    {"isa", "fhec isa", fh_cli_isa, "the page of the ISA book about an instruction"},
    {"mutate", "fhec mutate", fh_cli_mutate, "change a kernel in one place: do its tests see it?"},
    {"fmt", "fhec fmt", fh_cli_fmt, "lay out sources, without changing what they mean"},
    {"lsp", "fhec lsp", fh_cli_lsp, "serve an editor: the Language Server Protocol"},
    {"debug", "fhec debug", fh_cli_debug, "run a kernel step by step, forwards and backwards"},
    {"dap", "fhec dap", fh_cli_dap, "the same for editors: a Debug Adapter Protocol server"},
    {"test", "fhec test", fh_cli_test, "run kernels against the expectations beside them"},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(FILE *to) {
    fputs("Usage: fhec COMMAND [ARGUMENT...]\n"
          "Assembler and bit-exact emulator for NVIDIA SASS (sm_80, 86, 87, 89)\n"
          "with FHE instructions.\n\n",
          to);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-8s %s\n", commands[i].name, commands[i].summary);
    fputs("\n`fhec COMMAND --help` or `fhec help COMMAND` tells more; so do the man pages.\n"
          "Exit status: 0 ok, 1 a result differs, 2 usage or assembly error, 3 guest fault,\n"
          "4 host error.\n",
          to);
}

static fhec_status unknown(const struct fh_cli *cli, const char *name) {
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    const char *near = fh_nearest_of(name, names, COMMANDS);
    return fh_cli_error(cli, FHEC_BAD_INPUT, "no command is called \"%s\"%s", name,
                        near ? fh_cli_hint(near).text : "; see `fhec help`");
}

/* `fhec help as` is `fhec as --help`. Returns the arguments of that, or NULL for plain help. */
static char **as_help(int argc, char **argv) {
    static char option[] = "--help";
    static char *replaced[3];
    if (argc < 3)
        return NULL;
    replaced[0] = argv[2];
    replaced[1] = option;
    return replaced;
}

/* A file that is opened while a standard stream is closed would get its number, and what is printed
 * there. Neither can be read from or written to what is open instead. */
static void open_streams(void) {
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++)
        if (fcntl(number, F_GETFD) < 0)
            (void)open("/", O_RDONLY);
}

int main(int argc, char **argv) {
    const char *no_color = getenv("NO_COLOR");
    static struct fh_cli cli = {.command = "fhec", .debug_fault = fh_cli_debug_fault};
    open_streams();
    cli.terminal = isatty(STDERR_FILENO);
    cli.color = cli.terminal && !(no_color && *no_color);
    fh_cli_signals_begin();
    fh_cli_flush_at_exit(&cli);
    if (argc < 2) {
        print_help(stderr);
        return FHEC_BAD_INPUT;
    }
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
        puts("fhec " FHEC_VERSION);
        return (int)fh_cli_flush(&cli);
    }
    char **args = argv + 1;
    int count = argc - 1;
    if (!strcmp(argv[1], "help") || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        args = as_help(argc, argv);
        count = 2;
        if (!args) {
            print_help(stdout);
            return (int)fh_cli_flush(&cli);
        }
    }
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(args[0], commands[i].name) != 0)
            continue;
        cli.command = commands[i].full;
        fhec_status status = commands[i].run(&cli, count, args);
        fhec_status flushed = fh_cli_flush(&cli);
        return (int)(status ? status : flushed);
    }
    return (int)unknown(&cli, args[0]);
}
