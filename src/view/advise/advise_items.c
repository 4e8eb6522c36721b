/* advise_items.c: lines about the items of a list, for checkers. */
#include "view/advise/advise_items.h"

#include <string.h>

void add_percent(struct strbuf *line, double part, double whole)
{
    sb_addf(line, "%.1f %%", whole > 0 ? 100 * part / whole : 0.0);
}

void add_text(struct strbuf *line, const struct profile *p, strid id)
{
    sb_add(line, intern_text(&p->strings, id), intern_len(&p->strings, id));
}

void advise_more(struct advise *a, size_t n_lines)
{
    struct strbuf line = {0};

    if (n_lines <= ADVICE_MAX_LINES)
        return;
    sb_addf(&line, "and %zu more", n_lines - ADVICE_MAX_LINES);
    advise_line(a, &line);
}

void advise_items(struct advise *a, size_t n, advise_item *report_line)
{
    size_t n_lines = 0;

    for (size_t i = 0; i < n; i++) {
        struct strbuf line = {0};

        if (report_line(a->profile, i, &line)) {
            if (n_lines == 0)
                advise_report(a);
            if (++n_lines <= ADVICE_MAX_LINES)
                advise_line(a, &line);
        }
        sb_done(&line);
    }
    advise_more(a, n_lines);
}

bool device_counts(const struct programs *c, const struct program_device *d)
{
    bool any = d->is_accelerator;

    for (size_t i = 0; !any && i < c->n_devices; i++)
        if (c->devices[i].is_accelerator && c->devices[i].n_events)
            return false;
    return d->n_events > 0;
}

void rank_node(struct ranked_node *top, size_t *n, size_t max, struct ranked_node node)
{
    size_t at = *n;

    while (at && (top[at - 1].ps < node.ps ||
                  (top[at - 1].ps == node.ps && top[at - 1].node > node.node)))
        at--;
    if (at == max)
        return;
    *n += *n < max;
    memmove(&top[at + 1], &top[at], (*n - at - 1) * sizeof *top);
    top[at] = node;
}
