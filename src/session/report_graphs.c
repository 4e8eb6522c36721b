/* report_graphs.c: graph replays and their captures, as JSON (formats-trace.md section 11). */
#include <string.h>

#include "export/sinks/json_members.h"
#include "model/profile_kind.h"
#include "session/report.h"

static void add_capture(struct strbuf *sb, const struct graph_capture *c)
{
    member_string(sb, "path", c->path);
    member_number(sb, "rank", c->rank);
    member_number(sb, "batch_size", c->batch_size);
    member_string(sb, "mode", c->mode);
    member_number(sb, "graphs", c->n_graphs);
    member_number(sb, "launches", c->n_launches);
    member_flag(sb, "used", c->is_used);
}

static void add_row(struct strbuf *sb, const struct profile *p, const struct graph_row *r)
{
    const bool joined = r->reason == JOIN_FITS;

    member_string(sb, "path", r->path);
    member_number(sb, "rank", r->rank < 0 ? INT64_MIN : r->rank);
    member_name(sb, "launch", p, r->launch);
    member_number(sb, "batch_size", r->batch_size);
    member_string(sb, "capture", joined ? p->graphs->captures[r->capture].path : NULL);
    member_number(sb, "graph", joined ? (int64_t)r->graph : INT64_MIN);
    member_string(sb, "how", joined ? join_how_word((enum join_how)r->how) : NULL);
    member_string(sb, "reason", join_reason_word((enum join_reason)r->reason));
    member_integer(sb, "replays", (int64_t)r->n_replays);
    member_integer(sb, "work", (int64_t)r->n_works);
    member_integer(sb, "placed", (int64_t)r->n_placed);
    member_integer(sb, "equal", (int64_t)r->n_equal);
    report_time(sb, "accelerator", r->accelerator_ns);
    report_time(sb, "placed_accelerator", r->placed_ns);
}

static void add_totals(struct strbuf *sb, const struct graph_totals *t)
{
    member_integer(sb, "replays", (int64_t)t->n_replays);
    member_integer(sb, "joined", (int64_t)t->n_joined);
    member_integer(sb, "refused", (int64_t)(t->n_replays - t->n_joined));
    member_integer(sb, "work", (int64_t)t->n_works);
    member_integer(sb, "placed", (int64_t)t->n_placed);
    member_integer(sb, "ambiguous", (int64_t)t->n_ambiguous);
    member_integer(sb, "unmatched", (int64_t)t->n_unmatched);
    report_time(sb, "accelerator", t->accelerator_ns);
    report_time(sb, "placed_accelerator", t->placed_ns);
}

void report_graphs(struct strbuf *sb, const struct profile *p)
{
    const struct graph_replays none = {0}, *g = p->graphs ? p->graphs : &none;
    const struct graph_totals totals = graph_totals_of(g);

    if (!profile_recorders(p).is_torch)
        return;
    member_open(sb, "graphs", '{');
    add_totals(sb, &totals);
    member_open(sb, "captures", '[');
    for (uint32_t i = 0; i < g->n_captures; i++) {
        sb_adds(sb, i ? ",{" : "{");
        add_capture(sb, &g->captures[i]);
        sb_addc(sb, '}');
    }
    sb_addc(sb, ']');
    member_open(sb, "rows", '[');
    for (uint32_t i = 0; i < g->n_rows; i++) {
        sb_adds(sb, i ? ",{" : "{");
        add_row(sb, p, &g->rows[i]);
        sb_addc(sb, '}');
    }
    sb_adds(sb, "]}");
}
