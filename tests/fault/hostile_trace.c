/* hostile_trace.c: hostile traces and captures. */
#include <stdio.h>

#include "base/wire_out.h"
#include "digest/part_out.h"
#include "hostile.h"

/* Nested slices without ends. */
static void trace_nesting(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[0];

    sb_adds(sb, "{\"traceEvents\":[");
    for (unsigned i = 0; i < n; i++)
        sb_addf(sb, "{\"ph\":\"B\",\"name\":\"n\",\"ts\":%u},\n", i);
    sb_adds(sb, "{}]}");
}

/* Nested Python calls: a stack for each. */
static void python_nesting(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[0];

    sb_adds(sb, "{\"schemaVersion\":1,\"traceEvents\":[");
    for (unsigned i = 0; i < n; i++)
        sb_addf(sb, "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"m.py(%u): f\",\"pid\":1,\"tid\":1,"
                    "\"ts\":%u,\"dur\":%u,\"args\":{\"Python id\":%u,\"Python parent id\":%u}},\n",
                i, i, 2 * (n - i), i + 1, i);
    sb_adds(sb, "{}]}");
}

/* Steps and annotations that begin together. */
static void trace_annotations(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[0];

    sb_adds(sb, "{\"schemaVersion\":1,\"traceEvents\":[");
    for (unsigned i = 0; i < 2 * n; i++)
        sb_addf(sb, "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"%s%u\",\"pid\":1,\"tid\":1,"
                    "\"ts\":0,\"dur\":%u},\n",
                i % 2 ? "a" : "ProfilerStep#", i / 2, i + 1);
    sb_adds(sb, "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":1,"
                "\"ts\":0,\"dur\":5}]}");
}

static void map_entry(struct strbuf *sb, unsigned i)
{
    const size_t entry = wire_begin(sb, 4);
    size_t kind;

    wire_int_always(sb, 1, i);
    kind = wire_begin(sb, 2);
    wire_int_always(sb, 1, i);
    hostile_text(sb, 2, "$m.py:%u f", i);
    wire_end(sb, kind);
    wire_end(sb, entry);
}

static void capture_event(struct strbuf *sb, unsigned kind, unsigned offset_ns, unsigned dur_ns)
{
    const size_t event = wire_begin(sb, 4);

    wire_int_always(sb, 1, kind);
    wire_int_always(sb, 2, 1000 * (int64_t)offset_ns);
    wire_int_always(sb, 3, 1000 * (int64_t)dur_ns);
    wire_end(sb, event);
}

/* The same as a capture. */
static void capture_nesting(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[0];
    const size_t plane = wire_begin(sb, 1);
    size_t line;

    hostile_text(sb, 2, "/host:CPU");
    line = wire_begin(sb, 3);
    wire_int_always(sb, 1, 1);
    hostile_text(sb, 2, "python");
    wire_int_always(sb, 3, 1000);
    for (unsigned i = 0; i < n; i++)
        capture_event(sb, i + 1, i, 2 * (n - i));
    wire_end(sb, line);
    for (unsigned i = 0; i < n; i++)
        map_entry(sb, i + 1);
    wire_end(sb, plane);
}

/* Kinds of events with an empty stat. */
static void capture_kinds(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[0];
    const size_t plane = wire_begin(sb, 1);
    size_t entry, value;

    hostile_text(sb, 2, "/host:CPU");
    entry = wire_begin(sb, 5);
    wire_int_always(sb, 1, 1);
    value = wire_begin(sb, 2);
    hostile_text(sb, 2, "flops");
    wire_end(sb, value);
    wire_end(sb, entry);
    for (unsigned i = 0; i < n; i++) {
        entry = wire_begin(sb, 4);
        wire_int_always(sb, 1, i);
        value = wire_begin(sb, 2);
        wire_int_always(sb, 1, i);
        wire_bytes(sb, 5, "\x08\x01", 2);
        wire_end(sb, value);
        wire_end(sb, entry);
    }
    wire_end(sb, plane);
}

/* ---- digest parts: keys that share nearly all bytes with the previous one */

static bool keep(void *context, const void *bytes, size_t len, struct err *err)
{
    (void)err;
    sb_add(context, bytes, len);
    return true;
}

/* N records; SHARED bytes precede the part of the name, or of a type, that differs. */
static void digest_keys(struct hostile_files *f, unsigned n, bool in_types)
{
    enum { SHARED_BYTES = 60000 };
    struct digest_record r = {.times_ps = {.buckets = {0}}};
    struct strbuf shared = {0};
    struct err err = {0};
    struct part_out out;

    for (unsigned i = 0; i < SHARED_BYTES / 4; i++)
        sb_adds(&shared, "abc/");
    part_out_begin(&out, keep, &f->file[0]);
    for (unsigned i = 0; i < n; i++) {
        digest_record_clear(&r);
        r.figures[DIGEST_RUNS] = 1;
        sb_truncate(&shared, SHARED_BYTES);
        sb_addf(&shared, "%08u", i);
        if (in_types)
            sb_add(&shared, "\0\1", 2);
        for (int k = 0; k < DIGEST_KEYS; k++)
            if (k == (in_types ? DIGEST_TYPES : DIGEST_NAME))
                digest_key_add(&r.key, sb_text(&shared), shared.len);
            else
                digest_key_add(&r.key, "", 0);
        part_out_add(&out, &r, &err);
    }
    part_out_end(&out, &err);
    part_out_done(&out);
    digest_record_done(&r);
    sb_done(&shared);
}

