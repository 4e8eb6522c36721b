/* help.c: help texts, printed from the tables. */

#include <string.h>
#include <strings.h>

#include "activity/table.h"
#include "cli/cli.h"
#include "export/output.h"
#include "load/formats.h"
#include "opt/aliases.h"
#include "opt/suggest.h"
#include "session/command_line.h"
#include "view/findings/findings.h"

enum { NAME_COLS = 34, LINE_COLS = 80 };

/* Appends LEFT, and HELP in a second column, wrapped at LINE_COLS columns. */
static void add_line(struct strbuf *sb, const char *left, const char *help)
{
    size_t col = NAME_COLS + 2;

    sb_addf(sb, "  %-*s", NAME_COLS, left);
    if (strlen(left) >= NAME_COLS)
        sb_addf(sb, "\n  %*s", NAME_COLS, "");
    while (*help) {
        const size_t word = strcspn(help, " ");

        if (col > NAME_COLS + 2 && col + 1 + word > LINE_COLS) {
            sb_addf(sb, "\n  %*s", NAME_COLS, "");
            col = NAME_COLS + 2;
        } else if (col > NAME_COLS + 2) {
            sb_addc(sb, ' ');
            col++;
        }
        sb_add(sb, help, word);
        col += word;
        help += word + strspn(help + word, " ");
    }
    sb_addc(sb, '\n');
}

/* ---- lists of options, commands and outputs */

static void add_option(struct strbuf *sb, const struct option *opt)
{
    struct strbuf left = {0}, help = {0};

    sb_addf(&left, "-%s %s", opt->name, opt->value_name);
    sb_adds(&help, opt->help);
    if (opt->default_text && *opt->default_text)
        sb_addf(&help, " [%s]", opt->default_text);
    add_line(sb, sb_text(&left), sb_text(&help));
    EACH(sb_done, &left, &help);
}

static void add_switch(struct strbuf *sb, const struct cli_switch *s)
{
    struct strbuf left = {0};

    sb_addf(&left, "%s%s", s->name[1] ? "--" : "-", s->name);
    add_line(sb, sb_text(&left), s->help);
    sb_done(&left);
}

static void add_output(struct strbuf *sb, const struct output *output)
{
    static const char *const file[] = {
        [OUTFILE_NONE] = "", [OUTFILE_OPTIONAL] = "[:outfile=FILE]", [OUTFILE_NEEDED] = ":outfile=FILE",
        [OUTFILE_FOLDER] = ":outfile=DIR"};
    _Static_assert(sizeof file / sizeof *file == OUTFILE_RULE_COUNT, "a text for each rule");
    struct strbuf left = {0};

    sb_addf(&left, "%s%s", output->name, file[output->outfile]);
    add_line(sb, sb_text(&left), output->help);
    sb_done(&left);
}

/* "-max_depth 10000 -select params" of the preset that starts at ROW. */
static const struct preset_row *add_preset(struct strbuf *sb, const struct preset_row *row)
{
    const char *name = row->preset;
    struct strbuf sets = {0};

    for (; row->preset && strcmp(row->preset, name) == 0; row++)
        sb_addf(&sets, "%s-%s %s", sets.len ? " " : "", row->option, row->value);
    add_line(sb, name, sb_text(&sets));
    sb_done(&sets);
    return row;
}

/* ---- lists */

static void list_commands(struct strbuf *sb)
{
    sb_adds(sb, "Commands\n");
    for (const struct command *c = command_table; c->name; c++)
        if (c->origins & AT_PROGRAM)
            add_line(sb, c->name, command_help(c));
    sb_adds(sb, "\nCommands of the prompt besides the views\n");
    for (const struct command *c = command_table; c->name; c++)
        if (!(c->origins & AT_PROGRAM))
            add_line(sb, c->name, command_help(c));
}

static void list_options(struct strbuf *sb)
{
    sb_adds(sb, "Inputs (or name files and folders: they are recognised by content)\n");
    for (size_t i = 0; i < option_table_n; i++)
        if (option_table[i].stages == STAGE_LOAD)
            add_option(sb, &option_table[i]);
    sb_adds(sb, "\nOptions, with their defaults\n");
    for (size_t i = 0; i < option_table_n; i++)
        if (option_table[i].stages != STAGE_LOAD)
            add_option(sb, &option_table[i]);
    add_line(sb, "-preset NAME", "a named set of options; other given options take precedence");
    sb_adds(sb, "\nSwitches\n");
    for (const struct cli_switch *s = switch_table; s->name; s++)
        add_switch(sb, s);
}

