/* session.c: opening what the options name, and closing it. */
#include "session/session.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/regexes.h"
#include "base/xalloc.h"

/* What is compared is no input alone, nor is how. */
static bool is_input(const struct option *opt)
{
    return opt->offset != offsetof(struct options, diff_base) &&
           opt->offset != offsetof(struct options, rename) &&
           opt->offset != offsetof(struct options, unmatch);
}

static bool names_an_input(const struct options *o, size_t n_files)
{
    bool some = n_files > 0;

    for (size_t i = 0; i < option_table_n; i++) {
        const struct option *opt = &option_table[i];

        if (opt->steps == STEP_LOAD && is_input(opt) &&
            (opt->kind == OPT_PATH || opt->kind == OPT_PATHS))
            some |= !option_is_default(o, opt);
    }
    return some;
}

typedef struct profile *load_fn(const struct load_request *request,
                                struct load_progress *progress, struct cancel_mark cancel,
                                struct err *err);

static void add_file(const char *item, size_t len, size_t offset, void *words)
{
    (void)len;
    (void)offset;
    words_add(words, item);
}

/* Loads the base of -diff_base as the other files are, each read as what it looks like. */
static struct profile *load_base(const struct options *options, struct load_progress *progress,
                                 struct cancel_mark cancel, struct err *err)
{
    struct load_request request = {.options = options};
    struct words files = {0};
    struct options inputs;
    struct profile *base;

    options_copy(&inputs, options);
    options_drop_files(&inputs);
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

static void add_notes(struct notes *to, const struct notes *from, const char *whose)
{
    for (size_t i = 0; i < from->n; i++)
        note_add(to, "%s%s", whose, from->lines[i]);
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
    add_notes(&s->profile->notes, &s->now->notes, "");
    add_notes(&s->profile->notes, &s->base->notes, "base: ");
    return true;
}

static struct session *open_with(load_fn *load, const struct options *options,
                                 const char *const *files, size_t n_files,
                                 struct load_progress *progress, struct cancel_mark cancel,
                                 struct err *err)
{
    const struct load_request request = {.options = options, .files = files, .n_files = n_files};
    struct session *s;
    struct profile *profile;

    if (!names_an_input(options, n_files)) {
        err_set(err, ERR_USAGE, "no input: name a file, or see `tfprof help`");
        return NULL;
    }
    profile = load(&request, progress, cancel, err);
    if (!profile)
        return NULL;
    s = xcalloc(1, sizeof *s);
    atomic_init(&s->refs, 1);
    s->profile = s->now = profile;
    for (size_t i = 0; i < n_files; i++)
        words_add(&s->files, files[i]);
    if (!compare(s, options, progress, cancel, err)) {
        session_close(s);
        return NULL;
    }
    s->query = s->comparison ? query_new_comparison(s->comparison) : query_new(profile);
    return s;
}

struct session *session_open(const struct options *options, const char *const *files,
                             size_t n_files, struct load_progress *progress,
                             struct cancel_mark cancel, struct err *err)
{
    return open_with(load_profile, options, files, n_files, progress, cancel, err);
}

struct session *session_open_graph(const struct options *options, const char *const *files,
                                   size_t n_files, struct load_progress *progress,
                                   struct cancel_mark cancel, struct err *err)
{
    if (options->diff_base) /* both wholes are compared */
        return NULL;
    return open_with(load_graph_first, options, files, n_files, progress, cancel, err);
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
    profile_free(s->base);
    profile_free(s->now);
    words_done(&s->files);
    free(s);
}
