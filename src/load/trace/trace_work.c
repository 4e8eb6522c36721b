/* trace_work.c: work of accelerators and its launches (formats-trace.md sections 4.3 and 5). */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "load/trace/trace_build.h"
#include "model/row_names.h"

COMPARE_BY_TWO(by_correlation, struct launch, correlation, start_ns)

/* A launch with its place. */
struct found_launch {
    int64_t start_ns, step;
    struct launch_place place;
    struct event_ref event;
};

/* Sets *FOUND to the launch with this correlation, the latest one if there are several; false if there is none. */
static bool launch_of(const struct trace_build *b, int64_t correlation, struct found_launch *found)
{
    size_t after = 0;
    const struct launch *last;

    LOWER_BOUND(after, b->launches.n, i, b->launches.data[i].correlation <= correlation);
    last = after ? &b->launches.data[after - 1] : NULL;
    if (!last || last->correlation != correlation)
        return false;
    *found = (struct found_launch){.start_ns = last->start_ns, .step = last->step, .event = {TRACK_NONE, 0}};
    memcpy(&found->place, intern_text(&b->launch_places, last->place), sizeof found->place);
    if (last->position != POSITION_NONE)
        found->event = (struct event_ref){found->place.track, last->position};
    return true;
}

/* The launch of SLICE in *FOUND, or NULL. */
static const struct found_launch *find_launch(const struct trace_build *b, const struct trace_slice *slice,
                                              struct found_launch *found)
{
    const struct trace_log *log = b->log;
    const uint32_t index = (uint32_t)(slice - log->slices.data);
    int64_t link = slice->link;
    size_t at = 0;

    if (!b->has_runtime) {
        LOWER_BOUND(at, log->externals.n, i, log->externals.data[i].slice < index);
        if (at < log->externals.n && log->externals.data[at].slice == index)
            link = log->externals.data[at].number;
    }
    return link != NUMBER_NONE && launch_of(b, link, found) ? found : NULL;
}

/* Sets the device "/gpu:N" of work, and the same with its stream. */
struct work_place {
    strid device, device_stream, stream;
};

static struct work_place place_of(struct trace_build *b, const struct trace_slice *slice,
                                  const struct trace_args *args)
{
    const struct profile *p = builder_profile(b->builder);
    const struct trace_track *track = &b->log->tracks.data[slice->track];
    const strid number = args->device && args->stream           ? args->device
                         : b->dialect == DIALECT_ONNXRUNTIME ? builder_str(b->builder, "0", 1)
                                                              : track->pid;
    struct work_place place = {.stream = args->stream ? args->stream : track->tid};

    sb_clear(&b->name);
    sb_addf(&b->name, "/gpu:%s", profile_text(p, number));
    place.device = builder_str_lower(b->builder, b->name.data, b->name.len);
    sb_addf(&b->name, "/stream:%s", profile_text(p, place.stream));
    place.device_stream = builder_str_lower(b->builder, b->name.data, b->name.len);
    return place;
}

/* Index in b->collectives + 1; 0 if ARGS describe no collective. */
static uint32_t collective_of(struct trace_build *b, const struct trace_args *args)
{
    const struct collective key = {args->collective, args->group_name, args->group_ranks,
                                   args->seq};

    return args->collective ? intern_put(&b->collectives, &key, sizeof key) : 0;
}

/* The path of the owner of work. */
static uint32_t owner_of_work(struct trace_build *b, const struct found_launch *launch)
{
    return launch ? launch->place.path
                  : path_named(b, PATH_ROOT,
                               builder_str(b->builder, NO_LAUNCH_NAME, sizeof NO_LAUNCH_NAME - 1), 0);
}

static int64_t work_step(const struct trace_build *b, const struct trace_slice *slice,
                         const struct found_launch *launch)
{
    if (launch && (b->has_runtime || b->dialect != DIALECT_KINETO))
        return launch->step;
    if (!b->steps.n)
        return 0;
    return b->has_runtime ? STEP_OUTSIDE : step_at(b, slice->start_ns);
}

static void count_work(struct trace_build *b, const struct trace_slice *slice, int64_t step,
                       const struct found_launch *launch)
{
    struct recorder *r = b->recording;

    r->accelerator_ns = clamp_add(r->accelerator_ns, slice->dur_ns);
    if (step == STEP_OUTSIDE)
        r->outside_accelerator_ns = clamp_add(r->outside_accelerator_ns, slice->dur_ns);
    if (!launch) {
        r->unlaunched_ns = clamp_add(r->unlaunched_ns, slice->dur_ns);
        r->n_unlaunched++;
    }
    r->n_works++;
}

/* True for a stack that consists of a row name such as "(backward)", without a source line. */
static bool is_named_row(const struct trace_build *b, uint32_t stack)
{
    const struct stack_builder *stacks = builder_stacks(b->builder);
    struct frame frame;

    if (stack_builder_depth(stacks, stack) != 1)
        return false;
    frame = stack_builder_frame_of(stacks, stack);
    return frame_is_row_name(&frame, trace_text(b, frame.function));
}

static void count_unplaced(struct trace_build *b, strid autograd, int64_t dur_ns)
{
    struct backward_times *times = &b->recording->backward;
    uint32_t at = idmap_get(&b->unplaced, autograd);

    if (at == IDMAP_NONE) {
        at = (uint32_t)b->unplaced_ns.n;
        vec_push(&b->unplaced_ns, 0);
        idmap_put(&b->unplaced, autograd, at, 0);
    }
    b->unplaced_ns.data[at] = clamp_add(b->unplaced_ns.data[at], dur_ns);
    if (b->unplaced_ns.data[at] > times->unplaced_name_ns) {
        times->unplaced_name = autograd;
        times->unplaced_name_ns = b->unplaced_ns.data[at];
    }
}

