/* trace_read.c: reads the events of a file, complete or damaged (formats-trace.md section 1). */
#include <string.h>

#include "base/system/thread.h"
#include "load/bytes/gunzip_stream.h"
#include "load/bytes/input.h"
#include "load/bytes/pipeline.h"
#include "load/trace/trace_batch.h"

enum {
    EVENT_MAX_BYTES = 16 << 20,
    WINDOW_BYTES = 1 << 18, /* read ahead */
    FORGET_BYTES = 8 << 20, /* memory released at a time, before the current event */
    /* bytes that may always be parsed twice */
    RETRY_FREE_BYTES = 64 << 20,
};

/* State of the current event list. */
enum list_state { LIST_OPEN, LIST_CLOSED, LIST_CUT };

/* Reads the bytes as they arrive. */
struct reader {
    struct trace_log *log;
    struct loader *l;
    const uint8_t *bytes;
    size_t n, at;
    size_t forgotten; /* bytes at the start that were released */
    bool ended;
    uint64_t retried_bytes;
    size_t next;    /* offset of the next batch */
    enum list_state list;
    struct trace_batch single; /* for events outside batches */
};

/* Waits for WANT more bytes; false at the end of the input. */
static bool await(struct reader *r, size_t want)
{
    if (r->ended)
        return false;
    r->n = gunzip_await(r->l->unpacking, r->n + want, &r->ended);
    r->l->input.len = r->n;
    return true;
}

static struct json_in json_here(const struct reader *r)
{
    return (struct json_in){.at = r->bytes + r->at, .end = r->bytes + r->n, .is_last = r->ended};
}

static uint64_t offset(const struct reader *r, const uint8_t *at)
{
    return (uint64_t)(at - r->bytes);
}

/* Skips blanks and commas; false at the end of the file. */
static bool skip_blanks(struct reader *r)
{
    for (;;) {
        struct json_in in = json_here(r);

        while (json_blanks(&in) && *in.at == ',')
            in.at++;
        r->at = (size_t)(in.at - r->bytes);
        if (in.fault == JSON_FINE)
            return true;
        if (!await(r, WINDOW_BYTES))
            return false;
    }
}

/* ---- events */

/* Parses the event at r->at with or without the rule for bare quotes; awaits missing bytes. */
static enum json_fault read_event(struct reader *r, bool bare_quotes, struct json_in *in,
                                  struct trace_event *e)
{
    for (;;) {
        *in = json_here(r);
        in->bare_quotes = bare_quotes;
        if (event_read(in, e))
            return in->at - e->at <= EVENT_MAX_BYTES ? JSON_FINE : JSON_BAD;
        if (in->fault != JSON_ENDS)
            return JSON_BAD;
        if (r->n - r->at > EVENT_MAX_BYTES)
            return JSON_BAD;
        if (!await(r, r->n - r->at + WINDOW_BYTES))
            return JSON_ENDS;
    }
}

/* If a comma and an object with a key follow at AT, the object; else NULL. */
static const uint8_t *next_event(const uint8_t *at, const uint8_t *end)
{
    static const char wanted[] = ",{\"";
    const uint8_t *comma = NULL;

    for (unsigned i = 0; i < sizeof wanted - 1; i++, at++) {
        while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
            at++;
        if (at >= end || *at != (uint8_t)wanted[i])
            return NULL;
        comma = i ? comma : at;
    }
    return comma + 1;
}

/* Skips to the next event that follows "}," ; false if none. */
static bool skip_event(struct reader *r)
{
    size_t from = r->at + 1;

    for (;;) {
        const uint8_t *end = r->bytes + r->n;

        for (const uint8_t *at = r->bytes + from;
             at < end && (at = memchr(at, '}', (size_t)(end - at))); at++) {
            const uint8_t *next = next_event(at + 1, end);

            if (next) {
                r->at = (size_t)(next - r->bytes);
                return true;
            }
        }
        /* the bytes searched may end within the separator */
        from = r->n - r->at > 256 ? r->n - 256 : from;
        if (!await(r, WINDOW_BYTES))
            return false;
    }
}

/* Limits the bytes parsed twice, to keep reading linear. */
static bool may_retry(struct reader *r)
{
    return r->retried_bytes < RETRY_FREE_BYTES + 4 * (uint64_t)r->at;
}

/* Records that the file ends at the current event or list; returns false. */
static bool truncated(struct reader *r, bool within_event)
{
    trace_repair(r->log, REPAIR_TRUNCATED, 1, r->at);
    r->log->cut_at = r->at;
    r->log->is_cut_within = within_event;
    r->at = r->n;
    return false;
}

