/* report_graphs.c: graph replays and their captures, as JSON (formats-trace.md section 11). */
#include <string.h>

#include "export/sinks/escape.h"
#include "model/profile_kind.h"
#include "session/report.h"

/* INT64_MIN: null. */
static void add_number(struct strbuf *sb, const char *key, int64_t value)
{
    report_key(sb, key);
    if (value == INT64_MIN)
        sb_adds(sb, "null");
    else
        sb_add_int(sb, value);
}

/* NULL: null. */
static void add_text(struct strbuf *sb, const char *key, const char *text)
{
    report_key(sb, key);
    if (text)
        json_add_string(sb, text, strlen(text));
    else
        sb_adds(sb, "null");
}

static void add_capture(struct strbuf *sb, const struct graph_capture *c)
{
    add_text(sb, "path", c->path);
    add_number(sb, "rank", c->rank);
    add_number(sb, "batch_size", c->batch_size);
    add_text(sb, "mode", c->mode);
    add_number(sb, "graphs", c->n_graphs);
    add_number(sb, "launches", c->n_launches);
    report_key(sb, "used");
    sb_adds(sb, c->is_used ? "true" : "false");
}

static void add_row(struct strbuf *sb, const struct profile *p, const struct graph_row *r)
{
    const bool joined = r->reason == JOIN_FITS;

    add_text(sb, "path", r->path);
    add_number(sb, "rank", r->rank < 0 ? INT64_MIN : r->rank);
    report_string(sb, "launch", p, r->launch);
    add_number(sb, "batch_size", r->batch_size);
    add_text(sb, "capture", joined ? p->graphs->captures[r->capture].path : NULL);
    add_number(sb, "graph", joined ? (int64_t)r->graph : INT64_MIN);
    add_text(sb, "how", joined ? join_how_word((enum join_how)r->how) : NULL);
    add_text(sb, "reason", join_reason_word((enum join_reason)r->reason));
    report_integer(sb, "replays", (int64_t)r->n_replays);
    report_integer(sb, "work", (int64_t)r->n_works);
    report_integer(sb, "placed", (int64_t)r->n_placed);
    report_integer(sb, "equal", (int64_t)r->n_equal);
    report_time(sb, "accelerator", r->accelerator_ns);
    report_time(sb, "placed_accelerator", r->placed_ns);
}

static void add_totals(struct strbuf *sb, const struct graph_totals *t)
{
    report_integer(sb, "replays", (int64_t)t->n_replays);
    report_integer(sb, "joined", (int64_t)t->n_joined);
    report_integer(sb, "refused", (int64_t)(t->n_replays - t->n_joined));
    report_integer(sb, "work", (int64_t)t->n_works);
    report_integer(sb, "placed", (int64_t)t->n_placed);
    report_integer(sb, "ambiguous", (int64_t)t->n_ambiguous);
    report_integer(sb, "unmatched", (int64_t)t->n_unmatched);
    report_time(sb, "accelerator", t->accelerator_ns);
    report_time(sb, "placed_accelerator", t->placed_ns);
}

void report_graphs(struct strbuf *sb, const struct profile *p)
{
    const struct graph_replays none = {0}, *g = p->graphs ? p->graphs : &none;
    const struct graph_totals totals = graph_totals_of(g);

    if (!profile_recorders(p).is_torch)
        return;
    report_key(sb, "graphs");
    sb_addc(sb, '{');
    add_totals(sb, &totals);
    report_key(sb, "captures");
    sb_addc(sb, '[');
    for (uint32_t i = 0; i < g->n_captures; i++) {
        sb_adds(sb, i ? ",{" : "{");
        add_capture(sb, &g->captures[i]);
        sb_addc(sb, '}');
    }
    sb_addc(sb, ']');
    report_key(sb, "rows");
    sb_addc(sb, '[');
    for (uint32_t i = 0; i < g->n_rows; i++) {
        sb_adds(sb, i ? ",{" : "{");
        add_row(sb, p, &g->rows[i]);
        sb_addc(sb, '}');
    }
    sb_adds(sb, "]}");
}
