/* snapshot.h: state of the conversion of a memory snapshot to events; private to snapshot*.c. */
#pragma once

#include "base/satmath.h"
#include "load/loader.h"
#include "load/snapshot/pickle.h"
#include "model/memory_log.h"

/* X(ID, key) for every key that is read. */
#define SNAPSHOT_KEYS(X)                                                                       \
    X(SEGMENTS, segments) X(DEVICE_TRACES, device_traces) X(HOST_SEGMENTS, host_segments)      \
    X(HOST_TRACES, host_traces) X(ANNOTATIONS, external_annotations) X(CATEGORIES, categories) \
    X(DEVICE, device) X(ADDRESS, address) X(TOTAL_SIZE, total_size) X(STREAM, stream)          \
    X(SEGMENT_TYPE, segment_type) X(IS_EXPANDABLE, is_expandable) X(BLOCKS, blocks)            \
    X(SIZE, size) X(REQUESTED_SIZE, requested_size) X(STATE, state) X(FRAMES, frames)          \
    X(HISTORY, history) X(REAL_SIZE, real_size) X(ACTION, action) X(ADDR, addr)                \
    X(TIME_US, time_us) X(USER_METADATA, user_metadata) X(CATEGORY, category)                  \
    X(DEVICE_FREE, device_free) X(FILENAME, filename) X(NAME, name) X(LINE, line)              \
    X(STAGE, stage)

#define SNAPSHOT_KEY_ID(id, name) KEY_##id,
enum snapshot_key { SNAPSHOT_KEYS(SNAPSHOT_KEY_ID) KEY_COUNT };
#undef SNAPSHOT_KEY_ID

/* X(key, singular, plural) for every repair, in the order of the summary. */
#define SNAPSHOT_REPAIRS(X)                                                                       \
    X(bad_segment, "segment skipped", "segments skipped")                                         \
    X(bad_block, "block skipped", "blocks skipped")                                               \
    X(bad_state, "block of an unknown state", "blocks of an unknown state")                       \
    X(bad_event, "event skipped", "events skipped")                                               \
    X(bad_number, "event without a usable number", "events without a usable number")              \
    X(bad_frame, "frame skipped", "frames skipped")                                               \
    X(bad_annotation, "annotation skipped", "annotations skipped")                                \
    X(out_of_order, "time before that of the event before it",                                    \
      "times before that of the event before them")                                               \
    X(double_alloc, "allocation at an address in use", "allocations at addresses in use")         \
    X(double_free, "free of an address not in use", "frees of addresses not in use")              \
    X(double_block, "block at the address of another", "blocks at the addresses of others")       \
    X(size_mismatch, "size that differs from its allocation's",                                   \
      "sizes that differ from their allocations'")                                                \
    X(unrecorded_alloc, "block whose allocation is not recorded",                                 \
      "blocks whose allocations are not recorded")                                                \
    X(missing_in_segments, "live allocation without a block", "live allocations without a block") \
    X(unknown_action, "unknown action", "unknown actions")                                        \
    X(end_without_start, "annotation that ends without a start",                                  \
      "annotations that end without a start")                                                     \
    X(negative_reserved, "trace that releases more than was reserved",                          \
      "traces that release more than was reserved")

#define SNAPSHOT_REPAIR_ID(key, one, many) SNAPSHOT_##key,
enum snapshot_repair { SNAPSHOT_REPAIRS(SNAPSHOT_REPAIR_ID) SNAPSHOT_REPAIR_COUNT };
#undef SNAPSHOT_REPAIR_ID

/* Properties of an allocation that determine its site. */
struct snapshot_origin {
    strid scope;         /* STRID_NONE: allocated before recording */
    uint32_t stack;      /* index in s->stacks */
    strid category;      /* STRID_EMPTY: taken from the stack */
    strid metadata;
    int64_t stream;
    strid device;
};

/* Facts from a list of frames; each distinct list is read once. */
struct snapshot_stack {
    pickle_value frames;
    stack_id stack;     /* its Python frames */
    strid type;         /* STRID_EMPTY: no frames */
    const char *category; /* NULL: the frames were not read yet */
    bool has_frames;
    struct snapshot_origin last; /* cache: the last allocation with these frames, and its site */
    uint32_t last_site;
};