/* Adds an event of BATCH and moves past it. */
static void join_event(struct reader *r, struct trace_batch *batch, const struct decoded_event *e)
{
    const uint64_t at = offset(r, e->at);

    r->log->n_events++;
    trace_repair(r->log, REPAIR_QUOTES, e->bare_quotes, at);
    if (e->n_controls)
        trace_repair(r->log, REPAIR_CONTROL_CHARACTERS, e->n_controls,
                     offset(r, e->first_control));
    trace_log_add(r->log, batch, e, at);
    r->at = (size_t)offset(r, e->end);
}

/* Adds the event at r->at or skips it; false when the file ends within it. */
static bool add_event(struct reader *r)
{
    struct decoded_event *event;
    struct trace_event e;
    struct json_in in;
    enum json_fault fault = read_event(r, false, &in, &e);
    bool quotes = false;

    if (fault != JSON_FINE && may_retry(r)) {
        fault = read_event(r, true, &in, &e);
        r->retried_bytes += (uint64_t)(in.at - (r->bytes + r->at));
        quotes = fault == JSON_FINE;
    }
    if (fault != JSON_FINE) {
        const size_t at = r->at;

        if (!skip_event(r) && fault == JSON_ENDS)
            return truncated(r, true);
        trace_repair(r->log, REPAIR_SKIPPED, 1, at);
        if (r->at == at)
            r->at = r->n;
        return true;
    }
    trace_batch_of_one(&r->single, &e);
    event = &r->single.events.data[0];
    event->end = in.at;
    event->bare_quotes = quotes;
    event->n_controls = in.n_controls;
    event->first_control = in.first_control;
    join_event(r, &r->single, event);
    return true;
}

/* Skips an element that is not an object; false when the file ends within it. */
static bool skip_element(struct reader *r)
{
    struct json_value value;

    for (;;) {
        struct json_in in = json_here(r);

        if (json_value(&in, &value)) {
            r->log->n_events++;
            trace_repair(r->log, REPAIR_NOT_AN_EVENT, 1, r->at);
            r->at = (size_t)(in.at - r->bytes);
            return true;
        }
        if (in.fault == JSON_ENDS && r->n - r->at <= EVENT_MAX_BYTES &&
            await(r, r->n - r->at + WINDOW_BYTES))
            continue;
        if (in.fault == JSON_ENDS && r->ended)
            return truncated(r, true);
        trace_repair(r->log, REPAIR_SKIPPED, 1, r->at);
        if (!skip_event(r))
            r->at = r->n;
        return true;
    }
}

/* Releases bytes already read: a file may be larger than memory, and the log holds copies. */
static void release_consumed(struct reader *r)
{
    if (r->at - r->forgotten < FORGET_BYTES)
        return;
    input_forget(r->bytes + r->forgotten, r->bytes + r->at);
    r->forgotten = r->at;
}

/* Reads elements that begin before LIMIT; false at the end of the list or the file, or with ERR. */
static bool read_until(struct reader *r, size_t limit, struct err *err)
{
    while (skip_blanks(r)) {
        const uint8_t c = r->bytes[r->at];

        if (r->at >= limit)
            return true;
        if (c == ']') {
            r->at++;
            r->list = LIST_CLOSED;
            return false;
        }
        if (!load_tick(r->l, r->bytes + r->at, err))
            return false;
        if (!(c == '{' ? add_event(r) : skip_element(r))) {
            r->list = LIST_CUT;
            return false;
        }
        release_consumed(r);
    }
    return false;
}

/* ---- batches of events */

/* The first offset from AT where an event seems to begin, within the size of a batch; else AT.
 * join_batch() checks whether it is one. */
static size_t likely_event(const struct reader *r, size_t at)
{
    const uint8_t *from = r->bytes + at, *end = r->bytes + r->n;

    if (end - from > PIPELINE_BATCH_BYTES)
        end = from + PIPELINE_BATCH_BYTES;
    for (const uint8_t *brace = from; brace < end; brace++) {
        const uint8_t *next;

        brace = memchr(brace, '}', (size_t)(end - brace));
        if (!brace)
            break;
        next = next_event(brace + 1, end);
        while (next && *next != '{')
            next++;
        if (next && event_is_likely(next, end))
            return (size_t)(next - r->bytes);
    }
    return at;
}

/* Frames the next range of the list as a batch, and awaits its bytes and those of the batch after
 * it.  Returns 0 at the end of the requested part. */
static size_t frame_batch(void *context, void *of)
{
    struct reader *r = context;
    struct trace_batch *batch = of;
    const size_t from = r->next, size_bytes = PIPELINE_BATCH_BYTES;
    size_t to, limit;

    if (r->l->part_bytes && from >= r->l->part_bytes)
        return 0;
    while (r->n < from + 3 * size_bytes && await(r, from + 3 * size_bytes - r->n))
        ;
    if (from >= r->n)
        return 0;
    to = r->n - from > size_bytes ? likely_event(r, from + size_bytes) : r->n;
    limit = r->n - to > size_bytes ? to + size_bytes : r->n;
    batch->from = r->bytes + from;
    batch->to = r->bytes + to;
    batch->limit = r->bytes + limit;
    batch->is_last = r->ended && limit == r->n;
    r->next = to;
    return pipeline_cost_bytes(to - from);
}

