/* compared.h: the main differences between two profiles, for `diff` and `brief -diff_base`. */
#pragma once

#include "session/session.h"
#include "view/findings/findings.h"

/* A value in the baseline and in the profile; INT64_MIN: unknown. */
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

/* Sets RANGE_PS to median, minimum and maximum of the times of the steps of F, which has some;
 * returns the index of the slowest step. */
size_t step_range(const struct findings *f, int64_t range_ps[3]);
/* Fills C from R, a result of S that compares with BASE_PATH, and from the findings of both
 * profiles. C owns nothing. */
void compared_make(struct compared *c, const struct session *s, const char *base_path, struct result *r,
                   const struct findings *base, const struct findings *now);
/* Appends the members base, now and delta of F; unknown values are null. */
void compared_figure_json(struct strbuf *sb, struct compared_figure f, bool is_time);
/* Appends C as a JSON object. */
void compared_json(struct strbuf *sb, const struct compared *c);
/* Appends C as lines of text. */
void compared_text(struct strbuf *sb, const struct compared *c);
