/* snapshot_load.c: loads memory snapshots of PyTorch (formats-snapshot.md). */
#include <inttypes.h>
#include <string.h>

#include "base/system/thread.h"
#include "load/bytes/input.h"
#include "base/compare.h"
#include "load/formats.h"
#include "load/snapshot/snapshot.h"
#include "model/metric.h"

enum { FIRST_PROTOCOL = 2, LAST_PROTOCOL = 5, FIRST_BYTE = 0x80, KEYS_NAMED = 8, KEY_NAMED_MAX = 64 };

#define SNAPSHOT_KEY_NAME(id, name) #name,
static const char *const keys[] = {SNAPSHOT_KEYS(SNAPSHOT_KEY_NAME)};
#undef SNAPSHOT_KEY_NAME

#define SNAPSHOT_REPAIR_WORDS(key, one, many) {#key, one, many},
static const struct {
    const char *key, *one, *many;
} repairs[] = {SNAPSHOT_REPAIRS(SNAPSHOT_REPAIR_WORDS)};
#undef SNAPSHOT_REPAIR_WORDS

static bool fits_pickle(struct span bytes, struct evidence *e)
{
    /* Files of weights before PyTorch 1.6 begin with the pickle of a number. */
    static const char weights[] = "\x80\x02\x8a\x0al\xfc\x9c" "F\xf9 j\xa8P\x19";

    return !e && bytes.len && bytes.bytes[0] == FIRST_BYTE && !span_begins(bytes, weights);
}

/* ---- helpers of all parts */

/* The value of KEY if it is a list, else PICKLE_ABSENT. */
static pickle_value snapshot_list(pickle_value v)
{
    return pickle_kind(v) == PICKLE_LIST ? v : PICKLE_ABSENT;
}

strid snapshot_str(struct snapshot_build *s, pickle_value text)
{
    struct text t;

    if (pickle_kind(text) != PICKLE_TEXT)
        return STRID_EMPTY;
    t = pickle_text(&s->pickle, text);
    return builder_str(s->builder, t.bytes, t.len);
}

strid snapshot_category(struct snapshot_build *s, pickle_value v)
{
    int64_t index;

    if (pickle_kind(v) == PICKLE_TEXT)
        return snapshot_str(s, v);
    return pickle_size(&s->pickle, v, &index) && (uint64_t)index < s->categories.n
               ? s->categories.data[index]
               : STRID_EMPTY;
}

void snapshot_add(struct snapshot_build *s, int64_t *sum, int64_t bytes)
{
    if (__builtin_add_overflow(*sum, bytes, sum))
        s->has_overflow = true;
}

struct replay *replay_of(struct snapshot_build *s, struct replays *all, int64_t device, bool is_host)
{
    const int64_t key = device * 2 + is_host;
    const uint32_t at = idmap_get(&all->by_device, key);
    struct replay r = {.s = s, .device = device, .is_host = is_host, .trace = PICKLE_ABSENT,
                       .is_whole = !s->is_damaged};

    if (at != IDMAP_NONE)
        return &all->list.data[at];
    sb_clear(&s->text);
    sb_addf(&s->text, is_host ? "/cpu:%" PRId64 : "/gpu:%" PRId64, device);
    r.a = (struct memory_allocator){
        .device = builder_str(s->builder, s->text.data, s->text.len),
        .name = builder_str(s->builder, is_host ? "pinned" : "torch", is_host ? 6 : 5),
        .file = s->l->file,
        .first_ticks = MEMORY_UNKNOWN,
        .ticks_per_us = 1,
        .frees = MEMORY_FREES_COMPLETED,
        .capacity_bytes = MEMORY_UNKNOWN,
        .lifetime_peak_bytes = MEMORY_UNKNOWN,
        .fragmentation = -1,
    };
    idmap_put(&all->by_device, key, (uint32_t)all->list.n, 0);
    vec_push(&all->list, r);
    return &all->list.data[all->list.n - 1];
}

