/* ranks.c: who made the other ranks of a job wait. */
#include "view/breakdown/ranks.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* Ends so far apart are of operations with different peers. */
enum { MATCH_NS = 1000000 };

/* A collective operation of one rank. */
struct part {
    struct collective key;
    uint32_t row; /* of its rank in ranks.rows */
    int64_t start_ns, end_ns, step;
    uint32_t nth; /* of its key on its rank */
};

struct matching {
    const struct profile *profile;
    struct ranks *ranks;
    VEC(struct part) parts;
    VEC(int64_t) *offsets; /* by rank: ends less those of the lowest rank */
    const int64_t *clocks; /* by rank: what its clock is ahead; NULL: nothing is known */
};

static struct collective key_of(const struct recording *r, const struct device_work *w)
{
    const struct collective by_name = {.name = w->name, .group_name = w->stream};

    return w->collective && r->collectives[w->collective - 1].name
               ? r->collectives[w->collective - 1]
               : by_name;
}

static int compare_keys(const struct collective *a, const struct collective *b)
{
    return memcmp(a, b, sizeof *a);
}

static int by_key_rank_and_start(const void *x, const void *y)
{
    const struct part *a = x, *b = y;
    const int keys = compare_keys(&a->key, &b->key);

    if (keys)
        return keys;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

static int by_nth(const void *x, const void *y)
{
    const struct part *a = x, *b = y;

    if (a->nth != b->nth)
        return a->nth < b->nth ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

static int by_rank(const void *x, const void *y)
{
    const struct rank_row *a = x, *b = y;

    return (a->rank > b->rank) - (a->rank < b->rank);
}

static int by_waited(const void *x, const void *y)
{
    const struct rank_key_row *a = x, *b = y;

    return (a->waited_ns < b->waited_ns) - (a->waited_ns > b->waited_ns);
}

/* Instants of all files count from 1970 when all files say where theirs begin. */
static bool have_bases(const struct profile *p)
{
    for (uint32_t i = 0; i < p->n_recordings; i++)
        if (!p->recordings[i].base_ns)
            return false;
    return true;
}

static uint32_t row_of_rank(struct ranks *ranks, int64_t rank)
{
    uint32_t row = 0;

    while (ranks->rows.data[row].rank != rank)
        row++;
    return row;
}

static void collect_rows(struct matching *m)
{
    struct ranks *ranks = m->ranks;
    size_t kept = 0;

    for (uint32_t i = 0; i < m->profile->n_recordings; i++) {
        const struct rank_row row = {.rank = m->profile->recordings[i].rank};

        vec_push(&ranks->rows, row);
    }
    vec_sort(&ranks->rows, by_rank);
    for (size_t i = 0; i < ranks->rows.n; i++)
        if (!kept || ranks->rows.data[kept - 1].rank != ranks->rows.data[i].rank)
            ranks->rows.data[kept++] = ranks->rows.data[i];
    ranks->rows.n = kept;
}

/* Adds what KEY did on the rank of ROW; START_NS counts from instant 0 of the profile. */
static void add_part(struct matching *m, struct collective key, uint32_t row, int64_t start_ns,
                     int64_t dur_ns, int64_t step)
{
    const int64_t at_ns = clamp_sub(start_ns, m->clocks ? m->clocks[row] : 0);
    const struct part part = {
        .key = key, .row = row, .start_ns = at_ns, .end_ns = clamp_add(at_ns, dur_ns), .step = step};

    vec_push(&m->parts, part);
}

static void collect_parts(struct matching *m)
{
    const bool based = have_bases(m->profile);

    for (uint32_t i = 0; i < m->profile->n_recordings; i++) {
        const struct recording *r = &m->profile->recordings[i];
        const uint32_t row = row_of_rank(m->ranks, r->rank);
        const int64_t base_ns = based ? r->base_ns : 0;

        for (uint32_t k = 0; k < r->n_works; k++)
            if (r->works[k].work_class == WORK_COMMUNICATION)
                add_part(m, key_of(r, &r->works[k]), row,
                         clamp_add(r->works[k].start_ns, base_ns), r->works[k].dur_ns,
                         r->works[k].step);
        for (uint32_t k = 0; k < r->n_host_collectives; k++) {
            const struct host_collective *c = &r->host_collectives[k];

            add_part(m, (struct collective){.name = c->name}, row, clamp_add(c->start_ns, base_ns),
                     c->dur_ns, c->step);
        }
    }
    vec_sort(&m->parts, by_key_rank_and_start);
}

/* Counts the parts of each rank; false unless two ranks or more have equally many. */
static bool number_parts(struct part *parts, size_t n)
{
    size_t first = 0, n_ranks = 0, n_each = 0;

    for (size_t i = 0; i <= n; i++) {
        if (i < n && parts[i].row == parts[first].row) {
            parts[i].nth = (uint32_t)(i - first);
            continue;
        }
        if (n_ranks++ == 0)
            n_each = i - first;
        else if (i - first != n_each)
            return false;
        first = i;
        if (i < n)
            parts[i].nth = 0;
    }
    return n_ranks > 1;
}

/* Adds N parts of one operation; LAST arrived last and made the others wait, NULL where they are not
 * matched. */
static void add_collective(struct matching *m, const struct part *parts, size_t n,
                           const struct part *last, int64_t made_wait_ns, int64_t end_ns)
{
    const struct collective_row row = {
        .key = parts->key,
        .step = parts->step == STEP_OUTSIDE ? INT64_MIN : parts->step,
        .n_ranks = (uint32_t)n,
        .is_matched = last != NULL,
        .last_rank = last ? m->ranks->rows.data[last->row].rank : INT64_MIN,
        .made_wait_ns = last ? made_wait_ns : INT64_MIN,
        .dur_ns = last ? clamp_sub(end_ns, last->start_ns) : INT64_MIN,
    };

    vec_push(&m->ranks->collectives, row);
}

/* N parts of one operation, by rank. */
static void match(struct matching *m, struct rank_key_row *key, const struct part *parts, size_t n)
{
    struct rank_row *rows = m->ranks->rows.data;
    const struct part *last = parts;
    int64_t first_end_ns = parts->end_ns, last_end_ns = parts->end_ns, made_wait_ns = 0;

    key->n_paired++;
    for (size_t i = 1; i < n; i++) {
        if (parts[i].start_ns >= last->start_ns)
            last = &parts[i];
        if (parts[i].end_ns < first_end_ns)
            first_end_ns = parts[i].end_ns;
        if (parts[i].end_ns > last_end_ns)
            last_end_ns = parts[i].end_ns;
    }
    if (clamp_sub(last_end_ns, first_end_ns) > MATCH_NS) {
        add_collective(m, parts, n, NULL, 0, 0);
        return;
    }
    key->n_matched++;
    rows[last->row].n_last++;
    for (size_t i = 0; i < n; i++) {
        const int64_t waited_ns = clamp_sub(last->start_ns, parts[i].start_ns);

        rows[parts[i].row].waited_ns = clamp_add(rows[parts[i].row].waited_ns, waited_ns);
        made_wait_ns = clamp_add(made_wait_ns, waited_ns);
        key->waited_ns = clamp_add(key->waited_ns, waited_ns);
        vec_push(&m->offsets[parts[i].row], clamp_sub(parts[i].end_ns, parts->end_ns));
    }
    rows[last->row].made_wait_ns = clamp_add(rows[last->row].made_wait_ns, made_wait_ns);
    add_collective(m, parts, n, last, made_wait_ns, last_end_ns);
}

static void match_key(struct matching *m, struct part *parts, size_t n)
{
    struct rank_key_row key = {.key = parts->key};

    if (!number_parts(parts, n))
        return;
    qsort(parts, n, sizeof *parts, by_nth);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from; to < n && parts[to].nth == parts[from].nth; to++)
            continue;
        match(m, &key, parts + from, to - from);
    }
    m->ranks->n_paired += key.n_paired;
    m->ranks->n_matched += key.n_matched;
    vec_push(&m->ranks->keys, key);
}

