/*
 * pipes.c - pipes of the description: their checks, their table, and their page in the book.
 *
 * Groups of readers are numbered here: 0 is `guard`, then the pipes whose `reads` is their own
 * name, in their order.
 */
#include <string.h>

#include "isac.h"

int pipe_index(const struct description *d, const char *name) {
    for (size_t i = 0; i < d->pipe_count; i++)
        if (strcmp(d->pipes[i].name, name) == 0)
            return (int)i;
    return -1;
}

static int group_index(const struct description *d, const char *name) {
    int group = FH_GROUP_GUARD;
    if (strcmp(name, "guard") == 0)
        return group;
    for (size_t i = 0; i < d->pipe_count; i++) {
        const struct pipe *pipe = &d->pipes[i];
        bool is_group = strcmp(pipe->name, pipe->reads) == 0;
        group += is_group;
        if (is_group && strcmp(pipe->name, name) == 0)
            return group;
    }
    return -1;
}

/* Variable pipes are numbered for their results, and their queues for the order of reading. */
static unsigned result_queue(const struct description *d, const struct pipe *pipe) {
    unsigned n = 0;
    for (const struct pipe *p = d->pipes; p < pipe; p++)
        n += p->variable;
    return pipe->variable ? n : FH_MAX_QUEUES - 1;
}

static unsigned read_queue(const struct description *d, const struct pipe *pipe) {
    unsigned n = 0;
    for (const struct pipe *p = d->pipes; p < pipe; p++) {
        bool first = p->variable;
        for (const struct pipe *q = d->pipes; q < p && first; q++)
            first = !q->variable || strcmp(q->queue, p->queue) != 0;
        if (p->variable && strcmp(p->queue, pipe->queue) == 0)
            return n;
        n += first;
    }
    return pipe->variable ? n : FH_MAX_QUEUES - 1;
}

static void check_issues(struct description *d, const struct insn *insn) {
    struct names names = {0};
    for (size_t i = 0; i < d->pipe_count; i++)
        add_name(&names, d->pipes[i].name);
    if (!insn->issue_count)
        error_at(insn->at, "%s has no `issue`%s", insn->name, suggestion("", &names));
    for (size_t i = 0; i < insn->issue_count; i++) {
        const struct issue *issue = &insn->issues[i];
        int pipe = pipe_index(d, issue->pipe);
        if (pipe < 0)
            error_at(issue->at, "there is no pipe `%s`%s", issue->pipe,
                     suggestion(issue->pipe, &names));
        else
            d->pipes[pipe].used = true;
        if (!issue->cond != (i + 1 == insn->issue_count))
            error_at(issue->at, "all pipes of `issue` but the last one need an `if`");
    }
}

void check_pipes(struct description *d) {
    if (d->pipe_count > FH_MAX_PIPES)
        error_at(d->pipes[FH_MAX_PIPES].at, "there are more than %d pipes", FH_MAX_PIPES);
    for (size_t i = 0; i < d->insn_count; i++)
        if (d->pipe_count || d->insns[i].issue_count)
            check_issues(d, &d->insns[i]);
    for (size_t i = 0; i < d->pipe_count; i++) {
        const struct pipe *pipe = &d->pipes[i];
        if (group_index(d, pipe->reads) <= 0)
            error_at(pipe->at, "pipe `%s`: there is no group `%s`", pipe->name, pipe->reads);
        if (group_index(d, pipe->name) >= FH_MAX_GROUPS)
            error_at(pipe->at, "there are more than %d groups of readers", FH_MAX_GROUPS - 1);
        if (group_index(d, pipe->queue) <= 0)
            error_at(pipe->at, "pipe `%s`: there is no group `%s`", pipe->name, pipe->queue);
        for (size_t k = 0; k < pipe->ready_count; k++)
            if (group_index(d, pipe->ready[k].group) < 0)
                error_at(pipe->ready[k].at, "pipe `%s`: there is no group `%s`", pipe->name,
                         pipe->ready[k].group);
        if (pipe->variable && result_queue(d, pipe) >= FH_MAX_QUEUES - 1)
            error_at(pipe->at, "there are more than %d variable pipes", FH_MAX_QUEUES - 1);
        if (!pipe->used)
            error_at(pipe->at, "no instruction issues to pipe `%s`", pipe->name);
    }
}

