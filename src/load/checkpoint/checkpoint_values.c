/* checkpoint_values.c: reads the values of a tensor from its parts, and computes their
 * statistics. */
#include <math.h>
#include <string.h>

#include "load/checkpoint/checkpoint_parts.h"

/* Checksums of tensors up to this size are verified even if only few values are read. */
enum { ALWAYS_VERIFIED_BYTES = 1 << 24 };
enum { DT_STRING = 7 };

/* False with ERR unless the parts of T cover it; call it before any part is read. */
static bool checkpoint_parts_check(const struct checkpoint *c, const struct checkpoint_tensor *t,
                                   struct err *err)
{
    int64_t n = 0;

    if (t->n_elements < 0)
        return checkpoint_fail(c, t, "its shape is invalid", err);
    for (uint32_t i = 0; i < t->n_parts; i++)
        if (__builtin_add_overflow(n, c->parts.data[t->first_part + i].n_elements, &n))
            n = -1;
    if (!t->n_parts || n != t->n_elements)
        return checkpoint_fail(c, t, "its slices do not cover it", err);
    return true;
}

/* ---- copying: a part is a box in the tensor, in row-major order */

/* Iterates over the rows of a part: runs that are contiguous in the part and in the tensor. */
struct rows {
    const struct checkpoint_tensor *tensor;
    const struct slice_extent *extents;
    uint32_t n_outer;  /* dimensions to iterate over */
    int64_t run;       /* elements of a row */
    uint64_t from, to; /* offset of the current row in the part and in the tensor */
    int64_t at[256];   /* indexes in the outer dimensions */
};

/* The offset of the current row in the tensor. */
static uint64_t row_index(const struct rows *r)
{
    const struct attr_shape *shape = &r->tensor->shape;
    uint64_t index_of_row = 0;

    for (uint32_t i = 0; i < shape->n_dims; i++) {
        int64_t index = r->extents[i].start + (i < r->n_outer ? r->at[i] : 0);

        index_of_row = index_of_row * (uint64_t)shape->dims[i] + (uint64_t)index;
    }
    return index_of_row;
}

/* Moves to the first row of PART, which lies within T; false when it is empty. */
static bool rows_init(struct rows *r, const struct checkpoint_tensor *t,
                      const struct checkpoint_part *part)
{
    if (part->n_elements == 0)
        return false;
    r->tensor = t;
    r->extents = part->extents;
    r->run = 1;
    r->n_outer = t->shape.n_dims;
    /* A run covers the innermost complete dimensions and the next one. */
    while (r->n_outer) {
        const uint32_t i = --r->n_outer;

        r->run *= part->extents[i].length;
        if (part->extents[i].length != t->shape.dims[i])
            break;
    }
    memset(r->at, 0, r->n_outer * sizeof *r->at);
    r->from = 0;
    r->to = row_index(r);
    return true;
}

static bool rows_next(struct rows *r)
{
    uint32_t i = r->n_outer;

    r->from += (uint64_t)r->run;
    while (i-- > 0) {
        if (++r->at[i] < r->extents[i].length) {
            r->to = row_index(r);
            return true;
        }
        r->at[i] = 0;
    }
    return false;
}

/* ---- numbers */

/* Copies those elements of PART that are among the first N of the tensor. */
static bool copy_bits(const struct checkpoint *c, const struct checkpoint_tensor *t,
                      const struct checkpoint_part *part, uint64_t *bits, uint64_t n,
                      struct part_reader *reader, struct err *err)
{
    struct rows rows;
    bool more = rows_init(&rows, t, part);
    bool ok = part_reader_open(reader, c, t, part, err);

    if (!ok)
        return false;
    if (n == (uint64_t)t->n_elements || part->size_bytes <= ALWAYS_VERIFIED_BYTES)
        ok = part_reader_verify(reader, err);
    /* Rows ascend in the tensor. */
    while (ok && more && rows.to < n) {
        uint64_t run = (uint64_t)rows.run < n - rows.to ? (uint64_t)rows.run : n - rows.to;

        ok = part_reader_bits(reader, rows.from, (size_t)run, bits + rows.to, err);
        more = rows_next(&rows);
    }
    part_reader_close(reader);
    return ok;
}

