/* session.c: opening what the options name, and closing it. */
#include "session/session.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/xalloc.h"

static bool names_an_input(const struct options *o, size_t n_files)
{
    bool some = n_files > 0;

    for (size_t i = 0; i < option_table_n; i++) {
        const struct option *opt = &option_table[i];

        if (opt->steps == STEP_LOAD && (opt->kind == OPT_PATH || opt->kind == OPT_PATHS))
            some |= !option_is_default(o, opt);
    }
    return some;
}

typedef struct profile *load_fn(const struct load_request *request,
                                struct load_progress *progress, struct cancel_mark cancel,
                                struct err *err);

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
    s->profile = profile;
    s->query = query_new(profile);
    for (size_t i = 0; i < n_files; i++)
        words_add(&s->files, files[i]);
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
    profile_free(s->profile);
    words_done(&s->files);
    free(s);
}
