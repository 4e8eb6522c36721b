/* docgen_man.c: generates the tables of the manual page, in mdoc. */
#include "docgen_man.h"

#include <string.h>

#include "export/output.h"
#include "export/tables/table_list.h"
#include "load/formats.h"
#include "session/command_line.h"
#include "tui/action.h"

enum { LINE_COLS = 76 };

/* Writes text as one argument of a macro, with special characters escaped. */
static void put_text(FILE *out, const char *text)
{
    fputs("\\&", out);
    for (; *text; text++)
        if (*text == '\\')
            fputs("\\e", out);
        else if (*text == ' ')
            fputs("\\ ", out);
        else if (*text == '"')
            fputs("\\(dq", out);
        else if (*text == '-')
            fputs("\\-", out);
        else
            putc(*text, out);
}

/* Writes a sentence on lines of its own, capitalised and with a full stop. */
static void put_sentence(FILE *out, const char *text)
{
    size_t col = 0;

    if (*text >= 'a' && *text <= 'z' && text[1] != '_') {
        putc(*text++ - 'a' + 'A', out);
        col++;
    }
    for (; *text; text++, col++)
        if (*text == '\\') {
            fputs("\\e", out);
        } else if (*text == ' ' && col + strcspn(text + 1, " ") > LINE_COLS) {
            putc('\n', out);
            col = 0;
        } else {
            putc(*text, out);
        }
    fputs(".\n", out);
}

static void put_values(FILE *out, const struct option *opt)
{
    const char *word;

    /* Fields and orders have separate tables. */
    if (opt->kind != OPT_CHOICE)
        return;
    fputs("Values:", out);
    for (int i = 0; (word = option_value_name(opt, i)); i++)
        fprintf(out, "%s\n.Cm %s", i ? " ,": "", word);
    fputs(" .\n", out);
}

static void put_option(FILE *out, const struct option *opt)
{
    fprintf(out, ".It Fl %s Ar %s\n", opt->name, opt->value_name);
    put_sentence(out, opt->help);
    put_values(out, opt);
    if (opt->default_text && *opt->default_text && opt->kind != OPT_CHOICE) {
        fputs("Default:\n.Ql ", out);
        put_text(out, opt->default_text);
        fputs(" .\n", out);
    }
}

static void put_options(FILE *out)
{
    for (size_t i = 0; i < option_table_n; i++)
        if (option_table[i].stages != STAGE_LOAD)
            put_option(out, &option_table[i]);
}

static void put_inputs(FILE *out)
{
    for (size_t i = 0; i < option_table_n; i++)
        if (option_table[i].stages == STAGE_LOAD)
            put_option(out, &option_table[i]);
}

static void put_switches(FILE *out)
{
    for (const struct cli_switch *s = switch_table; s->name; s++) {
        fprintf(out, ".It Fl %s%s\n", s->name[1] ? "Fl " : "", s->name);
        put_sentence(out, s->help);
    }
}

static void put_commands(FILE *out)
{
    for (const struct command *c = command_table; c->name; c++) {
        fprintf(out, ".It Cm %s\n", c->name);
        put_sentence(out, command_help(c));
        if (!(c->origins & AT_PROGRAM))
            fputs("At the prompt only.\n", out);
    }
}

static void put_fields(FILE *out)
{
    for (int f = 0; f < FIELD_COUNT; f++) {
        fprintf(out, ".It Cm %s\n", field_get(f)->name);
        put_sentence(out, field_get(f)->help);
    }
}

static void put_formats(FILE *out)
{
    for (enum input_format f = 0; (f = format_next_to_load(f)) != FORMAT_UNKNOWN;) {
        fprintf(out, ".It %s\n", formats[f]->name);
        put_sentence(out, formats[f]->help);
    }
}

static void put_outputs(FILE *out)
{
    static const char *const file[] = {
        [OUTFILE_NONE] = "",
        [OUTFILE_OPTIONAL] = " Ns Op Cm :outfile= Ns Ar FILE",
        [OUTFILE_NEEDED] = ":outfile= Ns Ar FILE",
        [OUTFILE_FOLDER] = ":outfile= Ns Ar DIR",
    };
    _Static_assert(sizeof file / sizeof *file == OUTFILE_RULE_COUNT, "a text for each rule");

    for (size_t i = 0; outputs[i]; i++) {
        fprintf(out, ".It Cm %s%s\n", outputs[i]->name, file[outputs[i]->outfile]);
        put_sentence(out, outputs[i]->help);
    }
}

static void put_sql_tables(FILE *out)
{
    for (size_t t = 0; table_list[t]; t++) {
        const struct table *table = table_list[t];
        const size_t n = table_n_data_columns(table);

        fprintf(out, ".It Ic %s\n", table_sql_name(table));
        put_sentence(out, table->help);
        for (size_t i = 0; i < n; i++)
            fprintf(out, ".Va %s%s\n", table->columns[i].name, i + 1 < n ? " ," : "");
    }
}

static void put_presets(FILE *out)
{
    for (const struct preset_row *row = preset_rows; row->preset; row++) {
        if (row == preset_rows || strcmp(row->preset, row[-1].preset) != 0)
            fprintf(out, ".It Cm %s\n", row->preset);
        fprintf(out, ".Fl %s Ar ", row->option);
        put_text(out, row->value);
        putc('\n', out);
    }
}

/* Writes the action table, grouped by heading. */
static void put_keys(FILE *out)
{
    const char *group = NULL;

    for (const struct action *action = action_table; action->name; action++) {
        if (!group || strcmp(group, action_group(action)) != 0) {
            if (group)
                fputs(".El\n", out);
            group = action_group(action);
            fputs(".Ss ", out);
            put_text(out, group);
            fputs("\n.Bl -tag -width 22n\n", out);
        }
        fputs(".It Cm ", out);
        put_text(out, action->keys && *action->keys ? action->keys : "(unbound)");
        putc('\n', out);
        put_sentence(out, action_help(action));
        fprintf(out, "Name:\n.Cm %s\n", action->name);
    }
    if (group)
        fputs(".El\n", out);
}

static const struct placeholder {
    const char *line;
    void (*put)(FILE *out);
} tables[] = {
    {"@COMMANDS@\n", put_commands}, {"@INPUTS@\n", put_inputs},   {"@OPTIONS@\n", put_options},
    {"@SWITCHES@\n", put_switches}, {"@FIELDS@\n", put_fields},   {"@OUTPUTS@\n", put_outputs},
    {"@PRESETS@\n", put_presets},   {"@KEYS@\n", put_keys},
    {"@SQL_TABLES@\n", put_sql_tables}, {"@FORMATS@\n", put_formats},
};

void docgen_man(FILE *in, FILE *out)
{
    char line[1024];

    while (fgets(line, sizeof line, in)) {
        size_t i = 0;

        while (i < sizeof tables / sizeof *tables && strcmp(line, tables[i].line) != 0)
            i++;
        if (i < sizeof tables / sizeof *tables)
            tables[i].put(out);
        else
            fputs(line, out);
    }
}
