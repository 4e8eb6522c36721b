/* trace_forward.c: the forward operator of each autograd slice, by flows and by sequence numbers
 * (formats-trace.md section 4.7). */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/xalloc.h"
#include "load/trace/trace_backward.h"
#include "load/trace/trace_build.h"

/* ---- flows */

COMPARE_CHAIN(by_track_and_time, struct backward_link, UP(track) || UP(ts_ns) || UP(key))

COMPARE_CHAIN(by_key_and_time, struct backward_link, UP(key) || UP(ts_ns) || UP(is_end))

void backward_links(struct backward *w)
{
    const struct trace_log *log = w->b->log;

    vec_each(const struct trace_flow, flow, &log->flows) {
        if (flow->is_backward)
            vec_push(&w->links, ((struct backward_link){.ts_ns = flow->ts_ns,
                                                        .key = flow->key,
                                                        .track = flow->track,
                                                        .slice = SLICE_NONE,
                                                        .is_end = flow->phase == 'f'}));
    }
    vec_sort(&w->links, by_track_and_time);
}

/* Keeps the end of each flow, with the operator at its start as slice; drops unbound flows. */
static void join_links(struct backward *w)
{
    struct backward_link *links = w->links.data;
    const struct backward_link *start = NULL;
    size_t n = 0;

    /* The sweep bound only the first of several links at one time. */
    for (size_t i = 1; i < w->links.n; i++)
        if (links[i].track == links[i - 1].track && links[i].ts_ns == links[i - 1].ts_ns)
            links[i].slice = links[i - 1].slice;
    vec_sort(&w->links, by_key_and_time);
    for (size_t i = 0; i < w->links.n; i++) {
        if (!links[i].is_end)
            start = &links[i];
        else
            links[i].slice = start && start->key == links[i].key ? start->slice : SLICE_NONE;
    }
    for (size_t i = 0; i < w->links.n; i++)
        if (links[i].is_end && links[i].slice != SLICE_NONE)
            links[n++] = links[i];
    w->links.n = n;
    vec_sort(&w->links, by_track_and_time);
}

/* The operator at the start of the flow that ends at TURN's start; SLICE_NONE if none. */
static uint32_t linked_operator(const struct backward *w, const struct backward_op *op)
{
    size_t at = 0;

    LOWER_BOUND(at, w->links.n, i,
                w->links.data[i].track < op->track ||
                    (w->links.data[i].track == op->track &&
                     w->links.data[i].ts_ns < op->start_ns));
    return at < w->links.n && w->links.data[at].track == op->track &&
                   w->links.data[at].ts_ns == op->start_ns
               ? w->links.data[at].slice
               : SLICE_NONE;
}

/* ---- threads of the forward pass */

/* A forward operator with a sequence number. */
struct numbered {
    int64_t number, start_ns;
    uint32_t track, slice;
};

/* A `Fwd thread id` with a sequence number, or with a candidate track. */
struct thread_id {
    int64_t id, number;
    uint32_t track; /* TRACK_NONE if unknown */
};

struct forward_threads {
    struct backward *w;
    VEC(struct numbered) operators;  /* by number, track and start */
    VEC(struct thread_id) numbers;   /* of autograd slices, by id and number; unique */
    VEC(struct thread_id) known;     /* track by thread id */
    uint32_t *votes;                 /* by track */
    int64_t *first_numbered_ns;      /* by track: start of its first forward operator */
    bool *is_taken;                  /* by track */
    struct budget budget;
};

COMPARE_CHAIN(by_number, struct numbered, UP(number) || UP(track) || UP(start_ns) || UP(slice))

COMPARE_CHAIN(by_id, struct thread_id, UP(id) || UP(number) || UP(track))

static const struct trace_sequence *sequence_of(const struct backward *w, const struct backward_op *op)
{
    return op->sequence == SLICE_NONE ? NULL : &w->b->log->sequences.data[op->sequence];
}

/* The sequence entry of TURN, if it has a number and a forward thread id; else NULL. */
static const struct trace_sequence *numbers_of(const struct backward *w, const struct backward_op *op)
{
    const struct trace_sequence *s = sequence_of(w, op);

    return s && s->forward_thread > 0 ? s : NULL;
}

static void collect_operators(struct forward_threads *t)
{
    const struct trace_build *b = t->w->b;

    for (size_t i = 0; i < b->log->tracks.n; i++)
        t->first_numbered_ns[i] = INT64_MAX;
    vec_each(const struct trace_sequence, s, &b->log->sequences) {
        const struct trace_slice *slice = &b->log->slices.data[s->slice];

        if (s->forward_thread > 0 || kind_of(b, slice) != KIND_CALL || is_engine_slice(b, slice))
            continue;
        vec_push(&t->operators,
                 ((struct numbered){s->number, slice->start_ns, slice->track, s->slice}));
        KEEP_MIN(t->first_numbered_ns[slice->track], slice->start_ns);
    }
    vec_sort(&t->operators, by_number);
}

