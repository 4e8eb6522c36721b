/* stragglers.c: finds ranks and hosts that delay the others. */
#include "activity/stragglers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "activity/stragglers_parts.h"
#include "base/compare.h"
#include "base/nth_value.h"
#include "base/xalloc.h"
#include "model/format.h"

/* Ends that differ by more belong to operations with different peers. */
#define MATCH_PS (INT64_C(1000) * PS_PER_US)

/* ---- who came last */

COMPARE_CHAIN(by_key_participant_and_start, struct part, UP(key) || UP(participant) || UP(start_ps))

COMPARE_BY_TWO(by_nth, struct part, nth, participant)

/* Numbers the parts of each participant; false unless all participants have equally many. */
static bool number_parts(const struct arrivals *m, struct part *parts, size_t n)
{
    size_t first = 0, n_with = 0, n_each = 0;

    for (size_t i = 0; i <= n; i++) {
        if (i < n && parts[i].participant == parts[first].participant) {
            parts[i].nth = (uint32_t)(i - first);
            continue;
        }
        if (n_with++ == 0)
            n_each = i - first;
        else if (i - first != n_each)
            return false;
        first = i;
        if (i < n)
            parts[i].nth = 0;
    }
    return n_with > 1 && (!m->n_participants || n_with == m->n_participants);
}

static int compare_hosts(const struct arrivals *m, const struct part *a, const struct part *b)
{
    const strid x = m->s->rows.data[a->row].host, y = m->s->rows.data[b->row].host;

    return x == y ? 0 : intern_compare(&m->sel->p->strings, x, y);
}

/* True when A arrived later than B. */
static bool is_later(const struct arrivals *m, const struct part *a, const struct part *b)
{
    const int64_t a_ps = a->end_ps - a->start_ps, b_ps = b->end_ps - b->start_ps;

    if (m->s->by_rank)
        return a->start_ps >= b->start_ps; /* sorted by rank: the highest wins ties */
    return a_ps < b_ps || (a_ps == b_ps && compare_hosts(m, a, b) < 0);
}

static int64_t waited(const struct arrivals *m, const struct part *part, const struct part *last)
{
    return m->s->by_rank ? clamp_sub(last->start_ps, part->start_ps)
                         : part->end_ps - part->start_ps - (last->end_ps - last->start_ps);
}

/* The part of N that arrived last; NULL if their ends are too far apart. */
static const struct part *find_last(const struct arrivals *m, const struct part *parts, size_t n,
                                    int64_t *last_end_ps)
{
    const struct part *last = parts;
    int64_t first_end_ps = parts->end_ps;

    *last_end_ps = parts->end_ps;
    for (size_t i = 1; i < n; i++) {
        if (is_later(m, &parts[i], last))
            last = &parts[i];
        first_end_ps = parts[i].end_ps < first_end_ps ? parts[i].end_ps : first_end_ps;
        *last_end_ps = parts[i].end_ps > *last_end_ps ? parts[i].end_ps : *last_end_ps;
    }
    return m->s->by_rank && clamp_sub(*last_end_ps, first_end_ps) > MATCH_PS ? NULL : last;
}

/* Adds the wait times of N parts for LAST to their rows; returns the sum. */
static int64_t add_waits(struct arrivals *m, const struct part *parts, size_t n,
                         const struct part *last)
{
    struct straggler_row *rows = m->s->rows.data;
    struct straggler_row *straggler = &rows[last->row];
    int64_t made_wait_ps = 0;

    straggler->n_last++;
    for (size_t i = 0; i < n; i++) {
        const uint32_t row = parts[i].row;
        const int64_t ps = waited(m, &parts[i], last);

        rows[row].waited_ps = clamp_add(rows[row].waited_ps, ps);
        made_wait_ps = clamp_add(made_wait_ps, ps);
        if (m->s->by_rank && parts[i].ref.track != TRACK_NONE)
            vec_push(&m->s->parts, ((struct collective_part){parts[i].ref, parts[i].device, row,
                                                             last->row, parts[i].start_ps,
                                                             last->start_ps}));
        vec_push(&m->offsets[row], clamp_sub(parts[i].end_ps, parts->end_ps));
    }
    straggler->made_wait_ps = clamp_add(straggler->made_wait_ps, made_wait_ps);
    return made_wait_ps;
}

