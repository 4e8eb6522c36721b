/* command_line.c: the parser for command lines. */
#include "session/command_line.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "base/xalloc.h"
#include "export/output.h"
#include "export/tables/table_list.h"
#include "opt/suggest.h"

/* An option with its value as typed. Values are applied after all words are read, because options
 * override presets. */
struct setting {
    const struct option *opt;
    const char *value;
};

struct parser {
    struct command_line *cl;
    const char *const *argv;
    int argc;
    int at;
    enum command_origin origin;
    bool options_ended; /* "--" was read */
    VEC(struct setting) settings;
    VEC(const char *) presets;
    struct err *err;
};

static const char preset_word[] = "preset";

/* True for a word that starts an option; "-" is standard input. */
static bool is_option_word(const struct parser *p, const char *word)
{
    return !p->options_ended && word[0] == '-' && word[1];
}

static bool unknown(struct parser *p, const char *what, const char *dash, const char *word,
                    const struct suggest *near)
{
    struct strbuf hint = {0};

    suggest_add(near, dash, &hint);
    err_set(p->err, ERR_USAGE, "unknown %s %s%s%s", what, dash, word, sb_text(&hint));
    sb_done(&hint);
    return false;
}

static bool unknown_option(struct parser *p, const char *name)
{
    struct suggest near;

    suggest_init(&near, name);
    for (size_t i = 0; i < option_table_n; i++)
        suggest_try(&near, option_table[i].name);
    suggest_try(&near, preset_word);
    if (p->origin == AT_PROGRAM)
        for (const struct cli_switch *s = switch_table; s->name; s++)
            suggest_try(&near, s->name);
    return unknown(p, "option", "-", name, &near);
}

static bool unknown_command(struct parser *p, const char *word)
{
    struct suggest near;

    suggest_init(&near, word);
    for (const struct command *c = command_table; c->name; c++)
        if (c->origins & p->origin)
            suggest_try(&near, c->name);
    if (strcmp(word, "compare") == 0 || strcmp(word, "difference") == 0)
        near.best = "diff";
    return unknown(p, p->origin == AT_PROGRAM ? "command or file" : "command", "", word, &near);
}

static const struct cli_switch *switch_find(const char *name)
{
    for (const struct cli_switch *s = switch_table; s->name; s++)
        if (strcmp(s->name, name) == 0)
            return s;
    return NULL;
}

static bool apply_switch(struct parser *p, const struct cli_switch *s, const char *value)
{
    bool on = true;

    if (value && !option_bool_word(value, &on))
        return err_set(p->err, ERR_USAGE, "-%s: '%s' is neither true nor false", s->name, value);
    if (s->command)
        p->cl->command = command_find(s->command, p->origin);
    else
        *(bool *)((char *)p->cl + s->offset) = on;
    return true;
}

/* Returns the value of option NAME: VALUE (after "="), or the next word; a lone boolean is true. */
static const char *read_value(struct parser *p, const char *name, bool is_bool, const char *value)
{
    const char *next = p->at < p->argc ? p->argv[p->at] : NULL;

    if (value)
        return value;
    if (is_bool && (!next || next[0] == '-'))
        return "true";
    if (!next) {
        err_set(p->err, ERR_USAGE, "-%s: a value is missing", name);
        return NULL;
    }
    p->at++;
    return next;
}

/* At the prompt inputs are loaded: a pasted command line may repeat them, but not name others. */
static bool may_set(struct parser *p, const struct setting *setting)
{
    struct strbuf now = {0};
    bool same;

    if (p->origin != AT_PROMPT || setting->opt->stages != STAGE_LOAD)
        return true;
    option_print(&now, &p->cl->options, setting->opt);
    same = strcmp(sb_text(&now), setting->value) == 0;
    sb_done(&now);
    return same || err_set(p->err, ERR_USAGE, "-%s: inputs are named when the program starts",
                           setting->opt->name);
}

static bool wants_topic(const struct parser *p)
{
    return p->cl->command && p->cl->command->kind == COMMAND_HELP;
}