/* The most frequent track of VOTES [N], which are sorted by track; among equals the one with the
 * earliest FIRST_NS. */
static uint32_t most_votes(const struct thread_id *votes, size_t n, const int64_t *first_ns)
{
    uint32_t best = TRACK_NONE;
    size_t best_n = 0;

    for (size_t i = 0, end; i < n; i = end) {
        const uint32_t track = votes[i].track;

        for (end = i; end < n && votes[end].track == track; end++)
            continue;
        if (best == TRACK_NONE || end - i > best_n ||
            (end - i == best_n && first_ns[track] < first_ns[best])) {
            best = track;
            best_n = end - i;
        }
    }
    return best;
}

static void set_thread(struct forward_threads *t, int64_t id, uint32_t track)
{
    vec_push(&t->known, ((struct thread_id){.id = id, .track = track}));
    t->is_taken[track] = true;
}

/* Maps a thread id to the track where most flows to its slices start. */
static void map_threads_by_flows(struct forward_threads *t)
{
    const struct backward *w = t->w;
    VEC(struct thread_id) votes = {0};

    for (size_t i = 0; i < w->ops.n; i++) {
        const struct trace_sequence *s = numbers_of(w, &w->ops.data[i]);
        const uint32_t from = s ? linked_operator(w, &w->ops.data[i]) : SLICE_NONE;

        if (from != SLICE_NONE)
            vec_push(&votes, ((struct thread_id){.id = s->forward_thread,
                                                 .track = w->b->log->slices.data[from].track}));
    }
    vec_sort(&votes, by_id);
    for (size_t i = 0, end; i < votes.n; i = end) {
        for (end = i; end < votes.n && votes.data[end].id == votes.data[i].id; end++)
            continue;
        set_thread(t, votes.data[i].id,
                    most_votes(&votes.data[i], end - i, w->first_ns.data));
    }
    vec_done(&votes);
}

/* The track of thread ID, or TRACK_NONE. */
static uint32_t thread_of(const struct forward_threads *t, int64_t id)
{
    size_t at = 0;

    LOWER_BOUND(at, t->known.n, i, t->known.data[i].id < id);
    return at < t->known.n && t->known.data[at].id == id ? t->known.data[at].track : TRACK_NONE;
}

/* Collects the distinct pairs of thread id and sequence number. */
static void collect_numbers(struct forward_threads *t)
{
    size_t n = 0;

    for (size_t i = 0; i < t->w->ops.n; i++) {
        const struct trace_sequence *s = numbers_of(t->w, &t->w->ops.data[i]);

        if (s)
            vec_push(&t->numbers,
                     ((struct thread_id){s->forward_thread, s->number, TRACK_NONE}));
    }
    vec_sort(&t->numbers, by_id);
    for (size_t i = 0; i < t->numbers.n; i++)
        if (!n || by_id(&t->numbers.data[n - 1], &t->numbers.data[i]) != 0)
            t->numbers.data[n++] = t->numbers.data[i];
    t->numbers.n = n;
}

/* Gives a vote to each free track with a forward operator of NUMBER; false when out of budget. */
static bool vote(struct forward_threads *t, int64_t number)
{
    size_t at = 0;

    LOWER_BOUND(at, t->operators.n, i, t->operators.data[i].number < number);
    for (uint32_t before = TRACK_NONE; at < t->operators.n; at++) {
        const struct numbered *o = &t->operators.data[at];

        if (o->number != number)
            break;
        if (!budget_take(&t->budget, 0, 1))
            return false;
        t->votes[o->track] += o->track != before && !t->is_taken[o->track];
        before = o->track;
    }
    return true;
}

/* The free track with most votes; among equals the one with the earliest forward operator. */
static uint32_t winning_track(struct forward_threads *t)
{
    uint32_t best = TRACK_NONE;

    for (uint32_t i = 0; i < t->w->b->log->tracks.n; i++)
        if (t->votes[i] && (best == TRACK_NONE || t->votes[i] > t->votes[best] ||
                            (t->votes[i] == t->votes[best] &&
                             t->first_numbered_ns[i] < t->first_numbered_ns[best])))
            best = i;
    return best;
}

/* Maps the remaining thread ids, in ascending order, to the free track with most of their sequence
 * numbers. */