/* Allocates N elements in V; NULL with ERR. */
static void *values_room(const struct checkpoint *c, const struct checkpoint_tensor *t, uint64_t n,
                         size_t size_bytes, struct checkpoint_values *v, struct err *err)
{
    void *room = n > SIZE_MAX ? NULL : arena_try_alloc(&v->arena, (size_t)n, size_bytes);

    if (!room)
        checkpoint_fail(c, t, "its values do not fit into memory", err);
    return room;
}

/* Converts N BITS to numbers of TYPE's kind. */
static void set_numbers(struct checkpoint_values *v, const struct dtype *type, uint64_t *bits,
                        size_t n)
{
    v->n = n;
    if (type->kind != DTYPE_FLOAT) {
        v->kind = CHECKPOINT_INTS;
        v->ints = (int64_t *)bits;
        for (size_t i = 0; i < n; i++)
            v->ints[i] = dtype_int64(type, bits[i]);
        return;
    }
    v->kind = CHECKPOINT_DOUBLES;
    v->doubles = (double *)(void *)bits;
    for (size_t i = 0; i < n; i++) {
        const double value = dtype_double(type, bits[i]);

        memcpy(&v->doubles[i], &value, sizeof value);
    }
}

static bool read_numbers(const struct checkpoint *c, const struct checkpoint_tensor *t, uint64_t n,
                         struct checkpoint_values *v, struct err *err)
{
    uint64_t *bits = values_room(c, t, n, sizeof *bits, v, err);
    struct part_reader *reader = part_reader_new();
    bool ok = bits != NULL;

    for (uint32_t i = 0; ok && i < t->n_parts; i++)
        ok = copy_bits(c, t, &c->parts.data[t->first_part + i], bits, n, reader, err);
    part_reader_free(reader);
    if (ok)
        set_numbers(v, dtype_find(t->dtype), bits, (size_t)n);
    return ok;
}

/* ---- strings */

static bool copy_strings(const struct checkpoint *c, const struct checkpoint_tensor *t,
                         const struct checkpoint_part *part, struct sstable_cursor *cursor,
                         struct checkpoint_values *v, struct err *err)
{
    const struct attr_bytes *strings;
    struct rows rows;
    bool more = rows_init(&rows, t, part);

    if (!part_strings(c, t, part, cursor, &v->arena, &strings, err))
        return false;
    while (more && rows.to < v->n) {
        for (uint64_t i = 0; i < (uint64_t)rows.run && rows.to + i < v->n; i++)
            v->strings[rows.to + i] = strings[rows.from + i];
        more = rows_next(&rows);
    }
    return true;
}

static bool read_strings(const struct checkpoint *c, const struct checkpoint_tensor *t, uint64_t n,
                         struct checkpoint_values *v, struct err *err)
{
    struct sstable_cursor cursor = {0};
    bool ok;

    v->kind = CHECKPOINT_STRINGS;
    v->strings = values_room(c, t, n, sizeof *v->strings, v, err);
    ok = v->strings != NULL;
    v->n = ok ? (size_t)n : 0;
    for (uint32_t i = 0; ok && i < t->n_parts; i++)
        ok = copy_strings(c, t, &c->parts.data[t->first_part + i], &cursor, v, err);
    sstable_cursor_done(&cursor);
    return ok;
}

/* ---- reading */

