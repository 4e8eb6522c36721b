/* docgen_man.h: generates the tables of the manual page. */
#pragma once

#include <stdio.h>

/* Copies the page from IN to OUT; a line @NAME@ is replaced by the table of that name in mdoc. */
void docgen_man(FILE *in, FILE *out);

/* Write the whole script to OUT; IN is ignored. */
void docgen_bash(FILE *in, FILE *out);
void docgen_zsh(FILE *in, FILE *out);
void docgen_fish(FILE *in, FILE *out);
