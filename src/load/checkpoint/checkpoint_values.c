/* checkpoint_values.c: the values of a tensor, its pieces put in place, and
 * figures about them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "load/checkpoint/checkpoint_parts.h"

/* Up to this size a tensor's checksum is verified even when few of its values
 * are wanted. */
enum { ALWAYS_VERIFIED_BYTES = 1 << 24 };
enum { DT_STRING = 7 };

bool checkpoint_parts_check(const struct checkpoint *c, const struct checkpoint_tensor *t,
                            struct err *err)
{
    int64_t n = 0;

    if (t->n_elements < 0)
        return checkpoint_fail(c, t, "its shape is absurd", err);
    for (uint32_t i = 0; i < t->n_parts; i++)
        if (__builtin_add_overflow(n, c->parts.data[t->first_part + i].n_elements, &n))
            n = -1;
    if (!t->n_parts || n != t->n_elements)
        return checkpoint_fail(c, t, "its slices do not make up the whole", err);
    return true;
}

/* ---- placing: a part is a box in the tensor, stored row by row */

/* Goes over the rows of a part: runs that stand together both in the part and
 * in the whole. */
struct rows {
    const struct checkpoint_tensor *tensor;
    const struct slice_extent *extents;
    uint32_t n_outer;  /* dimensions that are counted through */
    int64_t run;       /* elements of a row */
    uint64_t from, to; /* of the current row, in the part and in the whole */
    int64_t at[256];   /* counters of the outer dimensions */
};

/* Where the current row begins in the whole. */
static uint64_t row_place(const struct rows *r)
{
    const struct attr_shape *shape = &r->tensor->shape;
    uint64_t place = 0;

    for (uint32_t i = 0; i < shape->n_dims; i++) {
        int64_t index = r->extents[i].start + (i < r->n_outer ? r->at[i] : 0);

        place = place * (uint64_t)shape->dims[i] + (uint64_t)index;
    }
    return place;
}

static void rows_init(struct rows *r, const struct checkpoint_tensor *t,
                      const struct checkpoint_part *part)
{
    r->tensor = t;
    r->extents = part->extents;
    r->run = 1;
    r->n_outer = t->shape.n_dims;
    /* The innermost dimensions that are whole, and the one around them. */
    while (r->n_outer) {
        const uint32_t i = --r->n_outer;

        r->run *= part->extents[i].length;
        if (part->extents[i].length != t->shape.dims[i])
            break;
    }
    memset(r->at, 0, r->n_outer * sizeof *r->at);
    r->from = 0;
    r->to = row_place(r);
}

static bool rows_next(struct rows *r)
{
    uint32_t i = r->n_outer;

    r->from += (uint64_t)r->run;
    while (i-- > 0) {
        if (++r->at[i] < r->extents[i].length) {
            r->to = row_place(r);
            return true;
        }
        r->at[i] = 0;
    }
    return false;
}

/* ---- numbers */

/* Puts the elements of PART that are among the first N in their places. */
static bool place_bits(const struct checkpoint *c, const struct checkpoint_tensor *t,
                       const struct checkpoint_part *part, uint64_t *bits, uint64_t n,
                       struct part_reader *reader, struct err *err)
{
    struct rows rows;
    bool more = part->n_elements > 0;
    bool ok = part_reader_open(reader, c, t, part, err);

    if (!ok)
        return false;
    if (n == (uint64_t)t->n_elements || part->size_bytes <= ALWAYS_VERIFIED_BYTES)
        ok = part_reader_verify(reader, err);
    rows_init(&rows, t, part);
    /* Rows come in the order of the whole. */
    while (ok && more && rows.to < n) {
        uint64_t run = (uint64_t)rows.run < n - rows.to ? (uint64_t)rows.run : n - rows.to;

        ok = part_reader_bits(reader, rows.from, (size_t)run, bits + rows.to, err);
        more = rows_next(&rows);
    }
    part_reader_close(reader);
    return ok;
}

static bool read_numbers(const struct checkpoint *c, const struct checkpoint_tensor *t, uint64_t n,
                         struct checkpoint_values *v, struct err *err)
{
    const struct dtype *type = dtype_find(t->dtype);
    struct part_reader *reader = xmalloc(sizeof *reader);
    uint64_t *bits = xcalloc(n, sizeof *bits);
    bool ok = true;

