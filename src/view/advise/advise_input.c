/* advise_input.c: hosts of a capture whose ops waited for the input pipeline. */
#include "model/format.h"
#include "view/advise/advise_capture.h"

static const double MODERATE = 0.05, HIGH = 0.2;

static bool check(struct advise *a, struct err *err)
{
    const struct capture *c = a->profile->capture;
    size_t n_lines = 0;

    (void)err;
    for (size_t i = 0; i < c->n_inputs; i++) {
        const struct capture_input *in = &c->inputs[i];
        const double share =
            in->within_ps > 0 ? (double)in->waited_ps / (double)in->within_ps : 0;
        struct strbuf line = {0};

        if (share < MODERATE)
            continue;
        if (!n_lines)
            advise_report(a);
        if (++n_lines > ADVICE_MAX_LINES)
            continue;
        sb_adds(&line, "host ");
        add_text(&line, a->profile, in->host);
        sb_addf(&line, ": ops wait for input, %s: ", share < HIGH ? "moderate" : "high");
        add_percent(&line, (double)in->waited_ps, (double)in->within_ps);
        sb_adds(&line, " of ");
        format_time(&line, in->within_ps);
        sb_adds(&line, ": prefetch, or prepare the data in parallel");
        advise_line(a, &line);
    }
    advise_more(a, n_lines);
    return true;
}

const struct checker checker_input = {
    .name = "InputChecker",
    .help = "hosts whose ops waited for the input pipeline",
    .applies = capture_has_run,
    .check = check,
};
