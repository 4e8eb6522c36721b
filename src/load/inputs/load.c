/* load.c: loads files into a profile. */
#include "load/load.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "load/bytes/input.h"
#include "load/inputs/inputs.h"
#include "load/xplane/run.h"
#include "model/profile_kind.h"

struct load_begun {
    struct loader loader;
    struct inputs inputs;
    size_t n_read; /* inputs that are in the loader's builder */
    struct options options; /* of the request */
};

static struct load_begun *begun_new(const struct load_request *request,
                                    struct load_progress *progress, struct cancel_mark cancel)
{
    struct load_begun *b = xcalloc(1, sizeof *b);

    loader_init(&b->loader, request, progress, cancel);
    options_copy(&b->options, request->options);
    b->inputs.in_work = SIZE_MAX;
    return b;
}

void load_begun_free(struct load_begun *b)
{
    if (!b)
        return;
    inputs_done(&b->inputs);
    run_free(b->loader.run);
    loader_done(&b->loader);
    if (b->loader.builder)
        builder_abandon(b->loader.builder);
    options_done(&b->options);
    free(b);
}

/* The number of graphs at the start of INPUTS, if the rest takes long enough to show them
 * meanwhile; else 0. */
static size_t graphs_to_read_first(const struct inputs *inputs)
{
    enum { REST_MIN_BYTES = 4 << 20, REST_MIN_PART = 4 };
    bool slow = false;
    uint64_t graph_bytes = 0, rest_bytes = 0;
    size_t n = 0;

    while (n < inputs->list.n &&
           formats[inputs->list.data[n].format]->contents == CONTAINS_GRAPH) {
        if (inputs->list.data[n].is_stream)
            return 0;
        graph_bytes += inputs->list.data[n++].file_size_bytes;
    }
    for (size_t i = n; i < inputs->list.n; i++) {
        slow |= inputs->list.data[i].is_stream;
        rest_bytes += inputs->list.data[i].file_size_bytes;
    }
    return slow || (rest_bytes >= REST_MIN_BYTES && rest_bytes >= graph_bytes / REST_MIN_PART) ? n : 0;
}

/* Bytes of the only input to read first, to display them while the rest is read; 0: it is small, or
 * its format cannot be split.  A compressed trace takes about a tenth of its size. */
static uint64_t part_to_read_first(const struct inputs *inputs)
{
    enum { LARGE_BYTES = 50 << 20, SHARE = 10, PART_MAX_BYTES = 32 << 20 };
    const struct input *input = inputs->list.data;
    uint64_t part_bytes;

    if (inputs->list.n != 1 || input->is_stream || !formats[input->format]->loads_parts)
        return 0;
    if (input_is_packed(input->path) && !formats[input->format]->loads_while_unpacking)
        return 0;
    part_bytes = input_is_packed(input->path) ? input->file_size_bytes
                                              : input->file_size_bytes / SHARE;
    if (part_bytes < LARGE_BYTES / SHARE)
        return 0;
    return part_bytes < PART_MAX_BYTES ? part_bytes : PART_MAX_BYTES;
}

/* A file of a folder that cannot be read, and the reason. */
struct damaged {
    char *path, *why; /* heap */
};

typedef VEC(struct damaged) damaged_list;

/* Drops the files that earlier attempts could not read. */
static void drop_damaged(struct inputs *inputs, const damaged_list *damaged, struct notes *notes)
{
    for (size_t i = 0; i < damaged->n; i++) {
        inputs_drop(inputs, damaged->data[i].path);
        note_add_kind(notes, NOTE_SKIPPED, "%s: skipped", damaged->data[i].why);
    }
}

/* True when the load may be repeated without the current file: it comes from a folder, and other
 * inputs remain. */