    for (uint32_t i = 0; ok && i < t->n_parts; i++)
        ok = place_bits(c, t, &c->parts.data[t->first_part + i], bits, n, reader, err);
    free(reader);
    if (!ok) {
        free(bits);
        return false;
    }
    if (type->kind == DTYPE_FLOAT) {
        v->kind = CHECKPOINT_DOUBLES;
        v->doubles = xcalloc(n, sizeof *v->doubles);
        for (uint64_t i = 0; i < n; i++)
            v->doubles[i] = dtype_double(type, bits[i]);
    } else {
        v->kind = CHECKPOINT_INTS;
        v->ints = xcalloc(n, sizeof *v->ints);
        for (uint64_t i = 0; i < n; i++)
            v->ints[i] = dtype_int64(type, bits[i]);
    }
    free(bits);
    v->n = n;
    return true;
}

/* ---- strings */

/* All parts' bytes hang in a list through their first element. */
struct owned_bytes {
    struct owned_bytes *next;
    void *bytes;
};

static bool place_strings(const struct checkpoint *c, const struct checkpoint_tensor *t,
                          const struct checkpoint_part *part, struct checkpoint_values *v,
                          struct err *err)
{
    struct attr_bytes *strings;
    struct owned_bytes *own = xmalloc(sizeof *own);
    struct rows rows;
    bool more = part->n_elements > 0;

    if (!part_strings(c, t, part, &strings, &own->bytes, err)) {
        free(own);
        return false;
    }
    own->next = v->own;
    v->own = own;
    rows_init(&rows, t, part);
    while (more && rows.to < v->n) {
        for (uint64_t i = 0; i < (uint64_t)rows.run && rows.to + i < v->n; i++)
            v->strings[rows.to + i] = strings[rows.from + i];
        more = rows_next(&rows);
    }
    free(strings);
    return true;
}

static bool read_strings(const struct checkpoint *c, const struct checkpoint_tensor *t, uint64_t n,
                         struct checkpoint_values *v, struct err *err)
{
    v->kind = CHECKPOINT_STRINGS;
    v->n = n;
    v->strings = xcalloc(n, sizeof *v->strings);
    for (uint32_t i = 0; i < t->n_parts; i++)
        if (!place_strings(c, t, &c->parts.data[t->first_part + i], v, err)) {
            checkpoint_values_done(v);
            return false;
        }
    return true;
}

/* ---- the whole */

bool checkpoint_is_numeric(const struct checkpoint *c, const struct checkpoint_tensor *t,
                           struct err *err)
{
    const struct dtype *type = dtype_find(t->dtype);
    struct strbuf cause = {0};

    if (type && (type->kind == DTYPE_FLOAT || type->kind == DTYPE_SIGNED ||
                 type->kind == DTYPE_UNSIGNED))
        return true;
    if (type)
        sb_addf(&cause, "values of type %s are not shown", type->name);
    else
        sb_addf(&cause, "values of type number %d are not shown", t->dtype);
    checkpoint_fail(c, t, sb_text(&cause), err);
    sb_done(&cause);
    return false;
}

bool checkpoint_values_read(const struct checkpoint *c, const struct checkpoint_tensor *t,
                            size_t max, struct checkpoint_values *v, struct err *err)
{
    uint64_t n;

    memset(v, 0, sizeof *v);
    if ((t->dtype != DT_STRING && !checkpoint_is_numeric(c, t, err)) || !checkpoint_parts_check(c, t, err))
        return false;
    n = (uint64_t)t->n_elements < max ? (uint64_t)t->n_elements : max;
    return t->dtype == DT_STRING ? read_strings(c, t, n, v, err) : read_numbers(c, t, n, v, err);
}

void checkpoint_values_done(struct checkpoint_values *v)
{
    struct owned_bytes *own = v->own;

    while (own) {
        struct owned_bytes *next = own->next;

        free(own->bytes);
        free(own);
        own = next;
    }
    free(v->doubles);
    free(v->ints);
    free(v->strings);
    memset(v, 0, sizeof *v);
}