static void decode_batch(const void *context UNUSED, void *batch)
{
    trace_batch_decode(batch);
}

/* Adds the decoded events of BATCH. */
static bool join_decoded(struct reader *r, struct trace_batch *batch, struct err *err)
{
    for (size_t i = 0; i < batch->events.n; i++) {
        const struct decoded_event *e = &batch->events.data[i];

        if (!load_tick(r->l, e->at, err))
            return false;
        if (e->bare_quotes) {
            if (!may_retry(r))
                break;
            r->retried_bytes += (uint64_t)(e->end - e->at);
        }
        join_event(r, batch, e);
    }
    release_consumed(r);
    return true;
}

/* Joins the decoded events if an event really begins at the start of BATCH.  All other elements are
 * parsed one by one, so that the result does not depend on batches. */
static bool join_batch(void *context, void *of, struct err *err)
{
    struct reader *r = context;
    struct trace_batch *batch = of;

    if (!read_until(r, (size_t)(batch->from - r->bytes), err))
        return false;
    if (r->bytes + r->at == batch->from && !join_decoded(r, batch, err))
        return false;
    return read_until(r, (size_t)(batch->to - r->bytes), err);
}

/* Reads the elements of the array whose bracket was consumed.  False when the file, or its
 * requested part, ends before the array. */
static bool read_events(struct reader *r, struct err *err)
{
    const struct pipeline pipeline = {
        .n_threads = r->ended ? pipeline_threads_for(r->n - r->at) : thread_count(),
        .context = r,
        .batch_bytes = sizeof(struct trace_batch),
        .batch_done = trace_batch_done,
        .batch_clear = trace_batch_clear,
        .add_next = frame_batch,
        .caller_frames = true,
        .decode = decode_batch,
        .join = join_batch,
    };

    r->list = LIST_OPEN;
    skip_blanks(r);
    r->next = r->at;
    if (pipeline_run(&pipeline, err) && r->l->part_bytes)
        return false;
    if (err->kind == ERR_NONE && r->list == LIST_OPEN)
        read_until(r, SIZE_MAX, err);
    if (err->kind != ERR_NONE)
        return false;
    return r->list == LIST_CLOSED || (r->list == LIST_OPEN && truncated(r, false));
}

/* ---- top level */

enum key_end { KEY_TAKEN, KEY_EVENTS, KEYS_END, KEYS_BAD, KEYS_CUT };

/* Reads the next top-level key and its value; of the event array only the bracket. */
static enum key_end next_key(struct reader *r)
{
    for (;;) {
        struct json_in in = json_here(r);
        struct json_value key, value;

        if (json_key(&in, &key)) {
            if (json_is(key, "traceEvents", 11) && *in.at == '[') {
                r->at = (size_t)(in.at + 1 - r->bytes);
                return KEY_EVENTS;
            }
            if (json_value(&in, &value)) {
                trace_key_add(r->log, key, value);
                r->at = (size_t)(in.at - r->bytes);
                return KEY_TAKEN;
            }
        } else if (in.fault == JSON_FINE) {
            return KEYS_END;
        }
        if (in.fault == JSON_BAD)
            return KEYS_BAD;
        if (!await(r, r->n - r->at + WINDOW_BYTES))
            return KEYS_CUT;
    }
}

/* False at the end of the input, or with ERR. */
static bool read_object(struct reader *r, struct err *err)
{
    for (;;) {
        switch (next_key(r)) {
        case KEY_TAKEN:
            break;
        case KEY_EVENTS:
            if (!read_events(r, err))
                return false;
            break;
        case KEYS_END:
            return true;
        case KEYS_BAD: /* damage after the events loses none of them */
            trace_repair(r->log, REPAIR_SKIPPED, 1, r->at);
            return true;
        case KEYS_CUT:
            return truncated(r, false);
        }
    }
}

bool trace_read(struct trace_log *log, struct loader *l, struct err *err)
{
    static const uint8_t mark[] = {0xef, 0xbb, 0xbf};
    struct reader r = {
        .log = log, .l = l, .bytes = l->input.bytes, .n = l->input.len, .ended = !l->unpacking};

    if (r.n >= sizeof mark && memcmp(r.bytes, mark, sizeof mark) == 0)
        r.at = sizeof mark;
    if (skip_blanks(&r)) {
        const uint8_t c = r.bytes[r.at++];

        if (c == '{')
            read_object(&r, err);
        else if (c == '[')
            read_events(&r, err);
    }
    trace_batch_done(&r.single);
    if (err->kind != ERR_NONE)
        return false;
    trace_log_finish(log);
    return true;
}
