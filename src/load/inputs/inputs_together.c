/* inputs_together.c: checks that inputs can be combined, and sorts them in load order. */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "load/checkpoint/checkpoint_files.h"
#include "load/inputs/inputs.h"

static bool is_profile(const struct input *input)
{
    return formats[input->format]->contents == CONTAINS_PROFILE;
}

static const struct input *find(const struct inputs *inputs, enum input_contents contents)
{
    for (size_t i = 0; i < inputs->list.n; i++)
        if (formats[inputs->list.data[i].format]->contents == contents)
            return &inputs->list.data[i];
    return NULL;
}

/* A graph, else steps, else NULL. */
static const struct input *find_other(const struct inputs *inputs)
{
    const struct input *graph = find(inputs, CONTAINS_GRAPH);

    return graph ? graph : find(inputs, CONTAINS_STEPS);
}

/* Drops profiles found in folders if there are other inputs of a model; of several profiles the
 * last one is kept. */
static void drop_profiles(struct inputs *inputs, struct notes *notes)
{
    bool others = find_other(inputs);
    size_t last = 0, kept = 0;

    for (size_t i = 0; i < inputs->list.n; i++)
        if (is_profile(&inputs->list.data[i]))
            last = i;
    for (size_t i = 0; i < inputs->list.n; i++) {
        struct input *input = &inputs->list.data[i];

        if (is_profile(input) && !input->named && (others || i != last)) {
            note_add_kind(notes, NOTE_SKIPPED,
                          "%s: skipped: a profile cannot be combined with %s", input->path,
                     others ? "a graph or RunMetadata" : "another profile");
            free(input->path);
        } else {
            inputs->list.data[kept++] = *input;
        }
    }
    inputs->list.n = kept;
}

/* Of several checkpoints in folders keeps the one that a state file names, else the last. */
static void drop_checkpoints(struct inputs *inputs)
{
    const size_t none = SIZE_MAX;
    size_t chosen = none, kept = 0;

    for (size_t i = 0; i < inputs->list.n; i++) {
        const struct input *input = &inputs->list.data[i];

        if (input->format != FORMAT_CHECKPOINT || input->named)
            continue;
        if (chosen == none || !checkpoint_path_is_state(inputs->list.data[chosen].path))
            chosen = i;
    }
    for (size_t i = 0; i < inputs->list.n; i++) {
        struct input *input = &inputs->list.data[i];

        if (input->format == FORMAT_CHECKPOINT && !input->named && i != chosen)
            free(input->path);
        else
            inputs->list.data[kept++] = *input;
    }
    inputs->list.n = kept;
}

static bool check_together(const struct inputs *inputs, struct err *err)
{
    const struct input *profile = find(inputs, CONTAINS_PROFILE);
    const struct input *other = find_other(inputs);

    if (!profile)
        return true;
    for (size_t i = 0; i < inputs->list.n && !other; i++)
        if (is_profile(&inputs->list.data[i]) && &inputs->list.data[i] != profile)
            other = &inputs->list.data[i];
    return !other ||
           err_set(err, ERR_USAGE,
                   "%s: a profile already contains the graph and its runs and excludes %s (%s)",
                   profile->path, other->path, formats[other->format]->name);
}

/* Checks captures: they are steps of one run, each file from another host. */
static bool check_captures(const struct inputs *inputs, struct err *err)
{
    const struct input *capture = NULL, *run_meta = NULL, *twice = NULL;
    struct intern paths;
    size_t before;

    intern_init(&paths);
    vec_each(const struct input, input, &inputs->list) {
        if (input->format == FORMAT_RUN_META)
            run_meta = input;
        if (input->format != FORMAT_CAPTURE)
            continue;
        before = paths.n;
        if (intern_put(&paths, input->path, strlen(input->path)) < before)
            twice = input;
        capture = input;
    }
    intern_done(&paths);
    if (twice)
        return err_set(err, ERR_USAGE, "%s: is named twice", twice->path);
    return !capture || !run_meta ||
           err_set(err, ERR_USAGE, "%s: a capture defines the steps and excludes %s (%s)",
                   capture->path, run_meta->path, formats[FORMAT_RUN_META]->name);
}

static bool check_stdin(const struct inputs *inputs, struct err *err)
{
    size_t n = 0;

    for (size_t i = 0; i < inputs->list.n; i++)
        n += strcmp(inputs->list.data[i].path, "-") == 0;
    return n <= 1 || err_set(err, ERR_USAGE, "-: standard input can be read only once");
}

/* Stable, so inputs of one format keep the given order. */
static void order(struct inputs *inputs)
{
    VEC(struct input) sorted = {0};

    for (enum input_format f = FORMAT_UNKNOWN; (f = format_next_to_load(f)) != FORMAT_UNKNOWN;)
        for (size_t i = 0; i < inputs->list.n; i++)
            if (inputs->list.data[i].format == f)
                vec_push(&sorted, inputs->list.data[i]);
    assert(sorted.n == inputs->list.n); /* all formats are known */
    if (sorted.n)
        memcpy(inputs->list.data, sorted.data, sorted.n * sizeof *sorted.data);
    vec_done(&sorted);
}

static bool check_bytes(const struct inputs *inputs, uint64_t max_bytes, struct err *err)
{
    uint64_t left = max_bytes;

    for (size_t i = 0; max_bytes && i < inputs->list.n; i++) {
        const struct input *input = &inputs->list.data[i];

        if (input->file_size_bytes > left)
            return err_set(err, ERR_INPUT, "%s: the files hold more than %" PRIu64 " bytes",
                           input->path, max_bytes);
        left -= input->file_size_bytes;
    }
    return true;
}

bool inputs_check_combination(struct inputs *inputs, uint64_t max_bytes, struct notes *notes,
                         struct err *err)
{
    drop_profiles(inputs, notes);
    drop_checkpoints(inputs);
    dump_files_drop(inputs, notes);
    order(inputs);
    return check_stdin(inputs, err) && check_together(inputs, err) &&
           check_captures(inputs, err) && check_bytes(inputs, max_bytes, err);
}
