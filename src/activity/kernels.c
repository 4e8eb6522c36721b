/* kernels.c: groups device work by kernel and launch configuration. */
#include "activity/kernels.h"

#include <stdlib.h>
#include <string.h>

#include "activity/kernel_name.h"
#include "base/compare.h"
#include "base/xalloc.h"

/* Events between two checks for cancellation. */
enum { EVENTS_PER_LOOK = 4096 };

/* Longer texts are not numbers of a launch. */
enum { NUMBER_LEN_MAX = 32 };

/* One call, for the median of its row. */
struct call {
    uint32_t row;
    int64_t dur_ps;
};

/* Values derived from a string of the profile, computed once: ids + 1, 0: not yet. */
struct derived {
    strid size, short_name; /* in kernels.texts */
    strid last;             /* in profile->strings: last component of a node's name */
    strid op; /* in profile->strings: operator that launched the work of the node with this name */
};

struct gathering {
    struct kernels *k;
    const struct profile *p;
    struct selection *sel;
    bool has_kernel_nodes;
    struct derived *derived;  /* by id in profile->strings; heap */
    struct intern keys;       /* keys are struct kernel_key: index of the row + 1 */
    uint32_t *row_of_kind;    /* of the current track: row + 1, 0: not yet known; heap */
    VEC(uint32_t) kinds_seen; /* of the current track */
    VEC(struct call) calls;
};

/* ---- launch configurations, in the words of their file */

void kernel_size_add(struct strbuf *sb, const struct profile *p, strid list)
{
    const struct text text = intern_string(&p->strings, list);
    const size_t begin = sb->len;
    bool in_number = false;

    for (uint32_t i = 0; i < text.len; i++) {
        const bool is_digit = text.bytes[i] >= '0' && text.bytes[i] <= '9';

        sb_adds(sb, is_digit && !in_number && sb->len > begin ? "x" : "");
        if (is_digit)
            sb_addc(sb, text.bytes[i]);
        in_number = is_digit;
    }
}

/* The id of the text of kernel_size_add(); STRID_EMPTY if it is empty. */
static strid size_of(struct gathering *g, strid list)
{
    strid *made = &g->derived[list].size;
    struct strbuf sb = {0};

    if (*made)
        return *made - 1;
    kernel_size_add(&sb, g->p, list);
    *made = intern_put(&g->k->texts, sb_text(&sb), sb.len) + 1;
    sb_done(&sb);
    return *made - 1;
}

int64_t kernel_number(const struct profile *p, strid id)
{
    const char *text = profile_text(p, id);
    char *end;
    long long number;

    if (intern_len(&p->strings, id) > NUMBER_LEN_MAX)
        return INT64_MIN;
    number = strtoll(text, &end, 10);
    return end == text || number < 0 ? INT64_MIN : number;
}

double kernel_occupancy(const struct profile *p, strid id)
{
    const double percent = intern_len(&p->strings, id) > NUMBER_LEN_MAX
                               ? 0
                               : strtod(profile_text(p, id), NULL);

    return percent > 0 && percent <= 100 ? percent : 0;
}

/* ---- names */

static struct text last_component(struct text name)
{
    uint32_t first = name.len;

    while (first && name.bytes[first - 1] != '/')
        first--;
    return (struct text){name.bytes + first, name.len - first};
}

/* The full name of the kernel of KIND. */
static strid kernel_of(struct gathering *g, const struct event_kind *kind, node_id node)
{
    const struct profile *p = g->p;
    strid *made;

    if (kind->name != STRID_EMPTY || node == NODE_NONE)
        return kind->name;
    made = &g->derived[p->name[node]].last;
    if (!*made) {
        const struct text last = last_component(intern_string(&p->strings, p->name[node]));
        const strid id = intern_find(&p->strings, last.bytes, last.len);

        *made = (id == STRID_NONE ? p->name[node] : id) + 1;
    }
    return *made - 1;
}

/* The parent node of a kernel's node; NODE itself if there is none. */
static node_id launching_node(const struct profile *p, node_id node)
{
    const struct text name = intern_string(&p->strings, p->name[node]);
    const struct text op = intern_string(&p->strings, p->op[node]);
    node_id above = NODE_NONE;

    if (name.len > op.len + 1 && name.bytes[name.len - op.len - 1] == '/')
        above = profile_find(p, name.bytes, name.len - op.len - 1);
    return above == NODE_NONE ? node : above;
}

