/* finish.c: turns the files of a capture into nodes, steps and executions (formats-xplane.md
 * sections 6 to 11). */

#include <inttypes.h>
#include <stdlib.h>

#include "base/satmath.h"
#include "base/system/workers.h"
#include "base/xalloc.h"
#include "load/bytes/input.h"
#include "load/formats.h"
#include "load/xplane/program_nodes.h"
#include "load/xplane/run.h"

/* ---- names of hosts and devices */

/* Hosts with the same name are distinguished by their file names. */
static void name_hosts(struct run *r, const struct loader *l)
{
    uint32_t *n_of_name = xcalloc(builder_profile(l->builder)->strings.n + 1, sizeof *n_of_name);

    for (size_t i = 0; i < r->names.n; i++)
        n_of_name[r->names.data[i].recorded_name]++;
    for (size_t i = 0; i < r->names.n; i++)
        if (n_of_name[r->names.data[i].recorded_name] > 1)
            r->names.data[i].name = r->names.data[i].file_name;
    for (size_t i = 0; i < r->hosts.n; i++)
        r->hosts.data[i].name = r->names.data[r->hosts.data[i].file].name;
    free(n_of_name);
}

static void name_devices(struct run *r, struct loader *l)
{
    const struct intern *strings = &builder_profile(l->builder)->strings;

    vec_each(struct run_device, d, &r->devices) {
        struct strbuf name = {0};

        sb_addf(&name, "/host:%s/device:%s:%s", intern_text(strings, r->hosts.data[d->host].name),
                d->kind == PLANE_HOST  ? "CPU"
                : d->kind == PLANE_GPU ? "GPU"
                                       : "TPU",
                intern_text(strings, d->number));
        d->name = builder_str(l->builder, name.data, name.len);
        sb_done(&name);
    }
}

/* Makes nodes of all programs when no event was recorded. */
static void make_idle_programs(struct nodes *n, struct run *r, struct loader *l)
{
    for (uint32_t i = 0; i < r->programs.n; i++)
        nodes_of_program(n, r, l, i, DEVICE_NONE);
}

/* ---- time */

/* The origin of times.  The first time is 1, because 0 means none. */
static int64_t origin_of(const struct run *r)
{
    int64_t first = INT64_MAX;

    for (size_t t = 0; t < r->tracks.n; t++)
        if (r->tracks.data[t].events.n && r->tracks.data[t].events.data[0].start_ps < first)
            first = r->tracks.data[t].events.data[0].start_ps;
    return first == INT64_MAX ? 0 : clamp_sub(first, 1);
}

static void set_host_times(void *arg, size_t from, size_t to)
{
    const struct run *r = arg;

    for (size_t t = from; t < to; t++)
        if (r->tracks.data[t].use != TRACK_DEVICE)
            track_self_times(&r->tracks.data[t]);
}

static void set_device_times(void *arg, size_t from, size_t to)
{
    const struct run *r = arg;

    for (size_t t = from; t < to; t++)
        if (r->tracks.data[t].use == TRACK_DEVICE)
            track_self_times(&r->tracks.data[t]);
}

static enum program_steps divide(struct run *r, struct loader *l, const struct nodes *n)
{
    struct device_runs *runs = xcalloc(r->devices.n + 1, sizeof *runs);
    uint32_t *main_programs;
    enum program_steps from;

    workers_run(r->workers, r->tracks.n, 1, set_host_times, r);
    main_programs = executions_main_programs(r);
    executions_find(n, r, main_programs, runs);
    dispatches_find(r, l);
    from = steps_find(r, l, n, main_programs, runs);
    workers_run(r->workers, r->tracks.n, 1, set_device_times, r);
    for (size_t d = 0; d < r->devices.n; d++)
        vec_done(&runs[d].starts_ps);
    EACH(free, runs, main_programs);
    return from;
}

/* Two tasks that read the events: executions of nodes, and all else that follows from them. */
struct run_figures {
    struct run *r;
    const struct nodes *n;
    struct loader *l;
    struct packing *packing;
    struct programs *facts;
    int64_t origin_ps;
};

static void run_task(void *arg, size_t from, size_t to)
{
    struct run_figures *f = arg;

    for (size_t task = from; task < to; task++) {
        if (task == 0) {
            records_add(f->r, f->n, f->l, f->origin_ps);
        } else {
            f->facts = facts_of_events(f->r, f->n, f->origin_ps);
            run_events_add_launches(f->packing);
        }
    }
}

