/*
 * tools_bench.c - the assembler, in lines per second, and how long `fhec run` of a kernel of one
 * instruction takes as a whole process. The tool is the one that FHEC names.
 */
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

enum { LINES = 200000 };

extern char **environ;

/* What kernels are written like: registers with names, expressions, comments, labels. */
static const char head[] =
    ".target sm_80\n.kernel K\n.param p, 8\n.reg all[0:99] = R0\n.reg x = R10\n.reg acc[0:3] = R4\n"
    ".equ STEP, 0x40\n";
static const char *const lines[] = {
    "    LDG.E.128.CONSTANT acc[0], [R2.64 + 3 * STEP] ;",
    "    IMAD.WIDE.U32 R12, x, c[0x0][0x160], R2 ;   // addresses",
    "    IADD3 acc[1], P0, acc[0], -x, RZ ;",
    "    @P0 IADD3 acc[1], acc[1], 0x1234 + STEP, RZ ;",
    "label%u:",
    "    LOP3.LUT R6, R5, acc[2], RZ, 0x3c, !PT ;",
    "    SHF.R.U32.HI R7, RZ, 0x4, R6 ;",
    "    ISETP.GE.U32.AND P1, PT, R7, acc[3], PT ;",
    "    SEL R8, R7, R6, P1 ;",
    "    STG.E [R2.64 + STEP], R8 ;",
};
static const char macro[] =
    ".macro BUTTERFLY a, b, w\n"
    "    IMAD.HI.U32 R20, \\b, \\w, RZ ;\n"
    "    IMAD R21, \\b, \\w, RZ ;\n"
    "    IMAD R21, R20, c[0x0][0x160], R21 ;\n"
    "    IADD3 \\b, \\a, -R21, RZ ;\n"
    "    IADD3 \\a, \\a, R21, RZ ;\n"
    "    IMNMX.U32 \\a, \\a, \\b, PT ;\n"
    ".endm\n"
    ".macro STAGE n\n.rept 4, i\n"
    "    BUTTERFLY all[2 + \\n + \\i], all[14 + \\i * 2], x\n.endr\n.endm\n";
/* One turn of the loop: 4 expansions of 6 instructions; LINES of them in all. */
enum { MACRO_TURNS = LINES / 24 };

struct source {
    char *text;
    size_t length;
};

static struct source plain_source(void) {
    struct source s = {0};
    FILE *out = open_memstream(&s.text, &s.length);
    if (!out)
        bench_die("out of memory");
    fputs(head, out);
    for (unsigned i = 0; i < LINES; i++) {
        const char *line = lines[i % (sizeof lines / sizeof *lines)];
        if (strncmp(line, "label", 5) == 0)
            fprintf(out, "label%u:", i);
        else
            fputs(line, out);
        putc('\n', out);
    }
    fputs("    EXIT ;\n.end\n", out);
    fclose(out);
    return s;
}

static struct source macro_source(void) {
    struct source s = {0};
    FILE *out = open_memstream(&s.text, &s.length);
    if (!out)
        bench_die("out of memory");
    fprintf(out, "%s%s.rept %u, k\nSTAGE (\\k & 3)\n.endr\n    EXIT ;\n.end\n", head, macro,
            MACRO_TURNS);
    fclose(out);
    return s;
}

static void assemble(void *context) {
    const struct source *s = context;
    const fhec_assemble_options options = {.diagnostic = bench_complain};
    fhec_program *program = NULL;
    if (fhec_assemble("bench.sass", s->text, s->length, &options, &program) != FHEC_OK)
        bench_die("the source does not assemble");
    fhec_program_free(program);
}

static void measure_assembler(struct bench *b, const char *name, struct source s, double count,
                              double target) {
    struct bench_timing t = bench_time(b, assemble, &s);
    bench_row(b, name, count / t.median, "/s", target, &t);
    free(s.text);
}

/* ---------------------------------------------------------------- a whole process */

struct process {
    char *tool, *file;
};

static void start(void *context) {
    const struct process *p = context;
    char *argv[] = {p->tool, "run", p->file, "--grid", "1", "--block", "32", NULL};
    pid_t pid;
    int status;
    if (posix_spawn(&pid, p->tool, NULL, NULL, argv, environ) != 0 ||
        waitpid(pid, &status, 0) != pid || status != 0)
        bench_die("fhec run failed");
}

static void measure_start(struct bench *b) {
    char name[] = "/tmp/fhec_bench_XXXXXX.sass";
    struct process p = {getenv("FHEC"), name};
    int fd = p.tool ? mkstemps(name, 5) : -1;
    FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!out)
        bench_die("FHEC must name the tool");
    fputs(".target sm_80\n.kernel K\n    EXIT ;\n.end\n", out);
    fclose(out);
    struct bench by_wall = *b;
    by_wall.wall = true;
    struct bench_timing t = bench_time(&by_wall, start, &p);
    unlink(name);
    bench_row(b, "start.ms", t.median * 1e3, "ms", 2, &t);
}

int main(int argc, char **argv) {
    struct bench b = bench_begin(argc, argv);
    if (bench_wants(&b, "asm.lines_per_s"))
        measure_assembler(&b, "asm.lines_per_s", plain_source(), LINES, 2e6);
    if (bench_wants(&b, "asm.macro_lines_per_s"))
        measure_assembler(&b, "asm.macro_lines_per_s", macro_source(), MACRO_TURNS * 24.0, 1.2e6);
    if (bench_wants(&b, "start.ms"))
        measure_start(&b);
    return bench_end(&b);
}
