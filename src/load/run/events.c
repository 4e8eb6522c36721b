/* events.c: loads graphs and traced steps from event files. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/crc32c.h"
#include "load/formats.h"
#include "load/graph/graphdef.h"
#include "load/graph/tensor.h"
#include "load/loader.h"
#include "load/run/runmeta.h"

/* ---- reads the records of an event file */

enum tfrecord_state {
    TFRECORD_OK,
    TFRECORD_BAD_DATA,   /* wrong checksum: skip this record */
    TFRECORD_END,        /* also within a record: the file is still being written */
    TFRECORD_BAD_LENGTH, /* the rest cannot be read */
};

/* True when BYTES, the head of a file, begin with a record length and its checksum; E is unused. */

enum { LENGTH_BYTES = 8, CRC_BYTES = 4, HEADER_BYTES = LENGTH_BYTES + CRC_BYTES };

static uint64_t load_le(const uint8_t *p, unsigned n)
{
    uint64_t value = 0;

    for (unsigned i = n; i-- > 0;)
        value = value << 8 | p[i];
    return value;
}

static bool crc_fits(const uint8_t *bytes, size_t len)
{
    return crc32c_mask(crc32c_extend(0, bytes, len)) == load_le(bytes + len, CRC_BYTES);
}

/* Reads the record at *AT in FILE and advances *AT. */
static enum tfrecord_state tfrecord_next(struct span file, size_t *at, struct span *data)
{
    const uint8_t *record = file.bytes + *at;
    const size_t left = file.len - *at;
    uint64_t len;

    if (left < HEADER_BYTES)
        return TFRECORD_END;
    if (!crc_fits(record, LENGTH_BYTES))
        return TFRECORD_BAD_LENGTH;
    len = load_le(record, LENGTH_BYTES);
    if (len > left - HEADER_BYTES || left - HEADER_BYTES - len < CRC_BYTES)
        return TFRECORD_END;
    *data = (struct span){record + HEADER_BYTES, (size_t)len};
    *at += HEADER_BYTES + (size_t)len + CRC_BYTES;
    return crc_fits(data->bytes, data->len) ? TFRECORD_OK : TFRECORD_BAD_DATA;
}

static bool fits_events(struct span bytes, struct evidence *e)
{
    return !e && bytes.len >= HEADER_BYTES && crc_fits(bytes.bytes, LENGTH_BYTES);
}

enum {
    EVENT_STEP = 2,
    EVENT_FILE_VERSION = 3,
    EVENT_GRAPH = 4,
    EVENT_SUMMARY = 5,
    EVENT_RUN_META = 8,
    EVENT_META_GRAPH = 9
};
enum { TAGGED_TAG = 1, TAGGED_RUN_META = 2 };
enum { SUMMARY_VALUE = 1, VALUE_TENSOR = 8, VALUE_METADATA = 9 };
enum { METADATA_PLUGIN = 1, PLUGIN_NAME = 1 };
enum { RUN_META_FUNCTION_GRAPHS = 4, RUN_META_PARTITION_GRAPHS = 3 };
enum { FUNCTION_PARTITIONS = 1, FUNCTION_BEFORE = 2 };

/* The parts of an event that are loaded. */
struct event {
    int64_t step;
    int64_t tag_step; /* the step in the tag of a RunMetadata; 0: none */
    struct span graph, meta_graph, run_meta;
    bool run_meta_is_graph; /* has function graphs, no statistics */
};

/* The first string of a TensorProto. */
static struct span tensor_string(struct span tensor)
{
    struct arena arena = {0};
    struct attr_tensor t = tensor_decode(wire_in_of(tensor.bytes, tensor.len), &arena);
    const struct attr_strings strings = tensor_strings(&t, 1, &arena);
    struct span string = {(const uint8_t *)"", 0};

    if (strings.n)
        string = (struct span){(const uint8_t *)strings.v[0].bytes, strings.v[0].len};
    arena_done(&arena);
    return string;
}

/* Newer programs store graphs and statistics in summaries. */
static void read_summary_value(struct loader *l, struct span value, struct event *event)
{
    struct span metadata = span_message(value, VALUE_METADATA, &l->pieces);
    struct span plugin = span_message(metadata, METADATA_PLUGIN, &l->pieces);
    struct span name = span_part(plugin, PLUGIN_NAME);
    struct span tensor = span_message(value, VALUE_TENSOR, &l->pieces);

    if (!tensor.bytes)
        return;
    if (span_is(name, "graphs"))
        event->graph = tensor_string(tensor);
    else if (span_is(name, "graph_run_metadata") || span_is(name, "graph_tagged_run_metadata"))
        event->run_meta = tensor_string(tensor);
    else if (span_is(name, "graph_run_metadata_graph")) {
        event->run_meta = tensor_string(tensor);
        event->run_meta_is_graph = true;
    }
}