/* ---- the top level */

/* The lists of a snapshot; PICKLE_ABSENT if missing. */
struct snapshot_lists {
    pickle_value segments, traces, host_segments, host_traces, annotations, categories;
};

static bool is_segment_list(struct pickle *p, pickle_value list)
{
    const pickle_value first = pickle_first(p, list);

    if (pickle_kind(first) != PICKLE_DICT)
        return false;
    pickle_open_dict(p, first);
    return pickle_field(p, KEY_TOTAL_SIZE) != PICKLE_ABSENT &&
           pickle_field(p, KEY_BLOCKS) != PICKLE_ABSENT;
}

static bool find_lists(struct pickle *p, struct snapshot_lists *lists)
{
    const pickle_value v = p->value;

    *lists = (struct snapshot_lists){.segments = PICKLE_ABSENT};
    if (is_segment_list(p, v)) {
        lists->segments = v;
        return true;
    }
    if (pickle_kind(v) != PICKLE_DICT)
        return false;
    pickle_open_dict(p, v);
    lists->segments = snapshot_list(pickle_field(p, KEY_SEGMENTS));
    lists->traces = snapshot_list(pickle_field(p, KEY_DEVICE_TRACES));
    lists->host_segments = snapshot_list(pickle_field(p, KEY_HOST_SEGMENTS));
    lists->host_traces = snapshot_list(pickle_field(p, KEY_HOST_TRACES));
    lists->annotations = pickle_field(p, KEY_ANNOTATIONS);
    lists->categories = snapshot_list(pickle_field(p, KEY_CATEGORIES));
    return lists->segments || lists->traces;
}

/* Appends the first keys of the top-level dict, or the type of another value. */
static void name_top_level(struct strbuf *sb, const struct pickle *p)
{
    strid key;

    if (pickle_kind(p->value) != PICKLE_DICT || pickle_key_at(p, p->value, 0) == STRID_NONE) {
        sb_adds(sb, pickle_kind_name(pickle_kind(p->value)));
        return;
    }
    for (uint32_t i = 0; i < KEYS_NAMED && (key = pickle_key_at(p, p->value, i)) != STRID_NONE; i++) {
        const struct text text = intern_string(&p->texts, key);

        sb_adds(sb, i ? ", " : "");
        sb_add(sb, text.bytes, text.len < KEY_NAMED_MAX ? text.len : KEY_NAMED_MAX);
    }
}

/* ---- allocators */

/* Adds LIST, the trace of a device; an empty one is ignored unless the file is damaged. */
static void add_trace(struct snapshot_build *s, struct replays *all, pickle_value list, int64_t device,
                      bool is_host)
{
    struct replay *r;
    uint32_t n;

    if (pickle_kind(list) != PICKLE_LIST)
        return;
    pickle_elements(&s->pickle, list, &n);
    if ((!n && !s->is_damaged) || !budget_take(&s->events, (uint64_t)n * 64, n))
        return;
    r = replay_of(s, all, device, is_host);
    r->trace = list;
    r->is_whole = !pickle_is_open(&s->pickle, list);
}

static void add_traces(struct snapshot_build *s, struct replays *all, pickle_value list, bool is_host)
{
    uint32_t n;
    const pickle_value *elements = pickle_elements(&s->pickle, list, &n);

    if (n > SNAPSHOT_DEVICES_MAX)
        note_add(&builder_profile(s->builder)->notes, "%s: the traces of devices from number %d on are left out",
                 s->l->path, (int)SNAPSHOT_DEVICES_MAX);
    for (uint32_t i = 0; i < n && i < SNAPSHOT_DEVICES_MAX; i++)
        add_trace(s, all, elements[i], i, is_host);
}

COMPARE_BY_TWO(by_kind_and_device, struct replay, is_host, device)

