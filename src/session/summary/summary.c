/* summary.c: the summary's sections in order, and the files. */
#include "session/summary/summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "model/format.h"
#include "session/summary/summary_parts.h"
#include "view/pictures/timeline_text.h"

struct summary_line *summary_add(struct summary *s, const char *section, const char *label)
{
    struct summary_line *line;

    if (s->n == s->capacity)
        s->lines = vec_grow(s->lines, &s->capacity, s->n + 1, sizeof *s->lines);
    line = &s->lines[s->n++];
    *line = (struct summary_line){.section = section, .node = NODE_NONE};
    sb_adds(&line->label, label);
    return line;
}

struct summary_line *summary_add_node(struct summary *s, const char *section,
                                      const struct profile *p, node_id node)
{
    struct summary_line *line = summary_add(s, section, "");

    sb_add(&line->label, profile_text(p, p->name[node]), intern_len(&p->strings, p->name[node]));
    line->node = node;
    return line;
}

void summary_add_more(struct summary *s, const char *section, size_t n_all)
{
    if (n_all > SUMMARY_MAX_LINES)
        sb_addf(&summary_add(s, section, "...")->value, "and %zu more", n_all - SUMMARY_MAX_LINES);
}

void summary_add_missing(struct summary *s, const char *what, const char *why)
{
    sb_adds(&summary_add(s, "missing", what)->value, why);
}

static void add_files(struct summary *s, const struct profile *p)
{
    for (size_t i = 0; i < p->n_files; i++) {
        struct summary_line *line = summary_add(s, "files", p->files[i].path);

        sb_adds(&line->value, p->files[i].format);
        if (p->files[i].file_size_bytes == 0)
            continue; /* a checkpoint prefix is not a file */
        sb_adds(&line->value, ", ");
        format_memory(&line->value, (int64_t)p->files[i].file_size_bytes);
    }
}

static void add_graph(struct summary *s, const struct profile *p, const struct flops *flops)
{
    summary_ops(s, p);
    summary_signatures(s, p);
    summary_facts(s, p);
    if (!p->n_signature_ends && !profile_has_op_set(p))
        summary_ends(s, p, flops);
    if (!profile_has_op_set(p))
        summary_variables(s, p);
    summary_float_ops(s, p, flops);
}

/* Adds the verdict; sets *SPAN_PS to the time span of all devices. */
static void add_verdict(struct summary *s, const struct profile *p, const struct options *o,
                        int64_t *span_ps)
{
    const struct cancel_mark never = {NULL, 0};
    struct verdict verdict;

    if (!verdict_make_of_run(&verdict, p, o, never, NULL))
        return;
    s->verdict = verdict.text;
    *span_ps = verdict.span_ps;
    verdict.text = NULL;
    verdict_done(&verdict);
}

static void add_missing(struct summary *s, const struct profile *p)
{
    if (p->n_recorders)
        summary_missing_in_traces(s, p);
    else
        summary_missing(s, p);
}

struct summary *summary_missing_new(const struct profile *p)
{
    struct summary *s = xcalloc(1, sizeof *s);

    add_missing(s, p);
    return s;
}

struct summary *summary_new(const struct profile *p, const struct flops *flops,
                            const struct options *o)
{
    struct summary *s = xcalloc(1, sizeof *s);
    int64_t span_ps = 0;

    add_verdict(s, p, o, &span_ps);
    add_files(s, p);
    summary_traces(s, p);
    if (p->n_nodes && !p->n_recorders)
        add_graph(s, p, flops);
    summary_checkpoint(s, p);
    summary_runs(s, p);
    summary_programs(s, p);
    summary_mfu(s, p, flops, o, span_ps);
    add_missing(s, p);
    return s;
}

void summary_free(struct summary *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n; i++)
        EACH(sb_done, &s->lines[i].label, &s->lines[i].value);
    EACH(free, s->verdict, s->lines, s);
}

void summary_print(struct strbuf *sb, const struct summary *s)
{
    enum { LABEL_COLS = 32 };
    const char *section = NULL;

    if (s->verdict) {
        utf8_escape(sb, s->verdict, strlen(s->verdict));
        sb_adds(sb, "\n\n");
    }
    array_each(const struct summary_line, line, s->lines, s->n) {
        size_t start;

        if (!section || strcmp(section, line->section) != 0)
            sb_addf(sb, "%s%s\n", section ? "\n" : "", line->section);
        section = line->section;
        sb_adds(sb, "  ");
        start = sb->len;
        utf8_escape(sb, sb_text(&line->label), line->label.len);
        sb_pad(sb, ' ', sb->len - start < LABEL_COLS ? LABEL_COLS - (sb->len - start) : 0);
        sb_adds(sb, "  ");
        utf8_escape(sb, sb_text(&line->value), line->value.len);
        sb_addc(sb, '\n');
    }
}
