/* session.c: opening what the options name, and closing it. */
#include "session/session.h"

#include <stdlib.h>

#include "base/regexes.h"
#include "base/xalloc.h"

static void add_path(const char *item, size_t len, size_t offset, void *arg)
{
    (void)len;
    (void)offset;
    words_add(arg, item);
}

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

static const enum functions_mode functions_modes[] = {
    [FUNCTIONS_BELOW_CALLS] = FUNCTIONS_INLINE,
    [FUNCTIONS_BY_NAME] = FUNCTIONS_LIST,
    [FUNCTIONS_NOT_SHOWN] = FUNCTIONS_OFF,
};

typedef struct profile *load_fn(const struct load_request *request,
                                struct load_progress *progress, struct cancel_mark cancel,
                                struct err *err);

static struct session *open_with(load_fn *load, const struct options *options,
                                 const char *const *files, size_t n_files,
                                 struct load_progress *progress, struct cancel_mark cancel,
                                 struct err *err)
{
    struct words run_metas = {0};
    struct session *s;
    struct profile *profile;

    if (!names_an_input(options, n_files)) {
        err_set(err, ERR_USAGE, "no input: name a file, or see `tfprof help`");
        return NULL;
    }
    if (options->run_meta_path)
        regexes_split(options->run_meta_path, add_path, &run_metas);
    profile = load(
        &(struct load_request){
            .graph_path = options->graph_path,
            .run_meta_paths = (const char *const *)run_metas.items,
            .n_run_meta_paths = run_metas.n,
            .op_log_path = options->op_log_path,
            .checkpoint_path = options->checkpoint_path,
            .profile_path = options->profile_path,
            .tag = options->tag,
            .signature = options->signature,
            .functions = functions_modes[options->functions],
            .function_rows = options->function_rows > 0 ? options->function_rows : -1,
            .open_calls = options->open_calls,
            .define_type = options->define_type,
            .files = files,
            .n_files = n_files,
        },
        progress, cancel, err);
    words_done(&run_metas);
    if (!profile)
        return NULL;
    s = xcalloc(1, sizeof *s);
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

void session_close(struct session *s)
{
    if (!s)
        return;
    query_free(s->query);
    profile_free(s->profile);
    words_done(&s->files);
    free(s);
}
