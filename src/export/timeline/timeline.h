/* timeline.h: Chrome trace events, written one by one (semantics.md section 6). */
#ifndef TFPROF_EXPORT_TIMELINE_H
#define TFPROF_EXPORT_TIMELINE_H

#include "base/text.h"
#include "export/sinks/outbuf.h"

/* The writer of {"traceEvents": [...]}: events in the order of the calls,
 * one line without blanks, keys in byte order. */
struct trace_events {
    struct outbuf out;
    int64_t tick_ps; /* in which times of events are given */
    bool any; /* an event was written: the next one needs a comma */
};

void trace_events_init(struct trace_events *t, int64_t tick_ps, struct sink *sink,
                       struct err *err);
/* Closes the list and hands on the rest; false when any write failed. */
bool trace_events_end(struct trace_events *t);

/* Announces process PID; its name is PREFIX + the LEN bytes of NAME + SUFFIX. */
void trace_process(struct trace_events *t, int64_t pid, const char *prefix, const char *name,
                   size_t len, const char *suffix);

/* The same for a thread of it. */
void trace_thread(struct trace_events *t, int64_t pid, int64_t tid, const char *prefix,
                  const char *name, size_t len, const char *suffix);

struct timeline_slice {
    const char *name;
    size_t len;
    const char *op; /* second argument, same length; NULL: none */
    int64_t pid, tid, start_ticks, dur_ticks;
};
void trace_slice(struct trace_events *t, const struct timeline_slice *s);

/* A slice of a thread or stream as the file has it. */
struct timeline_whole {
    struct text label, node, op;
    int64_t pid, tid, start_ticks, dur_ticks;
    int64_t self_ticks; /* what of it is the node's own */
};
void trace_whole(struct trace_events *t, const struct timeline_whole *s);

/* One end of an arrow between slices: PHASE 's' where it starts, 't' where it ends. */
void trace_flow(struct trace_events *t, char phase, int64_t id, const char *name, size_t len,
                int64_t pid, int64_t tid, int64_t at_ticks);

/* A counter of the category "Memory"; ARGS is the finished JSON object. */
void trace_counter(struct trace_events *t, const char *name, int64_t pid, int64_t at_ticks,
                   const char *args);

/* The device tracks, flows and counters of the graph view at STEP. */
bool timeline_graph(struct result *r, int64_t step, struct sink *sink, struct err *err);
/* The same of captures and traces: threads and streams as they are in the files. */
bool timeline_tracks(struct result *r, int64_t step, struct sink *sink, struct err *err);
/* The flame layout of the scope and code views. */
bool timeline_flame(struct result *r, struct sink *sink, struct err *err);

#endif