static int by_made_wait(const void *x, const void *y)
{
    const struct collective_row *a = x, *b = y;

    if (a->made_wait_ns != b->made_wait_ns)
        return a->made_wait_ns < b->made_wait_ns ? 1 : -1;
    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    return memcmp(&a->key, &b->key, sizeof a->key);
}

static int by_size(const void *x, const void *y)
{
    const int64_t *a = x, *b = y;

    return (*a > *b) - (*a < *b);
}

/* Fills m->ranks from times of which CLOCKS [rows], unless NULL, are taken. */
static void match_all(const struct profile *p, const int64_t *clocks, struct ranks *ranks)
{
    struct matching m = {.profile = p, .ranks = ranks, .clocks = clocks};

    *ranks = (struct ranks){.n_paired = 0};
    collect_rows(&m);
    m.offsets = xcalloc(ranks->rows.n + 1, sizeof *m.offsets);
    collect_parts(&m);
    for (size_t from = 0, to; from < m.parts.n; from = to) {
        for (to = from; to < m.parts.n &&
                        compare_keys(&m.parts.data[to].key, &m.parts.data[from].key) == 0;
             to++)
            continue;
        match_key(&m, m.parts.data + from, to - from);
    }
    vec_sort(&ranks->keys, by_waited);
    vec_sort(&ranks->collectives, by_made_wait);
    for (size_t i = 0; i < ranks->rows.n; i++) {
        vec_sort(&m.offsets[i], by_size);
        if (m.offsets[i].n)
            ranks->rows.data[i].clock_offset_ns = m.offsets[i].data[m.offsets[i].n / 2];
        vec_done(&m.offsets[i]);
    }
    free(m.offsets);
    vec_done(&m.parts);
}

void ranks_make(const struct profile *p, bool align_clocks, struct ranks *ranks)
{
    int64_t *clocks;

    match_all(p, NULL, ranks);
    if (!align_clocks)
        return;
    clocks = xcalloc(ranks->rows.n + 1, sizeof *clocks);
    for (size_t i = 0; i < ranks->rows.n; i++)
        clocks[i] = ranks->rows.data[i].clock_offset_ns;
    ranks_done(ranks);
    match_all(p, clocks, ranks);
    for (size_t i = 0; i < ranks->rows.n; i++)
        ranks->rows.data[i].clock_offset_ns = clocks[i];
    free(clocks);
}

void ranks_done(struct ranks *ranks)
{
    vec_done(&ranks->rows);
    vec_done(&ranks->keys);
    vec_done(&ranks->collectives);
}
