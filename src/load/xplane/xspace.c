/* xspace.c: finds the parts of a capture file (formats-xplane.md sections 1 to 3). */
#include "load/xplane/xspace.h"

#include <string.h>


static bool all_digits(struct span text, size_t from)
{
    for (size_t i = from; i < text.len; i++)
        if (text.bytes[i] < '0' || text.bytes[i] > '9')
            return false;
    return true;
}

enum plane_kind plane_kind_of(struct span name)
{
    static const struct {
        const char *begin;
        enum plane_kind kind;
    } kinds[] = {
        {"/host:metadata", PLANE_METADATA},    {"/host:CPU", PLANE_HOST},
        {"/host:python-tracer", PLANE_HOST},   {"/host:CUPTI", PLANE_HOST},
        {"/host:ROCTRACER", PLANE_HOST},       {"/host:TPU-runtime", PLANE_HOST},
        {"/device:GPU:", PLANE_GPU},           {"Task Environment", PLANE_ENVIRONMENT},
    };
    static const char tpu[] = "/device:TPU:";

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (span_begins(name, kinds[i].begin))
            return kinds[i].kind;
    if (!span_begins(name, tpu))
        return PLANE_OTHER;
    if (all_digits(name, strlen(tpu)))
        return PLANE_TPU;
    return memmem(name.bytes, name.len, " SparseCore ", 12) ? PLANE_SPARSE_CORE : PLANE_OTHER;
}

bool xspace_read(struct xspace *x, const struct loader *l, struct err *err)
{
    struct wire_in in = span_walk(l->input);
    struct wire_field f;

    while (wire_next(&in, &f)) {
        if (f.type != WIRE_LEN)
            continue;
        if (f.number == XSPACE_PLANES)
            vec_push(&x->planes, field_span(&f));
        else if (f.number == XSPACE_HOSTNAMES)
            vec_push(&x->hostnames, field_span(&f));
        else if (f.number == XSPACE_ERRORS)
            vec_push(&x->errors, field_span(&f));
        else if (f.number == XSPACE_WARNINGS)
            vec_push(&x->warnings, field_span(&f));
    }
    return load_ended(l, &in, "capture", err);
}

void xspace_done(struct xspace *x)
{
    EACH(vec_done, &x->planes, &x->hostnames, &x->errors, &x->warnings);
}

/* ---- detection */

static bool is_plane_name(struct span name)
{
    static const char *const begins_with[] = {"/host:", "/device:", "/virtualdevice:", "/custom:",
                                              "#Chip", "Host CPUs", "Syscalls",
                                              "Task Environment"};

    for (size_t i = 0; i < sizeof begins_with / sizeof *begins_with; i++)
        if (span_begins(name, begins_with[i]))
            return true;
    return false;
}

/* True if PLANE, which may be truncated, has the name of a plane. */
static bool fits_plane(struct span plane)
{
    wire_each(f, span_walk(plane)) {
        if (f.number == XPLANE_NAME)
            return f.type == WIRE_LEN && is_plane_name(field_span(&f));
        if (f.number == XPLANE_ID ? f.type != WIRE_VARINT
                                  : f.type != WIRE_LEN || f.number > XPLANE_STATS)
            return false;
    }
    return false;
}

static bool is_text(struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.bytes[i] < 0x20 && (!text.bytes[i] || !strchr("\n\t\r", text.bytes[i])))
            return false;
    return text.len > 0;
}

/* True for the output of a profiler that saw no events: hosts, errors and warnings, which are text.
 * A completely textual file is not accepted, because lengths and tags are control characters. */

bool fits_xspace(struct span bytes, struct evidence *e UNUSED)
{
    struct wire_in in = span_walk(bytes);
    struct wire_field f;
    bool any = false, all_text = bytes.len > 0;

    while (fits_next(&in, &f)) {
        if (f.type != WIRE_LEN || f.number > XSPACE_HOSTNAMES)
            return false;
        if (f.number != XSPACE_PLANES) {
            all_text = all_text && is_text(field_span(&f));
            continue;
        }
        all_text = false;
        if (!fits_plane(field_span(&f)))
            return any && in.at == in.end; /* the last plane may be truncated before its name */
        any = true;
    }
    return any || (all_text && in.at == in.end && !is_text(bytes));
}
