/* timeline.h: writes Chrome trace events one by one (semantics.md section 6). */
#pragma once

#include "base/text.h"
#include "export/sinks/outbuf.h"
#include "view/query.h"

/* Writes {"traceEvents": [...]}: events in call order, on one line without blanks, keys sorted. */
struct trace_events {
    struct outbuf out;
    int64_t tick_ps; /* unit of event times */
    bool any; /* whether the next event needs a comma */
};

void trace_events_init(struct trace_events *t, int64_t tick_ps, struct sink *sink,
                       struct err *err);
/* Closes the list and writes the rest; false when any write failed. */
bool trace_events_end(struct trace_events *t);

/* Writes the name of process PID: PREFIX + the LEN bytes of NAME + SUFFIX. */
void trace_process(struct trace_events *t, int64_t pid, const char *prefix, const char *name,
                   size_t len, const char *suffix);

/* As trace_process(), for a thread of the process. */
void trace_thread(struct trace_events *t, int64_t pid, int64_t tid, const char *prefix,
                  const char *name, size_t len, const char *suffix);

struct timeline_slice {
    struct text label, node, op; /* op.bytes NULL: none */
    int64_t pid, tid, start_ticks, dur_ticks;
    int64_t self_ticks; /* self time; written if it is not the duration */
};
void trace_slice(struct trace_events *t, const struct timeline_slice *s);

/* Writes the start (PHASE 's') or end ('t') of an arrow between slices. */
void trace_flow(struct trace_events *t, char phase, int64_t id, const char *name, size_t len,
                int64_t pid, int64_t tid, int64_t at_ticks);

/* Writes the counter of an allocator's bytes in use. */
void trace_bytes_in_use(struct trace_events *t, int64_t pid, int64_t at_ticks, int64_t bytes);
/* Writes a counter of the category "Memory"; ARGS is a JSON object. */
void trace_counter(struct trace_events *t, const char *name, int64_t pid, int64_t at_ticks,
                   const char *args);

/* Numbers and times of what is drawn, and of all. */
struct drawn_part {
    uint64_t n_drawn, n_all;
    int64_t drawn_ps, all_ps;
};
/* Adds a note to R on WHAT ("slices") that is not drawn because its rows are hidden, if any. */
void timeline_note_hidden(struct result *r, const char *what, const struct drawn_part *part);

/* Writes device tracks, flows and counters of the graph view at the step of R. */
bool timeline_graph(struct result *r, struct sink *sink, struct err *err);
/* As timeline_graph(), for the threads and streams of captures and traces. */
bool timeline_tracks(struct result *r, struct sink *sink, struct err *err);
/* Writes scope and code views in flame layout. */
bool timeline_flame(struct result *r, struct sink *sink, struct err *err);