struct snapshot_annotation {
    int64_t us;
    int64_t device;
    strid name; /* in the profile */
    uint32_t order; /* index in the file */
    bool is_start;
};

/* A name opened by an annotation; an element of a doubly linked list. */
struct open_name {
    strid name;
    uint32_t before, after;    /* neighbours in opening order; 0: none */
    uint32_t same_name_before; /* previous open entry of the same name; 0: none */
};

/* The names open at an instant; instants only increase. */
struct open_scope {
    const struct snapshot_annotation *next, *end; /* annotations of the device, by time */
    VEC(struct open_name) names;                  /* entry 0 is the head of the list */
    struct idmap last_of_name;
    strid text; /* text of the scope; STRID_NONE: out of date */
};

/* Sums over the allocations of one part of a node. */
struct part_sums {
    int64_t bytes, n, peak_bytes, residual_bytes;
};

struct snapshot_build {
    struct loader *l;
    struct builder *builder;
    struct memory_log *log;
    struct snapshot_streams *streams; /* NULL: no replay thread */
    struct pickle pickle;
    bool is_damaged;
    bool has_overflow;
    uint64_t repairs[SNAPSHOT_REPAIR_COUNT];
    uint64_t n_events;
    VEC(struct snapshot_stack) stacks; /* entry 0 has no frames */
    struct idmap stack_of_cells;       /* first cell and number of frames -> index in stacks */
    strid action_texts[MEMORY_ACTION_COUNT]; /* ids in pickle.texts */
    VEC(struct snapshot_annotation) annotations; /* by device, then time */
    VEC(strid) categories;
    struct budget names, frames, events; /* limits for scopes, stacks and events */
    struct intern nodes;         /* scope and type -> index in node_ids */
    VEC(node_id) node_ids;
    VEC(struct part_sums) sums; /* by part id */
    struct strbuf text;
};

strid snapshot_str(struct snapshot_build *s, pickle_value text);
/* Resolves V, a text or an index in the list of categories; STRID_EMPTY if it is neither. */
strid snapshot_category(struct snapshot_build *s, pickle_value v);
/* Adds BYTES to *SUM; on overflow sets s->has_overflow. */
void snapshot_add(struct snapshot_build *s, int64_t *sum, int64_t bytes);

/* snapshot_stacks.c: the index in s->stacks of a list of frames, and the entry at an index, which
 * is valid until the next call of either. */
uint32_t snapshot_stack(struct snapshot_build *s, pickle_value frames);
struct snapshot_stack *snapshot_stack_at(struct snapshot_build *s, uint32_t number);

/* snapshot_scopes.c */
void snapshot_annotations(struct snapshot_build *s, pickle_value list);
/* Prepares the annotations of DEVICE; DEVICE -1 has none. */
void scope_begin(struct snapshot_build *s, struct open_scope *scope, int64_t device);
/* The scope of an allocation at US; US must not decrease between calls. */
strid scope_at(struct snapshot_build *s, struct open_scope *scope, int64_t us);
void scope_end(struct open_scope *scope);

/* snapshot_nodes.c */
uint32_t snapshot_site(struct snapshot_build *s, const struct snapshot_origin *origin);
/* Adds the allocations of A to the sums of their nodes' parts. */
void snapshot_count(struct snapshot_build *s, const struct memory_allocator *a);
/* Stores the sums in the nodes. */
void snapshot_store_sums(struct snapshot_build *s);

/* Recorded origin of an allocation; hashed, so without padding. */
struct event_site {
    uint64_t stack; /* index in s->stacks */
    pickle_value category, metadata;
    int64_t stream;
};

struct snapshot_event {
    unsigned action; /* enum memory_action; other values are ignored */
    bool has_address, has_size;
    uint64_t address;
    int64_t bytes, us, device_free_bytes; /* device_free_bytes may be MEMORY_UNKNOWN */
    struct event_site site;
};

/* Reads the events of one trace in order. */
struct snapshot_reader {
    struct snapshot_build *s;
    bool has_times;
    int64_t first_us, last_us;
    uint32_t n_events;
    uint64_t counts[MEMORY_ACTION_COUNT], repairs[SNAPSHOT_REPAIR_COUNT];
};