/* The largest input of N parts. */
static int64_t bytes_of(const struct part *parts, size_t n)
{
    int64_t bytes = 0;

    for (size_t i = 0; i < n; i++)
        bytes = parts[i].input_bytes > bytes ? parts[i].input_bytes : bytes;
    return bytes ? bytes : INT64_MIN;
}

/* Matches the N parts of one operation, sorted by participant. */
static void match(struct arrivals *m, struct collective_kind_row *kind, const struct part *parts,
                  size_t n)
{
    const int64_t step = m->store->steps.data[parts->step].number;
    struct collective_row row = {.key = kind->key, .step = step == STEP_OUTSIDE ? INT64_MIN : step,
                                 .bytes = bytes_of(parts, n),
                                 .n_participants = (uint32_t)n, .last = INT64_MIN,
                                 .made_wait_ps = INT64_MIN, .dur_ps = INT64_MIN};
    int64_t last_end_ps;
    const struct part *last = find_last(m, parts, n, &last_end_ps);

    if (!kind->n_paired++)
        kind->bytes = row.bytes;
    else if (row.bytes != kind->bytes)
        kind->bytes = INT64_MIN;
    if (last) {
        kind->n_matched++;
        row.is_matched = true;
        row.last = last->row;
        row.made_wait_ps = add_waits(m, parts, n, last);
        row.dur_ps = m->s->by_rank ? clamp_sub(last_end_ps, last->start_ps)
                                   : last->end_ps - last->start_ps;
        kind->waited_ps = clamp_add(kind->waited_ps, row.made_wait_ps);
        if (row.made_wait_ps > kind->made_wait_ps) {
            kind->made_wait_ps = row.made_wait_ps;
            kind->step = row.step;
            kind->last = row.last;
        }
    }
    vec_push(&m->s->collectives, row);
}

static void match_key(struct arrivals *m, struct part *parts, size_t n)
{
    struct collective_kind_row kind = {.key = stragglers_key(m, parts->key).collective,
                                       .step = INT64_MIN, .last = INT64_MIN,
                                       .made_wait_ps = INT64_MIN};

    if (!number_parts(m, parts, n)) {
        m->s->n_unpaired += n;
        return;
    }
    qsort(parts, n, sizeof *parts, by_nth);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from; to < n && parts[to].nth == parts[from].nth; to++)
            continue;
        match(m, &kind, parts + from, to - from);
    }
    m->s->n_paired += kind.n_paired;
    m->s->n_matched += kind.n_matched;
    vec_push(&m->s->kinds, kind);
}

static void match_parts(struct arrivals *m)
{
    vec_sort(&m->parts, by_key_participant_and_start);
    for (size_t from = 0, to; from < m->parts.n; from = to) {
        for (to = from; to < m->parts.n && m->parts.data[to].key == m->parts.data[from].key; to++)
            continue;
        match_key(m, m->parts.data + from, to - from);
    }
}

/* ---- clocks of ranks */

COMPARE_VALUES(by_size, int64_t)

static void find_offsets(struct arrivals *m)
{
    for (size_t i = 0; i < m->s->rows.n; i++) {
        vec_sort(&m->offsets[i], by_size);
        if (m->offsets[i].n)
            m->s->rows.data[i].clock_offset_ps = m->offsets[i].data[m->offsets[i].n / 2];
        m->offsets[i].n = 0;
    }
}

