/* advise.c: runs the checkers and collects their reports. */
#include "view/advise/advise_priv.h"

#include <stdlib.h>
#include <string.h>

#include "base/lower_bound.h"
#include "base/vec.h"
#include "base/xalloc.h"

#define CHECKER_ADDRESS(name) &checker_##name,
const struct checker *const checkers[] = {CHECKER_LIST(CHECKER_ADDRESS) NULL};
#undef CHECKER_ADDRESS

struct advice_report *advise_report(struct advise *a)
{
    struct checker_advice *s = a->section;

    if (s->n_reports == s->capacity)
        s->reports = vec_grow(s->reports, &s->capacity, s->n_reports + 1, sizeof *s->reports);
    s->reports[s->n_reports] = (struct advice_report){0};
    return &s->reports[s->n_reports++];
}

void advise_line_shown(struct advise *a, struct strbuf *line, struct strbuf *shown)
{
    struct advice_report *r = &a->section->reports[a->section->n_reports - 1];
    const size_t len = shown->len;

    advise_line(a, line);
    if (!len)
        return;
    r->lines[r->n_lines - 1].shown_len = len;
    r->lines[r->n_lines - 1].shown = sb_take(shown);
}

void advise_line(struct advise *a, struct strbuf *line)
{
    struct advice_report *r = &a->section->reports[a->section->n_reports - 1];

    if (r->n_lines == r->capacity)
        r->lines = vec_grow(r->lines, &r->capacity, r->n_lines + 1, sizeof *r->lines);
    r->lines[r->n_lines] = (struct advice_line){.len = line->len};
    r->lines[r->n_lines++].bytes = sb_take(line);
}

void advise_say(struct advise *a, const char *text)
{
    struct strbuf line = {0};

    advise_report(a);
    sb_adds(&line, text);
    advise_line(a, &line);
}

void advise_mark(struct advise *a, node_id node, const char *text)
{
    struct advice *to = a->advice;

    if (to->n_marks == to->capacity)
        to->marks = vec_grow(to->marks, &to->capacity, to->n_marks + 1, sizeof *to->marks);
    to->marks[to->n_marks++] = (struct advice_mark){node, a->section->checker, text};
}

bool advise_has_trace(const struct profile *p)
{
    for (uint32_t i = 0; i < p->n_recordings; i++)
        if (p->recordings[i].dialect != DIALECT_TF_TIMELINE)
            return true;
    return false;
}

bool advise_has_graph(const struct profile *p)
{
    return !advise_has_trace(p);
}

static int by_node(const void *a, const void *b)
{
    const struct advice_mark *x = a, *y = b;

    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return strcmp(x->text, y->text);
}

static size_t count_checkers(void)
{
    size_t n = 0;

    while (checkers[n])
        n++;
    return n;
}

struct advice *advise_run(const struct profile *p, struct query *q, bool additions,
                          struct cancel_mark cancel, struct err *err)
{
    struct advise a = {.profile = p, .query = q, .cancel = cancel};
    bool ok = true;

    a.advice = xcalloc(1, sizeof *a.advice);
    a.advice->sections = xcalloc(count_checkers(), sizeof *a.advice->sections);
    for (size_t i = 0; ok && checkers[i]; i++) {
        if ((checkers[i]->is_addition && !additions) ||
            (checkers[i]->applies && !checkers[i]->applies(p)))
            continue;
        a.section = &a.advice->sections[a.advice->n_sections++];
        a.section->checker = checkers[i];
        ok = checkers[i]->check(&a, err);
    }
    if (!ok) {
        advice_free(a.advice);
        return NULL;
    }
    if (a.advice->n_marks)
        qsort(a.advice->marks, a.advice->n_marks, sizeof *a.advice->marks, by_node);
    return a.advice;
}

static void free_report(struct advice_report *r)
{
    for (size_t i = 0; i < r->n_lines; i++) {
        free(r->lines[i].bytes);
        free(r->lines[i].shown);
    }
    free(r->lines);
}

void advice_free(struct advice *a)
{
    if (!a)
        return;
    for (size_t i = 0; i < a->n_sections; i++) {
        for (size_t k = 0; k < a->sections[i].n_reports; k++)
            free_report(&a->sections[i].reports[k]);
        free(a->sections[i].reports);
    }
    free(a->sections);
    free(a->marks);
    free(a);
}

const struct advice_mark *advice_of_node(const struct advice *a, node_id node, size_t *n)
{
    size_t at = 0;

    LOWER_BOUND(at, a->n_marks, i, a->marks[i].node < node);
    for (*n = 0; at + *n < a->n_marks && a->marks[at + *n].node == node;)
        ++*n;
    return *n ? a->marks + at : NULL;
}
