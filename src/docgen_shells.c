/* docgen_shells.c: generates completions for bash, zsh and fish from the tables of commands,
 * options, fields, outputs and presets. */
#include "docgen_man.h"

#include <stdbool.h>
#include <string.h>

#include "export/output.h"
#include "session/command_line.h"

/* ---- lists of words, separated by blanks */

static void put_commands(FILE *out)
{
    for (const struct command *c = command_table; c->name; c++)
        if (c->origins & AT_PROGRAM)
            fprintf(out, "%s%s", c == command_table ? "" : " ", c->name);
}

/* Writes all options that begin with DASHES, "-" or "--". */
static void put_options(FILE *out, const char *dashes)
{
    for (size_t i = 0; i < option_table_n; i++)
        fprintf(out, "%s%s ", dashes, option_table[i].name);
    fprintf(out, "%spreset", dashes);
    for (const struct cli_switch *s = switch_table; s->name; s++)
        if (strcmp(dashes, s->name[1] ? "--" : "-") == 0)
            fprintf(out, " %s%s", dashes, s->name);
}

static void put_outputs(FILE *out, const char *colon)
{
    for (size_t i = 0; outputs[i]; i++)
        if (output_needs_outfile(outputs[i]))
            fprintf(out, "%s%s%soutfile=", i ? " " : "", outputs[i]->name, colon);
        else
            fprintf(out, "%s%s", i ? " " : "", outputs[i]->name);
}

static void put_presets(FILE *out)
{
    for (const struct preset_row *row = preset_rows; row->preset; row++)
        if (row == preset_rows || strcmp(row->preset, row[-1].preset) != 0)
            fprintf(out, "%s%s", row == preset_rows ? "" : " ", row->preset);
}

/* Writes the words of an option's values, with COLON in place of colons; false for free text. */
static bool put_values(FILE *out, const struct option *opt, const char *colon)
{
    const char *word;

    if (opt->kind == OPT_OUTPUT && !opt->stands_for) {
        put_outputs(out, colon);
        return true;
    }
    for (int i = 0; (word = option_value_name(opt, i)); i++)
        fprintf(out, "%s%s", i ? " " : "", word);
    return option_value_name(opt, 0);
}

static bool has_values(const struct option *opt)
{
    return option_value_name(opt, 0) || (opt->kind == OPT_OUTPUT && !opt->stands_for);
}

static bool takes_file(const struct option *opt)
{
    return opt->kind == OPT_PATH || opt->kind == OPT_PATHS || opt->stands_for;
}

/* Writes help text inside single quotes; SPECIAL characters get a backslash. */
static void put_help(FILE *out, const char *text, const char *special)
{
    for (; *text; text++) {
        if (strchr(special, *text))
            putc('\\', out);
        if (*text == '\'')
            fputs("'\\''", out);
        else
            putc(*text, out);
    }
}

/* ---- bash */

static void put_bash_values(FILE *out, const struct option *opt)
{
    fprintf(out, "    -%s|--%s)\n", opt->name, opt->name);
    if (opt->kind == OPT_FIELDS) {
        /* In a list, completes the part after the last comma. */
        fputs("      case $cur in *,*) head=${cur%,*},;; esac\n"
              "      words='", out);
        put_values(out, opt, ":");
        fputs("'\n      COMPREPLY=($(compgen -P \"$head\" -W \"$words\" -- \"${cur##*,}\"))\n"
              "      compopt -o nospace\n", out);
    } else if (has_values(opt)) {
        fputs("      COMPREPLY=($(compgen -W '", out);
        put_values(out, opt, ":");
        fputs("' -- \"$cur\"))\n", out);
        if (opt->kind == OPT_OUTPUT)
            fputs("      compopt -o nospace\n", out);
    } else if (takes_file(opt)) {
        fputs("      COMPREPLY=($(compgen -f -- \"$cur\"))\n      compopt -o filenames\n", out);
    } else {
        fputs("      COMPREPLY=()\n", out);
    }
    fputs("      return;;\n", out);
}

