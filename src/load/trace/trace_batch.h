/* trace_batch.h: batches of events of a trace, decoded on any thread and joined into the log in file
 * order.
 *
 * A batch has each text and each set of arguments once, so that joining looks each up once.  Ids of
 * texts are those of the batch. */
#pragma once

#include "load/trace/trace_log.h"

/* A text that is absent or null. */
#define BATCH_TEXT_NONE UINT32_MAX

/* A key of struct trace_batch.args. */
struct batch_args {
    struct trace_args args;
    struct kernel_config config;
    uint32_t has_config, has_shapes;
};

/* A key of struct trace_batch.tracks. */
struct batch_track {
    uint32_t pid, tid; /* texts */
};

/* Numbers that few slices have; NUMBER_NONE: absent. */
struct batch_numbers {
    int64_t sequence, forward_thread, graph_node;
    int64_t external; /* of a slice that has a stream and a correlation too */
};

enum batch_duration { DURATION_FINE, DURATION_ABSENT, DURATION_BAD };

/* An event.  Slices, of phases X, B and E, are decoded; of others that are looked at the values are
 * kept. */
struct decoded_event {
    const uint8_t *at, *end; /* in the file */
    const uint8_t *first_control;
    uint32_t n_controls;
    uint8_t phase;         /* 0: none of one byte */
    bool has_phase, is_empty;
    bool bare_quotes;      /* it was read by the rule for these */
    bool has_time;
    bool has_kept_args;
    uint8_t duration;      /* enum batch_duration */
    uint32_t first, n;     /* in values; of a slice n 1: in numbers */
    uint32_t name, category, track, args; /* args 0: none */
    int64_t ts_ns, dur_ns, link;
};

/* A value of an event that is no slice: one of the fields, or behind these an argument. */
struct batch_value {
    const uint8_t *at;
    uint32_t len;
    uint8_t type;
    bool is_escaped;
    uint8_t field;
};

struct trace_batch {
    /* Set by the caller: events that begin in [from, to); bytes up to `limit` are there. */
    const uint8_t *from, *to, *limit;
    bool is_last; /* the file ends at `limit` */
    const uint8_t *end; /* decoded up to here: less than `to` where an event is malformed */
    VEC(struct decoded_event) events;
    VEC(struct batch_value) values;
    VEC(struct batch_numbers) numbers;
    struct intern texts;
    struct intern tracks; /* of struct batch_track; ids from 1 on */
    struct intern args;   /* of struct batch_args; ids from 1 on */
    struct strbuf scratch;
    /* Of joining, by id in the batch: id in the log + 1; 0: not looked up yet. */
    VEC(uint32_t) text_ids, category_ids, track_ids, arg_ids;
};

/* Frees the contents of BATCH, a struct trace_batch. */
void trace_batch_done(void *batch);
/* Empties it and keeps its memory; it may be zeroed. */
void trace_batch_clear(void *batch);
/* Decodes events up to the first one that is malformed, is longer than the bytes at hand, or is no
 * object. */
void trace_batch_decode(struct trace_batch *batch);
/* Makes an empty batch one of the event E alone, which was read. */
void trace_batch_of_one(struct trace_batch *batch, const struct trace_event *e);
