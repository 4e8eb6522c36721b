/* session.c: loads the inputs and the baseline that the options name, and prints a view as a
 * command line. */
#include "session/session.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "activity/table.h"
#include "base/regex/regexes.h"
#include "base/utf8.h"
#include "base/xalloc.h"

/* The options of the comparison alone name no input. */
static bool is_input(const struct option *opt)
{
    return opt->offset != offsetof(struct options, diff_base) &&
           opt->offset != offsetof(struct options, rename) &&
           opt->offset != offsetof(struct options, unmatch);
}

static bool names_an_input(const struct options *o, size_t n_files)
{
    bool some = n_files > 0;

    array_each(const struct option, opt, option_table, option_table_n) {
        if (opt->stages == STAGE_LOAD && is_input(opt) &&
            (opt->kind == OPT_PATH || opt->kind == OPT_PATHS))
            some |= !option_is_default(o, opt);
    }
    return some;
}

static void add_file(const char *item, size_t len UNUSED, size_t offset UNUSED, void *words)
{
    words_add(words, item);
}

/* Loads the files of -diff_base; the format of each is detected. */
static struct profile *load_base(const struct options *options, struct load_progress *progress,
                                 struct cancel_mark cancel, struct err *err)
{
    struct load_request request = {.options = options};
    struct words files = {0};
    struct options inputs;
    struct profile *base;

    options_copy(&inputs, options);
    options_drop_files(&inputs);
    if (inputs.backward == BACKWARD_DEFAULT) /* equals the default of profiles with a baseline */
        inputs.backward = BACKWARD_OWN;
    regexes_split(options->diff_base, add_file, &files);
    request.options = &inputs;
    request.files = (const char *const *)files.items;
    request.n_files = files.n;
    base = load_profile(&request, progress, cancel, err);
    if (!base)
        err_prefix(err, "-diff_base");
    words_done(&files);
    options_done(&inputs);
    return base;
}

static bool compare(struct session *s, const struct options *options,
                    struct load_progress *progress, struct cancel_mark cancel, struct err *err)
{
    if (!options->diff_base)
        return true;
    s->base = load_base(options, progress, cancel, err);
    s->comparison = s->base ? comparison_new(s->base, s->now, options->rename, options->unmatch, err) : NULL;
    if (!s->comparison)
        return false;
    s->profile = s->comparison->merged;
    notes_add_all(&s->profile->notes, &s->now->notes, "");
    notes_add_all(&s->profile->notes, &s->base->notes, "base: ");
    return true;
}

/* Makes the session of PROFILE, which it takes over, and loads the baseline. NULL stays NULL. */
static struct session *session_new(struct profile *profile, const struct load_request *request,
                                  struct load_progress *progress, struct cancel_mark cancel,
                                  struct err *err)
{
    struct session *s;

    if (!profile)
        return NULL;
    s = xcalloc(1, sizeof *s);
    atomic_init(&s->refs, 1);
    s->profile = s->now = profile;
    for (size_t i = 0; i < request->n_files; i++)
        words_add(&s->files, request->files[i]);
    if (!compare(s, request->options, progress, cancel, err)) {
        session_close(s);
        return NULL;
    }
    s->query = s->comparison ? query_new_comparison(s->comparison) : query_new(profile);
    return s;
}

static bool check_inputs(const struct load_request *request, struct err *err)
{
    return names_an_input(request->options, request->n_files) ||
           err_set(err, ERR_USAGE, "no input: name a file, or see `tfprof help`");
}

struct session *session_open(const struct options *options, const char *const *files,
                             size_t n_files, struct load_progress *progress,
                             struct cancel_mark cancel, struct err *err)
{
    return session_open_rest(NULL, options, files, n_files, progress, cancel, err);
}

struct session *session_open_graph(const struct options *options, const char *const *files,
                                   size_t n_files, struct load_progress *progress,
                                   struct cancel_mark cancel, struct load_begun **begun,
                                   struct err *err)
{
    const struct load_request request = {.options = options, .files = files, .n_files = n_files};

    *begun = NULL;
    if (options->diff_base || !check_inputs(&request, err)) /* compares whole profiles */
        return NULL;
    return session_new(load_graph_first(&request, progress, cancel, begun, err), &request, progress,
                      cancel, err);
}

struct session *session_open_rest(struct load_begun *begun, const struct options *options,
                                  const char *const *files, size_t n_files,
                                  struct load_progress *progress, struct cancel_mark cancel,
                                  struct err *err)
{
    const struct load_request request = {.options = options, .files = files, .n_files = n_files};

    if (!check_inputs(&request, err)) {
        load_begun_free(begun);
        return NULL;
    }
    return session_new(load_rest(begun, &request, progress, cancel, err), &request, progress, cancel,
                      err);
}

struct session *session_ref(struct session *s)
{
    if (s)
        atomic_fetch_add(&s->refs, 1);
    return s;
}

void session_close(struct session *s)
{
    if (!s || atomic_fetch_sub(&s->refs, 1) != 1)
        return;
    query_free(s->query);
    comparison_free(s->comparison);
    EACH(profile_free, s->base, s->now);
    words_done(&s->files);
    free(s);
}

