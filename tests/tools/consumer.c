/*
 * consumer.c - a program of somebody else's over the installed library: it assembles a kernel and
 * formats the diagnostics of one that is wrong, as text and as JSON.
 */
#include <fhec.h>
#include <stdio.h>
#include <string.h>

static void tell(void *user, const fhec_diagnostic *diagnostic) {
    char text[1024];
    (void)user;
    fhec_format_diagnostic_json(diagnostic, text, sizeof text);
    if (strncmp(text, "{", 1) != 0)
        return;
    fhec_format_diagnostic(diagnostic, 0, text, sizeof text);
    printf("%.*s\n", (int)strcspn(text, "\n"), text);
}

int main(void) {
    static const char right[] = ".kernel k\n EXIT ;\n.end\n";
    static const char wrong[] = ".kernel k\n EXOT ;\n.end\n";
    fhec_assemble_options options = {0};
    fhec_program *program;
    fhec_kernel_info info;
    options.diagnostic = tell;
    if (fhec_assemble("k", wrong, strlen(wrong), &options, &program) != FHEC_BAD_INPUT)
        return 1;
    if (fhec_assemble("k", right, strlen(right), NULL, &program) != FHEC_OK)
        return 1;
    if (fhec_kernel_get(program, 0, &info) != FHEC_OK)
        return 1;
    printf("%s %u\n", info.name, (unsigned)info.word_count);
    fhec_program_free(program);
    return 0;
}