/* Matches again after subtracting the clock offsets from all times. */
static void match_aligned(struct arrivals *m)
{
    struct stragglers *s = m->s;
    int64_t *clocks = xcalloc(s->rows.n + 1, sizeof *clocks);

    for (size_t i = 0; i < s->rows.n; i++) {
        struct straggler_row *row = &s->rows.data[i];

        clocks[i] = row->clock_offset_ps;
        row->n_last = 0;
        row->made_wait_ps = row->waited_ps = 0;
    }
    vec_each(struct part, part, &m->parts) {
        part->start_ps = clamp_sub(part->start_ps, clocks[part->row]);
        part->end_ps = clamp_sub(part->end_ps, clocks[part->row]);
    }
    s->n_paired = s->n_matched = s->n_unpaired = 0;
    s->kinds.n = s->collectives.n = s->parts.n = 0;
    match_parts(m);
    free(clocks);
}

/* ---- rows */

struct order {
    const struct stragglers *s;
    const struct straggler_row *rows; /* rows before sorting */
};

/* Orders ranks by number, hosts by name. */
static int compare_rows(const struct straggler_row *a, const struct straggler_row *b,
                        const struct profile *p)
{
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->host == b->host ? 0 : intern_compare(&p->strings, a->host, b->host);
}

static int by_made_wait(const void *x, const void *y, void *order)
{
    const struct order *o = order;
    const struct straggler_row *a = &o->rows[*(const uint32_t *)x];
    const struct straggler_row *b = &o->rows[*(const uint32_t *)y];

    if (a->made_wait_ps != b->made_wait_ps)
        return a->made_wait_ps > b->made_wait_ps ? -1 : 1;
    if (a->waited_ps != b->waited_ps)
        return a->waited_ps < b->waited_ps ? -1 : 1;
    return compare_rows(a, b, o->s->p);
}

/* Sorts the rows and updates references to them. */
static void sort_rows(struct stragglers *s)
{
    const size_t n = s->rows.n;
    struct straggler_row *rows = xcalloc(n + 1, sizeof *rows);
    uint32_t *order = xcalloc(n + 1, sizeof *order), *new_index = xcalloc(n + 1, sizeof *new_index);
    struct order by = {s, rows};

    for (uint32_t i = 0; i < n; i++) {
        rows[i] = s->rows.data[i];
        order[i] = i;
    }
    qsort_r(order, n, sizeof *order, by_made_wait, &by);
    s->culprit = -1;
    for (uint32_t i = 0; i < n; i++) {
        const struct straggler_row *row = &rows[order[i]];
        const struct straggler_row *most = &s->rows.data[s->culprit < 0 ? 0 : s->culprit];

        new_index[order[i]] = i;
        s->rows.data[i] = *row;
        s->made_wait_ps = clamp_add(s->made_wait_ps, row->made_wait_ps);
        if (row->made_wait_ps > 0 &&
            (s->culprit < 0 || (row->made_wait_ps == most->made_wait_ps &&
                                compare_rows(row, most, s->p) < 0)))
            s->culprit = i;
    }
    for (size_t i = 0; i < s->collectives.n; i++)
        if (s->collectives.data[i].is_matched)
            s->collectives.data[i].last = new_index[s->collectives.data[i].last];
    for (size_t i = 0; i < s->parts.n; i++) {
        s->parts.data[i].row = new_index[s->parts.data[i].row];
        s->parts.data[i].last = new_index[s->parts.data[i].last];
    }
    for (size_t i = 0; i < s->kinds.n; i++)
        if (s->kinds.data[i].last >= 0)
            s->kinds.data[i].last = new_index[s->kinds.data[i].last];
    EACH(free, rows, order, new_index);
}

COMPARE_CHAIN(by_waited, struct collective_kind_row, DOWN(waited_ps))

COMPARE_CHAIN(by_wait_and_step, struct collective_row,
              DOWN(made_wait_ps) || UP(step) || THEN(memcmp(&a->key, &b->key, sizeof a->key)))

COMPARE_BY_TWO(by_event, struct collective_part, ref.track, ref.position)

COMPARE_BY(by_rank, struct straggler_row, rank)

