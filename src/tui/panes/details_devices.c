/* details_devices.c: what a row of a capture took on each host and device. */
#include "tui/panes/details_devices.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/satmath.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "model/capture.h"
#include "model/format.h"

/* So many times of nodes on devices are added up while the cursor moves over a row. */
enum { MAX_SUMMANDS = 1 << 18, LIST_MAX = 12 };

struct device_time {
    strid device;
    int64_t self_ps;
};

static int by_time(const void *x, const void *y)
{
    const struct device_time *a = x, *b = y;

    if (a->self_ps != b->self_ps)
        return a->self_ps < b->self_ps ? -1 : 1;
    return (a->device > b->device) - (a->device < b->device);
}

/* "h GPU:0" of "/host:h/device:GPU:0". */
static void put_device(struct lines *l, const struct profile *p, strid device)
{
    static const char host[] = "/host:", part[] = "/device:";
    const char *name = intern_text(&p->strings, device), *end = name;
    const size_t len = intern_len(&p->strings, device);
    struct strbuf sb = {0};

    for (const char *at = strstr(name, part); at; at = strstr(at + 1, part))
        end = at;
    if (end > name && strncmp(name, host, strlen(host)) == 0) {
        utf8_escape(&sb, name + strlen(host), (size_t)(end - name) - strlen(host));
        sb_addc(&sb, ' ');
        utf8_escape(&sb, end + strlen(part), len - (size_t)(end - name) - strlen(part));
    } else {
        utf8_escape(&sb, name, len);
    }
    lines_fit(l, ROLE_TEXT, sb_text(&sb), sb.len, l->cols);
    sb_done(&sb);
}

static void put_time(struct lines *l, const char *before, int64_t ps)
{
    struct strbuf time = {0};

    format_time(&time, ps);
    lines_putf(l, ROLE_NUMBER, "%s%s", before, sb_text(&time));
    sb_done(&time);
}

static void add_executions(struct lines *l, const struct profile *p, node_id node)
{
    const struct capture *c = p->capture;
    const uint32_t begin = c->device_begin[node], end = c->device_begin[node + 1];

    for (uint32_t i = begin; i < end && i - begin < LIST_MAX; i++) {
        const struct capture_executions *e = &c->executions[i];

        if (i == begin) {
            lines_next(l);
            lines_puts(l, ROLE_HEADER, "on each device, all steps");
        }
        lines_next(l);
        put_device(l, p, c->node_devices[i]);
        lines_next(l);
        lines_putf(l, ROLE_NUMBER, "  %" PRIu64 "x", e->n);
        put_time(l, " ", e->self_ps);
        put_time(l, ": ", e->min_ps);
        put_time(l, ", ", e->median_ps);
        put_time(l, ", ", e->max_ps);
    }
    if (end - begin > LIST_MAX)
        lines_field(l, "", ROLE_DIM, "and %u more", end - begin - LIST_MAX);
}

/* Times on each device, by place of it in the capture; false when there are too many to add up. */
static bool add_up(const struct result *r, row_id row, struct device_time *times)
{
    const struct capture *c = r->profile->capture;
    const struct tree *t = r->tree;
    size_t n = 0;

    for (uint32_t m = t->member_begin[row]; m < t->member_begin[t->end[row]]; m++) {
        const node_id node = t->members[m];

        if (++n > MAX_SUMMANDS)
            return false;
        if (node >= c->n_costs || !r->node_accounted[node])
            continue;
        for (uint32_t i = c->device_begin[node]; i < c->device_begin[node + 1]; i++) {
            struct device_time *to = &times[c->executions[i].device];

            if (++n > MAX_SUMMANDS)
                return false;
            to->device = c->node_devices[i];
            to->self_ps = clamp_add(to->self_ps, c->executions[i].self_ps);
        }
    }
    return true;
}

static void add_place(struct lines *l, const struct profile *p, const char *label,
                      const struct device_time *at)
{
    struct strbuf time = {0};

    format_time(&time, at->self_ps);
    lines_field(l, label, ROLE_NUMBER, "%s ", sb_text(&time));
    put_device(l, p, at->device);
    sb_done(&time);
}

static void add_spread(struct lines *l, const struct result *r, row_id row)
{
    const struct capture *c = r->profile->capture;
    struct device_time *times = xcalloc(c->n_devices + 1, sizeof *times);
    size_t n = 0;

    if (!add_up(r, row, times)) {
        lines_field(l, "devices", ROLE_DIM, "too many to add up: -devices split");
        free(times);
        return;
    }
    for (size_t i = 0; i < c->n_devices; i++)
        if (times[i].device != STRID_EMPTY)
            times[n++] = times[i];
    if (n > 1) {
        qsort(times, n, sizeof *times, by_time);
        lines_next(l);
        lines_putf(l, ROLE_HEADER, "%zu devices, all steps", n);
        add_place(l, r->profile, "least", &times[0]);
        add_place(l, r->profile, "median", &times[(n - 1) / 2]);
        add_place(l, r->profile, "most", &times[n - 1]);
    }
    free(times);
}

/* The user's marks of steps, of the run as a whole. */
static void add_marks(struct lines *l, const struct profile *p)
{
    const struct capture *c = p->capture;

    for (size_t i = 0; i < c->n_marks && i < LIST_MAX; i++) {
        struct strbuf time = {0};

        format_time(&time, c->marks[i].dur_ps);
        lines_field(l, i ? "" : "marks", ROLE_NUMBER, "step %" PRId64 ": %s", c->marks[i].step,
                    sb_text(&time));
        sb_done(&time);
    }
    if (c->n_marks > LIST_MAX)
        lines_field(l, "", ROLE_DIM, "and %zu more", c->n_marks - LIST_MAX);
}

void details_devices(struct lines *l, const struct result *r, row_id row, bool single)
{
    const struct capture *c = r->profile->capture;
    const node_id node = single ? tree_node(r->tree, row) : NODE_NONE;

    if (!c || c->plans)
        return;
    if (node != NODE_NONE && node < c->n_costs)
        add_executions(l, r->profile, node);
    add_spread(l, r, row);
    if (row == 0)
        add_marks(l, r->profile);
}