/* snapshot_events.c: finds the first time and which action frees memory.  Usually the first few
 * events suffice. */
enum memory_frees survey_events(struct snapshot_reader *r, pickle_value trace);
/* Reads the I-th element of the list TRACE; false when it is not an event. */
bool read_event(struct snapshot_reader *r, pickle_value trace, uint32_t i, struct snapshot_event *e);

/* Others are left out: an allocator takes 6 kB, and its trace may take four bytes of the file. */
enum { SNAPSHOT_DEVICES_MAX = 1024 };

/* An allocator while it is read.  Until all events had their effects the sites of allocations are
 * numbers in `sites`, and the stacks of failures are in s->stacks. */
struct replay {
    struct snapshot_build *s;
    int64_t device;
    bool is_host;
    struct memory_allocator a;
    pickle_value trace; /* a list, or PICKLE_ABSENT */
    bool is_whole;      /* no events are missing at the start */
    struct open_scope scope;
    struct idmap at_address; /* address -> last allocation there */
    VEC(uint8_t) has_block;  /* by allocation: it matches a block of the final state */
    VEC(int64_t) ticks; /* time of each event */
    struct snapshot_reader in;
    VEC(struct event_site) sites;
    struct intern site_numbers; /* initialised when `sites` is not empty */
    VEC(uint32_t) last_sites;   /* cache: last site, by low bits of the stack */
    uint64_t repairs[SNAPSHOT_REPAIR_COUNT];
    uint32_t event; /* number of events applied */
    int64_t in_use; /* bytes allocated less bytes freed since the start */
    bool has_overflow; /* in_use overflowed */
};

/* snapshot_load.c: the replay of the allocator of DEVICE, created on first use. */
typedef VEC(struct replay) replay_list;
struct replays {
    replay_list list;
    struct idmap by_device; /* 2 * device, plus 1 for host memory */
};
struct replay *replay_of(struct snapshot_build *s, struct replays *all, int64_t device, bool is_host);

/* snapshot_segments.c */
struct segment_list {
    pickle_value list;
    bool is_host, one_device; /* all segments belong to device 0 */
};
/* Adds the segments to their allocators. */
void snapshot_segments(struct snapshot_build *s, struct replays *all, const struct segment_list *segments);
/* Adds the blocks that are live at the end to those allocators whose final state is known, in file
 * order. */
void snapshot_blocks(struct snapshot_build *s, struct replays *all, const struct segment_list *segments);

/* snapshot_replay.c: applies all events of the trace. */
void replay_events(struct replay *r);
/* Applies one event; uses neither the pickle nor the builder. */
void replay_event(struct replay *r, const struct snapshot_event *e);
/* Replaces event sites and stacks by those of the log, and adds the repairs to the sums. */
void replay_finish(struct replay *r);
/* A block that is live at the end. */
struct live_block {
    uint64_t address;
    int64_t bytes, requested_bytes, stream;
    uint32_t stack;
    bool is_pending;
};
void replay_block(struct replay *r, const struct live_block *block);
/* snapshot_stream.c: replays lists on another thread while the pickle is read. */
struct snapshot_streams;
struct snapshot_streams *snapshot_streams_new(struct snapshot_build *s);
/* Called when LIST has grown; it had N_BEFORE elements. */
void snapshot_stream_list(struct snapshot_streams *x, pickle_value list, uint32_t n_before);
/* Stops the thread after it has replayed all events. */
void snapshot_streams_end(struct snapshot_streams *x);
/* True if elements were released that the pickle, which has been read, needs again; TRACES: the list of
 * device traces.  The pickle must then be read without streams. */
bool snapshot_streams_lost(const struct snapshot_streams *x, pickle_value traces);
/* Frees the replays of lists that are not traces in ALL; frees all replays when the pickle is
 * damaged or has late changes. */
void snapshot_streams_discard(struct snapshot_streams *x, const struct replays *all);
/* Moves the finished replay of R's trace into R; false when there is no valid one. */
bool snapshot_stream_take(struct snapshot_streams *x, struct replay *r);
void snapshot_streams_free(struct snapshot_streams *x); /* X may be NULL */

/* Computes peaks and totals after all events and blocks. */
void replay_end(struct replay *r);
void replay_done(struct replay *r);
