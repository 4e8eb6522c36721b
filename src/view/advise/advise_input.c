/* advise_input.c: hosts of a capture whose ops waited for the input pipeline. */
#include "model/format.h"
#include "view/advise/advise_items.h"

static const double MODERATE = 0.05, HIGH = 0.2;

static bool report_line(const struct profile *p, size_t i, struct strbuf *line)
{
    const struct program_input *in = &p->programs->inputs[i];
    const double share = in->within_ps > 0 ? (double)in->waited_ps / (double)in->within_ps : 0;

    if (share < MODERATE)
        return false;
    sb_adds(line, "host ");
    add_text(line, p, in->host);
    sb_addf(line, ": ops wait for input, %s: ", share < HIGH ? "moderate" : "high");
    add_percent(line, (double)in->waited_ps, (double)in->within_ps);
    sb_adds(line, " of ");
    format_time(line, in->within_ps);
    sb_adds(line, ": prefetch, or prepare the data in parallel");
    return true;
}

static bool check(struct advise *a, struct err *err UNUSED)
{
    advise_items(a, a->profile->programs->n_inputs, report_line);
    return true;
}

const struct checker checker_input = {
    .name = "InputChecker",
    .id = "input",
    .command = "breakdown",
    .help = "hosts whose ops waited for the input pipeline",
    .applies = profile_ran_programs,
    .check = check,
};
