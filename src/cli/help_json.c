/* help_json.c: all entries of the help as JSON. */
#include <string.h>

#include "cli/cli.h"
#include "export/sinks/escape.h"
#include "export/output.h"
#include "export/sinks/json_members.h"
#include "opt/fields.h"
#include "session/command_line.h"

/* Fields of an entry; NULL: missing. */
struct help_entry {
    const char *kind, *name, *values, *default_text, *help;
};

static void add_entry(struct strbuf *sb, size_t *n, struct help_entry e)
{
    sb_addf(sb, "%s\n{\"kind\":\"%s\"", (*n)++ ? "," : "", e.kind);
    member_string(sb, "name", e.name);
    member_string(sb, "values", e.values);
    member_string(sb, "default", e.default_text);
    member_string(sb, "help", e.help);
    sb_addc(sb, '}');
}

static void add_entries(struct strbuf *sb, size_t *n)
{
    for (const struct command *c = command_table; c->name; c++)
        add_entry(sb, n, (struct help_entry){"command", c->name, NULL, NULL, command_help(c)});
    array_each(const struct option, opt, option_table, option_table_n) {
        add_entry(sb, n, (struct help_entry){"option", opt->name, opt->value_name, opt->default_text,
                                             opt->help});
    }
    for (int f = 0; f < FIELD_COUNT; f++)
        add_entry(sb, n, (struct help_entry){"field", field_get(f)->name, NULL, NULL, field_get(f)->help});
    for (size_t i = 0; outputs[i]; i++)
        add_entry(sb, n, (struct help_entry){"output", outputs[i]->name, NULL, NULL, outputs[i]->help});
}

void help_json(struct strbuf *sb)
{
    struct strbuf rows = {0};
    size_t n = 0;

    add_entries(&rows, &n);
    json_add_head(sb, "help", "", n, n);
    sb_adds(sb, ",\"rows\":[");
    sb_add(sb, sb_text(&rows), rows.len);
    sb_adds(sb, "\n]}\n");
    sb_done(&rows);
}
