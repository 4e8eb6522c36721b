/* device.c: evaluates -device_regexes: the rows that run on matching devices. */
#include "view/device.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

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

    if (!m->profile->capture)
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

bool device_filter_update(struct filter *f, const char *list, const uint8_t *node_accounted,
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