/* Joins several words to one topic. */
static void add_topic(struct parser *p, const char *word)
{
    struct strbuf phrase = {0};

    if (p->cl->help_topic)
        sb_addf(&phrase, "%s ", p->cl->help_topic);
    sb_adds(&phrase, word);
    free(p->cl->help_topic);
    p->cl->help_topic = sb_take(&phrase);
}

/* True if the option is the topic of help; false for `help -output json`. */
static bool is_topic(const struct parser *p, const struct option *opt)
{
    return wants_topic(p) && (opt->kind != OPT_OUTPUT || p->at >= p->argc);
}

static bool wants_statement(const struct parser *p)
{
    return p->cl->command && p->cl->command->kind == COMMAND_SQL && !p->cl->statement;
}

static bool read_option(struct parser *p, const char *word)
{
    const char *name_at = word + (word[1] == '-' ? 2 : 1);
    const char *equals = strchr(name_at, '=');
    char *name = equals ? xmemdupz(name_at, (size_t)(equals - name_at)) : xstrdup(name_at);
    const char *value = equals ? equals + 1 : NULL;
    const struct option *opt = option_find(name);
    const struct cli_switch *s = p->origin == AT_PROGRAM ? switch_find(name) : NULL;
    bool ok = true;

    if (opt && !value && is_topic(p, opt)) {
        add_topic(p, name);
    } else if (s) {
        ok = apply_switch(p, s, value);
    } else if (opt) {
        struct setting setting = {opt, read_value(p, name, opt->kind == OPT_BOOL, value)};

        ok = setting.value && may_set(p, &setting);
        if (ok)
            vec_push(&p->settings, setting);
    } else if (strcmp(name, preset_word) == 0) {
        value = read_value(p, name, false, value);
        ok = value;
        if (ok)
            vec_push(&p->presets, value);
    } else {
        ok = unknown_option(p, name);
    }
    free(name);
    return ok;
}

/* True if a first word that is no command may be a file: it exists or looks like a path. */
static bool may_be_file(const char *word)
{
    return strpbrk(word, "./") || strcmp(word, "-") == 0 || access(word, F_OK) == 0;
}

/* True if WORD may be a command after files: `tfprof data.pb scope`. */
static bool may_follow_files(const struct parser *p, const char *word)
{
    return p->origin == AT_PROGRAM && !p->options_ended && !p->cl->command && p->cl->files.n &&
           access(word, F_OK) != 0;
}

static bool read_argument(struct parser *p, const char *word)
{
    struct command_line *cl = p->cl;

    if (may_follow_files(p, word)) {
        cl->command = command_find(word, p->origin);
        if (cl->command)
            return true;
    }
    if (!cl->command && !cl->files.n) {
        cl->command = command_find(word, p->origin);
        if (cl->command)
            return true;
        if (p->origin == AT_PROMPT || !may_be_file(word))
            return unknown_command(p, word);
    }
    if (wants_topic(p)) {
        add_topic(p, word);
        return true;
    }
    if (wants_statement(p)) {
        cl->statement = xstrdup(word);
        return true;
    }
    if (p->origin == AT_PROMPT)
        return err_set(p->err, ERR_USAGE, "%s: unexpected word '%s' (options begin with -)",
                       cl->command->name, word);
    words_add(&cl->files, word);
    return true;
}

/* Refuses parameters of other tables; -order_by is also an option of views. */
static bool takes_options(const struct command_line *cl, struct err *err)
{
    const struct table *table = cl->command ? cl->command->table : NULL;

    for (size_t i = 0; table && i < cl->given.n; i++)
        for (size_t t = 0; table_list[t]; t++)
            if (table_has_option(table_list[t], cl->given.items[i]) &&
                !table_has_option(table, cl->given.items[i]) &&
                strcmp(cl->given.items[i], "order_by") != 0)
                return err_set(err, ERR_USAGE, "-%s: an option of %s, not of %s", cl->given.items[i],
                               table_list[t]->name, table->name);
    return true;
}