static bool can_skip_current(const struct inputs *inputs, const damaged_list *damaged,
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

/* Makes a profile of the inputs in B's builder.  If more inputs follow, B continues with a fork
 * of the builder, unless a graph has data that must come last (event files): then B cannot
 * continue. */
static struct profile *finish(struct load_begun *b, bool more_follow, struct err *err)
{
    struct builder *all = b->loader.builder, *fork = NULL;
    struct notes *notes = &builder_profile(all)->notes;
    const bool is_all = !more_follow;
    struct profile *p = NULL;

    for (size_t i = 0; more_follow && i < b->n_read; i++)
        more_follow = !formats[b->inputs.list.data[i].format]->load_late;
    if (more_follow)
        fork = builder_fork(all);
    if (finish_inputs(&b->loader, &b->inputs, b->n_read, err) &&
        (!is_all || host_choice_check(&b->loader.hosts, notes, err)))
        p = builder_finish(all);
    else
        builder_abandon(all);
    if (p)
        p->kind = (uint8_t)profile_kind_find(p);
    b->loader.builder = fork;
    return p;
}

/* Marks the current file to be left out, if that is possible. */
static void note_damaged(const struct load_begun *b, damaged_list *damaged, const struct err *err)
{
    if (can_skip_current(&b->inputs, damaged, err)) {
        const struct damaged one = {xstrdup(b->inputs.list.data[b->inputs.in_work].path),
                                    xstrdup(err_text(err))};

        vec_push(damaged, one);
    }
}

/* One attempt without DAMAGED; when it fails on a file that may be left out, adds that file. */
static struct profile *try_load(const struct load_request *request, bool graph_first,
                                struct load_progress *progress, struct cancel_mark cancel,
                                damaged_list *damaged, struct load_begun **begun, struct err *err)
{
    struct load_begun *b = begun_new(request, progress, cancel);
    struct notes *notes = &builder_profile(b->loader.builder)->notes;
    struct profile *p = NULL;

    b->inputs.without_streams = graph_first;
    if (host_choice_init(&b->loader.hosts, request->options->host_regexes, err) &&
        inputs_collect(&b->inputs, request, notes, cancel, err)) {
        drop_damaged(&b->inputs, damaged, notes);
        b->n_read = graph_first ? graphs_to_read_first(&b->inputs) : b->inputs.list.n;
        if (graph_first && !b->n_read)
            b->n_read = (b->loader.part_bytes = part_to_read_first(&b->inputs)) != 0;
        if ((b->n_read || !graph_first) &&
            read_inputs(&b->loader, &b->inputs, 0, b->n_read, err)) {
            if (b->n_read > b->inputs.list.n) /* the user stopped the load */
                b->n_read = b->inputs.list.n;
            p = finish(b, graph_first && !b->loader.part_bytes, err);
        }
    }
    if (!p && b->loader.part_bytes && err->kind == ERR_INPUT)
        err_done(err); /* the whole file may be valid */
    else if (!p)
        note_damaged(b, damaged, err);
    if (p && b->loader.builder) {
        *begun = b;
        return p;
    }
    load_begun_free(b);
    return p;
}

/* Repeats the load without damaged files, from the start, because the profile has parts of them. */
static struct profile *load(const struct load_request *request, bool graph_first,
                            struct load_progress *progress, struct cancel_mark cancel,
                            struct load_begun **begun, struct err *err)
{
    damaged_list damaged = {0};
    struct profile *p;
    size_t n_before;

    xalloc_keep_freed(false);
    do {
        n_before = damaged.n;
        err_done(err);
        p = try_load(request, graph_first, progress, cancel, &damaged, begun, err);
    } while (!p && damaged.n > n_before);
    for (size_t i = 0; i < damaged.n; i++)
        EACH(free, damaged.data[i].path, damaged.data[i].why);
    vec_done(&damaged);
    xalloc_keep_freed(true);
    return p;
}

struct profile *load_profile(const struct load_request *request, struct load_progress *progress,
                             struct cancel_mark cancel, struct err *err)
{
    return load(request, false, progress, cancel, NULL, err);
}

struct profile *load_graph_first(const struct load_request *request,
                                 struct load_progress *progress, struct cancel_mark cancel,
                                 struct load_begun **begun, struct err *err)
{
    *begun = NULL;
    return load(request, true, progress, cancel, begun, err);
}

/* Reads the remaining inputs of B; NULL without ERR when all have to be read again. */
static struct profile *load_remaining(struct load_begun *b, struct err *err)
{
    const damaged_list none = {0};
    struct profile *p = NULL;

    xalloc_keep_freed(false);
    if (read_inputs(&b->loader, &b->inputs, b->n_read, b->inputs.list.n, err)) {
        b->n_read = b->inputs.list.n;
        p = finish(b, false, err);
    }
    xalloc_keep_freed(true);
    if (!p && can_skip_current(&b->inputs, &none, err))
        err_done(err);
    return p;
}

struct profile *load_rest(struct load_begun *begun, const struct load_request *request,
                          struct load_progress *progress, struct cancel_mark cancel,
                          struct err *err)
{
    struct profile *p = NULL;

    if (begun && !(options_changed_stages(&begun->options, request->options) & STAGE_LOAD)) {
        begun->loader.request = request;
        begun->loader.progress = progress;
        begun->loader.cancel = cancel;
        p = load_remaining(begun, err);
    }
    load_begun_free(begun);
    return p || err->kind != ERR_NONE ? p : load_profile(request, progress, cancel, err);
}

bool load_check(const struct profile *p, struct err *err)
{
    for (size_t i = 0; i < p->n_files; i++)
        if (!input_check(&p->files[i], err))
            return false;
    return true;
}