void emit_pipes(FILE *out, const struct description *d) {
    fputs("\nconst struct fh_pipe fh_pipes[] = {\n", out);
    for (size_t i = 0; i < d->pipe_count; i++) {
        const struct pipe *pipe = &d->pipes[i];
        fprintf(out, "    {\"%s\", %d, %s, %s, %u, %u, %u, {", pipe->name,
                group_index(d, pipe->reads), pipe->variable ? "true" : "false",
                pipe->ordered ? "true" : "false", result_queue(d, pipe), read_queue(d, pipe),
                pipe->stall);
        for (size_t k = 0; k < pipe->ready_count; k++)
            fprintf(out, "%s[%d] = %u", k ? ", " : "", group_index(d, pipe->ready[k].group),
                    pipe->ready[k].cycles);
        fputs(pipe->ready_count ? "}, {" : "0}, {", out);
        for (size_t k = 0; k < pipe->ready_count; k++)
            fprintf(out, "%s[%d] = %u", k ? ", " : "", group_index(d, pipe->ready[k].group),
                    pipe->ready[k].safe);
        fputs(pipe->ready_count ? "}},\n" : "0}},\n", out);
    }
    fputs(d->pipe_count ? "};\n" : "    {0}};\n", out);
    fprintf(out, "const unsigned fh_pipe_count = %zu;\n", d->pipe_count);
}

/* The book's table of pipes; empty without any. */
void pipe_pages(FILE *out, const struct description *d) {
    if (!d->pipe_count)
        return;
    fputs(
        "# Pipes\n\nWhen a result can be read, in cycles after the issue of the instruction, by "
        "what reads it; `scoreboard`: when the instruction's write barrier says so, and its "
        "registers may be overwritten when its read barrier does. `guard` is reading a predicate "
        "as guard, or as an operand of control and memory instructions. The numbers are the least "
        "distances met in code that ptxas made, or, where none was met, those of the most alike "
        "pipes: choices, and not known from silicon. Where readers of a group differ, the "
        "assembler keeps "
        "the number in parentheses.\n\n| pipe | reads as |",
        out);
    fputs(" guard |", out);
    for (size_t i = 0; i < d->pipe_count; i++)
        if (strcmp(d->pipes[i].name, d->pipes[i].reads) == 0)
            fprintf(out, " %s |", d->pipes[i].name);
    fputs("\n|---|---|---|", out);
    for (size_t i = 0; i < d->pipe_count; i++)
        if (strcmp(d->pipes[i].name, d->pipes[i].reads) == 0)
            fputs("---|", out);
    for (size_t i = 0; i < d->pipe_count; i++) {
        const struct pipe *pipe = &d->pipes[i];
        const struct ready *cycles[FH_MAX_GROUPS] = {NULL};
        int groups = 1;
        fprintf(out, "\n| %s | %s |", pipe->name, pipe->reads);
        for (size_t k = 0; k < pipe->ready_count; k++)
            cycles[group_index(d, pipe->ready[k].group)] = &pipe->ready[k];
        for (size_t k = 0; k < d->pipe_count; k++)
            groups += strcmp(d->pipes[k].name, d->pipes[k].reads) == 0;
        for (int g = 0; g < groups; g++)
            if (pipe->variable)
                fputs(g ? " |" : " scoreboard |", out);
            else if (cycles[g] && cycles[g]->safe != cycles[g]->cycles)
                fprintf(out, " %u (%u) |", cycles[g]->cycles, cycles[g]->safe);
            else if (cycles[g])
                fprintf(out, " %u |", cycles[g]->cycles);
            else
                fputs(" |", out);
    }
    fputs("\n\n", out);
}