static void map_threads_by_numbers(struct forward_threads *t)
{
    const size_t n_tracks = t->w->b->log->tracks.n, n_linked = t->known.n;
    size_t linked = 0, end;

    for (size_t i = 0; i < t->numbers.n; i = end) {
        const int64_t id = t->numbers.data[i].id;
        bool is_covered = budget_take(&t->budget, 0, n_tracks);
        uint32_t track;

        while (linked < n_linked && t->known.data[linked].id < id)
            linked++;
        for (end = i; end < t->numbers.n && t->numbers.data[end].id == id; end++)
            continue;
        if (!is_covered || (linked < n_linked && t->known.data[linked].id == id))
            continue;
        memset(t->votes, 0, n_tracks * sizeof *t->votes);
        for (size_t k = i; k < end && is_covered; k++)
            is_covered = vote(t, t->numbers.data[k].number);
        track = is_covered ? winning_track(t) : TRACK_NONE;
        if (track != TRACK_NONE)
            set_thread(t, id, track);
    }
    vec_sort(&t->known, by_id);
}

/* ---- forward operators */

/* The last operator with TURN's number on its thread that starts no later, or SLICE_NONE. */
static uint32_t numbered_operator(const struct forward_threads *t, const struct backward_op *op)
{
    const struct trace_sequence *s = numbers_of(t->w, op);
    struct numbered key;
    size_t at = 0;

    if (!s)
        return SLICE_NONE;
    key = (struct numbered){s->number, op->start_ns, thread_of(t, s->forward_thread), SLICE_NONE};
    LOWER_BOUND(at, t->operators.n, i, by_number(&t->operators.data[i], &key) < 0);
    if (!at || t->operators.data[at - 1].number != key.number ||
        t->operators.data[at - 1].track != key.track)
        return SLICE_NONE;
    return t->operators.data[at - 1].slice;
}

/* The forward operator of an autograd node.  OUTER is its engine slice, or NULL; INNER is the
 * operator that OUTER evaluates, or the same slice. */
static uint32_t operator_of(const struct forward_threads *t, const struct backward_op *outer,
                            const struct backward_op *inner)
{
    const struct backward_op *slices[2] = {outer, inner};
    const struct trace_slice *all = t->w->b->log->slices.data;

    for (int i = 0; i < 2; i++) {
        const uint32_t found = slices[i] ? linked_operator(t->w, slices[i]) : SLICE_NONE;

        if (found != SLICE_NONE && all[found].start_ns <= slices[i]->start_ns)
            return found;
    }
    for (int i = 0; i < 2; i++)
        if (slices[i] && numbers_of(t->w, slices[i]))
            return numbered_operator(t, slices[i]);
    return SLICE_NONE;
}

void forward_operators(struct backward *w)
{
    const size_t n_tracks = w->b->log->tracks.n;
    struct forward_threads t = {
        .w = w,
        .votes = xcalloc(n_tracks + 1, sizeof *t.votes),
        .first_numbered_ns = xcalloc(n_tracks + 1, sizeof *t.first_numbered_ns),
        .is_taken = xcalloc(n_tracks + 1, sizeof *t.is_taken),
        .budget = budget_of(profile_input_bytes(builder_profile(w->b->builder)), w->b->l->cancel),
    };

    join_links(w);
    collect_operators(&t);
    collect_numbers(&t);
    map_threads_by_flows(&t);
    map_threads_by_numbers(&t);
    for (size_t i = 0; i < w->ops.n; i++) {
        struct backward_op *op = &w->ops.data[i];
        const uint32_t pair = op->outer != BACKWARD_NONE ? op->outer : op->inner;
        const struct backward_op *other = pair == BACKWARD_NONE ? NULL : &w->ops.data[pair];

        if (op->kind != BACKWARD_AUTOGRAD)
            continue;
        op->forward = op->outer != BACKWARD_NONE ? operator_of(&t, other, op)
                                                 : operator_of(&t, op, other);
    }
    EACH(vec_done, &w->links, &t.operators, &t.numbers, &t.known);
    EACH(free, t.votes, t.first_numbered_ns, t.is_taken);
}

/* ---- graph inputs from flows (formats-trace.md section 4.5) */

COMPARE_BY_TWO(by_track_and_time_of_flows, struct trace_flow, track, ts_ns)

void trace_flows_sort(struct trace_build *b)
{
    vec_sort(&b->log->flows, by_track_and_time_of_flows);
}

/* At equal times starts precede ends. */
COMPARE_CHAIN(by_key_and_time_of_flows, struct trace_flow,
              UP(key) || UP(ts_ns) || THEN((a->phase != 's') - (b->phase != 's')) || UP(track) || UP(path))

static void link_flows(struct trace_build *b)
{
    const struct trace_flow *before = NULL;

    vec_sort(&b->log->flows, by_key_and_time_of_flows);
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

COMPARE_CHAIN(by_number_and_time, struct trace_sequence, UP(number) || UP(start_ns) || UP(slice))

/* Makes the last forward operator of a sequence number an input of its backward operators. */
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