static const char *view_command(enum view_id view)
{
    for (const struct command *c = command_table; c->name; c++)
        if (c->kind == COMMAND_VIEW && c->view == view)
            return c->name;
    return "scope";
}

static bool is_printed_option(const struct options *o, const struct option *opt, enum view_id view)
{
    return !opt->stands_for && option_is_changed(o, opt, view);
}

/* Inputs are written --name=value, as the original does; other options -name value. */
static void print_option(struct strbuf *sb, const struct options *o, const struct option *opt)
{
    struct strbuf value = {0};

    option_print(&value, o, opt);
    if (opt->stages == STAGE_LOAD) {
        sb_addf(sb, " --%s=", opt->name);
        words_quote(sb, sb_text(&value));
    } else if (opt->kind == OPT_BOOL && strcmp(sb_text(&value), "true") == 0) {
        sb_addf(sb, " -%s", opt->name);
    } else {
        sb_addf(sb, " -%s ", opt->name);
        words_quote(sb, sb_text(&value));
    }
    sb_done(&value);
}

/* "./" keeps a file name from being read as an option. */
static void print_file(struct strbuf *sb, const char *file)
{
    sb_adds(sb, file[0] == '-' && file[1] ? " ./" : " ");
    words_quote(sb, file);
}

/* RULES precede the other files, unless NULL. */
static void print_command(struct strbuf *sb, const struct session *s, const char *command,
                          const char *rules, enum view_id view, const struct options *o)
{
    sb_addf(sb, "tfprof %s", command);
    if (rules)
        print_file(sb, rules);
    for (size_t i = 0; s && i < s->files.n; i++)
        print_file(sb, s->files.items[i]);
    for (int inputs = 1; inputs >= 0; inputs--)
        for (size_t i = 0; i < option_table_n; i++)
            if ((option_table[i].stages == STAGE_LOAD) == inputs &&
                is_printed_option(o, &option_table[i], view))
                print_option(sb, o, &option_table[i]);
}

void session_print_command(struct strbuf *sb, const struct session *s, enum view_id view,
                           const struct options *o)
{
    print_command(sb, s, view_command(view), NULL, view, o);
}

void session_print_table_command(struct strbuf *sb, const struct session *s,
                                 const struct table *table, const char *rules, enum view_id view,
                                 const struct options *o)
{
    struct options printed = *o;

    if (printed.order_by < ORDER_BASE)
        printed.order_by = ORDER_NAME; /* by a figure of the tree */
    printed.diff_step = DIFF_STEP_SAME; /* tables do not compare steps */
    print_command(sb, s, table->name, rules, view, &printed);
}

/* Appends VALUE for the original, which splits lines at blanks and lists at commas and has no
 * quotes. False if that is impossible: a comma inside {1,3} or [...] of a regex, or unprintable
 * bytes. */
static bool print_bare(struct strbuf *sb, const char *value, bool is_regex)
{
    const size_t before = sb->len;
    bool is_exact = true;

    for (const char *c = value; *c; c++) {
        const bool escaped_comma = c[0] == '\\' && c[1] == ',';

        if (escaped_comma && is_regex) {
            const char *open = c;

            while (open > value && open[-1] >= '0' && open[-1] <= '9')
                open--;
            is_exact = is_exact && !(open > value && open[-1] == '{');
            sb_adds(sb, "\\x2C");
            c++;
        } else if (c[0] == '\\' && c[1] && is_regex) {
            sb_add(sb, c++, 2);
        } else if (strchr(" \t\n\r", *c)) {
            is_exact = is_exact && is_regex;
            sb_addf(sb, "\\x%02X", (unsigned char)*c);
        } else {
            sb_addc(sb, *c);
        }
    }
    return is_exact && utf8_is_plain(sb_text(sb) + before, sb->len - before);
}

void session_print_prompt_line(struct strbuf *sb, enum view_id view, const struct options *o,
                               struct notes *notes)
{
    sb_adds(sb, view_command(view));
    array_each(const struct option, opt, option_table, option_table_n) {
        struct strbuf value = {0}, bare = {0};

        if (opt->stages == STAGE_LOAD || !is_printed_option(o, opt, view))
            continue;
        option_print(&value, o, opt);
        if (opt == option_find("max_depth")) { /* the original has no value `all` */
            sb_clear(&value);
            sb_addf(&value, "%" PRId64, o->max_depth);
        }
        if (opt->ours)
            note_add(notes, "-%s does not exist at the original's prompt", opt->name);
        else if (!value.len)
            note_add(notes, "-%s: the original's prompt has no empty values", opt->name);
        else if (!print_bare(&bare, value.data, opt->kind == OPT_REGEXES))
            note_add(notes, "-%s: the original's prompt does not accept %s", opt->name, value.data);
        else
            sb_addf(sb, " -%s %s", opt->name, sb_text(&bare));
        EACH(sb_done, &value, &bare);
    }
}