static void add_ranks(struct arrivals *m)
{
    const struct event_store *s = m->store;

    m->row_of = xcalloc(s->ranks.n + 1, sizeof *m->row_of);
    for (uint32_t rank = 0; rank < s->ranks.n; rank++)
        vec_push(&m->s->rows, ((struct straggler_row){.rank = s->ranks.data[rank].number}));
    vec_sort(&m->s->rows, by_rank);
    for (uint32_t rank = 0; rank < s->ranks.n; rank++)
        while (m->s->rows.data[m->row_of[rank]].rank != s->ranks.data[rank].number)
            m->row_of[rank]++;
}

/* Adds a row for each host with device work. */
static void add_hosts(struct arrivals *m)
{
    const struct event_store *s = m->store;
    uint32_t *row_of_host = xcalloc(s->hosts.n + 1, sizeof *row_of_host); /* index of the row + 1 */

    m->row_of = xcalloc(s->devices.n + 1, sizeof *m->row_of);
    for (uint32_t d = 0; d < s->devices.n; d++) {
        const uint32_t host = s->devices.data[d].host;

        if (!m->sel->devices[d])
            continue;
        if (!row_of_host[host]) {
            vec_push(&m->s->rows, ((struct straggler_row){.rank = INT64_MIN,
                                                          .host = s->hosts.data[host].name}));
            row_of_host[host] = (uint32_t)m->s->rows.n;
        }
        m->row_of[d] = row_of_host[host] - 1;
    }
    free(row_of_host);
}

static void match_store(struct arrivals *m, bool align_clocks)
{
    m->store = m->sel->s;
    m->s->by_rank = m->store->ranks.n > 1;
    if (m->s->by_rank)
        add_ranks(m);
    else
        add_hosts(m);
    m->offsets = xcalloc(m->s->rows.n + 1, sizeof *m->offsets);
    stragglers_read(m);
    match_parts(m);
    if (m->s->by_rank)
        find_offsets(m);
    if (m->s->by_rank && align_clocks)
        match_aligned(m);
    for (size_t i = 0; i < m->s->rows.n; i++)
        vec_done(&m->offsets[i]);
    EACH(free, m->offsets, m->row_of);
}

void stragglers_make(struct stragglers *s, struct selection *sel, bool align_clocks)
{
    struct arrivals m = {.s = s, .sel = sel};

    memset(s, 0, sizeof *s);
    s->p = sel->p;
    s->culprit = -1;
    intern_init(&m.keys);
    if (sel->p->events && selection_next(sel))
        match_store(&m, align_clocks);
    sort_rows(s);
    vec_sort(&s->kinds, by_waited);
    vec_sort(&s->collectives, by_wait_and_step);
    vec_sort(&s->parts, by_event);
    intern_done(&m.keys);
    vec_done(&m.parts);
}

void stragglers_done(struct stragglers *s)
{
    EACH(vec_done, &s->rows, &s->kinds, &s->collectives, &s->parts);
}

/* ---- words */

struct text straggler_name(const struct stragglers *s, const struct straggler_row *row,
                           char buffer[HOST_OF_RANK_BYTES])
{
    return s->by_rank ? host_of_rank(buffer, row->rank) : intern_string(&s->p->strings, row->host);
}

int64_t stragglers_median_work(const struct stragglers *s)
{
    VEC(int64_t) work = {0};
    int64_t median_ps;

    for (size_t i = 0; i < s->rows.n; i++)
        vec_push(&work, s->rows.data[i].work_ps);
    median_ps = work.n ? nth_value(work.data, work.n, (work.n - 1) / 2) : 0;
    vec_done(&work);
    return median_ps;
}

void stragglers_add_delay(struct strbuf *sb, const struct stragglers *s)
{
    const struct straggler_row *culprit = &s->rows.data[s->culprit];

    sb_adds(sb, "delayed others by ");
    format_time_apart(sb, culprit->made_wait_ps);
    sb_addf(sb, " in %" PRIu64 " of %" PRIu64 " collective%s", culprit->n_last, s->n_matched,
            s->n_matched == 1 ? "" : "s");
}