/* Adds DUR_NS of device time with STACK in the code view to the pass of LAUNCH (NULL: unknown). */
static void count_pass(struct trace_build *b, const struct found_launch *launch, uint32_t stack, int64_t dur_ns)
{
    struct backward_times *times = &b->recording->backward;
    const enum backward_pass pass = launch ? (enum backward_pass)launch->place.pass : PASS_FORWARD;

    times->all_ns = clamp_add(times->all_ns, dur_ns);
    times->pass_ns[pass] = clamp_add(times->pass_ns[pass], dur_ns);
    if (pass == PASS_UNPLACED)
        count_unplaced(b, launch->place.autograd, dur_ns);
    if (stack && !is_named_row(b, stack))
        times->with_line_ns = clamp_add(times->with_line_ns, dur_ns);
}

/* Its launch configuration in the log's configs; 0: none.  Some accelerators record it with the
 * launch call. */
static uint32_t config_of_work(const struct trace_build *b, uint32_t args, const struct found_launch *launch)
{
    const uint32_t own = trace_args_of(b->log, args).config;

    return own || !launch ? own : trace_args_of(b->log, launch->place.own_args).config;
}

/* The class of work; cached for names of kernels. */
static enum work_class class_of_work(struct trace_build *b, const struct trace_slice *slice,
                                     bool is_collective)
{
    const enum category_kind kind = kind_of(b, slice);
    const struct text name = trace_text(b, slice->name);
    uint8_t *known;

    if (is_collective || kind != KIND_KERNEL)
        return work_class_of(kind, name.bytes, name.len, is_collective);
    if (slice->name >= b->kernel_classes.n)
        vec_resize_zero(&b->kernel_classes, (size_t)slice->name + 1);
    known = &b->kernel_classes.data[slice->name];
    if (!*known)
        *known = (uint8_t)(work_class_of(kind, name.bytes, name.len, false) + 1);
    return (enum work_class)(*known - 1);
}

static void add_work(struct trace_build *b, struct trace_slice *slice)
{
    struct trace_args args = trace_args_of(b->log, slice->args);
    struct found_launch found;
    const struct found_launch *launch = find_launch(b, slice, &found);
    const struct work_place place = place_of(b, slice, &args);
    struct kept_work work = {.device = place.device,
                             .stream = place.stream,
                             .config = config_of_work(b, slice->args, launch),
                             .step = work_step(b, slice, launch),
                             .launch = launch ? launch->event : (struct event_ref){TRACK_NONE, 0}};
    const uint32_t owner_args = launch ? launch->place.args : 0;
    struct placed_work placed = {.stack = launch ? launch->place.stack : 0, .args = owner_args};
    const bool is_placed = b->placing && replay_place(b, slice, &placed);
    uint32_t path;

    if (!args.collective && launch)
        args = trace_args_of(b->log, placed.args);
    work.work_class =
        (uint8_t)class_of_work(b, slice, trace_args_of(b->log, slice->args).collective);
    if (work.work_class == WORK_COMMUNICATION) {
        work.collective = collective_of(b, &args);
        work.input_bytes = collective_input_bytes(b, &args);
    }
    if (!is_placed)
        placed.path = owner_of_work(b, launch);
    path = b->kernel_rows ? path_of_work(b, placed.path, launch ? launch->place.own_path : placed.path, slice,
                                         (enum work_class)work.work_class, place.device)
                          : placed.path;
    work.part = part_of(b, path, placed.stack, b->kernel_rows ? 0 : placed.args);
    add_segment(b, (struct segment){
                       .start_ns = slice->start_ns,
                       .dur_ns = slice->dur_ns,
                       .step = work.step,
                       .part = work.part,
                       .n_runs = b->kernel_rows,
                       .device = place.device_stream,
                   });
    count_work(b, slice, work.step, launch);
    count_pass(b, launch, placed.stack, slice->dur_ns);
    if (b->replays && launch)
        replay_count(b, slice, launch->start_ns, is_placed);
    keep_work(b, slice, &work);
}

void *keep_array(struct trace_build *b, const void *data, size_t n, size_t size_bytes)
{
    void *copy = arena_calloc(&builder_profile(b->builder)->arena, n + 1, size_bytes);

    if (n)
        memcpy(copy, data, n * size_bytes);
    return copy;
}

static void keep_works(struct trace_build *b)
{
    struct recorder *r = b->recording;

    r->n_thread_times = (uint32_t)b->threads.n;
    r->thread_times = keep_array(b, b->threads.data, b->threads.n, sizeof *r->thread_times);
    r->n_errors = (uint32_t)b->log->errors.n;
    r->errors = keep_array(b, b->log->errors.data, b->log->errors.n, sizeof *r->errors);
    r->n_steps = (uint32_t)b->steps.n;
    r->steps = keep_array(b, b->steps.data, b->steps.n, sizeof *r->steps);
}

bool is_device_work(const struct trace_build *b, const struct trace_slice *slice)
{
    return kind_is_work(kind_of(b, slice)) &&
           strcmp(profile_text(builder_profile(b->builder), slice->name), "event_wait") != 0;
}

void trace_work(struct trace_build *b)
{
    vec_sort(&b->launches, by_correlation);
    if (b->placing)
        replay_runs(b);
    for (size_t i = 0; i < b->log->slices.n; i++)
        if (is_device_work(b, &b->log->slices.data[i]))
            add_work(b, &b->log->slices.data[i]);
    vec_done(&b->launches);
    intern_done(&b->launch_places);
    pack_work(b);
    /* frees memory before executions are built */
    EACH(vec_done, &b->works, &b->log->slices);
    keep_works(b);
}
