/* trace_log.c: stores the events of a trace until the file is complete. */
#include "load/trace/trace_log.h"

#include <stdlib.h>
#include <string.h>

#include "load/trace/trace_batch.h"

void trace_log_init(struct trace_log *log, struct builder *builder, struct recorder *recording)
{
    memset(log, 0, sizeof *log);
    log->builder = builder;
    log->recording = recording;
    log->last_track = UINT32_MAX;
    EACH(intern_init, &log->args, &log->configs, &log->track_keys, &log->category_keys, &log->keys,
         &log->processes, &log->pools);
}

void trace_log_done(struct trace_log *log)
{
    for (size_t i = 0; i < log->tracks.n; i++)
        vec_done(&log->tracks.data[i].open);
    EACH(vec_done, &log->slices, &log->tracks, &log->memories, &log->flows, &log->spans,
         &log->sequences, &log->tensors, &log->frames, &log->samples, &log->externals,
         &log->graph_nodes, &log->categories);
    EACH(vec_done, &log->recorded, &log->process_names, &log->device_names, &log->domain_names, &log->errors);
    EACH(intern_done, &log->args, &log->configs, &log->track_keys, &log->category_keys, &log->keys,
         &log->processes, &log->pools);
    sb_done(&log->scratch);
}

void trace_repair(struct trace_log *log, enum repair repair, uint64_t n, uint64_t at)
{
    if (n && !log->repairs[repair])
        log->first_at[repair] = at;
    log->repairs[repair] += n;
}

strid trace_string(struct trace_log *log, struct json_value value)
{
    if (value.type == JSON_ABSENT)
        return STRID_EMPTY;
    if (!value.is_escaped)
        return builder_str(log->builder, value.at, value.len);
    sb_clear(&log->scratch);
    json_unescape(&log->scratch, value);
    return builder_str(log->builder, log->scratch.data, log->scratch.len);
}

struct trace_args trace_args_of(const struct trace_log *log, uint32_t args)
{
    struct trace_args found = {0};

    if (args)
        memcpy(&found, intern_text(&log->args, args), sizeof found);
    return found;
}

/* ---- tracks */

static bool same_value(struct json_value value, const struct track_text *last)
{
    return last->len && value.len == last->len && value.type == last->type &&
           memcmp(value.at, last->bytes, last->len) == 0;
}

static struct track_text track_text_of(struct json_value value)
{
    struct track_text text = {.type = value.type};

    if (value.len <= sizeof text.bytes && value.len) {
        text.len = (uint8_t)value.len;
        memcpy(text.bytes, value.at, value.len);
    }
    return text;
}

static strid process_named(struct trace_log *log, strid pid)
{
    return pid == STRID_NONE
               ? intern_put(&log->processes, "0", 1)
               : intern_put(&log->processes, profile_text(builder_profile(log->builder), pid),
                            intern_len(&builder_profile(log->builder)->strings, pid));
}

static strid text_unless_null(struct trace_log *log, struct json_value value)
{
    return event_lacks(value) ? STRID_NONE : trace_string(log, value);
}

strid trace_process_of(struct trace_log *log, struct json_value pid)
{
    return process_named(log, text_unless_null(log, pid));
}

/* The track of a process and thread given by their texts; STRID_NONE if missing. */
static uint32_t track_named(struct trace_log *log, strid pid, strid tid)
{
    const strid process = process_named(log, pid);
    struct trace_track track = {
        .pid = builder_str(log->builder, intern_text(&log->processes, process),
                           intern_len(&log->processes, process)),
        .last_ns = INT64_MIN,
    };
    strid key[2] = {process, tid};
    strid id;

    track.tid = key[1] = tid == STRID_NONE ? track.pid : tid;
    id = intern_put(&log->track_keys, key, sizeof key) - 1; /* id 0 is the empty string */
    if (id == log->tracks.n)
        vec_push(&log->tracks, track);
    return id;
}

uint32_t trace_track_of(struct trace_log *log, const struct trace_event *e)
{
    strid pid;

    if (log->last_track != UINT32_MAX && same_value(e->pid, &log->last_pid) &&
        same_value(e->tid, &log->last_tid))
        return log->last_track;
    pid = text_unless_null(log, e->pid);
    log->last_track = track_named(log, pid, text_unless_null(log, e->tid));
    log->last_pid = track_text_of(e->pid);
    log->last_tid = track_text_of(e->tid);
    return log->last_track;
}

/* ---- categories */

/* Keeps at most 65,536 categories; the last one collects all others. */
uint16_t trace_category(struct trace_log *log, struct text name)
{
    enum { CATEGORY_OTHERS = UINT16_MAX };
    static const char others[] = "(other categories)";
    struct trace_category category = {.name = STRID_EMPTY};
    strid id = intern_put(&log->category_keys, name.bytes, name.len);

    id = id < CATEGORY_OTHERS ? id : CATEGORY_OTHERS;
    while (id >= log->categories.n) {
        const strid next = (strid)log->categories.n;

        category.name = next == CATEGORY_OTHERS
                            ? builder_str(log->builder, others, sizeof others - 1)
                            : builder_str(log->builder, intern_text(&log->category_keys, next),
                                          intern_len(&log->category_keys, next));
        category.is_runtime = trace_is_runtime(intern_text(&log->category_keys, next));
        vec_push(&log->categories, category);
    }
    return (uint16_t)id;
}