/* Passes the events of R, with their steps, to the profile. */
static void add_figures(struct run *r, struct nodes *n, struct loader *l, enum program_steps from)
{
    struct run_figures f = {.r = r, .n = n, .l = l, .origin_ps = origin_of(r)};

    ops_sort_by_device(r);
    f.packing = run_events_begin(r, n, l, f.origin_ps);
    workers_run(r->workers, 2, 1, run_task, &f);
    f.facts->steps_from = from;
    facts_add(r, n, l, f.facts, f.origin_ps);
    run_notes_add(r, n, l, f.facts);
    run_events_end(f.packing);
}

static bool has_events(const struct run *r)
{
    for (size_t t = 0; t < r->tracks.n; t++)
        if (r->tracks.data[t].events.n)
            return true;
    return false;
}

static void sort_tracks(void *arg, size_t from, size_t to)
{
    const struct run *r = arg;

    for (size_t t = from; t < to; t++)
        track_sort(&r->tracks.data[t]);
}

/* Threads for the events of R; NULL: one. */
static struct workers *workers_for(const struct run *r)
{
    enum { PARALLEL_FROM_EVENTS = 1 << 16 };
    size_t n = 0;

    vec_each(const struct track, track, &r->tracks)
        n += track->events.n;
    return n < PARALLEL_FROM_EVENTS ? NULL : workers_new(0);
}

/* Reads the files of selected hosts, after the hosts of all files were named. */
static bool read_wanted(struct loader *l, struct err *err)
{
    struct profile *p = builder_profile(l->builder);
    uint32_t file = 0;

    for (size_t i = 0; i < p->n_files; i++) {
        if (p->files[i].format != format_capture.binary_name)
            continue;
        if (host_is_wanted(&l->hosts, intern_string(&p->strings, l->run->names.data[file].name))) {
            l->path = l->path_again = p->files[i].path;
            l->input = (struct span){p->files[i].bytes, p->files[i].size_bytes};
            if (!read_capture(l, file, err))
                return false;
            l->path_again = NULL;
        } else {
            input_drop(&p->files[i]);
        }
        file++;
    }
    return true;
}

/* Reads all files again with Python and runtime calls, for a capture without ops. */
static bool read_calls(struct loader *l, struct err *err)
{
    struct profile *p = builder_profile(l->builder);
    struct run *r = run_new(UINT32_MAX);

    for (size_t i = 0; i < l->run->names.n; i++)
        vec_push(&r->names, l->run->names.data[i]);
    run_free(l->run);
    l->run = r;
    if (!read_wanted(l, err))
        return false;
    if (has_events(l->run))
        note_add(&p->notes, "no ops in this capture: all events of its hosts are shown "
                            "(-host_events all)");
    return true;
}

static bool load_captures_end(struct loader *l, struct err *err)
{
    struct profile *p = builder_profile(l->builder);
    enum program_steps from;
    struct nodes *n;
    struct run *r;

    if (p->programs)
        return err_set(err, ERR_USAGE, "a capture already contains its programs and excludes "
                                       "HloProto files");
    name_hosts(l->run, l);
    if (l->hosts.regexes && !read_wanted(l, err))
        return false;
    if (!l->run->hosts.n) /* no host is selected */
        return true;
    if (!has_events(l->run) && !read_calls(l, err))
        return false;
    r = l->run;
    n = xcalloc(1, sizeof *n);
    n->split = l->request->options->devices == DEVICES_SPLIT;
    p->clock.tick_ps = 1;
    p->has_runtime = true;
    name_devices(r, l);
    r->workers = workers_for(r);
    workers_run(r->workers, r->tracks.n, 1, sort_tracks, r);
    run_find_launches(r);
    ops_take_launches(r);
    calls_find(r);
    ops_find_programs(r);
    if (!nodes_read_programs(n, r, l, err)) {
        nodes_free(n);
        return false;
    }
    ops_make_nodes(n, r, l);
    if (!builder_n_nodes(l->builder))
        make_idle_programs(n, r, l);
    from = divide(r, l, n);
    for (size_t i = 0; i < r->steps.n; i++)
        builder_add_step(l->builder, r->steps.data[i]);
    add_figures(r, n, l, from);
    run_free(r);
    l->run = NULL;
    return true;
}

const struct format_row format_capture = {
    .name = "XPlane capture",
    .help = "captures of TensorFlow 2 (tf.profiler.experimental.start()), JAX (jax.profiler.trace()) and PyTorch/XLA "
            "(xp.trace()), *.xplane.pb: one, those of several hosts, or a folder of them",
    .binary_name = "XPlane capture",
    .contents = CONTAINS_STEPS,
    .load_order = 55,
    .detect_order = 5,
    .keep_bytes = true,
    .loads_parts = true,
    .fits = fits_xspace,
    .load = load_capture,
    .load_end = load_captures_end,
};