static void read_summary(struct loader *l, struct span summary, struct event *event)
{
    wire_each_len(f, span_walk(summary), SUMMARY_VALUE)
        read_summary_value(l, field_span(&f), event);
}

/* The number in "step_100" or "step100"; 0: none. */
static int64_t step_of_tag(struct span tag)
{
    static const char word[] = "step";
    const size_t len = sizeof word - 1;
    int64_t step = 0;
    size_t i = len;

    if (tag.len <= len || memcmp(tag.bytes, word, len) != 0)
        return 0;
    i += tag.bytes[i] == '_';
    for (; i < tag.len && tag.bytes[i] >= '0' && tag.bytes[i] <= '9'; i++)
        if (__builtin_mul_overflow(step, 10, &step) ||
            __builtin_add_overflow(step, tag.bytes[i] - '0', &step))
            return 0;
    return i == tag.len ? step : 0;
}

/* True for the fields of the event's oneof, of which the last one counts. */
static bool is_subject(const struct wire_field *f)
{
    return f->type == WIRE_LEN && f->number >= EVENT_FILE_VERSION && f->number <= EVENT_META_GRAPH;
}

static void read_subject(struct loader *l, uint32_t number, struct span subject,
                         struct event *event)
{
    switch (number) {
    case EVENT_GRAPH:
        event->graph = subject;
        break;
    case EVENT_META_GRAPH:
        event->meta_graph = subject;
        break;
    case EVENT_RUN_META:
        event->run_meta = span_part(subject, TAGGED_RUN_META);
        event->tag_step = step_of_tag(span_part(subject, TAGGED_TAG));
        break;
    case EVENT_SUMMARY:
        read_summary(l, subject, event);
        break;
    default:
        break;
    }
}

static bool read_event(struct loader *l, struct span data, struct event *event, struct err *err)
{
    struct wire_in in = span_walk(data);
    struct wire_pieces subject = {0};
    uint32_t number = 0;
    struct wire_field f;

    *event = (struct event){0};
    arena_reset(&l->pieces);
    while (wire_next(&in, &f)) {
        if (f.number == EVENT_STEP && f.type == WIRE_VARINT)
            event->step = (int64_t)f.value;
        if (!is_subject(&f))
            continue;
        /* Graphs are bytes, so the last one counts; the other fields are messages, which are
         * merged. */
        if (f.number != number || f.number == EVENT_GRAPH || f.number == EVENT_META_GRAPH)
            subject = (struct wire_pieces){0};
        number = f.number;
        wire_pieces_add(&subject, f.bytes, f.len, &l->pieces);
    }
    read_subject(l, number, (struct span){subject.bytes, subject.len}, event);
    /* TensorFlow's profiling hooks set only the tag: "step_100". */
    if (!event->step)
        event->step = event->tag_step;
    return load_ended(l, &in, "event", err);
}

/* Reads the next event.  ADDS_NOTES: adds notes on damage, which only one of several passes does. */
static bool next_event(struct loader *l, size_t *at, bool adds_notes, struct event *event, bool *more,
                       struct err *err)
{
    struct notes *notes = &builder_profile(l->builder)->notes;
    struct span data;
    size_t start = *at;

    for (;;) {
        switch (tfrecord_next(l->input, at, &data)) {
        case TFRECORD_OK:
            *more = true;
            return read_event(l, data, event, err);
        case TFRECORD_BAD_DATA:
            if (adds_notes)
                note_add_kind(notes, NOTE_REPAIR,
                              "%s: offset %zu: the checksum of a record is wrong: skipped",
                         l->path, start);
            break;
        case TFRECORD_BAD_LENGTH:
            if (adds_notes)
                note_add_kind(notes, NOTE_REPAIR,
                              "%s: offset %zu: the checksum of a record's length is wrong: "
                                "the rest is not read",
                         l->path, start);
            *more = false;
            return true;
        case TFRECORD_END:
            *more = false;
            return true;
        }
        start = *at;
    }
}

/* Loads the graphs that ran, whose names the statistics use; else the graphs before
 * optimization. */
