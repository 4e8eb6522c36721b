/* load.c: files in, one profile out. */
#include "load/load.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "load/bytes/input.h"
#include "load/read_inputs.h"
#include "load/xplane/run.h"

/* Keeps the graphs of INPUTS when the rest takes long enough to look at them
 * alone meanwhile. */
static bool keep_graphs(struct inputs *inputs)
{
    enum { REST_MIN_BYTES = 4 << 20, REST_MIN_PART = 4 };
    bool slow = false;
    uint64_t graph_bytes = 0, rest_bytes = 0;
    size_t kept = 0;

    while (kept < inputs->list.n &&
           formats[inputs->list.data[kept].format]->contents == CONTAINS_GRAPH) {
        if (inputs->list.data[kept].is_stream)
            return false;
        graph_bytes += inputs->list.data[kept++].file_size_bytes;
    }
    for (size_t i = kept; i < inputs->list.n; i++) {
        slow |= inputs->list.data[i].is_stream;
        rest_bytes += inputs->list.data[i].file_size_bytes;
    }
    if (!kept || (!slow && (rest_bytes < REST_MIN_BYTES ||
                            rest_bytes < graph_bytes / REST_MIN_PART)))
        return false;
    inputs_truncate(inputs, kept);
    return true;
}

/* A file of a folder that cannot be read, and why. */
struct damaged {
    char *path, *why; /* heap */
};

typedef VEC(struct damaged) damaged_list;

/* Leaves out what earlier attempts could not read. */
static void drop_damaged(struct inputs *inputs, const damaged_list *damaged, struct notes *notes)
{
    for (size_t i = 0; i < damaged->n; i++) {
        inputs_drop(inputs, damaged->data[i].path);
        note_add(notes, "%s: skipped", damaged->data[i].why);
    }
}

/* True when all but the file in work can be read once more without it: nobody named it, and
 * something is left. */
static bool can_do_without(const struct inputs *inputs, const damaged_list *damaged,
                           const struct err *err)
{
    enum { DAMAGED_MAX = 16 }; /* each costs another attempt */

    if (err->kind != ERR_INPUT || inputs->list.n < 2 || damaged->n >= DAMAGED_MAX)
        return false;
    for (size_t i = 0; i < inputs->list.n; i++)
        if (inputs->list.data[i].is_stream)
            return false;
    return inputs->in_work < inputs->list.n && inputs->list.data[inputs->in_work].in_folder;
}

/* One attempt without DAMAGED; when it fails on a file that can be left out, that is added. */
static struct profile *try_load(const struct load_request *request, bool graph_first,
                                struct load_progress *progress, struct cancel_mark cancel,
                                damaged_list *damaged, struct err *err)
{
    struct inputs inputs = {.without_streams = graph_first, .in_work = SIZE_MAX};
    struct loader l;
    bool done;

    loader_init(&l, request, progress, cancel);
    done = inputs_collect(&inputs, request, &builder_profile(l.builder)->notes, cancel, err);
    if (done) {
        drop_damaged(&inputs, damaged, &builder_profile(l.builder)->notes);
        done = (!graph_first || keep_graphs(&inputs)) && read_inputs(&l, &inputs, err);
    }
    if (!done && can_do_without(&inputs, damaged, err)) {
        const struct damaged one = {xstrdup(inputs.list.data[inputs.in_work].path),
                                    xstrdup(err_text(err))};

        vec_push(damaged, one);
    }
    inputs_done(&inputs);
    run_free(l.run);
    loader_done(&l);
    if (done)
        return builder_finish(l.builder);
    builder_abandon(l.builder);
    return NULL;
}

/* What a damaged file has told already is in the profile: all others are read afresh. */
static struct profile *load(const struct load_request *request, bool graph_first,
                            struct load_progress *progress, struct cancel_mark cancel,
                            struct err *err)
{
    damaged_list damaged = {0};
    struct profile *p;
    size_t n_before;

    do {
        n_before = damaged.n;
        err_done(err);
        p = try_load(request, graph_first, progress, cancel, &damaged, err);
    } while (!p && damaged.n > n_before);
    for (size_t i = 0; i < damaged.n; i++) {
        free(damaged.data[i].path);
        free(damaged.data[i].why);
    }
    vec_done(&damaged);
    return p;
}

struct profile *load_profile(const struct load_request *request, struct load_progress *progress,
                             struct cancel_mark cancel, struct err *err)
{
    return load(request, false, progress, cancel, err);
}

struct profile *load_graph_first(const struct load_request *request,
                                 struct load_progress *progress, struct cancel_mark cancel,
                                 struct err *err)
{
    return load(request, true, progress, cancel, err);
}

bool load_check(const struct profile *p, struct err *err)
{
    for (size_t i = 0; i < p->n_files; i++)
        if (!input_check(&p->files[i], err))
            return false;
    return true;
}
