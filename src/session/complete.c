/* complete.c: completion at the cursor. */
#include "session/complete.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/lower_bound.h"
#include "base/regex/regexes.h"
#include "base/xalloc.h"
#include "export/output.h"

void completions_done(struct completions *c)
{
    words_done(&c->matches);
    sb_done(&c->typed);
}

size_t completions_common(const struct completions *c)
{
    size_t common = c->matches.n ? strlen(c->matches.items[0]) : 0;

    for (size_t i = 1; i < c->matches.n; i++) {
        size_t same = 0;

        while (same < common && c->matches.items[i][same] == c->matches.items[0][same])
            same++;
        common = same;
    }
    return common;
}

/* ---- offering */

/* Adds FIXED + WORD if it begins with the typed word. */
static void offer(struct completions *c, const char *fixed, const char *word)
{
    struct strbuf match = {0};

    sb_adds(&match, fixed);
    sb_adds(&match, word);
    if (c->matches.n < COMPLETIONS_MAX &&
        strncmp(sb_text(&match), sb_text(&c->typed), c->typed.len) == 0)
        words_add(&c->matches, sb_text(&match));
    sb_done(&match);
}

static void offer_commands(struct completions *c, enum command_origin origin)
{
    for (const struct command *command = command_table; command->name; command++)
        if (command->origins & origin)
            offer(c, "", command->name);
}

/* Adds option names, with as many dashes as were typed. */
static void offer_options(struct completions *c, enum command_origin origin)
{
    const char *dashes = strncmp(sb_text(&c->typed), "--", 2) == 0 ? "--" : "-";

    for (size_t i = 0; i < option_table_n; i++)
        if (origin == AT_PROGRAM || option_table[i].stages != STAGE_LOAD)
            offer(c, dashes, option_table[i].name);
    offer(c, dashes, "preset");
    if (origin == AT_PROGRAM)
        for (const struct cli_switch *s = switch_table; s->name; s++)
            offer(c, dashes, s->name);
}