static void digest_names(struct hostile_files *f, unsigned n)
{
    digest_keys(f, n, false);
}

static void digest_types(struct hostile_files *f, unsigned n)
{
    digest_keys(f, n, true);
}

/* Two ranks with many steps, each with a separate operator. */
static void steps_of_ranks(struct hostile_files *f, unsigned n)
{
    for (unsigned rank = 0; rank < 2; rank++) {
        struct strbuf *sb = &f->file[rank];

        sb_addf(sb, "{\"schemaVersion\":1,\"distributedInfo\":{\"rank\":%u,\"world_size\":2},"
                    "\"traceEvents\":[", rank);
        for (unsigned i = 0; i < n; i++)
            sb_addf(sb, "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%u\",\"pid\":1,"
                        "\"tid\":1,\"ts\":%u,\"dur\":9},\n"
                        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"o%u\",\"pid\":1,\"tid\":1,\"ts\":%u,"
                        "\"dur\":5},\n", i, 10 * i, i, 10 * i + 1);
        sb_adds(sb, "{}]}");
    }
}

/* Appends the event of an allocation, without the end of its dict. */
static void snapshot_event(struct strbuf *sb)
{
    sb_adds(sb, "}(\x8c\x06" "action\x8c\x05" "alloc\x8c\x04" "addrK\x01\x8c\x04sizeK\x01");
}

/* Devices that share the last of many stacks. */
static void snapshot_stacks(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[0];

    sb_adds(sb, "\x80\x04}(\x8c\x0d" "device_traces](](");
    for (unsigned i = 0; i < n; i++) {
        snapshot_event(sb);
        sb_adds(sb, "\x8c\x06" "frames](J");
        sb_add(sb, (const char[]){(char)i, (char)(i >> 8), (char)(i >> 16), 0}, 4);
        sb_adds(sb, "K\x01" "eu");
    }
    sb_adds(sb, "\x94" "e");
    for (unsigned i = 0; i < n / 16; i++) {
        sb_adds(sb, "](h");
        sb_add(sb, "", 1);
        sb_adds(sb, "e");
    }
    sb_adds(sb, "eu.");
}

/* Devices that share one event. */
static void snapshot_devices(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[0];

    sb_adds(sb, "\x80\x04}(\x8c\x0d" "device_traces](](");
    snapshot_event(sb);
    sb_adds(sb, "u\x94" "e");
    for (unsigned i = 0; i < n; i++) {
        sb_adds(sb, "](h");
        sb_add(sb, "", 1);
        sb_adds(sb, "e");
    }
    sb_adds(sb, "eu.");
}

/* Devices with a track and an event each. */
static void trace_devices(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[0];

    sb_adds(sb, "{\"schemaVersion\":1,\"traceEvents\":[");
    for (unsigned i = 0; i < n; i++)
        sb_addf(sb, "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":%u,\"tid\":7,\"ts\":%u,"
                    "\"dur\":1,\"args\":{\"device\":%u,\"stream\":7}},\n", i, i, i);
    sb_adds(sb, "{}]}");
}

static void capture_devices(struct hostile_files *f, unsigned n)
{
    struct strbuf *sb = &f->file[0];

    for (unsigned i = 0; i < n; i++) {
        const size_t plane = wire_begin(sb, 1);
        size_t line;

        hostile_text(sb, 2, "/device:GPU:%u", i);
        line = wire_begin(sb, 3);
        capture_event(sb, 0, 0, 1);
        wire_end(sb, line);
        wire_end(sb, plane);
    }
}

#define ALL "-select", "micros,bytes,peak_bytes,params,float_ops,op_types,device"

const struct hostile_shape hostile_traces[] = {
    {"nested calls of a trace", trace_nesting, 10000, {"scope", "@0", ALL}, {"t.json"}, false},
    {"steps of two ranks", steps_of_ranks, 10000, {"scope", "@0", "@1", ALL},
     {"t.json", "u.json"}, false},
    {"annotations of one instant", trace_annotations, 12000, {"graph", "@0", "-output", "html"},
     {"t.json"}, false},
    {"nested Python calls", python_nesting, 5000,
     {"code", "@0", "-max_depth", "20", ALL}, {"t.json"}, false},
    {"nested Python calls of a capture", capture_nesting, 5000,
     {"code", "@0", "-max_depth", "20", ALL}, {"c.xplane.pb"}, false},
    {"devices of a trace", trace_devices, 5000, {"scope", "@0", ALL}, {"t.json"}, false},
    {"devices of a capture", capture_devices, 5000, {"scope", "@0", ALL}, {"c.xplane.pb"}, false},
    {"kinds of events", capture_kinds, 50000, {"scope", "@0", ALL}, {"c.xplane.pb"}, false},
    {"names of a digest", digest_names, 5000, {"scope", "@0", ALL}, {"d.part"}, false},
    {"stacks of a snapshot", snapshot_stacks, 10000, {"memory", "@0"}, {"s.pickle"}, false},
    {"devices of a snapshot", snapshot_devices, 40000, {"memory", "@0"}, {"s.pickle"}, false},
    {"types of a digest", digest_types, 5000, {"scope", "@0", ALL}, {"d.part"}, false},
};
const unsigned n_hostile_traces = sizeof hostile_traces / sizeof *hostile_traces;