strid trace_arg(struct trace_log *log, const struct trace_event *e, enum event_arg arg)
{
    return event_has(e, arg) ? trace_string(log, e->arg[arg]) : STRID_EMPTY;
}

/* ---- texts, tracks and arguments of a batch */

/* Converts a text id of the batch to a string id of the log. */
static strid text_of(struct trace_log *log, struct trace_batch *batch, uint32_t text)
{
    uint32_t *id = &batch->text_ids.data[text];
    const struct intern_entry *e = &batch->texts.entries[text];

    if (!*id)
        *id = builder_str_hashed(log->builder, e->bytes, e->len, e->hash) + 1;
    return *id - 1;
}

static uint16_t category_of(struct trace_log *log, struct trace_batch *batch, uint32_t text)
{
    uint32_t *id = &batch->category_ids.data[text];

    if (!*id)
        *id = trace_category(log, intern_string(&batch->texts, text)) + 1u;
    return (uint16_t)(*id - 1);
}

static uint32_t track_of(struct trace_log *log, struct trace_batch *batch, uint32_t track)
{
    uint32_t *id = &batch->track_ids.data[track];
    struct batch_track key;
    strid pid, tid;

    if (*id)
        return *id - 1;
    memcpy(&key, intern_text(&batch->tracks, track), sizeof key);
    pid = key.pid == BATCH_TEXT_NONE ? STRID_NONE : text_of(log, batch, key.pid);
    tid = key.tid == BATCH_TEXT_NONE ? STRID_NONE : text_of(log, batch, key.tid);
    *id = track_named(log, pid, tid) + 1;
    return *id - 1;
}

/* Converts N text ids of the batch in place. */
static void replace_texts(struct trace_log *log, struct trace_batch *batch, strid *texts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (texts[i])
            texts[i] = text_of(log, batch, texts[i]);
}

static uint32_t args_of(struct trace_log *log, struct trace_batch *batch,
                        const struct decoded_event *e)
{
    uint32_t *id;
    struct batch_args set;

    if (!e->has_kept_args)
        return 0;
    id = &batch->arg_ids.data[e->args];
    if (*id)
        return *id - 1;
    memcpy(&set, intern_text(&batch->args, e->args), sizeof set);
    log->recording->has_calls_with_shapes |= set.has_shapes != 0;
    replace_texts(log, batch, (strid *)&set.args, sizeof set.args / sizeof(strid));
    if (set.has_config) {
        replace_texts(log, batch, (strid *)&set.config, sizeof set.config / sizeof(strid));
        set.args.config = intern_put(&log->configs, &set.config, sizeof set.config);
    }
    *id = intern_put(&log->args, &set.args, sizeof set.args) + 1;
    return *id - 1;
}

/* ---- phases */

bool trace_time(struct trace_log *log, struct json_value value, uint64_t at, int64_t *ns)
{
    if (event_time(value, ns))
        return true;
    trace_repair(log, REPAIR_NO_TIME, 1, at);
    return false;
}

static void extend(struct trace_track *track, int64_t ns)
{
    KEEP_MAX(track->last_ns, ns);
}

static struct trace_slice slice_of(struct trace_log *log, struct trace_batch *batch,
                                   const struct decoded_event *e)
{
    struct trace_slice slice = {.start_ns = e->ts_ns, .dur_ns = -1, .link = e->link};

    slice.name = text_of(log, batch, e->name);
    slice.track = track_of(log, batch, e->track);
    slice.args = args_of(log, batch, e);
    slice.category = category_of(log, batch, e->category);
    return slice;
}

/* Stores the arguments of the first slice NAME. */
static void add_recorded(struct trace_log *log, strid name, struct json_value args)
{
    if (name >= log->recorded.n)
        vec_resize_zero(&log->recorded, (size_t)name + 1);
    if (!log->recorded.data[name])
        log->recorded.data[name] = builder_str(log->builder, args.at, args.len);
}

/* Stores the rare data of the slice added last. */
static void add_numbers(struct trace_log *log, const struct batch_numbers *n, int64_t start_ns)
{
    const uint32_t slice = (uint32_t)(log->slices.n - 1);

    if (n->sequence >= 0)
        vec_push(&log->sequences, ((struct trace_sequence){.number = n->sequence,
                                                           .start_ns = start_ns,
                                                           .slice = slice,
                                                           .forward_thread = n->forward_thread}));
    if (n->graph_node != NUMBER_NONE)
        vec_push(&log->graph_nodes, ((struct trace_graph_node){n->graph_node, slice}));
    if (!log->has_runtime && n->external != NUMBER_NONE)
        vec_push(&log->externals, ((struct trace_external){n->external, slice}));
    if (n->recorded.at)
        add_recorded(log, log->slices.data[slice].name, n->recorded);
}

