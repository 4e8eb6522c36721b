/* session.c: loads the inputs and the baseline that the options name. */
#include "session/session.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/regex/regexes.h"
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
