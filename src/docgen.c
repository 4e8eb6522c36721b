/* docgen.c: a build program: generates the tables of the manual page, the shell completions and the
 * skill for agents from the tables of the program.
 *
 *     docgen man <tfprof.1.in >tfprof.1      fills lines like @OPTIONS@
 *     docgen skill >SKILL.md
 *     docgen bash|zsh|fish >FILE */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "docgen_man.h"

static void docgen_skill(FILE *in UNUSED, FILE *out)
{
    struct strbuf sb = {0};

    help_skill(&sb);
    fwrite(sb.data, 1, sb.len, out);
    sb_done(&sb);
}

static const struct generator {
    const char *name;
    void (*run)(FILE *in, FILE *out);
} generators[] = {
    {"man", docgen_man},
    {"bash", docgen_bash},
    {"zsh", docgen_zsh},
    {"fish", docgen_fish},
    {"skill", docgen_skill},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof generators / sizeof *generators; i++)
        if (strcmp(argv[1], generators[i].name) == 0) {
            generators[i].run(stdin, stdout);
            return fflush(stdout) != 0 || ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
        }
    fputs("usage: docgen man|bash|zsh|fish|skill\n", stderr);
    return EXIT_FAILURE;
}
