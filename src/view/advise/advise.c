/* advise.c: runs the checkers and collects their reports. */
#include "view/advise/advise_priv.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "view/breakdown/table_selection.h"

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

void advise_report_text(struct advise *a, const char *text)
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
    return profile_recorders(p).has_threads;
}

bool advise_has_work(const struct profile *p)
{
    return p->events && (advise_has_trace(p) || profile_ran_programs(p));
}

bool advise_has_graph(const struct profile *p)
{
    return !advise_has_trace(p);
}

void advice_report_row(struct advice_report *r, struct strbuf *name)
{
    if (r->n_rows == r->rows_capacity)
        r->rows = vec_grow(r->rows, &r->rows_capacity, r->n_rows + 1, sizeof *r->rows);
    r->rows[r->n_rows++] = sb_take(name);
}

/* ---- findings */

COMPARE_CHAIN(by_gain, struct advice_finding, DOWN(report->gain_ps) || THEN(strcmp(a->id, b->id)))

/* A gain of 1 / 5 of the window is high, of 1 / 20 medium. */
static const char *severity_of(const struct verdict *v, int64_t gain_ps)
{
    const int64_t window_ps = v->n_devices ? v->span_ps / v->n_devices : 0;

    if (window_ps <= 0 || !is_part_of(gain_ps, window_ps, 20))
        return "low";
    return is_part_of(gain_ps, window_ps, 5) ? "high" : "medium";
}

static void add_finding(struct advice *to, const struct checker *checker,
                        const struct advice_report *report, size_t number)
{
    struct strbuf id = {0};

    sb_adds(&id, checker->id);
    if (report->name)
        sb_addf(&id, ":%s", report->name);
    else if (number > 1)
        sb_addf(&id, ":%zu", number);
    to->findings[to->n_findings++] = (struct advice_finding){
        checker, report, sb_take(&id), severity_of(to->verdict, report->gain_ps)};
}

/* Numbers findings with equal names, which are adjacent. */
static void number_equals(struct advice *to)
{
    for (size_t from = 0, at; from < to->n_findings; from = at)
        for (at = from + 1;
             at < to->n_findings && strcmp(to->findings[at].id, to->findings[from].id) == 0; at++) {
            struct strbuf id = {0};

            sb_addf(&id, "%s:%zu", to->findings[at].id, at - from + 1);
            free(to->findings[at].id);
            to->findings[at].id = sb_take(&id);
        }
}

static void list_findings(struct advice *to)
{
    size_t n = 0;

    for (size_t i = 0; i < to->n_sections; i++)
        n += to->sections[i].n_reports;
    to->findings = xcalloc(n + 1, sizeof *to->findings);
    for (size_t i = 0; i < to->n_sections; i++) {
        const struct checker_advice *section = &to->sections[i];
        size_t number = 0;

        for (size_t k = 0; k < section->n_reports; k++)
            if (section->reports[k].n_lines)
                add_finding(to, section->checker, &section->reports[k], ++number);
    }
    if (to->n_findings)
        qsort(to->findings, to->n_findings, sizeof *to->findings, by_gain);
    number_equals(to);
}

COMPARE_CHAIN(by_node, struct advice_mark, UP(node) || THEN(strcmp(a->text, b->text)))

static size_t count_checkers(void)
{
    size_t n = 0;

    while (checkers[n])
        n++;
    return n;
}

/* Sets a->wanted to the selection of O; *IS_PART: it excludes events. */
static bool select_events(struct advise *a, const struct options *o, bool *is_part, struct err *err)
{
    const struct table_request request = {
        .profile = a->profile, .options = o, .query = a->query, .cancel = a->cancel};

    *is_part = false;
    a->wanted = (struct selection_request){.step = STEP_ALL, .rank = RANK_ALL};
    if (!o || !advise_has_work(a->profile))
        return true;
    if (!table_get_selection(&a->wanted, &request, err))
        return false;
    *is_part = a->wanted.step >= 0 || a->wanted.step == STEP_OUTSIDE || a->wanted.rank >= 0 ||
               !time_range_is_all(a->wanted.range) ||
               !option_is_default(o, option_find("device_regexes"));
    return true;
}

struct advice *advise_run(const struct profile *p, struct query *q, const struct options *o,
                          bool additions, struct cancel_mark cancel, struct err *err)
{
    struct advise a = {.profile = p, .query = q, .cancel = cancel};
    bool ok = true, is_part;

    if (!select_events(&a, o, &is_part, err))
        return NULL;
    a.advice = xcalloc(1, sizeof *a.advice);
    a.advice->is_list = advise_has_work(p);
    a.advice->verdict = xcalloc(1, sizeof *a.advice->verdict);
    if (!verdict_make(a.advice->verdict, p, &a.wanted, false, cancel, err)) {
        EACH(free, a.advice->verdict, a.advice);
        return NULL;
    }
    a.advice->sections = xcalloc(count_checkers(), sizeof *a.advice->sections);
    for (size_t i = 0; ok && checkers[i]; i++) {
        if ((checkers[i]->is_addition && !additions) || (is_part && !checkers[i]->reads_events) ||
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
    list_findings(a.advice);
    return a.advice;
}

static void free_report(struct advice_report *r)
{
    for (size_t i = 0; i < r->n_lines; i++)
        EACH(free, r->lines[i].bytes, r->lines[i].shown);
    for (size_t i = 0; i < r->n_rows; i++)
        free(r->rows[i]);
    EACH(free, r->lines, r->rows, r->source, r->name);
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
    for (size_t i = 0; i < a->n_findings; i++)
        free(a->findings[i].id);
    verdict_done(a->verdict);
    EACH(free, a->verdict, a->findings, a->sections, a->marks, a);
}

const struct advice_mark *advice_of_node(const struct advice *a, node_id node, size_t *n)
{
    size_t at = 0;

    LOWER_BOUND(at, a->n_marks, i, a->marks[i].node < node);
    for (*n = 0; at + *n < a->n_marks && a->marks[at + *n].node == node;)
        ++*n;
    return *n ? a->marks + at : NULL;
}
