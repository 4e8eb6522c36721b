/* trace_flows.c: dependences other than calls: flows, and backward operators on forward operators
 * (formats-trace.md section 4.5). */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "load/trace/trace_build.h"

/* ---- flows */

COMPARE_BY_TWO(by_track_and_time, struct trace_flow, track, ts_ns)

void trace_flows_sort(struct trace_build *b)
{
    vec_sort(&b->log->flows, by_track_and_time);
}

/* At equal times starts precede ends. */
COMPARE_CHAIN(by_key_and_time, struct trace_flow,
              UP(key) || UP(ts_ns) || THEN((a->phase != 's') - (b->phase != 's')))

static void link_flows(struct trace_build *b)
{
    const struct trace_flow *before = NULL;

    vec_sort(&b->log->flows, by_key_and_time);
    for (size_t i = 0; i < b->log->flows.n; i++) {
        const struct trace_flow *flow = &b->log->flows.data[i];

        if (flow->phase != 's' && before && before->key == flow->key && before->path &&
            flow->path)
            add_dependence(b, flow->path, before->path);
        if (flow->phase != 'f')
            before = flow;
    }
}

/* ---- sequence numbers */

COMPARE_BY(by_slice, struct trace_sequence, slice)

void trace_sequences_sort(struct trace_build *b)
{
    vec_sort(&b->log->sequences, by_slice);
}

void trace_sequence_bind(struct trace_build *b, uint32_t slice, uint32_t path)
{
    struct trace_log *log = b->log;
    size_t at = 0;

    if (log->has_backward_flows)
        return;
    LOWER_BOUND(at, log->sequences.n, i, log->sequences.data[i].slice < slice);
    if (at < log->sequences.n && log->sequences.data[at].slice == slice)
        log->sequences.data[at].path = path;
}

COMPARE_BY_TWO(by_number_and_time, struct trace_sequence, number, start_ns)

/* A backward operator depends on the last forward operator with its sequence number. */
static void link_sequences(struct trace_build *b)
{
    const struct trace_sequence *forward = NULL;

    vec_sort(&b->log->sequences, by_number_and_time);
    for (size_t i = 0; i < b->log->sequences.n; i++) {
        const struct trace_sequence *sequence = &b->log->sequences.data[i];

        if (!sequence->path)
            continue;
        if (sequence->forward_thread <= 0)
            forward = sequence;
        else if (forward && forward->number == sequence->number)
            add_dependence(b, sequence->path, forward->path);
    }
}

void trace_flows(struct trace_build *b)
{
    link_flows(b);
    if (!b->log->has_backward_flows)
        link_sequences(b);
}
