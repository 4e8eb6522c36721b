/* match.c: the stage that matches regex lists against names and devices of rows. */
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "view/filter.h"
#include "view/stages.h"

/* ---- evaluates -device_regexes */

struct device_match {
    const struct profile *profile;
    const struct regexes *regexes;
    const struct tree *tree;
    const uint8_t *node_accounted;
    bool is_multi;
    /* by strid: 0 unknown, 1 no, 2 yes; concurrent writers store the same value */
    _Atomic uint8_t *of_device;
    uint8_t *match;
};

static bool device_matches(struct device_match *m, strid device)
{
    uint8_t known = atomic_load_explicit(&m->of_device[device], memory_order_relaxed);

    if (!known) {
        known = regexes_match(m->regexes, intern_text(&m->profile->strings, device),
                              intern_len(&m->profile->strings, device)) < 0
                    ? 1
                    : 2;
        atomic_store_explicit(&m->of_device[device], known, memory_order_relaxed);
    }
    return known == 2;
}

static bool any_matches(struct device_match *m, node_id node)
{
    uint32_t n;
    const strid *devices;

    if (!m->profile->programs)
        return device_matches(m, m->profile->device[node]);
    devices = profile_devices(m->profile, node, &n);
    for (uint32_t i = 0; i < n; i++)
        if (device_matches(m, devices[i]))
            return true;
    return false;
}

static bool row_matches(struct device_match *m, size_t row)
{
    const struct tree *t = m->tree;
    bool any = false;

    for (uint32_t i = t->member_begin[row]; i < t->member_begin[row + 1]; i++) {
        if (m->is_multi && !m->node_accounted[t->members[i]])
            continue;
        if (any_matches(m, t->members[i]))
            return true;
        any = true;
    }
    return !any && device_matches(m, STRID_EMPTY);
}

static void match_rows(void *arg, size_t from, size_t to)
{
    struct device_match *m = arg;

    for (size_t row = from; row < to; row++)
        m->match[row] = row_matches(m, row);
}

/* Evaluates LIST once for each distinct canonical device and fills F->match by row. A row without a
 * device is matched as the empty text; a row of several nodes matches if the device of one of its
 * accounted nodes (NODE_ACCOUNTED) does. Errors as for filter_update(). */
static bool device_filter_update(struct filter *f, const char *list, const uint8_t *node_accounted,
                          bool is_multi, const struct filter_work *work, struct err *err)
{
    enum { ROWS_A_CHUNK = 32768 };
    const struct tree *t = work->tree;
    struct filter made = {.kind = FILTER_SOME};

    if (f->list && strcmp(f->list, list) == 0)
        return true;
    made.regexes = regexes_new(list, err);
    if (!made.regexes) {
        err_prefix(err, "-device_regexes");
        return false;
    }
    if (regexes_is_wildcard(made.regexes)) {
        made.kind = FILTER_ALL;
    } else {
        struct device_match m = {t->profile, made.regexes, t, node_accounted, is_multi,
                                 xcalloc(t->profile->strings.n, sizeof *m.of_device), NULL};

        made.match = column_new(work->pool, t->n_rows, sizeof *m.match);
        m.match = made.match->data;
        workers_run(work->workers, t->n_rows, ROWS_A_CHUNK, match_rows, &m);
        if (regexes_gave_up(made.regexes)) {
            memset(m.match, 0, t->n_rows);
            for (strid device = 0; device < t->profile->strings.n; device++)
                made.n_given_up += m.of_device[device] != 0;
        }
        free(m.of_device);
    }
    made.list = xstrdup(list);
    filter_done(f);
    *f = made;
    return true;
}

static const struct {
    const char *option;
    size_t offset;
} name_lists[NAMES_COUNT] = {
    [NAMES_START] = {"start_name_regexes", offsetof(struct options, start_name_regexes)},
    [NAMES_TRIM] = {"trim_name_regexes", offsetof(struct options, trim_name_regexes)},
    [NAMES_SHOW] = {"show_name_regexes", offsetof(struct options, show_name_regexes)},
    [NAMES_HIDE] = {"hide_name_regexes", offsetof(struct options, hide_name_regexes)},
};

static struct filter_work work_of(const struct query_run *run)
{
    return (struct filter_work){run->c->tree, run->pool, run->workers, run->cancel};
}

bool match_names(const struct query_run *run, struct err *err)
{
    struct columns *c = run->c;
    const struct filter_work work = work_of(run);

    for (int f = 0; f < NAMES_COUNT; f++) {
        const char *list = *(char *const *)((const char *)run->options + name_lists[f].offset);

        if (!filter_update(&run->names[f], name_lists[f].option, list, &work, err))
            return false;
        column_unref(c->match[f]);
        c->match[f] = column_ref(run->names[f].match);
        c->kind[f] = run->names[f].kind;
    }
    return true;
}

bool match_devices(const struct query_run *run, struct err *err)
{
    struct columns *c = run->c;
    const struct filter_work work = work_of(run);

    if (!device_filter_update(run->device, run->options->device_regexes,
                              COLUMN(c->node_accounted, uint8_t), run->view->is_multi, &work,
                              err))
        return false;
    column_unref(c->device_match);
    c->device_match = column_ref(run->device->match);
    return true;
}

void match_drop_names(const struct query_run *run)
{
    for (int f = 0; f < NAMES_COUNT; f++)
        filter_done(&run->names[f]);
}

void match_drop_devices(const struct query_run *run)
{
    filter_done(run->device);
}

void match_note(const struct query_run *run, struct notes *notes)
{
    for (int f = 0; f < NAMES_COUNT; f++)
        filter_note(&run->names[f], name_lists[f].option, notes);
    filter_note(run->device, "device_regexes", notes);
}

/* ---- evaluates -start_name_regexes */

bool start_is_wanted(const struct query_run *run)
{
    return run->c->kind[NAMES_START] != FILTER_ALL;
}

void start_rows(const struct query_run *run)
{
    struct columns *c = run->c;
    const struct tree *t = c->tree;
    const uint8_t *kept = COLUMN(c->kept, uint8_t);
    const uint8_t *match = COLUMN(c->match[NAMES_START], uint8_t);
    uint8_t *started;

    c->started = column_new(run->pool, t->n_rows, sizeof *started);
    started = c->started->data;
    started[0] = 0;
    for (row_id row = 1; row < t->n_rows; row++)
        started[row] = started[t->parent[row]] | (uint8_t)(match && match[row] && kept[row] && !tree_n_repeats(t, row));
}
