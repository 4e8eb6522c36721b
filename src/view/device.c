/* device.c: which rows run on a device that -device_regexes names. */
#include "view/device.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

struct device_match {
    const struct profile *profile;
    const struct regexes *regexes;
    uint8_t *of_device; /* by strid: 0 unknown, 1 no, 2 yes */
};

static bool device_matches(struct device_match *m, strid device)
{
    if (!m->of_device[device])
        m->of_device[device] =
            regexes_match(m->regexes, intern_text(&m->profile->strings, device),
                          intern_len(&m->profile->strings, device)) < 0
                ? 1
                : 2;
    return m->of_device[device] == 2;
}

static bool row_matches(struct device_match *m, const struct tree *t, row_id row,
                        const uint8_t *node_accounted, bool is_multi)
{
    bool any = false;

    for (uint32_t i = t->member_begin[row]; i < t->member_begin[row + 1]; i++) {
        if (is_multi && !node_accounted[t->members[i]])
            continue;
        if (device_matches(m, m->profile->device[t->members[i]]))
            return true;
        any = true;
    }
    return !any && device_matches(m, STRID_EMPTY);
}

bool device_filter_update(struct filter *f, const char *list, const struct tree *t,
                          const uint8_t *node_accounted, bool is_multi, struct column_pool *pool,
                          struct err *err)
{
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
        struct device_match m = {t->profile, made.regexes, xcalloc(t->profile->strings.n, 1)};
        uint8_t *match;

        made.match = column_new(pool, t->n_rows, sizeof *match);
        match = made.match->data;
        for (row_id row = 0; row < t->n_rows; row++)
            match[row] = row_matches(&m, t, row, node_accounted, is_multi);
        free(m.of_device);
    }
    made.list = xstrdup(list);
    filter_done(f);
    *f = made;
    return true;
}