/* False with ERR when the values of T are not plain numbers. */
static bool checkpoint_is_numeric(const struct checkpoint *c, const struct checkpoint_tensor *t,
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

/* True when the files are large enough for the claimed shape. */
static bool parts_exist(const struct checkpoint *c, const struct checkpoint_tensor *t,
                            struct err *err)
{
    struct sstable_cursor cursor = {0};
    bool ok = true;

    for (uint32_t i = 0; ok && i < t->n_parts; i++)
        ok = part_exists(c, t, &c->parts.data[t->first_part + i], &cursor, err);
    sstable_cursor_done(&cursor);
    return ok;
}

bool checkpoint_values_read(const struct checkpoint *c, const struct checkpoint_tensor *t,
                            size_t max, struct checkpoint_values *v, struct err *err)
{
    enum { BELIEVED = 1 << 16 };
    uint64_t n;
    bool ok;

    memset(v, 0, sizeof *v);
    if ((t->dtype != DT_STRING && !checkpoint_is_numeric(c, t, err)) ||
        !checkpoint_parts_check(c, t, err))
        return false;
    n = (uint64_t)t->n_elements < max ? (uint64_t)t->n_elements : max;
    if (n > BELIEVED && !parts_exist(c, t, err))
        return false;
    ok = t->dtype == DT_STRING ? read_strings(c, t, n, v, err) : read_numbers(c, t, n, v, err);
    if (!ok)
        checkpoint_values_done(v);
    return ok;
}

void checkpoint_values_done(struct checkpoint_values *v)
{
    arena_done(&v->arena);
    memset(v, 0, sizeof *v);
}

enum { CHUNK = 4096 };

struct pass {
    struct checkpoint_stats *stats;
    double squares; /* sum of squared distances from the running mean */
    uint64_t n_finite;
    void (*take)(struct pass *pass, double value);
};

/* Welford's algorithm, numerically stable for any number of values (Knuth, The Art of Computer
 * Programming, volume 2, 4.2.2). */
static void add_to_moments(struct pass *pass, double value)
{
    struct checkpoint_stats *s = pass->stats;
    double distance = value - s->mean;

    s->n++;
    s->n_zeros += value == 0;
    if (isnan(value)) {
        s->n_nans++;
        return;
    }
    if (isinf(value)) {
        s->n_infinite++;
        return;
    }
    if (!pass->n_finite++ || value < s->min)
        s->min = value;
    if (pass->n_finite == 1 || value > s->max)
        s->max = value;
    s->mean += distance / (double)pass->n_finite;
    pass->squares += distance * (value - s->mean);
}

static void add_to_histogram(struct pass *pass, double value)
{
    struct checkpoint_stats *s = pass->stats;
    /* Halved to avoid overflow of the width. */
    const double width = s->max / 2 - s->min / 2;
    double bin;

    if (!isfinite(value))
        return;
    value = fmin(fmax(value, s->min), s->max); /* the file may have changed since */
    bin = width > 0 ? (value / 2 - s->min / 2) / width * CHECKPOINT_BINS : 0;
    s->bins[bin < CHECKPOINT_BINS ? (unsigned)bin : CHECKPOINT_BINS - 1]++;
}

static bool scan_part(struct part_reader *reader, struct pass *pass, struct cancel_mark cancel,
                      struct err *err)
{
    uint64_t bits[CHUNK];

    for (uint64_t at = 0; at < (uint64_t)reader->part->n_elements; at += CHUNK) {
        uint64_t left = (uint64_t)reader->part->n_elements - at;
        size_t n = left < CHUNK ? (size_t)left : CHUNK;

        if (cancel_asked(cancel))
            return err_set(err, ERR_CANCELLED, "cancelled");
        if (!part_reader_bits(reader, at, n, bits, err))
            return false;
        for (size_t i = 0; i < n; i++)
            pass->take(pass, dtype_double(reader->type, bits[i]));
    }
    return true;
}

static bool scan(const struct checkpoint *c, const struct checkpoint_tensor *t, struct pass *pass,
                 bool verify, struct cancel_mark cancel, struct err *err)
{
    struct part_reader *reader = part_reader_new();
    bool ok = true;

    for (uint32_t i = 0; ok && i < t->n_parts; i++) {
        ok = part_reader_open(reader, c, t, &c->parts.data[t->first_part + i], err);
        if (!ok)
            break;
        ok = (!verify || part_reader_verify(reader, err)) && scan_part(reader, pass, cancel, err);
        part_reader_close(reader);
    }
    part_reader_free(reader);
    return ok;
}

bool checkpoint_stats_compute(const struct checkpoint *c, const struct checkpoint_tensor *t,
                              struct cancel_mark cancel, struct checkpoint_stats *s,
                              struct err *err)
{
    struct pass pass = {.stats = s, .take = add_to_moments};

    memset(s, 0, sizeof *s);
    if (!checkpoint_is_numeric(c, t, err) || !checkpoint_parts_check(c, t, err) ||
        !scan(c, t, &pass, true, cancel, err))
        return false;
    s->deviation = pass.n_finite ? sqrt(pass.squares / (double)pass.n_finite) : 0;
    pass.take = add_to_histogram;
    return scan(c, t, &pass, false, cancel, err);
}