/* The launcher of NODE's work: instruction of a compiled program, or type of an operator. */
static strid op_of(struct gathering *g, node_id node)
{
    strid *made;

    if (node == NODE_NONE)
        return STRID_EMPTY;
    if (g->p->programs)
        return g->p->name[node];
    if (!g->has_kernel_nodes)
        return g->p->op[node];
    made = &g->derived[g->p->name[node]].op;
    if (!*made)
        *made = g->p->op[launching_node(g->p, node)] + 1;
    return *made - 1;
}

static strid short_name(struct gathering *g, strid kernel)
{
    strid *made = &g->derived[kernel].short_name;
    struct strbuf sb = {0};

    if (!*made) {
        kernel_name_add(&sb, intern_string(&g->p->strings, kernel));
        *made = intern_put(&g->k->texts, sb_text(&sb), sb.len) + 1;
    }
    sb_done(&sb);
    return *made - 1;
}

/* ---- rows */

static struct kernel_row new_row(struct gathering *g, const struct kernel_key *key, uint32_t track,
                                 node_id node)
{
    const struct event_store *s = g->sel->s;
    const struct event_track *t = &s->tracks.data[track];
    const int64_t rank = s->ranks.data[s->devices.data[t->device].rank].number;

    return (struct kernel_row){.key = *key, .name = short_name(g, key->kernel),
                               .rank = rank < 0 ? INT64_MIN : rank, .node = node,
                               .tick_ps = s->clocks.data[t->clock].tick_ps, .min_ps = INT64_MAX};
}

/* Returns the row of work of KIND on TRACK; adds it if it is new. */
static uint32_t row_of(struct gathering *g, uint32_t track, const struct event_kind *kind)
{
    const struct kernel_config none = {0};
    const struct event_store *s = g->sel->s;
    const struct kernel_config *config = kind->config ? &s->configs.data[kind->config - 1] : &none;
    const node_id node = kind->id == NODE_NONE ? NODE_NONE : profile_node_of_part(g->p, kind->id);
    const struct kernel_key key = {.kernel = kernel_of(g, kind, node), .op = op_of(g, node),
                                   .device = s->devices.data[s->tracks.data[track].device].name,
                                   .track = s == g->p->events ? track : TRACK_NONE,
                                   .grid = size_of(g, config->grid),
                                   .block = size_of(g, config->block),
                                   .registers = kernel_number(g->p, config->registers),
                                   .shared_memory = kernel_number(g->p, config->shared_memory)};
    const uint32_t row = intern_put(&g->keys, &key, sizeof key) - 1;

    if (row == g->k->rows.n)
        vec_push(&g->k->rows, new_row(g, &key, track, node));
    if (g->k->rows.data[row].occupancy == 0)
        g->k->rows.data[row].occupancy = kernel_occupancy(g->p, config->occupancy_percent);
    return row;
}

static void add_call(struct gathering *g, uint32_t track, uint32_t kind, int64_t dur_ps)
{
    uint32_t *known = &g->row_of_kind[kind];
    struct kernel_row *row;

    if (!*known) {
        *known = row_of(g, track, &g->sel->s->kinds[kind]) + 1;
        vec_push(&g->kinds_seen, kind);
    }
    row = &g->k->rows.data[*known - 1];
    row->calls++;
    row->total_ps = clamp_add(row->total_ps, dur_ps);
    KEEP_MIN(row->min_ps, dur_ps);
    KEEP_MAX(row->max_ps, dur_ps);
    vec_push(&g->calls, ((struct call){*known - 1, dur_ps}));
}

/* Length of the part of E within the selected time; -1: outside. */
static int64_t selected_ps(const struct selection *sel, uint32_t track, const struct event *e)
{
    int64_t start_ps, end_ps;

    if (!sel->has_range)
        return e->dur_ps;
    start_ps = selection_instant(sel, track, e->start_ps);
    end_ps = selection_instant(sel, track, event_end_ps(e));
    if (start_ps >= sel->to_ps || end_ps < sel->from_ps || (end_ps == sel->from_ps && e->dur_ps))
        return -1;
    return (end_ps < sel->to_ps ? end_ps : sel->to_ps) -
           (start_ps > sel->from_ps ? start_ps : sel->from_ps);
}