static bool load_function_graphs(struct loader *l, struct span run_meta, struct err *err)
{
    struct wire_in in = span_walk(run_meta);
    struct wire_field f, part;

    while (wire_next(&in, &f)) {
        struct wire_in graphs;
        struct span before;
        bool has_partitions = false;

        if (f.number == RUN_META_PARTITION_GRAPHS && f.type == WIRE_LEN &&
            !load_graph(l, field_span(&f), NULL, err))
            return false;
        if (f.number != RUN_META_FUNCTION_GRAPHS || f.type != WIRE_LEN)
            continue;
        graphs = span_walk(field_span(&f));
        while (wire_next_len(&graphs, &part, FUNCTION_PARTITIONS)) {
            has_partitions = true;
            if (!load_graph(l, field_span(&part), NULL, err))
                return false;
        }
        before = span_part(field_span(&f), FUNCTION_BEFORE);
        if (!has_partitions && before.bytes && !load_graph(l, before, NULL, err))
            return false;
    }
    return load_ended(l, &in, "run metadata", err);
}

/* One pass over all events.  GRAPHS: loads their graphs; else those of functions, for use with
 * statistics or if there are no other graphs. */
static bool walk_graphs(struct loader *l, bool graphs, bool *has_graph, struct err *err)
{
    struct event event;
    size_t at = 0;
    bool more = true;
    bool ok = true;

    while (ok && (ok = next_event(l, &at, graphs, &event, &more, err)) && more) {
        if (!graphs) {
            if (event.run_meta.bytes && (!event.run_meta_is_graph || !*has_graph))
                ok = load_function_graphs(l, event.run_meta, err);
            continue;
        }
        *has_graph = *has_graph || event.graph.bytes || event.meta_graph.bytes;
        if (event.graph.bytes)
            ok = load_graph(l, event.graph, NULL, err);
        if (ok && event.meta_graph.bytes)
            ok = load_meta_graph(l, event.meta_graph, err);
    }
    return ok;
}

/* Loads the graphs in l->input; load_event_steps() loads the rest. */
static bool load_events(struct loader *l, struct err *err)
{
    bool has_graph = false;

    return walk_graphs(l, true, &has_graph, err) && walk_graphs(l, false, &has_graph, err);
}

/* Steps whose number was in use. */
struct steps_again {
    uint64_t n;
    int64_t step, shown_as; /* of the first one */
};

static void note_repeated_steps(struct loader *l, const struct steps_again *again)
{
    char more[48] = "";

    if (!again->n)
        return;
    if (again->n > 1)
        snprintf(more, sizeof more, ", and %" PRIu64 " more such steps", again->n - 1);
    note_add(&builder_profile(l->builder)->notes,
             "%s: step %" PRId64 " was recorded again: shown as step %" PRId64 "%s", l->path,
             again->step, again->shown_as, more);
}

static bool load_step(struct loader *l, const struct event *event, struct steps_again *again,
                      struct err *err)
{
    const struct span file = l->input;
    const int64_t next_step = l->next_step;
    const int64_t step = builder_free_step(l->builder, event->step);
    bool ok;

    if (step != event->step && !again->n++) {
        again->step = event->step;
        again->shown_as = step;
    }
    l->input = event->run_meta;
    l->next_step = step;
    ok = load_runmeta(l, err);
    l->next_step = next_step;
    l->input = file;
    return ok;
}

/* Loads each RunMetadata in l->input as the step of its event; when that number is in use, as the
 * next free step. */
static bool load_event_steps(struct loader *l, struct err *err)
{
    struct event event;
    size_t at = 0;
    struct steps_again again = {0};
    bool more = true;
    bool ok = true;

    while (ok && (ok = next_event(l, &at, false, &event, &more, err)) && more)
        if (event.run_meta.bytes && !event.run_meta_is_graph)
            ok = load_step(l, &event, &again, err);
    note_repeated_steps(l, &again);
    return ok;
}

const struct format_row format_events = {
    .name = "event file",
    .help = "graphs and traced steps (events.out.tfevents.*), as tf.summary.trace_on() and trace_export(), and "
            "FileWriter.add_graph() and add_run_metadata() write them",
    .binary_name = "event file",
    .contents = CONTAINS_GRAPH,
    .load_order = 50,
    .detect_order = 50,
    .keep_bytes = true,
    .fits = fits_events,
    .load = load_events,
    .load_late = load_event_steps,
};