static void end_allocators(struct snapshot_build *s, struct replays *all)
{
    vec_sort(&all->list, by_kind_and_device);
    vec_each(struct replay, r, &all->list) {
        if (!r->a.n_events && !r->a.segments.n) {
            memory_allocator_done(&r->a);
        } else {
            replay_end(r);
            snapshot_count(s, &r->a);
            vec_push(&s->log->allocators, r->a);
        }
        replay_done(r);
    }
    vec_done(&all->list);
    idmap_done(&all->by_device);
}

static void make_allocators(struct snapshot_build *s, const struct snapshot_lists *lists)
{
    const bool host_lists =
        pickle_kind(pickle_first(&s->pickle, lists->host_traces)) == PICKLE_LIST;
    const struct segment_list segments = {lists->segments, false, false};
    const struct segment_list host_segments = {lists->host_segments, true, !host_lists};
    struct replays all = {.by_device = {0}};

    add_traces(s, &all, lists->traces, false);
    if (host_lists)
        add_traces(s, &all, lists->host_traces, true);
    else
        add_trace(s, &all, lists->host_traces, 0, true);
    if (s->streams)
        snapshot_streams_discard(s->streams, &all);
    snapshot_segments(s, &all, &segments);
    snapshot_segments(s, &all, &host_segments);
    vec_each(struct replay, r, &all.list) {
        const pickle_value list = r->is_host ? lists->host_segments : lists->segments;

        r->a.has_segments = list != PICKLE_ABSENT;
        r->a.is_end_known = r->a.has_segments && r->is_whole && !pickle_is_open(&s->pickle, list);
        scope_begin(s, &r->scope, r->is_host ? -1 : r->device);
        if (!s->streams || !snapshot_stream_take(s->streams, r))
            replay_events(r);
    }
    snapshot_blocks(s, &all, &segments);
    snapshot_blocks(s, &all, &host_segments);
    end_allocators(s, &all);
}

static void read_categories(struct snapshot_build *s, pickle_value list)
{
    uint32_t n;
    const pickle_value *elements = pickle_elements(&s->pickle, list, &n);

    for (uint32_t i = 0; i < n; i++)
        vec_push(&s->categories, snapshot_str(s, elements[i]));
}

/* ---- facts and notes on the file */

static void add_fact(struct snapshot_build *s, const char *key, enum file_fact_kind kind, const char *name,
                     uint64_t number)
{
    const struct file_fact fact = {.key = key, .kind = (uint8_t)kind, .file = s->l->file,
                                   .name = builder_str(s->builder, name, strlen(name)),
                                   .number = {(int64_t)number}};

    builder_add_file_fact(s->builder, fact);
}

static void add_facts(struct snapshot_build *s)
{
    bool is_clean = true;

    add_fact(s, "damaged", FACT_FLAG, "", s->is_damaged);
    if (s->is_damaged)
        add_fact(s, "damage_offset", FACT_NUMBER, "", s->pickle.end_offset);
    add_fact(s, "trailing_bytes", FACT_NUMBER, "",
             s->is_damaged ? 0 : s->l->input.len - s->pickle.end_offset);
    for (int i = 0; i < SNAPSHOT_REPAIR_COUNT; i++)
        if (s->repairs[i]) {
            add_fact(s, "repairs", FACT_MEMBER_COUNT, repairs[i].key, s->repairs[i]);
            is_clean = false;
        }
    if (is_clean)
        add_fact(s, "repairs", FACT_EMPTY, "", 0);
}