static void add_track(struct gathering *g, uint32_t track)
{
    const struct event_store *s = g->sel->s;
    struct event_reader r = selection_reader(g->sel, track);

    for (uint32_t n = 0; event_next(&r); n++) {
        int64_t dur_ps;

        if (n % EVENTS_PER_LOOK == 0 && cancel_asked(g->sel->cancel))
            break;
        if (!s->kinds[r.event.kind].is_work || !g->sel->steps[r.event.step])
            continue;
        dur_ps = selected_ps(g->sel, track, &r.event);
        if (dur_ps >= 0)
            add_call(g, track, r.event.kind, dur_ps);
    }
    for (size_t i = 0; i < g->kinds_seen.n; i++)
        g->row_of_kind[g->kinds_seen.data[i]] = 0;
    g->kinds_seen.n = 0;
}

static void add_store(struct gathering *g)
{
    const struct event_store *s = g->sel->s;

    g->row_of_kind = xcalloc((size_t)s->n_kinds + 1, sizeof *g->row_of_kind);
    for (uint32_t t = 0; t < s->tracks.n; t++)
        if (g->sel->tracks[t])
            add_track(g, t);
    free(g->row_of_kind);
}

/* ---- figures of all calls */

COMPARE_BY_TWO(by_row_and_duration, struct call, row, dur_ps)

/* Returns PART as hundredths of a percent of WHOLE, rounded half up. */
static int64_t hundredths(int64_t part, int64_t whole)
{
    while (whole > INT64_MAX / 20001) {
        part /= 2;
        whole /= 2;
    }
    return whole ? (20000 * part + whole) / (2 * whole) : 0;
}

static void finish_rows(struct gathering *g)
{
    struct kernels *k = g->k;
    size_t first = 0;

    vec_sort(&g->calls, by_row_and_duration);
    for (size_t i = 0; i < k->rows.n; i++)
        k->sum_ps = clamp_add(k->sum_ps, k->rows.data[i].total_ps);
    vec_each(struct kernel_row, row, &k->rows) {
        row->median_ps = g->calls.data[first + (size_t)(row->calls - 1) / 2].dur_ps;
        row->avg_ps = row->total_ps / row->tick_ps / row->calls * row->tick_ps;
        row->percent_hundredths = hundredths(row->total_ps, k->sum_ps);
        first += (size_t)row->calls;
    }
}

/* Devices are identified by rank and name. */
static void count_devices(struct kernels *k)
{
    struct intern seen;

    intern_init(&seen);
    for (size_t i = 0; i < k->rows.n; i++) {
        const int64_t device[2] = {k->rows.data[i].rank, k->rows.data[i].key.device};

        intern_put(&seen, device, sizeof device);
    }
    k->n_devices = (int64_t)seen.n - 1;
    intern_done(&seen);
}

static int compare_ids(const struct intern *in, strid a, strid b)
{
    return a == b ? 0 : intern_compare(in, a, b);
}

COMPARE_WITH(by_total, struct kernel_row, struct gathering,
             DOWN(total_ps) || THEN(compare_ids(&with->p->strings, a->key.kernel, b->key.kernel)) ||
             THEN(compare_ids(&with->p->strings, a->key.op, b->key.op)) ||
             THEN(compare_ids(&with->p->strings, a->key.device, b->key.device)) || UP(key.track) ||
             THEN(compare_ids(&with->k->texts, a->key.grid, b->key.grid)) ||
             THEN(compare_ids(&with->k->texts, a->key.block, b->key.block)) || UP(key.registers) ||
             UP(key.shared_memory))

bool kernels_make(struct kernels *k, struct selection *sel, bool has_kernel_nodes, struct err *err)
{
    struct gathering g = {
        .k = k, .p = sel->p, .sel = sel, .has_kernel_nodes = has_kernel_nodes};
    bool is_whole;

    memset(k, 0, sizeof *k);
    EACH(intern_init, &k->texts, &g.keys);
    g.derived = xcalloc(sel->p->strings.n + 1, sizeof *g.derived);
    while (selection_next(sel))
        add_store(&g);
    k->has_work = sel->has_devices;
    is_whole = selection_is_whole(sel, err);
    if (is_whole) {
        finish_rows(&g);
        count_devices(k);
        vec_sort_arg(&k->rows, by_total, &g);
    } else {
        kernels_done(k);
    }
    EACH(vec_done, &g.calls, &g.kinds_seen);
    free(g.derived);
    intern_done(&g.keys);
    return is_whole;
}

void kernels_done(struct kernels *k)
{
    vec_done(&k->rows);
    intern_done(&k->texts);
    memset(k, 0, sizeof *k);
}
