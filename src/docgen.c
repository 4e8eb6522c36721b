/* docgen.c: a build program: generates the tables of the manual page and the shell completions from
 * the tables of the program.
 *
 *     docgen man <tfprof.1.in >tfprof.1      fills lines like @OPTIONS@
 *     docgen bash|zsh|fish >FILE */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "docgen_man.h"

static const struct generator {
    const char *name;
    void (*run)(FILE *in, FILE *out);
} generators[] = {
    {"man", docgen_man},
    {"bash", docgen_bash},
    {"zsh", docgen_zsh},
    {"fish", docgen_fish},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof generators / sizeof *generators; i++)
        if (strcmp(argv[1], generators[i].name) == 0) {
            generators[i].run(stdin, stdout);
            return fflush(stdout) != 0 || ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
        }
    fputs("usage: docgen man|bash|zsh|fish\n", stderr);
    return EXIT_FAILURE;
}