static void note_repairs(struct snapshot_build *s)
{
    struct notes *notes = &builder_profile(s->builder)->notes;
    struct strbuf text = {0};

    for (int i = 0; i < SNAPSHOT_REPAIR_COUNT; i++)
        if (s->repairs[i])
            sb_addf(&text, "%s%" PRIu64 " %s", text.len ? ", " : "", s->repairs[i],
                    s->repairs[i] == 1 ? repairs[i].one : repairs[i].many);
    if (s->is_damaged)
        note_add_kind(notes, NOTE_REPAIR,
                 "%s: damaged at offset %" PRIu64 " of %zu: %" PRIu64 " event%s of %zu device%s read; the "
                 "rest is missing, and segments describe the end of the snapshot%s%s",
                 s->l->path, s->pickle.end_offset, s->l->input.len, s->n_events,
                 s->n_events == 1 ? "" : "s", s->log->allocators.n,
                 s->log->allocators.n == 1 ? "" : "s", text.len ? "; " : "", sb_text(&text));
    else if (text.len)
        note_add_kind(notes, NOTE_REPAIR, "%s: %s", s->l->path, sb_text(&text));
    if (s->names.is_short || s->frames.is_short || s->events.is_short)
        note_add(notes, "%s: scopes, call stacks or traces are truncated: they would take more than 64 "
                        "times the file", s->l->path);
    sb_done(&text);
}

/* ---- loading */

/* False with ERR when the pickle is not a readable snapshot. */
static bool check_end(struct snapshot_build *s, enum pickle_end end, struct snapshot_lists *lists,
                      struct err *err)
{
    struct strbuf top = {0};
    bool is_snapshot;

    if (end == PICKLE_CANCELLED)
        return err_set(err, ERR_CANCELLED, "cancelled");
    if (end == PICKLE_REFUSED && s->pickle.opcode)
        return err_set(err, ERR_INPUT,
                       "%s: pickle opcode %s at offset %" PRIu64 ": the file contains code to run, "
                       "which tfprof never does", s->l->path, s->pickle.opcode, s->pickle.end_offset);
    if (end == PICKLE_REFUSED)
        return err_set(err, ERR_INPUT, "%s: pickle opcode 0x%02x at offset %" PRIu64 ": not an opcode",
                       s->l->path, s->l->input.bytes[s->pickle.end_offset], s->pickle.end_offset);
    s->is_damaged = end == PICKLE_DAMAGED;
    name_top_level(&top, &s->pickle);
    is_snapshot = find_lists(&s->pickle, lists);
    if (!is_snapshot && s->is_damaged)
        err_set(err, ERR_INPUT, "%s: damaged at offset %" PRIu64 " of %zu: no memory snapshot before it",
                s->l->path, s->pickle.end_offset, s->l->input.len);
    else if (!is_snapshot)
        err_set(err, ERR_INPUT, "%s: a pickle, but no memory snapshot (top level: %s)", s->l->path,
                sb_text(&top));
    sb_done(&top);
    return is_snapshot;
}

struct passing {
    struct snapshot_build *s;
    const uint8_t *forgotten;
};

static void passed(void *context, const uint8_t *at)
{
    struct passing *passing = context;
    struct err ignored = {0};

    input_forget(passing->forgotten, at);
    passing->forgotten = at;
    load_tick(passing->s->l, at, &ignored);
    err_done(&ignored);
}

static void grown(void *context, pickle_value list, uint32_t n_before)
{
    const struct passing *passing = context;

    snapshot_stream_list(passing->s->streams, list, n_before);
}

static bool build(struct snapshot_build *s, const struct snapshot_lists *lists, struct err *err)
{
    struct profile *p = builder_profile(s->builder);

    s->names = s->frames = s->events = budget_share(budget_of(s->l->input.len, s->l->cancel), 4);
    intern_init(&s->nodes);
    s->log = builder_memory(s->builder);
    snapshot_annotations(s, lists->annotations);
    read_categories(s, lists->categories);
    make_allocators(s, lists);
    snapshot_store_sums(s);
    add_facts(s);
    note_repairs(s);
    builder_add_step(s->builder, 0);
    p->has_runtime = p->has_stacks = p->has_runs_of_stacks = true;
    profile_add_known_figures(p, 1u << METRIC_BYTES | 1u << METRIC_PEAK_BYTES | 1u << METRIC_RESIDUAL_BYTES |
                                1u << METRIC_OCCURRENCE,
                         "a memory snapshot has no times and no operations, only memory");
    intern_done(&s->nodes);
    return !s->has_overflow ||
           err_set(err, ERR_INPUT, "%s: a sum of bytes exceeds 64 bits", s->l->path);
}