static void list_fields(struct strbuf *sb)
{
    sb_adds(sb, "Fields of -select; the figures are orders of -order_by too\n");
    for (int f = 0; f < FIELD_COUNT; f++)
        add_line(sb, field_get(f)->name, field_get(f)->help);
}

static void list_outputs(struct strbuf *sb)
{
    sb_adds(sb, "Outputs of -output\n");
    for (size_t i = 0; outputs[i]; i++)
        add_output(sb, outputs[i]);
}

static void list_presets(struct strbuf *sb)
{
    sb_adds(sb, "Presets of -preset\n");
    for (const struct preset_row *row = preset_rows; row->preset;)
        row = add_preset(sb, row);
}

static void list_formats(struct strbuf *sb)
{
    sb_adds(sb, "Formats of inputs, recognised by their content\n");
    for (enum input_format f = 0; (f = format_next_to_load(f)) != FORMAT_UNKNOWN;)
        add_line(sb, formats[f]->name, formats[f]->help);
}

/* Appends a term with its synonyms. */
static void add_term(struct strbuf *sb, const struct glossary_term *t)
{
    struct strbuf help = {0};

    sb_adds(&help, t->meaning);
    if (*t->synonyms)
        sb_addf(&help, " [%s]", t->synonyms);
    add_line(sb, t->term, sb_text(&help));
    sb_done(&help);
}

static void list_glossary(struct strbuf *sb)
{
    sb_adds(sb, "Terms, with their synonyms\n");
    for (const struct glossary_term *t = glossary; t->term; t++)
        add_term(sb, t);
}

/* True when TOPIC is the term or one of its synonyms; case is ignored. */
static bool term_has_name(const struct glossary_term *t, const char *topic)
{
    const size_t len = strlen(topic);

    if (strcasecmp(t->term, topic) == 0)
        return true;
    for (const char *s = t->synonyms; *s;) {
        const size_t n = strcspn(s, ",");

        if (n == len && strncasecmp(s, topic, n) == 0)
            return true;
        s += n + strspn(s + n, ", ");
    }
    return false;
}

static const struct list {
    const char *topic;
    void (*add)(struct strbuf *sb);
} lists[] = {
    {"commands", list_commands}, {"options", list_options}, {"fields", list_fields},
    {"outputs", list_outputs},   {"presets", list_presets},
    {"formats", list_formats},   {"glossary", list_glossary},
};

enum { N_LISTS = sizeof lists / sizeof *lists };

static void list_all(struct strbuf *sb)
{
    for (size_t i = 0; i < N_LISTS; i++)
        if (lists[i].add != list_glossary) {
            sb_adds(sb, i ? "\n" : "");
            lists[i].add(sb);
        }
}

/* Appends the condition of a finding and the recommended action. */
static void describe_finding(struct strbuf *sb, const struct finding_rule *rule)
{
    struct strbuf fix = {0};

    add_line(sb, rule->id, rule->condition);
    sb_addf(&fix, "%s: tfprof brief FILE; tfprof %s FILE", rule->fix, rule->command);
    add_line(sb, "  remedy, and commands that show it", sb_text(&fix));
    sb_done(&fix);
}

/* ---- help on one topic */

/* Appends the help of OPT and the values that it takes. */
static void describe_option(struct strbuf *sb, const struct option *opt)
{
    const char *word;

    add_option(sb, opt);
    sb_adds(sb, option_value_name(opt, 0) ? "  values:" : "");
    for (int i = 0; (word = option_value_name(opt, i)); i++)
        sb_addf(sb, " %s", word);
    sb_adds(sb, option_value_name(opt, 0) ? "\n" : "");
}

/* Appends the columns of a table, named as in csv, json and SQL. */
static void describe_table(struct strbuf *sb, const struct table *table)
{
    const size_t n = table_n_data_columns(table);

    sb_adds(sb, "  columns:\n");
    for (size_t i = 0; i < n; i++)
        add_line(sb, table->columns[i].name, table->columns[i].help);
}

