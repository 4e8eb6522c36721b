/* finding_out.h: findings as JSON, and commands that show their rows, quoted for a shell. */
#pragma once

#include "opt/options.h"
#include "view/findings/findings.h"

/* Inputs as given, for commands. All borrowed. */
struct command_inputs {
    const struct profile *profile;
    const char *const *files;
    size_t n_files;
    const struct options *options;
};

/* Appends a blank and TEXT as one word of a POSIX shell. */
void command_add_word(struct strbuf *sb, const char *text);
/* Appends the files, and the options that name inputs or control how they are read. */
void command_add_files(struct strbuf *sb, const struct command_inputs *inputs);
/* Appends the command that shows the rows of F, unescaped. */
void command_add_finding(struct strbuf *sb, const struct command_inputs *inputs, const struct finding *f);
/* Appends F as a JSON object. */
void finding_add_json(struct strbuf *sb, const struct command_inputs *inputs, const struct finding *f);