/* Reads the pickle; with several threads, traces are replayed meanwhile if MAY_STREAM. */
static enum pickle_end read_pickle(struct snapshot_build *s, bool may_stream)
{
    const struct snapshot_stack no_stack = {.stack = STACK_NONE, .category = "no stack"};
    struct passing passing = {s, s->l->input.bytes};
    enum pickle_end end;

    pickle_init(&s->pickle, s->l->input.bytes, s->l->input.len, keys, KEY_COUNT);
    for (int i = 0; i < MEMORY_ACTION_COUNT; i++)
        s->action_texts[i] = intern_put(&s->pickle.texts, memory_action_names[i],
                                        strlen(memory_action_names[i]));
    vec_push(&s->stacks, no_stack);
    s->pickle.cancel = s->l->cancel;
    s->pickle.passed = passed;
    s->pickle.context = &passing;
    if (may_stream && thread_count() > 1) {
        s->streams = snapshot_streams_new(s);
        s->pickle.grown = grown;
    }
    end = pickle_read(&s->pickle);
    if (s->streams)
        snapshot_streams_end(s->streams);
    if (s->pickle.has_late_changes) { /* lists of frames may have changed */
        s->stacks.n = 1;
        idmap_done(&s->stack_of_cells);
    }
    return end;
}

static void build_done(struct snapshot_build *s)
{
    snapshot_streams_free(s->streams);
    pickle_done(&s->pickle);
    EACH(vec_done, &s->stacks, &s->annotations, &s->categories, &s->node_ids, &s->sums);
    idmap_done(&s->stack_of_cells);
    sb_done(&s->text);
}

/* True if the pickle, whose reading has ended, must be read again without streams. */
static bool has_lost_elements(struct snapshot_build *s, enum pickle_end end)
{
    struct snapshot_lists lists = {.segments = PICKLE_ABSENT};

    if (!s->streams || end == PICKLE_CANCELLED || end == PICKLE_REFUSED)
        return false;
    s->is_damaged = end == PICKLE_DAMAGED;
    (void)find_lists(&s->pickle, &lists);
    return snapshot_streams_lost(s->streams, lists.traces);
}

static bool load_snapshot(struct loader *l, struct err *err)
{
    struct snapshot_build s = {.l = l, .builder = l->builder};
    struct snapshot_lists lists = {.segments = PICKLE_ABSENT};
    enum pickle_end end;
    const int protocol = pickle_protocol(l->input.bytes, l->input.len);
    bool ok;

    if (protocol >= 0 && (protocol < FIRST_PROTOCOL || protocol > LAST_PROTOCOL))
        return err_set(err, ERR_INPUT, "%s: pickle protocol %d is not supported", l->path, protocol);
    end = read_pickle(&s, true);
    if (has_lost_elements(&s, end)) {
        build_done(&s);
        s = (struct snapshot_build){.l = l, .builder = l->builder};
        end = read_pickle(&s, false);
    }
    ok = check_end(&s, end, &lists, err) && build(&s, &lists, err);
    build_done(&s);
    return ok;
}

const struct format_row format_snapshot = {
    .name = "memory snapshot",
    .help = "memory of PyTorch, as torch.cuda.memory._dump_snapshot() writes it (*.pickle)",
    .binary_name = "memory snapshot, PyTorch",
    .contents = CONTAINS_STEPS,
    .load_order = 92,
    .detect_order = 1, /* no other format begins with its first byte */
    .fits = fits_pickle,
    .load = load_snapshot,
    .takes_damaged = true,
};