void docgen_bash(FILE *in UNUSED, FILE *out)
{
    fputs("# bash completion for tfprof, made from its tables\n"
          "_tfprof() {\n"
          "  local cur prev head='' words\n"
          "  cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
          "  if [[ $cur == = ]]; then cur=''\n"
          "  elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
          "  case $prev in\n", out);
    for (size_t i = 0; i < option_table_n; i++)
        if (option_table[i].kind != OPT_BOOL)
            put_bash_values(out, &option_table[i]);
    fputs("    -preset|--preset)\n      COMPREPLY=($(compgen -W '", out);
    put_presets(out);
    fputs("' -- \"$cur\"))\n      return;;\n  esac\n  if [[ $cur == -* ]]; then\n"
          "    COMPREPLY=($(compgen -W '", out);
    put_options(out, "-");
    fputs("' -- \"$cur\"))\n"
          "    if [[ $cur == --* ]]; then COMPREPLY+=($(compgen -W '", out);
    put_options(out, "--");
    fputs("' -- \"$cur\")); fi\n    return\n  fi\n"
          "  COMPREPLY=($(compgen -f -- \"$cur\"))\n"
          "  if ((COMP_CWORD == 1)); then\n    COMPREPLY+=($(compgen -W '", out);
    put_commands(out);
    fputs("' -- \"$cur\"))\n  fi\n  compopt -o filenames\n}\ncomplete -F _tfprof tfprof\n", out);
}

/* ---- zsh */

/* Accepts one dash or two; the value is the next word or follows a "=", where it is optional. */
static void put_zsh_option(FILE *out, const struct option *opt, const char *dashes)
{
    static const char special[] = "[]:\\";
    const bool is_flag = opt->kind == OPT_BOOL;

    fprintf(out, "  '*%s%s=%s[", dashes, opt->name, is_flag ? "-" : "");
    put_help(out, opt->help, special);
    fprintf(out, "]%s:%s:", is_flag ? ":" : "", opt->value_name);
    if (opt->kind == OPT_FIELDS) {
        fputs("_sequence compadd - ", out);
        put_values(out, opt, ":");
    } else if (has_values(opt)) {
        putc('(', out);
        put_values(out, opt, "\\:");
        putc(')', out);
    } else if (takes_file(opt)) {
        fputs("_files", out);
    }
    fputs("'\n", out);
}

void docgen_zsh(FILE *in UNUSED, FILE *out)
{
    fputs("#compdef tfprof\n# made from the tables of tfprof\nlocal -a commands options\n"
          "commands=(\n", out);
    for (const struct command *c = command_table; c->name; c++)
        if (c->origins & AT_PROGRAM) {
            fprintf(out, "  '%s:", c->name);
            put_help(out, command_help(c), ":\\");
            fputs("'\n", out);
        }
    fputs(")\noptions=(\n", out);
    for (size_t i = 0; i < option_table_n; i++)
        for (const char *dashes = "--"; *dashes; dashes++)
            put_zsh_option(out, &option_table[i], dashes);
    for (const char *dashes = "--"; *dashes; dashes++) {
        fprintf(out, "  '*%spreset=[a named set of options]:NAME:(", dashes);
        put_presets(out);
        fputs(")'\n", out);
    }
    for (const struct cli_switch *s = switch_table; s->name; s++) {
        fprintf(out, "  '%s%s[", s->name[1] ? "--" : "-", s->name);
        put_help(out, s->help, "[]:\\");
        fputs("]'\n", out);
    }
    fputs(")\n_tfprof_first() { _describe command commands; _files }\n"
          "_arguments $options '1: :_tfprof_first' '*:file:_files'\n", out);
}

/* ---- fish */

void docgen_fish(FILE *in UNUSED, FILE *out)
{
    fputs("# fish completion for tfprof, made from its tables\n", out);
    for (const struct command *c = command_table; c->name; c++)
        if (c->origins & AT_PROGRAM) {
            fprintf(out, "complete -c tfprof -n __fish_is_first_arg -a %s -d '", c->name);
            put_help(out, command_help(c), "\\");
            fputs("'\n", out);
        }
    array_each(const struct option, opt, option_table, option_table_n) {
        fprintf(out, "complete -c tfprof -o %s -l %s %s -d '", opt->name, opt->name,
                takes_file(opt) ? "-r -F" : opt->kind == OPT_BOOL ? "" : "-x");
        put_help(out, opt->help, "\\");
        putc('\'', out);
        if (has_values(opt) && opt->kind != OPT_BOOL) {
            fputs(opt->kind == OPT_FIELDS ? " -a '(__fish_append , " : " -a '", out);
            put_values(out, opt, ":");
            fputs(opt->kind == OPT_FIELDS ? ")'" : "'", out);
        }
        putc('\n', out);
    }
    fputs("complete -c tfprof -o preset -l preset -x -a '", out);
    put_presets(out);
    fputs("' -d 'a named set of options'\n", out);
    for (const struct cli_switch *s = switch_table; s->name; s++) {
        fprintf(out, "complete -c tfprof -%c %s -d '", s->name[1] ? 'l' : 's', s->name);
        put_help(out, s->help, "\\");
        fputs("'\n", out);
    }
}
