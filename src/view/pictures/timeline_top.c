/* timeline_top.c: sums of the spans of a track by name. */
#include "view/pictures/timeline_top.h"

#include <stdlib.h>

#include "base/compare.h"
#include "base/xalloc.h"

enum { SPANS_MAX = 1 << 20 };

static int64_t column_start(const struct timeline_top *top, int column)
{
    return timeline_column_ticks(top->from_ticks, top->len_ticks, top->n_columns, column);
}

/* Clips S to the range; false if it is outside. */
static bool clip(const struct timeline_top *top, const struct timeline_span *s, int64_t *start,
                 int64_t *end)
{
    const int64_t to_ticks = top->from_ticks + top->len_ticks;

    *start = s->start_ticks > top->from_ticks ? s->start_ticks : top->from_ticks;
    *end = s->end_ticks < to_ticks ? s->end_ticks : to_ticks;
    return *end > *start;
}

static void sum_names(struct timeline_top *top, struct timeline_stretch range)
{
    int64_t start, end;

    top->sums.n = 0;
    for (uint32_t i = range.first; i < range.end; i++) {
        const struct timeline_span *s = &top->timeline->spans.data[i];
        uint32_t *slot = &top->slot_of[s->name];

        if (!clip(top, s, &start, &end))
            continue;
        if (!*slot) {
            vec_push(&top->sums, ((struct timeline_top_row){.name = s->name, .group = s->group}));
            *slot = (uint32_t)top->sums.n;
        }
        top->sums.data[*slot - 1].busy_ticks += end - start;
        top->sums.data[*slot - 1].n_spans++;
    }
}

COMPARE_CHAIN(by_time, struct timeline_top_row, DOWN(busy_ticks) || UP(name))

/* Makes rows from the sums; slots become row indices + 1. */
static void make_rows(struct timeline_top *top)
{
    const size_t last = (size_t)top->max_rows - 1;

    vec_sort(&top->sums, by_time);
    for (size_t i = 0; i < top->sums.n; i++) {
        const struct timeline_top_row *sum = &top->sums.data[i];
        struct timeline_top_row *row = &top->rows[i < last ? i : last];

        top->slot_of[sum->name] = (uint32_t)(row - top->rows) + 1;
        if (i <= last) {
            *row = *sum;
            continue;
        }
        row->name = STRID_NONE;
        row->group = 0;
        row->busy_ticks += sum->busy_ticks;
        row->n_spans += sum->n_spans;
    }
    top->n_rows = (int)(top->sums.n <= last ? top->sums.n : last + 1);
}

/* Adds S to the columns of ROW; *COLUMN is at or before its first one. */
static void add_columns(const struct timeline_top *top, const struct timeline_top_row *row,
                        const struct timeline_span *s, int *column)
{
    int64_t start, end;

    if (!clip(top, s, &start, &end))
        return;
    while (*column + 1 < top->n_columns && column_start(top, *column + 1) <= start)
        ++*column;
    for (int col = *column; col < top->n_columns && start < end; col++) {
        const int64_t until = col + 1 < top->n_columns ? column_start(top, col + 1) : end;

        row->column_ticks[col] += (until < end ? until : end) - start;
        start = until;
    }
}

static void sum_columns(struct timeline_top *top, struct timeline_stretch range)
{
    int column = 0;

    free(top->columns);
    top->columns = xcalloc((size_t)top->n_rows * (size_t)top->n_columns + 1, sizeof *top->columns);
    for (int i = 0; i < top->n_rows; i++)
        top->rows[i].column_ticks = top->columns + (size_t)i * (size_t)top->n_columns;
    for (uint32_t i = range.first; i < range.end; i++) {
        const struct timeline_span *s = &top->timeline->spans.data[i];

        if (top->slot_of[s->name])
            add_columns(top, &top->rows[top->slot_of[s->name] - 1], s, &column);
    }
    for (size_t i = 0; i < top->sums.n; i++)
        top->slot_of[top->sums.data[i].name] = 0;
}

bool timeline_top_make(struct timeline_top *top, const struct timeline *l, size_t track,
                       int64_t from_ticks, int64_t len_ticks, int n_columns, int max_rows)
{
    struct timeline_stretch range;

    if (top->timeline == l && top->track == track && top->from_ticks == from_ticks &&
        top->len_ticks == len_ticks && top->n_columns == n_columns && top->max_rows == max_rows)
        return true;
    range = timeline_stretch_of(l, track, from_ticks, from_ticks + len_ticks);
    if (range.end - range.first > SPANS_MAX)
        return false;
    if (top->timeline != l) {
        timeline_top_done(top);
        top->slot_of = xcalloc(l->profile->strings.n, sizeof *top->slot_of);
    }
    top->timeline = l;
    top->track = track;
    top->from_ticks = from_ticks;
    top->len_ticks = len_ticks;
    top->n_columns = n_columns;
    top->max_rows = max_rows;
    sum_names(top, range);
    make_rows(top);
    sum_columns(top, range);
    return true;
}

void timeline_top_done(struct timeline_top *top)
{
    EACH(free, top->columns, top->slot_of);
    vec_done(&top->sums);
    *top = (struct timeline_top){.timeline = NULL};
}
