/* summary_text.c: the summary page. */
#include "tui/summary_text.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "model/format.h"

enum { OPS_MOST = 12 };

static void add_files(const struct profile *p, struct lines *l)
{
    for (size_t i = 0; i < p->n_files; i++) {
        struct strbuf size = {0}, path = {0};

        format_memory(&size, (int64_t)p->files[i].file_size_bytes);
        utf8_escape(&path, p->files[i].path, strlen(p->files[i].path));
        lines_field(l, i ? "" : "files", ROLE_TEXT, "%s", sb_text(&path));
        lines_putf(l, ROLE_DIM, "  %s, %s", p->files[i].format, sb_text(&size));
        sb_done(&size);
        sb_done(&path);
    }
}

static void add_devices(const struct profile *p, struct lines *l)
{
    uint32_t *counts = xcalloc(p->strings.n, sizeof *counts);
    bool first = true;

    for (node_id node = 0; node < p->n_nodes; node++)
        counts[p->device[node]]++;
    for (strid id = STRID_EMPTY + 1; id < p->strings.n; id++) {
        if (!counts[id])
            continue;
        lines_field(l, first ? "devices" : "", ROLE_TEXT, "%s", profile_text(p, id));
        lines_putf(l, ROLE_DIM, "  %" PRIu32 " nodes", counts[id]);
        first = false;
    }
    free(counts);
}

struct op_count {
    strid op;
    uint32_t n;
};

static int by_count(const void *x, const void *y)
{
    const struct op_count *a = x, *b = y;

    if (a->n != b->n)
        return a->n < b->n ? 1 : -1;
    return a->op < b->op ? -1 : a->op > b->op;
}

static void add_ops(const struct profile *p, struct lines *l)
{
    struct op_count *ops = xcalloc(p->strings.n, sizeof *ops);
    size_t n = 0;

    for (strid id = 0; id < p->strings.n; id++)
        ops[id].op = id;
    for (node_id node = 0; node < p->n_nodes; node++)
        ops[p->op[node]].n++;
    qsort(ops, p->strings.n, sizeof *ops, by_count);
    while (n < p->strings.n && ops[n].n)
        n++;
    for (size_t i = 0; i < n && i < OPS_MOST; i++) {
        lines_field(l, i ? "" : "ops", ROLE_NUMBER, "%8" PRIu32 " ", ops[i].n);
        lines_puts(l, ROLE_TEXT, profile_text(p, ops[i].op));
    }
    if (n > OPS_MOST)
        lines_field(l, "", ROLE_DIM, "and %zu types more", n - OPS_MOST);
    free(ops);
}

static void add_steps(const struct profile *p, struct lines *l)
{
    struct strbuf steps = {0};

    for (uint32_t i = 0; i < p->n_steps && i < 10; i++)
        sb_addf(&steps, "%s%" PRId64, i ? ", " : "", p->steps[i]);
    if (p->n_steps > 10)
        sb_adds(&steps, " ...");
    if (p->n_steps)
        lines_field(l, "steps", ROLE_TEXT, "%" PRIu32 ": %s", p->n_steps, sb_text(&steps));
    sb_done(&steps);
}

/* What is not there, what for it would be needed, and which file has it. */
static void add_missing(const struct profile *p, struct lines *l)
{
    const struct {
        bool missing;
        const char *text;
    } rows[] = {
        {!p->has_runtime, "times and memory: give RunMetadata with --run_meta_path"},
        {!p->has_trace, "the code view: give an op log with --op_log_path"},
        {p->misses_accelerator_stream, "accelerator times: the run traced no streams"},
    };
    bool first = true;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!rows[i].missing)
            continue;
        lines_field(l, first ? "missing" : "", ROLE_NOTE, "%s", rows[i].text);
        first = false;
    }
}

void summary_lines(struct app *a, struct lines *l)
{
    const struct profile *p = a->result->profile;
    struct strbuf n = {0};

    add_files(p, l);
    figure_grouped(&n, p->n_nodes);
    lines_field(l, "nodes", ROLE_TEXT, "%s", sb_text(&n));
    add_steps(p, l);
    add_devices(p, l);
    add_ops(p, l);
    add_missing(p, l);
    for (size_t i = 0; i < p->notes.n; i++)
        lines_field(l, i ? "" : "notes", ROLE_NOTE, "%s", p->notes.lines[i]);
    sb_done(&n);
}
