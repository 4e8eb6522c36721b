/* compared.h: what differs between two profiles, in a few numbers: for `diff` and `brief -diff_base`. */
#pragma once

#include "session/session.h"
#include "view/findings/findings.h"

/* A figure before and after; INT64_MIN: unknown. */
struct compared_figure {
    int64_t base, now;
};

struct compared {
    const char *base_path, *now_path; /* borrowed */
    enum metric_id metric;
    struct compared_figure total, median_step_ps;
    uint32_t n_matched, n_new, n_vanished;
    const struct findings *base, *now; /* borrowed */
};

/* Makes C of R, a result of S, which compares with BASE_PATH, and of the findings of both sides.  Nothing
 * is to be freed. */
void compared_make(struct compared *c, const struct session *s, const char *base_path, struct result *r,
                   const struct findings *base, const struct findings *now);
/* Appends an object. */
void compared_json(struct strbuf *sb, const struct compared *c);
/* Appends lines. */
void compared_text(struct strbuf *sb, const struct compared *c);
