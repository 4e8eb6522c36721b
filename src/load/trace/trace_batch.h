/* trace_batch.h: batches of trace events, decoded on any thread and joined into the log in file
 * order.
 *
 * A batch stores each text and each argument set once, so that joining looks each up once.  Text
 * ids are local to the batch. */
#pragma once

#include "load/trace/trace_log.h"

/* Id of a text that is absent or null. */
#define BATCH_TEXT_NONE UINT32_MAX

/* A key of struct trace_batch.args. */
struct batch_args {
    struct trace_args args;
    struct kernel_config config;
    uint32_t has_config, has_shapes;
};

/* A key of struct trace_batch.tracks. */
struct batch_track {
    uint32_t pid, tid; /* text ids */
};

/* Data that few slices have; numbers are NUMBER_NONE if absent. */
struct batch_numbers {
    int64_t sequence, forward_thread, graph_node;
    int64_t external; /* only if the slice has a stream and a correlation */
    struct json_value recorded; /* all arguments of an event of ONNX Runtime */
};

enum batch_duration { DURATION_FINE, DURATION_ABSENT, DURATION_BAD };

/* A decoded event.  Slices (phases X, B and E) are decoded completely; for other phases that are
 * used, the source text of their values is kept. */
struct decoded_event {
    const uint8_t *at, *end; /* in the file */
    const uint8_t *first_control;
    uint32_t n_controls;
    uint8_t phase;         /* 0: the phase is not a string of one byte */
    bool has_phase, is_empty;
    bool bare_quotes;      /* parsed with the rule for bare quotes */
    bool has_time;
    bool has_kept_args;
    uint8_t duration;      /* enum batch_duration */
    uint32_t first, n;     /* range in `values`; for a slice with n 1, index in `numbers` */
    uint32_t name, category, track, args; /* args 0: no arguments */
    int64_t ts_ns, dur_ns, link;
};

/* A value of an event that is no slice: FIELD is an index in fields, or EVENT_FIELDS +
 * event_arg. */
struct batch_value {
    const uint8_t *at;
    uint32_t len;
    uint8_t type;
    bool is_escaped;
    uint8_t field;
};

struct trace_batch {
    /* Set by the caller: decode events that begin in [from, to); bytes up to `limit` exist. */
    const uint8_t *from, *to, *limit;
    bool is_last; /* the file ends at `limit` */
    const uint8_t *end; /* end of the decoded events; before `to` if an event is malformed */
    VEC(struct decoded_event) events;
    VEC(struct batch_value) values;
    VEC(struct batch_numbers) numbers;
    struct intern texts;
    struct intern tracks; /* keys are struct batch_track; ids start at 1 */
    struct intern args;   /* keys are struct batch_args; ids start at 1 */
    struct strbuf scratch;
    /* Used while joining: batch id -> log id + 1; 0: not looked up yet. */
    VEC(uint32_t) text_ids, category_ids, track_ids, arg_ids;
};

/* Frees the contents of BATCH, a struct trace_batch. */
void trace_batch_done(void *batch);
/* Empties BATCH, which may be zeroed, and keeps its memory. */
void trace_batch_clear(void *batch);
/* Decodes events up to the first element that is malformed, incomplete, or not an object. */
void trace_batch_decode(struct trace_batch *batch);
/* Replaces the contents of BATCH by the parsed event E. */
void trace_batch_of_one(struct trace_batch *batch, const struct trace_event *e);