static bool describe(struct strbuf *sb, const char *topic)
{
    const size_t before = sb->len;
    const struct option *opt = option_find(topic);
    const struct output *output = output_find(topic);
    const int field = field_find(topic);

    for (size_t i = 0; i < N_LISTS; i++)
        if (strcmp(lists[i].topic, topic) == 0)
            lists[i].add(sb);
    for (const struct command *c = command_table; c->name; c++)
        if (strcmp(c->name, alias_resolve(ALIAS_COMMAND, topic)) == 0) {
            add_line(sb, c->name, command_help(c));
            if (c->table)
                describe_table(sb, c->table);
        }
    for (const struct glossary_term *t = glossary; t->term; t++)
        if (term_has_name(t, topic))
            add_term(sb, t);
    if (finding_rule_of(topic))
        describe_finding(sb, finding_rule_of(topic));
    if (opt)
        describe_option(sb, opt);
    if (field >= 0)
        add_line(sb, field_get(field)->name, field_get(field)->help);
    if (output)
        add_output(sb, output);
    for (const struct preset_row *row = preset_rows; row->preset; row++)
        if (strcmp(row->preset, topic) == 0) {
            add_preset(sb, row);
            break;
        }
    return sb->len > before;
}

static bool unknown_topic(const char *topic, struct err *err)
{
    struct suggest near;
    struct strbuf hint = {0};

    suggest_init(&near, topic);
    for (size_t i = 0; i < N_LISTS; i++)
        suggest_try(&near, lists[i].topic);
    suggest_try(&near, "keys");
    for (const struct glossary_term *t = glossary; t->term; t++)
        suggest_try(&near, t->term);
    for (size_t i = 0; finding_rules[i]; i++)
        suggest_try(&near, finding_rules[i]->id);
    for (const struct command *c = command_table; c->name; c++)
        suggest_try(&near, c->name);
    for (size_t i = 0; i < option_table_n; i++)
        suggest_try(&near, option_table[i].name);
    for (int f = 0; f < FIELD_COUNT; f++)
        suggest_try(&near, field_get(f)->name);
    suggest_add(&near, "", &hint);
    err_set(err, ERR_USAGE, "help: nothing about '%s'%s", topic, sb_text(&hint));
    sb_done(&hint);
    return false;
}

/* Appends all entries whose name or help contains TOPIC; false when there are none. */
static bool search_help(struct strbuf *sb, const char *topic)
{
    const size_t before = sb->len;

    for (const struct command *c = command_table; c->name; c++)
        if (strcasestr(c->name, topic) || strcasestr(command_help(c), topic))
            add_line(sb, c->name, command_help(c));
    for (size_t i = 0; i < option_table_n; i++)
        if (strcasestr(option_table[i].name, topic) || strcasestr(option_table[i].help, topic))
            add_option(sb, &option_table[i]);
    for (int f = 0; f < FIELD_COUNT; f++)
        if (strcasestr(field_get(f)->name, topic) || strcasestr(field_get(f)->help, topic))
            add_line(sb, field_get(f)->name, field_get(f)->help);
    for (enum input_format f = 0; (f = format_next_to_load(f)) != FORMAT_UNKNOWN;)
        if (strcasestr(formats[f]->name, topic) || strcasestr(formats[f]->help, topic))
            add_line(sb, formats[f]->name, formats[f]->help);
    for (const struct glossary_term *t = glossary; t->term; t++)
        if (strcasestr(t->term, topic) || strcasestr(t->synonyms, topic))
            add_term(sb, t);
    return sb->len > before;
}

/* "]" or "<ret>": the name of a key, for which the texts are not searched. */
static bool is_key_name(const char *topic)
{
    return *topic == '<' || !topic[1];
}

bool help_text(struct strbuf *sb, const char *topic, const struct screen *screen,
               struct err *err)
{
    bool found;

    if (!topic) {
        help_overview(sb);
        return true;
    }
    if (strcmp(topic, "agent") == 0) {
        sb_adds(sb, help_agent_text);
        return true;
    }
    if (strcmp(topic, "all") == 0) {
        list_all(sb);
        return true;
    }
    topic += strspn(topic, "-");
    if (screen && strcmp(topic, "keys") == 0)
        return screen->list_keys(sb, NULL);
    found = describe(sb, topic);
    if (*topic) {
        if (!found && !is_key_name(topic))
            found = search_help(sb, topic);
        found = (screen && screen->list_keys(sb, topic)) || found;
    }
    return found || unknown_topic(topic, err);
}
