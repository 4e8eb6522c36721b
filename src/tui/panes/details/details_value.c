/* details_value.c: the checkpoint's values of a row. */
#include "tui/panes/details/details_parts.h"

#include <inttypes.h>

#include "base/utf8.h"
#include "load/checkpoint/checkpoint.h"
#include "load/graph/dtype.h"
#include "model/format.h"

/* Maximum number of values to read while the cursor moves over a row. */
enum { MAX_FOR_FIGURES = 1 << 23, FIRST_VALUES = 8 };

static void add_shape(struct lines *l, const struct checkpoint_tensor *t)
{
    const char *type = dtype_name(t->dtype);
    struct strbuf sb = {0};

    sb_addf(&sb, "%s ", type ? type : "unknown type");
    format_shape(&sb, (struct shape){t->shape.dims, t->shape.n_dims});
    sb_adds(&sb, !t->shape.n_dims ? "scalar" : "");
    lines_field(l, "value", ROLE_TEXT, "%s", sb_text(&sb));
    sb_done(&sb);
}

/* Adds one bar for each bin, scaled to the fullest. */
static void add_histogram(struct lines *l, const struct checkpoint_stats *s)
{
    uint64_t max = 0;
    struct strbuf bars = {0};

    for (int i = 0; i < CHECKPOINT_BINS; i++)
        KEEP_MAX(max, s->bins[i]);
    if (!max)
        return;
    for (int i = 0; i < CHECKPOINT_BINS; i++) {
        const double share = (double)s->bins[i] / (double)max;

        if (s->bins[i])
            utf8_encode(&bars, 0x2581 + (uint32_t)(share * 7));
        else
            sb_addc(&bars, ' ');
    }
    lines_field(l, "", ROLE_BAR, "%s", sb_text(&bars));
    sb_done(&bars);
}

static void add_figures(struct lines *l, const struct checkpoint *c,
                        const struct checkpoint_tensor *t, struct err *err)
{
    static const struct cancel_mark never;
    struct checkpoint_stats s;

    if (t->n_elements > MAX_FOR_FIGURES) {
        lines_field(l, "", ROLE_DIM, "too many values to read and verify them all here");
        return;
    }
    if (!checkpoint_stats_compute(c, t, never, &s, err))
        return;
    lines_field(l, "", ROLE_TEXT, "min %.4g  max %.4g", s.min, s.max);
    lines_field(l, "", ROLE_TEXT, "mean %.4g  std %.4g", s.mean, s.deviation);
    lines_field(l, "", ROLE_TEXT, "zeros %" PRIu64 "  NaN %" PRIu64 "  inf %" PRIu64, s.n_zeros,
                s.n_nans, s.n_infinite);
    add_histogram(l, &s);
}

static void add_first(struct lines *l, const struct checkpoint *c,
                      const struct checkpoint_tensor *t, struct err *err)
{
    struct checkpoint_values v;
    struct strbuf sb = {0};

    if (!checkpoint_values_read(c, t, FIRST_VALUES, &v, err))
        return;
    for (size_t i = 0; i < v.n; i++) {
        sb_adds(&sb, i ? " " : "");
        if (v.kind == CHECKPOINT_DOUBLES)
            sb_addf(&sb, "%.4g", v.doubles[i]);
        else if (v.kind == CHECKPOINT_INTS)
            sb_addf(&sb, "%" PRId64, v.ints[i]);
        else
            utf8_escape(&sb, v.strings[i].bytes, v.strings[i].len);
    }
    sb_adds(&sb, t->n_elements > (int64_t)v.n ? " ..." : "");
    lines_field(l, "", ROLE_DIM, "%s", "");
    lines_fit(l, ROLE_DIM, sb_text(&sb), sb.len, l->cols);
    sb_done(&sb);
    checkpoint_values_done(&v);
}

void details_value(struct lines *l, const struct profile *p, const char *name, size_t len)
{
    const struct checkpoint_tensor *t =
        p->checkpoint ? checkpoint_find(p->checkpoint, name, len) : NULL;
    const struct dtype *type = t ? dtype_find(t->dtype) : NULL;
    struct err err = {0};

    if (!t)
        return;
    add_shape(l, t);
    if (type && (type->kind == DTYPE_FLOAT || type->kind == DTYPE_SIGNED ||
                 type->kind == DTYPE_UNSIGNED))
        add_figures(l, p->checkpoint, t, &err);
    if (err.kind == ERR_NONE)
        add_first(l, p->checkpoint, t, &err);
    if (err.kind != ERR_NONE)
        lines_paragraph(l, ROLE_ERROR, l->cols - 1, err_text(&err));
    err_done(&err);
}
