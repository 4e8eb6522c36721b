/* docgen_shells.h: generates completions for bash, zsh and fish. */
#ifndef TFPROF_DOCGEN_SHELLS_H
#define TFPROF_DOCGEN_SHELLS_H

#include <stdio.h>

/* Each writes the whole script to OUT and ignores IN. */
void docgen_bash(FILE *in, FILE *out);
void docgen_zsh(FILE *in, FILE *out);
void docgen_fish(FILE *in, FILE *out);

#endif