static bool output_exists(const struct options *o, struct err *err)
{
    struct output_spec spec = {0};
    const bool ok = output_parse(o->output, &spec, err);

    if (ok)
        output_spec_done(&spec);
    return ok;
}

bool command_line_set(struct options *o, const struct option *opt, const char *value,
                      struct err *err)
{
    struct options changed;
    bool ok;

    options_copy(&changed, o);
    ok = option_set(&changed, opt, value, err) &&
         (opt->kind != OPT_OUTPUT || output_exists(&changed, err));
    if (ok) {
        options_done(o);
        *o = changed;
    } else {
        options_done(&changed);
    }
    return ok;
}

static bool apply(struct parser *p)
{
    struct options *o = &p->cl->options;

    for (size_t i = 0; i < p->presets.n; i++) {
        if (!options_preset(o, p->presets.data[i], p->err))
            return false;
        for (const struct preset_row *row = preset_rows; row->preset; row++)
            if (strcmp(row->preset, p->presets.data[i]) == 0)
                words_add(&p->cl->given, row->option);
    }
    for (size_t i = 0; i < p->settings.n; i++) {
        if (!option_set(o, p->settings.data[i].opt, p->settings.data[i].value, p->err))
            return false;
        words_add(&p->cl->given, p->settings.data[i].opt->name);
    }
    if (p->cl->command && p->cl->command->table && !option_was_given(&p->cl->given, "order_by"))
        o->order_by = ORDER_TOTAL;
    return output_exists(o, p->err) && takes_options(p->cl, p->err);
}

bool option_was_given(const struct words *given, const char *name)
{
    for (size_t i = 0; i < given->n; i++)
        if (strcmp(given->items[i], name) == 0)
            return true;
    return false;
}

bool command_line_parse(struct command_line *cl, int argc, const char *const *argv,
                        enum command_origin origin, const struct options *base, struct err *err)
{
    struct parser p = {.cl = cl, .argv = argv, .argc = argc, .origin = origin, .err = err};
    bool ok = true;

    memset(cl, 0, sizeof *cl);
    if (base)
        options_copy(&cl->options, base);
    else
        options_init(&cl->options);
    while (ok && p.at < argc) {
        const char *word = argv[p.at++];

        if (!p.options_ended && strcmp(word, "--") == 0)
            p.options_ended = true;
        else
            ok = is_option_word(&p, word) ? read_option(&p, word) : read_argument(&p, word);
    }
    if (ok && origin == AT_PROMPT && !cl->command && p.settings.n + p.presets.n)
        ok = err_set(err, ERR_USAGE, "a command is missing: set, or a view");
    if (ok && wants_statement(&p))
        ok = err_set(err, ERR_USAGE, "sql: a query is missing: sql 'select ...', or sql .schema");
    ok = ok && apply(&p);
    EACH(vec_done, &p.settings, &p.presets);
    if (!ok)
        command_line_done(cl);
    return ok;
}

/* Skips a pasted prompt or program name in front of the line. */
static bool is_pasted_name(const struct words *words)
{
    return words->n &&
           (strcmp(words->items[0], "tfprof>") == 0 || strcmp(words->items[0], "tfprof") == 0);
}

bool command_line_parse_text(struct command_line *cl, const char *line, enum command_origin origin,
                             const struct options *base, struct err *err)
{
    struct words words;
    const char *const *items;
    int n;
    bool ok;

    memset(cl, 0, sizeof *cl);
    if (!words_split(line, &words, err))
        return false;
    items = (const char *const *)words.items;
    n = (int)words.n;
    if (origin == AT_PROMPT && is_pasted_name(&words)) {
        items++;
        n--;
    }
    ok = command_line_parse(cl, n, items, origin, base, err);
    words_done(&words);
    return ok;
}

void command_line_done(struct command_line *cl)
{
    options_done(&cl->options);
    EACH(words_done, &cl->given, &cl->files);
    EACH(free, cl->help_topic, cl->statement);
    memset(cl, 0, sizeof *cl);
}