static void offer_presets(struct completions *c, const char *fixed)
{
    const char *last = "";

    for (const struct preset_row *row = preset_rows; row->preset; row++) {
        if (strcmp(row->preset, last) != 0)
            offer(c, fixed, row->preset);
        last = row->preset;
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds files whose path begins with PATH. */
static void offer_files(struct completions *c, const char *fixed, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    char *folder = slash ? xmemdupz(path, (size_t)(slash - path) + 1) : xstrdup("");
    DIR *dir = opendir(*folder ? folder : ".");
    const struct dirent *entry;

    while (dir && (entry = readdir(dir))) {
        struct strbuf file = {0};
        struct stat st;

        /* Hidden files match only a typed dot. */
        if (entry->d_name[0] == '.' && *name != '.')
            continue;
        sb_addf(&file, "%s%s", folder, entry->d_name);
        sb_adds(&file, stat(sb_text(&file), &st) == 0 && S_ISDIR(st.st_mode) ? "/" : "");
        offer(c, fixed, sb_text(&file));
        sb_done(&file);
    }
    if (dir)
        closedir(dir);
    free(folder);
    if (c->matches.n)
        qsort(c->matches.items, c->matches.n, sizeof *c->matches.items, by_text);
    if (c->matches.n == 1 && c->matches.items[0][strlen(c->matches.items[0]) - 1] == '/')
        c->is_final = false;
}

/* ---- names of nodes, one scope at a time */

static int compare_name(const struct profile *p, node_id node, const char *text, size_t len)
{
    const uint32_t name_len = intern_len(&p->strings, p->name[node]);
    const int order = memcmp(profile_text(p, p->name[node]), text, name_len < len ? name_len : len);

    return order ? order : (name_len > len) - (name_len < len);
}

/* Returns the index in by_name of the first node with a name >= TEXT. */
static uint32_t first_not_before(const struct profile *p, const char *text, size_t len)
{
    size_t at = 0;

    LOWER_BOUND(at, p->n_nodes, i, compare_name(p, p->by_name[i], text, len) < 0);
    return (uint32_t)at;
}

/* Adds names that begin with ITEM, cut at the next '/'. Each scope takes one binary search. */
static void offer_names(struct completions *c, const char *fixed, const struct profile *p,
                        const char *item)
{
    struct strbuf plain = {0}, upto = {0}, quoted = {0};
    uint32_t i;

    /* The typed text is a regex: "a\.b" matches the name "a.b". */
    for (const char *at = item; *at; at++)
        if (*at != '\\' || !at[1])
            sb_addc(&plain, *at);
    i = first_not_before(p, sb_text(&plain), plain.len);
    while (i < p->n_nodes && c->matches.n < COMPLETIONS_MAX) {
        const char *name = profile_text(p, p->name[p->by_name[i]]);
        const size_t len = intern_len(&p->strings, p->name[p->by_name[i]]);
        const char *slash;

        if (len < plain.len || memcmp(name, sb_text(&plain), plain.len) != 0)
            break;
        slash = memchr(name + plain.len, '/', len - plain.len);
        sb_clear(&upto);
        sb_add(&upto, name, slash ? (size_t)(slash - name) + 1 : len);
        sb_clear(&quoted);
        regexes_quote(&quoted, upto.data, upto.len);
        offer(c, fixed, sb_text(&quoted));
        if (slash) {
            c->is_final = false;
            upto.data[upto.len - 1]++; /* '0' follows '/': skips the rest of the scope */
            i = first_not_before(p, upto.data, upto.len);
        } else {
            i++;
        }
    }
    EACH(sb_done, &plain, &upto, &quoted);
}

/* ---- values */

static void offer_outputs(struct completions *c, const char *fixed, const char *value)
{
    static const char *const behind[] = {
        [OUTFILE_NONE] = "", [OUTFILE_OPTIONAL] = "", [OUTFILE_NEEDED] = ":outfile=",
        [OUTFILE_FOLDER] = ":outfile="};
    _Static_assert(sizeof behind / sizeof *behind == OUTFILE_RULE_COUNT, "a text for each rule");
    const char *file = strstr(value, ":outfile=");

    if (file) {
        struct strbuf before = {0};

        file += strlen(":outfile=");
        sb_adds(&before, fixed);
        sb_add(&before, value, (size_t)(file - value));
        offer_files(c, sb_text(&before), file);
        sb_done(&before);
        return;
    }
    for (size_t i = 0; outputs[i]; i++) {
        struct strbuf word = {0};

        sb_addf(&word, "%s%s", outputs[i]->name, behind[outputs[i]->outfile]);
        offer(c, fixed, sb_text(&word));
        c->is_final &= !output_needs_outfile(outputs[i]);
        sb_done(&word);
    }
}

/* Adds values of OPT that begin with VALUE. FIXED precedes the value in the word. */
static void offer_values(struct completions *c, const char *fixed, const struct option *opt,
                         const char *value, const struct profile *p)
{
    const bool is_list =
        opt->kind == OPT_FIELDS || opt->kind == OPT_REGEXES || opt->kind == OPT_PATHS;
    const char *comma = is_list ? strrchr(value, ',') : NULL;
    const char *item = comma ? comma + 1 : value;
    struct strbuf before = {0};
    const char *word;

    sb_adds(&before, fixed);
    sb_add(&before, value, (size_t)(item - value));
    c->item_start = before.len;
    c->is_final = !is_list;
    for (int i = 0; (word = option_value_name(opt, i)); i++)
        offer(c, sb_text(&before), word);
    if (opt->kind == OPT_OUTPUT && !opt->stands_for)
        offer_outputs(c, sb_text(&before), value);
    else if (opt->kind == OPT_PATH || opt->kind == OPT_PATHS || opt->kind == OPT_OUTPUT)
        offer_files(c, sb_text(&before), item);
    else if (opt->kind == OPT_REGEXES && p)
        offer_names(c, sb_text(&before), p, item);
    sb_done(&before);
}

/* ---- where the cursor is */

/* Returns the option in WORD ("-name" or "--name", LEN bytes), or NULL. *IS_PRESET: is -preset. */
static const struct option *option_of_word(const char *word, size_t len, bool *is_preset)
{
    const size_t dashes = len > 1 && word[1] == '-' ? 2 : 1;
    const struct option *opt;
    char *name;

    *is_preset = false;
    if (len <= dashes || word[0] != '-')
        return NULL;
    name = xmemdupz(word + dashes, len - dashes);
    opt = option_find(name);
    *is_preset = strcmp(name, "preset") == 0;
    free(name);
    return opt;
}

/* Completes the value of "-name=val". */
static bool complete_assignment(struct completions *c, const struct profile *p)
{
    const char *equals = strchr(sb_text(&c->typed), '=');
    const struct option *opt;
    bool is_preset;
    char *fixed;

    if (!equals)
        return false;
    opt = option_of_word(c->typed.data, (size_t)(equals - c->typed.data), &is_preset);
    fixed = xmemdupz(c->typed.data, (size_t)(equals - c->typed.data) + 1);
    c->item_start = strlen(fixed);
    if (opt)
        offer_values(c, fixed, opt, equals + 1, p);
    else if (is_preset)
        offer_presets(c, fixed);
    free(fixed);
    return true;
}

/* Completes the value of the option before the cursor, if it takes one. */
static bool complete_value(struct completions *c, const char *last, const struct profile *p)
{
    bool is_preset = false;
    const struct option *opt =
        last && !strchr(last, '=') ? option_of_word(last, strlen(last), &is_preset) : NULL;

    if (is_preset) {
        offer_presets(c, "");
        return true;
    }
    if (!opt || (opt->kind == OPT_BOOL && c->typed.len && c->typed.data[0] == '-'))
        return false;
    offer_values(c, "", opt, sb_text(&c->typed), p);
    return true;
}

static void offer_topics(struct completions *c)
{
    offer_commands(c, AT_PROGRAM | AT_PROMPT);
    for (size_t i = 0; i < option_table_n; i++)
        offer(c, "", option_table[i].name);
    for (int f = 0; f < FIELD_COUNT; f++)
        offer(c, "", field_get(f)->name);
}

void complete_line(struct completions *c, const char *line, size_t len, enum command_origin origin,
                   const struct profile *p)
{
    struct words before;
    struct err ignored = {0};
    char *head;
    const char *last;

    memset(c, 0, sizeof *c);
    c->is_final = true;
    c->start = words_last(line, len, &c->typed);
    head = xmemdupz(line, c->start);
    if (!words_split(head, &before, &ignored))
        memset(&before, 0, sizeof before);
    err_done(&ignored);
    last = before.n ? before.items[before.n - 1] : NULL;
    if (c->typed.len && c->typed.data[0] == '-' && complete_assignment(c, p))
        ;
    else if (complete_value(c, last, p))
        ;
    else if (c->typed.len && c->typed.data[0] == '-')
        offer_options(c, origin);
    else if (before.n && strcmp(before.items[0], "help") == 0)
        offer_topics(c);
    else if (!before.n)
        offer_commands(c, origin);
    else if (!c->typed.len)
        offer_options(c, origin);
    free(head);
    words_done(&before);
}

void complete_file(struct completions *c, const char *line, size_t len)
{
    memset(c, 0, sizeof *c);
    c->is_final = true;
    c->start = words_last(line, len, &c->typed);
    offer_files(c, "", sb_text(&c->typed));
}