static void add_complete(struct trace_log *log, struct trace_batch *batch,
                         const struct decoded_event *e, uint64_t at)
{
    const uint16_t category = category_of(log, batch, e->category);
    int64_t dur_ns = e->duration == DURATION_FINE ? e->dur_ns : 0;
    struct trace_slice slice;

    log->categories.data[category].n_slices++;
    trace_repair(log, REPAIR_NO_TIME, !e->has_time || e->duration == DURATION_BAD, at);
    if (!e->has_time || e->duration == DURATION_BAD)
        return;
    trace_repair(log, REPAIR_NO_DURATION, e->duration == DURATION_ABSENT, at);
    trace_repair(log, REPAIR_NEGATIVE_DURATION, dur_ns < 0, at);
    dur_ns = dur_ns < 0 ? 0 : dur_ns;
    slice = slice_of(log, batch, e);
    slice.dur_ns = dur_ns;
    extend(&log->tracks.data[slice.track], e->ts_ns + dur_ns);
    vec_push(&log->slices, slice);
    log->has_runtime |= log->categories.data[category].is_runtime;
    if (e->n)
        add_numbers(log, &batch->numbers.data[e->first], e->ts_ns);
}

static void add_begin(struct trace_log *log, struct trace_batch *batch,
                      const struct decoded_event *e)
{
    const struct trace_slice slice = slice_of(log, batch, e);
    struct trace_track *track = &log->tracks.data[slice.track];

    extend(track, e->ts_ns);
    vec_push(&track->open, (uint32_t)log->slices.n);
    vec_push(&log->slices, slice);
}

static void add_end(struct trace_log *log, struct trace_batch *batch, const struct decoded_event *e,
                    uint64_t at)
{
    const uint32_t at_track = track_of(log, batch, e->track);
    struct trace_track *track = &log->tracks.data[at_track];
    struct trace_slice *slice;
    int64_t end_ns = e->ts_ns;

    if (!track->open.n) {
        trace_repair(log, REPAIR_END_WITHOUT_BEGIN, 1, at);
        return;
    }
    slice = &log->slices.data[track->open.data[--track->open.n]];
    if (end_ns < slice->start_ns) {
        trace_repair(log, REPAIR_NEGATIVE_DURATION, 1, at);
        end_ns = slice->start_ns;
    }
    slice->dur_ns = end_ns - slice->start_ns;
    if (e->has_kept_args)
        slice->args = args_of(log, batch, e);
    extend(track, end_ns);
}

/* Rebuilds the parsed event from its stored values. */
static void restore(const struct trace_batch *batch, const struct decoded_event *e,
                    struct trace_event *event)
{
    event_clear(event);
    event->at = e->at;
    for (uint32_t i = e->first; i < e->first + e->n; i++) {
        const struct batch_value *v = &batch->values.data[i];
        const struct json_value value = {
            .at = v->at, .len = v->len, .type = v->type, .is_escaped = v->is_escaped};

        if (v->field < EVENT_FIELDS) {
            event->fields[v->field] = value;
        } else {
            event->arg[v->field - EVENT_FIELDS] = value;
            event->has_arg |= UINT64_C(1) << (v->field - EVENT_FIELDS);
        }
    }
}

static void add_mark(struct trace_log *log, const struct trace_batch *batch,
                     const struct decoded_event *e, uint64_t at)
{
    struct trace_event event;

    if (!e->n)
        return;
    restore(batch, e, &event);
    trace_mark_add(log, &event, e->phase, at);
}

void trace_log_add(struct trace_log *log, struct trace_batch *batch, const struct decoded_event *e,
                   uint64_t at)
{
    if (!e->has_phase) {
        log->n_phaseless++;
        trace_repair(log, REPAIR_NO_PHASE, !e->is_empty, at);
        return;
    }
    if (e->phase < sizeof log->n_phases / sizeof *log->n_phases)
        log->n_phases[e->phase]++;
    if (e->phase == 'X')
        add_complete(log, batch, e, at);
    else if (e->phase != 'B' && e->phase != 'E')
        add_mark(log, batch, e, at);
    else if (!e->has_time)
        trace_repair(log, REPAIR_NO_TIME, 1, at);
    else if (e->phase == 'B')
        add_begin(log, batch, e);
    else
        add_end(log, batch, e, at);
}

void trace_log_finish(struct trace_log *log)
{
    for (size_t i = 0; i < log->tracks.n; i++) {
        struct trace_track *track = &log->tracks.data[i];

        for (size_t k = 0; k < track->open.n; k++) {
            struct trace_slice *slice = &log->slices.data[track->open.data[k]];

            slice->dur_ns = track->last_ns - slice->start_ns;
            log->repairs[REPAIR_BEGIN_WITHOUT_END]++;
        }
        track->open.n = 0;
    }
}
